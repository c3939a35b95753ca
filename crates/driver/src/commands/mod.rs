//! The commands beside `accl cc`.

pub mod devices;
pub mod explain;
mod explicit;
pub mod help;
pub mod install_files;
pub mod ir;
mod openacc;
mod openmpc;
pub mod reference;
pub mod translate;
pub mod tune;
