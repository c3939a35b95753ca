//! What threads do with the operands that a block shares.

use super::emit::Emit;
use super::tile::WARP_SIDE;
use crate::build::{Builder, declare, node, store};
use accl_ir::rewrite::{Cloner, Subst};
use accl_ir::{BinaryOp, Block, Expr, ExprKind, Handle, Local, Stmt, StmtNode, TensorProduct, visit};

type Value = Handle<Expr>;

/// Rows and columns of the matrices that a warp multiplies, as each thread counts its own.
const MATRICES: [u32; 2] = [WARP_SIDE / 8, WARP_SIDE / 16];

impl Emit<'_, '_> {
    /// One `k`, of a row of the tiles: the operands of the thread's iterations to registers, then the program's statement for
    /// each.
    pub fn multiply(&mut self, row: Value) -> Block {
        let group = self.tile.group;
        let groups = self.tile.each.map(|each| each / group);
        let mut out = vec![];
        let mut parts: Vec<Vec<Handle<Local>>> = vec![];
        for s in 0..self.staged.len() {
            let dim = self.staged[s].operand.dim;
            parts.push(vec![]);
            for g in 0..groups[dim] {
                let ty = self.b.types.array(self.staged[s].ty, group.into());
                let part = self.b.body.temp(if dim == 0 { "by_x" } else { "by_y" }, ty);
                let n = self.number(g * group);
                let column = self.place_in_block(dim, n);
                let src = self.in_tile(s, row, column);
                out.push(declare(part, None));
                out.push(node(Stmt::VectorLoad { dst: part, src, n: group as u8 }));
                parts[s].push(part);
            }
        }
        for gr in 0..groups[1] {
            for gc in 0..groups[0] {
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
            let place = self.element_of(*part, at);
            values.push((self.staged[s].operand.place, self.b.load_place(place)));
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

    /// A whole depth: each warp multiplies the matrices of its part.
    pub fn multiply_matrices(&mut self) -> Block {
        let Some(factors) = self.plan.factors else { return vec![] };
        let mut out = vec![];
        let [right, left] = [0, 1].map(|dim| {
            let (array, block) = self.matrices(dim, factors[dim]);
            out.extend(block);
            array
        });
        let (r, c) = (self.temp("r"), self.temp("c"));
        let (at_r, at_c) = (self.b.load(r), self.b.load(c));
        let [row, column] = [at_r, at_c].map(|at| self.with(BinaryOp::Mul, at, 2));
        let one = self.number(1);
        let (lower, next) = (self.b.add(row, one), self.b.add(column, one));
        let sums =
            [(row, column), (row, next), (lower, column), (lower, next)].map(|(r, c)| self.sum_at(r, c));
        let left = [0, 1, 2, 3].map(|n| self.in_matrix(left, at_r, n));
        let right = [0, 1].map(|n| self.in_matrix(right, at_c, n));
        let product = node(Stmt::TensorProduct(Box::new(TensorProduct { sums, left, right })));
        let columns = self.b.counted(c, MATRICES[0], vec![product]);
        out.push(self.b.counted(r, MATRICES[1], vec![columns]));
        out
    }

    fn in_matrix(&mut self, array: Handle<Local>, matrix: Value, n: u32) -> Value {
        let row = self.element_of(array, matrix);
        let part = self.number(n);
        let place = self.index(row, part);
        self.b.load_place(place)
    }

    /// The thread's part of the matrices of one factor.
    fn matrices(&mut self, dim: usize, factor: Value) -> (Handle<Local>, Block) {
        let parts: u32 = if dim == 0 { 2 } else { 4 };
        let ty = self.b.types.float(64);
        let row = self.b.types.array(ty, parts.into());
        let all = self.b.types.array(row, MATRICES[dim].into());
        let array = self.b.body.temp(if dim == 0 { "by_x" } else { "by_y" }, all);
        let (m, n) = (self.temp("m"), self.temp("n"));
        let (matrix, part) = (self.b.load(m), self.b.load(n));
        let lane = self.b.load(self.lane);
        let own = self.with(BinaryOp::Div, lane, 4);
        // Rows of the left matrices are eight apart, as parts of one and as those of the next.
        let (k, matrix_at) = match dim {
            0 => (part, self.with(BinaryOp::Mul, matrix, 8)),
            _ => {
                let upper = self.with(BinaryOp::Mul, matrix, 16);
                let lower = self.with(BinaryOp::Rem, part, 2);
                let lower = self.with(BinaryOp::Mul, lower, 8);
                (self.with(BinaryOp::Div, part, 2), self.b.add(upper, lower))
            }
        };
        let first = self.first_of_warp(dim);
        let column = self.b.add(first, matrix_at);
        let column = self.b.add(column, own);
        let of_lane = self.with(BinaryOp::Rem, lane, 4);
        let of_part = self.with(BinaryOp::Mul, k, 4);
        let k = self.b.add(of_part, of_lane);
        let mut values = vec![];
        for s in 0..self.staged.len() {
            if self.staged[s].operand.dim == dim {
                let place = self.in_tile(s, k, column);
                values.push((self.staged[s].operand.place, self.b.load_place(place)));
            }
        }
        let value = with_operands(self.b, factor, &values);
        let to = self.element_of(array, matrix);
        let to = self.index(to, part);
        let inner = self.b.counted(n, parts, vec![store(to, value)]);
        (array, vec![declare(array, None), self.b.counted(m, MATRICES[dim], vec![inner])])
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
