//! The contents of an array on their way between host and device.
//!
//! A transfer looks its array up in the present table, takes its [`Contents`] while the table is locked, and moves them when
//! the table is free again.
//!
//! Attached pointers (OpenACC 3.3 section 2.6.7) differ between host and device on purpose. A transfer of the memory they lie
//! in must not carry one side's pointers to the other, so they are put right after it.

use super::{Access, Exclusive, Storage, column_major};
use crate::call::CallContext;
use crate::compress::coherence;
use crate::compress::contents::EncodedContents;
use crate::location::Name;
use crate::present::{Attachment, Mapping};
use crate::profile::Work;
use crate::profiling::Data;
use crate::residency::touch;
use crate::transfer;
use crate::variable::name;
use accl_abi::Var;
use std::ops::Range;

/// What a transfer has to know of an array, up to date for it.
pub enum Contents {
    Plain(PlainContents),
    Encoded(EncodedContents),
}

/// An array that the device stores as the host does.
pub struct PlainContents {
    /// Where it begins.
    host: usize,
    device: u64,
    /// The pointers attached in the part that travels, by their host addresses.
    attached: Vec<(usize, Attachment)>,
}

impl Contents {
    /// The contents as the device has them, which is enough for a mapping that is being made.
    pub fn of(mapping: &Mapping) -> Contents {
        match mapping.storage.encoded() {
            None => Contents::plain(mapping, vec![]),
            Some(array) => Contents::Encoded(EncodedContents::new(mapping, array)),
        }
    }

    /// The contents for a transfer of a part, `(address, bytes)`, on the call's queue.
    pub fn for_transfer(
        call: &CallContext,
        exclusive: &Exclusive,
        mapping: &mut Mapping,
        part: (usize, usize),
        access: Access,
    ) -> Contents {
        column_major::make_plain(call, exclusive, mapping);
        match mapping.storage {
            Storage::Plain | Storage::ColumnMajor(_) => {
                Contents::plain(mapping, mapping.attached_within(part.0, part.1))
            }
            Storage::Encoded(_) => {
                coherence::for_transfer(call, exclusive, mapping, access);
                Contents::of(mapping)
            }
        }
    }

    fn plain(mapping: &Mapping, attached: Vec<(usize, Attachment)>) -> Contents {
        Contents::Plain(PlainContents { host: mapping.host, device: mapping.device, attached })
    }

    /// Sends a part, `(address, bytes)`, to the device.
    pub fn send(&self, call: &CallContext, var: &Var, part: (usize, usize)) {
        match self {
            Contents::Plain(plain) => plain.send(call, var, part),
            Contents::Encoded(encoded) => encoded.send(call, var, part),
        }
    }

    /// Brings a part to the host.
    pub fn receive(&self, call: &CallContext, var: &Var, part: (usize, usize)) {
        touch(part.0, part.1, true);
        match self {
            Contents::Plain(plain) => plain.receive(call, var, part),
            Contents::Encoded(encoded) => encoded.receive(call, var, part),
        }
    }
}

impl PlainContents {
    /// The device address for a host address.
    pub fn translate(&self, host: usize) -> u64 {
        self.device.wrapping_add(host.wrapping_sub(self.host) as u64)
    }

    fn send(&self, call: &CallContext, var: &Var, (host, bytes): (usize, usize)) {
        transfer::send(call, name(var), var.line, host, self.translate(host), bytes);
        self.restore_on_device(call);
    }

    fn receive(&self, call: &CallContext, var: &Var, (host, bytes): (usize, usize)) {
        transfer::receive(call, name(var), var.line, host, self.translate(host), bytes);
        self.restore_on_host(call);
    }

    /// The device's contents of a part, with the host's pointers.
    pub fn fetch(&self, call: &CallContext, name: Name, (host, bytes): (usize, usize)) -> Vec<u8> {
        let mut all = vec![0; bytes];
        let told = Data { name, bytes, host, device: self.translate(host) };
        call.transfer(Work::Download, 0, told, |queue| {
            // SAFETY: the part is present on the device, and the queue is finished below.
            unsafe { call.state.device.download(queue, self.translate(host), all.as_mut_ptr(), bytes) }
        });
        call.state.finish(call.location, call.queue);
        for (slot, attachment) in &self.attached {
            let at = slot - host;
            if let Some(pointer) = all.get_mut(at..at + size_of::<usize>()) {
                pointer.copy_from_slice(&attachment.host_target.to_ne_bytes());
            }
        }
        all
    }

    /// Sends `contents`, what the device is to have of the memory at `host`, where these parts changed. An attached pointer that changed
    /// gets the address on the device of what it points to now.
    pub fn send_parts(
        &self,
        call: &CallContext,
        name: Name,
        (host, contents): (usize, &[u8]),
        parts: &[Range<usize>],
    ) {
        let bytes = parts.iter().map(Range::len).sum();
        let start = host + parts.first().map_or(0, |part| part.start);
        let told = Data { name, bytes, host: start, device: self.translate(start) };
        call.transfer(Work::Upload, 0, told, |queue| {
            parts.iter().try_for_each(|part| {
                let (to, from) = (self.translate(host + part.start), contents[part.clone()].as_ptr());
                // SAFETY: the part is present on the device, and the queue is finished below.
                unsafe { call.state.device.upload(queue, to, from, part.len()) }
            })
        });
        call.state.finish(call.location, call.queue);
        for (slot, attachment) in &self.attached {
            // SAFETY: the address of a pointer variable inside the memory at `host`.
            let target = unsafe { (*slot as *const usize).read_unaligned() };
            let device_target = match target == attachment.host_target {
                true => attachment.device_target,
                // The address itself where nothing is present.
                false => call.on_device(target, 1).unwrap_or(target as u64),
            };
            transfer::write_pointer(call, self.translate(*slot), device_target);
        }
    }

    /// Writes the device's pointers again after host memory was copied over them.
    pub fn restore_on_device(&self, call: &CallContext) {
        for (slot, attachment) in &self.attached {
            transfer::write_pointer(call, self.translate(*slot), attachment.device_target);
        }
    }

    /// Writes the host's pointers again after device memory was copied over them.
    pub fn restore_on_host(&self, call: &CallContext) {
        if self.attached.is_empty() {
            return;
        }
        call.state.finish(call.location, call.queue);
        for (slot, attachment) in &self.attached {
            // SAFETY: the address of a pointer variable inside the section just written.
            unsafe { (*slot as *mut usize).write_unaligned(attachment.host_target) };
        }
    }
}
