//! What can be wrong with a directive of OpenMP.

use super::table::{CLAUSES, On};
use crate::closest;
use accl_source::codes::directives as codes;
use accl_source::{Diagnostic, Span};

pub fn unknown_clause(word: &str, span: Span, name: &str, on: &[On]) -> Diagnostic {
    let message = format!("`{word}` is no clause of `omp {name}`");
    let error = Diagnostic::error(codes::UNKNOWN_CLAUSE, message).at(span);
    let here = CLAUSES.iter().filter(|c| c.accepted_on(on)).map(|c| c.name);
    match closest(word, here) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    }
}

pub fn not_allowed(word: &str, span: Span, name: &str) -> Diagnostic {
    let message = format!("the clause `{word}` cannot stand on `omp {name}`");
    Diagnostic::error(codes::CLAUSE_NOT_ALLOWED, message).at(span)
}

pub fn expected(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error(codes::MISSING_ARGUMENT, format!("expected {what}")).at(at)
}

pub fn bad_word(what: &str, at: Span, words: &[&str]) -> Diagnostic {
    let message = format!("this is no {what}");
    Diagnostic::error(codes::BAD_MODIFIER, message).at(at).with_help(format!("one of: {}", words.join(", ")))
}

pub fn bad_combination(before: &str, after: &str, at: Span) -> Diagnostic {
    let message = format!("`{after}` cannot be combined with `{before}` in one directive");
    Diagnostic::error(codes::UNKNOWN_DIRECTIVE, message)
        .at(at)
        .with_help("write it as a directive of its own (OpenMP 5.2 §17.3 lists what can be combined)")
}

pub fn unsupported(what: &str, why: &str, at: Span) -> Diagnostic {
    Diagnostic::error(
        accl_source::codes::frontend::NOT_IMPLEMENTED,
        format!("`{what}` is not implemented yet"),
    )
    .label(at, format!("it stands for {why}"))
}
