//! Versions of a kernel that have decoded copies of compressed arrays.
//!
//! Where each element is read many times from cache, decoding it each time costs more than compression saves, and
//! where all arrays fit into the cache it saves nothing. For such launches the runtime decodes an array once, into
//! a plain copy, and takes a version of the kernel that uses the copy in place of the array. For arrays that are
//! read many times and only read, this pays whatever their size. Where the cache holds everything, the kernel also
//! writes into copies, except of block arrays: each store is rounded to a value that the array can represent
//! ([`super::rounded`]).

use super::{format_in, lower, reuse, rounded, with_element};
use accl_ir::rewrite::rewrite_exprs;
use accl_ir::{
    Body, Expr, ExprKind, Handle, Kernel, Local, Module, Param, ParamKind, Scheme, Type, TypeKind, Types,
};
use std::collections::{BTreeMap, BTreeSet};

/// The kernel with plain arrays in place of compressed ones.
pub struct Decoded {
    pub kernel: Kernel,
    /// The arrays are read many times, so a copy pays at once, whatever their size.
    pub reused: bool,
}

pub fn kernel(module: &mut Module, kernel: &Kernel) -> Option<Decoded> {
    let compressed = |p: &&Param| format_in(&module.types, kernel.body.locals[p.local].ty).is_some();
    let params = || kernel.params.iter().filter(compressed);
    let read: BTreeSet<Handle<Local>> = params()
        .filter(|p| matches!(p.kind, ParamKind::Data { written: false, .. }))
        .map(|p| p.local)
        .collect();
    let again: BTreeSet<Handle<Local>> =
        reuse::arrays(module, kernel).into_keys().filter(|a| read.contains(a)).collect();
    let reused = !again.is_empty();
    let mut written = BTreeMap::new();
    if !reused {
        written = lower::arrays(&module.types, kernel);
        written.retain(|l, array| !read.contains(l) && array.element.format.scheme != Scheme::Block);
    }
    let mut arrays = if reused { again } else { read };
    arrays.extend(written.keys());
    if arrays.is_empty() {
        return None;
    }
    let mut plain = kernel.clone();
    plain.name = format!("{}_decoded", kernel.name);
    retype(&mut module.types, &mut plain.body, &arrays);
    rounded::stores(&mut module.types, &mut plain.body, &written);
    Some(Decoded { kernel: plain, reused })
}

/// Makes these arrays plain, in all accesses of the body.
pub fn retype(types: &mut Types, body: &mut Body, arrays: &BTreeSet<Handle<Local>>) {
    for array in arrays {
        let ty = body.locals[*array].ty;
        let element = number(types, ty);
        body.locals[*array].ty = with_element(types, ty, element);
    }
    let mut block = std::mem::take(&mut body.block);
    rewrite_exprs(body, &mut block, &mut |body, e| {
        let Expr { kind, ty, span } = body.exprs[e].clone();
        let own = match kind {
            ExprKind::Local(l) if arrays.contains(&l) => body.locals[l].ty,
            ExprKind::Load(place) if is_pointer(types, body.exprs[place].ty) => body.exprs[place].ty,
            ExprKind::Index { base, .. } => types.element(body.exprs[base].ty).unwrap_or(ty),
            _ => ty,
        };
        if own == ty { e } else { body.expr(kind, own, span) }
    });
    body.block = block;
}

fn is_pointer(types: &Types, ty: Handle<Type>) -> bool {
    matches!(types.kind(ty), TypeKind::Pointer { .. })
}

/// The type of the numbers that a compressed array stores.
fn number(types: &Types, ty: Handle<Type>) -> Handle<Type> {
    match types.kind(ty) {
        TypeKind::Compressed { of, .. } => *of,
        _ => types.element(ty).map_or(ty, |element| number(types, element)),
    }
}
