//! The fourth step of a launch: it is put on its queue.
//!
//! A launch that repeats an earlier one comes here straight from the launch cache, so everything that is done for each launch
//! is done here: values, log, profile, the order of queues, and results that the host waits for.

use super::plan::{LaunchPlan, shown_variant};
use super::prepare::LaunchArguments;
use crate::call::CallContext;
use crate::config::notify;
use crate::device::{Function, Kind, Launch, QueueId, ReductionTarget};
use crate::error::Result;
use crate::location::Name;
use crate::log;
use crate::profile::{Label, Work, wanted};
use crate::profiling::{self, About};
use crate::queues::Origin;
use crate::reduction;
use crate::residency::touch;
use crate::target_info;
use crate::transfer::finish_where;
use accl_abi::{Kernel, LaunchInfo, Module, kernel_flags, slice};

/// Puts a launch on the call's queue with its values. True where the host is to have a result of it.
///
/// # Safety
/// As for [`launch`](super::launch); what was planned holds.
pub(super) unsafe fn start(
    call: &CallContext,
    info: &LaunchInfo,
    given: &LaunchArguments,
    plan: &LaunchPlan,
) -> bool {
    // SAFETY: constant tables of the program.
    let (kernel, module): (&'static Kernel, &'static Module) = unsafe { (&*info.kernel, &*info.module) };
    if kernel.flags & kernel_flags::PRINTS != 0 {
        // Devices do not print through the C library's buffer.
        // SAFETY: all of the program's streams.
        unsafe { libc::fflush(std::ptr::null_mut()) };
    }
    // SAFETY: one address for each argument.
    let values = unsafe { slice(info.values, kernel.n_args) };
    let launch = Launch {
        module,
        kernel,
        arguments: &given.arguments,
        values,
        targets: &given.targets,
        trips: info.trips,
        gangs: info.num_gangs,
        grid: plan.grid,
        block: plan.block,
        shared_bytes: plan.shared_bytes,
    };
    host_results(&launch).for_each(|(host, bytes)| touch(host, bytes, true));
    let results = plan.awaited && !call.queue.is_sync() && !call.state.shared();
    if results {
        await_initial(call, &launch);
    }
    put(call, plan, &launch);
    if results {
        host_results(&launch).for_each(|(host, bytes)| call.queue.expect(host, bytes, Origin::Reduction));
    }
    plan.awaited
}

/// The variables of the host that a launch reduces into, each with its bytes.
fn host_results(launch: &Launch) -> impl Iterator<Item = (usize, usize)> {
    // SAFETY: a constant table of the program.
    let reductions = unsafe { slice(launch.kernel.reductions, launch.kernel.n_reductions) };
    launch.targets.iter().zip(reductions).filter_map(|(target, reduction)| match target {
        ReductionTarget::Host(variable) => Some((*variable as usize, reduction::size(*reduction))),
        ReductionTarget::Device(_) => None,
    })
}

/// A reduction begins with its variable's value: where a queue has still to write it, the host waits for that first. After
/// a reduction on the same queue the device begins with its result.
fn await_initial(call: &CallContext, launch: &Launch) {
    for (host, bytes) in host_results(launch) {
        finish_where(call, |queue| match queue.id == call.queue.id {
            true => queue.expects_download(host, bytes),
            false => queue.expects(host, bytes),
        });
    }
}

fn put(call: &CallContext, plan: &LaunchPlan, launch: &Launch) {
    let (state, function) = (call.state, plan.function);
    if log::wants(notify::LAUNCH) {
        log::launch(state, call.location, call.queue, launch, shown_variant(call, plan, launch).as_deref());
    }
    target_info::launched(call, launch);
    let [x, y, z] = launch.block.map(|extent| extent as usize);
    let gangs = launch.grid.iter().map(|extent| *extent as usize).product();
    let own = profiling::construct_of_launch(call);
    let event = profiling::launch(|| About::of(call), call.location.0.directive, [gangs, y * z, x]);
    call.queue.launched(call.location);
    call.put("a launch", |queue| {
        let serial = state.device.has_marks() && state.profile.serial.counts(launch.kernel);
        if wanted() || serial {
            let variant = shown_variant(call, plan, launch);
            return timed(call, queue, function, launch, (variant, predicted(call, plan, launch)));
        }
        // SAFETY: addresses were looked up or are the user's; the rest is the compiler's table.
        unsafe { state.device.launch(queue, function, launch) }
    });
    drop(event);
    drop(own);
}

/// The seconds that the cost model expects of a launch: those of an iteration, for as many as there are. It knows CUDA devices, and
/// neither the lengths of inner loops nor what a launch takes before its first thread runs.
#[cold]
fn predicted(call: &CallContext, plan: &LaunchPlan, launch: &Launch) -> f64 {
    let dims = launch.kernel.n_dims as usize;
    if call.state.device.info().kind != Kind::Cuda || dims == 0 {
        return 0.0;
    }
    // SAFETY: a constant table of the program.
    let variants = unsafe { slice(launch.kernel.variants, launch.kernel.n_variants) };
    let iterations: f64 = launch.trips.iter().take(dims).map(|trips| *trips as f64).product();
    variants.get(plan.variant as usize).map_or(0.0, |v| f64::from(v.femtoseconds) * 1e-15 * iterations)
}

/// A launch between marks of the profile.
#[cold]
fn timed(
    call: &CallContext,
    queue: QueueId,
    function: &Function,
    launch: &Launch,
    (variant, predicted): (Option<String>, f64),
) -> Result<()> {
    let label = Label {
        work: Work::Kernel,
        location: call.location,
        line: 0,
        name: Name(call.location.0.directive),
        variant,
        kernel: Some(launch.kernel),
        bytes: 0,
        predicted,
        queue: call.queue.value,
    };
    // SAFETY: as in `put`.
    call.state.profile.timed(&*call.state.device, queue, label, || unsafe {
        call.state.device.launch(queue, function, launch)
    })
}
