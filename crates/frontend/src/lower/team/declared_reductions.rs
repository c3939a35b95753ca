//! Reductions that the program declares (OpenMP 5.2 §5.5.11), of teams and in loops that the threads of a team share.
//!
//! Each thread has a value of its own while it runs its iterations, and puts it into an array of its team's memory in the end.
//! There, threads combine two values each, the distance between which is halved from one step to the next:
//!
//! ```text
//! for (t = 0; t < threads; t++)        // vector
//!   { start(own); …; values[t] = own; }
//! for (t = 0; t < 64; t++)             // vector; the same with 32, 16, …
//!   if (t + 64 < threads) combine(values[t], values[t + 64]);
//! combine(variable, values[0]);
//! ```
//!
//! What combines two values of the program's types is code of the program's, which cannot be atomic. So teams do not meet, either:
//! each has a value of its own in the variable's place, which it leaves in an array of the construct's, and a second kernel, of one
//! team, combines these. Between the kernels all teams have ended, on every device.
//!
//! ```text
//! for (team = 0; team < teams; team++)   // gang
//!   { start(own); …; values[team] = own; }
//! for (one = 0; one < 1; one++)          // gang; a thread takes the values t, t + threads, …
//!   …
//! ```
//!
//! The functions are those that `resolve::declared_reductions` has put behind the directive.

use super::array_reductions::{ArrayReduction, Copy};
use super::{Count, MOST_THREADS, Runners, independent};
use crate::ast::{DeclId, Stmt as Ast, StmtKind, Ty};
use crate::lower::expr::unsupported;
use crate::lower::function::Fun;
use crate::lower::scope::Named;
use crate::lower::{Lowered, walk};
use crate::resolve::declared_reductions::{combining, starting};
use accl_directives::{DeviceKind, Directive, Section};
use accl_ir::{
    BinaryOp, DataFlags, DataItem, DataKind, DataVar, Expr as IrExpr, ExprKind as Ir, Handle, HostExpr,
    Local, LocalKind, Loop, LoopDirective, RegionClauses, SectionDim, Stmt,
};
use accl_source::Span;
use std::collections::BTreeSet;

/// Bytes of a team's memory for the values of its threads.
const MOST_OF_VALUES: u64 = 24 << 10;
/// Threads of the one team, where no clause says how many.
const USUAL_THREADS: u64 = 512;
const LEAST_THREADS: u64 = 32;

#[derive(Clone, Copy, Debug)]
pub struct DeclaredReduction {
    combine: DeclId,
    start: DeclId,
    /// The values of the team's threads, in the loop that they share.
    values: Option<Handle<Local>>,
}

impl Fun<'_, '_> {
    /// A variable of which threads have values that functions of the program combine.
    pub(super) fn declared_reduction(&mut self, name: &str, section: &Section) -> Option<ArrayReduction> {
        let Named::Variable(id, original) = self.lookup(section.as_variable()?)? else { return None };
        let of = original.ty.referred().clone();
        let is_value = matches!(*of.ty, Ty::Int { .. } | Ty::Float { .. } | Ty::Record(_));
        if !is_value || !self.cx.is_assigned_by_bytes(&of) {
            return None;
        }
        let prefix = combining(name);
        let is_of = |f: &&crate::ast::Function| {
            let pointer = f.params.first().map(|param| param.ty.ty.clone());
            let of_type = matches!(pointer.as_deref(), Some(Ty::Pointer { to, .. }) if to.ty == of.ty);
            let name = f.name.rsplit("::").next().unwrap_or(&f.name);
            // Its place and the number of the type, else the identifier is a longer one.
            name.strip_prefix(&prefix).is_some_and(|rest| rest.split('_').count() == 2) && of_type
        };
        let functions = &self.cx.program.functions;
        let combine = functions.iter().filter(|f| f.span.start < section.span.start).rfind(is_of)?;
        let wanted = starting(&combine.name);
        let start = functions.iter().find(|f| f.name == wanted)?.id;
        let declared = DeclaredReduction { combine: combine.id, start, values: None };
        let section = section.clone();
        let ty = self.ty(&of);
        let bytes = self.cx.module.types.size_of(ty)?;
        Some(ArrayReduction::declared(section, id, original, bytes, declared))
    }

    /// The variables from outside the construct of which each team has a value. `None`: the code also uses one of them otherwise
    /// than a team's own value may be used, so there must be one team.
    pub fn declared_reductions_of_teams(&mut self, d: &Directive, body: &Ast) -> Option<Vec<ArrayReduction>> {
        let (mut found, mut declared) = (self.declared_reductions_in(d, body), BTreeSet::new());
        walk::vars(body, &mut |var| {
            declared.insert(var.id);
        });
        let mut inner = vec![];
        self.declared_reductions_within(body, &mut inner);
        let of_teams = found.len();
        for (array, uses) in inner {
            if declared.contains(&array.id) || found[..of_teams].iter().any(|own| own.id == array.id) {
                continue;
            }
            if walk::uses_within(body, array.id) > uses {
                return None;
            }
            found.push(array);
        }
        Some(found)
    }

    fn declared_reductions_in(&mut self, d: &Directive, body: &Ast) -> Vec<ArrayReduction> {
        let (_, mut arrays) = self.without_array_reductions(d, body);
        arrays.retain(|array| array.declared.is_some());
        arrays
    }

    /// Those of the directives in a statement, and how often what they govern uses the variable.
    fn declared_reductions_within(&mut self, s: &Ast, found: &mut Vec<(ArrayReduction, usize)>) {
        if let StmtKind::Directed { directive, body: Some(inner) } = &s.kind {
            let arrays = self.declared_reductions_in(&self.cx.pragmas[*directive].directive, inner);
            let used = arrays.into_iter().map(|array| {
                let uses = walk::uses_within(inner, array.id);
                (array, uses)
            });
            found.extend(used);
        }
        walk::children(s).into_iter().for_each(|inner| self.declared_reductions_within(inner, found));
    }

    /// Runs the loop over teams that `inside` makes, each with values of its own, and a second one that combines these.
    pub fn with_values_of_teams(
        &mut self,
        d: &Directive,
        reduced: &[(ArrayReduction, Handle<Local>)],
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let (span, teams) = (d.name_span, self.count_of_teams(d));
        if reduced.is_empty() {
            return self.teams_loop(d, inside);
        }
        let vars = self.vars.clone();
        self.teams_loop(d, |f| {
            let mut copies = vec![];
            for (array, _) in reduced {
                let copy = f.reduced_copy(array, "team");
                f.start(&copy, array.declared)?;
                copies.push(copy);
            }
            copies.iter().try_for_each(|copy| f.bring_copy(copy))?;
            inside(f)?;
            let Runners::Numbered(team, _) = f.team.clone() else { return Ok(()) };
            for (copy, (_, values)) in copies.iter().zip(reduced) {
                let index = f.load_local(team, span);
                let place = f.element_of(*values, index, span);
                let value = f.load_local(copy.local, span);
                f.emit(Stmt::Store { place, op: None, value }, span);
            }
            Ok(())
        })?;
        self.vars = vars;
        let arrays: Vec<ArrayReduction> = reduced.iter().map(|(array, _)| array.clone()).collect();
        let threads = self.threads_with_values(d, &arrays);
        let int = self.i32();
        let one = self.local("one", int, LocalKind::Auto, span);
        let (body, ()) = self.try_block(|f| {
            f.with_values_of_threads(arrays, &threads, span, |f, arrays| {
                let spread = LoopDirective { vector: Some(None), ..independent(span) };
                f.loop_over_threads(&threads, spread, |f| {
                    f.with_own_copies(arrays, span, |f| f.take_values_of_teams(reduced, &teams, span))
                })
            })
        })?;
        let gang = LoopDirective { gang: Some(None), ..independent(span) };
        self.numbered_loop(one, &Count::Constant(1), body, gang)
    }

    /// A thread combines the values of some teams with its own.
    fn take_values_of_teams(
        &mut self,
        reduced: &[(ArrayReduction, Handle<Local>)],
        teams: &Count,
        span: Span,
    ) -> Lowered<()> {
        let Some((lower, step)) = self.spread(span)? else { return Ok(()) };
        let (int, bound) = (self.i32(), self.count_value(teams, span)?);
        let var = self.local("team", int, LocalKind::Auto, span);
        let (body, ()) = self.try_block(|f| {
            reduced.iter().try_for_each(|(array, values)| {
                let Some(declared) = array.declared else { return Ok(()) };
                let own = f.var_place(array.id, &array.section.base.root.name, span)?;
                let index = f.load_local(var, span);
                let other = f.element_of(*values, index, span);
                f.combine(declared, own, other, span)
            })
        })?;
        self.emit(Stmt::For(Box::new(Loop::counting(var, lower, bound, step, body))), span);
        Ok(())
    }

    /// The construct's own array for the values of teams.
    pub fn values_of_teams(
        &mut self,
        reduced: Vec<ArrayReduction>,
        clauses: &mut RegionClauses,
        d: &Directive,
    ) -> Vec<(ArrayReduction, Handle<Local>)> {
        let mut with_values = vec![];
        for array in reduced {
            let span = array.section.span;
            let length = match (&clauses.num_gangs, self.count_of_teams(d)) {
                (None, Count::Constant(number)) => HostExpr::constant(number, span),
                (Some(number), _) => number.clone(),
                (None, _) => continue,
            };
            let name = format!("{}_of_teams", array.section.base.root.name);
            let ty = self.ty(array.original.ty.referred());
            let ty = self.cx.module.types.pointer(ty);
            let local = self.local(&name, ty, LocalKind::Copy, span);
            // The construct's memory stands in the place of the variable's.
            let base = format!("(&{})", array.section.base.root.name);
            clauses.data.push(DataItem {
                flags: DataFlags { private: true, ..DataFlags::default() },
                section: vec![SectionDim { lower: None, length: Some(length) }],
                ..DataItem::new(DataKind::Create, DataVar::Local(local), name, base, ty, span)
            });
            with_values.push((array, local));
        }
        with_values
    }

    fn element_of(&mut self, pointer: Handle<Local>, index: Handle<IrExpr>, span: Span) -> Handle<IrExpr> {
        let base = self.load_local(pointer, span);
        let pointer = self.ty_of(base);
        let element = self.cx.module.types.element(pointer).unwrap_or(pointer);
        self.expr(Ir::Index { base, index }, element, span)
    }

    /// The threads of a team that shares such a loop.
    pub(super) fn threads_with_values(&mut self, d: &Directive, arrays: &[ArrayReduction]) -> Count {
        let bytes: u64 = arrays.iter().filter(|a| a.declared.is_some()).map(|a| a.bytes).sum();
        match self.threads_of(d) {
            Count::Constant(_) if bytes > 0 && self.says_no_number(d) => {
                let fitting = MOST_OF_VALUES / bytes;
                let threads =
                    if fitting.is_power_of_two() { fitting } else { fitting.next_power_of_two() / 2 };
                Count::Constant(threads.clamp(LEAST_THREADS, USUAL_THREADS) as i64)
            }
            count => count,
        }
    }

    fn says_no_number(&self, d: &Directive) -> bool {
        let view = d.clauses_for(DeviceKind::Cuda);
        let size = view.sizes.vector_length.or(self.thread_limit.as_ref());
        size.is_none() && view.conditions.parallel_if.is_none()
    }

    /// Runs a loop that a team's threads share, and combines the values that they have left in the team's memory.
    pub(super) fn with_values_of_threads(
        &mut self,
        mut reduced: Vec<ArrayReduction>,
        threads: &Count,
        span: Span,
        inside: impl FnOnce(&mut Self, Vec<ArrayReduction>) -> Lowered<()>,
    ) -> Lowered<()> {
        let most = match threads {
            Count::Constant(number) => *number,
            Count::Clause(e) | Count::Limited(e) => self.constant(e).unwrap_or(MOST_THREADS),
        };
        let most = most.clamp(1, MOST_THREADS) as u64;
        if reduced.iter().map(|array| array.bytes * most).sum::<u64>() > MOST_OF_VALUES {
            return Err(unsupported("a reduction of so large a value by so many threads", span));
        }
        let vars = self.vars.clone();
        let lowered = self.try_block(|f| {
            for array in &mut reduced {
                let ty = f.ty(array.original.ty.referred());
                let ty = f.cx.module.types.array(ty, most);
                let name = format!("{}_of_threads", array.section.base.root.name);
                let local = f.local(&name, ty, LocalKind::Auto, span);
                f.emit(Stmt::Declare { local, init: None }, span);
                array.declared =
                    array.declared.map(|declared| DeclaredReduction { values: Some(local), ..declared });
            }
            inside(f, reduced.clone())?;
            f.vars = vars.clone();
            let mut half = most.next_power_of_two() / 2;
            while half > 0 {
                let spread = LoopDirective { vector: Some(None), ..independent(span) };
                f.loop_over_threads(&Count::Constant(half as i64), spread, |f| {
                    f.combine_halves(&reduced, half, threads, span)
                })?;
                half /= 2;
            }
            let int = f.i32();
            for array in &reduced {
                let Some(declared) = array.declared else { continue };
                let variable = f.var_place(array.id, &array.section.base.root.name, span)?;
                let zero = f.int(0, int, span);
                let Some(first) = f.value_of_thread(declared, zero, span) else { continue };
                f.combine(declared, variable, first, span)?;
            }
            Ok(())
        });
        self.vars = vars;
        let (block, ()) = lowered?;
        self.emit(Stmt::Block(block), span);
        Ok(())
    }

    /// A thread combines its value with the one so many places behind, where there is one.
    fn combine_halves(
        &mut self,
        reduced: &[ArrayReduction],
        half: u64,
        threads: &Count,
        span: Span,
    ) -> Lowered<()> {
        let Runners::Numbered(number, _) = self.thread.clone() else { return Ok(()) };
        let (int, count) = (self.i32(), self.count_value(threads, span)?);
        let (thread, half) = (self.load_local(number, span), self.int(half.into(), int, span));
        let other = self.expr(Ir::Binary { op: BinaryOp::Add, left: thread, right: half }, int, span);
        let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left: other, right: count }, int, span);
        let (then, ()) = self.try_block(|f| {
            reduced.iter().filter_map(|array| array.declared).try_for_each(|declared| {
                match (f.value_of_thread(declared, thread, span), f.value_of_thread(declared, other, span)) {
                    (Some(own), Some(other)) => f.combine(declared, own, other, span),
                    _ => Ok(()),
                }
            })
        })?;
        self.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
        Ok(())
    }

    fn value_of_thread(
        &mut self,
        declared: DeclaredReduction,
        index: Handle<IrExpr>,
        span: Span,
    ) -> Option<Handle<IrExpr>> {
        let base = self.local_place(declared.values?, span);
        let element = self.cx.module.types.element(self.ty_of(base))?;
        Some(self.expr(Ir::Index { base, index }, element, span))
    }

    /// Combines the value at a place with another one.
    fn combine(
        &mut self,
        declared: DeclaredReduction,
        place: Handle<IrExpr>,
        other: Handle<IrExpr>,
        span: Span,
    ) -> Lowered<()> {
        let args = vec![self.address_of(place, span)?, self.address_of(other, span)?];
        self.call_declared(declared.combine, args, span);
        Ok(())
    }

    /// The thread's, or the team's, own value is the first one.
    pub(super) fn start(&mut self, copy: &Copy, declared: Option<DeclaredReduction>) -> Lowered<()> {
        let Some(declared) = declared else { return Ok(()) };
        let span = copy.reduction.section.span;
        let own = self.local_place(copy.local, span);
        let mut args = vec![self.address_of(own, span)?];
        if self.cx.function_decl(declared.start).is_some_and(|f| f.params.len() == 2) {
            let original = self.var_place(copy.reduction.id, &copy.reduction.section.base.root.name, span)?;
            args.push(self.load(original, span));
        }
        self.call_declared(declared.start, args, span);
        Ok(())
    }

    /// The thread's own value is one of its team's. Where teams alone share the loop, the team's value takes it up.
    pub(super) fn keep_value(&mut self, copy: &Copy, declared: DeclaredReduction, span: Span) -> Lowered<()> {
        let (reduction, own) = (&copy.reduction, copy.local);
        let thread = match self.thread.clone() {
            Runners::Numbered(thread, _) => thread,
            Runners::One => {
                let variable = self.var_place(reduction.id, &reduction.section.base.root.name, span)?;
                let own = self.local_place(own, span);
                return self.combine(declared, variable, own, span);
            }
            Runners::Together(_) | Runners::Unknown => {
                return Err(unsupported("such a reduction by threads that have no numbers", span));
            }
        };
        let index = self.load_local(thread, span);
        let Some(place) = self.value_of_thread(declared, index, span) else {
            return Err(unsupported("such a reduction by some threads of a team", span));
        };
        let value = self.load_local(own, span);
        self.emit(Stmt::Store { place, op: None, value }, span);
        Ok(())
    }

    fn call_declared(&mut self, function: DeclId, args: Vec<Handle<IrExpr>>, span: Span) {
        let Some(decl) = self.cx.function_decl(function) else { return };
        let function = self.cx.function(decl);
        self.emit(Stmt::Call { dest: None, function, args }, span);
    }
}
