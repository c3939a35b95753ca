//! The story of a compilation, to be read aloud.

use crate::context::Context;
use crate::{Options, implicit_data, map, outline, parallelism, schedule};
use accl_ir::Module;
use accl_source::{Diagnostic, Remark};

/// Turns the compute constructs of `module` into kernels with bodies for every device.
///
/// If a diagnostic is an error, the module's kernels are not to be used.
pub fn run(
    module: &mut Module,
    options: &Options<'_>,
    diagnostics: &mut Vec<Diagnostic>,
    remarks: &mut Vec<Remark>,
) {
    let mut cx = Context { options, diagnostics, remarks };
    // Which loops may run in parallel, and what they reduce.
    parallelism::run(module, &mut cx);
    // What each construct needs on the device, by clause or by rule.
    implicit_data::run(module, &mut cx);
    // Which loop runs with which parallelism.
    schedule::run(module, &mut cx);
    // Each construct becomes one kernel or several.
    outline::run(module, &mut cx);
    // Each kernel gets its bodies: threads made explicit for GPUs, an interval of iterations for the cpu.
    map::run(module, &mut cx);
}
