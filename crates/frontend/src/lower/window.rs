//! The extension `fcw`, and the standard's `cache` (OpenACC 3.3 §2.10): statements for which arrays are kept in
//! fast memory.
//!
//! Both become [`Stmt::Window`]. A window's element is lowered in the same way as an access to its array, so that
//! passes recognise accesses by comparison. A variable-length array is flat in both.

use super::expr::unsupported;
use super::function::Fun;
use super::scope::Named;
use super::{Lowered, Refused};
use crate::ast::{Stmt as Ast, Ty};
use accl_directives::{CExpr, DirectiveKind, FcwGroup, FcwKind, FcwWindow, Lvalue, Section};
use accl_ir::{
    BarrierScope, BinaryOp, Expr as IrExpr, ExprKind as Ir, HaloExtent, Handle, Staged, Stmt, StmtNode,
    TypeKind, Window, WindowDim, WindowKind,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

impl Fun<'_, '_> {
    /// `fcw` and the statement it governs.
    pub fn fcw(&mut self, groups: &[FcwGroup], span: Span, body: &Ast) -> Lowered<()> {
        if !self.region {
            return Err(in_routine("fcw", span));
        }
        let mut arrays = vec![];
        for group in groups {
            for window in &group.windows {
                arrays.push(self.staged(kind(group.kind), window)?);
            }
        }
        self.windows += 1;
        let inner = self.stmt_block(body);
        self.windows -= 1;
        self.emit(Stmt::Window(Box::new(Window { arrays, body: inner })), span.to(body.span));
        Ok(())
    }

    /// `fcw_barrier`: the iterations of the block wait for each other.
    pub fn fcw_barrier(&mut self, span: Span) -> Lowered<()> {
        if self.windows == 0 {
            return Err(Box::new(
                Diagnostic::error(codes::MISPLACED, "`fcw_barrier` stands outside any `fcw` statement")
                    .at(span)
                    .with_help(
                        "iterations share a block only under `fcw`; put the barrier into its statement",
                    ),
            ));
        }
        self.emit(Stmt::Barrier(BarrierScope::Block), span);
        Ok(())
    }

    pub fn is_cache(&self, index: usize) -> bool {
        matches!(self.cx.pragmas[index].directive.kind, DirectiveKind::Cache { .. })
    }

    /// The statements of a list that begins with a `cache` directive, which applies to the rest of the list.
    pub fn cache(&mut self, index: usize, rest: &[Ast]) {
        let pragma = &self.cx.pragmas[index];
        let span = pragma.span;
        // The code shows whether the array is only read.
        let DirectiveKind::Cache { sections, readonly: _ } = pragma.directive.kind.clone() else { return };
        let mut arrays = vec![];
        for section in &sections {
            match self.cached(section) {
                Ok(staged) => arrays.extend(staged),
                // A hint that cannot be used: a row, or another part that is no window of elements.
                Err(refused) if refused.code == codes::WINDOW => {}
                Err(refused) => self.report(refused),
            }
        }
        let before = self.blocks.last().map_or(0, Vec::len);
        self.items(rest);
        let Some(block) = self.blocks.last_mut().filter(|_| !arrays.is_empty()) else { return };
        // Declarations stay visible after the directive, where nothing follows: the list ends here.
        let body = block.split_off(before.min(block.len()));
        block.push(StmtNode { kind: Stmt::Window(Box::new(Window { arrays, body })), span });
    }

    fn staged(&mut self, kind: WindowKind, window: &FcwWindow) -> Lowered<Staged> {
        let pivots: Vec<&CExpr> = window.dims.iter().map(|d| &d.pivot).collect();
        let (element, pivots) = self.element_at(&window.array, &pivots, window.span)?;
        let mut dims = vec![];
        for (dim, pivot) in window.dims.iter().zip(pivots) {
            let dim = WindowDim {
                pivot,
                before: self.halo_extent(&dim.before)?,
                after: self.halo_extent(&dim.after)?,
            };
            if dim.width().is_some_and(|n| n <= 0) {
                return Err(bad_window("the window holds no element", window.span));
            }
            dims.push(dim);
        }
        Ok(Staged { kind, name: window.array.to_string(), element, dims, span: window.span })
    }

    /// BEFORE or AFTER: a constant, or what the launch knows.
    fn halo_extent(&mut self, e: &CExpr) -> Lowered<HaloExtent> {
        if let Some(known) = self.constant(e) {
            return Ok(HaloExtent::Known(known));
        }
        let value = self.clause_value(e, e.span)?;
        match self.cx.module.types.is_integer(self.ty_of(value)) {
            true => Ok(HaloExtent::Launch { value, host: None }),
            false => Err(bad_window("BEFORE and AFTER are no integers", e.span)),
        }
    }

    /// AFTER of a window that begins at its pivot and has so many elements.
    fn last(&mut self, length: &CExpr) -> Lowered<HaloExtent> {
        Ok(match self.halo_extent(length)? {
            HaloExtent::Known(n) => HaloExtent::Known(n.saturating_sub(1)),
            HaloExtent::Launch { value, .. } => {
                HaloExtent::Launch { value: self.one_less(value), host: None }
            }
        })
    }

    /// `2 * r` of `2 * r + 1`.
    fn one_less(&mut self, value: Value) -> Value {
        let (ty, span) = (self.ty_of(value), self.body.exprs[value].span);
        if let Ir::Binary { op: BinaryOp::Add, left, right } = self.body.exprs[value].kind
            && self.body.exprs[right].kind == Ir::Int(1)
            && self.ty_of(left) == ty
        {
            return left;
        }
        let one = self.int(1, ty, Span::NOWHERE);
        self.expr(Ir::Binary { op: BinaryOp::Sub, left: value, right: one }, ty, span)
    }

    /// A section of `cache` as a window; `None` where it has no length or no element, which makes it a hint that
    /// nothing can be made of.
    fn cached(&mut self, section: &Section) -> Lowered<Option<Staged>> {
        let zero = CExpr {
            kind: accl_directives::CExprKind::Int { value: Some(0), text: "0".into() },
            span: section.span,
        };
        let mut lowers = vec![];
        let mut lasts = vec![];
        for dim in &section.dims {
            lowers.push(dim.lower.as_ref().unwrap_or(&zero));
            let last = match (&dim.length, dim.is_index) {
                (Some(length), _) => match self.last(length) {
                    Ok(last) if last.value().is_none_or(|e| self.is_of_variables(e)) => last,
                    _ => return Ok(None),
                },
                (None, true) => HaloExtent::Known(0),
                (None, false) => return Ok(None),
            };
            if last.known().is_some_and(|n| n < 0) {
                return Ok(None);
            }
            lasts.push(last);
        }
        if lowers.is_empty() {
            return Ok(None);
        }
        let (element, pivots) = self.element_at(&section.base, &lowers, section.span)?;
        let dims = pivots.into_iter().zip(lasts);
        let dims =
            dims.map(|(pivot, after)| WindowDim { pivot, before: HaloExtent::Known(0), after }).collect();
        let name = section.base.to_string();
        Ok(Some(Staged { kind: WindowKind::Cache, name, element, dims, span: section.span }))
    }

    /// The expression reads only variables: a hint must not make the kernel read memory that it does not read
    /// otherwise.
    fn is_of_variables(&self, e: Value) -> bool {
        let kind = &self.body.exprs[e].kind;
        !matches!(kind, Ir::Deref(_) | Ir::Index { .. })
            && kind.operands().into_iter().all(|o| self.is_of_variables(o))
    }

    /// The element at the pivots, and the pivots.
    fn element_at(&mut self, array: &Lvalue, pivots: &[&CExpr], span: Span) -> Lowered<(Value, Vec<Value>)> {
        let mut place = self.lvalue(array)?;
        let mut values = vec![];
        for pivot in pivots {
            let value = self.clause_value(pivot, pivot.span)?;
            if !self.cx.module.types.is_integer(self.ty_of(value)) {
                return Err(bad_window("the pivot is no integer", pivot.span));
            }
            values.push(value);
        }
        if let Some(rows) = self.flat_rows(array, pivots.len())? {
            place = self.flat_element(place, &values, &rows, span)?;
            return Ok((place, values));
        }
        for value in &values {
            place = self.element(place, *value, span)?;
        }
        match self.kind_of(place) {
            TypeKind::Array { .. } => Err(bad_window("the array has more dimensions than the window", span)),
            _ => Ok((place, values)),
        }
    }

    /// Elements in a row of each dimension of a variable-length array but the last.
    fn flat_rows(&mut self, array: &Lvalue, dims: usize) -> Lowered<Option<Vec<Value>>> {
        let named =
            (array.path.is_empty() && array.derefs == 0).then(|| self.lookup(&array.root.name)).flatten();
        let Some(Named::Variable(_, variable)) = named else { return Ok(None) };
        let mut row = match &*variable.ty.ty {
            Ty::Array { of, .. } if super::types::is_vla(&variable.ty) => of.clone(),
            Ty::Pointer { to, .. } if super::types::is_vla(to) => to.clone(),
            _ => return Ok(None),
        };
        let mut rows = vec![];
        while let Ty::Array { of, .. } = &*row.ty {
            rows.push(self.flat_count(&row)?);
            let of = of.clone();
            row = of;
        }
        match rows.len() + 1 == dims {
            true => Ok(Some(rows)),
            false => Err(bad_window("the window has not as many dimensions as the array", array.span)),
        }
    }

    /// `place[p0 * row0 + p1 * row1 + … + pn]`, in the order of operands that accesses have.
    fn flat_element(&mut self, place: Value, pivots: &[Value], rows: &[Value], span: Span) -> Lowered<Value> {
        let long = self.i64();
        let mut index: Option<Value> = None;
        for (at, pivot) in pivots.iter().enumerate() {
            let term = self.convert(*pivot, long, Span::NOWHERE);
            let term = match rows.get(at) {
                Some(row) => self.multiply(term, *row),
                None => term,
            };
            index = Some(match index {
                Some(left) => {
                    self.expr(Ir::Binary { op: BinaryOp::Add, left, right: term }, long, Span::NOWHERE)
                }
                None => term,
            });
        }
        match index {
            Some(index) => self.element(place, index, span),
            None => Err(unsupported("a window without dimensions", span)),
        }
    }
}

fn kind(kind: FcwKind) -> WindowKind {
    match kind {
        FcwKind::FetchOnly => WindowKind::FetchOnly,
        FcwKind::ChannelOnly => WindowKind::ChannelOnly,
        FcwKind::FetchChannel => WindowKind::FetchChannel,
        FcwKind::ChannelWb => WindowKind::ChannelWb,
        FcwKind::FetchChannelWb => WindowKind::FetchChannelWb,
        FcwKind::FetchWb => WindowKind::FetchWb,
        FcwKind::WbOnly => WindowKind::WbOnly,
    }
}

fn bad_window(what: &str, span: Span) -> Refused {
    Box::new(
        Diagnostic::error(codes::WINDOW, format!("this window cannot be kept by a block: {what}"))
            .at(span)
            .with_help("write PIVOT:BEFORE:AFTER for each dimension, BEFORE and AFTER the same for all iterations: `a[i:1:1]`"),
    )
}

fn in_routine(name: &str, span: Span) -> Refused {
    Box::new(
        Diagnostic::error(codes::MISPLACED, format!("the `{name}` directive stands in a routine"))
            .at(span)
            .with_note("which iterations share a block is known only where the parallel loop is")
            .with_help("put the statement into the parallel loop"),
    )
}
