//! Calls in expressions: mathematical functions, the user's functions, launch built-ins.

use super::body::BodyWriter;
use super::dialect::MathText;
use super::expr::{Prec, Printed};
use super::helper::Helper;
use super::scalar::Scalar;
use super::spaces::AddrSpace;
use super::stop;
use super::unit::Instance;
use crate::Result;
use accl_ir::{Builtin, Check, Expr, Function, Handle, MathFn};
use accl_source::Span;

impl<'w, 'a> BodyWriter<'w, 'a> {
    pub(super) fn math(&self, fun: MathFn, args: &[Handle<Expr>], result: Option<Scalar>) -> Result<Printed> {
        let first = args.first().and_then(|a| self.scalar_of(*a)).or(result).unwrap_or(Scalar::F64);
        let exact = self.unit.dialect.overloads_math();
        let texts = args
            .iter()
            .map(|a| if exact { Ok(self.exact(*a)?.at(Prec::Assign)) } else { self.assigned(*a) })
            .collect::<Result<Vec<_>>>()?;
        let list = texts.join(", ");
        let postfix = |text: String, ty| Printed::new(text, Prec::Postfix, Some(ty));
        Ok(match self.unit.dialect.math(fun, first, self.unit) {
            MathText::Call(name, ty) => {
                let wraps = result.is_some_and(|r| r != ty && r.is_integer());
                Printed { wraps, ..postfix(format!("{name}({list})"), ty) }
            }
            MathText::Around(before, name, after, ty) => {
                let prec = if before.starts_with('(') { Prec::Unary } else { Prec::Postfix };
                let inner = if name.is_empty() { list } else { format!("{name}({list})") };
                Printed { prec, ..postfix(format!("{before}{inner}{after}"), ty) }
            }
            MathText::NonZero(name) => {
                Printed { prec: Prec::Equality, ..postfix(format!("{name}({list}) != 0"), Scalar::I32) }
            }
            MathText::Reciprocal(one, name) => {
                Printed { prec: Prec::Multiplicative, ..postfix(format!("{one} / {name}({list})"), first) }
            }
        })
    }

    /// As a condition: without the comparison that makes the value 0 or 1.
    pub(super) fn math_condition(&self, fun: MathFn, args: &[Handle<Expr>]) -> Result<Option<Printed>> {
        let first = args.first().and_then(|a| self.scalar_of(*a)).unwrap_or(Scalar::F64);
        let MathText::NonZero(name) = self.unit.dialect.math(fun, first, self.unit) else { return Ok(None) };
        let args = args.iter().map(|a| self.assigned(*a)).collect::<Result<Vec<_>>>()?.join(", ");
        Ok(Some(Printed::new(format!("{name}({args})"), Prec::Postfix, Some(Scalar::I32))))
    }

    /// A subscript that is tested where the language has a way to end the program.
    pub(super) fn checked(
        &self,
        what: Check,
        array: &str,
        index: Handle<Expr>,
        first: Handle<Expr>,
        end: Handle<Expr>,
        span: Span,
    ) -> Result<Printed> {
        let Some(name) = self.unit.dialect.checker(what) else { return self.value(index) };
        self.unit.note(|n| n.checked = true);
        let place = self.unit.place(span).unwrap_or_default();
        let mut args = vec![];
        for e in [index, first, end] {
            args.push(self.assigned(e)?);
        }
        let text = format!("{name}({}, {place:?}, {array:?})", args.join(", "));
        Ok(Printed::new(text, Prec::Postfix, Some(Scalar::I64)))
    }

    pub(super) fn call(
        &self,
        function: Handle<Function>,
        args: &[Handle<Expr>],
        result: Option<Scalar>,
    ) -> Result<Printed> {
        let text = self.call_text(function, args, Span::NOWHERE)?;
        Ok(Printed::new(text, Prec::Postfix, result))
    }

    /// `f(args)`, and the function among what the text needs.
    pub fn call_text(&self, function: Handle<Function>, args: &[Handle<Expr>], span: Span) -> Result<String> {
        let callee = &self.unit.module.functions[function];
        if callee.is_allocation() && !self.unit.dialect.has_recursion() {
            let what = "memory is allocated in device code, which OpenCL C cannot express".to_owned();
            return Err(self.unit.unsupported(what, span));
        }
        if callee.is_clock() {
            return Ok(format!("{}()", self.unit.helper(Helper::Clock)));
        }
        if callee.is_fence() {
            return Ok(format!("{}()", self.unit.helper(Helper::Fence)));
        }
        if callee.is_runtimes() {
            self.unit.note(|n| n.strips = true);
        }
        if callee.is_runtimes() || callee.is_allocation() {
            let args = args.iter().map(|a| self.assigned(*a)).collect::<Result<Vec<_>>>()?;
            return Ok(format!("{}({})", callee.symbol, args.join(", ")));
        }
        if callee.is_sine_and_cosine() {
            let args = args.iter().map(|a| self.assigned(*a)).collect::<Result<Vec<_>>>()?;
            return Ok(self.unit.dialect.sine_and_cosine(&callee.symbol, &args));
        }
        if callee.body.is_none() {
            let what = format!(
                "function '{}' is called in device code, but its body is not known here",
                callee.name
            );
            return Err(self.unit.unsupported(what, span));
        }
        let instance = Instance { function, spaces: self.argument_spaces(args) };
        let name = self.unit.instance_name(&instance);
        self.unit.note(|n| {
            if !n.instances.contains(&instance) {
                n.instances.push(instance);
            }
        });
        let body = callee.body.as_ref();
        let wanted = |at: usize| Some(body?.locals[*callee.params.get(at)?].ty);
        let args = args.iter().enumerate().map(|(at, arg)| match wanted(at) {
            Some(ty) => self.passed(*arg, ty),
            None => self.assigned(*arg),
        });
        let mut args = args.collect::<Result<Vec<_>>>()?;
        if stop::takes_flag(self.unit, callee) {
            args.push(stop::FLAG.to_owned());
        }
        Ok(format!("{name}({})", args.join(", ")))
    }

    fn argument_spaces(&self, args: &[Handle<Expr>]) -> Vec<AddrSpace> {
        if !self.unit.dialect.has_spaces() {
            return Vec::new();
        }
        self.spaces.of_arguments(&self.unit.module.types, self.body, args)
    }

    pub(super) fn builtin(&self, builtin: Builtin, span: Span) -> Result<Printed> {
        let text = self.unit.dialect.builtin(builtin, self.folded).ok_or_else(|| {
            self.unit.unsupported(format!("internal error: built-in {builtin:?} on this device"), span)
        })?;
        let ir = match builtin {
            Builtin::Begin | Builtin::End | Builtin::Total => Scalar::I64,
            Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) | Builtin::BlockDim(_) | Builtin::GridDim(_) => {
                Scalar::I32
            }
        };
        let wraps = text.ty != ir;
        Ok(Printed { nonneg: true, wraps, ..Printed::new(text.text, Prec::Postfix, Some(text.ty)) })
    }
}
