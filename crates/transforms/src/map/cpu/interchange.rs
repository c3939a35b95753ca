//! Loop interchange with strip-mining: a strip of a parallel loop's iterations runs inside its sequential loops.
//!
//! In `for (j…) { y[j] = 0; for (i…) y[j] += a[i][j] * x[i]; }`, with j parallel, the loop over i meets one element of each
//! row and, where rows are pages, a page for each addition. Neighbouring iterations read neighbouring elements, so they are
//! run side by side, as many as keep what they accumulate in the first-level cache:
//!
//! ```text
//! for (long j_strip = 0; j_strip < m; j_strip += 2048) {
//!     int j_first = j_strip, lanes = min(m - j_strip, 2048);
//!     for (int k = 0; k < lanes; k++) { int j = j_first + k; y[j] = 0; }
//!     long turns;
//!     for (turns = 0; turns < n - 3; turns += 4) {
//!         int i = turns;
//!         for (int k = 0; k < lanes; k++) { int j = j_first + k; y[j] += a[i][j] * x[i]; … y[j] += a[i + 3][j] * x[i + 3]; }
//!     }
//!     for (int i = turns; i < n; i++)
//!         for (int k = 0; k < lanes; k++) { int j = j_first + k; y[j] += a[i][j] * x[i]; }
//! }
//! ```
//!
//! What a loop accumulates is stored once for four of its turns. Parallel iterations may run in any order, so nothing needs
//! to be proven; each of them does what it did, in its own order. Loops whose sums the launch would otherwise reduce side by
//! side are sequential here.

use super::super::indices::{self, for_at};
use super::super::steps::unroll_and_jam::emit::{is_unrolled, live_across};
use super::super::steps::unroll_and_jam::strides::{Strides, accumulators};
use super::super::steps::unroll_and_jam::{Axis, Group, Run, ThreadTile, bounds, plan};
use crate::build::{Builder, counting, declare, node};
use crate::device_model::DeviceModel;
use accl_analysis::text::source_name;
use accl_ir::rewrite::{Cloner, Subst};
use accl_ir::{
    BinaryOp, Block, Body, Compare, ExprKind, Loop, LoopLevels, MathFn, Stmt, StmtNode, TypeKind, visit,
};
use accl_source::Span;

/// Half of a first-level cache, in numbers of eight bytes: what the iterations of a strip accumulate. The rows that they
/// read have the other half.
const KEPT: usize = 2048;
/// Strips shorter than this gain nothing over iterations in registers.
const SHORTEST: usize = 128;
/// Turns of a sequential loop that share the stores of what it accumulates, and the most accesses of a turn that has so few
/// that copies of it are worth their code.
const TURNS: i128 = 4;
const FEW_ACCESSES: usize = 16;

/// A loop whose iterations run in strips inside its sequential loops.
pub struct Interchanged {
    pub span: Span,
    pub name: String,
    pub width: u32,
}

/// Turns the nests of all parallel loops in the block.
pub fn within(b: &mut Builder<'_>, block: Block, done: &mut Vec<Interchanged>) -> Block {
    let mut out = vec![];
    for mut statement in block {
        if let Stmt::For(l) = &statement.kind
            && l.levels.as_ref().is_some_and(|levels| !levels.is_seq())
            && let Some(strips) = strips(b, l, statement.span, done)
        {
            out.extend(strips);
            continue;
        }
        for inner in statement.kind.blocks_mut() {
            *inner = within(b, std::mem::take(inner), done);
        }
        out.push(statement);
    }
    out
}

/// The parallel loop in strips; `None` where its sequential loops go through memory well enough, or cannot be shared.
pub fn strips(b: &mut Builder<'_>, l: &Loop, span: Span, done: &mut Vec<Interchanged>) -> Option<Block> {
    if !indices::counts_up_by_one(b.types, b.body, l) || !l.declared_here {
        return None;
    }
    let mut inner = l.body.clone();
    without_lanes(&mut inner);
    bounds::in_place(b.body, l, &mut inner);
    let groups = plan::undivided_groups(b.types, b.body, l, &inner)?;
    if !pays(b, l, &groups) || has_compressed(b, &inner) {
        return None;
    }
    let width = width(b, &inner, &groups)?;
    done.push(Interchanged { span, name: source_name(b.body, l.var), width });
    Some(in_strips(b, l, span, &groups, width))
}

/// Loops that reduce side by side run one turn after the other.
fn without_lanes(block: &mut Block) {
    visit::for_each_stmt_mut(block, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && l.directive.as_ref().is_some_and(|d| !d.reductions.is_empty())
        {
            (l.directive, l.levels) = (None, Some(LoopLevels::default()));
        }
    });
}

/// Most accesses are to neighbouring elements, in loops that are too long to be unrolled with iterations in registers.
fn pays(b: &Builder<'_>, l: &Loop, groups: &[Group]) -> bool {
    let lanes = i128::from(DeviceModel::cpu().warp);
    Strides::of(b.body, groups, l.var).favour_columns()
        && groups.iter().any(|g| g.loops() && !is_unrolled(b, g, lanes))
}

fn has_compressed(b: &Builder<'_>, block: &Block) -> bool {
    let mut found = false;
    visit::for_each_place(b.body, block, &mut |place, _| {
        found |= matches!(b.types.kind(b.ty(place)), TypeKind::Compressed { .. });
    });
    found
}

/// How many iterations keep what they have from turn to turn in the cache.
fn width(b: &Builder<'_>, block: &Block, groups: &[Group]) -> Option<u32> {
    let mut kept = live_across(b, &[groups]).len();
    visit::for_each_loop(block, &mut |l, _| {
        let places = accumulators(b.body, l).into_iter();
        kept += places.filter(|p| !matches!(b.body.exprs[*p].kind, ExprKind::Local(_))).count();
    });
    let width = (KEPT / kept.max(1)).next_multiple_of(SHORTEST).min(KEPT);
    (kept * SHORTEST <= KEPT).then_some(width as u32)
}

fn in_strips(b: &mut Builder<'_>, l: &Loop, span: Span, groups: &[Group], width: u32) -> Block {
    let (int, long, ty) = (b.types.i32(), b.types.int(64, true), b.body.locals[l.var].ty);
    let name = b.body.locals[l.var].name.clone();
    let temp = |b: &mut Builder<'_>, stem: &str, ty| b.body.temp(&format!("{name}_{stem}"), ty);
    let (strip, first) = (temp(b, "strip", long), temp(b, "first", ty));
    let (end, lanes) = (b.body.temp("end", long), b.body.temp("lanes", int));

    let behind = b.cast(l.bound, long);
    let behind = match indices::directed(b, l) {
        Compare::Le => {
            let one = b.int(1, long);
            b.add(behind, one)
        }
        _ => behind,
    };
    let (from, to, at) = (b.cast(l.lower, long), b.load(end), b.load(strip));
    let left = b.binary(BinaryOp::Sub, to, at);
    let most = b.int(width.into(), long);
    let count = b.expr(ExprKind::Math { fun: MathFn::Min, args: vec![left, most] }, long);
    let (begin, count) = (b.cast(at, ty), b.cast(count, int));
    let mut body = vec![declare(first, Some(begin)), declare(lanes, Some(count))];

    let apart = b.int(1, int);
    let mut tile = ThreadTile::strip(Axis { var: l.var, first, apart, width, lower: None }, lanes);
    body.extend(tile.make_arrays(b, &[groups]));
    groups.iter().for_each(|group| shared(b, &tile, group, &mut body));
    let Stmt::For(around) = counting(strip, from, to, most, body).kind else { unreachable!("a loop") };
    vec![declare(end, Some(behind)), for_at(*around, span)]
}

/// A group, run by all iterations of the strip.
fn shared(b: &mut Builder<'_>, tile: &ThreadTile, group: &Group, out: &mut Block) {
    match group {
        Group::Each { block, .. } => out.extend(side_by_side(b, tile, block)),
        Group::Inner { shell, span, body } => {
            let mut l = indices::shell(shell);
            if let [Group::Each { block, .. }] = body.as_slice() {
                several_turns(b, tile, &mut l, *span, block, out);
            }
            body.iter().for_each(|group| shared(b, tile, group, &mut l.body));
            out.push(for_at(l, *span));
        }
        Group::Branch { cond, then, otherwise } => {
            let of = |b: &mut Builder<'_>, groups: &[Group]| {
                let mut block = vec![];
                groups.iter().for_each(|group| shared(b, tile, group, &mut block));
                block
            };
            let (then, otherwise) = (of(b, then), of(b, otherwise));
            out.push(node(Stmt::If { cond: *cond, then, otherwise }));
        }
    }
}

/// The loop over the strip, which compilers vectorise.
fn side_by_side(b: &mut Builder<'_>, tile: &ThreadTile, block: &Block) -> Option<StmtNode> {
    let mut each = tile.each(b, block, Run::All)?;
    if let Stmt::For(k) = &mut each.kind {
        k.levels = Some(LoopLevels { vector: true, ..LoopLevels::default() });
    }
    Some(each)
}

/// Four turns at a time of a loop that accumulates; `l` becomes the loop over the rest.
fn several_turns(
    b: &mut Builder<'_>,
    tile: &ThreadTile,
    l: &mut Loop,
    span: Span,
    block: &Block,
    out: &mut Block,
) {
    l.body.clone_from(block);
    let worthwhile = indices::counts_up_by_one(b.types, b.body, l)
        && accesses(b.body, block) <= FEW_ACCESSES
        && !accumulators(b.body, l).is_empty();
    l.body.clear();
    if !worthwhile {
        return;
    }
    // Counted in 64 bits, where three turns less do not overflow.
    let (long, ty) = (b.types.int(64, true), b.body.locals[l.var].ty);
    let name = b.body.locals[l.var].name.clone();
    let (turns, first) = (b.body.temp("turns", long), b.body.temp(&format!("{name}_first"), ty));
    let at = b.load(turns);
    let at = b.cast(at, ty);
    let mut copies = vec![];
    for n in 0..TURNS {
        let (begin, n) = (b.load(first), b.int(n, ty));
        let value = b.add(begin, n);
        let mut copy = Cloner::new();
        copy.replace(l.var, Subst::Value(value));
        copies.extend(copy.block_within(b.body, block));
    }
    let mut body = vec![declare(first, Some(at))];
    body.extend(side_by_side(b, tile, &copies));
    let (lower, bound) = (b.cast(l.lower, long), b.cast(l.bound, long));
    let [others, step] = [TURNS - 1, TURNS].map(|n| b.int(n, long));
    let bound = b.binary(BinaryOp::Sub, bound, others);
    let around = Loop {
        var: turns,
        declared_here: false,
        lower,
        compare: indices::directed(b, l),
        bound,
        step,
        body,
        directive: None,
        levels: Some(LoopLevels::default()),
    };
    out.push(declare(turns, None));
    out.push(for_at(around, span));
    l.lower = at;
    l.compare = indices::directed(b, l);
}

fn accesses(body: &Body, block: &Block) -> usize {
    let mut count = 0;
    visit::for_each_place(body, block, &mut |place, _| {
        count += usize::from(!matches!(body.exprs[place].kind, ExprKind::Local(_)));
    });
    count
}
