//! Atomic updates whose places depend on data: bins of a histogram, the nearest of a few clusters, the ends of edges.
//!
//! Threads side by side often update the same of them, and memory that makes one update of an element after the other then
//! decides how long the kernel takes. A dialect whose warps can combine what their lanes have for one place is asked to. An
//! update that is combined is made by another thread, maybe later. So nobody may look in between: where a kernel, or a
//! function that it calls, has atomic operations of another kind, its updates are left as they are.

use accl_ir::{Access, AtomicKind, Block, Body, Expr, ExprKind, Handle, Local, Module, Stmt, calls, visit};
use std::collections::BTreeSet;

/// The places of a kernel's updates that lanes may combine.
pub fn places(module: &Module, body: &Body) -> BTreeSet<Handle<Expr>> {
    let Some(updated) = only_updated(&body.block).filter(|updated| !updated.is_empty()) else {
        return BTreeSet::new();
    };
    let only_updates = |f: &Handle<_>| {
        let body = module.functions[*f].body.as_ref();
        body.is_some_and(|body| only_updated(&body.block).is_some())
    };
    if !calls::reached(module, body, &body.block).iter().all(only_updates) {
        return BTreeSet::new();
    }
    let data = Data::of(body);
    updated.into_iter().filter(|place| data.decides_place(*place)).collect()
}

/// The places of the atomic updates, unless there are other atomic operations.
fn only_updated(block: &Block) -> Option<Vec<Handle<Expr>>> {
    let mut places = Some(vec![]);
    visit::for_each_stmt(block, &mut |node| {
        let Stmt::Atomic(atomic) = &node.kind else { return };
        if matches!(atomic.kind, AtomicKind::Read | AtomicKind::Write | AtomicKind::Replace(_))
            || atomic.capture.is_some()
        {
            places = None;
        }
        places.iter_mut().for_each(|places| places.push(atomic.place));
    });
    places
}

/// The locals of a body whose values depend on what it reads from memory.
struct Data<'b> {
    body: &'b Body,
    locals: BTreeSet<Handle<Local>>,
}

impl Data<'_> {
    fn of(body: &Body) -> Data<'_> {
        let mut data = Data { body, locals: BTreeSet::new() };
        loop {
            let known = data.locals.len();
            visit::for_each_stmt(&body.block, &mut |node| data.statement(&node.kind));
            if data.locals.len() == known {
                return data;
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        // A loop whose bounds depend on data still runs through elements that lie side by side.
        if matches!(stmt, Stmt::For(_)) {
            return;
        }
        let depends =
            matches!(stmt, Stmt::Call { .. }) || stmt.operands().iter().any(|(e, _)| self.decides(*e));
        if !depends {
            return;
        }
        let body = self.body;
        let written = stmt.operands().into_iter().filter(|(_, access)| access.writes());
        self.locals.extend(written.filter_map(|(place, _)| visit::root_local(body, place)));
        self.locals.extend(stmt.locals().into_iter().filter(|(_, a)| a.writes()).map(|(local, _)| local));
        for block in stmt.blocks() {
            self.locals.extend(visit::written_locals(body, block));
        }
    }

    /// The expression's value, or the place that it denotes, depends on data.
    fn decides(&self, e: Handle<Expr>) -> bool {
        let mut found = false;
        visit::walk_expr(self.body, e, Access::Value, &mut |e, _| {
            found |= match self.body.exprs[e].kind {
                ExprKind::Local(local) => self.locals.contains(&local),
                ExprKind::Load(place) => visit::root_local(self.body, place).is_none(),
                ExprKind::Call { .. } => true,
                _ => false,
            }
        });
        found
    }

    /// It lies behind a pointer, and one of its subscripts depends on data.
    fn decides_place(&self, place: Handle<Expr>) -> bool {
        visit::root_local(self.body, place).is_none() && self.decides(place)
    }
}
