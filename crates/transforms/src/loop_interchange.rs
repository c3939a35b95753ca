//! A parallel loop inside a sequential one becomes the outer loop, where its iterations stay apart (loop interchange).
//!
//! ```text
//! for (i = 1; i < n; i++)              parallel for (j = 0; j < m; j++)
//!     parallel for (j = 0; j < m; j++)     for (i = 1; i < n; i++)
//!         x[i][j] -= x[i - 1][j];              x[i][j] -= x[i - 1][j];
//! ```
//!
//! As it is written each row is a launch, since the next one needs it. But column j needs column j alone, so one launch does
//! what n did, with as many threads. On the cpu a thread keeps its columns, and waits for no other. So it is with several parallel
//! loops, one tightly inside the other: the sequential one becomes the innermost.
//!
//! Where that holds only if arrays do not overlap, the kernel's fallback runs the loops in their old order ([`turn_back`]).

use crate::context::Context;
use crate::host_device_partition::{is_any_gang_alike, kept_values, kernels_of};
use crate::levels::is_short;
use crate::levels::tree::{self, LoopNode};
use crate::parallelism;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::data::{self, Summary};
use accl_analysis::dependence::{Analysis, Assumptions};
use accl_analysis::scalars;
use accl_analysis::text::source_name;
use accl_ir::{
    Block, Body, LaunchTest, Loop, LoopDirective, Module, Region, RegionKind, Stmt, StmtNode, visit,
};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};
use std::collections::BTreeSet;

pub const PASS: Pass = Pass {
    name: "loop_interchange",
    promise: "A parallel loop that is all of a sequential one, and stays parallel around it, is around it.",
    run,
};

/// Pairs of loops that are tried in a construct: each is analysed anew.
const MOST: usize = 16;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let files = cx.options.files;
    if !cx.options.auto_parallel {
        return;
    }
    regions::each_compute(module, Asks::Reads(files), &mut |module, body, region, site| {
        let parallel = region.kind == RegionKind::Parallel && is_any_gang_alike(region);
        if region.kind != RegionKind::Kernels && !parallel {
            return;
        }
        let mut tried = vec![];
        while tried.len() < MOST
            && let Some(at) = candidate(body, &region.body, &tried)
        {
            tried.push(at);
            if let Some(turned) = interchanged(module, body, region, site, at, cx) {
                *region = turned;
                cx.analyses.forget_all();
                // The loop may leave the next one around it, too.
                tried.clear();
            }
        }
    });
}

/// The last pair of loops, and so the innermost one, that has the form and was not tried: the number of the outer one, since
/// loops that a macro makes may have one place in the source.
fn candidate(body: &Body, block: &Block, tried: &[usize]) -> Option<usize> {
    let mut found = None;
    let roots = tree::of_block(block);
    roots.iter().for_each(|root| search(body, root, tried, &mut found));
    found
}

fn search(body: &Body, node: &LoopNode<'_>, tried: &[usize], found: &mut Option<usize>) {
    if is_parallel(node.l) {
        return;
    }
    if !tried.contains(&node.index) && has_form(body, node) {
        *found = Some(node.index);
    }
    node.children.iter().for_each(|child| search(body, child, tried, found));
}

fn is_parallel(l: &Loop) -> bool {
    l.directive.as_ref().is_some_and(|d| d.independent || !(d.seq || d.auto || d.found))
}

/// A sequential loop around parallel ones that have none inside; each runs as often whatever the sequential one does.
fn has_form(body: &Body, outer: &LoopNode<'_>) -> bool {
    let inner = parallel_inside(outer);
    let Some(last) = inner.last() else { return false };
    let fixed = |l: &Loop, around: &[&LoopNode<'_>]| {
        let mut changed = visit::written_locals(body, &last.l.body);
        changed.extend(around.iter().map(|n| n.l.var));
        [l.lower, l.bound, l.step].into_iter().all(|e| visit::is_fixed(body, e, &changed))
    };
    plain(outer.l.directive.as_ref())
        && !last.any_below(&|below| is_parallel(below.l))
        && fixed(outer.l, &inner)
        && inner.iter().all(|n| plain(n.l.directive.as_ref()) && fixed(n.l, &[outer]))
}

/// The parallel loops tightly inside a sequential one.
fn parallel_inside<'a, 't>(outer: &'t LoopNode<'a>) -> Vec<&'t LoopNode<'a>> {
    let inside = std::iter::successors(outer.tight_child(), |n| n.tight_child());
    inside.take_while(|n| is_parallel(n.l)).collect()
}

/// The directive has nothing of its own but levels.
fn plain(directive: Option<&LoopDirective>) -> bool {
    directive.is_none_or(|d| {
        d.collapse <= 1
            && d.tile.is_empty()
            && d.reductions.is_empty()
            && d.searches.is_empty()
            && d.private.is_empty()
            && d.schedule.is_none()
    })
}

/// The construct with the loop inside of the parallel ones; `None` where iterations of these would meet.
fn interchanged(
    module: &Module,
    body: &Body,
    region: &Region,
    site: &Site,
    at: usize,
    cx: &mut Context<'_>,
) -> Option<Region> {
    let mut turned = match region.kind {
        RegionKind::Kernels => region.clone(),
        _ => kernels_of(region),
    };
    let count = {
        let roots = tree::of_block(&turned.body);
        parallel_inside(roots.iter().find_map(|root| find(root, at))?).len()
    };
    for inner in at..at + count {
        with_loop(&mut turned.body, inner, &mut |node| {
            turn(node);
            directive(node).into_iter().for_each(|d| d.interchanged += 1);
        });
    }
    let summary = data::of_region(module, body, &turned, &site.around);
    if region.kind == RegionKind::Parallel && kept_values(&summary, region, site).is_some() {
        return None;
    }
    let roots = tree::of_block(&turned.body);
    let mut analysis = Analysis::new(&summary);
    let mut assumed = Assumptions::default();
    let parallel: Vec<&LoopNode<'_>> =
        (at..at + count).filter_map(|n| roots.iter().find_map(|root| find(root, n))).collect();
    for n in &parallel {
        // They are turned back together.
        if let Some(d) = &n.l.directive {
            assumed.distinct |= d.assumes_distinct;
            assumed.rows = assumed.rows.max(d.assumes_rows);
            LaunchTest::join(&mut assumed.strides, d.assumes_strides.clone());
        }
        let verdict = parallelism::verdict(&summary, &mut analysis, &turned, site, n, &BTreeSet::new());
        if !verdict.is_parallel() {
            let on = parallelism::may_assume(&verdict, &turned.body, cx.options)?;
            assumed.distinct |= on.distinct;
            assumed.rows = assumed.rows.max(on.rows);
            LaunchTest::join(&mut assumed.strides, on.strides);
        }
        if !verdict.reductions.is_empty() || is_read_later(&summary, &turned, site, n.l) {
            return None;
        }
    }
    if parallel.iter().all(|n| is_short(&summary, n.l)) {
        return None;
    }
    let names: Vec<String> = parallel.iter().map(|n| source_name(body, n.l.var)).collect();
    let message = format!(
        "Loops interchanged: one launch runs the loop over {} in each iteration of {} over {}",
        source_name(body, visit::only_loop(&parallel.last()?.l.body)?.var),
        if names.len() == 1 { "the one" } else { "those" },
        names.join(" and ")
    );
    let span = parallel.first()?.span;
    cx.remark(Remark::new(remarks::TRANSFORMED, RemarkKind::Transform, &site.name, span, message));
    for n in at..at + count {
        with_loop(&mut turned.body, n, &mut |node| {
            if let Some(d) = directive(node) {
                d.independent = true;
                d.assumes_distinct |= assumed.distinct;
                d.assumes_rows = d.assumes_rows.max(assumed.rows);
                LaunchTest::join(&mut d.assumes_strides, assumed.strides.clone());
            }
        });
    }
    Some(turned)
}

/// The value that the loop leaves in its variable may be read after it.
pub(crate) fn is_read_later(summary: &Summary<'_>, region: &Region, site: &Site, l: &Loop) -> bool {
    let later = scalars::flows_after(summary.provenance.scope.body, &region.body, l);
    let outside = !summary.provenance.is_inner(l.var);
    later.of(l.var).exposed.is_some() || outside && site.is_read_after(l.var)
}

fn find<'t, 'a>(node: &'t LoopNode<'a>, at: usize) -> Option<&'t LoopNode<'a>> {
    if node.index == at { Some(node) } else { node.children.iter().find_map(|child| find(child, at)) }
}

/// Calls `f` on loop number `at` of the block, as [`tree::of_block`] counts them.
fn with_loop(block: &mut Block, at: usize, f: &mut dyn FnMut(&mut StmtNode)) {
    let mut next = 0;
    visit::for_each_stmt_mut(block, &mut |node| {
        if matches!(node.kind, Stmt::For(_)) {
            if next == at {
                f(node);
            }
            next += 1;
        }
    });
}

fn directive(node: &mut StmtNode) -> Option<&mut LoopDirective> {
    match &mut node.kind {
        Stmt::For(l) => l.directive.as_mut(),
        _ => None,
    }
}

/// Interchanges the loop with the one that is all of its body. Each statement keeps its place in the source.
fn turn(node: &mut StmtNode) {
    let Stmt::For(outer) = &mut node.kind else { return };
    let Some(mut inner) = take_only(&mut outer.body) else { return };
    let Stmt::For(l) = &mut inner.kind else { return };
    std::mem::swap(outer, l);
    l.body = std::mem::take(&mut outer.body);
    outer.body = vec![inner];
}

pub(crate) fn take_only(block: &mut Block) -> Option<StmtNode> {
    let one = block.pop()?;
    match one.kind {
        Stmt::Block(mut inner) => take_only(&mut inner),
        _ => Some(one),
    }
}

/// The loops in the order of the program, where this pass has interchanged them and that fails. Of several that a loop was moved into the
/// innermost one is turned back first.
pub fn turn_back(block: &mut Block, fails: &dyn Fn(&LoopDirective) -> bool) {
    for node in block {
        node.kind.blocks_mut().into_iter().for_each(|inner| turn_back(inner, fails));
        let mut next = Some(node);
        while let Some(node) = next {
            next = None;
            if let Some(d) = directive(node).filter(|d| d.interchanged > 0 && fails(d)) {
                d.interchanged -= 1;
                turn(node);
                next = only_inner(node);
            }
        }
    }
}

fn only_inner(node: &mut StmtNode) -> Option<&mut StmtNode> {
    let mut block = match &mut node.kind {
        Stmt::For(l) => &mut l.body,
        _ => return None,
    };
    loop {
        let only = block.first_mut()?;
        match only.kind {
            Stmt::Block(_) => {
                let Stmt::Block(inner) = &mut only.kind else { return None };
                block = inner;
            }
            _ => return Some(only),
        }
    }
}
