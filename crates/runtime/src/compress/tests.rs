//! The codecs over random data of every distribution and width.

use super::StoredFormat;
use super::codec::elements::{self, Codec, Number};
use super::codec::packed::{self, SimdLevel};
use super::codec::parameters::limits;
use super::codec::range;
use crate::location::{SourceLocation, routine};
use accl_abi::{Format, Site, scalar_type, scheme};
use proptest::prelude::*;

static SITE: Site = routine(c"test");

fn stored(scheme: u32, double: bool, bits: u32, range: (f64, f64)) -> StoredFormat {
    let type_ = if double { scalar_type::F64 } else { scalar_type::F32 };
    let format = Format {
        scheme,
        bits,
        type_,
        members: 1,
        layout: 1,
        has_range: 1,
        min: range.0,
        max: range.1,
        checked: 0,
        reserved: 0,
    };
    StoredFormat::new(&format, range, 4096, SourceLocation(&SITE), 0)
}

/// Normal and one-sided numbers, huge and tiny ones, constants, zeros, denormals, what is no number.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1.0..1.0f64,
        2 => 1000.0..1001.0f64,
        2 => any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(|x| x % 1e30),
        1 => (-300i32..300).prop_map(|e| 2f64.powi(e)),
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(7.25),
        1 => Just(f64::MIN_POSITIVE),
        1 => Just(1e-320),
        1 => Just(1e-40),
        1 => Just(f64::from(f32::MAX)),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
        1 => Just(f64::NAN),
    ]
}

pub fn values() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(value(), 1..200),
        prop::collection::vec(-3.0..5.0f64, 1..200),
        (value(), 1..100usize).prop_map(|(x, n)| vec![x; n]),
        // A range of one side, and its very ends.
        prop::collection::vec(100.0..101.0f64, 1..100).prop_map(|mut v| {
            v.extend([100.0, 101.0]);
            v
        }),
    ]
}

/// Through the encoded form, by the loops that transfers use.
fn through<T: Number + Default>(stored: &StoredFormat, values: &[T], first: usize) -> Vec<T> {
    let codec = Codec::<T>::new(&stored.parameters, stored.ends(), stored.bits);
    let mut back = vec![T::default(); values.len()];
    macro_rules! direct {
        ($unit:ty) => {{
            let mut units = vec![<$unit>::MAX; values.len()];
            elements::encode(&codec, values, &mut units);
            elements::decode(&codec, &units, &mut back);
        }};
    }
    match stored.bits {
        8 => direct!(u8),
        16 => direct!(u16),
        32 => direct!(u32),
        bits => {
            let mut words = vec![0xa5a5_a5a5u32; ((first + values.len()) * bits as usize).div_ceil(32)];
            packed::encode(&codec, bits, values, &mut words, first);
            packed::decode(&codec, bits, &words, first, &mut back);
        }
    }
    back
}

/// What is stored of a value: the nearest number that the range has.
fn wanted(stored: &StoredFormat, x: f64) -> f64 {
    let (min, max) = stored.ends();
    if x.is_nan() { 0f64.clamp(min, max) } else { x.clamp(min, max) }
}

/// Half an interval, and a few roundings in the element's type.
fn bound(stored: &StoredFormat) -> f64 {
    let (min, max) = stored.ends();
    let ulp = if stored.double { f64::EPSILON } else { f32::EPSILON.into() };
    (max - min) * 0.5f64.powi(stored.bits as i32 + 1) + 4.0 * ulp * min.abs().max(max.abs())
}

fn check<T: Number + Default + Into<f64>>(
    stored: &StoredFormat,
    values: &[T],
    first: usize,
) -> Result<(), TestCaseError> {
    let back = through(stored, values, first);
    for (x, y) in values.iter().zip(&back) {
        let (x, y): (f64, f64) = ((*x).into(), (*y).into());
        let off = (y - wanted(stored, x)).abs();
        prop_assert!(off <= bound(stored), "{x} came back as {y}, {off:e} off, bound {:e}", bound(stored));
    }
    // One element at a time gives the same bits as the loops.
    let codec = Codec::<T>::new(&stored.parameters, stored.ends(), stored.bits);
    let mask = (1u64 << stored.bits) - 1;
    for (x, y) in values.iter().zip(&back) {
        let raw: u64 = codec.encode(*x).into();
        let one = codec.decode(<T::Word as elements::Word>::of_wide(raw & mask));
        prop_assert!(one.bits().into() == (*y).bits().into());
    }
    Ok(())
}

fn found_range(double: bool, values: &[f64]) -> (f64, f64) {
    match double {
        true => range::of_doubles(values),
        false => range::of_floats(&values.iter().map(|x| *x as f32).collect::<Vec<_>>()),
    }
}

proptest! {
    #[test]
    fn floats_come_back_within_the_bound(
        values in values(), bits in 4..=23u32, affine in any::<bool>(), first in 0..40usize
    ) {
        let scheme = if affine { scheme::AFFINE } else { scheme::RANGE };
        let stored = stored(scheme, false, bits, found_range(false, &values));
        let floats: Vec<f32> = values.iter().map(|x| *x as f32).collect();
        check(&stored, &floats, first)?;
    }

    #[test]
    fn doubles_come_back_within_the_bound(
        values in values(), bits in 4..=52u32, affine in any::<bool>(), first in 0..40usize
    ) {
        let scheme = if affine { scheme::AFFINE } else { scheme::RANGE };
        let stored = stored(scheme, true, bits, found_range(true, &values));
        check(&stored, &values, first)?;
    }

    #[test]
    fn floats_that_were_decoded_are_found_again(
        ends in ends(), bits in 4..=23u32, affine in any::<bool>(), raws in prop::collection::vec(any::<u64>(), 1..50)
    ) {
        let scheme = if affine { scheme::AFFINE } else { scheme::RANGE };
        check_found_again::<f32>(&stored(scheme, false, bits, ends), raws)?;
    }

    #[test]
    fn doubles_that_were_decoded_are_found_again(
        ends in ends(), bits in 4..=52u32, affine in any::<bool>(), raws in prop::collection::vec(any::<u64>(), 1..50)
    ) {
        let scheme = if affine { scheme::AFFINE } else { scheme::RANGE };
        check_found_again::<f64>(&stored(scheme, true, bits, ends), raws)?;
    }

    #[test]
    fn given_ranges_saturate_and_count(values in values(), bits in 4..=23u32, m in 1e-3..1e6f64) {
        let stored = stored(scheme::RANGE, false, bits, (-m, m));
        let floats: Vec<f32> = values.iter().map(|x| *x as f32).collect();
        check(&stored, &floats, 0)?;
        let codec = Codec::<f32>::new(&stored.parameters, stored.ends(), bits);
        let m = m as f32;
        let outside = floats.iter().filter(|x| x.is_nan() || **x > m || **x < -m).count();
        let mut raw = vec![0; floats.len()];
        prop_assert_eq!(elements::encode_words(&codec, &floats, &mut raw), outside as u64);
    }

    #[test]
    fn packed_elements_leave_their_neighbours(
        bits in prop_oneof![4..=23u32, Just(12u32)], first in 0..70usize, count in 0..150usize
    ) {
        let stored = stored(scheme::RANGE, false, bits, (-1.0, 1.0));
        let codec = Codec::<f32>::new(&stored.parameters, stored.ends(), bits);
        let total = 256;
        let before: Vec<f32> = (0..total).map(|i| (i as f32).sin()).collect();
        let mut words = vec![0u32; total * bits as usize / 32];
        packed::encode(&codec, bits, &before, &mut words, 0);
        let mut decoded = vec![0.0; total];
        packed::decode(&codec, bits, &words, 0, &mut decoded);
        let new = vec![0.75f32; count];
        let mut among = words.clone();
        packed::encode(&codec, bits, &new, &mut words, first);
        // SAFETY: all elements are within the words.
        unsafe { packed::encode_among(&codec, bits, &new, among.as_mut_ptr(), first) };
        prop_assert_eq!(&among, &words);
        let mut after = vec![0.0; total];
        packed::decode(&codec, bits, &words, 0, &mut after);
        for i in 0..total {
            let replaced = (first..first + count).contains(&i);
            let expected = if replaced { codec.decode(codec.encode(0.75) & ((1 << bits) - 1)) } else { decoded[i] };
            prop_assert_eq!(after[i], expected, "element {}", i);
        }
    }

    #[test]
    fn ranges_are_those_of_the_finite_values(values in values()) {
        let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        let expected = finite.iter().fold(None, |r: Option<(f64, f64)>, x| {
            Some(r.map_or((*x, *x), |(low, high)| (low.min(*x), high.max(*x))))
        });
        prop_assert_eq!(range::of_doubles(&values), expected.unwrap_or((0.0, 0.0)));
    }
}

/// Of ranges: far from zero, around it, empty ones, of the least and the largest magnitudes.
fn ends() -> impl Strategy<Value = (f64, f64)> {
    let around = prop_oneof![-10.0..10.0f64, 1e5..1.1e5f64, -1e-30..1e-30f64, -1e30..1e30f64, Just(0.0)];
    let extent =
        prop_oneof![0.0..1.0f64, 0.0..1e6f64, (-120..120i32).prop_map(|e| 1.3 * 2f64.powi(e)), Just(0.0)];
    (around, extent).prop_map(|(min, extent)| (min, min + extent))
}

/// What `bits_of` of built_in_kernels/ranges.inc does.
fn reencoded<T: Number>(codec: &Codec<T>, bits: u32, x: T) -> u64 {
    let decoded = |raw: u64| codec.decode(<T::Word as elements::Word>::of_wide(raw));
    let encoded: u64 = codec.encode(x).into();
    let raw = encoded & ((1 << bits) - 1);
    if decoded(raw) == x {
        return raw;
    }
    (0..bits)
        .rev()
        .map(|bit| 1u64 << bit)
        .fold(0, |raw, bit| if decoded(raw | bit) <= x { raw | bit } else { raw })
}

/// Numbers that come from decoding are found again, and decoding never falls as the bits rise.
fn check_found_again<T: Number>(stored: &StoredFormat, mut raws: Vec<u64>) -> Result<(), TestCaseError> {
    let codec = Codec::<T>::new(&stored.parameters, stored.ends(), stored.bits);
    let decoded = |raw: u64| codec.decode(<T::Word as elements::Word>::of_wide(raw));
    let mask = (1 << stored.bits) - 1;
    raws.extend([0, 1, mask - 1, mask, mask / 2, mask / 2 + 1]);
    raws.iter_mut().for_each(|raw| *raw &= mask);
    raws.sort_unstable();
    for raw in &raws {
        let x = decoded(*raw);
        let found = reencoded(&codec, stored.bits, x);
        prop_assert!(decoded(found).bits().into() == x.bits().into(), "{raw:#x} was found as {found:#x}");
    }
    prop_assert!(raws.windows(2).all(|two| decoded(two[0]) <= decoded(two[1])));
    Ok(())
}

/// What this processor's vectors do against what any processor does.
fn same_everywhere<T: Number + Default>(stored: &StoredFormat, values: &[T]) {
    let codec = Codec::<T>::new(&stored.parameters, stored.ends(), stored.bits);
    let count = values.len() / 32 * stored.bits as usize;
    let through = |level| {
        // The word after it is not touched.
        let mut words = vec![u32::MAX; count + 1];
        let outside = packed::encode_groups(level, &codec, stored.bits, values, &mut words);
        let mut back = vec![T::default(); values.len()];
        packed::decode_groups(level, &codec, stored.bits, &words, &mut back);
        let back: Vec<u64> = back.into_iter().map(|x| x.bits().into()).collect();
        (words, outside, back)
    };
    let plain = through(SimdLevel::Plain);
    for level in [SimdLevel::Avx2, SimdLevel::Avx512].into_iter().filter(|level| *level <= packed::level()) {
        assert!(through(level) == plain, "{level:?}, {} bits", stored.bits);
    }
}

#[test]
fn every_processor_makes_the_same_bits() {
    let values = |n: usize| (0..32 * n).map(|i| if i % 37 == 5 { f64::NAN } else { (i as f64).sin() * 1.1 });
    for groups in [1, 2, 4, 5, 9] {
        for bits in (4..=52).filter(|bits| !matches!(bits, 8 | 16 | 32)) {
            let doubles: Vec<f64> = values(groups).collect();
            same_everywhere(&stored(scheme::RANGE, true, bits, (-1.0, 1.0)), &doubles);
            if bits <= 23 {
                let floats: Vec<f32> = doubles.iter().map(|x| *x as f32).collect();
                same_everywhere(&stored(scheme::RANGE, false, bits, (-1.0, 1.0)), &floats);
            }
        }
    }
}

#[test]
fn zeros_are_exact() {
    for bits in [4, 8, 12, 16, 23] {
        let stored = stored(scheme::RANGE, false, bits, (0.0, 0.0));
        assert!(through(&stored, &[0.0f32, -0.0, 0.0], 0).iter().all(|x| *x == 0.0));
    }
}

#[test]
fn the_ends_do_not_change_sign() {
    // The paper's formula makes of +M the bits of -M.
    let stored = stored(scheme::RANGE, false, 16, (-4.0, 4.0));
    let back = through(&stored, &[4.0f32, -4.0], 0);
    assert!((back[0] - 4.0).abs() < 1e-4 && (back[1] + 4.0).abs() < 1e-4, "{back:?}");
}

#[test]
fn ranges_outside_of_the_limits_are_cut() {
    let (least, most) = limits(false);
    let wide = stored(scheme::RANGE, false, 16, (-3e38, 3e38));
    assert_eq!(wide.ends(), (-most, most));
    assert!(wide.parameters.bias.is_finite() && (wide.parameters.inverse as f32).is_normal());
    let narrow = stored(scheme::RANGE, false, 16, (0.0, 1e-42));
    assert_eq!(narrow.ends(), (-least, least));
    assert!((narrow.parameters.inverse as f32).is_finite());
}

#[test]
fn bases_are_found_before_and_behind_the_first_element() {
    let packed = stored(scheme::RANGE, false, 12, (-1.0, 1.0));
    assert_eq!(packed.locate(1 << 20, 0), (1 << 20, 0));
    assert_eq!(packed.locate(1 << 20, 33 * 4), ((1 << 20) + 48, 33));
    assert_eq!(packed.locate(1 << 20, -4), ((1 << 20) - 48, -1));
    let direct = stored(scheme::RANGE, true, 32, (-1.0, 1.0));
    assert_eq!(direct.locate(1 << 20, -24), ((1 << 20) - 12, -3));
}
