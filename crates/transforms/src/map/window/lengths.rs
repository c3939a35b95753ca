//! Loops of a known length count from 0.
//!
//! `for (j = first; j < first + 256; j++)` over a window that begins at `first` becomes a loop from 0 to 256 over
//! its elements. Compilers then see the length and the alignment of the accesses, unroll the loop without a
//! remainder, and read several elements of a window at once.

use super::super::indices;
use super::WindowPlan;
use super::phases::Phase;
use crate::build::Builder;
use accl_ir::rewrite::{self, Subst};
use accl_ir::{Block, Compare, Expr, Handle, Loop, Stmt};

/// Longer loops are left alone.
const MOST: i128 = 4096;

pub fn count_from_zero(b: &mut Builder<'_>, plan: &WindowPlan, phases: &mut [Phase]) {
    for phase in phases {
        if let Phase::Each(block) = phase {
            in_block(b, plan, block);
        }
        for inner in phase.inner_mut() {
            count_from_zero(b, plan, inner);
        }
    }
}

fn in_block(b: &mut Builder<'_>, plan: &WindowPlan, block: &mut Block) {
    for node in block {
        node.kind.blocks_mut().into_iter().for_each(|inner| in_block(b, plan, inner));
        if let Stmt::For(l) = &mut node.kind
            && let Some(trips) = trips(b, plan, l)
        {
            **l = from_zero(b, l, trips);
        }
    }
}

fn trips(b: &Builder<'_>, plan: &WindowPlan, l: &Loop) -> Option<i128> {
    let up = l.compare == Compare::Lt && b.as_int(l.step) == Some(1) && l.declared_here;
    let moved = b.as_int(l.lower).is_none();
    let trips = plan.prover(b).distance(l.lower, l.bound)?;
    (up && moved && (2..=MOST).contains(&trips)).then_some(trips)
}

fn from_zero(b: &mut Builder<'_>, l: &Loop, trips: i128) -> Loop {
    let (name, ty) = (b.body.locals[l.var].name.clone(), b.body.locals[l.var].ty);
    let counter = b.body.temp(&name, ty);
    let at = b.load(counter);
    let value: Handle<Expr> = b.add(l.lower, at);
    let mut body = l.body.clone();
    rewrite::substitute(b.body, &mut body, l.var, Subst::Value(value));
    let (lower, bound) = (b.int(0, ty), b.int(trips, ty));
    Loop { var: counter, lower, bound, body, directive: None, ..indices::shell(l) }
}
