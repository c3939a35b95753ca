//! `stage_shared(8)`: packed arrays are read and written through shared memory ([`rewrite`]).

mod rewrite;

use super::{Refusal, StepKind, chosen, number, numbered, vectorize};
use crate::map::block_mapping;
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use accl_ir::schedule::Step;
use accl_ir::{Module, SharedDecl};

const NAME: &str = "stage_shared";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "stage_shared(N)",
    summary: "A thread runs N neighbouring iterations, whose packed elements a block fetches and stores through shared memory.",
    writes_program: true,
    sets_block: true,
    space: |module, draft| plan(module, draft).map(|plan| numbered(NAME, [plan.coarse.width])),
    cost: |step, cost: &mut Cost| {
        let n = number(step);
        cost.iterations *= n;
        cost.registers += 2 * n;
        cost.from_shared_memory();
    },
    apply,
};

fn plan(module: &mut Module, draft: &Draft<'_>) -> Result<rewrite::StagingPlan, Refusal> {
    if !draft.options.coarsen || block_mapping::is_needed(&draft.kernel) {
        return Err(Refusal::quiet("-gpu=nocoarsen switches it off, and loops inside gangs are not staged"));
    }
    rewrite::plan(module, &draft.kernel, draft.block).ok_or_else(|| {
        Refusal::quiet("no array needs it: it is for packed elements whose accesses do not come out even")
    })
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let plan = plan(module, draft)?;
    let step = chosen(step, &numbered(NAME, [plan.coarse.width]))?;
    draft.assume_distinct()?;
    draft.requires.align16 = true;
    draft.suffix.push_str("_staged");
    let per_thread = [vectorize::chunks(draft) * plan.coarse.width, 1, 1];
    let (body, buffers) = rewrite::body(module, &draft.kernel, &plan);
    draft.block = [plan.threads, 1, 1];
    draft.block_at_launch = false;
    let shared = buffers.into_iter().map(SharedDecl::from).collect();
    draft.program = Some(Program { body, per_thread, shared });
    draft.done(NAME, step.args);
    Ok(())
}
