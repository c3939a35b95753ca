//! Parallel constructs whose gangs would all do the same.
//!
//! Without a loop directive each gang executes all iterations of all loops (OpenACC 3.3 §2.5.1). Where no clause says how
//! many gangs there are, one is enough, and its loops may be spread as those of a kernels construct: this is what the author
//! of such code meant. Atomic operations and routines with loops of their own tell gangs apart.

use crate::context::Context;
use crate::host_device_partition::{is_any_gang_alike, kept_values};
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_ir::{Module, Region, RegionKind, Stmt, visit};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};

pub const PASS: Pass = Pass {
    name: "gang_redundant",
    promise: "A parallel construct with loops, none of which has a directive, is a kernels construct.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let files = cx.options.files;
    if !cx.options.auto_parallel {
        return;
    }
    regions::each_compute(module, Asks::Reads(files), &mut |module, body, region, site| {
        if region.kind != RegionKind::Parallel
            || !has_undirected_loops_alone(region)
            || !is_any_gang_alike(region)
        {
            return;
        }
        let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
        if kept_values(&summary, region, site).is_some() {
            return;
        }
        region.kind = RegionKind::Kernels;
        cx.analyses.forget_all();
        let message = "No loop has a directive, so that all gangs would do the same: the construct is run as a kernels construct";
        let (id, span) = (remarks::GANGS_MEET, region.directive_span);
        cx.remark(Remark::new(id, RemarkKind::Generated, &site.name, span, message));
    });
}

fn has_undirected_loops_alone(region: &Region) -> bool {
    let (mut loops, mut other) = (false, false);
    visit::for_each_stmt(&region.body, &mut |node| match &node.kind {
        Stmt::For(l) if l.directive.is_none() => loops = true,
        Stmt::For(_) | Stmt::Atomic(_) | Stmt::Call { .. } => other = true,
        _ => {}
    });
    loops && !other
}
