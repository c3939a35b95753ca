//! Facts about the IR: what is read and written, which sections the subscripts cover, which loops carry a
//! dependence, which scalars are reductions or private.
//!
//! Analyses never change the IR; results are side tables keyed by handle. A conservative answer is
//! always a correct one.
#![forbid(unsafe_code)]

pub mod access;
pub mod addresses;
pub mod affine;
pub mod aliasing;
pub mod analyses;
pub mod changed;
pub mod copies;
pub mod data;
pub mod data_dependent;
pub mod definitions;
pub mod dependence;
pub mod effects;
pub mod guards;
pub mod indirect;
pub mod provenance;
pub mod reduction;
pub mod rows;
pub mod scalars;
pub mod searches;
pub mod section;
pub mod text;
