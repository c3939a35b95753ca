//! The functions and codes of OpenCL 1.2 that this device uses, found in `libOpenCL.so.1`.

use crate::device::library::{self, functions};
use crate::error::{DeviceError, Result};
use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

pub type Code = i32;
/// Any of OpenCL's object types.
pub type Handle = *mut c_void;
type Events = *const Handle;

functions! {
    pub struct Api {
        fn clGetPlatformIDs(u32, *mut Handle, *mut u32) -> Code;
        fn clGetDeviceIDs(Handle, u64, u32, *mut Handle, *mut u32) -> Code;
        fn clGetDeviceInfo(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
        fn clCreateContext(*const isize, u32, *const Handle, *const c_void, *mut c_void, *mut Code) -> Handle;
        fn clCreateCommandQueue(Handle, Handle, u64, *mut Code) -> Handle;
        fn clCreateBuffer(Handle, u64, usize, *mut c_void, *mut Code) -> Handle;
        fn clReleaseMemObject(Handle) -> Code;
        fn clEnqueueWriteBuffer(Handle, Handle, u32, usize, usize, *const c_void, u32, Events, *mut Handle) -> Code;
        fn clEnqueueReadBuffer(Handle, Handle, u32, usize, usize, *mut c_void, u32, Events, *mut Handle) -> Code;
        fn clEnqueueWriteBufferRect(Handle, Handle, u32, *const usize, *const usize, *const usize, usize, usize, usize, usize, *const c_void, u32, Events, *mut Handle) -> Code;
        fn clEnqueueReadBufferRect(Handle, Handle, u32, *const usize, *const usize, *const usize, usize, usize, usize, usize, *mut c_void, u32, Events, *mut Handle) -> Code;
        fn clEnqueueCopyBuffer(Handle, Handle, Handle, usize, usize, usize, u32, Events, *mut Handle) -> Code;
        fn clEnqueueFillBuffer(Handle, Handle, *const c_void, usize, usize, usize, u32, Events, *mut Handle) -> Code;
        fn clEnqueueNDRangeKernel(Handle, Handle, u32, *const usize, *const usize, *const usize, u32, Events, *mut Handle) -> Code;
        fn clEnqueueMarkerWithWaitList(Handle, u32, Events, *mut Handle) -> Code;
        fn clEnqueueBarrierWithWaitList(Handle, u32, Events, *mut Handle) -> Code;
        fn clFlush(Handle) -> Code;
        fn clFinish(Handle) -> Code;
        fn clGetEventInfo(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
        fn clGetEventProfilingInfo(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
        fn clReleaseEvent(Handle) -> Code;
        fn clCreateProgramWithSource(Handle, u32, *const *const c_char, *const usize, *mut Code) -> Handle;
        fn clCreateProgramWithBinary(Handle, u32, *const Handle, *const usize, *const *const u8, *mut Code, *mut Code) -> Handle;
        fn clBuildProgram(Handle, u32, *const Handle, *const c_char, *const c_void, *mut c_void) -> Code;
        fn clGetProgramBuildInfo(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Code;
        fn clGetProgramInfo(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
        fn clReleaseProgram(Handle) -> Code;
        fn clCreateKernel(Handle, *const c_char, *mut Code) -> Handle;
        fn clGetKernelWorkGroupInfo(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Code;
        fn clSetKernelArg(Handle, u32, usize, *const c_void) -> Code;
    }
    optional {
        fn clSVMAlloc(Handle, u64, usize, u32) -> *mut c_void;
        fn clSVMFree(Handle, *mut c_void) -> ();
        fn clSetKernelExecInfo(Handle, u32, usize, *const c_void) -> Code;
    }
}

pub const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
pub const DEVICE_TYPE: u32 = 0x1000;
pub const DEVICE_TYPE_CPU: u64 = 1 << 1;
pub const DEVICE_MAX_COMPUTE_UNITS: u32 = 0x1002;
pub const DEVICE_MAX_WORK_GROUP_SIZE: u32 = 0x1004;
pub const DEVICE_LOCAL_MEM_SIZE: u32 = 0x1023;
pub const DEVICE_SINGLE_FP_CONFIG: u32 = 0x101B;
pub const FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: u64 = 1 << 7;
pub const DEVICE_GLOBAL_MEM_CACHE_SIZE: u32 = 0x101E;
pub const DEVICE_GLOBAL_MEM_SIZE: u32 = 0x101F;
pub const DEVICE_NAME: u32 = 0x102B;
pub const DEVICE_VENDOR: u32 = 0x102C;
pub const DRIVER_VERSION: u32 = 0x102D;
pub const DEVICE_VERSION: u32 = 0x102F;
pub const QUEUE_PROFILING: u64 = 1 << 1;
pub const DEVICE_SVM_CAPABILITIES: u32 = 0x1053;
pub const SVM_COARSE_GRAIN: u64 = 1;
pub const KERNEL_EXEC_INFO_SVM_PTRS: u32 = 0x11B6;
pub const MEM_USE_HOST_PTR: u64 = 1 << 3;
pub const MEM_READ_WRITE: u64 = 1;
pub const PROGRAM_BUILD_LOG: u32 = 0x1183;
pub const PROGRAM_BINARY_SIZES: u32 = 0x1165;
pub const PROGRAM_BINARIES: u32 = 0x1166;
pub const KERNEL_WORK_GROUP_SIZE: u32 = 0x11B0;
pub const KERNEL_COMPILE_WORK_GROUP_SIZE: u32 = 0x11B1;
pub const EVENT_EXECUTION_STATUS: u32 = 0x11D3;
pub const PROFILING_END: u32 = 0x1283;
pub const INVALID_KERNEL_NAME: Code = -46;
const PLATFORM_NOT_FOUND: Code = -1001;
const DEVICE_NOT_FOUND: Code = -1;

/// The library, loaded once; the error says why there is none.
pub fn api() -> Result<&'static Api> {
    static API: OnceLock<Result<Api>> = OnceLock::new();
    API.get_or_init(|| Api::load(library::open(&["libOpenCL.so.1", "libOpenCL.so"])?))
        .as_ref()
        .map_err(Clone::clone)
}

/// Turns a code into an error that names the function.
pub fn check(code: Code, function: &str) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(DeviceError::new(format!("{function} returned {}", code_name(code)))) }
}

fn code_name(code: Code) -> String {
    let name = match code {
        -1 => "CL_DEVICE_NOT_FOUND",
        -2 => "CL_DEVICE_NOT_AVAILABLE",
        -3 => "CL_COMPILER_NOT_AVAILABLE",
        -4 => "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        -5 => "CL_OUT_OF_RESOURCES",
        -6 => "CL_OUT_OF_HOST_MEMORY",
        -11 => "CL_BUILD_PROGRAM_FAILURE",
        -14 => "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
        -30 => "CL_INVALID_VALUE",
        -36 => "CL_INVALID_COMMAND_QUEUE",
        -38 => "CL_INVALID_MEM_OBJECT",
        -42 => "CL_INVALID_BINARY",
        -46 => "CL_INVALID_KERNEL_NAME",
        -49 => "CL_INVALID_ARG_INDEX",
        -50 => "CL_INVALID_ARG_VALUE",
        -51 => "CL_INVALID_ARG_SIZE",
        -52 => "CL_INVALID_KERNEL_ARGS",
        -54 => "CL_INVALID_WORK_GROUP_SIZE",
        -55 => "CL_INVALID_WORK_ITEM_SIZE",
        -61 => "CL_INVALID_BUFFER_SIZE",
        _ => return format!("code {code}"),
    };
    format!("{name} ({code})")
}

/// A string or list that OpenCL gives by its size first.
pub fn bytes(function: &str, query: impl Fn(usize, *mut c_void, *mut usize) -> Code) -> Result<Vec<u8>> {
    let mut size = 0;
    check(query(0, std::ptr::null_mut(), &raw mut size), function)?;
    let mut bytes = vec![0u8; size];
    check(query(size, bytes.as_mut_ptr().cast(), std::ptr::null_mut()), function)?;
    Ok(bytes)
}

impl Api {
    /// Every device of every platform, with the platform's; accelerators first.
    pub fn devices(&self) -> Result<Vec<(Handle, Handle)>> {
        let mut platforms = [std::ptr::null_mut(); 16];
        let mut count = 0;
        // SAFETY: room for 16 handles.
        let code = unsafe { (self.clGetPlatformIDs)(16, platforms.as_mut_ptr(), &raw mut count) };
        if code == PLATFORM_NOT_FOUND || (code == 0 && count == 0) {
            return Err(DeviceError::new("no OpenCL driver is installed (the loader found no platform)"));
        }
        check(code, "clGetPlatformIDs")?;
        let mut found = Vec::new();
        for platform in &platforms[..count.min(16) as usize] {
            let mut devices = [std::ptr::null_mut(); 64];
            let mut count = 0;
            // SAFETY: room for 64 handles.
            let code = unsafe {
                (self.clGetDeviceIDs)(*platform, DEVICE_TYPE_ALL, 64, devices.as_mut_ptr(), &raw mut count)
            };
            if code != DEVICE_NOT_FOUND {
                check(code, "clGetDeviceIDs")?;
                found.extend(devices[..count.min(64) as usize].iter().map(|device| (*platform, *device)));
            }
        }
        if found.is_empty() {
            return Err(DeviceError::new("the OpenCL drivers of this machine have no device"));
        }
        found.sort_by_key(|(_, device)| self.device_number(*device, DEVICE_TYPE) & DEVICE_TYPE_CPU != 0);
        Ok(found)
    }

    /// A property of up to 8 bytes; 0 where it cannot be asked for.
    pub fn device_number(&self, device: Handle, property: u32) -> u64 {
        let mut value = 0u64;
        // SAFETY: room for 8 bytes, and numbers are little-endian.
        let code = unsafe {
            (self.clGetDeviceInfo)(device, property, 8, (&raw mut value).cast(), std::ptr::null_mut())
        };
        if code == 0 { value } else { 0 }
    }

    pub fn device_text(&self, device: Handle, property: u32) -> String {
        // SAFETY: `bytes` gives room for as much as is asked for.
        let query = |size, to, needed| unsafe { (self.clGetDeviceInfo)(device, property, size, to, needed) };
        let text = bytes("clGetDeviceInfo", query).unwrap_or_default();
        String::from_utf8_lossy(&text).trim_end_matches('\0').trim().to_owned()
    }
}
