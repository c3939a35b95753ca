//! Loops whose iterations numbered teams or threads deal among themselves. Each begins with its number and goes on by how many
//! there are; or gets so many iterations at a time, or an equal part of them, where a static schedule says so (OpenMP 5.2
//! §11.5.3, §11.6.1).

use super::{Count, Runners, independent};
use crate::ast::Stmt as Ast;
use crate::lower::Lowered;
use crate::lower::function::Fun;
use crate::lower::iteration_copies::IterationCopies;
use crate::lower::target::only;
use crate::pragmas::Pragma;
use accl_directives::{DeviceKind, Directive, StaticSchedule};
use accl_ir::{
    BinaryOp, Block, Compare, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, Loop, LoopDirective,
    Stmt,
};
use accl_source::Span;

/// Among whom the next loop is shared; the outer ones first.
#[derive(Clone, Debug)]
pub struct Share(Vec<Sharers>);

#[derive(Clone, Debug)]
struct Sharers {
    number: Handle<Local>,
    count: Count,
    /// `None`: one iteration at a time.
    schedule: Option<StaticSchedule>,
}

impl Share {
    /// All of them get one iteration at a time.
    pub fn is_cyclic(&self) -> bool {
        self.0.iter().all(|sharers| sharers.schedule.is_none())
    }
}

impl Fun<'_, '_> {
    /// A loop that the current team's threads share, or all teams, or the threads of all: within the loop over threads that
    /// this makes, unless one is around it already.
    pub fn shared_loop(
        &mut self,
        d: &Directive,
        pragma: &Pragma,
        body: &Ast,
        by_teams: bool,
        by_threads: bool,
    ) -> Lowered<()> {
        let numbered = |runners: &Runners, teams: bool| match runners {
            Runners::Numbered(local, count) => Some((*local, count.clone(), teams)),
            Runners::One | Runners::Unknown => None,
        };
        let team = numbered(&self.team, true).filter(|_| by_teams);
        if !by_threads {
            return self.dealt(d, pragma, body, team.into_iter().collect());
        }
        if let Some(thread) = numbered(&self.thread, false) {
            return self.dealt(d, pragma, body, team.into_iter().chain([thread]).collect());
        }
        let count = self.threads_of(d);
        self.threads_loop(d, &count, |f| {
            let thread = numbered(&f.thread, false);
            f.dealt(d, pragma, body, team.into_iter().chain(thread).collect())
        })
    }

    /// The loop over a team's threads, each of which runs what `inside` makes.
    pub fn threads_loop(
        &mut self,
        d: &Directive,
        count: &Count,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let reductions = self.reductions_of(d);
        let directive = LoopDirective { vector: Some(None), reductions, ..independent(d.name_span) };
        self.loop_over_threads(count, directive, inside)
    }

    pub(super) fn loop_over_threads(
        &mut self,
        count: &Count,
        directive: LoopDirective,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let int = self.i32();
        let thread = self.local("thread", int, LocalKind::Auto, directive.span);
        let vars = self.vars.clone();
        let outside = std::mem::replace(&mut self.thread, Runners::Numbered(thread, count.clone()));
        let in_threads = std::mem::replace(&mut self.in_threads, true);
        let body = self.try_block(inside);
        (self.thread, self.in_threads, self.vars) = (outside, in_threads, vars);
        let (body, ()) = body?;
        self.numbered_loop(thread, count, body, directive)
    }

    fn dealt(
        &mut self,
        d: &Directive,
        pragma: &Pragma,
        body: &Ast,
        among: Vec<(Handle<Local>, Count, bool)>,
    ) -> Lowered<()> {
        let view = d.clauses_for(DeviceKind::Cuda);
        // Whoever gets an iteration of the outermost of joined loops runs all of those inside.
        let joined = view.levels.collapse.and_then(|c| self.constant(&c.count));
        let depth = joined.and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
        let seq = LoopDirective { seq: true, independent: false, ..independent(pragma.span) };
        self.iteration_copies = IterationCopies::of(&view.privates, &view.privates.private, depth);
        let schedule_of =
            |teams: bool| view.levels.schedules.iter().find(|s| s.teams == teams).copied().cloned();
        let sharers = |(number, count, teams)| Sharers { number, count, schedule: schedule_of(teams) };
        self.share = Some(Share(among.into_iter().map(sharers).collect()));
        let result = self.for_stmt(only(body), Some(seq));
        (self.share, self.iteration_copies) = (None, None);
        result
    }

    /// Where the loop begins and how far it goes each time, for the one who runs it.
    pub fn dealt_bounds(
        &mut self,
        share: &Share,
        lower: Handle<IrExpr>,
        step: Handle<IrExpr>,
        span: Span,
    ) -> Lowered<(Handle<IrExpr>, Handle<IrExpr>)> {
        let int = self.i32();
        let mut number = self.int(0, int, span);
        let mut count = self.int(1, int, span);
        for (place, sharers) in share.0.iter().enumerate() {
            let (own, many) =
                (self.load_local(sharers.number, span), self.count_value(&sharers.count, span)?);
            (number, count) = match place {
                0 => (own, many),
                _ => {
                    let before = self.combined(BinaryOp::Mul, number, many, span);
                    (
                        self.combined(BinaryOp::Add, before, own, span),
                        self.combined(BinaryOp::Mul, count, many, span),
                    )
                }
            };
        }
        let ty = self.ty_of(lower);
        let [number, count] = [number, count].map(|v| self.convert(v, ty, span));
        let ahead = self.combined(BinaryOp::Mul, number, step, span);
        Ok((
            self.combined(BinaryOp::Add, lower, ahead, span),
            self.combined(BinaryOp::Mul, count, step, span),
        ))
    }

    /// The loop, dealt as its sharers' schedules say.
    pub fn emit_dealt(
        &mut self,
        share: Option<&Share>,
        effects: Block,
        whole: Loop,
        span: Span,
    ) -> Lowered<()> {
        let Some(share) = share.filter(|share| !share.is_cyclic()) else {
            self.emit_loop(effects, whole, span);
            return Ok(());
        };
        self.blocks.last_mut().into_iter().for_each(|block| block.extend(effects.clone()));
        let (block, ()) = self.try_block(|f| {
            let long = f.cx.module.types.int(64, true);
            let count = f.iterations_of(&whole, span);
            let end = f.local("iterations", long, LocalKind::Auto, span);
            f.emit(Stmt::Declare { local: end, init: Some(count) }, span);
            let start = f.int(0, long, span);
            let end = f.load_local(end, span);
            f.deal(&share.0, (start, end), whole, span)
        })?;
        self.emit(Stmt::Block(block), span);
        Ok(())
    }

    /// The iterations with numbers from `start` to `end`, dealt among these.
    fn deal(
        &mut self,
        sharers: &[Sharers],
        (start, end): (Handle<IrExpr>, Handle<IrExpr>),
        whole: Loop,
        span: Span,
    ) -> Lowered<()> {
        let long = self.ty_of(start);
        let one = self.int(1, long, span);
        let Some((first, inner)) = sharers.split_first() else {
            return self.iterations(start, end, one, whole, span);
        };
        let (number, count) = (self.load_local(first.number, span), self.count_value(&first.count, span)?);
        let [number, count] = [number, count].map(|v| self.convert(v, long, span));
        let chunk = match &first.schedule {
            Some(StaticSchedule { chunk: Some(chunk), .. }) => {
                let chunk = self.clause_value(chunk, chunk.span)?;
                self.convert(chunk, long, span)
            }
            // Parts that differ by no more than one chunk: the whole, divided by the count and rounded up.
            None if !inner.is_empty() => self.equal_part((start, end), count, span),
            Some(_) => self.equal_part((start, end), count, span),
            None => {
                let own = self.combined(BinaryOp::Add, start, number, span);
                return self.iterations(own, end, count, whole, span);
            }
        };
        let size = self.local("chunk", long, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local: size, init: Some(chunk) }, span);
        let chunk = self.load_local(size, span);
        let ahead = self.combined(BinaryOp::Mul, number, chunk, span);
        let lower = self.combined(BinaryOp::Add, start, ahead, span);
        let step = self.combined(BinaryOp::Mul, count, chunk, span);
        let var = self.local("first", long, LocalKind::Auto, span);
        let (body, ()) = self.try_block(|f| {
            let first = f.load_local(var, span);
            let after = f.combined(BinaryOp::Add, first, chunk, span);
            let last = f.lesser(after, end, span);
            let stop = f.local("last", long, LocalKind::Auto, span);
            f.emit(Stmt::Declare { local: stop, init: Some(last) }, span);
            let stop = f.load_local(stop, span);
            f.deal(inner, (first, stop), whole, span)
        })?;
        self.emit(Stmt::For(Box::new(Loop::counting(var, lower, end, step, body))), span);
        Ok(())
    }

    /// `(end - start + count - 1) / count`, and at least 1.
    fn equal_part(
        &mut self,
        (start, end): (Handle<IrExpr>, Handle<IrExpr>),
        count: Handle<IrExpr>,
        span: Span,
    ) -> Handle<IrExpr> {
        let one = self.int(1, self.ty_of(start), span);
        let length = self.combined(BinaryOp::Sub, end, start, span);
        let length = self.combined(BinaryOp::Add, length, count, span);
        let length = self.combined(BinaryOp::Sub, length, one, span);
        let part = self.combined(BinaryOp::Div, length, count, span);
        let int = self.i32();
        let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left: part, right: one }, int, span);
        let ty = self.ty_of(start);
        self.expr(Ir::Select { cond, yes: one, no: part }, ty, span)
    }

    fn lesser(&mut self, left: Handle<IrExpr>, right: Handle<IrExpr>, span: Span) -> Handle<IrExpr> {
        let (int, ty) = (self.i32(), self.ty_of(left));
        let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left, right }, int, span);
        self.expr(Ir::Select { cond, yes: left, no: right }, ty, span)
    }

    /// How many iterations the loop has.
    fn iterations_of(&mut self, whole: &Loop, span: Span) -> Handle<IrExpr> {
        let long = self.cx.module.types.int(64, true);
        let [lower, bound, step] =
            [whole.lower, whole.bound, whole.step].map(|v| self.convert(v, long, span));
        let falls = matches!(whole.compare, Compare::Gt | Compare::Ge);
        let (distance, step) = match falls {
            true => (self.combined(BinaryOp::Sub, lower, bound, span), self.negated(step)),
            false => (self.combined(BinaryOp::Sub, bound, lower, span), step),
        };
        // With the bound itself there is one more to reach.
        let short = match whole.compare {
            Compare::Le | Compare::Ge => step,
            Compare::Lt | Compare::Gt | Compare::Ne => {
                let one = self.int(1, long, span);
                self.combined(BinaryOp::Sub, step, one, span)
            }
        };
        let reached = self.combined(BinaryOp::Add, distance, short, span);
        let count = self.combined(BinaryOp::Div, reached, step, span);
        let (int, zero) = (self.i32(), self.int(0, long, span));
        let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left: reached, right: zero }, int, span);
        self.expr(Ir::Select { cond, yes: zero, no: count }, long, span)
    }

    /// `for (k = start; k < end; k += step) { var = lower + k * step of the loop; body }`
    fn iterations(
        &mut self,
        start: Handle<IrExpr>,
        end: Handle<IrExpr>,
        step: Handle<IrExpr>,
        whole: Loop,
        span: Span,
    ) -> Lowered<()> {
        let long = self.ty_of(start);
        let number = self.local("iteration", long, LocalKind::Auto, span);
        let (mut body, ()) = self.try_block(|f| {
            let [lower, by] = [whole.lower, whole.step].map(|v| f.convert(v, long, span));
            let at = f.load_local(number, span);
            let ahead = f.combined(BinaryOp::Mul, at, by, span);
            let value = f.combined(BinaryOp::Add, lower, ahead, span);
            let value = f.convert(value, f.body.locals[whole.var].ty, span);
            let set = match whole.declared_here {
                true => Stmt::Declare { local: whole.var, init: Some(value) },
                false => Stmt::Store { place: f.local_place(whole.var, span), op: None, value },
            };
            f.emit(set, span);
            Ok(())
        })?;
        body.extend(whole.body);
        self.emit(Stmt::For(Box::new(Loop::counting(number, start, end, step, body))), span);
        Ok(())
    }

    fn combined(
        &mut self,
        op: BinaryOp,
        left: Handle<IrExpr>,
        right: Handle<IrExpr>,
        span: Span,
    ) -> Handle<IrExpr> {
        let ty = self.ty_of(left);
        self.expr(Ir::Binary { op, left, right }, ty, span)
    }
}
