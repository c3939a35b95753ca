//! Algorithms of the standard library over ranges of pointers, as loops (C++17 §28, §29.8).
//!
//! Their definitions stand in system headers, whose bodies are never read. These are the ones that go once through a range, and call
//! a lambda at most: each is a loop here, so analysis knows what it reads and writes.

use super::Lowered;
use super::expr::unsupported;
use super::function::{Binding, Fun, Variable};
use super::lambda::is_closure;
use crate::ast::{DeclId, Expr, ExprKind, Qual, Ty};
use accl_ir::{BinaryOp, Block, ExprKind as Ir, Handle, Local, Loop, Stmt, Type, TypeKind};
use accl_source::Span;
use std::rc::Rc;

type Value = Handle<accl_ir::Expr>;

/// A range: where it begins, and how many elements it has.
#[derive(Clone, Copy)]
struct Elements {
    first: Value,
    count: Value,
    of: Handle<Type>,
}

fn is_pointer(arg: &Expr) -> bool {
    matches!(&*arg.ty.referred().ty, Ty::Pointer { .. })
}

fn pointee(ty: &Qual) -> Option<Qual> {
    match &*ty.referred().ty {
        Ty::Pointer { to, .. } => Some(to.clone()),
        _ => None,
    }
}

impl Fun<'_, '_> {
    /// `None`: another function.
    pub fn algorithm(&mut self, e: &Expr, name: &str, args: &[Expr]) -> Lowered<Option<Option<Value>>> {
        let pointers = args.iter().take_while(|arg| is_pointer(arg)).count();
        let span = e.span;
        let done = match (name, args, pointers) {
            ("fill", [first, last, value], 2..) => {
                let to = self.range_between(first, last)?;
                self.fill_with(to, value, span)?;
                None
            }
            ("fill_n", [first, count, value], 1..) => {
                let to = self.range_of(first, count)?;
                self.fill_with(to, value, span)?;
                Some(self.end_of(to, span))
            }
            ("copy", [first, last, to], 3) => {
                let from = self.range_between(first, last)?;
                Some(self.copy_to(from, to, span)?)
            }
            ("copy_n", [first, count, to], 1) if is_pointer(to) => {
                let from = self.range_of(first, count)?;
                Some(self.copy_to(from, to, span)?)
            }
            ("iota", [first, last, value], 2) => {
                let to = self.range_between(first, last)?;
                let next = self.accumulator(value, value)?;
                self.each(to, span, |f, place, _| {
                    let now = f.load_local(next, span);
                    let stored = f.convert(now, to.of, span);
                    f.store(place, stored, span);
                    f.add_to(next, None, span)
                })?;
                None
            }
            ("accumulate", [first, last, init], 2) => {
                let from = self.range_between(first, last)?;
                let sum = self.accumulator(init, e)?;
                self.each(from, span, |f, place, _| {
                    let value = f.load(place, span);
                    f.add_to(sum, Some(value), span)
                })?;
                Some(self.load_local(sum, span))
            }
            ("inner_product", [first, last, second, init], 3) => {
                let from = self.range_between(first, last)?;
                let other = self.value(second)?;
                let other = self.repeatable(other);
                let sum = self.accumulator(init, e)?;
                self.each(from, span, |f, place, index| {
                    let (at, _) = f.numbered(other, index, span)?;
                    let [left, right] = [place, at].map(|place| f.load(place, span));
                    let ty = f.wider(left, right);
                    let [left, right] = [left, right].map(|value| f.convert(value, ty, span));
                    let product = f.expr(Ir::Binary { op: BinaryOp::Mul, left, right }, ty, span);
                    f.add_to(sum, Some(product), span)
                })?;
                Some(self.load_local(sum, span))
            }
            ("count", [first, last, value], 2) => {
                let from = self.range_between(first, last)?;
                let value = self.value(value)?;
                let value = self.repeatable(value);
                let ty = self.value_type(e)?;
                let zero = self.int(0, ty, span);
                let found = self.spill("count", zero, span);
                self.each(from, span, |f, place, _| {
                    let then = f.try_block(|f| f.add_to(found, None, span))?.0;
                    let cond = f.compare(BinaryOp::Eq, place, value, span);
                    f.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
                    Ok(())
                })?;
                Some(self.load_local(found, span))
            }
            ("find", [first, last, value], 2) => {
                let from = self.range_between(first, last)?;
                let value = self.value(value)?;
                let value = self.repeatable(value);
                let kept = self.spill("found", from.count, span);
                self.each_until(from, span, |f, place, index| {
                    let cond = f.compare(BinaryOp::Eq, place, value, span);
                    let then = f.block(|f| {
                        let place = f.local_place(kept, span);
                        f.store(place, index, span);
                        f.emit(Stmt::Break, span);
                    });
                    f.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
                    Ok(())
                })?;
                Some(self.address_at(from, kept, span)?)
            }
            ("min_element" | "max_element", [first, last], 2) => {
                let from = self.range_between(first, last)?;
                let zero = self.int(0, self.ty_of(from.count), span);
                let best = self.spill("best", zero, span);
                self.each(from, span, |f, place, index| {
                    let at = f.load_local(best, span);
                    let (known, _) = f.numbered(from.first, at, span)?;
                    let known = f.load(known, span);
                    let better = if name == "min_element" { BinaryOp::Lt } else { BinaryOp::Gt };
                    let cond = f.compare(better, place, known, span);
                    let then = f.block(|f| {
                        let place = f.local_place(best, span);
                        f.store(place, index, span);
                    });
                    f.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
                    Ok(())
                })?;
                Some(self.address_at(from, best, span)?)
            }
            _ => return self.algorithm_with_lambda(e, name, args),
        };
        Ok(Some(done))
    }

    fn algorithm_with_lambda(
        &mut self,
        e: &Expr,
        name: &str,
        args: &[Expr],
    ) -> Lowered<Option<Option<Value>>> {
        let span = e.span;
        let Some((lambda, args)) = args.split_last().filter(|(last, _)| is_closure(&last.ty)) else {
            return Ok(None);
        };
        if args.len() < 2 || !args[..2].iter().all(is_pointer) {
            return Ok(None);
        }
        let Some(of) = &pointee(&args[0].ty) else { return Ok(None) };
        let done = match (name, args) {
            ("for_each", [first, last]) => {
                let range = self.range_between(first, last)?;
                self.each(range, span, |f, place, _| {
                    f.call_with(lambda, &[(place, of)], first, span).map(|_| ())
                })?;
                None
            }
            ("generate", [first, last]) => {
                let range = self.range_between(first, last)?;
                self.each(range, span, |f, place, _| {
                    let value = f.call_with(lambda, &[], first, span)?;
                    f.store_converted(place, value, span)
                })?;
                None
            }
            ("transform", [first, last, others @ .., to])
                if others.len() < 2 && args[2..].iter().all(is_pointer) =>
            {
                let range = self.range_between(first, last)?;
                let others = self.in_order(vec![], others.iter().chain([to]), |f, arg| f.value(arg))?;
                let others: Vec<Value> = others.into_iter().map(|value| self.repeatable(value)).collect();
                let types: Vec<Qual> = args.iter().filter_map(|arg| pointee(&arg.ty)).collect();
                self.each(range, span, |f, place, index| {
                    let mut given = vec![(place, of)];
                    for (other, ty) in others.iter().zip(&types[2..]) {
                        given.push((f.numbered(*other, index, span)?.0, ty));
                    }
                    let Some((target, _)) = given.pop() else { return Ok(()) };
                    let value = f.call_with(lambda, &given, first, span)?;
                    f.store_converted(target, value, span)
                })?;
                others.last().map(|to| self.end_of(Elements { first: *to, ..range }, span))
            }
            ("accumulate", [first, last, init]) => {
                let range = self.range_between(first, last)?;
                let sum = self.accumulator(init, e)?;
                self.each(range, span, |f, place, _| {
                    let sum = f.local_place(sum, span);
                    let value = f.call_with(lambda, &[(sum, e.ty.referred()), (place, of)], first, span)?;
                    f.store_converted(sum, value, span)
                })?;
                Some(self.load_local(sum, span))
            }
            ("count_if", [first, last]) => {
                let range = self.range_between(first, last)?;
                let ty = self.value_type(e)?;
                let zero = self.int(0, ty, span);
                let found = self.spill("count", zero, span);
                self.each(range, span, |f, place, _| {
                    let cond = f.call_with(lambda, &[(place, of)], first, span)?;
                    let then = f.try_block(|f| f.add_to(found, None, span))?.0;
                    f.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
                    Ok(())
                })?;
                Some(self.load_local(found, span))
            }
            ("find_if" | "all_of" | "any_of" | "none_of", [first, last]) => {
                let range = self.range_between(first, last)?;
                let found = self.spill("found", range.count, span);
                self.each_until(range, span, |f, place, index| {
                    let is_so = f.call_with(lambda, &[(place, of)], first, span)?;
                    let leave = f.block(|f| {
                        let place = f.local_place(found, span);
                        f.store(place, index, span);
                        f.emit(Stmt::Break, span);
                    });
                    let (then, otherwise) = if name == "all_of" { (vec![], leave) } else { (leave, vec![]) };
                    f.emit(Stmt::If { cond: is_so, then, otherwise }, span);
                    Ok(())
                })?;
                if name == "find_if" {
                    return Ok(Some(Some(self.address_at(range, found, span)?)));
                }
                let (left, int) = (self.load_local(found, span), self.i32());
                let op = if name == "any_of" { BinaryOp::Lt } else { BinaryOp::Ge };
                let answer = self.expr(Ir::Binary { op, left, right: range.count }, int, span);
                let ty = self.value_type(e)?;
                Some(self.convert(answer, ty, span))
            }
            _ => return Ok(None),
        };
        Ok(Some(done))
    }

    /// Calls a lambda with objects at these places, which it may take by reference.
    fn call_with(
        &mut self,
        lambda: &Expr,
        places: &[(Value, &Qual)],
        range: &Expr,
        span: Span,
    ) -> Lowered<Value> {
        let mut args = vec![];
        for (number, (place, ty)) in places.iter().enumerate() {
            // Clang's ids are addresses, and those of types of the library small numbers.
            let id = DeclId(u64::MAX - 4 * u64::from(range.span.start) - number as u64);
            let name: Rc<str> = "element".into();
            let address = self.address_of(*place, span)?;
            let reference = Qual::new(Ty::Reference((*ty).clone()));
            let binding = Binding::Argument(address);
            let variable = Variable { binding, ty: reference, value: None, extent: None };
            self.vars.insert(id, variable);
            let kind = ExprKind::Var(id, name);
            args.push(Expr { kind, ty: (*ty).clone(), place: true, span: range.span });
        }
        self.call_of_argument(lambda, &args, span)
    }

    fn store_converted(&mut self, place: Value, value: Value, span: Span) -> Lowered<()> {
        let value = self.convert(value, self.ty_of(place), span);
        self.store(place, value, span);
        Ok(())
    }

    fn range_between(&mut self, first: &Expr, last: &Expr) -> Lowered<Elements> {
        let span = last.span;
        let (first, last) = self.pair(|f| f.value(first), |f| f.value(last))?;
        let long = self.cx.module.types.int(64, true);
        let first = self.repeatable(first);
        let count = self.expr(Ir::Binary { op: BinaryOp::Sub, left: last, right: first }, long, span);
        self.of_numbers(first, count, span)
    }

    fn range_of(&mut self, first: &Expr, count: &Expr) -> Lowered<Elements> {
        let span = count.span;
        let (first, count) = self.pair(|f| f.value(first), |f| f.value(count))?;
        let long = self.cx.module.types.int(64, true);
        let (first, count) = (self.repeatable(first), self.convert(count, long, span));
        self.of_numbers(first, count, span)
    }

    fn of_numbers(&mut self, first: Value, count: Value, span: Span) -> Lowered<Elements> {
        let of = self.cx.module.types.element(self.ty_of(first));
        let of = of.filter(|of| self.cx.module.types.is_arithmetic(*of));
        let of = of.ok_or_else(|| unsupported("an algorithm over elements that are no numbers", span))?;
        Ok(Elements { first, count: self.repeatable(count), of })
    }

    /// A loop over the elements; `body` is given an element and its number.
    fn each(
        &mut self,
        range: Elements,
        span: Span,
        body: impl FnOnce(&mut Self, Value, Value) -> Lowered<()>,
    ) -> Lowered<()> {
        let long = self.ty_of(range.count);
        let var = self.temp("index", long, span);
        let body = self.body_of(range, var, span, body)?;
        let [lower, step] = [0, 1].map(|v| self.int(v, long, span));
        self.emit(Stmt::For(Box::new(Loop::counting(var, lower, range.count, step, body))), span);
        Ok(())
    }

    /// The same, of a body that may leave the loop.
    fn each_until(
        &mut self,
        range: Elements,
        span: Span,
        body: impl FnOnce(&mut Self, Value, Value) -> Lowered<()>,
    ) -> Lowered<()> {
        let (long, int) = (self.ty_of(range.count), self.i32());
        let zero = self.int(0, long, span);
        let var = self.spill("index", zero, span);
        let body = self.body_of(range, var, span, body)?;
        let left = self.load_local(var, span);
        let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left, right: range.count }, int, span);
        let step = self.try_block(|f| f.add_to(var, None, span))?.0;
        self.emit(Stmt::While { cond: Some(cond), body, step, test_last: false }, span);
        Ok(())
    }

    fn body_of(
        &mut self,
        range: Elements,
        var: Handle<Local>,
        span: Span,
        body: impl FnOnce(&mut Self, Value, Value) -> Lowered<()>,
    ) -> Lowered<Block> {
        let (block, ()) = self.try_block(|f| {
            let index = f.load_local(var, span);
            let (place, _) = f.numbered(range.first, index, span)?;
            body(f, place, index)
        })?;
        Ok(block)
    }

    fn numbered(&mut self, base: Value, index: Value, span: Span) -> Lowered<(Value, Handle<Type>)> {
        let of = self.cx.module.types.element(self.ty_of(base));
        let of = of.ok_or_else(|| unsupported("an algorithm over these elements", span))?;
        Ok((self.expr(Ir::Index { base, index }, of, span), of))
    }

    fn address_at(&mut self, range: Elements, number: Handle<Local>, span: Span) -> Lowered<Value> {
        let right = self.load_local(number, span);
        let ty = self.ty_of(range.first);
        Ok(self.expr(Ir::Binary { op: BinaryOp::Add, left: range.first, right }, ty, span))
    }

    fn end_of(&mut self, range: Elements, span: Span) -> Value {
        let ty = self.ty_of(range.first);
        self.expr(Ir::Binary { op: BinaryOp::Add, left: range.first, right: range.count }, ty, span)
    }

    fn fill_with(&mut self, to: Elements, value: &Expr, span: Span) -> Lowered<()> {
        let value = self.value(value)?;
        let value = self.convert(value, to.of, span);
        let value = self.repeatable(value);
        self.each(to, span, |f, place, _| {
            f.store(place, value, span);
            Ok(())
        })
    }

    /// Elements that lie in the target are read before they are overwritten: the target may begin before them (C++17 §28.6.1).
    fn copy_to(&mut self, from: Elements, to: &Expr, span: Span) -> Lowered<Value> {
        let to = self.value(to)?;
        let to = self.repeatable(to);
        self.each(from, span, |f, place, index| {
            let (target, of) = f.numbered(to, index, span)?;
            let value = f.load(place, span);
            let value = f.convert(value, of, span);
            f.store(target, value, span);
            Ok(())
        })?;
        Ok(self.end_of(Elements { first: to, ..from }, span))
    }

    /// A local that begins with a value and has the type of an expression.
    fn accumulator(&mut self, init: &Expr, like: &Expr) -> Lowered<Handle<Local>> {
        let ty = self.usable(like.ty.referred(), like.span)?;
        if !self.cx.module.types.is_arithmetic(ty) {
            return Err(unsupported("an algorithm over elements that are no numbers", like.span));
        }
        let value = self.value(init)?;
        let value = self.convert(value, ty, init.span);
        Ok(self.spill("sum", value, init.span))
    }

    /// Adds a value, or 1.
    fn add_to(&mut self, sum: Handle<Local>, value: Option<Value>, span: Span) -> Lowered<()> {
        let ty = self.body.locals[sum].ty;
        let left = self.load_local(sum, span);
        let right = match value {
            Some(value) => value,
            None => {
                let (int, one) = (self.i32(), 1);
                self.int(one, int, span)
            }
        };
        let wide = self.wider(left, right);
        let [left, right] = [left, right].map(|value| self.convert(value, wide, span));
        let all = self.expr(Ir::Binary { op: BinaryOp::Add, left, right }, wide, span);
        let all = self.convert(all, ty, span);
        let place = self.local_place(sum, span);
        self.store(place, all, span);
        Ok(())
    }

    /// The type that an operator makes of two numbers (C++17 §8, "usual arithmetic conversions").
    fn wider(&mut self, left: Value, right: Value) -> Handle<Type> {
        let types = &mut self.cx.module.types;
        let [left, right] = [left, right].map(|value| self.body.exprs[value].ty);
        let kind = |ty| match *types.kind(ty) {
            TypeKind::Float { bits } => (true, bits, true),
            TypeKind::Int { bits, signed } if bits >= 32 => (false, bits, signed),
            _ => (false, 32, true),
        };
        let ((a_float, a_bits, a_signed), (b_float, b_bits, b_signed)) = (kind(left), kind(right));
        match (a_float, b_float) {
            (true, true) => types.float(a_bits.max(b_bits)),
            (true, false) => left,
            (false, true) => right,
            (false, false) => {
                let bits = a_bits.max(b_bits);
                let is_unsigned = a_bits == bits && !a_signed || b_bits == bits && !b_signed;
                types.int(bits, !is_unsigned)
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, place: Value, right: Value, span: Span) -> Value {
        let (left, int) = (self.load(place, span), self.i32());
        let ty = self.wider(left, right);
        let [left, right] = [left, right].map(|value| self.convert(value, ty, span));
        self.expr(Ir::Binary { op, left, right }, int, span)
    }
}
