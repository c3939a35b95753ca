//! Before the analyses: a short array that each iteration needs for a row of sums alone becomes a scalar (array contraction).
//!
//! ```text
//! float sum[16] = {0};
//! for (i = 0; i < 16; i++) {                        for (i = 0; i < 16; i++)
//!     for (k = 0; k < 16; k++)                          for (j = 0; j < 16; j++) {
//!         for (j = 0; j < 16; j++)                          float sum = 0;
//!             sum[j] += a[i][k] * b[k][j];      →           for (k = 0; k < 16; k++)
//!     for (j = 0; j < 16; j++) {                                sum += a[i][k] * b[k][j];
//!         c[i][j] -= sum[j];                                c[i][j] -= sum;
//!         sum[j] = 0;                                   }
//!     }
//! }
//! ```
//!
//! As it is written, iterations of `i` hand the array on to each other, so that they look dependent, though nothing of it reaches the next
//! one. All that element `j` has to do with lies in the iterations `j` of these loops. They become one loop, where what one of them writes no other
//! reads. Each element sees the same operations in the same order.
//!
//! The last of the loops may leave the elements as they were declared, or the first sets them. It is done where iterations have other arrays
//! of their own that gangs should keep in shared memory ([`own_arrays`]): lanes then share all of a tile. A single thread would rather
//! have a row of sums in registers, and use each of the other values once.

use crate::block_scalars;
use crate::build::declare;
use crate::context::Context;
use crate::levels::own_arrays;
use crate::loop_interchange::is_read_later;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::data::Summary;
use accl_analysis::dependence::may_alias;
use accl_analysis::provenance::Root;
use accl_analysis::text::source_name;
use accl_ir::rewrite::{Subst, mentions, rewrite_exprs, substitute};
use accl_ir::{
    Access, ArrayLen, Block, Body, Expr, ExprKind, Handle, Local, Loop, Module, Region, Stmt, StmtNode,
    TypeKind, Types, visit,
};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};
use std::collections::BTreeSet;
use std::ops::Range;

pub const PASS: Pass = Pass {
    name: "array_contraction",
    promise: "Loops that build and use a short row of sums are one loop, with a scalar for the row.",
    run,
};

/// Elements of an array that becomes a scalar.
const MOST: u64 = 64;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    if !cx.options.auto_parallel {
        return;
    }
    regions::each_compute(module, Asks::Reads(cx.options.files), &mut |module, body, region, site| {
        let mut tried = BTreeSet::new();
        while let Some(row) = next(&module.types, body, &region.body, &mut tried) {
            let mut own = visit::declared_locals(&region.body);
            own.remove(&row.array);
            if !own_arrays::fit_gangs(&module.types, body, &own) {
                continue;
            }
            let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
            let apart = are_apart(&summary, region, site, &row);
            drop(summary);
            if apart {
                let place = block_at(&region.body, &row.path)[row.run.end - 1].span;
                let name = source_name(body, row.array);
                let message = format!("Loops over {name} are one, with a scalar for each of its elements");
                cx.remark(Remark::new(
                    remarks::TRANSFORMED,
                    RemarkKind::Transform,
                    &site.name,
                    place,
                    message,
                ));
                contract(&module.types, body, &mut region.body, &row);
                cx.analyses.forget(site.construct);
            }
        }
    });
}

/// The way to a block: of each statement on it the number, and that of its block.
type Path = Vec<(usize, usize)>;

/// An array whose elements are needed inside of one run of loops alone.
struct Row {
    array: Handle<Local>,
    /// Where it is declared.
    declared: Path,
    /// The declaration and the stores of its first elements.
    begin: Range<usize>,
    /// What these stores store; `None`: the first loop of the run sets the elements.
    first: Option<Handle<Expr>>,
    /// The block of the loops, and which statements these are.
    path: Path,
    run: Range<usize>,
}

impl Row {
    fn run<'b>(&self, block: &'b Block) -> &'b [StmtNode] {
        &block_at(block, &self.path)[self.run.clone()]
    }
}

fn block_at<'b>(block: &'b Block, path: &[(usize, usize)]) -> &'b Block {
    path.iter().fold(block, |block, (at, inner)| block[*at].kind.blocks()[*inner])
}

fn block_at_mut<'b>(block: &'b mut Block, path: &[(usize, usize)]) -> &'b mut Block {
    path.iter().fold(block, |block, (at, inner)| block[*at].kind.blocks_mut().swap_remove(*inner))
}

/// The next array that has the form.
fn next(types: &Types, body: &Body, block: &Block, tried: &mut BTreeSet<Handle<Local>>) -> Option<Row> {
    let mut arrays = vec![];
    short_arrays(types, body, block, &mut vec![], &mut arrays);
    arrays.into_iter().find_map(|(array, length, at, path)| {
        let is_new = tried.insert(array);
        is_new.then(|| row(body, block, array, length, (path, at))).flatten()
    })
}

fn short_arrays(
    types: &Types,
    body: &Body,
    block: &Block,
    path: &mut Path,
    found: &mut Vec<(Handle<Local>, u64, usize, Path)>,
) {
    for (at, node) in block.iter().enumerate() {
        if let Stmt::Declare { local, init: None } = node.kind
            && let TypeKind::Array { of, len: ArrayLen::Const(length) } = types.kind(body.locals[local].ty)
            && types.is_scalar(*of)
            && *length <= MOST
        {
            found.push((local, *length, at, path.clone()));
        }
        for (number, inner) in node.kind.blocks().into_iter().enumerate() {
            path.push((at, number));
            short_arrays(types, body, inner, path, found);
            path.pop();
        }
    }
}

fn row(
    body: &Body,
    block: &Block,
    array: Handle<Local>,
    length: u64,
    (declared, at): (Path, usize),
) -> Option<Row> {
    let around = block_at(block, &declared);
    let stored = |node: &StmtNode| match node.kind {
        Stmt::Store { place, op: None, value } => Some((element_of(body, place, array)?, value)),
        _ => None,
    };
    let known = |e: Handle<Expr>| match body.exprs[e].kind {
        ExprKind::Int(n) => Some(n),
        _ => None,
    };
    // Stores of one value to all elements.
    let stores: Vec<_> = around[at + 1..].iter().map_while(stored).collect();
    let values: Vec<_> = stores.iter().map_while(|(index, value)| Some((known(*index)?, *value))).collect();
    let all: BTreeSet<_> = values.iter().map(|(index, _)| *index).collect();
    let is_number = |e: &Handle<Expr>| matches!(body.exprs[*e].kind, ExprKind::Int(_) | ExprKind::Float(_));
    let value = values.first().map(|(_, value)| *value).filter(is_number);
    let same = |value: Handle<Expr>| values.iter().all(|(_, other)| visit::same_expr(body, value, *other));
    let first = value.filter(|value| same(*value) && all.len() as u64 == length);
    let begin = at..at + 1 + values.len();

    // The block with several statements that use it.
    let mut path = declared.clone();
    let mut uses =
        users(body, around, array).into_iter().filter(|at| !begin.contains(at)).collect::<Vec<_>>();
    while let [only] = uses[..] {
        let inner = &block_at(block, &path)[only].kind;
        if matches!(inner, Stmt::For(l) if l.directive.is_some())
            || !matches!(inner, Stmt::For(_) | Stmt::Block(_))
        {
            return None;
        }
        path.push((only, 0));
        uses = users(body, block_at(block, &path), array);
    }
    let run = *uses.first()?..*uses.last()? + 1;
    let row = Row { array, declared, begin, first, path, run };
    (uses.len() == row.run.len() && has_form(body, row.run(block), &row)).then_some(row)
}

/// The statements that name the array, by their numbers.
fn users(body: &Body, block: &[StmtNode], array: Handle<Local>) -> Vec<usize> {
    let names = |at: &usize| visit::names_local(body, &block[*at..=*at], array);
    (0..block.len()).filter(names).collect()
}

/// The array that is a variable, of which the place is an element, and its subscript.
pub fn element(body: &Body, place: Handle<Expr>) -> Option<(Handle<Local>, Handle<Expr>)> {
    let ExprKind::Index { base, index } = body.exprs[place].kind else { return None };
    let base = if let ExprKind::Decay(base) = body.exprs[base].kind { base } else { base };
    match body.exprs[base].kind {
        ExprKind::Local(array) => Some((array, index)),
        _ => None,
    }
}

/// The subscript of an element of the array.
fn element_of(body: &Body, place: Handle<Expr>, array: Handle<Local>) -> Option<Handle<Expr>> {
    element(body, place).and_then(|(of, index)| (of == array).then_some(index))
}

fn is_element_of(body: &Body, place: Handle<Expr>, array: Handle<Local>, counter: Handle<Local>) -> bool {
    element_of(body, place, array).is_some_and(|index| match body.exprs[index].kind {
        ExprKind::Load(place) => matches!(body.exprs[place].kind, ExprKind::Local(l) if l == counter),
        _ => false,
    })
}

/// The loops of a nest, the outermost first.
fn nest(node: &StmtNode) -> Vec<&Loop> {
    let Stmt::For(l) = &node.kind else { return vec![] };
    std::iter::successors(Some(&**l), |l| visit::only_loop(&l.body)).collect()
}

/// The loop of a nest that goes through the array, and those around it.
fn along<'n>(body: &Body, node: &'n StmtNode, array: Handle<Local>) -> Option<(&'n Loop, Vec<&'n Loop>)> {
    let mut around = nest(node);
    let goes = |l: &&Loop| {
        let mut found = false;
        visit::all_exprs(&body.exprs, &l.body, &mut |e| found |= is_element_of(body, e, array, l.var));
        found
    };
    let at = around.iter().position(goes)?;
    let l = around[at];
    around.truncate(at);
    Some((l, around))
}

/// Each statement is a loop through the array, some in loops of their own, with the same iterations, and all uses of an element lie in
/// its iterations.
fn has_form(body: &Body, run: &[StmtNode], row: &Row) -> bool {
    let found: Option<Vec<_>> = run.iter().map(|node| along(body, node, row.array)).collect();
    let Some(found) = found.filter(|found| found.len() > 1) else { return false };
    let is_plain = |node: &&StmtNode| match &node.kind {
        Stmt::Declare { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::Block(_) => true,
        Stmt::For(l) => l.directive.is_none(),
        _ => false,
    };
    let mut plain = true;
    visit::for_each_stmt(run, &mut |node| plain &= is_plain(&node));
    let changed = visit::written_locals(body, run);
    let fixed = |l: &Loop| [l.lower, l.bound, l.step].into_iter().all(|e| visit::is_fixed(body, e, &changed));
    let last = found[found.len() - 1].0;
    let same = |l: &Loop| {
        let pairs = [(l.lower, last.lower), (l.bound, last.bound), (l.step, last.step)];
        l.compare == last.compare
            && body.locals[l.var].ty == body.locals[last.var].ty
            && pairs.into_iter().all(|(a, b)| visit::same_expr(body, a, b))
    };
    let inside = |l: &Loop| {
        let (mut all, mut own) = (0, 0);
        visit::all_exprs(&body.exprs, &l.body, &mut |e| {
            all += usize::from(matches!(body.exprs[e].kind, ExprKind::Local(local) if local == row.array));
            own += usize::from(is_element_of(body, e, row.array, l.var));
        });
        all == own
    };
    let good = |(l, around): &(&Loop, Vec<&Loop>)| {
        same(l) && inside(l) && fixed(l) && around.iter().all(|l| fixed(l) && !uses(body, l, row.array))
    };
    plain
        && found.iter().all(good)
        && found.iter().any(|(_, around)| !around.is_empty())
        && (begins(body, &found[0], row.array) || ends(body, &found[found.len() - 1], row))
}

/// The header of the loop names the array.
fn uses(body: &Body, l: &Loop, array: Handle<Local>) -> bool {
    [l.lower, l.bound, l.step].into_iter().any(|e| mentions(body, e, array))
}

/// The value that the iteration stores to its element with this statement.
fn stored(body: &Body, node: &StmtNode, array: Handle<Local>) -> Option<Handle<Expr>> {
    match node.kind {
        Stmt::Store { place, op: None, value } => {
            (element_of(body, place, array).is_some() && !mentions(body, value, array)).then_some(value)
        }
        _ => None,
    }
}

/// Each iteration sets its element before it uses it.
fn begins(body: &Body, (l, around): &(&Loop, Vec<&Loop>), array: Handle<Local>) -> bool {
    let users = users(body, &l.body, array);
    around.is_empty() && users.first().is_some_and(|at| stored(body, &l.body[*at], array).is_some())
}

/// Each iteration leaves its element with the first value.
fn ends(body: &Body, (l, around): &(&Loop, Vec<&Loop>), row: &Row) -> bool {
    let users = users(body, &l.body, row.array);
    let value = users.last().and_then(|at| stored(body, &l.body[*at], row.array));
    around.is_empty()
        && value.zip(row.first).is_some_and(|(value, first)| visit::same_expr(body, value, first))
}

/// One of the loops at most writes anything but the array, in the order of its iterations, and no other reads that. What the counters
/// are after the loops nobody reads.
fn are_apart(summary: &Summary<'_>, region: &Region, site: &Site, row: &Row) -> bool {
    let body = summary.provenance.scope.body;
    let effects: Vec<Effects> =
        row.run(&region.body).iter().map(|node| Effects::of(summary, node, row.array)).collect();
    let mut dead = true;
    visit::for_each_loop(row.run(&region.body), &mut |l, _| dead &= !is_read_later(summary, region, site, l));
    let writers: Vec<usize> = (0..effects.len()).filter(|at| effects[*at].writes()).collect();
    let apart = match writers[..] {
        [] => true,
        [writer] => {
            let others = effects.iter().enumerate().filter(|(at, _)| *at != writer);
            let in_order =
                along(body, &row.run(&region.body)[writer], row.array).is_some_and(|(_, k)| k.is_empty());
            in_order && others.into_iter().all(|(_, e)| !e.reads_of(summary, &effects[writer]))
        }
        _ => false,
    };
    dead && apart && effects.iter().all(|e| !e.calls)
}

/// What one of the loops does with anything but the array and its own variables.
#[derive(Default)]
struct Effects {
    /// It calls a function or takes an address.
    calls: bool,
    named: BTreeSet<Handle<Local>>,
    set: BTreeSet<Handle<Local>>,
    read: BTreeSet<Root>,
    written: BTreeSet<Root>,
}

impl Effects {
    fn of(summary: &Summary<'_>, node: &StmtNode, array: Handle<Local>) -> Effects {
        let body = summary.provenance.scope.body;
        let statements = std::slice::from_ref(node);
        let mut found = Effects::default();
        let mut own = visit::declared_locals(statements);
        own.insert(array);
        own.extend(visit::loop_variables(statements));
        visit::for_each_expr(body, statements, &mut |e, _| {
            found.calls |= matches!(body.exprs[e].kind, ExprKind::Call { .. } | ExprKind::AddrOf(_));
        });
        visit::for_each_place(body, statements, &mut |e, access| match body.exprs[e].kind {
            ExprKind::Local(l) => found.named.extend((!own.contains(&l)).then_some(l)),
            _ if element_of(body, e, array).is_some() => {}
            _ => {
                let roots = summary.provenance.place_roots(e);
                if access.writes() {
                    found.written.extend(roots.iter().cloned());
                }
                found.read.extend(roots.into_iter().filter(|_| access != Access::Write));
            }
        });
        found.set = &visit::written_locals(body, statements) - &own;
        found
    }

    fn writes(&self) -> bool {
        !self.set.is_empty() || !self.written.is_empty()
    }

    fn reads_of(&self, summary: &Summary<'_>, other: &Effects) -> bool {
        let meets = |root: &Root| other.written.iter().any(|w| w == root || may_alias(summary, w, root));
        self.named.intersection(&other.set).next().is_some() || self.read.iter().any(meets)
    }
}

/// The loops become one, and the array a scalar.
fn contract(types: &Types, body: &mut Body, block: &mut Block, row: &Row) {
    let Some(ty) = types.element(body.locals[row.array].ty) else { return };
    let span = block_at(block, &row.path)[row.run.end - 1].span;
    let mut nodes: Vec<StmtNode> = block_at_mut(block, &row.path).drain(row.run.clone()).collect();
    let depths: Vec<usize> = nodes.iter().filter_map(|n| Some(along(body, n, row.array)?.1.len())).collect();
    let scalar = block_scalars::copy_of(body, row.array);
    body.locals[scalar].ty = ty;
    let loops: Vec<Loop> =
        nodes.iter_mut().zip(depths).filter_map(|(n, depth)| take_loop(n, depth)).collect();
    let Some(mut joined) = loops.last().cloned() else { return };
    joined.body = vec![declare(scalar, row.first)];
    for (mut node, l) in nodes.into_iter().zip(loops) {
        let mut iteration = l.body;
        if l.var != joined.var {
            substitute(body, &mut iteration, l.var, Subst::Local(joined.var));
        }
        fill(&mut node, iteration);
        joined.body.push(node);
    }
    rewrite_exprs(body, &mut joined.body, &mut |body, e| match element_of(body, e, row.array) {
        Some(_) => body.place(scalar),
        None => e,
    });
    block_at_mut(block, &row.path)
        .insert(row.run.start, StmtNode { kind: Stmt::For(Box::new(joined)), span });
    block_at_mut(block, &row.declared).drain(row.begin.clone());
}

/// Takes the loop at this depth of a nest away; a block without statements is in its place.
fn take_loop(node: &mut StmtNode, depth: usize) -> Option<Loop> {
    match &mut node.kind {
        Stmt::Block(inner) => take_loop(inner.first_mut()?, depth),
        Stmt::For(l) if depth > 0 => take_loop(l.body.first_mut()?, depth - 1),
        kind => match std::mem::replace(kind, Stmt::Block(vec![])) {
            Stmt::For(l) => Some(*l),
            _ => None,
        },
    }
}

/// Puts the statements in the place of the block without any.
fn fill(node: &mut StmtNode, mut statements: Block) {
    match &mut node.kind {
        Stmt::Block(inner) if inner.is_empty() && statements.len() == 1 => {
            *node = statements.swap_remove(0);
        }
        Stmt::Block(inner) if inner.is_empty() => *inner = statements,
        Stmt::Block(inner) => fill(&mut inner[0], statements),
        Stmt::For(l) => fill(&mut l.body[0], statements),
        _ => {}
    }
}
