//! Kernels of the runtime's own that encode and decode whole planes on a GPU, compiled at their first use.
//!
//! A thread decodes single elements, and encodes a group. They compute what [`super::group`] does.

use crate::compress::{GROUP, Stored};
use crate::data::Task;
use crate::device::{Argument, Launch};
use crate::error::Result;
use crate::launch::try_load;
use accl_abi::{ABI_VERSION, Kernel, Module, Variant, kernel_flags};
use std::ffi::CStr;

/// Which way, and of what.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Decode,
    Encode,
}

/// Puts a plane of so many numbers on the task's queue: `held` on the device, `plain` beside it.
pub fn convert(task: &Task, way: Way, stored: &Stored, held: u64, plain: u64, numbers: usize) -> Result<()> {
    let position = usize::from(stored.double) + if way == Way::Encode { 2 } else { 0 };
    let loaded = try_load(task, &MODULE, &KERNEL, position as u32, &VERSIONS[position])?;
    let (count, bits) = (numbers as i64, stored.bits);
    let distance = stored.exponents as i64;
    let arguments = [
        Argument::Data { base: plain, inside: plain },
        Argument::Data { base: held, inside: held },
        Argument::Trips(distance),
        Argument::Trips(count),
        Argument::Value { address: (&raw const bits).cast(), size: 4 },
    ];
    let threads = match way {
        Way::Decode => (count as u64).div_ceil(4),
        Way::Encode => (count as u64).div_ceil(GROUP as u64),
    };
    let block = BLOCK.min(loaded.function.block_threads);
    let launch = Launch {
        module: &MODULE,
        kernel: &KERNEL,
        arguments: &arguments,
        targets: &[],
        trips: [count, 1, 1],
        gangs: 0,
        grid: [threads.div_ceil(u64::from(block)).clamp(1, 1 << 20) as u32, 1, 1],
        block: [block, 1, 1],
        shared_bytes: 0,
    };
    let way = if way == Way::Decode { "decoding an array" } else { "encoding an array" };
    task.put(way, |queue| {
        // SAFETY: the array's memory, and a block with room for its numbers.
        unsafe { task.state.device.launch(queue, &loaded.function, &launch) }
    });
    Ok(())
}

const BLOCK: u32 = 256;

static KERNEL: Kernel = Kernel {
    site: std::ptr::null(),
    cpu: None,
    flags: kernel_flags::GANGS,
    n_dims: 0,
    grid: [0; 3],
    n_variants: 0,
    variants: std::ptr::null(),
    n_args: 5,
    n_reductions: 0,
    args: std::ptr::null(),
    reductions: std::ptr::null(),
};

static VERSIONS: [Variant; 4] = [
    version(c"accl_decode_block_float"),
    version(c"accl_decode_block_double"),
    version(c"accl_encode_block_float"),
    version(c"accl_encode_block_double"),
];

const fn version(symbol: &'static CStr) -> Variant {
    Variant { symbol: symbol.as_ptr(), needs: 0, block: [BLOCK, 1, 1], per_thread: [1; 3], shared_bytes: 0 }
}

static MODULE: Module = Module {
    abi_version: ABI_VERSION,
    n_images: 0,
    file: c"(block arrays)".as_ptr(),
    cuda: CUDA.as_ptr(),
    opencl: OPENCL.as_ptr(),
    images: std::ptr::null(),
};

/// A text for both languages behind what they spell differently.
macro_rules! source {
    ($($text:expr),*) => {
        match CStr::from_bytes_with_nul(concat!($($text),*, "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => panic!("a nul within the text"),
        }
    };
}

const CUDA: &CStr = source!(
    r#"
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ulong64;
typedef long long long64;
#define HELPER static __device__
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define DATA(T, name) T *name
#define BIND(T, name)
#define FIRST (long64)blockIdx.x * blockDim.x + threadIdx.x
#define STEP (long64)gridDim.x * blockDim.x
#define OF_BITS_float __uint_as_float
#define OF_BITS_double __longlong_as_double
#define BITS_float __float_as_uint
#define BITS_double (ulong64)__double_as_longlong
#define FMA fma
#define DOUBLE
"#,
    include_str!("device.inc")
);

const OPENCL: &CStr = source!(
    r#"
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define DOUBLE
#endif
typedef ulong ulong64;
typedef long long64;
#define HELPER
#define KERNEL __kernel void
#define GLOBAL __global
#define DATA(T, name) __global T *name##_buf, long name##_off
#define BIND(T, name) __global T *name = (__global T *)((__global char *)name##_buf + name##_off);
#define FIRST get_global_id(0)
#define STEP get_global_size(0)
#define OF_BITS_float as_float
#define OF_BITS_double as_double
#define BITS_float as_uint
#define BITS_double as_ulong
#define FMA fma
"#,
    include_str!("device.inc")
);
