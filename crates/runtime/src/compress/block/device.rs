//! Encoding and decoding of whole planes on a GPU.
//!
//! A thread decodes single elements, and encodes a group. They compute what [`super::group`] does.

use crate::compress::own::{Own, Step};
use crate::compress::{GROUP, Stored, kernels};
use crate::data::Task;
use crate::device::Argument;
use crate::error::Result;

/// Which way, and of what.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Decode,
    Encode,
}

/// Puts a plane of so many numbers on the task's queue: `held` on the device, `plain` beside it.
pub fn convert(task: &Task, way: Way, stored: &Stored, held: u64, plain: u64, numbers: usize) -> Result<()> {
    let arguments = [
        Argument::Data { base: plain, inside: plain },
        Argument::Data { base: held, inside: held },
        Argument::Trips(stored.exponents as i64),
        Argument::Trips(numbers as i64),
        kernels::bits(stored),
    ];
    let each = match way {
        Way::Decode => 4,
        Way::Encode => GROUP as u64,
    };
    let step = match way {
        Way::Decode => Step::DecodeBlock,
        Way::Encode => Step::EncodeBlock,
    };
    let own = Own { step, double: stored.double };
    own.load(task)?;
    task.put("converting an array", |queue| {
        own.start(task, queue, (numbers as u64).div_ceil(each), &arguments)
    });
    Ok(())
}
