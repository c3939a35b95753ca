//! Source text, and everything that the compiler reports about it.
//!
//! What: [`Files`] and [`Span`]s; [`LineMap`], from an offset in the preprocessed buffer to the
//! user's file, line and column; [`Diagnostic`]s (mistakes) and [`Remark`]s (decisions) as data; the
//! [`codes`] each of them carries; and the [`render`]ers that turn them into text, JSON and SARIF.
//!
//! Why one crate: every phase reports to the user, in one style. A phase builds data; it never formats or prints.
//!
//! Invariants: renderers are pure functions of their arguments and the files on disk; their output
//! does not depend on the order in which phases ran in parallel.

pub mod codes;
mod diagnostic;
mod files;
mod line_map;
mod location;
mod remark;
pub mod render;

pub use diagnostic::{Diagnostic, Severity};
pub use files::{FileId, Files, SourceFile, Span};
pub use line_map::{LineMap, Location, without_line_markers};
pub use location::SourceLocation;
pub use remark::{Remark, RemarkKind};
