//! Modules: an image that fits the device, or source compiled at the first launch.
//!
//! An image compiled for the same major architecture and no later minor one runs as it is. Without
//! one, NVRTC compiles the source for exactly this device; without NVRTC, nvcc does. The result is
//! kept in the cache on disk. Where NVRTC is older than the device, it makes code for the newest
//! architecture it knows, which the driver translates.

use super::api::{self, Handle};
use super::nvrtc::{self, internal};
use super::{CudaDevice, Function};
use crate::cache;
use crate::config::config;
use crate::error::{DeviceError, Result};
use accl_abi::{Image, Kernel, MEASURED, Module, Variant, kernel_flags, needs, slice, text};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int, c_void};
use std::process::Command;
use std::sync::Mutex;

/// Modules by their tables. The lock is held while one is compiled: nobody can use it before.
#[derive(Default)]
pub struct Modules {
    loaded: Mutex<HashMap<usize, usize>>,
}

/// Dynamic shared memory that needs no permission.
const USUAL_SHARED: u32 = 48 << 10;

/// The windows of a kernel need more than this device has.
fn too_large(variant: &Variant, most: u32) -> DeviceError {
    let bytes = variant.shared_bytes;
    let threads = u64::from(variant.block[0]) * u64::from(most) / u64::from(bytes);
    let fits = match threads {
        0 => String::new(),
        _ => format!("; vector({}) would fit", 1 << threads.ilog2()),
    };
    DeviceError::new(format!("its windows take {bytes} bytes of shared memory, a block has {most}{fits}"))
}

pub fn function(
    device: &CudaDevice,
    module: &'static Module,
    kernel: &Kernel,
    variant: &'static Variant,
) -> Result<Function> {
    let key = std::ptr::from_ref(module) as usize;
    let handle = {
        let mut loaded = device.modules.loaded.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match loaded.get(&key) {
            Some(handle) => *handle,
            None => {
                let handle = load(device, module)? as usize;
                loaded.insert(key, handle);
                handle
            }
        }
    };
    let api = device.api;
    // SAFETY: a string of a constant table.
    let symbol = unsafe { CStr::from_ptr(variant.symbol) };
    let mut function = std::ptr::null_mut();
    // SAFETY: a loaded module and a terminated name.
    let code = unsafe { (api.cuModuleGetFunction)(&raw mut function, handle as Handle, symbol.as_ptr()) };
    if code == api::NOT_FOUND {
        return Err(DeviceError::new(
            "the program was built without CUDA code for it: the compiler has said what CUDA cannot express",
        ));
    }
    api.check(code, "cuModuleGetFunction")?;
    let attribute = |attribute| {
        let mut value = 0;
        // SAFETY: room for the number.
        let code = unsafe { (api.cuFuncGetAttribute)(&raw mut value, attribute, function) };
        api.check(code, "cuFuncGetAttribute").map(|()| value)
    };
    let has_tiles = kernel.flags & kernel_flags::DYNAMIC_TILES != 0;
    if has_tiles || variant.shared_bytes > USUAL_SHARED {
        let most = api.attribute(device.device, api::MAX_BLOCK_SHARED);
        if variant.shared_bytes > most {
            return Err(too_large(variant, most));
        }
        // Shared tiles may take all that the function's own arrays leave.
        let dynamic = match has_tiles {
            true => most as c_int - attribute(api::FUNCTION_SHARED_BYTES)?,
            false => variant.shared_bytes as c_int,
        };
        // SAFETY: a function of this context.
        let code = unsafe { (api.cuFuncSetAttribute)(function, api::FUNCTION_MAX_DYNAMIC_SHARED, dynamic) };
        api.check(code, "cuFuncSetAttribute")?;
    }
    let threads = attribute(api::FUNCTION_MAX_THREADS)?;
    // Code for an older architecture, translated for this one, has no instruction to wait with.
    let awaits = kernel.flags & kernel_flags::AWAITS != 0
        && api.cuLaunchKernelEx.is_some()
        && attribute(api::FUNCTION_VIRTUAL_ARCHITECTURE)? >= api::FIRST_TO_AWAIT;
    Ok(Function {
        raw: function as usize,
        block_threads: threads.max(1) as u32,
        symbol: symbol.to_string_lossy().into_owned(),
        awaits,
        measured: match variant.needs & needs::FEW_LANES {
            0 => 0,
            _ => measured(device, handle as Handle, &symbol.to_string_lossy())?,
        },
        cost: 0.into(),
    })
}

/// The address of the variable in which a variant counts.
fn measured(device: &CudaDevice, module: Handle, symbol: &str) -> Result<u64> {
    let name = CString::new(format!("{symbol}{MEASURED}")).map_err(|e| DeviceError::new(e.to_string()))?;
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: room for both results, a loaded module and a terminated name.
    let code =
        unsafe { (device.api.cuModuleGetGlobal_v2)(&raw mut address, &raw mut bytes, module, name.as_ptr()) };
    if code == api::NOT_FOUND {
        return Ok(0);
    }
    device.api.check(code, "cuModuleGetGlobal")?;
    Ok(address)
}

fn load(device: &CudaDevice, module: &Module) -> Result<Handle> {
    // SAFETY: a constant table.
    let images = unsafe { slice(module.images, module.n_images) };
    let mut refused = None;
    if let Some(image) = best_image(images, device.capability) {
        match load_image(device, image.data) {
            Ok(handle) => return Ok(handle),
            Err(error) => refused = Some(error),
        }
    }
    if module.cuda.is_null() {
        return Err(refused.unwrap_or_else(|| missing(images, device.capability)));
    }
    // SAFETY: a string of a constant table.
    let source = unsafe { CStr::from_ptr(module.cuda) };
    let key = key(device, source);
    let key: Vec<&[u8]> = key.iter().map(Vec::as_slice).collect();
    let mut fresh = false;
    let code = cache::get_or_compile(&key, || {
        fresh = true;
        compile(device, source)
    })?;
    match load_image(device, code.as_ptr().cast()) {
        Err(_) if !fresh => {
            cache::discard(&key);
            load_image(device, cache::get_or_compile(&key, || compile(device, source))?.as_ptr().cast())
        }
        result => result,
    }
}

/// Cubins of the same major architecture run, PTX of no later architecture is translated.
fn best_image(images: &[Image], capability: u32) -> Option<&Image> {
    let rank = |image: &&Image| {
        // SAFETY: a string of a constant table.
        let arch = unsafe { text(image.arch) };
        let (kind, number) = arch.split_once('_')?;
        let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
        let (exact_only, number) = (digits.len() < number.len(), digits.parse::<u32>().ok()?);
        match kind {
            "sm" if number == capability => Some((2, number)),
            "sm" if !exact_only && number / 10 == capability / 10 && number < capability => Some((1, number)),
            "compute" if number == capability || (!exact_only && number < capability) => Some((0, number)),
            _ => None,
        }
    };
    images.iter().filter(|image| rank(image).is_some()).max_by_key(rank)
}

fn missing(images: &[Image], capability: u32) -> DeviceError {
    // SAFETY: strings of a constant table.
    let have: Vec<_> = images.iter().map(|image| unsafe { text(image.arch) }).collect();
    DeviceError::new(if have.is_empty() {
        "the program was built without code for CUDA".to_owned()
    } else {
        format!(
            "the program has code for {} only, and this device is sm_{capability}\n  \
             help: build it again with --offload-arch=sm_{capability}",
            have.join(", ")
        )
    })
}

fn load_image(device: &CudaDevice, data: *const c_void) -> Result<Handle> {
    let mut handle = std::ptr::null_mut();
    // SAFETY: a cubin, or terminated PTX.
    device.api.check(unsafe { (device.api.cuModuleLoadData)(&raw mut handle, data) }, "cuModuleLoadData")?;
    Ok(handle)
}

fn options() -> Vec<String> {
    let fixed = ["--std=c++17", "-default-device", "-lineinfo"];
    fixed.iter().map(|option| (*option).to_owned()).chain(config().nvrtc_options.iter().cloned()).collect()
}

fn key(device: &CudaDevice, source: &CStr) -> [Vec<u8>; 5] {
    [
        b"cuda".to_vec(),
        source.to_bytes().to_vec(),
        options().join(" ").into_bytes(),
        device.info.architecture.clone().into_bytes(),
        device.info.driver.clone().into_bytes(),
    ]
}

fn compile(device: &CudaDevice, source: &CStr) -> Result<Vec<u8>> {
    let started = std::time::Instant::now();
    let code = match api::nvrtc() {
        Ok(nvrtc) => nvrtc::for_device(nvrtc, source, device.capability, &options()),
        Err(reason) => with_nvcc(source, device.capability, &reason),
    }?;
    if config().verbose {
        eprintln!(
            "accl: compiled {} bytes of CUDA code in {:.3} s",
            source.count_bytes(),
            started.elapsed().as_secs_f64()
        );
    }
    Ok(code)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn image(arch: &'static CStr) -> Image {
        Image { arch: arch.as_ptr(), data: std::ptr::null(), size: 0 }
    }

    fn best(archs: &[&'static CStr], capability: u32) -> Option<String> {
        let images: Vec<Image> = archs.iter().map(|arch| image(arch)).collect();
        // SAFETY: literals.
        best_image(&images, capability).map(|image| unsafe { text(image.arch) }.into_owned())
    }

    #[test]
    fn images_run_on_what_they_are_made_for() {
        assert_eq!(best(&[c"sm_80", c"sm_90", c"compute_80"], 90).as_deref(), Some("sm_90"));
        assert_eq!(best(&[c"sm_80", c"compute_75"], 86).as_deref(), Some("sm_80"));
        assert_eq!(best(&[c"sm_80", c"compute_80"], 90).as_deref(), Some("compute_80"));
        assert_eq!(best(&[c"sm_90a"], 90).as_deref(), Some("sm_90a"));
        assert_eq!(best(&[c"sm_90"], 80), None);
        assert_eq!(best(&[c"sm_100"], 103).as_deref(), Some("sm_100"));
        assert_eq!(best(&[], 90), None);
    }
}
