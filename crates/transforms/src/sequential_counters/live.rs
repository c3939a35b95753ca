//! Which counters are read later: live variables, from the end of a kernel to its start.
//!
//! A loop may run no iteration or many, so what is live at the start of its body is live at its end too. Where it matters
//! little a variable is taken to be live that is not.

use accl_ir::{Access, Block, Body, ExprKind, Handle, Local, Stmt, StmtNode, visit};
use std::collections::BTreeSet;

pub type Locals = BTreeSet<Handle<Local>>;

/// What is live where a `break` and a `continue` lead.
#[derive(Clone, Default)]
pub struct Jumps {
    broken: Locals,
    continued: Locals,
}

pub struct Live<'a> {
    pub body: &'a Body,
    /// The variables of interest.
    pub counters: &'a Locals,
}

impl Live<'_> {
    /// What is live before a block after which `after` is.
    fn before(&self, block: &Block, after: Locals, jumps: &Jumps) -> Locals {
        block.iter().rev().fold(after, |after, node| self.before_stmt(node, after, jumps))
    }

    /// What is live before a statement after which `after` is.
    pub fn before_stmt(&self, node: &StmtNode, mut after: Locals, jumps: &Jumps) -> Locals {
        match &node.kind {
            Stmt::Break => jumps.broken.clone(),
            Stmt::Continue => jumps.continued.clone(),
            Stmt::Return(_) | Stmt::Stop { .. } => self.with_own(node, Locals::new()),
            Stmt::If { then, otherwise, .. } => {
                let mut both = self.before(then, after.clone(), jumps);
                both.extend(self.before(otherwise, after, jumps));
                self.with_own(node, both)
            }
            // Its own variable is set before all else, but for what the loop starts from.
            Stmt::For(l) => {
                after.extend(self.before(&l.body, Locals::new(), &Jumps::default()));
                let mut after = self.with_own(node, after);
                after.remove(&l.var);
                self.read(l.lower, Access::Value, &mut after);
                after
            }
            Stmt::While { body, step, .. } => {
                for part in [body, step] {
                    after.extend(self.before(part, Locals::new(), &Jumps::default()));
                }
                self.with_own(node, after)
            }
            Stmt::Switch { cases, .. } => {
                let jumps = Jumps { broken: after.clone(), continued: jumps.continued.clone() };
                for case in cases {
                    after.extend(self.before(&case.body, Locals::new(), &jumps));
                }
                self.with_own(node, after)
            }
            kind => {
                let inside = kind.blocks().into_iter().rev();
                let after = inside.fold(after, |after, block| self.before(block, after, jumps));
                self.with_own(node, after)
            }
        }
    }

    /// What is live at the end of the blocks in a statement after which `after` is, and where jumps in them lead.
    pub fn inside(&self, node: &StmtNode, after: &Locals, jumps: &Jumps) -> (Locals, Jumps) {
        let mut ends = after.clone();
        match &node.kind {
            Stmt::For(_) | Stmt::While { .. } => {
                ends.extend(self.before_stmt(node, after.clone(), jumps));
                for block in node.kind.blocks() {
                    ends.extend(self.before(block, Locals::new(), &Jumps::default()));
                }
                // Counting on reads the variable.
                ends.extend(node.kind.locals().into_iter().map(|(local, _)| local));
                (ends.clone(), Jumps { broken: after.clone(), continued: ends })
            }
            Stmt::Switch { cases, .. } => {
                let jumps = Jumps { broken: after.clone(), continued: jumps.continued.clone() };
                for case in cases {
                    ends.extend(self.before(&case.body, Locals::new(), &jumps));
                }
                (ends, jumps)
            }
            _ => (ends, jumps.clone()),
        }
    }

    /// What is live before the statement itself, without the blocks in it: what it writes is not, what it reads is.
    fn with_own(&self, node: &StmtNode, mut after: Locals) -> Locals {
        let places = node.kind.operands();
        for (place, access) in &places {
            if let (ExprKind::Local(l), Access::Write) = (&self.body.exprs[*place].kind, access) {
                after.remove(l);
            }
        }
        for (local, access) in node.kind.locals() {
            match access {
                Access::Write => _ = after.remove(&local),
                _ => self.add(local, &mut after),
            }
        }
        places.into_iter().for_each(|(e, access)| self.read(e, access, &mut after));
        after
    }

    fn read(&self, e: Handle<accl_ir::Expr>, access: Access, live: &mut Locals) {
        visit::walk_expr(self.body, e, access, &mut |e, access| {
            if let (ExprKind::Local(l), false) = (&self.body.exprs[e].kind, access == Access::Write) {
                self.add(*l, live);
            }
        });
    }

    fn add(&self, local: Handle<Local>, live: &mut Locals) {
        if self.counters.contains(&local) {
            live.insert(local);
        }
    }
}
