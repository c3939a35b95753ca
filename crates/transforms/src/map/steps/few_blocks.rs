//! `few_blocks(32, 4)`: so few blocks stride over the launch that the cache keeps the [lines](crate::map::lines) along which their threads go.
//!
//! On an H100 tridiagonal solves of 384² lines of 384 doubles, four arrays, took 4.5 ms with 128 threads on each multiprocessor, 5.4 with
//! 192, 6.1 with 256, 11.7 with 512 and 13.0 with a thread for each line.

use super::{Refusal, StepKind, chosen};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use crate::map::grid_mapping;
use crate::map::lines::Lines;
use crate::map::shape;
use crate::outline::trips;
use accl_ir::schedule::{Arg, Step};
use accl_ir::{Loop, Module};

const NAME: &str = "few_blocks";
/// As many threads as a multiprocessor has then.
const BLOCK: [u32; 2] = [32, 4];

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "few_blocks(X, Y)",
    summary: "Blocks of X by Y threads, one for each multiprocessor, stride over a launch whose threads go along lines of memory.",
    writes_program: false,
    sets_block: true,
    space,
    cost: |step, cost: &mut Cost| {
        cost.threads = step.numbers().unwrap_or_default().iter().product();
        cost.few_blocks = true;
    },
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let kernel = &*draft.kernel;
    if !shape::is_open_nest(kernel) {
        return Err(Refusal::quiet("the launch has one dimension, or a clause says how large it is"));
    }
    // The kernel would not stride over these.
    let short = |(l, _): &(&Loop, _)| {
        grid_mapping::dim(l) > 0 && trips::constant(&module.types, &kernel.body, l).is_some()
    };
    if grid_mapping::nest(&kernel.body.block).0.iter().any(short) {
        return Err(Refusal::quiet("it is known how many iterations a loop in y or z has"));
    }
    if Lines::of(&module.types, kernel).arrays == 0 {
        return Err(Refusal::quiet(
            "its threads go along no lines of memory in loops whose turns wait for each other",
        ));
    }
    if kernel.row_length.is_none() {
        return Err(Refusal::because(
            "only the device knows how long the lines are along which its threads go",
        ));
    }
    Ok(vec![Step::new(NAME, BLOCK.map(Arg::from))])
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    if let Some([x, y]) = step.numbers().as_deref() {
        draft.block = [*x, *y, 1];
    }
    (draft.requires.few_blocks, draft.requires.long_lines) = (true, true);
    draft.suffix.push_str("_lines");
    draft.done(NAME, step.args);
    Ok(())
}
