//! The distributed loops of a kernel with windows, and the blocks of threads their iterations form.
//!
//! A block runs iterations `base .. base + threads` of each loop. Its threads meet at barriers, so a loop over the
//! blocks of a grid counts bases, which all threads agree on, not iterations.

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
    pub threads: u32,
    /// The variable's value in the block's first iteration.
    pub base: Handle<Local>,
}

/// By dimension, x first.
#[derive(Clone, Debug)]
pub struct Nest {
    pub loops: Vec<NestLoop>,
}

impl Nest {
    /// `loops` as [`distributed::nest`](super::super::distributed::nest) gives them.
    pub fn new(body: &mut Body, loops: &[(&Loop, Span)], block: [u32; 3]) -> Nest {
        let mut all = vec![];
        for (d, (l, span)) in loops.iter().enumerate() {
            let (ty, name) = (body.locals[l.var].ty, format!("{}_base", body.locals[l.var].name));
            let base = body.temp(&name, ty);
            all.push(NestLoop { l: indices::shell(l), span: *span, threads: block[d], base });
        }
        Nest { loops: all }
    }

    /// Threads of a block in a dimension.
    pub fn threads(&self, d: usize) -> u32 {
        self.loops.get(d).map_or(1, |l| l.threads)
    }

    pub fn all_threads(&self) -> u32 {
        self.loops.iter().map(|l| l.threads).product()
    }

    /// The dimension of a loop's variable.
    pub fn var(&self, l: Handle<Local>) -> Option<usize> {
        self.loops.iter().position(|n| n.l.var == l)
    }

    /// How a loop's variable moves.
    pub fn moves(&self, types: &Types, body: &Body, d: usize) -> Moves {
        let n = &self.loops[d];
        let step = body.const_int(types, n.l.step).unwrap_or(1);
        let lower = body.const_int(types, n.l.lower).map_or(1, i128::unsigned_abs);
        let mut steps = [0; 3];
        steps[d] = step;
        Moves { steps, multiple: affine::gcd(lower, u128::from(n.threads) * step.unsigned_abs()) }
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
        b.binary(indices::operator(compare), var, l.bound)
    }

    /// On a GPU: the thread's index in a dimension of the block.
    pub fn thread(b: &mut Builder<'_>, d: usize) -> Handle<Expr> {
        b.builtin(Builtin::ThreadIdx(d as u8))
    }
}
