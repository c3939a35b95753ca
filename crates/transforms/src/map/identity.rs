//! Identity elements of reductions, and applying their operators.

use crate::build::{Builder, declare, store};
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, MathFn, ReductionOp, StmtNode, Type, TypeKind,
    Types,
};

/// The neutral element of the operator: what private accumulators start from (OpenACC 3.3 §2.5.15).
pub fn of(types: &Types, body: &mut Body, op: ReductionOp, ty: Handle<Type>) -> Handle<Expr> {
    match *types.kind(ty) {
        TypeKind::Float { .. } => {
            let x = match op {
                ReductionOp::Mul | ReductionOp::LogicalAnd => 1.0,
                ReductionOp::Max => f64::NEG_INFINITY,
                ReductionOp::Min => f64::INFINITY,
                ReductionOp::Add
                | ReductionOp::BitAnd
                | ReductionOp::BitOr
                | ReductionOp::BitXor
                | ReductionOp::LogicalOr => 0.0,
            };
            body.float(x, ty)
        }
        TypeKind::Int { bits, signed } => {
            let n = integer(op, u32::from(bits), signed);
            body.int(n, ty)
        }
        _ => {
            let n = integer(op, 1, false);
            body.int(n, ty)
        }
    }
}

fn integer(op: ReductionOp, bits: u32, signed: bool) -> i128 {
    let (low, high) =
        if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    match op {
        ReductionOp::Add | ReductionOp::BitOr | ReductionOp::BitXor | ReductionOp::LogicalOr => 0,
        ReductionOp::Mul | ReductionOp::LogicalAnd => 1,
        ReductionOp::Max => low,
        ReductionOp::Min => high,
        ReductionOp::BitAnd => {
            if signed {
                -1
            } else {
                high
            }
        }
    }
}

/// Saves a variable that is to be reduced, and sets it to the identity. Returns what holds its value from before.
pub fn start(b: &mut Builder<'_>, op: ReductionOp, local: Handle<Local>, out: &mut Block) -> Handle<Local> {
    let ty = b.body.locals[local].ty;
    let name = format!("{}_before", b.body.locals[local].name);
    let before = b.body.temp(&name, ty);
    let value = b.load(local);
    out.push(declare(before, Some(value)));
    let identity = of(b.types, b.body, op, ty);
    let place = b.place(local);
    out.push(store(place, identity));
    before
}

/// Combines what a variable had before with what it was reduced to.
pub fn finish(b: &mut Builder<'_>, op: ReductionOp, local: Handle<Local>, before: Handle<Local>) -> StmtNode {
    let (left, right) = (b.load(before), b.load(local));
    let total = combine(b, op, left, right);
    let place = b.place(local);
    store(place, total)
}

/// `left op right`.
pub fn combine(
    b: &mut Builder<'_>,
    op: ReductionOp,
    left: Handle<Expr>,
    right: Handle<Expr>,
) -> Handle<Expr> {
    let ty = b.ty(left);
    let float = b.types.is_float(ty);
    let binary = |b: &mut Builder<'_>, op| b.expr(ExprKind::Binary { op, left, right }, ty);
    let math = |b: &mut Builder<'_>, fun| b.expr(ExprKind::Math { fun, args: vec![left, right] }, ty);
    match op {
        ReductionOp::Add => binary(b, BinaryOp::Add),
        ReductionOp::Mul => binary(b, BinaryOp::Mul),
        ReductionOp::BitAnd => binary(b, BinaryOp::BitAnd),
        ReductionOp::BitOr => binary(b, BinaryOp::BitOr),
        ReductionOp::BitXor => binary(b, BinaryOp::BitXor),
        ReductionOp::Max => math(b, if float { MathFn::Fmax } else { MathFn::Max }),
        ReductionOp::Min => math(b, if float { MathFn::Fmin } else { MathFn::Min }),
        ReductionOp::LogicalAnd => logical(b, BinaryOp::LogicalAnd, left, right, ty),
        ReductionOp::LogicalOr => logical(b, BinaryOp::LogicalOr, left, right, ty),
    }
}

fn logical(
    b: &mut Builder<'_>,
    op: BinaryOp,
    left: Handle<Expr>,
    right: Handle<Expr>,
    ty: Handle<Type>,
) -> Handle<Expr> {
    let int = b.types.i32();
    let value = b.expr(ExprKind::Binary { op, left, right }, int);
    b.cast(value, ty)
}
