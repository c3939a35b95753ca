//! No barrier in divergent control flow.
//!
//! This is a walk over a mapped body. At each point it knows which locals may differ between the threads of a block
//! or of a warp, and whether some threads may be elsewhere. Loads from memory are uniform where their addresses
//! are, since between barriers all threads see the same memory. The walk is conservative: it may call a uniform
//! value divergent, but never the other way round, data races excepted.

use super::{Checker, Stage};
use crate::{
    Access, BarrierScope, BinaryOp, Block, Body, Builtin, Expr, ExprKind, Handle, Local, Loop, Stmt,
    StmtNode, print, visit,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The threads among which a value may differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Varies {
    /// Among the lanes of a warp.
    warp: bool,
    /// Among the threads of a block.
    block: bool,
}

impl Varies {
    const ALL: Varies = Varies { warp: true, block: true };
    const WARPS: Varies = Varies { warp: false, block: true };

    fn or(self, other: Varies) -> Varies {
        Varies { warp: self.warp || other.warp, block: self.block || other.block }
    }
    fn breaks(self, scope: BarrierScope) -> bool {
        match scope {
            BarrierScope::Block | BarrierScope::Cluster | BarrierScope::Columns => self.block,
            BarrierScope::Warp => self.warp,
        }
    }
}

/// Why threads diverge.
#[derive(Clone, Copy, Debug, Default)]
struct Control {
    varies: Varies,
    /// The innermost condition at which they diverge.
    why: Option<Handle<Expr>>,
}

#[derive(Debug, Default)]
struct State {
    /// Locals that differ between threads; all others are uniform.
    locals: BTreeMap<Handle<Local>, Varies>,
    /// Some threads have left the kernel.
    gone: Varies,
    /// Some threads have left this iteration (`continue`), or this loop or switch (`break`).
    skipped: Varies,
    left: Varies,
}

impl State {
    fn of(&self, local: Handle<Local>) -> Varies {
        self.locals.get(&local).copied().unwrap_or_default()
    }
    fn put(&mut self, local: Handle<Local>, varies: Varies) {
        match varies == Varies::default() {
            true => self.locals.remove(&local),
            false => self.locals.insert(local, varies),
        };
    }
    /// Which threads are where, without the locals.
    fn whereabouts(&self) -> [Varies; 3] {
        [self.gone, self.skipped, self.left]
    }
    fn move_to(&mut self, [gone, skipped, left]: [Varies; 3]) {
        (self.gone, self.skipped, self.left) = (gone, skipped, left);
    }
    fn join_whereabouts(&mut self, other: &State) {
        self.gone = self.gone.or(other.gone);
        self.skipped = self.skipped.or(other.skipped);
        self.left = self.left.or(other.left);
    }
    fn absent(&self) -> Varies {
        self.gone.or(self.skipped).or(self.left)
    }
}

struct Walk<'c, 'a> {
    checker: &'c mut Checker<'a>,
    body: &'a Body,
    shared: BTreeSet<Handle<Local>>,
    /// Their address is taken, so stores through pointers may reach them.
    exposed: BTreeSet<Handle<Local>>,
    /// Statements for which an error was reported: a loop is walked several times.
    reported: HashSet<*const StmtNode>,
    /// The divergent locals at the end of each loop's body. The set only grows, so a loop inside others starts from
    /// it and need not reach its fixed point anew each time.
    settled: HashMap<*const Block, State>,
    /// What locals were before they changed, in order, while the walk is in a block that may be skipped. The
    /// alternative to the block starts from there, without a copy of everything.
    changes: Vec<(Handle<Local>, Varies)>,
    /// How many such blocks enclose the current statement.
    skippable: usize,
}

pub(super) fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    let mut shared = BTreeSet::new();
    if let Stage::Variant(k) = checker.stage {
        let variant = k.variants.iter().find(|v| std::ptr::eq(&v.body, body));
        shared.extend(variant.iter().flat_map(|v| &v.shared).map(|decl| decl.local));
    }
    let mut exposed = BTreeSet::new();
    visit::for_each_place(body, &body.block, &mut |place, access| {
        if let (Access::Address, Some(visit::Root::Local(l))) = (access, visit::root_of(body, place)) {
            exposed.insert(l);
        }
    });
    let mut walk = Walk {
        checker,
        body,
        shared,
        exposed,
        reported: HashSet::new(),
        settled: HashMap::new(),
        changes: vec![],
        skippable: 0,
    };
    walk.block(&body.block, &mut State::default(), &Control::default());
}

impl<'a> Walk<'_, 'a> {
    fn block(&mut self, block: &'a Block, state: &mut State, control: &Control) {
        for node in block {
            let outer = self.checker.node.replace(node);
            self.stmt(node, state, control);
            self.checker.node = outer;
        }
    }

    fn stmt(&mut self, node: &'a StmtNode, state: &mut State, control: &Control) {
        let here = control.varies.or(state.absent());
        match &node.kind {
            Stmt::Declare { local, init } => {
                let varies = init.map_or(Varies::default(), |e| self.value(e, state));
                self.set(*local, varies.or(here), state);
            }
            Stmt::Store { place, op, value } => {
                let varies = self.value(*value, state).or(here);
                self.write(*place, varies, op.is_none(), state);
            }
            Stmt::Call { dest: Some(dest), args, .. } => {
                let varies = args.iter().fold(here, |v, a| v.or(self.value(*a, state)));
                self.write(*dest, varies, true, state);
            }
            Stmt::Atomic(a) => {
                self.write(a.place, Varies::ALL, false, state);
                if let Some((dest, _)) = a.capture {
                    self.write(dest, Varies::ALL, true, state);
                }
            }
            Stmt::If { cond, then, otherwise } => self.if_(*cond, then, otherwise, state, control),
            Stmt::For(l) => self.for_(l, state, control),
            Stmt::While { cond, body, step, .. } => self.while_(*cond, body, step, state, control),
            Stmt::Switch { value, cases } => {
                let blocks: Vec<&Block> = cases.iter().map(|c| &c.body).collect();
                self.switch(*value, &blocks, state, control);
            }
            Stmt::Break => state.left = state.left.or(here),
            Stmt::Continue => state.skipped = state.skipped.or(here),
            Stmt::Return(_) => state.gone = state.gone.or(here),
            Stmt::Block(block) => self.block(block, state, control),
            Stmt::Barrier(scope) => self.meet(*scope, "a barrier", state, control),
            Stmt::ReduceAcross { local, scope, .. } => {
                self.meet(*scope, "a reduction across threads", state, control);
                let varies = match scope {
                    BarrierScope::Block | BarrierScope::Cluster => Varies::default(),
                    BarrierScope::Warp => Varies::WARPS,
                    BarrierScope::Columns => Varies::ALL,
                };
                self.set(*local, varies.or(here), state);
            }
            Stmt::Measure { .. } => {}
            Stmt::TensorProduct(product) => {
                self.meet(BarrierScope::Warp, "a product of matrices", state, control);
                product.sums.iter().for_each(|sum| self.write(*sum, Varies::ALL, false, state));
            }
            Stmt::ReduceGrid { .. } => {
                self.meet(BarrierScope::Block, "a reduction over the grid", state, control);
            }
            Stmt::VectorLoad { dst, src, .. } => {
                self.together(*dst, state, control);
                let varies = self.address(*src, state).or(here);
                self.set(*dst, varies, state);
            }
            Stmt::VectorStore { dst, src, .. } => {
                self.together(*src, state, control);
                let varies = state.locals.get(src).copied().unwrap_or_default().or(here);
                self.write(*dst, varies, false, state);
            }
            Stmt::Call { dest: None, .. }
            | Stmt::Print { .. }
            | Stmt::Stop { .. }
            | Stmt::Window(_)
            | Stmt::Region(_)
            | Stmt::Directive(_)
            | Stmt::Host => {}
        }
    }

    /// A block as a whole fills or empties its shared array.
    fn together(&mut self, array: Handle<Local>, state: &State, control: &Control) {
        if self.shared.contains(&array) {
            self.meet(BarrierScope::Block, "an access to all of a shared array", state, control);
        }
    }

    /// All threads of the scope must reach this statement.
    fn meet(&mut self, scope: BarrierScope, what: &str, state: &State, control: &Control) {
        let here = self.checker.node.map_or(std::ptr::null(), std::ptr::from_ref);
        if !control.varies.or(state.absent()).breaks(scope) || !self.reported.insert(here) {
            return;
        }
        let why = match control.why.filter(|_| control.varies.breaks(scope)) {
            Some(cond) => {
                let text = print::expr(self.checker.module, self.body, cond);
                format!("`{text}` depends on the thread")
            }
            None => "some threads have left by break, continue or return".to_owned(),
        };
        self.checker.report(format!("{what} stands in divergent control flow: {why}"));
    }

    /// A whole local gets a value.
    fn set(&mut self, local: Handle<Local>, varies: Varies, state: &mut State) {
        let before = state.of(local);
        if before != varies {
            if self.skippable > 0 {
                self.changes.push((local, before));
            }
            state.put(local, varies);
        }
    }

    /// Whether the state grew.
    fn join(&mut self, state: &mut State, other: &State) -> bool {
        let before = state.whereabouts();
        state.join_whereabouts(other);
        let mut grew = state.whereabouts() != before;
        for (local, varies) in &other.locals {
            let (was, joined) = (state.of(*local), state.of(*local).or(*varies));
            self.set(*local, joined, state);
            grew |= joined != was;
        }
        grew
    }

    /// Walks a block that may be skipped and restores the state; returns what the block changed.
    fn aside(&mut self, state: &mut State, walk: impl FnOnce(&mut Self, &mut State)) -> State {
        let (before, mark) = (state.whereabouts(), self.changes.len());
        self.skippable += 1;
        walk(self, state);
        self.skippable -= 1;
        let mut changed = BTreeMap::new();
        for (local, was) in self.changes.drain(mark..).rev() {
            changed.entry(local).or_insert(state.of(local));
            state.put(local, was);
        }
        let [gone, skipped, left] = state.whereabouts();
        state.move_to(before);
        State { locals: changed, gone, skipped, left }
    }

    /// A store; `whole`: it is not `op=`.
    fn write(&mut self, place: Handle<Expr>, varies: Varies, whole: bool, state: &mut State) {
        let Some(visit::Root::Local(local)) = visit::root_of(self.body, place) else { return };
        if whole && matches!(self.body.exprs[place].kind, ExprKind::Local(_)) {
            return self.set(local, varies, state);
        }
        let varies = varies.or(self.address(place, state));
        self.set(local, state.of(local).or(varies), state);
    }

    fn branch(&self, control: &Control, cond: Handle<Expr>, varies: Varies) -> Control {
        if varies == Varies::default() {
            return *control;
        }
        Control { varies: control.varies.or(varies), why: Some(cond) }
    }

    fn if_(
        &mut self,
        cond: Handle<Expr>,
        then: &'a Block,
        otherwise: &'a Block,
        state: &mut State,
        control: &Control,
    ) {
        let varies = self.value(cond, state);
        let inner = self.branch(control, cond, varies);
        let after = self.aside(state, |walk, state| walk.block(then, state, &inner));
        self.block(otherwise, state, &inner);
        self.join(state, &after);
    }

    fn for_(&mut self, l: &'a Loop, state: &mut State, control: &Control) {
        let mut inner = *control;
        for e in [l.lower, l.bound, l.step] {
            inner = self.branch(&inner, e, self.value(e, state));
        }
        self.set(l.var, inner.varies.or(state.absent()), state);
        self.in_loop(&l.body, state, &inner, |walk, state, control| {
            walk.block(&l.body, state, control);
            state.skipped = Varies::default();
        });
    }

    /// The condition is evaluated again each time, with what the body made of it.
    fn while_(
        &mut self,
        cond: Option<Handle<Expr>>,
        body: &'a Block,
        step: &'a Block,
        state: &mut State,
        control: &Control,
    ) {
        self.in_loop(body, state, control, |walk, state, control| {
            let mut inner = *control;
            if let Some(cond) = cond {
                inner = walk.branch(control, cond, walk.value(cond, state));
            }
            // A thread that leaves early misses every later iteration.
            inner.varies = inner.varies.or(state.left);
            walk.block(body, state, &inner);
            state.skipped = Varies::default();
            walk.block(step, state, &inner);
        });
    }

    /// Walks `once` with its own `break` and `continue`; threads that were absent before it are absent in it.
    fn in_loop(
        &mut self,
        block: &'a Block,
        state: &mut State,
        control: &Control,
        once: impl FnMut(&mut Self, &mut State, &Control),
    ) {
        let mut control = *control;
        control.varies = control.varies.or(state.left).or(state.skipped);
        let outer = (std::mem::take(&mut state.left), std::mem::take(&mut state.skipped));
        self.iterate(block, state, &control, once);
        (state.left, state.skipped) = outer;
    }

    /// Walks `once`, the loop with that block, until the state at its head no longer changes. That state also holds
    /// after the loop.
    fn iterate(
        &mut self,
        block: &'a Block,
        state: &mut State,
        control: &Control,
        mut once: impl FnMut(&mut Self, &mut State, &Control),
    ) {
        let mut known = self.settled.remove(&std::ptr::from_ref(block)).unwrap_or_default();
        self.join(state, &known);
        loop {
            let after = self.aside(state, |walk, state| once(walk, state, control));
            known.join_whereabouts(&after);
            for (local, varies) in &after.locals {
                known.put(*local, known.of(*local).or(*varies));
            }
            if !self.join(state, &after) {
                break;
            }
        }
        self.settled.insert(block, known);
    }

    fn switch(&mut self, value: Handle<Expr>, cases: &[&'a Block], state: &mut State, control: &Control) {
        let varies = self.value(value, state);
        let inner = self.branch(control, value, varies);
        let left = std::mem::take(&mut state.left);
        for case in cases {
            // A case is entered from the head or by falling through.
            let after = self.aside(state, |walk, state| walk.block(case, state, &inner));
            self.join(state, &after);
        }
        state.left = left;
    }

    /// Whether the value differs from thread to thread.
    fn value(&self, e: Handle<Expr>, state: &State) -> Varies {
        let kind = &self.body.exprs[e].kind;
        match kind {
            ExprKind::Builtin(Builtin::ThreadIdx(0)) => Varies::ALL,
            ExprKind::Builtin(Builtin::ThreadIdx(_)) => Varies::WARPS,
            ExprKind::Load(place) => self.load(*place, state),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.address(*place, state),
            ExprKind::Binary { op, left, right } if self.is_warp_number(*op, *left, *right) => Varies::WARPS,
            _ => {
                let operands = kind.operands();
                operands.into_iter().fold(Varies::default(), |v, o| v.or(self.value(o, state)))
            }
        }
    }

    /// `threadIdx.x / 32` agrees within a warp.
    fn is_warp_number(&self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> bool {
        let lane = self.body.exprs[left].kind == ExprKind::Builtin(Builtin::ThreadIdx(0));
        let by = self.body.const_int(&self.checker.module.types, right).unwrap_or(0);
        match op {
            BinaryOp::Div => lane && by > 0 && by % 32 == 0,
            BinaryOp::Shr => lane && by >= 5,
            _ => false,
        }
    }

    fn load(&self, place: Handle<Expr>, state: &State) -> Varies {
        let own = match visit::root_of(self.body, place) {
            Some(visit::Root::Local(l)) if self.shared.contains(&l) => Varies::default(),
            Some(visit::Root::Local(l)) if self.exposed.contains(&l) => Varies::ALL,
            Some(visit::Root::Local(l)) => state.locals.get(&l).copied().unwrap_or_default(),
            Some(visit::Root::Global(_) | visit::Root::Pointer(_)) | None => Varies::default(),
        };
        own.or(self.address(place, state))
    }

    /// Whether threads may denote different objects by this place.
    fn address(&self, place: Handle<Expr>, state: &State) -> Varies {
        match self.body.exprs[place].kind {
            ExprKind::Deref(pointer) => self.value(pointer, state),
            ExprKind::Member { base, .. } => self.address(base, state),
            ExprKind::Index { base, index } => {
                let index = self.value(index, state);
                let is_place = self.body.exprs[base].kind.is_place();
                index.or(if is_place { self.address(base, state) } else { self.value(base, state) })
            }
            _ => Varies::default(),
        }
    }
}
