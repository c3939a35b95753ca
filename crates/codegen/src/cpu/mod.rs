//! C for the cpu device, compiled by the host's compiler into the program.
//!
//! Each kernel is `void name(int64_t begin, int64_t end, int64_t total, void *const *args)`, where `args[i]`
//! points to the storage of argument i: a pointer, a value, or the pointer to a reduction's partial result.
//! Loops whose iterations are independent say so in a way that gcc and clang vectorise; reductions are
//! `omp simd` (the file is compiled with `-fopenmp-simd`).
//!
//! In a port each kernel is an ordinary function with the user's loops, the outermost under
//! `omp parallel for`: see [`port`].

mod atomics;
mod bits;
mod dialect;
mod keywords;
mod port;
mod reduce;

use crate::{CodegenError, EmitOptions, Emitted};
use accl_ir::Module;

/// The text of all kernels that have a cpu body; an error if one of them cannot be expressed.
pub fn emit(module: &Module, options: &EmitOptions) -> Result<String, CodegenError> {
    crate::c_family::unit::emit(module, &language(options), options)
}

/// The text of the kernels that can be expressed, and which cannot.
pub fn emit_possible(module: &Module, options: &EmitOptions) -> Result<Emitted, CodegenError> {
    crate::c_family::unit::emit_possible(module, &language(options), options)
}

fn language<'a>(options: &EmitOptions<'a>) -> dialect::Cpu<'a> {
    dialect::Cpu { unit_id: options.unit_id, style: options.style }
}
