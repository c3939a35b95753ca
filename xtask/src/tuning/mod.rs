//! Measured spaces of schedules, kept as T4 files in `bench/spaces`, a folder a device.
//!
//! `cargo xtask tune-spaces [DIR…]` compares strategies on them, `cargo xtask model [DIR…]` the cost model, and fits its constants;
//! `--prepare DIR` packs programs to be measured on another machine.

mod prepare;

use crate::options::Options;
use crate::{paths, run};
use anyhow::{Result, bail};
use std::path::PathBuf;

pub fn run(options: &Options) -> Result<()> {
    match &options.prepare {
        Some(dir) => prepare::run(options, dir),
        None => on_files(options, "strategies"),
    }
}

pub fn model(options: &Options) -> Result<()> {
    on_files(options, "model")
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
    let words = ["run", "--quiet", "-p", "accl-tuner", "--example", "spaces", "--", what];
    run::show(run::cargo(&words).args(files))
}
