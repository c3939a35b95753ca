//! OpenMP's `target` constructs, and what stands in them about teams and threads.
//!
//! The first thread of a team is to OpenMP what a gang outside its worker and vector loops is to OpenACC, so `teams` is
//! a parallel construct, and no thread ever waits for work: code for the first thread stands where it is written.

use super::Lowered;
use super::expr::unsupported;
use super::function::Fun;
use super::scope::Named;
use super::team::Runners;
use super::{by_device, walk};
use crate::ast::{ExprKind, Stmt as Ast, StmtKind, Ty};
use crate::pragmas::Pragma;
use accl_directives::{
    CExpr, Clause, ClauseKind, Conditions, Construct, DeviceKind, Directive, DirectiveKind, GangArgs,
    Sentinel, ThreadsKind,
};
use accl_ir::{
    DataFlags, DataItem, DataKind, DataVar, HostExpr, LocalKind, RegionClauses, RegionKind, TypeKind, Wait,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// No block has more threads where nothing is said.
const USUAL_BLOCK: i64 = 256;

/// A construct together with those that are all its body consists of.
pub struct Joined<'b> {
    pub directive: Directive,
    pub construct: Construct,
    /// The body is a loop.
    pub loop_: bool,
    pub body: &'b Ast,
    /// Those of the directives that were joined to the first.
    pub mistakes: Vec<Diagnostic>,
}

impl Fun<'_, '_> {
    /// `target` and the `teams` or loop construct in it as one, as if they stood in one directive (OpenMP 5.2 §13.8: a `teams` is
    /// all that its `target` holds).
    pub fn joined<'b>(&mut self, directive: &Directive, loop_: bool, body: &'b Ast) -> Joined<'b> {
        let mut all = directive.clone();
        let (mut loop_, mut body, mut mistakes) = (loop_, body, vec![]);
        let mut teams =
            matches!(directive.kind, DirectiveKind::Compute { construct: Construct::Parallel, .. });
        while !loop_ && let StmtKind::Directed { directive: index, body: Some(inner) } = &only(body).kind {
            let pragma = &self.cx.pragmas[*index];
            let d = &pragma.directive;
            match d.kind {
                DirectiveKind::Teams { loop_: of_loop } if !teams => (teams, loop_) = (true, of_loop),
                DirectiveKind::Loop
                    if d.origin == Sentinel::Omp && !(teams && self.counts_teams(&all, d, inner)) =>
                {
                    loop_ = true
                }
                _ => break,
            }
            all.clauses.extend(d.clauses.iter().cloned());
            mistakes.extend(pragma.mistakes.iter().cloned());
            body = inner;
        }
        all = self.with_default_copies(&all, body);
        self.map_by_default_mappers(&mut all, body);
        self.map_objects_of_members(&mut all, body);
        if loop_ && (self.runs_in_order(&all, body) || self.asks_for_one_thread(&all)) {
            all.kind = DirectiveKind::Compute { construct: Construct::Target, loop_ };
            return Joined { directive: all, construct: Construct::Target, loop_, body, mistakes };
        }
        // Without a `teams` around it, all threads of the launch may share the one loop, unless they are told apart.
        let linear = loop_ && self.linear_apart(&all, body).is_some();
        let shared = !teams && loop_ && !linear && !self.asks_for_threads(body);
        all.clauses.retain(|c| !(shared && matches!(c.kind, ClauseKind::Vector(_))));
        // Nor does `loop` say who shares it.
        let is_shared = |c: &Clause| matches!(c.kind, ClauseKind::Gang(_) | ClauseKind::Vector(_));
        let open = loop_ && !all.clauses.iter().any(is_shared);
        if open && (shared || teams) && !self.without_array_reductions(&all, body).1.is_empty() {
            let span = all.name_span;
            for kind in [ClauseKind::Gang(GangArgs::default()), ClauseKind::Vector(None)] {
                all.clauses.push(Clause { kind, span, ..all.clauses[0].clone() });
            }
        }
        let construct = if teams || shared { Construct::Parallel } else { Construct::Target };
        all.kind = DirectiveKind::Compute { construct, loop_ };
        Joined { directive: all, construct, loop_, body, mistakes }
    }

    /// The loop's iterations are run by one thread: parts of them are for one thread at a time, or in order.
    pub fn runs_in_order(&self, d: &Directive, body: &Ast) -> bool {
        d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Seq)) || self.holds_critical(body)
    }

    /// Clauses say that one thread of one team shares the loop's iterations.
    pub fn asks_for_one_thread(&mut self, d: &Directive) -> bool {
        let sizes = d.clauses_for(DeviceKind::Cuda).sizes;
        let by_teams = d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Gang(_)));
        let mut is_one = |size: Option<&CExpr>| size.is_some_and(|size| self.constant(size) == Some(1));
        d.origin == Sentinel::Omp
            && is_one(sizes.vector_length)
            && (!by_teams || is_one(sizes.num_gangs.first()))
    }

    fn holds_critical(&self, s: &Ast) -> bool {
        self.holds(s, |kind| *kind == DirectiveKind::Threads(ThreadsKind::Critical))
    }

    fn holds(&self, s: &Ast, wanted: fn(&DirectiveKind) -> bool) -> bool {
        let here = match &s.kind {
            StmtKind::Directed { directive, .. } => wanted(&self.cx.pragmas[*directive].directive.kind),
            _ => false,
        };
        here || walk::children(s).into_iter().any(|inner| self.holds(inner, wanted))
    }

    /// A loop that each of the teams asked for runs as a whole, and whose result tells how many these are.
    fn counts_teams(&self, teams: &Directive, of_threads: &Directive, body: &Ast) -> bool {
        let has = |wanted: fn(&ClauseKind) -> bool| of_threads.clauses.iter().any(|c| wanted(&c.kind));
        let asked = !teams.clauses_for(DeviceKind::Cuda).sizes.num_gangs.is_empty();
        let by_threads =
            has(|c| matches!(c, ClauseKind::Vector(_))) && !has(|c| matches!(c, ClauseKind::Gang(_)));
        let adds_up = has(|c| matches!(c, ClauseKind::Reduction(_)))
            || self.holds(body, |kind| matches!(kind, DirectiveKind::Atomic(_)));
        asked && by_threads && adds_up
    }

    /// Tells that a parallel loop is run by one thread.
    pub fn warn_of_order(&mut self, d: &Directive) {
        let message = "the loop is run by one thread, one iteration after the other";
        self.cx.error(
            Diagnostic::warning(codes::IN_ORDER, message)
                .at(d.name_span)
                .with_note("a `critical` or `ordered` construct stands in it")
                .with_help("use `atomic`, or a reduction, where one will do"),
        );
    }

    /// When the construct uses the device: the `if` clause, and OpenMP's `device`.
    pub fn condition(
        &mut self,
        d: &Directive,
        conditions: &Conditions<'_>,
        device: Option<HostExpr>,
    ) -> Option<HostExpr> {
        let condition = conditions.if_.map(|e| self.host_expr(e));
        if d.origin != Sentinel::Omp || !d.is_for_devices() {
            return condition;
        }
        // Where the condition is false, any number is right.
        if let (Some(condition), Some(device)) = (&condition, &device) {
            let text = format!("accl_omp_offloads(({}) ? (int)({}) : -1)", condition.text, device.text);
            return Some(HostExpr { text, span: device.span, value: None });
        }
        // ACCL_OMP_DEFAULT_DEVICE
        let (device, span) = device.map_or(("-1000".to_owned(), d.name_span), |d| (d.text, d.span));
        let text = match condition {
            Some(condition) => format!("accl_omp_offloads({device}) && ({})", condition.text),
            None => format!("accl_omp_offloads({device})"),
        };
        Some(HostExpr { text, span, value: None })
    }

    /// `depend` orders the construct and tasks that the task at hand has made: it waits for all of these. The thread that meets
    /// the construct runs it at once, so that later ones have nothing to wait for.
    pub fn dependences(&mut self, depends: bool, waits: &mut Vec<Wait>) {
        if depends {
            waits.push(Wait { tasks: true, ..Wait::default() });
        }
    }

    /// Structures and what their members point to, where one construct maps both: then the pointers in the device's copy of
    /// the structure are the device's (OpenMP 5.2 §5.8.3), for functions that are given its address.
    pub fn attached(&self, items: &[DataItem]) -> Vec<DataItem> {
        let is_in = |member: &DataItem, structure: &DataItem| match member.base.strip_prefix(&structure.base)
        {
            Some(rest) => rest.starts_with('.') || rest.starts_with("->"),
            None => structure.base.trim_start_matches('*') == "this" && !member.base.contains(['.', '>']),
        };
        let is_member = |item: &DataItem| matches!(item.var, DataVar::Member(_));
        let belong = |a: &DataItem, b: &DataItem| is_member(a) && is_in(a, b);
        let chosen = |item: &&DataItem| items.iter().any(|other| belong(item, other) || belong(other, item));
        let mut attached: Vec<DataItem> = items.iter().filter(chosen).cloned().collect();
        self.attach_members(DataKind::Attach, &mut attached);
        attached
    }

    /// `target data`, with `use_device_ptr` or without. Addresses are looked up when the data is there (OpenMP 5.2 §5.4.8).
    pub fn target_data(&mut self, pragma: &Pragma, body: &Ast) {
        let d = &pragma.directive;
        let uses = |c: &Clause| matches!(c.kind, ClauseKind::UseDevice(_));
        let both = |c: &Clause| matches!(c.kind, ClauseKind::If(_) | ClauseKind::DeviceNum(_));
        let part = |used: bool| {
            let clauses = d.clauses.iter().filter(|c| uses(c) == used || both(c)).cloned();
            Directive { clauses: clauses.collect(), ..d.clone() }
        };
        let mut clauses = self.region_clauses(&part(false), false);
        clauses.default = None;
        if !d.clauses.iter().any(uses) {
            return self.data_region(RegionKind::Data, clauses, pragma.span, body);
        }
        let host_data =
            RegionClauses { if_present: true, default: None, ..self.region_clauses(&part(true), false) };
        self.device_objects(&host_data.data, pragma.span, body);
        if clauses.data.is_empty() && clauses.list.is_empty() {
            return self.data_region(RegionKind::HostData, host_data, pragma.span, body);
        }
        self.within_data(clauses, pragma.span, body.span, |f, behind| {
            f.data_region(RegionKind::HostData, host_data, behind, body);
        });
    }

    /// Notes where the body names a variable that is no array and no pointer and whose device address the construct hands out.
    fn device_objects(&mut self, items: &[DataItem], directive: Span, body: &Ast) {
        let mut found = vec![];
        for item in items {
            let kind = self.cx.module.types.kind(item.ty);
            if matches!(kind, TypeKind::Array { .. } | TypeKind::Pointer { .. }) {
                continue;
            }
            let Some(Named::Variable(named, _)) = self.lookup(&item.base) else { continue };
            walk::exprs(body, &mut |e| {
                if let ExprKind::Var(id, name) = &e.kind
                    && *id == named
                {
                    found.push((name.to_string(), e.span));
                }
            });
        }
        if !found.is_empty() {
            self.cx.module.device_objects.insert(directive.end, found);
        }
    }

    /// The numbers of devices that the construct asks for, which only the host knows, come as the values of variables.
    pub fn bring_values_of_host(&mut self, body: &Ast, clauses: &mut RegionClauses) {
        const ASKED: [(&str, &str); 2] = [
            ("omp_get_device_num", "(*accl_omp_this_device())"),
            ("omp_get_num_devices", "(*accl_omp_devices())"),
        ];
        for (name, base) in ASKED {
            let mut asked = None;
            walk::exprs(body, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind
                    && walk::library_name(callee) == Some(name)
                {
                    asked = asked.or(Some(e.span));
                }
            });
            if let Some(span) = asked {
                let ty = self.i32();
                let local = self.local("value_of_host", ty, LocalKind::Auto, span);
                clauses.data.push(DataItem {
                    flags: DataFlags { implicit: true, ..DataFlags::default() },
                    ..DataItem::new(
                        DataKind::Copyin,
                        DataVar::Local(local),
                        format!("{name}()"),
                        base.to_owned(),
                        ty,
                        span,
                    )
                });
                self.brought.insert(name.to_owned(), local);
            }
        }
    }

    /// A pointer's last value would lead to the device's memory.
    pub fn last_values_reach_the_host(&mut self, joined: &Joined<'_>) -> Lowered<()> {
        let [view, ..] = by_device::views(&joined.directive);
        for section in &view.privates.lastprivate {
            if let Some(Named::Variable(_, variable)) = section.as_variable().and_then(|n| self.lookup(n))
                && matches!(&*variable.ty.referred().ty, Ty::Pointer { .. })
            {
                return Err(unsupported("the last value of a pointer", section.span));
            }
        }
        Ok(())
    }

    /// What a target construct has beside the clauses of the normal form.
    pub fn target_clauses(&mut self, joined: &Joined<'_>, numbered: bool, clauses: &mut RegionClauses) {
        let d = &joined.directive;
        let says_one = clauses.num_gangs.as_ref().is_some_and(|number| number.value == Some(1));
        let one_team = joined.construct == Construct::Target || says_one;
        self.team = if one_team { Runners::One } else { Runners::Unknown };
        self.thread = Runners::One;
        // A bound that the blocks of a loop keep to anyway leaves their shape to the compiler.
        let wide = |size: &HostExpr| size.value.is_some_and(|n| n >= USUAL_BLOCK);
        if joined.loop_ && !numbered && clauses.vector_length.as_ref().is_some_and(wide) {
            clauses.vector_length = None;
        }
        let [view, ..] = by_device::views(d);
        self.thread_limit = view.sizes.vector_length.cloned();
        self.default_clauses(joined, clauses);
        let linear = view.privates.linear.iter().flat_map(|(list, _)| list.iter());
        let last = view.privates.lastprivate.iter().copied().chain(linear);
        self.data_items(DataKind::Copy, DataFlags::default(), last, &mut clauses.data);
        if joined.construct == Construct::Target {
            clauses.num_gangs = Some(HostExpr::constant(1, d.name_span));
        }
    }

    /// Two regions of one directive: one of data, and what `inner` makes in it, which begins behind the directive's line.
    pub fn within_data(
        &mut self,
        data: RegionClauses,
        directive: Span,
        body: Span,
        inner: impl FnOnce(&mut Self, Span),
    ) {
        let inside = self.block(|f| inner(f, directive.at_end()));
        self.emit_region(RegionKind::Data, false, data, inside, directive, body);
    }

    /// The number in a `filter` clause of a construct that one thread runs.
    fn filtered(&mut self, d: &Directive) -> Lowered<Option<i64>> {
        let Some(filter) = d.clauses_for(DeviceKind::Cuda).conditions.filter else { return Ok(None) };
        match self.constant(filter) {
            Some(number) => Ok(Some(number)),
            None => Err(unsupported("a `filter` that is not constant", filter.span)),
        }
    }

    /// A task is run where it is made.
    fn task(&mut self, d: &Directive, body: &Ast) -> Lowered<()> {
        let explicit = self.text(d.name_span) != "taskgroup";
        let inside = explicit || self.in_task;
        let outside = std::mem::replace(&mut self.in_task, inside);
        let result = self.alone(d, body);
        self.in_task = outside;
        result
    }

    /// Constructs of a team's threads, in device code.
    pub fn threads_construct(&mut self, kind: ThreadsKind, pragma: &Pragma, body: &Ast) -> Lowered<()> {
        let d = &pragma.directive;
        if self.one_thread {
            return match self.filtered(d)? {
                Some(0) | None if kind == ThreadsKind::Task => self.task(d, body),
                Some(0) | None => self.alone(d, body),
                Some(_) => Ok(()),
            };
        }
        if kind != ThreadsKind::Parallel || self.in_threads {
            self.needs_no_order(d, body)?;
        }
        match kind {
            ThreadsKind::Task => self.task(d, body),
            ThreadsKind::NoEffect
            | ThreadsKind::NoEffectOnLoop
            | ThreadsKind::Barrier
            | ThreadsKind::Flush => self.device_stmt(body),
            // One thread is all there is outside a `parallel` construct, and in a nested one.
            ThreadsKind::Parallel if self.in_threads => {
                let outside = std::mem::take(&mut self.thread);
                let result = self.device_stmt(body);
                self.thread = outside;
                result
            }
            ThreadsKind::Parallel => self.parallel_block(&pragma.directive, body),
            ThreadsKind::Masked if self.in_threads => {
                let filter = d.clauses_for(DeviceKind::Cuda).conditions.filter;
                self.certain_thread(filter, body.span, |f| f.device_stmt(body))
            }
            ThreadsKind::Critical if self.in_threads && !self.in_turn => {
                self.not_implemented("`critical` among the threads of a device", pragma.directive.name_span);
                Ok(())
            }
            ThreadsKind::Sections
            | ThreadsKind::Section
            | ThreadsKind::Single
            | ThreadsKind::Masked
            | ThreadsKind::Critical
            | ThreadsKind::Ordered
            | ThreadsKind::Scope => self.alone(d, body),
            ThreadsKind::TargetParallel => {
                let message = "a `target` construct stands in device code";
                Err(Box::new(Diagnostic::error(codes::NESTED_REGION, message).at(pragma.directive.name_span)))
            }
        }
    }
}

/// The statement in braces that hold nothing else.
pub fn only(body: &Ast) -> &Ast {
    match &body.kind {
        StmtKind::Compound(items) => match &items[..] {
            [one] => only(one),
            _ => body,
        },
        _ => body,
    }
}
