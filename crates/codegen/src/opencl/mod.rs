//! OpenCL C 1.2.
//!
//! Parameters of a kernel, in the order of `Kernel::params`: data `x` are `__global T *x_buf, long x_off`
//! (buffers cannot be named from before their start), values are passed by value (`bool` as `uchar`), a
//! reduction `sum` is `__global T *sum_result, __global T *sum_partials, __global unsigned *sum_arrivals`.
//!
//! A kernel that may end the program has `__global int *accl_stopped` after them (see [`crate::c_family::stop`]).
//! Arrays in local memory whose size the launch decides lie in a last parameter, `__local uint4 *accl_areas`.
//!
//! There are no warps to rely on, and a barrier is for the whole work-group. So a kernel whose workers
//! synchronise their own lanes is written as if a gang had one worker, whose lanes are all its threads.

mod atomics;
mod dialect;
mod keywords;
mod reduce;

use crate::{CodegenError, EmitOptions, Emitted};
use accl_ir::Module;

/// The text of all kernels; an error if one of them cannot be expressed.
pub fn emit(module: &Module, options: &EmitOptions) -> Result<String, CodegenError> {
    crate::c_family::unit::emit(module, &dialect::OpenCl, options)
}

/// The text of the kernels that can be expressed, and which cannot.
pub fn emit_possible(module: &Module, options: &EmitOptions) -> Result<Emitted, CodegenError> {
    crate::c_family::unit::emit_possible(module, &dialect::OpenCl, options)
}
