//! Encoding and decoding by all cores: an array, or a chunk of one, in shares.
//!
//! Invariant: shares begin at whole groups, so that no two threads write the same word.

use super::codec::{self, Codec, Number};
use super::{GROUP, Stored, floating, is_floating, packed, range};
use crate::config::config;
use crate::device::team::Team;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// From this many elements on several threads work.
const SHARED: usize = 64 << 10;
/// A thread's share is a multiple of it, which is one of [`GROUP`].
const SHARE: usize = 1024;

/// The range of the values of a section.
pub fn find_range(double: bool, host: usize, bytes: usize) -> (f64, f64) {
    let size = if double { 8 } else { 4 };
    let ranges = Mutex::new((f64::INFINITY, f64::NEG_INFINITY));
    in_shares(0, bytes / size, &|first, count| {
        // SAFETY: a part of the user's section.
        let found = unsafe {
            if double {
                range::of_doubles(std::slice::from_raw_parts((host as *const f64).add(first), count))
            } else {
                range::of_floats(std::slice::from_raw_parts((host as *const f32).add(first), count))
            }
        };
        let mut all = ranges.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *all = (all.0.min(found.0), all.1.max(found.1));
    });
    let all = ranges.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if all.0 > all.1 { (0.0, 0.0) } else { all }
}

/// The threads that encode and decode.
fn team() -> &'static Team {
    static TEAM: OnceLock<Team> = OnceLock::new();
    TEAM.get_or_init(|| Team::new(config().threads))
}

/// Calls `work(first, count)` for shares of `first..first + count`, on several threads where that pays. Shares begin
/// at multiples of [`SHARE`], save for the first.
fn in_shares(first: usize, count: usize, work: &(dyn Fn(usize, usize) + Sync)) {
    if count == 0 {
        return;
    }
    let team = team();
    if count < SHARED || team.threads() == 1 {
        return work(first, count);
    }
    let end = first + count;
    let share = end.div_ceil(team.threads()).next_multiple_of(SHARE);
    team.run(team.threads(), &|part| {
        let (from, to) = ((part * share).max(first), ((part + 1) * share).min(end));
        if from < to {
            work(from, to - from);
        }
    });
}

/// Encodes `count` elements at `host` into `group`, from its element `first` on.
///
/// # Safety
/// Both sides are valid, and nothing else uses `group`.
pub unsafe fn encode_all(
    stored: &Stored,
    host: *const u8,
    group: *mut u8,
    first: usize,
    count: usize,
) -> u64 {
    let outside = AtomicU64::new(0);
    let (host, group) = (host as usize, group as usize);
    in_shares(first, count, &|from, count| {
        let values = host + (from - first) * stored.elem_size() * stored.pitch();
        // SAFETY: shares are disjoint, of packed elements down to the word.
        let found = unsafe {
            match stored.double {
                true => encode_share::<f64>(stored, values, group, from, count),
                false => encode_share::<f32>(stored, values, group, from, count),
            }
        };
        outside.fetch_add(found, Ordering::Relaxed);
    });
    outside.into_inner()
}

unsafe fn encode_share<T: Number>(
    stored: &Stored,
    values: usize,
    group: usize,
    from: usize,
    count: usize,
) -> u64 {
    let codec = Codec::<T>::new(&stored.keys, stored.ends(), stored.bits);
    if stored.pitch() == 1 {
        // SAFETY: the caller's promise.
        return unsafe {
            encode_run(&codec, stored, std::slice::from_raw_parts(values as *const T, count), group, from)
        };
    }
    // A member of structures: gathered in short runs.
    let (mut run, mut outside) = ([T::ZERO; SHARE], 0);
    for done in (0..count).step_by(SHARE) {
        let run = &mut run[..SHARE.min(count - done)];
        for (i, x) in run.iter_mut().enumerate() {
            // SAFETY: as above.
            *x = unsafe { *(values as *const T).add((done + i) * stored.pitch()) };
        }
        // SAFETY: as above.
        outside += unsafe { encode_run(&codec, stored, run, group, from + done) };
    }
    outside
}

unsafe fn encode_run<T: Number>(
    codec: &Codec<T>,
    stored: &Stored,
    values: &[T],
    group: usize,
    from: usize,
) -> u64 {
    let count = values.len();
    // SAFETY: the caller's promise.
    unsafe {
        if is_floating(stored.scheme) {
            floating::encode(stored.scheme, values, units_mut::<u16>(group, from, count));
            return 0;
        }
        match stored.bits {
            8 => codec::encode(codec, values, units_mut::<u8>(group, from, count)),
            16 => codec::encode(codec, values, units_mut::<u16>(group, from, count)),
            32 => codec::encode(codec, values, units_mut::<u32>(group, from, count)),
            bits => {
                let (start, words) = words_of(bits, from, count);
                let words = std::slice::from_raw_parts_mut((group as *mut u32).add(start), words);
                packed::encode(codec, bits, values, words, from % GROUP as usize)
            }
        }
    }
}

/// Decodes `count` elements of `group`, from its element `first` on, to `host`.
///
/// # Safety
/// Both sides are valid, and nothing else uses `host`.
pub unsafe fn decode_all(stored: &Stored, group: *const u8, host: *mut u8, first: usize, count: usize) {
    let (host, group) = (host as usize, group as usize);
    in_shares(first, count, &|from, count| {
        let values = host + (from - first) * stored.elem_size() * stored.pitch();
        // SAFETY: shares are disjoint.
        unsafe {
            match stored.double {
                true => decode_share::<f64>(stored, group, values, from, count),
                false => decode_share::<f32>(stored, group, values, from, count),
            }
        }
    });
}

unsafe fn decode_share<T: Number>(stored: &Stored, group: usize, values: usize, from: usize, count: usize) {
    let codec = Codec::<T>::new(&stored.keys, stored.ends(), stored.bits);
    if stored.pitch() == 1 {
        // SAFETY: the caller's promise.
        return unsafe {
            let values = std::slice::from_raw_parts_mut(values as *mut T, count);
            decode_run(&codec, stored, group, from, values);
        };
    }
    let mut run = [T::ZERO; SHARE];
    for done in (0..count).step_by(SHARE) {
        let run = &mut run[..SHARE.min(count - done)];
        // SAFETY: as above.
        unsafe { decode_run(&codec, stored, group, from + done, run) };
        for (i, x) in run.iter().enumerate() {
            // SAFETY: as above.
            unsafe { *(values as *mut T).add((done + i) * stored.pitch()) = *x };
        }
    }
}

unsafe fn decode_run<T: Number>(
    codec: &Codec<T>,
    stored: &Stored,
    group: usize,
    from: usize,
    values: &mut [T],
) {
    let count = values.len();
    // SAFETY: the caller's promise.
    unsafe {
        if is_floating(stored.scheme) {
            return floating::decode(stored.scheme, units::<u16>(group, from, count), values);
        }
        match stored.bits {
            8 => codec::decode(codec, units::<u8>(group, from, count), values),
            16 => codec::decode(codec, units::<u16>(group, from, count), values),
            32 => codec::decode(codec, units::<u32>(group, from, count), values),
            bits => {
                let (start, words) = words_of(bits, from, count);
                let words = std::slice::from_raw_parts((group as *const u32).add(start), words);
                packed::decode(codec, bits, words, from % GROUP as usize, values);
            }
        }
    }
}

/// The first word of the group of element `from`, and the words from there to the last element's.
fn words_of(bits: u32, from: usize, count: usize) -> (usize, usize) {
    let bits = bits as usize;
    let start = from / GROUP as usize * bits;
    (start, ((from + count) * bits).div_ceil(32) - start)
}

unsafe fn units<'a, U>(group: usize, from: usize, count: usize) -> &'a [U] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts((group as *const U).add(from), count) }
}

unsafe fn units_mut<'a, U>(group: usize, from: usize, count: usize) -> &'a mut [U] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut((group as *mut U).add(from), count) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Place, routine};
    use accl_abi::{Format, Site, layout, scalar_type, scheme};
    use std::time::Instant;

    static SITE: Site = routine(c"test");
    const COUNT: usize = 1 << 26;

    /// Milliseconds of the best of a few runs.
    fn best(mut work: impl FnMut()) -> f64 {
        let times = (0..5).map(|_| {
            let started = Instant::now();
            work();
            started.elapsed().as_secs_f64() * 1e3
        });
        times.fold(f64::INFINITY, f64::min)
    }

    fn stored(bits: u32, double: bool) -> Stored {
        let type_ = if double { scalar_type::F64 } else { scalar_type::F32 };
        let (scheme, layout) = (scheme::RANGE, layout::SOA);
        let format = Format { scheme, bits, type_, members: 1, layout, has_range: 1, min: -1.0, max: 1.0 };
        Stored::new(&format, (-1.0, 1.0), COUNT * 8, Place(&SITE), 0)
    }

    /// The host's codecs against a copy with as many threads: `cargo test -p accl-runtime --release speed -- --ignored
    /// --nocapture`. Both are told as host bytes a second.
    #[test]
    #[ignore = "a measurement"]
    fn speed() {
        let floats: Vec<f32> = (0..COUNT).map(|i| (i % 1000) as f32 / 1000.0).collect();
        let doubles: Vec<f64> = floats.iter().map(|x| f64::from(*x)).collect();
        let mut copy = vec![0u8; COUNT * 8];
        let mut encoded = vec![0u8; COUNT * 8];
        println!("{} threads, AVX2 and FMA: {}", team().threads(), codec::is_fast());
        let bytes = (COUNT * 4) as f64;
        let memcpy = best(|| {
            let (to, from) = (copy.as_mut_ptr() as usize, floats.as_ptr() as usize);
            in_shares(0, COUNT, &|first, count| {
                // SAFETY: disjoint shares of two buffers.
                unsafe {
                    std::ptr::copy_nonoverlapping(
                        (from as *const u8).add(first * 4),
                        (to as *mut u8).add(first * 4),
                        count * 4,
                    );
                }
            });
        });
        println!("memcpy            {:6.2} GB/s", bytes / memcpy * 1e-6);
        for (bits, double) in [(8, false), (12, false), (16, false), (20, false), (24, true), (32, true)] {
            let stored = stored(bits, double);
            let (from, bytes) = match double {
                true => (doubles.as_ptr().cast::<u8>(), bytes * 2.0),
                false => (floats.as_ptr().cast::<u8>(), bytes),
            };
            // SAFETY: buffers of the right sizes.
            let encode = best(|| unsafe {
                encode_all(&stored, from, encoded.as_mut_ptr(), 0, COUNT);
            });
            // SAFETY: as above.
            let decode = best(|| unsafe {
                decode_all(&stored, encoded.as_ptr(), copy.as_mut_ptr(), 0, COUNT);
            });
            println!(
                "{bits:2} bits of {}  encode {:6.2} GB/s ({:3.0}%)  decode {:6.2} GB/s ({:3.0}%)",
                if double { 64 } else { 32 },
                bytes / encode * 1e-6,
                100.0 * bytes / encode * 1e-6 / (COUNT as f64 * 4.0 / memcpy * 1e-6),
                bytes / decode * 1e-6,
                100.0 * bytes / decode * 1e-6 / (COUNT as f64 * 4.0 / memcpy * 1e-6),
            );
        }
    }
}
