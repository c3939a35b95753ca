//! Pointers in device memory that a kernel follows by itself: none may lead to a compressed array.
//!
//! An attached pointer is the address of its array as it is held, and tells no format and no keys. The compiler says
//! where in its arguments a kernel loads pointers; here these are looked up among those that are attached, and where
//! they lead to in the present table.
//!
//! A launch that repeats an earlier one is not looked at again: attaching counts as a change of the present table, as a
//! mapping that comes or goes does.
//!
//! Invariant: programs without compressed arrays, and kernels that follow no pointers, pay a comparison.

use crate::compress::check::{self, PRESENT};
use crate::data::{Task, first};
use crate::present::{Found, Mapping, PresentTable};
use accl_abi::{IndirectPointer, Kernel, LaunchInfo, Var, data_kind, slice};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Refuses the launch where a pointer that the kernel follows leads to a compressed array.
///
/// # Safety
/// As for [`launch`](super::launch).
pub(super) unsafe fn check(task: &Task, info: &LaunchInfo, kernel: &Kernel) {
    if kernel.n_indirect_pointers == 0 {
        return;
    }
    if !task.state.shared()
        && let Err(error) = task.state.device.prepare_for_pointers()
    {
        task.state.fail(task.place, None, "a kernel that follows pointers in memory", &error);
    }
    if PRESENT.load(Ordering::Relaxed) == 0 {
        return;
    }
    // SAFETY: a constant table.
    let list = unsafe { slice(kernel.indirect_pointers, kernel.n_indirect_pointers) };
    let table = task.state.table();
    for followed in list {
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(followed.index as usize) };
        let reached = compressed(&table, var, followed).cloned();
        if let Some(mapping) = reached {
            drop(table);
            check::refuse_followed(task, var, &mapping);
        }
    }
}

/// A compressed array that the pointers lead to.
fn compressed<'t>(table: &'t PresentTable, var: &Var, followed: &IndirectPointer) -> Option<&'t Mapping> {
    let (holder, base) = holder(table, var)?;
    let is_loaded = |slot: usize| {
        let distance = slot.wrapping_sub(base) as i64;
        let place = distance.checked_rem_euclid(followed.stride as i64);
        place.is_none_or(|p| (followed.offset..followed.offset + followed.bytes).contains(&(p as u64)))
    };
    let mut seen = BTreeSet::from([holder.host]);
    let mut targets: Vec<usize> =
        holder.attached.iter().filter(|(slot, _)| is_loaded(**slot)).map(|(_, a)| a.host_target).collect();
    while let Some(target) = targets.pop() {
        let Some(mapping) = around(table, target) else { continue };
        if mapping.stored.is_some() {
            return Some(mapping);
        }
        if followed.further != 0 && seen.insert(mapping.host) {
            targets.extend(mapping.attached.values().map(|a| a.host_target));
        }
    }
    None
}

/// The mapping that a variable's pointers lie in, and the host address of its base.
fn holder<'t>(table: &'t PresentTable, var: &Var) -> Option<(&'t Mapping, usize)> {
    if var.kind == data_kind::DEVICEPTR {
        return table.by_device(var.base as u64);
    }
    Some((around(table, first(var))?, var.base as usize))
}

fn around(table: &PresentTable, host: usize) -> Option<&Mapping> {
    match table.find(host, 0) {
        Found::Inside(start) => table.get(start),
        Found::Absent | Found::Partial(_) => None,
    }
}
