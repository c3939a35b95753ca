//! Loops that are not worth a launch.
//!
//! Small objects share pages with others, so residency brings them home after each construct that writes them, and the host
//! waits: longer than a few hundred iterations take it. Loops of so few, all of whose objects are small, the host runs itself. Which these are
//! is told while the program runs, so the construct gets a condition, where the host can count its iterations beforehand.

use super::canonical::canonical;
use super::pointers::Pointers;
use super::unit::SourceFile;
use crate::ast::{DeclId, Expr, ExprKind, Stmt, StmtKind, Storage, Ty};
use crate::lower::walk;

/// Asks the runtime whether the object that a pointer leads to is small, and on no device because of a data clause: the pointer, the size of an array or
/// 0, and whether the first pointer in it leads to such a one, too.
pub const IS_SMALL: &str = "accl_is_small";
/// With more iterations, those of inner loops among them, a loop is worth a launch.
const MOST_ITERATIONS: u32 = 512;

/// The condition under which the device runs a loop. `private`: variables of which each thread has a copy.
pub fn worth_a_launch(unit: &SourceFile<'_>, body: &Stmt, private: &[&str]) -> Option<String> {
    if unit.pointers != Pointers::Followed || unit.writes_openacc || !calls_no_loops(unit, body) {
        return None;
    }
    let count = iterations(unit, body, body)?.join(" + ");
    let mut worth = vec![format!("{count} > {MOST_ITERATIONS}")];
    for (id, name, _) in unit.used(body) {
        worth.extend(large(unit, body, id, &name, private)?);
    }
    (worth.len() > 1).then(|| worth.join(" || "))
}

/// How many iterations the loops in a statement have in all: the terms of a sum, of type `double`.
fn iterations(unit: &SourceFile<'_>, nest: &Stmt, s: &Stmt) -> Option<Vec<String>> {
    let mut inside = vec![];
    for child in walk::children(s) {
        inside.append(&mut iterations(unit, nest, child)?);
    }
    match &s.kind {
        StmtKind::For { .. } => {
            let l = canonical(unit, s)?;
            // A loop without iterations may have a step of 0, by which nobody divides.
            let steps = l.step.is_none_or(|step| unit.constant(step).is_some_and(|by| by != 0));
            let known = steps && [l.from, l.bound].into_iter().all(|e| is_known_before(unit, nest, e));
            let trips = format!("(double)({})", l.trips(unit));
            known.then(|| match &inside[..] {
                [] => vec![trips],
                inside => vec![format!("{trips} * (1 + {})", inside.join(" + "))],
            })
        }
        StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::RangeFor { .. }
        | StmtKind::Goto
        | StmtKind::Label(_)
        | StmtKind::Unsupported(..) => None,
        _ => Some(inside),
    }
}

/// Constants, and numbers that the nest neither declares nor changes.
pub fn is_known_before(unit: &SourceFile<'_>, nest: &Stmt, e: &Expr) -> bool {
    let mut known = walk::only_reads(e);
    walk::within(e, &mut |e| match &e.kind {
        ExprKind::Var(id, _) => {
            let outside = unit.var(*id).is_some_and(|var| !nest.span.contains(var.span));
            known &= outside && unit.is_scalar(*id) && !unit.changes(nest, *id);
        }
        ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. } => known = false,
        _ => {}
    });
    known
}

/// Functions that the loop calls have no loops, and use no arrays but those that they are given. Nobody knows it of one that
/// another file defines, or that is called through a pointer.
fn calls_no_loops(unit: &SourceFile<'_>, body: &Stmt) -> bool {
    let mut none = true;
    unit.each_reached(body, &mut |s| {
        walk::exprs(s, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind {
                none &= walk::callee(callee)
                    .is_some_and(|id| unit.function(id).is_none_or(|function| function.body.is_some()));
            }
        });
        if std::ptr::eq(s, body) {
            return;
        }
        none &= iterations(unit, s, s).is_some_and(|terms| terms.is_empty());
        none &= unit.used(s).iter().all(|(id, ..)| {
            unit.is_scalar(*id)
                || unit.var(*id).is_some_and(|var| !matches!(var.storage, Storage::Static | Storage::Extern))
        });
    });
    none
}

/// Whether what a variable is, or leads to, is large; nothing where it is a number. `None`: it cannot be told.
fn large(
    unit: &SourceFile<'_>,
    body: &Stmt,
    id: DeclId,
    name: &str,
    private: &[&str],
) -> Option<Option<String>> {
    let var = unit.var(id)?;
    let on_device = unit.resident.at(body.span).any(|(resident, _)| *resident == id);
    if var.ty.is_reference() || unit.of_threads.contains(&id) || on_device {
        return None;
    }
    let is_private = private.contains(&name);
    let asked = |bytes: &str, rows: u8| Some(Some(format!("!{IS_SMALL}({name}, {bytes}, {rows})")));
    match &*var.ty.ty {
        _ if unit.is_scalar(id) => Some(None),
        Ty::Array { of, .. } if !unit.type_holds_pointers(&of.ty) => match is_private {
            true => Some(None),
            false => asked(&format!("sizeof({name})"), 0),
        },
        Ty::Pointer { to, .. } if !is_private && !unit.changes(body, id) => match &*to.ty {
            Ty::Pointer { to, .. } if !unit.type_holds_pointers(&to.ty) => asked("0", 1),
            to if !unit.type_holds_pointers(to) => asked("0", 0),
            _ => None,
        },
        _ => None,
    }
}
