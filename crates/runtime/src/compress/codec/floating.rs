//! Elements that are floating numbers of 16 bits, as `compress::floating` of the compiler's transforms has them.

use super::elements::{self, Number};
use accl_abi::scheme;

/// 2^112: between the biases of float and half.
const BIASES: f32 = f32::from_bits(0x7780_0000);

/// To the nearest, to even in the middle.
#[inline(always)]
fn rounded(bits: u32, n: u32) -> u32 {
    bits.wrapping_add((1 << (n - 1)) - 1).wrapping_add(bits >> n & 1) >> n
}

#[inline(always)]
pub fn to_half(x: f32) -> u16 {
    let bits = x.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let moved = (f32::from_bits(magnitude) * (1.0 / BIASES)).to_bits();
    let finite = if magnitude >= 0x477f_f000 { 0x7c00 } else { rounded(moved, 13) };
    let any = if magnitude > 0x7f80_0000 { 0x7e00 } else { finite };
    (any | bits >> 16 & 0x8000) as u16
}

#[inline(always)]
pub fn of_half(raw: u16) -> f32 {
    let raw = u32::from(raw);
    let magnitude = raw & 0x7fff;
    let scaled = (f32::from_bits(magnitude << 13) * BIASES).to_bits();
    let bits = if magnitude >= 0x7c00 { scaled | 0x7f80_0000 } else { scaled };
    f32::from_bits(bits | (raw & 0x8000) << 16)
}

#[inline(always)]
pub fn to_bfloat(x: f32) -> u16 {
    let bits = x.to_bits();
    if bits & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0 } else { rounded(bits, 16) as u16 }
}

#[inline(always)]
pub fn of_bfloat(raw: u16) -> f32 {
    f32::from_bits(u32::from(raw) << 16)
}

/// Encodes a run.
pub fn encode<T: Number>(scheme: u32, from: &[T], to: &mut [u16]) {
    #[cfg(target_arch = "x86_64")]
    if elements::is_fast() {
        #[target_feature(enable = "avx2")]
        fn fast<T: Number>(scheme: u32, from: &[T], to: &mut [u16]) {
            encode_loop(scheme, from, to);
        }
        // SAFETY: the processor has what the function asks for.
        return unsafe { fast(scheme, from, to) };
    }
    encode_loop(scheme, from, to);
}

/// Decodes a run.
pub fn decode<T: Number>(scheme: u32, from: &[u16], to: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    if elements::is_fast() {
        #[target_feature(enable = "avx2")]
        fn fast<T: Number>(scheme: u32, from: &[u16], to: &mut [T]) {
            decode_loop(scheme, from, to);
        }
        // SAFETY: as above.
        return unsafe { fast(scheme, from, to) };
    }
    decode_loop(scheme, from, to);
}

#[inline(always)]
fn encode_loop<T: Number>(scheme: u32, from: &[T], to: &mut [u16]) {
    let pairs = from.iter().zip(to);
    match scheme {
        scheme::HALF => pairs.for_each(|(x, unit)| *unit = to_half(x.to_float())),
        _ => pairs.for_each(|(x, unit)| *unit = to_bfloat(x.to_float())),
    }
}

#[inline(always)]
fn decode_loop<T: Number>(scheme: u32, from: &[u16], to: &mut [T]) {
    let pairs = from.iter().zip(to);
    match scheme {
        scheme::HALF => pairs.for_each(|(unit, x)| *x = T::of_float(of_half(*unit))),
        _ => pairs.for_each(|(unit, x)| *x = T::of_float(of_bfloat(*unit))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back() {
        for raw in 0..=u16::MAX {
            let x = of_half(raw);
            if !x.is_nan() {
                assert_eq!(to_half(x), raw, "{x}");
            }
        }
        assert!(of_half(to_half(f32::NAN)).is_nan());
        assert_eq!((of_half(0x3c00), of_half(0x0001), of_half(0xfbff)), (1.0, 5.960_464_5e-8, -65504.0));
        assert_eq!((to_half(65519.0), to_half(65520.0), to_half(1e-8)), (0x7bff, 0x7c00, 0));
    }

    #[test]
    fn halves_round_to_the_nearest() {
        // Between 1 and the next half lie 2^-10: ties go to even.
        assert_eq!(to_half(1.0 + 0.49 / 1024.0), 0x3c00);
        assert_eq!(to_half(1.0 + 0.5 / 1024.0), 0x3c00);
        assert_eq!(to_half(1.0 + 1.5 / 1024.0), 0x3c02);
    }

    #[test]
    fn every_bfloat_comes_back() {
        for raw in 0..=u16::MAX {
            let x = of_bfloat(raw);
            if !x.is_nan() {
                assert_eq!(to_bfloat(x), raw);
            }
        }
        assert!(of_bfloat(to_bfloat(f32::NAN)).is_nan());
    }
}
