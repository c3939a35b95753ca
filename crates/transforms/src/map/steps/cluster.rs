//! `cluster(8)`: so many blocks, a cluster, run an iteration of the gang loop together.
//!
//! A few gangs leave most of a device idle, however many lanes each of them has: a block is on one multiprocessor. The blocks of a
//! cluster are on several, wait for each other, and read each other's shared memory (NVIDIA, sm_90 and later), so their threads
//! are the lanes of one gang.

use super::{Refusal, StepKind, chosen, number, numbered};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use crate::map::shape;
use accl_ir::schedule::Step;
use accl_ir::{CLUSTER, GridRule, Loop, Module, visit};

const NAME: &str = "cluster";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "cluster(N)",
    summary: "N blocks, a cluster, run an iteration of the gang loop together (sm_90 and later).",
    writes_program: false,
    sets_block: false,
    space,
    cost: |step, cost: &mut Cost| cost.blocks = number(step),
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let kernel = &*draft.kernel;
    let gangs = kernel.dims.len() == 1 && kernel.dims[0].rule == GridRule::Gangs;
    // A gang that is alone waits for its lanes once, if a loop that looks for something is all that they share.
    let looks = |l: &&Loop| l.directive.as_ref().is_some_and(|d| !d.searches.is_empty());
    let alone = kernel.dims.is_empty() && visit::top_loops(&kernel.body.block).iter().all(looks);
    if !(gangs || alone) || !shape::has_free_lanes(&module.types, kernel, draft.options) {
        return Err(Refusal::quiet(
            "only gangs of as many lanes as the launch chooses, without workers, have more than a block",
        ));
    }
    if !shape::has_long_loops(&module.types, kernel) {
        return Err(Refusal::quiet("no loop inside is as long as a cluster has lanes"));
    }
    if shape::reduces(kernel) {
        return Err(Refusal::quiet("each block of a kernel that ends in a reduction is a gang"));
    }
    Ok(numbered(NAME, [CLUSTER]))
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    draft.in_clusters = true;
    draft.requires.clusters = true;
    draft.suffix.push_str("_cluster");
    draft.done(NAME, step.args);
    Ok(())
}
