//! Constructs whose pointers lead where those of an earlier one did.
//!
//! To follow thousands of pointers takes longer than many kernels do. What they lead to depends on the construct's items, on the pointers
//! themselves, on the objects of the program, and on what data clauses name. Where all of these are as they were, so is what was
//! found. Small tables are compared with what they held; of large ones the pages are watched
//! ([`KnownRows`](super::translated::KnownRows)).
//!
//! Invariant: everything that the pointers lead to was known, so memory that is allocated later is none of it.

use super::followed::{Reached, extent};
use super::objects;
use super::tables::{Table, row_at};
use crate::call::CallContext;
use crate::generation::generation;
use accl_abi::Var;
use std::cell::RefCell;
use std::ops::Range;

/// Bytes of a construct's tables that are compared.
const COMPARED: usize = 1 << 20;
/// Constructs of a thread that are remembered.
const KEPT: usize = 16;

thread_local! {
    static REMEMBERED: RefCell<Vec<Reached>> = const { RefCell::new(Vec::new()) };
}

/// What the program's objects and the data clauses' were when somebody began to follow pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    objects: u64,
    clauses: u64,
}

impl Moment {
    pub(super) fn now() -> Moment {
        Moment { objects: objects::changes(), clauses: generation() }
    }
}

/// While this holds, the tables that it compares lead where they did.
pub(super) struct Proof {
    pub(super) moment: Moment,
    tables: Vec<Compared>,
}

impl Proof {
    /// For tables that were followed from this moment on. `None` where there is too much to compare.
    pub(super) fn of<'t>(moment: Moment, tables: impl Iterator<Item = &'t Table>) -> Option<Proof> {
        let (mut compared, mut bytes) = (vec![], 0);
        for table in tables {
            bytes += table.extent.len();
            if bytes > COMPARED {
                return None;
            }
            let start = table.extent.start;
            let object = extent(row_at(start), start);
            compared.push(Compared { start, object, held: table.bytes().to_vec() });
        }
        Some(Proof { moment, tables: compared })
    }

    /// The moment at which it still held. `are_there`: what was found besides the tables is as it was. It is asked where some object of
    /// the program is gone since.
    pub(super) fn holds(&self, are_there: impl FnOnce() -> bool) -> Option<Moment> {
        let now = Moment::now();
        let are_as_found = || self.tables.iter().all(Compared::is_there) && are_there();
        let holds = self.moment.clauses == now.clauses
            && (self.moment.objects == now.objects || are_as_found())
            && self.tables.iter().all(Compared::is_same);
        holds.then_some(now)
    }
}

/// A table, and what it held.
struct Compared {
    start: usize,
    /// The memory of the object in which it lies, where that is known.
    object: Option<Range<usize>>,
    held: Vec<u8>,
}

impl Compared {
    fn is_there(&self) -> bool {
        extent(row_at(self.start), self.start) == self.object
    }

    fn is_same(&self) -> bool {
        // SAFETY: the object is there as it was.
        let now = unsafe { std::slice::from_raw_parts(self.start as *const u8, self.held.len()) };
        now == self.held.as_slice()
    }
}

/// The items of a construct.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Items(Vec<[usize; 7]>);

impl Items {
    pub(super) fn of(call: &CallContext, vars: &[Var]) -> Items {
        let state = std::ptr::from_ref(call.state) as usize;
        let item = |var: &Var| {
            let (kind, flags) = (var.kind as usize, var.flags as usize);
            let (base, pointers) = (var.base as usize, var.pointers as usize);
            [state, base, var.offset, var.bytes, kind, flags, pointers]
        };
        Items(vars.iter().map(item).collect())
    }
}

/// What the same construct found before, where that still holds.
pub(super) fn take(call: &CallContext, items: &Items, vars: &[Var]) -> Option<Reached> {
    let take = |all: &RefCell<Vec<Reached>>| {
        let mut all = all.borrow_mut();
        let at = all.iter().position(|reached| reached.items == *items)?;
        let found = all.remove(at);
        found.renewed(call, vars)
    };
    REMEMBERED.try_with(take).ok().flatten()
}

/// Keeps what a construct found, after its end.
pub(super) fn keep(reached: Reached) {
    _ = REMEMBERED.try_with(|all| {
        let mut all = all.borrow_mut();
        all.push(reached);
        if all.len() > KEPT {
            all.remove(0);
        }
    });
}

/// A construct has found everything that this table leads to, and finds the same now.
pub(super) fn is_known(call: &CallContext, table: &Table) -> bool {
    let is_known = |all: &RefCell<Vec<Reached>>| {
        all.borrow().iter().any(|reached| reached.has_table(table) && reached.holds(call).is_some())
    };
    REMEMBERED.try_with(is_known).unwrap_or(false)
}
