//! One launch: parameters are laid out on the stack, reductions get their buffers, and the kernel
//! is put on the stream.
//!
//! Parameters of the kernel, in the order of the arguments: an array is its base's device address;
//! a value is itself; a trip count is an `int64_t`; a reduction is `T *result, T *partials,
//! unsigned *arrivals`. A result that the host wants is in pinned memory that the kernel's last
//! block reads and writes directly, which is faster than a copy after the kernel.
//!
//! Kernels that wait for the one before them by themselves are launched while that one ends (programmatic dependent
//! launch; CUDA driver API, `CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION`).

use super::api::{Api, Handle, LaunchConfig, MAY_OVERLAP};
use super::arrivals::Arrival;
use super::memory::allocate;
use super::queue::Queue;
use super::staging::pinned;
use super::{CudaDevice, QueueId};
use crate::device::short::Short;
use crate::device::{Argument, Function, Launch, ReductionTarget, address};
use crate::error::Result;
use crate::reduction;
use accl_abi::slice;
use smallvec::SmallVec;
use std::ffi::c_void;

/// Parameters of a kernel with reductions that need no heap.
const USUAL: usize = 32;
/// Reductions that need no heap.
const USUAL_REDUCTIONS: usize = 4;
/// Reductions of one launch; the arrival counters are allocated and zeroed once.
const MOST_REDUCTIONS: usize = 256;
/// Result slots in a page of pinned memory; each on a cache line of its own.
const SLOT: usize = 64;
const SLOTS: usize = 64;

/// Buffers for the reductions of a queue's launches, one launch after the other.
#[derive(Default)]
pub struct Scratch {
    arrivals: u64,
    /// Address and bytes, by reduction.
    partials: Vec<(u64, usize)>,
    /// Address and bytes of the counters of reductions by columns.
    columns: (u64, usize),
    /// Free result slots in pinned memory.
    slots: Vec<usize>,
}

impl Scratch {
    pub fn give_slot(&mut self, slot: *mut u8) {
        self.slots.push(slot as usize);
    }

    fn take_slot(&mut self, api: &Api) -> Result<*mut u8> {
        if self.slots.is_empty() {
            let page = pinned(api, SLOT * SLOTS)? as usize;
            self.slots.extend((0..SLOTS).rev().map(|i| page + i * SLOT));
        }
        Ok(self.slots.pop().unwrap_or_default() as *mut u8)
    }

    /// The address of reduction `r`'s arrival counter, zero between launches.
    fn counter(&mut self, api: &Api, stream: Handle, r: usize) -> Result<u64> {
        if self.arrivals == 0 {
            self.arrivals = allocate(api, MOST_REDUCTIONS * 4)?;
            zero(api, stream, self.arrivals, MOST_REDUCTIONS * 4)?;
        }
        Ok(self.arrivals + r as u64 * 4)
    }

    /// The address of counters, one for each block in x, of reductions by columns; zero between launches.
    fn column_counters(&mut self, api: &Api, stream: Handle, blocks: usize) -> Result<u64> {
        if grow(api, &mut self.columns, blocks * 4, 4096)? {
            zero(api, stream, self.columns.0, self.columns.1)?;
        }
        Ok(self.columns.0)
    }

    /// Room for the partial results of reduction `r`.
    fn partials(&mut self, api: &Api, r: usize, bytes: usize) -> Result<u64> {
        if r >= self.partials.len() {
            self.partials.resize(r + 1, (0, 0));
        }
        grow(api, &mut self.partials[r], bytes, 64 << 10)?;
        Ok(self.partials[r].0)
    }
}

/// Puts a larger buffer in the place of one (address and bytes) that is too small; false where it is not.
fn grow(api: &Api, buffer: &mut (u64, usize), bytes: usize, least: usize) -> Result<bool> {
    let (address, capacity) = *buffer;
    if capacity >= bytes {
        return Ok(false);
    }
    if address != 0 {
        // SAFETY: freeing waits for the kernels that use it.
        api.check(unsafe { (api.cuMemFree)(address) }, "cuMemFree")?;
    }
    let capacity = bytes.next_power_of_two().max(least);
    *buffer = (allocate(api, capacity)?, capacity);
    Ok(true)
}

/// Sets memory that was just allocated to zero.
fn zero(api: &Api, stream: Handle, address: u64, bytes: usize) -> Result<()> {
    // SAFETY: the memory has so many bytes, and nothing uses it yet.
    api.check(unsafe { (api.cuMemsetD8Async)(address, 0, bytes, stream) }, "cuMemsetD8Async")
}

/// # Safety
/// As for `Device::launch`.
#[inline]
pub unsafe fn run(device: &CudaDevice, id: QueueId, function: &Function, launch: &Launch) -> Result<()> {
    let queue = device.queues.get(id)?;
    if launch.kernel.n_reductions > 0 {
        // SAFETY: the caller's promise.
        return unsafe { run_reducing(device, queue, function, launch) };
    }
    let mut parameters = Short::new(launch.arguments.len() + OF_COLUMNS, std::ptr::null_mut());
    let parameters = parameters.items();
    for (slot, parameter) in parameters.iter_mut().zip(launch.parameters()) {
        *slot = parameter;
    }
    if function.splits {
        // SAFETY: the caller's promise.
        return unsafe { run_split(device, queue, function, launch, parameters) };
    }
    // SAFETY: the caller's promise.
    unsafe { put(device.api, queue.stream, function, launch, parameters) }
}

/// Parameters of kernels that reduce by columns, beside the arguments.
const OF_COLUMNS: usize = 2;
/// Bytes of the partial results of one column of a block: of as many reductions as there may be.
const COLUMN_BYTES: usize = 4 * 8;

/// As [`run`], of a kernel whose blocks reduce something together, by columns: `parameters` has room for its own.
///
/// # Safety
/// As for [`put`].
unsafe fn run_split(
    device: &CudaDevice,
    queue: &Queue,
    function: &Function,
    launch: &Launch,
    parameters: &mut [*mut c_void],
) -> Result<()> {
    // Held until the kernel is on the stream, as with reductions over the launch.
    let mut scratch = queue.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let blocks = launch.grid[0] as usize * launch.grid[1] as usize;
    let partials = scratch.partials(device.api, 0, blocks * launch.block[0] as usize * COLUMN_BYTES)?;
    let arrivals = scratch.column_counters(device.api, queue.stream, launch.grid[0] as usize)?;
    let own: [u64; OF_COLUMNS] = [partials, arrivals];
    for (slot, parameter) in parameters[launch.arguments.len()..].iter_mut().zip(&own) {
        *slot = address(parameter);
    }
    // SAFETY: the caller's promise.
    unsafe { put(device.api, queue.stream, function, launch, parameters) }
}

/// As [`run`], of a kernel with reductions.
///
/// # Safety
/// As for `Device::launch`.
unsafe fn run_reducing(
    device: &CudaDevice,
    queue: &Queue,
    function: &Function,
    launch: &Launch,
) -> Result<()> {
    // Held until the kernel is on the stream: until then nothing else keeps its buffers.
    let mut scratch = queue.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut results = Vec::new();
    let reductions = (0..launch.kernel.n_reductions as usize).map(|r| {
        // SAFETY: the target is as the kernel's table says.
        unsafe { reduce(device, queue, &mut scratch, launch, r, &mut results) }
    });
    let reductions = reductions.collect::<Result<SmallVec<[[u64; 3]; USUAL_REDUCTIONS]>>>()?;
    let mut parameters: SmallVec<[*mut c_void; USUAL]> = SmallVec::new();
    for (argument, parameter) in launch.arguments.iter().zip(launch.parameters()) {
        match argument {
            Argument::Reduction(r) => parameters.extend(reductions[*r as usize].iter().map(address)),
            _ => parameters.push(parameter),
        }
    }
    // SAFETY: the caller's promise.
    unsafe { put(device.api, queue.stream, function, launch, &mut parameters)? };
    drop(scratch);
    results.into_iter().for_each(|result| queue.expect(device, result));
    Ok(())
}

/// Puts a kernel on a stream.
///
/// # Safety
/// As for `Device::launch`; each of the function's `parameters` can be read there.
#[inline]
unsafe fn put(
    api: &Api,
    stream: Handle,
    function: &Function,
    launch: &Launch,
    parameters: &mut [*mut c_void],
) -> Result<()> {
    let parameters = parameters.as_mut_ptr();
    let none = std::ptr::null_mut();
    if let (true, Some(launch_kernel)) = (function.awaits, api.cuLaunchKernelEx) {
        let config = LaunchConfig {
            grid: launch.grid,
            block: launch.block,
            shared_bytes: launch.shared_bytes,
            stream,
            attributes: &raw const MAY_OVERLAP,
            count: 1,
        };
        // SAFETY: the caller's promise; the function is of this context.
        let code = unsafe { launch_kernel(&raw const config, function.raw as Handle, parameters, none) };
        return api.check(code, "cuLaunchKernelEx");
    }
    let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (launch.grid, launch.block);
    let bytes = launch.shared_bytes;
    let function = function.raw as Handle;
    // SAFETY: as above.
    let code = unsafe {
        (api.cuLaunchKernel)(
            function, grid_x, grid_y, grid_z, block_x, block_y, block_z, bytes, stream, parameters, none,
        )
    };
    api.check(code, "cuLaunchKernel")
}

/// Result, partials and arrivals of one reduction; what is to be brought to the host is added to
/// `results`.
///
/// # Safety
/// The reduction's target is as the kernel's table says.
unsafe fn reduce(
    device: &CudaDevice,
    queue: &Queue,
    scratch: &mut Scratch,
    launch: &Launch,
    r: usize,
    results: &mut Vec<Arrival>,
) -> Result<[u64; 3]> {
    // SAFETY: the kernel's table.
    let reductions = unsafe { slice(launch.kernel.reductions, launch.kernel.n_reductions) };
    let bytes = reduction::size(reductions[r]);
    let blocks: usize = launch.grid.iter().map(|extent| *extent as usize).product();
    let counter = scratch.counter(device.api, queue.stream, r)?;
    let partials = scratch.partials(device.api, r, blocks * bytes)?;
    let result = match launch.targets[r] {
        ReductionTarget::Device(address) => address,
        ReductionTarget::Host(variable) => {
            // A result on its way to the same variable is where this launch begins.
            if let Some(slot) = queue.expected_result(variable.cast()) {
                return Ok([slot as u64, partials, counter]);
            }
            let slot = scratch.take_slot(device.api)?;
            // SAFETY: the slot is free; the variable is the user's.
            unsafe { std::ptr::copy_nonoverlapping(variable.cast(), slot, bytes) };
            results.push(Arrival::Result { slot, to: variable.cast(), bytes });
            // Pinned memory has the same address on the host and on the device.
            slot as u64
        }
    };
    Ok([result, partials, counter])
}
