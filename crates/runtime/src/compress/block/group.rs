//! One group, and runs of whole ones.

use crate::compress::GROUP;
use crate::compress::codec::elements::{self, Decoding, Encoding, Number, Unit};
use crate::compress::codec::{packed, stream};
use std::ops::{Mul, Sub};

pub const LANES: usize = GROUP as usize;

/// What groups need of a float type.
pub trait Real: Number + Sub<Output = Self> + Mul<Output = Self> {
    /// A group's exponent in memory.
    type Exponent: Copy + Send + Sync + 'static;
    /// Orders magnitudes, infinity and then what is no number above all.
    type Order: Copy + Default + Ord;
    const INFINITE: Self::Order;
    /// The bits of 4, whose binade the encoded elements are put into.
    const FOUR: Self::Word;
    const SIX: Self;
    fn order(self) -> Self::Order;
    /// The exponent of a group with this largest magnitude.
    fn exponent(largest: Self::Order) -> Self::Exponent;
    /// An exponent as memory has it.
    fn stored(exponent: u16) -> Self::Exponent;
    /// 2^e.
    fn scale(exponent: Self::Exponent) -> Self;
    /// 2^(1 - e).
    fn inverse(exponent: Self::Exponent) -> Self;
    /// The number whose lowest `bits` bits are 2^(bits - 1), and whose lowest bit is worth 2^(3 - bits); and the same with
    /// the least and the greatest of these bits that are used.
    fn centre(bits: u32) -> [Self; 3];
}

macro_rules! real {
    ($ty:ty, $word:ty, $order:ty, $exponent:ty, $bias:literal, $four:literal) => {
        impl Real for $ty {
            type Exponent = $exponent;
            type Order = $order;
            const INFINITE: $order = <$ty>::INFINITY.to_bits() as $order;
            const FOUR: $word = $four;
            const SIX: Self = 6.0;
            #[inline(always)]
            fn order(self) -> $order {
                self.abs().to_bits() as $order
            }
            #[inline(always)]
            fn exponent(largest: $order) -> $exponent {
                ((largest >> Self::MANTISSA) as $exponent).clamp(1, 2 * $bias)
            }
            #[inline(always)]
            fn stored(exponent: u16) -> $exponent {
                exponent as $exponent
            }
            #[inline(always)]
            fn scale(exponent: $exponent) -> Self {
                <$ty>::from_bits(<$word>::from(exponent) << Self::MANTISSA)
            }
            #[inline(always)]
            fn inverse(exponent: $exponent) -> Self {
                <$ty>::from_bits((2 * $bias + 1 - <$word>::from(exponent)) << Self::MANTISSA)
            }
            fn centre(bits: u32) -> [Self; 3] {
                let binade =
                    (<$word>::from($bias + Self::MANTISSA as u16 + 3) - bits as $word) << Self::MANTISSA;
                [1 << (bits - 1), 1, (1 << bits) - 1].map(|low| <$ty>::from_bits(binade | low))
            }
        }
    };
}

real!(f32, u32, i32, u8, 127, 0x4080_0000);
real!(f64, u64, i64, u16, 1023, 0x4010_0000_0000_0000);

/// The constants of a width.
#[derive(Clone, Copy, Debug)]
pub struct Steps<T> {
    pub bits: u32,
    centre: T,
    least: T,
    most: T,
    lost: u32,
}

impl<T: Real> Steps<T> {
    pub fn new(bits: u32) -> Steps<T> {
        let [centre, least, most] = T::centre(bits);
        Steps { bits, centre, least, most, lost: T::MANTISSA - bits }
    }

    /// The element's bits, others above them.
    #[inline(always)]
    pub fn encode(&self, x: T, inverse: T) -> T::Word {
        #[allow(clippy::eq_op, reason = "NaN differs from itself")]
        let x = if x == x { x } else { T::ZERO };
        let t = x.mul_add(inverse, self.centre);
        let t = if t > self.least { t } else { self.least };
        let t = if t < self.most { t } else { self.most };
        t.bits()
    }

    /// What [`Steps::encode`] does, for loops over vectors; the `inverse` is each group's own. Nothing lies outside but what is no number.
    pub fn encoding(&self) -> Encoding<T> {
        let Steps { centre, least, most, lost, .. } = *self;
        let (min, max) = (T::from_parameter(f64::NEG_INFINITY), T::from_parameter(f64::INFINITY));
        Encoding { inverse: T::ONE, offset: centre, least, most, min, max, up: lost, lost }
    }

    /// What [`Steps::decode`] does, for loops over vectors; the `scale` is each group's own.
    pub fn decoding(&self) -> Decoding<T> {
        let bias = T::from_parameter(-0.0);
        Decoding { minus: T::SIX, scale: T::ONE, bias, lost: self.lost, rest: T::FOUR }
    }

    /// The number that the bits of an element stand for.
    #[inline(always)]
    pub fn decode(&self, raw: T::Word, scale: T) -> T {
        (T::of_bits(raw << self.lost | T::FOUR) - T::SIX) * scale
    }
}

/// The exponent of a group, and how many of its values are infinite or no numbers.
#[inline(always)]
pub fn exponent<T: Real>(values: &[T; LANES]) -> (T::Exponent, u64) {
    // Eight at a time, which vectorises.
    let mut most = [T::Order::default(); 8];
    for part in values.as_chunks::<8>().0 {
        for (x, most) in part.iter().zip(&mut most) {
            *most = (*most).max(x.order());
        }
    }
    let most = most.into_iter().fold(T::Order::default(), T::Order::max);
    if most < T::INFINITE {
        return (T::exponent(most), 0);
    }
    let orders = || values.iter().map(|x| x.order());
    let numbers = orders().filter(|order| *order <= T::INFINITE);
    let outside = orders().filter(|order| *order >= T::INFINITE).count();
    (T::exponent(numbers.max().unwrap_or_default()), outside as u64)
}

/// Elements of a group in memory: integers of their own, or packed words.
pub trait Elements: Copy + Send + Sync + 'static {
    /// How many of them a group of so many bits has.
    fn of_group(bits: u32) -> usize;
    fn put<T: Real>(steps: &Steps<T>, raw: &[T::Word; LANES], to: &mut [Self]);
    fn get<T: Real>(steps: &Steps<T>, from: &[Self], raw: &mut [T::Word; LANES]);
    /// Encodes whole groups as [`encode`] does, where there is something faster than its loop.
    fn encode_by_vectors<T: Real>(
        _: &Steps<T>,
        _from: &[T],
        _to: &mut [Self],
        _: &mut [T::Exponent],
    ) -> Option<u64> {
        None
    }
    /// Decodes whole groups as [`decode`] does, where there is something faster than its loop; false where nothing was done.
    fn decode_by_vectors<T: Real>(_: &Steps<T>, _from: &[Self], _: &[T::Exponent], _to: &mut [T]) -> bool {
        false
    }
}

macro_rules! direct {
    ($($ty:ty)*) => { $(
        impl Elements for Direct<$ty> {
            #[inline(always)]
            fn of_group(_: u32) -> usize {
                LANES
            }
            #[inline(always)]
            fn put<T: Real>(_: &Steps<T>, raw: &[T::Word; LANES], to: &mut [Self]) {
                for (raw, unit) in raw.iter().zip(to) {
                    unit.0 = <$ty>::cut(*raw);
                }
            }
            #[inline(always)]
            fn get<T: Real>(_: &Steps<T>, from: &[Self], raw: &mut [T::Word; LANES]) {
                for (raw, unit) in raw.iter_mut().zip(from) {
                    *raw = unit.0.wide();
                }
            }
        }
    )* };
}

/// An element of 8, 16 or 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Direct<U>(U);

direct!(u8 u16 u32);

/// A word of packed elements.
pub type Packed = u32;

impl Elements for Packed {
    fn of_group(bits: u32) -> usize {
        bits as usize
    }
    #[inline(always)]
    fn put<T: Real>(steps: &Steps<T>, raw: &[T::Word; LANES], to: &mut [u32]) {
        packed::join(raw, steps.bits, to);
    }
    #[inline(always)]
    fn get<T: Real>(steps: &Steps<T>, from: &[u32], raw: &mut [T::Word; LANES]) {
        packed::part(from, steps.bits, raw);
    }
    fn encode_by_vectors<T: Real>(
        steps: &Steps<T>,
        from: &[T],
        to: &mut [u32],
        exponents: &mut [T::Exponent],
    ) -> Option<u64> {
        packed::encode_blocks(packed::level(), steps, from, to, exponents)
    }
    fn decode_by_vectors<T: Real>(
        steps: &Steps<T>,
        from: &[u32],
        exponents: &[T::Exponent],
        to: &mut [T],
    ) -> bool {
        packed::decode_blocks(packed::level(), steps, from, exponents, to)
    }
}

/// What [`encode`] does, in loops that any processor runs.
#[inline(always)]
pub fn encode_loop<T: Real, E: Elements>(
    steps: &Steps<T>,
    from: &[T],
    to: &mut [E],
    exponents: &mut [T::Exponent],
) -> u64 {
    let mut all = 0;
    let groups = from.as_chunks::<LANES>().0.iter().zip(to.chunks_exact_mut(E::of_group(steps.bits)));
    for ((values, elements), place) in groups.zip(exponents) {
        stream::fetch_ahead(values.as_ptr().cast(), size_of_val(values));
        let (exponent, outside) = exponent(values);
        let (inverse, mut raw) = (T::inverse(exponent), [T::Word::default(); LANES]);
        for (x, raw) in values.iter().zip(&mut raw) {
            *raw = steps.encode(*x, inverse);
        }
        E::put(steps, &raw, elements);
        *place = exponent;
        all += outside;
    }
    all
}

/// Decodes groups one by one, as [`encode_loop`] encodes them.
#[inline(always)]
pub fn decode_loop<T: Real, E: Elements>(
    steps: &Steps<T>,
    from: &[E],
    exponents: &[T::Exponent],
    to: &mut [T],
) {
    let groups = to.as_chunks_mut::<LANES>().0.iter_mut().zip(from.chunks_exact(E::of_group(steps.bits)));
    for ((values, elements), exponent) in groups.zip(exponents) {
        stream::fetch_ahead(elements.as_ptr().cast(), size_of_val(elements));
        let (scale, mut raw) = (T::scale(*exponent), [T::Word::default(); LANES]);
        E::get(steps, elements, &mut raw);
        for (raw, x) in raw.iter().zip(values) {
            *x = steps.decode(*raw, scale);
        }
    }
}

/// Encodes whole groups; how many values were infinite or no numbers.
pub fn encode<T: Real, E: Elements>(
    steps: &Steps<T>,
    from: &[T],
    to: &mut [E],
    exponents: &mut [T::Exponent],
) -> u64 {
    if let Some(outside) = E::encode_by_vectors(steps, from, to, exponents) {
        return outside;
    }
    #[cfg(target_arch = "x86_64")]
    if elements::is_fast() {
        #[target_feature(enable = "avx2,fma")]
        fn fast<T: Real, E: Elements>(
            steps: &Steps<T>,
            from: &[T],
            to: &mut [E],
            exponents: &mut [T::Exponent],
        ) -> u64 {
            encode_loop(steps, from, to, exponents)
        }
        // SAFETY: the processor has what the function asks for.
        return unsafe { fast(steps, from, to, exponents) };
    }
    encode_loop(steps, from, to, exponents)
}

/// Decodes whole groups.
pub fn decode<T: Real, E: Elements>(steps: &Steps<T>, from: &[E], exponents: &[T::Exponent], to: &mut [T]) {
    if E::decode_by_vectors(steps, from, exponents, to) {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if elements::is_fast() {
        #[target_feature(enable = "avx2,fma")]
        fn fast<T: Real, E: Elements>(steps: &Steps<T>, from: &[E], exponents: &[T::Exponent], to: &mut [T]) {
            decode_loop(steps, from, exponents, to);
        }
        // SAFETY: as above.
        return unsafe { fast(steps, from, exponents, to) };
    }
    decode_loop(steps, from, exponents, to);
}
