//! Before the analyses: a loop of a kernels construct that looks for the smallest or largest value and its place, in the program's own
//! variables.
//!
//! ```text
//! for (i = 0; i < n; i++)                      float best_found = best; int at_found = at;
//!     if (a[i] < best) {                       for (i = 0; i < n; i++)
//!         best = a[i];               →             if (a[i] < best_found) { best_found = a[i]; at_found = i; }
//!         at = i;                              best = best_found; at = at_found;
//!     }
//! ```
//!
//! Gangs cannot agree on a place, since none of them waits for another. One gang can, whose lanes share the loop, if the variables are its
//! own. Loops inside a parallel one look for something in variables of its iterations; these are left as they are.

use crate::build::{Builder, declare, store};
use crate::context::Context;
use crate::levels::is_short;
use crate::levels::tree::{self, LoopNode};
use crate::map::worker_arrays;
use crate::parallelism;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::data::Summary;
use accl_analysis::dependence::{Analysis, Verdict};
use accl_analysis::searches;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{
    Block, Body, Handle, Local, LocalKind, LoopDirective, Module, Region, RegionKind, Search, Stmt, StmtNode,
    Types, visit,
};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind, Span};
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass = Pass {
    name: "lone_searches",
    promise: "One gang looks for values and their places in variables of its own, where no parallel loop surrounds the search.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    if !cx.options.auto_parallel {
        return;
    }
    regions::each_compute(module, Asks::Reads(cx.options.files), &mut |module, body, region, site| {
        if region.kind != RegionKind::Kernels {
            return;
        }
        let found = searches_of(module, body, region, site, cx);
        if found.is_empty() {
            return;
        }
        for (span, _) in found.values() {
            let message = "The lanes of one gang look for a value and its place";
            let id = remarks::TRANSFORMED;
            cx.remark(Remark::new(id, RemarkKind::Note, &site.name, *span, message));
        }
        rewrite(&mut module.types, body, &mut region.body, &found, &mut 0);
        cx.analyses.forget(site.construct);
    });
}

/// Loops that do nothing but to look for something, by number.
type Found = BTreeMap<usize, (Span, LoopDirective)>;

fn searches_of(module: &Module, body: &Body, region: &Region, site: &Site, cx: &mut Context<'_>) -> Found {
    let mut looks = false;
    visit::for_each_loop(&region.body, &mut |l, _| {
        looks |= !searches::recognise(&module.types, body, &l.body).is_empty();
    });
    if !looks {
        return Found::new();
    }
    let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
    let analysis = Analysis::new(&summary);
    let addressed = worker_arrays::addressed(body, &region.body);
    let mut finder = Finder { summary: &summary, analysis, region, site, addressed, found: Found::new() };
    tree::of_block(&region.body).iter().for_each(|root| finder.look(root, &mut vec![]));
    finder.found
}

struct Finder<'a> {
    summary: &'a Summary<'a>,
    analysis: Analysis<'a, 'a>,
    region: &'a Region,
    site: &'a Site,
    addressed: BTreeSet<Handle<Local>>,
    found: Found,
}

impl Finder<'_> {
    fn look<'t, 'l>(&mut self, node: &'t LoopNode<'l>, around: &mut Vec<&'t LoopNode<'l>>) {
        if let Some(searches) = self.searches(node)
            && !around.iter().any(|outer| self.has_for_itself(outer, &searches))
        {
            let directive = LoopDirective {
                span: node.span,
                found: true,
                independent: true,
                collapse: self.joined(node),
                searches,
                ..LoopDirective::default()
            };
            self.found.insert(node.index, (node.span, directive));
            return;
        }
        around.push(node);
        node.children.iter().for_each(|child| self.look(child, around));
        around.pop();
    }

    /// What the loop looks for, if nothing else keeps its iterations from running in any order.
    fn searches(&mut self, node: &LoopNode<'_>) -> Option<Vec<Search>> {
        let scope = self.summary.provenance.scope;
        let plain = node.l.directive.is_none() && !node.any_below(&|n| n.l.directive.is_some());
        if !plain || is_short(self.summary, node.l) {
            return None;
        }
        let all = searches::recognise(&scope.module.types, scope.body, &node.l.body);
        let own: BTreeSet<_> = all.iter().flat_map(Search::variables).collect();
        if all.is_empty() || !own.is_disjoint(&self.addressed) {
            return None;
        }
        let verdict = self.verdict(node, &own);
        let one_by_one = self.summary.polys().poly(node.l.step).as_constant() == Some(1);
        (verdict.is_parallel() && one_by_one && verdict.reductions.is_empty()).then_some(verdict.searches)
    }

    /// Iterations of the loop around run in any order, and each has its own variables for this.
    fn has_for_itself(&mut self, outer: &LoopNode<'_>, searches: &[Search]) -> bool {
        let own = visit::declared_locals(&outer.l.body);
        if !searches.iter().flat_map(Search::variables).all(|v| own.contains(&v)) {
            return false;
        }
        let verdict = self.verdict(outer, &BTreeSet::new());
        verdict.is_parallel() || verdict.parallel_if.is_some()
    }

    fn verdict(&mut self, node: &LoopNode<'_>, own: &BTreeSet<Handle<Local>>) -> Verdict {
        parallelism::verdict(self.summary, &mut self.analysis, self.region, self.site, node, own)
    }

    /// How many loops, each tightly in the one before it, have bounds that are known before the first of them runs.
    fn joined(&self, node: &LoopNode<'_>) -> u32 {
        let polys = self.summary.polys();
        let fixed = |e| polys.poly(e).atoms().all(|atom| self.summary.is_fixed(atom));
        let one_by_one = |n: &&LoopNode<'_>| polys.poly(n.l.step).as_constant() == Some(1);
        let known = |n: &&LoopNode<'_>| fixed(n.l.lower) && fixed(n.l.bound);
        std::iter::successors(Some(node), |n| n.tight_child().filter(known).filter(one_by_one)).count() as u32
    }
}

fn rewrite(types: &mut Types, body: &mut Body, block: &mut Block, found: &Found, next: &mut usize) {
    for node in block {
        let Stmt::For(l) = &mut node.kind else {
            node.kind.blocks_mut().into_iter().for_each(|inner| rewrite(types, body, inner, found, next));
            continue;
        };
        let index = *next;
        *next += 1;
        rewrite(types, body, &mut l.body, found, next);
        if let Some((span, directive)) = found.get(&index) {
            l.directive = Some(directive.clone());
            let own = StmtNode { kind: std::mem::replace(&mut node.kind, Stmt::Host), span: *span };
            node.kind = Stmt::Block(with_own(types, body, own, directive));
        }
    }
}

/// The loop, between the beginning and the end of the gang's own variables.
fn with_own(types: &mut Types, body: &mut Body, search: StmtNode, directive: &LoopDirective) -> Block {
    let mut all = vec![search];
    let (mut before, mut after) = (vec![], vec![]);
    for variable in directive.searches.iter().flat_map(Search::variables) {
        let (name, ty) = (format!("{}_found", body.locals[variable].name), body.locals[variable].ty);
        let mut b = Builder { types, body };
        let own = b.local(&name, ty, LocalKind::Temp);
        before.push(declare(own, Some(b.load(variable))));
        after.push(store(b.place(variable), b.load(own)));
        substitute(body, &mut all, variable, Subst::Local(own));
    }
    before.append(&mut all);
    before.append(&mut after);
    before
}
