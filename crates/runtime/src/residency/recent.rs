//! What each host thread found at its last constructs, so that a construct like one of them takes no lock.
//!
//! Every change of a page's state, and every device copy that comes or goes, makes another *epoch*. While the epoch stays the
//! same, and the present tables' [`generation`], an item like an earlier one has the same address, and nothing is to be brought or
//! marked. So programs that launch small kernels by the thousand pay a few comparisons.
//!
//! Invariant: an object that is in use is not taken off the device. Who takes one off makes a new epoch before looking at the uses, and who uses one
//! looks at the epoch after noting the use, so one of them sees the other.

use super::is_resident;
use super::objects::{self, HostObject};
use crate::call::CallContext;
use crate::generation::generation;
use accl_abi::{Var, data_kind};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

static EPOCH: AtomicU64 = AtomicU64::new(0);

pub fn epoch() -> u64 {
    EPOCH.load(Ordering::SeqCst)
}

pub fn new_epoch() {
    EPOCH.fetch_add(1, Ordering::SeqCst);
}

/// No epoch.
const NEVER: u64 = u64::MAX;

/// Items are remembered in sets, by their keys, and each set has room for so many: programs use several items in turn that would have
/// one place.
const WAYS: usize = 4;
const SETS: usize = 32;
const ENTRIES: usize = SETS * WAYS;
/// `Var::reserved` of an item that is on the device: its kind, and above that the number of its entry.
const KINDS: i32 = 256;

thread_local! {
    static RECENT: RefCell<Vec<Option<RecentItem>>> = const { RefCell::new(Vec::new()) };
}

/// An item as a construct gave it, on a device and a queue.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ItemKey([usize; 6]);

impl ItemKey {
    fn new(call: &CallContext, var: &Var) -> ItemKey {
        let state = std::ptr::from_ref(call.state) as usize;
        let queue = call.queue.id.0 as usize;
        ItemKey([state, queue, var.base as usize, var.offset, var.bytes, var.kind as usize])
    }

    /// The places of its set.
    fn set(&self) -> Range<usize> {
        let mixed =
            self.0.iter().fold(0usize, |hash, word| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let first = (mixed >> (usize::BITS - SETS.ilog2())) * WAYS;
        first..first + WAYS
    }

    /// The item's place.
    fn slot(&self, recent: &[Option<RecentItem>]) -> Option<usize> {
        if recent.is_empty() {
            return None;
        }
        self.set().find(|slot| recent[*slot].as_ref().is_some_and(|entry| entry.key == *self))
    }
}

struct RecentItem {
    key: ItemKey,
    /// The epoch and generation at which nothing was to be brought.
    brought: (u64, u64),
    /// The epoch at which nothing was to be marked as written.
    marked: u64,
    object: Arc<HostObject>,
    device_base: usize,
    offset: usize,
    bytes: usize,
}

/// Handles a construct whose resident items are all like earlier ones, of which nothing has changed since.
pub fn enter(call: &CallContext, vars: &mut [Var]) -> bool {
    let now = (epoch(), generation());
    RECENT.try_with(|recent| enter_known(call, vars, now, &recent.borrow())).unwrap_or(false)
}

fn enter_known(call: &CallContext, vars: &mut [Var], now: (u64, u64), recent: &[Option<RecentItem>]) -> bool {
    let mut known: SmallVec<[(usize, &RecentItem); 8]> = SmallVec::new();
    for var in vars.iter().filter(|var| is_resident(var)) {
        let Some(slot) = ItemKey::new(call, var).slot(recent) else { return false };
        match &recent[slot] {
            Some(entry) if entry.brought == now => known.push((slot, entry)),
            _ => return false,
        }
    }
    known.iter().for_each(|(_, entry)| entry.object.begin_use());
    if epoch() != now.0 {
        known.iter().for_each(|(_, entry)| entry.object.end_use());
        return false;
    }
    for (var, (slot, entry)) in vars.iter_mut().filter(|var| is_resident(var)).zip(known) {
        entry.put(var, slot);
    }
    true
}

/// Remembers an item whose object is on the device, used, and up to date, and puts the device's address into it. It was found out since `found`.
pub fn keep(call: &CallContext, var: &mut Var, object: &Arc<HostObject>, device: u64, found: (u64, u64)) {
    let base = var.base as usize;
    let (offset, bytes) = match var.bytes {
        0 => (object.start.wrapping_sub(base), object.bytes),
        bytes => (var.offset, bytes),
    };
    let key = ItemKey::new(call, var);
    let entry = RecentItem {
        key,
        brought: if object.has_ends() { (NEVER, 0) } else { found },
        marked: NEVER,
        object: object.clone(),
        device_base: (device as usize).wrapping_add(base.wrapping_sub(object.start)),
        offset,
        bytes,
    };
    let place = |recent: &RefCell<Vec<Option<RecentItem>>>| {
        let mut recent = recent.borrow_mut();
        if recent.is_empty() {
            recent.resize_with(ENTRIES, || None);
        }
        key.slot(&recent).unwrap_or_else(|| {
            // The set's oldest item, its last, goes.
            recent[key.set()].rotate_right(1);
            key.set().start
        })
    };
    let slot = RECENT.try_with(place).unwrap_or(0);
    entry.put(var, slot);
    _ = RECENT.try_with(|recent| recent.borrow_mut()[slot] = Some(entry));
}

impl RecentItem {
    /// Makes the item one whose base is an address of the device.
    fn put(&self, var: &mut Var, slot: usize) {
        var.reserved = var.kind as i32 + KINDS * slot as i32;
        var.row_bytes = var.base as usize;
        (var.base, var.offset, var.bytes) = (self.device_base as *mut _, self.offset, self.bytes);
        var.kind = data_kind::DEVICEPTR;
    }
}

/// The use of an item ends. `mark` says that a section of the object may have been written, where that is new.
pub fn exit(var: &Var, mark: impl Fn(&HostObject, Range<usize>)) {
    let (kind, slot) = ((var.reserved % KINDS) as u32, (var.reserved / KINDS) as usize);
    let writes = matches!(kind, data_kind::COPY | data_kind::COPYOUT);
    let first = var.row_bytes.wrapping_add(var.offset);
    let end = |object: &HostObject| {
        if writes {
            mark(object, object.part(first, var.bytes));
        }
        object.end_use();
    };
    let of_entry = |recent: &RefCell<Vec<Option<RecentItem>>>| {
        let mut recent = recent.borrow_mut();
        let entry = recent.get_mut(slot)?.as_mut()?;
        let is_it = entry.device_base == var.base as usize && entry.key.0[2] == var.row_bytes;
        if !is_it || (entry.offset, entry.bytes) != (var.offset, var.bytes) {
            return None;
        }
        let before = epoch();
        if entry.marked == before || !writes {
            entry.object.end_use();
            return Some(());
        }
        end(&entry.object);
        let new = epoch() != before || entry.object.has_ends();
        entry.marked = if new { NEVER } else { before };
        Some(())
    };
    if RECENT.try_with(of_entry).ok().flatten().is_none()
        && let Some(object) = objects::tracked_at(first)
    {
        end(&object);
    }
}
