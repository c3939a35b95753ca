//! Pass 5: compute constructs become kernels.
//!
//! A parallel or serial construct is one kernel. A kernels construct is one for each top-level loop nest that
//! runs in parallel, and a serial one for what stands between them (OpenACC 3.3 §2.5.3). A kernel's body has
//! copies of the host function's locals and expressions under the same handles, so bounds and clauses keep their
//! meaning.
//!
//! Invariant: each variable that a kernel uses is a parameter of it, declared in it, or a literal.

mod data_params;
mod firstprivate;
mod halos;
mod indirect;
mod kernel;
pub(crate) mod kernel_fission;
mod overflow;
pub(crate) mod private;
mod reductions;
pub(crate) mod trips;

use crate::context::Context;
use crate::pass::Pass;
use crate::regions;
use accl_ir::{Module, RegionKind};

pub const PASS: Pass =
    Pass { name: "outline", promise: "Each compute construct is one kernel or several.", run };

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let files = cx.options.files;
    regions::each_compute(module, files, &mut |module, body, region, site| {
        let pieces = match region.kind {
            RegionKind::Kernels => {
                let summary = cx.analyses.summary(site.construct, module, body, region, &site.visible);
                kernel_fission::kernels_construct(&summary, &region.body)
            }
            RegionKind::Parallel | RegionKind::Serial => vec![region.body.clone()],
            RegionKind::Data | RegionKind::HostData | RegionKind::Partitioned => {
                unreachable!("compute constructs only")
            }
        };
        for piece in pieces {
            let kernel = kernel::make(module, body, region, site, piece, cx);
            for pointer in &kernel.indirect_pointers {
                let flags = &mut region.clauses.data[pointer.item].flags;
                flags.indirect |= flags.implicit;
            }
            region.kernels.push(module.kernels.append(kernel));
        }
    });
}
