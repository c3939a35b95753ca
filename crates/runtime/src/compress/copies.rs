//! Plain copies of compressed arrays, on the device.
//!
//! A kernel may have versions that read arrays decoded (`ACCL_NEEDS_DECODED`). They are taken where the copies pay:
//! at once for arrays that the kernel reads many times, and otherwise where the arrays are small, so that caches hold
//! them and compression saves nothing, when the second kernel reads them. A copy is kept with the present table's
//! entry, and is out of date once a kernel or an update writes the array.
//!
//! The decoding kernel is the runtime's own, compiled at its first use. Where that is not possible, or memory is
//! short, the versions that decode by themselves run.

use super::check;
use super::{Stored, block};
use crate::data::{Task, first};
use crate::device::{Argument, Kind, Launch, QueueId};
use crate::launch::{Range, try_load};
use crate::log;
use crate::pool::Block;
use crate::present::Found;
use crate::site::Name;
use accl_abi::{ABI_VERSION, Arg, Kernel, LaunchInfo, Module, Variant, arg_flags, arg_kind, kernel_flags};
use std::sync::atomic::{AtomicBool, Ordering};

/// Host bytes of the arrays of a launch up to which caches are expected to hold them.
const SMALL: usize = 16 << 20;

/// A mapping's plain copy.
#[derive(Clone, Copy)]
pub struct Copy {
    pub block: Block,
    /// The queue that decoding was put on.
    queue: QueueId,
    /// Nothing was written since.
    valid: bool,
}

impl Copy {
    /// One whose contents are not the array's.
    pub fn outdated(block: Block, queue: QueueId) -> Copy {
        Copy { block, queue, valid: false }
    }

    pub fn queue(&self) -> QueueId {
        self.queue
    }
}

/// What is known of a compressed mapping's use.
#[derive(Clone, Copy, Default)]
pub struct Copies {
    pub copy: Option<Copy>,
    /// Kernels that have read the array since it was written.
    reads: u32,
}

impl Copies {
    /// The array was written.
    pub fn outdate(&mut self) {
        self.reads = 0;
        if let Some(copy) = &mut self.copy {
            copy.valid = false;
        }
    }
}

/// An argument whose array may be read from a copy.
pub struct Wanted {
    argument: usize,
    /// Of the mapping.
    start: usize,
    pub stored: Stored,
    pub bytes: usize,
    pub device: u64,
    /// Bytes from the copy's beginning to what stands for the variable's base.
    skip: i64,
    copies: Copies,
    queues: Vec<QueueId>,
    name: Name,
}

/// Puts copies in the place of the arguments that decoded versions take plain, if they pay; false: nothing changed.
pub fn provide(
    task: &Task,
    info: &LaunchInfo,
    table: &[Arg],
    reused: bool,
    arguments: &mut [Argument],
    ranges: &mut [Range],
) -> bool {
    if task.state.device.info().kind == Kind::Cpu || check::PRESENT.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let Some(wanted) = wanted(task, info, table) else { return false };
    let small = wanted.iter().map(|w| w.bytes).sum::<usize>() <= SMALL;
    let read_before = wanted.iter().all(|w| w.copies.reads > 0);
    if wanted.is_empty() || !(reused || small && read_before) {
        return false;
    }
    let addresses: Vec<Option<u64>> = wanted.iter().map(|w| address(task, w)).collect();
    if addresses.iter().any(Option::is_none) {
        return false;
    }
    for (w, address) in wanted.iter().zip(addresses.into_iter().flatten()) {
        let base = address.wrapping_add_signed(w.skip);
        arguments[w.argument] = Argument::Data { base, inside: address };
        if let Some(range) = ranges.get_mut(w.argument) {
            let reach = numbers(w) as u64 * w.stored.elem_size() as u64;
            *range = Range { begin: address, end: address + reach, base, reach, known: true, ..*range };
        }
    }
    true
}

/// Numbers that the array holds, those between planes among them.
fn numbers(w: &Wanted) -> usize {
    match w.stored.plane {
        0 => w.bytes / w.stored.elem_size(),
        plane => plane * w.stored.members,
    }
}

/// The arguments that decoded versions take plain; `None` where one of them is not there, or not compressed.
fn wanted(task: &Task, info: &LaunchInfo, table: &[Arg]) -> Option<Vec<Wanted>> {
    let mut found = vec![];
    for (argument, arg) in table.iter().enumerate() {
        if arg.kind != arg_kind::DATA || arg.flags & arg_flags::DECODED == 0 {
            continue;
        }
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let (mut present, place) = task.find(first(var), var.bytes);
        let Found::Inside(start) = place else { return None };
        let mapping = present.get_mut(start)?;
        let stored = mapping.stored.filter(|stored| !super::is_floating(stored.scheme))?;
        let distance = (var.base as i64 - mapping.host as i64) / (stored.elem_size() * stored.pitch()) as i64;
        let number = distance + (arg.size as usize * stored.plane) as i64;
        found.push(Wanted {
            argument,
            start,
            stored,
            bytes: mapping.bytes,
            device: mapping.device,
            skip: number * stored.elem_size() as i64,
            copies: mapping.copies,
            queues: mapping.queues.clone(),
            name: Name(mapping.name),
        });
        mapping.copies.reads = mapping.copies.reads.saturating_add(1);
    }
    Some(found)
}

/// Where the array's plain copy is; decodes it if there is none that holds.
fn address(task: &Task, w: &Wanted) -> Option<u64> {
    let device = &*task.state.device;
    let queue = task.queue.id;
    if let Some(copy) = w.copies.copy.filter(|copy| copy.valid) {
        if copy.queue != queue {
            device.order_after(queue, copy.queue).ok()?;
        }
        return Some(copy.block.address);
    }
    // Two planes of one array: the first of them has decoded all.
    let known = task.state.table().get(w.start).and_then(|mapping| mapping.copies.copy);
    if let Some(copy) = known.filter(|copy| copy.valid) {
        return Some(copy.block.address);
    }
    let block = match known {
        Some(copy) => copy.block,
        None => task.state.pool.take(device, numbers(w) * w.stored.elem_size(), queue).ok()?,
    };
    for other in w.queues.iter().filter(|other| **other != queue) {
        device.order_after(queue, *other).ok()?;
    }
    if !decode(task, w, block.address) {
        if known.is_none() {
            task.state.pool.give(block, queue);
        }
        return None;
    }
    let mut table = task.state.table();
    table.get_mut(w.start)?.copies.copy = Some(Copy { block, queue, valid: true });
    Some(block.address)
}

/// Puts the decoding of the whole array on the task's queue.
fn decode(task: &Task, w: &Wanted, to: u64) -> bool {
    let bytes = numbers(w) * w.stored.elem_size();
    log::transfer("decode", task.state, task.place, 0, task.queue, w.name, bytes);
    if w.stored.is_block() {
        return block::plain::decode_copy(task, w, to);
    }
    let variant: &'static Variant = if w.stored.double { &DOUBLE } else { &FLOAT };
    let position = u32::from(w.stored.double);
    static UNAVAILABLE: AtomicBool = AtomicBool::new(false);
    if UNAVAILABLE.load(Ordering::Relaxed) {
        return false;
    }
    let Ok(loaded) = try_load(task, &MODULE, &KERNEL, position, variant) else {
        UNAVAILABLE.store(true, Ordering::Relaxed);
        return false;
    };
    let count = numbers(w) as i64;
    let bits = w.stored.bits;
    let (scale, bias) = (w.stored.key(accl_abi::key::SCALE, 0), w.stored.key(accl_abi::key::BIAS, 0));
    let size = w.stored.elem_size() as u32;
    let arguments = [
        Argument::Data { base: to, inside: to },
        Argument::Data { base: w.device, inside: w.device },
        Argument::Trips(count),
        Argument::Value { address: (&raw const bits).cast(), size: 4 },
        Argument::Value { address: scale.as_ptr().cast(), size },
        Argument::Value { address: bias.as_ptr().cast(), size },
    ];
    let launch = Launch {
        module: &MODULE,
        kernel: &KERNEL,
        arguments: &arguments,
        targets: &[],
        trips: [count, 1, 1],
        gangs: 0,
        grid: [(count as u64).div_ceil(4 * u64::from(BLOCK)).clamp(1, 1 << 20) as u32, 1, 1],
        block: [BLOCK.min(loaded.function.block_threads), 1, 1],
        shared_bytes: 0,
    };
    task.put("decoding an array", |queue| {
        // SAFETY: the array's memory, and a block with room for its numbers.
        unsafe { task.state.device.launch(queue, &loaded.function, &launch) }
    });
    true
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
    n_args: 6,
    n_reductions: 0,
    args: std::ptr::null(),
    reductions: std::ptr::null(),
};

static FLOAT: Variant = version(c"accl_decode_float");
static DOUBLE: Variant = version(c"accl_decode_double");

const fn version(symbol: &'static std::ffi::CStr) -> Variant {
    Variant { symbol: symbol.as_ptr(), needs: 0, block: [BLOCK, 1, 1], per_thread: [1; 3], shared_bytes: 0 }
}

static MODULE: Module = Module {
    abi_version: ABI_VERSION,
    n_images: 0,
    file: c"(decoding)".as_ptr(),
    cuda: CUDA.as_ptr(),
    opencl: OPENCL.as_ptr(),
    images: std::ptr::null(),
};

/// Elements of 8, 16 and 32 bits lie as packed ones do; the words behind an element's last are not touched.
const CUDA: &std::ffi::CStr = c"
static __device__ unsigned long long raw_of(const unsigned *words, long long i, int bits)
{
    long long bit = i * bits;
    int within = (int)(bit & 31);
    const unsigned *at = words + (bit >> 5);
    unsigned long long raw = at[0];
    if (within + bits > 32)
        raw |= (unsigned long long)at[1] << 32;
    raw >>= within;
    if (within + bits > 64)
        raw |= (unsigned long long)at[2] << (64 - within);
    return raw & ((1ull << bits) - 1);
}
extern \"C\" __global__ void accl_decode_float(float *out, const unsigned *words, long long n, int bits, float scale,
                                             float bias)
{
    long long step = (long long)gridDim.x * blockDim.x;
    unsigned half = (1u << (23 - bits)) >> 1;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = fmaf(__uint_as_float((unsigned)raw_of(words, i, bits) << (23 - bits) | half | 0x3f800000u), scale, bias);
}
extern \"C\" __global__ void accl_decode_double(double *out, const unsigned *words, long long n, int bits, double scale,
                                              double bias)
{
    long long step = (long long)gridDim.x * blockDim.x;
    unsigned long long half = (1ull << (52 - bits)) >> 1;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = fma(__longlong_as_double((long long)(raw_of(words, i, bits) << (52 - bits) | half | 0x3ff0000000000000ull)),
                     scale, bias);
}
";

const OPENCL: &std::ffi::CStr = c"
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
ulong raw_of(__global const uint *words, long i, int bits)
{
    long bit = i * bits;
    int within = (int)(bit & 31);
    __global const uint *at = words + (bit >> 5);
    ulong raw = at[0];
    if (within + bits > 32)
        raw |= (ulong)at[1] << 32;
    raw >>= within;
    if (within + bits > 64)
        raw |= (ulong)at[2] << (64 - within);
    return raw & ((1ul << bits) - 1);
}
__kernel void accl_decode_float(__global float *out_buf, long out_off, __global const uint *words_buf, long words_off,
                                long n, int bits, float scale, float bias)
{
    __global float *out = (__global float *)((__global char *)out_buf + out_off);
    __global const uint *words = (__global const uint *)((__global const char *)words_buf + words_off);
    uint rest = (1u << (23 - bits)) >> 1 | 0x3f800000u;
    for (long i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = fma(as_float((uint)raw_of(words, i, bits) << (23 - bits) | rest), scale, bias);
}
#ifdef cl_khr_fp64
__kernel void accl_decode_double(__global double *out_buf, long out_off, __global const uint *words_buf, long words_off,
                                 long n, int bits, double scale, double bias)
{
    __global double *out = (__global double *)((__global char *)out_buf + out_off);
    __global const uint *words = (__global const uint *)((__global const char *)words_buf + words_off);
    ulong rest = (1ul << (52 - bits)) >> 1 | 0x3ff0000000000000ul;
    for (long i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = fma(as_double(raw_of(words, i, bits) << (52 - bits) | rest), scale, bias);
}
#endif
";
