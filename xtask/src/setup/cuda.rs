//! NVIDIA's compilers without an installation: Python wheels, unpacked.
//!
//! nvcc 13 compiles for sm_75 and newer; sm_70 is checked with NVRTC 12.9, the last release that has it.
//! NVRTC is a library, so a small C program beside this file loads it.

use super::Toolchain;
use crate::{paths, run};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const CUDA_13: &[&str] = &[
    "nvidia-cuda-nvcc==13.0.*",
    "nvidia-nvvm==13.0.*",
    "nvidia-cuda-crt==13.0.*",
    "nvidia-cuda-runtime==13.0.*",
    "nvidia-cuda-nvrtc==13.0.*",
];
const CUDA_12: &[&str] = &["nvidia-cuda-nvrtc-cu12==12.9.*"];
const CHECKER: &str = include_str!("nvrtc_check.c");

/// Failing here is no reason to stop: the checks that need these compilers then fail and say so.
pub fn install() -> Toolchain {
    for step in [wheels("cuda13", CUDA_13), wheels("cuda12", CUDA_12), checker()] {
        if let Err(error) = step {
            eprintln!("setup: {error:#}");
        }
    }
    found()
}

pub fn found() -> Toolchain {
    let dir = paths::toolchain();
    let existing = |path: PathBuf| path.is_file().then_some(path);
    Toolchain {
        nvcc: existing(dir.join("cuda13/nvidia/cu13/bin/nvcc")).or_else(|| run::find("nvcc")),
        nvrtc_check: existing(dir.join("nvrtc-check")),
        nvrtc13: existing(dir.join("cuda13/nvidia/cu13/lib/libnvrtc.so.13")),
        nvrtc12: existing(dir.join("cuda12/nvidia/cuda_nvrtc/lib/libnvrtc.so.12")),
    }
}

/// Unpacks wheels once; a stamp holds the versions asked for.
fn wheels(name: &str, packages: &[&str]) -> Result<()> {
    let dir = paths::toolchain().join(name);
    let stamp = dir.join("installed");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    println!("setup: fetching {} into {}", packages.join(" "), dir.display());
    if dir.exists() {
        std::fs::remove_dir_all(&dir)?;
    }
    let status = Command::new("python3")
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--disable-pip-version-check",
            "--no-warn-script-location",
        ])
        .arg("--target")
        .arg(&dir)
        .args(packages)
        .env("PIP_ROOT_USER_ACTION", "ignore")
        .status()
        .context("cannot run python3 -m pip")?;
    if !status.success() {
        bail!("python3 -m pip could not fetch {}: emitted CUDA cannot be checked", packages.join(" "));
    }
    std::fs::write(stamp, wanted)?;
    Ok(())
}

fn checker() -> Result<()> {
    let dir = paths::toolchain();
    let (source, program) = (dir.join("nvrtc_check.c"), dir.join("nvrtc-check"));
    if program.is_file() && std::fs::read_to_string(&source).is_ok_and(|text| text == CHECKER) {
        return Ok(());
    }
    std::fs::create_dir_all(&dir)?;
    std::fs::write(&source, CHECKER)?;
    compile(&source, &program)
}

fn compile(source: &Path, program: &Path) -> Result<()> {
    let compiler = ["cc", "gcc", "clang"].into_iter().find(|c| run::has(c)).context("no C compiler")?;
    run::show(Command::new(compiler).args(["-O1", "-Wall", "-o"]).arg(program).arg(source).arg("-ldl"))
}
