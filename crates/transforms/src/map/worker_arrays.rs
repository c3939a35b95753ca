//! Arrays, and other variables in memory, that belong to one worker.
//!
//! An array declared inside a worker loop and used by the vector loops in it is shared by the worker's lanes, and
//! so is every variable that one lane may write for all. It lives in the block's shared memory with one row for
//! each worker: `T a[n]` becomes `T a[workers][n]`, and `a` becomes `a[threadIdx.y]`.

use crate::build::{Builder, declare, store};
use crate::device_model::DeviceModel;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{
    Block, Body, Builtin, Expr, ExprKind, Handle, Kernel, Local, Module, Stmt, TypeKind, Types, visit,
};
use std::collections::BTreeSet;

/// A copy of the kernel in which such arrays have a row for each worker; and the arrays.
pub fn shared(module: &mut Module, kernel: &Kernel, workers: u32) -> (Kernel, BTreeSet<Handle<Local>>) {
    let mut kernel = kernel.clone();
    let mut block = std::mem::take(&mut kernel.body.block);
    let mut found = BTreeSet::new();
    let mut b = Builder { types: &mut module.types, body: &mut kernel.body };
    find_loops(&mut b, &mut block, workers, &mut found);
    kernel.body.block = block;
    (kernel, found)
}

/// The workers of a block of 1024 threads.
const MOST_WORKERS: u32 = 32;

/// The most workers that a launch may ask for: each needs its rows.
pub fn most_workers(kernel: &Kernel, types: &Types) -> u32 {
    let mut arrays = BTreeSet::new();
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && l.levels.as_ref().is_some_and(|s| s.worker && !s.vector)
        {
            arrays.extend(arrays_of_lanes(types, &kernel.body, &l.body));
        }
    });
    let bytes: u64 = arrays.iter().filter_map(|l| types.size_of(kernel.body.locals[*l].ty)).sum();
    let fits = |workers: &u32| u64::from(*workers) * bytes <= DeviceModel::portable().most_shared;
    (0..6).map(|shift| MOST_WORKERS >> shift).find(fits).unwrap_or(1)
}

fn find_loops(b: &mut Builder<'_>, block: &mut Block, workers: u32, found: &mut BTreeSet<Handle<Local>>) {
    for node in block {
        if let Stmt::For(l) = &mut node.kind
            && l.levels.as_ref().is_some_and(|s| s.worker && !s.vector)
        {
            in_worker(b, &mut l.body, workers, found);
            continue;
        }
        for inner in node.kind.blocks_mut() {
            find_loops(b, inner, workers, found);
        }
    }
}

fn in_worker(b: &mut Builder<'_>, block: &mut Block, workers: u32, found: &mut BTreeSet<Handle<Local>>) {
    for local in arrays_of_lanes(b.types, b.body, block) {
        let (ty, name) = (b.body.locals[local].ty, b.body.locals[local].name.clone());
        let rows = b.types.array(ty, u64::from(workers));
        let array = b.body.temp(&name, rows);
        let base = b.place(array);
        let row = b.builtin(Builtin::ThreadIdx(1));
        let place = b.expr(ExprKind::Index { base, index: row }, ty);
        remove_declaration(b.body, block, local);
        reduce_apart(b, block, local);
        substitute(b.body, block, local, Subst::Place(place));
        found.insert(array);
    }
}

/// Loops reduce variables, not elements: one that reduces this variable has another one for its result.
fn reduce_apart(b: &mut Builder<'_>, block: &mut Block, local: Handle<Local>) {
    for mut node in std::mem::take(block) {
        let reduces = match &node.kind {
            Stmt::For(l) => l.directive.iter().flat_map(|d| &d.reductions).any(|r| r.local == local),
            _ => false,
        };
        if !reduces {
            node.kind.blocks_mut().into_iter().for_each(|inner| reduce_apart(b, inner, local));
            block.push(node);
            continue;
        }
        let (ty, name) = (b.body.locals[local].ty, b.body.locals[local].name.clone());
        let result = b.body.temp(&name, ty);
        let before = declare(result, Some(b.load(local)));
        let mut own = vec![node];
        substitute(b.body, &mut own, local, Subst::Local(result));
        let after = store(b.place(local), b.load(result));
        block.push(before);
        block.extend(own);
        block.push(after);
    }
}

fn arrays_of_lanes(types: &Types, body: &Body, block: &Block) -> Vec<Handle<Local>> {
    let mut used = BTreeSet::new();
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && l.levels.as_ref().is_some_and(|s| s.vector)
        {
            visit::for_each_local(body, &l.body, &mut |local, _| {
                used.insert(local);
            });
        }
    });
    let addressed = addressed(body, block);
    let shared = |l: &Handle<Local>| is_shared(types, body, &used, &addressed, *l);
    outside_lanes(block).into_iter().filter(shared).collect()
}

/// Whether the threads that run a declaration together share one instance in memory. Otherwise each has its own: a
/// scalar in a register with the same value in all, or an array that only it reads. `used`: the locals in code that
/// threads run on their own.
pub fn is_shared(
    types: &Types,
    body: &Body,
    used: &BTreeSet<Handle<Local>>,
    addressed: &BTreeSet<Handle<Local>>,
    local: Handle<Local>,
) -> bool {
    let aggregate = matches!(types.kind(body.locals[local].ty), TypeKind::Array { .. } | TypeKind::Struct(_));
    addressed.contains(&local) || aggregate && used.contains(&local)
}

/// Variables that one thread may write for all: through a pointer, in a function, or atomically.
pub fn addressed(body: &Body, block: &Block) -> BTreeSet<Handle<Local>> {
    let mut found = BTreeSet::new();
    let mut add = |place: Handle<Expr>| {
        if let Some(visit::Root::Local(l)) = visit::root_of(body, place) {
            found.insert(l);
        }
    };
    visit::all_exprs(&body.exprs, block, &mut |e| {
        if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = body.exprs[e].kind {
            add(place);
        }
    });
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Atomic(a) = &node.kind {
            add(a.place);
        }
    });
    found
}

fn outside_lanes(block: &Block) -> Vec<Handle<Local>> {
    let mut declared = vec![];
    for node in block {
        match &node.kind {
            Stmt::Declare { local, .. } => declared.push(*local),
            Stmt::For(l) if l.levels.as_ref().is_some_and(|s| s.vector) => {}
            other => other.blocks().into_iter().for_each(|b| declared.extend(outside_lanes(b))),
        }
    }
    declared
}

/// The declaration's initial value is stored.
fn remove_declaration(body: &mut Body, block: &mut Block, local: Handle<Local>) {
    block.retain(|n| !matches!(n.kind, Stmt::Declare { local: l, init: None } if l == local));
    for node in block {
        match node.kind {
            Stmt::Declare { local: l, init: Some(value) } if l == local => {
                node.kind = Stmt::Store { place: body.place(local), op: None, value };
            }
            _ => node.kind.blocks_mut().into_iter().for_each(|b| remove_declaration(body, b, local)),
        }
    }
}
