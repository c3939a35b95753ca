//! Loops whose iterations are spread over threads, gangs or intervals.

use crate::build::{Builder, declare, if_then};
use crate::outline::trips::{is_up, is_wide_unsigned};
use accl_ir::{
    BinaryOp, Block, Body, Builtin, Compare, Expr, ExprKind, Handle, Loop, LoopLevels, Stmt, StmtNode,
    TypeKind, Types,
};

/// A loop that starts at iteration `first` and advances by `stride` iterations.
pub fn strided(
    b: &mut Builder<'_>,
    l: &Loop,
    first: Handle<Expr>,
    stride: Handle<Expr>,
    body: Block,
) -> Loop {
    let lower = offset(b, l, first);
    let ty = b.body.locals[l.var].ty;
    let stride = b.cast(stride, ty);
    let step = b.mul(stride, l.step);
    let compare = directed(b, l);
    Loop {
        lower,
        step: b.cast(step, ty),
        compare,
        declared_here: true,
        body,
        levels: Some(LoopLevels::default()),
        directive: None,
        ..shell(l)
    }
}

/// `lower + iteration * step` in the loop variable's type.
pub fn offset(b: &mut Builder<'_>, l: &Loop, iteration: Handle<Expr>) -> Handle<Expr> {
    let ty = b.body.locals[l.var].ty;
    let work = if narrow(b, l) { b.types.i32() } else { ty };
    let iteration = b.cast(iteration, work);
    let advanced = b.mul(iteration, l.step);
    let value = b.add(l.lower, advanced);
    b.cast(value, ty)
}

/// The one iteration `iteration` of a loop, if there is one: `T i = lower + iteration * step; if (i < bound) body`.
pub fn single(b: &mut Builder<'_>, l: &Loop, iteration: Handle<Expr>, body: Block) -> Block {
    let compare = directed(b, l);
    if !narrow(b, l) {
        let init = offset(b, l, iteration);
        let var = b.load(l.var);
        let inside = b.binary(compare.operator(), var, l.bound);
        return vec![declare(l.var, Some(init)), if_then(inside, body)];
    }
    // A variable narrower than int would wrap around before it passes the bound.
    let int = b.types.i32();
    let advanced = b.mul(iteration, l.step);
    let wide = b.add(l.lower, advanced);
    let wide = b.cast(wide, int);
    let inside = b.binary(compare.operator(), wide, l.bound);
    let ty = b.body.locals[l.var].ty;
    let init = b.cast(wide, ty);
    let mut inner = vec![declare(l.var, Some(init))];
    inner.extend(body);
    vec![if_then(inside, inner)]
}

/// A copy of everything but the body, which is empty.
pub fn shell(l: &Loop) -> Loop {
    Loop {
        var: l.var,
        declared_here: l.declared_here,
        lower: l.lower,
        compare: l.compare,
        bound: l.bound,
        step: l.step,
        body: vec![],
        directive: l.directive.clone(),
        levels: l.levels.clone(),
    }
}

fn narrow(b: &Builder<'_>, l: &Loop) -> bool {
    match b.types.kind(b.body.locals[l.var].ty) {
        TypeKind::Int { bits, .. } => *bits < 32,
        _ => false,
    }
}

/// `!=` says nothing once iterations are skipped; the step tells the direction.
pub fn directed(b: &Builder<'_>, l: &Loop) -> Compare {
    match l.compare {
        Compare::Ne if b.as_int(l.step).is_some_and(|s| s < 0) => Compare::Gt,
        Compare::Ne => Compare::Lt,
        Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge => l.compare,
    }
}

/// `index * extent + inner` of builtins, in the loop variable's width.
pub fn linear(
    b: &mut Builder<'_>,
    l: &Loop,
    index: Builtin,
    extent: Builtin,
    inner: Builtin,
) -> Handle<Expr> {
    let outer = b.builtin(index);
    let outer = widen(b, l, outer);
    let extent = b.builtin(extent);
    let inner = b.builtin(inner);
    let start = b.mul(outer, extent);
    b.add(start, inner)
}

/// To 64 bits where the loop counts in 64 bits.
pub fn widen(b: &mut Builder<'_>, l: &Loop, e: Handle<Expr>) -> Handle<Expr> {
    match *b.types.kind(b.body.locals[l.var].ty) {
        TypeKind::Int { bits: 64, .. } => {
            let long = b.types.int(64, true);
            b.cast(e, long)
        }
        _ => e,
    }
}

/// A `for` statement at the place of the loop it was made from.
pub fn for_at(l: Loop, span: accl_source::Span) -> StmtNode {
    StmtNode { kind: Stmt::For(Box::new(l)), span }
}

/// The trip count as a long, never negative.
pub fn trips(b: &mut Builder<'_>, l: &Loop) -> Handle<Expr> {
    let long = b.types.int(64, true);
    let known = b.as_int(l.step);
    let up = is_up(l.compare, known);
    let (low, high) = if up { (l.lower, l.bound) } else { (l.bound, l.lower) };
    let inclusive = matches!(l.compare, Compare::Le | Compare::Ge);
    let op = if inclusive { BinaryOp::Ge } else { BinaryOp::Gt };
    let compared = is_wide_unsigned(b.types, b.body, l).then(|| b.binary(op, high, low));
    let (low, high) = (b.cast(low, long), b.cast(high, long));
    let distance = b.binary(BinaryOp::Sub, high, low);
    let step = b.cast(l.step, long);
    let zero = b.int(0, long);
    let stride = match known {
        Some(step) => b.int(step.abs(), long),
        None if up => step,
        None => b.binary(BinaryOp::Sub, zero, step),
    };
    // With `<` the loop stops one iteration before where it would with `<=`.
    let single = matches!(known, Some(1 | -1));
    let (count, some) = match (single, inclusive) {
        (true, false) => (distance, b.binary(BinaryOp::Gt, distance, zero)),
        _ => {
            let short = b.int(i128::from(!inclusive), long);
            let last = b.binary(BinaryOp::Sub, distance, short);
            let steps = b.binary(BinaryOp::Div, last, stride);
            let one = b.int(1, long);
            (b.add(steps, one), b.binary(BinaryOp::Ge, last, zero))
        }
    };
    let some = compared.unwrap_or(some);
    b.expr(ExprKind::Select { cond: some, yes: count, no: zero }, long)
}

/// The loop counts by one, in int or a signed 64-bit type, to a bound of the same type.
pub fn counts_up_by_one(types: &Types, body: &Body, l: &Loop) -> bool {
    let ty = body.locals[l.var].ty;
    let signed = matches!(types.kind(ty), TypeKind::Int { bits: 32 | 64, signed: true });
    signed
        && body.exprs[l.bound].ty == ty
        && body.const_int(types, l.step) == Some(1)
        && matches!(l.compare, Compare::Lt | Compare::Le | Compare::Ne)
}
