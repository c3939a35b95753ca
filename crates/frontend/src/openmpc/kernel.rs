//! One work-shared loop as a construct for the device.
//!
//! A team of one thread may run any region (OpenMP 5.2 §10.1.1), so what stands between work-shared loops means what it
//! means to that thread, and a loop has to leave behind what the thread's iterations, one after the other, would. Iterations
//! do not depend on each other through shared variables: the program promises it. They may through the thread's own, which
//! each iteration would find as the one before left them.
//!
//! | the loop, with a variable of the thread's | becomes |
//! |---|---|
//! | reads it | a value that is handed on |
//! | writes it before it reads it | private; nobody may read it afterwards |
//! | accumulates into it | a reduction |
//! | does something else | no construct: the region stays with the host's OpenMP |

use super::WhyNot;
use super::accumulate;
use super::busy_waits;
use super::cuda_pragmas::Wishes;
use super::edits::TextEdit;
use super::flow;
use super::inner_privates::InnerPrivates;
use super::lines::{self, OmpLine};
use super::members::{self, Members};
use super::messages;
use super::openacc;
use super::pointers::{self, Pointers};
use super::rows;
use super::scratch::{self, Around, Scratch};
use super::small_loops;
use super::unit::{RunBy, SourceFile};
use crate::ast::{DeclId, ExprKind, Stmt, StmtKind, Storage, Ty};
use crate::lower::walk;
use accl_directives::omp::ast::{Leaf, OmpClauseKind};
use accl_directives::{ReductionOp, Section};
use std::collections::{BTreeMap, BTreeSet};

/// What a loop stands in.
pub struct Surroundings<'a> {
    /// The region, or the function of an orphaned loop.
    pub body: &'a Stmt,
    /// Variables that each thread has for itself.
    pub own: BTreeSet<DeclId>,
    /// Those that have a value when the region begins.
    pub with_value: BTreeSet<DeclId>,
    /// Reductions of the region.
    pub reductions: Vec<(ReductionOp, String)>,
    /// Conditions without which the host runs the loop.
    pub conditions: Vec<String>,
    /// Where calls begin that are dealt with.
    pub known_calls: BTreeSet<u32>,
    /// The line of the region.
    pub region: Option<usize>,
}

#[derive(Default)]
pub struct LoopConstruct {
    /// The directive.
    pub pragma: String,
    /// The steps of its schedule that the user asks for.
    pub schedule: Option<String>,
    /// Changes inside the loop.
    pub edits: Vec<TextEdit>,
    /// The thread's variables that the loop leaves without their values.
    pub spoiled: BTreeSet<DeclId>,
    /// Statements before the directive and behind the loop, in a block of their own.
    pub before: String,
    pub after: String,
}

/// The clauses of a construct, in the order in which they are written.
#[derive(Default)]
pub struct LoopClauses {
    written: Vec<String>,
    conditions: Conditions,
    private: Vec<String>,
    pub reduced: BTreeMap<&'static str, Vec<String>>,
    mapped: Vec<String>,
    pub last: Vec<String>,
    /// Arrays that get rows in the device's memory.
    rows: Vec<Scratch>,
    firstprivate: Vec<String>,
    /// Structures whose members are reduced.
    members: Vec<Members>,
    /// Private variables that need no clause.
    inner: InnerPrivates,
}

/// Without which the host runs a loop.
#[derive(Clone, Default)]
pub struct Conditions {
    /// Without these one thread runs it.
    pub of_threads: Vec<String>,
    /// Without these the host's threads do.
    pub of_device: Vec<String>,
}

impl Conditions {
    /// Those of each kind, joined.
    pub fn parts(&self) -> [Option<String>; 2] {
        [&self.of_threads, &self.of_device].map(|conditions| joined_conditions(conditions.iter()))
    }

    /// As clauses of a construct for a device, with a space before each.
    pub fn clauses(&self) -> String {
        let all = joined_conditions(self.of_threads.iter().chain(&self.of_device)).unwrap_or_default();
        match self.parts() {
            [None, None] => String::new(),
            [Some(_), None] => format!(" if({all})"),
            [None, Some(_)] => format!(" if(target: {all})"),
            [Some(of_threads), Some(_)] => format!(" if(target: {all}) if(parallel: {of_threads})"),
        }
    }
}

fn joined_conditions<'c>(conditions: impl Iterator<Item = &'c String>) -> Option<String> {
    let conditions: Vec<&str> = conditions.map(String::as_str).collect();
    match &conditions[..] {
        [] => None,
        [one] => Some((*one).to_owned()),
        several => Some(format!("({})", several.join(") && ("))),
    }
}

/// `index`: of the loop's directive.
pub fn kernel(
    unit: &SourceFile<'_>,
    scope: &Surroundings<'_>,
    index: usize,
    body: &Stmt,
) -> Result<LoopConstruct, WhyNot> {
    let line = &unit.lines[index];
    let wishes = unit.cuda.wishes(scope.region, index);
    if wishes.on_cpu {
        return Err(WhyNot::new(line.span, "`#pragma cuda` asks for the CPU".into()));
    }
    let mut clauses = LoopClauses::default();
    written_clauses(unit, scope, line, body, &mut clauses)?;
    if !matches!(body.kind, StmtKind::For { .. } | StmtKind::RangeFor { .. }) {
        return Err(WhyNot::new(line.directive.name_span, "no `for` loop follows".into()));
    }
    let messages = messages::messages(unit, body);
    let known_calls = scope.known_calls.union(&messages.calls).copied().collect();
    unit.check_calls(body, RunBy::OnDevice, &known_calls)?;
    busy_waits::none(unit, body)?;
    pointers::check(unit, body, &line.names(lines::firstprivates))?;
    let mut kernel = LoopConstruct::default();
    let criticals = criticals(unit, body)?;
    let copies = line.names(lines::copies);
    let counters = counters(unit, line, body);
    let used = unit.used(body);
    let first = line.names(lines::firstprivates);
    for (id, name, span) in used.iter().cloned() {
        let changes = || unit.is_scalar(id) && unit.changes(body, id) || unit.changed_by_methods(body, id);
        if first.contains(&&*name) && changes() {
            // A copy belongs to a thread, which goes on with what its last iteration left.
            carries_nothing(unit, body, id, &name)?;
            continue;
        }
        if copies.contains(&&*name) || counters.contains(&id) || messages.streams.contains(&name) {
            continue;
        }
        if let Some((op, _)) = scope.reductions.iter().find(|(_, reduced)| *reduced == name) {
            if accumulate::operator(unit, body, id) != Some(*op) || used_in_calls(unit, body, id) {
                return Err(WhyNot::new(span, format!("`{name}` is used before its reduction is complete")));
            }
            clauses.reduced.entry(op.symbol()).or_default().push(name);
        } else if scope.own.contains(&id) || unit.of_threads.contains(&id) {
            own_variable(unit, scope, (index, body), (id, name, span), &mut clauses, &mut kernel)?;
        } else if let Some(op) = criticals.reduced.get(&id) {
            clauses.reduced.entry(op.symbol()).or_default().push(name);
        } else if unit.changes(body, id) {
            shared_variable(unit, body, (id, name, span), &mut clauses)?;
        }
    }
    for name in line.names(lines::privates) {
        let id = used.iter().find(|(_, used, _)| used == name).map(|(id, ..)| *id);
        if let Some(rows) = id.and_then(|id| scratch::large(unit, body, id)) {
            clauses.rows.push(rows);
        } else if !id.is_some_and(|id| clauses.inner.declare(unit, body, joined(unit, line), id)) {
            clauses.private.push(name.to_owned());
        }
    }
    if line.has(Leaf::Simd) {
        // The variables that its loops count with have their last values afterwards (OpenMP 5.2 §5.1.1).
        let outer = |id: &&DeclId| unit.var(**id).is_some_and(|var| !body.span.contains(var.span));
        let names = counters.iter().filter(outer).filter_map(|id| unit.var(*id)).map(|var| var.name.clone());
        clauses.mapped.extend(names.filter(|name| !copies.contains(&&**name)));
    }
    let resident = unit.resident.at(body.span).filter(|(id, _)| used.iter().any(|(used, ..)| used == *id));
    clauses.mapped.extend(resident.map(|(_, name)| name.clone()));
    no_variables_of_threads_in_calls(unit, body)?;
    no_volatile_changes(unit, body)?;
    if unit.pointers == Pointers::Named {
        portable(unit, body)?;
    }
    changed_in_calls(unit, body, &mut clauses)?;
    kernel.edits = criticals.edits;
    kernel.edits.extend(messages.edits);
    kernel.before += &messages.before;
    kernel.after += &messages.after;
    clauses.reduced.entry(ReductionOp::Add.symbol()).or_default().extend(messages.counts);
    let mut copies = copies;
    copies.extend(messages.streams.iter().map(String::as_str));
    copies.extend(clauses.rows.iter().map(|array| &*array.name));
    if clauses.rows.is_empty() {
        clauses.conditions.of_threads.extend(small_loops::worth_a_launch(unit, body, &copies));
    }
    clauses.conditions.of_device.extend(pointers::known(unit, body, &copies));
    for made in std::mem::take(&mut clauses.members) {
        kernel.before += &made.before;
        for (op, name) in made.reduced {
            clauses.reduced.entry(op.symbol()).or_default().push(name);
        }
        kernel.edits.extend(made.edits);
        kernel.after += &made.after;
    }
    if !clauses.rows.is_empty() {
        let own = |id: DeclId| scope.own.contains(&id) || unit.of_threads.contains(&id);
        let rows = rows::rows(unit, &clauses.rows, body, joined(unit, line), &clauses.conditions, &own);
        let rows = rows.filter(|_| unit.pointers != Pointers::Named);
        let rows = rows.filter(|_| clauses.last.is_empty() && line.names(lines::lasts).is_empty());
        let why = || WhyNot::new(line.directive.name_span, "each thread has large arrays in it".into());
        let rows = rows.ok_or_else(why)?;
        clauses.written.retain(|clause| !clause.starts_with("collapse"));
        clauses.written.extend(rows.clauses);
        kernel.before += &rows.before;
        kernel.after += &rows.after;
        kernel.edits.extend(rows.edits);
    }
    if unit.writes_openacc {
        openacc::check(unit, line, &clauses)?;
        kernel.edits.extend(openacc::inner_directives(unit, body));
    }
    sizes(unit, &wishes, &mut clauses.written);
    kernel.schedule = wishes.schedule(&nest(unit, line, body)).filter(|_| unit.pointers != Pointers::Named);
    kernel.pragma = clauses.pragma(line.has(Leaf::Simd), unit.writes_openacc);
    kernel.edits.extend(clauses.inner.edits());
    Ok(kernel)
}

impl LoopClauses {
    fn pragma(&self, simd: bool, openacc: bool) -> String {
        let (directive, copied) = match openacc {
            true => ("#pragma acc parallel loop", "copy("),
            false => ("#pragma omp target teams distribute parallel for", "map(tofrom: "),
        };
        let mut text = directive.to_owned();
        text += if simd && !openacc { " simd" } else { "" };
        let mut clause = |word: &str, list: &[String]| {
            if !list.is_empty() {
                text += &format!(" {word}{})", list.join(", "));
            }
        };
        clause("private(", &self.private);
        clause("firstprivate(", &self.firstprivate);
        clause("lastprivate(", &self.last);
        clause(copied, &self.mapped);
        for (op, names) in &self.reduced {
            clause(&format!("reduction({op}: "), names);
        }
        self.written.iter().for_each(|clause| text += &format!(" {clause}"));
        text + &self.conditions.clauses()
    }
}

fn written_clauses(
    unit: &SourceFile<'_>,
    scope: &Surroundings<'_>,
    line: &OmpLine,
    body: &Stmt,
    clauses: &mut LoopClauses,
) -> Result<(), WhyNot> {
    // The last iteration gives these their values, and none needs one from before.
    let last = line.names(lines::lasts);
    let used = unit.used(body);
    let is_written = |name: &str| {
        let id = used.iter().find(|(_, used, _)| used == name).map(|(id, ..)| *id);
        id.is_some_and(|id| flow::always_written(unit, body, id))
    };
    let is_last_alone = |s: &Section| s.as_variable().is_some_and(|n| last.contains(&n) && is_written(n));
    if let Some(mistake) = line.mistakes.first() {
        return Err(WhyNot::new(line.directive.name_span, mistake.message.clone()));
    }
    clauses.conditions.of_threads.clone_from(&scope.conditions);
    for clause in &line.directive.clauses {
        let text = unit.text(clause.span);
        let refuse = || Err(WhyNot::new(clause.span, format!("`{text}` is not understood")));
        match &clause.kind {
            OmpClauseKind::Private(_) => {}
            OmpClauseKind::Firstprivate(list) if list.iter().any(is_last_alone) => {
                let rest: Vec<&str> =
                    list.iter().filter(|s| !is_last_alone(s)).filter_map(Section::as_variable).collect();
                clauses.firstprivate.extend(rest.into_iter().map(str::to_owned));
            }
            OmpClauseKind::Firstprivate(_)
            | OmpClauseKind::Lastprivate(_)
            | OmpClauseKind::Reduction { .. }
            | OmpClauseKind::Collapse(_) => clauses.written.push(text.to_owned()),
            OmpClauseKind::If(of, condition) if of.as_deref().is_none_or(|of| of == "parallel") => {
                clauses.conditions.of_threads.push(unit.text(condition.span).to_owned());
            }
            OmpClauseKind::If(..)
            | OmpClauseKind::Shared(_)
            | OmpClauseKind::NumThreads(_)
            | OmpClauseKind::Schedule(_)
            | OmpClauseKind::NoEffect => {}
            OmpClauseKind::Default(word) if word == "none" || word == "shared" => {}
            _ => return refuse(),
        }
    }
    Ok(())
}

/// How many loops are one, by a `collapse` clause.
fn joined(unit: &SourceFile<'_>, line: &OmpLine) -> usize {
    let count = line.directive.clauses.iter().find_map(|clause| match &clause.kind {
        OmpClauseKind::Collapse(count) => unit.text(count.span).trim().parse().ok(),
        _ => None,
    });
    count.unwrap_or(1)
}

/// The user's numbers of blocks and threads, as clauses.
fn sizes(unit: &SourceFile<'_>, wishes: &Wishes, written: &mut Vec<String>) {
    let (blocks, threads) =
        if unit.writes_openacc { ("num_gangs", "vector_length") } else { ("num_teams", "thread_limit") };
    let mut add =
        |clause: &str, number: Option<u32>| written.extend(number.map(|n| format!("{clause}({n})")));
    add(blocks, wishes.blocks);
    add(threads, wishes.threads);
}

/// The counters of the loops that are known to be parallel, the outermost first.
fn nest(unit: &SourceFile<'_>, line: &OmpLine, body: &Stmt) -> Vec<String> {
    let (mut names, mut at) = (vec![], body);
    for _ in 0..joined(unit, line) {
        let Some((id, _)) = unit.counter(at) else { break };
        names.extend(unit.var(id).map(|var| var.name.clone()));
        let StmtKind::For { body, .. } = &at.kind else { break };
        at = match &body.kind {
            StmtKind::Compound(items) => {
                items.iter().find(|s| matches!(s.kind, StmtKind::For { .. })).unwrap_or(body)
            }
            _ => body,
        };
    }
    names
}

/// Counters of the loop and of those joined with it, which are private by rule.
fn counters(unit: &SourceFile<'_>, line: &OmpLine, body: &Stmt) -> BTreeSet<DeclId> {
    let mut found = BTreeSet::new();
    let mut at = body;
    for _ in 0..joined(unit, line) {
        found.extend(unit.counter(at).map(|(id, _)| id));
        let StmtKind::For { body, .. } = &at.kind else { break };
        at = match &body.kind {
            StmtKind::Compound(items) => {
                items.iter().find(|s| matches!(s.kind, StmtKind::For { .. })).unwrap_or(body)
            }
            _ => body,
        };
    }
    found
}

type NamedVariable = (DeclId, String, accl_source::Span);

fn own_variable(
    unit: &SourceFile<'_>,
    scope: &Surroundings<'_>,
    (index, body): (usize, &Stmt),
    (id, name, span): NamedVariable,
    clauses: &mut LoopClauses,
    kernel: &mut LoopConstruct,
) -> Result<(), WhyNot> {
    let of_threads = unit.of_threads.contains(&id);
    let has_value = of_threads || has_value(unit, scope, id);
    let around = Around { line: &unit.lines[index], index, body, scope: scope.body, has_value };
    if unit.is_pointer(id) && has_value && unit.leads_to_own_memory(id, scope.body, &scope.own) {
        if let Some(rows) = scratch::scratch(unit, &around, id) {
            clauses.rows.push(rows);
            return Ok(());
        }
        if !only_loads(body, id) {
            let why = format!("`{name}` may point to memory that each thread has for itself");
            return Err(WhyNot::new(span, why));
        }
    }
    let changes = unit.changes(body, id) || unit.changed_by_methods(body, id);
    let is_private = changes && (!has_value || flow::exposed(unit, body, id).is_none());
    if changes
        && !is_private
        && !unit.is_scalar(id)
        && (of_threads || accumulate::operator(unit, body, id).is_none())
        && let Some(array) = scratch::scratch(unit, &around, id)
    {
        kernel.spoiled.insert(id);
        match (array.is_small(), array.has_value) {
            (true, true) => clauses.firstprivate.push(name),
            (true, false) => clauses.private.push(name),
            (false, _) => clauses.rows.push(array),
        }
        return Ok(());
    }
    if of_threads && !(is_private && unit.is_scratch(id, index) || unit.is_scalar(id) && !is_private) {
        return Err(WhyNot::new(span, format!("`{name}` is threadprivate, and its values outlive the loop")));
    }
    if !changes {
        return Ok(());
    }
    if is_private {
        kernel.spoiled.insert(id);
        if let Some(rows) = scratch::large(unit, body, id) {
            clauses.rows.push(rows);
        } else if !clauses.inner.declare(unit, body, joined(unit, &unit.lines[index]), id) {
            clauses.private.push(name);
        }
        return Ok(());
    }
    match accumulate::operator(unit, body, id) {
        Some(op) => clauses.reduced.entry(op.symbol()).or_default().push(name),
        None if members::members(unit, body, id).is_some() => {
            clauses.members.extend(members::members(unit, body, id));
        }
        None => return carries_nothing(unit, body, id, &name),
    }
    Ok(())
}

/// Iterations do not read what others of their thread wrote.
fn carries_nothing(unit: &SourceFile<'_>, body: &Stmt, id: DeclId, name: &str) -> Result<(), WhyNot> {
    match flow::exposed(unit, body, id) {
        Some(at) => {
            Err(WhyNot::new(at, format!("iterations use what others of their thread left in `{name}`")))
        }
        None => Ok(()),
    }
}

/// Whether anything but work-shared loops gives the variable a value in the region.
fn has_value(unit: &SourceFile<'_>, scope: &Surroundings<'_>, id: DeclId) -> bool {
    let initialised = unit.var(id).is_none_or(|var| var.init.is_some());
    scope.with_value.contains(&id) || initialised || named_outside_loops(unit, scope.body, id)
}

fn named_outside_loops(unit: &SourceFile<'_>, s: &Stmt, id: DeclId) -> bool {
    if matches!(s.kind, StmtKind::Directed { directive, .. } if unit.lines[directive].shares_loop()) {
        return false;
    }
    let mut named = false;
    walk::own_exprs(s).into_iter().for_each(|e| named |= walk::uses(e, id) > 0);
    named || walk::children(s).into_iter().any(|s| named_outside_loops(unit, s, id))
}

/// Whether the statement uses a pointer only to load what it points to.
fn only_loads(body: &Stmt, id: DeclId) -> bool {
    let (mut mentions, mut loads) = (0, 0);
    walk::exprs(body, &mut |e| match &e.kind {
        ExprKind::Var(of, _) if *of == id => mentions += 1,
        ExprKind::Cast { kind: crate::ast::CastKind::Load, operand, .. } => {
            let mut at = &**operand;
            while let ExprKind::Index { base, .. } | ExprKind::Deref(base) | ExprKind::Member { base, .. } =
                &at.kind
            {
                at = walk::bare(base);
            }
            let direct = matches!(operand.kind, ExprKind::Var(..));
            loads += usize::from(!direct && matches!(at.kind, ExprKind::Var(of, _) if of == id));
        }
        _ => {}
    });
    mentions == loads
}

fn shared_variable(
    unit: &SourceFile<'_>,
    body: &Stmt,
    (id, name, span): NamedVariable,
    clauses: &mut LoopClauses,
) -> Result<(), WhyNot> {
    if unit.is_pointer(id) {
        return Err(WhyNot::new(span, format!("it changes the shared pointer `{name}`")));
    }
    if !unit.is_scalar(id) {
        return Ok(());
    }
    // Where every iteration sets it, the last one's value is what a team of one thread leaves.
    match flow::always_written(unit, body, id) {
        true => clauses.last.push(name),
        false => clauses.mapped.push(name),
    }
    Ok(())
}

/// What other compilers cannot translate in constructs for devices.
fn portable(unit: &SourceFile<'_>, body: &Stmt) -> Result<(), WhyNot> {
    let of_threads = unit.used(body).into_iter().find(|(id, ..)| unit.of_threads.contains(id));
    if let Some((_, name, span)) = of_threads {
        return Err(WhyNot::new(span, format!("`{name}` is threadprivate")));
    }
    let mut found = Ok(());
    unit.each_reached(body, &mut |s| {
        if std::ptr::eq(s, body) || found.is_err() {
            return;
        }
        for (id, name, span) in unit.used(s) {
            let is_of_file = unit.program.globals.iter().any(|var| var.id == id);
            if is_of_file {
                found = Err(WhyNot::new(
                    span,
                    format!("a function that it calls uses `{name}`, which is no parameter"),
                ));
            }
        }
    });
    found
}

fn no_variables_of_threads_in_calls(unit: &SourceFile<'_>, body: &Stmt) -> Result<(), WhyNot> {
    let mut found = Ok(());
    unit.each_reached(body, &mut |s| {
        walk::exprs(s, &mut |e| {
            if let ExprKind::Var(id, name) = &e.kind
                && unit.of_threads.contains(id)
                && !std::ptr::eq(s, body)
                && found.is_ok()
            {
                let why = format!("a function that it calls uses `{name}`, which is threadprivate");
                found = Err(WhyNot::new(e.span, why));
            }
        });
    });
    found
}

/// What somebody else looks at meanwhile, or is counted where a program knows that it has one thread.
fn no_volatile_changes(unit: &SourceFile<'_>, body: &Stmt) -> Result<(), WhyNot> {
    let mut found = Ok(());
    unit.each_reached(body, &mut |s| {
        walk::each_change(s, &mut |id, span| {
            if let Some(var) = unit.var(id).filter(|var| var.type_text.contains("volatile")) {
                found = Err(WhyNot::new(span, format!("it changes `{}`, which is volatile", var.name)));
            }
        });
    });
    found
}

/// Scalars of the file that functions change which the loop calls.
fn changed_in_calls(unit: &SourceFile<'_>, body: &Stmt, clauses: &mut LoopClauses) -> Result<(), WhyNot> {
    let mut changed = BTreeSet::new();
    unit.each_reached(body, &mut |s| {
        if !std::ptr::eq(s, body) {
            walk::each_change(s, &mut |id, span| _ = changed.insert((id, span.start)));
        }
    });
    let mut seen = BTreeSet::new();
    for (id, _) in changed {
        let Some(var) = unit.var(id).filter(|_| unit.is_scalar(id) || unit.is_pointer(id)) else { continue };
        if !matches!(var.storage, Storage::Static | Storage::Extern) || !seen.insert(id) {
            continue;
        }
        if unit.is_pointer(id) || unit.is_in_function(var) {
            let why = format!("a function that it calls changes `{}`, which is static", var.name);
            return Err(WhyNot::new(var.span, why));
        }
        let reduced = clauses.reduced.values().flatten().chain(&clauses.last).any(|name| *name == var.name);
        if reduced {
            let why = format!("a function that it calls changes `{}`, too", var.name);
            return Err(WhyNot::new(var.span, why));
        }
        if !clauses.mapped.contains(&var.name) {
            clauses.mapped.push(var.name.clone());
        }
    }
    Ok(())
}

/// Whether functions that a loop calls name the variable, too.
fn used_in_calls(unit: &SourceFile<'_>, body: &Stmt, id: DeclId) -> bool {
    let mut used = false;
    unit.each_reached(body, &mut |s| used |= !std::ptr::eq(s, body) && unit.mentions(s, id) > 0);
    used
}

/// What becomes of the `critical` constructs in a loop.
#[derive(Default)]
struct Criticals {
    /// Variables that these only accumulate into, and nothing else in the loop names.
    reduced: BTreeMap<DeclId, ReductionOp>,
    edits: Vec<TextEdit>,
}

fn criticals(unit: &SourceFile<'_>, body: &Stmt) -> Result<Criticals, WhyNot> {
    let mut found = vec![];
    all_criticals(unit, body, &mut found);
    let mut result = Criticals::default();
    if let Some((line, _)) = found.first().filter(|_| unit.cuda.keeps_critical) {
        let why = "`disableCritical2ReductionConv` keeps its `critical`";
        return Err(WhyNot::new(line.directive.name_span, why.into()));
    }
    for (line, inner) in &found {
        let refuse = || WhyNot::new(line.directive.name_span, "`critical` does more than accumulate".into());
        for s in updates(inner) {
            let update = accumulate::update(unit, s).ok_or_else(refuse)?;
            let op = accumulate::operator(unit, body, update.root).ok_or_else(refuse)?;
            if used_in_calls(unit, body, update.root) {
                return Err(refuse());
            }
            let is_array = matches!(unit.var(update.root).map(|v| &*v.ty.ty), Some(Ty::Array { .. }));
            if op != update.op || update.is_element && !is_array {
                return Err(refuse());
            }
            result.reduced.insert(update.root, op);
        }
        result.edits.push(TextEdit::replace(line.span.start..line.span.end, String::new()));
    }
    Ok(result)
}

fn all_criticals<'s, 'u>(unit: &SourceFile<'u>, s: &'s Stmt, found: &mut Vec<(&'u OmpLine, &'s Stmt)>) {
    if let StmtKind::Directed { directive, body: Some(body) } = &s.kind
        && unit.lines[*directive].leaves() == [Leaf::Critical]
    {
        found.push((&unit.lines[*directive], body));
    }
    walk::children(s).into_iter().for_each(|s| all_criticals(unit, s, found));
}

/// The statements of a block that are to be updates; those of a loop in it are.
fn updates(s: &Stmt) -> Vec<&Stmt> {
    match &s.kind {
        StmtKind::Compound(items) => items.iter().flat_map(updates).collect(),
        StmtKind::For { body, .. } => updates(body),
        StmtKind::Null => vec![],
        _ => vec![s],
    }
}

#[cfg(test)]
mod tests {
    use super::Conditions;

    fn clauses(of_threads: &[&str], of_device: &[&str]) -> String {
        let owned = |conditions: &[&str]| conditions.iter().map(|c| (*c).to_owned()).collect();
        Conditions { of_threads: owned(of_threads), of_device: owned(of_device) }.clauses()
    }

    #[test]
    fn what_only_the_device_needs_takes_no_threads_from_the_host() {
        assert_eq!(clauses(&[], &[]), "");
        assert_eq!(clauses(&["n > 9"], &[]), " if(n > 9)");
        assert_eq!(clauses(&[], &["known(p)", "known(q)"]), " if(target: (known(p)) && (known(q)))");
        assert_eq!(
            clauses(&["n > 9"], &["known(p)"]),
            " if(target: (n > 9) && (known(p))) if(parallel: n > 9)"
        );
    }
}
