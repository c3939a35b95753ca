//! Whether two variables certainly lead to different memory.

use super::extent;
use crate::ast::{DeclId, Expr, ExprKind, Ty};
use crate::lower::walk;
use crate::openmpc::SourceFile;

/// Callers of callers are looked at so far.
const DEPTH: usize = 6;

impl SourceFile<'_> {
    /// Arrays are different objects; what an allocation returned is no other object; elements of different types do not
    /// overlap; parameters are told apart by what all calls hand to them.
    pub fn are_distinct(&self, a: DeclId, b: DeclId) -> bool {
        self.distinct(a, b, DEPTH)
    }

    fn distinct(&self, a: DeclId, b: DeclId, depth: usize) -> bool {
        if a == b || depth == 0 {
            return false;
        }
        let (Some(first), Some(second)) = (self.var(a), self.var(b)) else { return false };
        let (x, y) = (element(&first.ty.ty), element(&second.ty.ty));
        if x != y && is_number(x) && is_number(y) {
            return true;
        }
        let is_pointer = |id| self.is_pointer(id);
        if !is_pointer(a) && !is_pointer(b) {
            return !first.ty.is_reference() && !second.ty.is_reference();
        }
        if [first, second].iter().any(|var| matches!(&*var.ty.ty, Ty::Pointer { restrict: true, .. })) {
            return true;
        }
        match (self.is_fresh(a), self.is_fresh(b)) {
            (true, true) => true,
            (true, false) => self.is_older(b) || self.by_calls(b, a, depth),
            (false, true) => self.is_older(a) || self.by_calls(a, b, depth),
            (false, false) => self.by_calls(a, b, depth) || self.by_calls(b, a, depth),
        }
    }

    /// All that the pointer ever leads to was allocated for it alone.
    fn is_fresh(&self, id: DeclId) -> bool {
        let Some(values) = extent::values(self, id) else { return false };
        self.is_pointer(id) && !values.is_empty() && values.into_iter().all(is_allocation)
    }

    /// An array is no allocation.
    fn is_older(&self, id: DeclId) -> bool {
        self.var(id).is_some_and(|var| matches!(&*var.ty.ty, Ty::Array { .. }))
    }

    /// `a` is a parameter, and every call gives it something else than `b`, or than what it gives to `b`.
    fn by_calls(&self, a: DeclId, b: DeclId, depth: usize) -> bool {
        let parameter = |id: DeclId| {
            let functions = self.program.functions.iter().filter(|f| f.body.is_some());
            functions.into_iter().find_map(|f| Some((f, f.params.iter().position(|p| p.id == id)?)))
        };
        let Some((function, at)) = parameter(a) else { return false };
        let known = self.is_whole_program || crate::openmpc::is_internal(self, function);
        let body = function.body.as_ref();
        let is_changed = |id| body.is_none_or(|body| walk::may_change(body, id));
        if !known || is_changed(a) {
            return false;
        }
        let other = function.params.iter().position(|p| p.id == b);
        if other.is_some() && is_changed(b) {
            return false;
        }
        let calls = self.calls_of(function.id);
        let differ = |args: &[Expr]| {
            let given = |at: usize| args.get(at).and_then(plain_variable);
            let second = match other {
                Some(other) => given(other),
                None => Some(b),
            };
            matches!((given(at), second), (Some(x), Some(y)) if self.distinct(x, y, depth - 1))
        };
        !calls.is_empty() && calls.iter().map(|(_, args)| args).all(|args| differ(args))
    }
}

/// The variable whose value, or whose array, an argument is.
pub fn plain_variable(e: &Expr) -> Option<DeclId> {
    match &walk::bare(e).kind {
        ExprKind::Var(id, _) => Some(*id),
        _ => None,
    }
}

fn is_allocation(e: &Expr) -> bool {
    match &walk::bare(e).kind {
        ExprKind::Call { callee, .. } => {
            matches!(walk::library_name(callee), Some("malloc" | "calloc" | "aligned_alloc"))
        }
        _ => false,
    }
}

/// The numbers behind pointers and in arrays.
pub fn element(ty: &Ty) -> &Ty {
    match ty {
        Ty::Pointer { to, .. } | Ty::Reference(to) => element(&to.ty),
        Ty::Array { of, .. } => element(&of.ty),
        other => other,
    }
}

/// A number other than a character, through which anything may be read.
fn is_number(ty: &Ty) -> bool {
    matches!(ty, Ty::Float { .. }) || matches!(ty, Ty::Int { bits, .. } if *bits > 8)
}
