//! Queues of the cpu device: names only, since every operation is done when its call returns.

use crate::device::QueueId;
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Queues {
    next: AtomicU32,
}

impl Queues {
    /// The sync queue exists from the start.
    pub fn new() -> Queues {
        Queues { next: AtomicU32::new(1) }
    }

    pub fn create(&self) -> QueueId {
        QueueId(self.next.fetch_add(1, Ordering::Relaxed))
    }
}
