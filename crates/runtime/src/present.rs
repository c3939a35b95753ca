//! The present table: which stretches of host memory have a copy on the device, and where.
//!
//! OpenACC 3.3 sections 2.6.3 to 2.6.8. One table for each device. It is keyed by host address, so
//! a section of an array that is present is found inside the array's mapping. Each mapping has a
//! structured reference count (data regions), a dynamic one (enter data, `acc_copyin`, …) and
//! the pointers attached in it. Variables in memory shared with the device are recorded too, with
//! equal addresses, so that counts and errors are the same there.
//!
//! This module only keeps the table: it moves no data and reports no errors.
//!
//! Programs look the same few addresses up again and again, three times a launch. Hints remember by an address where
//! its mapping was found last; a hint is tried, never trusted, so nothing has to be kept in step with them. What a launch
//! planned by the tables holds for as long as [`generation`](crate::generation) stays the same.
//!
//! Invariants: mappings do not overlap and none is empty; a mapping with both counts 0 is removed
//! at once by whoever lowered the count; `attached` keys lie inside their mapping; `by_start` says for each start the
//! slot that is full; whatever changes how a launch would find or use data (not counts, nor contents) calls [`changed`].

use crate::data::Counter;
use crate::device::QueueId;
use crate::generation::changed;
use crate::location::SourceLocation;
use crate::pool::Block;
use crate::storage::Storage;
use accl_abi::{Var, data_flags};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::c_char;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A pointer in device memory that was made to point to device memory (section 2.6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub count: u32,
    pub host_target: usize,
    pub device_target: u64,
}

/// Device memory that several mappings have parts of.
pub struct Shared {
    pub block: Block,
    /// The host's address that goes with its start, where its parts lie as far apart as on the host.
    host: Option<usize>,
    /// Queues on which mappings left it, whose work may still use their parts.
    left: Mutex<Vec<QueueId>>,
}

impl Shared {
    pub fn new(block: Block) -> Shared {
        Shared { block, host: None, left: Mutex::default() }
    }

    /// For sections of one variable, the first of which begins at this address.
    pub fn of_sections(block: Block, host: usize) -> Shared {
        Shared { host: Some(host), ..Shared::new(block) }
    }

    /// Where a section lies in it, if it holds that as well.
    pub fn place(&self, host: usize, bytes: usize) -> Option<u64> {
        let skip = host.checked_sub(self.host?)?;
        (skip + bytes <= self.block.bytes).then_some(self.block.address + skip as u64)
    }

    /// Queues whose work may still use what mappings left.
    pub fn left_on(&self) -> Vec<QueueId> {
        self.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// A mapping leaves, on a queue; gives those on which others did.
    pub fn leave(&self, queue: QueueId) -> Vec<QueueId> {
        let others = self.left_on();
        let mut left = self.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if !left.contains(&queue) {
            left.push(queue);
        }
        others
    }
}

/// A section of an array of pointers that was all there, with its rows, while [`generation`](crate::generation::generation()) was this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    pub generation: u64,
    pub first: usize,
    pub bytes: usize,
    /// The sections behind the pointers, in one number.
    pub levels: u64,
}

pub struct Mapping {
    pub host: usize,
    pub bytes: usize,
    /// What the name in the clause that made it denotes: the section may begin behind it.
    pub base: usize,
    pub device: u64,
    pub structured: u32,
    pub dynamic: u32,
    /// Made by acc_map_data or omp_target_associate_ptr: the device memory is the user's.
    pub mapped_by_user: bool,
    /// Made for parts of an object that a list names (`ACCL_TOGETHER`).
    pub of_parts: bool,
    /// By a `declare` directive: it stays as long as the program runs.
    pub declared: bool,
    /// The program has asked where it lies, so it stays there.
    pub given: bool,
    /// The device memory, where it is the table's to free.
    pub block: Option<Block>,
    /// The device memory, where other mappings have parts of it too (`rows`).
    pub shared: Option<Arc<Shared>>,
    /// What was found complete when a construct last wanted it to be there with its rows (`rows`).
    pub verified: Option<Verified>,
    /// The name in the clause that created it; null for runtime routines.
    pub name: *const c_char,
    /// Its contents are still being sent by the thread that created it.
    pub busy: bool,
    /// Queues that constructs with this data were put on, the one that made the mapping first. A
    /// queue new to the list is ordered after the first, and the memory is freed after all.
    pub queues: Vec<QueueId>,
    /// Keyed by the host address of the pointer variable.
    pub attached: BTreeMap<usize, Attachment>,
    /// How the device stores the array.
    pub storage: Storage,
}

// SAFETY: the name is a constant of the program.
unsafe impl Send for Mapping {}

impl Mapping {
    pub fn new(host: usize, bytes: usize, device: u64, name: *const c_char) -> Mapping {
        Mapping {
            host,
            bytes,
            base: host,
            device,
            structured: 0,
            dynamic: 0,
            mapped_by_user: false,
            of_parts: false,
            declared: false,
            given: false,
            block: None,
            shared: None,
            verified: None,
            name,
            busy: false,
            queues: Vec::new(),
            attached: BTreeMap::new(),
            storage: Storage::Plain,
        }
    }

    /// The device memory that nothing else has a part of.
    pub fn take_block(&mut self) -> Option<Block> {
        self.block.take().or_else(|| Some(Arc::into_inner(self.shared.take()?)?.block))
    }

    /// Whether it stays on the device whatever its counts.
    pub fn is_permanent(&self) -> bool {
        self.mapped_by_user || self.declared
    }

    /// What the counts are when one reference has ended, or all of them that the directive is about.
    pub fn lowered(&self, var: &Var, counter: Counter) -> (u32, u32) {
        let all = var.flags & data_flags::FINALIZE != 0;
        match counter.of(var) {
            Counter::Structured if all => (0, 0),
            Counter::Structured => (self.structured.saturating_sub(1), self.dynamic),
            Counter::Dynamic if all => (self.structured, 0),
            Counter::Dynamic => (self.structured, self.dynamic.saturating_sub(1)),
        }
    }

    pub fn end(&self) -> usize {
        self.host + self.bytes
    }

    /// The device address that stands for a host address, which may lie outside the mapping. In an encoded array
    /// it is that of the element's group, see [`Mapping::locate`].
    pub fn translate(&self, host: usize) -> u64 {
        self.locate(host).0
    }

    /// The device address for a host address, and for an encoded array the number of its element.
    pub fn locate(&self, host: usize) -> (u64, i64) {
        self.storage.locate(self.device, host.wrapping_sub(self.host))
    }

    /// The array is where the host has it: so it is on devices that share the host's memory, unless the program mapped
    /// other memory.
    pub fn is_host_memory(&self) -> bool {
        self.device == self.host as u64
    }

    /// Bytes on the device.
    pub fn device_bytes(&self) -> usize {
        self.storage.bytes(self.bytes)
    }

    /// Where a part of the array has pointers that are attached, by their host addresses.
    pub fn attached_within(&self, host: usize, bytes: usize) -> Vec<(usize, Attachment)> {
        if self.attached.is_empty() {
            return Vec::new();
        }
        self.attached.range(host..host + bytes).map(|(slot, attachment)| (*slot, *attachment)).collect()
    }

    /// Notes that the mapping was used on this queue, where no data clause did (the compiler did not know the extent).
    pub fn used_on(&mut self, queue: QueueId) {
        if !self.queues.contains(&queue) {
            self.queues.push(queue);
        }
    }

    fn covers(&self, host: usize, bytes: usize) -> bool {
        self.host <= host && host.saturating_add(bytes) <= self.end()
    }
}

/// The answer to "is it present?".
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Presence {
    Absent,
    /// Wholly inside the mapping that begins here.
    Inside(usize),
    /// Partly inside the mapping that begins here.
    Partial(usize),
}

/// A mapping that is no more, for the message to a program that looks for it.
#[derive(Clone, Copy)]
pub struct Removed {
    host: usize,
    bytes: usize,
    pub location: SourceLocation,
    pub line: i32,
}

/// The number of removed mappings that are remembered.
const REMEMBERED: usize = 32;

/// Addresses with different hints.
const HINTS: usize = 32;

#[derive(Default)]
pub struct PresentTable {
    slots: Vec<Option<Mapping>>,
    /// Empty slots.
    free: Vec<usize>,
    /// The slot of each mapping, by its start.
    by_start: BTreeMap<usize, usize>,
    /// The mappings of sections that begin behind what their variable denotes (`base`), each by that and by its start.
    behind: BTreeSet<(usize, usize)>,
    hints: [Cell<usize>; HINTS],
    /// The latest last.
    removed: VecDeque<Removed>,
}

impl PresentTable {
    /// Looks a stretch up. An empty one is inside a mapping whose bounds contain its address, the
    /// upper bound included; it is never partial.
    pub fn find(&self, host: usize, bytes: usize) -> Presence {
        if let Some(mapping) = self.hinted(host).filter(|m| m.covers(host, bytes) && host < m.end()) {
            return Presence::Inside(mapping.host);
        }
        if let Some(mapping) = self.last_to(host) {
            if mapping.covers(host, bytes) {
                self.hint(host).set(self.by_start[&mapping.host]);
                return Presence::Inside(mapping.host);
            }
            if bytes > 0 && mapping.end() > host {
                return Presence::Partial(mapping.host);
            }
        }
        match self.by_start.range(host..).next() {
            Some((start, _)) if bytes > 0 && *start < host.saturating_add(bytes) => Presence::Partial(*start),
            _ => Presence::Absent,
        }
    }

    fn hint(&self, host: usize) -> &Cell<usize> {
        &self.hints[((host / 16) ^ (host / 4096)) % HINTS]
    }

    fn hinted(&self, host: usize) -> Option<&Mapping> {
        self.slots.get(self.hint(host).get())?.as_ref()
    }

    /// The slot of what a hint says is around a stretch, and ready.
    #[inline]
    pub fn at_hand(&self, host: usize, bytes: usize) -> Option<usize> {
        let slot = self.hint(host).get();
        let mapping = self.slots.get(slot)?.as_ref()?;
        let (begin, end) = (mapping.host, mapping.end());
        (begin <= host && host < end && bytes <= end - host && !mapping.busy).then_some(slot)
    }

    #[inline]
    pub fn in_slot(&mut self, slot: usize) -> Option<&mut Mapping> {
        self.slots.get_mut(slot)?.as_mut()
    }

    /// The mapping that begins last of those that begin at an address or before it.
    fn last_to(&self, host: usize) -> Option<&Mapping> {
        self.at(self.by_start.range(..=host).next_back()?.1)
    }

    fn at(&self, slot: &usize) -> Option<&Mapping> {
        self.slots.get(*slot)?.as_ref()
    }

    fn slot(&self, start: usize) -> Option<usize> {
        if self.hinted(start).is_some_and(|mapping| mapping.host == start) {
            return Some(self.hint(start).get());
        }
        let slot = *self.by_start.get(&start)?;
        self.hint(start).set(slot);
        Some(slot)
    }

    pub fn get(&self, start: usize) -> Option<&Mapping> {
        self.at(&self.slot(start)?)
    }

    pub fn get_mut(&mut self, start: usize) -> Option<&mut Mapping> {
        let slot = self.slot(start)?;
        self.in_slot(slot)
    }

    pub fn mappings(&mut self) -> impl Iterator<Item = &mut Mapping> {
        self.slots.iter_mut().flatten()
    }

    /// The mapping that an address stands for: the one around it, or one that a section behind it made (OpenMP 5.2 §5.8.6).
    pub fn meant_by(&self, host: usize) -> Option<usize> {
        match (self.find(host, 1), self.find(host, 0)) {
            (Presence::Inside(start), _) | (_, Presence::Inside(start)) => Some(start),
            _ => self.slots.iter().flatten().find(|m| m.base == host).map(|m| m.host),
        }
    }

    /// The mapping that ends at an address.
    pub fn ending_at(&self, host: usize) -> Option<&Mapping> {
        let (_, slot) = self.by_start.range(..host).next_back()?;
        self.at(slot).filter(|mapping| mapping.end() == host)
    }

    pub fn insert(&mut self, mapping: Mapping) {
        debug_assert!(mapping.bytes > 0 && self.find(mapping.host, mapping.bytes) == Presence::Absent);
        changed();
        if mapping.base != mapping.host {
            self.behind.insert((mapping.base, mapping.host));
        }
        let slot = self.free.pop().unwrap_or(self.slots.len());
        self.by_start.insert(mapping.host, slot);
        if slot == self.slots.len() {
            self.slots.push(Some(mapping));
        } else {
            self.slots[slot] = Some(mapping);
        }
    }

    pub fn remove(&mut self, start: usize) -> Option<Mapping> {
        let slot = self.by_start.remove(&start)?;
        changed();
        self.free.push(slot);
        let mapping = self.slots[slot].take()?;
        if mapping.base != start {
            self.behind.remove(&(mapping.base, start));
        }
        Some(mapping)
    }

    /// Another section of the variable at `base`, which lies on the device where the variable's address there, as the mapping `of`
    /// tells it, does not lead.
    pub fn apart(&self, base: usize, of: &Mapping) -> Option<&Mapping> {
        if self.behind.is_empty() {
            return None;
        }
        let others = self.sections(base).into_iter().filter_map(|start| self.get(start));
        let mut plain = others.filter(|other| other.storage.is_plain());
        plain.find(|other| other.translate(base) != of.translate(base))
    }

    /// A place beside other sections of the variable at `base`, in the block that they share.
    pub fn beside(&self, base: usize, host: usize, bytes: usize) -> Option<(u64, Arc<Shared>)> {
        if self.behind.is_empty() {
            return None;
        }
        let others = self.sections(base).into_iter().filter_map(|start| self.get(start));
        let shared = others.filter_map(|other| other.shared.as_ref());
        shared.into_iter().find_map(|shared| Some((shared.place(host, bytes)?, shared.clone())))
    }

    /// The parts of a stretch in the mappings, one behind the other, that hold all of it together.
    pub fn pieces(&self, host: usize, bytes: usize) -> Option<Vec<(usize, usize)>> {
        let (mut at, end) = (host, host.checked_add(bytes)?);
        let mut pieces = vec![];
        while at < end {
            let mapping = self.last_to(at).filter(|mapping| at < mapping.end())?;
            let until = mapping.end().min(end);
            pieces.push((at, until - at));
            at = until;
        }
        Some(pieces)
    }

    /// Where the sections of the variable at `base` begin.
    pub fn sections(&self, base: usize) -> Vec<usize> {
        let begins = self.get(base).filter(|mapping| mapping.base == base).map(|mapping| mapping.host);
        let behind = self.behind.range((base, 0)..=(base, usize::MAX)).map(|(_, start)| *start);
        begins.into_iter().chain(behind).collect()
    }

    /// As [`PresentTable::remove`], by the user's directive there.
    pub fn remove_at(&mut self, start: usize, location: SourceLocation, line: i32) -> Option<Mapping> {
        let mapping = self.remove(start)?;
        if self.removed.len() == REMEMBERED {
            self.removed.pop_front();
        }
        self.removed.push_back(Removed { host: mapping.host, bytes: mapping.bytes, location, line });
        Some(mapping)
    }

    /// What held a stretch last, of late.
    pub fn last_removed(&self, host: usize, bytes: usize) -> Option<Removed> {
        let held = |r: &&Removed| r.host <= host && host.saturating_add(bytes) <= r.host + r.bytes;
        self.removed.iter().rev().find(held).copied()
    }

    /// Takes everything out, in the order of addresses.
    pub fn drain(&mut self) -> Vec<Mapping> {
        changed();
        self.free.clear();
        self.behind.clear();
        let mut slots = std::mem::take(&mut self.slots);
        std::mem::take(&mut self.by_start).into_values().filter_map(|slot| slots[slot].take()).collect()
    }

    /// The mapping closest to an address, for messages.
    pub fn nearest(&self, host: usize) -> Option<&Mapping> {
        let before = self.last_to(host);
        let after = self.by_start.range(host..).next().and_then(|(_, slot)| self.at(slot));
        match (before, after) {
            (Some(before), Some(after)) => {
                let closer = host.saturating_sub(before.end()) <= after.host - host;
                Some(if closer { before } else { after })
            }
            (before, after) => before.or(after),
        }
    }

    /// A pointer in device memory leads there.
    pub fn is_pointed_to(&self, device: &Range<u64>) -> bool {
        let attached = self.slots.iter().flatten().flat_map(|mapping| mapping.attached.values());
        attached.into_iter().any(|attachment| device.contains(&attachment.device_target))
    }

    /// The mapping whose device memory holds an address, and the host address that goes with it.
    pub fn by_device(&self, device: u64) -> Option<(&Mapping, usize)> {
        self.slots.iter().flatten().find_map(|mapping| {
            let skip = device.checked_sub(mapping.device).filter(|_| mapping.storage.is_plain())?;
            (skip < mapping.bytes as u64).then(|| (mapping, mapping.host + skip as usize))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(stretches: &[(usize, usize)]) -> PresentTable {
        let mut table = PresentTable::default();
        for (host, bytes) in stretches {
            table.insert(Mapping::new(*host, *bytes, *host as u64 + 0x1000, std::ptr::null()));
        }
        table
    }

    #[test]
    fn sections_inside_partly_inside_and_outside() {
        let table = table(&[(100, 50), (200, 10)]);
        assert_eq!(table.find(100, 50), Presence::Inside(100));
        assert_eq!(table.find(120, 30), Presence::Inside(100));
        assert_eq!(table.find(120, 31), Presence::Partial(100));
        assert_eq!(table.find(90, 20), Presence::Partial(100));
        assert_eq!(table.find(90, 300), Presence::Partial(100));
        assert_eq!(table.find(150, 50), Presence::Absent);
        assert_eq!(table.find(0, 100), Presence::Absent);
    }

    #[test]
    fn empty_sections_belong_to_what_they_touch() {
        let table = table(&[(100, 50)]);
        assert_eq!(table.find(100, 0), Presence::Inside(100));
        assert_eq!(table.find(150, 0), Presence::Inside(100));
        assert_eq!(table.find(151, 0), Presence::Absent);
        assert_eq!(table.find(99, 0), Presence::Absent);
    }

    #[test]
    fn addresses_translate_beyond_the_mapping() {
        let table = table(&[(100, 50)]);
        let mapping = table.get(100).unwrap();
        assert_eq!(mapping.translate(120), 0x1000 + 120);
        assert_eq!(mapping.translate(20), 0x1000 + 20);
    }

    #[test]
    fn nearest_is_by_distance_to_the_bounds() {
        let table = table(&[(100, 50), (200, 10)]);
        assert_eq!(table.nearest(170).unwrap().host, 100);
        assert_eq!(table.nearest(190).unwrap().host, 200);
        assert_eq!(table.nearest(5).unwrap().host, 100);
        assert_eq!(table.nearest(900).unwrap().host, 200);
        assert_eq!(table.by_device(0x1000 + 205).unwrap().1, 205);
    }

    proptest! {
        #[test]
        fn find_agrees_with_looking_at_every_byte(
            starts in proptest::collection::vec((0usize..400, 1usize..40), 0..8),
            host in 0usize..450,
            bytes in 1usize..60,
        ) {
            let mut table = PresentTable::default();
            let mut owner = [0usize; 600];
            for (start, length) in starts {
                if table.find(start, length) == Presence::Absent {
                    table.insert(Mapping::new(start, length, 0, std::ptr::null()));
                    owner[start..start + length].fill(start + 1);
                }
            }
            let owners = &owner[host..host + bytes];
            let expected = if owners.iter().all(|o| *o == 0) {
                Presence::Absent
            } else if owners.iter().all(|o| *o == owners[0]) {
                Presence::Inside(owners[0] - 1)
            } else {
                Presence::Partial(0)
            };
            match (table.find(host, bytes), expected) {
                (Presence::Partial(_), Presence::Partial(_)) => {}
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }
}
