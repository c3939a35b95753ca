//! The variables of a kept launch, and how far their sections may move without a change of its plan.
//!
//! Programs that go through a matrix by rows launch a kernel for each, with a section that only moves. Where nothing in the
//! plan depends on the section's place but addresses, the plan moves along.

use crate::call::{CallContext, LockedTable};
use crate::launch::USUAL_ARGUMENTS;
use crate::launch::prepare::no_alias;
use crate::storage::arguments::ArgumentRange;
use crate::variable::{first, format};
use accl_abi::{Arg, Format, LaunchInfo, Var, arg_flags, arg_kind, data_kind};
use smallvec::SmallVec;

/// How many variables of a launch need no heap.
const USUAL_VARIABLES: usize = 8;

pub type CachedVariables = SmallVec<[CachedVariable; USUAL_VARIABLES]>;

/// A variable, as the launch's arguments were made of it.
#[derive(Clone, Copy)]
pub struct CachedVariable {
    /// Its position among the launch's variables.
    pub index: u32,
    kind: u32,
    base: usize,
    offset: usize,
    bytes: usize,
    format: Option<Format>,
    movable: Option<MovableWithin>,
}

/// Host addresses among which a section may move.
#[derive(Clone, Copy)]
struct MovableWithin {
    begin: usize,
    end: usize,
    /// Bits that have to be 0 in what it moves by, for arguments that are accessed several elements at a time.
    misaligned: usize,
}

impl CachedVariable {
    fn new(index: u32, var: &Var) -> CachedVariable {
        let (base, offset, bytes) = (var.base as usize, var.offset, var.bytes);
        let format = format(var).copied();
        CachedVariable { index, kind: var.kind, base, offset, bytes, format, movable: None }
    }

    /// How far the base has moved, if the variable would make the same arguments but for that; this one is then where
    /// the variable is.
    #[inline]
    pub fn follow(&mut self, var: &Var) -> Option<usize> {
        if self.bytes != var.bytes || self.kind != var.kind || self.format.as_ref() != format(var) {
            return None;
        }
        if self.base == var.base as usize && self.offset == var.offset {
            return Some(0);
        }
        let by = (var.base as usize).wrapping_sub(self.base);
        if !self.movable.is_some_and(|within| within.has(var) && by & within.misaligned == 0) {
            return None;
        }
        (self.base, self.offset) = (var.base as usize, var.offset);
        Some(by)
    }
}

impl MovableWithin {
    fn has(&self, var: &Var) -> bool {
        let begin = first(var);
        self.begin <= begin && begin.saturating_add(var.bytes) <= self.end && fits_index32(var)
    }
}

/// Subscripts of type int reach all of it.
fn fits_index32(var: &Var) -> bool {
    var.offset.saturating_add(var.bytes) <= i32::MAX as usize
}

/// The variables that the arguments are made of, each once.
///
/// # Safety
/// As for [`look_up`](super::look_up).
pub unsafe fn cached_variables(
    call: &CallContext,
    info: &LaunchInfo,
    table: &[Arg],
    ranges: &[ArgumentRange],
) -> CachedVariables {
    let mut variables: CachedVariables = SmallVec::new();
    let mut widest: SmallVec<[ArgumentRange; USUAL_ARGUMENTS]> = ranges.into();
    let mut locked = None;
    for arg in table {
        let of_variable = matches!(arg.kind, arg_kind::DATA | arg_kind::CODEC | arg_kind::EXTENT);
        if !of_variable || variables.iter().any(|variable| variable.index == arg.index) {
            continue;
        }
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let mut variable = CachedVariable::new(arg.index, var);
        variable.movable = movable_within(call, &mut locked, arg.index, var, table, &mut widest);
        variables.push(variable);
    }
    // Where sections keep out of what the others may move in they never overlap. How encoded arrays are read may depend on the
    // others' sizes.
    if !no_alias(&widest) || variables.iter().any(|variable| variable.format.is_some()) {
        variables.iter_mut().for_each(|variable| variable.movable = None);
    }
    variables
}

/// Where a variable that is stored plain may move, if nothing but addresses depends on its place; the ranges of its arguments
/// become all of that.
fn movable_within(
    call: &CallContext,
    locked: &mut LockedTable,
    index: u32,
    var: &Var,
    table: &[Arg],
    ranges: &mut [ArgumentRange],
) -> Option<MovableWithin> {
    let its = |arg: &Arg, kind| arg.kind == kind && arg.index == index;
    let is_placed = var.kind == data_kind::DEVICEPTR || table.iter().any(|arg| its(arg, arg_kind::EXTENT));
    if is_placed || var.bytes == 0 || !fits_index32(var) {
        return None;
    }
    let mapping = call.mapping(locked, first(var), var.bytes).filter(|mapping| mapping.storage.is_plain())?;
    let mut misaligned = 0;
    for (range, arg) in ranges.iter_mut().zip(table).filter(|(_, arg)| its(arg, arg_kind::DATA)) {
        (range.begin, range.end) = (mapping.device, mapping.device + mapping.bytes as u64);
        if arg.flags & arg_flags::VECTOR != 0 {
            misaligned = 15;
        }
    }
    Some(MovableWithin { begin: mapping.host, end: mapping.end(), misaligned })
}
