//! Before the analyses: a pointer that is a copy of another one is that one.
//!
//! ```text
//! float *q = p; q[i] = r[i];          →     p[i] = r[i];
//! ```
//!
//! Users name an array anew in a loop, and what a function is given becomes such a copy where the function becomes part of the
//! construct. The passes that follow look for accesses of the construct's arrays by their names.
//!
//! Invariant: neither pointer ever has another value where the copy is visible.

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_analysis::scalars;
use accl_ir::rewrite::rewrite_exprs;
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Module, Stmt, StmtNode, TypeKind, Types, visit};
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass = Pass {
    name: "pointer_copies",
    promise: "A pointer that is a copy of another one, neither of which changes, is that one.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        let copies = copies(&module.types, body, &region.body);
        if copies.is_empty() {
            return;
        }
        let mut block = std::mem::take(&mut region.body);
        drop_declarations(&mut block, &copies);
        rewrite_exprs(body, &mut block, &mut |body, e| match body.exprs[e].kind {
            ExprKind::Local(local) => copies.get(&local).map_or(e, |of| body.place(original(&copies, *of))),
            _ => e,
        });
        region.body = block;
        cx.analyses.forget(site.construct);
    });
}

/// The copies in the block, each with the pointer that it is a copy of.
type Copies = BTreeMap<Handle<Local>, Handle<Local>>;

fn original(copies: &Copies, local: Handle<Local>) -> Handle<Local> {
    copies.get(&local).map_or(local, |of| original(copies, *of))
}

fn copies(types: &Types, body: &Body, block: &Block) -> Copies {
    let (mut found, mut listed) = (Copies::new(), BTreeSet::new());
    visit::for_each_stmt(block, &mut |node| match node.kind {
        Stmt::Declare { local, init: Some(value) } => {
            let of = loaded(types, body, value);
            found.extend(of.filter(|of| is_like(types, body, local, *of)).map(|of| (local, of)));
        }
        Stmt::Declare { .. } => {}
        ref other => listed.extend(other.locals().into_iter().map(|(local, _)| local)),
    });
    let written = scalars::written_locals(body, block);
    let declared = declared(block);
    let is_fixed = |local: Handle<Local>| {
        let own = usize::from(declared.contains(&local));
        written.get(&local).copied().unwrap_or(0) == own && !listed.contains(&local)
    };
    found.retain(|local, of| is_fixed(*local) && is_fixed(*of));
    found
}

/// The pointers that are declared with a value.
fn declared(block: &[StmtNode]) -> BTreeSet<Handle<Local>> {
    let mut all = BTreeSet::new();
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Declare { local, init: Some(_) } = node.kind {
            all.insert(local);
        }
    });
    all
}

/// The variable whose value this is; `const` may be added.
fn loaded(types: &Types, body: &Body, value: Handle<Expr>) -> Option<Handle<Local>> {
    match body.exprs[value].kind {
        ExprKind::Cast(inner) if types.element(body.ty(inner)) == types.element(body.ty(value)) => {
            loaded(types, body, inner)
        }
        ExprKind::Load(place) => match body.exprs[place].kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}

/// Both are pointers to the same type, and what `restrict` promises of the copy it promises of the other one.
fn is_like(types: &Types, body: &Body, local: Handle<Local>, of: Handle<Local>) -> bool {
    let pointer = |local: Handle<Local>| match *types.kind(body.locals[local].ty) {
        TypeKind::Pointer { to, restrict, space, .. } => Some((to, restrict, space)),
        _ => None,
    };
    match (pointer(local), pointer(of)) {
        (Some((to, promised, space)), Some((other, known, other_space))) => {
            to == other && space == other_space && (known || !promised)
        }
        _ => false,
    }
}

fn drop_declarations(block: &mut Block, copies: &Copies) {
    block.retain(|node| !matches!(node.kind, Stmt::Declare { local, .. } if copies.contains_key(&local)));
    for node in block {
        node.kind.blocks_mut().into_iter().for_each(|inner| drop_declarations(inner, copies));
    }
}
