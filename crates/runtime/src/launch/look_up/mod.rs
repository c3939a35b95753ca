//! The first step of a launch: the launch cache, which keeps the plans of earlier launches for others like them.
//!
//! Programs launch small kernels by the thousand, with the same arrays, trip counts and queue. Preparing the arguments and
//! planning then takes longer than all the rest. So each host thread keeps what it planned, a few launches for each kernel,
//! since arrays that take turns come in several orders. A launch like one of them brings its values and is started.
//!
//! What a plan rests on: the kernel, the queue (and with it the device), trip counts and clauses ([`LaunchKey`]); the
//! variables ([`variable::CachedVariable`]), those of reductions and the halo extents of shared tiles; the present table and what is
//! known of decoded copies, for all of which stands [`generation`].
//!
//! What a launch does beside planning (log, profile, order of queues, results that the host waits for) is done for
//! every launch, when it is started and by who called. A launch after which arrays are encoded is not kept.
//!
//! Invariants: an entry has the generation from before it was planned, so what changed anything itself (made a copy,
//! made one stale, counted towards one) is planned again; entries that have moved are as if planned where they are now.

#[cfg(test)]
mod tests;
mod variable;

use super::plan::LaunchPlan;
use super::prepare::{LaunchArguments, Prepared};
use crate::call::CallContext;
use crate::device::Argument;
use crate::dynamic_tiles::halo_extents;
use crate::generation::generation;
use crate::queues::Queue;
use accl_abi::{Arg, Kernel, LaunchInfo, arg_kind, slice};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ffi::c_void;
use variable::{CachedVariables, cached_variables};

/// Kernels with entries of their own; others share them.
const KERNELS: usize = 64;
/// How many launches of one kernel are kept.
const WAYS: usize = 4;
/// Where launches that are not found outnumber four times those that are by so many, only one of as many is kept.
const IN_VAIN: u32 = 16;

thread_local! {
    static CACHE: RefCell<LaunchCache> = const { RefCell::new(LaunchCache { kernels: Vec::new() }) };
}

/// Hands what a launch like this one gave its kernel, and its plan, to `found`; `None` where there is none like it. The caller lets no other thread
/// change the forms of encoded arrays meanwhile.
///
/// # Safety
/// `info` and all it points to are as `accl_abi.h` says.
#[inline]
pub(super) unsafe fn look_up<R>(
    call: &CallContext,
    info: &LaunchInfo,
    found: impl FnOnce(&LaunchArguments, &LaunchPlan) -> R,
) -> Option<R> {
    let look_up = |cache: &RefCell<LaunchCache>| {
        let mut cache = cache.try_borrow_mut().ok()?;
        // SAFETY: the caller's promise.
        let entry = unsafe { cache.find(call, info, generation())? };
        Some(found(&entry.given, &entry.plan))
    };
    // A thread that is ending keeps none.
    CACHE.try_with(look_up).ok().flatten()
}

/// Keeps a plan, with what it was made for. The tables had the generation `since` before it was made.
///
/// # Safety
/// As for [`look_up`].
pub(super) unsafe fn keep(
    call: &CallContext,
    info: &LaunchInfo,
    since: u64,
    prepared: &Prepared,
    plan: &LaunchPlan,
) {
    if since != generation() {
        return;
    }
    _ = CACHE.try_with(|cache| {
        if let Ok(mut cache) = cache.try_borrow_mut() {
            // SAFETY: the caller's promise.
            unsafe { cache.keep(call, info, since, prepared, plan) };
        }
    });
}

/// What has to be the same for a launch to be like another: generation, kernel, queue, trip counts, clauses. They are words, so
/// that all are compared at once.
#[derive(Clone, Copy)]
struct LaunchKey([u64; 10]);

impl LaunchKey {
    fn new(call: &CallContext, info: &LaunchInfo, generation: u64) -> LaunchKey {
        let (kernel, queue) = (info.kernel as u64, std::ptr::from_ref::<Queue>(call.queue) as u64);
        let [x, y, z] = info.trips.map(|trips| trips as u64);
        let clauses = [info.num_gangs, info.num_workers, info.vector_length, info.row_length];
        let [gangs, workers, lanes, row] = clauses.map(|clause| clause as u64);
        LaunchKey([generation, kernel, queue, x, y, z, gangs, workers, lanes, row])
    }

    #[inline]
    fn is(&self, other: &LaunchKey) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

struct LaunchCache {
    /// None before the first launch.
    kernels: Vec<KernelEntries>,
}

/// The launches of a kernel, or of several that share this.
#[derive(Default)]
struct KernelEntries {
    list: Vec<Entry>,
    /// The position of the entry that is replaced next.
    next: usize,
    /// How many launches were not found.
    missed: u32,
    /// How many were not found lately, less four for each that was found; at most 4 * `IN_VAIN`.
    in_vain: u32,
}

impl LaunchCache {
    fn entries(&mut self, kernel: *const Kernel) -> &mut KernelEntries {
        if self.kernels.is_empty() {
            self.kernels.resize_with(KERNELS, KernelEntries::default);
        }
        let address = kernel as usize;
        &mut self.kernels[(address / align_of::<Kernel>() + address / 4096) % KERNELS]
    }

    /// # Safety
    /// As for [`look_up`].
    unsafe fn find(&mut self, call: &CallContext, info: &LaunchInfo, generation: u64) -> Option<&Entry> {
        let key = LaunchKey::new(call, info, generation);
        let entries = self.entries(info.kernel);
        // SAFETY: the caller's promise; the kernel is the same.
        let fits = |entry: &mut Entry| entry.key.is(&key) && unsafe { entry.fits(info) };
        let found = entries.list.iter_mut().position(fits)?;
        entries.in_vain = entries.in_vain.saturating_sub(4);
        Some(&entries.list[found])
    }

    /// # Safety
    /// As for [`look_up`].
    unsafe fn keep(
        &mut self,
        call: &CallContext,
        info: &LaunchInfo,
        generation: u64,
        prepared: &Prepared,
        plan: &LaunchPlan,
    ) {
        let entries = self.entries(info.kernel);
        if entries.is_due() {
            // SAFETY: the caller's promise.
            entries.put(unsafe { Entry::new(call, info, generation, prepared, plan) });
        }
    }
}

impl KernelEntries {
    /// True where a launch is to be kept: kernels that never repeat one shall not pay for it each time.
    fn is_due(&mut self) -> bool {
        self.missed = self.missed.wrapping_add(1);
        self.in_vain = (self.in_vain + 1).min(4 * IN_VAIN);
        self.in_vain <= IN_VAIN || self.missed.is_multiple_of(IN_VAIN)
    }

    fn put(&mut self, entry: Entry) {
        if self.list.len() < WAYS {
            self.list.push(entry);
        } else {
            self.list[self.next] = entry;
            self.next = (self.next + 1) % WAYS;
        }
    }
}

/// A plan, with what it rests on.
struct Entry {
    key: LaunchKey,
    variables: CachedVariables,
    reductions: SmallVec<[*mut c_void; 2]>,
    halo_extents: Vec<i64>,
    given: LaunchArguments,
    plan: LaunchPlan,
}

impl Entry {
    /// # Safety
    /// As for [`look_up`].
    unsafe fn new(
        call: &CallContext,
        info: &LaunchInfo,
        generation: u64,
        prepared: &Prepared,
        plan: &LaunchPlan,
    ) -> Entry {
        // SAFETY: constant tables, and the launch's lists are as long.
        unsafe {
            let kernel = &*info.kernel;
            Entry {
                key: LaunchKey::new(call, info, generation),
                variables: cached_variables(call, info, slice(kernel.args, kernel.n_args), &prepared.ranges),
                reductions: slice(info.reduction_vars, kernel.n_reductions).into(),
                halo_extents: halo_extents(kernel, info).collect(),
                given: prepared.given.clone(),
                plan: *plan,
            }
        }
    }

    /// True where the launch, of the same kernel, would be planned like this one, which has then moved with its sections.
    ///
    /// # Safety
    /// As for [`look_up`].
    unsafe fn fits(&mut self, info: &LaunchInfo) -> bool {
        // SAFETY: a constant table.
        let kernel = unsafe { &*info.kernel };
        for variable in &mut self.variables {
            // SAFETY: the kernel's variables are as many for every launch.
            let var = unsafe { &*info.vars.add(variable.index as usize) };
            let Some(by) = variable.follow(var) else { return false };
            if by != 0 {
                // SAFETY: a constant table.
                let table = unsafe { slice(kernel.args, kernel.n_args) };
                shift(&mut self.given.arguments, table, variable.index, by);
            }
        }
        // SAFETY: as in `new`.
        unsafe {
            *self.reductions == *slice(info.reduction_vars, kernel.n_reductions)
                && (self.halo_extents.is_empty()
                    || halo_extents(kernel, info).eq(self.halo_extents.iter().copied()))
        }
    }
}

/// Moves the arguments that are a variable's address.
fn shift(arguments: &mut [Argument], table: &[Arg], index: u32, by: usize) {
    for (argument, arg) in arguments.iter_mut().zip(table) {
        if let (Argument::Data { base, .. }, arg_kind::DATA) = (argument, arg.kind)
            && arg.index == index
        {
            *base = base.wrapping_add(by as u64);
        }
    }
}
