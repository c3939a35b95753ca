//! The end of data regions, and `exit data`.

use super::{Counter, detach, exit_openmp, is_address, ready};
use crate::call::CallContext;
use crate::location::Name;
use crate::not_present::partial;
use crate::present::{Mapping, Presence};
use crate::profiling::{self, About, Data, Moment};
use crate::storage::contents::Contents;
use crate::storage::{self, Access};
use crate::variable::{directive_line, first, names_nothing};
use crate::{log, rows, target_info};
use accl_abi::{Var, data_flags, data_kind};
use smallvec::SmallVec;

/// Ends data regions and executes `exit data`.
pub fn exit(call: &CallContext, vars: &[Var], counter: Counter) {
    if vars.first().is_some_and(|var| var.flags & data_flags::OPENMP != 0) {
        return exit_openmp::exit(call, vars, counter);
    }
    // Rows and other parts go before what they may be parts of.
    let parts = vars.iter().rev().take_while(|var| var.flags & data_flags::PART != 0).count();
    let (vars, parts) = vars.split_at(vars.len() - parts);
    if !parts.is_empty() {
        exit_others(call, parts, 0, counter);
    }
    let in_order = !vars.iter().any(rows::is_deep);
    let kept = if counter == Counter::Structured && in_order { exit_kept(call, vars) } else { 0 };
    if kept < vars.len() {
        exit_others(call, vars, kept, counter);
    }
}

/// What most launches find: the data stays, and nothing is to be copied. How many variables, from the first on, are so.
#[inline]
fn exit_kept(call: &CallContext, vars: &[Var]) -> usize {
    let mut table = call.state.table();
    vars.iter()
        .take_while(|var| {
            is_address(var) || ready(&mut table, var).is_some_and(|(_, mapping)| lower(mapping))
        })
        .count()
}

/// Lowers the structured count if the mapping stays; false where it does not.
#[inline]
fn lower(mapping: &mut Mapping) -> bool {
    let stays = stays(mapping);
    if stays {
        mapping.structured = mapping.structured.saturating_sub(1);
    }
    stays
}

/// Whether the mapping stays when one reference ends.
#[inline]
pub fn stays(mapping: &Mapping) -> bool {
    mapping.is_permanent() || mapping.structured + mapping.dynamic > 1
}

/// As [`exit`], of variables from number `kept` on, some of which may go. Pointers are detached first, since what they point to may go.
#[inline(never)]
fn exit_others(call: &CallContext, vars: &[Var], kept: usize, counter: Counter) {
    detach_all(call, &vars[kept..], counter);
    let mut released = Vec::new();
    let mut copied = false;
    for var in vars[kept..].iter().filter(|var| rows::is_deep(var)) {
        copied |= rows::exit(call, var, counter, &mut released);
    }
    for (at, var) in vars.iter().enumerate().skip(kept).filter(|(_, var)| !rows::is_deep(var)) {
        let earlier = if counter == Counter::Structured { &vars[..at] } else { &[] };
        if counter == Counter::Structured && exit_kept(call, std::slice::from_ref(var)) > 0 {
            continue;
        }
        match var.kind {
            data_kind::COPY
            | data_kind::COPYIN
            | data_kind::COPYOUT
            | data_kind::CREATE
            | data_kind::PRESENT
            | data_kind::DELETE => {
                copied |= exit_one(call, var, earlier, counter, &mut released);
            }
            data_kind::NO_CREATE if var.reserved == 1 => {
                copied |= exit_one(call, var, earlier, counter, &mut released)
            }
            _ => {}
        }
    }
    // Freed last: the next use of a block is ordered after what is on the queue by now, and so
    // after the other queues that used it.
    released.into_iter().for_each(|mapping| free(call, mapping));
    if copied {
        call.finish_if_sync();
    }
}

pub fn detach_all(call: &CallContext, vars: &[Var], counter: Counter) {
    for var in vars {
        match var.kind {
            data_kind::DETACH => detach(call, var, var.flags & data_flags::FINALIZE != 0),
            data_kind::ATTACH if counter == Counter::Structured => detach(call, var, false),
            _ => {}
        }
    }
}

/// Gives the device memory of a mapping that is no more back to the pool.
pub fn free(call: &CallContext, mut mapping: Mapping) {
    let queue = call.queue.id;
    mapping.queues.iter().filter(|other| **other != queue).for_each(|other| call.order_after(*other));
    if let Some(block) = mapping.storage.extra_block() {
        call.state.pool.give(block, queue);
    }
    let mut bytes = mapping.device_bytes();
    if let Some(shared) = &mapping.shared {
        bytes = shared.block.bytes;
        let left = shared.leave(queue);
        left.into_iter().filter(|other| *other != queue).for_each(|other| call.order_after(other));
    }
    target_info::removed(call, &mapping);
    if let Some(block) = mapping.take_block() {
        log::allocation("delete", call.state, call.location, 0, Name(mapping.name), bytes, block.address);
        let (name, host) = (Name(mapping.name), mapping.host);
        let data = || Data { name, bytes, host, device: block.address };
        profiling::moment(Moment::Delete, || About::of(call), data);
        profiling::moment(Moment::Free, || About::of(call), data);
        call.state.pool.give(block, queue);
    }
}

/// Lowers a count and, where it was the last, copies out: of those that a construct names `earlier`, too, parts that lie in what is
/// no more. True where host memory is written.
fn exit_one(
    call: &CallContext,
    var: &Var,
    earlier: &[Var],
    counter: Counter,
    released: &mut Vec<Mapping>,
) -> bool {
    let host = first(var);
    if names_nothing(var) {
        return false;
    }
    let exclusive = storage::exclusive(call);
    let (mut table, found) = call.find(host, var.bytes);
    let start = match found {
        Presence::Inside(start) => start,
        Presence::Partial(start) => partial(call, var, &table, start),
        // Section 2.7: no action where the data is not present (any more).
        Presence::Absent => return false,
    };
    let Some(mapping) = table.get_mut(start) else {
        return false;
    };
    let last = lower_count(var, counter, mapping);
    let on_host = call.state.shared() && mapping.storage.is_plain() && mapping.is_host_memory();
    let copies = |var: &&Var| {
        matches!(var.kind, data_kind::COPY | data_kind::COPYOUT)
            && (last || var.flags & data_flags::ALWAYS_OUT != 0)
            && !on_host
    };
    let (begin, end) = (mapping.host, mapping.end());
    let within = |var: &&Var| begin <= first(var) && first(var) + var.bytes <= end && !names_nothing(var);
    let earlier = earlier.iter().filter(|_| last).filter(within);
    let contents: SmallVec<[(&Var, Contents); 2]> = earlier
        .chain([var])
        .filter(copies)
        .map(|var| {
            let part = (first(var), var.bytes);
            (var, Contents::for_transfer(call, &exclusive, mapping, part, Access::Read))
        })
        .collect();
    let line = match counter {
        Counter::Structured => call.location.0.end_line,
        Counter::Dynamic => directive_line(var),
    };
    let gone = if last { table.remove_at(start, call.location, line) } else { None };
    drop(table);
    drop(exclusive);
    for (var, contents) in &contents {
        contents.receive(call, var, (first(var), var.bytes));
    }
    released.extend(gone);
    !contents.is_empty()
}

/// Lowers the count that the directive is about; true where the mapping is to go.
fn lower_count(var: &Var, counter: Counter, mapping: &mut Mapping) -> bool {
    (mapping.structured, mapping.dynamic) = mapping.lowered(var, counter);
    mapping.structured == 0 && mapping.dynamic == 0 && !mapping.is_permanent()
}
