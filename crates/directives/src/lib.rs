//! Directives: from the text after `#pragma acc` to a typed tree, and a list of diagnostics.
//!
//! What: [`parse`] and [`parse_pragma`]; the tree in [`ast`]; the tables that drive it all in [`table`]. Why a
//! crate of its own: it needs no C parser, no scope and no types, so it can be tested on one line of text. The
//! front end binds directives to statements and resolves names.
//!
//! Invariants:
//! - Parsing never panics and always ends, whatever the text; it gives a tree *and* errors. A clause
//!   that is wrong is reported and left out, the others stay.
//! - Every span lies inside the text it was parsed from.
//! - One normal form: aliases are resolved, combined constructs are compute constructs with `loop_`,
//!   `device_type` is a property of the clauses after it. `Display` prints it.
//! - For a directive without errors, what [`check`] lists holds.

pub mod ast;
mod check;
mod errors;
pub mod omp;
pub mod openmpc;
mod parse;
mod suggest;
pub mod table;
mod token;

pub use ast::*;
pub use suggest::closest;

use accl_source::{Diagnostic, FileId, Span};

/// The result of parsing one directive line.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedDirective {
    /// `None` when not even the directive's name could be recognised.
    pub directive: Option<Directive>,
    pub diagnostics: Vec<Diagnostic>,
}

impl ParsedDirective {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Parses what stands after the sentinel. `text` is the buffer's own text, starting at byte `offset`
/// of `file`, so that spans point into the buffer.
pub fn parse(sentinel: Sentinel, text: &str, file: FileId, offset: u32) -> ParsedDirective {
    match sentinel {
        Sentinel::Acc => parse::directive(text, file, offset),
        Sentinel::Accl | Sentinel::Omp | Sentinel::Cuda => other(sentinel, text, file, offset),
    }
}

/// Parses a whole pragma line, with `#pragma` or from after it, where `line` starts at byte `offset`.
/// `#pragma omp acc ...`, which has the preprocessor expand macros, is read as `#pragma acc ...`.
/// `None` for a pragma of another kind.
pub fn parse_pragma(line: &str, file: FileId, offset: u32) -> Option<ParsedDirective> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix('#').map_or(rest, |r| skip_word(r, "pragma").unwrap_or(rest));
    let (sentinel, body) = Sentinel::ALL
        .into_iter()
        .find_map(|sentinel| skip_word(rest, sentinel.name()).map(|body| (sentinel, body)))?;
    let (sentinel, body) = match (sentinel, skip_word(body, "acc")) {
        (Sentinel::Omp, Some(body)) => (Sentinel::Acc, body),
        _ => (sentinel, body),
    };
    Some(parse(sentinel, body, file, offset.saturating_add((line.len() - body.len()) as u32)))
}

/// What follows `word`, if the text starts with it as a whole word.
fn skip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_start().strip_prefix(word)?;
    (!rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')).then_some(rest)
}

fn other(sentinel: Sentinel, text: &str, file: FileId, offset: u32) -> ParsedDirective {
    let start = offset.saturating_add((text.len() - text.trim_start().len()) as u32);
    let trimmed = text.trim();
    let span = Span::new(file, start, start.saturating_add(trimmed.len() as u32));
    let kind = DirectiveKind::Other { sentinel, text: trimmed.to_owned() };
    let directive = Directive { kind, span, name_span: span, clauses: vec![], origin: sentinel };
    ParsedDirective { directive: Some(directive), diagnostics: vec![] }
}
