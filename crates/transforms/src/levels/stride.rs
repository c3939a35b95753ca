//! Which loop of a distributed nest gets which dimension.
//!
//! Neighbouring lanes differ in x, so x goes to the loop whose neighbouring iterations touch neighbouring elements.
//! The loops of a distributed nest are independent, so any order is legal.

use super::tree::LoopNode;
use accl_analysis::access::Access;
use accl_analysis::affine::Atom;
use accl_analysis::data::Summary;
use accl_ir::{Expr, ExprKind, Handle};

/// The dimension of each loop, in the order of `loops` (outermost first).
pub fn dimensions(summary: &Summary<'_>, loops: &[&LoopNode<'_>]) -> Vec<u8> {
    let count = loops.len();
    let mut order: Vec<usize> = (0..count).rev().collect();
    // Of several alike, that which writes neighbouring elements: a cache keeps what is read for the next iteration.
    let scores: Vec<(i64, i64)> =
        loops.iter().map(|n| (contiguous_accesses(summary, n), contiguous_writes(summary, n))).collect();
    let best = scores.iter().copied().max().unwrap_or_default();
    if let Some(x) = order.iter().copied().find(|i| scores[*i] == best) {
        order.retain(|i| *i != x);
        order.insert(0, x);
    }
    let mut dims = vec![0; count];
    for (dim, i) in order.into_iter().enumerate() {
        dims[i] = dim as u8;
    }
    dims
}

/// The number of accesses in the loop that touch neighbouring elements in neighbouring iterations, minus those that
/// stride.
pub fn contiguous_accesses(summary: &Summary<'_>, node: &LoopNode<'_>) -> i64 {
    accesses_in(summary, node).map(|a| score(summary, a.place, node)).sum()
}

fn contiguous_writes(summary: &Summary<'_>, node: &LoopNode<'_>) -> i64 {
    accesses_in(summary, node).filter(|a| a.written).map(|a| score(summary, a.place, node)).sum()
}

/// Some access touches neighbouring elements in neighbouring iterations of the inner loop, and distant ones in those of the outer.
pub fn has_neighbours_inside(summary: &Summary<'_>, inner: &LoopNode<'_>, outer: &LoopNode<'_>) -> bool {
    accesses_in(summary, inner)
        .any(|a| score(summary, a.place, inner) > 0 && score(summary, a.place, outer) < 0)
}

/// Some access counts the iterations of both loops in steps that only a launch knows, `a[s * i + t * j]`: as programs have it whose
/// arrays may be stored in any order, with the loop over neighbouring elements innermost.
pub fn has_strides_of_launch(summary: &Summary<'_>, inner: &LoopNode<'_>, outer: &LoopNode<'_>) -> bool {
    let exprs = &summary.provenance.scope.body.exprs;
    accesses_in(summary, inner).any(|a| {
        let ExprKind::Index { base, index } = exprs[a.place].kind else { return false };
        let step = |node: &LoopNode<'_>| {
            let (step, _) = summary.polys().poly(index).split(Atom::Local(node.l.var))?;
            (step.as_constant().is_none() && !mentions_outside(summary, base, node)).then_some(step)
        };
        step(inner).zip(step(outer)).is_some_and(|(of_inner, of_outer)| of_inner != of_outer)
    })
}

/// Each iteration loads a pointer of its own, and follows it.
pub fn loads_pointers(summary: &Summary<'_>, node: &LoopNode<'_>) -> bool {
    let exprs = &summary.provenance.scope.body.exprs;
    accesses_in(summary, node).any(|a| {
        let ExprKind::Index { base, .. } = exprs[a.place].kind else { return false };
        matches!(exprs[base].kind, ExprKind::Load(_)) && mentions_outside(summary, base, node)
    })
}

fn accesses_in<'s>(summary: &'s Summary<'_>, node: &LoopNode<'_>) -> impl Iterator<Item = &'s Access> {
    let index = node.index;
    summary.accesses.list.iter().filter(move |a| a.loops.contains(&index))
}

/// 1 where neighbouring iterations access neighbouring elements at this place, 0 where they access the same, -1 otherwise.
pub(crate) fn score(summary: &Summary<'_>, place: Handle<Expr>, node: &LoopNode<'_>) -> i64 {
    let body = summary.provenance.scope.body;
    let ExprKind::Index { base, index } = body.exprs[place].kind else { return 0 };
    let var = Atom::Local(node.l.var);
    let polys = summary.polys();
    let inner = match polys.poly(index).split(var) {
        Some((c, _)) => c,
        None => return -1,
    };
    let outer = mentions_outside(summary, base, node);
    match inner.as_constant() {
        Some(0) if outer => -1,
        Some(0) => 0,
        Some(1 | -1) if !outer => 1,
        _ => -1,
    }
}

fn mentions_outside(summary: &Summary<'_>, base: Handle<Expr>, node: &LoopNode<'_>) -> bool {
    accl_ir::rewrite::mentions(summary.provenance.scope.body, base, node.l.var)
}
