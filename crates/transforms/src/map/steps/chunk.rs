//! `chunk(i:16)`: a block takes so many times its iterations of the outermost loop of the launch, one after the other.
//!
//! This is the chunk of a distribution: with blocks of 64 by 4 threads, `chunk(i:16)` gives a block 64 rows that follow one another, of which
//! each thread runs sixteen, four rows apart. There are fewer blocks to start, and what a thread computes once serves all its
//! iterations. Nothing is reordered inside an iteration, so that any loop can have it, where `unroll_and_jam` asks for simple ones.

use super::{Refusal, StepKind, chosen, number};
use crate::map::cost::{Cost, REPEATED};
use crate::map::draft::{Draft, Program};
use crate::map::{grid_mapping, indices, shape};
use accl_analysis::text::source_name;
use accl_ir::Module;
use accl_ir::schedule::{Arg, Step};

const NAME: &str = "chunk";
const SIZES: [u32; 2] = [4, 16];

/// Iterations that a block runs at most: no further past the end of a loop than guards against overflow know of
/// ([`overflow`](crate::outline)).
const MOST: u32 = 1024;

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "chunk(i:N)",
    summary: "A block takes N times its iterations of this loop, the outermost of the launch, one after the other.",
    writes_program: true,
    sets_block: false,
    space,
    cost: |step, cost: &mut Cost| {
        cost.iterations *= number(step);
        cost.chunk = number(step);
        // The device's compiler repeats this loop, where it is the innermost one.
        if cost.turns == 1.0 {
            cost.loads_under_way *= number(step).min(REPEATED);
            cost.unrolled *= number(step);
        }
        cost.registers += 4;
    },
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let kernel = &*draft.kernel;
    if shape::limits_gangs(kernel) || kernel.dims.len() == 1 && shape::vector_x(kernel) {
        return Err(Refusal::quiet("the launch says how many blocks there are, or how large"));
    }
    if !grid_mapping::suffices(kernel) || shape::reduces(kernel) {
        return Err(Refusal::quiet(
            "only loops that give each thread one iteration, and no reduction, have chunks",
        ));
    }
    let (loops, _) = grid_mapping::nest(&kernel.body.block);
    match loops.last() {
        Some((l, _)) if indices::counts_up_by_one(&module.types, &kernel.body, l) => {
            let name = source_name(&kernel.body, l.var);
            let threads = draft.block[kernel.dims.len() - 1];
            let fits = SIZES.into_iter().filter(|n| n * threads <= MOST);
            Ok(fits.map(|n| Step::new(NAME, [Arg::of(&name, n)])).collect())
        }
        _ => Err(Refusal::quiet("the outermost loop of the launch does not count up by one")),
    }
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    let kernel = &*draft.kernel;
    let mut per_thread = [1; 3];
    per_thread[kernel.dims.len() - 1] = number(&step);
    let body = grid_mapping::in_chunks(&mut module.types, kernel, number(&step));
    draft.program = Some(Program { body, per_thread, shared: vec![] });
    draft.requires.high_occupancy = true;
    draft.suffix.push_str("_chunk");
    draft.done(NAME, step.args);
    Ok(())
}
