//! Before parallelism: global variables that parallel constructs write are replaced by locals.
//!
//! A scalar that no data clause visible to a `parallel` construct names is firstprivate, wherever it is declared
//! (OpenACC 3.3 §2.6.2), and the compiler reduces one that the construct's loops sum up. Passes know how to do both
//! for locals. So a global scalar becomes a local, which has the global's name on the host. In a kernels construct
//! such a scalar is copied, and stays global.

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::data::{self, Variable, VariableForm};
use accl_analysis::provenance::Root;
use accl_ir::{Body, ExprKind, Local, LocalKind, Module, Region, RegionKind, TypeKind, rewrite};
use std::collections::BTreeMap;

pub const PASS: Pass = Pass {
    name: "localise_globals",
    promise: "Variables of the file that a parallel construct writes are locals of it.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        if region.kind != RegionKind::Parallel {
            return;
        }
        let mut own = BTreeMap::new();
        for (global, span) in written(module, body, region, site, cx) {
            let of = &module.globals[global];
            let name = body.unique_name(&of.name);
            let local = Local { name, ty: of.ty, kind: LocalKind::Auto, reference: false, span };
            own.insert(global, body.locals.append(local));
        }
        if own.is_empty() {
            return;
        }
        cx.analyses.forget(site.construct);
        rewrite::rewrite_exprs(body, &mut region.body, &mut |body, e| {
            if let ExprKind::Global(global) = body.exprs[e].kind
                && let Some(local) = own.get(&global)
            {
                body.exprs[e].kind = ExprKind::Local(*local);
            }
            e
        });
    });
}

type Written = Vec<(accl_ir::Handle<accl_ir::Global>, accl_source::Span)>;

/// The numbers among the file's variables that the construct writes and no data clause names, each with a place where it is named.
fn written(module: &Module, body: &Body, region: &Region, site: &Site, cx: &Context<'_>) -> Written {
    let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
    let items = || region.clauses.data.iter().chain(&site.around.visible);
    let named = |root: &Root| data::item_of(module, body, items(), root).is_some();
    let is_own = |v: &&Variable| {
        let accesses = || v.accesses.iter().map(|i| &summary.accesses.list[*i]);
        let plain = accesses().all(|a| !a.atomic && matches!(body.exprs[a.place].kind, ExprKind::Global(_)));
        v.form == VariableForm::Scalar && v.written && plain && !named(&v.root)
    };
    let found = summary.variables.iter().filter(is_own).filter_map(|v| {
        let Root::Global(global) = v.root else { return None };
        let number = matches!(
            module.types.kind(module.globals[global].ty),
            TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Bool
        );
        let spans = v.accesses.iter().map(|i| body.exprs[summary.accesses.list[*i].place].span);
        let span = spans.filter(|s| !s.is_nowhere()).min_by_key(|s| s.start)?;
        number.then_some((global, span))
    });
    found.collect()
}
