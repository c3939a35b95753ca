//! `collapse(force: n)`: loops with statements between them are joined, and each iteration of the innermost loop
//! runs these statements (OpenACC 3.3 §2.9.1 allows that they run so often).
//!
//! The results are the same where the statements only set variables that the inner loop does not change, from
//! values that it does not change, so that setting them again makes no difference. Otherwise the clause is refused.

use super::walk;
use crate::ast::{DeclId, Expr, ExprKind, Stmt as Ast, StmtKind};
use accl_ir::{Block, Stmt};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// The only loop of a list, and the statements around it.
pub fn around_loop(body: &Ast) -> Option<(&Ast, Vec<&Ast>)> {
    let StmtKind::Compound(items) = &body.kind else { return None };
    let is_loop = |s: &&Ast| match &s.kind {
        StmtKind::For { .. } => true,
        StmtKind::Directed { body: Some(body), .. } => matches!(body.kind, StmtKind::For { .. }),
        _ => false,
    };
    let (loops, between): (Vec<&Ast>, Vec<&Ast>) = items.iter().partition(is_loop);
    match loops[..] {
        [inner] => Some((inner, between)),
        _ => None,
    }
}

/// Variables that the statements declare or assign.
pub fn set_between(between: &[&Ast]) -> Vec<DeclId> {
    let mut set = vec![];
    for stmt in between {
        walk::vars(stmt, &mut |var| set.push(var.id));
        walk::each_change(stmt, &mut |id, _| set.push(id));
    }
    set
}

/// Why running the statements again would make a difference.
pub fn check(
    between: &[&Ast],
    inner: &Ast,
    clause: Span,
    pure: &mut dyn FnMut(DeclId) -> bool,
) -> Result<(), Box<Diagnostic>> {
    let inside = Effects::of(inner, pure);
    let each: Vec<Effects> = between.iter().map(|stmt| Effects::of(stmt, pure)).collect();
    // Each run declares them anew.
    let mut declared = vec![];
    between.iter().for_each(|stmt| walk::vars(stmt, &mut |var| declared.push(var.id)));
    for (at, (effects, stmt)) in each.iter().zip(between).enumerate() {
        let why = match effects {
            e if e.calls => "it calls a function that may change something",
            e if e.jumps => "it jumps",
            e if e.meets(&inside) => "it uses what the inner loop changes",
            e if each[at..].iter().any(|later| e.carries(later, &declared)) => {
                "it uses what is set there from before"
            }
            _ => continue,
        };
        let message = "what stands between the loops cannot be run more than once";
        return Err(Box::new(
            Diagnostic::error(codes::NOT_NESTED, message)
                .label(stmt.span, why)
                .label(clause, "joins the loops")
                .with_note("joined loops run it in each iteration of the innermost one (OpenACC 3.3 §2.9.1)")
                .with_help("join the loops below it only, or make it part of the innermost loop"),
        ));
    }
    Ok(())
}

/// The variables and memory that a piece of code uses. Memory is identified by the array or pointer through which
/// it is accessed: the directive promises of its iterations that pointers of different names point to different
/// memory.
#[derive(Default)]
struct Effects {
    read: Vec<DeclId>,
    written: Vec<DeclId>,
    calls: bool,
    jumps: bool,
}

impl Effects {
    fn of(stmt: &Ast, pure: &mut dyn FnMut(DeclId) -> bool) -> Effects {
        let mut effects =
            Effects { calls: walk::writes(stmt, pure).calls, jumps: jumps(stmt), ..Effects::default() };
        let mut set = vec![];
        walk::exprs(stmt, &mut |e: &Expr| match &e.kind {
            ExprKind::Assign { place, .. } => {
                let base = base(place);
                set.push(base.span);
                effects.written.extend(var(base));
            }
            ExprKind::CompoundAssign { place, .. } | ExprKind::Step { operand: place, .. } => {
                effects.written.extend(var(base(place)));
            }
            _ => {}
        });
        walk::each_change(stmt, &mut |id, _| effects.written.push(id));
        // The destination of an assignment is not read; variables in its subscripts are.
        walk::exprs(stmt, &mut |e: &Expr| effects.read.extend(var(e).filter(|_| !set.contains(&e.span))));
        effects
    }

    fn reads(&self, changed: &Effects) -> bool {
        changed.calls || self.read.iter().any(|id| changed.written.contains(id))
    }

    /// The code reads what a later statement, or this one, wrote in the previous run.
    fn carries(&self, later: &Effects, declared: &[DeclId]) -> bool {
        self.read.iter().any(|id| later.written.contains(id) && !declared.contains(id))
    }

    /// The code reads or writes what other code changes.
    fn meets(&self, changed: &Effects) -> bool {
        self.reads(changed) || self.written.iter().any(|id| changed.written.contains(id))
    }
}

/// The variable through which a place is reached.
fn base(place: &Expr) -> &Expr {
    match &place.kind {
        ExprKind::Index { base: inner, .. }
        | ExprKind::Member { base: inner, .. }
        | ExprKind::Deref(inner)
        | ExprKind::Cast { operand: inner, .. } => base(inner),
        _ => place,
    }
}

fn var(e: &Expr) -> Option<DeclId> {
    match e.kind {
        ExprKind::Var(id, _) => Some(id),
        _ => None,
    }
}

fn jumps(stmt: &Ast) -> bool {
    matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Goto)
        || walk::children(stmt).into_iter().any(jumps)
}

/// Moves the statements around the loops that begin at `inner`, outermost first, into the innermost loop.
pub fn sink(block: &mut Block, inner: &[u32]) {
    let Some((start, deeper)) = inner.split_first() else { return };
    if let [one] = block.as_mut_slice()
        && let Stmt::Block(list) = &mut one.kind
    {
        return sink(list, inner);
    }
    let is_it = |kind: &Stmt, at: u32| matches!(kind, Stmt::For(_)) && at == *start;
    let Some(at) = block.iter().position(|n| is_it(&n.kind, n.span.start)) else { return };
    let after = block.split_off(at + 1);
    let Some(mut target) = block.pop() else { return };
    if let Stmt::For(l) = &mut target.kind {
        let body = std::mem::take(&mut l.body);
        l.body = std::mem::take(block).into_iter().chain(body).chain(after).collect();
        sink(&mut l.body, deeper);
    }
    block.push(target);
}
