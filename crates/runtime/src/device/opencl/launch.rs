//! One launch: parameters are set, reductions are given their buffers, the kernel is enqueued.
//!
//! Parameters of the kernel, in the order of the arguments: an array is `__global T *buf` and
//! `long off`, so that `(T *)((__global char *)buf + off)` is its base; a value is itself; a trip
//! count is a `long`; a reduction is `__global T *result`, `__global T *partials` and
//! `__global unsigned *arrivals`. Behind them a kernel that may end the program has `__global int *stopped`.

use super::api::{Handle, KERNEL_EXEC_INFO_SVM_PTRS, check};
use super::memory::{Spot, copy_spots, create, fill_spot};
use super::module::KernelObject;
use super::{OpenClDevice, QueueId};
use crate::device::{Argument, Function, Launch, ReductionTarget};
use crate::error::{DeviceError, Result};
use crate::reduction;
use accl_abi::{kernel_flags, slice};
use std::ffi::c_void;
use std::sync::atomic::Ordering;

/// Buffers for the reductions of a queue's launches, one launch after the other.
#[derive(Default)]
pub struct Scratch {
    /// By position among a launch's reductions.
    reductions: Vec<ReductionBuffers>,
    /// Buffers of one value.
    free: Vec<Handle>,
    /// Host variables that a result is on its way to, and the buffer it is in: a launch with the
    /// same variable goes on from there.
    awaited: Vec<(usize, Handle)>,
    /// Where a kernel says that it wants the program to end; zero before that.
    stopped: Option<Handle>,
}

#[derive(Clone, Copy)]
struct ReductionBuffers {
    arrivals: Handle,
    partials: Handle,
    partials_bytes: usize,
}

// SAFETY: OpenCL objects may be used from any thread.
unsafe impl Send for Scratch {}

impl Scratch {
    /// The buffers of results that a wait about to begin will bring to the host.
    pub fn take_awaited(&mut self) -> Vec<(usize, Handle)> {
        std::mem::take(&mut self.awaited)
    }

    /// Gives those buffers back after the wait.
    pub fn give_back(&mut self, brought: Vec<(usize, Handle)>) {
        self.free.extend(brought.into_iter().map(|(_, buffer)| buffer));
    }
}

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
    let mut results = Vec::with_capacity(reductions.len());
    for (r, one) in reductions.iter().enumerate() {
        results.push(prepare(device, queue_id, &mut scratch, launch, r, reduction::size(*one))?);
    }

    let stopped = match launch.kernel.flags & kernel_flags::STOPS {
        0 => None,
        _ => Some(stop_flag(device, queue_id, &mut scratch)?),
    };

    let kernel = object.handle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // SAFETY: the kernel's lock is held; arguments are as the kernel's table says.
    unsafe { set_arguments(device, *kernel as Handle, launch, &scratch, &results, stopped)? };
    if let (reachable, Some(set_info)) = (device.memory.reachable(), device.api.clSetKernelExecInfo)
        && !reachable.is_empty()
    {
        let size = reachable.len() * size_of::<u64>();
        // SAFETY: addresses of allocations in shared virtual memory, copied by the call.
        let code = unsafe {
            set_info(*kernel as Handle, KERNEL_EXEC_INFO_SVM_PTRS, size, reachable.as_ptr().cast())
        };
        check(code, "clSetKernelExecInfo")?;
    }
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
        let (size, result) = (reduction::size(*one), results[r]);
        match launch.targets[r] {
            ReductionTarget::Host(variable) => read_result(device, queue.handle, result, variable, size)?,
            ReductionTarget::Device(address) => {
                copy_spots(device, queue_id, device.memory.find(address)?, spot(result), size)?;
                scratch.free.push(result);
            }
        }
    }
    if let Some(flag) = stopped {
        let mut set = 0i32;
        read_result(device, queue.handle, flag, (&raw mut set).cast(), 4)?;
        // SAFETY: a live queue.
        check(unsafe { (device.api.clFinish)(queue.handle) }, "clFinish")?;
        match set {
            0 => {}
            1 => return Err(DeviceError::Stopped),
            status => return Err(DeviceError::Exit(status & 255)),
        }
    }
    // Starts the work; the host may not come back for a while.
    // SAFETY: a live queue.
    check(unsafe { (device.api.clFlush)(queue.handle) }, "clFlush")?;
    wait_for_first_run(device, queue.handle, object)
}

/// Waits for the first run of a kernel where the host's processor is the device.
///
/// PoCL compiles a kernel then, in a thread of its own and inside of this process. LLVM registers its destructors
/// meanwhile: a program that ended then would have them run before anything that was registered earlier and
/// waits for the queue. After the wait that is registered once more, and comes first.
fn wait_for_first_run(device: &OpenClDevice, queue: Handle, object: &KernelObject) -> Result<()> {
    if device.info.is_accelerator || object.has_run.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    // SAFETY: a live queue.
    check(unsafe { (device.api.clFinish)(queue) }, "clFinish")?;
    crate::state::finish_before_later_handlers();
    Ok(())
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

/// Makes the buffers of reduction `r` ready, and gives the one for the result, with the variable's
/// value in it.
fn prepare(
    device: &OpenClDevice,
    queue: QueueId,
    scratch: &mut Scratch,
    launch: &Launch,
    r: usize,
    size: usize,
) -> Result<Handle> {
    let blocks = launch.grid.iter().map(|extent| *extent as usize).product::<usize>();
    make_reduction_buffers(device, queue, &mut scratch.reductions, r, blocks * size)?;
    let mut take = || scratch.free.pop().map_or_else(|| create(device.api, device.context, 8), Ok);
    match launch.targets[r] {
        ReductionTarget::Device(address) => {
            let result = take()?;
            copy_spots(device, queue, spot(result), device.memory.find(address)?, size)?;
            Ok(result)
        }
        ReductionTarget::Host(variable) => {
            let known = scratch.awaited.iter().find(|(awaited, _)| *awaited == variable as usize);
            if let Some((_, result)) = known {
                return Ok(*result);
            }
            let result = take()?;
            // SAFETY: the reduction's variable.
            let value = unsafe { std::slice::from_raw_parts(variable.cast::<u8>(), size) };
            fill_spot(device, queue, spot(result), value, size)?;
            scratch.awaited.push((variable as usize, result));
            Ok(result)
        }
    }
}

/// The buffer by which kernels of the queue say that they want the program to end.
fn stop_flag(device: &OpenClDevice, queue: QueueId, scratch: &mut Scratch) -> Result<Handle> {
    if let Some(flag) = scratch.stopped {
        return Ok(flag);
    }
    let flag = create(device.api, device.context, 4)?;
    fill_spot(device, queue, spot(flag), &[0; 4], 4)?;
    scratch.stopped = Some(flag);
    Ok(flag)
}

/// Makes the counter of reduction `r`, and a buffer for so many bytes of partial results.
fn make_reduction_buffers(
    device: &OpenClDevice,
    queue: QueueId,
    reductions: &mut Vec<ReductionBuffers>,
    r: usize,
    bytes: usize,
) -> Result<()> {
    let (api, context) = (device.api, device.context);
    if r == reductions.len() {
        let arrivals = create(api, context, 4)?;
        fill_spot(device, queue, spot(arrivals), &[0; 4], 4)?;
        let partials_bytes = bytes.max(4096);
        reductions.push(ReductionBuffers {
            arrivals,
            partials: create(api, context, partials_bytes)?,
            partials_bytes,
        });
    }
    let buffers = &mut reductions[r];
    if buffers.partials_bytes < bytes {
        // SAFETY: OpenCL keeps the buffer until the commands that use it are done.
        check(unsafe { (api.clReleaseMemObject)(buffers.partials) }, "clReleaseMemObject")?;
        buffers.partials_bytes = bytes.next_power_of_two();
        buffers.partials = create(api, context, buffers.partials_bytes)?;
    }
    Ok(())
}

/// # Safety
/// Values are readable for their sizes, and the kernel's lock is held.
unsafe fn set_arguments(
    device: &OpenClDevice,
    kernel: Handle,
    launch: &Launch,
    scratch: &Scratch,
    results: &[Handle],
    stopped: Option<Handle>,
) -> Result<()> {
    let mut position = 0;
    let mut set = |size: usize, value: *const c_void| {
        // SAFETY: the value is readable for its size.
        let code = unsafe { (device.api.clSetKernelArg)(kernel, position, size, value) };
        position += 1;
        check(code, "clSetKernelArg")
    };
    for (at, argument) in launch.arguments.iter().enumerate() {
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
            Argument::Value { size } => set(size as usize, launch.values[at])?,
            Argument::Number { bytes, size } => set(size as usize, bytes.as_ptr().cast())?,
            Argument::Trips(trips) => set(8, (&raw const trips).cast())?,
            Argument::Reduction(r) => {
                let buffers = scratch.reductions[r as usize];
                for buffer in [results[r as usize], buffers.partials, buffers.arrivals] {
                    set(size_of::<Handle>(), (&raw const buffer).cast())?;
                }
            }
        }
    }
    if let Some(stopped) = &stopped {
        set(size_of::<Handle>(), std::ptr::from_ref(stopped).cast())?;
    }
    if launch.shared_bytes > 0 {
        // Shared tiles, the last parameter: local memory is given by its size.
        set(launch.shared_bytes as usize, std::ptr::null())?;
    }
    Ok(())
}
