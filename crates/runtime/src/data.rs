//! Data clauses and data directives: entering and leaving the present table.
//!
//! OpenACC 3.3 section 2.7. A data clause at the beginning of a region raises a reference count or
//! makes a mapping; at the end it lowers the count and, at 0, copies out and deletes. Compute and
//! data constructs count structured references, `enter data` and the runtime routines dynamic ones.
//!
//! A mapping is put into the table, busy, before its contents are sent, and the table's lock is
//! not held during the transfer; other threads that need it wait until it is ready.
//!
//! Invariant: the member `reserved` of a `no_create` variable is 1 between begin and end exactly
//! where begin found the variable present, so that end lowers what begin raised.

use crate::compress::settle::{self, Use};
use crate::compress::{self, Stored};
use crate::device::{QueueId, SYNC_QUEUE};
use crate::error::{Result, codes, fatal, fatal_coded};
use crate::log;
use crate::present::{Attachment, Found, Mapping, PresentTable, changed};
use crate::profile::{Label, Work};
use crate::queues::Queue;
use crate::rows;
use crate::site::{Name, Place};
use crate::state::{DeviceState, current};
use accl_abi::{Var, data_flags, data_kind};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard};

/// Which reference count a directive changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    Structured,
    Dynamic,
}

/// Variables of `declare` directives at file scope (section 2.13), with the directive's place.
static DECLARED: Mutex<Vec<(Place, Vec<Declared>)>> = Mutex::new(Vec::new());

/// A variable of the program's whole life.
#[derive(Clone, Copy)]
struct Declared(Var);

// SAFETY: addresses of static storage.
unsafe impl Send for Declared {}

impl Declared {
    /// What describes the variable lies on the stack of the function that declares it, and is copied.
    fn new(var: &Var) -> Declared {
        fn kept<T: Copy>(of: *const T, n: usize) -> *const T {
            // SAFETY: the contract of accl_abi.h.
            let list = unsafe { accl_abi::slice(of, n as u32) };
            if list.is_empty() { of } else { Box::leak(Box::<[T]>::from(list)).as_ptr() }
        }
        let format = kept(var.format, usize::from(!var.format.is_null()));
        Declared(Var { dims: kept(var.dims, var.n_dims as usize), format, ..*var })
    }
}

/// Remembers variables for devices yet to be started, and enters them on those in use. What is copied is copied now, so the
/// current device is started.
pub fn declare(place: Place, vars: &[Var]) {
    if vars.iter().any(|var| var.kind == data_kind::COPYIN) {
        current(place);
    }
    let vars: Vec<Declared> = vars.iter().map(Declared::new).collect();
    for state in crate::state::started() {
        enter_declared(state, place, &vars);
    }
    DECLARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((place, vars));
}

/// Enters all that was declared on a device just started.
pub fn enter_all_declared(state: &'static DeviceState) {
    let declared = DECLARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    for (place, vars) in &declared {
        enter_declared(state, *place, vars);
    }
}

fn enter_declared(state: &'static DeviceState, place: Place, vars: &[Declared]) {
    let task = Task { state, place, queue: state.queues.sync() };
    let mut vars: Vec<Var> = vars.iter().map(|declared| declared.0).collect();
    enter(&task, &mut vars, Counter::Structured);
}

/// One call into the runtime: where from, on which device, on which queue.
pub struct Task {
    pub state: &'static DeviceState,
    pub place: Place,
    pub queue: &'static Queue,
}

impl Task {
    #[inline]
    pub fn new(place: Place, async_value: i64) -> Task {
        let state = current(place);
        Task { state, place, queue: state.queue(place, async_value) }
    }

    /// Puts work on the queue, in order with the sync queue.
    #[inline]
    pub fn put(&self, doing: &str, work: impl FnOnce(QueueId) -> Result<()>) {
        let (state, queue) = (self.state, self.queue);
        let result = state.queues.before(&*state.device, queue).and_then(|()| work(queue.id));
        state.queues.after(queue);
        if let Err(error) = result {
            state.fail(self.place, Some(queue), doing, &error);
        }
    }

    /// As `put`, for a transfer: logged and measured.
    pub fn transfer(
        &self,
        work: Work,
        name: Name,
        line: i32,
        bytes: usize,
        operation: impl FnOnce(QueueId) -> Result<()>,
    ) {
        log::transfer(work.name(), self.state, self.place, line, self.queue, name, bytes);
        let queue = self.queue.value;
        let label = Label { work, place: self.place, line, name, variant: None, bytes, queue };
        self.put("a transfer", |queue| {
            self.state.profile.timed(&*self.state.device, queue, label, || operation(queue))
        });
    }

    /// Waits for the queue if this call is synchronous.
    pub fn finish_if_sync(&self) {
        if self.queue.is_sync() {
            self.state.finish(self.place, self.queue);
        }
    }

    pub fn fatal(&self, line: i32, message: &str, notes: &[String]) -> ! {
        fatal(self.place, line, message, notes)
    }

    /// Looks a stretch up; waits where another thread is still making it.
    pub fn find(&self, host: usize, bytes: usize) -> (MutexGuard<'static, PresentTable>, Found) {
        let mut table = self.state.table();
        loop {
            let found = table.find(host, bytes);
            let busy = match found {
                Found::Inside(start) => table.get(start).is_some_and(|mapping| mapping.busy),
                Found::Absent | Found::Partial(_) => false,
            };
            if !busy {
                return (table, found);
            }
            table = self.state.ready.wait(table).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// The same for one of several stretches in a row: the table is locked once for all of them, unless one has to be
    /// waited for.
    pub fn find_in(&self, held: &mut Held, host: usize, bytes: usize) -> Found {
        let table = held.get_or_insert_with(|| self.state.table());
        let found = table.find(host, bytes);
        match found {
            Found::Inside(start) if table.get(start).is_some_and(|mapping| mapping.busy) => {
                drop(held.take());
                let (table, found) = self.find(host, bytes);
                *held = Some(table);
                found
            }
            Found::Inside(_) | Found::Absent | Found::Partial(_) => found,
        }
    }
}

impl Task {
    /// The mapping around a stretch, if there is one; waits where another thread is still making it.
    #[inline]
    pub fn mapping<'h>(&self, held: &'h mut Held, host: usize, bytes: usize) -> Option<&'h mut Mapping> {
        let table = held.get_or_insert_with(|| self.state.table());
        match table.at_hand(host, bytes) {
            Some(slot) => held.as_mut()?.in_slot(slot),
            None => self.mapping_found(held, host, bytes),
        }
    }

    #[inline(never)]
    fn mapping_found<'h>(&self, held: &'h mut Held, host: usize, bytes: usize) -> Option<&'h mut Mapping> {
        let Found::Inside(start) = self.find_in(held, host, bytes) else { return None };
        held.as_mut()?.get_mut(start)
    }
}

/// The present table, while it is locked.
pub type Held = Option<MutexGuard<'static, PresentTable>>;

/// The address of the section's first byte.
pub fn first(var: &Var) -> usize {
    (var.base as usize).wrapping_add(var.offset)
}

/// An empty section, or a pointer that is null (OpenACC 3.3 section 2.7): no clause does anything.
pub fn names_nothing(var: &Var) -> bool {
    var.bytes == 0 || var.base.is_null()
}

/// The variable's name.
pub fn name(var: &Var) -> Name {
    Name(var.name)
}

/// Begins data regions (`Structured`) and executes `enter data` (`Dynamic`). Pointers are attached last, when what they
/// point to is there, in whatever order the clauses stand.
pub fn enter(task: &Task, vars: &mut [Var], counter: Counter) {
    let (mut rest, mut attaches) = (&mut *vars, false);
    loop {
        let present = enter_present(task, rest, counter);
        let Some((var, others)) = rest[present..].split_first_mut() else { break };
        match var.kind {
            data_kind::ATTACH => attaches = true,
            _ => enter_other(task, var, counter),
        }
        rest = others;
    }
    if attaches {
        vars.iter().filter(|var| var.kind == data_kind::ATTACH).for_each(|var| attach(task, var));
    }
}

#[inline(never)]
fn enter_other(task: &Task, var: &mut Var, counter: Counter) {
    match var.kind {
        data_kind::DEVICEPTR
        | data_kind::DELETE
        | data_kind::ATTACH
        | data_kind::DETACH
        | data_kind::USE_DEVICE => {}
        data_kind::UPDATE_DEVICE | data_kind::UPDATE_SELF => crate::update::update(task, var),
        _ => enter_one(task, var, counter),
    }
}

/// Where the data is present and stays so, nothing happens but that a count changes.
#[inline]
fn may_only_count(var: &Var) -> bool {
    let counted = matches!(
        var.kind,
        data_kind::COPY | data_kind::COPYIN | data_kind::COPYOUT | data_kind::CREATE | data_kind::PRESENT
    );
    counted
        && var.bytes > 0
        && var.flags & (data_flags::ALWAYS_IN | data_flags::ALWAYS_OUT | data_flags::DEEP) == 0
}

/// What most launches find: the data is there and nothing is to be copied. How many variables, from the first on, are so.
#[inline]
fn enter_present(task: &Task, vars: &[Var], counter: Counter) -> usize {
    let mut table = task.state.table();
    let is_present = |var: &&Var| match ready(&mut table, var) {
        Some(mapping) => {
            raise(mapping, counter);
            join(task, mapping);
            true
        }
        None => false,
    };
    vars.iter().take_while(is_present).count()
}

/// The mapping of a variable for which there is only to count; `None` also where that takes a search.
#[inline]
fn ready<'t>(table: &'t mut PresentTable, var: &Var) -> Option<&'t mut Mapping> {
    let slot = if may_only_count(var) { table.at_hand(first(var), var.bytes)? } else { return None };
    table.in_slot(slot)
}

fn enter_one(task: &Task, var: &mut Var, counter: Counter) {
    if rows::is_deep(var) {
        return rows::enter(task, var, counter);
    }
    let host = first(var);
    if var.kind == data_kind::NO_CREATE {
        var.reserved = 0;
    }
    if names_nothing(var) {
        return;
    }
    let alone = settle::alone(task);
    let (mut table, found) = task.find(host, var.bytes);
    match found {
        Found::Inside(start) => {
            let Some(mapping) = table.get_mut(start) else {
                return;
            };
            raise(mapping, counter);
            join(task, mapping);
            let device = mapping.translate(host);
            let pointers = crate::update::pointers_on_device(mapping, host, var.bytes);
            if var.kind == data_kind::NO_CREATE {
                var.reserved = 1;
            }
            let copies = matches!(var.kind, data_kind::COPY | data_kind::COPYIN);
            if copies && var.flags & data_flags::ALWAYS_IN != 0 {
                let how = if var.bytes == mapping.bytes { Use::Replaced } else { Use::Changed };
                let held = settle::for_transfer(task, &alone, mapping, how);
                drop(table);
                if let Some(held) = &held {
                    let section = part_of(task, var.line, held, (host, var.bytes));
                    compress::transfer::send(task, name(var), var.line, var.base as usize, &section);
                } else {
                    crate::update::send(task, name(var), var.line, host, device, var.bytes);
                    crate::update::write_pointers(task, &pointers);
                }
            }
        }
        Found::Partial(start) => partial(task, var, &table, start),
        Found::Absent => match var.kind {
            data_kind::NO_CREATE => {}
            data_kind::PRESENT => absent(task, var, &table),
            _ => {
                drop(alone);
                create(task, var, counter, table);
            }
        },
    }
}

pub fn raise(mapping: &mut Mapping, counter: Counter) {
    match counter {
        Counter::Structured => mapping.structured += 1,
        Counter::Dynamic => mapping.dynamic += 1,
    }
}

/// Orders the queue after the one that made a mapping, where nothing else does: the user may know
/// nothing of that queue, having met data that another thread or an earlier construct brought.
#[inline]
pub fn join(task: &Task, mapping: &mut Mapping) {
    let id = task.queue.id;
    // The last one is looked at first: it is the only one but for the sync queue's, mostly.
    if mapping.queues.last() != Some(&id) && !mapping.queues.contains(&id) {
        join_first(task, mapping);
    }
}

/// As [`join`], of a queue that the mapping did not meet before.
#[inline(never)]
fn join_first(task: &Task, mapping: &mut Mapping) {
    let id = task.queue.id;
    let Some(maker) = mapping.queues.first().copied() else { return };
    mapping.queues.push(id);
    // `Queues::before` does it for the sync queue.
    if maker != SYNC_QUEUE {
        order(task, id, maker);
    }
}

fn order(task: &Task, later: QueueId, earlier: QueueId) {
    if let Err(error) = task.state.device.order_after(later, earlier) {
        task.state.fail(task.place, Some(task.queue), "ordering queues", &error);
    }
}

/// Makes a mapping and its contents.
fn create(task: &Task, var: &Var, counter: Counter, mut table: MutexGuard<'static, PresentTable>) {
    let (state, host) = (task.state, first(var));
    let stored = compress::check::format(var).map(|format| compress::check::stored(task, var, format));
    if state.shared() && stored.is_none() {
        let mut mapping = Mapping::new(host, var.bytes, host as u64, var.name);
        raise(&mut mapping, counter);
        table.insert(mapping);
        drop(table);
        if var.flags & data_flags::ZERO != 0 {
            // SAFETY: the section is the user's to write.
            unsafe { std::ptr::write_bytes(host as *mut u8, 0, var.bytes) };
        }
        return;
    }
    if var.flags & data_flags::INDIRECT != 0 {
        rows::refuse_host_pointers(task, var);
    }
    let bytes = stored.map_or(var.bytes, |stored| stored.bytes(var.bytes));
    let block = state.pool.take(&*state.device, bytes, task.queue.id).unwrap_or_else(|error| {
        let name = name(var);
        let message = format!("no device memory for name={name} bytes={bytes}: {error}");
        let free = state.device.free_memory();
        let notes = [format!("free on the device: {free} bytes of {}", state.device.info().memory)];
        fatal_coded(codes::NO_MEMORY, task.place, var.line, &message, &notes)
    });
    let mut mapping = Mapping::new(host, var.bytes, block.address, var.name);
    mapping.block = Some(block);
    mapping.stored = stored;
    mapping.busy = true;
    mapping.queues.push(task.queue.id);
    raise(&mut mapping, counter);
    table.insert(mapping);
    drop(table);
    log::allocation("create", state, task.place, var.line, name(var), bytes, block.address);
    fill(task, var, host, block.address, stored.as_ref(), bytes);
    if let Some(mapping) = state.table().get_mut(host) {
        mapping.busy = false;
    }
    state.ready.notify_all();
}

/// The first contents of a new mapping.
fn fill(task: &Task, var: &Var, host: usize, device: u64, stored: Option<&Stored>, bytes: usize) {
    let poison = crate::config::config().poison || task.state.device.info().kind == crate::device::Kind::Cpu;
    // A group that is written in parts must not have the exponent of what was in its memory.
    let is_block = stored.is_some_and(Stored::is_block);
    if matches!(var.kind, data_kind::COPY | data_kind::COPYIN) {
        let Some(stored) = stored else {
            return crate::update::send(task, name(var), var.line, host, device, var.bytes);
        };
        let held = settle::Held::new(*stored, device, host, var.bytes);
        let section = part_of(task, var.line, &held, (host, var.bytes));
        compress::transfer::send(task, name(var), var.line, var.base as usize, &section);
    } else if var.flags & data_flags::ZERO != 0 || is_block || poison {
        let zero = var.flags & data_flags::ZERO != 0 || is_block;
        let byte = if zero { 0 } else { 0xA5 };
        task.put("filling device memory", |queue| {
            // SAFETY: the block was just allocated with at least as many bytes.
            unsafe { task.state.device.fill(queue, device, byte, bytes) }
        });
    }
}

/// A part (address and bytes) of a compressed array.
pub fn part_of<'a>(
    task: &Task,
    line: i32,
    held: &'a settle::Held,
    part: (usize, usize),
) -> Vec<compress::transfer::Section<'a>> {
    compress::transfer::Section::all(&held.stored, held.device, held.host, held.bytes, part.0, part.1)
        .unwrap_or_else(|message| task.fatal(line, &message, &[]))
}

/// Ends data regions and executes `exit data`.
pub fn exit(task: &Task, vars: &[Var], counter: Counter) {
    // Rows go before what they may be parts of.
    let in_order = !vars.iter().any(rows::is_deep);
    let kept = if counter == Counter::Structured && in_order { exit_kept(task, vars) } else { 0 };
    if kept < vars.len() {
        exit_others(task, &vars[kept..], counter);
    }
}

/// What most launches find: the data stays, and nothing is to be copied. How many variables, from the first on, are so.
#[inline]
fn exit_kept(task: &Task, vars: &[Var]) -> usize {
    let mut table = task.state.table();
    vars.iter().take_while(|var| ready(&mut table, var).is_some_and(lower)).count()
}

/// Lowers the structured count if the mapping stays; false where it does not.
#[inline]
fn lower(mapping: &mut Mapping) -> bool {
    let stays = mapping.mapped_by_user || mapping.structured + mapping.dynamic > 1;
    if stays {
        mapping.structured = mapping.structured.saturating_sub(1);
    }
    stays
}

/// As [`exit`], of variables some of which may go. Pointers are detached first, since what they point to may go.
#[inline(never)]
fn exit_others(task: &Task, vars: &[Var], counter: Counter) {
    for var in vars {
        match var.kind {
            data_kind::DETACH => detach(task, var, var.flags & data_flags::FINALIZE != 0),
            data_kind::ATTACH if counter == Counter::Structured => detach(task, var, false),
            _ => {}
        }
    }
    let mut released = Vec::new();
    let mut copied = false;
    for var in vars.iter().filter(|var| rows::is_deep(var)) {
        copied |= rows::exit(task, var, counter, &mut released);
    }
    for var in vars.iter().filter(|var| !rows::is_deep(var)) {
        if counter == Counter::Structured && exit_kept(task, std::slice::from_ref(var)) > 0 {
            continue;
        }
        match var.kind {
            data_kind::COPY
            | data_kind::COPYIN
            | data_kind::COPYOUT
            | data_kind::CREATE
            | data_kind::PRESENT
            | data_kind::DELETE => {
                copied |= exit_one(task, var, counter, &mut released);
            }
            data_kind::NO_CREATE if var.reserved == 1 => {
                copied |= exit_one(task, var, counter, &mut released)
            }
            _ => {}
        }
    }
    // Freed last: the next use of a block is ordered after what is on the queue by now, and so
    // after the other queues that used it.
    for mut mapping in released {
        for other in mapping.queues.iter().filter(|other| **other != task.queue.id) {
            order(task, task.queue.id, *other);
        }
        if let Some(copy) = mapping.copies.copy() {
            task.state.pool.give(copy.block, task.queue.id);
        }
        let mut bytes = mapping.device_bytes();
        if let Some(shared) = &mapping.shared {
            bytes = shared.block.bytes;
            for other in shared.leave(task.queue.id).into_iter().filter(|other| *other != task.queue.id) {
                order(task, task.queue.id, other);
            }
        }
        if let Some(block) = mapping.take_block() {
            log::allocation("delete", task.state, task.place, 0, Name(mapping.name), bytes, block.address);
            task.state.pool.give(block, task.queue.id);
        }
    }
    if copied {
        task.finish_if_sync();
    }
}

/// Lowers a count and, where it was the last, copies out. True where host memory is written.
fn exit_one(task: &Task, var: &Var, counter: Counter, released: &mut Vec<Mapping>) -> bool {
    let host = first(var);
    if names_nothing(var) {
        return false;
    }
    let alone = settle::alone(task);
    let (mut table, found) = task.find(host, var.bytes);
    let start = match found {
        Found::Inside(start) => start,
        Found::Partial(start) => partial(task, var, &table, start),
        // Section 2.7: no action where the data is not present (any more).
        Found::Absent => return false,
    };
    let Some(mapping) = table.get_mut(start) else {
        return false;
    };
    match counter {
        Counter::Structured => mapping.structured = mapping.structured.saturating_sub(1),
        Counter::Dynamic if var.flags & data_flags::FINALIZE != 0 => mapping.dynamic = 0,
        Counter::Dynamic => mapping.dynamic = mapping.dynamic.saturating_sub(1),
    }
    let last = mapping.structured == 0 && mapping.dynamic == 0 && !mapping.mapped_by_user;
    let copies = matches!(var.kind, data_kind::COPY | data_kind::COPYOUT)
        && (last || var.flags & data_flags::ALWAYS_OUT != 0)
        && (!task.state.shared() || mapping.stored.is_some());
    let is_compressed = mapping.stored.is_some();
    let held = if copies { settle::for_transfer(task, &alone, mapping, Use::Read) } else { None };
    let (device, pointers) = (mapping.translate(host), attached_within(mapping, host, var.bytes));
    let line = match counter {
        Counter::Structured => task.place.0.end_line,
        Counter::Dynamic => directive_line(var),
    };
    let gone = if last { table.remove_at(start, task.place, line) } else { None };
    drop(table);
    drop(alone);
    match &held {
        Some(held) => {
            let section = part_of(task, var.line, held, (host, var.bytes));
            compress::transfer::receive(task, name(var), var.line, &section);
        }
        None if copies => {
            crate::update::receive(task, name(var), var.line, host, device, var.bytes, &pointers);
        }
        _ => {}
    }
    if is_compressed && gone.is_some() {
        compress::check::PRESENT.fetch_sub(1, Ordering::Relaxed);
    }
    released.extend(gone);
    copies
}

/// The host pointers that a copy of device memory to the host must leave as they are.
pub fn attached_within(mapping: &Mapping, host: usize, bytes: usize) -> Vec<(usize, Attachment)> {
    if mapping.attached.is_empty() {
        return Vec::new();
    }
    mapping.attached.range(host..host + bytes).map(|(slot, attachment)| (*slot, *attachment)).collect()
}

/// Section 2.7.11: makes a pointer in device memory point to the device copy of its target, as it is held there: kernels
/// that would follow one to a compressed array are refused when they are launched (`launch::followed`).
pub fn attach(task: &Task, var: &Var) {
    let slot = first(var);
    // SAFETY: the address of a pointer variable.
    let target = unsafe { (slot as *const usize).read_unaligned() };
    if target == 0 {
        return;
    }
    let (table, found) = task.find(target, 1);
    let Found::Inside(start) = found else { return };
    let Some(device_target) = table.get(start).map(|mapping| mapping.translate(target)) else {
        return;
    };
    drop(table);
    let (mut table, found) = task.find(slot, size_of::<usize>());
    let Found::Inside(start) = found else { return };
    let Some(mapping) = table.get_mut(start) else {
        return;
    };
    let device_slot = mapping.translate(slot);
    let attachment =
        mapping.attached.entry(slot).or_insert(Attachment { count: 0, host_target: 0, device_target: 0 });
    let same = attachment.host_target == target && attachment.device_target == device_target;
    *attachment =
        Attachment { count: if same { attachment.count + 1 } else { 1 }, host_target: target, device_target };
    drop(table);
    // What a kernel would follow may be compressed now.
    changed();
    log::allocation("attach", task.state, task.place, var.line, name(var), size_of::<usize>(), device_target);
    if !same {
        crate::update::write_pointer(task, device_slot, device_target);
    }
}

/// Section 2.7.12: gives a device pointer its host value back.
pub fn detach(task: &Task, var: &Var, finalize: bool) {
    let slot = first(var);
    let (mut table, found) = task.find(slot, size_of::<usize>());
    let Found::Inside(start) = found else { return };
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
        task.state,
        task.place,
        var.line,
        name(var),
        size_of::<usize>(),
        host_target as u64,
    );
    crate::update::write_pointer(task, device_slot, host_target as u64);
}

/// `a[0:100]`, from what is known of a variable.
pub fn section(var: &Var) -> String {
    let element = var.elem_size.max(1) as usize;
    format!("{}[{}:{}]", name(var), var.offset / element, var.bytes / element)
}

/// The section of a mapping in the words of its creator.
fn describe(mapping: &Mapping) -> String {
    let name = Name(mapping.name);
    format!(
        "name={name} host={:#x}..{:#x} bytes={} device={:#x} structured={} dynamic={}",
        mapping.host,
        mapping.end(),
        mapping.bytes,
        mapping.device,
        mapping.structured,
        mapping.dynamic
    )
}

fn nearest(table: &PresentTable, host: usize) -> String {
    match table.nearest(host) {
        None => "nothing is present on the device".to_owned(),
        Some(mapping) => {
            let distance = if host < mapping.host {
                format!("{} bytes after it", mapping.host - host)
            } else {
                format!("{} bytes before it", host - mapping.host)
            };
            format!("nearest mapping: {} (begins {distance})", describe(mapping))
        }
    }
}

/// Reports that data is not present.
pub fn absent(task: &Task, var: &Var, table: &PresentTable) -> ! {
    let clause = match var.kind {
        data_kind::UPDATE_SELF | data_kind::UPDATE_DEVICE => "UPDATE",
        data_kind::USE_DEVICE => "USE_DEVICE",
        _ => "PRESENT",
    };
    let info = task.state.device.info();
    let host = first(var);
    let message = format!(
        "data in {clause} clause was not found on device {}: name={} host={host:#x} bytes={}",
        info.number,
        name(var),
        var.bytes
    );
    let mut notes = Vec::new();
    notes.extend(used_at(task, var));
    // Of a pointer nobody told how much it points to.
    let wanted = if var.bytes == 0 { format!("{}[0:n]", name(var)) } else { section(var) };
    let of_n = if var.bytes == 0 { ", n the number of its elements" } else { "" };
    let removed = table.last_removed(host, var.bytes);
    notes.push(match removed {
        Some(removed) => format!("this memory was present until {}", removed.place.describe(removed.line)),
        None => nearest(table, host),
    });
    notes.push(if var.kind == data_kind::PRESENT {
        format!(
            "help: add copy({wanted}) to this directive, or make {} present before it: \
             #pragma acc enter data copyin({wanted}){of_n}",
            name(var)
        )
    } else {
        format!(
            "help: make {} present before this directive: #pragma acc enter data copyin({wanted}){of_n}",
            name(var)
        )
    });
    fatal_coded(codes::NOT_PRESENT, task.place, directive_line(var), &message, &notes)
}

/// The line of a clause; implicit data has the line of its use, and is reported at the directive.
pub fn directive_line(var: &Var) -> i32 {
    if var.flags & data_flags::IMPLICIT != 0 { 0 } else { var.line }
}

fn used_at(task: &Task, var: &Var) -> Option<String> {
    let elsewhere = var.flags & data_flags::IMPLICIT != 0 && var.line > 0;
    elsewhere.then(|| format!("{}:{}: used here, without a data clause", task.place.file(), var.line))
}

/// Reports that only a part of the data is present.
pub fn partial(task: &Task, var: &Var, table: &PresentTable, start: usize) -> ! {
    let host = first(var);
    let message = format!(
        "variable in data clause is partially present on device {}: name={} host={host:#x}..{:#x} bytes={}",
        task.state.device.info().number,
        name(var),
        host + var.bytes,
        var.bytes
    );
    let mut notes: Vec<String> = used_at(task, var).into_iter().collect();
    notes.extend(table.get(start).map(|mapping| format!("present: {}", describe(mapping))));
    notes.push(format!(
        "help: a section must be wholly inside what is present or wholly outside; make the first data \
         clause for {} cover {}",
        name(var),
        section(var)
    ));
    fatal_coded(codes::PARTLY_PRESENT, task.place, directive_line(var), &message, &notes)
}
