//! Pass 5: compute constructs become kernels.
//!
//! A parallel or serial construct is one kernel. A kernels construct is one for each top-level loop nest that
//! runs in parallel, and a serial one for what stands between them (OpenACC 3.3 §2.5.3). A kernel's body has
//! copies of the host function's locals and expressions under the same handles, so bounds and clauses keep their
//! meaning. A kernel with loops that are independent only where its arrays do not overlap has another kernel beside it, or two, its
//! [`fallback`], in which these loops are sequential.
//!
//! Invariant: each variable that a kernel uses is a parameter of it, declared in it, or a literal.

pub mod data_params;
mod fallback;
mod firstprivate;
mod halos;
mod indirect;
mod kernel;
pub(crate) mod kernel_fission;
mod overflow;
pub(crate) mod private;
mod reductions;
mod row_length;
pub(crate) mod trips;

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_ir::{Block, GivenSchedule, Kernel, Module, RegionKind, Stmt};
use accl_source::Diagnostic;
use accl_source::codes::transforms as codes;

pub const PASS: Pass =
    Pass { name: "outline", promise: "Each compute construct is one kernel or several.", run };

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        let pieces = match region.kind {
            RegionKind::Kernels => {
                let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
                kernel_fission::kernels_construct(&summary, &region.body)
            }
            RegionKind::Parallel | RegionKind::Serial => vec![region.body.clone()],
            RegionKind::Data | RegionKind::HostData | RegionKind::Partitioned | RegionKind::OnHost => {
                unreachable!("compute constructs only")
            }
        };
        for piece in pieces {
            let mut fallback_of = None;
            for kernel in fallback::make(module, body, region, site, piece, cx) {
                let indirect: Vec<usize> = kernel.indirect_pointers.iter().map(|p| p.item).collect();
                let handle = module.kernels.append(Kernel { fallback_of, ..kernel });
                if fallback_of.is_none() {
                    for item in indirect {
                        let flags = &mut region.clauses.data[item].flags;
                        flags.indirect |= flags.implicit;
                    }
                    region.kernels.push(handle);
                }
                fallback_of = Some(handle);
            }
        }
    });
    unfollowed(module, cx);
}

/// Schedules on loops that are no kernel's, and those of a file that fit no directive of the function they name.
fn unfollowed(module: &Module, cx: &mut Context<'_>) {
    for (_, function) in module.functions.iter() {
        for given in function.body.iter().flat_map(|body| host_schedules(&body.block)) {
            let message = "a schedule is for a kernel, and this loop runs on the host, or in a routine";
            cx.diagnostics
                .push(Diagnostic::error(codes::BAD_SCHEDULE, message).label(given.span, given.place()));
        }
    }
    for given in cx.options.schedules {
        let of_kernels = || module.kernels.iter().filter(|(_, k)| given.is_of(&k.site.function));
        let origin = |k: &accl_ir::Kernel| k.schedule.as_ref().and_then(|s| s.origin.clone());
        let followed = of_kernels().any(|(_, k)| origin(k).as_ref() == Some(&given.origin));
        if let (false, Some((_, k))) = (followed, of_kernels().next()) {
            let message = format!(
                "{} gives a schedule for line {} of {}, where no directive of a loop stands",
                given.origin,
                given.numbers(),
                given.function
            );
            let warning = Diagnostic::warning(codes::BAD_SCHEDULE, message);
            cx.diagnostics
                .push(warning.label(k.site.directive_span, "the function's first kernel is of this one"));
        }
    }
}

/// The schedules on loops outside of compute constructs.
fn host_schedules(block: &Block) -> Vec<&GivenSchedule> {
    let mut found = vec![];
    for node in block {
        match &node.kind {
            Stmt::Region(region) if region.kind.is_compute() => continue,
            Stmt::For(l) => found.extend(l.directive.iter().filter_map(|d| d.schedule.as_ref())),
            _ => {}
        }
        found.extend(node.kind.blocks().into_iter().flat_map(host_schedules));
    }
    found
}
