//! `block(64, 4)`: the threads of a block.

use super::{Refusal, StepKind};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use crate::map::{block_mapping, shape, window};
use accl_ir::schedule::{Arg, Step};
use accl_ir::{Kernel, Module};

const NAME: &str = "block";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "block(X, Y, Z)",
    summary: "A block has so many threads in each dimension.",
    writes_program: false,
    sets_block: false,
    space,
    cost: |step, cost: &mut Cost| cost.threads = step.numbers().unwrap_or_default().iter().product(),
    apply,
};

/// The block of these extents, without those that are 1 at its end.
pub fn step([x, y, z]: [u32; 3]) -> Step {
    let shown = if z > 1 {
        3
    } else if y > 1 {
        2
    } else {
        1
    };
    Step::new(NAME, [x, y, z].into_iter().take(shown).map(Arg::from))
}

fn space(_: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let kernel = &*draft.kernel;
    let shapes: &[[u32; 3]] = match kernel.dims.len() {
        2 => &[[32, 4, 1], [32, 8, 1], [64, 2, 1], [64, 4, 1], [128, 1, 1], [16, 16, 1]],
        3 => &[[32, 4, 1], [32, 4, 2], [64, 2, 2], [32, 2, 4]],
        _ => &[[64, 1, 1], [128, 1, 1], [256, 1, 1], [512, 1, 1]],
    };
    let mut all = vec![step(draft.block)];
    let legal = shapes.iter().filter(|block| **block != draft.block && check(draft, kernel, **block).is_ok());
    all.extend(legal.map(|block| step(*block)));
    Ok(all)
}

/// Whether the kernel's blocks may have these extents.
fn check(draft: &Draft<'_>, kernel: &Kernel, block: [u32; 3]) -> Result<(), Refusal> {
    let refuse = |why: &str| Err(Refusal::because(why));
    let [x, y, z] = block;
    let most = draft.options.device.threads_per_block;
    if block == draft.block {
        return Ok(());
    }
    if kernel.serial {
        return refuse("a serial kernel has one thread");
    }
    if window::has_windows(&kernel.body.block) {
        return refuse("the `vector` clauses of the loops around a window say how large blocks are");
    }
    if shape::vector_x(kernel) || shape::workers_y(kernel) {
        return refuse("a clause says how large blocks are, by a value that only the launch knows");
    }
    if x.saturating_mul(y).saturating_mul(z) > most || z > 64 {
        return Err(Refusal::because(format!("a block has at most {most} threads, and at most 64 in z")));
    }
    if !(x * y * z).is_multiple_of(draft.options.device.warp) {
        return Err(Refusal::because(format!(
            "warps have {} threads: blocks have whole warps",
            draft.options.device.warp
        )));
    }
    if block_mapping::is_needed(kernel) {
        let used = shape::used_levels(kernel);
        if used.worker || !used.vector || y * z > 1 {
            return refuse(
                "gangs whose loops are spread over workers, or over nothing, have the block that their clauses say",
            );
        }
        return Ok(());
    }
    let beyond = (kernel.dims.len()..3).any(|d| block[d] > 1);
    if beyond { refuse("the launch has fewer dimensions") } else { Ok(()) }
}

fn apply(_: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let mut block = [1; 3];
    match step.numbers() {
        Some(given) if (1..=3).contains(&given.len()) && !given.contains(&0) => {
            block[..given.len()].copy_from_slice(&given);
        }
        _ => return Err(Refusal::because("it has one to three numbers of threads")),
    }
    match check(draft, &draft.kernel, block) {
        Ok(()) => draft.block = block,
        // Whether it is the block of that step is known at the end.
        Err(_) if draft.sets_block.is_some() => {}
        Err(why) => return Err(why),
    }
    draft.given_block = Some(block);
    draft.done(NAME, step.args.clone());
    Ok(())
}
