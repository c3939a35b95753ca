//! The device's copies of tables, whose pointers lead to the device's copies of what the host's lead to.
//!
//! They are kept, since constructs use the same tables again and again: a table is translated again only where its pointers, or the
//! places of what they lead to, have changed ([`KnownRows`]).
//!
//! Invariant: a copy that a construct uses is not given back while that makes its others.

use super::device_copy::{can_merge, host_call, last_change, settle};
use super::objects::{HostObject, tracked_at};
use super::tables::{POINTER, Table};
use crate::call::CallContext;
use crate::device::SYNC_QUEUE;
use crate::pool::Block;
use crate::state::DeviceState;
use crate::variable::name;
use crate::{data, transfer};
use accl_abi::Var;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Copies that are kept.
const KEPT: usize = 64;
const KEPT_BYTES: usize = 256 << 20;
/// What the C library aligns allocations to.
pub(super) const ALIGNMENT: usize = 16;

/// The translated tables of a construct, on the device.
pub(super) struct TranslatedCopy {
    state: &'static DeviceState,
    pub(super) tables: Vec<Range<usize>>,
    pub(super) contents: Vec<u8>,
    pub(super) block: Block,
    /// Where they are known, what each table leads to.
    pub(super) rows: Vec<Option<KnownRows>>,
    /// The number of the pointers' following of which it was made, and where the device had what they lead to.
    pub(super) made_of: Option<(u64, Vec<u64>)>,
    /// Kernels have written to it, and `contents` are as they were before.
    pub(super) is_newer: bool,
}

/// What the pointers of an array that is an object of its own lead to: other such objects, and nothing else. So the array need not be
/// read again while neither it nor one of them has changed.
#[derive(Clone)]
pub(super) struct KnownRows {
    pub(super) array: Arc<HostObject>,
    /// How much of it the construct's item has.
    pub(super) bytes: usize,
    /// The number of the last change of the array's contents.
    pub(super) changed: u64,
    pub(super) rows: Vec<KnownRow>,
    /// See [`rows_are_distinct`](super::rows_are_distinct): all of them, and those of each element.
    pub(super) distinct: Arc<[DistinctRows; 2]>,
}

/// What the pointers of a table lead to, in the order of addresses, if no two lead to the same memory. It is found out when a launch
/// asks.
pub(super) type DistinctRows = OnceLock<Option<Vec<Range<usize>>>>;

/// An object, and where it begins on the device.
pub(super) type KnownRow = (Arc<HostObject>, u64);

impl KnownRows {
    pub(super) fn on_device(&self, device: impl Fn(&HostObject) -> u64) -> KnownRows {
        let rows = self.rows.iter().map(|(object, _)| (object.clone(), device(object))).collect();
        KnownRows { rows, ..self.clone() }
    }

    pub(super) fn same_as(&self, other: &KnownRows) -> bool {
        let same = |(a, b): (&KnownRow, &KnownRow)| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1;
        Arc::ptr_eq(&self.array, &other.array)
            && (self.bytes, self.changed) == (other.bytes, other.changed)
            && self.rows.len() == other.rows.len()
            && self.rows.iter().zip(&other.rows).all(same)
    }

    pub(super) fn hold(&self, call: &CallContext) -> bool {
        let is_there = |object: &Arc<HostObject>| {
            tracked_at(object.start).is_some_and(|now| Arc::ptr_eq(&now, object))
                && super::is_free_of_clauses(call, object)
        };
        last_change(call.state, &self.array) == Some(self.changed)
            && is_there(&self.array)
            && self.rows.iter().all(|(object, _)| is_there(object))
    }
}

/// Bytes of a table from which on it travels alone.
const ALONE: usize = 64 << 10;

/// It has a copy for itself, which stays where others come and go.
pub(super) fn is_alone(table: &Table) -> bool {
    table.extent.len() >= ALONE && can_be_watched(table)
}

/// Its pointers lead to data, and nothing but the program changes them. What kernels write beside them is left on the device
/// until the host accesses it, for which the table needs pages of its own.
pub(super) fn can_be_watched(table: &Table) -> bool {
    let has_own_pages = || {
        let object = tracked_at(table.extent.start);
        object.is_some_and(|object| !object.has_ends() && table.extent.end <= object.end())
    };
    let stays = || table.extent.len() >= ALONE && has_own_pages() && can_merge();
    table.leads_to_data() && (!table.written || stays())
}

/// What the pointers of a table lead to, if that is as it was when it was followed the last time.
pub(super) fn known_rows(call: &CallContext, table: &Table) -> Option<KnownRows> {
    let copies = copies();
    let at = |copy: &TranslatedCopy| copy.tables.iter().position(|extent| *extent == table.extent);
    let of = copies.iter().filter(|copy| copy.is_of(call));
    let known = of.into_iter().find_map(|copy| copy.rows.get(at(copy)?)?.clone())?;
    drop(copies);
    (can_be_watched(table) && known.hold(call)).then_some(known)
}

pub(super) static COPIES: Mutex<Vec<TranslatedCopy>> = Mutex::new(Vec::new());

pub(super) fn copies() -> MutexGuard<'static, Vec<TranslatedCopy>> {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives back the copies that were not used longest, where they and those that a construct has taken out for itself are too many.
pub(super) fn make_room_for<'c>(call: &CallContext, taken: impl Iterator<Item = &'c TranslatedCopy>) {
    let bytes_of = |copy: &TranslatedCopy| copy.contents.len();
    let (count, bytes) = taken.fold((0, 0), |(count, bytes), copy| (count + 1, bytes + bytes_of(copy)));
    let mut copies = copies();
    let mut all = bytes + copies.iter().map(bytes_of).sum::<usize>();
    while !copies.is_empty() && (copies.len() + count > KEPT || all > KEPT_BYTES) {
        let oldest = copies.remove(0);
        all -= bytes_of(&oldest);
        oldest.release(call);
    }
}

/// Where tables begin that travel in one block, and its bytes.
pub(super) fn places_of(tables: &[Range<usize>]) -> (Vec<usize>, usize) {
    let mut bytes = 0usize;
    let place = |extent: &Range<usize>| {
        let place = bytes.next_multiple_of(ALIGNMENT) + extent.start % ALIGNMENT;
        bytes = place + extent.len();
        place
    };
    (tables.iter().map(place).collect(), bytes)
}

impl TranslatedCopy {
    /// Where its tables begin in the block.
    pub(super) fn places(&self) -> Vec<usize> {
        places_of(&self.tables).0
    }

    pub(super) fn is_of(&self, call: &CallContext) -> bool {
        std::ptr::eq(self.state, call.state)
    }

    /// The copy of these tables, if there is one, or a new one with nothing in it.
    pub(super) fn of(call: &CallContext, var: &Var, tables: Vec<Range<usize>>) -> TranslatedCopy {
        let same = |copy: &mut TranslatedCopy| copy.is_of(call) && copy.tables == tables;
        if let Some(copy) = copies().extract_if(.., same).next() {
            return copy;
        }
        let bytes = places_of(&tables).1;
        let block = data::take_block(call, var, bytes.max(POINTER));
        TranslatedCopy {
            state: call.state,
            tables,
            contents: vec![0; bytes],
            block,
            rows: vec![],
            made_of: None,
            is_newer: false,
        }
    }

    /// The part of this table was made when its pointers led to these objects at these places.
    pub(super) fn has_rows(&self, table: usize, rows: &Option<KnownRows>) -> bool {
        let known = self.rows.get(table).and_then(Option::as_ref);
        known.zip(rows.as_ref()).is_some_and(|(known, rows)| known.same_as(rows))
    }

    /// Sends the part of a table, if it has changed.
    pub(super) fn send(&mut self, call: &CallContext, var: &Var, place: usize, contents: &[u8]) {
        let before = &mut self.contents[place..place + contents.len()];
        if !self.rows.is_empty() && !self.is_newer && *before == *contents {
            return;
        }
        before.copy_from_slice(contents);
        self.is_newer = false;
        if !self.rows.is_empty() {
            self.finish_work(call);
        }
        let (from, device) = (contents.as_ptr() as usize, self.block.address + place as u64);
        transfer::send_current(call, name(var), var.line, from, device, contents.len());
        call.state.finish(call.location, call.queue);
    }

    pub(super) fn keep(self) {
        copies().push(self);
    }

    /// Work on any queue may still follow its pointers.
    pub(super) fn finish_work(&self, call: &CallContext) {
        for queue in self.state.queues.all() {
            self.state.finish(call.location, queue);
        }
    }

    pub(super) fn release(self, call: &CallContext) {
        self.finish_work(call);
        for (table, place) in self.tables.iter().zip(self.places()) {
            if let Some(object) = tracked_at(table.start) {
                settle(&object, self.block.address + place as u64);
            }
        }
        self.state.pool.give(self.block, SYNC_QUEUE);
    }
}

/// Nothing of a device is kept.
pub(super) fn leave(state: &'static DeviceState) {
    let gone: Vec<TranslatedCopy> = copies().extract_if(.., |copy| std::ptr::eq(copy.state, state)).collect();
    gone.into_iter().for_each(|copy| copy.release(&host_call(state)));
}
