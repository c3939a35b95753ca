//! A warning for arrays that are decoded again and again.
//!
//! Compression pays by the bytes that are not moved. In a sequential loop inside a kernel neighbouring threads read the
//! same elements from cache, where bytes cost little, and each decodes for itself (paper 000, section VI). A window
//! (`fcw`), which decodes on fetch, or the plain array is faster then; nothing is changed, but the user is told.

use super::format_in;
use crate::context::Context;
use accl_analysis::walk;
use accl_ir::{Block, ExprKind, Handle, Kernel, Local, Module, Stmt};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind, Span};
use std::collections::BTreeMap;

pub fn run(module: &Module, cx: &mut Context<'_>) {
    for (_, kernel) in module.kernels.iter() {
        let mut found = BTreeMap::new();
        sequential_loops(module, kernel, &kernel.body.block, &mut found);
        for (array, span) in found {
            let name = &kernel.body.locals[array].name;
            let message = format!(
                "{name} is decoded in every iteration of a sequential loop: where its elements are read many times \
                 from cache, the plain array is faster"
            );
            let remark = Remark::new(
                remarks::NOT_TRANSFORMED,
                RemarkKind::Missed,
                &kernel.site.function,
                span,
                message,
            );
            cx.remark(remark.with_help(format!(
                "hold {name} plain, or read it through a window (`#pragma acc fcw FETCH_ONLY({name}[...])`), which \
                 decodes each element once"
            )));
        }
    }
}

/// Compressed arrays read in loops that a thread runs by itself, with the loop's place.
fn sequential_loops(
    module: &Module,
    kernel: &Kernel,
    block: &Block,
    found: &mut BTreeMap<Handle<Local>, Span>,
) {
    for node in block {
        if let Stmt::For(l) = &node.kind
            && l.schedule.as_ref().is_none_or(|s| s.is_seq())
        {
            for array in read_arrays(module, kernel, &l.body) {
                found.entry(array).or_insert(node.span);
            }
            continue;
        }
        for inner in walk::blocks(&node.kind) {
            sequential_loops(module, kernel, inner, found);
        }
    }
}

fn read_arrays(module: &Module, kernel: &Kernel, block: &Block) -> Vec<Handle<Local>> {
    let body = &kernel.body;
    let mut found = vec![];
    walk::all_exprs(&body.exprs, block, &mut |e| {
        if let ExprKind::Load(place) = body.exprs[e].kind
            && let ExprKind::Local(local) = body.exprs[place].kind
            && format_in(&module.types, body.locals[local].ty).is_some()
            && !found.contains(&local)
        {
            found.push(local);
        }
    });
    found
}
