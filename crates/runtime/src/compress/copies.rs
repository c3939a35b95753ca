//! Plain copies of compressed arrays, on the device.
//!
//! A kernel may have versions that have plain copies of arrays (`ACCL_NEEDS_DECODED`). They are taken where the copies pay:
//! at once for arrays that the kernel reads many times, and otherwise where the device's cache holds the launch's arrays,
//! so that compression saves nothing, from the second kernel on. A copy is kept with the present table's entry. Arrays that the
//! kernel writes are written there, rounded to what they can hold, and the held form follows when somebody asks for it
//! ([`settle`]); it is out of date once the held form is written.
//!
//! Small launches follow each other by the thousand, so those whose copies are there, and those that want none, take no
//! heap memory. They are repeated without a look at the copies (`launch::memo`) for as long as nothing is known anew of them.
//!
//! The decoding kernel is the runtime's own ([`kernels`]). Where it cannot be compiled, or memory is short, the versions
//! that decode by themselves run.

use super::settle::{self, Alone, Copies, Copy};
use super::{Stored, block, check, kernels};
use crate::data::{Held, Task, first};
use crate::device::{Argument, Kind, QueueId};
use crate::launch::Range;
use crate::log;
use crate::site::Name;
use accl_abi::{Arg, LaunchInfo, Var, arg_flags, arg_kind};
use std::sync::atomic::Ordering;

/// An array that is to be decoded.
pub struct Wanted {
    /// Of the mapping.
    start: usize,
    pub stored: Stored,
    pub bytes: usize,
    pub device: u64,
    copies: Copies,
    queues: Vec<QueueId>,
    name: Name,
}

/// Puts copies in the place of the arguments that decoded versions take plain, if they pay; false: all arguments are as they are
/// held. Either way these are what the kernel may use, when it is put on the task's queue.
pub fn provide(
    task: &Task,
    alone: &Alone,
    info: &LaunchInfo,
    table: &[Arg],
    decoded: Option<Decoded>,
    arguments: &mut [Argument],
    ranges: &mut [Range],
) -> bool {
    if task.state.device.info().kind == Kind::Cpu || check::PRESENT.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let fits = in_cache(task, ranges);
    let mut held = None;
    let handed = decoded.is_some_and(|decoded| {
        if !(fits || decoded.reused) || written_by_another_name(table, ranges) {
            return false;
        }
        let Some(seen) = seen(task, &mut held, info, table) else { return false };
        if !(decoded.reused || seen.pays()) {
            return false;
        }
        if !seen.ready {
            drop(held.take());
            if !make(task, info, table) {
                return false;
            }
        }
        hand(task, &mut held, info, table, arguments, ranges);
        true
    });
    for arg in table.iter().filter(|arg| arg.kind == arg_kind::DATA && !(handed && is_decoded(arg))) {
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        if check::format(var).is_some()
            && let Some(mapping) = task.mapping(&mut held, first(var), var.bytes)
        {
            settle::for_kernel(task, alone, mapping, arg.flags, fits && is_decoded(arg));
        }
    }
    handed
}

/// What versions with decoded copies there are.
#[derive(Clone, Copy)]
pub struct Decoded {
    /// Their arrays are read many times.
    pub reused: bool,
}

/// The device's cache would hold the launch's arrays if all were plain, with room to spare for what is written.
pub fn in_cache(task: &Task, ranges: &[Range]) -> bool {
    let bytes: u64 = ranges.iter().map(|range| range.reach).sum();
    bytes <= task.state.device.info().cache / 2
}

/// What the kernel has a copy of, it writes as it is held under another name.
fn written_by_another_name(table: &[Arg], ranges: &[Range]) -> bool {
    let written = |(arg, range): &(&Arg, &Range)| {
        arg.flags & arg_flags::WRITTEN != 0 && !is_decoded(arg) && range.end > 0
    };
    table.iter().zip(ranges).filter(written).any(|(_, written)| {
        let overlaps = |range: &Range| !(written.end <= range.begin || range.end <= written.begin);
        table.iter().zip(ranges).any(|(arg, range)| is_decoded(arg) && overlaps(range))
    })
}

/// What is known of the arrays that decoded versions take plain.
struct Seen {
    /// Copies that hold are there, on the task's queue.
    ready: bool,
    /// Some are ahead: without them they would have to be settled.
    ahead: bool,
    /// Some are written.
    writes: bool,
    /// What is read has a copy, or was read before.
    read_before: bool,
    /// The same, or it is written by kernels that could write a copy.
    known_before: bool,
    pays_to_write: bool,
}

impl Seen {
    fn pays(&self) -> bool {
        self.pays_to_write && (self.read_before || self.writes && self.known_before || self.ahead)
    }
}

/// Counts this kernel as one that reads them; `None` where there are none, or one is not there, or not compressed.
fn seen(task: &Task, held: &mut Held, info: &LaunchInfo, table: &[Arg]) -> Option<Seen> {
    let mut all: Option<Seen> = None;
    for arg in table.iter().filter(|arg| is_decoded(arg)) {
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let mapping = task.mapping(held, first(var), var.bytes)?;
        let stored = mapping.stored?;
        let copies = &mut mapping.copies;
        let seen = all.get_or_insert(Seen {
            ready: true,
            ahead: false,
            writes: false,
            read_before: true,
            known_before: true,
            pays_to_write: true,
        });
        let copy = copies.copy().filter(Copy::holds);
        seen.ready &= copy.is_some_and(|copy| copy.queue() == task.queue.id);
        seen.ahead |= copy.is_some_and(|copy| copy.is_ahead());
        if arg.flags & arg_flags::WRITTEN != 0 {
            seen.writes = true;
            seen.pays_to_write &= copies.pays_to_write()
                && (copy.is_some_and(|copy| copy.is_ahead()) || kernels::converts(task, &stored));
        } else {
            let read_before = copies.read() || copy.is_some();
            seen.read_before &= read_before;
            seen.known_before &= read_before || copies.was_written();
        }
    }
    all
}

fn is_decoded(arg: &Arg) -> bool {
    arg.kind == arg_kind::DATA && arg.flags & arg_flags::DECODED != 0
}

/// Replaces the arguments by their copies, which are ahead from now on where the kernel writes them.
fn hand(
    task: &Task,
    held: &mut Held,
    info: &LaunchInfo,
    table: &[Arg],
    arguments: &mut [Argument],
    ranges: &mut [Range],
) {
    for (i, arg) in table.iter().enumerate().filter(|(_, arg)| is_decoded(arg)) {
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let Some(mapping) = task.mapping(held, first(var), var.bytes) else { continue };
        let (Some(stored), Some(copy)) = (&mapping.stored, mapping.copies.copy()) else { continue };
        let address = copy.block.address;
        if arg.flags & arg_flags::WRITTEN != 0 {
            mapping.copies.write(task.queue.id);
        }
        let distance = (var.base as i64 - mapping.host as i64) / (stored.elem_size() * stored.pitch()) as i64;
        // Bytes from the copy's beginning to what stands for the variable's base.
        let skip = (distance + (arg.size as usize * stored.plane) as i64) * stored.elem_size() as i64;
        let base = address.wrapping_add_signed(skip);
        let (begin, bytes) = part(stored, mapping.host, mapping.bytes, var, arg);
        let begin = address + begin as u64;
        let end = begin + bytes as u64;
        arguments[i] = Argument::Data { base, inside: address };
        if let Some(range) = ranges.get_mut(i) {
            *range = Range { begin, end, base, reach: end.saturating_sub(base), known: true, ..*range };
        }
        settle::remember(mapping, task.queue.id);
    }
}

/// The part of its copy that an argument stands for: where it begins, and its bytes.
fn part(stored: &Stored, host: usize, bytes: usize, var: &Var, arg: &Arg) -> (usize, usize) {
    let plane = stored.plane * stored.elem_size();
    match (plane, var.bytes) {
        (0, 0) => (0, bytes),
        (0, bytes) => (first(var) - host, bytes),
        _ => (arg.size as usize * plane, plane),
    }
}

/// Numbers that the array holds, those between planes among them.
pub fn numbers(stored: &Stored, bytes: usize) -> usize {
    match stored.plane {
        0 => bytes / stored.elem_size(),
        plane => plane * stored.members,
    }
}

/// Sees to it that all copies hold; false where one cannot be made.
fn make(task: &Task, info: &LaunchInfo, table: &[Arg]) -> bool {
    let wanted: Vec<Wanted> = table
        .iter()
        .filter(|arg| is_decoded(arg))
        // SAFETY: the index is within the launch's variables.
        .filter_map(|arg| wanted(task, unsafe { &*info.vars.add(arg.index as usize) }))
        .collect();
    wanted.iter().all(|w| address(task, w).is_some())
}

fn wanted(task: &Task, var: &Var) -> Option<Wanted> {
    let mut held = None;
    let mapping = task.mapping(&mut held, first(var), var.bytes)?;
    Some(Wanted {
        start: mapping.host,
        stored: mapping.stored?,
        bytes: mapping.bytes,
        device: mapping.device,
        copies: mapping.copies,
        queues: mapping.queues.clone(),
        name: Name(mapping.name),
    })
}

/// Where the array's plain copy is; decodes it if there is none that holds.
fn address(task: &Task, w: &Wanted) -> Option<u64> {
    let device = &*task.state.device;
    let queue = task.queue.id;
    if let Some(copy) = w.copies.copy().filter(Copy::holds) {
        if copy.queue() != queue {
            device.order_after(queue, copy.queue()).ok()?;
        }
        return Some(copy.block.address);
    }
    // Two planes of one array: the first of them has decoded all.
    let known = task.state.table().get(w.start).and_then(|mapping| mapping.copies.copy());
    if let Some(copy) = known.filter(Copy::holds) {
        return Some(copy.block.address);
    }
    let block = match known {
        Some(copy) => copy.block,
        None => {
            task.state.pool.take(device, numbers(&w.stored, w.bytes) * w.stored.elem_size(), queue).ok()?
        }
    };
    for other in w.queues.iter().filter(|other| **other != queue) {
        device.order_after(queue, *other).ok()?;
    }
    if !decode(task, w, block.address) {
        if known.is_none() {
            task.state.pool.give(block, queue);
        }
        return None;
    }
    let mut table = task.state.table();
    table.get_mut(w.start)?.copies.keep(Copy::decoded(block, queue));
    Some(block.address)
}

/// Puts the decoding of the whole array on the task's queue.
fn decode(task: &Task, w: &Wanted, to: u64) -> bool {
    if !w.stored.is_block() && !kernels::converts(task, &w.stored) {
        return false;
    }
    let count = numbers(&w.stored, w.bytes);
    let bytes = count * w.stored.elem_size();
    log::transfer("decode", task.state, task.place, 0, task.queue, w.name, bytes);
    if w.stored.is_block() {
        return block::plain::decode_copy(task, w, to);
    }
    let all = kernels::Piece { words: w.device, first: 0, count: count as i64 };
    task.put("decoding an array", |queue| kernels::decode(task, queue, &w.stored, &all, to));
    true
}
