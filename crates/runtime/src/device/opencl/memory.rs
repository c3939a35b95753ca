//! Buffers, the numbers that stand for their addresses, and transfers.
//!
//! Where the device has shared virtual memory (and `uses_svm` says so) a buffer lies in it and its
//! address is a real one. Elsewhere numbers stand for addresses. They come from a range of 2^48
//! bytes for each device, high above every address of a process, and are never used twice, so a
//! stale device pointer is found out.
//!
//! Invariant: a number given out lies in exactly one buffer's stretch of the range, or in none.

use super::api::{
    Api, DEVICE_SVM_CAPABILITIES, Handle, MEM_READ_WRITE, MEM_USE_HOST_PTR, SVM_COARSE_GRAIN, check,
};
use super::{OpenClDevice, QueueId, Rectangle};
use crate::config::Config;
use crate::error::{DeviceError, Result};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Numbers of device `n` begin here, plus `n << 48`. Not a canonical address on any 64-bit machine.
const RANGE: u64 = 0x0ACC << 48;
/// Stretches begin at multiples of this.
const ALIGNMENT: u64 = 4096;
/// Uploads up to this size are copied aside and do not wait for the queue.
const SMALL: usize = 1 << 20;

struct Buffer {
    handle: Handle,
    bytes: usize,
}

// SAFETY: OpenCL objects may be used from any thread.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

pub struct Buffers {
    /// The next free number, and buffers by their first number.
    list: RwLock<(u64, BTreeMap<u64, Buffer>)>,
    /// Buffers lie in shared virtual memory, and their numbers are real addresses.
    svm: bool,
    /// There are addresses in the buffers that kernels may follow.
    pointers: AtomicBool,
}

/// True where buffers are to be in shared virtual memory: wherever the device has it, since it was not
/// found to cost anything, unless the user does not want it.
pub fn uses_svm(api: &Api, device: Handle, config: &Config) -> bool {
    let able = api.device_number(device, DEVICE_SVM_CAPABILITIES) & SVM_COARSE_GRAIN != 0;
    let bound = api.clSVMAlloc.is_some() && api.clSVMFree.is_some() && api.clSetKernelExecInfo.is_some();
    able && bound && config.opencl_svm.unwrap_or(true)
}

/// A place in a buffer.
#[derive(Clone, Copy)]
pub struct Spot {
    pub buffer: Handle,
    /// The buffer's first number.
    pub start: u64,
    pub offset: usize,
}

impl Buffers {
    pub fn new(device: usize, svm: bool) -> Buffers {
        Buffers {
            list: RwLock::new((RANGE + ((device as u64) << 48), BTreeMap::new())),
            svm,
            pointers: AtomicBool::new(false),
        }
    }

    pub fn allocate(&self, api: &Api, context: Handle, bytes: usize) -> Result<u64> {
        let real = match api.clSVMAlloc {
            // SAFETY: a context whose device has such memory.
            Some(allocate) if self.svm => unsafe { allocate(context, MEM_READ_WRITE, bytes.max(1), 0) },
            _ => std::ptr::null_mut(),
        };
        if self.svm && real.is_null() {
            return Err(DeviceError::new(format!("clSVMAlloc has no {bytes} bytes")));
        }
        let handle = create_in(api, context, bytes, real)?;
        let mut list = self.list.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let start = if self.svm { real as u64 } else { list.0 };
        if !self.svm {
            // A gap after each, so that an address one past the end belongs to no other buffer.
            list.0 += (bytes as u64 + ALIGNMENT).next_multiple_of(ALIGNMENT);
        }
        list.1.insert(start, Buffer { handle, bytes });
        Ok(start)
    }

    pub fn release(&self, api: &Api, context: Handle, address: u64) -> Result<()> {
        let buffer = self.list.write().unwrap_or_else(|poisoned| poisoned.into_inner()).1.remove(&address);
        let Some(buffer) = buffer else { return Err(unknown(address)) };
        // SAFETY: a buffer that nothing knows any more, and no work uses.
        check(unsafe { (api.clReleaseMemObject)(buffer.handle) }, "clReleaseMemObject")?;
        if let (true, Some(free)) = (self.svm, api.clSVMFree) {
            // SAFETY: as above.
            unsafe { free(context, address as *mut c_void) };
        }
        Ok(())
    }

    pub fn prepare_for_pointers(&self) -> Result<()> {
        if !self.svm {
            return Err(DeviceError::new(
                "this OpenCL device has no addresses that kernels could follow; where it has shared virtual \
                 memory, setting ACCL_OPENCL_SVM=1 gives it some",
            ));
        }
        self.pointers.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Everything a kernel may reach through pointers; empty where there are none in memory.
    pub fn reachable(&self) -> Vec<u64> {
        if !self.pointers.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let list = self.list.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        list.1.keys().copied().collect()
    }

    /// The buffer an address lies in.
    pub fn find(&self, address: u64) -> Result<Spot> {
        let list = self.list.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (start, buffer) = list.1.range(..=address).next_back().ok_or_else(|| unknown(address))?;
        let offset = (address - start) as usize;
        if offset > buffer.bytes {
            return Err(unknown(address));
        }
        Ok(Spot { buffer: buffer.handle, start: *start, offset })
    }
}

fn unknown(address: u64) -> DeviceError {
    DeviceError::new(format!("{address:#x} is not an address of this device's memory"))
}

/// A buffer.
pub fn create(api: &Api, context: Handle, bytes: usize) -> Result<Handle> {
    create_in(api, context, bytes, std::ptr::null_mut())
}

/// A buffer, in shared virtual memory where `real` is not null.
fn create_in(api: &Api, context: Handle, bytes: usize, real: *mut c_void) -> Result<Handle> {
    let flags = if real.is_null() { MEM_READ_WRITE } else { MEM_READ_WRITE | MEM_USE_HOST_PTR };
    let mut code = 0;
    // SAFETY: `real` is null or has so many bytes, and lives longer than the buffer.
    let handle = unsafe { (api.clCreateBuffer)(context, flags, bytes.max(1), real, &raw mut code) };
    check(code, "clCreateBuffer")?;
    Ok(handle)
}

/// # Safety
/// As for `Device::upload`.
pub unsafe fn upload(
    device: &OpenClDevice,
    queue: QueueId,
    to: u64,
    from: *const u8,
    bytes: usize,
) -> Result<()> {
    let (queue, spot) = (device.queues.get(queue)?, device.memory.find(to)?);
    // SAFETY: the caller's promise.
    let copy =
        (bytes <= SMALL).then(|| Box::<[u8]>::from(unsafe { std::slice::from_raw_parts(from, bytes) }));
    let source = copy.as_ref().map_or(from, |copy| copy.as_ptr());
    queue.busy();
    // SAFETY: a copy that the queue keeps until it is finished, or, blocking, the caller's memory.
    let code = unsafe {
        (device.api.clEnqueueWriteBuffer)(
            queue.handle,
            spot.buffer,
            u32::from(copy.is_none()),
            spot.offset,
            bytes,
            source.cast(),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueWriteBuffer")?;
    copy.map_or(Ok(()), |copy| queue.keep(device.api, copy))
}

/// # Safety
/// As for `Device::download`.
pub unsafe fn download(
    device: &OpenClDevice,
    queue: QueueId,
    from: u64,
    to: *mut u8,
    bytes: usize,
) -> Result<()> {
    let (queue, spot) = (device.queues.get(queue)?, device.memory.find(from)?);
    queue.busy();
    // SAFETY: the caller keeps the memory until the queue is finished.
    let code = unsafe {
        (device.api.clEnqueueReadBuffer)(
            queue.handle,
            spot.buffer,
            0,
            spot.offset,
            bytes,
            to.cast(),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueReadBuffer")
}

pub fn copy(device: &OpenClDevice, queue: QueueId, to: u64, from: u64, bytes: usize) -> Result<()> {
    let (to, from) = (device.memory.find(to)?, device.memory.find(from)?);
    copy_spots(device, queue, to, from, bytes)
}

/// Copies between places in buffers.
pub fn copy_spots(device: &OpenClDevice, queue: QueueId, to: Spot, from: Spot, bytes: usize) -> Result<()> {
    let queue = device.queues.get(queue)?;
    queue.busy();
    // SAFETY: no host memory is involved; OpenCL checks the bounds.
    let code = unsafe {
        (device.api.clEnqueueCopyBuffer)(
            queue.handle,
            from.buffer,
            to.buffer,
            from.offset,
            to.offset,
            bytes,
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueCopyBuffer")
}

pub fn fill(device: &OpenClDevice, queue: QueueId, to: u64, pattern: &[u8], bytes: usize) -> Result<()> {
    fill_spot(device, queue, device.memory.find(to)?, pattern, bytes)
}

/// Fills with a pattern of 1, 2, 4 or 8 bytes, which is read at once.
pub fn fill_spot(
    device: &OpenClDevice,
    queue: QueueId,
    to: Spot,
    pattern: &[u8],
    bytes: usize,
) -> Result<()> {
    let queue = device.queues.get(queue)?;
    queue.busy();
    // SAFETY: the pattern is copied by the call; OpenCL checks the bounds.
    let code = unsafe {
        (device.api.clEnqueueFillBuffer)(
            queue.handle,
            to.buffer,
            pattern.as_ptr().cast(),
            pattern.len(),
            to.offset,
            bytes,
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueFillBuffer")
}

/// Origins and region of a rectangle at an offset, with a pitch: OpenCL wants whole rows.
fn region(offset: usize, shape: Rectangle) -> ([usize; 3], [usize; 3]) {
    ([offset % shape.pitch, offset / shape.pitch, 0], [shape.width, shape.rows, 1])
}

/// # Safety
/// As for `Device::upload_rectangle`.
pub unsafe fn upload_rectangle(
    device: &OpenClDevice,
    queue: QueueId,
    to: u64,
    from: *const u8,
    shape: Rectangle,
) -> Result<()> {
    let (queue, spot) = (device.queues.get(queue)?, device.memory.find(to)?);
    let (origin, extent) = region(spot.offset, shape);
    queue.busy();
    // SAFETY: blocking, so the caller's memory is read when this returns.
    let code = unsafe {
        (device.api.clEnqueueWriteBufferRect)(
            queue.handle,
            spot.buffer,
            1,
            origin.as_ptr(),
            [0usize; 3].as_ptr(),
            extent.as_ptr(),
            shape.pitch,
            0,
            shape.pitch,
            0,
            from.cast(),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueWriteBufferRect")
}

/// # Safety
/// As for `Device::download_rectangle`.
pub unsafe fn download_rectangle(
    device: &OpenClDevice,
    queue: QueueId,
    from: u64,
    to: *mut u8,
    shape: Rectangle,
) -> Result<()> {
    let (queue, spot) = (device.queues.get(queue)?, device.memory.find(from)?);
    let (origin, extent) = region(spot.offset, shape);
    queue.busy();
    // SAFETY: the caller keeps the memory until the queue is finished.
    let code = unsafe {
        (device.api.clEnqueueReadBufferRect)(
            queue.handle,
            spot.buffer,
            0,
            origin.as_ptr(),
            [0usize; 3].as_ptr(),
            extent.as_ptr(),
            shape.pitch,
            0,
            shape.pitch,
            0,
            to.cast(),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clEnqueueReadBufferRect")
}
