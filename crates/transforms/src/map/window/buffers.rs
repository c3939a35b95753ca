//! Double buffering of an array of the block that is read and written in turn.
//!
//! A write that others see waits until all threads have read, and the next read waits until all have written: two
//! barriers in each time step. Where each thread owns one element and writes no other, threads can write to a
//! second buffer instead, which is the one that is read afterwards: one barrier in each time step.
//!
//! ```text
//! while (…) { if (c) value = f(a); barrier; if (c) a[own] = value; barrier; }
//! while (…) { barrier; if (c) last = f(a[now]); if (c | wrote) a[1 - now][own] = last; wrote = c; now = 1 - now; }
//! ```
//!
//! Both buffers begin with what is fetched. A thread that wrote in the last phase and does not write in this one
//! writes its last value once more, so that both buffers agree in what no phase writes.

use super::nest::Nest;
use super::phases::{Phase, Write};
use super::shared_tile::SharedTile;
use crate::build::{Builder, declare, if_then, store};
use accl_ir::rewrite::{self, Subst};
use accl_ir::{BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Stmt, visit};
use std::collections::BTreeSet;

/// The shared tiles whose writes may go to a second buffer.
pub fn candidates(body: &Body, nest: &Nest, tiles: &[SharedTile], phases: &[Phase]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut wrong = BTreeSet::new();
    survey(body, tiles, phases, &mut found, &mut wrong);
    let own = |n: &usize| tiles[*n].at_pivot && tiles[*n].is_one_a_thread(nest);
    found.difference(&wrong).copied().filter(own).collect()
}

/// Shared tiles that are written by phases of their own, and those that other statements write, or parts of their elements.
fn survey(
    body: &Body,
    tiles: &[SharedTile],
    phases: &[Phase],
    found: &mut BTreeSet<usize>,
    wrong: &mut BTreeSet<usize>,
) {
    for phase in phases {
        match phase {
            Phase::Write(w) => {
                found.insert(w.tile);
                if body.exprs[w.place].ty != tiles[w.tile].ty {
                    wrong.insert(w.tile);
                }
            }
            Phase::Each(block) => visit::for_each_place(body, block, &mut |place, access| {
                let root = visit::root_of(body, place);
                let of = tiles.iter().position(|a| root == Some(visit::Root::Local(a.store)));
                if access.writes() || access == accl_ir::Access::Address {
                    wrong.extend(of);
                }
            }),
            Phase::For(..) | Phase::While { .. } | Phase::If { .. } => {}
            Phase::Same(_) | Phase::Barrier | Phase::Fetch(_) | Phase::Clear(_) | Phase::Drain(_) => {}
        }
        for inner in phase.inner() {
            survey(body, tiles, inner, found, wrong);
        }
    }
}

/// The number of barriers in loops, and elsewhere; the former decide.
pub fn barriers(phases: &[Phase]) -> (usize, usize) {
    let all = |phases: &[Phase]| {
        let (looped, once) = barriers(phases);
        looped + once
    };
    let mut count = (0, 0);
    for phase in phases {
        match phase {
            Phase::Barrier => count.1 += 1,
            Phase::For(_, _, inner) => count.0 += all(inner),
            Phase::While { body, step, .. } => count.0 += all(body) + all(step),
            Phase::If { then, otherwise, .. } => {
                let (a, b) = (barriers(then), barriers(otherwise));
                count = (count.0 + a.0 + b.0, count.1 + a.1 + b.1);
            }
            Phase::Each(_)
            | Phase::Write(_)
            | Phase::Same(_)
            | Phase::Fetch(_)
            | Phase::Clear(_)
            | Phase::Drain(_) => {}
        }
    }
    count
}

/// The second buffer of a shared tile.
#[derive(Clone, Copy, Debug)]
pub struct Buffers {
    /// The array of both buffers.
    pub store: Handle<Local>,
    /// Which of the two is read.
    now: Handle<Local>,
    /// What the thread wrote last, and whether it did so in the last phase; `None` where all threads write in every
    /// phase.
    last: Option<(Handle<Local>, Handle<Local>)>,
}

impl Buffers {
    pub fn new(b: &mut Builder<'_>, n: usize, tile: &SharedTile, phases: &[Phase]) -> Buffers {
        let one = &mut b.body.locals[tile.store];
        let (ty, name) = (one.ty, format!("{}_one", one.name));
        let name = std::mem::replace(&mut one.name, name);
        let both = b.types.array(ty, 2);
        let int = b.types.i32();
        let last =
            has_condition(n, phases).then(|| (b.body.temp("last", tile.ty), b.body.temp("wrote", int)));
        Buffers { store: b.body.temp(&name, both), now: b.body.temp("now", int), last }
    }

    fn buffer(&self, b: &mut Builder<'_>, index: Handle<Expr>) -> Handle<Expr> {
        let base = b.place(self.store);
        let ty = b.types.element(b.ty(base)).unwrap_or_else(|| b.ty(base));
        b.expr(ExprKind::Index { base, index }, ty)
    }

    fn other(&self, b: &mut Builder<'_>) -> Handle<Expr> {
        let int = b.types.i32();
        let (one, now) = (b.int(1, int), b.load(self.now));
        b.binary(BinaryOp::Sub, one, now)
    }

    /// Fetches into both buffers, where a phase may leave elements unchanged.
    pub fn fetched(&self, b: &mut Builder<'_>, tile: &SharedTile, mut block: Block) -> Block {
        let Some((_, wrote)) = self.last else { return block };
        let other = self.other(b);
        let other = self.buffer(b, other);
        rewrite::rewrite_block(&mut block, &mut |node| {
            let Stmt::Store { place, .. } = node.kind else { return vec![node] };
            let mut cloner = rewrite::Cloner::new();
            cloner.replace(tile.store, Subst::Place(other));
            let to = cloner.expr_within(b.body, place);
            let value = b.load_place(place);
            vec![node, store(to, value)]
        });
        let int = b.types.i32();
        let (to, zero) = (b.place(wrote), b.int(0, int));
        block.push(store(to, zero));
        block
    }

    /// The write, and the exchange of the buffers.
    pub fn write(&self, b: &mut Builder<'_>, tile: &SharedTile, w: &Write) -> Block {
        let int = b.types.i32();
        let mut place = self.other(b);
        place = self.buffer(b, place);
        for dim in &tile.dims {
            let index = match dim.lane {
                Some(d) => Nest::thread(b, d),
                None => b.int(0, int),
            };
            let ty = b.types.element(b.ty(place)).unwrap_or(tile.ty);
            place = b.expr(ExprKind::Index { base: place, index }, ty);
        }
        let mut block = match self.last {
            None => {
                let mut block = vec![store(place, w.value)];
                block.extend(w.marks.clone());
                block
            }
            Some((last, wrote)) => {
                let writes = b.body.temp("writes", int);
                let cond = w.cond.unwrap_or_else(|| b.int(1, int));
                let (writing, before, kept) = (b.load(writes), b.load(wrote), b.place(last));
                let mut taken = vec![store(kept, w.value)];
                taken.extend(w.marks.clone());
                let either = b.binary(BinaryOp::BitOr, writing, before);
                let value = b.load(last);
                let to = b.place(wrote);
                vec![
                    declare(writes, Some(cond)),
                    if_then(writing, taken),
                    if_then(either, vec![store(place, value)]),
                    store(to, writing),
                ]
            }
        };
        let other = self.other(b);
        let now = b.place(self.now);
        block.push(store(now, other));
        block
    }

    /// `block` with the accesses to the shared tile in the buffer that is read.
    pub fn use_in(&self, b: &mut Builder<'_>, tile: &SharedTile, block: &mut Block) {
        let now = b.load(self.now);
        let current = self.buffer(b, now);
        rewrite::substitute(b.body, block, tile.store, Subst::Place(current));
    }

    /// Initial state: the first buffer is read, and nothing has been written.
    pub fn begin(&self, b: &mut Builder<'_>) -> Block {
        let int = b.types.i32();
        let zero = b.int(0, int);
        let mut block = vec![declare(self.now, Some(zero))];
        if let Some((last, wrote)) = self.last {
            block.extend([declare(last, None), declare(wrote, Some(zero))]);
        }
        block
    }
}

/// Some threads may not take part in a write to shared tile `n`.
fn has_condition(n: usize, phases: &[Phase]) -> bool {
    phases.iter().any(|phase| {
        matches!(phase, Phase::Write(w) if w.tile == n && w.cond.is_some())
            || phase.inner().into_iter().any(|inner| has_condition(n, inner))
    })
}
