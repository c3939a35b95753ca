//! The one emitter of all languages of the C family.
//!
//! [`unit`] makes one text: kernels, then the functions, helpers and structures they turn out to need.
//! [`expr`] and [`operators`] write expressions, [`stmt`] and [`loops`] statements, [`decl`] declarators.
//! [`dialect`] is what a language supplies.

mod batches;
pub mod body;
mod calls;
pub mod cas;
mod constants;
pub mod decl;
pub mod dialect;
mod effects;
pub mod expr;
mod functions;
pub mod helper;
pub mod kernel;
pub mod library;
mod literal;
mod loops;
pub mod names;
mod operators;
pub mod scalar;
pub mod spaces;
mod stmt;
pub mod stop;
mod stored_pointers;
mod structs;
pub mod sync;
mod teams;
mod turns;
pub mod unit;
mod usage;
pub mod writer;
