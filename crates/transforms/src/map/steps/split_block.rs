//! `split_block(64)`: blocks of fewer threads than the directive says, so that launches with few iterations use all
//! multiprocessors.
//!
//! Iterations must exchange nothing, and use their own windows alone.

use super::{Refusal, StepKind, chosen, number, numbered};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use crate::map::{shape, window};
use accl_ir::Module;
use accl_ir::schedule::Step;

const NAME: &str = "split_block";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "split_block(N)",
    summary: "In a kernel with windows: blocks of N threads instead of what the directive says, for launches with few iterations.",
    writes_program: false,
    sets_block: true,
    space,
    cost: |step, cost: &mut Cost| cost.threads = number(step),
    apply,
};

fn space(_: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let kernel = &*draft.kernel;
    window::is_kept(kernel)?;
    let [x, y, z] = draft.block;
    if !shape::one_iteration_a_thread(kernel) || shape::reduces(kernel) || !window::only_reads(kernel) {
        return Err(Refusal::quiet("threads of a block exchange values, or run several iterations"));
    }
    // Two warps are the fewest that still hide some of each other's waiting.
    let least = 2 * draft.options.device.warp;
    let parts: Vec<u32> = [least, 2 * least].into_iter().filter(|n| x > *n && x.is_multiple_of(*n)).collect();
    if parts.is_empty() || y * z != 1 {
        return Err(Refusal::quiet("blocks are not rows of several parts"));
    }
    Ok(numbered(NAME, parts))
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    draft.assume_distinct()?;
    draft.block = [number(&step), 1, 1];
    (draft.known.narrow, draft.known.parts) = (true, true);
    draft.block_at_launch = false;
    draft.requires.int32 = true;
    draft.requires.low_occupancy = true;
    draft.requires.gangs_cover = shape::limits_gangs(&draft.kernel);
    draft.suffix.push_str("_parts");
    draft.done(NAME, step.args);
    Ok(())
}
