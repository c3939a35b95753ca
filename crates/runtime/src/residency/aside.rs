//! Pages that are put aside while their contents arrive.
//!
//! What is brought home must not be seen half written by other threads, so it is written behind the pages' protection. The
//! system does that page by page (`/proc/self/mem`), which takes longer than the transfer. Large runs of pages are moved to
//! another address instead, where several threads write them, and back when they are complete. Meanwhile their place stays the
//! object's, and has no access: whoever comes there waits for the object's lock.

use std::ops::Range;

pub struct Aside {
    home: Range<usize>,
    there: usize,
}

impl Aside {
    /// Puts whole pages aside. `None` where the system cannot: they are of several mappings, or it is an old one.
    pub fn put(home: Range<usize>) -> Option<Aside> {
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_DONTUNMAP;
        // SAFETY: pages of an object that have no access, under its lock; the system chooses the address.
        let there = unsafe { libc::mremap(home.start as *mut _, home.len(), home.len(), flags) };
        if there == libc::MAP_FAILED {
            return None;
        }
        let aside = Aside { home, there: there as usize };
        if aside.protect(libc::PROT_READ | libc::PROT_WRITE) {
            return Some(aside);
        }
        _ = aside.back(libc::PROT_NONE);
        None
    }

    /// Where the byte of an address is for now.
    pub fn address(&self, home: usize) -> usize {
        self.there + (home - self.home.start)
    }

    /// Puts the pages back, with this protection. False where the system refuses.
    #[must_use]
    pub fn back(self, protection: i32) -> bool {
        let (flags, length) = (libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, self.home.len());
        // SAFETY: the pages that were put aside, to the place that was theirs.
        let moved = || unsafe { libc::mremap(self.there as *mut _, length, length, flags, self.home.start) };
        self.protect(protection) && moved() != libc::MAP_FAILED
    }

    fn protect(&self, protection: i32) -> bool {
        // SAFETY: pages that nobody else knows.
        unsafe { libc::mprotect(self.there as *mut _, self.home.len(), protection) == 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residency::pages::page;

    #[test]
    fn what_is_written_aside_is_there_when_the_pages_are_back() {
        let bytes = 16 * page();
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: memory of the test's own.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let memory = libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0) as usize;
            let at = |page_number: usize| memory + page_number * page();
            *(at(3) as *mut u8) = 3;
            *(at(8) as *mut u8) = 8;
            libc::mprotect(memory as *mut _, bytes, libc::PROT_NONE);
            if let Some(aside) = Aside::put(at(2)..at(6)) {
                assert_eq!(*(aside.address(at(3)) as *const u8), 3);
                *(aside.address(at(5)) as *mut u8) = 5;
                assert!(aside.back(libc::PROT_READ));
                assert_eq!([*(at(3) as *const u8), *(at(5) as *const u8)], [3, 5]);
                libc::mprotect(memory as *mut _, bytes, libc::PROT_READ);
                assert_eq!(*(at(8) as *const u8), 8);
            }
            libc::munmap(memory as *mut _, bytes);
        }
    }
}
