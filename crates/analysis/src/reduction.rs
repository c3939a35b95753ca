//! Scalar reductions in plain code: `s += e`, `s = fmax(s, e)`, `if (e > s) s = e`.

use crate::scalars::place_local;
use crate::walk;
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, MathFn, ReductionOp, Stmt, StmtNode, visit,
};

/// The operator, if every use of `local` in the block is an update by one and the same.
pub fn recognise(body: &Body, block: &Block, local: Handle<Local>) -> Option<ReductionOp> {
    let mut op = None;
    in_block(body, block, local, &mut op).then_some(op)?
}

fn in_block(body: &Body, block: &Block, local: Handle<Local>, op: &mut Option<ReductionOp>) -> bool {
    block.iter().all(|node| in_stmt(body, node, local, op))
}

fn in_stmt(body: &Body, node: &StmtNode, local: Handle<Local>, op: &mut Option<ReductionOp>) -> bool {
    if !stmt_mentions(body, node, local) {
        return true;
    }
    let found = match &node.kind {
        Stmt::Store { place, op: operator, value } if place_local(body, *place) == Some(local) => {
            update(body, local, *operator, *value)
        }
        Stmt::If { cond, then, otherwise } if otherwise.is_empty() => {
            match extremum(body, local, *cond, then) {
                Some(found) => Some(found),
                None => return !mentions(body, *cond, local) && in_block(body, then, local, op),
            }
        }
        // A clause of an inner loop names the same reduction.
        Stmt::For(l) => {
            if l.var == local || [l.lower, l.bound, l.step].iter().any(|e| mentions(body, *e, local)) {
                return false;
            }
            return in_block(body, &l.body, local, op);
        }
        other => {
            let own = walk::uses(other).into_iter().any(|u| mentions(body, u.expr(), local));
            return !own && other.blocks().into_iter().all(|b| in_block(body, b, local, op));
        }
    };
    match (found, *op) {
        (Some(found), None) => {
            *op = Some(found);
            true
        }
        (Some(found), Some(known)) => found == known,
        (None, _) => false,
    }
}

fn stmt_mentions(body: &Body, node: &StmtNode, local: Handle<Local>) -> bool {
    let own = walk::uses(&node.kind).into_iter().any(|u| mentions(body, u.expr(), local));
    own || node.kind.locals().iter().any(|(l, _)| *l == local)
        || node.kind.blocks().into_iter().flatten().any(|n| stmt_mentions(body, n, local))
}

fn mentions(body: &Body, e: Handle<Expr>, local: Handle<Local>) -> bool {
    accl_ir::rewrite::mentions(body, e, local)
}

fn update(
    body: &Body,
    local: Handle<Local>,
    op: Option<BinaryOp>,
    value: Handle<Expr>,
) -> Option<ReductionOp> {
    if let Some(op) = op {
        return (!mentions(body, value, local)).then(|| of_operator(op))?;
    }
    match &body.exprs[uncast(body, value)].kind {
        ExprKind::Binary { op, left, right } => {
            let kept = if *op == BinaryOp::Sub { ReductionOp::Add } else { of_operator(*op)? };
            let left_is = is_read(body, *left, local) && !mentions(body, *right, local);
            let right_is = is_read(body, *right, local) && !mentions(body, *left, local);
            (left_is || right_is && *op != BinaryOp::Sub).then_some(kept)
        }
        ExprKind::Math { fun, args } => {
            let op = match fun {
                MathFn::Fmax | MathFn::Max => ReductionOp::Max,
                MathFn::Fmin | MathFn::Min => ReductionOp::Min,
                _ => return None,
            };
            let [a, b] = args.as_slice() else { return None };
            let one = is_read(body, *a, local) && !mentions(body, *b, local);
            let other = is_read(body, *b, local) && !mentions(body, *a, local);
            (one || other).then_some(op)
        }
        ExprKind::Select { cond, yes, no } => selected(body, local, *cond, *yes, *no),
        _ => None,
    }
}

fn of_operator(op: BinaryOp) -> Option<ReductionOp> {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Some(ReductionOp::Add),
        BinaryOp::Mul => Some(ReductionOp::Mul),
        BinaryOp::BitAnd => Some(ReductionOp::BitAnd),
        BinaryOp::BitOr => Some(ReductionOp::BitOr),
        BinaryOp::BitXor => Some(ReductionOp::BitXor),
        BinaryOp::LogicalAnd => Some(ReductionOp::LogicalAnd),
        BinaryOp::LogicalOr => Some(ReductionOp::LogicalOr),
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => None,
    }
}

/// `if (e > s) s = e;`
fn extremum(body: &Body, local: Handle<Local>, cond: Handle<Expr>, then: &Block) -> Option<ReductionOp> {
    let [StmtNode { kind: Stmt::Store { place, op: None, value }, .. }] = then.as_slice() else {
        return None;
    };
    if place_local(body, *place) != Some(local) || mentions(body, *value, local) {
        return None;
    }
    compare_with(body, local, cond, *value)
}

/// `s = e > s ? e : s`, or the other way round.
fn selected(
    body: &Body,
    local: Handle<Local>,
    cond: Handle<Expr>,
    yes: Handle<Expr>,
    no: Handle<Expr>,
) -> Option<ReductionOp> {
    if is_read(body, no, local) && !mentions(body, yes, local) {
        return compare_with(body, local, cond, yes);
    }
    if is_read(body, yes, local) && !mentions(body, no, local) {
        let other = compare_with(body, local, cond, no)?;
        return Some(if other == ReductionOp::Max { ReductionOp::Min } else { ReductionOp::Max });
    }
    None
}

/// The extremum that keeps `value` where `cond`, a comparison of it with the local, holds.
fn compare_with(
    body: &Body,
    local: Handle<Local>,
    cond: Handle<Expr>,
    value: Handle<Expr>,
) -> Option<ReductionOp> {
    let ExprKind::Binary { op, left, right } = body.exprs[uncast(body, cond)].kind else { return None };
    let greater = match op {
        BinaryOp::Gt | BinaryOp::Ge => true,
        BinaryOp::Lt | BinaryOp::Le => false,
        _ => return None,
    };
    let same = |e| visit::same_expr(body, uncast(body, e), uncast(body, value));
    let value_first = same(left) && is_read(body, right, local);
    let local_first = is_read(body, left, local) && same(right);
    match (value_first, local_first) {
        (true, _) => Some(if greater { ReductionOp::Max } else { ReductionOp::Min }),
        (_, true) => Some(if greater { ReductionOp::Min } else { ReductionOp::Max }),
        _ => None,
    }
}

fn is_read(body: &Body, e: Handle<Expr>, local: Handle<Local>) -> bool {
    match body.exprs[uncast(body, e)].kind {
        ExprKind::Load(place) => body.exprs[place].kind == ExprKind::Local(local),
        _ => false,
    }
}

fn uncast(body: &Body, e: Handle<Expr>) -> Handle<Expr> {
    match body.exprs[e].kind {
        ExprKind::Cast(inner) => uncast(body, inner),
        _ => e,
    }
}
