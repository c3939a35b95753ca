//! Divides an iteration's body into phases of a block of threads.
//!
//! Whatever synchronises is moved out of divergent control flow. A condition that differs between threads becomes a
//! predicate, a local with its value in each thread. The statements under it become phases of the whole block, in
//! which each thread takes part if the predicate holds. So all threads reach every barrier, including those without
//! an iteration. A write that others see is divided: all threads evaluate the value, wait for each other, and then
//! write.

use super::WindowPlan;
use super::access::element_of;
use super::access::same_value;
use super::affine;
use super::errors;
use super::facts::Facts;
use super::nest::Nest;
use super::prove::{Prover, Ranges};
use super::shared_tile::{self, SharedTile, Written};
use super::sync::{self, Syncs};
use crate::build::{Builder, declare, if_then, node, store};
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Loop, Stmt, StmtNode, Window, WindowKind, rewrite,
    visit,
};
use accl_source::{Diagnostic, Span};

pub type Result<T> = std::result::Result<T, Diagnostic>;

/// A phase of the block.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // a kernel has a handful
pub enum Phase {
    /// Statements that each thread runs by itself.
    Each(Block),
    /// A statement that is the same in every thread, of uniform values alone.
    Same(StmtNode),
    Barrier,
    /// A write that others see.
    Write(Write),
    /// All threads fill shared tile `n` from its array.
    Fetch(usize),
    /// All threads clear the marks of shared tile `n`, or store the elements that are marked.
    Clear(usize),
    Drain(usize),
    For(Loop, Span, Vec<Phase>),
    While {
        cond: Option<Handle<Expr>>,
        body: Vec<Phase>,
        step: Vec<Phase>,
        test_last: bool,
        span: Span,
    },
    If {
        cond: Handle<Expr>,
        then: Vec<Phase>,
        otherwise: Vec<Phase>,
    },
}

impl Phase {
    /// The phases directly in this one, in order.
    pub fn inner(&self) -> [&[Phase]; 2] {
        match self {
            Phase::For(_, _, body) => [body, &[]],
            Phase::While { body, step, .. } => [body, step],
            Phase::If { then, otherwise, .. } => [then, otherwise],
            Phase::Each(_)
            | Phase::Same(_)
            | Phase::Barrier
            | Phase::Write(_)
            | Phase::Fetch(_)
            | Phase::Clear(_)
            | Phase::Drain(_) => [&[], &[]],
        }
    }

    /// As [`Phase::inner`], to change them.
    pub fn inner_mut(&mut self) -> [&mut [Phase]; 2] {
        match self {
            Phase::For(_, _, body) => [body, &mut []],
            Phase::While { body, step, .. } => [body, step],
            Phase::If { then, otherwise, .. } => [then, otherwise],
            Phase::Each(_)
            | Phase::Same(_)
            | Phase::Barrier
            | Phase::Write(_)
            | Phase::Fetch(_)
            | Phase::Clear(_)
            | Phase::Drain(_) => [&mut [], &mut []],
        }
    }
}

/// Each thread runs `if (cond) { place = value; marks }`.
#[derive(Clone, Debug)]
pub struct Write {
    pub tile: usize,
    /// `None`: all threads write.
    pub cond: Option<Handle<Expr>>,
    pub place: Handle<Expr>,
    pub value: Handle<Expr>,
    pub marks: Block,
    pub span: Span,
}

impl Write {
    /// As a statement of each thread.
    pub fn statement(&self) -> StmtNode {
        let write = Stmt::Store { place: self.place, op: None, value: self.value };
        let mut block = vec![StmtNode { kind: write, span: self.span }];
        block.extend(self.marks.clone());
        match self.cond {
            Some(cond) => if_then(cond, block),
            None => node(Stmt::Block(block)),
        }
    }
}

/// The threads that take part.
#[derive(Clone, Default)]
struct Pred {
    /// All of these hold.
    tests: Vec<Handle<Local>>,
    /// Conditions of the program that hold in the threads that take part.
    holds: Vec<Handle<Expr>>,
    /// The code stands inside a condition that differs between threads, as seen from the loop around.
    divergent: bool,
    /// Cleared where a thread leaves the loop's iteration, or the loop.
    next: Option<Handle<Local>>,
    running: Option<Handle<Local>>,
}

pub struct PhaseBuilder<'a, 't> {
    pub b: &'a mut Builder<'t>,
    pub facts: &'a Facts,
    pub nest: &'a Nest,
    pub syncs: &'a Syncs,
    pub ranges: &'a Ranges,
    /// Arrays that are only read stay where they are.
    pub direct: bool,
    /// Arrays are short enough for subscripts of type int.
    pub narrow: bool,
    /// A thread has one iteration, whose place in the block is the thread's.
    pub placed: bool,
    /// Subscripts of windows are tested (`--check`).
    pub checked: bool,
    pub tiles: Vec<SharedTile>,
    /// The shared tiles of the enclosing windows, innermost last.
    pub(super) scope: Vec<usize>,
    window: Span,
    /// Why a `cache` directive was not followed.
    pub skipped: Option<Diagnostic>,
    /// The conditions around the current statement, and whether they hold there.
    pub(super) known: Vec<(Handle<Expr>, bool)>,
    /// An access that is not proven to be in its iteration's own window.
    pub outside: Option<Diagnostic>,
}

impl<'a, 't> PhaseBuilder<'a, 't> {
    pub fn new(
        b: &'a mut Builder<'t>,
        plan: &'a WindowPlan,
        direct: bool,
        checked: bool,
    ) -> PhaseBuilder<'a, 't> {
        let WindowPlan { facts, nest, syncs, ranges, .. } = plan;
        PhaseBuilder {
            b,
            facts,
            nest,
            syncs,
            ranges,
            direct,
            checked,
            narrow: false,
            placed: false,
            tiles: vec![],
            scope: vec![],
            window: Span::default(),
            skipped: None,
            outside: None,
            known: vec![],
        }
    }

    /// The phases of an iteration. `active` tells whether a thread has one; without it all threads do.
    pub fn of(&mut self, block: &Block, active: Option<Handle<Local>>) -> Result<Vec<Phase>> {
        let mut out = vec![];
        let mut pred = Pred { tests: active.into_iter().collect(), divergent: true, ..Pred::default() };
        if block.iter().any(|n| has_leave(&n.kind, false)) {
            // The iteration itself can end early.
            let int = self.b.types.i32();
            let (next, one) = (self.b.body.temp("going", int), self.b.int(1, int));
            self.each(vec![declare(next, Some(one))], &mut out);
            pred.tests.push(next);
            pred.next = Some(next);
        }
        self.block(block, &pred, &mut out)?;
        Ok(out)
    }

    fn block(&mut self, block: &Block, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        block.iter().try_for_each(|node| self.stmt(node, pred, out))
    }

    fn stmt(&mut self, node: &StmtNode, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        let looped = pred.next.is_some();
        if let Stmt::Block(inner) = &node.kind {
            return self.block(inner, pred, out);
        }
        if !self.syncs.sync(self.b.body, &node.kind, looped) {
            return self.alone(node, pred, out);
        }
        match &node.kind {
            Stmt::Window(w) => self.window(w, node.span, pred, out),
            Stmt::Barrier(_) => {
                out.push(Phase::Barrier);
                Ok(())
            }
            Stmt::Store { place, op, value } => self.shared_write(*place, *op, *value, node.span, pred, out),
            Stmt::Atomic(_) => {
                self.plain(node, pred, out)?;
                Ok(())
            }
            Stmt::If { cond, then, otherwise } => self.branch(*cond, then, otherwise, pred, out),
            Stmt::For(l) => self.for_loop(l, node.span, pred, out),
            Stmt::While { cond, body, step, test_last } => {
                self.while_loop(*cond, body, step, *test_last, node.span, pred, out)
            }
            Stmt::Break | Stmt::Continue => self.leave(&node.kind, pred, out),
            Stmt::Switch { .. } => Err(errors::divergent(node.span, "a `switch` stands")),
            other => {
                let span = if node.span.is_nowhere() { self.window } else { node.span };
                Err(errors::divergent(
                    span,
                    &format!("an unexpected statement ({:?}) stands", std::mem::discriminant(other)),
                ))
            }
        }
    }

    /// A statement that each thread runs by itself.
    fn alone(&mut self, node: &StmtNode, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        match &node.kind {
            Stmt::Declare { local, init } => {
                let total = self.facts.total.contains(local)
                    && init.is_none_or(|e| self.facts.is_total(self.b.body, e));
                let (Some(value), false) = (init, total) else {
                    let same = self.facts.uniform.contains(local);
                    match same {
                        true => out.push(Phase::Same(node.clone())),
                        false => {
                            let init = init.map(|e| self.by_place(e));
                            let kind = Stmt::Declare { local: *local, init };
                            self.each(vec![StmtNode { kind, span: node.span }], out);
                        }
                    }
                    return Ok(());
                };
                let alone = Stmt::Declare { local: *local, init: None };
                self.declared(StmtNode { kind: alone, span: node.span }, out);
                let place = self.b.place(*local);
                let kind = Stmt::Store { place, op: None, value: *value };
                self.plain(&StmtNode { kind, span: node.span }, pred, out)
            }
            Stmt::Store { place, .. } if self.is_total(*place) => {
                let same = matches!(self.b.body.exprs[*place].kind, ExprKind::Local(l) if self.facts.uniform.contains(&l));
                match same {
                    true => out.push(Phase::Same(node.clone())),
                    false => self.each(vec![node.clone()], out),
                }
                Ok(())
            }
            _ => self.plain(node, pred, out),
        }
    }

    /// `i % 32` becomes the thread's own index, and `i / 32` the block's value of it: compilers do not know that
    /// blocks begin at multiples of their size.
    fn by_place(&mut self, e: Handle<Expr>) -> Handle<Expr> {
        let mut divides = false;
        accl_ir::visit::for_each_operand(&self.b.body.exprs, e, &mut |e| {
            divides |= matches!(
                self.b.body.exprs[e].kind,
                ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr | BinaryOp::BitAnd, .. }
            );
        });
        let moves = affine::moves(self.b.types, self.b.body, self.facts, self.nest, e);
        let (true, true, Some(moves)) = (self.placed, divides, moves) else { return e };
        let ty = self.b.ty(e);
        let mut value = match moves.multiple {
            0 => self.b.int(0, ty),
            _ => match shared_tile::origin(self.b, self.facts, self.nest, e) {
                Some(origin) => origin,
                None => return e,
            },
        };
        for d in (0..self.nest.loops.len()).filter(|d| moves.steps[*d] != 0) {
            let (index, step) = (Nest::thread(self.b, d), self.b.int(moves.steps[d], ty));
            let index = self.b.cast(index, ty);
            let moved = self.b.mul(index, step);
            value = self.b.add(value, moved);
        }
        value
    }

    fn is_total(&self, place: Handle<Expr>) -> bool {
        matches!(self.b.body.exprs[place].kind, ExprKind::Local(l) if self.facts.total.contains(&l))
    }

    /// The statement under the predicate, with accesses to the block's copies.
    fn plain(&mut self, node: &StmtNode, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        let mut block = vec![node.clone()];
        self.check(node)?;
        self.use_copies(&mut block);
        self.guarded(block, pred, out);
        Ok(())
    }

    /// A declaration without a value, placed before the statements under a condition, so that others may join
    /// these.
    fn declared(&self, node: StmtNode, out: &mut Vec<Phase>) {
        match out.last_mut() {
            Some(Phase::Each(last)) if matches!(last.last(), Some(n) if matches!(n.kind, Stmt::If { .. })) => {
                last.insert(last.len() - 1, node);
            }
            _ => self.each(vec![node], out),
        }
    }

    fn each(&self, block: Block, out: &mut Vec<Phase>) {
        match out.last_mut() {
            Some(Phase::Each(last)) => last.extend(block),
            _ => out.push(Phase::Each(block)),
        }
    }

    /// Statements for the threads that take part. Consecutive statements share the test.
    fn guarded(&mut self, block: Block, pred: &Pred, out: &mut Vec<Phase>) {
        if pred.tests.is_empty() {
            return self.each(block, out);
        }
        let cond = self.holds(pred);
        if let Some(Phase::Each(last)) = out.last_mut()
            && let Some(StmtNode { kind: Stmt::If { cond: before, then, otherwise }, .. }) = last.last_mut()
            && otherwise.is_empty()
            && visit::same_expr(self.b.body, *before, cond)
            && !pred.tests.iter().any(|t| visit::written_locals(self.b.body, then).contains(t))
        {
            then.extend(block);
            return;
        }
        self.each(vec![if_then(cond, block)], out);
    }

    fn holds(&mut self, pred: &Pred) -> Handle<Expr> {
        let tests = pred.tests.clone();
        let mut all = tests.into_iter().map(|t| self.b.load(t)).collect::<Vec<_>>().into_iter();
        let first = all.next();
        let first = first.unwrap_or_else(|| {
            let int = self.b.types.i32();
            self.b.int(1, int)
        });
        all.fold(first, |left, right| self.b.binary(BinaryOp::LogicalAnd, left, right))
    }

    /// The value of `cond` in the threads that take part.
    fn with(&mut self, pred: &Pred, cond: Handle<Expr>) -> Handle<Expr> {
        if pred.tests.is_empty() {
            return cond;
        }
        let all = self.holds(pred);
        self.b.binary(BinaryOp::LogicalAnd, all, cond)
    }

    fn branch(
        &mut self,
        cond: Handle<Expr>,
        then: &Block,
        otherwise: &Block,
        pred: &Pred,
        out: &mut Vec<Phase>,
    ) -> Result<()> {
        if self.facts.is_uniform(self.b.body, cond) && sync::stays_branch(then, otherwise) {
            let (mut yes, mut no) = (vec![], vec![]);
            self.block(then, pred, &mut yes)?;
            self.block(otherwise, pred, &mut no)?;
            out.push(Phase::If { cond, then: yes, otherwise: no });
            return Ok(());
        }
        let asked = cond;
        let cond = self.expr_of_copies(cond);
        let test = self.test("inside", out);
        let both = self.with(pred, cond);
        let place = self.b.place(test);
        self.each(vec![store(place, both)], out);
        let not = (!otherwise.is_empty()).then(|| {
            let test2 = self.test("outside", out);
            let inside = self.b.load(test);
            let not = self.b.not(inside);
            let value = self.with(pred, not);
            let place = self.b.place(test2);
            self.each(vec![store(place, value)], out);
            test2
        });
        let mut inner = narrowed(pred, test);
        let written = visit::written_locals(self.b.body, then);
        let unchanged = |e: &Handle<Expr>| !written.iter().any(|l| rewrite::mentions(self.b.body, *e, *l));
        inner.holds.extend(conjuncts(self.b.body, asked).into_iter().filter(unchanged));
        self.block(then, &inner, out)?;
        match not {
            Some(not) => self.block(otherwise, &narrowed(pred, not), out),
            None => Ok(()),
        }
    }

    fn test(&mut self, name: &str, out: &mut Vec<Phase>) -> Handle<Local> {
        let int = self.b.types.i32();
        let test = self.b.body.temp(name, int);
        self.each(vec![declare(test, None)], out);
        test
    }

    fn for_loop(&mut self, l: &Loop, span: Span, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        let same = [l.lower, l.bound, l.step].iter().all(|e| self.facts.is_uniform(self.b.body, *e));
        if !same {
            return Err(errors::trips(span, self.first_sync(&l.body)));
        }
        let (inner, mut body) = self.enter(&l.body, pred, false, out);
        self.block(&l.body, &inner, &mut body)?;
        out.push(Phase::For(super::super::indices::shell(l), span, body));
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // the parts of one statement
    fn while_loop(
        &mut self,
        cond: Option<Handle<Expr>>,
        body: &Block,
        step: &Block,
        test_last: bool,
        span: Span,
        pred: &Pred,
        out: &mut Vec<Phase>,
    ) -> Result<()> {
        let same = cond.is_none_or(|c| self.facts.is_uniform(self.b.body, c));
        if !same || cond.is_none() && self.breaks_apart(body) {
            return Err(errors::trips(span, self.first_sync(body)));
        }
        let (inner, mut phases) = self.enter(body, pred, true, out);
        self.block(body, &inner, &mut phases)?;
        let mut after = vec![];
        let of_step = Pred { next: None, tests: self.without_next(&inner), ..inner.clone() };
        self.block(step, &of_step, &mut after)?;
        out.push(Phase::While { cond, body: phases, step: after, test_last, span });
        Ok(())
    }

    fn without_next(&self, pred: &Pred) -> Vec<Handle<Local>> {
        pred.tests.iter().copied().filter(|t| Some(*t) != pred.next).collect()
    }

    /// The predicate inside a loop, and the statements at the start of its body. Threads may leave an iteration, or
    /// the loop, at different times; locals then record that.
    fn enter(&mut self, body: &Block, pred: &Pred, breaks: bool, out: &mut Vec<Phase>) -> (Pred, Vec<Phase>) {
        let mut inner = Pred { divergent: false, next: None, running: None, ..pred.clone() };
        let mut first = vec![];
        let int = self.b.types.i32();
        let one = self.b.int(1, int);
        // After a `continue` that differs between threads, every `break` does too.
        if breaks && self.breaks_apart(body) {
            let running = self.b.body.temp("running", int);
            self.each(vec![declare(running, Some(one))], out);
            inner.tests.push(running);
            inner.running = Some(running);
        }
        let next = self.b.body.temp("going", int);
        if self.leaves_apart(body, false) {
            self.each(vec![declare(next, Some(one))], &mut first);
            inner.tests.push(next);
        }
        inner.next = Some(next);
        (inner, first)
    }

    fn breaks_apart(&self, body: &Block) -> bool {
        self.leaves_apart(body, true) || self.leaves_apart(body, false) && has_break(body)
    }

    /// The loop has a `break` (or else `continue`) under a condition that differs between threads.
    fn leaves_apart(&self, block: &Block, breaks: bool) -> bool {
        block.iter().any(|node| match &node.kind {
            Stmt::If { cond, then, otherwise } => {
                let has = |b: &Block| b.iter().any(|n| has_leave(&n.kind, breaks));
                let apart = !self.facts.is_uniform(self.b.body, *cond) && (has(then) || has(otherwise));
                apart || self.leaves_apart(then, breaks) || self.leaves_apart(otherwise, breaks)
            }
            Stmt::Block(b) => self.leaves_apart(b, breaks),
            Stmt::Window(w) => self.leaves_apart(&w.body, breaks),
            _ => false,
        })
    }

    fn leave(&mut self, stmt: &Stmt, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        let skipped = pred.next.is_some_and(|next| pred.tests.contains(&next));
        if !pred.divergent && !skipped {
            out.push(Phase::Same(node(stmt.clone())));
            return Ok(());
        }
        let flag = if *stmt == Stmt::Break { pred.running } else { pred.next };
        let flag = flag.ok_or_else(|| errors::divergent(self.window, "a `break` of this loop stands"))?;
        let int = self.b.types.i32();
        let (place, zero) = (self.b.place(flag), self.b.int(0, int));
        self.guarded(vec![store(place, zero)], pred, out);
        Ok(())
    }

    fn window(&mut self, w: &Window, span: Span, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        let outer = (self.scope.len(), std::mem::replace(&mut self.window, span));
        let mut fetched = vec![];
        for staged in &w.arrays {
            if self.direct && sync::only_reads(staged.kind) {
                let readable = self.read_only_throughout(staged.kind, &staged.name, staged, &w.body);
                if staged.kind != WindowKind::Cache {
                    readable?;
                }
                continue;
            }
            let mut before = vec![];
            let readable = self.read_only_throughout(staged.kind, &staged.name, staged, &w.body);
            let tile = SharedTile::plan(self.b, self.facts, self.nest, staged, &mut before);
            let tile = match (readable.and(tile), staged.kind) {
                (Ok(tile), _) => tile,
                // A hint that cannot be followed: accesses stay unchanged.
                (Err(refused), WindowKind::Cache) => {
                    self.skipped.get_or_insert(refused);
                    continue;
                }
                (Err(refused), _) => return Err(refused),
            };
            out.extend(before.into_iter().map(Phase::Same));
            let checked = self.checked && staged.kind != WindowKind::Cache;
            // A block may extend past the end by some rows, and subscripts of byte arrays could overflow there.
            let narrow = self.narrow && self.b.types.size_of(tile.ty).is_some_and(|n| n >= 4);
            self.tiles.push(SharedTile { checked, narrow, ..tile });
            fetched.push(self.tiles.len() - 1);
        }
        for n in &fetched {
            self.begin(*n, &w.body, out);
        }
        self.scope.extend(&fetched);
        let body = if self.direct { w.body.clone() } else { self.with_usual_ends(&w.body) };
        self.block(&body, pred, out)?;
        self.scope.truncate(outer.0);
        for n in &fetched {
            self.end(*n, pred, out)?;
        }
        self.window = outer.1;
        Ok(())
    }

    /// A loop to `first + 256 < n ? first + 256 : n` becomes two, of which the usual one has a constant length:
    /// compilers unroll it without a remainder and read several elements of a window at once.
    fn with_usual_ends(&mut self, block: &Block) -> Block {
        let mut out = vec![];
        for stmt in block {
            let split = match &stmt.kind {
                Stmt::For(l) if l.declared_here && !self.syncs.is_sync(self.b.body, &stmt.kind) => {
                    let prover = Prover {
                        types: &*self.b.types,
                        body: &*self.b.body,
                        facts: self.facts,
                        ranges: self.ranges,
                    };
                    prover.usual_end(l.lower, l.bound).map(|ends| (l, ends))
                }
                _ => None,
            };
            let Some((l, (cond, yes, no))) = split else {
                let mut copy = stmt.clone();
                if let Stmt::Block(inner) = &mut copy.kind {
                    *inner = self.with_usual_ends(inner);
                }
                out.push(copy);
                continue;
            };
            let body = rewrite::Cloner::new().block_within(self.b.body, &l.body);
            let shell = super::super::indices::shell(l);
            let at = |bound, body| StmtNode {
                kind: Stmt::For(Box::new(Loop { bound, body, ..shell.clone() })),
                span: stmt.span,
            };
            let (then, otherwise) = (vec![at(yes, l.body.clone())], vec![at(no, body)]);
            out.push(StmtNode { kind: Stmt::If { cond, then, otherwise }, span: stmt.span });
        }
        out
    }

    fn read_only_throughout(
        &self,
        kind: WindowKind,
        name: &str,
        staged: &accl_ir::Staged,
        body: &Block,
    ) -> Result<()> {
        let Some(array) = sync::root(self.b.body, staged.element).filter(|_| sync::only_reads(kind)) else {
            return Ok(());
        };
        let mut wrong = None;
        visit::for_each_stmt(body, &mut |node| {
            for (place, access) in node.kind.operands() {
                if access.writes() && sync::root(self.b.body, place) == Some(array) {
                    wrong.get_or_insert(node.span);
                }
            }
        });
        match wrong {
            Some(span) => Err(errors::read_only(name, kind.name(), span, staged.span)),
            None => Ok(()),
        }
    }

    /// What is done at the start of a window.
    fn begin(&mut self, n: usize, body: &Block, out: &mut Vec<Phase>) {
        let at_pivot = self.writes_at_pivot(n, body);
        self.tiles[n].at_pivot = at_pivot;
        if self.tiles[n].kind.writes_back() {
            let name = self.tiles[n].name.clone();
            let int = self.b.types.i32();
            let written = match at_pivot {
                true => {
                    let flag = self.b.body.temp("wrote", int);
                    let zero = self.b.int(0, int);
                    self.each(vec![declare(flag, Some(zero))], out);
                    Written::Pivot(flag)
                }
                false => {
                    let byte = self.b.types.int(8, false);
                    let ty = self.tiles[n].type_of(self.b, byte);
                    let marks = self.b.body.temp(&format!("{name}_written"), ty);
                    out.push(Phase::Clear(n));
                    Written::Marks(marks)
                }
            };
            self.tiles[n].written = Some(written);
        }
        if self.tiles[n].kind.fetches() {
            out.push(Phase::Fetch(n));
        }
    }

    /// Every write to the array in the window is to the iteration's pivot.
    fn writes_at_pivot(&self, n: usize, body: &Block) -> bool {
        let tile = &self.tiles[n];
        let mut all = true;
        visit::for_each_place(self.b.body, body, &mut |place, access| {
            if access.writes() && sync::root(self.b.body, place) == Some(tile.array) {
                let element = element_of(self.b, place);
                let at = tile.subscripts(self.b, element);
                let same = |at: &Vec<Handle<Expr>>| {
                    at.iter().zip(&tile.dims).all(|(a, d)| same_value(self.b, *a, d.pivot))
                };
                all &= at.as_ref().is_some_and(same);
            }
        });
        // The values in the pivot must not change between the start of the window and its end.
        let written = visit::written_locals(self.b.body, body);
        let stable =
            tile.dims.iter().all(|d| !written.iter().any(|l| rewrite::mentions(self.b.body, d.pivot, *l)));
        all && stable
    }

    /// What is done at the end of a window.
    fn end(&mut self, n: usize, pred: &Pred, out: &mut Vec<Phase>) -> Result<()> {
        match self.tiles[n].written {
            None => {}
            Some(Written::Marks(_)) => out.push(Phase::Drain(n)),
            Some(Written::Pivot(flag)) => {
                let tile = self.tiles[n].clone();
                let at: Vec<Handle<Expr>> = tile.dims.iter().map(|d| d.pivot).collect();
                let from = tile.local(self.b, tile.store, &at);
                let value = self.b.load_place(from);
                let to = tile.global(self.b, &at);
                let mut tests = pred.clone();
                tests.tests.push(flag);
                self.guarded(vec![store(to, value)], &tests, out);
            }
        }
        Ok(())
    }

    /// `a[i] = value` that others see: all threads compute the value, wait for each other, and then write.
    fn shared_write(
        &mut self,
        place: Handle<Expr>,
        op: Option<BinaryOp>,
        value: Handle<Expr>,
        span: Span,
        pred: &Pred,
        out: &mut Vec<Phase>,
    ) -> Result<()> {
        let whole = StmtNode { kind: Stmt::Store { place, op, value }, span };
        self.check(&whole)?;
        let marks = self.marks(&whole);
        let apart = self.never_meet(place, value, &pred.holds);
        let tile = self.tile_of(place);
        let mut value = self.expr_of_copies(value);
        let place = self.expr_of_copies(place);
        if let Some(op) = op {
            let old = self.b.load_place(place);
            let ty = self.b.ty(place);
            value = self.b.expr(ExprKind::Binary { op, left: old, right: value }, ty);
        }
        if self.reads_copies(value) && !apart {
            let ty = self.b.ty(place);
            let kept = self.b.body.temp("value", ty);
            self.declared(declare(kept, None), out);
            let to = self.b.place(kept);
            self.guarded(
                vec![StmtNode { kind: Stmt::Store { place: to, op: None, value }, span }],
                pred,
                out,
            );
            value = self.b.load(kept);
        }
        match tile {
            Some(tile) => {
                let cond = (!pred.tests.is_empty()).then(|| self.holds(pred));
                out.push(Phase::Write(Write { tile, cond, place, value, marks, span }));
            }
            // A write through a name that no window has stays in order with the statements before it.
            None => {
                out.push(Phase::Each(vec![]));
                self.guarded(
                    vec![StmtNode { kind: Stmt::Store { place, op: None, value }, span }],
                    pred,
                    out,
                );
            }
        }
        Ok(())
    }

    /// The first of these statements at which the threads of the block wait for each other.
    fn first_sync(&self, block: &Block) -> Span {
        let mut found = Span::default();
        visit::for_each_stmt(block, &mut |node| {
            let meets = match &node.kind {
                Stmt::Window(_) | Stmt::Barrier(_) => true,
                Stmt::Store { place, .. } => self.syncs.is_channelled(self.b.body, *place),
                _ => false,
            };
            if meets && found.is_nowhere() {
                found = node.span;
            }
        });
        found
    }
}

fn narrowed(pred: &Pred, test: Handle<Local>) -> Pred {
    // The test holds only where the predicate did; what may have changed since is tested again.
    let mut tests: Vec<_> =
        pred.running.into_iter().chain(pred.next).filter(|t| pred.tests.contains(t)).collect();
    tests.insert(0, test);
    Pred { tests, divergent: true, ..pred.clone() }
}

/// `a` and `b` of `a && b`.
pub fn conjuncts(body: &Body, e: Handle<Expr>) -> Vec<Handle<Expr>> {
    match body.exprs[e].kind {
        ExprKind::Binary { op: BinaryOp::LogicalAnd, left, right } => {
            let mut all = conjuncts(body, left);
            all.extend(conjuncts(body, right));
            all
        }
        _ => vec![e],
    }
}

/// Has a `break` of the loop whose body this is.
pub fn has_break(body: &Block) -> bool {
    body.iter().any(|n| has_leave(&n.kind, true))
}

/// Has a `break` (or else `continue`) of the loop around.
fn has_leave(stmt: &Stmt, breaks: bool) -> bool {
    match stmt {
        Stmt::Break => breaks,
        Stmt::Continue => !breaks,
        Stmt::For(_) | Stmt::While { .. } => false,
        Stmt::Switch { cases, .. } => {
            !breaks && cases.iter().flat_map(|c| &c.body).any(|n| has_leave(&n.kind, breaks))
        }
        other => other.blocks().into_iter().flatten().any(|n| has_leave(&n.kind, breaks)),
    }
}
