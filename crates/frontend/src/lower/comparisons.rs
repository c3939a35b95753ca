//! Comparisons of what the C++ standard library, or the compiler, compares member by member: pairs, tuples and arrays, what
//! `std::tie` names, and classes with a defaulted `<=>`.

use super::Lowered;
use super::call::Callee;
use super::expr::unsupported;
use super::function::Fun;
use super::walk;
use crate::ast::{DeclId, Expr, ExprKind, Ty};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, TypeKind};

type Value = Handle<IrExpr>;

impl Fun<'_, '_> {
    /// `std::tie(a.x, a.y) < std::tie(b.x, b.y)`.
    pub(super) fn compare_tied(
        &mut self,
        e: &Expr,
        operator: &str,
        left: &[Expr],
        right: &[Expr],
    ) -> Lowered<Value> {
        let mut pairs = vec![];
        for (left, right) in left.iter().zip(right) {
            let (left, right) = self.pair(|f| f.place(left), |f| f.place(right))?;
            if self.ty_of(left) != self.ty_of(right) {
                return Err(unsupported("a comparison of tied variables of different types", e.span));
            }
            pairs.push([left, right]);
        }
        self.compare_each(e, operator, pairs)
    }

    /// `(a <=> b) < 0`, as C++20 understands `a < b` of what the library or the compiler compares member by member.
    pub(super) fn compare_ordered(
        &mut self,
        e: &Expr,
        target: &Callee<'_>,
        id: DeclId,
        operands: &[Expr; 2],
    ) -> Lowered<Option<Option<Value>>> {
        // `(a <=> b) == std::partial_ordering::unordered` compares with something else.
        if !matches!(e, Expr { kind: ExprKind::Call { args, .. }, .. } if args.get(1).is_some_and(is_zero)) {
            return Ok(None);
        }
        let Some(function) = self.cx.function_decl(id) else {
            return self.standard_call(e, target, operands);
        };
        let [left, right] = operands;
        let (Ty::Record(class), Callee::Function(_, name)) = (&*left.ty.referred().ty, target) else {
            return Ok(None);
        };
        let Some(record) = self.cx.record(*class).filter(|r| function.defaulted && r.bases.is_empty()) else {
            return Ok(None);
        };
        let (left, right) = self.pair(|f| f.place(left), |f| f.place(right))?;
        let mut pairs = vec![];
        for k in 0..record.fields.len() as u32 {
            let of = |f: &mut Self, object| f.field(object, record, k, e.span);
            pairs.push([of(self, left)?, of(self, right)?]);
        }
        let value = self.compare_each(e, compared(name).unwrap_or_default(), pairs)?;
        Ok(Some(Some(value)))
    }

    /// The comparison of two lists of numbers, the first of which that differ decide.
    pub(super) fn compare_each(
        &mut self,
        e: &Expr,
        operator: &str,
        pairs: Vec<[Value; 2]>,
    ) -> Lowered<Value> {
        // `a > b` is `b < a`. Without `<=>`, `a >= b` is `!(a < b)`, which holds where a member is no number.
        let three_way =
            matches!(&e.kind, ExprKind::Call { args, .. } if args.first().and_then(ordered).is_some());
        let (equal, swapped, negated) = match operator {
            "==" => (true, false, false),
            "!=" => (true, false, true),
            "<" => (false, false, false),
            ">=" => (false, three_way, !three_way),
            ">" => (false, true, false),
            // `<=`
            _ => (false, !three_way, !three_way),
        };
        // What decides about members that are all the same but for the last.
        let of_last = match operator {
            "==" | "!=" => BinaryOp::Eq,
            "<=" | ">=" if three_way => BinaryOp::Le,
            _ => BinaryOp::Lt,
        };
        let int = self.i32();
        let mut of_rest: Option<Value> = None;
        for pair in pairs.into_iter().rev() {
            let [left, right] = pair.map(|place| self.load(place, e.span));
            let (left, right) = if swapped { (right, left) } else { (left, right) };
            if !matches!(self.kind_of(left), TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Bool) {
                return Err(unsupported("a comparison of members that are objects", e.span));
            }
            let mut binary = |op, left, right| self.expr(Ir::Binary { op, left, right }, int, e.span);
            of_rest = Some(match of_rest {
                None => binary(of_last, left, right),
                Some(rest) if equal => {
                    let own = binary(BinaryOp::Eq, left, right);
                    binary(BinaryOp::LogicalAnd, own, rest)
                }
                Some(rest) => {
                    let own = binary(BinaryOp::Lt, left, right);
                    let same = binary(BinaryOp::Eq, left, right);
                    let rest = binary(BinaryOp::LogicalAnd, same, rest);
                    binary(BinaryOp::LogicalOr, own, rest)
                }
            });
        }
        let mut result = of_rest.unwrap_or_else(|| self.int(equal.into(), int, e.span));
        if negated {
            result = self.expr(Ir::Unary { op: accl_ir::UnaryOp::Not, operand: result }, int, e.span);
        }
        let ty = self.value_type(e)?;
        Ok(self.convert(result, ty, e.span))
    }
}

/// The literal, as the library's type that stands for it takes it.
fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(0) => true,
        ExprKind::Cast { operand, .. } => is_zero(operand),
        ExprKind::Construct { args, .. } => args.first().is_some_and(is_zero),
        _ => false,
    }
}

/// The comparison in the name of an operator.
pub(super) fn compared(name: &str) -> Option<&str> {
    let operator = name.strip_prefix("operator")?;
    ["==", "!=", "<", ">", "<=", ">="].contains(&operator).then_some(operator)
}

/// The function and the operands of `a <=> b`.
pub(super) fn ordered(e: &Expr) -> Option<(DeclId, &[Expr; 2])> {
    match &e.kind {
        ExprKind::Cast { operand, .. } => ordered(operand),
        ExprKind::Call { callee, args } => match &walk::bare_function(callee).kind {
            ExprKind::Function(id, name) if &**name == "operator<=>" => {
                Some((*id, args[..].try_into().ok()?))
            }
            _ => None,
        },
        _ => None,
    }
}
