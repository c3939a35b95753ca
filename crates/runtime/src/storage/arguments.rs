//! An array of the present table as an argument of a kernel.

use super::{Storage, any_not_plain};
use crate::call::CallContext;
use crate::compress::{self, check};
use crate::device::Argument;
use crate::present::Mapping;
use crate::variable::first;
use accl_abi::Var;

/// The extent in device memory of an argument that a kernel reads or writes.
#[derive(Clone, Copy)]
pub struct ArgumentRange {
    pub begin: u64,
    pub end: u64,
    /// What the kernel's table says of the argument (`arg_flags`); 0 for what is neither read nor written.
    pub flags: u32,
    /// What the kernel indexes from; its alignment is the argument's.
    pub base: u64,
    /// Bytes from base to the end, as far as known.
    pub reach: u64,
    pub known: bool,
}

/// An array's argument, with what the choice of a variant has to know of it.
pub struct ArrayArgument {
    pub argument: Argument,
    pub range: ArgumentRange,
    /// How many numbers of the host lie from one element of an encoded array to the next; `None` for a plain one.
    pub host_pitch: Option<usize>,
}

impl ArrayArgument {
    /// The argument of an array that is stored plain.
    pub fn plain(base: u64, inside: u64, range: ArgumentRange) -> ArrayArgument {
        ArrayArgument { argument: Argument::Data { base, inside }, range, host_pitch: None }
    }
}

/// True where the array of a variable may be stored encoded, so that it has to be looked up even on a device that shares the
/// host's memory.
#[inline]
pub fn may_be_encoded(var: &Var) -> bool {
    !var.format.is_null() || any_not_plain()
}

/// Ends the program where the kernel was compiled for another form of the array than the device stores.
#[inline]
pub fn check(call: &CallContext, var: &Var, flags: u32, mapping: &Mapping) {
    if !(mapping.storage.is_plain() && var.format.is_null()) {
        check::argument(call, var, flags, mapping);
    }
}

/// The argument for a variable inside a mapping. `plane`: the member that the kernel uses, of an array of structures that is
/// stored member by member.
#[inline]
pub fn argument(mapping: &Mapping, var: &Var, flags: u32, plane: usize) -> ArrayArgument {
    match &mapping.storage {
        Storage::Plain => plain(mapping, var, flags),
        // Whatever the section, its elements lie anywhere in the mapping.
        Storage::ColumnMajor(_) => plain(mapping, &Var { bytes: 0, ..*var }, flags),
        Storage::Encoded(array) => compress::arguments::argument(mapping, &array.stored, var, flags, plane),
    }
}

fn plain(mapping: &Mapping, var: &Var, flags: u32) -> ArrayArgument {
    let (base, inside) = (mapping.translate(var.base as usize), mapping.translate(first(var)));
    let range = section(mapping, var, flags, base, inside);
    ArrayArgument::plain(base, inside_of(mapping, inside), range)
}

/// The extent of a variable's section, which begins at `begins` on the device. An empty one stands for a pointer whose extent
/// the compiler does not know: it is the whole mapping's.
#[inline]
pub fn section(mapping: &Mapping, var: &Var, flags: u32, base: u64, begins: u64) -> ArgumentRange {
    let (begin, end, reach) = if var.bytes > 0 {
        let end = first(var) + var.bytes;
        (begins, mapping.translate(end), var.offset.wrapping_add(var.bytes) as u64)
    } else {
        (mapping.device, mapping.device + mapping.device_bytes() as u64, mapping.bytes as u64)
    };
    ArgumentRange { begin, end, flags, base, reach, known: true }
}

/// An address that lies in the mapping's allocation, for one that may be just past its end, or before it where only later elements
/// are mapped.
#[inline]
pub fn inside_of(mapping: &Mapping, address: u64) -> u64 {
    let all = mapping.device..mapping.device + mapping.device_bytes() as u64;
    if all.contains(&address) { address } else { mapping.device }
}

/// The bytes of a parameter of the array's codec, for a kernel that indexes from the variable's base. Zeros for an array that is
/// not there, of which nothing is decoded.
pub fn codec_parameter(mapping: Option<&mut Mapping>, var: &Var, which: u32) -> [u8; 8] {
    let parameter = |mapping: &mut Mapping| {
        let element = || mapping.locate(var.base as usize).1;
        Some(mapping.storage.encoded()?.stored.parameter(which, element))
    };
    mapping.and_then(parameter).unwrap_or_default()
}
