//! Memory of the cpu device where it keeps its own copies, and what is known of the machine's.
//!
//! Invariant: allocations are aligned to 64 bytes, a cache line and the widest vector.

use crate::error::{DeviceError, Result};
use std::alloc::{Layout, alloc, dealloc};

fn layout(bytes: usize) -> Result<Layout> {
    Layout::from_size_align(bytes.max(1), 64).map_err(|_| DeviceError::new("size overflows"))
}

pub fn allocate(bytes: usize) -> Result<u64> {
    // SAFETY: the layout has a size above 0.
    let address = unsafe { alloc(layout(bytes)?) };
    if address.is_null() {
        return Err(DeviceError::new(format!("the host has no {bytes} bytes left")));
    }
    Ok(address as u64)
}

/// # Safety
/// `address` came from `allocate(bytes)`.
pub unsafe fn release(address: u64, bytes: usize) {
    if let Ok(layout) = layout(bytes) {
        // SAFETY: the caller's promise; the layout is a function of `bytes`.
        unsafe { dealloc(address as *mut u8, layout) }
    }
}

/// A number in kB from /proc/meminfo.
fn meminfo(key: &str) -> u64 {
    std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with(key))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        })
        .map_or(0, |kilobytes| kilobytes << 10)
}

pub fn total() -> u64 {
    meminfo("MemTotal:")
}

pub fn free() -> u64 {
    meminfo("MemAvailable:")
}

pub fn processor_name() -> String {
    std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
