//! Memory that is accessed where a page's protection would not be noticed: by the system, which gives up with EFAULT, and by
//! transfers.

use super::{device_copy, objects};
use crate::error::guard_host;
use crate::instance;
use std::ffi::c_void;

/// The host is about to access so many bytes, to write them if `writes`.
#[inline]
pub fn touch(address: usize, bytes: usize, writes: bool) {
    if device_copy::any() && bytes > 0 {
        touch_tracked(address, bytes, writes);
    }
}

#[inline(never)]
fn touch_tracked(address: usize, bytes: usize, writes: bool) {
    let range = address..address.saturating_add(bytes);
    for object in objects::tracked_within(range.clone()) {
        device_copy::prepare(&object, &range, writes);
    }
}

/// Called by the wrappers of functions that hand a buffer to the system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_host_touch(address: *const c_void, bytes: usize, writes: i32) {
    if device_copy::any() && !crate::clock::is_inside() && !instance::is_forked() {
        guard_host(|| touch(address as usize, bytes, writes != 0));
    }
}
