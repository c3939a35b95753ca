//! Scalars that stay on the device while a loop of the host has launches.
//!
//! Solvers such as conjugate gradients add up a value in one launch, compute another one of it on the host (`alpha = rho / d`), and use
//! that in the next launch. For each such sum the host waits, though the launches take microseconds. So where a loop of the
//! host does nothing with the sums of its launches but to compute scalars for further launches, these scalars are mapped around
//! the loop, its launches use them there, and the assignments between launches are constructs of one thread.
//!
//! The scalars are variables of the function whose address nobody has, so all their uses are seen. They are floating-point numbers:
//! how large launches and transfers are depends on integers, which the host has to know.

use super::edits::TextEdit;
use super::flow;
use super::lines::{self, OmpLine};
use super::region::called_functions;
use super::unit::{RunBy, SourceFile};
use super::{OnCpu, RegionLines};
use crate::ast::{DeclId, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Ty};
use crate::lower::walk;
use accl_directives::omp::ast::{Leaf, OmpClauseKind};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct ResidentScalars {
    loops: Vec<ResidentLoop>,
}

struct ResidentLoop {
    span: Span,
    scalars: BTreeMap<DeclId, String>,
    /// How each of them gets to the device and home.
    maps: BTreeMap<&'static str, Vec<String>>,
    /// Assignments that follow one another, from the first to the last, with the resident scalars that they name.
    assignments: Vec<(Span, BTreeSet<String>)>,
}

/// The loops of the program that have such scalars. `lines`: where a loop stands.
pub fn find(unit: &SourceFile<'_>, on_cpu: &OnCpu, lines: &dyn Fn(Span) -> RegionLines) -> ResidentScalars {
    let mut found = ResidentScalars::default();
    for function in unit.program.functions.iter().filter(|f| f.instance.is_none()) {
        let Some(body) = &function.body else { continue };
        if unit.called_by_threads.contains(&function.id) {
            continue;
        }
        let candidates = candidates(unit, function, body);
        let mut finder = Finder { unit, function, candidates, in_region: false, found: &mut found.loops };
        if !finder.candidates.is_empty() {
            finder.loops(body);
        }
    }
    found.loops.retain(|l| !on_cpu.contains_key(&lines(l.span)));
    found
}

impl ResidentScalars {
    /// The scalars that lie on the device at a place.
    pub fn at(&self, place: Span) -> impl Iterator<Item = (&DeclId, &String)> {
        self.loops.iter().filter(move |l| l.span.contains(place)).flat_map(|l| &l.scalars)
    }

    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.loops.iter().map(|l| l.span)
    }

    /// `place`: a line that gives the next one the number of the line at a place.
    pub fn edits(&self, place: &dyn Fn(u32) -> String) -> Vec<TextEdit> {
        let mut edits = vec![];
        let mut block = |span: Span, directive: &str, maps: &str| {
            let line = place(span.start);
            let text = format!("\n{line}#pragma omp {directive} {maps}\n{line}{{ ");
            edits.push(TextEdit::insert(span.start, text));
            edits.push(TextEdit::insert(span.end, " }".into()));
        };
        for l in &self.loops {
            let maps = l.maps.iter().map(|(kind, names)| format!("map({kind}: {})", names.join(", ")));
            block(l.span, "target data", &maps.collect::<Vec<_>>().join(" "));
            for (span, names) in &l.assignments {
                let names: Vec<&str> = names.iter().map(|name| &**name).collect();
                block(*span, "target", &format!("map(tofrom: {})", names.join(", ")));
            }
        }
        edits
    }
}

/// Floating-point variables of a function that only their names lead to.
fn candidates(unit: &SourceFile<'_>, function: &Function, body: &Stmt) -> BTreeSet<DeclId> {
    let mut found = only_named(unit, function, body);
    found.retain(|id| {
        unit.var(*id).is_some_and(|var| matches!(&*var.ty.ty, Ty::Float { .. }) && !var.ty.constant)
    });
    found
}

/// Numbers among a function's variables that only their names lead to.
pub fn only_named(unit: &SourceFile<'_>, function: &Function, body: &Stmt) -> BTreeSet<DeclId> {
    let mut found = BTreeSet::new();
    let mut consider = |var: &crate::ast::Var| {
        let is_number = matches!(&*var.ty.ty, Ty::Float { .. } | Ty::Int { .. } | Ty::Bool);
        if is_number && !var.type_text.contains("volatile") && !unit.of_threads.contains(&var.id) {
            found.insert(var.id);
        }
    };
    function.params.iter().for_each(&mut consider);
    walk::vars(body, &mut consider);
    let mut seen_otherwise: BTreeSet<DeclId> = walk::addressed(body).into_iter().collect();
    let objects =
        |args: &[Expr]| -> Vec<DeclId> { args.iter().filter(|a| a.place).filter_map(walk::root).collect() };
    walk::exprs(body, &mut |e| match &e.kind {
        ExprKind::Call { args, .. } | ExprKind::Construct { args, .. } => {
            seen_otherwise.extend(objects(args))
        }
        ExprKind::Lambda(lambda) => {
            let mut named = |s: &Stmt| seen_otherwise.extend(unit.used(s).into_iter().map(|(id, ..)| id));
            named(&lambda.body);
            lambda.calls.iter().for_each(|call| named(&call.body));
        }
        _ => {}
    });
    walk::vars(body, &mut |var| {
        if var.ty.is_reference() {
            seen_otherwise.extend(var.init.as_ref().and_then(walk::root));
        }
    });
    found.retain(|id| !seen_otherwise.contains(id));
    found
}

struct Finder<'u, 's, 'f> {
    unit: &'u SourceFile<'s>,
    function: &'u Function,
    candidates: BTreeSet<DeclId>,
    in_region: bool,
    found: &'f mut Vec<ResidentLoop>,
}

impl Finder<'_, '_, '_> {
    /// The loops of a statement, the outermost first.
    fn loops(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                if let Some(found) = self.resident(s) {
                    self.candidates.retain(|id| !found.scalars.contains_key(id));
                    self.found.push(found);
                }
            }
            StmtKind::Directed { directive, .. } => {
                let line = &self.unit.lines[*directive];
                if line.is_for_devices() || line.shares_loop() {
                    return;
                }
                if line.has(Leaf::Parallel) {
                    let outside = std::mem::replace(&mut self.in_region, true);
                    walk::children(s).into_iter().for_each(|s| self.loops(s));
                    self.in_region = outside;
                    return;
                }
            }
            _ => {}
        }
        walk::children(s).into_iter().for_each(|s| self.loops(s));
    }

    fn resident(&self, s: &Stmt) -> Option<ResidentLoop> {
        let unit = self.unit;
        let mut uses = Uses::new(unit);
        walk::vars(s, &mut |var| _ = uses.barred.insert(var.id));
        uses.stmt(s, self.in_region);
        if uses.leaves || uses.sums.is_empty() {
            return None;
        }
        let calls_itself = called_functions(unit, s).contains(&self.function.id);
        let may_stay = |id: &DeclId| {
            let var = unit.var(*id);
            self.candidates.contains(id)
                && !uses.barred.contains(id)
                && var.is_some_and(|var| !uses.barred_names.contains(&var.name))
                && !(calls_itself && var.is_some_and(|var| var.storage == Storage::Static))
        };
        let mut resident = BTreeSet::new();
        for sums in &uses.sums {
            let reached = uses.reached_from(sums);
            if reached.iter().all(may_stay) && !reached.is_disjoint(&uses.read) {
                resident.extend(reached);
            }
        }
        if resident.is_empty() {
            return None;
        }
        let name = |id: &DeclId| unit.var(*id).map_or(String::new(), |var| var.name.clone());
        let mut assignments: Vec<(Span, BTreeSet<String>)> = vec![];
        for (n, a) in uses.assignments.iter().enumerate().filter(|(_, a)| resident.contains(&a.to)) {
            let named = a.named.iter().chain([&a.to]).filter(|id| resident.contains(id)).map(name);
            match assignments.last_mut() {
                Some((span, names)) if a.follows_last && resident.contains(&uses.assignments[n - 1].to) => {
                    span.end = a.span.end;
                    names.extend(named);
                }
                _ => assignments.push((a.span, named.collect())),
            }
        }
        let scalars = resident.iter().map(|id| (*id, name(id))).collect();
        let mut maps: BTreeMap<_, Vec<String>> = BTreeMap::new();
        resident.iter().for_each(|id| maps.entry(self.map_kind(s, *id)).or_default().push(name(id)));
        Some(ResidentLoop { span: s.span, scalars, maps, assignments })
    }

    /// A value that nobody reads is neither sent nor fetched. What is fetched is sent, too: the loop may have no iteration.
    fn map_kind(&self, s: &Stmt, id: DeclId) -> &'static str {
        let unit = self.unit;
        let lives_on = self.function.body.as_ref().is_none_or(|body| {
            let is_static =
                unit.var(id).is_none_or(|var| matches!(var.storage, Storage::Static | Storage::Extern));
            flow::is_read_after(unit, body, id, s) || is_static && flow::exposed(unit, body, id).is_some()
        });
        match (lives_on, flow::exposed(unit, s, id)) {
            (true, _) => "tofrom",
            (false, Some(_)) => "to",
            (false, None) => "alloc",
        }
    }
}

/// An assignment of numbers to a variable, which the device can do.
pub struct Assignment {
    span: Span,
    pub to: DeclId,
    pub named: BTreeSet<DeclId>,
    /// The statement before it in the same block is the assignment before it.
    follows_last: bool,
}

/// What a loop of the host does with variables.
struct Uses<'u, 's> {
    unit: &'u SourceFile<'s>,
    /// What each launch adds up. The host waits for all of it, or for nothing.
    sums: Vec<BTreeSet<DeclId>>,
    /// What launches read.
    read: BTreeSet<DeclId>,
    assignments: Vec<Assignment>,
    /// Variables that the host needs, or that launches do something else with.
    barred: BTreeSet<DeclId>,
    /// The same, named in clauses.
    barred_names: BTreeSet<String>,
    /// The loop may be left otherwise than by its condition or `break`, or is shared by threads.
    leaves: bool,
}

impl<'u, 's> Uses<'u, 's> {
    fn new(unit: &'u SourceFile<'s>) -> Uses<'u, 's> {
        let (read, barred, barred_names) = Default::default();
        Uses { unit, sums: vec![], read, assignments: vec![], barred, barred_names, leaves: false }
    }

    /// The sums, and all that assignments compute of them.
    fn reached_from(&self, sums: &BTreeSet<DeclId>) -> BTreeSet<DeclId> {
        let mut reached = sums.clone();
        loop {
            let before = reached.len();
            for a in &self.assignments {
                if !a.named.is_disjoint(&reached) {
                    reached.insert(a.to);
                }
            }
            if reached.len() == before {
                return reached;
            }
        }
    }

    fn stmt(&mut self, s: &Stmt, in_region: bool) {
        match &s.kind {
            StmtKind::Compound(items) => {
                let mut last_was_assignment = false;
                for s in items {
                    let before = self.assignments.len();
                    self.stmt(s, in_region);
                    let is_assignment =
                        matches!(s.kind, StmtKind::Expr(_)) && self.assignments.len() > before;
                    if is_assignment && let Some(made) = self.assignments.last_mut() {
                        made.follows_last = last_was_assignment;
                    }
                    last_was_assignment = is_assignment;
                }
            }
            StmtKind::Expr(e) => match assignment(self.unit, s, e) {
                Some(made) => self.assignments.push(made),
                None => self.bar(s),
            },
            StmtKind::Directed { directive, body } => {
                self.directed(&self.unit.lines[*directive], body.as_deref(), in_region);
            }
            StmtKind::Return(_) | StmtKind::Goto | StmtKind::Label(_) | StmtKind::Unsupported(..) => {
                self.leaves = true;
            }
            StmtKind::RangeFor { .. } => self.bar(s),
            _ => {
                walk::own_exprs(s).into_iter().for_each(|e| self.bar_expr(e));
                let first = match &s.kind {
                    StmtKind::For { init, .. } | StmtKind::If { init, .. } => init.as_deref(),
                    _ => None,
                };
                for child in walk::children(s) {
                    match first.is_some_and(|first| std::ptr::eq(first, child)) {
                        true => self.bar(child),
                        false => self.stmt(child, in_region),
                    }
                }
            }
        }
    }

    fn directed(&mut self, line: &OmpLine, body: Option<&Stmt>, in_region: bool) {
        let is_loop = line.shares_loop() && !line.is_for_devices();
        for clause in &line.directive.clauses {
            let is_sum = is_loop && matches!(clause.kind, OmpClauseKind::Reduction { .. });
            if !is_sum && !matches!(clause.kind, OmpClauseKind::Shared(_)) {
                let words = self.unit.text(clause.span).split(|c: char| !c.is_alphanumeric() && c != '_');
                self.barred_names.extend(words.map(str::to_owned));
            }
        }
        let Some(body) = body else { return };
        let is_one = [Leaf::Single, Leaf::Masked, Leaf::Critical];
        match line.leaves() {
            _ if is_loop => match in_region || line.has(Leaf::Parallel) {
                true => self.shared_loop(line, body),
                // Threads of somebody else's region may share it.
                false => self.leaves = true,
            },
            [Leaf::Parallel] => self.stmt(body, true),
            [one] if is_one.contains(one) => self.stmt(body, in_region),
            _ => self.bar(body),
        }
    }

    fn shared_loop(&mut self, line: &OmpLine, body: &Stmt) {
        let unit = self.unit;
        let reduced = line.names(lines::reductions);
        let mut sums = BTreeSet::new();
        for (id, name, _) in unit.used(body) {
            match unit.changes(body, id) {
                true if reduced.contains(&&*name) => _ = sums.insert(id),
                true => _ = self.barred.insert(id),
                false => _ = self.read.insert(id),
            }
        }
        self.sums.extend((!sums.is_empty()).then_some(sums));
        let mut headers = vec![body];
        while let Some(s) = headers.pop() {
            if let StmtKind::For { init, .. } = &s.kind {
                walk::own_exprs(s).into_iter().for_each(|e| self.bar_expr(e));
                init.iter().for_each(|init| self.bar(init));
            }
            headers.extend(walk::children(s));
        }
    }

    fn bar(&mut self, s: &Stmt) {
        self.leaves |= matches!(s.kind, StmtKind::Return(_) | StmtKind::Goto | StmtKind::Label(_));
        walk::own_exprs(s).into_iter().for_each(|e| self.bar_expr(e));
        walk::children(s).into_iter().for_each(|s| self.bar(s));
    }

    fn bar_expr(&mut self, e: &Expr) {
        walk::within(e, &mut |e| match &e.kind {
            ExprKind::Var(id, _) => _ = self.barred.insert(*id),
            ExprKind::Statements(_) | ExprKind::Unsupported(..) => self.leaves = true,
            _ => {}
        });
    }
}

/// `x = …` or `x += …` of numbers alone.
pub fn assignment(unit: &SourceFile<'_>, s: &Stmt, e: &Expr) -> Option<Assignment> {
    let (ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. }) = &e.kind else {
        return None;
    };
    let ExprKind::Var(to, _) = walk::same_place(place).kind else { return None };
    let mut named: BTreeSet<DeclId> = unit.used(s).into_iter().map(|(id, ..)| id).collect();
    if matches!(e.kind, ExprKind::Assign { .. }) && walk::uses(value, to) == 0 {
        named.remove(&to);
    }
    let are_numbers = unit.is_scalar(to) && named.iter().all(|id| unit.is_scalar(*id));
    let is_computed = walk::is_plain(value) && unit.check_calls(s, RunBy::OnDevice, &BTreeSet::new()).is_ok();
    (are_numbers && is_computed).then_some(Assignment { span: s.span, to, named, follows_last: false })
}
