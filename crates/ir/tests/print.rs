//! The text form of pieces of IR made by hand.

use accl_ir::*;
use accl_source::Span;

fn at() -> Span {
    Span::default()
}

fn load(body: &mut Body, local: Handle<Local>) -> Handle<Expr> {
    let ty = body.locals[local].ty;
    let place = body.expr(ExprKind::Local(local), ty, at());
    body.expr(ExprKind::Load(place), ty, at())
}

fn saxpy() -> Module {
    let mut m = Module { file: "saxpy.c".into(), ..Module::default() };
    let (int, float, void) = (m.types.i32(), m.types.float(32), m.types.void());
    let pointer = m.types.intern(TypeKind::Pointer {
        to: float,
        constant: false,
        restrict: true,
        space: Space::Generic,
    });
    let mut b = Body::default();
    let mut local = |name: &str, ty, kind| {
        b.locals.append(Local { name: name.into(), ty, kind, reference: false, span: at() })
    };
    let [n, a] = [("n", int), ("a", float)].map(|(name, ty)| local(name, ty, LocalKind::Param));
    let [x, y] = ["x", "y"].map(|name| local(name, pointer, LocalKind::Param));
    let i = local("i", int, LocalKind::Auto);
    let at_i = |b: &mut Body, base| {
        let (base, index) = (load(b, base), load(b, i));
        b.expr(ExprKind::Index { base, index }, float, at())
    };
    let (place, old, from) = (at_i(&mut b, y), at_i(&mut b, y), at_i(&mut b, x));
    let (old, from) = (b.expr(ExprKind::Load(old), float, at()), b.expr(ExprKind::Load(from), float, at()));
    let factor = load(&mut b, a);
    let product = ExprKind::Binary { op: BinaryOp::Mul, left: factor, right: from };
    let left = b.expr(product, float, at());
    let value = b.expr(ExprKind::Binary { op: BinaryOp::Add, left, right: old }, float, at());
    let lower = b.expr(ExprKind::Int(0), int, at());
    let step = b.expr(ExprKind::Int(1), int, at());
    let bound = load(&mut b, n);
    let node = |kind| StmtNode { kind, span: at() };
    let l = Loop {
        var: i,
        declared_here: true,
        lower,
        compare: Compare::Lt,
        bound,
        step,
        body: vec![node(Stmt::Store { place, op: None, value })],
        directive: Some(LoopDirective { independent: true, collapse: 1, ..Default::default() }),
        levels: Some(LoopLevels { gang: true, vector: true, dim: Some(0), ..Default::default() }),
    };
    b.block.push(node(Stmt::For(Box::new(l))));
    m.functions.append(Function {
        name: "saxpy".into(),
        symbol: "saxpy".into(),
        params: vec![n, a, x, y],
        result: void,
        body: Some(b),
        routine: None,
        has_regions: true,
        link_name: None,
        span: at(),
    });
    m
}

#[test]
fn a_loop_reads_like_c() {
    let expected = "\
file \"saxpy.c\"

fn saxpy(i32 n, f32 a, f32* restrict x, f32* restrict y) -> void {
    for (i32 i = 0; i < n; i += 1) @[gang, vector, dim 0] loop[independent] {
        y[i] = a * x[i] + y[i];
    }
}
";
    assert_eq!(saxpy().to_text(), expected);
}
