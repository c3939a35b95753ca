//! Rules for expressions: places and values where they belong, types that agree.

use super::{Checker, Seen, Stage};
use crate::{
    BinaryOp, Builtin, Expr, ExprKind, Function, Handle, MathFn, Type, TypeKind, UnaryOp, natural_type,
};

impl<'a> Checker<'a> {
    /// Checks `e` and that it is a value; returns its type, if it is sound.
    pub(super) fn value(&mut self, e: Handle<Expr>) -> Option<Handle<Type>> {
        let expr = self.sound(e)?;
        if expr.kind.is_place() {
            self.report(format!(
                "the place `{}` stands where a value belongs: it needs a load",
                self.text(e)
            ));
            return None;
        }
        Some(expr.ty)
    }

    /// Checks `e` and that it is a place; returns its type, if it is sound.
    pub(super) fn place(&mut self, e: Handle<Expr>) -> Option<Handle<Type>> {
        let expr = self.sound(e)?;
        if !expr.kind.is_place() {
            self.report(format!("the value `{}` stands where a place belongs", self.text(e)));
            return None;
        }
        Some(expr.ty)
    }

    /// A value of type `ty`.
    pub(super) fn value_of(&mut self, e: Handle<Expr>, ty: Handle<Type>, what: &str) {
        if let Some(own) = self.value(e) {
            self.rule(self.same(own, ty), |c| {
                let (own, ty) = (c.type_text(own), c.type_text(ty));
                format!("{what} `{}` has type {own}, not {ty}", c.text(e))
            });
        }
    }

    pub(super) fn scalar(&mut self, e: Handle<Expr>, what: &str) {
        if let Some(ty) = self.value(e) {
            self.rule(self.is_scalar(ty), |c| format!("{what} `{}` is not a scalar", c.text(e)));
        }
    }

    pub(super) fn integer(&mut self, e: Handle<Expr>, what: &str) {
        if let Some(ty) = self.value(e) {
            self.rule(self.is_integer(ty), |c| format!("{what} `{}` is not an integer", c.text(e)));
        }
    }

    /// The expression, after it and its operands are checked, once each.
    fn sound(&mut self, e: Handle<Expr>) -> Option<&'a Expr> {
        let body = self.body;
        let Some(expr) = body.exprs.get(e) else {
            self.report(format!("expression {} does not exist", e.index()));
            return None;
        };
        match self.seen[e.index()] {
            Seen::Done => return Some(expr),
            Seen::Open => {
                self.report(format!("expression {} is part of itself", e.index()));
                return None;
            }
            Seen::No => self.seen[e.index()] = Seen::Open,
        }
        let before = self.errors.len();
        if self.module.types.get(expr.ty).is_none() {
            self.report(format!("expression {} has no type", e.index()));
        } else {
            self.kind(e, expr);
        }
        self.seen[e.index()] = Seen::Done;
        (self.errors.len() == before).then_some(expr)
    }

    fn kind(&mut self, e: Handle<Expr>, expr: &'a Expr) {
        let before = self.errors.len();
        match &expr.kind {
            ExprKind::Int(v) => self.int_literal(e, *v, expr.ty),
            ExprKind::Float(_) => self.rule(self.is_float(expr.ty), |c| {
                format!("a floating literal has type {}", c.type_text(expr.ty))
            }),
            ExprKind::Local(l) => self
                .rule(self.body.locals.get(*l).is_some(), |_| format!("local {} does not exist", l.index())),
            ExprKind::Global(g) => self.rule(self.module.globals.get(*g).is_some(), |_| {
                format!("global {} does not exist", g.index())
            }),
            ExprKind::Deref(p) => self.pointer(*p, "`*` of"),
            ExprKind::Index { base, index } => self.index(*base, *index),
            ExprKind::Member { base, field } => self.member(*base, *field),
            ExprKind::Load(place) => self.load(*place),
            ExprKind::AddrOf(place) => {
                self.place(*place);
            }
            ExprKind::Decay(place) => {
                if let Some(ty) = self.place(*place) {
                    self.rule(self.is_array(ty), |c| format!("`{}` decays but is no array", c.text(*place)));
                }
            }
            ExprKind::Unary { op, operand } => self.unary(*op, *operand),
            ExprKind::Binary { op, left, right } => self.binary(*op, *left, *right),
            ExprKind::Cast(operand) => self.cast(*operand, expr.ty),
            ExprKind::Select { cond, yes, no } => {
                self.scalar(*cond, "the condition");
                if let Some(ty) = self.value(*yes) {
                    self.value_of(*no, ty, "the other choice");
                }
            }
            ExprKind::Checked { index, first, end, .. } => {
                for e in [index, first, end] {
                    self.integer(*e, "a subscript's bound");
                }
            }
            ExprKind::Math { fun, args } => self.math(*fun, args, expr.ty),
            ExprKind::Call { function, args } => {
                self.call(*function, args);
            }
            ExprKind::Builtin(b) => self.builtin(*b),
        }
        if self.errors.len() == before {
            self.natural(e, expr);
        }
    }

    /// The expression's own type is the one that its operands give.
    fn natural(&mut self, e: Handle<Expr>, expr: &Expr) {
        // Literals state their type, casts create it, and functions of mathematics were checked with it.
        if matches!(
            expr.kind,
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Cast(_) | ExprKind::Math { .. }
        ) {
            return;
        }
        let kept = match natural_type(self.module, self.body, &expr.kind) {
            Some(crate::Natural::Known(ty)) => self.same(ty, expr.ty),
            Some(natural @ crate::Natural::Kind(_)) => {
                natural.is(self.module, expr.ty) || self.same_pointer(&natural, expr.ty)
            }
            None => false,
        };
        self.rule(kept, |c| {
            let ty = c.type_text(expr.ty);
            format!("`{}` says it has type {ty}, but its operands give another", c.text(e))
        });
    }

    fn same_pointer(&self, natural: &crate::Natural, ty: Handle<Type>) -> bool {
        match (natural, self.module.types.get(ty)) {
            (
                crate::Natural::Kind(TypeKind::Pointer { to: a, .. }),
                Some(TypeKind::Pointer { to: b, .. }),
            ) => self.same(*a, *b),
            _ => false,
        }
    }

    fn int_literal(&mut self, e: Handle<Expr>, v: i128, ty: Handle<Type>) {
        let kept = match self.module.types.get(ty) {
            Some(TypeKind::Int { bits, .. }) => (-(1i128 << (bits - 1))..1i128 << bits).contains(&v),
            Some(TypeKind::Bool) => v == 0 || v == 1,
            Some(TypeKind::Pointer { .. }) => v == 0,
            _ => false,
        };
        self.rule(kept, |c| format!("the literal `{}` does not fit its type {}", c.text(e), c.type_text(ty)));
    }

    fn pointer(&mut self, e: Handle<Expr>, what: &str) {
        if let Some(ty) = self.value(e) {
            self.rule(self.is_pointer(ty), |c| format!("{what} `{}`, which is no pointer", c.text(e)));
        }
    }

    fn index(&mut self, base: Handle<Expr>, index: Handle<Expr>) {
        self.integer(index, "the index");
        let Some(expr) = self.sound(base) else { return };
        let fits = if expr.kind.is_place() { self.is_array(expr.ty) } else { self.is_pointer(expr.ty) };
        self.rule(fits, |c| {
            format!(
                "the base `{}` is neither a place of array type nor a value of pointer type",
                c.text(base)
            )
        });
    }

    fn member(&mut self, base: Handle<Expr>, field: u32) {
        let Some(ty) = self.place(base) else { return };
        let fields = match self.module.types.get(ty) {
            Some(TypeKind::Struct(def)) => self.module.types.structs[*def].fields.len(),
            _ => return self.report(format!("`{}` is no structure", self.text(base))),
        };
        self.rule((field as usize) < fields, |c| format!("`{}` has no field {field}", c.text(base)));
    }

    fn load(&mut self, place: Handle<Expr>) {
        if let Some(ty) = self.place(place) {
            let fits = !self.is_array(ty) && self.module.types.get(ty) != Some(&TypeKind::Void);
            self.rule(fits, |c| format!("`{}` of type {} is loaded", c.text(place), c.type_text(ty)));
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: Handle<Expr>) {
        let Some(ty) = self.value(operand) else { return };
        let fits = match op {
            UnaryOp::Neg => self.is_arithmetic(ty),
            UnaryOp::BitNot => self.is_integer(ty),
            UnaryOp::Not => self.is_scalar(ty),
        };
        self.rule(fits, |c| format!("{op:?} of `{}`, of type {}", c.text(operand), c.type_text(ty)));
    }

    fn binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) {
        let (l, r) = (self.value(left), self.value(right));
        let (Some(l), Some(r)) = (l, r) else { return };
        self.rule(self.operands_fit(op, l, r), |c| {
            let (l, r) = (c.type_text(l), c.type_text(r));
            format!("{op:?} of `{}` ({l}) and `{}` ({r})", c.text(left), c.text(right))
        });
    }

    /// Whether `op` takes operands of these types.
    pub(super) fn operands_fit(&self, op: BinaryOp, l: Handle<Type>, r: Handle<Type>) -> bool {
        let same = self.same(l, r);
        match op {
            BinaryOp::Add if self.is_pointer(l) => self.is_integer(r),
            BinaryOp::Add if self.is_pointer(r) => self.is_integer(l),
            BinaryOp::Sub if self.is_pointer(l) => same || self.is_integer(r),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => same && self.is_arithmetic(l),
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                same && self.is_integer(l)
            }
            BinaryOp::Shl | BinaryOp::Shr => self.is_integer(l) && self.is_integer(r),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                same && self.is_scalar(l)
            }
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => self.is_scalar(l) && self.is_scalar(r),
        }
    }

    fn cast(&mut self, operand: Handle<Expr>, to: Handle<Type>) {
        let Some(from) = self.value(operand) else { return };
        let crossing =
            self.is_pointer(from) && self.is_float(to) || self.is_float(from) && self.is_pointer(to);
        let fits = self.is_scalar(from) && self.is_scalar(to) && !crossing;
        self.rule(fits || self.same(from, to), |c| {
            format!("`{}` of type {} is cast to {}", c.text(operand), c.type_text(from), c.type_text(to))
        });
    }

    fn math(&mut self, fun: MathFn, args: &'a [Handle<Expr>], ty: Handle<Type>) {
        let name = fun.c_name();
        let arity = fun.arity();
        if args.len() != arity {
            return self.report(format!("`{name}` takes {arity} arguments, not {}", args.len()));
        }
        let types: Vec<_> = args.iter().map(|a| self.value(*a)).collect();
        let Some(types) = types.into_iter().collect::<Option<Vec<_>>>() else { return };
        let int = |c: &Self, ty, bits| c.module.types.get(ty) == Some(&TypeKind::Int { bits, signed: true });
        let all_of_type = types.iter().all(|t| *t == ty);
        let fits = match fun {
            MathFn::Ldexp => types[0] == ty && self.is_float(ty) && int(self, types[1], 32),
            MathFn::IsNan | MathFn::IsInf | MathFn::IsFinite | MathFn::SignBit => {
                self.is_float(types[0]) && int(self, ty, 32)
            }
            MathFn::Lround | MathFn::Lrint => self.is_float(types[0]) && int(self, ty, 64),
            MathFn::Ilogb => self.is_float(types[0]) && int(self, ty, 32),
            MathFn::Popcount | MathFn::Clz => {
                let kind = self.module.types.get(types[0]);
                matches!(kind, Some(TypeKind::Int { bits: 32 | 64, signed: false })) && int(self, ty, 32)
            }
            MathFn::Abs | MathFn::Min | MathFn::Max | MathFn::OnDevice => all_of_type && self.is_integer(ty),
            MathFn::ToBits | MathFn::FromBits => {
                crate::infer::reinterpreted(self.module, types[0]).as_ref() == self.module.types.get(ty)
                    && self.is_float(types[0]) == (fun == MathFn::ToBits)
            }
            _ => all_of_type && self.is_float(ty),
        };
        self.rule(fits, |c| {
            let types: Vec<String> = types.iter().map(|t| c.type_text(*t)).collect();
            format!("`{name}` takes ({}) and gives {}", types.join(", "), c.type_text(ty))
        });
    }

    /// Arguments against parameters; the result's type.
    pub(super) fn call(
        &mut self,
        function: Handle<Function>,
        args: &'a [Handle<Expr>],
    ) -> Option<Handle<Type>> {
        let Some(callee) = self.module.functions.get(function) else {
            self.report(format!("function {} does not exist", function.index()));
            return None;
        };
        for arg in args {
            self.value(*arg);
        }
        // A function that is only declared has no locals to tell its parameters' types.
        let Some(body) = &callee.body else { return Some(callee.result) };
        if args.len() != callee.params.len() {
            let (takes, name) = (callee.params.len(), &callee.symbol);
            self.report(format!("`{name}` takes {takes} arguments, not {}", args.len()));
            return None;
        }
        for (arg, param) in args.iter().zip(&callee.params) {
            if let Some(param) = body.locals.get(*param) {
                let what = format!("for parameter `{}` of `{}`,", param.name, callee.symbol);
                self.value_of(*arg, param.ty, &what);
            }
        }
        Some(callee.result)
    }

    fn builtin(&mut self, b: Builtin) {
        let kept = match (b, self.stage) {
            (
                Builtin::ThreadIdx(d) | Builtin::BlockIdx(d) | Builtin::BlockDim(d) | Builtin::GridDim(d),
                Stage::Variant(_) | Stage::Cpu(_),
            ) => d < 3,
            (Builtin::Begin | Builtin::End | Builtin::Total, Stage::Cpu(_)) => true,
            (_, Stage::Function(_) | Stage::Scheduled(_) | Stage::Variant(_)) => false,
        };
        self.rule(kept, |_| format!("the builtin {b:?} has no meaning here"));
    }
}
