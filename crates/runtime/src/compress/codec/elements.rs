//! Encoding and decoding of runs of elements with a range.
//!
//! An element x becomes `t = x * inverse + offset` in [1, 2), of which the leading mantissa bits are kept; the middle
//! of the lost ones is filled in again, and `t * scale + bias` is the value. What lies outside saturates, NaN counts
//! as 0. Loops are written so that they vectorise, and compiled once more for processors with AVX2 and FMA.
//!
//! Invariant: the same bits come out whatever path runs; `f32::mul_add` rounds once on all of them.

use super::parameters::CodecParameters;
#[cfg(target_arch = "x86_64")]
use super::{simd::Eights, simd512::Vectors};

/// Other processors have no loops of their own for packed elements.
#[cfg(not(target_arch = "x86_64"))]
mod none {
    pub trait Eights {}
    pub trait Vectors {}
    impl<T> Eights for T {}
    impl<T> Vectors for T {}
}
#[cfg(not(target_arch = "x86_64"))]
use none::{Eights, Vectors};

/// What the loops need of a float type.
pub trait Number: Eights + Vectors + Copy + PartialOrd + Send + Sync + 'static {
    /// The unsigned integer as wide: loops in one width vectorise.
    type Word: Word;
    const ZERO: Self;
    const ONE: Self;
    /// The largest below 2.
    const MOST: Self;
    const MANTISSA: u32;
    /// The bits of 1.0.
    const EXPONENT: Self::Word;
    fn from_parameter(x: f64) -> Self;
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn bits(self) -> Self::Word;
    fn of_bits(bits: Self::Word) -> Self;
    fn to_float(self) -> f32;
    fn to_wide(self) -> f64;
    fn of_float(x: f32) -> Self;
}

/// `u32` or `u64`.
pub trait Word:
    Copy
    + std::ops::Shl<u32, Output = Self>
    + std::ops::Shr<u32, Output = Self>
    + std::ops::BitOr<Output = Self>
    + Into<u64>
    + Default
    + Send
    + Sync
    + 'static
{
    const ONE: Self;
    fn of_wide(bits: u64) -> Self;
    fn of_low(bits: u32) -> Self;
    /// The lower 32 bits.
    fn low(self) -> u32;
    /// One more if `yes`; without a check, which would keep loops from being vectorised.
    fn count(self, yes: bool) -> Self;
}

impl Word for u32 {
    const ONE: u32 = 1;
    #[inline(always)]
    fn count(self, yes: bool) -> u32 {
        self.wrapping_add(yes.into())
    }
    #[inline(always)]
    fn of_low(bits: u32) -> u32 {
        bits
    }
    #[inline(always)]
    fn low(self) -> u32 {
        self
    }
    #[inline(always)]
    fn of_wide(bits: u64) -> u32 {
        bits as u32
    }
}

impl Word for u64 {
    const ONE: u64 = 1;
    #[inline(always)]
    fn count(self, yes: bool) -> u64 {
        self.wrapping_add(yes.into())
    }
    #[inline(always)]
    fn of_low(bits: u32) -> u64 {
        bits.into()
    }
    #[inline(always)]
    fn low(self) -> u32 {
        self as u32
    }
    #[inline(always)]
    fn of_wide(bits: u64) -> u64 {
        bits
    }
}

macro_rules! number {
    ($ty:ty, $word:ty, $mantissa:literal, $exponent:literal, $most:literal) => {
        impl Number for $ty {
            type Word = $word;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MOST: Self = <$ty>::from_bits($most);
            const MANTISSA: u32 = $mantissa;
            const EXPONENT: $word = $exponent;
            #[inline(always)]
            #[allow(clippy::unnecessary_cast, reason = "one of the types is float")]
            fn to_float(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            #[allow(clippy::useless_conversion, reason = "one of the types is double")]
            fn to_wide(self) -> f64 {
                self.into()
            }
            #[inline(always)]
            fn of_float(x: f32) -> Self {
                x.into()
            }
            #[inline(always)]
            fn from_parameter(x: f64) -> Self {
                x as $ty
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                <$ty>::mul_add(self, a, b)
            }
            #[inline(always)]
            fn bits(self) -> $word {
                self.to_bits()
            }
            #[inline(always)]
            fn of_bits(bits: $word) -> Self {
                <$ty>::from_bits(bits)
            }
        }
    };
}

number!(f32, u32, 23, 0x3f80_0000, 0x3fff_ffff);
number!(f64, u64, 52, 0x3ff0_0000_0000_0000, 0x3fff_ffff_ffff_ffff);

/// The arithmetic of one array.
#[derive(Clone, Copy, Debug)]
pub struct Codec<T> {
    pub scale: T,
    pub bias: T,
    pub inverse: T,
    pub offset: T,
    /// The ends, for counting what lies outside.
    pub min: T,
    pub max: T,
    /// Bits of the mantissa that are not kept.
    pub lost: u32,
}

impl<T: Number> Codec<T> {
    pub fn new(parameters: &CodecParameters, ends: (f64, f64), bits: u32) -> Codec<T> {
        Codec {
            scale: T::from_parameter(parameters.scale),
            bias: T::from_parameter(parameters.bias),
            inverse: T::from_parameter(parameters.inverse),
            offset: T::from_parameter(parameters.offset),
            min: T::from_parameter(ends.0),
            max: T::from_parameter(ends.1),
            lost: T::MANTISSA - bits,
        }
    }

    /// The kept bits, with the exponent's above them.
    #[inline(always)]
    pub fn encode(&self, x: T) -> T::Word {
        #[allow(clippy::eq_op, reason = "NaN differs from itself")]
        let x = if x == x { x } else { T::ZERO };
        let t = x.mul_add(self.inverse, self.offset);
        let t = if t > T::ONE { t } else { T::ONE };
        let t = if t < T::MOST { t } else { T::MOST };
        t.bits() >> self.lost
    }

    #[inline(always)]
    pub fn decode(&self, raw: T::Word) -> T {
        let half = (T::Word::ONE << self.lost) >> 1;
        T::of_bits(raw << self.lost | half | T::EXPONENT).mul_add(self.scale, self.bias)
    }

    /// Outside of the range, or no number.
    #[inline(always)]
    pub fn is_outside(&self, x: T) -> bool {
        // Without a branch between the two.
        !((x >= self.min) & (x <= self.max))
    }
}

/// How numbers become the bits of packed elements: `x * inverse + offset`, between `least` and `most`, of whose mantissa,
/// moved `up`, all but the `lost` lowest bits are kept.
#[derive(Clone, Copy, Debug)]
pub struct Encoding<T> {
    pub inverse: T,
    pub offset: T,
    pub least: T,
    pub most: T,
    /// The ends, for counting what lies outside.
    pub min: T,
    pub max: T,
    pub up: u32,
    pub lost: u32,
}

impl<T: Number> From<&Codec<T>> for Encoding<T> {
    fn from(codec: &Codec<T>) -> Encoding<T> {
        let Codec { inverse, offset, min, max, lost, .. } = *codec;
        Encoding { inverse, offset, least: T::ONE, most: T::MOST, min, max, up: 0, lost }
    }
}

/// The other way round: an element's bits, moved up by `lost` and with `rest` among them, less `minus`, times `scale`, and
/// `bias`.
#[derive(Clone, Copy, Debug)]
pub struct Decoding<T: Number> {
    pub minus: T,
    pub scale: T,
    pub bias: T,
    pub lost: u32,
    pub rest: T::Word,
}

impl<T: Number> From<&Codec<T>> for Decoding<T> {
    fn from(codec: &Codec<T>) -> Decoding<T> {
        let Codec { scale, bias, lost, .. } = *codec;
        let half = (T::Word::ONE << lost) >> 1;
        Decoding { minus: T::ZERO, scale, bias, lost, rest: half | T::EXPONENT }
    }
}

/// An unsigned integer that holds one element.
pub trait Unit: Copy + Send + Sync + 'static {
    fn cut<W: Word>(bits: W) -> Self;
    fn wide<W: Word>(self) -> W;
}

macro_rules! unit {
    ($($ty:ty)*) => { $(
        impl Unit for $ty {
            #[inline(always)]
            #[allow(clippy::unnecessary_cast, reason = "one of the types is the word itself")]
            fn cut<W: Word>(bits: W) -> Self { bits.low() as $ty }
            #[inline(always)]
            #[allow(clippy::useless_conversion, reason = "as above")]
            fn wide<W: Word>(self) -> W { W::of_low(self.into()) }
        }
    )* };
}

unit!(u8 u16 u32);

#[inline(always)]
fn encode_loop<T: Number, U: Unit>(codec: &Codec<T>, from: &[T], to: &mut [U]) -> u64 {
    // A run is shorter than 2^32.
    let mut outside = T::Word::default();
    for (x, unit) in from.iter().zip(to) {
        outside = outside.count(codec.is_outside(*x));
        *unit = U::cut(codec.encode(*x));
    }
    outside.into()
}

#[inline(always)]
fn decode_loop<T: Number, U: Unit>(codec: &Codec<T>, from: &[U], to: &mut [T]) {
    for (unit, x) in from.iter().zip(to) {
        *x = codec.decode(unit.wide());
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn encode_fast<T: Number, U: Unit>(codec: &Codec<T>, from: &[T], to: &mut [U]) -> u64 {
    encode_loop(codec, from, to)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn decode_fast<T: Number, U: Unit>(codec: &Codec<T>, from: &[U], to: &mut [T]) {
    decode_loop(codec, from, to);
}

/// Encodes one group, each element into a word of its own. How many lay outside of the range.
pub fn encode_words<T: Number>(codec: &Codec<T>, from: &[T], to: &mut [T::Word]) -> u64 {
    let mut outside = T::Word::default();
    for (x, word) in from.iter().zip(to) {
        outside = outside.count(codec.is_outside(*x));
        *word = codec.encode(*x);
    }
    outside.into()
}

/// Decodes one group.
pub fn decode_words<T: Number>(codec: &Codec<T>, from: &[T::Word], to: &mut [T]) {
    for (word, x) in from.iter().zip(to) {
        *x = codec.decode(*word);
    }
}

/// True where the fast loops can run.
pub fn is_fast() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Encodes a run; how many elements lay outside of the range.
pub fn encode<T: Number, U: Unit>(codec: &Codec<T>, from: &[T], to: &mut [U]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_fast() {
        // SAFETY: the processor has what the function asks for.
        return unsafe { encode_fast(codec, from, to) };
    }
    encode_loop(codec, from, to)
}

/// Decodes a run.
pub fn decode<T: Number, U: Unit>(codec: &Codec<T>, from: &[U], to: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    if is_fast() {
        // SAFETY: as above.
        return unsafe { decode_fast(codec, from, to) };
    }
    decode_loop(codec, from, to);
}
