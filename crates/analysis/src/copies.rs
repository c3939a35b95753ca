//! Copies of structures of which nobody reads the pointers that were copied: `struct V x = v; x.data = a;`.
//!
//! A pointer member of the copy is unread if no statement reads it, or if it is overwritten by one of the statements that
//! stand right after the copy and do not name the variable otherwise.
//!
//! Invariant: where the address of the variable is taken, or a clause names it, all of its pointers count as read.

use crate::indirect::has_pointers;
use accl_ir::{Access, Body, Expr, ExprKind, Handle, Local, Module, Stmt, StmtNode, TypeKind, visit};
use std::collections::BTreeSet;

/// The statement in `rest` that comes first copies a structure to a variable, and none of the pointers that it copies are
/// read: the place that is copied. `rest` is what is left of a block of `body`.
pub fn with_unread_pointers(module: &Module, body: &Body, rest: &[StmtNode]) -> Option<Handle<Expr>> {
    let (node, after) = rest.split_first()?;
    let (variable, value) = match &node.kind {
        Stmt::Declare { local, init } => (*local, (*init)?),
        Stmt::Store { place, op: None, value } => match body.exprs[*place].kind {
            ExprKind::Local(local) => (local, *value),
            _ => return None,
        },
        _ => return None,
    };
    let ExprKind::Load(copied) = body.exprs[value].kind else { return None };
    let TypeKind::Struct(def) = module.types.kind(body.locals[variable].ty) else { return None };
    let fields = &module.types.structs[*def].fields;
    let mut pointers =
        (0..).zip(fields).filter(|(_, f)| has_pointers(&module.types, f.ty)).map(|(field, _)| field);
    let overwritten = overwritten(body, after, variable);
    let read = read(module, body, variable)?;
    pointers.all(|field| overwritten.contains(&field) || !read.contains(&field)).then_some(copied)
}

/// The members of the variable that the statements overwrite before anything else is done with it.
fn overwritten(body: &Body, after: &[StmtNode], variable: Handle<Local>) -> BTreeSet<u32> {
    let names = |e: Handle<Expr>| {
        let mut found = false;
        visit::for_each_operand(&body.exprs, e, &mut |e| {
            found |= body.exprs[e].kind == ExprKind::Local(variable);
        });
        found
    };
    let mut members = BTreeSet::new();
    for node in after {
        match &node.kind {
            Stmt::Declare { init, .. } if !init.is_some_and(names) => {}
            Stmt::Store { place, op: None, value } if !names(*value) => match body.exprs[*place].kind {
                ExprKind::Member { base, field } if body.exprs[base].kind == ExprKind::Local(variable) => {
                    members.insert(field);
                }
                _ if names(*place) => break,
                _ => {}
            },
            _ => break,
        }
    }
    members
}

/// The members of the variable of which pointers are read somewhere; `None`: it may be any.
fn read(module: &Module, body: &Body, variable: Handle<Local>) -> Option<BTreeSet<u32>> {
    let mut any = false;
    visit::for_each_local(body, &body.block, &mut |l, access| {
        any |= l == variable && access == Access::Address;
    });
    visit::for_each_stmt(&body.block, &mut |node| {
        any |= node.kind.locals().iter().any(|(l, access)| *l == variable && access.reads());
    });
    let mut members = BTreeSet::new();
    visit::for_each_place(body, &body.block, &mut |place, access| {
        let reads = access.reads() && has_pointers(&module.types, body.exprs[place].ty);
        if reads && visit::root_local(body, place) == Some(variable) {
            match member(body, place) {
                Some(field) => _ = members.insert(field),
                None => any = true,
            }
        }
    });
    (!any).then_some(members)
}

/// The member of its variable that a place is, or is in; `None`: it is all of it.
fn member(body: &Body, place: Handle<Expr>) -> Option<u32> {
    match body.exprs[place].kind {
        ExprKind::Member { base, field } => member(body, base).or(Some(field)),
        ExprKind::Index { base, .. } => member(body, base),
        _ => None,
    }
}
