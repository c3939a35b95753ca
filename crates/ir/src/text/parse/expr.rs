//! Reading expressions: C's grammar, with loads, decays and types put back.

use super::{Parser, Result};
use crate::text::lex::Tok;
use crate::text::words;
use crate::{BinaryOp, Check, Expr, ExprKind, Handle, Type, TypeKind, UnaryOp, natural_type};

/// An expression that has not yet been coerced to what its context expects.
#[derive(Clone, Copy)]
pub(super) struct Raw {
    e: Handle<Expr>,
    form: ExprForm,
    /// Its type could not be determined.
    untyped: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum ExprForm {
    Place,
    Value,
    /// `place(…)`, `value(…)`: taken as it is.
    Fixed,
}

impl Parser {
    /// An expression where a value is expected.
    pub(super) fn value(&mut self) -> Result<Handle<Expr>> {
        let raw = self.ternary()?;
        self.need_value(raw)
    }

    /// An expression where a place is expected.
    pub(super) fn place(&mut self) -> Result<Handle<Expr>> {
        let raw = self.unary()?;
        self.need_place(raw)
    }

    fn add(&mut self, kind: ExprKind) -> Raw {
        let natural = natural_type(&self.module, &self.scope.body, &kind);
        let untyped = natural.is_none();
        let ty = match natural {
            Some(natural) => natural.intern(&mut self.module),
            None => self.module.types.void(),
        };
        self.add_as(kind, ty, untyped)
    }

    fn add_as(&mut self, kind: ExprKind, ty: Handle<Type>, untyped: bool) -> Raw {
        let form = if kind.is_place() { ExprForm::Place } else { ExprForm::Value };
        // It begins where its first operand does.
        let operand = kind.operands().first().map(|e| self.scope.body.exprs[*e].span);
        let span = self.since(operand.unwrap_or_else(|| self.before()));
        Raw { e: self.scope.body.expr(kind, ty, span), form, untyped }
    }

    fn typed(&self, raw: Raw) -> Result<Raw> {
        if raw.untyped {
            self.error("the type before here cannot be told: write (e : type)")
        } else {
            Ok(raw)
        }
    }

    fn is_array(&self, e: Handle<Expr>) -> bool {
        matches!(self.module.types.kind(self.scope.body.exprs[e].ty), TypeKind::Array { .. })
    }

    /// Reads a place; an array place decays.
    fn coerce(&mut self, raw: Raw) -> Raw {
        match raw.form {
            ExprForm::Value | ExprForm::Fixed => raw,
            ExprForm::Place if self.is_array(raw.e) => self.add(ExprKind::Decay(raw.e)),
            ExprForm::Place => self.add(ExprKind::Load(raw.e)),
        }
    }

    fn need_value(&mut self, raw: Raw) -> Result<Handle<Expr>> {
        let raw = self.typed(raw)?;
        Ok(self.coerce(raw).e)
    }

    fn need_place(&mut self, raw: Raw) -> Result<Handle<Expr>> {
        let raw = self.typed(raw)?;
        match raw.form {
            ExprForm::Place | ExprForm::Fixed => Ok(raw.e),
            ExprForm::Value => self.error("expected a place before here, not a value"),
        }
    }

    fn ternary(&mut self) -> Result<Raw> {
        let cond = self.binary(words::TERNARY + 1)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let cond = self.need_value(cond)?;
        let yes = self.value()?;
        self.expect(":")?;
        let no = self.value()?;
        Ok(self.add(ExprKind::Select { cond, yes, no }))
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        match self.tok() {
            Tok::Punct(p) => words::value(words::BINARY, p),
            _ => None,
        }
    }

    fn binary(&mut self, min: u8) -> Result<Raw> {
        let mut left = self.unary()?;
        while let Some(op) = self.binary_op().filter(|op| words::precedence(*op) >= min) {
            self.advance();
            let l = self.need_value(left)?;
            let right = self.binary(words::precedence(op) + 1)?;
            let right = self.need_value(right)?;
            left = self.add(ExprKind::Binary { op, left: l, right });
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Raw> {
        let Tok::Punct(punct) = self.tok() else { return self.postfix() };
        match *punct {
            "-" if self.is_number(1) => {
                self.advance();
                self.number("-")
            }
            "-" => self.unary_op(UnaryOp::Neg),
            "!" => self.unary_op(UnaryOp::Not),
            "~" => self.unary_op(UnaryOp::BitNot),
            "*" => {
                self.advance();
                let pointer = self.unary()?;
                let pointer = self.need_value(pointer)?;
                Ok(self.add(ExprKind::Deref(pointer)))
            }
            "&" => {
                self.advance();
                let place = self.place()?;
                Ok(self.add(ExprKind::AddrOf(place)))
            }
            "(" if self.is_type(1) => {
                self.advance();
                let ty = self.ty()?;
                self.expect(")")?;
                let operand = self.unary()?;
                let operand = self.need_value(operand)?;
                Ok(self.add_as(ExprKind::Cast(operand), ty, false))
            }
            _ => self.postfix(),
        }
    }

    fn unary_op(&mut self, op: UnaryOp) -> Result<Raw> {
        self.advance();
        let operand = self.unary()?;
        let operand = self.need_value(operand)?;
        Ok(self.add(ExprKind::Unary { op, operand }))
    }

    fn postfix(&mut self) -> Result<Raw> {
        let mut raw = self.primary()?;
        loop {
            if self.eat("[") {
                let base = self.typed(raw)?;
                let base = self.index_base(base);
                let index = self.value()?;
                self.expect("]")?;
                raw = self.add(ExprKind::Index { base, index });
            } else if self.eat(".") {
                let base = self.need_place(raw)?;
                raw = self.member(base)?;
            } else if self.eat("->") {
                let pointer = self.need_value(raw)?;
                let base = self.add(ExprKind::Deref(pointer));
                let base = self.need_place(base)?;
                raw = self.member(base)?;
            } else {
                return Ok(raw);
            }
        }
    }

    /// Arrays are indexed in place, pointers are read first.
    fn index_base(&mut self, raw: Raw) -> Handle<Expr> {
        match raw.form {
            ExprForm::Place if !self.is_array(raw.e) => self.add(ExprKind::Load(raw.e)).e,
            ExprForm::Place | ExprForm::Value | ExprForm::Fixed => raw.e,
        }
    }

    fn member(&mut self, base: Handle<Expr>) -> Result<Raw> {
        if let Tok::Index(n) = self.tok() {
            let field = *n as u32;
            self.advance();
            return Ok(self.add(ExprKind::Member { base, field }));
        }
        let name = self.name("a field")?;
        let field = match self.module.types.kind(self.scope.body.exprs[base].ty) {
            TypeKind::Struct(def) => {
                self.module.types.structs[*def].fields.iter().position(|f| f.name == name)
            }
            _ => return self.error(format!("`.{name}` needs a structure before it")),
        };
        match field {
            Some(field) => Ok(self.add(ExprKind::Member { base, field: field as u32 })),
            None => self.error(format!("the structure has no field `{name}`")),
        }
    }

    fn primary(&mut self) -> Result<Raw> {
        match self.tok().clone() {
            Tok::Number(_) => self.number(""),
            Tok::Builtin(text) => match words::value(words::BUILTIN, &text) {
                Some(builtin) => {
                    self.advance();
                    Ok(self.add(ExprKind::Builtin(builtin)))
                }
                None => self.error(format!("`{text}` is no builtin")),
            },
            Tok::Punct("@") => {
                self.advance();
                let global = self.global_name()?;
                Ok(self.add(ExprKind::Global(global)))
            }
            Tok::Punct("(") => self.parenthesised(),
            Tok::Word { text, quoted: false } => self.word_primary(&text),
            Tok::Word { quoted: true, .. } => self.local_primary(),
            Tok::Str(_) | Tok::Index(_) | Tok::Punct(_) | Tok::End => self.expected("an expression"),
        }
    }

    pub(super) fn global_name(&mut self) -> Result<Handle<crate::Global>> {
        let name = self.name("a global")?;
        match self.globals.get(&name) {
            Some(global) => Ok(*global),
            None => self.error(format!("no global is named `{name}`")),
        }
    }

    pub(super) fn function_name(&mut self) -> Result<Handle<crate::Function>> {
        let name = self.name("a function")?;
        match self.functions.get(&name) {
            Some(function) => Ok(*function),
            None => self.error(format!("no function is named `{name}`")),
        }
    }

    fn local_primary(&mut self) -> Result<Raw> {
        let local = self.local()?;
        Ok(self.add(ExprKind::Local(local)))
    }

    /// `(e)`, `(e : type)`
    fn parenthesised(&mut self) -> Result<Raw> {
        self.expect("(")?;
        let raw = self.ternary()?;
        let raw = if self.eat(":") {
            let raw = self.coerce(raw);
            self.ascribed(raw)?
        } else {
            raw
        };
        self.expect(")")?;
        Ok(raw)
    }

    fn ascribed(&mut self, raw: Raw) -> Result<Raw> {
        let ty = self.ty()?;
        self.scope.body.exprs[raw.e].ty = ty;
        Ok(Raw { untyped: false, ..raw })
    }

    fn word_primary(&mut self, word: &str) -> Result<Raw> {
        match word {
            "true" | "false" => {
                self.advance();
                let ty = self.module.types.bool();
                Ok(self.add_as(ExprKind::Int(i128::from(word == "true")), ty, false))
            }
            "inf" | "nan" => self.number(""),
            "load" | "decay" | "place" | "value" if *self.peek(1) == Tok::Punct("(") => self.explicit(word),
            "checked" | "checked_number" if *self.peek(1) == Tok::Punct("(") => {
                let what = if word == "checked" { Check::Window } else { Check::Number };
                self.advance();
                self.expect("(")?;
                let array = self.string()?;
                self.expect(":")?;
                let args = self.list(")", Self::value)?;
                match args[..] {
                    [index, first, end] => Ok(self.add(ExprKind::Checked { what, array, index, first, end })),
                    _ => self.error("a check has a subscript and two bounds"),
                }
            }
            "call" if matches!(self.peek(1), Tok::Word { .. }) => {
                self.advance();
                let function = self.function_name()?;
                let args = self.args()?;
                Ok(self.add(ExprKind::Call { function, args }))
            }
            _ if *self.peek(1) == Tok::Punct("(") => match words::math(word) {
                Some(fun) => {
                    self.advance();
                    let args = self.args()?;
                    Ok(self.add(ExprKind::Math { fun, args }))
                }
                None => self.error(format!(
                    "`{word}` is no mathematical function; a function of the program is called by `call {word}(…)`"
                )),
            },
            _ => self.local_primary(),
        }
    }

    pub(super) fn args(&mut self) -> Result<Vec<Handle<Expr>>> {
        self.expect("(")?;
        self.list(")", Self::value)
    }

    /// `load(e)`, `decay(e)`, `place(e)`, `place(e : type)`, `value(e)`
    fn explicit(&mut self, word: &str) -> Result<Raw> {
        self.advance();
        self.expect("(")?;
        let raw = match word {
            "load" => {
                let place = self.ternary()?;
                let place = self.need_place(place)?;
                self.add(ExprKind::Load(place))
            }
            "decay" => {
                let place = self.ternary()?;
                let place = self.need_place(place)?;
                self.add(ExprKind::Decay(place))
            }
            "value" => {
                let value = self.value()?;
                Raw { e: value, form: ExprForm::Fixed, untyped: false }
            }
            _ => {
                let raw = self.ternary()?;
                let raw = if self.eat(":") { self.ascribed(raw)? } else { raw };
                Raw { form: ExprForm::Fixed, ..raw }
            }
        };
        self.expect(")")?;
        Ok(raw)
    }

    fn is_number(&self, ahead: usize) -> bool {
        match self.peek(ahead) {
            Tok::Number(_) => true,
            Tok::Word { text, quoted: false } => text == "inf" || text == "nan",
            _ => false,
        }
    }

    /// A literal; `sign` is what stood before it.
    fn number(&mut self, sign: &str) -> Result<Raw> {
        let text = match self.tok() {
            Tok::Number(text) | Tok::Word { text, .. } => text.clone(),
            _ => return self.expected("a number"),
        };
        let Some((kind, ty)) = literal(sign, &text) else {
            return self.error(format!("`{sign}{text}` is not a number of the text form"));
        };
        self.advance();
        let ty = self.module.types.intern(ty);
        Ok(self.add_as(kind, ty, false))
    }
}

/// `5`, `5i64`, `1.5`, `1.5f32`, `inf`, `nan`
fn literal(sign: &str, text: &str) -> Option<(ExprKind, TypeKind)> {
    if text == "inf" || text == "nan" {
        let value: f64 = format!("{sign}{text}").parse().ok()?;
        return Some((ExprKind::Float(value), TypeKind::Float { bits: 64 }));
    }
    let suffix = text.find(['i', 'u', 'f']).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(suffix);
    if !suffix.is_empty() && !words::TYPE_WORDS.contains(&suffix) {
        return None;
    }
    let number = format!("{sign}{digits}");
    let fraction = digits.contains(['.', 'e', 'E']);
    let ty = match suffix {
        "" if fraction => TypeKind::Float { bits: 64 },
        "" => TypeKind::Int { bits: 32, signed: true },
        suffix => super::types::number_type(suffix),
    };
    let kind = match ty {
        TypeKind::Float { bits: 32 } => ExprKind::Float(f64::from(number.parse::<f32>().ok()?)),
        TypeKind::Float { .. } => ExprKind::Float(number.parse().ok()?),
        _ => ExprKind::Int(number.parse().ok()?),
    };
    Some((kind, ty))
}
