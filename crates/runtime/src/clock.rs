//! What a program's clocks wait for.
//!
//! A construct without `async` returns before it is done, which nobody can tell by its data (see [`crate::queues`]), but
//! anybody by the time. So `accl` links the clocks of the C and C++ libraries (`accl_abi::clocks`) through wrappers, `clock/wrapper.S`,
//! which have the host wait for synchronous work before the time is read. Where none is under way that is one comparison.
//! Work on other queues is not waited for: a program that asked for `async` reads the time of the host.
//!
//! The runtime's own clocks are linked through them, too. They, and the program's handlers of signals that come while the runtime
//! works, must not wait: the thread may hold locks that a wait needs. So a thread knows whether it is [`inside`].
//!
//! Invariants: `awaited` is never more than what the host has waited for; nothing that is read here needs the lock of a device
//! at work.

use crate::location::SourceLocation;
use crate::state::{self, DeviceState};
use crate::{error, instance, log};
use accl_abi::Site;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Operations on the sync queues of all devices. `wrapper.S` knows the layout.
#[repr(C)]
pub struct SyncWork {
    issued: AtomicU64,
    /// How many of them no clock has to wait for any more.
    awaited: AtomicU64,
    wait: extern "C" fn(),
}

#[unsafe(no_mangle)]
pub static accl_sync_work: SyncWork =
    SyncWork { issued: AtomicU64::new(0), awaited: AtomicU64::new(0), wait: wait_for_sync_work };

/// To be called when an operation is on a sync queue, and its device counts it.
#[inline]
pub fn issued() {
    accl_sync_work.issued.fetch_add(1, Ordering::Release);
}

thread_local!(static INSIDE: Cell<bool> = const { Cell::new(false) });

/// Runs `body` as a part of the runtime, whose clocks wait for nothing.
#[inline]
pub fn inside<T>(body: impl FnOnce() -> T) -> T {
    let outer = INSIDE.replace(true);
    let value = body();
    INSIDE.set(outer);
    value
}

/// The seconds since some time before, for kernels of the cpu device: by the clock of `omp_get_wtime`, which must not wait here.
#[unsafe(no_mangle)]
pub extern "C" fn accl_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system fills in a structure of ours.
    inside(|| unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) });
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// The thread works for the runtime.
#[inline]
pub fn is_inside() -> bool {
    INSIDE.get()
}

/// Waits for the sync queues of all devices.
extern "C" fn wait_for_sync_work() {
    if INSIDE.get() || error::has_failed() || instance::is_forked() {
        return;
    }
    error::guard(|| {
        let issued = accl_sync_work.issued.load(Ordering::Acquire);
        if state::started().into_iter().all(finish_sync_queue) {
            accl_sync_work.awaited.fetch_max(issued, Ordering::Release);
        }
    });
}

/// False where that failed: the next wait, which belongs to a directive, reports why.
fn finish_sync_queue(state: &DeviceState) -> bool {
    static CLOCK: Site = crate::location::routine(c"clock");
    let queue = state.queues.sync();
    if state.queues.has_sync_work() {
        log::wait(state, SourceLocation(&CLOCK), queue);
    }
    state.try_finish(queue).is_ok()
}
