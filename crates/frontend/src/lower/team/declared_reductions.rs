//! Reductions that the program declares (OpenMP 5.2 §5.5.11), in loops that the threads of one team share.
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
//! What combines two values of the program's types is code of the program's, which cannot be atomic: so there is one team.
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
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, LoopDirective, Stmt};
use accl_source::Span;

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

    /// Whether the construct, or a loop in it, has such reductions.
    pub fn has_declared_reductions(&mut self, d: &Directive, body: &Ast) -> bool {
        if self.without_array_reductions(d, body).1.iter().any(|array| array.declared.is_some()) {
            return true;
        }
        match &body.kind {
            StmtKind::Directed { directive, body: Some(inner) } => {
                let d = &self.cx.pragmas[*directive].directive;
                self.has_declared_reductions(d, inner)
            }
            _ => {
                let nothing = Directive { clauses: vec![], ..d.clone() };
                let children = walk::children(body);
                children.into_iter().any(|inner| self.has_declared_reductions(&nothing, inner))
            }
        }
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
                f.combine(declared, Some(variable), zero, span)?;
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
                let own = f.value_of_thread(declared, thread, span);
                f.combine(declared, own, other, span)
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

    /// Combines the value at a place with that of the thread of this number.
    fn combine(
        &mut self,
        declared: DeclaredReduction,
        place: Option<Handle<IrExpr>>,
        number: Handle<IrExpr>,
        span: Span,
    ) -> Lowered<()> {
        let other = self.value_of_thread(declared, number, span);
        if let (Some(place), Some(other)) = (place, other) {
            let args = vec![self.address_of(place, span)?, self.address_of(other, span)?];
            self.call_declared(declared.combine, args, span);
        }
        Ok(())
    }

    /// The thread's own value is the first one.
    pub(super) fn start(&mut self, copy: &Copy, declared: DeclaredReduction) -> Lowered<()> {
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

    /// The thread's own value is one of its team's.
    pub(super) fn keep_value(
        &mut self,
        own: Handle<Local>,
        declared: DeclaredReduction,
        span: Span,
    ) -> Lowered<()> {
        let Runners::Numbered(thread, _) = self.thread.clone() else {
            return Err(unsupported("such a reduction by threads that have no numbers", span));
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
