//! The arithmetic of encoding and decoding one element, as expressions.
//!
//! A number x of the range becomes `x * inverse + offset`, which lies in [1, 2), so that its exponent is constant;
//! the leading `bits` of the mantissa are kept. Decoding puts the exponent back, and after the kept bits a 1, the
//! middle of the interval, then multiplies and adds once (paper 000, section III). Values at or past the range's
//! ends saturate, where the paper's formula would wrap; NaN counts as 0.

use crate::build::Builder;
use accl_ir::{BinaryOp, Expr, ExprKind, Format, Handle, MathFn, Type};

/// The properties of an array's elements.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    pub format: Format,
    /// The floating type.
    pub of: Handle<Type>,
    /// Its width.
    pub float_bits: u8,
}

impl Element {
    pub fn mantissa(self) -> u8 {
        if self.float_bits == 32 { 23 } else { 52 }
    }

    /// Bits of the mantissa that are not kept.
    pub fn lost(self) -> u8 {
        self.mantissa() - self.format.bits
    }

    pub fn mask(self) -> i128 {
        (1 << self.format.bits) - 1
    }

    /// The type that the arithmetic on bits is done in.
    pub fn word(self, b: &mut Builder<'_>) -> Handle<Type> {
        b.types.int(self.float_bits, false)
    }

    /// The number that the bits `raw`, an unsigned integer, stand for.
    pub fn decode(
        self,
        b: &mut Builder<'_>,
        raw: Handle<Expr>,
        scale: Handle<Expr>,
        bias: Handle<Expr>,
    ) -> Handle<Expr> {
        let word = self.word(b);
        let raw = b.cast(raw, word);
        let shifted = shift(b, BinaryOp::Shl, raw, i128::from(self.lost()));
        let half = if self.lost() > 0 { 1i128 << (self.lost() - 1) } else { 0 };
        let exponent: i128 = if self.float_bits == 32 { 0x3f80_0000 } else { 0x3ff0_0000_0000_0000 };
        let rest = b.int(exponent | half, word);
        let bits = b.binary(BinaryOp::BitOr, shifted, rest);
        let number = b.expr(ExprKind::Math { fun: MathFn::FromBits, args: vec![bits] }, self.of);
        b.expr(ExprKind::Math { fun: MathFn::Fma, args: vec![number, scale, bias] }, self.of)
    }

    /// The encoded bits of `value`, in the word type. `value` is evaluated twice; bits above `format.bits` are not
    /// cleared.
    pub fn encode(
        self,
        b: &mut Builder<'_>,
        value: Handle<Expr>,
        inverse: Handle<Expr>,
        offset: Handle<Expr>,
    ) -> Handle<Expr> {
        let math = |b: &mut Builder<'_>, fun, args, ty| b.expr(ExprKind::Math { fun, args }, ty);
        let zero = b.body.float(0.0, self.of);
        let is_number = b.binary(BinaryOp::Eq, value, value);
        let number = b.expr(ExprKind::Select { cond: is_number, yes: value, no: zero }, self.of);
        let scaled = math(b, MathFn::Fma, vec![number, inverse, offset], self.of);
        let one = b.body.float(1.0, self.of);
        let most = b.body.float(self.most(), self.of);
        let above = math(b, MathFn::Fmax, vec![scaled, one], self.of);
        let inside = math(b, MathFn::Fmin, vec![above, most], self.of);
        let word = self.word(b);
        let bits = math(b, MathFn::ToBits, vec![inside], word);
        shift(b, BinaryOp::Shr, bits, i128::from(self.lost()))
    }

    /// The largest number below 2.
    fn most(self) -> f64 {
        if self.float_bits == 32 {
            f64::from(f32::from_bits(0x3fff_ffff))
        } else {
            f64::from_bits(0x3fff_ffff_ffff_ffff)
        }
    }
}

/// `e << n` or `e >> n`, of `e`'s type.
pub fn shift(b: &mut Builder<'_>, op: BinaryOp, e: Handle<Expr>, n: i128) -> Handle<Expr> {
    if n == 0 {
        return e;
    }
    let int = b.types.i32();
    let right = b.int(n, int);
    shift_by(b, op, e, right)
}

/// The same as [`shift`], by a number of type int.
pub fn shift_by(b: &mut Builder<'_>, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Expr> {
    let ty = b.ty(left);
    b.expr(ExprKind::Binary { op, left, right }, ty)
}
