//! Pinned host memory that transfers of pageable memory go through.
//!
//! The driver stages such transfers itself, but one chunk after the other and with one thread
//! copying. Here several threads copy, each through chunks of its own, while other chunks are on
//! their way.
//!
//! A [`Ring`] has a few chunks, each with an event after its last transfer. A transfer takes a
//! ring for itself. [`Block`]s hold what a queue
//! downloads until the host waits for it.
//!
//! Invariants: a chunk is written or read by the host only after its event has passed; pinned
//! memory is kept for the next use, never freed.

use super::CudaDevice;
use super::api::{self, Handle};
use super::queue::{self, Queue};
use crate::device::thread_pool::ThreadPool;
use crate::error::Result;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of the largest chunks.
pub const CHUNK: usize = 1 << 20;
/// Rings for transfers up to the first size have chunks of the second. Pinning takes time, a
/// millisecond for every few megabytes, which a program of small transfers should not pay.
const SIZES: [(usize, usize); 3] = [(1 << 20, 64 << 10), (16 << 20, 256 << 10), (usize::MAX, CHUNK)];
/// Chunks of a ring.
pub const CHUNKS: usize = 16;
/// Bytes for each thread that copies: a thread that sleeps is woken in the time of a tenth of a millisecond.
const SHARE: usize = 1 << 20;
/// Threads that copy; each has two chunks.
const MOST_THREADS: usize = CHUNKS / 2;

#[derive(Clone, Copy)]
pub struct Chunk {
    pub address: *mut u8,
    pub event: Handle,
}

// SAFETY: a chunk is used by one thread of one transfer at a time.
unsafe impl Send for Chunk {}
// SAFETY: as above.
unsafe impl Sync for Chunk {}

pub struct Ring {
    chunks: [Chunk; CHUNKS],
    /// Bytes of a chunk.
    pub size: usize,
    next: usize,
}

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
        let threads = self.threads(bytes);
        if threads == 1 {
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

/// What is done with a part of a transfer: the chunk that it goes through, where it begins, and its bytes.
type MovePart<'a> = &'a (dyn Fn(&Chunk, usize, usize) -> Result<()> + Sync);

impl Staging {
    /// How many threads copy so many bytes.
    fn threads(&self, bytes: usize) -> usize {
        (bytes / SHARE).clamp(1, self.pool.threads())
    }

    /// Several threads copy a transfer of so many bytes.
    pub fn is_shared(&self, bytes: usize) -> bool {
        self.threads(bytes) > 1
    }

    /// Moves the parts of a transfer on a queue, each by a thread through a chunk that is free. Threads that wait for a chunk keep
    /// their processors busy, so this one waits first for whatever may take long on the device.
    pub fn move_parts(
        &self,
        device: &CudaDevice,
        queue: &Queue,
        bytes: usize,
        move_part: MovePart<'_>,
    ) -> Result<()> {
        let ring = self.take_ring(device, bytes)?;
        ring.chunks.iter().try_for_each(|chunk| chunk.wait(device))?;
        if bytes > CHUNKS * ring.size {
            queue.wait(device)?;
        }
        let threads = self.threads(bytes);
        let part = bytes.div_ceil(CHUNKS).next_multiple_of(4096).min(ring.size);
        let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
        self.pool.run(threads, &|thread| {
            let moved = || -> Result<()> {
                device.enter()?;
                for chunk in ring.chunks.iter().skip(thread).step_by(threads).cycle() {
                    let begin = next.fetch_add(1, Ordering::Relaxed) * part;
                    if begin >= bytes {
                        break;
                    }
                    chunk.wait(device)?;
                    move_part(chunk, begin, part.min(bytes - begin))?;
                }
                Ok(())
            };
            if let Err(error) = moved() {
                *failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
            }
        });
        self.give_ring(ring);
        failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).map_or(Ok(()), Err)
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
