//! Runs of packed elements, for kernels of the cpu device: they decode what a few iterations read, and encode what
//! these write, at once.

use crate::compress::CodecParameters;
use crate::compress::codec::elements::{Codec, Number};
use crate::compress::codec::packed;

/// # Safety
/// `words` begin with a group and hold `count` elements from number `first` on; `to` has room for these.
unsafe fn decode<T: Number>(
    to: *mut T,
    words: *const u32,
    (first, count): (i64, i64),
    bits: u32,
    parameters: CodecParameters,
) {
    // SAFETY: the caller's promise.
    let (words, first) = unsafe { from_group(words, first, bits) };
    let codec = Codec::<T>::new(&parameters, (0.0, 0.0), bits);
    let encoded = ((first + count as usize) * bits as usize).div_ceil(32);
    // SAFETY: the caller's promise.
    let (words, to) = unsafe {
        (std::slice::from_raw_parts(words, encoded), std::slice::from_raw_parts_mut(to, count as usize))
    };
    packed::decode(&codec, bits, words, first, to);
}

/// # Safety
/// `words` begin with a group and hold `count` elements from number `first` on, which nothing else uses.
unsafe fn encode<T: Number>(
    from: *const T,
    words: *mut u32,
    (first, count): (i64, i64),
    bits: u32,
    parameters: CodecParameters,
) {
    // SAFETY: the caller's promise.
    let (words, first) = unsafe { from_group(words, first, bits) };
    let codec = Codec::<T>::new(&parameters, (0.0, 0.0), bits);
    // SAFETY: the caller's promise.
    unsafe {
        let from = std::slice::from_raw_parts(from, count as usize);
        packed::encode_among(&codec, bits, from, words.cast_mut(), first);
    }
}

/// The words of an element's group, and its place there.
unsafe fn from_group(words: *const u32, first: i64, bits: u32) -> (*const u32, usize) {
    let group = first.div_euclid(crate::compress::GROUP) as isize;
    // SAFETY: the caller's promise.
    let words = unsafe { words.offset(group * bits as isize) };
    (words, first.rem_euclid(crate::compress::GROUP) as usize)
}

macro_rules! strips {
    ($decode:ident, $encode:ident, $ty:ty) => {
        /// See accl_abi.h.
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $decode(
            to: *mut $ty,
            words: *const u32,
            first: i64,
            count: i64,
            bits: u32,
            scale: $ty,
            bias: $ty,
        ) {
            let parameters =
                CodecParameters { scale: scale.into(), bias: bias.into(), ..CodecParameters::default() };
            // SAFETY: the caller's promise.
            unsafe { decode(to, words, (first, count), bits, parameters) }
        }

        /// See accl_abi.h.
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $encode(
            from: *const $ty,
            words: *mut u32,
            first: i64,
            count: i64,
            bits: u32,
            inverse: $ty,
            offset: $ty,
        ) {
            let parameters = CodecParameters {
                inverse: inverse.into(),
                offset: offset.into(),
                ..CodecParameters::default()
            };
            // SAFETY: the caller's promise.
            unsafe { encode(from, words, (first, count), bits, parameters) }
        }
    };
}

strips!(accl_decode_floats, accl_encode_floats, f32);
strips!(accl_decode_doubles, accl_encode_doubles, f64);
