//! Compute constructs that the host runs, since they cannot be translated for devices.
//!
//! The host stands in for a device, and so has to find what the device has: between [`begin`] and [`end`] the host's memory has the
//! device's contents of everything that is present. What the construct writes there goes to the device in the end, and
//! the host gets its own contents back. Pointers that are attached stay each side's own, and other addresses of what is present
//! are translated ([`addresses`]). Where memory is shared there is nothing to exchange.
//!
//! Only one thread at a time runs such a construct, since all of them exchange the same memory.
//!
//! Limits: other threads of the host must not use what is present meanwhile; and addresses of device memory that is not present,
//! but which the program allocated, are of no use to the host.

mod addresses;

use crate::call::CallContext;
use crate::config::{TargetOffload, config, notify};
use crate::device::Kind;
use crate::error::{codes, fatal_coded};
use crate::location::{Name, SourceLocation};
use crate::log;
use crate::present::{Mapping, Presence};
use crate::state::DeviceState;
use crate::storage::contents::Contents;
use crate::storage::{self, Access};
use crate::variable::{name, unnamed};
use accl_abi::{Var, data_kind};
use addresses::Addresses;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// A construct that runs.
struct Running {
    state: &'static DeviceState,
    began: Instant,
    objects: Vec<Object>,
    addresses: Addresses,
    _alone: Option<MutexGuard<'static, ()>>,
}

/// Memory of the host with the device's contents in it.
struct Object {
    host: usize,
    name: Name,
    /// The host's own contents.
    own: Vec<u8>,
    /// The device's contents when the construct began.
    device: Vec<u8>,
    /// The same as the host was given them.
    given: Vec<u8>,
}

thread_local! {
    /// The innermost last: functions that the construct calls may hold constructs.
    static RUNNING: RefCell<Vec<Running>> = const { RefCell::new(Vec::new()) };
}

/// Before the construct; `vars` is its data.
pub fn begin(call: &CallContext, vars: &[Var]) {
    if config().target_offload == TargetOffload::Mandatory {
        refuse(call, 0, "OMP_TARGET_OFFLOAD is mandatory, but the host would run this construct");
    }
    require_reachable(call, vars);
    call.state.finish_all(call.location);
    if log::wants(notify::LAUNCH) {
        log::on_host(call.state, call.location);
    }
    let is_inner = RUNNING.with_borrow(|running| !running.is_empty());
    let (alone, (objects, addresses)) = match is_inner || call.state.uses_host_memory() {
        true => (None, (vec![], Addresses::default())),
        false => {
            static ALONE: Mutex<()> = Mutex::new(());
            let alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            (Some(alone), take_all(call))
        }
    };
    let running = Running { state: call.state, began: Instant::now(), objects, addresses, _alone: alone };
    RUNNING.with_borrow_mut(|all| all.push(running));
}

/// After the construct that began last on this thread.
pub fn end(location: SourceLocation) {
    let Some(running) = RUNNING.with_borrow_mut(Vec::pop) else { return };
    running.state.profile.ran_on_host(location, running.began.elapsed().as_secs_f64());
    let call = CallContext::on(running.state, location);
    running.objects.iter().for_each(|object| give_back(&call, &running.addresses, object));
}

fn refuse(call: &CallContext, line: i32, why: &str) -> ! {
    let notes = ["help: the warning ACCL0249 of the compiler says why it could not be translated".to_owned()];
    fatal_coded(codes::ON_HOST, call.location, line, why, &notes)
}

/// The host cannot follow an address of memory that is the device's alone.
fn require_reachable(call: &CallContext, vars: &[Var]) {
    if call.state.shared() || call.state.device.info().kind == Kind::Cpu {
        return;
    }
    let is_address = |var: &&Var| var.kind == data_kind::DEVICEPTR && !var.base.is_null();
    if let Some(var) = vars.iter().find(is_address) {
        let why =
            format!("the host runs this construct, and {} is an address of the device's memory", name(var));
        refuse(call, var.line, &why);
    }
}

fn take_all(call: &CallContext) -> (Vec<Object>, Addresses) {
    let all = |mapping: &mut Mapping| (mapping.host, mapping.bytes, Name(mapping.name));
    let mut table = call.state.table();
    let present: Vec<_> = table.mappings().map(all).collect();
    let addresses = Addresses::of(table.mappings());
    drop(table);
    let alive = present.into_iter().filter(|(host, ..)| !is_of_ended_function(*host));
    let objects = alive.filter_map(|(host, bytes, name)| take(call, &addresses, host, bytes, name)).collect();
    (objects, addresses)
}

/// A variable that was left on the device when its function ended: its memory may be in use for anything.
fn is_of_ended_function(host: usize) -> bool {
    let here = (&raw const host) as usize;
    host < here && stack().is_some_and(|stack| stack.start <= host)
}

/// Whether so many bytes lie in the part of the calling thread's stack that is in use.
pub fn is_on_stack(host: usize, bytes: usize) -> bool {
    let here = (&raw const host) as usize;
    here < host && stack().is_some_and(|stack| host.saturating_add(bytes) <= stack.end)
}

/// The calling thread's stack.
fn stack() -> Option<Range<usize>> {
    thread_local!(static STACK: Option<Range<usize>> = stack_of_thread());
    STACK.with(Clone::clone)
}

fn stack_of_thread() -> Option<Range<usize>> {
    // SAFETY: the attributes are given out by the first call, read by the second, and freed by the third.
    unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let (mut begin, mut bytes) = (std::ptr::null_mut(), 0);
        let found = libc::pthread_attr_getstack(&attributes, &mut begin, &mut bytes);
        libc::pthread_attr_destroy(&mut attributes);
        (found == 0).then_some(begin as usize..begin as usize + bytes)
    }
}

/// Gives the host the device's contents.
fn take(call: &CallContext, addresses: &Addresses, host: usize, bytes: usize, name: Name) -> Option<Object> {
    let contents = contents(call, host, bytes, Access::Read)?;
    let own = memory(host, bytes).to_vec();
    let device = match &contents {
        Contents::Plain(plain) => plain.fetch(call, name, (host, bytes)),
        Contents::Encoded(_) => {
            contents.receive(call, &described(host, bytes, name), (host, bytes));
            call.state.finish(call.location, call.queue);
            memory(host, bytes).to_vec()
        }
    };
    let given = match contents {
        Contents::Plain(_) => addresses.for_host(host, &device),
        Contents::Encoded(_) => device.clone(),
    };
    set(host, &given);
    Some(Object { host, name, own, device, given })
}

/// What the construct wrote goes to the device. An object that another thread took away meanwhile stays as it is.
fn give_back(call: &CallContext, addresses: &Addresses, object: &Object) {
    let Object { host, name, ref own, ref device, ref given } = *object;
    let Some(contents) = contents(call, host, own.len(), Access::Changed) else { return };
    // On a cpu the construct may have written to the device's memory itself, nearby.
    let unit = if call.state.device.info().kind == Kind::Cpu { 64 } else { 1 << 16 };
    let written = differences(memory(host, own.len()), given, unit);
    match &contents {
        _ if written.is_empty() => {}
        Contents::Plain(plain) => {
            let mut contents = memory(host, own.len()).to_vec();
            addresses.for_device(host, &mut contents, given, device);
            plain.send_parts(call, name, (host, &contents), &written);
        }
        Contents::Encoded(_) => {
            contents.send(call, &described(host, own.len(), name), (host, own.len()));
            call.state.finish(call.location, call.queue);
        }
    }
    set(host, own);
}

/// `None` where the device has nothing of its own.
fn contents(call: &CallContext, host: usize, bytes: usize, access: Access) -> Option<Contents> {
    let exclusive = storage::exclusive(call);
    let (mut table, found) = call.find(host, bytes);
    let Presence::Inside(start) = found else { return None };
    let mapping = table.get_mut(start)?;
    if call.state.shared() && mapping.storage.is_plain() && mapping.is_host_memory() {
        return None;
    }
    Some(Contents::for_transfer(call, &exclusive, mapping, (host, bytes), access))
}

fn memory(host: usize, bytes: usize) -> &'static [u8] {
    // SAFETY: the memory of a variable that is present, which the user keeps; the slice is used at once.
    unsafe { std::slice::from_raw_parts(host as *const u8, bytes) }
}

/// Writes only where something differs: the memory of constants cannot be written.
fn set(host: usize, bytes: &[u8]) {
    for Range { start, end } in differences(memory(host, bytes.len()), bytes, 4096) {
        // SAFETY: as in `memory`; what the user maps to be written by kernels can be written.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes[start..].as_ptr(), (host + start) as *mut u8, end - start)
        };
    }
}

/// Where two stretches of the same length differ, in whole units.
fn differences(one: &[u8], other: &[u8], unit: usize) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = vec![];
    for (number, (one, other)) in one.chunks(unit).zip(other.chunks(unit)).enumerate() {
        let (start, end) = (number * unit, number * unit + one.len());
        match parts.last_mut() {
            _ if one == other => {}
            Some(last) if last.end == start => last.end = end,
            _ => parts.push(start..end),
        }
    }
    parts
}

fn described(host: usize, bytes: usize, name: Name) -> Var {
    Var { name: name.0, ..unnamed(0, 0, host as *mut _, bytes) }
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn parts_that_differ() {
        let mut changed = vec![0_u8; 1_000];
        for at in [0, 64, 300, 999] {
            changed[at] = 1;
        }
        let same = vec![0_u8; 1_000];
        assert_eq!(differences(&changed, &same, 64), [0..128, 256..320, 960..1_000]);
        assert_eq!(differences(&same, &same, 64), []);
        assert_eq!(differences(&[], &[], 64), []);
    }
}
