//! Products whose innermost loop the program gives to lanes: a thread for each element is better.
//!
//! ```text
//! loop gang            for (i …)
//! loop gang or worker      for (j …) { s = 0;
//! loop vector reduction        for (k …) s += a[i * n + k] * b[k * n + j];
//!                                      c[i * n + j] = s; }
//! ```
//!
//! As it is written, a block computes each element, and its lanes read a column of `b`. Threads that have an element each read rows of it,
//! and can keep tiles in registers. A product of 2,048² floats takes 0.46 ms then on an H200, and nothing in the program tells the difference.
//! A few long sums are another matter: there the lanes are needed. So a loop around must have as many iterations as are added up, by proof.

use super::choose::{Levels, all_fixed, has_sizes_at_launch, private_between};
use super::stride;
use super::tree::LoopNode;
use super::{LevelPlan, trips};
use accl_ir::{Loop, LoopDirective};

/// The loops that have a thread for each of their iterations, where the nest is such a product; the sum's loop is in the last of them.
pub fn around_sum<'t, 'a>(plan: &LevelPlan<'_>, root: &'t LoopNode<'a>) -> Option<Vec<&'t LoopNode<'a>>> {
    let mut all = vec![root];
    while let Some(child) = all[all.len() - 1].tight_child() {
        all.push(child);
    }
    let [sum] = all[all.len() - 1].children.as_slice() else { return None };
    let adds_up = directive(sum).is_some_and(|d| d.vector.is_some() && !d.reductions.is_empty());
    // Those that a clause joins with the first one have no directive.
    let joined = root.collapse();
    let is_plain = |(i, n): (usize, &&LoopNode<'_>)| {
        let plain = |d: &LoopDirective| d.reductions.is_empty() && d.searches.is_empty() && d.tile.is_empty();
        let own = plan.is_parallel(n) && directive(n).is_some_and(plain);
        own && (i == 0 || n.collapse() == 1) || (1..joined).contains(&i)
    };
    let mut used = Levels::default();
    let in_order = all.iter().chain([&sum]).all(|n| {
        let levels = Levels::explicit(directive(n));
        let fits = levels.conflict(used).is_none();
        used = used.with(levels);
        fits && !has_sizes_at_launch(plan.region, directive(n))
    });
    let neighbours = |n: &LoopNode<'_>| stride::contiguous_accesses(plan.summary, n);
    let fits = all.len() >= joined.max(2)
        && adds_up
        && in_order
        && sum.children.is_empty()
        && plan.is_parallel(sum)
        && all.iter().enumerate().all(is_plain)
        && all_fixed(plan, &all)
        && !private_between(&all)
        && all.iter().any(|n| neighbours(n) > neighbours(sum))
        && all.iter().any(|n| is_as_long(plan, n.l, sum.l));
    fits.then_some(all)
}

fn directive<'n>(node: &'n LoopNode<'_>) -> Option<&'n LoopDirective> {
    node.l.directive.as_ref()
}

/// The first loop has at least as many iterations as the second.
fn is_as_long(plan: &LevelPlan<'_>, l: &Loop, other: &Loop) -> bool {
    let polys = plan.summary.polys();
    let length = |l: &Loop| polys.poly(l.bound).plus(&polys.poly(l.lower), -1);
    let step = |l: &Loop| polys.poly(l.step).as_constant();
    let (a, b) = (length(l), length(other));
    let same = a.plus(&b, -1).as_constant() == Some(0);
    let known = trips(plan.summary, l).zip(trips(plan.summary, other));
    let longer = known.is_some_and(|(l, other)| l >= other);
    longer || same && l.compare == other.compare && step(l).is_some() && step(l) == step(other)
}
