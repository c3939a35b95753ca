//! Device binaries made ahead of time, one for each architecture named.
//!
//! nvcc compiles for each architecture that is named or, where it is not found, NVRTC. Without either, the program
//! contains source only, which the runtime compiles at the first launch.

use super::Session;
use crate::installation;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A binary for one architecture.
pub struct Image {
    /// "sm_90"
    pub arch: String,
    pub path: PathBuf,
}

/// Compiles CUDA source to a cubin for every architecture asked for.
pub fn make(session: &Session, source: &Path, messages: &mut Vec<u8>) -> Result<Vec<Image>> {
    let acc = &session.invocation.acc;
    if acc.autocompare {
        let text = "accl: note: -gpu=autocompare compares nothing here: run the program with ACC_DEVICE_TYPE=cpu \
                    too, and compare what it prints\n";
        messages.extend(text.bytes());
    }
    let Some(nvcc) = installation::nvcc() else {
        return by_nvrtc(session, source, messages);
    };
    acc.archs.iter().map(|arch| image(session, &nvcc, source, arch, messages)).collect()
}

/// The binaries that NVRTC makes; none, with a note, where it is missing or does not know an architecture.
fn by_nvrtc(session: &Session, source: &Path, messages: &mut Vec<u8>) -> Result<Vec<Image>> {
    let acc = &session.invocation.acc;
    let text =
        std::fs::read_to_string(source).with_context(|| format!("cannot read '{}'", source.display()))?;
    let registers = acc.max_registers.map(|n| format!("--maxrregcount={n}"));
    let flags = [(acc.fast_math, "--use_fast_math"), (acc.line_info, "-lineinfo")];
    let flags = flags.iter().filter(|(wanted, _)| *wanted).map(|(_, flag)| (*flag).to_owned());
    let options: Vec<String> = registers.into_iter().chain(flags).collect();
    let mut images = vec![];
    for arch in &acc.archs {
        match accl_runtime::device::cuda::nvrtc::cubin(&text, arch, &options) {
            Ok(code) => {
                let path = source.with_extension(format!("{arch}.cubin"));
                std::fs::write(&path, code).with_context(|| format!("cannot write '{}'", path.display()))?;
                images.push(Image { arch: arch.clone(), path });
            }
            Err(why) => {
                let why = why.lines().next().unwrap_or_default();
                let text = format!(
                    "accl: note: no binary is made for {arch}, the program carries CUDA source, compiled when it first \
                     runs: nvcc is not on PATH (ACCL_NVCC names it), and with NVRTC: {why}\n"
                );
                messages.extend(text.bytes());
            }
        }
    }
    Ok(images)
}

fn image(session: &Session, nvcc: &Path, source: &Path, arch: &str, messages: &mut Vec<u8>) -> Result<Image> {
    let acc = &session.invocation.acc;
    let path = source.with_extension(format!("{arch}.cubin"));
    let mut command = Command::new(nvcc);
    command
        .args(["-cubin", "-std=c++17", "-O3"])
        .arg(format!("-arch={arch}"))
        .arg("-o")
        .arg(&path)
        .arg(source);
    if let Some(n) = acc.max_registers {
        command.arg(format!("-maxrregcount={n}"));
    }
    for (wanted, option) in
        [(acc.fast_math, "--use_fast_math"), (acc.line_info, "-lineinfo"), (acc.ptx_info, "-Xptxas=-v")]
    {
        if wanted {
            command.arg(option);
        }
    }
    tracing::debug!(?command, "nvcc");
    let output = command.output().with_context(|| format!("cannot run '{}'", nvcc.display()))?;
    if acc.ptx_info {
        messages.extend(&output.stderr);
    }
    if !output.status.success() {
        bail!(
            "nvcc cannot compile the device code for {arch}:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(Image { arch: arch.to_owned(), path })
}
