//! What the rest of the runtime asks of a device, and the three devices there are.
//!
//! A device address is a 64-bit number. On CUDA and on the cpu it is a real address; OpenCL has
//! none, so that device gives out numbers from a range of its own and finds the buffer behind
//! them. Work goes to queues: in-order lists of operations, numbered from 0, the sync queue.
//!
//! The contract of time: every operation that takes a queue may return before it is done.
//! Operations of one queue happen in order; `order_after` relates two queues. **What an operation
//! writes to host memory is there after `finish` of its queue, or once `finished` said true**, not
//! before. What an operation reads from host memory it has read when it returns.
//!
//! Invariants: an implementation holds no lock while it waits for the device; it may be called
//! from any thread; errors are returned with the device's own words in them, and say nothing of
//! the user's program, which is the caller's part.

pub mod cpu;
pub mod cuda;
pub mod opencl;
mod queue_list;

pub mod energy;
mod library;
mod short;
pub(crate) mod thread_pool;

use crate::config::config;
use crate::error::Result;
use accl_abi::{Kernel, Module, Variant};
use std::ffi::c_void;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// The kinds of device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Kind {
    Cuda,
    OpenCl,
    Cpu,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Cuda, Kind::OpenCl, Kind::Cpu];

    /// The name used in logs and messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Cuda => "CUDA",
            Kind::OpenCl => "OpenCL",
            Kind::Cpu => "CPU",
        }
    }

    /// The value of `acc_device_t` in openacc.h.
    pub fn openacc_code(self) -> i32 {
        match self {
            Kind::Cuda => 4,
            Kind::OpenCl => 7,
            Kind::Cpu => 2,
        }
    }
}

/// What is known of a device before it is used.
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    pub kind: Kind,
    /// Position among the devices of its kind.
    pub number: usize,
    pub name: String,
    pub vendor: String,
    pub driver: String,
    /// Bytes; 0 where unknown.
    pub memory: u64,
    /// Multiprocessors, compute units or threads.
    pub compute_units: u32,
    /// Bytes of the cache that all of them share; 0 where unknown.
    pub cache: u64,
    /// "sm_90", an OpenCL version, or the machine's architecture.
    pub architecture: String,
    /// True for a device that is not the host's processor.
    pub is_accelerator: bool,
}

/// One line of `accl devices`: a device, or why there is none of a kind.
#[derive(Clone, Debug)]
pub enum Probe {
    Usable(DeviceInfo),
    Absent { kind: Kind, reason: String },
}

/// Looks for devices of every kind without starting any.
pub fn probe_all() -> Vec<Probe> {
    Kind::ALL
        .into_iter()
        .flat_map(|kind| match probe(kind) {
            Ok(found) => found.iter().cloned().map(Probe::Usable).collect(),
            Err(reason) => vec![Probe::Absent { kind, reason: reason.to_string() }],
        })
        .collect()
}

/// The devices of one kind, or why there are none. Never an empty list.
pub fn probe(kind: Kind) -> Result<Vec<DeviceInfo>> {
    match kind {
        Kind::Cuda => cuda::probe(),
        Kind::OpenCl => opencl::probe(),
        Kind::Cpu => Ok(vec![cpu::info()]),
    }
}

/// Starts a device.
pub fn open(info: &DeviceInfo) -> Result<Box<dyn Device>> {
    Ok(match info.kind {
        Kind::Cuda => Box::new(cuda::CudaDevice::open(info, config())?),
        Kind::OpenCl => Box::new(opencl::OpenClDevice::open(info, config())?),
        Kind::Cpu => Box::new(cpu::CpuDevice::open(config())),
    })
}

/// An in-order queue of a device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct QueueId(pub u32);

/// Where constructs without `async` go; every device has it from the start.
pub const SYNC_QUEUE: QueueId = QueueId(0);

/// What a launch may ask of a device.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub block_threads: u32,
    pub grid: [u32; 3],
    /// Threads that run at once.
    pub resident_threads: u64,
    /// Bytes of memory that a block has for itself.
    pub block_memory: u64,
    /// Warps multiply matrices of doubles.
    pub tensor_f64: bool,
    /// Blocks of a cluster wait for each other and read each other's shared memory.
    pub clusters: bool,
}

/// A kernel ready to run on a device. `raw` is the device's own handle.
#[derive(Debug)]
pub struct Function {
    pub raw: usize,
    /// The largest block this kernel can be launched with.
    pub block_threads: u32,
    /// The variant's name in the device source.
    pub symbol: String,
    /// It may be put on a stream to start while the kernel before it ends: it waits for that one itself.
    pub awaits: bool,
    /// It has two more parameters, see [`needs::SPLITS`](accl_abi::needs::SPLITS).
    pub splits: bool,
    /// The address on the device of what the variant measures; 0 where it measures nothing.
    pub measured: u64,
    /// What the cpu device has learnt of the time of an iteration.
    pub cost: AtomicU64,
}

/// An argument with its address on the device.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// `base` is the address the kernel indexes from, which may lie outside of every allocation;
    /// `inside` lies in the allocation the argument is a part of, or is 0 where there is none.
    Data {
        base: u64,
        inside: u64,
    },
    /// One of the launch's values, of so many bytes.
    Value {
        size: u32,
    },
    /// The first `size` of these bytes.
    Number {
        bytes: [u8; 8],
        size: u32,
    },
    /// Position among the reductions of the launch.
    Reduction(u32),
    Trips(i64),
}

/// Where a reduction's variable is.
#[derive(Clone, Copy, Debug)]
pub enum ReductionTarget {
    /// In host memory: read and written by the time the queue is finished. A launch that follows on
    /// the same queue with the same variable begins with this one's result.
    Host(*mut c_void),
    /// In device memory.
    Device(u64),
}

/// One launch, resolved.
pub struct Launch<'a> {
    pub module: &'static Module,
    pub kernel: &'static Kernel,
    pub arguments: &'a [Argument],
    /// The addresses of arguments that are values, each where its argument is; no more are needed.
    pub values: &'a [*const c_void],
    pub targets: &'a [ReductionTarget],
    pub trips: [i64; 3],
    /// num_gangs; 0: not given.
    pub gangs: i64,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared_bytes: u32,
}

impl Launch<'_> {
    /// What the kernel's parameters are to be read from, where arrays are passed as addresses; null for a reduction.
    #[inline]
    pub fn parameters(&self) -> impl Iterator<Item = *mut c_void> {
        self.arguments.iter().enumerate().map(|(at, argument)| match argument {
            Argument::Data { base, .. } => address(base),
            Argument::Trips(trips) => address(trips),
            Argument::Number { bytes, .. } => address(bytes),
            Argument::Value { .. } => self.values[at].cast_mut(),
            Argument::Reduction(_) => std::ptr::null_mut(),
        })
    }
}

/// The address of a parameter, which is only read.
#[inline]
fn address<T>(parameter: &T) -> *mut c_void {
    std::ptr::from_ref(parameter).cast_mut().cast()
}

/// A moment on a queue, for the profile.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    Host(Instant),
    /// An event of the device, owned by whoever holds the mark; `elapsed` gives it back.
    Event(usize),
}

/// A rectangle of bytes: `rows` runs of `width`, with the distance between starts on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    pub width: usize,
    pub rows: usize,
    pub pitch: usize,
}

/// Writes or reads a part of a transfer: the bytes from the first number on, at the address, so many.
pub type Make<'a> = &'a mut dyn FnMut(usize, *mut u8, usize);

/// The bytes of a part where the device has no sizes of its own: a few megabytes, whole units.
fn part_of_units(bytes: usize, unit: usize) -> usize {
    const PART: usize = 4 << 20;
    (PART.min(bytes) / unit * unit).max(unit)
}

/// A device in use. See the module's documentation for when effects are visible.
pub trait Device: Send + Sync {
    fn info(&self) -> &DeviceInfo;
    fn limits(&self) -> Limits;
    /// True where device addresses are host addresses and no data is ever copied.
    fn shares_host_memory(&self) -> bool {
        false
    }
    /// The driver knows the address as one of device memory, whoever allocated it.
    fn is_own_address(&self, _address: u64) -> bool {
        false
    }
    /// The host's pointer to device memory, where the two are the same and work is done when it returns.
    fn host_address(&self, _address: u64) -> Option<*mut u8> {
        None
    }
    /// Bytes of free device memory, or 0 where unknown.
    fn free_memory(&self) -> u64;

    // memory.rs
    fn allocate(&self, bytes: usize) -> Result<u64>;
    /// # Safety
    /// `address` came from `allocate` with as many bytes, and no work uses it any more.
    unsafe fn release(&self, address: u64, bytes: usize) -> Result<()>;
    /// # Safety
    /// `from` is readable, and `to` lies in an allocation, for `bytes`.
    unsafe fn upload(&self, queue: QueueId, to: u64, from: *const u8, bytes: usize) -> Result<()>;
    /// # Safety
    /// `to` is writable until the queue is finished, and `from` lies in an allocation, for `bytes`.
    unsafe fn download(&self, queue: QueueId, from: u64, to: *mut u8, bytes: usize) -> Result<()>;
    /// # Safety
    /// Both lie in allocations, for `bytes`.
    unsafe fn copy(&self, queue: QueueId, to: u64, from: u64, bytes: usize) -> Result<()>;
    /// Copies from one device to another, one of which is this one, and says whether that was possible.
    /// # Safety
    /// Both lie in allocations of their devices, for `bytes`.
    unsafe fn copy_between(
        &self,
        _queue: QueueId,
        _to: (&dyn Device, u64),
        _from: (&dyn Device, u64),
        _bytes: usize,
    ) -> Result<bool> {
        Ok(false)
    }
    /// # Safety
    /// `to` lies in an allocation, for `bytes`.
    unsafe fn fill(&self, queue: QueueId, to: u64, byte: u8, bytes: usize) -> Result<()>;
    /// Uploads what `make` writes: of all the bytes those from a number on, so many, to memory of the device's choice.
    /// Parts begin at multiples of `unit`; one is made while others are on their way.
    /// # Safety
    /// `to` lies in an allocation, for `bytes`.
    unsafe fn upload_made(
        &self,
        queue: QueueId,
        to: u64,
        bytes: usize,
        unit: usize,
        make: Make,
    ) -> Result<()> {
        let size = part_of_units(bytes, unit);
        let mut buffer = vec![0u64; size.div_ceil(8)];
        for begin in (0..bytes).step_by(size) {
            let part = size.min(bytes - begin);
            let there = buffer.as_mut_ptr().cast();
            make(begin, there, part);
            // SAFETY: the caller's promise; an upload has read its source when it returns.
            unsafe { self.upload(queue, to + begin as u64, there, part)? };
        }
        Ok(())
    }
    /// The other way round: `take` gets each part when it has arrived. All are there when this returns.
    /// # Safety
    /// `from` lies in an allocation, for `bytes`.
    unsafe fn download_taken(
        &self,
        queue: QueueId,
        from: u64,
        bytes: usize,
        unit: usize,
        take: Make,
    ) -> Result<()> {
        let size = part_of_units(bytes, unit);
        let mut buffer = vec![0u64; size.div_ceil(8)];
        for begin in (0..bytes).step_by(size) {
            let part = size.min(bytes - begin);
            let there = buffer.as_mut_ptr().cast();
            // SAFETY: the caller's promise; the buffer stays until the queue is finished.
            unsafe { self.download(queue, from + begin as u64, there, part)? };
            self.finish(queue)?;
            take(begin, there, part);
        }
        Ok(())
    }
    /// Uploads a rectangle; both sides have the same pitch.
    /// # Safety
    /// As `upload`, for every run.
    unsafe fn upload_rectangle(
        &self,
        queue: QueueId,
        to: u64,
        from: *const u8,
        shape: Rectangle,
    ) -> Result<()> {
        for row in 0..shape.rows {
            let skip = row * shape.pitch;
            // SAFETY: the caller's promise for this run.
            unsafe { self.upload(queue, to + skip as u64, from.add(skip), shape.width)? };
        }
        Ok(())
    }
    /// Downloads a rectangle; both sides have the same pitch.
    /// # Safety
    /// As `download`, for every run.
    unsafe fn download_rectangle(
        &self,
        queue: QueueId,
        from: u64,
        to: *mut u8,
        shape: Rectangle,
    ) -> Result<()> {
        for row in 0..shape.rows {
            let skip = row * shape.pitch;
            // SAFETY: the caller's promise for this run.
            unsafe { self.download(queue, from + skip as u64, to.add(skip), shape.width)? };
        }
        Ok(())
    }

    // queue.rs
    fn new_queue(&self) -> Result<QueueId>;
    /// Uses a queue of the user's (a CUstream) from now on; an error where that is not possible.
    fn adopt_queue(&self, native: *mut c_void) -> Result<QueueId>;
    fn native_queue(&self, queue: QueueId) -> *mut c_void;
    fn finish(&self, queue: QueueId) -> Result<()>;
    fn finished(&self, queue: QueueId) -> Result<bool>;
    /// What is put on `later` from now on waits for what is on `earlier` now.
    fn order_after(&self, later: QueueId, earlier: QueueId) -> Result<()>;
    fn mark(&self, queue: QueueId) -> Result<Mark>;
    /// Lets the queue rest for some tens of microseconds. What is enqueued meanwhile runs without gaps between, so that marks around a
    /// short kernel do not tell how long the host took to start it. Does nothing where marks tell the kernel's own time.
    fn rest(&self, _: QueueId) -> Result<()> {
        Ok(())
    }
    /// Marks can be read although the user wants no times.
    fn has_marks(&self) -> bool {
        true
    }
    /// Seconds between two moments that have passed.
    fn elapsed(&self, from: Mark, to: Mark) -> Result<f64>;
    /// Gives the resources of a mark back.
    fn forget(&self, mark: Mark);

    // module.rs
    fn function(
        &self,
        module: &'static Module,
        kernel: &'static Kernel,
        variant: &'static Variant,
    ) -> Result<Function>;

    // launch/
    /// Blocks that run at the same time on the whole device.
    fn resident_blocks(&self, function: &Function, block_threads: u32, shared_bytes: u32) -> u32;
    /// # Safety
    /// Addresses among the arguments are valid for what the kernel does with them, and the values
    /// and reduction targets are as the kernel's table says.
    unsafe fn launch(&self, queue: QueueId, function: &Function, launch: &Launch) -> Result<()>;

    /// To be called before device addresses are put into device memory; an error where kernels
    /// cannot follow them.
    fn prepare_for_pointers(&self) -> Result<()> {
        Ok(())
    }

    /// On the cpu device, the threads that take part in a launch.
    fn threads_for(&self, _: &Kernel, _: &[i64; 3], _: i64) -> u32 {
        1
    }

    /// Device, context: for libraries that work beside the runtime. Null where there is none.
    fn native_handles(&self) -> (*mut c_void, *mut c_void) {
        (std::ptr::null_mut(), std::ptr::null_mut())
    }
}
