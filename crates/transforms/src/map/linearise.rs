//! Joined loops that stay inside a kernel become one loop.
//!
//! Distributed loops have a launch dimension each. `collapse` or `tile` may join loops that have none (more than
//! three loops, bounds that only the device knows, a vector loop inside a gang). Their iterations are counted by
//! one variable:
//!
//! ```text
//! long n1 = trips of i, n2 = trips of j;
//! for (long t = 0; t < n1 * n2; t++) { int i = lower + t / n2 * step; int j = lower + t % n2 * step; body }
//! ```

use super::indices::{for_at, offset, trips as trips_of};
use crate::build::{Builder, declare};
use crate::outline::trips;
use accl_ir::rewrite::mentions;
use accl_ir::{
    BinaryOp, Block, Body, Compare, Expr, ExprKind, Handle, Local, Loop, LoopDirective, Stmt, StmtNode,
    Types, visit,
};
use accl_source::Span;

/// Who says that loops are one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum JoinedBy {
    Clause,
    /// So that many threads of a block share them. A thread of the cpu, which runs them all, would only divide.
    Compiler,
}

/// Whether there is something to join.
pub fn joins(body: &Body, by: JoinedBy) -> bool {
    let mut any = false;
    visit::for_each_loop(&body.block, &mut |l, _| any |= joined(body, l, by).is_some());
    any
}

/// Rewrites the kernel's body in place.
pub fn run(types: &mut Types, body: &mut Body, by: JoinedBy) {
    let mut block = std::mem::take(&mut body.block);
    let mut b = Builder { types, body };
    visit(&mut b, &mut block, by);
    body.block = block;
}

fn visit(b: &mut Builder<'_>, block: &mut Block, by: JoinedBy) {
    for node in block.iter_mut() {
        if let Stmt::For(l) = &node.kind
            && let Some(joined) = joined(b.body, l, by)
        {
            node.kind = Stmt::Block(one_loop(b, &joined, node.span));
        }
        for inner in node.kind.blocks_mut() {
            visit(b, inner, by);
        }
    }
}

/// The loops that `l` joins, if they are tightly nested, rectangular and inside the kernel.
fn joined(body: &Body, l: &Loop, by: JoinedBy) -> Option<Vec<Loop>> {
    let levels = l.levels.as_ref()?;
    if l.directive.as_ref()?.found != (by == JoinedBy::Compiler) {
        return None;
    }
    let count = l.directive.as_ref().map_or(1, |d| (d.collapse as usize).max(d.tile.len()));
    if count < 2 || levels.dim.is_some() || levels.is_seq() {
        return None;
    }
    let mut all = vec![l.clone()];
    while all.len() < count {
        let inner = visit::only_loop(&all[all.len() - 1].body)?;
        let rectangular =
            all.iter().all(|o| !mentions(body, inner.lower, o.var) && !mentions(body, inner.bound, o.var));
        if !rectangular {
            return None;
        }
        all.push(inner.clone());
    }
    Some(all)
}

fn one_loop(b: &mut Builder<'_>, joined: &[Loop], span: Span) -> Block {
    let mut out = vec![];
    let known: Option<Vec<i128>> = joined.iter().map(|l| constant_trips(b, l)).collect();
    let few = |counts: &[i128]| {
        counts.iter().try_fold(1i128, |n, count| n.checked_mul(*count)).is_some_and(|n| n <= i32::MAX.into())
    };
    let (ty, counts) = match known.filter(|counts| few(counts)) {
        Some(known) => {
            let int = b.types.int(32, true);
            (int, known.into_iter().map(|n| b.int(n, int)).collect())
        }
        None => {
            let long = b.types.int(64, true);
            let count = |l: &Loop| {
                if let Some(known) = constant_trips(b, l) {
                    return b.int(known, long);
                }
                let count = trips_of(b, l);
                let local = b.body.temp("trips", long);
                out.push(declare(local, Some(count)));
                b.load(local)
            };
            (long, joined.iter().map(count).collect::<Vec<_>>())
        }
    };
    let iteration = b.body.temp("iteration", ty);
    let l = over(b, joined, &counts, iteration);
    out.push(for_at(l, span));
    out
}

/// The loop of `iteration` over all iterations of the joined ones, of which there are as many as `counts` say, in its type.
pub fn over(b: &mut Builder<'_>, joined: &[Loop], counts: &[Handle<Expr>], iteration: Handle<Local>) -> Loop {
    let ty = b.body.locals[iteration].ty;
    let mut body = variables(b, joined, counts, iteration);
    body.extend(joined[joined.len() - 1].body.iter().cloned());
    let (zero, one) = (b.int(0, ty), b.int(1, ty));
    let bound = counts.iter().copied().reduce(|product, n| b.mul(product, n)).unwrap_or(one);
    let directive = joined[0].directive.clone().map(|d| LoopDirective { collapse: 1, tile: vec![], ..d });
    Loop {
        var: iteration,
        declared_here: true,
        lower: zero,
        compare: Compare::Lt,
        bound,
        step: one,
        body,
        directive,
        levels: joined[0].levels.clone(),
    }
}

/// How often the loop runs, where its bounds are constants, or the bound is its first value plus one: a tile's row.
fn constant_trips(b: &Builder<'_>, l: &Loop) -> Option<i128> {
    if let Some(trips) = trips::constant(b.types, b.body, l) {
        return Some(trips);
    }
    let ExprKind::Binary { op: BinaryOp::Add, left, right } = b.body.exprs[l.bound].kind else { return None };
    let variable = |e: Handle<Expr>| match b.body.exprs[e].kind {
        ExprKind::Load(place) => match b.body.exprs[place].kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    };
    let distance = match (variable(l.lower)?, variable(left), variable(right)) {
        (first, Some(base), _) if base == first => b.as_int(right)?,
        (first, _, Some(base)) if base == first => b.as_int(left)?,
        _ => return None,
    };
    Some(trips::count(0, distance, l.compare, b.as_int(l.step)?))
}

/// Computes the loops' own variables from the count, innermost fastest.
fn variables(
    b: &mut Builder<'_>,
    joined: &[Loop],
    counts: &[Handle<Expr>],
    iteration: Handle<Local>,
) -> Vec<StmtNode> {
    let mut found = vec![];
    let mut rest: Handle<Expr> = b.load(iteration);
    for (i, l) in joined.iter().enumerate().rev() {
        let count = counts[i];
        let mine = match i {
            0 => rest,
            _ => b.binary(BinaryOp::Rem, rest, count),
        };
        let value = offset(b, l, mine);
        found.push(declare(l.var, Some(value)));
        if i > 0 {
            rest = b.binary(BinaryOp::Div, rest, count);
        }
    }
    found.reverse();
    found
}
