//! One launch: parameters are laid out on the stack, reductions get their buffers, and the kernel
//! is put on the stream.
//!
//! Parameters of the kernel, in the order of the arguments: an array is its base's device address;
//! a value is itself; a trip count is an `int64_t`; a reduction is `T *result, T *partials,
//! unsigned *arrivals`. A result that the host wants is in pinned memory that the kernel's last
//! block reads and writes directly, which is faster than a copy behind the kernel.

use super::api::{Api, Handle};
use super::memory::allocate;
use super::queue::{Arrival, Queue};
use super::staging::pinned;
use super::{CudaDevice, QueueId};
use crate::device::{Argument, Function, Launch, Target};
use crate::error::{DeviceError, Result};
use crate::reduction;
use accl_abi::slice;
use std::ffi::c_void;

/// Parameters that need no heap.
const USUAL: usize = 32;
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
            // SAFETY: memory just allocated.
            let code = unsafe { (api.cuMemsetD8Async)(self.arrivals, 0, MOST_REDUCTIONS * 4, stream) };
            api.check(code, "cuMemsetD8Async")?;
        }
        Ok(self.arrivals + r as u64 * 4)
    }

    /// Room for the partial results of reduction `r`.
    fn partials(&mut self, api: &Api, r: usize, bytes: usize) -> Result<u64> {
        if r >= self.partials.len() {
            self.partials.resize(r + 1, (0, 0));
        }
        let (address, room) = self.partials[r];
        if room >= bytes {
            return Ok(address);
        }
        if address != 0 {
            // SAFETY: freeing waits for the kernels that use it.
            api.check(unsafe { (api.cuMemFree)(address) }, "cuMemFree")?;
        }
        let room = bytes.next_power_of_two().max(64 << 10);
        self.partials[r] = (allocate(api, room)?, room);
        Ok(self.partials[r].0)
    }
}

/// The parameters of a launch: what is passed by value, and where each parameter is.
struct Parameters {
    values: [u64; USUAL],
    addresses: [*mut c_void; USUAL],
    count: usize,
    more: Vec<(Box<u64>, *mut c_void)>,
}

/// # Safety
/// As for `Device::launch`.
pub unsafe fn run(device: &CudaDevice, id: QueueId, function: &Function, launch: &Launch) -> Result<()> {
    let queue = device.queues.get(id)?;
    let mut parameters = Parameters {
        values: [0; USUAL],
        addresses: [std::ptr::null_mut(); USUAL],
        count: 0,
        more: Vec::new(),
    };
    // Held until the kernel is on the stream: until then nothing else keeps its buffers.
    let lock = || queue.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut scratch = (launch.kernel.n_reductions > 0).then(lock);
    let mut results = Vec::new();
    for argument in launch.arguments {
        match (*argument, &mut scratch) {
            (Argument::Data { base, .. }, _) => parameters.push(base),
            (Argument::Trips(trips), _) => parameters.push(trips as u64),
            (Argument::Value { address, .. }, _) => parameters.push_address(address.cast_mut()),
            (Argument::Reduction(r), Some(scratch)) => {
                // SAFETY: the target is as the kernel's table says.
                let values = unsafe { reduce(device, queue, scratch, launch, r as usize, &mut results)? };
                values.into_iter().for_each(|value| parameters.push(value));
            }
            (Argument::Reduction(_), None) => {
                return Err(DeviceError::new("the kernel's table has no such reduction"));
            }
        }
    }
    let mut addresses = parameters.addresses();
    let [grid_x, grid_y, grid_z] = launch.grid;
    let [block_x, block_y, block_z] = launch.block;
    // SAFETY: a function of this context; parameters as its source declares them.
    let code = unsafe {
        (device.api.cuLaunchKernel)(
            function.raw as Handle,
            grid_x,
            grid_y,
            grid_z,
            block_x,
            block_y,
            block_z,
            launch.shared_bytes,
            queue.stream,
            addresses.pointer(),
            std::ptr::null_mut(),
        )
    };
    device.api.check(code, "cuLaunchKernel")?;
    drop(scratch);
    results.into_iter().for_each(|result| queue.expect(result));
    Ok(())
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
        Target::Device(address) => address,
        Target::Host(variable) => {
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

/// The list the driver wants.
enum Addresses<'a> {
    Usual(&'a mut [*mut c_void]),
    Many(Vec<*mut c_void>),
}

impl Addresses<'_> {
    fn pointer(&mut self) -> *mut *mut c_void {
        match self {
            Addresses::Usual(list) => list.as_mut_ptr(),
            Addresses::Many(list) => list.as_mut_ptr(),
        }
    }
}

impl Parameters {
    fn push(&mut self, value: u64) {
        if self.count < USUAL {
            self.values[self.count] = value;
            // A null address stands for the value beside it, which may still move with `self`.
            self.count += 1;
        } else {
            let mut value = Box::new(value);
            let address = (&raw mut *value).cast();
            self.more.push((value, address));
        }
    }

    fn push_address(&mut self, address: *mut c_void) {
        if self.count < USUAL {
            self.addresses[self.count] = address;
            self.count += 1;
        } else {
            self.more.push((Box::new(0), address));
        }
    }

    fn addresses(&mut self) -> Addresses<'_> {
        for i in 0..self.count {
            if self.addresses[i].is_null() {
                self.addresses[i] = (&raw mut self.values[i]).cast();
            }
        }
        if self.more.is_empty() {
            return Addresses::Usual(&mut self.addresses[..self.count]);
        }
        let more = self.more.iter().map(|(_, address)| *address);
        Addresses::Many(self.addresses[..self.count].iter().copied().chain(more).collect())
    }
}
