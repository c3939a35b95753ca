//! Several sections of one variable in one directive.
//!
//! Each is a mapping of its own, which begins, is copied and ends as its clause says (OpenACC 3.3 §2.7). Kernels have one address for
//! the variable, so those that a directive makes lie in one block of device memory, as far apart as on the host. Where earlier
//! directives made them, they are moved into one block before the first kernel that may use several of them. Where they cannot be
//! moved, since their addresses are known elsewhere, that kernel is refused.

use crate::call::{CallContext, LockedTable};
use crate::error::{codes, fatal_coded};
use crate::generation::changed;
use crate::location::Name;
use crate::log;
use crate::pool::Block;
use crate::present::{Mapping, Presence, PresentTable, Shared};
use crate::variable::{directive_line, first, names_nothing, section};
use accl_abi::{Var, data_flags, data_kind};
use smallvec::SmallVec;
use std::sync::Arc;

/// What may lie between sections without use, beside as much as they have themselves.
const GAP: usize = 1 << 20;

/// The blocks that a directive has made for sections.
#[derive(Default)]
pub struct Rooms(SmallVec<[Arc<Shared>; 1]>);

impl Rooms {
    /// The device's address for a section, and the block, if one was made that holds it.
    pub fn place(&self, var: &Var) -> Option<(u64, Arc<Shared>)> {
        self.0.iter().find_map(|shared| Some((shared.place(first(var), var.bytes)?, shared.clone())))
    }

    pub fn add(&mut self, host: usize, block: Block) {
        self.0.push(Arc::new(Shared::of_sections(block, host)));
    }
}

/// From the first byte to the last of all sections that a directive has of this one's variable, if there are others.
pub fn room(vars: &[Var], var: &Var) -> Option<(usize, usize)> {
    let of_variable = || vars.iter().filter(|other| other.base == var.base && makes_section(other));
    if !makes_section(var) || of_variable().nth(1).is_none() {
        return None;
    }
    let start = of_variable().map(first).min()?;
    let end = of_variable().map(|other| first(other) + other.bytes).max()?;
    let used: usize = of_variable().map(|other| other.bytes).sum();
    let needed = of_variable().any(|other| other.flags & data_flags::ONE_PLACE != 0);
    (needed || is_worth_a_block(end - start, used)).then_some((start, end))
}

fn is_worth_a_block(bytes: usize, used: usize) -> bool {
    bytes <= 2 * used + GAP
}

fn makes_section(var: &Var) -> bool {
    let makes =
        matches!(var.kind, data_kind::COPY | data_kind::COPYIN | data_kind::COPYOUT | data_kind::CREATE);
    let apart = data_flags::DEEP
        | data_flags::PRIVATE
        | data_flags::PART
        | data_flags::TOGETHER
        | data_flags::RESIDENT
        | data_flags::MUST_BE_PRESENT;
    makes && var.flags & apart == 0 && var.format.is_null() && !names_nothing(var)
}

/// Of sections that kernels reach from one address, each lies where that leads.
pub fn require_one_place(call: &CallContext, vars: &[Var]) {
    let in_one_place = |var: &&Var| var.flags & data_flags::ONE_PLACE != 0 && !names_nothing(var);
    for (at, var) in vars.iter().enumerate().filter(|(_, var)| in_one_place(var)) {
        let before = vars[..at].iter().filter(in_one_place).find(|other| other.base == var.base);
        if let Some(other) = before
            && let (Some(here), Some(there)) = (address(call, var), address(call, other))
            && here != there
        {
            refuse(call, &section(other), &section(var), directive_line(other));
        }
    }
}

/// A kernel may reach any section of the variable that is present: nobody said in which one it stays. So one address has to lead to
/// all. By OpenMP's rule, a pointer is the address of what is present where it points to, and leads no further (5.2 §5.8.6).
pub fn bring_together(call: &CallContext, locked: &mut LockedTable, var: &Var) {
    let reaches_others = match var.kind {
        data_kind::PRESENT => var.bytes == 0 || var.flags & data_flags::ONE_PLACE != 0,
        _ => var.flags & data_flags::ONE_PLACE != 0,
    };
    let elsewhere = data_flags::OPENMP | data_flags::ADDRESS | data_flags::PRIVATE;
    if !reaches_others || var.flags & elsewhere != 0 || call.state.uses_host_memory() {
        return;
    }
    let Presence::Inside(start) = call.find_in(locked, first(var), var.bytes) else { return };
    let table = locked.get_or_insert_with(|| call.state.table());
    let Some(here) = table.get(start).filter(|mapping| mapping.storage.is_plain()) else { return };
    let base = var.base as usize;
    let Some(other) = table.apart(base, here) else { return };
    let of = |mapping: &Mapping| section(&Var { offset: mapping.host - base, bytes: mapping.bytes, ..*var });
    let (one, other) = (of(here), of(other));
    *locked = None;
    if !gather(call, base) {
        refuse(call, &one, &other, directive_line(var));
    }
}

/// Moves the sections of a variable into one block of device memory. False where they have to stay where they are.
fn gather(call: &CallContext, base: usize) -> bool {
    let state = call.state;
    // Then nothing that is under way uses the old places.
    state.finish_all(call.location);
    let mut table = state.table();
    let starts = table.sections(base);
    let movable = starts.iter().filter_map(|start| table.get(*start)).all(|m| is_movable(&table, m));
    let sections = || starts.iter().filter_map(|start| table.get(*start));
    let (start, end) = (sections().map(|m| m.host).min(), sections().map(Mapping::end).max());
    let (Some(start), Some(end)) = (start, end) else { return false };
    if !movable || !is_worth_a_block(end - start, sections().map(|m| m.bytes).sum()) {
        return false;
    }
    let Ok(block) = state.pool.take(&*state.device, end - start, call.queue.id) else { return false };
    let shared = Arc::new(Shared::of_sections(block, start));
    for at in starts {
        let Some(mapping) = table.get_mut(at) else { continue };
        let (from, to) = (mapping.device, block.address + (at - start) as u64);
        call.put("moving data on the device", |queue| {
            // SAFETY: both are blocks of the device with as many bytes, and nothing else uses them.
            unsafe { state.device.copy(queue, to, from, mapping.bytes) }
        });
        let old = mapping.take_block();
        mapping.device = to;
        mapping.shared = Some(shared.clone());
        log::allocation("move", state, call.location, 0, Name(mapping.name), mapping.bytes, to);
        old.into_iter().for_each(|block| state.pool.give(block, call.queue.id));
    }
    changed();
    drop(table);
    state.finish(call.location, call.queue);
    true
}

/// Nobody outside of the table knows where it lies.
fn is_movable(table: &PresentTable, mapping: &Mapping) -> bool {
    let here = mapping.device..mapping.device + mapping.bytes as u64;
    let own = mapping.block.is_some() || mapping.shared.is_some();
    let known = mapping.busy || mapping.given || mapping.of_parts || mapping.is_permanent();
    own && !known && mapping.storage.is_plain() && !table.is_pointed_to(&here)
}

/// Where the variable begins for kernels that find it by this section.
fn address(call: &CallContext, var: &Var) -> Option<Option<u64>> {
    let (table, found) = call.find(first(var), var.bytes);
    let Presence::Inside(start) = found else { return None };
    let plain = |mapping: &&Mapping| mapping.storage.is_plain();
    Some(table.get(start).filter(plain).map(|mapping| mapping.translate(var.base as usize)))
}

fn refuse(call: &CallContext, one: &str, other: &str, line: i32) -> ! {
    let message = format!(
        "{one} and {other} are in different places of the device's memory, and one kernel may use both"
    );
    let notes = ["help: make them present by one directive, or by one section that covers both; or, where a construct stays in \
                  one of them, name that in a clause: present(a[first:number])"
        .to_owned()];
    fatal_coded(codes::APART, call.location, line, &message, &notes)
}
