//! `strlen`, `strcmp` and `strncmp` in device code, as loops (C17 §7.24).

use super::Lowered;
use super::function::Fun;
use crate::ast::{CastKind, Expr, ExprKind};
use accl_ir::{BinaryOp, Block, ExprKind as Ir, Handle, Local, Stmt};
use accl_source::Span;

type Value = Handle<accl_ir::Expr>;

impl Fun<'_, '_> {
    /// `None`: another function.
    pub fn string_function(&mut self, e: &Expr, name: &str, args: &[Expr]) -> Lowered<Option<Value>> {
        match (name.trim_start_matches("__builtin_"), args) {
            ("strlen", [text]) => self.length_of_string(e, text).map(Some),
            ("strcmp", [left, right]) => self.compare_strings(e, left, right, None).map(Some),
            ("strncmp", [left, right, most]) => self.compare_strings(e, left, right, Some(most)).map(Some),
            _ => Ok(None),
        }
    }

    fn length_of_string(&mut self, e: &Expr, text: &Expr) -> Lowered<Value> {
        let (span, int) = (e.span, self.i32());
        let text = self.characters_at(text)?;
        let length = self.counter(span);
        let left = self.character(text, length, span);
        let right = self.int(0, self.ty_of(left), span);
        let cond = Some(self.expr(Ir::Binary { op: BinaryOp::Ne, left, right }, int, span));
        let body = self.block(|f| f.count_on(length, span));
        self.emit(Stmt::While { cond, body, step: vec![], test_last: false }, span);
        let (length, ty) = (self.load_local(length, span), self.value_type(e)?);
        Ok(self.convert(length, ty, span))
    }

    /// The difference of the first characters, as unsigned numbers, that differ.
    fn compare_strings(&mut self, e: &Expr, a: &Expr, b: &Expr, most: Option<&Expr>) -> Lowered<Value> {
        let (span, int) = (e.span, self.i32());
        let byte = self.cx.module.types.int(8, false);
        let a = self.characters_at(a)?;
        let b = self.characters_at(b)?;
        let most = most.map(|most| self.value(most)).transpose()?;
        let most = most.map(|most| self.repeatable(most));
        let zero = self.int(0, int, span);
        let difference = self.spill("difference", zero, span);
        let index = self.counter(span);
        let body = self.block(|f| {
            if let Some(most) = most {
                let long = f.ty_of(most);
                let at = f.load_local(index, span);
                let at = f.convert(at, long, span);
                f.leave_if(BinaryOp::Ge, at, most, span);
            }
            let [x, y] = [a, b].map(|text| {
                let character = f.character(text, index, span);
                let character = f.convert(character, byte, span);
                f.convert(character, int, span)
            });
            let value = f.expr(Ir::Binary { op: BinaryOp::Sub, left: x, right: y }, int, span);
            let place = f.local_place(difference, span);
            f.store(place, value, span);
            f.leave_if(BinaryOp::Ne, x, y, span);
            let zero = f.int(0, int, span);
            f.leave_if(BinaryOp::Eq, x, zero, span);
        });
        let step: Block = self.block(|f| f.count_on(index, span));
        self.emit(Stmt::While { cond: None, body, step, test_last: false }, span);
        Ok(self.load_local(difference, span))
    }

    /// A pointer to characters, or the array of a literal.
    pub fn characters_at(&mut self, text: &Expr) -> Lowered<Value> {
        match &text.kind {
            ExprKind::Cast { kind: CastKind::Decay | CastKind::NoOp, operand } => match operand.kind {
                ExprKind::Str(_) => self.characters(operand),
                ExprKind::Cast { .. } => self.characters_at(operand),
                _ => self.pointer_of(text),
            },
            _ => self.pointer_of(text),
        }
    }

    fn pointer_of(&mut self, text: &Expr) -> Lowered<Value> {
        let pointer = self.value(text)?;
        Ok(self.repeatable(pointer))
    }

    fn character(&mut self, text: Value, number: Handle<Local>, span: Span) -> Value {
        let index = self.load_local(number, span);
        let of = self.cx.module.types.element(self.ty_of(text));
        let ty = of.unwrap_or_else(|| self.cx.module.types.int(8, true));
        let place = self.expr(Ir::Index { base: text, index }, ty, span);
        self.load(place, span)
    }

    fn counter(&mut self, span: Span) -> Handle<Local> {
        let long = self.cx.module.types.int(64, true);
        let zero = self.int(0, long, span);
        self.spill("number", zero, span)
    }

    fn count_on(&mut self, counter: Handle<Local>, span: Span) {
        let ty = self.body.locals[counter].ty;
        let (left, right) = (self.load_local(counter, span), self.int(1, ty, span));
        let next = self.expr(Ir::Binary { op: BinaryOp::Add, left, right }, ty, span);
        let place = self.local_place(counter, span);
        self.store(place, next, span);
    }

    fn leave_if(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) {
        let int = self.i32();
        let cond = self.expr(Ir::Binary { op, left, right }, int, span);
        let then = self.block(|f| f.emit(Stmt::Break, span));
        self.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
    }
}
