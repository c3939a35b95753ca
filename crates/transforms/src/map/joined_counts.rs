//! Joined loops that the lanes of a gang share, counted in 32 bits where that suffices.
//!
//! Lanes go through one count of all iterations and divide it into the loops' own ([`linearise`](super::linearise)). How many there are
//! only the device knows, and they may be more than 32 bits count. But 64 bits make each division twice as long: FFTs of 256 lines took
//! 0.234 ms on an H200, and 0.198. So a loop has two versions, and one test before it.
//!
//! ```text
//! for (long t = lane; t < n1 * n2; t += lanes) { int i = t / n2; int j = t % n2; body }
//!
//! if (n1 * n2 <= 2147483647)
//!     for (unsigned t = lane; t < (unsigned)(n1 * n2); t += lanes) { int i = t / (unsigned)n2; int j = t % (unsigned)n2; body }
//! else …
//! ```

use super::indices::for_at;
use crate::build::Builder;
use accl_ir::rewrite::{self, mentions, rewrite_expr};
use accl_ir::{
    BinaryOp, Block, Body, Builtin, Expr, ExprKind, Handle, Local, LocalKind, Loop, Stmt, TypeKind, Types,
    visit,
};
use accl_source::Span;

/// Statements of a loop that has two versions.
const MOST_STATEMENTS: usize = 64;

/// Changes the joined loops of a thread's program.
pub fn run(types: &mut Types, body: &mut Body) {
    let mut block = std::mem::take(&mut body.block);
    in_block(&mut Builder { types, body }, &mut block);
    body.block = block;
}

fn in_block(b: &mut Builder<'_>, block: &mut Block) {
    for node in block {
        match &node.kind {
            Stmt::For(l) if is_joined(b, l) => node.kind = two_versions(b, l, node.span),
            _ => node.kind.blocks_mut().into_iter().for_each(|inner| in_block(b, inner)),
        }
    }
}

/// Lanes share joined loops by it, and count in 64 bits.
fn is_joined(b: &Builder<'_>, l: &Loop) -> bool {
    let count = &b.body.locals[l.var];
    let is_wide = matches!(b.types.kind(count.ty), TypeKind::Int { bits: 64, .. });
    let divides = match l.body.first().map(|node| &node.kind) {
        Some(Stmt::Declare { init: Some(init), .. }) => any(b, *init, |kind| is_division(kind).is_some()),
        _ => false,
    };
    let mut statements = 0;
    visit::for_each_stmt(&l.body, &mut |_| statements += 1);
    count.kind == LocalKind::Temp
        && is_wide
        && divides
        && statements <= MOST_STATEMENTS
        && is_of_threads(b, l.lower)
        && is_of_threads(b, l.step)
        && b.as_int(l.step).is_none()
}

fn any(b: &Builder<'_>, e: Handle<Expr>, is: impl Fn(&ExprKind) -> bool) -> bool {
    let mut found = false;
    visit::for_each_operand(&b.body.exprs, e, &mut |part| found |= is(&b.body.exprs[part].kind));
    found
}

fn is_division(kind: &ExprKind) -> Option<(BinaryOp, Handle<Expr>, Handle<Expr>)> {
    match *kind {
        ExprKind::Binary { op: op @ (BinaryOp::Div | BinaryOp::Rem), left, right } => Some((op, left, right)),
        _ => None,
    }
}

fn two_versions(b: &mut Builder<'_>, l: &Loop, span: Span) -> Stmt {
    let narrow = b.types.int(32, false);
    let most = b.int(i32::MAX.into(), b.ty(l.bound));
    let cond = b.binary(BinaryOp::Le, l.bound, most);
    let count = b.body.temp("iteration", narrow);
    let mut body = l.body.clone();
    for node in &mut body {
        let Stmt::Declare { init: Some(init), .. } = &mut node.kind else { break };
        *init = narrowed(b, *init, l.var, count);
    }
    // Searches tell the number of the joined iteration itself.
    let now = b.load(count);
    let now = b.cast(now, b.body.locals[l.var].ty);
    rewrite::substitute(b.body, &mut body, l.var, rewrite::Subst::Value(now));
    let [lower, bound, step] = [l.lower, l.bound, l.step].map(|e| b.cast(without_cast(b, e), narrow));
    let short = Loop { var: count, lower, bound, step, body, ..l.clone() };
    Stmt::If { cond, then: vec![for_at(short, span)], otherwise: vec![for_at(l.clone(), span)] }
}

/// The loops' own iterations, made of the `count` of 32 bits in the place of the `wide` one.
fn narrowed(b: &mut Builder<'_>, e: Handle<Expr>, wide: Handle<Local>, count: Handle<Local>) -> Handle<Expr> {
    let (long, narrow) = (b.body.locals[wide].ty, b.body.locals[count].ty);
    let types = &mut *b.types;
    rewrite_expr(b.body, e, &mut |body, e| {
        let mut b = Builder { types, body };
        let kind = b.body.exprs[e].kind.clone();
        // What has been made of the count so far is converted to 64 bits.
        let of_count = |b: &Builder<'_>, e: Handle<Expr>| match b.body.exprs[e].kind {
            ExprKind::Cast(inner) if b.ty(inner) == narrow && mentions(b.body, inner, count) => Some(inner),
            _ => None,
        };
        if let ExprKind::Load(place) = kind
            && b.body.exprs[place].kind == ExprKind::Local(wide)
        {
            let count = b.load(count);
            return b.cast(count, long);
        }
        if let Some((op, left, right)) = is_division(&kind)
            && let Some(left) = of_count(&b, left)
        {
            let right = b.cast(right, narrow);
            let part = b.binary(op, left, right);
            return b.cast(part, long);
        }
        match kind {
            ExprKind::Cast(inner) => match of_count(&b, inner) {
                Some(part) => b.cast(part, b.ty(e)),
                None => e,
            },
            _ => e,
        }
    })
}

fn without_cast(b: &Builder<'_>, e: Handle<Expr>) -> Handle<Expr> {
    match b.body.exprs[e].kind {
        ExprKind::Cast(inner) => inner,
        _ => e,
    }
}

/// A number that threads of a block know of themselves, in 32 bits.
fn is_of_threads(b: &Builder<'_>, e: Handle<Expr>) -> bool {
    let narrow = |e: Handle<Expr>| matches!(b.types.kind(b.ty(e)), TypeKind::Int { bits: 32, .. });
    match b.body.exprs[e].kind {
        ExprKind::Cast(inner) => is_of_threads(b, inner),
        ExprKind::Int(n) => (0..1 << 20).contains(&n),
        ExprKind::Builtin(Builtin::ThreadIdx(_) | Builtin::BlockDim(_)) => true,
        ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Mul, left, right } => {
            narrow(e) && is_of_threads(b, left) && is_of_threads(b, right)
        }
        _ => false,
    }
}
