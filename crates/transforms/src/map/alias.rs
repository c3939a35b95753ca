//! Whether a kernel's data parameters can overlap.

use accl_ir::{DataVar, Kernel, Module, ParamKind, TypeKind};

/// No written array can overlap another argument: by `restrict`, because both are objects of their own, or because
/// there is only one, or none is written.
pub fn all_distinct(module: &Module, kernel: &Kernel) -> bool {
    let data: Vec<Arg> = kernel.params.iter().filter_map(|p| arg(module, kernel, &p.kind)).collect();
    data.iter().enumerate().all(|(i, a)| {
        data.iter().enumerate().all(|(j, b)| {
            i == j || !(a.written || b.written) || a.restrict || b.restrict || a.object && b.object
        })
    })
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
