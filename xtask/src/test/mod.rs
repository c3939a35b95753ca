//! `cargo xtask test`: everything there is to check, in sections, two programs at a time.
//!
//! A section makes a list of [`Check`]s; [`Report::section`] runs them, prints what failed and counts. A
//! check is independent of all others and leaves its files in its own folder under `target/xtask/`.
//! The last line is always `N passed, N failed`.

mod bench_small;
mod build;
mod conformance;
mod cuda;
mod driver;
mod errors;
mod header;
mod install;
mod report;
mod tutorial;

use crate::options::Options;
use crate::{package, paths, random, setup};
use anyhow::Result;
pub use conformance::{Program, device_environment, notify_counts};
pub use cuda::by_nvrtc;
pub use report::{Check, Report};
use std::path::PathBuf;
use std::process::Command;

pub use header::Header;

/// What the sections share.
pub struct Context {
    pub options: Options,
    pub toolchain: setup::Toolchain,
    /// The folder of `accl` under test.
    pub bin: PathBuf,
    /// The folder of its runtime, without what debuggers read: programs are linked in less time so.
    pub runtime: PathBuf,
    /// The linker gold is installed.
    pub has_gold: bool,
    /// Rewrite expected outputs instead of comparing.
    pub bless: bool,
}

/// The devices on which programs run here, and how programs are told.
pub const DEVICES: &[&str] = &["cpu", "opencl"];

impl Context {
    /// For the compiler and runtime that cargo built in `bin`.
    pub fn new(options: &Options, toolchain: setup::Toolchain, bin: PathBuf) -> Result<Context> {
        let runtime = paths::target("xtask").join("runtime");
        package::install_runtime(&bin, &runtime)?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let has_gold = std::env::split_paths(&path).any(|dir| dir.join("ld.gold").is_file());
        Ok(Context { options: options.clone(), toolchain, bin, runtime, has_gold, bless: false })
    }

    pub fn accl(&self) -> Command {
        let mut command = Command::new(self.bin.join("accl"));
        command.env("ACCL_RUNTIME_DIR", &self.runtime).env_remove("ACCL_HOST_COMPILER");
        command
    }
}

pub fn run(options: &Options) -> Result<bool> {
    let toolchain = setup::run()?;
    let mut report = Report::new();
    if build::build(&mut report) {
        sections(&Context::new(options, toolchain, paths::target("debug"))?, &mut report)?;
    }
    Ok(report.finish())
}

fn sections(context: &Context, report: &mut Report) -> Result<()> {
    let wants = |section| context.options.wants_section(section);
    if wants("lint") {
        build::lint(report);
    }
    if wants("unit") {
        build::unit_tests(report);
    }
    if wants("conformance") {
        conformance::run(context, report)?;
    }
    if wants("random") {
        random::section(context, report)?;
    }
    if wants("bench") {
        bench_small::run(context, report)?;
    }
    if wants("cuda") {
        cuda::run(context, report)?;
    }
    if wants("driver") {
        driver::run(context, report)?;
    }
    if wants("install") {
        install::run(context, report)?;
    }
    if wants("errors") {
        errors::run(context, report)?;
    }
    Ok(())
}

/// Rewrites what tests expect; the diff in version control is then to be read.
pub fn bless(options: &Options) -> Result<()> {
    let mut report = Report::new();
    if build::build(&mut report) {
        let context = Context::new(options, setup::found(), paths::target("debug"))?;
        let context = Context { bless: true, ..context };
        if context.options.wants_section("errors") {
            errors::run(&context, &mut report)?;
        }
        if context.options.wants_section("tutorial") {
            driver::bless(&context, &mut report)?;
        }
    }
    println!("blessed; read the changes with `git diff` before committing them");
    Ok(())
}
