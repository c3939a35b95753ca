//! Before the analyses: a copy of a structure with pointers, or of a variable outside of the construct, becomes a variable for each
//! member that is read of it.
//!
//! ```text
//! private_data own = all[i];          →     float *own_in = all[i].in; int own_point = all[i].point;
//! own.in[own.point] …                       own_in[own_point] …
//! ```
//!
//! The analyses follow a variable with one value, so they see what such pointers lead to, and kernels get the members of the host's
//! variable by value. It is done where the copy is never changed, and nobody takes its address; so it is with what functions get by
//! value that became part of the construct.
//!
//! Invariant: each member is copied where the structure was.

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_analysis::indirect::has_pointers;
use accl_analysis::scalars;
use accl_ir::rewrite::{rewrite_expr, rewrite_exprs};
use accl_ir::{
    Access, Block, Body, Expr, ExprKind, Handle, Local, Module, Stmt, StmtNode, TypeKind, Types, visit,
};
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass = Pass {
    name: "structure_copies",
    promise: "A copy of a structure with pointers, or of one outside, that is only read is a variable for each member that is read.",
    run,
};

/// The way to a member: the numbers of the fields, the outermost first.
type Path = Vec<u32>;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        // A copy of a copy comes before that: each round takes away one structure at least.
        loop {
            let found = copies(&module.types, body, &region.body);
            if found.is_empty() {
                return;
            }
            let mut block = std::mem::take(&mut region.body);
            let mut copies = Copies::new();
            for (local, members) in found {
                let variable = |(path, place)| (path, (place, variable(body, local, place)));
                copies.insert(local, members.into_iter().map(variable).collect());
            }
            declare(body, &mut block, &copies);
            rewrite_exprs(body, &mut block, &mut |body, e| {
                let of = path(body, e).and_then(|(local, path)| copies.get(&local)?.get(&path).copied());
                of.map_or(e, |(_, variable)| body.place(variable))
            });
            region.body = block;
            cx.analyses.forget(site.construct);
        }
    });
}

/// The structures of the construct that are copies of which members alone are read, with a place of each member.
fn copies(
    types: &Types,
    body: &Body,
    block: &Block,
) -> BTreeMap<Handle<Local>, BTreeMap<Path, Handle<Expr>>> {
    let mut found = BTreeMap::new();
    let mut listed = BTreeSet::new();
    let inside = visit::declared_locals(block);
    let is_outside = |place: Handle<Expr>| match body.exprs[place].kind {
        ExprKind::Global(_) => true,
        ExprKind::Local(local) => !inside.contains(&local),
        _ => false,
    };
    visit::for_each_stmt(block, &mut |node| match node.kind {
        Stmt::Declare { local, init: Some(value) } => {
            let ty = body.locals[local].ty;
            if let ExprKind::Load(place) = body.exprs[value].kind
                && matches!(types.kind(ty), TypeKind::Struct(_))
                && (has_pointers(types, ty) || is_outside(place))
            {
                found.insert(local, BTreeMap::new());
            }
        }
        Stmt::Declare { .. } => {}
        ref other => listed.extend(other.locals().into_iter().map(|(local, _)| local)),
    });
    if found.is_empty() {
        return found;
    }
    let written = scalars::written_locals(body, block);
    found.retain(|local, _| written.get(local) == Some(&1) && !listed.contains(local));
    // What is no read of a member takes the whole structure.
    let (mut named, mut of_members) = (BTreeMap::new(), BTreeMap::new());
    visit::for_each_expr(body, block, &mut |e, access| match body.exprs[e].kind {
        ExprKind::Local(local) => *named.entry(local).or_insert(0) += 1,
        ExprKind::Member { .. } if access == Access::Read && types.is_scalar(body.exprs[e].ty) => {
            if let Some((local, path)) = path(body, e)
                && let Some(members) = found.get_mut(&local)
            {
                members.insert(path, e);
                *of_members.entry(local).or_insert(0) += 1;
            }
        }
        _ => {}
    });
    found.retain(|local, _| named.get(local) == of_members.get(local));
    found
}

/// The variable that a place is a member of, and the way to it.
fn path(body: &Body, place: Handle<Expr>) -> Option<(Handle<Local>, Path)> {
    match body.exprs[place].kind {
        ExprKind::Local(local) => Some((local, vec![])),
        ExprKind::Member { base, field } => {
            let (local, mut path) = self::path(body, base)?;
            path.push(field);
            Some((local, path))
        }
        _ => None,
    }
}

/// Of each copy the members that are read, each with a place of it and the variable that stands for it.
type Copies = BTreeMap<Handle<Local>, BTreeMap<Path, (Handle<Expr>, Handle<Local>)>>;

fn variable(body: &mut Body, of: Handle<Local>, member: Handle<Expr>) -> Handle<Local> {
    body.temp(&body.locals[of].name.clone(), body.ty(member))
}

/// Declares the variables in the place of the structures.
fn declare(body: &mut Body, block: &mut Block, copies: &Copies) {
    for mut node in std::mem::take(block) {
        node.kind.blocks_mut().into_iter().for_each(|inner| declare(body, inner, copies));
        let Stmt::Declare { local, init: Some(value) } = node.kind else {
            block.push(node);
            continue;
        };
        let (Some(members), ExprKind::Load(whole)) = (copies.get(&local), body.exprs[value].kind.clone())
        else {
            block.push(node);
            continue;
        };
        for (place, variable) in members.values() {
            let member = rewrite_expr(body, *place, &mut |body, e| match body.exprs[e].kind {
                ExprKind::Local(l) if l == local => whole,
                _ => e,
            });
            let init = Some(body.load(member));
            block.push(StmtNode { kind: Stmt::Declare { local: *variable, init }, span: node.span });
        }
    }
}
