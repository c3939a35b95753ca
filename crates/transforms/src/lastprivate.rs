//! Loop variables that outlive a kernels construct.
//!
//! In a kernels construct a scalar that is written is written back (OpenACC 3.3 §2.6.2); that holds for the variable of a
//! sequential loop too, where the code after the construct reads it:
//!
//! ```text
//! int k_last;
//! for (k_last = 0; k_last < n[0]; k_last++) …
//! k = k_last;
//! ```
//!
//! Variables of loops that have a directive are private. The variable of a loop that the compiler found to be
//! parallel is set after the loop, by a kernel of one gang. The loops that the host runs
//! ([`host_device_partition`](crate::host_device_partition)) are no longer loops of a kernel.

use crate::build::{Builder, declare, store};
use crate::context::Context;
use crate::map::indices;
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{
    Block, Body, Handle, Local, LocalKind, Loop, Module, RegionKind, Stmt, StmtNode, Types, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

pub const PASS: Pass = Pass {
    name: "lastprivate",
    promise: "Loop variables that are read after their loops have their last values.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Reads(cx.options.files), &mut |module, body, region, site| {
        if region.kind == RegionKind::Kernels {
            let mut block = std::mem::take(&mut region.body);
            let own = visit::declared_locals(&block);
            let before = body.locals.len();
            keep(&mut module.types, body, &mut block, &own, &|local| site.is_read_after(local));
            region.body = block;
            if body.locals.len() > before {
                cx.analyses.forget(site.construct);
            }
        }
    });
}

fn keep(
    types: &mut Types,
    body: &mut Body,
    block: &mut Block,
    own: &BTreeSet<Handle<Local>>,
    is_read: &dyn Fn(Handle<Local>) -> bool,
) {
    let mut out = vec![];
    for mut node in std::mem::take(block) {
        let outlives = |l: &Loop| !l.declared_here && !own.contains(&l.var) && is_read(l.var);
        if let Stmt::For(l) = &mut node.kind
            && l.directive.as_ref().is_some_and(|d| d.independent)
        {
            let last = (l.directive.as_ref().is_some_and(|d| d.found) && outlives(l))
                .then(|| set_last(types, body, l));
            out.push(node);
            out.extend(last);
            continue;
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| keep(types, body, inner, own, is_read));
        match node.kind {
            Stmt::For(l) if outlives(&l) => out.extend(with_last(types, body, *l, node.span)),
            kind => out.push(StmtNode { kind, ..node }),
        }
    }
    *block = out;
}

/// The loop counts with a variable of its own; one gang computes `k = lower + trips * step` after it.
fn set_last(types: &mut Types, body: &mut Body, l: &mut Loop) -> StmtNode {
    let mut b = Builder { types, body };
    let place = b.place(l.var);
    let Local { name, ty, .. } = b.body.locals[l.var].clone();
    let own = b.local(&name, ty, LocalKind::Temp);
    substitute(b.body, &mut l.body, l.var, Subst::Local(own));
    (l.var, l.declared_here) = (own, true);
    let trips = indices::trips(&mut b, l);
    let value = indices::offset(&mut b, l, trips);
    store(place, value)
}

fn with_last(types: &mut Types, body: &mut Body, mut l: Loop, span: Span) -> Block {
    let variable = l.var;
    let Local { name, ty, .. } = body.locals[variable].clone();
    let mut b = Builder { types, body };
    let last = b.local(&format!("{name}_last"), ty, LocalKind::Temp);
    substitute(b.body, &mut l.body, variable, Subst::Local(last));
    l.var = last;
    let (place, value) = (b.place(variable), b.load(last));
    vec![declare(last, None), StmtNode { kind: Stmt::For(Box::new(l)), span }, store(place, value)]
}
