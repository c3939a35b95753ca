//! Functions that GPUs have and C lacks.
//!
//! `1.0f / sqrtf(x)` is one instruction there, `rsqrtf(x)`, right to 2 units in the last place where the division
//! and the root are each right to half a unit. In double it is a library function and gains less, so only float is
//! changed. Off with `-gpu=nofastmath`.

use crate::context::Context;
use accl_ir::{BinaryOp, Body, Expr, ExprKind, Handle, Kernel, MathFn, Module, TypeKind};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};

pub fn run(module: &Module, kernel: &mut Kernel, cx: &mut Context<'_>) {
    let mut changed = vec![];
    for variant in &mut kernel.variants {
        for e in variant.body.exprs.handles() {
            if let Some(x) = reciprocal_root(module, &variant.body, e) {
                variant.body.exprs[e].kind = ExprKind::Math { fun: MathFn::Rsqrt, args: vec![x] };
                changed.push(variant.body.exprs[e].span);
            }
        }
    }
    changed.sort();
    changed.dedup();
    for span in changed {
        let message = "1.0f / sqrtf(x) is computed as rsqrtf(x), right to 2 ulp";
        let remark =
            Remark::new(remarks::TRANSFORMED, RemarkKind::Transform, &kernel.site.function, span, message);
        cx.remark(remark.with_help("-gpu=nofastmath keeps the division"));
    }
}

/// The `x` of a float `1 / sqrt(x)`.
fn reciprocal_root(module: &Module, body: &Body, e: Handle<Expr>) -> Option<Handle<Expr>> {
    let ExprKind::Binary { op: BinaryOp::Div, left, right } = body.exprs[e].kind else { return None };
    let float = matches!(module.types.kind(body.exprs[e].ty), TypeKind::Float { bits: 32 });
    let one = body.exprs[left].kind == ExprKind::Float(1.0) || body.exprs[left].kind == ExprKind::Int(1);
    match &body.exprs[right].kind {
        ExprKind::Math { fun: MathFn::Sqrt, args } if float && one => args.first().copied(),
        _ => None,
    }
}
