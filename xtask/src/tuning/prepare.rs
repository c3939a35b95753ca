//! Packs programs of `bench/` with all candidates of their kernels, to be measured on a machine without Rust:
//!
//!     DIR/tune.py               runs them and writes T4 files
//!     DIR/plan.json             programs, arguments, tolerances
//!     DIR/NAME.N                executables, one for each way to spread loops over the launch
//!     DIR/NAME.space.json       what each variant is

use crate::bench::manifest::{self, Manifest};
use crate::bench::ours::{Accl, FLAGS};
use crate::bench::prepare::strip;
use crate::options::Options;
use crate::{paths, run};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::Path;

/// What is recorded: kernels of different kinds, whose spaces are small enough to be measured in full.
const PROGRAMS: &[&str] = &[
    "jacobi",
    "gemm",
    "blur",
    "hotspot",
    "reduction",
    "nbody",
    "srad",
    "lines",
    "nn",
    "kmeans",
    "saxpy",
    "lud",
];

/// Sums in another order differ by about so much.
const TOLERANCE: f64 = 1e-4;

#[derive(Serialize)]
struct Plan {
    programs: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    args: String,
    tolerance: f64,
}

pub fn run(options: &Options, dir: &Path) -> Result<()> {
    let accl = Accl::release()?;
    std::fs::create_dir_all(dir)?;
    let mut plan = Plan { programs: vec![] };
    for bench in manifest::all()?.iter().filter(|bench| PROGRAMS.contains(&bench.name.as_str())) {
        if options.filter.as_ref().is_some_and(|filter| !filter.split(',').any(|name| name == bench.name)) {
            continue;
        }
        pack(&accl, bench, dir).with_context(|| bench.name.clone())?;
        plan.programs.push(Entry {
            name: bench.name.clone(),
            args: arguments(bench, options),
            tolerance: bench.tolerance.max(TOLERANCE),
        });
    }
    if plan.programs.is_empty() {
        bail!("no program is named so; there are {}", PROGRAMS.join(", "));
    }
    std::fs::copy(paths::root().join("bench/tune.py"), dir.join("tune.py"))?;
    Ok(std::fs::write(dir.join("plan.json"), serde_json::to_string_pretty(&plan)? + "\n")?)
}

/// The largest size for GPUs, or the small one for the processor of `--device opencl`.
fn arguments(bench: &Manifest, options: &Options) -> String {
    if options.device.as_deref() == Some("opencl") {
        return bench.args_cpu.lines().into_iter().next().unwrap_or_default();
    }
    let first =
        |line: &String| line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0u64);
    bench.args_large.lines().into_iter().max_by_key(first).unwrap_or_default()
}

fn pack(accl: &Accl, bench: &Manifest, dir: &Path) -> Result<()> {
    let mut command = accl.command();
    command.arg("tune").arg("--pack").arg(dir).args(FLAGS).args(bench.words(&bench.source));
    command.arg("-o").arg(&bench.name);
    run::show(&mut command)?;
    for number in 0.. {
        let executable = dir.join(format!("{}.{number}", bench.name));
        if !executable.is_file() {
            return Ok(());
        }
        strip(&executable)?;
    }
    Ok(())
}
