//! Values of expressions.
//!
//! An IR expression has no side effects. Side effects of an expression in the source are emitted as statements
//! before its use. Where only one of two operands is evaluated, the effects go into an `if`.

use super::function::{Binding, Fun, Variable};
use super::types::Unusable;
use super::{Lowered, Refused, walk};
use crate::ast::{CastKind, Expr, ExprKind, Qual, Stmt as Ast, StmtKind, Ty, UnaryOp as AstUnary};
use accl_ir::{
    BinaryOp, ConstValue, Expr as IrExpr, ExprKind as Ir, Handle, Stmt, StmtNode, Type, TypeKind, UnaryOp,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

/// A refusal: `what` cannot be used in a compute region.
pub fn unsupported(what: impl std::fmt::Display, span: Span) -> Refused {
    let what = what.to_string();
    let diagnostic =
        Diagnostic::error(codes::UNSUPPORTED, format!("{what} cannot be used in a compute region"));
    Box::new(match reason_and_help(&what) {
        Some((reason, help)) => diagnostic.label(span, reason).with_help(help),
        None => diagnostic.at(span),
    })
}

/// The message for what users try most often.
fn reason_and_help(what: &str) -> Option<(&'static str, &'static str)> {
    Some(match what {
        "`throw`" | "a `try` block" => (
            "device code has no exceptions",
            "reduce a flag, as in `reduction(||:failed)`, and throw behind the region",
        ),
        "`new`" | "`delete`" => (
            "device code cannot allocate memory",
            "use a local array, or allocate before the region and name the memory in a data clause",
        ),
        "a lambda" => (
            "lambdas exist on the device only as what is called",
            "keep it in a variable of its own, or hand it to a function, and call it",
        ),
        "a call through a pointer" => (
            "which function this calls is known only at run time",
            "call a function by its name; choose between several with `if` or `switch`",
        ),
        _ => return None,
    })
}

/// A refusal of a value for its type.
pub fn refused_type(message: impl Into<String>, why: &Unusable, span: Span) -> Refused {
    let diagnostic = Diagnostic::error(codes::UNUSABLE_TYPE, message).label(span, &*why.reason);
    Box::new(match why.help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    })
}

impl Fun<'_, '_> {
    /// The value of an expression; that of a place is read.
    pub fn value(&mut self, e: &Expr) -> Lowered<Value> {
        if self.ends_seen(e) { self.temporary(e) } else { self.value_itself(e) }
    }

    /// The same, whatever ends with the object that the value may be.
    pub fn value_itself(&mut self, e: &Expr) -> Lowered<Value> {
        if let Some(number) = self.complex_value(e)? {
            return self.complex_object(number, e);
        }
        if let Some(vector) = self.vector_value(e)? {
            return Ok(vector);
        }
        match &e.kind {
            ExprKind::Int(value) => {
                let ty = self.value_type(e)?;
                Ok(self.int(*value, ty, e.span))
            }
            ExprKind::Float(value) => {
                let ty = self.value_type(e)?;
                Ok(self.expr(Ir::Float(*value), ty, e.span))
            }
            ExprKind::Cast { kind, operand, .. } => self.cast_expr(e, *kind, operand),
            ExprKind::Unary { op, operand } => self.unary(e, *op, operand),
            ExprKind::Binary { op, left, right } => self.binary(e, *op, left, right),
            ExprKind::AddrOf(operand) => self.address(operand, e.span),
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.value(second)
            }
            ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } => {
                let place = self.assigned_place(e)?;
                Ok(self.load(place, e.span))
            }
            ExprKind::Step { operand, by, postfix } => self.step_value(e, operand, *by, *postfix),
            ExprKind::Conditional { cond, yes, no } => self.conditional(e, cond, yes, no),
            ExprKind::Call { callee, args } => match self.call(e, callee, args, None)? {
                Some(value) if e.place => {
                    let target = self.deref(value, &e.ty, e.span);
                    Ok(self.load(target, e.span))
                }
                Some(value) => Ok(value),
                None => Err(unsupported("the value of a function without one", e.span)),
            },
            ExprKind::SizeOf(ty) => self.size_of(ty, e),
            ExprKind::AlignOf(of) => {
                let ty = self.value_type(e)?;
                let of = self.usable(of.referred(), e.span)?;
                Ok(self.int(self.cx.align_of(of).into(), ty, e.span))
            }
            ExprKind::Zero => self.zero(&e.ty, e.span),
            ExprKind::InitList(items) => match &items[..] {
                [single] if !matches!(&*e.ty.ty, Ty::Record(_) | Ty::Array { .. }) => self.value(single),
                [] if !matches!(&*e.ty.ty, Ty::Record(_) | Ty::Array { .. }) => self.zero(&e.ty, e.span),
                _ => self.object(e),
            },
            ExprKind::Construct { .. } => self.object(e),
            ExprKind::This => self.this_pointer(e.span).ok_or_else(|| unsupported("this", e.span)),
            ExprKind::Str(_) => Err(unsupported("a string", e.span)),
            ExprKind::Function(_, name) => {
                Err(unsupported(format_args!("the address of the function `{name}`"), e.span))
            }
            ExprKind::DefaultArg => Err(unsupported("this default argument", e.span)),
            ExprKind::Lambda(_) => Err(unsupported("a lambda", e.span)),
            ExprKind::OffsetOf(of, path) => self.offset_of(of, path, e),
            ExprKind::Statements(body) => self.statements(body, e.span),
            ExprKind::Unsupported(what, _) => Err(unsupported(what, e.span)),
            ExprKind::Var(..) | ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
                let place = self.place(e)?;
                Ok(self.load(place, e.span))
            }
        }
    }

    /// A statement expression: its statements are emitted before the use of its value.
    fn statements(&mut self, body: &Ast, span: Span) -> Lowered<Value> {
        if walk::leaves_loop(body, "").is_some() || walk::continues(body) {
            return Err(unsupported("a jump out of a statement expression", span));
        }
        match &body.kind {
            StmtKind::Compound(items) => match items.split_last() {
                Some((Ast { kind: StmtKind::Expr(last), .. }, before)) => {
                    self.items(before);
                    self.value(last)
                }
                _ => Err(unsupported("a statement expression without a value", span)),
            },
            _ => Err(unsupported("a statement expression without a value", span)),
        }
    }

    /// Evaluates for the side effects alone.
    pub fn effect(&mut self, e: &Expr) -> Lowered<()> {
        if self.device
            && let ExprKind::Call { callee, args } = &e.kind
            && let Some(name) = walk::library_name(callee)
            && self.gnu_atomic(e, name, args, false)?.is_some()
        {
            return Ok(());
        }
        match &e.kind {
            ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } => self.assign(e),
            ExprKind::Step { operand, by, .. } => self.step(operand, *by, e.span),
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.effect(second)
            }
            ExprKind::Cast { kind: CastKind::ToVoid | CastKind::NoOp, operand, .. } => self.effect(operand),
            ExprKind::Call { .. } if self.ends_seen(e) => self.temporary(e).map(|_| ()),
            ExprKind::Call { callee, args } => self.call(e, callee, args, None).map(|_| ()),
            ExprKind::Conditional { cond, yes, no } => {
                let cond = self.cond(cond)?;
                let (then, ()) = self.try_branch(|f| f.effect(yes))?;
                let (otherwise, ()) = self.try_branch(|f| f.effect(no))?;
                self.emit(Stmt::If { cond, then, otherwise }, e.span);
                Ok(())
            }
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, .. } => {
                self.value(e).map(|_| ())
            }
            ExprKind::Statements(body) => self.device_stmt(body),
            // An expression without effect is allowed, and does nothing.
            _ => self.value(e).map(|_| ()),
        }
    }

    /// The type of an expression's value, if device code can hold it.
    pub fn value_type(&mut self, e: &Expr) -> Lowered<Handle<Type>> {
        self.usable(&e.ty, e.span)
    }

    pub fn usable(&mut self, qual: &Qual, span: Span) -> Lowered<Handle<Type>> {
        let ty = self.ty(qual);
        match self.cx.unusable(ty) {
            None => Ok(ty),
            Some(_) if matches!(&*qual.ty, Ty::Opaque(name) if name.starts_with("(lambda")) => {
                Err(unsupported("a lambda", span))
            }
            Some(why) => {
                let message = "a value of this type cannot be used in a compute region";
                Err(refused_type(message, &why, span))
            }
        }
    }

    /// A condition: an integer, zero or not.
    pub fn cond(&mut self, e: &Expr) -> Lowered<Value> {
        let e = match &e.kind {
            ExprKind::Cast { kind: CastKind::ToBool, operand, .. } => operand,
            _ => e,
        };
        if self.is_complex(&e.ty) {
            return self.complex_truth(e);
        }
        // A message in assert(x > 0 && "x is a length") is true.
        if walk::is_text(e) {
            let int = self.i32();
            return Ok(self.int(1, int, e.span));
        }
        let value = self.value(e)?;
        Ok(self.truth(value))
    }

    /// An integer expression that is zero where the value is.
    pub fn truth(&mut self, value: Value) -> Value {
        // What C++ converts to bool is an int here already.
        if let Ir::Cast(inner) = self.body.exprs[value].kind
            && *self.kind_of(value) == TypeKind::Bool
            && *self.kind_of(inner) == (TypeKind::Int { bits: 32, signed: true })
            && matches!(self.body.exprs[inner].kind, Ir::Binary { .. } | Ir::Unary { .. })
        {
            return inner;
        }
        match self.kind_of(value) {
            TypeKind::Int { .. } | TypeKind::Bool => value,
            _ => self.not_zero(value),
        }
    }

    fn not_zero(&mut self, value: Value) -> Value {
        let (ty, span) = (self.ty_of(value), self.body.exprs[value].span);
        let zero = match self.kind_of(value) {
            TypeKind::Float { .. } => self.expr(Ir::Float(0.0), ty, span),
            _ => self.int(0, ty, span),
        };
        let int = self.i32();
        self.expr(Ir::Binary { op: BinaryOp::Ne, left: value, right: zero }, int, span)
    }

    fn cast_expr(&mut self, e: &Expr, kind: CastKind, operand: &Expr) -> Lowered<Value> {
        match kind {
            CastKind::Load => self.read(e, operand),
            CastKind::Decay => self.decay(operand, e.span),
            CastKind::NoOp if e.place => {
                let place = self.place(operand)?;
                Ok(self.load(place, e.span))
            }
            CastKind::NoOp => {
                let value = self.value(operand)?;
                let to = self.value_type(e)?;
                Ok(self.convert_pointer(value, to))
            }
            CastKind::Convert => {
                if let Some(folded) = self.float_math(e, operand)? {
                    return Ok(folded);
                }
                // gcc's DBL_MAX is a long double that is converted to double.
                if let (ExprKind::Float(value), Ty::Float { .. }) = (&operand.kind, &*e.ty.ty) {
                    let to = self.value_type(e)?;
                    let single = *self.cx.module.types.kind(to) == (TypeKind::Float { bits: 32 });
                    let value = if single { f64::from(*value as f32) } else { *value };
                    return Ok(self.expr(Ir::Float(value), to, e.span));
                }
                let value = self.value(operand)?;
                let to = self.value_type(e)?;
                Ok(self.convert(value, to, e.span))
            }
            CastKind::ToBool => {
                let value = self.value(operand)?;
                let to = self.value_type(e)?;
                let truth = match &self.body.exprs[value].kind {
                    Ir::Binary { op, .. } if is_comparison(*op) => value,
                    Ir::Unary { op: UnaryOp::Not, .. } => value,
                    _ => self.not_zero(value),
                };
                Ok(self.convert(truth, to, e.span))
            }
            CastKind::Class => self.value(operand),
            CastKind::Base if e.place => {
                let place = self.place(e)?;
                Ok(self.load(place, e.span))
            }
            CastKind::Base => {
                let pointer = self.value(operand)?;
                let object = self.deref(pointer, &operand.ty, e.span);
                let base = self.base_object(object, pointee(&operand.ty), pointee(&e.ty), e.span)?;
                self.address_of(base, e.span)
            }
            CastKind::Derived if e.place => {
                let place = self.place(e)?;
                Ok(self.load(place, e.span))
            }
            CastKind::Derived => {
                let pointer = self.value(operand)?;
                let object = self.deref(pointer, &operand.ty, e.span);
                let whole = self.derived_object(object, pointee(&operand.ty), pointee(&e.ty), e.span)?;
                self.address_of(whole, e.span)
            }
            CastKind::ToVoid => Err(unsupported("a value of type void", e.span)),
            CastKind::Function => match &operand.kind {
                // `*f` becomes `f` again.
                ExprKind::Deref(pointer) => self.value(pointer),
                _ => Err(unsupported("the address of a function", e.span)),
            },
            CastKind::Other => {
                self.value_type(e)?;
                self.value_type(operand)?;
                Err(unsupported("this conversion", e.span))
            }
        }
    }

    /// Reads a variable; a constant is replaced by its value.
    fn read(&mut self, e: &Expr, operand: &Expr) -> Lowered<Value> {
        self.value_type(e)?;
        if let Some(value) = self.std_min_max_value(operand)? {
            return Ok(value);
        }
        // In C++ a choice between two objects is an object: its value is the choice between their values.
        if let ExprKind::Conditional { cond, yes, no } = &walk::same_place(operand).kind
            && operand.place
            && !matches!(&*e.ty.ty, Ty::Record(_) | Ty::Array { .. })
        {
            return self.choice(e, cond, |f| f.read(e, yes), |f| f.read(e, no));
        }
        if let ExprKind::Var(id, _) = &operand.kind
            && let Some(value) = self.vars.get(id).and_then(|v| v.value)
        {
            let ty = self.value_type(e)?;
            return Ok(self.expr(constant_kind(value), ty, e.span));
        }
        if let ExprKind::Var(id, _) = &operand.kind
            && let Some(Variable { binding: Binding::Argument(value), ty, .. }) = self.vars.get(id)
            && !ty.is_reference()
        {
            return Ok(*value);
        }
        let place = self.place(operand)?;
        if let Ir::Global(global) = self.body.exprs[place].kind
            && let Some(value) = self.cx.module.globals[global].value
        {
            let ty = self.ty_of(place);
            return Ok(self.expr(constant_kind(value), ty, e.span));
        }
        Ok(self.load(place, e.span))
    }

    /// Adds casts where the types differ; literals are converted at once.
    pub fn convert(&mut self, value: Value, to: Handle<Type>, span: Span) -> Value {
        if self.ty_of(value) == to {
            return value;
        }
        let kind = match (&self.body.exprs[value].kind, self.kind_of(value), self.cx.module.types.kind(to)) {
            (Ir::Int(v), TypeKind::Int { .. } | TypeKind::Bool, TypeKind::Int { bits, signed }) => {
                Ir::Int(crate::clang::wrap(*v, *bits, *signed))
            }
            (Ir::Int(0), _, TypeKind::Pointer { .. }) => Ir::Int(0),
            (Ir::Int(v), TypeKind::Int { .. }, TypeKind::Float { bits: 32 }) => {
                Ir::Float(f64::from(*v as f32))
            }
            (Ir::Int(v), TypeKind::Int { .. }, TypeKind::Float { .. }) => Ir::Float(*v as f64),
            (Ir::Float(v), _, TypeKind::Float { bits: 32 }) => Ir::Float(f64::from(*v as f32)),
            (Ir::Float(v), _, TypeKind::Float { .. }) => Ir::Float(*v),
            _ => Ir::Cast(value),
        };
        self.expr(kind, to, span)
    }

    /// Pointer types that differ in qualifiers need a cast; other values already have their type.
    pub fn convert_pointer(&mut self, value: Value, to: Handle<Type>) -> Value {
        let is_pointer = |kind: &TypeKind| matches!(kind, TypeKind::Pointer { .. });
        if is_pointer(self.kind_of(value)) && is_pointer(self.cx.module.types.kind(to)) {
            let span = self.body.exprs[value].span;
            return self.convert(value, to, span);
        }
        value
    }

    fn unary(&mut self, e: &Expr, op: AstUnary, operand: &Expr) -> Lowered<Value> {
        let ty = self.value_type(e)?;
        if op == AstUnary::Not {
            let truth = self.cond(operand)?;
            let int = self.i32();
            let value = self.expr(Ir::Unary { op: UnaryOp::Not, operand: truth }, int, e.span);
            return Ok(self.convert(value, ty, e.span));
        }
        let value = self.value(operand)?;
        let folded = match (&self.body.exprs[value].kind, op) {
            (Ir::Int(v), AstUnary::Minus) => Some(Ir::Int(self.wrap_to(-*v, ty))),
            (Ir::Float(v), AstUnary::Minus) => Some(Ir::Float(-*v)),
            _ => None,
        };
        Ok(match (folded, op) {
            (Some(kind), _) => self.expr(kind, ty, e.span),
            (None, AstUnary::Minus) => self.expr(Ir::Unary { op: UnaryOp::Neg, operand: value }, ty, e.span),
            (None, AstUnary::BitNot) => {
                self.expr(Ir::Unary { op: UnaryOp::BitNot, operand: value }, ty, e.span)
            }
            (None, AstUnary::Plus | AstUnary::Not) => value,
        })
    }

    fn wrap_to(&self, value: i128, ty: Handle<Type>) -> i128 {
        match self.cx.module.types.kind(ty) {
            TypeKind::Int { bits, signed } => crate::clang::wrap(value, *bits, *signed),
            _ => value,
        }
    }

    fn binary(&mut self, e: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Lowered<Value> {
        let ty = self.value_type(e)?;
        if matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
            return self.logical(e, op, left, right);
        }
        if is_comparison(op) && [left, right].iter().any(|e| self.is_complex(&e.ty)) {
            return self.complex_equal(e, op == BinaryOp::Eq, left, right);
        }
        let pointer = |e: &Expr| matches!(&*e.ty.ty, Ty::Pointer { .. });
        if (pointer(left) || pointer(right)) && !is_comparison(op) {
            return self.pointer_arithmetic(e, op, left, right);
        }
        let (l, mut r) = self.pair(|f| f.value(left), |f| f.value(right))?;
        if is_comparison(op) {
            if self.ty_of(l) != self.ty_of(r) {
                let to = self.ty_of(l);
                r = self.convert(r, to, right.span);
            }
            let int = self.i32();
            let value = self.expr(Ir::Binary { op, left: l, right: r }, int, e.span);
            return Ok(self.convert(value, ty, e.span));
        }
        Ok(self.expr(Ir::Binary { op, left: l, right: r }, ty, e.span))
    }

    /// `&&` and `||`; a right operand with effects is evaluated in an `if`.
    fn logical(&mut self, e: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Lowered<Value> {
        let int = self.i32();
        let l = self.cond(left)?;
        let (effects, r) = self.try_branch(|f| f.cond(right))?;
        let value = if op == BinaryOp::LogicalAnd && walk::is_text(right) {
            self.as_bit(l)
        } else if effects.is_empty() {
            self.expr(Ir::Binary { op, left: l, right: r }, int, e.span)
        } else {
            let local = {
                let truth = self.as_bit(l);
                self.spill("cond", truth, e.span)
            };
            let mut chosen = effects;
            let place = self.local_place(local, e.span);
            let bit = self.as_bit(r);
            chosen.push(StmtNode { kind: Stmt::Store { place, op: None, value: bit }, span: e.span });
            let mut cond = self.load_local(local, e.span);
            if op == BinaryOp::LogicalOr {
                cond = self.expr(Ir::Unary { op: UnaryOp::Not, operand: cond }, int, e.span);
            }
            self.emit(Stmt::If { cond, then: chosen, otherwise: vec![] }, e.span);
            self.load_local(local, e.span)
        };
        let ty = self.value_type(e)?;
        Ok(self.convert(value, ty, e.span))
    }

    /// 0 or 1, of type int.
    fn as_bit(&mut self, truth: Value) -> Value {
        let bit = match &self.body.exprs[truth].kind {
            Ir::Binary { op, .. } if is_comparison(*op) => truth,
            Ir::Unary { op: UnaryOp::Not, .. } => truth,
            _ => self.not_zero(truth),
        };
        let int = self.i32();
        let span = self.body.exprs[bit].span;
        self.convert(bit, int, span)
    }

    fn conditional(&mut self, e: &Expr, cond: &Expr, yes: &Expr, no: &Expr) -> Lowered<Value> {
        if matches!(&*e.ty.ty, Ty::Void) {
            self.effect(e)?;
            let int = self.i32();
            return Ok(self.int(0, int, e.span));
        }
        if e.place {
            let place = self.place(e)?;
            return Ok(self.load(place, e.span));
        }
        self.choice(e, cond, |f| f.value(yes), |f| f.value(no))
    }

    /// One of two values; effects of either go into an `if`.
    fn choice(
        &mut self,
        e: &Expr,
        cond: &Expr,
        yes: impl FnOnce(&mut Self) -> Lowered<Value>,
        no: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let ty = self.value_type(e)?;
        let cond = self.cond(cond)?;
        let (mut then, yes_value) = self.try_branch(yes)?;
        let (mut otherwise, no_value) = self.try_branch(no)?;
        if then.is_empty() && otherwise.is_empty() {
            let (yes, no) = (self.convert(yes_value, ty, e.span), self.convert(no_value, ty, e.span));
            return Ok(self.expr(Ir::Select { cond, yes, no }, ty, e.span));
        }
        let local = self.temp("chosen", ty, e.span);
        self.emit(Stmt::Declare { local, init: None }, e.span);
        for (block, value) in [(&mut then, yes_value), (&mut otherwise, no_value)] {
            let value = self.convert(value, ty, e.span);
            let place = self.local_place(local, e.span);
            block.push(StmtNode { kind: Stmt::Store { place, op: None, value }, span: e.span });
        }
        self.emit(Stmt::If { cond, then, otherwise }, e.span);
        Ok(self.load_local(local, e.span))
    }

    fn size_of(&mut self, of: &Qual, e: &Expr) -> Lowered<Value> {
        let ty = self.value_type(e)?;
        if super::types::is_vla(of) {
            let count = self.flat_count(of)?;
            let element = self.cx.ty(super::types::flat_element(of));
            let size = self.size_in_bytes(element, e.span)?;
            let long = self.ty_of(count);
            let size = self.int(size.into(), long, e.span);
            let bytes = self.expr(Ir::Binary { op: BinaryOp::Mul, left: count, right: size }, long, e.span);
            return Ok(self.convert(bytes, ty, e.span));
        }
        let of = self.cx.ty(of.referred());
        let size = self.size_in_bytes(of, e.span)?;
        Ok(self.int(size.into(), ty, e.span))
    }

    fn offset_of(&mut self, of: &Qual, path: &[String], e: &Expr) -> Lowered<Value> {
        let ty = self.value_type(e)?;
        let mut at = self.cx.ty(of);
        let mut offset = 0;
        for name in path {
            if let (TypeKind::Array { of, .. }, Ok(index)) =
                (self.cx.module.types.kind(at).clone(), name.parse::<u64>())
            {
                offset += index * self.size_in_bytes(of, e.span)?;
                at = of;
                continue;
            }
            let TypeKind::Struct(def) = *self.cx.module.types.kind(at) else {
                return Err(unsupported("this offsetof", e.span));
            };
            let fields = &self.cx.module.types.structs[def].fields;
            let Some(field) = fields.iter().find(|f| f.name == *name) else {
                return Err(unsupported("this offsetof", e.span));
            };
            offset += field.offset;
            at = field.ty;
        }
        Ok(self.int(offset.into(), ty, e.span))
    }

    fn size_in_bytes(&mut self, ty: Handle<Type>, span: Span) -> Lowered<u64> {
        match self.cx.module.types.size_of(ty) {
            Some(size) if size > 0 => Ok(size),
            _ => Err(unsupported("the size of this type", span)),
        }
    }

    /// The value-initialised object of a type.
    pub fn zero(&mut self, qual: &Qual, span: Span) -> Lowered<Value> {
        let ty = self.usable(qual, span)?;
        match self.cx.module.types.kind(ty) {
            TypeKind::Float { .. } => Ok(self.expr(Ir::Float(0.0), ty, span)),
            TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Pointer { .. } => Ok(self.int(0, ty, span)),
            TypeKind::Struct(_) | TypeKind::Array { .. } => {
                let local = self.temp("zero", ty, span);
                self.emit(Stmt::Declare { local, init: None }, span);
                let place = self.local_place(local, span);
                self.zero_fill(place, span)?;
                Ok(self.load_local(local, span))
            }
            TypeKind::Void | TypeKind::Compressed { .. } | TypeKind::Opaque(_) => {
                Err(unsupported("this value", span))
            }
        }
    }
}

pub fn constant_kind(value: ConstValue) -> Ir {
    match value {
        ConstValue::Int(value) => Ir::Int(value),
        ConstValue::Float(value) => Ir::Float(value),
    }
}

fn pointee(ty: &Qual) -> &Qual {
    match &*ty.ty {
        Ty::Pointer { to, .. } => to,
        _ => ty,
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => true,
        BinaryOp::LogicalAnd | BinaryOp::LogicalOr => true,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => false,
    }
}
