//! Scalars that iterations of a worker or vector loop set, and that are read behind it.
//!
//! ```text
//! int found = -1;
//! #pragma acc loop vector
//! for (j = 0; j < n; j++) if (a[j] == x) found = j;
//! b[i] = found;
//! ```
//!
//! Each thread of the block has the variable in a register. Behind the loop every thread gets the value of the
//! last iteration that set it, as the program has it when it runs one iteration after the other, and as
//! `lastprivate(conditional: …)` of OpenMP defines it (5.2, §5.4.5). So a thread keeps, beside the variable, the last of
//! its iterations that set it; the threads compare these, and the one with the last passes its value on through
//! shared memory.

use super::identity;
use crate::build::{Builder, store};
use crate::outline::trips::is_up;
use accl_analysis::scalars;
use accl_ir::{
    BinaryOp, Block, Body, Expr, Handle, Kernel, Local, Loop, ReductionOp, Stmt, StmtNode, Type, Types, visit,
};
use std::collections::{BTreeMap, BTreeSet};

/// A scalar that iterations of a loop set.
#[derive(Clone, Copy)]
pub struct LastValue {
    pub local: Handle<Local>,
    /// The last iteration of this thread that set it: the loop's variable, negated if it counts down.
    pub iteration: Handle<Local>,
    /// The number of the iteration that runs.
    pub number: Handle<Expr>,
}

/// Before the first iteration that sets a variable.
pub fn none(b: &mut Builder<'_>) -> Handle<Expr> {
    let ty = iteration_type(b);
    identity::of(b.types, b.body, ReductionOp::Max, ty)
}

fn iteration_type(b: &mut Builder<'_>) -> Handle<Type> {
    b.types.int(64, true)
}

/// For each loop that has any, by its address in the kernel, at which it stays while statements around it move.
#[derive(Default)]
pub struct LastValues(BTreeMap<*const Loop, Vec<LastValue>>);

impl LastValues {
    pub fn of(&self, l: &Loop) -> &[LastValue] {
        self.0.get(&std::ptr::from_ref(l)).map_or(&[], Vec::as_slice)
    }
}

/// Finds them, and lets the iterations note that they set them. `excluded` are the variables that lie in memory, and those that
/// the launch reduces.
pub fn note(types: &mut Types, kernel: &mut Kernel, excluded: BTreeSet<Handle<Local>>) -> LastValues {
    let mut search = Search { types, body: &kernel.body, excluded, found: vec![] };
    search.block(&kernel.body.block);
    let found = search.found;
    let mut noted = LastValues::default();
    if found.iter().any(|set| !set.is_empty()) {
        let mut block = std::mem::take(&mut kernel.body.block);
        let mut b = Builder { types, body: &mut kernel.body };
        note_in(&mut b, &mut block, &mut found.into_iter(), &mut noted);
        kernel.body.block = block;
    }
    noted
}

/// Several threads of a block run iterations of it.
fn is_shared(l: &Loop) -> bool {
    l.levels.as_ref().is_some_and(|s| s.worker || s.vector)
}

struct Search<'a> {
    types: &'a Types,
    body: &'a Body,
    /// Variables that lie in memory, or that a loop around or the launch reduces.
    excluded: BTreeSet<Handle<Local>>,
    /// For each such loop, in the order of headers.
    found: Vec<Vec<Handle<Local>>>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block) {
        for node in block {
            let Stmt::For(l) = &node.kind else {
                node.kind.blocks().into_iter().for_each(|inner| self.block(inner));
                continue;
            };
            let outer = self.excluded.clone();
            if is_shared(l) {
                self.excluded.extend(l.directive.iter().flat_map(|d| &d.reductions).map(|r| r.local));
                let found = self.read_behind(l);
                self.found.push(found);
            }
            self.block(&l.body);
            self.excluded = outer;
        }
    }

    fn read_behind(&self, l: &Loop) -> Vec<Handle<Local>> {
        let declared = visit::declared_locals(&l.body);
        let mut set = visit::written_locals(self.body, &l.body);
        set.retain(|local| {
            let is_scalar = self.types.is_scalar(self.body.locals[*local].ty);
            is_scalar && *local != l.var && !declared.contains(local) && !self.excluded.contains(local)
        });
        if set.is_empty() {
            return vec![];
        }
        let after = scalars::flows_after(self.body, &self.body.block, l);
        set.into_iter().filter(|local| after.of(*local).exposed.is_some()).collect()
    }
}

/// `found`: for each loop, in the order of headers.
fn note_in(
    b: &mut Builder<'_>,
    block: &mut Block,
    found: &mut impl Iterator<Item = Vec<Handle<Local>>>,
    noted: &mut LastValues,
) {
    for node in block {
        if let Stmt::For(l) = &mut node.kind
            && is_shared(l)
        {
            let values: Vec<_> =
                found.next().into_iter().flatten().map(|local| last_value(b, l, local)).collect();
            for value in &values {
                after_each_write(b, &mut l.body, value);
            }
            noted.0.insert(std::ptr::from_ref(&**l), values);
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| note_in(b, inner, found, noted));
    }
}

fn last_value(b: &mut Builder<'_>, l: &Loop, local: Handle<Local>) -> LastValue {
    let ty = iteration_type(b);
    let name = format!("{}_iteration", b.body.locals[local].name);
    let iteration = b.body.temp(&name, ty);
    let variable = b.load(l.var);
    let mut number = b.cast(variable, ty);
    if !is_up(l.compare, b.as_int(l.step)) {
        let zero = b.int(0, ty);
        number = b.binary(BinaryOp::Sub, zero, number);
    }
    LastValue { local, iteration, number }
}

/// Inside another loop that threads share, what it leaves behind counts ([`super::block_mapping`]).
fn after_each_write(b: &mut Builder<'_>, block: &mut Block, value: &LastValue) {
    for mut node in std::mem::take(block) {
        let written = std::slice::from_ref(&node);
        let inner = matches!(&node.kind, Stmt::For(l) if is_shared(l));
        let counts = matches!(&node.kind, Stmt::For(l) if l.var == value.local && !l.declared_here);
        let itself = node.kind.blocks().is_empty() && writes(b.body, written, value.local);
        if !inner {
            node.kind.blocks_mut().into_iter().for_each(|inner| after_each_write(b, inner, value));
        }
        block.push(node);
        if itself || counts {
            block.push(set(b, value));
        }
    }
}

fn writes(body: &Body, block: &[StmtNode], local: Handle<Local>) -> bool {
    visit::written_locals(body, block).contains(&local)
}

/// `iteration = number`
pub fn set(b: &mut Builder<'_>, value: &LastValue) -> StmtNode {
    let place = b.place(value.iteration);
    store(place, value.number)
}
