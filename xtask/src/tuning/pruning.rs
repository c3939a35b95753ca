//! `cargo xtask tune-spaces --only pruning`: paper 002's table 9, how many configurations of a program are left to measure, beside
//! ours for the forms of its programs in `bench/`.
//!
//! A program is tuned as a whole there: all kernels have the same values. So a program's configurations are those of its kernel with
//! the most, and what is left are the schedules of all kernels, one after the other with what the others share.

use crate::bench::manifest;
use crate::bench::ours::{Accl, FLAGS};
use crate::bench::table::Table;
use crate::{paths, run};
use anyhow::{Context, Result};
use std::time::Duration;

/// The paper's program, its configurations without and with pruning, and the program of `bench/`.
const PROGRAMS: &[(&str, f64, f64, &str)] = &[
    ("JACOBI", 25600.0, 100.0, "jacobi"),
    ("SPMUL", 16384.0, 128.0, "spmv"),
    ("EP", 21504.0, 336.0, "ep"),
    ("CG", 6144.0, 384.0, "cg"),
    ("FT", 16384.0, 512.0, "fft"),
    ("BACKPROP", 65536.0, 128.0, "backprop"),
    ("BFS", 49152.0, 96.0, "bfs"),
    ("CFD", 49152.0, 384.0, "cfd"),
    ("HEARTWALL", 65536.0, 512.0, "heartwall"),
    ("SRAD", 65536.0, 1024.0, "srad"),
    ("HOTSPOT", 16384.0, 256.0, "hotspot"),
    ("KMEANS", 65536.0, 256.0, "kmeans"),
    ("LUD", 49152.0, 48.0, "lud"),
    ("NW", 65536.0, 32.0, "needle"),
];

const LIMIT: Duration = Duration::from_secs(120);

pub fn run(accl: &Accl) -> Result<()> {
    let folder = paths::work_dir("pruning")?;
    let benches = manifest::all()?;
    let mut table = Table::new(&["002, table 9", "without", "with", "%", "here", "without", "with", "%"]);
    let (mut theirs, mut ours) = (vec![], vec![]);
    for (name, without, with, program) in PROGRAMS {
        let bench = benches.iter().find(|bench| bench.name == *program);
        let bench = bench.with_context(|| format!("bench/{program} is not there"))?;
        let mut command = accl.command();
        command.arg("tune").arg("--extract").arg(folder.join(format!("{program}.txt")));
        command.args(FLAGS).args(bench.words(&bench.source));
        let told = run::capture(&mut command, LIMIT)?.text();
        let row = told.lines().find(|line| line.starts_with("program ")).context("no row for the program")?;
        let numbers: Vec<f64> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [all, left, _] = numbers[..] else { anyhow::bail!("three numbers are expected: {row}") };
        let pruned = |with: f64, without: f64| 100.0 * (1.0 - with / without);
        let (percent, part) = (pruned(*with, *without), pruned(left, all));
        theirs.push(percent);
        ours.push(part);
        table.rows.push(vec![
            name.to_string(),
            without.to_string(),
            with.to_string(),
            format!("{percent:.2}"),
            program.to_string(),
            all.to_string(),
            left.to_string(),
            format!("{part:.4}"),
        ]);
    }
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let (theirs, ours) = (format!("{:.2}", mean(&theirs)), format!("{:.4}", mean(&ours)));
    table.rows.push(["mean", "", "", &theirs, "", "", "", &ours].map(str::to_owned).to_vec());
    print!("{}", table.text());
    let page = format!(
        "# Paper 002: table 9\n\nMade by `cargo xtask tune-spaces --only pruning`: the configurations of a program without and with pruning, \
         the paper's and those of its form in `bench/`. The percentages do not compare: the paper counts values of the parameters that \
         apply to a program, we count combinations of steps, of which most exclude each other. Of these only schedules that are wrong, \
         or that the device cannot run, are gone, so the fastest one is never pruned.\n\n{}",
        table.markdown()
    );
    Ok(std::fs::write(paths::root().join("docs/results-pruning.md"), page)?)
}
