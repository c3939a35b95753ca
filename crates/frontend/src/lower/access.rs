//! Variable-length arrays are flat: `a[i][j]` of `double a[n][m]` is `a[i * m + j]`.
//!
//! A pointer to a row (`double (*a)[m]`, or a parameter `double a[n][m]`) is a pointer to its elements
//! and an offset, both computed here. Offsets are of type long, as in the address arithmetic of C.

use super::Lowered;
use super::expr::unsupported;
use super::extents::located;
use super::function::Fun;
use super::place::points_to_vla;
use super::types::{flat_element, is_vla};
use crate::ast::{CastKind, Expr, ExprKind, Len, Qual, Ty};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, TypeKind};
use accl_source::Span;

type Value = Handle<IrExpr>;

/// An array place or a pointer value, and how many elements past its start.
struct Flat {
    base: Value,
    offset: Option<Value>,
}

impl Fun<'_, '_> {
    /// The number of elements of a variable-length array, an expression of type long. Where it is evaluated each extent
    /// must have the value that it had at the array's declaration.
    pub fn flat_count(&mut self, array: &Qual) -> Lowered<Value> {
        self.count(array, true)
    }

    /// The same where the array is declared.
    pub fn flat_count_here(&mut self, array: &Qual) -> Lowered<Value> {
        self.count(array, false)
    }

    fn count(&mut self, array: &Qual, elsewhere: bool) -> Lowered<Value> {
        let (of, len) = match &*array.ty {
            Ty::Array { of, len } if is_vla(array) => (of, len),
            _ => {
                let long = self.i64();
                return Ok(self.int(1, long, Span::NOWHERE));
            }
        };
        let extent = self.extent(len, elsewhere)?;
        let inner = self.count(of, elsewhere)?;
        Ok(self.multiply(extent, inner))
    }

    fn extent(&mut self, len: &Len, elsewhere: bool) -> Lowered<Value> {
        let long = self.i64();
        match len {
            Len::Const(n) => Ok(self.int((*n).into(), long, Span::NOWHERE)),
            Len::Text(text) => {
                let value = self.extent_text(text, elsewhere)?;
                Ok(self.convert(value, long, Span::NOWHERE))
            }
            Len::Unknown => Err(unsupported("an array of unknown extent", Span::NOWHERE)),
        }
    }

    pub fn multiply(&mut self, left: Value, right: Value) -> Value {
        let ty = self.ty_of(left);
        match (&self.body.exprs[left].kind, &self.body.exprs[right].kind) {
            (Ir::Int(1), _) => right,
            (_, Ir::Int(1)) => left,
            (Ir::Int(a), Ir::Int(b)) => {
                let product = a * b;
                self.int(product, ty, Span::NOWHERE)
            }
            _ => self.expr(Ir::Binary { op: BinaryOp::Mul, left, right }, ty, Span::NOWHERE),
        }
    }

    fn add(&mut self, left: Option<Value>, right: Value) -> Value {
        let ty = self.ty_of(right);
        match left {
            None => right,
            Some(left) => self.expr(Ir::Binary { op: BinaryOp::Add, left, right }, ty, Span::NOWHERE),
        }
    }

    /// `index` rows of `row` elements, of type long.
    fn rows(&mut self, index: &Expr, row: &Qual) -> Lowered<Value> {
        let (long, at) = (self.i64(), index.span);
        let index = self.value(index)?;
        let index = self.convert(index, long, Span::NOWHERE);
        let row = self.flat_count(row).map_err(|refused| located(refused, at))?;
        Ok(self.multiply(index, row))
    }

    /// `index` rows past the start; the offset there.
    fn rows_behind(&mut self, start: Flat, index: &Expr, row: &Qual) -> Lowered<(Flat, Value)> {
        let mut parts: Vec<Value> = std::iter::once(start.base).chain(start.offset).collect();
        let rows = self.after(&mut parts, |f| f.rows(index, row))?;
        let start = Flat { base: parts[0], offset: parts.get(1).copied() };
        let offset = self.add(start.offset, rows);
        Ok((start, offset))
    }

    /// `base[index]` where `base` points into a variable-length array; `None` for other arrays.
    pub fn flat_index(&mut self, base: &Expr, index: &Expr, e: &Expr) -> Lowered<Option<Value>> {
        if is_vla(&e.ty) {
            return Err(unsupported("a row of a variable-length array by itself", e.span));
        }
        let Some(row) = self.flat_source(base)? else { return Ok(None) };
        let (row, index) = self.rows_behind(row, index, &e.ty)?;
        let ty = match self.cx.module.types.element(self.ty_of(row.base)) {
            Some(ty) => ty,
            None => self.ty(&e.ty),
        };
        Ok(Some(self.expr(Ir::Index { base: row.base, index }, ty, e.span)))
    }

    /// `*pointer`, likewise.
    pub fn flat_deref(&mut self, pointer: &Expr, e: &Expr) -> Lowered<Option<Value>> {
        let Some(row) = self.flat_source(pointer)? else { return Ok(None) };
        let long = self.i64();
        let index = match row.offset {
            Some(offset) => offset,
            None => self.int(0, long, e.span),
        };
        let ty = self.cx.ty(flat_element(&e.ty));
        Ok(Some(self.expr(Ir::Index { base: row.base, index }, ty, e.span)))
    }

    /// Where a pointer into a variable-length array points, if `e` is one by way of an array's decay.
    fn flat_source(&mut self, e: &Expr) -> Lowered<Option<Flat>> {
        match &e.kind {
            ExprKind::Cast { kind: CastKind::Decay, operand, .. } if is_vla(&operand.ty) => {
                self.flat_array(operand).map(Some)
            }
            _ if points_to_vla(e) => self.flat_pointer(e).map(Some),
            _ => Ok(None),
        }
    }

    /// A variable-length array, or a part of one that is an array itself.
    fn flat_array(&mut self, e: &Expr) -> Lowered<Flat> {
        match &e.kind {
            ExprKind::Index { base, index } => {
                let whole = match self.flat_source(base)? {
                    Some(whole) => whole,
                    None => return Err(unsupported("this array of variable-length arrays", e.span)),
                };
                let (whole, offset) = self.rows_behind(whole, index, &e.ty)?;
                Ok(Flat { base: whole.base, offset: Some(offset) })
            }
            ExprKind::Deref(pointer) => self.flat_pointer(pointer),
            _ => Ok(Flat { base: self.place(e)?, offset: None }),
        }
    }

    /// A pointer to rows.
    fn flat_pointer(&mut self, e: &Expr) -> Lowered<Flat> {
        match (&e.kind, &*e.ty.ty) {
            (ExprKind::Binary { op: BinaryOp::Add, left, right }, Ty::Pointer { to, .. })
                if points_to_vla(left) =>
            {
                let start = self.flat_pointer(left)?;
                let (start, offset) = self.rows_behind(start, right, to)?;
                Ok(Flat { base: start.base, offset: Some(offset) })
            }
            (ExprKind::Cast { kind: CastKind::Decay, operand, .. }, _) => self.flat_array(operand),
            (ExprKind::AddrOf(operand), _) => self.flat_array(operand),
            _ => Ok(Flat { base: self.value(e)?, offset: None }),
        }
    }

    /// The pointer to the first element of a variable-length array or row.
    pub fn flat_pointer_to(&mut self, array: &Expr, span: Span) -> Lowered<Value> {
        let flat = self.flat_array(array)?;
        let pointer = match self.kind_of(flat.base) {
            TypeKind::Array { .. } => self.decay_place(flat.base, span),
            _ => flat.base,
        };
        Ok(match flat.offset {
            None => pointer,
            Some(offset) => {
                let ty = self.ty_of(pointer);
                self.expr(Ir::Binary { op: BinaryOp::Add, left: pointer, right: offset }, ty, span)
            }
        })
    }

    /// `p + i`, `p - i`, `p - q`.
    pub fn pointer_arithmetic(
        &mut self,
        e: &Expr,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Lowered<Value> {
        let pointer = |e: &Expr| matches!(&*e.ty.ty, Ty::Pointer { .. });
        if points_to_vla(left) || points_to_vla(right) {
            return Err(unsupported("arithmetic on pointers to variable-length arrays", e.span));
        }
        let (l, mut r) = self.pair(|f| f.value(left), |f| f.value(right))?;
        if pointer(left) && pointer(right) {
            let (to, long) = (self.ty_of(l), self.i64());
            r = self.convert(r, to, right.span);
            return Ok(self.expr(Ir::Binary { op, left: l, right: r }, long, e.span));
        }
        let (l, r) = if pointer(left) { (l, r) } else { (r, l) };
        let ty = self.ty_of(l);
        Ok(self.expr(Ir::Binary { op, left: l, right: r }, ty, e.span))
    }
}
