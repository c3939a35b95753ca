//! Pointers in device memory: attaching, detaching (OpenACC 3.3 sections 2.7.11 and 2.7.12), and addresses for `host_data`.

use crate::call::CallContext;
use crate::generation::changed;
use crate::not_present::{absent, partial};
use crate::present::{Attachment, Mapping, Presence};
use crate::storage::column_major;
use crate::variable::{first, name};
use crate::{log, transfer};
use accl_abi::{Var, data_flags};
use std::ffi::c_void;

/// Section 2.7.11: makes a pointer in device memory point to the device copy of its target, as it is stored there:
/// kernels that would load one which leads to an encoded array are refused when they are launched.
pub fn attach(call: &CallContext, var: &Var) {
    let slot = first(var);
    // SAFETY: the address of a pointer variable.
    let target = unsafe { (slot as *const usize).read_unaligned() };
    if target == 0 {
        return;
    }
    column_major::before_attach(call, slot, target);
    let (table, found) = call.find(target, 1);
    let start = match found {
        Presence::Inside(start) => start,
        // A section that begins behind where the pointer points.
        _ if var.flags & data_flags::OPENMP != 0
            && let Some(start) = table.meant_by(target) =>
        {
            start
        }
        _ => return,
    };
    let Some(mapping) = table.get(start) else { return };
    require_own_pointers(call, var, mapping);
    let device_target = mapping.translate(target);
    drop(table);
    let (mut table, found) = call.find(slot, size_of::<usize>());
    let Presence::Inside(start) = found else { return };
    let Some(mapping) = table.get_mut(start) else {
        return;
    };
    require_own_pointers(call, var, mapping);
    let device_slot = mapping.translate(slot);
    let attachment =
        mapping.attached.entry(slot).or_insert(Attachment { count: 0, host_target: 0, device_target: 0 });
    let same = attachment.host_target == target && attachment.device_target == device_target;
    *attachment =
        Attachment { count: if same { attachment.count + 1 } else { 1 }, host_target: target, device_target };
    drop(table);
    // What a kernel would reach through it may be encoded now.
    changed();
    log::allocation(
        "attach",
        call.state,
        call.location,
        var.line,
        name(var),
        size_of::<usize>(),
        device_target,
    );
    if !same {
        transfer::write_pointer(call, device_slot, device_target);
    }
}

/// Where memory is shared, host and device have the same pointers. They cannot lead to memory that the program mapped, or lie
/// in it, for one of the two alone.
pub fn require_own_pointers(call: &CallContext, var: &Var, mapping: &Mapping) {
    if call.state.shared() && mapping.mapped_by_user && !mapping.is_host_memory() {
        let message = format!(
            "the pointers of name={} lead to memory that the program mapped, or lie in it, and the device has the host's pointers, \
             since it shares the host's memory",
            name(var)
        );
        call.fatal(var.line, &message, &["help: set ACCL_CPU_MEMORY=separate".to_owned()]);
    }
}

/// Section 2.7.12: gives a device pointer its host value back.
pub fn detach(call: &CallContext, var: &Var, finalize: bool) {
    let slot = first(var);
    let (mut table, found) = call.find(slot, size_of::<usize>());
    let Presence::Inside(start) = found else { return };
    let Some(mapping) = table.get_mut(start) else {
        return;
    };
    let device_slot = mapping.translate(slot);
    let Some(attachment) = mapping.attached.get_mut(&slot) else {
        return;
    };
    attachment.count = if finalize { 0 } else { attachment.count - 1 };
    if attachment.count > 0 {
        return;
    }
    let host_target = attachment.host_target;
    mapping.attached.remove(&slot);
    drop(table);
    log::allocation(
        "detach",
        call.state,
        call.location,
        var.line,
        name(var),
        size_of::<usize>(),
        host_target as u64,
    );
    transfer::write_pointer(call, device_slot, host_target as u64);
}

/// The device's address of what a pointer leads to, if that is present; else the pointer.
pub fn device_pointer(call: &CallContext, pointer: usize) -> usize {
    let (table, found) = call.find(pointer, 0);
    match found {
        Presence::Inside(start) => table.get(start).map_or(pointer, |mapping| {
            mapping.storage.require_address(call, 0, "a pointer in an object that a kernel gets by value");
            mapping.translate(pointer) as usize
        }),
        Presence::Absent | Presence::Partial(_) => pointer,
    }
}

/// host_data: the device address that stands for a variable's base. The caller hands it to code the runtime knows nothing of,
/// so everything before it is finished.
pub fn use_device(call: &CallContext, var: &Var) -> *mut c_void {
    let host = first(var);
    call.state.finish(call.location, call.state.queues.sync());
    column_major::make_plain_around(call, host, var.bytes);
    let (mut table, found) = call.find(host, var.bytes);
    match found {
        Presence::Inside(start) => {
            let Some(mapping) = table.get_mut(start) else { return var.base };
            mapping.given = true;
            mapping.storage.require_address(call, var.line, &format!("name={}", name(var)));
            mapping.translate(var.base as usize) as *mut c_void
        }
        _ if var.flags & data_flags::OPENMP != 0
            && let Some(mapping) = table.meant_by(host).and_then(|start| table.get(start)) =>
        {
            mapping.translate(var.base as usize) as *mut c_void
        }
        _ if var.flags & data_flags::IF_PRESENT != 0 => var.base,
        Presence::Absent => absent(call, var, &table),
        Presence::Partial(start) => partial(call, var, &table, start),
    }
}
