//! Indirect pointers: those that a kernel loads from device memory by itself. None may lead to an encoded array.
//!
//! An attached pointer is the address of its array as it is stored, and tells no format and no parameters of a codec. The
//! compiler says where in its arguments a kernel loads pointers (`accl_indirect_pointer`); here these are looked up among those that
//! are attached, and where they lead to in the present table.
//!
//! A launch that repeats an earlier one is not looked at again: attaching counts as a change of the present table, as a
//! mapping that comes or goes does.
//!
//! Invariant: programs without encoded arrays, and kernels that load no pointers, pay a comparison.

use crate::call::CallContext;
use crate::present::{Mapping, Presence, PresentTable};
use crate::storage::{any_not_plain, refuse_indirect};
use crate::variable::first;
use accl_abi::{IndirectPointer, Kernel, LaunchInfo, Var, data_kind, slice};
use std::collections::BTreeSet;

/// Refuses the launch where a pointer that the kernel loads leads to an encoded array.
///
/// # Safety
/// As for [`launch`](crate::launch::launch).
pub unsafe fn check(call: &CallContext, info: &LaunchInfo, kernel: &Kernel) {
    if kernel.n_indirect_pointers == 0 {
        return;
    }
    if !call.state.shared()
        && let Err(error) = call.state.device.prepare_for_pointers()
    {
        call.state.fail(call.location, None, "a kernel that follows pointers in memory", &error);
    }
    if !any_not_plain() {
        return;
    }
    // SAFETY: a constant table.
    let list = unsafe { slice(kernel.indirect_pointers, kernel.n_indirect_pointers) };
    let table = call.state.table();
    for indirect in list {
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(indirect.index as usize) };
        if let Some(mapping) = encoded(&table, var, indirect) {
            refuse_indirect(call, var, mapping);
        }
    }
}

/// An encoded array that the pointers lead to.
fn encoded<'t>(table: &'t PresentTable, var: &Var, indirect: &IndirectPointer) -> Option<&'t Mapping> {
    let (holder, base) = holder(table, var)?;
    let is_loaded = |slot: usize| {
        let distance = slot.wrapping_sub(base) as i64;
        let within = distance.checked_rem_euclid(indirect.stride as i64);
        within.is_none_or(|w| (indirect.offset..indirect.offset + indirect.bytes).contains(&(w as u64)))
    };
    let mut seen = BTreeSet::from([holder.host]);
    let mut targets: Vec<usize> =
        holder.attached.iter().filter(|(slot, _)| is_loaded(**slot)).map(|(_, a)| a.host_target).collect();
    while let Some(target) = targets.pop() {
        let Some(mapping) = around(table, target) else { continue };
        if mapping.storage.encoded().is_some() {
            return Some(mapping);
        }
        if indirect.further != 0 && seen.insert(mapping.host) {
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
        Presence::Inside(start) => table.get(start),
        Presence::Absent | Presence::Partial(_) => None,
    }
}
