//! Programs: device source, compiled at the first launch of one of its kernels, or taken from the
//! cache on disk.

use super::api::{self, Handle, bytes, check};
use super::{Function, OpenClDevice, barriers};
use crate::cache::{self, Key};
use crate::config::config;
use crate::error::{DeviceError, Result};
use accl_abi::{Module, Variant};
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::{CStr, CString, c_void};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// Programs by module, and by whether they have barriers where these have programs of their own. The lock is held while one is
/// compiled: nobody can use it before.
#[derive(Default)]
pub struct Programs {
    built: Mutex<HashMap<(usize, bool), usize>>,
}

/// A kernel and its lock: arguments are a part of the OpenCL object.
pub struct KernelObject {
    pub handle: Mutex<usize>,
    /// It has run: the device compiles nothing more for it.
    pub has_run: AtomicBool,
}

pub fn function(
    device: &OpenClDevice,
    module: &'static Module,
    variant: &'static Variant,
) -> Result<Function> {
    if module.opencl.is_null() {
        return Err(DeviceError::new("the program was built without code for OpenCL"));
    }
    // SAFETY: strings of constant tables.
    let (symbol, source) = unsafe { (CStr::from_ptr(variant.symbol), CStr::from_ptr(module.opencl)) };
    let source = source.to_string_lossy();
    let (has_barriers, source) = match is_pocl(device) && source.contains("barrier(") {
        true => {
            let (has_barriers, source) = barriers::like(&source, &symbol.to_string_lossy());
            (has_barriers, Cow::Owned(source))
        }
        false => (false, source),
    };
    let program = {
        let mut built = device.programs.built.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match built.entry((std::ptr::from_ref(module) as usize, has_barriers)) {
            Entry::Occupied(program) => *program.get(),
            Entry::Vacant(place) => *place.insert(build(device, &source, has_barriers)? as usize),
        }
    };
    let mut code = 0;
    // SAFETY: a built program and a terminated name.
    let kernel = unsafe { (device.api.clCreateKernel)(program as Handle, symbol.as_ptr(), &raw mut code) };
    if code == api::INVALID_KERNEL_NAME {
        return Err(DeviceError::new(
            "the program was built without OpenCL code for it: the compiler has said what OpenCL C cannot express",
        ));
    }
    check(code, "clCreateKernel")?;
    let (mut threads, mut compiled_for) = (0usize, [0usize; 3]);
    let tell = |what, size: usize, value: *mut c_void| {
        // SAFETY: the callers' places have room for so much.
        let code = unsafe {
            let get = device.api.clGetKernelWorkGroupInfo;
            get(kernel, device.device, what, size, value, std::ptr::null_mut())
        };
        check(code, "clGetKernelWorkGroupInfo")
    };
    tell(api::KERNEL_WORK_GROUP_SIZE, size_of_val(&threads), (&raw mut threads).cast())?;
    tell(api::KERNEL_COMPILE_WORK_GROUP_SIZE, size_of_val(&compiled_for), (&raw mut compiled_for).cast())?;
    // NVIDIA's tells 256 of all kernels, of those, too, that it compiled for more.
    let threads = threads.max(compiled_for.iter().product());
    let object = Box::leak(Box::new(KernelObject {
        handle: Mutex::new(kernel as usize),
        has_run: AtomicBool::new(false),
    }));
    Ok(Function {
        raw: std::ptr::from_ref(object) as usize,
        block_threads: threads.clamp(1, 1 << 20) as u32,
        symbol: symbol.to_string_lossy().into_owned(),
        awaits: false,
        splits: false,
        measured: 0,
        cost: 0.into(),
    })
}

/// The options of every program; the user's come last. Division and square root of floats are as exact as on
/// the host where the device can do it: OpenCL's own default is 2.5 ulp. `as_written`: nothing is optimised ([`barriers`]).
fn options(device: &OpenClDevice, as_written: bool) -> CString {
    let extra = &config().opencl_options;
    let standard = if extra.contains("-cl-std") { "" } else { "-cl-std=CL1.2 " };
    let exact = if device.rounds_division { "-cl-fp32-correctly-rounded-divide-sqrt " } else { "" };
    let plain = if as_written { "-cl-opt-disable " } else { "" };
    CString::new(format!("{standard}{exact}{plain}{extra}")).unwrap_or_default()
}

fn is_pocl(device: &OpenClDevice) -> bool {
    device.info.architecture.to_ascii_lowercase().contains("pocl")
}

fn build(device: &OpenClDevice, source: &str, as_written: bool) -> Result<Handle> {
    let options = options(device, as_written);
    let source = source.as_bytes();
    // PoCL keeps what it compiled, each kernel when it is started. Asked for a binary it would compile all of them at once.
    if is_pocl(device) {
        return from_source(device, source, &options);
    }
    let info = &device.info;
    let key = Key::of(&[
        b"opencl",
        source,
        options.as_bytes(),
        info.name.as_bytes(),
        info.driver.as_bytes(),
        info.architecture.as_bytes(),
    ]);
    let mut compiled = None;
    let binary = cache::get_or_compile(key, || {
        let program = from_source(device, source, &options)?;
        compiled = Some(program);
        binary(device, program)
    })?;
    if let Some(program) = compiled {
        return Ok(program);
    }
    from_binary(device, &binary, &options).or_else(|_| {
        cache::discard(key);
        from_source(device, source, &options)
    })
}

fn from_source(device: &OpenClDevice, source: &[u8], options: &CStr) -> Result<Handle> {
    let (text, length) = (source.as_ptr().cast(), source.len());
    let mut code = 0;
    // SAFETY: one string with its length.
    let program = unsafe {
        (device.api.clCreateProgramWithSource)(
            device.context,
            1,
            &raw const text,
            &raw const length,
            &raw mut code,
        )
    };
    check(code, "clCreateProgramWithSource")?;
    finish_build(device, program, options)?;
    Ok(program)
}

fn from_binary(device: &OpenClDevice, binary: &[u8], options: &CStr) -> Result<Handle> {
    let (data, length) = (binary.as_ptr(), binary.len());
    let (mut status, mut code) = (0, 0);
    // SAFETY: one binary with its length, for one device.
    let program = unsafe {
        (device.api.clCreateProgramWithBinary)(
            device.context,
            1,
            &raw const device.device,
            &raw const length,
            &raw const data,
            &raw mut status,
            &raw mut code,
        )
    };
    check(code, "clCreateProgramWithBinary")?;
    check(status, "clCreateProgramWithBinary")?;
    finish_build(device, program, options)?;
    Ok(program)
}

fn finish_build(device: &OpenClDevice, program: Handle, options: &CStr) -> Result<()> {
    // SAFETY: one device, no callback.
    let code = unsafe {
        (device.api.clBuildProgram)(
            program,
            1,
            &raw const device.device,
            options.as_ptr(),
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    if code == 0 {
        return Ok(());
    }
    // SAFETY: `bytes` gives room for as much as is asked for.
    let log = bytes("clGetProgramBuildInfo", |size, to, needed| unsafe {
        (device.api.clGetProgramBuildInfo)(program, device.device, api::PROGRAM_BUILD_LOG, size, to, needed)
    });
    let log = log.unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    // SAFETY: the program is of no use.
    unsafe { (device.api.clReleaseProgram)(program) };
    check(code, "clBuildProgram").map_err(|error| {
        DeviceError::new(format!(
            "internal error: the generated OpenCL code does not compile, which is a bug in accl: {error}\n{}",
            log.trim_end_matches('\0').trim_end()
        ))
    })
}

fn binary(device: &OpenClDevice, program: Handle) -> Result<Vec<u8>> {
    let mut size = 0usize;
    // SAFETY: the program was built for one device: one size, and then one pointer.
    unsafe {
        let code = (device.api.clGetProgramInfo)(
            program,
            api::PROGRAM_BINARY_SIZES,
            size_of::<usize>(),
            (&raw mut size).cast(),
            std::ptr::null_mut(),
        );
        check(code, "clGetProgramInfo")?;
        let mut binary = vec![0u8; size];
        let mut pointer = binary.as_mut_ptr();
        let code = (device.api.clGetProgramInfo)(
            program,
            api::PROGRAM_BINARIES,
            size_of::<usize>(),
            (&raw mut pointer).cast(),
            std::ptr::null_mut(),
        );
        check(code, "clGetProgramInfo")?;
        Ok(binary)
    }
}
