//! Pass 4: which loop runs with which parallelism.
//!
//! A construct whose body is one nest of parallel loops is *distributed*: each of its loops gets a launch
//! dimension, [`LoopLevels::dim`], and an iteration is a thread (or a gang, where loops inside take the lanes). All
//! other parallel loops are mapped inside the kernel, strided by gangs, workers or lanes.
//!
//! Explicit clauses are respected (OpenACC 3.3 §2.9.2 to §2.9.4). What they leave open is decided as users of nvc
//! expect: a bare parallel loop gets gang and vector, two tight ones a two-dimensional launch, a loop around
//! other parallel loops gets gang and those inside vector.

mod choose;
mod given;
pub(crate) mod own_arrays;
mod products;
pub(crate) mod rows;
mod stride;
pub mod tree;

use crate::context::Context;
use crate::map::window::has_fcw;
use crate::map::worker_arrays;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::affine::Atom;
use accl_analysis::data::Summary;
use accl_analysis::text::Scope;
use accl_ir::{Body, Compare, Handle, Local, Loop, LoopLevels, Module, Region, RegionKind, Stmt, visit};
pub(crate) use choose::has_sizes;
use std::collections::BTreeSet;
pub(crate) use stride::{has_neighbours_inside, has_strides_of_launch, loads_pointers, score};
use tree::LoopNode;

pub const PASS: Pass = Pass {
    name: "levels",
    promise: "Each loop of a compute construct says with which parallelism it runs.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        if region.kind == RegionKind::Kernels {
            choose::drop_repeated(&mut region.body, cx);
        }
        given::from_file(region, site, cx);
        of_region(module, body, region, site, cx);
    });
}

/// Gives each loop of one construct its levels.
pub(crate) fn of_region(
    module: &Module,
    body: &Body,
    region: &mut Region,
    site: &Site,
    cx: &mut Context<'_>,
) {
    let mut decided = decide(module, body, region, site, cx);
    given::grid(body, &mut region.body, &mut decided, cx);
    apply(region, &decided);
}

/// The levels of each loop of the construct, in the order of their headers.
fn decide(
    module: &Module,
    body: &Body,
    region: &Region,
    site: &Site,
    cx: &mut Context<'_>,
) -> Vec<LoopLevels> {
    let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
    let mut plan = LevelPlan {
        levels: vec![LoopLevels::default(); summary.accesses.loops.len()],
        summary: &summary,
        region,
        site,
    };
    let roots = tree::of_block(&region.body);
    match region.kind {
        RegionKind::Serial => {}
        RegionKind::Parallel => choose::parallel_construct(&mut plan, &roots, cx),
        RegionKind::Kernels => choose::kernels_construct(&mut plan, &roots, cx),
        RegionKind::Data | RegionKind::HostData | RegionKind::Partitioned | RegionKind::OnHost => {
            unreachable!("compute constructs only")
        }
    }
    plan.levels
}

/// What has been decided so far for one construct.
pub(crate) struct LevelPlan<'a> {
    pub levels: Vec<LoopLevels>,
    pub summary: &'a Summary<'a>,
    pub region: &'a Region,
    pub site: &'a Site,
}

impl LevelPlan<'_> {
    /// The loop's iterations may run in any order: by the programmer's word, or by proof.
    pub fn is_parallel(&self, node: &LoopNode<'_>) -> bool {
        let Some(d) = &node.l.directive else { return false };
        if d.seq {
            return false;
        }
        match self.region.kind {
            RegionKind::Parallel => !d.auto || d.independent,
            RegionKind::Kernels => d.independent,
            RegionKind::Serial
            | RegionKind::Data
            | RegionKind::HostData
            | RegionKind::Partitioned
            | RegionKind::OnHost => false,
        }
    }

    /// The loop is not worth a warp.
    pub fn is_short(&self, l: &Loop) -> bool {
        is_short(self.summary, l)
    }

    /// The host can compute how often the loop runs, before the launch.
    pub fn has_fixed_bounds(&self, l: &Loop) -> bool {
        let polys = self.summary.polys();
        let fixed = |e| polys.poly(e).atoms().all(|a| self.summary.is_fixed(a));
        let directed = l.compare != Compare::Ne || polys.poly(l.step).as_constant().is_some();
        directed && [l.lower, l.bound, l.step].into_iter().all(fixed)
    }
}

/// The loop is known to have fewer iterations than a warp has lanes.
pub(crate) fn is_short(summary: &Summary<'_>, l: &Loop) -> bool {
    trips(summary, l).is_some_and(|n| n < 32)
}

/// The numbers of an iteration of the loop that the threads of its gang have in registers: nothing has their address. Gangs that share windows
/// have none.
pub(crate) fn of_gang(summary: &Summary<'_>, region: &Region, l: &Loop) -> BTreeSet<Handle<Local>> {
    if has_fcw(&region.body) {
        return BTreeSet::new();
    }
    let Scope { module, body } = summary.provenance.scope;
    let addressed = worker_arrays::addressed(body, &region.body);
    let is_number = |local: &Handle<Local>| module.types.is_arithmetic(body.locals[*local].ty);
    let mut own = visit::declared_locals(&l.body);
    own.retain(|local| is_number(local) && !addressed.contains(local));
    own
}

/// How often the loop runs, where its bounds are constants.
fn trips(summary: &Summary<'_>, l: &Loop) -> Option<i128> {
    let polys = summary.polys();
    let value = |e| polys.poly(e).as_constant();
    let (lower, bound, step) = (value(l.lower)?, value(l.bound)?, value(l.step)?);
    Some(crate::outline::trips::count(lower, bound, l.compare, step))
}

/// The loop's length follows from what iterations of the loops around it read or compute.
pub(crate) fn is_irregular(summary: &Summary<'_>, l: &Loop) -> bool {
    let polys = summary.polys();
    let counter = |atom: Atom| summary.accesses.loops.iter().any(|l| Atom::Local(l.var) == atom);
    let differs = |e| polys.poly(e).atoms().any(|atom| !summary.is_fixed(atom) && !counter(atom));
    differs(l.lower) || differs(l.bound)
}

fn apply(region: &mut Region, decided: &[LoopLevels]) {
    let mut next = 0;
    visit::for_each_stmt_mut(&mut region.body, &mut |node| {
        if let Stmt::For(l) = &mut node.kind {
            l.levels = Some(decided[next].clone());
            next += 1;
        }
    });
}
