//! Compressed arrays (an extension): the device holds an array's elements in fewer bits.
//!
//! An entry of the present table that was made by a compressed clause has a [`Stored`]: the format, the range and
//! the keys that follow from it. What is copied in is encoded on the way, what is copied out decoded
//! ([`transfer`]). A launch hands the keys to the kernel and compares formats: a kernel that was compiled for
//! another one is refused ([`check`]).
//!
//! Invariant: host and device compute the same bits: one fused multiply-add each way, on the same keys
//! ([`codec`] here, and [`block`], `compress::elements` of the compiler's transforms there).

pub mod advice;
pub mod block;
pub mod check;
pub mod codec;
pub mod copies;
pub mod floating;
mod kernels;
pub mod offload;
mod own;
pub mod packed;
pub mod range;
pub mod report;
pub mod settle;
pub mod shares;
#[cfg(target_arch = "x86_64")]
mod simd;
#[cfg(target_arch = "x86_64")]
mod simd512;
mod stream;
#[cfg(test)]
mod tests;
pub mod transfer;

use crate::config::config;
use crate::site::Place;
use accl_abi::{Format, codec_parameter as key, layout, scalar_type, scheme};

/// Elements of a group: its bits are a whole number of 32-bit words for every width.
pub const GROUP: i64 = 32;

/// A plane's numbers are a multiple of it, so that the next one begins with a group, aligned to 16 bytes.
const PLANE: usize = 128;

/// How a present array is held.
#[derive(Clone, Copy)]
pub struct Stored {
    pub scheme: u32,
    /// Of an element.
    pub bits: u32,
    /// Numbers are double, not float.
    pub double: bool,
    /// Numbers of an element on the host; 1 where it is no structure.
    pub members: usize,
    /// Each member has a plane of its own, of so many numbers; 0: they lie as on the host.
    pub plane: usize,
    /// Block elements: bytes from a plane's first element to its first exponent, and all of a plane; else 0.
    pub exponents: usize,
    pub plane_bytes: usize,
    /// The user gave the range, or none is needed.
    pub has_range: bool,
    pub min: f64,
    pub max: f64,
    pub keys: Keys,
    /// What is no number is an error, not 0.
    pub checked: bool,
    /// Where the clause stands.
    pub place: Place,
    pub line: i32,
}

/// See `accl_key` of accl_abi.h. For arrays of float the members are floats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keys {
    pub scale: f64,
    pub bias: f64,
    pub inverse: f64,
    pub offset: f64,
}

impl Keys {
    /// For a range of finite numbers, the smaller first.
    pub fn of(scheme: u32, double: bool, min: f64, max: f64) -> Keys {
        let keys = if scheme == scheme::AFFINE { Keys::affine(min, max) } else { Keys::symmetric(min, max) };
        if double { keys } else { keys.narrowed() }
    }

    /// The paper's: over [-M, M].
    fn symmetric(min: f64, max: f64) -> Keys {
        let m = min.abs().max(max.abs());
        if m == 0.0 {
            return Keys { scale: 0.0, bias: 0.0, inverse: 0.0, offset: 1.5 };
        }
        Keys { scale: 2.0 * m, bias: -3.0 * m, inverse: 1.0 / (2.0 * m), offset: 1.5 }
    }

    /// Over [min, max].
    fn affine(min: f64, max: f64) -> Keys {
        let extent = max - min;
        if extent == 0.0 {
            return Keys { scale: 0.0, bias: min, inverse: 0.0, offset: 1.5 };
        }
        let inverse = 1.0 / extent;
        Keys { scale: extent, bias: min - extent, inverse, offset: 1.0 - min * inverse }
    }

    fn narrowed(self) -> Keys {
        let narrow = |x: f64| f64::from(x as f32);
        Keys {
            scale: narrow(self.scale),
            bias: narrow(self.bias),
            inverse: narrow(self.inverse),
            offset: narrow(self.offset),
        }
    }
}

/// The magnitudes that keys can be made for, by the type of the elements: beyond them 3M would overflow, or 1/2M be
/// no normal number.
pub fn limits(double: bool) -> (f64, f64) {
    if double {
        (f64::MIN_POSITIVE, f64::MAX / 8.0)
    } else {
        (f32::MIN_POSITIVE.into(), f64::from(f32::MAX) / 8.0)
    }
}

impl Stored {
    /// A range outside of the limits is cut to them.
    /// `bytes`: of the whole array on the host.
    pub fn new(format: &Format, range: (f64, f64), bytes: usize, place: Place, line: i32) -> Stored {
        let double = format.type_ == scalar_type::F64;
        let (least, most) = limits(double);
        let (mut min, mut max) = (range.0.clamp(-most, most), range.1.clamp(-most, most));
        let extent = if format.scheme == scheme::AFFINE { max - min } else { min.abs().max(max.abs()) };
        if extent != 0.0 && extent < least {
            (min, max) = if format.scheme == scheme::AFFINE { (min, min + least) } else { (-least, least) };
        }
        let members = format.members.max(1) as usize;
        let numbers = bytes / if double { 8 } else { 4 };
        let planes = members > 1 && format.layout == layout::SOA;
        let plane = if planes { (numbers / members).next_multiple_of(PLANE) } else { 0 };
        let (exponents, plane_bytes) = match format.scheme {
            scheme::BLOCK => block::extents(format.bits, double, if planes { plane } else { numbers }),
            _ => (0, 0),
        };
        Stored {
            scheme: format.scheme,
            bits: format.bits,
            double,
            members,
            plane,
            exponents,
            plane_bytes,
            has_range: format.has_range != 0 || !is_ranged(format.scheme),
            min,
            max,
            keys: Keys::of(format.scheme, double, min, max),
            checked: !is_floating(format.scheme) && (format.checked != 0 || config().check),
            place,
            line,
        }
    }

    /// The ends of what can be held: the scheme's, not the data's.
    pub fn ends(&self) -> (f64, f64) {
        let m = self.min.abs().max(self.max.abs());
        if self.scheme == scheme::AFFINE { (self.min, self.max) } else { (-m, m) }
    }

    /// Bytes of a number on the host.
    pub fn elem_size(&self) -> usize {
        if self.double { 8 } else { 4 }
    }

    /// Numbers on the host from one of a plane to the next.
    pub fn pitch(&self) -> usize {
        if self.plane > 0 { self.members } else { 1 }
    }

    /// Elements are integers of their own.
    pub fn is_direct(&self) -> bool {
        matches!(self.bits, 8 | 16 | 32)
    }

    /// Device bytes of an array of so many bytes on the host. Packed ones end in a word that is read but never used, so that an
    /// element's second and third word can be read always.
    pub fn bytes(&self, host: usize) -> usize {
        if self.is_block() {
            return self.plane_bytes * self.pitch();
        }
        let numbers = if self.plane > 0 { self.plane * self.members } else { host / self.elem_size() };
        let bits = numbers * self.bits as usize;
        if self.is_direct() { bits / 8 } else { bits.div_ceil(32) * 4 + 8 }
    }

    /// Where a plane begins, in bytes; whole groups, aligned for wide accesses.
    pub fn plane_start(&self, plane: usize) -> u64 {
        let bytes = if self.is_block() { self.plane_bytes } else { self.plane * self.bits as usize / 8 };
        (plane * bytes) as u64
    }

    /// Where the number so many bytes behind the array's first is (or would be), in the first plane, and which of the
    /// plane's it is.
    pub fn locate(&self, device: u64, distance: i64) -> (u64, i64) {
        let element = distance / (self.elem_size() * self.pitch()) as i64;
        (device.wrapping_add_signed(self.locate_element(element)), element)
    }

    /// Bytes from the first element of a plane to another one, or to the group it is packed in.
    fn locate_element(&self, element: i64) -> i64 {
        let bits = i64::from(self.bits);
        if self.is_direct() { element * (bits / 8) } else { element.div_euclid(GROUP) * 4 * bits }
    }

    /// Which of its group the element is, where that matters.
    pub fn place_in_group(&self, element: i64) -> i64 {
        if self.is_direct() && !self.is_block() { 0 } else { element.rem_euclid(GROUP) }
    }

    /// The value of a kernel's parameter, as bytes of its type, for an array whose base is this element.
    pub fn key(&self, which: u32, element: i64) -> [u8; 8] {
        let value = match which {
            key::SCALE => self.keys.scale,
            key::BIAS => self.keys.bias,
            key::INVERSE => self.keys.inverse,
            key::OFFSET => self.keys.offset,
            key::EXPONENTS => return self.exponent_distance(element).to_ne_bytes(),
            _ => return self.place_in_group(element).to_ne_bytes(),
        };
        self.number(value)
    }

    /// A number as bytes of the elements' type.
    fn number(&self, value: f64) -> [u8; 8] {
        if self.double {
            return value.to_ne_bytes();
        }
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&(value as f32).to_ne_bytes());
        bytes
    }

    /// The words of messages: "range, 16 bits".
    pub fn words(&self) -> String {
        words(self.scheme, self.bits) + if self.members > 1 && self.plane == 0 { ", aos" } else { "" }
    }

    /// What a construct was compiled for.
    pub fn is(&self, format: &Format) -> bool {
        let planes = format.members > 1 && format.layout == layout::SOA;
        (self.scheme, self.bits, self.double)
            == (format.scheme, format.bits, format.type_ == scalar_type::F64)
            && (self.members, self.plane > 0) == (format.members.max(1) as usize, planes)
    }
}

/// Elements are floating numbers themselves.
pub fn is_floating(scheme: u32) -> bool {
    matches!(scheme, scheme::HALF | scheme::BFLOAT)
}

/// Elements lie in a range of the array's.
pub fn is_ranged(scheme: u32) -> bool {
    matches!(scheme, scheme::RANGE | scheme::AFFINE)
}

/// "range, 16 bits"
pub fn words(scheme: u32, bits: u32) -> String {
    let name = match scheme {
        scheme::AFFINE => "affine",
        scheme::HALF => "half",
        scheme::BFLOAT => "bfloat",
        scheme::BLOCK => "block",
        _ => "range",
    };
    format!("{name}, {bits} bits")
}
