//! `unroll_and_jam(i:4)`: a thread runs several iterations side by side ([`crate::map::jam`]).

pub(crate) mod bounds;
pub mod emit;
pub mod plan;
mod rewrite;
pub mod strides;
pub mod wide;

pub(crate) use emit::{Axis, Run, ThreadTile};
pub(crate) use plan::{Group, groups};
pub use rewrite::strips;

use super::{Refusal, StepKind, chosen, number};
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::{block_mapping, grid_mapping, shape};
use accl_analysis::text::source_name;
use accl_ir::Module;
use accl_ir::schedule::{Arg, Step};

const NAME: &str = "unroll_and_jam";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "unroll_and_jam(i:N)",
    summary: "A thread runs N iterations of this loop side by side, one statement at a time.",
    writes_program: true,
    sets_block: false,
    space,
    cost: |step, cost: &mut Cost| {
        let n = number(step);
        cost.iterations *= n;
        cost.registers += 4 * n;
        cost.unrolled = n;
        cost.loads_under_way *= n;
        if let Some(of) = step.args.first().and_then(|arg| arg.of.as_deref()) {
            cost.share(of, n);
        }
    },
    apply,
};

fn space(_: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let kernel = &*draft.kernel;
    let limits = shape::limits_gangs(kernel);
    if !draft.options.unroll_and_jam {
        return Err(Refusal::quiet("an option switches several iterations a thread off"));
    }
    if block_mapping::is_needed(kernel) || !shape::one_iteration_a_thread(kernel) || shape::reduces(kernel) {
        return Err(Refusal::quiet(
            "only loops that give each thread one iteration, and no reduction, are jammed",
        ));
    }
    // How many blocks a version needs that does not stride, only the compiler's own block tells.
    if limits && shape::vector_x(kernel) {
        return Err(Refusal::quiet("the launch says how many blocks there are, and how large"));
    }
    let (loops, _) = grid_mapping::nest(&kernel.body.block);
    let (l, _) = loops[usize::from(loops.len() > 1)];
    let name = source_name(&kernel.body, l.var);
    let first = draft.options.device.iterations_under_way();
    let mut all = vec![first];
    all.extend([4, 2, 8].into_iter().filter(|n| *n != first));
    Ok(all.into_iter().map(|n| Step::new(NAME, [Arg::of(&name, n)])).collect())
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    draft.assume_distinct()?;
    draft.keep_elements(module);
    let Some(jammed) = rewrite::body(&mut module.types, &draft.kernel, number(&step)) else {
        return Err(Refusal::quiet("the loop's statements cannot run side by side"));
    };
    draft.requires.high_occupancy = true;
    draft.requires.gangs_cover = shape::limits_gangs(&draft.kernel);
    draft.suffix.push_str("_jam");
    draft.program = Some(Program { body: jammed.body, per_thread: jammed.per_thread, shared: vec![] });
    draft.done(NAME, step.args);
    Ok(())
}
