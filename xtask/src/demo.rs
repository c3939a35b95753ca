//! `cargo xtask demo`: two programs, from source to running on every device found.

use crate::bench::manifest::{self, Manifest};
use crate::options::Options;
use crate::{paths, run, setup};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A dense stencil with a reduction, and an irregular search.
const PROGRAMS: &[&str] = &["jacobi", "nn"];

pub fn run(options: &Options) -> Result<()> {
    setup::run()?;
    println!("Building accl (a few minutes the first time) …");
    run::show(&mut run::cargo(&["build", "--release", "--quiet", "-p", "accl", "-p", "accl-runtime"]))?;
    let accl = paths::target("release").join("accl");
    let work = paths::work_dir("demo")?;
    let devices = devices(&accl)?;
    let programs: Vec<Manifest> = manifest::all()?.into_iter().filter(|m| wanted(options, &m.name)).collect();
    for bench in &programs {
        show_program(&accl, bench, &work, &devices)?;
    }
    if let Some(bench) = programs.first() {
        show_kernel(bench, &work)?;
    }
    println!("\nNext: {} cc -O3 your.c -o your, and `accl help`.", accl.display());
    Ok(())
}

fn wanted(options: &Options, name: &str) -> bool {
    if options.names.is_empty() { PROGRAMS.contains(&name) } else { options.names.iter().any(|n| n == name) }
}

/// Prints what `accl devices` finds; gives the words for `ACC_DEVICE_TYPE`.
fn devices(accl: &Path) -> Result<Vec<&'static str>> {
    let output = Command::new(accl).arg("devices").output().context("cannot run accl")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    println!("\n$ accl devices\n{text}");
    let kinds = [("CUDA", "cuda"), ("OpenCL", "opencl"), ("CPU", "cpu")];
    let usable = |kind: &str| text.lines().any(|l| l.starts_with(kind) && !l.contains("not usable"));
    Ok(kinds.into_iter().filter(|(kind, _)| usable(kind)).map(|(_, name)| name).collect())
}

fn show_program(accl: &Path, bench: &Manifest, work: &Path, devices: &[&str]) -> Result<()> {
    let program = work.join(&bench.name);
    println!("\n== {}: {}", bench.name, bench.shows);
    println!("$ accl cc -O3 -Minfo=accel {} -o {}", bench.source, bench.name);
    let mut compile = Command::new(accl);
    compile.args([if bench.is_cxx() { "c++" } else { "cc" }, "-O3", "-Minfo=accel", "--keep"]).arg(work);
    compile.arg("-o").arg(&program).args(bench.words(&bench.source)).current_dir(bench.dir());
    run::show(&mut compile)?;
    let args = bench
        .args_cpu
        .lines()
        .first()
        .cloned()
        .or(bench.args_small.lines().first().cloned())
        .unwrap_or_default();
    for device in devices {
        println!("\n$ ACC_DEVICE_TYPE={device} ./{} {args}", bench.name);
        run::show(Command::new(&program).args(args.split_whitespace()).env("ACC_DEVICE_TYPE", device))?;
    }
    Ok(())
}

/// The CUDA source made of the program, without its head.
fn show_kernel(bench: &Manifest, work: &Path) -> Result<()> {
    let file: PathBuf = work.join(format!("{}.cu", bench.name));
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().rposition(|l| l.contains("__global__")).unwrap_or(0);
    println!("\n== A kernel accl made of {}, in CUDA", bench.source);
    println!("{}", lines[start..].join("\n"));
    Ok(())
}
