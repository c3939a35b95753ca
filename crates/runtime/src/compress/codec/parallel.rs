//! Encoding and decoding by all cores: an array, or a chunk of one, in shares.
//!
//! Where a `large` result is written, one that caches do not hold, a share is worked on in pieces that the nearest cache
//! holds, and each is copied to its place past the caches ([`stream`]).
//!
//! Invariant: shares begin at whole groups, so that no two threads write the same word.

use super::elements::{self, Codec, Number};
use super::{floating, packed, range, stream};
use crate::compress::report::Errors;
use crate::compress::{GROUP, StoredFormat, block, is_floating};
use crate::config::config;
use crate::device::thread_pool::ThreadPool;
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The number of elements from which on several threads work.
const SHARED: usize = 64 << 10;
/// A thread's share is a multiple of it, which is one of [`GROUP`].
pub const GRAIN: usize = 1024;
/// Elements of a piece: whole groups, and encoded a whole number of cache lines.
const PIECE: usize = 1024;
/// Elements of a piece that are encoded or decoded at a time, while what lies ahead is fetched. Packed ones are taken
/// together: their loops do so themselves.
const PART: usize = 256;

/// Memory for a piece, aligned to a cache line.
#[repr(align(64))]
struct Buffer<T>(T);

/// The range of the values of a section.
pub fn find_range(double: bool, host: usize, bytes: usize) -> (f64, f64) {
    let size = if double { 8 } else { 4 };
    let ranges = Mutex::new((f64::INFINITY, f64::NEG_INFINITY));
    in_parallel(0, bytes / size, &|first, count| {
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
fn pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| ThreadPool::new(config().threads))
}

/// Calls `work(first, count)` for shares of `first..first + count`, on several threads where that pays. Shares begin
/// at multiples of [`GRAIN`], save for the first.
pub fn in_parallel(first: usize, count: usize, work: &(dyn Fn(usize, usize) + Sync)) {
    let started = Instant::now();
    share(first, count, work);
    SPENT.set(SPENT.get() + started.elapsed());
}

thread_local!(static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) });

/// The time that this thread's shares have taken so far.
pub fn spent() -> Duration {
    SPENT.get()
}

fn share(first: usize, count: usize, work: &(dyn Fn(usize, usize) + Sync)) {
    if count == 0 {
        return;
    }
    let pool = pool();
    if count < SHARED || pool.threads() == 1 {
        return work(first, count);
    }
    let end = first + count;
    let share = end.div_ceil(pool.threads()).next_multiple_of(GRAIN);
    pool.run(pool.threads(), &|part| {
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
    stored: &StoredFormat,
    host: *const u8,
    group: *mut u8,
    first: usize,
    count: usize,
    large: bool,
) -> u64 {
    let outside = AtomicU64::new(0);
    let (host, group) = (host as usize, group as usize);
    in_parallel(first, count, &|from, count| {
        let values = host + (from - first) * stored.elem_size() * stored.pitch();
        // SAFETY: shares are disjoint, of packed elements down to the word.
        let found = unsafe {
            match stored.double {
                true => encode_share::<f64>(stored, values, group, from, count, large),
                false => encode_share::<f32>(stored, values, group, from, count, large),
            }
        };
        outside.fetch_add(found, Ordering::Relaxed);
    });
    outside.into_inner()
}

unsafe fn encode_share<T: Number>(
    stored: &StoredFormat,
    values: usize,
    group: usize,
    from: usize,
    count: usize,
    large: bool,
) -> u64 {
    let encode = if large { encode_past_caches } else { encode_run };
    let codec = Codec::<T>::new(&stored.parameters, stored.ends(), stored.bits);
    if stored.pitch() == 1 {
        // SAFETY: the caller's promise.
        return unsafe {
            encode(&codec, stored, std::slice::from_raw_parts(values as *const T, count), group, from)
        };
    }
    // A member of structures: gathered in short runs.
    let (mut run, mut outside) = ([T::ZERO; GRAIN], 0);
    for done in (0..count).step_by(GRAIN) {
        let run = &mut run[..GRAIN.min(count - done)];
        for (i, x) in run.iter_mut().enumerate() {
            // SAFETY: as above.
            *x = unsafe { *(values as *const T).add((done + i) * stored.pitch()) };
        }
        // SAFETY: as above.
        outside += unsafe { encode(&codec, stored, run, group, from + done) };
    }
    outside
}

unsafe fn encode_past_caches<T: Number>(
    codec: &Codec<T>,
    stored: &StoredFormat,
    values: &[T],
    group: usize,
    from: usize,
) -> u64 {
    let whole_groups = |piece: Range<usize>| {
        piece.start.is_multiple_of(GROUP as usize) && piece.end.is_multiple_of(GROUP as usize)
    };
    let step = if stored.is_direct() { PART } else { PIECE };
    let mut buffer = Buffer([0u64; PIECE]);
    let mut outside = 0;
    for piece in pieces(from, values.len()) {
        let values = &values[piece.start - from..piece.end - from];
        // SAFETY: the caller's promise; a piece fits the buffer.
        unsafe {
            if whole_groups(piece.clone()) {
                let encoded = (&raw mut buffer.0).cast::<u8>();
                for (part, values) in values.chunks(step).enumerate() {
                    if step == PART {
                        stream::fetch_ahead(values.as_ptr().cast(), size_of_val(values));
                    }
                    outside += encode_run(codec, stored, values, encoded as usize, part * step);
                }
                let place = group + piece.start * stored.bits as usize / 8;
                stream::copy(encoded, place as *mut u8, piece.len() * stored.bits as usize / 8);
            } else {
                outside += encode_run(codec, stored, values, group, piece.start);
            }
        }
    }
    stream::finish();
    outside
}

/// The elements of a share, in pieces that begin at multiples of [`PIECE`], save for the first.
fn pieces(from: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
    let end = from + count;
    let begin = from - from % PIECE;
    (begin..end).step_by(PIECE).map(move |at| at.max(from)..(at + PIECE).min(end))
}

unsafe fn encode_run<T: Number>(
    codec: &Codec<T>,
    stored: &StoredFormat,
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
            8 => elements::encode(codec, values, units_mut::<u8>(group, from, count)),
            16 => elements::encode(codec, values, units_mut::<u16>(group, from, count)),
            32 => elements::encode(codec, values, units_mut::<u32>(group, from, count)),
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
pub unsafe fn decode_all(
    stored: &StoredFormat,
    group: *const u8,
    host: *mut u8,
    first: usize,
    count: usize,
    large: bool,
) {
    let (host, group) = (host as usize, group as usize);
    in_parallel(first, count, &|from, count| {
        let values = host + (from - first) * stored.elem_size() * stored.pitch();
        // SAFETY: shares are disjoint.
        unsafe {
            match stored.double {
                true => decode_share::<f64>(stored, group, values, from, count, large),
                false => decode_share::<f32>(stored, group, values, from, count, large),
            }
        }
    });
}

unsafe fn decode_share<T: Number>(
    stored: &StoredFormat,
    group: usize,
    values: usize,
    from: usize,
    count: usize,
    large: bool,
) {
    let codec = Codec::<T>::new(&stored.parameters, stored.ends(), stored.bits);
    if stored.pitch() == 1 {
        // SAFETY: the caller's promise.
        return unsafe {
            let values = std::slice::from_raw_parts_mut(values as *mut T, count);
            match large {
                true => decode_past_caches(&codec, stored, group, from, values),
                false => decode_run(&codec, stored, group, from, values),
            }
        };
    }
    let mut run = [T::ZERO; GRAIN];
    for done in (0..count).step_by(GRAIN) {
        let run = &mut run[..GRAIN.min(count - done)];
        // SAFETY: as above.
        unsafe { decode_run(&codec, stored, group, from + done, run) };
        for (i, x) in run.iter().enumerate() {
            // SAFETY: as above.
            unsafe { *(values as *mut T).add((done + i) * stored.pitch()) = *x };
        }
    }
}

unsafe fn decode_past_caches<T: Number>(
    codec: &Codec<T>,
    stored: &StoredFormat,
    group: usize,
    from: usize,
    values: &mut [T],
) {
    let step = if stored.is_direct() { PART } else { PIECE };
    let mut buffer = Buffer([T::ZERO; PIECE]);
    for piece in pieces(from, values.len()) {
        let place = &mut values[piece.start - from..piece.end - from];
        let decoded = &mut buffer.0[..place.len()];
        // SAFETY: the caller's promise.
        unsafe {
            for (part, decoded) in decoded.chunks_mut(step).enumerate() {
                let first = piece.start + part * step;
                let encoded = group + first * stored.bits as usize / 8;
                if step == PART {
                    stream::fetch_ahead(encoded as *const u8, decoded.len() * stored.bits as usize / 8);
                }
                decode_run(codec, stored, group, first, decoded);
            }
            stream::copy(decoded.as_ptr().cast(), place.as_mut_ptr().cast(), size_of_val(place));
        }
    }
    stream::finish();
}

unsafe fn decode_run<T: Number>(
    codec: &Codec<T>,
    stored: &StoredFormat,
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
            8 => elements::decode(codec, units::<u8>(group, from, count), values),
            16 => elements::decode(codec, units::<u16>(group, from, count), values),
            32 => elements::decode(codec, units::<u32>(group, from, count), values),
            bits => {
                let (start, words) = words_of(bits, from, count);
                let words = std::slice::from_raw_parts((group as *const u32).add(start), words);
                packed::decode(codec, bits, words, from % GROUP as usize, values);
            }
        }
    }
}

/// The first value of a section that is no number.
///
/// # Safety
/// The section is valid.
pub unsafe fn no_number(stored: &StoredFormat, host: usize, count: usize) -> Option<usize> {
    let found = AtomicUsize::new(usize::MAX);
    in_parallel(0, count, &|first, count| {
        let is_none = |i: &usize| {
            let at = host + i * stored.elem_size() * stored.pitch();
            // SAFETY: a part of the section.
            unsafe {
                if stored.double { (*(at as *const f64)).is_nan() } else { (*(at as *const f32)).is_nan() }
            }
        };
        found.fetch_min((first..first + count).find(is_none).unwrap_or(usize::MAX), Ordering::Relaxed);
    });
    Some(found.into_inner()).filter(|at| *at != usize::MAX)
}

/// How far the finite values of a section are off when they come back.
///
/// # Safety
/// The section is valid.
pub unsafe fn errors(stored: &StoredFormat, host: usize, first: usize, count: usize) -> Errors {
    let all = Mutex::new(Errors::default());
    in_parallel(first, count, &|from, count| {
        let values = host + (from - first) * stored.elem_size() * stored.pitch();
        // SAFETY: a part of the section.
        let found = unsafe {
            match stored.double {
                true => errors_of_share::<f64>(stored, values, from, count),
                false => errors_of_share::<f32>(stored, values, from, count),
            }
        };
        all.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).join(found);
    });
    all.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

unsafe fn errors_of_share<T: block::group::Real>(
    stored: &StoredFormat,
    values: usize,
    from: usize,
    count: usize,
) -> Errors {
    let codec = Codec::<T>::new(&stored.parameters, stored.ends(), stored.bits);
    let mut encoded = Buffer([0u64; PIECE]);
    let (mut run, mut back) = ([T::ZERO; PIECE], [T::ZERO; PIECE]);
    let mut found = Errors::default();
    for piece in pieces(from, count) {
        let (run, back) = (&mut run[..piece.len()], &mut back[..piece.len()]);
        for (x, element) in run.iter_mut().zip(piece.clone()) {
            // SAFETY: the caller's promise.
            *x = unsafe { *(values as *const T).add((element - from) * stored.pitch()) };
        }
        if stored.is_block() {
            block::runs::through(stored, run, piece.start, back);
        } else {
            let group = (&raw mut encoded.0) as usize;
            // SAFETY: a piece fits the buffer.
            unsafe {
                encode_run(&codec, stored, run, group, 0);
                decode_run(&codec, stored, group, 0, back);
            }
        }
        for (x, y) in run.iter().zip(back) {
            let off = (x.to_wide() - y.to_wide()).abs();
            if x.to_wide().is_finite() {
                found.add(off);
            }
        }
    }
    found
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
    use crate::compress::block::runs::{GroupPart, Groups};
    use crate::location::{SourceLocation, routine};
    use accl_abi::{Format, Site, layout, scalar_type, scheme};

    static SITE: Site = routine(c"test");
    const COUNT: usize = 1 << 26;

    fn stored(scheme: u32, bits: u32, double: bool) -> StoredFormat {
        let type_ = if double { scalar_type::F64 } else { scalar_type::F32 };
        let layout = layout::SOA;
        let format = Format {
            scheme,
            bits,
            type_,
            members: 1,
            layout,
            has_range: 1,
            min: -1.0,
            max: 1.0,
            checked: 0,
            reserved: 0,
        };
        StoredFormat::new(&format, (-1.0, 1.0), COUNT * 8, SourceLocation(&SITE), 0)
    }

    /// Seconds of all threads.
    fn processor_time() -> f64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: room for the time.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }

    /// What memory does at best: a copy with as many threads.
    fn copy_all(from: &[u8], to: &mut [u8]) {
        let (from, to) = (from.as_ptr() as usize, to.as_mut_ptr() as usize);
        in_parallel(0, COUNT, &|first, count| {
            // SAFETY: disjoint shares of two buffers of 4 bytes for each element.
            unsafe {
                let (from, to) = ((from + first * 4) as *const u8, (to + first * 4) as *mut u8);
                std::ptr::copy_nonoverlapping(from, to, count * 4);
            }
        });
    }

    /// The least that an encoder does: all is read.
    fn read_all(from: &[u8]) {
        in_parallel(0, COUNT, &|first, count| {
            let words = from[first * 4..(first + count) * 4].chunks_exact(8);
            let sum = words.fold(0u64, |sum, word| sum ^ u64::from_ne_bytes(word.try_into().unwrap()));
            std::hint::black_box(sum);
        });
    }

    /// The host's codecs against memcpy with as many threads: `cargo test -p accl-runtime --release speed -- --ignored
    /// --nocapture`. Rounds are interleaved and medians of the processor's time compared, so that other work on the
    /// machine meets all alike.
    /// Two figures each: bytes of the host's array a second, and bytes that memory moves (read and written) a second
    /// against those that memcpy moves.
    #[test]
    #[ignore = "a measurement"]
    fn speed() {
        const ROUNDS: usize = 9;
        let floats: Vec<f32> = (0..COUNT).map(|i| (i % 1000) as f32 / 1000.0).collect();
        let doubles: Vec<f64> = floats.iter().map(|x| f64::from(*x)).collect();
        let mut to = vec![0u8; COUNT * 8];
        let mut encoded = vec![0u8; COUNT * 8];
        let (range, single, double) = (scheme::RANGE, false, true);
        let widths = [(8, single), (12, single), (16, single), (17, single), (20, single), (23, single)];
        let wide =
            [(8, double), (12, double), (16, double), (24, double), (32, double), (40, double), (51, double)];
        let mut formats: Vec<StoredFormat> =
            widths.into_iter().chain(wide).map(|(bits, double)| stored(range, bits, double)).collect();
        formats.push(stored(scheme::HALF, 16, single));
        formats.push(stored(scheme::BFLOAT, 16, single));
        for (bits, type_) in
            [(8, single), (12, single), (16, single), (17, single), (20, single), (23, single)]
                .into_iter()
                .chain([
                    (12, double),
                    (16, double),
                    (20, double),
                    (24, double),
                    (32, double),
                    (40, double),
                    (51, double),
                ])
        {
            formats.push(stored(scheme::BLOCK, bits, type_));
        }
        let mut times = vec![vec![]; 2 + 2 * formats.len()];
        for _ in 0..ROUNDS {
            let mut next = 0;
            let mut time = |work: &mut dyn FnMut()| {
                let started = processor_time();
                work();
                times[next].push((processor_time() - started) / pool().threads() as f64);
                next += 1;
            };
            // SAFETY: the bytes of floats.
            let bytes = unsafe { std::slice::from_raw_parts(floats.as_ptr().cast(), COUNT * 4) };
            time(&mut || copy_all(bytes, &mut to));
            time(&mut || read_all(bytes));
            for stored in &formats {
                let from = if stored.double { doubles.as_ptr().cast() } else { floats.as_ptr().cast() };
                let elements = encoded.as_mut_ptr() as usize;
                let groups = Groups { elements, exponents: elements + stored.exponents };
                let part = GroupPart { first: 0, count: COUNT, total: COUNT };
                let (encoded, to) = (elements as *mut u8, to.as_mut_ptr());
                // SAFETY: buffers of the right sizes.
                time(&mut || unsafe {
                    match stored.is_block() {
                        true => block::runs::encode_all(stored, from, groups, part),
                        false => encode_all(stored, from, encoded, 0, COUNT, true),
                    };
                });
                // SAFETY: as above.
                time(&mut || unsafe {
                    match stored.is_block() {
                        true => block::runs::decode_all(stored, groups, to, part),
                        false => decode_all(stored, encoded, to, 0, COUNT, true),
                    }
                });
            }
        }
        times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
        let median = |i: usize| times[i][ROUNDS / 2];
        let copied = (COUNT * 4) as f64;
        println!("{} threads, {:?}", pool().threads(), packed::level());
        println!(
            "memcpy {:.1} GB/s, reading alone {:.1} GB/s",
            copied / median(0) * 1e-9,
            copied / median(1) * 1e-9
        );
        println!("| format | encode GB/s | moved, of memcpy | decode GB/s | moved, of memcpy |");
        println!("|---|---|---|---|---|");
        for (i, stored) in formats.iter().enumerate() {
            let host = (COUNT * stored.elem_size()) as f64;
            let exponents = if stored.is_block() { block::exponent_bytes(stored.double) } else { 0 };
            let moved = host + (COUNT * stored.bits as usize / 8 + COUNT / GROUP as usize * exponents) as f64;
            let [encode, decode] = [median(2 + 2 * i), median(3 + 2 * i)].map(|time| {
                format!(
                    "{:.1} | {:.0}%",
                    host / time * 1e-9,
                    100.0 * moved / time / (2.0 * copied / median(0))
                )
            });
            println!("| {} of {} | {encode} | {decode} |", stored.words(), 8 * stored.elem_size());
        }
    }
}
