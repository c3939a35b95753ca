//! Plain copies of compressed arrays, on the device.
//!
//! A kernel may have versions that read arrays decoded (`ACCL_NEEDS_DECODED`). They are taken where the copies pay:
//! at once for arrays that the kernel reads many times, and otherwise where the device's cache holds the launch's arrays,
//! so that compression saves nothing, when the second kernel reads them. A copy is kept with the present table's
//! entry, and is out of date once a kernel or an update writes the array.
//!
//! Small launches follow each other by the thousand, so those whose copies are there, and those that want none, take no
//! heap memory.
//!
//! The decoding kernel is the runtime's own ([`kernels`]). Where it cannot be compiled, or memory is short, the versions
//! that decode by themselves run.

use super::{Stored, block, check, kernels};
use crate::data::{Held, Task, first};
use crate::device::{Argument, Kind, QueueId};
use crate::launch::Range;
use crate::log;
use crate::pool::Block;
use crate::site::Name;
use accl_abi::{Arg, LaunchInfo, Var, arg_flags, arg_kind};
use std::sync::atomic::Ordering;

/// A mapping's plain copy.
#[derive(Clone, Copy)]
pub struct Copy {
    pub block: Block,
    /// The queue that decoding was put on.
    queue: QueueId,
    /// Nothing was written since.
    valid: bool,
}

impl Copy {
    /// One whose contents are not the array's.
    pub fn outdated(block: Block, queue: QueueId) -> Copy {
        Copy { block, queue, valid: false }
    }

    pub fn queue(&self) -> QueueId {
        self.queue
    }
}

/// What is known of a compressed mapping's use.
#[derive(Clone, Copy, Default)]
pub struct Copies {
    pub copy: Option<Copy>,
    /// Kernels that have read the array since it was written, and had no copy.
    reads: u32,
    /// Kernels that used it as it is held, though the device's cache would hold their arrays plain.
    pub small: u32,
}

impl Copies {
    /// The array was written.
    pub fn outdate(&mut self) {
        self.reads = 0;
        if let Some(copy) = &mut self.copy {
            copy.valid = false;
        }
    }
}

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

/// Puts copies in the place of the arguments that decoded versions take plain, if they pay; false: nothing changed.
pub fn provide(
    task: &Task,
    info: &LaunchInfo,
    table: &[Arg],
    reused: bool,
    arguments: &mut [Argument],
    ranges: &mut [Range],
) -> bool {
    if task.state.device.info().kind == Kind::Cpu || check::PRESENT.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let mut held = None;
    let Some(seen) = seen(task, &mut held, info, table) else { return false };
    if !seen.ready {
        drop(held.take());
        let pays = reused || seen.read_before && in_cache(task, ranges);
        if !pays || !make(task, info, table) {
            return false;
        }
    }
    hand(task, &mut held, info, table, arguments, ranges);
    true
}

/// The device's cache would hold the launch's arrays if all were plain, with room to spare for what is written.
pub fn in_cache(task: &Task, ranges: &[Range]) -> bool {
    let bytes: u64 = ranges.iter().map(|range| range.reach).sum();
    bytes <= task.state.device.info().cache / 2
}

/// What is known of the arrays that decoded versions take plain.
struct Seen {
    /// Copies that hold are there, on the task's queue.
    ready: bool,
    read_before: bool,
}

/// Counts this kernel as one that reads them; `None` where there are none, or one is not there, or not compressed.
fn seen(task: &Task, held: &mut Held, info: &LaunchInfo, table: &[Arg]) -> Option<Seen> {
    let mut all: Option<Seen> = None;
    for arg in table.iter().filter(|arg| is_decoded(arg)) {
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let mapping = task.mapping(held, first(var), var.bytes)?;
        mapping.stored.as_ref().filter(|stored| !super::is_floating(stored.scheme))?;
        let copies = &mut mapping.copies;
        let seen = all.get_or_insert(Seen { ready: true, read_before: true });
        seen.ready &= copies.copy.is_some_and(|copy| copy.valid && copy.queue == task.queue.id);
        seen.read_before &= copies.reads > 0;
        copies.reads = copies.reads.saturating_add(1);
    }
    all
}

fn is_decoded(arg: &Arg) -> bool {
    arg.kind == arg_kind::DATA && arg.flags & arg_flags::DECODED != 0
}

/// Replaces the arguments by their copies.
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
        let (Some(stored), Some(copy)) = (&mapping.stored, mapping.copies.copy) else { continue };
        let address = copy.block.address;
        let distance = (var.base as i64 - mapping.host as i64) / (stored.elem_size() * stored.pitch()) as i64;
        // Bytes from the copy's beginning to what stands for the variable's base.
        let skip = (distance + (arg.size as usize * stored.plane) as i64) * stored.elem_size() as i64;
        let base = address.wrapping_add_signed(skip);
        arguments[i] = Argument::Data { base, inside: address };
        if let Some(range) = ranges.get_mut(i) {
            let reach = (numbers(stored, mapping.bytes) * stored.elem_size()) as u64;
            *range = Range { begin: address, end: address + reach, base, reach, known: true, ..*range };
        }
    }
}

/// Numbers that the array holds, those between planes among them.
fn numbers(stored: &Stored, bytes: usize) -> usize {
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
    if let Some(copy) = w.copies.copy.filter(|copy| copy.valid) {
        if copy.queue != queue {
            device.order_after(queue, copy.queue).ok()?;
        }
        return Some(copy.block.address);
    }
    // Two planes of one array: the first of them has decoded all.
    let known = task.state.table().get(w.start).and_then(|mapping| mapping.copies.copy);
    if let Some(copy) = known.filter(|copy| copy.valid) {
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
    table.get_mut(w.start)?.copies.copy = Some(Copy { block, queue, valid: true });
    Some(block.address)
}

/// Puts the decoding of the whole array on the task's queue.
fn decode(task: &Task, w: &Wanted, to: u64) -> bool {
    if !w.stored.is_block() && !kernels::available(task, w.stored.double, false) {
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
