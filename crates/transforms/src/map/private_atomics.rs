//! Atomics on variables that are private to a thread become plain operations.
//!
//! No other thread can access such a variable. And devices have no atomics on registers: OpenCL's functions take
//! global or local memory. Private to a thread is what it declares in a vector loop, or anywhere in a kernel whose
//! threads share no iteration, and its part of what the launch reduces.

use super::{block_mapping, shape};
use crate::build::{Builder, store};
use crate::options::Options;
use accl_ir::{
    Atomic, AtomicKind, BinaryOp, Block, Body, Expr, ExprKind, Handle, Kernel, Local, Module, ParamKind,
    Stmt, visit,
};
use std::collections::BTreeSet;

pub fn run(module: &mut Module, kernel: &mut Kernel, options: &Options<'_>) {
    let one_thread = kernel.serial || shape::block(&module.types, kernel, options) == [1; 3];
    let alone = one_thread || !block_mapping::is_needed(kernel);
    let reduced = kernel.params.iter().filter(|p| matches!(p.kind, ParamKind::Reduction { .. }));
    let reduced: BTreeSet<_> = reduced.map(|p| p.local).collect();
    let mut own = BTreeSet::new();
    declared(&kernel.body.block, alone, &mut own);
    let mut block = std::mem::take(&mut kernel.body.block);
    let mut b = Builder { types: &mut module.types, body: &mut kernel.body };
    rewrite(&mut b, &mut block, &|body, a| is_own(body, a, &own) || adds(a) && is_own(body, a, &reduced));
    kernel.body.block = block;
}

/// Locals that are private to a thread.
fn declared(block: &Block, alone: bool, found: &mut BTreeSet<Handle<Local>>) {
    for n in block {
        let lanes = matches!(&n.kind, Stmt::For(l) if l.levels.as_ref().is_some_and(|s| s.vector));
        if let Stmt::Declare { local, .. } = n.kind
            && alone
        {
            found.insert(local);
        }
        n.kind.blocks().into_iter().for_each(|inner| declared(inner, alone || lanes, found));
    }
}

/// It uses no value of the variable.
fn adds(a: &Atomic) -> bool {
    let is_update =
        matches!(a.kind, AtomicKind::Update(_) | AtomicKind::ReverseUpdate(_) | AtomicKind::Extremum(_));
    is_update && a.capture.is_none()
}

fn rewrite(b: &mut Builder<'_>, block: &mut Block, own: &dyn Fn(&Body, &Atomic) -> bool) {
    for n in block {
        match &n.kind {
            Stmt::Atomic(a) if own(b.body, a) => n.kind = Stmt::Block(plain(b, a)),
            _ => n.kind.blocks_mut().into_iter().for_each(|inner| rewrite(b, inner, own)),
        }
    }
}

fn is_own(body: &Body, a: &Atomic, own: &BTreeSet<Handle<Local>>) -> bool {
    matches!(visit::root_of(body, a.place), Some(visit::Root::Local(l)) if own.contains(&l))
}

fn plain(b: &mut Builder<'_>, a: &Atomic) -> Block {
    let update = a.value.map(|value| {
        let value = match a.kind {
            AtomicKind::Read | AtomicKind::Write => value,
            AtomicKind::Update(op) => {
                let old = operand(b, a, op, value);
                combined(b, a, op, old, value)
            }
            AtomicKind::ReverseUpdate(op) => {
                let old = operand(b, a, op, value);
                combined(b, a, op, value, old)
            }
            AtomicKind::Replace(expected) => {
                let old = b.load_place(a.place);
                let ty = b.ty(expected);
                let compared = b.cast(old, ty);
                let cond = b.binary(BinaryOp::Eq, compared, expected);
                let ty = b.ty(a.place);
                b.expr(ExprKind::Select { cond, yes: value, no: old }, ty)
            }
            AtomicKind::Extremum(fun) => {
                let old = b.load_place(a.place);
                let ty = b.ty(a.place);
                b.expr(ExprKind::Math { fun, args: vec![old, value] }, ty)
            }
        };
        let ty = b.ty(a.place);
        let value = b.cast(value, ty);
        store(a.place, value)
    });
    let value = b.load_place(a.place);
    let capture = a.capture.map(|(dest, after)| (store(dest, value), after));
    match (update, capture) {
        (Some(update), Some((capture, true))) => vec![update, capture],
        (update, capture) => capture.map(|c| c.0).into_iter().chain(update).collect(),
    }
}

/// The operation, which stands where the user wrote the variable.
fn combined(
    b: &mut Builder<'_>,
    a: &Atomic,
    op: BinaryOp,
    left: Handle<Expr>,
    right: Handle<Expr>,
) -> Handle<Expr> {
    let result = b.binary(op, left, right);
    b.body.exprs[result].span = b.body.exprs[a.place].span;
    result
}

/// The variable's value in the type in which C computes the operation: that of the other operand, except for
/// shifts.
fn operand(b: &mut Builder<'_>, a: &Atomic, op: BinaryOp, value: Handle<Expr>) -> Handle<Expr> {
    let old = b.load_place(a.place);
    let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
    let ty = b.ty(if shift { a.place } else { value });
    b.cast(old, ty)
}
