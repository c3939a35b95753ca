//! Kernels to device source text.
//!
//! What: [`cuda::emit`], [`opencl::emit`] and [`cpu::emit`] each turn the kernels of a module into one
//! text of their language. `c_family` holds the one expression writer, the one statement writer and the
//! declarations; the three folders hold dialects, with the same file names in each: `dialect.rs`
//! (qualifiers, built-ins, kernel heads, math names), `atomics.rs`, `reduce.rs`, `keywords.rs`.
//!
//! Why text that people read: users look at it (`accl translate`, `-gpu=keep`), profilers show it, and a
//! reader can check it. The user's names, C's own conversions and minimal parentheses are features.
//!
//! Invariants: the output holds only what the kernels use (structures, device functions, helpers), in an
//! order that follows from the module alone; emission returns errors and never panics on a verified module.
//!
//! # What a language cannot express
//!
//! A kernel that a device's language cannot express has no code for that device, with a warning; the others of
//! the file have theirs. Functions that call themselves stay calls: kernels that reach one have no OpenCL code.
//!
//! OpenCL buffers cannot be named from before their start, so each data argument is a buffer and an offset
//! there. Pointers in memory (members, elements, what a pointer points to) are numbers there
//! (`c_family::stored_pointers`), since OpenCL C's pointer types name a space; kernels follow them where the
//! device has shared virtual memory, and are refused at launch elsewhere.
//!
//! `abort()` and a failed assertion are a `Stop` of the IR: on the cpu a call of the runtime's, on CUDA a
//! device assertion, whose error the runtime knows; OpenCL C has nothing, so there the kernel sets a flag, a
//! hidden parameter, and returns (`c_family::stop`).
#![forbid(unsafe_code)]

mod c_family;
pub mod cpu;
pub mod cuda;
pub mod opencl;

use accl_ir::{Handle, Kernel};
use accl_source::{LineMap, Span};

/// For whom the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// It travels in an object and is compiled by the runtime or the driver.
    #[default]
    Embedded,
    /// It is a file of the user's (`accl translate`).
    Translate,
}

/// What the caller decides about the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmitOptions<'a> {
    pub style: Style,
    /// From offsets in the preprocessed buffer to the user's lines; names each kernel's place.
    pub lines: Option<&'a LineMap>,
    /// `#line` before statements, so that debuggers show the user's lines. Embedded style only.
    pub line_markers: bool,
    /// The versions of kernels that count in 64 bits, in place of the usual ones: they are a text of their own.
    pub index64: bool,
    /// cpu: suffix of the entries' names, which makes them unique in a program; the host crate calls them
    /// by the same. Empty: none.
    pub unit_id: &'a str,
}

/// Why no text could be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CodegenError {
    /// The program asks for something that this language cannot say.
    #[error("{what}")]
    Unsupported { what: String, span: Span },
    /// The module breaks a promise of the IR; the compiler is at fault.
    #[error("internal error: {0}")]
    Internal(String),
}

/// A text, and the kernels that are not in it because the language cannot express them.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    pub text: String,
    /// Each with the reason, a [`CodegenError::Unsupported`].
    pub refused: Vec<(Handle<Kernel>, CodegenError)>,
}

pub(crate) type Result<T> = std::result::Result<T, CodegenError>;
