//! The functions by which programs read the time. The driver links programs through the runtime's wrappers of them
//! (`--wrap`), which wait for synchronous constructs under way; the runtime's archive has an object for each.

/// Of the C library.
pub const LIBC: &[&str] =
    &["gettimeofday", "clock_gettime", "timespec_get", "clock", "time", "times", "getrusage"];

/// Of libraries for parallel programs.
pub const PARALLEL: &[&str] = &["omp_get_wtime", "MPI_Wtime", "PMPI_Wtime"];

/// `std::chrono::{system,steady}_clock::now`, of libstdc++ and of libc++.
pub const CXX: &[&str] = &[
    "_ZNSt6chrono3_V212system_clock3nowEv",
    "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt3__16chrono12system_clock3nowEv",
    "_ZNSt3__16chrono12steady_clock3nowEv",
];

pub fn all() -> impl Iterator<Item = &'static str> {
    [LIBC, PARALLEL, CXX].into_iter().flatten().copied()
}
