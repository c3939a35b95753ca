//! omp_pause_resource and omp_pause_resource_all (OpenMP 5.2 §18.6).
//!
//! The host's resources are the host compiler's OpenMP library's, which knows no devices but the host. A device keeps what it holds:
//! the standard lets data live on.

use super::super::construct::wait_on_host;
use super::super::routine::here;
use super::FAILED;
use super::devices::{Endpoint, place_or_warn};
use crate::default_device::following;
use crate::error::guard;
use crate::location::SourceLocation;
use crate::state;
use std::ffi::{c_int, c_void};
use std::mem::transmute;

/// omp_pause_soft and omp_pause_hard.
const KINDS: std::ops::RangeInclusive<c_int> = 1..=2;

#[unsafe(no_mangle)]
pub extern "C" fn omp_pause_resource(kind: c_int, device_num: c_int) -> c_int {
    guard(|| {
        let location = here!(c"omp_pause_resource");
        match place_or_warn(location, device_num) {
            _ if !KINDS.contains(&kind) => FAILED,
            None => FAILED,
            Some(Endpoint::Device(state)) => {
                wait_on_host(state, location, &[]);
                0
            }
            Some(Endpoint::Host) => {
                let found = (following(c"omp_pause_resource"), following(c"omp_get_initial_device"));
                let (Some(pause), Some(initial)) = found else { return 0 };
                // SAFETY: routines of these types by the OpenMP standard.
                unsafe {
                    let pause = transmute::<*mut c_void, extern "C" fn(c_int, c_int) -> c_int>(pause);
                    let initial = transmute::<*mut c_void, extern "C" fn() -> c_int>(initial);
                    pause(kind, initial())
                }
            }
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_pause_resource_all(kind: c_int) -> c_int {
    guard(|| {
        let location = here!(c"omp_pause_resource_all");
        if !KINDS.contains(&kind) {
            return FAILED;
        }
        for device in state::started() {
            wait_on_host(device, location, &[]);
        }
        let Some(pause) = following(c"omp_pause_resource_all") else { return 0 };
        // SAFETY: a routine of this type by the OpenMP standard.
        unsafe { transmute::<*mut c_void, extern "C" fn(c_int) -> c_int>(pause)(kind) }
    })
}
