//! Whether memory is read as another type than it was written, as C forbids (C17 §6.5:7) and programs for devices do.

use accl_ir::{ExprKind, Handle, Module, Type, TypeKind};

/// Device code makes a pointer to a number or structure one to another kind of them. That works on GPUs, and in the program as it was
/// written compilers often see through it.
pub fn reads_as_other_types(module: &Module) -> bool {
    let of_functions = module.functions.iter().filter_map(|(_, f)| f.body.as_ref());
    let of_kernels = module.kernels.iter().filter_map(|(_, k)| k.cpu.as_ref());
    of_functions.chain(of_kernels).any(|body| {
        body.exprs.iter().any(|(_, e)| match e.kind {
            ExprKind::Cast(of) => {
                let pointees = [e.ty, body.exprs[of].ty].map(|ty| pointee(module, ty));
                matches!(pointees, [Some(to), Some(from)] if may_not_alias(module.types.kind(to), module.types.kind(from)))
            }
            _ => false,
        })
    })
}

fn pointee(module: &Module, ty: Handle<Type>) -> Option<Handle<Type>> {
    match module.types.kind(ty) {
        TypeKind::Pointer { to, .. } => Some(*to),
        _ => None,
    }
}

/// Bytes alias everything, and structures are often parts of each other.
fn may_not_alias(a: &TypeKind, b: &TypeKind) -> bool {
    let is_object = |kind: &TypeKind| {
        matches!(kind, TypeKind::Int { bits: 16.., .. } | TypeKind::Float { .. } | TypeKind::Struct(_))
    };
    let differs = match (a, b) {
        (TypeKind::Int { bits: a, .. }, TypeKind::Int { bits: b, .. }) => a != b,
        (TypeKind::Struct(_), TypeKind::Struct(_)) => false,
        _ => a != b,
    };
    is_object(a) && is_object(b) && differs
}
