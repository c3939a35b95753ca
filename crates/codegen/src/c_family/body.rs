//! One body being written: its names and address spaces, and what is shared by expressions and statements.

use super::decl::{Declarator, PointerStyle};
use super::expr::Prec;
use super::helper::Combine;
use super::names::Names;
use super::scalar::Scalar;
use super::spaces::Spaces;
use super::unit::DeviceSource;
use super::usage::Usage;
use crate::Result;
use accl_ir::{Body, Expr, ExprKind, Function, Handle, Local, Type, TypeKind};
use accl_source::Span;
use std::collections::BTreeSet;

/// The tables of a block in shared memory: the elements of each, and the operators and types that have one.
#[derive(Default)]
pub struct Aggregated {
    pub entries: u32,
    pub tables: BTreeSet<(Combine, Scalar)>,
}

pub struct BodyWriter<'w, 'a> {
    pub unit: &'w DeviceSource<'a>,
    pub body: &'w Body,
    pub usage: Usage,
    pub names: Names,
    pub spaces: Spaces,
    /// See [`Dialect::folds_workers`](super::dialect::Dialect::folds_workers).
    pub folded: bool,
    /// How many times the bodies of innermost loops are to be repeated, where the schedule says so.
    pub unroll: Option<u32>,
    /// The lanes of a gang, where no launch changes their number and the text may say it.
    pub lanes: Option<u32>,
    /// An iteration's row has a few lanes, as it is short.
    pub few_lanes: bool,
    /// Places of atomic updates for which a warp combines what its lanes have.
    pub combined_places: BTreeSet<Handle<Expr>>,
    /// What the block keeps of the updates of such places.
    pub aggregated: Aggregated,
    /// `None` in kernels.
    pub function: Option<&'w Function>,
}

impl<'w, 'a> BodyWriter<'w, 'a> {
    pub fn expr(&self, e: Handle<Expr>) -> &'w Expr {
        &self.body.exprs[e]
    }

    pub fn kind(&self, ty: Handle<Type>) -> &'w TypeKind
    where
        'a: 'w,
    {
        self.unit.module.types.kind(ty)
    }

    /// The arithmetic type of an expression.
    pub fn scalar_of(&self, e: Handle<Expr>) -> Option<Scalar> {
        Scalar::of(&self.unit.module.types, self.body.exprs[e].ty)
    }

    pub fn declarator(&self, span: Span) -> Declarator<'_, 'a> {
        Declarator { unit: self.unit, body: Some(self.shrink()), span, stored: false }
    }

    /// The same writer under the shorter lifetime that [`Declarator`] asks for.
    fn shrink(&self) -> &BodyWriter<'_, 'a> {
        self
    }

    /// `T name` of a local.
    pub fn local_declaration(&self, local: Handle<Local>) -> Result<String> {
        let Local { ty, span, .. } = &self.body.locals[local];
        if self.is_number(local) {
            return Ok(format!(
                "{} {}",
                self.unit.scalar(super::scalar::Scalar::U64),
                self.names.local(local)
            ));
        }
        self.pointer_declaration(local, *ty, *span, self.names.local(local))
    }

    fn pointer_declaration(
        &self,
        local: Handle<Local>,
        ty: Handle<Type>,
        span: Span,
        name: &str,
    ) -> Result<String> {
        let style = PointerStyle { space: Some(self.spaces.pointee(local)), ..PointerStyle::default() };
        self.declarator(span).pointer(ty, name, style)
    }

    /// `T name` of a local in shared memory, with the qualifier of that memory. Where what a pointer points to has a qualifier,
    /// too, the pointer's own stands before its name.
    pub fn shared_declaration(&self, local: Handle<Local>, aligned: &str) -> Result<String> {
        let (types, shared) = (&self.unit.module.types, self.unit.dialect.shared());
        let Local { ty, span, .. } = &self.body.locals[local];
        let mut innermost = *ty;
        while let TypeKind::Array { of, .. } = types.kind(innermost) {
            innermost = *of;
        }
        let is_pointer = matches!(types.kind(innermost), TypeKind::Pointer { .. });
        if is_pointer && !self.unit.dialect.is_cplusplus() {
            let name = format!("{shared}{}", self.names.local(local));
            return Ok(format!("{aligned}{}", self.pointer_declaration(local, *ty, *span, &name)?));
        }
        Ok(format!("{shared}{aligned}{}", self.local_declaration(local)?))
    }

    /// The spelling of `ty` in a cast of `value`.
    pub fn cast_type(&self, ty: Handle<Type>, value: Handle<Expr>) -> Result<String> {
        let style = PointerStyle { space: self.spaces.of_value(self.body, value), ..PointerStyle::default() };
        self.declarator(self.expr(value).span).pointer(ty, "", style)
    }

    /// The value where one of type `target` is expected. C++ does not drop the `const` of a pointee implicitly, and
    /// methods that only read take a plain pointer to their object.
    pub fn passed(&self, value: Handle<Expr>, target: Handle<Type>) -> Result<String> {
        let points_to_const = |ty, wanted| matches!(self.unit.module.types.kind(ty), TypeKind::Pointer { constant, .. } if *constant == wanted);
        let made_of = super::usage::pointers_of(self.body, value);
        let drops = points_to_const(target, false)
            && (points_to_const(self.expr(value).ty, true)
                || made_of.into_iter().any(|l| points_to_const(self.body.locals[l].ty, true)));
        if !drops {
            return self.assigned(value);
        }
        Ok(format!("({}){}", self.cast_type(target, value)?, self.value(value)?.at(Prec::Unary)))
    }

    /// Evaluating the expression again later in `block` yields the same value.
    pub fn is_stable_in(&self, e: Handle<Expr>, block: &accl_ir::Block) -> bool {
        let (mut locals, mut memory, mut calls) = (vec![], false, false);
        accl_ir::visit::for_each_operand(&self.body.exprs, e, &mut |e| match &self.body.exprs[e].kind {
            ExprKind::Local(local) => locals.push(*local),
            ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Global(_) => memory = true,
            ExprKind::Call { .. } => calls = true,
            _ => {}
        });
        // The block may be long, and most steps are literals.
        let written = || {
            let changed = Usage::of_block(self.unit.module, self.body, block);
            locals.iter().any(|local| changed.get(*local).written)
        };
        let changes = calls
            || memory && super::effects::writes_memory(self.body, block)
            || !locals.is_empty() && written();
        !changes
    }
}
