//! Arrays of which each thread has a row of its own are stored by columns.
//!
//! A program that gives each iteration scratch memory of its own declares it as it would on a CPU:
//!
//! ```text
//! #pragma acc data create(xx[0:n*64])
//!   #pragma acc parallel loop
//!   for (k = 0; k < n; k++) { … xx[k*64 + i] … }
//! ```
//!
//! On a GPU the threads of a warp then touch elements 64 apart at a time. Stored in column-major order, these are neighbours. The
//! array is the device's alone (`create`), so its order is free as long as all kernels agree. This pass finds such arrays
//! and the length of their rows ([`votes`]). Their kernels get the two strides of the matrix as parameters, and the mapping
//! to GPUs subscripts with these ([`subscripts`]), so a kernel is right in either order. The runtime chooses the order where
//! it makes the array, and goes back to the usual one before anybody meets the array who does not take strides.
//!
//! Invariant: a kernel has the strides of an array only if it uses no more of it than its elements ([`elements`]).

pub mod elements;
pub mod subscripts;
mod votes;

use crate::context::Context;
use crate::pass::Pass;
use accl_analysis::data;
use accl_analysis::provenance::Root;
use accl_ir::rewrite::with_block;
use accl_ir::{
    Block, Body, DataItem, DataKind, Function, Handle, Kernel, Local, LocalKind, Module, Param, ParamKind,
    Region, RegionKind, Stmt, Type, TypeKind, visit,
};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind, Span};

pub const PASS: Pass = Pass {
    name: "column_major",
    promise: "Arrays of which each thread has a row for itself say how long a row is, and their kernels take the strides.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    if !cx.options.gpu || !cx.options.column_major {
        return;
    }
    let handles: Vec<_> = module.functions.handles().collect();
    for function in handles {
        let Some(mut body) = module.functions[function].body.take() else { continue };
        with_block(&mut body, |body, block| in_block(module, function, body, block, cx));
        module.functions[function].body = Some(body);
    }
}

fn in_block(
    module: &mut Module,
    function: Handle<Function>,
    body: &Body,
    block: &mut Block,
    cx: &mut Context<'_>,
) {
    for node in block {
        if let Stmt::Region(region) = &mut node.kind {
            for at in 0..region.clauses.data.len() {
                if let Some(row) = of_item(module, body, region, at) {
                    region.clauses.data[at].row = Some(row);
                    explain(module, function, region, at, row, cx);
                }
            }
        }
        for inner in node.kind.blocks_mut() {
            in_block(module, function, body, inner, cx);
        }
    }
}

/// A use of the array as a parameter of a kernel.
struct Use {
    kernel: Handle<Kernel>,
    item: usize,
    array: Handle<Local>,
}

/// Gives the kernels of a construct the strides of an array that its item number `at` creates, where that pays. Returns the
/// length of a row.
fn of_item(module: &mut Module, body: &Body, region: &mut Region, at: usize) -> Option<u32> {
    let item = &region.clauses.data[at];
    let size = element_size(module, item)?;
    let root = data::item_root(module, body, item);
    let inside = region.kind.is_compute();
    if root == Root::Unknown || !inside && is_used_elsewhere(module, body, &region.body, &root) {
        return None;
    }
    let mut uses = vec![];
    if inside {
        uses_in(module, region, at, &mut uses);
    } else {
        each_construct(&mut region.body, &mut |construct| {
            if let Some(at) = item_of(module, body, construct, &root) {
                uses_in(module, construct, at, &mut uses);
            }
        });
    }
    let row = votes::row(module, &uses, size)?;
    for used in &uses {
        add_strides(module, used, row);
    }
    each_construct(&mut region.body, &mut |construct| {
        if let Some(at) = item_of(module, body, construct, &root) {
            construct.clauses.data[at].row = Some(row);
        }
    });
    Some(row)
}

/// The bytes of an element of an array that a `create` clause brings from its beginning on.
fn element_size(module: &Module, item: &DataItem) -> Option<u64> {
    let from_start = |dim: &accl_ir::SectionDim| dim.lower.as_ref().is_none_or(|l| l.value == Some(0));
    let whole = item.section.first().is_none_or(from_start);
    let flags = item.flags;
    if item.kind != DataKind::Create || !whole || item.compression.is_some() || item.row.is_some() {
        return None;
    }
    if flags.private || item.is_deep(&module.types) {
        return None;
    }
    let element = match module.types.kind(item.ty) {
        TypeKind::Pointer { to, .. } => number_in(module, *to)?,
        TypeKind::Array { of, .. } => number_in(module, *of)?,
        _ => return None,
    };
    module.types.size_of(element)
}

/// The type of the numbers in a number or in an array of constant length.
fn number_in(module: &Module, ty: Handle<Type>) -> Option<Handle<Type>> {
    match module.types.kind(ty) {
        TypeKind::Int { .. } | TypeKind::Float { .. } => Some(ty),
        TypeKind::Array { of, len: accl_ir::ArrayLen::Const(_) } => number_in(module, *of),
        _ => None,
    }
}

fn item_of(module: &Module, body: &Body, construct: &Region, root: &Root) -> Option<usize> {
    construct.clauses.data.iter().position(|item| data::item_root(module, body, item) == *root)
}

fn each_construct(block: &mut Block, f: &mut dyn FnMut(&mut Region)) {
    visit::for_each_stmt_mut(block, &mut |node| {
        if let Stmt::Region(region) = &mut node.kind
            && region.kind.is_compute()
        {
            f(region);
        }
    });
}

/// The uses of a construct's item in its kernels and in their fallbacks.
fn uses_in(module: &Module, construct: &Region, item: usize, uses: &mut Vec<Use>) {
    let is_of = |h: Handle<Kernel>| {
        std::iter::successors(Some(h), |h| module.kernels[*h].fallback_of)
            .any(|of| construct.kernels.contains(&of))
    };
    for (kernel, k) in module.kernels.iter().filter(|(h, _)| is_of(*h)) {
        for p in &k.params {
            if matches!(p.kind, ParamKind::Data { item: i, .. } if i == item) {
                uses.push(Use { kernel, item, array: p.local });
            }
        }
    }
}

/// A directive between the constructs updates the array or asks for its address. The program would be right, but the array would
/// have to be brought into its usual order then.
fn is_used_elsewhere(module: &Module, body: &Body, block: &Block, root: &Root) -> bool {
    let named = |items: &[DataItem]| items.iter().any(|i| data::item_root(module, body, i) == *root);
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| match &node.kind {
        Stmt::Directive(d) => found |= named(&d.data),
        Stmt::Region(r) if r.kind == RegionKind::HostData => found |= named(&r.clauses.data),
        _ => {}
    });
    found
}

/// Gives a kernel the two strides of an array.
fn add_strides(module: &mut Module, used: &Use, row: u32) {
    let long = module.types.int(64, true);
    let kernel = &mut module.kernels[used.kernel];
    for (rows, ending) in [(false, "element_stride"), (true, "row_stride")] {
        let name = format!("{}_{ending}", kernel.body.locals[used.array].name);
        let name = kernel.body.unique_name(&name);
        let local = Local { name, ty: long, kind: LocalKind::Param, reference: false, span: Span::default() };
        let local = kernel.body.locals.append(local);
        let kind = ParamKind::Stride { item: used.item, of: used.array, row, rows };
        kernel.params.push(Param { local, kind });
    }
}

fn explain(
    module: &Module,
    function: Handle<Function>,
    region: &Region,
    at: usize,
    row: u32,
    cx: &mut Context<'_>,
) {
    let array = &region.clauses.data[at].base;
    let message =
        format!("{array} is stored by columns on GPUs: neighbouring threads use rows of {row} elements");
    let function = &module.functions[function].name;
    let kind = RemarkKind::DataMovement;
    cx.remark(Remark::new(remarks::COLUMN_MAJOR, kind, function, region.directive_span, message));
}
