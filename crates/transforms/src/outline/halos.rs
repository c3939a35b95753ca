//! The halo extents of windows, as the host computes them.
//!
//! A window (`fcw`, `cache`) whose BEFORE, AFTER or length is no constant takes an amount of shared memory that only the
//! launch knows. The host evaluates these extents before the launch, so they must be made of values that stay the same
//! while the construct runs. An extent that is not gets no text, and the mapping refuses its window.

use super::overflow;
use accl_analysis::affine::Atom;
use accl_analysis::data::Summary;
use accl_ir::{Block, Expr, ExprKind, HaloExtent, Handle, HostExpr, Stmt, visit};

/// Gives each halo extent of the windows in `piece` its text.
pub fn fill(summary: &Summary<'_>, piece: &mut Block) {
    visit::for_each_stmt_mut(piece, &mut |node| {
        let Stmt::Window(w) = &mut node.kind else { return };
        for dim in w.arrays.iter_mut().flat_map(|staged| &mut staged.dims) {
            for extent in [&mut dim.before, &mut dim.after] {
                if let HaloExtent::Launch { value, host } = extent {
                    *host = on_host(summary, *value);
                }
            }
        }
    });
}

fn on_host(summary: &Summary<'_>, value: Handle<Expr>) -> Option<HostExpr> {
    let text = overflow::text(summary, value).filter(|_| is_fixed(summary, value))?;
    let scope = summary.provenance.scope;
    let constant = scope.body.const_int(&scope.module.types, value);
    Some(HostExpr {
        text,
        span: scope.body.exprs[value].span,
        value: constant.and_then(|n| n.try_into().ok()),
    })
}

/// The value is made of what stays the same throughout the construct.
fn is_fixed(summary: &Summary<'_>, e: Handle<Expr>) -> bool {
    let exprs = &summary.provenance.scope.body.exprs;
    match &exprs[e].kind {
        ExprKind::Int(_) => true,
        ExprKind::Load(place) => match exprs[*place].kind {
            ExprKind::Local(l) => match summary.definitions.get(&l) {
                Some(value) => is_fixed(summary, *value),
                None => summary.is_fixed(Atom::Local(l)),
            },
            ExprKind::Global(g) => summary.is_fixed(Atom::Global(g)),
            _ => summary.is_fixed(Atom::Opaque(e)),
        },
        kind @ (ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Cast(_)
        | ExprKind::Select { .. }) => kind.operands().into_iter().all(|o| is_fixed(summary, o)),
        ExprKind::Float(_)
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Deref(_)
        | ExprKind::Index { .. }
        | ExprKind::Member { .. }
        | ExprKind::AddrOf(_)
        | ExprKind::Decay(_)
        | ExprKind::Math { .. }
        | ExprKind::Call { .. }
        | ExprKind::Checked { .. }
        | ExprKind::Builtin(_) => false,
    }
}
