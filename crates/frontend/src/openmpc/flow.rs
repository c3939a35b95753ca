//! Whether a variable's old value may be read.
//!
//! One walk answers two questions about a variable. In an iteration of a loop: is it read before the iteration has written
//! it (*upward exposed*)? In the code around loops: is it read after a loop has left it without a value? The state is
//! whether the variable certainly has a value; where paths meet, both must have given it one.

use super::unit::SourceFile;
use crate::ast::{BinaryOp, CastKind, DeclId, Expr, ExprKind, Len, Stmt, StmtKind, Ty};
use crate::lower::walk;
use accl_source::Span;
use std::collections::BTreeSet;

pub struct ValueFlow<'a> {
    unit: &'a SourceFile<'a>,
    var: DeclId,
    /// Directives of loops that leave the variable without a value.
    spoils: &'a BTreeSet<usize>,
    /// A statement that does.
    spoiled_by: Option<Span>,
    read: Option<Span>,
}

static NONE: BTreeSet<usize> = BTreeSet::new();

/// A place where the statement may read the variable's value from before it.
pub fn exposed(unit: &SourceFile<'_>, stmt: &Stmt, var: DeclId) -> Option<Span> {
    let mut flow = ValueFlow::new(unit, var, &NONE);
    flow.stmt(stmt, false);
    flow.read
}

/// A place where it may be read after one of the loops, without a write in between.
pub fn read_after(unit: &SourceFile<'_>, stmt: &Stmt, var: DeclId, spoils: &BTreeSet<usize>) -> Option<Span> {
    let mut flow = ValueFlow::new(unit, var, spoils);
    flow.stmt(stmt, true);
    flow.read
}

/// Whether it reads a value that it has not written itself, or that a loop has spoiled.
pub fn needs_old_value(unit: &SourceFile<'_>, stmt: &Stmt, var: DeclId, spoils: &BTreeSet<usize>) -> bool {
    let mut flow = ValueFlow::new(unit, var, spoils);
    flow.stmt(stmt, false);
    flow.read.is_some()
}

/// Whether the value that a statement of a function's body leaves in the variable may be read afterwards.
pub fn is_read_after(unit: &SourceFile<'_>, body: &Stmt, var: DeclId, stmt: &Stmt) -> bool {
    let mut flow = ValueFlow { spoiled_by: Some(stmt.span), ..ValueFlow::new(unit, var, &NONE) };
    flow.stmt(body, true);
    flow.read.is_some()
}

/// Whether each iteration of a loop writes the variable, before it reads it.
pub fn always_written(unit: &SourceFile<'_>, stmt: &Stmt, var: DeclId) -> bool {
    let StmtKind::For { body, .. } = &stmt.kind else { return false };
    let mut flow = ValueFlow::new(unit, var, &NONE);
    let written = flow.stmt(body, false);
    written && flow.read.is_none() && exposed(unit, stmt, var).is_none() && !walk::continues(body)
}

impl<'a> ValueFlow<'a> {
    fn new(unit: &'a SourceFile<'a>, var: DeclId, spoils: &'a BTreeSet<usize>) -> Self {
        ValueFlow { unit, var, spoils, spoiled_by: None, read: None }
    }

    fn reads(&mut self, span: Span, has_value: bool) {
        if !has_value {
            self.read.get_or_insert(span);
        }
    }

    fn stmt(&mut self, s: &Stmt, has: bool) -> bool {
        self.after(s, has) && self.spoiled_by != Some(s.span)
    }

    fn after(&mut self, s: &Stmt, has: bool) -> bool {
        match &s.kind {
            StmtKind::Compound(items) => items.iter().fold(has, |has, item| self.stmt(item, has)),
            StmtKind::Decl(vars) => vars.iter().fold(has, |has, var| {
                let has = var.init.iter().fold(has, |has, init| self.expr(init, has));
                has || var.id == self.var && var.init.is_some()
            }),
            StmtKind::Expr(e) => self.expr(e, has),
            StmtKind::If { init, cond, then, otherwise } => {
                let has = init.iter().fold(has, |has, s| self.stmt(s, has));
                let has = self.expr(cond, has);
                let then = self.stmt(then, has);
                let otherwise = otherwise.iter().fold(has, |has, s| self.stmt(s, has));
                then && otherwise
            }
            StmtKind::For { init, cond, step, body } => {
                let has = init.iter().fold(has, |has, s| self.stmt(s, has));
                let has = cond.iter().fold(has, |has, e| self.expr(e, has));
                let fills = self.fills(s);
                let again = self.repeated(body, step.as_ref(), has);
                again || fills
            }
            StmtKind::RangeFor { setup, cond, step, var, body } => {
                let has = setup.iter().fold(has, |has, s| self.stmt(s, has));
                let has = self.expr(cond, has);
                let has = self.stmt(var, has);
                self.repeated(body, Some(step), has)
            }
            StmtKind::While { cond, body } => {
                let has = self.expr(cond, has);
                self.repeated(body, Some(cond), has)
            }
            StmtKind::DoWhile { body, cond } => self.repeated(body, Some(cond), has),
            StmtKind::Switch { value, body } => {
                let has = self.expr(value, has);
                let after = self.stmt(body, has);
                has && after && !self.spoiled_in(body)
            }
            // A jump comes here with what holds at its place.
            StmtKind::Case { body, .. } | StmtKind::Default(body) => self.stmt(body, has),
            StmtKind::Label(body) => self.stmt(body, false),
            StmtKind::Return(value) => {
                value.iter().fold(has, |has, e| self.expr(e, has));
                true
            }
            // What follows is not reached from here.
            StmtKind::Break | StmtKind::Continue => true,
            StmtKind::Goto => true,
            StmtKind::Null => has,
            StmtKind::Unsupported(_, items) => {
                let after = items.iter().fold(has, |has, s| self.stmt(s, has));
                has && after
            }
            StmtKind::Directed { directive, body } => {
                if self.spoils.contains(directive) {
                    return false;
                }
                body.iter().fold(has, |has, s| self.stmt(s, has))
            }
        }
    }

    /// A body that may run any number of times. Twice shows what one turn leaves to the next.
    fn repeated(&mut self, body: &Stmt, step: Option<&Expr>, has: bool) -> bool {
        let once = self.stmt(body, has);
        // A jump out of the middle takes along what holds there.
        let jumps = walk::continues(body) || walk::leaves_loop(body, self.unit.buffer).is_some();
        let spoiled = jumps && self.spoiled_in(body);
        let once = step.iter().fold(once, |has, e| self.expr(e, has)) && has && !spoiled;
        let twice = self.stmt(body, once);
        step.iter().fold(twice, |has, e| self.expr(e, has)) && once
    }

    fn spoiled_in(&self, s: &Stmt) -> bool {
        matches!(s.kind, StmtKind::Directed { directive, .. } if self.spoils.contains(&directive))
            || self.spoiled_by == Some(s.span)
            || walk::children(s).into_iter().any(|s| self.spoiled_in(s))
    }

    fn expr(&mut self, e: &Expr, has: bool) -> bool {
        match &e.kind {
            ExprKind::Var(id, _) => {
                if *id == self.var {
                    self.reads(e.span, has);
                }
                has
            }
            ExprKind::Assign { place, value } => {
                let has = self.expr(value, has);
                if self.is_var(place) {
                    return true;
                }
                self.place(place, has)
            }
            ExprKind::Cast { kind: CastKind::NoOp | CastKind::Decay, operand, .. } => self.expr(operand, has),
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right } => {
                let has = self.expr(left, has);
                self.expr(right, has);
                has
            }
            ExprKind::Conditional { cond, yes, no } => {
                let has = self.expr(cond, has);
                let yes = self.expr(yes, has);
                let no = self.expr(no, has);
                yes && no
            }
            ExprKind::Lambda(_) | ExprKind::Statements(_) | ExprKind::Unsupported(..) => {
                let (mut named, var) = (None, self.var);
                walk::within(e, &mut |e| {
                    if matches!(e.kind, ExprKind::Var(id, _) if id == var) {
                        named = named.or(Some(e.span));
                    }
                });
                if let Some(span) = named {
                    self.reads(span, has);
                }
                has
            }
            _ => walk::operands(e).into_iter().fold(has, |has, e| self.expr(e, has)),
        }
    }

    fn is_var(&self, place: &Expr) -> bool {
        matches!(walk::same_place(place).kind, ExprKind::Var(id, _) if id == self.var)
    }

    /// What is read to find a place that is written. To write a part of the variable reads none of it.
    fn place(&mut self, place: &Expr, has: bool) -> bool {
        if walk::root(place) != Some(self.var) {
            return self.expr(place, has);
        }
        let mut at = place;
        let mut has = has;
        loop {
            at = match &at.kind {
                ExprKind::Index { base, index } => {
                    has = self.expr(index, has);
                    base
                }
                ExprKind::Member { base, .. } | ExprKind::Cast { operand: base, .. } => base,
                _ => return has,
            };
        }
    }

    /// `for (i = 0; i < n; i++) v[i] = …` that writes every element of an array of constant length, whatever else it does.
    fn fills(&self, s: &Stmt) -> bool {
        let StmtKind::For { cond: Some(cond), body, .. } = &s.kind else { return false };
        let Some(Ty::Array { of, len: Len::Const(length) }) = self.unit.var(self.var).map(|v| &*v.ty.ty)
        else {
            return false;
        };
        let (Some((counter, 0)), ExprKind::Binary { op: BinaryOp::Lt, left, right }) =
            (self.unit.counter(s), &walk::bare(cond).kind)
        else {
            return false;
        };
        let counts = matches!(walk::bare(left).kind, ExprKind::Var(id, _) if id == counter);
        let all = self.unit.constant(right) == Some(i128::from(*length));
        let scalar = !matches!(*of.ty, Ty::Array { .. } | Ty::Record(_));
        let items = match &body.kind {
            StmtKind::Compound(items) => &items[..],
            _ => std::slice::from_ref(&**body),
        };
        let leaves =
            items.iter().any(|s| walk::continues(s) || walk::leaves_loop(s, self.unit.buffer).is_some());
        let writes = |s: &Stmt| match &s.kind {
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Assign { place, .. } => {
                    walk::root(place) == Some(self.var)
                        && matches!(&place.kind, ExprKind::Index { index, .. }
                            if matches!(walk::bare(index).kind, ExprKind::Var(id, _) if id == counter))
                }
                _ => false,
            },
            _ => false,
        };
        counts && all && scalar && !leaves && !walk::assigns(body, counter) && items.iter().any(writes)
    }
}
