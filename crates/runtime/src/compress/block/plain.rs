//! Kernels that write block arrays: they get plain copies, which are encoded behind them.
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

use super::device::{self, Way};
use super::runs::{self, Groups, Part};
use crate::compress::Stored;
use crate::compress::check;
use crate::compress::copies;
use crate::compress::settle::Copy;
use crate::data::{Task, first, name};
use crate::device::{Argument, Kind, QueueId};
use crate::error::{codes, fatal_coded};
use crate::launch::Range;
use crate::log;
use crate::pool::Block;
use crate::present::Found;
use crate::site::Name;
use accl_abi::{Arg, LaunchInfo, Var, arg_flags, arg_kind, scheme};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard};

/// An array that a kernel writes as a plain one.
struct Handed {
    /// Of the mapping.
    start: usize,
    stored: Stored,
    /// On the device.
    held: u64,
    plain: u64,
    /// Numbers of the array on the host.
    numbers: usize,
    name: Name,
}

/// What is to be encoded behind a launch.
pub struct Behind {
    arrays: Vec<Handed>,
    _alone: MutexGuard<'static, ()>,
}

/// Puts plain copies in the place of block arrays that the kernel writes.
pub fn hand(
    task: &Task,
    info: &LaunchInfo,
    table: &[Arg],
    arguments: &mut [Argument],
    ranges: &mut [Range],
) -> Option<Behind> {
    let (written, alone) = written(info, table)?;
    let mut arrays: Vec<Handed> = vec![];
    for argument in written {
        let arg = &table[argument];
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let Some(start) = start_of(task, var) else { continue };
        refuse_other_names(task, info, table, arg, start);
        let known = arrays.iter().position(|a| a.start == start);
        let at = known.unwrap_or_else(|| {
            arrays.extend(decoded(task, var, start));
            arrays.len() - 1
        });
        let Some(array) = arrays.get(at) else { continue };
        let skip = skip(task, array, var, arg);
        let base = array.plain.wrapping_add_signed(skip);
        arguments[argument] = Argument::Data { base, inside: array.plain };
        if let Some(range) = ranges.get_mut(argument) {
            let reach = (plain_numbers(&array.stored, array.numbers) * array.stored.elem_size()) as u64;
            *range =
                Range { begin: array.plain, end: array.plain + reach, base, reach, known: true, ..*range };
        }
    }
    (!arrays.is_empty()).then_some(Behind { arrays, _alone: alone })
}

/// Before a kernel that writes whole groups by itself: other launches may be about to encode the array.
pub fn wait(task: &Task, info: &LaunchInfo, table: &[Arg]) -> Option<Behind> {
    let (written, alone) = written(info, table)?;
    for argument in written {
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(table[argument].index as usize) };
        let used = start_of(task, var).and_then(|start| task.state.table().get(start)?.copies.copy());
        let other = used.map(|copy| copy.queue()).filter(|other| *other != task.queue.id);
        order(task, other);
    }
    Some(Behind { arrays: vec![], _alone: alone })
}

/// The arguments that are block arrays and written, with the lock.
fn written(info: &LaunchInfo, table: &[Arg]) -> Option<(Vec<usize>, MutexGuard<'static, ()>)> {
    static ALONE: Mutex<()> = Mutex::new(());
    if check::PRESENT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let written: Vec<usize> = (0..table.len()).filter(|i| is_written(info, &table[*i])).collect();
    let lock = || ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    (!written.is_empty()).then(|| (written, lock()))
}

/// Lets the task's queue wait for what is on others now.
fn order(task: &Task, others: impl IntoIterator<Item = QueueId>) {
    for other in others {
        if let Err(error) = task.state.device.order_after(task.queue.id, other) {
            task.state.fail(task.place, Some(task.queue), "ordering queues", &error);
        }
    }
}

/// Encodes what the kernel wrote.
pub fn encode(task: &Task, behind: &Behind) {
    for array in &behind.arrays {
        convert(task, Way::Encode, array);
    }
}

fn is_written(info: &LaunchInfo, arg: &Arg) -> bool {
    if arg.kind != arg_kind::DATA || arg.flags & arg_flags::WRITTEN == 0 {
        return false;
    }
    // SAFETY: the index is within the launch's variables.
    let var = unsafe { &*info.vars.add(arg.index as usize) };
    check::format(var).is_some_and(|format| format.scheme == scheme::BLOCK)
}

fn start_of(task: &Task, var: &Var) -> Option<usize> {
    match task.find(first(var), var.bytes).1 {
        Found::Inside(start) => Some(start),
        Found::Absent | Found::Partial(_) => None,
    }
}

/// An argument that is the same array by another name would see the values from before the kernel.
fn refuse_other_names(task: &Task, info: &LaunchInfo, table: &[Arg], arg: &Arg, start: usize) {
    for other in table.iter().filter(|other| other.kind == arg_kind::DATA && other.index != arg.index) {
        // SAFETY: the index is within the launch's variables.
        let (var, first) =
            unsafe { (&*info.vars.add(other.index as usize), &*info.vars.add(arg.index as usize)) };
        if start_of(task, var) == Some(start) {
            let message = format!(
                "{} and {} are parts of one array, held in blocks and written",
                name(var),
                name(first)
            );
            let help = "help: use one name for it in the construct, or another scheme".to_owned();
            task.fatal(first.line, &message, &[help]);
        }
    }
}

/// Bytes from the copy's beginning to what stands for the variable's base.
fn skip(task: &Task, array: &Handed, var: &Var, arg: &Arg) -> i64 {
    let stored = &array.stored;
    let table = task.state.table();
    let host = table.get(array.start).map_or(array.start, |mapping| mapping.host);
    let distance = (var.base as i64 - host as i64) / (stored.elem_size() * stored.pitch()) as i64;
    (distance + (arg.size as usize * stored.plane) as i64) * stored.elem_size() as i64
}

/// Numbers of the plain copy, those between planes among them.
fn plain_numbers(stored: &Stored, numbers: usize) -> usize {
    if stored.plane > 0 { stored.plane * stored.members } else { numbers }
}

/// The array in a plain copy.
fn decoded(task: &Task, var: &Var, start: usize) -> Option<Handed> {
    let queue = task.queue.id;
    let (stored, held, numbers, known, queues, mapping_name) = {
        let table = task.state.table();
        let mapping = table.get(start)?;
        let stored = mapping.stored?;
        let numbers = mapping.bytes / stored.elem_size();
        (stored, mapping.device, numbers, mapping.copies.copy(), mapping.queues.clone(), mapping.name)
    };
    let block = known.map_or_else(|| take(task, var, &stored, numbers), |copy| copy.block);
    let used: Vec<QueueId> =
        known.iter().map(Copy::queue).chain(queues).filter(|other| *other != queue).collect();
    order(task, used);
    let array = Handed { start, stored, held, plain: block.address, numbers, name: Name(mapping_name) };
    convert(task, Way::Decode, &array);
    let mut table = task.state.table();
    table.get_mut(start)?.copies.keep(Copy::outdated(block, queue));
    Some(array)
}

fn take(task: &Task, var: &Var, stored: &Stored, numbers: usize) -> Block {
    let bytes = plain_numbers(stored, numbers) * stored.elem_size();
    task.state.pool.take(&*task.state.device, bytes, task.queue.id).unwrap_or_else(|error| {
        let name = name(var);
        let message = format!("no device memory for the plain copy of name={name} bytes={bytes}: {error}");
        let note = "note: kernels that write an array of scheme(block) write a plain copy, which is encoded behind them";
        fatal_coded(codes::NO_MEMORY, task.place, var.line, &message, &[note.to_owned()])
    })
}

fn convert(task: &Task, way: Way, array: &Handed) {
    let stored = &array.stored;
    let bytes = array.numbers * stored.elem_size();
    let word = if way == Way::Decode { "decode" } else { "encode" };
    log::transfer(word, task.state, task.place, 0, task.queue, array.name, bytes);
    let (planes, each) = match stored.plane {
        0 => (1, array.numbers),
        plane => (stored.members, plane),
    };
    for plane in 0..planes {
        let held = array.held + stored.plane_start(plane);
        let plain = array.plain + (plane * each * stored.elem_size()) as u64;
        if task.state.device.info().kind == Kind::Cpu {
            task.put("a conversion", |_| {
                on_host(way, stored, held as usize, plain as usize, each);
                Ok(())
            });
        } else if let Err(error) = device::convert(task, way, stored, held, plain, each) {
            task.state.fail(task.place, Some(task.queue), "converting an array", &error);
        }
    }
}

/// On the cpu device addresses are the host's.
fn on_host(way: Way, stored: &Stored, held: usize, plain: usize, numbers: usize) {
    let groups = Groups { elements: held, exponents: held + stored.exponents };
    let part = Part { first: 0, count: numbers, total: numbers };
    // The copy's numbers are side by side, whatever the host's are.
    let stored = Stored { plane: 0, ..*stored };
    // SAFETY: the array's memory, and a block with room for its numbers; the launch's steps follow each other.
    unsafe {
        match way {
            Way::Decode => runs::decode_all(&stored, groups, plain as *mut u8, part),
            Way::Encode => {
                runs::encode_all(&stored, plain as *const u8, groups, part);
            }
        }
    }
}

/// The plain copy that versions with decoded arrays read; false where it cannot be made.
pub fn decode_copy(task: &Task, w: &copies::Wanted, to: u64) -> bool {
    let stored = &w.stored;
    let (planes, each) = match stored.plane {
        0 => (1, w.bytes / stored.elem_size()),
        plane => (stored.members, plane),
    };
    (0..planes).all(|plane| {
        let held = w.device + stored.plane_start(plane);
        let plain = to + (plane * each * stored.elem_size()) as u64;
        device::convert(task, Way::Decode, stored, held, plain, each).is_ok()
    })
}
