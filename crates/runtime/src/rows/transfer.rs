//! Many pieces of host memory that travel together.
//!
//! Rows lie anywhere on the host, and one after the other on the device. A transfer for each would cost some microseconds
//! more than its bytes do, so pieces that are neighbours on the device travel as one: they are gathered on the way there
//! and scattered on the way back, part by part while other parts are moving. Pieces that are neighbours on both
//! sides need neither.

use crate::call::CallContext;
use crate::device::{QueueId, Rectangle};
use crate::error::Result;
use crate::location::Name;
use crate::profile::Work;
use crate::profiling::Data;
use crate::residency::touch;
use crate::transfer::{await_arrivals, expect};

/// Bytes that belong together on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPiece {
    pub host: usize,
    pub device: u64,
    pub bytes: usize,
    /// The allocation that it lies in.
    pub block: u64,
}

/// Where rows begin on the device.
pub const ALIGNMENT: usize = 64;
/// Rows of this size gain nothing by being gathered.
const LARGE: usize = 4 << 20;

impl RowPiece {
    fn end(&self) -> u64 {
        self.device + self.bytes as u64
    }
}

/// Sends pieces to the device. `padded`: what lies between them there, less than a row begins at, is nobody's.
pub fn send(call: &CallContext, name: Name, line: i32, pieces: Vec<RowPiece>, padded: bool) {
    let pieces = joined(pieces);
    if pieces.is_empty() {
        return;
    }
    let adjacent = |before: &RowPiece, next: &RowPiece| {
        before.end() == next.device || padded && next.device < before.end() + ALIGNMENT as u64
    };
    pieces.iter().for_each(|piece| await_arrivals(call, piece.host, piece.bytes));
    call.transfer(Work::Upload, line, told(name, &pieces), |queue| {
        runs(&pieces, |before, next| adjacent(before, next) || before.bytes == next.bytes).try_for_each(
            |run| match rectangle(run) {
                Some(shape) if !run.is_sorted_by(adjacent) => send_rectangle(call, queue, run, shape),
                _ => runs(run, adjacent).try_for_each(|run| gather(call, queue, run)),
            },
        )
    });
}

/// Brings pieces to the host. They are there when this returns, unless the queue is not waited for at all.
pub fn receive(call: &CallContext, name: Name, line: i32, pieces: Vec<RowPiece>) {
    let pieces = joined(pieces);
    if pieces.is_empty() {
        return;
    }
    let gathered = call.queue.is_sync();
    // What lies between two pieces comes along where it is no more than they are.
    let near = |before: &RowPiece, next: &RowPiece| {
        let gap = next.device - before.end().min(next.device);
        gathered && gap <= ALIGNMENT.max(before.bytes) as u64
    };
    pieces.iter().for_each(|piece| touch(piece.host, piece.bytes, true));
    call.transfer(Work::Download, line, told(name, &pieces), |queue| {
        runs(&pieces, near).try_for_each(|run| match run {
            [one] => receive_one(call, queue, one),
            _ => scatter(call, queue, run),
        })
    });
    pieces.iter().for_each(|piece| expect(call, piece.host, piece.bytes));
}

fn told(name: Name, pieces: &[RowPiece]) -> Data {
    let bytes = pieces.iter().map(|piece| piece.bytes).sum();
    let (host, device) = pieces.first().map_or((0, 0), |first| (first.host, first.device));
    Data { name, bytes, host, device }
}

/// Sorts pieces by their device addresses and joins those that are neighbours on both sides.
fn joined(mut pieces: Vec<RowPiece>) -> Vec<RowPiece> {
    pieces.sort_by_key(|piece| (piece.device, piece.bytes));
    let mut all: Vec<RowPiece> = Vec::with_capacity(pieces.len());
    for piece in pieces.into_iter().filter(|piece| piece.bytes > 0) {
        match all.last_mut() {
            Some(last)
                if piece.block == last.block
                    && piece.device <= last.end()
                    && piece.device - last.device == (piece.host.wrapping_sub(last.host)) as u64 =>
            {
                last.bytes = last.bytes.max((piece.device - last.device) as usize + piece.bytes);
            }
            _ => all.push(piece),
        }
    }
    all
}

/// Neighbours that travel together; large ones travel alone.
fn runs<'p>(
    pieces: &'p [RowPiece],
    together: impl Fn(&RowPiece, &RowPiece) -> bool + 'p,
) -> impl Iterator<Item = &'p [RowPiece]> {
    pieces.chunk_by(move |before, next| {
        let small = before.bytes < LARGE && next.bytes < LARGE;
        small && before.block == next.block && before.end() <= next.device && together(before, next)
    })
}

/// Rows of the same width at equal distances.
fn rectangle(run: &[RowPiece]) -> Option<Rectangle> {
    let [first, second, ..] = run else { return None };
    let pitch = (second.device - first.device) as usize;
    let regular = run
        .windows(2)
        .all(|pair| pair[1].device - pair[0].device == pitch as u64 && pair[1].bytes == first.bytes);
    let small = pitch.saturating_mul(run.len()) <= 16 * LARGE;
    (regular && small).then_some(Rectangle { width: first.bytes, rows: run.len(), pitch })
}

fn send_one(call: &CallContext, queue: QueueId, piece: &RowPiece) -> Result<()> {
    // SAFETY: the section is the user's, and on the device there is room for it.
    unsafe { call.state.device.upload(queue, piece.device, piece.host as *const u8, piece.bytes) }
}

fn receive_one(call: &CallContext, queue: QueueId, piece: &RowPiece) -> Result<()> {
    // SAFETY: as in `send_one`; the user keeps the memory until the queue is waited for.
    unsafe { call.state.device.download(queue, piece.device, piece.host as *mut u8, piece.bytes) }
}

fn send_rectangle(call: &CallContext, queue: QueueId, run: &[RowPiece], shape: Rectangle) -> Result<()> {
    let mut rows = vec![0u8; shape.pitch * (shape.rows - 1) + shape.width];
    for (row, piece) in run.iter().enumerate() {
        // SAFETY: the section is the user's.
        let source = unsafe { std::slice::from_raw_parts(piece.host as *const u8, piece.bytes) };
        rows[row * shape.pitch..][..piece.bytes].copy_from_slice(source);
    }
    // SAFETY: an upload has read its source when it returns.
    unsafe { call.state.device.upload_rectangle(queue, run[0].device, rows.as_ptr(), shape) }
}

/// Calls `each` with the parts of pieces that lie in `begin..begin + bytes`, counted from the run's start: where in that
/// stretch, at which host address, how many.
fn parts(run: &[RowPiece], begin: usize, bytes: usize, each: &mut dyn FnMut(usize, usize, usize)) {
    let start = run[0].device;
    let first = run.partition_point(|piece| ((piece.end() - start) as usize) <= begin);
    for piece in &run[first..] {
        let at = (piece.device - start) as usize;
        if at >= begin + bytes {
            break;
        }
        let (low, high) = (at.max(begin), (at + piece.bytes).min(begin + bytes));
        each(low - begin, piece.host + (low - at), high - low);
    }
}

fn extent(run: &[RowPiece]) -> usize {
    (run[run.len() - 1].end() - run[0].device) as usize
}

fn gather(call: &CallContext, queue: QueueId, run: &[RowPiece]) -> Result<()> {
    if let [one] = run {
        return send_one(call, queue, one);
    }
    let mut make = |begin: usize, to: *mut u8, bytes: usize| {
        parts(run, begin, bytes, &mut |at, host, bytes| {
            // SAFETY: the section is the user's; the other side is the transfer's own memory.
            unsafe { std::ptr::copy_nonoverlapping(host as *const u8, to.add(at), bytes) }
        });
    };
    // SAFETY: the pieces lie one after the other in one allocation.
    unsafe { call.state.device.upload_made(queue, run[0].device, extent(run), 8, &mut make) }
}

fn scatter(call: &CallContext, queue: QueueId, run: &[RowPiece]) -> Result<()> {
    let mut take = |begin: usize, from: *mut u8, bytes: usize| {
        parts(run, begin, bytes, &mut |at, host, bytes| {
            // SAFETY: the section is the user's to write.
            unsafe { std::ptr::copy_nonoverlapping(from.add(at), host as *mut u8, bytes) }
        });
    };
    // SAFETY: from the first piece to the last is one allocation, or neighbouring ones of the same.
    unsafe { call.state.device.download_taken(queue, run[0].device, extent(run), 8, &mut take) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(host: usize, device: u64, bytes: usize) -> RowPiece {
        RowPiece { host, device, bytes, block: 1000 }
    }

    #[test]
    fn neighbours_on_both_sides_are_one() {
        let pieces = vec![piece(200, 1100, 100), piece(100, 1000, 100), piece(500, 1200, 50)];
        assert_eq!(joined(pieces), [piece(100, 1000, 200), piece(500, 1200, 50)]);
        // Twice the same row, and rows that overlap.
        let pieces = vec![piece(100, 1000, 100), piece(100, 1000, 100), piece(150, 1050, 100)];
        assert_eq!(joined(pieces), [piece(100, 1000, 150)]);
    }

    #[test]
    fn parts_of_a_stretch() {
        let run = [piece(100, 1000, 10), piece(300, 1016, 10), piece(500, 1032, 10)];
        let mut seen = vec![];
        parts(&run, 8, 16, &mut |at, host, bytes| seen.push((at, host, bytes)));
        assert_eq!(seen, [(0, 108, 2), (8, 300, 8)]);
        assert_eq!(extent(&run), 42);
    }

    #[test]
    fn rectangles_are_regular() {
        let run = [piece(100, 1000, 10), piece(300, 1016, 10), piece(500, 1032, 10)];
        assert_eq!(rectangle(&run), Some(Rectangle { width: 10, rows: 3, pitch: 16 }));
        assert_eq!(rectangle(&[run[0], piece(300, 1016, 8)]), None);
    }
}
