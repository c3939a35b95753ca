//! What remains to be done when a launch is on its queue.

use super::look_up::keep;
use super::plan::LaunchPlan;
use super::prepare::Prepared;
use crate::call::CallContext;
use crate::config::config;
use crate::row_lengths;
use crate::storage::launch::AfterLaunch;
use accl_abi::{Kernel, LaunchInfo, kernel_flags};

/// Keeps the plan of a launch for others like it, unless arrays are to be encoded after it: that is done, and a launch of the
/// kind is planned each time. Nor is one kept that measures what the next will go by. The tables had the generation `since`
/// before it was planned.
///
/// # Safety
/// As for [`launch`](super::launch).
pub(super) unsafe fn settle(
    call: &CallContext,
    info: &LaunchInfo,
    since: u64,
    prepared: &Prepared,
    plan: &LaunchPlan,
    after: AfterLaunch,
) {
    if !after.is_nothing() {
        return after.run(call);
    }
    // SAFETY: a constant table of the program.
    let kernel = unsafe { &*info.kernel };
    if !row_lengths::launched(call, kernel, info.trips[0], plan.function) {
        // SAFETY: the caller's promise.
        unsafe { keep(call, info, since, prepared, plan) }
    }
}

/// Waits for a launch whose result the host is to have, that prints or that may end the program, and for each one where the
/// user wants that.
#[inline]
pub(super) fn wait_if_needed(call: &CallContext, kernel: &Kernel, awaited: bool) {
    let seen = kernel.flags & (kernel_flags::PRINTS | kernel_flags::STOPS) != 0;
    if (awaited && call.queue.is_sync()) || seen || config().blocking {
        call.state.finish(call.location, call.queue);
    }
}
