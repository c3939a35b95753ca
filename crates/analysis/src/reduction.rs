//! Scalar reductions in plain code: `s += e`, `s = fmax(s, e)`, `if (e > s) s = e`.

use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, MathFn, ReductionOp, Stmt, StmtNode, visit,
};
use std::collections::BTreeMap;

/// For each local that the block mentions its operator, if every use of the local is an update by that one
/// operator.
pub fn recognise_all(body: &Body, block: &Block) -> BTreeMap<Handle<Local>, Option<ReductionOp>> {
    let mut found = Recogniser { body, updates: BTreeMap::new() };
    found.block(block);
    let settled = |u: Updates| if u.broken { None } else { u.op };
    found.updates.into_iter().map(|(l, u)| (l, settled(u))).collect()
}

#[derive(Clone, Copy, Default)]
struct Updates {
    op: Option<ReductionOp>,
    /// Used otherwise.
    broken: bool,
}

struct Recogniser<'b> {
    body: &'b Body,
    updates: BTreeMap<Handle<Local>, Updates>,
}

impl Recogniser<'_> {
    fn block(&mut self, block: &Block) {
        block.iter().for_each(|node| self.stmt(node));
    }

    fn stmt(&mut self, node: &StmtNode) {
        let body = self.body;
        match &node.kind {
            Stmt::Store { place, op, value } => {
                let target = visit::root_local(body, *place);
                match target.and_then(|l| Some((l, update(body, l, *op, *value)?))) {
                    Some((local, op)) => self.updated(local, op, &[*place, *value]),
                    None => self.used(&[*place, *value]),
                }
            }
            Stmt::If { cond, then, otherwise } if otherwise.is_empty() => {
                match stored_alone(body, then)
                    .and_then(|(l, v)| Some((l, v, extremum(body, l, *cond, then)?)))
                {
                    Some((local, value, op)) => self.updated(local, op, &[*cond, value]),
                    None => {
                        self.used(&[*cond]);
                        self.block(then);
                    }
                }
            }
            other => {
                // A clause of an inner loop names the same reduction; the loop's own variable is not one.
                if let Stmt::For(l) = other {
                    self.broken(l.var);
                } else {
                    other.locals().iter().for_each(|(l, _)| self.broken(*l));
                }
                let own: Vec<_> = other.operands().into_iter().map(|(e, _)| e).collect();
                self.used(&own);
                other.blocks().into_iter().for_each(|b| self.block(b));
            }
        }
    }

    /// The statement with these expressions updates `local`; all other expressions in it only use it.
    fn updated(&mut self, local: Handle<Local>, op: ReductionOp, exprs: &[Handle<Expr>]) {
        let known = self.updates.entry(local).or_default();
        known.broken |= known.op.is_some_and(|k| k != op);
        known.op = Some(op);
        let was = known.broken;
        self.used(exprs);
        self.updates.entry(local).or_default().broken = was;
    }

    fn used(&mut self, exprs: &[Handle<Expr>]) {
        for e in exprs {
            visit::for_each_operand(&self.body.exprs, *e, &mut |e| {
                if let ExprKind::Local(l) = self.body.exprs[e].kind {
                    self.broken(l);
                }
            });
        }
    }

    fn broken(&mut self, local: Handle<Local>) {
        self.updates.entry(local).or_default().broken = true;
    }
}

/// The local that a block only stores to, and the value.
fn stored_alone(body: &Body, block: &Block) -> Option<(Handle<Local>, Handle<Expr>)> {
    let [StmtNode { kind: Stmt::Store { place, op: None, value }, .. }] = block.as_slice() else {
        return None;
    };
    Some((visit::root_local(body, *place)?, *value))
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
            let logical = matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr);
            let [one, other] = [*left, *right].map(|e| if logical { tested(body, e) } else { e });
            let left_is = is_read(body, one, local) && !mentions(body, *right, local);
            let right_is = is_read(body, other, local) && !mentions(body, *left, local);
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

/// What a condition compares with zero.
fn tested(body: &Body, cond: Handle<Expr>) -> Handle<Expr> {
    let is_zero = |e| match body.exprs[uncast(body, e)].kind {
        ExprKind::Int(value) => value == 0,
        ExprKind::Float(value) => value == 0.0,
        _ => false,
    };
    match body.exprs[uncast(body, cond)].kind {
        ExprKind::Binary { op: BinaryOp::Ne, left, right } if is_zero(right) => left,
        _ => cond,
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
    if visit::root_local(body, *place) != Some(local) || mentions(body, *value, local) {
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
