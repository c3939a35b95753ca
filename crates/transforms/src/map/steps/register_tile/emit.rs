//! The tiled program of a thread.

use super::plan::{Operand, TilePlan, is_free};
use super::tile::{Tile, WARP_SIDE};
use crate::build::{Builder, counting, declare, if_then, node, store};
use crate::map::grid_mapping::{self, few_trips};
use crate::map::indices;
use accl_ir::rewrite::{Cloner, Subst};
use accl_ir::{
    BarrierScope, BinaryOp, Block, Builtin, Expr, ExprKind, Handle, Local, Loop, Stmt, StmtNode, Type, visit,
};
use accl_source::Span;

type Value = Handle<Expr>;

/// A loop around others is unrolled as a whole up to so many iterations.
const UNROLLED: u32 = 8;

/// What one operand has in the block.
pub(super) struct Staged {
    pub operand: Operand,
    pub name: String,
    /// `[depth][side]`, rows a little longer where several are read, or written, at a time.
    pub tile: Handle<Local>,
    pub ty: Handle<Type>,
}

pub(super) struct Emit<'a, 't> {
    pub b: &'a mut Builder<'t>,
    pub plan: &'a TilePlan,
    pub tile: Tile,
    /// The block's first iteration in x and y.
    pub first: [Handle<Local>; 2],
    /// The thread's place in its warp, and the warp's in the block.
    pub lane: Handle<Local>,
    pub warp: Handle<Local>,
    sums: Handle<Local>,
    pub staged: Vec<Staged>,
    pub int: Handle<Type>,
}

/// The program, and the arrays that a block shares.
pub fn block(b: &mut Builder<'_>, plan: &TilePlan, tile: Tile) -> (Block, Vec<Handle<Local>>) {
    let int = b.types.i32();
    let sum_ty = b.body.locals[plan.sum].ty;
    let name = b.body.locals[plan.sum].name.clone();
    let row = b.types.array(sum_ty, tile.each[0].into());
    let all = b.types.array(row, tile.each[1].into());
    let sums = b.body.temp(&format!("{name}_tile"), all);
    let first = [0, 1].map(|d: usize| {
        let (ty, name) = (b.body.locals[plan.loops[d].var].ty, b.body.locals[plan.loops[d].var].name.clone());
        b.body.temp(&format!("{name}_first"), ty)
    });
    let staged: Vec<Staged> = plan.operands.iter().map(|o| staged(b, *o, tile)).collect();
    let shared = staged.iter().map(|s| s.tile).collect();
    let [lane, warp] = ["lane", "warp"].map(|name| b.body.temp(name, int));
    let mut emit = Emit { b, plan, tile, first, lane, warp, sums, staged, int };
    (emit.whole(), shared)
}

fn staged(b: &mut Builder<'_>, operand: Operand, tile: Tile) -> Staged {
    let ty = b.types.value_of(b.ty(operand.place));
    let root = match visit::root_of(b.body, operand.place) {
        Some(visit::Root::Pointer(p)) => match b.body.exprs[p].kind {
            ExprKind::Load(of) => of,
            _ => p,
        },
        _ => operand.place,
    };
    let name = match b.body.exprs[root].kind {
        ExprKind::Local(l) => b.body.locals[l].name.clone(),
        _ => "operand".to_owned(),
    };
    // Threads of a warp read four rows at a time.
    let longer = if tile.tensor { 4 } else { u32::from(operand.along_k) * tile.group };
    let row = b.types.array(ty, (tile.side[operand.dim] + longer).into());
    let whole = b.types.array(row, tile.depth.into());
    let tile = b.body.temp(&format!("{name}_tile"), whole);
    Staged { operand, name, tile, ty }
}

impl Emit<'_, '_> {
    fn whole(&mut self) -> Block {
        let mut out = if self.tile.tensor { self.places() } else { vec![] };
        out.push(declare(self.sums, None));
        out.extend(self.start());
        out.extend(self.products());
        out.extend(self.finish());
        for d in 0..2 {
            out = self.over_blocks(d, out);
        }
        if let Some(l) = &self.plan.around {
            out = self.over_grid(l, out);
        }
        match self.plan.cond {
            Some(cond) => vec![if_then(cond, out)],
            None => out,
        }
    }

    /// The block's place in the grid.
    fn over_blocks(&mut self, d: usize, inner: Block) -> Block {
        let l = &self.plan.loops[d];
        let of_first = Loop { var: self.first[d], ..indices::shell(l) };
        let index = self.b.builtin(Builtin::BlockIdx(d as u8));
        let index = indices::widen(self.b, l, index);
        let side = self.b.int(self.tile.side[d].into(), self.b.ty(index));
        let at = self.b.mul(index, side);
        let value = indices::offset(self.b, &of_first, at);
        let mut all = vec![declare(self.first[d], Some(value))];
        all.extend(inner);
        all
    }

    /// The iterations of the loop around the tiles, of which all threads of a block have the same.
    fn over_grid(&mut self, l: &Loop, inner: Block) -> Block {
        let d = grid_mapping::dim(l);
        let block = self.b.builtin(Builtin::BlockIdx(d));
        let first = indices::widen(self.b, l, block);
        match few_trips(self.b, l) {
            true => indices::single(self.b, l, first, inner),
            false => grid_mapping::over_grid(self.b, l, Span::default(), first, inner),
        }
    }

    pub fn number(&mut self, n: u32) -> Value {
        let int = self.int;
        self.b.int(n.into(), int)
    }

    pub fn temp(&mut self, name: &str) -> Handle<Local> {
        let int = self.int;
        self.b.body.temp(name, int)
    }

    /// The thread's number in the block.
    pub fn thread(&mut self) -> Value {
        let int = self.int;
        let [x, y] = [0, 1].map(|d| self.b.builtin(Builtin::ThreadIdx(d)));
        let [x, y] = [x, y].map(|at| self.b.cast(at, int));
        let row = self.number(self.tile.threads[0]);
        let above = self.b.mul(y, row);
        self.b.add(above, x)
    }

    /// Where the thread stands in its warp, and the warp in the block.
    fn places(&mut self) -> Block {
        let thread = self.thread();
        let warp = self.number(32);
        let lane = self.b.binary(BinaryOp::Rem, thread, warp);
        let warp = self.b.binary(BinaryOp::Div, thread, warp);
        vec![declare(self.lane, Some(lane)), declare(self.warp, Some(warp))]
    }

    /// `e op n`
    pub fn with(&mut self, op: BinaryOp, e: Value, n: u32) -> Value {
        let n = self.number(n);
        self.b.binary(op, e, n)
    }

    /// Iteration `n` of this thread's in dimension `d`, counted in the block: groups of neighbours, and a group every so
    /// many, so that neighbouring threads read neighbouring groups of a tile. Of a warp's matrices each thread has two
    /// neighbours of a row of eight.
    pub fn place_in_block(&mut self, d: usize, n: Value) -> Value {
        if self.tile.tensor {
            return self.place_in_warps(d, n);
        }
        let group = self.tile.group;
        let of_group = self.with(BinaryOp::Div, n, group);
        let start = self.with(BinaryOp::Mul, of_group, self.tile.threads[d] * group);
        let thread = self.b.builtin(Builtin::ThreadIdx(d as u8));
        let thread = self.b.cast(thread, self.int);
        let own = self.with(BinaryOp::Mul, thread, group);
        let start = self.b.add(start, own);
        let rest = self.with(BinaryOp::Rem, n, group);
        self.b.add(start, rest)
    }

    fn place_in_warps(&mut self, d: usize, n: Value) -> Value {
        let lane = self.b.load(self.lane);
        let first = self.first_of_warp(d);
        if d == 1 {
            let rows = self.with(BinaryOp::Mul, n, 8);
            let own = self.with(BinaryOp::Div, lane, 4);
            let at = self.b.add(first, rows);
            return self.b.add(at, own);
        }
        let matrix = self.with(BinaryOp::Div, n, 2);
        let columns = self.with(BinaryOp::Mul, matrix, 8);
        let own = self.with(BinaryOp::Rem, lane, 4);
        let own = self.with(BinaryOp::Mul, own, 2);
        let rest = self.with(BinaryOp::Rem, n, 2);
        let at = self.b.add(first, columns);
        let at = self.b.add(at, own);
        self.b.add(at, rest)
    }

    /// The first iteration of the warp's part of the tile.
    pub fn first_of_warp(&mut self, d: usize) -> Value {
        let warp = self.b.load(self.warp);
        let op = if d == 0 { BinaryOp::Rem } else { BinaryOp::Div };
        let at = self.with(op, warp, 2);
        self.with(BinaryOp::Mul, at, WARP_SIDE)
    }

    pub fn sum_at(&mut self, r: Value, c: Value) -> Value {
        let row = self.element_of(self.sums, r);
        self.index(row, c)
    }

    /// Gives each sum its first value. What reads memory, or writes it, does so within the bounds.
    fn start(&mut self) -> Block {
        let set = self.plan.before.iter().filter_map(|node| match node.kind {
            Stmt::Declare { local, init } if local == self.plan.sum => {
                init.map(|value| StmtNode { span: node.span, ..store(self.b.place(local), value) })
            }
            _ => Some(node.clone()),
        });
        let set: Block = set.collect();
        match set.as_slice() {
            [StmtNode { kind: Stmt::Store { value, .. }, .. }] if is_free(self.b.body, *value) => {
                self.unguarded(*value)
            }
            _ => self.for_each(&set),
        }
    }

    fn unguarded(&mut self, value: Value) -> Block {
        let (r, c) = (self.temp("r"), self.temp("c"));
        let (at_r, at_c) = (self.b.load(r), self.b.load(c));
        let place = self.sum_at(at_r, at_c);
        let inner = self.b.counted(c, self.tile.each[0], vec![store(place, value)]);
        vec![self.b.counted(r, self.tile.each[1], vec![inner])]
    }

    /// What the program does with each sum.
    fn finish(&mut self) -> Block {
        self.for_each(&self.plan.after)
    }

    /// Statements of each iteration within the bounds, with its element in the place of the sum.
    fn for_each(&mut self, block: &Block) -> Block {
        let (r, c) = (self.temp("r"), self.temp("c"));
        let (at_r, at_c) = (self.b.load(r), self.b.load(c));
        let place = self.sum_at(at_r, at_c);
        let mut cloner = Cloner::new();
        cloner.replace(self.plan.sum, Subst::Place(place));
        let inner = cloner.block_within(self.b.body, block);
        let inner = self.iteration(0, at_c, inner);
        let columns = self.b.counted(c, self.tile.each[0], inner);
        let rows = self.iteration(1, at_r, vec![columns]);
        vec![self.b.counted(r, self.tile.each[1], rows)]
    }

    /// `T i = first + …; if (i < bound) block`
    fn iteration(&mut self, d: usize, n: Value, block: Block) -> Block {
        let l = &self.plan.loops[d];
        let ty = self.b.body.locals[l.var].ty;
        let at = self.place_in_block(d, n);
        let at = self.b.cast(at, ty);
        let first = self.b.load(self.first[d]);
        let value = self.b.add(first, at);
        let var = self.b.load(l.var);
        let inside = self.b.binary(BinaryOp::Lt, var, l.bound);
        vec![declare(l.var, Some(value)), if_then(inside, block)]
    }

    /// Whole depths, the next on its way while one is used; then what is left of `k`.
    fn products(&mut self) -> Block {
        let mut out = vec![];
        let aligned = self.rows_are_aligned().map(|test| {
            let aligned = self.b.body.temp("rows_are_aligned", self.b.ty(test));
            out.push(declare(aligned, Some(test)));
            aligned
        });
        let k = &self.plan.k;
        let ty = self.b.body.locals[k.var].ty;
        let depth = self.b.int(self.tile.depth.into(), ty);
        let less = self.b.int(i128::from(self.tile.depth) - 1, ty);
        let at = self.b.body.temp("k_first", ty);
        let under_way = self.under_way(aligned);
        out.extend(under_way.declarations());
        // The first fetch.
        let end = self.b.binary(BinaryOp::Sub, k.bound, less);
        let some = self.b.binary(BinaryOp::Lt, k.lower, end);
        let fetch = self.fetch(&under_way, k.lower);
        out.push(if_then(some, fetch));
        // Each depth.
        let here = self.b.load(at);
        let next = self.b.add(here, depth);
        let more = self.b.binary(BinaryOp::Lt, next, end);
        let mut body = vec![barrier()];
        body.extend(self.put(&under_way));
        body.push(barrier());
        let fetch = self.fetch(&under_way, next);
        body.push(if_then(more, fetch));
        body.extend(self.multiply_depth());
        out.push(counting(at, k.lower, end, depth, body));
        out.extend(self.rest());
        out
    }

    fn multiply_depth(&mut self) -> Block {
        if self.tile.tensor {
            return self.multiply_matrices();
        }
        let kk = self.temp("kk");
        let at = self.b.load(kk);
        if self.tile.depth <= UNROLLED {
            let used = self.multiply(at);
            return vec![self.b.counted(kk, self.tile.depth, used)];
        }
        // Two loops, so that both are unrolled: then operands need no registers for their addresses.
        let part = self.temp("kk_part");
        let before = self.b.load(part);
        let before = self.with(BinaryOp::Mul, before, UNROLLED);
        let row = self.b.add(before, at);
        let used = self.multiply(row);
        let inner = self.b.counted(kk, UNROLLED, used);
        vec![self.b.counted(part, self.tile.depth / UNROLLED, vec![inner])]
    }

    /// The last, partial depth.
    fn rest(&mut self) -> Block {
        let k = &self.plan.k;
        let ty = self.b.body.locals[k.var].ty;
        let depth = self.b.int(self.tile.depth.into(), ty);
        let rest = self.b.body.temp("k_rest", ty);
        let trips = self.b.binary(BinaryOp::Sub, k.bound, k.lower);
        let over = self.b.binary(BinaryOp::Rem, trips, depth);
        let begin = self.b.binary(BinaryOp::Sub, k.bound, over);
        let at = self.b.load(rest);
        let mut body = vec![barrier()];
        body.extend(self.fetch_rest(at));
        body.push(barrier());
        if self.tile.tensor {
            body.extend(self.multiply_matrices());
        } else {
            let kk = self.temp("kk");
            let count = self.b.binary(BinaryOp::Sub, k.bound, at);
            let bound = self.b.cast(count, self.int);
            let at = self.b.load(kk);
            let used = self.multiply(at);
            let (lower, step) = (self.number(0), self.number(1));
            body.push(counting(kk, lower, bound, step, used));
        }
        // No iterations at all leave a negative rest, or none.
        let some = self.b.binary(BinaryOp::Lt, at, k.bound);
        vec![declare(rest, Some(begin)), if_then(some, body)]
    }
}

fn barrier() -> StmtNode {
    node(Stmt::Barrier(BarrierScope::Block))
}
