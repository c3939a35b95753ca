//! Complex numbers: C's `_Complex`, and `std::complex`. Both are two numbers in memory, and operations become
//! arithmetic on these.
//!
//! Products and quotients follow the rules for finite numbers: what C's Annex G says about infinities and NaN in
//! them is ignored, as with `-fcx-fortran-rules`.

use super::expr::unsupported;
use super::function::Fun;
use super::init::is_default;
use super::walk;
use super::{Lowered, Refused};
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Library, Qual, UnaryOp as AstUnary};
use accl_ir::{
    AtomicKind, BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, MathFn, Type, TypeKind, UnaryOp,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

/// The parts of a number.
#[derive(Clone, Copy, Debug)]
pub struct Complex {
    re: Value,
    /// `None`: the number is real. In contrast to a zero here, no arithmetic is then done with this part.
    im: Option<Value>,
}

/// The name that C++ has for a function of <complex.h>; other names stay.
fn plain_name(name: &str) -> &str {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    match plain.strip_suffix('f').unwrap_or(plain) {
        "creal" => "real",
        "cimag" => "imag",
        "cabs" => "abs",
        "carg" => "arg",
        "conj" => "conj",
        "cexp" => "exp",
        "clog" => "log",
        "csqrt" => "sqrt",
        "cpow" => "pow",
        "csin" => "sin",
        "ccos" => "cos",
        "ctan" => "tan",
        "csinh" => "sinh",
        "ccosh" => "cosh",
        "ctanh" => "tanh",
        _ => plain,
    }
}

/// The refusal of a function of complex numbers.
pub fn unknown_function(name: &str, span: Span) -> Refused {
    let message = format!("`{name}` cannot be called in a compute region");
    let error = Diagnostic::error(codes::CALL, message);
    let error = error.label(span, "device code has no such function of complex numbers");
    Box::new(error.with_help(
        "write it with those that it has: abs, arg, conj, cos, cosh, exp, imag, log, norm, polar, pow, real, sin, sinh, sqrt, \
         tan and tanh",
    ))
}

fn operator(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        _ => return None,
    })
}

impl Fun<'_, '_> {
    pub fn is_complex(&self, ty: &Qual) -> bool {
        matches!(self.cx.library_record(ty), Some((_, Library::Complex)))
    }

    /// The type of the parts of a complex number; for a real number its own type.
    fn part_type(&mut self, ty: &Qual) -> Handle<Type> {
        match self.cx.library_record(ty) {
            Some((record, Library::Complex)) => self.cx.ty(&record.fields[0].ty),
            _ => self.cx.ty(ty.referred()),
        }
    }

    /// The number that an expression computes. `None` where it computes none: its value is no complex number, or it
    /// is that of an object or of a function of the user's.
    pub fn complex_value(&mut self, e: &Expr) -> Lowered<Option<Complex>> {
        if e.place || !self.is_complex(&e.ty) {
            return Ok(None);
        }
        let element = self.part_type(&e.ty);
        let number = match &e.kind {
            ExprKind::Construct { args, .. } | ExprKind::InitList(args) => {
                let given: Vec<&Expr> = args.iter().filter(|a| !is_default(a)).collect();
                match given[..] {
                    [] => self.real_number(0.0, element, e.span),
                    [source] if *source.ty.ty == *e.ty.ty => return self.complex_value(source),
                    [one] => self.number(one, element)?,
                    [re, im] => {
                        let (re, im) = self.numbers(re, im, element)?;
                        Complex { re: re.re, im: Some(im.re) }
                    }
                    _ => return Ok(None),
                }
            }
            ExprKind::Zero => self.real_number(0.0, element, e.span),
            ExprKind::Cast { kind: CastKind::Class | CastKind::NoOp, operand } => {
                return self.complex_value(operand);
            }
            ExprKind::Unary { op, operand } => {
                let number = self.number(operand, element)?;
                match op {
                    AstUnary::Plus => number,
                    AstUnary::Minus => self.opposite(number, e.span),
                    AstUnary::BitNot => self.conjugate(number, e.span),
                    AstUnary::Not => return Ok(None),
                }
            }
            ExprKind::Binary { op, left, right } => {
                let (left, right) = self.numbers(left, right, element)?;
                self.arithmetic(*op, left, right, e.span)?
            }
            ExprKind::Call { callee, args } => match &walk::bare_function(callee).kind {
                ExprKind::Function(id, name) if self.is_of_library(*id, name) => {
                    return self.function_of_numbers(plain_name(name), args, element, e.span);
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(number))
    }

    /// The value of any expression, complex or not, with parts of this type.
    fn number(&mut self, e: &Expr, element: Handle<Type>) -> Lowered<Complex> {
        let number = match self.complex_value(e)? {
            Some(number) => number,
            None if self.is_complex(&e.ty) => {
                let object = match &e.kind {
                    ExprKind::Cast { kind: CastKind::Load, operand } => operand,
                    _ => e,
                };
                let place = self.place(object)?;
                self.parts_of(place, &e.ty, e.span)?
            }
            None => Complex { re: self.scalar(e)?, im: None },
        };
        let re = self.convert(number.re, element, e.span);
        Ok(Complex { re, im: number.im.map(|im| self.convert(im, element, e.span)) })
    }

    /// Two numbers that are evaluated one after the other and used together.
    fn numbers(&mut self, first: &Expr, second: &Expr, element: Handle<Type>) -> Lowered<(Complex, Complex)> {
        let first = self.number(first, element)?;
        self.number_before(first, |f| f.number(second, element))
    }

    /// Lowers code that is evaluated after a number which is used later.
    fn number_before<T>(
        &mut self,
        number: Complex,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(Complex, T)> {
        let mut parts = [number.re, number.im.unwrap_or(number.re)];
        let result = self.after(&mut parts, lower)?;
        Ok((Complex { re: parts[0], im: number.im.map(|_| parts[1]) }, result))
    }

    /// The places of both parts of an object.
    fn part_places(&mut self, object: Value, ty: &Qual, span: Span) -> Lowered<[Value; 2]> {
        match self.cx.library_record(ty) {
            Some((record, Library::Complex)) => {
                let parts = [self.field(object, record, 0, span)?, self.field(object, record, 1, span)?];
                Ok(parts.map(|part| self.or_reduced_part(part)))
            }
            _ => Err(unsupported("this complex number", span)),
        }
    }

    fn parts_of(&mut self, object: Value, ty: &Qual, span: Span) -> Lowered<Complex> {
        let [re, im] = self.part_places(object, ty, span)?;
        Ok(Complex { re: self.load(re, span), im: Some(self.load(im, span)) })
    }

    /// A number as an object: a temporary.
    pub fn complex_object(&mut self, number: Complex, e: &Expr) -> Lowered<Value> {
        let ty = self.value_type(e)?;
        let local = self.temp("complex", ty, e.span);
        self.emit(accl_ir::Stmt::Declare { local, init: None }, e.span);
        let place = self.local_place(local, e.span);
        self.store_complex(place, number, e.span)?;
        Ok(self.load_local(local, e.span))
    }

    /// Both parts are computed before one is written, since they may depend on the parts that are overwritten.
    pub fn store_complex(&mut self, object: Value, number: Complex, span: Span) -> Lowered<()> {
        let TypeKind::Struct(def) = *self.kind_of(object) else {
            return Err(unsupported("this complex number", span));
        };
        let ty = self.cx.module.types.structs[def].fields[0].ty;
        let im = number.im.unwrap_or_else(|| self.real_number(0.0, ty, span).re);
        let im = self.repeatable(im);
        let object = self.kept_from_itself(object);
        for (field, value) in [(0, number.re), (1, im)] {
            let place = self.expr(Ir::Member { base: object, field }, ty, span);
            let place = self.or_reduced_part(place);
            let value = self.convert(value, ty, span);
            self.store(place, value, span);
        }
        Ok(())
    }

    /// `=` and `op=` where one side is complex; gives the place assigned.
    pub fn assign_complex(
        &mut self,
        op: Option<BinaryOp>,
        place: &Expr,
        value: &Expr,
        span: Span,
    ) -> Lowered<Value> {
        let wide = if self.is_complex(&place.ty) { &place.ty } else { &value.ty };
        let element = self.part_type(wide);
        let number = self.number(value, element)?;
        let (mut number, target) = self.number_before(number, |f| f.place(place))?;
        let target = self.kept_from_itself(target);
        if let Some(op) = op {
            let old = if self.is_complex(&place.ty) {
                self.parts_of(target, &place.ty, span)?
            } else {
                Complex { re: self.load(target, span), im: None }
            };
            number = self.arithmetic(op, old, number, span)?;
        }
        if self.is_complex(&place.ty) {
            self.store_complex(target, number, span)?;
        } else {
            let ty = self.ty_of(target);
            let re = self.convert(number.re, ty, span);
            self.store(target, re, span);
        }
        Ok(target)
    }

    /// Adds to a number, or subtracts, each part atomically: the sums are the same.
    pub fn update_complex(
        &mut self,
        kind: AtomicKind,
        place: &Expr,
        value: &Expr,
        span: Span,
    ) -> Lowered<()> {
        let element = self.part_type(&place.ty);
        let number = self.number(value, element)?;
        let (number, object) = self.number_before(number, |f| f.place(place))?;
        let parts = self.part_places(object, &place.ty, span)?;
        for (part, value) in parts.into_iter().zip([Some(number.re), number.im]) {
            if value.is_some() {
                self.emit_atomic(kind, part, value, None, span)?;
            }
        }
        Ok(())
    }

    /// `==` and `!=`.
    pub fn complex_equal(&mut self, e: &Expr, equal: bool, left: &Expr, right: &Expr) -> Lowered<Value> {
        let wide = if self.is_complex(&left.ty) { &left.ty } else { &right.ty };
        let element = self.part_type(wide);
        let (left, right) = self.numbers(left, right, element)?;
        let zero = self.real_number(0.0, element, e.span).re;
        let [left_im, right_im] = [left.im, right.im].map(|im| im.unwrap_or(zero));
        let (compare, join) =
            if equal { (BinaryOp::Eq, BinaryOp::LogicalAnd) } else { (BinaryOp::Ne, BinaryOp::LogicalOr) };
        let int = self.i32();
        let [re, im] = [(left.re, right.re), (left_im, right_im)]
            .map(|(left, right)| self.expr(Ir::Binary { op: compare, left, right }, int, e.span));
        let both = self.expr(Ir::Binary { op: join, left: re, right: im }, int, e.span);
        let ty = self.value_type(e)?;
        Ok(self.convert(both, ty, e.span))
    }

    /// A condition: whether a number is not zero.
    pub fn complex_truth(&mut self, e: &Expr) -> Lowered<Value> {
        let element = self.part_type(&e.ty);
        let number = self.number(e, element)?;
        let [re, im] = [Some(number.re), number.im].map(|part| part.map(|part| self.truth(part)));
        let int = self.i32();
        Ok(match (re, im) {
            (Some(left), Some(right)) => {
                self.expr(Ir::Binary { op: BinaryOp::LogicalOr, left, right }, int, e.span)
            }
            _ => re.unwrap_or(number.re),
        })
    }

    /// The compiler's own functions may be declared, where they are used.
    fn is_of_library(&self, id: DeclId, name: &str) -> bool {
        let declared = self.cx.function_decl(id);
        declared.is_none_or(|f| f.body.is_none() && name.starts_with("__builtin_"))
    }

    /// Calls of the library's that take complex numbers and give something else. `None`: it is another call.
    pub fn complex_call(&mut self, e: &Expr, name: &str, args: &[&Expr]) -> Lowered<Option<Option<Value>>> {
        let [first, rest @ ..] = args else { return Ok(None) };
        if !self.is_complex(&first.ty) && !rest.iter().any(|a| self.is_complex(&a.ty)) {
            return Ok(None);
        }
        let name = plain_name(name);
        let span = e.span;
        let op = name.strip_prefix("operator");
        let assigned =
            op.and_then(|op| op.strip_suffix('=')).filter(|op| op.is_empty() || operator(op).is_some());
        if let (Some(op), [value]) = (assigned, rest) {
            let place = self.assign_complex(operator(op), first, value, span)?;
            return self.address_of(place, span).map(|address| Some(Some(address)));
        }
        if let (Some("==" | "!="), [other]) = (op, rest) {
            return self.complex_equal(e, op == Some("=="), first, other).map(|value| Some(Some(value)));
        }
        let element = self.part_type(&first.ty);
        if let ("real" | "imag", [value]) = (name, rest) {
            let (place, value) = self.pair(|f| f.place(first), |f| Ok(f.number(value, element)?.re))?;
            let parts = self.part_places(place, &first.ty, span)?;
            self.store(parts[usize::from(name == "imag")], value, span);
            return Ok(Some(None));
        }
        if !rest.is_empty() || !matches!(name, "real" | "imag" | "abs" | "norm" | "arg") {
            return Ok(None);
        }
        let number = self.number(first, element)?;
        let im = number.im.unwrap_or_else(|| self.real_number(0.0, element, span).re);
        let value = match name {
            "real" => number.re,
            "imag" => im,
            "abs" => self.of_reals(MathFn::Hypot, &[number.re, im], span),
            "arg" => self.of_reals(MathFn::Atan2, &[im, number.re], span),
            _ => {
                let [re, im] = [number.re, im].map(|part| {
                    let part = self.repeatable(part);
                    self.real(BinaryOp::Mul, part, part, span)
                });
                self.real(BinaryOp::Add, re, im, span)
            }
        };
        Ok(Some(Some(value)))
    }

    /// Functions of the library's whose values are complex numbers.
    fn function_of_numbers(
        &mut self,
        name: &str,
        args: &[Expr],
        element: Handle<Type>,
        span: Span,
    ) -> Lowered<Option<Complex>> {
        if let Some(op) = name.strip_prefix("operator") {
            return match (operator(op), args) {
                (Some(op), [left, right]) => {
                    let (left, right) = self.numbers(left, right, element)?;
                    self.arithmetic(op, left, right, span).map(Some)
                }
                (Some(BinaryOp::Add), [number]) => self.number(number, element).map(Some),
                (Some(BinaryOp::Sub), [number]) => {
                    let number = self.number(number, element)?;
                    Ok(Some(self.opposite(number, span)))
                }
                _ => self.imaginary_literal(op, args, element, span),
            };
        }
        Ok(match (name, args) {
            // `__builtin_complex`
            ("complex", [re, im]) => {
                let (re, im) = self.numbers(re, im, element)?;
                Some(Complex { re: re.re, im: Some(im.re) })
            }
            ("polar", [length, rest @ ..]) => {
                let length = self.number(length, element)?.re;
                let angle = match rest {
                    [angle] if !is_default(angle) => self.number(angle, element)?.re,
                    _ => self.real_number(0.0, element, span).re,
                };
                Some(self.polar(length, angle, span))
            }
            ("pow", [base, exponent]) => {
                let (base, exponent) = self.numbers(base, exponent, element)?;
                Some(self.power(base, exponent, span)?)
            }
            (_, [number]) => {
                let function = match name {
                    "conj" => Self::conjugate,
                    "exp" => Self::exponential,
                    "log" => Self::logarithm,
                    "sqrt" => Self::square_root,
                    "sin" => Self::sine,
                    "cos" => Self::cosine,
                    "sinh" => Self::hyperbolic_sine,
                    "cosh" => Self::hyperbolic_cosine,
                    "tan" | "tanh" => {
                        let number = self.number(number, element)?;
                        let number = self.repeatable_number(number);
                        let [above, below] = match name {
                            "tan" => [self.sine(number, span), self.cosine(number, span)],
                            _ => [self.hyperbolic_sine(number, span), self.hyperbolic_cosine(number, span)],
                        };
                        return self.arithmetic(BinaryOp::Div, above, below, span).map(Some);
                    }
                    _ => return Ok(None),
                };
                let number = self.number(number, element)?;
                Some(function(self, number, span))
            }
            _ => None,
        })
    }

    /// `2.0i` of `std::complex_literals`.
    fn imaginary_literal(
        &mut self,
        operator: &str,
        args: &[Expr],
        element: Handle<Type>,
        span: Span,
    ) -> Lowered<Option<Complex>> {
        let value = match (operator, args) {
            ("\"\"i" | "\"\"if", [Expr { kind: ExprKind::Float(value), .. }]) => *value,
            ("\"\"i" | "\"\"if", [Expr { kind: ExprKind::Int(value), .. }]) => *value as f64,
            _ => return Ok(None),
        };
        let [re, im] = [0.0, value].map(|part| self.real_number(part, element, span).re);
        Ok(Some(Complex { re, im: Some(im) }))
    }

    fn real_number(&mut self, value: f64, element: Handle<Type>, span: Span) -> Complex {
        Complex { re: self.expr(Ir::Float(value), element, span), im: None }
    }

    fn real(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        let ty = self.ty_of(left);
        self.expr(Ir::Binary { op, left, right }, ty, span)
    }

    fn minus(&mut self, value: Value, span: Span) -> Value {
        let ty = self.ty_of(value);
        self.expr(Ir::Unary { op: UnaryOp::Neg, operand: value }, ty, span)
    }

    fn of_reals(&mut self, fun: MathFn, args: &[Value], span: Span) -> Value {
        let ty = self.ty_of(args[0]);
        self.expr(Ir::Math { fun, args: args.to_vec() }, ty, span)
    }

    fn compared(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        let int = self.i32();
        self.expr(Ir::Binary { op, left, right }, int, span)
    }

    fn one_of(&mut self, cond: Value, yes: Value, no: Value, span: Span) -> Value {
        let ty = self.ty_of(yes);
        self.expr(Ir::Select { cond, yes, no }, ty, span)
    }

    /// A number whose parts may be evaluated several times at no cost.
    fn repeatable_number(&mut self, number: Complex) -> Complex {
        Complex { re: self.repeatable(number.re), im: number.im.map(|im| self.repeatable(im)) }
    }

    /// Both parts of a number, in a form that may be evaluated several times.
    fn both(&mut self, number: Complex, span: Span) -> [Value; 2] {
        let number = self.repeatable_number(number);
        let ty = self.ty_of(number.re);
        [number.re, number.im.unwrap_or_else(|| self.real_number(0.0, ty, span).re)]
    }

    fn opposite(&mut self, number: Complex, span: Span) -> Complex {
        Complex { re: self.minus(number.re, span), im: number.im.map(|im| self.minus(im, span)) }
    }

    fn conjugate(&mut self, number: Complex, span: Span) -> Complex {
        Complex { re: number.re, im: number.im.map(|im| self.minus(im, span)) }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Complex, right: Complex, span: Span) -> Lowered<Complex> {
        Ok(match (op, left.im, right.im) {
            (BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let im = match (a, b) {
                    (Some(a), Some(b)) => Some(self.real(op, a, b, span)),
                    (None, Some(b)) if op == BinaryOp::Sub => Some(self.minus(b, span)),
                    (a, b) => a.or(b),
                };
                Complex { re: self.real(op, left.re, right.re, span), im }
            }
            (BinaryOp::Mul, Some(_), Some(_)) => {
                let ([a, b], [c, d]) = (self.both(left, span), self.both(right, span));
                let [ac, bd, ad, bc] =
                    [(a, c), (b, d), (a, d), (b, c)].map(|(x, y)| self.real(op, x, y, span));
                let im = self.real(BinaryOp::Add, ad, bc, span);
                Complex { re: self.real(BinaryOp::Sub, ac, bd, span), im: Some(im) }
            }
            (BinaryOp::Mul, None, Some(im)) => {
                let factor = self.repeatable(left.re);
                let im = self.real(op, factor, im, span);
                Complex { re: self.real(op, factor, right.re, span), im: Some(im) }
            }
            (BinaryOp::Mul | BinaryOp::Div, _, None) => {
                let by = self.repeatable(right.re);
                let im = left.im.map(|im| self.real(op, im, by, span));
                Complex { re: self.real(op, left.re, by, span), im }
            }
            (BinaryOp::Div, _, Some(_)) => self.smith_quotient(left, right, span),
            _ => return Err(unsupported("this operator on complex numbers", span)),
        })
    }

    /// Smith's quotient, which neither overflows nor loses small parts: (a + bi) / (c + di) with r = d / c is
    /// ((a + br) + (b - ar)i) / (c + dr) where c is the larger; where d is, the roles of both parts change.
    fn smith_quotient(&mut self, left: Complex, right: Complex, span: Span) -> Complex {
        let ([a, b], [c, d]) = (self.both(left, span), self.both(right, span));
        let [size_c, size_d] = [c, d].map(|part| self.of_reals(MathFn::Fabs, &[part], span));
        let first = self.compared(BinaryOp::Ge, size_c, size_d, span);
        let first = self.repeatable(first);
        let [large, small, x, y] =
            [(c, d), (d, c), (a, b), (b, a)].map(|(yes, no)| self.one_of(first, yes, no, span));
        let [large, small, x, y] = [large, small, x, y].map(|part| self.repeatable(part));
        let ratio = self.real(BinaryOp::Div, small, large, span);
        let ratio = self.repeatable(ratio);
        let times = |f: &mut Self, value| f.real(BinaryOp::Mul, value, ratio, span);
        let (small, xr, yr) = (times(self, small), times(self, x), times(self, y));
        let below = self.real(BinaryOp::Add, large, small, span);
        let below = self.repeatable(below);
        let above = self.real(BinaryOp::Add, x, yr, span);
        let re = self.real(BinaryOp::Div, above, below, span);
        let above = self.real(BinaryOp::Sub, y, xr, span);
        let im = self.real(BinaryOp::Div, above, below, span);
        let im = self.repeatable(im);
        let other = self.minus(im, span);
        Complex { re, im: Some(self.one_of(first, im, other, span)) }
    }

    fn polar(&mut self, length: Value, angle: Value, span: Span) -> Complex {
        let (length, angle) = (self.repeatable(length), self.repeatable(angle));
        let [re, im] = [MathFn::Cos, MathFn::Sin].map(|fun| {
            let part = self.of_reals(fun, &[angle], span);
            self.real(BinaryOp::Mul, length, part, span)
        });
        Complex { re, im: Some(im) }
    }

    fn exponential(&mut self, number: Complex, span: Span) -> Complex {
        let [re, im] = self.both(number, span);
        let length = self.of_reals(MathFn::Exp, &[re], span);
        self.polar(length, im, span)
    }

    fn logarithm(&mut self, number: Complex, span: Span) -> Complex {
        let [re, im] = self.both(number, span);
        let length = self.of_reals(MathFn::Hypot, &[re, im], span);
        let angle = self.of_reals(MathFn::Atan2, &[im, re], span);
        Complex { re: self.of_reals(MathFn::Log, &[length], span), im: Some(angle) }
    }

    /// `exp(exponent * log(base))`; of zero, zero.
    fn power(&mut self, base: Complex, exponent: Complex, span: Span) -> Lowered<Complex> {
        let base = self.repeatable_number(base);
        let [re, im] = self.both(base, span);
        let logarithm = self.logarithm(base, span);
        let product = self.arithmetic(BinaryOp::Mul, exponent, logarithm, span)?;
        let [power_re, power_im] = {
            let power = self.exponential(product, span);
            self.both(power, span)
        };
        let ty = self.ty_of(re);
        let zero = self.real_number(0.0, ty, span).re;
        let [re, im] = [re, im].map(|part| self.compared(BinaryOp::Ne, part, zero, span));
        let given = self.compared(BinaryOp::LogicalOr, re, im, span);
        let given = self.repeatable(given);
        let [re, im] = [power_re, power_im].map(|part| self.one_of(given, part, zero, span));
        Ok(Complex { re, im: Some(im) })
    }

    /// With t = sqrt((|x| + |z|) / 2) the parts of the root are t and y / 2t, in this order where x is not negative.
    fn square_root(&mut self, number: Complex, span: Span) -> Complex {
        let [x, y] = self.both(number, span);
        let ty = self.ty_of(x);
        let [zero, half] = [0.0, 0.5].map(|value| self.real_number(value, ty, span).re);
        let size = self.of_reals(MathFn::Fabs, &[x], span);
        let length = self.of_reals(MathFn::Hypot, &[x, y], span);
        let sum = self.real(BinaryOp::Add, size, length, span);
        let sum = self.real(BinaryOp::Mul, sum, half, span);
        let large = self.of_reals(MathFn::Sqrt, &[sum], span);
        let large = self.repeatable(large);
        let y_half = self.of_reals(MathFn::Fabs, &[y], span);
        let y_half = self.real(BinaryOp::Mul, y_half, half, span);
        let small = self.real(BinaryOp::Div, y_half, large, span);
        // Only zero has a root whose larger part is zero.
        let any = self.compared(BinaryOp::Gt, large, zero, span);
        let small = self.one_of(any, small, zero, span);
        let small = self.repeatable(small);
        let right = self.compared(BinaryOp::Ge, x, zero, span);
        let right = self.repeatable(right);
        let im = self.one_of(right, small, large, span);
        let im = self.of_reals(MathFn::Copysign, &[im, y], span);
        Complex { re: self.one_of(right, large, small, span), im: Some(im) }
    }

    /// `first(x) * second(y)`
    fn factors(&mut self, number: [Value; 2], functions: [MathFn; 2], span: Span) -> Value {
        let [first, second] = [0, 1].map(|k| self.of_reals(functions[k], &[number[k]], span));
        self.real(BinaryOp::Mul, first, second, span)
    }

    fn sine(&mut self, number: Complex, span: Span) -> Complex {
        let number = self.both(number, span);
        let im = self.factors(number, [MathFn::Cos, MathFn::Sinh], span);
        Complex { re: self.factors(number, [MathFn::Sin, MathFn::Cosh], span), im: Some(im) }
    }

    fn cosine(&mut self, number: Complex, span: Span) -> Complex {
        let number = self.both(number, span);
        let im = self.factors(number, [MathFn::Sin, MathFn::Sinh], span);
        let im = self.minus(im, span);
        Complex { re: self.factors(number, [MathFn::Cos, MathFn::Cosh], span), im: Some(im) }
    }

    fn hyperbolic_sine(&mut self, number: Complex, span: Span) -> Complex {
        let number = self.both(number, span);
        let im = self.factors(number, [MathFn::Cosh, MathFn::Sin], span);
        Complex { re: self.factors(number, [MathFn::Sinh, MathFn::Cos], span), im: Some(im) }
    }

    fn hyperbolic_cosine(&mut self, number: Complex, span: Span) -> Complex {
        let number = self.both(number, span);
        let im = self.factors(number, [MathFn::Sinh, MathFn::Sin], span);
        Complex { re: self.factors(number, [MathFn::Cosh, MathFn::Cos], span), im: Some(im) }
    }
}
