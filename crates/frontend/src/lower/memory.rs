//! `memset`, `memcpy` and `memmove`: loops over elements, which analysis understands.
//!
//! The elements have the type that the pointers point to where the size is a number of such elements; otherwise
//! they are bytes.

use super::Lowered;
use super::function::Fun;
use super::walk::is_text;
use crate::ast::{Expr, ExprKind};
use crate::clang::fold;
use accl_ir::{
    BinaryOp, Compare, Expr as IrExpr, ExprKind as Ir, Handle, Loop, MathFn, Stmt, StmtNode, Type, TypeKind,
};
use accl_source::Span;

type Value = Handle<IrExpr>;

/// This many elements, starting at each of the pointers.
struct Stretch {
    to: Value,
    /// What is copied; none of `memset`.
    from: Option<Value>,
    element: Handle<Type>,
    count: Value,
    span: Span,
}

impl Fun<'_, '_> {
    /// A call of one of the functions; returns the pointer that the call returns.
    /// `malloc` and `free`, and OpenMP's routines that do the same with an allocator (OpenMP 5.2 §18.13): the memory is the
    /// device's. The first value is whether the call is one of these.
    pub fn allocation(&mut self, e: &Expr, name: &str, args: &[Expr]) -> Lowered<(bool, Option<Value>)> {
        let (callee, argument) = match (name.trim_start_matches("__builtin_"), args) {
            ("malloc", [size]) | ("omp_alloc", [size, _]) => ("malloc", size),
            // Memory of a device's heap lies at multiples of 16.
            ("omp_aligned_alloc", [align, size, _]) if fold(align).is_some_and(|n| n <= 16) => {
                ("malloc", size)
            }
            ("free", [pointer]) | ("omp_free", [pointer, _] | [pointer]) => ("free", pointer),
            _ => return Ok((false, None)),
        };
        let value = self.value(argument)?;
        let void = self.cx.module.types.void();
        let pointer = self.cx.module.types.pointer(void);
        let result = if callee == "malloc" { pointer } else { void };
        let wanted = if callee == "malloc" { self.cx.module.types.int(64, false) } else { pointer };
        let value = self.convert(value, wanted, e.span);
        let function = self.cx.device_library(callee, result);
        if callee == "free" {
            self.emit(Stmt::Call { dest: None, function, args: vec![value] }, e.span);
            return Ok((true, None));
        }
        let local = self.temp("allocated", result, e.span);
        self.emit(Stmt::Declare { local, init: None }, e.span);
        let place = self.local_place(local, e.span);
        self.emit(Stmt::Call { dest: Some(place), function, args: vec![value] }, e.span);
        Ok((true, Some(self.load_local(local, e.span))))
    }

    pub fn memory(&mut self, e: &Expr, name: &str, args: &[Expr]) -> Lowered<Option<Value>> {
        if args.len() != 3 {
            return Ok(None);
        }
        let name = name.trim_start_matches("__builtin_");
        if !matches!(name, "memset" | "memcpy" | "memmove") {
            return Ok(None);
        }
        let values = self.in_order(vec![], args, |f, arg| match &arg.kind {
            // The characters of a literal are used here alone.
            ExprKind::Cast { operand, .. } if is_text(operand) => {
                f.characters_at(operand).map(|text| f.decay_place(text, arg.span))
            }
            _ => f.value(arg),
        })?;
        let [result, second, bytes] = values[..] else { return Ok(None) };
        let (result, second) = (self.lasting(result), self.lasting(second));
        let copies = name != "memset";
        let mut stretch = Stretch {
            to: self.typed(result),
            from: copies.then(|| self.typed(second)),
            element: self.cx.module.types.int(8, false),
            count: bytes,
            span: e.span,
        };
        let filling = if copies { None } else { Some(second) };
        match self.elements(&stretch, filling) {
            Some((element, count)) => (stretch.element, stretch.count) = (element, count),
            None if self.reinterpret(&stretch) => return Ok(Some(result)),
            None => {}
        }
        let pointer = self.cx.module.types.pointer(stretch.element);
        stretch.to = self.convert(stretch.to, pointer, e.span);
        stretch.from = stretch.from.map(|from| self.convert(from, pointer, e.span));
        let filling = filling.map(|byte| self.filling(byte, stretch.element, e.span));
        if name == "memmove" {
            self.move_elements(&stretch);
        } else {
            let forward = self.each_element(&stretch, filling, false);
            self.emit(forward.kind, e.span);
        }
        Ok(Some(result))
    }

    /// A pointer or number whose value is the same after each element that is written.
    fn lasting(&mut self, value: Value) -> Value {
        if self.is_lasting(value) {
            return value;
        }
        let span = self.body.exprs[value].span;
        let local = self.spill("address", value, span);
        self.load_local(local, span)
    }

    fn is_lasting(&self, value: Value) -> bool {
        match &self.body.exprs[value].kind {
            Ir::Load(place) => matches!(self.body.exprs[*place].kind, Ir::Local(_) | Ir::Global(_)),
            kind => kind.operands().into_iter().all(|operand| self.is_lasting(operand)),
        }
    }

    /// The pointer before its conversion to `void *`; a pointer to an array becomes one to its innermost elements.
    fn typed(&mut self, pointer: Value) -> Value {
        let inner = match self.body.exprs[pointer].kind {
            Ir::Cast(inner) if matches!(self.kind_of(inner), TypeKind::Pointer { .. }) => self.typed(inner),
            _ => pointer,
        };
        let mut element = self.pointee(inner);
        while let TypeKind::Array { of, .. } = *self.cx.module.types.kind(element) {
            element = of;
        }
        if element == self.pointee(inner) {
            return inner;
        }
        let ty = self.cx.module.types.pointer(element);
        let span = self.body.exprs[inner].span;
        self.expr(Ir::Cast(inner), ty, span)
    }

    fn pointee(&self, pointer: Value) -> Handle<Type> {
        let ty = self.ty_of(pointer);
        self.cx.module.types.element(ty).unwrap_or(ty)
    }

    /// The elements' type and how many there are, where the bytes are a number of whole ones whose value is known.
    fn elements(&mut self, stretch: &Stretch, filling: Option<Value>) -> Option<(Handle<Type>, Value)> {
        let element = self.pointee(stretch.to);
        let other = stretch.from.map_or(element, |from| self.pointee(from));
        let size = self.cx.module.types.size_of(element).filter(|size| *size > 0 && other == element)?;
        if let Some(byte) = filling {
            let value = self.body.const_int(&self.cx.module.types, byte);
            let zero = value == Some(0) && self.cx.module.types.is_scalar(element);
            let repeats = matches!(self.cx.module.types.kind(element), TypeKind::Int { .. })
                && (value.is_some() || size == 1);
            if !zero && !repeats {
                return None;
            }
        }
        let count = self.quotient(stretch.count, size.into())?;
        Some((element, count))
    }

    /// `value / divisor`, where it is known to leave no remainder: for a constant, or a product with one.
    fn quotient(&mut self, value: Value, divisor: i128) -> Option<Value> {
        if divisor == 1 {
            return Some(value);
        }
        let IrExpr { kind, ty, span } = self.body.exprs[value].clone();
        if let Some(known) = self.body.const_int(&self.cx.module.types, value) {
            return (known % divisor == 0).then(|| self.int(known / divisor, ty, span));
        }
        match kind {
            Ir::Binary { op: BinaryOp::Mul, left, right } => {
                let one = |f: &Self, side| f.body.const_int(&f.cx.module.types, side) == Some(1);
                let (left, right) = match self.quotient(right, divisor) {
                    Some(right) => (left, right),
                    None => (self.quotient(left, divisor)?, right),
                };
                Some(match (one(self, left), one(self, right)) {
                    (true, _) => right,
                    (_, true) => left,
                    _ => self.expr(Ir::Binary { op: BinaryOp::Mul, left, right }, ty, span),
                })
            }
            _ => None,
        }
    }

    /// The bits of one number as those of another: what `memcpy(&bits, &number, sizeof bits)` is for.
    fn reinterpret(&mut self, stretch: &Stretch) -> bool {
        let Some(from) = stretch.from else { return false };
        let types = &self.cx.module.types;
        let (to_ty, from_ty) = (self.pointee(stretch.to), self.pointee(from));
        let size = types.size_of(to_ty).filter(|size| matches!(size, 4 | 8));
        let known = self.body.const_int(types, stretch.count);
        if size.is_none() || types.size_of(from_ty) != size || known != size.map(i128::from) {
            return false;
        }
        let fun = match (types.is_float(from_ty), types.is_float(to_ty)) {
            (true, false) if types.is_integer(to_ty) => MathFn::ToBits,
            (false, true) if types.is_integer(from_ty) => MathFn::FromBits,
            _ => return false,
        };
        let bits = self.cx.module.types.int(if size == Some(4) { 32 } else { 64 }, false);
        let [to, from] =
            [(stretch.to, to_ty), (from, from_ty)].map(|(p, ty)| self.object_at(p, ty, stretch.span));
        let value = self.load(from, stretch.span);
        let value = match fun {
            MathFn::ToBits => {
                let word = self.expr(Ir::Math { fun, args: vec![value] }, bits, stretch.span);
                self.convert(word, to_ty, stretch.span)
            }
            _ => {
                let word = self.convert(value, bits, stretch.span);
                self.expr(Ir::Math { fun, args: vec![word] }, to_ty, stretch.span)
            }
        };
        self.store(to, value, stretch.span);
        true
    }

    /// What a pointer points to.
    fn object_at(&mut self, pointer: Value, ty: Handle<Type>, span: Span) -> Value {
        match self.body.exprs[pointer].kind {
            Ir::AddrOf(place) => place,
            _ => self.expr(Ir::Deref(pointer), ty, span),
        }
    }

    /// The value of an element whose bytes all are `byte`.
    fn filling(&mut self, byte: Value, element: Handle<Type>, span: Span) -> Value {
        let TypeKind::Int { bits, signed } = *self.cx.module.types.kind(element) else {
            return match self.cx.module.types.is_float(element) {
                true => self.expr(Ir::Float(0.0), element, span),
                false => self.int(0, element, span),
            };
        };
        match self.body.const_int(&self.cx.module.types, byte) {
            Some(value) => {
                let all = (0..bits / 8).fold(0, |all: i128, _| all << 8 | value & 0xff);
                self.int(crate::clang::wrap(all, bits, signed), element, span)
            }
            None => self.convert(byte, element, span),
        }
    }

    /// The first elements first where the destination begins before the source, and the last ones first where it
    /// begins after it.
    fn move_elements(&mut self, stretch: &Stretch) {
        let forward = self.each_element(stretch, None, false);
        let backward = self.each_element(stretch, None, true);
        let int = self.i32();
        let from = stretch.from.unwrap_or(stretch.to);
        let before = Ir::Binary { op: BinaryOp::Le, left: stretch.to, right: from };
        let cond = self.expr(before, int, stretch.span);
        self.emit(Stmt::If { cond, then: vec![forward], otherwise: vec![backward] }, stretch.span);
    }

    /// `pointer[index]`, as a subscript of the array that the pointer points into where there is one.
    fn element_behind(&mut self, pointer: Value, index: Value, element: Handle<Type>, span: Span) -> Value {
        let (base, first) = match self.body.exprs[pointer].kind {
            Ir::Decay(array) => (array, None),
            Ir::AddrOf(place) => match self.body.exprs[place].kind {
                Ir::Index { base, index } => (base, Some(index)),
                _ => (pointer, None),
            },
            Ir::Binary { op: BinaryOp::Add, left, right } => {
                let long = self.i64();
                let right = self.convert(right, long, span);
                let sum = self.expr(Ir::Binary { op: BinaryOp::Add, left: right, right: index }, long, span);
                return self.element_behind(left, sum, element, span);
            }
            _ => (pointer, None),
        };
        if self.pointee(base) != element {
            return self.expr(Ir::Index { base: pointer, index }, element, span);
        }
        let index = match first {
            None => index,
            Some(first) if self.body.exprs[index].kind == Ir::Int(0) => first,
            Some(first) => {
                let long = self.i64();
                let first = self.convert(first, long, span);
                self.expr(Ir::Binary { op: BinaryOp::Add, left: first, right: index }, long, span)
            }
        };
        self.expr(Ir::Index { base, index }, element, span)
    }

    /// A loop over the elements that fills or copies them.
    fn each_element(&mut self, stretch: &Stretch, filling: Option<Value>, backward: bool) -> StmtNode {
        let Stretch { count, span, .. } = *stretch;
        let long = self.i64();
        if self.body.const_int(&self.cx.module.types, count) == Some(1) {
            let zero = self.int(0, long, span);
            return self.element_stored(stretch, filling, zero);
        }
        let var = self.temp("at", long, span);
        let index = self.load_local(var, span);
        let body = vec![self.element_stored(stretch, filling, index)];
        let count = self.convert(count, long, span);
        let [zero, one, minus_one] = [0, 1, -1].map(|n| self.int(n, long, span));
        let (lower, compare, bound, step) = match backward {
            false => (zero, Compare::Lt, count, one),
            true => {
                let last = Ir::Binary { op: BinaryOp::Sub, left: count, right: one };
                (self.expr(last, long, span), Compare::Ge, zero, minus_one)
            }
        };
        let counting = Loop { compare, ..Loop::counting(var, lower, bound, step, body) };
        StmtNode { kind: Stmt::For(Box::new(counting)), span }
    }

    fn element_stored(&mut self, stretch: &Stretch, filling: Option<Value>, index: Value) -> StmtNode {
        let Stretch { to, from, element, span, .. } = *stretch;
        let to = self.element_behind(to, index, element, span);
        let value = match (filling, from) {
            (Some(value), _) => value,
            (None, from) => {
                let from = self.element_behind(from.unwrap_or(to), index, element, span);
                self.load(from, span)
            }
        };
        StmtNode { kind: Stmt::Store { place: to, op: None, value }, span }
    }
}
