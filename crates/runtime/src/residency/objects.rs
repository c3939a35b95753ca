//! The host's objects: where each begins, and how long it is.
//!
//! Allocations are noted as the program makes them ([`super::allocations`]), arrays with static storage when the program starts
//! or when a construct first uses them. Objects from [`TRACKED`] bytes on have pages whose protection is theirs to change; of smaller
//! ones the extent alone is kept: of allocations, of which there may be millions, in [`small_allocations`].
//!
//! Invariants: tracked objects do not overlap; nobody touches tracked memory with a table locked.

use super::device_copy::DeviceCopy;
use super::pages::page;
use super::small_allocations;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Objects of so many bytes have pages of their own.
pub const TRACKED: usize = 16 << 10;

pub struct HostObject {
    pub start: usize,
    pub bytes: usize,
    /// The pages that hold nothing but the object: those of an allocation reach behind its end.
    pub pages: Range<usize>,
    /// Pages that nobody has touched yet are zeros.
    pub begins_cleared: bool,
    /// It is a stretch of small allocations, and none any more when one of these is freed.
    is_stretch: bool,
    /// It was a stretch.
    retired: AtomicBool,
    copy: Mutex<Option<DeviceCopy>>,
    /// Threads that wait for the lock.
    waiting: AtomicUsize,
    /// Constructs under way that use it.
    uses: AtomicUsize,
}

impl HostObject {
    fn new(extent: Range<usize>, pages: Range<usize>) -> HostObject {
        HostObject {
            start: extent.start,
            bytes: extent.len(),
            pages,
            begins_cleared: false,
            is_stretch: false,
            retired: AtomicBool::new(false),
            copy: Mutex::new(None),
            waiting: AtomicUsize::new(0),
            uses: AtomicUsize::new(0),
        }
    }

    pub fn end(&self) -> usize {
        self.start + self.bytes
    }

    /// Some of it shares a page with something else, so that the host's accesses there are not noticed.
    pub fn has_ends(&self) -> bool {
        self.pages.start > self.start || self.pages.end < self.end()
    }

    /// The object's part of a stretch of memory.
    pub fn part(&self, host: usize, bytes: usize) -> Range<usize> {
        let end = host.saturating_add(bytes).min(self.end());
        host.clamp(self.start, end)..end
    }

    pub fn lock(&self) -> MutexGuard<'_, Option<DeviceCopy>> {
        self.try_lock().unwrap_or_else(|| {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            let locked = self.copy.lock().unwrap_or_else(PoisonError::into_inner);
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            locked
        })
    }

    /// Another thread waits for the lock.
    pub fn is_awaited(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    pub fn begin_use(&self) {
        self.uses.fetch_add(1, Ordering::SeqCst);
    }

    pub fn end_use(&self) {
        self.uses.fetch_sub(1, Ordering::SeqCst);
    }

    pub fn is_used(&self) -> bool {
        self.uses.load(Ordering::SeqCst) > 0
    }

    /// By the one that asks.
    pub fn is_used_once(&self) -> bool {
        self.uses.load(Ordering::SeqCst) == 1
    }

    pub fn is_stretch(&self) -> bool {
        self.is_stretch
    }

    /// It was a stretch of allocations, one of which was freed.
    pub fn is_retired(&self) -> bool {
        self.retired.load(Ordering::SeqCst)
    }

    /// `None` where another thread has it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, Option<DeviceCopy>>> {
        self.copy.try_lock().ok()
    }
}

/// What lies at an address.
pub enum ObjectAt {
    Tracked(Arc<HostObject>),
    Small(Range<usize>),
    Nothing,
}

static OBJECTS: RwLock<BTreeMap<usize, Arc<HostObject>>> = RwLock::new(BTreeMap::new());

/// The lengths of small arrays with static storage, by address.
static SMALL_ARRAYS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn small_arrays() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    SMALL_ARRAYS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts objects that are gone, or are others than they were, as [`changes`] says.
static CHANGES: AtomicU64 = AtomicU64::new(0);
/// Somebody has asked for the number since it changed. Programs free memory by the million, and mostly nobody asks.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// While this number stays the same, every object is there that was known when it was asked for, and as long as it was.
pub fn changes() -> u64 {
    IS_ASKED.store(true, Ordering::SeqCst);
    CHANGES.load(Ordering::SeqCst)
}

fn changed() {
    if IS_ASKED.load(Ordering::Relaxed) && IS_ASKED.swap(false, Ordering::SeqCst) {
        CHANGES.fetch_add(1, Ordering::SeqCst);
    }
}

/// Whether the pages of an object are its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OwnPages {
    /// Not all: those at its ends are shared with others.
    None,
    /// With contents from the program's file.
    FromFile,
    /// Zeros until they are touched.
    Cleared,
}

/// These tracked objects are there, and these small ones, which none of them is part of.
pub fn are_there<'o>(
    mut tracked: impl Iterator<Item = &'o Arc<HostObject>>,
    mut small: impl Iterator<Item = &'o Range<usize>>,
) -> bool {
    let objects = OBJECTS.read().unwrap_or_else(PoisonError::into_inner);
    let is_within = |extent: &Range<usize>| {
        objects.range(..extent.end).next_back().is_some_and(|(_, object)| object.end() > extent.start)
    };
    tracked.all(|object| objects.get(&object.start).is_some_and(|now| Arc::ptr_eq(now, object)))
        && small.all(|extent| !is_within(extent) && small_at(extent.start).as_ref() == Some(extent))
}

/// Notes an allocation that begins there; what was known of its memory is forgotten.
pub fn note(start: usize, bytes: usize, memory: OwnPages) {
    // Freed by a library, which nobody was told of.
    dissolve(start..start + bytes.max(1));
    match bytes < TRACKED {
        true if small_allocations::note(start, bytes) => changed(),
        true => {}
        false => track(start, bytes, memory),
    }
}

fn track(start: usize, bytes: usize, memory: OwnPages) {
    let end = start + bytes;
    let last = if memory != OwnPages::None { end.next_multiple_of(page()) } else { end - end % page() };
    let first = start.next_multiple_of(page());
    let (pages, begins_cleared) = (first..last.max(first), memory == OwnPages::Cleared);
    let object = HostObject { begins_cleared, ..HostObject::new(start..end, pages) };
    let mut objects = OBJECTS.write().unwrap_or_else(PoisonError::into_inner);
    // Freed by a library, which nobody was told of.
    let gone: Vec<usize> = objects
        .range(..end)
        .rev()
        .take_while(|(_, object)| object.end() > start)
        .map(|(start, _)| *start)
        .collect();
    let gone: Vec<_> = gone.iter().filter_map(|start| objects.remove(start)).collect();
    objects.insert(start, Arc::new(object));
    drop(objects);
    if !gone.is_empty() {
        changed();
    }
    gone.iter().for_each(|object| super::device_copy::forget(object));
}

/// Stretches of small allocations there are.
static STRETCHES: AtomicUsize = AtomicUsize::new(0);

/// Makes one object of small allocations that lie one after the other. `None` where some of their memory is another object's.
pub fn track_stretch(extent: Range<usize>, pages: Range<usize>) -> Option<Arc<HostObject>> {
    let object = Arc::new(HostObject { is_stretch: true, ..HostObject::new(extent.clone(), pages) });
    let mut objects = OBJECTS.write().unwrap_or_else(PoisonError::into_inner);
    let before = objects.range(..extent.end).next_back();
    if before.is_some_and(|(_, other)| other.end().max(other.pages.end) > extent.start) {
        return None;
    }
    objects.insert(object.start, object.clone());
    STRETCHES.fetch_add(1, Ordering::SeqCst);
    changed();
    Some(object)
}

/// Stretches that have some of this memory are none any more: one of their allocations is about to be freed, or a data clause names it.
/// To be called before the C library looks at it.
pub fn dissolve(memory: Range<usize>) {
    if STRETCHES.load(Ordering::SeqCst) == 0 {
        return;
    }
    for object in tracked_within(memory).iter().filter(|object| object.is_stretch) {
        let mut locked = object.lock();
        if object.retired.swap(true, Ordering::SeqCst) {
            continue;
        }
        super::device_copy::take_home(object, &mut locked);
        // Who accesses it meanwhile finds it, and waits for the lock.
        OBJECTS.write().unwrap_or_else(PoisonError::into_inner).remove(&object.start);
        STRETCHES.fetch_sub(1, Ordering::SeqCst);
        changed();
    }
}

unsafe extern "C" {
    fn accl_host_has_own_pages(object: *const std::ffi::c_void) -> std::ffi::c_int;
}

/// Notes an object with static storage. One that each thread has for itself lies in no file that was loaded, and is not noted.
pub fn note_static(start: usize, bytes: usize) {
    if bytes_of(start) != Some(bytes) && super::symbols::is_loaded(start) {
        // SAFETY: the address is compared.
        let memory = match unsafe { accl_host_has_own_pages(start as *const _) } {
            0 => OwnPages::None,
            1 => OwnPages::FromFile,
            _ => OwnPages::Cleared,
        };
        changed();
        match bytes < TRACKED {
            true => drop(small_arrays().insert(start, bytes)),
            false => track(start, bytes, memory),
        }
    }
}

/// The program's arrays, before main.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_note_objects(objects: *const accl_abi::StaticObject, n: u32) {
    // SAFETY: a constant table of the program.
    let objects = unsafe { accl_abi::slice(objects, n) };
    crate::error::guard_host(|| {
        objects.iter().for_each(|object| note_static(object.address as usize, object.bytes));
    });
}

/// The object that begins there, if it is tracked, which is none any more.
pub fn forget(start: usize) -> Option<Arc<HostObject>> {
    dissolve(start..start + 1);
    if small_allocations::forget(start) {
        changed();
        return None;
    }
    let known = OBJECTS.read().unwrap_or_else(PoisonError::into_inner).contains_key(&start);
    if !known {
        return None;
    }
    let forgotten = OBJECTS.write().unwrap_or_else(PoisonError::into_inner).remove(&start);
    changed();
    if EXTENTS_ARE_USED.load(Ordering::SeqCst) {
        crate::generation::changed();
    }
    forgotten
}

/// Plans of launches rest on how large objects are.
static EXTENTS_ARE_USED: AtomicBool = AtomicBool::new(false);

/// The memory of the tracked object around an address, on which plans of launches may rest.
pub fn object_around(address: usize) -> Option<Range<usize>> {
    EXTENTS_ARE_USED.store(true, Ordering::SeqCst);
    match find(address, None) {
        ObjectAt::Tracked(object) if address < object.end() => Some(object.start..object.end()),
        _ => None,
    }
}

/// The bytes of the object that begins there.
pub fn bytes_of(start: usize) -> Option<usize> {
    match known_at(start) {
        ObjectAt::Tracked(object) if object.start == start => Some(object.bytes),
        ObjectAt::Small(extent) if extent.start == start => Some(extent.len()),
        ObjectAt::Tracked(_) | ObjectAt::Small(_) | ObjectAt::Nothing => None,
    }
}

/// The tracked object around an address, or the one that ends there.
pub fn tracked_at(address: usize) -> Option<Arc<HostObject>> {
    let objects = OBJECTS.read().unwrap_or_else(PoisonError::into_inner);
    let mut before = objects.range(..=address).rev();
    let (_, object) = before.next()?;
    if address < object.end() {
        return Some(object.clone());
    }
    (address == object.end()).then(|| object.clone())
}

/// All tracked objects that have some of these bytes or pages.
pub fn tracked_within(range: Range<usize>) -> Vec<Arc<HostObject>> {
    let objects = OBJECTS.read().unwrap_or_else(PoisonError::into_inner);
    let reaches = |object: &&Arc<HostObject>| object.pages.end.max(object.end()) > range.start;
    objects.range(..range.end).rev().map(|(_, object)| object).take_while(reaches).cloned().collect()
}

pub fn all_tracked() -> Vec<Arc<HostObject>> {
    OBJECTS.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
}

pub fn small_at(address: usize) -> Option<Range<usize>> {
    small_allocations::around(address).or_else(|| {
        let arrays = small_arrays();
        let (start, bytes) = arrays.range(..=address).next_back()?;
        let end = start + bytes;
        let is_its = address < end || address == end && !super::symbols::may_begin(end);
        is_its.then_some(*start..end)
    })
}

/// A static array that nothing was known of.
fn of_the_program(address: usize) -> ObjectAt {
    let Some(array) = super::symbols::array_at(address) else { return ObjectAt::Nothing };
    note_static(array.start, array.len());
    known_at(address)
}

fn known_at(address: usize) -> ObjectAt {
    match tracked_at(address) {
        Some(object) => ObjectAt::Tracked(object),
        None => small_at(address).map_or(ObjectAt::Nothing, ObjectAt::Small),
    }
}

/// What lies at an address, or ends there. An array with static storage that nothing is known of is noted first.
pub fn find(address: usize, static_array: Option<Range<usize>>) -> ObjectAt {
    let around = tracked_at(address);
    // Where one object ends another array may begin, of which nothing is known yet.
    if let Some(object) = around
        && (address < object.end() || static_array.is_none() && !super::symbols::may_begin(address))
    {
        return ObjectAt::Tracked(object);
    }
    match static_array {
        Some(array) if array.len() >= TRACKED => {
            note_static(array.start, array.len());
            tracked_at(address).map_or(ObjectAt::Nothing, ObjectAt::Tracked)
        }
        Some(_) => ObjectAt::Nothing,
        None => match small_at(address) {
            Some(extent) => ObjectAt::Small(extent),
            None => of_the_program(address),
        },
    }
}
