//! Clauses with a grammar of their own. Each reads the content of its parentheses.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::errors;
use crate::token::{Token, TokenKind};

/// `none | present`
pub(crate) fn default(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    let found = p.here();
    match p.eat_ident().map(|t| t.text) {
        Some("none") => Ok(ClauseKind::Default(DefaultKind::None)),
        Some("present") => Ok(ClauseKind::Default(DefaultKind::Present)),
        _ => p.fail(errors::bad_default(found)),
    }
}

/// `* | name, ...`
pub(crate) fn device_type(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    let start = p.here();
    let types = p.comma_list("device_type", |p| {
        if p.eat("*") {
            return Ok(DeviceType::Any);
        }
        let found = p.here();
        match p.eat_ident() {
            Some(name) => Ok(DeviceType::from_name(name.text)),
            None => p.fail(errors::bad_device_type(found)),
        }
    })?;
    if types.len() > 1 && types.contains(&DeviceType::Any) {
        let error = errors::bad_device_type(p.since(start));
        return p.fail(error);
    }
    Ok(ClauseKind::DeviceType(types))
}

/// `operator : list`
pub(crate) fn reduction(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    let Some(token) = p.peek() else {
        let error = errors::bad_reduction(None, p.here());
        return p.fail(error);
    };
    let mut op = ReductionOp::ALL.into_iter().find(|op| op.symbol() == token.text);
    if token.text == "-" {
        p.report(errors::difference(token.span));
        op = Some(ReductionOp::Add);
    }
    let colon = p.peek_at(1).is_some_and(|t| t.is(":"));
    let (Some(op), true) = (op, colon) else {
        return p.fail(errors::bad_reduction(colon.then_some(token.text), token.span));
    };
    p.pos += 2;
    Ok(ClauseKind::Reduction(Reduction { op, vars: p.sections("reduction", false)? }))
}

/// `[devnum: expr :] [queues:] expr, ...`
pub(crate) fn wait_args(p: &mut Parser<'_>) -> Parsed<WaitArgs> {
    let mut devnum = None;
    if p.eat_keyword("devnum") {
        devnum = Some(p.expr()?);
        if !p.eat(":") {
            let error = errors::devnum_colon(p.here());
            return p.fail(error);
        }
    }
    p.eat_keyword("queues");
    Ok(WaitArgs { devnum, queues: p.comma_list("wait", Parser::expr)? })
}

pub(crate) fn wait(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    wait_args(p).map(|args| ClauseKind::Wait(Some(args)))
}

/// `[num:] expr`, `static: expr | *`, `dim: expr`, in any order, each once
pub(crate) fn gang(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    let mut args = GangArgs::default();
    p.comma_list("gang", |p| {
        let start = p.here();
        let again = if p.eat_keyword("static") {
            let size = if p.eat_star() { StaticSize::Star } else { StaticSize::Expr(p.expr()?) };
            args.static_.replace(size).is_some()
        } else if p.eat_keyword("dim") {
            args.dim.replace(p.expr()?).is_some()
        } else {
            p.eat_keyword("num");
            args.num.replace(p.expr()?).is_some()
        };
        match again {
            true => {
                let error = errors::gang_argument_twice(p.since(start));
                p.fail(error)
            }
            false => Ok(()),
        }
    })?;
    Ok(ClauseKind::Gang(args))
}

/// `[force:] expr`
pub(crate) fn collapse(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    let force = p.eat_keyword("force");
    Ok(ClauseKind::Collapse(Collapse { force, count: p.expr()? }))
}

/// `expr | *`, ...
pub(crate) fn tile(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    let sizes = p.comma_list("tile", |p| {
        if p.eat_star() {
            return Ok(TileSize::Star);
        }
        Ok(TileSize::Expr(p.expr()?))
    })?;
    Ok(ClauseKind::Tile(sizes))
}

/// `name | "name"`
pub(crate) fn bind(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    let found = p.here();
    if let Some(literal) = p.peek().filter(|t| t.kind == TokenKind::Str) {
        p.pos += 1;
        let name = literal.text.trim_start_matches(|c| c != '"').trim_matches('"').to_owned();
        return Ok(ClauseKind::Bind(BindName::Literal(name, literal.span)));
    }
    match p.qualified_ident() {
        Some(name) => Ok(ClauseKind::Bind(BindName::Ident(name))),
        None => p.fail(errors::bad_bind(found)),
    }
}

/// `[modifiers:] list` of arrays that are compressed already
pub(crate) fn compression(p: &mut Parser<'_>) -> Parsed<ClauseKind> {
    p.compression("compression", false).map(|(args, sections)| ClauseKind::Compression(args, sections))
}

pub(crate) const COMPRESSION_MODIFIERS: [&str; 4] = ["bits", "scheme", "error", "layout"];

impl<'a> Parser<'a> {
    /// A `*` that stands alone and is not the dereference of an expression.
    fn eat_star(&mut self) -> bool {
        let alone = self.at("*") && self.peek_at(1).is_none_or(|t| t.is(","));
        self.pos += usize::from(alone);
        alone
    }

    /// `bits(n)`, `scheme(s)`, `error(rel|abs: e)`, `layout(l)`; reads after the word.
    pub(super) fn compression_modifier(
        &mut self,
        word: Token<'a>,
        owner: &str,
        args: &mut CompressionArgs,
    ) -> Parsed<()> {
        if !COMPRESSION_MODIFIERS.contains(&word.text) {
            return self.fail(errors::bad_modifier(word, owner, COMPRESSION_MODIFIERS.into_iter()));
        }
        if !self.at("(") {
            return self.fail(errors::modifier_without_value(word));
        }
        self.parenthesized(word.text, |p| match word.text {
            "bits" => p.expr().map(|bits| args.bits = Some(bits)),
            "scheme" => p.choice(Scheme::ALL, Scheme::name).map(|scheme| args.scheme = Some(scheme)),
            "layout" => p.choice(Layout::ALL, Layout::name).map(|layout| args.layout = Some(layout)),
            _ => p.error_bound().map(|bound| args.error = Some(bound)),
        })
    }

    fn error_bound(&mut self) -> Parsed<ErrorBound> {
        if self.eat_keyword("rel") {
            return self.expr().map(ErrorBound::Relative);
        }
        if self.eat_keyword("abs") {
            return self.expr().map(ErrorBound::Absolute);
        }
        let error = errors::bad_choice(self.here(), ["rel: bound", "abs: bound"].into_iter());
        self.fail(error)
    }

    /// One of a few words.
    fn choice<T: Copy, const N: usize>(&mut self, all: [T; N], name: fn(T) -> &'static str) -> Parsed<T> {
        let found = self.here();
        let word = self.eat_ident().map_or("", |t| t.text);
        match all.into_iter().find(|value| name(*value) == word) {
            Some(value) => Ok(value),
            None => self.fail(errors::bad_choice(found, all.into_iter().map(name))),
        }
    }
}
