//! A parallel region as code for one thread, with constructs for its loops; and loops that stand in functions which
//! regions call.

use super::WhyNot;
use super::accumulate;
use super::busy_waits;
use super::edits::{self, TextEdit};
use super::flow;
use super::idle_threads::IDLE_THREAD;
use super::kernel::{LoopConstruct, Surroundings, kernel};
use super::lines::{self, OmpLine};
use super::messages;
use super::places;
use super::pointers::Pointers;
use super::scratch::shared_loops;
use super::thread_numbers::{TEAM, compares_with_first, team_size, thread_numbers};
use super::unit::{RunBy, SourceFile};
use crate::ast::{DeclId, Expr, ExprKind, Function, Stmt, StmtKind, Storage};
use crate::lower::walk;
use accl_directives::ReductionOp;
use accl_directives::omp::ast::{Leaf, OmpClauseKind, OmpName};
use std::collections::{BTreeMap, BTreeSet};

/// `parallel for`. `conditions`: without which the host runs it.
pub fn combined(
    unit: &SourceFile<'_>,
    index: usize,
    body: &Stmt,
    conditions: Vec<String>,
    place: &dyn Fn(u32) -> String,
) -> Result<Vec<TextEdit>, WhyNot> {
    let scope = Surroundings {
        body,
        own: BTreeSet::new(),
        with_value: BTreeSet::new(),
        reductions: vec![],
        conditions,
        known_calls: BTreeSet::new(),
        region: None,
    };
    if let Some(made) = places::loop_edits(unit, &scope, index, body, place)? {
        return Ok(vec![made.edit]);
    }
    let made = kernel(unit, &scope, index, body)?;
    Ok(as_edits(&unit.lines[index], body, made, place))
}

fn as_edits(
    line: &OmpLine,
    body: &Stmt,
    made: LoopConstruct,
    place: &dyn Fn(u32) -> String,
) -> Vec<TextEdit> {
    let mut edits = made.edits;
    if !made.before.is_empty() {
        edits.push(TextEdit::insert(body.span.end, format!("{} }}", made.after)));
    }
    let pragma = match made.schedule {
        Some(schedule) => {
            format!("#pragma accl schedule({schedule})\n{}{}", place(line.span.start), made.pragma)
        }
        None => made.pragma,
    };
    let text = match made.before.is_empty() {
        true => pragma,
        false => format!("{{ {}\n{}{}", made.before, place(line.span.start), pragma),
    };
    edits.push(TextEdit::replace(line.span.start..line.span.end, text));
    edits
}

/// `parallel`, whose loops are in it or in functions that it calls, becomes a region of one thread. `orphans`: functions with
/// loops that can be constructs. `place`: a line that gives the next one the number of the line at a place.
pub fn block(
    unit: &SourceFile<'_>,
    orphans: &Orphans,
    line: &OmpLine,
    body: &Stmt,
    conditions: Vec<String>,
    place: &dyn Fn(u32) -> String,
) -> Result<Vec<TextEdit>, WhyNot> {
    if let Some(mistake) = line.mistakes.first() {
        return Err(WhyNot::new(line.directive.name_span, mistake.message.clone()));
    }
    let nested = !conditions.is_empty();
    let mut scope = Surroundings {
        body,
        own: BTreeSet::new(),
        with_value: BTreeSet::new(),
        reductions: vec![],
        conditions,
        known_calls: BTreeSet::new(),
        region: unit.lines.iter().position(|l| l.span == line.span),
    };
    walk::vars(body, &mut |var| {
        if var.storage == Storage::Auto {
            scope.own.insert(var.id);
        }
    });
    let mut written = RegionText { before: String::new(), clauses: String::new() };
    region_clauses(unit, line, &mut scope, &mut written)?;
    let numbers = thread_numbers(unit, body, &scope.own, place)?;
    if numbers.asks_for_team {
        if nested || !scope.conditions.is_empty() {
            let why = "the number of its threads depends on where it is called";
            return Err(WhyNot::new(line.directive.name_span, why.into()));
        }
        written.before += &format!("const int {TEAM} = {};", team_size(unit, line));
    }
    if let Some(idle) = &numbers.idle {
        if !scope.reductions.is_empty() || unit.pointers != Pointers::Followed {
            let why = "each thread leaves a value of its own";
            return Err(WhyNot::new(line.directive.name_span, why.into()));
        }
        written.before += &format!(
            " for (int {IDLE_THREAD} = 1; {IDLE_THREAD} < {TEAM}; {IDLE_THREAD}++)\n\
             #pragma omp parallel num_threads(1){}\n{}{idle}",
            written.clauses,
            place(body.span.start),
        );
    }
    scope.known_calls.clone_from(&numbers.calls);
    scope.known_calls.extend(asks_for_the_first(unit, body));
    let loops = loops_of(unit, body);
    scope.known_calls.extend(loops.iter().flat_map(|(_, s)| messages::messages(unit, s).calls));
    unit.check_calls(body, RunBy::Each, &scope.known_calls)?;
    busy_waits::none(unit, body)?;
    sets_variables_of_threads(unit, body)?;
    each_thread_adds(unit, body, &scope)?;
    let called = called_functions(unit, body);
    for function in &called {
        if let Some(Err(reason)) = orphans.get(function) {
            return Err(reason.clone());
        }
    }
    if loops.is_empty() && !called.iter().any(|f| orphans.contains_key(f)) {
        let why = "its threads share no loop".into();
        return Err(WhyNot::new(line.directive.name_span, why));
    }
    let mut edits = kernels(unit, &scope, &loops, place)?;
    edits.extend(numbers.edits);
    edits.extend(barriers(unit, body));
    let mut directive = format!("#pragma omp parallel num_threads(1){}", written.clauses);
    if unit.writes_openacc {
        if nested {
            let why = "threads of the host meet the region, and OpenACC has no teams of one thread";
            return Err(WhyNot::new(line.directive.name_span, why.into()));
        }
        // Constructs of OpenACC may not stand in one of OpenMP's.
        let declarations = super::openacc::region(unit, line, body)?;
        let opened = declarations.matches('{').count();
        edits.push(TextEdit::insert(body.span.end, " }".repeat(opened)));
        written.before += &declarations;
        directive.clear();
    }
    let text = match written.before.is_empty() {
        true => directive,
        false => {
            edits.push(TextEdit::insert(body.span.end, " }".into()));
            match directive.is_empty() {
                true => format!("{{ {}", written.before),
                false => format!("{{ {}\n{}{directive}", written.before, place(line.span.start)),
            }
        }
    };
    edits.push(TextEdit::replace(line.span.start..line.span.end, text));
    Ok(edits)
}

/// One thread waits for nobody. A barrier may even stand where several threads would never end to wait, as in a `master` block:
/// host compilers refuse that.
fn barriers(unit: &SourceFile<'_>, s: &Stmt) -> Vec<TextEdit> {
    match &s.kind {
        StmtKind::Directed { directive, .. } if unit.lines[*directive].has(Leaf::Parallel) => vec![],
        StmtKind::Directed { directive, .. }
            if matches!(unit.lines[*directive].directive.name, OmpName::Barrier) =>
        {
            let span = unit.lines[*directive].span;
            vec![TextEdit::replace(span.start..span.end, String::new())]
        }
        _ => walk::children(s).into_iter().flat_map(|s| barriers(unit, s)).collect(),
    }
}

/// What stands in the place of a region's directive.
struct RegionText {
    /// Statements before it.
    before: String,
    clauses: String,
}

/// The constructs for all loops of a region or function.
fn kernels(
    unit: &SourceFile<'_>,
    scope: &Surroundings<'_>,
    loops: &[(usize, &Stmt)],
    place: &dyn Fn(u32) -> String,
) -> Result<Vec<TextEdit>, WhyNot> {
    let mut edits = vec![];
    let mut spoiled: BTreeMap<DeclId, BTreeSet<usize>> = BTreeMap::new();
    for (index, body) in loops {
        if let Some(made) = places::loop_edits(unit, scope, *index, body, place)? {
            edits.push(made.edit);
            made.spoiled.iter().for_each(|id| _ = spoiled.entry(*id).or_default().insert(*index));
            continue;
        }
        let made = kernel(unit, scope, *index, body)?;
        for id in &made.spoiled {
            spoiled.entry(*id).or_default().insert(*index);
        }
        edits.extend(as_edits(&unit.lines[*index], body, made, place));
    }
    for (id, loops) in spoiled {
        if let Some(span) = flow::read_after(unit, scope.body, id, &loops) {
            let name = unit.var(id).map_or("", |var| &var.name);
            return Err(WhyNot::new(
                span,
                format!("a loop's last value of `{name}`, which each thread has, is used"),
            ));
        }
    }
    Ok(edits)
}

/// What the clauses of a region say of its variables, and those that a team of one thread needs, too.
fn region_clauses(
    unit: &SourceFile<'_>,
    line: &OmpLine,
    scope: &mut Surroundings<'_>,
    written: &mut RegionText,
) -> Result<(), WhyNot> {
    let used = unit.used(scope.body);
    let id_of = |name: &str| used.iter().find(|(_, used, _)| used == name).map(|(id, ..)| *id);
    for clause in &line.directive.clauses {
        let text = unit.text(clause.span);
        let refuse = |why: &str| Err(WhyNot::new(clause.span, format!("`{text}` {why}")));
        match &clause.kind {
            OmpClauseKind::Private(_) | OmpClauseKind::Firstprivate(_) => {}
            OmpClauseKind::Reduction { op, sections } => {
                for section in sections {
                    let Some(name) = section.as_variable().filter(|_| section.is_whole()) else {
                        return refuse("reduces a part of a variable");
                    };
                    scope.reductions.push((*op, name.to_owned()));
                }
            }
            OmpClauseKind::If(of, condition) if of.as_deref().is_none_or(|of| of == "parallel") => {
                written.before = format!("const int accl_if = !!({});", unit.text(condition.span));
                scope.conditions.push("accl_if".into());
                continue;
            }
            // What the host's code for constructs uses is in no list.
            OmpClauseKind::Default(word) if word == "none" || word == "shared" => continue,
            OmpClauseKind::NumThreads(_) => continue,
            OmpClauseKind::Shared(_) | OmpClauseKind::NoEffect => {}
            _ => return refuse("is not understood"),
        }
        written.clauses += &format!(" {text}");
    }
    for (_, name) in &scope.reductions {
        let Some(id) = id_of(name) else { continue };
        if let Some(span) = reads_outside_loops(unit, scope.body, id) {
            return Err(WhyNot::new(span, format!("`{name}` is used before its reduction is complete")));
        }
    }
    scope.own.extend(line.names(lines::privates).into_iter().filter_map(id_of));
    for id in line.names(lines::firstprivates).into_iter().filter_map(id_of) {
        scope.own.insert(id);
        scope.with_value.insert(id);
    }
    Ok(())
}

/// Where code between the loops does more with a variable than to accumulate into it.
fn reads_outside_loops(unit: &SourceFile<'_>, s: &Stmt, id: DeclId) -> Option<accl_source::Span> {
    if matches!(s.kind, StmtKind::Directed { directive, .. } if unit.lines[directive].shares_loop())
        || accumulate::update(unit, s).is_some_and(|update| update.root == id)
    {
        return None;
    }
    let own = walk::own_exprs(s).into_iter().find(|e| walk::uses(e, id) > 0);
    own.map(|e| e.span)
        .or_else(|| walk::children(s).into_iter().find_map(|s| reads_outside_loops(unit, s, id)))
}

/// The loops that the region's threads share in a statement, each with its directive.
fn loops_of<'s>(unit: &SourceFile<'_>, s: &'s Stmt) -> Vec<(usize, &'s Stmt)> {
    let mut found = vec![];
    shared_loops(unit, s, &mut found);
    // A region inside is its own.
    found.retain(|(directive, _)| !unit.lines[*directive].has(Leaf::Parallel));
    found
}

/// Functions that a statement calls, and that these call.
pub fn called_functions(unit: &SourceFile<'_>, s: &Stmt) -> BTreeSet<DeclId> {
    let mut found = BTreeSet::new();
    unit.each_reached(s, &mut |s| {
        walk::exprs(s, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind {
                found.extend(walk::callee(callee));
            }
        });
    });
    found
}

/// Each thread adds the same to a variable, so the sum depends on how many there are.
fn each_thread_adds(unit: &SourceFile<'_>, s: &Stmt, scope: &Surroundings<'_>) -> Result<(), WhyNot> {
    match &s.kind {
        StmtKind::Compound(_) | StmtKind::For { .. } => {
            walk::children(s).into_iter().try_for_each(|s| each_thread_adds(unit, s, scope))
        }
        StmtKind::Directed { directive, body: Some(body) }
            if unit.lines[*directive].has(Leaf::Critical)
                || matches!(unit.lines[*directive].directive.name, OmpName::Atomic(_)) =>
        {
            each_thread_adds(unit, body, scope)
        }
        _ => {
            let Some((place, op, _, values)) = accumulate::parts(unit, s) else { return Ok(()) };
            let counts = matches!(op, ReductionOp::Add | ReductionOp::Mul | ReductionOp::BitXor);
            let is_reduced = |name: &str| scope.reductions.iter().any(|(_, reduced)| reduced == name);
            let of_all = |id: &DeclId| {
                !scope.own.contains(id) || unit.var(*id).is_some_and(|var| is_reduced(&var.name))
            };
            let is_own = |e: &Expr| scope.own.iter().any(|id| walk::uses(e, *id) > 0);
            let same = counts
                && !values.iter().any(|e| is_own(e))
                && walk::root(place).is_some_and(|id| of_all(&id));
            match same {
                true => Err(WhyNot::new(s.span, format!("each thread adds to `{}`", unit.text(place.span)))),
                false => Ok(()),
            }
        }
    }
}

/// Where functions that a region calls, outside of shared loops, ask only whether the first thread runs them: it does.
fn asks_for_the_first(unit: &SourceFile<'_>, body: &Stmt) -> BTreeSet<u32> {
    let between = called_between_loops(unit, body);
    let mut in_loops = BTreeSet::new();
    for s in std::iter::once(body).chain(between.iter().filter_map(|f| f.body.as_ref())) {
        in_loops.extend(loops_of(unit, s).into_iter().flat_map(|(_, s)| called_functions(unit, s)));
    }
    let functions = between.into_iter().filter(|f| !in_loops.contains(&f.id));
    functions.filter_map(|f| compares_with_first(unit, f.body.as_ref()?)).flatten().collect()
}

/// The functions of the file that each thread of a region calls outside of shared loops.
fn called_between_loops<'a>(unit: &SourceFile<'a>, body: &Stmt) -> Vec<&'a Function> {
    let mut found: Vec<&Function> = vec![];
    let mut next = 0;
    let mut at = Some(body);
    while let Some(s) = at {
        let mut evaluated = vec![];
        run_by_each(unit, s, &mut evaluated);
        for function in evaluated.iter().flat_map(walk::called).filter_map(|id| unit.function(id)) {
            if function.body.is_some() && !found.iter().any(|f| f.id == function.id) {
                found.push(function);
            }
        }
        at = found.get(next).and_then(|f| f.body.as_ref());
        next += 1;
    }
    found
}

/// Each thread has to set its own copy of a `threadprivate` variable; the first one does where it is asked for.
fn sets_variables_of_threads(unit: &SourceFile<'_>, body: &Stmt) -> Result<(), WhyNot> {
    let between = called_between_loops(unit, body);
    for s in std::iter::once(body).chain(between.into_iter().filter_map(|f| f.body.as_ref())) {
        let mut evaluated = vec![];
        run_by_each(unit, s, &mut evaluated);
        for s in &evaluated {
            if let Some(id) = unit.of_threads.iter().find(|id| unit.changes(s, **id)) {
                let name = unit.var(*id).map_or("", |var| &var.name);
                let why = format!("each thread sets its copy of `{name}`, which is threadprivate");
                return Err(WhyNot::new(s.span, why));
            }
        }
    }
    Ok(())
}

/// The expressions that each thread of a team evaluates outside of shared loops, as statements.
fn run_by_each(unit: &SourceFile<'_>, s: &Stmt, found: &mut Vec<Stmt>) {
    if let StmtKind::Directed { directive, .. } = s.kind {
        let line = &unit.lines[directive];
        let by_first = line.leaves() == [Leaf::Masked] && line.directive.clauses.is_empty();
        if line.shares_loop() || by_first {
            return;
        }
    }
    let own = walk::own_exprs(s).into_iter();
    found.extend(own.map(|e| Stmt { kind: StmtKind::Expr(e.clone()), span: e.span }));
    walk::children(s).into_iter().for_each(|s| run_by_each(unit, s, found));
}

/// Asks whether several threads run the code.
pub const IN_PARALLEL: &str = "omp_in_parallel";

/// Functions with orphaned loops: their edits, or why they stay as they are.
pub type Orphans = BTreeMap<DeclId, Result<Vec<TextEdit>, WhyNot>>;

/// The loops of a function that stand in no region of its own: in a region of a caller's that the host's threads run they are
/// shared as they were, elsewhere the device runs them. `chooses`: threads may meet them.
pub fn orphan(
    unit: &SourceFile<'_>,
    function: &Function,
    chooses: bool,
    place: &dyn Fn(u32) -> String,
) -> Option<Result<Vec<TextEdit>, WhyNot>> {
    let body = function.body.as_ref()?;
    let mut loops = vec![];
    orphaned_loops(unit, body, &mut loops);
    if loops.is_empty() {
        return None;
    }
    let mut own = BTreeSet::new();
    walk::vars(body, &mut |var| {
        if var.storage == Storage::Auto {
            own.insert(var.id);
        }
    });
    if chooses && let Some(reason) = loops.iter().find_map(|(_, body)| cannot_stand_twice(body)) {
        return Some(Err(reason));
    }
    own.extend(function.params.iter().map(|p| p.id));
    let with_value = function.params.iter().map(|p| p.id).collect();
    let scope = Surroundings {
        body,
        own,
        with_value,
        reductions: vec![],
        conditions: vec![],
        known_calls: BTreeSet::new(),
        region: None,
    };
    let edits = kernels(unit, &scope, &loops, place);
    if !chooses {
        return Some(edits);
    }
    Some(edits.map(|made| {
        let twice = |(index, body): &(usize, &Stmt)| {
            let line = &unit.lines[*index];
            let range = line.span.start as usize..body.span.end as usize;
            let device = edits::apply(unit.buffer, range.clone(), &made);
            let text = format!(
                "{{ if ({IN_PARALLEL}()) {{\n{0}{1}\n}} else {{\n{0}{2}\n}} }}\n{3}",
                place(line.span.start),
                &unit.buffer[range.clone()],
                device,
                place(body.span.end),
            );
            TextEdit { range, text }
        };
        loops.iter().map(twice).collect()
    }))
}

/// What would be two things if the text stood there twice.
pub fn cannot_stand_twice(body: &Stmt) -> Option<WhyNot> {
    let mut found = None;
    walk::vars(body, &mut |var| {
        if var.storage == Storage::Static {
            found = Some(WhyNot::new(var.span, format!("`{}` is static in a loop", var.name)));
        }
    });
    found.or_else(|| label(body).map(|span| WhyNot::new(span, "a label stands in it".into())))
}

fn label(s: &Stmt) -> Option<accl_source::Span> {
    match s.kind {
        StmtKind::Label(_) => Some(s.span),
        _ => walk::children(s).into_iter().find_map(label),
    }
}

fn orphaned_loops<'s>(unit: &SourceFile<'_>, s: &'s Stmt, found: &mut Vec<(usize, &'s Stmt)>) {
    if let StmtKind::Directed { directive, body } = &s.kind {
        let line = &unit.lines[*directive];
        if line.has(Leaf::Parallel) || line.is_for_devices() {
            return;
        }
        if line.has(Leaf::For) {
            found.extend(body.iter().map(|body| (*directive, &**body)));
            return;
        }
    }
    walk::children(s).into_iter().for_each(|s| orphaned_loops(unit, s, found));
}
