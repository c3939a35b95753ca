//! `restrict`: a version for launches whose arrays do not overlap.

use super::{Refusal, StepKind, bare, unchanged};
use crate::map::draft::Draft;
use accl_ir::Module;
use accl_ir::schedule::Step;

const NAME: &str = "restrict";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "restrict",
    summary: "For launches whose arrays do not overlap, which the present table decides.",
    writes_program: false,
    sets_block: false,
    space: |_, draft| match draft.distinct || !draft.options.noalias {
        true => Err(Refusal::quiet("arrays do not overlap in any launch")),
        false => Ok(vec![Step::new(NAME, [])]),
    },
    cost: unchanged,
    apply,
};

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    bare(step)?;
    draft.assume_distinct()?;
    draft.keep_elements(module);
    if draft.requires.noalias {
        draft.suffix.push_str("_noalias");
        draft.done(NAME, []);
    }
    Ok(())
}
