//! `register_tile(j:8, i:8, k:16)`: a product in tiles ([`tile`]).
//!
//! A thread keeps the sums of so many iterations of the two distributed loops in registers; a block has so many elements of
//! the loop over `k` at a time in shared memory. `tensor_tile` is the same with matrices that warps multiply.

mod emit;
mod fetch;
mod multiply;
mod plan;
mod tile;

use super::{Refusal, StepKind, chosen};
use crate::device_model::DeviceModel;
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::{block_mapping, shape};
use accl_analysis::text::source_name;
use accl_ir::schedule::{Arg, Step, Value};
use accl_ir::{Module, SharedDecl};
use plan::TilePlan;
use tile::Tile;

const NAME: &str = "register_tile";
const TENSOR_NAME: &str = "tensor_tile";
/// Registers of a thread for all that is neither a sum nor an operand.
const ADDRESSES: u32 = 16;

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "register_tile(j:8, i:8, k:16)",
    summary: "A product of two arrays in tiles: sums of 8x8 iterations in the registers of a thread, the operands of 16 \
              iterations of k in shared memory.",
    writes_program: true,
    sets_block: true,
    space,
    cost,
    apply: |module, draft, step| {
        let plan = plan(module, draft)?;
        let tiles = all_tiles(draft, &plan);
        take(module, draft, step, NAME, &plan, &tiles)
    },
};

pub const TENSOR_STEP: StepKind = StepKind {
    name: TENSOR_NAME,
    usage: "tensor_tile(j:8, i:4, k:8)",
    summary: "A product of two arrays of doubles in tiles, as register_tile, whose warps multiply matrices on tensor units.",
    writes_program: true,
    sets_block: true,
    space: |module, draft| {
        let mut draft = draft.fork();
        let plan = tensor_plan(module, &mut draft)?;
        Ok(steps(&draft, TENSOR_NAME, &plan, &[Tile::of_warps(plan.bytes)]))
    },
    cost,
    apply: |module, draft, step| {
        let plan = tensor_plan(module, draft)?;
        draft.requires.tensor_f64 = true;
        draft.suffix.push_str("_tensor");
        take(module, draft, step, TENSOR_NAME, &plan, &[Tile::of_warps(plan.bytes)])
    },
};

fn cost(step: &Step, cost: &mut Cost) {
    let number = |arg: &Arg| match arg.value {
        Value::Number(n) => Some(n),
        Value::Name(_) => None,
    };
    let numbers: Vec<u32> = step.args.iter().filter_map(number).collect();
    let [x, y, ..] = numbers[..] else { return };
    cost.iterations *= x * y;
    cost.registers += x * y + x + y;
    // Threads of a block share what they read: sixteen by sixteen, or sixteen by eight.
    cost.loads /= f64::from(8 * (x + y));
    cost.moved /= f64::from(8 * (x + y));
    // Of a turn, beside the two of a product.
    cost.shared_loads = f64::from(x + y) / f64::from(2 * x * y);
    cost.sums = x * y;
}

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let mut draft = draft.fork();
    let plan = plan(module, &mut draft)?;
    let tiles = all_tiles(&draft, &plan);
    Ok(steps(&draft, NAME, &plan, &tiles))
}

/// Those that the rules propose.
pub fn proposed(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let mut draft = draft.fork();
    let plan = plan(module, &mut draft)?;
    let tiles = tiles(&draft, &plan);
    Ok(steps(&draft, NAME, &plan, &tiles))
}

/// The plan of a product whose sums are doubles, with one factor that changes with each loop.
fn tensor_plan(module: &mut Module, draft: &mut Draft<'_>) -> Result<TilePlan, Refusal> {
    let plan = plan(module, draft)?;
    if plan.factors.is_none() {
        return Err(Refusal::quiet("tensor units add one product of two doubles to a double sum"));
    }
    Ok(plan)
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

/// There is room for two blocks on a multiprocessor, by registers and shared memory.
fn fits(draft: &Draft<'_>, plan: &TilePlan, tile: &Tile) -> bool {
    // An operand has its values of this `k`, and those that are on their way.
    let of = |o: &plan::Operand| tile.each[o.dim] + tile.own(o.dim);
    let operands: u32 = plan.operands.iter().map(of).sum();
    let registers = plan.words * (tile.each[0] * tile.each[1] + operands) + ADDRESSES;
    let shared: u32 = plan.operands.iter().map(|o| tile.depth * tile.side[o.dim]).sum();
    registers <= draft.options.device.registers / (2 * tile.all_threads())
        && u64::from(shared) * plan.bytes <= DeviceModel::portable().most_shared / 2
}

/// The proposed tiles, then others of blocks of as many threads.
fn all_tiles(draft: &Draft<'_>, plan: &TilePlan) -> Vec<Tile> {
    let mut all = tiles(draft, plan);
    let shapes: &[([u32; 2], [u32; 2])] = match plan.words {
        1 => &[([16, 16], [8, 8]), ([16, 16], [8, 4]), ([16, 16], [4, 8]), ([16, 16], [4, 4])],
        _ => &[
            ([16, 8], [4, 8]),
            ([16, 8], [8, 4]),
            ([16, 16], [4, 4]),
            ([16, 16], [2, 4]),
            ([16, 16], [2, 2]),
        ],
    };
    for (threads, each) in shapes {
        for depth in [8, 16] {
            let tile = Tile::of_threads(*threads, *each, depth, plan.bytes);
            let known = |other: &Tile| (other.each, other.depth) == (tile.each, tile.depth);
            if fits(draft, plan, &tile) && !all.iter().any(known) {
                all.push(tile);
            }
        }
    }
    all
}

/// Largest tile first, with as many sums as fit.
fn tiles(draft: &Draft<'_>, plan: &TilePlan) -> Vec<Tile> {
    let fits = |tile: &Tile| fits(draft, plan, tile);
    let tile = |threads, each, depth| Tile::of_threads(threads, each, depth, plan.bytes);
    let small = tile([16, 16], [4, 4], 8);
    if plan.words == 1 {
        // Sixteen of `k` halve the barriers.
        let large = [16, 8].map(|depth| tile([16, 16], [8, 8], depth)).into_iter().find(fits);
        return large.into_iter().chain([small].into_iter().filter(fits)).collect();
    }
    // Doubles fill registers sooner: the small tile, with half the threads where their registers suffice.
    [tile([16, 8], [4, 8], 8), small].into_iter().find(fits).into_iter().collect()
}

fn steps(draft: &Draft<'_>, name: &str, plan: &TilePlan, tiles: &[Tile]) -> Vec<Step> {
    let names = [&plan.loops[0], &plan.loops[1], &plan.k].map(|l| source_name(&draft.kernel.body, l.var));
    let of = |tile: &Tile| {
        let numbers = [tile.each[0], tile.each[1], tile.depth];
        Step::new(name, names.iter().zip(numbers).map(|(name, n)| Arg::of(name, n)))
    };
    tiles.iter().map(of).collect()
}

fn take(
    module: &mut Module,
    draft: &mut Draft<'_>,
    step: &Step,
    name: &'static str,
    plan: &TilePlan,
    tiles: &[Tile],
) -> Result<(), Refusal> {
    let steps = steps(draft, name, plan, tiles);
    let step = chosen(step, &steps)?;
    let Some(tile) = steps.iter().position(|other| *other == step).map(|at| tiles[at]) else {
        return Err(Refusal::quiet("no tile fits the registers"));
    };
    let (body, shared) = tile::body(module, &draft.kernel, plan, tile);
    (draft.requires.high_occupancy, draft.requires.ilp) = (true, true);
    draft.requires.grid_covers = true;
    draft.requires.gangs_cover = shape::limits_gangs(&draft.kernel);
    draft.suffix.push_str(&format!("_{}", tile.name()));
    draft.block = [tile.threads[0], tile.threads[1], 1];
    draft.block_at_launch = false;
    let shared = shared.into_iter().map(SharedDecl::from).collect();
    draft.program = Some(Program { body, per_thread: tile.per_thread(), shared });
    draft.done(name, step.args);
    Ok(())
}
