//! Reductions whose result nobody reads, into variables that each iteration sets before it reads them.
//!
//! Older C names in a loop's clause the variable that the loop inside it sums into:
//!
//! ```text
//! #pragma omp parallel for private(k) reduction(+:sum)     →     private(k, sum)
//! for (j = 0; j < n; j++) {
//!     sum = 0;
//!     for (k = 0; k < m; k++) sum += a[k][j];
//!     b[j] = sum;
//! }
//! ```
//!
//! So the variable is private to an iteration, and several lanes may share the loop inside.

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::scalars;
use accl_ir::rewrite::mentions;
use accl_ir::{Body, DataVar, Handle, Local, Module, Region, RegionKind, Stmt, StmtNode, visit};

pub const PASS: Pass = Pass {
    name: "unused_reductions",
    promise: "Variables of a loop's reductions that each iteration sets first, and nobody reads afterwards, are private.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Reads(cx.options.files), &mut |module, body, region, site| {
        let unused = unused(module, body, region, site);
        if unused.is_empty() {
            return;
        }
        let is_unused = |var: &DataVar| matches!(var, DataVar::Local(l) if unused.contains(l));
        region.clauses.reductions.retain(|r| !unused.contains(&r.local));
        region.clauses.data.retain(|item| !is_unused(&item.var));
        visit::for_each_stmt_mut(&mut region.body, &mut |node| {
            if let Stmt::For(l) = &mut node.kind
                && let Some(d) = &mut l.directive
                && !d.found
                && d.reductions.iter().any(|r| unused.contains(&r.local))
            {
                let gone = d.reductions.extract_if(.., |r| unused.contains(&r.local));
                d.private.extend(gone.map(|r| r.local));
            }
        });
        cx.analyses.forget(site.construct);
    });
}

/// What the construct's only loop reduces, each iteration sets first, and nobody reads afterwards.
fn unused(module: &Module, body: &Body, region: &Region, site: &Site) -> Vec<Handle<Local>> {
    let Some(l) = visit::only_loop(&region.body).filter(|_| region.kind == RegionKind::Parallel) else {
        return vec![];
    };
    let Some(d) = l.directive.as_ref().filter(|d| d.collapse <= 1 && d.tile.is_empty()) else {
        return vec![];
    };
    let mut reductions: Vec<_> = d.reductions.iter().map(|r| r.local).collect();
    reductions.retain(|local| {
        let in_header = [l.lower, l.bound, l.step].into_iter().any(|e| mentions(body, e, *local));
        let plain = module.types.is_scalar(body.locals[*local].ty) && !body.locals[*local].reference;
        let flow = scalars::flow(body, &l.body, *local);
        let set_first = flow.exposed.is_none() && flow.written;
        let named_inside = named_inside(&l.body, *local);
        plain && set_first && !in_header && !named_inside && !site.is_read_after(*local)
    });
    reductions
}

/// A directive of the program's inside the loop names it, too.
fn named_inside(block: &[StmtNode], local: Handle<Local>) -> bool {
    let mut named = false;
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && let Some(d) = l.directive.as_ref().filter(|d| !d.found)
        {
            named |= d.private.contains(&local) || d.reductions.iter().any(|r| r.local == local);
        }
    });
    named
}
