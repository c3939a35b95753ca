//! `cargo xtask programs DIR`: collections of programs that other people wrote, unchanged.
//!
//! `tests/programs/NAME.toml` says how the programs of the collection in a folder `NAME` are built, run, checked and
//! timed ([`manifest`]); the programs themselves are not part of the project. DIR is that folder, or one that holds several.
//! Each program is compiled by accl and, with its directives ignored, by the host's C compiler ([`build`]).
//! It has passed on a device where it launched kernels and wrote what its serial run wrote ([`check`], [`compare`]).
//!
//!     cargo xtask programs DIR                      on the devices of this machine
//!     cargo xtask programs DIR --time               how long each takes, beside its serial run ([`time`]), or its twin,
//!                                                   the same program by others for another compiler ([`twins`], [`beside`])
//!     cargo xtask programs DIR --prepare PACK       for another machine, where
//!     PACK/xtask programs --packed PACK --device cuda  does both

mod beside;
mod build;
mod check;
mod compare;
mod manifest;
mod time;
mod twins;

use crate::bench::prepare;
use crate::options::Options;
use crate::test::{DEVICES, Report};
use crate::{paths, run};
use anyhow::{Context, Result, bail};
use build::Case;
use manifest::Collection;
use std::path::{Path, PathBuf};

pub fn run(options: &Options) -> Result<bool> {
    if let Some(pack) = &options.packed {
        return packed(options, &std::fs::canonicalize(pack)?);
    }
    let Some(folder) = options.names.first() else {
        bail!("programs needs the folder of a collection, or of several");
    };
    let collections = collections(&std::fs::canonicalize(folder)?)?;
    let mut words = vec!["build", "--quiet", "-p", "accl", "-p", "accl-runtime"];
    words.extend(options.is_measured().then_some("--release"));
    run::show(&mut run::cargo(&words))?;
    let base = match &options.prepare {
        Some(dir) => {
            std::fs::create_dir_all(dir)?;
            std::fs::canonicalize(dir)?
        }
        None => paths::work_dir("programs")?,
    };
    let mut report = Report::new();
    let cases = build::all(&collections, options, &base, &mut report);
    if options.prepare.is_some() {
        pack(&base, &cases)?;
        return Ok(report.finish());
    }
    execute(options, &base, &cases, DEVICES, report)
}

/// Runs what another machine built.
fn packed(options: &Options, pack: &Path) -> Result<bool> {
    let plan = pack.join("plan.json");
    let text = std::fs::read_to_string(&plan).with_context(|| plan.display().to_string())?;
    let mut cases: Vec<Case> = serde_json::from_str(&text)?;
    cases.retain(|case| options.wants_program(&case.name));
    let devices: &[&str] = if options.time { &["cuda", "opencl", "cpu"] } else { &["cuda", "opencl"] };
    execute(options, pack, &cases, devices, Report::new())
}

/// Checks, or times, the programs on each device that is wanted.
fn execute(
    options: &Options,
    base: &Path,
    cases: &[Case],
    devices: &[&'static str],
    mut report: Report,
) -> Result<bool> {
    let wanted: Vec<&str> = devices.iter().copied().filter(|d| options.wants_device(d)).collect();
    if options.time {
        time::table(base, cases, &wanted);
        beside::run(base, cases, &wanted, options)?;
        return Ok(true);
    }
    for device in wanted {
        check::section(base, cases, device, &mut report);
    }
    for case in cases {
        case.mends.iter().for_each(|m| println!("{}: `{}` for `{}`: {}", case.name, m.to, m.from, m.why));
        case.shows_nothing
            .iter()
            .for_each(|why| println!("{}: only that it runs is checked: {why}", case.name));
    }
    Ok(report.finish())
}

/// The collections that lie in a folder, or the one that it is.
fn collections(folder: &Path) -> Result<Vec<Collection>> {
    let manifests = paths::files_in(&paths::root().join("tests/programs"), &["toml"]);
    let mut found = vec![];
    for file in &manifests {
        let name = paths::stem(file);
        let itself = folder.file_name().is_some_and(|n| n.to_string_lossy() == name.as_str());
        let dir = if itself { folder.to_owned() } else { folder.join(&name) };
        if dir.is_dir() {
            found.push(manifest::read(file, &dir)?);
        }
    }
    if found.is_empty() {
        let known: Vec<String> = manifests.iter().map(|f| paths::stem(f)).collect();
        bail!("{} is not, and holds none, of the known collections: {}", folder.display(), known.join(", "));
    }
    Ok(found)
}

/// What the other machine needs besides the executables: the runtime is in them. PACK.tar.xz is the same for the way.
fn pack(base: &Path, cases: &[Case]) -> Result<()> {
    std::fs::write(base.join("plan.json"), serde_json::to_string_pretty(cases)? + "\n")?;
    let ourselves: PathBuf = std::env::current_exe()?;
    std::fs::copy(ourselves, base.join("xtask"))?;
    let executables = cases.iter().flat_map(Case::executables).chain(["xtask".to_owned()]);
    for file in executables.map(|name| base.join(name)).filter(|file| file.is_file()) {
        prepare::strip(&file)?;
    }
    let twins = cases.iter().filter_map(|case| case.beside.as_ref()).flat_map(twins::Beside::twins);
    twins.into_iter().try_for_each(|twin| prepare::carry(base, &twin.peer, &twin.carries))?;
    println!("{} programs in {}", cases.len(), base.display());
    prepare::archive(base)
}
