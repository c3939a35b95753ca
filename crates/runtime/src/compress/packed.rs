//! Elements of a width that is no unit of memory: packed without padding into 32-bit words, the first element in
//! the lowest bits.

use super::codec::{Codec, Number};

/// Encodes `from` into bits `first * bits` and on of `words`; other bits stay. How many lay outside of the range.
pub fn encode<T: Number>(codec: &Codec<T>, bits: u32, from: &[T], words: &mut [u32], first: usize) -> u64 {
    let mask = mask(bits);
    let mut outside = 0;
    for (i, x) in from.iter().enumerate() {
        outside += u64::from(codec.is_outside(*x));
        put(words, (first + i) * bits as usize, mask, codec.encode(*x) & mask);
    }
    outside
}

/// The elements from number `first` of `words` on.
pub fn decode<T: Number>(codec: &Codec<T>, bits: u32, words: &[u32], first: usize, to: &mut [T]) {
    let mask = mask(bits);
    for (i, x) in to.iter_mut().enumerate() {
        *x = codec.decode(get(words, (first + i) * bits as usize, mask));
    }
}

fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// The words that a bit and the 95 behind it lie in.
#[inline(always)]
fn get(words: &[u32], bit: usize, mask: u64) -> u64 {
    let (at, within) = (bit / 32, bit % 32);
    let word = |ahead: usize| u128::from(words.get(at + ahead).copied().unwrap_or(0));
    ((word(0) | word(1) << 32 | word(2) << 64) >> within) as u64 & mask
}

#[inline(always)]
fn put(words: &mut [u32], bit: usize, mask: u64, raw: u64) {
    let (at, within) = (bit / 32, bit % 32);
    let (mask, raw) = (u128::from(mask) << within, u128::from(raw) << within);
    for (ahead, word) in words[at..].iter_mut().take(3).enumerate() {
        let (mask, raw) = ((mask >> (32 * ahead)) as u32, (raw >> (32 * ahead)) as u32);
        *word = *word & !mask | raw;
    }
}
