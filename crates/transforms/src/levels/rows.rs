//! Rows: loops without a directive inside a parallel one, each of whose iterations goes through a row of its own, as in
//! `for (i …) { s = 0; for (j …) s += a[i * m + j] * x[j]; y[i] = s; }`.
//!
//! One thread for each row reads elements that lie far from those of its neighbours. Several lanes read neighbouring ones. What the
//! iteration does besides each of them does again, or one does it, so that has to be little.

use super::tree::LoopNode;
use super::{has_sizes, stride};
use crate::outline::trips;
use accl_analysis::access::Access;
use accl_analysis::data::Summary;
use accl_analysis::provenance::Root;
use accl_analysis::text::Scope;
use accl_ir::{
    Block, Body, Expr, ExprKind, Handle, Local, Loop, Region, RegionKind, Stmt, StmtNode, calls, visit,
};
use std::collections::BTreeSet;

/// Statements of an iteration besides the loops through its row.
const MOST_STATEMENTS: usize = 64;
/// Iterations of a loop that each lane may run again.
const SHORT: i128 = 8;
/// Iterations, where the compiler knows how many they are, from which on lanes share a loop: a thread keeps a short row in registers.
pub const LONG: i128 = 128;

/// The construct's only loop, where lanes may share what is inside: no directive says otherwise.
pub fn parallel_loop(region: &Region) -> Option<&Loop> {
    let l = visit::only_loop(&region.body)?;
    let directive = l.directive.as_ref().filter(|d| !d.seq && (!d.auto || d.independent))?;
    let open = directive.worker.is_none()
        && directive.vector.is_none()
        && directive.collapse <= 1
        && directive.tile.is_empty()
        && !has_sizes(region, Some(directive));
    let mut unmarked = true;
    visit::for_each_loop(&l.body, &mut |inner, _| {
        unmarked &= inner.directive.as_ref().is_none_or(|d| d.found);
    });
    (region.kind == RegionKind::Parallel && open && unmarked).then_some(l)
}

/// The loops inside the construct's only one that go through its iteration's row, the outermost ones; none where something else than
/// these takes its time. `parallel`: lanes may share this loop.
pub fn inside(
    summary: &Summary<'_>,
    region: &Region,
    node: &LoopNode<'_>,
    parallel: &mut dyn FnMut(&LoopNode<'_>) -> bool,
) -> Vec<usize> {
    if parallel_loop(region).is_none_or(|l| !std::ptr::eq(l, node.l)) {
        return vec![];
    }
    let own = follow(summary.provenance.scope.body, node.l);
    let own_pointers = has_own_pointers(summary, node.l);
    let mut rows = Rows { summary, own, own_pointers, node, parallel, found: vec![] };
    let parts = node.children.iter().map(|child| rows.go_through(child)).collect::<Option<Vec<_>>>();
    let part = parts.map(|parts| parts.into_iter().fold(Part::default(), Part::beside));
    let little = part.is_some_and(|part| part.alone == 0 || part.alone < part.shared)
        && is_little(summary, node, &rows.found);
    if little { rows.found } else { vec![] }
}

/// Iterations use memory that pointers of their own lead to: neighbouring ones have nothing side by side.
pub fn has_own_pointers(summary: &Summary<'_>, l: &Loop) -> bool {
    let body = summary.provenance.scope.body;
    let own = follow(body, l);
    let mut unknown = summary.accesses.list.iter().filter(|a| a.root == Root::Unknown);
    unknown.any(|a| match body.exprs[a.place].kind {
        ExprKind::Index { base, .. } | ExprKind::Deref(base) => uses(body, base, &own),
        _ => false,
    })
}

struct Rows<'s, 'f> {
    summary: &'s Summary<'s>,
    node: &'s LoopNode<'s>,
    /// Variables that are made of the iteration's number.
    own: BTreeSet<Handle<Local>>,
    /// See [`has_own_pointers`].
    own_pointers: bool,
    parallel: &'f mut dyn FnMut(&LoopNode<'_>) -> bool,
    found: Vec<usize>,
}

/// How many loops lie inside each other where lanes share one of them, and where one lane runs them alone: what is less deep takes
/// the smaller part of the time.
#[derive(Clone, Copy, Default)]
struct Part {
    shared: u32,
    alone: u32,
}

impl Part {
    fn beside(self, other: Part) -> Part {
        Part { shared: self.shared.max(other.shared), alone: self.alone.max(other.alone) }
    }

    fn in_a_loop(self) -> Part {
        let deeper = |depth| if depth > 0 { depth + 1 } else { 0 };
        Part { shared: deeper(self.shared), alone: deeper(self.alone) }
    }
}

fn depth(l: &LoopNode<'_>) -> u32 {
    1 + l.children.iter().map(depth).max().unwrap_or(0)
}

impl Rows<'_, '_> {
    /// The loop goes through a row, or those inside it do. `None`: one thread for each iteration is better.
    fn go_through(&mut self, l: &LoopNode<'_>) -> Option<Part> {
        let trips = self.trips(l.l);
        let is_long = trips.is_none_or(|n| n >= LONG);
        let is_joined = l.l.directive.as_ref().is_some_and(|d| d.found && d.collapse > 1);
        if (is_joined || is_long && self.is_row(l)) && (self.parallel)(l) {
            return Some(self.share(l));
        }
        if let Some(child) = l.tight_child()
            && self.are_tile(trips, child)
            && (self.parallel)(l)
            && (self.parallel)(child)
        {
            self.found.push(l.index);
            return Some(self.share(child).in_a_loop());
        }
        let before = self.found.len();
        let part = match l.children.as_slice() {
            [] if trips.is_some_and(|n| n <= SHORT) => Part::default(),
            [] => Part { shared: 0, alone: 1 },
            children => {
                let parts =
                    children.iter().map(|child| self.go_through(child)).collect::<Option<Vec<_>>>()?;
                parts.into_iter().fold(Part::default(), Part::beside).in_a_loop()
            }
        };
        match part.alone {
            0 => Some(part),
            _ if !self.own_pointers => None,
            _ if is_long && (self.parallel)(l) => {
                self.found.truncate(before);
                Some(self.share(l))
            }
            _ => Some(part),
        }
    }

    fn share(&mut self, l: &LoopNode<'_>) -> Part {
        self.found.push(l.index);
        Part { shared: depth(l), alone: 0 }
    }

    /// The loop goes through rows of a tile, as many as this: together they are long.
    fn are_tile(&self, rows: Option<i128>, l: &LoopNode<'_>) -> bool {
        let elements = rows.zip(self.trips(l.l)).map(|(rows, length)| rows * length);
        l.children.is_empty() && elements.is_some_and(|n| n >= LONG) && self.is_row(l)
    }

    /// How often the loop runs, where that is always the same.
    fn trips(&self, l: &Loop) -> Option<i128> {
        let polys = self.summary.polys();
        let distance = polys.poly(l.bound).plus(&polys.poly(l.lower), -1).as_constant()?;
        Some(trips::count(0, distance, l.compare, polys.poly(l.step).as_constant()?))
    }

    /// More of what it accesses lies side by side in its neighbouring iterations than in those of the loop around, and some of it lies
    /// far apart there.
    fn is_row(&self, l: &LoopNode<'_>) -> bool {
        let accesses = || self.summary.accesses.list.iter().filter(|a| a.loops.contains(&l.index));
        let inside = |a: &Access| stride::score(self.summary, a.place, l);
        let around = |a: &Access| self.score_around(a);
        accesses().any(|a| inside(a) > 0 && around(a) < 0)
            && accesses().map(inside).sum::<i64>() > accesses().map(around).sum::<i64>()
    }

    fn score_around(&self, access: &Access) -> i64 {
        match stride::score(self.summary, access.place, self.node) {
            0 if uses(self.summary.provenance.scope.body, access.place, &self.own) => -1,
            score => score,
        }
    }
}

/// The expression uses one of these variables.
pub fn uses(body: &Body, e: Handle<Expr>, variables: &BTreeSet<Handle<Local>>) -> bool {
    let mut found = false;
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        found |= matches!(body.exprs[e].kind, ExprKind::Local(l) if variables.contains(&l));
    });
    found
}

/// The loop's variable, and those inside that are made of it, directly or by others.
pub fn follow(body: &Body, l: &Loop) -> BTreeSet<Handle<Local>> {
    let mut all = BTreeSet::from([l.var]);
    // Each round finds one at least.
    loop {
        let before = all.len();
        visit::for_each_stmt(&l.body, &mut |inner| {
            let (local, value) = match &inner.kind {
                Stmt::Declare { local, init: Some(value) } => (*local, *value),
                Stmt::For(l) => (l.var, l.lower),
                Stmt::Store { place, value, .. } => match body.exprs[*place].kind {
                    ExprKind::Local(local) => (local, *value),
                    _ => return,
                },
                _ => return,
            };
            if uses(body, value, &all) {
                all.insert(local);
            }
        });
        if all.len() == before {
            return all;
        }
    }
}

/// What an iteration does outside of the loops with these numbers is little, and lanes may do it side by side: they would share an array,
/// and have to wait for each other.
fn is_little(summary: &Summary<'_>, node: &LoopNode<'_>, rows: &[usize]) -> bool {
    let Scope { module, body } = summary.provenance.scope;
    let rest = without(&node.l.body, &loops(node, rows));
    let (mut statements, mut good) = (0, !rows.is_empty());
    visit::for_each_stmt(&rest, &mut |inner| {
        statements += 1;
        good &= match inner.kind {
            Stmt::While { .. } | Stmt::Return(_) => false,
            Stmt::Declare { local, .. } => module.types.is_scalar(body.locals[local].ty),
            _ => true,
        };
    });
    let loops = |block: &Block| {
        let mut found = false;
        visit::for_each_stmt(block, &mut |n| found |= matches!(n.kind, Stmt::For(_) | Stmt::While { .. }));
        found
    };
    let called = calls::reached(module, body, &rest);
    good && statements <= MOST_STATEMENTS
        && !called.iter().filter_map(|f| module.functions[*f].body.as_ref()).any(|body| loops(&body.block))
}

fn loops<'a>(node: &LoopNode<'a>, rows: &[usize]) -> Vec<&'a Loop> {
    let own = rows.contains(&node.index).then_some(node.l);
    own.into_iter().chain(node.children.iter().flat_map(|child| loops(child, rows))).collect()
}

/// The block but for these loops.
fn without(block: &Block, rows: &[&Loop]) -> Block {
    let is_row =
        |n: &&StmtNode| matches!(&n.kind, Stmt::For(l) if rows.iter().any(|row| std::ptr::eq(*row, &**l)));
    let mut rest = vec![];
    for node in block.iter().filter(|n| !is_row(n)) {
        let blocks = node.kind.blocks().into_iter().map(|inner| without(inner, rows));
        let blocks: Vec<Block> = blocks.collect();
        let mut node = node.clone();
        node.kind.blocks_mut().into_iter().zip(blocks).for_each(|(inner, rest)| *inner = rest);
        rest.push(node);
    }
    rest
}
