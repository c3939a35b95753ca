//! Groups on their way to and from a device: a chunk's elements, and its exponents after them in the same buffer.

use super::runs::{self, GroupPart, Groups};
use super::{exponent_bytes, group_bytes};
use crate::compress::GROUP;
use crate::compress::transfer::EncodedSection;
use crate::device::{Device, QueueId};
use crate::error::Result;

const LANES: usize = GROUP as usize;

/// Groups that some elements of a section lie in.
struct Span<'a> {
    section: &'a EncodedSection<'a>,
    group: usize,
    count: usize,
    part: GroupPart,
}

impl<'a> Span<'a> {
    fn new(section: &'a EncodedSection<'a>, first: usize, count: usize) -> Span<'a> {
        let group = first / LANES;
        let total = section.total - group * LANES;
        let part = GroupPart { first: first % LANES, count, total };
        Span { section, group, count: (first + count).div_ceil(LANES) - group, part }
    }

    /// Where they are in memory that begins with the plane.
    fn in_place(&self, memory: *mut u8) -> Groups {
        let stored = self.section.stored;
        let all = Groups { elements: memory as usize, exponents: memory as usize + stored.exponents };
        all.after(stored, self.group)
    }

    fn in_buffer(&self, buffer: *mut u8) -> Groups {
        let elements = buffer as usize;
        Groups { elements, exponents: elements + self.count * group_bytes(self.section.stored.bits) }
    }

    /// What is copied for `count` groups from the span's group `from` on: device address, place in the buffer, bytes.
    fn copies(&self, buffer: *mut u8, from: usize, count: usize) -> [(u64, *mut u8, usize); 2] {
        let stored = self.section.stored;
        let device = self.section.device + ((self.group + from) * group_bytes(stored.bits)) as u64;
        let exponent = exponent_bytes(stored.double);
        let exponents = self.section.device + (stored.exponents + (self.group + from) * exponent) as u64;
        let there = self.in_buffer(buffer).after(stored, from);
        [
            (device, there.elements as *mut u8, count * group_bytes(stored.bits)),
            (exponents, there.exponents as *mut u8, count * exponent),
        ]
    }

    /// # Safety
    /// The buffer has room for the span, and stays until the queue is finished.
    unsafe fn fetch(
        &self,
        device: &dyn Device,
        queue: QueueId,
        buffer: *mut u8,
        from: usize,
        count: usize,
    ) -> Result<()> {
        for (there, here, bytes) in self.copies(buffer, from, count) {
            // SAFETY: the caller's promise.
            unsafe { device.download(queue, there, here, bytes)? };
        }
        Ok(())
    }
}

/// Bytes that a transfer of the section moves.
pub fn bytes(section: &EncodedSection) -> usize {
    let groups = Span::new(section, section.first, section.count).count;
    groups * (group_bytes(section.stored.bits) + exponent_bytes(section.stored.double))
}

/// # Safety
/// `memory` holds the plane, and the section is the user's.
pub unsafe fn encode_in_place(section: &EncodedSection, memory: *mut u8, first: usize, count: usize) -> u64 {
    let span = Span::new(section, first, count);
    let host = section.host_of(first) as *const u8;
    // SAFETY: the caller's promise.
    unsafe { runs::encode_all(section.stored, host, span.in_place(memory), span.part) }
}

/// # Safety
/// As for [`encode_in_place`].
pub unsafe fn decode_in_place(section: &EncodedSection, memory: *mut u8, first: usize, count: usize) {
    let span = Span::new(section, first, count);
    let host = section.host_of(first) as *mut u8;
    // SAFETY: the caller's promise.
    unsafe { runs::decode_all(section.stored, span.in_place(memory), host, span.part) }
}

/// Encodes a chunk into the buffer and sends it. Groups at its ends that have other elements too are fetched before.
pub fn upload(
    device: &dyn Device,
    queue: QueueId,
    section: &EncodedSection,
    first: usize,
    count: usize,
    buffer: *mut u8,
) -> Result<u64> {
    let span = Span::new(section, first, count);
    let (last, end) = (span.count - 1, first + count);
    let head = span.part.first != 0;
    let tail = !end.is_multiple_of(LANES) && end < section.total && !(head && last == 0);
    // SAFETY: the buffer has room for a chunk and its groups; the device's memory for all elements.
    unsafe {
        if head {
            span.fetch(device, queue, buffer, 0, 1)?;
        }
        if tail {
            span.fetch(device, queue, buffer, last, 1)?;
        }
        if head || tail {
            device.finish(queue)?;
        }
        let host = section.host_of(first) as *const u8;
        let outside = runs::encode_all(section.stored, host, span.in_buffer(buffer), span.part);
        for (there, here, bytes) in span.copies(buffer, 0, span.count) {
            device.upload(queue, there, here, bytes)?;
        }
        Ok(outside)
    }
}

/// # Safety
/// The buffer has room for a chunk and its groups, and stays until the queue is finished.
pub unsafe fn fetch(
    device: &dyn Device,
    queue: QueueId,
    section: &EncodedSection,
    first: usize,
    count: usize,
    buffer: *mut u8,
) -> Result<()> {
    let span = Span::new(section, first, count);
    // SAFETY: the caller's promise.
    unsafe { span.fetch(device, queue, buffer, 0, span.count) }
}

/// Decodes what was fetched.
///
/// # Safety
/// The chunk has arrived in the buffer.
pub unsafe fn decode(section: &EncodedSection, first: usize, count: usize, buffer: *mut u8) {
    let span = Span::new(section, first, count);
    let host = section.host_of(first) as *mut u8;
    // SAFETY: the caller's promise.
    unsafe { runs::decode_all(section.stored, span.in_buffer(buffer), host, span.part) }
}
