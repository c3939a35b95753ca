//! Functions that GPUs have and C does not.
//!
//! `1.0f / sqrtf(x)` is one instruction on GPUs, `rsqrtf(x)`. It is right to 2 units in the last place, where the
//! division and the root are each right to half a unit. In double it is a library function and gains less, so only
//! float is changed. `-gpu=nofastmath` switches the pass off. Where `x` is proven to be no subnormal number, such
//! as a sum of squares and a positive constant, the instruction needs no scaling around it.

use crate::context::Context;
use accl_analysis::affine::Definitions;
use accl_analysis::definitions;
use accl_ir::{BinaryOp, Body, Expr, ExprKind, Handle, Kernel, MathFn, Module, TypeKind, visit};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind};

pub fn run(module: &Module, kernel: &mut Kernel, cx: &mut Context<'_>) {
    let mut changed = vec![];
    for variant in &mut kernel.variants {
        let definitions = definitions::of_block(&variant.body, &variant.body.block);
        for e in variant.body.exprs.handles() {
            if let Some(x) = reciprocal_root(module, &variant.body, e) {
                let least = Least { body: &variant.body, definitions: &definitions }.of(x, 16);
                let normal = least.is_some_and(|least| least >= f64::from(f32::MIN_POSITIVE));
                let fun = if normal { MathFn::RsqrtNormal } else { MathFn::Rsqrt };
                variant.body.exprs[e].kind = ExprKind::Math { fun, args: vec![x] };
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

/// Lower bounds of floating values that are numbers. Rounding preserves order, so a sum of bounds is a bound.
struct Least<'a> {
    body: &'a Body,
    definitions: &'a Definitions,
}

impl Least<'_> {
    fn of(&self, e: Handle<Expr>, depth: u32) -> Option<f64> {
        let inner = |e: Handle<Expr>| depth.checked_sub(1).and_then(|depth| self.of(e, depth));
        match &self.body.exprs[e].kind {
            ExprKind::Float(x) => Some(*x),
            ExprKind::Cast(of) if matches!(self.body.exprs[*of].kind, ExprKind::Float(_)) => inner(*of),
            ExprKind::Load(place) => match self.body.exprs[*place].kind {
                ExprKind::Local(l) => self.definitions.get(&l).and_then(|value| inner(*value)),
                _ => None,
            },
            ExprKind::Binary { op: BinaryOp::Add, left, right } => Some(inner(*left)? + inner(*right)?),
            ExprKind::Binary { op: BinaryOp::Mul, left, right } => {
                let square = self.is_local(*left) && visit::same_expr(self.body, *left, *right);
                square.then_some(0.0)
            }
            ExprKind::Math { fun: MathFn::Fabs, .. } => Some(0.0),
            _ => None,
        }
    }

    fn is_local(&self, e: Handle<Expr>) -> bool {
        let ExprKind::Load(place) = self.body.exprs[e].kind else { return false };
        matches!(self.body.exprs[place].kind, ExprKind::Local(_))
    }
}
