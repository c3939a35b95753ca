//! `grid_stride(8)`: in a kernel that ends in a reduction each thread takes so many iterations, a grid apart.
//!
//! The fewer blocks, the fewer partial results are combined at the end.

use super::{Refusal, StepKind, chosen, number, numbered};
use crate::map::cost::{Cost, REPEATED};
use crate::map::draft::Draft;
use crate::map::shape;
use accl_ir::Module;
use accl_ir::schedule::Step;

const NAME: &str = "grid_stride";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "grid_stride(N)",
    summary: "In a reduction each thread takes N iterations, a grid apart.",
    writes_program: false,
    sets_block: false,
    space,
    // One wave of blocks, whatever the number, whose loop the device's compiler repeats.
    cost: |_, cost: &mut Cost| {
        cost.strides = true;
        cost.iterations *= REPEATED;
        cost.loads_under_way *= REPEATED;
    },
    apply,
};

fn space(_: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    match shape::reduction_dim(&draft.kernel) {
        Some(_) => Ok(numbered(NAME, [8, 4, 16, 32, 2])),
        None => Err(Refusal::quiet(
            "only launches that end in a reduction have fewer blocks than iterations ask for",
        )),
    }
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    draft.grid_stride = Some(number(&step));
    draft.done(NAME, step.args);
    Ok(())
}
