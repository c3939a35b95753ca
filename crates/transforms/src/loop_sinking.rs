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
    let mut statements = 0;
    visit::for_each_stmt(before, &mut |_| statements += 1);
    if statements > MOST_STATEMENTS {
        return None;
    }
    let nest = Nest::of(summary, nest, visit::declared_locals(before));
    let mut kept = true;
    visit::for_each_stmt(before, &mut |node| {
        kept &= match node.kind {
            Stmt::Declare { .. } | Stmt::If { .. } => true,
            Stmt::Store { place, .. } => {
                visit::root_local(body, place).is_some_and(|l| nest.own.contains(&l))
            }
            _ => false,
        };
        let operands = || node.kind.operands().into_iter().map(|(e, _)| e);
        kept &= operands().all(|e| nest.keeps_value(e));
        kept &= cost == Cost::Memory || operands().all(|e| is_cheap(body, e));
    });
    let varies =
        |e: Handle<Expr>| nest.own.iter().chain(&nest.counters).any(|l| rewrite::mentions(body, e, *l));
    let rectangular = ![l.lower, l.bound, l.step].into_iter().any(varies);
    (kept && rectangular).then_some(child)
}

/// So many statements are looked at, at most.
const MOST_STATEMENTS: usize = 32;

/// Loops around statements that may move into the loop inside.
struct Nest<'s, 'a> {
    summary: &'s Summary<'a>,
    counters: BTreeSet<Handle<Local>>,
    /// What the statements declare.
    own: BTreeSet<Handle<Local>>,
    /// The local variables that the nest sets, and the memory that it writes.
    set: BTreeSet<Handle<Local>>,
    written: BTreeSet<&'s Root>,
}

impl<'s, 'a> Nest<'s, 'a> {
    fn of(summary: &'s Summary<'a>, loops: &[&LoopNode<'_>], own: BTreeSet<Handle<Local>>) -> Self {
        let list = summary.accesses.list.iter().chain(summary.accesses.inner.iter().map(|i| &i.access));
        let written =
            list.filter(|a| a.written && a.loops.contains(&loops[0].index)).map(|a| &a.root).collect();
        let set = visit::written_locals(summary.provenance.scope.body, &loops[0].l.body);
        Nest { summary, counters: loops.iter().map(|n| n.l.var).collect(), own, set, written }
    }

    /// What the expression reads the nest does not change, but for variables of the iteration's own and counters of loops around.
    fn keeps_value(&self, e: Handle<Expr>) -> bool {
        let Nest { summary, .. } = self;
        let body = summary.provenance.scope.body;
        let is_kept = |l: &Handle<Local>| {
            let fixed = self.counters.contains(l) || !self.set.contains(l);
            self.own.contains(l) || fixed && !summary.accesses.escaping.contains(l)
        };
        let may_meet =
            |root: &Root| self.written.iter().any(|w| *w == root || dependence::may_alias(summary, w, root));
        let mut kept = true;
        visit::for_each_operand(&body.exprs, e, &mut |e| match body.exprs[e].kind {
            ExprKind::Call { .. } => kept = false,
            ExprKind::Load(place) => {
                kept &= match (&body.exprs[place].kind, visit::root_local(body, place)) {
                    (ExprKind::Local(l), _) => is_kept(l),
                    (_, Some(l)) if self.own.contains(&l) => true,
                    _ => !summary.provenance.place_roots(place).iter().any(may_meet),
                }
            }
            _ => {}
        });
        kept
    }
}

/// The block in which the statements of a block stand that has no other.
pub fn innermost_block(block: &Block) -> &Block {
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
