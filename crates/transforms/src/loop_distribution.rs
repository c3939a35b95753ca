//! Several loops in a parallel nest, each with a launch of its own (loop distribution; paper 003, section IV-C5).
//!
//! ```text
//! parallel for k, j {                  parallel for k, j, i
//!   for i  a[k][j][i] = …;      becomes    a[k][j][i] = …;
//!   for i  b[k][i][j] = a[k][j][i];    parallel for k, j, i
//! }                                        b[k][i][j] = a[k][j][i];
//! ```
//!
//! Iterations of the nest are independent, so that one loop may be done with all of them before the next one begins. It is done
//! where one of the loops is parallel, too: then each launch spreads its own loops as its accesses ask for, and neighbouring
//! lanes use neighbouring elements in both. Values that an iteration keeps from one loop to the next are in the way.

use crate::context::Context;
use crate::host_device_partition::{is_any_gang_alike, kernels_of};
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_analysis::scalars;
use accl_ir::rewrite::Cloner;
use accl_ir::{Block, Body, Loop, Module, RegionKind, Stmt, StmtNode, visit};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};
use std::collections::BTreeSet;

pub const PASS: Pass = Pass {
    name: "loop_distribution",
    promise: "Loops in a parallel nest of which one is parallel have a launch each.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |_, body, region, site| {
        if region.kind != RegionKind::Parallel || !is_any_gang_alike(region) {
            return;
        }
        let Some(parts) = distributed(body, &region.body) else { return };
        let message =
            format!("The {} loops inside are run one after the other, each for all iterations", parts.len());
        let (id, span) = (remarks::TRANSFORMED, region.directive_span);
        cx.remark(Remark::new(id, RemarkKind::Transform, &site.name, span, message));
        (region.body, region.combined) = (parts, false);
        *region = kernels_of(region);
        cx.analyses.forget_all();
    });
}

/// The nest once for each of the loops in its body.
fn distributed(body: &mut Body, block: &Block) -> Option<Block> {
    let (depth, inner) = parallel_loops(block)?;
    let parallel = |l: &Loop| l.directive.as_ref().is_some_and(|d| d.found && d.independent);
    let mut loops = inner.iter().map(|node| match &node.kind {
        Stmt::For(l) => Some(&**l),
        _ => None,
    });
    let any = loops.try_fold(false, |any, l| Some(any | parallel(l?)))?;
    if inner.len() < 2 || !any || keeps_values(body, inner) {
        return None;
    }
    let mut nest = block.clone();
    let mut parts = vec![];
    for (at, part) in std::mem::take(body_of(&mut nest, depth)?).into_iter().enumerate() {
        *body_of(&mut nest, depth)? = vec![part];
        parts.extend(Cloner::new().block_within(body, &nest));
        number(parts.last_mut(), at as u32 + 1);
    }
    Some(parts)
}

/// Says which part a nest is, so that a file of schedules can name it.
fn number(nest: Option<&mut StmtNode>, part: u32) {
    match nest.map(|node| &mut node.kind) {
        Some(Stmt::For(l)) => l.directive.iter_mut().for_each(|d| d.part = part),
        Some(Stmt::Block(block)) => number(block.last_mut(), part),
        _ => {}
    }
}

/// How many loops the nest has that are parallel by their directives, and the body of the innermost. They have no copies or sums of
/// their own.
fn parallel_loops(block: &Block) -> Option<(usize, &Block)> {
    let (mut depth, mut joined, mut at) = (0, 0, block);
    while let Some(l) = visit::only_loop(at) {
        match &l.directive {
            None if joined > 0 => joined -= 1,
            Some(d) if !d.found && !d.seq && !d.auto && joined == 0 => {
                if !d.private.is_empty()
                    || !d.reductions.is_empty()
                    || !d.tile.is_empty()
                    || d.schedule.is_some()
                {
                    return None;
                }
                joined = d.collapse.max(1) - 1;
            }
            _ => break,
        }
        depth += 1;
        at = &l.body;
    }
    (depth > 0 && joined == 0).then_some((depth, at))
}

/// The body of the loop so many loops deep.
fn body_of(block: &mut Block, depth: usize) -> Option<&mut Block> {
    if depth == 0 {
        return Some(block);
    }
    match block.as_mut_slice() {
        [StmtNode { kind: Stmt::Block(inner), .. }] => body_of(inner, depth),
        [StmtNode { kind: Stmt::For(l), .. }] => body_of(&mut l.body, depth - 1),
        _ => None,
    }
}

/// A value that one of the loops leaves, or an earlier iteration of the nest, is used.
fn keeps_values(body: &Body, loops: &Block) -> bool {
    let one = std::slice::from_ref;
    let written = loops.iter().flat_map(|part| {
        let mut written = visit::written_locals(body, one(part));
        visit::declared_locals(one(part)).iter().for_each(|own| {
            written.remove(own);
        });
        written
    });
    let written: BTreeSet<_> = written.collect();
    written
        .iter()
        .any(|local| loops.iter().any(|part| scalars::flow(body, one(part), *local).exposed.is_some()))
}
