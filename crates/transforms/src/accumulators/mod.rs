//! Pass 2: array elements that a loop accumulates into.
//!
//! ```text
//! #pragma acc loop
//! for (j = 0; j < n; j++) y[i] = B[i][j] * x[j] + y[i];
//! ```
//!
//! By the standard the directive calls the iterations independent, and they are not. A scalar in the place of
//! `y[i]` would get a reduction from the compiler, so the element gets one too: while the loop runs, it is kept in
//! a scalar, which [`parallelism`](crate::parallelism) then reduces. Where a dependence certainly exists and is no
//! reduction, the loop runs sequentially. In both cases a warning names the references. With `independent` the user
//! insists: the loop stays parallel, with a warning. Where iterations use and set such an element under conditions, so that it may be that
//! few do, the loop is tried in parallel ([`attempt`]). In a kernels construct, where nothing was promised, a loop
//! becomes parallel if such elements are the only obstacle and a loop around it is parallel.

mod attempt;
mod elements;
mod rewrite;

use crate::context::Context;
use crate::levels;
use crate::levels::tree::{self, LoopNode};
use crate::map::remarks::operator;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::data::Summary;
use accl_analysis::dependence::{Analysis, Carried, CarriedElement};
use accl_analysis::provenance::Root;
use accl_analysis::scalars;
use accl_ir::{
    Body, Expr, Handle, HostExpr, Local, LoopDirective, Module, ReductionOp, Region, RegionKind, Stmt, visit,
};
use accl_source::codes::{remarks, transforms as codes};
use accl_source::{Diagnostic, Remark, RemarkKind, Span};
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass = Pass {
    name: "accumulators",
    promise: "Array elements that loops accumulate into are kept in scalars.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        if region.kind == RegionKind::Serial {
            return;
        }
        let (changes, in_one_gang) = decide(module, body, region, site, cx);
        if !changes.is_empty() {
            cx.analyses.forget(site.construct);
            if in_one_gang {
                region.clauses.num_gangs = Some(HostExpr::constant(1, region.directive_span));
            }
            let mut block = std::mem::take(&mut region.body);
            rewrite::Rewriter { types: &mut module.types, body, changes, next: 0 }.block(&mut block);
            region.body = block;
        }
    });
}

/// What is done to one loop.
pub struct Change {
    /// The position of the loop among those that its directive joins.
    pub joined: usize,
    /// No parallel loop encloses it, so without the gangs of this loop each gang would run all of it.
    pub outermost: bool,
    pub kind: ChangeKind,
}

pub enum ChangeKind {
    Sequential,
    Reduce(Vec<Sum>),
    /// The elements that iterations set, each by all that name it.
    Try(Vec<BTreeSet<Handle<Expr>>>),
}

/// An element that is reduced.
pub struct Sum {
    pub place: Handle<Expr>,
    pub places: BTreeSet<Handle<Expr>>,
    pub op: ReductionOp,
    /// The array's name, from which the scalar's is made.
    pub variable: String,
    /// The condition under which something was accumulated.
    pub guard: Guard,
}

pub enum Guard {
    /// The operator itself: storing a maximum that is no larger is left out.
    Compare,
    /// These loops must have iterations, by their headers: (lower, compare, bound).
    Trips(Vec<(Handle<Expr>, accl_ir::Compare, Handle<Expr>)>),
    /// A variable that the update sets.
    Flag,
}

fn decide(
    module: &mut Module,
    body: &mut Body,
    region: &Region,
    site: &Site,
    cx: &mut Context<'_>,
) -> (BTreeMap<usize, Change>, bool) {
    let roots = tree::of_block(&region.body);
    let mut asked = vec![];
    {
        let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
        let analysis = Analysis::new(&summary);
        let options = cx.options;
        let proven = BTreeMap::new();
        let mut asker = Asker { summary: &summary, analysis, region, options, proven, asked: &mut asked };
        for root in &roots {
            asker.examine(root, None, &BTreeSet::new());
        }
    }
    let (done, changes) = (BTreeSet::new(), BTreeMap::new());
    let mut decider = Decider { module, body, region, site, cx, done, changes, in_one_gang: false };
    for question in asked {
        decider.decide(question);
    }
    (decider.changes, decider.in_one_gang)
}

/// What analysis found in one loop.
struct Asked<'r> {
    /// The loop with the directive.
    index: usize,
    joined: usize,
    node: AccumulatorLoop<'r>,
    outermost: bool,
    mode: Mode,
    elements: Vec<(CarriedElement, Guard)>,
    carried: Vec<Carried>,
}

struct AccumulatorLoop<'r> {
    l: &'r accl_ir::Loop,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// A directive says so: `parallel` and its like.
    Implied,
    /// The user wrote `independent`.
    Insisted,
    /// Nobody has promised it; it has to be proven.
    Proven,
}

struct Asker<'a, 'r> {
    summary: &'a Summary<'a>,
    analysis: Analysis<'a, 'a>,
    region: &'a Region,
    options: &'a crate::Options<'a>,
    /// Which loops were proven to be parallel, of those that were asked about.
    proven: BTreeMap<usize, bool>,
    asked: &'a mut Vec<Asked<'r>>,
}

impl<'r> Asker<'_, 'r> {
    /// `around`: the innermost enclosing loop that may be parallel. `own`: what iterations of such loops declare.
    fn examine(&mut self, node: &LoopNode<'r>, around: Option<&LoopNode<'r>>, own: &BTreeSet<Handle<Local>>) {
        let mut joined = vec![node];
        while joined.len() < node.collapse() {
            match joined[joined.len() - 1].tight_child() {
                Some(child) => joined.push(child),
                None => break,
            }
        }
        let last = joined[joined.len() - 1];
        let mode = self.mode(node);
        if let Some(mode) = mode {
            for (k, member) in joined.iter().enumerate() {
                let before = if k > 0 { Some(node) } else { around };
                if self.ask(node, k, member, before, own, mode) {
                    break;
                }
            }
        }
        let around = if mode.is_some() { Some(node) } else { around };
        let mut inside = own.clone();
        if mode.is_some() {
            inside.extend(levels::of_gang(self.summary, self.region, last.l));
        }
        for child in &last.children {
            self.examine(child, around, &inside);
        }
    }

    fn mode(&self, node: &LoopNode<'_>) -> Option<Mode> {
        let d = node.l.directive.as_ref();
        let (seq, independent) = (d.is_some_and(|d| d.seq), d.is_some_and(|d| d.independent));
        match self.region.kind {
            _ if seq => None,
            _ if independent => Some(Mode::Insisted),
            RegionKind::Kernels => self.options.auto_parallel.then_some(Mode::Proven),
            RegionKind::Parallel if d.is_some_and(|d| d.auto) => Some(Mode::Proven),
            RegionKind::Parallel => d.map(|_| Mode::Implied),
            RegionKind::Serial
            | RegionKind::Data
            | RegionKind::HostData
            | RegionKind::Partitioned
            | RegionKind::OnHost => None,
        }
    }

    fn ask(
        &mut self,
        first: &LoopNode<'r>,
        joined: usize,
        node: &LoopNode<'r>,
        around: Option<&LoopNode<'r>>,
        of_gang: &BTreeSet<Handle<Local>>,
        mode: Mode,
    ) -> bool {
        // Windows copy whole parts of arrays.
        let mut windows = false;
        visit::for_each_stmt(&node.l.body, &mut |node| windows |= matches!(node.kind, Stmt::Window(_)));
        if windows {
            return false;
        }
        let clauses = &self.region.clauses;
        let own = |l: &Handle<Local>| clauses.private.contains(l) || clauses.firstprivate.contains(l);
        let listed = |root: &Root| {
            let Root::Local(l) = root else { return false };
            let listed =
                |d: &LoopDirective| d.private.contains(l) || d.reductions.iter().any(|r| r.local == *l);
            // Each gang has an instance of its own, and one gang may run all iterations of the outermost loop.
            first.l.directive.iter().any(listed) || around.is_none() && own(l)
        };
        let mut elements = self.analysis.elements(node.index, node.l, mode != Mode::Proven);
        let mut carried = match mode {
            Mode::Proven => vec![],
            Mode::Implied | Mode::Insisted => {
                let mut carried = self.analysis.carried(node.index, node.l, &elements);
                // Where the user assigns iterations to gangs, the user is responsible for what each gang does with
                // its own copy.
                let gangs = |d: &LoopDirective| d.gang.is_some() && d.worker.is_none() && d.vector.is_none();
                if around.is_some() || !first.l.directive.iter().any(gangs) {
                    carried.extend(self.analysis.carried_scalars(node.l, of_gang));
                }
                carried
            }
        };
        elements.retain(|e| !listed(&e.root));
        carried.retain(|c| !listed(&c.root) && elements::differs(self.summary, node.l, c));
        if elements.is_empty() && carried.is_empty() {
            return false;
        }
        if mode == Mode::Proven {
            let Some(around) = around else { return false };
            let analysis = &mut self.analysis;
            let of_loop = || analysis.of_loop(around.index, around.l).is_parallel();
            let parallel = *self.proven.entry(around.index).or_insert_with(of_loop);
            if !parallel || !self.analysis.is_parallel_without(node.index, node.l, &elements) {
                return false;
            }
        }
        let guarded = elements.into_iter().map(|e| {
            let guard = elements::guard(self.summary, node, &e);
            (e, guard)
        });
        let elements = guarded.collect();
        let outermost = around.is_none();
        let node = AccumulatorLoop { l: node.l, span: node.span };
        self.asked.push(Asked { index: first.index, joined, node, outermost, mode, elements, carried });
        true
    }
}

struct Decider<'a, 'c> {
    module: &'a mut Module,
    body: &'a mut Body,
    region: &'a Region,
    site: &'a Site,
    /// A loop sets a variable of the gang that runs it.
    in_one_gang: bool,
    cx: &'a mut Context<'c>,
    /// Elements that an outer loop already keeps in a scalar.
    done: BTreeSet<Handle<Expr>>,
    changes: BTreeMap<usize, Change>,
}

impl Decider<'_, '_> {
    fn decide(&mut self, asked: Asked<'_>) {
        let mut sums = vec![];
        let mut refused: Option<(String, Vec<(Span, String)>)> = None;
        let (mut warnings, mut tried) = (vec![], Some(vec![]));
        for (element, guard) in asked.elements {
            if element.places.iter().any(|p| self.done.contains(p)) {
                continue;
            }
            if asked.mode == Mode::Insisted
                && elements::of_one_iteration(self.body, asked.node.l, &element.places)
            {
                continue;
            }
            let op = elements::operator(self.module, self.body, asked.node.l, &element);
            match op {
                Some(op) => {
                    warnings.push((element.name.clone(), element.references.clone(), op));
                    let guard = match op {
                        ReductionOp::Max | ReductionOp::Min => Guard::Compare,
                        _ => guard,
                    };
                    let word = element.name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
                    let variable = word.filter(|w| !w.is_empty()).unwrap_or("element").to_owned();
                    sums.push(Sum { place: element.place, places: element.places, op, variable, guard });
                }
                None if elements::races(self.body, asked.node.l, &element.places)
                    && (element.always
                        || asked.mode == Mode::Implied
                            && elements::is_read(self.body, asked.node.l, &element.places)) =>
                {
                    tried = tried.filter(|_| !element.always);
                    tried.iter_mut().for_each(|tried| tried.push(element.places.clone()));
                    refused = refused.or(Some((element.name, element.references)));
                }
                None => {}
            }
        }
        if let Some(c) = asked.carried.into_iter().next() {
            refused = refused.or(Some((c.name, c.references)));
            tried = None;
        }
        let inside = !asked.outermost && asked.joined == 0 && sums.is_empty();
        let tried =
            tried.filter(|tried| inside && attempt::suits(self.module, self.body, asked.node.l, tried));
        let span = asked.node.span;
        match (asked.mode, refused) {
            (Mode::Insisted, refused) => {
                let all = warnings.into_iter().map(|(name, references, _)| (name, references)).chain(refused);
                all.for_each(|(name, references)| self.warn(span, &name, references, Outcome::Kept));
                return;
            }
            (Mode::Implied, Some((name, references))) => {
                if let Some(tried) = tried {
                    self.warn(span, &name, references, Outcome::Tried);
                    self.change(asked.index, 0, false, ChangeKind::Try(tried));
                    return;
                }
                self.warn(span, &name, references, Outcome::Sequential);
                // What the loop leaves in a variable of the gang is the gang's that runs it.
                let sets_own = asked.outermost && self.sets_own(asked.node.l);
                self.in_one_gang |= sets_own;
                let outermost = asked.outermost && !sets_own;
                self.change(asked.index, asked.joined, outermost, ChangeKind::Sequential);
                return;
            }
            (Mode::Proven, Some(_)) => return,
            (_, None) => {}
        }
        if sums.is_empty() || asked.mode == Mode::Proven && asked.outermost {
            return;
        }
        for (name, references, op) in warnings {
            let line = format!("Generating reduction({}:{name})", operator(op));
            let id = remarks::GENERATING_REDUCTION;
            self.cx.remark(Remark::new(id, RemarkKind::Reduction, &self.site.name, span, line));
            if asked.mode == Mode::Implied {
                self.warn(span, &name, references, Outcome::Reduced(op));
            }
        }
        self.done.extend(sums.iter().flat_map(|s| s.places.iter().copied()));
        self.change(asked.index, asked.joined, asked.outermost, ChangeKind::Reduce(sums));
    }

    /// The loop sets a variable of which each gang has an instance, where there may be one gang alone.
    fn sets_own(&self, l: &accl_ir::Loop) -> bool {
        let clauses = &self.region.clauses;
        let may_have_one = clauses.num_gangs.is_none() || clauses.ask_for_one_gang();
        if self.region.kind != RegionKind::Parallel || !may_have_one {
            return false;
        }
        let own = visit::declared_locals(&self.region.body);
        let private = l.directive.as_ref().map_or(&[][..], |d| &d.private);
        let inside = visit::declared_locals(&l.body);
        let mut written = scalars::written_locals(self.body, &l.body).into_keys();
        written.any(|w| own.contains(&w) && !private.contains(&w) && !inside.contains(&w))
    }

    fn change(&mut self, index: usize, joined: usize, outermost: bool, kind: ChangeKind) {
        self.changes.insert(index, Change { joined, outermost, kind });
    }

    fn warn(&mut self, span: Span, name: &str, references: Vec<(Span, String)>, outcome: Outcome) {
        let problem = format!("Loop carried dependence of {name}");
        let (so, help) = match outcome {
            Outcome::Reduced(op) => (
                "prevents parallelization: it is run as a reduction",
                format!(
                    "accumulate into a scalar declared before the loop, add reduction({}:…) of it to the loop, and \
                     store it behind the loop",
                    operator(op)
                ),
            ),
            Outcome::Sequential => (
                "prevents parallelization: the loop is run sequentially",
                "say seq, or give each iteration an element of its own".to_owned(),
            ),
            Outcome::Tried => (
                "prevents parallelization where an iteration uses what one before it sets: then the loop is run again, \
                 sequentially",
                "use a variable of the iteration around this loop in the place of the element, and store it behind the loop"
                    .to_owned(),
            ),
            Outcome::Kept => (
                "in a loop that the clause independent keeps parallel: its iterations race",
                "take independent away, or use a scalar with a reduction clause".to_owned(),
            ),
        };
        let mut warning =
            Diagnostic::warning(codes::CARRIED, format!("{problem} {so}")).label(span, "this loop");
        for (at, label) in references {
            warning = warning.label(at, label.trim_end_matches(" perhaps"));
        }
        self.cx.diagnostics.push(
            warning
                .with_note("a loop directive in a parallel construct calls the iterations independent (OpenACC 3.3 §2.9.6)")
                .with_help(help),
        );
    }
}

enum Outcome {
    Reduced(ReductionOp),
    Sequential,
    Tried,
    Kept,
}

/// The locals that `e` names.
fn locals_in(body: &Body, e: Handle<Expr>) -> BTreeSet<Handle<Local>> {
    let mut found = BTreeSet::new();
    accl_ir::visit::for_each_operand(&body.exprs, e, &mut |e| {
        if let accl_ir::ExprKind::Local(l) = body.exprs[e].kind {
            found.insert(l);
        }
    });
    found
}
