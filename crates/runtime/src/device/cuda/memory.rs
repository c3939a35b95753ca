//! Device memory and transfers.
//!
//! Small uploads go to the driver, which copies them aside and returns. Large ones go through a
//! ring of pinned chunks. Downloads go into pinned memory and are copied out when the host waits
//! for the queue, so that several of them cost one wait; very large ones are copied out chunk by
//! chunk at once. Memory that is pinned or known to the driver goes directly.

use super::api::{Api, Copy2d, Handle, MEMORY_TYPE, MEMORY_TYPE_DEVICE, MEMORY_TYPE_HOST};
use super::arrivals::Arrival;
use super::queue::Queue;
use super::staging::{CHUNKS, Chunk, Ring};
use super::{CudaDevice, QueueId, Rectangle};
use crate::device::{Make, SYNC_QUEUE};
use crate::error::Result;
use std::ffi::{c_uint, c_void};

/// Uploads up to this size are left to the driver.
const SMALL_UPLOAD: usize = 64 << 10;
/// Downloads up to this size wait in pinned memory, on the sync queue and on others.
const SMALL_DOWNLOAD: usize = 1 << 20;
const ASYNC_DOWNLOAD: usize = 64 << 20;
/// The size from which on it pays to ask what kind of host memory it is.
const ASK: usize = 16 << 10;

pub fn allocate(api: &Api, bytes: usize) -> Result<u64> {
    let mut address = 0;
    // SAFETY: room for the address.
    api.check(unsafe { (api.cuMemAlloc)(&raw mut address, bytes.max(1)) }, "cuMemAlloc")?;
    Ok(address)
}

/// True where the driver can transfer host memory directly.
fn is_pinned(api: &Api, address: *const u8) -> bool {
    matches!(kind(api, address as u64), MEMORY_TYPE_HOST | MEMORY_TYPE_DEVICE)
}

/// The address is one of device memory, whoever allocated it.
pub fn is_of_device(api: &Api, address: u64) -> bool {
    kind(api, address) == MEMORY_TYPE_DEVICE
}

fn kind(api: &Api, address: u64) -> c_uint {
    let (mut kind, mut attribute): (c_uint, c_uint) = (0, MEMORY_TYPE);
    let mut to = (&raw mut kind).cast::<c_void>();
    // SAFETY: one attribute and room for it; it stays 0 for an address the driver does not know.
    let code = unsafe { (api.cuPointerGetAttributes)(1, &raw mut attribute, &raw mut to, address) };
    if code == 0 { kind } else { 0 }
}

fn host_to_device(device: &CudaDevice, stream: Handle, to: u64, from: *const u8, bytes: usize) -> Result<()> {
    // SAFETY: callers pass memory that is valid for the transfer.
    let code = unsafe { (device.api.cuMemcpyHtoDAsync)(to, from.cast(), bytes, stream) };
    device.api.check(code, "cuMemcpyHtoDAsync")
}

fn device_to_host(device: &CudaDevice, stream: Handle, to: *mut u8, from: u64, bytes: usize) -> Result<()> {
    // SAFETY: callers pass memory that is valid for the transfer.
    let code = unsafe { (device.api.cuMemcpyDtoHAsync)(to.cast(), from, bytes, stream) };
    device.api.check(code, "cuMemcpyDtoHAsync")
}

/// The part of a transfer of so many bytes that is copied at a time, so that copies and transfers
/// overlap.
fn part_size(bytes: usize, ring: &Ring) -> usize {
    (bytes / CHUNKS).next_multiple_of(4096).clamp(ring.size / 2, ring.size)
}

/// # Safety
/// As for `Device::upload`.
pub unsafe fn upload(device: &CudaDevice, id: QueueId, to: u64, from: *const u8, bytes: usize) -> Result<()> {
    let queue = device.queues.get(id)?;
    if bytes >= ASK && is_pinned(device.api, from) {
        host_to_device(device, queue.stream, to, from, bytes)?;
        // Without `async` the host may change the memory next; with it, only after a wait.
        return if id == SYNC_QUEUE { queue.wait(device) } else { Ok(()) };
    }
    if bytes <= SMALL_UPLOAD {
        return host_to_device(device, queue.stream, to, from, bytes);
    }
    let from = from as usize;
    let move_part = |chunk: &Chunk, begin: usize, part: usize| {
        // SAFETY: the chunk is free and ours; the source is the caller's.
        unsafe { std::ptr::copy_nonoverlapping((from + begin) as *const u8, chunk.address, part) };
        host_to_device(device, queue.stream, to + begin as u64, chunk.address, part)?;
        chunk.mark(device, queue.stream)
    };
    if device.staging.is_shared(bytes) {
        return device.staging.move_parts(device, queue, bytes, &move_part);
    }
    let mut ring = device.staging.take_ring(device, bytes)?;
    let size = part_size(bytes, &ring);
    for begin in (0..bytes).step_by(size) {
        move_part(&ring.next(device)?, begin, size.min(bytes - begin))?;
    }
    device.staging.give_ring(ring);
    Ok(())
}

/// What is made goes straight into pinned memory.
///
/// # Safety
/// As for `Device::upload_made`.
pub unsafe fn upload_made(
    device: &CudaDevice,
    id: QueueId,
    to: u64,
    bytes: usize,
    unit: usize,
    make: Make,
) -> Result<()> {
    let queue = device.queues.get(id)?;
    if bytes <= SMALL_UPLOAD {
        let mut made = vec![0u64; bytes.div_ceil(8)];
        make(0, made.as_mut_ptr().cast(), bytes);
        return host_to_device(device, queue.stream, to, made.as_ptr().cast(), bytes);
    }
    let mut ring = device.staging.take_ring(device, bytes)?;
    let size = (part_size(bytes, &ring) / unit * unit).max(unit);
    for begin in (0..bytes).step_by(size) {
        let part = size.min(bytes - begin);
        let chunk = ring.next(device)?;
        make(begin, chunk.address, part);
        host_to_device(device, queue.stream, to + begin as u64, chunk.address, part)?;
        chunk.mark(device, queue.stream)?;
    }
    device.staging.give_ring(ring);
    Ok(())
}

/// # Safety
/// As for `Device::download_taken`.
pub unsafe fn download_taken(
    device: &CudaDevice,
    id: QueueId,
    from: u64,
    bytes: usize,
    unit: usize,
    take: Make,
) -> Result<()> {
    let queue = device.queues.get(id)?;
    // What is taken is written at once, and arrivals of before may be of the same memory.
    queue.finish(device)?;
    let mut ring = device.staging.take_ring(device, bytes)?;
    let size = (part_size(bytes, &ring) / unit * unit).max(unit);
    in_flight(device, queue, &mut ring, from, (bytes, size), take)?;
    device.staging.give_ring(ring);
    Ok(())
}

/// # Safety
/// As for `Device::download`.
pub unsafe fn download(device: &CudaDevice, id: QueueId, from: u64, to: *mut u8, bytes: usize) -> Result<()> {
    let queue = device.queues.get(id)?;
    if bytes >= ASK && is_pinned(device.api, to) {
        queue.bring_earlier(device, to, bytes)?;
        return device_to_host(device, queue.stream, to, from, bytes);
    }
    if bytes <= if id == SYNC_QUEUE { SMALL_DOWNLOAD } else { ASYNC_DOWNLOAD } {
        let block = device.staging.take_block(device, bytes)?;
        device_to_host(device, queue.stream, block.address, from, bytes)?;
        let shape = Rectangle { width: bytes, rows: 1, pitch: bytes };
        queue.expect(device, Arrival::Block { block, to, shape });
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe { download_now(device, queue, from, to, bytes) }
}

/// Copies each part out when it has arrived.
///
/// # Safety
/// As for `Device::download`.
unsafe fn download_now(
    device: &CudaDevice,
    queue: &Queue,
    from: u64,
    to: *mut u8,
    bytes: usize,
) -> Result<()> {
    queue.bring_earlier(device, to, bytes)?;
    if device.staging.is_shared(bytes) {
        queue.wait(device)?;
        let to = to as usize;
        return device.staging.move_parts(device, queue, bytes, &|chunk, begin, part| {
            device_to_host(device, queue.stream, chunk.address, from + begin as u64, part)?;
            chunk.mark(device, queue.stream)?;
            chunk.wait(device)?;
            // SAFETY: the destination is the caller's.
            unsafe { std::ptr::copy_nonoverlapping(chunk.address, (to + begin) as *mut u8, part) };
            Ok(())
        });
    }
    let mut ring = device.staging.take_ring(device, bytes)?;
    let size = part_size(bytes, &ring);
    in_flight(device, queue, &mut ring, from, (bytes, size), &mut |begin, arrived, length| {
        // SAFETY: the destination is the caller's.
        unsafe { device.staging.copy(to.add(begin), arrived, length) };
    })?;
    device.staging.give_ring(ring);
    Ok(())
}

/// Keeps all chunks of a ring in flight, parts of `size` bytes, and hands each on when it has arrived.
fn in_flight(
    device: &CudaDevice,
    queue: &Queue,
    ring: &mut Ring,
    from: u64,
    (bytes, size): (usize, usize),
    take: Make,
) -> Result<()> {
    let count = bytes.div_ceil(size);
    let part = |i: usize| (i * size, size.min(bytes - i * size));
    let mut flying = std::collections::VecDeque::with_capacity(CHUNKS);
    for i in 0..count + CHUNKS {
        if flying.len() == CHUNKS || i >= count {
            let Some((chunk, number)) = flying.pop_front() else { break };
            let chunk: Chunk = chunk;
            let (begin, length) = part(number);
            chunk.wait(device)?;
            take(begin, chunk.address, length);
        }
        if i < count {
            let (begin, length) = part(i);
            let chunk = ring.next(device)?;
            device_to_host(device, queue.stream, chunk.address, from + begin as u64, length)?;
            chunk.mark(device, queue.stream)?;
            flying.push_back((chunk, i));
        }
    }
    Ok(())
}

/// A rectangle in device memory on one side, packed rows on the host on the other.
fn packed(shape: Rectangle, device: u64, host: *mut u8, to_host: bool) -> Copy2d {
    let (kind_host, kind_device): (c_uint, c_uint) = (MEMORY_TYPE_HOST, MEMORY_TYPE_DEVICE);
    Copy2d {
        src_x: 0,
        src_y: 0,
        src_type: if to_host { kind_device } else { kind_host },
        src_host: host as *const c_void,
        src_device: device,
        src_array: std::ptr::null_mut(),
        src_pitch: if to_host { shape.pitch } else { shape.width },
        dst_x: 0,
        dst_y: 0,
        dst_type: if to_host { kind_host } else { kind_device },
        dst_host: host.cast(),
        dst_device: device,
        dst_array: std::ptr::null_mut(),
        dst_pitch: if to_host { shape.width } else { shape.pitch },
        width: shape.width,
        height: shape.rows,
    }
}

fn copy_2d(device: &CudaDevice, stream: Handle, copy: &Copy2d) -> Result<()> {
    // SAFETY: callers describe memory that is valid for the transfer.
    device.api.check(unsafe { (device.api.cuMemcpy2DAsync)(copy, stream) }, "cuMemcpy2DAsync")
}

/// # Safety
/// As for `Device::upload_rectangle`.
pub unsafe fn upload_rectangle(
    device: &CudaDevice,
    id: QueueId,
    to: u64,
    from: *const u8,
    shape: Rectangle,
) -> Result<()> {
    let queue = device.queues.get(id)?;
    // Such runs fit the smallest chunk.
    if shape.width > SMALL_UPLOAD {
        for row in 0..shape.rows {
            let skip = row * shape.pitch;
            // SAFETY: the caller's promise for this run.
            unsafe { upload(device, id, to + skip as u64, from.add(skip), shape.width)? };
        }
        return Ok(());
    }
    let mut ring = device.staging.take_ring(device, shape.width * shape.rows)?;
    let rows_each = (ring.size / shape.width).max(1);
    for first in (0..shape.rows).step_by(rows_each) {
        let rows = rows_each.min(shape.rows - first);
        let chunk = ring.next(device)?;
        for row in 0..rows {
            // SAFETY: the chunk is free and has room for the rows; the source is the caller's.
            unsafe {
                let source = from.add((first + row) * shape.pitch);
                std::ptr::copy_nonoverlapping(source, chunk.address.add(row * shape.width), shape.width);
            }
        }
        let part = Rectangle { rows, ..shape };
        copy_2d(
            device,
            queue.stream,
            &packed(part, to + (first * shape.pitch) as u64, chunk.address, false),
        )?;
        chunk.mark(device, queue.stream)?;
    }
    device.staging.give_ring(ring);
    Ok(())
}

/// # Safety
/// As for `Device::download_rectangle`.
pub unsafe fn download_rectangle(
    device: &CudaDevice,
    id: QueueId,
    from: u64,
    to: *mut u8,
    shape: Rectangle,
) -> Result<()> {
    let queue = device.queues.get(id)?;
    let rows_each = (ASYNC_DOWNLOAD / shape.width).max(1);
    for first in (0..shape.rows).step_by(rows_each) {
        let part = Rectangle { rows: rows_each.min(shape.rows - first), ..shape };
        let skip = first * shape.pitch;
        let block = device.staging.take_block(device, part.width * part.rows)?;
        copy_2d(device, queue.stream, &packed(part, from + skip as u64, block.address, true))?;
        // SAFETY: within the caller's rectangle.
        queue.expect(device, Arrival::Block { block, to: unsafe { to.add(skip) }, shape: part });
    }
    Ok(())
}
