//! The second step of a launch: what the kernel is given.
//!
//! Arrays are looked up in the present table, which makes arguments of them. What is wrong with them for this kernel, such as
//! arrays that overlap or pointers that lead where it cannot follow, ends the program here.

mod arguments;
mod indirect;

use super::{USUAL_ARGUMENTS, USUAL_REDUCTIONS};
use crate::call::CallContext;
use crate::device::{Argument, ReductionTarget};
use crate::reduction;
use crate::residency;
use crate::storage::arguments::ArgumentRange;
use crate::storage::{Exclusive, any_not_plain, column_major};
use accl_abi::{Kernel, LaunchInfo, Var, arg_flags, arg_kind, kernel_flags, slice};
use smallvec::SmallVec;

/// What a launch gives its kernel.
#[derive(Clone, Default)]
pub struct LaunchArguments {
    pub arguments: SmallVec<[Argument; USUAL_ARGUMENTS]>,
    /// Where the results of reductions go.
    pub targets: SmallVec<[ReductionTarget; USUAL_REDUCTIONS]>,
}

/// What a launch gives its kernel, with what planning has to know of it.
#[derive(Default)]
pub struct Prepared {
    pub given: LaunchArguments,
    /// The extent on the device of each argument.
    pub ranges: SmallVec<[ArgumentRange; USUAL_ARGUMENTS]>,
    /// Some arguments are encoded arrays.
    pub any_encoded: bool,
}

/// Finds arguments, reductions and, for arrays, their extents on the device; `prepared` is empty before. In which form an encoded
/// array is handed to the kernel is planned later. False: arrays overlap, and the kernel's fallback is to be launched.
///
/// # Safety
/// As for [`launch`](super::launch).
pub(super) unsafe fn prepare(
    call: &CallContext,
    exclusive: &Exclusive,
    info: &LaunchInfo,
    prepared: &mut Prepared,
) -> bool {
    // SAFETY: constant tables of the program.
    let kernel: &'static Kernel = unsafe { &*info.kernel };
    // SAFETY: the caller's promise.
    unsafe {
        if any_not_plain() {
            column_major::before_launch(call, exclusive, info, kernel);
        }
        arguments::resolve(call, info, kernel, prepared);
        indirect::check(call, info, kernel);
    }
    // SAFETY: the caller's promise.
    let rows =
        kernel.flags & kernel_flags::DISTINCT_ROWS == 0 || unsafe { distinct_rows(info, kernel, prepared) };
    if !may_run(call, kernel, rows, &prepared.ranges) {
        return false;
    }
    // SAFETY: a constant table.
    let reductions = unsafe { slice(kernel.reductions, kernel.n_reductions) };
    prepared.given.targets.extend(reductions.iter().enumerate().map(|(r, reduction)| {
        // SAFETY: one address for each reduction.
        let variable = unsafe { *info.reduction_vars.add(r) };
        arguments::target(call, variable, reduction::size(*reduction))
    }));
    true
}

/// The same for the cpu, which stands in for the device with the host's memory: `vars` is what the launch's variables are for
/// it, device addresses. What is refused on the device is refused here, too.
///
/// # Safety
/// As for [`launch`](super::launch); `vars` has as many variables as the kernel's table names.
pub(super) unsafe fn prepare_for_host(
    call: &CallContext,
    on_host: &CallContext,
    info: &LaunchInfo,
    vars: &mut [Var],
    prepared: &mut Prepared,
) -> bool {
    // SAFETY: constant tables of the program.
    let kernel: &'static Kernel = unsafe { &*info.kernel };
    let mut on_device = Prepared::default();
    // SAFETY: the caller's promise.
    unsafe {
        arguments::resolve(call, info, kernel, &mut on_device);
        arguments::resolve(on_host, &LaunchInfo { vars: vars.as_mut_ptr(), ..*info }, kernel, prepared);
    }
    prepared.ranges = on_device.ranges;
    if !may_run(call, kernel, kernel.flags & kernel_flags::DISTINCT_ROWS == 0, &prepared.ranges) {
        return false;
    }
    // SAFETY: one address for each reduction.
    let target = |r: usize| ReductionTarget::Host(unsafe { *info.reduction_vars.add(r) });
    prepared.given.targets.extend((0..kernel.n_reductions as usize).map(target));
    true
}

/// The rows that the kernel's indirect pointers lead to overlap neither each other nor another argument. The arrays of these pointers
/// are the runtime's own copies, in which nothing else can lie.
///
/// # Safety
/// As for [`launch`](super::launch).
unsafe fn distinct_rows(info: &LaunchInfo, kernel: &Kernel, prepared: &mut Prepared) -> bool {
    // SAFETY: constant tables, whose indices are within the launch's variables.
    let (list, table, vars) = unsafe {
        let var = |index: u32| &*info.vars.add(index as usize);
        (slice(kernel.indirect_pointers, kernel.n_indirect_pointers), slice(kernel.args, kernel.n_args), var)
    };
    if !list.iter().all(|pointer| residency::is_translated(vars(pointer.index))) {
        return false;
    }
    for (range, arg) in prepared.ranges.iter_mut().zip(table) {
        let holds_pointers = || list.iter().any(|pointer| pointer.index == arg.index);
        if arg.kind == arg_kind::DATA && holds_pointers() {
            range.flags = 0;
        }
    }
    residency::rows_are_distinct(kernel.flags & kernel_flags::DISTINCT_IN_ELEMENTS != 0)
}

/// No written array overlaps another argument. An unknown extent may overlap anything.
pub(super) fn no_alias(ranges: &[ArgumentRange]) -> bool {
    ranges.iter().enumerate().filter(|(_, range)| range.flags & arg_flags::WRITTEN != 0).all(
        |(i, written)| {
            ranges.iter().enumerate().filter(|(j, other)| *j != i && other.flags != 0).all(|(_, other)| {
                written.known && other.known && (written.end <= other.begin || other.end <= written.begin)
            })
        },
    )
}

/// The launch's arrays are as far apart as the kernel wants them. False: its fallback is to be launched. `rows`: those are that its
/// indirect pointers lead to.
#[inline]
fn may_run(call: &CallContext, kernel: &Kernel, rows: bool, ranges: &[ArgumentRange]) -> bool {
    if kernel.flags & kernel_flags::DISTINCT == 0 || rows && no_alias(ranges) {
        return true;
    }
    if kernel.flags & kernel_flags::HAS_FALLBACK == 0 {
        refuse_overlap(call);
    }
    false
}

/// Windows that are written stand for their arrays, so no other argument may lie in these.
fn refuse_overlap(call: &CallContext) -> ! {
    let message =
        "the kernel keeps windows (fcw) of arrays that it writes, and arrays of this launch overlap";
    let help = "help: give the arrays sections that do not overlap, or use another window type";
    call.fatal(0, message, &[help.to_owned()])
}
