//! `bench/peers.toml`: the compilers that our programs are compared with, and which of them work here.

use super::manifest::{Language, Manifest};
use crate::{paths, run, setup};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const COMPILE_LIMIT: Duration = Duration::from_secs(180);

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Peer {
    pub name: String,
    pub title: String,
    pub devices: Vec<String>,
    pub source: Source,
    /// Languages of the programs that it is for; all where empty.
    #[serde(default)]
    pub languages: Vec<Language>,
    pub cc: String,
    pub cxx: String,
    pub flags: Vec<String>,
    #[serde(default)]
    pub or_flags: Vec<String>,
    pub built: Built,
    #[serde(default)]
    pub carries: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    #[serde(default)]
    pub runs: Option<usize>,
    #[serde(default)]
    pub limit_s: Option<u64>,
}

/// Which of a benchmark's sources a peer compiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Directives,
    Cuda,
}

/// On which machine, where results are taken on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Built {
    Here,
    There,
}

#[derive(Deserialize)]
struct File {
    peer: Vec<Peer>,
}

pub fn all() -> Result<Vec<Peer>> {
    let file = paths::root().join("bench/peers.toml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    Ok(toml::from_str::<File>(&text).with_context(|| file.display().to_string())?.peer)
}

/// The peers for a device that build and run a trivial program here. Each other one is reported once.
pub fn working(device: &str) -> Result<Vec<Peer>> {
    let dir = paths::work_dir("peers")?;
    let mut found = vec![];
    for peer in all()?.into_iter().filter(|p| p.devices.iter().any(|d| d == device)) {
        match peer.probe(&dir) {
            Ok(()) => found.push(peer),
            Err(error) => println!("{}: left out: {error:#}", peer.title),
        }
    }
    Ok(found)
}

impl Peer {
    /// Whether this compiler, with its flags, makes programs that start.
    fn probe(&self, dir: &Path) -> Result<()> {
        let suffix = if self.source == Source::Cuda { "cu" } else { "c" };
        let source = dir.join(format!("{}.{suffix}", self.name));
        std::fs::write(&source, "int main(void)\n{\n#pragma omp parallel\n    {\n    }\n    return 0;\n}\n")?;
        let executable = dir.join(&self.name);
        let mut command = compiler(&self.cc)?;
        command.args(&self.flags).arg(&source).arg("-o").arg(&executable);
        built(&mut command)?;
        let result = run::capture(&mut Command::new(&executable), Duration::from_secs(20))?;
        if result.code != 0 {
            bail!("its programs do not run: {}", first_line(&result.text()));
        }
        Ok(())
    }

    /// Builds a benchmark; false where it has no source for this peer.
    pub fn build(&self, bench: &Manifest, flags: &[String], executable: &Path) -> Result<bool> {
        let source = match self.source {
            Source::Directives => Some(&bench.source),
            Source::Cuda => bench.cuda.as_ref(),
        };
        let fits = self.languages.is_empty() || self.languages.contains(&bench.language);
        let Some(source) = source.filter(|_| fits && !bench.alone) else { return Ok(false) };
        let mut command = compiler(if bench.is_cxx() { &self.cxx } else { &self.cc })?;
        command.args(flags).args(bench.words(source)).arg("-o").arg(executable);
        built(&mut command)?;
        Ok(true)
    }

    /// The environment of its programs.
    pub fn environment(&self, threads: usize) -> Vec<(String, String)> {
        let value = |text: &str| text.replace("{threads}", &threads.to_string());
        self.env.iter().map(|(name, text)| (name.clone(), value(text))).collect()
    }
}

/// nvcc may lie in the toolchain that `cargo xtask setup` unpacked, where it needs telling of its library.
pub fn compiler(name: &str) -> Result<Command> {
    if let Some(found) = run::find(name) {
        return Ok(Command::new(found));
    }
    let unpacked = if name == "nvcc" { setup::found().nvcc } else { None };
    let nvcc = unpacked.with_context(|| format!("{name} is not installed"))?;
    let mut command = Command::new(&nvcc);
    command.arg(format!("-L{}", nvcc.with_file_name("../lib").display()));
    Ok(command)
}

/// Runs a compiler; a failure is an error with the first line that explains it.
pub fn built(command: &mut Command) -> Result<()> {
    let result = run::capture(command, COMPILE_LIMIT)?;
    if result.code != 0 {
        let text = result.text();
        let says =
            |line: &&str| ["undefined", "error", "cannot", "panicked"].iter().any(|w| line.contains(w));
        let mut told = text.lines().filter(says);
        let first = told.next().map_or_else(|| first_line(&text), str::to_owned);
        // What the host compiler said comes after what we say of that.
        let cause = if first.contains("internal error") { told.next() } else { None };
        bail!("{first}{}", cause.map(|c| format!(" | {c}")).unwrap_or_default());
    }
    Ok(())
}

pub fn first_line(text: &str) -> String {
    text.lines().find(|l| !l.trim().is_empty()).unwrap_or("no message").to_owned()
}
