//! Encoding of packed elements with AVX-512: a vector of 16 floats or 8 doubles at a time.
//!
//! As in [`super::simd`] elements are joined to halves of 16 bytes, four in a vector here; then one permutation puts
//! all bytes where they belong, another one adds those in which two halves meet. Decoding waits for memory without
//! this already.
//!
//! The bits are those of [`super::packed`].

use super::GROUP;
use super::codec::{Codec, Number};
use std::arch::x86_64::*;

const LANES: usize = GROUP as usize;
/// Groups at the end that are encoded elsewhere first, since stores reach beyond what they are for.
const LAST: usize = 4 * LANES;
const ROOM: usize = 4 * 4 * 52 + 64;

/// For one width.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Layout {
    /// Up and down by so many bits, the 64-bit lanes of a half are joined to 128 bits.
    left: [u64; 8],
    right: [u64; 8],
    /// The byte of the halves that each byte of the result begins with, and the one added to it.
    bytes: [u8; 64],
    added: [u8; 64],
    /// Where one is added.
    adds: u64,
}

impl Layout {
    /// `size`: bytes of an element.
    const fn of(bits: usize, size: usize) -> Layout {
        let mut layout = Layout { left: [0; 8], right: [64; 8], bytes: [0; 64], added: [0; 64], adds: 0 };
        let half_bits = 16 / size * bits;
        let mut half = 0;
        while half < 4 {
            let (start, end) = (half * half_bits, (half + 1) * half_bits);
            let within = start % 8;
            layout.left[2 * half] = within as u64;
            layout.left[2 * half + 1] = (within + half_bits / 2) as u64;
            layout.right[2 * half + 1] = (64 - half_bits / 2 - within) as u64;
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
}

pub static FLOATS: [Layout; 24] = layouts(4);
pub static DOUBLES: [Layout; 53] = layouts(8);

const fn layouts<const N: usize>(size: usize) -> [Layout; N] {
    let mut all = [Layout::of(4, size); N];
    let mut bits = 4;
    while bits < N {
        all[bits] = Layout::of(bits, size);
        bits += 1;
    }
    all
}

/// What is different for float and double. All of it asks for AVX-512 F and BW.
///
/// # Safety
/// The pointer is valid for a vector.
pub trait Vectors: Sized {
    fn layout(bits: u32) -> &'static Layout;
    /// The elements' bits, joined within 64-bit lanes; and how many of them lay inside of the range.
    unsafe fn lanes(codec: &Codec<Self>, from: *const Self) -> (__m512i, u32);
}

impl Vectors for f32 {
    fn layout(bits: u32) -> &'static Layout {
        &FLOATS[bits as usize]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,popcnt")]
    unsafe fn lanes(codec: &Codec<f32>, from: *const f32) -> (__m512i, u32) {
        // SAFETY: the caller's promise.
        let x = unsafe { _mm512_loadu_ps(from) };
        let above = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(x, _mm512_set1_ps(codec.min));
        let inside = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(above, x, _mm512_set1_ps(codec.max));
        let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(x, x);
        // What is no number counts as 0.
        let (inverse, offset) = (_mm512_set1_ps(codec.inverse), _mm512_set1_ps(codec.offset));
        let t = _mm512_mask3_fmadd_ps(x, inverse, offset, number);
        let t = _mm512_min_ps(_mm512_max_ps(t, _mm512_set1_ps(f32::ONE)), _mm512_set1_ps(f32::MOST));
        let mantissa = _mm512_and_si512(_mm512_castps_si512(t), _mm512_set1_epi32((1 << f32::MANTISSA) - 1));
        let raw = _mm512_srl_epi32(mantissa, _mm_cvtsi32_si128(codec.lost as i32));
        let bits = _mm_cvtsi32_si128((f32::MANTISSA - codec.lost) as i32);
        let odd = _mm512_sll_epi64(_mm512_srli_epi64::<32>(raw), bits);
        // raw & low | odd
        let lanes = _mm512_ternarylogic_epi64::<0xea>(raw, _mm512_set1_epi64(0xffff_ffff), odd);
        (lanes, inside.count_ones())
    }
}

impl Vectors for f64 {
    fn layout(bits: u32) -> &'static Layout {
        &DOUBLES[bits as usize]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,popcnt")]
    unsafe fn lanes(codec: &Codec<f64>, from: *const f64) -> (__m512i, u32) {
        // SAFETY: the caller's promise.
        let x = unsafe { _mm512_loadu_pd(from) };
        let above = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(x, _mm512_set1_pd(codec.min));
        let inside = _mm512_mask_cmp_pd_mask::<_CMP_LE_OQ>(above, x, _mm512_set1_pd(codec.max));
        let number = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(x, x);
        let (inverse, offset) = (_mm512_set1_pd(codec.inverse), _mm512_set1_pd(codec.offset));
        let t = _mm512_mask3_fmadd_pd(x, inverse, offset, number);
        let t = _mm512_min_pd(_mm512_max_pd(t, _mm512_set1_pd(f64::ONE)), _mm512_set1_pd(f64::MOST));
        let mantissa = _mm512_set1_epi64((1 << f64::MANTISSA) - 1);
        let mantissa = _mm512_and_si512(_mm512_castpd_si512(t), mantissa);
        let lanes = _mm512_srl_epi64(mantissa, _mm_cvtsi32_si128(codec.lost as i32));
        (lanes, inside.count_ones())
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn joined(lanes: __m512i, layout: &Layout) -> __m512i {
    // SAFETY: 64 bytes each.
    let vector = |bytes: *const u8| unsafe { _mm512_loadu_si512(bytes.cast()) };
    let up = _mm512_sllv_epi64(lanes, vector(layout.left.as_ptr().cast()));
    let down = _mm512_srlv_epi64(lanes, vector(layout.right.as_ptr().cast()));
    let halves = _mm512_or_si512(_mm512_unpacklo_epi64(up, down), _mm512_unpackhi_epi64(up, down));
    let bytes = _mm512_permutexvar_epi8(vector(layout.bytes.as_ptr()), halves);
    let added = _mm512_maskz_permutexvar_epi8(layout.adds, vector(layout.added.as_ptr()), halves);
    _mm512_or_si512(bytes, added)
}

/// Encodes whole groups into their words; how many elements lay outside of the range.
///
/// # Safety
/// The processor has what [`is_there`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,popcnt")]
pub unsafe fn encode<T: Number>(codec: &Codec<T>, bits: u32, groups: &[T], words: &mut [u32]) -> u64 {
    let words = &mut words[..groups.len() / LANES * bits as usize];
    let layout = <T as Vectors>::layout(bits);
    let (codec, layout) = (*codec, *layout);
    let (step, bits) = (64 / size_of::<T>(), bits as usize);
    let last = groups.len().saturating_sub(LAST);
    let mut end = [0u8; ROOM];
    let mut inside = 0u64;
    // SAFETY: the last groups are at least 64 bytes, so stores of those before end within them; they are encoded
    // elsewhere themselves.
    unsafe {
        let mut run = |first: usize, behind: usize, to: *mut u8| {
            for i in (first..behind).step_by(step) {
                let (lanes, fitting) = T::lanes(&codec, groups.as_ptr().add(i));
                inside += u64::from(fitting);
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
    groups.len() as u64 - inside
}

pub fn is_there() -> bool {
    std::arch::is_x86_feature_detected!("avx512bw") && std::arch::is_x86_feature_detected!("avx512vbmi")
}
