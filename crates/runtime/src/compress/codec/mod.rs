//! The codec: arithmetic that makes elements of numbers and numbers of elements, in the host's memory.
//!
//! [`elements`] has the arithmetic of elements with a range, by the [`parameters`] that follow from it ([`range`] finds it in the
//! data); [`floating`] that of half and bfloat. [`packed`] elements, of whatever width, are encoded and decoded by whole groups,
//! with the processor's vectors where there are loops for them (`simd`, `simd512`). [`parallel`] does all of this on all
//! cores, and [`stream`] keeps large results out of the caches.

pub mod elements;
pub mod floating;
pub mod packed;
pub mod parallel;
pub mod parameters;
pub mod range;
#[cfg(target_arch = "x86_64")]
mod simd;
#[cfg(target_arch = "x86_64")]
mod simd512;
pub mod stream;
