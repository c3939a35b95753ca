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
mod functions;
mod shape;

pub use arguments::Range;
pub use functions::{Functions, Loaded, try_load};

use crate::areas::Areas;
use crate::compress::block::plain;
use crate::compress::copies::{self, Decoded};
use crate::compress::{advice, check, settle};
use crate::config::config;
use crate::data::{Task, absent, first, partial};
use crate::device::{Argument, Function, Kind, Launch, Target};
use crate::log;
use crate::present::Found;
use crate::profile::{Label, Work, wanted};
use crate::reduction;
use crate::site::{Name, Place};
use accl_abi::{Kernel, LaunchInfo, Module, Var, kernel_flags, needs, slice};
use arguments::{resolve, target};
use choose::{Form, choose, last, no_alias};
use functions::load;
use shape::{block, grid};
use smallvec::SmallVec;
use std::ffi::c_void;

/// Arguments that fit on the stack, and reductions.
const USUAL: usize = 24;
const USUAL_REDUCTIONS: usize = 4;

/// Starts a kernel; waits for it only where a reduction's result has to be on the host.
///
/// # Safety
/// `info` and all it points to are as `accl_abi.h` says.
pub unsafe fn launch(info: &LaunchInfo) {
    // SAFETY: constant tables of the program.
    let (kernel, module): (&'static Kernel, &'static Module) = unsafe { (&*info.kernel, &*info.module) };
    if info.trips.iter().take(kernel.n_dims as usize).any(|trips| *trips <= 0) {
        return;
    }
    // SAFETY: as above.
    let place = unsafe { Place::new(kernel.site) };
    let task = Task::new(place, info.async_);
    // SAFETY: as above.
    let reductions = unsafe { slice(kernel.reductions, kernel.n_reductions) };

    let mut arguments: SmallVec<[Argument; USUAL]> = SmallVec::new();
    // SAFETY: a constant table.
    let variants = unsafe { slice(kernel.variants, kernel.n_variants) };
    // SAFETY: the caller's promise.
    let areas = unsafe { Areas::of(&task, kernel, info) };
    let skipped = areas.as_ref().map_or(0, |areas| areas.without_room(kernel, variants));
    let variants = &variants[skipped..];
    let mut ranges: SmallVec<[Range; USUAL]> = SmallVec::new();
    let mut keys: SmallVec<[[u8; 8]; USUAL]> = SmallVec::new();
    // SAFETY: the caller's promise.
    unsafe { resolve(&task, info, kernel, &mut arguments, &mut ranges, &mut keys) };

    if kernel.flags & kernel_flags::DISTINCT != 0 && !no_alias(&ranges) {
        overlapping(&task);
    }

    let targets = reductions.iter().enumerate().map(|(r, reduction)| {
        // SAFETY: one address for each reduction.
        let variable = unsafe { *info.reduction_vars.add(r) };
        target(&task, variable, reduction::size(*reduction))
    });
    let targets: SmallVec<[Target; USUAL_REDUCTIONS]> = targets.collect();
    let awaited = targets.iter().any(|target| matches!(target, Target::Host(_)));

    let half_full = config().resident_threads.unwrap_or(task.state.device.limits().resident_threads) / 2;
    // SAFETY: a constant table.
    let table = unsafe { slice(kernel.args, kernel.n_args) };
    let trips = &info.trips[..kernel.n_dims as usize];
    let shape = (trips, info.num_gangs, half_full);
    let writes_groups = variants.iter().any(|v| v.needs & needs::WHOLE != 0)
        && task.state.device.info().kind != Kind::Cpu
        && choose(variants, &ranges, shape, Form::Whole).is_some();
    let first_decoded = variants.iter().position(|v| v.needs & needs::DECODED != 0);
    let versions = first_decoded.filter(|at| {
        // What comes before decodes each element once.
        let before = &variants[..*at];
        !writes_groups && (before.is_empty() || choose(before, &ranges, shape, Form::Plain).is_none())
    });
    let versions = versions.map(|at| Decoded { reused: variants[at].needs & needs::REUSED != 0 });
    let alone = settle::alone(&task);
    let decoded = copies::provide(&task, &alone, info, table, versions, &mut arguments, &mut ranges);
    let behind = match writes_groups {
        true => plain::wait(&task, info, table),
        false => plain::hand(&task, info, table, &mut arguments, &mut ranges),
    };
    let form = match (writes_groups, decoded) {
        (true, _) => Form::Whole,
        (_, true) => Form::Decoded,
        (false, false) => Form::Plain,
    };
    advice::on_launch(&task, info, table, &ranges, decoded);
    let (chosen, variant) = choose(variants, &ranges, shape, form).unwrap_or_else(|| last(variants));
    let chosen = chosen + skipped as u32;
    let loaded = load(&task, module, kernel, chosen, variant);
    let sized = areas.map(|areas| areas.sized(&task, kernel, chosen, variant));
    let variant = sized.as_ref().unwrap_or(variant);
    let block = block(&task, kernel, variant, info, &loaded.function);
    let grid = grid(&task, kernel, variant, info, block, loaded);
    let launch = Launch {
        module,
        kernel,
        arguments: &arguments,
        targets: &targets,
        trips: info.trips,
        gangs: info.num_gangs,
        grid,
        block,
        shared_bytes: variant.shared_bytes,
    };
    start(&task, &loaded.function, &launch);
    plain::encode(&task, behind);
    drop(alone);
    if (awaited && task.queue.is_sync()) || config().blocking {
        task.state.finish(place, task.queue);
    }
}

fn start(task: &Task, function: &Function, launch: &Launch) {
    let state = task.state;
    log::launch(state, task.place, task.queue, launch);
    task.queue.launched(task.place);
    task.put("a launch", |queue| {
        if wanted() {
            let label = Label {
                work: Work::Kernel,
                place: task.place,
                line: 0,
                name: Name(task.place.0.directive),
                bytes: 0,
                queue: task.queue.value,
            };
            // SAFETY: addresses were looked up or are the user's; the rest is the compiler's table.
            return state.profile.timed(&*state.device, queue, label, || unsafe {
                state.device.launch(queue, function, launch)
            });
        }
        // SAFETY: as above.
        unsafe { state.device.launch(queue, function, launch) }
    });
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
