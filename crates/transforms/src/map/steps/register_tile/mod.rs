//! `register_tile(j:8, i:8, k:8)`: a product in tiles ([`rewrite`]).
//!
//! A thread keeps the sums of so many iterations of the two distributed loops in registers; a block has so many elements of
//! the loop over `k` at a time in shared memory.

mod emit;
mod plan;
mod rewrite;

use super::{Refusal, StepKind, chosen, number};
use crate::device_model::DeviceModel;
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::{block_mapping, shape};
use accl_analysis::text::source_name;
use accl_ir::schedule::{Arg, Step};
use accl_ir::{Module, SharedDecl};
use plan::TilePlan;

const NAME: &str = "register_tile";
/// Registers of a thread for all that is neither a sum nor an operand.
const ADDRESSES: u32 = 16;

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "register_tile(j:8, i:8, k:8)",
    summary: "A product of two arrays in tiles: sums of 8x8 iterations in the registers of a thread, the operands of 8 \
              iterations of k in shared memory.",
    writes_program: true,
    sets_block: true,
    space,
    cost: |step, cost: &mut Cost| {
        let each = number(step);
        cost.iterations *= each * each;
        cost.registers += each * each + 2 * each;
        cost.loads /= f64::from(rewrite::SIDE * each);
        cost.shared_loads = true;
    },
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let mut draft = draft.fork();
    let plan = plan(module, &mut draft)?;
    Ok(steps(&draft, &plan))
}

fn plan(module: &mut Module, draft: &mut Draft<'_>) -> Result<TilePlan, Refusal> {
    if !draft.options.windows {
        return Err(Refusal::quiet(
            "-gpu=noautofcw switches arrays in shared memory off that nobody asked for",
        ));
    }
    draft.assume_distinct()?;
    draft.keep_elements(module);
    let plan =
        if block_mapping::is_needed(&draft.kernel) { None } else { TilePlan::of(module, &draft.kernel) };
    plan.ok_or_else(|| {
        Refusal::quiet(
            "it is no product: two distributed loops around one that accumulates values of arrays, each of which changes \
             with one of the two",
        )
    })
}

/// Largest tile first: as many sums as leave room for two blocks on a multiprocessor, by registers and shared memory.
fn steps(draft: &Draft<'_>, plan: &TilePlan) -> Vec<Step> {
    let (device, operands) = (draft.options.device, plan.operands.len() as u32);
    let threads = rewrite::SIDE * rewrite::SIDE;
    let fits = |each: &u32| {
        // An operand has its values of this `k`, and half as many of the next.
        let registers = plan.words * (each * each + operands * (each + each / 2)) + ADDRESSES;
        let shared = u64::from(operands * rewrite::DEPTH * rewrite::SIDE * each) * plan.bytes;
        registers <= device.registers / (2 * threads) && shared <= DeviceModel::portable().most_shared / 2
    };
    let sizes = [8, 4].into_iter().filter(fits);
    let name = |l: &accl_ir::Loop| source_name(&draft.kernel.body, l.var);
    let of = |each| {
        let args = [&plan.loops[0], &plan.loops[1]].map(|l| Arg::of(&name(l), each));
        Step::new(NAME, args.into_iter().chain([Arg::of(&name(&plan.k), rewrite::DEPTH)]))
    };
    sizes.map(of).collect()
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let plan = plan(module, draft)?;
    let step = chosen(step, &steps(draft, &plan))?;
    let each = number(&step);
    let (body, shared) = rewrite::body(module, &draft.kernel, &plan, each);
    (draft.requires.high_occupancy, draft.requires.ilp) = (true, true);
    draft.requires.gangs_cover = shape::limits_gangs(&draft.kernel);
    draft.suffix.push_str(&format!("_tile{}", each * rewrite::SIDE));
    draft.block = [rewrite::SIDE, rewrite::SIDE, 1];
    draft.block_at_launch = false;
    let shared = shared.into_iter().map(SharedDecl::from).collect();
    draft.program = Some(Program { body, per_thread: [each, each, 1], shared });
    draft.done(NAME, step.args);
    Ok(())
}
