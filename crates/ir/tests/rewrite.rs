//! Walks, clones and builders, on `for (i = 0; i < n; i++) { t = a[i]; a[i] += t; }`.

use accl_ir::visit::{self, Root};
use accl_ir::*;
use accl_source::Span;

struct Example {
    module: Module,
    body: Body,
    a: Handle<Local>,
    i: Handle<Local>,
    n: Handle<Local>,
    t: Handle<Local>,
}

fn example() -> Example {
    let mut module = Module::default();
    let types = &mut module.types;
    let (int, double) = (types.i32(), types.float(64));
    let pointer = types.pointer(double);
    let mut body = Body::default();
    let [a, n, i, t] = [("a", pointer), ("n", int), ("i", int), ("t", double)].map(|(name, ty)| {
        let name = name.to_owned();
        body.locals.append(Local { name, ty, kind: LocalKind::Auto, reference: false, span: Span::default() })
    });
    let element = |b: &mut Body, types: &Types| {
        let (base, index) = (b.load_local(a), b.load_local(i));
        b.index(types, base, index)
    };
    let from = element(&mut body, types);
    let from = body.load(from);
    let to = element(&mut body, types);
    let value = body.load_local(t);
    let inner = vec![Stmt::declare(t, Some(from)), Stmt::update(to, BinaryOp::Add, value)];
    let (lower, step, bound) = (body.int(0, int), body.int(1, int), body.load_local(n));
    let l = Loop {
        var: i,
        declared_here: true,
        lower,
        compare: Compare::Lt,
        bound,
        step,
        body: inner,
        directive: None,
        levels: None,
    };
    body.block = vec![Stmt::For(Box::new(l)).into()];
    Example { module, body, a, i, n, t }
}

#[test]
fn places_are_seen_with_their_access() {
    let Example { module, body, .. } = example();
    let mut seen = Vec::new();
    visit::for_each_place(&body, &body.block, &mut |e, access| {
        seen.push(format!("{} {access:?}", print::expr(&module, &body, e)));
    });
    let expected =
        ["n Read", "a[i] Read", "a Read", "i Read", "t Read", "a[i] ReadWrite", "a Read", "i Read"];
    assert_eq!(seen, expected);
}

#[test]
fn locals_written_declared_and_read() {
    let e = example();
    assert_eq!(visit::written_locals(&e.body, &e.body.block), [e.i, e.t].into());
    assert_eq!(visit::declared_locals(&e.body.block), [e.i, e.t].into());
    assert_eq!(visit::read_locals(&e.body, &e.body.block), [e.a, e.n, e.i, e.t].into());
}

#[test]
fn the_root_of_an_element_is_its_pointer() {
    let Example { body, .. } = example();
    visit::for_each_place(&body, &body.block, &mut |e, access| {
        if access.writes() {
            assert!(matches!(visit::root_of(&body, e), Some(Root::Pointer(_))));
        }
    });
}

#[test]
fn a_block_is_copied_into_another_body() {
    let Example { module, body, i, .. } = example();
    let mut to = Body::default();
    let lane = to.locals.append(Local { name: "lane".into(), ..body.locals[i].clone() });
    let mut cloner = Cloner::new();
    cloner.replace(i, Subst::Local(lane));
    to.block = cloner.block(&body, &mut to, &body.block);
    let expected = "\
local i32 n;
local f64* a;
for (i32 lane = 0; lane < n; lane += 1) {
    f64 t = a[lane];
    a[lane] += t;
}
";
    assert_eq!(print::body(&module, &to), expected);
}

#[test]
fn a_value_takes_the_place_of_a_loop_variable() {
    let Example { mut module, mut body, i, .. } = example();
    let Stmt::For(l) = body.block[0].kind.clone() else { unreachable!() };
    let five = module.types.i32();
    let five = body.int(5, five);
    let mut cloner = Cloner::new();
    cloner.replace(i, Subst::Value(five));
    let copy = cloner.block_within(&mut body, &l.body);
    body.block.extend(copy);
    let text = print::body(&module, &body);
    assert!(text.ends_with("}\nf64 t_2 = a[5];\na[5] += t_2;\n"), "{text}");
}

#[test]
fn constants_fold() {
    let mut types = Types::default();
    let (int, byte) = (types.i32(), types.int(8, false));
    let mut body = Body::default();
    let (a, b) = (body.int(300, int), body.int(2, int));
    let sum = body.binary(BinaryOp::Add, a, b);
    let narrow = body.expr(ExprKind::Cast(sum), byte, Span::default());
    assert_eq!(body.const_int(&types, sum), Some(302));
    assert_eq!(body.const_int(&types, narrow), Some(46));
}

#[test]
fn statements_are_replaced_innermost_first() {
    let Example { module, mut body, .. } = example();
    rewrite::with_block(&mut body, |_, block| {
        rewrite::rewrite_block(block, &mut |node| match node.kind {
            Stmt::Store { .. } => vec![node.clone(), node],
            Stmt::Declare { .. } => Vec::new(),
            _ => vec![node],
        });
    });
    let text = print::body(&module, &body);
    assert!(text.ends_with("    a[i] += t;\n    a[i] += t;\n}\n"), "{text}");
}
