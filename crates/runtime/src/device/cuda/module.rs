//! Modules: an image that fits the device, or source compiled at the first launch.
//!
//! An image compiled for the same major architecture and no later minor one runs as it is. Without
//! one, the source is compiled: each variant of a kernel by itself (`parts`), so that a launch waits for its own variant alone
//! while threads in the `background` compile the others. Without NVRTC, nvcc compiles the whole text at once.

use super::api::{self, Handle};
use super::background::{self, Code};
use super::parts::{Parts, UncompiledVariant};
use super::{CudaDevice, Function, compiler};
use crate::cache;
use crate::error::{DeviceError, Result};
use accl_abi::{Image, Kernel, MEASURED, Module, Variant, kernel_flags, needs, slice, text};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::{Arc, Mutex};

/// Modules by their tables. The lock is held while a variant is made ready.
#[derive(Default)]
pub struct Modules {
    loaded: Mutex<HashMap<usize, Loaded>>,
}

enum Loaded {
    /// An image, or the whole text compiled.
    Whole(usize),
    /// Each variant becomes a module of its own at its first launch.
    Parts(HashMap<String, Arc<UncompiledVariant>>),
}

/// Dynamic shared memory that needs no permission.
const USUAL_SHARED: u32 = 48 << 10;

fn no_code() -> DeviceError {
    DeviceError::new(
        "the program was built without CUDA code for it: the compiler has said what CUDA cannot express",
    )
}

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
    let handle = module_of(device, module, variant)?;
    let api = device.api;
    // SAFETY: a string of a constant table.
    let symbol = unsafe { CStr::from_ptr(variant.symbol) };
    let mut function = std::ptr::null_mut();
    // SAFETY: a loaded module and a terminated name.
    let code = unsafe { (api.cuModuleGetFunction)(&raw mut function, handle, symbol.as_ptr()) };
    if code == api::NOT_FOUND {
        return Err(no_code());
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
        splits: variant.needs & needs::SPLITS != 0,
        measured: match variant.needs & needs::FEW_LANES {
            0 => 0,
            _ => measured(device, handle, &symbol.to_string_lossy())?,
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

/// The module of a variant's code.
fn module_of(device: &CudaDevice, module: &'static Module, variant: &Variant) -> Result<Handle> {
    let mut loaded = device.modules.loaded.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let key = std::ptr::from_ref(module) as usize;
    let found = match loaded.entry(key) {
        Entry::Occupied(found) => found.into_mut(),
        Entry::Vacant(place) => place.insert(load(device, module)?),
    };
    let parts = match found {
        Loaded::Whole(handle) => return Ok(*handle as Handle),
        Loaded::Parts(parts) => parts,
    };
    // SAFETY: a string of a constant table.
    let part = parts.get(unsafe { text(variant.symbol) }.as_ref()).ok_or_else(no_code)?;
    if let Some(handle) = load_part(device, part)? {
        return Ok(handle);
    }
    let handle = load_whole(device, module)?;
    *found = Loaded::Whole(handle as usize);
    Ok(handle)
}

fn load(device: &CudaDevice, module: &Module) -> Result<Loaded> {
    // SAFETY: a constant table.
    let images = unsafe { slice(module.images, module.n_images) };
    let mut refused = None;
    if let Some(image) = best_image(images, device.capability) {
        match load_image(device, image.data) {
            Ok(handle) => return Ok(Loaded::Whole(handle as usize)),
            Err(error) => refused = Some(error),
        }
    }
    if module.cuda.is_null() {
        return Err(refused.unwrap_or_else(|| missing(images, device.capability)));
    }
    // SAFETY: a string of a constant table.
    let source = unsafe { CStr::from_ptr(module.cuda) };
    match Parts::of(source, &device.target) {
        Some(parts) => {
            background::compile(parts.all());
            Ok(Loaded::Parts(parts.by_symbol()))
        }
        None => load_whole(device, module).map(|handle| Loaded::Whole(handle as usize)),
    }
}

/// A part's module; none where it takes nvcc to compile it, which is given the whole text.
fn load_part(device: &CudaDevice, part: &Arc<UncompiledVariant>) -> Result<Option<Handle>> {
    let load = |code: Option<Code>| code.map(|code| load_image(device, code.as_ptr().cast())).transpose();
    load(background::code(part)?).or_else(|_| load(background::code_anew(part)?))
}

fn load_whole(device: &CudaDevice, module: &Module) -> Result<Handle> {
    // SAFETY: a string of a constant table.
    let source = unsafe { CStr::from_ptr(module.cuda) };
    let key = device.target.key(&[source.to_bytes()]);
    let compile = || compiler::compile(source, &device.target);
    let code = cache::get_or_compile(key, compile)?;
    load_image(device, code.as_ptr().cast()).or_else(|_| {
        cache::discard(key);
        load_image(device, cache::get_or_compile(key, compile)?.as_ptr().cast())
    })
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
