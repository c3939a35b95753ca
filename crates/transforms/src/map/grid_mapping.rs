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
use super::{shape, with_reductions};
use crate::build::{Builder, node};
use accl_ir::{Block, Body, Builtin, Expr, Handle, Kernel, Loop, Stmt, Types, visit};
use accl_source::Span;

const MAX_GRID_YZ: i128 = 65535;

/// The body of one thread.
pub fn body(types: &mut Types, kernel: &Kernel) -> Body {
    with_strides(types, kernel, None)
}

/// The body of one thread, in which the loop over this dimension strides over the grid, whatever the kernel.
pub fn striding(types: &mut Types, kernel: &Kernel, over: u8) -> Body {
    with_strides(types, kernel, Some(over))
}

fn with_strides(types: &mut Types, kernel: &Kernel, over: Option<u8>) -> Body {
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let (loops, inner) = nest(&kernel.body.block);
    let mut block = inner.clone();
    let mut b = Builder { types, body: &mut body };
    let strides = |b: &Builder<'_>, l: &Loop| over == Some(dim(l)) || shape::strides(kernel, b, l);
    if !loops.iter().any(|(l, _)| strides(&b, l)) && block.iter().any(|n| continues(&n.kind)) {
        block = once(&mut b, block);
    }
    for (l, span) in &loops {
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
fn continues(stmt: &Stmt) -> bool {
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
