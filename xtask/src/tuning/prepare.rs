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

/// What is recorded, and with which arguments for GPUs: large enough to fill them, with as few repetitions as there can be, since the
/// first launch of each kernel is what is measured. Of a program that is there twice, some kernels with each.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("jacobi", "4096 5 1", &[]),
    ("gemm", "2048 1", &[]),
    ("hotspot", "4096 2 1", &[]),
    ("reduction", "67108864 1", &[]),
    ("nbody", "65536 1", &[]),
    ("srad", "4096 2 1", &[]),
    ("backprop", "16384 1024 1", &["forward:7", "adjust:31"]),
    ("backprop", "64 4194304 1", &["errors:21"]),
    ("matmul", "2048 1", &[]),
    ("nn", "16777216 1", &[]),
    ("kmeans", "8000000 1 1", &[]),
    ("saxpy", "33554432 1", &[]),
    ("blackscholes", "8388608 1", &[]),
    ("lines", "256 1", &[]),
    ("blur", "4096 1", &[]),
    ("lud", "4096 1", &[]),
    ("spmv", "4194304 3 1", &[]),
    ("pathfinder", "10000019 20 1", &[]),
    ("ep", "262144 2 1", &[]),
    ("cg", "192 2 1", &[]),
    ("fft", "4194304 1 1", &[]),
    ("bfs", "16777216 1", &[]),
    ("needle", "16384 1", &[]),
    ("xsolve", "256 1", &[]),
];

/// Sums in another order differ by about so much.
pub const TOLERANCE: f64 = 1e-4;

#[derive(Serialize)]
struct Plan {
    programs: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    args: String,
    /// Those that are recorded; none: all.
    kernels: &'static [&'static str],
    tolerance: f64,
}

pub fn run(options: &Options, dir: &Path) -> Result<()> {
    let accl = Accl::release()?;
    std::fs::create_dir_all(dir)?;
    let mut plan = Plan { programs: vec![] };
    let benches = manifest::all()?;
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|all| all.split(',').any(|one| one == name));
    for (name, large, kernels) in PROGRAMS.iter().filter(|(name, ..)| wanted(name)) {
        let bench = benches.iter().find(|bench| bench.name == *name);
        let bench = bench.with_context(|| format!("bench/{name} is not there"))?;
        if plan.programs.iter().all(|entry| entry.name != bench.name) {
            pack(&accl, bench, dir, &bench.name, &[]).with_context(|| bench.name.clone())?;
        }
        let small = || bench.args_cpu.lines().into_iter().next().unwrap_or_default();
        let args = if options.device.as_deref() == Some("opencl") { small() } else { large.to_string() };
        plan.programs.push(Entry {
            name: bench.name.clone(),
            args,
            kernels,
            tolerance: bench.tolerance.max(TOLERANCE),
        });
    }
    if plan.programs.is_empty() {
        let names: Vec<&str> = PROGRAMS.iter().map(|(name, ..)| *name).collect();
        bail!("no program is named so; there are {}", names.join(", "));
    }
    std::fs::copy(paths::root().join("bench/tune.py"), dir.join("tune.py"))?;
    Ok(std::fs::write(dir.join("plan.json"), serde_json::to_string_pretty(&plan)? + "\n")?)
}

/// Executables `NAME.N` with all candidates, made with further options, and what each variant is.
pub fn pack(accl: &Accl, bench: &Manifest, dir: &Path, name: &str, options: &[&str]) -> Result<()> {
    let mut command = accl.command();
    command.arg("tune").arg("--pack").arg(dir).args(FLAGS).args(options).args(bench.words(&bench.source));
    command.arg("-o").arg(name);
    run::show(&mut command)?;
    for extension in ["candidates", "schedules"] {
        let _ = std::fs::remove_file(dir.join(format!("{name}.{extension}")));
    }
    for number in 0.. {
        let executable = dir.join(format!("{name}.{number}"));
        if !executable.is_file() {
            return Ok(());
        }
        strip(&executable)?;
    }
    Ok(())
}
