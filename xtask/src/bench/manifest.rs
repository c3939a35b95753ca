//! `bench/<name>/manifest.toml`: a benchmark, its peers and its sizes.

use super::formula;
use crate::paths;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Manifest {
    pub name: String,
    #[serde(default)]
    pub shows: String,
    /// The OpenACC program.
    pub source: String,
    /// The hand-written CUDA peer.
    #[serde(default)]
    pub cuda: Option<String>,
    /// No other compiler's program does what it does.
    #[serde(default)]
    pub alone: bool,
    /// What a paper reports of it, and where: "up to 2.07 (001, figure 6.5)".
    #[serde(default)]
    pub paper: Option<String>,
    #[serde(default)]
    pub libs: Vec<String>,
    #[serde(default)]
    pub flags: Vec<String>,
    #[serde(default)]
    pub parameters: Vec<String>,
    pub args_small: Args,
    pub args_large: Args,
    #[serde(default)]
    pub args_cpu: Args,
    #[serde(default)]
    pub tolerance: f64,
    #[serde(default)]
    pub launches_small: Option<usize>,
    #[serde(default)]
    pub uploads_small: Option<usize>,
    #[serde(default)]
    pub downloads_small: Option<usize>,
    #[serde(default)]
    pub bytes_per_rep: Option<String>,
    #[serde(default)]
    pub flops_per_rep: Option<String>,
}

/// One command line, or several.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Args {
    One(String),
    Many(Vec<String>),
}

impl Default for Args {
    fn default() -> Args {
        Args::Many(vec![])
    }
}

impl Args {
    pub fn lines(&self) -> Vec<String> {
        match self {
            Args::One(line) => vec![line.clone()],
            Args::Many(lines) => lines.clone(),
        }
    }
}

impl Manifest {
    /// The sizes to time on a device.
    pub fn sizes(&self, device: &str) -> Vec<String> {
        match device {
            "cuda" => self.args_large.lines(),
            _ => self.args_cpu.lines(),
        }
    }

    /// Bytes that one repetition must move, where the manifest says.
    pub fn bytes(&self, args: &str) -> Option<f64> {
        formula::value(self.bytes_per_rep.as_ref()?, &self.parameters, args).ok()
    }

    /// Operations of one repetition.
    pub fn flops(&self, args: &str) -> Option<f64> {
        formula::value(self.flops_per_rep.as_ref()?, &self.parameters, args).ok()
    }

    pub fn dir(&self) -> PathBuf {
        paths::root().join("bench").join(&self.name)
    }

    pub fn is_cxx(&self) -> bool {
        !self.source.ends_with(".c")
    }

    /// The words for a compiler behind `-o`: flags before, libraries after the source.
    pub fn words(&self, source: &str) -> Vec<String> {
        let mut words = self.flags.clone();
        words.push(self.dir().join(source).display().to_string());
        words.extend(self.libs.iter().map(|l| format!("-l{l}")));
        words
    }
}

/// All benchmarks, by name.
pub fn all() -> Result<Vec<Manifest>> {
    let dir = paths::root().join("bench");
    let mut found = vec![];
    let mut dirs: Vec<PathBuf> =
        std::fs::read_dir(dir)?.flatten().map(|e| e.path().join("manifest.toml")).collect();
    dirs.sort();
    for file in dirs.into_iter().filter(|f| f.is_file()) {
        let text = std::fs::read_to_string(&file)?;
        found.push(toml::from_str(&text).with_context(|| file.display().to_string())?);
    }
    Ok(found)
}
