//! What can be wrong with a directive of OpenMP.

use super::ast::{MapKind, OmpClause};
use super::table::{CLAUSES, CONSTRUCTS, DIRECTIVES, On};
use crate::ast::Section;
use crate::closest;
use accl_source::codes::directives as codes;
use accl_source::{Diagnostic, Span};

pub fn unknown_clause(word: &str, span: Span, name: &str, on: &[On]) -> Diagnostic {
    let message = format!("`{word}` is no clause of `omp {name}`");
    let error = Diagnostic::error(codes::UNKNOWN_CLAUSE, message).at(span);
    let here = CLAUSES.iter().filter(|c| c.accepted_on(on)).map(|c| c.name);
    match closest(word, here.chain(directive_words())) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// A word that was meant to belong to the directive's name: what follows it is read in vain.
pub fn is_nearly_a_directive(word: &str, on: &[On]) -> bool {
    let clauses = CLAUSES.iter().filter(|c| c.accepted_on(on)).map(|c| c.name);
    closest(word, clauses).is_none() && closest(word, directive_words()).is_some()
}

fn directive_words() -> impl Iterator<Item = &'static str> {
    let others = DIRECTIVES.iter().flat_map(|d| d.words.iter().copied());
    CONSTRUCTS.iter().map(|(word, ..)| *word).chain(others)
}

pub fn duplicate(clause: &OmpClause, first: &OmpClause) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE_CLAUSE, format!("`{}` may stand only once", clause.name))
        .label(clause.span, "given again here")
        .label(first.span, "first given here")
        .with_help("remove one of the two")
}

pub fn part(section: &Section, clause: &str) -> Diagnostic {
    let message = format!("`{section}` is part of a variable; `{clause}` takes whole variables");
    Diagnostic::error(codes::BAD_VARIABLE, message)
        .at(section.span)
        .with_help(format!("write `{clause}({})`", section.base.root.name))
}

pub fn shared_twice(again: (&Section, &str), first: (&Section, &str)) -> Diagnostic {
    let message = format!("`{}` is in `{}` and in `{}`", again.0, first.1, again.1);
    Diagnostic::error(codes::VARIABLE_TWICE, message)
        .label(again.0.span, "named again here")
        .label(first.0.span, "first named here")
        .with_note("a variable has one data-sharing attribute, but that it may be firstprivate and lastprivate (OpenMP 5.2 §5.4)")
        .with_help("remove one of the two")
}

pub fn bad_map_type(kind: MapKind, at: Span, allowed: &[&str]) -> Diagnostic {
    let message = format!("the map type `{}` cannot stand on this directive", kind.name());
    Diagnostic::error(codes::BAD_MODIFIER, message)
        .at(at)
        .with_help(format!("one of: {}", allowed.join(", ")))
}

pub fn unknown_map_type(word: &str, at: Span) -> Diagnostic {
    let error =
        Diagnostic::error(codes::BAD_MODIFIER, format!("`{word}` is no type or modifier of `map`")).at(at);
    let types = MapKind::ALL.map(MapKind::name);
    match closest(word, types.into_iter().chain(["always", "close", "present"])) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help(format!("the types are: {}", types.join(", "))),
    }
}

pub fn nothing_moves(at: Span, clauses: &str) -> Diagnostic {
    Diagnostic::error(codes::MISSING_ARGUMENT, "the directive names no data")
        .at(at)
        .with_help(format!("add {clauses}"))
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
