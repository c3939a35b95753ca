//! From the front end's module to one whose kernels are complete.
//!
//! [`pipeline::run`] is the ordered list of passes; each pass is one file, its free function first. Passes take
//! facts from `accl_analysis` and write the IR; what they decide is told in remarks, what the user must mend
//! in diagnostics.
#![forbid(unsafe_code)]

pub mod accumulators;
mod build;
pub mod compress;
pub mod context;
pub mod implicit_data;
pub mod index64;
pub mod inline_routines;
mod last_values;
pub mod liveness;
pub mod map;
pub mod options;
pub mod outline;
mod own_globals;
mod own_variables;
pub mod parallelism;
pub mod pass;
pub mod pipeline;
mod private_copies;
mod private_sections;
pub mod regions;
pub mod schedule;
pub mod sink;
pub mod split;
pub mod wrapping;

pub use options::Options;
