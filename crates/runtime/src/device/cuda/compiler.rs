//! CUDA source to code for the device at hand.
//!
//! NVRTC compiles for exactly this device; without NVRTC, nvcc does. Where NVRTC is older than the device, it makes code for the
//! newest architecture it knows, which the driver translates.

use super::nvrtc::{self, internal};
use super::{DeviceInfo, api};
use crate::cache::Key;
use crate::config::config;
use crate::error::{DeviceError, Result};
use std::ffi::CStr;
use std::process::Command;
use std::time::Instant;

/// What code is compiled for.
pub struct CompileTarget {
    /// As `CudaDevice::capability`.
    pub capability: u32,
    architecture: String,
    driver: String,
}

impl CompileTarget {
    pub fn of(info: &DeviceInfo, capability: u32) -> CompileTarget {
        CompileTarget { capability, architecture: info.architecture.clone(), driver: info.driver.clone() }
    }

    /// What names the code of a source text, given in pieces.
    pub fn key(&self, source: &[&[u8]]) -> Key {
        let options = options().join(" ");
        let ends = [options.as_bytes(), self.architecture.as_bytes(), self.driver.as_bytes()];
        let all: Vec<&[u8]> =
            std::iter::once(&b"cuda"[..]).chain(source.iter().copied()).chain(ends).collect();
        Key::of(&all)
    }
}

pub fn options() -> Vec<String> {
    let fixed = ["--std=c++17", "-default-device", "-lineinfo"];
    fixed.iter().map(|option| (*option).to_owned()).chain(config().nvrtc_options.iter().cloned()).collect()
}

/// Compiles a whole module's text.
pub fn compile(source: &CStr, target: &CompileTarget) -> Result<Vec<u8>> {
    let started = Instant::now();
    let code = match api::nvrtc() {
        Ok(nvrtc) => nvrtc::for_device(nvrtc, source, target.capability, &options()),
        Err(reason) => with_nvcc(source, target.capability, &reason),
    }?;
    say_compiled("CUDA code", source, started);
    Ok(code)
}

/// For `ACCL_VERBOSE`.
pub fn say_compiled(what: &str, source: &CStr, started: Instant) {
    if config().verbose {
        let (bytes, seconds) = (source.count_bytes(), started.elapsed().as_secs_f64());
        eprintln!("accl: compiled {what}, {bytes} bytes, in {seconds:.3} s");
    }
}

/// nvcc, from the PATH or from the toolkit's folder.
fn with_nvcc(source: &CStr, capability: u32, no_nvrtc: &DeviceError) -> Result<Vec<u8>> {
    let folder = std::env::temp_dir().join(format!("accl-nvcc-{}", std::process::id()));
    let io = |error: std::io::Error| DeviceError::new(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(io)?;
    let (input, output) = (folder.join("accl_device_code.cu"), folder.join("accl_device_code.cubin"));
    std::fs::write(&input, source.to_bytes()).map_err(io)?;
    let toolkits = config().cuda_toolkits.iter().map(|root| format!("{root}/bin/nvcc"));
    let ran = std::iter::once("nvcc".to_owned()).chain(toolkits).find_map(|program| {
        let mut command = Command::new(program);
        command.args(["-cubin", "-std=c++17", "-lineinfo", &format!("-arch=sm_{capability}"), "-o"]);
        command.arg(&output).arg(&input).output().ok()
    });
    let result = match ran {
        None => Err(DeviceError::new(format!(
            "the program has no code for sm_{capability}, and there is no compiler for it here: {no_nvrtc}; nvcc \
             was not found either\n  help: build the program with --offload-arch=sm_{capability}, or install \
             the CUDA toolkit's NVRTC library on this machine"
        ))),
        Some(ran) if ran.status.success() => std::fs::read(&output).map_err(io),
        Some(ran) => Err(internal(&String::from_utf8_lossy(&ran.stderr))),
    };
    _ = std::fs::remove_dir_all(&folder);
    result
}
