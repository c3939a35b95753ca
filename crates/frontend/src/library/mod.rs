//! The standard library in code for devices, as far as it is written into the buffer: constants of its templates (`constants`) and
//! its algorithms (`algorithms`), functions of C's (`c_functions`),
//! literals, which are arrays like any (`literals`), and loops over iterators, which count (`iterators`).
//!
//! Declarations of system headers are never read, so device code knows nothing of what they define. Of a few types and functions
//! lowering knows what they do (`lower::library`).

pub mod algorithms;
pub mod c_functions;
pub mod constants;
pub mod iterators;
pub mod literals;

use crate::ast::{DeclId, Expr, ExprKind, FunctionKind, Program, Stmt, Ty};
use crate::bind::is_inside;
use crate::lower::walk;
use crate::pragmas::Pragma;
use accl_directives::{DirectiveKind, ThreadsKind};
use std::collections::{BTreeMap, HashSet};

/// Replacements by the places that they replace.
pub type Edits = BTreeMap<(usize, usize), String>;

/// The buffer with what a part of the library is written as; `None`: there is nothing of it.
pub type WrittenOut = fn(&str, &Program, &[Pragma]) -> Option<String>;

pub fn is_compute(pragma: &Pragma) -> bool {
    matches!(
        pragma.directive.kind,
        DirectiveKind::Compute { .. } | DirectiveKind::Threads(ThreadsKind::TargetParallel)
    )
}

/// Each expression of compute constructs, and of the functions that these call.
pub fn device_exprs<'p>(program: &'p Program, pragmas: &[Pragma], visit: &mut dyn FnMut(&'p Expr)) {
    let compute: Vec<&Pragma> = pragmas.iter().filter(|p| is_compute(p)).collect();
    let mut parts = vec![];
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        for pragma in compute.iter().filter(|p| is_inside(body.span, p.span)) {
            parts.extend(first_after(body, pragma.span.end).map(Part::Body));
        }
    }
    let mut seen: HashSet<DeclId> = HashSet::new();
    while let Some(part) = parts.pop() {
        let (mut called, mut made) = (HashSet::new(), HashSet::new());
        let mut each = |e: &'p Expr| {
            visit(e);
            match (&e.kind, &*e.ty.ty) {
                (ExprKind::Call { callee, .. }, _) => called.extend(walk::callee(callee)),
                (ExprKind::Construct { .. }, Ty::Record(class)) => _ = made.insert(*class),
                _ => {}
            }
        };
        match part {
            Part::Body(body) => walk::exprs(body, &mut each),
            Part::Value(value) => walk::within(value, &mut each),
        }
        for function in &program.functions {
            let makes = match &function.kind {
                FunctionKind::Constructor { record, inits } if made.contains(record) => Some(inits),
                _ => None,
            };
            if (makes.is_some() || called.contains(&function.id)) && seen.insert(function.id) {
                parts.extend(makes.into_iter().flatten().map(|init| Part::Value(&init.value)));
                parts.extend(function.body.as_ref().map(Part::Body));
            }
        }
    }
}

/// Code for devices.
enum Part<'p> {
    Body(&'p Stmt),
    /// What a constructor gives a member.
    Value(&'p Expr),
}

/// The outermost of the statements that begin first behind a place.
fn first_after(stmt: &Stmt, place: u32) -> Option<&Stmt> {
    if !stmt.span.is_nowhere() && stmt.span.start >= place {
        return Some(stmt);
    }
    let found = walk::children(stmt).into_iter().filter_map(|inner| first_after(inner, place));
    found.min_by_key(|found| found.span.start)
}

/// The buffer with these changes. Of places within one another the innermost is changed; an empty place is where text is added.
fn edited(buffer: &str, edits: &Edits) -> Option<String> {
    let mut changed = buffer.to_owned();
    let mut start = usize::MAX;
    for ((from, to), text) in edits.iter().rev().filter(|((from, to), _)| from <= to) {
        if *to <= start {
            changed.replace_range(from..to, text);
            start = *from;
        }
    }
    (start != usize::MAX).then_some(changed)
}

/// The buffer with declarations before all others, as of the first file that is no system header: of these nothing is read.
fn at_beginning(buffer: &str, declarations: &str) -> Option<String> {
    let markers = buffer.lines().filter(|line| line.starts_with("# "));
    let marker = markers.filter(|_| buffer.starts_with('#')).find(|line| line.ends_with('"'))?;
    Some(format!("{marker}\n{declarations}{buffer}"))
}
