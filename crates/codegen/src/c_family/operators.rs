//! Binary operators: operand conversions, parentheses.

use super::body::BodyWriter;
use super::expr::{Prec, Printed};
use super::scalar::Scalar;
use crate::Result;
use accl_ir::{BinaryOp, Builtin, Expr, ExprKind, Handle, TypeKind};

pub fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}

fn prec(op: BinaryOp) -> Prec {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Prec::Additive,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Prec::Multiplicative,
        BinaryOp::Shl | BinaryOp::Shr => Prec::Shift,
        BinaryOp::BitAnd => Prec::BitAnd,
        BinaryOp::BitOr => Prec::BitOr,
        BinaryOp::BitXor => Prec::BitXor,
        BinaryOp::Eq | BinaryOp::Ne => Prec::Equality,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Prec::Relational,
        BinaryOp::LogicalAnd => Prec::LogicalAnd,
        BinaryOp::LogicalOr => Prec::LogicalOr,
    }
}

/// How tightly an operand must bind. Beyond what the grammar needs, a parenthesis is also written where compilers
/// warn about a missing one (`a && b
/// c`, `a + b << c`, `a == b & c`).
fn operand_prec(op: BinaryOp, right: bool) -> Prec {
    let own = prec(op);
    match op {
        BinaryOp::LogicalOr => Prec::BitOr,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            if right {
                Prec::Unary
            } else {
                Prec::Shift
            }
        }
        BinaryOp::Shl | BinaryOp::Shr => Prec::Multiplicative,
        _ if !right => own,
        _ => match own {
            Prec::Additive => Prec::Multiplicative,
            Prec::Multiplicative => Prec::Unary,
            Prec::Equality | Prec::Relational => Prec::Shift,
            _ => Prec::BitOr,
        },
    }
}

/// An operand's text; in a chain of one associative operator the left operand needs no parentheses.
fn operand(printed: &Printed, op: BinaryOp, right: bool) -> String {
    let chain = !right && printed.prec == prec(op) && !is_comparison(op);
    if chain { printed.text.clone() } else { printed.at(operand_prec(op, right)) }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(prec(op), Prec::Equality | Prec::Relational)
}

/// The low bits of the result depend only on the low bits of the operands.
fn is_modular(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
    )
}

/// Gives a result that is not negative if the operands are not.
fn keeps_sign(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Sub)
}

impl<'w, 'a> BodyWriter<'w, 'a> {
    pub(super) fn binary(
        &self,
        e: Handle<Expr>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
    ) -> Result<Printed> {
        if let Some(index) = self.global_index(op, left, right).filter(|_| !self.folded) {
            return Ok(index);
        }
        match op {
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let (l, r) = (self.condition(left)?, self.condition(right)?);
                Ok(self.joined(op, l, r, Some(Scalar::I32)))
            }
            BinaryOp::Shl | BinaryOp::Shr => self.shift(e, op, left, right),
            _ if self.scalar_of(left).is_none() || self.scalar_of(right).is_none() => {
                self.pointer_arithmetic(e, op, left, right)
            }
            _ => self.arithmetic(op, left, right),
        }
    }

    fn arithmetic(&self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Result<Printed> {
        let (l, r, ty, wraps) = self.balanced(self.scalar_of(left), left, right, is_modular(op))?;
        let result = if is_comparison(op) { Some(Scalar::I32) } else { ty };
        if op == BinaryOp::Mul && ty == Some(Scalar::I32) && [left, right].iter().any(|e| self.overflows(*e))
        {
            return Ok(self.wrapping_product(&l, &r));
        }
        let mut printed = match (op, r.text.strip_prefix('-')) {
            (BinaryOp::Add, Some(positive)) if r.literal => {
                let r =
                    Printed { text: positive.to_owned(), prec: Prec::Primary, nonneg: false, ..r.clone() };
                self.joined(BinaryOp::Sub, l, r, result)
            }
            _ => self.joined(op, l, r, result),
        };
        printed.wraps = wraps && !is_comparison(op);
        Ok(printed)
    }

    /// Random numbers and hashes are products that overflow, and programs count on what a machine makes of them. C leaves it open, and
    /// compilers that vectorise compute such a product in 64 bits. Products of counters and extents stay as they are.
    fn wrapping_product(&self, l: &Printed, r: &Printed) -> Printed {
        let [signed, unsigned] = [Scalar::I32, Scalar::U32].map(|ty| self.unit.scalar(ty));
        let (l, r) = (l.at(Prec::Unary), operand(r, BinaryOp::Mul, true));
        Printed::new(format!("({signed})(({unsigned}){l} * {r})"), Prec::Unary, Some(Scalar::I32))
    }

    /// An element of an array, or a large constant.
    fn overflows(&self, e: Handle<Expr>) -> bool {
        match self.expr(e).kind {
            ExprKind::Int(value) => value.unsigned_abs() > 1 << 16,
            ExprKind::Load(place) => match self.expr(place).kind {
                ExprKind::Index { .. } | ExprKind::Deref(_) => true,
                ExprKind::Member { base, .. } => matches!(self.expr(base).kind, ExprKind::Index { .. }),
                _ => false,
            },
            ExprKind::Unary { operand, .. } => self.overflows(operand),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right } => {
                self.overflows(left) || self.overflows(right)
            }
            _ => false,
        }
    }

    fn joined(&self, op: BinaryOp, l: Printed, r: Printed, ty: Option<Scalar>) -> Printed {
        let text = format!("{} {} {}", operand(&l, op, false), symbol(op), operand(&r, op, true));
        let nonneg = is_comparison(op)
            || matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr)
            || l.nonneg && r.nonneg && keeps_sign(op);
        Printed { nonneg, ..Printed::new(text, prec(op), ty) }
    }

    /// Two operands of an operation in type `want`, with the casts without which C would compute in
    /// another type; the type C computes in; and whether the result is only congruent to the value.
    pub(super) fn balanced(
        &self,
        want: Option<Scalar>,
        left: Handle<Expr>,
        right: Handle<Expr>,
        modular: bool,
    ) -> Result<(Printed, Printed, Option<Scalar>, bool)> {
        let (l, r) = (self.value(left)?, self.value(right)?);
        let (Some(want), Some(lt), Some(rt)) = (want, l.ty, r.ty) else {
            return Ok((l, r, None, false));
        };
        let common = Scalar::common(lt, rt);
        let wraps = l.wraps || r.wraps;
        if common == want {
            return Ok((l, r, Some(common), wraps));
        }
        if want.promoted() != want {
            let (l, r) = (self.valued(left)?, self.valued(right)?);
            let common = l.ty.zip(r.ty).map(|(a, b)| Scalar::common(a, b));
            return Ok((l, r, common, wraps));
        }
        let integers = want.is_integer() && common.is_integer() && common.bits() >= want.bits();
        if wraps && integers && (modular || l.nonneg && r.nonneg) {
            return Ok((l, r, Some(common), true));
        }
        self.cast_one(want, (left, l), (right, r))
    }

    /// Casts an operand so that C computes in `want`, preferably one that is no literal; both where one is not
    /// enough.
    fn cast_one(
        &self,
        want: Scalar,
        (left, l): (Handle<Expr>, Printed),
        (right, r): (Handle<Expr>, Printed),
    ) -> Result<(Printed, Printed, Option<Scalar>, bool)> {
        let suffices = |exact: &Printed, other: &Printed| {
            exact.ty.zip(other.ty).is_some_and(|(a, b)| Scalar::common(a, b) == want)
        };
        let (exact_l, exact_r) = (self.exact(left)?, self.exact(right)?);
        let done = Some(want);
        if l.literal && !r.literal && suffices(&exact_r, &l) {
            return Ok((l, exact_r, done, false));
        }
        if suffices(&exact_l, &r) {
            return Ok((exact_l, r, done, false));
        }
        if suffices(&exact_r, &l) {
            return Ok((l, exact_r, done, false));
        }
        Ok((exact_l, exact_r, done, false))
    }

    fn shift(
        &self,
        e: Handle<Expr>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
    ) -> Result<Printed> {
        let l = match self.scalar_of(e) {
            Some(s) if s.promoted() == s => self.promoted_to(left, s)?,
            _ => self.valued(left)?,
        };
        let r = self.valued(right)?;
        let ty = l.ty.map(Scalar::promoted);
        Ok(self.joined(op, l, r, ty))
    }

    /// pointer ± integer, pointer - pointer, comparisons of pointers.
    fn pointer_arithmetic(
        &self,
        e: Handle<Expr>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
    ) -> Result<Printed> {
        let (l, r) = (self.valued(left)?, self.valued(right)?);
        let is_pointer = matches!(self.kind(self.expr(e).ty), TypeKind::Pointer { .. });
        if let (BinaryOp::Add, Some(positive), true) = (op, r.text.strip_prefix('-'), r.literal && is_pointer)
        {
            let r = Printed::new(positive, Prec::Primary, r.ty);
            return Ok(self.joined(BinaryOp::Sub, l, r, None));
        }
        Ok(self.joined(op, l, r, self.scalar_of(e)))
    }

    /// `BlockIdx(d) * BlockDim(d) + ThreadIdx(d)`, where the language has a built-in for it.
    fn global_index(&self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Option<Printed> {
        let ExprKind::Binary { op: BinaryOp::Mul, left: block, right: extent } = self.expr(left).kind else {
            return None;
        };
        let builtin = |e: Handle<Expr>| match self.expr(e).kind {
            ExprKind::Builtin(builtin) => Some(builtin),
            _ => None,
        };
        let (block, extent, thread) = (builtin(block)?, builtin(extent)?, builtin(right)?);
        let Builtin::ThreadIdx(dim) = thread else { return None };
        if op != BinaryOp::Add || (block, extent) != (Builtin::BlockIdx(dim), Builtin::BlockDim(dim)) {
            return None;
        }
        let text = self.unit.dialect.global_index(dim)?;
        Some(Printed { nonneg: true, wraps: true, ..Printed::new(text.text, Prec::Postfix, Some(text.ty)) })
    }

    /// For `place = place op value`: the right operand, if C's `place op= value` means the same.
    pub(super) fn compound_operand(
        &self,
        place: Handle<Expr>,
        value: Handle<Expr>,
    ) -> Result<Option<(BinaryOp, String)>> {
        let inner = match self.expr(value).kind {
            ExprKind::Cast(inner) if self.scalar_of(value).is_some() => inner,
            _ => value,
        };
        let ExprKind::Binary { op, left, right } = self.expr(inner).kind else { return Ok(None) };
        if is_comparison(op) || matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
            return Ok(None);
        }
        let read = match self.expr(left).kind {
            ExprKind::Cast(read) => read,
            _ => left,
        };
        let ExprKind::Load(from) = self.expr(read).kind else { return Ok(None) };
        if !accl_ir::visit::same_expr(self.body, from, place) || self.scalar_of(value).is_none() {
            return Ok(None);
        }
        self.compound_right(inner, op, place, left, right)
    }

    fn compound_right(
        &self,
        whole: Handle<Expr>,
        op: BinaryOp,
        place: Handle<Expr>,
        left: Handle<Expr>,
        right: Handle<Expr>,
    ) -> Result<Option<(BinaryOp, String)>> {
        let (l, r) = match op {
            BinaryOp::Shl | BinaryOp::Shr => {
                let s = self.scalar_of(whole).unwrap_or(Scalar::I32);
                (self.promoted_to(left, s)?, self.valued(right)?)
            }
            _ => {
                let (l, r, ..) = self.balanced(self.scalar_of(left), left, right, is_modular(op))?;
                (l, r)
            }
        };
        let unchanged = l.text == self.place(place)?.text;
        Ok(unchanged.then(|| (op, r.at(Prec::Assign))))
    }

    /// For `place op= value`, both of the place's type.
    pub(super) fn update_operand(
        &self,
        op: BinaryOp,
        place: Handle<Expr>,
        value: Handle<Expr>,
    ) -> Result<String> {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let (Some(want), false) = (self.scalar_of(place), is_shift) else {
            return Ok(self.valued(value)?.at(Prec::Assign));
        };
        let printed = self.value(value)?;
        let common = printed.ty.map(|ty| Scalar::common(want, ty));
        let small = want.promoted() != want;
        let congruent = small && is_modular(op) && printed.ty.is_some_and(Scalar::is_integer);
        if common == Some(want) || congruent {
            Ok(printed.at(Prec::Assign))
        } else if small {
            Ok(self.valued(value)?.at(Prec::Assign))
        } else {
            Ok(self.exact(value)?.at(Prec::Assign))
        }
    }
}
