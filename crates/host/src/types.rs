//! Types as the host program spells them, for the compiler's temporaries.

use accl_ir::{Handle, Type, TypeKind, Types};

/// A number type's name in C or C++; `None` for others.
pub fn number(types: &Types, ty: Handle<Type>, cplusplus: bool) -> Option<&'static str> {
    Some(match types.kind(ty) {
        TypeKind::Bool => {
            if cplusplus {
                "bool"
            } else {
                "_Bool"
            }
        }
        TypeKind::Int { bits: 8, signed: true } => "signed char",
        TypeKind::Int { bits: 8, signed: false } => "unsigned char",
        TypeKind::Int { bits: 16, signed: true } => "short",
        TypeKind::Int { bits: 16, signed: false } => "unsigned short",
        TypeKind::Int { bits: 32, signed: true } => "int",
        TypeKind::Int { bits: 32, signed: false } => "unsigned",
        TypeKind::Int { signed: true, .. } => "long",
        TypeKind::Int { signed: false, .. } => "unsigned long",
        TypeKind::Float { bits: 32 } => "float",
        TypeKind::Float { .. } => "double",
        TypeKind::Void
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Struct(_)
        | TypeKind::Compressed { .. }
        | TypeKind::Opaque(_) => return None,
    })
}

/// `accl_type` of accl_abi.h.
pub fn abi_type(types: &Types, ty: Handle<Type>) -> Option<u32> {
    use accl_abi::scalar_type as code;
    Some(match types.kind(ty) {
        TypeKind::Bool | TypeKind::Int { bits: 8, signed: false } => code::U8,
        TypeKind::Int { bits: 8, signed: true } => code::I8,
        TypeKind::Int { bits: 16, signed: true } => code::I16,
        TypeKind::Int { bits: 16, signed: false } => code::U16,
        TypeKind::Int { bits: 32, signed: true } => code::I32,
        TypeKind::Int { bits: 32, signed: false } => code::U32,
        TypeKind::Int { signed: true, .. } => code::I64,
        TypeKind::Int { signed: false, .. } => code::U64,
        TypeKind::Float { bits: 32 } => code::F32,
        TypeKind::Float { .. } => code::F64,
        TypeKind::Void
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Struct(_)
        | TypeKind::Compressed { .. }
        | TypeKind::Opaque(_) => return None,
    })
}
