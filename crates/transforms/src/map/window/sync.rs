//! Which statements all threads of a block run together.
//!
//! A statement *synchronises* if a barrier may stand in it: a window with its fetch, a `fcw_barrier`, a write to an
//! array that channels, and any statement that contains one of these. Each thread runs all other statements by
//! itself.

use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Stmt, WindowKind, visit};
use std::collections::BTreeSet;

/// What makes statements synchronise.
#[derive(Clone, Debug, Default)]
pub struct Syncs {
    /// Arrays whose writes other iterations see.
    channels: BTreeSet<Handle<Local>>,
    /// The user's barriers are the only ones.
    pub explicit: bool,
}

impl Syncs {
    pub fn of(body: &Body, block: &Block) -> Syncs {
        let mut syncs = Syncs::default();
        visit::for_each_stmt(block, &mut |node| match &node.kind {
            Stmt::Window(w) => {
                let channels = w.arrays.iter().filter(|a| a.kind.channels());
                syncs.channels.extend(channels.filter_map(|a| root(body, a.element)));
            }
            Stmt::Barrier(_) => syncs.explicit = true,
            _ => {}
        });
        syncs
    }

    pub fn is_sync(&self, body: &Body, stmt: &Stmt) -> bool {
        self.sync(body, stmt, false)
    }

    /// A write that others see.
    pub fn is_channelled(&self, body: &Body, place: Handle<Expr>) -> bool {
        !self.explicit && root(body, place).is_some_and(|l| self.channels.contains(&l))
    }

    /// `looped`: a `break` or `continue` here belongs to a loop that synchronises.
    pub fn sync(&self, body: &Body, stmt: &Stmt, looped: bool) -> bool {
        let any = |block: &Block, looped: bool| block.iter().any(|n| self.sync(body, &n.kind, looped));
        match stmt {
            Stmt::Window(_) | Stmt::Barrier(_) => true,
            Stmt::Store { place, .. } => self.is_channelled(body, *place),
            Stmt::Atomic(a) => self.is_channelled(body, a.place),
            Stmt::Break | Stmt::Continue => looped,
            Stmt::For(l) => any(&l.body, false),
            Stmt::While { body: inner, step, .. } => any(inner, false) || any(step, false),
            Stmt::If { then, otherwise, .. } => any(then, looped) || any(otherwise, looped),
            Stmt::Block(inner) => any(inner, looped),
            Stmt::Switch { cases, .. } => cases.iter().any(|c| any(&c.body, false)),
            Stmt::Declare { .. }
            | Stmt::Call { .. }
            | Stmt::Print { .. }
            | Stmt::Stop { .. }
            | Stmt::Return(_)
            | Stmt::Region(_)
            | Stmt::Directive(_)
            | Stmt::Host
            | Stmt::ReduceAcross { .. }
            | Stmt::ReduceGrid { .. }
            | Stmt::Measure { .. }
            | Stmt::TensorProduct(_)
            | Stmt::VectorLoad { .. }
            | Stmt::VectorStore { .. } => false,
        }
    }
}

/// Whether a condition with the same value in all threads stays a branch. A condition around barriers alone becomes
/// a predicate like conditions that differ: barriers under conditions are legal, but compilers for OpenCL get them
/// wrong (PoCL 3.1).
pub fn stays_branch(then: &Block, otherwise: &Block) -> bool {
    let looped = |b: &Block| {
        let mut found = b.iter().any(|n| n.kind.leaves());
        visit::for_each_stmt(b, &mut |n| found |= matches!(n.kind, Stmt::For(_) | Stmt::While { .. }));
        found
    };
    [then, otherwise].into_iter().any(|b| has_windows(b) || looped(b))
}

/// The variable whose array or pointee contains a place.
pub fn root(body: &Body, place: Handle<Expr>) -> Option<Handle<Local>> {
    match visit::root_of(body, place)? {
        visit::Root::Local(l) => Some(l),
        visit::Root::Pointer(p) => match body.exprs[p].kind {
            ExprKind::Load(of) => match body.exprs[of].kind {
                ExprKind::Local(l) => Some(l),
                _ => None,
            },
            _ => None,
        },
        visit::Root::Global(_) => None,
    }
}

/// Whether a kernel has windows.
pub fn has_windows(block: &Block) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| found |= matches!(node.kind, Stmt::Window(_)));
    found
}

/// Whether windows force the forming of blocks: `cache` is a hint and changes no levels.
pub fn has_fcw(block: &Block) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Window(w) = &node.kind {
            found |= w.arrays.iter().any(|a| a.kind != WindowKind::Cache);
        }
    });
    found
}

/// Arrays of kinds that are only read may stay where they are if the block is not made of threads.
pub fn only_reads(kind: WindowKind) -> bool {
    matches!(kind, WindowKind::FetchOnly | WindowKind::Cache)
}
