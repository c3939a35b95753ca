//! `aggregate_updates(1024)`: atomic updates of elements that data choose are aggregated by blocks, which stride over the launch; also after `lanes`.
//!
//! A block keeps what its updates of an element come to in a table of shared memory, and updates memory once when it ends (block
//! aggregation, or privatization of histograms whose length nobody knows). Bins of a histogram, the sums of a few clusters and the ends
//! of edges of a mesh are updated by few blocks then, instead of by all iterations. An element that finds no place in the table
//! is updated in memory, so the size of an array decides about the time alone.

use super::{Refusal, StepKind, chosen, number, numbered};
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::{grid_mapping, shape};
use accl_analysis::data_dependent::{self, Readers};
use accl_ir::Module;
use accl_ir::schedule::Step;

const NAME: &str = "aggregate_updates";
const SIZES: [u32; 4] = [1024, 512, 2048, 256];

/// Iterations of a thread from which a launch is worth it.
const EACH: u32 = 4;

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "aggregate_updates(N)",
    summary: "A block keeps up to N of the elements that its atomic updates change in shared memory, and updates memory when it ends.",
    writes_program: true,
    sets_block: false,
    space: |module, draft| readers(module, draft).map(|_| numbered(NAME, SIZES)),
    cost: |step, cost: &mut Cost| {
        cost.iterations *= EACH;
        cost.strides = true;
        cost.from_shared_memory();
        cost.shared += u64::from(number(step)) * 12;
    },
    apply,
};

/// What may read the elements while a block has a part of their values.
fn readers(module: &Module, draft: &Draft<'_>) -> Result<Readers, Refusal> {
    let kernel = &*draft.kernel;
    if !grid_mapping::suffices(kernel) && draft.program.is_none() {
        return Err(Refusal::quiet(
            "only kernels that give each thread an iteration, or a few lanes, aggregate updates",
        ));
    }
    match data_dependent::readers(module, &kernel.body) {
        Some(Readers::Own) => Err(Refusal::because(
            "the kernel reads elements of an array that it updates by atomic operations",
        )),
        Some(readers) => Ok(readers),
        None => Err(Refusal::quiet("it has no atomic updates alone of elements that data choose")),
    }
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let readers = readers(module, draft)?;
    let step = chosen(step, &numbered(NAME, SIZES))?;
    if readers == Readers::Others {
        draft.assume_distinct()?;
        draft.keep_elements(module);
    }
    let kernel = &*draft.kernel;
    // Where a few lanes have an iteration, blocks go through many as they are.
    if draft.program.is_none() {
        let dim = shape::striding_dim(kernel);
        let mut per_thread = [1; 3];
        per_thread[usize::from(dim)] = draft.grid_stride.unwrap_or(EACH);
        let body = grid_mapping::striding(&mut module.types, kernel, dim);
        draft.program = Some(Program { body, per_thread, shared: vec![] });
        draft.requires.high_occupancy = true;
    }
    // A table takes from the multiprocessor's cache, in which lanes look for their rows: half as many blocks have half as many. On an
    // H100 a million points of 34 floats, added up by cluster, take 0.40 ms with blocks of 256 threads, and 0.32 with 512.
    if draft.block == [2, 128, 1] && draft.given_block.is_none() {
        draft.block[1] *= 2;
    }
    draft.requires.aggregates = true;
    draft.aggregated = Some(number(&step));
    draft.suffix.push_str("_aggregated");
    draft.done(NAME, step.args);
    Ok(())
}
