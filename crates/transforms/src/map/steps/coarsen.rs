//! `coarsen(j:4, i:8)`: thread coarsening of a kernel whose windows are only read.
//!
//! A thread runs several iterations of its block, and what it has read from shared memory it uses for several of them out
//! of registers.

use super::{Refusal, StepKind};
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::grid_mapping;
use crate::map::{shape, window};
use accl_analysis::text::source_name;
use accl_ir::schedule::{Arg, Step, Value};
use accl_ir::{Kernel, Module};

const NAME: &str = "coarsen";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "coarsen(j:4, i:8)",
    summary: "A thread of a kernel with windows runs several iterations in these loops' directions.",
    writes_program: true,
    sets_block: true,
    space: |module, draft| {
        window::is_kept(&draft.kernel)?;
        let all = window::coarsenings(module, &draft.kernel, draft.block);
        let steps: Vec<Step> = all.into_iter().map(|each| step(&draft.kernel, each)).collect();
        if steps.is_empty() {
            Err(Refusal::quiet("launches of three dimensions are not coarsened"))
        } else {
            Ok(steps)
        }
    },
    cost: |step, cost: &mut Cost| {
        let each: u32 = step.args.iter().map(count).product();
        cost.iterations *= each;
        cost.registers += 2 * each;
        cost.loads /= f64::from(each).sqrt();
        cost.shared_loads /= f64::from(each).sqrt();
        // Caches hold most of what neighbours share.
        cost.moved /= f64::from(each).powf(0.2);
    },
    apply,
};

/// The step for so many iterations in each dimension.
fn step(kernel: &Kernel, each: [u32; 3]) -> Step {
    let (loops, _) = grid_mapping::nest(&kernel.body.block);
    let named = loops.iter().zip(each).map(|((l, _), n)| Arg::of(&source_name(&kernel.body, l.var), n));
    Step::new(NAME, named)
}

fn count(arg: &Arg) -> u32 {
    match arg.value {
        Value::Number(n) => n,
        Value::Name(_) => 1,
    }
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, given: &Step) -> Result<(), Refusal> {
    let kernel = &*draft.kernel;
    window::is_kept(kernel)?;
    if !draft.options.unroll_and_jam {
        return Err(Refusal::quiet("an option switches several iterations a thread off"));
    }
    let (loops, _) = grid_mapping::nest(&kernel.body.block);
    let mut wanted = None;
    if !given.args.is_empty() {
        let mut each = [1; 3];
        for arg in &given.args {
            let named =
                |(l, _): &(&accl_ir::Loop, _)| arg.of.as_deref() == Some(&source_name(&kernel.body, l.var));
            let Some(d) = loops.iter().position(named) else {
                return Err(Refusal::because("each number has the name of a loop of the grid"));
            };
            each[d] = count(arg);
        }
        wanted = Some(each);
    }
    let Some(coarse) = window::coarsened_body(module, kernel, draft.block, wanted) else {
        return Err(Refusal::quiet("the kernel's statements, or its windows, do not allow it"));
    };
    let args = step(kernel, coarse.per_thread).args;
    let limits = shape::limits_gangs(kernel);
    draft.assume_distinct()?;
    let requires = &mut draft.requires;
    (requires.align16, requires.ilp) = (coarse.align16, !coarse.align16);
    (requires.int32, requires.high_occupancy) = (true, true);
    (requires.gangs_cover, requires.aligned_origin) = (limits, coarse.aligned_origin);
    if !draft.suffix.ends_with("_window") {
        draft.suffix.push_str("_jam");
    }
    draft.block = coarse.block;
    draft.block_at_launch = false;
    draft.program = Some(Program { body: coarse.body, per_thread: coarse.per_thread, shared: coarse.shared });
    draft.done(NAME, args);
    Ok(())
}
