//! Kernels that count in 64 bits.
//!
//! Launches whose loops end near the largest int ([`near`](crate::outline)) take these in place of the usual ones.
//! They are a module of their own, so that the usual device code stays as it is: the same kernels by name, their
//! parallel loops with a counter of 64 bits, from which each iteration's variable is computed.

use crate::Options;
use crate::build::{Builder, declare};
use crate::context::Context;
use crate::map;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{
    Access, Block, Body, Expr, ExprKind, Handle, Kernel, Local, LocalKind, Loop, Module, Stmt, StmtNode,
    TypeKind, Types, visit,
};

/// The module of the kernels that may end near; `None` where there is none.
pub fn run(module: &mut Module, cx: &mut Context<'_>) -> Option<Module> {
    let handles: Vec<_> = module.kernels.handles().collect();
    for h in handles {
        let kernel = &mut module.kernels[h];
        // Windows follow the loops' own variables; hints may be left.
        if !map::window::only_launch_hints(&kernel.body.block) {
            kernel.near = None;
        }
    }
    let near: Vec<Kernel> =
        module.kernels.iter().map(|(_, k)| k).filter(|k| k.near.is_some()).cloned().collect();
    if near.is_empty() || !cx.options.gpu {
        return None;
    }
    let mut wide = Module { kernels: Default::default(), ..module.clone() };
    for (_, function) in wide.functions.iter_mut() {
        let Some(body) = &mut function.body else { continue };
        visit::for_each_stmt_mut(&mut body.block, &mut |node| {
            if let Stmt::Region(region) = &mut node.kind {
                region.kernels.clear();
            }
        });
    }
    for kernel in near {
        let kernel = widened(&mut wide.types, kernel);
        wide.kernels.append(kernel);
    }
    let options = Options {
        cpu: false,
        coarsen: false,
        jam: false,
        noalias: false,
        windows: false,
        ..cx.options.clone()
    };
    let mut unsaid = vec![];
    let mut quiet = Context { options: &options, diagnostics: &mut *cx.diagnostics, remarks: &mut unsaid };
    map::run(&mut wide, &mut quiet);
    Some(wide)
}

fn widened(types: &mut Types, mut kernel: Kernel) -> Kernel {
    map::window::drop_launch_hints(&mut kernel);
    let mut block = std::mem::take(&mut kernel.body.block);
    let mut b = Builder { types, body: &mut kernel.body };
    loops(&mut b, &mut block);
    kernel.body.block = block;
    kernel.near = None;
    kernel
}

fn loops(b: &mut Builder<'_>, block: &mut Block) {
    for node in block {
        if let Stmt::For(l) = &mut node.kind
            && l.schedule.as_ref().is_some_and(|s| !s.is_seq())
            && matches!(b.types.kind(b.body.locals[l.var].ty), TypeKind::Int { bits: 32, .. })
        {
            widen(b, l);
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| loops(b, inner));
    }
}

/// `for (long count = …) { int i = count; body }`
fn widen(b: &mut Builder<'_>, l: &mut Loop) {
    let long = b.types.int(64, true);
    let var = b.body.locals[l.var].clone();
    let count = b.local(&format!("{}_count", var.name), long, LocalKind::Temp);
    let own = b.local(&var.name, var.ty, var.kind);
    [l.lower, l.bound, l.step] = [l.lower, l.bound, l.step].map(|e| match b.as_int(e) {
        Some(n) => b.int(n, long),
        None => b.cast(e, long),
    });
    substitute(b.body, &mut l.body, l.var, Subst::Local(own));
    let value = b.load(count);
    let value = b.cast(value, var.ty);
    sink(b.body, &mut l.body, declare(own, Some(value)), own);
    (l.var, l.declared_here) = (count, true);
}

/// Into the innermost of tightly nested parallel loops, which have to stay so.
fn sink(body: &Body, block: &mut Block, node: StmtNode, own: Handle<Local>) {
    match block.as_mut_slice() {
        [StmtNode { kind: Stmt::For(inner), .. }]
            if inner.schedule.as_ref().is_some_and(|s| s.dim.is_some())
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
