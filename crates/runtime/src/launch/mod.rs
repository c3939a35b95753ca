//! Launching a kernel.
//!
//! A launch takes five steps, a file or a folder each:
//!
//! 1. [`look_up`](mod@look_up): was a launch like it planned before? Programs launch small kernels by the thousand, so each host thread
//!    keeps its last plans in a *launch cache*. A launch that is found there is started at once.
//! 2. [`prepare`](mod@prepare): the kernel's arguments are made, with the device addresses of its arrays.
//! 3. [`plan`](mod@plan): the variant is chosen whose needs hold, and with it the shape of block and grid.
//! 4. [`start`](mod@start): the launch is put on its queue, with its values, and with what the log and the profile want of it.
//! 5. [`settle`](mod@settle): what remains to be done: the plan is kept, arrays are encoded, and a launch that has to be is waited for.
//!
//! A kernel that the device's language cannot express runs on the cpu instead ([`stand_in`](mod@stand_in)).
//!
//! Invariants: nothing is launched and nothing logged where a trip count is 0; this way takes no heap memory for usual numbers
//! of arguments.

mod look_up;
mod plan;
mod prepare;
mod replay;
mod settle;
mod stand_in;
mod start;

use crate::call::CallContext;
use crate::config::config;
use crate::generation::generation;
use crate::location::SourceLocation;
use crate::row_lengths;
use crate::storage::{self, Exclusive};
use accl_abi::{Kernel, LaunchInfo, kernel_flags};
use look_up::look_up;
use plan::plan;
pub use plan::{kernel_name, variant_name};
use prepare::{Prepared, prepare};
use settle::{settle, wait_if_needed};
use start::start;

/// Arguments, and reductions, of a launch that fit on the stack.
const USUAL_ARGUMENTS: usize = 24;
const USUAL_REDUCTIONS: usize = 4;

/// The power of two that the iterations of a launch reach.
pub fn size_class(trips: &[i64]) -> u32 {
    let all = trips.iter().map(|trips| (*trips).max(1) as u64).fold(1, u64::saturating_mul);
    all.ilog2()
}

/// Starts a kernel; waits for it only where a reduction's result has to be on the host, or it prints or may end the program.
/// False: nothing is started, since arrays overlap, and the kernel has a fallback for that.
///
/// # Safety
/// `info` and all it points to are as `accl_abi.h` says.
pub unsafe fn launch(info: &LaunchInfo) -> bool {
    // SAFETY: constant tables of the program.
    let kernel: &'static Kernel = unsafe { &*info.kernel };
    if info.trips.iter().take(kernel.n_dims as usize).any(|trips| *trips <= 0) {
        return true;
    }
    // SAFETY: as above.
    let call = CallContext::new(unsafe { SourceLocation::new(kernel.site) }, info.async_);
    if stand_in::is_needed(&call, kernel) {
        // SAFETY: the caller's promise.
        return unsafe { stand_in::launch(&call, info) };
    }
    let exclusive = storage::exclusive(&call);
    // SAFETY: the caller's promise; a plan that is found still holds.
    let repeated = match kernel.flags & kernel_flags::DISTINCT_ROWS {
        0 => unsafe { look_up(&call, info, |given, plan| start(&call, info, given, plan)) },
        // The program may have written other pointers.
        _ => None,
    };
    // SAFETY: the caller's promise.
    let started = repeated.or_else(|| unsafe { launch_anew(&call, &exclusive, info) });
    drop(exclusive);
    let Some(awaited) = started else { return false };
    wait_if_needed(&call, kernel, awaited);
    true
}

/// Launches a kernel where no launch like it is known. True where the host is to have a result; `None` where the fallback is to
/// be launched.
///
/// # Safety
/// As for [`launch`].
#[inline(never)]
unsafe fn launch_anew(call: &CallContext, exclusive: &Exclusive, info: &LaunchInfo) -> Option<bool> {
    let since = generation();
    // SAFETY: the caller's promise; what was planned is started before anything else happens on this thread.
    unsafe {
        let mut prepared = Prepared::default();
        if !prepare(call, exclusive, info, &mut prepared) {
            return None;
        }
        let (plan, after) = plan(call, exclusive, info, &mut prepared);
        if config().replay.is_some() {
            replay::all_variants(call, info, &prepared, &plan);
        }
        row_lengths::begin(call, &*info.kernel, info.trips[0], plan.function);
        let awaited = start(call, info, &prepared.given, &plan);
        settle(call, info, since, &prepared, &plan, after);
        Some(awaited)
    }
}
