//! The contents of an encoded array on their way between host and device.

use super::transfer::{self, EncodedSection};
use super::{EncodedArray, StoredFormat};
use crate::call::CallContext;
use crate::present::Mapping;
use crate::variable::name;
use accl_abi::Var;

/// An array's encoded form, for a transfer.
pub struct EncodedContents {
    stored: StoredFormat,
    device: u64,
    /// The whole array on the host.
    host: usize,
    bytes: usize,
}

impl EncodedContents {
    pub fn new(mapping: &Mapping, array: &EncodedArray) -> EncodedContents {
        EncodedContents {
            stored: array.stored,
            device: mapping.device,
            host: mapping.host,
            bytes: mapping.bytes,
        }
    }

    /// Encodes a part, `(address, bytes)`, and sends it.
    pub fn send(&self, call: &CallContext, var: &Var, part: (usize, usize)) {
        let sections = self.sections(call, var, part);
        transfer::send(call, name(var), var.line, var.base as usize, &sections);
    }

    /// Receives a part and decodes it.
    pub fn receive(&self, call: &CallContext, var: &Var, part: (usize, usize)) {
        transfer::receive(call, name(var), var.line, &self.sections(call, var, part));
    }

    fn sections(
        &self,
        call: &CallContext,
        var: &Var,
        (host, bytes): (usize, usize),
    ) -> Vec<EncodedSection<'_>> {
        EncodedSection::all(&self.stored, self.device, self.host, self.bytes, host, bytes)
            .unwrap_or_else(|message| call.fatal(var.line, &message, &[]))
    }
}
