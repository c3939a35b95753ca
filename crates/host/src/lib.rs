//! Edits of the host program.
//!
//! What: [`rewrite`] replaces each construct of a preprocessed buffer by calls of the runtime
//! (`crates/abi/include/accl_abi.h`); [`device_data_c`] gives the C file that carries the device code of one
//! translation unit and registers it. [`unit_id`] names the unit: the names that several objects of a program
//! share a scope for (kernel entries of the cpu device, the module) end in it.
//!
//! Why text: the user's code is compiled by the user's compiler, unchanged where no directive stands. Clause
//! arguments are written back where they stood, so they mean what they meant.
//!
//! Invariants: the result is valid C99 and C++11 and needs no header; every line of the user's keeps its
//! number (`# 12 "file.c"` follows whatever is put in); names that are put in begin with `accl_`, and the program has none of them.
#![forbid(unsafe_code)]

mod abi_text;
mod cross_unit;
mod data;
mod device_data;
mod dynamic_tiles;
mod edits;
mod host_data;
mod host_version;
mod launch;
mod lexer;
mod objects;
mod own_names;
mod region;
mod standalone;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod translate;
mod types;
mod unit;

pub use device_data::{DeviceData, DeviceImage, Sources, device_data_c};

use accl_ir::Module;
use accl_source::LineMap;

/// What the caller decides.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostOptions<'a> {
    /// The result of [`unit_id`]; code generation for the cpu gets the same.
    pub unit_id: &'a str,
    pub cplusplus: bool,
    /// Each inserted line states the directive's line number, so that a debugger stays there.
    pub exact_lines: bool,
    /// Storing a NaN into a compressed array is an error.
    pub check: bool,
    /// Constructs that the host runs have its threads where they can.
    pub host_threads: bool,
    /// Arrays with static storage get pages of their own, and the runtime is told of them.
    pub auto_data: bool,
    /// Addresses of variables that other units are told.
    pub addresses: &'a [Address],
    /// Kernels that the language of a device cannot express, with the flag that says which.
    pub left_out: &'a [(accl_ir::Handle<accl_ir::Kernel>, u32)],
}

/// A constant of the unit that holds the address of one of its variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    pub symbol: String,
    /// The variable's name.
    pub of: String,
    /// The name is the linker's; else it is the source's.
    pub linked: bool,
}

/// Why the text could not be edited. Each is a bug of the compiler or an extension that it lacks.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HostError {
    #[error("{what}")]
    Unsupported { what: String, span: accl_source::Span },
    #[error("internal error: {0}")]
    Internal(String),
}

pub(crate) type Result<T> = std::result::Result<T, HostError>;

/// The buffer with its constructs replaced. `lines` is the buffer's own map.
pub fn rewrite(
    module: &Module,
    buffer: &str,
    lines: &LineMap,
    options: &HostOptions,
) -> std::result::Result<String, HostError> {
    unit::HostSource::new(module, buffer, lines, options).rewrite()
}

/// A word for the translation unit: a hash of its file's name and its text.
pub fn unit_id(file: &str, buffer: &str) -> String {
    let hash = file.bytes().chain([0]).chain(buffer.bytes()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("u{hash:016x}")
}
