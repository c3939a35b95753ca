//! The arguments between a directive's name and its clauses.

use super::{Parsed, Parser, custom};
use crate::ast::*;
use crate::errors;
use crate::table::lookup_clause;
use crate::table::{DirectiveName, atomic_kind};

/// `cache([readonly:] list)` (OpenACC 3.3 §2.10)
pub(crate) fn cache(p: &mut Parser<'_>) -> Parsed<DirectiveKind> {
    if !p.at("(") {
        let error = errors::missing_list("cache", "cache(a[i-1:3])", p.here());
        return p.fail(error);
    }
    p.parenthesized("cache", |p| {
        let readonly = p.eat_keyword("readonly");
        Ok(DirectiveKind::Cache { readonly, sections: p.sections("cache", false)? })
    })
}

/// `read | write | update | capture`, or nothing (OpenACC 3.3 §2.12)
pub(crate) fn atomic(p: &mut Parser<'_>) -> Parsed<DirectiveKind> {
    let Some(word) = p.peek().filter(|t| lookup_clause(t.text, DirectiveName::Atomic).is_none()) else {
        return Ok(DirectiveKind::Atomic(AtomicKind::Update));
    };
    p.pos += 1;
    match atomic_kind(word.text) {
        Some(kind) => Ok(DirectiveKind::Atomic(kind)),
        None => p.fail(errors::bad_atomic(word)),
    }
}

/// `(name)` or nothing (OpenACC 3.3 §2.15.1)
pub(crate) fn routine(p: &mut Parser<'_>) -> Parsed<DirectiveKind> {
    if !p.at("(") {
        return Ok(DirectiveKind::Routine(None));
    }
    p.parenthesized("routine", |p| {
        let found = p.here();
        match p.qualified_ident() {
            Some(name) => {
                // Those of a template share its level.
                if let Some(close) = p.template_arguments(p.pos) {
                    p.text_through(close);
                }
                Ok(DirectiveKind::Routine(Some(name)))
            }
            None => p.fail(errors::bad_variable(found, "the name of a function")),
        }
    })
}

/// `(queues)` or nothing (OpenACC 3.3 §2.16.3)
pub(crate) fn wait(p: &mut Parser<'_>) -> Parsed<DirectiveKind> {
    if !p.at("(") {
        return Ok(DirectiveKind::Wait(None));
    }
    let args = |p: &mut Parser<'_>| match p.at_end() {
        true => {
            let error = errors::empty_wait(p.here());
            p.fail(error)
        }
        false => custom::wait_args(p),
    };
    p.parenthesized("wait", args).map(|args| DirectiveKind::Wait(Some(args)))
}

/// `TYPE(array[pivot:before:after] ...) ...`
pub(crate) fn fcw(p: &mut Parser<'_>) -> Parsed<DirectiveKind> {
    let mut groups = Vec::new();
    while let Some(word) = p.eat_ident() {
        let kind = FcwKind::ALL.into_iter().find(|kind| kind.name() == word.text);
        let (Some(kind), true) = (kind, p.at("(")) else {
            p.pos = p.limit;
            return p.fail(errors::bad_fcw_type(word));
        };
        let windows = p.parenthesized(word.text, fcw_windows)?;
        groups.push(FcwGroup { kind, windows, span: p.since(word.span) });
        p.eat(",");
    }
    if groups.is_empty() {
        let error = errors::missing_list("fcw", "fcw FETCH_ONLY(a[i:1:1])", p.here());
        return p.fail(error);
    }
    Ok(DirectiveKind::Fcw(groups))
}

/// Windows, with or without commas between them.
fn fcw_windows(p: &mut Parser<'_>) -> Parsed<Vec<FcwWindow>> {
    let mut windows = Vec::new();
    while !p.at_end() {
        windows.push(fcw_window(p)?);
        p.eat(",");
    }
    match windows.is_empty() {
        true => {
            let error = errors::empty_entry("fcw", p.here(), true);
            p.fail(error)
        }
        false => Ok(windows),
    }
}

/// `a[i:1:1:j:0:0]` or `a[i:1:1][j:0:0]`
fn fcw_window(p: &mut Parser<'_>) -> Parsed<FcwWindow> {
    let start = p.here();
    let array = p.lvalue()?;
    let mut dims = Vec::new();
    while p.at("[") {
        let open = p.here();
        let parts: Option<Vec<CExpr>> = p.colon_parts(false)?.into_iter().collect();
        let Some(parts) = parts.filter(|parts| parts.len() % 3 == 0) else {
            let error = errors::bad_fcw_window(p.since(open));
            return p.fail(error);
        };
        let mut parts = parts.into_iter();
        while let (Some(pivot), Some(before), Some(after)) = (parts.next(), parts.next(), parts.next()) {
            dims.push(FcwDim { pivot, before, after });
        }
    }
    let span = p.since(start);
    if dims.is_empty() {
        return p.fail(errors::bad_fcw_window(span));
    }
    Ok(FcwWindow { array, dims, span })
}
