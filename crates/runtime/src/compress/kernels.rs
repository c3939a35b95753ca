//! The device's encoding and decoding of arrays with a range.
//!
//! A thread decodes one number. One that encodes makes a whole word of the array, of all numbers that have bits in
//! it, so no two threads write the same word; at the ends of a piece the bits of others are kept.

use super::Stored;
use super::own::Own;
use crate::data::Task;
use crate::device::{Argument, QueueId};
use crate::error::Result;
use accl_abi::key;
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
pub fn available(task: &Task, double: bool, encodes: bool) -> bool {
    static UNAVAILABLE: AtomicBool = AtomicBool::new(false);
    if UNAVAILABLE.load(Ordering::Relaxed) {
        return false;
    }
    let available = own(double, encodes).load(task).is_ok();
    UNAVAILABLE.store(!available, Ordering::Relaxed);
    available
}

fn own(double: bool, encodes: bool) -> Own {
    Own { blocks: false, double, encodes }
}

/// Puts the decoding of a piece to `to` on the queue.
pub fn decode(task: &Task, queue: QueueId, stored: &Stored, piece: &Piece, to: u64) -> Result<()> {
    let keys = [key::SCALE, key::BIAS].map(|which| stored.key(which, 0));
    let arguments = [
        Argument::Data { base: to, inside: to },
        Argument::Data { base: piece.words, inside: piece.words },
        Argument::Trips(piece.first),
        Argument::Trips(piece.count),
        bits(stored),
        number(stored, &keys[0]),
        number(stored, &keys[1]),
    ];
    own(stored.double, false).start(task, queue, piece.count as u64, &arguments)
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
        number(stored, &keys[0]),
        number(stored, &keys[1]),
        number(stored, &ends[0]),
        number(stored, &ends[1]),
    ];
    let words = ((piece.first + piece.count) * i64::from(stored.bits) + 31) / 32;
    own(stored.double, true).start(task, queue, words as u64, &arguments)
}

fn bits(stored: &Stored) -> Argument {
    Argument::Value { address: (&raw const stored.bits).cast(), size: 4 }
}

fn number(stored: &Stored, bytes: &[u8; 8]) -> Argument {
    Argument::Value { address: bytes.as_ptr().cast(), size: stored.elem_size() as u32 }
}
