//! Replaces uses of device data by uses of pointer parameters.
//!
//! A pointer variable stays the same local. An array or structure variable becomes a pointer to its first element
//! or to itself; a member path becomes a pointer of its own.

use accl_analysis::provenance::Root;
use accl_analysis::text::{Scope, is_reference_member};
use accl_ir::rewrite::rewrite_exprs;
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, LocalKind, Module, Type, TypeKind};

/// The local of the parameter for `root`; uses of `root` in `block` now go through it.
pub fn bind(
    module: &mut Module,
    body: &mut Body,
    block: &mut Block,
    root: &Root,
    ty: Handle<Type>,
    name: &str,
) -> Handle<Local> {
    if let (Root::Local(l), TypeKind::Pointer { .. }) = (root, module.types.kind(ty)) {
        return *l;
    }
    let pointer = pointer_to(module, ty);
    let name = match root {
        Root::Local(l) => give_up_name(body, *l),
        _ => name.to_owned(),
    };
    let param = new_local(body, &name, pointer);
    let dereferenced = matches!(module.types.kind(ty), TypeKind::Pointer { .. });
    let target = DataParam { param, ty, pointer, dereferenced };
    replace(module, body, block, root, &target);
    param
}

/// A value parameter for something that is not a plain local: its reads become reads of a new local.
pub fn bind_value(
    module: &Module,
    body: &mut Body,
    block: &mut Block,
    root: &Root,
    ty: Handle<Type>,
    name: &str,
) -> Handle<Local> {
    if let Root::Local(l) = root {
        return *l;
    }
    let param = new_local(body, name, ty);
    let key = Key::new(root);
    rewrite_exprs(body, block, &mut |body, e| match key.is(module, body, e) {
        true => body.place(param),
        false => e,
    });
    param
}

/// Replaces reads of a global constant by its literal.
pub fn bind_literal(
    body: &mut Body,
    block: &mut Block,
    global: Handle<accl_ir::Global>,
    value: accl_ir::ConstValue,
) {
    rewrite_exprs(body, block, &mut |body, e| {
        let ExprKind::Load(place) = body.exprs[e].kind else { return e };
        if body.exprs[place].kind != ExprKind::Global(global) {
            return e;
        }
        let ty = body.exprs[e].ty;
        match value {
            accl_ir::ConstValue::Int(n) => body.int(n, ty),
            accl_ir::ConstValue::Float(x) => body.float(x, ty),
        }
    });
}

struct DataParam {
    param: Handle<Local>,
    ty: Handle<Type>,
    pointer: Handle<Type>,
    /// The root is a pointer itself.
    dereferenced: bool,
}

/// Recognises the expressions that denote the root.
struct Key<'r> {
    root: &'r Root,
}

impl<'r> Key<'r> {
    fn new(root: &'r Root) -> Self {
        Key { root }
    }

    fn is(&self, module: &Module, body: &Body, e: Handle<Expr>) -> bool {
        match (self.root, &body.exprs[e].kind) {
            (Root::Local(l), ExprKind::Local(m)) => l == m,
            (Root::Global(g), ExprKind::Global(h)) => g == h,
            // A reference and its object have one name, which means the object.
            (Root::Member(_), _) if is_reference_member(module, body, e) => false,
            (Root::Member(text), ExprKind::Member { .. } | ExprKind::Deref(_)) => {
                Scope::new(module, body).text(e).as_ref() == Some(text)
            }
            _ => false,
        }
    }
}

fn replace(module: &Module, body: &mut Body, block: &mut Block, root: &Root, target: &DataParam) {
    let key = Key::new(root);
    // Uses come before the root itself is replaced: the operands of an expression are rewritten first, so each use
    // already sees the place that replaces the root.
    rewrite_exprs(body, block, &mut |body, e| {
        if key.is(module, body, e) {
            return stand_in(body, target);
        }
        use_of_stand_in(module, body, e, target)
    });
}

/// The place that denotes the root after the rewrite: `*param`, or `param` for a pointer.
fn stand_in(body: &mut Body, target: &DataParam) -> Handle<Expr> {
    if target.dereferenced {
        return body.place(target.param);
    }
    let place = body.place(target.param);
    let pointer = body.load(place);
    body.expr(ExprKind::Deref(pointer), target.ty, accl_source::Span::default())
}

/// `(*param)[i]` of an array is `param[i]`, its decay is `param`, and its address is that of its first element.
fn use_of_stand_in(module: &Module, body: &mut Body, e: Handle<Expr>, target: &DataParam) -> Handle<Expr> {
    if !matches!(module.types.kind(target.ty), TypeKind::Array { .. }) {
        return e;
    }
    let span = body.exprs[e].span;
    let ty = body.exprs[e].ty;
    match body.exprs[e].kind {
        ExprKind::Index { base, index } => match pointer_of_stand_in(body, base, target) {
            Some(base) => body.expr(ExprKind::Index { base, index }, ty, span),
            None => e,
        },
        ExprKind::AddrOf(place) => match pointer_of_stand_in(body, place, target) {
            Some(pointer) => body.expr(ExprKind::Cast(pointer), ty, span),
            None => e,
        },
        ExprKind::Decay(place) => pointer_of_stand_in(body, place, target).unwrap_or(e),
        _ => e,
    }
}

fn pointer_of_stand_in(body: &Body, place: Handle<Expr>, target: &DataParam) -> Option<Handle<Expr>> {
    let ExprKind::Deref(pointer) = body.exprs[place].kind else { return None };
    let ExprKind::Load(local) = body.exprs[pointer].kind else { return None };
    (body.exprs[local].kind == ExprKind::Local(target.param) && body.exprs[pointer].ty == target.pointer)
        .then_some(pointer)
}

/// The type of the parameter: to the element of an array, to a scalar or structure, or the pointer itself.
fn pointer_to(module: &mut Module, ty: Handle<Type>) -> Handle<Type> {
    match module.types.kind(ty).clone() {
        TypeKind::Pointer { .. } => ty,
        TypeKind::Array { of, .. } => module.types.pointer(of),
        _ => module.types.pointer(ty),
    }
}

/// The parameter gets the user's name; the host's variable, which the kernel does not have, gets another one.
fn give_up_name(body: &mut Body, l: Handle<Local>) -> String {
    let other = body.unique_name(&format!("{}_host", body.locals[l].name));
    std::mem::replace(&mut body.locals[l].name, other)
}

fn new_local(body: &mut Body, name: &str, ty: Handle<Type>) -> Handle<Local> {
    let clean: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let clean = clean.replace("__", "_");
    let name = body.unique_name(&clean);
    body.locals.append(Local {
        name,
        ty,
        kind: LocalKind::Param,
        reference: false,
        span: accl_source::Span::default(),
    })
}
