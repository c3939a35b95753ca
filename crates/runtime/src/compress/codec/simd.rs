//! Packed elements with AVX2: eight at a time.
//!
//! Whatever their width, eight elements are that many bytes, so each eight begin with a byte. They are worked on in
//! halves of 16 bytes, four floats or two doubles each, which begin somewhere within a byte. Decoding moves the
//! bytes that hold an element to its lane, and shifts each lane by its own count. Encoding shifts the elements of a
//! half against each other and joins them; the halves are stored one over the end of the other.
//!
//! The bits are those of [`super::packed`], which is what other processors run. [`super::simd512`] encodes faster.

use super::elements::{Codec, Decoding, Encoding, Number};
use super::stream;
use crate::compress::GROUP;
use crate::compress::block::group::{self, Real, Steps};
use std::arch::x86_64::*;

const LANES: usize = GROUP as usize;
/// Elements that begin with a byte, for every width.
const EIGHT: usize = 8;
/// Bytes of the widest group, and of an access that begins with its last one.
const ROOM: usize = 4 * 52 + 16;

/// A vector, as constants are written.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Bytes([u8; 32]);

/// What one vector's two halves need.
#[derive(Clone, Copy)]
struct Pair {
    /// The bytes of each lane's element, among its half's.
    bytes: Bytes,
    /// Bits below the element there.
    down: Bytes,
    /// Up and down by so many bits, the 64-bit lanes of a half are joined to 128 bits.
    left: Bytes,
    right: Bytes,
    /// Moves the byte in which a half begins to the front: of the half before the first, and of the first.
    carry: [Bytes; 2],
    /// Where the halves begin among the bytes of eight.
    at: [usize; 2],
}

/// For one width. Floats need one vector for eight elements, doubles two.
#[derive(Clone, Copy)]
pub struct Avx2Layout([Pair; 2]);

/// `lane` and `value` of a vector of lanes of `size` bytes.
const fn with(mut bytes: Bytes, size: usize, lane: usize, value: usize) -> Bytes {
    bytes.0[lane * size] = value as u8;
    bytes
}

impl Avx2Layout {
    /// `size`: bytes of an element.
    const fn of(bits: usize, size: usize) -> Avx2Layout {
        let zero = Bytes([0; 32]);
        let none = Pair { bytes: zero, down: zero, left: zero, right: zero, carry: [zero; 2], at: [0; 2] };
        let mut layout = Avx2Layout([none; 2]);
        let each = 16 / size;
        let mut half = 0;
        while half < EIGHT / each {
            let (vector, side) = (half / 2, half % 2);
            let mut pair = layout.0[vector];
            let start = half * each * bits;
            let within = start % 8;
            pair.at[side] = start / 8;
            let mut i = 0;
            while i < each {
                let (bit, lane) = (within + i * bits, side * each + i);
                pair.down = with(pair.down, size, lane, bit % 8);
                let mut byte = 0;
                while byte < size {
                    pair.bytes.0[lane * size + byte] = (bit / 8 + byte) as u8;
                    byte += 1;
                }
                i += 1;
            }
            // A 64-bit lane has one double's bits or two floats'.
            let lane_bits = bits * 8 / size;
            pair.left = with(pair.left, 8, 2 * side, within);
            pair.left = with(pair.left, 8, 2 * side + 1, within + lane_bits);
            pair.right = with(pair.right, 8, 2 * side, 64);
            pair.right = with(pair.right, 8, 2 * side + 1, 64 - lane_bits - within);
            let mut carry = Bytes([0x80; 32]);
            if half > 0 {
                carry.0[0] = (start / 8 - (start - each * bits) / 8) as u8;
            }
            pair.carry[side] = carry;
            layout.0[vector] = pair;
            half += 1;
        }
        layout
    }
}

static FLOATS: [Avx2Layout; 24] = layouts(4);
static DOUBLES: [Avx2Layout; 53] = layouts(8);

const fn layouts<const N: usize>(size: usize) -> [Avx2Layout; N] {
    let mut all = [Avx2Layout::of(4, size); N];
    let mut bits = 4;
    while bits < N {
        all[bits] = Avx2Layout::of(bits, size);
        bits += 1;
    }
    all
}

/// What is different for float and double. All of it asks for AVX2 and FMA.
///
/// # Safety
/// The pointers are valid for 16 bytes from each half's beginning on, and for eight numbers.
pub trait Eights: Sized {
    /// Encodes eight numbers; those inside of the range are counted in lanes of their own.
    unsafe fn encode(
        encoding: &Encoding<Self>,
        layout: &Avx2Layout,
        from: *const Self,
        to: *mut u8,
        inside: &mut __m256i,
    );
    unsafe fn decode(decoding: &Decoding<Self>, layout: &Avx2Layout, from: *const u8, to: *mut Self)
    where
        Self: Number;
    fn layout(bits: u32) -> &'static Avx2Layout;
}

#[inline]
#[target_feature(enable = "avx2")]
fn vector(bytes: &Bytes) -> __m256i {
    // SAFETY: 32 aligned bytes.
    unsafe { _mm256_load_si256((&raw const *bytes).cast()) }
}

/// Joins the 64-bit lanes of both halves, and stores them; `before` is the half before the first.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn store_halves(lanes: __m256i, pair: &Pair, before: __m128i, to: *mut u8) -> __m128i {
    let up = _mm256_sllv_epi64(lanes, vector(&pair.left));
    let down = _mm256_srlv_epi64(lanes, vector(&pair.right));
    let joined = _mm256_or_si256(_mm256_unpacklo_epi64(up, down), _mm256_unpackhi_epi64(up, down));
    let carried = |half, before, carry| {
        let carry = _mm256_castsi256_si128(vector(carry));
        _mm_or_si128(half, _mm_shuffle_epi8(before, carry))
    };
    let first = carried(_mm256_castsi256_si128(joined), before, &pair.carry[0]);
    let second = carried(_mm256_extracti128_si256::<1>(joined), first, &pair.carry[1]);
    // SAFETY: the caller's promise.
    unsafe {
        _mm_storeu_si128(to.add(pair.at[0]).cast(), first);
        _mm_storeu_si128(to.add(pair.at[1]).cast(), second);
    }
    second
}

/// The bytes of each lane's element, at the lane's beginning.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load_halves(pair: &Pair, from: *const u8) -> __m256i {
    // SAFETY: the caller's promise.
    let (first, second) = unsafe {
        (_mm_loadu_si128(from.add(pair.at[0]).cast()), _mm_loadu_si128(from.add(pair.at[1]).cast()))
    };
    _mm256_shuffle_epi8(_mm256_set_m128i(second, first), vector(&pair.bytes))
}

impl Eights for f32 {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn encode(
        encoding: &Encoding<f32>,
        layout: &Avx2Layout,
        from: *const f32,
        to: *mut u8,
        inside: &mut __m256i,
    ) {
        // SAFETY: the caller's promise.
        let x = unsafe { _mm256_loadu_ps(from) };
        let (min, max) = (_mm256_set1_ps(encoding.min), _mm256_set1_ps(encoding.max));
        let fits = _mm256_and_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(x, min), _mm256_cmp_ps::<_CMP_LE_OQ>(x, max));
        *inside = _mm256_sub_epi32(*inside, _mm256_castps_si256(fits));
        let x = _mm256_and_ps(x, _mm256_cmp_ps::<_CMP_ORD_Q>(x, x));
        let (inverse, offset) = (_mm256_set1_ps(encoding.inverse), _mm256_set1_ps(encoding.offset));
        let t = _mm256_fmadd_ps(x, inverse, offset);
        let (least, most) = (_mm256_set1_ps(encoding.least), _mm256_set1_ps(encoding.most));
        let t = _mm256_castps_si256(_mm256_min_ps(_mm256_max_ps(t, least), most));
        let t = _mm256_sll_epi32(t, _mm_cvtsi32_si128(encoding.up as i32));
        let mantissa = _mm256_and_si256(t, _mm256_set1_epi32((1 << f32::MANTISSA) - 1));
        let raw = _mm256_srl_epi32(mantissa, _mm_cvtsi32_si128(encoding.lost as i32));
        let bits = _mm_cvtsi32_si128((f32::MANTISSA - encoding.lost) as i32);
        let even = _mm256_and_si256(raw, _mm256_set1_epi64x(0xffff_ffff));
        let lanes = _mm256_or_si256(even, _mm256_sll_epi64(_mm256_srli_epi64::<32>(raw), bits));
        // SAFETY: the caller's promise.
        unsafe { store_halves(lanes, &layout.0[0], _mm_setzero_si128(), to) };
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn decode(decoding: &Decoding<f32>, layout: &Avx2Layout, from: *const u8, to: *mut f32) {
        let pair = &layout.0[0];
        // SAFETY: the caller's promise.
        let raw = _mm256_srlv_epi32(unsafe { load_halves(pair, from) }, vector(&pair.down));
        let kept = _mm256_sll_epi32(raw, _mm_cvtsi32_si128(decoding.lost as i32));
        let kept = _mm256_and_si256(kept, _mm256_set1_epi32((1 << f32::MANTISSA) - 1));
        let rest = _mm256_set1_epi32(decoding.rest as i32);
        let t = _mm256_castsi256_ps(_mm256_or_si256(kept, rest));
        let t = _mm256_sub_ps(t, _mm256_set1_ps(decoding.minus));
        let x = _mm256_fmadd_ps(t, _mm256_set1_ps(decoding.scale), _mm256_set1_ps(decoding.bias));
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_ps(to, x) };
    }

    fn layout(bits: u32) -> &'static Avx2Layout {
        &FLOATS[bits as usize]
    }
}

impl Eights for f64 {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn encode(
        encoding: &Encoding<f64>,
        layout: &Avx2Layout,
        from: *const f64,
        to: *mut u8,
        inside: &mut __m256i,
    ) {
        let (min, max) = (_mm256_set1_pd(encoding.min), _mm256_set1_pd(encoding.max));
        let mut before = _mm_setzero_si128();
        for (i, pair) in layout.0.iter().enumerate() {
            // SAFETY: the caller's promise.
            let x = unsafe { _mm256_loadu_pd(from.add(4 * i)) };
            let fits =
                _mm256_and_pd(_mm256_cmp_pd::<_CMP_GE_OQ>(x, min), _mm256_cmp_pd::<_CMP_LE_OQ>(x, max));
            // Both of a lane's 32-bit counters count it.
            *inside = _mm256_sub_epi32(*inside, _mm256_castpd_si256(fits));
            let x = _mm256_and_pd(x, _mm256_cmp_pd::<_CMP_ORD_Q>(x, x));
            let (inverse, offset) = (_mm256_set1_pd(encoding.inverse), _mm256_set1_pd(encoding.offset));
            let t = _mm256_fmadd_pd(x, inverse, offset);
            let (least, most) = (_mm256_set1_pd(encoding.least), _mm256_set1_pd(encoding.most));
            let t = _mm256_castpd_si256(_mm256_min_pd(_mm256_max_pd(t, least), most));
            let mantissa = _mm256_set1_epi64x((1 << f64::MANTISSA) - 1);
            let t = _mm256_sll_epi64(t, _mm_cvtsi32_si128(encoding.up as i32));
            let mantissa = _mm256_and_si256(t, mantissa);
            let lanes = _mm256_srl_epi64(mantissa, _mm_cvtsi32_si128(encoding.lost as i32));
            // SAFETY: the caller's promise.
            before = unsafe { store_halves(lanes, pair, before, to) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn decode(decoding: &Decoding<f64>, layout: &Avx2Layout, from: *const u8, to: *mut f64) {
        for (i, pair) in layout.0.iter().enumerate() {
            // SAFETY: the caller's promise.
            let raw = _mm256_srlv_epi64(unsafe { load_halves(pair, from) }, vector(&pair.down));
            let kept = _mm256_sll_epi64(raw, _mm_cvtsi32_si128(decoding.lost as i32));
            let kept = _mm256_and_si256(kept, _mm256_set1_epi64x((1 << f64::MANTISSA) - 1));
            let rest = _mm256_set1_epi64x(decoding.rest as i64);
            let t = _mm256_castsi256_pd(_mm256_or_si256(kept, rest));
            let t = _mm256_sub_pd(t, _mm256_set1_pd(decoding.minus));
            let x = _mm256_fmadd_pd(t, _mm256_set1_pd(decoding.scale), _mm256_set1_pd(decoding.bias));
            // SAFETY: the caller's promise.
            unsafe { _mm256_storeu_pd(to.add(4 * i), x) };
        }
    }

    fn layout(bits: u32) -> &'static Avx2Layout {
        &DOUBLES[bits as usize]
    }
}

/// Encodes whole groups into their words; how many elements lay outside of the range.
///
/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub unsafe fn encode<T: Number>(codec: &Codec<T>, bits: u32, groups: &[T], words: &mut [u32]) -> u64 {
    let Some(last) = groups.len().checked_sub(LANES) else { return 0 };
    let words = &mut words[..groups.len() / LANES * bits as usize];
    let layout = <T as Eights>::layout(bits);
    let encoding = Encoding::from(codec);
    let mut inside = _mm256_setzero_si256();
    let mut end = [0u8; ROOM];
    // SAFETY: a group is at least 16 bytes, so halves of the groups before the last end within it; that one is
    // encoded elsewhere.
    unsafe {
        let to = words.as_mut_ptr().cast::<u8>();
        for i in (0..last).step_by(EIGHT) {
            stream::fetch_line(groups.as_ptr().add(i));
            T::encode(
                &encoding,
                layout,
                groups.as_ptr().add(i),
                to.add(i / EIGHT * bits as usize),
                &mut inside,
            );
        }
        for i in (0..LANES).step_by(EIGHT) {
            let to = end.as_mut_ptr().add(i / EIGHT * bits as usize);
            T::encode(&encoding, layout, groups.as_ptr().add(last + i), to, &mut inside);
        }
        let to = to.add(last / EIGHT * bits as usize);
        std::ptr::copy_nonoverlapping(end.as_ptr(), to, 4 * bits as usize);
    }
    let mut counts = [0u32; 8];
    // SAFETY: room for the vector.
    unsafe { _mm256_storeu_si256(counts.as_mut_ptr().cast(), inside) };
    let inside = counts.iter().map(|n| u64::from(*n)).sum::<u64>() * 4 / size_of::<T>() as u64;
    groups.len() as u64 - inside
}

/// Encodes whole groups that have exponents; how many values were infinite or no numbers.
///
/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub unsafe fn encode_blocks<T: Real>(
    steps: &Steps<T>,
    from: &[T],
    words: &mut [u32],
    exponents: &mut [T::Exponent],
) -> u64 {
    let groups = from.as_chunks::<LANES>().0;
    let Some(last) = groups.len().checked_sub(1) else { return 0 };
    let words = &mut words[..groups.len() * steps.bits as usize];
    let (layout, bytes) = (<T as Eights>::layout(steps.bits), 4 * steps.bits as usize);
    let mut encoding = steps.encoding();
    let mut inside = _mm256_setzero_si256();
    let mut end = [0u8; ROOM];
    let mut outside = 0;
    // SAFETY: as in `encode`.
    unsafe {
        let to = words.as_mut_ptr().cast::<u8>();
        for (at, (values, place)) in groups.iter().zip(exponents).enumerate() {
            let (exponent, not_held) = group::exponent(values);
            (*place, encoding.inverse) = (exponent, T::inverse(exponent));
            outside += not_held;
            let to = if at == last { end.as_mut_ptr() } else { to.add(at * bytes) };
            for i in (0..LANES).step_by(EIGHT) {
                let from = values.as_ptr().add(i);
                stream::fetch_line(from);
                T::encode(&encoding, layout, from, to.add(i * bytes / LANES), &mut inside);
            }
        }
        std::ptr::copy_nonoverlapping(end.as_ptr(), to.add(last * bytes), bytes);
    }
    outside
}

/// Decodes whole groups.
///
/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub unsafe fn decode<T: Number>(codec: &Codec<T>, bits: u32, words: &[u32], groups: &mut [T]) {
    let Some(last) = groups.len().checked_sub(LANES) else { return };
    let words = &words[..groups.len() / LANES * bits as usize];
    let layout = <T as Eights>::layout(bits);
    let decoding = Decoding::from(codec);
    let mut end = [0u8; ROOM];
    // SAFETY: as in `encode`.
    unsafe {
        let from = words.as_ptr().cast::<u8>();
        for i in (0..last).step_by(EIGHT) {
            stream::fetch_line(from.add(i / EIGHT * bits as usize));
            T::decode(&decoding, layout, from.add(i / EIGHT * bits as usize), groups.as_mut_ptr().add(i));
        }
        let from = from.add(last / EIGHT * bits as usize);
        std::ptr::copy_nonoverlapping(from, end.as_mut_ptr(), 4 * bits as usize);
        for i in (0..LANES).step_by(EIGHT) {
            let from = end.as_ptr().add(i / EIGHT * bits as usize);
            T::decode(&decoding, layout, from, groups.as_mut_ptr().add(last + i));
        }
    }
}

/// Decodes whole groups that have exponents.
///
/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub unsafe fn decode_blocks<T: Real>(
    steps: &Steps<T>,
    words: &[u32],
    exponents: &[T::Exponent],
    to: &mut [T],
) {
    let groups = to.as_chunks_mut::<LANES>().0;
    let Some(last) = groups.len().checked_sub(1) else { return };
    let words = &words[..groups.len() * steps.bits as usize];
    let (layout, bytes) = (<T as Eights>::layout(steps.bits), 4 * steps.bits as usize);
    let mut decoding = steps.decoding();
    let mut end = [0u8; ROOM];
    // SAFETY: as in `encode`.
    unsafe {
        let from = words.as_ptr().cast::<u8>();
        std::ptr::copy_nonoverlapping(from.add(last * bytes), end.as_mut_ptr(), bytes);
        for (at, (values, exponent)) in groups.iter_mut().zip(exponents).enumerate() {
            decoding.scale = T::scale(*exponent);
            let from = if at == last { end.as_ptr() } else { from.add(at * bytes) };
            for i in (0..LANES).step_by(EIGHT) {
                let from = from.add(i * bytes / LANES);
                stream::fetch_line(from);
                T::decode(&decoding, layout, from, values.as_mut_ptr().add(i));
            }
        }
    }
}
