//! 64-bit index versions of kernels.
//!
//! A launch whose loops end near the largest number of their type (the kernel's [guard](accl_ir::Kernel::overflow_guard)) uses such
//! a version in place of the usual kernel. Its parallel loops have a counter of 64 bits, from which each
//! iteration's variable is computed; where the variable has 64 bits itself, it counts the iterations. These versions exist for GPUs only. Their device code is a module of its own,
//! so that the usual code stays as it is.

use crate::build::{Builder, declare};
use crate::context::Context;
use crate::map::{self, indices};
use crate::outline::trips;
use crate::pass::Pass;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{
    Access, Block, Body, Compare, Expr, ExprKind, Handle, INDEX64, Kernel, Local, LocalKind, Loop, Module,
    Stmt, StmtNode, TypeKind, Types, visit,
};

pub const PASS: Pass = Pass {
    name: "index64",
    promise: "Each kernel with an overflow guard has a version that counts in 64 bits.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let handles: Vec<_> = module.kernels.handles().collect();
    for of in handles {
        let kernel = &mut module.kernels[of];
        // Windows depend on the loops' own variables; hints can be dropped.
        if !map::window::only_launch_hints(&kernel.body.block) || !cx.options.gpu || !cx.options.index64 {
            kernel.overflow_guard = None;
        }
        if kernel.overflow_guard.is_some() {
            let version = version(&mut module.types, kernel.clone(), of);
            module.kernels.append(version);
        }
    }
}

fn version(types: &mut Types, mut kernel: Kernel, of: Handle<Kernel>) -> Kernel {
    map::window::drop_launch_hints(&mut kernel);
    let mut block = std::mem::take(&mut kernel.body.block);
    let mut b = Builder { types, body: &mut kernel.body };
    loops(&mut b, &mut block);
    kernel.body.block = block;
    kernel.name.push_str(INDEX64);
    // The user's schedule is for the usual version.
    kernel.schedule = None;
    (kernel.overflow_guard, kernel.index64_of, kernel.fallback_of) = (None, Some(of), None);
    kernel
}

fn loops(b: &mut Builder<'_>, block: &mut Block) {
    for node in block {
        if let Stmt::For(l) = &mut node.kind
            && l.levels.as_ref().is_some_and(|s| !s.is_seq())
        {
            match b.types.kind(b.body.locals[l.var].ty) {
                TypeKind::Int { bits: 32, .. } => widen(b, l),
                TypeKind::Int { bits: 64, .. } if trips::is_far(b.types, b.body, l) => count(b, l),
                _ => {}
            }
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| loops(b, inner));
    }
}

/// Loops of 64 bits over rows whose ends only the device knows, which no guard has tested before the launch, count their iterations in
/// all versions: lanes beyond the last one would pass the largest number of the type. The body as it was, where there is one.
pub fn count_rows(types: &mut Types, body: &mut Body) -> Option<Body> {
    let is_unguarded = |types: &Types, body: &Body, l: &Loop| {
        l.levels.as_ref().is_some_and(|s| !s.is_seq() && s.dim.is_none())
            && trips::is_far(types, body, l)
            && ![l.bound, l.step].into_iter().all(|e| is_given(body, e))
    };
    let mut any = false;
    visit::for_each_stmt(&body.block, &mut |node| {
        any |= matches!(&node.kind, Stmt::For(l) if is_unguarded(types, body, l));
    });
    let before = any.then(|| body.clone())?;
    let mut block = std::mem::take(&mut body.block);
    let mut b = Builder { types, body };
    visit::for_each_stmt_mut(&mut block, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && is_unguarded(b.types, b.body, l)
        {
            count(&mut b, l);
        }
    });
    body.block = block;
    Some(before)
}

/// It consists of constants and of values that the launch gives.
fn is_given(body: &Body, e: Handle<Expr>) -> bool {
    let mut given = true;
    visit::walk_expr(body, e, Access::Read, &mut |e, _| {
        if let ExprKind::Load(place) = body.exprs[e].kind {
            given &= matches!(body.exprs[place].kind, ExprKind::Local(l) if body.locals[l].kind == LocalKind::Param);
        }
    });
    given
}

/// `for (long count = …) { int i = count; body }`
fn widen(b: &mut Builder<'_>, l: &mut Loop) {
    let long = b.types.int(64, true);
    let ty = b.body.locals[l.var].ty;
    [l.lower, l.bound, l.step] = [l.lower, l.bound, l.step].map(|e| match b.as_int(e) {
        Some(n) => b.int(n, long),
        None => b.cast(e, long),
    });
    renamed(b, l, |b, count| b.cast(count, ty));
}

/// `for (long count = 0; count < iterations; count++) { long i = lower + count * step; body }`
fn count(b: &mut Builder<'_>, l: &mut Loop) {
    let (long, wide) = (b.types.int(64, true), b.types.int(64, false));
    let ty = b.body.locals[l.var].ty;
    let trips = indices::trips(b, l);
    let [lower, step] = [l.lower, l.step].map(|e| b.cast(e, wide));
    (l.lower, l.compare, l.bound, l.step) = (b.int(0, long), Compare::Lt, trips, b.int(1, long));
    renamed(b, l, |b, count| {
        let count = b.cast(count, wide);
        let past = b.mul(count, step);
        let value = b.add(lower, past);
        b.cast(value, ty)
    });
}

/// The loop gets a counter of 64 bits, from which an iteration computes its variable.
fn renamed(
    b: &mut Builder<'_>,
    l: &mut Loop,
    value: impl FnOnce(&mut Builder<'_>, Handle<Expr>) -> Handle<Expr>,
) {
    let long = b.types.int(64, true);
    let var = b.body.locals[l.var].clone();
    let count = b.local(&format!("{}_count", var.name), long, LocalKind::Temp);
    let own = b.local(&var.name, var.ty, var.kind);
    substitute(b.body, &mut l.body, l.var, Subst::Local(own));
    let counted = b.load(count);
    let value = value(b, counted);
    sink(b.body, &mut l.body, declare(own, Some(value)), own);
    (l.var, l.declared_here) = (count, true);
}

/// Puts the declaration into the innermost of tightly nested parallel loops, which must stay tightly nested.
fn sink(body: &Body, block: &mut Block, node: StmtNode, own: Handle<Local>) {
    match block.as_mut_slice() {
        [StmtNode { kind: Stmt::For(inner), .. }]
            if inner.levels.as_ref().is_some_and(|s| s.dim.is_some())
                && ![inner.lower, inner.bound, inner.step].into_iter().any(|e| mentions(body, e, own)) =>
        {
            sink(body, &mut inner.body, node, own)
        }
        [StmtNode { kind: Stmt::Block(inner), .. }] => sink(body, inner, node, own),
        _ => block.insert(0, node),
    }
}

fn mentions(body: &Body, e: Handle<Expr>, local: Handle<Local>) -> bool {
    let mut found = false;
    visit::walk_expr(body, e, Access::Read, &mut |e, _| {
        found |= body.exprs[e].kind == ExprKind::Local(local)
    });
    found
}
