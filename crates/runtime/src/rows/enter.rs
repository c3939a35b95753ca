//! Rows that come.

use super::transfer::{ALIGNMENT, RowPiece, send};
use super::{DeepSection, POINTER, Slot, Stretch, block_of, holder, piece, table_when_ready};
use crate::call::CallContext;
use crate::data::{Counter, join, raise, require_own_pointers, take_block};
use crate::generation::{changed, generation};
use crate::log;
use crate::not_present::{absent, partial};
use crate::pool::Block;
use crate::present::{Attachment, Mapping, Presence, PresentTable, Shared, Verified};
use crate::storage::column_major;
use crate::variable::{first, name, names_nothing};
use accl_abi::{Var, data_flags, data_kind, slice};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, MutexGuard};

/// Begins a region with the variable, or executes `enter data`.
pub fn enter(call: &CallContext, var: &mut Var, counter: Counter) {
    if var.kind == data_kind::NO_CREATE {
        var.reserved = 0;
    }
    if names_nothing(var) {
        return;
    }
    column_major::make_all_plain(call);
    match var.kind {
        data_kind::PRESENT | data_kind::NO_CREATE => stay(call, var, counter),
        _ => come(call, var, counter),
    }
}

/// Everything is to be there: only the array of pointers is counted. Its rows are looked up again if anything has changed.
fn stay(call: &CallContext, var: &mut Var, counter: Counter) {
    let lenient = var.kind == data_kind::NO_CREATE;
    let (mut table, found) = call.find(first(var), var.bytes);
    let mapping = match found {
        Presence::Inside(start) => table.get_mut(start),
        Presence::Partial(start) => partial(call, var, &table, start),
        Presence::Absent if lenient => return,
        Presence::Absent => absent(call, var, &table),
    };
    let Some(mapping) = mapping else { return };
    raise(mapping, var, counter);
    join(call, mapping);
    var.reserved = i32::from(lenient);
    let verified =
        Verified { generation: generation(), first: first(var), bytes: var.bytes, levels: levels(var) };
    if mapping.verified == Some(verified) {
        return;
    }
    drop(table);
    let section = DeepSection::of_host(var);
    let mut table = table_when_ready(call, &section.parts);
    for slot in section.slots.iter().filter(|slot| slot.bytes > 0 && !lenient) {
        match table.find(slot.row, slot.bytes) {
            Presence::Inside(_) => {}
            Presence::Partial(start) => partial(call, &row_var(var, slot), &table, start),
            Presence::Absent => absent(call, &row_var(var, slot), &table),
        }
    }
    let writes = attach(call, var, &mut table, &section.slots, &BTreeSet::new(), false);
    let verified = Verified { generation: generation(), ..verified };
    if let Presence::Inside(start) = table.find(first(var), var.bytes)
        && let Some(mapping) = table.get_mut(start)
    {
        mapping.verified = Some(verified);
    }
    drop(table);
    write(call, var, &writes);
}

/// The levels in one number: two sections that differ there alone are not the same.
fn levels(var: &Var) -> u64 {
    // SAFETY: the table's dimensions live for the call.
    let levels = unsafe { slice(var.dims, var.n_dims) };
    let mut hash = std::hash::DefaultHasher::new();
    levels.iter().for_each(|level| (level.stride, level.count).hash(&mut hash));
    hash.finish()
}

/// One row, for messages.
fn row_var(var: &Var, slot: &Slot) -> Var {
    Var { base: slot.target as *mut _, offset: slot.row.wrapping_sub(slot.target), bytes: slot.bytes, ..*var }
}

fn come(call: &CallContext, var: &Var, counter: Counter) {
    let section = DeepSection::of_host(var);
    let stretches = section.stretches(call, var);
    let mut table = table_when_ready(call, &stretches);
    let mut known = BTreeSet::new();
    let mut fresh: Vec<Stretch> = vec![];
    for part in &stretches {
        match table.find(part.host, part.bytes) {
            Presence::Inside(start) => {
                known.insert(start);
            }
            Presence::Partial(start) => {
                let row = Var { base: part.host as *mut _, offset: 0, bytes: part.bytes, ..*var };
                partial(call, &row, &table, start)
            }
            Presence::Absent => fresh.push(*part),
        }
    }
    for start in &known {
        if let Some(mapping) = table.get_mut(*start) {
            raise(mapping, var, counter);
            join(call, mapping);
        }
    }
    let always = always(call, var, &table, &section, &fresh);
    let block = make(call, var, counter, &mut table, &fresh);
    let starts: BTreeSet<usize> = fresh.iter().map(|part| part.host).collect();
    let writes = attach(call, var, &mut table, &section.slots, &starts, true);
    let images = images(&table, &fresh);
    let pieces = pieces(call, var, &table, &fresh, &images);
    drop(table);
    changed();
    if let Some(block) = block {
        fill(call, var, block);
    }
    if call.state.shared() {
        zero(var, &fresh);
    } else {
        send(call, name(var), var.line, pieces, true);
        send(call, name(var), var.line, always, false);
        write(call, var, &writes);
    }
    let mut table = call.state.table();
    for start in starts {
        if let Some(mapping) = table.get_mut(start) {
            mapping.busy = false;
        }
    }
    drop(table);
    call.state.ready.notify_all();
}

/// Rows that were there, and are to be sent nevertheless.
fn always(
    call: &CallContext,
    var: &Var,
    table: &PresentTable,
    section: &DeepSection,
    fresh: &[Stretch],
) -> Vec<RowPiece> {
    if !copies(var) || var.flags & data_flags::ALWAYS_IN == 0 {
        return vec![];
    }
    let is_fresh = |part: &Stretch| {
        let at = fresh.partition_point(|f| f.host <= part.host);
        at > 0 && part.host < fresh[at - 1].end()
    };
    let rows = section.parts.iter().filter(|part| !part.pointers && !is_fresh(part));
    rows.filter_map(|part| Some(piece(call, var, holder(table, part.host)?, part))).collect()
}

fn copies(var: &Var) -> bool {
    matches!(var.kind, data_kind::COPY | data_kind::COPYIN)
}

/// Mappings for stretches that are not there, in one block of device memory. Those that are neighbours on the host are so
/// there too.
fn make(
    call: &CallContext,
    var: &Var,
    counter: Counter,
    table: &mut MutexGuard<'static, PresentTable>,
    fresh: &[Stretch],
) -> Option<Block> {
    let mut places = Vec::with_capacity(fresh.len());
    let (mut end, mut last) = (0usize, None);
    for part in fresh {
        let begin = if last == Some(part.host) { end } else { end.next_multiple_of(ALIGNMENT) };
        places.push(begin);
        (end, last) = (begin + part.bytes, Some(part.end()));
    }
    let block = (!fresh.is_empty() && !call.state.shared()).then(|| take(call, var, end));
    let shared = block.map(|block| Arc::new(Shared::new(block)));
    for (part, place) in fresh.iter().zip(places) {
        let device = block.map_or(part.host as u64, |block| block.address + place as u64);
        let mut mapping = Mapping::new(part.host, part.bytes, device, var.name);
        mapping.shared = shared.clone();
        mapping.busy = true;
        mapping.queues.push(call.queue.id);
        raise(&mut mapping, var, counter);
        table.insert(mapping);
    }
    block
}

fn take(call: &CallContext, var: &Var, bytes: usize) -> Block {
    let block = take_block(call, var, bytes);
    log::allocation("create", call.state, call.location, var.line, name(var), bytes, block.address);
    block
}

/// A pointer in device memory that is to be written.
struct Write {
    device: u64,
    value: u64,
    block: u64,
}

/// Attaches the pointers whose rows are there; gives those to be written that lie in what was there before. `again`: those
/// that are attached already are counted once more.
fn attach(
    call: &CallContext,
    var: &Var,
    table: &mut PresentTable,
    slots: &[Slot],
    fresh: &BTreeSet<usize>,
    again: bool,
) -> Vec<Write> {
    let mut writes = vec![];
    for slot in slots.iter().filter(|slot| slot.bytes > 0) {
        let Presence::Inside(row) = table.find(slot.row, slot.bytes) else { continue };
        let Some(row) = table.get(row) else { continue };
        require_own_pointers(call, var, row);
        let device_target = row.translate(slot.target);
        let Presence::Inside(start) = table.find(slot.at, POINTER) else { continue };
        let Some(mapping) = table.get_mut(start) else { continue };
        require_own_pointers(call, var, mapping);
        let (device, block) = (mapping.translate(slot.at), block_of(mapping));
        let new = Attachment { count: 1, host_target: slot.target, device_target };
        let known = mapping.attached.get(&slot.at).copied();
        let same =
            known.filter(|known| known.host_target == slot.target && known.device_target == device_target);
        let attachment = match same {
            Some(same) => Attachment { count: same.count + u32::from(again), ..same },
            None => new,
        };
        mapping.attached.insert(slot.at, attachment);
        if same.is_none() && !fresh.contains(&start) {
            writes.push(Write { device, value: device_target, block });
        }
    }
    if !writes.is_empty() || !fresh.is_empty() {
        changed();
        prepare(call);
    }
    writes
}

fn prepare(call: &CallContext) {
    if call.state.shared() {
        return;
    }
    if let Err(error) = call.state.device.prepare_for_pointers() {
        call.state.fail(call.location, None, "attaching the rows of an array of pointers", &error);
    }
}

fn write(call: &CallContext, var: &Var, writes: &[Write]) {
    if call.state.shared() {
        return;
    }
    let piece = |write: &Write| RowPiece {
        host: &raw const write.value as usize,
        device: write.device,
        bytes: POINTER,
        block: write.block,
    };
    send(call, name(var), var.line, writes.iter().map(piece).collect(), false);
}

/// New arrays of pointers as the device is to have them: pointers without a row are null.
fn images(table: &PresentTable, fresh: &[Stretch]) -> BTreeMap<usize, Vec<u64>> {
    let image = |part: &Stretch| {
        let attached = &holder(table, part.host)?.attached;
        let value = |at: usize| attached.get(&at).map_or(0, |a| a.device_target);
        Some((part.host, (part.host..part.end()).step_by(POINTER).map(value).collect()))
    };
    fresh.iter().filter(|part| part.pointers).filter_map(image).collect()
}

fn pieces(
    call: &CallContext,
    var: &Var,
    table: &PresentTable,
    fresh: &[Stretch],
    images: &BTreeMap<usize, Vec<u64>>,
) -> Vec<RowPiece> {
    let piece = |part: &Stretch| {
        let piece = piece(call, var, holder(table, part.host)?, part);
        match images.get(&part.host) {
            Some(image) => Some(RowPiece { host: image.as_ptr() as usize, ..piece }),
            None => copies(var).then_some(piece),
        }
    };
    fresh.iter().filter_map(piece).collect()
}

/// What rows hold that nothing is copied to.
fn fill(call: &CallContext, var: &Var, block: Block) {
    let zero = var.flags & data_flags::ZERO != 0;
    let is_cpu = call.state.device.info().kind == crate::device::Kind::Cpu;
    if copies(var) || !(zero || is_cpu || crate::config::config().poison) {
        return;
    }
    let byte = if zero { 0 } else { 0xA5 };
    call.put("filling device memory", |queue| {
        // SAFETY: the block was just taken.
        unsafe { call.state.device.fill(queue, block.address, byte, block.bytes) }
    });
}

/// Memory that the device shares: rows that are to begin with zeroes do so there.
fn zero(var: &Var, fresh: &[Stretch]) {
    if copies(var) || var.flags & data_flags::ZERO == 0 {
        return;
    }
    for part in fresh.iter().filter(|part| !part.pointers) {
        // SAFETY: the section is the user's to write.
        unsafe { std::ptr::write_bytes(part.host as *mut u8, 0, part.bytes) };
    }
}
