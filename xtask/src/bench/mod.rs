//! `cargo xtask bench`: the programs of `bench/` against their peers.
//!
//! Measuring itself is `bench/device.py`, on this machine and on GPU machines without Rust alike; this
//! builds what it runs.

pub mod manifest;
mod prepare;

use crate::options::Options;
use crate::{paths, run};
use anyhow::Result;
use prepare::Contents;
use std::process::Command;

pub fn run(options: &Options) -> Result<()> {
    if let Some(dir) = &options.prepare {
        return prepare::prepare(options, Contents::BenchmarksAndConformance, dir);
    }
    let dir = paths::target("xtask").join("bench-here");
    prepare::prepare(options, Contents::Benchmarks, &dir)?;
    let mut command = Command::new("python3");
    command.arg(dir.join("bench/device.py")).arg(&dir).args(["--only", "bench"]);
    if let Some(device) = &options.device {
        command.args(["--device", device]);
    }
    if let Some(nvcc) = &crate::setup::found().nvcc {
        command.env("ACCL_NVCC", nvcc);
    }
    let results = paths::root().join("bench/results.json");
    let results = if options.save { results } else { dir.join("results.json") };
    run::show(command.arg("--json").arg(results))
}
