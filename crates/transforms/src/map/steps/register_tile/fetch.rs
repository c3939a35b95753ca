//! How operands come from memory to the tiles that a block shares.

use super::emit::Emit;
use crate::build::{declare, if_then, node, store};
use crate::map::identity;
use accl_ir::rewrite::{Cloner, Subst};
use accl_ir::{BinaryOp, Block, Expr, ExprKind, Handle, Local, MathFn, ReductionOp, Stmt, StmtNode};

type Value = Handle<Expr>;

/// What is on its way from memory: of each operand an array of single elements, or several of neighbours, which a local of
/// the program says to be aligned to 16 bytes, or not.
pub(super) struct UnderWay {
    arrays: Vec<Vec<Handle<Local>>>,
    aligned: Option<Handle<Local>>,
}

impl UnderWay {
    pub fn declarations(&self) -> Block {
        self.arrays.iter().flatten().map(|local| declare(*local, None)).collect()
    }
}

impl Emit<'_, '_> {
    pub fn under_way(&mut self, aligned: Option<Handle<Local>>) -> UnderWay {
        let (tile, group) = (self.tile, self.tile.group);
        let mut arrays = vec![];
        for s in &self.staged {
            let own = tile.own(s.operand.dim);
            let (count, length) = if aligned.is_some() { (own / group, group) } else { (1, own) };
            let ty = self.b.types.array(s.ty, length.into());
            let name = format!("{}_next", s.name);
            arrays.push((0..count).map(|_| self.b.body.temp(&name, ty)).collect());
        }
        UnderWay { arrays, aligned }
    }

    /// The first 16 bytes of two rows of each operand are aligned, so that all are, and rows end with such a group; `None` where
    /// the subscripts leave no hope of that.
    pub fn rows_are_aligned(&mut self) -> Option<Value> {
        let group = self.tile.group;
        let own = |dim: usize| self.tile.own(dim).is_multiple_of(group);
        if !self.staged.iter().all(|s| s.operand.rows && own(s.operand.dim)) {
            return None;
        }
        let address = self.b.types.int(64, false);
        let mut tests = vec![];
        for s in 0..self.staged.len() {
            let rows = [0, 1].map(|row| {
                let place = self.first_of_row(s, row);
                let ty = self.b.ty(place);
                let pointer = self.b.types.pointer(ty);
                let at = self.b.expr(ExprKind::AddrOf(place), pointer);
                self.b.cast(at, address)
            });
            let both = self.b.binary(BinaryOp::BitOr, rows[0], rows[1]);
            let [bytes, none] = [16, 0].map(|n| self.b.int(n, address));
            let over = self.b.binary(BinaryOp::Rem, both, bytes);
            tests.push(self.b.binary(BinaryOp::Eq, over, none));
        }
        for dim in 0..2 {
            let across = |o: &super::plan::Operand| o.dim == dim && !o.along_k;
            if self.plan.operands.iter().any(across) {
                let l = &self.plan.loops[dim];
                let ty = self.b.body.locals[l.var].ty;
                let trips = self.b.binary(BinaryOp::Sub, l.bound, l.lower);
                let [group, none] = [i128::from(group), 0].map(|n| self.b.int(n, ty));
                let over = self.b.binary(BinaryOp::Rem, trips, group);
                tests.push(self.b.binary(BinaryOp::Eq, over, none));
            }
        }
        tests.into_iter().reduce(|all, test| self.b.binary(BinaryOp::LogicalAnd, all, test))
    }

    /// The block's first element of an operand, or the one in the next row.
    fn first_of_row(&mut self, s: usize, row: i128) -> Value {
        let operand = self.staged[s].operand;
        let l = &self.plan.loops[operand.dim];
        let (var, k) = (l.var, &self.plan.k);
        let first = self.b.load(self.first[operand.dim]);
        let (slow, k_row) = if operand.along_k { (row, 0) } else { (0, row) };
        let [at, k_at] = [(first, slow), (k.lower, k_row)].map(|(first, by)| match by {
            0 => first,
            _ => {
                let by = self.b.int(by, self.b.ty(first));
                self.b.add(first, by)
            }
        });
        let mut cloner = Cloner::new();
        cloner.replace(var, Subst::Value(at)).replace(k.var, Subst::Value(k_at));
        cloner.expr_within(self.b.body, operand.place)
    }

    /// Element `n` of a thread's part of a tile, or its first in group `n`: the row (in `k`) and column.
    fn cell(&mut self, s: usize, n: Value, wide: bool) -> (Value, Value) {
        let operand = self.staged[s].operand;
        let thread = self.thread();
        let before = self.with(BinaryOp::Mul, n, self.tile.all_threads());
        let mut at = self.b.add(before, thread);
        if wide {
            at = self.with(BinaryOp::Mul, at, self.tile.group);
        }
        let fast = if operand.along_k { self.tile.depth } else { self.tile.side[operand.dim] };
        let (low, high) = (self.with(BinaryOp::Rem, at, fast), self.with(BinaryOp::Div, at, fast));
        if operand.along_k { (low, high) } else { (high, low) }
    }

    /// The array's element for a row and column of the tile, `k` counted from `from`. Beyond the bound it is the last, or the
    /// first of the last group.
    fn element(&mut self, s: usize, from: Value, (row, column): (Value, Value), wide: bool) -> Value {
        let operand = self.staged[s].operand;
        let l = &self.plan.loops[operand.dim];
        let ty = self.b.body.locals[l.var].ty;
        let first = self.b.load(self.first[operand.dim]);
        let column = self.b.cast(column, ty);
        let at = self.b.add(first, column);
        let last = if wide && !operand.along_k { self.tile.group } else { 1 };
        let last = self.b.int(last.into(), ty);
        let last = self.b.binary(BinaryOp::Sub, l.bound, last);
        let at = self.b.expr(ExprKind::Math { fun: MathFn::Min, args: vec![at, last] }, ty);
        let k_ty = self.b.body.locals[self.plan.k.var].ty;
        let row = self.b.cast(row, k_ty);
        let k = self.b.add(from, row);
        let mut cloner = Cloner::new();
        cloner.replace(l.var, Subst::Value(at)).replace(self.plan.k.var, Subst::Value(k));
        cloner.expr_within(self.b.body, operand.place)
    }

    pub fn in_tile(&mut self, s: usize, row: Value, column: Value) -> Value {
        let row = self.element_of(self.staged[s].tile, row);
        self.index(row, column)
    }

    pub fn element_of(&mut self, array: Handle<Local>, n: Value) -> Value {
        let base = self.b.place(array);
        self.index(base, n)
    }

    /// Element `index` of an array.
    pub fn index(&mut self, base: Value, index: Value) -> Value {
        let ty = self.b.types.element(self.b.ty(base)).unwrap_or(self.int);
        self.b.expr(ExprKind::Index { base, index }, ty)
    }

    /// From memory to registers.
    pub fn fetch(&mut self, under_way: &UnderWay, from: Value) -> Block {
        let Some(aligned) = under_way.aligned else { return self.fetch_elements(under_way, from) };
        let (mut wide, mut narrow) = (vec![], vec![]);
        for (s, arrays) in under_way.arrays.iter().enumerate() {
            for (n, array) in arrays.iter().enumerate() {
                let n = self.number(n as u32);
                let cell = self.cell(s, n, true);
                let src = self.element(s, from, cell, true);
                wide.push(node(Stmt::VectorLoad { dst: *array, src, n: self.tile.group as u8 }));
                narrow.push(self.fetch_group(s, from, cell, *array));
            }
        }
        let cond = self.b.load(aligned);
        vec![node(Stmt::If { cond, then: wide, otherwise: narrow })]
    }

    /// The elements of a group one by one, where they lie as they may.
    fn fetch_group(
        &mut self,
        s: usize,
        from: Value,
        (row, column): (Value, Value),
        to: Handle<Local>,
    ) -> StmtNode {
        let w = self.temp("w");
        let at = self.b.load(w);
        let cell = match self.staged[s].operand.along_k {
            true => (self.b.add(row, at), column),
            false => (row, self.b.add(column, at)),
        };
        let place = self.element(s, from, cell, false);
        let value = self.b.load_place(place);
        let to = self.element_of(to, at);
        self.b.counted(w, self.tile.group, vec![store(to, value)])
    }

    /// Threads that follow each other have elements that do.
    fn fetch_elements(&mut self, under_way: &UnderWay, from: Value) -> Block {
        let mut out = vec![];
        for (s, arrays) in under_way.arrays.iter().enumerate() {
            let n = self.temp("n");
            let at = self.b.load(n);
            let cell = self.cell(s, at, false);
            let place = self.element(s, from, cell, false);
            let value = self.b.load_place(place);
            let to = self.element_of(arrays[0], at);
            let own = self.tile.own(self.staged[s].operand.dim);
            out.push(self.b.counted(n, own, vec![store(to, value)]));
        }
        out
    }

    /// From registers to the tiles.
    pub fn put(&mut self, under_way: &UnderWay) -> Block {
        let mut out = vec![];
        for (s, arrays) in under_way.arrays.iter().enumerate() {
            if under_way.aligned.is_some() {
                for (n, array) in arrays.iter().enumerate() {
                    out.push(self.put_group(s, n as u32, *array));
                }
                continue;
            }
            let n = self.temp("n");
            let at = self.b.load(n);
            let (row, column) = self.cell(s, at, false);
            let from = self.element_of(arrays[0], at);
            let value = self.b.load_place(from);
            let to = self.in_tile(s, row, column);
            let own = self.tile.own(self.staged[s].operand.dim);
            out.push(self.b.counted(n, own, vec![store(to, value)]));
        }
        out
    }

    /// A group lies in a row of the tile, or in so many of them.
    fn put_group(&mut self, s: usize, n: u32, array: Handle<Local>) -> StmtNode {
        let (group, along_k) = (self.tile.group, self.staged[s].operand.along_k);
        let n = self.number(n);
        let (row, column) = self.cell(s, n, true);
        if !along_k {
            let dst = self.in_tile(s, row, column);
            return node(Stmt::VectorStore { dst, src: array, n: group as u8 });
        }
        let w = self.temp("w");
        let at = self.b.load(w);
        let row = self.b.add(row, at);
        let to = self.in_tile(s, row, column);
        let from = self.element_of(array, at);
        let value = self.b.load_place(from);
        self.b.counted(w, group, vec![store(to, value)])
    }

    /// From memory to the tiles, as far as `k` goes. Matrices end with zeros.
    pub fn fetch_rest(&mut self, from: Value) -> Block {
        let mut out = vec![];
        for s in 0..self.staged.len() {
            let n = self.temp("n");
            let at = self.b.load(n);
            let (row, column) = self.cell(s, at, false);
            let place = self.element(s, from, (row, column), false);
            let value = self.b.load_place(place);
            let to = self.in_tile(s, row, column);
            let k_ty = self.b.body.locals[self.plan.k.var].ty;
            let of_k = self.b.cast(row, k_ty);
            let k = self.b.add(from, of_k);
            let inside = self.b.binary(BinaryOp::Lt, k, self.plan.k.bound);
            let mut put = vec![if_then(inside, vec![store(to, value)])];
            if self.tile.tensor {
                let ty = self.staged[s].ty;
                let zero = identity::of(self.b.types, self.b.body, ReductionOp::Add, ty);
                put.insert(0, store(to, zero));
            }
            let own = self.tile.own(self.staged[s].operand.dim);
            out.push(self.b.counted(n, own, put));
        }
        out
    }
}
