//! Functions that return before their end, as they are where they become part of others.
//!
//! ```text
//! if (first) { begin(); return 1; }      if (first) { begin(); result = 1; }
//! go_on();                           →   else { go_on(); result = 2; }
//! return 2;
//! ```

use accl_ir::{Block, Expr, Handle, Stmt, StmtNode};

/// The block with its returns at the ends of branches, as stores of the result to `dest`. `None`: one stands in a loop, or what follows
/// it would have to be there several times.
pub fn at_ends(mut block: Block, dest: Option<Handle<Expr>>) -> Option<Block> {
    let Some(at) = block.iter().position(|node| node.kind.returns()) else { return Some(block) };
    let mut rest = block.split_off(at + 1);
    let StmtNode { kind, span } = block.pop()?;
    let kind = match kind {
        Stmt::Return(value) => match value.zip(dest) {
            Some((value, place)) => Stmt::Store { place, op: None, value },
            None => return Some(block),
        },
        Stmt::Block(mut inner) => {
            inner.append(&mut rest);
            Stmt::Block(at_ends(inner, dest)?)
        }
        Stmt::If { cond, mut then, mut otherwise } => {
            match (always_returns(&then), always_returns(&otherwise)) {
                (true, _) => otherwise.append(&mut rest),
                (false, true) => then.append(&mut rest),
                (false, false) if rest.is_empty() => {}
                (false, false) => return None,
            }
            Stmt::If { cond, then: at_ends(then, dest)?, otherwise: at_ends(otherwise, dest)? }
        }
        _ => return None,
    };
    block.push(StmtNode { kind, span });
    Some(block)
}

fn always_returns(block: &Block) -> bool {
    block.iter().any(|node| match &node.kind {
        Stmt::Return(_) => true,
        Stmt::Block(inner) => always_returns(inner),
        Stmt::If { then, otherwise, .. } => always_returns(then) && always_returns(otherwise),
        _ => false,
    })
}

/// A function with this body returns before its end.
pub fn are_early(block: &Block) -> bool {
    match block.split_last() {
        Some((StmtNode { kind: Stmt::Return(_), .. }, before)) => before.iter().any(|n| n.kind.returns()),
        Some((StmtNode { kind: Stmt::Block(inner), .. }, before)) => {
            before.iter().any(|n| n.kind.returns()) || are_early(inner)
        }
        _ => block.iter().any(|n| n.kind.returns()),
    }
}
