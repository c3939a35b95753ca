//! Many pieces of host memory that travel together.
//!
//! Rows lie anywhere on the host, and one behind the other on the device. A transfer for each would cost some microseconds
//! more than its bytes do, so pieces that are neighbours on the device travel as one: they are gathered on the way there
//! and scattered on the way back, part by part while other parts are moving. Pieces that are neighbours on both
//! sides need neither.

use crate::data::Task;
use crate::device::{QueueId, Rectangle};
use crate::error::Result;
use crate::profile::Work;
use crate::site::Name;
use crate::update::{await_arrivals, expect};

/// Bytes that belong together on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
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

impl Piece {
    fn end(&self) -> u64 {
        self.device + self.bytes as u64
    }
}

/// Sends pieces to the device. `padded`: what lies between them there, less than a row begins at, is nobody's.
pub fn send(task: &Task, name: Name, line: i32, pieces: Vec<Piece>, padded: bool) {
    let pieces = joined(pieces);
    if pieces.is_empty() {
        return;
    }
    let adjacent = |before: &Piece, next: &Piece| {
        before.end() == next.device || padded && next.device < before.end() + ALIGNMENT as u64
    };
    pieces.iter().for_each(|piece| await_arrivals(task, piece.host, piece.bytes));
    task.transfer(Work::Upload, name, line, bytes(&pieces), |queue| {
        runs(&pieces, |before, next| adjacent(before, next) || before.bytes == next.bytes).try_for_each(
            |run| match rectangle(run) {
                Some(shape) if !run.is_sorted_by(adjacent) => send_rectangle(task, queue, run, shape),
                _ => runs(run, adjacent).try_for_each(|run| gather(task, queue, run)),
            },
        )
    });
}

/// Brings pieces to the host. They are there when this returns, unless the queue is not waited for at all.
pub fn receive(task: &Task, name: Name, line: i32, pieces: Vec<Piece>) {
    let pieces = joined(pieces);
    if pieces.is_empty() {
        return;
    }
    let gathered = task.queue.is_sync();
    // What lies between two pieces comes along where it is no more than they are.
    let near = |before: &Piece, next: &Piece| {
        let gap = next.device - before.end().min(next.device);
        gathered && gap <= ALIGNMENT.max(before.bytes) as u64
    };
    task.transfer(Work::Download, name, line, bytes(&pieces), |queue| {
        runs(&pieces, near).try_for_each(|run| match run {
            [one] => receive_one(task, queue, one),
            _ => scatter(task, queue, run),
        })
    });
    pieces.iter().for_each(|piece| expect(task, piece.host, piece.bytes));
}

fn bytes(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.bytes).sum()
}

/// In the order of the device, and neighbours on both sides as one.
fn joined(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by_key(|piece| (piece.device, piece.bytes));
    let mut all: Vec<Piece> = Vec::with_capacity(pieces.len());
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
    pieces: &'p [Piece],
    together: impl Fn(&Piece, &Piece) -> bool + 'p,
) -> impl Iterator<Item = &'p [Piece]> {
    pieces.chunk_by(move |before, next| {
        let small = before.bytes < LARGE && next.bytes < LARGE;
        small && before.block == next.block && before.end() <= next.device && together(before, next)
    })
}

/// Rows of the same width at equal distances.
fn rectangle(run: &[Piece]) -> Option<Rectangle> {
    let [first, second, ..] = run else { return None };
    let pitch = (second.device - first.device) as usize;
    let regular = run
        .windows(2)
        .all(|pair| pair[1].device - pair[0].device == pitch as u64 && pair[1].bytes == first.bytes);
    let small = pitch.saturating_mul(run.len()) <= 16 * LARGE;
    (regular && small).then_some(Rectangle { width: first.bytes, rows: run.len(), pitch })
}

fn send_one(task: &Task, queue: QueueId, piece: &Piece) -> Result<()> {
    // SAFETY: the section is the user's, and on the device there is room for it.
    unsafe { task.state.device.upload(queue, piece.device, piece.host as *const u8, piece.bytes) }
}

fn receive_one(task: &Task, queue: QueueId, piece: &Piece) -> Result<()> {
    // SAFETY: as in `send_one`; the user keeps the memory until the queue is waited for.
    unsafe { task.state.device.download(queue, piece.device, piece.host as *mut u8, piece.bytes) }
}

fn send_rectangle(task: &Task, queue: QueueId, run: &[Piece], shape: Rectangle) -> Result<()> {
    let mut rows = vec![0u8; shape.pitch * (shape.rows - 1) + shape.width];
    for (row, piece) in run.iter().enumerate() {
        // SAFETY: the section is the user's.
        let source = unsafe { std::slice::from_raw_parts(piece.host as *const u8, piece.bytes) };
        rows[row * shape.pitch..][..piece.bytes].copy_from_slice(source);
    }
    // SAFETY: an upload has read its source when it returns.
    unsafe { task.state.device.upload_rectangle(queue, run[0].device, rows.as_ptr(), shape) }
}

/// Calls `each` with the parts of pieces that lie in `begin..begin + bytes`, counted from the run's start: where in that
/// stretch, at which host address, how many.
fn parts(run: &[Piece], begin: usize, bytes: usize, each: &mut dyn FnMut(usize, usize, usize)) {
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

fn extent(run: &[Piece]) -> usize {
    (run[run.len() - 1].end() - run[0].device) as usize
}

fn gather(task: &Task, queue: QueueId, run: &[Piece]) -> Result<()> {
    if let [one] = run {
        return send_one(task, queue, one);
    }
    let mut make = |begin: usize, to: *mut u8, bytes: usize| {
        parts(run, begin, bytes, &mut |at, host, bytes| {
            // SAFETY: the section is the user's; the other side is the transfer's own memory.
            unsafe { std::ptr::copy_nonoverlapping(host as *const u8, to.add(at), bytes) }
        });
    };
    // SAFETY: the pieces lie one behind the other in one allocation.
    unsafe { task.state.device.upload_made(queue, run[0].device, extent(run), 8, &mut make) }
}

fn scatter(task: &Task, queue: QueueId, run: &[Piece]) -> Result<()> {
    let mut take = |begin: usize, from: *mut u8, bytes: usize| {
        parts(run, begin, bytes, &mut |at, host, bytes| {
            // SAFETY: the section is the user's to write.
            unsafe { std::ptr::copy_nonoverlapping(from.add(at), host as *mut u8, bytes) }
        });
    };
    // SAFETY: from the first piece to the last is one allocation, or neighbouring ones of the same.
    unsafe { task.state.device.download_taken(queue, run[0].device, extent(run), 8, &mut take) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(host: usize, device: u64, bytes: usize) -> Piece {
        Piece { host, device, bytes, block: 1000 }
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
