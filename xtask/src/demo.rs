//! `cargo xtask demo`: two programs, from source to running on every device found.

use crate::options::Options;
use anyhow::Result;

pub fn run(_options: &Options) -> Result<()> {
    Ok(())
}
