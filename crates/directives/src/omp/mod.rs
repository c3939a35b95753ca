//! OpenMP's directives (OpenMP 5.2): from the text after `#pragma omp` to a typed tree, and from there to the
//! normal form that OpenACC's directives have, too.
//!
//! What: [`ast`], the tables in [`table`], the parser, and [`normal`], the translation. Only what concerns devices is
//! translated: a `target` construct and what stands in one, its data directives, and `declare target`. Everything else
//! belongs to the host's compiler; [`read`] says so and reports no mistakes in it.
//!
//! Invariant: a clause that OpenMP allows on a directive is translated, has no effect on results by the standard (and
//! then [`normal`] names it and says why), or is refused with a message.

pub mod ast;
mod check;
mod errors;
pub mod host_threads;
mod normal;
mod parse;
pub mod table;

use crate::{Directive, ParsedDirective};
use accl_source::{Diagnostic, FileId, Span};
use ast::{Leaf, OmpClause, OmpClauseKind, OmpDirective, OmpName};

/// What is known of a line before it is known where it stands.
#[derive(Debug)]
pub enum OmpPragma {
    /// It puts code or data on a device.
    Device(ParsedDirective),
    /// It divides work among threads, or orders them. On the host its compiler sees to that, mistakes in it included;
    /// on a device this is its meaning: directives of which each governs the next.
    Threads(Vec<Directive>, Vec<Diagnostic>),
    /// It does not concern devices, or is unknown.
    Host,
}

/// Parses what stands after `#pragma omp`, where `text` begins at byte `offset` of the file.
pub fn read(text: &str, file: FileId, offset: u32) -> OmpPragma {
    let (parsed, mut diagnostics) = parse::directive(text, file, offset);
    let Some(parsed) = parsed else {
        return match diagnostics.is_empty() {
            true => OmpPragma::Host,
            false => OmpPragma::Device(ParsedDirective { directive: None, diagnostics }),
        };
    };
    check::directive(&parsed, &mut diagnostics);
    if parsed.name.is_for_devices() {
        let directive =
            Some(normal::directive(&parsed)).filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        return OmpPragma::Device(ParsedDirective { directive, diagnostics });
    }
    OmpPragma::Threads(taken_apart(parsed).iter().map(normal::directive).collect(), diagnostics)
}

/// `parallel masked`, which is no single thing in the normal form, as one in the other.
fn taken_apart(d: OmpDirective) -> Vec<OmpDirective> {
    if d.name != OmpName::Constructs(vec![Leaf::Parallel, Leaf::Masked]) {
        return vec![d];
    }
    let filters = |c: &OmpClause| matches!(c.kind, OmpClauseKind::Filter(_));
    let (masked, parallel) = d.clauses.into_iter().partition(filters);
    // Its older name, `master`, is as long.
    let last_word = Span { start: d.name_span.end - "masked".len() as u32, ..d.name_span };
    let first_word = Span { end: d.name_span.start + "parallel".len() as u32, ..d.name_span };
    let part = |leaf, name_span, clauses| {
        let name = OmpName::Constructs(vec![leaf]);
        OmpDirective { name, span: d.span, name_span, clauses }
    };
    vec![part(Leaf::Parallel, first_word, parallel), part(Leaf::Masked, last_word, masked)]
}

/// The directive as it is written, for translations that need more than its normal form, and its mistakes. `None`: unknown.
pub fn written(text: &str, file: FileId, offset: u32) -> (Option<ast::OmpDirective>, Vec<Diagnostic>) {
    let (parsed, mut diagnostics) = parse::directive(text, file, offset);
    if let Some(parsed) = &parsed {
        check::directive(parsed, &mut diagnostics);
    }
    (parsed, diagnostics)
}

pub fn normal_form(directive: &ast::OmpDirective) -> Directive {
    normal::directive(directive)
}

/// The variables of `threadprivate(list)`.
pub fn threadprivate(text: &str) -> Option<Vec<String>> {
    let list =
        text.trim().strip_prefix("threadprivate")?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    Some(list.split(',').map(|name| name.trim().to_owned()).collect())
}
