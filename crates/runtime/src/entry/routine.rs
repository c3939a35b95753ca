//! The OpenACC runtime routines for devices and queues (OpenACC 3.3 sections 3.2.1 to 3.2.17, and
//! appendix A for CUDA and OpenCL).

use super::construct::{choice, shutdown, wait_on_host, wait_on_queue};
use crate::device::{DeviceInfo, Kind};
use crate::error::guard;
use crate::location::SourceLocation;
use crate::queues::ASYNC_SYNC;
use crate::state::{self, DeviceState};
use std::ffi::{CString, c_char, c_int, c_void};

/// The location of a call of the routine with this name.
macro_rules! here {
    ($name:expr) => {{
        static SITE: accl_abi::Site = crate::location::routine($name);
        SourceLocation(&SITE)
    }};
}
pub(super) use here;

/// The devices a code stands for; empty where there are none.
fn devices_of(device_type: c_int) -> &'static [DeviceInfo] {
    let kind = match device_type {
        2 | 8 => Kind::Cpu,
        4 => Kind::Cuda,
        5 | 7 => Kind::OpenCl,
        3 => match state::best().0 {
            Kind::Cpu => return &[],
            kind => kind,
        },
        -1 | 1 => state::initial().0,
        _ => return &[],
    };
    state::devices(kind).as_ref().map_or(&[], |found| found.as_slice())
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_num_devices(device_type: c_int) -> c_int {
    guard(|| devices_of(device_type).len() as c_int)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_set_device_type(device_type: c_int) {
    guard(|| {
        let location = here!(c"acc_set_device_type");
        let (kind, number) = choice(location, device_type, -1);
        state::set_current(location, kind, number);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_device_type() -> c_int {
    guard(|| {
        let kind =
            state::current_if_any().map_or_else(|| state::initial().0, |state| state.device.info().kind);
        kind.openacc_code()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_set_device_num(device_num: c_int, device_type: c_int) {
    guard(|| {
        let location = here!(c"acc_set_device_num");
        // Section 3.2.4: a negative number means the default device of the type.
        let (kind, number) = choice(location, device_type, device_num);
        state::set_current(location, kind, number);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_device_num(device_type: c_int) -> c_int {
    guard(|| choice(here!(c"acc_get_device_num"), device_type, -1).1 as c_int)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_property(device_num: c_int, device_type: c_int, property: c_int) -> usize {
    guard(|| {
        let location = here!(c"acc_get_property");
        let (kind, number) = choice(location, device_type, device_num);
        let Some(info) = devices_of(kind.openacc_code()).get(number) else {
            return 0;
        };
        match property {
            1 => info.memory as usize,
            2 => state::start(location, kind, number).device.free_memory() as usize,
            3 => usize::from(state::start(location, kind, number).shared()),
            _ => 0,
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_property_string(
    device_num: c_int,
    device_type: c_int,
    property: c_int,
) -> *const c_char {
    guard(|| {
        let (kind, number) = choice(here!(c"acc_get_property_string"), device_type, device_num);
        let Some(info) = devices_of(kind.openacc_code()).get(number) else {
            return std::ptr::null();
        };
        let text = match property {
            0x10001 => &info.name,
            0x10002 => &info.vendor,
            0x10003 => &info.driver,
            _ => return std::ptr::null(),
        };
        // The string must outlive the call and is asked for a few times at most.
        CString::new(text.replace('\0', " ")).map_or(std::ptr::null(), |text| text.into_raw().cast_const())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_init(device_type: c_int) {
    acc_init_device(-1, device_type);
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_init_device(device_num: c_int, device_type: c_int) {
    guard(|| {
        let location = here!(c"acc_init");
        let (kind, number) = choice(location, device_type, device_num);
        state::set_current(location, kind, number);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_shutdown(device_type: c_int) {
    guard(|| shutdown(here!(c"acc_shutdown"), device_type, -1));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_shutdown_device(device_num: c_int, device_type: c_int) {
    guard(|| shutdown(here!(c"acc_shutdown_device"), device_type, device_num));
}

/// Only ever called on the host: kernels have acc_on_device replaced by the compiler.
#[unsafe(no_mangle)]
pub extern "C" fn acc_on_device(device_type: c_int) -> c_int {
    c_int::from(matches!(device_type, 0 | 2))
}

// ---- Queues --------------------------------------------------------------------------------
/// True where all work of a queue is done and its results are on the host.
fn test(state: &'static DeviceState, location: SourceLocation, value: i64) -> bool {
    let Some(queue) = state.queues.existing(state::resolve_async(location, value)) else {
        return true;
    };
    if queue.is_sync() {
        // The program took its work to be done when the construct or routine ended.
        state.finish(location, queue);
        return true;
    }
    match state.device.finished(queue.id) {
        Ok(true) => {
            state.finish(location, queue);
            true
        }
        Ok(false) => false,
        Err(error) => state.fail(location, Some(queue), "testing a queue", &error),
    }
}

fn test_all(state: &'static DeviceState, location: SourceLocation) -> bool {
    state.queues.all().iter().all(|queue| test(state, location, queue.value))
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test(value: c_int) -> c_int {
    let location = here!(c"acc_async_test");
    guard(|| test(state::current(location), location, value.into()).into())
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test_device(value: c_int, device_num: c_int) -> c_int {
    let location = here!(c"acc_async_test_device");
    guard(|| test(state::numbered(location, device_num), location, value.into()).into())
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test_all() -> c_int {
    let location = here!(c"acc_async_test_all");
    guard(|| test_all(state::current(location), location).into())
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test_all_device(device_num: c_int) -> c_int {
    let location = here!(c"acc_async_test_all_device");
    guard(|| test_all(state::numbered(location, device_num), location).into())
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait(value: c_int) {
    let location = here!(c"acc_wait");
    guard(|| wait_on_host(state::current(location), location, &[value.into()]));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_async_wait(value: c_int) {
    acc_wait(value);
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_device(value: c_int, device_num: c_int) {
    let location = here!(c"acc_wait_device");
    guard(|| wait_on_host(state::numbered(location, device_num), location, &[value.into()]));
}

/// On `acc_async_sync` the host waits.
fn wait_async(state: &'static DeviceState, location: SourceLocation, values: &[i64], async_: i64) {
    if async_ == ASYNC_SYNC {
        wait_on_host(state, location, values)
    } else {
        wait_on_queue(state, location, values, async_)
    }
}

/// The index of the first of these queues whose work is done (section 3.2.14); -1 where there are none.
fn wait_any(state: &'static DeviceState, location: SourceLocation, values: &[c_int]) -> c_int {
    if values.is_empty() {
        return -1;
    }
    loop {
        if let Some(done) = values.iter().position(|value| test(state, location, i64::from(*value))) {
            return done as c_int;
        }
        std::thread::yield_now();
    }
}

/// # Safety
/// So many values, or none.
unsafe fn async_values<'a>(count: c_int, values: *const c_int) -> &'a [c_int] {
    // SAFETY: the caller's promise.
    unsafe { accl_abi::slice(values, count.max(0) as u32) }
}

/// # Safety
/// `values` are `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_wait_any(count: c_int, values: *const c_int) -> c_int {
    let location = here!(c"acc_wait_any");
    // SAFETY: the caller's promise.
    guard(|| wait_any(state::current(location), location, unsafe { async_values(count, values) }))
}

/// # Safety
/// `values` are `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_wait_any_device(count: c_int, values: *const c_int, device_num: c_int) -> c_int {
    let location = here!(c"acc_wait_any_device");
    // SAFETY: the caller's promise.
    guard(|| {
        wait_any(state::numbered(location, device_num), location, unsafe { async_values(count, values) })
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_async(value: c_int, async_: c_int) {
    let location = here!(c"acc_wait_async");
    guard(|| wait_async(state::current(location), location, &[value.into()], async_.into()));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_device_async(value: c_int, async_: c_int, device_num: c_int) {
    let location = here!(c"acc_wait_device_async");
    guard(|| wait_async(state::numbered(location, device_num), location, &[value.into()], async_.into()));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all() {
    let location = here!(c"acc_wait_all");
    guard(|| wait_on_host(state::current(location), location, &[]));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_async_wait_all() {
    acc_wait_all();
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all_device(device_num: c_int) {
    let location = here!(c"acc_wait_all_device");
    guard(|| wait_on_host(state::numbered(location, device_num), location, &[]));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all_async(async_: c_int) {
    let location = here!(c"acc_wait_all_async");
    guard(|| wait_async(state::current(location), location, &[], async_.into()));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all_device_async(async_: c_int, device_num: c_int) {
    let location = here!(c"acc_wait_all_device_async");
    guard(|| wait_async(state::numbered(location, device_num), location, &[], async_.into()));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_default_async() -> c_int {
    guard(|| state::default_async() as c_int)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_set_default_async(value: c_int) {
    guard(|| state::set_default_async(value.into()));
}

// ---- CUDA and OpenCL -----------------------------------------------------------------------

/// Native device and context of the current device, where it is of this kind.
fn handles(location: SourceLocation, kind: Kind) -> (*mut c_void, *mut c_void) {
    let state = state::current(location);
    if state.device.info().kind == kind {
        state.device.native_handles()
    } else {
        (std::ptr::null_mut(), std::ptr::null_mut())
    }
}

fn native_queue(location: SourceLocation, kind: Kind, value: i64) -> *mut c_void {
    let state = state::current(location);
    if state.device.info().kind != kind {
        return std::ptr::null_mut();
    }
    state.device.native_queue(state.queue(location, value).id)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_cuda_device() -> *mut c_void {
    guard(|| handles(here!(c"acc_get_current_cuda_device"), Kind::Cuda).0)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_cuda_context() -> *mut c_void {
    guard(|| handles(here!(c"acc_get_current_cuda_context"), Kind::Cuda).1)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_cuda_stream(value: c_int) -> *mut c_void {
    guard(|| native_queue(here!(c"acc_get_cuda_stream"), Kind::Cuda, value.into()))
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_set_cuda_stream(value: c_int, stream: *mut c_void) -> c_int {
    guard(|| {
        let location = here!(c"acc_set_cuda_stream");
        let state = state::current(location);
        let value = state::resolve_async(location, value.into());
        if value == ASYNC_SYNC {
            return 0;
        }
        match state.device.adopt_queue(stream) {
            Ok(id) => {
                state.queues.adopt(value, id);
                1
            }
            Err(_) => 0,
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_opencl_device() -> *mut c_void {
    guard(|| handles(here!(c"acc_get_current_opencl_device"), Kind::OpenCl).0)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_opencl_context() -> *mut c_void {
    guard(|| handles(here!(c"acc_get_current_opencl_context"), Kind::OpenCl).1)
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_get_opencl_queue(value: c_int) -> *mut c_void {
    guard(|| native_queue(here!(c"acc_get_opencl_queue"), Kind::OpenCl, value.into()))
}
