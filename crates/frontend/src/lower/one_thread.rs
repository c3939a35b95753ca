//! Target constructs that one thread of the device runs.
//!
//! A team may have one thread and a construct one team (OpenMP 5.2 §10.1.1, §10.2), and then tasks, scans, locks and
//! whatever else threads do together is what the program says, in its order. So a construct that cannot be translated for many
//! threads is translated once more for one, and a warning tells why.

use super::function::{Fun, Variable};
use super::iteration_copies::{IterationCopies, Linear};
use super::scope::Named;
use super::target::Joined;
use super::walk;
use super::{Lowered, Refused};
use crate::ast::{DeclId, Expr, ExprKind, Library, Stmt as Ast, StmtKind, Ty};
use crate::pragmas::Pragma;
use accl_directives::{
    CExpr, Clause, ClauseKind, Construct, DataClause, DataKind, DeviceKind, Directive, DirectiveKind, Section,
};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Stmt};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// A variable of which a clause makes copies.
pub struct Copied<'d> {
    pub section: &'d Section,
    /// `None`: there is no such variable.
    pub named: Option<(DeclId, Variable)>,
    /// Copies start with the value outside.
    pub starts: bool,
}

impl Fun<'_, '_> {
    /// Translates a construct for all threads; if there are errors, for one; if there still are, reports the first.
    pub fn compute_in_parallel_or_in_order(
        &mut self,
        joined: Joined<'_>,
        pragma: &Pragma,
        outer: &Ast,
    ) -> Lowered<()> {
        let reported = self.cx.diagnostics.len();
        let emitted = self.blocks.last().map_or(0, Vec::len);
        let vars = self.vars.clone();
        let refused = self.refused.clone();
        let result = self.compute(&joined, pragma, outer);
        let Some(first) = self.first_error(reported, &result) else { return result };
        let mut errors = self.cx.diagnostics[reported..].iter().chain(result.as_ref().err().map(|r| &**r));
        if errors.any(|d| d.is_error() && !is_a_limit(d)) || self.counts_on_others(&joined.directive, outer) {
            return result;
        }
        let errors = self.cx.diagnostics.split_off(reported);
        self.start_again(emitted, &vars);
        // Else the uses of what was refused would go without an error.
        self.refused = refused;
        self.one_thread = true;
        let again = self.compute(&in_order(&joined), pragma, outer);
        self.one_thread = false;
        if self.first_error(reported, &again).is_none() {
            self.warn_of_one_thread(&joined.directive, &first);
            return again;
        }
        self.cx.diagnostics.truncate(reported);
        self.start_again(emitted, &vars);
        self.cx.diagnostics.extend(errors);
        result
    }

    /// It asks for numbers of teams or threads, and says that there are several: one would leave out what the others are to do, so
    /// the host's run it.
    fn counts_on_others(&mut self, d: &Directive, outer: &Ast) -> bool {
        let work = self.cx.work_in(outer, false);
        let within = |at: Span| outer.span.start <= at.start && at.end <= outer.span.end;
        let inside: Vec<&Directive> =
            self.cx.pragmas.iter().map(|p| &p.directive).filter(|d| within(d.name_span)).collect();
        let clauses = inside.into_iter().chain([d]).flat_map(|d| &d.clauses);
        let counts: Vec<CExpr> = clauses
            .filter_map(|c| match &c.kind {
                ClauseKind::NumGangs(counts) if work.asks_for_teams => counts.first(),
                ClauseKind::VectorLength(count) if work.asks_for_threads => Some(count),
                _ => None,
            })
            .cloned()
            .collect();
        counts.iter().any(|count| self.constant(count) != Some(1))
    }

    fn first_error(&self, reported: usize, result: &Lowered<()>) -> Option<Diagnostic> {
        let error = self.cx.diagnostics[reported..].iter().find(|d| d.is_error());
        error.or(result.as_ref().err().map(|refused| &**refused)).cloned()
    }

    fn start_again(
        &mut self,
        emitted: usize,
        vars: &std::collections::HashMap<crate::ast::DeclId, Variable>,
    ) {
        self.blocks.last_mut().into_iter().for_each(|block| block.truncate(emitted));
        self.vars = vars.clone();
    }

    fn warn_of_one_thread(&mut self, d: &Directive, reason: &Diagnostic) {
        let mut warning =
            Diagnostic::warning(codes::IN_ORDER, "one thread of the device runs this construct")
                .label(d.name_span, reason.message.clone());
        warning.labels.extend(reason.labels.iter().cloned());
        warning.notes.extend(reason.notes.iter().cloned());
        warning.help = reason.help.clone();
        self.cx.error(warning);
    }

    /// What threads could not do side by side is an error: then one thread does it.
    pub fn needs_no_order(&mut self, d: &Directive, body: &Ast) -> Lowered<()> {
        let privates = d.clauses_for(DeviceKind::Cuda).privates;
        for section in privates.reductions.iter().flat_map(|r| &r.vars) {
            if self.is_more_than_a_scalar(section) {
                return Err(no_scalar(section));
            }
        }
        let linear = self.linear_apart(d, body).filter(|_| !self.one_team_shares(d, body));
        // All iterations begin with the value that the last one replaces.
        let is_first =
            |s: &&&Section| privates.firstprivate.iter().any(|f| f.as_variable() == s.as_variable());
        let replaced = privates.lastprivate.iter().find(is_first);
        let (what, span) = match (privates.in_order.first(), linear, privates.copyprivate.first(), replaced) {
            (Some((what, list)), ..) => (*what, list.first().map(|s| s.span)),
            (_, Some(section), ..) => ("a `linear` variable", Some(section.span)),
            (_, _, Some(section), _) => ("`copyprivate`", Some(section.span)),
            (.., Some(section)) => ("a variable that is firstprivate and lastprivate", Some(section.span)),
            _ => return Ok(()),
        };
        let message = format!("{what} is not implemented for threads side by side");
        Err(Box::new(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(span.unwrap_or(d.name_span))))
    }

    /// The first variable of `linear` that is not the loop's own.
    pub fn linear_apart<'d>(&self, d: &'d Directive, body: &Ast) -> Option<&'d Section> {
        let counting = loop_variables(body);
        let counts = |s: &Section| counting.iter().any(|(_, name)| s.as_variable() == Some(name));
        let lists = d.clauses_for(DeviceKind::Cuda).privates.linear;
        lists.iter().flat_map(|(list, _)| list.iter()).find(|s| !counts(s))
    }

    /// The threads of one team share the loop, and it is the first thing that they do together: then all know what a variable
    /// is before the loop.
    fn one_team_shares(&mut self, d: &Directive, body: &Ast) -> bool {
        let alone = |c: &Clause| !matches!(c.kind, ClauseKind::Gang(_) | ClauseKind::Collapse(_));
        !self.in_threads && d.clauses.iter().all(alone) && !self.asks_for_threads(body)
    }

    /// An array, a complex number, or of a class that a reduction may have been declared for.
    pub fn is_more_than_a_scalar(&mut self, section: &Section) -> bool {
        let Some(Named::Variable(_, variable)) = self.lookup(&section.base.root.name) else { return false };
        let ty = variable.ty.referred().clone();
        let complex = self.cx.library_record(&ty).is_some_and(|(_, of)| of == Library::Complex);
        match &*ty.ty {
            Ty::Array { .. } => true,
            Ty::Pointer { .. } => !section.dims.is_empty(),
            Ty::Record(_) => complex || self.cx.source.buffer.contains("declare reduction"),
            _ => false,
        }
    }

    /// A loop, whose iterations the one thread runs. They have the copies that its clauses ask for.
    pub fn loop_in_order(&mut self, d: &Directive, pragma: &Pragma, body: &Ast) -> Lowered<()> {
        let reduces = |kind: &ClauseKind| {
            matches!(
                kind,
                ClauseKind::Reduction(_)
                    | ClauseKind::ReductionInOrder(..)
                    | ClauseKind::DeclaredReduction(..)
            )
        };
        let d = without(&in_one_thread(d), reduces);
        let view = d.clauses_for(DeviceKind::Cuda);
        let mut directive = self.loop_directive(&without_copies(&d), pragma.span);
        let joined = directive.collapse;
        (directive.seq, directive.independent, directive.collapse) = (true, false, 1);
        let counting = loop_variables(body);
        let linear = self.linear_variables(&view.privates.linear, &counting)?;
        // A `linear` variable advances with each iteration of all loops that are joined.
        let loops = if linear.is_empty() { 1 } else { joined.max(1) };
        let copies = IterationCopies::of(&view.privates, &view.privates.private, loops);
        let copies = self.count_with_copies((&d, body), &view.privates, &counting, copies, loops);
        self.iteration_copies = match (copies, linear.is_empty()) {
            (None, true) => None,
            (copies, _) => Some(Box::new(IterationCopies { loops, linear, ..*copies.unwrap_or_default() })),
        };
        let result = match &body.kind {
            StmtKind::RangeFor { .. } => self.device_stmt(body),
            _ => self.last_values_of_rows(body, joined).and_then(|()| self.loop_under(body, directive, &d)),
        };
        self.iteration_copies = None;
        result
    }

    /// A local for each, with the value that the variable has at the start of the next iteration.
    pub fn linear_variables(
        &mut self,
        clauses: &[(&[Section], Option<&CExpr>)],
        counting: &[(DeclId, String)],
    ) -> Lowered<Vec<Linear>> {
        let mut found = vec![];
        for (section, step) in clauses.iter().flat_map(|(list, step)| list.iter().map(move |s| (s, *step))) {
            let Some(Named::Variable(id, _)) = section.as_variable().and_then(|name| self.lookup(name))
            else {
                return Err(Box::new(self.unknown_name(&section.to_string(), section.span)));
            };
            if counting.iter().any(|(counter, _)| *counter == id) {
                continue;
            }
            let name = self.text(section.span);
            let place = self.var_place(id, &name, section.span)?;
            let value = self.load(place, section.span);
            let next = self.spill("next", value, section.span);
            found.push(Linear { id, next, step: step.cloned(), span: section.span });
        }
        Ok(found)
    }

    /// A routine about a lock (OpenMP 5.2 §18.9): one thread never waits for another. The lock's first byte counts how often it is held,
    /// as zero is free to GNU's OpenMP library, too.
    pub fn lock(&mut self, name: &str, args: &[Expr], span: Span) -> Lowered<Handle<IrExpr>> {
        if !self.one_thread {
            let message = format!("`{name}` is not implemented for threads side by side");
            return Err(Box::new(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(span)));
        }
        let int = self.i32();
        let Some(lock) = args.first() else { return Err(super::expr::unsupported(name, span)) };
        let byte = self.cx.module.types.int(8, false);
        let bytes = self.cx.module.types.pointer(byte);
        let address = self.value(lock)?;
        let address = self.convert(address, bytes, span);
        let place = self.expr(Ir::Deref(address), byte, span);
        let held = self.load(place, span);
        let held = self.convert(held, int, span);
        let held = self.spill("held", held, span);
        let held = self.load_local(held, span);
        let [none, one] = [0, 1].map(|n| self.int(n, int, span));
        let is_nested = name.contains("_nest_");
        let next = match name {
            "omp_set_lock" | "omp_test_lock" => one,
            "omp_set_nest_lock" | "omp_test_nest_lock" => {
                self.expr(Ir::Binary { op: BinaryOp::Add, left: held, right: one }, int, span)
            }
            "omp_unset_nest_lock" => {
                self.expr(Ir::Binary { op: BinaryOp::Sub, left: held, right: one }, int, span)
            }
            _ => none,
        };
        let stored = self.convert(next, byte, span);
        self.store(place, stored, span);
        Ok(match is_nested {
            true => next,
            false => self.expr(Ir::Binary { op: BinaryOp::Eq, left: held, right: none }, int, span),
        })
    }

    /// A construct of the team's threads, which are one. It has copies of the variables that its clauses name.
    pub fn alone(&mut self, d: &Directive, body: &Ast) -> Lowered<()> {
        let vars = self.vars.clone();
        let lowered = self.try_block(|f| {
            f.copies_for_block(d, body)?;
            f.device_stmt(body)
        });
        self.vars = vars;
        let (block, ()) = lowered?;
        self.emit(Stmt::Block(block), body.span);
        Ok(())
    }

    /// The variables of `private` and `firstprivate` clauses.
    pub fn copied_variables<'d>(&mut self, d: &'d Directive) -> Vec<Copied<'d>> {
        let privates = d.clauses_for(DeviceKind::Cuda).privates;
        let private = privates.private.into_iter().map(|s| (s, false));
        let listed = private.chain(privates.firstprivate.into_iter().map(|s| (s, true)));
        let copied = |(section, starts): (&'d Section, bool)| {
            let named = match section.as_variable().and_then(|name| self.lookup(name)) {
                Some(Named::Variable(id, variable)) => Some((id, variable)),
                _ => None,
            };
            Copied { section, named, starts }
        };
        listed.map(copied).collect()
    }

    /// `private` and `firstprivate` of a block. What it does not change needs no copy.
    pub fn copies_for_block(&mut self, d: &Directive, body: &Ast) -> Lowered<()> {
        for Copied { section, named, starts } in self.copied_variables(d) {
            let Some((id, original)) = named else {
                return Err(Box::new(self.unknown_name(&section.to_string(), section.span)));
            };
            if !walk::may_change(body, id) {
                continue;
            }
            self.own_copy(id, &original, starts, section.span)?;
        }
        Ok(())
    }
}

/// The variables, declared outside, that the loops of a nest count with; those of outer loops first.
pub fn loop_variables(s: &Ast) -> Vec<(DeclId, String)> {
    outer_loop_variables(s, usize::MAX).into_iter().map(|(id, name, _)| (id, name)).collect()
}

/// The same of the outermost loops alone, so many of them, and where their heads name them.
pub fn outer_loop_variables(s: &Ast, loops: usize) -> Vec<(DeclId, String, Span)> {
    let inside =
        |depth: usize| walk::children(s).into_iter().flat_map(|c| outer_loop_variables(c, depth)).collect();
    match s.kind {
        _ if loops == 0 => vec![],
        StmtKind::For { .. } => {
            let inner: Vec<_> = inside(loops - 1);
            let own = counter(s).map(|(id, name, at)| (id, name.to_owned(), at));
            own.into_iter().chain(inner).collect()
        }
        _ => inside(loops),
    }
}

/// The variable, declared outside, that a loop counts with, and where its head names it.
pub fn counter(s: &Ast) -> Option<(DeclId, &str, Span)> {
    let StmtKind::For { init: Some(init), .. } = &s.kind else { return None };
    let StmtKind::Expr(assignment) = &init.kind else { return None };
    let ExprKind::Assign { place, .. } = &assignment.kind else { return None };
    match &place.kind {
        ExprKind::Var(id, name) => Some((*id, name, place.span)),
        _ => None,
    }
}

/// The construct as one team of one thread, which changes what others would reduce.
fn in_order<'b>(joined: &Joined<'b>) -> Joined<'b> {
    let mut directive = in_one_thread(&joined.directive);
    if let DirectiveKind::Compute { construct, .. } = &mut directive.kind {
        *construct = Construct::Target;
    }
    let mapped: Vec<Section> = directive.clauses.iter().filter_map(mapped).flatten().cloned().collect();
    let is_mapped = |s: &Section| mapped.iter().any(|m| m.base.root.name == s.base.root.name);
    for clause in &mut directive.clauses {
        let list = match &clause.kind {
            ClauseKind::Reduction(reduction) => reduction.vars.clone(),
            ClauseKind::ReductionInOrder(_, list) | ClauseKind::DeclaredReduction(_, list) => list.clone(),
            _ => continue,
        };
        let sections: Vec<Section> = list.into_iter().filter(|s| !is_mapped(s)).collect();
        let copied = DataClause { kind: DataKind::Copy, modifiers: vec![], compressed: None, sections };
        clause.kind = ClauseKind::Data(copied);
    }
    Joined { directive, construct: Construct::Target, mistakes: vec![], ..*joined }
}

/// Threads side by side cannot do this reduction.
pub fn no_scalar(section: &Section) -> Refused {
    let message = format!("a reduction of `{section}`, which is no scalar, is not implemented");
    Box::new(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(section.span).with_note(
        "inside other loops, elements of an array that is reduced can be updated, but not used otherwise",
    ))
}

/// The program is right, and only this translation of it fails.
fn is_a_limit(d: &Diagnostic) -> bool {
    d.code == codes::NOT_IMPLEMENTED || d.code == codes::UNSUPPORTED
}

fn mapped(c: &Clause) -> Option<&[Section]> {
    match &c.kind {
        ClauseKind::Data(data) => Some(&data.sections),
        _ => None,
    }
}

/// Without what says among whom work is divided.
fn in_one_thread(d: &Directive) -> Directive {
    without(d, |kind| {
        matches!(
            kind,
            ClauseKind::Gang(_)
                | ClauseKind::Vector(_)
                | ClauseKind::NumGangs(_)
                | ClauseKind::VectorLength(_)
                | ClauseKind::Independent
                | ClauseKind::Schedule(_)
        )
    })
}

/// Without the variables of which the construct or the loop has copies.
pub fn without_copies(d: &Directive) -> Directive {
    without(d, |kind| {
        matches!(
            kind,
            ClauseKind::Private(_)
                | ClauseKind::Firstprivate(_)
                | ClauseKind::Lastprivate(_)
                | ClauseKind::Linear(..)
        )
    })
}

fn without(d: &Directive, dropped: fn(&ClauseKind) -> bool) -> Directive {
    let clauses = d.clauses.iter().filter(|c| !dropped(&c.kind)).cloned().collect();
    Directive { clauses, ..d.clone() }
}
