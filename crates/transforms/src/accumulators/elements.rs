//! Whether a loop accumulates into an element, and how to know afterwards that it did.

use super::{Guard, locals_in};
use crate::levels::tree::LoopNode;
use accl_analysis::data::Summary;
use accl_analysis::dependence::{Carried, CarriedElement};
use accl_analysis::{reduction, scalars};
use accl_ir::{
    Access, BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Loop, Module, ReductionOp, Stmt, rewrite,
    visit,
};
use std::collections::{BTreeMap, BTreeSet};

/// The operator, if every use of the element in the loop is an update by that one operator, and if the element can
/// be named outside of the loop.
pub fn operator(module: &Module, body: &mut Body, l: &Loop, element: &CarriedElement) -> Option<ReductionOp> {
    let ty = body.ty(element.place);
    let mut inside = visit::declared_locals(&l.body);
    inside.extend(visit::loop_variables(&l.body));
    inside.insert(l.var);
    if !locals_in(body, element.place).is_disjoint(&inside)
        || !(module.types.is_float(ty) || module.types.is_integer(ty))
    {
        return None;
    }
    let scratch = body.temp("sum", ty);
    let mut block = l.body.clone();
    in_scalar(body, &mut block, &element.places, scratch);
    *reduction::recognise_all(body, &block).get(&scratch)?
}

/// Substitutes the local for the element.
pub fn in_scalar(body: &mut Body, block: &mut Block, places: &BTreeSet<Handle<Expr>>, local: Handle<Local>) {
    rewrite::rewrite_exprs(body, block, &mut |body, e| match places.contains(&e) {
        true => body.place(local),
        false => e,
    });
}

/// Locals that belong to the loop or change in it.
fn changed(body: &Body, l: &Loop) -> BTreeSet<Handle<Local>> {
    let mut all = visit::declared_locals(&l.body);
    all.insert(l.var);
    all.extend(scalars::written_locals(body, &l.body).into_keys());
    all
}

/// The condition, evaluated after the loop, under which it has accumulated something: nothing may be stored that
/// the program does not store.
pub fn guard(summary: &Summary<'_>, node: &LoopNode<'_>, element: &CarriedElement) -> Guard {
    let Some(inside) = &element.inner_loops else { return Guard::Flag };
    let body = summary.provenance.scope.body;
    let polys = summary.polys();
    let inner = changed(body, node.l);
    let mut trips = vec![];
    for index in std::iter::once(&node.index).chain(inside) {
        let info = &summary.accesses.loops[*index];
        let known = |e| polys.poly(e).as_constant();
        if let (Some(lower), Some(bound)) = (known(info.lower), known(info.bound))
            && crate::outline::trips::count(lower, bound, info.compare, known(info.step).unwrap_or(1)) > 0
        {
            continue;
        }
        let ends = [info.lower, info.bound];
        let own = *index == node.index;
        let outside = |e: &Handle<Expr>| locals_in(body, *e).is_disjoint(&inner) && (own || !loads(body, *e));
        if !ends.iter().all(outside) {
            return Guard::Flag;
        }
        trips.push((info.lower, info.compare, info.bound));
    }
    Guard::Trips(trips)
}

/// The expression reads memory, which the loop might write.
fn loads(body: &Body, e: Handle<Expr>) -> bool {
    let mut found = false;
    visit::for_each_operand(&body.exprs, e, &mut |e| match body.exprs[e].kind {
        ExprKind::Load(place) => found |= !matches!(body.exprs[place].kind, ExprKind::Local(_)),
        ExprKind::Call { .. } => found = true,
        _ => {}
    });
    found
}

/// Iterations store different values in these places, or read what another iteration stored.
pub fn races(body: &Body, l: &Loop, places: &BTreeSet<Handle<Expr>>) -> bool {
    let mut changing = changed(body, l);
    // Values that depend only on a loop inside are the same in every iteration.
    visit::loop_variables(&l.body).iter().for_each(|v| {
        changing.remove(v);
    });
    let mut races = false;
    visit::for_each_stmt(&l.body, &mut |node| {
        if let Stmt::Store { place, value, .. } = &node.kind
            && places.contains(place)
        {
            races |= loads(body, *value) || !locals_in(body, *value).is_disjoint(&changing);
        }
    });
    races || is_read(body, l, places)
}

/// Only one iteration comes to these places: they stand under `if (i == number)`, as `masked` constructs do, or with a variable that has
/// the value of either, `int me = i`.
pub fn of_one_iteration(body: &Body, l: &Loop, places: &BTreeSet<Handle<Expr>>) -> bool {
    let named = Named { body, counter: l.var, changing: changed(body, l), values: only_values(body, l) };
    !comes_to(body, &l.body, places, &|cond| named.is_one(cond))
}

/// What conditions say of the number of an iteration.
struct Named<'a> {
    body: &'a Body,
    counter: Handle<Local>,
    changing: BTreeSet<Handle<Local>>,
    values: BTreeMap<Handle<Local>, Handle<Expr>>,
}

impl Named<'_> {
    /// The condition holds in one iteration at most.
    fn is_one(&self, cond: Handle<Expr>) -> bool {
        match self.body.exprs[cond].kind {
            ExprKind::Binary { op: BinaryOp::LogicalAnd, left, right } => {
                self.is_one(left) || self.is_one(right)
            }
            ExprKind::Binary { op: BinaryOp::Eq, left, right } => {
                self.is_counter(left) && self.is_fixed(right) || self.is_fixed(left) && self.is_counter(right)
            }
            _ => false,
        }
    }

    fn is_counter(&self, e: Handle<Expr>) -> bool {
        match self.body.exprs[e].kind {
            ExprKind::Cast(inner) => self.is_counter(inner),
            ExprKind::Load(place) => match self.body.exprs[place].kind {
                ExprKind::Local(local) if local == self.counter => true,
                ExprKind::Local(local) => {
                    self.values.get(&local).is_some_and(|value| self.is_counter(*value))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// All iterations find the same value.
    fn is_fixed(&self, e: Handle<Expr>) -> bool {
        let same = |local: &Handle<Local>| {
            !self.changing.contains(local)
                || self.values.get(local).is_some_and(|value| self.is_fixed(*value))
        };
        !loads(self.body, e) && locals_in(self.body, e).iter().all(same)
    }
}

/// Locals of the loop that have the value of their declaration and no other.
fn only_values(body: &Body, l: &Loop) -> BTreeMap<Handle<Local>, Handle<Expr>> {
    let (mut values, mut changes) = (BTreeMap::new(), BTreeMap::new());
    visit::for_each_stmt(&l.body, &mut |node| {
        if let Stmt::Declare { local, init: Some(value) } = node.kind {
            values.insert(local, value);
        }
    });
    visit::for_each_local(body, &l.body, &mut |local, access| {
        if access.writes() || access == Access::Address {
            *changes.entry(local).or_insert(0) += 1;
        }
    });
    values.retain(|local, _| changes.get(local).is_none_or(|count| *count == 1));
    values
}

/// The statements use one of the places, but for what stands under a condition for which `passes` holds.
fn comes_to(
    body: &Body,
    block: &Block,
    places: &BTreeSet<Handle<Expr>>,
    passes: &dyn Fn(Handle<Expr>) -> bool,
) -> bool {
    let reads = |root: Handle<Expr>| {
        let mut found = false;
        visit::for_each_operand(&body.exprs, root, &mut |e| {
            found |= matches!(body.exprs[e].kind, ExprKind::Load(place) if places.contains(&place));
        });
        found
    };
    block.iter().any(|node| {
        let inside = match &node.kind {
            Stmt::If { cond, otherwise, .. } if passes(*cond) => vec![otherwise],
            kind => kind.blocks(),
        };
        matches!(&node.kind, Stmt::Store { place, .. } if places.contains(place))
            || node.kind.operands().into_iter().any(|(root, _)| reads(root))
            || inside.into_iter().any(|inner| comes_to(body, inner, places, passes))
    })
}

/// Iterations read the element that others write, even if under a condition. The result can only be right if at
/// most one of them does.
pub fn is_read(body: &Body, l: &Loop, places: &BTreeSet<Handle<Expr>>) -> bool {
    let mut read = false;
    visit::for_each_stmt(&l.body, &mut |node| {
        read |= matches!(&node.kind, Stmt::Store { place, op: Some(_), .. } if places.contains(place));
    });
    visit::all_exprs(&body.exprs, &l.body, &mut |e| {
        read |= matches!(body.exprs[e].kind, ExprKind::Load(place) if places.contains(&place));
    });
    read
}

/// The same for two references that touch the same element.
pub fn differs(summary: &Summary<'_>, l: &Loop, carried: &Carried) -> bool {
    carried.read || races(summary.provenance.scope.body, l, &carried.places)
}
