//! Assignments, and `++` and `--`.
//!
//! `place op= value` is computed in the type C says, which may be wider than the place's: `float x += d`
//! with a double `d` becomes `x = (float)((double)x + d)`.

use super::function::Fun;
use super::{Lowered, walk};
use crate::ast::{Expr, ExprKind, Qual};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Stmt, TypeKind};
use accl_source::Span;

impl Fun<'_, '_> {
    /// Performs `=` or `op=`, whose result is not used.
    pub fn assign(&mut self, e: &Expr) -> Lowered<()> {
        self.assigned(e, false).map(|_| ())
    }

    /// Performs `=` or `op=`; gives the place assigned.
    pub fn assigned_place(&mut self, e: &Expr) -> Lowered<Handle<IrExpr>> {
        self.assigned(e, true)
    }

    /// A place that is `used` after the assignment must not depend on what it assigns.
    fn assigned(&mut self, e: &Expr, used: bool) -> Lowered<Handle<IrExpr>> {
        match &e.kind {
            ExprKind::CompoundAssign { op, place, value, .. }
                if self.is_complex(&place.ty) || self.is_complex(&value.ty) =>
            {
                self.assign_complex(Some(*op), place, value, e.span)
            }
            ExprKind::CompoundAssign { op, place, value, .. } if self.is_vector(&place.ty) => {
                self.assign_vector(*op, place, value, e.span)
            }
            ExprKind::Assign { place, value } if self.is_complex(&place.ty) => {
                self.assign_complex(None, place, value, e.span)
            }
            ExprKind::CompoundAssign { op, place, value, compute } => {
                self.compound_assign(*op, place, value, compute, e.span, used)
            }
            ExprKind::Assign { place, value } => self.plain_assign(place, value, e.span, used),
            _ => self.place(e),
        }
    }

    fn plain_assign(
        &mut self,
        place: &Expr,
        value: &Expr,
        span: Span,
        used: bool,
    ) -> Lowered<Handle<IrExpr>> {
        if let ExprKind::Call { callee, args } = &value.kind
            && !value.place
            && walk::only_reads(place)
        {
            let target = self.place(place)?;
            let target = if used { self.kept_from_itself(target) } else { target };
            if let Some(result) = self.call(value, callee, args, Some(target))? {
                self.store(target, result, span);
            }
            return Ok(target);
        }
        let (value, target) = self.pair(|f| f.value(value), |f| f.place(place))?;
        let target = if used { self.kept_from_itself(target) } else { target };
        self.store(target, value, span);
        Ok(target)
    }

    fn compound_assign(
        &mut self,
        op: BinaryOp,
        place: &Expr,
        value: &Expr,
        compute: &Qual,
        span: Span,
        used: bool,
    ) -> Lowered<Handle<IrExpr>> {
        let (mut operand, target) = self.pair(|f| f.value(value), |f| f.place(place))?;
        let target = if used { self.kept_from_itself(target) } else { target };
        let ty = self.ty_of(target);
        if matches!(self.kind_of(target), TypeKind::Pointer { .. }) {
            let old = self.load(target, span);
            let sum = self.expr(Ir::Binary { op, left: old, right: operand }, ty, span);
            self.emit(Stmt::Store { place: target, op: None, value: sum }, span);
            return Ok(target);
        }
        let wide = self.cx.ty(compute);
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if wide == ty {
            if is_shift || self.ty_of(operand) != ty {
                operand = self.convert(operand, ty, value.span);
            }
            self.emit(Stmt::Store { place: target, op: Some(op), value: operand }, span);
            return Ok(target);
        }
        let old = self.load(target, place.span);
        let old = self.convert(old, wide, place.span);
        let result = self.expr(Ir::Binary { op, left: old, right: operand }, wide, span);
        let result = self.convert(result, ty, span);
        self.emit(Stmt::Store { place: target, op: None, value: result }, span);
        Ok(target)
    }

    /// `++` and `--` in front of the operand, which is used after them; gives the place.
    pub fn stepped_place(&mut self, operand: &Expr, by: i8, span: Span) -> Lowered<Handle<IrExpr>> {
        let place = self.place(operand)?;
        let place = self.kept_from_itself(place);
        self.step_place(place, by, span);
        Ok(place)
    }

    /// `++` and `--`, whose result is not used.
    pub fn step(&mut self, operand: &Expr, by: i8, span: Span) -> Lowered<()> {
        let place = self.place(operand)?;
        self.step_place(place, by, span);
        Ok(())
    }

    fn step_place(&mut self, place: Handle<IrExpr>, by: i8, span: Span) {
        let ty = self.ty_of(place);
        let (op, int) = (if by > 0 { BinaryOp::Add } else { BinaryOp::Sub }, self.i32());
        match self.kind_of(place) {
            TypeKind::Pointer { .. } => {
                let one = self.int(1, int, span);
                let old = self.load(place, span);
                let value = self.expr(Ir::Binary { op, left: old, right: one }, ty, span);
                self.emit(Stmt::Store { place, op: None, value }, span);
            }
            TypeKind::Float { .. } => {
                let one = self.expr(Ir::Float(1.0), ty, span);
                self.emit(Stmt::Store { place, op: Some(op), value: one }, span);
            }
            _ => {
                let one = self.int(1, ty, span);
                self.emit(Stmt::Store { place, op: Some(op), value: one }, span);
            }
        }
    }

    /// The value of `i++` or `++i`.
    pub fn step_value(&mut self, e: &Expr, operand: &Expr, by: i8, postfix: bool) -> Lowered<Handle<IrExpr>> {
        if !postfix {
            let place = self.stepped_place(operand, by, e.span)?;
            return Ok(self.load(place, e.span));
        }
        let place = self.place(operand)?;
        let old = self.load(place, e.span);
        let name = match &operand.kind {
            ExprKind::Var(_, name) => name.to_string(),
            _ => "old".into(),
        };
        let before = self.spill(&name, old, e.span);
        self.step_place(place, by, e.span);
        Ok(self.load_local(before, e.span))
    }
}
