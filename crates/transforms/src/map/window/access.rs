//! Replaces an iteration's accesses to arrays by accesses to the block's copies.

use super::errors;
use super::phases::{PhaseBuilder, Result};
use super::prove::Prover;
use super::shared_tile::{SharedTile, Written};
use super::sync;
use crate::build::{Builder, store};
use accl_ir::{BinaryOp, Block, Expr, ExprKind, Handle, Stmt, StmtNode, UnaryOp, WindowKind, rewrite, visit};

impl PhaseBuilder<'_, '_> {
    /// No thread reads in `value` an element that another thread writes to `place`.
    pub(super) fn never_meet(
        &self,
        place: Handle<Expr>,
        value: Handle<Expr>,
        holds: &[Handle<Expr>],
    ) -> bool {
        let Some((tile, written)) = self.copy_of(place) else { return false };
        let prover =
            Prover { types: &*self.b.types, body: &*self.b.body, facts: self.facts, ranges: self.ranges };
        let mut reads = vec![];
        accl_ir::visit::for_each_operand(&self.b.body.exprs, value, &mut |e| {
            if let ExprKind::Load(from) = self.b.body.exprs[e].kind
                && !matches!(self.b.body.exprs[from].kind, ExprKind::Local(_))
                && sync::root(self.b.body, from).is_some_and(|r| self.tiles.iter().any(|a| a.array == r))
            {
                reads.push(from);
            }
        });
        reads.into_iter().all(|from| match self.copy_of(from) {
            Some((of, read)) if of.array == tile.array => {
                let one = (written.len() == 1).then(|| (read[0], written[0]));
                one.is_some_and(|(read, written)| prover.never_meet(self.nest, read, written, holds))
            }
            Some(_) => true,
            None => false,
        })
    }

    pub(super) fn reads_copies(&self, e: Handle<Expr>) -> bool {
        let mut found = false;
        accl_ir::visit::for_each_operand(&self.b.body.exprs, e, &mut |e| {
            found |= matches!(self.b.body.exprs[e].kind, ExprKind::Local(l) if self.tiles.iter().any(|a| a.store == l));
        });
        found
    }

    /// Statements that record a write to an array that is written back.
    pub(super) fn marks(&mut self, node: &StmtNode) -> Block {
        let mut marks = vec![];
        for (place, access) in node.kind.operands() {
            if !access.writes() {
                continue;
            }
            for n in self.scope.clone() {
                let tile = self.tiles[n].clone();
                if sync::root(self.b.body, place) != Some(tile.array) {
                    continue;
                }
                let int = self.b.types.i32();
                match tile.written {
                    Some(Written::Pivot(flag)) => {
                        let (to, one) = (self.b.place(flag), self.b.int(1, int));
                        marks.push(store(to, one));
                    }
                    Some(Written::Marks(of)) => {
                        let element = element_of(self.b, place);
                        if let Some(at) = tile.subscripts(self.b, element) {
                            let byte = self.b.types.int(8, false);
                            let to = tile.local(self.b, of, &at);
                            let one = self.b.int(1, byte);
                            marks.push(store(to, one));
                        }
                    }
                    None => {}
                }
            }
        }
        marks
    }

    /// Reports uses of a channelled or written-back array that are not accesses to its elements.
    pub(super) fn check(&self, node: &StmtNode) -> Result<()> {
        let mut wrong = None;
        for n in &self.scope {
            let tile = &self.tiles[*n];
            if sync::only_reads(tile.kind) {
                continue;
            }
            visit::for_each_place(self.b.body, std::slice::from_ref(node), &mut |place, access| {
                let ours = sync::root(self.b.body, place) == Some(tile.array);
                let element = element_of(self.b, place);
                let hidden = ours
                    && (access == accl_ir::Access::Address || tile.subscripts(self.b, element).is_none());
                let pointer = self.b.body.exprs[place].kind == ExprKind::Local(tile.array);
                if hidden && !pointer {
                    wrong.get_or_insert((*n, node.span));
                }
            });
        }
        match wrong {
            None => Ok(()),
            Some((n, span)) => {
                let tile = &self.tiles[n];
                Err(errors::hidden(&tile.name, tile.kind.name(), span, tile.span))
            }
        }
    }

    /// Accesses to staged arrays become accesses to the copies; stores also record their marks.
    pub(super) fn use_copies(&mut self, block: &mut Block) {
        if self.scope.is_empty() {
            return;
        }
        let with_marks = self.scope.iter().any(|n| self.tiles[*n].written.is_some());
        if with_marks {
            rewrite::rewrite_block(block, &mut |node| {
                let marks = self.marks(&node);
                let mut all = vec![node];
                all.extend(marks);
                all
            });
        }
        let mut work = std::mem::take(block);
        self.copies_in(&mut work);
        *block = work;
    }

    fn copies_in(&mut self, block: &mut Block) {
        for node in block {
            let asked = match node.kind {
                Stmt::If { cond, .. } => Some(cond),
                _ => None,
            };
            node.kind.operands_mut(|e| *e = self.expr_of_copies(*e));
            for (n, inner) in node.kind.blocks_mut().into_iter().enumerate() {
                // The first block of an `if` is where its condition holds.
                self.known.extend(asked.map(|cond| (cond, n == 0)));
                self.copies_in(inner);
                asked.is_some().then(|| self.known.pop());
            }
        }
    }

    pub(super) fn expr_of_copies(&mut self, e: Handle<Expr>) -> Handle<Expr> {
        if self.scope.is_empty() {
            return e;
        }
        let kind = self.b.body.exprs[e].kind.clone();
        if let ExprKind::Load(place) = kind
            && let Some((tile, at)) = self.copy_of(place)
        {
            let at: Vec<Handle<Expr>> = at.into_iter().map(|s| self.expr_of_copies(s)).collect();
            let place = tile.local(self.b, tile.store, &at);
            let value = self.b.load_place(place);
            let within = self.is_within(&tile, &at);
            if !within {
                self.outside.get_or_insert(errors::outside(&tile.name, tile.span));
            }
            return match tile.kind {
                WindowKind::Cache if !within => self.cached(&tile, &at, value),
                _ => value,
            };
        }
        if let Some((tile, at)) = self.copy_of(e)
            && tile.kind != WindowKind::Cache
        {
            let at: Vec<Handle<Expr>> = at.into_iter().map(|s| self.expr_of_copies(s)).collect();
            if !self.is_within(&tile, &at) {
                self.outside.get_or_insert(errors::outside(&tile.name, tile.span));
            }
            return tile.local(self.b, tile.store, &at);
        }
        let mut copy = kind;
        let mut changed = false;
        copy.operands_mut(|operand| {
            let new = self.expr_of_copies(*operand);
            changed |= new != *operand;
            *operand = new;
        });
        if !changed {
            return e;
        }
        let old = &self.b.body.exprs[e];
        let (ty, span) = (old.ty, old.span);
        self.b.body.expr(copy, ty, span)
    }

    /// The window that contains an access.
    pub(super) fn tile_of(&self, place: Handle<Expr>) -> Option<usize> {
        let found = |n: &&usize| self.tiles[**n].subscripts(self.b, element_of(self.b, place)).is_some();
        self.scope.iter().rev().find(found).copied()
    }

    fn copy_of(&self, place: Handle<Expr>) -> Option<(SharedTile, Vec<Handle<Expr>>)> {
        self.scope.iter().rev().find_map(|n| {
            let at = self.tiles[*n].subscripts(self.b, place)?;
            Some((self.tiles[*n].clone(), at))
        })
    }

    /// The access is proven to lie in its iteration's window.
    fn is_within(&self, tile: &SharedTile, at: &[Handle<Expr>]) -> bool {
        let prover =
            Prover { types: &*self.b.types, body: &*self.b.body, facts: self.facts, ranges: self.ranges };
        at.iter()
            .zip(&tile.dims)
            .all(|(index, dim)| prover.is_within(*index, dim.pivot, dim.before, dim.width, &self.known))
    }

    /// The copy where the subscript lies inside the window, otherwise the array.
    fn cached(&mut self, tile: &SharedTile, at: &[Handle<Expr>], copy: Handle<Expr>) -> Handle<Expr> {
        let int = self.b.types.i32();
        let mut inside = self.b.int(1, int);
        for (value, dim) in at.iter().zip(&tile.dims) {
            let base = self.b.load(dim.base);
            let offset = self.b.binary(BinaryOp::Sub, *value, base);
            let unsigned = match self.b.types.kind(self.b.ty(offset)) {
                accl_ir::TypeKind::Int { bits, .. } => self.b.types.int(*bits, false),
                _ => self.b.types.int(64, false),
            };
            let offset = self.b.cast(offset, unsigned);
            let end = dim.extent.value(self.b, unsigned);
            let test = self.b.binary(BinaryOp::Lt, offset, end);
            inside = match self.b.as_int(inside) {
                Some(1) => test,
                _ => self.b.binary(BinaryOp::LogicalAnd, inside, test),
            };
        }
        let place = tile.global(self.b, at);
        let direct = self.b.load_place(place);
        let ty = self.b.ty(copy);
        self.b.expr(ExprKind::Select { cond: inside, yes: copy, no: direct }, ty)
    }
}

/// The array's element that a place is in: `a[i]` of `a[i].x[2]`.
pub fn element_of(b: &Builder<'_>, place: Handle<Expr>) -> Handle<Expr> {
    let mut at = place;
    let mut element = place;
    let mut chain = true;
    loop {
        match b.body.exprs[at].kind {
            ExprKind::Member { base, .. } => {
                at = base;
                element = base;
                chain = true;
            }
            ExprKind::Index { base, .. } => {
                if !chain {
                    element = at;
                }
                at = base;
            }
            _ => return element,
        }
    }
}

/// The same but for conversions between integers.
pub fn same_value(b: &Builder<'_>, x: Handle<Expr>, y: Handle<Expr>) -> bool {
    let strip = |mut e: Handle<Expr>| {
        while let ExprKind::Cast(inner) = b.body.exprs[e].kind {
            if !b.types.is_integer(b.ty(inner)) {
                break;
            }
            e = inner;
        }
        e
    };
    let (x, y) = (strip(x), strip(y));
    visit::same_expr(b.body, x, y) || {
        let (a, c) = (&b.body.exprs[x].kind, &b.body.exprs[y].kind);
        match (a, c) {
            (
                ExprKind::Binary { op: o, left, right },
                ExprKind::Binary { op: p, left: left2, right: right2 },
            ) => o == p && same_value(b, *left, *left2) && same_value(b, *right, *right2),
            (
                ExprKind::Unary { op: UnaryOp::Neg, operand },
                ExprKind::Unary { op: UnaryOp::Neg, operand: other },
            ) => same_value(b, *operand, *other),
            _ => false,
        }
    }
}
