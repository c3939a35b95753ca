//! Blocks that each thread of a team runs (`parallel`, OpenMP 5.2 §10.1), as loops over the threads from one barrier to the next.
//!
//! What stands between two barriers is a *segment*. A variable of the block's own that several segments use is computed again in
//! each, where its value follows from the thread's number and from what does not change; otherwise the team has an array with an
//! element for each thread. Variables that direct a loop or condition around barriers are the team's own, since all threads have
//! the same value of them. Where they may not, each thread has a mark (`divergent`).

use super::made_again::{keeps_nothing_that_changes, lambda, named_object, refers_outside, refers_to_object};
use super::thread_values::{OfThreads, ThreadValue, declared, is_aggregate};
use super::uniform::Uniform;
use super::{ArrayReduction, Count, Runners, independent};
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Stmt as Ast, StmtKind, Ty, Var};
use crate::lower::Lowered;
use crate::lower::expr::unsupported;
use crate::lower::function::{Fun, Variable};
use crate::lower::one_thread::Copied;
use crate::lower::walk;
use crate::pragmas::Pragma;
use accl_directives::{
    CExpr, Clause, ClauseKind, DeviceKind, Directive, DirectiveKind, Reduction, ThreadsKind,
};
use accl_ir::{BinaryOp, Block, ExprKind as Ir, LoopDirective, Stmt};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

pub(super) struct Parallel<'p> {
    d: &'p Directive,
    pub(super) threads: Count,
    pub(super) uniform: Uniform,
    /// Variables of the block that the team has, not each thread.
    of_team: BTreeSet<DeclId>,
    /// Each variable that something in the block changes.
    pub(super) changed: BTreeSet<DeclId>,
    /// Bytes of the team's memory for values of threads.
    pub(super) kept: Cell<u64>,
    /// Arrays that the block reduces, of which its one segment has copies.
    arrays: Vec<ArrayReduction>,
    /// Of the divergent loops and conditions around the statement at hand: which threads run it.
    pub(super) marks: RefCell<Vec<OfThreads>>,
}

enum Part<'b> {
    Segment(&'b [Ast]),
    /// A declaration or assignment of the team's variables.
    Team(&'b Ast),
    /// It holds barriers, or leaves a loop that does.
    Control(&'b Ast),
    /// A construct that ends with a barrier.
    Construct(usize, &'b Ast),
    /// A declaration that gives values to an array which outlives it.
    Filled(&'b Ast),
    /// Threads run it one after the other.
    InTurn(&'b Ast),
}

impl Fun<'_, '_> {
    pub fn parallel_block(&mut self, d: &Directive, body: &Ast) -> Lowered<()> {
        let whole = &self.with_default_copies(d, body);
        let (d, arrays) = &self.without_arrays_of_block(whole, body);
        self.needs_no_order(d, body)?;
        let (in_place, arrays): (Vec<_>, Vec<_>) =
            arrays.iter().cloned().partition(|array| !array.has_copies() || self.holds_barrier(body));
        let updated = self.updated_in_place.len();
        self.updated_in_place.extend(in_place.iter().map(ArrayReduction::id));
        let mut body = super::counters::of_each_loop(&self.cx.with_shared_work(body));
        self.declare_copies(&mut body)?;
        let body = &body;
        let mut copies = vec![];
        for Copied { section, named, starts } in self.copied_variables(d) {
            match named {
                Some((id, variable)) => copies.push((id, variable, starts, section.span)),
                None => return Err(Box::new(self.unknown_name(&section.to_string(), section.span))),
            }
        }
        let mut changed = BTreeSet::new();
        walk::each_change(body, &mut |id, _| {
            changed.insert(id);
        });
        copies.retain(|(id, _, starts, _)| !starts || changed.contains(id));
        let mut copied: BTreeSet<DeclId> = copies.iter().map(|(id, ..)| *id).collect();
        copied.extend(reduced(whole, body));
        let mut uniform = Uniform::of(body, copied.clone(), &|s| self.holds_barrier(s));
        let mut skipping = body.clone();
        let body = match self.skip_by_conditions(&uniform, &mut skipping) {
            true => {
                uniform = Uniform::of(&skipping, copied, &|s| self.holds_barrier(s));
                &skipping
            }
            false => body,
        };
        let of_team = self.variables_of_team(body, &uniform)?;
        let threads = self.threads_of(d);
        let (kept, marks) = (Cell::new(0), RefCell::default());
        let mut block = Parallel { d, threads, uniform, of_team, changed, kept, arrays, marks };
        let rows = self.private_sections.len();
        let lowered = match self.lowered_block(&block, &copies, body) {
            // The team's arrays for values of threads need a length.
            Err(_)
                if let Count::Clause(e) = &block.threads
                    && self.constant(e).is_none() =>
            {
                block.threads = Count::Limited(e.clone());
                block.kept.set(0);
                self.private_sections.truncate(rows);
                self.lowered_block(&block, &copies, body)?
            }
            lowered => lowered?,
        };
        self.updated_in_place.truncate(updated);
        self.emit(Stmt::Block(lowered), body.span);
        Ok(())
    }

    /// The directive without reductions of arrays, and these. Where barriers divide the block all its segments can do is to update
    /// elements; so else one thread runs it.
    pub fn without_arrays_of_block(&mut self, d: &Directive, body: &Ast) -> (Directive, Vec<ArrayReduction>) {
        let (rest, arrays) = self.without_array_reductions(d, body);
        let divided = self.holds_barrier(body);
        match arrays.iter().all(|array| !array.is_declared() && (!divided || array.is_only_updated())) {
            true => (rest, arrays),
            false => (d.clone(), vec![]),
        }
    }

    /// The block's loops over threads. `copies`: variables of which each thread has its own, and whether with the value outside.
    fn lowered_block(
        &mut self,
        block: &Parallel<'_>,
        copies: &[(DeclId, Variable, bool, Span)],
        body: &Ast,
    ) -> Lowered<Block> {
        let (vars, values) = (self.vars.clone(), self.thread_values.len());
        let lowered = self.try_block(|f| {
            for (id, variable, starts, span) in copies {
                f.keep(block, *id, variable.ty.referred(), *starts, *span)?;
            }
            f.parallel_items(block, items_of(body))
        });
        self.vars = vars;
        self.thread_values.truncate(values);
        Ok(lowered?.0)
    }

    /// The statements of a list that all threads of the team run.
    pub(super) fn parallel_items(&mut self, block: &Parallel<'_>, items: &[Ast]) -> Lowered<()> {
        let mut items = one_declared(items);
        self.drop_empty_initialisers(&mut items);
        let mut parts = self.parts(block, &items, &BTreeSet::new())?;
        let follows = self.those_that_follow(block, &items);
        let stands_for = |v: &&Var| refers_to_object(v) || lambda(v).is_some() || follows.contains(&v.id);
        let references: Vec<&Var> = items.iter().flat_map(declared).filter(stands_for).collect();
        let filled = arrays_with_values(&parts, block, &references);
        if !filled.is_empty() {
            parts = self.parts(block, &items, &filled)?;
        }
        if parts.len() > 1 {
            items.iter().flat_map(declared).try_for_each(|var| self.has_end(var))?;
        }
        let before = self.thread_values.len();
        let in_filters = self.words_of_filters(&items);
        for (at, part) in parts.iter().enumerate() {
            let own = match part {
                Part::Segment(own) => own,
                Part::Filled(item) => std::slice::from_ref(*item),
                _ => continue,
            };
            for var in own.iter().flat_map(declared).filter(|v| !block.of_team.contains(&v.id)) {
                if !outlives(&parts, at, var.id, &references) && !in_filters.contains(&var.name) {
                    continue;
                }
                let again = refers_to_object(var)
                    || follows.contains(&var.id)
                    || keeps_nothing_that_changes(block, var);
                if var.ty.is_reference() && !again && !refers_outside(block, var) {
                    let what = "a reference to a thread's own variable that outlives a barrier";
                    return Err(unsupported(what, var.span));
                }
                if again {
                    self.thread_values.push(ThreadValue::Again(var.clone()));
                } else {
                    self.keep(block, var.id, &var.ty, false, var.span)?;
                }
            }
        }
        for part in &parts {
            match part {
                Part::Segment(items) => self.segment(block, items)?,
                Part::Team(item) => self.together(block, |f| f.device_stmt(item))?,
                Part::Control(item) => self.control(block, item)?,
                Part::Construct(index, inner) => self.team_construct(block, *index, inner)?,
                Part::Filled(item) => self.fill_array(block, item)?,
                Part::InTurn(item) => self.in_turn(block, item)?,
            }
        }
        self.thread_values.truncate(before);
        Ok(())
    }

    /// An object whose constructor does nothing has no value to begin with.
    fn drop_empty_initialisers(&self, items: &mut [Ast]) {
        for item in items {
            let StmtKind::Decl(vars) = &mut item.kind else { continue };
            for var in vars {
                if var.init.as_ref().is_some_and(|init| self.constructs_nothing(init)) {
                    var.init = None;
                }
            }
        }
    }

    /// `filled`: arrays that outlive the declaration which gives them values.
    fn parts<'b>(
        &self,
        block: &Parallel<'_>,
        items: &'b [Ast],
        filled: &BTreeSet<DeclId>,
    ) -> Lowered<Vec<Part<'b>>> {
        let mut parts = vec![];
        let mut start = 0;
        for (at, item) in items.iter().enumerate() {
            let part = match &item.kind {
                StmtKind::Directed { directive, body } => match self.ends_segment(*directive) {
                    false => continue,
                    true => body.as_deref().map(|inner| Part::Construct(*directive, inner)),
                },
                StmtKind::Null => None,
                StmtKind::Decl(vars) if vars.iter().any(|v| filled.contains(&v.id)) => {
                    Some(Part::Filled(item))
                }
                _ if self.runs_in_turn(&block.uniform, item) => Some(Part::InTurn(item)),
                _ if self.is_of_team(block, item)? => Some(Part::Team(item)),
                _ if self.holds_barrier(item) || leaves(item) => Some(Part::Control(item)),
                _ => continue,
            };
            if start < at {
                parts.push(Part::Segment(&items[start..at]));
            }
            parts.extend(part);
            start = at + 1;
        }
        if start < items.len() {
            parts.push(Part::Segment(&items[start..]));
        }
        Ok(parts)
    }

    /// A barrier stands there, or at the end of the construct; or its threads run one after the other.
    fn ends_segment(&self, directive: usize) -> bool {
        let d = &self.cx.pragmas[directive].directive;
        match d.kind {
            // A `loop` is shared by those who run the block around it; a `simd` loop is each thread's own.
            DirectiveKind::Loop if super::opens_parallel(d, self.cx.source.buffer) => false,
            DirectiveKind::Loop => {
                let shared = d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Vector(_)));
                let name = self.text(d.name_span);
                shared || name.split_whitespace().any(|word| matches!(word, "for" | "loop"))
            }
            DirectiveKind::Threads(kind) => matches!(
                kind,
                ThreadsKind::Barrier
                    | ThreadsKind::Single
                    | ThreadsKind::Sections
                    | ThreadsKind::Critical
                    | ThreadsKind::Scope
            ),
            _ => false,
        }
    }

    pub(super) fn holds_barrier(&self, s: &Ast) -> bool {
        self.holds_ending(s, &|_| true)
    }

    /// One of the constructs that end segments, of such a kind, stands there.
    pub(super) fn holds_ending(&self, s: &Ast, wanted: &dyn Fn(&DirectiveKind) -> bool) -> bool {
        match &s.kind {
            _ if self.may_wait_for_others(s) && wanted(&DirectiveKind::Threads(ThreadsKind::Barrier)) => true,
            StmtKind::Directed { directive, .. }
                if self.ends_segment(*directive) && wanted(&self.cx.pragmas[*directive].directive.kind) =>
            {
                true
            }
            StmtKind::Directed { directive, .. }
                if self.cx.pragmas[*directive].directive.kind
                    == DirectiveKind::Threads(ThreadsKind::Parallel) =>
            {
                false
            }
            _ => walk::children(s).into_iter().any(|inner| self.holds_ending(inner, wanted)),
        }
    }

    /// A statement with `critical` constructs, and no barriers, that not all threads run alike: no thread in it waits for another.
    fn runs_in_turn(&self, uniform: &Uniform, s: &Ast) -> bool {
        self.differs_around_barriers(uniform, s)
            && !leaves(s)
            && !self.holds_ending(s, &|kind| !matches!(kind, DirectiveKind::Threads(ThreadsKind::Critical)))
    }

    fn differs_around_barriers(&self, uniform: &Uniform, s: &Ast) -> bool {
        let directs = !matches!(s.kind, StmtKind::Compound(_) | StmtKind::Directed { .. });
        self.holds_barrier(s)
            && (directs && walk::own_exprs(s).into_iter().any(|e| uniform.differs(e))
                || walk::children(s).into_iter().any(|inner| self.differs_around_barriers(uniform, inner)))
    }

    /// The variables that direct loops and conditions around barriers, and those from which they get their values.
    fn variables_of_team(&self, body: &Ast, uniform: &Uniform) -> Lowered<BTreeSet<DeclId>> {
        let mut found = BTreeSet::new();
        self.directing(body, uniform, &mut found)?;
        loop {
            let mut more = vec![];
            each_value(body, &mut |id, value| {
                if found.contains(&id) {
                    walk::within(value, &mut |e| match &e.kind {
                        ExprKind::Var(of, _) if uniform.own.contains(of) && !found.contains(of) => {
                            more.push(*of)
                        }
                        _ => {}
                    });
                }
            });
            if more.is_empty() {
                return Ok(found);
            }
            found.extend(more);
        }
    }

    fn directing(&self, s: &Ast, uniform: &Uniform, found: &mut BTreeSet<DeclId>) -> Lowered<()> {
        // What leaves a loop without barriers, or a `switch`, is each thread's own.
        let apart = (matches!(s.kind, StmtKind::Directed { .. }) || is_left(s)) && !self.holds_barrier(s);
        if apart || self.runs_in_turn(uniform, s) {
            return Ok(());
        }
        let directs = !matches!(s.kind, StmtKind::Compound(_) | StmtKind::Directed { .. })
            && (self.holds_barrier(s) || leaves(s))
            && !self.is_divergent(uniform, s);
        if directs {
            for e in walk::own_exprs(s) {
                if uniform.differs(e) {
                    return Err(Box::new(
                        Diagnostic::error(
                            codes::NOT_IMPLEMENTED,
                            "threads of a team do not meet the same barriers",
                        )
                        .label(e.span, "this may differ between the threads")
                        .with_note("all threads of a team, or none, reach a barrier (OpenMP 5.2 §15.3.1)")
                        .with_help(
                            "let all threads run the loop or condition around the barrier, and test inside",
                        ),
                    ));
                }
                walk::within(e, &mut |e| match &e.kind {
                    ExprKind::Var(id, _) if uniform.own.contains(id) => {
                        found.insert(*id);
                    }
                    _ => {}
                });
            }
        }
        walk::children(s).into_iter().try_for_each(|inner| self.directing(inner, uniform, found))
    }

    fn is_of_team(&self, block: &Parallel<'_>, s: &Ast) -> Lowered<bool> {
        let mut changes = vec![];
        walk::vars(s, &mut |var| changes.push(var.id));
        walk::each_change(s, &mut |id, _| changes.push(id));
        let of_team = changes.iter().filter(|id| block.of_team.contains(id)).count();
        let simple = matches!(s.kind, StmtKind::Decl(_) | StmtKind::Expr(_));
        match () {
            () if of_team == 0 || self.holds_barrier(s) => Ok(false),
            () if simple && of_team == changes.len() => Ok(true),
            () => Err(Box::new(
                Diagnostic::error(
                    codes::NOT_IMPLEMENTED,
                    "a variable on which barriers depend changes in a part of a statement",
                )
                .label(s.span, "this also does something that each thread does for itself")
                .with_help("give the variable its value in a statement of its own"),
            )),
        }
    }

    /// Variables whose values never change, and are made of numbers of threads and of what never changes.
    fn those_that_follow(&self, block: &Parallel<'_>, items: &[Ast]) -> BTreeSet<DeclId> {
        let mut found = BTreeSet::new();
        for var in items.iter().flat_map(declared) {
            if self.follows_from_number(block, var, &found) {
                found.insert(var.id);
            }
        }
        found
    }

    fn follows_from_number(&self, block: &Parallel<'_>, var: &Var, others: &BTreeSet<DeclId>) -> bool {
        let Some(init) = &var.init else { return false };
        let mut follows = !block.changed.contains(&var.id) && walk::is_plain(init);
        walk::within(init, &mut |e| match &e.kind {
            ExprKind::Var(id, _) => {
                let again =
                    self.thread_values.iter().any(|v| matches!(v, ThreadValue::Again(of) if of.id == *id));
                let outside = !block.uniform.own.contains(id);
                follows &= again || outside || others.contains(id) || block.of_team.contains(id);
            }
            // What lies in memory may change; an address does not.
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                follows &= named_object(operand).is_some_and(|id| !block.changed.contains(&id));
            }
            ExprKind::Call { callee, .. } => {
                follows &= walk::library_name(callee).is_some_and(|name| name.starts_with("omp_get_"));
            }
            _ => {}
        });
        follows
    }

    /// A loop over the threads around these statements.
    pub(super) fn segment(&mut self, block: &Parallel<'_>, items: &[Ast]) -> Lowered<()> {
        let mut used = block.d.clauses_for(DeviceKind::Cuda).privates.reductions;
        used.retain(|r| items.iter().any(|s| names_one_of(s, r)));
        let reductions = self.reductions(&used);
        let directive = LoopDirective { vector: Some(None), reductions, ..independent(block.d.name_span) };
        // What is declared without a value has its place in the team's memory from the start.
        let kept = self.thread_values.clone();
        let in_place = |var: &Var| {
            let of = |v: &ThreadValue| matches!(v, ThreadValue::Kept { id, .. } if *id == var.id);
            var.init.is_none() && is_aggregate(&var.ty) && kept.iter().any(of)
        };
        let items: Vec<Ast> = items.iter().filter(|s| !declared(s).iter().any(in_place)).cloned().collect();
        let items = &items[..];
        let span = block.d.name_span;
        self.loop_over_threads(&block.threads, directive, |f| {
            f.where_marked(block, span, |f| {
                f.with_own_copies(block.arrays.clone(), span, |f| {
                    f.with_thread_values(items, |f| {
                        f.items(items);
                        Ok(())
                    })
                })
            })
        })
    }

    /// One thread after the other.
    fn in_turn(&mut self, block: &Parallel<'_>, s: &Ast) -> Lowered<()> {
        let directive = LoopDirective { seq: true, independent: false, ..independent(s.span) };
        self.loop_over_threads(&block.threads, directive, |f| {
            let around = std::mem::replace(&mut f.in_turn, true);
            let lowered = f.with_thread_values(std::slice::from_ref(s), |f| f.device_stmt(s));
            f.in_turn = around;
            lowered
        })
    }

    /// Each thread's array gets its values where it lies.
    fn fill_array(&mut self, block: &Parallel<'_>, declaration: &Ast) -> Lowered<()> {
        let directive = LoopDirective { vector: Some(None), ..independent(declaration.span) };
        for var in declared(declaration) {
            let Some(init) = &var.init else { continue };
            let values = Ast { kind: StmtKind::Expr(init.clone()), span: declaration.span };
            self.loop_over_threads(&block.threads, directive.clone(), |f| {
                f.where_marked(block, var.span, |f| {
                    f.with_thread_values(&[values], |f| {
                        let Some(place) = f.place_of_thread(var.id, var.span) else { return Ok(()) };
                        f.initialize(place, init)
                    })
                })
            })?;
        }
        Ok(())
    }

    /// What all threads of the block do alike is done once, for all of them.
    fn together<R>(&mut self, block: &Parallel<'_>, inside: impl FnOnce(&mut Self) -> R) -> R {
        let outside = std::mem::replace(&mut self.thread, Runners::Together(block.threads.clone()));
        let depth = std::mem::replace(&mut self.in_threads, true);
        let result = inside(self);
        (self.thread, self.in_threads) = (outside, depth);
        result
    }

    /// A loop or condition around barriers.
    fn control(&mut self, block: &Parallel<'_>, s: &Ast) -> Lowered<()> {
        let span = s.span;
        match &s.kind {
            StmtKind::Compound(items) => {
                let (inner, ()) = self.try_block(|f| f.parallel_items(block, items))?;
                self.emit(Stmt::Block(inner), span);
                Ok(())
            }
            StmtKind::If { cond, then, otherwise, .. } if self.is_divergent(&block.uniform, s) => {
                self.divergent_if(block, cond, then, otherwise.as_deref())
            }
            StmtKind::For { init: Some(init), cond, step, body } if self.is_divergent(&block.uniform, s) => {
                let (cond, step, body) = (cond.clone(), step.clone(), body.clone());
                let rest = Ast { kind: StmtKind::For { init: None, cond, step, body }, span };
                let (inner, ()) = self.try_block(|f| f.parallel_items(block, &[(**init).clone(), rest]))?;
                self.emit(Stmt::Block(inner), span);
                Ok(())
            }
            StmtKind::For { init: None, cond: Some(cond), step, body }
                if self.is_divergent(&block.uniform, s) =>
            {
                self.divergent_loop(block, cond, step.as_ref(), body, false)
            }
            StmtKind::While { cond, body } if self.is_divergent(&block.uniform, s) => {
                self.divergent_loop(block, cond, None, body, false)
            }
            StmtKind::DoWhile { cond, body } if self.is_divergent(&block.uniform, s) => {
                self.divergent_loop(block, cond, None, body, true)
            }
            StmtKind::If { init: None, cond, then, otherwise } => {
                self.must_agree(block, cond)?;
                let cond = self.together(block, |f| f.cond(cond))?;
                let (then, ()) = self.try_block(|f| f.parallel_items(block, items_of(then)))?;
                let otherwise = match otherwise {
                    Some(s) => self.try_block(|f| f.parallel_items(block, items_of(s)))?.0,
                    None => vec![],
                };
                self.emit(Stmt::If { cond, then, otherwise }, span);
                Ok(())
            }
            StmtKind::For { init, cond, step, body } => {
                let (inner, ()) = self.try_block(|f| {
                    init.iter().for_each(|s| f.together(block, |f| f.stmt(s)));
                    f.agreed_loop(block, cond.as_ref(), step.as_ref(), body, false, span)
                })?;
                self.emit(Stmt::Block(inner), span);
                Ok(())
            }
            StmtKind::While { cond, body } => self.agreed_loop(block, Some(cond), None, body, false, span),
            StmtKind::DoWhile { cond, body } => self.agreed_loop(block, Some(cond), None, body, true, span),
            StmtKind::Break | StmtKind::Continue => self.device_stmt(s),
            _ => Err(unsupported("a barrier in this statement", span)),
        }
    }

    fn must_agree(&self, block: &Parallel<'_>, cond: &Expr) -> Lowered<()> {
        match block.uniform.differs(cond) {
            false => Ok(()),
            true => Err(unsupported(
                "a condition that differs between threads around a barrier, or around what leaves a loop with barriers",
                cond.span,
            )),
        }
    }

    fn agreed_loop(
        &mut self,
        block: &Parallel<'_>,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        body: &Ast,
        test_last: bool,
        span: Span,
    ) -> Lowered<()> {
        cond.map_or(Ok(()), |cond| self.must_agree(block, cond))?;
        let test = cond.map(|c| self.together(block, |f| f.try_block(|f| f.cond(c)))).transpose()?;
        let (body, ()) = self.try_block(|f| f.parallel_items(block, items_of(body)))?;
        let step = match step {
            Some(step) => self.together(block, |f| f.try_block(|f| f.effect(step)))?.0,
            None => vec![],
        };
        self.loop_while(test, body, step, test_last, span);
        Ok(())
    }

    fn team_construct(&mut self, block: &Parallel<'_>, index: usize, inner: &Ast) -> Lowered<()> {
        let pragma = &self.cx.pragmas[index];
        let work = self.cx.work_in(inner, true);
        let own = work.asks_for_threads || work.asks_for_levels || self.uses_thread_values(inner);
        match &pragma.directive.kind {
            DirectiveKind::Loop => self.loop_of_block(block, pragma, inner, own),
            DirectiveKind::Threads(ThreadsKind::Scope) => self.parallel_items(block, items_of(inner)),
            DirectiveKind::Threads(ThreadsKind::Critical) => self.in_turn(block, inner),
            // The first thread runs what one of them is to run.
            _ if own => {
                let directive = LoopDirective { vector: Some(None), ..independent(pragma.span) };
                self.loop_over_threads(&block.threads, directive, |f| {
                    f.certain_thread(None, inner.span, |f| {
                        f.with_thread_values(std::slice::from_ref(inner), |f| f.device_stmt(inner))
                    })
                })?;
                self.hand_out(block, &pragma.directive)
            }
            _ => self.device_stmt(inner),
        }
    }

    /// `copyprivate`: the threads' variables get the value of the first thread's.
    fn hand_out(&mut self, block: &Parallel<'_>, d: &Directive) -> Lowered<()> {
        for section in d.clauses_for(DeviceKind::Cuda).privates.copyprivate {
            let kept = self.thread_values.iter().rev().find_map(|value| match value {
                ThreadValue::Kept { name, ty, array, .. } if section.as_variable() == Some(name) => {
                    Some((ty.clone(), *array))
                }
                _ => None,
            });
            let Some((of, array)) = kept.filter(|(of, _)| !matches!(*of.ty, Ty::Array { .. })) else {
                return Err(unsupported("`copyprivate` of this variable", section.span));
            };
            let (int, ty, span) = (self.i32(), self.ty(&of), section.span);
            let number = self.int(0, int, span);
            let first = self.kept_element(array, number, ty, span);
            let value = self.load(first, span);
            let value = self.spill("given", value, span);
            let directive = LoopDirective { vector: Some(None), ..independent(span) };
            self.loop_over_threads(&block.threads, directive, |f| {
                let value = f.load_local(value, span);
                let place = f.element_of_thread(array, ty, span);
                f.emit(Stmt::Store { place, op: None, value }, span);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// `if (thread == number) { … }`, within the loop over threads; without a number, the first.
    pub fn certain_thread(
        &mut self,
        number: Option<&CExpr>,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let Runners::Numbered(thread, _) = self.thread.clone() else { return inside(self) };
        let int = self.i32();
        let right = match number {
            Some(number) => {
                let value = self.clause_value(number, number.span)?;
                self.convert(value, int, span)
            }
            None => self.int(0, int, span),
        };
        let left = self.load_local(thread, span);
        let cond = self.expr(Ir::Binary { op: BinaryOp::Eq, left, right }, int, span);
        let (then, ()) = self.try_block(inside)?;
        self.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
        Ok(())
    }

    /// A loop that the block's threads share.
    fn loop_of_block(
        &mut self,
        block: &Parallel<'_>,
        pragma: &Pragma,
        inner: &Ast,
        own: bool,
    ) -> Lowered<()> {
        let mut d = pragma.directive.clone();
        let taken_over = |c: &&Clause| {
            matches!(c.kind, ClauseKind::Private(_) | ClauseKind::Firstprivate(_) | ClauseKind::Reduction(_))
        };
        if !own {
            d.clauses.extend(block.d.clauses.iter().filter(taken_over).cloned());
            let vars = self.vars.clone();
            let result = self.device_loop(&d, pragma, inner);
            // What the loop counted with is the variable outside again.
            self.vars.extend(vars);
            return result;
        }
        let (d, arrays) = self.without_array_reductions(&d, inner);
        self.needs_no_order(&d, inner)?;
        let before = self.updated_in_place.len();
        let arrays = self.update_in_place(arrays);
        let result = self.threads_loop(&d, &block.threads.clone(), |f| {
            f.with_thread_values(std::slice::from_ref(inner), |f| {
                f.array_reductions = arrays;
                f.shared_loop(&d, pragma, inner, false, true)
            })
        });
        self.updated_in_place.truncate(before);
        result
    }
}

pub(super) fn items_of(body: &Ast) -> &[Ast] {
    match &body.kind {
        StmtKind::Compound(items) => items,
        _ => std::slice::from_ref(body),
    }
}

/// The statements, with one variable in each declaration.
fn one_declared(items: &[Ast]) -> Vec<Ast> {
    let split = |item: &Ast| match &item.kind {
        StmtKind::Decl(vars) => {
            vars.iter().map(|v| Ast { kind: StmtKind::Decl(vec![v.clone()]), span: item.span }).collect()
        }
        _ => vec![item.clone()],
    };
    items.iter().flat_map(split).collect()
}

/// It leaves a loop around it: that loop's threads must do so together.
pub(super) fn leaves(s: &Ast) -> bool {
    matches!(s.kind, StmtKind::Break | StmtKind::Continue)
        || !is_left(s)
            && !matches!(s.kind, StmtKind::Directed { .. })
            && walk::children(s).into_iter().any(leaves)
}

/// A `break` inside leaves this statement.
fn is_left(s: &Ast) -> bool {
    matches!(
        s.kind,
        StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::RangeFor { .. }
            | StmtKind::Switch { .. }
    )
}

/// Arrays with initialisers that other parts use than the one in which they are declared.
fn arrays_with_values(parts: &[Part<'_>], block: &Parallel<'_>, references: &[&Var]) -> BTreeSet<DeclId> {
    let mut found = BTreeSet::new();
    for (at, part) in parts.iter().enumerate() {
        let Part::Segment(own) = part else { continue };
        let arrays = own.iter().flat_map(declared).filter(|v| {
            matches!(*v.ty.ty, Ty::Array { .. }) && v.init.is_some() && !block.of_team.contains(&v.id)
        });
        found.extend(arrays.map(|v| v.id).filter(|id| outlives(parts, at, *id, references)));
    }
    found
}

/// Whether other parts use it than the one where it is declared.
fn outlives(parts: &[Part<'_>], at: usize, id: DeclId, references: &[&Var]) -> bool {
    let mut others = parts.iter().enumerate().filter(|(other, _)| *other != at);
    others.any(|(_, part)| part_uses(part, id, references))
}

/// By its name, or through one of the references, lambdas or values that are made again.
fn part_uses(part: &Part<'_>, id: DeclId, references: &[&Var]) -> bool {
    let named = match part {
        Part::Segment(items) => items.iter().any(|s| walk::uses_within(s, id) > 0),
        Part::Team(s) | Part::Control(s) | Part::Construct(_, s) | Part::Filled(s) | Part::InTurn(s) => {
            walk::uses_within(s, id) > 0
        }
    };
    let refers = |var: &&&Var| match lambda(var) {
        Some(lambda) => lambda.captures.iter().any(|c| c.id == Some(id)),
        None if var.ty.is_reference() => var.init.as_ref().and_then(walk::root) == Some(id),
        None => var.init.as_ref().is_some_and(|init| walk::uses(init, id) > 0),
    };
    named || references.iter().filter(refers).any(|var| part_uses(part, var.id, references))
}

/// The variables of the construct's reductions that the statement names.
fn reduced(d: &Directive, body: &Ast) -> BTreeSet<DeclId> {
    let reductions = d.clauses_for(DeviceKind::Cuda).privates.reductions;
    let mut found = BTreeSet::new();
    walk::exprs(body, &mut |e| match &e.kind {
        ExprKind::Var(id, name)
            if reductions.iter().flat_map(|r| &r.vars).any(|v| v.as_variable() == Some(name)) =>
        {
            found.insert(*id);
        }
        _ => {}
    });
    found
}

fn names_one_of(s: &Ast, reduction: &Reduction) -> bool {
    let mut found = false;
    walk::exprs(s, &mut |e| {
        if let ExprKind::Var(_, name) = &e.kind {
            found |= reduction.vars.iter().any(|v| v.as_variable() == Some(name));
        }
    });
    found
}

/// Each value that a statement gives a variable.
fn each_value<'a>(s: &'a Ast, visit: &mut dyn FnMut(DeclId, &'a Expr)) {
    if let StmtKind::Decl(vars) = &s.kind {
        vars.iter().for_each(|v| v.init.iter().for_each(|init| visit(v.id, init)));
    }
    for own in walk::own_exprs(s) {
        walk::within(own, &mut |e| {
            if let ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } = &e.kind
                && let Some(id) = walk::root(place)
            {
                visit(id, value);
            }
        });
    }
    walk::children(s).into_iter().for_each(|inner| each_value(inner, visit));
}
