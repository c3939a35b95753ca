//! Device memory that is kept for the next use.
//!
//! Programs create and delete the same arrays again and again around their compute constructs;
//! asking the driver each time costs more than the kernels. Freed blocks stay in lists by size
//! class and are handed out again without any waiting: a block remembers the queue it was freed
//! on, and a different queue that gets it is ordered after that one.
//!
//! Invariants: a block is in a list or in use, never both; size classes waste at most an eighth of
//! large blocks; memory goes back to the device when it refuses an allocation, or at shutdown.

use crate::device::{Device, QueueId};
use crate::error::Result;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Memory of a device. `bytes` is what was allocated, at least what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub address: u64,
    pub bytes: usize,
}

#[derive(Default)]
pub struct Pool {
    free: Mutex<BTreeMap<usize, Vec<(u64, QueueId)>>>,
}

/// The size of block that serves a request.
fn class(bytes: usize) -> usize {
    const SMALLEST: usize = 512;
    if bytes <= SMALLEST {
        return SMALLEST;
    }
    // Eight classes between two powers of two.
    let step = (bytes.next_power_of_two() / 16).max(SMALLEST);
    bytes.checked_next_multiple_of(step).unwrap_or(bytes)
}

impl Pool {
    fn lists(&self) -> std::sync::MutexGuard<'_, BTreeMap<usize, Vec<(u64, QueueId)>>> {
        self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A block for use on `queue`.
    pub fn take(&self, device: &dyn Device, bytes: usize, queue: QueueId) -> Result<Block> {
        let bytes = class(bytes);
        let kept = self.lists().get_mut(&bytes).and_then(|list| {
            let same = list.iter().rposition(|(_, freed_on)| *freed_on == queue);
            same.map(|position| list.remove(position)).or_else(|| list.pop())
        });
        if let Some((address, freed_on)) = kept {
            if freed_on != queue {
                device.order_after(queue, freed_on)?;
            }
            return Ok(Block { address, bytes });
        }
        let address = device.allocate(bytes).or_else(|error| {
            if self.trim(device)? == 0 {
                return Err(error);
            }
            device.allocate(bytes)
        })?;
        Ok(Block { address, bytes })
    }

    /// Takes a block back; work already on `queue` may still use it.
    pub fn give(&self, block: Block, queue: QueueId) {
        self.lists().entry(block.bytes).or_default().push((block.address, queue));
    }

    /// Gives all free blocks back to the device; returns how many bytes they had.
    pub fn trim(&self, device: &dyn Device) -> Result<usize> {
        let lists = std::mem::take(&mut *self.lists());
        let mut total = 0;
        for (bytes, list) in lists {
            for (address, queue) in list {
                device.finish(queue)?;
                // SAFETY: the block came from `allocate` and the work on it is done.
                unsafe { device.release(address, bytes)? };
                total += bytes;
            }
        }
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::device::cpu::CpuDevice;

    #[test]
    fn classes_hold_and_waste_little() {
        for bytes in [0usize, 1, 512, 513, 1000, 4096, 4097, 100_000, 1 << 20, (1 << 20) + 1, 3_000_001] {
            let class = class(bytes);
            assert!(class >= bytes);
            assert!(class <= 1024.max(bytes + bytes / 7), "{bytes} → {class}");
        }
    }

    #[test]
    fn blocks_come_back() {
        let device = CpuDevice::open(&Config::from_environment(&|_| None));
        let pool = Pool::default();
        let first = pool.take(&device, 1000, QueueId(0)).unwrap();
        let second = pool.take(&device, 1000, QueueId(0)).unwrap();
        assert_ne!(first.address, second.address);
        pool.give(first, QueueId(1));
        pool.give(second, QueueId(0));
        assert_eq!(pool.take(&device, 900, QueueId(1)).unwrap(), first);
        pool.give(first, QueueId(1));
        assert_eq!(pool.trim(&device).unwrap(), 2048);
    }
}
