//! Ports to CUDA by `accl translate`, to be built and run on the machine with the GPU, as a user would: `make` there,
//! with its nvcc and its cc.

use super::manifest::Manifest;
use super::ours::Accl;
use super::peers;
use crate::paths;
use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;

/// The benchmarks that are translated, besides the programs of `tests/translate`.
const BENCHES: [&str; 6] = ["saxpy", "jacobi", "nn", "matmul", "hotspot", "srad"];

#[derive(Serialize)]
pub struct Port {
    name: String,
    /// With the Makefile; the executable has the port's name.
    folder: String,
    args: String,
    /// Why there is none.
    failed: Option<String>,
}

/// Translates into `dir/ports`; the user's own headers are found in `dir/src`.
pub fn all(accl: &Accl, benches: &[Manifest], dir: &Path) -> Result<Vec<Port>> {
    let to = dir.join("src/translate");
    std::fs::create_dir_all(&to)?;
    let mut ports = vec![];
    for from in paths::files_in(&paths::root().join("tests/translate/in"), &["c"]) {
        let file = from.file_name().unwrap_or_default();
        std::fs::copy(&from, to.join(file)).with_context(|| from.display().to_string())?;
        let stem = from.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = format!("ports/test_{stem}");
        ports.push(port(accl, dir, &stem, folder, &format!("src/translate/{stem}.c"), String::new()));
    }
    for bench in benches.iter().filter(|b| BENCHES.contains(&b.name.as_str())) {
        let (name, source) = (&bench.name, format!("src/{}/{}", bench.folder, bench.source));
        let args = bench.args_small.lines().into_iter().next().unwrap_or_default();
        ports.push(port(accl, dir, name, format!("ports/{name}"), &source, args));
    }
    Ok(ports)
}

fn port(accl: &Accl, dir: &Path, name: &str, folder: String, source: &str, args: String) -> Port {
    let mut command = accl.command();
    command.current_dir(dir).args([
        "translate",
        "--to",
        "cuda",
        "-O2",
        "-Isrc/common",
        source,
        "-o",
        &folder,
    ]);
    let failed = peers::built(&mut command).err().map(|error| format!("{error:#}"));
    Port { name: name.to_owned(), folder, args, failed }
}

impl Port {
    /// For the summary: nothing where all is well.
    pub fn complaint(&self) -> Option<String> {
        self.failed.as_ref().map(|why| format!("  port of {}: {why}", self.name))
    }
}
