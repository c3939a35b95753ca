//! Two runtimes in one process are refused.
//!
//! Each would have a present table of its own, and data entered through one would be missing in
//! the other: wrong results or confusing errors. It happens when a library that was linked
//! statically to the runtime is loaded into a program that was, too. A runtime marks the process
//! by a page whose name shows in /proc/self/maps; unlike an environment variable, the mark ends
//! with the process image and is invisible to children that run other programs.
//!
//! Invariant: called once for each runtime, before any device is opened.

use crate::error::fatal_plain;

const MARK: &std::ffi::CStr = c"accl-runtime";

/// Marks the process, or ends it where another runtime has marked it.
pub fn claim() {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else {
        return;
    };
    if maps.contains("/memfd:accl-runtime") {
        fatal_plain(
            "this process holds two copies of the accl runtime, probably one in the program and one in a \
             shared library\n  help: build the library and the program with --shared-runtime",
        );
    }
    // SAFETY: plain system calls; the page is never touched or unmapped.
    unsafe {
        let file = libc::memfd_create(MARK.as_ptr(), libc::MFD_CLOEXEC);
        if file < 0 {
            return;
        }
        if libc::ftruncate(file, 4096) == 0 {
            libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_READ, libc::MAP_SHARED, file, 0);
        }
        libc::close(file);
    }
}
