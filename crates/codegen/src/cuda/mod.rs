//! CUDA C++: text for NVRTC (no includes) and for nvcc.
//!
//! Parameters of a kernel, in the order of `Kernel::params`: data are one pointer, values are passed by
//! value, a reduction `sum` is `T *sum_result, T *sum_partials, unsigned *sum_arrivals`.

mod aggregated;
mod atomics;
mod columns;
mod dialect;
mod keywords;
mod reduce;

use crate::{CodegenError, EmitOptions, Emitted};
use accl_ir::Module;

/// The text of all kernels; an error if one of them cannot be expressed.
pub fn emit(module: &Module, options: &EmitOptions) -> Result<String, CodegenError> {
    crate::c_family::unit::emit(module, &dialect::Cuda, options)
}

/// The text of the kernels that can be expressed, and which cannot.
pub fn emit_possible(module: &Module, options: &EmitOptions) -> Result<Emitted, CodegenError> {
    crate::c_family::unit::emit_possible(module, &dialect::Cuda, options)
}
