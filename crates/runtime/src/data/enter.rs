//! The beginning of data regions, and `enter data`.

use super::sections::{self, Rooms};
use super::{Counter, attach, counts_here, is_address, join, means_part, raise, ready, take_block, touching};
use crate::call::CallContext;
use crate::config::config;
use crate::device::Kind;
use crate::not_present::{absent, partial};
use crate::present::{Mapping, Presence, PresentTable, Shared};
use crate::profiling::{self, About, Data, Moment};
use crate::storage::contents::Contents;
use crate::storage::{self, Access, Storage};
use crate::variable::{first, name, names_nothing};
use crate::{log, rows, target_info, update};
use accl_abi::{Var, data_flags, data_kind};
use smallvec::SmallVec;
use std::sync::{Arc, MutexGuard};

/// What one directive has counted so far.
struct Counts {
    counter: Counter,
    /// By OpenMP's rule a directive counts a mapping once, however many of its variables lie there (OpenMP 5.2 §5.8.3).
    raised: SmallVec<[usize; 8]>,
    /// The mappings that a directive of OpenMP made: its other variables that lie there are copied, too.
    made: SmallVec<[usize; 4]>,
    rooms: Rooms,
}

impl Counts {
    #[inline]
    fn raise(&mut self, mapping: &mut Mapping, var: &Var) {
        if var.flags & data_flags::OPENMP == 0 {
            return raise(mapping, var, self.counter);
        }
        if !self.raised.contains(&mapping.host) {
            self.raised.push(mapping.host);
            raise(mapping, var, self.counter);
        }
    }

    fn made_by(&mut self, var: &Var, start: usize) {
        if var.flags & data_flags::OPENMP != 0 {
            self.made.push(start);
        }
    }
}

/// Begins data regions (`Structured`) and executes `enter data` (`Dynamic`). Pointers are attached last, when what they
/// point to is there, in whatever order the clauses stand.
pub fn enter(call: &CallContext, vars: &mut [Var], counter: Counter) {
    let (mut at, mut attaches) = (0, false);
    let mut counts =
        Counts { counter, raised: SmallVec::new(), made: SmallVec::new(), rooms: Rooms::default() };
    loop {
        at += enter_present(call, &vars[at..], &mut counts);
        let Some(var) = vars.get(at) else { break };
        match var.kind {
            data_kind::ATTACH => attaches = true,
            _ => enter_other(call, vars, at, &mut counts),
        }
        at += 1;
    }
    sections::require_one_place(call, vars);
    if attaches {
        vars.iter().filter(|var| var.kind == data_kind::ATTACH).for_each(|var| attach(call, var));
    }
}

#[inline(never)]
fn enter_other(call: &CallContext, vars: &mut [Var], at: usize, counts: &mut Counts) {
    let var = &mut vars[at];
    match var.kind {
        data_kind::DEVICEPTR
        | data_kind::DELETE
        | data_kind::ATTACH
        | data_kind::DETACH
        | data_kind::USE_DEVICE => {}
        data_kind::UPDATE_DEVICE | data_kind::UPDATE_SELF => update::update(call, var),
        _ if holds_device_address(call, var) => var.kind = data_kind::DEVICEPTR,
        _ => enter_one(call, vars, at, counts),
    }
}

/// A pointer that no clause names holds an address of device memory that the program asked for: kernels use it as it is.
fn holds_device_address(call: &CallContext, var: &Var) -> bool {
    let unnamed = var.flags & data_flags::IMPLICIT != 0 && var.flags & data_flags::RESIDENT == 0;
    unnamed && !var.base.is_null() && call.state.allocations.around(var.base as u64).is_some()
}

/// What most launches find: the data is there and nothing is to be copied. How many variables, from the first on, are so.
#[inline]
fn enter_present(call: &CallContext, vars: &[Var], counts: &mut Counts) -> usize {
    let mut table = call.state.table();
    let is_present = |var: &&Var| match ready(&mut table, var) {
        _ if is_address(var) => true,
        Some((_, mapping)) if !counts.made.contains(&mapping.host) => {
            counts.raise(mapping, var);
            target_info::exists(call, var, mapping);
            join(call, mapping);
            true
        }
        _ => false,
    };
    vars.iter().take_while(is_present).count()
}

fn enter_one(call: &CallContext, vars: &mut [Var], at: usize, counts: &mut Counts) {
    let var = &mut vars[at];
    if rows::is_deep(var) {
        return rows::enter(call, var, counts.counter);
    }
    let host = first(var);
    if var.kind == data_kind::NO_CREATE {
        var.reserved = 0;
    }
    if names_nothing(var) {
        return enter_empty(call, var, counts);
    }
    let exclusive = storage::exclusive(call);
    let (mut table, found) = call.find(host, var.bytes);
    match found {
        Presence::Partial(start) if means_part(var) => {
            let Some(mapping) = table.get_mut(start) else { return };
            counts.raise(mapping, var);
            join(call, mapping);
            var.reserved = 1;
        }
        Presence::Inside(start) => {
            let Some(mapping) = table.get_mut(start) else {
                return;
            };
            if !counts_here(var, mapping) {
                return;
            }
            counts.raise(mapping, var);
            target_info::exists(call, var, mapping);
            join(call, mapping);
            if var.kind == data_kind::NO_CREATE {
                var.reserved = 1;
            }
            let copies = matches!(var.kind, data_kind::COPY | data_kind::COPYIN);
            if copies && (var.flags & data_flags::ALWAYS_IN != 0 || counts.made.contains(&start)) {
                let (part, access) = ((host, var.bytes), Access::write_of(var.bytes, mapping));
                let contents = Contents::for_transfer(call, &exclusive, mapping, part, access);
                drop(table);
                contents.send(call, var, part);
            }
        }
        Presence::Partial(start) => partial(call, var, &table, start),
        Presence::Absent => match var.kind {
            data_kind::PRESENT => absent(call, var, &table),
            _ if var.flags & data_flags::MUST_BE_PRESENT != 0 => absent(call, var, &table),
            data_kind::NO_CREATE => {}
            _ => {
                drop(exclusive);
                create(call, vars, at, counts, table);
            }
        },
    }
}

/// OpenMP 5.2 §5.8.6: an empty section stands for what is present around it.
fn enter_empty(call: &CallContext, var: &mut Var, counts: &mut Counts) {
    if var.flags & data_flags::OPENMP == 0 || var.base.is_null() {
        return;
    }
    let (mut table, found) = touching(call, var);
    if let Presence::Inside(start) = found
        && let Some(mapping) = table.get_mut(start)
    {
        counts.raise(mapping, var);
        join(call, mapping);
        var.reserved = 1;
    } else if var.flags & data_flags::MUST_BE_PRESENT != 0 {
        absent(call, var, &table);
    }
}

/// The program has put addresses of device memory into the object (`acc_malloc`, `omp_target_alloc`, `use_device`), which a
/// kernel can follow as they are.
pub fn has_device_addresses(call: &CallContext, var: &Var, table: &PresentTable) -> bool {
    const MOST: usize = 4096;
    let start = first(var).next_multiple_of(size_of::<u64>());
    let end = first(var) + var.bytes.min(MOST);
    (start..end.saturating_sub(size_of::<u64>() - 1)).step_by(size_of::<u64>()).any(|at| {
        // SAFETY: the object is the program's to read, and aligned words lie in it.
        let word = unsafe { *(at as *const u64) };
        let state = call.state;
        word != 0
            && (state.allocations.around(word).is_some()
                || table.by_device(word).is_some()
                || state.device.is_own_address(word))
    })
}

/// Makes a mapping and its contents.
fn create(
    call: &CallContext,
    vars: &[Var],
    at: usize,
    counts: &mut Counts,
    mut table: MutexGuard<'static, PresentTable>,
) {
    let var = &vars[at];
    let (state, host) = (call.state, first(var));
    let room = sections::room(vars, var);
    let storage = match room {
        Some(_) => Storage::Plain,
        None => Storage::of_clause(call, var),
    };
    if state.shared() && storage.is_plain() {
        let mut mapping = Mapping::new(host, var.bytes, host as u64, var.name);
        mapping.base = var.base as usize;
        mapping.of_parts = var.flags & data_flags::TOGETHER != 0;
        counts.raise(&mut mapping, var);
        table.insert(mapping);
        counts.made_by(var, host);
        drop(table);
        if var.flags & data_flags::ZERO != 0 {
            // SAFETY: the section is the user's to write.
            unsafe { std::ptr::write_bytes(host as *mut u8, 0, var.bytes) };
        }
        return;
    }
    if var.flags & data_flags::INDIRECT != 0 && !has_device_addresses(call, var, &table) {
        rows::refuse_host_pointers(call, var);
    }
    let bytes = storage.bytes(var.bytes);
    if let Some((start, end)) = room
        && counts.rooms.place(var).is_none()
    {
        counts.rooms.add(start, take_block(call, var, end - start));
    }
    let in_room = match room {
        Some(_) => counts.rooms.place(var),
        None if storage.is_plain() => beside_others(call, var, &table),
        None => None,
    };
    let (address, block, shared) = match in_room {
        Some((address, shared)) => (address, None, Some(shared)),
        None => {
            let block = take_block(call, var, bytes);
            (block.address, Some(block), None)
        }
    };
    let mut mapping = Mapping::new(host, var.bytes, address, var.name);
    mapping.base = var.base as usize;
    mapping.of_parts = var.flags & data_flags::TOGETHER != 0;
    (mapping.block, mapping.shared) = (block, shared);
    mapping.storage = storage;
    mapping.busy = true;
    mapping.queues.push(call.queue.id);
    counts.raise(&mut mapping, var);
    target_info::created(call, var, &mapping);
    let first_contents = FirstContents::of(call, var, &mapping);
    table.insert(mapping);
    counts.made_by(var, host);
    drop(table);
    log::allocation("create", state, call.location, var.line, name(var), bytes, address);
    let data = || Data { name: name(var), bytes, host, device: address };
    profiling::moment(Moment::Alloc, || About::of(call), data);
    profiling::moment(Moment::Create, || About::of(call), data);
    first_contents.bring(call, var, address, bytes);
    if let Some(mapping) = state.table().get_mut(host) {
        mapping.busy = false;
    }
    state.ready.notify_all();
}

/// A place for a section in the block that others of the variable were moved into: it may have been there before.
fn beside_others(call: &CallContext, var: &Var, table: &PresentTable) -> Option<(u64, Arc<Shared>)> {
    let (address, shared) = table.beside(var.base as usize, first(var), var.bytes)?;
    shared
        .left_on()
        .into_iter()
        .filter(|other| *other != call.queue.id)
        .for_each(|other| call.order_after(other));
    Some((address, shared))
}

/// What a new mapping's memory is to hold at first.
enum FirstContents {
    /// The host's values.
    Sent(Contents),
    /// This byte everywhere.
    Filled(u8),
    /// Whatever is there.
    Undefined,
}

impl FirstContents {
    fn of(call: &CallContext, var: &Var, mapping: &Mapping) -> FirstContents {
        let poison = config().poison || call.state.device.info().kind == Kind::Cpu;
        match var.kind {
            data_kind::COPY | data_kind::COPYIN => FirstContents::Sent(Contents::of(mapping)),
            _ if var.flags & data_flags::ZERO != 0 || mapping.storage.needs_cleared_memory() => {
                FirstContents::Filled(0)
            }
            _ if poison => FirstContents::Filled(0xA5),
            _ => FirstContents::Undefined,
        }
    }

    fn bring(&self, call: &CallContext, var: &Var, device: u64, bytes: usize) {
        match self {
            FirstContents::Sent(contents) => contents.send(call, var, (first(var), var.bytes)),
            FirstContents::Filled(byte) => call.put("filling device memory", |queue| {
                // SAFETY: the block was just allocated with at least as many bytes.
                unsafe { call.state.device.fill(queue, device, *byte, bytes) }
            }),
            FirstContents::Undefined => {}
        }
    }
}
