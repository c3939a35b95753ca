//! Loops of the host that only follow their data to the device (`frontend::openmpc::following`).
//!
//! Such a loop is the device's where it is parallel, or so short that one thread takes less time for it than the data take for their
//! way. All others are the host's, as if there were no construct.

use super::facts::Facts;
use super::summary;
use crate::context::Context;
use crate::outline::trips;
use crate::regions::Site;
use accl_analysis::affine::{Atom, Polys};
use accl_ir::{Block, Body, Handle, Local, Module, Region, RegionKind, Stmt, StmtNode};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};
use std::collections::BTreeMap;

/// Bounds on iterations that are sums of those of triangles are some three times what they are: one thread of a GPU takes less than 100
/// microseconds.
const SHORT: i128 = 16384;

pub fn settle(module: &Module, body: &Body, region: &mut Region, site: &Site, cx: &mut Context<'_>) {
    let summary = summary(module, body, region, site, cx);
    let facts = Facts::new(&summary, region, site, cx.options.files);
    let is_parallel = |node: &StmtNode| {
        matches!(node.kind, Stmt::Declare { .. }) || facts.is_parallel_loop(std::slice::from_ref(node))
    };
    if region.body.iter().all(is_parallel)
        || iterations(&summary.polys(), &region.body, &mut BTreeMap::new()).is_some_and(|n| n <= SHORT)
    {
        let message =
            "Loop that threads do not share runs on the device where that has newer data than the host";
        let at = region.directive_span;
        return cx.remark(Remark::new(
            remarks::REGION_ON_DEVICE,
            RemarkKind::Transform,
            &site.name,
            at,
            message,
        ));
    }
    let span = region.body_span;
    cx.remarks.retain(|remark| !span.contains(remark.span));
    region.kind = RegionKind::OnHost;
    region.clauses.self_ = Some(None);
    region.clauses.data.clear();
    region.body = vec![StmtNode { kind: Stmt::Host, span }];
    cx.analyses.forget_all();
}

type Counters = BTreeMap<Handle<Local>, (i128, i128)>;

/// How often statements are executed at most, where the bounds of loops are sums of numbers and of other loops' variables.
fn iterations(polys: &Polys<'_>, block: &Block, counters: &mut Counters) -> Option<i128> {
    let mut sum = 1i128;
    for node in block {
        let Stmt::For(l) = &node.kind else {
            if matches!(node.kind, Stmt::While { .. }) {
                return None;
            }
            for inner in node.kind.blocks() {
                sum = sum.checked_add(iterations(polys, inner, counters)?)?;
            }
            continue;
        };
        let known = |atom: Atom| match atom {
            Atom::Local(local) => counters.get(&local).copied(),
            Atom::Global(_) | Atom::Opaque(_) => None,
        };
        let (lower, bound) = (polys.poly(l.lower).bounds(known)?, polys.poly(l.bound).bounds(known)?);
        let step = polys.poly(l.step).as_constant()?;
        let trips = match step > 0 {
            true => trips::count(lower.0, bound.1, l.compare, step),
            false => trips::count(lower.1, bound.0, l.compare, step),
        };
        counters.insert(l.var, (lower.0.min(bound.0), lower.1.max(bound.1)));
        let inside = iterations(polys, &l.body, counters)?;
        sum = sum.checked_add(trips.max(0).checked_mul(inside)?)?;
    }
    Some(sum)
}
