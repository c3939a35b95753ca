//! Encoding and decoding by the device: arrays travel plain, and the device converts them.
//!
//! The host's way overlaps encoding with the transfer, so it takes as long as the slower of the two; the device's way
//! as long as the link needs for all bytes. It is therefore taken where the link is faster than the host's codec.
//! Both speeds are those of earlier transfers of the run; before the first one the host's is taken, which tells its
//! speed, and the link's is assumed. `ACCL_COMPRESS_ON` decides for all.
//!
//! The bits are the same either way. Arrays whose numbers do not lie side by side on the host (structures in planes),
//! and schemes without a range, are the host's always.

use super::built_in_kernels::Step;
use super::built_in_kernels::convert::{self, ElementRun};
use super::report::Conversion;
use super::transfer::{CHUNK, EncodedSection, group_start};
use super::{GROUP, is_ranged};
use crate::call::CallContext;
use crate::config::{Converter, config};
use crate::device::{Kind, QueueId};
use crate::error::Result;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Host bytes from which on a transfer tells a speed, and a launch is worth its while.
const LARGE: usize = 1 << 20;
/// Bytes a second, of a link that was not used yet: PCIe of the fourth generation.
const ASSUMED: f32 = 25e9;

/// A speed in bytes a second; 0 where it is unknown.
#[derive(Default)]
struct Speed(AtomicU32);

impl Speed {
    fn get(&self) -> Option<f32> {
        Some(f32::from_bits(self.0.load(Ordering::Relaxed))).filter(|speed| *speed > 0.0)
    }

    /// The last transfers count most.
    fn learn(&self, bytes: usize, time: Duration) {
        let seen = bytes as f32 / time.as_secs_f32().max(1e-9);
        let speed = self.get().map_or(seen, |before| (before + seen) / 2.0);
        self.0.store(speed.to_bits(), Ordering::Relaxed);
    }
}

/// What is known of a device: of the host's codec and of its link, towards the device and back.
#[derive(Default)]
pub struct Speeds {
    codec: [Speed; 2],
    link: [Speed; 2],
}

impl Speeds {
    fn faster(&self, encodes: bool) -> Converter {
        let link = self.link[usize::from(encodes)].get().unwrap_or(ASSUMED);
        match self.codec[usize::from(encodes)].get() {
            Some(codec) if link > codec => Converter::Device,
            _ => Converter::Host,
        }
    }

    pub fn learn(&self, done: &Conversion) {
        let (bytes, direction) = (done.host_bytes(), usize::from(done.encoded));
        if bytes < LARGE {
            return;
        }
        match done.converter {
            Converter::Host => self.codec[direction].learn(bytes, done.codec),
            Converter::Device => self.link[direction].learn(bytes, done.whole),
        }
    }
}

/// Who is to encode (or decode) these sections of an array.
pub fn converter(call: &CallContext, sections: &[EncodedSection], encodes: bool) -> Converter {
    let info = call.state.device.info();
    let [section] = sections else { return Converter::Host };
    let stored = section.stored;
    if info.kind == Kind::Cpu || stored.pitch() > 1 || !is_ranged(stored.scheme) {
        return Converter::Host;
    }
    let chosen = config().compress_on.unwrap_or_else(|| {
        if !info.is_accelerator || section.host_bytes() < LARGE {
            return Converter::Host;
        }
        call.state.storage.speeds.faster(encodes)
    });
    let step = if encodes { Step::Encode } else { Step::Decode };
    if chosen == Converter::Device && !convert::available(call, stored.double, step) {
        return Converter::Host;
    }
    chosen
}

/// Numbers of a section that lie side by side on the host, in pieces; with the words of each piece's first group.
fn pieces<'a>(section: &'a EncodedSection) -> impl Iterator<Item = StagedRun> + use<'a> {
    section.chunks().map(|(first, count)| StagedRun {
        words: section.device + group_start(section, first) as u64,
        first: (first % GROUP as usize) as i64,
        count,
        host: section.host_of(first),
    })
}

struct StagedRun {
    words: u64,
    /// Which element of its group the first one is.
    first: i64,
    count: usize,
    host: usize,
}

/// Device memory for one piece, plain, and the number of clamped values after it.
struct StagingBuffer<'a> {
    call: &'a CallContext,
    queue: QueueId,
    block: crate::pool::Block,
    counter: u64,
}

impl<'a> StagingBuffer<'a> {
    fn new(call: &'a CallContext, queue: QueueId, section: &EncodedSection) -> Result<StagingBuffer<'a>> {
        let plain = CHUNK.min(section.count) * section.stored.elem_size();
        let counter = plain.next_multiple_of(256);
        let block = call.state.pool.take(&*call.state.device, counter + 4, queue)?;
        Ok(StagingBuffer { call, queue, block, counter: block.address + counter as u64 })
    }
}

impl Drop for StagingBuffer<'_> {
    fn drop(&mut self) {
        self.call.state.pool.give(self.block, self.queue);
    }
}

/// Sends a section plain and encodes it there; how many values lay outside of the range. Returns when all is done,
/// since the count is known then.
pub fn send(call: &CallContext, queue: QueueId, section: &EncodedSection) -> Result<u64> {
    let device = &*call.state.device;
    let staging = StagingBuffer::new(call, queue, section)?;
    let mut outside = 0u32;
    // SAFETY: the buffer is for a piece and the count; the section is the user's, and its array on the device.
    unsafe {
        device.fill(queue, staging.counter, 0, 4)?;
        for piece in pieces(section) {
            let bytes = piece.count * section.stored.elem_size();
            device.upload(queue, staging.block.address, piece.host as *const u8, bytes)?;
            let there = ElementRun { words: piece.words, first: piece.first, count: piece.count as i64 };
            convert::encode(call, queue, section.stored, &there, staging.block.address, staging.counter)?;
        }
        device.download(queue, staging.counter, (&raw mut outside).cast(), 4)?;
        device.finish(queue)?;
    }
    Ok(outside.into())
}

/// Decodes a section there and receives it plain.
pub fn receive(call: &CallContext, queue: QueueId, section: &EncodedSection) -> Result<()> {
    let device = &*call.state.device;
    let staging = StagingBuffer::new(call, queue, section)?;
    for piece in pieces(section) {
        let there = ElementRun { words: piece.words, first: piece.first, count: piece.count as i64 };
        convert::decode(call, queue, section.stored, &there, staging.block.address)?;
        let bytes = piece.count * section.stored.elem_size();
        // SAFETY: the buffer is for a piece; the section is the user's.
        unsafe { device.download(queue, staging.block.address, piece.host as *mut u8, bytes)? };
    }
    device.finish(queue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_encodes_where_the_link_is_faster() {
        let speeds = Speeds::default();
        assert_eq!(speeds.faster(true), Converter::Host);
        let second = Duration::from_secs(1);
        // Slower than what is assumed of the link; nothing is known of decoding.
        speeds.codec[1].learn(2_000_000_000, second);
        assert_eq!((speeds.faster(true), speeds.faster(false)), (Converter::Device, Converter::Host));
        // The link turns out to be slower still.
        speeds.link[1].learn(1_000_000_000, second);
        assert_eq!(speeds.faster(true), Converter::Host);
    }
}
