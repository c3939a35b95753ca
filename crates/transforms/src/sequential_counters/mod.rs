//! Sequential loops of a kernel count with variables of their own.
//!
//! Older C declares its counters at the top of a function:
//!
//! ```text
//! for (k = 0; k < n; k++) …      →      for (int k_2 = 0; k_2 < n; k_2++) …
//! last = k;                             k = 0 + (n > 0 ? n : 0); last = k;
//! ```
//!
//! A variable that outlives its loop keeps mapping from running iterations side by side. So each sequential loop declares
//! its counter, and only where the old variable is read before something else writes it ([`live`]) it is assigned after
//! the loop. There a loop keeps its variable whose last value does not follow from its header: one that `break` leaves, or
//! whose bounds change while it runs.

mod live;

use crate::build::{Builder, store};
use crate::context::Context;
use crate::map::indices;
use crate::pass::Pass;
use crate::private_loop_variables::own;
use accl_ir::rewrite::{mentions, rewrite_block};
use accl_ir::{
    Access, Block, Body, Compare, Handle, Kernel, Local, Loop, LoopLevels, Module, ParamKind, Stmt, StmtNode,
    TypeKind, Types, visit,
};
use live::{Jumps, Live, Locals};
use std::collections::BTreeMap;

pub const PASS: Pass = Pass {
    name: "sequential_counters",
    promise: "Sequential loops of kernels declare their counters, but for those that `break` leaves and whose counter is \
              read then.",
    run,
};

fn run(module: &mut Module, _: &mut Context<'_>) {
    for h in module.kernels.handles().collect::<Vec<_>>() {
        let counters = candidates(&module.kernels[h]);
        if counters.is_empty() {
            continue;
        }
        let body = &mut module.kernels[h].body;
        let mut block = std::mem::take(&mut body.block);
        let mut pass = Counters { types: &mut module.types, body, counters: &counters };
        pass.block(&mut block, Locals::new(), &Jumps::default());
        undeclare(body, &mut block, &counters);
        body.block = block;
    }
}

/// Counters that sequential loops do not declare, of which nobody takes the address.
fn candidates(kernel: &Kernel) -> Locals {
    let (mut found, block) = (Locals::new(), &kernel.body.block);
    visit::for_each_stmt(block, &mut |node| match &node.kind {
        Stmt::For(l) if is_candidate(l) => _ = found.insert(l.var),
        _ => {}
    });
    if found.is_empty() {
        return found;
    }
    for p in kernel.params.iter().filter(|p| !matches!(p.kind, ParamKind::Value { .. })) {
        found.remove(&p.local);
    }
    visit::for_each_local(&kernel.body, block, &mut |l, access| {
        if access == Access::Address {
            found.remove(&l);
        }
    });
    found
}

/// Runs in order, or in a way that the compiler found: nobody said that its variable is private.
fn is_candidate(l: &Loop) -> bool {
    let found = l.directive.as_ref().is_some_and(|d| d.found);
    let inside = |levels: &LoopLevels| levels.is_seq() || found && levels.dim.is_none();
    !l.declared_here && l.levels.as_ref().is_none_or(inside)
}

/// Takes away the declarations of counters that nothing uses any more.
fn undeclare(body: &Body, block: &mut Block, counters: &Locals) {
    let mut named: BTreeMap<Handle<Local>, usize> = BTreeMap::new();
    visit::for_each_local(body, block, &mut |l, _| *named.entry(l).or_default() += 1);
    rewrite_block(block, &mut |node| match node.kind {
        Stmt::Declare { local, init: None } if counters.contains(&local) && named[&local] == 1 => vec![],
        _ => vec![node],
    });
}

struct Counters<'a> {
    types: &'a mut Types,
    body: &'a mut Body,
    counters: &'a Locals,
}

impl Counters<'_> {
    /// Rewrites a block, after which the variables `after` are read.
    fn block(&mut self, block: &mut Block, mut after: Locals, jumps: &Jumps) {
        for mut node in std::mem::take(block).into_iter().rev() {
            let live = Live { body: self.body, counters: self.counters };
            let before = live.before_stmt(&node, after.clone(), jumps);
            let (ends, jumps) = live.inside(&node, &after, jumps);
            for nested in node.kind.blocks_mut() {
                self.block(nested, ends.clone(), &jumps);
            }
            if let Stmt::For(l) = &mut node.kind
                && is_candidate(l)
            {
                block.extend(self.separate(l, after.contains(&l.var)));
            }
            block.push(node);
            after = before;
        }
        block.reverse();
    }

    /// Gives the loop a counter of its own, where that is possible; `read`: the variable is read after the loop. Returns
    /// the assignment that has to follow the loop.
    fn separate(&mut self, l: &mut Loop, read: bool) -> Option<StmtNode> {
        let variable = l.var;
        let changed = visit::written_locals(self.body, &l.body).contains(&variable);
        let named = [l.bound, l.step].into_iter().any(|e| mentions(self.body, e, variable));
        if !self.counters.contains(&variable) || changed || named || read && !self.last_follows(l) {
            // Threads that share the iterations would not know the last value.
            if l.levels.as_ref().is_some_and(|levels| !levels.is_seq()) {
                (l.levels, l.directive) = (Some(LoopLevels::default()), None);
            }
            return None;
        }
        own(self.body, l);
        if !read {
            return None;
        }
        let mut b = Builder { types: self.types, body: self.body };
        let ty = b.body.locals[variable].ty;
        let value = match l.compare {
            // A loop like this ends nowhere else.
            Compare::Ne => b.cast(l.bound, ty),
            Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge => {
                let header = Loop { lower: b.cast(l.lower, ty), ..indices::shell(l) };
                let trips = indices::trips(&mut b, &header);
                indices::offset(&mut b, &header, trips)
            }
        };
        let place = b.place(variable);
        Some(store(place, value))
    }

    /// The last value follows from the header: that gives the same after the loop as before, and nothing leaves the loop.
    fn last_follows(&self, l: &Loop) -> bool {
        let written = visit::written_locals(self.body, &l.body);
        let mut fixed = self.body.const_int(self.types, l.step).is_some_and(|step| step != 0);
        fixed &= !l.body.iter().any(|node| breaks(&node.kind));
        // The variable itself may be where the loop starts.
        fixed &= [l.lower, l.bound].into_iter().all(|e| visit::is_fixed(self.body, e, &written));
        fixed && self.compares_as_integers(l)
    }

    /// The comparison converts neither side to another value, and differences fit 64 bits.
    fn compares_as_integers(&self, l: &Loop) -> bool {
        let of = |ty| match *self.types.kind(ty) {
            TypeKind::Int { bits, signed } => Some((bits, signed)),
            _ => None,
        };
        let Some((bits, signed)) = of(self.body.locals[l.var].ty) else { return false };
        let Some((bound_bits, bound_signed)) = of(self.body.exprs[l.bound].ty) else { return false };
        let same = (bits, signed) == (bound_bits, bound_signed);
        bits <= 32 && bound_bits <= 32 && (same || bound_signed && (signed || bits < bound_bits))
    }
}

/// A `break` in it leaves the loop around it.
fn breaks(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Break => true,
        Stmt::For(_) | Stmt::While { .. } | Stmt::Switch { .. } => false,
        other => other.blocks().into_iter().flatten().any(|node| breaks(&node.kind)),
    }
}
