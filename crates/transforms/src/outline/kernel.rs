//! One kernel from a piece of a compute construct.

use super::{data_params, firstprivate, halos, indirect, overflow, private, reductions, row_length, trips};
use crate::compress::{mark, records};
use crate::context::Context;
use crate::regions::Site;
use accl_analysis::data::{self, Summary, Variable, VariableForm};
use accl_analysis::provenance::Root;
use accl_analysis::scalars::{self, Flows};
use accl_ir::{
    Block, Body, Compression, CpuArrays, DataKind, DataVar, DefaultData, Dim, GivenSchedule, GridRule,
    Handle, HostExpr, Kernel, KernelSite, Local, Loop, Module, Param, ParamKind, Reduction, Region,
    RegionKind, Stmt, TripCount, TypeKind, visit,
};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Remark, RemarkKind, Span};
use std::collections::BTreeSet;

/// Makes the kernel of `piece`, statements of `region`'s body.
pub fn make(
    module: &mut Module,
    host: &Body,
    region: &Region,
    site: &Site,
    piece: Block,
    cx: &mut Context<'_>,
) -> Kernel {
    let shape = Shape::of(module, host, region, &piece);
    let obstacle = if shape.serial { obstacle(region, &piece, cx) } else { None };
    let mut block = piece;
    let (wants, row_length, overflow_guard) = wanted(module, host, region, site, &mut block, cx);
    let mut body = Body { locals: host.locals.clone(), exprs: host.exprs.clone(), ..Body::default() };
    // Before what the construct takes is bound: the loops' copies are others.
    let taken: BTreeSet<Handle<Local>> = wants.iter().filter_map(Want::local).collect();
    private::declare_clauses(&module.types, &mut body, &mut block, &taken);
    let mut filled = vec![];
    let params = bound(wants, |want| want.bind(module, &mut body, &mut block, &mut filled, cx.diagnostics));
    cx.diagnostics.extend(mark::misuses(module, &body, &block));
    let known: BTreeSet<Handle<Local>> = params.iter().map(|p| p.local).collect();
    private::declare_rest(&module.types, &mut body, &mut block, &known);
    for array in &filled {
        firstprivate::fill(&mut module.types, &mut body, &mut block, array);
    }
    body.block = block;
    let schedule = given_schedule(&body.block, cx.diagnostics);
    let gangs = gang_count(region, &body.block, &shape);
    let (indirect_pointers, refused) = indirect::of_kernel(module, host, region, site, &body, &params);
    cx.diagnostics.extend(refused);
    Kernel {
        name: name(module, site, region, cx),
        site: kernel_site(region, site),
        function: site.construct.function,
        params,
        dims: shape.dims,
        serial: shape.serial,
        gangs: shape.gangs,
        distinct: false,
        distinct_rows: false,
        distinct_in_elements: false,
        strides: vec![],
        num_gangs: gangs,
        num_workers: region.clauses.num_workers.clone().or_else(|| clause(&body.block, |d| d.worker.clone())),
        vector_length: region
            .clauses
            .vector_length
            .clone()
            .or_else(|| clause(&body.block, |d| d.vector.clone())),
        row_length,
        schedule,
        overflow_guard,
        index64_of: None,
        fallback_of: None,
        obstacle,
        indirect_pointers,
        body,
        variants: vec![],
        cpu: None,
        cpu_arrays: CpuArrays::default(),
        cpu_dynamic_tiles: vec![],
    }
}

/// How the kernel is launched.
struct Shape {
    dims: Vec<Dim>,
    serial: bool,
    gangs: bool,
}

impl Shape {
    fn of(module: &Module, host: &Body, region: &Region, piece: &Block) -> Shape {
        let dims = distributed(module, host, piece);
        let mut parallel = false;
        visit::for_each_stmt(piece, &mut |node| {
            if let Stmt::For(l) = &node.kind {
                parallel |= l.levels.as_ref().is_some_and(|s| !s.is_seq());
            }
        });
        let serial = dims.is_empty() && !(parallel || region.kind == RegionKind::Parallel);
        Shape { serial, gangs: dims.is_empty() && !serial, dims }
    }
}

/// What was said of the outermost loop that could not be run in parallel, with its line.
fn obstacle(region: &Region, piece: &Block, cx: &Context<'_>) -> Option<String> {
    let mut found = None;
    visit::for_each_stmt(piece, &mut |node| {
        if region.kind == RegionKind::Kernels
            && found.is_none()
            && matches!(node.kind, Stmt::For(_) | Stmt::While { .. })
        {
            let said = |r: &&Remark| r.kind == RemarkKind::NotParallelized && r.span == node.span;
            found = cx.remarks.iter().find(said).map(|r| match cx.options.files {
                Some(files) => format!("line {}: {}", files.line(node.span), r.message),
                None => r.message.clone(),
            });
        }
    });
    found
}

/// The launch dimensions of the distributed loops that make up the whole piece, x first.
fn distributed(module: &Module, host: &Body, piece: &Block) -> Vec<Dim> {
    let mut found: Vec<(u8, Dim)> = vec![];
    let mut block = piece;
    while let Some(l) = distributed_loop(block) {
        let Some(levels) = &l.levels else { break };
        let rule = if levels.vector { GridRule::Trips } else { GridRule::Gangs };
        let trips: TripCount = trips::of_loop(module, host, l);
        found.push((levels.dim.unwrap_or(0), Dim { rule, trips }));
        block = &l.body;
    }
    found.sort_by_key(|(dim, _)| *dim);
    found.into_iter().map(|(_, dim)| dim).collect()
}

/// The distributed loop at the end of a piece; only declarations may stand before it.
fn distributed_loop(block: &Block) -> Option<&Loop> {
    let l = visit::only_loop(block)?;
    l.levels.as_ref().is_some_and(|s| s.dim.is_some()).then_some(l)
}

/// Something that will be a parameter, identified by the host's name for it.
enum Want {
    Data { item: usize, var: accl_ir::DataVar, v: Variable, name: String, compression: Option<Compression> },
    Value { v: Variable, text: String },
    Literal { global: Handle<accl_ir::Global>, value: accl_ir::ConstValue },
    Reduction { reduction: Reduction, text: String },
}

impl Want {
    /// The depth of a member path; 0 for a variable.
    fn path_length(&self) -> usize {
        match self {
            Want::Data { v, .. } | Want::Value { v, .. } => match &v.root {
                Root::Member(text) => text.len(),
                Root::Local(_) | Root::Global(_) | Root::Unknown => 0,
            },
            Want::Literal { .. } | Want::Reduction { .. } => 0,
        }
    }

    /// The variable of the construct's function that it is.
    fn local(&self) -> Option<Handle<Local>> {
        match self {
            Want::Data { v, .. } | Want::Value { v, .. } => match v.root {
                Root::Local(local) => Some(local),
                Root::Member(_) | Root::Global(_) | Root::Unknown => None,
            },
            Want::Reduction { reduction, .. } => Some(reduction.local),
            Want::Literal { .. } => None,
        }
    }

    fn bind(
        self,
        module: &mut Module,
        body: &mut Body,
        block: &mut Block,
        filled: &mut Vec<firstprivate::Filled>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Param> {
        match self {
            Want::Data { item, var, v, name, compression } => {
                let local = data_params::bind(module, body, block, &v.root, v.ty, &name);
                let kind = |plane| ParamKind::Data {
                    item,
                    var: var.clone(),
                    plane,
                    read: v.read,
                    written: v.written,
                };
                let Some(compression) = compression else { return vec![Param { local, kind: kind(0) }] };
                let planes = mark::run(module, body, block, local, &compression);
                if compression.members > 1 {
                    diagnostics.extend(records::whole_uses(body, block, local));
                }
                let data = Param { local, kind: kind(0) };
                let parameters = mark::codec_parameters(&mut module.types, body, &data, &compression);
                let planes = planes.into_iter().map(|(plane, local)| Param { local, kind: kind(plane) });
                planes.chain(parameters).collect()
            }
            Want::Value { v: Variable { root: Root::Local(own), ty, written, span, .. }, text }
                if matches!(module.types.kind(ty), TypeKind::Array { .. } | TypeKind::Struct(_)) =>
            {
                let (local, fresh) = firstprivate::bind(module, body, block, own, written);
                filled.extend(fresh);
                let host = HostExpr { text, span, value: None };
                vec![Param { local, kind: ParamKind::Value { host, ty: body.locals[local].ty } }]
            }
            Want::Value { v, text } => {
                let name = match &v.root {
                    Root::Global(g) => module.globals[*g].name.clone(),
                    Root::Local(_) | Root::Member(_) | Root::Unknown => text.clone(),
                };
                let local = data_params::bind_value(module, body, block, &v.root, v.ty, &name);
                let host = HostExpr { text, span: v.span, value: None };
                vec![Param { local, kind: ParamKind::Value { host, ty: v.ty } }]
            }
            Want::Literal { global, value } => {
                data_params::bind_literal(body, block, global, value);
                vec![]
            }
            Want::Reduction { reduction, text } => {
                let host = HostExpr { text, span: reduction.span, value: None };
                vec![Param { local: reduction.local, kind: ParamKind::Reduction { reduction, host } }]
            }
        }
    }
}

/// The parameters, in the order of first use. Longer paths are bound first: once `s` is a parameter, no expression
/// is `s.x` any more.
fn bound(wants: Vec<Want>, mut bind: impl FnMut(Want) -> Vec<Param>) -> Vec<Param> {
    let mut order: Vec<(usize, Want)> = wants.into_iter().enumerate().collect();
    order.sort_by_key(|(_, want)| std::cmp::Reverse(want.path_length()));
    let mut params: Vec<(usize, Vec<Param>)> = order.into_iter().map(|(at, want)| (at, bind(want))).collect();
    params.sort_by_key(|(at, _)| *at);
    params.into_iter().flat_map(|(_, params)| params).collect()
}

/// What the piece needs from outside, in the order of first use, reductions last; and the condition under which its
/// counters would overflow. Windows in the piece learn how the host computes their halo extents.
fn wanted(
    module: &Module,
    host: &Body,
    region: &Region,
    site: &Site,
    piece: &mut Block,
    cx: &mut Context<'_>,
) -> (Vec<Want>, Option<HostExpr>, Option<HostExpr>) {
    let part = Region { body: piece.clone(), ..region.clone() };
    let summary = data::of_region(module, host, &part, &site.around);
    let inner = accl_ir::visit::declared_locals(piece);
    let reduced = reductions::of_launch(host, region, piece, &inner);
    let is_reduced = |v: &Variable| reduced.iter().any(|r| v.root == Root::Local(r.local));
    let flows = scalars::flows(host, &part.body);
    let mut wants: Vec<Want> = vec![];
    for v in summary.variables.iter().filter(|v| !is_reduced(v)) {
        wants.extend(want(&summary, &part, &flows, v, cx));
    }
    let part = |r: &Reduction| {
        region.clauses.data.iter().find(|item| item.var == DataVar::Local(r.local) && item.is_part())
    };
    let text = |r: &Reduction| match part(r) {
        Some(item) => item.base.clone(),
        None => summary.provenance.scope.local(r.local).unwrap_or_default(),
    };
    wants.extend(reduced.iter().map(|r| Want::Reduction { reduction: r.clone(), text: text(r) }));
    let row_length = row_length::of_kernel(&summary, piece)
        .or_else(|| row_length::of_lines(&summary, host, piece))
        .or_else(|| row_length::of_reduction(&module.types, &summary, host, piece));
    halos::fill(&summary, piece);
    (wants, row_length, overflow::guard(&summary, region, piece))
}

fn want(
    summary: &Summary<'_>,
    part: &Region,
    flows: &Flows,
    v: &Variable,
    cx: &mut Context<'_>,
) -> Option<Want> {
    let scope = summary.provenance.scope;
    let find = |i: &accl_ir::DataItem| {
        has_parameter(i.kind) && data::item_root(scope.module, scope.body, i) == v.root
    };
    if let Some(item) = part.clauses.data.iter().position(find)
        && !(v.form == VariableForm::Scalar && is_pointer(scope.module, v))
    {
        let found = &part.clauses.data[item];
        let name = match &v.root {
            Root::Global(g) => scope.module.globals[*g].name.clone(),
            Root::Local(_) | Root::Member(_) | Root::Unknown => {
                found.base.rsplit(['.', '>']).next().unwrap_or(&found.base).to_owned()
            }
        };
        let compression = found.compression.clone();
        return Some(Want::Data { item, var: found.var.clone(), v: v.clone(), name, compression });
    }
    if let Root::Global(global) = v.root
        && let Some(value) = scope.module.globals[global].value
    {
        return Some(Want::Literal { global, value });
    }
    if let Root::Local(l) = v.root
        && flows.of(l).exposed.is_none()
    {
        return None; // declared in the kernel
    }
    if let TypeKind::Opaque(spelling) = scope.module.types.kind(v.ty) {
        cx.diagnostics.push(unusable(spelling, v));
    }
    if let TypeKind::Array { .. } = scope.module.types.kind(v.ty) {
        cx.diagnostics.extend(too_large(scope.module, v));
    }
    // OpenMP's firstprivate copies pointers as they are: they are the device's, of `omp_target_alloc`.
    let keeps_pointers = |l| {
        let clauses = &part.clauses;
        clauses.default == Some(DefaultData::IfMapped) && clauses.firstprivate.contains(&l)
    };
    if let Root::Local(l) = v.root
        && !keeps_pointers(l)
        && let Some(found) = accl_analysis::indirect::held_by(scope.module, scope.body, &part.body, l)
    {
        cx.diagnostics.push(host_pointers(&scope.local(l)?, found));
    }
    let text = match &v.root {
        // The value of a reference is the address of its object.
        Root::Local(l) if scope.body.locals[*l].reference => format!("&{}", scope.local(*l)?),
        Root::Local(l) => scope.local(*l)?,
        Root::Global(g)
            if scope.module.globals[*g].reference && scope.module.globals[*g].foreign.is_none() =>
        {
            format!("&{}", scope.module.globals[*g].name)
        }
        Root::Global(g) => scope.module.globals[*g].host_text().to_owned(),
        Root::Member(text) => text.clone(),
        Root::Unknown => return None,
    };
    Some(Want::Value { v: v.clone(), text })
}

fn is_pointer(module: &Module, v: &Variable) -> bool {
    matches!(module.types.kind(v.ty), TypeKind::Pointer { .. })
}

fn unusable(spelling: &str, v: &Variable) -> Diagnostic {
    Diagnostic::error(
        codes::UNSUPPORTED_TYPE,
        format!("a variable of type {spelling} cannot be used in a kernel"),
    )
    .label(v.span, "used here")
    .with_help("take a pointer to its data before the construct, and name that in a data clause")
}

/// Pointers in what a kernel takes by value are the host's.
fn host_pointers(name: &str, used: Span) -> Diagnostic {
    let message =
        format!("`{name}` is passed to a kernel by value, and the pointers in it are addresses of the host");
    Diagnostic::error(codes::UNSUPPORTED_TYPE, message).label(used, "a pointer in it is used here").with_help(format!(
        "put what it points to in a data clause with the pointer (`copyin({name}[0:n][0:m])` of an array of pointers), \
         or take each pointer in a variable of its own before the construct"
    ))
}

/// The size of an array that kernels take by value must be known here, and small.
fn too_large(module: &Module, v: &Variable) -> Option<Diagnostic> {
    let what = match module.types.size_of(v.ty) {
        Some(bytes) if bytes <= firstprivate::MAX_BYTES => return None,
        Some(bytes) => format!("of {bytes} bytes, {} are possible", firstprivate::MAX_BYTES),
        None => "of a length that is not known when the program is compiled".into(),
    };
    let message = format!("an array is passed to a kernel by value (firstprivate), {what}");
    let help = "use `copyin` if the construct only reads it, else copy it into a `private` array there";
    Some(Diagnostic::error(codes::UNSUPPORTED_TYPE, message).label(v.span, "used here").with_help(help))
}

/// num_gangs of the construct or of a gang loop; one where several gangs would only do the same work again. In a `kernels`
/// construct the clause is for the kernels that have gang loops, and where a loop with `auto` is all of a construct it is the loop's.
fn gang_count(region: &Region, block: &Block, shape: &Shape) -> Option<HostExpr> {
    let given = gangs_given(region, block);
    let mut gang_loops = false;
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            gang_loops |= l.levels.as_ref().is_some_and(|s| s.gang);
        }
    });
    let auto = || visit::only_loop(block).and_then(|l| l.directive.as_ref()).is_some_and(|d| d.auto);
    let serial = given.is_none() || region.kind == RegionKind::Kernels || auto();
    if serial && shape.gangs && !gang_loops {
        return Some(HostExpr::constant(1, region.directive_span));
    }
    given
}

/// The value that a clause of the construct or of one of its loops gives.
pub fn gangs_given(region: &Region, block: &Block) -> Option<HostExpr> {
    region.clauses.num_gangs.clone().or_else(|| clause(block, |d| d.gang.clone()))
}

/// The schedule on the loop that is all of the kernel. Others are errors.
fn given_schedule(block: &Block, diagnostics: &mut Vec<Diagnostic>) -> Option<GivenSchedule> {
    let outermost = visit::only_loop(block);
    let mut found = None;
    visit::for_each_stmt(block, &mut |node| {
        let Stmt::For(l) = &node.kind else { return };
        let Some(given) = l.directive.as_ref().and_then(|d| d.schedule.as_ref()) else { return };
        if outermost.is_some_and(|outermost| std::ptr::eq(outermost, &**l)) {
            found = Some(given.clone());
            return;
        }
        let message = "a schedule is for a whole kernel, and this loop is only a part of one";
        let error = Diagnostic::error(codes::BAD_SCHEDULE, message).label(given.span, given.place());
        diagnostics.push(error.with_help("write it before the outermost loop of the kernel"));
    });
    found
}

/// The first argument of a level clause on the kernel's loops.
fn clause(
    block: &Block,
    get: impl Fn(&accl_ir::LoopDirective) -> Option<Option<HostExpr>>,
) -> Option<HostExpr> {
    let mut found = None;
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && let Some(Some(e)) = l.directive.as_ref().and_then(&get)
        {
            found.get_or_insert(e);
        }
    });
    found
}

fn kernel_site(region: &Region, site: &Site) -> KernelSite {
    let construct = match region.kind {
        RegionKind::Parallel => "parallel",
        RegionKind::Kernels => "kernels",
        RegionKind::Serial => "serial",
        RegionKind::Data | RegionKind::HostData | RegionKind::Partitioned | RegionKind::OnHost => {
            unreachable!("compute constructs only")
        }
    };
    KernelSite {
        function: site.name.clone(),
        directive: if region.combined { format!("{construct} loop") } else { construct.to_owned() },
        directive_span: region.directive_span,
        copy: region.copy,
        body_span: region.body_span,
    }
}

fn name(module: &Module, site: &Site, region: &Region, cx: &Context<'_>) -> String {
    // Templates' symbols may be longer than what compilers of devices can make a file's name of.
    let symbol: String = module.functions[site.construct.function].symbol.chars().take(120).collect();
    let line = cx.options.files.map_or(0, |f| f.line(region.directive_span));
    let stem = if line == 0 { format!("{symbol}_kernel") } else { format!("{symbol}_{line}") };
    let taken = |name: &str| module.kernels.iter().any(|(_, k)| k.name == name);
    if !taken(&stem) {
        return stem;
    }
    (2..).map(|n| format!("{stem}_{n}")).find(|n| !taken(n)).unwrap_or_default()
}

/// Items of attach clauses only say how pointers are set on the device.
fn has_parameter(kind: DataKind) -> bool {
    match kind {
        DataKind::Copy
        | DataKind::Copyin
        | DataKind::Copyout
        | DataKind::Create
        | DataKind::NoCreate
        | DataKind::Present
        | DataKind::Deviceptr => true,
        DataKind::Delete
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => false,
    }
}
