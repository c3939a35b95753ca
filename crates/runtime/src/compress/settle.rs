//! Which form of a compressed array is the array: the held one, or its plain copy.
//!
//! Kernels that write a plain copy ([`super::copies`]) leave it ahead of the held form. Whoever uses the held form
//! then, a transfer or a kernel that takes the array as it is held, asks for it here: the copy is encoded into it first,
//! in the queue of that use. Where an array is deleted nobody asks, and nothing is encoded.
//!
//! Invariants: what is encoded decodes to the copy's numbers, to the bit. From the decision which form is used to the use's
//! being on its queue no other thread decides ([`Alone`]). Conversions of a whole array are ordered after all queues
//! that its mapping was used on, since two of these may use different parts of it without a word of the user's. What is known of
//! a mapping's forms, [`Copies`], changes by the methods of this file alone ([`Copies::note`]), and not at all by launches that
//! repeat each other; these, too, are put on their queue while no other thread decides.

use super::{Stored, check, copies, kernels};
use crate::data::Task;
use crate::device::{Kind, QueueId};
use crate::log;
use crate::pool::Block;
use crate::present::{Mapping, changed};
use crate::site::Name;
use accl_abi::arg_flags;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard};

/// What a copy's numbers are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    /// Of no use: the held form was written.
    Outdated,
    /// What the held form decodes to.
    Same,
    /// The array, of which the held form is an older state.
    Ahead,
}

/// A mapping's plain copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Copy {
    pub block: Block,
    /// All that was put on queues to write it is done when this one gets there.
    queue: QueueId,
    contents: Contents,
}

impl Copy {
    /// One whose contents are not the array's.
    pub fn outdated(block: Block, queue: QueueId) -> Copy {
        Copy { block, queue, contents: Contents::Outdated }
    }

    /// One that was decoded just now.
    pub fn decoded(block: Block, queue: QueueId) -> Copy {
        Copy { block, queue, contents: Contents::Same }
    }

    pub fn queue(&self) -> QueueId {
        self.queue
    }

    /// It is the array.
    pub fn holds(&self) -> bool {
        self.contents != Contents::Outdated
    }

    pub fn is_ahead(&self) -> bool {
        self.contents == Contents::Ahead
    }
}

/// What is known of a compressed mapping's use.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Copies {
    copy: Option<Copy>,
    /// A kernel has read the array since the held form was written.
    was_read: bool,
    /// Kernels that wrote the held form since the host did or a copy was settled for another kernel, and could write a copy.
    writes: u32,
    /// How often that happened.
    settled: u32,
    /// Where the held form was made from the copy.
    settled_on: Option<QueueId>,
    /// Kernels that used it as it is held, though the device's cache would hold their arrays plain; no more are counted
    /// than matter.
    small: u32,
}

/// Settling more often than this makes no difference.
const MOST_SETTLED: u32 = 10;

impl Copies {
    pub fn copy(&self) -> Option<Copy> {
        self.copy
    }

    /// Changes what is known. Launches that were decided by what was known before are decided anew.
    fn note(&mut self, change: impl FnOnce(&mut Copies)) {
        let before = *self;
        change(self);
        if *self != before {
            changed();
        }
    }

    /// The array has this copy from now on.
    pub fn keep(&mut self, copy: Copy) {
        self.note(|known| known.copy = Some(copy));
    }

    /// A kernel reads the array. True where one has read it before, since it was written.
    pub fn read(&mut self) -> bool {
        let before = self.was_read;
        self.note(|known| known.was_read = true);
        before
    }

    /// A kernel on this queue, which is behind the copy's, writes the copy.
    pub fn write(&mut self, queue: QueueId) {
        let ahead = |copy: Copy| Copy { queue, contents: Contents::Ahead, ..copy };
        self.note(|known| known.copy = known.copy.map(ahead));
    }

    /// Kernels wrote it that could have written a copy.
    pub fn was_written(&self) -> bool {
        self.writes > 0
    }

    /// Kernels are to write the copy. Where kernels that take the array as it is held come in between, each time costs a kernel
    /// more, so it is tried half as often after each.
    pub fn pays_to_write(&self) -> bool {
        self.copy.is_some_and(|copy| copy.is_ahead()) || self.writes >= 1 << self.settled
    }

    /// A kernel uses the array as it is held where that gains nothing. True for the one that makes `enough`.
    pub fn used_in_vain(&mut self, enough: u32) -> bool {
        if self.small == enough {
            return false;
        }
        self.note(|known| known.small += 1);
        self.small == enough
    }

    /// The held form is written.
    fn outdate(&mut self) {
        self.was_read = false;
        if let Some(copy) = &mut self.copy {
            copy.contents = Contents::Outdated;
        }
    }

    /// The same by the host: a copy that is to be made after each transfer would pay for no single kernel.
    fn outdate_by_host(&mut self) {
        self.note(|known| {
            known.outdate();
            known.writes = 0;
        });
    }

    /// The same by a kernel.
    fn outdate_by_kernel(&mut self, could_write: bool) {
        self.note(|known| {
            known.outdate();
            known.writes = if could_write { (known.writes + 1).min(1 << known.settled) } else { 0 };
        });
    }

    /// The held form was made on this queue.
    fn settle(&mut self, queue: QueueId) {
        let same = |copy: Copy| Copy { contents: Contents::Same, ..copy };
        self.note(|known| {
            known.copy = known.copy.map(same);
            known.settled_on = Some(queue);
        });
    }

    /// A kernel needed that.
    fn settled_for_kernel(&mut self) {
        self.note(|known| {
            known.settled = (known.settled + 1).min(MOST_SETTLED);
            known.writes = 0;
        });
    }
}

/// While it is there, no other thread decides on forms.
pub struct Alone(#[expect(dead_code, reason = "held, not looked at")] Option<MutexGuard<'static, ()>>);

/// To be taken before the present table is locked.
pub fn alone(task: &Task) -> Alone {
    static ALONE: Mutex<()> = Mutex::new(());
    let needed = check::PRESENT.load(Ordering::Relaxed) > 0 && task.state.device.info().kind != Kind::Cpu;
    Alone(needed.then(|| ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())))
}

/// What a transfer does with the held form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Read,
    /// Parts of it are overwritten.
    Changed,
    /// All of it is.
    Replaced,
}

/// A compressed array as it is held, for a transfer.
pub struct Held {
    pub stored: Stored,
    pub device: u64,
    /// The whole array on the host.
    pub host: usize,
    pub bytes: usize,
}

impl Held {
    /// Of a mapping that is being made.
    pub fn new(stored: Stored, device: u64, host: usize, bytes: usize) -> Held {
        Held { stored, device, host, bytes }
    }
}

/// The held form for a transfer on the task's queue; `None` where the array is plain.
pub fn for_transfer(task: &Task, _alone: &Alone, mapping: &mut Mapping, how: Use) -> Option<Held> {
    let stored = mapping.stored?;
    if how != Use::Replaced {
        settle(task, mapping, &stored);
    }
    order_behind_settling(task, &mapping.copies);
    if how != Use::Read {
        mapping.copies.outdate_by_host();
    }
    // What another queue decodes is to be what this one sent, and nothing settled meanwhile what it fetches.
    remember(mapping, task.queue.id);
    Some(Held::new(stored, mapping.device, mapping.host, mapping.bytes))
}

/// The same for a kernel that takes the array as it is held. `could_write`: it has a version that writes a copy, and the cache
/// would hold its arrays.
pub fn for_kernel(task: &Task, _alone: &Alone, mapping: &mut Mapping, flags: u32, could_write: bool) {
    let Some(stored) = mapping.stored else { return };
    if settle(task, mapping, &stored) {
        mapping.copies.settled_for_kernel();
    }
    order_behind_settling(task, &mapping.copies);
    if flags & arg_flags::WRITTEN != 0 {
        mapping.copies.outdate_by_kernel(could_write);
    }
    remember(mapping, task.queue.id);
}

/// Encodes a copy that is ahead, on the task's queue. True where there was one.
fn settle(task: &Task, mapping: &mut Mapping, stored: &Stored) -> bool {
    let queue = task.queue.id;
    let Some(copy) = mapping.copies.copy.filter(Copy::is_ahead) else { return false };
    for other in mapping.queues.iter().chain([&copy.queue]).filter(|other| **other != queue) {
        order(task, *other);
    }
    let count = copies::numbers(stored, mapping.bytes);
    let bytes = count * stored.elem_size();
    log::transfer("encode", task.state, task.place, 0, task.queue, Name(mapping.name), bytes);
    let all = kernels::Piece { words: mapping.device, first: 0, count: count as i64 };
    task.put("encoding an array", |queue| kernels::settle(task, queue, stored, &all, copy.block.address));
    remember(mapping, queue);
    mapping.copies.settle(queue);
    true
}

/// The held form was made on a queue that the user may know nothing of.
fn order_behind_settling(task: &Task, copies: &Copies) {
    if let Some(other) = copies.settled_on.filter(|other| *other != task.queue.id) {
        order(task, other);
    }
}

/// Lets the task's queue wait for what is on another now.
pub fn order(task: &Task, other: QueueId) {
    if let Err(error) = task.state.device.order_after(task.queue.id, other) {
        task.state.fail(task.place, Some(task.queue), "ordering queues", &error);
    }
}

/// The mapping was used on this queue. (Data clauses know it but of arrays whose extent the compiler does not know.)
pub fn remember(mapping: &mut Mapping, queue: QueueId) {
    if !mapping.queues.contains(&queue) {
        mapping.queues.push(queue);
    }
}
