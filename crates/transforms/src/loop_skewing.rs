//! Before the analyses: two loops of which neither is parallel, since each element needs those before it in its row and in its column,
//! go along diagonals (loop skewing).
//!
//! ```text
//! for (i = 1; i <= 16; i++)                  for (d = 2; d <= 32; d++)
//!     for (j = 1; j <= 16; j++)         →        for (i = 1; i <= 16; i++)
//!         t[i][j] += t[i-1][j] + t[i][j-1];          if (1 <= d - i && d - i <= 16) { j = d - i; … }
//! ```
//!
//! Elements of a diagonal need none of each other, so the loop inside is parallel. It is done in tiles: where iterations of a parallel
//! loop have arrays of their own that gangs keep in shared memory, and the loops write these alone. Where no lanes run the loop inside, as on
//! the cpu, the loops are turned back ([`turn_back`]).
//!
//! Invariant: between elements that depend on each other neither counter falls.

use crate::array_contraction;
use crate::block_scalars;
use crate::build::{Builder, declare, if_then, node};
use crate::context::Context;
use crate::levels::own_arrays;
use crate::levels::tree::{self, LoopNode};
use crate::loop_interchange::{self, is_read_later};
use crate::outline::trips;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::affine::{Atom, Poly};
use accl_analysis::data::Summary;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{
    BinaryOp, Body, Compare, Expr, ExprKind, Handle, Kernel, Local, LocalKind, Loop, Module, Region,
    RegionKind, Stmt, Types, visit,
};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};
use std::collections::BTreeSet;

pub const PASS: Pass = Pass {
    name: "loop_skewing",
    promise: "Loops over a tile that neither lets run in parallel go along its diagonals.",
    run,
};

/// Iterations of each loop, at least and at most.
const TRIPS: std::ops::RangeInclusive<i128> = 8..=128;
/// Accesses of an iteration to what it writes.
const MOST: usize = 16;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    if !cx.options.auto_parallel {
        return;
    }
    regions::each_compute(module, Asks::Reads(cx.options.files), &mut |module, body, region, site| {
        let own = visit::declared_locals(&region.body);
        if region.kind != RegionKind::Parallel || !own_arrays::fit_gangs(&module.types, body, &own) {
            return;
        }
        let found = {
            let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
            let mut found = vec![];
            tree::of_block(&region.body).iter().for_each(|n| search(&summary, region, site, n, &mut found));
            found
        };
        if found.is_empty() {
            return;
        }
        let mut next = 0;
        visit::for_each_stmt_mut(&mut region.body, &mut |node| {
            let Stmt::For(l) = &mut node.kind else { return };
            if found.contains(&next) {
                let message = "Loops go along diagonals, whose elements need none of each other";
                let id = remarks::TRANSFORMED;
                cx.remark(Remark::new(id, RemarkKind::Transform, &site.name, node.span, message));
                skew(&mut module.types, body, l);
            }
            next += 1;
        });
        cx.analyses.forget(site.construct);
    });
}

/// The numbers of the outer loops of such nests.
fn search(summary: &Summary<'_>, region: &Region, site: &Site, node: &LoopNode<'_>, found: &mut Vec<usize>) {
    if let Some(inner) = node.tight_child()
        && inner.children.is_empty()
        && [node, inner].iter().all(|n| n.l.directive.is_none())
        && is_wavefront(summary, region, [node, inner])
        && [node, inner].iter().all(|n| !is_read_later(summary, region, site, n.l))
    {
        found.push(node.index);
    }
    node.children.iter().for_each(|child| search(summary, region, site, child, found));
}

/// Each element needs others of its row and its column, and no order but that of the counters matters.
fn is_wavefront(summary: &Summary<'_>, region: &Region, nest: [&LoopNode<'_>; 2]) -> bool {
    let body = summary.provenance.scope.body;
    let inside = &nest[1].l.body;
    let same_type = body.locals[nest[0].l.var].ty == body.locals[nest[1].l.var].ty;
    let trips = nest.map(|n| trips(summary, n.l));
    let [Some(rows), Some(columns)] = trips else { return false };
    let mut plain = same_type && [rows, columns].iter().all(|n| TRIPS.contains(n));
    visit::for_each_stmt(inside, &mut |node| {
        plain &=
            matches!(node.kind, Stmt::Declare { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::Block(_));
    });
    let arrays = visit::declared_locals(&region.body);
    let own = visit::declared_locals(inside);
    // What is written are elements of arrays that no pointer leads to.
    let mut written = BTreeSet::new();
    visit::for_each_place(body, inside, &mut |place, access| {
        if access.writes() {
            match (array_contraction::element(body, place), &body.exprs[place].kind) {
                (Some((array, _)), _) if arrays.contains(&array) => _ = written.insert(array),
                (_, ExprKind::Local(l)) if own.contains(l) => {}
                _ => plain = false,
            }
        }
    });
    plain &= written.iter().all(|array| !summary.accesses.escaping.contains(array));
    if !plain || written.is_empty() {
        return false;
    }
    let mut elements = vec![];
    let mut named = 0;
    visit::for_each_place(body, inside, &mut |place, access| {
        if let Some((array, index)) = array_contraction::element(body, place)
            && written.contains(&array)
        {
            elements.push((array, summary.polys().poly(index), access.writes()));
        }
    });
    visit::all_exprs(&body.exprs, inside, &mut |e| {
        named += usize::from(matches!(body.exprs[e].kind, ExprKind::Local(l) if written.contains(&l)));
    });
    if named != elements.len() || elements.len() > MOST {
        return false;
    }
    let counters = nest.map(|n| n.l.var);
    // Subscripts have the counters and values that no iteration changes.
    let changed = visit::written_locals(body, &nest[0].l.body);
    let fixed = |atom: Atom| match atom {
        Atom::Local(l) => {
            counters.contains(&l) || !changed.contains(&l) && !summary.accesses.escaping.contains(&l)
        }
        _ => summary.is_fixed(atom),
    };
    if !elements.iter().all(|(_, index, _)| index.atoms().all(fixed)) {
        return false;
    }
    let mut carried = [false; 2];
    for (array, index, _) in elements.iter().filter(|(_, _, writes)| *writes) {
        for (_, other, _) in elements.iter().filter(|(a, _, _)| a == array) {
            let Some(distances) = distances(counters, [rows, columns], index, other) else { return false };
            for [i, j] in distances {
                if i * j < 0 {
                    return false;
                }
                carried[0] |= i != 0;
                carried[1] |= i == 0 && j != 0;
            }
        }
    }
    carried == [true, true]
}

fn trips(summary: &Summary<'_>, l: &Loop) -> Option<i128> {
    let [lower, bound, step] = [l.lower, l.bound, l.step].map(|e| summary.polys().poly(e).as_constant());
    match (l.compare, step?) {
        (Compare::Lt | Compare::Le, 1) => Some(trips::count(lower?, bound?, l.compare, 1)),
        _ => None,
    }
}

/// By how much the counters differ where two subscripts are equal: all that there may be.
fn distances(
    counters: [Handle<Local>; 2],
    [rows, columns]: [i128; 2],
    a: &Poly,
    b: &Poly,
) -> Option<Vec<[i128; 2]>> {
    let apart = a.plus(b, -1).as_constant()?;
    let factor = |counter: Handle<Local>| a.split(Atom::Local(counter))?.0.as_constant();
    let (of_row, of_column) = (factor(counters[0])?, factor(counters[1])?);
    let mut found = vec![];
    for i in 1 - rows..rows {
        let rest = apart - of_row * i;
        if of_column == 0 || rest % of_column != 0 {
            if of_column == 0 && rest == 0 {
                return None;
            }
            continue;
        }
        let j = rest / of_column;
        if j.abs() < columns {
            found.push([i, j]);
        }
    }
    Some(found)
}

/// The loops go along diagonals.
fn skew(types: &mut Types, body: &mut Body, outer: &mut Loop) {
    let Some(Stmt::For(inner)) = loop_interchange::take_only(&mut outer.body).map(|node| node.kind) else {
        return;
    };
    let [counter, row] = [inner.var, outer.var].map(|counter| block_scalars::copy_of(body, counter));
    let ty = body.locals[inner.var].ty;
    let mut b = Builder { types, body };
    let diagonal = b.local("diagonal", ty, LocalKind::Temp);
    let [row_end, column_end] = [&*outer, &*inner].map(|l| match l.compare {
        Compare::Le => l.bound,
        _ => {
            let one = b.int(1, ty);
            b.binary(BinaryOp::Sub, l.bound, one)
        }
    });
    let first = b.add(outer.lower, inner.lower);
    let end = b.add(row_end, column_end);
    let (from, at) = (b.load(diagonal), b.load(row));
    let column = b.binary(BinaryOp::Sub, from, at);
    let at_least = b.binary(BinaryOp::Ge, column, inner.lower);
    let at_most = b.binary(BinaryOp::Le, column, column_end);
    let cond = b.binary(BinaryOp::LogicalAnd, at_least, at_most);
    let mut then = inner.body;
    substitute(b.body, &mut then, inner.var, Subst::Local(counter));
    substitute(b.body, &mut then, outer.var, Subst::Local(row));
    then.insert(0, declare(counter, Some(column)));
    let step = outer.step;
    let rows = Loop { var: row, declared_here: true, body: vec![if_then(cond, then)], ..outer.clone() };
    let diagonals = Loop::counting(diagonal, first, end, step, vec![node(Stmt::For(Box::new(rows)))]);
    *outer = Loop { compare: Compare::Le, ..diagonals };
}

/// The loops inside of which no lanes run, in the order of the program.
pub fn turn_back(body: &mut Body) {
    turn_back_where(body, false);
}

/// The kernel with all of its loops in the order of the program, where some go along diagonals.
pub fn turned_back(kernel: &Kernel) -> Option<Kernel> {
    let mut any = false;
    visit::for_each_loop(&kernel.body.block, &mut |l, _| any |= turned(&kernel.body, l, true).is_some());
    any.then(|| {
        let mut kernel = kernel.clone();
        turn_back_where(&mut kernel.body, true);
        kernel
    })
}

fn turn_back_where(body: &mut Body, all: bool) {
    let mut block = std::mem::take(&mut body.block);
    visit::for_each_stmt_mut(&mut block, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && let Some(nest) = turned(body, l, all)
        {
            **l = nest;
        }
    });
    body.block = block;
}

/// The nest that became these diagonals.
fn turned(body: &Body, diagonals: &Loop, all: bool) -> Option<Loop> {
    let rows = visit::only_loop(&diagonals.body)?;
    let Stmt::If { cond, then, otherwise } = &visit::only_stmt(&rows.body)?.kind else { return None };
    let compared = |e: Handle<Expr>, wanted: BinaryOp| match body.exprs[e].kind {
        ExprKind::Binary { op, left, right } if op == wanted => Some((left, right)),
        _ => None,
    };
    let (at_least, at_most) = compared(*cond, BinaryOp::LogicalAnd)?;
    let ((column, lower), (same, bound)) =
        (compared(at_least, BinaryOp::Ge)?, compared(at_most, BinaryOp::Le)?);
    let (from, _) = compared(column, BinaryOp::Sub)?;
    let Stmt::Declare { local, init: Some(value) } = then.first()?.kind else { return None };
    let is_diagonal = matches!(body.exprs[from].kind, ExprKind::Load(place)
        if matches!(body.exprs[place].kind, ExprKind::Local(l) if l == diagonals.var));
    let made_here = body.locals[diagonals.var].kind == LocalKind::Temp && is_diagonal && otherwise.is_empty();
    let shared = rows.levels.as_ref().is_some_and(|levels| levels.worker || levels.vector);
    if !made_here
        || !visit::same_expr(body, column, same)
        || !visit::same_expr(body, column, value)
        || shared && !all
    {
        return None;
    }
    let columns = Loop::counting(local, lower, bound, diagonals.step, then[1..].to_vec());
    let columns = Loop { compare: Compare::Le, levels: diagonals.levels.clone(), ..columns };
    let body = vec![node(Stmt::For(Box::new(columns)))];
    Some(Loop { body, directive: None, levels: diagonals.levels.clone(), ..rows.clone() })
}
