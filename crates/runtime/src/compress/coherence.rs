//! Which form of a compressed array is the array: the encoded one, or its decoded copy.
//!
//! Kernels that write a decoded copy ([`super::decoded_copy`]) leave it *dirty*: newer than the encoded form. Whoever uses the
//! encoded form then, a transfer or a kernel that takes the array as it is stored, asks for it here: the copy is written back,
//! encoded, in the queue of that use. Where an array is deleted nobody asks, and nothing is encoded.
//!
//! Invariants: what is encoded decodes to the copy's numbers, to the bit. From the decision which form is used to the use's
//! being on its queue no other thread decides ([`Exclusive`]). Conversions of a whole array are ordered after all queues
//! that its mapping was used on, since two of these may use different parts of it without a word of the user's. What is known of
//! an array's forms, [`Coherence`], changes by the methods of this file alone (`Coherence::note`), and not at all by launches
//! that repeat each other; these, too, are put on their queue while no other thread decides.

use super::EncodedArray;
use super::built_in_kernels::convert::{self, ElementRun};
use crate::call::CallContext;
use crate::device::QueueId;
use crate::generation::changed;
use crate::location::Name;
use crate::log;
use crate::pool::Block;
use crate::present::Mapping;
use crate::storage::{Access, Exclusive};
use accl_abi::arg_flags;

/// What a copy's numbers are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CopyState {
    /// They are of no use, since the encoded form was written after they were made.
    Stale,
    /// They are what the encoded form decodes to.
    Clean,
    /// They are the array, of which the encoded form is an older state.
    Dirty,
}

/// A decoded copy of an array, on the device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DecodedCopy {
    pub block: Block,
    /// All that was put on queues to write it is done when this one gets there.
    queue: QueueId,
    state: CopyState,
}

impl DecodedCopy {
    /// A copy whose contents are not the array's.
    pub fn stale(block: Block, queue: QueueId) -> DecodedCopy {
        DecodedCopy { block, queue, state: CopyState::Stale }
    }

    /// A copy that was decoded just now.
    pub fn clean(block: Block, queue: QueueId) -> DecodedCopy {
        DecodedCopy { block, queue, state: CopyState::Clean }
    }

    pub fn queue(&self) -> QueueId {
        self.queue
    }

    /// True where its numbers are the array's.
    pub fn is_valid(&self) -> bool {
        self.state != CopyState::Stale
    }

    /// True where it is newer than the encoded form.
    pub fn is_dirty(&self) -> bool {
        self.state == CopyState::Dirty
    }
}

/// What is known of the forms of an array, and of their use.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Coherence {
    copy: Option<DecodedCopy>,
    /// A kernel has read the array since the encoded form was written.
    was_read: bool,
    /// Kernels that wrote the encoded form since the host did or a copy was written back for another kernel, and could write a
    /// copy.
    writes: u32,
    /// How often a copy was written back for a kernel.
    write_backs: u32,
    /// Where the encoded form was made from the copy.
    written_back_on: Option<QueueId>,
    /// Kernels that used the encoded form, though the device's cache would hold their arrays plain; no more are counted
    /// than matter.
    uses_in_vain: u32,
}

/// Writing back more often than this makes no difference.
const MOST_WRITE_BACKS: u32 = 10;

impl Coherence {
    pub fn copy(&self) -> Option<DecodedCopy> {
        self.copy
    }

    /// Changes what is known. Launches that were planned by what was known before are planned anew.
    fn note(&mut self, change: impl FnOnce(&mut Coherence)) {
        let before = *self;
        change(self);
        if *self != before {
            changed();
        }
    }

    /// The array has this copy from now on.
    pub fn keep(&mut self, copy: DecodedCopy) {
        self.note(|known| known.copy = Some(copy));
    }

    /// A kernel reads the array. True where one has read it before, since it was written.
    pub fn read(&mut self) -> bool {
        let before = self.was_read;
        self.note(|known| known.was_read = true);
        before
    }

    /// A kernel on this queue, which is ordered after the copy's, writes the copy.
    pub fn write(&mut self, queue: QueueId) {
        let dirty = |copy: DecodedCopy| DecodedCopy { queue, state: CopyState::Dirty, ..copy };
        self.note(|known| known.copy = known.copy.map(dirty));
    }

    /// Kernels wrote the encoded form that could have written a copy.
    pub fn was_written(&self) -> bool {
        self.writes > 0
    }

    /// Kernels are to write the copy. Where kernels that take the array as it is stored come in between, each time costs a
    /// kernel more, so it is tried half as often after each.
    pub fn pays_to_write(&self) -> bool {
        self.copy.is_some_and(|copy| copy.is_dirty()) || self.writes >= 1 << self.write_backs
    }

    /// A kernel uses the encoded form where that gains nothing. True for the one that makes `enough`.
    pub fn used_in_vain(&mut self, enough: u32) -> bool {
        if self.uses_in_vain == enough {
            return false;
        }
        self.note(|known| known.uses_in_vain += 1);
        self.uses_in_vain == enough
    }

    /// The encoded form is written.
    fn invalidate_copy(&mut self) {
        self.was_read = false;
        if let Some(copy) = &mut self.copy {
            copy.state = CopyState::Stale;
        }
    }

    /// The host writes the encoded form: a copy that is to be made after each transfer would pay for no single kernel.
    fn written_by_host(&mut self) {
        self.note(|known| {
            known.invalidate_copy();
            known.writes = 0;
        });
    }

    /// A kernel writes the encoded form.
    fn written_by_kernel(&mut self, could_write_copy: bool) {
        self.note(|known| {
            known.invalidate_copy();
            known.writes = if could_write_copy { (known.writes + 1).min(1 << known.write_backs) } else { 0 };
        });
    }

    /// The encoded form was made from the copy, on this queue.
    fn written_back(&mut self, queue: QueueId) {
        let clean = |copy: DecodedCopy| DecodedCopy { state: CopyState::Clean, ..copy };
        self.note(|known| {
            known.copy = known.copy.map(clean);
            known.written_back_on = Some(queue);
        });
    }

    /// A kernel was the one that needed a copy written back.
    fn written_back_for_kernel(&mut self) {
        self.note(|known| {
            known.write_backs = (known.write_backs + 1).min(MOST_WRITE_BACKS);
            known.writes = 0;
        });
    }
}

/// Brings the encoded form of an array up to date for a transfer on the call's queue.
pub fn for_transfer(call: &CallContext, _exclusive: &Exclusive, mapping: &mut Mapping, access: Access) {
    if access != Access::Replaced {
        write_back(call, mapping);
    }
    let Some(array) = mapping.storage.encoded_mut() else { return };
    order_after_write_back(call, &array.coherence);
    if access != Access::Read {
        array.coherence.written_by_host();
    }
    // What another queue decodes is to be what this one sent, and nothing written back meanwhile what it fetches.
    mapping.used_on(call.queue.id);
}

/// Brings the encoded form of an array up to date for a kernel that takes the array as it is stored. `could_write_copy`: it has a version that writes a copy, and
/// the cache would hold its arrays.
pub fn for_kernel(
    call: &CallContext,
    _exclusive: &Exclusive,
    mapping: &mut Mapping,
    flags: u32,
    could_write_copy: bool,
) {
    let was_dirty = write_back(call, mapping);
    let Some(array) = mapping.storage.encoded_mut() else { return };
    if was_dirty {
        array.coherence.written_back_for_kernel();
    }
    order_after_write_back(call, &array.coherence);
    if flags & arg_flags::WRITTEN != 0 {
        array.coherence.written_by_kernel(could_write_copy);
    }
    mapping.used_on(call.queue.id);
}

/// Encodes a dirty copy, on the call's queue. True where there was one.
fn write_back(call: &CallContext, mapping: &mut Mapping) -> bool {
    let queue = call.queue.id;
    let Some(EncodedArray { stored, coherence }) = mapping.storage.encoded() else { return false };
    let Some(copy) = coherence.copy.filter(DecodedCopy::is_dirty) else { return false };
    for other in mapping.queues.iter().chain([&copy.queue]).filter(|other| **other != queue) {
        call.order_after(*other);
    }
    let count = stored.numbers_of_copy(mapping.bytes);
    let bytes = count * stored.elem_size();
    log::transfer("encode", call.state, call.location, 0, call.queue, Name(mapping.name), bytes);
    let all = ElementRun { words: mapping.device, first: 0, count: count as i64 };
    call.put("encoding an array", |queue| convert::reencode(call, queue, stored, &all, copy.block.address));
    mapping.used_on(queue);
    if let Some(array) = mapping.storage.encoded_mut() {
        array.coherence.written_back(queue);
    }
    true
}

/// The encoded form was made on a queue that the user may know nothing of.
fn order_after_write_back(call: &CallContext, coherence: &Coherence) {
    if let Some(other) = coherence.written_back_on.filter(|other| *other != call.queue.id) {
        call.order_after(other);
    }
}
