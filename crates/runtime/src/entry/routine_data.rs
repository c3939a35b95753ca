//! The OpenACC runtime routines for data (OpenACC 3.3 sections 3.2.18 to 3.2.33).
//!
//! A routine with an address and a size is the directive `enter data`, `exit data` or `update`
//! with one variable, so it goes the same way. Dynamic reference counts are the ones changed.

use super::routine::here;
use crate::between_devices::{self, Place};
use crate::call::CallContext;
use crate::data::{self, Counter};
use crate::error::guard;
use crate::location::{Name, SourceLocation};
use crate::present::{Mapping, Presence};
use crate::queues::ASYNC_SYNC;
use crate::storage::column_major;
use crate::variable::unnamed;
use crate::{allocations, state, transfer, update};
use accl_abi::{data_flags, data_kind};
use std::ffi::{c_int, c_void};

/// The device address of a host address, or null.
fn device_address(call: &CallContext, host: *mut c_void, bytes: usize) -> *mut c_void {
    column_major::make_plain_around(call, host as usize, bytes);
    call.on_device(host as usize, bytes).map_or(std::ptr::null_mut(), |address| address as *mut c_void)
}

/// The same for the program's use, or the end of the program where the array is held so that it has no address.
pub(super) fn mapped_address(call: &CallContext, host: *mut c_void) -> *mut c_void {
    call.finish_if_sync();
    let (table, found) = call.find(host as usize, 1);
    if let Presence::Inside(start) = found
        && let Some(mapping) = table.get(start)
    {
        mapping.storage.require_address(call, 0, &format!("host={host:p}"));
    }
    drop(table);
    device_address(call, host, 1)
}

fn enter(location: SourceLocation, kind: u32, host: *mut c_void, bytes: usize, async_: c_int) -> *mut c_void {
    if host.is_null() {
        return host;
    }
    let call = CallContext::new(location, async_.into());
    data::enter(&call, &mut [unnamed(kind, 0, host, bytes)], Counter::Dynamic);
    // The address may be used by code that is not ordered with the queue.
    call.finish_if_sync();
    device_address(&call, host, bytes)
}

pub(super) fn exit(
    location: SourceLocation,
    kind: u32,
    flags: u32,
    host: *mut c_void,
    bytes: usize,
    async_: c_int,
) {
    if !host.is_null() {
        data::exit(
            &CallContext::new(location, async_.into()),
            &[unnamed(kind, flags, host, bytes)],
            Counter::Dynamic,
        );
    }
}

fn update_one(location: SourceLocation, kind: u32, host: *mut c_void, bytes: usize, async_: c_int) {
    if host.is_null() {
        return;
    }
    let call = CallContext::new(location, async_.into());
    update::update(&call, &unnamed(kind, 0, host, bytes));
    if kind == data_kind::UPDATE_SELF {
        call.finish_if_sync();
    }
}

macro_rules! entering {
    ($kind:ident: $($name:ident)* ; $async_name:ident) => {
        $( #[unsafe(no_mangle)]
        pub extern "C" fn $name(host: *mut c_void, bytes: usize) -> *mut c_void {
            guard(|| enter(named!($name), data_kind::$kind, host, bytes, ASYNC_SYNC as c_int))
        } )*
        #[unsafe(no_mangle)]
        pub extern "C" fn $async_name(host: *mut c_void, bytes: usize, async_: c_int) {
            guard(|| { enter(named!($async_name), data_kind::$kind, host, bytes, async_); });
        }
    };
}

/// The location of a call of a routine, by its identifier.
macro_rules! named {
    ($name:ident) => {{
        const NAME: &std::ffi::CStr =
            match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => c"?",
            };
        here!(NAME)
    }};
}

macro_rules! leaving {
    ($kind:ident $flags:expr; $name:ident $async_name:ident) => {
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(host: *mut c_void, bytes: usize) {
            guard(|| exit(named!($name), data_kind::$kind, $flags, host, bytes, ASYNC_SYNC as c_int));
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn $async_name(host: *mut c_void, bytes: usize, async_: c_int) {
            guard(|| exit(named!($async_name), data_kind::$kind, $flags, host, bytes, async_));
        }
    };
}

macro_rules! updating {
    ($kind:ident; $name:ident $async_name:ident) => {
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(host: *mut c_void, bytes: usize) {
            guard(|| update_one(named!($name), data_kind::$kind, host, bytes, ASYNC_SYNC as c_int));
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn $async_name(host: *mut c_void, bytes: usize, async_: c_int) {
            guard(|| update_one(named!($async_name), data_kind::$kind, host, bytes, async_));
        }
    };
}

entering!(COPYIN: acc_copyin acc_pcopyin acc_present_or_copyin; acc_copyin_async);
entering!(CREATE: acc_create acc_pcreate acc_present_or_create; acc_create_async);
leaving!(COPYOUT 0; acc_copyout acc_copyout_async);
leaving!(COPYOUT data_flags::FINALIZE; acc_copyout_finalize acc_copyout_finalize_async);
leaving!(DELETE 0; acc_delete acc_delete_async);
leaving!(DELETE data_flags::FINALIZE; acc_delete_finalize acc_delete_finalize_async);
updating!(UPDATE_DEVICE; acc_update_device acc_update_device_async);
updating!(UPDATE_SELF; acc_update_self acc_update_self_async);
updating!(UPDATE_SELF; acc_update_host acc_update_host_async);

// ---- Device memory without a present table entry ---------------------------------------------

#[unsafe(no_mangle)]
pub extern "C" fn acc_malloc(bytes: usize) -> *mut c_void {
    guard(|| {
        let call = CallContext::new(here!(c"acc_malloc"), ASYNC_SYNC);
        // Section 3.2.18: null where there is no memory.
        let address = allocations::allocate(&call, Name(c"(acc_malloc)".as_ptr()), bytes);
        address.map_or(std::ptr::null_mut(), |address| address as *mut c_void)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_free(device: *mut c_void) {
    guard(|| {
        if device.is_null() {
            return;
        }
        let call = CallContext::new(here!(c"acc_free"), ASYNC_SYNC);
        if !allocations::free(&call, device as u64) {
            call.fatal(
                0,
                &format!("{device:p} was not given out by acc_malloc on this device, or was freed before"),
                &[],
            );
        }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_map_data(host: *mut c_void, device: *mut c_void, bytes: usize) {
    guard(|| {
        let call = CallContext::new(here!(c"acc_map_data"), ASYNC_SYNC);
        let (mut table, found) = call.find(host as usize, bytes);
        if found != Presence::Absent || bytes == 0 {
            drop(table);
            call.fatal(0, &format!("host={host:p} bytes={bytes} is empty or already present"), &[]);
        }
        let mapping = Mapping::new(host as usize, bytes, device as u64, c"(acc_map_data)".as_ptr());
        call.state.map_memory(&mut table, mapping);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_unmap_data(host: *mut c_void) {
    guard(|| {
        let call = CallContext::new(here!(c"acc_unmap_data"), ASYNC_SYNC);
        let mut table = call.state.table();
        if !table.get(host as usize).is_some_and(|mapping| mapping.mapped_by_user) {
            drop(table);
            call.fatal(0, &format!("host={host:p} was not mapped by acc_map_data"), &[]);
        }
        table.remove(host as usize);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_deviceptr(host: *mut c_void) -> *mut c_void {
    guard(|| mapped_address(&CallContext::new(here!(c"acc_deviceptr"), ASYNC_SYNC), host))
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_hostptr(device: *mut c_void) -> *mut c_void {
    guard(|| {
        let call = CallContext::new(here!(c"acc_hostptr"), ASYNC_SYNC);
        let table = call.state.table();
        table.by_device(device as u64).map_or(std::ptr::null_mut(), |(_, host)| host as *mut c_void)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_is_present(host: *mut c_void, bytes: usize) -> c_int {
    guard(|| {
        let call = CallContext::new(here!(c"acc_is_present"), ASYNC_SYNC);
        // Section 3.2.26: a size of 0 asks for the address itself.
        let (_table, found) = call.find(host as usize, bytes.max(1));
        c_int::from(!host.is_null() && matches!(found, Presence::Inside(_)))
    })
}

// ---- Copies ----------------------------------------------------------------------------------

fn to_device(location: SourceLocation, device: *mut c_void, host: *mut c_void, bytes: usize, async_: c_int) {
    if bytes > 0 {
        transfer::send(
            &CallContext::new(location, async_.into()),
            Name(c"(acc_memcpy)".as_ptr()),
            0,
            host as usize,
            device as u64,
            bytes,
        );
    }
}

fn from_device(
    location: SourceLocation,
    host: *mut c_void,
    device: *mut c_void,
    bytes: usize,
    async_: c_int,
) {
    if bytes > 0 {
        let call = CallContext::new(location, async_.into());
        transfer::receive(&call, Name(c"(acc_memcpy)".as_ptr()), 0, host as usize, device as u64, bytes);
        call.finish_if_sync();
    }
}

fn within_device(location: SourceLocation, to: *mut c_void, from: *mut c_void, bytes: usize, async_: c_int) {
    if bytes == 0 || to == from {
        return;
    }
    let call = CallContext::new(location, async_.into());
    call.put("a copy within device memory", |queue| {
        // SAFETY: the user's device addresses.
        unsafe { call.state.device.copy(queue, to as u64, from as u64, bytes) }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_to_device(device: *mut c_void, host: *mut c_void, bytes: usize) {
    guard(|| to_device(here!(c"acc_memcpy_to_device"), device, host, bytes, ASYNC_SYNC as c_int));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_to_device_async(
    device: *mut c_void,
    host: *mut c_void,
    bytes: usize,
    async_: c_int,
) {
    guard(|| to_device(here!(c"acc_memcpy_to_device_async"), device, host, bytes, async_));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_from_device(host: *mut c_void, device: *mut c_void, bytes: usize) {
    guard(|| from_device(here!(c"acc_memcpy_from_device"), host, device, bytes, ASYNC_SYNC as c_int));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_from_device_async(
    host: *mut c_void,
    device: *mut c_void,
    bytes: usize,
    async_: c_int,
) {
    guard(|| from_device(here!(c"acc_memcpy_from_device_async"), host, device, bytes, async_));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_device(to: *mut c_void, from: *mut c_void, bytes: usize) {
    guard(|| within_device(here!(c"acc_memcpy_device"), to, from, bytes, ASYNC_SYNC as c_int));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_device_async(to: *mut c_void, from: *mut c_void, bytes: usize, async_: c_int) {
    guard(|| within_device(here!(c"acc_memcpy_device_async"), to, from, bytes, async_));
}

/// Section 3.2.32: both are host addresses, present on their devices.
fn between(
    location: SourceLocation,
    to: *mut c_void,
    from: *mut c_void,
    bytes: usize,
    to_device: c_int,
    from_device: c_int,
    async_: c_int,
) {
    let call = CallContext::new(location, async_.into());
    let place = |host: *mut c_void, number: c_int| {
        if number < 0 {
            call.fatal(0, &format!("{number} is no number of a device"), &[]);
        }
        let state = state::numbered(location, number);
        let address = device_address(&CallContext::on(state, location), host, bytes);
        if address.is_null() {
            call.fatal(0, &format!("host={host:p} bytes={bytes} is not present on device {number}"), &[]);
        }
        Place { state, address: address as u64 }
    };
    let (to, from) = (place(to, to_device), place(from, from_device));
    if bytes == 0 {
        return;
    }
    // Where the current device is neither, the queue is one of the device that is read.
    let here = [to.state, from.state].into_iter().find(|state| std::ptr::eq(*state, call.state));
    let state = here.unwrap_or(from.state);
    let call = CallContext { state, location, queue: state.queue(location, async_.into()) };
    if std::ptr::eq(to.state, from.state) {
        // SAFETY: what is present on the device.
        call.put("a copy within device memory", |queue| unsafe {
            state.device.copy(queue, to.address, from.address, bytes)
        });
    } else {
        between_devices::copy(&call, to, from, bytes);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_d2d(
    to: *mut c_void,
    from: *mut c_void,
    bytes: usize,
    to_device: c_int,
    from_device: c_int,
) {
    guard(|| between(here!(c"acc_memcpy_d2d"), to, from, bytes, to_device, from_device, ASYNC_SYNC as c_int));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_d2d_async(
    to: *mut c_void,
    from: *mut c_void,
    bytes: usize,
    to_device: c_int,
    from_device: c_int,
    async_: c_int,
) {
    guard(|| between(here!(c"acc_memcpy_d2d_async"), to, from, bytes, to_device, from_device, async_));
}

// ---- Pointers --------------------------------------------------------------------------------

fn attach(location: SourceLocation, pointer: *mut *mut c_void, async_: c_int) {
    if !pointer.is_null() {
        data::attach(
            &CallContext::new(location, async_.into()),
            &unnamed(data_kind::ATTACH, 0, pointer.cast(), size_of::<usize>()),
        );
    }
}

fn detach(location: SourceLocation, pointer: *mut *mut c_void, finalize: bool, async_: c_int) {
    if !pointer.is_null() {
        data::detach(
            &CallContext::new(location, async_.into()),
            &unnamed(data_kind::DETACH, 0, pointer.cast(), size_of::<usize>()),
            finalize,
        );
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_attach(pointer: *mut *mut c_void) {
    guard(|| attach(here!(c"acc_attach"), pointer, ASYNC_SYNC as c_int));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_attach_async(pointer: *mut *mut c_void, async_: c_int) {
    guard(|| attach(here!(c"acc_attach_async"), pointer, async_));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_detach(pointer: *mut *mut c_void) {
    guard(|| detach(here!(c"acc_detach"), pointer, false, ASYNC_SYNC as c_int));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_detach_async(pointer: *mut *mut c_void, async_: c_int) {
    guard(|| detach(here!(c"acc_detach_async"), pointer, false, async_));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_detach_finalize(pointer: *mut *mut c_void) {
    guard(|| detach(here!(c"acc_detach_finalize"), pointer, true, ASYNC_SYNC as c_int));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_detach_finalize_async(pointer: *mut *mut c_void, async_: c_int) {
    guard(|| detach(here!(c"acc_detach_finalize_async"), pointer, true, async_));
}
