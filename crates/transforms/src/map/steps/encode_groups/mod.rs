//! `encode_groups(4)`: block arrays are written by whole groups of 32 elements.
//!
//! With 32 iterations a thread has a group to itself ([`vectorize`](super::vectorize)); with fewer the threads of a group tell each
//! other the largest magnitude through shared memory ([`cooperative`]).

mod cooperative;

use super::vectorize::rewrite::{self, GROUP, VectorPlan};
use super::{Refusal, StepKind, chosen, number, numbered, vectorize};
use crate::compress::block;
use crate::map::block_mapping;
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use accl_ir::schedule::Step;
use accl_ir::{Module, SharedDecl};

const NAME: &str = "encode_groups";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "encode_groups(N)",
    summary: "Block arrays are written by whole groups of 32 elements, N of them a thread.",
    writes_program: true,
    sets_block: false,
    space: |module, draft| plans(module, draft).map(|all| numbered(NAME, all.iter().map(|p| p.width))),
    cost: |step, cost: &mut Cost| {
        let n = number(step);
        cost.iterations *= n;
        cost.registers += 2 * n;
    },
    apply,
};

/// Threads that share a group, where they can; else threads with a group each.
fn plans(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<VectorPlan>, Refusal> {
    let kernel = &*draft.kernel;
    if block::written(&module.types, kernel).is_empty()
        || !draft.options.coarsen
        || block_mapping::is_needed(kernel)
    {
        return Err(Refusal::quiet("it is for loops over the own elements of block arrays that they write"));
    }
    let mut all = vec![];
    if draft.block[1] * draft.block[2] == 1 {
        all.extend(cooperative::plan(module, kernel, draft.block[0]));
    }
    let alone = rewrite::plan_of(module, kernel).ok().filter(|plan| plan.width.is_multiple_of(GROUP));
    all.extend(alone);
    match all.is_empty() {
        true => {
            Err(Refusal::quiet("the loop does more than to write the block arrays' own elements in turn"))
        }
        false => Ok(all),
    }
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let all = plans(module, draft)?;
    let steps = numbered(NAME, all.iter().map(|plan| plan.width));
    let step = chosen(step, &steps)?;
    let width = number(&step);
    let plan =
        all.into_iter().find(|plan| plan.width == width).ok_or_else(|| Refusal::quiet("no such plan"))?;
    let kernel = &*draft.kernel;
    let (body, shared) = match width < GROUP {
        true => cooperative::body(module, kernel, draft.block[0], &plan),
        false => (rewrite::body(module, kernel, &plan), vec![]),
    };
    draft.assume_distinct()?;
    (draft.requires.align16, draft.requires.whole_groups) = (true, true);
    draft.suffix.push_str("_groups");
    let shared = shared.into_iter().map(SharedDecl::from).collect();
    let per_thread = [vectorize::chunks(draft) * width, 1, 1];
    draft.program = Some(Program { body, per_thread, shared });
    draft.done(NAME, step.args);
    Ok(())
}
