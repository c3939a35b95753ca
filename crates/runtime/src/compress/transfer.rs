//! Encoding on the way to the device, decoding on the way back.
//!
//! A transfer works in chunks: all cores encode one into a buffer while the device still takes the one before (an
//! upload has read its source when it returns, and is done later). Where the device's memory is the host's there is
//! no buffer; where the section has words of its own, the buffer is the one that the device's transfer works from. Or
//! the array travels plain and the device converts it ([`offload`]). A section may begin and end anywhere:
//! words that it shares with its neighbours keep their bits.

use super::codec::parallel::{self, decode_all, encode_all};
use super::codec::stream;
use super::offload;
use super::report::{Conversion, Errors};
use super::{GROUP, StoredFormat, block};
use crate::call::CallContext;
use crate::config::{Converter, config};
use crate::device::{Device, QueueId};
use crate::error::{Result, codes, fatal_coded};
use crate::location::Name;
use crate::log;
use crate::profile::Work;
use crate::profiling::Data;
use crate::transfer::await_arrivals;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Instant;

/// Elements of a chunk.
pub const CHUNK: usize = 2 << 20;

/// A section of a compressed array, or of one plane of it.
#[derive(Clone, Copy)]
pub struct EncodedSection<'a> {
    pub stored: &'a StoredFormat,
    /// Where the array's (or plane's) first number is on the device.
    pub device: u64,
    /// The section's first number, and how many there are.
    pub first: usize,
    pub count: usize,
    /// The number of elements of the whole array (or plane).
    pub total: usize,
    /// The section's first byte on the host.
    pub host: usize,
}

impl<'a> EncodedSection<'a> {
    /// `bytes` at `host` of an array that begins at `start`, a section for each plane; an error where these are no
    /// whole elements.
    pub fn all(
        stored: &'a StoredFormat,
        device: u64,
        start: usize,
        total: usize,
        host: usize,
        bytes: usize,
    ) -> std::result::Result<Vec<EncodedSection<'a>>, String> {
        let size = stored.elem_size() * stored.pitch();
        if !(host - start).is_multiple_of(size) || !bytes.is_multiple_of(size) {
            return Err(format!("the section is no whole number of elements of {size} bytes"));
        }
        let plane = |plane: usize| EncodedSection {
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
    pub fn bytes(&self) -> usize {
        if self.stored.is_block() {
            return block::transfer::bytes(self);
        }
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
    pub fn chunks(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let end = self.first + self.count;
        let begin = self.first - self.first % GROUP as usize;
        let first = self.first;
        (begin..end).step_by(CHUNK).map(move |at| {
            let from = at.max(first);
            (from, (at + CHUNK).min(end) - from)
        })
    }

    /// Begins with a group that is encoded by itself.
    fn starts_a_group(&self) -> bool {
        !self.stored.is_block() && self.first.is_multiple_of(GROUP as usize)
    }

    /// Its words hold nothing else, but for what lies past the array's last element.
    fn has_own_words(&self) -> bool {
        let end = self.first + self.count;
        let whole = self.stored.is_direct() || end == self.total || end.is_multiple_of(GROUP as usize);
        self.starts_a_group() && whole
    }

    /// Bytes of a group.
    fn group_bytes(&self) -> usize {
        4 * self.stored.bits as usize
    }

    /// The elements in its bytes from `begin`, where a group begins, on: the first one's number and how many.
    fn elements(&self, begin: usize, bytes: usize) -> (usize, usize) {
        let first = begin / self.group_bytes() * GROUP as usize;
        (first, (bytes * 8 / self.stored.bits as usize).min(self.count - first))
    }

    /// Caches do not hold it.
    fn is_large(&self) -> bool {
        self.host_bytes() >= stream::LARGE
    }

    /// Host bytes of its numbers.
    pub fn host_bytes(&self) -> usize {
        self.count * self.stored.elem_size()
    }

    pub fn host_of(&self, element: usize) -> usize {
        self.host + (element - self.first) * self.stored.elem_size() * self.stored.pitch()
    }
}

/// Encodes and sends a section, all its planes.
///
/// `base`: where the variable is, from which its elements are counted.
pub fn send(call: &CallContext, name: Name, line: i32, base: usize, sections: &[EncodedSection]) {
    let Some(any) = sections.first() else { return };
    let widest = size_of::<f64>();
    sections.iter().for_each(|s| await_arrivals(call, s.host, s.count * widest));
    let (started, before) = (Instant::now(), parallel::spent());
    let converter = offload::converter(call, sections, true);
    let mut outside = 0;
    let bytes = moved(converter, sections);
    call.transfer(Work::Upload, line, Data { name, bytes, host: any.host, device: any.device }, |queue| {
        for section in sections {
            outside += match converter {
                Converter::Host => send_encoded(call, queue, section)?,
                Converter::Device => offload::send(call, queue, section)?,
            };
        }
        Ok(())
    });
    let (whole, codec) = (started.elapsed(), parallel::spent() - before);
    let errors = config().compression_errors.then(|| errors(sections));
    let done = Conversion { encoded: true, sections, converter, clamped: outside, whole, codec, errors };
    call.state.storage.speeds.learn(&done);
    done.tell(call, line, name);
    if outside > 0 && any.stored.checked {
        refuse_no_numbers(call, name, line, base, sections);
    }
    if outside > 0 {
        warn(call, line, name, any.stored, outside);
    }
}

/// How many bytes travel.
fn moved(converter: Converter, sections: &[EncodedSection]) -> usize {
    let bytes = |section: &EncodedSection| match converter {
        Converter::Host => section.bytes(),
        Converter::Device => section.host_bytes(),
    };
    sections.iter().map(bytes).sum()
}

fn send_encoded(call: &CallContext, queue: QueueId, section: &EncodedSection) -> Result<u64> {
    let device = &*call.state.device;
    if section.has_own_words() && device.host_address(section.device).is_none() {
        return send_made(device, queue, section);
    }
    let mut outside = 0;
    for (first, count) in section.chunks() {
        outside += match device.host_address(section.device) {
            // SAFETY: the array's memory, of which this chunk is a part.
            Some(memory) => unsafe { encode_in_place(section, memory, first, count) },
            None => with_buffer(|buffer| upload(device, queue, section, first, count, buffer))?,
        };
    }
    Ok(outside)
}

/// Encodes straight into the memory that the device takes it from.
fn send_made(device: &dyn Device, queue: QueueId, section: &EncodedSection) -> Result<u64> {
    let (from, to) = section.span(section.first, section.first + section.count);
    let mut outside = 0;
    let mut make = |begin: usize, there: *mut u8, bytes: usize| {
        let (first, count) = section.elements(begin, bytes);
        let host = section.host_of(section.first + first) as *const u8;
        // SAFETY: the section is the user's, and there is room for these elements.
        outside += unsafe { encode_all(section.stored, host, there, 0, count, true) };
    };
    // SAFETY: the section's location on the device.
    unsafe {
        device.upload_made(
            queue,
            section.device + from as u64,
            to - from,
            section.group_bytes(),
            &mut make,
        )?
    };
    Ok(outside)
}

/// Decodes from where the device puts it.
fn receive_taken(device: &dyn Device, queue: QueueId, section: &EncodedSection) -> Result<()> {
    let (from, to) = section.span(section.first, section.first + section.count);
    let mut take = |begin: usize, there: *mut u8, bytes: usize| {
        let (first, count) = section.elements(begin, bytes);
        let host = section.host_of(section.first + first) as *mut u8;
        // SAFETY: as above; these elements have arrived.
        unsafe { decode_all(section.stored, there, host, 0, count, section.is_large()) };
    };
    // SAFETY: as above.
    unsafe {
        device.download_taken(
            queue,
            section.device + from as u64,
            to - from,
            section.group_bytes(),
            &mut take,
        )
    }
}

fn errors(sections: &[EncodedSection]) -> Errors {
    let mut all = Errors::default();
    for section in sections {
        // SAFETY: the user's section.
        all.join(unsafe { parallel::errors(section.stored, section.host, section.first, section.count) });
    }
    all
}

/// Receives and decodes a section; it is there when this returns.
pub fn receive(call: &CallContext, name: Name, line: i32, sections: &[EncodedSection]) {
    call.state.finish(call.location, call.queue);
    let (started, before) = (Instant::now(), parallel::spent());
    let converter = offload::converter(call, sections, false);
    let (host, device) = sections.first().map_or((0, 0), |first| (first.host, first.device));
    let told = Data { name, bytes: moved(converter, sections), host, device };
    call.transfer(Work::Download, line, told, |queue| match converter {
        Converter::Host => receive_encoded(call, queue, sections),
        Converter::Device => sections.iter().try_for_each(|section| offload::receive(call, queue, section)),
    });
    let (whole, codec) = (started.elapsed(), parallel::spent() - before);
    let done = Conversion { encoded: false, sections, converter, clamped: 0, whole, codec, errors: None };
    call.state.storage.speeds.learn(&done);
    done.tell(call, line, name);
}

fn receive_encoded(call: &CallContext, queue: QueueId, sections: &[EncodedSection]) -> Result<()> {
    let device = &*call.state.device;
    let apart =
        |section: &EncodedSection| section.starts_a_group() && device.host_address(section.device).is_none();
    if sections.iter().all(apart) {
        return sections.iter().try_for_each(|section| receive_taken(device, queue, section));
    }
    let chunks: Vec<Chunk> = sections
        .iter()
        .flat_map(|section| section.chunks().map(move |(first, count)| Chunk { section, first, count }))
        .collect();
    match sections.first().and_then(|s| device.host_address(s.device)) {
        Some(_) => chunks.iter().for_each(|chunk| chunk.decode_in_place(device)),
        None => download(call, queue, &chunks)?,
    }
    Ok(())
}

/// Where the group of element `first` begins in the array.
pub fn group_start(section: &EncodedSection, first: usize) -> usize {
    let group = first / GROUP as usize;
    group * GROUP as usize * section.stored.bits as usize / 8
}

/// # Safety
/// `memory` holds the array's encoded elements, and the section is the user's.
unsafe fn encode_in_place(section: &EncodedSection, memory: *mut u8, first: usize, count: usize) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        if section.stored.is_block() {
            return block::transfer::encode_in_place(section, memory, first, count);
        }
        let group = memory.add(group_start(section, first));
        encode_all(
            section.stored,
            section.host_of(first) as *const u8,
            group,
            first % GROUP as usize,
            count,
            section.is_large(),
        )
    }
}

/// A part of a section that is received at a time.
struct Chunk<'a> {
    section: &'a EncodedSection<'a>,
    first: usize,
    count: usize,
}

impl Chunk<'_> {
    fn decode_in_place(&self, device: &dyn Device) {
        let Chunk { section, first, .. } = self;
        if let Some(memory) = device.host_address(section.device) {
            // SAFETY: the array's memory, of which this chunk is a part.
            unsafe {
                match section.stored.is_block() {
                    true => block::transfer::decode_in_place(section, memory, *first, self.count),
                    false => self.decode(memory.add(group_start(section, *first))),
                }
            }
        }
    }

    /// # Safety
    /// `group` holds the encoded elements from the first one's group on.
    unsafe fn decode(&self, group: *mut u8) {
        let Chunk { section, first, count } = *self;
        if section.stored.is_block() {
            // SAFETY: the caller's promise.
            return unsafe { block::transfer::decode(section, first, count, group) };
        }
        let host = section.host_of(first) as *mut u8;
        // SAFETY: the caller's promise; the section is the user's.
        unsafe { decode_all(section.stored, group, host, first % GROUP as usize, count, section.is_large()) };
    }

    /// # Safety
    /// The buffer has room for a chunk and its group, and stays until the queue is finished.
    unsafe fn fetch(&self, device: &dyn Device, queue: QueueId, buffer: *mut u8) -> Result<()> {
        let Chunk { section, first, count } = *self;
        if section.stored.is_block() {
            // SAFETY: the caller's promise.
            return unsafe { block::transfer::fetch(device, queue, section, first, count, buffer) };
        }
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
    section: &EncodedSection,
    first: usize,
    count: usize,
    buffer: *mut u8,
) -> Result<u64> {
    if section.stored.is_block() {
        return block::transfer::upload(device, queue, section, first, count, buffer);
    }
    let start = group_start(section, first);
    let (from, to) = section.span(first, first + count);
    keep_neighbours(device, queue, section, (first, first + count), (from - start, to - start), buffer)?;
    // SAFETY: the buffer has room for a chunk and its group; the device's memory for all elements.
    unsafe {
        let host = section.host_of(first) as *const u8;
        let outside = encode_all(section.stored, host, buffer, first % GROUP as usize, count, false);
        device.upload(queue, section.device + from as u64, buffer.add(from - start), to - from)?;
        Ok(outside)
    }
}

/// Reads the words at both ends that hold bits of elements outside of the chunk.
fn keep_neighbours(
    device: &dyn Device,
    queue: QueueId,
    section: &EncodedSection,
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
fn download(call: &CallContext, queue: QueueId, chunks: &[Chunk]) -> Result<()> {
    let device = &*call.state.device;
    let second = if chunks.len() > 1 { call.state.second_queue(queue) } else { queue };
    let queues = [queue, second];
    with_buffer(|first| {
        with_buffer(|second| {
            let buffers = [first, second];
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

/// An error where a value is no number.
fn refuse_no_numbers(call: &CallContext, name: Name, line: i32, base: usize, sections: &[EncodedSection]) {
    for section in sections {
        // SAFETY: the user's section.
        let Some(at) = (unsafe { parallel::no_number(section.stored, section.host, section.count) }) else {
            continue;
        };
        let stored = section.stored;
        let number = section.host + at * stored.elem_size() * stored.pitch();
        let index = number.wrapping_sub(base) as isize / (stored.elem_size() * stored.members) as isize;
        let message =
            format!("name={name} holds no number (NaN) at [{index}], which compressed elements cannot be");
        let notes = [
            format!("compressed by: {}", stored.location.describe(stored.line)),
            "help: without --check and ACCL_CHECK it counts as 0; scheme(half) and scheme(bfloat) hold it"
                .to_owned(),
        ];
        fatal_coded(codes::NO_NUMBER, call.location, line, &message, &notes);
    }
}

/// Says once for each clause that values did not fit.
fn warn(call: &CallContext, line: i32, name: Name, stored: &StoredFormat, outside: u64) {
    static TOLD: Mutex<BTreeSet<(usize, i32, String)>> = Mutex::new(BTreeSet::new());
    let key = (std::ptr::from_ref(call.location.0) as usize, line, name.to_string());
    if !TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(key) {
        return;
    }
    if stored.is_block() {
        return log::warning(&format!(
            "{outside} values of {name} are infinite or no numbers: they are held as the largest number, \
             or as 0\n  {}",
            call.location.describe(line)
        ));
    }
    let (min, max) = stored.ends();
    log::warning(&format!(
        "{outside} values of {name} lie outside of its range, {min} to {max}, or are no numbers: \
         they are held as the nearest end, or as 0\n  {}\n  help: widen the range in the compressed clause",
        call.location.describe(line)
    ));
}
