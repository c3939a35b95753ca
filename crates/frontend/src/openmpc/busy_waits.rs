//! Loops in which a thread waits until another one has written something.
//!
//! ```text
//! while (flag[i - 1] == 0) {
//! #pragma omp flush(flag)
//! }
//! ```
//!
//! So pipelines of threads are written, NAS LU's among them. A team of one thread would wait for ever, and so may threads of
//! a device, which need not run at the same time. Such a loop does not get on by itself: what it assigns is computed of nothing
//! that it changes, so that each of its turns does the same.

use super::WhyNot;
use super::scratch::leads_from;
use super::unit::SourceFile;
use crate::ast::{DeclId, Expr, ExprKind, Stmt, StmtKind};
use crate::lower::walk;
use std::collections::BTreeSet;

/// An error where code that threads run, in functions of the file, too, waits for other threads.
pub fn none(unit: &SourceFile<'_>, s: &Stmt) -> Result<(), WhyNot> {
    let mut found = Ok(());
    unit.each_reached(s, &mut |s| {
        if let Some(at) = waiting_loop(unit, s).filter(|_| found.is_ok()) {
            found = Err(WhyNot::new(at.span, "a thread waits in it for what others write".into()));
        }
    });
    found
}

fn waiting_loop<'s>(unit: &SourceFile<'_>, s: &'s Stmt) -> Option<&'s Stmt> {
    waits(unit, s).then_some(s).or_else(|| walk::children(s).into_iter().find_map(|s| waiting_loop(unit, s)))
}

fn waits(unit: &SourceFile<'_>, s: &Stmt) -> bool {
    let (repeats, body) = match &s.kind {
        StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
            (crate::clang::fold(cond) != Some(0), body)
        }
        StmtKind::For { body, .. } => (true, body),
        _ => return false,
    };
    repeats && !ends_at_once(body) && !gets_on(unit, s)
}

/// A block that is left at its end: no loop in truth.
fn ends_at_once(body: &Stmt) -> bool {
    match &body.kind {
        StmtKind::Compound(items) => items.last().is_some_and(ends_at_once),
        StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto => true,
        _ => false,
    }
}

/// Whether the loop changes what it computes with.
fn gets_on(unit: &SourceFile<'_>, s: &Stmt) -> bool {
    let (mut changed, mut assigned): (BTreeSet<DeclId>, Vec<[&Expr; 2]>) = Default::default();
    let mut gets_on = false;
    unit.each_reached(s, &mut |s| {
        walk::vars(s, &mut |var| {
            changed.extend(var.init.is_some().then_some(var.id));
            assigned.extend(var.init.as_ref().map(|init| [init, init]));
        });
        walk::exprs(s, &mut |e| match &e.kind {
            ExprKind::Step { .. } | ExprKind::CompoundAssign { .. } => gets_on = true,
            ExprKind::Assign { place, value } => {
                changed.extend(leads_from(place).or_else(|| of_object(place)));
                assigned.push([place, value]);
            }
            ExprKind::Call { callee, .. } => {
                let here = walk::callee(callee).and_then(|id| unit.function(id));
                let is_known = here.is_some_and(|function| function.body.is_some());
                gets_on |= !is_known && !walk::library_name(callee).is_some_and(lets_others_run);
            }
            _ => {}
        });
    });
    let of_changed = |e: &Expr| changed.iter().any(|id| walk::uses(e, *id) > 0);
    // A place that is written names what it belongs to, which alone is no use of it.
    gets_on || assigned.iter().any(|[place, value]| of_changed(value) || subscripts(place).any(of_changed))
}

/// The variable whose `operator[]`, or another member function, gives the place.
fn of_object(place: &Expr) -> Option<DeclId> {
    let place = match &walk::bare(place).kind {
        ExprKind::Deref(place) => place,
        _ => place,
    };
    let ExprKind::Call { callee, args, .. } = &walk::bare(place).kind else { return None };
    match &walk::bare(callee).kind {
        ExprKind::Member { base, .. } => leads_from(base),
        _ => args.first().and_then(leads_from),
    }
}

fn subscripts(place: &Expr) -> impl Iterator<Item = &Expr> {
    let mut found = vec![];
    walk::within(place, &mut |e| {
        if let ExprKind::Index { index, .. } = &e.kind {
            found.push(&**index);
        }
    });
    found.into_iter()
}

/// Functions that waiting loops call: they pause, or ask for a variable's value.
fn lets_others_run(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "sched_yield",
        "thrd_yield",
        "yield",
        "usleep",
        "_mm_pause",
        "__builtin_ia32_pause",
        "load",
        "test",
        "test_and_set",
        "exchange",
        "compare_exchange_weak",
        "compare_exchange_strong",
    ];
    const PREFIXES: [&str; 3] = ["__atomic_", "__sync_", "omp_"];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
