//! Tiles of a product in shared memory and registers: FETCH_ONLY windows that the compiler finds by itself.
//!
//! ```text
//! for (i…) for (j…) { sum = 0; for (k…) sum += a[i][k] * b[k][j]; c[i][j] = sum; }
//! ```
//!
//! Each element of `a` is used by a row of iterations, each of `b` by a column. A block of 256 threads takes a tile of
//! iterations, [`Tile::each`] by as many of them a thread; for some `k` at a time its threads fetch the elements they all
//! use, and each thread keeps the values of its iterations, and their operands, in registers. The next elements are
//! on their way while these are used. Sums are taken in the order of the program.
//!
//! It needs two distributed loops, perhaps inside a third, with one sequential loop between some straight code. Each array
//! element that this loop accumulates changes with one of the two loops at most, so that a tile shares it; what was set
//! before, in a local or in an element that [scalar replacement](crate::map::scalar_replacement) keeps, is where the sum
//! starts ([`plan`]). Rows beyond the bounds fetch the last row
//! instead. The variants are for arrays that do not overlap and for launches that fill the device even so
//! ([`Requirements::high_occupancy`](accl_ir::Requirements)); smaller launches take the smaller tile, or none.

use super::emit;
use super::plan::TilePlan;
use crate::build::Builder;
use accl_ir::{Body, Handle, Kernel, Local, Module};

/// Threads of a block in each dimension.
pub const SIDE: u32 = 16;
/// Elements of `k` that a block has at a time.
pub const DEPTH: u32 = 8;

/// The sizes of one variant.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// Iterations of a thread in each dimension.
    pub each: u32,
    /// Elements of a 16-byte access.
    pub group: u32,
}

impl Tile {
    /// Iterations of a block in each dimension.
    pub fn side(self) -> u32 {
        SIDE * self.each
    }
}

/// The tiled body of a product, with so many iterations a thread in each dimension, and the arrays that a block shares.
pub fn body(module: &mut Module, kernel: &Kernel, plan: &TilePlan, each: u32) -> (Body, Vec<Handle<Local>>) {
    let tile = Tile { each, group: (16 / plan.bytes) as u32 };
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let (block, shared) = emit::block(&mut b, plan, tile);
    body.block = block;
    (body, shared)
}
