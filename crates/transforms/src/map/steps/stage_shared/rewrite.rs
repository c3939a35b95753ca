//! Packed arrays read and written through shared memory.
//!
//! A thread that has whole 16-byte accesses of a packed array has many of them side by side: 32 elements of 20 bits are 80
//! bytes, and each access of a warp touches too many lines (measured: 3.3 TB/s of 4.4). Here the threads of a block fetch
//! what the block needs by accesses side by side, and each takes its part from shared memory: few elements that fill
//! words, eight or sixteen of 20 bits.
//!
//! ```text
//! if (block_first < bound - (iterations of a block - 1)) {
//!     a_room = a[block_first..]; …                 by all threads together
//!     barrier
//!     a_wide = a_room[thread * 8..]; … the thread's iterations on a_wide, c_wide … c_room[thread * 8..] = c_wide
//!     barrier
//!     c[block_first..] = c_room
//! } else
//!     the thread's iterations, element by element
//! ```
//!
//! Only parts of the sizes in [`is_even`] need none of that. Arrays whose part of a thread is one access are accessed as in
//! [`vectorize`](super::super::vectorize), plain ones of several by way of a buffer too.
//!
//! Loops that stride over the grid, as those that reduce, do that again and again, while blocks are whole.
//!
//! Invariants: the barriers stand under a condition that is the same for all of a block; a buffer's elements begin in memory
//! where an access may (the loop's first iteration is a multiple of 128, the launch checks the arrays).

use super::super::vectorize::rewrite::{self, Wide};
use crate::build::{Builder, declare, node, store};
use crate::compress::block;
use crate::device_model::DeviceModel;
use crate::map::{grid_mapping, shape, with_reductions};
use accl_ir::{
    BarrierScope, Block, Body, Builtin, Expr, ExprKind, Handle, Kernel, Local, Loop, MathFn, Module, Stmt,
    StmtNode, TypeKind, Types,
};
use std::collections::BTreeMap;

/// What goes through shared memory, and how many threads and iterations a block has.
pub struct StagingPlan {
    pub coarse: rewrite::VectorPlan,
    pub threads: u32,
    /// Threads stride over the grid.
    strides: bool,
    /// The arrays that have a buffer in shared memory.
    through: Vec<Handle<Local>>,
}

/// A multiple of the elements that fill 16-byte accesses, whatever their bits.
const START: u32 = 128;

/// `None` where no array needs it, or it cannot be done.
pub fn plan(module: &Module, kernel: &Kernel, block: [u32; 3]) -> Option<StagingPlan> {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let [(l, _)] = loops.as_slice() else { return None };
    if shape::vector_x(kernel) || block[1] * block[2] != 1 || !block[0].is_multiple_of(32) {
        return None;
    }
    let strides = shape::reduces(kernel) || shape::limits_gangs(kernel);
    let signed = |l: &Loop| {
        matches!(module.types.kind(kernel.body.locals[l.var].ty), TypeKind::Int { signed: true, .. })
    };
    if strides && !signed(l) {
        return None;
    }
    let mut plan = rewrite::accesses(module, kernel, l, inner).ok()?;
    rewrite::aligned_start(module, &kernel.body, l, START).ok()?;
    let in_blocks = |wide: &Wide| block::is_block(&module.types, &kernel.body, wide.param);
    let even = |wide: &Wide| bits(&module.types, wide).is_none_or(is_even);
    if plan.arrays.iter().any(in_blocks) || plan.arrays.iter().all(even) {
        return None;
    }
    plan.width = iterations(&module.types, &plan);
    let bytes = |wide: &Wide| bytes(&module.types, wide, plan.width);
    let through: Vec<&Wide> = plan.arrays.iter().filter(|wide| !matches!(bytes(wide), 8 | 16)).collect();
    let shared: u32 = through.iter().map(|wide| bytes(wide)).sum();
    let most = DeviceModel::portable().most_shared;
    let fits = |n: &u32| *n <= block[0] && u64::from(n * shared) <= most;
    let threads = [block[0], 128, 64].into_iter().find(fits)?;
    let through = through.iter().map(|wide| wide.param).collect();
    Some(StagingPlan { coarse: plan, threads, strides, through })
}

/// The body of a thread, and the arrays that its block shares.
pub fn body(module: &mut Module, kernel: &Kernel, plan: &StagingPlan) -> (Body, Vec<Handle<Local>>) {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let StagingPlan { coarse, threads, strides, through } = plan;
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let mut buffers = BTreeMap::new();
    for wide in coarse.arrays.iter().filter(|wide| through.contains(&wide.param)) {
        buffers.insert(wide.param, rewrite::wide_local(&mut b, wide, threads * coarse.width, "room"));
    }
    let mut emit =
        Emit { b: &mut b, l: loops[0].0, inner, plan: coarse, threads: *threads, buffers: &buffers };
    let block = if *strides { emit.in_turn() } else { emit.once() };
    body.block = with_reductions(&mut module.types, kernel, &mut body, block);
    (body, buffers.into_values().collect())
}

/// Of a compressed array's elements.
fn bits(types: &Types, wide: &Wide) -> Option<u32> {
    match types.kind(wide.element) {
        TypeKind::Compressed { format, .. } => Some(u32::from(format.bits)),
        _ => None,
    }
}

/// Bits of an element.
fn size(types: &Types, wide: &Wide) -> u32 {
    bits(types, wide).unwrap_or_else(|| 8 * types.size_of(wide.element).unwrap_or(4) as u32)
}

/// Of a thread: the fewest that fill words of each array. Of packed arrays alone, so many that each part is a quarter of a line
/// (20 bits: 4.26 TB/s with 40 bytes, 4.12 with 20); parts of others would grow to several accesses.
fn iterations(types: &Types, plan: &rewrite::VectorPlan) -> u32 {
    let mut width = plan.arrays.iter().map(|wide| least(types, wide)).fold(4, u32::max);
    let packed = |wide: &Wide| bits(types, wide).is_some_and(|bits| !is_even(bits));
    let short = |width| plan.arrays.iter().any(|wide| bytes(types, wide, width) < 32);
    while plan.arrays.iter().all(packed) && width < 32 && short(width) {
        width *= 2;
    }
    width
}

/// Of a part of so many elements.
fn bytes(types: &Types, wide: &Wide, width: u32) -> u32 {
    width * size(types, wide) / 8
}

/// The fewest elements that fill words.
fn least(types: &Types, wide: &Wide) -> u32 {
    32 >> size(types, wide).trailing_zeros().min(5)
}

/// Threads that have whole accesses have 16 or 48 bytes of such elements, which memory serves at its full speed; of others 80
/// and more, or no whole accesses at all.
fn is_even(bits: u32) -> bool {
    let part = (16 * bits) >> bits.trailing_zeros().min(7);
    matches!(part, 16 | 48)
}

struct Emit<'a, 'b> {
    b: &'a mut Builder<'b>,
    l: &'a Loop,
    inner: &'a Block,
    plan: &'a rewrite::VectorPlan,
    threads: u32,
    /// Of the arrays that have one.
    buffers: &'a BTreeMap<Handle<Local>, Handle<Local>>,
}

impl Emit<'_, '_> {
    /// One block of iterations a block of threads.
    fn once(&mut self) -> Block {
        let width = self.plan.width;
        let (first, start) = rewrite::first_iteration(self.b, self.l, width);
        let (block_first, block_start) = self.first_of_block();
        let cond = rewrite::whole_chunk(self.b, self.l, block_first, self.threads * width);
        let then = self.through_shared(first, block_first);
        let otherwise = self.one_by_one(first);
        vec![
            declare(first, Some(start)),
            declare(block_first, Some(block_start)),
            node(Stmt::If { cond, then, otherwise }),
        ]
    }

    /// Several: all that are whole, and then the rest of one. Buffers are filled again when no thread needs them any more.
    fn in_turn(&mut self) -> Block {
        let width = self.plan.width;
        let (block_first, block_start) = self.first_of_block();
        let all = rewrite::whole_chunk(self.b, self.l, block_first, self.threads * width);
        let mut body = vec![barrier()];
        let first = self.first_of_thread(block_first, &mut body);
        body.append(&mut self.through_shared(first, block_first));

        let b = &mut *self.b;
        let blocks = b.builtin(Builtin::GridDim(0));
        let ty = b.body.locals[block_first].ty;
        let (blocks, each) = (b.cast(blocks, ty), b.int((self.threads * width).into(), ty));
        let stride = b.mul(blocks, each);
        let here = b.load(block_first);
        let next = b.add(here, stride);
        let place = b.place(block_first);
        let step = vec![store(place, next)];
        let whole = node(Stmt::While { cond: Some(all), body, step, test_last: false });
        let mut rest = vec![];
        let first = self.first_of_thread(block_first, &mut rest);
        rest.append(&mut self.one_by_one(first));
        vec![declare(block_first, Some(block_start)), whole, node(Stmt::Block(rest))]
    }

    /// The thread's first iteration of a block's.
    fn first_of_thread(&mut self, block_first: Handle<Local>, out: &mut Block) -> Handle<Local> {
        let b = &mut *self.b;
        let ty = b.body.locals[block_first].ty;
        let name = format!("{}_first", b.body.locals[self.l.var].name);
        let first = b.body.temp(&name, ty);
        let (thread, width) = (b.builtin(Builtin::ThreadIdx(0)), b.int(self.plan.width.into(), ty));
        let thread = b.cast(thread, ty);
        let ahead = b.mul(thread, width);
        let start = b.load(block_first);
        let value = b.add(start, ahead);
        out.push(declare(first, Some(value)));
        first
    }

    /// The first iteration of the block: its local, and the value.
    fn first_of_block(&mut self) -> (Handle<Local>, Handle<Expr>) {
        let b = &mut *self.b;
        let ty = b.body.locals[self.l.var].ty;
        let name = format!("{}_block", b.body.locals[self.l.var].name);
        let first = b.body.temp(&name, ty);
        let number = b.builtin(Builtin::BlockIdx(0));
        let number = b.cast(number, ty);
        let each = b.int((self.threads * self.plan.width).into(), ty);
        let start = b.mul(number, each);
        (first, b.add(self.l.lower, start))
    }

    fn through_shared(&mut self, first: Handle<Local>, block_first: Handle<Local>) -> Block {
        let (plan, n) = (self.plan, self.plan.width as u8);
        let (mut out, mut parts) = (vec![], vec![]);
        let mut arrays = BTreeMap::new();
        for wide in &plan.arrays {
            let local = rewrite::wide_local(self.b, wide, plan.width, "wide");
            arrays.insert(wide.param, local);
            parts.push(declare(local, None));
            if !wide.loaded {
                continue;
            }
            if let Some(buffer) = self.buffers.get(&wide.param) {
                let src = rewrite::start_of(self.b, wide, block_first);
                out.push(node(Stmt::VectorLoad { dst: *buffer, src, n }));
            }
            let src = self.part(wide, first);
            parts.push(node(Stmt::VectorLoad { dst: local, src, n }));
        }
        if !out.is_empty() {
            out.push(barrier());
        }
        out.append(&mut parts);
        out.push(rewrite::unrolled(self.b, self.l, first, self.inner, plan, &arrays));
        let mut emptied = vec![];
        for wide in plan.arrays.iter().filter(|wide| wide.stored) {
            let dst = self.part(wide, first);
            out.push(node(Stmt::VectorStore { dst, src: arrays[&wide.param], n }));
            if let Some(buffer) = self.buffers.get(&wide.param) {
                let dst = rewrite::start_of(self.b, wide, block_first);
                emptied.push(node(Stmt::VectorStore { dst, src: *buffer, n }));
            }
        }
        if !emptied.is_empty() {
            out.push(barrier());
        }
        out.append(&mut emptied);
        out
    }

    /// Where the thread's part of an array is: in its buffer, or in memory.
    fn part(&mut self, wide: &Wide, first: Handle<Local>) -> Handle<Expr> {
        let Some(buffer) = self.buffers.get(&wide.param) else {
            return rewrite::start_of(self.b, wide, first);
        };
        let b = &mut *self.b;
        let thread = b.builtin(Builtin::ThreadIdx(0));
        let width = b.int(self.plan.width.into(), b.ty(thread));
        let index = b.mul(thread, width);
        let base = b.place(*buffer);
        b.expr(ExprKind::Index { base, index }, wide.element)
    }

    /// The loop ends in this block.
    fn one_by_one(&mut self, first: Handle<Local>) -> Block {
        let b = &mut *self.b;
        let (start, ty) = (b.load(first), b.body.locals[self.l.var].ty);
        let width = b.int(self.plan.width.into(), ty);
        let end = b.add(start, width);
        let bound = b.expr(ExprKind::Math { fun: MathFn::Min, args: vec![end, self.l.bound] }, ty);
        vec![rewrite::tail_loop(b, self.l, first, bound, self.inner)]
    }
}

fn barrier() -> StmtNode {
    node(Stmt::Barrier(BarrierScope::Block))
}
