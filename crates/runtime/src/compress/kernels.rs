//! The device's encoding and decoding of arrays with a range: the runtime's own kernels, compiled at their first use.
//!
//! A thread decodes one number. One that encodes makes a whole word of the array, of all numbers that have bits in
//! it, so no two threads write the same word; at the ends of a piece the bits of others are kept.

use super::Stored;
use crate::data::Task;
use crate::device::{Argument, Launch, QueueId};
use crate::error::{DeviceError, Result};
use crate::launch::{Loaded, try_load};
use crate::profile::{Label, Work};
use crate::site::Name;
use accl_abi::{ABI_VERSION, Kernel, Module, Variant, kernel_flags, key};
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

const BLOCK: u32 = 256;

/// Numbers of an array, side by side.
pub struct Piece {
    /// Where the first one's group begins.
    pub words: u64,
    /// Its place there.
    pub first: i64,
    pub count: i64,
}

/// A kernel, where the device can compile it.
pub fn load(task: &Task, double: bool, encodes: bool) -> Option<&'static Loaded> {
    static UNAVAILABLE: AtomicBool = AtomicBool::new(false);
    if UNAVAILABLE.load(Ordering::Relaxed) {
        return None;
    }
    let position = usize::from(double) + 2 * usize::from(encodes);
    let loaded = try_load(task, &MODULE, &KERNEL, position as u32, &VARIANTS[position]).ok();
    UNAVAILABLE.store(loaded.is_none(), Ordering::Relaxed);
    loaded
}

/// Puts the decoding of a piece to `to` on the queue.
pub fn decode(task: &Task, queue: QueueId, stored: &Stored, piece: &Piece, to: u64) -> Result<()> {
    let keys = [key::SCALE, key::BIAS].map(|which| stored.key(which, 0));
    let arguments = [
        Argument::Data { base: to, inside: to },
        Argument::Data { base: piece.words, inside: piece.words },
        Argument::Trips(piece.first),
        Argument::Trips(piece.count),
        bits(stored),
        number(stored, &keys[0]),
        number(stored, &keys[1]),
    ];
    run(task, queue, stored.double, false, piece.count, &arguments)
}

/// Puts the encoding of a piece, plain at `from`, on the queue. Adds the number of values outside of the range to that
/// at `counter`.
pub fn encode(
    task: &Task,
    queue: QueueId,
    stored: &Stored,
    piece: &Piece,
    from: u64,
    counter: u64,
) -> Result<()> {
    let keys = [key::INVERSE, key::OFFSET].map(|which| stored.key(which, 0));
    let ends = [stored.ends().0, stored.ends().1].map(|end| stored.number(end));
    let arguments = [
        Argument::Data { base: piece.words, inside: piece.words },
        Argument::Data { base: from, inside: from },
        Argument::Data { base: counter, inside: counter },
        Argument::Trips(piece.first),
        Argument::Trips(piece.count),
        bits(stored),
        number(stored, &keys[0]),
        number(stored, &keys[1]),
        number(stored, &ends[0]),
        number(stored, &ends[1]),
    ];
    let words = ((piece.first + piece.count) * i64::from(stored.bits) + 31) / 32;
    run(task, queue, stored.double, true, words, &arguments)
}

fn bits(stored: &Stored) -> Argument {
    Argument::Value { address: (&raw const stored.bits).cast(), size: 4 }
}

fn number(stored: &Stored, bytes: &[u8; 8]) -> Argument {
    Argument::Value { address: bytes.as_ptr().cast(), size: stored.elem_size() as u32 }
}

fn run(
    task: &Task,
    queue: QueueId,
    double: bool,
    encodes: bool,
    threads: i64,
    arguments: &[Argument],
) -> Result<()> {
    let loaded = load(task, double, encodes)
        .ok_or_else(|| DeviceError("the runtime's kernels cannot be compiled".to_owned()))?;
    let launch = Launch {
        module: &MODULE,
        kernel: &KERNEL,
        arguments,
        targets: &[],
        trips: [threads, 1, 1],
        gangs: 0,
        grid: [(threads as u64).div_ceil(u64::from(BLOCK)).clamp(1, 1 << 20) as u32, 1, 1],
        block: [BLOCK.min(loaded.function.block_threads), 1, 1],
        shared_bytes: 0,
    };
    let name = Name(if encodes { c"compress" } else { c"decompress" }.as_ptr());
    let label =
        Label { work: Work::Kernel, place: task.place, line: 0, name, bytes: 0, queue: task.queue.value };
    let device = &*task.state.device;
    task.state.profile.timed(device, queue, label, || {
        // SAFETY: the callers' memory is as large as the piece says, and the arguments are the kernel's.
        unsafe { device.launch(queue, &loaded.function, &launch) }
    })
}

static KERNEL: Kernel = Kernel {
    site: std::ptr::null(),
    cpu: None,
    flags: kernel_flags::GANGS,
    n_dims: 0,
    grid: [0; 3],
    n_variants: 0,
    variants: std::ptr::null(),
    n_args: 0,
    n_reductions: 0,
    args: std::ptr::null(),
    reductions: std::ptr::null(),
};

/// By `double`, and then by whether it encodes.
static VARIANTS: [Variant; 4] = [
    version(c"accl_decode_float"),
    version(c"accl_decode_double"),
    version(c"accl_encode_float"),
    version(c"accl_encode_double"),
];

const fn version(symbol: &'static CStr) -> Variant {
    Variant { symbol: symbol.as_ptr(), needs: 0, block: [BLOCK, 1, 1], per_thread: [1; 3], shared_bytes: 0 }
}

static MODULE: Module = Module {
    abi_version: ABI_VERSION,
    n_images: 0,
    file: c"(compression)".as_ptr(),
    cuda: CUDA.as_ptr().cast(),
    opencl: OPENCL.as_ptr().cast(),
    images: std::ptr::null(),
};

const CUDA: &str = concat!(include_str!("kernels/codec.cu"), "\0");
const OPENCL: &str = concat!(include_str!("kernels/codec.cl"), "\0");
