//! Rules about a directive as a whole, checked when all its clauses are known.
//!
//! Promised to whoever gets a directive without errors:
//! - at most one of seq, independent and auto; no level beside seq; at most one level on a routine;
//! - a constant given to collapse, tile, num_gangs, num_workers, vector_length or gang(dim:) is in
//!   range; names in them are still to be resolved;
//! - no variable is both private and in a reduction, or firstprivate, or in one clause twice with
//!   different data movement;
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
}

fn variables(directive: &Directive, out: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<String, Vec<Seen<'_>>> = BTreeMap::new();
    for clause in &directive.clauses {
        let Some((role, list)) = named(clause) else { continue };
        for section in list {
            let name = section.to_string();
            let places = seen.entry(name.clone()).or_default();
            let clash = places.iter().filter(|s| same_devices(s.clause, clause)).find_map(|s| {
                let why = conflict(s.role, role, s.clause, clause)?;
                Some(errors::variable_twice(&name, (s.clause, s.span), (clause, section.span), why))
            });
            if clash.is_none() {
                places.push(Seen { role, clause, span: section.span });
            }
            out.extend(clash);
        }
    }
}

/// Why the same variable cannot be in both, if so.
fn conflict(a: Role, b: Role, first: &Clause, again: &Clause) -> Option<&'static str> {
    match (a, b) {
        (Role::Data, Role::Data) => {
            Some("a variable stands in one data clause of a directive only (OpenACC 3.3 §2.7)")
        }
        (Role::Reduction, Role::Reduction) if first.kind != again.kind || first.span == again.span => {
            Some("a variable has one reduction only (OpenACC 3.3 §2.5.15)")
        }
        (Role::Private, Role::Reduction) | (Role::Reduction, Role::Private) => {
            Some("a reduction makes its own private copies (OpenACC 3.3 §2.5.15)")
        }
        (Role::Private, Role::Firstprivate) | (Role::Firstprivate, Role::Private) => {
            Some("a private copy either starts with the host's value or does not (OpenACC 3.3 §2.5.13)")
        }
        (Role::Firstprivate, Role::Reduction) | (Role::Reduction, Role::Firstprivate) => {
            Some("a reduction makes its own private copies (OpenACC 3.3 §2.5.15)")
        }
        _ => None,
    }
}
