//! Two buffers for an array of the block that is written in turn.
//!
//! A write that others see waits until all have read, and the next reads until all have written: two barriers a step.
//! Where each thread has one element as its own and writes no other, the threads can write to a second buffer instead,
//! which then is the one that is read: one barrier a step.
//!
//! ```text
//! while (…) { value = f(a); barrier; if (c) a[own] = value; barrier; }
//! while (…) { barrier; value = f(a[now]); a[1 - now][own] = c ? value : a[now][own]; now = 1 - now; }
//! ```
//!
//! A thread whose condition does not hold copies its element, so that the other buffer is whole whatever the steps do.

use super::area::Area;
use super::nest::Nest;
use super::steps::{Step, Write};
use crate::build::{Builder, declare, store};
use accl_ir::rewrite::{self, Subst};
use accl_ir::{BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, StmtNode, visit};
use std::collections::BTreeSet;

/// The areas whose writes may go to a second buffer.
pub fn candidates(body: &Body, nest: &Nest, areas: &[Area], steps: &[Step]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut wrong = BTreeSet::new();
    survey(body, areas, steps, &mut found, &mut wrong);
    let own = |n: &usize| areas[*n].at_pivot && areas[*n].is_one_a_thread(nest);
    found.difference(&wrong).copied().filter(own).collect()
}

/// Areas that are written by steps of their own, and those that other statements write, or parts of their elements.
fn survey(
    body: &Body,
    areas: &[Area],
    steps: &[Step],
    found: &mut BTreeSet<usize>,
    wrong: &mut BTreeSet<usize>,
) {
    for step in steps {
        match step {
            Step::Write(w) => {
                found.insert(w.area);
                if body.exprs[w.place].ty != areas[w.area].ty {
                    wrong.insert(w.area);
                }
            }
            Step::Each(block) => visit::for_each_place(body, block, &mut |place, access| {
                let root = visit::root_of(body, place);
                let of = areas.iter().position(|a| root == Some(visit::Root::Local(a.store)));
                if access.writes() || access == accl_ir::Access::Address {
                    wrong.extend(of);
                }
            }),
            Step::For(_, _, inner) => survey(body, areas, inner, found, wrong),
            Step::While { body: inner, step, .. } => {
                survey(body, areas, inner, found, wrong);
                survey(body, areas, step, found, wrong);
            }
            Step::If { then, otherwise, .. } => {
                survey(body, areas, then, found, wrong);
                survey(body, areas, otherwise, found, wrong);
            }
            Step::Same(_) | Step::Barrier | Step::Fetch(_) | Step::Clear(_) | Step::Drain(_) => {}
        }
    }
}

/// How many barriers stand in loops, and elsewhere: the former are what counts.
pub fn barriers(steps: &[Step]) -> (usize, usize) {
    let all = |steps: &[Step]| {
        let (looped, once) = barriers(steps);
        looped + once
    };
    let mut count = (0, 0);
    for step in steps {
        match step {
            Step::Barrier => count.1 += 1,
            Step::For(_, _, inner) => count.0 += all(inner),
            Step::While { body, step, .. } => count.0 += all(body) + all(step),
            Step::If { then, otherwise, .. } => {
                let (a, b) = (barriers(then), barriers(otherwise));
                count = (count.0 + a.0 + b.0, count.1 + a.1 + b.1);
            }
            Step::Each(_)
            | Step::Write(_)
            | Step::Same(_)
            | Step::Fetch(_)
            | Step::Clear(_)
            | Step::Drain(_) => {}
        }
    }
    count
}

/// The second buffer of an area.
#[derive(Clone, Copy, Debug)]
pub struct Buffers {
    /// Both.
    pub store: Handle<Local>,
    /// Which is read.
    now: Handle<Local>,
}

impl Buffers {
    pub fn new(b: &mut Builder<'_>, area: &Area) -> Buffers {
        let one = &mut b.body.locals[area.store];
        let (ty, name) = (one.ty, format!("{}_one", one.name));
        let name = std::mem::replace(&mut one.name, name);
        let both = b.types.array(ty, 2);
        let int = b.types.i32();
        Buffers { store: b.body.temp(&name, both), now: b.body.temp("now", int) }
    }

    fn buffer(&self, b: &mut Builder<'_>, index: Handle<Expr>) -> Handle<Expr> {
        let base = b.place(self.store);
        let ty = b.types.element(b.ty(base)).unwrap_or_else(|| b.ty(base));
        b.expr(ExprKind::Index { base, index }, ty)
    }

    fn other_index(&self, b: &mut Builder<'_>) -> Handle<Expr> {
        let int = b.types.i32();
        let (one, now) = (b.int(1, int), b.load(self.now));
        b.binary(BinaryOp::Sub, one, now)
    }

    /// The write and the change of buffers.
    pub fn write(&self, b: &mut Builder<'_>, area: &Area, w: &Write) -> Block {
        let own: Vec<Handle<Expr>> = area
            .dims
            .iter()
            .map(|dim| match dim.lane {
                Some(d) => Nest::thread(b, d),
                None => {
                    let int = b.types.i32();
                    b.int(0, int)
                }
            })
            .collect();
        let before = area.at(b, area.store, &own);
        let before = b.load_place(before);
        let value = b.expr(ExprKind::Select { cond: w.cond, yes: w.value, no: before }, area.ty);
        let other = self.other_index(b);
        let mut to = self.buffer(b, other);
        for index in own {
            let ty = b.types.element(b.ty(to)).unwrap_or(area.ty);
            to = b.expr(ExprKind::Index { base: to, index }, ty);
        }
        let mut block = vec![store(to, value)];
        if !w.marks.is_empty() {
            block.push(crate::build::if_then(w.cond, w.marks.clone()));
        }
        let now = b.place(self.now);
        block.push(store(now, other));
        block
    }

    /// `block` with the accesses to the area in the buffer that is read.
    pub fn use_in(&self, b: &mut Builder<'_>, area: &Area, block: &mut Block) {
        let now = b.load(self.now);
        let current = self.buffer(b, now);
        rewrite::substitute(b.body, block, area.store, Subst::Place(current));
    }

    /// Before all: the first buffer is read.
    pub fn begin(&self, b: &mut Builder<'_>) -> StmtNode {
        let int = b.types.i32();
        let zero = b.int(0, int);
        declare(self.now, Some(zero))
    }
}
