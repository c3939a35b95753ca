//! Elements of a width that is no unit of memory: packed without padding into 32-bit words, the first element in
//! the lowest bits.
//!
//! A group of 32 elements fills as many words as an element has bits. Whole groups are encoded by [`super::simd`]
//! where the processor has it, otherwise into an array first and then moved together; what stands before and after
//! them by itself.

use super::elements::{self, Codec, Number, Word};
use crate::compress::GROUP;
use crate::compress::block::group::{Real, Steps};
use std::sync::atomic::{AtomicU32, Ordering};

const LANES: usize = GROUP as usize;
/// Bits of the widest element, and words of its group.
const MOST: usize = 52;

/// Encodes `from` into the elements `first` and on of `words`, which begin with a group; other bits stay. How many
/// lay outside of the range.
pub fn encode<T: Number>(codec: &Codec<T>, bits: u32, from: &[T], words: &mut [u32], first: usize) -> u64 {
    let (head, whole) = from.split_at((first.next_multiple_of(LANES) - first).min(from.len()));
    let mut outside = one_by_one(codec, bits, head, words, first);
    let group = first.div_ceil(LANES);
    let (groups, tail) = whole.split_at(whole.len() / LANES * LANES);
    let start = (group * bits as usize).min(words.len());
    outside += encode_groups(level(), codec, bits, groups, &mut words[start..]);
    outside += one_by_one(codec, bits, tail, words, group * LANES + groups.len());
    outside
}

/// As [`encode`], while other threads may change other elements of the words at both ends.
///
/// # Safety
/// `words` are valid for all these elements, and nothing else uses these.
pub unsafe fn encode_among<T: Number>(
    codec: &Codec<T>,
    bits: u32,
    from: &[T],
    words: *mut u32,
    first: usize,
) {
    let (head, whole) = from.split_at((first.next_multiple_of(LANES) - first).min(from.len()));
    let (groups, tail) = whole.split_at(whole.len() / LANES * LANES);
    let group = first.div_ceil(LANES);
    let count = groups.len() / LANES * bits as usize;
    // SAFETY: the caller's promise; whole groups have words of their own.
    unsafe {
        replace(codec, bits, head, words, first);
        let start = words.add(group * bits as usize);
        encode_groups(level(), codec, bits, groups, std::slice::from_raw_parts_mut(start, count));
        replace(codec, bits, tail, words, group * LANES + groups.len());
    }
}

/// Replaces some elements of one group.
unsafe fn replace<T: Number>(codec: &Codec<T>, bits: u32, from: &[T], words: *mut u32, first: usize) {
    if from.is_empty() {
        return;
    }
    let (mut values, mut group) = ([T::ZERO; LANES], [0u32; MOST]);
    values[first % LANES..][..from.len()].copy_from_slice(from);
    encode_groups(level(), codec, bits, &values, &mut group[..bits as usize]);
    let (low, high) = (first % LANES * bits as usize, (first % LANES + from.len()) * bits as usize);
    for (at, new) in group.iter().enumerate().take(high.div_ceil(32)).skip(low / 32) {
        let (from, to) = (low.max(32 * at) - 32 * at, high.min(32 * at + 32) - 32 * at);
        let ours = u32::MAX >> (32 - (to - from)) << from;
        // SAFETY: the caller's promise.
        let word = unsafe { AtomicU32::from_ptr(words.add(first / LANES * bits as usize + at)) };
        if ours == u32::MAX {
            word.store(*new, Ordering::Relaxed);
        } else {
            word.fetch_and(!ours, Ordering::Relaxed);
            word.fetch_or(new & ours, Ordering::Relaxed);
        }
    }
}

/// The elements from number `first` of `words` on.
pub fn decode<T: Number>(codec: &Codec<T>, bits: u32, words: &[u32], first: usize, to: &mut [T]) {
    let (head, whole) = to.split_at_mut((first.next_multiple_of(LANES) - first).min(to.len()));
    apart(codec, bits, words, first, head);
    let group = first.div_ceil(LANES);
    let (groups, tail) = whole.split_at_mut(whole.len() / LANES * LANES);
    let end = group * LANES + groups.len();
    let start = (group * bits as usize).min(words.len());
    decode_groups(level(), codec, bits, &words[start..], groups);
    apart(codec, bits, words, end, tail);
}

/// What may encode and decode whole groups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SimdLevel {
    Plain,
    Avx2,
    Avx512,
}

/// The best that the processor has.
pub fn level() -> SimdLevel {
    #[cfg(target_arch = "x86_64")]
    if elements::is_fast() {
        return if super::simd512::is_there() { SimdLevel::Avx512 } else { SimdLevel::Avx2 };
    }
    SimdLevel::Plain
}

/// Encodes whole groups with the instructions of a level, no higher than [`level`]; how many values lay outside of the range.
pub fn encode_groups<T: Number>(
    level: SimdLevel,
    codec: &Codec<T>,
    bits: u32,
    groups: &[T],
    words: &mut [u32],
) -> u64 {
    match level {
        // SAFETY: the processor has what the functions ask for.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { super::simd512::encode(codec, bits, groups, words) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => unsafe { super::simd::encode(codec, bits, groups, words) },
        _ => encode_groups_plainly(codec, bits, groups, words),
    }
}

/// Encodes whole groups that have exponents, with the instructions of a level, no higher than [`level`]; how many values were infinite or no numbers. `None`
/// where only plain loops can.
pub fn encode_blocks<T: Real>(
    level: SimdLevel,
    steps: &Steps<T>,
    from: &[T],
    words: &mut [u32],
    exponents: &mut [T::Exponent],
) -> Option<u64> {
    match level {
        // SAFETY: the processor has what the functions ask for.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => Some(unsafe { super::simd512::encode_blocks(steps, from, words, exponents) }),
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => Some(unsafe { super::simd::encode_blocks(steps, from, words, exponents) }),
        _ => None,
    }
}

/// The other way round; false where only plain loops can.
pub fn decode_blocks<T: Real>(
    level: SimdLevel,
    steps: &Steps<T>,
    words: &[u32],
    exponents: &[T::Exponent],
    to: &mut [T],
) -> bool {
    match level {
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 | SimdLevel::Avx512 => {
            // SAFETY: as above.
            unsafe { super::simd::decode_blocks(steps, words, exponents, to) };
            true
        }
        _ => false,
    }
}

/// Decodes whole groups with the instructions of a level, no higher than [`level`].
pub fn decode_groups<T: Number>(
    level: SimdLevel,
    codec: &Codec<T>,
    bits: u32,
    words: &[u32],
    groups: &mut [T],
) {
    match level {
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 | SimdLevel::Avx512 => unsafe { super::simd::decode(codec, bits, words, groups) },
        _ => decode_groups_plainly(codec, bits, words, groups),
    }
}

fn encode_groups_plainly<T: Number>(codec: &Codec<T>, bits: u32, groups: &[T], words: &mut [u32]) -> u64 {
    let mut outside = 0;
    for (values, words) in groups.chunks_exact(LANES).zip(words.chunks_exact_mut(bits as usize)) {
        let mut raw = [T::Word::default(); LANES];
        outside += elements::encode_words(codec, values, &mut raw);
        join(&raw, bits, words);
    }
    outside
}

fn decode_groups_plainly<T: Number>(codec: &Codec<T>, bits: u32, words: &[u32], groups: &mut [T]) {
    for (values, words) in groups.chunks_exact_mut(LANES).zip(words.chunks_exact(bits as usize)) {
        let mut raw = [T::Word::default(); LANES];
        part(words, bits, &mut raw);
        elements::decode_words(codec, &raw, values);
    }
}

/// Moves the bits of a group into its words, one element after the other. Compiled for each width up to 32, so that
/// all shifts are constants.
pub fn join<W: Word>(raw: &[W; LANES], bits: u32, words: &mut [u32]) {
    macro_rules! widths {
        ($($n:literal)*) => { match bits { $( $n => join_narrow::<W, $n>(raw, words), )* _ => join_wide(raw, bits, words) } };
    }
    widths!(4 5 6 7 9 10 11 12 13 14 15 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
}

/// The other way round.
pub fn part<W: Word>(words: &[u32], bits: u32, raw: &mut [W; LANES]) {
    macro_rules! widths {
        ($($n:literal)*) => { match bits { $( $n => part_narrow::<W, $n>(words, raw), )* _ => part_wide(words, bits, raw) } };
    }
    widths!(4 5 6 7 9 10 11 12 13 14 15 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
}

/// Repeats a statement for each element of a group, its number a constant. A loop would not be unrolled so far.
macro_rules! each_element {
    ($i:ident => $body:block) => {
        each_element!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    (@ $i:ident $body:block $($n:literal)*) => { $( { const fn number() -> usize { $n } let $i = number(); $body } )* };
}

fn join_narrow<W: Word, const BITS: usize>(raw: &[W; LANES], words: &mut [u32]) {
    let Some(to) = words.first_chunk_mut::<BITS>() else { return };
    let mask = u32::MAX >> (32 - BITS);
    let mut words = [0; BITS];
    each_element!(i => {
        let value = raw[i].low() & mask;
        let (at, within) = (i * BITS / 32, i * BITS % 32);
        words[at] |= value << within;
        if within + BITS > 32 {
            words[at + 1] |= value >> (32 - within);
        }
    });
    *to = words;
}

fn part_narrow<W: Word, const BITS: usize>(words: &[u32], raw: &mut [W; LANES]) {
    let Some(words) = words.first_chunk::<BITS>() else { return };
    let mask = u32::MAX >> (32 - BITS);
    each_element!(i => {
        let (at, within) = (i * BITS / 32, i * BITS % 32);
        let mut value = words[at] >> within;
        if within + BITS > 32 {
            value |= words[at + 1] << (32 - within);
        }
        raw[i] = W::of_low(value & mask);
    });
}

fn join_wide<W: Word>(raw: &[W; LANES], bits: u32, words: &mut [u32]) {
    let mask = mask(bits);
    let (mut pending, mut count, mut at) = (0u128, 0, 0);
    for element in raw {
        pending |= u128::from((*element).into() & mask) << count;
        count += bits;
        while count >= 32 {
            words[at] = pending as u32;
            pending >>= 32;
            count -= 32;
            at += 1;
        }
    }
}

fn part_wide<W: Word>(words: &[u32], bits: u32, raw: &mut [W; LANES]) {
    let mask = mask(bits);
    let (mut pending, mut count, mut at) = (0u128, 0, 0);
    for element in raw {
        while count < bits {
            pending |= u128::from(words[at]) << count;
            count += 32;
            at += 1;
        }
        *element = W::of_wide(pending as u64 & mask);
        pending >>= bits;
        count -= bits;
    }
}

fn one_by_one<T: Number>(codec: &Codec<T>, bits: u32, from: &[T], words: &mut [u32], first: usize) -> u64 {
    let mask = mask(bits);
    let mut outside = 0;
    for (i, x) in from.iter().enumerate() {
        outside += u64::from(codec.is_outside(*x));
        put(words, (first + i) * bits as usize, mask, codec.encode(*x).into() & mask);
    }
    outside
}

/// Some elements of one group.
fn apart<T: Number>(codec: &Codec<T>, bits: u32, words: &[u32], first: usize, to: &mut [T]) {
    if to.is_empty() {
        return;
    }
    let (mut values, mut group) = ([T::ZERO; LANES], [0u32; MOST]);
    let words = &words[first / LANES * bits as usize..];
    let known = words.len().min(bits as usize);
    group[..known].copy_from_slice(&words[..known]);
    decode_groups(level(), codec, bits, &group[..bits as usize], &mut values);
    to.copy_from_slice(&values[first % LANES..][..to.len()]);
}

fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

fn put(words: &mut [u32], bit: usize, mask: u64, raw: u64) {
    let (at, within) = (bit / 32, bit % 32);
    let (mask, raw) = (u128::from(mask) << within, u128::from(raw) << within);
    for (ahead, word) in words[at..].iter_mut().take(3).enumerate() {
        let (mask, raw) = ((mask >> (32 * ahead)) as u32, (raw >> (32 * ahead)) as u32);
        *word = *word & !mask | raw;
    }
}
