//! `cargo xtask tune-spaces`: measured spaces of schedules, kept as T4 files in `bench/spaces`.
//!
//! `--prepare DIR` packs programs for a machine with a GPU.

mod prepare;

use crate::options::Options;
use anyhow::{Result, bail};

pub fn run(options: &Options) -> Result<()> {
    match &options.prepare {
        Some(dir) => prepare::run(options, dir),
        None => bail!("--prepare DIR is missing"),
    }
}
