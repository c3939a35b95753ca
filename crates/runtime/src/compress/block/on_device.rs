//! Encoding and decoding of whole planes on a GPU.
//!
//! A thread decodes single elements, and encodes a group. They compute what [`super::group`] does.

use crate::call::CallContext;
use crate::compress::built_in_kernels::{BuiltInKernel, Step, convert as elements};
use crate::compress::{GROUP, StoredFormat};
use crate::device::Argument;
use crate::error::Result;

/// Which way a plane is converted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Decode,
    Encode,
}

/// Puts a plane of so many numbers on the call's queue: from `encoded` to `decoded`, or back.
pub fn convert(
    call: &CallContext,
    direction: Direction,
    stored: &StoredFormat,
    encoded: u64,
    decoded: u64,
    numbers: usize,
) -> Result<()> {
    let arguments = [
        Argument::Data { base: decoded, inside: decoded },
        Argument::Data { base: encoded, inside: encoded },
        Argument::Trips(stored.exponents as i64),
        Argument::Trips(numbers as i64),
        elements::bits(stored),
    ];
    let each = match direction {
        Direction::Decode => 4,
        Direction::Encode => GROUP as u64,
    };
    let step = match direction {
        Direction::Decode => Step::DecodeBlock,
        Direction::Encode => Step::EncodeBlock,
    };
    let kernel = BuiltInKernel { step, double: stored.double };
    kernel.load(call)?;
    call.put("converting an array", |queue| {
        kernel.start(call, queue, (numbers as u64).div_ceil(each), &arguments)
    });
    Ok(())
}
