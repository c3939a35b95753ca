//! What compiled programs and the runtime share: structures, codes and the C headers.
//!
//! The contract is `include/accl_abi.h`; this file mirrors it with `repr(C)` types and constants,
//! and `tests/layout.rs` compiles a C program that prints every size, offset and code and compares
//! them with these. Generated host code holds constant tables of these structures; the runtime
//! reads them and never writes to them, but for the `reserved` member of [`Var`], which it owns
//! between the begin and the end of a data construct.
//!
//! `include/openacc.h` and `include/omp.h` are what a user's `#include <openacc.h>` and `#include <omp.h>` find.
//!
//! Invariants: types here are plain data with no methods beyond readings of their own members;
//! a change of layout bumps [`ABI_VERSION`].
#![allow(unsafe_code, reason = "C strings of the tables are read through raw pointers")]

pub mod clocks;
pub mod host_memory;
pub mod parts;
pub mod pointers;
mod requirements;

pub use requirements::{REQUIREMENTS, Requirement, Requirements, c_enumeration, needs};

use std::ffi::{CStr, c_char, c_void};

/// The C header that generated host code includes.
pub const HEADER: &str = include_str!("../include/accl_abi.h");
/// The header of the OpenACC runtime routines, for user programs.
pub const OPENACC_HEADER: &str = include_str!("../include/openacc.h");
pub const ACC_PROF_HEADER: &str = include_str!("../include/acc_prof.h");
/// The header of the OpenMP runtime routines: the host compiler's, and what it lacks.
pub const OPENMP_HEADER: &str = include_str!("../include/omp.h");
/// The header of C11's atomic functions: the host compiler's, in words that clang reads.
pub const C11_ATOMICS_HEADER: &str = include_str!("../include/stdatomic.h");
/// A CUDA variant that measures how long the loops inside its gang loop are has a variable of its symbol and this ending: three
/// numbers of 64 bits, which count iterations of the gang loop, executions of the loops inside, and their iterations.
pub const MEASURED: &str = "_measured";
/// `ACCL_MOST_LANES`.
pub const MOST_LANES: u32 = 512;
/// `ACCL_CLUSTER`.
pub const CLUSTER: u32 = 8;
/// `ACCL_ABI_VERSION`.
pub const ABI_VERSION: u32 = 13;

/// `accl_site`: the place of a directive in the user's source.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub file: *const c_char,
    pub function: *const c_char,
    pub directive: *const c_char,
    pub line: i32,
    pub end_line: i32,
}

// SAFETY: a site is a constant table of the program; its strings live as long as the program.
unsafe impl Send for Site {}
// SAFETY: as above; nothing writes to a site.
unsafe impl Sync for Site {}

/// `enum accl_data_kind`.
pub mod data_kind {
    pub const COPY: u32 = 1;
    pub const COPYIN: u32 = 2;
    pub const COPYOUT: u32 = 3;
    pub const CREATE: u32 = 4;
    pub const NO_CREATE: u32 = 5;
    pub const PRESENT: u32 = 6;
    pub const DELETE: u32 = 7;
    pub const DEVICEPTR: u32 = 8;
    pub const ATTACH: u32 = 9;
    pub const DETACH: u32 = 10;
    pub const UPDATE_SELF: u32 = 11;
    pub const UPDATE_DEVICE: u32 = 12;
    pub const USE_DEVICE: u32 = 13;
}

/// `enum accl_data_flags`.
pub mod data_flags {
    pub const IMPLICIT: u32 = 1;
    pub const ZERO: u32 = 2;
    pub const READONLY: u32 = 4;
    pub const IF_PRESENT: u32 = 8;
    pub const FINALIZE: u32 = 16;
    pub const ALWAYS_IN: u32 = 32;
    pub const PRIVATE: u32 = 64;
    pub const ADDRESS: u32 = 128;
    pub const DEEP: u32 = 256;
    pub const INDIRECT: u32 = 512;
    pub const ALWAYS_OUT: u32 = 1024;
    pub const MUST_BE_PRESENT: u32 = 2048;
    pub const KEEPS_ADDRESS: u32 = 4096;
    pub const OPENMP: u32 = 8192;
    pub const TOGETHER: u32 = 16384;
    pub const PART: u32 = 32768;
    pub const RESIDENT: u32 = 65536;
    pub const OBJECT: u32 = 131072;
    pub const FOLLOWED: u32 = 262_144;
    pub const FOLLOWED_WRITTEN: u32 = 524_288;
    pub const ONE_PLACE: u32 = 1_048_576;
    pub const ROWS_READ: u32 = 2_097_152;
}

/// `accl_object`: an object with static storage.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StaticObject {
    pub address: *const c_void,
    pub bytes: usize,
}

/// `accl_dim`: one dimension of a strided section.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    pub stride: usize,
    pub count: usize,
}

/// `accl_var`: one contiguous (or, with `dims`, strided) section of one variable.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Var {
    pub name: *const c_char,
    pub base: *mut c_void,
    pub offset: usize,
    pub bytes: usize,
    pub kind: u32,
    pub flags: u32,
    pub elem_size: u32,
    pub n_dims: u32,
    pub dims: *const Dim,
    pub line: i32,
    pub reserved: i32,
    pub format: *const Format,
    pub row_bytes: usize,
    pub pointers: *const c_char,
}

/// `enum accl_scheme`.
pub mod scheme {
    pub const RANGE: u32 = 1;
    pub const AFFINE: u32 = 2;
    pub const HALF: u32 = 3;
    pub const BFLOAT: u32 = 4;
    pub const BLOCK: u32 = 5;
}

/// `enum accl_layout`.
pub mod layout {
    pub const SOA: u32 = 1;
    pub const AOS: u32 = 2;
}

/// `accl_format`: how the elements of an array are held in fewer bits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    pub scheme: u32,
    pub bits: u32,
    pub type_: u32,
    pub members: u32,
    pub layout: u32,
    pub has_range: u32,
    pub min: f64,
    pub max: f64,
    pub checked: u32,
    pub reserved: u32,
}

/// `enum accl_codec_parameter`.
pub mod codec_parameter {
    pub const SCALE: u32 = 1;
    pub const BIAS: u32 = 2;
    pub const INVERSE: u32 = 3;
    pub const OFFSET: u32 = 4;
    pub const FIRST: u32 = 5;
    pub const EXPONENTS: u32 = 6;
}

/// `enum accl_grid_rule`.
pub mod grid_rule {
    pub const ONE: u32 = 0;
    pub const TRIPS: u32 = 1;
    pub const GANGS: u32 = 2;
    pub const FIXED: u32 = 3;
}

/// `accl_variant`: one compiled form of a kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub symbol: *const c_char,
    pub needs: u32,
    pub block: [u32; 3],
    pub per_thread: [u32; 3],
    pub shared_bytes: u32,
    pub femtoseconds: u32,
}

/// `ACCL_ON_CPU`: the dynamic tile is the cpu device's.
pub const ON_CPU: u32 = u32::MAX;

/// `accl_dynamic_tile_dim`: one dimension of a dynamic tile; `before` and `after` index the launch's halo extents.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DynamicTileDim {
    pub span: u64,
    pub before: u32,
    pub after: u32,
}

/// `accl_dynamic_tile`: a shared tile whose size the launch decides.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DynamicTile {
    pub array: *const c_char,
    pub variant: u32,
    pub elem_size: u32,
    pub n_dims: u32,
    pub dims: *const DynamicTileDim,
}

/// `enum accl_arg_kind`.
pub mod arg_kind {
    pub const DATA: u32 = 1;
    pub const VALUE: u32 = 2;
    pub const REDUCTION: u32 = 3;
    pub const TRIPS: u32 = 4;
    pub const CODEC: u32 = 5;
    pub const EXTENT: u32 = 6;
    pub const STRIDE: u32 = 7;
}

/// `enum accl_arg_flags`.
pub mod arg_flags {
    pub const READ: u32 = 1;
    pub const WRITTEN: u32 = 2;
    pub const VECTOR: u32 = 4;
    pub const END: u32 = 8;
    pub const ON_CPU: u32 = 16;
    pub const DECODED: u32 = 32;
    pub const OF_ROWS: u32 = 64;
    pub const F32: u32 = 128;
    pub const F64: u32 = 256;
}

/// `accl_arg`: one argument of a kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    pub kind: u32,
    pub index: u32,
    pub size: u32,
    pub flags: u32,
}

/// `enum accl_type`.
pub mod scalar_type {
    pub const I8: u32 = 1;
    pub const U8: u32 = 2;
    pub const I16: u32 = 3;
    pub const U16: u32 = 4;
    pub const I32: u32 = 5;
    pub const U32: u32 = 6;
    pub const I64: u32 = 7;
    pub const U64: u32 = 8;
    pub const F32: u32 = 9;
    pub const F64: u32 = 10;
}

/// `enum accl_op`.
pub mod op {
    pub const ADD: u32 = 1;
    pub const MUL: u32 = 2;
    pub const MAX: u32 = 3;
    pub const MIN: u32 = 4;
    pub const BAND: u32 = 5;
    pub const BOR: u32 = 6;
    pub const BXOR: u32 = 7;
    pub const LAND: u32 = 8;
    pub const LOR: u32 = 9;
}

/// `accl_reduction`: a reduction over a whole launch.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    pub op: u32,
    pub type_: u32,
}

/// `accl_indirect_pointer`: where in device memory a kernel loads pointers that it dereferences.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct IndirectPointer {
    pub index: u32,
    pub further: u32,
    pub stride: u64,
    pub offset: u64,
    pub bytes: u64,
}

/// `accl_cpu_entry`: a kernel on the cpu device; runs `[begin, end)` of `total`.
pub type CpuEntry = unsafe extern "C" fn(begin: i64, end: i64, total: i64, args: *const *mut c_void);

/// `enum accl_kernel_flags`.
pub mod kernel_flags {
    pub const GANGS: u32 = 1;
    pub const SERIAL: u32 = 2;
    pub const VECTOR_X: u32 = 4;
    pub const FREE_X: u32 = 8;
    pub const DISTINCT: u32 = 16;
    pub const WORKERS_Y: u32 = 32;
    pub const AWAITS: u32 = 64;
    pub const DYNAMIC_TILES: u32 = 128;
    pub const STOPS: u32 = 256;
    pub const PRINTS: u32 = 512;
    pub const HAS_FALLBACK: u32 = 1024;
    pub const FALLBACK: u32 = 2048;
    pub const DISTINCT_ROWS: u32 = 4096;
    pub const DISTINCT_IN_ELEMENTS: u32 = 8192;
    pub const NO_CUDA: u32 = 16384;
    pub const NO_OPENCL: u32 = 32768;
    pub const WAITS: u32 = 65536;
}

/// `accl_kernel`: what a launch needs to know of a kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    pub site: *const Site,
    pub cpu: Option<CpuEntry>,
    pub flags: u32,
    pub n_dims: u32,
    pub grid: [u32; 3],
    pub n_variants: u32,
    pub variants: *const Variant,
    pub n_args: u32,
    pub n_reductions: u32,
    pub args: *const Arg,
    pub reductions: *const Reduction,
    pub n_indirect_pointers: u32,
    pub indirect_pointers: *const IndirectPointer,
    pub obstacle: *const c_char,
    pub cpu_apart: Option<CpuEntry>,
}

/// `accl_image`: a module compiled for one architecture.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Image {
    pub arch: *const c_char,
    pub data: *const c_void,
    pub size: usize,
}

/// `accl_module`: the device code of one translation unit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Module {
    pub abi_version: u32,
    pub n_images: u32,
    pub file: *const c_char,
    pub cuda: *const c_char,
    pub opencl: *const c_char,
    pub images: *const Image,
}

/// No `async` clause.
pub const SYNC: i64 = -1;
/// `async` without an argument.
pub const NOVAL: i64 = -2;

/// Of `accl_omp_offloads`: the construct has no device clause.
pub const OMP_DEFAULT_DEVICE: i32 = -1000;

/// `accl_launch_info`: one launch of a kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LaunchInfo {
    pub module: *const Module,
    pub kernel: *const Kernel,
    pub vars: *mut Var,
    pub values: *const *const c_void,
    pub reduction_vars: *const *mut c_void,
    pub trips: [i64; 3],
    pub num_gangs: i64,
    pub num_workers: i64,
    pub vector_length: i64,
    pub row_length: i64,
    pub async_: i64,
    pub dynamic_tiles: *const DynamicTile,
    pub halo_extents: *const i64,
    pub n_dynamic_tiles: u32,
}

// SAFETY: constant tables of the program, and nothing writes to them.
unsafe impl Send for Variant {}
// SAFETY: as above.
unsafe impl Sync for Variant {}
// SAFETY: as above.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}
// SAFETY: as above.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

/// The text of a C string of a table; empty for null, lossy where it is not UTF-8.
///
/// # Safety
/// `text` is null or points to a terminated string that outlives the program's use of the result.
pub unsafe fn text(text: *const c_char) -> std::borrow::Cow<'static, str> {
    if text.is_null() {
        return "".into();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// The slice a table's pointer and count stand for; empty for null.
///
/// # Safety
/// `first` is null or points to `count` initialised values that live for `'a` and are not written.
pub unsafe fn slice<'a, T>(first: *const T, count: u32) -> &'a [T] {
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(first, count as usize) }
}

/// Bytes of a value of `scalar_type`; 0 for a code that is none.
pub fn size_of_type(code: u32) -> usize {
    match code {
        scalar_type::I8 | scalar_type::U8 => 1,
        scalar_type::I16 | scalar_type::U16 => 2,
        scalar_type::I32 | scalar_type::U32 | scalar_type::F32 => 4,
        scalar_type::I64 | scalar_type::U64 | scalar_type::F64 => 8,
        _ => 0,
    }
}
