//! Where a block's threads must meet.
//!
//! Between two barriers threads run in any order. A barrier goes before each step that touches a block's copy in a way
//! that conflicts with what has been touched since the last one. So of the two barriers around each write that the
//! extension's definition speaks of (paper 004, §4.2), those stay that something depends on.

use super::area::{Area, Written};
use super::steps::Step;
use accl_ir::{Body, Handle, Local, StmtNode, visit};
use std::collections::BTreeMap;

/// What has been done to one array of the block since the last barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Touched {
    /// By threads for themselves.
    read: bool,
    written: bool,
    /// By all threads together, each a part that is not its own.
    copied_from: bool,
    copied_to: bool,
}

impl Touched {
    fn or(self, o: Touched) -> Touched {
        Touched {
            read: self.read || o.read,
            written: self.written || o.written,
            copied_from: self.copied_from || o.copied_from,
            copied_to: self.copied_to || o.copied_to,
        }
    }

    /// `own`: elements belong to threads, or the user's barriers keep them apart.
    fn conflicts(self, next: Touched, own: bool) -> bool {
        let together = self.copied_to && (next.read || next.written || next.copied_from)
            || next.copied_to && (self.read || self.written || self.copied_from || self.copied_to)
            || self.copied_from && next.written
            || next.copied_from && self.written;
        together || !own && (self.written && (next.read || next.written) || next.written && self.read)
    }
}

type Pending = BTreeMap<Handle<Local>, Touched>;

/// Puts the barriers into `steps`.
pub fn insert(body: &Body, areas: &[Area], explicit: bool, steps: Vec<Step>) -> Vec<Step> {
    let stores: BTreeMap<_, _> = areas
        .iter()
        .flat_map(|a| {
            let own = explicit || a.own;
            let marks = match a.written {
                Some(Written::Marks(m)) => Some((m, own)),
                Some(Written::Pivot(_)) | None => None,
            };
            std::iter::once((a.store, own)).chain(marks)
        })
        .collect();
    let placing = Placing { body, areas, stores };
    placing.steps(steps, &mut Pending::new())
}

struct Placing<'a> {
    body: &'a Body,
    areas: &'a [Area],
    /// The block's arrays, and whether accesses of single threads to them never conflict.
    stores: BTreeMap<Handle<Local>, bool>,
}

impl Placing<'_> {
    fn steps(&self, steps: Vec<Step>, pending: &mut Pending) -> Vec<Step> {
        let mut out = vec![];
        for step in steps {
            match step {
                Step::Barrier => {
                    pending.clear();
                    out.push(Step::Barrier);
                }
                Step::For(l, span, body) => {
                    let before = pending.clone();
                    let body = self.looped(body, pending);
                    join(pending, &before);
                    out.push(Step::For(l, span, body));
                }
                Step::While { cond, body, step, test_last, span } => {
                    let before = pending.clone();
                    let body = self.looped(body, pending);
                    let step = self.steps(step, pending);
                    join(pending, &before);
                    out.push(Step::While { cond, body, step, test_last, span });
                }
                Step::If { cond, then, otherwise } => {
                    let mut other = pending.clone();
                    let then = self.steps(then, pending);
                    let otherwise = self.steps(otherwise, &mut other);
                    join(pending, &other);
                    out.push(Step::If { cond, then, otherwise });
                }
                Step::Each(block) => {
                    if block.is_empty() {
                        continue;
                    }
                    self.before(&self.touches(&block), pending, &mut out);
                    out.push(Step::Each(block));
                }
                Step::Same(_) => out.push(step),
                Step::Fetch(n) => {
                    let all = self.copy(n, true, false);
                    self.before(&all, pending, &mut out);
                    out.push(step);
                }
                Step::Clear(n) => {
                    let all = self.marks(n, true);
                    self.before(&all, pending, &mut out);
                    out.push(step);
                }
                Step::Drain(n) => {
                    let mut all = self.copy(n, false, true);
                    all.extend(self.marks(n, false));
                    self.before(&all, pending, &mut out);
                    out.push(step);
                }
            }
        }
        out
    }

    /// What is pending at the end of an iteration is so at the start of the next.
    fn looped(&self, body: Vec<Step>, pending: &mut Pending) -> Vec<Step> {
        let mut end = pending.clone();
        self.steps(body.clone(), &mut end);
        join(pending, &end);
        let mut start = pending.clone();
        let body = self.steps(body, &mut start);
        join(pending, &start);
        *pending = start;
        body
    }

    fn before(&self, next: &Pending, pending: &mut Pending, out: &mut Vec<Step>) {
        let conflicts = next.iter().any(|(l, next)| {
            let own = self.stores.get(l).copied().unwrap_or(false);
            pending.get(l).is_some_and(|before| before.conflicts(*next, own))
        });
        if conflicts {
            out.push(Step::Barrier);
            pending.clear();
        }
        join(pending, next);
    }

    fn copy(&self, n: usize, to: bool, from: bool) -> Pending {
        let touched = Touched { copied_to: to, copied_from: from, ..Touched::default() };
        Pending::from([(self.areas[n].store, touched)])
    }

    fn marks(&self, n: usize, to: bool) -> Pending {
        match self.areas[n].written {
            Some(Written::Marks(m)) => {
                Pending::from([(m, Touched { copied_to: to, copied_from: !to, ..Touched::default() })])
            }
            Some(Written::Pivot(_)) | None => Pending::new(),
        }
    }

    fn touches(&self, block: &[StmtNode]) -> Pending {
        let mut found = Pending::new();
        let block = block.to_vec();
        visit::for_each_place(self.body, &block, &mut |place, access| {
            let Some(visit::Root::Local(l)) = visit::root_of(self.body, place) else { return };
            if self.stores.contains_key(&l) {
                let all = access == accl_ir::Access::Address;
                let touched = Touched {
                    read: all || access.reads(),
                    written: all || access.writes(),
                    ..Touched::default()
                };
                let slot = found.entry(l).or_default();
                *slot = slot.or(touched);
            }
        });
        found
    }
}

fn join(pending: &mut Pending, other: &Pending) {
    for (l, touched) in other {
        let slot = pending.entry(*l).or_default();
        *slot = slot.or(*touched);
    }
}
