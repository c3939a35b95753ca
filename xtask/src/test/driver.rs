//! The command line: build systems, separate compilation, libraries, options. Each folder of
//! `tests/driver` is a test, a script that runs in a copy of it. The tutorial is run as well.

use super::{Check, Context, Report, tutorial};
use crate::{paths, run};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

pub fn run(context: &Context, report: &mut Report) -> Result<()> {
    let work = paths::work_dir("driver")?;
    let commands = work.join("bin");
    install(context, &commands)?;
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(paths::root().join("tests/driver"))?.flatten().map(|e| e.path()).collect();
    folders.retain(|f| f.join("test.sh").is_file() && context.options.wants_program(&paths::stem(f)));
    folders.sort();
    let checks = folders.iter().map(|folder| {
        let (work, commands) = (work.join(paths::stem(folder)), commands.clone());
        Check::new(paths::stem(folder), move || check(context, folder, &work, &commands))
    });
    let tutorial = Check::new("tutorial", || tutorial::check(context, &work.join("tutorial"), &commands));
    let tutorial = Some(tutorial).filter(|_| context.options.wants_program("tutorial"));
    report.section("driver", checks.chain(tutorial).collect());
    Ok(())
}

/// Rewrites what the tutorial shows.
pub fn bless(context: &Context, report: &mut Report) -> Result<()> {
    let work = paths::work_dir("driver")?;
    let commands = work.join("bin");
    install(context, &commands)?;
    let tutorial = Check::new("tutorial", || tutorial::check(context, &work.join("tutorial"), &commands));
    report.section("tutorial", vec![tutorial]);
    Ok(())
}

/// The names under which accl stands in for a compiler.
fn install(context: &Context, dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir)?;
    for name in ["accl", "acclcc", "acclc++"] {
        std::os::unix::fs::symlink(context.bin.join("accl"), dir.join(name)).context("cannot link accl")?;
    }
    Ok(())
}

fn check(context: &Context, folder: &Path, work: &Path, commands: &Path) -> Result<(), String> {
    copy(folder, work).map_err(|e| e.to_string())?;
    let script = "set -eu -o pipefail; . \"$0\"; . ./test.sh";
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).arg(folder.with_file_name("lib.sh")).current_dir(work);
    environment(&mut command, context, commands);
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}

/// With our commands in front, and no options of the one who runs the tests.
pub fn environment(command: &mut Command, context: &Context, commands: &Path) {
    let path = format!("{}:{}", commands.display(), std::env::var("PATH").unwrap_or_default());
    command.env("PATH", path).env("ACCL", commands.join("accl")).env("ACCL_RUNTIME_DIR", &context.runtime);
    command.env("ACCL_CACHE_DIR", paths::target("xtask").join("cache")).env_remove("ACCL_HOST_COMPILER");
    if let Some(nvcc) = &context.toolchain.nvcc {
        command.env("ACCL_NVCC", nvcc);
    }
    command.env_remove("MAKEFLAGS").env_remove("CC").env_remove("CXX").env_remove("CFLAGS");
}

pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)?.flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
