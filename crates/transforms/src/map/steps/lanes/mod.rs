//! `lanes(8)`: so many lanes run an iteration of the gang loop, and a block runs several iterations.
//!
//! A gang loop around loops whose lengths differ and are not known before the launch (the edges of a node, the elements of a
//! sparse row) wastes most of a block's threads where these are short. With one lane the loops inside are sequential; with more
//! the iterations of the gang loop are dealt to workers of as many lanes. Without a number, each launch chooses it (the runtime's
//! `launch::plan::lanes`).

mod count;

use super::{Refusal, StepKind, chosen, number, numbered, run_by_each_thread};
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::{alias, block_mapping};
use crate::outline::trips;
use accl_ir::schedule::Step;
use accl_ir::{
    Block, Body, ExprKind, GridRule, Handle, Kernel, Local, Loop, LoopLevels, Module, Stmt, Types, visit,
};
use std::collections::BTreeSet;

const NAME: &str = "lanes";
/// Threads of a block.
const THREADS: u32 = 256;
/// Lanes of a block that runs one iteration of the gang loop.
const LANES: i128 = 128;
/// The fewest lanes that a launch chooses of those that are more than one.
const FEWEST: u32 = 2;

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "lanes(N)",
    summary: "N lanes run an iteration of the gang loop, and a block several iterations; without N each launch chooses it.",
    writes_program: true,
    sets_block: true,
    space,
    cost: |step, cost: &mut Cost| {
        (cost.threads, cost.iterations) = (THREADS, cost.iterations * number(step).max(1));
        cost.lanes = Some(number(step).max(1));
    },
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    draft.has_no_clusters()?;
    let kernel = &*draft.kernel;
    let rows = gang_loop(kernel).ok_or_else(|| {
        Refusal::quiet("only a gang loop around vector loops, without workers, has lanes for its iterations")
    })?;
    if kernel.vector_length.is_some() || kernel.num_workers.is_some() {
        return Err(Refusal::quiet("a clause says how many threads a gang has"));
    }
    if goes_through_pointers(&kernel.body, rows) {
        return Ok(numbered(NAME, [1]).into_iter().collect());
    }
    if !has_irregular_loops(&module.types, &kernel.body, rows)
        && !are_found(&module.types, &kernel.body, rows)
    {
        return Err(Refusal::quiet("the loops inside are as long in each iteration of the gang loop"));
    }
    let mut all = vec![Step::new(NAME, [])];
    all.extend(numbered(NAME, [1, 2, 4, 8, 16, 32]));
    Ok(all)
}

/// The gang loop that makes up the kernel, with vector loops in it that have no workers around them.
fn gang_loop(kernel: &Kernel) -> Option<&Loop> {
    let rows = visit::only_loop(&kernel.body.block)?;
    let gangs_alone = |levels: &LoopLevels| levels.gang && !levels.worker && !levels.vector;
    let [dim] = &kernel.dims[..] else { return None };
    let gangs = dim.rule == GridRule::Gangs && rows.levels.as_ref().is_some_and(gangs_alone);
    let inside = loops_with_levels(&rows.body);
    let lanes = inside.iter().any(|(_, levels)| levels.vector);
    let workers = inside.iter().any(|(_, levels)| levels.worker);
    (gangs && lanes && !workers).then_some(rows)
}

fn loops_with_levels(block: &Block) -> Vec<(&Loop, &LoopLevels)> {
    let mut found = vec![];
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && let Some(levels) = l.levels.as_ref().filter(|levels| !levels.is_seq())
        {
            found.push((&**l, levels));
        }
    });
    found
}

/// The vector loops' bounds follow from what the iteration of the gang loop reads or computes; but for short ones.
fn has_irregular_loops(types: &Types, body: &Body, rows: &Loop) -> bool {
    let own = visit::declared_locals(&rows.body);
    all_but_short(types, body, rows, &|l| differs(body, &own, l))
}

/// There are such loops among those that lanes run, and the others are short.
fn all_but_short(types: &Types, body: &Body, rows: &Loop, are: &dyn Fn(&Loop) -> bool) -> bool {
    let inside = loops_with_levels(&rows.body);
    let vector = || inside.iter().filter(|(_, levels)| levels.vector).map(|(l, _)| *l);
    let short = |l: &Loop| trips::constant(types, body, l).is_some_and(|n| n < 32);
    vector().any(are) && vector().all(|l| are(l) || short(l))
}

/// Where a loop begins and ends is not the same for all iterations that declare these.
pub fn differs(body: &Body, own: &BTreeSet<Handle<Local>>, l: &Loop) -> bool {
    let mut found = false;
    for e in [l.lower, l.bound] {
        visit::for_each_operand(&body.exprs, e, &mut |operand| {
            found |= match body.exprs[operand].kind {
                ExprKind::Local(local) => own.contains(&local),
                ExprKind::Index { .. } | ExprKind::Deref(_) => true,
                _ => false,
            };
        });
    }
    found
}

/// What the lanes of a gang share is short, or not as long for each iteration.
pub fn has_short_rows(types: &Types, kernel: &Kernel) -> bool {
    gang_loop(kernel).is_none_or(|rows| has_irregular_loops(types, &kernel.body, rows))
}

/// No directive says of the loops inside who runs them, but of short ones, none keeps a block busy, and an iteration has no arrays for
/// which lanes would need memory of their own.
fn are_found(types: &Types, body: &Body, rows: &Loop) -> bool {
    let found = |l: &Loop| l.directive.as_ref().is_some_and(|d| d.found) && !fills_block(types, body, l);
    let arrays = visit::declared_locals(&rows.body).into_iter().any(|l| !types.is_scalar(body.locals[l].ty));
    !arrays && all_but_short(types, body, rows, &found)
}

/// Each lane of a block has an iteration, and lanes exchange nothing: on an H100 tiles of 256 points took two thirds of the time with 128
/// lanes that they took with 32.
fn fills_block(types: &Types, body: &Body, l: &Loop) -> bool {
    let alone = l.directive.as_ref().is_none_or(|d| d.reductions.is_empty() && d.searches.is_empty());
    alone && trips::constant(types, body, l).is_some_and(|n| n >= LANES)
}

/// All that lanes run is one loop without a directive whose iterations load pointers, each one.
fn goes_through_pointers(body: &Body, rows: &Loop) -> bool {
    let inside = loops_with_levels(&rows.body);
    let [(l, _)] = &inside[..] else { return false };
    let mut loads = false;
    visit::for_each_expr(body, &l.body, &mut |e, _| {
        if let ExprKind::Index { base, .. } = body.exprs[e].kind
            && matches!(body.exprs[base].kind, ExprKind::Load(_))
        {
            visit::for_each_operand(&body.exprs, base, &mut |operand| {
                loads |= matches!(body.exprs[operand].kind, ExprKind::Local(local) if local == l.var);
            });
        }
    });
    loads && l.directive.as_ref().is_some_and(|d| d.found)
}

/// A sequential loop has loops of lanes in it.
fn has_repeated_loops(row: &Block) -> bool {
    let mut found = false;
    visit::for_each_stmt(row, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && l.levels.as_ref().is_none_or(LoopLevels::is_seq)
        {
            found |= loops_with_levels(&l.body).iter().any(|(_, levels)| levels.vector);
        }
    });
    found
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    let at_launch = step.args.is_empty();
    let lanes = if at_launch { FEWEST } else { number(&step) };
    // Otherwise lanes wait for each other where one may write what another one reads.
    if lanes > 1 && alias::launches_can_tell(module, &draft.kernel) {
        draft.assume_distinct()?;
    }
    let mut kernel = draft.kernel.clone().into_owned();
    let many_rows = gang_loop(&kernel).is_some_and(|rows| goes_through_pointers(&kernel.body, rows));
    let Some(Stmt::For(rows)) = kernel.body.block.last_mut().map(|node| &mut node.kind) else {
        return Err(Refusal::quiet("the gang loop is not the last statement"));
    };
    let several = has_repeated_loops(&rows.body);
    let levels = rows.levels.get_or_insert_default();
    (levels.worker, levels.vector) = (lanes > 1, lanes == 1);
    if lanes == 1 {
        run_by_each_thread(&mut rows.body);
    }
    let block = if lanes == 1 { [THREADS, 1, 1] } else { [lanes, THREADS / lanes, 1] };
    if at_launch && kernel.row_length.is_none() {
        count::rows(&mut module.types, &mut kernel.body);
    }
    let (body, shared) =
        block_mapping::body(module, &kernel, block, draft.distinct || draft.requires.noalias, false);
    if !shared.is_empty() {
        return Err(Refusal::because("the lanes of an iteration share memory"));
    }
    draft.block = block;
    draft.block_at_launch = false;
    (draft.requires.few_lanes, draft.requires.one_lane) = (at_launch, lanes == 1);
    draft.requires.several_loops = at_launch && several;
    // Neighbouring iterations of the gang loop use neighbouring elements, so one lane is best for each where they are many.
    (draft.requires.high_occupancy, draft.requires.ilp) = (many_rows, many_rows);
    draft.suffix.push_str(if lanes == 1 { "_lane" } else { "_lanes" });
    let at_once = THREADS / lanes;
    draft.program = Some(Program { body, per_thread: [at_once, 1, 1], shared });
    draft.done(NAME, step.args);
    Ok(())
}
