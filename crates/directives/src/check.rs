//! Rules about a directive as a whole, checked when all its clauses are known.
//!
//! What holds for a directive without errors:
//! - at most one of seq, independent and auto; no level beside seq; at most one level on a routine;
//! - a constant given to collapse, tile, num_gangs, num_workers, vector_length or gang(dim:) is in
//!   range; names in them are still to be resolved;
//! - no variable is both private and in a reduction, or firstprivate, nor in clauses of which only one can apply; a
//!   variable may be repeated, in several data clauses too, with a warning;
//! - a directive that needs a clause has one.
//!
//! What needs the scope, types or the statement is not checked here.

use crate::ast::*;
use crate::errors;
use crate::table::DirectiveSpec;
use accl_source::{Diagnostic, Span};
use std::collections::BTreeMap;

pub(crate) fn check(directive: &Directive, out: &mut Vec<Diagnostic>) {
    match directive.kind {
        DirectiveKind::Routine(_) => routine_level(directive, out),
        _ => schedule(directive, out),
    }
    directive.clauses.iter().for_each(|clause| sizes(clause, out));
    variables(directive, out);
}

/// At least one of the clauses without which the directive does nothing.
pub(crate) fn required(directive: &Directive, spec: &DirectiveSpec, out: &mut Vec<Diagnostic>) {
    let found = directive.clauses.iter().any(|c| errors::satisfies(c, spec.requires, spec.name));
    if !found && !spec.requires.is_empty() {
        out.push(errors::missing_clause(directive, spec));
    }
}

fn same_devices(a: &Clause, b: &Clause) -> bool {
    a.device_types == b.device_types
}

fn is_level(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Gang(_) | ClauseKind::Worker(_) | ClauseKind::Vector(_))
}

/// OpenACC 3.3 §2.9: seq excludes levels; one of seq, independent, auto.
fn schedule(directive: &Directive, out: &mut Vec<Diagnostic>) {
    let is_seq = |c: &Clause| matches!(c.kind, ClauseKind::Seq);
    let is_choice =
        |c: &Clause| matches!(c.kind, ClauseKind::Seq | ClauseKind::Independent | ClauseKind::Auto);
    for (index, b) in directive.clauses.iter().enumerate() {
        for a in directive.clauses[..index].iter().filter(|a| same_devices(a, b)) {
            if (is_seq(a) && is_level(b)) || (is_level(a) && is_seq(b)) {
                out.push(errors::contradictory(a, b, "a sequential loop has no level (OpenACC 3.3 §2.9)"));
            } else if is_choice(a) && is_choice(b) && a.spec != b.spec {
                let why = "of `seq`, `independent` and `auto` only one may stand (OpenACC 3.3 §2.9)";
                out.push(errors::contradictory(a, b, why));
            }
        }
    }
}

/// OpenACC 3.3 §2.15.1
fn routine_level(directive: &Directive, out: &mut Vec<Diagnostic>) {
    let levels: Vec<&Clause> =
        directive.clauses.iter().filter(|c| is_level(c) || matches!(c.kind, ClauseKind::Seq)).collect();
    if levels.is_empty() {
        out.push(errors::routine_without_level(directive.name_span));
    }
    for (index, again) in levels.iter().enumerate() {
        if let Some(first) = levels[..index].iter().find(|c| same_devices(c, again) && c.spec != again.spec) {
            out.push(errors::routine_levels(first, again));
        }
    }
}

/// Constants that count something count from 1.
fn sizes(clause: &Clause, out: &mut Vec<Diagnostic>) {
    let mut positive = |what: &str, size: &CExpr, most: Option<i64>| {
        if size.constant().is_some_and(|n| n < 1 || most.is_some_and(|most| n > most)) {
            out.push(errors::not_positive(what, size, most));
        }
    };
    match &clause.kind {
        ClauseKind::NumGangs(list) => list.iter().for_each(|n| positive("the number of gangs", n, None)),
        ClauseKind::NumWorkers(n) | ClauseKind::Worker(Some(n)) => positive("the number of workers", n, None),
        ClauseKind::VectorLength(n) | ClauseKind::Vector(Some(n)) => positive("the vector length", n, None),
        ClauseKind::Gang(args) => gang_sizes(args, &mut positive),
        ClauseKind::Tile(list) => {
            for size in list {
                if let TileSize::Expr(n) = size {
                    positive("a tile size", n, None);
                }
            }
        }
        ClauseKind::Collapse(collapse) if !is_count(&collapse.count) => {
            out.push(errors::bad_count(clause.spec.name, &collapse.count));
        }
        _ => {}
    }
}

fn gang_sizes(args: &GangArgs, positive: &mut impl FnMut(&str, &CExpr, Option<i64>)) {
    if let Some(n) = &args.num {
        positive("the number of gangs", n, None);
    }
    if let Some(StaticSize::Expr(n)) = &args.static_ {
        positive("the chunk of `static`", n, None);
    }
    if let Some(n) = &args.dim {
        positive("the dimension of a gang", n, Some(3));
    }
}

/// A positive constant, as far as can be told without the scope.
fn is_count(count: &CExpr) -> bool {
    match count.constant() {
        Some(value) => value > 0,
        None => count.may_be_constant() && !count.identifiers().is_empty(),
    }
}

/// How a clause treats the variables it names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Private,
    Firstprivate,
    Reduction,
    Data,
}

fn named(clause: &Clause) -> Option<(Role, &[Section])> {
    match &clause.kind {
        ClauseKind::Private(list) => Some((Role::Private, list)),
        ClauseKind::Firstprivate(list) => Some((Role::Firstprivate, list)),
        ClauseKind::Reduction(reduction) => Some((Role::Reduction, &reduction.vars)),
        ClauseKind::Data(data) if !matches!(data.kind, DataKind::Attach | DataKind::Detach) => {
            Some((Role::Data, &data.sections))
        }
        _ => None,
    }
}

/// A variable's first place in a clause of this role.
struct Seen<'a> {
    role: Role,
    clause: &'a Clause,
    span: Span,
    /// The repetition has been reported.
    told: bool,
}

fn variables(directive: &Directive, out: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<String, Vec<Seen<'_>>> = BTreeMap::new();
    for clause in &directive.clauses {
        let Some((role, list)) = named(clause) else { continue };
        for section in list {
            let name = section.to_string();
            let places = seen.entry(name.clone()).or_default();
            let clash = places.iter().filter(|s| same_devices(s.clause, clause)).find_map(|s| {
                let places = ((s.clause, s.span), (clause, section.span));
                match conflict(s.role, role, s.clause, clause) {
                    Conflict::None => None,
                    Conflict::Contradiction(why) => {
                        Some(errors::variable_twice(&name, places.0, places.1, why))
                    }
                    Conflict::Repeated => Some(errors::variable_repeated(&name, places.0, places.1)),
                }
            });
            // One reported conflict is enough.
            let told = places.iter().any(|s| s.told && s.role == role);
            let is_error = clash.as_ref().is_some_and(Diagnostic::is_error);
            if clash.is_none() || !(is_error || told) {
                places.push(Seen { role, clause, span: section.span, told: clash.is_some() });
            }
            out.extend(clash.filter(|_| is_error || !told));
        }
    }
}

/// What follows from the same variable being in both.
enum Conflict {
    None,
    /// Only one of them can apply, for this reason.
    Contradiction(&'static str),
    /// They agree, or can be applied one after the other.
    Repeated,
}

fn conflict(a: Role, b: Role, first: &Clause, again: &Clause) -> Conflict {
    use Conflict::{Contradiction, None, Repeated};
    match (a, b) {
        (Role::Data, Role::Data) => match (&first.kind, &again.kind) {
            (ClauseKind::Data(a), ClauseKind::Data(b)) => data_conflict(a, b),
            _ => Repeated,
        },
        (Role::Reduction, Role::Reduction) => match (&first.kind, &again.kind) {
            (ClauseKind::Reduction(a), ClauseKind::Reduction(b)) if a.op == b.op => Repeated,
            _ => Contradiction("a variable has one reduction only (OpenACC 3.3 §2.5.15)"),
        },
        (Role::Private, Role::Private) | (Role::Firstprivate, Role::Firstprivate) => Repeated,
        (Role::Private, Role::Reduction) | (Role::Reduction, Role::Private) => {
            Contradiction("a reduction makes its own private copies (OpenACC 3.3 §2.5.15)")
        }
        (Role::Private, Role::Firstprivate) | (Role::Firstprivate, Role::Private) => Contradiction(
            "a private copy either starts with the host's value or does not (OpenACC 3.3 §2.5.13)",
        ),
        (Role::Firstprivate, Role::Reduction) | (Role::Reduction, Role::Firstprivate) => {
            Contradiction("a reduction makes its own private copies (OpenACC 3.3 §2.5.15)")
        }
        (Role::Data, Role::Firstprivate) | (Role::Firstprivate, Role::Data)
            if [first, again].into_iter().any(copies_out) =>
        {
            Contradiction(
                "nothing that private copies hold comes back to the host (OpenACC 3.3 §2.5.14), so there \
                 is nothing to copy out",
            )
        }
        // Data clauses that a loop's private copies or a reduction leave unused on the device do no harm.
        (Role::Data, Role::Private | Role::Firstprivate | Role::Reduction)
        | (Role::Private | Role::Firstprivate | Role::Reduction, Role::Data) => None,
    }
}

fn copies_out(clause: &Clause) -> bool {
    matches!(&clause.kind, ClauseKind::Data(d) if matches!(d.kind, DataKind::Copy | DataKind::Copyout))
}

fn data_conflict(a: &DataClause, b: &DataClause) -> Conflict {
    let either = |kind: DataKind| a.kind == kind || b.kind == kind;
    if a.kind != b.kind && either(DataKind::Deviceptr) {
        return Conflict::Contradiction(
            "a device pointer is used as it is (OpenACC 3.3 §2.7.4): nothing of the host's belongs to it",
        );
    }
    if a.kind != b.kind && either(DataKind::Link) {
        return Conflict::Contradiction(
            "`link` leaves it open when the variable comes to the device (OpenACC 3.3 §2.13.3)",
        );
    }
    if a.compressed != b.compressed {
        return Conflict::Contradiction(
            "on the device the array is held either in fewer bits or as on the host",
        );
    }
    Conflict::Repeated
}
