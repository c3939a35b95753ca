//! The device's encoding and decoding of arrays with a range; of half and bfloat arrays only that of whole ones.
//!
//! A thread decodes one number. One that encodes makes a whole word of the array, of all numbers that have bits in
//! it, so no two threads write the same word; at the ends of a piece the bits of others are kept.
//!
//! What was decoded once does not always encode to the same bits: in wide elements, and in ranges that lie far from zero, the
//! roundings of both ways add up to more than half a step. Numbers that are known to come from decoding are therefore settled:
//! encoded and, where the bits do not decode to the number, looked for, which is possible since decoding never falls as the
//! bits rise. (Different bits may decode to the same number, nobody can tell which of them there were.)

use super::own::Own;
pub use super::own::Step;
use super::{Stored, is_floating};
use crate::data::Task;
use crate::device::{Argument, QueueId};
use crate::error::Result;
use accl_abi::{codec_parameter as key, scheme};
use std::sync::atomic::{AtomicBool, Ordering};

/// Numbers of an array, side by side.
pub struct Piece {
    /// Where the first one's group begins.
    pub words: u64,
    /// Its place there.
    pub first: i64,
    pub count: i64,
}

/// The device can compile the kernel.
pub fn available(task: &Task, double: bool, step: Step) -> bool {
    static UNAVAILABLE: AtomicBool = AtomicBool::new(false);
    if UNAVAILABLE.load(Ordering::Relaxed) {
        return false;
    }
    let available = Own { step, double }.load(task).is_ok();
    UNAVAILABLE.store(!available, Ordering::Relaxed);
    available
}

/// The device can decode whole arrays that are held so, and settle them.
pub fn converts(task: &Task, stored: &Stored) -> bool {
    let steps = match is_floating(stored.scheme) {
        true => [Step::DecodeFloating, Step::SettleFloating],
        false => [Step::Decode, Step::Settle],
    };
    steps.iter().all(|step| available(task, stored.double, *step))
}

/// Puts the conversion of half or bfloat elements on the queue, to or from `plain`.
fn floating(
    task: &Task,
    queue: QueueId,
    stored: &Stored,
    piece: &Piece,
    plain: u64,
    step: Step,
) -> Result<()> {
    let held = Argument::Data { base: piece.words, inside: piece.words };
    let plain = Argument::Data { base: plain, inside: plain };
    let (to, from) = if step == Step::DecodeFloating { (plain, held) } else { (held, plain) };
    let bfloat = u32::from(stored.scheme == scheme::BFLOAT);
    let arguments = [to, from, Argument::Trips(piece.count), word(bfloat)];
    Own { step, double: stored.double }.start(task, queue, piece.count as u64, &arguments)
}

/// Puts the decoding of a piece to `to` on the queue.
pub fn decode(task: &Task, queue: QueueId, stored: &Stored, piece: &Piece, to: u64) -> Result<()> {
    if is_floating(stored.scheme) {
        return floating(task, queue, stored, piece, to, Step::DecodeFloating);
    }
    let keys = [key::SCALE, key::BIAS].map(|which| stored.key(which, 0));
    let arguments = [
        Argument::Data { base: to, inside: to },
        Argument::Data { base: piece.words, inside: piece.words },
        Argument::Trips(piece.first),
        Argument::Trips(piece.count),
        bits(stored),
        number(stored, keys[0]),
        number(stored, keys[1]),
    ];
    Own { step: Step::Decode, double: stored.double }.start(task, queue, piece.count as u64, &arguments)
}

/// Puts the encoding of a piece, plain at `from`, on the queue. Adds the number of values outside of the range to that
/// at `counter`.
pub fn encode(
    task: &Task,
    queue: QueueId,
    stored: &Stored,
    piece: &Piece,
    from: u64,
    counter: u64,
) -> Result<()> {
    let keys = [key::INVERSE, key::OFFSET].map(|which| stored.key(which, 0));
    let ends = [stored.ends().0, stored.ends().1].map(|end| stored.number(end));
    let arguments = [
        Argument::Data { base: piece.words, inside: piece.words },
        Argument::Data { base: from, inside: from },
        Argument::Data { base: counter, inside: counter },
        Argument::Trips(piece.first),
        Argument::Trips(piece.count),
        bits(stored),
        number(stored, keys[0]),
        number(stored, keys[1]),
        number(stored, ends[0]),
        number(stored, ends[1]),
    ];
    Own { step: Step::Encode, double: stored.double }.start(task, queue, words(stored, piece), &arguments)
}

/// Puts the encoding of a piece, at `from`, on the queue, of numbers that are what elements of the array decode to.
pub fn settle(task: &Task, queue: QueueId, stored: &Stored, piece: &Piece, from: u64) -> Result<()> {
    if is_floating(stored.scheme) {
        return floating(task, queue, stored, piece, from, Step::SettleFloating);
    }
    let keys = [key::INVERSE, key::OFFSET, key::SCALE, key::BIAS].map(|which| stored.key(which, 0));
    let arguments = [
        Argument::Data { base: piece.words, inside: piece.words },
        Argument::Data { base: from, inside: from },
        Argument::Trips(piece.first),
        Argument::Trips(piece.count),
        bits(stored),
        number(stored, keys[0]),
        number(stored, keys[1]),
        number(stored, keys[2]),
        number(stored, keys[3]),
    ];
    Own { step: Step::Settle, double: stored.double }.start(task, queue, words(stored, piece), &arguments)
}

/// Words from the first group's on: a thread makes one.
fn words(stored: &Stored, piece: &Piece) -> u64 {
    (((piece.first + piece.count) * i64::from(stored.bits) + 31) / 32) as u64
}

/// The width of an element.
pub fn bits(stored: &Stored) -> Argument {
    word(stored.bits)
}

fn word(value: u32) -> Argument {
    let [a, b, c, d] = value.to_ne_bytes();
    Argument::Number { bytes: [a, b, c, d, 0, 0, 0, 0], size: 4 }
}

/// A number of the elements' type.
fn number(stored: &Stored, bytes: [u8; 8]) -> Argument {
    Argument::Number { bytes, size: stored.elem_size() as u32 }
}
