//! The clauses of `routine` (OpenACC 3.3 §2.15.1).

use super::context::Context;
use super::walk;
use crate::ast::{DeclId, ExprKind, Stmt, StmtKind};
use accl_directives::{
    BindName, Clauses, DeviceKind, Directive, DirectiveKind, LevelClauses, RoutineClauses,
};
use accl_ir::Level;
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::collections::BTreeMap;

/// What the directive says about its function.
pub struct Routine<'d> {
    pub level: Level,
    pub bind: Option<&'d BindName>,
    pub nohost: Option<Span>,
}

pub fn read<'d>(cx: &mut Context<'_>, directive: &'d Directive) -> Routine<'d> {
    let [first, others @ ..] = DeviceKind::ALL.map(|device| one_device(directive, device));
    if others.iter().any(|other| (other.level, other.bind) != (first.level, first.bind)) {
        let message =
            "a routine has one level and one name for all types of device: those for nvidia are taken";
        let help = "write the level, and `bind`, in front of `device_type`";
        cx.error(Diagnostic::warning(codes::LOOP_BY_DEVICE, message).at(directive.name_span).with_help(help));
    }
    first
}

fn one_device(directive: &Directive, device: DeviceKind) -> Routine<'_> {
    // By the clause table, there are no others.
    let view = directive.clauses_for(device);
    let Clauses { conditions: _, queues: _, sizes: _, data: _, privates: _, levels, device: _, routine } =
        view;
    let LevelClauses {
        gang,
        worker,
        vector,
        seq: _,
        auto: _,
        independent: _,
        collapse: _,
        tile: _,
        schedules: _,
    } = levels;
    let RoutineClauses { bind, nohost } = routine;
    // Gangs of all dimensions call it together.
    let level = match (gang, worker, vector) {
        (Some(_), _, _) => Level::Gang,
        (None, Some(_), _) => Level::Worker,
        (None, None, Some(_)) => Level::Vector,
        (None, None, None) => Level::Seq,
    };
    Routine { level, bind, nohost: nohost.then_some(directive.name_span) }
}

/// Records what `bind` and `nohost` say about the functions.
pub fn note(
    cx: &mut Context<'_>,
    targets: &[DeclId],
    bind: Option<&BindName>,
    nohost: Option<Span>,
    level: Level,
) {
    cx.nohost.extend(targets.iter().filter_map(|id| Some((*id, nohost?))));
    let Some(bind) = bind else { return };
    let (name, span) = match bind {
        BindName::Ident(name) => (&name.name, name.span),
        BindName::Literal(name, span) => (name, *span),
    };
    let program = cx.program;
    let Some(other) = program.functions.iter().find(|f| f.name == *name) else {
        let message = format!("no function named `{name}` is declared in this file");
        let help = "device code is compiled from this file alone: define the function here or in a header";
        return cx.error(Diagnostic::error(codes::ROUTINE_TARGET, message).at(span).with_help(help));
    };
    cx.routines.entry(other.id).or_insert(level);
    cx.bound.extend(targets.iter().map(|id| (*id, other.id)));
}

/// Calls of `nohost` functions by the host program: outside compute constructs, and not in routines.
pub fn calls_on_host(cx: &mut Context<'_>) {
    if cx.nohost.is_empty() {
        return;
    }
    let mut found = BTreeMap::new();
    for function in cx.program.functions.iter().filter(|f| f.instance.is_none() && !cx.runs_on_device(f.id)) {
        if let Some(body) = &function.body {
            host_calls(cx, body, &mut found);
        }
    }
    for (at, (name, said)) in found {
        let message = format!("`{name}` is for devices alone, and the host program calls it");
        cx.error(
            Diagnostic::warning(codes::NOHOST, message)
                .label(at, "called on the host")
                .label(said, "`nohost` says that the host has no version")
                .with_note(
                    "it is compiled for the host nevertheless; other compilers will not link the program",
                )
                .with_help("remove `nohost`, or call it in a compute construct"),
        );
    }
}

fn host_calls(cx: &Context<'_>, stmt: &Stmt, found: &mut BTreeMap<Span, (String, Span)>) {
    if let StmtKind::Directed { directive, .. } = &stmt.kind
        && matches!(cx.pragmas[*directive].directive.kind, DirectiveKind::Compute { .. })
    {
        return;
    }
    for own in walk::own_exprs(stmt) {
        walk::within(own, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind
                && let Some(id) = walk::callee(callee)
                && let (Some(said), Some(decl)) = (cx.nohost.get(&id), cx.function_decl(id))
            {
                found.insert(e.span, (decl.name.clone(), *said));
            }
        });
    }
    walk::children(stmt).into_iter().for_each(|inner| host_calls(cx, inner, found));
}
