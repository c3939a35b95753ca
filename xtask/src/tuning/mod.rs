//! Measured spaces of schedules, kept as T4 files in `bench/spaces`, a folder a device.
//!
//! `cargo xtask tune-spaces [DIR…]` compares strategies on them, `cargo xtask model [DIR…]` the cost model, and fits its constants;
//! `--only pruning` prints table 9 of paper 002 beside ours, `--only tuned` table 8 and figure 5, `--prepare DIR` packs programs to be measured on another machine.

mod prepare;
mod pruning;
mod tuned;

use crate::bench::manifest;
use crate::bench::ours::{Accl, FLAGS};
use crate::bench::peers::built;
use crate::options::Options;
use crate::{paths, run};
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(1800);

pub fn run(options: &Options) -> Result<()> {
    if options.only.iter().any(|only| only == "pruning") {
        return pruning::run(&development()?);
    }
    if options.only.iter().any(|only| only == "tuned") {
        return tuned::run(options);
    }
    match &options.prepare {
        Some(dir) => prepare::run(options, dir),
        None => on_files(options, "strategies"),
    }
}

pub fn model(options: &Options) -> Result<()> {
    on_files(options, "model")
}

/// The compiler as `cargo build` makes it.
fn development() -> Result<Accl> {
    run::show(&mut run::cargo(&["build", "--quiet", "-p", "accl", "-p", "accl-runtime"]))?;
    Ok(Accl { bin: paths::target("debug") })
}

/// What the compiler says today of the schedules of the programs that the files are of, a file each in one folder.
fn models(files: &[PathBuf]) -> Result<PathBuf> {
    let accl = development()?;
    let folder = paths::work_dir("model")?;
    let program = |file: &PathBuf| Some(file.file_name()?.to_str()?.split('.').next()?.to_owned());
    let programs: BTreeSet<String> = files.iter().filter_map(program).collect();
    for bench in manifest::all()?.iter().filter(|bench| programs.contains(&bench.name)) {
        let mut command = accl.command();
        command.arg("tune").arg("--extract").arg(folder.join(format!("{}.json", bench.name)));
        built(command.args(FLAGS).args(bench.words(&bench.source)))?;
    }
    Ok(folder)
}

/// The tuner's own example reads the files.
fn on_files(options: &Options, what: &str) -> Result<()> {
    let mut folders: Vec<PathBuf> = options.names.iter().map(PathBuf::from).collect();
    if folders.is_empty() {
        let kept = std::fs::read_dir(paths::root().join("bench/spaces")).into_iter().flatten().flatten();
        folders = kept.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    }
    let is_space = |path: &PathBuf| path.to_string_lossy().ends_with(".t4.json");
    let mut files: Vec<PathBuf> =
        folders.iter().flat_map(|dir| paths::files_in(dir, &["json"])).filter(is_space).collect();
    files.sort();
    if files.is_empty() {
        bail!(
            "there are no T4 files in {}",
            folders.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(", ")
        );
    }
    let mut command = run::cargo(&["run", "--quiet", "-p", "accl-tuner", "--example", "spaces", "--", what]);
    command.arg(models(&files)?).args(files);
    if what == "model" || !options.names.is_empty() {
        return run::show(&mut command);
    }
    let told = run::capture(&mut command, LIMIT)?;
    print!("{}", told.text());
    if told.code != 0 {
        bail!("the strategies could not be compared");
    }
    let page = format!(
        "# Tuning: strategies on recorded spaces\n\nMade by `cargo xtask tune-spaces`, of the spaces in `bench/spaces`, measured on an H200: how \
         many measurements a strategy needs to come within 5% of the best schedule, in the mean over seeds. The last columns are the \
         strategies of Kernel Tuner 1.5 in its simulation mode, on the same files (`bench/simulate_tuner.py bench/spaces/h200`). *usual* is what \
         launches take without tuning, beside the *best*, in milliseconds.\n\n```text\n{}```\n",
        told.stdout
    );
    Ok(std::fs::write(paths::root().join("docs/results-strategies.md"), page)?)
}
