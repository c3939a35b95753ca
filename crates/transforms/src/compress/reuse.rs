//! Arrays that would be decoded repeatedly.
//!
//! Compression saves time because fewer bytes are moved. In a sequential loop inside a kernel neighbouring threads
//! read the same elements from cache, where bytes cost little, and each thread decodes for itself (paper 000,
//! section VI). A window (`fcw`), which decodes on fetch, or the plain array is then faster. For arrays that are
//! only read, the kernel gets versions that read a plain copy ([`super::decoded`]); of other arrays the user is
//! told.

use super::{block, format_in};
use crate::context::Context;
use crate::pass::Pass;
use accl_ir::{Block, ExprKind, Handle, Kernel, Local, Loop, Module, ParamKind, Stmt, visit};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind, Span};
use std::collections::BTreeMap;

pub const PASS: Pass = Pass {
    name: "compress_reuse",
    promise: "The user has been told where compressed arrays are decoded again and again.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    for (_, kernel) in module.kernels.iter() {
        for (array, span) in arrays(module, kernel) {
            let name = &kernel.body.locals[array].name;
            let read_only = kernel
                .params
                .iter()
                .any(|p| p.local == array && matches!(p.kind, ParamKind::Data { written: false, .. }));
            if !read_only && block::is_block(&module.types, &kernel.body, array) {
                // Kernels write plain copies of these arrays.
                continue;
            }
            let (kind, message, help) = match read_only {
                true => (
                    RemarkKind::Transform,
                    format!("{name} is read many times: GPUs decode it once, into a plain copy"),
                    format!(
                        "hold {name} plain, or read it through a window (`#pragma acc fcw FETCH_ONLY({name}[...])`), \
                         to save the copy's memory"
                    ),
                ),
                false => (
                    RemarkKind::Missed,
                    format!(
                        "{name} is decoded in every iteration of a sequential loop, and written: plain is faster"
                    ),
                    format!("hold {name} plain, or read and write arrays of their own"),
                ),
            };
            let id = if read_only { remarks::TRANSFORMED } else { remarks::NOT_TRANSFORMED };
            let remark = Remark::new(id, kind, &kernel.site.function, span, message);
            cx.remark(remark.with_help(help));
        }
    }
}

/// Compressed arrays that are read in sequential loops of many iterations, with the positions of the loops.
pub fn arrays(module: &Module, kernel: &Kernel) -> BTreeMap<Handle<Local>, Span> {
    let mut found = BTreeMap::new();
    sequential_loops(module, kernel, &kernel.body.block, &mut found);
    found
}

/// A loop of fewer iterations goes over the components of one element.
const FEW: i128 = 16;

fn is_short(module: &Module, kernel: &Kernel, l: &Loop) -> bool {
    let constant = |e| kernel.body.const_int(&module.types, e);
    match (constant(l.lower), constant(l.bound)) {
        (Some(lower), Some(bound)) => (bound - lower).abs() < FEW,
        _ => false,
    }
}

/// Compressed arrays that are read in loops which each thread runs by itself, with the loop's position.
fn sequential_loops(
    module: &Module,
    kernel: &Kernel,
    block: &Block,
    found: &mut BTreeMap<Handle<Local>, Span>,
) {
    for node in block {
        if let Stmt::For(l) = &node.kind
            && l.levels.as_ref().is_none_or(|s| s.is_seq())
            && !is_short(module, kernel, l)
        {
            for array in read_arrays(module, kernel, &l.body) {
                found.entry(array).or_insert(node.span);
            }
            continue;
        }
        for inner in node.kind.blocks() {
            sequential_loops(module, kernel, inner, found);
        }
    }
}

fn read_arrays(module: &Module, kernel: &Kernel, block: &Block) -> Vec<Handle<Local>> {
    let body = &kernel.body;
    let mut found = vec![];
    visit::all_exprs(&body.exprs, block, &mut |e| {
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
