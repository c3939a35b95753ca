//! The lengths of the loops inside a gang loop, counted as the kernel runs, for the launches that follow.

use crate::build::{Builder, declare, if_then, node, store};
use accl_ir::{BinaryOp, Block, Body, Compare, Expr, Handle, Local, LocalKind, Loop, Stmt, StmtNode, Types};

/// Counts iterations of the gang loop at the end of the body, executions of the vector loops in it, and their iterations.
pub fn rows(types: &mut Types, body: &mut Body) {
    let mut block = std::mem::take(&mut body.block);
    let mut b = Builder { types, body };
    let long = b.types.int(64, true);
    let counts = ["rows", "loops", "iterations"].map(|name| b.local(name, long, LocalKind::Temp));
    if let Some(Stmt::For(rows)) = block.last_mut().map(|node| &mut node.kind) {
        loops(&mut b, &mut rows.body, counts);
        let one = b.int(1, long);
        rows.body.insert(0, added(&mut b, counts[0], one));
    }
    let zero = b.int(0, long);
    let at = block.len() - 1;
    block.splice(at..at, counts.map(|count| declare(count, Some(zero))));
    block.push(node(Stmt::Measure { counts }));
    body.block = block;
}

/// `loops += 1; if (lower < bound) iterations += bound - lower;` before each vector loop that counts by one.
fn loops(b: &mut Builder<'_>, block: &mut Block, counts: [Handle<Local>; 3]) {
    let mut at = 0;
    while at < block.len() {
        let counted = match &mut block[at].kind {
            Stmt::For(l) if l.levels.as_ref().is_some_and(|levels| levels.vector) => length(b, l),
            other => {
                other.blocks_mut().into_iter().for_each(|inner| loops(b, inner, counts));
                None
            }
        };
        if let Some((runs, length)) = counted {
            let long = b.ty(length);
            let one = b.int(1, long);
            let executed = added(b, counts[1], one);
            let iterated = added(b, counts[2], length);
            block.splice(at..at, [executed, if_then(runs, vec![iterated])]);
            at += 2;
        }
        at += 1;
    }
}

/// Whether a loop that counts up by one runs at all, and how often then.
fn length(b: &mut Builder<'_>, l: &Loop) -> Option<(Handle<Expr>, Handle<Expr>)> {
    let constant = b.as_int(l.lower).is_some() && b.as_int(l.bound).is_some();
    if b.as_int(l.step) != Some(1) || l.compare != Compare::Lt || constant {
        return None;
    }
    let long = b.types.int(64, true);
    let (lower, bound) = (b.cast(l.lower, long), b.cast(l.bound, long));
    let runs = b.binary(BinaryOp::Lt, lower, bound);
    Some((runs, b.binary(BinaryOp::Sub, bound, lower)))
}

fn added(b: &mut Builder<'_>, count: Handle<Local>, by: Handle<Expr>) -> StmtNode {
    let old = b.load(count);
    let sum = b.add(old, by);
    let place = b.place(count);
    store(place, sum)
}
