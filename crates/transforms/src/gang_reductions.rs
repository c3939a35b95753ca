//! Variables that loops of a construct reduce, and that the construct uses elsewhere, too.
//!
//! A loop's reduction adds to the variable's value before the loop, and the code behind the loop sees the sum:
//!
//! ```text
//! s = a[0];  loop reduction(+:s) …  b[0] = s;
//! ```
//!
//! The kernel of a whole construct returns such a sum to the host at its end, each thread keeping a part of it, so that nothing in
//! between has the variable's value. Where the construct has one gang, the gang therefore has a copy of the variable, which its
//! loops reduce as any variable that is declared there, and gives it back at the end. In a `kernels` construct each statement
//! that one gang runs has such a copy for itself. Several gangs would have to wait for each
//! other: [`host_device_partition`](super::host_device_partition) gives such loops launches of their own, or the construct one gang.

use crate::block_scalars::copy_of;
use crate::build::{declare, store};
use crate::context::Context;
use crate::outline::kernel_fission::{self, is_independent};
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_analysis::scalars;
use accl_ir::rewrite::{Subst, mentions, substitute};
use accl_ir::{
    Block, Body, DataFlags, DataItem, DataKind, DataVar, DefaultData, Handle, Local, Loop, Module, Reduction,
    ReductionOp, Region, RegionKind, Stmt, StmtNode, visit,
};
use accl_source::Span;
use std::collections::BTreeMap;

pub const PASS: Pass = Pass {
    name: "gang_reductions",
    promise: "What loops of a construct with one gang reduce, and the gang uses elsewhere, is a variable of the gang.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        let in_one_gang = match region.kind {
            RegionKind::Serial => true,
            RegionKind::Parallel => region.clauses.ask_for_one_gang(),
            RegionKind::Kernels => {
                let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
                kernel_fission::is_one_kernel(&summary, &region.body)
            }
            RegionKind::Data | RegionKind::HostData | RegionKind::Partitioned | RegionKind::OnHost => false,
        };
        let changed = match region.kind {
            _ if in_one_gang => whole_construct(body, region),
            RegionKind::Kernels => serial_kernels(body, region),
            _ => false,
        };
        if changed {
            cx.analyses.forget(site.construct);
        }
    });
}

fn whole_construct(body: &mut Body, region: &mut Region) -> bool {
    let found = used_elsewhere(body, region, &region.body);
    for of in &found {
        let block = std::mem::take(&mut region.body);
        region.body = with_copy(body, block, of.local);
        copied_by(body, region, of.local);
    }
    !found.is_empty()
}

/// What stands between the parallel loops of a `kernels` construct becomes a kernel of one gang.
fn serial_kernels(body: &mut Body, region: &mut Region) -> bool {
    let mut changed = false;
    let mut block = std::mem::take(kernel_fission::flatten_mut(&mut region.body));
    for kernel in block.chunk_by_mut(|a, b| !is_independent(a) && !is_independent(b)) {
        if kernel.iter().any(is_independent) {
            continue;
        }
        for ReducedAndUsed { local, .. } in used_elsewhere(body, region, kernel) {
            for node in kernel.iter_mut().filter(|node| is_reduced_in(node, local)) {
                let inner = std::mem::replace(&mut node.kind, Stmt::Block(vec![]));
                let whole = vec![StmtNode { kind: inner, ..node.clone() }];
                node.kind = Stmt::Block(with_copy(body, whole, local));
            }
            copied_by(body, region, local);
            changed = true;
        }
    }
    *kernel_fission::flatten_mut(&mut region.body) = block;
    changed
}

fn is_reduced_in(node: &StmtNode, local: Handle<Local>) -> bool {
    let mut found = false;
    visit::for_each_stmt(std::slice::from_ref(node), &mut |node| {
        found |= reductions(node).iter().any(|r| r.local == local);
    });
    found
}

/// A variable from outside a construct that its loops reduce, and that its other code uses.
pub struct ReducedAndUsed {
    pub local: Handle<Local>,
    /// The loop that reduces it.
    pub reduced: Span,
    pub used: Span,
}

/// Those of a part of the construct. Variables of which each gang or iteration has an instance are none of them.
pub fn used_elsewhere(body: &Body, region: &Region, part: &[StmtNode]) -> Vec<ReducedAndUsed> {
    let mut reduced: BTreeMap<Handle<Local>, (Span, ReductionOp)> = BTreeMap::new();
    visit::for_each_stmt(part, &mut |node| {
        for r in reductions(node) {
            reduced.entry(r.local).or_insert((node.span, r.op));
        }
    });
    let clauses = &region.clauses;
    let inner = visit::declared_locals(part);
    let own = |l: &Handle<Local>| {
        let named = clauses.private.iter().chain(&clauses.firstprivate).any(|of| of == l);
        named || inner.contains(l) || clauses.reductions.iter().any(|r| r.local == *l)
    };
    let shared = reduced.into_iter().filter(|(local, _)| !own(local));
    let found = shared.filter_map(|(local, (span, op))| {
        let in_memory = clauses.data.iter().any(|item| item.var == DataVar::Local(local));
        let used = Search { body, local, op, in_memory }.used_in(part)?;
        Some(ReducedAndUsed { local, reduced: span, used })
    });
    found.collect()
}

fn reductions(node: &StmtNode) -> &[Reduction] {
    match &node.kind {
        Stmt::For(l) => l.directive.as_ref().map_or(&[], |d| &d.reductions),
        _ => &[],
    }
}

/// For code that uses a variable outside of the loops that reduce it in one way.
struct Search<'b> {
    body: &'b Body,
    local: Handle<Local>,
    op: ReductionOp,
    /// A data clause names it.
    in_memory: bool,
}

impl Search<'_> {
    fn used_in(&self, block: &[StmtNode]) -> Option<Span> {
        block.iter().find_map(|node| {
            let named = node.kind.operands().iter().any(|(e, _)| mentions(self.body, *e, self.local));
            match &node.kind {
                _ if named => Some(node.span),
                Stmt::For(l) if is_parallel(l) => {
                    (!self.is_reduced_by(node) && self.is_used_by(l)).then_some(node.span)
                }
                _ => node.kind.blocks().into_iter().find_map(|inner| self.used_in(inner)),
            }
        })
    }

    fn is_reduced_by(&self, node: &StmtNode) -> bool {
        reductions(node).iter().any(|r| r.local == self.local && r.op == self.op)
    }

    /// The iterations of the loop use the variable, and not each one of its own, which it sets first.
    fn is_used_by(&self, l: &Loop) -> bool {
        let private = l.directive.as_ref().is_some_and(|d| d.private.contains(&self.local));
        let flow = scalars::flow(self.body, &l.body, self.local);
        let mut reduced_inside = false;
        visit::for_each_stmt(&l.body, &mut |node| reduced_inside |= self.is_reduced_by(node));
        let sets_memory = self.in_memory && flow.maybe_written && !reduced_inside;
        !private && (flow.exposed.is_some() || sets_memory)
    }
}

fn is_parallel(l: &Loop) -> bool {
    l.directive.as_ref().is_some_and(|d| !d.seq)
}

/// Puts a copy in the variable's place, which has its value at the beginning of the block and gives it back at the end.
fn with_copy(body: &mut Body, mut block: Block, local: Handle<Local>) -> Block {
    let copy = copy_of(body, local);
    substitute(body, &mut block, local, Subst::Local(copy));
    let first = body.load_local(local);
    let last = body.load_local(copy);
    let place = body.place(local);
    block.insert(0, declare(copy, Some(first)));
    block.push(store(place, last));
    block
}

/// OpenACC 3.3 §2.9.11: what a loop reduces is copied. OpenMP has such a rule for combined constructs alone.
fn copied_by(body: &Body, region: &mut Region, local: Handle<Local>) {
    let named = region.clauses.data.iter().any(|item| item.var == DataVar::Local(local));
    if !named && region.clauses.default != Some(DefaultData::IfMapped) {
        region.clauses.data.push(copied(&body.locals[local], local));
    }
}

fn copied(of: &Local, local: Handle<Local>) -> DataItem {
    DataItem {
        flags: DataFlags { implicit: true, ..DataFlags::default() },
        ..DataItem::new(
            DataKind::Copy,
            DataVar::Local(local),
            of.name.clone(),
            of.name.clone(),
            of.ty,
            of.span,
        )
    }
}
