//! Compressed arrays (an extension): the device stores an array's elements in fewer bits.
//!
//! The rest of the runtime comes here through [`crate::storage`] alone. A mapping of the present table that was made by a
//! compressed clause has an [`EncodedArray`]: its format with the parameters of its codec, and what is known of its decoded
//! copy. The rooms are:
//!
//! - the [`codec`], arithmetic on numbers in memory, on all cores; [`block`] elements have theirs in their own folder;
//! - transfers: [`contents`] of an array and [`transfer`] of its sections, encoded on the way in and decoded on the way out,
//!   by the host or, where [`offload`] finds that faster, by the device; [`report`] tells what was done;
//! - launches: [`check`] compares formats, [`arguments`] makes arguments, [`decoded_copy`] and [`block::written`] hand copies
//!   to kernels, [`coherence`] knows which form is the array; [`performance_warnings`] says where compression gains nothing;
//! - [`built_in_kernels`], the runtime's own, by which a device encodes and decodes.
//!
//! Invariant: host and device compute the same bits: one fused multiply-add each way, with the same parameters
//! ([`codec`] here, and [`block`], `compress::elements` of the compiler's transforms there).

pub mod arguments;
pub mod block;
mod built_in_kernels;
pub mod check;
pub mod codec;
pub mod coherence;
pub mod contents;
pub mod decoded_copy;
mod format;
pub mod offload;
pub mod performance_warnings;
pub mod report;
#[cfg(test)]
mod tests;
mod transfer;

pub use codec::parameters::CodecParameters;
pub use format::{StoredFormat, is_floating, is_ranged, words};

use coherence::Coherence;

/// Elements of a group: its bits are a whole number of 32-bit words for every width.
pub const GROUP: i64 = 32;

/// What is known of an array that is stored encoded.
pub struct EncodedArray {
    pub stored: StoredFormat,
    pub coherence: Coherence,
}

impl EncodedArray {
    pub fn new(stored: StoredFormat) -> EncodedArray {
        EncodedArray { stored, coherence: Coherence::default() }
    }
}

/// What is known of a device's conversions.
#[derive(Default)]
pub struct Statistics {
    /// What its arrays did, for the table of `ACCL_TIME`.
    pub conversions: report::Conversions,
    /// How fast they are converted.
    pub speeds: offload::Speeds,
}

impl Statistics {
    /// The table of conversions on a device; empty where there were none.
    pub fn table(&self, device: &str) -> String {
        self.conversions.table(device)
    }
}
