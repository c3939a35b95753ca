//! The compiler that is measured: a release build of `accl`, and the programs it makes.

use super::manifest::Manifest;
use super::peers::built;
use crate::{paths, run};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How our programs are compiled.
pub const FLAGS: &[&str] = &["-O3"];

pub struct Accl {
    /// The folder of `accl` and the runtime.
    pub bin: PathBuf,
}

impl Accl {
    /// Builds it, unless `ACCL_BIN` names a folder with one.
    pub fn release() -> Result<Accl> {
        if let Some(bin) = std::env::var_os("ACCL_BIN") {
            return Ok(Accl { bin: bin.into() });
        }
        let words = ["build", "--quiet", "--release", "-p", "accl", "-p", "accl-runtime"];
        run::show(&mut run::cargo(&words))?;
        Ok(Accl { bin: paths::target("release") })
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(self.bin.join("accl"));
        command.env("ACCL_RUNTIME_DIR", &self.bin).env_remove("ACCL_HOST_COMPILER");
        command
    }

    /// Compiles a benchmark; `more` comes before its own options.
    pub fn build(&self, bench: &Manifest, more: &[String], executable: &Path) -> Result<()> {
        let mut command = self.command();
        command.arg(if bench.is_cxx() { "c++" } else { "cc" }).args(FLAGS).args(more);
        command.args(bench.our_flags()).args(bench.words(&bench.source)).arg("-o").arg(executable);
        built(&mut command)
    }
}

/// Our programs on a device.
pub fn environment(device: &str, threads: usize) -> Vec<(String, String)> {
    let cache = |name: &str| paths::target("bench").join(name).display().to_string();
    [
        ("ACC_DEVICE_TYPE", device.to_owned()),
        ("ACCL_NUM_THREADS", threads.to_string()),
        ("ACCL_CACHE_DIR", cache("cache")),
        ("POCL_CACHE_DIR", cache("pocl")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}
