//! Host memory and what corresponds to it on a device (OpenMP 5.2 sections 18.8.3, 18.8.4 and 18.8.9 to 18.8.11).

use super::super::routine::here;
use super::super::routine_data::mapped_address;
use super::FAILED;
use super::devices::{Endpoint, place, place_or_warn, warn};
use crate::call::CallContext;
use crate::error::guard;
use crate::location::SourceLocation;
use crate::present::{Mapping, Presence};
use crate::state::DeviceState;
use std::ffi::{c_int, c_void};

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_present(host: *const c_void, device_num: c_int) -> c_int {
    guard(|| {
        let location = here!(c"omp_target_is_present");
        match place(location, device_num) {
            Endpoint::Host => 1,
            Endpoint::Device(_) if host.is_null() => 0,
            Endpoint::Device(state) => {
                let (_table, found) = CallContext::on(state, location).find(host as usize, 1);
                c_int::from(matches!(found, Presence::Inside(_)))
            }
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_accessible(address: *const c_void, bytes: usize, device_num: c_int) -> c_int {
    guard(|| match place_or_warn(here!(c"omp_target_is_accessible"), device_num) {
        None => 0,
        Some(Endpoint::Host) => 1,
        Some(Endpoint::Device(_)) if address.is_null() => 0,
        Some(Endpoint::Device(state)) => {
            c_int::from(state.shared() || is_on_device(state, address as u64, bytes))
        }
    })
}

/// Whether all of it is the device's own memory: of one allocation, or of one object that is present.
fn is_on_device(state: &DeviceState, address: u64, bytes: usize) -> bool {
    let last = bytes.saturating_sub(1);
    if let Some((start, size)) = state.allocations.around(address) {
        return last < size - (address - start) as usize;
    }
    let table = state.table();
    let host = |address| table.by_device(address).map(|(_, host)| host);
    host(address).is_some_and(|begin| host(address + last as u64) == Some(begin + last))
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_mapped_ptr(host: *const c_void, device_num: c_int) -> *mut c_void {
    guard(|| {
        let location = here!(c"omp_get_mapped_ptr");
        match place_or_warn(location, device_num) {
            Some(Endpoint::Host) => host.cast_mut(),
            Some(Endpoint::Device(state)) if !host.is_null() => {
                mapped_address(&CallContext::on(state, location), host.cast_mut())
            }
            Some(Endpoint::Device(_)) | None => std::ptr::null_mut(),
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_associate_ptr(
    host: *const c_void,
    device: *const c_void,
    bytes: usize,
    device_offset: usize,
    device_num: c_int,
) -> c_int {
    guard(|| {
        let location = here!(c"omp_target_associate_ptr");
        let Some(state) = other_than_host(location, device_num) else { return FAILED };
        if host.is_null() || device.is_null() || bytes == 0 {
            warn(location, "there is no memory to associate: a null pointer, or no bytes");
            return FAILED;
        }
        let device = (device as u64).wrapping_add(device_offset as u64);
        associate(&CallContext::on(state, location), host as usize, device, bytes)
    })
}

fn associate(call: &CallContext, host: usize, device: u64, bytes: usize) -> c_int {
    let (mut table, found) = call.find(host, bytes);
    let there = match found {
        Presence::Absent => None,
        Presence::Inside(start) | Presence::Partial(start) => table.get(start),
    };
    match there {
        None => {
            let mapping = Mapping::new(host, bytes, device, c"(omp_target_associate_ptr)".as_ptr());
            call.state.map_memory(&mut table, mapping);
            0
        }
        // To do it twice has no effect.
        Some(mapping) if (mapping.mapped_by_user, mapping.host, mapping.device) == (true, host, device) => 0,
        Some(mapping) => {
            let reason = format!(
                "host={host:#x} bytes={bytes} is present already: host={:#x} bytes={} device={:#x}",
                mapping.host, mapping.bytes, mapping.device
            );
            drop(table);
            warn(call.location, &reason);
            FAILED
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_disassociate_ptr(host: *const c_void, device_num: c_int) -> c_int {
    guard(|| {
        let location = here!(c"omp_target_disassociate_ptr");
        let Some(state) = other_than_host(location, device_num) else { return FAILED };
        let mut table = state.table();
        if table.get(host as usize).is_some_and(|mapping| mapping.mapped_by_user) {
            table.remove(host as usize);
            return 0;
        }
        drop(table);
        warn(
            location,
            &format!("host={host:p} is not associated with device memory by omp_target_associate_ptr"),
        );
        FAILED
    })
}

fn other_than_host(location: SourceLocation, device_num: c_int) -> Option<&'static DeviceState> {
    match place_or_warn(location, device_num)? {
        Endpoint::Device(state) => Some(state),
        Endpoint::Host => {
            warn(location, "the host has no device memory");
            None
        }
    }
}
