//! NVRTC: CUDA source to machine code, for the device at hand or, when a program is built, for an architecture named.

use super::api::{self, Handle, Nvrtc};
use crate::error::{DeviceError, Result};
use accl_abi::text;
use std::ffi::{CStr, CString, c_int};

pub fn internal(log: &str) -> DeviceError {
    DeviceError::new(format!(
        "internal error: the generated CUDA code does not compile, which is a bug in accl:\n{}",
        log.trim_end()
    ))
}

/// The newest architecture that NVRTC knows and the device can run.
fn supported(nvrtc: &Nvrtc, capability: u32) -> u32 {
    let (Some(count_of), Some(list_of)) = (nvrtc.nvrtcGetNumSupportedArchs, nvrtc.nvrtcGetSupportedArchs)
    else {
        return capability;
    };
    let mut count = 0;
    // SAFETY: room for the count, and then for so many numbers.
    let known = unsafe {
        count_of(&raw mut count);
        let mut known = vec![0 as c_int; count.max(0) as usize];
        list_of(known.as_mut_ptr());
        known
    };
    let usable = known.into_iter().map(|arch| arch as u32).filter(|arch| *arch <= capability);
    usable.max().unwrap_or(capability)
}

/// Code for a device: its own, or PTX of the newest architecture that NVRTC knows below it.
pub fn for_device(nvrtc: &Nvrtc, source: &CStr, capability: u32, options: &[String]) -> Result<Vec<u8>> {
    let newest = supported(nvrtc, capability);
    let native = newest == capability && nvrtc.nvrtcGetCUBIN.is_some();
    let arch = format!("{}_{newest}", if native { "sm" } else { "compute" });
    compiled(nvrtc, source, &arch, native, options)?.map_err(|log| internal(&log))
}

/// A cubin for `arch` ("sm_90"), made where no device need be; why there is none.
pub fn cubin(source: &str, arch: &str, options: &[String]) -> std::result::Result<Vec<u8>, String> {
    let nvrtc = api::nvrtc().map_err(|error| error.to_string())?;
    if nvrtc.nvrtcGetCUBIN.is_none() {
        return Err("NVRTC is older than CUDA 11.1, which makes no cubins".to_owned());
    }
    let source = CString::new(source).map_err(|error| error.to_string())?;
    let options: Vec<String> = ["--std=c++17", "-default-device"]
        .into_iter()
        .map(str::to_owned)
        .chain(options.iter().cloned())
        .collect();
    compiled(nvrtc, &source, arch, true, &options).map_err(|error| error.to_string())?
}

/// The cubin or the PTX; the compiler's words where it refuses the source or the options.
fn compiled(
    nvrtc: &Nvrtc,
    source: &CStr,
    arch: &str,
    native: bool,
    options: &[String],
) -> Result<std::result::Result<Vec<u8>, String>> {
    let mut program = std::ptr::null_mut();
    // SAFETY: a terminated source, and no headers.
    let code = unsafe {
        (nvrtc.nvrtcCreateProgram)(
            &raw mut program,
            source.as_ptr(),
            c"accl_device_code.cu".as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null(),
        )
    };
    nvrtc_check(nvrtc, code, "nvrtcCreateProgram")?;
    let arch = format!("--gpu-architecture={arch}");
    let options: Vec<CString> = std::iter::once(&arch)
        .chain(options)
        .filter_map(|option| CString::new(option.as_str()).ok())
        .collect();
    let pointers: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
    // SAFETY: a program and its options.
    let code = unsafe { (nvrtc.nvrtcCompileProgram)(program, pointers.len() as c_int, pointers.as_ptr()) };
    let result = match code {
        0 => output(nvrtc, program, native).map(Ok),
        _ => {
            let log = log(nvrtc, program);
            let code = nvrtc_check(nvrtc, code, "nvrtcCompileProgram");
            Ok(Err(if log.is_empty() { code.err().map_or(log, |e| e.to_string()) } else { log }))
        }
    };
    // SAFETY: the program is not used any more.
    unsafe { (nvrtc.nvrtcDestroyProgram)(&raw mut program) };
    result
}

fn nvrtc_check(nvrtc: &Nvrtc, code: api::Code, function: &str) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: gives a string of the library.
    let words = unsafe { text((nvrtc.nvrtcGetErrorString)(code)) };
    Err(DeviceError::new(format!("{function} returned {words}")))
}

/// The cubin, or the PTX with its terminator.
fn output(nvrtc: &Nvrtc, program: Handle, native: bool) -> Result<Vec<u8>> {
    let (size_of, get) = match (native, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN) {
        (true, Some(size_of), Some(get)) => (size_of, get),
        _ => (nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX),
    };
    let mut size = 0;
    // SAFETY: room for the size, and then for so many bytes.
    unsafe {
        nvrtc_check(nvrtc, size_of(program, &raw mut size), "nvrtcGetCUBINSize")?;
        let mut code = vec![0u8; size];
        nvrtc_check(nvrtc, get(program, code.as_mut_ptr().cast()), "nvrtcGetCUBIN")?;
        Ok(code)
    }
}

fn log(nvrtc: &Nvrtc, program: Handle) -> String {
    let mut size = 0;
    // SAFETY: room for the size, and then for so many bytes.
    unsafe {
        (nvrtc.nvrtcGetProgramLogSize)(program, &raw mut size);
        let mut log = vec![0u8; size];
        (nvrtc.nvrtcGetProgramLog)(program, log.as_mut_ptr().cast());
        String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned()
    }
}
