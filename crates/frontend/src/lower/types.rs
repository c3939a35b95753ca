//! Types, and how structures lie in memory.
//!
//! The dump gives no layout, so it is computed by the rules all our hosts share (System V and its
//! kin): each field at the next multiple of its alignment, the whole padded to the largest one. What
//! these rules do not cover (unions, bit-fields, base classes, virtual functions) makes an opaque type;
//! the reason is kept for the message, should a kernel want it.

use super::context::Context;
use crate::ast::{self, DeclId, Len, Qual, Ty};
use accl_ir::{ArrayLen, Field, Handle, Space, StructDef, Type, TypeKind};

impl Context<'_> {
    /// The IR type. Variable-length arrays are for `Fun::ty`, which has the extents' names.
    pub fn ty(&mut self, qual: &Qual) -> Handle<Type> {
        let kind = match &*qual.ty {
            Ty::Void => TypeKind::Void,
            Ty::Bool => TypeKind::Bool,
            Ty::Int { bits, signed } => TypeKind::Int { bits: *bits, signed: *signed },
            Ty::Float { bits } => TypeKind::Float { bits: *bits },
            Ty::Pointer { to, restrict } => self.pointer_kind(to, *restrict),
            Ty::Reference(to) => self.pointer_kind(to, false),
            Ty::Array { of, len } => {
                let of = self.ty(of);
                let len = match len {
                    Len::Const(n) => ArrayLen::Const(*n),
                    Len::Text(_) | Len::Unknown => ArrayLen::Unknown,
                };
                TypeKind::Array { of, len }
            }
            Ty::Record(id) => match self.struct_def(*id) {
                Some(def) => TypeKind::Struct(def),
                None => TypeKind::Opaque(self.record(*id).map_or("?", |r| &r.name).to_owned()),
            },
            Ty::Function => TypeKind::Opaque("function".into()),
            Ty::Opaque(name) => TypeKind::Opaque(name.to_string()),
        };
        self.module.types.intern(kind)
    }

    /// A pointer to a variable-length array is one to its elements.
    fn pointer_kind(&mut self, to: &Qual, restrict: bool) -> TypeKind {
        let to = flat_element(to);
        let constant = to.constant;
        let to = self.ty(to);
        TypeKind::Pointer { to, constant, restrict, space: Space::Generic }
    }

    fn struct_def(&mut self, id: DeclId) -> Option<Handle<StructDef>> {
        if let Some(known) = self.structs.get(&id) {
            return *known;
        }
        let record = self.record(id)?;
        if let Some(reason) = refusal(record) {
            self.opaque.insert(record.name.to_string(), reason);
            self.structs.insert(id, None);
            return None;
        }
        // Declared first: a field may point back here.
        let name = self.struct_name(record);
        let empty = StructDef { name, fields: Vec::new(), size: 0, align: 1 };
        let handle = self.module.types.structs.append(empty);
        self.structs.insert(id, Some(handle));
        self.lay_out(handle, record);
        Some(handle)
    }

    fn struct_name(&self, record: &ast::Record) -> String {
        let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = match record.nameless {
            true => format!("struct_{}", self.module.types.structs.len()),
            false => record.name.chars().map(legal).collect(),
        };
        let taken = |n: &str| self.module.types.structs.iter().any(|(_, s)| s.name == n);
        let mut candidates =
            std::iter::once(plain.clone()).chain((2..).map(|count| format!("{plain}_{count}")));
        candidates.find(|n| !taken(n)).unwrap_or(plain)
    }

    fn lay_out(&mut self, handle: Handle<StructDef>, record: &ast::Record) {
        let (mut offset, mut align, mut known) = (0u64, 1u64, true);
        let mut fields = Vec::new();
        for field in &record.fields {
            let ty = self.ty(&field.ty);
            let natural = if record.packed { 1 } else { self.align_of(ty) };
            let field_align = natural.max(field.align.unwrap_or(1));
            let size = match &*field.ty.ty {
                // A trailing flexible array.
                Ty::Array { len: Len::Unknown, .. } => Some(0),
                _ => self.module.types.size_of(ty),
            };
            known &= size.is_some_and(|s| s > 0 || matches!(&*field.ty.ty, Ty::Array { .. }));
            offset = offset.next_multiple_of(field_align);
            fields.push(Field { name: field.name.clone(), ty, offset });
            offset += size.unwrap_or(0);
            align = align.max(field_align);
        }
        align = align.max(record.align.unwrap_or(1));
        let def = &mut self.module.types.structs[handle];
        def.fields = fields;
        def.align = align;
        def.size = if known { offset.next_multiple_of(align).max(1) } else { 0 };
    }

    fn align_of(&self, ty: Handle<Type>) -> u64 {
        let types = &self.module.types;
        match types.kind(ty) {
            TypeKind::Array { of, .. } => self.align_of(*of),
            TypeKind::Struct(def) => types.structs[*def].align,
            TypeKind::Opaque(_) | TypeKind::Void => 8,
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Pointer { .. } => {
                types.size_of(ty).unwrap_or(8)
            }
        }
    }

    /// Why kernels cannot hold a value of this type; `None` if they can.
    pub fn unusable(&self, ty: Handle<Type>) -> Option<String> {
        match self.module.types.kind(ty) {
            TypeKind::Opaque(name) => Some(match (self.opaque.get(name), name.as_str()) {
                (Some(reason), _) => format!("its type {name} {reason}"),
                (None, "long double") => "device code has no long double".into(),
                (None, "function") => "device code cannot take the address of a function".into(),
                (None, name) => format!("its type {name} cannot be used in device code"),
            }),
            TypeKind::Struct(def) if self.module.types.structs[*def].size == 0 => {
                let def = &self.module.types.structs[*def];
                let member = def.fields.iter().find(|f| self.unusable(f.ty).is_some());
                let member = member.map_or("?", |f| f.name.as_str());
                Some(format!("its type {} has a member, {member}, that device code cannot hold", def.name))
            }
            TypeKind::Array { of, .. } => self.unusable(*of),
            TypeKind::Struct(_)
            | TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer { .. } => None,
        }
    }
}

fn refusal(record: &ast::Record) -> Option<String> {
    if record.is_union {
        return Some("is a union".into());
    }
    if record.is_polymorphic {
        return Some("has virtual functions".into());
    }
    if !record.bases.is_empty() {
        return Some("has base classes".into());
    }
    let bitfield = record.fields.iter().find(|f| f.bitfield)?;
    Some(format!("has a bit-field, {}", bitfield.name))
}

/// Whether an extent is known only at run time, at any level.
pub fn is_vla(qual: &Qual) -> bool {
    match &*qual.ty {
        Ty::Array { of, len } => matches!(len, Len::Text(_)) || is_vla(of),
        _ => false,
    }
}

/// The element type of the flat array that stands for a variable-length one; other types are their own.
pub fn flat_element(qual: &Qual) -> &Qual {
    match &*qual.ty {
        Ty::Array { of, .. } if is_vla(qual) => flat_element(of),
        _ => qual,
    }
}
