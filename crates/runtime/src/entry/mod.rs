//! The C entry points.
//!
//! `construct` has those of accl_abi.h, which the compiler emits calls of; `routine` and
//! `routine_data` have the OpenACC runtime routines, which users call, `routine_prof` those of the profiling interface, `routine_compress` those of an
//! extension, `list` those for lists of data, `routine_openmp` those of OpenMP, `strips` what kernels of the cpu device call. Each is a thin shell: it
//! turns C arguments into Rust ones, stops panics, and leaves the work to the rest of the crate.

mod construct;
mod known;
mod list;
mod routine;
mod routine_compress;
mod routine_data;
mod routine_openmp;
mod routine_prof;
mod strips;

pub use routine_openmp::ROUTINES as OPENMP_ROUTINES;
pub use routine_openmp::omp_get_num_devices as openmp_devices;
pub use routine_prof::load_libraries as load_profiling_libraries;

use crate::location::SourceLocation;
use accl_abi::Site;

/// Where the work done at the end of the program belongs to.
pub fn at_exit_place() -> SourceLocation {
    static EXIT: Site = crate::location::routine(c"exit");
    SourceLocation(&EXIT)
}
