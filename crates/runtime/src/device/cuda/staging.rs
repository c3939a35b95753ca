//! Pinned host memory that transfers of pageable memory go through.
//!
//! The driver stages such transfers itself, but one chunk after the other and with one thread
//! copying. Here the copy of one chunk overlaps the transfer of the one before, and several
//! threads copy.
//!
//! A [`Ring`] has a few chunks, each with an event after its last transfer. A transfer takes a
//! ring for itself, so two threads never wait for each other. [`Block`]s hold what a queue
//! downloads until the host waits for it.
//!
//! Invariants: a chunk is written or read by the host only after its event has passed; pinned
//! memory is kept for the next use, never freed.

use super::CudaDevice;
use super::api::{self, Handle};
use super::queue;
use crate::device::thread_pool::ThreadPool;
use crate::error::Result;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Bytes of the largest chunks.
pub const CHUNK: usize = 4 << 20;
/// Rings for transfers up to the first size have chunks of the second. Pinning takes time, a
/// millisecond for every few megabytes, which a program of small transfers should not pay.
const SIZES: [(usize, usize); 3] = [(1 << 20, 256 << 10), (16 << 20, 1 << 20), (usize::MAX, CHUNK)];
/// Chunks of a ring.
pub const CHUNKS: usize = 4;
/// Copies from this size on are done by several threads.
const SHARED_COPY: usize = 512 << 10;
/// Threads that copy.
const MOST_THREADS: usize = 8;

#[derive(Clone, Copy)]
pub struct Chunk {
    pub address: *mut u8,
    pub event: Handle,
}

pub struct Ring {
    chunks: [Chunk; CHUNKS],
    /// Bytes of a chunk.
    pub size: usize,
    next: usize,
}

// SAFETY: a ring is owned by one transfer at a time.
unsafe impl Send for Ring {}

/// Pinned memory for one download.
#[derive(Clone, Copy)]
pub struct Block {
    pub address: *mut u8,
    pub bytes: usize,
}

// SAFETY: a block is owned by one download at a time.
unsafe impl Send for Block {}

pub struct Staging {
    /// The rings, by the size of their chunks.
    rings: Mutex<BTreeMap<usize, Vec<Ring>>>,
    blocks: Mutex<BTreeMap<usize, Vec<Block>>>,
    pool: ThreadPool,
}

/// Pinned memory that kernels may use as well.
pub fn pinned(api: &api::Api, bytes: usize) -> Result<*mut u8> {
    let mut address = std::ptr::null_mut();
    // SAFETY: room for the address.
    let code = unsafe { (api.cuMemHostAlloc)(&raw mut address, bytes, api::HOST_PORTABLE_AND_MAPPED) };
    api.check(code, "cuMemHostAlloc")?;
    Ok(address.cast())
}

impl Staging {
    pub fn new() -> Staging {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Staging {
            rings: Mutex::default(),
            blocks: Mutex::default(),
            pool: ThreadPool::new((cores / 2).clamp(1, MOST_THREADS)),
        }
    }

    /// A ring for one transfer of so many bytes; give it back.
    pub fn take_ring(&self, device: &CudaDevice, bytes: usize) -> Result<Ring> {
        let size = SIZES.iter().find(|(most, _)| bytes <= *most).map_or(CHUNK, |(_, size)| *size);
        let mut rings = self.rings.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(ring) = rings.get_mut(&size).and_then(Vec::pop) {
            return Ok(ring);
        }
        drop(rings);
        let memory = pinned(device.api, size * CHUNKS)?;
        let mut chunks = [Chunk { address: memory, event: std::ptr::null_mut() }; CHUNKS];
        for (i, chunk) in chunks.iter_mut().enumerate() {
            // SAFETY: within the memory just allocated.
            chunk.address = unsafe { memory.add(i * size) };
            chunk.event = queue::event(device.api, api::EVENT_NO_TIMING)?;
        }
        Ok(Ring { chunks, size, next: 0 })
    }

    pub fn give_ring(&self, ring: Ring) {
        let mut rings = self.rings.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        rings.entry(ring.size).or_default().push(ring);
    }

    /// A block with room for so many bytes; give it back.
    pub fn take_block(&self, device: &CudaDevice, bytes: usize) -> Result<Block> {
        let bytes = bytes.next_power_of_two().max(4096);
        let kept = self
            .blocks
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .get_mut(&bytes)
            .and_then(Vec::pop);
        match kept {
            Some(block) => Ok(block),
            None => Ok(Block { address: pinned(device.api, bytes)?, bytes }),
        }
    }

    pub fn give_block(&self, block: Block) {
        self.blocks
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .entry(block.bytes)
            .or_default()
            .push(block);
    }

    /// Copies within host memory, with several threads where that pays.
    ///
    /// # Safety
    /// Both sides are valid for `bytes` and do not overlap.
    pub unsafe fn copy(&self, to: *mut u8, from: *const u8, bytes: usize) {
        let threads = self.pool.threads();
        if bytes < SHARED_COPY || threads == 1 {
            // SAFETY: the caller's promise.
            unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
            return;
        }
        let share = bytes.div_ceil(threads).next_multiple_of(4096);
        let (to, from) = (to as usize, from as usize);
        self.pool.run(threads, &|part| {
            let begin = (part * share).min(bytes);
            let end = (begin + share).min(bytes);
            // SAFETY: the shares are disjoint parts of what the caller vouches for.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    (from + begin) as *const u8,
                    (to + begin) as *mut u8,
                    end - begin,
                )
            };
        });
    }
}

impl Ring {
    /// The next chunk, free for the host to write.
    pub fn next(&mut self, device: &CudaDevice) -> Result<Chunk> {
        let chunk = self.chunks[self.next];
        self.next = (self.next + 1) % CHUNKS;
        chunk.wait(device)?;
        Ok(chunk)
    }
}

impl Chunk {
    /// Waits until the last transfer is done.
    pub fn wait(&self, device: &CudaDevice) -> Result<()> {
        // SAFETY: a live event.
        device.api.check(unsafe { (device.api.cuEventSynchronize)(self.event) }, "cuEventSynchronize")
    }

    /// Puts the event after the transfer just enqueued.
    pub fn mark(&self, device: &CudaDevice, stream: Handle) -> Result<()> {
        // SAFETY: a live event and stream.
        device.api.check(unsafe { (device.api.cuEventRecord)(self.event, stream) }, "cuEventRecord")
    }
}
