//! Copies of objects in types of the standard library, whose own code is never read.
//!
//! A `std::pair`, `std::tuple` or `std::array` is copied member by member. Where a member's class has a copy constructor or an
//! assignment of its own, that is called; where it could as well be moved, the copy is refused, since what is read of the library's calls
//! does not tell the two apart.

use super::Lowered;
use super::context::copied_class;
use super::expr::unsupported;
use super::function::Fun;
use crate::ast::{DeclId, Function, FunctionKind, Qual, Ty};
use accl_ir::{ArrayLen, Expr as IrExpr, ExprKind as Ir, Handle, Stmt, TypeKind};
use accl_source::Span;

type Place = Handle<IrExpr>;

/// Longer arrays of objects are not copied one by one.
const MOST_COPIED: u64 = 16;

impl<'p> Fun<'_, 'p> {
    /// Makes an object of another one, or assigns it.
    pub fn copied_into(
        &mut self,
        [to, from]: [Place; 2],
        ty: &Qual,
        assigns: bool,
        span: Span,
    ) -> Lowered<()> {
        if !self.cx.runs_code_in_copy(ty, assigns) {
            return self.copy_object(to, from, span);
        }
        match &*ty.ty {
            Ty::Array { of, .. } => self.copy_each([to, from], of, assigns, span),
            Ty::Record(class) if self.cx.has_own_copying(*class, assigns) => {
                self.call_copy([to, from], *class, assigns, span)
            }
            Ty::Record(class) => self.copy_parts([to, from], *class, assigns, span),
            _ => Err(unsupported("this copy", span)),
        }
    }

    fn copy_parts(&mut self, places: [Place; 2], class: DeclId, assigns: bool, span: Span) -> Lowered<()> {
        let Some(record) = self.cx.record(class) else { return Err(unsupported("this copy", span)) };
        let own = Qual::new(Ty::Record(class));
        for base in &record.bases {
            let [to, from] = places;
            let to = self.base_object(to, &own, base, span)?;
            let from = self.base_object(from, &own, base, span)?;
            self.copied_into([to, from], base, assigns, span)?;
        }
        for (index, field) in record.fields.iter().enumerate() {
            if field.ty.is_reference() || field.bitfield.is_some() || record.is_union {
                return Err(unsupported("this copy", span));
            }
            let [to, from] = places;
            let to = self.field(to, record, index as u32, span)?;
            let from = self.field(from, record, index as u32, span)?;
            self.copied_into([to, from], &field.ty, assigns, span)?;
        }
        Ok(())
    }

    fn copy_each(&mut self, [to, from]: [Place; 2], of: &Qual, assigns: bool, span: Span) -> Lowered<()> {
        let (element, count) = match self.kind_of(to) {
            TypeKind::Array { of, len: ArrayLen::Const(n) } if *n <= MOST_COPIED => (*of, *n),
            _ => return Err(unsupported("a copy of a large array of objects with copy constructors", span)),
        };
        let int = self.i32();
        for index in 0..count {
            let pair = [to, from].map(|base| {
                let index = self.int(index.into(), int, span);
                self.expr(Ir::Index { base, index }, element, span)
            });
            self.copied_into(pair, of, assigns, span)?;
        }
        Ok(())
    }

    fn call_copy(&mut self, places: [Place; 2], class: DeclId, assigns: bool, span: Span) -> Lowered<()> {
        let refused =
            || unsupported("a copy, by the standard library, of an object that could be moved", span);
        let mut candidates = self.cx.copying(class, assigns);
        let (Some(function), None) = (candidates.next(), candidates.next()) else { return Err(refused()) };
        drop(candidates);
        if function.body.is_none() || function.params.len() != 1 || !function.params[0].ty.is_reference() {
            return Err(refused());
        }
        let function: &'p Function = self.cx.function_decl(function.id).unwrap_or(function);
        self.check_callee(function, span)?;
        let mut args = vec![];
        for place in places {
            args.push(self.address_of(place, span)?);
        }
        let handle = self.cx.function(function);
        let result = self.cx.module.functions[handle].result;
        let dest = (self.cx.module.types.kind(result) != &TypeKind::Void).then(|| {
            let local = self.temp("copied", result, span);
            self.emit(Stmt::Declare { local, init: None }, span);
            self.local_place(local, span)
        });
        self.emit(Stmt::Call { dest, function: handle, args }, span);
        Ok(())
    }
}

impl<'p> super::context::Context<'p> {
    /// A copy of an object of the type, or an assignment, runs code of the program's.
    pub fn runs_code_in_copy(&self, ty: &Qual, assigns: bool) -> bool {
        match &*ty.ty {
            Ty::Array { of, .. } => self.runs_code_in_copy(of, assigns),
            Ty::Record(class) => {
                self.has_own_copying(*class, assigns) || self.runs_code_for_parts(*class, assigns)
            }
            _ => false,
        }
    }

    /// A copy of an object, or an assignment, that the compiler writes runs code of the program's for a part of it.
    pub fn runs_code_for_parts(&self, class: DeclId, assigns: bool) -> bool {
        let parts =
            |record: &'p crate::ast::Record| record.fields.iter().map(|field| &field.ty).chain(&record.bases);
        self.record(class).is_some_and(|record| parts(record).any(|ty| self.runs_code_in_copy(ty, assigns)))
    }

    fn has_own_copying(&self, class: DeclId, assigns: bool) -> bool {
        self.own_copies(class).iter().any(|f| is_copying(f, assigns))
    }

    /// The constructors that copy or move an object of the class, or its assignments.
    fn copying(&self, class: DeclId, assigns: bool) -> impl Iterator<Item = &'p Function> {
        let all = self.program.functions.iter();
        all.filter(move |f| is_copying(f, assigns) && copied_class(f) == Some(class))
    }

    /// The library makes an object of the type from nothing by setting it to zero.
    pub fn is_made_of_zeros(&self, ty: &Qual) -> bool {
        match &*ty.ty {
            Ty::Array { of, .. } => self.is_made_of_zeros(of),
            Ty::Record(class) => self.record(*class).is_some_and(|record| {
                let makes = |f: &&Function| matches!(f.kind, FunctionKind::Constructor { record, .. } if record == *class);
                let mut parts = record.fields.iter().map(|field| &field.ty).chain(&record.bases);
                !record.is_polymorphic
                    && record.fields.iter().all(|field| field.init.is_none())
                    && !self.program.functions.iter().filter(makes).any(|f| !f.defaulted)
                    && parts.all(|part| self.is_made_of_zeros(part))
            }),
            _ => true,
        }
    }
}

fn is_copying(f: &Function, assigns: bool) -> bool {
    matches!(f.kind, FunctionKind::Method { .. }) == assigns && !f.params.is_empty()
}
