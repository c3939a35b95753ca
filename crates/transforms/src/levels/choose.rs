//! Levels for the loops of one construct.

use super::LevelPlan;
use super::own_arrays;
use super::products;
use super::rows;
use super::stride;
use super::tree::LoopNode;
use crate::context::Context;
use crate::map::window::has_fcw;
use crate::outline::kernel_fission;
use accl_analysis::affine::Atom;
use accl_ir::{
    Block, DefaultData, HostExpr, Loop, LoopDirective, LoopLevels, Region, RegionKind, Stmt, visit,
};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Remark, RemarkKind};

pub fn parallel_construct(plan: &mut LevelPlan<'_>, roots: &[LoopNode<'_>], cx: &mut Context<'_>) {
    if let [root] = roots
        && visit::only_loop(&plan.region.body).is_some()
        && plan.is_parallel(root)
        && !is_of_each_team(plan.region, root.l)
    {
        return nest(plan, root, cx);
    }
    for root in roots {
        in_kernel(plan, root, Levels::default(), None, cx);
    }
}

pub fn kernels_construct(plan: &mut LevelPlan<'_>, roots: &[LoopNode<'_>], cx: &mut Context<'_>) {
    let one = kernel_fission::is_one_kernel(plan.summary, &plan.region.body);
    let shared = kernel_fission::loops_of_gangs(plan.summary, &plan.region.body);
    for root in roots {
        match !one && shared.iter().any(|l| std::ptr::eq(*l, root.l)) {
            true => nest(plan, root, cx),
            // All gangs would have to wait for each other between its iterations, so one gang runs it.
            false => in_kernel(plan, root, Levels { gang: true, ..Levels::default() }, None, cx),
        }
    }
}

/// OpenMP: each of the teams asked for runs the loop, and its result tells how many these are.
fn is_of_each_team(region: &Region, l: &Loop) -> bool {
    let of_teams = region.clauses.default == Some(DefaultData::IfMapped)
        && region.clauses.num_gangs.as_ref().is_some_and(|count| count.value != Some(1));
    let mut adds_up = l.directive.as_ref().is_some_and(|d| !d.reductions.is_empty());
    visit::for_each_stmt(&l.body, &mut |node| adds_up |= matches!(node.kind, Stmt::Atomic(_)));
    of_teams && Levels::explicit(l.directive.as_ref()).only_inside_gang() && adds_up
}

/// A parallel loop that makes up the whole kernel.
fn nest(plan: &mut LevelPlan<'_>, root: &LoopNode<'_>, cx: &mut Context<'_>) {
    let joined = joined_loops(root, cx);
    let explicit = over_gangs(plan, root, cx);
    let windows = has_fcw(&root.l.body);
    if !all_fixed(plan, &joined) {
        in_kernel(plan, root, Levels::default(), None, cx);
        plan.levels[root.index].gang |= explicit.gang;
        return;
    }
    if let Some(all) = products::around_sum(plan, root).filter(|_| !windows) {
        distribute(plan, &all, true);
        let id = accl_source::codes::remarks::TRANSFORMED;
        let message = "Threads have an element each, and add up by themselves: so their neighbours read neighbouring elements";
        cx.remark(Remark::new(
            id,
            RemarkKind::Transform,
            &plan.site.name,
            all[all.len() - 1].children[0].span,
            message,
        ));
        return;
    }
    let all = tight_parallel_nest(plan, &joined, explicit);
    let last = all[all.len() - 1];
    if explicit.vector || windows || !wants_lanes_inside(plan, &all) {
        let written = Levels::explicit(root.l.directive.as_ref());
        if written.only_inside_gang() {
            check_inside(last, written, root, cx);
        }
        distribute(plan, &all, true);
        last.children.iter().for_each(|c| sequential(plan, c, cx));
    } else {
        let around = if ends_in_skipped(plan, &all) { all } else { with_workers(plan, &joined, explicit) };
        gangs_around(plan, &around, explicit, cx);
    }
}

/// The levels that the clauses of a construct's only loop ask for. It is spread over gangs whatever they are, since one gang
/// would run it otherwise, on a small part of the device.
fn over_gangs(plan: &LevelPlan<'_>, root: &LoopNode<'_>, cx: &mut Context<'_>) -> Levels {
    let explicit = Levels::explicit(root.l.directive.as_ref());
    if !explicit.only_inside_gang() {
        return explicit;
    }
    let id = accl_source::codes::remarks::TRANSFORMED;
    let message = "The outermost loop is spread over gangs, too: no clause does it";
    cx.remark(Remark::new(id, RemarkKind::Note, &plan.site.name, root.span, message));
    Levels { gang: true, ..explicit }
}

/// The clauses of the loops inside must fit those of the loop around them as they were written.
fn check_inside(node: &LoopNode<'_>, used: Levels, around: &LoopNode<'_>, cx: &mut Context<'_>) {
    for child in &node.children {
        check_order(child, used, Levels::explicit(child.l.directive.as_ref()), Some(around), cx);
        check_inside(child, used, around, cx);
    }
}

/// Whether the lanes of a gang should run loops inside the nest: because a clause says so, or because a single
/// outer loop would leave each of them to one thread.
fn wants_lanes_inside(plan: &LevelPlan<'_>, all: &[&LoopNode<'_>]) -> bool {
    let last = all[all.len() - 1];
    let explicit =
        |n: &LoopNode<'_>| !Levels::explicit(n.l.directive.as_ref()).is_none() && plan.is_parallel(n);
    if last.any_below(&explicit) {
        return true;
    }
    let by_user = |n: &LoopNode<'_>| plan.is_parallel(n) && n.has_own_directive();
    let contiguous = |n: &LoopNode<'_>| {
        let (inside, around) =
            (stride::contiguous_accesses(plan.summary, n), stride::contiguous_accesses(plan.summary, last));
        // Threads of a triangle would have rows of different lengths.
        plan.is_parallel(n)
            && (inside > around || inside == around && inside > 0 && is_triangle(plan, n, last))
    };
    let searches = |n: &LoopNode<'_>| {
        let joined = |d: &LoopDirective| d.collapse > 1 && !d.searches.is_empty();
        plan.is_parallel(n) && n.l.directive.as_ref().is_some_and(joined)
    };
    let worth = |n: &LoopNode<'_>| !plan.is_short(n.l) && (by_user(n) || contiguous(n)) || searches(n);
    // The innermost of several may be one that no directive names, around loops that the user calls parallel.
    let maps = |n: &LoopNode<'_>| {
        by_user(n)
            && !plan.is_short(n.l)
            && n.l.directive.as_ref().is_some_and(|d| d.reductions.is_empty() && d.searches.is_empty())
    };
    all.len() == 1 && (last.any_below(&worth) || has_rows(plan, last))
        || own_arrays::suit_gangs(plan.summary, plan.region, all, &|n| plan.is_parallel(n))
        || ends_in_skipped(plan, all) && last.any_below(&maps)
}

/// The innermost loop of the nest is one that no directive names.
fn ends_in_skipped(plan: &LevelPlan<'_>, all: &[&LoopNode<'_>]) -> bool {
    plan.region.kind == RegionKind::Parallel && all.len() > 1 && !all[all.len() - 1].has_own_directive()
}

/// The inner loop's length changes with the number of the outer one's iteration.
fn is_triangle(plan: &LevelPlan<'_>, inner: &LoopNode<'_>, outer: &LoopNode<'_>) -> bool {
    let polys = plan.summary.polys();
    let counter = Atom::Local(outer.l.var);
    polys.poly(inner.l.lower).mentions(counter) != polys.poly(inner.l.bound).mentions(counter)
}

/// The loops inside that lanes can run are irregular, or go through pointers that no directive speaks of, or are short, or all go through
/// rows: each launch then chooses how many lanes they have, one among them (`map::steps::lanes`).
fn has_rows(plan: &LevelPlan<'_>, node: &LoopNode<'_>) -> bool {
    let through_pointers =
        |n: &LoopNode<'_>| !n.has_own_directive() && stride::loads_pointers(plan.summary, n);
    let irregular = |n: &LoopNode<'_>| {
        plan.is_parallel(n) && (super::is_irregular(plan.summary, n.l) || through_pointers(n))
    };
    let other = |n: &LoopNode<'_>| plan.is_parallel(n) && !irregular(n) && !plan.is_short(n.l);
    let rows = || !rows::inside(plan.summary, plan.region, node, &mut |n| plan.is_parallel(n)).is_empty();
    !has_sizes(plan.region, node.l.directive.as_ref())
        && (node.any_below(&irregular) && !node.any_below(&other) || rows())
}

/// Loops below a distributed nest run in its threads.
fn sequential(plan: &mut LevelPlan<'_>, node: &LoopNode<'_>, cx: &mut Context<'_>) {
    if plan.is_parallel(node) && node.has_own_directive() {
        all_levels_used(plan, node, cx);
    }
    node.children.iter().for_each(|c| sequential(plan, c, cx));
}

/// The outer loops are distributed over gangs, the inner ones over lanes (and workers).
fn gangs_around(plan: &mut LevelPlan<'_>, joined: &[&LoopNode<'_>], explicit: Levels, cx: &mut Context<'_>) {
    distribute(plan, joined, false);
    for node in joined {
        plan.levels[node.index].worker = explicit.worker;
    }
    let used = Levels { gang: true, worker: explicit.worker, vector: false };
    for child in &joined[joined.len() - 1].children {
        in_kernel(plan, child, used, joined.last().copied(), cx);
    }
}

/// Loops joined by collapse or tile; a diagnostic where they are not tightly nested.
fn joined_loops<'t, 'a>(root: &'t LoopNode<'a>, cx: &mut Context<'_>) -> Vec<&'t LoopNode<'a>> {
    let mut joined = vec![root];
    while joined.len() < root.collapse() {
        match joined[joined.len() - 1].tight_child() {
            Some(child) => joined.push(child),
            None => {
                let wanted = root.collapse();
                cx.diagnostics.push(
                    Diagnostic::error(
                        codes::BAD_NEST,
                        format!("{wanted} tightly nested loops are needed here, {} found", joined.len()),
                    )
                    .at(root.span)
                    .with_help("move statements between the loops into the innermost one"),
                );
                break;
            }
        }
    }
    joined
}

/// The joined loops and those tightly nested in them that are for workers, around loops for lanes: there are gangs for all of their
/// iterations, where those of the outer loops alone may be few, unless clauses say how many there are.
fn with_workers<'t, 'a>(
    plan: &LevelPlan<'_>,
    joined: &[&'t LoopNode<'a>],
    explicit: Levels,
) -> Vec<&'t LoopNode<'a>> {
    let mut all = joined.to_vec();
    let workers = Levels { worker: true, ..Levels::default() };
    let for_lanes = |n: &LoopNode<'_>| {
        let levels = Levels::explicit(n.l.directive.as_ref());
        plan.is_parallel(n) && !plan.is_short(n.l) && (levels.is_none() || levels.vector)
    };
    while let Some(child) = all[all.len() - 1].tight_child() {
        let directive = child.l.directive.as_ref();
        let levels = Levels::explicit(directive);
        let plain = (levels.is_none() && child.has_own_directive() || levels == workers)
            && child.collapse() == 1
            && plan.is_parallel(child)
            && directive.is_some_and(|d| d.reductions.is_empty() && d.searches.is_empty())
            && !has_sizes(plan.region, directive);
        let sized = all.iter().any(|n| has_sizes(plan.region, n.l.directive.as_ref()));
        if !plain || sized || explicit.worker || !child.children.iter().any(for_lanes) {
            break;
        }
        all.push(child);
        if !all_fixed(plan, &all) || private_between(&all) {
            all.pop();
            break;
        }
    }
    all
}

/// The joined loops and up to three parallel loops tightly nested in them, as long as no clause says how many gangs there
/// are, or leaves another size to the launch. A `gang` or `gang worker` loop around a `vector` loop is then a launch in two dimensions, too:
/// it has threads for all iterations, where blocks for the outer loop alone may be few, or long ones.
fn tight_parallel_nest<'t, 'a>(
    plan: &LevelPlan<'_>,
    joined: &[&'t LoopNode<'a>],
    explicit: Levels,
) -> Vec<&'t LoopNode<'a>> {
    let mut all = joined.to_vec();
    // Loops around a window form blocks together, and each has its own `vector` clause.
    let windows = has_fcw(&joined[0].l.body);
    let sized = has_sizes_at_launch(plan.region, joined[0].l.directive.as_ref());
    let open = |l: Levels| l.is_none() || windows && !l.worker;
    let without_lanes = explicit.gang && !explicit.vector && !windows && !sized;
    if !open(explicit) && !without_lanes {
        return all;
    }
    let mut used = explicit;
    while let Some(child) = all[all.len() - 1].tight_child() {
        let directive = child.l.directive.as_ref();
        let levels = Levels::explicit(directive);
        let deeper =
            without_lanes && !has_sizes_at_launch(plan.region, directive) && levels.conflict(used).is_none();
        if !(open(levels) || deeper) || child.collapse() > 1 || !plan.is_parallel(child) {
            break;
        }
        used = used.with(levels);
        all.push(child);
        if !all_fixed(plan, &all) || private_between(&all) {
            all.pop();
            break;
        }
    }
    all
}

/// A clause of the construct or of the loop says how many gangs, workers or lanes there are.
pub(crate) fn has_sizes(region: &Region, directive: Option<&LoopDirective>) -> bool {
    sizes(region, directive).iter().any(Option::is_some)
}

/// A clause says how many gangs there are, or, by a value that only the launch knows, how many workers or lanes.
pub(super) fn has_sizes_at_launch(region: &Region, directive: Option<&LoopDirective>) -> bool {
    let [gangs, workers, lanes] = sizes(region, directive);
    gangs.is_some() || [workers, lanes].into_iter().flatten().any(|size| size.value.is_none())
}

/// Of gangs, workers and lanes.
fn sizes<'a>(region: &'a Region, directive: Option<&'a LoopDirective>) -> [Option<&'a HostExpr>; 3] {
    fn of_loop(level: &Option<Option<HostExpr>>) -> Option<&HostExpr> {
        level.as_ref()?.as_ref()
    }
    let clauses = &region.clauses;
    [
        clauses.num_gangs.as_ref().or_else(|| of_loop(&directive?.gang)),
        clauses.num_workers.as_ref().or_else(|| of_loop(&directive?.worker)),
        clauses.vector_length.as_ref().or_else(|| of_loop(&directive?.vector)),
    ]
}

/// An outer loop has a reduction or private variables of its own, which inner iterations share.
pub(super) fn private_between(all: &[&LoopNode<'_>]) -> bool {
    all[..all.len() - 1].iter().any(|n| n.l.directive.as_ref().is_some_and(|d| !d.private.is_empty()))
}

pub(super) fn all_fixed(plan: &LevelPlan<'_>, loops: &[&LoopNode<'_>]) -> bool {
    let rectangular = |n: &&LoopNode<'_>| {
        let polys = plan.summary.polys();
        let bounds = polys.poly(n.l.lower).plus(&polys.poly(n.l.bound), 1);
        loops.iter().all(|other| !bounds.mentions(Atom::Local(other.l.var)))
    };
    loops.len() <= 3 && loops.iter().all(|n| plan.has_fixed_bounds(n.l) && rectangular(n))
}

/// Gives each loop of the nest a dimension of the launch.
fn distribute(plan: &mut LevelPlan<'_>, loops: &[&LoopNode<'_>], lanes: bool) {
    let order = stride::dimensions(plan.summary, loops);
    for (node, dim) in loops.iter().zip(order) {
        plan.levels[node.index] = LoopLevels { gang: true, worker: false, vector: lanes, dim: Some(dim) };
    }
}

/// Neighbouring iterations of the outer loop use neighbouring elements, those of the inner one distant ones. No directive names the loops or,
/// inside gangs, says who runs them.
fn are_better_for_lanes(
    plan: &LevelPlan<'_>,
    outer: &LoopNode<'_>,
    inner: &LoopNode<'_>,
    used: Levels,
) -> bool {
    let contiguous = |n: &LoopNode<'_>| stride::contiguous_accesses(plan.summary, n);
    let bare = |n: &LoopNode<'_>| Levels::explicit(n.l.directive.as_ref()).is_none();
    let unnamed = !outer.has_own_directive() && !inner.has_own_directive();
    let open = used.gang && bare(outer) && bare(inner) && !plan.is_short(outer.l);
    (unnamed || open) && contiguous(outer) > 0 && contiguous(inner) < 0
}

/// Levels of loops that stay loops in the kernel. `around` is the innermost loop that has some of those `used`.
fn in_kernel<'t, 'a>(
    plan: &mut LevelPlan<'_>,
    node: &'t LoopNode<'a>,
    used: Levels,
    mut around: Option<&'t LoopNode<'a>>,
    cx: &mut Context<'_>,
) {
    let mut used = used;
    if plan.is_parallel(node) {
        let inside = node.any_below(&|n| plan.is_parallel(n) && !are_better_for_lanes(plan, node, n, used));
        let wanted = Levels::explicit(node.l.directive.as_ref());
        let mut chosen = if wanted.is_none() { used.next(inside) } else { wanted };
        // A loop without a parallel loop for its lanes distributes its own iterations over them.
        chosen.vector |= (chosen.gang || chosen.worker) && !inside && !used.vector;
        if !node.has_own_directive() {
            chosen = chosen.around(explicit_below(node));
        }
        // What it looks for is in variables of a gang.
        chosen.gang &= node.l.directive.as_ref().is_none_or(|d| d.searches.is_empty());
        // Without a loop around, it is the kernel that has one gang, whatever the loop's clauses name.
        if around.is_some() {
            check_order(node, used, wanted, around, cx);
        }
        let allowed = chosen.without(used);
        plan.levels[node.index] =
            LoopLevels { gang: allowed.gang, worker: allowed.worker, vector: allowed.vector, dim: None };
        used = used.with(allowed);
        if !allowed.is_none() {
            around = Some(node);
        } else if !chosen.is_none() {
            all_levels_used(plan, node, cx);
        }
    }
    for child in &node.children {
        in_kernel(plan, child, used, around, cx);
    }
}

/// The levels that clauses of the loops inside name.
fn explicit_below(node: &LoopNode<'_>) -> Levels {
    let of = |c: &LoopNode<'_>| Levels::explicit(c.l.directive.as_ref()).with(explicit_below(c));
    node.children.iter().fold(Levels::default(), |all, c| all.with(of(c)))
}

fn all_levels_used(plan: &LevelPlan<'_>, node: &LoopNode<'_>, cx: &mut Context<'_>) {
    let id = accl_source::codes::remarks::SEQUENTIAL_LOOP;
    let message = "Loop is run sequentially: the loops around it use all levels of parallelism";
    cx.remark(Remark::new(id, RemarkKind::NotParallelized, &plan.site.name, node.span, message));
}

/// In kernels constructs, older programs give several loops of a nest the same level (`gang vector` around `gang
/// vector`), to get a launch of several dimensions. The compiler then chooses their levels here.
pub fn drop_repeated(block: &mut Block, cx: &mut Context<'_>) {
    for node in block {
        let Stmt::For(l) = &mut node.kind else {
            node.kind.blocks_mut().into_iter().for_each(|inner| drop_repeated(inner, cx));
            continue;
        };
        // Around a window each loop may have a `vector` clause.
        let Some(level) = repeated(l, Levels::default()).filter(|_| !has_fcw(&l.body)) else { continue };
        let at = l.directive.as_ref().map_or(node.span, |d| d.span);
        let message = format!("several loops of a nest are `{level}`: their levels are left to the compiler");
        let warning = Diagnostic::warning(codes::LEVEL_ORDER, message)
            .label(at, "the outermost of them")
            .with_note("from the outside in: `gang`, `worker`, `vector`, each once (OpenACC 3.3 §2.9)")
            .with_help("write `loop independent` on each loop of the nest, or `collapse`");
        cx.diagnostics.push(warning);
        drop_levels(l);
    }
}

fn drop_levels(l: &mut Loop) {
    let drop = |d: &mut Option<LoopDirective>| {
        d.iter_mut().for_each(|d| (d.gang, d.worker, d.vector) = (None, None, None));
    };
    drop(&mut l.directive);
    visit::for_each_stmt_mut(&mut l.body, &mut |node| {
        if let Stmt::For(inner) = &mut node.kind {
            drop(&mut inner.directive);
        }
    });
}

/// A loop asks for a level that a loop around it already has.
fn repeated(l: &Loop, used: Levels) -> Option<&'static str> {
    let wanted = Levels::explicit(l.directive.as_ref());
    let levels = [
        ("gang", wanted.gang && used.gang),
        ("worker", wanted.worker && used.worker),
        ("vector", wanted.vector && used.vector),
    ];
    let here = levels.into_iter().find(|(_, twice)| *twice).map(|(level, _)| level);
    let used = used.with(wanted);
    here.or_else(|| visit::top_loops(&l.body).into_iter().find_map(|inner| repeated(inner, used)))
}

/// OpenACC 3.3 §2.9: gang outermost, then worker, then vector.
fn check_order(
    node: &LoopNode<'_>,
    used: Levels,
    wanted: Levels,
    around: Option<&LoopNode<'_>>,
    cx: &mut Context<'_>,
) {
    let Some((inner, outer)) = wanted.conflict(used) else { return };
    let place = |n: &LoopNode<'_>, level: &str| match (&n.l.directive, cx.options.files) {
        (Some(d), Some(files)) => files.word_in(d.span, level),
        (Some(d), None) => d.span,
        (None, _) => n.span,
    };
    let mut diagnostic = Diagnostic::error(
        codes::LEVEL_ORDER,
        format!("a `{inner}` loop cannot stand inside a `{outer}` loop"),
    )
    .label(place(node, inner), "this level");
    if let Some(around) = around {
        diagnostic = diagnostic.label(place(around, outer), format!("this loop uses `{outer}`"));
    }
    cx.diagnostics.push(
        diagnostic
            .with_note("from the outside in: `gang`, `worker`, `vector`, each once (OpenACC 3.3 §2.9)")
            .with_help("give the outer loop the outer level, or make the inner one `seq`"),
    );
}

/// Which levels are set, or used by loops around this one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Levels {
    gang: bool,
    worker: bool,
    vector: bool,
}

impl Levels {
    pub(super) fn explicit(d: Option<&LoopDirective>) -> Self {
        d.map_or(Levels::default(), |d| Levels {
            gang: d.gang.is_some(),
            worker: d.worker.is_some(),
            vector: d.vector.is_some(),
        })
    }

    fn is_none(self) -> bool {
        self == Levels::default()
    }

    /// A level in this set, and the level of a loop around it that forbids it.
    pub(super) fn conflict(self, used: Levels) -> Option<(&'static str, &'static str)> {
        let outer = [(used.vector, "vector"), (used.worker, "worker"), (used.gang, "gang")];
        let inner = [(self.gang, "gang", 3), (self.worker, "worker", 2), (self.vector, "vector", 1)];
        inner.iter().filter(|(wanted, ..)| *wanted).find_map(|(_, level, reach)| {
            let outer = outer[..*reach].iter().find(|(used, _)| *used)?;
            Some((*level, outer.1))
        })
    }

    /// Those of these levels that a loop may have around loops with the levels `inside`.
    fn around(self, inside: Levels) -> Levels {
        let Levels { gang, worker, vector } = inside;
        Levels {
            gang: self.gang && !gang,
            worker: self.worker && !(gang || worker),
            vector: self.vector && !(gang || worker || vector),
        }
    }

    fn only_inside_gang(self) -> bool {
        !self.gang && (self.worker || self.vector)
    }

    pub(super) fn with(self, o: Levels) -> Levels {
        Levels { gang: self.gang || o.gang, worker: self.worker || o.worker, vector: self.vector || o.vector }
    }

    fn without(self, o: Levels) -> Levels {
        Levels {
            gang: self.gang && !o.gang,
            worker: self.worker && !o.worker,
            vector: self.vector && !o.vector,
        }
    }

    /// The levels of a loop without clauses; `inside`: it contains parallel loops.
    fn next(self, inside: bool) -> Levels {
        let none = Levels::default();
        match (self.gang, self.worker, self.vector, inside) {
            (_, _, true, _) => none,
            (false, false, _, true) => Levels { gang: true, ..none },
            (false, false, _, false) => Levels { gang: true, vector: true, ..none },
            (_, false, _, true) => Levels { worker: true, ..none },
            (_, _, _, _) => Levels { vector: true, ..none },
        }
    }
}
