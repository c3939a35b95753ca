//! Private variables become locals of the kernel.
//!
//! A variable of a `private` clause is declared at the start of the loop's body; where it is also used elsewhere
//! in the kernel, the loop gets a copy of its own (OpenACC 3.3 §2.9.10). Locals from outside that nothing
//! declares, because each use follows a write, are declared where all their uses are.
//!
//! A scalar that may be read before it is written begins with 0: on a CPU it would have what the thread's last iteration left, on
//! a GPU whatever lies in a register, which need not be the same twice.

use accl_analysis::scalars;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{Block, Body, Expr, Handle, Local, Loop, Stmt, StmtNode, TypeKind, Types, visit};
use std::collections::BTreeSet;

/// Declares the variables of the loops' private clauses. `own`: locals that mean something else outside.
pub fn declare_clauses(types: &Types, body: &mut Body, block: &mut Block, own: &BTreeSet<Handle<Local>>) {
    let mut seen = own.clone();
    named_outside(body, block, &BTreeSet::new(), &mut seen);
    visit_loops(types, body, block, &mut seen);
}

/// Finds what is named outside the loops that have copies of it: there it is the gang's.
fn named_outside(
    body: &Body,
    block: &[StmtNode],
    copied: &BTreeSet<Handle<Local>>,
    found: &mut BTreeSet<Handle<Local>>,
) {
    for node in block {
        let mut copied = copied.clone();
        if let Stmt::For(l) = &node.kind {
            copied.extend(l.directive.iter().flat_map(|d| &d.private));
        }
        visit::for_each_own_local(body, node, &mut |local, _| {
            if !copied.contains(&local) {
                found.insert(local);
            }
        });
        for inner in node.kind.blocks() {
            named_outside(body, inner, &copied, found);
        }
    }
}

fn visit_loops(types: &Types, body: &mut Body, block: &mut Block, seen: &mut BTreeSet<Handle<Local>>) {
    for node in block {
        if let Stmt::For(l) = &mut node.kind {
            declare_in_loop(types, body, l, seen);
        }
        for inner in node.kind.blocks_mut() {
            visit_loops(types, body, inner, seen);
        }
    }
}

fn declare_in_loop(types: &Types, body: &mut Body, l: &mut Loop, seen: &mut BTreeSet<Handle<Local>>) {
    let Some(directive) = &mut l.directive else { return };
    let private = std::mem::take(&mut directive.private);
    let depth = directive.collapse.max(directive.tile.len() as u32);
    for local in private {
        let inner = innermost(&mut l.body, depth);
        let mine = if seen.insert(local) { local } else { copy_for(body, inner, local) };
        let init = first_value(types, body, inner, mine);
        inner.insert(0, StmtNode::from(Stmt::Declare { local: mine, init }));
    }
}

/// 0 for a scalar that the block may read before it writes it.
fn first_value(types: &Types, body: &mut Body, block: &Block, local: Handle<Local>) -> Option<Handle<Expr>> {
    let ty = body.locals[local].ty;
    let is_float = match types.kind(ty) {
        TypeKind::Float { .. } => true,
        TypeKind::Int { .. } | TypeKind::Bool => false,
        _ => return None,
    };
    scalars::flow(body, block, local).exposed?;
    Some(if is_float { body.float(0.0, ty) } else { body.int(0, ty) })
}

/// The body of the innermost of `depth` joined loops, given the body of the first.
pub fn innermost(block: &mut Block, depth: u32) -> &mut Block {
    if depth <= 1 || visit::only_loop(block).is_none() {
        return block;
    }
    match &mut block[0].kind {
        Stmt::For(l) => innermost(&mut l.body, depth - 1),
        Stmt::Block(b) => innermost(b, depth),
        _ => unreachable!("only_loop looked through blocks alone"),
    }
}

fn copy_for(body: &mut Body, block: &mut Block, local: Handle<Local>) -> Handle<Local> {
    let mut copy = body.locals[local].clone();
    copy.name = body.unique_name(&copy.name);
    let copy = body.locals.append(copy);
    substitute(body, block, local, Subst::Local(copy));
    copy
}

/// Declares every local that the block uses and nothing declares: in the body of the distributed loops, or at the
/// start.
pub fn declare_rest(types: &Types, body: &mut Body, block: &mut Block, params: &BTreeSet<Handle<Local>>) {
    let mut free = BTreeSet::new();
    visit::for_each_local(body, block, &mut |l, _| {
        free.insert(l);
    });
    let declared = visit::declared_locals(block);
    free.retain(|l| !params.contains(l) && !declared.contains(l));
    declare_loop_variables(block, &free);
    let declared = visit::declared_locals(block);
    let target = distributed_body(block);
    for local in free.into_iter().rev().filter(|l| !declared.contains(l)) {
        let init = first_value(types, body, target, local);
        target.insert(0, StmtNode::from(Stmt::Declare { local, init }));
    }
}

/// The compiler's own directive, which makes nothing private: `sequential_counters` looks at what is read after the loop.
fn is_found(l: &Loop) -> bool {
    l.directive.as_ref().is_some_and(|d| d.found)
}

/// A parallel loop's variable is its own (OpenACC 3.3 §2.6.1).
fn declare_loop_variables(block: &mut Block, free: &BTreeSet<Handle<Local>>) {
    visit::for_each_stmt_mut(block, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && l.levels.as_ref().is_some_and(|s| !s.is_seq() && (s.dim.is_some() || !is_found(l)))
            && free.contains(&l.var)
        {
            l.declared_here = true;
        }
    });
}

/// The body of the innermost distributed loop, or the block itself.
fn distributed_body(block: &mut Block) -> &mut Block {
    let distributed =
        visit::only_loop(block).is_some_and(|l| l.levels.as_ref().is_some_and(|s| s.dim.is_some()));
    if !distributed {
        return block;
    }
    match &mut block[0].kind {
        Stmt::For(l) => distributed_body(&mut l.body),
        Stmt::Block(b) => distributed_body(b),
        _ => unreachable!("only_loop looked through blocks alone"),
    }
}
