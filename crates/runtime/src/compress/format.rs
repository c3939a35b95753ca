//! The form in which an array is encoded: widths, planes, and where an element lies.

use super::codec::parameters::{CodecParameters, limits};
use super::{GROUP, block};
use crate::config::config;
use crate::location::SourceLocation;
use accl_abi::{Arg, Format, Var, codec_parameter, layout, scalar_type, scheme};

/// A plane's numbers are a multiple of it, so that the next one begins with a group, aligned to 16 bytes.
const PLANE: usize = 128;

/// The form in which a present array is encoded.
#[derive(Clone, Copy)]
pub struct StoredFormat {
    pub scheme: u32,
    /// The bits of an element.
    pub bits: u32,
    /// The array's numbers are double, not float.
    pub double: bool,
    /// How many numbers an element has on the host; 1 where it is no structure.
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
    pub parameters: CodecParameters,
    /// What is no number is an error, not 0.
    pub checked: bool,
    /// Where the clause stands.
    pub location: SourceLocation,
    pub line: i32,
}

impl StoredFormat {
    /// A range outside of the limits is cut to them.
    /// `bytes`: of the whole array on the host.
    pub fn new(
        format: &Format,
        range: (f64, f64),
        bytes: usize,
        location: SourceLocation,
        line: i32,
    ) -> StoredFormat {
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
        StoredFormat {
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
            parameters: CodecParameters::of(format.scheme, double, min, max),
            checked: !is_floating(format.scheme) && (format.checked != 0 || config().check),
            location,
            line,
        }
    }

    /// The ends of what elements can be: the scheme's, not the data's.
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

    /// Numbers of a decoded copy of an array that has so many bytes on the host, those between planes among them.
    pub fn numbers_of_copy(&self, host: usize) -> usize {
        match self.plane {
            0 => host / self.elem_size(),
            plane => plane * self.members,
        }
    }

    /// Bytes from the beginning of a decoded copy to what stands for a variable's base, of an array that begins at `host`; for
    /// the member that the argument names.
    pub fn base_in_copy(&self, var: &Var, arg: &Arg, host: usize) -> i64 {
        let distance = (var.base as i64 - host as i64) / (self.elem_size() * self.pitch()) as i64;
        (distance + (arg.size as usize * self.plane) as i64) * self.elem_size() as i64
    }

    /// Where a plane begins, in bytes; whole groups, aligned for wide accesses.
    pub fn plane_start(&self, plane: usize) -> u64 {
        let bytes = if self.is_block() { self.plane_bytes } else { self.plane * self.bits as usize / 8 };
        (plane * bytes) as u64
    }

    /// Where the number so many bytes after the array's first is (or would be), in the first plane, and which of the
    /// plane's it is.
    pub fn locate(&self, device: u64, distance: i64) -> (u64, i64) {
        let element = distance / (self.elem_size() * self.pitch()) as i64;
        (device.wrapping_add_signed(self.locate_element(element)), element)
    }

    /// Bytes from the first element of a plane to another one, or to the group it is packed in.
    pub fn locate_element(&self, element: i64) -> i64 {
        let bits = i64::from(self.bits);
        if self.is_direct() { element * (bits / 8) } else { element.div_euclid(GROUP) * 4 * bits }
    }

    /// Which of its group the element is, where that matters.
    pub fn place_in_group(&self, element: i64) -> i64 {
        if self.is_direct() && !self.is_block() { 0 } else { element.rem_euclid(GROUP) }
    }

    /// The value of a kernel's parameter, as bytes of its type, for an array whose base is this element.
    pub fn parameter(&self, which: u32, element: impl FnOnce() -> i64) -> [u8; 8] {
        let value = match which {
            codec_parameter::SCALE => self.parameters.scale,
            codec_parameter::BIAS => self.parameters.bias,
            codec_parameter::INVERSE => self.parameters.inverse,
            codec_parameter::OFFSET => self.parameters.offset,
            codec_parameter::EXPONENTS => return self.exponent_distance(element()).to_ne_bytes(),
            _ => return self.place_in_group(element()).to_ne_bytes(),
        };
        self.number(value)
    }

    /// A number as bytes of the elements' type.
    pub fn number(&self, value: f64) -> [u8; 8] {
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
