//! One launch: parameters are set, reductions are given their buffers, the kernel is enqueued.
//!
//! Parameters of the kernel, in the order of the arguments: an array is `__global T *buf` and
//! `long off`, so that `(T *)((__global char *)buf + off)` is its base; a value is itself; a trip
//! count is a `long`; a reduction is `__global T *result`, `__global T *partials` and
//! `__global unsigned *arrivals`.

use super::api::{Handle, check};
use super::memory::{Spot, copy_spots, create, fill_spot};
use super::module::KernelObject;
use super::{OpenClDevice, QueueId};
use crate::device::{Argument, Function, Launch, Target};
use crate::error::Result;
use crate::reduction;
use accl_abi::slice;
use std::ffi::c_void;

/// Buffers of one reduction of a queue's launches, one launch after the other.
#[derive(Clone, Copy)]
pub struct Scratch {
    result: Handle,
    arrivals: Handle,
    partials: Handle,
    partials_bytes: usize,
}

// SAFETY: OpenCL objects may be used from any thread.
unsafe impl Send for Scratch {}

fn spot(buffer: Handle) -> Spot {
    Spot { buffer, start: 0, offset: 0 }
}

/// # Safety
/// As for `Device::launch`.
pub unsafe fn run(
    device: &OpenClDevice,
    queue_id: QueueId,
    function: &Function,
    launch: &Launch,
) -> Result<()> {
    // SAFETY: `module::function` made `raw` of a kernel object that lives for ever.
    let object = unsafe { &*(function.raw as *const KernelObject) };
    // SAFETY: the kernel's table.
    let reductions = unsafe { slice(launch.kernel.reductions, launch.kernel.n_reductions) };
    let queue = device.queues.get(queue_id)?;
    // Held until the kernel is enqueued: the buffers are used by one launch after the other.
    let mut scratch = queue.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let blocks = launch.grid.iter().map(|extent| *extent as usize).product::<usize>();
    for (r, one) in reductions.iter().enumerate() {
        let size = reduction::size(*one);
        prepare(device, queue_id, &mut scratch, r, size * blocks)?;
        let result = spot(scratch[r].result);
        match launch.targets[r] {
            Target::Host(variable) => send_value(device, queue.handle, result.buffer, variable, size)?,
            Target::Device(address) => {
                copy_spots(device, queue_id, result, device.memory.find(address)?, size)?
            }
        }
    }

    let kernel = object.handle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // SAFETY: the kernel's lock is held; arguments are as the kernel's table says.
    unsafe { set_arguments(device, *kernel as Handle, launch, &scratch)? };
    let local: [usize; 3] = std::array::from_fn(|d| launch.block[d] as usize);
    let global: [usize; 3] = std::array::from_fn(|d| launch.grid[d] as usize * local[d]);
    queue.busy();
    // SAFETY: three dimensions each.
    let code = unsafe {
        (device.api.clEnqueueNDRangeKernel)(
            queue.handle,
            *kernel as Handle,
            3,
            std::ptr::null(),
            global.as_ptr(),
            local.as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueNDRangeKernel")?;
    drop(kernel);

    for (r, one) in reductions.iter().enumerate() {
        let (size, result) = (reduction::size(*one), spot(scratch[r].result));
        match launch.targets[r] {
            Target::Host(variable) => read_result(device, queue.handle, result.buffer, variable, size)?,
            Target::Device(address) => {
                copy_spots(device, queue_id, device.memory.find(address)?, result, size)?
            }
        }
    }
    // Starts the work; the host may not come back for a while.
    // SAFETY: a live queue.
    check(unsafe { (device.api.clFlush)(queue.handle) }, "clFlush")
}

fn read_result(
    device: &OpenClDevice,
    queue: Handle,
    result: Handle,
    variable: *mut c_void,
    size: usize,
) -> Result<()> {
    // SAFETY: the variable lives until the queue is finished.
    let code = unsafe {
        (device.api.clEnqueueReadBuffer)(
            queue,
            result,
            0,
            0,
            size,
            variable,
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueReadBuffer")
}

/// The value is read when its turn comes on the queue, so that a launch begins with the result of
/// the one before it, which may be on its way to the same variable.
fn send_value(
    device: &OpenClDevice,
    queue: Handle,
    result: Handle,
    variable: *mut c_void,
    size: usize,
) -> Result<()> {
    // SAFETY: the variable lives until the queue is finished.
    let code = unsafe {
        (device.api.clEnqueueWriteBuffer)(
            queue,
            result,
            0,
            0,
            size,
            variable,
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueWriteBuffer")
}

/// Makes the buffers of reduction `r`, with room for so many bytes of partial results.
fn prepare(
    device: &OpenClDevice,
    queue: QueueId,
    scratch: &mut Vec<Scratch>,
    r: usize,
    bytes: usize,
) -> Result<()> {
    let (api, context) = (device.api, device.context);
    if r == scratch.len() {
        let arrivals = create(api, context, 4)?;
        fill_spot(device, queue, spot(arrivals), &[0; 4], 4)?;
        let partials_bytes = bytes.max(4096);
        let partials = create(api, context, partials_bytes)?;
        scratch.push(Scratch { result: create(api, context, 8)?, arrivals, partials, partials_bytes });
    }
    let one = &mut scratch[r];
    if one.partials_bytes < bytes {
        // SAFETY: OpenCL keeps the buffer until the commands that use it are done.
        check(unsafe { (api.clReleaseMemObject)(one.partials) }, "clReleaseMemObject")?;
        one.partials_bytes = bytes.next_power_of_two();
        one.partials = create(api, context, one.partials_bytes)?;
    }
    Ok(())
}

/// # Safety
/// Values are readable for their sizes, and the kernel's lock is held.
unsafe fn set_arguments(
    device: &OpenClDevice,
    kernel: Handle,
    launch: &Launch,
    scratch: &[Scratch],
) -> Result<()> {
    let mut position = 0;
    let mut set = |size: usize, value: *const c_void| {
        // SAFETY: the value is readable for its size.
        let code = unsafe { (device.api.clSetKernelArg)(kernel, position, size, value) };
        position += 1;
        check(code, "clSetKernelArg")
    };
    for argument in launch.arguments {
        match *argument {
            Argument::Data { base, inside } => {
                let (buffer, start) = if inside == 0 {
                    (std::ptr::null_mut(), base)
                } else {
                    let spot = device.memory.find(inside)?;
                    (spot.buffer, spot.start)
                };
                let distance = base.wrapping_sub(start) as i64;
                set(size_of::<Handle>(), (&raw const buffer).cast())?;
                set(8, (&raw const distance).cast())?;
            }
            Argument::Value { address, size } => set(size as usize, address)?,
            Argument::Trips(trips) => set(8, (&raw const trips).cast())?,
            Argument::Reduction(r) => {
                let one = scratch[r as usize];
                for buffer in [one.result, one.partials, one.arrivals] {
                    set(size_of::<Handle>(), (&raw const buffer).cast())?;
                }
            }
        }
    }
    Ok(())
}
