//! `cargo xtask setup`: from a machine with Rust to one that builds and tests everything.
//!
//! System packages come from apt; NVIDIA's compilers are Python wheels, unpacked into `.toolchain/`,
//! since they need no installation and no GPU. What is there already is not touched, so the command is
//! quick and harmless to repeat. Where something cannot be installed, the exact command that would is
//! printed.

mod cuda;
mod packages;

use anyhow::Result;
use std::path::PathBuf;

/// NVIDIA's compilers, where they could be installed.
#[derive(Clone, Debug, Default)]
pub struct Toolchain {
    /// CUDA 13: compiles for sm_75 and newer.
    pub nvcc: Option<PathBuf>,
    /// A program that compiles sources with a given NVRTC: that of CUDA 13, or that of CUDA 12.9, the last that knows sm_70.
    pub nvrtc_check: Option<PathBuf>,
    pub nvrtc13: Option<PathBuf>,
    pub nvrtc12: Option<PathBuf>,
}

pub fn run() -> Result<Toolchain> {
    packages::install()?;
    Ok(cuda::install())
}

/// What is installed, without installing.
pub fn found() -> Toolchain {
    cuda::found()
}
