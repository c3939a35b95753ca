//! Expressions as the C text a user would write: for messages and for what the host evaluates.
//!
//! The host prints bounds and values from here; so the text is valid C in the scope of the directive. Where
//! an expression has no such text (a builtin, a temporary of the compiler) the answer is `None`.

use accl_ir::{
    BinaryOp, Body, Expr, ExprKind, Handle, Local, LocalKind, Module, Named, Type, TypeKind, UnaryOp,
};

/// The tables in which the printer looks up names.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
}

impl<'a> Scope<'a> {
    pub fn new(module: &'a Module, body: &'a Body) -> Self {
        Scope { module, body }
    }

    /// The expression as C, fully parenthesised where precedence could matter.
    pub fn text(&self, e: Handle<Expr>) -> Option<String> {
        let expr = &self.body.exprs[e];
        Some(match &expr.kind {
            ExprKind::Int(n) => self.int(*n, expr.ty),
            ExprKind::Float(x) => self.float(*x, expr.ty),
            ExprKind::Local(l) => self.local(*l)?,
            ExprKind::Global(g) => self.module.globals[*g].host_text().to_owned(),
            ExprKind::Deref(p) if is_reference(self.module, self.body, e) => self.text(*p)?,
            ExprKind::Deref(p) => format!("(*{})", self.atom(*p)?),
            ExprKind::Index { base, index } => format!("{}[{}]", self.postfix(*base)?, self.bare(*index)?),
            ExprKind::Member { base, field } => self.member(*base, *field)?,
            ExprKind::Load(p) | ExprKind::Decay(p) => self.text(*p)?,
            ExprKind::AddrOf(p) => format!("&{}", self.atom(*p)?),
            ExprKind::Unary { op, operand } => {
                let sign = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                };
                format!("{sign}{}", self.atom(*operand)?)
            }
            ExprKind::Binary { op, left, right } => {
                format!("{} {} {}", self.atom(*left)?, operator(*op), self.atom(*right)?)
            }
            ExprKind::Cast(v) => format!("({}){}", self.type_name(expr.ty)?, self.atom(*v)?),
            ExprKind::Select { cond, yes, no } => {
                format!("{} ? {} : {}", self.atom(*cond)?, self.atom(*yes)?, self.atom(*no)?)
            }
            ExprKind::Math { .. }
            | ExprKind::Call { .. }
            | ExprKind::Checked { .. }
            | ExprKind::Builtin(_) => return None,
        })
    }

    /// The text for messages, without implicit conversions, which the user did not write.
    pub fn message(&self, e: Handle<Expr>) -> String {
        self.message_text(e).unwrap_or_else(|| "…".into())
    }

    pub fn message_text(&self, e: Handle<Expr>) -> Option<String> {
        match &self.body.exprs[e].kind {
            ExprKind::Cast(v) => self.message_text(*v),
            ExprKind::Index { base, index } => {
                Some(format!("{}[{}]", self.message_text(*base)?, self.message_text(*index)?))
            }
            ExprKind::Load(p) | ExprKind::Decay(p) => self.message_text(*p),
            ExprKind::Binary { op, left, right } => {
                Some(format!("{}{}{}", self.message_atom(*left)?, operator(*op), self.message_atom(*right)?))
            }
            ExprKind::Member { base, field } => match &self.body.exprs[*base].kind {
                base_kind
                    if matches!(base_kind, ExprKind::Index { .. }) || !self.has_name(*base, *field)? =>
                {
                    Some(format!("{}.{}", self.message_text(*base)?, self.field_name(*base, *field)?))
                }
                _ => self.text(e),
            },
            _ => self.text(e),
        }
    }

    fn message_atom(&self, e: Handle<Expr>) -> Option<String> {
        let text = self.message_text(e)?;
        Some(if is_atom(&text) { text } else { format!("({text})") })
    }

    fn bare(&self, e: Handle<Expr>) -> Option<String> {
        self.text(e)
    }

    /// The text, in parentheses unless it binds tighter than any operator.
    fn atom(&self, e: Handle<Expr>) -> Option<String> {
        let text = self.text(e)?;
        Some(if is_atom(&text) { text } else { format!("({text})") })
    }

    fn postfix(&self, e: Handle<Expr>) -> Option<String> {
        let text = self.text(e)?;
        Some(if is_postfix(&text) { text } else { format!("({text})") })
    }

    fn member(&self, base: Handle<Expr>, field: u32) -> Option<String> {
        let name = self.field_name(base, field)?;
        if name.is_empty() {
            // An anonymous member: those in it are named as if they were outside.
            return self.postfix(base);
        }
        if !self.has_name(base, field)? {
            return self.unnamed_member(base, field);
        }
        if self.is_base_class(self.field(base, field)?) {
            return self.postfix(base);
        }
        Some(match &self.body.exprs[base].kind {
            ExprKind::Deref(p) if !is_reference(self.module, self.body, base) => {
                format!("{}->{name}", self.postfix(*p)?)
            }
            _ => format!("{}.{name}", self.postfix(base)?),
        })
    }

    /// The part of an object that is of its base class: its members are named as the object's own.
    fn is_base_class(&self, field: &accl_ir::Field) -> bool {
        let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        match (self.module.types.kind(field.ty), field.name.strip_prefix("base_")) {
            (TypeKind::Struct(def), Some(class)) => {
                plain(&self.module.types.structs[*def].name).ends_with(&plain(class))
            }
            _ => false,
        }
    }

    /// The body may refer to the member by its name.
    fn has_name(&self, base: Handle<Expr>, field: u32) -> Option<bool> {
        let class = self.body.exprs[base].ty;
        Some(match self.field(base, field)?.named {
            Named::Everywhere => true,
            Named::InDerived => self.method_of().is_some_and(|own| self.is_or_has_base(own, class)),
            Named::InClass => self.method_of() == Some(class),
            Named::Nowhere => false,
        })
    }

    /// The class of which the body is a method.
    fn method_of(&self) -> Option<Handle<Type>> {
        let (_, this) = self.body.locals.iter().find(|(_, local)| local.kind == LocalKind::This)?;
        self.module.types.element(this.ty)
    }

    fn is_or_has_base(&self, own: Handle<Type>, class: Handle<Type>) -> bool {
        let TypeKind::Struct(def) = self.module.types.kind(own) else { return false };
        let mut bases = self.module.types.structs[*def].fields.iter().filter(|f| self.is_base_class(f));
        own == class || bases.any(|base| self.is_or_has_base(base.ty, class))
    }

    /// A member that the program has no name for is written as what lies at its place. An array is written as the
    /// address of its first element.
    fn unnamed_member(&self, base: Handle<Expr>, field: u32) -> Option<String> {
        let field = self.field(base, field)?;
        // What has no name of its own is written as the object that it is a part of.
        let (mut base, mut offset) = (base, field.offset);
        while let ExprKind::Member { base: outer, field } = self.body.exprs[base].kind {
            let part = self.field(outer, field)?;
            if !part.name.is_empty() && !self.is_base_class(part) {
                break;
            }
            (base, offset) = (outer, offset + part.offset);
        }
        let object = match &self.body.exprs[base].kind {
            ExprKind::Deref(p) if !is_reference(self.module, self.body, base) => self.atom(*p)?,
            _ => format!("&{}", self.postfix(base)?),
        };
        let at = |ty| Some(format!("({} *)((char *){object} + {offset})", self.type_name(ty)?));
        match self.module.types.kind(field.ty) {
            TypeKind::Array { of, .. } => Some(format!("({})", at(*of)?)),
            // The name of a reference means its object.
            _ if field.reference => Some(format!("(**{})", at(field.ty)?)),
            _ => Some(format!("(*{})", at(field.ty)?)),
        }
    }

    fn field_name(&self, base: Handle<Expr>, field: u32) -> Option<&'a str> {
        Some(&self.field(base, field)?.name)
    }

    fn field(&self, base: Handle<Expr>, field: u32) -> Option<&'a accl_ir::Field> {
        let TypeKind::Struct(def) = self.module.types.kind(self.body.exprs[base].ty) else { return None };
        self.module.types.structs[*def].fields.get(field as usize)
    }

    /// The name in the source. The front end makes names unique by a suffix `_2`, `_3`, …; a span that
    /// covers the name alone tells how long it was.
    pub fn local(&self, l: Handle<Local>) -> Option<String> {
        let local = &self.body.locals[l];
        match local.kind {
            LocalKind::Temp => None,
            LocalKind::This => Some("this".into()),
            LocalKind::Hoisted => Some(local.name.clone()),
            LocalKind::Param | LocalKind::Auto | LocalKind::Copy => Some(source_name(self.body, l)),
        }
    }

    fn int(&self, n: i128, ty: Handle<Type>) -> String {
        let suffix = match self.module.types.kind(ty) {
            TypeKind::Int { bits: 64, signed: true } => "L",
            TypeKind::Int { bits: 64, signed: false } => "UL",
            TypeKind::Int { bits: 32, signed: false } => "U",
            _ => "",
        };
        if n < 0 { format!("({n}{suffix})") } else { format!("{n}{suffix}") }
    }

    fn float(&self, x: f64, ty: Handle<Type>) -> String {
        match self.module.types.kind(ty) {
            TypeKind::Float { bits: 32 } => format!("{x:?}f"),
            _ => format!("{x:?}"),
        }
    }

    /// A type as C spells it, for scalar types and pointers to them.
    pub fn type_name(&self, ty: Handle<Type>) -> Option<String> {
        Some(match self.module.types.kind(ty) {
            TypeKind::Void => "void".into(),
            TypeKind::Bool if self.module.cplusplus => "bool".into(),
            TypeKind::Bool => "_Bool".into(),
            TypeKind::Int { bits, signed } => {
                let word = match bits {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    _ => "long",
                };
                let sign = match (signed, bits) {
                    (false, _) => "unsigned ",
                    (true, 8) => "signed ",
                    (true, _) => "",
                };
                format!("{sign}{word}")
            }
            TypeKind::Float { bits: 32 } => "float".into(),
            TypeKind::Float { .. } => "double".into(),
            TypeKind::Pointer { to, constant, .. } => {
                format!("{}{} *", if *constant { "const " } else { "" }, self.type_name(*to)?)
            }
            TypeKind::Array { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => return None,
        })
    }
}

/// The place is the object of a C++ reference. In the source the reference and its object have one name.
pub fn is_reference(module: &Module, body: &Body, place: Handle<Expr>) -> bool {
    let ExprKind::Deref(pointer) = body.exprs[place].kind else { return false };
    let ExprKind::Load(of) = body.exprs[pointer].kind else { return false };
    match body.exprs[of].kind {
        ExprKind::Local(l) => body.locals[l].reference,
        ExprKind::Global(g) => module.globals[g].reference,
        ExprKind::Member { .. } => is_reference_member(module, body, of),
        _ => false,
    }
}

/// The place is a member that is a C++ reference, not its object.
pub fn is_reference_member(module: &Module, body: &Body, place: Handle<Expr>) -> bool {
    let ExprKind::Member { base, field } = body.exprs[place].kind else { return false };
    match module.types.kind(body.exprs[base].ty) {
        TypeKind::Struct(def) => {
            module.types.structs[*def].fields.get(field as usize).is_some_and(|f| f.reference)
        }
        _ => false,
    }
}

/// The local that is a C++ reference, whose object the place is.
pub fn reference_of(body: &Body, place: Handle<Expr>) -> Option<Handle<Local>> {
    let ExprKind::Deref(pointer) = body.exprs[place].kind else { return None };
    let ExprKind::Load(of) = body.exprs[pointer].kind else { return None };
    match body.exprs[of].kind {
        ExprKind::Local(l) if body.locals[l].reference => Some(l),
        _ => None,
    }
}

/// The name a local has in the source.
pub fn source_name(body: &Body, l: Handle<Local>) -> String {
    let local = &body.locals[l];
    let Some((stem, suffix)) = local.name.rsplit_once('_') else { return local.name.clone() };
    let numbered = !stem.is_empty() && suffix.parse::<u32>().is_ok_and(|n| n >= 2);
    let shadows = body.locals.iter().any(|(other, o)| other != l && o.name == stem);
    let short_span = (local.span.end - local.span.start) as usize == stem.len();
    if numbered && shadows && short_span { stem.to_owned() } else { local.name.clone() }
}

/// A name, with the subscripts and members that follow it.
fn is_postfix(text: &str) -> bool {
    let mut depth = 0;
    let plain = text.chars().all(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth > 0 || c.is_alphanumeric() || "_].->:".contains(c)
    });
    plain && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_atom(text: &str) -> bool {
    let mut depth = 0i32;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && !(c.is_alphanumeric() || "_.->:".contains(c)) => return false,
            _ => {}
        }
        if depth == 0 && c == '-' && !text[i..].starts_with("->") {
            return false;
        }
    }
    // A cast `(int)x` does not bind like an atom.
    !text.starts_with('(') || text.ends_with(')') && balanced_as_one(text)
}

fn balanced_as_one(text: &str) -> bool {
    let mut depth = 0i32;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1 == text.len();
        }
    }
    false
}

/// An operator's spelling.
pub fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}

#[cfg(test)]
mod tests {
    use super::is_atom;

    #[test]
    fn atoms() {
        for yes in ["n", "p->x", "a[i + 1]", "(a + b)", "f.g[0].h", "2.5"] {
            assert!(is_atom(yes), "{yes}");
        }
        for no in ["a + b", "-n", "(a) + (b)", "(int)n", "a-b", "*p"] {
            assert!(!is_atom(no), "{no}");
        }
    }
}
