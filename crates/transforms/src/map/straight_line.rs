//! Straight-line code: no control flow except conditions, no effects except stores.
//!
//! Such code may be run for several iterations side by side, moved as a whole, or left to a compiler to vectorise.

use accl_ir::{Block, Stmt};

pub fn is_straight(block: &Block) -> bool {
    has_only(block, false)
}

/// The same, or loops around such code that one thread runs.
pub fn is_straight_with_loops(block: &Block) -> bool {
    has_only(block, true)
}

fn has_only(block: &Block, loops: bool) -> bool {
    block.iter().all(|node| match &node.kind {
        Stmt::Declare { .. } | Stmt::Store { .. } => true,
        Stmt::If { then, otherwise, .. } => has_only(then, loops) && has_only(otherwise, loops),
        Stmt::Block(inner) => has_only(inner, loops),
        Stmt::For(l) => loops && l.levels.as_ref().is_none_or(|s| s.is_seq()) && has_only(&l.body, loops),
        Stmt::Call { .. }
        | Stmt::Print { .. }
        | Stmt::Stop { .. }
        | Stmt::While { .. }
        | Stmt::Switch { .. }
        | Stmt::Break
        | Stmt::Continue
        | Stmt::Return(_)
        | Stmt::Atomic(_)
        | Stmt::Window(_)
        | Stmt::Region(_)
        | Stmt::Directive(_)
        | Stmt::Host
        | Stmt::Barrier(_)
        | Stmt::ReduceAcross { .. }
        | Stmt::ReduceGrid { .. }
        | Stmt::Measure { .. }
        | Stmt::TensorProduct(_)
        | Stmt::VectorLoad { .. }
        | Stmt::VectorStore { .. } => false,
    })
}
