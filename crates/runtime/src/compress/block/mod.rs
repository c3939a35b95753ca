//! Block floating point: groups of 32 numbers that share an exponent.
//!
//! With M the largest magnitude of a group and e its exponent, but at least that of the smallest normal number, an
//! element is the nearest whole number of steps of 2^(e + 2 - bits), kept as what it is above the lowest such number. It
//! is off by at most M / 2^(bits - 1). Infinities count as the largest number, NaN as 0. The exponents, as the floats have
//! them (a byte of a float, 16 bits of a double), lie after a plane's elements ([`StoredFormat::exponents`]); a group whose
//! exponent is 0 holds zeros, as memory that was cleared does.
//!
//! [`group`] encodes and decodes groups, [`runs`] arrays of them by all cores, [`transfer`] moves them. [`on_device`] has
//! them converted by a GPU, for [`written`]: kernels that write such an array get a decoded copy of it.
//!
//! Invariant: host and device compute the same bits. Each way has one rounding at most, that of the encoding's addition.

pub mod group;
pub mod on_device;
pub mod runs;
#[cfg(test)]
mod tests;
pub mod transfer;
pub mod written;

use super::{GROUP, StoredFormat};
use accl_abi::scheme;

/// Where planes and their exponents begin: whole wide accesses.
const ALIGNED: usize = 16;

/// A plane of so many numbers: where its exponents begin, and how many bytes all of it has.
pub fn extents(bits: u32, double: bool, numbers: usize) -> (usize, usize) {
    let groups = numbers.div_ceil(GROUP as usize);
    // Packed elements are followed by words that are read but never used.
    let elements = (groups * group_bytes(bits) + 8).next_multiple_of(ALIGNED);
    (elements, elements + (groups * exponent_bytes(double)).next_multiple_of(ALIGNED))
}

/// Bytes of a group's elements.
pub fn group_bytes(bits: u32) -> usize {
    4 * bits as usize
}

/// Bytes of an exponent.
pub fn exponent_bytes(double: bool) -> usize {
    if double { 2 } else { 1 }
}

impl StoredFormat {
    pub fn is_block(&self) -> bool {
        self.scheme == scheme::BLOCK
    }

    /// Bytes from the address that [`StoredFormat::locate`] gives for an element to the exponent of its group.
    pub fn exponent_distance(&self, element: i64) -> i64 {
        let exponent = self.exponents as i64 + element.div_euclid(GROUP) * exponent_bytes(self.double) as i64;
        exponent - self.locate_element(element)
    }
}
