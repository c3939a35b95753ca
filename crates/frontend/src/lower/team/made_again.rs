//! References and lambdas that are the same wherever a segment makes them again.

use super::block::Parallel;
use crate::ast::{Capture, DeclId, Expr, ExprKind, Lambda, Var};
use crate::lower::lambda::is_closure;
use crate::lower::walk;

/// A reference to a variable or a member of one: it refers to the same wherever it is declared.
pub(super) fn refers_to_object(var: &Var) -> bool {
    var.ty.is_reference() && var.init.as_ref().and_then(named_object).is_some()
}

/// The variable that the place is, or a member of.
pub(super) fn named_object(place: &Expr) -> Option<DeclId> {
    match &walk::same_place(place).kind {
        ExprKind::Var(id, _) => Some(*id),
        ExprKind::Member { base, arrow: false, .. } => named_object(base),
        _ => None,
    }
}

/// The lambda that the variable holds.
pub(super) fn lambda(var: &Var) -> Option<&Lambda> {
    let mut made = var.init.as_ref()?;
    loop {
        made = match &made.kind {
            ExprKind::Lambda(lambda) => return Some(lambda),
            ExprKind::Cast { operand, .. } => operand,
            ExprKind::Construct { args, .. } if args.len() == 1 && is_closure(&made.ty) => &args[0],
            _ => return None,
        }
    }
}

/// A lambda that captures references, and copies of what never changes: it is the same wherever it is made.
pub(super) fn keeps_nothing_that_changes(block: &Parallel<'_>, var: &Var) -> bool {
    let Some(lambda) = lambda(var) else { return false };
    let is_same = |capture: &Capture| {
        let changes = |id| block.changed.contains(&id) && !capture.ty.is_reference();
        !capture.declares && !capture.id.is_some_and(changes)
    };
    !lambda.mutable && lambda.captures.iter().all(is_same)
}

/// What it refers to is no part of a thread's own variable.
pub(super) fn refers_outside(block: &Parallel<'_>, var: &Var) -> bool {
    let Some(init) = var.init.as_ref().filter(|init| init.place) else { return false };
    match (walk::root(init), &walk::same_place(init).kind) {
        (Some(id), _) => !block.uniform.own.contains(&id),
        (None, ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. }) => true,
        _ => false,
    }
}
