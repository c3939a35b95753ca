//! Elements that are floating-point numbers of 16 bits: half precision, and the upper half of a float.
//!
//! The conversion is written out in operations on bits, so that it is the same on host and devices
//! (`runtime::compress::codec::floating`). It rounds to the nearest, ties to even. Multiplying by a power of two changes
//! the exponent from one bias to the other, and gives the right result for numbers below the smallest normal half.

use super::elements::{Element, shift};
use crate::build::{Builder, declare};
use accl_ir::{BinaryOp, Block, Expr, ExprKind, Handle, MathFn, Scheme, Type};

/// 2^112, the factor between the biases of float and half.
const BIASES: f64 = 5_192_296_858_534_827_628_530_496_329_220_096.0;

/// The number that the 16 bits `raw` are.
pub fn decode(b: &mut Builder<'_>, element: Element, raw: Handle<Expr>) -> Handle<Expr> {
    let (word, float) = (b.types.int(32, false), b.types.float(32));
    let raw = b.cast(raw, word);
    let number = match element.format.scheme {
        Scheme::Half => half(b, raw, word, float),
        Scheme::Bfloat | Scheme::Range | Scheme::Affine | Scheme::Block => {
            let bits = shift(b, BinaryOp::Shl, raw, 16);
            from_bits(b, bits, float)
        }
    };
    b.cast(number, element.of)
}

fn half(b: &mut Builder<'_>, raw: Handle<Expr>, word: Handle<Type>, float: Handle<Type>) -> Handle<Expr> {
    let magnitude = and(b, raw, 0x7fff, word);
    let moved = shift(b, BinaryOp::Shl, magnitude, 13);
    let small = from_bits(b, moved, float);
    let biases = b.body.float(BIASES, float);
    let scaled = b.binary(BinaryOp::Mul, small, biases);
    let bits = to_bits(b, scaled, word);
    // Infinities and NaNs have the largest exponent in both formats.
    let largest = b.int(0x7c00, word);
    let special = b.binary(BinaryOp::Ge, magnitude, largest);
    let all = b.int(0x7f80_0000, word);
    let with_all = b.binary(BinaryOp::BitOr, bits, all);
    let bits = b.expr(ExprKind::Select { cond: special, yes: with_all, no: bits }, word);
    let sign = and(b, raw, 0x8000, word);
    let sign = shift(b, BinaryOp::Shl, sign, 16);
    let bits = b.binary(BinaryOp::BitOr, bits, sign);
    from_bits(b, bits, float)
}

/// The 16 bits of `value`, in a 32-bit word. Intermediate values get names in `out`.
pub fn encode(b: &mut Builder<'_>, element: Element, value: Handle<Expr>, out: &mut Block) -> Handle<Expr> {
    let (word, float) = (b.types.int(32, false), b.types.float(32));
    let value = b.cast(value, float);
    let bits = to_bits(b, value, word);
    let bits = named(b, "bits", bits, word, out);
    match element.format.scheme {
        Scheme::Half => encode_half(b, bits, word, float, out),
        Scheme::Bfloat | Scheme::Range | Scheme::Affine | Scheme::Block => {
            let magnitude = and(b, bits, 0x7fff_ffff, word);
            let infinity = b.int(0x7f80_0000, word);
            let no_number = b.binary(BinaryOp::Gt, magnitude, infinity);
            let rounded = rounded(b, bits, 16, word);
            let quiet = b.int(0x7fc0, word);
            b.expr(ExprKind::Select { cond: no_number, yes: quiet, no: rounded }, word)
        }
    }
}

fn encode_half(
    b: &mut Builder<'_>,
    bits: Handle<Expr>,
    word: Handle<Type>,
    float: Handle<Type>,
    out: &mut Block,
) -> Handle<Expr> {
    let magnitude = and(b, bits, 0x7fff_ffff, word);
    let magnitude = named(b, "magnitude", magnitude, word, out);
    let number = from_bits(b, magnitude, float);
    let factor = b.body.float(1.0 / BIASES, float);
    let scaled = b.binary(BinaryOp::Mul, number, factor);
    let moved = to_bits(b, scaled, word);
    let moved = named(b, "moved", moved, word, out);
    let rounded = rounded(b, moved, 13, word);
    // From 65520 on the nearest half is infinite.
    let limit = b.int(0x477f_f000, word);
    let large = b.binary(BinaryOp::Ge, magnitude, limit);
    let infinity = b.int(0x7c00, word);
    let finite = b.expr(ExprKind::Select { cond: large, yes: infinity, no: rounded }, word);
    let float_infinity = b.int(0x7f80_0000, word);
    let no_number = b.binary(BinaryOp::Gt, magnitude, float_infinity);
    let quiet = b.int(0x7e00, word);
    let finite = b.expr(ExprKind::Select { cond: no_number, yes: quiet, no: finite }, word);
    let sign = shift(b, BinaryOp::Shr, bits, 16);
    let sign = and(b, sign, 0x8000, word);
    b.binary(BinaryOp::BitOr, finite, sign)
}

/// `bits >> n`, rounded to the nearest.
fn rounded(b: &mut Builder<'_>, bits: Handle<Expr>, n: i128, word: Handle<Type>) -> Handle<Expr> {
    let odd = shift(b, BinaryOp::Shr, bits, n);
    let odd = and(b, odd, 1, word);
    let below = b.int((1 << (n - 1)) - 1, word);
    let up = b.add(bits, below);
    let up = b.add(up, odd);
    shift(b, BinaryOp::Shr, up, n)
}

fn and(b: &mut Builder<'_>, e: Handle<Expr>, mask: i128, word: Handle<Type>) -> Handle<Expr> {
    let mask = b.int(mask, word);
    b.binary(BinaryOp::BitAnd, e, mask)
}

fn named(
    b: &mut Builder<'_>,
    stem: &str,
    value: Handle<Expr>,
    ty: Handle<Type>,
    out: &mut Block,
) -> Handle<Expr> {
    let local = b.body.temp(stem, ty);
    out.push(declare(local, Some(value)));
    b.load(local)
}

fn to_bits(b: &mut Builder<'_>, e: Handle<Expr>, word: Handle<Type>) -> Handle<Expr> {
    b.expr(ExprKind::Math { fun: MathFn::ToBits, args: vec![e] }, word)
}

fn from_bits(b: &mut Builder<'_>, e: Handle<Expr>, float: Handle<Type>) -> Handle<Expr> {
    b.expr(ExprKind::Math { fun: MathFn::FromBits, args: vec![e] }, float)
}
