//! The extents of small allocations, of which a program may make millions in a second: a number for each 16 bytes of its memory,
//! which is the length of the allocation that begins there, or 0. Nothing is locked: an allocation is noted by the thread that made it, before
//! anyone else knows of it.
//!
//! The table of a gigabyte of addresses is reserved when the first of them is noted, and takes an eighth of the memory that is in use.

use super::objects::TRACKED;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU16, Ordering};

/// The C library's alignment.
const GRANULE: usize = 16;
const REGION: usize = 1 << 30;
const ENTRIES: usize = REGION / GRANULE;
/// Processes have addresses of 47 bits, unless they ask for more.
const REGIONS: usize = (1 << 47) / REGION;

static TABLES: [AtomicPtr<AtomicU16>; REGIONS] = [const { AtomicPtr::new(null_mut()) }; REGIONS];

/// The lengths of one region's allocations.
fn table(region: usize) -> Option<&'static [AtomicU16]> {
    let entries = TABLES.get(region)?.load(Ordering::Acquire);
    // SAFETY: a table has so many numbers, and is never given back.
    (!entries.is_null()).then(|| unsafe { std::slice::from_raw_parts(entries, ENTRIES) })
}

fn reserved(region: usize) -> Option<&'static [AtomicU16]> {
    if let Some(table) = table(region) {
        return Some(table);
    }
    let slot = TABLES.get(region)?;
    let bytes = ENTRIES * size_of::<AtomicU16>();
    let (access, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: new memory of zeros.
    let memory = unsafe { libc::mmap(null_mut(), bytes, access, flags, -1, 0) };
    if memory == libc::MAP_FAILED {
        return None;
    }
    if slot.compare_exchange(null_mut(), memory.cast(), Ordering::AcqRel, Ordering::Acquire).is_err() {
        // Another thread was first. SAFETY: nobody else knows of this one.
        unsafe { libc::munmap(memory, bytes) };
    }
    table(region)
}

/// Notes an allocation; what began within it is none any more. True where something did.
pub fn note(start: usize, bytes: usize) -> bool {
    debug_assert!(bytes < TRACKED);
    let mut was_other = false;
    if !start.is_multiple_of(GRANULE) {
        return was_other;
    }
    let length = u16::try_from(bytes).unwrap_or(0);
    let mut at = start;
    while at < start + bytes {
        let Some(table) = reserved(at / REGION) else { return was_other };
        let first = at % REGION / GRANULE;
        let count = (start + bytes - at).div_ceil(GRANULE).min(ENTRIES - first);
        for entry in &table[first..first + count] {
            was_other |= entry.load(Ordering::Relaxed) != 0;
            entry.store(0, Ordering::Relaxed);
        }
        at += count * GRANULE;
    }
    if let Some(table) = table(start / REGION) {
        table[start % REGION / GRANULE].store(length, Ordering::Release);
    }
    was_other
}

/// The length of the allocation that begins there.
pub fn length(start: usize) -> Option<usize> {
    let entry = &table(start / REGION)?[start % REGION / GRANULE];
    let length = usize::from(entry.load(Ordering::Acquire));
    (start.is_multiple_of(GRANULE) && length > 0).then_some(length)
}

/// No allocation begins there any more. True where one did.
pub fn forget(start: usize) -> bool {
    let begins = length(start).is_some();
    if begins && let Some(table) = table(start / REGION) {
        table[start % REGION / GRANULE].store(0, Ordering::Relaxed);
    }
    begins
}

/// The allocation around an address, or the one that ends there.
pub fn around(address: usize) -> Option<Range<usize>> {
    let last = address - address % GRANULE;
    // At the end of one that fills its granules another may begin: that one is meant.
    let start = (0..=TRACKED / GRANULE)
        .map_while(|back| last.checked_sub(back * GRANULE))
        .find(|start| length(*start).is_some())?;
    let end = start + length(start)?;
    (address <= end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_found_from_within_and_forgotten() {
        let start = 5 * REGION + 4096;
        note(start, 100);
        note(start + 112, 40);
        assert_eq!(around(start), Some(start..start + 100));
        assert_eq!(around(start + 100), Some(start..start + 100));
        assert_eq!(around(start + 101), None);
        assert_eq!(around(start + 120), Some(start + 112..start + 152));
        assert_eq!(length(start + 112), Some(40));
        assert!(forget(start));
        assert!(!forget(start));
        assert_eq!(around(start + 50), None);
    }

    #[test]
    fn a_new_allocation_ends_what_began_within_it() {
        let start = 6 * REGION + 64;
        note(start + 32, 16);
        note(start, 64);
        assert_eq!(around(start + 40), Some(start..start + 64));
    }

    #[test]
    fn allocations_across_regions() {
        let start = 9 * REGION - 1024;
        note(start, 4096);
        assert_eq!(around(start + 4000), Some(start..start + 4096));
    }

    #[test]
    fn addresses_beyond_the_tables_are_not_noted() {
        note(1 << 50, 64);
        assert_eq!(around(1 << 50), None);
    }
}
