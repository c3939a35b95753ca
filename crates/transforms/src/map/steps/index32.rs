//! `index32`: a kernel with windows for launches whose arrays and loops are short enough for subscripts of 32 bits.

use super::{Refusal, StepKind, bare, unchanged};
use crate::map::draft::Draft;
use crate::map::window;
use accl_ir::Module;
use accl_ir::schedule::Step;

const NAME: &str = "index32";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "index32",
    summary: "In a kernel with windows: for launches whose subscripts fit 32 bits.",
    writes_program: false,
    sets_block: false,
    space: |_, draft| window::is_kept(&draft.kernel).map(|()| vec![Step::new(NAME, [])]),
    cost: unchanged,
    apply,
};

fn apply(_: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    bare(step)?;
    window::is_kept(&draft.kernel)?;
    draft.known.narrow = true;
    draft.requires.int32 = true;
    draft.suffix.push_str("_short");
    draft.done(NAME, []);
    Ok(())
}
