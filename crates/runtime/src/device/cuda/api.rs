//! The functions and codes of the CUDA driver and of NVRTC that this device uses, found in
//! `libcuda.so.1` and `libnvrtc.so`.

use crate::config::config;
use crate::device::library::{self, functions};
use crate::error::{DeviceError, Result};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

pub type Code = c_int;
/// Context, stream, event, module or function.
pub type Handle = *mut c_void;
pub type Address = u64;

/// `CUDA_MEMCPY2D`.
#[repr(C)]
pub struct Copy2d {
    pub src_x: usize,
    pub src_y: usize,
    pub src_type: c_uint,
    pub src_host: *const c_void,
    pub src_device: Address,
    pub src_array: Handle,
    pub src_pitch: usize,
    pub dst_x: usize,
    pub dst_y: usize,
    pub dst_type: c_uint,
    pub dst_host: *mut c_void,
    pub dst_device: Address,
    pub dst_array: Handle,
    pub dst_pitch: usize,
    pub width: usize,
    pub height: usize,
}

/// `CUlaunchConfig`.
#[repr(C)]
pub struct LaunchConfig {
    pub grid: [c_uint; 3],
    pub block: [c_uint; 3],
    pub shared_bytes: c_uint,
    pub stream: Handle,
    pub attributes: *const LaunchAttribute,
    pub count: c_uint,
}

/// `CUlaunchAttribute`.
#[repr(C, align(8))]
pub struct LaunchAttribute {
    pub id: c_uint,
    pub pad: c_uint,
    pub value: [c_uint; 16],
}

/// `CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION`: the kernel may start while the one before it ends.
pub static MAY_OVERLAP: LaunchAttribute =
    LaunchAttribute { id: 6, pad: 0, value: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };

functions! {
    pub struct Api {
        fn cuInit(c_uint) -> Code;
        fn cuDriverGetVersion(*mut c_int) -> Code;
        fn cuGetErrorName(Code, *mut *const c_char) -> Code;
        fn cuGetErrorString(Code, *mut *const c_char) -> Code;
        fn cuDeviceGetCount(*mut c_int) -> Code;
        fn cuDeviceGet(*mut c_int, c_int) -> Code;
        fn cuDeviceGetName(*mut c_char, c_int, c_int) -> Code;
        fn cuDeviceTotalMem [cuDeviceTotalMem_v2] (*mut usize, c_int) -> Code;
        fn cuDeviceGetAttribute(*mut c_int, c_uint, c_int) -> Code;
        fn cuDevicePrimaryCtxRetain(*mut Handle, c_int) -> Code;
        fn cuCtxSetCurrent(Handle) -> Code;
        fn cuCtxGetCurrent(*mut Handle) -> Code;
        fn cuMemGetInfo [cuMemGetInfo_v2] (*mut usize, *mut usize) -> Code;
        fn cuMemAlloc [cuMemAlloc_v2] (*mut Address, usize) -> Code;
        fn cuMemFree [cuMemFree_v2] (Address) -> Code;
        fn cuMemHostAlloc(*mut *mut c_void, usize, c_uint) -> Code;
        fn cuPointerGetAttributes(c_uint, *mut c_uint, *mut *mut c_void, Address) -> Code;
        fn cuMemcpyHtoDAsync [cuMemcpyHtoDAsync_v2] (Address, *const c_void, usize, Handle) -> Code;
        fn cuMemcpyDtoHAsync [cuMemcpyDtoHAsync_v2] (*mut c_void, Address, usize, Handle) -> Code;
        fn cuMemcpyDtoDAsync [cuMemcpyDtoDAsync_v2] (Address, Address, usize, Handle) -> Code;
        fn cuMemcpy2DAsync [cuMemcpy2DAsync_v2] (*const Copy2d, Handle) -> Code;
        fn cuMemsetD8Async(Address, u8, usize, Handle) -> Code;
        fn cuStreamCreate(*mut Handle, c_uint) -> Code;
        fn cuStreamSynchronize(Handle) -> Code;
        fn cuStreamQuery(Handle) -> Code;
        fn cuStreamWaitEvent(Handle, Handle, c_uint) -> Code;
        fn cuEventCreate(*mut Handle, c_uint) -> Code;
        fn cuEventRecord(Handle, Handle) -> Code;
        fn cuEventSynchronize(Handle) -> Code;
        fn cuEventElapsedTime(*mut f32, Handle, Handle) -> Code;
        fn cuModuleLoadData(*mut Handle, *const c_void) -> Code;
        fn cuModuleGetFunction(*mut Handle, Handle, *const c_char) -> Code;
        fn cuModuleGetGlobal_v2(*mut u64, *mut usize, Handle, *const c_char) -> Code;
        fn cuFuncGetAttribute(*mut c_int, c_uint, Handle) -> Code;
        fn cuFuncSetAttribute(Handle, c_uint, c_int) -> Code;
        fn cuOccupancyMaxActiveBlocksPerMultiprocessor(*mut c_int, Handle, c_int, usize) -> Code;
        fn cuLaunchKernel(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void) -> Code;
    }
    optional {
        fn cuDeviceCanAccessPeer(*mut c_int, c_int, c_int) -> Code;
        fn cuCtxEnablePeerAccess(Handle, c_uint) -> Code;
        fn cuMemcpyPeerAsync(Address, Handle, Address, Handle, usize, Handle) -> Code;
        fn cuLaunchHostFunc(Handle, extern "C" fn(*mut c_void), *mut c_void) -> Code;
        fn cuLaunchKernelEx(*const LaunchConfig, Handle, *mut *mut c_void, *mut *mut c_void) -> Code;
    }
}

functions! {
    pub struct Nvrtc {
        fn nvrtcGetErrorString(Code) -> *const c_char;
        fn nvrtcCreateProgram(*mut Handle, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char) -> Code;
        fn nvrtcDestroyProgram(*mut Handle) -> Code;
        fn nvrtcCompileProgram(Handle, c_int, *const *const c_char) -> Code;
        fn nvrtcGetPTXSize(Handle, *mut usize) -> Code;
        fn nvrtcGetPTX(Handle, *mut c_char) -> Code;
        fn nvrtcGetProgramLogSize(Handle, *mut usize) -> Code;
        fn nvrtcGetProgramLog(Handle, *mut c_char) -> Code;
    }
    optional {
        fn nvrtcGetCUBINSize(Handle, *mut usize) -> Code;
        fn nvrtcGetCUBIN(Handle, *mut c_char) -> Code;
        fn nvrtcGetNumSupportedArchs(*mut c_int) -> Code;
        fn nvrtcGetSupportedArchs(*mut c_int) -> Code;
    }
}

/// CUDA_ERROR_ASSERT.
const ERROR_ASSERT: Code = 710;

pub const MULTIPROCESSORS: c_uint = 16;
pub const L2_CACHE_SIZE: c_uint = 38;
pub const MULTIPROCESSOR_THREADS: c_uint = 39;
pub const MAX_BLOCK_THREADS: c_uint = 1;
/// With permission, `cuFuncSetAttribute`.
pub const MAX_BLOCK_SHARED: c_uint = 97;
pub const MAX_GRID: [c_uint; 3] = [5, 6, 7];
pub const CAPABILITY_MAJOR: c_uint = 75;
pub const CAPABILITY_MINOR: c_uint = 76;
pub const FUNCTION_MAX_THREADS: c_uint = 0;
/// Of the arrays whose size its code tells.
pub const FUNCTION_SHARED_BYTES: c_uint = 1;
/// Major * 10 + minor of what a function's code was generated from.
pub const FUNCTION_VIRTUAL_ARCHITECTURE: c_uint = 5;
pub const FUNCTION_MAX_DYNAMIC_SHARED: c_uint = 8;
/// The first virtual architecture with `griddepcontrol`.
pub const FIRST_TO_AWAIT: c_int = 90;
pub const EVENT_NO_TIMING: c_uint = 2;
pub const HOST_PORTABLE_AND_MAPPED: c_uint = 1 | 2;
pub const MEMORY_TYPE: c_uint = 2;
pub const MEMORY_TYPE_HOST: c_uint = 1;
pub const MEMORY_TYPE_DEVICE: c_uint = 2;
pub const NOT_READY: Code = 600;
/// A name that a module does not have.
pub const NOT_FOUND: Code = 500;
const NO_DEVICE: Code = 100;
const INSUFFICIENT_DRIVER: Code = 35;
const DRIVER_MISMATCH: Code = 803;

/// The driver, loaded and initialised once; the error says why it cannot be used.
pub fn api() -> Result<&'static Api> {
    static API: OnceLock<Result<Api>> = OnceLock::new();
    API.get_or_init(|| {
        let api = Api::load(library::open(&["libcuda.so.1", "libcuda.so"])?)?;
        // SAFETY: the first call of the driver.
        let code = unsafe { (api.cuInit)(0) };
        match code {
            0 => Ok(api),
            NO_DEVICE => Err(DeviceError::new("the CUDA driver is installed, but this machine has no NVIDIA GPU it can use")),
            INSUFFICIENT_DRIVER | DRIVER_MISMATCH => Err(DeviceError::new(format!(
                "the CUDA driver's library and its kernel module do not fit each other; reinstall the driver ({})",
                api.name(code)
            ))),
            code => Err(DeviceError::new(format!("cuInit returned {}", api.name(code)))),
        }
    })
    .as_ref()
    .map_err(Clone::clone)
}

/// The run-time compiler, loaded once.
pub fn nvrtc() -> Result<&'static Nvrtc> {
    static NVRTC: OnceLock<Result<Nvrtc>> = OnceLock::new();
    NVRTC
        .get_or_init(|| {
            let given = &config().nvrtc;
            let folders: Vec<String> =
                config().cuda_toolkits.iter().map(|root| format!("{root}/lib64/libnvrtc.so")).collect();
            let usual = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"];
            let names: Vec<&str> = given
                .iter()
                .map(String::as_str)
                .chain(usual)
                .chain(folders.iter().map(String::as_str))
                .collect();
            Nvrtc::load(library::open(&names)?)
        })
        .as_ref()
        .map_err(Clone::clone)
}

impl Api {
    /// `CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered`
    pub fn name(&self, code: Code) -> String {
        let (mut name, mut words) = (std::ptr::null(), std::ptr::null());
        // SAFETY: both give strings of the library, or null for a code it does not know.
        unsafe {
            (self.cuGetErrorName)(code, &raw mut name);
            (self.cuGetErrorString)(code, &raw mut words);
            if name.is_null() || words.is_null() {
                return format!("code {code}");
            }
            format!("{}: {}", CStr::from_ptr(name).to_string_lossy(), CStr::from_ptr(words).to_string_lossy())
        }
    }

    /// Turns a code into an error that names the function.
    #[inline]
    pub fn check(&self, code: Code, function: &str) -> Result<()> {
        if code == 0 { Ok(()) } else { Err(self.failed(code, function)) }
    }

    #[cold]
    fn failed(&self, code: Code, function: &str) -> DeviceError {
        if code == ERROR_ASSERT {
            return DeviceError::Stopped;
        }
        DeviceError::new(format!("{function} returned {}", self.name(code)))
    }

    pub fn attribute(&self, device: c_int, attribute: c_uint) -> u32 {
        let mut value = 0;
        // SAFETY: room for the value.
        let code = unsafe { (self.cuDeviceGetAttribute)(&raw mut value, attribute, device) };
        if code == 0 { value.max(0) as u32 } else { 0 }
    }
}
