//! Variables that a loop only accumulates into, so that the order of its iterations makes no difference.

use super::unit::SourceFile;
use crate::ast::{BinaryOp, DeclId, Expr, ExprKind, Stmt, StmtKind};
use crate::lower::walk;
use accl_directives::ReductionOp;

/// The operator of all statements that name the variable, where each is an update by it.
pub fn operator(unit: &SourceFile<'_>, body: &Stmt, var: DeclId) -> Option<ReductionOp> {
    let mut found = Accumulations { unit, var, op: None, mentions: 0 };
    found.stmt(body);
    (found.mentions == unit.mentions(body, var)).then_some(found.op?)
}

struct Accumulations<'a> {
    unit: &'a SourceFile<'a>,
    var: DeclId,
    op: Option<ReductionOp>,
    /// How often updates by the first operator name the variable.
    mentions: usize,
}

impl Accumulations<'_> {
    fn stmt(&mut self, s: &Stmt) {
        if let Some(update) = update(self.unit, s)
            && update.root == self.var
            && self.op.is_none_or(|op| op == update.op)
        {
            self.op = Some(update.op);
            self.mentions += update.mentions;
            return;
        }
        walk::children(s).into_iter().for_each(|s| self.stmt(s));
    }
}

/// `place op= value`, in one of the forms in which people write it.
pub struct Accumulation {
    pub root: DeclId,
    pub op: ReductionOp,
    /// How often the statement names the variable, all of it for the update itself.
    pub mentions: usize,
    pub is_element: bool,
}

pub fn update(unit: &SourceFile<'_>, s: &Stmt) -> Option<Accumulation> {
    let (place, op, mentions, values) = parts(unit, s)?;
    let root = walk::root(place)?;
    let is_element = !matches!(walk::same_place(place).kind, ExprKind::Var(..));
    // Neither a value nor a subscript may depend on the variable.
    let depends = values.iter().any(|e| walk::uses(e, root) > 0);
    let subscripts = walk::uses(place, root) > 1;
    let minmax = matches!(op, ReductionOp::Min | ReductionOp::Max);
    let fits = !(depends || subscripts || minmax && is_element);
    fits.then_some(Accumulation { root, op, mentions, is_element })
}

/// Place, operator, how often the statement names what is updated, and the values.
pub type UpdateParts<'e> = (&'e Expr, ReductionOp, usize, Vec<&'e Expr>);

pub fn parts<'e>(unit: &SourceFile<'_>, s: &'e Stmt) -> Option<UpdateParts<'e>> {
    match &s.kind {
        StmtKind::Compound(items) if items.len() == 1 => parts(unit, &items[0]),
        StmtKind::Expr(e) => expression_parts(unit, e),
        // if (value > place) place = value;
        StmtKind::If { init: None, cond, then, otherwise: None } => {
            let StmtKind::Expr(e) = &only(then).kind else { return None };
            let ExprKind::Assign { place, value } = &e.kind else { return None };
            let op = chosen(unit, cond, value, place)?;
            Some((place, op, 2, vec![&**value]))
        }
        _ => None,
    }
}

/// The same for an update that is an expression by itself.
pub fn expression_parts<'e>(unit: &SourceFile<'_>, e: &'e Expr) -> Option<UpdateParts<'e>> {
    match &e.kind {
        ExprKind::CompoundAssign { op, place, value, .. } => Some((place, compound(*op)?, 1, vec![&**value])),
        ExprKind::Step { operand, .. } => Some((operand, ReductionOp::Add, 1, vec![])),
        ExprKind::Assign { place, value } => assigned(unit, place, walk::bare(value)),
        _ => None,
    }
}

/// Visits the expressions that are statements; those joined by commas are several.
pub fn each_statement<'s>(s: &'s Stmt, visit: &mut dyn FnMut(&'s Expr)) {
    fn parts<'s>(e: &'s Expr, visit: &mut dyn FnMut(&'s Expr)) {
        match &e.kind {
            ExprKind::Comma(left, right) => {
                parts(left, visit);
                parts(right, visit);
            }
            _ => visit(e),
        }
    }
    if let StmtKind::Expr(e) = &s.kind {
        parts(e, visit);
    }
    walk::children(s).into_iter().for_each(|s| each_statement(s, visit));
}

fn only(s: &Stmt) -> &Stmt {
    match &s.kind {
        StmtKind::Compound(items) if items.len() == 1 => only(&items[0]),
        _ => s,
    }
}

fn compound(op: BinaryOp) -> Option<ReductionOp> {
    Some(match op {
        // A difference is a sum of negative values.
        BinaryOp::Add | BinaryOp::Sub => ReductionOp::Add,
        BinaryOp::Mul => ReductionOp::Mul,
        BinaryOp::BitAnd => ReductionOp::BitAnd,
        BinaryOp::BitOr => ReductionOp::BitOr,
        BinaryOp::BitXor => ReductionOp::BitXor,
        _ => return None,
    })
}

fn assigned<'e>(unit: &SourceFile<'_>, place: &'e Expr, value: &'e Expr) -> Option<UpdateParts<'e>> {
    let same = |e: &Expr| unit.same_text(e, place);
    match &value.kind {
        ExprKind::Binary { op: op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right } => {
            let op = if *op == BinaryOp::LogicalAnd { ReductionOp::And } else { ReductionOp::Or };
            same(walk::bare(left)).then(|| (place, op, 2, vec![&**right]))
        }
        ExprKind::Binary { op, right, .. } => {
            let found = compound(*op)?;
            let (first, mut values) = chain(value, found);
            if same(first) {
                return Some((place, found, 2, values));
            }
            // What is added last may be the variable.
            let commutes = *op != BinaryOp::Sub && same(walk::bare(right));
            values.retain(|v| !std::ptr::eq(*v, &**right));
            values.push(first);
            commutes.then_some((place, found, 2, values))
        }
        ExprKind::Conditional { cond, yes, no } => {
            if same(walk::bare(no)) {
                return Some((place, chosen(unit, cond, yes, place)?, 3, vec![&**yes]));
            }
            // place > value ? place : value
            let op = same(walk::bare(yes)).then(|| chosen(unit, cond, place, no))??;
            Some((place, op, 3, vec![&**no]))
        }
        ExprKind::Call { callee, args } => {
            let op = match walk::library_name(callee)? {
                "fmax" | "fmaxf" | "max" => ReductionOp::Max,
                "fmin" | "fminf" | "min" => ReductionOp::Min,
                _ => return None,
            };
            let [a, b] = &args[..] else { return None };
            if same(walk::bare(a)) {
                return Some((place, op, 2, vec![b]));
            }
            same(walk::bare(b)).then(|| (place, op, 2, vec![a]))
        }
        _ => None,
    }
}

/// `first + a - b`: what stands first, and what is added to it.
fn chain(e: &Expr, op: ReductionOp) -> (&Expr, Vec<&Expr>) {
    match &e.kind {
        ExprKind::Binary { op: of, left, right } if compound(*of) == Some(op) => {
            let (first, mut values) = chain(walk::bare(left), op);
            values.push(right);
            (first, values)
        }
        _ => (e, vec![]),
    }
}

/// Which of two values a comparison prefers: `first` where it holds.
pub fn chosen(unit: &SourceFile<'_>, cond: &Expr, first: &Expr, second: &Expr) -> Option<ReductionOp> {
    let ExprKind::Binary { op, left, right } = &walk::bare(cond).kind else { return None };
    let greater = match op {
        BinaryOp::Gt | BinaryOp::Ge => true,
        BinaryOp::Lt | BinaryOp::Le => false,
        _ => return None,
    };
    let are = |a: &Expr, b: &Expr| {
        unit.same_text(walk::bare(left), walk::bare(a)) && unit.same_text(walk::bare(right), walk::bare(b))
    };
    let greater = if are(first, second) { greater } else { are(second, first).then_some(!greater)? };
    Some(if greater { ReductionOp::Max } else { ReductionOp::Min })
}
