//! `grid(j:x, i:y)`: which loops are spread over the blocks of the launch.
//!
//! The pass `levels` distributes the loops, and follows the step there; here the kernel's loops have their dimensions.

use super::{Refusal, StepKind, as_it_is, unchanged};
use crate::map::draft::Draft;
use crate::map::grid_mapping::{self, dim};
use accl_analysis::text::source_name;
use accl_ir::schedule::{Arg, Step};
use accl_ir::{Kernel, Module, Stmt, visit};

pub const NAME: &str = "grid";
/// The dimensions of a launch.
pub const AXES: [&str; 3] = ["x", "y", "z"];

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "grid(i:y, j:x)",
    summary: "The iterations of these loops are spread over the blocks of the launch, in this dimension each.",
    writes_program: false,
    sets_block: false,
    space: |_, draft| Ok(of(&draft.kernel).into_iter().collect()),
    cost: unchanged,
    apply,
};

/// The step that says how the kernel's loops are distributed; none where no loop is.
pub fn of(kernel: &Kernel) -> Option<Step> {
    let mut args: Vec<Arg> = vec![];
    let (nest, _) = grid_mapping::nest(&kernel.body.block);
    for (l, _) in &nest {
        args.push(Arg::of(&source_name(&kernel.body, l.var), AXES[usize::from(dim(l))]));
    }
    if nest.is_empty() {
        visit::for_each_stmt(&kernel.body.block, &mut |node| {
            if let Stmt::For(l) = &node.kind
                && l.levels.as_ref().is_some_and(|levels| levels.gang)
            {
                let arg = Arg::of(&source_name(&kernel.body, l.var), "x");
                if !args.contains(&arg) {
                    args.push(arg);
                }
            }
        });
    }
    (!args.is_empty()).then(|| Step::new(NAME, args))
}

fn apply(_: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let other = "the loops of this kernel are spread as";
    as_it_is(draft, step, other, "no loop of this kernel is spread over blocks")
}
