//! Copy constructors and assignments that the program writes, and that do what the compiler's own would: they copy each member, and
//! nothing else. An object of such a class is copied as if the class had none of its own.

use crate::ast::{CastKind, DeclId, Expr, ExprKind, Function, FunctionKind, Record, Stmt, StmtKind, Ty};
use std::collections::BTreeSet;

/// The function copies all members of the class from its only parameter. Members are numbers and pointers.
pub fn copies_all_members(function: &Function, record: &Record) -> bool {
    let [from] = &function.params[..] else { return false };
    let is_plain = |ty: &Ty| matches!(ty, Ty::Bool | Ty::Int { .. } | Ty::Float { .. } | Ty::Pointer { .. });
    if !record.bases.is_empty() || !record.fields.iter().all(|field| is_plain(&field.ty.ty)) {
        return false;
    }
    let mut copied = BTreeSet::new();
    if let FunctionKind::Constructor { inits, .. } = &function.kind {
        for init in inits {
            let Some(field) = init.field.filter(|field| is_member_of(&init.value, *field, from.id)) else {
                return false;
            };
            copied.insert(field);
        }
    }
    let Some(body) = &function.body else { return false };
    assigns_members(body, from.id, &mut copied)
        && record.fields.iter().all(|field| copied.contains(&field.id))
}

/// `field = from.field;`, `return *this;`, and nothing else.
fn assigns_members(s: &Stmt, from: DeclId, copied: &mut BTreeSet<DeclId>) -> bool {
    match &s.kind {
        StmtKind::Compound(inner) => inner.iter().all(|s| assigns_members(s, from, copied)),
        StmtKind::Expr(e) => {
            let ExprKind::Assign { place, value } = &e.kind else { return false };
            let ExprKind::Member { base, member, .. } = &place.kind else { return false };
            copied.insert(*member);
            matches!(base.kind, ExprKind::This) && is_member_of(value, *member, from)
        }
        StmtKind::Return(Some(value)) => {
            matches!(&value.kind, ExprKind::Deref(object) if matches!(object.kind, ExprKind::This))
        }
        StmtKind::Return(None) | StmtKind::Null => true,
        _ => false,
    }
}

/// `from.field`
fn is_member_of(e: &Expr, field: DeclId, from: DeclId) -> bool {
    let ExprKind::Member { base, member, arrow: false, .. } = &read(e).kind else { return false };
    *member == field && matches!(&read(base).kind, ExprKind::Var(id, _) if *id == from)
}

/// Without casts that read an object or change its qualifiers.
fn read(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast { kind: CastKind::Load | CastKind::NoOp, operand } => read(operand),
        _ => e,
    }
}
