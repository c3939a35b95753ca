//! Neighbouring iterations of a thread write neighbouring elements with one 16-byte access.
//!
//! ```text
//! for (int k = 0; k < 4; k++) {
//!     int i = i_first + k;
//!     if (i <= last) {
//!         if (j_first >= lower && j_first + 3 <= last_j && (i * m + j_first) % 4 == 0) { float part[4]; …; b[i * m + j_first…] = part; }
//!         else for (int k = 0; k < 4; k++) { int j = j_first + k; if (…) b[i * m + j] = … }
//!     }
//! }
//! ```

use super::emit::{Axis, ThreadTile};
use crate::build::{Builder, declare, if_then, node, store};
use accl_ir::rewrite::{Subst, mentions};
use accl_ir::{
    ArrayLen, BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Stmt, StmtNode, Type, TypeKind, Types,
};

type Value = Handle<Expr>;

/// How many numbers fill 16 bytes.
pub fn numbers(types: &Types, ty: Handle<Type>) -> Option<u32> {
    match types.kind(ty) {
        TypeKind::Int { bits: 32, .. } | TypeKind::Float { bits: 32 } => Some(4),
        TypeKind::Int { bits: 64, .. } | TypeKind::Float { bits: 64 } => Some(2),
        _ => None,
    }
}

/// The block for the iterations up to `last`, where it consists of one such write.
pub fn written(of: &ThreadTile, b: &mut Builder<'_>, block: &Block, last: &[Value]) -> Option<StmtNode> {
    let [StmtNode { kind: Stmt::Store { place, op: None, value }, .. }] = block.as_slice() else {
        return None;
    };
    let (x, rows) = of.axes.split_first()?;
    let n = numbers(b.types, b.ty(*place)).filter(|n| of.vectors && *n == x.width)?;
    let ExprKind::Index { base, index } = b.body.exprs[*place].kind else { return None };
    if !is_contiguous(b.body, *place, x.var) || !begins_whole(b, base, n) {
        return None;
    }
    let int = b.types.i32();
    let copies: Vec<Handle<Local>> = rows.iter().map(|axis| copy(b, axis.var)).collect();
    let ks: Vec<Handle<Local>> = rows.iter().map(|_| b.body.temp("k", int)).collect();
    let (mut declared, mut tests) = (vec![], vec![]);
    for (d, axis) in rows.iter().enumerate() {
        let value = of.iteration(b, *axis, ks[d]);
        declared.push(declare(copies[d], Some(value)));
        let at = b.load(copies[d]);
        tests.push(b.binary(BinaryOp::Le, at, last[d + 1]));
    }
    // The block with `column` substituted for x.
    let with = |b: &mut Builder<'_>, k: Handle<Local>, column: Handle<Local>, e: Value| {
        let all: Vec<Handle<Local>> = std::iter::once(k).chain(ks.iter().copied()).collect();
        let mut cloner = of.cloner(b, block, &all);
        cloner.replace(x.var, Subst::Local(column));
        rows.iter().zip(&copies).for_each(|(axis, copy)| {
            cloner.replace(axis.var, Subst::Local(*copy));
        });
        cloner.expr_within(b.body, e)
    };
    let column = |b: &mut Builder<'_>, k: Handle<Local>| {
        let at = copy(b, x.var);
        let value = of.iteration(b, *x, k);
        (at, declare(at, Some(value)))
    };

    let (k, ty) = (b.body.temp("k", int), b.types.array(b.ty(*place), n.into()));
    let (part, (at, declaration)) = (b.body.temp("part", ty), column(b, k));
    let number = with(b, k, at, *value);
    let index_of = b.load(k);
    let element = b.index_local(part, index_of)?;
    let filled = b.counted(k, n, vec![declaration, store(element, number)]);
    let (first, begin) = (with(b, k, x.first, *place), with(b, k, x.first, index));
    let whole =
        vec![declare(part, None), filled, node(Stmt::VectorStore { dst: first, src: part, n: n as u8 })];

    let k = b.body.temp("k", int);
    let (at, declaration) = column(b, k);
    let (to, number, inside) =
        (with(b, k, at, *place), with(b, k, at, *value), inside(b, x, at, at, last[0]));
    let single = vec![b.counted(k, n, vec![declaration, if_then(inside, vec![store(to, number)])])];

    let cond = all_inside(b, x, begin, last[0], n);
    let mut body = vec![node(Stmt::If { cond, then: whole, otherwise: single })];
    if let Some(test) = tests.into_iter().reduce(|left, right| b.binary(BinaryOp::LogicalAnd, left, right)) {
        body = vec![if_then(test, body)];
    }
    declared.extend(body);
    body = declared;
    for (axis, k) in rows.iter().zip(&ks) {
        body = vec![b.counted(*k, axis.width, body)];
    }
    match <[StmtNode; 1]>::try_from(body) {
        Ok([one]) => Some(one),
        Err(block) => Some(node(Stmt::Block(block))),
    }
}

/// A parameter's array, or a row of one whose rows are multiples of the access.
fn begins_whole(b: &Builder<'_>, base: Value, n: u32) -> bool {
    match b.body.exprs[base].kind {
        ExprKind::Load(place) => matches!(b.body.exprs[place].kind, ExprKind::Local(_)),
        ExprKind::Index { base: outer, .. } => {
            let row = match b.types.kind(b.ty(base)) {
                TypeKind::Array { len: ArrayLen::Const(len), .. } => Some(*len),
                _ => None,
            };
            row.is_some_and(|len| len.is_multiple_of(n.into())) && begins_whole(b, outer, n)
        }
        _ => false,
    }
}

fn copy(b: &mut Builder<'_>, local: Handle<Local>) -> Handle<Local> {
    let (name, ty) = (b.body.locals[local].name.clone(), b.body.locals[local].ty);
    b.body.temp(&name, ty)
}

/// `from >= lower && to <= last`
fn inside(b: &mut Builder<'_>, axis: &Axis, from: Handle<Local>, to: Handle<Local>, last: Value) -> Value {
    let to = b.load(to);
    let below = b.binary(BinaryOp::Le, to, last);
    after_lower(b, axis, from, below)
}

fn after_lower(b: &mut Builder<'_>, axis: &Axis, from: Handle<Local>, and: Value) -> Value {
    let Some(lower) = axis.lower else { return and };
    let from = b.load(from);
    let above = b.binary(BinaryOp::Ge, from, lower);
    b.binary(BinaryOp::LogicalAnd, above, and)
}

/// The thread has all its iterations, and the access is aligned.
fn all_inside(b: &mut Builder<'_>, axis: &Axis, begin: Value, last: Value, n: u32) -> Value {
    let ty = b.body.locals[axis.first].ty;
    let (first, more) = (b.load(axis.first), b.int(i128::from(n) - 1, ty));
    let end = b.add(first, more);
    let below = b.binary(BinaryOp::Le, end, last);
    let (numbers, zero) = (b.int(n.into(), b.ty(begin)), b.int(0, b.ty(begin)));
    let over = b.binary(BinaryOp::Rem, begin, numbers);
    let aligned = b.binary(BinaryOp::Eq, over, zero);
    let both = b.binary(BinaryOp::LogicalAnd, below, aligned);
    after_lower(b, axis, axis.first, both)
}

/// Neighbouring iterations access neighbouring elements.
pub fn is_contiguous(body: &Body, place: Value, var: Handle<Local>) -> bool {
    let ExprKind::Index { base, index } = body.exprs[place].kind else { return false };
    !mentions(body, base, var) && advances(body, index, var)
}

/// `e` increases by one with the variable.
pub fn advances(body: &Body, e: Value, var: Handle<Local>) -> bool {
    match body.exprs[e].kind {
        ExprKind::Load(place) => body.exprs[place].kind == ExprKind::Local(var),
        ExprKind::Cast(inner) => advances(body, inner, var),
        ExprKind::Binary { op: BinaryOp::Add, left, right } => {
            let (left_has, right_has) = (mentions(body, left, var), mentions(body, right, var));
            left_has != right_has && advances(body, if left_has { left } else { right }, var)
        }
        ExprKind::Binary { op: BinaryOp::Sub, left, right } => {
            !mentions(body, right, var) && advances(body, left, var)
        }
        _ => false,
    }
}
