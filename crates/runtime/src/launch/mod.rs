//! Launching a kernel: addresses of its arguments, the variant, the shape of the grid.
//!
//! The compiler emits a kernel in one or more variants, each with what it needs of the launch
//! (no aliases, alignment, 32-bit extents); the first whose needs hold is taken. Each distributed
//! dimension has a rule by which its extent of the grid follows from the trip count.
//!
//! Invariants: nothing is launched and nothing logged where a trip count is 0; this path takes no
//! heap memory for usual numbers of arguments, since small kernels are launched by the thousand.

mod arguments;
mod choose;
mod followed;
pub mod forced;
mod functions;
mod memo;
mod shape;
mod variant_name;

pub use arguments::Range;
pub use functions::{Functions, Loaded, try_load};

use crate::areas::Areas;
use crate::compress::block::plain;
use crate::compress::copies::{self, Decoded};
use crate::compress::settle::{self, Alone};
use crate::compress::{advice, check};
use crate::config::{config, notify};
use crate::data::{Task, absent, first, partial};
use crate::device::{Argument, Function, Kind, Launch, QueueId, Target};
use crate::error::Result;
use crate::log;
use crate::present::{Found, generation};
use crate::profile::{Label, Work, wanted};
use crate::queues::Origin;
use crate::reduction;
use crate::site::{Name, Place};
use crate::update;
use accl_abi::{Kernel, LaunchInfo, Module, Var, Variant, kernel_flags, needs, slice};
use arguments::{resolve, target};
use choose::{Candidates, Form, no_alias};
use functions::load;
use shape::{block, grid};
use smallvec::SmallVec;
use std::ffi::c_void;

/// Arguments that fit on the stack, and reductions.
const USUAL: usize = 24;
const USUAL_REDUCTIONS: usize = 4;

/// What a launch decides before it goes to the device.
#[derive(Clone)]
struct Decided {
    function: &'static Function,
    /// Its position among the kernel's.
    variant: u32,
    arguments: SmallVec<[Argument; USUAL]>,
    targets: SmallVec<[Target; USUAL_REDUCTIONS]>,
    /// A result is to be on the host.
    awaited: bool,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
}

/// Starts a kernel; waits for it only where a reduction's result has to be on the host, or it prints or may end the program.
///
/// # Safety
/// `info` and all it points to are as `accl_abi.h` says.
pub unsafe fn launch(info: &LaunchInfo) {
    // SAFETY: constant tables of the program.
    let kernel: &'static Kernel = unsafe { &*info.kernel };
    if info.trips.iter().take(kernel.n_dims as usize).any(|trips| *trips <= 0) {
        return;
    }
    // SAFETY: as above.
    let place = unsafe { Place::new(kernel.site) };
    let task = Task::new(place, info.async_);
    if kernel.flags & kernel_flags::PRINTS != 0 {
        // Devices do not print through the C library's buffer.
        // SAFETY: all of the program's streams.
        unsafe { libc::fflush(std::ptr::null_mut()) };
    }
    let alone = settle::alone(&task);
    // SAFETY: the caller's promise.
    let repeated = unsafe { memo::repeat(&task, info) };
    // SAFETY: as above.
    let awaited = repeated.unwrap_or_else(|| unsafe { launch_anew(&task, &alone, info) });
    drop(alone);
    let seen = kernel.flags & (kernel_flags::PRINTS | kernel_flags::STOPS) != 0;
    if (awaited && task.queue.is_sync()) || seen || config().blocking {
        task.state.finish(place, task.queue);
    }
}

/// As [`launch`], where nothing like it is known. True where the host is to have a result.
///
/// # Safety
/// As for [`launch`].
#[inline(never)]
unsafe fn launch_anew(task: &Task, alone: &Alone, info: &LaunchInfo) -> bool {
    let since = generation();
    let mut ranges = SmallVec::new();
    let mut behind = None;
    // SAFETY: the caller's promise.
    let decided = unsafe { decide(task, alone, info, &mut ranges, &mut behind) };
    // SAFETY: as above; it was decided just now.
    unsafe { start(task, info, &decided) };
    match behind {
        // SAFETY: as above.
        None => unsafe { memo::keep(task, info, since, &ranges, &decided) },
        Some(behind) => plain::encode(task, &behind),
    }
    decided.awaited
}

/// Finds the arguments, the variant and the shape; and what is to be encoded `behind` the launch.
///
/// # Safety
/// As for [`launch`].
#[inline]
unsafe fn decide(
    task: &Task,
    alone: &Alone,
    info: &LaunchInfo,
    ranges: &mut SmallVec<[Range; USUAL]>,
    behind: &mut Option<plain::Behind>,
) -> Decided {
    // SAFETY: constant tables of the program.
    let (kernel, module): (&'static Kernel, &'static Module) = unsafe { (&*info.kernel, &*info.module) };
    // SAFETY: as above.
    let (variants, table, reductions) = unsafe {
        (
            slice(kernel.variants, kernel.n_variants),
            slice(kernel.args, kernel.n_args),
            slice(kernel.reductions, kernel.n_reductions),
        )
    };
    // SAFETY: the caller's promise.
    let areas = unsafe { Areas::of(task, kernel, info) };
    let mut arguments: SmallVec<[Argument; USUAL]> = SmallVec::new();
    // SAFETY: the caller's promise.
    unsafe { resolve(task, info, kernel, &mut arguments, ranges) };

    // SAFETY: the caller's promise.
    unsafe { followed::check(task, info, kernel) };
    if kernel.flags & kernel_flags::DISTINCT != 0 && !no_alias(ranges) {
        overlapping(task);
    }

    let targets = reductions.iter().enumerate().map(|(r, reduction)| {
        // SAFETY: one address for each reduction.
        let variable = unsafe { *info.reduction_vars.add(r) };
        target(task, variable, reduction::size(*reduction))
    });
    let targets: SmallVec<[Target; USUAL_REDUCTIONS]> = targets.collect();

    let usual = usual(task, kernel, info, variants, areas.as_ref());
    let named = forced::candidates(task, kernel, variants, usual, areas.as_ref(), ranges);
    let candidates = named.unwrap_or(usual);
    let writes_groups = candidates.variants.iter().any(|v| v.needs & needs::WHOLE_GROUPS != 0)
        && task.state.device.info().kind != Kind::Cpu
        && candidates.choose(ranges, Form::Whole).is_some();
    let first_decoded = candidates.variants.iter().position(|v| v.needs & needs::DECODED != 0);
    let versions = first_decoded.filter(|at| {
        // What comes before decodes each element once.
        let before = Candidates { variants: &candidates.variants[..*at], ..candidates };
        !writes_groups && (*at == 0 || before.choose(ranges, Form::Plain).is_none())
    });
    let reused = |at: usize| named.is_some() || candidates.variants[at].needs & needs::REUSED != 0;
    let versions = versions.map(|at| Decoded { reused: reused(at) });
    let decoded = copies::provide(task, alone, info, table, versions, &mut arguments, ranges);
    *behind = match writes_groups {
        true => plain::wait(task, info, table),
        false => plain::hand(task, info, table, &mut arguments, ranges),
    };
    let form = match (writes_groups, decoded) {
        (true, _) => Form::Whole,
        (_, true) => Form::Decoded,
        (false, false) => Form::Plain,
    };
    advice::on_launch(task, info, table, ranges, decoded);
    let (chosen, variant) = candidates.choose(ranges, form).unwrap_or_else(|| {
        if let Some(named) = &named {
            forced::refused(task, variants, named, ranges, form);
        }
        usual.choose(ranges, form).unwrap_or_else(|| usual.last())
    });
    let loaded = load(task, module, kernel, chosen, variant);
    let sized = areas.map(|areas| areas.sized(task, kernel, chosen, variant));
    let variant = sized.as_ref().unwrap_or(variant);
    let block = block(task, kernel, variant, info, &loaded.function);
    let grid = grid(task, kernel, variant, info, block, loaded);
    let shared_bytes = variant.shared_bytes;
    let awaited = targets.iter().any(|target| matches!(target, Target::Host(_)));
    Decided {
        function: &loaded.function,
        variant: chosen,
        arguments,
        targets,
        awaited,
        grid,
        block,
        shared_bytes,
    }
}

/// The variants that a launch chooses from where the user names none.
fn usual<'a>(
    task: &Task,
    kernel: &Kernel,
    info: &'a LaunchInfo,
    variants: &'static [Variant],
    areas: Option<&Areas>,
) -> Candidates<'a> {
    let skipped = areas.map_or(0, |areas| areas.without_room(kernel, variants));
    let half_full = config().resident_threads.unwrap_or(task.state.device.limits().resident_threads) / 2;
    Candidates {
        variants: &variants[skipped..],
        first: skipped as u32,
        trips: &info.trips[..kernel.n_dims as usize],
        num_gangs: info.num_gangs,
        half_full: Some(half_full),
    }
}

/// Puts a launch on the task's queue with its values.
///
/// # Safety
/// As for [`launch`]; what was decided holds.
unsafe fn start(task: &Task, info: &LaunchInfo, decided: &Decided) {
    // SAFETY: constant tables of the program.
    let (kernel, module): (&'static Kernel, &'static Module) = unsafe { (&*info.kernel, &*info.module) };
    // SAFETY: one address for each argument.
    let values = unsafe { slice(info.values, kernel.n_args) };
    let launch = Launch {
        module,
        kernel,
        arguments: &decided.arguments,
        values,
        targets: &decided.targets,
        trips: info.trips,
        gangs: info.num_gangs,
        grid: decided.grid,
        block: decided.block,
        shared_bytes: decided.shared_bytes,
    };
    let results = decided.awaited && !task.queue.is_sync() && !task.state.shared();
    if results {
        await_initial(task, &launch);
    }
    put(task, decided, &launch);
    if results {
        host_results(&launch).for_each(|(host, bytes)| task.queue.expect(host, bytes, Origin::Reduction));
    }
}

/// The variables of the host that a launch reduces into, each with its bytes.
fn host_results(launch: &Launch) -> impl Iterator<Item = (usize, usize)> {
    // SAFETY: a constant table of the program.
    let reductions = unsafe { slice(launch.kernel.reductions, launch.kernel.n_reductions) };
    launch.targets.iter().zip(reductions).filter_map(|(target, reduction)| match target {
        Target::Host(variable) => Some((*variable as usize, reduction::size(*reduction))),
        Target::Device(_) => None,
    })
}

/// A reduction begins with its variable's value: where a queue has still to write it, the host waits for that first. After
/// a reduction on the same queue the device begins with its result.
fn await_initial(task: &Task, launch: &Launch) {
    for (host, bytes) in host_results(launch) {
        update::finish_where(task, |queue| match queue.id == task.queue.id {
            true => queue.expects_download(host, bytes),
            false => queue.expects(host, bytes),
        });
    }
}

fn put(task: &Task, decided: &Decided, launch: &Launch) {
    let (state, function) = (task.state, decided.function);
    if log::wants(notify::LAUNCH) {
        log::launch(state, task.place, task.queue, launch, shown_variant(task, decided, launch).as_deref());
    }
    task.queue.launched(task.place);
    task.put("a launch", |queue| {
        if wanted() {
            let variant = shown_variant(task, decided, launch);
            return timed(task, queue, function, launch, variant);
        }
        // SAFETY: addresses were looked up or are the user's; the rest is the compiler's table.
        unsafe { state.device.launch(queue, function, launch) }
    });
}

/// The name of the variant that is launched, where there was a choice.
#[cold]
fn shown_variant(task: &Task, decided: &Decided, launch: &Launch) -> Option<String> {
    let several = task.state.device.info().kind != Kind::Cpu;
    several.then(|| variant_name::among_several(launch.kernel, decided.variant))?
}

/// A launch between marks of the profile.
#[cold]
fn timed(
    task: &Task,
    queue: QueueId,
    function: &Function,
    launch: &Launch,
    variant: Option<String>,
) -> Result<()> {
    let label = Label {
        work: Work::Kernel,
        place: task.place,
        line: 0,
        name: Name(task.place.0.directive),
        variant,
        bytes: 0,
        queue: task.queue.value,
    };
    // SAFETY: as in `put`.
    task.state.profile.timed(&*task.state.device, queue, label, || unsafe {
        task.state.device.launch(queue, function, launch)
    })
}

/// Windows that are written stand for their arrays, so no other argument may lie in these.
fn overlapping(task: &Task) -> ! {
    let message =
        "the kernel keeps windows (fcw) of arrays that it writes, and arrays of this launch overlap";
    let help = "help: give the arrays sections that do not overlap, or use another window type";
    task.fatal(0, message, &[help.to_owned()])
}

/// host_data: the device address that stands for a variable's base. The caller hands it to code
/// the runtime knows nothing of, so everything before it is finished.
pub fn use_device(task: &Task, var: &Var) -> *mut c_void {
    let host = first(var);
    task.state.finish(task.place, task.state.queues.sync());
    let (table, found) = task.find(host, var.bytes);
    match found {
        Found::Inside(start) => {
            if let Some(stored) = table.get(start).and_then(|mapping| mapping.stored) {
                drop(table);
                check::refuse_address(task, var.line, &format!("name={}", crate::data::name(var)), &stored);
            }
            table.get(start).map_or(var.base, |mapping| mapping.translate(var.base as usize) as *mut c_void)
        }
        _ if var.flags & accl_abi::data_flags::IF_PRESENT != 0 => var.base,
        Found::Absent => absent(task, var, &table),
        Found::Partial(start) => partial(task, var, &table, start),
    }
}
