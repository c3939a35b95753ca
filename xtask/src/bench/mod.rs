//! `cargo xtask bench`: the programs of `bench/` against their peers.
//!
//! | here | what |
//! |---|---|
//! | [`manifest`] | `bench/<folder>/manifest.toml`: a program, its forms, its sizes, what it must move |
//! | [`peers`] | `bench/peers.toml`: what ours are compared with |
//! | [`ours`] | the release build of `accl` and the programs it makes |
//! | [`measure`] | building and timing on this machine |
//! | [`prepare`] | packing everything for `bench/device.py` on a machine with a GPU and without Rust |
//! | [`results`], [`table`] | what was measured, and how it is shown |
//! | [`compile`] | how long compiling takes, and how that grows |
//! | [`others`] | programs that others wrote, beside their twins: `cargo xtask programs` measures them |
//! | [`forms`] | programs that use an extension, beside their plain ones |
//! | [`errors`] | what compression does to values |
//! | [`figures`] | the papers' figures, measured again |
//! | [`kept`] | `docs/results/*.json`: all that was measured, a file a machine |
//! | [`page`], [`plot`] | `docs/results.md` and its pictures, made of these |
//! | [`report`] | the full tables, made of these |

mod compile;
mod errors;
mod figures;
mod forms;
mod formula;
mod kept;
pub mod manifest;
mod measure;
pub mod others;
pub mod ours;
pub mod page;
pub mod peers;
mod plot;
mod ports;
pub mod prepare;
mod report;
pub mod results;
pub mod table;

use crate::options::Options;
use crate::{paths, run};
use anyhow::{Result, bail};
use manifest::Manifest;
use peers::Peer;
pub use peers::{Built, built, compiler};
use results::{Results, Row};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub fn run(options: &Options) -> Result<()> {
    if !options.report.is_empty() {
        return keep(&options.report);
    }
    let benches = wanted(options)?;
    let accl = ours::Accl::release()?;
    if options.compile {
        return compile::run(options, &accl);
    }
    match &options.prepare {
        Some(dir) => prepare::run(options, &accl, &benches, dir),
        None => here(options, &accl, &benches),
    }
}

/// Takes results over into `docs/results`, and makes the page of them.
fn keep(files: &[PathBuf]) -> Result<()> {
    kept::take(files)?;
    page::write(&kept::all()?)
}

/// All benchmarks, or those named, or those whose names contain the filter.
fn wanted(options: &Options) -> Result<Vec<Manifest>> {
    let names = &options.names;
    let all = manifest::all()?;
    if let Some(name) = names.iter().find(|n| all.iter().all(|b| b.name != **n)) {
        let known: Vec<&str> = all.iter().map(|b| b.name.as_str()).collect();
        bail!("no benchmark is named '{name}'; there are {}", known.join(", "));
    }
    let named = all.into_iter().filter(|b| names.is_empty() || names.contains(&b.name));
    Ok(named.filter(|b| options.wants_program(&b.name)).collect())
}

fn here(options: &Options, accl: &ours::Accl, benches: &[Manifest]) -> Result<()> {
    let device = options.device.clone().unwrap_or_else(best_device);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let file = paths::target("bench").join(format!("{device}.json"));
    std::fs::create_dir_all(paths::target("bench"))?;
    let save = |rows: &[Row]| -> Result<()> {
        let results = Results {
            machine: machine(threads),
            bench: BTreeMap::from([(device.clone(), rows.to_vec())]),
            ..Results::default()
        };
        Ok(std::fs::write(&file, serde_json::to_string_pretty(&results)? + "\n")?)
    };
    let rows = measure::all(accl, benches, &device, threads, &save)?;
    let table = table::of_rows(&rows, &titles_in(&device, &rows)?);
    println!("\n{} ({threads} threads); × is the peer's time over ours\n\n{}", device, table.text());
    for failure in table::failures(&rows) {
        println!("failed: {failure}");
    }
    std::fs::write(file.with_extension("md"), table.markdown())?;
    println!("written: {} and .md", file.display());
    if options.save {
        keep(&[file])?;
    }
    Ok(())
}

/// The peers of a device that were measured: name and title.
fn titles_in(device: &str, rows: &[Row]) -> Result<Vec<(String, String)>> {
    let measured = |peer: &Peer| rows.iter().any(|row| row.results.contains_key(&peer.name));
    let peers = peers::all()?.into_iter().filter(|p| p.devices.iter().any(|d| d == device) && measured(p));
    Ok(peers.map(|p| (p.name, p.title)).collect())
}

/// What `bench/peers.toml` calls the peers.
#[cfg(test)]
pub fn peer_names() -> Result<Vec<String>> {
    Ok(peers::all()?.into_iter().map(|peer| peer.name).collect())
}

/// cuda where there is an NVIDIA GPU.
fn best_device() -> String {
    let seen = run::capture(Command::new("nvidia-smi").arg("-L"), Duration::from_secs(20));
    let gpu = seen.is_ok_and(|result| result.code == 0 && result.stdout.contains("GPU 0"));
    if gpu { "cuda" } else { "cpu" }.to_owned()
}

/// What the results say of this machine.
pub fn machine(threads: usize) -> BTreeMap<String, String> {
    let about = std::fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = about.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown".to_owned(), |(_, name)| name.to_owned());
    let today = run::capture(Command::new("date").arg("+%F"), Duration::from_secs(20));
    let today = today.map_or(String::new(), |result| result.stdout.trim().to_owned());
    let mut about = vec![("cpu", model), ("threads", threads.to_string()), ("date", today)];
    let query = ["--query-gpu=name,driver_version", "--format=csv,noheader"];
    let gpu = run::capture(Command::new("nvidia-smi").args(query), Duration::from_secs(20));
    let gpu = gpu.ok().filter(|result| result.code == 0).map_or(String::new(), |result| result.stdout);
    if let Some((name, driver)) = gpu.lines().next().and_then(|line| line.split_once(", ")) {
        about.extend([("gpu", name.to_owned()), ("driver", driver.to_owned())]);
    }
    about.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
