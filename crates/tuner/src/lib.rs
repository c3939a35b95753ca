//! Finds the fastest schedules of a program's kernels by measuring them.
//!
//! The compiler says which schedules each kernel can have ([`space`]); those that the device cannot run, or that the cost
//! model shows to be worse than another in everything, are taken away ([`prune`]); a strategy chooses which of the others is
//! measured next ([`strategy`]); the program is built and run with it by whoever calls ([`program`]), and its output compared
//! ([`compare`]). Everything measured is written to a file at once ([`journal`]), so that a search can go on where it
//! stopped ([`search`]).
//!
//! Deliberately absent: how a program is compiled, what a step of a schedule means, and anything printed.
//!
//! Invariant: with the same seed and the same measurements, a search takes the same course.
#![forbid(unsafe_code)]

pub mod compare;
pub mod html;
pub mod journal;
pub mod level;
pub mod program;
pub mod prune;
pub mod recorded;
pub mod replay;
pub mod search;
pub mod setup;
pub mod space;
pub mod strategy;
pub mod t4;
pub mod wisdom;
