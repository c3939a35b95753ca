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
//!
//! What a loop looks for with its place, `if (a[j] < best) { best = a[j]; found = j; }` ([`Search`]), is found in the same way: of the threads
//! that have the best of all values, the one that came to it in the first iteration, or the last one, passes its variables on.

use super::identity;
use crate::build::{Builder, store};
use crate::outline::trips::is_up;
use accl_analysis::scalars;
use accl_ir::{
    BinaryOp, Block, Body, Expr, Handle, Kernel, Local, Loop, ReductionOp, Search, Stmt, StmtNode, Type,
    TypeKind, Types, visit,
};
use std::collections::{BTreeMap, BTreeSet};

/// Scalars that iterations of a loop set, all of them together.
#[derive(Clone)]
pub struct LastValue {
    pub locals: Vec<Handle<Local>>,
    /// The extremum of the first of them that the loop looks for.
    pub best: Option<ReductionOp>,
    /// The last iteration of this thread that set them, as a number that is larger for an iteration that counts before another.
    pub iteration: Handle<Local>,
    /// The number of the iteration that runs: the loop's variable, negated if it counts down, or if the first iteration counts.
    pub number: Handle<Expr>,
}

/// Before the first iteration that sets a variable: smaller than all numbers of this type ([`number_type`]).
pub fn none(b: &mut Builder<'_>, ty: Handle<Type>) -> Handle<Expr> {
    identity::of(b.types, b.body, ReductionOp::Max, ty)
}

/// The type in which the loop's iterations are numbered, whose least and greatest values number none. Threads compare numbers of 32 bits
/// in a quarter of the time.
pub fn number_type(b: &mut Builder<'_>, l: &Loop) -> Handle<Type> {
    let variable = match *b.types.kind(b.body.locals[l.var].ty) {
        TypeKind::Int { bits, signed } => bits < 32 || bits == 32 && signed,
        _ => false,
    };
    let rises = is_up(l.compare, b.as_int(l.step)) && b.as_int(l.lower).is_some_and(|lower| lower >= 0);
    b.types.int(if variable && rises { 32 } else { 64 }, true)
}

/// The number of the loop's iteration that runs, larger for an iteration that comes after another, or, if the `first` counts, before it.
pub fn number(b: &mut Builder<'_>, l: &Loop, first: bool) -> Handle<Expr> {
    let ty = number_type(b, l);
    let variable = b.load(l.var);
    let number = b.cast(variable, ty);
    if first != is_up(l.compare, b.as_int(l.step)) {
        return number;
    }
    let zero = b.int(0, ty);
    b.binary(BinaryOp::Sub, zero, number)
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
    let mut finder = Finder { types, body: &kernel.body, excluded, found: vec![] };
    finder.block(&kernel.body.block);
    let found = finder.found;
    let mut noted = LastValues::default();
    let mut looks = false;
    visit::for_each_loop(&kernel.body.block, &mut |l, _| {
        looks |= is_shared(l) && searches(l).next().is_some()
    });
    if looks || found.iter().any(|set| !set.is_empty()) {
        let mut block = std::mem::take(&mut kernel.body.block);
        let mut b = Builder { types, body: &mut kernel.body };
        note_in(&mut b, &mut block, &mut found.into_iter(), &mut noted);
        kernel.body.block = block;
    }
    noted
}

/// What the loop looks for.
fn searches(l: &Loop) -> impl Iterator<Item = &Search> {
    l.directive.iter().flat_map(|d| &d.searches)
}

/// Several threads of a block run iterations of it.
fn is_shared(l: &Loop) -> bool {
    l.levels.as_ref().is_some_and(|s| s.worker || s.vector)
}

struct Finder<'a> {
    types: &'a Types,
    body: &'a Body,
    /// Variables that lie in memory, or that a loop around or the launch reduces.
    excluded: BTreeSet<Handle<Local>>,
    /// For each such loop, in the order of headers.
    found: Vec<Vec<Handle<Local>>>,
}

impl Finder<'_> {
    fn block(&mut self, block: &Block) {
        for node in block {
            let Stmt::For(l) = &node.kind else {
                node.kind.blocks().into_iter().for_each(|inner| self.block(inner));
                continue;
            };
            let outer = self.excluded.clone();
            if is_shared(l) {
                self.excluded.extend(l.directive.iter().flat_map(|d| &d.reductions).map(|r| r.local));
                self.excluded.extend(searches(l).flat_map(Search::variables));
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
            let set = found.next().into_iter().flatten();
            let mut values: Vec<_> = set.map(|local| last_value(b, l, vec![local], None)).collect();
            for search in searches(l) {
                values.push(last_value(b, l, search.variables().collect(), Some(search)));
            }
            for value in &values {
                after_each_write(b, &mut l.body, value);
            }
            noted.0.insert(std::ptr::from_ref(&**l), values);
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| note_in(b, inner, found, noted));
    }
}

fn last_value(
    b: &mut Builder<'_>,
    l: &Loop,
    locals: Vec<Handle<Local>>,
    search: Option<&Search>,
) -> LastValue {
    let ty = number_type(b, l);
    let name = format!("{}_iteration", b.body.locals[locals[0]].name);
    let iteration = b.body.temp(&name, ty);
    let first = search.is_some_and(|search| !search.last);
    let number = number(b, l, first);
    LastValue { locals, best: search.map(|search| search.op), iteration, number }
}

/// Inside another loop that threads share, what it leaves behind counts ([`super::block_mapping`]).
fn after_each_write(b: &mut Builder<'_>, block: &mut Block, value: &LastValue) {
    for mut node in std::mem::take(block) {
        let written = std::slice::from_ref(&node);
        let inner = matches!(&node.kind, Stmt::For(l) if is_shared(l));
        // All are set where the first one is.
        let local = value.locals[0];
        let counts = matches!(&node.kind, Stmt::For(l) if l.var == local && !l.declared_here);
        let itself = node.kind.blocks().is_empty() && writes(b.body, written, local);
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
