//! Launches that give each thread one iteration.
//!
//! `for (i…) for (j…) body` over dimensions y and x becomes
//!
//! ```text
//! for (int i = lower + blockIdx.y * blockDim.y + threadIdx.y; i < n; i += gridDim.y * blockDim.y) {
//!     int j = lower + blockIdx.x * blockDim.x + threadIdx.x;
//!     if (j < m) body
//! }
//! ```
//!
//! The loops over y and z stride over the grid, because a grid has at most 65535 blocks in these dimensions. Where
//! the trip count is a constant below that, they become an `if` too. In a kernel that reduces, one loop always
//! strides, over a grid of fewer blocks; with `num_gangs` all do. There are no barriers in the body: every loop
//! inside is sequential.

use super::indices::{self, for_at, linear, single, strided};
use super::{block_mapping, shape, window, with_reductions};
use crate::build::{Builder, counting, declare, node};
use accl_ir::{Block, Body, Builtin, Expr, Handle, Kernel, Loop, Stmt, Types, visit};
use accl_source::Span;

const MAX_GRID_YZ: i128 = 65535;

/// Each thread has an iteration, and shares nothing with others: there are neither gangs with loops for their lanes nor windows.
pub fn suffices(kernel: &Kernel) -> bool {
    let spread = shape::one_iteration_a_thread(kernel) && !block_mapping::is_needed(kernel);
    spread && !window::has_windows(&kernel.body.block)
}

/// The body of one thread.
pub fn body(types: &mut Types, kernel: &Kernel) -> Body {
    written(types, kernel, None, None)
}

/// The body of one thread, in which the loop over this dimension strides over the grid, whatever the kernel.
pub fn striding(types: &mut Types, kernel: &Kernel, over: u8) -> Body {
    written(types, kernel, Some(over), None)
}

/// The body of one thread, whose block takes `count` times its iterations of the outermost loop, one after the other.
pub fn in_chunks(types: &mut Types, kernel: &Kernel, count: u32) -> Body {
    written(types, kernel, None, Some(count))
}

fn written(types: &mut Types, kernel: &Kernel, over: Option<u8>, chunk: Option<u32>) -> Body {
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let (loops, inner) = nest(&kernel.body.block);
    let mut block = inner.clone();
    let mut b = Builder { types, body: &mut body };
    let strides = |b: &Builder<'_>, l: &Loop| over == Some(dim(l)) || shape::strides(kernel, b, l);
    let one_iteration = chunk.is_none() && !loops.iter().any(|(l, _)| strides(&b, l));
    if one_iteration && block.iter().any(|n| continues(&n.kind)) {
        block = once(&mut b, block);
    }
    for (at, (l, span)) in loops.iter().enumerate() {
        if let Some(count) = chunk.filter(|_| at + 1 == loops.len()) {
            let strides = strides(&b, l);
            block = chunked(&mut b, l, *span, count, strides, block);
            continue;
        }
        let d = dim(l);
        let first = linear(&mut b, l, Builtin::BlockIdx(d), Builtin::BlockDim(d), Builtin::ThreadIdx(d));
        block = match strides(&b, l) {
            true => over_grid(&mut b, l, *span, first, block),
            false => single(&mut b, l, first, block),
        };
    }
    body.block = with_reductions(types, kernel, &mut body, block);
    body
}

/// `count` iterations that are the threads of a block apart, of a loop that counts up by one; where the loop strides, again the
/// grid's iterations later.
fn chunked(b: &mut Builder<'_>, l: &Loop, span: Span, count: u32, strides: bool, body: Block) -> Block {
    let d = dim(l);
    let int = b.types.i32();
    let ty = b.body.locals[l.var].ty;
    let [threads, thread] = [Builtin::BlockDim(d), Builtin::ThreadIdx(d)].map(|builtin| b.builtin(builtin));
    let times = b.int(i128::from(count), int);
    let of_block = b.mul(threads, times);
    let block = b.builtin(Builtin::BlockIdx(d));
    let block = indices::widen(b, l, block);
    let start = b.mul(block, of_block);
    let start = b.add(start, thread);

    let first = b.body.temp(&format!("{}_first", b.body.locals[l.var].name), ty);
    let ahead = b.body.temp("ahead", int);
    let iteration = b.load(ahead);
    let from_first = Loop { lower: b.load(first), ..indices::shell(l) };
    let inner = single(b, &from_first, iteration, body);
    let zero = b.int(0, int);
    // In steps that only the launch knows: a copy of the body for each would be long.
    let turns = vec![counting(ahead, zero, of_block, threads, inner)];
    if !strides {
        let lower = indices::offset(b, l, start);
        return std::iter::once(declare(first, Some(lower))).chain(turns).collect();
    }
    let blocks = b.builtin(Builtin::GridDim(d));
    let blocks = indices::widen(b, l, blocks);
    let stride = b.mul(blocks, of_block);
    let over = Loop { var: first, ..indices::shell(l) };
    vec![for_at(strided(b, &over, start, stride, turns), span)]
}

/// `for (i = first; i < n; i += threads of the grid)`
pub fn over_grid(b: &mut Builder<'_>, l: &Loop, span: Span, first: Handle<Expr>, body: Block) -> Block {
    let d = dim(l);
    let blocks = b.builtin(Builtin::GridDim(d));
    let blocks = indices::widen(b, l, blocks);
    let threads = b.builtin(Builtin::BlockDim(d));
    let stride = b.mul(blocks, threads);
    vec![for_at(strided(b, l, first, stride, body), span)]
}

/// Even blocks of one thread in this dimension stay within the limit of the grid.
pub fn few_trips(b: &Builder<'_>, l: &Loop) -> bool {
    match (b.as_int(l.lower), b.as_int(l.bound), b.as_int(l.step)) {
        (Some(lower), Some(bound), Some(step)) => {
            crate::outline::trips::count(lower, bound, l.compare, step) <= MAX_GRID_YZ
        }
        _ => false,
    }
}

/// The distributed loops by rising dimension, and the body of the innermost.
pub fn nest(block: &Block) -> (Vec<(&Loop, Span)>, &Block) {
    let mut loops = vec![];
    let mut inner = block;
    while let Some(l) = visit::only_loop(inner) {
        if l.levels.as_ref().is_none_or(|s| s.dim.is_none()) {
            break;
        }
        let span = visit::only_stmt(inner).map_or(Span::default(), |n| n.span);
        loops.push((l, span));
        inner = &l.body;
    }
    loops.sort_by_key(|(l, _)| dim(l));
    (loops, inner)
}

pub fn dim(l: &Loop) -> u8 {
    l.levels.as_ref().and_then(|s| s.dim).unwrap_or(0)
}

/// A `continue` of the iteration itself, not of a loop inside.
pub fn continues(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Continue => true,
        Stmt::For(_) | Stmt::While { .. } => false,
        other => other.blocks().into_iter().flatten().any(|n| continues(&n.kind)),
    }
}

/// `do block while (0)`, so that `continue` still ends the iteration.
fn once(b: &mut Builder<'_>, block: Block) -> Block {
    let int = b.types.i32();
    let cond = Some(b.int(0, int));
    vec![node(Stmt::While { cond, body: block, step: vec![], test_last: true })]
}
