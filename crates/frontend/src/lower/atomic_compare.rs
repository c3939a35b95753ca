//! `atomic compare` for equality (OpenMP 5.2 §15.8.4): `if (x == e) x = d;`, and what is captured of it.

use super::Lowered;
use super::atomic::{assignment, same_place, single};
use super::function::Fun;
use super::walk;
use crate::ast::{Expr, ExprKind, Stmt as Ast, StmtKind};
use accl_ir::{AtomicKind, BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Stmt};
use accl_source::Span;

/// `x` becomes `value` where it is equal to `expected`.
#[derive(Clone, Copy)]
pub struct Replacement<'a> {
    place: &'a Expr,
    expected: &'a Expr,
    value: &'a Expr,
    /// It gets whether they were equal.
    result: Option<&'a Expr>,
    /// It gets what `x` is at that time.
    capture: Option<(&'a Expr, When)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Before,
    After,
    /// Where it was not replaced.
    Different,
}

impl<'a> Replacement<'a> {
    pub fn of(s: &'a Ast) -> Option<Replacement<'a>> {
        match &single(s).kind {
            StmtKind::Compound(items) => match &items[..] {
                [first, second] => Self::tested(first, second).or_else(|| Self::captured(first, second)),
                _ => None,
            },
            StmtKind::Expr(e) => Self::chosen(e),
            StmtKind::If { init: None, cond, then, otherwise } => {
                let plain = Self::guarded(cond, then)?;
                plain.unless(otherwise.as_deref())
            }
            _ => None,
        }
    }

    /// `if (x == e) x = d`
    fn guarded(cond: &'a Expr, then: &'a Ast) -> Option<Replacement<'a>> {
        let StmtKind::Expr(body) = &single(then).kind else { return None };
        let (place, value) = assignment(body)?;
        let expected = equal_to(cond, place)?;
        Some(Replacement { place, expected, value, result: None, capture: None })
    }

    /// `x = x == e ? d : x`
    fn chosen(e: &'a Expr) -> Option<Replacement<'a>> {
        let (place, value) = assignment(e)?;
        let ExprKind::Conditional { cond, yes, no } = &walk::bare(value).kind else { return None };
        let expected = equal_to(cond, place).filter(|_| same_place(walk::bare(no), place))?;
        Some(Replacement { place, expected, value: yes, result: None, capture: None })
    }

    /// `else v = x`
    fn unless(self, otherwise: Option<&'a Ast>) -> Option<Replacement<'a>> {
        let Some(otherwise) = otherwise else { return Some(self) };
        let target = self.reads(otherwise)?;
        Some(Replacement { capture: Some((target, When::Different)), ..self })
    }

    /// `r = x == e; if (r) x = d; else v = x;`
    fn tested(first: &'a Ast, second: &'a Ast) -> Option<Replacement<'a>> {
        let (StmtKind::Expr(test), StmtKind::If { init: None, cond, then, otherwise }) =
            (&first.kind, &second.kind)
        else {
            return None;
        };
        let (result, equality) = assignment(test)?;
        let StmtKind::Expr(body) = &single(then).kind else { return None };
        let (place, value) = assignment(body)?;
        let expected = equal_to(equality, place).filter(|_| same_place(walk::bare(cond), result))?;
        let plain = Replacement { place, expected, value, result: Some(result), capture: None };
        plain.unless(otherwise.as_deref())
    }

    /// `v = x` before or behind it
    fn captured(first: &'a Ast, second: &'a Ast) -> Option<Replacement<'a>> {
        let with = |s, other, when| {
            let plain = Self::of(s).filter(|r: &Replacement| r.capture.is_none())?;
            let target = plain.reads(other)?;
            Some(Replacement { capture: Some((target, when)), ..plain })
        };
        with(second, first, When::Before).or_else(|| with(first, second, When::After))
    }

    /// The `v` of `v = x`.
    fn reads(&self, s: &'a Ast) -> Option<&'a Expr> {
        let StmtKind::Expr(e) = &single(s).kind else { return None };
        let (target, value) = assignment(e)?;
        same_place(walk::bare(value), self.place).then_some(target)
    }
}

/// The other side of a comparison with `place`.
fn equal_to<'a>(cond: &'a Expr, place: &Expr) -> Option<&'a Expr> {
    match &walk::bare(cond).kind {
        ExprKind::Binary { op: BinaryOp::Eq, left, right } => {
            if same_place(walk::bare(left), place) {
                Some(right)
            } else {
                same_place(walk::bare(right), place).then_some(left)
            }
        }
        _ => None,
    }
}

impl Fun<'_, '_> {
    pub fn replace(&mut self, r: &Replacement<'_>, span: Span) -> Lowered<()> {
        let operands = self.in_order(vec![], [r.expected, r.value], |f, e| f.value(e))?;
        let places = self.in_order(operands, [r.place], |f, e| f.place(e))?;
        let [expected, value, place] = places[..] else { unreachable!("three operands") };
        let ty = self.ty_of(place);
        let (expected, value) = (self.held(expected), self.convert(value, ty, span));
        let value = self.held(value);
        let kind = AtomicKind::Replace(expected);
        if r.result.is_none() && r.capture.is_none() {
            return self.emit_atomic(kind, place, Some(value), None, span);
        }
        let before = self.temp("captured", ty, span);
        self.emit(Stmt::Declare { local: before, init: None }, span);
        let own = self.local_place(before, span);
        self.emit_atomic(kind, place, Some(value), Some((own, false)), span)?;
        if let Some(result) = r.result {
            let equal = self.was_equal(own, expected, span);
            self.assign_captured(result, equal, span)?;
        }
        let Some((target, when)) = r.capture else { return Ok(()) };
        let old = self.load(own, span);
        match when {
            When::Before => self.assign_captured(target, old, span),
            When::After => {
                let cond = self.was_equal(own, expected, span);
                let after = self.expr(Ir::Select { cond, yes: value, no: old }, ty, span);
                self.assign_captured(target, after, span)
            }
            When::Different => {
                let cond = self.was_equal(own, expected, span);
                let (otherwise, ()) = self.try_block(|f| f.assign_captured(target, old, span))?;
                self.emit(Stmt::If { cond, then: vec![], otherwise }, span);
                Ok(())
            }
        }
    }

    /// A value that what is stored meanwhile does not change.
    pub fn held(&mut self, value: Handle<IrExpr>) -> Handle<IrExpr> {
        let IrExpr { kind, span, .. } = self.body.exprs[value].clone();
        match kind {
            Ir::Int(_) | Ir::Float(_) => value,
            _ => {
                let local = self.spill("operand", value, span);
                self.load_local(local, span)
            }
        }
    }

    fn was_equal(&mut self, before: Handle<IrExpr>, expected: Handle<IrExpr>, span: Span) -> Handle<IrExpr> {
        let (int, ty) = (self.i32(), self.ty_of(expected));
        let left = self.load(before, span);
        let left = self.convert(left, ty, span);
        self.expr(Ir::Binary { op: BinaryOp::Eq, left, right: expected }, int, span)
    }

    fn assign_captured(&mut self, target: &Expr, value: Handle<IrExpr>, span: Span) -> Lowered<()> {
        let place = self.place(target)?;
        let value = self.convert(value, self.ty_of(place), span);
        self.emit(Stmt::Store { place, op: None, value }, span);
        Ok(())
    }
}
