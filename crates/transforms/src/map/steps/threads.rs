//! `threads(k:x, j:y)`: which loops inside a gang are spread over its threads: vector loops in x, worker loops in y.
//!
//! The pass `levels` decides it by the directives' clauses; the step says what came of it.

use super::{Refusal, StepKind, as_it_is, unchanged};
use crate::map::draft::Draft;
use accl_analysis::text::source_name;
use accl_ir::schedule::{Arg, Step};
use accl_ir::{Kernel, Module, Stmt, visit};

const NAME: &str = "threads";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "threads(k:x, j:y)",
    summary: "The iterations of these loops inside a gang are spread over its threads: vector loops in x, worker loops in y.",
    writes_program: false,
    sets_block: false,
    space: |_, draft| Ok(of(&draft.kernel).into_iter().collect()),
    cost: unchanged,
    apply,
};

/// The step that says which loops inside gangs have threads; none where no loop has.
pub fn of(kernel: &Kernel) -> Option<Step> {
    let mut args: Vec<Arg> = vec![];
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        let Stmt::For(l) = &node.kind else { return };
        let Some(levels) = l.levels.as_ref().filter(|levels| levels.dim.is_none()) else { return };
        for (has, axis) in [(levels.vector, "x"), (levels.worker, "y")] {
            let arg = Arg::of(&source_name(&kernel.body, l.var), axis);
            if has && !args.contains(&arg) {
                args.push(arg);
            }
        }
    });
    (!args.is_empty()).then(|| Step::new(NAME, args))
}

fn apply(_: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let other = "the clauses gang, worker and vector say how loops inside this kernel's gangs are spread:";
    as_it_is(draft, step, other, "no loop inside a gang of this kernel is spread over threads")
}
