//! `omp_get_thread_num` and `omp_get_num_threads` in a region that becomes one of one thread.
//!
//! The number of threads is that which the region would have had. A thread's number may be compared with 0 between the loops, for
//! what the first thread alone does, and select what a thread accumulates into for itself:
//!
//! ```text
//! int tid = omp_get_thread_num();
//! #pragma omp for
//! for (i …) counts[tid][of[i]]++;
//! ```
//!
//! Functions that the region calls may compare it with 0, too.
//!
//! The one thread of the region runs all iterations, so all of them accumulate into its part, by atomic operations on the device.
//! That threads without iterations leave their parts alone every program has to allow for. Outside of the loops a thread may set its
//! part of an array (`idle_threads`). Whatever else a region does with
//! a thread's number divides its work by hand, and stays with the host's threads.

use super::WhyNot;
use super::accumulate;
use super::edits::TextEdit;
use super::idle_threads::{self, IDLE_THREAD, IdleThreads};
use super::lines::OmpLine;
use super::scratch::shared_loops;
use super::unit::SourceFile;
use crate::ast::{BinaryOp, DeclId, Expr, ExprKind, Stmt, StmtKind, Storage};
use crate::lower::walk;
use accl_directives::ReductionOp;
use accl_source::Span;
use std::collections::BTreeSet;

const THREAD: &str = "omp_get_thread_num";
const THREADS: &str = "omp_get_num_threads";
/// The variable that has the number of threads.
pub const TEAM: &str = "accl_team";

#[derive(Default)]
pub struct ThreadNumbers {
    /// Where calls begin that are dealt with.
    pub calls: BTreeSet<u32>,
    pub edits: Vec<TextEdit>,
    /// The number of threads is asked for.
    pub asks_for_team: bool,
    /// What the other threads do, which get no iterations.
    pub idle: Option<String>,
    /// Atomic updates stand in loops, before the statements that begin there.
    pub atomic: Vec<u32>,
}

/// `marker`: a line that gives the next one the number of the line at a place.
pub fn thread_numbers(
    unit: &SourceFile<'_>,
    body: &Stmt,
    own: &BTreeSet<DeclId>,
    marker: &dyn Fn(u32) -> String,
) -> Result<ThreadNumbers, WhyNot> {
    let mut survey =
        Survey { unit, own, found: ThreadNumbers::default(), ids: BTreeSet::new(), uses: vec![] };
    walk::exprs(body, &mut |e| survey.team(e));
    survey.kept(body);
    survey.between(body);
    survey.idle(body);
    survey.all_uses(body)?;
    let mut found = survey.found;
    for at in &found.atomic {
        found.edits.push(TextEdit::insert(*at, format!("\n#pragma omp atomic\n{}", marker(*at))));
    }
    Ok(found)
}

/// Where a function asks for its thread's number, if all that it does with it, outside of shared loops, is to compare it with 0.
pub fn compares_with_first(unit: &SourceFile<'_>, body: &Stmt) -> Option<BTreeSet<u32>> {
    let mut own = BTreeSet::new();
    walk::vars(body, &mut |var| own.extend((var.storage == Storage::Auto).then_some(var.id)));
    let found = ThreadNumbers::default();
    let mut survey = Survey { unit, own: &own, found, ids: BTreeSet::new(), uses: vec![] };
    survey.kept(body);
    survey.between(body);
    let understood = survey.all_uses(body).is_ok() && survey.found.atomic.is_empty();
    understood.then_some(survey.found.calls)
}

struct Survey<'a> {
    unit: &'a SourceFile<'a>,
    own: &'a BTreeSet<DeclId>,
    found: ThreadNumbers,
    /// Variables that keep a thread's number.
    ids: BTreeSet<DeclId>,
    /// Where uses that are understood begin.
    uses: Vec<u32>,
}

fn is_call(e: &Expr, name: &str) -> bool {
    matches!(&walk::bare(e).kind, ExprKind::Call { callee, .. } if walk::library_name(callee) == Some(name))
}

impl Survey<'_> {
    fn team(&mut self, e: &Expr) {
        if matches!(e.kind, ExprKind::Call { .. }) && is_call(e, THREADS) {
            self.found.asks_for_team = true;
            self.found.calls.insert(e.span.start);
            self.found.edits.push(TextEdit::replace(e.span.start..e.span.end, TEAM.into()));
        }
    }

    /// `tid = omp_get_thread_num()`, between the loops.
    fn kept(&mut self, s: &Stmt) {
        if self.is_loop(s) {
            return;
        }
        match &s.kind {
            StmtKind::Decl(vars) => {
                for var in vars {
                    if let Some(init) = var.init.as_ref().filter(|init| is_call(init, THREAD)) {
                        self.ids.insert(var.id);
                        self.uses.push(walk::bare(init).span.start);
                    }
                }
            }
            StmtKind::Expr(e) => {
                if let ExprKind::Assign { place, value } = &e.kind
                    && let ExprKind::Var(id, _) = &walk::same_place(place).kind
                    && is_call(value, THREAD)
                    && self.own.contains(id)
                {
                    self.ids.insert(*id);
                    self.uses.extend([place.span.start, walk::bare(value).span.start]);
                }
            }
            _ => {}
        }
        walk::children(s).into_iter().for_each(|s| self.kept(s));
    }

    fn is_loop(&self, s: &Stmt) -> bool {
        matches!(s.kind, StmtKind::Directed { directive, .. } if self.unit.lines[directive].shares_loop())
    }

    fn is_number(&self, e: &Expr) -> bool {
        let e = walk::bare(e);
        is_call(e, THREAD) || matches!(&e.kind, ExprKind::Var(id, _) if self.ids.contains(id))
    }

    /// Comparisons with 0, and what loops do.
    fn between(&mut self, s: &Stmt) {
        if let (true, StmtKind::Directed { body: Some(body), .. }) = (self.is_loop(s), &s.kind) {
            return self.updates(body, body);
        }
        for e in walk::own_exprs(s) {
            walk::within(e, &mut |e| {
                if let ExprKind::Binary { op: BinaryOp::Eq | BinaryOp::Ne, left, right } = &e.kind {
                    for (number, zero) in [(left, right), (right, left)] {
                        if self.is_number(number) && self.unit.constant(zero) == Some(0) {
                            self.uses.push(walk::bare(number).span.start);
                        }
                    }
                }
            });
        }
        walk::children(s).into_iter().for_each(|s| self.between(s));
    }

    /// Statements of a loop that accumulate into a thread's part of an array, where nothing else names the array.
    fn updates(&mut self, all: &Stmt, s: &Stmt) {
        let Some((place, op, _, values)) = accumulate::parts(self.unit, s) else {
            return walk::children(s).into_iter().for_each(|s| self.updates(all, s));
        };
        let StmtKind::Expr(e) = &s.kind else { return };
        let mut numbers = vec![];
        walk::within(place, &mut |e| {
            if self.is_number(e) && !matches!(e.kind, ExprKind::Cast { .. }) {
                numbers.push(e.span.start);
            }
        });
        let Some(array) = array_of(place).filter(|_| !numbers.is_empty()) else { return };
        use ReductionOp::{Add, BitAnd, BitOr, BitXor, Mul};
        let atomic = matches!(op, Add | Mul | BitAnd | BitOr | BitXor);
        let alone = values.iter().all(|e| walk::uses(e, array) == 0);
        if !atomic || !alone || !self.only_updates(all, array) {
            return;
        }
        // `place = place + value` names it twice.
        walk::within(e, &mut |e| {
            if self.is_number(e) && !matches!(e.kind, ExprKind::Cast { .. }) {
                self.uses.push(e.span.start);
                if is_call(e, THREAD) {
                    self.found.edits.push(TextEdit::replace(e.span.start..e.span.end, "0".into()));
                }
            }
        });
        self.found.atomic.push(s.span.start);
    }

    /// Whether all that a loop does with an array of parts is to accumulate into a thread's own.
    fn only_updates(&self, all: &Stmt, array: DeclId) -> bool {
        let mut count = 0;
        self.count_updates(all, array, &mut count);
        let mut in_calls = false;
        self.unit.each_reached(all, &mut |s| {
            in_calls |= !std::ptr::eq(s, all) && self.unit.mentions(s, array) > 0;
        });
        !in_calls && count == self.unit.mentions(all, array)
    }

    fn count_updates(&self, s: &Stmt, array: DeclId, count: &mut usize) {
        if let Some((place, _, mentions, _)) = accumulate::parts(self.unit, s)
            && array_of(place) == Some(array)
        {
            let mut numbered = false;
            walk::within(place, &mut |e| numbered |= self.is_number(e));
            *count += if numbered { mentions } else { 0 };
            return;
        }
        walk::children(s).into_iter().for_each(|s| self.count_updates(s, array, count));
    }

    /// What threads without iterations leave in their parts of arrays, where the region asks them to.
    fn idle(&mut self, body: &Stmt) {
        let (mut calls, mut uses, mut in_loops) = (vec![], vec![], vec![]);
        let mut loops = vec![];
        shared_loops(self.unit, body, &mut loops);
        loops.iter().for_each(|(_, l)| in_loops.push(l.span));
        let outside = |span: Span| !in_loops.iter().any(|l| l.contains(span));
        walk::exprs(body, &mut |e| {
            let is_call = matches!(e.kind, ExprKind::Call { .. });
            if self.is_number(e) && !matches!(e.kind, ExprKind::Cast { .. }) && outside(e.span) {
                uses.push(e.span.start);
                calls
                    .extend(is_call.then(|| TextEdit::replace(e.span.start..e.span.end, IDLE_THREAD.into())));
            } else if is_call && outside(e.span) && self::is_call(e, THREADS) {
                calls.push(TextEdit::replace(e.span.start..e.span.end, TEAM.into()));
            }
        });
        let is_known = |e: &Expr| self::is_call(e, THREAD) || self::is_call(e, THREADS);
        let is_number = |e: &Expr| self.is_number(e);
        let leaves_parts = |l: &Stmt, array: DeclId| self.only_updates(l, array);
        let threads = IdleThreads::new(self.unit, body, self.own, &is_number, &is_known, &leaves_parts);
        if let Some(text) = idle_threads::text(threads, &calls) {
            self.found.idle = Some(text);
            self.found.asks_for_team = true;
            self.uses.extend(uses);
        }
    }

    /// No use is left that is not understood.
    fn all_uses(&mut self, body: &Stmt) -> Result<(), WhyNot> {
        let mut odd: Option<(Span, String)> = None;
        walk::exprs(body, &mut |e| {
            let (call, variable) = match &e.kind {
                ExprKind::Call { .. } => (is_call(e, THREAD), None),
                ExprKind::Var(id, name) => (false, Some(name).filter(|_| self.ids.contains(id))),
                _ => (false, None),
            };
            if (call || variable.is_some()) && !self.uses.contains(&e.span.start) {
                let why = match variable {
                    Some(name) => format!("`{name}`, a thread's number, divides its work"),
                    None => format!("it calls `{THREAD}`"),
                };
                odd.get_or_insert((e.span, why));
            } else if call {
                self.found.calls.insert(e.span.start);
            }
        });
        odd.map_or(Ok(()), |(span, why)| Err(WhyNot::new(span, why)))
    }
}

/// The variable at the begin of a place, through whatever pointers.
fn array_of(place: &Expr) -> Option<DeclId> {
    match &walk::bare(place).kind {
        ExprKind::Var(id, _) => Some(*id),
        ExprKind::Index { base, .. } | ExprKind::Member { base, .. } | ExprKind::Deref(base) => {
            array_of(base)
        }
        _ => None,
    }
}

/// How many threads a region would have.
pub fn team_size(unit: &SourceFile<'_>, line: &OmpLine) -> String {
    use accl_directives::omp::ast::OmpClauseKind::NumThreads;
    let asked = line.directive.clauses.iter().find_map(|clause| match &clause.kind {
        NumThreads(count) => Some(format!("({})", unit.text(count.span))),
        _ => None,
    });
    asked.unwrap_or_else(|| "omp_get_max_threads()".into())
}
