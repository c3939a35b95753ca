//! Minima and maxima with their places: `if (a[i] < least) { least = a[i]; place = i; }`, in `critical` or in a loop whose thread has
//! the variables for itself.
//!
//! A loop that does nothing else is run twice by the device. The first time it reduces the value; the second time it finds
//! the iteration that has it, which the host then runs, with the variables as they were before: so they get what the serial loop
//! leaves, also in loops inside, and the first place wins where the serial loop has the first. Where the second run finds no such
//! iteration, as rounding may have it, the host runs them all.

use super::WhyNot;
use super::accumulate;
use super::canonical::{CanonicalLoop, canonical};
use super::cuda_pragmas::Wishes;
use super::edits::{self, TextEdit};
use super::kernel::{Conditions, Surroundings};
use super::lines::{self, OmpLine};
use super::pointers::{self, Pointers};
use super::region;
use super::unit::{RunBy, SourceFile};
use crate::ast::{BinaryOp, DeclId, Expr, ExprKind, Stmt, StmtKind};
use crate::lower::walk;
use accl_directives::ReductionOp;
use accl_directives::omp::ast::{Leaf, OmpClauseKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a loop looks for.
struct Extremum<'s> {
    value: &'s Expr,
    id: DeclId,
    op: ReductionOp,
    /// Equal values replace nothing.
    strict: bool,
    /// The conditions before the comparison, and those behind it.
    guards: [String; 2],
    /// All variables that are set.
    set: BTreeSet<DeclId>,
    /// The statement, with the directive before it.
    range: Range<usize>,
    /// How often the statement names what it sets.
    mentions: usize,
}

/// A loop that became others.
pub struct Made {
    pub edit: TextEdit,
    /// The thread's variables that it leaves without their values.
    pub spoiled: BTreeSet<DeclId>,
}

/// The edits of a loop that looks for an extremum and does nothing else; none for other loops.
pub fn loop_edits(
    unit: &SourceFile<'_>,
    scope: &Surroundings<'_>,
    index: usize,
    body: &Stmt,
    place: &dyn Fn(u32) -> String,
) -> Result<Option<Made>, WhyNot> {
    let line = &unit.lines[index];
    // A port shows what its reader would write.
    let is_port = unit.pointers == Pointers::Named;
    // What `#pragma cuda` asks of a loop is for the one construct that it becomes.
    let asked = unit.cuda.keeps_critical || unit.cuda.wishes(scope.region, index) != Wishes::default();
    let Some(l) = canonical(unit, body).filter(|_| clauses_fit(line) && !is_port && !asked) else {
        return Ok(None);
    };
    let Some(found) = extremum(unit, l.body) else { return Ok(None) };
    let Some(own) = variables(unit, scope, line, &l, &found) else { return Ok(None) };
    unit.check_calls(body, RunBy::OnDevice, &scope.known_calls)?;
    pointers::check(unit, body, &[])?;
    let of_device = pointers::known(unit, body, &[]).into_iter().collect();
    let conditions = Conditions { of_threads: scope.conditions.clone(), of_device };
    let text = written(unit, (line, body, &l), &found, &own, &conditions, place);
    let range = line.span.start as usize..end_of(unit, body.span.end);
    Ok(text.map(|text| Made { edit: TextEdit { range, text }, spoiled: own }))
}

fn clauses_fit(line: &OmpLine) -> bool {
    line.mistakes.is_empty()
        && line.directive.clauses.iter().all(|clause| match &clause.kind {
            OmpClauseKind::Private(_)
            | OmpClauseKind::Shared(_)
            | OmpClauseKind::NumThreads(_)
            | OmpClauseKind::Schedule(_)
            | OmpClauseKind::NoEffect => true,
            OmpClauseKind::Default(word) => word == "none" || word == "shared",
            _ => false,
        })
}

/// The one statement of this form in a loop.
fn extremum<'s>(unit: &SourceFile<'_>, body: &'s Stmt) -> Option<Extremum<'s>> {
    let mut all = vec![];
    find(unit, body, &mut all);
    let found = all.pop().filter(|_| all.is_empty())?;
    let mentions: usize = found.set.iter().map(|id| unit.mentions(body, *id)).sum();
    let mut in_calls = false;
    unit.each_reached(body, &mut |s| {
        in_calls |= !std::ptr::eq(s, body) && found.set.iter().any(|id| unit.mentions(s, *id) > 0);
    });
    (mentions == found.mentions && !in_calls).then_some(found)
}

fn find<'s>(unit: &SourceFile<'_>, s: &'s Stmt, all: &mut Vec<Extremum<'s>>) {
    let (inner, start) = match &s.kind {
        StmtKind::Directed { directive, body: Some(body) }
            if unit.lines[*directive].leaves() == [Leaf::Critical] =>
        {
            (&**body, unit.lines[*directive].span.start)
        }
        _ => (s, s.span.start),
    };
    match statement(unit, only(inner), start..inner.span.end) {
        Some(found) => all.push(found),
        None => walk::children(s).into_iter().for_each(|s| find(unit, s, all)),
    }
}

fn statement<'s>(unit: &SourceFile<'_>, s: &'s Stmt, range: Range<u32>) -> Option<Extremum<'s>> {
    let StmtKind::If { init: None, cond, then, otherwise: None } = &s.kind else { return None };
    let StmtKind::Compound(items) = &then.kind else { return None };
    let assigned = |s: &'s Stmt| match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { place, value }, .. }) => {
            match walk::same_place(place).kind {
                ExprKind::Var(id, _) if unit.is_scalar(id) => Some((id, &**place, &**value)),
                _ => None,
            }
        }
        _ => None,
    };
    let assigned: Vec<_> = items.iter().map(assigned).collect::<Option<_>>()?;
    let mut conditions = vec![];
    conjuncts(cond, &mut conditions);
    let compared = |(id, place, value): &(DeclId, &'s Expr, &'s Expr)| {
        let chosen =
            |(at, cond): (usize, &&'s Expr)| Some((at, accumulate::chosen(unit, cond, value, place)?));
        conditions.iter().enumerate().find_map(chosen).map(|(at, op)| (*id, at, op, *value))
    };
    let (id, at, op, value) = assigned.iter().find_map(compared)?;
    let set: BTreeSet<DeclId> = assigned.iter().map(|(id, ..)| *id).collect();
    let cond = conditions.remove(at);
    let (before, behind) = conditions.split_at(at);
    let guards = before.iter().chain(behind);
    if guards.clone().any(|e| set.iter().any(|id| walk::uses(e, *id) > 0) || has_effects(e)) {
        return None;
    }
    let texts =
        |all: &[&Expr], join: &dyn Fn(&str) -> String| all.iter().map(|e| join(unit.text(e.span))).collect();
    let guards =
        [texts(before, &|text| format!("({text}) && ")), texts(behind, &|text| format!(" && ({text})"))];
    let independent = assigned.iter().all(|(.., value)| set.iter().all(|id| walk::uses(value, *id) == 0));
    let ExprKind::Binary { op: compare, .. } = &walk::bare(cond).kind else { return None };
    let mentions = set.iter().map(|id| unit.mentions(s, *id)).sum();
    (set.len() == assigned.len() && set.len() > 1 && independent).then(|| Extremum {
        value,
        id,
        op,
        strict: matches!(compare, BinaryOp::Lt | BinaryOp::Gt),
        guards,
        set,
        range: range.start as usize..end_of(unit, range.end),
        mentions,
    })
}

/// The conditions that `&&` joins, in their order.
fn conjuncts<'s>(cond: &'s Expr, found: &mut Vec<&'s Expr>) {
    match &walk::bare(cond).kind {
        ExprKind::Binary { op: BinaryOp::LogicalAnd, left, right } => {
            conjuncts(left, found);
            conjuncts(right, found);
        }
        _ => found.push(cond),
    }
}

fn has_effects(e: &Expr) -> bool {
    let mut found = false;
    walk::within(e, &mut |e| {
        found |= matches!(
            e.kind,
            ExprKind::Assign { .. }
                | ExprKind::CompoundAssign { .. }
                | ExprKind::Step { .. }
                | ExprKind::Call { .. }
                | ExprKind::Construct { .. }
                | ExprKind::Lambda(_)
                | ExprKind::Unsupported(..)
        );
    });
    found
}

/// The one statement of a block, or the statement itself.
pub fn only(s: &Stmt) -> &Stmt {
    match &s.kind {
        StmtKind::Compound(items) if items.len() == 1 => only(&items[0]),
        _ => s,
    }
}

/// The end of a statement, with its semicolon.
pub fn end_of(unit: &SourceFile<'_>, end: u32) -> usize {
    let rest = &unit.buffer[end as usize..];
    let blank = rest.len() - rest.trim_start().len();
    end as usize + if rest[blank..].starts_with(';') { blank + 1 } else { 0 }
}

/// The variables from outside that the loop changes besides, each for an iteration; none where it does more.
fn variables(
    unit: &SourceFile<'_>,
    scope: &Surroundings<'_>,
    line: &OmpLine,
    l: &CanonicalLoop<'_>,
    found: &Extremum<'_>,
) -> Option<BTreeSet<DeclId>> {
    let mut inside = BTreeSet::new();
    unit.each_reached(l.body, &mut |s| walk::vars(s, &mut |var| _ = inside.insert(var.id)));
    let private = line.names(lines::privates);
    let is_own = |id: DeclId| {
        let named = unit.var(id).is_some_and(|var| private.contains(&&*var.name));
        (named || scope.own.contains(&id)) && super::flow::exposed(unit, l.body, id).is_none()
    };
    let (mut own, mut fits) = (BTreeSet::new(), true);
    unit.each_reached(l.body, &mut |s| {
        walk::each_change(s, &mut |id, _| {
            if found.set.contains(&id) || unit.is_scalar(id) && inside.contains(&id) {
                return;
            }
            fits &= unit.is_scalar(id) && is_own(id);
            own.insert(id);
        });
    });
    let named = private.iter().all(|name| {
        let fits = |id: &DeclId| own.contains(id) || inside.contains(id) || *id == l.counter;
        unit.used(l.body).iter().all(|(id, used, _)| used != name || fits(id))
    });
    let mut used = unit.used(l.body).into_iter();
    let reduced =
        |id: DeclId| unit.var(id).is_some_and(|var| scope.reductions.iter().any(|(_, r)| *r == var.name));
    let of_threads = used.any(|(id, ..)| unit.of_threads.contains(&id));
    let outside = found.set.is_disjoint(&inside);
    let simple = outside && region::cannot_stand_twice(l.body).is_none() && !own.contains(&l.counter);
    (fits && named && simple && !of_threads && !found.set.iter().any(|id| reduced(*id))).then_some(own)
}

fn written(
    unit: &SourceFile<'_>,
    (line, body, l): (&OmpLine, &Stmt, &CanonicalLoop<'_>),
    found: &Extremum<'_>,
    own: &BTreeSet<DeclId>,
    conditions: &Conditions,
    place: &dyn Fn(u32) -> String,
) -> Option<String> {
    let var = unit.var(found.id)?;
    let (name, ty, value) = (&var.name, &var.type_text, unit.text(found.value.span));
    let (relation, op) = if found.op == ReductionOp::Min { ("<", "min") } else { (">", "max") };
    // The first of equal values, or the last, in the loop's order.
    let least = found.strict == l.up;
    let (order, least_or_most) = if least { ("<", "min") } else { (">", "max") };
    let none = if least { "0x7fffffffffffffffL" } else { "(-0x7fffffffffffffffL - 1)" };
    let vars: Vec<_> = own.iter().filter_map(|id| unit.var(*id)).collect();
    let names: Vec<&str> = vars.iter().map(|var| &*var.name).collect();
    let private = if names.is_empty() { String::new() } else { format!(" private({})", names.join(", ")) };
    let condition = conditions.clauses();
    let range = body.span.start as usize..end_of(unit, body.span.end);
    let construct = |op: &str, reduced: &str, statement: String| {
        let edit = TextEdit { range: found.range.clone(), text: statement };
        format!(
            "\n{}#pragma omp target teams distribute parallel for{private} reduction({op}: {reduced}){condition}\n{}",
            place(line.span.start),
            edits::apply(unit.buffer, range.clone(), &[edit]),
        )
    };
    let [before, behind] = &found.guards;
    let better = format!("{before}({value}) {relation} {name}{behind}");
    let values = construct(op, name, format!("{{ if ({better}) {name} = {value}; }}"));
    let places = construct(
        least_or_most,
        "accl_place",
        format!(
            "{{ if ({before}({ty})({value}) == {name}{behind}) {{ if ((long){0} {order} accl_place) accl_place = {0}; }} }}",
            l.name
        ),
    );
    let changed = if found.strict { format!("{name} != accl_before") } else { "1".to_owned() };
    let declared: String = vars.iter().map(|var| format!("{} {}; ", var.type_text, var.name)).collect();
    let counter = format!("{} {}", l.type_text, l.name);
    let inner = &unit.buffer[l.body.span.start as usize..end_of(unit, l.body.span.end)];
    Some(format!(
        "{{ {ty} accl_before = {name};{values}\nif ({changed}) {{ long accl_place = {none};{places}\n\
         {name} = accl_before; {declared}if (accl_place == {none}) {{ {counter};\n{marker}{all}\n}} else {{ int accl_once = 1;\n\
         for ({counter} = accl_place; accl_once; accl_once = 0)\n{marker}{inner}\n}} }} }}\n{end}",
        marker = place(body.span.start),
        all = &unit.buffer[range.clone()],
        end = place(body.span.end),
    ))
}
