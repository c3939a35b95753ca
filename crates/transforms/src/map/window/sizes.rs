//! Numbers of elements, known to the compiler or only at launch.
//!
//! BEFORE, AFTER and the lengths of `cache` may be any integers that do not change while the kernel runs. The size
//! of what the block keeps is then made of the kernel's parameters alone, and the host computes it before the
//! launch ([`DynamicTile`](accl_ir::DynamicTile)).

use super::facts::Facts;
use crate::build::Builder;
use accl_ir::{BinaryOp, Expr, ExprKind, HaloExtent, Handle, HostExpr, Type};

type Value = Handle<Expr>;

/// A number of elements.
#[derive(Clone, Copy, Debug)]
pub enum Count {
    Known(i128),
    /// Made of parameters that nothing changes.
    Launch(Value),
}

impl Count {
    /// `None`: it is not the same for the whole launch, or the host cannot compute it beforehand.
    pub fn of(b: &mut Builder<'_>, facts: &Facts, extent: &HaloExtent) -> Option<Count> {
        match extent {
            HaloExtent::Known(n) => Some(Count::Known((*n).into())),
            HaloExtent::Launch { value, host } => {
                host.as_ref()?;
                of_parameters(b, facts, *value).map(Count::Launch)
            }
        }
    }

    pub fn known(self) -> Option<i128> {
        match self {
            Count::Known(n) => Some(n),
            Count::Launch(_) => None,
        }
    }

    pub fn value(self, b: &mut Builder<'_>, ty: Handle<Type>) -> Value {
        match self {
            Count::Known(n) => b.int(n, ty),
            Count::Launch(value) => b.cast(value, ty),
        }
    }

    pub fn plus(self, b: &mut Builder<'_>, other: Count) -> Count {
        self.with(b, BinaryOp::Add, other)
    }

    pub fn times(self, b: &mut Builder<'_>, other: Count) -> Count {
        self.with(b, BinaryOp::Mul, other)
    }

    /// Sums and products that are known not to exceed what a block can keep are computed in int.
    fn with(self, b: &mut Builder<'_>, op: BinaryOp, other: Count) -> Count {
        if let (Count::Known(x), Count::Known(y)) = (self, other) {
            return Count::Known(if op == BinaryOp::Mul { x.saturating_mul(y) } else { x.saturating_add(y) });
        }
        let int = b.types.i32();
        let (left, right) = (self.value(b, int), other.value(b, int));
        Count::Launch(b.binary(op, left, right))
    }
}

/// The number in the host's terms.
pub fn on_host(extent: &HaloExtent) -> Option<HostExpr> {
    match extent {
        HaloExtent::Known(n) => Some(HostExpr::constant(*n, Default::default())),
        HaloExtent::Launch { host, .. } => host.clone(),
    }
}

/// The same value made of parameters alone, which all threads have from the start.
fn of_parameters(b: &mut Builder<'_>, facts: &Facts, e: Value) -> Option<Value> {
    let kind = b.body.exprs[e].kind.clone();
    match kind {
        ExprKind::Load(place) => {
            if facts.is_parameter(b.body, place) {
                return Some(e);
            }
            let ExprKind::Local(l) = b.body.exprs[place].kind else { return None };
            let definition = *facts.definitions.get(&l).filter(|_| facts.is_fixed(l))?;
            let value = of_parameters(b, facts, definition)?;
            let ty = b.body.locals[l].ty;
            Some(b.cast(value, ty))
        }
        ExprKind::Int(_) => Some(e),
        ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Cast(_) | ExprKind::Select { .. } => {
            let mut copy = kind;
            let mut made = vec![];
            for operand in copy.operands() {
                made.push(of_parameters(b, facts, operand)?);
            }
            let mut next = made.into_iter();
            copy.operands_mut(|o| *o = next.next().unwrap_or(*o));
            let ty = b.ty(e);
            Some(b.expr(copy, ty))
        }
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
        | ExprKind::Builtin(_) => None,
    }
}
