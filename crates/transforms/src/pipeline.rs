//! The order of compilation: a list that can be read aloud.

use crate::context::Context;
pub use crate::pass::Pass;
use crate::{
    Options, accumulators, array_contraction, block_scalars, column_major, compress, gang_reductions,
    gang_redundant, global_parameters, host_device_partition, implicit_data, index64, inline_routines,
    lastprivate, levels, localise_globals, lone_searches, loop_distribution, loop_interchange, loop_sinking,
    loop_skewing, map, outline, parallelism, pointer_copies, private_copies, private_loop_variables,
    private_sections, regions, row_nests, sequential_counters, sine_and_cosine, structure_copies,
    unused_reductions, wrapping,
};
use accl_ir::Module;
use accl_source::{Diagnostic, Remark, codes};
use std::time::Instant;

/// All passes, in their order.
pub const PASSES: &[Pass] = &[
    // Constructs whose gangs would all do the same are kernels constructs.
    gang_redundant::PASS,
    // Loops declare the variables that private clauses give them.
    private_loop_variables::PASS,
    // Global variables that a parallel construct writes become locals of it.
    localise_globals::PASS,
    // Functions that cannot become part of it get the variables at file scope that they use as arguments.
    global_parameters::PASS,
    // Routines that share their caller's threads become part of it.
    inline_routines::PASS,
    // Copies of structures with pointers are variables for their members.
    structure_copies::PASS,
    // Blocks that set a scalar before they read it declare it.
    block_scalars::PASS,
    // A short array that a row of sums alone needs is a scalar.
    array_contraction::PASS,
    // Loops over a tile whose elements need those before them go along its diagonals.
    loop_skewing::PASS,
    // Pointers that a thread has for itself are declared in the construct.
    private_copies::PASS,
    // Pointers that are copies of others are those.
    pointer_copies::PASS,
    // Array elements that loops accumulate into are kept in scalars.
    accumulators::PASS,
    // What a kernels construct looks for one gang finds in variables of its own.
    lone_searches::PASS,
    // Which loops may run in parallel, and what they reduce.
    parallelism::PASS,
    // What nobody reads of their results is private to their iterations.
    unused_reductions::PASS,
    // A parallel loop inside a sequential one goes around it where one launch may do what would take many.
    loop_interchange::PASS,
    // Where what a pointer points to is private, iterations share one array if that makes no difference.
    private_sections::PASS,
    // The host runs the sequential code around parallel loops of a kernels construct.
    host_device_partition::PASS,
    // What one gang's loops reduce is the gang's, where it uses it elsewhere, too.
    gang_reductions::PASS,
    // Loops inside a parallel nest have a launch each where that lets one of them be parallel.
    loop_distribution::PASS,
    // Loop variables of kernels that are read after the construct get their last values.
    lastprivate::PASS,
    // What each construct needs on the device, by clause or by rule.
    implicit_data::PASS,
    // In which format each construct sees its arrays.
    compress::clauses::PASS,
    // Loops around a window become tightly nested.
    loop_sinking::PASS,
    // Joined loops around rows are one loop.
    row_nests::PASS,
    // Which loop runs with which parallelism.
    levels::PASS,
    // Each construct becomes one kernel or several.
    outline::PASS,
    // Counters that a function declares at its top become those of their loops.
    sequential_counters::PASS,
    // Which arrays are worth storing by columns.
    column_major::PASS,
    // The user is told where compressed arrays are decoded again and again.
    compress::reuse::PASS,
    // Kernels that may end near the largest int get versions that count in 64 bits.
    index64::PASS,
    // Each kernel gets its bodies: threads made explicit for GPUs, an interval of iterations for the cpu.
    map::PASS,
    // Loads and stores of compressed elements become arithmetic on bits.
    compress::lower::PASS,
    // The library of the GPU computes the sine and the cosine of an angle together.
    sine_and_cosine::PASS,
    // Where the user says that signed integers wrap, they do on GPUs.
    wrapping::PASS,
];

/// The pass of this name.
pub fn pass(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|p| p.name == name)
}

/// Turns the compute constructs of `module` into kernels with bodies for every device.
///
/// If a diagnostic is an error, the module's kernels must not be used.
pub fn run(
    module: &mut Module,
    options: &Options<'_>,
    diagnostics: &mut Vec<Diagnostic>,
    remarks: &mut Vec<Remark>,
) {
    run_passes(PASSES, module, &mut Context::new(options, diagnostics, remarks), &mut |_, _| {});
}

/// Runs the passes in `passes`; `after` sees the module as each pass leaves it. The module is verified before the
/// first and after the last pass, and in debug builds after each.
pub fn run_passes(
    passes: &[Pass],
    module: &mut Module,
    cx: &mut Context<'_>,
    after: &mut dyn FnMut(&Pass, &Module),
) {
    if !verified(module, "given to the transforms", cx) {
        return;
    }
    cx.options.files.iter().for_each(|files| regions::number_copies(module, files));
    for (at, pass) in passes.iter().enumerate() {
        let start = Instant::now();
        (pass.run)(module, cx);
        tracing::debug!(pass = pass.name, time = ?start.elapsed(), kernels = module.kernels.len());
        after(pass, module);
        let last = at + 1 == passes.len();
        if (last || cfg!(debug_assertions))
            && !verified(module, &format!("made by the pass {}", pass.name), cx)
        {
            return;
        }
    }
}

/// A module that breaks the IR's rules is a bug of the compiler, and the message says so.
fn verified(module: &Module, which: &str, cx: &mut Context<'_>) -> bool {
    if cx.diagnostics.iter().any(Diagnostic::is_error) {
        return true;
    }
    let Err(errors) = accl_ir::verify(module) else { return true };
    let list: Vec<String> = errors.iter().take(3).map(ToString::to_string).collect();
    let message = format!("the program {which} breaks the rules of the intermediate form");
    let error = Diagnostic::error(codes::driver::INTERNAL, message);
    cx.diagnostics.push(list.into_iter().fold(error, Diagnostic::with_note));
    false
}
