//! Expressions of a wanted type, no deeper than a wanted depth.

use super::*;

impl Gen<'_> {
    pub(super) fn arithmetic(&mut self, ty: Handle<Type>) -> BinaryOp {
        use BinaryOp::*;
        if self.module.types.is_float(ty) {
            self.choices.pick(&[Add, Sub, Mul, Div])
        } else {
            self.choices.pick(&[Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor])
        }
    }

    /// A value of a scalar type.
    pub(super) fn value(&mut self, ty: Handle<Type>, depth: usize) -> Handle<Expr> {
        if depth == 0 {
            return if self.choices.flag() { self.literal(ty) } else { self.load(ty, 0) };
        }
        let number = self.pool.numbers().contains(&ty);
        match self.choices.below(12) {
            0 | 1 => self.load(ty, depth - 1),
            2 => self.literal(ty),
            3..=5 if number => {
                let op = self.arithmetic(ty);
                let (left, right) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
                self.body.binary(op, left, right)
            }
            3..=5 if ty == self.pool.pointer => self.pointer(depth - 1),
            6 if number => {
                let operand = self.value(ty, depth - 1);
                let ops: &[UnaryOp] = if self.module.types.is_float(ty) {
                    &[UnaryOp::Neg]
                } else {
                    &[UnaryOp::Neg, UnaryOp::BitNot]
                };
                let op = self.choices.pick(ops);
                self.body.unary(&mut self.module.types, op, operand)
            }
            7 if number => {
                let from = self.choices.pick(&self.pool.numbers());
                let operand = self.value(from, depth - 1);
                self.body.expr(ExprKind::Cast(operand), ty, Span::default())
            }
            8 => {
                let cond = self.scalar_at(depth - 1);
                let (yes, no) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
                self.body.select(cond, yes, no)
            }
            9 if ty == self.pool.int => self.comparison(depth - 1),
            9 if self.module.types.is_float(ty) => self.math(ty, depth - 1),
            10 if ty == self.pool.double => {
                let args = self.args_at(depth - 1);
                let kind = ExprKind::Call { function: self.callee, args };
                self.body.expr(kind, ty, Span::default())
            }
            _ => self.load(ty, depth - 1),
        }
    }

    pub(super) fn args_at(&mut self, depth: usize) -> Vec<Handle<Expr>> {
        vec![self.value(self.pool.int, depth), self.value(self.pool.double, depth)]
    }

    pub(super) fn scalar_at(&mut self, depth: usize) -> Handle<Expr> {
        let ty = self.choices.pick(&self.pool.scalars());
        self.value(ty, depth)
    }

    pub(super) fn comparison(&mut self, depth: usize) -> Handle<Expr> {
        use BinaryOp::*;
        let ty = self.choices.pick(&self.pool.scalars());
        let (left, right) = (self.value(ty, depth), self.value(ty, depth));
        if self.choices.below(5) == 4 {
            return self.body.unary(&mut self.module.types, UnaryOp::Not, left);
        }
        let op = self.choices.pick(&[Lt, Eq, Ne, Le, Gt, Ge, LogicalAnd, LogicalOr]);
        self.body.compare(&mut self.module.types, op, left, right)
    }

    pub(super) fn math(&mut self, ty: Handle<Type>, depth: usize) -> Handle<Expr> {
        let fun = self.choices.pick(&[MathFn::Sqrt, MathFn::Pow, MathFn::Fma, MathFn::Ldexp]);
        let arity = match fun {
            MathFn::Sqrt | MathFn::Ldexp => 1,
            MathFn::Pow => 2,
            _ => 3,
        };
        let mut args: Vec<_> = (0..arity).map(|_| self.value(ty, depth)).collect();
        if fun == MathFn::Ldexp {
            args.push(self.value(self.pool.int, depth));
        }
        self.body.math(fun, args)
    }

    /// A computed `f64*`.
    pub(super) fn pointer(&mut self, depth: usize) -> Handle<Expr> {
        let ty = self.pool.pointer;
        match self.choices.below(3) {
            0 => {
                let (left, right) = (self.value(ty, depth), self.value(self.pool.int, depth));
                self.body.binary(BinaryOp::Add, left, right)
            }
            1 => {
                let place = self.place(self.pool.double, depth);
                self.body.expr(ExprKind::AddrOf(place), ty, Span::default())
            }
            _ => {
                let table = self.module.globals.handles().next().map(|g| (g, self.module.globals[g].ty));
                let (table, array) = table.expect("a global");
                let place = self.body.expr(ExprKind::Global(table), array, Span::default());
                self.body.expr(ExprKind::Decay(place), ty, Span::default())
            }
        }
    }

    pub(super) fn literal(&mut self, ty: Handle<Type>) -> Handle<Expr> {
        if self.module.types.is_float(ty) {
            let values = [0.0, 1.5, -2.0, 0.1, 1e300, f64::INFINITY, -f64::INFINITY, f64::NAN, -0.0];
            let value = self.choices.pick(&values);
            return self.body.float(value, ty);
        }
        let small: &[i128] = match self.module.types.kind(ty) {
            TypeKind::Pointer { .. } => &[0],
            TypeKind::Bool => &[0, 1],
            _ => &[0, 1, -1, 2, 127],
        };
        let value = self.choices.pick(small);
        self.body.int(value, ty)
    }

    pub(super) fn load(&mut self, ty: Handle<Type>, depth: usize) -> Handle<Expr> {
        let place = self.readable(ty, depth);
        self.body.load(place)
    }

    pub(super) fn readable(&mut self, ty: Handle<Type>, depth: usize) -> Handle<Expr> {
        let fit: Vec<_> = self.visible.iter().copied().filter(|l| self.body.locals[*l].ty == ty).collect();
        if self.choices.flag() && depth > 0 {
            return self.place(ty, depth);
        }
        let local = self.choices.pick(&fit);
        self.body.place(local)
    }

    /// A place of a scalar type that may be written.
    pub(super) fn place(&mut self, ty: Handle<Type>, depth: usize) -> Handle<Expr> {
        if depth > 0 && self.choices.flag() {
            if ty == self.pool.double {
                return self.element(depth - 1);
            }
            if ty == self.pool.int {
                return self.member(1, depth - 1);
            }
            if ty == self.pool.node {
                return self.member(2, depth - 1);
            }
        }
        let local = self.local_of(ty);
        self.body.place(local)
    }

    /// A place of type `f64`.
    pub(super) fn element(&mut self, depth: usize) -> Handle<Expr> {
        let index = self.value(self.pool.int, depth);
        match self.choices.below(5) {
            0 => {
                let base = self.value(self.pool.pointer, depth);
                self.body.index(&self.module.types, base, index)
            }
            1 => {
                let pointer = self.value(self.pool.pointer, depth);
                self.body.deref(&self.module.types, pointer)
            }
            2 => self.member(0, depth),
            3 => {
                let q = self.body.local_named("q").expect("every body has it");
                let base = self.body.load_local(q);
                self.body.index(&self.module.types, base, index)
            }
            _ => {
                let m = self.body.local_named("m").expect("every body has it");
                let base = self.body.place(m);
                let row = self.body.index(&self.module.types, base, index);
                let column = self.value(self.pool.byte, depth);
                self.body.index(&self.module.types, row, column)
            }
        }
    }

    /// `x`, `k[i]` or `next` of a structure.
    pub(super) fn member(&mut self, field: u32, depth: usize) -> Handle<Expr> {
        let base = if self.choices.flag() {
            let r = self.body.local_named("r").expect("every body has it");
            self.body.place(r)
        } else {
            let pointer = self.value(self.pool.node, depth);
            self.body.deref(&self.module.types, pointer)
        };
        let TypeKind::Struct(def) = *self.module.types.kind(self.pool.structure) else { unreachable!() };
        let ty = self.module.types.structs[def].fields[field as usize].ty;
        let place = self.body.expr(ExprKind::Member { base, field }, ty, Span::default());
        if field != 1 {
            return place;
        }
        let index = self.value(self.pool.int, depth);
        self.body.index(&self.module.types, place, index)
    }
}
