//! Pass 2: pointers, structures and variables with an address that each thread has for itself become locals of the
//! construct. Other scalars and arrays stay in their private clauses until `outline::private` declares them.
//!
//! A pointer of the host that a construct changes is two variables: the host's, which holds a host address, and the
//! thread's, which holds addresses of device memory. So `private(p)`, `firstprivate(p)` and pointers that each
//! iteration sets before it uses them are declared where they belong. Every later pass then sees where their values
//! come from (`analysis::provenance`). Private structures and arrays that hold pointers are treated in the same
//! way.
//!
//! The initial value of a firstprivate copy is read from the host's variable, whose parameter is a device address
//! like that of any other pointer. The case that remains, a pointer that one iteration passes to the next across
//! threads, is refused later (`implicit_data`).

use crate::context::Context;
use crate::outline::private::innermost;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::indirect::has_pointers;
use accl_analysis::scalars;
use accl_ir::rewrite::{Subst, mentions, substitute};
use accl_ir::{
    Block, Body, ExprKind, Handle, Local, LocalKind, Loop, Module, Region, RegionKind, Stmt, StmtNode,
    TypeKind, Types, visit,
};

pub const PASS: Pass = Pass {
    name: "private_copies",
    promise: "Pointers that a thread has for itself are declared in the construct.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Reads(cx.options.files), &mut |module, body, region, site| {
        let state = |body: &Body, region: &Region| (body.locals.len(), region.clauses.private.len());
        let before = state(body, region);
        in_loops(&module.types, body, &mut region.body);
        of_clauses(&module.types, body, region);
        of_rule(&module.types, body, region, site);
        if state(body, region) != before {
            cx.analyses.forget(site.construct);
        }
    });
}

/// The variables of the loops' private clauses, inner loops first; outer loops handle what these leave.
fn in_loops(types: &Types, body: &mut Body, block: &mut Block) {
    for node in block {
        for inner in node.kind.blocks_mut() {
            in_loops(types, body, inner);
        }
        if let Stmt::For(l) = &mut node.kind {
            in_loop(types, body, l);
        }
    }
}

fn in_loop(types: &Types, body: &mut Body, l: &mut Loop) {
    let Some(directive) = &mut l.directive else { return };
    let (own, rest) = directive.private.iter().partition(|p| needs_copy(types, body, &l.body, **p));
    directive.private = rest;
    let depth = directive.collapse.max(1);
    for local in own {
        declare(body, innermost(&mut l.body, depth), local, false);
    }
}

fn of_clauses(types: &Types, body: &mut Body, region: &mut Region) {
    let (own, rest) = region.clauses.private.iter().partition(|p| needs_copy(types, body, &region.body, **p));
    region.clauses.private = rest;
    for local in own {
        own_copies(body, &mut region.body, local);
    }
    let written = scalars::written_locals(body, &region.body);
    // A pointer that is only read holds the device's address throughout. The clause stays, since default(none)
    // requires it.
    let changed = |l: &Handle<Local>| is_pointer(types, body, *l) && written.contains_key(l);
    let first: Vec<_> = region.clauses.firstprivate.iter().copied().filter(changed).collect();
    for local in first {
        with_first_value(body, &mut region.body, local);
    }
}

/// Pointers in no clause that the construct changes. They are firstprivate in parallel and serial constructs
/// (OpenACC 3.3 §2.6.2); in kernels constructs they may be private to an iteration.
fn of_rule(types: &Types, body: &mut Body, region: &mut Region, site: &Site) {
    let declared = visit::declared_locals(&region.body);
    let written = scalars::written_locals(body, &region.body);
    for local in written.into_keys() {
        if declared.contains(&local) || !is_pointer(types, body, local) {
            continue;
        }
        match region.kind {
            RegionKind::Parallel | RegionKind::Serial => with_first_value(body, &mut region.body, local),
            RegionKind::Kernels => {
                if is_dereferenced(body, &region.body, local)
                    && is_set_in_loops(body, &region.body, local)
                    && !site.is_read_after(local)
                {
                    own_copies(body, &mut region.body, local);
                }
            }
            RegionKind::Data | RegionKind::HostData | RegionKind::Partitioned | RegionKind::OnHost => {}
        }
    }
}

/// Later passes look for a variable of a private clause by its name alone. They would mistake a member of it, or
/// what a pointer to it points to, for the variable outside of the construct.
fn needs_copy(types: &Types, body: &Body, block: &Block, local: Handle<Local>) -> bool {
    let ty = body.locals[local].ty;
    has_pointers(types, ty)
        || matches!(types.kind(ty), TypeKind::Struct(_))
        || has_address(body, block, local)
}

/// The block takes the address of the variable or of a part of it, as by handing an array to a function.
fn has_address(body: &Body, block: &Block, local: Handle<Local>) -> bool {
    let mut found = false;
    visit::all_exprs(&body.exprs, block, &mut |e| {
        if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = body.exprs[e].kind {
            found |= mentions(body, place, local);
        }
    });
    found
}

fn is_pointer(types: &Types, body: &Body, local: Handle<Local>) -> bool {
    matches!(types.kind(body.locals[local].ty), TypeKind::Pointer { .. })
}

/// Something is read or written through the variable.
fn is_dereferenced(body: &Body, block: &Block, local: Handle<Local>) -> bool {
    let is_load = |e| match body.exprs[e].kind {
        ExprKind::Load(place) => body.exprs[place].kind == ExprKind::Local(local),
        _ => false,
    };
    let mut dereferenced = false;
    visit::all_exprs(&body.exprs, block, &mut |e| match body.exprs[e].kind {
        ExprKind::Deref(p) => dereferenced |= is_load(p),
        ExprKind::Index { base, .. } => dereferenced |= is_load(base),
        _ => {}
    });
    dereferenced
}

/// A copy, initialised with the host's value where one is needed.
fn with_first_value(body: &mut Body, block: &mut Block, local: Handle<Local>) {
    if scalars::flow(body, block, local).exposed.is_none() || is_set_in_loops(body, block, local) {
        return own_copies(body, block, local);
    }
    declare(body, single_iteration(body, block, local), local, true);
}

/// The body of the parallel loops that make up the whole block: each iteration begins with the initial value.
fn single_iteration<'b>(body: &Body, block: &'b mut Block, local: Handle<Local>) -> &'b mut Block {
    let parallel = |l: &Loop| {
        let header = [l.lower, l.bound, l.step].into_iter().any(|e| mentions(body, e, local));
        !header && l.directive.as_ref().is_some_and(|d| !d.seq)
    };
    let Some(depth) = visit::only_loop(block).filter(|l| parallel(l)).map(depth) else { return block };
    let inside = innermost(block, depth + 1);
    single_iteration(body, inside, local)
}

fn depth(l: &Loop) -> u32 {
    l.directive.as_ref().map_or(1, |d| d.collapse.max(1))
}

/// All uses are in loops, each iteration of which sets the variable first.
fn is_set_in_loops(body: &Body, block: &Block, local: Handle<Local>) -> bool {
    let sets = |l: &&Loop| scalars::flow(body, &l.body, local).exposed.is_none();
    !used_outside_loops(body, block, local) && visit::top_loops(block).iter().all(sets)
}

fn used_outside_loops(body: &Body, block: &Block, local: Handle<Local>) -> bool {
    block.iter().any(|node| {
        let mut used = node.kind.operands().into_iter().any(|u| mentions(body, u.0, local));
        used |= node.kind.locals().iter().any(|(l, _)| *l == local);
        let loops = matches!(node.kind, Stmt::For(_));
        used || !loops && node.kind.blocks().into_iter().any(|b| used_outside_loops(body, b, local))
    })
}

/// Gives a copy to each block that uses the variable for itself: to the innermost loops that set it before they use
/// it.
fn own_copies(body: &mut Body, block: &mut Block, local: Handle<Local>) {
    if is_set_in_loops(body, block, local) {
        return each_loop(block, &mut |l| {
            let depth = depth(l);
            own_copies(body, innermost(&mut l.body, depth), local);
        });
    }
    declare(body, block, local, false);
}

/// The loops directly in a block.
fn each_loop(block: &mut Block, f: &mut dyn FnMut(&mut Loop)) {
    for node in block {
        match &mut node.kind {
            Stmt::For(l) => f(l),
            other => other.blocks_mut().into_iter().for_each(|b| each_loop(b, f)),
        }
    }
}

/// Declares a copy of the variable at the start of the block, and lets all uses in the block refer to the copy.
fn declare(body: &mut Body, block: &mut Block, local: Handle<Local>, first_value: bool) {
    let mut copy = body.locals[local].clone();
    copy.name = body.unique_name(&accl_analysis::text::source_name(body, local));
    copy.kind = LocalKind::Copy;
    let copy = body.locals.append(copy);
    substitute(body, block, local, Subst::Local(copy));
    let init = first_value.then(|| body.load_local(local));
    block.insert(0, StmtNode::from(Stmt::Declare { local: copy, init }));
}
