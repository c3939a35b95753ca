//! Loops and conditions around barriers that threads of a team do not take alike.
//!
//! All threads of a team, or none, reach a barrier (OpenMP 5.2 §15.3.1). A program may know that of a condition which names the
//! thread's number, `if (first + thread < n)` where blocks divide `n`; the compiler does not. So each thread has a mark that says
//! whether it takes part. The team runs what stands inside as long as one of its threads does, every segment tests the mark, and
//! no thread passes by a barrier.

use super::block::{Parallel, items_of};
use super::independent;
use super::thread_values::OfThreads;
use super::uniform::Uniform;
use crate::ast::{Expr, Stmt as Ast, StmtKind};
use crate::lower::Lowered;
use crate::lower::function::Fun;
use crate::lower::walk;
use accl_directives::{DirectiveKind, ThreadsKind};
use accl_ir::{
    BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, LoopDirective, Reduction,
    ReductionOp, Stmt, StmtNode, UnaryOp,
};
use accl_source::Span;

impl Fun<'_, '_> {
    /// Threads may differ in whether they run what the loop or condition holds, barriers and what is no construct of the team's.
    pub(super) fn is_divergent(&self, uniform: &Uniform, s: &Ast) -> bool {
        let conditional = match &s.kind {
            StmtKind::If { init: None, .. } => !super::block::leaves(s),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => !walk::breaks(body),
            StmtKind::DoWhile { body, .. } => !walk::breaks(body) && !walk::continues(body),
            _ => false,
        };
        let is_other = |kind: &DirectiveKind| *kind != DirectiveKind::Threads(ThreadsKind::Barrier);
        conditional
            && walk::own_exprs(s).into_iter().any(|e| uniform.differs(e))
            && self.holds_barrier(s)
            && !self.holds_ending(s, &is_other)
    }

    /// `if (differs) continue;` in a loop around barriers skips the statements behind it: `if (differs) {} else { … }`. True where
    /// there was one.
    pub(super) fn skip_by_conditions(&self, uniform: &Uniform, s: &mut Ast) -> bool {
        let mut found = false;
        if self.holds_barrier(s)
            && let StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } =
                &mut s.kind
        {
            found |= skip_rest(uniform, body);
        }
        walk::children_mut(s, &mut |inner| found |= self.skip_by_conditions(uniform, inner));
        found
    }

    pub(super) fn divergent_if(
        &mut self,
        block: &Parallel<'_>,
        cond: &Expr,
        then: &Ast,
        otherwise: Option<&Ast>,
    ) -> Lowered<()> {
        let span = cond.span;
        let holds = self.marks(block, span)?;
        self.start_marks(block, holds, span)?;
        let some = self.narrow_marks(block, holds, span, |f| f.truth_in_thread(cond))?;
        self.marked_part(block, holds, some, then)?;
        if let Some(otherwise) = otherwise {
            let fails = self.marks(block, span)?;
            self.start_marks(block, fails, span)?;
            let some = self.narrow_marks(block, fails, span, |f| {
                let holds = f.mark(holds, span);
                Ok(f.not(holds, span))
            })?;
            self.marked_part(block, fails, some, otherwise)?;
        }
        Ok(())
    }

    fn marked_part(
        &mut self,
        block: &Parallel<'_>,
        marks: OfThreads,
        some: Handle<Local>,
        part: &Ast,
    ) -> Lowered<()> {
        let cond = self.load_local(some, part.span);
        let inside = |f: &mut Self| f.with_marks(block, marks, |f| f.parallel_items(block, items_of(part)));
        let (then, ()) = self.try_block(inside)?;
        self.emit(Stmt::If { cond, then, otherwise: vec![] }, part.span);
        Ok(())
    }

    /// A loop that each thread leaves by its own condition.
    pub(super) fn divergent_loop(
        &mut self,
        block: &Parallel<'_>,
        cond: &Expr,
        step: Option<&Expr>,
        body: &Ast,
        test_last: bool,
    ) -> Lowered<()> {
        let span = cond.span;
        let runs = self.marks(block, span)?;
        self.start_marks(block, runs, span)?;
        let test = |f: &mut Self| -> Lowered<()> {
            let some = f.narrow_marks(block, runs, span, |f| f.truth_in_thread(cond))?;
            let some = f.load_local(some, span);
            let cond = f.not(some, span);
            let leave = vec![StmtNode { kind: Stmt::Break, span }];
            f.emit(Stmt::If { cond, then: leave, otherwise: vec![] }, span);
            Ok(())
        };
        let (body, ()) = self.try_block(|f| {
            if !test_last {
                test(f)?;
            }
            f.with_marks(block, runs, |f| f.parallel_items(block, items_of(body)))?;
            if test_last {
                test(f)?;
            }
            Ok(())
        })?;
        let step = step.map(|step| Ast { kind: StmtKind::Expr(step.clone()), span: step.span });
        let (step, ()) = self.try_block(|f| {
            f.with_marks(block, runs, |f| {
                step.iter().try_for_each(|step| f.segment(block, std::slice::from_ref(step)))
            })
        })?;
        self.emit(Stmt::While { cond: None, body, step, test_last: false }, span);
        Ok(())
    }

    fn marks(&mut self, block: &Parallel<'_>, span: Span) -> Lowered<OfThreads> {
        let int = self.i32();
        self.array_of_threads(block, int, "mark", span)
    }

    fn mark(&mut self, marks: OfThreads, span: Span) -> Handle<IrExpr> {
        let int = self.i32();
        let place = self.element_of_thread(marks, int, span);
        self.load(place, span)
    }

    fn not(&mut self, operand: Handle<IrExpr>, span: Span) -> Handle<IrExpr> {
        let int = self.i32();
        self.expr(Ir::Unary { op: UnaryOp::Not, operand }, int, span)
    }

    /// Those take part who do around it.
    fn start_marks(&mut self, block: &Parallel<'_>, marks: OfThreads, span: Span) -> Lowered<()> {
        let around = block.marks.borrow().last().copied();
        let directive = LoopDirective { vector: Some(None), ..independent(span) };
        self.loop_over_threads(&block.threads, directive, |f| {
            let int = f.i32();
            let value = match around {
                Some(around) => f.mark(around, span),
                None => f.int(1, int, span),
            };
            let place = f.element_of_thread(marks, int, span);
            f.emit(Stmt::Store { place, op: None, value }, span);
            Ok(())
        })
    }

    /// Those take part no longer for whom the condition does not hold. The variable says whether any is left.
    fn narrow_marks(
        &mut self,
        block: &Parallel<'_>,
        marks: OfThreads,
        span: Span,
        condition: impl FnOnce(&mut Self) -> Lowered<Handle<IrExpr>>,
    ) -> Lowered<Handle<Local>> {
        let int = self.i32();
        let some = self.local("some", int, LocalKind::Auto, span);
        let none = self.int(0, int, span);
        self.emit(Stmt::Declare { local: some, init: Some(none) }, span);
        let reductions = vec![Reduction { op: ReductionOp::BitOr, local: some, span }];
        let directive = LoopDirective { vector: Some(None), reductions, ..independent(span) };
        self.loop_over_threads(&block.threads, directive, |f| {
            let cond = f.mark(marks, span);
            let (then, ()) = f.try_block(|f| {
                let value = condition(f)?;
                let value = f.spill("holds", value, span);
                let (kept, value) = (f.element_of_thread(marks, int, span), f.load_local(value, span));
                f.emit(Stmt::Store { place: kept, op: None, value }, span);
                let found = f.local_place(some, span);
                f.emit(Stmt::Store { place: found, op: Some(BinaryOp::BitOr), value }, span);
                Ok(())
            })?;
            f.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
            Ok(())
        })?;
        Ok(some)
    }

    /// The thread's value of the condition, as 1 or 0.
    fn truth_in_thread(&mut self, cond: &Expr) -> Lowered<Handle<IrExpr>> {
        let (int, span) = (self.i32(), cond.span);
        let truth = self.local("truth", int, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local: truth, init: None }, span);
        let tested = Ast { kind: StmtKind::Expr(cond.clone()), span };
        self.with_thread_values(&[tested], |f| {
            let cond = f.cond(cond)?;
            let [yes, no] = [1, 0].map(|value| f.int(value, int, span));
            let value = f.expr(Ir::Select { cond, yes, no }, int, span);
            let place = f.local_place(truth, span);
            f.emit(Stmt::Store { place, op: None, value }, span);
            Ok(())
        })?;
        Ok(self.load_local(truth, span))
    }

    fn with_marks(
        &mut self,
        block: &Parallel<'_>,
        marks: OfThreads,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        block.marks.borrow_mut().push(marks);
        let lowered = inside(self);
        block.marks.borrow_mut().pop();
        lowered
    }

    /// What the thread at hand runs only where it takes part.
    pub(super) fn where_marked(
        &mut self,
        block: &Parallel<'_>,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let Some(marks) = block.marks.borrow().last().copied() else { return inside(self) };
        let cond = self.mark(marks, span);
        let (then, ()) = self.try_block(inside)?;
        self.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
        Ok(())
    }
}

fn skip_rest(uniform: &Uniform, body: &mut Ast) -> bool {
    let StmtKind::Compound(items) = &mut body.kind else { return false };
    let skips = |s: &Ast| match &s.kind {
        StmtKind::If { init: None, cond, then, otherwise: None } => {
            let is_continue = matches!(items_of(then), [only] if matches!(only.kind, StmtKind::Continue));
            is_continue && uniform.differs(cond)
        }
        _ => false,
    };
    let Some(at) = items.iter().position(skips) else { return false };
    let rest = items.split_off(at + 1);
    if let StmtKind::If { then, otherwise, .. } = &mut items[at].kind {
        then.kind = StmtKind::Null;
        let mut rest = Ast { kind: StmtKind::Compound(rest), span: body.span };
        skip_rest(uniform, &mut rest);
        *otherwise = Some(Box::new(rest));
    }
    true
}
