//! Groups over random data of every distribution and width, against the definition in whole numbers.

use super::group::{self, LANES, Packed, Real, Steps};
use super::runs::{self, GroupPart, Groups};
use crate::compress::StoredFormat;
use crate::compress::codec::packed::{self, SimdLevel};
use crate::compress::tests::values;
use crate::location::{SourceLocation, routine};
use accl_abi::{Format, Site, layout, scalar_type, scheme};
use proptest::prelude::*;

static SITE: Site = routine(c"test");

fn stored(double: bool, bits: u32, numbers: usize) -> StoredFormat {
    let (type_, size) = if double { (scalar_type::F64, 8) } else { (scalar_type::F32, 4) };
    let (scheme, layout) = (scheme::BLOCK, layout::SOA);
    let format = Format {
        scheme,
        bits,
        type_,
        members: 1,
        layout,
        has_range: 0,
        min: 0.0,
        max: 0.0,
        checked: 0,
        reserved: 0,
    };
    StoredFormat::new(&format, (0.0, 0.0), numbers * size, SourceLocation(&SITE), 0)
}

/// A device array.
struct Array {
    stored: StoredFormat,
    memory: Vec<u64>,
    numbers: usize,
}

impl Array {
    fn new(double: bool, bits: u32, numbers: usize) -> Array {
        let stored = stored(double, bits, numbers);
        Array { stored, memory: vec![0; stored.plane_bytes / 8], numbers }
    }

    fn groups(&mut self) -> Groups {
        let elements = self.memory.as_mut_ptr() as usize;
        Groups { elements, exponents: elements + self.stored.exponents }
    }

    fn part(&self, first: usize, count: usize) -> GroupPart {
        GroupPart { first, count, total: self.numbers }
    }

    fn put<T: Real>(&mut self, values: &[T], first: usize) -> u64 {
        let (groups, part) = (self.groups(), self.part(first, values.len()));
        // SAFETY: the array has room for them.
        unsafe { runs::encode_all(&self.stored, values.as_ptr().cast(), groups, part) }
    }

    fn get<T: Real>(&mut self, first: usize, count: usize) -> Vec<T> {
        let mut values = vec![T::ZERO; count];
        let (groups, part) = (self.groups(), self.part(first, count));
        // SAFETY: as above.
        unsafe { runs::decode_all(&self.stored, groups, values.as_mut_ptr().cast(), part) };
        values
    }
}

/// A float type with its least normal number and the arithmetic of the definition.
trait Float: Real + Into<f64> + std::fmt::Debug + PartialEq {
    const DOUBLE: bool;
    fn of(x: f64) -> Self;
    /// What the definition makes of a value in a group with this largest magnitude.
    fn defined(self, largest: Self, bits: u32) -> Self;
    fn least_normal() -> f64;
    fn largest() -> f64;
}

macro_rules! float {
    ($ty:ty, $double:literal) => {
        impl Float for $ty {
            const DOUBLE: bool = $double;
            fn of(x: f64) -> $ty {
                x as $ty
            }
            fn defined(self, largest: $ty, bits: u32) -> $ty {
                // A power of two, and the step: 2^(e + 2 - bits).
                let unit = <$ty>::scale(<$ty>::exponent(largest.order()));
                let step = unit * (2.0 as $ty).powi(2 - bits as i32);
                let most = ((1i64 << (bits - 1)) - 1) as $ty;
                let number = if self.is_nan() { 0.0 } else { self };
                // The quotient is exact: steps may be too small to divide by at once.
                let steps = number / unit * (2.0 as $ty).powi(bits as i32 - 2);
                steps.round_ties_even().clamp(-most, most) * step
            }
            fn least_normal() -> f64 {
                <$ty>::MIN_POSITIVE.into()
            }
            fn largest() -> f64 {
                <$ty>::MAX.into()
            }
        }
    };
}

float!(f32, false);
float!(f64, true);

/// What counts of a value: infinities are the largest number, what is no number is 0.
fn finite<T: Float>(x: T) -> T {
    let wide: f64 = x.into();
    let most = T::largest();
    if wide.is_nan() { T::ZERO } else { T::of(wide.clamp(-most, most)) }
}

fn largest<T: Float>(values: &[T]) -> T {
    values.iter().map(|x| T::of(finite(*x).into().abs())).fold(T::ZERO, |a, x| if x > a { x } else { a })
}

/// Each element against the stated bound, and bit by bit against the definition.
fn check<T: Float>(values: &[f64], bits: u32) -> Result<(), TestCaseError> {
    let values: Vec<T> = values.iter().map(|x| T::of(*x)).collect();
    let mut array = Array::new(T::DOUBLE, bits, values.len());
    let outside = array.put(&values, 0);
    let wide = |x: T| -> f64 { x.into() };
    prop_assert_eq!(outside, values.iter().filter(|x| !wide(**x).is_finite()).count() as u64);
    let back: Vec<T> = array.get(0, values.len());
    for (group, back) in values.chunks(LANES).zip(back.chunks(LANES)) {
        let most = largest(group);
        let bound = wide(most).max(T::least_normal()) * 0.5f64.powi(bits as i32 - 1);
        for (x, y) in group.iter().zip(back) {
            // Halves keep the difference of the largest numbers finite.
            let off = (wide(*y) / 2.0 - wide(finite(*x)) / 2.0).abs();
            prop_assert!(
                off <= bound / 2.0,
                "{:?} came back as {:?}: bound {:e}, largest {:?}",
                x,
                y,
                bound,
                most
            );
            prop_assert_eq!(*y, x.defined(most, bits));
        }
    }
    // What comes back is stored as it is.
    let again = array.memory.clone();
    array.put(&back, 0);
    prop_assert_eq!(&again, &array.memory);
    Ok(())
}

/// Over twelve decades, evenly by their logarithms; other distributions as for the other schemes.
fn wide_values() -> impl Strategy<Value = Vec<f64>> {
    let decades =
        (-6.0..6.0f64, any::<bool>()).prop_map(|(e, minus)| 10f64.powf(e) * if minus { -1.0 } else { 1.0 });
    prop_oneof![2 => values(), 1 => prop::collection::vec(decades, 1..300)]
}

proptest! {
    #[test]
    fn floats_come_back_within_the_bound(values in wide_values(), bits in 4..=23u32) {
        check::<f32>(&values, bits)?;
    }

    #[test]
    fn doubles_come_back_within_the_bound(values in wide_values(), bits in 4..=52u32) {
        check::<f64>(&values, bits)?;
    }

    #[test]
    fn parts_keep_their_neighbours(
        bits in prop_oneof![4..=23u32, Just(8u32), Just(16u32)],
        total in 1..200usize,
        (at, reach) in (0.0..1.0f64, 0.0..1.0f64)
    ) {
        let before: Vec<f32> = (0..total).map(|i| (i as f32).sin()).collect();
        let mut array = Array::new(false, bits, total);
        array.put(&before, 0);
        let encoded: Vec<f32> = array.get(0, total);
        let first = (at * total as f64) as usize;
        let count = (reach * (total - first) as f64) as usize;
        array.put(&vec![3.0f32; count], first);
        let after: Vec<f32> = array.get(0, total);
        for i in 0..total {
            let replaced = (first..first + count).contains(&i);
            let group = i / LANES * LANES..(i / LANES * LANES + LANES).min(total);
            let touched = group.clone().any(|k| (first..first + count).contains(&k));
            let want = if replaced { 3.0 } else { encoded[i] };
            let bound = if touched { 3.0 * 0.5f32.powi(bits as i32 - 1) } else { 0.0 };
            prop_assert!((after[i] - want).abs() <= bound, "element {}: {} for {}", i, after[i], want);
        }
        let part: Vec<f32> = array.get(first, count);
        prop_assert_eq!(&part[..], &after[first..first + count]);
    }
}

#[test]
fn zeros_and_powers_of_two_are_exact() {
    for bits in [4, 8, 12, 16, 23] {
        let mut array = Array::new(false, bits, 96);
        let mut values = vec![0.0f32; 96];
        values[40] = -64.0;
        values[41] = 64.0;
        values[42] = 32.0;
        array.put(&values, 0);
        assert_eq!(array.get::<f32>(0, 96), values, "{bits} bits");
    }
}

#[test]
fn small_values_beside_none_that_are_large_keep_their_digits() {
    let mut array = Array::new(true, 32, 64);
    let values: Vec<f64> = (0..64).map(|i| if i < 32 { 1e-30 * i as f64 } else { 1e30 * i as f64 }).collect();
    array.put(&values, 0);
    for (x, y) in values.iter().zip(array.get::<f64>(0, 64)) {
        assert!((x - y).abs() <= 64.0 * x.abs().max(1e-30) * 0.5f64.powi(31), "{x} {y}");
    }
}

#[test]
fn members_of_structures_are_gathered() {
    let (count, members) = (3000, 3);
    let plain = stored(false, 12, count);
    let mut array = Array { memory: vec![0; plain.plane_bytes / 8], stored: plain, numbers: count };
    array.stored = StoredFormat { members, plane: count, ..plain };
    let values: Vec<f32> = (0..count * members).map(|i| (i % 97) as f32).collect();
    let (groups, part) = (array.groups(), array.part(0, count));
    let mut back = vec![0.0f32; count * members];
    // SAFETY: each member's first is within the structures.
    unsafe {
        runs::encode_all(&array.stored, values.as_ptr().add(1).cast(), groups, part);
        runs::decode_all(&array.stored, groups, back.as_mut_ptr().add(1).cast(), part);
    }
    for i in 0..count * members {
        let want = if i % members == 1 { values[i] } else { 0.0 };
        assert!((back[i] - want).abs() <= 128.0 / 2048.0, "{i}: {} for {want}", back[i]);
    }
}

#[test]
fn bases_know_their_group() {
    let packed = stored(false, 12, 1000);
    assert_eq!(packed.locate(1 << 20, 33 * 4), ((1 << 20) + 48, 33));
    assert_eq!(
        (packed.place_in_group(33), packed.exponent_distance(33)),
        (1, packed.exponents as i64 + 1 - 48)
    );
    let direct = stored(true, 32, 1000);
    assert_eq!(direct.locate(1 << 20, -24), ((1 << 20) - 12, -3));
    assert_eq!(
        (direct.place_in_group(-3), direct.exponent_distance(-3)),
        (29, direct.exponents as i64 - 2 + 12)
    );
}

/// Of all vectors that this processor has, for each width; values that are no numbers, infinite and subnormal among them.
fn vectors_make_the_bits_of_the_loop<T: Float>(widths: std::ops::RangeInclusive<u32>) {
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e-42, 1e-310, f64::MAX];
    let value = |i: usize| match i % 37 {
        5 if i > 300 => T::of(special[i / 37 % special.len()]),
        _ => T::of((i as f64).sin() * 10f64.powi((i / 32) as i32 % 9 - 4)),
    };
    for bits in widths {
        for count in [1, 2, 5, 40] {
            let values: Vec<T> = (0..count * LANES).map(value).collect();
            let steps = Steps::<T>::new(bits);
            let room = || (vec![0u32; count * bits as usize], vec![T::exponent(T::ZERO.order()); count]);
            let ((mut words, mut exponents), (mut ours, mut own)) = (room(), room());
            let outside = group::encode_loop::<T, Packed>(&steps, &values, &mut words, &mut exponents);
            for level in
                [SimdLevel::Avx2, SimdLevel::Avx512].into_iter().filter(|level| *level <= packed::level())
            {
                let found = packed::encode_blocks(level, &steps, &values, &mut ours, &mut own);
                assert_eq!((found, &ours), (Some(outside), &words), "{level:?}, {bits} bits, {count} groups");
                let same = |(a, b): (&T::Exponent, &T::Exponent)| T::scale(*a) == T::scale(*b);
                assert!(own.iter().zip(&exponents).all(same));
                let (mut back, mut again) = (values.clone(), values.clone());
                group::decode_loop::<T, Packed>(&steps, &words, &exponents, &mut back);
                assert!(packed::decode_blocks(level, &steps, &words, &exponents, &mut again));
                let bits = |values: &[T]| values.iter().map(|x| x.bits().into()).collect::<Vec<u64>>();
                assert_eq!(bits(&back), bits(&again), "{level:?}, {steps:?}, {count} groups");
            }
        }
    }
}

#[test]
fn vectors_agree_for_floats() {
    vectors_make_the_bits_of_the_loop::<f32>(4..=23);
}

#[test]
fn vectors_agree_for_doubles() {
    vectors_make_the_bits_of_the_loop::<f64>(4..=52);
}
