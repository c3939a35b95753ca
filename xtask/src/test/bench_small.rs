//! Every benchmark at its small size, on every device here: its own check, and the number of launches
//! and transfers its manifest names. The hand-written CUDA versions are compiled, too.

use super::conformance::{device_environment, notify_counts};
use super::{Check, Context, DEVICES, Report};
use crate::bench::manifest::{self, Manifest};
use crate::{paths, run};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(180);

pub fn run(context: &Context, report: &mut Report) -> Result<()> {
    let dir = paths::work_dir("bench")?;
    let all: Vec<Manifest> =
        manifest::all()?.into_iter().filter(|m| context.options.wants_program(&m.name)).collect();
    let compile = all.iter().map(|bench| {
        let dir = dir.join(&bench.name);
        Check::new(&bench.name, move || compile(context, bench, &dir))
    });
    report.section("bench: compile", compile.collect());
    for device in DEVICES.iter().filter(|d| context.options.wants_device(d)) {
        let mut checks = vec![];
        for bench in all.iter().filter(|b| executable(&dir, b).is_file()) {
            for args in bench.args_small.lines() {
                let executable = executable(&dir, bench);
                let name = format!("{} {args}", bench.name);
                checks.push(Check::new(name, move || check(bench, &executable, &args, device)));
            }
        }
        report.section(&format!("bench: {device}"), checks);
    }
    let mut known = BTreeSet::new();
    let peers = all.iter().filter_map(|bench| {
        let source = bench.dir().join(bench.cuda.as_ref()?);
        if !known.insert((source.clone(), bench.flags_for("peer.cu"))) {
            return None;
        }
        let object = dir.join(format!("{}.peer.o", bench.name));
        Some(Check::new(&bench.name, move || peer(context, bench, &source, &object)))
    });
    report.section("bench: CUDA peers compile", peers.collect());
    Ok(())
}

fn executable(dir: &Path, bench: &Manifest) -> PathBuf {
    dir.join(&bench.name).join("program")
}

fn compile(context: &Context, bench: &Manifest, dir: &Path) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|e| e.to_string())?;
    let mut command = context.accl();
    command.args([if bench.is_cxx() { "c++" } else { "cc" }, "-O2", "--keep"]).arg(dir);
    command.arg("-o").arg(dir.join("program")).args(bench.our_flags()).args(bench.words(&bench.source));
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}

fn check(bench: &Manifest, executable: &Path, args: &str, device: &str) -> Result<(), String> {
    let mut command = Command::new(executable);
    command.args(args.split_whitespace()).current_dir(bench.dir());
    device_environment(&mut command, device);
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    let mut wrong = vec![];
    if result.code != 0 {
        wrong.push(format!("exit status {}", result.code));
    }
    if !result.stdout.lines().any(|l| l.starts_with("RESULT ") && l.contains(" check=PASS")) {
        wrong.push("no line RESULT … check=PASS".to_owned());
    }
    let expected = [
        ("launches", bench.launches_small),
        ("uploads", bench.uploads_small),
        ("downloads", bench.downloads_small),
    ];
    for (what, count) in expected {
        let seen = notify_counts(&result.stderr, what);
        if let Some(count) = count
            && count != seen
        {
            wrong.push(format!("expected {what}={count}, seen {seen}"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let notes = |line: &&str| !["launch ", "upload ", "download "].iter().any(|s| line.starts_with(s));
    let text = result.text();
    wrong.extend(text.lines().filter(notes).map(str::to_owned));
    Err(wrong.join("\n"))
}

fn peer(context: &Context, bench: &Manifest, source: &Path, object: &Path) -> Result<(), String> {
    let nvcc =
        context.toolchain.nvcc.as_ref().ok_or("nvcc is not installed: see what `cargo xtask setup` says")?;
    let mut command = Command::new(nvcc);
    command.args(["-c", "-O2", "-arch=sm_90", "-o"]).arg(object).arg(source).args(bench.flags_for("peer.cu"));
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}
