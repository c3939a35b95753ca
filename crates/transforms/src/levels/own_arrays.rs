//! Loops whose iterations work on arrays of their own, as programs for CPUs have them: a tile is copied into a local array,
//! worked on there, and copied back.
//!
//! One thread for each iteration keeps such arrays in memory that it shares with nobody, of which a device has little near
//! by: a thousand threads with a kilobyte each are more than the caches of a multiprocessor hold. A gang has them in shared
//! memory, and its lanes run the loops inside, short as they are. What no lanes can share one lane does: it must be the
//! smaller part.

use super::stride;
use super::tree::LoopNode;
use accl_analysis::affine::{Atom, Poly};
use accl_analysis::data::Summary;
use accl_analysis::text::Scope;
use accl_ir::{
    ArrayLen, Body, DataItem, DataKind, DataVar, Expr, ExprKind, Handle, Local, Loop, Region, Stmt, StmtNode,
    TypeKind, Types, visit,
};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of an iteration's arrays from which on threads have no room for them near by.
const LEAST: u64 = 1 << 10;
/// Bytes that leave a multiprocessor room for several gangs.
const MOST: u64 = 12 << 10;
/// Iterations of a loop whose end depends on others.
const SHORT: u64 = 8;
/// Bytes of rows of which a multiprocessor has room for one.
const LARGE: u64 = 114 << 10;
/// Iterations of a loop that goes through a row, which is long.
const LONG: u64 = 64;
/// Iterations that lanes must have on average between two barriers: LU's tiles of 16 by 16 have 16, and one thread for each took half
/// the time on an H100; those of Needleman-Wunsch have 44 and took a third of one thread's.
const BETWEEN_BARRIERS: u64 = 32;
/// The part of the iterations inside that one lane may have to run.
const ONE_LANES_PART: u64 = 3;

/// The iterations of the nest have arrays of their own: too large for a thread's memory and small enough for a gang's, or rows of an
/// array that the construct creates for nothing else.
pub fn are_there(summary: &Summary<'_>, region: &Region, nest: &[&LoopNode<'_>]) -> bool {
    has_own_rows(summary, region, nest) || are_small(summary, nest)
}

/// An iteration has a row of an array that the construct creates, whose elements nobody has given a value.
pub fn has_own_rows(summary: &Summary<'_>, region: &Region, nest: &[&LoopNode<'_>]) -> bool {
    let Scope { module, body } = summary.provenance.scope;
    matches!(nest, [only] if !own_rows(&module.types, body, region, only.l).is_empty())
}

/// Those of an iteration take more than half of the shared memory that a multiprocessor has.
pub fn are_large(summary: &Summary<'_>, region: &Region, node: &LoopNode<'_>) -> bool {
    let Scope { module, body } = summary.provenance.scope;
    let rows = own_rows(&module.types, body, region, node.l);
    rows.into_values().sum::<u64>() > LARGE
}

/// The pointers to rows that iterations of the loop have for themselves, of arrays that the construct creates, and their bytes:
/// `T *row = rows[i];`.
pub fn own_rows(types: &Types, body: &Body, region: &Region, l: &Loop) -> BTreeMap<Handle<Local>, u64> {
    let is = |e: Handle<Expr>, wanted: Handle<Local>| match body.exprs[e].kind {
        ExprKind::Load(place) => matches!(body.exprs[place].kind, ExprKind::Local(l) if l == wanted),
        _ => false,
    };
    let row = |node: &StmtNode| {
        let Stmt::Declare { local, init: Some(value) } = node.kind else { return None };
        let ExprKind::Decay(row) = body.exprs[value].kind else { return None };
        let ExprKind::Index { base, index } = body.exprs[row].kind else { return None };
        let created = |item: &DataItem| {
            item.kind == DataKind::Create && matches!(item.var, DataVar::Local(array) if is(base, array))
        };
        let bytes = types.size_of(body.exprs[row].ty).filter(|bytes| *bytes >= LEAST)?;
        (is(index, l.var) && region.clauses.data.iter().any(created)).then_some((local, bytes))
    };
    l.body.iter().filter_map(row).collect()
}

fn are_small(summary: &Summary<'_>, nest: &[&LoopNode<'_>]) -> bool {
    let Scope { module, body } = summary.provenance.scope;
    let mut own = nest.last().map(|last| visit::declared_locals(&last.l.body)).unwrap_or_default();
    own.extend(nest.iter().flat_map(|n| &n.l.directive).flat_map(|d| &d.private));
    fit_gangs(&module.types, body, &own)
}

/// The arrays among these variables are too large for the registers of a thread, and small enough for the shared memory of gangs.
pub fn fit_gangs(types: &Types, body: &Body, own: &BTreeSet<Handle<Local>>) -> bool {
    let arrays = own.iter().map(|local| body.locals[*local].ty).filter(|ty| types.element(*ty).is_some());
    let bytes = arrays.filter_map(|ty| types.size_of(ty)).sum();
    (LEAST..=MOST).contains(&bytes)
}

/// So gangs should run the iterations, with the loops inside for their lanes, of which `parallel` says which are.
pub fn suit_gangs(
    summary: &Summary<'_>,
    region: &Region,
    nest: &[&LoopNode<'_>],
    parallel: &dyn Fn(&LoopNode<'_>) -> bool,
) -> bool {
    let last = nest[nest.len() - 1];
    let unknown = has_own_rows(summary, region, nest).then_some(LONG);
    let mut work = Work { summary, last, parallel, unknown, of_lanes: 0, of_one_lane: 0, barriers: 0 };
    are_there(summary, region, nest)
        && last.children.iter().all(|child| work.add(child, 1, false))
        && work.of_lanes > 0
        && work.of_lanes / BETWEEN_BARRIERS >= work.barriers
        && work.of_one_lane <= (work.of_lanes + work.of_one_lane) / ONE_LANES_PART
}

/// Iterations of the innermost loops.
struct Work<'a> {
    summary: &'a Summary<'a>,
    /// The innermost loop of the nest.
    last: &'a LoopNode<'a>,
    parallel: &'a dyn Fn(&LoopNode<'_>) -> bool,
    /// Iterations of a loop of which nothing is known.
    unknown: Option<u64>,
    of_lanes: u64,
    of_one_lane: u64,
    /// How often lanes begin a loop.
    barriers: u64,
}

impl Work<'_> {
    /// Adds those of a loop that runs so many times; false where the compiler does not know how many they are.
    fn add(&mut self, node: &LoopNode<'_>, times: u64, lanes: bool) -> bool {
        let Some(trips) = self.iterations(node) else { return false };
        let begins = !lanes && (self.parallel)(node);
        if begins {
            self.barriers = self.barriers.saturating_add(times);
        }
        let times = times.saturating_mul(trips);
        let lanes = lanes || begins;
        if node.children.is_empty() {
            let part = if lanes { &mut self.of_lanes } else { &mut self.of_one_lane };
            *part = part.saturating_add(times);
        }
        node.children.iter().all(|child| self.add(child, times, lanes))
    }

    fn iterations(&self, node: &LoopNode<'_>) -> Option<u64> {
        match super::trips(self.summary, node.l) {
            Some(trips) => u64::try_from(trips).ok(),
            None if self.follows_counters(node) => Some(SHORT),
            None => self.fills(node).or(self.unknown),
        }
    }

    /// The length of the array of an iteration's own whose elements the loop goes through, which it need not do to the end. So its
    /// iterations must use neighbouring elements of other arrays, too, for lanes to be worth it.
    fn fills(&self, node: &LoopNode<'_>) -> Option<u64> {
        if !stride::has_neighbours_inside(self.summary, node, self.last) {
            return None;
        }
        let Scope { module, body } = self.summary.provenance.scope;
        let variable = Poly::atom(Atom::Local(node.l.var));
        self.summary.accesses.inner.iter().filter(|i| i.access.loops.contains(&node.index)).find_map(|i| {
            let ExprKind::Index { base, index } = body.exprs[i.access.place].kind else { return None };
            let array = if let ExprKind::Decay(array) = body.exprs[base].kind { array } else { base };
            self.summary.polys().poly(index).plus(&variable, -1).as_constant()?;
            match module.types.kind(body.exprs[array].ty) {
                TypeKind::Array { len: ArrayLen::Const(length), .. } => Some(*length),
                _ => None,
            }
        })
    }

    /// A triangle: the bounds are made of the counters of loops around it.
    fn follows_counters(&self, node: &LoopNode<'_>) -> bool {
        let polys = self.summary.polys();
        let counter = |atom| self.summary.accesses.loops.iter().any(|l| Atom::Local(l.var) == atom);
        [node.l.lower, node.l.bound].into_iter().all(|bound| polys.poly(bound).atoms().all(counter))
    }
}
