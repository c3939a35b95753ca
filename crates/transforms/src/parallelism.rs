//! Pass 2: which loops may run in parallel, and what they reduce.
//!
//! In a kernels construct every loop is examined; in parallel constructs, those with `auto` (OpenACC 3.3 §2.9.6,
//! §2.9.7). Where dependence analysis finds no conflict the loop becomes `independent`; otherwise a remark names
//! the two references. Where nothing is in the way but that different arrays might overlap, or rows that subscripts count by
//! hand might, the loop becomes `independent` on that condition (`assumes_distinct`, `assumes_strides`): each launch tests it, and its kernel has a
//! [fallback](crate::outline). Scalar reductions that the user did not write are added to the directive. As in nvc, that
//! also holds for loops that are parallel because the programmer says so.

use crate::context::Context;
use crate::levels;
use crate::levels::own_arrays;
use crate::levels::rows;
use crate::levels::tree::{self, LoopNode};
use crate::loop_sinking::{self, Cost};
use crate::map::remarks::operator;
use crate::map::window::has_fcw;
use crate::options::Options;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::affine::Extremum;
use accl_analysis::data::Summary;
use accl_analysis::dependence::{Analysis, Assumptions, Conflict, Rows, Verdict};
use accl_analysis::{scalars, searches};
use accl_ir::{
    Block, Body, Handle, HostExpr, LaunchTest, Local, LoopDirective, Module, Reduction, ReductionOp, Region,
    RegionKind, Search, Stmt, visit,
};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind, Span};
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass = Pass {
    name: "parallelism",
    promise: "Loops that are proven independent are marked so, and scalars that they reduce are named.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let files = cx.options.files;
    regions::each_compute(module, Asks::Reads(files), &mut |module, body, region, site| {
        let (found, lanes) = findings(module, body, region, site, cx);
        if found.iter().any(|finding| finding.sink) {
            cx.analyses.forget(site.construct);
        }
        apply(region, found);
        if let Some(lanes) = lanes
            && region.clauses.vector_length.is_none()
        {
            region.clauses.vector_length = Some(HostExpr::constant(lanes, region.directive_span));
        }
    });
}

/// What will change in one loop's directive.
#[derive(Default)]
struct Finding {
    independent: bool,
    /// Only where this holds.
    assumed: Assumptions,
    reductions: Vec<Reduction>,
    searches: Vec<Search>,
    /// So many loops are one, as if a clause said so; 0 and 1: no other.
    collapse: u32,
    /// What stands before the loop inside moves into it.
    sink: bool,
    /// The loop around it has become one with it.
    joined: bool,
}

fn findings(
    module: &Module,
    body: &Body,
    region: &Region,
    site: &Site,
    cx: &mut Context<'_>,
) -> (Vec<Finding>, Option<i64>) {
    let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
    let analysis = Analysis::new(&summary);
    let own = BTreeSet::new();
    let mut finder =
        Finder { summary: &summary, analysis, region, site, cx, found: vec![], lanes: None, own };
    finder.found.resize_with(summary.accesses.loops.len(), Finding::default);
    for root in tree::of_block(&region.body) {
        finder.examine(&root, None);
        finder.work_on_own_arrays(&root);
        let tiles = finder.share_rows(&root);
        let open = !tiles.is_empty() && rows::has_own_pointers(&summary, root.l);
        root.children.iter().for_each(|child| finder.share_tiles(child, &tiles, open));
    }
    if region.kind == RegionKind::Kernels {
        finder.uncountable(&region.body);
    }
    (finder.found, finder.lanes)
}

struct Finder<'a, 'c> {
    summary: &'a Summary<'a>,
    analysis: Analysis<'a, 'a>,
    region: &'a Region,
    site: &'a Site,
    cx: &'a mut Context<'c>,
    found: Vec<Finding>,
    /// How many lanes gangs are to have, where iterations have rows of their own.
    lanes: Option<i64>,
    /// Variables of iterations of the parallel loops around: what they have for themselves is a gang's.
    own: BTreeSet<Handle<Local>>,
}

/// Why a loop's iterations may run in any order.
struct Proof {
    assumed: Assumptions,
    reductions: Vec<Reduction>,
    searches: Vec<Search>,
}

/// Lanes of a gang that shares the work on a row: there may be one such gang on a multiprocessor.
pub(crate) const LANES_OF_LARGE_ROWS: i64 = 512;
const LANES_OF_ROWS: i64 = 256;
/// Lanes of a gang each of which works on a row: there are few rows, and all multiprocessors are to have some.
const ROWS_OF_LANES: i64 = 32;

impl Finder<'_, '_> {
    /// `around`: the innermost parallel loop around it.
    fn examine(&mut self, node: &LoopNode<'_>, around: Option<&LoopNode<'_>>) {
        match self.question(node, around) {
            Question::None => {}
            Question::Reductions => {
                let verdict = self.analysis.scalars_of_loop(node.index, node.l, &self.own);
                self.reductions(node.index, node.span, verdict.reductions);
                self.searches(node.index, node.span, verdict.searches);
            }
            Question::Independence => self.prove(node),
            Question::Quietly => self.prove_quietly(node, |_| true),
            Question::QuietlyInOrder(last) => self.prove_row(node, around, last),
            Question::Search(last) if self.share_search(node, last) => return,
            Question::Search(_) => {}
        }
        let around = if node.l.directive.as_ref().is_some_and(|d| !d.seq) { Some(node) } else { around };
        // Loops that collapse joins share the first loop's directive.
        let joined = (1..node.collapse()).try_fold(node, |n, _| n.tight_child()).unwrap_or(node);
        let before = self.own.clone();
        if self.is_parallel(node) {
            self.own.extend(levels::of_gang(self.summary, self.region, joined.l));
        }
        for child in &joined.children {
            self.examine(child, around);
        }
        self.own = before;
    }

    /// By the programmer's word, or as was found.
    fn is_parallel(&self, node: &LoopNode<'_>) -> bool {
        let promised = |d: &LoopDirective| {
            let implied = self.region.kind == RegionKind::Parallel && !d.auto;
            !d.seq && (d.independent || implied)
        };
        self.found[node.index].independent || node.l.directive.as_ref().is_some_and(promised)
    }

    /// A loop whose neighbouring iterations use neighbouring elements, and those tightly around it down from `node`. What iterations
    /// of these compute first, those of the loop inside may compute.
    fn prove_row(&mut self, node: &LoopNode<'_>, around: Option<&LoopNode<'_>>, last: usize) {
        let reduced = self.reduced_around(around);
        let chain: Vec<_> = std::iter::successors(Some(node), |n| self.inner(n)).collect();
        let Some(at) = chain.iter().position(|n| n.index == last) else { return };
        for n in chain[..=at].iter().rev() {
            self.prove_quietly(n, |r| reduced.contains(&(r.local, r.op)));
            if !self.found[chain[at].index].independent {
                return;
            }
        }
        let around = around.and_then(|n| self.innermost_joined(n));
        for n in around.into_iter().chain(chain[..at].iter().copied()) {
            self.found[n.index].sink = n.tight_child().is_none() && self.inner(n).is_some();
        }
    }

    /// A loop that computes values and looks for the best one, and those tightly around it from `node` on: lanes run all iterations. Each
    /// value is then one lane's, however short the loops are that compute it.
    fn share_search(&mut self, node: &LoopNode<'_>, last: usize) -> bool {
        let mut proofs = vec![];
        for n in std::iter::successors(Some(node), |n| n.tight_child().filter(|_| n.index != last)) {
            let verdict = verdict(self.summary, &mut self.analysis, self.region, self.site, n, &self.own);
            let proof = self.provable(n, verdict, |_| false).filter(|proof| !proof.searches.is_empty());
            let Some(proof) = proof else { return false };
            proofs.push((n.index, n.span, proof));
        }
        for (index, _, proof) in &proofs {
            (self.found[*index].independent, self.found[*index].assumed) = (true, proof.assumed.clone());
        }
        if let Some((index, span, proof)) = proofs.into_iter().next() {
            self.searches(index, span, proof.searches);
        }
        self.join(node);
        true
    }

    fn innermost_joined<'t, 'l>(&self, node: &'t LoopNode<'l>) -> Option<&'t LoopNode<'l>> {
        (1..node.collapse()).try_fold(node, |n, _| n.tight_child())
    }

    /// The only loop inside, with nothing before it but what that one may compute by itself.
    fn inner<'t, 'l>(&self, node: &'t LoopNode<'l>) -> Option<&'t LoopNode<'l>> {
        node.tight_child()
            .or_else(|| loop_sinking::child_to_sink_into(self.summary, &[node], Cost::Arithmetic))
    }

    /// The loops inside a parallel one whose iterations have arrays of their own, where gangs with lanes should run these.
    fn work_on_own_arrays(&mut self, root: &LoopNode<'_>) {
        let parallel =
            |n: &LoopNode<'_>| n.l.directive.as_ref().is_some_and(|d| !d.seq && (!d.auto || d.independent));
        if self.region.kind != RegionKind::Parallel || !self.cx.options.auto_parallel || !parallel(root) {
            return;
        }
        let nest: Vec<_> =
            std::iter::successors(Some(root), |n| n.tight_child()).take(root.collapse()).collect();
        let last = nest[nest.len() - 1];
        let has_rows = own_arrays::has_own_rows(self.summary, self.region, &nest);
        let found =
            |n: &LoopNode<'_>| n.l.directive.is_some() || !has_rows && self.found[n.index].independent;
        if last.any_below(&found) || !own_arrays::are_there(self.summary, self.region, &nest) {
            return;
        }
        let mut inside = vec![];
        last.children.iter().for_each(|child| self.prove_inside(child, &mut inside));
        let suits =
            own_arrays::suit_gangs(self.summary, self.region, &nest, &|n| self.found[n.index].independent);
        if !suits {
            inside.into_iter().for_each(|index| self.found[index] = Finding::default());
        }
        if has_rows {
            self.lanes = Some(match suits {
                false => ROWS_OF_LANES,
                true if own_arrays::are_large(self.summary, self.region, root) => LANES_OF_LARGE_ROWS,
                true => LANES_OF_ROWS,
            });
            last.children.iter().for_each(|child| self.join(child));
        }
    }

    /// The loops inside the construct's only one that go through its iterations' rows. Gives their numbers.
    fn share_rows(&mut self, root: &LoopNode<'_>) -> Vec<usize> {
        if !self.cx.options.auto_parallel || root.any_below(&|n| self.found[n.index].independent) {
            return vec![];
        }
        // Lanes add up what is an iteration's own, or what iterations reduce anyway.
        let reduced = self.reduced_around(Some(root));
        let own = visit::declared_locals(&root.l.body);
        let of_gang = levels::of_gang(self.summary, self.region, root.l);
        let may_reduce = |r: &Reduction| own.contains(&r.local) || reduced.contains(&(r.local, r.op));
        let mut proven = BTreeMap::new();
        let rows = rows::inside(self.summary, self.region, root, &mut |n| {
            let mut verdict = verdict(self.summary, &mut self.analysis, self.region, self.site, n, &of_gang);
            // What iterations of the loop around it update together, by the user's word, none of them may read in another way.
            if verdict.conflicts.iter().all(|c| c.aliasing && c.updated) {
                verdict.conflicts.clear();
            }
            let found = self.provable(n, verdict, may_reduce);
            found.map(|found| proven.insert(n.index, (n.span, found))).is_some()
        });
        // All or none: where only some could be shared, lanes would wait for the one that runs the others.
        let assumed = rows
            .iter()
            .try_fold(Assumptions::default(), |all, index| all.with(proven[index].1.assumed.clone()));
        let Some(assumed) = assumed else { return vec![] };
        for index in &rows {
            if let Some((span, proof)) = proven.remove(index) {
                self.independent(*index, span, Proof { assumed: assumed.clone(), ..proof });
            }
        }
        rows
    }

    /// A short loop that lanes run and the one tightly around it, of which no directive speaks, become one, where iterations of that
    /// are independent, too: of a tile lanes share all elements, not those of a row alone. `rows`: loops that are to be shared. `open`:
    /// of these those of unknown length may be short.
    fn share_tiles(&mut self, node: &LoopNode<'_>, rows: &[usize], open: bool) {
        let is_proven = self.found[node.index].independent;
        if let Some(child) = loop_sinking::child_to_sink_into(self.summary, &[node], Cost::Memory)
            && self.region.kind == RegionKind::Parallel
            && self.cx.options.auto_parallel
            && node.l.directive.is_none()
            && (!is_proven || rows.contains(&node.index) || levels::is_short(self.summary, child.l))
            && self.found[child.index].collapse == 0
            && self.is_for_lanes(child)
            && (self.is_narrow(child) || open && rows.contains(&child.index) && self.is_open(child))
        {
            if !is_proven {
                self.prove_quietly(node, |_| true);
            }
            if self.found[node.index].independent {
                self.found[child.index].independent = true;
                return self.join(node);
            }
        }
        node.children.iter().for_each(|child| self.share_tiles(child, rows, open));
    }

    /// Lanes run the loop because it was found to be independent, or by the word of a directive that says nothing else.
    fn is_for_lanes(&self, node: &LoopNode<'_>) -> bool {
        node.l.directive.as_ref().map_or(self.found[node.index].independent, |d| {
            let plain =
                LoopDirective { span: d.span, vector: d.vector.clone(), collapse: 1, ..Default::default() };
            let plain = LoopDirective { independent: d.independent, ..plain };
            *d == plain && d.vector.as_ref().is_none_or(Option::is_none)
        })
    }

    /// Only the launch knows how long the loop is.
    fn is_open(&self, node: &LoopNode<'_>) -> bool {
        let polys = self.summary.polys();
        polys.poly(node.l.bound).plus(&polys.poly(node.l.lower), -1).as_constant().is_none()
    }

    /// The loop has few iterations, at most so many as a tile's rows have.
    fn is_narrow(&self, node: &LoopNode<'_>) -> bool {
        let polys = self.summary.polys();
        let (first, end) = (polys.poly(node.l.lower), polys.poly(node.l.bound));
        let sides = polys.sides(&end, Extremum::Min).map(|(a, b)| vec![a, b]).unwrap_or_default();
        let lengths = sides.iter().chain([&end]).filter_map(|end| end.plus(&first, -1).as_constant());
        lengths.into_iter().any(|length| length < rows::LONG)
    }

    /// Independent loops become one, the outermost ones first: of a transform's loops now the outer one has few iterations, now the
    /// inner one.
    fn join(&mut self, node: &LoopNode<'_>) {
        let mut joined = vec![node];
        let mut assumed = self.found[node.index].assumed.clone();
        while self.found[joined[joined.len() - 1].index].independent
            && let Some(child) = loop_sinking::child_to_sink_into(self.summary, &joined, Cost::Memory)
            && self.found[child.index].independent
            && let Some(both) = assumed.clone().with(self.found[child.index].assumed.clone())
        {
            assumed = both;
            joined.push(child);
        }
        for (at, n) in joined.iter().enumerate().skip(1) {
            let sink = at + 1 < joined.len();
            self.found[n.index] = Finding { sink, joined: true, ..Finding::default() };
        }
        let found = &mut self.found[node.index];
        found.sink = joined.len() > 1;
        (found.assumed, found.collapse) = (assumed, joined.len() as u32);
        let last = joined[joined.len() - 1];
        last.children.iter().for_each(|child| self.join(child));
    }

    fn prove_inside(&mut self, node: &LoopNode<'_>, inside: &mut Vec<usize>) {
        let verdict = verdict(self.summary, &mut self.analysis, self.region, self.site, node, &self.own);
        if let Some(proven) = self.provable(node, verdict, |_| false) {
            self.independent(node.index, node.span, proven);
            inside.push(node.index);
        }
        node.children.iter().for_each(|child| self.prove_inside(child, inside));
    }

    /// Loops that are not in the canonical form and lie in no canonical loop.
    fn uncountable(&mut self, block: &Block) {
        for node in block {
            match &node.kind {
                Stmt::While { .. } => {
                    let message = "Loop is run sequentially: its iterations cannot be counted before it";
                    let id = remarks::SEQUENTIAL_LOOP;
                    let kind = RemarkKind::NotParallelized;
                    let help = "write for (i = first; i < last; i += step) with an integer i that the body does not \
                                change, and no break";
                    self.cx
                        .remark(Remark::new(id, kind, &self.site.name, node.span, message).with_help(help));
                }
                Stmt::For(_) => {}
                other => other.blocks().into_iter().for_each(|b| self.uncountable(b)),
            }
        }
    }

    fn question(&self, node: &LoopNode<'_>, around: Option<&LoopNode<'_>>) -> Question {
        let d = node.l.directive.as_ref();
        let seq = d.is_some_and(|d| d.seq);
        let promised = d.is_some_and(|d| d.independent);
        let auto = d.is_some_and(|d| d.auto);
        match self.region.kind {
            _ if seq => Question::None,
            RegionKind::Kernels if promised => Question::Reductions,
            RegionKind::Kernels if self.cx.options.auto_parallel => Question::Independence,
            RegionKind::Parallel if auto && !promised => Question::Independence,
            RegionKind::Parallel if d.is_some() => Question::Reductions,
            RegionKind::Parallel => match around {
                Some(_) if let Some(last) = self.searched(node) => Question::Search(last),
                Some(around)
                    if self.is_row(node)
                        || self.is_skipped(node, around)
                        || self.goes_through_rows(node, around) =>
                {
                    Question::Quietly
                }
                Some(around) if self.sums_over_rows(node, around) => Question::QuietlyInOrder(node.index),
                Some(around) => {
                    self.neighbours(node, around).map_or(Question::None, Question::QuietlyInOrder)
                }
                None => Question::None,
            },
            _ => Question::None,
        }
    }

    fn prove(&mut self, node: &LoopNode<'_>) {
        let for_gangs = |n: &LoopNode<'_>| n.l.directive.as_ref().is_some_and(|d| d.gang.is_some());
        let levels_are_free = node.l.directive.as_ref().is_none_or(|d| d.auto && d.gang.is_none());
        if levels_are_free && node.any_below(&for_gangs) {
            self.refuse(node, "Loop is run sequentially: a loop inside it is for gangs", None);
            return;
        }
        let verdict = verdict(self.summary, &mut self.analysis, self.region, self.site, node, &self.own);
        if self.summary.polys().poly(node.l.step).as_constant().is_none_or(|s| s == 0) {
            self.refuse(node, "Loop is not vectorizable: its step is not a constant", None);
            return;
        }
        if verdict.is_parallel() {
            self.found[node.index].independent = true;
            let message = "Loop is parallelizable";
            self.remark(remarks::PARALLELIZABLE, RemarkKind::Parallelized, node.span, message.into());
            self.reductions(node.index, node.span, verdict.reductions);
            self.searches(node.index, node.span, verdict.searches);
            return;
        }
        if let Some(assumed) = self.may_assume(&verdict) {
            self.remark_condition(node, &assumed, &verdict.conflicts);
            let Verdict { reductions, searches, .. } = verdict;
            self.independent(node.index, node.span, Proof { assumed, reductions, searches });
            return;
        }
        // Where arrays overlap would not matter if they alone were in the way.
        let real = verdict.conflicts.iter().any(|c| !c.aliasing) && self.may_have_fallback();
        for conflict in verdict.conflicts.iter().filter(|c| !(real && c.aliasing)) {
            self.refuse(node, &conflict.message, Some(conflict));
        }
        if verdict.gave_up {
            let message = "Loop has too many different subscripts to compare them all: what was not compared \
                           counts as dependent";
            let remark = Remark::new(
                remarks::ANALYSIS_LIMIT,
                RemarkKind::NotParallelized,
                &self.site.name,
                node.span,
                message,
            );
            self.cx.remark(remark.with_help("add independent to the loop if iterations share no element"));
        }
    }

    /// Loops without a directive, each tightly in the one before it, look for something, and each of their iterations computes a value by
    /// loops inside. This is the number of the last of them, if its neighbouring iterations use no distant elements.
    fn searched(&self, node: &LoopNode<'_>) -> Option<usize> {
        let plain = |n: &LoopNode<'_>| n.l.directive.is_none();
        let last = std::iter::successors(Some(node), |n| n.tight_child().filter(|n| plain(n))).last()?;
        let scope = self.summary.provenance.scope;
        let looks = || {
            let found = searches::recognise(&scope.module.types, scope.body, &last.l.body);
            found.iter().any(|search| search.variables().all(|v| self.own.contains(&v)))
        };
        let accesses = &self.summary.accesses.list;
        let near = || {
            let mut inside = accesses.iter().filter(|a| a.loops.contains(&last.index));
            inside.all(|a| levels::score(self.summary, a.place, last) >= 0)
        };
        let several = self.cx.options.auto_parallel && plain(node) && node.index != last.index;
        let computes = several && !last.children.is_empty() && !last.any_below(&|n| !plain(n));
        (computes && looks() && near()).then_some(last.index)
    }

    /// An innermost loop whose length differs from iteration to iteration of the loops around it: as `nvc` does, lanes may run it
    /// though no directive says so.
    fn is_row(&self, node: &LoopNode<'_>) -> bool {
        self.cx.options.auto_parallel
            && node.children.is_empty()
            && levels::is_irregular(self.summary, node.l)
    }

    /// A loop without a directive between loops that have one. Where it is parallel too, it is spread as they are.
    fn is_skipped(&self, node: &LoopNode<'_>, around: &LoopNode<'_>) -> bool {
        let tight =
            around.collapse() == 1 && around.tight_child().is_some_and(|child| child.index == node.index);
        let directed =
            |n: &LoopNode<'_>| n.has_own_directive() && n.l.directive.as_ref().is_some_and(|d| !d.seq);
        self.cx.options.auto_parallel
            && tight
            && !node.children.is_empty()
            && node.children.iter().all(directed)
    }

    /// All that an iteration of the parallel loop around it does is to go through an array of pointers. One thread would wait for
    /// each pointer, and then for what it leads to; several wait at once.
    fn goes_through_rows(&self, node: &LoopNode<'_>, around: &LoopNode<'_>) -> bool {
        let tight = around.tight_child().is_some_and(|child| child.index == node.index);
        tight && self.loads_pointers(node, around)
    }

    /// The only loop inside a parallel one goes through an array of pointers. Where that one has few iterations, only many lanes for
    /// each keep the device busy.
    fn sums_over_rows(&self, node: &LoopNode<'_>, around: &LoopNode<'_>) -> bool {
        let only = matches!(&around.children[..], [child] if child.index == node.index);
        only && self.loads_pointers(node, around)
    }

    fn loads_pointers(&self, node: &LoopNode<'_>, around: &LoopNode<'_>) -> bool {
        self.cx.options.auto_parallel
            && around.collapse() == 1
            && node.children.is_empty()
            && !levels::is_short(self.summary, node.l)
            && levels::loads_pointers(self.summary, node)
    }

    /// A loop without a directive in a parallel loop whose body is loops alone. Where neighbouring iterations use neighbouring
    /// elements, but those of the loop around it do not, lanes run it, as `nvc` does with such loops. That loop may lie tightly
    /// inside this one: here is its number.
    fn neighbours(&self, node: &LoopNode<'_>, around: &LoopNode<'_>) -> Option<usize> {
        let last = self.innermost_joined(around)?;
        let is_inner = || self.inner(last).is_some_and(|inner| inner.index == node.index);
        if !self.cx.options.auto_parallel || !leads_to(last, node.index) && !is_inner() {
            return None;
        }
        let chain = std::iter::successors(Some(node), |n| self.inner(n))
            .take_while(|n| n.l.directive.is_none())
            .filter(|n| !levels::is_short(self.summary, n.l));
        let known = chain.clone().find(|n| levels::has_neighbours_inside(self.summary, n, last));
        let innermost = || chain.filter(|n| levels::has_strides_of_launch(self.summary, n, last)).last();
        known.or_else(innermost).map(|n| n.index)
    }

    /// What a loop and the construct reduce: in which order they do it the program leaves open.
    fn reduced_around(&self, around: Option<&LoopNode<'_>>) -> Vec<(Handle<Local>, ReductionOp)> {
        let of_loop = around.and_then(|n| n.l.directive.as_ref()).map_or(&[][..], |d| &d.reductions);
        of_loop.iter().chain(&self.region.clauses.reductions).map(|r| (r.local, r.op)).collect()
    }

    /// Says nothing where the loop stays sequential: nobody asked. `may_reduce`: what it may, in another order than the program's.
    fn prove_quietly(&mut self, node: &LoopNode<'_>, may_reduce: impl Fn(&Reduction) -> bool) {
        let verdict = verdict(self.summary, &mut self.analysis, self.region, self.site, node, &self.own);
        if let Some(proven) = self.provable(node, verdict, may_reduce) {
            self.independent(node.index, node.span, proven);
        }
    }

    /// On which condition the loop's iterations are independent, what they reduce, and what they look for.
    fn provable(
        &self,
        node: &LoopNode<'_>,
        verdict: Verdict,
        may_reduce: impl Fn(&Reduction) -> bool,
    ) -> Option<Proof> {
        let assumed = self.may_assume(&verdict);
        let one_by_one = self.summary.polys().poly(node.l.step).as_constant() == Some(1);
        let independent = verdict.is_parallel() || assumed.is_some();
        let good = independent && one_by_one && verdict.reductions.iter().all(may_reduce);
        let Verdict { reductions, searches, .. } = verdict;
        good.then(|| Proof { assumed: assumed.unwrap_or_default(), reductions, searches })
    }

    fn independent(&mut self, index: usize, span: Span, proof: Proof) {
        (self.found[index].independent, self.found[index].assumed) = (true, proof.assumed);
        self.reductions(index, span, proof.reductions);
        self.searches(index, span, proof.searches);
    }

    fn may_assume(&self, verdict: &Verdict) -> Option<Assumptions> {
        may_assume(verdict, &self.region.body, self.cx.options)
    }

    fn may_have_fallback(&self) -> bool {
        may_have_fallback(&self.region.body, self.cx.options)
    }

    fn remark_condition(&mut self, node: &LoopNode<'_>, assumed: &Assumptions, conflicts: &[Conflict]) {
        let tests = LaunchTest::shown(&assumed.strides);
        let message = match (assumed.distinct, tests.as_str()) {
            (true, "") => {
                "Loop is parallelizable where arrays do not overlap, which each launch tests".to_owned()
            }
            (true, tests) => format!(
                "Loop is parallelizable where arrays do not overlap and {tests}, which each launch tests"
            ),
            (false, tests) => format!("Loop is parallelizable where {tests}, which each launch tests"),
        };
        let (id, kind) = (remarks::PARALLELIZABLE, RemarkKind::Parallelized);
        let references = conflicts.iter().take(1).flat_map(|c| &c.references);
        let remark = Remark::new(id, kind, &self.site.name, node.span, message);
        let remark = references.fold(remark, |r, (span, label)| r.with_related(*span, label.clone()));
        self.cx.remark(remark.with_help(match assumed.strides.is_empty() {
            true => {
                "where they overlap, or may, a sequential version runs; restrict on the pointers, or independent on the loop, \
                 says that they never do"
            }
            false => "else a sequential version runs; independent on the loop says that iterations share no element",
        }));
    }

    fn reductions(&mut self, index: usize, span: Span, reductions: Vec<Reduction>) {
        let clauses = &self.region.clauses;
        for r in reductions {
            if clauses.firstprivate.contains(&r.local) || clauses.private.contains(&r.local) {
                continue;
            }
            // A variable of the compiler's stands for an element, for which a message has named it already.
            if let Some(name) = self.summary.provenance.scope.local(r.local) {
                let line = format!("Generating implicit reduction({}:{name})", operator(r.op));
                self.remark(remarks::GENERATING_REDUCTION, RemarkKind::Reduction, span, line);
            }
            self.found[index].reductions.push(r);
        }
    }

    fn searches(&mut self, index: usize, span: Span, searches: Vec<Search>) {
        let scope = self.summary.provenance.scope;
        for search in &searches {
            let names: Vec<String> = search.variables().filter_map(|v| scope.local(v)).collect();
            let Some((best, places)) = names.split_first() else { continue };
            let line = format!(
                "Generating implicit reduction({}:{best}) with its place: {}",
                operator(search.op),
                places.join(", ")
            );
            self.remark(remarks::GENERATING_REDUCTION, RemarkKind::Reduction, span, line);
        }
        self.found[index].searches = searches;
    }

    fn refuse(&mut self, node: &LoopNode<'_>, message: &str, conflict: Option<&Conflict>) {
        let id = remarks::NOT_PARALLELIZED;
        let kind = RemarkKind::NotParallelized;
        let mut remark = Remark::new(id, kind, &self.site.name, node.span, message);
        if let Some(c) = conflict {
            for (span, label) in &c.references {
                remark = remark.with_related(*span, label.clone());
            }
            remark = remark.with_help(help(c));
        }
        self.cx.remark(remark);
    }

    fn remark(&mut self, id: &'static str, kind: RemarkKind, span: Span, message: String) {
        self.cx.remark(Remark::new(id, kind, &self.site.name, span, message));
    }
}

/// Whether the loop's iterations may run in any order. `of_gang`: variables of the gang whose threads share the loop; of what it sets, these
/// get the last values.
pub(crate) fn verdict(
    summary: &Summary<'_>,
    analysis: &mut Analysis<'_, '_>,
    region: &Region,
    site: &Site,
    node: &LoopNode<'_>,
    of_gang: &BTreeSet<Handle<Local>>,
) -> Verdict {
    let mut verdict = analysis.of_loop_in_gang(node.index, node.l, of_gang);
    // A private scalar's last value is lost, so nothing may read it after the loop.
    let scope = summary.provenance.scope;
    let mut own = accl_ir::visit::declared_locals(&node.l.body);
    own.insert(node.l.var);
    own.extend(verdict.reductions.iter().map(|r| r.local));
    own.extend(of_gang);
    if let Some(d) = &node.l.directive {
        own.extend(d.private.iter().copied().chain(d.reductions.iter().map(|r| r.local)));
    }
    let mut after = None;
    for local in scalars::written_locals(scope.body, &node.l.body).into_keys() {
        if own.contains(&local)
            || !scope.module.types.is_scalar(scope.body.locals[local].ty)
            || summary.is_only_read(local)
        {
            continue;
        }
        let after = after.get_or_insert_with(|| scalars::flows_after(scope.body, &region.body, node.l));
        let outside = !summary.provenance.is_inner(local);
        if after.of(local).exposed.is_some() || outside && site.is_read_after(local) {
            let name = scope.local(local).unwrap_or_default();
            let message = format!("Scalar last value needed after loop for {name}");
            verdict.parallel_if = None;
            verdict.conflicts.push(Conflict {
                message,
                references: vec![(node.span, format!("{name} is written here"))],
                name,
                aliasing: false,
                updated: false,
            });
        }
    }
    verdict
}

/// What the loop is parallel on, where launches can test that.
pub(crate) fn may_assume(verdict: &Verdict, body: &Block, options: &Options<'_>) -> Option<Assumptions> {
    let assumed = verdict.parallel_if.as_ref()?;
    let can_tell = options.auto_data || assumed.rows == Rows::None;
    (can_tell && may_have_fallback(body, options)).then(|| assumed.clone())
}

/// A launch may take a version of the kernel that runs one iteration after the other. Windows have none.
fn may_have_fallback(body: &Block, options: &Options<'_>) -> bool {
    options.noalias && !has_fcw(body)
}

enum Question {
    None,
    Reductions,
    Independence,
    Quietly,
    /// What it adds up, it adds up in the program's order, unless the loop around it reduces it, too. The same for the loops
    /// tightly inside down to the one of this number, which comes first: the others follow it.
    QuietlyInOrder(usize),
    /// It looks for something, down to the loop of this number.
    Search(usize),
}

/// The loop is in the other one, with nothing but loops around it there.
fn leads_to(outer: &LoopNode<'_>, index: usize) -> bool {
    let plain = |n: &LoopNode<'_>| n.l.directive.is_none();
    outer.l.body.iter().all(|inner| matches!(inner.kind, Stmt::For(_)))
        && outer.children.iter().any(|c| c.index == index || plain(c) && leads_to(c, index))
}

fn help(c: &Conflict) -> String {
    if c.aliasing {
        "declare the pointers restrict, or add independent to the loop, if iterations share no element".into()
    } else if c.message.contains("scalar") || c.message.contains("Scalar") {
        format!("if each iteration needs its own {}, declare it in the loop or list it in private()", c.name)
    } else {
        "add independent to the loop if iterations share no element".into()
    }
}

fn apply(region: &mut Region, found: Vec<Finding>) {
    let mut found = found.into_iter();
    let parallel = region.kind == RegionKind::Parallel;
    visit::for_each_stmt_mut(&mut region.body, &mut |node| {
        let Stmt::For(l) = &mut node.kind else { return };
        let Some(finding) = found.next() else { return };
        if finding.sink {
            loop_sinking::sink(&mut l.body);
        }
        if finding.joined {
            l.directive = None;
        }
        if !finding.independent && finding.reductions.is_empty() && finding.searches.is_empty() {
            return;
        }
        let span = node.span;
        let d = l.directive.get_or_insert_with(|| LoopDirective {
            span,
            found: true,
            // Its levels follow from what was found alone.
            auto: parallel,
            collapse: 1,
            ..LoopDirective::default()
        });
        d.independent |= finding.independent;
        d.assumes_distinct = finding.assumed.distinct;
        d.assumes_rows = finding.assumed.rows;
        d.assumes_strides = finding.assumed.strides;
        d.reductions.extend(finding.reductions);
        d.reductions.retain(|r| finding.searches.iter().all(|search| search.best != r.local));
        if !finding.searches.is_empty() {
            d.searches = finding.searches;
        }
        d.collapse = d.collapse.max(finding.collapse);
    });
}
