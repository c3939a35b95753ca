//! Encoding on the way to the device, decoding on the way back.
//!
//! A transfer works in chunks: all cores encode one into a buffer while the device still takes the one before (an
//! upload has read its source when it returns, and is done later). Where the device's memory is the host's there is
//! no buffer. A section may begin and end anywhere: words that it shares with its neighbours keep their bits.

use super::codec::{self, Codec, Number};
use super::{GROUP, Stored, floating, is_floating, packed, range};
use crate::config::config;
use crate::data::Task;
use crate::device::team::Team;
use crate::device::{Device, QueueId};
use crate::error::Result;
use crate::log;
use crate::profile::Work;
use crate::site::Name;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

/// Elements of a chunk.
const CHUNK: usize = 2 << 20;
/// From this many elements on several threads work.
const SHARED: usize = 64 << 10;
/// A thread's share is a multiple of it, which is one of [`GROUP`].
const SHARE: usize = 1024;

/// A section of a compressed array, or of one plane of it.
#[derive(Clone, Copy)]
pub struct Section<'a> {
    pub stored: &'a Stored,
    /// Where the array's (or plane's) first number is on the device.
    pub device: u64,
    /// The section's first number, and how many there are.
    pub first: usize,
    pub count: usize,
    /// Of all the array.
    pub total: usize,
    /// The section's first byte on the host.
    pub host: usize,
}

impl<'a> Section<'a> {
    /// `bytes` at `host` of an array that begins at `start`, a section for each plane; an error where these are no
    /// whole elements.
    pub fn all(
        stored: &'a Stored,
        device: u64,
        start: usize,
        total: usize,
        host: usize,
        bytes: usize,
    ) -> std::result::Result<Vec<Section<'a>>, String> {
        let size = stored.elem_size() * stored.pitch();
        if !(host - start).is_multiple_of(size) || !bytes.is_multiple_of(size) {
            return Err(format!("the section is no whole number of elements of {size} bytes"));
        }
        let plane = |plane: usize| Section {
            stored,
            device: device + stored.plane_start(plane),
            first: (host - start) / size,
            count: bytes / size,
            total: total / size,
            host: host + plane * stored.elem_size(),
        };
        Ok((0..stored.pitch()).map(plane).collect())
    }

    /// Device bytes that a transfer of it moves.
    fn bytes(&self) -> usize {
        let (from, to) = self.span(self.first, self.first + self.count);
        to - from
    }

    /// Bytes of the array that hold these elements; of packed ones whole words.
    fn span(&self, first: usize, end: usize) -> (usize, usize) {
        let bits = self.stored.bits as usize;
        match self.stored.is_direct() {
            true => (first * bits / 8, end * bits / 8),
            false => (first * bits / 32 * 4, (end * bits).div_ceil(32) * 4),
        }
    }

    /// The section in pieces: first element and count.
    fn chunks(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let end = self.first + self.count;
        let begin = self.first - self.first % GROUP as usize;
        let first = self.first;
        (begin..end).step_by(CHUNK).map(move |at| {
            let from = at.max(first);
            (from, (at + CHUNK).min(end) - from)
        })
    }

    fn host_of(&self, element: usize) -> usize {
        self.host + (element - self.first) * self.stored.elem_size() * self.stored.pitch()
    }
}

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

/// Encodes and sends a section, all its planes.
pub fn send(task: &Task, name: Name, line: i32, sections: &[Section]) {
    let Some(any) = sections.first() else { return };
    let started = Instant::now();
    let mut outside = 0;
    let bytes = sections.iter().map(Section::bytes).sum();
    task.transfer(Work::Upload, name, line, bytes, |queue| {
        let device = &*task.state.device;
        for (section, (first, count)) in sections.iter().flat_map(|s| s.chunks().map(move |chunk| (s, chunk)))
        {
            outside += match device.host_address(section.device) {
                // SAFETY: the array's memory, of which this chunk is a part.
                Some(memory) => unsafe { encode_in_place(section, memory, first, count) },
                None => with_buffer(|buffer| upload(device, queue, section, first, count, buffer))?,
            };
        }
        Ok(())
    });
    log::compression("compress", task, line, name, sections, outside, started.elapsed());
    if outside > 0 {
        warn(task, line, name, any.stored, outside);
    }
}

/// Receives and decodes a section; it is there when this returns.
pub fn receive(task: &Task, name: Name, line: i32, sections: &[Section]) {
    let started = Instant::now();
    let bytes = sections.iter().map(Section::bytes).sum();
    log::transfer(Work::Download.name(), task.state, task.place, line, task.queue, name, bytes);
    task.state.finish(task.place, task.queue);
    task.put("a transfer", |queue| {
        let device = &*task.state.device;
        let chunks: Vec<Chunk> = sections
            .iter()
            .flat_map(|section| section.chunks().map(move |(first, count)| Chunk { section, first, count }))
            .collect();
        match sections.first().and_then(|s| device.host_address(s.device)) {
            Some(_) => chunks.iter().for_each(|chunk| chunk.decode_in_place(device)),
            None => download(task, queue, &chunks)?,
        }
        Ok(())
    });
    log::compression("decompress", task, line, name, sections, 0, started.elapsed());
}

/// Where the group of element `first` begins in the array.
fn group_start(section: &Section, first: usize) -> usize {
    let group = first / GROUP as usize;
    group * GROUP as usize * section.stored.bits as usize / 8
}

/// # Safety
/// `memory` holds the array's encoded elements, and the section is the user's.
unsafe fn encode_in_place(section: &Section, memory: *mut u8, first: usize, count: usize) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        let group = memory.add(group_start(section, first));
        encode_all(section.stored, section.host_of(first) as *const u8, group, first % GROUP as usize, count)
    }
}

/// What is received at a time.
struct Chunk<'a> {
    section: &'a Section<'a>,
    first: usize,
    count: usize,
}

impl Chunk<'_> {
    fn decode_in_place(&self, device: &dyn Device) {
        let Chunk { section, first, .. } = self;
        if let Some(memory) = device.host_address(section.device) {
            // SAFETY: the array's memory, of which this chunk is a part.
            unsafe { self.decode(memory.add(group_start(section, *first))) };
        }
    }

    /// # Safety
    /// `group` holds the encoded elements from the first one's group on.
    unsafe fn decode(&self, group: *const u8) {
        let Chunk { section, first, count } = *self;
        let host = section.host_of(first) as *mut u8;
        // SAFETY: the caller's promise; the section is the user's.
        unsafe { decode_all(section.stored, group, host, first % GROUP as usize, count) };
    }

    /// # Safety
    /// The buffer has room for a chunk and its group, and stays until the queue is finished.
    unsafe fn fetch(&self, device: &dyn Device, queue: QueueId, buffer: *mut u8) -> Result<()> {
        let Chunk { section, first, count } = *self;
        let start = group_start(section, first);
        let (from, to) = section.span(first, first + count);
        // SAFETY: the caller's promise.
        unsafe { device.download(queue, section.device + from as u64, buffer.add(from - start), to - from) }
    }
}

/// Encodes a chunk into the buffer, which begins with the first element's group, and sends what changed.
fn upload(
    device: &dyn Device,
    queue: QueueId,
    section: &Section,
    first: usize,
    count: usize,
    buffer: *mut u8,
) -> Result<u64> {
    let start = group_start(section, first);
    let (from, to) = section.span(first, first + count);
    keep_neighbours(device, queue, section, (first, first + count), (from - start, to - start), buffer)?;
    // SAFETY: the buffer has room for a chunk and its group; the device's memory for all elements.
    unsafe {
        let host = section.host_of(first) as *const u8;
        let outside = encode_all(section.stored, host, buffer, first % GROUP as usize, count);
        device.upload(queue, section.device + from as u64, buffer.add(from - start), to - from)?;
        Ok(outside)
    }
}

/// Reads the words at both ends that hold bits of elements outside of the chunk.
fn keep_neighbours(
    device: &dyn Device,
    queue: QueueId,
    section: &Section,
    (first, end): (usize, usize),
    (from, to): (usize, usize),
    buffer: *mut u8,
) -> Result<()> {
    let bits = section.stored.bits as usize;
    if section.stored.is_direct() {
        return Ok(());
    }
    let start = group_start(section, first);
    let mut wanted = vec![];
    if !(first * bits).is_multiple_of(32) {
        wanted.push(from);
    }
    if !(end * bits).is_multiple_of(32) && end < section.total {
        wanted.push(to - 4);
    }
    for at in &wanted {
        // SAFETY: within the buffer and the array.
        unsafe { device.download(queue, section.device + (start + at) as u64, buffer.add(*at), 4)? };
    }
    if wanted.is_empty() { Ok(()) } else { device.finish(queue) }
}

/// One chunk is on its way while the one before is decoded: two queues take turns.
fn download(task: &Task, queue: QueueId, chunks: &[Chunk]) -> Result<()> {
    let device = &*task.state.device;
    let second = if chunks.len() > 1 { task.state.second_queue(queue) } else { queue };
    let queues = [queue, second];
    with_buffer(|even| {
        with_buffer(|odd| {
            let buffers = [even, odd];
            for k in 0..=chunks.len() {
                if let Some(chunk) = chunks.get(k) {
                    // SAFETY: whoever used the buffer before is done: its queue was finished below.
                    unsafe { chunk.fetch(device, queues[k % 2], buffers[k % 2])? };
                }
                if let Some(chunk) = k.checked_sub(1).and_then(|before| chunks.get(before)) {
                    device.finish(queues[(k - 1) % 2])?;
                    // SAFETY: the chunk has arrived.
                    unsafe { chunk.decode(buffers[(k - 1) % 2]) };
                }
            }
            Ok(())
        })
    })
}

/// A buffer for one chunk, kept for the next.
fn with_buffer<R>(work: impl FnOnce(*mut u8) -> R) -> R {
    static KEPT: Mutex<Vec<Vec<u64>>> = Mutex::new(Vec::new());
    // A chunk of the widest elements, the rest of a group at either end, and the words read ahead.
    let words = CHUNK + 4 * GROUP as usize;
    let mut buffer = {
        let kept = KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        kept.unwrap_or_else(|| vec![0; words])
    };
    let result = work(buffer.as_mut_ptr().cast());
    KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(buffer);
    result
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
unsafe fn encode_all(stored: &Stored, host: *const u8, group: *mut u8, first: usize, count: usize) -> u64 {
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
unsafe fn decode_all(stored: &Stored, group: *const u8, host: *mut u8, first: usize, count: usize) {
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

/// Says once for each clause that values did not fit.
fn warn(task: &Task, line: i32, name: Name, stored: &Stored, outside: u64) {
    static TOLD: Mutex<BTreeSet<(usize, i32, String)>> = Mutex::new(BTreeSet::new());
    let key = (std::ptr::from_ref(task.place.0) as usize, line, name.to_string());
    if !TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(key) {
        return;
    }
    let (min, max) = stored.ends();
    eprintln!(
        "accl: warning: {outside} values of {name} lie outside of its range, {min} to {max}, or are no numbers: \
         they are held as the nearest end, or as 0\n  {}\n  help: widen the range in the compressed clause",
        task.place.describe(line)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Place, routine};
    use accl_abi::{Format, Site, layout, scalar_type, scheme};

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
