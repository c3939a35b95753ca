//! Thread coarsening: several iterations a thread, where windows are only read.
//!
//! Iterations exchange nothing then, so a block may have fewer threads than iterations, and may cover several
//! neighbouring blocks of the program, whose windows are kept together. More iterations use each element that is
//! fetched, and a thread uses what it has read from shared memory several times out of registers. The phases of the
//! block stay; what each iteration does by itself becomes groups of statements for all iterations of a thread
//! ([`unroll_and_jam`](super::super::steps::unroll_and_jam)).
//!
//! Iterations beyond the bounds do what the last one does, or compute with elements that are kept as 0, and write
//! nothing. So the loops that take the time need no tests.

use super::super::steps::unroll_and_jam::emit::{Axis, Run, ThreadTile};
use super::super::steps::unroll_and_jam::plan::{Group, groups_of};
use super::super::steps::unroll_and_jam::wide;
use super::super::{indices, shape};
use super::facts::Facts;
use super::gpu::{self, Doubled, Emitted};
use super::nest::Shape;
use super::phases::{Phase, PhaseBuilder};
use super::shared_tile::SharedTile;
use super::{SHARED_BYTES, WindowPlan, lengths, only_reads, total_bytes, vectors};
use crate::build::{Builder, declare, node};
use accl_ir::{
    BinaryOp, Block, Body, Builtin, Compare, Expr, ExprKind, Handle, Kernel, Local, Loop, Module, ParamKind,
    SharedDecl, Staged, Stmt, rewrite, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

/// A body whose threads run several iterations each.
pub struct Coarsened {
    pub body: Body,
    pub shared: Vec<SharedDecl>,
    /// Threads of a block, and the iterations of each.
    pub block: [u32; 3],
    pub per_thread: [u32; 3],
    /// Blocks begin at multiples of `per_thread[0]`, the first before the loop does.
    pub aligned_origin: bool,
    /// Arrays are accessed by 16 bytes.
    pub align16: bool,
}

/// Where the first block begins in x.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// At the first iteration.
    First,
    /// At the first iteration, which is a multiple of the number of columns of a thread.
    Aligned,
    /// At the greatest such multiple that is not above the first iteration.
    Early,
}

impl Begin {
    fn of(b: &Builder<'_>, plan: &WindowPlan, tile: [AxisTile; 3], stands: bool) -> Begin {
        let lower = b.body.const_int(b.types, plan.nest.loops[0].l.lower);
        let whole = lower.is_some_and(|n| n % i128::from(tile[0].per_thread) == 0);
        match (stands, whole) {
            (false, _) => Begin::First,
            (true, true) => Begin::Aligned,
            (true, false) => Begin::Early,
        }
    }
}

/// How the iterations of one dimension are distributed over threads.
#[derive(Clone, Copy)]
struct AxisTile {
    /// Threads of a block along the dimension.
    threads: u32,
    /// Iterations of each thread.
    per_thread: u32,
    /// A thread has consecutive iterations; otherwise consecutive threads have consecutive iterations.
    consecutive: bool,
}

const ALONE: AxisTile = AxisTile { threads: 1, per_thread: 1, consecutive: true };

/// The body for blocks of `block` iterations, `wanted` of them a thread in each dimension; `None` where it does not apply or
/// nothing is shared.
pub fn body(
    module: &mut Module,
    kernel: &Kernel,
    block: [u32; 3],
    wanted: Option<[u32; 3]>,
) -> Option<Coarsened> {
    let (loops, inner) = super::grid_mapping::nest(&kernel.body.block);
    let counts = loops.iter().all(|(l, _)| indices::counts_up_by_one(&module.types, &kernel.body, l));
    let plain = shape::one_iteration_a_thread(kernel) && !shape::reduces(kernel);
    let leaves = inner.iter().any(|n| n.kind.leaves());
    if !plain || !counts || leaves || !only_reads(kernel) {
        return None;
    }
    let stands = loops.len() == 2 && !moves(inner, false);
    let mut all = tiles(module, kernel, block);
    all.retain(|tile| wanted.is_none_or(|wanted| tile.map(|axis| axis.per_thread) == wanted));
    all.into_iter().find_map(|tile| attempt(module, kernel, block, tile, stands))
}

/// The iterations of a thread in each dimension that are tried, best first.
pub fn coarsenings(module: &Module, kernel: &Kernel, block: [u32; 3]) -> Vec<[u32; 3]> {
    tiles(module, kernel, block).into_iter().map(|tile| tile.map(|axis| axis.per_thread)).collect()
}

fn tiles(module: &Module, kernel: &Kernel, block: [u32; 3]) -> Vec<[AxisTile; 3]> {
    let (loops, inner) = super::grid_mapping::nest(&kernel.body.block);
    let stands = loops.len() == 2 && !moves(inner, false);
    match columns(module, kernel, inner).filter(|_| stands) {
        Some(n) => [4, 2].map(|rows| beside(n, rows)).into(),
        None => candidates(loops.len(), block),
    }
}

/// The number of elements that fill an access, for the widest elements of windows.
fn columns(module: &Module, kernel: &Kernel, inner: &Block) -> Option<u32> {
    let of = |staged: &Staged| {
        let ty = module.types.value_of(kernel.body.exprs[staged.element].ty);
        wide::numbers(&module.types, ty)
    };
    super::windows(inner).iter().flat_map(|w| &w.arrays).filter_map(of).min()
}

/// Whether a window stands in a loop.
fn moves(block: &Block, looped: bool) -> bool {
    block.iter().any(|node| {
        let looped = looped || matches!(node.kind, Stmt::For(_) | Stmt::While { .. });
        matches!(node.kind, Stmt::Window(_)) && looped
            || node.kind.blocks().into_iter().any(|b| moves(b, looped))
    })
}

/// For windows that do not move: as many columns a thread as fill an access.
fn beside(columns: u32, rows: u32) -> [AxisTile; 3] {
    let tile = |threads, per_thread| AxisTile { threads, per_thread, consecutive: true };
    [tile(32, columns), tile(8, rows), ALONE]
}

/// The candidates, best first. A thread reads rows of four neighbouring elements from shared memory at once, and
/// all threads of a warp read the same elements of the other operand.
fn candidates(dims: usize, block: [u32; 3]) -> Vec<[AxisTile; 3]> {
    let tile = |threads, per_thread, consecutive| AxisTile { threads, per_thread, consecutive };
    match dims {
        1 => vec![[tile(block[0], 2, false), ALONE, ALONE]],
        2 => [(4, 8), (4, 4), (2, 4)].map(|(x, y)| [tile(32, x, true), tile(8, y, true), ALONE]).into(),
        _ => vec![],
    }
}

fn attempt(
    module: &mut Module,
    kernel: &Kernel,
    block: [u32; 3],
    tile: [AxisTile; 3],
    stands: bool,
) -> Option<Coarsened> {
    let mut shapes = [Shape { blocks: 1, lanes: 1 }; 3];
    for d in 0..3 {
        let all = tile[d].threads * tile[d].per_thread;
        if !all.is_multiple_of(block[d]) {
            return None;
        }
        shapes[d] = Shape { blocks: all / block[d], lanes: tile[d].threads };
    }
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let mut plan = super::plan(&mut b, kernel, block, shapes);
    if stands {
        vectors::widen(&b, &plan.nest, &mut plan.inner);
    }
    let mut phases = PhaseBuilder::new(&mut b, &plan, false, false);
    phases.narrow = true;
    let mut found = phases.of(&plan.inner, None).ok()?;
    let (mut shared_tiles, skipped) = (std::mem::take(&mut phases.tiles), phases.skipped.is_some());
    if stands {
        shared_tiles
            .iter_mut()
            .for_each(|shared_tile| shared_tile.numbers = vectors::of(&b, &plan.nest, shared_tile));
    }
    let launched = shared_tiles.iter().any(|a| a.launch.is_some());
    if skipped || shared_tiles.is_empty() || launched || total_bytes(&b, &shared_tiles) > SHARED_BYTES {
        return None;
    }
    if !stands && !found.iter().any(fetches_in_loop) {
        return None;
    }
    lengths::count_from_zero(&mut b, &plan, &mut found);
    let found = plan.placing(&b, &shared_tiles, &BTreeSet::new()).insert(found);
    let mut cutter = Cutter::new(&mut b, kernel, &plan, &shared_tiles, &found);
    let parts = cutter.parts(found, false)?;
    let begin = Begin::of(&b, &plan, tile, stands);
    let inner = emit(&mut b, &plan, &shared_tiles, (tile, begin), &parts);
    let shared = shared_tiles.iter().flat_map(SharedTile::shared).collect();
    body.block = inner;
    let aligned_origin = begin == Begin::Early;
    Some(Coarsened {
        body,
        shared,
        block: tile.map(|g| g.threads),
        per_thread: tile.map(|g| g.per_thread),
        aligned_origin,
        align16: stands,
    })
}

/// A window is used long enough to make registers worthwhile.
fn fetches_in_loop(phase: &Phase) -> bool {
    fn fetches(phase: &Phase) -> bool {
        match phase {
            Phase::Fetch(_) => true,
            Phase::For(_, _, body) => body.iter().any(fetches),
            Phase::If { then, otherwise, .. } => then.iter().chain(otherwise).any(fetches),
            _ => false,
        }
    }
    matches!(phase, Phase::For(..)) && fetches(phase)
}

/// A phase, its statements of single iterations in groups.
enum CoarsenedPhase {
    Group(Group, Which),
    Together(Phase),
    For(Loop, Span, Vec<CoarsenedPhase>),
    If { cond: Handle<Expr>, then: Vec<CoarsenedPhase>, otherwise: Vec<CoarsenedPhase> },
}

/// See [`Run`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    Clamped,
    Inside,
}

struct Cutter<'a, 't> {
    b: &'a mut Builder<'t>,
    /// The facts of the iteration. In addition, all threads know where windows begin and the counters of the loops
    /// that they share.
    facts: Facts,
    /// Locals that each iteration has for itself.
    own: BTreeSet<Handle<Local>>,
    /// Arrays in memory that the kernel writes.
    written: BTreeSet<Handle<Local>>,
    stores: BTreeSet<Handle<Local>>,
    /// Locals that occur in subscripts and conditions.
    decides: BTreeSet<Handle<Local>>,
    /// Something has been written: only iterations within the bounds do what follows.
    guarded: bool,
}

impl<'a, 't> Cutter<'a, 't> {
    fn new(
        b: &'a mut Builder<'t>,
        kernel: &Kernel,
        plan: &WindowPlan,
        shared_tiles: &[SharedTile],
        phases: &[Phase],
    ) -> Self {
        let mut own: BTreeSet<_> = plan.nest.loops.iter().map(|n| n.l.var).collect();
        declared(phases, &mut own);
        let is_written = |p: &&accl_ir::Param| matches!(p.kind, ParamKind::Data { written: true, .. });
        let written = kernel.params.iter().filter(is_written).map(|p| p.local).collect();
        let stores = shared_tiles.iter().map(|a| a.store).collect();
        let mut facts = plan.facts.clone();
        facts.total.extend(shared_tiles.iter().flat_map(|a| &a.dims).map(|dim| dim.base));
        let mut decides = BTreeSet::new();
        let mut before = None;
        while before != Some(decides.len()) {
            before = Some(decides.len());
            deciding(b.body, phases, &mut decides);
        }
        Cutter { b, facts, own, written, stores, decides, guarded: false }
    }

    fn parts(&mut self, phases: Vec<Phase>, looped: bool) -> Option<Vec<CoarsenedPhase>> {
        let mut out = vec![];
        for phase in phases {
            match phase {
                Phase::Each(block) => {
                    let groups = groups_of(self.b.types, self.b.body, &self.own, &block)?;
                    out.extend(self.groups(groups, looped)?);
                }
                Phase::For(l, span, body) => out.push(CoarsenedPhase::For(l, span, self.parts(body, true)?)),
                Phase::If { cond, then, otherwise } => {
                    let (then, otherwise) = (self.parts(then, true)?, self.parts(otherwise, true)?);
                    out.push(CoarsenedPhase::If { cond, then, otherwise });
                }
                Phase::Same(_) | Phase::Barrier | Phase::Fetch(_) => {
                    out.push(CoarsenedPhase::Together(phase))
                }
                Phase::Write(_) | Phase::Clear(_) | Phase::Drain(_) | Phase::While { .. } => return None,
            }
        }
        Some(out)
    }

    fn groups(&mut self, groups: Vec<Group>, looped: bool) -> Option<Vec<CoarsenedPhase>> {
        let mut out = vec![];
        for group in groups {
            out.push(match group {
                Group::Branch { cond, then, otherwise } => {
                    let (then, otherwise) = (self.groups(then, true)?, self.groups(otherwise, true)?);
                    CoarsenedPhase::If { cond, then, otherwise }
                }
                Group::Each { .. } | Group::Inner { .. } => {
                    let which = self.which(&group, looped)?;
                    CoarsenedPhase::Group(group, which)
                }
            });
        }
        Some(out)
    }

    /// `None`: iterations beyond the bounds cannot run the group, and cannot be left out of it.
    fn which(&mut self, group: &Group, looped: bool) -> Option<Which> {
        if group.stores() && !self.guarded {
            self.guarded = !looped;
            self.guarded.then_some(())?;
        }
        if self.guarded {
            return Some(Which::Inside);
        }
        let mut memory = Memory::default();
        self.memory(std::slice::from_ref(group), &mut memory);
        if memory.reads && (memory.written || !memory.total) {
            return None;
        }
        Some(if memory.differs || memory.defines { Which::Clamped } else { Which::All })
    }

    fn memory(&mut self, groups: &[Group], found: &mut Memory) {
        for group in groups {
            match group {
                Group::Each { block, .. } => self.memory_of(block, found),
                Group::Inner { shell, body, .. } => {
                    self.facts.total.insert(shell.var);
                    self.own.remove(&shell.var);
                    self.memory(body, found);
                }
                Group::Branch { then, otherwise, .. } => {
                    self.memory(then, found);
                    self.memory(otherwise, found);
                }
            }
        }
    }

    /// Different iterations access different places.
    fn is_own(&self, place: Handle<Expr>) -> bool {
        self.own.iter().any(|local| rewrite::mentions(self.b.body, place, *local))
    }

    fn memory_of(&self, block: &Block, found: &mut Memory) {
        let body = &*self.b.body;
        let total = |e: Handle<Expr>| self.facts.is_total(body, e);
        let conditional = has_conditions(body, block);
        visit::for_each_stmt(block, &mut |node| {
            if let Stmt::If { cond, .. } = node.kind {
                found.total &= total(cond);
            }
        });
        visit::for_each_expr(body, block, &mut |e, _| match body.exprs[e].kind {
            ExprKind::Select { cond, .. } => found.total &= total(cond),
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, .. } => {
                found.total &= total(left);
            }
            ExprKind::Index { index, .. } => found.total &= total(index),
            ExprKind::Load(place) => match super::sync::root(body, place) {
                Some(l)
                    if self.stores.contains(&l) || matches!(body.exprs[place].kind, ExprKind::Local(_)) => {}
                Some(l) => {
                    found.reads = true;
                    found.differs |= conditional || self.is_own(place);
                    found.written |= self.written.contains(&l);
                }
                None => found.written = true,
            },
            _ => {}
        });
        let mut assigned = visit::written_locals(body, block);
        assigned.extend(visit::declared_locals(block));
        found.defines |= assigned.iter().any(|l| self.facts.total.contains(l) && self.decides.contains(l));
    }
}

/// Some part of the expression is evaluated under a condition only.
fn has_conditions(body: &Body, block: &Block) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| found |= matches!(node.kind, Stmt::If { .. }));
    visit::for_each_expr(body, block, &mut |e, _| {
        let logical = |op| matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr);
        found |= match body.exprs[e].kind {
            ExprKind::Select { .. } => true,
            ExprKind::Binary { op, .. } => logical(op),
            _ => false,
        };
    });
    found
}

/// How a group accesses memory.
struct Memory {
    reads: bool,
    /// Different iterations access different elements.
    differs: bool,
    /// Arrays that the kernel writes.
    written: bool,
    /// All subscripts and conditions can be evaluated by every thread.
    total: bool,
    /// The group assigns locals that subscripts may contain.
    defines: bool,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { reads: false, differs: false, written: false, total: true, defines: false }
    }
}

/// The locals in subscripts and conditions, and in the values that are assigned to known ones of these.
fn deciding(body: &Body, phases: &[Phase], out: &mut BTreeSet<Handle<Local>>) {
    let known = out.clone();
    let mut named = |e: Handle<Expr>| {
        accl_ir::visit::for_each_operand(&body.exprs, e, &mut |e| {
            if let ExprKind::Local(l) = body.exprs[e].kind {
                out.insert(l);
            }
        });
    };
    for phase in phases {
        if let Phase::Each(block) = phase {
            visit::for_each_stmt(block, &mut |node| match node.kind {
                Stmt::If { cond, .. } => named(cond),
                Stmt::Declare { local, init: Some(value) } if known.contains(&local) => named(value),
                Stmt::Store { place, value, .. } => match body.exprs[place].kind {
                    ExprKind::Local(l) if known.contains(&l) => named(value),
                    _ => {}
                },
                _ => {}
            });
            visit::for_each_expr(body, block, &mut |e, _| match body.exprs[e].kind {
                ExprKind::Index { index, .. } => named(index),
                ExprKind::Select { cond, .. } => named(cond),
                ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, .. } => named(left),
                _ => {}
            });
        }
    }
    for inner in phases.iter().flat_map(Phase::inner) {
        deciding(body, inner, out);
    }
}

fn declared(phases: &[Phase], out: &mut BTreeSet<Handle<Local>>) {
    for phase in phases {
        if let Phase::Each(block) = phase {
            out.extend(visit::declared_locals(block));
        }
        for inner in phase.inner() {
            declared(inner, out);
        }
    }
}

/// The program of a thread.
fn emit(
    b: &mut Builder<'_>,
    plan: &WindowPlan,
    shared_tiles: &[SharedTile],
    (tile, begin): ([AxisTile; 3], Begin),
    parts: &[CoarsenedPhase],
) -> Block {
    let mut out = vec![];
    let (mut axes, mut last) = (vec![], vec![]);
    for (d, n) in plan.nest.loops.iter().enumerate() {
        let index = b.builtin(Builtin::BlockIdx(d as u8));
        let index = indices::widen(b, &n.l, index);
        let all = b.int(n.iterations().into(), b.ty(index));
        let at = b.mul(index, all);
        let early = d == 0 && begin == Begin::Early;
        let lower = if early { down(b, n.l.lower, tile[d].per_thread) } else { n.l.lower };
        let of_base = Loop { var: n.base, lower, ..indices::shell(&n.l) };
        let base = indices::offset(b, &of_base, at);
        out.push(declare(n.base, Some(base)));
        let ty = b.body.locals[n.l.var].ty;
        let name = format!("{}_first", b.body.locals[n.l.var].name);
        let first = b.body.temp(&name, ty);
        let thread = super::nest::Nest::thread(b, d);
        let thread = b.cast(thread, ty);
        let ahead = if tile[d].consecutive { tile[d].per_thread } else { 1 };
        let ahead = b.int(ahead.into(), ty);
        let own = b.mul(thread, ahead);
        let base = b.load(n.base);
        let value = b.add(base, own);
        out.push(declare(first, Some(value)));
        let apart = b.int(if tile[d].consecutive { 1 } else { tile[d].threads.into() }, ty);
        let lower = early.then_some(n.l.lower);
        axes.push(Axis { var: n.l.var, first, apart, width: n.each(), lower });
        let one = b.int(1, ty);
        last.push(match n.l.compare {
            Compare::Le | Compare::Ge => n.l.bound,
            Compare::Lt | Compare::Gt | Compare::Ne => b.binary(BinaryOp::Sub, n.l.bound, one),
        });
    }
    let mut thread_tile = ThreadTile::new(axes);
    thread_tile.vectors = begin != Begin::First;
    let mut groups = vec![];
    collect(parts, &mut groups);
    out.extend(thread_tile.make_arrays(b, &groups));
    let doubled = Doubled::new();
    let emitted = Emitted { plan, tiles: shared_tiles, doubled: &doubled };
    out.extend(emit_parts(b, &emitted, &thread_tile, &last, parts));
    out
}

/// The greatest multiple of `n`, a power of two, that is not above the value.
fn down(b: &mut Builder<'_>, e: Handle<Expr>, n: u32) -> Handle<Expr> {
    let ty = b.ty(e);
    match b.body.const_int(b.types, e) {
        Some(known) => b.int(known - known.rem_euclid(n.into()), ty),
        None => {
            let mask = b.int(-i128::from(n), ty);
            b.binary(BinaryOp::BitAnd, e, mask)
        }
    }
}

fn collect<'a>(parts: &'a [CoarsenedPhase], out: &mut Vec<&'a [Group]>) {
    for part in parts {
        match part {
            CoarsenedPhase::Group(group, _) => out.push(std::slice::from_ref(group)),
            CoarsenedPhase::Together(_) => {}
            CoarsenedPhase::For(_, _, body) => collect(body, out),
            CoarsenedPhase::If { then, otherwise, .. } => {
                collect(then, out);
                collect(otherwise, out);
            }
        }
    }
}

fn emit_parts(
    b: &mut Builder<'_>,
    of: &Emitted<'_>,
    thread_tile: &ThreadTile,
    last: &[Handle<Expr>],
    parts: &[CoarsenedPhase],
) -> Block {
    let mut out = vec![];
    for part in parts {
        match part {
            CoarsenedPhase::Group(group, which) => {
                let run = match which {
                    Which::All => Run::All,
                    Which::Clamped => Run::Clamped(last),
                    Which::Inside => Run::Inside(last),
                };
                thread_tile.group(b, group, run, &mut out);
            }
            CoarsenedPhase::Together(phase) => out.extend(gpu::emit(b, of, vec![phase.clone()])),
            CoarsenedPhase::For(l, span, body) => {
                let body = emit_parts(b, of, thread_tile, last, body);
                out.push(indices::for_at(Loop { body, ..indices::shell(l) }, *span));
            }
            CoarsenedPhase::If { cond, then, otherwise } => {
                let then = emit_parts(b, of, thread_tile, last, then);
                let otherwise = emit_parts(b, of, thread_tile, last, otherwise);
                out.push(node(Stmt::If { cond: *cond, then, otherwise }));
            }
        }
    }
    out
}
