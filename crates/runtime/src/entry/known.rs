//! What programs that `-fopenmpc` translates ask before a construct.

use super::routine::here;
use crate::call::CallContext;
use crate::config::config;
use crate::device::Kind;
use crate::error::guard;
use crate::location::SourceLocation;
use crate::on_host;
use crate::queues::ASYNC_SYNC;
use crate::residency;
use std::ffi::{c_char, c_int, c_long, c_void};

/// Whether the device can have what the pointer leads to.
#[unsafe(no_mangle)]
pub extern "C" fn accl_is_known(pointer: *const c_void) -> c_int {
    guard(|| {
        let call = CallContext::new(here!(c"accl_is_known"), ASYNC_SYNC);
        residency::is_known(&call, pointer as usize).into()
    })
}

/// Whether it can have what the pointers in an array lead to, which lie where `types` says (`accl_var::pointers`).
///
/// # Safety
/// `types` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_rows_are_known(
    array: *const c_void,
    bytes: usize,
    types: *const c_char,
) -> c_int {
    guard(|| {
        let call = CallContext::new(here!(c"accl_rows_are_known"), ASYNC_SYNC);
        // SAFETY: the caller's promise.
        let types = unsafe { accl_abi::text(types) };
        residency::rows_are_known(&call, array as usize, bytes, &types).into()
    })
}

/// Whether so many bytes from there lie in the part of the calling thread's stack that is in use.
#[unsafe(no_mangle)]
pub extern "C" fn accl_is_on_stack(pointer: *const c_void, bytes: usize) -> c_int {
    guard(|| on_host::is_on_stack(pointer as usize, bytes).into())
}

/// Whether a construct for the object around an address costs more than a few hundred iterations of the host: it is small, and on the device
/// by no data clause. `bytes`: the size of an array, 0 for what a pointer leads to; `rows`: it is an array of pointers, and what the first of
/// them leads to is small, too.
#[unsafe(no_mangle)]
pub extern "C" fn accl_is_small(pointer: *const c_void, bytes: usize, rows: c_int) -> c_int {
    guard(|| {
        let call = CallContext::new(here!(c"accl_is_small"), ASYNC_SYNC);
        (config().chooses_device && residency::is_small(&call, pointer as usize, bytes, rows != 0)).into()
    })
}

/// Whether the device has newer contents of the object around an address than the host.
#[unsafe(no_mangle)]
pub extern "C" fn accl_device_is_newer(pointer: *const c_void) -> c_int {
    guard(|| residency::device_is_newer(pointer as usize).into())
}

/// How many rows with so many bytes there are to be for the threads that run a number of iterations: one for each thread of the
/// host's, which run them where the device does not; on other devices as many as a quarter of the memory holds.
#[unsafe(no_mangle)]
pub extern "C" fn accl_count_rows(iterations: c_long, bytes: usize, on_device: c_int) -> c_long {
    guard(|| {
        let call = CallContext::new(here!(c"accl_count_rows"), ASYNC_SYNC);
        let info = call.state.device.info();
        let most = match info.kind {
            _ if on_device == 0 => std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
            Kind::Cpu => u64::from(info.compute_units),
            Kind::Cuda | Kind::OpenCl => (info.memory / 4 / (bytes.max(1) as u64)).min(MOST_ROWS),
        };
        iterations.clamp(0, c_long::try_from(most.max(1)).unwrap_or(c_long::MAX))
    })
}

/// More threads do not run at a time.
const MOST_ROWS: u64 = 1 << 18;

/// Memory for rows, whose pages the host gets where it touches them. `from`: what is to be in it.
///
/// # Safety
/// `from` is null, or so many bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_make_rows(bytes: usize, from: *const c_void) -> *mut c_void {
    guard(|| {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: new memory.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), bytes.max(1), access, flags, -1, 0) };
        if memory == libc::MAP_FAILED {
            let call = CallContext::new(here!(c"accl_make_rows"), ASYNC_SYNC);
            call.fatal(0, &format!("no memory for {bytes} bytes of the threads' arrays"), &[]);
        }
        if !from.is_null() {
            // SAFETY: the caller's promise; the memory is new and large enough.
            unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), memory.cast(), bytes) };
        }
        memory
    })
}

/// # Safety
/// The memory came from [`accl_make_rows`] with as many bytes, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_free_rows(memory: *mut c_void, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::munmap(memory, bytes.max(1)) };
}
