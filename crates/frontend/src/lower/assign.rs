//! Assignments, and `++` and `--`.
//!
//! `place op= value` is computed in the type C says, which may be wider than the place's: `float x += d`
//! with a double `d` becomes `x = (float)((double)x + d)`.

use super::Lowered;
use super::function::Fun;
use crate::ast::{Expr, ExprKind, Qual, Ty};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Stmt, TypeKind};
use accl_source::Span;

impl Fun<'_, '_> {
    /// Performs `=` or `op=`; gives the place assigned.
    pub fn assign(&mut self, e: &Expr) -> Lowered<Handle<IrExpr>> {
        match &e.kind {
            ExprKind::CompoundAssign { op, place, value, .. }
                if self.is_complex(&place.ty) || self.is_complex(&value.ty) =>
            {
                self.assign_complex(Some(*op), place, value, e.span)
            }
            ExprKind::Assign { place, value } if self.is_complex(&place.ty) => {
                self.assign_complex(None, place, value, e.span)
            }
            ExprKind::CompoundAssign { op, place, value, compute } => {
                self.compound_assign(*op, place, value, compute, e.span)
            }
            ExprKind::Assign { place, value } => self.plain_assign(place, value, e.span),
            _ => self.place(e),
        }
    }

    /// The value first, as C++17 has it; in C the order is free.
    fn plain_assign(&mut self, place: &Expr, value: &Expr, span: Span) -> Lowered<Handle<IrExpr>> {
        if let ExprKind::Call { callee, args } = &value.kind
            && !value.place
        {
            let target = self.place(place)?;
            let target = self.fixed_place(target);
            if let Some(result) = self.call(value, callee, args, Some(target))? {
                self.store(target, result, span);
            }
            return Ok(target);
        }
        if matches!(value.kind, ExprKind::InitList(_)) && matches!(&*place.ty.ty, Ty::Record(_)) {
            let value = self.value(value)?;
            let target = self.place(place)?;
            self.store(target, value, span);
            return Ok(target);
        }
        let value = self.value(value)?;
        let target = self.place(place)?;
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
    ) -> Lowered<Handle<IrExpr>> {
        let mut operand = self.value(value)?;
        let target = self.place(place)?;
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

    /// `++` and `--`; gives the place.
    pub fn step(&mut self, operand: &Expr, by: i8, span: Span) -> Lowered<Handle<IrExpr>> {
        let place = self.place(operand)?;
        self.step_place(place, by, span);
        Ok(place)
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
        let place = self.place(operand)?;
        if !postfix {
            self.step_place(place, by, e.span);
            return Ok(self.load(place, e.span));
        }
        let old = self.load(place, e.span);
        let name = match &operand.kind {
            ExprKind::Var(_, name) => name.to_string(),
            _ => "old".into(),
        };
        let before = self.spill(&name, old, e.span);
        self.step_place(place, by, e.span);
        Ok(self.load_local(before, e.span))
    }

    /// A place whose subscripts do not change when something else is stored: those that read memory or
    /// variables are computed now.
    pub fn fixed_place(&mut self, place: Handle<IrExpr>) -> Handle<IrExpr> {
        let expr = self.body.exprs[place].clone();
        match expr.kind {
            Ir::Index { base, index } => {
                let base = match self.kind_of(base) {
                    TypeKind::Array { .. } => self.fixed_place(base),
                    _ => base,
                };
                let index = match &self.body.exprs[index].kind {
                    Ir::Int(_) => index,
                    Ir::Load(of) if matches!(self.body.exprs[*of].kind, Ir::Local(_)) => index,
                    _ => {
                        let local = self.spill("index", index, expr.span);
                        self.load_local(local, expr.span)
                    }
                };
                self.expr(Ir::Index { base, index }, expr.ty, expr.span)
            }
            Ir::Member { base, field } => {
                let base = self.fixed_place(base);
                self.expr(Ir::Member { base, field }, expr.ty, expr.span)
            }
            _ => place,
        }
    }
}
