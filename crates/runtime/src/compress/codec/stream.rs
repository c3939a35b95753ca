//! Copies that pass the caches by.
//!
//! A store to memory that is not in a cache reads it first. Where much is written that nobody reads soon, that is a
//! third of the traffic for nothing. Encoded or decoded pieces of a few kilobytes, which stay in the nearest cache,
//! are therefore copied to their place with stores that do not read it.
//!
//! What is read is fetched ahead: processors that do so by themselves stop at each page's end.

/// Bytes of the whole from which on that pays: what is smaller may be read again while caches hold it.
pub const LARGE: usize = 8 << 20;

/// Bytes of a cache line: only whole ones are written past the caches.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// How far ahead, in bytes: a page.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 4096;

/// Fetches the line a page past an address; whether there is something does not matter.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn fetch_line<T>(from: *const T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 processor has it, and no address is wrong.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast::<i8>().wrapping_add(AHEAD)) };
}

/// Fetches the lines a page past so many bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn fetch_ahead(from: *const u8, bytes: usize) {
    for line in (0..bytes).step_by(LINE) {
        fetch_line(from.wrapping_add(line));
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub fn fetch_ahead(_: *const u8, _: usize) {}

/// Copies a piece; [`finish`] is due before another thread or the device reads it.
///
/// # Safety
/// Both sides are valid for `bytes` and do not overlap.
#[cfg(target_arch = "x86_64")]
pub unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_stream_si128};
    let head = to.align_offset(LINE).min(bytes);
    let tail = (bytes - head) % LINE;
    // SAFETY: the caller's promise; the middle is aligned at its destination.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        for line in (head..bytes - tail).step_by(LINE) {
            for at in (line..line + LINE).step_by(16) {
                _mm_stream_si128(to.add(at).cast(), _mm_loadu_si128(from.add(at).cast()));
            }
        }
        std::ptr::copy_nonoverlapping(from.add(bytes - tail), to.add(bytes - tail), tail);
    }
}

/// Orders the copies before what this thread stores next.
#[cfg(target_arch = "x86_64")]
pub fn finish() {
    // SAFETY: every x86-64 processor has it.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

/// Copies a piece, by an ordinary copy.
///
/// # Safety
/// Both sides are valid for `bytes` and do not overlap.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) }
}

#[cfg(not(target_arch = "x86_64"))]
pub fn finish() {}
