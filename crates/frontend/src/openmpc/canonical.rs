//! A `for` loop in the form that OpenMP asks for (5.2 §4.4.1), as texts of C from which it can be written anew.

use super::unit::SourceFile;
use crate::ast::{BinaryOp, DeclId, Expr, ExprKind, Stmt, StmtKind};
use crate::lower::walk;

pub struct CanonicalLoop<'s> {
    pub counter: DeclId,
    pub name: String,
    pub type_text: String,
    pub from: &'s Expr,
    pub bound: &'s Expr,
    /// `None`: 1.
    pub step: Option<&'s Expr>,
    /// The bound is one of the values.
    inclusive: bool,
    pub up: bool,
    pub body: &'s Stmt,
}

pub fn canonical<'s>(unit: &SourceFile<'_>, s: &'s Stmt) -> Option<CanonicalLoop<'s>> {
    let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else {
        return None;
    };
    let (counter, from) = match &init.kind {
        StmtKind::Decl(vars) if vars.len() == 1 => (vars[0].id, vars[0].init.as_ref()?),
        StmtKind::Expr(Expr { kind: ExprKind::Assign { place, value }, .. }) => (variable(place)?, &**value),
        _ => return None,
    };
    let var = unit.var(counter).filter(|var| unit.is_scalar(counter) && !var.ty.is_reference())?;
    let ExprKind::Binary { op, left, right } = &walk::bare(cond).kind else { return None };
    let is_counter = |e: &Expr| variable(walk::bare(e)) == Some(counter);
    let (op, bound) = match (is_counter(left), is_counter(right)) {
        (true, false) => (*op, right),
        (false, true) => (mirrored(*op), left),
        _ => return None,
    };
    let (step, down) = stepped(step, counter)?;
    let up = matches!(op, BinaryOp::Lt | BinaryOp::Le);
    let compares = up || matches!(op, BinaryOp::Gt | BinaryOp::Ge);
    (compares && up != down && !walk::assigns(body, counter)).then(|| CanonicalLoop {
        counter,
        name: var.name.clone(),
        type_text: var.type_text.to_string(),
        from,
        bound,
        step,
        inclusive: matches!(op, BinaryOp::Le | BinaryOp::Ge),
        up,
        body,
    })
}

fn variable(e: &Expr) -> Option<DeclId> {
    match walk::same_place(e).kind {
        ExprKind::Var(id, _) => Some(id),
        _ => None,
    }
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

/// By how much a loop steps, and whether downwards.
fn stepped(step: &Expr, counter: DeclId) -> Option<(Option<&Expr>, bool)> {
    let is_counter = |e: &Expr| variable(walk::bare(e)) == Some(counter);
    match &step.kind {
        ExprKind::Step { operand, by, .. } => is_counter(operand).then_some((None, *by < 0)),
        ExprKind::CompoundAssign { op: op @ (BinaryOp::Add | BinaryOp::Sub), place, value, .. } => {
            is_counter(place).then_some((Some(value), *op == BinaryOp::Sub))
        }
        ExprKind::Assign { place, value } if is_counter(place) => match &walk::bare(value).kind {
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right }
                if is_counter(left) =>
            {
                Some((Some(right), *op == BinaryOp::Sub))
            }
            ExprKind::Binary { op: BinaryOp::Add, left, right } if is_counter(right) => {
                Some((Some(left), false))
            }
            _ => None,
        },
        _ => None,
    }
}

impl CanonicalLoop<'_> {
    /// `<`, upwards.
    pub fn is_up_below(&self) -> bool {
        self.up && !self.inclusive
    }

    fn step_text<'b>(&self, unit: &SourceFile<'b>) -> &'b str {
        self.step.map_or("1", |step| unit.text(step.span))
    }

    /// How many iterations there are, as an expression of type `long`, which may be negative where there is none.
    pub fn trips(&self, unit: &SourceFile<'_>) -> String {
        let (from, bound) = (unit.text(self.from.span), unit.text(self.bound.span));
        let (low, high) = if self.up { (from, bound) } else { (bound, from) };
        let step = self.step_text(unit);
        let more = if self.inclusive { "" } else { " - 1" };
        format!("((long)({high}) - (long)({low}){more} + (long)({step})) / (long)({step})")
    }

    /// The counter's value in an iteration.
    pub fn value(&self, unit: &SourceFile<'_>, iteration: &str) -> String {
        let sign = if self.up { '+' } else { '-' };
        let step = self.step_text(unit);
        format!("({}) {sign} ({}) * ({step})", unit.text(self.from.span), iteration)
    }
}
