//! Variables of which each iteration of a parallel loop has a copy that starts with a value, or leaves one (`firstprivate` and
//! `lastprivate` on loops, OpenMP 5.2 §5.4.4, §5.4.5).
//!
//! A copy is a local of the loop's body. A thread that runs several iterations starts each with the value outside: by the
//! standard a program may count on that value only where no iteration has changed its copy.

use super::Lowered;
use super::expr::unsupported;
use super::function::{Binding, Fun, Variable};
use super::loops::Header;
use super::one_thread::outer_loop_variables;
use super::private_rows::Rows;
use super::scope::Named;
use super::walk;
use crate::ast::{DeclId, Stmt as Ast, Ty};
use accl_directives::{CExpr, Directive, PrivateClauses, Section};
use accl_ir::{
    BinaryOp, Block, Compare, Expr, ExprKind as Ir, Handle, Local, LocalKind, Stmt, TypeKind, UnaryOp,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// What a loop directive asks for, until the body of the innermost loop that it joins.
#[derive(Default)]
pub struct IterationCopies {
    /// Loops that are still to be opened.
    pub loops: u32,
    pub first: Vec<Section>,
    pub last: Vec<Section>,
    /// Those that start without a value.
    pub private: Vec<Section>,
    /// Those that grow by a step, in a loop that one thread runs.
    pub linear: Vec<Linear>,
    /// The same in a loop that threads share, where `next` is the value at its start, and the last iteration's comes back.
    pub spread: Vec<Linear>,
    /// For each loop, whether the iteration is the last.
    pub ends: Vec<Handle<Expr>>,
    /// Variables that the loops count with, whose values afterwards go to the variables outside.
    pub counters: Vec<Counter>,
    /// Sections with a row for each iteration, and the number of the iteration of the loops opened so far.
    pub rows: Vec<Rows>,
    pub number: Option<Handle<Expr>>,
}

/// A loop counts with a copy of the variable that a clause names.
pub struct Counter {
    pub id: DeclId,
    pub original: Variable,
    /// What the loop adds, once its header was read.
    pub step: Option<Handle<Expr>>,
    pub span: Span,
}

impl IterationCopies {
    /// What these clauses ask of so many joined loops; `None`: nothing.
    pub fn of(
        clauses: &PrivateClauses<'_>,
        private: &[&Section],
        loops: u32,
    ) -> Option<Box<IterationCopies>> {
        let owned = |list: &[&Section]| list.iter().copied().cloned().collect::<Vec<_>>();
        let (first, last) = (owned(&clauses.firstprivate), owned(&clauses.lastprivate));
        let copies = IterationCopies {
            loops,
            first,
            last,
            private: owned(private),
            linear: vec![],
            spread: vec![],
            ends: vec![],
            counters: vec![],
            rows: vec![],
            number: None,
        };
        let asked = [&copies.first, &copies.last, &copies.private].iter().any(|list| !list.is_empty());
        asked.then(|| Box::new(copies))
    }
}

/// A variable that each iteration starts with the value of `next`, which then grows by the step.
pub struct Linear {
    pub id: DeclId,
    pub next: Handle<Local>,
    /// `None`: 1.
    pub step: Option<CExpr>,
    pub span: Span,
}

struct Copy {
    id: DeclId,
    original: Variable,
    local: Handle<Local>,
    /// Its value goes to the original after the last iteration.
    last: bool,
    span: Span,
}

impl Fun<'_, '_> {
    /// The body of a loop with this variable, bounds and step, which may count otherwise than its header says.
    pub fn loop_body(
        &mut self,
        header: &Header<'_>,
        var: Handle<Local>,
        compare: Compare,
        [lower, bound, step]: [Handle<Expr>; 3],
    ) -> Block {
        let Some(mut copies) = self.iteration_copies.take() else { return self.stmt_block(header.body) };
        for counter in copies.counters.iter_mut().filter(|counter| counter.id == header.var) {
            counter.step.get_or_insert(step);
        }
        if !copies.last.is_empty() || !copies.counters.is_empty() || !copies.spread.is_empty() {
            let end = self.is_last(header.span, var, compare, [bound, step]);
            copies.ends.push(end);
        }
        if !copies.rows.is_empty() {
            copies.number =
                Some(self.joined_number(copies.number, header.span, var, compare, [lower, bound, step]));
        }
        copies.loops -= 1;
        if copies.loops > 0 {
            self.iteration_copies = Some(copies);
            let body = self.stmt_block(header.body);
            // The loop inside would have taken them.
            if self.iteration_copies.take().is_some() {
                let what = "a joined loop whose iterations cannot be counted before it runs, beside copies of variables";
                self.cx.error(*unsupported(what, header.body.span));
            }
            return body;
        }
        self.block(|f| {
            let number =
                (!copies.spread.is_empty()).then(|| f.iteration_number(var, lower, step, header.span));
            f.body_with_copies(&copies, number, header.body)
        })
    }

    /// The loop adds this to its variable, whatever its counter counts.
    pub fn leave_counters_after(&mut self, header: &Header<'_>, step: Handle<Expr>) {
        let copies = self.iteration_copies.iter_mut().flat_map(|copies| &mut copies.counters);
        copies.filter(|counter| counter.id == header.var).for_each(|counter| counter.step = Some(step));
    }

    fn body_with_copies(&mut self, copies: &IterationCopies, number: Option<Handle<Expr>>, body: &Ast) {
        let first = copies.first.iter().map(|section| (section, true, false));
        let last = copies.last.iter().map(|section| {
            let name = section.as_variable();
            (section, copies.first.iter().any(|s| s.as_variable() == name), true)
        });
        let mut made: Vec<Copy> = vec![];
        let private = copies.private.iter().map(|section| (section, false, false));
        for (section, starts, last) in last.chain(first).chain(private) {
            if let Some(copy) = self.copy_of(section, starts, last, body, &made) {
                made.push(copy);
            }
        }
        for (rows, number) in copies.rows.iter().zip(copies.number.into_iter().cycle()) {
            match self.own_row(rows, number) {
                Ok(row) => made.extend(row.map(|(id, original, local)| Copy {
                    id,
                    original,
                    local,
                    last: false,
                    span: rows.section.span,
                })),
                Err(refused) => self.report(refused),
            }
        }
        copies.linear.iter().for_each(|linear| self.start_linear(linear));
        for (linear, number) in copies.spread.iter().zip(number.into_iter().cycle()) {
            match self.own_linear(linear, number) {
                Ok(copy) => made.extend(copy),
                Err(refused) => self.report(refused),
            }
        }
        let inner = self.stmt_block(body);
        self.blocks.last_mut().into_iter().for_each(|b| b.extend(inner.clone()));
        for copy in &made {
            self.vars.insert(copy.id, copy.original.clone());
        }
        let Some(all) = copies.ends.iter().copied().reduce(|a, b| self.both_hold(a, b)) else { return };
        let then = self.block(|f| {
            for copy in made.iter().filter(|copy| copy.last) {
                let name = f.text(copy.span);
                let left = f.var_place(copy.id, &name, copy.span).and_then(|place| {
                    let own = f.local_place(copy.local, copy.span);
                    f.copy_object(place, own, copy.span)
                });
                if let Err(refused) = left {
                    f.report(refused);
                }
            }
            copies.counters.iter().for_each(|counter| f.end_counter(counter));
        });
        self.emit(Stmt::If { cond: all, then, otherwise: vec![] }, body.span);
    }

    fn start_linear(&mut self, Linear { id, next, step, span }: &Linear) {
        let span = *span;
        let name = self.text(span);
        let lowered = self.var_place(*id, &name, span).and_then(|place| {
            let value = self.load_local(*next, span);
            self.emit(Stmt::Store { place, op: None, value }, span);
            let step = self.step_of_linear(step.as_ref(), span)?;
            let value = self.advanced(*next, step, span);
            let place = self.local_place(*next, span);
            self.emit(Stmt::Store { place, op: None, value }, span);
            Ok(())
        });
        if let Err(refused) = lowered {
            self.report(refused);
        }
    }

    fn step_of_linear(&mut self, step: Option<&CExpr>, span: Span) -> Lowered<Handle<Expr>> {
        match step {
            Some(step) => self.clause_value(step, step.span),
            None => {
                let int = self.i32();
                Ok(self.int(1, int, span))
            }
        }
    }

    /// The iteration's own variable, which is so many steps from the value at the start.
    fn own_linear(&mut self, linear: &Linear, number: Handle<Expr>) -> Lowered<Option<Copy>> {
        let Linear { id, next, step, span } = linear;
        let (id, span) = (*id, *span);
        let Some(original) = self.vars.get(&id).cloned() else { return Ok(None) };
        let step = self.step_of_linear(step.as_ref(), span)?;
        let ty = self.ty_of(step);
        let number = self.convert(number, ty, span);
        let steps = self.expr(Ir::Binary { op: BinaryOp::Mul, left: number, right: step }, ty, span);
        let value = self.advanced(*next, steps, span);
        let (name, ty) = (self.text(span), self.body.locals[*next].ty);
        let local = self.local(&name, ty, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local, init: Some(value) }, span);
        let of = original.ty.referred().clone();
        self.vars.insert(id, Variable { binding: Binding::Local(local), ty: of, ..original.clone() });
        Ok(Some(Copy { id, original, local, last: true, span }))
    }

    fn iteration_number(
        &mut self,
        var: Handle<Local>,
        lower: Handle<Expr>,
        step: Handle<Expr>,
        span: Span,
    ) -> Handle<Expr> {
        let (at, ty) = (self.load_local(var, span), self.body.locals[var].ty);
        let past = self.expr(Ir::Binary { op: BinaryOp::Sub, left: at, right: lower }, ty, span);
        self.expr(Ir::Binary { op: BinaryOp::Div, left: past, right: step }, ty, span)
    }

    fn copy_of(
        &mut self,
        section: &Section,
        starts: bool,
        last: bool,
        body: &Ast,
        made: &[Copy],
    ) -> Option<Copy> {
        let (id, original) = match section.as_variable().and_then(|name| self.lookup(name)) {
            Some(Named::Variable(id, original)) => (id, original),
            // The construct's own clauses report names that nothing has.
            _ => return None,
        };
        match self.own_section(id, &original, section) {
            // There is no value to leave: nothing but the name is given back.
            Ok(true) => {
                let Binding::Local(local) = self.vars[&id].binding else { return None };
                return Some(Copy { id, original, local, last: false, span: section.span });
            }
            Ok(false) => {}
            Err(refused) => self.report(refused),
        }
        // What no iteration changes needs no copies.
        if made.iter().any(|copy| copy.id == id) || !last && !walk::may_change(body, id) {
            return None;
        }
        let of = original.ty.referred().clone();
        let ty = self.ty(&of);
        let has_size = self.cx.module.types.size_of(ty).is_some();
        if !has_size || !self.cx.is_copied_by_bytes(&of) {
            let message =
                "objects with constructors that each iteration has a copy of are not implemented yet";
            self.cx.error(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(section.span));
            return None;
        }
        match self.own_copy(id, &original, starts, section.span) {
            Ok(local) => Some(Copy { id, original, local, last, span: section.span }),
            Err(refused) => {
                self.report(refused);
                None
            }
        }
    }

    /// Declares a copy of a variable, which has the variable's name from here on.
    pub fn own_copy(
        &mut self,
        id: DeclId,
        original: &Variable,
        starts: bool,
        span: Span,
    ) -> Lowered<Handle<Local>> {
        let of = original.ty.referred().clone();
        let (ty, name) = (self.ty(&of), self.text(span));
        let outside = starts.then(|| self.var_place(id, &name, span)).transpose()?;
        let local = self.local(&name, ty, LocalKind::Auto, span);
        let is_array = matches!(*of.ty, Ty::Array { .. });
        let init = outside.filter(|_| !is_array).map(|place| self.load(place, span));
        self.emit(Stmt::Declare { local, init }, span);
        if let Some(outside) = outside.filter(|_| is_array) {
            let own = self.local_place(local, span);
            self.copy_object(own, outside, span)?;
        }
        self.vars.insert(id, Variable { binding: Binding::Local(local), ty: of, ..original.clone() });
        Ok(local)
    }

    /// `original = variable + step`: what the variable is after the loop.
    fn end_counter(&mut self, counter: &Counter) {
        let (span, Some(step)) = (counter.span, counter.step) else { return };
        let Some(Variable { binding: Binding::Local(own), .. }) = self.vars.get(&counter.id) else { return };
        let value = self.advanced(*own, step, span);
        if let Some(place) = self.original_place(&counter.original, span) {
            self.emit(Stmt::Store { place, op: None, value }, span);
        }
    }

    /// `local + step`, in the type of the local.
    fn advanced(&mut self, local: Handle<Local>, step: Handle<Expr>, span: Span) -> Handle<Expr> {
        let (left, ty) = (self.load_local(local, span), self.body.locals[local].ty);
        let is_pointer = matches!(self.kind_of(left), TypeKind::Pointer { .. });
        let right = if is_pointer { step } else { self.convert(step, ty, span) };
        self.expr(Ir::Binary { op: BinaryOp::Add, left, right }, ty, span)
    }

    /// A loop with these clauses counts with copies of the variables that they name. So does a `simd` loop with a variable whose
    /// value the construct returns (OpenMP 5.2 §5.1.1).
    pub fn count_with_copies(
        &mut self,
        (d, body): (&Directive, &Ast),
        clauses: &PrivateClauses<'_>,
        counting: &[(DeclId, String)],
        copies: Option<Box<IterationCopies>>,
        loops: u32,
    ) -> Option<Box<IterationCopies>> {
        let linear = clauses.linear.iter().flat_map(|(list, _)| list.iter());
        let simd = self.is_simd(d, body);
        let returned = |(id, _): &&(DeclId, String)| simd && self.mapped_back.contains(id);
        let returned: Vec<Section> =
            counting.iter().filter(returned).map(|(_, name)| Section::variable(name, d.name_span)).collect();
        let named: Vec<&Section> =
            clauses.lastprivate.iter().copied().chain(linear).chain(&returned).collect();
        let mut counters: Vec<Counter> = vec![];
        let of_nest = outer_loop_variables(body, loops as usize);
        for section in named {
            let Some(Named::Variable(id, original)) = section.as_variable().and_then(|n| self.lookup(n))
            else {
                continue;
            };
            let is_joined = of_nest.iter().any(|(counter, ..)| *counter == id);
            // A reference of the user's cannot be counted with; others are variables that a team's threads share.
            let simple = original.ty.is_reference() == matches!(original.binding, Binding::Argument(_));
            if !is_joined || !simple || counters.iter().any(|c| c.id == id) {
                continue;
            }
            let of = original.ty.referred().clone();
            let ty = self.ty(&of);
            let name = &section.base.root.name;
            let own = self.local(name, ty, LocalKind::Auto, section.span);
            self.vars.insert(id, Variable { binding: Binding::Local(own), ty: of, ..original.clone() });
            counters.push(Counter { id, original, step: None, span: section.span });
        }
        if counters.is_empty() {
            return copies;
        }
        let mut copies = copies.unwrap_or_else(|| Box::new(IterationCopies { loops, ..Default::default() }));
        // A loop inside that is not joined leaves its variable as each iteration does.
        let is_counter = |s: &Section| of_nest.iter().any(|(_, name, _)| s.as_variable() == Some(name));
        copies.last.retain(|s| !is_counter(s));
        copies.counters = counters;
        Some(copies)
    }

    /// So many of the nest's loops are joined after all: the others leave their variables as each iteration does.
    pub fn join_fewer(&mut self, nest: &Ast, loops: u32) {
        let Some(mut copies) = self.iteration_copies.take() else { return };
        copies.loops = loops;
        let of_nest = outer_loop_variables(nest, loops as usize);
        let is_joined = |counter: &Counter| of_nest.iter().any(|(id, ..)| *id == counter.id);
        let (joined, others) = std::mem::take(&mut copies.counters).into_iter().partition(is_joined);
        copies.counters = joined;
        for Counter { id, original, span, .. } in others {
            copies.last.push(Section::variable(&self.text(span), span));
            self.vars.insert(id, original);
        }
        self.iteration_copies = Some(copies);
    }

    /// The directive, or another that stands between it and the loop, is `simd`.
    fn is_simd(&self, d: &Directive, body: &Ast) -> bool {
        let between = |span: Span| d.name_span.start <= span.start && span.end <= body.span.start;
        let simd = |span: Span| self.text(span).split_whitespace().any(|word| word == "simd");
        let names = self.cx.pragmas.iter().map(|p| p.directive.name_span);
        names.filter(|name| between(*name)).any(simd)
    }

    fn original_place(&mut self, original: &Variable, span: Span) -> Option<Handle<Expr>> {
        match original.binding {
            Binding::Local(local) => Some(self.local_place(local, span)),
            Binding::Global(global) => {
                let ty = self.cx.module.globals[global].ty;
                Some(self.expr(Ir::Global(global), ty, span))
            }
            Binding::Argument(address) if original.ty.is_reference() => {
                let ty = self.ty(original.ty.referred());
                Some(self.expr(Ir::Deref(address), ty, span))
            }
            Binding::Argument(_) => None,
        }
    }

    fn both_hold(&mut self, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Expr> {
        let int = self.i32();
        self.expr(Ir::Binary { op: BinaryOp::LogicalAnd, left, right }, int, Span::NOWHERE)
    }

    /// `!(var + step < bound)`
    fn is_last(
        &mut self,
        span: Span,
        var: Handle<Local>,
        compare: Compare,
        [bound, step]: [Handle<Expr>; 2],
    ) -> Handle<Expr> {
        let (int, ty) = (self.i32(), self.body.locals[var].ty);
        let at = self.load_local(var, span);
        let next = self.expr(Ir::Binary { op: BinaryOp::Add, left: at, right: step }, ty, span);
        let op = compare.operator();
        let goes_on = self.expr(Ir::Binary { op, left: next, right: bound }, int, span);
        self.expr(Ir::Unary { op: UnaryOp::Not, operand: goes_on }, int, span)
    }
}
