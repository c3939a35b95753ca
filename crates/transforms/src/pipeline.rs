//! The story of a compilation, to be read aloud.

use crate::context::Context;
use crate::{
    Options, accumulators, compress, implicit_data, inline_routines, last_values, map, outline, own_globals,
    own_variables, parallelism, private_copies, private_sections, schedule, sink, split, widen, wrapping,
};
use accl_ir::Module;
use accl_source::{Diagnostic, Remark, codes};

/// Turns the compute constructs of `module` into kernels with bodies for every device.
///
/// If a diagnostic is an error, the module's kernels are not to be used. Given back is the module of the wide kernels, for
/// launches where a kernel's `near` holds.
pub fn run(
    module: &mut Module,
    options: &Options<'_>,
    diagnostics: &mut Vec<Diagnostic>,
    remarks: &mut Vec<Remark>,
) -> Option<Module> {
    let mut cx = Context { options, diagnostics, remarks };
    if !verified(module, "given to the transforms", &mut cx) {
        return None;
    }
    // Loops declare the variables that private clauses say are theirs.
    own_variables::run(module, &mut cx);
    // Variables of the file that a parallel construct writes are locals of it.
    own_globals::run(module, &mut cx);
    // Routines that share their caller's threads become part of it.
    inline_routines::run(module, &mut cx);
    // Pointers that a thread has for itself are declared in the construct.
    private_copies::run(module, &mut cx);
    // Array elements that loops accumulate into are kept in scalars.
    accumulators::run(module, &mut cx);
    // Which loops may run in parallel, and what they reduce.
    parallelism::run(module, &mut cx);
    // Where what a pointer points to is private, iterations share one array if nobody can tell.
    private_sections::run(module, &mut cx);
    // Sequential code around parallel loops of a kernels construct is the host's.
    split::run(module, &mut cx);
    // What is left of it in kernels gives its loop variables back.
    last_values::run(module, &mut cx);
    // What each construct needs on the device, by clause or by rule.
    implicit_data::run(module, &mut cx);
    // In which format each construct sees its arrays.
    compress::clauses::run(module, &mut cx);
    // Loops around a window become tightly nested.
    sink::run(module);
    // Which loop runs with which parallelism.
    schedule::run(module, &mut cx);
    // Each construct becomes one kernel or several.
    outline::run(module, &mut cx);
    // Where compressed arrays are decoded again and again, the user is told.
    compress::reuse::run(module, &mut cx);
    // Kernels that may end near the largest int get versions that count in 64 bits, a module of their own.
    let mut wide = widen::run(module, &mut cx);
    // Each kernel gets its bodies: threads made explicit for GPUs, an interval of iterations for the cpu.
    map::run(module, &mut cx);
    // Loads and stores of compressed elements become arithmetic on bits.
    for module in wide.iter_mut().chain([module]) {
        compress::lower::run(module, options.check);
        // Where the user says that signed integers wrap, they do on GPUs.
        if options.wrapping {
            wrapping::run(module);
        }
        verified(module, "made by the transforms", &mut cx);
    }
    wide
}

/// A module that breaks the IR's rules is our bug, and said to be.
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
