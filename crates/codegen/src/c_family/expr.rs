//! The one expression writer.
//!
//! The IR writes every conversion; C makes most of them by itself. So each text carries the type that C
//! gives it, and a cast is printed only where C would compute something else.
//!
//! Invariant of [`Printed`]: the text, converted by C to the expression's IR type, is the expression's
//! value. A context that converts anyway (assignment, argument, return) takes the text as it is; one that
//! needs the value whatever the type (subscripts, conditions) asks for [`BodyWriter::valued`]; one in which
//! the type matters (operands) for [`BodyWriter::exact`].

use super::body::BodyWriter;
use super::decl::field_name;
use super::literal;
use super::scalar::Scalar;
use super::structs;
use crate::Result;
use accl_ir::{ConstValue, Expr, ExprKind, Handle, TypeKind, UnaryOp};

/// How tightly a text binds, by C's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prec {
    Assign,
    Conditional,
    LogicalOr,
    LogicalAnd,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relational,
    Shift,
    Additive,
    Multiplicative,
    Unary,
    Postfix,
    Primary,
}

#[derive(Clone, Debug)]
pub struct Printed {
    pub text: String,
    pub prec: Prec,
    /// The arithmetic type C gives the text; `None` for pointers and structures.
    pub ty: Option<Scalar>,
    /// An integer that is never negative.
    pub nonneg: bool,
    /// Holds a launch built-in, whose C type is not the IR's; the text equals the value modulo 2^bits.
    pub wraps: bool,
    /// A number, which can be written as any type.
    pub literal: bool,
}

impl Printed {
    pub fn new(text: impl Into<String>, prec: Prec, ty: Option<Scalar>) -> Printed {
        Printed { text: text.into(), prec, ty, nonneg: false, wraps: false, literal: false }
    }

    /// The text, in parentheses where it binds less tightly than `prec`.
    pub fn at(&self, prec: Prec) -> String {
        if self.prec < prec { format!("({})", self.text) } else { self.text.clone() }
    }
}

impl<'w, 'a> BodyWriter<'w, 'a> {
    /// The text for a context in which C converts to the expression's type.
    pub fn assigned(&self, e: Handle<Expr>) -> Result<String> {
        Ok(self.value(e)?.at(Prec::Assign))
    }

    /// The text for a subscript or a similar context.
    pub fn index_text(&self, e: Handle<Expr>) -> Result<String> {
        Ok(self.valued(e)?.text)
    }

    /// The text for a condition, where only zero or not zero matters.
    pub fn condition(&self, e: Handle<Expr>) -> Result<Printed> {
        if let ExprKind::Math { fun, args } = &self.expr(e).kind {
            if let Some(call) = self.math_condition(*fun, args)? {
                return Ok(call);
            }
        }
        if self.scalar_of(e) == Some(Scalar::Bool) { self.value(e) } else { self.valued(e) }
    }

    /// The value, in any type that holds it.
    pub fn valued(&self, e: Handle<Expr>) -> Result<Printed> {
        self.held(e, self.value(e)?)
    }

    /// The same, from the result of [`Self::value`]: an operand is printed once, or the time would double with each
    /// level.
    fn held(&self, e: Handle<Expr>, printed: Printed) -> Result<Printed> {
        let (Some(want), Some(have)) = (self.scalar_of(e), printed.ty) else { return Ok(printed) };
        let holds = have == want
            || have.fits_in(want)
            || printed.literal
            || printed.nonneg && have.is_integer() && (want.is_integer() || printed.wraps);
        if holds { Ok(printed) } else { self.cast(e, printed) }
    }

    /// The value in exactly the expression's type.
    pub fn exact(&self, e: Handle<Expr>) -> Result<Printed> {
        self.exactly(e, self.value(e)?)
    }

    fn exactly(&self, e: Handle<Expr>, printed: Printed) -> Result<Printed> {
        match (self.scalar_of(e), printed.ty) {
            (Some(want), Some(have)) if want != have => match self.literal_of(e, want) {
                Some(literal) => Ok(literal),
                None => self.cast(e, printed),
            },
            _ => Ok(printed),
        }
    }

    fn cast(&self, e: Handle<Expr>, printed: Printed) -> Result<Printed> {
        let ty = self.cast_type(self.expr(e).ty, e)?;
        let mut cast =
            Printed::new(format!("({ty}){}", printed.at(Prec::Unary)), Prec::Unary, self.scalar_of(e));
        cast.nonneg = printed.nonneg;
        Ok(cast)
    }

    /// A number written in type `want`: `2` as `2L`, `2u`, `2.0f`.
    fn literal_of(&self, e: Handle<Expr>, want: Scalar) -> Option<Printed> {
        let value = match self.expr(e).kind {
            ExprKind::Int(value) => value,
            ExprKind::Cast(inner) => match self.expr(inner).kind {
                ExprKind::Int(value) if want.is_float() => value,
                _ => return None,
            },
            _ => return None,
        };
        if want.is_float() && i32::try_from(value).is_ok() {
            return Some(self.float(value as f64, want));
        }
        if value < 0 || want.bits() < 32 || want.is_float() {
            return None;
        }
        let (text, ty) = literal::suffixed(value, want);
        Some(Printed { literal: true, nonneg: true, ..Printed::new(text, Prec::Primary, Some(ty)) })
    }

    /// The expression, by the invariant above.
    pub fn value(&self, e: Handle<Expr>) -> Result<Printed> {
        let Expr { kind, ty, span } = self.expr(e);
        let scalar = self.scalar_of(e);
        if let Some(scalar) = scalar {
            self.unit.scalar(scalar);
        }
        match kind {
            ExprKind::Int(value) => Ok(self.integer(*value, *ty, scalar)),
            ExprKind::Float(value) => Ok(self.float(*value, scalar.unwrap_or(Scalar::F64))),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. } => self.place(e),
            ExprKind::Load(place) if self.is_kept_as_number(*place) => self.stored_pointer(e, *place),
            ExprKind::Load(place) => self.load(*place),
            ExprKind::AddrOf(place) => self.address(*place),
            ExprKind::Decay(place) => self.place(*place),
            ExprKind::Unary { op, operand } => self.unary(*op, *operand, scalar),
            ExprKind::Binary { op, left, right } => self.binary(e, *op, *left, *right),
            ExprKind::Cast(inner) => self.conversion(e, *inner),
            ExprKind::Select { cond, yes, no } => self.select(e, *cond, *yes, *no),
            ExprKind::Checked { what, array, index, first, end } => {
                self.checked(*what, array, *index, *first, *end, *span)
            }
            ExprKind::Math { fun, args } => self.math(*fun, args, scalar),
            ExprKind::Call { function, args } => self.call(*function, args, scalar),
            ExprKind::Builtin(builtin) => self.builtin(*builtin, *span),
        }
    }

    fn integer(&self, value: i128, ty: Handle<accl_ir::Type>, scalar: Option<Scalar>) -> Printed {
        if let (None, TypeKind::Pointer { .. }) = (scalar, self.kind(ty)) {
            return Printed::new(value.to_string(), Prec::Primary, None);
        }
        let (text, natural) = literal::integer(value, scalar.unwrap_or(Scalar::I32));
        let prec = if text.starts_with('-') { Prec::Unary } else { Prec::Primary };
        Printed { literal: true, nonneg: value >= 0, ..Printed::new(text, prec, Some(natural)) }
    }

    fn float(&self, value: f64, ty: Scalar) -> Printed {
        self.unit.scalar(ty);
        let (text, ty) = if value.is_finite() {
            (literal::floating(value, ty), ty)
        } else {
            self.unit.note(|n| n.special_floats = true);
            let name = if value.is_nan() { "NAN" } else { "INFINITY" };
            (format!("{}{name}", if value < 0.0 { "-" } else { "" }), Scalar::F32)
        };
        let prec = if text.starts_with('-') { Prec::Unary } else { Prec::Primary };
        Printed::new(text, prec, Some(ty))
    }

    fn load(&self, place: Handle<Expr>) -> Result<Printed> {
        let mut printed = self.place(place)?;
        if printed.ty == Some(Scalar::Bool) {
            printed.nonneg = true;
        }
        Ok(printed)
    }

    /// A place: an lvalue.
    pub fn place(&self, e: Handle<Expr>) -> Result<Printed> {
        let scalar = self.scalar_of(e);
        let (text, prec) = match &self.expr(e).kind {
            ExprKind::Local(local) => (self.names.local(*local).to_owned(), Prec::Primary),
            ExprKind::Global(global) => return self.global(*global, e),
            ExprKind::Deref(pointer) => match &self.expr(*pointer).kind {
                ExprKind::AddrOf(place) => return self.place(*place),
                _ => (format!("*{}", self.value(*pointer)?.at(Prec::Unary)), Prec::Unary),
            },
            ExprKind::Index { base, index } => {
                let base = self.value(*base)?.at(Prec::Postfix);
                (format!("{base}[{}]", self.index_text(*index)?), Prec::Postfix)
            }
            ExprKind::Member { base, field } => (self.member(*base, *field)?, Prec::Postfix),
            _ => return self.value(e),
        };
        Ok(Printed::new(text, prec, scalar))
    }

    fn member(&self, base: Handle<Expr>, field: u32) -> Result<String> {
        let TypeKind::Struct(def) = self.kind(self.expr(base).ty) else {
            return Err(crate::CodegenError::Internal("member of what is no structure".into()));
        };
        let field = &self.unit.module.types.structs[*def].fields[field as usize];
        if let Some(element) = structs::omitted(self.unit, field) {
            let name = if matches!(self.kind(element), TypeKind::Array { .. }) { "(*)" } else { "*" };
            let pointer = self.declarator(self.expr(base).span).declare(element, name)?;
            let structure = self.address(base)?.at(Prec::Unary);
            return Ok(format!("(({pointer})((char *){structure} + {}))", field.offset));
        }
        let name = field_name(self.unit, field);
        Ok(match &self.expr(base).kind {
            ExprKind::Deref(pointer) => format!("{}->{name}", self.value(*pointer)?.at(Prec::Postfix)),
            _ => format!("{}.{name}", self.place(base)?.at(Prec::Postfix)),
        })
    }

    fn global(&self, global: Handle<accl_ir::Global>, e: Handle<Expr>) -> Result<Printed> {
        let Expr { ty, span, .. } = self.expr(e);
        let global = &self.unit.module.globals[global];
        match global.value {
            Some(ConstValue::Int(value)) => Ok(self.integer(value, *ty, self.scalar_of(e))),
            Some(ConstValue::Float(value)) => Ok(self.float(value, self.scalar_of(e).unwrap_or(Scalar::F64))),
            None => {
                let what =
                    format!("global variable '{}' is used in device code without a data clause", global.name);
                Err(self.unit.unsupported(what, *span))
            }
        }
    }

    /// `&place`
    pub fn address(&self, place: Handle<Expr>) -> Result<Printed> {
        if let ExprKind::Deref(pointer) = &self.expr(place).kind {
            return self.value(*pointer);
        }
        Ok(Printed::new(format!("&{}", self.place(place)?.at(Prec::Unary)), Prec::Unary, None))
    }

    fn unary(&self, op: UnaryOp, operand: Handle<Expr>, scalar: Option<Scalar>) -> Result<Printed> {
        if op == UnaryOp::Not {
            let cond = self.condition(operand)?.at(Prec::Unary);
            return Ok(Printed {
                nonneg: true,
                ..Printed::new(format!("!{cond}"), Prec::Unary, Some(Scalar::I32))
            });
        }
        let printed = match scalar {
            Some(s) if s.promoted() == s => self.promoted_to(operand, s)?,
            _ => self.valued(operand)?,
        };
        let sign = if op == UnaryOp::Neg { "-" } else { "~" };
        let text = printed.at(Prec::Unary);
        let text = if text.starts_with('-') { format!("{sign}({text})") } else { format!("{sign}{text}") };
        Ok(Printed {
            wraps: printed.wraps,
            ..Printed::new(text, Prec::Unary, printed.ty.map(Scalar::promoted))
        })
    }

    /// A text that C's promotions turn into an `s`.
    pub(super) fn promoted_to(&self, e: Handle<Expr>, s: Scalar) -> Result<Printed> {
        let printed = self.value(e)?;
        if printed.ty.map(Scalar::promoted) == Some(s) { Ok(printed) } else { self.exactly(e, printed) }
    }

    /// `Cast`: the operand's text, if C's conversion to the new type starts from the operand's value.
    fn conversion(&self, e: Handle<Expr>, inner: Handle<Expr>) -> Result<Printed> {
        let (Some(to), Some(from)) = (self.scalar_of(e), self.scalar_of(inner)) else {
            return self.pointer_cast(e, inner);
        };
        let printed = self.value(inner)?;
        let truncates =
            to.is_integer() && to != Scalar::Bool && from.is_integer() && to.bits() <= from.bits();
        let congruent = printed.ty.is_some_and(|have| have.is_integer() && have.bits() >= from.bits());
        let mut printed = if truncates && congruent { printed } else { self.held(inner, printed)? };
        if !from.fits_in(to) {
            printed.literal = false;
            printed.nonneg &= from.is_integer() && to.is_integer() && to.bits() >= from.bits();
        }
        Ok(printed)
    }

    fn pointer_cast(&self, e: Handle<Expr>, inner: Handle<Expr>) -> Result<Printed> {
        let to = self.expr(e).ty;
        if matches!(self.kind(to), TypeKind::Void) || to == self.expr(inner).ty {
            return self.value(inner);
        }
        let ty = self.cast_type(to, inner)?;
        let operand = self.value(inner)?.at(Prec::Unary);
        Ok(Printed::new(format!("({ty}){operand}"), Prec::Unary, self.scalar_of(e)))
    }

    fn select(
        &self,
        e: Handle<Expr>,
        cond: Handle<Expr>,
        yes: Handle<Expr>,
        no: Handle<Expr>,
    ) -> Result<Printed> {
        let spaces = (self.spaces.of_value(self.body, yes), self.spaces.of_value(self.body, no));
        if let (Some(a), Some(b)) = spaces
            && a != b
            && self.unit.dialect.has_spaces()
            && matches!(self.kind(self.expr(e).ty), TypeKind::Pointer { .. })
        {
            return Err(crate::CodegenError::Unsupported {
                what: "a pointer is chosen between different memories, which OpenCL C cannot express".into(),
                span: self.expr(e).span,
            });
        }
        let cond = self.condition(cond)?.at(Prec::LogicalOr);
        let (yes, no, ty, wraps) = self.balanced(self.scalar_of(e), yes, no, false)?;
        let text = format!("{cond} ? {} : {}", yes.at(Prec::Assign), no.at(Prec::Conditional));
        let nonneg = yes.nonneg && no.nonneg;
        Ok(Printed { nonneg, wraps, ..Printed::new(text, Prec::Conditional, ty) })
    }
}
