//! `tall_block(16, 32)`: blocks with few threads in x, for launches whose loop in x has few iterations.
//!
//! A loop with neighbouring elements in x may run a thousand times or three, where the compiler has found loops of its nest to be parallel
//! that nobody named. Only the launch knows, and in three iterations 61 of 64 threads in x would have nothing to do. Where no user gave the
//! schedule, the launch gives a block as many threads in x as there are iterations, and rows for the others.

use super::{Refusal, StepKind, chosen};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use crate::map::shape;
use crate::outline::trips;
use accl_ir::schedule::{Arg, Step};
use accl_ir::{Kernel, Module, visit};

const NAME: &str = "tall_block";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "tall_block(X, Y)",
    summary: "Blocks of X by Y threads, X being few, for launches with no more than twice X iterations in x.",
    writes_program: false,
    sets_block: true,
    space,
    cost: |step, cost: &mut Cost| cost.threads = step.numbers().unwrap_or_default().iter().product(),
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let kernel = &*draft.kernel;
    if !shape::is_open_nest(kernel) {
        return Err(Refusal::quiet("the launch has one dimension, or a clause says how large blocks are"));
    }
    if !counts_what_was_found(module, kernel) {
        return Err(Refusal::quiet(
            "the program says that the loops are parallel, or how long the one in x is",
        ));
    }
    Ok(vec![Step::new(NAME, [16, 32].map(Arg::from))])
}

/// A distributed loop is one that no directive names, in a parallel construct, and that in x of a length that only the launch knows.
fn counts_what_was_found(module: &Module, kernel: &Kernel) -> bool {
    let (mut found, mut counted) = (false, false);
    visit::for_each_loop(&kernel.body.block, &mut |l, _| {
        let dim = l.levels.as_ref().and_then(|levels| levels.dim);
        found |= dim.is_some() && l.directive.as_ref().is_some_and(|d| d.found && d.auto);
        counted |= dim == Some(0) && trips::constant(&module.types, &kernel.body, l).is_none();
    });
    found && counted
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    if let Some([x, y]) = step.numbers().as_deref() {
        draft.block = [*x, *y, 1];
    }
    draft.requires.few_in_x = true;
    draft.suffix.push_str("_tall");
    draft.done(NAME, step.args);
    Ok(())
}
