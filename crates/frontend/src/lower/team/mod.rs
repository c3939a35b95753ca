//! Teams and threads that a program numbers, and blocks that each thread of a team runs (OpenMP 5.2 chapters 10, 11, 15).
//!
//! A device runs loops. So where a program asks which team or thread it is, its teams are the iterations of a loop over gangs,
//! and a team's threads those of a loop over the gang's lanes:
//!
//! ```text
//! parallel {                         for (t = 0; t < threads; t++)   // vector
//!   sum[t] = …;                        sum[t] = …;
//!   barrier              becomes
//!   if (t == 0) use(sum);            for (t = 0; t < threads; t++)   // vector
//! }                                    if (t == 0) use(sum);
//! ```
//!
//! A barrier is the end of a loop over lanes ([`block`]). What all threads decide alike ([`uniform`]), such as a loop around
//! barriers, stands outside of these loops. No thread ever waits to be told what to do.

mod array_reductions;
mod block;
mod copies;
mod counters;
mod declared_reductions;
mod divergent;
mod functions;
mod made_again;
mod openacc;
mod share;
mod shared;
mod thread_values;
mod uniform;
mod waits;

use super::Lowered;
use super::function::Fun;
use super::walk;
use crate::ast::{Expr as AstExpr, Stmt as Ast, StmtKind};
use accl_directives::{self as acc, CExpr, CExprKind, ClauseKind, DeviceKind, Directive, DirectiveKind};
use accl_ir::{
    BinaryOp, Block, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, Loop, LoopDirective,
    Reduction, Rows, Stmt,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
pub use array_reductions::ArrayReduction;
pub(super) use copies::meant_by;
pub(super) use counters::rename;
pub use functions::TeamFunctions;
pub use share::Share;
pub use thread_values::ThreadValue;

/// Teams, and threads of a team, where no clause says how many.
const USUAL_TEAMS: i64 = 128;
const USUAL_THREADS: i64 = 128;

/// No device's blocks have more threads.
const MOST_THREADS: i64 = 1024;

const TEAM_QUERIES: [&str; 2] = ["omp_get_team_num", "omp_get_num_teams"];
const THREAD_QUERIES: [&str; 2] = ["omp_get_thread_num", "omp_get_num_threads"];
const LEVEL_QUERIES: [&str; 5] = [
    "omp_in_parallel",
    "omp_get_level",
    "omp_get_active_level",
    "omp_get_team_size",
    "omp_get_ancestor_thread_num",
];

/// Whether the value depends on the code that asks.
fn is_routine_of_teams(name: &str) -> bool {
    matches!(
        name,
        "omp_in_parallel"
            | "omp_get_level"
            | "omp_get_active_level"
            | "omp_get_max_threads"
            | "omp_get_thread_limit"
            | "omp_get_num_procs"
    )
}

/// Whether the directive opens a `parallel` construct, in whatever combination.
pub fn opens_parallel(d: &Directive, buffer: &str) -> bool {
    let name = buffer.get(d.name_span.start as usize..d.name_span.end as usize).unwrap_or("");
    name.split_whitespace().any(|word| word == "parallel")
}

/// How many there are.
#[derive(Clone, Debug)]
pub enum Count {
    Constant(i64),
    Clause(CExpr),
    /// What the clause says, up to [`MOST_THREADS`].
    Limited(CExpr),
}

/// Those who run the code at hand.
#[derive(Clone, Debug, Default)]
pub enum Runners {
    /// Just one: number 0 of 1.
    #[default]
    One,
    Numbered(Handle<Local>, Count),
    /// All of them at once, who then have the same value: it cannot be the number of one.
    Together(Count),
    /// Several, in an order that only the mapping knows.
    Unknown,
}

impl Fun<'_, '_> {
    /// Whether the statement asks for numbers of threads, or a function that it calls does.
    pub fn asks_for_threads(&mut self, body: &Ast) -> bool {
        self.cx.work_in(body, false).asks_for_threads
    }

    /// Whether the construct's teams must be told apart: it asks for their numbers, or for those of threads in a loop that both
    /// teams and threads share.
    pub fn numbers_teams(&mut self, d: &Directive, loop_: bool, body: &Ast) -> bool {
        let both = |d: &Directive| {
            let has = |wanted: fn(&ClauseKind) -> bool| d.clauses.iter().any(|c| wanted(&c.kind));
            has(|c| matches!(c, ClauseKind::Gang(_))) && has(|c| matches!(c, ClauseKind::Vector(_)))
        };
        self.cx.work_in(body, false).asks_for_teams
            || loop_ && both(d) && self.asks_for_threads(body)
            || self.holds_loop_of_both(body, &both)
            || loop_ && self.copies_arrays(d, body)
            || self.holds_array_reduction(body)
    }

    fn holds_array_reduction(&mut self, s: &Ast) -> bool {
        let here = match &s.kind {
            StmtKind::Directed { directive, body: Some(inner) } => {
                let d = &self.cx.pragmas[*directive].directive;
                let by_teams = d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Gang(_)));
                d.kind == DirectiveKind::Loop && by_teams && self.copies_arrays(d, inner)
            }
            _ => false,
        };
        here || walk::children(s).into_iter().any(|inner| self.holds_array_reduction(inner))
    }

    fn holds_loop_of_both(&mut self, s: &Ast, both: &dyn Fn(&Directive) -> bool) -> bool {
        let here = match &s.kind {
            StmtKind::Directed { directive, body: Some(inner) } => {
                let d = &self.cx.pragmas[*directive].directive;
                d.kind == DirectiveKind::Loop && both(d) && self.asks_for_threads(inner)
            }
            _ => false,
        };
        here || walk::children(s).into_iter().any(|inner| self.holds_loop_of_both(inner, both))
    }

    /// The loop over the construct's teams, each of which runs what `inside` makes.
    pub fn teams_loop(
        &mut self,
        d: &Directive,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let count = self.count_of_teams(d);
        let level = LoopDirective { gang: Some(None), ..independent(d.name_span) };
        let reductions = self.reductions_of(d);
        let int = self.i32();
        let team = self.local("team", int, LocalKind::Auto, d.name_span);
        let outside = std::mem::replace(&mut self.team, Runners::Numbered(team, count.clone()));
        let body = self.try_block(inside);
        self.team = outside;
        let (body, ()) = body?;
        self.numbered_loop(team, &count, body, LoopDirective { reductions, ..level })
    }

    fn count_of_teams(&self, d: &Directive) -> Count {
        let count = d.clauses_for(DeviceKind::Cuda).sizes.num_gangs.first().cloned();
        let usual = Self::teams_with_copies(&self.array_reductions).unwrap_or(USUAL_TEAMS);
        count.map_or(Count::Constant(usual), Count::Clause)
    }

    /// `for (number = 0; number < count; number++) body`
    fn numbered_loop(
        &mut self,
        number: Handle<Local>,
        count: &Count,
        body: Block,
        directive: LoopDirective,
    ) -> Lowered<()> {
        let (int, span) = (self.i32(), directive.span);
        let [lower, step] = [0, 1].map(|v| self.int(v, int, span));
        let bound = self.count_value(count, span)?;
        let directive = Some(directive);
        let counting = Loop { directive, ..Loop::counting(number, lower, bound, step, body) };
        self.emit(Stmt::For(Box::new(counting)), span);
        Ok(())
    }

    /// The clause says that there is one.
    fn is_one(&mut self, count: &Count) -> bool {
        match count {
            Count::Constant(n) => *n == 1,
            Count::Clause(e) | Count::Limited(e) => self.constant(e) == Some(1),
        }
    }

    fn count_value(&mut self, count: &Count, span: Span) -> Lowered<Handle<IrExpr>> {
        let int = self.i32();
        match count {
            Count::Constant(n) => Ok(self.int((*n).into(), int, span)),
            Count::Clause(e) => {
                let value = self.clause_value(e, e.span)?;
                Ok(self.convert(value, int, span))
            }
            Count::Limited(e) => {
                let value = self.clause_value(e, e.span)?;
                let value = self.convert(value, int, span);
                let (yes, no) = (self.repeatable(value), self.int(MOST_THREADS.into(), int, span));
                let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left: yes, right: no }, int, span);
                Ok(self.expr(Ir::Select { cond, yes, no }, int, span))
            }
        }
    }

    /// What `inside` makes of the body of a directive, and of those that were joined to it.
    pub fn within_parallel<R>(
        &mut self,
        d: &Directive,
        body: &Ast,
        inside: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let between = |span: Span| d.name_span.start <= span.start && span.end <= body.span.start;
        let joined = self.cx.pragmas.iter().map(|p| &p.directive).filter(|d| between(d.name_span));
        let opened = joined.filter(|d| opens_parallel(d, self.cx.source.buffer)).count() as u32;
        self.parallel_depth += opened;
        let result = inside(self);
        self.parallel_depth -= opened;
        result
    }

    /// How many threads a `parallel` construct has: what it asks for, else what the team may have; one, where its condition
    /// does not hold.
    fn threads_of(&mut self, d: &Directive) -> Count {
        let view = d.clauses_for(DeviceKind::Cuda);
        let limit = self.thread_limit.clone();
        let size = match (view.sizes.vector_length.cloned(), limit) {
            (Some(asked), Some(limit)) if asked.span != limit.span => Some(self.lesser_of(asked, limit)),
            (asked, limit) => asked.or(limit),
        };
        let Some(condition) = view.conditions.parallel_if else {
            return size.map_or(Count::Constant(USUAL_THREADS), Count::Clause);
        };
        let number = |value: i64| {
            let kind = CExprKind::Int { value: value.try_into().ok(), text: value.to_string() };
            CExpr { kind, span: condition.span }
        };
        let several = size.unwrap_or_else(|| number(USUAL_THREADS));
        let kind = CExprKind::Conditional {
            cond: Box::new(condition.clone()),
            then: Box::new(several),
            otherwise: Box::new(number(1)),
        };
        let either = CExpr { kind, span: condition.span };
        self.constant(&either).map_or(Count::Clause(either), Count::Constant)
    }

    fn lesser_of(&mut self, a: CExpr, b: CExpr) -> CExpr {
        if let (Some(x), Some(y)) = (self.constant(&a), self.constant(&b)) {
            return if y < x { b } else { a };
        }
        if self.is_known_on_host(&a) && self.text(a.span) == self.text(b.span) {
            return a;
        }
        let (span, op) = (a.span, acc::BinaryOp::Lt);
        let [lhs, rhs, then, otherwise] = [&a, &b, &a, &b].map(|e| Box::new(e.clone()));
        let cond = Box::new(CExpr { kind: CExprKind::Binary { op, lhs, rhs }, span });
        CExpr { kind: CExprKind::Conditional { cond, then, otherwise }, span }
    }

    fn reductions_of(&mut self, d: &Directive) -> Vec<Reduction> {
        self.reductions(&d.clauses_for(DeviceKind::Cuda).privates.reductions)
    }

    /// A routine that sets what holds for constructs after it (OpenMP 5.2 §18.2), of which devices have one thread, no adjustment
    /// and no nesting, and whose tasks wait for no event: then it changes nothing that a program can ask for.
    pub fn team_setting(&mut self, name: &str, span: Span) -> Lowered<Option<Handle<IrExpr>>> {
        match name {
            "omp_set_num_threads" if !self.one_thread => {
                let message = format!("`{name}` is not implemented for threads side by side");
                Err(Box::new(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(span)))
            }
            "omp_set_num_threads"
            | "omp_set_dynamic"
            | "omp_set_nested"
            | "omp_set_max_active_levels"
            | "omp_fulfill_event" => {
                let int = self.i32();
                Ok(Some(self.int(0, int, span)))
            }
            _ => Ok(None),
        }
    }

    /// How many threads a level of `parallel` has, and the number of the one that is asked for (§18.2.18, §18.2.19). Level 0
    /// is the initial thread's. `None`: only the running program knows the level, or it is one around an inner `parallel`.
    pub fn level_query(
        &mut self,
        name: &str,
        level: &AstExpr,
        span: Span,
    ) -> Lowered<Option<Handle<IrExpr>>> {
        let (int, number) = (self.i32(), name == "omp_get_ancestor_thread_num");
        let depth = i128::from(self.parallel_depth);
        match crate::clang::fold(level) {
            Some(level) if level < 0 || level > depth => Ok(Some(self.int(-1, int, span))),
            Some(0) => Ok(Some(self.int(i128::from(!number), int, span))),
            Some(level) if level == depth => {
                self.team_query(if number { "omp_get_thread_num" } else { "omp_get_num_threads" }, span)
            }
            _ => Ok(None),
        }
    }

    /// The value of a routine that tells about teams and threads (OpenMP 5.2 §18.2, §18.4, §18.7), in device code.
    pub fn team_query(&mut self, name: &str, span: Span) -> Lowered<Option<Handle<IrExpr>>> {
        let int = self.i32();
        let (runners, number) = match name {
            "omp_get_team_num" => (self.team.clone(), true),
            "omp_get_num_teams" => (self.team.clone(), false),
            "omp_get_thread_num" => (self.thread.clone(), true),
            "omp_get_num_threads" => (self.thread.clone(), false),
            "omp_get_max_threads" | "omp_get_thread_limit" | "omp_get_num_procs" => {
                let most = self.thread_limit.clone().map_or(Count::Constant(USUAL_THREADS), Count::Clause);
                return self.count_value(&most, span).map(Some);
            }
            "omp_get_device_num" | "omp_get_num_devices" => {
                let local = self.brought.get(name).copied();
                return Ok(local.map(|local| self.load_local(local, span)));
            }
            "omp_in_explicit_task" => return Ok(Some(self.int(self.in_task.into(), int, span))),
            "omp_get_place_num" => return Ok(Some(self.int(-1, int, span))),
            // Devices do not nest teams, cancel or adjust, have no places, and run tasks where these are made.
            "omp_is_initial_device"
            | "omp_get_dynamic"
            | "omp_get_nested"
            | "omp_get_cancellation"
            | "omp_get_proc_bind"
            | "omp_get_max_teams"
            | "omp_get_teams_thread_limit"
            | "omp_get_num_places"
            | "omp_get_partition_num_places"
            | "omp_in_final" => return Ok(Some(self.int(0, int, span))),
            "omp_get_max_active_levels" | "omp_get_supported_active_levels" => {
                return Ok(Some(self.int(1, int, span)));
            }
            // An inner `parallel` has one thread, and is not active.
            "omp_get_level" => return Ok(Some(self.int(self.parallel_depth.into(), int, span))),
            "omp_in_parallel" | "omp_get_active_level" => {
                let inside = self.in_threads.into();
                return Ok(Some(self.int(inside, int, span)));
            }
            _ => return Ok(None),
        };
        match (runners, number) {
            (Runners::One, true) => Ok(Some(self.int(0, int, span))),
            (Runners::One, false) => Ok(Some(self.int(1, int, span))),
            (Runners::Numbered(local, _), true) => Ok(Some(self.load_local(local, span))),
            (Runners::Numbered(_, count) | Runners::Together(count), false) => {
                self.count_value(&count, span).map(Some)
            }
            (Runners::Unknown, _) | (Runners::Together(_), true) => Err(Box::new(
                Diagnostic::error(codes::NOT_IMPLEMENTED, format!("`{name}` is not known here"))
                    .label(
                        span,
                        "the function, or this part of a loop, is not compiled for one numbering of threads",
                    )
                    .with_help("ask in the construct itself, and hand the number to functions"),
            )),
        }
    }
}

/// A directive that calls a loop's iterations independent.
fn independent(span: Span) -> LoopDirective {
    LoopDirective {
        span,
        found: false,
        gang: None,
        worker: None,
        vector: None,
        seq: false,
        auto: false,
        independent: true,
        assumes_distinct: false,
        assumes_rows: Rows::None,
        assumes_strides: vec![],
        interchanged: 0,
        collapse: 1,
        part: 0,
        tile: vec![],
        private: vec![],
        reductions: vec![],
        searches: vec![],
        schedule: None,
    }
}
