//! Constructs: data and compute regions, loops, and what may stand inside them.

use super::context::Concerned;
use super::expr::unsupported;
use super::function::{Binding, Fun, Original, Variable};
use super::iteration_copies::IterationCopies;
use super::loops::is_untold;
use super::one_thread::{counter, loop_variables, no_scalar, outer_loop_variables};
use super::scope::Named;
use super::target::Joined;
use super::team::{self, ArrayReduction, Runners};
use super::{Lowered, by_device, walk};
use crate::ast::{DeclId, ExprKind, Stmt as Ast, StmtKind};
use crate::bind::name_of;
use crate::pragmas::Pragma;
use accl_directives::{Construct, DeviceKind, Directive, DirectiveKind, Sentinel, ThreadsKind};
use accl_ir::{
    Block, DataFlags, DataItem, DataKind, DataVar, Expr, ExprKind as Ir, Handle, HostCopies, HostExpr, Local,
    LocalKind, LoopDirective, Region, RegionClauses, RegionKind, Stmt,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    pub fn host_directive(&mut self, index: usize, body: Option<&Ast>, s: &Ast) -> Lowered<()> {
        let pragma = &self.cx.pragmas[index];
        let d = &pragma.directive;
        match (&d.kind, body) {
            (DirectiveKind::Compute { loop_, .. }, Some(body)) if d.origin == Sentinel::Omp => {
                let joined = self.joined(d, *loop_, body);
                self.compute_construct(joined, pragma, body)
            }
            (DirectiveKind::Compute { construct, loop_ }, Some(body)) => {
                let joined = Joined {
                    directive: d.clone(),
                    construct: *construct,
                    loop_: *loop_,
                    body,
                    mistakes: vec![],
                };
                self.compute_construct(joined, pragma, body)
            }
            (DirectiveKind::Threads(ThreadsKind::TargetParallel), Some(body)) => {
                let mut directive =
                    Directive { kind: DirectiveKind::Threads(ThreadsKind::Parallel), ..d.clone() };
                self.map_by_default_mappers(&mut directive, body);
                let joined =
                    Joined { directive, construct: Construct::Target, loop_: false, body, mistakes: vec![] };
                self.compute_construct(joined, pragma, body)
            }
            // The host's compiler sees to OpenMP's other constructs.
            (_, body) if d.origin == Sentinel::Omp && !d.is_for_devices() => {
                body.map_or(Ok(()), |b| self.host_stmt(b))
            }
            (DirectiveKind::Data, Some(body)) if d.origin == Sentinel::Omp => {
                self.target_data(pragma, body);
                Ok(())
            }
            (DirectiveKind::Data, Some(body)) => {
                let clauses = self.region_clauses(d, false);
                let outside = std::mem::replace(&mut self.visible_default, clauses.default);
                let known = self.visible_names.len();
                self.visible_names.extend(clauses.data.iter().map(|item| item.base.clone()));
                self.data_region(RegionKind::Data, clauses, pragma.span, body);
                self.visible_names.truncate(known);
                self.visible_default = outside;
                Ok(())
            }
            (DirectiveKind::HostData, Some(body)) => {
                let clauses = self.region_clauses(d, false);
                self.data_region(RegionKind::HostData, clauses, pragma.span, body);
                Ok(())
            }
            (DirectiveKind::Loop, Some(body)) => {
                let message = format!("the `loop` directive in `{}` has no effect", self.decl.name);
                let warning = Diagnostic::warning(codes::MISPLACED, message)
                    .at(pragma.directive.name_span)
                    .with_note("it stands in no compute construct, and its function is no routine")
                    .with_help("write `parallel loop`, or mark the function with a `routine` directive");
                self.cx.diagnostics.push(warning);
                self.host_stmt(body)
            }
            (
                DirectiveKind::Loop
                | DirectiveKind::Atomic(_)
                | DirectiveKind::Cache { .. }
                | DirectiveKind::Fcw(_)
                | DirectiveKind::FcwBarrier,
                _,
            ) => {
                let message =
                    format!("the `{}` directive stands outside any compute construct", name_of(pragma));
                self.cx.error(
                    Diagnostic::error(codes::MISPLACED, message)
                        .at(pragma.directive.name_span)
                        .with_help("put it into a `parallel`, `kernels` or `serial` construct, or mark the function with a `routine` directive"),
                );
                body.map_or(Ok(()), |b| self.host_stmt(b))
            }
            (DirectiveKind::Routine(_), _) => body.map_or(Ok(()), |b| self.host_stmt(b)),
            (DirectiveKind::Other { .. }, _) => {
                self.not_implemented(&format!("the `{}` directive", name_of(pragma)), pragma.span);
                body.map_or(Ok(()), |b| self.host_stmt(b))
            }
            (_, None) => {
                let standalone = self.standalone(d, pragma.span)?;
                self.emit(Stmt::Directive(Box::new(standalone)), pragma.span);
                Ok(())
            }
            (_, Some(_)) => Err(unsupported(format_args!("the `{}` directive", name_of(pragma)), s.span)),
        }
    }

    pub fn data_region(
        &mut self,
        kind: RegionKind,
        clauses: RegionClauses,
        directive_span: Span,
        body: &Ast,
    ) {
        if let Some(diagnostic) = self.leaves_region(body, "data region", directive_span) {
            self.cx.error(diagnostic);
        }
        let block = self.stmt_block(body);
        self.emit_region(kind, false, clauses, block, directive_span, body.span);
    }

    pub fn emit_region(
        &mut self,
        kind: RegionKind,
        combined: bool,
        clauses: RegionClauses,
        body: Block,
        directive_span: Span,
        body_span: Span,
    ) {
        let region =
            Region { kind, combined, clauses, body, directive_span, copy: 0, body_span, kernels: vec![] };
        self.emit(Stmt::Region(Box::new(region)), directive_span.to(body_span));
    }

    /// Notes which construct the errors concern.
    fn compute_construct(&mut self, joined: Joined<'_>, pragma: &Pragma, outer: &Ast) -> Lowered<()> {
        let construct = Concerned::Construct(pragma.span);
        self.cx.concerned = Some(construct);
        joined.mistakes.iter().for_each(|mistake| self.cx.error(mistake.clone()));
        let on_host =
            runs_on_ancestor(&joined.directive) || self.cx.source.on_host.contains(&pragma.span.end);
        let result = if on_host {
            self.on_host = true;
            let result = self.compute_on_host(&joined, pragma, outer);
            self.on_host = false;
            result
        } else if is_untold(outer) {
            Err(unsupported("what depends on the types of a generic lambda's arguments", pragma.span))
        } else if pragma.directive.origin == Sentinel::Omp {
            self.compute_in_parallel_or_in_order(joined, pragma, outer)
        } else {
            self.compute(&joined, pragma, outer)
        };
        self.cx.concerned = None;
        if let Err(refused) = &result {
            self.cx.concerns.push((construct, (**refused).clone()));
        }
        result
    }

    /// `outer`: the whole statement that the directive governs.
    pub fn compute(&mut self, joined: &Joined<'_>, pragma: &Pragma, outer: &Ast) -> Lowered<()> {
        let (body, combined, span) = (joined.body, joined.loop_, pragma.span);
        let block_of_threads = joined.directive.kind == DirectiveKind::Threads(ThreadsKind::Parallel);
        let of_teams = joined.construct == Construct::Parallel && !block_of_threads;
        let side_by_side =
            joined.directive.origin == Sentinel::Omp && (combined || of_teams) && !self.one_thread;
        let openacc = joined.directive.origin != Sentinel::Omp;
        // A scalar that is reduced in OpenMP is a variable, or a member in a method.
        let has_parts = openacc || self.record.is_some();
        let parts = if has_parts { self.parts_of_construct(&joined.directive, body) } else { vec![] };
        let (mut d, arrays) = match (side_by_side, openacc) {
            _ if block_of_threads && !self.one_thread => {
                self.without_arrays_of_block(&joined.directive, body)
            }
            (true, _) if !combined => self.without_reductions_of_teams(&joined.directive, body),
            (true, _) => self.without_array_reductions(&joined.directive, body),
            (_, true) => self.construct_without_array_reductions(joined, body),
            _ => (joined.directive.clone(), vec![]),
        };
        let gangs_run_all = openacc && !combined && joined.construct == Construct::Parallel;
        let mut own_of_team = if gangs_run_all { self.scalars_of_gangs(&mut d, body) } else { vec![] };
        let dealt = if gangs_run_all { self.deals_chunks(&d, body) } else { None };
        let d = dealt.as_ref().unwrap_or(&d);
        let kind = match joined.construct {
            Construct::Parallel | Construct::Target => RegionKind::Parallel,
            Construct::Kernels => RegionKind::Kernels,
            Construct::Serial => RegionKind::Serial,
        };
        if d.origin == Sentinel::Omp && !self.one_thread {
            self.needs_no_order(d, body)?;
        }
        // Private copies of globals have their names in the region only.
        let outer_vars = self.vars.clone();
        self.count_with_locals(body);
        let of_loops = gangs_run_all.then(|| {
            let (rest, sections) = self.without_sections_of_loops(d, body);
            self.sections_of_loops = sections;
            rest
        });
        let d = of_loops.as_ref().unwrap_or(d);
        if openacc && joined.construct == Construct::Parallel {
            self.first_sections = self.first_sections_of_loops(d, combined, body);
        }
        let mut clauses = self.region_clauses(d, combined);
        if openacc {
            self.declared_device_pointers(&mut clauses, body);
        }
        let numbered = match (d.origin, joined.construct) {
            (Sentinel::Omp, Construct::Target) => false,
            (Sentinel::Omp, _) => {
                self.numbers_teams(&joined.directive, combined, body) || !combined && !arrays.is_empty()
            }
            (_, Construct::Parallel) if combined => arrays.iter().any(ArrayReduction::has_copies),
            (_, Construct::Parallel) => dealt.is_some(),
            _ => false,
        };
        let over_teams = if numbered && d.origin == Sentinel::Omp {
            self.declared_reductions_of_teams(&joined.directive, body)
        } else {
            Some(vec![])
        };
        let asked = clauses.num_gangs.as_ref().and_then(|count| count.value);
        let over_teams = over_teams.filter(|values| asked != Some(1) || values.is_empty());
        let one_team = over_teams.is_none();
        let over_teams = over_teams.unwrap_or_default();
        if d.origin == Sentinel::Omp {
            self.last_values_reach_the_host(joined)?;
            self.target_clauses(joined, numbered, &mut clauses);
            self.map_reduced(&arrays, &mut clauses);
            // What a local stands for under another name, `this->sum`.
            clauses.data.extend(parts.into_iter().filter(DataItem::is_part));
            self.bring_values_of_host(body, &mut clauses);
            if combined {
                self.array_reductions = arrays
            } else {
                own_of_team = arrays
            }
            let copies = self.host_copies(d, body);
            let work = self.cx.work_in(outer, false);
            let numbered = work.asks_for_threads && !work.asks_for_levels;
            let mut copies = HostCopies { of_construct: copies, numbered, ..HostCopies::default() };
            copies.threads = self.host_threads(joined, pragma, outer, &copies);
            self.cx.module.host_copies.insert(span.end, copies);
            self.shared_scalars = self.changed_in_blocks(d, body);
        } else {
            if kind == RegionKind::Kernels || clauses.if_.is_some() || clauses.self_.is_some() {
                let copies = self.openacc_copies_of_host(joined, outer);
                self.cx.module.host_copies.insert(span.end, copies);
            }
            self.map_reduced(&arrays, &mut clauses);
            self.map_reduced(&own_of_team, &mut clauses);
            clauses.data.extend(parts);
            self.array_reductions = self.update_in_place(arrays);
        }
        if one_team {
            self.team = Runners::One;
            clauses.num_gangs = Some(HostExpr::constant(1, d.name_span));
        }
        let over_teams = self.values_of_teams(over_teams, &mut clauses, d);
        own_of_team.retain(|own| over_teams.iter().all(|(array, _)| array.id() != own.id()));
        let own_of_team = self.update_in_place(own_of_team);
        // What teams leave for the team that combines it: gangs do not wait for each other, kernels do.
        let kind = if over_teams.is_empty() { kind } else { RegionKind::Kernels };
        (self.device, self.region, self.construct) = (true, true, span);
        let combined_region = combined && !numbered;
        self.region_scopes = self.scopes.len();
        self.outer_locals = self.body.locals.len();
        self.valued = walk::valued(body);
        self.changed.clear();
        walk::each_change(body, &mut |id, _| {
            self.changed.insert(id);
        });
        let block = self.block(|f| {
            let result = f.within_parallel(d, body, |f| {
                f.waits_for_no_thread(body)?;
                if block_of_threads && f.one_thread {
                    f.alone(d, body)
                } else if block_of_threads {
                    f.share_scalars_of_host(&clauses.data, &joined.directive, body)?;
                    f.parallel_block(&joined.directive, body)
                } else if numbered {
                    let inside = |f: &mut Self| match combined {
                        true => f.device_loop(d, pragma, body),
                        false => f.with_own_copies(own_of_team, d.name_span, |f| {
                            f.share_scalars_of_host(&clauses.data, &joined.directive, body)?;
                            f.copies_for_block(d, body)?;
                            f.device_stmt(body)
                        }),
                    };
                    if one_team { inside(f) } else { f.with_values_of_teams(d, &over_teams, inside) }
                } else if combined {
                    f.device_loop(d, pragma, body)
                } else {
                    match f.leaves_region(body, "compute region", span) {
                        Some(diagnostic) => Err(Box::new(diagnostic)),
                        None => f.with_own_copies(own_of_team, d.name_span, |f| {
                            let shared = f.share_scalars_of_host(&clauses.data, &joined.directive, body);
                            let inner = f.stmt_block(body);
                            f.blocks.last_mut().into_iter().for_each(|b| b.extend(inner.clone()));
                            shared
                        }),
                    }
                }
            });
            if let Err(refused) = result {
                f.report(refused);
            }
        });
        if let Err(refused) = self.no_whole_number(&block, 0) {
            self.report(refused);
        }
        (self.device, self.region) = (false, false);
        (self.team, self.thread) = (Runners::Unknown, Runners::Unknown);
        self.shared_scalars.clear();
        self.reduced_parts.clear();
        self.updated_in_place.clear();
        self.combined_by_scopes.clear();
        self.mapped_back.clear();
        self.brought.clear();
        self.unused_gang_dimensions(d);
        self.sections_of_loops.clear();
        self.first_sections.clear();
        clauses.data.append(&mut self.private_sections);
        self.follow_stand_ins(&mut clauses);
        self.vars = outer_vars;
        self.emit_construct((kind, combined_region), d.origin, clauses, block, span, outer.span);
        Ok(())
    }

    /// Pointers of `declare deviceptr` outside functions that the construct uses (OpenACC 3.3 §2.13).
    fn declared_device_pointers(&mut self, clauses: &mut RegionClauses, body: &Ast) {
        for (id, section) in self.cx.device_pointers.clone() {
            let name = &section.root().name;
            let meant = matches!(self.lookup(name), Some(Named::Variable(found, _)) if found == id);
            let mut used = false;
            walk::exprs(body, &mut |e| used |= matches!(e.kind, ExprKind::Var(of, _) if of == id));
            if meant && used && !clauses.data.iter().any(|item| item.base == *name) {
                self.data_items(
                    DataKind::Deviceptr,
                    DataFlags::default(),
                    [section].iter(),
                    &mut clauses.data,
                );
            }
        }
    }

    /// A compute construct; with a data construct around it, where data of its own must be there first.
    pub fn emit_construct(
        &mut self,
        (kind, combined): (RegionKind, bool),
        origin: Sentinel,
        mut clauses: RegionClauses,
        body: Block,
        span: Span,
        body_span: Span,
    ) {
        let attached = if origin == Sentinel::Omp { self.attached(&clauses.data) } else { vec![] };
        let list = std::mem::take(&mut clauses.list);
        if attached.is_empty() && list.is_empty() {
            return self.emit_region(kind, combined, clauses, body, span, body_span);
        }
        let data =
            RegionClauses { if_: clauses.if_.clone(), data: attached, list, ..RegionClauses::default() };
        self.within_data(data, span, body_span, |f, behind| {
            f.emit_region(kind, combined, clauses, body, behind, body_span);
        });
    }

    /// A loop with a directive, in device code.
    pub fn device_loop(&mut self, d: &Directive, pragma: &Pragma, body: &Ast) -> Lowered<()> {
        if d.origin != Sentinel::Omp {
            return self.with_parts_of_loop(d, body, |f| f.openacc_loop(d, pragma, body));
        }
        let d = &self.with_default_copies(d, body);
        if self.one_thread {
            return self.loop_in_order(d, pragma, body);
        }
        let (d, mut arrays) = self.without_array_reductions(d, body);
        arrays.append(&mut self.array_reductions);
        let before = self.updated_in_place.len();
        self.array_reductions = self.update_in_place(arrays);
        let result = self.loop_side_by_side(&d, pragma, body);
        self.updated_in_place.truncate(before);
        result
    }

    fn openacc_loop(&mut self, d: &Directive, pragma: &Pragma, body: &Ast) -> Lowered<()> {
        if !self.array_reductions.is_empty() {
            return self.shared_loop(d, pragma, body, true, true);
        }
        let (d, arrays) = self.loop_without_array_reductions(d, body);
        let (d, small) = self.without_small_sections(&d);
        let before = self.updated_in_place.len();
        self.update_in_place(arrays);
        let loops = self.governed_loops(&d);
        let seq = d.clauses_for(DeviceKind::Cuda).levels.seq;
        let of_gangs = if seq { vec![] } else { std::mem::take(&mut self.sections_of_loops) };
        let first = if seq { vec![] } else { std::mem::take(&mut self.first_sections) };
        let (d, rows) = match self.team {
            Runners::Numbered(..) => (d, vec![]),
            _ if seq => (d, vec![]),
            _ => self.with_rows(&d, (&of_gangs, &first), loops as u32, body),
        };
        if !small.is_empty() || !rows.is_empty() {
            let loops = loops as u32;
            self.iteration_copies =
                Some(Box::new(IterationCopies { loops, private: small, rows, ..IterationCopies::default() }));
        }
        let outside = self.names_of_construct();
        self.count_apart(body, loops, pragma.span);
        self.parallel_loops_around += u32::from(!seq);
        let result = match self.team.clone() {
            Runners::Numbered(gang, count) => self.loop_of_gangs((gang, count), &d, pragma, body),
            Runners::One | Runners::Together(_) | Runners::Unknown => {
                let mut directive = self.loop_directive(&d, pragma.span);
                directive.schedule = pragma.schedule.clone();
                self.loop_under(body, directive, &d)
            }
        };
        self.parallel_loops_around -= u32::from(!seq);
        if !seq {
            (self.sections_of_loops, self.first_sections) = (of_gangs, first);
        }
        self.vars.extend(outside);
        self.updated_in_place.truncate(before);
        self.iteration_copies = None;
        result
    }

    /// A loop that several threads of the device share.
    fn loop_side_by_side(&mut self, d: &Directive, pragma: &Pragma, body: &Ast) -> Lowered<()> {
        let arrays = std::mem::take(&mut self.array_reductions);
        self.needs_no_order(d, body)?;
        let mut directive = self.loop_directive(d, pragma.span);
        directive.schedule = pragma.schedule.clone();
        let parts_in_order = !self.in_threads && self.runs_in_order(d, body);
        if parts_in_order {
            self.warn_of_order(d);
        }
        let in_order = parts_in_order || !self.in_threads && self.asks_for_one_thread(d);
        if in_order {
            directive =
                LoopDirective { gang: None, vector: None, independent: false, seq: true, ..directive };
        }
        let (by_teams, by_threads) = (directive.gang.is_some(), directive.vector.is_some());
        if self.in_threads || by_teams && by_threads {
            (directive.gang, directive.vector) = (None, None);
        }
        let numbered = matches!(self.team, Runners::Numbered(..));
        let told_apart = !arrays.is_empty() || self.asks_for_threads(body);
        if !self.in_threads && (by_teams && numbered || by_threads && told_apart) {
            if let Some(section) = self.linear_apart(d, body) {
                return Err(unsupported("`linear` in a loop whose threads are told apart", section.span));
            }
            self.array_reductions = arrays;
            return self.shared_loop(d, pragma, body, by_teams, by_threads);
        }
        if let Some(array) = arrays.first() {
            return Err(no_scalar(&array.section));
        }
        let [view, ..] = by_device::views(d);
        let copies = IterationCopies::of(&view.privates, &[], directive.collapse);
        let counting = loop_variables(body);
        let spread = self.linear_variables(&view.privates.linear, &counting)?;
        if let Some(linear) = spread.first().filter(|_| directive.collapse > 1) {
            return Err(unsupported("`linear` with `collapse` for threads side by side", linear.span));
        }
        self.iteration_copies =
            self.count_with_copies((d, body), &view.privates, &counting, copies, directive.collapse);
        if !spread.is_empty() {
            let copies = self.iteration_copies.take().map_or_else(Default::default, |copies| *copies);
            self.iteration_copies =
                Some(Box::new(IterationCopies { loops: directive.collapse, spread, ..copies }));
        }
        let one_thread = in_order || directive.gang.is_some() && directive.vector.is_none();
        let outside = (self.in_threads, self.thread.clone());
        if self.in_threads && team::opens_parallel(d, self.cx.source.buffer) {
            self.thread = Runners::One;
        } else if !one_thread && !self.in_threads {
            self.thread = Runners::Unknown;
        }
        self.in_threads |= !one_thread;
        let result = self.loop_under(body, directive, d);
        (self.in_threads, self.thread) = outside;
        self.iteration_copies = None;
        result
    }

    /// Data items of a variable for which a private local stands here apply to that local.
    fn follow_stand_ins(&self, clauses: &mut RegionClauses) {
        for item in &mut clauses.data {
            let Some(original) = self.original(&item.var) else { continue };
            let stand_in = self.stand_ins.get(&original).copied();
            let is_used = |l: &Handle<Local>| self.vars.values().any(|v| v.binding == Binding::Local(*l));
            if let Some(local) = stand_in.filter(is_used) {
                item.var = DataVar::Local(local);
            }
        }
    }

    /// A global that a loop of the construct counts with is private to each thread, as any loop's variable is (§2.6.1).
    fn count_with_locals(&mut self, s: &Ast) {
        if let Some((id, _, span)) = counter(s)
            && let Some(variable) = self.variable(id)
            && let Binding::Global(global) = variable.binding
        {
            self.stand_in(Original::Global(global), id, variable, span);
        }
        walk::children(s).into_iter().for_each(|inner| self.count_with_locals(inner));
    }

    /// What the first loops of a nest, those that a directive governs, count with is private to the threads that run them
    /// (§2.6.1). A variable that the construct declares keeps its value for what follows the loop: the loop counts with another.
    fn count_apart(&mut self, body: &Ast, loops: usize, span: Span) {
        for (id, name, at) in outer_loop_variables(body, loops) {
            let Some(variable) = self.variable(id) else { continue };
            let Binding::Local(local) = variable.binding else { continue };
            let of_construct = local.index() >= self.outer_locals && !variable.ty.is_reference();
            if !of_construct || !self.valued.contains(&id) {
                continue;
            }
            let ty = self.ty(&variable.ty);
            let counter = self.local(&name, ty, LocalKind::Auto, at);
            self.emit(Stmt::Declare { local: counter, init: None }, span);
            self.vars.insert(id, Variable { binding: Binding::Local(counter), ..variable });
        }
    }

    /// How many of the loops of a nest a directive governs.
    pub fn governed_loops(&mut self, d: &Directive) -> usize {
        let [view, ..] = by_device::views(d);
        let collapsed = view.levels.collapse.and_then(|c| self.constant(&c.count)).unwrap_or(1);
        usize::try_from(collapsed).unwrap_or(1).max(view.levels.tile.len())
    }

    /// What names of the construct's own variables and references mean now. A loop may give them copies, which end with it.
    fn names_of_construct(&self) -> Vec<(DeclId, Variable)> {
        let is_own = |variable: &Variable| match variable.binding {
            Binding::Local(local) => local.index() >= self.outer_locals,
            Binding::Argument(_) => true,
            Binding::Global(_) => false,
        };
        let own = self.vars.iter().filter(|(_, variable)| is_own(variable));
        own.map(|(id, variable)| (*id, variable.clone())).collect()
    }

    fn original(&self, var: &DataVar) -> Option<Original> {
        match var {
            DataVar::Global(global) => Some(Original::Global(*global)),
            DataVar::Member(place) => {
                let kind = |e: Handle<Expr>| &self.body.exprs[e].kind;
                let Ir::Deref(pointer) = *kind(*place) else { return None };
                let Ir::Load(of) = *kind(pointer) else { return None };
                let Ir::Local(reference) = *kind(of) else { return None };
                Some(Original::Referred(reference))
            }
            DataVar::Local(_) => None,
        }
    }

    /// The loop that a loop directive governs.
    pub fn loop_under(
        &mut self,
        body: &Ast,
        directive: accl_ir::LoopDirective,
        d: &Directive,
    ) -> Lowered<()> {
        match &body.kind {
            StmtKind::For { .. } => self.for_stmt(body, Some(directive)),
            StmtKind::Compound(items) if items.len() == 1 => {
                // A macro may have put braces around its loop.
                self.loop_under(&items[0], directive, d)
            }
            StmtKind::Directed { directive: inner, body: Some(body) }
                if self.cx.pragmas[*inner].directive.kind
                    == DirectiveKind::Threads(ThreadsKind::NoEffectOnLoop) =>
            {
                self.loop_under(body, directive, d)
            }
            StmtKind::RangeFor { setup, var, body: inner, .. }
                if self.array_range(setup).is_some()
                    && directive.collapse <= 1
                    && directive.tile.is_empty()
                    && self.iteration_copies.is_none()
                    && self.share.is_none() =>
            {
                match self.leaves_loop(inner, body.span) {
                    Some(diagnostic) => Err(Box::new(diagnostic)),
                    None => self.array_range_for((setup, var, inner), Some(directive), body.span),
                }
            }
            StmtKind::RangeFor { setup, var, body: inner, .. }
                if let Some(range) = self.pointer_range(setup)
                    && directive.collapse <= 1
                    && directive.tile.is_empty()
                    && self.iteration_copies.is_none() =>
            {
                match self.leaves_loop(inner, body.span) {
                    Some(diagnostic) => Err(Box::new(diagnostic)),
                    None => self.pointer_range_for(range, (var, inner), Some(directive), body.span),
                }
            }
            other => {
                let name = self.text(d.name_span);
                let message = format!("expected a `for` loop after the `{name}` directive");
                let is_loop = matches!(other, StmtKind::RangeFor { .. });
                let code = if is_loop { codes::NOT_IMPLEMENTED } else { codes::EXPECTED_LOOP };
                let (label, help) = match other {
                    StmtKind::RangeFor { .. } => {
                        ("has no loop variable that counts", "write the loop with an index")
                    }
                    StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                        ("how often it runs is not known before", "write a `for` loop that counts")
                    }
                    _ => ("this is no `for` loop", "put the directive directly before the loop"),
                };
                Err(Box::new(
                    Diagnostic::error(code, message)
                        .label(body.span, label)
                        .label(d.name_span, "governs a `for` loop")
                        .with_help(help),
                ))
            }
        }
    }

    /// Directives inside compute constructs and device functions.
    pub fn device_directive(&mut self, index: usize, body: Option<&Ast>) -> Lowered<()> {
        let pragma = &self.cx.pragmas[index];
        let d = &pragma.directive;
        for mistake in &pragma.mistakes {
            self.cx.error(mistake.clone());
        }
        if runs_on_ancestor(d) {
            return Err(unsupported("code that the host runs in between (`ancestor`)", d.name_span));
        }
        match (&d.kind, body) {
            (DirectiveKind::Loop, Some(body)) => {
                let outer_vars = self.vars.clone();
                let result = self.within_parallel(d, body, |f| f.device_loop(d, pragma, body));
                self.vars.extend(outer_vars);
                result
            }
            (DirectiveKind::Threads(kind), Some(body)) => {
                self.within_parallel(d, body, |f| f.threads_construct(*kind, pragma, body))
            }
            (DirectiveKind::Threads(ThreadsKind::Flush), None) => {
                self.fence(pragma.span);
                Ok(())
            }
            (DirectiveKind::Threads(_), None) => Ok(()),
            (DirectiveKind::Atomic(kind), Some(body)) => {
                // By the clause table, it has no other clause.
                if d.clauses_for(DeviceKind::Cuda).conditions.if_.is_some() {
                    self.ignored("the `if` of `atomic`", d.name_span, "the operation is atomic in any case");
                }
                self.atomic(*kind, body, pragma.span)
            }
            (DirectiveKind::Fcw(groups), Some(body)) => self.fcw(groups, pragma.span, body),
            (DirectiveKind::FcwBarrier, _) => self.fcw_barrier(pragma.span),
            // Before a list, the directive is handled there; here nothing follows it.
            (DirectiveKind::Cache { .. } | DirectiveKind::Routine(_), body) => {
                body.map_or(Ok(()), |b| self.device_stmt(b))
            }
            (DirectiveKind::Other { .. }, body) => {
                self.not_implemented(&format!("the `{}` directive", name_of(pragma)), pragma.span);
                body.map_or(Ok(()), |b| self.device_stmt(b))
            }
            _ => {
                let message = format!("the `{}` directive cannot stand in a compute region", name_of(pragma));
                let diagnostic = Diagnostic::error(codes::NESTED_REGION, message)
                    .label(pragma.directive.name_span, "this is for the host program");
                let diagnostic = match self.construct.is_nowhere() {
                    true => diagnostic.label(self.decl.span, "compute regions call this function"),
                    false => diagnostic.label(self.construct, "the region begins here"),
                };
                let openmp = d.origin == Sentinel::Omp;
                Err(Box::new(match d.kind {
                    DirectiveKind::Teams { .. } => diagnostic
                        .with_note(
                            "a `teams` construct is all that its `target` construct holds (OpenMP 5.2 §10.2)",
                        )
                        .with_help(
                            "write `target teams`, and move the other statements out of the construct",
                        ),
                    DirectiveKind::Compute { loop_: true, .. } if openmp => {
                        diagnostic.with_help("write `parallel for` alone, or remove the outer construct")
                    }
                    DirectiveKind::Compute { .. } if openmp => diagnostic
                        .with_help("remove one of the two; `parallel for` divides the work further inside"),
                    DirectiveKind::Compute { loop_: true, .. } => {
                        diagnostic.with_help("write `loop` alone, or remove the outer construct")
                    }
                    DirectiveKind::Compute { loop_: false, .. } => {
                        diagnostic.with_help("remove one of the two; `loop` divides the work further inside")
                    }
                    _ => diagnostic.with_help("move it in front of the construct, or behind it"),
                }))
            }
        }
    }
}

/// The host runs the construct by the program's word.
pub fn runs_on_ancestor(d: &Directive) -> bool {
    d.clauses_for(DeviceKind::Cuda).conditions.ancestor
}
