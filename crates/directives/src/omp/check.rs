//! What a directive's clauses must be to each other and to the directive, beyond what the clause table says.

use super::ast::{Map, MapKind, OmpClause, OmpClauseKind as Kind, OmpDirective, OmpName};
use super::errors;
use crate::ast::Section;
use accl_source::Diagnostic;

pub fn directive(d: &OmpDirective, out: &mut Vec<Diagnostic>) {
    once(d, out);
    whole_variables(d, out);
    one_sharing(d, out);
    map_types(d, out);
    something_moves(d, out);
}

/// Clauses that may stand once; `if` once for each directive that it names, `defaultmap` for each category.
fn once(d: &OmpDirective, out: &mut Vec<Diagnostic>) {
    for (at, clause) in d.clauses.iter().enumerate() {
        if let Some(first) = d.clauses[..at].iter().find(|first| excludes(first, clause)) {
            out.push(errors::duplicate(clause, first));
        }
    }
}

fn excludes(first: &OmpClause, clause: &OmpClause) -> bool {
    match (&first.kind, &clause.kind) {
        (Kind::If(a, _), Kind::If(b, _)) => a == b,
        (Kind::Defaultmap(a), Kind::Defaultmap(b)) => a.category == b.category,
        (
            Kind::Device(_)
            | Kind::Default(_)
            | Kind::NumTeams { .. }
            | Kind::ThreadLimit(_)
            | Kind::NumThreads(_)
            | Kind::Collapse(_)
            | Kind::Ordered(_)
            | Kind::Sizes(_),
            _,
        ) => first.name == clause.name,
        _ => false,
    }
}

/// OpenMP 5.2 §3.2.1: lists of variables, not of their parts.
fn whole_variables(d: &OmpDirective, out: &mut Vec<Diagnostic>) {
    for clause in &d.clauses {
        let (Kind::Private(list) | Kind::Firstprivate(list) | Kind::Lastprivate(list) | Kind::Shared(list)) =
            &clause.kind
        else {
            continue;
        };
        let parts = list.iter().filter(|s| s.as_variable().is_none() || !s.dims.is_empty());
        out.extend(parts.map(|section| errors::part(section, clause.name)));
    }
}

/// OpenMP 5.2 §5.4: a variable has one data-sharing attribute on a directive, but it may be firstprivate and lastprivate.
fn one_sharing(d: &OmpDirective, out: &mut Vec<Diagnostic>) {
    let lists = d.clauses.iter().filter_map(|c| Some((c, sharing(c)?)));
    let named: Vec<(&OmpClause, &Section)> =
        lists.flat_map(|(clause, list)| list.iter().map(move |section| (clause, section))).collect();
    for (at, (clause, section)) in named.iter().enumerate() {
        let both = |other: &str| {
            let pair = ["firstprivate", "lastprivate"];
            pair.contains(&other) && pair.contains(&clause.name) && other != clause.name
        };
        let first = named[..at].iter().find(|(other, of)| {
            of.as_variable().is_some() && of.as_variable() == section.as_variable() && !both(other.name)
        });
        if let Some((other, of)) = first {
            out.push(errors::shared_twice((section, clause.name), (of, other.name)));
        }
    }
}

fn sharing(clause: &OmpClause) -> Option<&[Section]> {
    match &clause.kind {
        Kind::Private(list) | Kind::Firstprivate(list) | Kind::Lastprivate(list) => Some(list),
        Kind::Reduction { sections, .. } => Some(sections),
        _ => None,
    }
}

/// OpenMP 5.2 §5.8.3: data that a directive maps does not go with it, and the other way round.
fn map_types(d: &OmpDirective, out: &mut Vec<Diagnostic>) {
    use MapKind::{Alloc, Delete, From, Release, To, ToFrom};
    let (allowed, shown): (&[MapKind], &[&str]) = match d.name {
        OmpName::TargetEnterData => (&[To, ToFrom, Alloc], &["to", "tofrom", "alloc"]),
        OmpName::TargetExitData => {
            (&[From, ToFrom, Release, Delete], &["from", "tofrom", "release", "delete"])
        }
        _ => (&[To, From, ToFrom, Alloc], &["to", "from", "tofrom", "alloc"]),
    };
    for clause in &d.clauses {
        if let Kind::Map(Map { kind, .. }) = clause.kind
            && !allowed.contains(&kind)
        {
            out.push(errors::bad_map_type(kind, clause.span, shown));
        }
    }
}

/// OpenMP 5.2 §13.5 to §13.9.
fn something_moves(d: &OmpDirective, out: &mut Vec<Diagnostic>) {
    let clauses = match d.name {
        OmpName::TargetData => "`map`, `use_device_ptr` or `use_device_addr`",
        OmpName::TargetEnterData | OmpName::TargetExitData => "`map`",
        OmpName::TargetUpdate => "`to` or `from`",
        _ => return,
    };
    let moves = |c: &OmpClause| matches!(c.kind, Kind::Map(_) | Kind::Motion { .. } | Kind::UseDevice(_));
    if !d.clauses.iter().any(moves) {
        out.push(errors::nothing_moves(d.name_span, clauses));
    }
}
