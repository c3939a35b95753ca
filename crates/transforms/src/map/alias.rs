//! Whether a kernel's data parameters can overlap.

use accl_ir::{DataVar, Kernel, Module, ParamKind, TypeKind};

/// No written array can overlap another argument: because of `restrict`, because both are objects of their own,
/// because there is only one argument, or because none is written. Indirect pointers may point into any array,
/// except those that exist to hold pointers.
pub fn all_distinct(module: &Module, kernel: &Kernel) -> bool {
    if !launches_can_tell(module, kernel) {
        return false;
    }
    let data: Vec<Arg> = kernel.params.iter().filter_map(|p| arg(module, kernel, &p.kind)).collect();
    data.iter().enumerate().all(|(i, a)| {
        data.iter().enumerate().all(|(j, b)| {
            i == j || !(a.written || b.written) || a.restrict || b.restrict || a.object && b.object
        })
    })
}

/// Every argument that an indirect pointer could lead to is an array of pointers, or of structures with pointers,
/// that the kernel only reads; or the user says that it is accessed by its name alone.
fn leads_nowhere_else(module: &Module, kernel: &Kernel) -> bool {
    kernel.params.iter().all(|p| match (&p.kind, arg(module, kernel, &p.kind)) {
        (ParamKind::Data { item, .. }, Some(arg)) => {
            arg.restrict || !arg.written && kernel.indirect_pointers.iter().any(|f| f.item == *item)
        }
        _ => true,
    })
}

/// The kernel accesses no arrays but its arguments, so a launch can tell whether they overlap.
pub fn launches_can_tell(module: &Module, kernel: &Kernel) -> bool {
    kernel.indirect_pointers.is_empty() || leads_nowhere_else(module, kernel)
}

/// Takes away the versions for arrays that do not overlap where no launch could choose them.
pub fn drop_unprovable(module: &Module, kernel: &mut Kernel) {
    if !launches_can_tell(module, kernel) {
        kernel.variants.retain(|variant| !variant.requires.noalias);
    }
}

pub struct Arg {
    pub written: bool,
    pub restrict: bool,
    /// An array or structure variable.
    pub object: bool,
}

/// What is known of a data parameter; `None` for others.
pub fn arg(module: &Module, kernel: &Kernel, kind: &ParamKind) -> Option<Arg> {
    let ParamKind::Data { var, written, .. } = kind else { return None };
    let ty = match var {
        DataVar::Local(l) => kernel.body.locals[*l].ty,
        DataVar::Global(g) => module.globals[*g].ty,
        DataVar::Member(e) => kernel.body.exprs[*e].ty,
    };
    let (restrict, object) = match module.types.kind(ty) {
        TypeKind::Pointer { restrict, .. } => (*restrict, false),
        _ => (false, true),
    };
    Some(Arg { written: *written, restrict, object })
}
