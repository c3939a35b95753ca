//! The phases as a program for the cpu, where one thread runs a whole block.
//!
//! Each phase becomes a loop over the block's threads, and no barriers are needed between such loops. Values of a
//! thread that are live across phases are kept in arrays, with one element a thread. Arrays that windows only read
//! are read where they are.

use super::super::indices::{self, for_at, strided};
use super::super::with_reductions;
use super::WindowPlan;
use super::copy::{self, By};
use super::gpu::{active, inside};
use super::guards_to_bounds;
use super::nest::{Nest, one_each};
use super::phases::{Phase, PhaseBuilder};
use super::rematerialise;
use super::shared_tile::SharedTile;
use super::sync::has_fcw;
use crate::build::{Builder, counting, declare, node, store};
use accl_ir::rewrite::{Subst, rewrite_block, substitute};
use accl_ir::{
    Block, Body, Builtin, DynamicTile, Expr, ExprKind, Handle, Kernel, Local, Loop, Module, Param, ParamKind,
    SharedDecl, Stmt, StmtNode, Type, TypeKind, visit,
};
use accl_source::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// The body for the cpu, and those of its arrays whose size the launch decides.
/// `check`: every window is kept, and subscripts are tested.
pub fn body(
    module: &mut Module,
    kernel: &Kernel,
    block: [u32; 3],
    check: bool,
) -> Result<(Body, Vec<DynamicTile>), Diagnostic> {
    if super::only_reads(kernel) && !(check && has_fcw(&kernel.body.block)) {
        let mut plain = kernel.clone();
        super::without_windows(&mut plain.body.block);
        return Ok((super::super::cpu::body(&mut module.types, &plain).0, vec![]));
    }
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let plan = super::plan(&mut b, kernel, block, one_each(block));
    let active = active(&mut b);
    let mut phases = PhaseBuilder::new(&mut b, &plan, !check, check);
    let found = phases.of(&plan.inner, Some(active))?;
    let tiles = std::mem::take(&mut phases.tiles);
    let found = joined(plan.placing(&b, &tiles, &BTreeSet::new()).insert(found));
    let reduced =
        kernel.params.iter().filter(|p| matches!(p.kind, ParamKind::Reduction { .. })).map(|p| p.local);
    let mut found = found;
    rematerialise::declared_where_set(b.body, &mut found);
    let reduced: BTreeSet<Handle<Local>> = reduced.collect();
    let is_input = |p: &&Param| kernel.distinct && matches!(p.kind, ParamKind::Data { written: false, .. });
    let inputs = kernel.params.iter().filter(is_input);
    let again = rematerialise::pure(&b, &plan.nest, active, inputs.map(|p| p.local).collect(), &found);
    let reduces = !reduced.is_empty();
    let begins = rematerialise::begins(&b, &found);
    let mut emitter =
        Emitter { plan: &plan, tiles: &tiles, active, kept: BTreeMap::new(), again, begins, reduces };
    let shared: Vec<SharedDecl> = tiles.iter().flat_map(SharedTile::shared).collect();
    let mut first: Block = shared.iter().map(|s| declare(s.local, None)).collect();
    first.extend(emitter.keep(&mut b, &found, &reduced));
    let inner = emitter.emit(&mut b, found);
    first.extend(inner);
    let framed = frame(&mut b, &plan.nest, first);
    body.block = with_reductions(&mut module.types, kernel, &mut body, framed);
    Ok((body, shared.into_iter().filter_map(|s| s.dynamic).collect()))
}

/// Merges phases of single threads with nothing between them.
fn joined(phases: Vec<Phase>) -> Vec<Phase> {
    let mut out: Vec<Phase> = vec![];
    for phase in phases {
        let phase = match phase {
            Phase::Write(w) => Phase::Each(vec![w.statement()]),
            phase => phase,
        };
        match (phase, out.last_mut()) {
            (Phase::Each(block), Some(Phase::Each(last))) => last.extend(block),
            (Phase::For(l, span, body), _) => out.push(Phase::For(l, span, joined(body))),
            (Phase::While { cond, body, step, test_last, span }, _) => {
                let (body, step) = (joined(body), joined(step));
                out.push(Phase::While { cond, body, step, test_last, span });
            }
            (Phase::If { cond, then, otherwise }, _) => {
                out.push(Phase::If { cond, then: joined(then), otherwise: joined(otherwise) });
            }
            (phase, _) => out.push(phase),
        }
    }
    out
}

struct Emitter<'a> {
    plan: &'a WindowPlan,
    tiles: &'a [SharedTile],
    active: Handle<Local>,
    /// Locals that are live across phases, and the arrays of their values in all threads.
    kept: BTreeMap<Handle<Local>, Handle<Local>>,
    /// Locals that each phase computes or reads again.
    again: rematerialise::Again,
    /// The expressions where shared tiles begin.
    begins: rematerialise::Values,
    /// Threads add to variables that all of them share.
    reduces: bool,
}

impl Emitter<'_> {
    /// Finds the locals that several phases name, and declares their arrays.
    fn keep(&mut self, b: &mut Builder<'_>, phases: &[Phase], reduced: &BTreeSet<Handle<Local>>) -> Block {
        let (mut declared, mut uses) = (BTreeSet::new(), BTreeMap::new());
        survey(b.body, phases, &mut 0, &mut declared, &mut uses);
        let mut out = vec![];
        for local in declared {
            let several = uses.get(&local).is_some_and(|of: &BTreeSet<usize>| of.len() > 1);
            let again = self.again.computed.iter().chain(&self.again.read).any(|(l, _)| *l == local);
            if !several || again || local == self.active || reduced.contains(&local) {
                continue;
            }
            let (ty, name) = (b.body.locals[local].ty, b.body.locals[local].name.clone());
            let all = b.types.array(ty, self.plan.nest.all_threads().into());
            let array = b.body.temp(&format!("{name}_of"), all);
            self.kept.insert(local, array);
            out.push(declare(array, None));
        }
        out
    }

    fn emit(&self, b: &mut Builder<'_>, phases: Vec<Phase>) -> Block {
        let mut out = vec![];
        for phase in phases {
            match phase {
                Phase::Each(block) => out.extend(self.threads(b, block)),
                Phase::Write(w) => out.extend(self.threads(b, vec![w.statement()])),
                Phase::Same(node) => out.push(node),
                Phase::Barrier => {}
                Phase::Fetch(n) => {
                    let tile = &self.tiles[n];
                    let copies = copy::fetch(b, &self.plan.nest, tile, &self.plan.extents, By::One);
                    out.extend(rematerialise::copying(b, copies));
                }
                Phase::Clear(n) => out.extend(copy::clear(b, &self.plan.nest, &self.tiles[n], By::One)),
                Phase::Drain(n) => out.extend(copy::drain(b, &self.plan.nest, &self.tiles[n], By::One)),
                Phase::For(l, span, body) => {
                    let body = self.emit(b, body);
                    out.push(for_at(Loop { body, ..l }, span));
                }
                Phase::While { cond, body, step, test_last, span } => {
                    let (body, step) = (self.emit(b, body), self.emit(b, step));
                    out.push(StmtNode { kind: Stmt::While { cond, body, step, test_last }, span });
                }
                Phase::If { cond, then, otherwise } => {
                    let (then, otherwise) = (self.emit(b, then), self.emit(b, otherwise));
                    out.push(node(Stmt::If { cond, then, otherwise }));
                }
            }
        }
        out
    }

    /// A loop over the block's threads around one phase.
    fn threads(&self, b: &mut Builder<'_>, phase: Block) -> Block {
        let nest = &self.plan.nest;
        let phase = self.with_inputs(b, phase);
        let int = b.types.i32();
        let lanes: Vec<Handle<Local>> = nest.loops.iter().map(|_| b.body.temp("thread", int)).collect();
        let mut thread = b.int(0, int);
        let mut block: Block = vec![];
        for (d, n) in nest.loops.iter().enumerate().rev() {
            let threads = b.int(n.threads.into(), int);
            let above = b.mul(thread, threads);
            let lane = b.load(lanes[d]);
            thread = b.add(above, lane);
            let value = nest.value(b, d, lane);
            block.push(declare(n.l.var, Some(value)));
        }
        let holds = inside(b, nest);
        block.push(declare(self.active, Some(holds)));
        block.extend(rematerialise::again(b, &self.again.computed, &phase));
        block.extend(self.with_arrays(b, phase, thread));
        rematerialise::aligned(b, nest, &lanes, &mut block);
        let keep = |b: &mut Builder<'_>, block: Block| self.with_kept(b, block, thread);
        if self.reduces {
            block = keep(b, block);
        }
        for (d, n) in nest.loops.iter().enumerate() {
            if d == 0 && !self.reduces {
                let places = nest.loops.iter().map(|n| n.l.var).chain([self.active]);
                let places = places.chain(self.again.computed.iter().map(|(l, _)| *l)).collect();
                let own = self.kept.keys().copied().collect();
                block = guards_to_bounds::around(
                    b,
                    (lanes[0], n.threads),
                    block,
                    &places,
                    &self.begins,
                    own,
                    &keep,
                );
                continue;
            }
            block = vec![StmtNode { span: n.span, ..b.counted(lanes[d], n.threads, block) }];
        }
        block
    }

    /// Where a value is read again, the read is substituted.
    fn with_inputs(&self, b: &mut Builder<'_>, mut phase: Block) -> Block {
        for (local, value) in &self.again.read {
            let sets = |body: &Body, node: &StmtNode| match node.kind {
                Stmt::Declare { local: l, .. } => l == *local,
                Stmt::Store { place, .. } => body.exprs[place].kind == ExprKind::Local(*local),
                _ => false,
            };
            let body = &*b.body;
            rewrite_block(&mut phase, &mut |node| if sets(body, &node) { vec![] } else { vec![node] });
            substitute(b.body, &mut phase, *local, Subst::Value(*value));
        }
        phase
    }

    /// Arrays that are live across phases are used in place; a local that is declared repeatedly is assigned
    /// instead.
    fn with_arrays(&self, b: &mut Builder<'_>, mut phase: Block, thread: Handle<Expr>) -> Block {
        for (local, array) in &self.kept {
            let ty = b.body.locals[*local].ty;
            if matches!(b.types.kind(ty), TypeKind::Array { .. }) {
                let place = element(b, *array, thread, ty);
                phase.retain(|n| !matches!(n.kind, Stmt::Declare { local: l, .. } if l == *local));
                substitute(b.body, &mut phase, *local, Subst::Place(place));
                continue;
            }
            for node in &mut phase {
                let Stmt::Declare { local: l, init } = node.kind else { continue };
                if l == *local {
                    let to = b.place(*local);
                    node.kind = match init {
                        Some(value) => Stmt::Store { place: to, op: None, value },
                        None => Stmt::Block(vec![]),
                    };
                }
            }
        }
        phase.retain(|n| !matches!(&n.kind, Stmt::Block(inner) if inner.is_empty()));
        phase
    }

    /// A part of a phase whose values are loaded from the arrays and stored back.
    fn with_kept(&self, b: &mut Builder<'_>, phase: Block, thread: Handle<Expr>) -> Block {
        let written = visit::written_locals(b.body, &phase);
        let (mut before, mut after) = (vec![], vec![]);
        for (local, array) in &self.kept {
            if !visit::names_local(b.body, &phase, *local) {
                continue;
            }
            let ty = b.body.locals[*local].ty;
            let place = element(b, *array, thread, ty);
            let value = b.load_place(place);
            before.push(declare(*local, Some(value)));
            if written.contains(local) {
                let value = b.load(*local);
                after.push(store(place, value));
            }
        }
        before.extend(phase);
        before.extend(after);
        before
    }
}

fn element(b: &mut Builder<'_>, array: Handle<Local>, index: Handle<Expr>, ty: Handle<Type>) -> Handle<Expr> {
    let base = b.place(array);
    b.expr(ExprKind::Index { base, index }, ty)
}

/// Locals declared in phases of single threads, and which of these name a local.
fn survey(
    body: &Body,
    phases: &[Phase],
    count: &mut usize,
    declared: &mut BTreeSet<Handle<Local>>,
    uses: &mut BTreeMap<Handle<Local>, BTreeSet<usize>>,
) {
    for phase in phases {
        // `joined` has turned writes into phases of single threads.
        if let Phase::Each(block) = phase {
            *count += 1;
            for node in block {
                if let Stmt::Declare { local, .. } = node.kind {
                    declared.insert(local);
                }
            }
            visit::for_each_local(body, block, &mut |l, _| {
                uses.entry(l).or_default().insert(*count);
            });
        }
        for inner in phase.inner() {
            survey(body, inner, count, declared, uses);
        }
    }
}

/// The blocks of an interval of iterations: those whose first iteration lies in it. Inner dimensions are covered in
/// full.
fn frame(b: &mut Builder<'_>, nest: &Nest, inner: Block) -> Block {
    let mut block = inner;
    let last = nest.loops.len() - 1;
    for (d, n) in nest.loops.iter().enumerate() {
        let of_base = Loop { var: n.base, ..indices::shell(&n.l) };
        let int = b.types.i32();
        let threads = b.int(n.threads.into(), int);
        if d < last {
            let zero = b.int(0, int);
            block = vec![for_at(strided(b, &of_base, zero, threads, block), n.span)];
            continue;
        }
        let long = b.types.int(64, true);
        let at = b.body.temp("first", long);
        let value = b.load(at);
        let value = indices::offset(b, &of_base, value);
        let mut body = vec![declare(n.base, Some(value))];
        body.extend(block);
        let threads = b.int(n.threads.into(), long);
        let short = b.int(i128::from(n.threads) - 1, long);
        let (begin, bound) = (b.builtin(Builtin::Begin), b.builtin(Builtin::End));
        let up = b.add(begin, short);
        let blocks = b.binary(accl_ir::BinaryOp::Div, up, threads);
        let lower = b.mul(blocks, threads);
        block = vec![counting(at, lower, bound, threads, body)];
    }
    block
}
