//! Atomic updates whose places depend on data: bins of a histogram, the nearest of a few clusters, the ends of edges.
//!
//! Threads side by side often update the same of them, and memory that makes one update of an element after the other then
//! decides how long the kernel takes. A dialect whose warps can combine what their lanes have for one place is asked to. An
//! update that is combined is made by another thread, maybe later. So nobody may look in between: where a kernel, or a
//! function that it calls, has atomic operations of another kind, its updates are left as they are.

use crate::provenance::{Provenance, Root};
use accl_ir::{
    Access, AtomicKind, Block, Body, Expr, ExprKind, Handle, Local, Module, Stmt, TypeKind, calls, visit,
};
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

/// Who might see an element of such places while updates of it wait to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Nobody who may: what the kernel reads in other ways lies behind pointers out of memory, or in functions. Another thread
    /// that read an element there while it is updated would be a race.
    None,
    /// Other arrays of the kernel, if they overlap.
    Others,
    /// The array itself is read or written otherwise.
    Own,
}

/// Who might see the elements of a kernel's [`places`]; `None` without such places, or where a thread might leave the kernel early.
pub fn readers(module: &Module, body: &Body) -> Option<Readers> {
    let places = places(module, body);
    let mut leaves = places.is_empty();
    visit::for_each_stmt(&body.block, &mut |node| leaves |= matches!(node.kind, Stmt::Return(_)));
    if leaves {
        return None;
    }
    let provenance = Provenance::new(module, body, &body.block, BTreeSet::new());
    let types = &module.types;
    let bytes = |place| types.size_of(body.exprs[place].ty).filter(|_| types.is_scalar(body.exprs[place].ty));
    let updates: Vec<_> = places.iter().map(|p| (*p, bytes(*p), provenance.place_roots(*p))).collect();
    let mut readers = Readers::None;
    visit::for_each_place(body, &body.block, &mut |place, _| {
        let is_pointer = matches!(types.kind(body.exprs[place].ty), TypeKind::Pointer { .. });
        if places.contains(&place) || is_pointer || visit::root_local(body, place).is_some() {
            return;
        }
        let roots = provenance.place_roots(place);
        for (update, size, updated) in &updates {
            // A character, or a structure, may lie over anything.
            let lies_over = bytes(place).is_none_or(|bytes| bytes == 1 || Some(bytes) == *size);
            if !lies_over {
                continue;
            }
            if roots.iter().any(|root| *root != Root::Unknown && updated.contains(root)) {
                readers = Readers::Own;
            } else if readers == Readers::None && !roots.contains(&Root::Unknown) && is_named(body, *update) {
                readers = Readers::Others;
            }
        }
    });
    Some(readers)
}

/// The place is an element of an array that a parameter points to, not of one to which a pointer in memory leads.
fn is_named(body: &Body, place: Handle<Expr>) -> bool {
    let Some(visit::Root::Pointer(pointer)) = visit::root_of(body, place) else { return true };
    let mut from_memory = false;
    visit::walk_expr(body, pointer, Access::Value, &mut |e, _| {
        from_memory |=
            matches!(body.exprs[e].kind, ExprKind::Load(place) if visit::root_local(body, place).is_none());
    });
    !from_memory
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
