//! OpenMP's runtime routines that concern devices (OpenMP 5.2 sections 18.7 and 18.8).
//!
//! A program compiled with `-fopenmp` takes these in place of those of the host compiler's OpenMP library, since the
//! runtime is linked before it; all other routines stay that library's.

mod devices;
