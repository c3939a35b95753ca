//! Tiles of a product in shared memory and registers: FETCH_ONLY windows that the compiler finds by itself.
//!
//! ```text
//! for (i…) for (j…) { sum = 0; for (k…) sum += a[i][k] * b[k][j]; c[i][j] = sum; }
//! ```
//!
//! Each element of `a` is used by a row of iterations, each of `b` by a column. A block takes a tile of iterations,
//! [`Tile::each`] of them a thread; for some `k` at a time its threads fetch the elements they all
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

/// Of a tile whose products warps make: its side, and the side of a warp's part.
const WARPS_SIDE: u32 = 64;
pub const WARP_SIDE: u32 = 32;

/// The sizes of one variant; of two numbers the first is for x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// Threads of a block.
    pub threads: [u32; 2],
    /// Iterations of a thread.
    pub each: [u32; 2],
    /// Iterations of a block.
    pub side: [u32; 2],
    /// Elements of `k` that a block has at a time.
    pub depth: u32,
    /// Elements of a 16-byte access.
    pub group: u32,
    /// Warps multiply matrices ([`accl_ir::TensorProduct`]).
    pub tensor: bool,
}

impl Tile {
    /// Each thread has iterations of its own, in groups of neighbours.
    pub fn of_threads(threads: [u32; 2], each: [u32; 2], depth: u32, bytes: u64) -> Tile {
        let side = [threads[0] * each[0], threads[1] * each[1]];
        Tile { threads, each, side, depth, group: (16 / bytes) as u32, tensor: false }
    }

    /// Four warps have a quarter of the tile each.
    pub fn of_warps(bytes: u64) -> Tile {
        let group = (16 / bytes) as u32;
        Tile { threads: [16, 8], each: [8, 4], side: [WARPS_SIDE; 2], depth: 8, group, tensor: true }
    }

    /// Threads of a block.
    pub fn all_threads(self) -> u32 {
        self.threads[0] * self.threads[1]
    }

    /// Elements of an operand that a thread fetches for one depth.
    pub fn own(self, dim: usize) -> u32 {
        self.side[dim] * self.depth / self.all_threads()
    }

    /// Iterations of a block by its threads, in each dimension.
    pub fn per_thread(self) -> [u32; 3] {
        [self.side[0] / self.threads[0], self.side[1] / self.threads[1], 1]
    }

    /// What tells it from a kernel's other tiles.
    pub fn name(self) -> String {
        match self.side {
            [x, y] if x == y => format!("tile{x}"),
            [x, y] => format!("tile{x}x{y}"),
        }
    }
}

/// The tiled body of a product, and the arrays that a block shares.
pub fn body(module: &mut Module, kernel: &Kernel, plan: &TilePlan, tile: Tile) -> (Body, Vec<Handle<Local>>) {
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let (block, shared) = emit::block(&mut b, plan, tile);
    body.block = block;
    (body, shared)
}
