//! `split_reduction(32, 16)`: the threads of a column, and as many blocks as fill the device, share the long loop in which an iteration
//! reduces something.
//!
//! Sums of the columns of a matrix have a thread for each column, so that neighbours read neighbouring elements. A matrix has
//! thousands of columns at most, and a device runs a hundred times as many threads. Here blocks have columns in x and parts of the loop in y,
//! and blocks that follow one another in y other parts. The last of them to arrive combines their results, in their order, and
//! does what follows the loop. Sums of rows, whose neighbouring threads would read distant elements, have four rows in x, so that
//! neighbouring parts of a row's loop are neighbouring threads.

use super::{Refusal, StepKind, chosen, run_by_each_thread};
use crate::build::{Builder, declare, if_then, node, store};
use crate::map::advance::{self, Advance, Definitions};
use crate::map::cost::Cost;
use crate::map::draft::{Draft, Program};
use crate::map::{grid_mapping, identity, indices, shape, window};
use crate::outline::trips;
use accl_analysis::reduction::recognise_all;
use accl_ir::schedule::{Arg, Step};
use accl_ir::{
    BarrierScope, BinaryOp, Block, Body, Builtin, Expr, ExprKind, Handle, Local, Loop, Module, ReductionOp,
    Stmt, StmtNode, TypeKind, Types, visit,
};
use std::collections::BTreeSet;

const NAME: &str = "split_reduction";
/// Threads of a block. A launch of fewer iterations than the first number has more threads for each.
const OF_COLUMNS: [u32; 2] = [32, 16];
/// Eight threads read what memory gives at a time, at least.
const OF_ROWS: [u32; 2] = [4, 128];
/// Results of an iteration for which a launch has memory.
const MOST_RESULTS: usize = 4;
/// Loops of fewer iterations may stand beside the long one.
const SHORT: i128 = 32;

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "split_reduction(X, Y)",
    summary: "Y threads of a block of X iterations, and several such blocks, share the long loop in which an iteration reduces something.",
    writes_program: true,
    sets_block: true,
    space,
    cost: |step, cost: &mut Cost| {
        let block = step.numbers().unwrap_or_default();
        cost.threads = block.iter().product();
        cost.fills = true;
        if let Some(lanes) = block.last() {
            cost.iterations *= lanes;
            cost.lanes = Some(*lanes);
        }
    },
    apply,
};

fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    draft.has_no_clusters()?;
    let step =
        |split: Split<'_>| Step::new(NAME, if split.of_rows { OF_ROWS } else { OF_COLUMNS }.map(Arg::from));
    let refused = match split(&module.types, draft) {
        Ok(split) => return Ok(vec![step(split)]),
        Err(refused) => refused,
    };
    let mut separate = draft.fork();
    if separate.assume_distinct().is_err() {
        return Err(refused);
    }
    separate.keep_elements(module);
    Ok(vec![step(split(&module.types, &separate)?)])
}

/// An iteration of the kernel's loop, which is divided where its long loop stands.
struct Split<'k> {
    rows: &'k Loop,
    /// All of an iteration stands under these conditions, which are the same for each.
    conditions: Vec<Handle<Expr>>,
    before: Block,
    long: &'k Loop,
    /// What is stored before the long loop, and what follows it: for one thread.
    after: Block,
    results: Vec<(ReductionOp, Handle<Local>)>,
    of_rows: bool,
}

fn split<'k>(types: &Types, draft: &'k Draft<'_>) -> Result<Split<'k>, Refusal> {
    let kernel = &*draft.kernel;
    let body = &kernel.body;
    // Nothing in an iteration tells how many blocks a gang has, but one gang alone is what is asked for where order matters.
    let one_gang = kernel.num_gangs.as_ref().is_some_and(|gangs| gangs.value == Some(1));
    let is_sized = one_gang || kernel.vector_length.is_some();
    let one = kernel.dims.len() == 1 && !kernel.serial && !is_sized && !shape::reduces(kernel);
    let rows = visit::only_loop(&body.block).filter(|_| one && !shape::used_levels(kernel).worker);
    let Some(rows) = rows.filter(|l| l.levels.as_ref().is_some_and(|levels| levels.gang)) else {
        return Err(Refusal::quiet(
            "only a loop over gangs, without workers, whose vector length no clause says, has its iterations divided",
        ));
    };
    if window::has_windows(&body.block) {
        return Err(Refusal::quiet("the kernel's blocks keep arrays"));
    }
    let (conditions, iteration) = conditions(body, rows);
    let all: Vec<usize> = (0..iteration.len()).filter(|at| takes_long(types, body, iteration[*at])).collect();
    let &[at] = &all[..] else {
        return Err(Refusal::quiet("an iteration has one long loop, or the others would have few threads"));
    };
    let Stmt::For(long) = &iteration[at].kind else {
        return Err(Refusal::quiet("the long loop stands under a condition, or cannot be counted"));
    };
    let counts = |l: &Loop| matches!(types.kind(body.locals[l.var].ty), TypeKind::Int { bits: 32.., .. });
    if !long.declared_here || !counts(long) || !counts(rows) {
        return Err(Refusal::quiet("a loop's counter is narrow, or used after the loop"));
    }
    if iteration.iter().any(|node| grid_mapping::continues(&node.kind)) {
        return Err(Refusal::quiet("an iteration may end before its long loop"));
    }
    let distinct = draft.distinct || draft.requires.noalias;
    let can_wait = |node: &&StmtNode| distinct && can_wait(body, node, &iteration[..=at]);
    let (stores, before): (Vec<&StmtNode>, Vec<&StmtNode>) =
        iteration[..at].iter().copied().partition(can_wait);
    let [stores, before] = [stores, before].map(|all| all.into_iter().cloned().collect::<Block>());
    if has_effects(body, &before) || has_effects(body, &long.body) {
        return Err(Refusal::quiet("before or in its long loop an iteration does what must be done once"));
    }
    let results = results(body, rows, long)?;
    let reducible = |local: &Handle<Local>| {
        let ty = types.kind(body.locals[*local].ty);
        matches!(ty, TypeKind::Int { bits: 32 | 64, .. } | TypeKind::Float { bits: 32 | 64 })
    };
    if results.len() > MOST_RESULTS || !results.iter().all(|(_, local)| reducible(local)) {
        return Err(Refusal::because(
            "its long loop has more than four results, or some that are no numbers of 32 or 64 bits",
        ));
    }
    let needed: BTreeSet<Handle<Local>> = results.iter().map(|(_, local)| *local).collect();
    if !visit::read_locals(body, &stores).is_disjoint(&needed) {
        return Err(Refusal::quiet("an iteration stores before its long loop what this changes"));
    }
    let of_rows = goes_along_rows(body, rows, long);
    let after = stores.into_iter().chain(iteration[at + 1..].iter().copied().cloned()).collect();
    Ok(Split { rows, conditions, before, long, after, results, of_rows })
}

/// The statements of an iteration, without blocks around them, and the conditions under which all of them stand.
fn conditions<'k>(body: &Body, rows: &'k Loop) -> (Vec<Handle<Expr>>, Vec<&'k StmtNode>) {
    let own = visit::declared_locals(&rows.body).into_iter().chain([rows.var]).collect();
    let mut conditions = vec![];
    let mut iteration = flat(&rows.body);
    while let [StmtNode { kind: Stmt::If { cond, then, otherwise }, .. }] = iteration[..]
        && otherwise.is_empty()
        && visit::is_fixed(body, *cond, &own)
    {
        conditions.push(*cond);
        iteration = flat(then);
    }
    (conditions, iteration)
}

fn flat(block: &Block) -> Vec<&StmtNode> {
    let parts = block.iter().map(|node| match &node.kind {
        Stmt::Block(inner) => flat(inner),
        _ => vec![node],
    });
    parts.flatten().collect()
}

fn takes_long(types: &Types, body: &Body, node: &StmtNode) -> bool {
    let block = std::slice::from_ref(node);
    let mut found = false;
    visit::for_each_loop(block, &mut |l, _| found |= is_long(types, body, l));
    visit::for_each_stmt(block, &mut |node| found |= matches!(node.kind, Stmt::While { .. }));
    found
}

/// The statement stores to an array that nothing else in this part of the iteration uses, where arrays do not overlap: it may as well
/// store later.
fn can_wait(body: &Body, node: &StmtNode, part: &[&StmtNode]) -> bool {
    let Stmt::Store { place, op: None, .. } = node.kind else { return false };
    let Some(array) = array_of(body, place) else { return false };
    let others = part.iter().filter(|other| !std::ptr::eq(**other, node));
    let mut apart = true;
    for other in others {
        visit::for_each_place(body, std::slice::from_ref(*other), &mut |place, _| {
            apart &= match visit::root_of(body, place) {
                Some(visit::Root::Local(local)) => {
                    local != array || matches!(body.exprs[place].kind, ExprKind::Local(_))
                }
                _ => array_of(body, place).is_some_and(|other| other != array),
            };
        });
    }
    apart
}

/// The parameter through which a place is reached, directly.
fn array_of(body: &Body, e: Handle<Expr>) -> Option<Handle<Local>> {
    match body.exprs[e].kind {
        ExprKind::Index { base, .. } | ExprKind::Member { base, .. } => array_of(body, base),
        ExprKind::Decay(inner) | ExprKind::Deref(inner) => array_of(body, inner),
        ExprKind::Load(variable) => match body.exprs[variable].kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}

/// A loop for whose iterations several threads are worth their while.
pub fn is_long(types: &Types, body: &Body, l: &Loop) -> bool {
    trips::constant(types, body, l).is_none_or(|n| n >= SHORT)
}

/// Something else than variables of the iteration changes, or the block leaves the loop around it.
fn has_effects(body: &Body, block: &[StmtNode]) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| {
        found |= match &node.kind {
            Stmt::Store { place, .. } => !matches!(visit::root_of(body, *place), Some(visit::Root::Local(_))),
            Stmt::Declare { .. } | Stmt::If { .. } | Stmt::For(_) | Stmt::Block(_) | Stmt::Continue => false,
            _ => true,
        }
    });
    found
}

/// What the loop leaves behind: each is a reduction that a clause names or that its updates show.
fn results(body: &Body, rows: &Loop, long: &Loop) -> Result<Vec<(ReductionOp, Handle<Local>)>, Refusal> {
    let directive = long.directive.as_ref();
    if directive.is_some_and(|d| !d.searches.is_empty()) {
        return Err(Refusal::quiet("the long loop looks for something"));
    }
    let named = |local| directive.and_then(|d| d.reductions.iter().find(|r| r.local == local)).map(|r| r.op);
    let updates = recognise_all(body, &long.body);
    let own = visit::declared_locals(&long.body);
    let of_iteration = visit::declared_locals(&rows.body);
    let mut all = vec![];
    for local in visit::written_locals(body, &long.body) {
        if own.contains(&local) || visit::loop_variables(&long.body).contains(&local) {
            continue;
        }
        let op = named(local).or_else(|| updates.get(&local).copied().flatten());
        match op.filter(|_| of_iteration.contains(&local)) {
            Some(op) => all.push((op, local)),
            None => return Err(Refusal::quiet("the long loop's iterations do not only reduce something")),
        }
    }
    match all.is_empty() {
        true => Err(Refusal::quiet("the long loop reduces nothing")),
        false => Ok(all),
    }
}

/// In the long loop neighbouring turns read neighbouring elements, and neighbouring iterations of the kernel's loop distant ones.
fn goes_along_rows(body: &Body, rows: &Loop, long: &Loop) -> bool {
    let definitions = Definitions::of(body, &rows.body);
    let mut found = false;
    visit::for_each_place(body, &long.body, &mut |place, _| {
        if let ExprKind::Local(_) = body.exprs[place].kind {
            return;
        }
        let along = |var| advance::of_place(body, &definitions, place, var);
        found |= along(long.var) == Advance::Next && along(rows.var) == Advance::Far;
    });
    found
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let step = chosen(step, &space(module, draft)?)?;
    if split(&module.types, draft).is_err() {
        // Results that are elements of arrays are in variables where no arrays overlap.
        draft.assume_distinct()?;
        draft.keep_elements(module);
    }
    let body = program(&mut module.types, draft)?;
    if let Some([x, y]) = step.numbers().as_deref() {
        draft.block = [*x, *y, 1];
    }
    draft.block_at_launch = false;
    draft.requires.splits = true;
    let (of_rows, of_threads) = (draft.block[0] == OF_ROWS[0], shape::one_iteration_a_thread(&draft.kernel));
    // Lanes of a block, too, read rows as they lie. Threads for each of many columns read as much of memory at a time as a device can.
    (draft.requires.few_gangs, draft.requires.low_occupancy) =
        (of_rows && !of_threads, !of_rows && of_threads);
    draft.suffix.push_str("_split");
    draft.program = Some(Program { body, per_thread: [1; 3], shared: vec![] });
    draft.done(NAME, step.args);
    Ok(())
}

/// What a thread runs. One beyond the last iteration runs the first one, too, since all threads of a block meet behind the long loop.
fn program(types: &mut Types, draft: &Draft<'_>) -> Result<Body, Refusal> {
    let Split { rows, conditions, before, long, after, results, .. } = split(types, draft)?;
    let mut body = Body { block: vec![], ..draft.kernel.body.clone() };
    let b = &mut Builder { types, body: &mut body };
    let compare = indices::directed(b, rows).operator();

    let iteration =
        indices::linear(b, rows, Builtin::BlockIdx(0), Builtin::BlockDim(0), Builtin::ThreadIdx(0));
    let first = indices::offset(b, rows, iteration);
    let mut block = vec![declare(rows.var, Some(first))];
    let (var, int) = (b.load(rows.var), b.types.i32());
    let inside = b.body.temp("inside", int);
    let is_inside = b.binary(compare, var, rows.bound);
    block.push(declare(inside, Some(is_inside)));
    let is_inside = b.load(inside);
    let (outside, var) = (b.not(is_inside), b.place(rows.var));
    block.push(if_then(outside, vec![store(var, rows.lower)]));

    block.extend(sequential(&before));
    let saved: Vec<Handle<Local>> =
        results.iter().map(|(op, local)| identity::start(b, *op, *local, &mut block)).collect();
    let first = indices::linear(b, long, Builtin::BlockIdx(1), Builtin::BlockDim(1), Builtin::ThreadIdx(1));
    let blocks = b.builtin(Builtin::GridDim(1));
    let (blocks, threads) = (indices::widen(b, long, blocks), b.builtin(Builtin::BlockDim(1)));
    let stride = b.mul(blocks, threads);
    let turns = sequential(&long.body);
    let part = indices::strided(b, long, first, stride, turns);
    block.push(node(Stmt::For(Box::new(part))));
    for (op, local) in &results {
        block.push(node(Stmt::ReduceAcross { op: *op, local: *local, scope: BarrierScope::Columns }));
    }

    let (y, zero) = (b.builtin(Builtin::ThreadIdx(1)), b.int(0, int));
    let speaks = b.binary(BinaryOp::Eq, y, zero);
    let is_inside = b.load(inside);
    let speaks = b.binary(BinaryOp::LogicalAnd, speaks, is_inside);
    let mut end = vec![];
    for ((op, local), earlier) in results.iter().zip(saved) {
        end.push(identity::finish(b, *op, *local, earlier));
    }
    end.extend(sequential(&after));
    block.push(if_then(speaks, end));
    let mut any = b.binary(compare, rows.lower, rows.bound);
    for condition in conditions {
        any = b.binary(BinaryOp::LogicalAnd, any, condition);
    }
    body.block = vec![if_then(any, block)];
    Ok(body)
}

/// The statements, whose loops each thread runs by itself.
fn sequential(block: &[StmtNode]) -> Block {
    let mut block = block.to_vec();
    run_by_each_thread(&mut block);
    block
}
