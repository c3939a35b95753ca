//! What generated code asks about devices: conditions of metadirectives (`target_device`, OpenMP 5.2 §7.1), and the default device
//! and the pointers of a `dispatch` construct.

use super::super::routine::here;
use super::devices::{self, Endpoint, place};
use super::mapped::omp_get_mapped_ptr;
use crate::device::{DeviceInfo, Kind};
use crate::error::guard;
use crate::location::SourceLocation;
use std::ffi::{CStr, c_char, c_int, c_void};

/// Whether a device has all traits of the three lists, which are separated by commas.
///
/// # Safety
/// The lists are strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_omp_device_is(
    number: c_int,
    kinds: *const c_char,
    archs: *const c_char,
    isas: *const c_char,
) -> c_int {
    guard(|| {
        let here = match place(here!(c"a metadirective"), number) {
            Endpoint::Host => None,
            Endpoint::Device(state) => Some(state.device.info()),
        };
        // SAFETY: the caller's promise.
        let list = |text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        let all = |text, has: fn(Option<&DeviceInfo>, &str) -> bool| {
            list(text).split(',').filter(|word| !word.is_empty()).all(|word| has(here, word))
        };
        c_int::from(all(kinds, is_kind) && all(archs, is_arch) && all(isas, is_isa))
    })
}

fn is_kind(device: Option<&DeviceInfo>, word: &str) -> bool {
    match (word, device) {
        ("any", _) => true,
        ("host", device) => device.is_none(),
        ("nohost", device) => device.is_some(),
        ("cpu", device) => device.is_none_or(|info| info.kind == Kind::Cpu),
        ("gpu", device) => device.is_some_and(|info| info.kind != Kind::Cpu),
        _ => false,
    }
}

fn is_arch(device: Option<&DeviceInfo>, word: &str) -> bool {
    let host = [std::env::consts::ARCH, if cfg!(target_arch = "x86_64") { "x86" } else { "arm" }];
    match device.map(|info| info.kind) {
        Some(Kind::Cuda) => matches!(word, "nvptx" | "nvptx64"),
        Some(Kind::OpenCl) => false,
        Some(Kind::Cpu) | None => host.contains(&word.replace('-', "_").as_str()),
    }
}

fn is_isa(device: Option<&DeviceInfo>, word: &str) -> bool {
    device.is_some_and(|info| info.kind == Kind::Cuda && info.architecture == word)
}

/// The address on the default device of what a pointer points to; the pointer itself where that is not mapped.
#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_device_pointer(pointer: *mut c_void) -> *mut c_void {
    let there = omp_get_mapped_ptr(pointer, devices::omp_get_default_device());
    if there.is_null() { pointer } else { there }
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_default_device() -> c_int {
    devices::omp_get_default_device()
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_set_default_device(number: c_int) {
    devices::omp_set_default_device(number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_no_gpu() {
        assert!(is_kind(None, "host") && is_kind(None, "cpu") && is_kind(None, "any"));
        assert!(!is_kind(None, "gpu") && !is_kind(None, "nohost") && !is_arch(None, "nvptx"));
        assert!(is_arch(None, std::env::consts::ARCH) && !is_isa(None, "sm_90"));
    }
}
