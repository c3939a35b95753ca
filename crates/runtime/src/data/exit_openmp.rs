//! The end of OpenMP's data regions, and `target exit data` (OpenMP 5.2 §5.8.3).
//!
//! A directive lowers the count of a mapping once, however many of its variables lie there, and all of these are copied
//! to the host where it was the last.

use super::exit::{detach_all, free, stays};
use super::{Counter, counts_here, is_address, means_part, ready, touching};
use crate::call::CallContext;
use crate::not_present::absent;
use crate::present::{Mapping, Presence};
use crate::rows;
use crate::storage::contents::Contents;
use crate::storage::{self, Access};
use crate::variable::{directive_line, first};
use accl_abi::{Var, data_flags, data_kind};
use smallvec::SmallVec;

/// A variable, and where the mapping begins that holds it.
type Found<'v> = SmallVec<[(&'v Var, usize); 8]>;

pub fn exit(call: &CallContext, vars: &[Var], counter: Counter) {
    if counter == Counter::Dynamic || !all_kept(call, vars) {
        exit_others(call, vars, counter);
    }
}

/// What most launches find: all the data stays, and nothing is to be copied. Lowers the counts then, and does nothing else.
#[inline]
fn all_kept(call: &CallContext, vars: &[Var]) -> bool {
    let mut table = call.state.table();
    let mut slots = SmallVec::<[usize; 8]>::new();
    for var in vars.iter().filter(|var| !is_address(var)) {
        match ready(&mut table, var) {
            Some((slot, mapping)) if stays(mapping) => {
                if !slots.contains(&slot) {
                    slots.push(slot);
                }
            }
            _ => return false,
        }
    }
    for slot in slots {
        if let Some(mapping) = table.in_slot(slot) {
            mapping.structured = mapping.structured.saturating_sub(1);
        }
    }
    true
}

/// As [`exit`], of variables some of which may go.
#[inline(never)]
fn exit_others(call: &CallContext, vars: &[Var], counter: Counter) {
    detach_all(call, vars, counter);
    let mut released = Vec::new();
    let mut copied = false;
    for var in vars.iter().filter(|var| rows::is_deep(var)) {
        copied |= rows::exit(call, var, counter, &mut released);
    }
    let flat = vars.iter().filter(|var| !rows::is_deep(var));
    let found: Found = flat.filter_map(|var| Some((var, mapping_of(call, var, counter)?))).collect();
    let mut gone = lower(call, &found, counter);
    for (var, start) in &found {
        copied |= copy_out(call, var, *start, &mut gone);
    }
    released.extend(gone);
    released.into_iter().for_each(|mapping| free(call, mapping));
    if copied {
        call.finish_if_sync();
    }
}

/// The beginning of the mapping that the directive counts for a variable. What is not wholly present is left alone.
fn mapping_of(call: &CallContext, var: &Var, counter: Counter) -> Option<usize> {
    let counts = match var.kind {
        data_kind::COPY
        | data_kind::COPYIN
        | data_kind::COPYOUT
        | data_kind::CREATE
        | data_kind::PRESENT
        | data_kind::DELETE => true,
        data_kind::NO_CREATE => var.reserved == 1,
        _ => false,
    };
    if !counts || var.base.is_null() {
        return None;
    }
    // A construct ends what it began, an `exit data` what it finds.
    if var.bytes == 0 && var.reserved == 0 && counter == Counter::Structured {
        return None;
    }
    let (table, found) = match var.bytes {
        0 => touching(call, var),
        bytes => call.find(first(var), bytes),
    };
    match found {
        Presence::Inside(start) => table.get(start).is_some_and(|m| counts_here(var, m)).then_some(start),
        Presence::Partial(start) if means_part(var) && var.reserved == 1 => Some(start),
        // The members of an object that were mapped together, by the name of the object.
        Presence::Partial(start) if counter == Counter::Dynamic => {
            let holds = |m: &Mapping| m.of_parts && first(var) <= m.host && m.end() <= first(var) + var.bytes;
            table.get(start).is_some_and(holds).then_some(start)
        }
        // What a construct demands it has demanded when it began.
        Presence::Partial(_) | Presence::Absent
            if counter == Counter::Dynamic && var.flags & data_flags::MUST_BE_PRESENT != 0 =>
        {
            absent(call, var, &table)
        }
        Presence::Partial(_) | Presence::Absent => None,
    }
}

/// Lowers the counts; gives the mappings that are no more.
fn lower(call: &CallContext, found: &Found, counter: Counter) -> Vec<Mapping> {
    let mut gone = Vec::new();
    let mut table = call.state.table();
    for (at, (var, start)) in found.iter().enumerate() {
        if found[..at].iter().any(|(_, earlier)| earlier == start) {
            continue;
        }
        let of_mapping = || found.iter().filter(|(_, other)| other == start).map(|(var, _)| var);
        let ends = of_mapping().find(|var| var.flags & data_flags::FINALIZE != 0).unwrap_or(var);
        let Some(mapping) = table.get_mut(*start) else { continue };
        (mapping.structured, mapping.dynamic) = mapping.lowered(ends, counter);
        if mapping.structured == 0 && mapping.dynamic == 0 && !mapping.is_permanent() {
            let line = match counter {
                Counter::Structured => call.location.0.end_line,
                Counter::Dynamic => directive_line(var),
            };
            gone.extend(table.remove_at(*start, call.location, line));
        }
    }
    gone
}

/// True where host memory is written.
fn copy_out(call: &CallContext, var: &Var, start: usize, gone: &mut [Mapping]) -> bool {
    if !matches!(var.kind, data_kind::COPY | data_kind::COPYOUT) || var.bytes == 0 {
        return false;
    }
    let exclusive = storage::exclusive(call);
    let mut table = call.state.table();
    let mapping = match gone.iter_mut().find(|mapping| mapping.host == start) {
        Some(mapping) => mapping,
        None if var.flags & data_flags::ALWAYS_OUT == 0 => return false,
        None => match table.get_mut(start) {
            Some(mapping) => mapping,
            None => return false,
        },
    };
    if call.state.shared() && mapping.storage.is_plain() && mapping.is_host_memory() {
        return false;
    }
    // Of a variable in no clause, the part that is present.
    let (begin, end) = (first(var).max(mapping.host), (first(var) + var.bytes).min(mapping.end()));
    let part = (begin, end - begin);
    let contents = Contents::for_transfer(call, &exclusive, mapping, part, Access::Read);
    drop(table);
    drop(exclusive);
    contents.receive(call, var, part);
    true
}
