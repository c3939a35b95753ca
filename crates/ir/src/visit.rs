//! Walks over statements and expressions, for passes that look.
//!
//! All walks are pre-order and in source order, and go into every nested block, regions' bodies
//! included. What a single statement names is in [`Stmt::operands`](crate::Stmt::operands),
//! [`Stmt::locals`](crate::Stmt::locals) and [`Stmt::blocks`](crate::Stmt::blocks).

use crate::{Access, Arena, Block, Body, Expr, ExprKind, Global, Handle, Local, Loop, Stmt, StmtNode};
use std::collections::BTreeSet;

/// Every statement of `block`, before the statements in it.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text("fn f(i32 n) -> void { if (n) { n = 1; } n = 2; }").unwrap();
/// let body = m.functions[m.function_named("f").unwrap()].body.as_ref().unwrap();
/// let mut seen = Vec::new();
/// visit::for_each_stmt(&body.block, &mut |node| seen.push(print::stmt_head(&m, body, node)));
/// assert_eq!(seen, ["if (n) {", "n = 1;", "n = 2;"]);
/// ```
pub fn for_each_stmt<'a>(block: &'a [StmtNode], f: &mut impl FnMut(&'a StmtNode)) {
    for node in block {
        f(node);
        for inner in node.kind.blocks() {
            for_each_stmt(inner, f);
        }
    }
}

/// As [`for_each_stmt`], to change them in place.
pub fn for_each_stmt_mut(block: &mut Block, f: &mut impl FnMut(&mut StmtNode)) {
    for node in block {
        f(node);
        for inner in node.kind.blocks_mut() {
            for_each_stmt_mut(inner, f);
        }
    }
}

/// Every canonical loop of `block`, with its depth: the number of canonical loops around it.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text(
///     "fn f(i32 n) -> void {
///          for (i32 i = 0; i < n; i += 1) { if (n) { for (i32 j = 0; j < n; j += 1) {} } }
///      }",
/// )
/// .unwrap();
/// let body = m.functions[m.function_named("f").unwrap()].body.as_ref().unwrap();
/// let mut seen = Vec::new();
/// visit::for_each_loop(&body.block, &mut |l, depth| seen.push((&*body.locals[l.var].name, depth)));
/// assert_eq!(seen, [("i", 0), ("j", 1)]);
/// ```
pub fn for_each_loop<'a>(block: &'a [StmtNode], f: &mut impl FnMut(&'a Loop, usize)) {
    loops_at(block, 0, f);
}

fn loops_at<'a>(block: &'a [StmtNode], depth: usize, f: &mut impl FnMut(&'a Loop, usize)) {
    for node in block {
        let mut inside = depth;
        if let Stmt::For(l) = &node.kind {
            f(l, depth);
            inside += 1;
        }
        for inner in node.kind.blocks() {
            loops_at(inner, inside, f);
        }
    }
}

/// Every expression that the statements of `block` evaluate, operands after the expression that has
/// them, with its use. The base of a place that is part of another has the access of the whole: `s.a[i]
/// = 0` writes `s.a[i]`, `s.a` and `s`; but `p[i] = 0` reads `p`.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text("fn f(i32 n, f64* p) -> void { p[n] = 1.0; }").unwrap();
/// let body = m.functions[m.function_named("f").unwrap()].body.as_ref().unwrap();
/// let mut seen = Vec::new();
/// visit::for_each_expr(body, &body.block, &mut |e, access| {
///     seen.push(format!("{access:?} {}", print::expr(&m, body, e)));
/// });
/// // The pointer and the index are values, made by reading places.
/// assert_eq!(seen, ["Value 1.0", "Write p[n]", "Value p", "Read p", "Value n", "Read n"]);
/// ```
pub fn for_each_expr(body: &Body, block: &[StmtNode], f: &mut impl FnMut(Handle<Expr>, Access)) {
    for_each_stmt(block, &mut |node| {
        for (root, access) in node.kind.operands() {
            walk_expr(body, root, access, f);
        }
    });
}

/// Calls `f` on `root` and every expression below it.
pub fn for_each_operand(exprs: &Arena<Expr>, root: Handle<Expr>, f: &mut impl FnMut(Handle<Expr>)) {
    f(root);
    for operand in exprs[root].kind.operands() {
        for_each_operand(exprs, operand, f);
    }
}

/// The expression and its operands, each with its use, given that the expression itself is used so.
pub fn walk_expr(body: &Body, e: Handle<Expr>, access: Access, f: &mut impl FnMut(Handle<Expr>, Access)) {
    f(e, access);
    let kind = &body.exprs[e].kind;
    for operand in kind.operands() {
        walk_expr(body, operand, operand_access(body, kind, operand, access), f);
    }
}

/// How `kind`, itself used as `access`, uses its operand.
fn operand_access(body: &Body, kind: &ExprKind, operand: Handle<Expr>, access: Access) -> Access {
    match kind {
        ExprKind::Load(_) => Access::Read,
        ExprKind::AddrOf(_) | ExprKind::Decay(_) => Access::Address,
        // A base that is a place is part of the same object; an index and a pointer are values.
        ExprKind::Index { base, .. } if *base == operand && body.exprs[operand].kind.is_place() => access,
        ExprKind::Member { .. } => access,
        ExprKind::Index { .. }
        | ExprKind::Deref(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Cast(_)
        | ExprKind::Select { .. }
        | ExprKind::Checked { .. }
        | ExprKind::Math { .. }
        | ExprKind::Call { .. } => Access::Value,
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Builtin(_) => Access::Value,
    }
}

/// Every place that `block` reads, writes or takes the address of, as a whole: of `s.a[i] = p[j]`, the
/// places `s.a[i]` (written), `i`, `p[j]`, `p` and `j` (read), but not `s` or `s.a`.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text(
///     "struct S { f64 a[4] @0; } size 32 align 8
///      fn f(i32 i, f64* p, struct S s) -> void { s.a[i] += p[2]; }",
/// )
/// .unwrap();
/// let body = m.functions[m.function_named("f").unwrap()].body.as_ref().unwrap();
/// let mut seen = Vec::new();
/// visit::for_each_place(body, &body.block, &mut |e, access| {
///     seen.push(format!("{access:?} {}", print::expr(&m, body, e)));
/// });
/// assert_eq!(seen, ["Read p[2]", "Read p", "ReadWrite s.a[i]", "Read i"]);
/// ```
pub fn for_each_place(body: &Body, block: &[StmtNode], f: &mut impl FnMut(Handle<Expr>, Access)) {
    for_each_stmt(block, &mut |node| {
        for (root, access) in node.kind.operands() {
            walk_places(body, root, access, false, f);
        }
    });
}

/// The places of one expression, as [`for_each_place`] of its statement.
pub fn for_each_place_of(body: &Body, e: Handle<Expr>, f: &mut impl FnMut(Handle<Expr>, Access)) {
    walk_places(body, e, Access::Value, false, f);
}

fn walk_places(
    body: &Body,
    e: Handle<Expr>,
    access: Access,
    part: bool,
    f: &mut impl FnMut(Handle<Expr>, Access),
) {
    let kind = &body.exprs[e].kind;
    let place = kind.is_place();
    if place && !part {
        f(e, access);
    }
    for operand in kind.operands() {
        let inner = operand_access(body, kind, operand, access);
        let part = place && body.exprs[operand].kind.is_place() && is_base(kind, operand);
        walk_places(body, operand, inner, part, f);
    }
}

fn is_base(kind: &ExprKind, operand: Handle<Expr>) -> bool {
    match kind {
        ExprKind::Index { base, .. } | ExprKind::Member { base, .. } => *base == operand,
        _ => false,
    }
}

/// Every use of a local in `block`: in expressions, and where statements and clauses name it.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text(
///     "fn f(i32 n, f64 s) -> void {
///          region parallel private(s) { for (i32 i = 0; i < n; i += 1) loop[reduction(+: s)] {} }
///      }",
/// )
/// .unwrap();
/// let body = m.functions[m.function_named("f").unwrap()].body.as_ref().unwrap();
/// let mut seen = Vec::new();
/// visit::for_each_local(body, &body.block, &mut |l, access| {
///     seen.push(format!("{access:?} {}", body.locals[l].name));
/// });
/// assert_eq!(seen, ["Address s", "Read n", "ReadWrite i", "ReadWrite s"]);
/// ```
pub fn for_each_local(body: &Body, block: &[StmtNode], f: &mut impl FnMut(Handle<Local>, Access)) {
    for_each_stmt(block, &mut |node| for_each_own_local(body, node, f));
}

/// The same for the statement itself, without the statements inside it.
pub fn for_each_own_local(body: &Body, node: &StmtNode, f: &mut impl FnMut(Handle<Local>, Access)) {
    for (root, access) in node.kind.operands() {
        walk_expr(body, root, access, &mut |e, access| {
            if let ExprKind::Local(l) = body.exprs[e].kind {
                f(l, access);
            }
        });
    }
    for (local, access) in node.kind.locals() {
        f(local, access);
    }
}

/// Whether the statements name the local.
pub fn names_local(body: &Body, block: &[StmtNode], local: Handle<Local>) -> bool {
    let mut found = false;
    for_each_local(body, block, &mut |l, _| found |= l == local);
    found
}

/// The locals that `block` writes, in whole or in part, or declares. Not those written through pointers.
pub fn written_locals(body: &Body, block: &[StmtNode]) -> BTreeSet<Handle<Local>> {
    let mut out = BTreeSet::new();
    for_each_local(body, block, &mut |l, access| {
        if access.writes() {
            out.insert(l);
        }
    });
    out
}

/// The locals that `block` reads or takes the address of.
pub fn read_locals(body: &Body, block: &[StmtNode]) -> BTreeSet<Handle<Local>> {
    let mut out = BTreeSet::new();
    for_each_local(body, block, &mut |l, access| {
        if access.reads() || access == Access::Address {
            out.insert(l);
        }
    });
    out
}

/// The value stays the same while the locals in `changed` change: it is made of other locals, and reads no memory.
pub fn is_fixed(body: &Body, e: Handle<Expr>, changed: &BTreeSet<Handle<Local>>) -> bool {
    let mut fixed = true;
    for_each_operand(&body.exprs, e, &mut |e| match body.exprs[e].kind {
        ExprKind::Local(local) => fixed &= !changed.contains(&local),
        ExprKind::Load(place) => fixed &= matches!(body.exprs[place].kind, ExprKind::Local(_)),
        ExprKind::Call { .. } => fixed = false,
        _ => {}
    });
    fixed
}

/// The locals whose declaration stands in `block`, loop headers included.
pub fn declared_locals(block: &[StmtNode]) -> BTreeSet<Handle<Local>> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |node| match &node.kind {
        Stmt::Declare { local, .. } => {
            out.insert(*local);
        }
        Stmt::For(l) if l.declared_here => {
            out.insert(l.var);
        }
        _ => {}
    });
    out
}

/// What a place is part of: the local or global that holds it, or the pointer value it is reached by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Local(Handle<Local>),
    Global(Handle<Global>),
    /// The value that `Deref` or `Index` went through.
    Pointer(Handle<Expr>),
}

/// Follows `Index` and `Member` down to the root of a place; `None` for a value.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text("fn f(f64* p) -> void { f64 t[2][3]; t[1][2] = p[0]; }").unwrap();
/// let body = m.functions[m.function_named("f").unwrap()].body.as_ref().unwrap();
/// let mut roots = Vec::new();
/// visit::for_each_place(body, &body.block, &mut |e, access| {
///     roots.push((access.writes(), visit::root_of(body, e)));
/// });
/// assert!(matches!(roots[0], (false, Some(visit::Root::Pointer(_)))));
/// assert_eq!(roots.last(), Some(&(true, body.local_named("t").map(visit::Root::Local))));
/// ```
pub fn root_of(body: &Body, place: Handle<Expr>) -> Option<Root> {
    match body.exprs[place].kind {
        ExprKind::Local(l) => Some(Root::Local(l)),
        ExprKind::Global(g) => Some(Root::Global(g)),
        ExprKind::Deref(p) => Some(Root::Pointer(p)),
        ExprKind::Member { base, .. } => root_of(body, base),
        ExprKind::Index { base, .. } if body.exprs[base].kind.is_place() => root_of(body, base),
        ExprKind::Index { base, .. } => Some(Root::Pointer(base)),
        _ => None,
    }
}

/// The local that holds a place: `a` of `a[i].x`; `None` through a pointer.
pub fn root_local(body: &Body, place: Handle<Expr>) -> Option<Handle<Local>> {
    match &body.exprs[place].kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Member { base, .. } => root_local(body, *base),
        ExprKind::Index { base, .. } => match &body.exprs[*base].kind {
            ExprKind::Decay(array) => root_local(body, *array),
            _ => root_local(body, *base),
        },
        _ => None,
    }
}

/// Whether two expressions of `body` are the same but for spans: they give the same value if nothing
/// they read changes in between.
pub fn same_expr(body: &Body, a: Handle<Expr>, b: Handle<Expr>) -> bool {
    if a == b {
        return true;
    }
    let (x, y) = (&body.exprs[a], &body.exprs[b]);
    if x.ty != y.ty {
        return false;
    }
    let same = |a: &Handle<Expr>, b: &Handle<Expr>| same_expr(body, *a, *b);
    let all = |a: &[Handle<Expr>], b: &[Handle<Expr>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
    };
    match (&x.kind, &y.kind) {
        (ExprKind::Member { base: a, field: f }, ExprKind::Member { base: b, field: g }) => {
            f == g && same(a, b)
        }
        (ExprKind::Unary { op: o, operand: a }, ExprKind::Unary { op: p, operand: b }) => {
            o == p && same(a, b)
        }
        (ExprKind::Binary { op: o, left: a, right: c }, ExprKind::Binary { op: p, left: b, right: d }) => {
            o == p && same(a, b) && same(c, d)
        }
        (ExprKind::Math { fun: f, args: a }, ExprKind::Math { fun: g, args: b }) => f == g && all(a, b),
        (ExprKind::Call { function: f, args: a }, ExprKind::Call { function: g, args: b }) => {
            f == g && all(a, b)
        }
        (ExprKind::Index { base: a, index: i }, ExprKind::Index { base: b, index: j }) => {
            same(a, b) && same(i, j)
        }
        (ExprKind::Select { cond: a, yes: b, no: c }, ExprKind::Select { cond: d, yes: e, no: f }) => {
            same(a, d) && same(b, e) && same(c, f)
        }
        (ExprKind::Deref(a), ExprKind::Deref(b))
        | (ExprKind::Load(a), ExprKind::Load(b))
        | (ExprKind::AddrOf(a), ExprKind::AddrOf(b))
        | (ExprKind::Decay(a), ExprKind::Decay(b))
        | (ExprKind::Cast(a), ExprKind::Cast(b)) => same(a, b),
        (a, b) => a == b,
    }
}

/// Calls `f` on every expression of the block, with repetition where handles are shared.
pub fn all_exprs(exprs: &Arena<Expr>, block: &[StmtNode], f: &mut impl FnMut(Handle<Expr>)) {
    for_each_stmt(block, &mut |node| {
        for (root, _) in node.kind.operands() {
            for_each_operand(exprs, root, f);
        }
    });
}

/// The `for` loops directly in a block, not those inside other loops; plain blocks and `if`s are looked
/// through.
pub fn top_loops(block: &[StmtNode]) -> Vec<&Loop> {
    let mut found = vec![];
    for node in block {
        match &node.kind {
            Stmt::For(l) => found.push(&**l),
            other => other.blocks().into_iter().for_each(|b| found.extend(top_loops(b))),
        }
    }
    found
}

/// The variables of all `for` loops.
pub fn loop_variables(block: &[StmtNode]) -> BTreeSet<Handle<Local>> {
    let mut found = BTreeSet::new();
    for_each_stmt(block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            found.insert(l.var);
        }
    });
    found
}

/// The only statement of a block; plain blocks around it and empty ones beside it are ignored.
pub fn only_stmt(block: &[StmtNode]) -> Option<&StmtNode> {
    match block {
        [one] => match &one.kind {
            Stmt::Block(inner) => only_stmt(inner),
            _ => Some(one),
        },
        _ => None,
    }
}

/// The loop that makes up the whole block.
pub fn only_loop(block: &[StmtNode]) -> Option<&Loop> {
    match &only_stmt(block)?.kind {
        Stmt::For(l) => Some(l),
        _ => None,
    }
}
