//! Statements between threads: atomics, reductions, wide accesses.

use super::body::{Aggregated, BodyWriter};
use super::dialect::{AtomicRequest, GridReduction};
use super::expr::Prec;
use super::helper::Combine;
use super::scalar::Scalar;
use super::spaces::AddrSpace;
use super::stmt::StmtWriter;
use crate::{CodegenError, Result};
use accl_ir::{
    Atomic, AtomicKind, BarrierScope, Expr, ExprKind, Handle, Local, ReductionOp, Stmt, StmtNode,
    TensorProduct, TypeKind, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

/// Bytes of one wide access; longer ones are several.
const WIDEST: u64 = 16;

/// The alignment that a local array needs for wide accesses.
pub fn vector_alignment(body: &BodyWriter, local: Handle<Local>) -> Option<u64> {
    if Scalar::of(&body.unit.module.types, body.body.locals[local].ty).is_some() {
        return None; // A number is no array, and not worth a walk.
    }
    let mut widest = None;
    visit::for_each_stmt(&body.body.block, &mut |node| {
        // Shared arrays with wide accesses, and their rows, begin at aligned addresses.
        if let Stmt::VectorLoad { src: place, n, .. } | Stmt::VectorStore { dst: place, n, .. } = &node.kind
            && visit::root_local(body.body, *place) == Some(local)
        {
            let bytes = body.scalar_of(*place).map(|s| (u64::from(s.bytes()) * u64::from(*n)).min(WIDEST));
            widest = widest.max(bytes);
        }
        if let Stmt::VectorLoad { dst: array, n, .. } | Stmt::VectorStore { src: array, n, .. } = &node.kind {
            if *array == local {
                let bytes =
                    element_scalar(body, local).map(|s| (u64::from(s.bytes()) * u64::from(*n)).min(WIDEST));
                widest = widest.max(bytes);
            }
        }
    });
    widest
}

fn element_scalar(body: &BodyWriter, local: Handle<Local>) -> Option<Scalar> {
    let types = &body.unit.module.types;
    Scalar::of(types, types.element(body.body.locals[local].ty)?)
}

fn is_atom(body: &BodyWriter, e: Handle<Expr>) -> bool {
    match &body.expr(e).kind {
        ExprKind::Int(_) | ExprKind::Float(_) => true,
        ExprKind::Load(place) => matches!(body.expr(*place).kind, ExprKind::Local(_)),
        ExprKind::Cast(inner) => is_atom(body, *inner),
        _ => false,
    }
}

/// The most shared memory of a block for what its updates come to: four blocks of 256 threads fit on a multiprocessor beside others.
const MOST_AGGREGATED: u32 = 32 << 10;

/// The operators and types of the updates of [combined places](BodyWriter::combined_places) for which a block keeps a table of so
/// many elements, as far as there is room.
pub fn aggregated(body: &BodyWriter, entries: u32) -> Aggregated {
    let mut tables = BTreeSet::new();
    let mut room = MOST_AGGREGATED;
    visit::for_each_stmt(&body.body.block, &mut |node| {
        let Stmt::Atomic(atomic) = &node.kind else { return };
        let Some((op, ty)) = aggregated_kind(body, atomic) else { return };
        let bytes = entries * (8 + ty.bytes());
        if bytes <= room && !tables.contains(&(op, ty)) {
            room -= bytes;
            tables.insert((op, ty));
        }
    });
    Aggregated { entries, tables }
}

/// The operator and the type of the table for an update.
fn aggregated_kind(body: &BodyWriter, atomic: &Atomic) -> Option<(Combine, Scalar)> {
    let ty = body.scalar_of(atomic.place)?;
    let op = match Combine::of_atomic(atomic.kind)? {
        Combine::Sub => Combine::Add,
        op => op,
    };
    let same = body.scalar_of(atomic.value?)? == ty;
    let combined = body.combined_places.contains(&atomic.place) && body.unit.dialect.aggregates(op, ty);
    (same && combined).then_some((op, ty))
}

impl StmtWriter<'_, '_, '_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic, span: Span) -> Result<()> {
        let body = self.body;
        let Some(ty) = body.scalar_of(atomic.place) else {
            return Err(body.unit.unsupported("an atomic operation on what is no number", span));
        };
        let address = body.address(atomic.place)?.at(Prec::Unary);
        let space = body.spaces.of_place(body.body, atomic.place);
        let (value, exact) = match atomic.value {
            Some(value) => (body.assigned(value)?, body.exact(value)?.at(Prec::Assign)),
            None => Default::default(),
        };
        let expected = atomic.kind.expected();
        let by = expected.or(atomic.value).and_then(|value| body.scalar_of(value)).unwrap_or(ty);
        let expected = expected.map(|e| Ok(body.exact(e)?.at(Prec::Assign))).transpose()?;
        let (value, exact, expected) = (&value, &exact, expected.as_deref());
        let may_be_own = space == AddrSpace::Private
            || body.spaces.is_open(body.body, atomic.place)
                && (self.kernel.is_none() || body.spaces.are_unknown());
        let request = AtomicRequest { ty, by, space, may_be_own, address: &address, value, exact, expected };
        let dialect = body.unit.dialect;
        match (atomic.kind, &atomic.capture) {
            (AtomicKind::Read, Some((place, _))) => {
                let text = dialect.atomic_load(&request, body.unit);
                self.captured(*place, &text)
            }
            (AtomicKind::Read, None) => Ok(()),
            (AtomicKind::Write, None) => {
                let text = dialect.atomic_store(&request, body.unit);
                self.simple(&format!("{text};"))
            }
            (AtomicKind::Write, Some((place, _))) => {
                let text = dialect.atomic_exchange(&request, body.unit);
                self.captured(*place, &text)
            }
            (
                AtomicKind::Update(_)
                | AtomicKind::ReverseUpdate(_)
                | AtomicKind::Extremum(_)
                | AtomicKind::Replace(_),
                _,
            ) => self.atomic_update(atomic, &request, span),
        }
    }

    fn atomic_update(&mut self, atomic: &Atomic, request: &AtomicRequest, span: Span) -> Result<()> {
        let op = Combine::of_atomic(atomic.kind)
            .ok_or_else(|| CodegenError::Unsupported { what: "this atomic update".into(), span })?;
        let unit = self.body.unit;
        match &atomic.capture {
            None => {
                let Aggregated { entries, tables } = &self.body.aggregated;
                let has_table = aggregated_kind(self.body, atomic).is_some_and(|kind| tables.contains(&kind));
                let text = match self.body.combined_places.contains(&atomic.place) {
                    true if has_table => unit.dialect.aggregated_update(op, request, *entries, unit),
                    true => unit.dialect.combined_update(op, request, unit),
                    false => unit.dialect.atomic_update(op, request, unit),
                };
                self.simple(&format!("{text};"))
            }
            Some((place, false)) => {
                let text = unit.dialect.atomic_update(op, request, unit);
                self.captured(*place, &text)
            }
            Some((place, true)) => self.captured_after(op, atomic, *place, request),
        }
    }

    /// The atomic functions return the value before; the value after is computed from it.
    fn captured_after(
        &mut self,
        op: Combine,
        atomic: &Atomic,
        place: Handle<Expr>,
        request: &AtomicRequest,
    ) -> Result<()> {
        let unit = self.body.unit;
        let operand = match atomic.value {
            Some(value) if !is_atom(self.body, value) => {
                let name = self.names.fresh("operand");
                self.out.line(&format!("const {} {name} = {};", unit.scalar(request.by), request.value));
                name
            }
            _ => request.exact.to_owned(),
        };
        let request = AtomicRequest { value: &operand, exact: &operand, ..*request };
        let before = unit.dialect.atomic_update(op, &request, unit);
        let simple = matches!(op, Combine::Add | Combine::Sub | Combine::And | Combine::Or | Combine::Xor);
        if simple {
            let after = op.apply(&before, &operand, request.ty, &|_| String::new());
            return self.captured(place, &after);
        }
        let name = self.names.fresh("before");
        self.out.line(&format!("const {} {name} = {before};", unit.scalar(request.ty)));
        let extremum = |fun| extremum_name(unit, fun, request.ty);
        self.captured(place, &op.apply(&name, &operand, request.ty, &extremum))
    }

    fn captured(&mut self, place: Handle<Expr>, text: &str) -> Result<()> {
        let target = self.body.place(place)?.at(Prec::Unary);
        self.simple(&format!("{target} = {text};"))
    }

    fn local_scalar(&self, local: Handle<Local>) -> Result<Scalar> {
        let local = &self.body.body.locals[local];
        Scalar::of(&self.body.unit.module.types, local.ty)
            .ok_or_else(|| self.body.unit.unsupported("a reduction over what is no number", local.span))
    }

    pub(super) fn reduce_across(
        &mut self,
        op: ReductionOp,
        local: Handle<Local>,
        scope: BarrierScope,
    ) -> Result<()> {
        let ty = self.local_scalar(local)?;
        let kernel = self.kernel_text()?;
        let name = self.body.names.local(local);
        let text = self.body.unit.dialect.reduce_across(op.into(), ty, name, scope, kernel, self.body.unit);
        self.simple(&text)
    }

    /// The reductions by columns at the start of the block, and how many there are.
    pub(super) fn reduce_columns(&mut self, block: &[StmtNode]) -> Result<usize> {
        let mut all = Vec::new();
        for node in block {
            let Stmt::ReduceAcross { op, local, scope: BarrierScope::Columns } = node.kind else { break };
            all.push((op.into(), self.local_scalar(local)?, self.body.names.local(local)));
        }
        let lines = self.body.unit.dialect.reduce_columns(&all, self.body.unit);
        let lines = lines
            .ok_or_else(|| CodegenError::Internal("this language has no reductions by columns".into()))?;
        lines.iter().for_each(|line| self.out.line(line));
        Ok(all.len())
    }

    /// The reductions over the grid at the start of the block, and how many there are.
    pub(super) fn reduce_grids(&mut self, block: &[StmtNode]) -> Result<usize> {
        let kernel = self.kernel_text()?;
        let mut all = Vec::new();
        for node in block {
            let Stmt::ReduceGrid { op, local, param } = node.kind else { break };
            let param = kernel
                .stems
                .get(param)
                .ok_or_else(|| CodegenError::Internal("ReduceGrid names no parameter".into()))?;
            let ty = self.local_scalar(local)?;
            all.push(GridReduction { op: op.into(), ty, local: self.body.names.local(local), param });
        }
        let lines = self.body.unit.dialect.reduce_grids(&all, kernel, self.body.unit);
        let count = all.len();
        lines.iter().for_each(|line| self.out.line(line));
        Ok(count)
    }

    pub(super) fn kernel_text(&self) -> Result<&super::kernel::KernelText<'_>> {
        self.kernel
            .ok_or_else(|| CodegenError::Internal("what threads do together stands outside a kernel".into()))
    }

    pub(super) fn tensor_product(&mut self, product: &TensorProduct) -> Result<()> {
        let operands = product.sums.iter().map(|place| self.body.place(*place));
        let operands = operands.chain(product.left.iter().chain(&product.right).map(|e| self.body.value(*e)));
        let operands: Vec<String> = operands.map(|p| p.map(|p| p.text)).collect::<Result<_>>()?;
        let text = self.body.unit.dialect.tensor_product(&operands.join(", "), self.body.unit);
        let text =
            text.ok_or_else(|| CodegenError::Internal("this language has no products of matrices".into()))?;
        self.simple(&text)
    }

    pub(super) fn vector_load(&mut self, dst: Handle<Local>, src: Handle<Expr>, n: u8) -> Result<()> {
        for part in self.wide_parts(dst, src, n, true)? {
            self.simple(&format!("{} = {};", part.array, part.memory))?;
        }
        Ok(())
    }

    pub(super) fn vector_store(&mut self, dst: Handle<Expr>, src: Handle<Local>, n: u8) -> Result<()> {
        for part in self.wide_parts(src, dst, n, false)? {
            self.simple(&format!("{} = {};", part.memory, part.array))?;
        }
        Ok(())
    }

    /// The accesses, of at most 16 bytes each, that `n` elements take.
    fn wide_parts(
        &self,
        array: Handle<Local>,
        place: Handle<Expr>,
        n: u8,
        constant: bool,
    ) -> Result<Vec<WidePart>> {
        let scalar = element_scalar(self.body, array)
            .filter(|_| matches!(self.body.kind(self.body.body.locals[array].ty), TypeKind::Array { .. }))
            .ok_or_else(|| CodegenError::Internal("a wide access of what is no array of numbers".into()))?;
        let most = (WIDEST / u64::from(scalar.bytes())) as u8;
        let lanes = n.min(most);
        let dialect = self.body.unit.dialect;
        let wide = dialect.vector_type(scalar, lanes);
        let space = dialect.space(self.body.spaces.of_place(self.body.body, place));
        let qualifier = if constant { "const " } else { "" };
        let address = self.body.address(place)?.at(Prec::Unary);
        let name = self.body.names.local(array);
        let cast = format!("{space}{qualifier}{wide} *");
        Ok((0..n)
            .step_by(usize::from(lanes))
            .map(|at| match at {
                0 => WidePart { array: format!("*({wide} *){name}"), memory: format!("*({cast}){address}") },
                _ => WidePart {
                    array: format!("*({wide} *)({name} + {at})"),
                    memory: format!("*({cast})({address} + {at})"),
                },
            })
            .collect())
    }
}

/// One of the accesses of a wide load or store, as lvalues.
struct WidePart {
    array: String,
    memory: String,
}

/// The name of fmin or fmax for `ty`.
pub fn extremum_name(unit: &super::unit::DeviceSource, fun: accl_ir::MathFn, ty: Scalar) -> String {
    match unit.dialect.math(fun, ty, unit) {
        super::dialect::MathText::Call(name, _) => name,
        _ => fun.c_name().to_owned(),
    }
}
