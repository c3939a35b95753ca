//! Locals that stand for the value that they were declared with: `k` after `int k = n + 2;`.
//!
//! Invariant: while the variable is there, nothing that its value is made of changes. After `int k = a[i]; a[i] = k + 1; int m = a[i];`
//! `k` is not `a[i]`, which `m` is.

use crate::affine::Definitions;
use crate::effects;
use crate::provenance::{Provenance, Root};
use crate::scalars;
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Stmt, TypeKind, visit};
use std::collections::BTreeSet;

/// Locals declared in the block with a value and never written again. What values read from memory is taken to stay.
pub fn of_block(body: &Body, block: &Block) -> Definitions {
    found(body, None, block)
}

/// The same, and what they read from memory stays, too.
pub fn of_construct(provenance: &Provenance<'_>, block: &Block) -> Definitions {
    found(provenance.scope.body, Some(provenance), block)
}

fn found(body: &Body, provenance: Option<&Provenance<'_>>, block: &Block) -> Definitions {
    let mut found = Definitions::new();
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Declare { local, init: Some(value) } = node.kind {
            found.insert(local, value);
        }
    });
    let written = scalars::written_locals(body, block);
    found.retain(|local, _| written.get(local) == Some(&1));
    if !found.is_empty() {
        Lifetimes { body, provenance, found: &mut found }.end_in(block);
    }
    found
}

struct Lifetimes<'a> {
    body: &'a Body,
    provenance: Option<&'a Provenance<'a>>,
    found: &'a mut Definitions,
}

/// What statements write: variables, and what lies in variables or behind pointers.
#[derive(Default)]
struct Written {
    whole: BTreeSet<Root>,
    inside: BTreeSet<Root>,
}

impl Lifetimes<'_> {
    /// Gives what the block writes. Definitions go whose values are made of what is written later in the block that declares them.
    fn end_in(&mut self, block: &Block) -> Written {
        let mut later = Written::default();
        for node in block.iter().rev() {
            if let Stmt::Declare { local, init: Some(value) } = node.kind
                && self.found.contains_key(&local)
                && self.is_made_of(value, &later)
            {
                self.found.remove(&local);
            }
            self.add_written(&node.kind, &mut later);
            for inner in node.kind.blocks() {
                let Written { whole, inside } = self.end_in(inner);
                later.whole.extend(whole);
                later.inside.extend(inside);
            }
        }
        later
    }

    fn is_made_of(&self, value: Handle<Expr>, written: &Written) -> bool {
        let mut found = false;
        visit::for_each_operand(&self.body.exprs, value, &mut |e| {
            let ExprKind::Load(place) = self.body.exprs[e].kind else { return };
            let roots = self.roots(place);
            let is_in = |written: &BTreeSet<Root>| roots.iter().any(|root| written.contains(root));
            // What a pointer points to may change while the pointer stays.
            found |= match self.is_variable(place) {
                true => is_in(&written.whole) || !self.is_pointer(place) && is_in(&written.inside),
                false => is_in(&written.inside),
            };
        });
        found
    }

    fn add_written(&self, stmt: &Stmt, written: &mut Written) {
        if let Stmt::For(l) = stmt {
            written.whole.insert(Root::Local(l.var));
        }
        for (place, access) in stmt.operands() {
            if access.writes() {
                let of = if self.is_variable(place) { &mut written.whole } else { &mut written.inside };
                of.extend(self.roots(place));
            }
        }
        if let (Stmt::Call { function, args, .. }, Some(provenance)) = (stmt, self.provenance)
            && !effects::only_reads(provenance.scope.module, *function)
        {
            written.inside.extend(args.iter().flat_map(|arg| provenance.reached_roots(*arg)));
        }
    }

    fn roots(&self, place: Handle<Expr>) -> BTreeSet<Root> {
        match self.provenance {
            Some(provenance) => provenance.place_roots(place),
            None => visit::root_local(self.body, place).map(Root::Local).into_iter().collect(),
        }
    }

    /// The place is all of its root.
    fn is_variable(&self, place: Handle<Expr>) -> bool {
        matches!(self.body.exprs[place].kind, ExprKind::Local(_) | ExprKind::Global(_))
            || self.provenance.is_some_and(|provenance| provenance.is_path_root(place))
    }

    fn is_pointer(&self, place: Handle<Expr>) -> bool {
        self.provenance.is_none_or(|provenance| {
            let types = &provenance.scope.module.types;
            matches!(types.kind(self.body.exprs[place].ty), TypeKind::Pointer { .. })
        })
    }
}
