//! Subscripts of type int, for launches whose arrays are shorter than 2 GiB.
//!
//! `power[(long)r * n + c]` with elements of four bytes or more has a subscript below 2^29, so the sum can be
//! computed in int. That takes half the instructions, and gives the same expressions as the subscripts of the
//! copies, which compilers then compute once.

use crate::build::Builder;
use accl_ir::{BinaryOp, Block, Expr, ExprKind, Handle, TypeKind, rewrite};

pub fn subscripts(b: &mut Builder<'_>, block: &mut Block) {
    let types = &mut *b.types;
    rewrite::rewrite_exprs(b.body, block, &mut |body, e| {
        let ExprKind::Index { base, index } = body.exprs[e].kind else { return e };
        let large = types.size_of(body.exprs[e].ty).is_some_and(|n| n >= 4);
        let sum = matches!(body.exprs[index].kind, ExprKind::Binary { .. });
        let mut b = Builder { types: &mut *types, body: &mut *body };
        let narrowed = (large && sum).then(|| narrowed(&mut b, index)).flatten();
        match narrowed {
            Some(index) => {
                let ty = b.ty(e);
                b.expr(ExprKind::Index { base, index }, ty)
            }
            None => e,
        }
    });
}

/// A sum of products of values that were widened for it, without the widening.
fn narrowed(b: &mut Builder<'_>, e: Handle<Expr>) -> Option<Handle<Expr>> {
    let int = |b: &Builder<'_>, e| matches!(b.types.kind(b.ty(e)), TypeKind::Int { bits: 32, signed: true });
    match b.body.exprs[e].kind {
        ExprKind::Cast(inner) if int(b, inner) => Some(inner),
        ExprKind::Int(n) if i32::try_from(n).is_ok() => {
            let ty = b.types.i32();
            Some(b.int(n, ty))
        }
        // Each operand of a difference could be larger than an int.
        ExprKind::Binary { op: BinaryOp::Sub, right, .. } if b.as_int(right).is_none() => None,
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right } => {
            let (left, right) = (narrowed(b, left)?, narrowed(b, right)?);
            Some(b.binary(op, left, right))
        }
        _ if int(b, e) => Some(e),
        _ => None,
    }
}
