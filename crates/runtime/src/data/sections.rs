//! Several sections of one variable in one directive.
//!
//! Each is a mapping of its own, which begins, is copied and ends as its clause says (OpenACC 3.3 §2.7). Kernels have one address for
//! the variable, so those that a directive makes lie in one block of device memory, as far apart as on the host. Where earlier
//! directives made them, the addresses decide: a kernel that uses several of them is refused if one address does not do.

use crate::call::CallContext;
use crate::error::{codes, fatal_coded};
use crate::pool::Block;
use crate::present::{Mapping, Presence, Shared};
use crate::variable::{directive_line, first, names_nothing, section};
use accl_abi::{Var, data_flags, data_kind};
use smallvec::SmallVec;
use std::sync::Arc;

/// What may lie between sections without use, beside as much as they have themselves.
const GAP: usize = 1 << 20;

/// The blocks that a directive has made for sections, each with the host's address that goes with its start.
#[derive(Default)]
pub struct Rooms(SmallVec<[(usize, Arc<Shared>); 1]>);

impl Rooms {
    /// The device's address for a section, and the block, if one was made that holds it.
    pub fn place(&self, var: &Var) -> Option<(u64, Arc<Shared>)> {
        let holds = |(host, shared): &&(usize, Arc<Shared>)| {
            *host <= first(var) && first(var) + var.bytes <= *host + shared.block.bytes
        };
        let (host, shared) = self.0.iter().find(holds)?;
        Some((shared.block.address + (first(var) - host) as u64, shared.clone()))
    }

    pub fn add(&mut self, host: usize, block: Block) {
        self.0.push((host, Arc::new(Shared::new(block))));
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
    (needed || end - start <= 2 * used + GAP).then_some((start, end))
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
            refuse(call, other, var);
        }
    }
}

/// Where the variable begins for kernels that find it by this section.
fn address(call: &CallContext, var: &Var) -> Option<Option<u64>> {
    let (table, found) = call.find(first(var), var.bytes);
    let Presence::Inside(start) = found else { return None };
    let plain = |mapping: &&Mapping| mapping.storage.is_plain();
    Some(table.get(start).filter(plain).map(|mapping| mapping.translate(var.base as usize)))
}

fn refuse(call: &CallContext, one: &Var, other: &Var) -> ! {
    let (a, b) = (section(one), section(other));
    let message =
        format!("{a} and {b} are in different places of the device's memory, and one kernel uses both");
    let notes = ["help: make them present by one directive, or by one section that covers both".to_owned()];
    fatal_coded(codes::APART, call.location, directive_line(other), &message, &notes)
}
