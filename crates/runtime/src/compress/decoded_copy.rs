//! Decoded copies of compressed arrays, on the device.
//!
//! A kernel may have versions that take decoded copies of arrays (`ACCL_NEEDS_DECODED`). They are launched where the copies pay:
//! at once for arrays that the kernel reads many times, and otherwise where the device's cache holds the launch's arrays,
//! so that compression saves nothing, from the second kernel on. A copy is kept with the present table's entry. Arrays that the
//! kernel writes are written there, rounded to what they can hold, and the encoded form follows when somebody asks for it
//! ([`coherence`]); the copy is stale once the encoded form is written.
//!
//! Small launches follow each other by the thousand, so those whose copies are there, and those that want none, take no
//! heap memory. They are repeated without a look at the copies (the launch cache) for as long as nothing is known anew of them.
//!
//! The decoding kernel is one of the runtime's own ([`super::built_in_kernels`]). Where it cannot be compiled, or memory is
//! short, the versions that decode by themselves run.

use super::built_in_kernels::convert::{self, ElementRun};
use super::coherence::{self, Coherence, DecodedCopy};
use super::{EncodedArray, StoredFormat, block};
use crate::call::{CallContext, LockedTable};
use crate::device::{Argument, Kind, QueueId};
use crate::location::Name;
use crate::log;
use crate::present::Mapping;
use crate::storage::Exclusive;
use crate::storage::arguments::ArgumentRange;
use crate::storage::launch::{DecodedVersion, LaunchArrays};
use crate::variable::{first, format};
use accl_abi::{Arg, Var, arg_flags, arg_kind};

/// An array that is to be decoded.
pub struct Wanted {
    /// Where the mapping begins on the host.
    start: usize,
    pub stored: StoredFormat,
    pub bytes: usize,
    pub device: u64,
    coherence: Coherence,
    queues: Vec<QueueId>,
    name: Name,
}

impl Wanted {
    fn bytes_of_copy(&self) -> usize {
        self.stored.numbers_of_copy(self.bytes) * self.stored.elem_size()
    }
}

/// Puts copies in the place of the arguments that decoded versions take plain, if they pay; false: all arguments are as they are
/// stored. Either way these are what the kernel may use, when it is put on the call's queue.
pub fn provide(
    call: &CallContext,
    exclusive: &Exclusive,
    arrays: &mut LaunchArrays,
    version: Option<DecodedVersion>,
) -> bool {
    if call.state.device.info().kind == Kind::Cpu {
        return false;
    }
    let fits = in_cache(call, arrays.ranges);
    let mut locked = None;
    let handed = version.is_some_and(|version| hand_copies(call, &mut locked, arrays, version, fits));
    for arg in arrays.table.iter().filter(|arg| arg.kind == arg_kind::DATA && !(handed && is_decoded(arg))) {
        let var = arrays.var(arg);
        if format(var).is_some()
            && let Some(mapping) = call.mapping(&mut locked, first(var), var.bytes)
        {
            coherence::for_kernel(call, exclusive, mapping, arg.flags, fits && is_decoded(arg));
        }
    }
    handed
}

/// Hands copies to the kernel, if they pay; makes those that are not there. `fits`: the device's cache would hold the launch's
/// arrays plain.
fn hand_copies(
    call: &CallContext,
    locked: &mut LockedTable,
    arrays: &mut LaunchArrays,
    version: DecodedVersion,
    fits: bool,
) -> bool {
    if !(fits || version.reused) || written_by_another_name(arrays) {
        return false;
    }
    let Some(seen) = seen(call, locked, arrays) else { return false };
    if !(version.reused || seen.pays()) {
        return false;
    }
    if !seen.ready {
        drop(locked.take());
        if !make(call, arrays) {
            return false;
        }
    }
    hand(call, locked, arrays);
    true
}

/// The device's cache would hold the launch's arrays if all were plain, with room to spare for what is written.
pub fn in_cache(call: &CallContext, ranges: &[ArgumentRange]) -> bool {
    let bytes: u64 = ranges.iter().map(|range| range.reach).sum();
    bytes <= call.state.device.info().cache / 2
}

/// True where the kernel has a decoded copy of an array that it also writes, encoded, under another name.
fn written_by_another_name(arrays: &LaunchArrays) -> bool {
    let written = |(arg, range): &(&Arg, &ArgumentRange)| {
        arg.flags & arg_flags::WRITTEN != 0 && !is_decoded(arg) && range.end > 0
    };
    let all = || arrays.table.iter().zip(arrays.ranges.iter());
    all().filter(written).any(|(_, written)| {
        let overlaps = |range: &ArgumentRange| !(written.end <= range.begin || range.end <= written.begin);
        all().any(|(arg, range)| is_decoded(arg) && overlaps(range))
    })
}

/// What is known of the arrays that decoded versions take plain.
struct Seen {
    /// Valid copies are there, on the call's queue.
    ready: bool,
    /// Some are dirty: without them they would have to be written back.
    dirty: bool,
    /// The kernel writes some of them.
    writes: bool,
    /// What is read has a copy, or was read before.
    read_before: bool,
    /// What is read has a copy, was read before, or is written by kernels that could write a copy.
    known_before: bool,
    pays_to_write: bool,
}

impl Seen {
    fn pays(&self) -> bool {
        self.pays_to_write && (self.read_before || self.writes && self.known_before || self.dirty)
    }
}

/// Counts this kernel as one that reads them; `None` where there are none, or one is not there, or not compressed.
fn seen(call: &CallContext, locked: &mut LockedTable, arrays: &LaunchArrays) -> Option<Seen> {
    let mut all: Option<Seen> = None;
    for arg in arrays.table.iter().filter(|arg| is_decoded(arg)) {
        let var = arrays.var(arg);
        let mapping = call.mapping(locked, first(var), var.bytes)?;
        let EncodedArray { stored, coherence } = mapping.storage.encoded_mut()?;
        let seen = all.get_or_insert(Seen {
            ready: true,
            dirty: false,
            writes: false,
            read_before: true,
            known_before: true,
            pays_to_write: true,
        });
        let copy = coherence.copy().filter(DecodedCopy::is_valid);
        seen.ready &= copy.is_some_and(|copy| copy.queue() == call.queue.id);
        seen.dirty |= copy.is_some_and(|copy| copy.is_dirty());
        if arg.flags & arg_flags::WRITTEN != 0 {
            seen.writes = true;
            seen.pays_to_write &= coherence.pays_to_write()
                && (copy.is_some_and(|copy| copy.is_dirty()) || convert::available_for(call, stored));
        } else {
            let read_before = coherence.read() || copy.is_some();
            seen.read_before &= read_before;
            seen.known_before &= read_before || coherence.was_written();
        }
    }
    all
}

fn is_decoded(arg: &Arg) -> bool {
    arg.kind == arg_kind::DATA && arg.flags & arg_flags::DECODED != 0
}

/// Replaces the arguments by their copies, which are dirty from now on where the kernel writes them.
fn hand(call: &CallContext, locked: &mut LockedTable, arrays: &mut LaunchArrays) {
    for (i, arg) in arrays.table.iter().enumerate().filter(|(_, arg)| is_decoded(arg)) {
        let var = arrays.var(arg);
        let Some(mapping) = call.mapping(locked, first(var), var.bytes) else { continue };
        let Some((argument, range)) = argument_of_copy(call, mapping, var, arg) else { continue };
        arrays.arguments[i] = argument;
        if let Some(old) = arrays.ranges.get_mut(i) {
            *old = ArgumentRange { flags: old.flags, ..range };
        }
        mapping.used_on(call.queue.id);
    }
}

/// A kernel's argument that is a part of an array's copy.
fn argument_of_copy(
    call: &CallContext,
    mapping: &mut Mapping,
    var: &Var,
    arg: &Arg,
) -> Option<(Argument, ArgumentRange)> {
    let (host, bytes) = (mapping.host, mapping.bytes);
    let EncodedArray { stored, coherence } = mapping.storage.encoded_mut()?;
    let address = coherence.copy()?.block.address;
    if arg.flags & arg_flags::WRITTEN != 0 {
        coherence.write(call.queue.id);
    }
    let base = address.wrapping_add_signed(stored.base_in_copy(var, arg, host));
    let (begin, bytes) = part(stored, host, bytes, var, arg);
    let begin = address + begin as u64;
    let end = begin + bytes as u64;
    let range = ArgumentRange { begin, end, flags: 0, base, reach: end.saturating_sub(base), known: true };
    Some((Argument::Data { base, inside: address }, range))
}

/// The part of its copy that an argument stands for: where it begins, and its bytes.
fn part(stored: &StoredFormat, host: usize, bytes: usize, var: &Var, arg: &Arg) -> (usize, usize) {
    let plane = stored.plane * stored.elem_size();
    match (plane, var.bytes) {
        (0, 0) => (0, bytes),
        (0, bytes) => (first(var) - host, bytes),
        _ => (arg.size as usize * plane, plane),
    }
}

/// Sees to it that all copies are valid; false where one cannot be made.
fn make(call: &CallContext, arrays: &LaunchArrays) -> bool {
    let decoded = arrays.table.iter().filter(|arg| is_decoded(arg));
    let wanted: Vec<Wanted> = decoded.filter_map(|arg| wanted(call, arrays.var(arg))).collect();
    wanted.iter().all(|w| address(call, w).is_some())
}

fn wanted(call: &CallContext, var: &Var) -> Option<Wanted> {
    let mut locked = None;
    let mapping = call.mapping(&mut locked, first(var), var.bytes)?;
    let array = mapping.storage.encoded()?;
    Some(Wanted {
        start: mapping.host,
        stored: array.stored,
        bytes: mapping.bytes,
        device: mapping.device,
        coherence: array.coherence,
        queues: mapping.queues.clone(),
        name: Name(mapping.name),
    })
}

/// What is known by now of the copy of an array.
fn known_copy(call: &CallContext, w: &Wanted) -> Option<DecodedCopy> {
    call.state.table().get(w.start)?.storage.encoded()?.coherence.copy()
}

/// Where the array's copy is; decodes it if there is none that is valid.
fn address(call: &CallContext, w: &Wanted) -> Option<u64> {
    let device = &*call.state.device;
    let queue = call.queue.id;
    if let Some(copy) = w.coherence.copy().filter(DecodedCopy::is_valid) {
        if copy.queue() != queue {
            device.order_after(queue, copy.queue()).ok()?;
        }
        return Some(copy.block.address);
    }
    // Two planes of one array: the first of them has decoded all.
    let known = known_copy(call, w);
    if let Some(copy) = known.filter(DecodedCopy::is_valid) {
        return Some(copy.block.address);
    }
    let block = match known {
        Some(copy) => copy.block,
        None => call.state.pool.take(device, w.bytes_of_copy(), queue).ok()?,
    };
    for other in w.queues.iter().filter(|other| **other != queue) {
        device.order_after(queue, *other).ok()?;
    }
    if !decode(call, w, block.address) {
        if known.is_none() {
            call.state.pool.give(block, queue);
        }
        return None;
    }
    let mut table = call.state.table();
    table.get_mut(w.start)?.storage.encoded_mut()?.coherence.keep(DecodedCopy::clean(block, queue));
    Some(block.address)
}

/// Puts the decoding of the whole array on the call's queue.
fn decode(call: &CallContext, w: &Wanted, to: u64) -> bool {
    if !w.stored.is_block() && !convert::available_for(call, &w.stored) {
        return false;
    }
    log::transfer("decode", call.state, call.location, 0, call.queue, w.name, w.bytes_of_copy());
    if w.stored.is_block() {
        return block::written::decode_copy(call, w, to);
    }
    let count = w.stored.numbers_of_copy(w.bytes) as i64;
    let all = ElementRun { words: w.device, first: 0, count };
    call.put("decoding an array", |queue| convert::decode(call, queue, &w.stored, &all, to));
    true
}
