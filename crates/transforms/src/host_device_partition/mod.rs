//! Pass 3: the host runs the sequential code of a kernels construct.
//!
//! A time step, an elimination or a relaxation is usually a sequential loop around parallel ones. As one kernel it
//! would run in one gang, since gangs cannot wait for each other. So the construct becomes a
//! [`RegionKind::Partitioned`]. The host runs the sequential loop and everything else that needs nothing but
//! scalars. Each parallel nest in it becomes a kernels construct of its own, inside the data region of the whole.
//! Statements between them that need the device's memory become serial kernels.
//!
//! Scalars live on the host. Kernels get them by value, and their results (reductions, scalars that serial kernels
//! write) are copied back before the host continues. Where the host's part would need an array, or a scalar that a
//! data clause puts on the device, the construct stays one kernel of one gang, and a remark says why.

mod cross_gang;
mod device_constructs;
mod facts;
mod follows_data;
mod partition;
mod source_statements;

use crate::context::Context;
use crate::levels::has_sizes;
use crate::outline::kernel_fission;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::data::{self, VariableForm};
use accl_analysis::provenance::Root;
use accl_ir::{
    Async, Block, Body, DataVar, Handle, HostExpr, Local, Loop, LoopDirective, Module, Region, RegionKind,
    Stmt, StmtNode, TypeKind, Wait, visit,
};
use accl_source::codes::{remarks, transforms as codes};
use accl_source::{Diagnostic, Remark, RemarkKind, Span};
use cross_gang::CrossGangDependence;
use facts::Facts;
use partition::Partitioner;
use source_statements::{groups, share_temps};
use std::collections::BTreeSet;

/// Why the host cannot run the code.
pub(crate) struct Refusal {
    span: Span,
    why: String,
}

fn refuse<T>(span: Span, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { span, why: why.into() })
}

pub const PASS: Pass = Pass {
    name: "host_device_partition",
    promise: "Sequential code around parallel loops of a kernels construct is the host's.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let files = cx.options.files;
    if !cx.options.partition_kernels {
        return;
    }
    regions::each_compute(module, Asks::Reads(files), &mut |module, body, region, site| match region.kind {
        _ if matches!(region.clauses.self_, Some(None)) => {}
        RegionKind::Kernels if region.follows_data() => {
            follows_data::settle(module, body, region, site, cx);
        }
        RegionKind::Kernels => construct(module, body, region, site, cx),
        RegionKind::Parallel => parallel(module, body, region, site, cx),
        RegionKind::Serial
        | RegionKind::Data
        | RegionKind::HostData
        | RegionKind::Partitioned
        | RegionKind::OnHost => {}
    });
}

fn summary<'a>(
    module: &'a Module,
    body: &'a Body,
    region: &Region,
    site: &Site,
    cx: &Context<'_>,
) -> data::Summary<'a> {
    cx.analyses.summary(site.construct, module, body, region, &site.around)
}

/// A parallel construct whose gangs use each other's results becomes a kernels construct, which launches several
/// kernels.
fn parallel(module: &Module, body: &mut Body, region: &mut Region, site: &Site, cx: &mut Context<'_>) {
    if is_loops_alone(region) && kept_values(&summary(module, body, region, site, cx), region, site).is_none()
    {
        *region = kernels_of(region);
        cx.analyses.forget_all();
        return;
    }
    let one_gang = region.clauses.ask_for_one_gang();
    let found = cross_gang::dependence(&summary(module, body, region, site, cx), region);
    let Some(found) = found.filter(|_| !one_gang) else { return };
    // The summary stays valid for the construct as it was.
    let view = body.clone();
    let summary = summary(module, &view, region, site, cx);
    let whole = kernels_of(region);
    let facts = Facts::new(&summary, &whole, site, cx.options.files);
    let freely = cx.options.partition_freely;
    let mut partitioner = Partitioner { facts: &facts, body, region: &whole, remarks: vec![], freely };
    let launches = match is_worth_it(&facts, &whole) {
        false => Ok(None),
        true => partitioner.construct(),
    };
    let kept = kept_values(&summary, region, site);
    match (launches, kept) {
        (Ok(block), None) => {
            let said = std::mem::take(&mut partitioner.remarks);
            said.into_iter().for_each(|span| run_by_host(span, site, cx));
            report_cross_gang(&found, None, region, site, cx);
            *region = whole;
            cx.analyses.forget_all();
            if let Some(block) = block {
                let waits = results_are_needed(body, &block);
                become_partitioned(region, block, waits);
            }
        }
        (Err(refusal), _) => in_one_gang(&found, refusal.why, region, site, cx),
        (Ok(_), Some(name)) => {
            let why = format!("{name} is assigned, and its value outside of the construct is used later");
            in_one_gang(&found, why, region, site, cx);
        }
    }
}

/// The gangs would race. Where the program leaves it open how many there are, there is one.
fn in_one_gang(
    found: &CrossGangDependence,
    why: String,
    region: &mut Region,
    site: &Site,
    cx: &mut Context<'_>,
) {
    report_cross_gang(found, Some(why), region, site, cx);
    if found.reduced || region.clauses.num_gangs.is_none() {
        let one = HostExpr::constant(1, region.directive_span);
        region.clauses.num_gangs = Some(one);
        cx.analyses.forget_all();
    }
}

/// The construct is several gang loops, of which one is a nest that a launch of its own spreads over two dimensions, and
/// nothing else.
fn is_loops_alone(region: &Region) -> bool {
    let gang_loops: Option<Vec<&Loop>> = region
        .body
        .iter()
        .map(|node| match &node.kind {
            Stmt::For(l) => l.directive.as_ref().filter(|d| cross_gang::is_for_gangs(d)).map(|_| &**l),
            _ => None,
        })
        .collect();
    let free = |d: &LoopDirective| d.gang.is_none() && d.worker.is_none() && d.vector.is_none() && !d.seq;
    let nest = |l: &&Loop| {
        let inner = visit::only_loop(&l.body).and_then(|inner| inner.directive.as_ref());
        l.directive.as_ref().is_some_and(free) && inner.is_some_and(free)
    };
    gang_loops.is_some_and(|all| all.len() > 1 && all.iter().any(nest)) && is_any_gang_alike(region)
}

/// No clause says how many gangs there are, or what each of them has for itself.
pub(crate) fn is_any_gang_alike(region: &Region) -> bool {
    let clauses = &region.clauses;
    let own =
        !clauses.private.is_empty() || !clauses.firstprivate.is_empty() || !clauses.reductions.is_empty();
    !has_sizes(region, None) && !own
}

/// The same construct as a kernels construct, keeping what the user promised of its loops.
pub(crate) fn kernels_of(region: &Region) -> Region {
    let mut whole = Region { kind: RegionKind::Kernels, ..region.clone() };
    visit::for_each_stmt_mut(&mut whole.body, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && let Some(d) = &mut l.directive
        {
            d.independent |= !d.seq && !d.auto;
        }
    });
    whole
}

/// A host variable of which the construct assigns a copy (firstprivate), and which the host reads afterwards. Arrays are shared
/// unless a clause says otherwise (§2.6.2), and so is what a data clause names.
pub(crate) fn kept_values(summary: &data::Summary<'_>, region: &Region, site: &Site) -> Option<String> {
    let scope = summary.provenance.scope;
    let written = accl_analysis::scalars::written_locals(scope.body, &region.body).into_keys();
    // What loops reduce is on the host afterwards either way.
    let mut reduced = BTreeSet::new();
    visit::for_each_loop(&region.body, &mut |l, _| {
        reduced.extend(l.directive.iter().flat_map(|d| d.reductions.iter().map(|r| r.local)));
    });
    let clauses = &region.clauses;
    let is_shared = |l: &Handle<Local>| {
        let array = matches!(scope.module.types.kind(scope.body.locals[*l].ty), TypeKind::Array { .. });
        let copied = || clauses.firstprivate.iter().chain(&clauses.private).any(|of| of == l);
        array && !copied() || clauses.data.iter().any(|item| item.var == DataVar::Local(*l))
    };
    let mut outside =
        written.filter(|l| !summary.provenance.is_inner(*l) && !reduced.contains(l) && !is_shared(l));
    let read = outside.find(|l| site.is_read_after(*l))?;
    scope.local(read)
}

fn report_cross_gang(
    found: &CrossGangDependence,
    why_not: Option<String>,
    region: &Region,
    site: &Site,
    cx: &mut Context<'_>,
) {
    let CrossGangDependence { name, written, other, reduced } = found;
    let Some(why_not) = why_not else {
        let message =
            format!("Gangs use what others write to {name}: the construct is run as a kernels construct");
        let remark = Remark::new(
            remarks::GANGS_MEET,
            RemarkKind::Generated,
            &site.name,
            region.directive_span,
            message,
        );
        let remark = remark.with_related(*written, format!("{name} is written here"));
        cx.remark(remark.with_related(*other, format!("{name} is used here")));
        return;
    };
    let message = format!("gangs use what others write to `{name}`, and do not wait for each other");
    let warning = Diagnostic::warning(codes::GANGS_MEET, message)
        .label(*written, "written here, by one gang")
        .label(*other, "used here, perhaps by another")
        .with_note(format!("launches of their own, as `kernels` has them, are not possible: {why_not}"))
        .with_note(match region.clauses.num_gangs {
            None => "no clause says how many gangs there are, so there is one",
            Some(_) if *reduced => "the construct has one gang",
            Some(_) => "there are as many gangs as num_gangs says, so the result is not certain",
        })
        .with_help("write a construct for each loop, or `kernels` in the place of `parallel`");
    cx.diagnostics.push(warning);
}

fn construct(module: &Module, body: &mut Body, region: &mut Region, site: &Site, cx: &mut Context<'_>) {
    let whole = summary(module, body, region, site, cx);
    if !is_worth_it(&Facts::new(&whole, region, site, cx.options.files), region) {
        return;
    }
    let view = body.clone();
    let summary = summary(module, &view, region, site, cx);
    let facts = Facts::new(&summary, region, site, cx.options.files);
    let freely = cx.options.partition_freely;
    let mut partitioner = Partitioner { facts: &facts, body, region, remarks: vec![], freely };
    match partitioner.construct() {
        Ok(None) => {}
        Ok(Some(block)) => {
            let said = std::mem::take(&mut partitioner.remarks);
            said.into_iter().for_each(|span| run_by_host(span, site, cx));
            let waits = results_are_needed(body, &block);
            become_partitioned(region, block, waits);
            cx.analyses.forget_all();
        }
        Err(refusal) => one_gang(refusal, site, cx),
    }
}

impl Partitioner<'_> {
    /// The part of the construct that the host runs, with constructs for the device in it. `None` where it would be one construct
    /// alone: that is the whole again, which would be divided again.
    fn construct(&mut self) -> Result<Option<Block>, Refusal> {
        movable_pointers(self.facts)?;
        unconditional(self.region, self.freely)?;
        let block = self.block(kernel_fission::flatten(&self.region.body))?;
        let is_whole = matches!(block.as_slice(), [StmtNode { kind: Stmt::Region(_), .. }]);
        Ok((!is_whole).then_some(block))
    }
}

/// Parallel loops stand where one kernel could not distribute them: in sequential code, or after declarations that
/// force several statements into one kernel.
fn is_worth_it(facts: &Facts<'_>, region: &Region) -> bool {
    let flat = kernel_fission::flatten(&region.body);
    let tied = kernel_fission::is_one_kernel(facts.summary, &region.body);
    let hidden = |group: &[StmtNode]| {
        (tied || !facts.is_parallel_loop(group))
            && group.iter().any(|n| facts.holds_parallel(n))
            && !share_temps(facts.body(), group)
    };
    groups(facts.body(), flat).into_iter().any(hidden)
}

/// Implicit clauses name what a pointer points to when the construct begins. If the pointer changes meanwhile, only
/// data that the user named are allowed.
fn movable_pointers(facts: &Facts<'_>) -> Result<(), Refusal> {
    let summary = facts.summary;
    let types = &summary.provenance.scope.module.types;
    let changed = summary.variables.iter().find(|v| {
        let pointer = matches!(types.kind(v.ty), TypeKind::Pointer { .. });
        v.form == VariableForm::Scalar && v.written && pointer
    });
    let implicit = |v: &data::Variable| v.form == VariableForm::Pointer && !facts.is_named(&v.root);
    match (changed, summary.variables.iter().find(|v| implicit(v))) {
        (Some(changed), Some(implicit)) => {
            let name = |root: &Root| facts.root_name(root);
            let why = format!(
                "pointer {} changes, and no data clause names {}",
                name(&changed.root),
                name(&implicit.root)
            );
            refuse(changed.span, why)
        }
        _ => Ok(()),
    }
}

/// Where the condition is false, an unchanged copy of the statement runs.
fn unconditional(region: &Region, freely: bool) -> Result<(), Refusal> {
    let condition = region.clauses.if_.is_some() || region.clauses.self_.is_some();
    match condition && !freely {
        true => refuse(region.directive_span, "the construct has a condition"),
        false => Ok(()),
    }
}

fn become_partitioned(region: &mut Region, block: Block, waits: bool) {
    region.kind = RegionKind::Partitioned;
    region.body = block;
    if waits && let Some(async_) = region.clauses.async_.take() {
        wait_before(region, async_);
        visit::for_each_stmt_mut(&mut region.body, &mut |node| {
            if let Stmt::Region(piece) = &mut node.kind {
                piece.clauses.async_ = None;
            }
        });
    }
}

/// The host must see the results that it reads, so what follows is not asynchronous.
fn wait_before(region: &mut Region, async_: Async) {
    let noval = HostExpr::constant(-2, region.directive_span);
    let queue = async_.queue.unwrap_or(noval);
    region.clauses.waits.push(Wait { queues: vec![queue], ..Wait::default() });
}

/// Some kernel sets a scalar that is declared outside it.
fn results_are_needed(body: &Body, block: &Block) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| {
        let Stmt::Region(piece) = &node.kind else { return };
        let inner = visit::declared_locals(&piece.body);
        let written = accl_analysis::scalars::written_locals(body, &piece.body);
        let loops = visit::loop_variables(&piece.body);
        found |= written.into_keys().any(|l| !inner.contains(&l) && !loops.contains(&l));
    });
    found
}

fn run_by_host(span: Span, site: &Site, cx: &mut Context<'_>) {
    let message = "Loop is run by the host, which launches the kernels in it";
    let id = remarks::SEQUENTIAL_LOOP;
    cx.remark(Remark::new(id, RemarkKind::Generated, &site.name, span, message));
}

fn one_gang(refusal: Refusal, site: &Site, cx: &mut Context<'_>) {
    let message = format!("Sequential code is run by one gang, parallel loops in it too: {}", refusal.why);
    let help = "let the sequential code around parallel loops use scalars only, or write it outside the construct, \
                in a data region";
    let id = remarks::NOT_PARALLELIZED;
    let remark = Remark::new(id, RemarkKind::NotParallelized, &site.name, refusal.span, message);
    cx.remark(remark.with_help(help));
}
