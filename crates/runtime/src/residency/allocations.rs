//! The program's allocations. `accl -gpu=autodata` links the functions that give and take memory through wrappers
//! (`host_memory/wrapper.c`), which come here.
//!
//! Larger allocations get whole pages from the same allocator, so that whoever frees one, also a library that nobody told of
//! residency, does so rightly. What the runtime itself allocates is not noted, nor is anything in a process that was forked, where
//! the tables may be locked for ever.

use super::objects::{self, OwnPages, TRACKED};
use super::pages::page;
use super::{device_copy, release_all};
use crate::clock::{inside, is_inside};
use crate::error::guard_host;
use crate::instance;
use std::ffi::{CStr, c_int, c_void};
use std::sync::Once;

type Reallocate = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;

fn is_ours() -> bool {
    !is_inside() && !instance::is_forked()
}

/// Memory of whole pages for a larger allocation, cleared if `zero`; null where it is small, or no memory is left.
#[unsafe(no_mangle)]
pub extern "C" fn accl_host_pages(bytes: usize, alignment: usize, zero: c_int) -> *mut c_void {
    let Some(whole) = bytes.checked_next_multiple_of(page()) else { return std::ptr::null_mut() };
    if bytes < TRACKED || !is_ours() {
        return std::ptr::null_mut();
    }
    guard_host(|| {
        before_fork();
        // SAFETY: the alignment is a power of two.
        let memory = unsafe { libc::memalign(alignment.max(page()), whole) };
        if !memory.is_null() {
            if zero != 0 {
                clear(memory, whole);
            }
            objects::note(memory as usize, bytes, OwnPages::Cleared);
        }
        memory
    })
}

/// Clears pages without touching them, where the system lets go of their contents.
fn clear(memory: *mut c_void, bytes: usize) {
    // SAFETY: whole pages that were just allocated, of the process alone.
    unsafe {
        if libc::madvise(memory, bytes, libc::MADV_DONTNEED) != 0 {
            std::ptr::write_bytes(memory.cast::<u8>(), 0, bytes);
        }
    }
}

/// Notes an allocation that shares pages with others, and gives it back.
#[unsafe(no_mangle)]
pub extern "C" fn accl_host_noted(memory: *mut c_void, bytes: usize) -> *mut c_void {
    if !memory.is_null() && is_ours() {
        guard_host(|| {
            before_fork();
            objects::note(memory as usize, bytes, OwnPages::None);
        });
    }
    memory
}

/// The allocation is about to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn accl_host_forget(memory: *mut c_void) {
    if !memory.is_null() && is_ours() {
        guard_host(|| {
            if let Some(object) = objects::forget(memory as usize) {
                device_copy::forget(&object);
            }
        });
    }
}

/// `realloc` of an allocation that is not null, to a size that is not 0.
///
/// # Safety
/// As of `realloc`, which `real` is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_host_realloc(
    memory: *mut c_void,
    bytes: usize,
    real: Reallocate,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    let plainly = || unsafe { inside(|| real(memory, bytes)) };
    if !is_ours() {
        return plainly();
    }
    let known = guard_host(|| {
        objects::dissolve(memory as usize..memory as usize + 1);
        objects::bytes_of(memory as usize)
    });
    if known.is_none_or(|known| known < TRACKED) && bytes < TRACKED {
        let moved = plainly();
        if !moved.is_null() {
            accl_host_forget(memory);
            return accl_host_noted(moved, bytes);
        }
        return moved;
    }
    let Some(known) = known else {
        // Some library's: it may have whole pages from now on.
        let moved = plainly();
        return accl_host_noted(moved, bytes);
    };
    let pages = accl_host_pages(bytes, 1, 0);
    let new = match pages.is_null() {
        // SAFETY: a plain request.
        true => accl_host_noted(inside(|| unsafe { libc::malloc(bytes) }), bytes),
        false => pages,
    };
    if !new.is_null() {
        let kept = known.min(bytes);
        guard_host(|| super::touch(memory as usize, kept, false));
        // SAFETY: both have so many bytes; the old one is the caller's to give up.
        unsafe {
            std::ptr::copy_nonoverlapping(memory.cast::<u8>(), new.cast::<u8>(), kept);
            accl_host_forget(memory);
            inside(|| libc::free(memory));
        }
    }
    new
}

/// True where a function of the C++ library is that library's own, whose memory is the C library's. A program that has one of its own may do
/// with memory what it likes.
#[unsafe(no_mangle)]
pub extern "C" fn accl_host_is_library(function: *const c_void) -> c_int {
    guard_host(|| {
        // SAFETY: the name is a string of the loader's.
        let found = unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            let known = libc::dladdr(function, &raw mut info) != 0 && !info.dli_fname.is_null();
            known && {
                let file = CStr::from_ptr(info.dli_fname).to_string_lossy();
                let name = file.rsplit('/').next().unwrap_or_default();
                name.starts_with("libstdc++.") || name.starts_with("libc++")
            }
        };
        found.into()
    })
}

/// A child has no device: what is there comes home before a fork.
fn before_fork() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: handlers of the right type.
        unsafe { libc::pthread_atfork(Some(bring_home), None, None) };
    });
}

extern "C" fn bring_home() {
    if is_ours() && device_copy::any() {
        guard_host(|| release_all(|_| true));
    }
}
