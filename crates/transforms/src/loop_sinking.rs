//! Loop sinking: declarations between the loops around a window move into the inner loop.
//!
//! Iterations that share a block are those of tightly nested loops. But programs compute where a row's window lies
//! between the loops over rows and columns (paper 004, listing 11). Since that is arithmetic alone, each iteration
//! of the inner loop may compute it instead.

use crate::context::Context;
use crate::map::window::has_fcw;
use crate::pass::Pass;
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Module, Stmt, rewrite, visit};

pub const PASS: Pass =
    Pass { name: "loop_sinking", promise: "Loops around a window are tightly nested.", run };

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let handles: Vec<_> = module.functions.handles().collect();
    for h in handles {
        let Some(body) = &mut module.functions[h].body else { continue };
        let mut sunk = false;
        rewrite::with_block(body, |body, block| sunk = in_block(body, block));
        if sunk {
            cx.analyses.forget_all();
        }
    }
}

/// Whether something moved.
fn in_block(body: &Body, block: &mut Block) -> bool {
    let mut sunk = false;
    for node in block {
        if let Stmt::For(l) = &mut node.kind
            && l.directive.is_some()
            && has_fcw(&l.body)
        {
            sunk |= sink(body, &mut l.body);
        }
        for inner in node.kind.blocks_mut() {
            sunk |= in_block(body, inner);
        }
    }
    sunk
}

/// `{ int r = i * 2; for (…) { … } }` becomes `for (…) { int r = i * 2; … }`.
fn sink(body: &Body, block: &mut Block) -> bool {
    if let [one] = block.as_mut_slice()
        && let Stmt::Block(inner) = &mut one.kind
    {
        return sink(body, inner);
    }
    let Some((last, before)) = block.split_last() else { return false };
    let Stmt::For(inner) = &last.kind else { return false };
    let declared = visit::declared_locals(before);
    let header = [inner.lower, inner.bound, inner.step];
    let free = header.iter().all(|e| declared.iter().all(|l| !rewrite::mentions(body, *e, *l)));
    let plain = before
        .iter()
        .all(|n| matches!(n.kind, Stmt::Declare { init, .. } if init.is_none_or(|e| is_arithmetic(body, e))));
    if before.is_empty() || !free || !plain || inner.directive.is_none() {
        return false;
    }
    let Some(mut last) = block.pop() else { return false };
    if let Stmt::For(inner) = &mut last.kind {
        let mut all = std::mem::take(block);
        all.append(&mut inner.body);
        inner.body = all;
    }
    block.push(last);
    true
}

/// The expression reads no memory.
fn is_arithmetic(body: &Body, e: Handle<Expr>) -> bool {
    let mut plain = true;
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        plain &= match body.exprs[e].kind {
            ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Call { .. } => false,
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Member { .. }
            | ExprKind::Load(_)
            | ExprKind::AddrOf(_)
            | ExprKind::Decay(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Cast(_)
            | ExprKind::Select { .. }
            | ExprKind::Checked { .. }
            | ExprKind::Math { .. }
            | ExprKind::Builtin(_) => true,
        };
    });
    plain
}
