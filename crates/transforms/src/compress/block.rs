//! Block floating point: the elements of each group of 32 are stored as integer multiples of a step size, a power
//! of two that follows from the group's largest magnitude.
//!
//! With M the largest magnitude of a group and e its exponent (2^e <= M < 2^(e+1)), an element x is stored as the
//! nearest integer multiple of 2^(e + 2 - bits), so the error is at most M / 2^(bits - 1). The stored integers
//! count from the smallest number up. The group's exponent is stored in the float's biased form, in a separate
//! array after the elements. So a group of wide elements lies in memory as with the other schemes, aligned for wide
//! accesses, and threads that read neighbouring elements read one exponent.
//!
//! ```text
//! x = (from_bits(raw << lost | bits of 4.0) - 6) * from_bits(exponent << mantissa)
//! ```
//!
//! which is exact: the bits make a number in [4, 8), and after the subtraction one in [-2, 2). How groups are made of
//! numbers is in `runtime::compress::block`. A store changes the exponent of 31 other elements, so kernels that write
//! such an array are mapped for the plain array ([`as_plain`]); the runtime hands them a plain copy and encodes it after
//! them.

use super::elements::{Element, shift};
use super::{decoded, format_in};
use crate::build::{Builder, declare};
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Kernel, Local, MathFn, ParamKind, Scheme, Type, TypeKind,
    Types,
};
use std::collections::BTreeSet;

/// The number that the bits `raw` stand for in a group whose scale is `scale`.
pub fn decode(b: &mut Builder<'_>, element: Element, raw: Handle<Expr>, scale: Handle<Expr>) -> Handle<Expr> {
    let word = element.word(b);
    let raw = b.cast(raw, word);
    let shifted = shift(b, BinaryOp::Shl, raw, i128::from(element.lost()));
    let four: i128 = if element.float_bits == 32 { 0x4080_0000 } else { 0x4010_0000_0000_0000 };
    let four = b.int(four, word);
    let bits = b.binary(BinaryOp::BitOr, shifted, four);
    let number = b.expr(ExprKind::Math { fun: MathFn::FromBits, args: vec![bits] }, element.of);
    let six = b.body.float(6.0, element.of);
    let centred = b.binary(BinaryOp::Sub, number, six);
    b.binary(BinaryOp::Mul, centred, scale)
}

/// The place of the exponent of the group of element `index` of an array. `first` is the place of the base's element in its group,
/// `exponents` the distance in bytes to that group's exponent.
pub fn exponent(
    b: &mut Builder<'_>,
    element: Element,
    base: Handle<Expr>,
    index: Handle<Expr>,
    first: Handle<Expr>,
    exponents: Handle<Expr>,
) -> Handle<Expr> {
    let (byte, unit) =
        (b.types.int(8, false), b.types.int(if element.float_bits == 32 { 8 } else { 16 }, false));
    let (bytes, units) = (pointer_to(b, base, byte), pointer_to(b, base, unit));
    let base = b.cast(base, bytes);
    let there = b.expr(ExprKind::Binary { op: BinaryOp::Add, left: base, right: exponents }, bytes);
    let there = b.cast(there, units);
    let index = b.add(index, first);
    let group = shift(b, BinaryOp::Shr, index, 5);
    b.expr(ExprKind::Index { base: there, index: group }, unit)
}

/// The scale of a group with this exponent: 2^e.
pub fn scale(b: &mut Builder<'_>, element: Element, exponent: Handle<Expr>) -> Handle<Expr> {
    let word = element.word(b);
    let exponent = b.cast(exponent, word);
    let bits = shift(b, BinaryOp::Shl, exponent, i128::from(element.mantissa()));
    b.expr(ExprKind::Math { fun: MathFn::FromBits, args: vec![bits] }, element.of)
}

/// The magnitude that is larger; a NaN is ignored.
pub fn larger(b: &mut Builder<'_>, of: Handle<Type>, so_far: Handle<Expr>, x: Handle<Expr>) -> Handle<Expr> {
    let magnitude = b.expr(ExprKind::Math { fun: MathFn::Fabs, args: vec![x] }, of);
    b.expr(ExprKind::Math { fun: MathFn::Fmax, args: vec![so_far, magnitude] }, of)
}

/// The values that a group is encoded with.
pub struct Encoding {
    /// The biased exponent, as a word.
    pub exponent: Handle<Local>,
    /// 2^(1 - e)
    inverse: Handle<Local>,
}

impl Encoding {
    /// Declares locals for a group with this largest magnitude.
    pub fn declare(
        b: &mut Builder<'_>,
        element: Element,
        largest: Handle<Expr>,
        out: &mut Block,
    ) -> Encoding {
        let word = element.word(b);
        let bits = b.expr(ExprKind::Math { fun: MathFn::ToBits, args: vec![largest] }, word);
        let biased = shift(b, BinaryOp::Shr, bits, i128::from(element.mantissa()));
        let bias = bias(element);
        let (least, most) = (b.int(1, word), b.int(2 * bias, word));
        let biased = b.expr(ExprKind::Math { fun: MathFn::Max, args: vec![biased, least] }, word);
        let biased = b.expr(ExprKind::Math { fun: MathFn::Min, args: vec![biased, most] }, word);
        let exponent = b.body.temp("exponent", word);
        out.push(declare(exponent, Some(biased)));
        let (all, held) = (b.int(2 * bias + 1, word), b.load(exponent));
        let opposite = b.binary(BinaryOp::Sub, all, held);
        let bits = shift(b, BinaryOp::Shl, opposite, i128::from(element.mantissa()));
        let value = b.expr(ExprKind::Math { fun: MathFn::FromBits, args: vec![bits] }, element.of);
        let inverse = b.body.temp("inverse", element.of);
        out.push(declare(inverse, Some(value)));
        Encoding { exponent, inverse }
    }

    /// The bits of a number, others above them: those of the sum with a number whose last bit is worth a step.
    pub fn encode(
        &self,
        b: &mut Builder<'_>,
        element: Element,
        x: Handle<Expr>,
        out: &mut Block,
    ) -> Handle<Expr> {
        let math = |b: &mut Builder<'_>, fun, args, ty| b.expr(ExprKind::Math { fun, args }, ty);
        let value = b.body.temp("value", element.of);
        out.push(declare(value, Some(x)));
        let (zero, value) = (b.body.float(0.0, element.of), b.load(value));
        let is_number = b.binary(BinaryOp::Eq, value, value);
        let number = b.expr(ExprKind::Select { cond: is_number, yes: value, no: zero }, element.of);
        let bits = element.format.bits;
        let [centre, least, most] =
            [1 << (bits - 1), 1, (1 << bits) - 1].map(|low| b.body.float(in_steps(element, low), element.of));
        let inverse = b.load(self.inverse);
        let sum = math(b, MathFn::Fma, vec![number, inverse, centre], element.of);
        let sum = math(b, MathFn::Fmax, vec![sum, least], element.of);
        let sum = math(b, MathFn::Fmin, vec![sum, most], element.of);
        let word = element.word(b);
        math(b, MathFn::ToBits, vec![sum], word)
    }
}

fn bias(element: Element) -> i128 {
    if element.float_bits == 32 { 127 } else { 1023 }
}

/// The number whose lowest mantissa bits are these, and whose lowest bit is worth 2^(3 - bits).
fn in_steps(element: Element, low: u64) -> f64 {
    let exponent = bias(element) as u64 + u64::from(element.mantissa()) + 3 - u64::from(element.format.bits);
    if element.float_bits == 32 {
        f32::from_bits((exponent << 23 | low) as u32).into()
    } else {
        f64::from_bits(exponent << 52 | low)
    }
}

/// The pointer `base`, as a pointer to elements of another type.
fn pointer_to(b: &mut Builder<'_>, base: Handle<Expr>, to: Handle<Type>) -> Handle<Type> {
    let ty = b.ty(base);
    match b.types.kind(ty).clone() {
        TypeKind::Pointer { constant, space, .. } => {
            b.types.intern(TypeKind::Pointer { to, constant, restrict: false, space })
        }
        _ => b.types.pointer(to),
    }
}

/// The kernel with plain arrays in place of the block ones that it writes; `None` where there are none.
pub fn as_plain(types: &mut Types, kernel: &Kernel) -> Option<Kernel> {
    let written = written(types, kernel);
    if written.is_empty() {
        return None;
    }
    let mut plain = kernel.clone();
    decoded::retype(types, &mut plain.body, &written);
    Some(plain)
}

/// The block arrays that a kernel writes.
pub fn written(types: &Types, kernel: &Kernel) -> BTreeSet<Handle<Local>> {
    kernel
        .params
        .iter()
        .filter(|p| matches!(p.kind, ParamKind::Data { written: true, .. }))
        .filter(|p| is_block(types, &kernel.body, p.local))
        .map(|p| p.local)
        .collect()
}

pub fn is_block(types: &Types, body: &Body, array: Handle<Local>) -> bool {
    format_in(types, body.locals[array].ty).is_some_and(|format| format.scheme == Scheme::Block)
}
