//! What a condition says about a loop variable.
//!
//! `if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i + 1];` touches `x[0]` to `x[n - 1]`, not one more on either side.
//! Only comparisons of the variable itself with something that differs from the loop's bound by a constant count.

use crate::affine::{Atom, Poly, Polys};
use accl_ir::{BinaryOp, Expr, ExprKind, Handle, Local, UnaryOp};

/// Narrows the variable's smallest and largest value to the range in which `cond` has the value `holds`.
pub fn tighten(
    polys: &Polys<'_>,
    cond: Handle<Expr>,
    holds: bool,
    var: Handle<Local>,
    first: &mut Poly,
    last: &mut Poly,
) {
    match polys.scope.body.exprs[cond].kind {
        ExprKind::Cast(inner) => tighten(polys, inner, holds, var, first, last),
        ExprKind::Unary { op: UnaryOp::Not, operand } => tighten(polys, operand, !holds, var, first, last),
        ExprKind::Binary { op: BinaryOp::LogicalAnd, left, right } if holds => {
            tighten(polys, left, holds, var, first, last);
            tighten(polys, right, holds, var, first, last);
        }
        ExprKind::Binary { op: BinaryOp::LogicalOr, left, right } if !holds => {
            tighten(polys, left, holds, var, first, last);
            tighten(polys, right, holds, var, first, last);
        }
        ExprKind::Binary { op, left, right } => {
            let op = if holds { Some(op) } else { negated(op) };
            let difference = polys.poly(left).plus(&polys.poly(right), -1);
            if let (Some(op), Some((coefficient, rest))) = (op, difference.split(Atom::Local(var))) {
                compare(op, &coefficient, &rest, first, last);
            }
        }
        _ => {}
    }
}

/// `coefficient · var + rest op 0`
fn compare(op: BinaryOp, coefficient: &Poly, rest: &Poly, first: &mut Poly, last: &mut Poly) {
    let zero = Poly::default();
    let (op, value) = match coefficient.as_constant() {
        Some(1) => (op, zero.plus(rest, -1)),
        Some(-1) => (mirrored(op), rest.clone()),
        _ => return,
    };
    let beside = |d: i128| value.plus(&Poly::constant(d), 1);
    match op {
        BinaryOp::Gt => raise(first, beside(1)),
        BinaryOp::Ge => raise(first, value),
        BinaryOp::Lt => lower(last, beside(-1)),
        BinaryOp::Le => lower(last, value),
        BinaryOp::Eq => {
            raise(first, value.clone());
            lower(last, value);
        }
        BinaryOp::Ne if *first == value => *first = beside(1),
        BinaryOp::Ne if *last == value => *last = beside(-1),
        _ => {}
    }
}

fn raise(first: &mut Poly, to: Poly) {
    if to.plus(first, -1).as_constant().is_some_and(|d| d > 0) {
        *first = to;
    }
}

fn lower(last: &mut Poly, to: Poly) {
    if to.plus(last, -1).as_constant().is_some_and(|d| d < 0) {
        *last = to;
    }
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        _ => return None,
    })
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
