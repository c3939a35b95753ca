//! Private variables that iterations set before they use them are declared in the iteration.
//!
//! Programs declare what loops use at the top of a function, and name it in a `private` clause of the outer loop:
//!
//! ```text
//! #pragma omp parallel for private(j, k, d)          for (i …)
//! for (i …)                                            for (j …) {
//!   for (j …) { k = i * n + j; d = a[k]; … }     →       int k = i * n + j; double d = a[k]; …
//! ```
//!
//! The iterations of the inner loop would share the variables, and nobody would run them side by side. And what a variable
//! stands for is known where its declaration says it.

use super::edits::TextEdit;
use super::flow;
use super::unit::SourceFile;
use crate::ast::{DeclId, ExprKind, Stmt, StmtKind};
use crate::lower::walk;
use std::collections::BTreeMap;

/// Declarations to be made: without values by the places where bodies begin.
#[derive(Default)]
pub struct InnerPrivates {
    places: BTreeMap<u32, BodyDeclarations>,
    /// Assignments that become declarations.
    assignments: Vec<TextEdit>,
}

struct BodyDeclarations {
    end: u32,
    is_block: bool,
    declarations: String,
}

impl InnerPrivates {
    /// Whether the variable is declared in the loop's iterations, or in those of a loop in it, and needs no clause. `joined`: how
    /// many loops are one, between which nothing may stand.
    pub fn declare(&mut self, unit: &SourceFile<'_>, outer: &Stmt, joined: usize, id: DeclId) -> bool {
        let Some(var) = unit.var(id).filter(|var| !var.ty.constant && unit.is_scalar(id)) else {
            return false;
        };
        let Some(start) = body_of_joined(outer, joined) else { return false };
        if !unit.is_scalar(id)
            || counts(unit, outer, id)
            || unit.mentions(start, id) < unit.mentions(outer, id)
        {
            return false;
        }
        let Some(body) = innermost(unit, start, id) else { return false };
        if let Some(at) = first_assignment(unit, body, id) {
            self.assignments.push(TextEdit::insert(at, format!("{} ", var.type_text)));
            return true;
        }
        if std::ptr::eq(body, start) {
            return false;
        }
        let is_block = matches!(body.kind, StmtKind::Compound(_));
        let place = self.places.entry(body.span.start).or_insert_with(|| BodyDeclarations {
            end: body.span.end,
            is_block,
            declarations: String::new(),
        });
        place.declarations += &format!(" {} {};", var.type_text, var.name);
        true
    }

    pub fn edits(self) -> Vec<TextEdit> {
        let mut edits = self.assignments;
        for (start, place) in self.places {
            let BodyDeclarations { end, is_block, declarations } = place;
            if is_block {
                edits.push(TextEdit::insert(start + 1, declarations));
            } else {
                edits.push(TextEdit::insert(start, format!("{{{declarations} ")));
                edits.push(TextEdit::insert(end, " }".into()));
            }
        }
        edits
    }
}

/// The body of the innermost of so many loops.
fn body_of_joined(outer: &Stmt, joined: usize) -> Option<&Stmt> {
    let mut body = loops_in(outer).into_iter().next()?;
    for _ in 1..joined {
        body = loops_in(body).into_iter().next()?;
    }
    Some(body)
}

/// Whether a loop counts with the variable, which it declares by itself where that helps.
fn counts(unit: &SourceFile<'_>, s: &Stmt, id: DeclId) -> bool {
    unit.counter(s).is_some_and(|(counter, _)| counter == id)
        || walk::children(s).into_iter().any(|s| counts(unit, s, id))
}

/// The body, or that of the innermost loop in it, that has the variable to itself.
fn innermost<'s>(unit: &SourceFile<'_>, body: &'s Stmt, id: DeclId) -> Option<&'s Stmt> {
    if matches!(body.kind, StmtKind::Directed { .. }) || flow::exposed(unit, body, id).is_some() {
        return None;
    }
    let all = unit.mentions(body, id);
    let inner = loops_in(body).into_iter().find(|inner| all > 0 && unit.mentions(inner, id) == all);
    inner.and_then(|inner| innermost(unit, inner, id)).or(Some(body))
}

/// Where a block's own statement `v = …;` begins that names the variable before all others.
fn first_assignment(unit: &SourceFile<'_>, body: &Stmt, id: DeclId) -> Option<u32> {
    let StmtKind::Compound(items) = &body.kind else { return None };
    let first = items.iter().find(|item| unit.mentions(item, id) > 0)?;
    let StmtKind::Expr(e) = &first.kind else { return None };
    let ExprKind::Assign { place, .. } = &e.kind else { return None };
    let is_var = matches!(walk::same_place(place).kind, ExprKind::Var(of, _) if of == id);
    (is_var && e.span.start == first.span.start).then_some(first.span.start)
}

/// The bodies of the loops directly in a block.
fn loops_in(s: &Stmt) -> Vec<&Stmt> {
    match &s.kind {
        StmtKind::Compound(items) => items.iter().flat_map(loops_in).collect(),
        StmtKind::For { body, .. } => vec![body],
        _ => vec![],
    }
}
