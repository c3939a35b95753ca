//! Compressed arrays (an extension): in kernels the stored format becomes part of an array's type, and the last
//! passes write out the arithmetic of that format.
//!
//! [`clauses`] decides, before outlining, in which format each construct sees its arrays. [`mark`] runs when a
//! kernel is outlined: the array's parameter then points to elements of a compressed type, and the numbers that
//! decoding needs become parameters too. From there on a load of such an element is a load like any other: passes
//! move it, stage it in shared memory (which decodes once, on fetch), or make it wide. [`lower`] runs last of all
//! and writes decoding for each load and encoding for each store.

pub mod block;
pub mod clauses;
pub mod decoded;
mod elements;
mod floating;
mod groups;
pub mod lower;
pub mod mark;
pub mod records;
pub mod reuse;
mod rounded;
mod staging;
mod strips;
mod wholes;

use accl_ir::{ArrayLen, Format, Handle, Type, TypeKind, Types};

/// The format of the elements of a pointer or array type; `None` for plain ones.
pub(crate) fn format_in(types: &Types, ty: Handle<Type>) -> Option<Format> {
    match types.kind(ty) {
        TypeKind::Compressed { format, .. } => Some(*format),
        TypeKind::Pointer { to: inner, .. } | TypeKind::Array { of: inner, .. } => format_in(types, *inner),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Struct(_)
        | TypeKind::Opaque(_) => None,
    }
}

/// The pointer or array type `ty`, with its element type replaced.
fn with_element(types: &mut Types, ty: Handle<Type>, element: Handle<Type>) -> Handle<Type> {
    match types.kind(ty).clone() {
        TypeKind::Pointer { to, constant, restrict, space } => {
            let to = with_element(types, to, element);
            types.intern(TypeKind::Pointer { to, constant, restrict, space })
        }
        TypeKind::Array { of, len } => {
            let of = with_element(types, of, element);
            types.intern(TypeKind::Array { of, len })
        }
        _ => element,
    }
}

/// The elements of a wide local array.
fn constant_len(types: &Types, ty: Handle<Type>) -> Option<u64> {
    match types.kind(ty) {
        TypeKind::Array { len: ArrayLen::Const(n), .. } => Some(*n),
        _ => None,
    }
}
