//! Groups the IR's statements by the statement of the source that they come from: one may have become several.

use accl_ir::{Body, Handle, Local, LocalKind, Stmt, StmtNode, visit};
use accl_source::Span;
use std::collections::BTreeSet;

/// Groups the nodes of a block: those of one source statement belong together, and those that share a variable of
/// the compiler's.
pub fn groups<'a>(body: &Body, block: &'a [StmtNode]) -> Vec<&'a [StmtNode]> {
    let mut found: Vec<&[StmtNode]> = vec![];
    let (mut start, mut end, mut tied) = (0, 0u32, 0);
    for (i, node) in block.iter().enumerate() {
        let own = node.span.is_nowhere() || node.span.start >= end;
        if i > start && own && i > tied {
            found.push(&block[start..i]);
            start = i;
        }
        end = end.max(node.span.end);
        let temps = temps(body, node);
        if !temps.is_empty() {
            let user = |n: &StmtNode| mention(body, std::slice::from_ref(n), &temps);
            tied = tied.max(block.iter().rposition(user).unwrap_or(i));
        }
    }
    if start < block.len() {
        found.push(&block[start..]);
    }
    found
}

/// A variable that the node declares and that does not exist in the host's text.
fn temps(body: &Body, node: &StmtNode) -> BTreeSet<Handle<Local>> {
    let mut found = declared(std::slice::from_ref(node));
    found.retain(|l| matches!(body.locals[*l].kind, LocalKind::Temp | LocalKind::Copy));
    found
}

/// The nodes share variables of the compiler's, so they stay together on the device.
pub fn share_temps(body: &Body, nodes: &[StmtNode]) -> bool {
    nodes.iter().any(|n| match &n.kind {
        Stmt::Block(inner) => share_temps(body, inner),
        _ => !temps(body, n).is_empty(),
    })
}

/// The text that the nodes stand for, with the directive of the first loop.
pub fn span_of(nodes: &[StmtNode]) -> Span {
    let known = nodes.iter().filter(|n| !n.span.is_nowhere()).map(|n| n.span);
    known.reduce(Span::to).unwrap_or(Span::NOWHERE)
}

/// Locals that the nodes declare.
pub fn declared(nodes: &[StmtNode]) -> BTreeSet<Handle<Local>> {
    let local = |n: &StmtNode| match n.kind {
        Stmt::Declare { local, .. } => Some(local),
        _ => None,
    };
    nodes.iter().filter_map(local).collect()
}

/// Whether the nodes use one of the locals, in a clause or otherwise.
pub fn mention(body: &Body, nodes: &[StmtNode], locals: &BTreeSet<Handle<Local>>) -> bool {
    let mut found = false;
    visit::for_each_local(body, nodes, &mut |l, _| found |= locals.contains(&l));
    visit::for_each_stmt(nodes, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            let private = l.directive.iter().flat_map(|d| &d.private);
            let reduced = l.directive.iter().flat_map(|d| &d.reductions).map(|r| &r.local);
            found |= private.chain(reduced).any(|l| locals.contains(l));
        }
    });
    found
}

/// Control may leave the nodes before their end.
pub fn leaves(nodes: &[StmtNode]) -> bool {
    nodes.iter().any(|n| leaves_node(n, false, false))
}

fn leaves_node(node: &StmtNode, in_loop: bool, in_switch: bool) -> bool {
    let (in_loop, in_switch) = match &node.kind {
        Stmt::Break => return !in_loop && !in_switch,
        Stmt::Continue => return !in_loop,
        Stmt::Return(_) => return true,
        Stmt::For(_) | Stmt::While { .. } => (true, false),
        Stmt::Switch { .. } => (in_loop, true),
        _ => (in_loop, in_switch),
    };
    node.kind.blocks().into_iter().flatten().any(|n| leaves_node(n, in_loop, in_switch))
}
