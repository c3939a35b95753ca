//! Which pairs of references are compared, and what the comparison gives.

use super::compare::Comparison;
use super::quick::{self, View};
use super::storage::Kind;
use super::strides::Test;
use super::subscripts::{self, Subscript};
use super::system::Oracle;
use super::{Assumptions, Conflict, Rows, Verdict, references, root_name};
use crate::access::{Access, LoopInfo};
use crate::affine::{Atom, Polys};
use crate::data::{Summary, VariableForm};
use crate::provenance::Root;
use crate::scalars;
use crate::section;
use accl_ir::{Expr, ExprKind, Handle, Local, Loop, TypeKind, visit};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// In how many pairs the references of a loop may be compared. Beyond that, the rest counts as dependent.
pub(super) const PAIRS: usize = 400_000;

/// Dependence analysis of the loops of one construct.
pub struct Analysis<'s, 'a> {
    summary: &'s Summary<'a>,
    pub(super) polys: Polys<'a>,
    references: Vec<Reference<'s>>,
    /// For each loop the references inside it to variables that its iterations share, in the source's order, one
    /// for each form.
    by_loop: Vec<Vec<usize>>,
    /// For each loop the writes to scalars that are no locals.
    scalars: Vec<Vec<(&'s Root, &'s Access)>>,
    storage: Vec<(&'s Root, Kind)>,
    loop_variables: BTreeSet<Handle<Local>>,
    fixed: RefCell<HashMap<Atom, bool>>,
    oracle: Oracle,
}

pub(super) struct Reference<'s> {
    pub access: &'s Access,
    /// The places of all accesses that have this form.
    pub places: Vec<Handle<Expr>>,
    /// Index into `storage`.
    pub storage: usize,
    /// `None`: not known.
    pub dims: Option<Vec<Subscript>>,
    /// Where the variable is rows behind an array of pointers: the subscripts of the array, then those of the row. They tell
    /// elements apart where rows do not overlap.
    row_dims: Option<Vec<Subscript>>,
}

impl Reference<'_> {
    /// The subscripts of the element of an array in which the pointer to the row lies.
    fn element(&self) -> Option<&[Subscript]> {
        let (_, dims) = self.row_dims.as_deref()?.split_last()?;
        let end = dims.iter().position(|s| matches!(s, Subscript::Field(_))).unwrap_or(dims.len());
        Some(&dims[..end])
    }

    fn dims_in(&self, frame: &Frame<'_>) -> Option<&[Subscript]> {
        self.dims.as_deref().or_else(|| self.row_dims.as_deref().filter(|_| frame.promised))
    }
}

/// Whether two references touch one element in two different iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    Never,
    Sometimes,
    /// Certain if both accesses happen in every iteration, and the loop has a few iterations.
    Certainly,
    Unknown,
}

impl<'s, 'a> Analysis<'s, 'a> {
    pub fn new(summary: &'s Summary<'a>) -> Self {
        let loops = summary.accesses.loops.len();
        let mut this = Analysis {
            summary,
            polys: summary.polys(),
            references: vec![],
            by_loop: vec![vec![]; loops],
            scalars: vec![vec![]; loops],
            storage: vec![],
            loop_variables: summary.accesses.loops.iter().map(|l| l.var).collect(),
            fixed: RefCell::default(),
            oracle: Oracle::default(),
        };
        this.collect_references();
        this.collect_scalars();
        this
    }

    pub fn summary(&self) -> &'s Summary<'a> {
        self.summary
    }

    /// The first write to each scalar inside the loop that is neither a local nor atomic.
    pub fn written_scalars(&self, index: usize) -> &[(&'s Root, &'s Access)] {
        &self.scalars[index]
    }

    fn collect_scalars(&mut self) {
        let list = &self.summary.accesses.list;
        for v in self.summary.variables.iter().filter(|v| v.form == VariableForm::Scalar && v.written) {
            if matches!(v.root, Root::Local(_)) {
                continue;
            }
            let mut seen = BTreeSet::new();
            for a in v.accesses.iter().map(|i| &list[*i]).filter(|a| a.written && !a.atomic) {
                for l in a.loops.iter().filter(|l| seen.insert(**l)) {
                    self.scalars[*l].push((&v.root, a));
                }
            }
        }
    }

    fn collect_references(&mut self) {
        let summary = self.summary;
        let mut storage: HashMap<(&Root, bool, Option<Root>), usize> = HashMap::new();
        let mut known = HashMap::new();
        for (access, own, depth) in memory_accesses(summary) {
            let (array, row_dims) = subscripts::behind_pointers(summary, &self.polys, access).unzip();
            let kind = match array {
                Some(_) => Kind::Rows,
                None => Kind::of(summary, &access.root, own),
            };
            let storage = *storage.entry((&access.root, own, array)).or_insert_with(|| {
                self.storage.push((&access.root, kind));
                self.storage.len() - 1
            });
            let dims = subscripts::dimensions(summary, &self.polys, access);
            let what = (access.read, access.written, access.atomic);
            let condition = (access.conditional, access.condition_depth);
            let key = (storage, (dims, row_dims), what, condition, access.loops.as_slice());
            let reference = self.references.len();
            if let Some(known) = known.get(&key) {
                let known: &mut Reference<'_> = &mut self.references[*known];
                known.places.push(access.place);
                continue;
            }
            let ((dims, row_dims), places) = (key.1.clone(), vec![access.place]);
            self.references.push(Reference { access, places, storage, dims, row_dims });
            known.insert(key, reference);
            for l in &access.loops[depth.min(access.loops.len())..] {
                self.by_loop[*l].push(reference);
            }
        }
    }

    pub(super) fn by_storage(&self, index: usize) -> BTreeMap<usize, Vec<usize>> {
        let mut by_storage: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for r in &self.by_loop[index] {
            by_storage.entry(self.references[*r].storage).or_default().push(*r);
        }
        by_storage
    }

    pub(super) fn reference(&self, r: usize) -> &Reference<'s> {
        &self.references[r]
    }

    pub(super) fn array_conflicts(
        &mut self,
        index: usize,
        l: &Loop,
        verdict: &mut Verdict,
        except: &BTreeSet<usize>,
    ) {
        let mut by_storage = self.by_storage(index);
        by_storage.values_mut().for_each(|group| group.retain(|r| !except.contains(r)));
        let overlaps = self.overlaps(&self.by_storage(index));
        let mut search = Search { oracle: std::mem::take(&mut self.oracle), pairs: 0 };
        search.oracle.exhausted = false;
        let frame = self.frame(index, l, Granted::default());
        if frame.extent.is_some_and(|e| e.unsigned_abs() < frame.step.unsigned_abs() || e < 0) {
            // The loop has one iteration at most.
            self.oracle = search.oracle;
            return;
        }
        let mut found = vec![];
        let mut assumed = Some(Assumptions::default()).filter(|_| verdict.is_parallel());
        let may_be_distinct = !self.meets_unknown(&by_storage);
        let mut rows = false;
        let mut gave_up = false;
        for group in by_storage.values() {
            if let Some((a, b, overlap)) = self.first_overlap(&mut search, &frame, group) {
                gave_up |= search.is_exhausted();
                assumed = assumed.and_then(|sum| {
                    let distinct = may_be_distinct && overlap == Overlap::Unknown;
                    let more = self.assumptions(&mut search, (index, l), group, (a, b), distinct)?;
                    sum.with(more)
                });
                rows |= self.is_rows(a);
                found.push(((a, b), self.conflict_of(a, b, overlap)));
            }
        }
        if !overlaps.is_empty() {
            let distinct = Assumptions { distinct: true, ..Assumptions::default() };
            assumed = assumed.filter(|_| may_be_distinct).and_then(|sum| sum.with(distinct));
        }
        for (written, other) in overlaps {
            rows |= self.is_rows(written) || self.is_rows(other);
            let at = (written.min(other), written.max(other));
            found.push((at, self.conflict(written, other, true, true)));
        }
        found.sort_by_key(|(at, _)| *at);
        verdict.parallel_if = assumed.filter(|_| !found.is_empty());
        if let Some(assumed) = &mut verdict.parallel_if {
            assumed.rows = if rows { self.rows_used(index, l, &by_storage) } else { Rows::None };
        }
        let mut messages: BTreeSet<String> = BTreeSet::new();
        verdict.gave_up = gave_up;
        let new = found.into_iter().map(|(_, c)| c).filter(|c| messages.insert(c.message.clone()));
        verdict.conflicts.extend(new);
        self.oracle = search.oracle;
    }

    /// What would have to hold so that references of the group, of which a and b may touch one element, do not. `distinct`: it
    /// may be that different variables do not overlap.
    fn assumptions(
        &self,
        search: &mut Search,
        (index, l): (usize, &Loop),
        group: &[usize],
        (a, b): (usize, usize),
        distinct: bool,
    ) -> Option<Assumptions> {
        let tried = [(true, false), (false, true), (true, true)];
        tried.into_iter().filter(|(promised, _)| distinct || !promised).find_map(|(promised, strides)| {
            let frame = self.frame(index, l, Granted { promised, strides });
            let both = [a, b].map(|r| self.inner_variables(&frame, r));
            let pair = [&self.references[a], &self.references[b]];
            let meet = self.meet(Some(&mut search.oracle), &frame, pair, [&both[0], &both[1]]);
            if meet != Overlap::Never || self.first_overlap(search, &frame, group).is_some() {
                return None;
            }
            let tests = frame.tests.into_iter().flat_map(RefCell::into_inner);
            let strides = tests.map(|test| test.of_launch(self.summary)).collect::<Option<_>>()?;
            Some(Assumptions { distinct: promised, rows: Rows::None, strides })
        })
    }

    /// Whether two iterations of loop number `index`, which is `l`, may access the same element of one variable,
    /// one of them writing it. Different variables are not compared, though they could lie in the same memory.
    pub fn of_variable(&mut self, index: usize, l: &Loop, root: &Root) -> Option<Conflict> {
        let mut search = Search { oracle: std::mem::take(&mut self.oracle), pairs: 0 };
        let frame = self.frame(index, l, Granted::default());
        let groups = self.by_storage(index);
        let mut own = groups.iter().filter(|(storage, _)| self.storage[**storage].0 == root);
        let found = own.find_map(|(_, group)| self.first_overlap(&mut search, &frame, group));
        let conflict = found.map(|(a, b, overlap)| self.conflict_of(a, b, overlap));
        self.oracle = search.oracle;
        conflict
    }

    fn conflict_of(&self, a: usize, b: usize, overlap: Overlap) -> Conflict {
        let (written, other) = if self.references[a].access.written { (a, b) } else { (b, a) };
        self.conflict(written, other, overlap == Overlap::Unknown, false)
    }

    fn conflict(&self, written: usize, other: usize, complex: bool, aliasing: bool) -> Conflict {
        let (written, other) = (&self.references[written], self.references[other].access);
        let (root, kind) = self.storage[written.storage];
        let name = root_name(self.summary, root);
        let arrow = if kind.is_pointer() { "->" } else { "" };
        let word = if complex { "Complex loop carried dependence" } else { "Loop carried dependence" };
        Conflict {
            message: format!("{word} of {name}{arrow} prevents parallelization"),
            references: references(self.summary, other, written.access),
            name,
            aliasing,
            updated: written.access.atomic,
        }
    }

    /// For each variable that is written, the first other variable that may lie in the same memory: the write, and
    /// the reference to the other variable.
    fn overlaps(&self, by_storage: &BTreeMap<usize, Vec<usize>>) -> Vec<(usize, usize)> {
        let mut found = vec![];
        let access = |r: &usize| self.references[*r].access;
        for (s, group) in by_storage {
            let written =
                |atomic: bool| group.iter().find(|r| access(r).written && access(r).atomic == atomic);
            let (plain, atomic) = (written(false), written(true));
            if plain.is_none() && atomic.is_none() {
                continue;
            }
            let first = by_storage.iter().filter(|(t, _)| *t != s).find_map(|(t, others)| {
                if !self.storage[*s].1.may_alias(self.storage[*t].1) {
                    return None;
                }
                let beside_plain = plain.and_then(|w| Some((*w, *others.first()?)));
                let beside_atomic = || Some((*atomic?, *others.iter().find(|o| !access(o).atomic)?));
                beside_plain.or_else(beside_atomic)
            });
            found.extend(first);
        }
        found
    }

    /// A variable that is written, and another that may lie in the same memory, one of them being a pointer of unknown origin:
    /// no launch knows where that points to.
    fn meets_unknown(&self, by_storage: &BTreeMap<usize, Vec<usize>>) -> bool {
        let written = |group: &[usize]| group.iter().any(|r| self.references[*r].access.written);
        by_storage.iter().any(|(s, one)| {
            by_storage.range(s + 1..).any(|(t, other)| {
                self.storage[*s].1.is_untold(self.storage[*t].1) && (written(one) || written(other))
            })
        })
    }

    /// Which rows the loop must find apart: all of its iterations may use one element of each array of pointers.
    fn rows_used(&self, index: usize, l: &Loop, by_storage: &BTreeMap<usize, Vec<usize>>) -> Rows {
        let frame = self.frame(index, l, Granted { promised: true, strides: false });
        let is_one = |group: &Vec<usize>| {
            let mut elements = group.iter().filter_map(|r| self.references[*r].element());
            let first = elements.next();
            first.is_none_or(|first| {
                first.iter().all(|s| s.is_made_of(&|atom| self.is_fixed_in(&frame, atom)))
                    && elements.all(|other| other == first)
            })
        };
        let rows = by_storage.iter().filter(|(storage, _)| self.storage[**storage].1 == Kind::Rows);
        if rows.into_iter().all(|(_, group)| is_one(group)) { Rows::OfElements } else { Rows::All }
    }

    fn is_rows(&self, reference: usize) -> bool {
        self.storage[self.references[reference].storage].1 == Kind::Rows
    }

    /// The first two references to one variable that touch the same element.
    fn first_overlap(
        &self,
        search: &mut Search,
        frame: &Frame<'_>,
        group: &[usize],
    ) -> Option<(usize, usize, Overlap)> {
        if !group.iter().any(|r| self.references[*r].access.written) {
            return None;
        }
        let buckets = self.buckets(frame, group);
        let firsts = buckets.values().filter_map(|bucket| self.first_in_bucket(search, frame, bucket));
        firsts.min_by_key(|(a, b, _)| (*a, *b))
    }

    /// The references to one variable in groups. References of different groups never touch the same element.
    pub(super) fn buckets(&self, frame: &Frame<'_>, group: &[usize]) -> BTreeMap<Vec<i128>, Vec<usize>> {
        let dims: Vec<&[Subscript]> =
            group.iter().map(|r| self.references[*r].dims_in(frame).unwrap_or(&[])).collect();
        let mut buckets: BTreeMap<Vec<i128>, Vec<usize>> = BTreeMap::new();
        for (key, r) in quick::keys(&dims).into_iter().zip(group) {
            buckets.entry(key).or_default().push(*r);
        }
        buckets
    }

    fn first_in_bucket(
        &self,
        search: &mut Search,
        frame: &Frame<'_>,
        bucket: &[usize],
    ) -> Option<(usize, usize, Overlap)> {
        let inner: Vec<BTreeSet<Atom>> = bucket.iter().map(|r| self.inner_variables(frame, *r)).collect();
        let access = |n: usize| self.references[bucket[n]].access;
        let writers: Vec<usize> = (0..bucket.len()).filter(|n| access(*n).written).collect();
        let all: Vec<usize> = (0..bucket.len()).collect();
        for i in 0..bucket.len() {
            let partners = if access(i).written { &all } else { &writers };
            for j in partners.iter().copied().filter(|j| *j >= i) {
                if access(i).atomic && access(j).atomic {
                    continue;
                }
                search.pairs += 1;
                let both = [&self.references[bucket[i]], &self.references[bucket[j]]];
                let overlap = match search.pairs > PAIRS {
                    true => Overlap::Unknown,
                    false => self.meet(Some(&mut search.oracle), frame, both, [&inner[i], &inner[j]]),
                };
                if overlap != Overlap::Never {
                    return Some((bucket[i], bucket[j], overlap));
                }
            }
        }
        None
    }

    /// Variables of the loops around a reference that lie inside the frame's loop.
    pub(super) fn inner_variables(&self, frame: &Frame<'_>, reference: usize) -> BTreeSet<Atom> {
        let inside =
            self.references[reference].access.loops.iter().skip_while(|l| **l != frame.index).skip(1);
        inside.map(|l| Atom::Local(self.summary.accesses.loops[*l].var)).collect()
    }

    /// `oracle`: `None` where an answer that would need isl is of no interest.
    pub(super) fn meet(
        &self,
        oracle: Option<&mut Oracle>,
        frame: &Frame<'_>,
        [a, b]: [&Reference<'_>; 2],
        inner: [&BTreeSet<Atom>; 2],
    ) -> Overlap {
        let (Some(x), Some(y)) = (a.dims_in(frame), b.dims_in(frame)) else { return Overlap::Unknown };
        let is_fixed = |atom: Atom| self.is_fixed_in(frame, atom);
        let (variable, extent, step) = (Atom::Local(frame.info.var), frame.extent, frame.step);
        let view = View { variable, inner, outer: &frame.outer, is_fixed: &is_fixed, extent, step };
        let accesses = [a.access, b.access];
        let tests = frame.tests.as_ref();
        let mut comparison = Comparison::new(self.summary, &self.polys, view, frame.index, accesses, tests);
        comparison.of(oracle, x, y)
    }

    pub(super) fn is_fixed_in(&self, frame: &Frame<'_>, atom: Atom) -> bool {
        let changed = matches!(atom, Atom::Local(l) if frame.changed.contains(&l));
        let fixed = || self.is_fixed(atom) || self.is_unchanged(frame, atom);
        frame.outer.contains(&atom) || !changed && fixed()
    }

    /// The loop writes nothing that the value is computed from.
    fn is_unchanged(&self, frame: &Frame<'_>, atom: Atom) -> bool {
        *frame.unchanged.borrow_mut().entry(atom).or_insert_with(|| match atom {
            Atom::Local(l) => !self.may_change(frame, l) && !self.is_written_in(frame, &Root::Local(l)),
            Atom::Global(_) => false,
            Atom::Opaque(e) => self.is_unchanged_value(frame, e),
        })
    }

    fn may_change(&self, frame: &Frame<'_>, l: Handle<Local>) -> bool {
        frame.changed.contains(&l) || self.summary.accesses.escaping.contains(&l)
    }

    fn is_unchanged_value(&self, frame: &Frame<'_>, value: Handle<Expr>) -> bool {
        let body = self.summary.provenance.scope.body;
        let mut unchanged = true;
        visit::for_each_operand(&body.exprs, value, &mut |e| match &body.exprs[e].kind {
            ExprKind::Local(l) => unchanged &= !self.may_change(frame, *l),
            ExprKind::Call { .. } => unchanged = false,
            ExprKind::Load(place) if !matches!(body.exprs[*place].kind, ExprKind::Local(_)) => {
                let roots = self.summary.provenance.place_roots(*place);
                unchanged &= roots.iter().all(|root| !self.is_written_in(frame, root));
            }
            _ => {}
        });
        unchanged
    }

    fn is_written_in(&self, frame: &Frame<'_>, root: &Root) -> bool {
        let scalar = self.scalars[frame.index].iter().any(|(written, _)| *written == root);
        let own = matches!(root, Root::Local(l) if self.summary.provenance.is_inner(*l));
        let kind = Kind::of(self.summary, root, own);
        let meets = |(other, written): &(&Root, Kind)| {
            *other == root || *root == Root::Unknown || !frame.promised && kind.may_alias(*written)
        };
        scalar || frame.written.iter().any(|s| meets(&self.storage[*s]))
    }

    pub(super) fn frame(&self, index: usize, l: &Loop, Granted { promised, strides }: Granted) -> Frame<'s> {
        let loops = &self.summary.accesses.loops;
        let info = &loops[index];
        let outer = std::iter::successors(info.parent, |l| loops[*l].parent);
        let range = section::loop_range(&self.polys, info);
        let body = self.summary.provenance.scope.body;
        let mut changed = accl_ir::visit::declared_locals(&l.body);
        changed.insert(l.var);
        changed.extend(scalars::written_locals(body, &l.body).into_keys());
        let written = self.by_loop[index].iter().map(|r| &self.references[*r]);
        Frame {
            changed,
            written: written.filter(|r| r.access.written).map(|r| r.storage).collect(),
            unchanged: RefCell::default(),
            promised,
            tests: strides.then(RefCell::default),
            index,
            info,
            outer: outer.map(|l| Atom::Local(loops[l].var)).collect(),
            extent: range.and_then(|(first, last)| last.plus(&first, -1).as_constant()),
            step: self.polys.poly(info.step).as_constant().unwrap_or(1),
        }
    }

    fn is_fixed(&self, atom: Atom) -> bool {
        if matches!(atom, Atom::Local(l) if self.loop_variables.contains(&l)) {
            return false;
        }
        *self.fixed.borrow_mut().entry(atom).or_insert_with(|| self.summary.is_invariant(atom))
    }
}

/// What has to be known about the loop to compare two references.
pub(super) struct Frame<'s> {
    pub index: usize,
    pub info: &'s LoopInfo,
    /// Variables of the loops around it.
    outer: BTreeSet<Atom>,
    /// The last value minus the first.
    extent: Option<i128>,
    step: i128,
    /// Locals that it declares or writes.
    changed: BTreeSet<Handle<Local>>,
    /// Storage that it writes.
    written: BTreeSet<usize>,
    unchanged: RefCell<HashMap<Atom, bool>>,
    promised: bool,
    /// What launches would test of strides, where they may.
    tests: Option<RefCell<Vec<Test>>>,
}

/// What is taken to hold.
#[derive(Clone, Copy, Default)]
pub(super) struct Granted {
    /// Different variables do not overlap where iterations differ.
    pub promised: bool,
    /// Strides are as launches test them.
    pub strides: bool,
}

/// The budget that the analysis of one loop has used.
struct Search {
    oracle: Oracle,
    pairs: usize,
}

impl Search {
    fn is_exhausted(&self) -> bool {
        self.pairs > PAIRS || self.oracle.exhausted
    }
}

/// Accesses to arrays, structures and what pointers point to. With each: whether the construct has the variable to
/// itself, and for how many of the loops around it each iteration has an instance of its own.
fn memory_accesses<'s>(summary: &'s Summary<'_>) -> impl Iterator<Item = (&'s Access, bool, usize)> {
    let scope = summary.provenance.scope;
    let of_scalars: BTreeSet<usize> = summary
        .variables
        .iter()
        .filter(|v| v.form == VariableForm::Scalar)
        .flat_map(|v| v.accesses.iter().copied())
        .collect();
    let loads_pointer = move |a: &Access| {
        let kind = scope.module.types.kind(scope.body.exprs[a.place].ty);
        matches!(kind, TypeKind::Pointer { .. }) && !a.written && !a.whole
    };
    let list = summary.accesses.list.iter().enumerate();
    let outside = list.filter(move |(i, a)| !of_scalars.contains(i) && !loads_pointer(a));
    let inner = summary.accesses.inner.iter();
    outside.map(|(_, a)| (a, false, 0)).chain(inner.map(|i| (&i.access, true, i.depth)))
}
