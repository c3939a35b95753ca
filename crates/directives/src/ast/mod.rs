//! The typed tree of a directive.
//!
//! `Display` prints the canonical form, which parses to the same tree (spans aside).

mod access;
mod clause;
mod directive;
pub(crate) mod display;
mod expr;
mod section;

pub use access::*;
pub use clause::*;
pub use directive::*;
pub use expr::*;
pub use section::*;
