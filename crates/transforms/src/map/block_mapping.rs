//! Gangs whose workers and lanes share work inside the kernel.
//!
//! Code outside worker and vector loops runs redundantly in every thread of the block (OpenACC 3.3 §2.2:
//! gang-redundant, worker-single, vector-single). So its locals are registers with the same value in all threads,
//! and its control flow is uniform. One thread alone performs what has effects that others see: stores to memory,
//! atomics, calls. A barrier separates conflicting accesses ([`hazards`](super::hazards)); it always stands in
//! uniform control flow.
//!
//! A loop's reduction starts from the identity in each thread and is combined across the block (or warp) after the
//! loop, then with the variable's value from before. Of scalars that iterations set and that are read behind the loop
//! every thread gets the last value ([`last_values`](super::last_values)). A reduction of the whole launch is *active* from the
//! start: each thread keeps its own accumulator to the end, and outside lane loops only one thread adds to it.

use super::hazards::{Memory, Pending, Touch, Who};
use super::indices::{self, for_at, strided};
use super::last_values::{self, LastValue, LastValues};
use super::{alias, grid_mapping, identity, with_reductions, worker_arrays};
use crate::build::{Builder, declare, if_then, node, store};
use accl_ir::{
    BarrierScope, BinaryOp, Block, Body, Builtin, Expr, ExprKind, Handle, Kernel, Local, Loop, LoopLevels,
    Module, ParamKind, Reduction, ReductionOp, SharedDecl, Stmt, StmtNode, Type, TypeKind, visit,
};
use accl_source::{Diagnostic, Span, codes::transforms as codes};
use std::collections::BTreeSet;

/// The body of one thread of a gang kernel or a serial one. `distinct`: arguments do not overlap. `in_clusters`: a gang is a cluster of
/// blocks, which follow one another in y.
pub fn body(
    module: &mut Module,
    kernel: &Kernel,
    block: [u32; 3],
    distinct: bool,
    in_clusters: bool,
) -> (Body, Vec<SharedDecl>) {
    let (mut kernel, of_workers) = worker_arrays::shared(module, kernel, block[1]);
    let alone = block == [1; 3] || kernel.serial;
    let mut shared = if alone { BTreeSet::new() } else { shared_variables(module, &kernel) };
    shared.extend(&of_workers);
    let active = kernel.params.iter().filter(|p| matches!(p.kind, ParamKind::Reduction { .. }));
    let active: BTreeSet<Handle<Local>> = active.map(|p| p.local).collect();
    let last_values = match alone {
        true => LastValues::default(),
        false => last_values::note(&mut module.types, &mut kernel, &shared | &active),
    };
    let kernel = &kernel;
    let memory = Memory::of(module, kernel, shared, distinct || alias::all_distinct(module, kernel));
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut mapper = Mapper {
        active,
        b: Builder { types: &mut module.types, body: &mut body },
        memory: &memory,
        alone,
        workers: block[1],
        in_clusters,
        last_values,
        noted: vec![],
        shared: of_workers.into_iter().map(SharedDecl::from).collect(),
    };
    let mapped = mapper.block(&kernel.body.block, Mode::Gang, &mut Pending::default());
    let shared = mapper.shared;
    body.block = with_reductions(&mut module.types, kernel, &mut body, mapped);
    (body, shared)
}

/// The threads that run the current code together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// All threads of the block.
    Gang,
    /// The lanes of one worker.
    Worker,
}

impl Mode {
    fn scope(self, in_clusters: bool) -> BarrierScope {
        match self {
            Mode::Gang if in_clusters => BarrierScope::Cluster,
            Mode::Gang => BarrierScope::Block,
            Mode::Worker => BarrierScope::Warp,
        }
    }
}

struct Mapper<'a> {
    b: Builder<'a>,
    memory: &'a Memory,
    /// Reductions that are combined at the end of an enclosing loop or of the launch.
    active: BTreeSet<Handle<Local>>,
    /// The block consists of one thread.
    alone: bool,
    /// Workers of the gang.
    workers: u32,
    /// A gang is a cluster of blocks, the launch's blocks in y.
    in_clusters: bool,
    last_values: LastValues,
    /// Of the worker loop around.
    noted: Vec<LastValue>,
    shared: Vec<SharedDecl>,
}

impl Mapper<'_> {
    fn block(&mut self, block: &Block, mode: Mode, pending: &mut Pending) -> Block {
        let mut out = vec![];
        for stmt in block {
            self.stmt(stmt, mode, pending, &mut out);
        }
        out
    }

    fn stmt(&mut self, stmt: &StmtNode, mode: Mode, pending: &mut Pending, out: &mut Block) {
        match &stmt.kind {
            Stmt::Declare { local, init } if self.memory.shared.contains(local) => {
                self.shared.push((*local).into());
                if let Some(value) = *init {
                    let place = self.b.place(*local);
                    let first = StmtNode { kind: Stmt::Store { place, op: None, value }, span: stmt.span };
                    self.by_one(&first, mode, pending, out);
                }
            }
            Stmt::Declare { .. } => self.redundant(stmt, mode, pending, out),
            Stmt::Store { place, .. } => match self.is_own(*place) {
                true => self.redundant(stmt, mode, pending, out),
                false => self.by_one(stmt, mode, pending, out),
            },
            Stmt::Print { .. } => self.by_one(stmt, mode, pending, out),
            Stmt::Call { dest, .. } => self.by_one_with_result(stmt, *dest, mode, pending, out),
            Stmt::Atomic(a) => {
                let dest = a.capture.map(|(dest, _)| dest);
                self.by_one_with_result(stmt, dest, mode, pending, out);
            }
            Stmt::For(l) => self.for_loop(stmt, l, mode, pending, out),
            Stmt::Continue | Stmt::Break => {
                if !pending.is_empty() {
                    self.barrier(mode, pending, out);
                }
                out.push(stmt.clone());
            }
            Stmt::While { .. } => self.while_loop(stmt, mode, pending, out),
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Block(_) => self.branches(stmt, mode, pending, out),
            Stmt::Return(_)
            | Stmt::Stop { .. }
            | Stmt::Window(_)
            | Stmt::Region(_)
            | Stmt::Directive(_)
            | Stmt::Host
            | Stmt::Barrier(_)
            | Stmt::ReduceAcross { .. }
            | Stmt::ReduceGrid { .. }
            | Stmt::Measure { .. }
            | Stmt::TensorProduct(_)
            | Stmt::VectorLoad { .. }
            | Stmt::VectorStore { .. } => out.push(stmt.clone()),
        }
    }

    /// Every thread may write it for itself.
    fn is_own(&self, place: Handle<Expr>) -> bool {
        self.memory.is_register(self.b.body, place)
            && !matches!(visit::root_of(self.b.body, place), Some(visit::Root::Local(l)) if self.active.contains(&l))
    }

    /// Every thread runs it, with the same result.
    fn redundant(&mut self, stmt: &StmtNode, mode: Mode, pending: &mut Pending, out: &mut Block) {
        self.separate(stmt, Who::All, mode, pending, out);
        out.push(stmt.clone());
    }

    /// One thread alone runs it.
    fn by_one(&mut self, stmt: &StmtNode, mode: Mode, pending: &mut Pending, out: &mut Block) {
        let touches = self.memory.touches_within(self.b.body, std::slice::from_ref(stmt), Who::One);
        self.separate_touches(touches, mode, pending, out);
        if self.alone {
            out.push(stmt.clone());
            return;
        }
        let first = self.is_first(mode);
        match out.last_mut() {
            // Two such statements in a row share the test.
            Some(StmtNode { kind: Stmt::If { cond, then, otherwise }, .. })
                if otherwise.is_empty() && visit::same_expr(self.b.body, *cond, first) =>
            {
                then.push(stmt.clone());
            }
            _ => out.push(if_then(first, vec![stmt.clone()])),
        }
    }

    /// One thread runs it; a result in a register is passed to the others.
    fn by_one_with_result(
        &mut self,
        stmt: &StmtNode,
        dest: Option<Handle<Expr>>,
        mode: Mode,
        pending: &mut Pending,
        out: &mut Block,
    ) {
        let own = dest.filter(|d| self.is_own(*d) && !self.alone);
        self.by_one(stmt, mode, pending, out);
        let Some(dest) = own else { return };
        let ty = self.b.ty(dest);
        let to = self.cell(ty, mode);
        let value = self.b.load_place(dest);
        if let Some(StmtNode { kind: Stmt::If { then, .. }, .. }) = out.last_mut() {
            then.push(store(to, value));
        }
        self.barrier(mode, pending, out);
        let got = self.b.load_place(to);
        out.push(store(dest, got));
        self.barrier(mode, pending, out);
    }

    /// Shared memory for one value of the threads that run together.
    fn cell(&mut self, ty: Handle<Type>, mode: Mode) -> Handle<Expr> {
        if mode == Mode::Gang || self.workers == 1 {
            let cell = self.b.body.temp("broadcast", ty);
            self.shared.push(cell.into());
            return self.b.place(cell);
        }
        let all = self.b.types.array(ty, u64::from(self.workers));
        let cells = self.b.body.temp("broadcast", all);
        self.shared.push(cells.into());
        let (base, index) = (self.b.place(cells), self.b.builtin(Builtin::ThreadIdx(1)));
        self.b.expr(ExprKind::Index { base, index }, ty)
    }

    fn branches(&mut self, stmt: &StmtNode, mode: Mode, pending: &mut Pending, out: &mut Block) {
        self.separate(stmt, Who::All, mode, pending, out);
        let mut copy = stmt.clone();
        let mut after = Pending::default();
        let one_runs = matches!(stmt.kind, Stmt::Block(_));
        for (mapped, inner) in copy.kind.blocks_mut().into_iter().zip(stmt.kind.blocks()) {
            let mut state = pending.clone();
            // A case may be entered from the one before.
            state.union(&after);
            *mapped = self.block(inner, mode, &mut state);
            after.union(&state);
        }
        if !one_runs {
            after.union(pending);
        }
        *pending = after;
        out.push(copy);
    }

    fn while_loop(&mut self, stmt: &StmtNode, mode: Mode, pending: &mut Pending, out: &mut Block) {
        self.separate(stmt, Who::All, mode, pending, out);
        let Stmt::While { body, step, .. } = &stmt.kind else { return };
        let before = pending.clone();
        let body = self.looped(body, mode, false, pending);
        let mut next = self.block(step, mode, pending);
        // The condition is evaluated again after the step.
        let condition = self.memory.touches(self.b.body, stmt, Who::All);
        if pending.conflicts(self.memory, &condition) {
            self.barrier(mode, pending, &mut next);
        }
        let mut mapped = stmt.clone();
        for (block, new) in mapped.kind.blocks_mut().into_iter().zip([body, next]) {
            *block = new;
        }
        pending.union(&before);
        out.push(mapped);
    }

    /// The body of a loop whose iterations the same threads run one after another. Iterations of an `independent`
    /// loop conflict only in the gang's own arrays.
    fn looped(&mut self, body: &Block, mode: Mode, independent: bool, pending: &mut Pending) -> Block {
        let before = pending.clone();
        // What is pending at the end of an iteration is also pending at the start of the next. To find it, the body
        // is mapped once and the result dropped.
        let (locals, exprs, shared) = (self.b.body.locals.len(), self.b.body.exprs.len(), self.shared.len());
        let alone = self.block(body, mode, pending);
        self.shared.truncate(shared);
        self.b.body.truncate(locals, exprs);
        if independent {
            pending.keep_shared(self.memory);
        }
        pending.union(&before);
        let mut mapped = self.block(body, mode, pending);
        if independent && barriers(&mapped) > barriers(&alone) {
            // Only the iteration before needs another barrier. Where the next one begins no thread has asked memory for anything yet
            // that it would have to wait for.
            self.shared.truncate(shared);
            self.b.body.truncate(locals, exprs);
            mapped = vec![];
            self.barrier(mode, pending, &mut mapped);
            let body = self.block(body, mode, pending);
            mapped.extend(body);
        }
        pending.union(&before);
        mapped
    }

    fn for_loop(&mut self, stmt: &StmtNode, l: &Loop, mode: Mode, pending: &mut Pending, out: &mut Block) {
        let levels = l.levels.clone().unwrap_or_default();
        if levels.vector {
            return self.lanes(stmt, l, &levels, mode, pending, out);
        }
        if self.is_for_one(stmt) {
            return self.by_one(stmt, mode, pending, out);
        }
        self.separate(stmt, Who::All, mode, pending, out);
        if levels.worker {
            return self.workers(l, &levels, stmt.span, pending, out);
        }
        let body = self.looped(&l.body, mode, levels.gang, pending);
        let loop_ = match levels.gang {
            true => self.over_gangs(l, &levels, body),
            false => Loop { body, ..indices::shell(l) },
        };
        out.push(for_at(loop_, stmt.span));
    }

    /// One thread runs the whole loop: no other has a part in it, or needs a register that it sets. That saves the barriers
    /// between what the iterations store.
    fn is_for_one(&self, stmt: &StmtNode) -> bool {
        let all = std::slice::from_ref(stmt);
        let (mut stores, mut other) = (false, false);
        visit::for_each_stmt(all, &mut |node| match &node.kind {
            Stmt::Store { place, .. } => stores |= !self.memory.is_register(self.b.body, *place),
            Stmt::Declare { local, .. } => other |= self.memory.shared.contains(local),
            Stmt::For(l) => {
                other |=
                    l.levels.as_ref().is_some_and(|s| s.gang || s.worker || s.vector) || !l.declared_here;
            }
            Stmt::If { .. } | Stmt::Block(_) => {}
            _ => other = true,
        });
        let own = visit::declared_locals(all);
        let mut written = visit::written_locals(self.b.body, all).into_iter();
        stores
            && !other
            && !self.alone
            && written.all(|l| own.contains(&l) || self.memory.shared.contains(&l))
    }

    fn over_gangs(&mut self, l: &Loop, levels: &LoopLevels, body: Block) -> Loop {
        let d = levels.dim.unwrap_or(0);
        let (first, stride) = (self.b.builtin(Builtin::BlockIdx(d)), self.b.builtin(Builtin::GridDim(d)));
        strided(&mut self.b, l, first, stride, body)
    }

    /// A vector loop: each lane runs iterations of its own, in which everything is sequential.
    fn lanes(
        &mut self,
        stmt: &StmtNode,
        l: &Loop,
        levels: &LoopLevels,
        mode: Mode,
        pending: &mut Pending,
        out: &mut Block,
    ) {
        let touches = self.memory.touches_within(self.b.body, std::slice::from_ref(stmt), Who::All);
        if pending.conflicts(self.memory, &touches) {
            self.barrier(mode, pending, out);
        }
        pending.add(touches);
        let (first, stride) = self.lane_range(l, levels, mode);
        let reductions = self.own_reductions(l);
        let saved = self.start(&reductions, out);
        let last_values = self.start_last_values(l, out);
        let loop_ = strided(&mut self.b, l, first, stride, l.body.clone());
        out.push(for_at(loop_, stmt.span));
        self.finish(&reductions, saved, mode.scope(self.in_clusters), out);
        self.finish_last_values(&last_values, None, mode, pending, out);
    }

    /// The first iteration of this lane, and the count of lanes.
    fn lane_range(&mut self, l: &Loop, levels: &LoopLevels, mode: Mode) -> (Handle<Expr>, Handle<Expr>) {
        let x = self.b.builtin(Builtin::ThreadIdx(0));
        let width = self.b.builtin(Builtin::BlockDim(0));
        let (mut lane, mut lanes) = (x, width);
        if mode == Mode::Gang && self.workers > 1 {
            let (y, height) = (self.b.builtin(Builtin::ThreadIdx(1)), self.b.builtin(Builtin::BlockDim(1)));
            let row = self.b.mul(y, width);
            lane = self.b.add(row, x);
            lanes = self.b.mul(width, height);
        }
        if self.in_clusters {
            let (block, blocks) = (self.b.builtin(Builtin::BlockIdx(1)), self.b.builtin(Builtin::GridDim(1)));
            let before = self.b.mul(block, lanes);
            lane = self.b.add(before, lane);
            lanes = self.b.mul(blocks, lanes);
        }
        if levels.gang {
            let d = levels.dim.unwrap_or(0);
            let gang = self.b.builtin(Builtin::BlockIdx(d));
            let gang = indices::widen(&mut self.b, l, gang);
            let gangs = self.b.builtin(Builtin::GridDim(d));
            let gangs = indices::widen(&mut self.b, l, gangs);
            let start = self.b.mul(gang, lanes);
            lane = self.b.add(start, lane);
            lanes = self.b.mul(gangs, lanes);
        }
        (lane, lanes)
    }

    /// A worker loop: each worker runs iterations of its own, its lanes together.
    fn workers(&mut self, l: &Loop, levels: &LoopLevels, span: Span, pending: &mut Pending, out: &mut Block) {
        let touches = self.memory.touches_within(self.b.body, &l.body, Who::All);
        if pending.conflicts(self.memory, &touches) {
            self.barrier(Mode::Gang, pending, out);
        }
        pending.add(touches);
        let reductions = self.own_reductions(l);
        let saved = self.start(&reductions, out);
        let outer = self.active.clone();
        self.active.extend(reductions.iter().map(|r| r.local));
        let last_values = self.start_last_values(l, out);
        self.noted.clone_from(&last_values);
        let body = self.looped(&l.body, Mode::Worker, true, &mut Pending::default());
        self.active = outer;
        self.noted.clear();
        let (first, stride) = self.worker_range(l, levels);
        let loop_ = strided(&mut self.b, l, first, stride, body);
        out.push(for_at(loop_, span));
        self.finish(&reductions, saved, BarrierScope::Block, out);
        let first_lane = self.is_first(Mode::Worker);
        self.finish_last_values(&last_values, Some(first_lane), Mode::Gang, pending, out);
    }

    fn worker_range(&mut self, l: &Loop, levels: &LoopLevels) -> (Handle<Expr>, Handle<Expr>) {
        let y = self.b.builtin(Builtin::ThreadIdx(1));
        let height = self.b.builtin(Builtin::BlockDim(1));
        if !levels.gang {
            return (y, height);
        }
        let d = levels.dim.unwrap_or(0);
        let first = indices::linear(
            &mut self.b,
            l,
            Builtin::BlockIdx(d),
            Builtin::BlockDim(1),
            Builtin::ThreadIdx(1),
        );
        let gangs = self.b.builtin(Builtin::GridDim(d));
        let gangs = indices::widen(&mut self.b, l, gangs);
        (first, self.b.mul(gangs, height))
    }

    /// Reductions of a loop that are combined right after the loop.
    fn own_reductions(&self, l: &Loop) -> Vec<Reduction> {
        let all = l.directive.iter().flat_map(|d| d.reductions.iter());
        all.filter(|r| !self.active.contains(&r.local)).cloned().collect()
    }

    /// Saves each variable and sets it to the identity.
    fn start(&mut self, reductions: &[Reduction], out: &mut Block) -> Vec<Handle<Local>> {
        reductions.iter().map(|r| identity::start(&mut self.b, r.op, r.local, out)).collect()
    }

    /// Combines the threads' values, and then the result with the value from before.
    fn finish(
        &mut self,
        reductions: &[Reduction],
        saved: Vec<Handle<Local>>,
        scope: BarrierScope,
        out: &mut Block,
    ) {
        for (r, before) in reductions.iter().zip(saved) {
            if !self.alone {
                out.push(node(Stmt::ReduceAcross { op: r.op, local: r.local, scope }));
            }
            out.push(identity::finish(&mut self.b, r.op, r.local, before));
        }
    }

    /// No iteration has set any of the loop's variables yet.
    fn start_last_values(&mut self, l: &Loop, out: &mut Block) -> Vec<LastValue> {
        let values = self.last_values.of(l).to_vec();
        for value in &values {
            let ty = self.b.body.locals[value.iteration].ty;
            let none = last_values::none(&mut self.b, ty);
            out.push(declare(value.iteration, Some(none)));
        }
        values
    }

    /// Each thread gets the value of the last iteration that set the variable, if one did. `speaks`: of threads that have run
    /// the same iterations, the one that passes the value on.
    fn finish_last_values(
        &mut self,
        values: &[LastValue],
        speaks: Option<Handle<Expr>>,
        mode: Mode,
        pending: &mut Pending,
        out: &mut Block,
    ) {
        let scope = mode.scope(self.in_clusters);
        for value in values {
            if let Some(op) = value.best {
                self.only_of_best(value, op, scope, out);
            }
            let name = format!("{}_last", self.b.body.locals[value.locals[0]].name);
            let ty = self.b.body.locals[value.iteration].ty;
            let last = self.b.body.temp(&name, ty);
            let own = self.b.load(value.iteration);
            out.push(declare(last, Some(own)));
            out.push(node(Stmt::ReduceAcross { op: ReductionOp::Max, local: last, scope }));
            let (none, all) = (last_values::none(&mut self.b, ty), self.b.load(last));
            let any = self.b.binary(BinaryOp::Ne, all, none);
            let is_last = self.b.binary(BinaryOp::Eq, own, all);
            // If none did, the first thread passes on what all have.
            let first = self.is_first(mode);
            let some_thread = self.b.binary(BinaryOp::LogicalOr, any, first);
            let mut has_it = self.b.binary(BinaryOp::LogicalAnd, is_last, some_thread);
            if let Some(speaks) = speaks {
                has_it = self.b.binary(BinaryOp::LogicalAnd, has_it, speaks);
            }
            let (mut passed, mut taken) = (vec![], vec![]);
            for local in &value.locals {
                let ty = self.b.body.locals[*local].ty;
                if let Some(op) = self.passes_by(ty, mode) {
                    let (others, place) = (self.b.not(has_it), self.b.place(*local));
                    let nothing = identity::of(self.b.types, self.b.body, op, ty);
                    out.push(if_then(others, vec![store(place, nothing)]));
                    out.push(node(Stmt::ReduceAcross { op, local: *local, scope }));
                    continue;
                }
                let cell = self.cell(ty, mode);
                passed.push(store(cell, self.b.load(*local)));
                taken.push(store(self.b.place(*local), self.b.load_place(cell)));
            }
            let in_memory = !passed.is_empty();
            if in_memory {
                out.push(if_then(has_it, passed));
                self.barrier(mode, pending, out);
                out.extend(taken);
            }
            if let Some(around) = self.noted.iter().find(|around| around.locals == value.locals).cloned() {
                out.push(if_then(any, vec![last_values::set(&mut self.b, &around)]));
            }
            if in_memory {
                self.barrier(mode, pending, out);
            }
        }
    }

    /// The operator that combines one thread's value with what the others give in its place, to the same value: the lanes of a worker
    /// exchange values without memory, and the blocks of a cluster share none.
    fn passes_by(&self, ty: Handle<Type>, mode: Mode) -> Option<ReductionOp> {
        let shares_memory = mode == Mode::Gang && !self.in_clusters;
        match self.b.types.kind(ty) {
            _ if shares_memory || self.alone => None,
            TypeKind::Int { .. } => Some(ReductionOp::BitOr),
            TypeKind::Float { .. } => Some(ReductionOp::Mul),
            _ => None,
        }
    }

    /// Only a thread that has the best of all values found it in any iteration.
    fn only_of_best(&mut self, value: &LastValue, op: ReductionOp, scope: BarrierScope, out: &mut Block) {
        let local = value.locals[0];
        let (name, ty) = (format!("{}_of_all", self.b.body.locals[local].name), self.b.body.locals[local].ty);
        let best = self.b.body.temp(&name, ty);
        let own = self.b.load(local);
        out.push(declare(best, Some(own)));
        out.push(node(Stmt::ReduceAcross { op, local: best, scope }));
        let all = self.b.load(best);
        let worse = self.b.binary(BinaryOp::Ne, own, all);
        let number = self.b.body.locals[value.iteration].ty;
        let (place, none) = (self.b.place(value.iteration), last_values::none(&mut self.b, number));
        out.push(if_then(worse, vec![store(place, none)]));
    }

    /// A barrier if the statement itself conflicts with what is pending.
    fn separate(&mut self, stmt: &StmtNode, who: Who, mode: Mode, pending: &mut Pending, out: &mut Block) {
        let touches = self.memory.touches(self.b.body, stmt, who);
        self.separate_touches(touches, mode, pending, out);
    }

    fn separate_touches(&mut self, touches: Vec<Touch>, mode: Mode, pending: &mut Pending, out: &mut Block) {
        if pending.conflicts(self.memory, &touches) {
            self.barrier(mode, pending, out);
        }
        pending.add(touches);
    }

    fn barrier(&mut self, mode: Mode, pending: &mut Pending, out: &mut Block) {
        if !self.alone {
            out.push(node(Stmt::Barrier(mode.scope(self.in_clusters))));
        }
        pending.clear();
    }

    /// True in the first of the threads that run the code together.
    fn is_first(&mut self, mode: Mode) -> Handle<Expr> {
        let x = self.is_zero(Builtin::ThreadIdx(0));
        let other = match mode {
            Mode::Gang if self.in_clusters => Builtin::BlockIdx(1),
            Mode::Gang if self.workers > 1 => Builtin::ThreadIdx(1),
            _ => return x,
        };
        let y = self.is_zero(other);
        self.b.binary(BinaryOp::LogicalAnd, x, y)
    }

    fn is_zero(&mut self, builtin: Builtin) -> Handle<Expr> {
        let int = self.b.types.i32();
        let (index, zero) = (self.b.builtin(builtin), self.b.int(0, int));
        self.b.binary(BinaryOp::Eq, index, zero)
    }
}

fn barriers(block: &Block) -> usize {
    let mut count = 0;
    visit::for_each_stmt(block, &mut |node| count += usize::from(matches!(node.kind, Stmt::Barrier(_))));
    count
}

/// Refuses a gang's array that all its threads use and whose length only the launch knows: shared memory has a size.
pub fn unsized_array(module: &Module, kernel: &Kernel) -> Option<Diagnostic> {
    if kernel.serial {
        return None;
    }
    let has_no_size = |l: &Handle<Local>| {
        let ty = kernel.body.locals[*l].ty;
        matches!(module.types.kind(ty), TypeKind::Array { .. }) && module.types.size_of(ty).is_none()
    };
    let local = shared_variables(module, kernel).into_iter().find(has_no_size)?;
    let Local { name, span, .. } = &kernel.body.locals[local];
    let message = format!(
        "the threads of a block share the array `{name}`, of a length that is not known when the program is compiled"
    );
    let help = "give it a constant length, or memory of the program's that a data clause names";
    let error = Diagnostic::error(codes::UNSUPPORTED_TYPE, message);
    let error = error.label(kernel.site.directive_span, "in a kernel of this construct");
    Some(error.label(*span, "declared here").with_help(help))
}

/// Variables declared outside worker and vector loops of which the gang has one instance, in memory.
fn shared_variables(module: &Module, kernel: &Kernel) -> BTreeSet<Handle<Local>> {
    let body = &kernel.body;
    let (mut declared, mut used) = (BTreeSet::new(), BTreeSet::new());
    declared_and_used(body, &body.block, &mut declared, &mut used);
    let addressed = worker_arrays::addressed(body, &body.block);
    declared.retain(|l| worker_arrays::is_shared(&module.types, body, &used, &addressed, *l));
    declared
}

fn declared_and_used(
    body: &Body,
    block: &Block,
    declared: &mut BTreeSet<Handle<Local>>,
    used: &mut BTreeSet<Handle<Local>>,
) {
    for stmt in block {
        match &stmt.kind {
            Stmt::Declare { local, .. } => {
                declared.insert(*local);
            }
            Stmt::For(l) if l.levels.as_ref().is_some_and(|s| s.worker || s.vector) => {
                visit::for_each_local(body, &l.body, &mut |local, _| {
                    used.insert(local);
                });
            }
            other => other.blocks().into_iter().for_each(|b| declared_and_used(body, b, declared, used)),
        }
    }
}

/// Whether the kernel needs gang code; if not, iterations map to threads one to one.
pub fn is_needed(kernel: &Kernel) -> bool {
    kernel.gangs
        || kernel.serial
        || !super::shape::one_iteration_a_thread(kernel)
        || grid_mapping::nest(&kernel.body.block).0.is_empty()
}
