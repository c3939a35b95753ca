//! Data clauses and data directives: entering and leaving the present table.
//!
//! OpenACC 3.3 section 2.7. A data clause at the beginning of a region raises a reference count or
//! makes a mapping; at the end it lowers the count and, at 0, copies out and deletes. Compute and
//! data constructs count structured references, `enter data` and the runtime routines dynamic ones.
//!
//! A mapping is put into the table, busy, before its contents are sent, and the table's lock is
//! not held during the transfer; other threads that need it wait until it is ready.
//!
//! Invariant: the member `reserved` of a `no_create` variable is 1 between begin and end exactly
//! where begin found the variable present, so that end lowers what begin raised.

mod attach;
mod declare;
mod enter;
mod exit;
mod exit_openmp;
mod sections;

pub use attach::{attach, detach, device_pointer, require_own_pointers, use_device};
pub use declare::{declare, enter_all_declared};
pub use enter::{enter, has_device_addresses};
pub use exit::exit;
pub use sections::bring_together;

use crate::call::CallContext;
use crate::device::SYNC_QUEUE;
use crate::error::{DeviceError, codes, fatal_coded};
use crate::pool::Block;
use crate::present::{Mapping, Presence, PresentTable};
use crate::residency;
use crate::rows;
use crate::variable::{first, name};
use accl_abi::{Var, data_flags, data_kind};
use std::sync::MutexGuard;

/// Which reference count a directive changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    Structured,
    Dynamic,
}

impl Counter {
    /// OpenMP knows one count (OpenMP 5.2 §5.8.3): the structured one.
    pub fn of(self, var: &Var) -> Counter {
        if var.flags & data_flags::OPENMP != 0 { Counter::Structured } else { self }
    }
}

/// Where the data is present and stays so, nothing happens but that a count changes.
#[inline]
fn may_only_count(var: &Var) -> bool {
    let counted = matches!(
        var.kind,
        data_kind::COPY | data_kind::COPYIN | data_kind::COPYOUT | data_kind::CREATE | data_kind::PRESENT
    );
    counted
        && var.bytes > 0
        && var.flags
            & (data_flags::ALWAYS_IN | data_flags::ALWAYS_OUT | data_flags::DEEP | data_flags::TOGETHER)
            == 0
}

/// An address of the device, with which data regions have nothing to do.
fn is_address(var: &Var) -> bool {
    var.kind == data_kind::DEVICEPTR && !rows::is_deep(var)
}

/// The mapping of a variable for which there is only to count, and its slot; `None` also where that takes a search.
#[inline]
fn ready<'t>(table: &'t mut PresentTable, var: &Var) -> Option<(usize, &'t mut Mapping)> {
    let slot = if may_only_count(var) { table.at_hand(first(var), var.bytes)? } else { return None };
    Some((slot, table.in_slot(slot)?))
}

/// OpenMP: of a variable in no clause, the part that is present will do.
pub fn means_part(var: &Var) -> bool {
    let flags = data_flags::OPENMP | data_flags::IMPLICIT;
    var.flags & flags == flags
}

/// The place of a pointer counts where nothing else than such places made the mapping.
pub fn counts_here(var: &Var, mapping: &Mapping) -> bool {
    var.flags & data_flags::TOGETHER == 0 || mapping.of_parts
}

/// What an empty section stands for (OpenMP 5.2 §5.8.6).
pub fn touching(call: &CallContext, var: &Var) -> (MutexGuard<'static, PresentTable>, Presence) {
    let (table, _) = call.find(first(var), 1);
    let found = table.meant_by(first(var)).map_or(Presence::Absent, Presence::Inside);
    (table, found)
}

pub fn raise(mapping: &mut Mapping, var: &Var, counter: Counter) {
    match counter.of(var) {
        Counter::Structured => mapping.structured += 1,
        Counter::Dynamic => mapping.dynamic += 1,
    }
}

/// Orders the queue after the one that made a mapping, where nothing else does: the user may know
/// nothing of that queue, having met data that another thread or an earlier construct brought.
#[inline]
pub fn join(call: &CallContext, mapping: &mut Mapping) {
    let id = call.queue.id;
    // The last one is looked at first: it is the only one but for the sync queue's, mostly.
    if mapping.queues.last() != Some(&id) && !mapping.queues.contains(&id) {
        join_first(call, mapping);
    }
}

/// As [`join`], of a queue that the mapping did not meet before.
#[inline(never)]
fn join_first(call: &CallContext, mapping: &mut Mapping) {
    let id = call.queue.id;
    let Some(maker) = mapping.queues.first().copied() else { return };
    mapping.queues.push(id);
    // `Queues::before` does it for the sync queue.
    if maker != SYNC_QUEUE {
        call.order_after(maker);
    }
}

/// Device memory for a variable; the program ends where there is none.
pub fn take_block(call: &CallContext, var: &Var, bytes: usize) -> Block {
    let state = call.state;
    loop {
        match state.pool.take(&*state.device, bytes, call.queue.id) {
            Ok(block) => return block,
            Err(_) if residency::make_room(state) => {}
            Err(error) => no_memory(call, var, bytes, &error),
        }
    }
}

pub fn no_memory(call: &CallContext, var: &Var, bytes: usize, error: &DeviceError) -> ! {
    let state = call.state;
    let message = format!("no device memory for name={} bytes={bytes}: {error}", name(var));
    let free = state.device.free_memory();
    let notes = [format!("free on the device: {free} bytes of {}", state.device.info().memory)];
    fatal_coded(codes::NO_MEMORY, call.location, var.line, &message, &notes)
}
