//! Arrays of structures of numbers.
//!
//! With `layout(soa)` each member is an array of its own on the device: `p[i].x` becomes `p_x[i]`, an element of a
//! parameter that points to the member's plane. With `layout(aos)` the members stay side by side, and `p[i].x` becomes
//! `p_members[2 * i]`. Either way the structure is gone, and what is left are arrays of numbers like any other.
//!
//! A structure that is used as a whole is taken apart first ([`super::wholes`]). Where it cannot be it stays in the body;
//! [`whole_uses`] tells the user.

use super::with_element;
use crate::build::Builder;
use accl_ir::rewrite::rewrite_exprs;
use accl_ir::{
    BinaryOp, Block, Body, Compression, Expr, ExprKind, Handle, Layout, Local, LocalKind, Type, TypeKind,
    Types, visit,
};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};
use std::collections::BTreeMap;

/// The parameters that stand for `param`, with their planes.
pub fn split(
    types: &mut Types,
    body: &mut Body,
    block: &mut Block,
    param: Handle<Local>,
    element: Handle<Type>,
    c: &Compression,
) -> Vec<(u32, Handle<Local>)> {
    super::wholes::run(types, body, block, param);
    let soa = c.format.layout == Layout::Soa;
    let array = body.locals[param].ty;
    let ty = with_element(types, array, element);
    let mut planes: BTreeMap<u32, Handle<Local>> = BTreeMap::new();
    rewrite_exprs(body, block, &mut |body, e| {
        let ExprKind::Member { base, field } = body.exprs[e].kind else { return e };
        let Some(index) = subscripts(types, body, base, param) else { return e };
        if !soa && index.len() > 1 {
            return e;
        }
        let plane = if soa { field } else { 0 };
        let local = *planes.entry(plane).or_insert_with(|| {
            let name = name(types, body, param, array, soa.then_some(field));
            body.locals.append(Local {
                name,
                ty,
                kind: LocalKind::Param,
                reference: false,
                span: Span::default(),
            })
        });
        let place = body.expr(ExprKind::Local(local), ty, Span::default());
        let mut at = body.expr(ExprKind::Load(place), ty, Span::default());
        let span = body.exprs[e].span;
        for index in index {
            let index = if soa { index } else { side_by_side(types, body, index, c.members, field) };
            let ty = types.element(body.exprs[at].ty).unwrap_or(element);
            at = body.expr(ExprKind::Index { base: at, index }, ty, span);
        }
        at
    });
    planes.into_iter().collect()
}

/// The subscripts of a structure of the array, outermost first; `None` where the place is something else.
pub fn subscripts(
    types: &mut Types,
    body: &mut Body,
    place: Handle<Expr>,
    param: Handle<Local>,
) -> Option<Vec<Handle<Expr>>> {
    let is_param = |body: &Body, e: Handle<Expr>| match body.exprs[e].kind {
        ExprKind::Load(local) => body.exprs[local].kind == ExprKind::Local(param),
        _ => false,
    };
    match body.exprs[place].kind {
        ExprKind::Index { base, index } if is_param(body, base) => Some(vec![index]),
        ExprKind::Index { base, index } => match distance(types, body, base, param) {
            Some(start) => Some(vec![Builder { types, body }.add(start, index)]),
            None => {
                let mut found = subscripts(types, body, base, param)?;
                found.push(index);
                Some(found)
            }
        },
        ExprKind::Deref(pointer) if is_param(body, pointer) => {
            let int = types.i32();
            Some(vec![body.int(0, int)])
        }
        ExprKind::Deref(pointer) => distance(types, body, pointer, param).map(|index| vec![index]),
        _ => None,
    }
}

/// A pointer computed from the array's start, such as a function's argument: how many structures past the start it
/// points.
fn distance(
    types: &mut Types,
    body: &mut Body,
    pointer: Handle<Expr>,
    param: Handle<Local>,
) -> Option<Handle<Expr>> {
    match body.exprs[pointer].kind {
        ExprKind::Cast(inner)
            if types.element(body.exprs[inner].ty) == types.element(body.exprs[pointer].ty) =>
        {
            distance(types, body, inner, param)
        }
        ExprKind::Binary { op: BinaryOp::Add, left, right } => match body.exprs[left].kind {
            ExprKind::Load(local) if body.exprs[local].kind == ExprKind::Local(param) => Some(right),
            _ => {
                let start = distance(types, body, left, param)?;
                Some(Builder { types, body }.add(start, right))
            }
        },
        ExprKind::AddrOf(place) => match &subscripts(types, body, place, param)?[..] {
            [index] => Some(*index),
            _ => None,
        },
        _ => None,
    }
}

fn name(types: &Types, body: &Body, param: Handle<Local>, array: Handle<Type>, field: Option<u32>) -> String {
    let stem = &body.locals[param].name;
    let field = field.and_then(|f| Some(structure(types, array)?.fields.get(f as usize)?.name.clone()));
    body.unique_name(&field.map_or_else(|| format!("{stem}_members"), |f| format!("{stem}_{f}")))
}

fn structure(types: &Types, ty: Handle<Type>) -> Option<&accl_ir::StructDef> {
    match types.kind(ty) {
        TypeKind::Struct(def) => Some(&types.structs[*def]),
        _ => structure(types, types.element(ty)?),
    }
}

/// `index * members + field`
fn side_by_side(
    types: &mut Types,
    body: &mut Body,
    index: Handle<Expr>,
    members: u32,
    field: u32,
) -> Handle<Expr> {
    let b = &mut Builder { types, body };
    let ty = b.ty(index);
    let (count, field) = (b.int(members.into(), ty), b.int(field.into(), ty));
    let start = b.mul(index, count);
    b.add(start, field)
}

/// The structure is used as a whole, in a way that could not be taken apart.
pub fn whole_uses(body: &Body, block: &Block, param: Handle<Local>) -> Option<Diagnostic> {
    let mut found = None;
    visit::all_exprs(&body.exprs, block, &mut |e| {
        if body.exprs[e].kind == ExprKind::Local(param) {
            found.get_or_insert(body.exprs[e].span);
        }
    });
    let name = &body.locals[param].name;
    found.map(|span| {
        Diagnostic::error(
            codes::COMPRESSED_USE,
            format!("an element of the compressed array `{name}` is used as a whole"),
        )
        .label(span, "only its members can be read and written")
        .with_help(format!("copy it to a variable before, or name the members, as in `{name}[i].x`"))
    })
}
