//! Vectors in the manner of GNU C (`__attribute__((vector_size(16)))`): an array of elements in memory. What is done with them is done
//! with each element, in the elements' type.

use super::Lowered;
use super::expr::{is_comparison, unsupported};
use super::function::Fun;
use crate::ast::{CastKind, Expr, ExprKind, Library, Qual, Ty, UnaryOp as AstUnary};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Stmt, Type, TypeKind, UnaryOp};
use accl_source::Span;

type Value = Handle<IrExpr>;

impl Fun<'_, '_> {
    pub fn is_vector(&self, ty: &Qual) -> bool {
        matches!(self.cx.library_record(ty), Some((_, Library::Vector)))
    }

    fn declared_elements(&self, ty: &Qual, span: Span) -> Lowered<(Qual, usize)> {
        let record = self.cx.library_record(ty).map(|(record, _)| record);
        match record.map(|record| &*record.fields[0].ty.ty) {
            Some(Ty::Array { of, len: crate::ast::Len::Const(n) }) => Ok((of.clone(), *n as usize)),
            _ => Err(unsupported("this vector", span)),
        }
    }

    /// The elements' type, and how many there are.
    fn elements_of(&mut self, ty: &Qual, span: Span) -> Lowered<(Handle<Type>, usize)> {
        let (of, count) = self.declared_elements(ty, span)?;
        Ok((self.cx.ty(&of), count))
    }

    fn zero_element(&mut self, ty: &Qual, span: Span) -> Lowered<Value> {
        let (of, _) = self.declared_elements(ty, span)?;
        self.zero(&of, span)
    }

    /// The vector that an expression computes, as an object. `None` where it computes none: it is that of an object, of a function,
    /// or no vector.
    pub fn vector_value(&mut self, e: &Expr) -> Lowered<Option<Value>> {
        let Some(elements) = self.computed_elements(e)? else { return Ok(None) };
        let ty = self.value_type(e)?;
        let local = self.temp("vector", ty, e.span);
        self.emit(Stmt::Declare { local, init: None }, e.span);
        let place = self.local_place(local, e.span);
        self.store_elements(place, &elements, e.span)?;
        Ok(Some(self.load_local(local, e.span)))
    }

    fn computed_elements(&mut self, e: &Expr) -> Lowered<Option<Vec<Value>>> {
        // C's compound literals are places that are made here.
        let is_literal = matches!(e.kind, ExprKind::InitList(_) | ExprKind::Zero);
        if e.place && !is_literal || !self.is_vector(&e.ty) {
            return Ok(None);
        }
        let (ty, count) = self.elements_of(&e.ty, e.span)?;
        let elements = match &e.kind {
            ExprKind::InitList(items) => match &items[..] {
                [whole] if self.is_vector(&whole.ty) => self.vector_elements(whole, count)?,
                items => {
                    let mut values = self.in_order(vec![], items, |f, item| f.value(item))?;
                    let zero = self.zero_element(&e.ty, e.span)?;
                    values.resize(count, zero);
                    values
                }
            },
            ExprKind::Zero => vec![self.zero_element(&e.ty, e.span)?; count],
            // One number for all, or a conversion of the elements.
            ExprKind::Construct { args, .. } => match &args[..] {
                [source] => self.vector_elements(source, count)?,
                _ => return Err(unsupported("this vector", e.span)),
            },
            ExprKind::Cast { kind: CastKind::NoOp | CastKind::Convert, operand } => {
                if self.elements_of(&operand.ty, e.span)? != (ty, count) {
                    return Err(unsupported("a vector whose bits are another vector", e.span));
                }
                self.vector_elements(operand, count)?
            }
            ExprKind::Unary { op, operand } => {
                let elements = self.vector_elements(operand, count)?;
                let op = match op {
                    AstUnary::Plus => return Ok(Some(elements)),
                    AstUnary::Minus => UnaryOp::Neg,
                    AstUnary::BitNot => UnaryOp::BitNot,
                    AstUnary::Not => {
                        let zero = self.zero_element(&operand.ty, e.span)?;
                        let equal = |f: &mut Self, v| f.of_elements(BinaryOp::Eq, v, zero, ty, e.span);
                        return Ok(Some(elements.into_iter().map(|v| equal(self, v)).collect()));
                    }
                };
                let negated = |operand| self.expr(Ir::Unary { op, operand }, ty, e.span);
                elements.into_iter().map(negated).collect()
            }
            ExprKind::Binary { op, left, right } => {
                let mut left = self.vector_elements(left, count)?;
                let right = self.after(&mut left, |f| f.vector_elements(right, count))?;
                let pairs = left.into_iter().zip(right);
                pairs.map(|(l, r)| self.of_elements(*op, l, r, ty, e.span)).collect()
            }
            ExprKind::Conditional { cond, yes, no } if self.is_vector(&cond.ty) => {
                let mut conds = self.vector_elements(cond, count)?;
                let mut yes = self.after(&mut conds, |f| f.vector_elements(yes, count))?;
                let no = self.after(&mut yes, |f| f.vector_elements(no, count))?;
                let all = conds.into_iter().zip(yes).zip(no);
                all.map(|((cond, yes), no)| self.expr(Ir::Select { cond, yes, no }, ty, e.span)).collect()
            }
            _ => return Ok(None),
        };
        let elements = elements.into_iter().map(|value| self.convert(value, ty, e.span));
        Ok(Some(elements.collect()))
    }

    /// The elements of any vector; a number is each of them.
    fn vector_elements(&mut self, e: &Expr, count: usize) -> Lowered<Vec<Value>> {
        if let Some(elements) = self.computed_elements(e)? {
            return Ok(elements);
        }
        if !self.is_vector(&e.ty) {
            let value = self.value(e)?;
            return Ok(vec![self.repeatable(value); count]);
        }
        let object = match &e.kind {
            ExprKind::Cast { kind: CastKind::Load, operand } => self.place(operand)?,
            _ if e.place => self.place(e)?,
            _ => {
                let value = self.value(e)?;
                let local = self.spill("vector", value, e.span);
                self.local_place(local, e.span)
            }
        };
        let places = self.element_places(object, e.span)?;
        Ok(places.into_iter().map(|place| self.load(place, e.span)).collect())
    }

    fn element_places(&mut self, object: Value, span: Span) -> Lowered<Vec<Value>> {
        let TypeKind::Struct(def) = *self.kind_of(object) else {
            return Err(unsupported("this vector", span));
        };
        let array = self.cx.module.types.structs[def].fields[0].ty;
        let TypeKind::Array { of, len: accl_ir::ArrayLen::Const(count) } = *self.cx.module.types.kind(array)
        else {
            return Err(unsupported("this vector", span));
        };
        let base = self.expr(Ir::Member { base: object, field: 0 }, array, span);
        let int = self.i32();
        let place = |number: u64| {
            let index = self.int(number.into(), int, span);
            self.expr(Ir::Index { base, index }, of, span)
        };
        Ok((0..count).map(place).collect())
    }

    fn store_elements(&mut self, object: Value, elements: &[Value], span: Span) -> Lowered<()> {
        for (place, value) in self.element_places(object, span)?.into_iter().zip(elements) {
            self.store(place, *value, span);
        }
        Ok(())
    }

    /// `left op right` in the elements' type; what is compared is 0 or -1, all bits.
    fn of_elements(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        ty: Handle<Type>,
        span: Span,
    ) -> Value {
        if is_comparison(op) {
            let int = self.i32();
            let truth = self.expr(Ir::Binary { op, left, right }, int, span);
            let all = self.expr(Ir::Unary { op: UnaryOp::Neg, operand: truth }, int, span);
            return self.convert(all, ty, span);
        }
        let work = match self.cx.module.types.kind(ty) {
            TypeKind::Int { bits: ..32, .. } => self.i32(),
            _ => ty,
        };
        let [left, right] = [left, right].map(|value| self.convert(value, work, span));
        let value = self.expr(Ir::Binary { op, left, right }, work, span);
        self.convert(value, ty, span)
    }

    /// `op=` of a vector; gives the place assigned.
    pub fn assign_vector(&mut self, op: BinaryOp, place: &Expr, value: &Expr, span: Span) -> Lowered<Value> {
        let (ty, count) = self.elements_of(&place.ty, span)?;
        let mut values = self.vector_elements(value, count)?;
        let target = self.after(&mut values, |f| f.place(place))?;
        let target = self.kept_from_itself(target);
        let places = self.element_places(target, span)?;
        let mut results = vec![];
        for (place, value) in places.into_iter().zip(values) {
            let old = self.load(place, span);
            let result = self.of_elements(op, old, value, ty, span);
            results.push(self.repeatable(result));
        }
        self.store_elements(target, &results, span)?;
        Ok(target)
    }
}
