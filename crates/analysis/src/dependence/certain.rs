//! Dependences that certainly exist.
//!
//! Under `parallel` a loop directive is the programmer's promise that iterations are independent, so a dependence
//! that only may exist is ignored. Where successive iterations write and read the same element on every path, the
//! promise is wrong.

use super::pairs::{Analysis, Frame, Granted, Overlap, PAIRS, Reference};
use super::subscripts::Subscript;
use super::{references, root_name};
use crate::affine::Atom;
use crate::provenance::Root;
use crate::scalars;
use accl_ir::{Expr, Handle, Local, Loop};
use accl_source::Span;
use std::collections::BTreeSet;

/// One element of an array, or a member of a structure, that every iteration of a loop accesses and some iteration
/// writes.
#[derive(Clone, Debug)]
pub struct CarriedElement {
    /// The element as the first write to it spells it.
    pub place: Handle<Expr>,
    /// All accesses to the element in the loop. No other access to the variable in the loop can touch it.
    pub places: BTreeSet<Handle<Expr>>,
    /// It is written in every iteration, except where a loop inside that writes it has no iterations.
    pub always: bool,
    /// The inner loops around a write that stands in no condition, by number; `None` where there is no such write.
    pub inner_loops: Option<Vec<usize>>,
    pub root: Root,
    pub name: String,
    pub references: Vec<(Span, String)>,
    members: BTreeSet<usize>,
}

/// Two references that access the same element in different iterations.
#[derive(Clone, Debug)]
pub struct Carried {
    pub root: Root,
    pub name: String,
    pub references: Vec<(Span, String)>,
    /// All accesses to the variable that could touch the same element as these two; none for a scalar.
    pub places: BTreeSet<Handle<Expr>>,
    /// One of the two reads the element.
    pub read: bool,
}

impl Analysis<'_, '_> {
    /// The elements whose address does not change with the loop. `promised`: different variables are assumed not to
    /// overlap.
    pub fn elements(&self, index: usize, l: &Loop, promised: bool) -> Vec<CarriedElement> {
        let frame = self.frame(index, l, Granted { promised, strides: false });
        let mut found = vec![];
        for group in self.by_storage(index).values() {
            if group.iter().any(|r| self.reference(*r).dims.is_none()) {
                continue;
            }
            for bucket in self.buckets(&frame, group).values() {
                found.extend(self.element(&frame, bucket));
            }
        }
        found
    }

    fn element(&self, frame: &Frame<'_>, bucket: &[usize]) -> Option<CarriedElement> {
        let all: Vec<&Reference<'_>> = bucket.iter().map(|r| self.reference(*r)).collect();
        let written = all.iter().find(|r| r.access.written)?;
        let same = all.iter().all(|r| r.dims == written.dims && !r.access.atomic);
        let fixed = |d: &Subscript| d.is_made_of(&|a| self.is_fixed_in(frame, a));
        let scope = self.summary().provenance.scope;
        let scalar = scope.module.types.is_scalar(scope.body.exprs[written.access.place].ty);
        if !same || !scalar || !written.dims.iter().flatten().all(fixed) {
            return None;
        }
        let other = all.iter().find(|r| !r.access.written).unwrap_or(written);
        let sure = all.iter().find(|r| r.access.written && r.access.always_in(frame.index));
        let inside = |r: &&Reference<'_>| {
            r.access.loops.iter().copied().skip_while(|l| *l != frame.index).skip(1).collect()
        };
        Some(CarriedElement {
            place: written.access.place,
            places: all.iter().flat_map(|r| r.places.iter().copied()).collect(),
            always: sure.is_some(),
            inner_loops: sure.map(inside),
            root: written.access.root.clone(),
            name: scope
                .message_text(written.access.place)
                .unwrap_or_else(|| root_name(self.summary(), &written.access.root)),
            references: references(self.summary(), other.access, written.access),
            members: bucket.iter().copied().collect(),
        })
    }

    /// Nothing but these elements prevents the loop's iterations from running in any order.
    pub fn is_parallel_without(&mut self, index: usize, l: &Loop, elements: &[CarriedElement]) -> bool {
        let members = elements.iter().flat_map(|e| e.members.iter().copied()).collect();
        self.of_loop_without(index, l, &BTreeSet::new(), &members).is_parallel()
    }

    /// For each variable the first two references that certainly touch the same element; references to `elements`
    /// are left out.
    pub fn carried(&self, index: usize, l: &Loop, elements: &[CarriedElement]) -> Vec<Carried> {
        let frame = self.frame(index, l, Granted { promised: true, strides: false });
        let members: BTreeSet<usize> = elements.iter().flat_map(|e| e.members.iter().copied()).collect();
        let mut found = vec![];
        for group in self.by_storage(index).values() {
            let sure = |r: &Reference<'_>| r.access.always_in(index) && !r.access.atomic && r.dims.is_some();
            for bucket in self.buckets(&frame, group).values() {
                let able = |r: &&usize| !members.contains(r) && sure(self.reference(**r));
                let able: Vec<usize> = bucket.iter().filter(able).copied().collect();
                if let Some((written, other)) = self.certain_pair(&frame, &able) {
                    found.push(self.carried_by(bucket, written, other));
                    break;
                }
            }
        }
        found
    }

    /// Scalars that each iteration reads as the previous one left them, and that are neither reductions nor what it looks for with
    /// variables of the gang that runs it, its `own`.
    pub fn carried_scalars(&self, l: &Loop, own: &BTreeSet<Handle<Local>>) -> Vec<Carried> {
        let summary = self.summary();
        let searches = self.searches(l, own);
        let looked_for = |local: Handle<Local>| searches.iter().any(|search| search.best == local);
        let carried =
            self.exposed_scalars(l).into_iter().filter(|(l, _, op)| op.is_none() && !looked_for(*l));
        let carried: Vec<_> = carried.map(|(l, ..)| l).collect();
        if carried.is_empty() {
            return vec![];
        }
        let reads = scalars::first_reads(summary.provenance.scope.body, &l.body).into_iter();
        reads
            .filter(|(l, _)| carried.contains(l))
            .map(|(l, span)| {
                let root = Root::Local(l);
                let name = root_name(summary, &root);
                let references = vec![(span, format!("{name} is read here before it is written"))];
                Carried { root, name, references, places: BTreeSet::new(), read: true }
            })
            .collect()
    }

    fn carried_by(&self, bucket: &[usize], written: usize, other: usize) -> Carried {
        let (written, other) = (self.reference(written).access, self.reference(other).access);
        let all = bucket.iter().map(|r| self.reference(*r));
        Carried {
            root: written.root.clone(),
            name: root_name(self.summary(), &written.root),
            references: references(self.summary(), other, written),
            places: all.clone().flat_map(|r| r.places.iter().copied()).collect(),
            read: all.clone().any(|r| r.access.read),
        }
    }

    fn certain_pair(&self, frame: &Frame<'_>, able: &[usize]) -> Option<(usize, usize)> {
        let inner: Vec<BTreeSet<Atom>> = able.iter().map(|r| self.inner_variables(frame, *r)).collect();
        let mut pairs = 0;
        for (i, written) in able.iter().enumerate() {
            let a = self.reference(*written);
            if !a.access.written {
                continue;
            }
            for (j, other) in able.iter().enumerate() {
                let b = self.reference(*other);
                pairs += 1;
                if pairs > PAIRS {
                    return None;
                }
                if self.same_every_time(frame, a, b)
                    || self.meet(None, frame, [a, b], [&inner[i], &inner[j]]) == Overlap::Certainly
                {
                    return Some((*written, *other));
                }
            }
        }
        None
    }

    /// Both name the same elements, the same ones in each iteration of the loop.
    fn same_every_time(&self, frame: &Frame<'_>, a: &Reference<'_>, b: &Reference<'_>) -> bool {
        if a.dims != b.dims || a.access.loops != b.access.loops {
            return false;
        }
        let inside: Vec<usize> =
            a.access.loops.iter().copied().skip_while(|l| *l != frame.index).skip(1).collect();
        let loops = &self.summary().accesses.loops;
        let inner: BTreeSet<Atom> = inside.iter().map(|l| Atom::Local(loops[*l].var)).collect();
        let known = |atom: Atom| inner.contains(&atom) || self.is_fixed_in(frame, atom);
        let bounds = inside.iter().flat_map(|l| [loops[*l].lower, loops[*l].bound, loops[*l].step]);
        let fixed_bounds = bounds.into_iter().all(|e| self.polys.poly(e).atoms().all(known));
        fixed_bounds && a.dims.iter().flatten().all(|d| d.is_made_of(&known))
    }
}
