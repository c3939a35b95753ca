//! The tiled program of a thread.

use super::plan::{Operand, TilePlan, is_free};
use super::rewrite::{DEPTH, SIDE, Tile};
use crate::build::{Builder, counting, declare, if_then, node, store};
use crate::map::grid_mapping::{self, few_trips};
use crate::map::indices::{self, for_at, strided};
use accl_ir::rewrite::{Cloner, Subst};
use accl_ir::{
    BarrierScope, BinaryOp, Block, Builtin, Expr, ExprKind, Handle, Local, Loop, MathFn, Stmt, StmtNode,
    Type, visit,
};
use accl_source::Span;

type Value = Handle<Expr>;

/// What one operand has in the block.
struct Staged {
    operand: Operand,
    /// `[DEPTH][side]`, rows a little longer where their elements come from different rows of the array.
    tile: Handle<Local>,
    /// On their way from memory.
    next: Handle<Local>,
    ty: Handle<Type>,
}

struct Emit<'a, 't> {
    b: &'a mut Builder<'t>,
    plan: &'a TilePlan,
    tile: Tile,
    /// The block's first iteration in x and y.
    first: [Handle<Local>; 2],
    sums: Handle<Local>,
    staged: Vec<Staged>,
    int: Handle<Type>,
}

/// The program, and the arrays that a block shares.
pub fn block(b: &mut Builder<'_>, plan: &TilePlan, tile: Tile) -> (Block, Vec<Handle<Local>>) {
    let int = b.types.i32();
    let sum_ty = b.body.locals[plan.sum].ty;
    let name = b.body.locals[plan.sum].name.clone();
    let row = b.types.array(sum_ty, tile.each.into());
    let all = b.types.array(row, tile.each.into());
    let sums = b.body.temp(&format!("{name}_tile"), all);
    let first = [0, 1].map(|d: usize| {
        let (ty, name) = (b.body.locals[plan.loops[d].var].ty, b.body.locals[plan.loops[d].var].name.clone());
        b.body.temp(&format!("{name}_first"), ty)
    });
    let staged: Vec<Staged> = plan.operands.iter().map(|o| staged(b, *o, tile)).collect();
    let shared = staged.iter().map(|s| s.tile).collect();
    let mut emit = Emit { b, plan, tile, first, sums, staged, int };
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
    let row = b.types.array(ty, u64::from(tile.side() + if operand.along_k { tile.group } else { 0 }));
    let whole = b.types.array(row, DEPTH.into());
    let own = b.types.array(ty, (tile.side() * DEPTH / (SIDE * SIDE)).into());
    let (tile, next) =
        (b.body.temp(&format!("{name}_tile"), whole), b.body.temp(&format!("{name}_next"), own));
    Staged { operand, tile, next, ty }
}

impl Emit<'_, '_> {
    fn whole(&mut self) -> Block {
        let mut out = vec![declare(self.sums, None)];
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

    /// The block's place in the grid; a loop where the grid may be too small in y.
    fn over_blocks(&mut self, d: usize, inner: Block) -> Block {
        let l = &self.plan.loops[d];
        let of_first = Loop { var: self.first[d], ..indices::shell(l) };
        let index = self.b.builtin(Builtin::BlockIdx(d as u8));
        let index = indices::widen(self.b, l, index);
        let side = self.b.int(self.tile.side().into(), self.b.ty(index));
        let at = self.b.mul(index, side);
        if d > 0 && !few_trips(self.b, l) {
            let blocks = self.b.builtin(Builtin::GridDim(d as u8));
            let blocks = indices::widen(self.b, l, blocks);
            let stride = self.b.mul(blocks, side);
            return vec![for_at(strided(self.b, &of_first, at, stride, inner), Span::default())];
        }
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

    fn number(&mut self, n: u32) -> Value {
        let int = self.int;
        self.b.int(n.into(), int)
    }

    fn temp(&mut self, name: &str) -> Handle<Local> {
        let int = self.int;
        self.b.body.temp(name, int)
    }

    /// Iteration `n` of this thread's in dimension `d`, counted in the block: groups of neighbours, and a group every so
    /// many, so that neighbouring threads read neighbouring groups of a tile.
    fn place_in_block(&mut self, d: usize, n: Value) -> Value {
        let (group, apart) = (self.number(self.tile.group), self.number(SIDE * self.tile.group));
        let thread = self.b.builtin(Builtin::ThreadIdx(d as u8));
        let thread = self.b.cast(thread, self.int);
        let of_group = self.b.binary(BinaryOp::Div, n, group);
        let start = self.b.mul(of_group, apart);
        let own = self.b.mul(thread, group);
        let start = self.b.add(start, own);
        let rest = self.b.binary(BinaryOp::Rem, n, group);
        self.b.add(start, rest)
    }

    fn sum_at(&mut self, r: Value, c: Value) -> Value {
        let sums = self.b.place(self.sums);
        let row_ty = self.b.types.element(self.b.ty(sums)).unwrap_or(self.int);
        let row = self.b.expr(ExprKind::Index { base: sums, index: r }, row_ty);
        let ty = self.b.body.locals[self.plan.sum].ty;
        self.b.expr(ExprKind::Index { base: row, index: c }, ty)
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
        let inner = self.b.counted(c, self.tile.each, vec![store(place, value)]);
        vec![self.b.counted(r, self.tile.each, vec![inner])]
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
        let columns = self.b.counted(c, self.tile.each, inner);
        let rows = self.iteration(1, at_r, vec![columns]);
        vec![self.b.counted(r, self.tile.each, rows)]
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
        let k = &self.plan.k;
        let ty = self.b.body.locals[k.var].ty;
        let depth = self.b.int(DEPTH.into(), ty);
        let less = self.b.int(i128::from(DEPTH) - 1, ty);
        let at = self.b.body.temp("k_first", ty);
        let mut out: Block = self.staged.iter().map(|s| declare(s.next, None)).collect();
        // The first fetch.
        let end = self.b.binary(BinaryOp::Sub, k.bound, less);
        let some = self.b.binary(BinaryOp::Lt, k.lower, end);
        let fetch = self.fetch(k.lower);
        out.push(if_then(some, fetch));
        // Each depth.
        let here = self.b.load(at);
        let next = self.b.add(here, depth);
        let more = self.b.binary(BinaryOp::Lt, next, end);
        let mut body = vec![barrier()];
        body.extend(self.put());
        body.push(barrier());
        let fetch = self.fetch(next);
        body.push(if_then(more, fetch));
        let kk = self.temp("kk");
        let used = self.multiply(kk);
        body.push(self.b.counted(kk, DEPTH, used));
        out.push(counting(at, k.lower, end, depth, body));
        out.extend(self.rest());
        out
    }

    /// The last, partial depth.
    fn rest(&mut self) -> Block {
        let k = &self.plan.k;
        let ty = self.b.body.locals[k.var].ty;
        let depth = self.b.int(DEPTH.into(), ty);
        let rest = self.b.body.temp("k_rest", ty);
        let trips = self.b.binary(BinaryOp::Sub, k.bound, k.lower);
        let over = self.b.binary(BinaryOp::Rem, trips, depth);
        let begin = self.b.binary(BinaryOp::Sub, k.bound, over);
        let at = self.b.load(rest);
        let mut body = vec![barrier()];
        body.extend(self.fetch_rest(at));
        body.push(barrier());
        let kk = self.temp("kk");
        let count = self.b.binary(BinaryOp::Sub, k.bound, at);
        let bound = self.b.cast(count, self.int);
        let used = self.multiply(kk);
        let (lower, step) = (self.number(0), self.number(1));
        body.push(counting(kk, lower, bound, step, used));
        // No iterations at all leave a negative rest, or none.
        let some = self.b.binary(BinaryOp::Lt, at, k.bound);
        vec![declare(rest, Some(begin)), if_then(some, body)]
    }

    /// Element `n` of a thread's part of a tile: its row (in `k`) and column.
    fn cell(&mut self, s: usize, n: Value) -> (Value, Value) {
        let int = self.int;
        let x = self.b.builtin(Builtin::ThreadIdx(0));
        let y = self.b.builtin(Builtin::ThreadIdx(1));
        let (x, y) = (self.b.cast(x, int), self.b.cast(y, int));
        let side = self.number(SIDE);
        let above = self.b.mul(y, side);
        let thread = self.b.add(above, x);
        let all = self.number(SIDE * SIDE);
        let before = self.b.mul(n, all);
        let at = self.b.add(before, thread);
        let fast = if self.staged[s].operand.along_k { DEPTH } else { self.tile.side() };
        let fast = self.number(fast);
        let (low, high) = (self.b.binary(BinaryOp::Rem, at, fast), self.b.binary(BinaryOp::Div, at, fast));
        if self.staged[s].operand.along_k { (low, high) } else { (high, low) }
    }

    /// The array's element for a row and column of the tile, `k` counted from `from`. Beyond the bound it is the last.
    fn element(&mut self, s: usize, from: Value, (row, column): (Value, Value)) -> Value {
        let d = self.staged[s].operand.dim;
        let l = &self.plan.loops[d];
        let ty = self.b.body.locals[l.var].ty;
        let first = self.b.load(self.first[d]);
        let column = self.b.cast(column, ty);
        let at = self.b.add(first, column);
        let one = self.b.int(1, ty);
        let last = self.b.binary(BinaryOp::Sub, l.bound, one);
        let at = self.b.expr(ExprKind::Math { fun: MathFn::Min, args: vec![at, last] }, ty);
        let k_ty = self.b.body.locals[self.plan.k.var].ty;
        let row = self.b.cast(row, k_ty);
        let k = self.b.add(from, row);
        let mut cloner = Cloner::new();
        cloner.replace(l.var, Subst::Value(at)).replace(self.plan.k.var, Subst::Value(k));
        let place = cloner.expr_within(self.b.body, self.staged[s].operand.place);
        self.b.load_place(place)
    }

    fn in_tile(&mut self, s: usize, row: Value, column: Value) -> Value {
        let base = self.b.place(self.staged[s].tile);
        let row_ty = self.b.types.element(self.b.ty(base)).unwrap_or(self.int);
        let row = self.b.expr(ExprKind::Index { base, index: row }, row_ty);
        let ty = self.staged[s].ty;
        self.b.expr(ExprKind::Index { base: row, index: column }, ty)
    }

    fn next_at(&mut self, s: usize, n: Value) -> Value {
        let base = self.b.place(self.staged[s].next);
        let ty = self.staged[s].ty;
        self.b.expr(ExprKind::Index { base, index: n }, ty)
    }

    fn own(&self) -> u32 {
        self.tile.side() * DEPTH / (SIDE * SIDE)
    }

    /// From memory to registers.
    fn fetch(&mut self, from: Value) -> Block {
        let mut out = vec![];
        for s in 0..self.staged.len() {
            let n = self.temp("n");
            let at = self.b.load(n);
            let cell = self.cell(s, at);
            let value = self.element(s, from, cell);
            let to = self.next_at(s, at);
            let own = self.own();
            out.push(self.b.counted(n, own, vec![store(to, value)]));
        }
        out
    }

    /// From registers to the tiles.
    fn put(&mut self) -> Block {
        let mut out = vec![];
        for s in 0..self.staged.len() {
            let n = self.temp("n");
            let at = self.b.load(n);
            let (row, column) = self.cell(s, at);
            let from = self.next_at(s, at);
            let value = self.b.load_place(from);
            let to = self.in_tile(s, row, column);
            let own = self.own();
            out.push(self.b.counted(n, own, vec![store(to, value)]));
        }
        out
    }

    /// From memory to the tiles, as far as `k` goes.
    fn fetch_rest(&mut self, from: Value) -> Block {
        let mut out = vec![];
        for s in 0..self.staged.len() {
            let n = self.temp("n");
            let at = self.b.load(n);
            let (row, column) = self.cell(s, at);
            let value = self.element(s, from, (row, column));
            let to = self.in_tile(s, row, column);
            let k_ty = self.b.body.locals[self.plan.k.var].ty;
            let of_k = self.b.cast(row, k_ty);
            let k = self.b.add(from, of_k);
            let inside = self.b.binary(BinaryOp::Lt, k, self.plan.k.bound);
            let own = self.own();
            out.push(self.b.counted(n, own, vec![if_then(inside, vec![store(to, value)])]));
        }
        out
    }

    /// One `k`: the operands of the thread's iterations to registers, then the program's statement for each.
    fn multiply(&mut self, kk: Handle<Local>) -> Block {
        let (group, groups) = (self.tile.group, self.tile.each / self.tile.group);
        let mut out = vec![];
        let mut parts: Vec<Vec<Handle<Local>>> = vec![];
        for s in 0..self.staged.len() {
            let dim = self.staged[s].operand.dim;
            parts.push(vec![]);
            for g in 0..groups {
                let ty = self.b.types.array(self.staged[s].ty, group.into());
                let part = self.b.body.temp(if dim == 0 { "by_x" } else { "by_y" }, ty);
                let n = self.number(g * group);
                let column = self.place_in_block(dim, n);
                let row = self.b.load(kk);
                let src = self.in_tile(s, row, column);
                out.push(declare(part, None));
                out.push(node(Stmt::VectorLoad { dst: part, src, n: group as u8 }));
                parts[s].push(part);
            }
        }
        for gr in 0..groups {
            for gc in 0..groups {
                let of = |(s, parts): (usize, &Vec<Handle<Local>>)| {
                    parts[[gc, gr][self.staged[s].operand.dim] as usize]
                };
                let parts: Vec<_> = parts.iter().enumerate().map(of).collect();
                out.push(self.group(gr, gc, &parts));
            }
        }
        out
    }

    /// The program's statements for a group of rows and one of columns; `parts`: their operands.
    fn group(&mut self, gr: u32, gc: u32, parts: &[Handle<Local>]) -> StmtNode {
        let group = self.tile.group;
        let (r, c) = (self.temp("r"), self.temp("c"));
        let (at_r, at_c) = (self.b.load(r), self.b.load(c));
        let (start_r, start_c) = (self.number(gr * group), self.number(gc * group));
        let (sum_r, sum_c) = (self.b.add(start_r, at_r), self.b.add(start_c, at_c));
        let sum = self.sum_at(sum_r, sum_c);
        let mut values = vec![];
        for (s, part) in parts.iter().enumerate() {
            let at = [at_c, at_r][self.staged[s].operand.dim];
            values.push((self.plan.operands[s].place, self.part_at(*part, at, s)));
        }
        let mut block = self.plan.update.clone();
        visit::for_each_stmt_mut(&mut block, &mut |node| {
            node.kind.operands_mut(|e| *e = with_operands(self.b, *e, &values));
        });
        let mut cloner = Cloner::new();
        cloner.replace(self.plan.sum, Subst::Place(sum));
        let block = cloner.block_within(self.b.body, &block);
        let inner = self.b.counted(c, group, block);
        self.b.counted(r, group, vec![inner])
    }

    fn part_at(&mut self, part: Handle<Local>, n: Value, s: usize) -> Value {
        let base = self.b.place(part);
        let ty = self.staged[s].ty;
        let place = self.b.expr(ExprKind::Index { base, index: n }, ty);
        self.b.load_place(place)
    }
}

/// `e` with the loads of places replaced by values.
fn with_operands(b: &mut Builder<'_>, e: Value, values: &[(Value, Value)]) -> Value {
    if let ExprKind::Load(place) = b.body.exprs[e].kind {
        let same = values.iter().find(|(operand, _)| visit::same_expr(b.body, place, *operand));
        return same.map_or(e, |(_, value)| *value);
    }
    let mut copy = b.body.exprs[e].kind.clone();
    if copy.is_place() {
        return e;
    }
    copy.operands_mut(|o| *o = with_operands(b, *o, values));
    let ty = b.ty(e);
    b.expr(copy, ty)
}

fn barrier() -> StmtNode {
    node(Stmt::Barrier(BarrierScope::Block))
}
