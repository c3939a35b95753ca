//! The phases as the program of one thread.

use super::super::grid_mapping::dim;
use super::super::indices::{self, for_at, strided};
use super::super::{shape, with_reductions};
use super::buffers::{self, Buffers};
use super::copy::{self, By};
use super::nest::{Nest, one_each};
use super::phases::{Phase, PhaseBuilder};
use super::shared_tile::SharedTile;
use super::{SHARED_BYTES, WindowPlan, check_size, lengths, narrow, total_bytes};
use crate::build::{Builder, declare, node};
use accl_ir::{
    BarrierScope, BinaryOp, Block, Body, Builtin, Handle, Kernel, Local, Loop, Module, SharedDecl, Stmt,
    StmtNode,
};
use accl_source::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the launches that a body is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// Arrays are shorter than 2 GiB, and the grid contains all blocks.
    pub narrow: bool,
    /// Every thread has an iteration.
    pub even: bool,
    /// Blocks are smaller than the program says: iterations must not use what the windows of others fetch.
    pub parts: bool,
}

/// The body of a thread, and what its block shares.
pub fn body(
    module: &mut Module,
    kernel: &Kernel,
    block: [u32; 3],
    known: Known,
    most_shared: u64,
) -> Result<(Body, Vec<SharedDecl>), Diagnostic> {
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let plan = super::plan(&mut b, kernel, block, one_each(block));
    let active = (!known.even).then(|| active(&mut b));
    let mut phases = PhaseBuilder::new(&mut b, &plan, false, false);
    phases.narrow = known.narrow;
    phases.placed = true;
    let mut found = phases.of(&plan.inner, active)?;
    let tiles = std::mem::take(&mut phases.tiles);
    let outside = phases.outside.take();
    if let (Some(skipped), true) = (phases.skipped.take(), tiles.is_empty()) {
        return Err(skipped);
    }
    if let (true, Some(outside)) = (known.parts, outside) {
        return Err(outside);
    }
    check_size(&b, &tiles, &plan.nest, most_shared)?;
    lengths::count_from_zero(&mut b, &plan, &mut found);
    let found = in_grid(kernel, &b, &plan, known.narrow, found);
    let (found, doubled) = with_barriers(&mut b, &plan, &tiles, found);
    let mut inner = emit(&mut b, &Emitted { plan: &plan, tiles: &tiles, doubled: &doubled }, found);
    doubled.iter().for_each(|(n, buffers)| buffers.use_in(&mut b, &tiles[*n], &mut inner));
    if known.narrow {
        narrow::subscripts(&mut b, &mut inner);
    }
    let mut framed: Block = doubled.values().flat_map(|buffers| buffers.begin(&mut b)).collect();
    framed.extend(frame(&mut b, kernel, &plan.nest, active, known.narrow, inner));
    body.block = with_reductions(&mut module.types, kernel, &mut body, framed);
    let mut shared: Vec<SharedDecl> = tiles.iter().flat_map(SharedTile::shared).collect();
    for (n, buffers) in &doubled {
        shared.iter_mut().filter(|s| s.local == tiles[*n].store).for_each(|s| s.local = buffers.store);
    }
    Ok((body, shared))
}

pub type Doubled = BTreeMap<usize, Buffers>;

/// The phases with their barriers. Arrays that are read and written in turn get two buffers where that saves
/// barriers.
fn with_barriers(
    b: &mut Builder<'_>,
    plan: &WindowPlan,
    tiles: &[SharedTile],
    phases: Vec<Phase>,
) -> (Vec<Phase>, Doubled) {
    let place =
        |b: &Builder<'_>, doubled: &BTreeSet<usize>| plan.placing(b, tiles, doubled).insert(phases.clone());
    let plain = place(b, &BTreeSet::new());
    let candidates = buffers::candidates(b.body, &plan.nest, tiles, &phases);
    let more = candidates.iter().map(|n| tiles[*n].bytes(b).unwrap_or(0)).sum::<u64>();
    if candidates.is_empty() || total_bytes(b, tiles) + more > SHARED_BYTES {
        return (plain, Doubled::new());
    }
    let doubled = place(b, &candidates);
    if buffers::barriers(&doubled) >= buffers::barriers(&plain) {
        return (plain, Doubled::new());
    }
    (doubled, candidates.into_iter().map(|n| (n, Buffers::new(b, n, &tiles[n], &phases))).collect())
}

/// Whether a thread has an iteration.
pub fn active(b: &mut Builder<'_>) -> Handle<Local> {
    let int = b.types.i32();
    b.body.temp("active", int)
}

/// Where the threads run several blocks in turn, the next one must not begin to copy before they are done with this
/// one. So the loop around belongs to the code in which barriers are placed.
fn in_grid(
    kernel: &Kernel,
    b: &Builder<'_>,
    plan: &WindowPlan,
    narrow: bool,
    phases: Vec<Phase>,
) -> Vec<Phase> {
    let repeats = plan.nest.loops.iter().any(|n| strides(kernel, b, narrow, &n.l));
    if !repeats {
        return phases;
    }
    vec![Phase::For(indices::shell(&plan.nest.loops[0].l), plan.nest.loops[0].span, phases)]
}

/// `narrow` launches have all their blocks in the grid.
fn strides(kernel: &Kernel, b: &Builder<'_>, narrow: bool, l: &Loop) -> bool {
    match narrow {
        true => shape::limits_gangs(kernel) || shape::reduction_dim(kernel) == Some(dim(l)),
        false => shape::strides(kernel, b, l),
    }
}

/// What the code of phases is generated from.
pub struct Emitted<'a> {
    pub plan: &'a WindowPlan,
    pub tiles: &'a [SharedTile],
    pub doubled: &'a Doubled,
}

pub fn emit(b: &mut Builder<'_>, of: &Emitted<'_>, phases: Vec<Phase>) -> Block {
    let Emitted { plan, tiles, doubled } = *of;
    // A barrier of a warp costs less than one of a block.
    let [x, y, z] = [0, 1, 2].map(|d| plan.nest.lanes(d));
    let scope = if x <= 32 && y * z == 1 { BarrierScope::Warp } else { BarrierScope::Block };
    let mut out = vec![];
    for phase in phases {
        match phase {
            Phase::Each(block) => out.extend(block),
            Phase::Write(w) => match doubled.get(&w.tile) {
                Some(buffers) => out.extend(buffers.write(b, &tiles[w.tile], &w)),
                None => out.push(w.statement()),
            },
            Phase::Same(node) => out.push(node),
            Phase::Barrier => out.push(node(Stmt::Barrier(scope))),
            Phase::Fetch(n) => {
                let block = copy::fetch(b, &plan.nest, &tiles[n], &plan.extents, By::Threads);
                match doubled.get(&n) {
                    Some(buffers) => out.extend(buffers.fetched(b, &tiles[n], block)),
                    None => out.extend(block),
                }
            }
            Phase::Clear(n) => out.extend(copy::clear(b, &plan.nest, &tiles[n], By::Threads)),
            Phase::Drain(n) => out.extend(copy::drain(b, &plan.nest, &tiles[n], By::Threads)),
            // The grid's own loop, see `in_grid`: `frame` makes it.
            Phase::For(l, _, body) if plan.nest.var(l.var).is_some() => out.extend(emit(b, of, body)),
            Phase::For(l, span, body) => {
                let body = emit(b, of, body);
                out.push(for_at(Loop { body, ..l }, span));
            }
            Phase::While { cond, body, step, test_last, span } => {
                let (body, step) = (emit(b, of, body), emit(b, of, step));
                out.push(StmtNode { kind: Stmt::While { cond, body, step, test_last }, span });
            }
            Phase::If { cond, then, otherwise } => {
                let (then, otherwise) = (emit(b, of, then), emit(b, of, otherwise));
                out.push(node(Stmt::If { cond, then, otherwise }));
            }
        }
    }
    out
}

/// The loops over blocks of the grid around a block's program.
fn frame(
    b: &mut Builder<'_>,
    kernel: &Kernel,
    nest: &Nest,
    active: Option<Handle<Local>>,
    narrow: bool,
    inner: Block,
) -> Block {
    let mut block = vec![];
    for (d, n) in nest.loops.iter().enumerate() {
        let index = Nest::thread(b, d);
        let value = nest.value(b, d, index);
        block.push(declare(n.l.var, Some(value)));
    }
    if let Some(active) = active {
        let holds = inside(b, nest);
        block.push(declare(active, Some(holds)));
    }
    block.extend(inner);
    for (d, n) in nest.loops.iter().enumerate() {
        let index = b.builtin(Builtin::BlockIdx(d as u8));
        let index = indices::widen(b, &n.l, index);
        let (int, threads) = (b.ty(index), n.iterations().into());
        let threads = b.int(threads, int);
        let first = b.mul(index, threads);
        let of_base = Loop { var: n.base, ..indices::shell(&n.l) };
        block = match strides(kernel, b, narrow, &n.l) {
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
