//! Rows that go, and those that are updated.

use super::transfer::{RowPiece, receive, send};
use super::{DeepSection, POINTER, Slot, Stretch, block_of, holder, piece, pointer_at, table_when_ready};
use crate::call::CallContext;
use crate::data::Counter;
use crate::generation::changed;
use crate::not_present::{absent, partial};
use crate::present::{Mapping, Presence, PresentTable};
use crate::storage::column_major;
use crate::variable::{directive_line, first, name, names_nothing};
use accl_abi::{Var, data_flags, data_kind};
use std::collections::BTreeSet;

/// Ends a region with the variable, or executes `exit data`. True where host memory is written.
pub fn exit(call: &CallContext, var: &Var, counter: Counter, released: &mut Vec<Mapping>) -> bool {
    column_major::make_all_plain(call);
    match var.kind {
        _ if names_nothing(var) => return false,
        data_kind::PRESENT => return let_go(call, var, counter, released),
        data_kind::NO_CREATE if var.reserved == 1 => return let_go(call, var, counter, released),
        data_kind::COPY | data_kind::COPYIN | data_kind::COPYOUT | data_kind::CREATE | data_kind::DELETE => {}
        _ => return false,
    }
    let (table, _) = call.find(first(var), var.bytes);
    let section = DeepSection::attached(var, &table);
    drop(table);
    let mut table = table_when_ready(call, &section.parts);
    let starts = mappings(call, var, &table, &section.parts);
    let last = |start: &usize| table.get(*start).is_some_and(|mapping| is_last(var, counter, mapping));
    let leaving: BTreeSet<usize> = starts.iter().copied().filter(last).collect();
    let rows = pieces_to_host(call, var, &table, &section.parts, &leaving);
    let writes = detach(var, &mut table, &section.slots, &leaving);
    for start in starts {
        released.extend(lower(call, var, counter, &mut table, start));
    }
    drop(table);
    if call.state.shared() {
        return false;
    }
    send(call, name(var), var.line, writes.iter().map(Written::piece).collect(), false);
    let copied = !rows.is_empty();
    receive(call, name(var), var.line, rows);
    copied
}

/// Lets go of rows that only had to be there: of these, a construct counts the array of pointers alone.
fn let_go(call: &CallContext, var: &Var, counter: Counter, released: &mut Vec<Mapping>) -> bool {
    let (mut table, found) = call.find(first(var), var.bytes);
    match found {
        Presence::Inside(start) => released.extend(lower(call, var, counter, &mut table, start)),
        Presence::Partial(start) => partial(call, var, &table, start),
        Presence::Absent => {}
    }
    false
}

/// The mappings that hold the parts.
fn mappings(call: &CallContext, var: &Var, table: &PresentTable, parts: &[Stretch]) -> BTreeSet<usize> {
    let mut starts = BTreeSet::new();
    for part in parts {
        match table.find(part.host, part.bytes) {
            Presence::Inside(start) => {
                starts.insert(start);
            }
            Presence::Partial(start) => {
                let row = Var { base: part.host as *mut _, offset: 0, bytes: part.bytes, ..*var };
                partial(call, &row, table, start)
            }
            Presence::Absent => {}
        }
    }
    starts
}

fn is_last(var: &Var, counter: Counter, mapping: &Mapping) -> bool {
    mapping.lowered(var, counter) == (0, 0) && !mapping.is_permanent()
}

/// Lowers a count; gives the mapping if that was the last.
fn lower(
    call: &CallContext,
    var: &Var,
    counter: Counter,
    table: &mut PresentTable,
    start: usize,
) -> Option<Mapping> {
    let mapping = table.get_mut(start)?;
    let last = is_last(var, counter, mapping);
    (mapping.structured, mapping.dynamic) = mapping.lowered(var, counter);
    let line = match counter {
        Counter::Structured => call.location.0.end_line,
        Counter::Dynamic => directive_line(var),
    };
    if last { table.remove_at(start, call.location, line) } else { None }
}

/// The rows that are copied out. The host's pointers stay as they are.
fn pieces_to_host(
    call: &CallContext,
    var: &Var,
    table: &PresentTable,
    parts: &[Stretch],
    leaving: &BTreeSet<usize>,
) -> Vec<RowPiece> {
    let copies = matches!(var.kind, data_kind::COPY | data_kind::COPYOUT);
    if !copies || call.state.shared() {
        return vec![];
    }
    let always = var.flags & data_flags::ALWAYS_OUT != 0;
    let rows = parts.iter().filter(|part| !part.pointers);
    rows.filter_map(|part| {
        let mapping = holder(table, part.host)?;
        (always || leaving.contains(&mapping.host)).then(|| piece(call, var, mapping, part))
    })
    .collect()
}

/// A pointer of the host's that the device gets back.
struct Written {
    value: u64,
    device: u64,
    block: u64,
}

impl Written {
    fn piece(&self) -> RowPiece {
        RowPiece {
            host: &raw const self.value as usize,
            device: self.device,
            bytes: POINTER,
            block: self.block,
        }
    }
}

/// DeepSection 2.7.12, for each pointer. What leaves needs no pointers any more.
fn detach(var: &Var, table: &mut PresentTable, slots: &[Slot], leaving: &BTreeSet<usize>) -> Vec<Written> {
    let finalize = var.flags & data_flags::FINALIZE != 0;
    let mut written = vec![];
    for slot in slots {
        let Presence::Inside(start) = table.find(slot.at, POINTER) else { continue };
        let Some(mapping) = table.get_mut(start) else { continue };
        let (device, block) = (mapping.translate(slot.at), block_of(mapping));
        let Some(attachment) = mapping.attached.get_mut(&slot.at) else { continue };
        attachment.count = if finalize { 0 } else { attachment.count.saturating_sub(1) };
        if attachment.count > 0 {
            continue;
        }
        mapping.attached.remove(&slot.at);
        if !leaving.contains(&start) {
            written.push(Written { value: slot.target as u64, device, block });
        }
    }
    changed();
    written
}

/// The update directive: rows alone travel.
pub fn update(call: &CallContext, var: &Var) {
    if names_nothing(var) {
        return;
    }
    column_major::make_all_plain(call);
    let table = call.state.table();
    let section = DeepSection::of(var, |at| {
        let attached = holder(&table, at).and_then(|holder| Some(holder.attached.get(&at)?.host_target));
        Some(attached.unwrap_or_else(|| pointer_at(at))).filter(|target| *target != 0)
    });
    drop(table);
    let table = table_when_ready(call, &section.parts);
    let mut rows = vec![];
    for part in &section.parts {
        let row = Var { base: part.host as *mut _, offset: 0, bytes: part.bytes, ..*var };
        match table.find(part.host, part.bytes) {
            Presence::Inside(start) if !part.pointers => {
                rows.extend(table.get(start).map(|mapping| piece(call, var, mapping, part)));
            }
            Presence::Inside(_) => {}
            Presence::Partial(start) => partial(call, &row, &table, start),
            Presence::Absent if var.flags & data_flags::IF_PRESENT != 0 => {}
            Presence::Absent => absent(call, &row, &table),
        }
    }
    drop(table);
    if call.state.shared() {
        return;
    }
    match var.kind {
        data_kind::UPDATE_SELF => receive(call, name(var), var.line, rows),
        _ => send(call, name(var), var.line, rows, false),
    }
}
