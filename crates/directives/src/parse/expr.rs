//! C expressions: precedence climbing (C17 §6.5), without assignment and comma.
//!
//! Without a scope, `(T) x` and `(f)(x)` look alike. Parentheses are a cast if what is inside can only
//! be a type, or if a name or literal follows; see [`Parser::cast_ahead`].

use super::{Parsed, Parser};
use crate::ast::*;
use crate::errors;
use crate::token::{Token, TokenKind, int_value};
use accl_source::Span;

/// Limits the depth of trees, so that recursion over them (here and elsewhere) is safe.
pub(super) struct Budget {
    /// Levels of recursion left.
    depth: u32,
    /// Nodes left in this expression; a chain such as `a+a+a...` is as deep as it is long.
    nodes: u32,
    /// Inside `[start:length:min:max]`, where a leading `::` means two colons and not C++'s global scope. After a
    /// name it is always the scope operator: `lo: :min` needs the blank.
    pub(super) ranges: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { depth: DEEPEST, nodes: LARGEST, ranges: false }
    }
}

const DEEPEST: u32 = 64;
const LARGEST: u32 = 800;

impl<'a> Parser<'a> {
    /// A conditional expression.
    pub(crate) fn expr(&mut self) -> Parsed<CExpr> {
        if self.budget.depth == DEEPEST {
            self.budget.nodes = LARGEST;
        }
        let start = self.here();
        let cond = self.binary(1)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let then = self.nested(Self::expr)?;
        if !self.eat(":") {
            let error = errors::expected_in_expression("`:` of the conditional `?`", self.here());
            return self.fail(error);
        }
        let otherwise = self.nested(Self::expr)?;
        let kind = CExprKind::Conditional {
            cond: Box::new(cond),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        Ok(self.node(kind, start))
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.spend()?;
        self.budget.depth -= 1;
        let result = parse(self);
        self.budget.depth += 1;
        result
    }

    /// Counts one more node against the limit.
    fn spend(&mut self) -> Parsed<()> {
        if self.budget.depth == 0 || self.budget.nodes == 0 {
            let error = errors::too_complex(self.here());
            return self.fail(error);
        }
        self.budget.nodes -= 1;
        Ok(())
    }

    fn node(&self, kind: CExprKind, start: Span) -> CExpr {
        CExpr { kind, span: self.since(start) }
    }

    fn binary(&mut self, least: u8) -> Parsed<CExpr> {
        let start = self.here();
        let mut lhs = self.nested(Self::unary)?;
        loop {
            let Some(op) = self.peek().and_then(binary_op).filter(|op| op.precedence() >= least) else {
                return Ok(lhs);
            };
            self.pos += 1;
            let rhs = self.nested(|p| p.binary(op.precedence() + 1))?;
            lhs = self.node(CExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, start);
        }
    }

    fn unary(&mut self) -> Parsed<CExpr> {
        let start = self.here();
        if let Some(op) = self.peek().and_then(unary_op) {
            self.pos += 1;
            let operand = Box::new(self.nested(Self::unary)?);
            return Ok(self.node(CExprKind::Unary { op, operand }, start));
        }
        if self.peek().is_some_and(|t| t.kind == TokenKind::Ident && t.text == "sizeof") {
            self.pos += 1;
            return self.sizeof(start);
        }
        if self.peek().is_some_and(|t| t.kind == TokenKind::Ident && is_alignof(t.text)) {
            return self.alignof(start);
        }
        if let Some(close) = self.cast_ahead() {
            let ty = self.type_between(self.pos, close);
            let operand = Box::new(self.nested(Self::unary)?);
            return Ok(self.node(CExprKind::Cast { ty, operand }, start));
        }
        self.postfix()
    }

    fn sizeof(&mut self, start: Span) -> Parsed<CExpr> {
        let close = self.type_ahead(self.pos).filter(|(_, certain)| *certain).map(|(close, _)| close);
        let kind = match close {
            Some(close) => CExprKind::SizeofType(self.type_between(self.pos, close)),
            None => CExprKind::SizeofExpr(Box::new(self.nested(Self::unary)?)),
        };
        Ok(self.node(kind, start))
    }

    /// The alignment of a type is a number that only the compiler which runs later knows: a call of its operator, as text.
    fn alignof(&mut self, start: Span) -> Parsed<CExpr> {
        let word = self.peek().map_or("", |t| t.text).to_owned();
        self.pos += 1;
        let ahead = self.type_ahead(self.pos);
        let Some((close, _)) = ahead else {
            let error = errors::expected_in_expression("a type in parentheses", self.here());
            return self.fail(error);
        };
        let ty = self.type_between(self.pos, close);
        let text = format!("{word}({})", ty.text);
        Ok(self.node(CExprKind::Int { value: None, text }, start))
    }

    fn postfix(&mut self) -> Parsed<CExpr> {
        let start = self.here();
        let mut base = self.primary()?;
        loop {
            self.spend()?;
            let Some(token) = self.peek() else { return Ok(base) };
            let inner = Box::new(base);
            let kind = match token.text {
                _ if token.kind != TokenKind::Punct => return Ok(*inner),
                "(" => CExprKind::Call { callee: inner, args: self.call_args()? },
                "[" => CExprKind::Index { base: inner, index: Box::new(self.index()?) },
                "." | "->" => {
                    self.pos += 1;
                    let member = self.member_name()?;
                    CExprKind::Member { base: inner, arrow: token.text == "->", member }
                }
                "++" | "--" => {
                    self.pos += 1;
                    let up = token.text == "++";
                    let op = if up { UnaryOp::Increment } else { UnaryOp::Decrement };
                    CExprKind::Postfix { op, operand: inner }
                }
                _ => return Ok(*inner),
            };
            base = self.node(kind, start);
        }
    }

    fn call_args(&mut self) -> Parsed<Vec<CExpr>> {
        self.parenthesized("call", |p| match p.at_end() {
            true => Ok(vec![]),
            false => p.comma_list("call", |p| p.nested(Self::expr)),
        })
    }

    fn index(&mut self) -> Parsed<CExpr> {
        self.pos += 1;
        let index = self.nested(Self::expr)?;
        self.expect("]", "`]`")?;
        Ok(index)
    }

    fn member_name(&mut self) -> Parsed<Ident> {
        let found = self.here();
        match self.eat_ident() {
            Some(name) => Ok(Ident { name: name.text.to_owned(), span: name.span }),
            None => self.fail(errors::expected_in_expression("the name of a member", found)),
        }
    }

    fn expect(&mut self, punct: &str, what: &str) -> Parsed<()> {
        if self.eat(punct) {
            return Ok(());
        }
        let error = errors::expected_in_expression(what, self.here());
        self.fail(error)
    }

    fn primary(&mut self) -> Parsed<CExpr> {
        let start = self.here();
        let Some(token) = self.peek() else {
            return self.fail(errors::expected_in_expression("an expression", start));
        };
        let text = token.text.to_owned();
        let kind = match token.kind {
            TokenKind::Ident => return self.name(token),
            TokenKind::Punct if token.is("::") && !self.budget.ranges => return self.name(token),
            TokenKind::Punct if token.is("(") => return self.paren(),
            TokenKind::Int => match int_value(&text) {
                Ok(value) => CExprKind::Int { value, text },
                Err(()) => return self.fail(errors::bad_number(token)),
            },
            TokenKind::Float => CExprKind::Float(text),
            TokenKind::Char => CExprKind::Char(text),
            TokenKind::Str => return Ok(self.strings()),
            TokenKind::Punct | TokenKind::Unknown => return self.fail(errors::not_an_expression(token)),
        };
        self.pos += 1;
        Ok(self.node(kind, start))
    }

    fn paren(&mut self) -> Parsed<CExpr> {
        let start = self.here();
        self.pos += 1;
        let inner = Box::new(self.nested(Self::expr)?);
        self.expect(")", "`)`")?;
        Ok(self.node(CExprKind::Paren(inner), start))
    }

    /// C++'s `{value}` after a type; `{}` is its zero.
    fn braced(&mut self) -> Parsed<CExpr> {
        let start = self.here();
        self.pos += 1;
        if self.eat("}") {
            return Ok(self.node(CExprKind::Int { value: Some(0), text: "0".into() }, start));
        }
        let inner = Box::new(self.nested(Self::expr)?);
        self.expect("}", "`}`")?;
        Ok(self.node(CExprKind::Paren(inner), start))
    }

    /// Adjacent string literals.
    fn strings(&mut self) -> CExpr {
        let start = self.here();
        let mut text = String::new();
        while let Some(token) = self.peek().filter(|t| t.kind == TokenKind::Str) {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(token.text);
            self.pos += 1;
        }
        self.node(CExprKind::Str(text), start)
    }

    /// A name, or a cast that begins with one: `int(x)`, `static_cast<T>(x)`.
    fn name(&mut self, token: Token<'a>) -> Parsed<CExpr> {
        if is_builtin_type(token.text) {
            return self.functional_cast(token);
        }
        if token.text == "typename" {
            return self.dependent_type(token);
        }
        let named = matches!(token.text, "static_cast" | "reinterpret_cast" | "const_cast");
        if named && self.peek_at(1).is_some_and(|t| t.is("<")) {
            return self.named_cast(token);
        }
        match self.qualified_ident() {
            // An object of a class that converts to a number.
            Some(ident) if self.peek().is_some_and(|t| t.is("{")) => {
                self.constructed(TypeName { text: ident.name, span: ident.span }, token)
            }
            Some(ident) => Ok(CExpr { kind: CExprKind::Ident(ident.name), span: ident.span }),
            None => self.fail(errors::not_an_expression(token)),
        }
    }

    /// `typename T::X(value)`, `typename T::X{}`
    fn dependent_type(&mut self, token: Token<'a>) -> Parsed<CExpr> {
        self.pos += 1;
        let Some(name) = self.qualified_ident() else {
            return self.fail(errors::not_an_expression(token));
        };
        let ty = TypeName { text: format!("typename {}", name.name), span: token.span.to(name.span) };
        self.constructed(ty, token)
    }

    fn functional_cast(&mut self, token: Token<'a>) -> Parsed<CExpr> {
        self.pos += 1;
        self.constructed(TypeName { text: token.text.to_owned(), span: token.span }, token)
    }

    /// The value in parentheses or braces behind a type.
    fn constructed(&mut self, ty: TypeName, token: Token<'a>) -> Parsed<CExpr> {
        let operand = match self.peek().map(|t| t.text) {
            Some("{") => self.braced()?,
            Some("(") => self.paren()?,
            _ => return self.fail(errors::type_in_expression(token)),
        };
        let operand = Box::new(operand);
        let cast = self.node(CExprKind::Cast { ty, operand }, token.span);
        Ok(self.node(CExprKind::Paren(Box::new(cast)), token.span))
    }

    fn named_cast(&mut self, token: Token<'a>) -> Parsed<CExpr> {
        let open = self.pos + 1;
        let close = self.template_arguments(open);
        let Some(close) =
            close.filter(|c| *c > open + 1 && self.tokens.get(c + 1).is_some_and(|t| t.is("(")))
        else {
            return self.fail(errors::not_an_expression(token));
        };
        let ty = self.type_between(open, close);
        self.expect("(", "`(`")?;
        self.pos -= 1;
        let operand = Box::new(self.paren()?);
        Ok(self.node(CExprKind::NamedCast { cast: token.text.to_owned(), ty, operand }, token.span))
    }

    /// The type between two brackets; leaves the cursor after the second.
    fn type_between(&mut self, open: usize, close: usize) -> TypeName {
        let tokens = &self.tokens[open + 1..close];
        let first = tokens.first().map_or(Span::NOWHERE, |t| t.span);
        let span = tokens.last().map_or(first, |last| first.to(last.span));
        self.pos = open + 1;
        let text = if close > self.pos { self.text_through(close - 1) } else { String::new() };
        self.pos = close + 1;
        TypeName { text, span }
    }

    /// If a cast stands here, the index of its closing parenthesis.
    fn cast_ahead(&self) -> Option<usize> {
        let (close, certain) = self.type_ahead(self.pos)?;
        let next = self.tokens[..self.limit].get(close + 1);
        let operand = next.is_some_and(|t| {
            !matches!(t.kind, TokenKind::Punct | TokenKind::Unknown) || t.is("~") || t.is("!")
        });
        (certain || operand).then_some(close)
    }

    /// Whether `( type )` may stand at `open`: where it ends, and whether it can only be a type.
    fn type_ahead(&self, open: usize) -> Option<(usize, bool)> {
        let token = |i: usize| self.tokens[..self.limit].get(i).copied();
        token(open).filter(|t| t.is("("))?;
        let mut at = open + 1;
        let mut certain = false;
        let mut names = 0;
        while let Some(word) = token(at).filter(|t| t.kind == TokenKind::Ident) {
            let keyword =
                is_builtin_type(word.text) || matches!(word.text, "const" | "volatile" | "restrict");
            let tag = matches!(word.text, "struct" | "union" | "enum");
            certain |= keyword || tag || word.text.ends_with("_t");
            names += usize::from(!keyword && !tag);
            at += 1;
            if token(at).is_some_and(|t| t.is("::")) {
                at += 1;
                names -= usize::from(names > 0);
            }
        }
        if names > 1 || at == open + 1 {
            return None;
        }
        while let Some(t) =
            token(at).filter(|t| t.is("*") || t.is("&") || matches!(t.text, "const" | "restrict"))
        {
            certain |= t.is("*") || t.is("&");
            at += 1;
        }
        // `(*)[3]`, `[20]`: of what is a type for certain.
        while certain && token(at).is_some_and(|t| t.is("[") || t.is("(")) {
            at = self.closing(at)? + 1;
        }
        token(at).filter(|t| t.is(")")).map(|_| (at, certain))
    }
}

fn is_alignof(word: &str) -> bool {
    matches!(word, "alignof" | "_Alignof" | "__alignof__" | "__alignof")
}

fn is_builtin_type(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "bool"
            | "_Bool"
    )
}

fn unary_op(token: Token<'_>) -> Option<UnaryOp> {
    const ALL: [UnaryOp; 8] = [
        UnaryOp::Plus,
        UnaryOp::Minus,
        UnaryOp::Not,
        UnaryOp::BitNot,
        UnaryOp::Deref,
        UnaryOp::AddressOf,
        UnaryOp::Increment,
        UnaryOp::Decrement,
    ];
    ALL.into_iter().find(|op| token.is(op.symbol()))
}

fn binary_op(token: Token<'_>) -> Option<BinaryOp> {
    const ALL: [BinaryOp; 18] = [
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::BitAnd,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Gt,
        BinaryOp::Le,
        BinaryOp::Ge,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
    ];
    ALL.into_iter().find(|op| token.is(op.symbol()))
}
