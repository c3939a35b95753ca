//! Signed integers that wrap (`-fwrapv`).
//!
//! The compilers of CUDA and OpenCL have no such option. For them the user's sums, differences and products of
//! signed integers are computed in unsigned types, and the result is converted back. What the compiler adds, such
//! as subscripts of threads, does not overflow and stays. This is the last pass, since analyses can say little
//! about numbers that wrap.
//!
//! Bodies of routines serve the cpu device, too, where this changes nothing.

use crate::build::Builder;
use crate::context::Context;
use crate::pass::Pass;
use accl_ir::{
    BinaryOp, Body, Expr, ExprKind, Handle, Kernel, Module, Stmt, Type, TypeKind, Types, UnaryOp, rewrite,
    visit,
};

pub const PASS: Pass = Pass {
    name: "wrapping",
    promise: "Where the user says that signed integers wrap, they do on GPUs.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    if !cx.options.wrapping {
        return;
    }
    let Module { types, kernels, functions, .. } = module;
    for (_, Kernel { variants, .. }) in kernels.iter_mut() {
        variants.iter_mut().for_each(|variant| wrap(types, &mut variant.body));
    }
    for (_, function) in functions.iter_mut().filter(|(_, f)| f.routine.is_some()) {
        function.body.iter_mut().for_each(|body| wrap(types, body));
    }
}

fn wrap(types: &mut Types, body: &mut Body) {
    let written: Vec<_> = body.exprs.handles().filter(|e| !body.exprs[*e].span.is_nowhere()).collect();
    for e in written {
        let Expr { kind, ty, .. } = body.exprs[e].clone();
        let Some(unsigned) = wrapping_type(types, ty) else { continue };
        let mut b = Builder { types, body };
        let wrapped = match kind {
            // The difference of pointers is an integer, too.
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right }
                if b.types.is_integer(b.ty(left)) =>
            {
                without_sign(&mut b, unsigned, op, left, right)
            }
            ExprKind::Unary { op: UnaryOp::Neg, operand } => {
                let operand = b.cast(operand, unsigned);
                b.expr(ExprKind::Unary { op: UnaryOp::Neg, operand }, unsigned)
            }
            _ => continue,
        };
        body.exprs[e].kind = ExprKind::Cast(wrapped);
    }
    rewrite::with_block(body, |body, block| {
        visit::for_each_stmt_mut(block, &mut |node| {
            // `a[i] += v`; short integers are multiplied as `int`.
            let Stmt::Store { place, op, value } = &mut node.kind else { return };
            let Some(by @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)) = *op else { return };
            let ty = body.exprs[*place].ty;
            let Some(unsigned) = wrapping_type(types, ty) else { return };
            let mut b = Builder { types, body };
            let before = b.load_place(*place);
            let after = without_sign(&mut b, unsigned, by, before, *value);
            *value = b.expr(ExprKind::Cast(after), ty);
            *op = None;
        });
    });
}

fn without_sign(
    b: &mut Builder<'_>,
    unsigned: Handle<Type>,
    op: BinaryOp,
    left: Handle<Expr>,
    right: Handle<Expr>,
) -> Handle<Expr> {
    let (left, right) = (b.cast(left, unsigned), b.cast(right, unsigned));
    b.expr(ExprKind::Binary { op, left, right }, unsigned)
}

/// The unsigned type in which values of this integer type are computed; `None` where the signed computation cannot
/// overflow.
/// C computes short integers as `int`, with and without a sign.
fn wrapping_type(types: &mut Types, ty: Handle<Type>) -> Option<Handle<Type>> {
    match *types.kind(ty) {
        TypeKind::Int { bits, signed } if signed || bits < 32 => Some(types.int(bits.max(32), false)),
        _ => None,
    }
}
