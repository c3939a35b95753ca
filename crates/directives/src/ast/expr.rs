//! C expressions as they stand in clauses.
//!
//! Most code reuses an expression as *text* (its span), so the tree exists to find the names in it, to fold
//! constants, and to reject text that is no expression. Names are not resolved here.
//!
//! Absent on purpose: assignment and comma (no clause takes them), lambdas, template argument lists.
//! Invariant: the span of a node covers the spans of its children, and the tree is never deeper than
//! the parser's budget, so recursion over it is safe.

use accl_source::Span;
use std::fmt;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// May be qualified (`ns::n`), or `this`.
    pub name: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CExpr {
    pub kind: CExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CExprKind {
    /// `text` keeps base and suffix; `value` is `None` when it does not fit.
    Int {
        value: Option<u64>,
        text: String,
    },
    /// Kept as text, since nothing here computes with it.
    Float(String),
    Char(String),
    /// Adjacent literals are one, with a blank between them.
    Str(String),
    Ident(String),
    Unary {
        op: UnaryOp,
        operand: Box<CExpr>,
    },
    /// `x++`, `x--`.
    Postfix {
        op: UnaryOp,
        operand: Box<CExpr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<CExpr>,
        rhs: Box<CExpr>,
    },
    Conditional {
        cond: Box<CExpr>,
        then: Box<CExpr>,
        otherwise: Box<CExpr>,
    },
    /// `(T) x`; also `T(x)` of a built-in type, which becomes `((T)(x))`.
    Cast {
        ty: TypeName,
        operand: Box<CExpr>,
    },
    /// `static_cast<T>(x)` and its like; the operand is the parenthesis.
    NamedCast {
        cast: String,
        ty: TypeName,
        operand: Box<CExpr>,
    },
    SizeofType(TypeName),
    /// Also `sizeof(T)` of a single name, of which only the scope can tell whether it is a type.
    SizeofExpr(Box<CExpr>),
    Call {
        callee: Box<CExpr>,
        args: Vec<CExpr>,
    },
    Index {
        base: Box<CExpr>,
        index: Box<CExpr>,
    },
    Member {
        base: Box<CExpr>,
        arrow: bool,
        member: Ident,
    },
    Paren(Box<CExpr>),
}

/// A type as text, e.g. `unsigned long *`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    AddressOf,
    Increment,
    Decrement,
}

impl UnaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::Deref => "*",
            UnaryOp::AddressOf => "&",
            UnaryOp::Increment => "++",
            UnaryOp::Decrement => "--",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

impl BinaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::BitAnd => "&",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
        }
    }

    /// Higher binds tighter; all associate to the left.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::BitOr => 3,
            BinaryOp::BitXor => 4,
            BinaryOp::BitAnd => 5,
            BinaryOp::Eq | BinaryOp::Ne => 6,
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => 7,
            BinaryOp::Shl | BinaryOp::Shr => 8,
            BinaryOp::Add | BinaryOp::Sub => 9,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 10,
        }
    }
}

impl CExpr {
    /// The direct operands, left to right.
    pub fn children(&self) -> Vec<&CExpr> {
        match &self.kind {
            CExprKind::Int { .. }
            | CExprKind::Float(_)
            | CExprKind::Char(_)
            | CExprKind::Str(_)
            | CExprKind::Ident(_)
            | CExprKind::SizeofType(_) => vec![],
            CExprKind::Unary { operand, .. }
            | CExprKind::Postfix { operand, .. }
            | CExprKind::Cast { operand, .. }
            | CExprKind::NamedCast { operand, .. }
            | CExprKind::SizeofExpr(operand)
            | CExprKind::Paren(operand)
            | CExprKind::Member { base: operand, .. } => vec![operand],
            CExprKind::Binary { lhs, rhs, .. } => vec![lhs, rhs],
            CExprKind::Conditional { cond, then, otherwise } => vec![cond, then, otherwise],
            CExprKind::Call { callee, args } => std::iter::once(&**callee).chain(args).collect(),
            CExprKind::Index { base, index } => vec![base, index],
        }
    }

    /// Every use of a name, left to right, with its span. Names of members, and of types in casts, are
    /// not uses; the callee of a call is.
    pub fn identifiers(&self) -> Vec<(&str, Span)> {
        let mut found = Vec::new();
        self.collect_identifiers(&mut found);
        found
    }

    fn collect_identifiers<'a>(&'a self, found: &mut Vec<(&'a str, Span)>) {
        if let CExprKind::Ident(name) = &self.kind {
            found.push((name, self.span));
        }
        self.children().into_iter().for_each(|child| child.collect_identifiers(found));
    }

    /// The value, when the expression is made of integer literals alone.
    pub fn constant(&self) -> Option<i64> {
        match &self.kind {
            CExprKind::Int { value, .. } => i64::try_from((*value)?).ok(),
            CExprKind::Paren(inner) => inner.constant(),
            CExprKind::Unary { op, operand } => fold_unary(*op, operand.constant()?),
            CExprKind::Binary { op, lhs, rhs } => fold_binary(*op, lhs.constant()?, rhs.constant()?),
            CExprKind::Conditional { cond, then, otherwise } => {
                if cond.constant()? != 0 {
                    then.constant()
                } else {
                    otherwise.constant()
                }
            }
            _ => None,
        }
    }

    /// Whether the value may be known at compile time: no calls, memory, or floats.
    /// Names may be enumerators, `constexpr` or template parameters.
    pub fn may_be_constant(&self) -> bool {
        let here = !matches!(
            self.kind,
            CExprKind::Float(_) | CExprKind::Str(_) | CExprKind::Postfix { .. } | CExprKind::Index { .. }
        );
        here && self.children().into_iter().all(CExpr::may_be_constant)
    }

    /// The single name that the expression consists of, parentheses ignored.
    pub fn as_ident(&self) -> Option<&str> {
        match &self.kind {
            CExprKind::Ident(name) => Some(name),
            CExprKind::Paren(inner) => inner.as_ident(),
            _ => None,
        }
    }
}

fn fold_unary(op: UnaryOp, value: i64) -> Option<i64> {
    match op {
        UnaryOp::Plus => Some(value),
        UnaryOp::Minus => value.checked_neg(),
        UnaryOp::Not => Some((value == 0).into()),
        UnaryOp::BitNot => Some(!value),
        UnaryOp::Deref | UnaryOp::AddressOf | UnaryOp::Increment | UnaryOp::Decrement => None,
    }
}

fn fold_binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let shift = || u32::try_from(b).ok().filter(|s| *s < 63);
    match op {
        BinaryOp::Or => Some((a != 0 || b != 0).into()),
        BinaryOp::And => Some((a != 0 && b != 0).into()),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::Eq => Some((a == b).into()),
        BinaryOp::Ne => Some((a != b).into()),
        BinaryOp::Lt => Some((a < b).into()),
        BinaryOp::Gt => Some((a > b).into()),
        BinaryOp::Le => Some((a <= b).into()),
        BinaryOp::Ge => Some((a >= b).into()),
        BinaryOp::Shl => a.checked_mul(1i64.checked_shl(shift()?)?),
        BinaryOp::Shr => Some(a >> shift()?),
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
    }
}

impl fmt::Display for CExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            CExprKind::Int { text, .. } => f.write_str(text),
            CExprKind::Float(text) | CExprKind::Char(text) | CExprKind::Str(text) => f.write_str(text),
            CExprKind::Ident(name) => f.write_str(name),
            CExprKind::Unary { op, operand } => write_unary(f, *op, operand),
            CExprKind::Postfix { op, operand } => write!(f, "{operand}{}", op.symbol()),
            CExprKind::Binary { op, lhs, rhs } => write!(f, "{lhs} {} {rhs}", op.symbol()),
            CExprKind::Conditional { cond, then, otherwise } => write!(f, "{cond} ? {then} : {otherwise}"),
            CExprKind::Cast { ty, operand } => write!(f, "({}){operand}", ty.text),
            CExprKind::NamedCast { cast, ty, operand } => write!(f, "{cast}<{}>{operand}", ty.text),
            CExprKind::SizeofType(ty) => write!(f, "sizeof({})", ty.text),
            CExprKind::SizeofExpr(operand) => write!(f, "sizeof {operand}"),
            CExprKind::Call { callee, args } => {
                write!(f, "{callee}(")?;
                super::display::comma_list(f, args)?;
                f.write_str(")")
            }
            CExprKind::Index { base, index } => write!(f, "{base}[{index}]"),
            CExprKind::Member { base, arrow, member } => {
                write!(f, "{base}{}{}", if *arrow { "->" } else { "." }, member.name)
            }
            CExprKind::Paren(inner) => write!(f, "({inner})"),
        }
    }
}

/// Keeps `- -x` and `& &x` apart, which would otherwise read as other tokens.
fn write_unary(f: &mut fmt::Formatter<'_>, op: UnaryOp, operand: &CExpr) -> fmt::Result {
    let text = operand.to_string();
    let symbol = op.symbol();
    let blank = if text.starts_with(&symbol[..1]) { " " } else { "" };
    write!(f, "{symbol}{blank}{text}")
}
