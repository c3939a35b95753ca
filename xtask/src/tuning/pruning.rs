//! `cargo xtask tune-spaces --only pruning`: paper 002's table 9, how many configurations of a program are left to measure, beside
//! ours for the forms of its programs that `bench/` has.
//!
//! A program is tuned as a whole there: all kernels have the same values. So a program's configurations are those of its kernel with
//! the most, and what is left are the schedules of all kernels, one after the other with what the others share.

use crate::bench::manifest;
use crate::bench::ours::{Accl, FLAGS};
use crate::{paths, run};
use anyhow::{Context, Result};
use std::time::Duration;

/// The paper's program, its configurations without and with pruning, and the program of `bench/`; none where there is no such form.
const PROGRAMS: &[(&str, f64, f64, Option<&str>)] = &[
    ("JACOBI", 25600.0, 100.0, Some("jacobi")),
    ("SPMUL", 16384.0, 128.0, Some("spmv")),
    ("EP", 21504.0, 336.0, Some("ep")),
    ("CG", 6144.0, 384.0, Some("cg")),
    ("FT", 16384.0, 512.0, Some("fft")),
    ("BACKPROP", 65536.0, 128.0, Some("backprop")),
    ("BFS", 49152.0, 96.0, Some("bfs")),
    ("CFD", 49152.0, 384.0, None),
    ("HEARTWALL", 65536.0, 512.0, None),
    ("SRAD", 65536.0, 1024.0, Some("srad")),
    ("HOTSPOT", 16384.0, 256.0, Some("hotspot")),
    ("KMEANS", 65536.0, 256.0, Some("kmeans")),
    ("LUD", 49152.0, 48.0, Some("lud")),
    ("NW", 65536.0, 32.0, Some("needle")),
];

const LIMIT: Duration = Duration::from_secs(120);

pub fn run(accl: &Accl) -> Result<()> {
    let folder = paths::work_dir("pruning")?;
    let benches = manifest::all()?;
    println!(
        "{:<12} {:>10} {:>8} {:>8}   {:<10} {:>12} {:>8} {:>8}",
        "002, table 9", "without", "with", "%", "here", "without", "with", "%"
    );
    let (mut theirs, mut ours) = (vec![], vec![]);
    for (name, without, with, program) in PROGRAMS {
        let percent = 100.0 * (1.0 - with / without);
        theirs.push(percent);
        print!("{name:<12} {without:>10} {with:>8} {percent:>8.2}   ");
        let Some(bench) = benches.iter().find(|bench| Some(bench.name.as_str()) == *program) else {
            println!("(no form of it)");
            continue;
        };
        let mut command = accl.command();
        command.arg("tune").arg("--extract").arg(folder.join(format!("{}.txt", bench.name)));
        command.args(FLAGS).args(bench.words(&bench.source));
        let told = run::capture(&mut command, LIMIT)?.text();
        let row = told.lines().find(|line| line.starts_with("program ")).context("no row for the program")?;
        let numbers: Vec<f64> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [all, left, part] = numbers[..] else { anyhow::bail!("three numbers are expected: {row}") };
        println!("{:<10} {all:>12} {left:>8} {part:>8.3}", bench.name);
        ours.push(part);
    }
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    println!("{:<12} {:>28.2}   {:<10} {:>30.3}", "mean", mean(&theirs), "", mean(&ours));
    Ok(())
}
