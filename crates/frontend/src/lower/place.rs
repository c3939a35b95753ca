//! Places: expressions that can be read, written, or have their address taken.

use super::Lowered;
use super::expr::{constant_kind, refused_type, unsupported};
use super::function::{Binding, Fun};
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Qual, Record, Ty};
use accl_ir::{Expr as IrExpr, ExprKind as Ir, Handle, Stmt, Type, TypeKind};
use accl_source::Span;

type PlaceExpr = Handle<IrExpr>;

impl Fun<'_, '_> {
    /// The object that an expression denotes; a value is stored in a temporary.
    pub fn place(&mut self, e: &Expr) -> Lowered<PlaceExpr> {
        let place = self.place_in_memory(e)?;
        Ok(if self.reduced_parts.is_empty() { place } else { self.or_reduced_part(place) })
    }

    fn place_in_memory(&mut self, e: &Expr) -> Lowered<PlaceExpr> {
        match &e.kind {
            ExprKind::Var(id, name) => self.var_place(*id, name, e.span),
            ExprKind::Member { base, arrow, member, name } => self.member(base, *arrow, *member, name, e),
            ExprKind::Index { base, index } => self.index(base, index, e),
            ExprKind::Deref(pointer) => self.deref_expr(pointer, e),
            ExprKind::Cast { kind: CastKind::NoOp, operand, .. } if e.place => self.place(operand),
            ExprKind::Cast { kind: CastKind::Base, operand, .. } if e.place => {
                let object = self.place(operand)?;
                self.base_object(object, &operand.ty, &e.ty, e.span)
            }
            ExprKind::Cast { kind: CastKind::Derived, operand, .. } if e.place => {
                let object = self.place(operand)?;
                self.derived_object(object, &operand.ty, &e.ty, e.span)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.place(second)
            }
            ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } if e.place => self.assigned_place(e),
            ExprKind::Step { operand, by, postfix: false } if e.place => {
                self.stepped_place(operand, *by, e.span)
            }
            ExprKind::Conditional { cond, yes, no } if e.place => {
                let cond = self.cond(cond)?;
                let (effects, yes) = self.try_branch(|f| f.address(yes, e.span))?;
                let (others, no) = self.try_branch(|f| f.address(no, e.span))?;
                if !effects.is_empty() || !others.is_empty() {
                    return Err(unsupported("a choice between objects with side effects", e.span));
                }
                let pointer = self.chosen_address(cond, yes, no, e.span);
                Ok(self.deref(pointer, &e.ty, e.span))
            }
            ExprKind::Call { callee, args } if e.place => match self.call(e, callee, args, None)? {
                Some(pointer) => Ok(self.deref(pointer, &e.ty, e.span)),
                None => Err(unsupported("the value of a function without one", e.span)),
            },
            ExprKind::Unsupported(what, _) => Err(unsupported(what, e.span)),
            _ => {
                let value = self.value(e)?;
                if let Ir::Load(place) = self.body.exprs[value].kind
                    && let Ir::Local(local) = self.body.exprs[place].kind
                    && self.body.locals[local].kind == accl_ir::LocalKind::Temp
                {
                    return Ok(place);
                }
                let local = self.spill("value", value, e.span);
                Ok(self.local_place(local, e.span))
            }
        }
    }

    pub(super) fn var_place(&mut self, id: DeclId, name: &str, span: Span) -> Lowered<PlaceExpr> {
        let Some(variable) = self.variable(id) else {
            if let Some(value) = self.limit_constant(name, span) {
                let local = self.spill(name, value, span);
                return Ok(self.local_place(local, span));
            }
            return Err(unsupported(format_args!("`{name}`, a variable of a system header,"), span));
        };
        let place = match variable.binding {
            Binding::Local(local) => self.local_place(local, span),
            Binding::Global(global) => {
                let ty = self.cx.module.globals[global].ty;
                self.expr(Ir::Global(global), ty, span)
            }
            Binding::Argument(address) if variable.ty.is_reference() => {
                return Ok(self.deref(address, variable.ty.referred(), span));
            }
            Binding::Argument(value) => match self.body.exprs[value].kind {
                Ir::Load(place) => return Ok(place),
                _ => {
                    let local = self.spill(name, value, span);
                    return Ok(self.local_place(local, span));
                }
            },
        };
        Ok(self.through_reference(place, &variable.ty, span))
    }

    /// The object that a reference refers to; the reference is a pointer here.
    pub fn through_reference(&mut self, place: PlaceExpr, ty: &Qual, span: Span) -> PlaceExpr {
        if !ty.is_reference() {
            return place;
        }
        let pointer = self.load(place, span);
        self.deref(pointer, ty.referred(), span)
    }

    /// `*pointer`, whose type is `to`.
    pub fn deref(&mut self, pointer: Handle<IrExpr>, to: &Qual, span: Span) -> PlaceExpr {
        let ty = match self.kind_of(pointer) {
            TypeKind::Pointer { to, .. } => *to,
            _ => self.ty(to),
        };
        self.pointed_to(pointer, ty, span)
    }

    /// The type that a pointer points to. Whether the pointee may be changed makes no difference here.
    pub fn pointed_to(&mut self, pointer: Handle<IrExpr>, ty: Handle<Type>, span: Span) -> PlaceExpr {
        let address = match self.body.exprs[pointer].kind {
            Ir::Cast(of) => of,
            _ => pointer,
        };
        match self.body.exprs[address].kind {
            Ir::AddrOf(place) if self.ty_of(place) == ty => place,
            _ => self.expr(Ir::Deref(pointer), ty, span),
        }
    }

    fn member(
        &mut self,
        base: &Expr,
        arrow: bool,
        member: DeclId,
        name: &str,
        e: &Expr,
    ) -> Lowered<PlaceExpr> {
        let Some((record, field)) = self.cx.field(member).or_else(|| self.cx.library_field(base, name))
        else {
            // A static member is a global.
            return match self.cx.global_var(member) {
                Some(_) => self.var_place(member, name, e.span),
                None => Err(unsupported(format_args!("the member `{name}`"), e.span)),
            };
        };
        let object = if arrow {
            // The span is longer than the pointer's, as for `*p`: only for a reference are the two the same name.
            let pointer = self.value(base)?;
            self.deref(pointer, &e.ty, e.span)
        } else {
            self.place(base)?
        };
        self.field(object, record, field, e.span)
    }

    /// `object.field`, through it if it is a reference.
    pub fn field(
        &mut self,
        object: PlaceExpr,
        record: &Record,
        field: u32,
        span: Span,
    ) -> Lowered<PlaceExpr> {
        let place = self.field_itself(object, record, field, span)?;
        Ok(self.through_reference(place, &record.fields[field as usize].ty, span))
    }

    /// A member that is a reference is the pointer that it is kept as.
    pub fn field_itself(
        &mut self,
        object: PlaceExpr,
        record: &Record,
        field: u32,
        span: Span,
    ) -> Lowered<PlaceExpr> {
        let declared = &record.fields[field as usize];
        let TypeKind::Struct(def) = *self.kind_of(object) else {
            let object = self.ty_of(object);
            let what = format!("the member `{}`", declared.name);
            return Err(match self.cx.unusable(object) {
                Some(why) => refused_type(format!("{what} cannot be used in a compute region"), &why, span),
                None => unsupported(what, span),
            });
        };
        // A class may not fit onto the device, while single members of it are still usable.
        if let Some(why) = self.cx.misaligned(def) {
            let message = format!("the member `{}` cannot be used in a compute region", declared.name);
            return Err(refused_type(message, &why, span));
        }
        if record.is_union {
            let ty = self.ty(&declared.ty);
            return Ok(self.reinterpreted(object, def, ty, span));
        }
        let index = field + self.cx.base_count(record);
        // Two types of one name are easily confused.
        let Some(ty) = self.cx.module.types.structs[def].fields.get(index as usize).map(|f| f.ty) else {
            return Err(unsupported(format_args!("the member `{}`", declared.name), span));
        };
        Ok(self.expr(Ir::Member { base: object, field: index }, ty, span))
    }

    /// A member of a union: its bytes, which are the only field, reinterpreted as another type.
    fn reinterpreted(
        &mut self,
        object: PlaceExpr,
        def: Handle<accl_ir::StructDef>,
        ty: Handle<accl_ir::Type>,
        span: Span,
    ) -> PlaceExpr {
        let bytes = self.cx.module.types.structs[def].fields[0].ty;
        let bytes = self.expr(Ir::Member { base: object, field: 0 }, bytes, span);
        let pointer = self.decay_place(bytes, span);
        let to = self.cx.module.types.pointer(ty);
        let pointer = self.expr(Ir::Cast(pointer), to, span);
        self.expr(Ir::Deref(pointer), ty, span)
    }

    /// The part of an object that is its base class.
    pub fn base_object(
        &mut self,
        object: PlaceExpr,
        from: &Qual,
        to: &Qual,
        span: Span,
    ) -> Lowered<PlaceExpr> {
        let (from, to) = classes(from, to, span)?;
        let mut place = object;
        let Some(path) = self.cx.base_path(from, to) else {
            // An empty base class has no field: its object begins where the whole one does.
            return match self.cx.is_empty_class(to) {
                true => self.as_object(object, to, span),
                false => Err(unsupported("this conversion to a base class", span)),
            };
        };
        for field in path {
            let TypeKind::Struct(def) = *self.kind_of(place) else {
                return Err(unsupported("this conversion to a base class", span));
            };
            let ty = self.cx.module.types.structs[def].fields[field as usize].ty;
            place = self.expr(Ir::Member { base: place, field }, ty, span);
        }
        Ok(place)
    }

    /// The object of which one is the base class, if that is its beginning.
    pub fn derived_object(
        &mut self,
        object: PlaceExpr,
        from: &Qual,
        to: &Qual,
        span: Span,
    ) -> Lowered<PlaceExpr> {
        let (base, whole) = classes(from, to, span)?;
        let path = self.cx.base_path(whole, base);
        let is_beginning =
            path.map_or_else(|| self.cx.is_empty_class(base), |p| p.iter().all(|field| *field == 0));
        if !is_beginning {
            return Err(unsupported("this conversion from a base class", span));
        }
        self.as_object(object, whole, span)
    }

    /// What lies at the place, as an object of another class.
    fn as_object(&mut self, object: PlaceExpr, class: DeclId, span: Span) -> Lowered<PlaceExpr> {
        let pointer = self.address_of(object, span)?;
        let class = self.cx.ty(&Qual::new(Ty::Record(class)));
        let to = self.cx.module.types.pointer(class);
        let pointer = self.expr(Ir::Cast(pointer), to, span);
        Ok(self.expr(Ir::Deref(pointer), class, span))
    }

    fn deref_expr(&mut self, pointer: &Expr, e: &Expr) -> Lowered<PlaceExpr> {
        if super::types::is_vla(&e.ty) {
            return Err(unsupported("a variable-length array through a pointer", e.span));
        }
        if let Some(place) = self.flat_deref(pointer, e)? {
            return Ok(place);
        }
        let pointer = self.value(pointer)?;
        Ok(self.deref(pointer, &e.ty, e.span))
    }

    /// `&operand`; for an array this is the address of its first element only after a decay.
    pub fn address(&mut self, operand: &Expr, span: Span) -> Lowered<Handle<IrExpr>> {
        if super::types::is_vla(&operand.ty) {
            return self.flat_pointer_to(operand, span);
        }
        let mut place = self.place(operand)?;
        if let Ir::Deref(pointer) = self.body.exprs[place].kind {
            return Ok(pointer);
        }
        // A constant whose value is known exists only as that value.
        if let Ir::Global(global) = self.body.exprs[place].kind
            && let Some(value) = self.cx.module.globals[global].value
        {
            let ty = self.ty_of(place);
            let value = self.expr(constant_kind(value), ty, span);
            let local = self.spill("constant", value, span);
            place = self.local_place(local, span);
        }
        let of = self.ty_of(place);
        let ty = self.cx.module.types.pointer(of);
        Ok(self.expr(Ir::AddrOf(place), ty, span))
    }

    /// An array used as a pointer to its first element.
    pub fn decay(&mut self, operand: &Expr, span: Span) -> Lowered<Handle<IrExpr>> {
        if super::types::is_vla(&operand.ty) {
            return self.flat_pointer_to(operand, span);
        }
        let place = self.place(operand)?;
        Ok(self.decay_place(place, span))
    }

    pub fn decay_place(&mut self, place: PlaceExpr, span: Span) -> Handle<IrExpr> {
        match self.cx.module.types.element(self.ty_of(place)) {
            Some(element) if matches!(self.kind_of(place), TypeKind::Array { .. }) => {
                let ty = self.cx.module.types.pointer(element);
                self.expr(Ir::Decay(place), ty, span)
            }
            _ => place,
        }
    }

    fn index(&mut self, base: &Expr, index: &Expr, e: &Expr) -> Lowered<PlaceExpr> {
        if let Some(place) = self.flat_index(base, index, e)? {
            return Ok(place);
        }
        let array = |f: &mut Self| match &base.kind {
            ExprKind::Cast { kind: CastKind::Decay, operand, .. } => match operand.kind {
                ExprKind::Str(_) => f.characters(operand),
                _ => f.place(operand),
            },
            _ => f.value(base),
        };
        let (mut base, index) = self.pair(array, |f| f.value(index))?;
        let ty = match self.cx.module.types.element(self.ty_of(base)) {
            // A pointer's type may be named in ways that say nothing here; the element's says what it points to.
            Some(opaque) if matches!(self.cx.module.types.kind(opaque), TypeKind::Opaque(_)) => {
                match self.usable(&e.ty, e.span) {
                    Ok(ty) => {
                        let pointer = self.cx.module.types.pointer(ty);
                        base = self.convert_pointer(base, pointer);
                        ty
                    }
                    // What uses the element says why it cannot.
                    Err(_) => opaque,
                }
            }
            Some(ty) => ty,
            None => self.ty(&e.ty),
        };
        Ok(self.expr(Ir::Index { base, index }, ty, e.span))
    }

    /// A string literal of which characters are read: an array of this place's own. A pointer to it would need a longer life.
    pub fn characters(&mut self, literal: &Expr) -> Lowered<PlaceExpr> {
        let ty = self.usable(&literal.ty, literal.span)?;
        let local = self.temp("text", ty, literal.span);
        self.emit(Stmt::Declare { local, init: None }, literal.span);
        let place = self.local_place(local, literal.span);
        self.initialize(place, literal)?;
        Ok(place)
    }

    /// Stores a value, converted to the place's type.
    pub fn store(&mut self, place: PlaceExpr, value: Handle<IrExpr>, span: Span) {
        let ty = self.ty_of(place);
        let value = self.convert_pointer(value, ty);
        self.emit(Stmt::Store { place, op: None, value }, span);
    }
}

/// The classes that a conversion is from and to.
fn classes(from: &Qual, to: &Qual, span: Span) -> Lowered<(DeclId, DeclId)> {
    match (&*from.ty, &*to.ty) {
        (Ty::Record(from), Ty::Record(to)) => Ok((*from, *to)),
        _ => Err(unsupported("this conversion", span)),
    }
}

/// Whether an expression is a pointer to a variable-length array.
pub fn points_to_vla(e: &Expr) -> bool {
    match &*e.ty.ty {
        Ty::Pointer { to, .. } => super::types::is_vla(to),
        _ => false,
    }
}
