//! `cargo xtask bench`: the programs of `bench/` against their peers.

pub mod manifest;

use crate::options::Options;
use anyhow::Result;

pub fn run(_options: &Options) -> Result<()> {
    Ok(())
}
