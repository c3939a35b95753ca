//! Loops whose iterations a team of threads shares, where the language has them: OpenMP in the C of a port.
//!
//! Threads share the iterations of a kernel's outermost parallel loop. What iterations write without declaring it
//! belongs to the gang (OpenACC 3.3 §2.5.12), so each thread gets a copy. What the lanes of one gang share, such as
//! arrays between vector loops, stays shared.

use super::loops::reductions_in;
use super::stmt::StmtWriter;
use super::usage::Usage;
use crate::Style;
use accl_ir::{Handle, Local, Loop, Stmt, visit};
use std::collections::BTreeSet;

impl StmtWriter<'_, '_, '_> {
    /// The line before a loop of a port; `inside`: there are parallel loops in it.
    pub(super) fn team_hint(&self, l: &Loop, inside: bool) -> Option<String> {
        let dialect = self.body.unit.dialect;
        let reductions = reductions_in(self, l);
        if self.kernel.is_some() && self.parallel_depth == 0 {
            let own: Vec<String> = self.own_copies(l).map(|l| self.body.names.local(l).to_owned()).collect();
            return dialect.team_loop(&reductions, &own);
        }
        let simple = !inside && is_plain(l) && self.outer_writes(l).next().is_none();
        if simple { self.independent_hint(l, &reductions) } else { None }
    }

    /// Whether loops get these lines instead of the usual hints.
    pub(super) fn has_teams(&self) -> bool {
        self.body.unit.options.style == Style::Translate
            && self.body.unit.dialect.team_loop(&[], &[]).is_some()
    }

    fn own_copies<'l>(&'l self, l: &'l Loop) -> impl Iterator<Item = Handle<Local>> + 'l {
        let gang = l.levels.as_ref().is_some_and(|s| s.gang);
        let types = &self.body.unit.module.types;
        self.outer_writes(l).filter(move |local| gang || types.is_scalar(self.body.body.locals[*local].ty))
    }

    /// Locals from outside the loop that its body writes, other than those it reduces into.
    pub(super) fn outer_writes<'l>(&'l self, l: &'l Loop) -> impl Iterator<Item = Handle<Local>> + 'l {
        let body = self.body.body;
        let usage = Usage::of_block(self.body.unit.module, body, &l.body);
        let mut inside = accl_ir::visit::declared_locals(&l.body);
        inside.insert(l.var);
        visit::for_each_stmt(&l.body, &mut |node| {
            if let Stmt::For(inner) = &node.kind
                && self.headers.contains(&inner.var)
            {
                inside.insert(inner.var);
            }
        });
        inside.extend(self.reduced(l));
        body.locals.handles().filter(move |local| usage.get(*local).written && !inside.contains(local))
    }

    fn reduced(&self, l: &Loop) -> BTreeSet<Handle<Local>> {
        let of_loop = l.directive.iter().flat_map(|d| d.reductions.iter().map(|r| r.local));
        let of_kernel =
            self.kernel.into_iter().flat_map(|k| &k.kernel.params).filter_map(|p| match &p.kind {
                accl_ir::ParamKind::Reduction { .. } => Some(p.local),
                accl_ir::ParamKind::Data { .. }
                | accl_ir::ParamKind::Value { .. }
                | accl_ir::ParamKind::Codec { .. }
                | accl_ir::ParamKind::Extent { .. }
                | accl_ir::ParamKind::Stride { .. } => None,
            });
        of_loop.chain(of_kernel).collect()
    }
}

/// The block consists of assignments, loops and conditionals.
fn is_plain(l: &Loop) -> bool {
    let mut plain = true;
    visit::for_each_stmt(&l.body, &mut |node| {
        plain &= matches!(
            &node.kind,
            Stmt::Declare { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) | Stmt::Block(_)
        );
    });
    plain
}
