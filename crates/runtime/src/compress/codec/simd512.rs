//! Encoding of packed elements with AVX-512: a vector of 16 floats or 8 doubles at a time.
//!
//! Of neighbours, the first one's bits are rotated to the top of its lane and the second one's to the bottom of its, so
//! that they lie side by side: floats in 64-bit lanes first, then all in halves of 16 bytes, of which a vector has
//! four. Then one permutation puts all bytes where they belong, another one adds those in which two halves meet.
//! Decoding waits for memory without this already.
//!
//! The bits are those of [`super::packed`].

use super::elements::{Codec, Encoding, Number};
use super::stream;
use crate::compress::GROUP;
use crate::compress::block::group::{self, Packed, Real, Steps};
use std::arch::x86_64::*;

const LANES: usize = GROUP as usize;
/// Groups at the end that are encoded elsewhere first, since stores reach beyond what they are for.
const LAST: usize = 4 * LANES;
const ROOM: usize = 4 * 4 * 52 + 64;

/// For one width.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Avx512Layout {
    /// Floats' bits are rotated left by so many within 32-bit lanes,
    narrow: [u32; 16],
    /// and all within 64-bit lanes.
    wide: [u64; 8],
    /// Halves are moved down by so many, to begin where they begin in a byte.
    down: [u64; 8],
    /// The byte of the halves that each byte of the result begins with, and the one added to it.
    bytes: [u8; 64],
    added: [u8; 64],
    /// Where one is added.
    adds: u64,
}

impl Avx512Layout {
    /// `size`: bytes of an element.
    const fn of(bits: usize, size: usize) -> Avx512Layout {
        let (narrow, wide, down) = ([0; 16], [0; 8], [0; 8]);
        let mut layout = Avx512Layout { narrow, wide, down, bytes: [0; 64], added: [0; 64], adds: 0 };
        let half_bits = 16 / size * bits;
        let mut half = 0;
        while half < 4 {
            let (start, end) = (half * half_bits, (half + 1) * half_bits);
            let within = start % 8;
            let (first, second) = (2 * half, 2 * half + 1);
            if size == 4 {
                let mut float = 4 * half;
                while float < 4 * half + 4 {
                    layout.narrow[float] = if float % 2 == 0 { 9 } else { 9 + bits as u32 };
                    float += 1;
                }
                layout.wide[first] = 32 - bits as u64;
                layout.wide[second] = 32 + bits as u64;
            } else {
                layout.wide[first] = 12;
                layout.wide[second] = 12 + bits as u64;
            }
            layout.down[first] = (64 - half_bits / 2 - within) as u64;
            layout.down[second] = layout.down[first];
            let mut byte = start / 8;
            while byte < end.div_ceil(8) {
                layout.bytes[byte] = (16 * half + byte - start / 8) as u8;
                byte += 1;
            }
            if within > 0 {
                layout.added[start / 8] = (16 * (half - 1) + start / 8 - (start - half_bits) / 8) as u8;
                layout.adds |= 1 << (start / 8);
            }
            half += 1;
        }
        layout
    }

    /// For elements whose bits are the lowest of the mantissa, not the highest.
    fn of_blocks<T: Number>(bits: u32) -> Avx512Layout {
        let mut layout = *<T as Vectors>::layout(bits);
        let lost = T::MANTISSA - bits;
        match size_of::<T>() {
            4 => layout.narrow.iter_mut().for_each(|by| *by += lost),
            _ => layout.wide.iter_mut().for_each(|by| *by += u64::from(lost)),
        }
        layout
    }
}

pub static FLOATS: [Avx512Layout; 24] = layouts(4);
pub static DOUBLES: [Avx512Layout; 53] = layouts(8);

const fn layouts<const N: usize>(size: usize) -> [Avx512Layout; N] {
    let mut all = [Avx512Layout::of(4, size); N];
    let mut bits = 4;
    while bits < N {
        all[bits] = Avx512Layout::of(bits, size);
        bits += 1;
    }
    all
}

/// What is different for float and double. All of it asks for AVX-512.
///
/// # Safety
/// The pointer is valid for a vector.
pub trait Vectors: Sized {
    fn layout(bits: u32) -> &'static Avx512Layout;
    /// The elements' bits, side by side within 64-bit lanes; and how many of them lay outside of the range.
    unsafe fn lanes(codec: &Codec<Self>, layout: &Avx512Layout, from: *const Self) -> (__m512i, u32);
    /// The exponent of a group of 32 numbers, and 2^(1 - e) in all lanes; `None` where one is infinite or no number.
    unsafe fn shared(group: *const Self) -> Option<(u16, __m512i)>;
    /// As `lanes`, of a group with this `inverse`. The layout is one [for blocks](Layout::of_blocks).
    unsafe fn block_lanes(
        encoding: &Encoding<Self>,
        inverse: __m512i,
        layout: &Avx512Layout,
        from: *const Self,
    ) -> __m512i;
}

impl Vectors for f32 {
    fn layout(bits: u32) -> &'static Avx512Layout {
        &FLOATS[bits as usize]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,popcnt")]
    unsafe fn lanes(codec: &Codec<f32>, layout: &Avx512Layout, from: *const f32) -> (__m512i, u32) {
        // SAFETY: the caller's promise.
        let x = unsafe { _mm512_loadu_ps(from) };
        let above = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(x, _mm512_set1_ps(codec.min));
        let inside = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(above, x, _mm512_set1_ps(codec.max));
        // What is no number counts as 0. Where all lie inside, as they usually do, all are.
        let number = if inside == u16::MAX { inside } else { _mm512_cmp_ps_mask::<_CMP_ORD_Q>(x, x) };
        let (inverse, offset) = (_mm512_set1_ps(codec.inverse), _mm512_set1_ps(codec.offset));
        let t = _mm512_mask3_fmadd_ps(x, inverse, offset, number);
        let t = _mm512_min_ps(_mm512_max_ps(t, _mm512_set1_ps(f32::ONE)), _mm512_set1_ps(f32::MOST));
        let kept = (1 << f32::MANTISSA) - (1 << codec.lost);
        let bits = _mm512_and_si512(_mm512_castps_si512(t), _mm512_set1_epi32(kept));
        let lanes = _mm512_rolv_epi32(bits, vector(layout.narrow.as_ptr().cast()));
        (lanes, inside.count_zeros())
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn shared(group: *const f32) -> Option<(u16, __m512i)> {
        let magnitude = _mm512_set1_epi32(i32::MAX);
        // SAFETY: the caller's promise.
        let [x, y] = unsafe { [0, 16].map(|i| _mm512_loadu_si512(group.add(i).cast())) };
        let most = _mm512_max_epi32(_mm512_and_si512(x, magnitude), _mm512_and_si512(y, magnitude));
        let most = _mm512_max_epi32(most, _mm512_shuffle_i32x4::<0x4e>(most, most));
        let most = _mm512_max_epi32(most, _mm512_shuffle_i32x4::<0xb1>(most, most));
        let most = _mm512_max_epi32(most, _mm512_shuffle_epi32::<0x4e>(most));
        let most = _mm512_max_epi32(most, _mm512_shuffle_epi32::<0xb1>(most));
        let (bias, one) = (127, _mm512_set1_epi32(1));
        let exponent = _mm512_max_epi32(_mm512_srli_epi32::<{ f32::MANTISSA }>(most), one);
        let inverse = _mm512_sub_epi32(_mm512_set1_epi32(2 * bias + 1), exponent);
        let number = _mm512_cvtsi512_si32(exponent);
        (number <= 2 * bias).then(|| (number as u16, _mm512_slli_epi32::<{ f32::MANTISSA }>(inverse)))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn block_lanes(
        encoding: &Encoding<f32>,
        inverse: __m512i,
        layout: &Avx512Layout,
        from: *const f32,
    ) -> __m512i {
        let (offset, least, most) = (encoding.offset, encoding.least, encoding.most);
        // SAFETY: the caller's promise.
        let x = unsafe { _mm512_loadu_ps(from) };
        let t = _mm512_fmadd_ps(x, _mm512_castsi512_ps(inverse), _mm512_set1_ps(offset));
        let t = _mm512_min_ps(_mm512_max_ps(t, _mm512_set1_ps(least)), _mm512_set1_ps(most));
        let kept = (1 << (f32::MANTISSA - encoding.lost)) - 1;
        let bits = _mm512_and_si512(_mm512_castps_si512(t), _mm512_set1_epi32(kept));
        _mm512_rolv_epi32(bits, vector(layout.narrow.as_ptr().cast()))
    }
}

impl Vectors for f64 {
    fn layout(bits: u32) -> &'static Avx512Layout {
        &DOUBLES[bits as usize]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,popcnt")]
    unsafe fn lanes(codec: &Codec<f64>, _: &Avx512Layout, from: *const f64) -> (__m512i, u32) {
        // SAFETY: the caller's promise.
        let x = unsafe { _mm512_loadu_pd(from) };
        let above = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(x, _mm512_set1_pd(codec.min));
        let inside = _mm512_mask_cmp_pd_mask::<_CMP_LE_OQ>(above, x, _mm512_set1_pd(codec.max));
        let number = if inside == u8::MAX { inside } else { _mm512_cmp_pd_mask::<_CMP_ORD_Q>(x, x) };
        let (inverse, offset) = (_mm512_set1_pd(codec.inverse), _mm512_set1_pd(codec.offset));
        let t = _mm512_mask3_fmadd_pd(x, inverse, offset, number);
        let t = _mm512_min_pd(_mm512_max_pd(t, _mm512_set1_pd(f64::ONE)), _mm512_set1_pd(f64::MOST));
        let kept = (1 << f64::MANTISSA) - (1 << codec.lost);
        let lanes = _mm512_and_si512(_mm512_castpd_si512(t), _mm512_set1_epi64(kept));
        (lanes, inside.count_zeros())
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn shared(group: *const f64) -> Option<(u16, __m512i)> {
        let magnitude = _mm512_set1_epi64(i64::MAX);
        // SAFETY: the caller's promise.
        let [a, b, c, d] = unsafe { [0, 8, 16, 24].map(|i| _mm512_loadu_si512(group.add(i).cast())) };
        let [a, b, c, d] = [a, b, c, d].map(|x| _mm512_and_si512(x, magnitude));
        let most = _mm512_max_epi64(_mm512_max_epi64(a, b), _mm512_max_epi64(c, d));
        let most = _mm512_max_epi64(most, _mm512_shuffle_i64x2::<0x4e>(most, most));
        let most = _mm512_max_epi64(most, _mm512_shuffle_i64x2::<0xb1>(most, most));
        let most = _mm512_max_epi64(most, _mm512_shuffle_epi32::<0x4e>(most));
        let (bias, one) = (1023, _mm512_set1_epi64(1));
        let exponent = _mm512_max_epi64(_mm512_srli_epi64::<{ f64::MANTISSA }>(most), one);
        let inverse = _mm512_sub_epi64(_mm512_set1_epi64(2 * bias + 1), exponent);
        let number = i64::from(_mm512_cvtsi512_si32(exponent));
        (number <= 2 * bias).then(|| (number as u16, _mm512_slli_epi64::<{ f64::MANTISSA }>(inverse)))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn block_lanes(
        encoding: &Encoding<f64>,
        inverse: __m512i,
        _: &Avx512Layout,
        from: *const f64,
    ) -> __m512i {
        let (offset, least, most) = (encoding.offset, encoding.least, encoding.most);
        // SAFETY: the caller's promise.
        let x = unsafe { _mm512_loadu_pd(from) };
        let t = _mm512_fmadd_pd(x, _mm512_castsi512_pd(inverse), _mm512_set1_pd(offset));
        let t = _mm512_min_pd(_mm512_max_pd(t, _mm512_set1_pd(least)), _mm512_set1_pd(most));
        let kept = (1 << (f64::MANTISSA - encoding.lost)) - 1;
        _mm512_and_si512(_mm512_castpd_si512(t), _mm512_set1_epi64(kept))
    }
}

/// 64 bytes of a layout.
#[inline]
#[target_feature(enable = "avx512f")]
fn vector(bytes: *const u8) -> __m512i {
    // SAFETY: callers name a member of that size.
    unsafe { _mm512_loadu_si512(bytes.cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn joined(lanes: __m512i, layout: &Avx512Layout) -> __m512i {
    let sides = _mm512_rolv_epi64(lanes, vector(layout.wide.as_ptr().cast()));
    let above = _mm512_unpackhi_epi64(sides, _mm512_setzero_si512());
    let halves = _mm512_shrdv_epi64(sides, above, vector(layout.down.as_ptr().cast()));
    let bytes = _mm512_permutexvar_epi8(vector(layout.bytes.as_ptr()), halves);
    if layout.adds == 0 {
        return bytes;
    }
    let added = _mm512_maskz_permutexvar_epi8(layout.adds, vector(layout.added.as_ptr()), halves);
    _mm512_or_si512(bytes, added)
}

/// Encodes whole groups into their words; how many elements lay outside of the range.
///
/// # Safety
/// The processor has what [`is_there`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
pub unsafe fn encode<T: Number>(codec: &Codec<T>, bits: u32, groups: &[T], words: &mut [u32]) -> u64 {
    let words = &mut words[..groups.len() / LANES * bits as usize];
    let layout = <T as Vectors>::layout(bits);
    let (codec, layout) = (*codec, *layout);
    let (step, bits) = (64 / size_of::<T>(), bits as usize);
    let last = groups.len().saturating_sub(LAST);
    let mut end = [0u8; ROOM];
    let mut outside = 0u64;
    // SAFETY: the last groups are at least 64 bytes, so stores of those before end within them; they are encoded
    // elsewhere themselves.
    unsafe {
        let mut run = |first: usize, end: usize, to: *mut u8| {
            for i in (first..end).step_by(step) {
                stream::fetch_line(groups.as_ptr().add(i));
                let (lanes, not_held) = T::lanes(&codec, &layout, groups.as_ptr().add(i));
                outside += u64::from(not_held);
                _mm512_storeu_si512(to.add((i - first) * bits / 8).cast(), joined(lanes, &layout));
            }
        };
        let to = words.as_mut_ptr().cast::<u8>();
        run(0, last, to);
        run(last, groups.len(), end.as_mut_ptr());
        std::ptr::copy_nonoverlapping(
            end.as_ptr(),
            to.add(last * bits / 8),
            (groups.len() - last) * bits / 8,
        );
    }
    outside
}

/// Encodes whole groups that have exponents; how many values were infinite or no numbers.
///
/// # Safety
/// The processor has what [`is_there`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
pub unsafe fn encode_blocks<T: Real>(
    steps: &Steps<T>,
    from: &[T],
    words: &mut [u32],
    exponents: &mut [T::Exponent],
) -> u64 {
    let groups = from.as_chunks::<LANES>().0;
    let words = &mut words[..groups.len() * steps.bits as usize];
    let (layout, bytes) = (Avx512Layout::of_blocks::<T>(steps.bits), 4 * steps.bits as usize);
    let (encoding, step) = (steps.encoding(), 64 / size_of::<T>());
    let last = groups.len().saturating_sub(LAST / LANES);
    let mut end = [0u32; ROOM / 4];
    let mut outside = 0u64;
    // SAFETY: as in `encode`.
    unsafe {
        let mut run = |groups: &[[T; LANES]], exponents: &mut [T::Exponent], to: *mut u8| {
            for (at, (group, place)) in groups.iter().zip(exponents).enumerate() {
                let to = to.add(at * bytes);
                let Some((exponent, inverse)) = T::shared(group.as_ptr()) else {
                    let words = std::slice::from_raw_parts_mut(to.cast(), bytes / 4);
                    let place = std::slice::from_mut(place);
                    outside += group::encode_loop::<T, Packed>(steps, group, words, place);
                    continue;
                };
                *place = T::stored(exponent);
                for i in (0..LANES).step_by(step) {
                    let from = group.as_ptr().add(i);
                    stream::fetch_line(from);
                    let lanes = T::block_lanes(&encoding, inverse, &layout, from);
                    _mm512_storeu_si512(to.add(i * bytes / LANES).cast(), joined(lanes, &layout));
                }
            }
        };
        let to = words.as_mut_ptr().cast::<u8>();
        let (first, ended) = exponents.split_at_mut(last);
        run(&groups[..last], first, to);
        run(&groups[last..], ended, end.as_mut_ptr().cast());
        let (to, rest) = (to.add(last * bytes), (groups.len() - last) * bytes);
        std::ptr::copy_nonoverlapping(end.as_ptr().cast(), to, rest);
    }
    outside
}

pub fn is_there() -> bool {
    std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vbmi")
        && std::arch::is_x86_feature_detected!("avx512vbmi2")
}
