//! Loops whose iterations are spread over threads, gangs or intervals.

use crate::build::{Builder, declare, if_then};
use crate::outline::trips::is_far;
use accl_ir::trips::{Calculator, Range, iterations};
use accl_ir::{
    BinaryOp, Block, Body, Builtin, Compare, Expr, ExprKind, Handle, Loop, LoopLevels, Stmt, StmtNode, Type,
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
    let work = match is_far(b.types, b.body, l) {
        // Products with a large step pass the largest value on their way.
        true => b.types.int(64, false),
        false if narrow(b, l) => b.types.i32(),
        false => ty,
    };
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
    let far = is_far(b.types, b.body, l);
    let (long, ty) = (b.types.int(64, true), b.types.int(64, !far));
    let range = Range { lower: &l.lower, compare: l.compare, bound: &l.bound, step: &l.step };
    let count = iterations(&mut Expressions { b, ty, far }, &range);
    b.cast(count, long)
}

/// Counts iterations in a type of 64 bits.
struct Expressions<'b, 'a> {
    b: &'b mut Builder<'a>,
    ty: Handle<Type>,
    /// Numbers of 64 bits are compared as the loop compares them.
    far: bool,
}

impl Calculator for Expressions<'_, '_> {
    type Value = Handle<Expr>;

    fn constant(&mut self, n: i128) -> Handle<Expr> {
        self.b.int(n, self.ty)
    }

    fn known(&self, e: &Handle<Expr>) -> Option<i128> {
        self.b.as_int(*e)
    }

    fn widened(&mut self, e: &Handle<Expr>) -> Handle<Expr> {
        self.b.cast(*e, self.ty)
    }

    fn binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Expr> {
        self.b.binary(op, left, right)
    }

    fn compare(&mut self, op: BinaryOp, left: &Handle<Expr>, right: &Handle<Expr>) -> Handle<Expr> {
        let [left, right] =
            if self.far { [*left, *right] } else { [self.widened(left), self.widened(right)] };
        self.b.binary(op, left, right)
    }

    fn select(&mut self, cond: Handle<Expr>, yes: Handle<Expr>, no: Handle<Expr>) -> Handle<Expr> {
        self.b.expr(ExprKind::Select { cond, yes, no }, self.ty)
    }
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
