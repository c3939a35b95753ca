//! `full_blocks`: a kernel with windows for launches in which every thread has an iteration, and subscripts fit 32 bits.

use super::{Refusal, StepKind, bare, unchanged};
use crate::map::draft::Draft;
use crate::map::window;
use accl_ir::Module;
use accl_ir::schedule::Step;

const NAME: &str = "full_blocks";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "full_blocks",
    summary: "In a kernel with windows: for launches in which every thread has an iteration, whose subscripts fit 32 bits.",
    writes_program: false,
    sets_block: false,
    space: |_, draft| window::is_kept(&draft.kernel).map(|()| vec![Step::new(NAME, [])]),
    cost: unchanged,
    apply,
};

fn apply(_: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    bare(step)?;
    window::is_kept(&draft.kernel)?;
    (draft.known.narrow, draft.known.even) = (true, true);
    (draft.requires.int32, draft.requires.full_blocks) = (true, true);
    draft.suffix.push_str("_even");
    draft.done(NAME, []);
    Ok(())
}
