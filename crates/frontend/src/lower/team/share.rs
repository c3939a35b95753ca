//! Loops whose iterations numbered teams or threads deal among themselves. Each begins with its number and goes on by how many
//! there are; or gets so many iterations at a time, or an equal part of them, where a static schedule says so (OpenMP 5.2
//! §11.5.3, §11.6.1).

use super::{Count, Runners, independent};
use crate::ast::Stmt as Ast;
use crate::lower::Lowered;
use crate::lower::function::{Binding, Fun};
use crate::lower::iteration_copies::IterationCopies;
use crate::lower::one_thread::loop_variables;
use crate::lower::target::only;
use crate::pragmas::Pragma;
use accl_directives::{CExpr, DeviceKind, Directive, StaticSchedule};
use accl_ir::{
    BinaryOp, Block, Compare, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, Loop, LoopDirective,
    Stmt, StmtNode,
};
use accl_source::Span;

/// Among whom the next loop is shared.
#[derive(Clone, Debug)]
pub enum Share {
    /// The outer ones first. Each thread runs what it gets of so many joined loops.
    Threads { among: Vec<Sharers>, joined: u32 },
    /// The lanes of a gang divide among themselves what the gang gets, as the loop's directive says.
    Gangs(Sharers),
}

#[derive(Clone, Debug)]
pub struct Sharers {
    number: Handle<Local>,
    count: Count,
    /// `None`: one iteration at a time.
    schedule: Option<StaticSchedule>,
}

/// Loops that stand directly in one another, without their bodies, with how many iterations each has; and what the innermost does.
struct Nest {
    loops: Vec<(Loop, Handle<IrExpr>)>,
    body: Block,
}

impl Share {
    /// All of them get one iteration at a time, of one loop.
    pub fn is_cyclic(&self) -> bool {
        self.joined() == 1 && self.by_turns()
    }

    fn by_turns(&self) -> bool {
        self.among().iter().all(|sharers| sharers.schedule.is_none())
    }

    fn joined(&self) -> u32 {
        match self {
            Share::Threads { joined, .. } => *joined,
            Share::Gangs(_) => 1,
        }
    }

    /// So many iterations at a time; `None`: one.
    pub fn among_gangs(number: Handle<Local>, count: Count, chunk: Option<CExpr>) -> Share {
        let schedule = chunk.map(|chunk| StaticSchedule { teams: true, chunk: Some(chunk) });
        Share::Gangs(Sharers { number, count, schedule })
    }

    fn among(&self) -> &[Sharers] {
        match self {
            Share::Threads { among, .. } => among,
            Share::Gangs(gangs) => std::slice::from_ref(gangs),
        }
    }

    /// What is left of the directive of a loop that is shared so.
    pub fn directive(share: Option<&Share>, directive: Option<LoopDirective>) -> Option<LoopDirective> {
        directive.filter(|_| !matches!(share, Some(Share::Threads { .. })))
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
            Runners::One | Runners::Together(_) | Runners::Unknown => None,
        };
        let team = numbered(&self.team, true).filter(|_| by_teams);
        let arrays = std::mem::take(&mut self.array_reductions);
        let dealt = |f: &mut Self, arrays, among: Vec<_>| {
            f.with_own_copies(arrays, pragma.span, |f| f.dealt(d, pragma, body, among))
        };
        if !by_threads {
            return dealt(self, arrays, team.into_iter().collect());
        }
        if let Some(thread) = numbered(&self.thread, false) {
            return dealt(self, arrays, team.into_iter().chain([thread]).collect());
        }
        let count = self.threads_with_values(d, &arrays);
        self.with_copies_of_team(arrays, &count, pragma.span, |f, arrays| {
            f.threads_loop(d, &count, |f| {
                let thread = numbered(&f.thread, false);
                dealt(f, arrays, team.into_iter().chain(thread).collect())
            })
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
        mut directive: LoopDirective,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        // What one thread does from one iteration to the next is no race.
        let one = match count {
            Count::Constant(n) => *n == 1,
            Count::Clause(e) | Count::Limited(e) => self.constant(e) == Some(1),
        };
        if one && directive.reductions.is_empty() {
            directive = LoopDirective { vector: None, independent: false, seq: true, ..directive };
        }
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
        let depth = view.levels.collapse.and_then(|c| self.constant(&c.count));
        let depth = depth.and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
        // Where the loops are no rectangle, whoever gets an iteration of an outer one runs all of those inside.
        let joined = match self.header(only(body), true) {
            Ok(header) if depth > 1 => self.tight_part(&header, depth, pragma.span).0,
            _ => 1,
        };
        let counting = loop_variables(body);
        let vars = self.vars.clone();
        let seq = LoopDirective { seq: true, independent: false, ..independent(pragma.span) };
        let copies = IterationCopies::of(&view.privates, &view.privates.private, depth);
        self.iteration_copies = self.count_with_copies((d, body), &view.privates, &counting, copies, depth);
        let counters = self.iteration_copies.iter().flat_map(|copies| &copies.counters);
        let own = counters.filter_map(|counter| match self.vars.get(&counter.id)?.binding {
            Binding::Local(local) => Some(local),
            _ => None,
        });
        for local in own.collect::<Vec<_>>() {
            self.emit(Stmt::Declare { local, init: None }, pragma.span);
        }
        let schedule_of =
            |teams: bool| view.levels.schedules.iter().find(|s| s.teams == teams).copied().cloned();
        let sharers = |(number, count, teams)| Sharers { number, count, schedule: schedule_of(teams) };
        self.share = Some(Share::Threads { among: among.into_iter().map(sharers).collect(), joined });
        let result = self.for_stmt(only(body), Some(seq));
        (self.share, self.iteration_copies, self.vars) = (None, None, vars);
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
        for (place, sharers) in share.among().iter().enumerate() {
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
            let nest = f.nest(whole, share.joined(), span);
            let counts = nest.loops.iter().map(|(_, count)| *count);
            let all = counts.reduce(|all, count| f.combined(BinaryOp::Mul, all, count, span));
            let end = all.expect("a nest has a loop");
            let start = f.int(0, f.ty_of(end), span);
            match share {
                Share::Threads { .. } if share.by_turns() => {
                    let one = f.int(1, f.ty_of(end), span);
                    let (first, step) = f.dealt_bounds(share, start, one, span)?;
                    f.iterations(first, end, step, nest, span)
                }
                Share::Threads { among, .. } => f.deal(among, (start, end), nest, span),
                Share::Gangs(gangs) => f.deal_to_gang(gangs, end, nest, span),
            }
        })?;
        self.emit(Stmt::Block(block), span);
        Ok(())
    }

    /// So many loops that stand directly in one another, or fewer, and how many iterations each has.
    fn nest(&mut self, whole: Loop, joined: u32, span: Span) -> Nest {
        let long = self.cx.module.types.int(64, true);
        let mut nest = Nest { loops: vec![], body: vec![] };
        let mut next = Some(whole);
        while let Some(mut l) = next.take() {
            let count = self.iterations_of([l.lower, l.bound, l.step], l.compare, span);
            let end = self.local("iterations", long, LocalKind::Auto, span);
            self.emit(Stmt::Declare { local: end, init: Some(count) }, span);
            let mut body = std::mem::take(&mut l.body);
            nest.loops.push((l, self.load_local(end, span)));
            if nest.loops.len() < joined as usize
                && let [StmtNode { kind: Stmt::For(inner), .. }] = &body[..]
                && inner.directive.is_none()
                && let Some(StmtNode { kind: Stmt::For(inner), .. }) = body.pop()
            {
                next = Some(*inner);
            }
            nest.body = body;
        }
        nest
    }

    /// The iterations with numbers from `start` to `end`, dealt among these.
    fn deal(
        &mut self,
        sharers: &[Sharers],
        (start, end): (Handle<IrExpr>, Handle<IrExpr>),
        nest: Nest,
        span: Span,
    ) -> Lowered<()> {
        let long = self.ty_of(start);
        let one = self.int(1, long, span);
        let Some((first, inner)) = sharers.split_first() else {
            return self.iterations(start, end, one, nest, span);
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
                return self.iterations(own, end, count, nest, span);
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
            f.deal(inner, (first, stop), nest, span)
        })?;
        self.emit(Stmt::For(Box::new(Loop::counting(var, lower, end, step, body))), span);
        Ok(())
    }

    /// The chunks of a gang, one behind the other, as one loop with the directive of the whole:
    ///
    /// ```text
    /// for (k = 0; k < own; k++) {
    ///     iteration = k / chunk * (chunk * gangs) + gang * chunk + k % chunk;
    ///     if (iteration < end) …
    /// }
    /// ```
    fn deal_to_gang(
        &mut self,
        gangs: &Sharers,
        end: Handle<IrExpr>,
        mut nest: Nest,
        span: Span,
    ) -> Lowered<()> {
        let long = self.ty_of(end);
        let number = self.load_local(gangs.number, span);
        let count = self.count_value(&gangs.count, span)?;
        let chunk = match gangs.schedule.as_ref().and_then(|s| s.chunk.as_ref()) {
            Some(chunk) => self.clause_value(chunk, chunk.span)?,
            None => self.int(1, long, span),
        };
        let [number, count, chunk] = [number, count, chunk].map(|v| self.convert(v, long, span));
        let [zero, one] = [0, 1].map(|n| self.int(n, long, span));
        let round = self.combined(BinaryOp::Mul, chunk, count, span);
        let short = self.combined(BinaryOp::Sub, round, one, span);
        let reached = self.combined(BinaryOp::Add, end, short, span);
        let rounds = self.combined(BinaryOp::Div, reached, round, span);
        let own = self.combined(BinaryOp::Mul, rounds, chunk, span);
        let directive = nest.loops[0].0.directive.take();
        let k = self.local("turn", long, LocalKind::Auto, span);
        let (body, ()) = self.try_block(|f| {
            let turn = f.load_local(k, span);
            let of_rounds = f.combined(BinaryOp::Div, turn, chunk, span);
            let of_rounds = f.combined(BinaryOp::Mul, of_rounds, round, span);
            let of_gangs = f.combined(BinaryOp::Mul, number, chunk, span);
            let of_chunk = f.combined(BinaryOp::Rem, turn, chunk, span);
            let begin = f.combined(BinaryOp::Add, of_rounds, of_gangs, span);
            let value = f.combined(BinaryOp::Add, begin, of_chunk, span);
            let iteration = f.local("iteration", long, LocalKind::Auto, span);
            f.emit(Stmt::Declare { local: iteration, init: Some(value) }, span);
            let (left, int) = (f.load_local(iteration, span), f.i32());
            let cond = f.expr(Ir::Binary { op: BinaryOp::Lt, left, right: end }, int, span);
            let then = f.iteration(iteration, nest, span)?;
            f.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
            Ok(())
        })?;
        let dealt = Loop { directive, ..Loop::counting(k, zero, own, one, body) };
        self.emit_loop(vec![], dealt, span);
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

    /// How many iterations a loop has with this lower bound, bound and step.
    pub fn iterations_of(
        &mut self,
        loop_: [Handle<IrExpr>; 3],
        compare: Compare,
        span: Span,
    ) -> Handle<IrExpr> {
        let long = self.cx.module.types.int(64, true);
        let [lower, bound, step] = loop_.map(|v| self.convert(v, long, span));
        let falls = matches!(compare, Compare::Gt | Compare::Ge);
        let (distance, step) = match falls {
            true => (self.combined(BinaryOp::Sub, lower, bound, span), self.negated(step)),
            false => (self.combined(BinaryOp::Sub, bound, lower, span), step),
        };
        // With the bound itself there is one more to reach.
        let short = match compare {
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

    /// `for (k = start; k < end; k += step) { the iteration k }`
    fn iterations(
        &mut self,
        start: Handle<IrExpr>,
        end: Handle<IrExpr>,
        step: Handle<IrExpr>,
        nest: Nest,
        span: Span,
    ) -> Lowered<()> {
        let long = self.ty_of(start);
        let number = self.local("iteration", long, LocalKind::Auto, span);
        let body = self.iteration(number, nest, span)?;
        self.emit(Stmt::For(Box::new(Loop::counting(number, start, end, step, body))), span);
        Ok(())
    }

    /// `var = lower + number * step of the loop; body`, where a loop's number in a nest is what the loops inside it leave of it.
    fn iteration(&mut self, number: Handle<Local>, nest: Nest, span: Span) -> Lowered<Block> {
        let long = self.body.locals[number].ty;
        let Nest { loops, body: inside } = nest;
        let (mut body, ()) = self.try_block(|f| {
            for (depth, (l, count)) in loops.iter().enumerate() {
                let mut at = f.load_local(number, span);
                for (_, count) in loops[depth + 1..].iter().rev() {
                    at = f.combined(BinaryOp::Div, at, *count, span);
                }
                if depth > 0 {
                    at = f.combined(BinaryOp::Rem, at, *count, span);
                }
                let [lower, by] = [l.lower, l.step].map(|v| f.convert(v, long, span));
                let ahead = f.combined(BinaryOp::Mul, at, by, span);
                let value = f.combined(BinaryOp::Add, lower, ahead, span);
                let value = f.convert(value, f.body.locals[l.var].ty, span);
                let set = match l.declared_here {
                    true => Stmt::Declare { local: l.var, init: Some(value) },
                    false => Stmt::Store { place: f.local_place(l.var, span), op: None, value },
                };
                f.emit(set, span);
            }
            Ok(())
        })?;
        body.extend(inside);
        Ok(body)
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
