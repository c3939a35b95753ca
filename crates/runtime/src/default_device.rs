//! The device that OpenMP's constructs and routines mean where they name none (OpenMP 5.2, default-device-var).
//!
//! Each task has a value of its own, which the threads of a team inherit. So the value is kept where the host compiler's
//! OpenMP library keeps its own; that library starts nothing on a device, and does not need it. In a program without
//! such a library each thread has a value.

use crate::device::Kind;
use std::cell::Cell;
use std::ffi::{CStr, c_int};
use std::sync::OnceLock;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultDevice {
    Host,
    Device(Kind, usize),
}

/// What the calling task chose, or the task that made it; none: what a thread begins with.
pub fn chosen() -> Option<DefaultDevice> {
    decode(match library() {
        Some(library) => (library.get)(),
        None => OF_THREAD.get(),
    })
}

pub fn choose(device: DefaultDevice) {
    let value = encode(device);
    match library() {
        Some(library) => (library.set)(value),
        None => OF_THREAD.set(value),
    }
}

thread_local!(static OF_THREAD: Cell<c_int> = const { Cell::new(0) });

/// No device number is as large, so that a value of the library's own is told from one of ours.
const OURS: c_int = 1 << 30;
const KIND: u32 = 24;

/// A device as one number.
pub fn encode(device: DefaultDevice) -> c_int {
    match device {
        DefaultDevice::Host => OURS,
        DefaultDevice::Device(kind, number) => {
            let kind = Kind::ALL.iter().position(|other| *other == kind).map_or(0, |at| at + 1);
            OURS | ((kind << KIND) | number) as c_int
        }
    }
}

pub fn decode(value: c_int) -> Option<DefaultDevice> {
    let value = usize::try_from(value).ok()?.checked_sub(OURS as usize)?;
    match value >> KIND {
        0 => Some(DefaultDevice::Host),
        kind => Some(DefaultDevice::Device(*Kind::ALL.get(kind - 1)?, value & ((1 << KIND) - 1))),
    }
}

/// The routines of the host compiler's OpenMP library.
struct Library {
    set: extern "C" fn(c_int),
    get: extern "C" fn() -> c_int,
}

fn library() -> Option<&'static Library> {
    static FOUND: OnceLock<Option<Library>> = OnceLock::new();
    let find = || {
        let (set, get) = (following(c"omp_set_default_device")?, following(c"omp_get_default_device")?);
        // SAFETY: routines of these types by the OpenMP standard.
        unsafe {
            Some(Library {
                set: std::mem::transmute::<*mut libc::c_void, extern "C" fn(c_int)>(set),
                get: std::mem::transmute::<*mut libc::c_void, extern "C" fn() -> c_int>(get),
            })
        }
    };
    FOUND.get_or_init(find).as_ref()
}

/// A function of a library that is searched after this one, which is the host compiler's OpenMP library.
pub fn following(name: &CStr) -> Option<*mut libc::c_void> {
    // SAFETY: a terminated name; the symbol is not used here.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_others_are_not_ours() {
        let devices = [(Kind::Cuda, 0), (Kind::OpenCl, 5), (Kind::Cpu, 0xff_ffff)];
        let devices = devices.map(|(kind, number)| DefaultDevice::Device(kind, number));
        for device in devices.into_iter().chain([DefaultDevice::Host]) {
            assert_eq!(decode(encode(device)), Some(device));
        }
        for value in [0, 1, 7, -1, -4, c_int::MIN, c_int::MAX] {
            assert_eq!(decode(value), None);
        }
    }
}
