//! Which reductions of a kernel return a value to the host.

use accl_analysis::scalars;
use accl_ir::{Block, Body, Handle, Local, Loop, Reduction, Region, Stmt, visit};
use std::collections::BTreeSet;

/// Reductions into variables from outside the construct to whose value the kernel adds. A variable that each outer
/// iteration sets before an inner loop reduces into it is private to the iteration.
pub fn of_launch(
    body: &Body,
    region: &Region,
    piece: &Block,
    inner: &BTreeSet<Handle<Local>>,
) -> Vec<Reduction> {
    let mut found: Vec<Reduction> = region.clauses.reductions.clone();
    visit::for_each_stmt(piece, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            for r in l.directive.iter().flat_map(|d| &d.reductions) {
                let new = found.iter().all(|f| f.local != r.local);
                if new && is_shared(body, region, piece, r.local) {
                    found.push(r.clone());
                }
            }
        }
    });
    found.retain(|r| !inner.contains(&r.local) && accl_ir::visit::names_local(body, piece, r.local));
    found
}

/// No loop makes the variable private, and an outermost loop reduces into it, even if the loop only writes it (a
/// flag); or iterations depend on its old value.
fn is_shared(body: &Body, region: &Region, piece: &Block, local: Handle<Local>) -> bool {
    if region.clauses.private.contains(&local) || region.clauses.firstprivate.contains(&local) {
        return false;
    }
    let mut private = false;
    visit::for_each_stmt(piece, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            private |= l.directive.as_ref().is_some_and(|d| d.private.contains(&local));
        }
    });
    let reduces = |l: &Loop| l.directive.iter().flat_map(|d| &d.reductions).any(|r| r.local == local);
    !private
        && visit::top_loops(piece)
            .into_iter()
            .any(|l| reduces(l) || scalars::flow(body, &l.body, local).exposed.is_some())
}
