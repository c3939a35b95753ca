//! Arrays of pointers and what they point to, as one section: `a[0:n][0:m]` of `float **a`.
//!
//! OpenACC 3.3 section 2.7.1. A variable with the flag `DEEP` has an array of pointers as its section, and for each
//! further level the stretch behind each pointer (`dims`). Each row is a mapping of its own, so that rows can be present
//! before, be named alone and leave at different times; new ones share one block of device memory, in which they lie
//! one after the other. Each pointer is attached (section 2.6.7), so the device's pointers are written once, and the
//! host's never.
//!
//! What a directive found by the host's pointers when the rows came, one that lets them go finds by the attachments,
//! whatever the host's pointers are by then. A null pointer has no row.
//!
//! Invariant: an entering clause raises the count of each mapping that holds some of its rows once, the one that ends it
//! lowers the same ones once.

mod enter;
mod leave;
mod transfer;

pub use enter::enter;
pub use leave::{exit, update};

use crate::call::CallContext;
use crate::location::Name;
use crate::present::{Mapping, Presence, PresentTable};
use crate::variable::{directive_line, first, name};
use accl_abi::{Dim, Var, data_flags, slice};
use std::sync::MutexGuard;
use transfer::RowPiece;

const POINTER: usize = size_of::<usize>();

/// The variable's section goes through pointers.
pub fn is_deep(var: &Var) -> bool {
    var.flags & data_flags::DEEP != 0
}

/// A kernel would follow pointers that nobody attached: they would be addresses of the host.
pub fn refuse_host_pointers(call: &CallContext, var: &Var) -> ! {
    let message = format!(
        "a kernel follows pointers in {}, which is in no data clause and not present: they would be addresses of the host",
        name(var)
    );
    let name = name(var);
    let help = format!(
        "help: put it on the device with what it points to: {name}[0:n][0:m] of an array of pointers; of structures, \
         {name} in one directive and the members in the next"
    );
    crate::error::fatal_coded(
        crate::error::codes::NOT_PRESENT,
        call.location,
        directive_line(var),
        &message,
        &[help],
    )
}

/// A stretch of host memory: the array of pointers, or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    host: usize,
    bytes: usize,
    /// It holds pointers to further stretches.
    pointers: bool,
}

impl Stretch {
    fn end(&self) -> usize {
        self.host + self.bytes
    }
}

/// A pointer and what it points to: the row's first byte that the section has, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    at: usize,
    target: usize,
    row: usize,
    bytes: usize,
}

/// What a variable is made of.
struct DeepSection {
    /// The stretches in the order of the levels, the array of pointers first.
    parts: Vec<Stretch>,
    slots: Vec<Slot>,
}

impl DeepSection {
    /// `target`: what a pointer variable points to, if its row belongs to the section.
    fn of(var: &Var, mut target: impl FnMut(usize) -> Option<usize>) -> DeepSection {
        // SAFETY: the table's dimensions live for the call.
        let levels: &[Dim] = unsafe { slice(var.dims, var.n_dims) };
        let mut parts = vec![Stretch { host: first(var), bytes: var.bytes, pointers: true }];
        let mut slots = vec![];
        let mut level_start = 0;
        for (number, level) in levels.iter().enumerate() {
            let holders = level_start..parts.len();
            level_start = parts.len();
            for holder in holders {
                let Stretch { host, bytes, .. } = parts[holder];
                for at in (host..host + bytes).step_by(POINTER) {
                    let Some(target) = target(at) else { continue };
                    let row = target.wrapping_add(level.stride);
                    slots.push(Slot { at, target, row, bytes: level.count });
                    if level.count > 0 {
                        let pointers = number + 1 < levels.len();
                        parts.push(Stretch { host: row, bytes: level.count, pointers });
                    }
                }
            }
        }
        DeepSection { parts, slots }
    }

    /// The section that the host's pointers lead to now.
    fn of_host(var: &Var) -> DeepSection {
        DeepSection::of(var, |at| Some(pointer_at(at)).filter(|target| *target != 0))
    }

    /// The section that the pointers led to when they were attached; that of the host's pointers where the array of them has gone before its rows.
    fn attached(var: &Var, table: &PresentTable) -> DeepSection {
        DeepSection::of(var, |at| match holder(table, at) {
            Some(holder) => Some(holder.attached.get(&at)?.host_target),
            None => Some(pointer_at(at)).filter(|target| *target != 0),
        })
    }

    /// The stretches of host memory, in order; parts that overlap are one.
    fn stretches(&self, call: &CallContext, var: &Var) -> Vec<Stretch> {
        let mut sorted = self.parts.clone();
        sorted.sort_by_key(|part| (part.host, part.bytes));
        let mut all: Vec<Stretch> = Vec::with_capacity(sorted.len());
        for part in sorted {
            match all.last_mut() {
                Some(last) if part.host < last.end() => {
                    if last.pointers != part.pointers {
                        let message =
                            format!("a row of {} overlaps an array of pointers to its rows", name(var));
                        call.fatal(var.line, &message, &[]);
                    }
                    last.bytes = last.bytes.max(part.end() - last.host);
                }
                _ => all.push(part),
            }
        }
        all
    }
}

fn pointer_at(at: usize) -> usize {
    // SAFETY: the section is the user's, an array of pointers.
    unsafe { (at as *const usize).read_unaligned() }
}

/// The mapping around a stretch that is known to be present.
fn holder(table: &PresentTable, host: usize) -> Option<&Mapping> {
    match table.find(host, 1) {
        Presence::Inside(start) => table.get(start),
        Presence::Absent | Presence::Partial(_) => None,
    }
}

/// The allocation that a mapping lies in.
fn block_of(mapping: &Mapping) -> u64 {
    match (&mapping.shared, &mapping.block) {
        (Some(shared), _) => shared.block.address,
        (None, Some(block)) => block.address,
        (None, None) => mapping.device,
    }
}

/// A part of a mapping that travels. Kernels could not reach encoded rows by a pointer.
fn piece(call: &CallContext, var: &Var, mapping: &Mapping, part: &Stretch) -> RowPiece {
    if mapping.storage.encoded().is_some() {
        let row = Name(mapping.name);
        let message = format!("{} is held compressed, and is a row of {}", row, name(var));
        call.fatal(var.line, &message, &["help: hold the rows of an array of pointers plain".to_owned()]);
    }
    RowPiece {
        host: part.host,
        device: mapping.translate(part.host),
        bytes: part.bytes,
        block: block_of(mapping),
    }
}

/// The table, while no other thread is making one of these stretches.
fn table_when_ready(call: &CallContext, stretches: &[Stretch]) -> MutexGuard<'static, PresentTable> {
    loop {
        let table = call.state.table();
        let busy = stretches.iter().find(|part| match table.find(part.host, part.bytes) {
            Presence::Inside(start) => table.get(start).is_some_and(|mapping| mapping.busy),
            Presence::Absent | Presence::Partial(_) => false,
        });
        let Some(busy) = busy else { return table };
        drop(table);
        drop(call.find(busy.host, busy.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_follow_pointers_but_null_ones() {
        let rows = [[1.0f64; 4], [2.0; 4]];
        let pointers = [rows[1].as_ptr(), std::ptr::null(), rows[0].as_ptr(), rows[1].as_ptr()];
        let levels = [Dim { stride: 8, count: 16 }];
        let var = Var {
            base: pointers.as_ptr() as *mut _,
            bytes: size_of_val(&pointers),
            dims: levels.as_ptr(),
            n_dims: 1,
            flags: data_flags::DEEP,
            // SAFETY: zeroes are an empty description.
            ..unsafe { std::mem::zeroed() }
        };
        let section = DeepSection::of_host(&var);
        assert_eq!(section.slots.len(), 3);
        let row = |n: usize| Stretch { host: rows[n].as_ptr() as usize + 8, bytes: 16, pointers: false };
        assert_eq!(section.parts[1..], [row(1), row(0), row(1)]);
    }
}
