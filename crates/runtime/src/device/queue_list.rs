//! The queues of a device, by number. Queues are added and never taken away, so a look-up needs no lock.

use super::QueueId;
use crate::error::{DeviceError, Result};
use std::sync::{Mutex, OnceLock};

/// Queues of a device, those of the user's streams included.
const MOST: usize = 256;

pub struct QueueList<Q> {
    list: [OnceLock<Q>; MOST],
    /// How many there are; held while one is added.
    count: Mutex<usize>,
}

impl<Q> Default for QueueList<Q> {
    fn default() -> QueueList<Q> {
        QueueList { list: [const { OnceLock::new() }; MOST], count: Mutex::new(0) }
    }
}

impl<Q> QueueList<Q> {
    pub fn add(&self, queue: Q) -> Result<QueueId> {
        let mut count = self.count.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let free = self.list.get(*count).is_some_and(|slot| slot.set(queue).is_ok());
        if !free {
            return Err(DeviceError::new(format!("there are {MOST} queues already")));
        }
        *count += 1;
        Ok(QueueId(*count as u32 - 1))
    }

    #[inline]
    pub fn get(&self, queue: QueueId) -> Result<&Q> {
        let queue = self.list.get(queue.0 as usize).and_then(OnceLock::get);
        queue.ok_or_else(|| DeviceError::new("there is no such queue"))
    }
}
