//! `vectorize(4)`: a thread runs several neighbouring iterations, with 16-byte accesses ([`rewrite`]).

pub mod rewrite;

use super::{Refusal, StepKind, chosen, number, numbered};
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::{block_mapping, shape};
use accl_ir::Module;
use accl_ir::schedule::{Arg, Step};
use rewrite::VectorPlan;

const NAME: &str = "vectorize";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "vectorize(N)",
    summary: "A thread runs N neighbouring iterations of a one-dimensional loop, and reads and writes arrays by 16 bytes.",
    writes_program: true,
    sets_block: false,
    space: |module, draft| {
        let plan = plan(module, draft)?;
        Ok(steps(&plan))
    },
    cost: |step, cost: &mut Cost| {
        let n = number(step);
        cost.iterations *= n;
        cost.registers += 2 * n;
        cost.wide = n;
        cost.loads /= f64::from(n.min(4));
        cost.loads_under_way *= n;
    },
    apply,
};

fn plan(module: &mut Module, draft: &Draft<'_>) -> Result<VectorPlan, Refusal> {
    if !draft.options.coarsen {
        return Err(Refusal::quiet("-gpu=nocoarsen switches 16-byte accesses off"));
    }
    if block_mapping::is_needed(&draft.kernel) {
        return Err(Refusal::quiet("loops inside gangs are not vectorised"));
    }
    rewrite::plan_of(module, &draft.kernel)
}

/// The iterations that fill one access of each array, then twice and four times as many of plain arrays.
fn steps(plan: &VectorPlan) -> Vec<Step> {
    let plain = plan.lanes.iter().all(|lanes| lanes.bits.is_none());
    let more = [1, 2, 4].map(|n| n * plan.width).into_iter();
    numbered(NAME, more.take(if plain && plan.starts_at_zero { 3 } else { 1 }))
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let mut plan = plan(module, draft)?;
    let step = chosen(step, &steps(&plan))?;
    plan.width = number(&step);
    draft.assume_distinct()?;
    draft.requires.align16 = true;
    draft.suffix.push_str("_wide");
    let body = rewrite::body(module, &draft.kernel, &plan);
    let per_thread = [chunks(draft) * plan.width, 1, 1];
    draft.program = Some(Program { body, per_thread, shared: vec![] });
    draft.done(NAME, step.args);
    Ok(())
}

/// Chunks of a thread in a kernel that reduces.
pub fn chunks(draft: &mut Draft<'_>) -> u32 {
    if !shape::reduces(&draft.kernel) {
        return 1;
    }
    let n = draft.grid_stride.unwrap_or(4);
    draft.done("grid_stride", [Arg::from(n)]);
    n
}
