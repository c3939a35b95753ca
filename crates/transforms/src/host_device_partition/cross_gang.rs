//! Dependences between the gangs of a parallel construct.
//!
//! Gangs cannot wait for each other. So what one loop writes may be used by a later loop, or in the next iteration
//! of a sequential loop around both, only where the same gang runs both iterations (OpenACC 3.3 §2.5.1, §2.9). Much
//! code is written as if gangs waited: several loops in one `parallel`, or a time step around them. A kernels
//! construct means what the author of such code meant. So the construct becomes one where it can be divided into
//! launches; otherwise a warning names the two references.
//!
//! Two uses of an element certainly belong to one gang under two conditions. Both loops have the same bounds and
//! step, so that the same gang gets each iteration; and a subscript is the loop's own variable, plus the same
//! distance, in both. Different slices of one array, `a[0][i]` and `a[1][i]`, are different elements.

use crate::gang_reductions;
use accl_analysis::access::Access;
use accl_analysis::affine::{Atom, Poly, Polys};
use accl_analysis::data::{Summary, VariableForm};
use accl_ir::{Expr, ExprKind, Handle, Loop, LoopDirective, Region, Stmt, StmtNode, visit};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A place that one gang writes and another one may use.
pub struct CrossGangDependence {
    pub name: String,
    pub written: Span,
    pub other: Span,
    /// What is written is a sum, or the like, of all gangs.
    pub reduced: bool,
}

/// The loops whose iterations are distributed over gangs, by their number in the summary.
type GangLoops = BTreeMap<usize, GangLoop>;

struct GangLoop {
    /// Iterations of loops with the same key are assigned to the same gangs.
    assignment: (Poly, Poly, bool),
    /// A sequential loop of the construct encloses it.
    repeated: bool,
}

pub fn dependence(summary: &Summary<'_>, region: &Region) -> Option<CrossGangDependence> {
    let shared = reduction(summary, region).or_else(|| own_reduction(summary, region));
    shared.or_else(|| in_memory(summary, region))
}

/// Gangs reduce a variable that the construct declares: the instance that each of them has would get its own part.
fn own_reduction(summary: &Summary<'_>, region: &Region) -> Option<CrossGangDependence> {
    let body = summary.provenance.scope.body;
    let own = visit::declared_locals(&region.body);
    let mut found = None;
    outermost_gang_loops(&region.body, &mut |l, span| {
        let inside = visit::declared_locals(&l.body);
        let reduced = l.directive.iter().flat_map(|d| &d.reductions);
        for r in reduced.filter(|r| own.contains(&r.local) && !inside.contains(&r.local)) {
            let name = body.locals[r.local].name.clone();
            let dependence =
                CrossGangDependence { name, written: span, other: body.locals[r.local].span, reduced: true };
            found.get_or_insert(dependence);
        }
    });
    found
}

fn outermost_gang_loops(block: &[StmtNode], f: &mut dyn FnMut(&Loop, Span)) {
    for node in block {
        match &node.kind {
            Stmt::For(l) if l.directive.as_ref().is_some_and(is_for_gangs) => f(l, node.span),
            other => other.blocks().into_iter().for_each(|inner| outermost_gang_loops(inner, f)),
        }
    }
}

/// Gangs reduce a variable together, so that none of them has its value before all are done.
fn reduction(summary: &Summary<'_>, region: &Region) -> Option<CrossGangDependence> {
    let body = summary.provenance.scope.body;
    let found = gang_reductions::used_elsewhere(body, region, &region.body).into_iter().next()?;
    let name = body.locals[found.local].name.clone();
    Some(CrossGangDependence { name, written: found.reduced, other: found.used, reduced: true })
}

fn in_memory(summary: &Summary<'_>, region: &Region) -> Option<CrossGangDependence> {
    let polys = summary.polys();
    let loops = gang_loops(summary, &polys, region);
    if loops.len() < 2 && !loops.values().any(|l| l.repeated) {
        return None;
    }
    let memory = summary.variables.iter().filter(|v| v.form != VariableForm::Scalar && v.written);
    memory.into_iter().find_map(|v| {
        let uses: Vec<Use> = v
            .accesses
            .iter()
            .map(|at| Use::new(summary, &polys, &loops, &summary.accesses.list[*at]))
            .collect();
        let (written, other) = first_dependence(&loops, &distinct(uses))?;
        Some(CrossGangDependence {
            name: accl_analysis::dependence::root_name(summary, &v.root),
            written,
            other,
            reduced: false,
        })
    })
}

/// The outermost loops of the construct whose iterations are distributed over gangs.
fn gang_loops(summary: &Summary<'_>, polys: &Polys<'_>, region: &Region) -> GangLoops {
    let list = &summary.accesses.loops;
    let mut loops: Vec<&Loop> = vec![];
    visit::for_each_loop(&region.body, &mut |l, _| loops.push(l));
    let mut found = GangLoops::new();
    for (index, (info, l)) in list.iter().zip(loops).enumerate() {
        let around: Vec<usize> = std::iter::successors(info.parent, |p| list[*p].parent).collect();
        if !l.directive.as_ref().is_some_and(is_for_gangs) || around.iter().any(|p| found.contains_key(p)) {
            continue;
        }
        let assignment = (polys.poly(info.lower), polys.poly(info.step), has_parallel_loop(l));
        found.insert(index, GangLoop { assignment, repeated: !around.is_empty() });
    }
    found
}

/// The loop has the level gang by its clause, or because it names no other level.
pub fn is_for_gangs(d: &LoopDirective) -> bool {
    let free = d.worker.is_none() && d.vector.is_none();
    !d.seq && (!d.auto || d.independent) && (d.gang.is_some() || free || d.span.is_nowhere())
}

fn has_parallel_loop(l: &Loop) -> bool {
    let mut found = false;
    visit::for_each_stmt(&l.body, &mut |node| {
        found |= matches!(&node.kind, Stmt::For(l) if l.directive.as_ref().is_some_and(|d| !d.seq));
    });
    found
}

/// The properties of an access that matter here; many accesses share them.
#[derive(Clone, PartialEq)]
struct Use {
    /// `None`: all gangs perform the access alike.
    gang: Option<usize>,
    read: bool,
    written: bool,
    atomic: bool,
    /// Dimensions whose subscript is the gang loop's variable plus something fixed.
    own: Vec<(usize, Poly)>,
    /// Those of an array whose subscript is the same for the whole construct.
    slice: Vec<(usize, Poly)>,
    span: Span,
}

impl Use {
    fn new(summary: &Summary<'_>, polys: &Polys<'_>, loops: &GangLoops, access: &Access) -> Use {
        let gang = access.loops.iter().copied().find(|l| loops.contains_key(l));
        let subscripts = if access.whole { None } else { subscripts(polys, access.place) };
        let slice = match &subscripts {
            Some(list) if is_element_of_variable(summary, access.place) => slice(summary, list),
            _ => vec![],
        };
        let own = match (gang, subscripts) {
            (Some(gang), Some(list)) => own_dimensions(summary, access, gang, list),
            _ => vec![],
        };
        Use {
            gang,
            read: access.read,
            written: access.written,
            atomic: access.atomic,
            own,
            slice,
            span: access.span,
        }
    }
}

fn slice(summary: &Summary<'_>, list: &[Poly]) -> Vec<(usize, Poly)> {
    let fixed = |p: &Poly| p.atoms().all(|a| summary.is_fixed(a));
    list.iter().cloned().enumerate().filter(|(_, p)| fixed(p)).collect()
}

/// An element of an array, or of what a pointer that never changes points to: there different subscripts are different elements,
/// as they need not be in arrays of pointers and in unions.
fn is_element_of_variable(summary: &Summary<'_>, place: Handle<Expr>) -> bool {
    let exprs = &summary.provenance.scope.body.exprs;
    match exprs[place].kind {
        ExprKind::Local(_) | ExprKind::Global(_) => true,
        ExprKind::Decay(inner) | ExprKind::Index { base: inner, .. } => {
            is_element_of_variable(summary, inner)
        }
        ExprKind::Load(pointer) => match exprs[pointer].kind {
            ExprKind::Local(l) => summary.is_fixed(Atom::Local(l)),
            _ => false,
        },
        _ => false,
    }
}

fn own_dimensions(
    summary: &Summary<'_>,
    access: &Access,
    gang: usize,
    list: Vec<Poly>,
) -> Vec<(usize, Poly)> {
    let variable = |l: usize| Atom::Local(summary.accesses.loops[l].var);
    let variables: BTreeSet<Atom> = access.loops.iter().map(|l| variable(*l)).collect();
    let own = Poly::atom(variable(gang));
    let rest = list.into_iter().enumerate().map(|(at, p)| (at, p.plus(&own, -1)));
    rest.filter(|(_, rest)| !rest.atoms().any(|a| variables.contains(&a))).collect()
}

/// Outermost first; `None` where a pointer is computed.
fn subscripts(polys: &Polys<'_>, place: Handle<Expr>) -> Option<Vec<Poly>> {
    let exprs = &polys.scope.body.exprs;
    match &exprs[place].kind {
        ExprKind::Local(_) | ExprKind::Global(_) => Some(vec![]),
        ExprKind::Load(inner) | ExprKind::Decay(inner) | ExprKind::Member { base: inner, .. } => {
            subscripts(polys, *inner)
        }
        ExprKind::Index { base, index } => {
            let mut list = subscripts(polys, *base)?;
            list.push(polys.poly(*index));
            Some(list)
        }
        _ => None,
    }
}

/// One access of each kind, so that their number does not grow with the construct's size.
fn distinct(uses: Vec<Use>) -> Vec<Use> {
    let mut found: Vec<Use> = vec![];
    for u in uses {
        let same = |other: &Use| Use { span: u.span, ..other.clone() } == u;
        if !found.iter().any(same) {
            found.push(u);
        }
    }
    found
}

fn first_dependence(loops: &GangLoops, uses: &[Use]) -> Option<(Span, Span)> {
    let pairs = uses.iter().enumerate().flat_map(|(i, a)| uses[i..].iter().map(move |b| (a, b)));
    let found = pairs.filter(|(a, b)| a.written || b.written).find(|(a, b)| meet(loops, a, b));
    found.map(|(a, b)| if a.written { (a.span, b.span) } else { (b.span, a.span) })
}

fn meet(loops: &GangLoops, a: &Use, b: &Use) -> bool {
    let apart = |(at, p): &(usize, Poly)| {
        b.slice.iter().any(|(other, q)| at == other && p.plus(q, -1).as_constant().is_some_and(|d| d != 0))
    };
    if a.atomic && b.atomic || a.slice.iter().any(apart) {
        return false;
    }
    let (Some(first), Some(second)) = (a.gang, b.gang) else { return redundant_meets(loops, a, b) };
    let (x, y) = (&loops[&first], &loops[&second]);
    // Within one run of a loop its iterations are independent, by promise or proof.
    if first == second && !x.repeated {
        return false;
    }
    let same_gang = x.assignment == y.assignment && a.own.iter().any(|dimension| b.own.contains(dimension));
    !same_gang
}

/// One of the two belongs to code that every gang runs. Where it writes before the other one reads, each gang has
/// done so itself.
fn redundant_meets(loops: &GangLoops, a: &Use, b: &Use) -> bool {
    let (redundant, other) = if a.gang.is_none() { (a, b) } else { (b, a) };
    let Some(gang) = other.gang else { return false };
    let before = redundant.span.start < other.span.start && !loops[&gang].repeated;
    !(before && redundant.written && !other.written)
}
