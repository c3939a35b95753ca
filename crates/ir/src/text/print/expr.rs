//! Printing expressions. A place in a value's position stands for its load, an array place for its
//! decay; what deviates is written out.

use super::{Printer, function_name, global_name};
use crate::text::words::{self, POSTFIX, TERNARY, UNARY, name, precedence, word};
use crate::{BinaryOp, Builtin, Check, Expr, ExprKind, Handle, Type, TypeKind, UnaryOp, natural_type};

/// A double, so that reading it gives the same bits (of NaNs, the kind alone).
pub(super) fn float(v: f64) -> String {
    if v.is_nan() { "nan".to_owned() } else { format!("{v:?}") }
}

/// `text`, in parentheses if it binds less tightly than its context demands.
fn wrap(text: String, own: u8, wanted: u8) -> String {
    if own < wanted { format!("({text})") } else { text }
}

impl Printer<'_> {
    fn get(&self, e: Handle<Expr>) -> Option<&Expr> {
        self.body.exprs.get(e)
    }

    fn is_natural(&self, e: &Expr) -> bool {
        natural_type(self.module, self.body, &e.kind).is_some_and(|n| n.is(self.module, e.ty))
    }

    fn is_array(&self, ty: Handle<Type>) -> bool {
        matches!(self.module.types.get(ty), Some(TypeKind::Array { .. }))
    }

    /// A place of its natural type: it prints as itself.
    fn plain_place(&self, e: Handle<Expr>) -> Option<&Expr> {
        self.get(e).filter(|e| e.kind.is_place() && self.is_natural(e))
    }

    /// A place or a value, for messages.
    pub(super) fn any(&mut self, e: Handle<Expr>) -> String {
        match self.plain_place(e) {
            Some(_) => self.place(e, 0),
            None => self.value(e, 0),
        }
    }

    /// `e` where a place is expected.
    pub(super) fn place(&mut self, e: Handle<Expr>, wanted: u8) -> String {
        let body = self.body;
        let Some(expr) = body.exprs.get(e) else { return format!("<bad expr {}>", e.index()) };
        if !expr.kind.is_place() {
            return format!("value({})", self.value(e, 0));
        }
        if !self.is_natural(expr) {
            return self.raw_place(e);
        }
        let (text, own) = self.place_text(&expr.kind);
        wrap(text, own, wanted)
    }

    /// A place with its type, neither read nor decayed.
    fn raw_place(&mut self, e: Handle<Expr>) -> String {
        let body = self.body;
        let Some(expr) = body.exprs.get(e) else { return format!("<bad expr {}>", e.index()) };
        let text = self.place_text(&expr.kind).0;
        if self.is_natural(expr) {
            return format!("place({text})");
        }
        format!("place({text} : {})", self.ty(expr.ty))
    }

    fn place_text(&mut self, kind: &ExprKind) -> (String, u8) {
        match kind {
            ExprKind::Local(l) => (self.local(*l), POSTFIX),
            ExprKind::Global(g) => (format!("@{}", global_name(self.module, *g)), POSTFIX),
            ExprKind::Deref(p) => (format!("*{}", self.value(*p, UNARY)), UNARY),
            ExprKind::Index { base, index } => {
                let base = self.index_base(*base);
                (format!("{base}[{}]", self.value(*index, 0)), POSTFIX)
            }
            ExprKind::Member { base, field } => (self.member(*base, *field), POSTFIX),
            _ => ("<not a place>".to_owned(), POSTFIX),
        }
    }

    /// Arrays are indexed in place; pointers are read first.
    fn index_base(&mut self, base: Handle<Expr>) -> String {
        let body = self.body;
        let Some(expr) = body.exprs.get(base) else { return format!("<bad expr {}>", base.index()) };
        if expr.kind.is_place() {
            let plain = self.is_natural(expr) && self.is_array(expr.ty);
            return if plain { self.place(base, POSTFIX) } else { self.raw_place(base) };
        }
        if let ExprKind::Decay(place) = expr.kind {
            let text = format!("decay({})", self.place(place, 0));
            return if self.is_natural(expr) { text } else { format!("({text} : {})", self.ty(expr.ty)) };
        }
        self.value(base, POSTFIX)
    }

    fn member(&mut self, base: Handle<Expr>, field: u32) -> String {
        let field_name = self.field_name(base, field);
        let pointer = match self.plain_place(base).map(|b| &b.kind) {
            Some(ExprKind::Deref(pointer)) => Some(*pointer),
            _ => None,
        };
        match pointer {
            Some(pointer) => format!("{}->{field_name}", self.value(pointer, POSTFIX)),
            None => format!("{}.{field_name}", self.place(base, POSTFIX)),
        }
    }

    /// Fields that have no name of their own are referred to by number.
    fn field_name(&self, base: Handle<Expr>, field: u32) -> String {
        let numbered = format!("#{field}");
        let Some(base) = self.get(base) else { return numbered };
        let Some(TypeKind::Struct(def)) = self.module.types.get(base.ty) else { return numbered };
        let Some(def) = self.module.types.structs.get(*def) else { return numbered };
        let Some(found) = def.fields.get(field as usize) else { return numbered };
        let same = def.fields.iter().filter(|f| f.name == found.name).count();
        if found.name.is_empty() || same > 1 { numbered } else { name(&found.name) }
    }

    /// `e` where a value is expected, in parentheses if it binds less tightly than `wanted`.
    pub(super) fn value(&mut self, e: Handle<Expr>, wanted: u8) -> String {
        let body = self.body;
        let Some(expr) = body.exprs.get(e) else { return format!("<bad expr {}>", e.index()) };
        if expr.kind.is_place() {
            return self.raw_place(e);
        }
        if let Some((text, own)) = self.literal(expr) {
            return wrap(text, own, wanted);
        }
        if let ExprKind::Cast(operand) = expr.kind {
            let text = format!("({}){}", self.ty(expr.ty), self.value(operand, UNARY));
            return wrap(text, UNARY, wanted);
        }
        let (text, own) = self.value_text(&expr.kind);
        if self.is_natural(expr) {
            return wrap(text, own, wanted);
        }
        format!("({text} : {})", self.ty(expr.ty))
    }

    fn value_text(&mut self, kind: &ExprKind) -> (String, u8) {
        match kind {
            ExprKind::Load(place) => self.load(*place),
            ExprKind::Decay(place) => self.decay(*place),
            ExprKind::AddrOf(place) => (format!("&{}", self.place(*place, UNARY)), UNARY),
            ExprKind::Unary { op, operand } => (self.unary(*op, *operand), UNARY),
            ExprKind::Binary { op, left, right } => (self.binary(*op, *left, *right), precedence(*op)),
            ExprKind::Select { cond, yes, no } => {
                let cond = self.value(*cond, TERNARY + 1);
                let yes = self.value(*yes, TERNARY);
                (format!("{cond} ? {yes} : {}", self.value(*no, TERNARY)), TERNARY)
            }
            ExprKind::Checked { what, array, index, first, end } => {
                let list = self.values(&[*index, *first, *end]);
                let word = match what {
                    Check::Window => "checked",
                    Check::Number => "checked_number",
                };
                (format!("{word}({} : {list})", words::quoted(array)), POSTFIX)
            }
            ExprKind::Math { fun, args } => (format!("{}({})", fun.c_name(), self.values(args)), POSTFIX),
            ExprKind::Call { function, args } => {
                let callee = function_name(self.module, *function);
                (format!("call {callee}({})", self.values(args)), POSTFIX)
            }
            ExprKind::Builtin(b) => (builtin(*b), POSTFIX),
            _ => ("<not a value>".to_owned(), POSTFIX),
        }
    }

    pub(super) fn values(&mut self, args: &[Handle<Expr>]) -> String {
        let texts: Vec<String> = args.iter().map(|a| self.value(*a, 0)).collect();
        texts.join(", ")
    }

    /// Implicit, save for arrays (which would decay) and places that do not print as themselves.
    fn load(&mut self, place: Handle<Expr>) -> (String, u8) {
        match self.plain_place(place) {
            Some(p) if !self.is_array(p.ty) => {
                let body = self.body;
                self.place_text(&body.exprs[place].kind)
            }
            _ => (format!("load({})", self.place(place, 0)), POSTFIX),
        }
    }

    fn decay(&mut self, place: Handle<Expr>) -> (String, u8) {
        match self.plain_place(place) {
            Some(p) if self.is_array(p.ty) => {
                let body = self.body;
                self.place_text(&body.exprs[place].kind)
            }
            _ => (format!("decay({})", self.place(place, 0)), POSTFIX),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: Handle<Expr>) -> String {
        let text = self.value(operand, UNARY);
        match op {
            // `-5` is a literal, `-(5)` the negation of one.
            UnaryOp::Neg if text.starts_with('-') || self.is_number(operand) => format!("-({text})"),
            UnaryOp::Neg => format!("-{text}"),
            UnaryOp::Not => format!("!{text}"),
            UnaryOp::BitNot => format!("~{text}"),
        }
    }

    fn is_number(&self, e: Handle<Expr>) -> bool {
        self.get(e).is_some_and(|e| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_)))
    }

    fn binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> String {
        let own = precedence(op);
        let left = self.value(left, own);
        format!("{left} {} {}", word(words::BINARY, &op), self.value(right, own + 1))
    }

    /// Numbers carry their type as a suffix: `5` is i32, `5u64`, `1.5` is f64, `1.5f32`.
    fn literal(&mut self, e: &Expr) -> Option<(String, u8)> {
        let kind = self.module.types.get(e.ty);
        let text = match (&e.kind, kind) {
            (ExprKind::Int(v), Some(TypeKind::Int { bits: 32, signed: true })) => v.to_string(),
            (ExprKind::Int(v), Some(TypeKind::Int { .. })) => format!("{v}{}", self.ty(e.ty)),
            (ExprKind::Int(v @ (0 | 1)), Some(TypeKind::Bool)) => (*v == 1).to_string(),
            (ExprKind::Int(v), _) => format!("({v} : {})", self.ty(e.ty)),
            (ExprKind::Float(v), Some(TypeKind::Float { bits: 64 })) => float(*v),
            (ExprKind::Float(v), Some(TypeKind::Float { bits: 32 }))
                if v.is_finite() && f64::from(*v as f32) == *v =>
            {
                format!("{:?}f32", *v as f32)
            }
            (ExprKind::Float(v), _) => format!("({} : {})", float(*v), self.ty(e.ty)),
            _ => return None,
        };
        let own = if text.starts_with('-') { UNARY } else { POSTFIX };
        Some((text, own))
    }
}

fn builtin(b: Builtin) -> String {
    let found = word(words::BUILTIN, &b);
    match b {
        Builtin::ThreadIdx(d) | Builtin::BlockIdx(d) | Builtin::BlockDim(d) | Builtin::GridDim(d)
            if found == "?" =>
        {
            format!("<bad builtin dimension {d}>")
        }
        _ => found.to_owned(),
    }
}
