//! `decode(copy)`: compressed arrays that are read come from plain copies, which the runtime decodes before the launch.

use super::{Refusal, StepKind, chosen, unchanged};
use crate::compress::decoded;
use crate::map::draft::Draft;
use accl_ir::Module;
use accl_ir::schedule::{Arg, Step};
use std::borrow::Cow;

const NAME: &str = "decode";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "decode(copy)",
    summary: "Compressed arrays are read from decoded copies, which the runtime keeps.",
    writes_program: false,
    sets_block: false,
    space,
    cost: unchanged,
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    match decoded::kernel(module, &draft.kernel) {
        Some(_) => Ok(vec![copy()]),
        None => Err(none()),
    }
}

fn copy() -> Step {
    Step::new(NAME, [Arg::from("copy")])
}

fn none() -> Refusal {
    Refusal::quiet("the kernel reads no compressed array that could have a decoded copy")
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &[copy()])?;
    let decoded = decoded::kernel(module, &draft.kernel).ok_or_else(none)?;
    draft.kernel = Cow::Owned(decoded.kernel);
    (draft.requires.decoded, draft.requires.reused) = (true, decoded.reused);
    draft.done(NAME, step.args);
    Ok(())
}
