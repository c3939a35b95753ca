//! The runtime's own kernels, which encode and decode on a GPU: their text, compiled at its first use, and their launch.
//!
//! The text is one for both languages, after a prelude with what these spell differently. [`convert`] says what the
//! kernels of arrays with a range, and of half and bfloat, take, [`super::block::on_device`] those of block arrays.

pub mod convert;

use crate::call::CallContext;
use crate::device::{Argument, Launch, QueueId};
use crate::error::Result;
use crate::functions::{Loaded, try_load};
use crate::location::Name;
use crate::profile::{Label, Work};
use accl_abi::{ABI_VERSION, Kernel, Module, Variant, kernel_flags};
use std::ffi::CStr;

const BLOCK: u32 = 256;

/// What a kernel does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Decode,
    Encode,
    /// Encodes numbers that were decoded once, and finds their bits again.
    Reencode,
    DecodeBlock,
    EncodeBlock,
    DecodeFloating,
    ReencodeFloating,
}

/// One of the kernels that the runtime has built in.
#[derive(Clone, Copy)]
pub struct BuiltInKernel {
    pub step: Step,
    pub double: bool,
}

impl BuiltInKernel {
    fn position(self) -> usize {
        usize::from(self.double) + 2 * self.step as usize
    }

    fn module(self) -> &'static Module {
        match self.step {
            Step::Decode | Step::Encode | Step::Reencode => &RANGES,
            Step::DecodeBlock | Step::EncodeBlock => &BLOCKS,
            Step::DecodeFloating | Step::ReencodeFloating => &FLOATING,
        }
    }

    /// Its name in the profile.
    fn name(self) -> Name {
        Name(match self.step {
            Step::Decode | Step::DecodeBlock | Step::DecodeFloating => c"decompress".as_ptr(),
            Step::Encode | Step::Reencode | Step::EncodeBlock | Step::ReencodeFloating => {
                c"compress".as_ptr()
            }
        })
    }

    /// The compiled kernel; it is compiled when it is first needed.
    pub fn load(self, call: &CallContext) -> Result<&'static Loaded> {
        let position = self.position();
        try_load(call, self.module(), &KERNEL, position as u32, &VERSIONS[position])
    }

    /// Puts it on a queue, for so many threads; it strides where these do not fit a grid.
    ///
    /// The arguments are the kernel's, and the memory that they point to as large as they say.
    pub fn start(
        self,
        call: &CallContext,
        queue: QueueId,
        threads: u64,
        arguments: &[Argument],
    ) -> Result<()> {
        let loaded = self.load(call)?;
        let block = BLOCK.min(loaded.function.block_threads);
        let launch = Launch {
            values: &[],
            module: self.module(),
            kernel: &KERNEL,
            arguments,
            targets: &[],
            trips: [threads as i64, 1, 1],
            gangs: 0,
            grid: [threads.div_ceil(u64::from(block)).clamp(1, 1 << 20) as u32, 1, 1],
            block: [block, 1, 1],
            shared_bytes: 0,
        };
        let label = Label {
            work: Work::Kernel,
            location: call.location,
            line: 0,
            name: self.name(),
            variant: None,
            kernel: None,
            bytes: 0,
            predicted: 0.0,
            queue: call.queue.value,
        };
        let device = &*call.state.device;
        call.state.profile.timed(device, queue, label, || {
            // SAFETY: the callers' memory is as large as their arguments say, and the arguments are the kernel's.
            unsafe { device.launch(queue, &loaded.function, &launch) }
        })
    }
}

static KERNEL: Kernel = Kernel {
    site: std::ptr::null(),
    cpu: None,
    cpu_apart: None,
    flags: kernel_flags::GANGS,
    n_dims: 0,
    grid: [0; 3],
    n_variants: 0,
    variants: std::ptr::null(),
    n_args: 0,
    n_reductions: 0,
    args: std::ptr::null(),
    reductions: std::ptr::null(),
    n_indirect_pointers: 0,
    obstacle: std::ptr::null(),
    indirect_pointers: std::ptr::null(),
};

/// The kernels, each at its [`BuiltInKernel::position`].
static VERSIONS: [Variant; 14] = [
    version(c"accl_decode_float"),
    version(c"accl_decode_double"),
    version(c"accl_encode_float"),
    version(c"accl_encode_double"),
    version(c"accl_reencode_float"),
    version(c"accl_reencode_double"),
    version(c"accl_decode_block_float"),
    version(c"accl_decode_block_double"),
    version(c"accl_encode_block_float"),
    version(c"accl_encode_block_double"),
    version(c"accl_decode_floating_float"),
    version(c"accl_decode_floating_double"),
    version(c"accl_reencode_floating_float"),
    version(c"accl_reencode_floating_double"),
];

const fn version(symbol: &'static CStr) -> Variant {
    Variant {
        symbol: symbol.as_ptr(),
        needs: 0,
        block: [BLOCK, 1, 1],
        per_thread: [1; 3],
        shared_bytes: 0,
        femtoseconds: 0,
    }
}

/// A module of these texts.
macro_rules! module {
    ($name:literal, $($text:literal),+) => {
        Module {
            abi_version: ABI_VERSION,
            n_images: 0,
            file: $name.as_ptr(),
            cuda: concat!(
                include_str!("prelude.cu"),
                $(include_str!($text),)+
                "\0"
            )
            .as_ptr()
            .cast(),
            opencl: concat!(
                include_str!("prelude.cl"),
                $(include_str!($text),)+
                "\0"
            )
            .as_ptr()
            .cast(),
            images: std::ptr::null(),
        }
    };
}

static RANGES: Module = module!(c"(compression)", "words.inc", "ranges.inc");
static BLOCKS: Module = module!(c"(block arrays)", "words.inc", "blocks.inc");
static FLOATING: Module = module!(c"(half and bfloat arrays)", "floating.inc");
