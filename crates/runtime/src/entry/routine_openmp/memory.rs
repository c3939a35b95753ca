//! Device memory by itself (OpenMP 5.2 sections 18.8.1 and 18.8.2; omp_target_memset is of OpenMP 6.0).

use super::super::routine::here;
use super::depend;
use super::devices::{Endpoint, place, place_or_warn};
use super::name;
use crate::allocations;
use crate::call::CallContext;
use crate::error::{fatal, guard};
use crate::location::SourceLocation;
use crate::state::{self, DeviceState};
use std::ffi::{c_int, c_void};

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_alloc(bytes: usize, device_num: c_int) -> *mut c_void {
    guard(|| {
        let location = here!(c"omp_target_alloc");
        match place_or_warn(location, device_num) {
            None => std::ptr::null_mut(),
            _ if bytes == 0 => std::ptr::null_mut(),
            // SAFETY: has no preconditions.
            Some(Endpoint::Host) => unsafe { libc::malloc(bytes) },
            Some(Endpoint::Device(state)) => {
                let call = CallContext::on(state, location);
                let address = allocations::allocate(&call, name(c"(omp_target_alloc)"), bytes);
                address.map_or(std::ptr::null_mut(), |address| address as *mut c_void)
            }
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_free(memory: *mut c_void, device_num: c_int) {
    guard(|| {
        let location = here!(c"omp_target_free");
        let place = place(location, device_num);
        if memory.is_null() {
            return;
        }
        let freed = match place {
            Endpoint::Host if owner(memory as u64).is_some() => false,
            Endpoint::Host => {
                // SAFETY: the user's promise: omp_target_alloc gave it out for the host, by malloc.
                unsafe { libc::free(memory) };
                true
            }
            Endpoint::Device(state) => allocations::free(&CallContext::on(state, location), memory as u64),
        };
        if !freed {
            not_allocated(location, memory, device_num);
        }
    });
}

/// The device on which an allocation begins at an address.
fn owner(address: u64) -> Option<&'static DeviceState> {
    let begins =
        |state: &&DeviceState| state.allocations.around(address).is_some_and(|(start, _)| start == address);
    state::started().into_iter().find(begins)
}

fn not_allocated(location: SourceLocation, memory: *mut c_void, device_num: c_int) -> ! {
    let message = format!(
        "{memory:p} was not given out by omp_target_alloc for device {device_num}, or was freed before"
    );
    let help = owner(memory as u64).map(|state| {
        let info = state.device.info();
        format!("help: it is memory of {} device {}", info.kind.name(), info.number)
    });
    fatal(location, 0, &message, &help.into_iter().collect::<Vec<_>>())
}

/// Ends the program where a stretch of device memory that omp_target_alloc gave out is left at its end.
pub fn require_within(location: SourceLocation, state: &DeviceState, address: u64, bytes: usize) {
    let Some((start, size)) = state.allocations.around(address) else { return };
    let skip = (address - start) as usize;
    if bytes > size - skip {
        let message = format!(
            "{bytes} bytes from byte {skip} on are beyond the end of device memory of {size} bytes, at {start:#x}"
        );
        fatal(location, 0, &message, &[]);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_memset(
    memory: *mut c_void,
    value: c_int,
    bytes: usize,
    device_num: c_int,
) -> *mut c_void {
    guard(|| fill(here!(c"omp_target_memset"), memory, value, bytes, device_num))
}

/// # Safety
/// `list` points to `count` depend objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memset_async(
    memory: *mut c_void,
    value: c_int,
    bytes: usize,
    device_num: c_int,
    count: c_int,
    list: *mut c_void,
) -> *mut c_void {
    let location = here!(c"omp_target_memset_async");
    // SAFETY: the caller's promise.
    unsafe { depend::wait(location, count, list) };
    guard(|| fill(location, memory, value, bytes, device_num))
}

fn fill(
    location: SourceLocation,
    memory: *mut c_void,
    value: c_int,
    bytes: usize,
    device_num: c_int,
) -> *mut c_void {
    let place = place(location, device_num);
    if bytes == 0 || memory.is_null() {
        return memory;
    }
    match place {
        // SAFETY: the user's memory.
        Endpoint::Host => unsafe { memory.cast::<u8>().write_bytes(value as u8, bytes) },
        Endpoint::Device(state) => {
            require_within(location, state, memory as u64, bytes);
            let call = CallContext::on(state, location);
            call.put("filling device memory", |queue| {
                // SAFETY: the user's device memory.
                unsafe { state.device.fill(queue, memory as u64, value as u8, bytes) }
            });
            call.finish_if_sync();
        }
    }
    memory
}
