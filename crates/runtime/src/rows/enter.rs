//! Rows that come.

use super::transfer::{ALIGNMENT, Piece, send};
use super::{POINTER, Part, Section, Slot, block_of, holder, piece, settled};
use crate::data::{Counter, Task, absent, first, join, name, names_nothing, partial, raise};
use crate::error::{codes, fatal_coded};
use crate::log;
use crate::pool::Block;
use crate::present::{Attachment, Found, Mapping, PresentTable, Shared, Verified, changed, generation};
use accl_abi::{Var, data_flags, data_kind, slice};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, MutexGuard};

/// Begins a region with the variable, or executes `enter data`.
pub fn enter(task: &Task, var: &mut Var, counter: Counter) {
    if var.kind == data_kind::NO_CREATE {
        var.reserved = 0;
    }
    if names_nothing(var) {
        return;
    }
    match var.kind {
        data_kind::PRESENT | data_kind::NO_CREATE => stay(task, var, counter),
        _ => come(task, var, counter),
    }
}

/// Everything is to be there: only the array of pointers is counted. Its rows are looked up again if anything has changed.
fn stay(task: &Task, var: &mut Var, counter: Counter) {
    let lenient = var.kind == data_kind::NO_CREATE;
    let (mut table, found) = task.find(first(var), var.bytes);
    let mapping = match found {
        Found::Inside(start) => table.get_mut(start),
        Found::Partial(start) => partial(task, var, &table, start),
        Found::Absent if lenient => return,
        Found::Absent => absent(task, var, &table),
    };
    let Some(mapping) = mapping else { return };
    raise(mapping, counter);
    join(task, mapping);
    var.reserved = i32::from(lenient);
    let verified =
        Verified { generation: generation(), first: first(var), bytes: var.bytes, levels: levels(var) };
    if mapping.verified == Some(verified) {
        return;
    }
    drop(table);
    let section = Section::of_host(var);
    let mut table = settled(task, &section.parts);
    for slot in section.slots.iter().filter(|slot| slot.bytes > 0 && !lenient) {
        match table.find(slot.row, slot.bytes) {
            Found::Inside(_) => {}
            Found::Partial(start) => partial(task, &row_var(var, slot), &table, start),
            Found::Absent => absent(task, &row_var(var, slot), &table),
        }
    }
    let writes = attach(task, &mut table, &section.slots, &BTreeSet::new(), false);
    let verified = Verified { generation: generation(), ..verified };
    if let Found::Inside(start) = table.find(first(var), var.bytes)
        && let Some(mapping) = table.get_mut(start)
    {
        mapping.verified = Some(verified);
    }
    drop(table);
    write(task, var, &writes);
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

fn come(task: &Task, var: &Var, counter: Counter) {
    let section = Section::of_host(var);
    let stretches = section.stretches(task, var);
    let mut table = settled(task, &stretches);
    let mut known = BTreeSet::new();
    let mut fresh: Vec<Part> = vec![];
    for part in &stretches {
        match table.find(part.host, part.bytes) {
            Found::Inside(start) => {
                known.insert(start);
            }
            Found::Partial(start) => {
                let row = Var { base: part.host as *mut _, offset: 0, bytes: part.bytes, ..*var };
                partial(task, &row, &table, start)
            }
            Found::Absent => fresh.push(*part),
        }
    }
    for start in &known {
        if let Some(mapping) = table.get_mut(*start) {
            raise(mapping, counter);
            join(task, mapping);
        }
    }
    let always = always(task, var, &table, &section, &fresh);
    let block = make(task, var, counter, &mut table, &fresh);
    let starts: BTreeSet<usize> = fresh.iter().map(|part| part.host).collect();
    let writes = attach(task, &mut table, &section.slots, &starts, true);
    let images = images(&table, &fresh);
    let pieces = pieces(task, var, &table, &fresh, &images);
    drop(table);
    changed();
    if let Some(block) = block {
        fill(task, var, block);
    }
    if task.state.shared() {
        zero(var, &fresh);
    } else {
        send(task, name(var), var.line, pieces, true);
        send(task, name(var), var.line, always, false);
        write(task, var, &writes);
    }
    let mut table = task.state.table();
    for start in starts {
        if let Some(mapping) = table.get_mut(start) {
            mapping.busy = false;
        }
    }
    drop(table);
    task.state.ready.notify_all();
}

/// Rows that were there, and are to be sent nevertheless.
fn always(task: &Task, var: &Var, table: &PresentTable, section: &Section, fresh: &[Part]) -> Vec<Piece> {
    if !copies(var) || var.flags & data_flags::ALWAYS_IN == 0 {
        return vec![];
    }
    let is_fresh = |part: &Part| {
        let at = fresh.partition_point(|f| f.host <= part.host);
        at > 0 && part.host < fresh[at - 1].end()
    };
    let rows = section.parts.iter().filter(|part| !part.pointers && !is_fresh(part));
    rows.filter_map(|part| Some(piece(task, var, holder(table, part.host)?, part))).collect()
}

fn copies(var: &Var) -> bool {
    matches!(var.kind, data_kind::COPY | data_kind::COPYIN)
}

/// Mappings for stretches that are not there, in one block of device memory. Those that are neighbours on the host are so
/// there too.
fn make(
    task: &Task,
    var: &Var,
    counter: Counter,
    table: &mut MutexGuard<'static, PresentTable>,
    fresh: &[Part],
) -> Option<Block> {
    let mut places = Vec::with_capacity(fresh.len());
    let (mut end, mut last) = (0usize, None);
    for part in fresh {
        let begin = if last == Some(part.host) { end } else { end.next_multiple_of(ALIGNMENT) };
        places.push(begin);
        (end, last) = (begin + part.bytes, Some(part.end()));
    }
    let block = (!fresh.is_empty() && !task.state.shared()).then(|| take(task, var, end));
    let shared = block.map(|block| Arc::new(Shared::new(block)));
    for (part, place) in fresh.iter().zip(places) {
        let device = block.map_or(part.host as u64, |block| block.address + place as u64);
        let mut mapping = Mapping::new(part.host, part.bytes, device, var.name);
        mapping.shared = shared.clone();
        mapping.busy = true;
        mapping.queues.push(task.queue.id);
        raise(&mut mapping, counter);
        table.insert(mapping);
    }
    block
}

fn take(task: &Task, var: &Var, bytes: usize) -> Block {
    let state = task.state;
    let block = state.pool.take(&*state.device, bytes, task.queue.id).unwrap_or_else(|error| {
        let message = format!("no device memory for name={} bytes={bytes}: {error}", name(var));
        let free = state.device.free_memory();
        let notes = [format!("free on the device: {free} bytes of {}", state.device.info().memory)];
        fatal_coded(codes::NO_MEMORY, task.place, var.line, &message, &notes)
    });
    log::allocation("create", state, task.place, var.line, name(var), bytes, block.address);
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
    task: &Task,
    table: &mut PresentTable,
    slots: &[Slot],
    fresh: &BTreeSet<usize>,
    again: bool,
) -> Vec<Write> {
    let mut writes = vec![];
    for slot in slots.iter().filter(|slot| slot.bytes > 0) {
        let Found::Inside(row) = table.find(slot.row, slot.bytes) else { continue };
        let Some(device_target) = table.get(row).map(|row| row.translate(slot.target)) else { continue };
        let Found::Inside(start) = table.find(slot.at, POINTER) else { continue };
        let Some(mapping) = table.get_mut(start) else { continue };
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
        prepare(task);
    }
    writes
}

fn prepare(task: &Task) {
    if task.state.shared() {
        return;
    }
    if let Err(error) = task.state.device.prepare_for_pointers() {
        task.state.fail(task.place, None, "attaching the rows of an array of pointers", &error);
    }
}

fn write(task: &Task, var: &Var, writes: &[Write]) {
    if task.state.shared() {
        return;
    }
    let piece = |write: &Write| Piece {
        host: &raw const write.value as usize,
        device: write.device,
        bytes: POINTER,
        block: write.block,
    };
    send(task, name(var), var.line, writes.iter().map(piece).collect(), false);
}

/// New arrays of pointers as the device is to have them: pointers without a row are null.
fn images(table: &PresentTable, fresh: &[Part]) -> BTreeMap<usize, Vec<u64>> {
    let image = |part: &Part| {
        let attached = &holder(table, part.host)?.attached;
        let value = |at: usize| attached.get(&at).map_or(0, |a| a.device_target);
        Some((part.host, (part.host..part.end()).step_by(POINTER).map(value).collect()))
    };
    fresh.iter().filter(|part| part.pointers).filter_map(image).collect()
}

fn pieces(
    task: &Task,
    var: &Var,
    table: &PresentTable,
    fresh: &[Part],
    images: &BTreeMap<usize, Vec<u64>>,
) -> Vec<Piece> {
    let piece = |part: &Part| {
        let piece = piece(task, var, holder(table, part.host)?, part);
        match images.get(&part.host) {
            Some(image) => Some(Piece { host: image.as_ptr() as usize, ..piece }),
            None => copies(var).then_some(piece),
        }
    };
    fresh.iter().filter_map(piece).collect()
}

/// What rows hold that nothing is copied to.
fn fill(task: &Task, var: &Var, block: Block) {
    let zero = var.flags & data_flags::ZERO != 0;
    let is_cpu = task.state.device.info().kind == crate::device::Kind::Cpu;
    if copies(var) || !(zero || is_cpu || crate::config::config().poison) {
        return;
    }
    let byte = if zero { 0 } else { 0xA5 };
    task.put("filling device memory", |queue| {
        // SAFETY: the block was just taken.
        unsafe { task.state.device.fill(queue, block.address, byte, block.bytes) }
    });
}

/// Memory that the device shares: rows that are to begin with zeroes do so there.
fn zero(var: &Var, fresh: &[Part]) {
    if copies(var) || var.flags & data_flags::ZERO == 0 {
        return;
    }
    for part in fresh.iter().filter(|part| !part.pointers) {
        // SAFETY: the section is the user's to write.
        unsafe { std::ptr::write_bytes(part.host as *mut u8, 0, part.bytes) };
    }
}
