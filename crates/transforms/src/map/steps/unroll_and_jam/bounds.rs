//! Bounds of sequential loops that are held in a local: `int end = first + 256 < n ? first + 256 : n;`.
//!
//! A variable that each iteration declares prevents iterations from sharing a loop. Where its value is the same for
//! all of them, the value is substituted for it.

use accl_analysis::scalars;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Loop, Stmt, visit};
use std::collections::BTreeSet;

pub fn in_place(body: &mut Body, l: &Loop, block: &mut Block) {
    let mut own = visit::declared_locals(block);
    own.insert(l.var);
    let once = scalars::written_locals(body, block);
    let once = once.into_iter().filter(|(_, count)| *count == 1).map(|(local, _)| local).collect();
    within(body, block, &own, &once);
}

fn within(body: &mut Body, block: &mut Block, own: &BTreeSet<Handle<Local>>, once: &BTreeSet<Handle<Local>>) {
    let mut at = 0;
    while at < block.len() {
        match &mut block[at].kind {
            Stmt::Declare { local, init: Some(value) } => {
                let (local, value) = (*local, *value);
                let bounds = once.contains(&local) && is_bound(body, &block[at + 1..], local);
                if bounds && is_shared(body, value, own) {
                    let mut rest = block.split_off(at + 1);
                    block.pop();
                    substitute(body, &mut rest, local, Subst::Value(value));
                    block.extend(rest);
                    continue;
                }
            }
            Stmt::For(l) => {
                let mut own = own.clone();
                if [l.lower, l.bound, l.step].into_iter().all(|e| is_shared(body, e, &own)) {
                    own.remove(&l.var);
                }
                within(body, &mut l.body, &own, once);
            }
            Stmt::Block(inner) => within(body, inner, own, once),
            _ => {}
        }
        at += 1;
    }
}

/// A loop's header mentions the local.
fn is_bound(body: &Body, block: &[accl_ir::StmtNode], local: Handle<Local>) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            found |= [l.lower, l.bound].into_iter().any(|e| accl_ir::rewrite::mentions(body, e, local));
        }
    });
    found
}

/// The value is made of literals and of locals that iterations share, and reads no memory.
fn is_shared(body: &Body, e: Handle<Expr>, own: &BTreeSet<Handle<Local>>) -> bool {
    let mut shared = true;
    visit::for_each_operand(&body.exprs, e, &mut |e| match body.exprs[e].kind {
        ExprKind::Local(l) => shared &= !own.contains(&l),
        ExprKind::Load(place) => shared &= matches!(body.exprs[place].kind, ExprKind::Local(_)),
        ExprKind::Call { .. } | ExprKind::Deref(_) | ExprKind::Index { .. } => shared = false,
        _ => {}
    });
    shared
}
