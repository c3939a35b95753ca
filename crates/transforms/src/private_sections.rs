//! `private(p[a:n])` and `firstprivate(p[a:n])`: where that makes no difference, iterations share one array of the
//! construct's own.
//!
//! Only the launch knows how many elements are private, so no thread can hold them in an array of its own. But
//! where no two iterations of parallel loops use the same element, or none writes it, it makes no difference
//! whether each iteration has a copy of the section or all share one. Then the construct gets one
//! (`DataFlags::private`); otherwise it is refused.

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_analysis::data::{self, Summary};
use accl_analysis::dependence::Analysis;
use accl_ir::{DataItem, Loop, Module, Region, RegionKind, Stmt};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};

pub const PASS: Pass = Pass {
    name: "private_sections",
    promise: "Where what a pointer points to is private, iterations may share one array.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        let items: Vec<&DataItem> =
            region.clauses.data.iter().filter(|i| i.flags.private && !i.flags.rows).collect();
        if items.is_empty() || region.kind == RegionKind::Serial {
            return;
        }
        let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
        for item in items {
            if let Some((message, references)) = conflict(&summary, region, item) {
                cx.diagnostics.push(refusal(item, &message, references));
            }
        }
    });
}

type SharedElement = (String, Vec<(Span, String)>);

/// Two iterations, or two gangs, that use the same element.
fn conflict(summary: &Summary<'_>, region: &Region, item: &DataItem) -> Option<SharedElement> {
    let scope = summary.provenance.scope;
    let root = data::item_root(scope.module, scope.body, item);
    let parallel = parallel_loops(region);
    let mut analysis = Analysis::new(summary);
    if let Some(c) = parallel.iter().find_map(|(index, l)| analysis.of_variable(*index, l, &root)) {
        return Some((c.message, c.references));
    }
    let accesses = summary.variables.iter().filter(|v| v.root == root).flat_map(|v| &v.accesses);
    let mut accesses = accesses.map(|at| &summary.accesses.list[*at]);
    let redundant =
        accesses.find(|a| a.written && !parallel.iter().any(|(index, _)| a.loops.contains(index)))?;
    let message = format!("each gang writes its own {}", item.base);
    Some((message, vec![(redundant.span, "outside of the parallel loops".into())]))
}

/// Loops whose iterations may run at the same time, with their numbers in the summary.
fn parallel_loops(region: &Region) -> Vec<(usize, &Loop)> {
    let mut found = vec![];
    let mut index = 0;
    accl_ir::visit::for_each_stmt(&region.body, &mut |node| {
        let Stmt::For(l) = &node.kind else { return };
        let parallel = l
            .directive
            .as_ref()
            .is_some_and(|d| !d.seq && (d.independent || region.kind == RegionKind::Parallel && !d.auto));
        if parallel {
            found.push((index, &**l));
        }
        index += 1;
    });
    found
}

fn refusal(item: &DataItem, message: &str, references: Vec<(Span, String)>) -> Diagnostic {
    let head =
        format!("`{}` cannot be private: its length is not known when the program is compiled", item.name);
    let diagnostic = Diagnostic::error(codes::PRIVATE_SECTION, head).label(item.span, message);
    let diagnostic = references.into_iter().fold(diagnostic, |d, (span, text)| d.label(span, text));
    diagnostic.with_help(
        "declare an array of constant length in the loop, or name an array with a row for each iteration in create()",
    )
}
