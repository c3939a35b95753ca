//! `cargo xtask validate DIR`: somebody else's test suite.
//!
//! Every C and C++ file of DIR is a program that returns 0 where all is well, as those of the OpenACC
//! Validation and Verification suite do. Each is compiled once (headers are looked for in DIR and beside
//! the file) and run on every device here.

use crate::options::Options;
use crate::test::{Check, Context, DEVICES, Report, device_environment};
use crate::{paths, run, setup};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

pub fn run(options: &Options) -> Result<bool> {
    let Some(folder) = options.names.first().map(PathBuf::from) else {
        bail!("validate needs the folder of a test suite");
    };
    run::show(&mut run::cargo(&["build", "--quiet", "--workspace"]))?;
    let context = Context::new(options, setup::found(), paths::target("debug"))?;
    let work = paths::work_dir("validate")?;
    let folder = std::fs::canonicalize(folder)?;
    let mut files = programs(&folder);
    files.retain(|f| options.wants_program(&paths::stem(f)));
    let executable = |file: &Path| work.join(file.file_name().unwrap_or_default()).with_extension("run");
    let mut report = Report::new();
    let compile = files.iter().map(|file| {
        let (context, folder, executable) = (&context, &folder, executable(file));
        Check::new(paths::stem(file), move || compile(context, folder, file, &executable))
    });
    report.section("validate: compile", compile.collect());
    for device in DEVICES.iter().filter(|d| options.wants_device(d)) {
        let built = files.iter().map(|f| (paths::stem(f), executable(f))).filter(|(_, e)| e.is_file());
        let checks = built.map(|(name, executable)| Check::new(name, move || check(&executable, device)));
        report.section(&format!("validate: {device}"), checks.collect());
    }
    Ok(report.finish())
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut files = paths::files_in(folder, &["c", "cpp", "cc"]);
    if let Ok(entries) = std::fs::read_dir(folder) {
        let mut dirs: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
        dirs.sort();
        files.extend(dirs.iter().flat_map(|dir| programs(dir)));
    }
    files
}

fn compile(context: &Context, folder: &Path, file: &Path, executable: &Path) -> Result<(), String> {
    let front = if file.extension().is_some_and(|e| e == "c") { "cc" } else { "c++" };
    let mut command = context.accl();
    command.args([front, "-O1", "-w", "-I"]).arg(folder).arg(file).arg("-o").arg(executable).arg("-lm");
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}

fn check(executable: &Path, device: &str) -> Result<(), String> {
    let mut command = Command::new(executable);
    device_environment(&mut command, device);
    command.env_remove("ACCL_NOTIFY");
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(format!("exit status {}\n{}", result.code, result.text())) }
}
