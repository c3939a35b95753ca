//! Loop sinking: declarations between the loops around a window move into the inner loop.
//!
//! Iterations that share a block are those of tightly nested loops. But programs compute where a row's window lies
//! between the loops over rows and columns (paper 004, listing 11). Since that is arithmetic alone, each iteration
//! of the inner loop may compute it instead.

use crate::context::Context;
use crate::levels::tree::LoopNode;
use crate::map::window::has_fcw;
use crate::pass::Pass;
use accl_analysis::data::Summary;
use accl_analysis::dependence;
use accl_analysis::provenance::Root;
use accl_analysis::text::Scope;
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Module, Stmt, StmtNode, rewrite, visit};
use std::collections::BTreeSet;

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
            sunk |= sink_declarations(body, &mut l.body);
        }
        for inner in node.kind.blocks_mut() {
            sunk |= in_block(body, inner);
        }
    }
    sunk
}

/// `{ int r = i * 2; for (…) { … } }` becomes `for (…) { int r = i * 2; … }`.
fn sink_declarations(body: &Body, block: &mut Block) -> bool {
    if let [one] = block.as_mut_slice()
        && let Stmt::Block(inner) = &mut one.kind
    {
        return sink_declarations(body, inner);
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
    sink(block);
    true
}

/// What iterations of an inner loop may do again that they could share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Sums, products and the like.
    Arithmetic,
    /// Reading memory, too.
    Memory,
}

/// The loop at the end of the innermost of these, into which all that stands before it may move: it computes variables of its own, from
/// what the nest does not change. The bounds are those of all iterations around.
pub fn child_to_sink_into<'t, 'a>(
    summary: &Summary<'_>,
    nest: &[&'t LoopNode<'a>],
    cost: Cost,
) -> Option<&'t LoopNode<'a>> {
    let inner = nest.last()?;
    let (end, before) = innermost_block(&inner.l.body).split_last()?;
    let Stmt::For(l) = &end.kind else { return None };
    let child = inner.children.iter().find(|child| std::ptr::eq(child.l, &**l))?;
    let Scope { body, .. } = summary.provenance.scope;
    let mut own = visit::declared_locals(before);
    let mut kept = true;
    visit::for_each_stmt(before, &mut |node| {
        kept &= match node.kind {
            Stmt::Declare { .. } | Stmt::If { .. } => true,
            Stmt::Store { place, .. } => visit::root_local(body, place).is_some_and(|l| own.contains(&l)),
            _ => false,
        };
        let operands = || node.kind.operands().into_iter().map(|(e, _)| e);
        kept &= operands().all(|e| keeps_value(summary, nest, &own, e));
        kept &= cost == Cost::Memory || operands().all(|e| is_cheap(body, e));
    });
    own.extend(nest.iter().map(|n| n.l.var));
    let header = [l.lower, l.bound, l.step];
    let rectangular = header.iter().all(|e| own.iter().all(|l| !rewrite::mentions(body, *e, *l)));
    (kept && rectangular).then_some(child)
}

/// What the expression reads the loop does not change, but for variables of the iteration's own and counters of loops around.
fn keeps_value(
    summary: &Summary<'_>,
    nest: &[&LoopNode<'_>],
    own: &BTreeSet<Handle<Local>>,
    e: Handle<Expr>,
) -> bool {
    let body = summary.provenance.scope.body;
    let list = summary.accesses.list.iter().chain(summary.accesses.inner.iter().map(|i| &i.access));
    let written: Vec<&Root> =
        list.filter(|a| a.written && a.loops.contains(&nest[0].index)).map(|a| &a.root).collect();
    let set = visit::written_locals(body, &nest[0].l.body);
    let is_kept = |l: Handle<Local>| {
        let counts = nest.iter().any(|n| n.l.var == l);
        own.contains(&l) || !summary.accesses.escaping.contains(&l) && (counts || !set.contains(&l))
    };
    let may_meet =
        |root: &Root| written.iter().any(|w| *w == root || dependence::may_alias(summary, w, root));
    let mut kept = true;
    visit::for_each_operand(&body.exprs, e, &mut |e| match body.exprs[e].kind {
        ExprKind::Call { .. } => kept = false,
        ExprKind::Load(place) => {
            kept &= match (&body.exprs[place].kind, visit::root_local(body, place)) {
                (ExprKind::Local(l), _) => is_kept(*l),
                (_, Some(l)) if own.contains(&l) => true,
                _ => !summary.provenance.place_roots(place).iter().any(may_meet),
            }
        }
        _ => {}
    });
    kept
}

/// The block in which the statements of a block stand that has no other.
fn innermost_block(block: &Block) -> &Block {
    match block.as_slice() {
        [StmtNode { kind: Stmt::Block(inner), .. }] => innermost_block(inner),
        _ => block,
    }
}

/// What stands before the loop at the end of a block moves into it.
pub fn sink(block: &mut Block) {
    while let [StmtNode { kind: Stmt::Block(inner), .. }] = block.as_mut_slice() {
        *block = std::mem::take(inner);
    }
    let Some(mut last) = block.pop() else { return };
    let mut before = std::mem::take(block);
    if let Stmt::For(inner) = &mut last.kind {
        before.append(&mut inner.body);
        inner.body = before;
    }
    block.push(last);
}

fn is_cheap(body: &Body, e: Handle<Expr>) -> bool {
    let mut cheap = is_arithmetic(body, e);
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        cheap &= !matches!(body.exprs[e].kind, ExprKind::Math { .. })
    });
    cheap
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
