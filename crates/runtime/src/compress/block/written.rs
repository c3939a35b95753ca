//! Kernels that write block arrays: they get decoded copies, which are encoded after them.
//!
//! An element's store changes the exponent of its group, and with it the bits of 31 others, which other threads may
//! write at the same time. So the array is decoded into a copy before the kernel and encoded from it after, all in the
//! kernel's queue. Elements that the kernel did not write are the same bits again. The copy's memory stays with the
//! present table's entry.
//!
//! Kernels that write whole groups by themselves (`ACCL_NEEDS_WHOLE_GROUPS`) need none of that.
//!
//! Invariant: of one array, these three steps are never mixed with those of another launch, whatever its queue: a lock is
//! held while they are enqueued, and a queue waits for the one that used the copy before.

use super::on_device::{self, Direction};
use super::runs::{self, GroupPart, Groups};
use crate::call::CallContext;
use crate::compress::StoredFormat;
use crate::compress::coherence::DecodedCopy;
use crate::compress::decoded_copy::Wanted;
use crate::device::{Argument, Kind, QueueId};
use crate::error::{codes, fatal_coded};
use crate::location::Name;
use crate::log;
use crate::pool::Block;
use crate::present::Presence;
use crate::storage::arguments::ArgumentRange;
use crate::storage::launch::LaunchArrays;
use crate::variable::{first, format, name};
use accl_abi::{Arg, Var, arg_flags, arg_kind, scheme};
use std::sync::{Mutex, MutexGuard};

/// An array that a kernel writes as a decoded copy.
struct WrittenArray {
    /// Where the mapping begins on the host.
    start: usize,
    stored: StoredFormat,
    /// The encoded form, on the device.
    encoded: u64,
    /// The copy.
    decoded: u64,
    /// Bytes of the array on the host.
    bytes: usize,
    name: Name,
}

/// What is to be encoded after a launch.
pub struct EncodeAfter {
    arrays: Vec<WrittenArray>,
    _exclusive: MutexGuard<'static, ()>,
}

impl EncodeAfter {
    /// Encodes what the kernel wrote.
    pub fn encode(&self, call: &CallContext) {
        for array in &self.arrays {
            convert(call, Direction::Encode, array);
        }
    }
}

/// Puts decoded copies in the place of block arrays that the kernel writes.
pub fn hand(call: &CallContext, arrays: &mut LaunchArrays) -> Option<EncodeAfter> {
    let (arguments, exclusive) = written(arrays)?;
    let mut all: Vec<WrittenArray> = vec![];
    for at in arguments {
        let arg = &arrays.table[at];
        let var = arrays.var(arg);
        let Some(start) = start_of(call, var) else { continue };
        refuse_other_names(call, arrays, arg, start);
        if !all.iter().any(|array| array.start == start) {
            all.extend(decoded(call, var, start));
        }
        let Some(array) = all.iter().find(|array| array.start == start) else { continue };
        let base = array.decoded.wrapping_add_signed(array.stored.base_in_copy(var, arg, start));
        arrays.arguments[at] = Argument::Data { base, inside: array.decoded };
        if let Some(range) = arrays.ranges.get_mut(at) {
            let reach = array.bytes_of_copy() as u64;
            let (begin, end) = (array.decoded, array.decoded + reach);
            *range = ArgumentRange { begin, end, base, reach, known: true, ..*range };
        }
    }
    (!all.is_empty()).then_some(EncodeAfter { arrays: all, _exclusive: exclusive })
}

/// Before a kernel that writes whole groups by itself: other launches may be about to encode the array.
pub fn wait(call: &CallContext, arrays: &LaunchArrays) -> Option<EncodeAfter> {
    let (arguments, exclusive) = written(arrays)?;
    for at in arguments {
        let start = start_of(call, arrays.var(&arrays.table[at]));
        let copy = start.and_then(|start| known_copy(call, start));
        if let Some(other) = copy.map(|copy| copy.queue()).filter(|other| *other != call.queue.id) {
            call.order_after(other);
        }
    }
    Some(EncodeAfter { arrays: vec![], _exclusive: exclusive })
}

fn known_copy(call: &CallContext, start: usize) -> Option<DecodedCopy> {
    call.state.table().get(start)?.storage.encoded()?.coherence.copy()
}

/// The positions of the arguments that are block arrays and written, with the lock.
fn written(arrays: &LaunchArrays) -> Option<(Vec<usize>, MutexGuard<'static, ()>)> {
    static ENCODING: Mutex<()> = Mutex::new(());
    let positions = 0..arrays.table.len();
    let written: Vec<usize> = positions.filter(|at| is_written(arrays, &arrays.table[*at])).collect();
    let lock = || ENCODING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    (!written.is_empty()).then(|| (written, lock()))
}

fn is_written(arrays: &LaunchArrays, arg: &Arg) -> bool {
    if arg.kind != arg_kind::DATA || arg.flags & arg_flags::WRITTEN == 0 {
        return false;
    }
    format(arrays.var(arg)).is_some_and(|format| format.scheme == scheme::BLOCK)
}

fn start_of(call: &CallContext, var: &Var) -> Option<usize> {
    match call.find(first(var), var.bytes).1 {
        Presence::Inside(start) => Some(start),
        Presence::Absent | Presence::Partial(_) => None,
    }
}

/// An argument that is the same array by another name would see the values from before the kernel.
fn refuse_other_names(call: &CallContext, arrays: &LaunchArrays, arg: &Arg, start: usize) {
    let written = arrays.var(arg);
    let others = arrays.table.iter().filter(|o| o.kind == arg_kind::DATA && o.index != arg.index);
    for var in others.map(|other| arrays.var(other)) {
        if start_of(call, var) == Some(start) {
            let message = format!(
                "{} and {} are parts of one array, held in blocks and written",
                name(var),
                name(written)
            );
            let help = "help: use one name for it in the construct, or another scheme".to_owned();
            call.fatal(written.line, &message, &[help]);
        }
    }
}

impl WrittenArray {
    fn bytes_of_copy(&self) -> usize {
        self.stored.numbers_of_copy(self.bytes) * self.stored.elem_size()
    }
}

/// The array in a decoded copy.
fn decoded(call: &CallContext, var: &Var, start: usize) -> Option<WrittenArray> {
    let queue = call.queue.id;
    let (mut array, known, queues) = {
        let table = call.state.table();
        let mapping = table.get(start)?;
        let encoded = mapping.storage.encoded()?;
        let (stored, name) = (encoded.stored, Name(mapping.name));
        let array =
            WrittenArray { start, stored, encoded: mapping.device, decoded: 0, bytes: mapping.bytes, name };
        (array, encoded.coherence.copy(), mapping.queues.clone())
    };
    let block = known.map_or_else(|| take(call, var, array.bytes_of_copy()), |copy| copy.block);
    array.decoded = block.address;
    let used: Vec<QueueId> = known.iter().map(DecodedCopy::queue).chain(queues).collect();
    used.into_iter().filter(|other| *other != queue).for_each(|other| call.order_after(other));
    convert(call, Direction::Decode, &array);
    let mut table = call.state.table();
    table.get_mut(start)?.storage.encoded_mut()?.coherence.keep(DecodedCopy::stale(block, queue));
    Some(array)
}

fn take(call: &CallContext, var: &Var, bytes: usize) -> Block {
    call.state.pool.take(&*call.state.device, bytes, call.queue.id).unwrap_or_else(|error| {
        let name = name(var);
        let message = format!("no device memory for the plain copy of name={name} bytes={bytes}: {error}");
        let note = "note: kernels that write an array of scheme(block) write a plain copy, which is encoded after them";
        fatal_coded(codes::NO_MEMORY, call.location, var.line, &message, &[note.to_owned()])
    })
}

fn convert(call: &CallContext, direction: Direction, array: &WrittenArray) {
    let stored = &array.stored;
    let word = if direction == Direction::Decode { "decode" } else { "encode" };
    log::transfer(word, call.state, call.location, 0, call.queue, array.name, array.bytes);
    let (planes, each) = match stored.plane {
        0 => (1, array.bytes / stored.elem_size()),
        plane => (stored.members, plane),
    };
    for plane in 0..planes {
        let encoded = array.encoded + stored.plane_start(plane);
        let decoded = array.decoded + (plane * each * stored.elem_size()) as u64;
        if call.state.device.info().kind == Kind::Cpu {
            call.put("a conversion", |_| {
                on_host(direction, stored, encoded as usize, decoded as usize, each);
                Ok(())
            });
        } else if let Err(error) = on_device::convert(call, direction, stored, encoded, decoded, each) {
            call.state.fail(call.location, Some(call.queue), "converting an array", &error);
        }
    }
}

/// On the cpu device addresses are the host's.
fn on_host(direction: Direction, stored: &StoredFormat, encoded: usize, decoded: usize, numbers: usize) {
    let groups = Groups { elements: encoded, exponents: encoded + stored.exponents };
    let part = GroupPart { first: 0, count: numbers, total: numbers };
    // The copy's numbers are side by side, whatever the host's are.
    let stored = StoredFormat { plane: 0, ..*stored };
    // SAFETY: the array's memory, and a block with room for its numbers; the launch's steps follow each other.
    unsafe {
        match direction {
            Direction::Decode => runs::decode_all(&stored, groups, decoded as *mut u8, part),
            Direction::Encode => {
                runs::encode_all(&stored, decoded as *const u8, groups, part);
            }
        }
    }
}

/// Makes the copy that versions with decoded arrays take; false where it cannot be made.
pub fn decode_copy(call: &CallContext, w: &Wanted, to: u64) -> bool {
    let stored = &w.stored;
    let (planes, each) = match stored.plane {
        0 => (1, w.bytes / stored.elem_size()),
        plane => (stored.members, plane),
    };
    (0..planes).all(|plane| {
        let encoded = w.device + stored.plane_start(plane);
        let decoded = to + (plane * each * stored.elem_size()) as u64;
        on_device::convert(call, Direction::Decode, stored, encoded, decoded, each).is_ok()
    })
}
