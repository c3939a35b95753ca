//! Pointers in memory, for languages whose pointer types name a space.
//!
//! A structure's member, an element of an array, or what a pointer points to has one type for everything that may
//! be stored there. So pointers in memory are kept as numbers, as wide as the host's. All of them are addresses of
//! global memory; storing an address of another memory is refused. A pointer variable whose own address is taken is
//! kept as a number too.

use super::body::BodyWriter;
use super::decl::PointerStyle;
use super::expr::{Prec, Printed};
use super::scalar::Scalar;
use super::spaces::AddrSpace;
use crate::Result;
use accl_ir::{Expr, ExprKind, Handle, Local, TypeKind};

impl BodyWriter<'_, '_> {
    /// A pointer in the place is a number there.
    pub fn is_kept_as_number(&self, place: Handle<Expr>) -> bool {
        self.unit.dialect.has_spaces()
            && matches!(self.kind(self.expr(place).ty), TypeKind::Pointer { .. })
            && match self.expr(place).kind {
                ExprKind::Local(local) => self.is_number(local),
                _ => true,
            }
    }

    /// The pointer variable is declared as a number.
    pub fn is_number(&self, local: Handle<Local>) -> bool {
        self.unit.dialect.has_spaces()
            && self.usage.get(local).address_taken
            && matches!(self.kind(self.body.locals[local].ty), TypeKind::Pointer { .. })
    }

    /// A parameter has the type that its caller gives it.
    pub fn check_parameter(&self, local: Handle<Local>) -> Result<()> {
        if !self.is_number(local) {
            return Ok(());
        }
        let Local { name, span, .. } = &self.body.locals[local];
        let what =
            format!("the address of '{name}', a pointer that is a parameter, is taken, which OpenCL C");
        Err(self.unit.unsupported(what, *span))
    }

    /// Reads the pointer.
    pub(super) fn stored_pointer(&self, load: Handle<Expr>, place: Handle<Expr>) -> Result<Printed> {
        let Expr { ty, span, .. } = self.expr(load);
        let style = PointerStyle { space: Some(AddrSpace::Global), ..PointerStyle::default() };
        let ty = self.declarator(*span).pointer(*ty, "", style)?;
        Ok(Printed::new(format!("({ty}){}", self.place(place)?.at(Prec::Unary)), Prec::Unary, None))
    }

    /// What is stored where `is_kept_as_number` holds.
    pub fn pointer_to_store(&self, value: Handle<Expr>) -> Result<String> {
        match self.spaces.of_value(self.body, value) {
            None | Some(AddrSpace::Global) => {}
            Some(AddrSpace::Local | AddrSpace::Constant | AddrSpace::Private) => {
                let what = "the address of a thread's or a block's own variable is kept in a structure, an array or a \
                            variable whose address is taken, where OpenCL C has global addresses only";
                return Err(self.unit.unsupported(what, self.expr(value).span));
            }
        }
        Ok(self.number_of(&self.value(value)?.at(Prec::Unary)))
    }

    pub fn number_of(&self, pointer: &str) -> String {
        format!("({}){pointer}", self.unit.scalar(Scalar::U64))
    }
}
