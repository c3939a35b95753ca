//! Whether a block may change anything besides its locals.

use accl_ir::{Block, Body, Stmt, visit};

/// Something is stored through a pointer, or a call or barrier may let that happen.
pub fn writes_memory(body: &Body, block: &Block) -> bool {
    let mut writes = false;
    visit::for_each_stmt(block, &mut |node| {
        writes |= match &node.kind {
            Stmt::Store { place, .. } => visit::root_local(body, *place).is_none(),
            Stmt::Call { .. }
            | Stmt::Atomic(_)
            | Stmt::Barrier(_)
            | Stmt::VectorStore { .. }
            | Stmt::ReduceGrid { .. }
            | Stmt::Measure { .. }
            | Stmt::TensorProduct(_)
            | Stmt::ReduceAcross { .. } => true,
            Stmt::Declare { .. }
            | Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Switch { .. }
            | Stmt::Print { .. }
            | Stmt::Stop { .. }
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Return(_)
            | Stmt::Block(_)
            | Stmt::Window(_)
            | Stmt::Region(_)
            | Stmt::Directive(_)
            | Stmt::Host
            | Stmt::VectorLoad { .. } => false,
        };
    });
    writes
}
