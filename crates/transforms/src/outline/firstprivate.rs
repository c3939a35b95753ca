//! Arrays and structures that a kernel takes by value (`firstprivate`, OpenACC 3.3 §2.5.14).
//!
//! No device language passes an array by value, so the parameter is a structure that holds it. Where the kernel
//! only reads the array, it reads the parameter. Otherwise each iteration has an array of its own, which is filled
//! from the parameter where it is declared.

use crate::build::counting;
use accl_ir::rewrite::rewrite_exprs;
use accl_ir::{
    ArrayLen, Block, Body, Expr, ExprKind, Field, Handle, Local, LocalKind, Module, Named, Stmt, StmtNode,
    StructDef, Type, TypeKind, Types,
};
use accl_source::Span;

/// The size of a kernel's parameters that every device accepts.
pub const MAX_BYTES: u64 = 1024;

/// A kernel's own variable, and the parameter with its values.
pub struct Filled {
    own: Handle<Local>,
    values: Handle<Local>,
}

/// The parameter for `own`, an array or a structure, and what is to be filled from it.
pub fn bind(
    module: &mut Module,
    body: &mut Body,
    block: &mut Block,
    own: Handle<Local>,
    written: bool,
) -> (Handle<Local>, Option<Filled>) {
    let ty = body.locals[own].ty;
    let is_array = matches!(module.types.kind(ty), TypeKind::Array { .. });
    if !is_array && !written {
        return (own, None);
    }
    let holder = if is_array { holder(&mut module.types, &body.locals[own].name, ty) } else { ty };
    let name = body.unique_name(&format!("{}_values", body.locals[own].name));
    let values = body.locals.append(Local {
        name,
        ty: holder,
        kind: LocalKind::Param,
        reference: false,
        span: Span::default(),
    });
    if written {
        return (values, Some(Filled { own, values }));
    }
    rewrite_exprs(body, block, &mut |body, e| match body.exprs[e].kind {
        ExprKind::Local(l) if l == own => held(body, values, ty),
        _ => e,
    });
    (values, None)
}

/// Fills the variable after its declaration.
pub fn fill(types: &mut Types, body: &mut Body, block: &mut Block, filled: &Filled) -> bool {
    let declares = |node: &StmtNode| matches!(node.kind, Stmt::Declare { local, .. } if local == filled.own);
    if let Some(at) = block.iter().position(declares) {
        let ty = body.locals[filled.own].ty;
        let to = body.place(filled.own);
        let from = match body.locals[filled.values].ty == ty {
            true => body.place(filled.values),
            false => held(body, filled.values, ty),
        };
        let copy = copy(types, body, to, from);
        block.insert(at + 1, copy);
        return true;
    }
    block.iter_mut().any(|node| node.kind.blocks_mut().into_iter().any(|b| fill(types, body, b, filled)))
}

/// The structure that holds such an array.
fn holder(types: &mut Types, name: &str, array: Handle<Type>) -> Handle<Type> {
    let fields =
        vec![Field { name: "v".into(), ty: array, offset: 0, named: Named::Everywhere, reference: false }];
    let stem = format!("{name}_t");
    let same = |s: &StructDef| s.fields == fields && s.name.starts_with(&stem);
    let known = types.structs.iter().find(|(_, s)| same(s)).map(|(def, _)| def);
    if let Some(def) = known {
        return types.intern(TypeKind::Struct(def));
    }
    let taken = |name: &str| types.structs.iter().any(|(_, s)| s.name == name);
    let name = match taken(&stem) {
        false => stem,
        true => (2..).map(|n| format!("{stem}{n}")).find(|n| !taken(n)).unwrap_or_default(),
    };
    let (size, align) = (types.size_of(array).unwrap_or(0), align(types, array));
    let def = types.structs.append(StructDef { name, fields, size, align });
    types.intern(TypeKind::Struct(def))
}

fn align(types: &Types, ty: Handle<Type>) -> u64 {
    match types.kind(ty) {
        TypeKind::Array { of, .. } => align(types, *of),
        TypeKind::Struct(def) => types.structs[*def].align,
        _ => types.size_of(ty).unwrap_or(1),
    }
}

/// `values.v`
fn held(body: &mut Body, values: Handle<Local>, ty: Handle<Type>) -> Handle<Expr> {
    let base = body.place(values);
    body.expr(ExprKind::Member { base, field: 0 }, ty, Span::default())
}

/// `to = from`, element by element.
fn copy(types: &mut Types, body: &mut Body, to: Handle<Expr>, from: Handle<Expr>) -> StmtNode {
    let TypeKind::Array { len: ArrayLen::Const(n), .. } = *types.kind(body.ty(to)) else {
        let value = body.load(from);
        return Stmt::store(to, value);
    };
    let int = types.i32();
    let var = body.temp("k", int);
    let index = body.load_local(var);
    let (to, from) = (body.index(types, to, index), body.index(types, from, index));
    let inner = copy(types, body, to, from);
    let [lower, bound, step] = [0, i128::from(n), 1].map(|v| body.int(v, int));
    counting(var, lower, bound, step, vec![inner])
}
