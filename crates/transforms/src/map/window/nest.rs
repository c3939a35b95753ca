//! The distributed loops of a kernel with windows, and the blocks of threads their iterations form.
//!
//! A block runs iterations `base .. base + threads` of each loop. Its threads wait for each other at barriers, so a
//! loop over the blocks of a grid counts bases, which are the same in all threads, and not iterations.

use super::super::indices;
use super::affine::{self, Moves};
use crate::build::Builder;
use accl_ir::{Body, Builtin, Expr, Handle, Local, Loop, Types};
use accl_source::Span;

/// One distributed loop.
#[derive(Clone, Debug)]
pub struct NestLoop {
    /// Its header; the body is empty.
    pub l: Loop,
    pub span: Span,
    /// Iterations of a block, as programs count them.
    pub threads: u32,
    /// How many neighbouring blocks the same threads run.
    pub blocks: u32,
    /// The threads that run them. Each has the same number of iterations.
    pub lanes: u32,
    /// The variable's value in the first iteration.
    pub base: Handle<Local>,
}

impl NestLoop {
    /// How many iterations run at the same time.
    pub fn iterations(&self) -> u32 {
        self.threads * self.blocks
    }

    /// How many iterations each of these threads has.
    pub fn each(&self) -> u32 {
        self.iterations() / self.lanes
    }
}

/// How blocks of iterations are run in one dimension.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub blocks: u32,
    pub lanes: u32,
}

/// Each thread has one iteration.
pub fn one_each(block: [u32; 3]) -> [Shape; 3] {
    block.map(|lanes| Shape { blocks: 1, lanes })
}

/// By dimension, x first.
#[derive(Clone, Debug)]
pub struct Nest {
    pub loops: Vec<NestLoop>,
}

impl Nest {
    /// `loops` as [`grid_mapping::nest`](super::super::grid_mapping::nest) gives them.
    pub fn new(body: &mut Body, loops: &[(&Loop, Span)], block: [u32; 3], shapes: [Shape; 3]) -> Nest {
        let mut all = vec![];
        for (d, (l, span)) in loops.iter().enumerate() {
            let (ty, name) = (body.locals[l.var].ty, format!("{}_base", body.locals[l.var].name));
            let base = body.temp(&name, ty);
            let Shape { blocks, lanes } = shapes[d];
            all.push(NestLoop { l: indices::shell(l), span: *span, threads: block[d], blocks, lanes, base });
        }
        Nest { loops: all }
    }

    /// Iterations of a block in a dimension.
    pub fn threads(&self, d: usize) -> u32 {
        self.loops.get(d).map_or(1, |l| l.threads)
    }

    pub fn blocks(&self, d: usize) -> u32 {
        self.loops.get(d).map_or(1, |l| l.blocks)
    }

    /// Threads that run together.
    pub fn lanes(&self, d: usize) -> u32 {
        self.loops.get(d).map_or(1, |l| l.lanes)
    }

    pub fn all_threads(&self) -> u32 {
        self.loops.iter().map(|l| l.lanes).product()
    }

    /// The dimension of a loop's variable.
    pub fn var(&self, l: Handle<Local>) -> Option<usize> {
        self.loops.iter().position(|n| n.l.var == l)
    }

    /// How a loop's variable depends on the thread.
    pub fn moves(&self, types: &Types, body: &Body, d: usize) -> Moves {
        let n = &self.loops[d];
        let step = body.const_int(types, n.l.step).unwrap_or(1);
        let lower = body.const_int(types, n.l.lower).map_or(1, i128::unsigned_abs);
        let mut steps = [0; 3];
        steps[d] = step;
        let mut blocks = [0; 3];
        blocks[d] = if n.blocks > 1 { step * i128::from(n.threads) } else { 0 };
        let multiple = affine::gcd(lower, u128::from(n.iterations()) * step.unsigned_abs());
        Moves { steps, blocks, multiple }
    }

    pub fn counts_up_from_zero(&self, types: &Types, body: &Body) -> bool {
        self.loops.iter().all(|n| {
            let lower = body.const_int(types, n.l.lower);
            let step = body.const_int(types, n.l.step);
            lower.is_some_and(|l| l >= 0) && step.is_some_and(|s| s > 0)
        })
    }

    /// The variable of thread `index`: `base + index * step`.
    pub fn value(&self, b: &mut Builder<'_>, d: usize, index: Handle<Expr>) -> Handle<Expr> {
        let n = &self.loops[d];
        let ty = b.body.locals[n.l.var].ty;
        let base = b.load(n.base);
        let index = b.cast(index, ty);
        let advanced = b.mul(index, n.l.step);
        let value = b.add(base, advanced);
        b.cast(value, ty)
    }

    /// `var < bound`
    pub fn inside(&self, b: &mut Builder<'_>, d: usize) -> Handle<Expr> {
        let l = &self.loops[d].l;
        let compare = indices::directed(b, l);
        let var = b.load(l.var);
        b.binary(compare.operator(), var, l.bound)
    }

    /// On a GPU: the thread's index in a dimension of the block.
    pub fn thread(b: &mut Builder<'_>, d: usize) -> Handle<Expr> {
        b.builtin(Builtin::ThreadIdx(d as u8))
    }
}
