//! Plain copies of compressed arrays, on the device.
//!
//! A kernel may have versions that read arrays decoded (`ACCL_NEEDS_DECODED`). They are taken where the copies pay:
//! at once for arrays that the kernel reads many times, and otherwise where the arrays are small, so that caches hold
//! them and compression saves nothing, when the second kernel reads them. A copy is kept with the present table's
//! entry, and is out of date once a kernel or an update writes the array.
//!
//! The decoding kernel is the runtime's own ([`kernels`]). Where it cannot be compiled, or memory is short, the versions
//! that decode by themselves run.

use super::{Stored, block, check, kernels};
use crate::data::{Task, first};
use crate::device::{Argument, Kind, QueueId};
use crate::launch::Range;
use crate::log;
use crate::pool::Block;
use crate::present::Found;
use crate::site::Name;
use accl_abi::{Arg, LaunchInfo, arg_flags, arg_kind};
use std::sync::atomic::Ordering;

/// Host bytes of the arrays of a launch up to which caches are expected to hold them.
const SMALL: usize = 16 << 20;

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
    /// Kernels that have read the array since it was written.
    reads: u32,
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

/// An argument whose array may be read from a copy.
pub struct Wanted {
    argument: usize,
    /// Of the mapping.
    start: usize,
    pub stored: Stored,
    pub bytes: usize,
    pub device: u64,
    /// Bytes from the copy's beginning to what stands for the variable's base.
    skip: i64,
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
    let Some(wanted) = wanted(task, info, table) else { return false };
    let small = wanted.iter().map(|w| w.bytes).sum::<usize>() <= SMALL;
    let read_before = wanted.iter().all(|w| w.copies.reads > 0);
    if wanted.is_empty() || !(reused || small && read_before) {
        return false;
    }
    let addresses: Vec<Option<u64>> = wanted.iter().map(|w| address(task, w)).collect();
    if addresses.iter().any(Option::is_none) {
        return false;
    }
    for (w, address) in wanted.iter().zip(addresses.into_iter().flatten()) {
        let base = address.wrapping_add_signed(w.skip);
        arguments[w.argument] = Argument::Data { base, inside: address };
        if let Some(range) = ranges.get_mut(w.argument) {
            let reach = numbers(w) as u64 * w.stored.elem_size() as u64;
            *range = Range { begin: address, end: address + reach, base, reach, known: true, ..*range };
        }
    }
    true
}

/// Numbers that the array holds, those between planes among them.
fn numbers(w: &Wanted) -> usize {
    match w.stored.plane {
        0 => w.bytes / w.stored.elem_size(),
        plane => plane * w.stored.members,
    }
}

/// The arguments that decoded versions take plain; `None` where one of them is not there, or not compressed.
fn wanted(task: &Task, info: &LaunchInfo, table: &[Arg]) -> Option<Vec<Wanted>> {
    let mut found = vec![];
    for (argument, arg) in table.iter().enumerate() {
        if arg.kind != arg_kind::DATA || arg.flags & arg_flags::DECODED == 0 {
            continue;
        }
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let (mut present, place) = task.find(first(var), var.bytes);
        let Found::Inside(start) = place else { return None };
        let mapping = present.get_mut(start)?;
        let stored = mapping.stored.filter(|stored| !super::is_floating(stored.scheme))?;
        let distance = (var.base as i64 - mapping.host as i64) / (stored.elem_size() * stored.pitch()) as i64;
        let number = distance + (arg.size as usize * stored.plane) as i64;
        found.push(Wanted {
            argument,
            start,
            stored,
            bytes: mapping.bytes,
            device: mapping.device,
            skip: number * stored.elem_size() as i64,
            copies: mapping.copies,
            queues: mapping.queues.clone(),
            name: Name(mapping.name),
        });
        mapping.copies.reads = mapping.copies.reads.saturating_add(1);
    }
    Some(found)
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
        None => task.state.pool.take(device, numbers(w) * w.stored.elem_size(), queue).ok()?,
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
    if !w.stored.is_block() && kernels::load(task, w.stored.double, false).is_none() {
        return false;
    }
    let count = numbers(w);
    let bytes = count * w.stored.elem_size();
    log::transfer("decode", task.state, task.place, 0, task.queue, w.name, bytes);
    if w.stored.is_block() {
        return block::plain::decode_copy(task, w, to);
    }
    let all = kernels::Piece { words: w.device, first: 0, count: count as i64 };
    task.put("decoding an array", |queue| kernels::decode(task, queue, &w.stored, &all, to));
    true
}
