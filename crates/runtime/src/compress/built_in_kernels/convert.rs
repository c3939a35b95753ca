//! The device's encoding and decoding of arrays with a range; of half and bfloat arrays only that of whole ones.
//!
//! A thread decodes one number. One that encodes makes a whole word of the array, of all numbers that have bits in
//! it, so no two threads write the same word; at the ends of a run the bits of others are kept.
//!
//! What was decoded once does not always encode to the same bits: in wide elements, and in ranges that lie far from zero, the
//! roundings of both ways add up to more than half a step. Numbers that are known to come from decoding are therefore re-encoded:
//! encoded and, where the bits do not decode to the number, looked for, which is possible since decoding never falls as the
//! bits rise. (Different bits may decode to the same number, nobody can tell which of them there were.)

use super::{BuiltInKernel, Step};
use crate::call::CallContext;
use crate::compress::{StoredFormat, is_floating};
use crate::device::{Argument, QueueId};
use crate::error::Result;
use accl_abi::{codec_parameter, scheme};
use std::sync::atomic::{AtomicBool, Ordering};

/// Elements of an array, side by side.
pub struct ElementRun {
    /// Where the first one's group begins.
    pub words: u64,
    /// Which element of its group the first one is.
    pub first: i64,
    pub count: i64,
}

/// The device can compile the kernel.
pub fn available(call: &CallContext, double: bool, step: Step) -> bool {
    static UNAVAILABLE: AtomicBool = AtomicBool::new(false);
    if UNAVAILABLE.load(Ordering::Relaxed) {
        return false;
    }
    let available = BuiltInKernel { step, double }.load(call).is_ok();
    UNAVAILABLE.store(!available, Ordering::Relaxed);
    available
}

/// The device can decode whole arrays of this format, and encode them again.
pub fn available_for(call: &CallContext, stored: &StoredFormat) -> bool {
    let steps = match is_floating(stored.scheme) {
        true => [Step::DecodeFloating, Step::ReencodeFloating],
        false => [Step::Decode, Step::Reencode],
    };
    steps.iter().all(|step| available(call, stored.double, *step))
}

/// Puts the conversion of half or bfloat elements on the queue, to or from `plain`.
fn floating(
    call: &CallContext,
    queue: QueueId,
    stored: &StoredFormat,
    run: &ElementRun,
    plain: u64,
    step: Step,
) -> Result<()> {
    let encoded = Argument::Data { base: run.words, inside: run.words };
    let plain = Argument::Data { base: plain, inside: plain };
    let (to, from) = if step == Step::DecodeFloating { (plain, encoded) } else { (encoded, plain) };
    let bfloat = u32::from(stored.scheme == scheme::BFLOAT);
    let arguments = [to, from, Argument::Trips(run.count), word(bfloat)];
    BuiltInKernel { step, double: stored.double }.start(call, queue, run.count as u64, &arguments)
}

/// Puts the decoding of a run to `to` on the queue.
pub fn decode(
    call: &CallContext,
    queue: QueueId,
    stored: &StoredFormat,
    run: &ElementRun,
    to: u64,
) -> Result<()> {
    if is_floating(stored.scheme) {
        return floating(call, queue, stored, run, to, Step::DecodeFloating);
    }
    let parameters =
        [codec_parameter::SCALE, codec_parameter::BIAS].map(|which| stored.parameter(which, || 0));
    let arguments = [
        Argument::Data { base: to, inside: to },
        Argument::Data { base: run.words, inside: run.words },
        Argument::Trips(run.first),
        Argument::Trips(run.count),
        bits(stored),
        number(stored, parameters[0]),
        number(stored, parameters[1]),
    ];
    BuiltInKernel { step: Step::Decode, double: stored.double }.start(
        call,
        queue,
        run.count as u64,
        &arguments,
    )
}

/// Puts the encoding of a run, plain at `from`, on the queue. Adds the number of values outside of the range to that
/// at `counter`.
pub fn encode(
    call: &CallContext,
    queue: QueueId,
    stored: &StoredFormat,
    run: &ElementRun,
    from: u64,
    counter: u64,
) -> Result<()> {
    let parameters =
        [codec_parameter::INVERSE, codec_parameter::OFFSET].map(|which| stored.parameter(which, || 0));
    let ends = [stored.ends().0, stored.ends().1].map(|end| stored.number(end));
    let arguments = [
        Argument::Data { base: run.words, inside: run.words },
        Argument::Data { base: from, inside: from },
        Argument::Data { base: counter, inside: counter },
        Argument::Trips(run.first),
        Argument::Trips(run.count),
        bits(stored),
        number(stored, parameters[0]),
        number(stored, parameters[1]),
        number(stored, ends[0]),
        number(stored, ends[1]),
    ];
    BuiltInKernel { step: Step::Encode, double: stored.double }.start(
        call,
        queue,
        words(stored, run),
        &arguments,
    )
}

/// Puts the encoding of a run, at `from`, on the queue, of numbers that are what elements of the array decode to.
pub fn reencode(
    call: &CallContext,
    queue: QueueId,
    stored: &StoredFormat,
    run: &ElementRun,
    from: u64,
) -> Result<()> {
    if is_floating(stored.scheme) {
        return floating(call, queue, stored, run, from, Step::ReencodeFloating);
    }
    let parameters =
        [codec_parameter::INVERSE, codec_parameter::OFFSET, codec_parameter::SCALE, codec_parameter::BIAS]
            .map(|which| stored.parameter(which, || 0));
    let arguments = [
        Argument::Data { base: run.words, inside: run.words },
        Argument::Data { base: from, inside: from },
        Argument::Trips(run.first),
        Argument::Trips(run.count),
        bits(stored),
        number(stored, parameters[0]),
        number(stored, parameters[1]),
        number(stored, parameters[2]),
        number(stored, parameters[3]),
    ];
    BuiltInKernel { step: Step::Reencode, double: stored.double }.start(
        call,
        queue,
        words(stored, run),
        &arguments,
    )
}

/// Words from the first group's on: a thread makes one.
fn words(stored: &StoredFormat, run: &ElementRun) -> u64 {
    (((run.first + run.count) * i64::from(stored.bits) + 31) / 32) as u64
}

/// The width of an element.
pub fn bits(stored: &StoredFormat) -> Argument {
    word(stored.bits)
}

fn word(value: u32) -> Argument {
    let [a, b, c, d] = value.to_ne_bytes();
    Argument::Number { bytes: [a, b, c, d, 0, 0, 0, 0], size: 4 }
}

/// A number of the elements' type.
fn number(stored: &StoredFormat, bytes: [u8; 8]) -> Argument {
    Argument::Number { bytes, size: stored.elem_size() as u32 }
}
