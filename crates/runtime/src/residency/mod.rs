//! Run-time residency: constructs without data clauses move what is stale, and nothing else (`-gpu=autodata`).
//!
//! An item with the flag `ACCL_RESIDENT` stands for the whole *object* that its pointer points into: an allocation, or an array
//! with static storage ([`objects`]). The first construct that uses an object gives it a [`device_copy`], which stays until the
//! object is freed or the device's memory is short. For each page of the object the runtime knows which side is current, the
//! host, the device or both, and the page's protection says the same to the processor ([`pages`]): the device alone, no
//! access; both, reading only; the host alone, any access. So the program's own accesses tell what they need, whatever code
//! they stand in ([`signal`]): reading brings the device's contents, and what is likely to be read next ([`read_ahead`]); writing makes the
//! device's stale. GMAC (Gelado et al.,
//! ASPLOS 2010) and software distributed shared memory work so.
//!
//! A launch finds what is stale on the device by the same states, and afterwards what the kernel may have written is current
//! on the device alone. A launch that finds everything current neither transfers nor changes protections, and takes no lock
//! ([`recent`]).
//!
//! Data clauses come first: what is present by one is found in the present table, as ever, and a resident object is nothing to
//! it but host memory ([`touch`]).
//!
//! Small objects share pages with others, so each construct compares them with what it sent before ([`small_copies`]); what is on the
//! stack is copied where the compiler knows the section. Arrays of pointers are followed ([`followed`]), again only where something
//! has changed ([`remembered`]). On devices that share the host's memory there is nothing to do.
//!
//! What would not notice a page's protection is told: calls of the system that take a buffer (`system_calls`), transfers
//! of the runtime's own, and a child made by `fork`, which finds everything on the host.
//!
//! Invariants: nobody touches tracked memory with a lock held that bringing it would take; who holds an object's lock makes
//! its pages accessible before touching them; the protection of a page agrees with its state whenever the lock is free.

mod allocations;
mod aside;
mod device_copy;
mod faults;
mod followed;
mod objects;
mod pages;
mod read_ahead;
mod recent;
mod remembered;
mod row_stretches;
mod signal;
mod small_allocations;
mod small_copies;
mod symbols;
mod system_calls;
mod tables;
mod translated;
mod untouched;

use crate::call::CallContext;
use crate::data::has_device_addresses;
use crate::error::{codes, fatal_coded};
use crate::generation::generation;
use crate::on_host;
use crate::present::Presence;
use crate::rows;
use crate::state::DeviceState;
use crate::variable::{directive_line, first, name};
use accl_abi::{Var, data_flags, data_kind, text};
pub use objects::object_around;
use objects::{HostObject, ObjectAt};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

pub use device_copy::make_room;
use device_copy::release_all;
pub use followed::{are_known as rows_are_known, rows_are_distinct, was_found as is_translated};
pub use read_ahead::end as end_reading_ahead;
pub use system_calls::touch;

fn is_resident(var: &Var) -> bool {
    var.flags & data_flags::RESIDENT != 0
}

/// Brings the objects of resident items up to date on the device, and puts the addresses there in the place of the host's. False
/// where other items, or resident ones that are handled as data clauses are, are left to `data::enter`.
pub fn enter(call: &CallContext, vars: &mut [Var]) -> bool {
    if !vars.iter().any(is_resident) {
        return false;
    }
    if followed::enter(call, vars) || !recent::enter(call, vars) {
        let found = (recent::epoch(), generation());
        for var in vars.iter_mut().filter(|var| is_resident(var) && !followed::was_found(var)) {
            enter_one(call, var, found);
        }
    }
    vars.iter().all(is_on_device)
}

/// After the kernels of a construct were launched: what they may have written is current on the device alone. False where
/// items are left to `data::exit`.
pub fn exit(call: &CallContext, vars: &[Var]) -> bool {
    let mut all = true;
    followed::exit(call, vars);
    // What shares pages with something else is brought home at once, and the host waits once for all of it.
    let mut arriving: SmallVec<[&Var; 4]> = SmallVec::new();
    let ends = RefCell::new(SmallVec::<[Range<usize>; 4]>::new());
    for var in vars.iter().filter(|var| !followed::was_found(var)) {
        match is_on_device(var) {
            true if small_copies::was_found(var) => {
                if small_copies::exit(call, var) {
                    arriving.push(var);
                }
            }
            true => recent::exit(var, |object, section| {
                if device_copy::written(call, object, &section) {
                    ends.borrow_mut().push(section);
                }
            }),
            false => all = false,
        }
    }
    let ends = ends.into_inner();
    if !arriving.is_empty() || !ends.is_empty() {
        call.state.finish(call.location, call.queue);
        arriving.iter().for_each(|var| small_copies::arrived(call, var));
        for section in &ends {
            objects::tracked_at(section.start)
                .iter()
                .for_each(|object| device_copy::ends_arrived(object, section));
        }
    }
    all
}

/// `enter` has put the device's address into it.
fn is_on_device(var: &Var) -> bool {
    is_resident(var) && var.kind == data_kind::DEVICEPTR && var.reserved != 0
}

/// True where no section is known.
fn is_bare(var: &Var) -> bool {
    // SAFETY: names are constants of the program.
    var.bytes == 0 && !unsafe { text(var.name) }.contains('[')
}

fn enter_one(call: &CallContext, var: &mut Var, found: (u64, u64)) {
    var.reserved = 0;
    if call.state.uses_host_memory() || var.base.is_null() {
        var.kind = data_kind::DEVICEPTR;
        return;
    }
    if call.state.shared() {
        // Some of the program's arrays may be in memory that it mapped itself.
        (var.kind, var.flags) = (data_kind::NO_CREATE, var.flags | data_flags::KEEPS_ADDRESS);
        return;
    }
    if var.bytes == 0 && !is_bare(var) {
        // No element is used.
        var.kind = data_kind::NO_CREATE;
        return;
    }
    match single(call, objects::find(first(var), static_extent(var)), || objects::find(first(var), None)) {
        ObjectAt::Tracked(object) => match is_free_of_clauses(call, &object) {
            true => use_object(call, &object, var, found),
            false => use_present(call, var),
        },
        ObjectAt::Small(extent) => match call.find(extent.start, extent.len()).1 {
            Presence::Absent if small_copies::enter(call, var, &extent) => {}
            Presence::Absent => widen(var, extent),
            _ => use_present(call, var),
        },
        ObjectAt::Nothing => match static_extent(var) {
            Some(extent)
                if call.find(extent.start, extent.len().max(1)).1 == Presence::Absent
                    && small_copies::enter(call, var, &extent) => {}
            _ => use_unknown(call, var),
        },
    }
}

/// The extent of a variable that is itself an array with static storage.
fn static_extent(var: &Var) -> Option<Range<usize>> {
    (var.flags & data_flags::OBJECT != 0).then(|| var.base as usize..var.base as usize + var.bytes)
}

/// A stretch of which a data clause has put some rows on the device is none any more: each row is then looked at for itself.
fn single(call: &CallContext, found: ObjectAt, again: impl Fn() -> ObjectAt) -> ObjectAt {
    match found {
        ObjectAt::Tracked(object) if object.is_stretch() && !is_free_of_clauses(call, &object) => {
            objects::dissolve(object.start..object.end());
            again()
        }
        other => other,
    }
}

fn is_free_of_clauses(call: &CallContext, object: &HostObject) -> bool {
    call.find(object.start, object.bytes).1 == Presence::Absent
}

/// A data clause has put some of the object on the device: it decides.
fn use_present(call: &CallContext, var: &mut Var) {
    var.flags &= !data_flags::RESIDENT;
    if var.bytes == 0 {
        let keeps = var.flags & data_flags::KEEPS_ADDRESS != 0;
        var.kind = if keeps { data_kind::NO_CREATE } else { data_kind::PRESENT };
    } else if let (_, Presence::Partial(_)) = call.find(first(var), var.bytes) {
        // The section is what the subscripts reach at most; the clause's may be what they do reach.
        (var.kind, var.offset, var.bytes) = (data_kind::PRESENT, 0, 0);
    }
}

/// What lies in no known object: on the stack, or in memory that some library allocated.
fn use_unknown(call: &CallContext, var: &mut Var) {
    let is_present = call.find(first(var), var.bytes.max(1)).1 != Presence::Absent;
    var.flags &= !data_flags::RESIDENT;
    if !is_present && var.bytes != 0 && on_host::is_on_stack(first(var), var.bytes) {
        // That is no address of a device's.
        var.flags &= !data_flags::KEEPS_ADDRESS;
    } else if var.flags & data_flags::KEEPS_ADDRESS != 0 {
        (var.kind, var.offset, var.bytes) = (data_kind::NO_CREATE, 0, 0);
    } else if is_present && var.bytes == 0 {
        var.kind = data_kind::PRESENT;
    } else if var.bytes == 0 {
        refuse(call, var);
    }
}

fn refuse(call: &CallContext, var: &Var) -> ! {
    let name = name(var);
    let message = format!(
        "{name} points into no object that the runtime knows: name={name} host={:#x} on device {}",
        first(var),
        call.state.device.info().number
    );
    let notes = [
        "known are allocations of malloc and its like and of new in code linked by accl -gpu=autodata, and arrays with static storage of \
         files compiled so"
            .to_owned(),
        format!("help: say how much is used in a data clause: copy({name}[0:n])"),
    ];
    fatal_coded(codes::NOT_PRESENT, call.location, directive_line(var), &message, &notes)
}

/// The item becomes a `copy` of the whole object.
fn widen(var: &mut Var, extent: Range<usize>) {
    let covers = first(var) <= extent.start && first(var) + var.bytes >= extent.end;
    if var.kind == data_kind::COPYOUT && !covers {
        var.kind = data_kind::COPY;
    }
    var.flags &= !(data_flags::RESIDENT | data_flags::KEEPS_ADDRESS);
    var.offset = extent.start.wrapping_sub(var.base as usize);
    var.bytes = extent.len();
}

fn use_object(call: &CallContext, object: &Arc<HostObject>, var: &mut Var, found: (u64, u64)) {
    let follows = var.flags & data_flags::INDIRECT != 0;
    if follows && !has_device_addresses(call, var, &call.state.table()) {
        rows::refuse_host_pointers(call, var);
    }
    let section = match var.bytes {
        0 => object.start..object.end(),
        bytes => object.part(first(var), bytes),
    };
    let device = device_copy::bring(call, object, var, section);
    recent::keep(call, var, object, device, found);
}

/// Whether constructs can use what a pointer leads to: an object that is known, or memory that the device shares.
pub fn is_known(call: &CallContext, host: usize) -> bool {
    let shares = host == 0 || call.state.shared() || call.state.uses_host_memory();
    shares
        || !matches!(objects::find(host, None), ObjectAt::Nothing)
        || call.find(host, 1).1 != Presence::Absent
}

/// Whether an object has no pages of its own, so that each construct that writes it brings it home; see `accl_is_small`.
pub fn is_small(call: &CallContext, host: usize, bytes: usize, rows: bool) -> bool {
    if call.state.shared() || call.state.uses_host_memory() {
        return false;
    }
    let extent = match (bytes, host) {
        (0, 0) => return true,
        (0, host) => match objects::find(host, None) {
            ObjectAt::Small(extent) => extent,
            _ => return false,
        },
        (bytes, host) => host..host + bytes,
    };
    if extent.len() >= objects::TRACKED || call.find(extent.start, extent.len()).1 != Presence::Absent {
        return false;
    }
    // SAFETY: an object of rows that is long enough begins with a pointer.
    let first_row = || unsafe { (extent.start as *const usize).read_unaligned() };
    !rows || extent.len() >= size_of::<usize>() && is_small(call, first_row(), 0, false)
}

/// Whether a device has contents of the object around an address that the host has not.
pub fn device_is_newer(host: usize) -> bool {
    device_copy::any() && objects::tracked_at(host).is_some_and(|object| device_copy::is_newer(&object))
}

/// Brings everything that is on a device home.
pub fn leave(state: &'static DeviceState) {
    followed::leave(state);
    small_copies::leave(state);
    release_all(|copy| std::ptr::eq(copy.state, state));
}
