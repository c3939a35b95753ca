//! Two runtimes in one process are refused, and so is one that a forked process has from its parent.
//!
//! Each would have a present table of its own, and data entered through one would be missing in
//! the other: wrong results or confusing errors. It happens when a library that was linked
//! statically to the runtime is loaded into a program that was, too. A runtime marks the process
//! by a page whose name shows in /proc/self/maps; unlike an environment variable, the mark ends
//! with the process image and is invisible to children that run other programs.
//!
//! A device's threads, contexts and locks do not survive a fork: a child that used them would wait for ever.
//! What a child may do is use a device that its parent had not started.
//!
//! Invariant: [`claim`] is called once for each runtime, before any device is opened.

use crate::error::fatal_plain;
use std::sync::atomic::{AtomicBool, Ordering};

/// This process is the child of one that had started a device.
static FORKED: AtomicBool = AtomicBool::new(false);

pub fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Ends a forked process that wants its parent's devices.
pub fn refuse_forked() {
    if is_forked() {
        crate::error::end_now(
            "this process was forked from one that had used the device, which only that one can use\n  help: fork \
             before the first directive or acc_ routine, or run another program in the child (exec)",
        );
    }
}

extern "C" fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

const MARK: &std::ffi::CStr = c"accl-runtime";

/// Marks the process, or ends it where another runtime has marked it.
pub fn claim() {
    // SAFETY: the handler only stores to an atomic.
    unsafe { libc::pthread_atfork(None, None, Some(forked)) };
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
