//! Whether a loop carries a dependence.
//!
//! Two accesses to one array, at least one a write, in two different iterations of the loop (and the same
//! iteration of those around it) conflict if their subscripts can be equal. With subscripts that are affine in the
//! loop variables that is the emptiness of an integer set, which isl decides exactly. Subscripts
//! like `i * m + j` are taken apart into dimensions first ([`subscripts`]). What is not affine, what may alias
//! (two pointers without `restrict`) and what a called function does counts as a dependence.
//!
//! Scalars: each that the loop writes must be private to an iteration or a reduction ([`crate::reduction`]).

mod sets;
mod subscripts;

use crate::access::Access;
use crate::data::{Form, Summary, Variable};
use crate::provenance::Root;
use crate::reduction;
use crate::scalars;
use accl_ir::{Loop, Reduction, TypeKind};
use accl_source::Span;

/// What stands against running a loop's iterations in any order.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// In nvc's words.
    pub message: String,
    /// The two references, or the one that conflicts with itself, and what each does.
    pub references: Vec<(Span, String)>,
    /// The variable, as the user wrote it.
    pub name: String,
    /// `restrict` would help.
    pub aliasing: bool,
}

/// The answer for one loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    pub conflicts: Vec<Conflict>,
    /// Scalars that the loop reduces into.
    pub reductions: Vec<Reduction>,
}

impl Verdict {
    pub fn is_parallel(&self) -> bool {
        self.conflicts.is_empty()
    }
}

/// Analyses loop number `index` of the summary, which is `l`.
pub fn of_loop(summary: &Summary<'_>, index: usize, l: &Loop) -> Verdict {
    let mut verdict = Verdict::default();
    scalar_conflicts(summary, index, l, &mut verdict);
    array_conflicts(summary, index, &mut verdict);
    if let Some(span) = opaque_statement(l) {
        verdict.conflicts.push(Conflict {
            message: "Loop contains a call or an exit that prevents parallelization".into(),
            references: vec![(span, "here".into())],
            name: String::new(),
            aliasing: false,
        });
    }
    verdict
}

fn scalar_conflicts(summary: &Summary<'_>, index: usize, l: &Loop, verdict: &mut Verdict) {
    let body = summary.provenance.scope.body;
    let known: Vec<Reduction> = l.directive.iter().flat_map(|d| d.reductions.iter().cloned()).collect();
    for local in scalars::written_locals(body, &l.body).into_keys() {
        if local == l.var || known.iter().any(|r| r.local == local) || declared_inside(l, local) {
            continue;
        }
        if !summary.provenance.scope.module.types.is_scalar(body.locals[local].ty) {
            continue;
        }
        let flow = scalars::flow(body, &l.body, local);
        let Some(exposed) = flow.exposed else { continue };
        match reduction::recognise(body, &l.body, local) {
            Some(op) => verdict.reductions.push(Reduction { op, local, span: exposed }),
            None => verdict.conflicts.push(scalar_conflict(summary, &body.locals[local].name, exposed)),
        }
    }
    for v in summary.variables.iter().filter(|v| v.form == Form::Scalar && v.written) {
        let own_storage = matches!(v.root, Root::Local(_));
        if let (false, Some(a)) = (own_storage, first_in(summary, v, index)) {
            let name = root_name(summary, &v.root);
            verdict.conflicts.push(scalar_conflict(summary, &name, a.span));
        }
    }
}

fn declared_inside(l: &Loop, local: accl_ir::Handle<accl_ir::Local>) -> bool {
    accl_ir::visit::declared_locals(&l.body).contains(&local)
        || l.directive.as_ref().is_some_and(|d| d.private.contains(&local))
}

fn scalar_conflict(_summary: &Summary<'_>, name: &str, span: Span) -> Conflict {
    Conflict {
        message: format!("Loop carried scalar dependence for {name} prevents parallelization"),
        references: vec![(span, format!("{name} is written here"))],
        name: name.to_owned(),
        aliasing: false,
    }
}

fn first_in<'s>(summary: &'s Summary<'_>, v: &Variable, index: usize) -> Option<&'s Access> {
    let list = &summary.accesses.list;
    v.accesses.iter().map(|i| &list[*i]).find(|a| a.loops.contains(&index) && a.written && !a.atomic)
}

fn array_conflicts(summary: &Summary<'_>, index: usize, verdict: &mut Verdict) {
    let inside: Vec<&Access> = memory_accesses(summary).filter(|a| a.loops.contains(&index)).collect();
    for (i, a) in inside.iter().enumerate() {
        for b in &inside[i..] {
            if !(a.written || b.written) || a.atomic && b.atomic {
                continue;
            }
            if let Some(conflict) = conflict(summary, index, a, b)
                && verdict.conflicts.iter().all(|c| c.message != conflict.message)
            {
                verdict.conflicts.push(conflict);
            }
        }
    }
}

/// Whether two iterations of a loop may use the same element of one variable, and one writes it. Other variables are
/// not looked at, though they could be the same memory.
pub fn of_variable(summary: &Summary<'_>, index: usize, root: &Root) -> Option<Conflict> {
    let accesses = summary.variables.iter().filter(|v| v.root == *root).flat_map(|v| &v.accesses);
    let inside = accesses.map(|at| &summary.accesses.list[*at]).filter(|a| a.loops.contains(&index));
    let inside: Vec<&Access> = inside.collect();
    let pairs = inside.iter().enumerate().flat_map(|(i, a)| inside[i..].iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| a.written || b.written).find_map(|(a, b)| conflict(summary, index, a, b))
}

/// Accesses to arrays, structures and what pointers point to.
fn memory_accesses<'s>(summary: &'s Summary<'_>) -> impl Iterator<Item = &'s Access> {
    let of_scalars: Vec<usize> = summary
        .variables
        .iter()
        .filter(|v| v.form == Form::Scalar)
        .flat_map(|v| v.accesses.iter().copied())
        .collect();
    let loads_pointer = move |a: &Access| {
        let scope = summary.provenance.scope;
        let kind = scope.module.types.kind(scope.body.exprs[a.place].ty);
        matches!(kind, TypeKind::Pointer { .. }) && !a.written && !a.whole
    };
    let list = summary.accesses.list.iter().enumerate();
    list.filter(move |(i, a)| !of_scalars.contains(i) && !loads_pointer(a)).map(|(_, a)| a)
}

fn conflict(summary: &Summary<'_>, index: usize, a: &Access, b: &Access) -> Option<Conflict> {
    let (written, other) = if a.written { (a, b) } else { (b, a) };
    let name = root_name(summary, &written.root);
    let arrow = if is_pointer(summary, &written.root) { "->" } else { "" };
    let make = |complex: bool, aliasing: bool| {
        let word = if complex { "Complex loop carried dependence" } else { "Loop carried dependence" };
        Some(Conflict {
            message: format!("{word} of {name}{arrow} prevents parallelization"),
            references: references(summary, other, written),
            name: name.clone(),
            aliasing,
        })
    };
    if a.root != b.root {
        return if may_alias(summary, &a.root, &b.root) { make(true, true) } else { None };
    }
    match subscripts::meet_in_two_iterations(summary, index, a, b) {
        Some(false) => None,
        Some(true) => make(false, false),
        None => make(true, false),
    }
}

/// The place written, and the other one if it is another.
fn references(summary: &Summary<'_>, other: &Access, written: &Access) -> Vec<(Span, String)> {
    let scope = summary.provenance.scope;
    let mut found: Vec<(Span, String)> = vec![];
    for a in [other, written] {
        let expr = &scope.body.exprs[a.place];
        let span = if expr.span.is_nowhere() { a.span } else { expr.span };
        let what = match scope.message_text(a.place) {
            Some(text) if a.whole => format!("what {text} points to"),
            Some(text) => text,
            None => root_name(summary, &a.root),
        };
        let does = if a.written { "written" } else { "read" };
        let line = (span, format!("{what} is {does} here"));
        if !found.contains(&line) {
            found.push(line);
        }
    }
    if let [(_, label)] = &mut found[..] {
        label.push_str(", by several iterations perhaps");
    }
    found
}

/// Two different variables whose memory may overlap. Type-based rules are not used: programs break them.
pub fn may_alias(summary: &Summary<'_>, a: &Root, b: &Root) -> bool {
    if *a == Root::Unknown || *b == Root::Unknown {
        return true;
    }
    let object = |r: &Root| !is_pointer(summary, r);
    let restrict = |r: &Root| match pointer_kind(summary, r) {
        Some(TypeKind::Pointer { restrict, .. }) => *restrict,
        _ => false,
    };
    !(restrict(a) || restrict(b) || object(a) && object(b))
}

fn pointer_kind<'s>(summary: &'s Summary<'_>, root: &Root) -> Option<&'s TypeKind> {
    let ty = crate::data::root_type(&summary.provenance, root)?;
    Some(summary.provenance.scope.module.types.kind(ty))
}

fn is_pointer(summary: &Summary<'_>, root: &Root) -> bool {
    matches!(pointer_kind(summary, root), Some(TypeKind::Pointer { .. }))
}

/// The variable as the user wrote it.
pub fn root_name(summary: &Summary<'_>, root: &Root) -> String {
    let scope = summary.provenance.scope;
    match root {
        Root::Local(l) => scope.local(*l).unwrap_or_else(|| "a temporary".into()),
        Root::Global(g) => scope.module.globals[*g].name.clone(),
        Root::Member(text) => text.clone(),
        Root::Unknown => "an unknown pointer".into(),
    }
}

/// A statement whose effects or exits the analysis does not know: each iteration might end the loop.
fn opaque_statement(l: &Loop) -> Option<Span> {
    let mut found = None;
    crate::walk::stmts(&l.body, &mut |node| {
        use accl_ir::Stmt;
        if matches!(node.kind, Stmt::Return(_) | Stmt::Host | Stmt::Region(_) | Stmt::Directive(_)) {
            found = found.or(Some(node.span));
        }
    });
    found
}
