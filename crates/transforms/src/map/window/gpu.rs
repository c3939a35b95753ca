//! The steps as the program of one thread.

use super::super::distributed::{dim, few_trips};
use super::super::indices::{self, for_at, strided};
use super::super::{shape, with_reductions};
use super::area::{Area, Written};
use super::copy::{self, By};
use super::nest::Nest;
use super::steps::{Step, Steps};
use super::{Plan, barriers, check_size};
use crate::build::{Builder, declare, node};
use accl_ir::{
    BarrierScope, BinaryOp, Block, Body, Builtin, Handle, Kernel, Local, Loop, Module, SharedDecl, Stmt,
    StmtNode,
};
use accl_source::Diagnostic;

/// The body of a thread, and what its block shares. `narrow`: for launches whose arrays are shorter than 2 GiB.
pub fn body(
    module: &mut Module,
    kernel: &Kernel,
    block: [u32; 3],
    narrow: bool,
) -> Result<(Body, Vec<SharedDecl>), Diagnostic> {
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let plan = super::plan(&mut b, kernel, block);
    let active = active(&mut b);
    let mut steps = Steps::new(&mut b, &plan, false, false);
    steps.narrow = narrow;
    let found = steps.of(&plan.inner, active)?;
    let areas = std::mem::take(&mut steps.areas);
    if let (Some(skipped), true) = (steps.skipped.take(), areas.is_empty()) {
        return Err(skipped);
    }
    check_size(&b, &areas, &plan.nest)?;
    let found = barriers::insert(b.body, &areas, plan.syncs.explicit, in_grid(kernel, &b, &plan, found));
    let inner = emit(&mut b, &plan, &areas, found);
    let framed = frame(&mut b, kernel, &plan.nest, active, inner);
    body.block = with_reductions(&mut module.types, kernel, &mut body, framed);
    let shared = shared(&areas).into_iter().map(|local| SharedDecl { local }).collect();
    Ok((body, shared))
}

/// Whether a thread has an iteration.
pub fn active(b: &mut Builder<'_>) -> Handle<Local> {
    let int = b.types.i32();
    b.body.temp("active", int)
}

pub fn shared(areas: &[Area]) -> Vec<Handle<Local>> {
    let marks = |a: &Area| match a.written {
        Some(Written::Marks(m)) => Some(m),
        Some(Written::Pivot(_)) | None => None,
    };
    areas.iter().flat_map(|a| std::iter::once(a.store).chain(marks(a))).collect()
}

/// Where a block runs several in turn, the next must not begin to copy before this one's threads are done: the loop
/// around is part of what barriers are placed in.
fn in_grid(kernel: &Kernel, b: &Builder<'_>, plan: &Plan, steps: Vec<Step>) -> Vec<Step> {
    let repeats = plan.nest.loops.iter().any(|n| strides(kernel, b, &n.l));
    if !repeats {
        return steps;
    }
    vec![Step::For(indices::shell(&plan.nest.loops[0].l), plan.nest.loops[0].span, steps)]
}

fn strides(kernel: &Kernel, b: &Builder<'_>, l: &Loop) -> bool {
    shape::reduction_dim(kernel) == Some(dim(l)) || dim(l) > 0 && !few_trips(b, l)
}

fn emit(b: &mut Builder<'_>, plan: &Plan, areas: &[Area], steps: Vec<Step>) -> Block {
    let mut out = vec![];
    for step in steps {
        match step {
            Step::Each(block) => out.extend(block),
            Step::Same(node) => out.push(node),
            Step::Barrier => out.push(node(Stmt::Barrier(BarrierScope::Block))),
            Step::Fetch(n) => out.extend(copy::fetch(b, &plan.nest, &areas[n], &plan.extents, By::Threads)),
            Step::Clear(n) => out.extend(copy::clear(b, &plan.nest, &areas[n], By::Threads)),
            Step::Drain(n) => out.extend(copy::drain(b, &plan.nest, &areas[n], By::Threads)),
            // The grid's own loop, see `in_grid`: `frame` makes it.
            Step::For(l, _, body) if plan.nest.var(l.var).is_some() => out.extend(emit(b, plan, areas, body)),
            Step::For(l, span, body) => {
                let body = emit(b, plan, areas, body);
                out.push(for_at(Loop { body, ..l }, span));
            }
            Step::While { cond, body, step, test_last, span } => {
                let (body, step) = (emit(b, plan, areas, body), emit(b, plan, areas, step));
                out.push(StmtNode { kind: Stmt::While { cond, body, step, test_last }, span });
            }
            Step::If { cond, then, otherwise } => {
                let (then, otherwise) = (emit(b, plan, areas, then), emit(b, plan, areas, otherwise));
                out.push(node(Stmt::If { cond, then, otherwise }));
            }
        }
    }
    out
}

/// The loops over blocks of the grid around a block's program.
fn frame(b: &mut Builder<'_>, kernel: &Kernel, nest: &Nest, active: Handle<Local>, inner: Block) -> Block {
    let mut block = vec![];
    for (d, n) in nest.loops.iter().enumerate() {
        let index = Nest::thread(b, d);
        let value = nest.value(b, d, index);
        block.push(declare(n.l.var, Some(value)));
    }
    let holds = inside(b, nest);
    block.push(declare(active, Some(holds)));
    block.extend(inner);
    for (d, n) in nest.loops.iter().enumerate() {
        let index = b.builtin(Builtin::BlockIdx(d as u8));
        let index = indices::widen(b, &n.l, index);
        let (int, threads) = (b.ty(index), n.threads.into());
        let threads = b.int(threads, int);
        let first = b.mul(index, threads);
        let of_base = Loop { var: n.base, ..indices::shell(&n.l) };
        block = match strides(kernel, b, &n.l) {
            true => {
                let blocks = b.builtin(Builtin::GridDim(d as u8));
                let blocks = indices::widen(b, &n.l, blocks);
                let stride = b.mul(blocks, threads);
                vec![for_at(strided(b, &of_base, first, stride, block), n.span)]
            }
            false => {
                let value = indices::offset(b, &of_base, first);
                let mut all = vec![declare(n.base, Some(value))];
                all.extend(block);
                all
            }
        };
    }
    block
}

/// All loop variables are within their bounds.
pub fn inside(b: &mut Builder<'_>, nest: &Nest) -> accl_ir::Handle<accl_ir::Expr> {
    let mut all = nest.inside(b, 0);
    for d in 1..nest.loops.len() {
        let next = nest.inside(b, d);
        all = b.binary(BinaryOp::LogicalAnd, all, next);
    }
    all
}
