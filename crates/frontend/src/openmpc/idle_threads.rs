//! What threads do that get no iterations, in a region where each thread leaves a value of its own for later.
//!
//! ```text
//! #pragma omp parallel
//! {
//!     double least = limit;
//!     int tid = omp_get_thread_num();
//! #pragma omp for
//!     for (i …) if (a[i] < least) least = a[i];
//!     least_of[tid] = least;
//! }
//! ```
//!
//! The first thread may run all iterations, so the region becomes one of one thread, and the others' parts of the array get what
//! threads without iterations leave there: before the region each of them runs its text without the loops. That changes nothing where
//! this text only sets the thread's own variables and its part of arrays that no loop before it uses otherwise, and does not ask, once
//! threads have waited for each other, for anything that the region changes. What the first thread alone does, or `single`, they leave out.

use super::edits::{self, TextEdit};
use super::unit::SourceFile;
use crate::ast::{BinaryOp, CastKind, DeclId, Expr, ExprKind, Stmt, StmtKind, Storage, Ty};
use crate::lower::walk;
use accl_directives::omp::ast::{Leaf, OmpClauseKind, OmpName};
use std::collections::{BTreeMap, BTreeSet};

/// The variable that has the number of such a thread.
pub const IDLE_THREAD: &str = "accl_idle_thread";

/// What the region's threads do beside its loops.
pub struct IdleThreads<'a> {
    unit: &'a SourceFile<'a>,
    region: &'a Stmt,
    /// Variables that each thread has for itself.
    own: &'a BTreeSet<DeclId>,
    is_number: &'a dyn Fn(&Expr) -> bool,
    /// A call that asks for a thread's number, or for that of all threads.
    is_known_call: &'a dyn Fn(&Expr) -> bool,
    /// The loop does nothing with the array, or accumulates into a thread's part of it alone.
    leaves_parts: &'a dyn Fn(&Stmt, DeclId) -> bool,
    /// Others may have done something that the region's text says before.
    has_waited: bool,
    loops: Vec<&'a Stmt>,
    /// Arrays of which each thread sets its part, with the number of loops before.
    arrays: BTreeMap<DeclId, usize>,
    removed: Vec<TextEdit>,
}

/// The region's text without its loops, for a thread that gets no iterations.
pub fn text(mut threads: IdleThreads<'_>, numbers: &[TextEdit]) -> Option<String> {
    let region = threads.region;
    if !threads.statement(region) || threads.arrays.is_empty() {
        return None;
    }
    let leaves = |(array, before): (&DeclId, &usize)| {
        threads.loops[..*before].iter().all(|l| (threads.leaves_parts)(l, *array))
    };
    if !threads.arrays.iter().all(leaves) {
        return None;
    }
    let mut all = threads.removed;
    let is_left = |edit: &&TextEdit| {
        !all.iter().any(|gone| gone.range.start <= edit.range.start && edit.range.end <= gone.range.end)
    };
    let numbers: Vec<TextEdit> = numbers.iter().filter(is_left).cloned().collect();
    all.extend(numbers);
    Some(edits::apply(threads.unit.buffer, region.span.start as usize..region.span.end as usize, &all))
}

impl<'a> IdleThreads<'a> {
    pub fn new(
        unit: &'a SourceFile<'a>,
        region: &'a Stmt,
        own: &'a BTreeSet<DeclId>,
        is_number: &'a dyn Fn(&Expr) -> bool,
        is_known_call: &'a dyn Fn(&Expr) -> bool,
        leaves_parts: &'a dyn Fn(&Stmt, DeclId) -> bool,
    ) -> IdleThreads<'a> {
        let (loops, arrays, removed) = (vec![], BTreeMap::new(), vec![]);
        IdleThreads {
            unit,
            region,
            own,
            is_number,
            is_known_call,
            leaves_parts,
            has_waited: false,
            loops,
            arrays,
            removed,
        }
    }

    /// Whether a thread without iterations may run it at any time.
    fn statement(&mut self, s: &'a Stmt) -> bool {
        match &s.kind {
            StmtKind::Compound(items) => items.iter().all(|s| self.statement(s)),
            StmtKind::Null => true,
            StmtKind::Decl(vars) => vars.iter().all(|var| {
                let is_plain = !matches!(&*var.ty.ty, Ty::Record(_) | Ty::Reference(_) | Ty::Opaque(_));
                is_plain && var.storage == Storage::Auto && var.init.iter().all(|e| self.reads(e))
            }),
            StmtKind::Expr(e) => self.assignment(e),
            StmtKind::If { cond, otherwise, .. } if self.asks_for_first(cond) => {
                let end = otherwise.as_ref().map_or(s.span.end, |s| s.span.start);
                self.removed.push(TextEdit::replace(s.span.start..end, "; ".into()));
                otherwise.iter().all(|s| self.statement(s))
            }
            StmtKind::If { cond, then, otherwise, .. } => {
                self.reads(cond) && self.statement(then) && otherwise.iter().all(|s| self.statement(s))
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().all(|s| self.statement(s))
                    && cond.iter().all(|e| self.reads(e))
                    && step.iter().all(|e| self.assignment(e))
                    && self.statement(body)
            }
            StmtKind::Directed { directive, body } => {
                let line = &self.unit.lines[*directive];
                let end = body.as_ref().map_or(line.span.end, |body| body.span.end);
                let text = if body.is_some() { ";" } else { "" };
                self.removed.push(TextEdit::replace(line.span.start..end, text.into()));
                self.has_waited = true;
                self.loops.extend(body.as_deref());
                let by_one = matches!(line.leaves(), [Leaf::Masked | Leaf::Single]);
                let is_plain =
                    line.directive.clauses.iter().all(|c| matches!(c.kind, OmpClauseKind::NoEffect));
                line.shares_loop() || by_one && is_plain || matches!(line.directive.name, OmpName::Barrier)
            }
            _ => false,
        }
    }

    fn assignment(&mut self, e: &'a Expr) -> bool {
        let (place, value) = match &e.kind {
            ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } => {
                (place, Some(value))
            }
            ExprKind::Step { operand, .. } => (operand, None),
            _ => return false,
        };
        let is_own = walk::root(place).is_some_and(|id| self.is_own(id));
        let part = if is_own { None } else { self.part(place) };
        if let Some(array) = part {
            self.arrays.insert(array, self.loops.len());
        }
        (is_own || part.is_some() && matches!(e.kind, ExprKind::Assign { .. }))
            && self.reads_of(place)
            && value.into_iter().all(|e| self.reads(e))
    }

    fn asks_for_first(&self, cond: &Expr) -> bool {
        let ExprKind::Binary { op: BinaryOp::Eq, left, right } = &walk::bare(cond).kind else { return false };
        let is_first =
            |number: &Expr, zero: &Expr| (self.is_number)(number) && self.unit.constant(zero) == Some(0);
        is_first(left, right) || is_first(right, left)
    }

    /// The array of which the place is the thread's part.
    fn part(&self, place: &Expr) -> Option<DeclId> {
        let ExprKind::Index { base, index } = &walk::same_place(place).kind else { return None };
        let mut is_numbered = false;
        walk::within(index, &mut |e| is_numbered |= (self.is_number)(e));
        match &walk::bare(base).kind {
            ExprKind::Var(id, _) if is_numbered => Some(*id),
            _ => self.part(walk::bare(base)),
        }
    }

    fn is_own(&self, id: DeclId) -> bool {
        self.own.contains(&id)
            && self.unit.var(id).is_some_and(|var| !matches!(&*var.ty.ty, Ty::Reference(_)))
    }

    /// What stands in a place's subscripts.
    fn reads_of(&self, place: &Expr) -> bool {
        match &walk::same_place(place).kind {
            ExprKind::Index { base, index } => self.reads(index) && self.reads_of(walk::bare(base)),
            ExprKind::Member { base, .. } => self.reads_of(base),
            ExprKind::Var(id, _) => {
                let is_array = self.unit.var(*id).is_some_and(|var| matches!(&*var.ty.ty, Ty::Array { .. }));
                self.is_own(*id) || is_array || !self.unit.changes(self.region, *id)
            }
            _ => false,
        }
    }

    /// The value has no effects, and is the same whenever the thread computes it.
    fn reads(&self, e: &Expr) -> bool {
        let mut good = true;
        walk::within(e, &mut |e| match &e.kind {
            ExprKind::Call { .. } => good &= (self.is_known_call)(e),
            ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Step { .. }
            | ExprKind::Construct { .. }
            | ExprKind::Lambda(_)
            | ExprKind::Unsupported(..) => good = false,
            ExprKind::Cast { kind: CastKind::Load, operand, .. } if self.has_waited => {
                let root = walk::root(operand);
                let is_variable = matches!(walk::same_place(operand).kind, ExprKind::Var(..));
                good &= root.is_some_and(|id| {
                    let stays = is_variable
                        && !self.unit.var(id).is_none_or(|var| matches!(&*var.ty.ty, Ty::Reference(_)))
                        && !self.unit.changes(self.region, id);
                    self.is_own(id) || stays
                });
            }
            _ => {}
        });
        good
    }
}
