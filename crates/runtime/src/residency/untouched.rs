//! Pages that the host has never touched: they are zeros, and need not be sent.
//!
//! The system tells by `/proc/self/pagemap` whether a page has memory behind it. An array that kernels fill first, allocated by
//! malloc or calloc and never written by the host, is so made on the device without a transfer.

use super::pages::page;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

/// In memory, or swapped out.
const HAS_MEMORY: u64 = 0b11 << 62;

/// For each page of a range whether it is untouched; `None` where the system does not tell.
pub fn untouched(range: &Range<usize>) -> Option<Vec<bool>> {
    static MAP: OnceLock<Option<File>> = OnceLock::new();
    let map = MAP.get_or_init(|| File::open("/proc/self/pagemap").ok()).as_ref()?;
    let read = |first: usize, pages: usize| {
        let mut entries = vec![0u64; pages];
        // SAFETY: the words of a vector, as bytes.
        let bytes = unsafe { std::slice::from_raw_parts_mut(entries.as_mut_ptr().cast(), pages * 8) };
        map.read_exact_at(bytes, (first / page() * 8) as u64).ok()?;
        Some(entries)
    };
    let entries = read(range.start, range.len() / page())?;
    // A system that hides the map shows zeros for everything, also for what was just written.
    let known = read(entries.as_ptr() as usize, 1)?;
    (known[0] & HAS_MEMORY != 0).then(|| entries.iter().map(|entry| entry & HAS_MEMORY == 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_touched() {
        let layout = std::alloc::Layout::from_size_align(page() * 64, page()).unwrap();
        // SAFETY: a layout with a size; whole pages of the allocation.
        unsafe {
            let memory = std::alloc::alloc(layout);
            libc::madvise(memory.cast(), page() * 64, libc::MADV_DONTNEED);
            *memory.add(page() * 5) = 1;
            let start = memory as usize;
            if let Some(found) = untouched(&(start..start + page() * 64)) {
                assert!(!found[5]);
            }
            std::alloc::dealloc(memory, layout);
        }
    }
}
