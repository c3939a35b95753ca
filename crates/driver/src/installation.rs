//! Where the parts of an installation lie: the runtime, its header, nvcc.
//!
//! Each is looked for where its variable says, then beside the executable (a build tree), then in `lib/acclimate` and
//! `include/acclimate` of the prefix whose `bin` holds the executable, wherever that is (an installed tree).

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The folders to search, most specific first.
fn library_dirs() -> Vec<PathBuf> {
    let mut dirs = vec![];
    if let Some(dir) = std::env::var_os("ACCL_RUNTIME_DIR").filter(|d| !d.is_empty()) {
        dirs.push(dir.into());
    }
    dirs.extend(executable_dir());
    dirs.extend(prefix().map(|prefix| prefix.join("lib/acclimate")));
    dirs
}

/// The folder above that of the executable.
fn prefix() -> Option<PathBuf> {
    Some(executable_dir()?.parent()?.to_owned())
}

/// The folder of the executable, symbolic links followed: acclcc is one.
fn executable_dir() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    Some(std::fs::canonicalize(executable).ok()?.parent()?.to_owned())
}

/// `libaccl_runtime.a` or, shared, `.so`.
pub fn runtime_library(shared: bool) -> Result<PathBuf> {
    let name = if shared { "libaccl_runtime.so" } else { "libaccl_runtime.a" };
    let dirs = library_dirs();
    if let Some(file) = dirs.iter().map(|d| d.join(name)).find(|f| f.is_file()) {
        return Ok(file);
    }
    let searched: Vec<String> = dirs.iter().map(|d| d.display().to_string()).collect();
    bail!("cannot find {name}; looked in {}; ACCL_RUNTIME_DIR can name its folder", searched.join(", "))
}

/// A folder with `openacc.h` and `omp.h`: the installed one, else one written into `scratch`.
pub fn include_dir(scratch: &Path) -> Result<PathBuf> {
    if let Some(dir) = prefix().map(|prefix| prefix.join("include/acclimate"))
        && HEADERS.iter().all(|(name, _)| dir.join(name).is_file())
    {
        return Ok(dir);
    }
    let dir = scratch.join("include");
    std::fs::create_dir_all(&dir)?;
    for (name, text) in HEADERS {
        std::fs::write(dir.join(name), text)?;
    }
    Ok(dir)
}

/// The headers programs may include.
pub const HEADERS: &[(&str, &str)] = &[
    ("openacc.h", accl_abi::OPENACC_HEADER),
    ("acc_prof.h", accl_abi::ACC_PROF_HEADER),
    ("omp.h", accl_abi::OPENMP_HEADER),
    ("stdatomic.h", accl_abi::C11_ATOMICS_HEADER),
    ("accl_abi.h", accl_abi::HEADER),
];

/// nvcc, for architectures named at compile time.
pub fn nvcc() -> Option<PathBuf> {
    match std::env::var("ACCL_NVCC") {
        Ok(name) if !name.is_empty() => crate::host_compiler::on_path(&name),
        _ => crate::host_compiler::on_path("nvcc"),
    }
}
