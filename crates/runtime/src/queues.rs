//! Async values and the queues behind them; when the host waits; which queue waits for which.
//!
//! OpenACC 3.3 section 2.16. Each async value in use has an in-order queue of the device; constructs
//! without `async` have the sync queue. To the user a construct without `async` is done when the
//! next statement runs. Here it may be still on the sync queue, which nobody can tell as long as
//! - host reads of its effects finish the sync queue first (callers see to that), and
//! - work put on another queue afterwards is ordered after it ([`Queues::before`]).
//!
//! The latter costs an event, so it is done once for each stretch of sync work: `issued` counts
//! operations put on the sync queue, `finished` how many of them the host has waited for, and each
//! other queue remembers the count that it was last ordered after.
//!
//! Invariant: `issued` grows after the operation is on the queue, so a count read from it never
//! stands for work that is still to come.

use crate::clock;
use crate::device::{Device, QueueId, SYNC_QUEUE};
use crate::error::Result;
use crate::location::SourceLocation;
use accl_abi::Site;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock};

/// `acc_async_sync`, `acc_async_noval` and `acc_async_default` of openacc.h.
pub const ASYNC_SYNC: i64 = -1;
pub const ASYNC_NOVAL: i64 = -2;
pub const ASYNC_DEFAULT: i64 = -3;

/// Queues of a device; more async values than this share them.
const MOST_QUEUES: usize = 64;
/// The number of async values, from `ASYNC_NOVAL` on, whose queues are found without a search.
const SMALL: usize = 34;
/// Launches remembered for messages about failed ones.
const REMEMBERED: usize = 8;

pub struct Queue {
    pub id: QueueId,
    /// The async value, for logs.
    pub value: i64,
    ordered_after: AtomicU64,
    /// The site launched last, so that a launch repeated in a loop costs one comparison.
    last: AtomicPtr<Site>,
    recent: Mutex<Vec<SourceLocation>>,
    /// Host memory that the queue's operations write, as far as the host has not waited for them.
    arriving: Mutex<Vec<Arriving>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Arriving {
    begin: usize,
    end: usize,
    from: Origin,
}

/// What brings something to host memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Download,
    /// A launch's reduction; the next one on the queue begins with its result.
    Reduction,
}

/// More stretches than this on one queue count as all of memory.
const MOST_ARRIVING: usize = 256;

impl Queue {
    /// Queues live as long as the process, as their device does.
    fn new(id: QueueId, value: i64) -> &'static Queue {
        Box::leak(Box::new(Queue {
            id,
            value,
            ordered_after: AtomicU64::new(0),
            last: AtomicPtr::default(),
            recent: Mutex::default(),
            arriving: Mutex::default(),
        }))
    }

    pub fn is_sync(&self) -> bool {
        self.id == SYNC_QUEUE
    }

    /// Remembers a launch.
    #[inline]
    pub fn launched(&self, location: SourceLocation) {
        if !std::ptr::eq(self.last.load(Ordering::Relaxed), location.0) {
            self.remember(location);
        }
    }

    fn remember(&self, location: SourceLocation) {
        self.last.store(std::ptr::from_ref(location.0).cast_mut(), Ordering::Relaxed);
        let mut recent = self.recent.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if recent.last().is_some_and(|last| std::ptr::eq(last.0, location.0)) {
            return;
        }
        if recent.len() == REMEMBERED {
            recent.remove(0);
        }
        recent.push(location);
    }

    /// The launches since the queue was last known to be in order, oldest first.
    pub fn recent(&self) -> Vec<SourceLocation> {
        self.recent.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    fn arriving(&self) -> MutexGuard<'_, Vec<Arriving>> {
        self.arriving.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// An operation that writes these bytes was put on the queue.
    pub fn expect(&self, host: usize, bytes: usize, from: Origin) {
        let expected = Arriving { begin: host, end: host.saturating_add(bytes), from };
        let mut arriving = self.arriving();
        if arriving.contains(&expected) {
            return;
        }
        if arriving.len() == MOST_ARRIVING {
            arriving.clear();
            arriving.push(Arriving { begin: 0, end: usize::MAX, from: Origin::Download });
        }
        arriving.push(expected);
    }

    /// Something that the queue has still to do may write some of these bytes.
    pub fn expects(&self, host: usize, bytes: usize) -> bool {
        self.expects_of(host, bytes, |_| true)
    }

    /// A download that the queue has still to do may write some of these bytes.
    pub fn expects_download(&self, host: usize, bytes: usize) -> bool {
        self.expects_of(host, bytes, |from| from == Origin::Download)
    }

    fn expects_of(&self, host: usize, bytes: usize, wanted: impl Fn(Origin) -> bool) -> bool {
        let end = host.saturating_add(bytes);
        self.arriving().iter().any(|a| a.begin < end && host < a.end && wanted(a.from))
    }

    fn forget_arrivals(&self) {
        self.arriving().clear();
    }

    fn forget_launches(&self) {
        self.last.store(std::ptr::null_mut(), Ordering::Relaxed);
        self.recent.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }
}

/// Counts of the sync queue's operations.
#[derive(Default)]
struct Clock {
    issued: AtomicU64,
    finished: AtomicU64,
}

impl Clock {
    /// The count to be ordered after, for a queue that was last ordered after `known`; none where
    /// nothing has come since, or the host has waited for it.
    fn order_needed(&self, known: u64) -> Option<u64> {
        let issued = self.issued.load(Ordering::Acquire);
        (known.max(self.finished.load(Ordering::Acquire)) < issued).then_some(issued)
    }

    /// The count that a wait beginning now will have finished; none where that is done already.
    fn wait_needed(&self) -> Option<u64> {
        self.order_needed(0)
    }

    fn issue(&self) {
        self.issued.fetch_add(1, Ordering::Release);
        clock::issued();
    }

    fn finish(&self, count: u64) {
        self.finished.fetch_max(count, Ordering::Release);
    }
}

pub struct Queues {
    sync: &'static Queue,
    others: RwLock<BTreeMap<i64, &'static Queue>>,
    /// The queues of small async values again, to be found without a lock.
    small: [AtomicPtr<Queue>; SMALL],
    clock: Clock,
}

impl Default for Queues {
    fn default() -> Queues {
        Queues {
            sync: Queue::new(SYNC_QUEUE, ASYNC_SYNC),
            others: RwLock::default(),
            small: [const { AtomicPtr::new(std::ptr::null_mut()) }; SMALL],
            clock: Clock::default(),
        }
    }
}

impl Queues {
    /// The sync queue.
    pub fn sync(&self) -> &'static Queue {
        self.sync
    }

    /// The sync queue, or that of a small async value in use.
    #[inline]
    pub fn at_hand(&self, value: i64) -> Option<&'static Queue> {
        if value == ASYNC_SYNC {
            return Some(self.sync);
        }
        // SAFETY: null, or a queue, which lives for ever.
        unsafe { self.small(value)?.load(Ordering::Acquire).as_ref() }
    }

    #[inline]
    fn small(&self, value: i64) -> Option<&AtomicPtr<Queue>> {
        self.small.get(usize::try_from(value.wrapping_sub(ASYNC_NOVAL)).ok()?)
    }

    /// The queue of an async value, if it was ever used.
    pub fn existing(&self, value: i64) -> Option<&'static Queue> {
        if let Some(queue) = self.at_hand(value) {
            return Some(queue);
        }
        self.others.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&value).copied()
    }

    /// All queues in use, the sync queue first.
    pub fn all(&self) -> Vec<&'static Queue> {
        let others = self.others.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        std::iter::once(&self.sync).chain(others.values()).copied().collect()
    }

    /// The queue of an async value (`ASYNC_SYNC` or a queue's), made at its first use.
    pub fn get(&self, device: &dyn Device, value: i64) -> Result<&'static Queue> {
        if let Some(queue) = self.existing(value) {
            return Ok(queue);
        }
        let mut others = self.others.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(queue) = others.get(&value) {
            return Ok(queue);
        }
        let id = if others.len() < MOST_QUEUES {
            device.new_queue()?
        } else {
            let shared = value.rem_euclid(MOST_QUEUES as i64) as usize;
            others.values().nth(shared).map_or(SYNC_QUEUE, |queue| queue.id)
        };
        let queue = Queue::new(id, value);
        self.insert(&mut others, queue);
        Ok(queue)
    }

    fn insert(&self, others: &mut BTreeMap<i64, &'static Queue>, queue: &'static Queue) {
        others.insert(queue.value, queue);
        if let Some(small) = self.small(queue.value) {
            small.store(std::ptr::from_ref(queue).cast_mut(), Ordering::Release);
        }
    }

    /// Makes a queue of the user's the one of an async value.
    pub fn adopt(&self, value: i64, id: QueueId) {
        let mut others = self.others.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.insert(&mut others, Queue::new(id, value));
    }

    /// To be called before work is put on a queue.
    #[inline]
    pub fn before(&self, device: &dyn Device, queue: &Queue) -> Result<()> {
        if queue.is_sync() {
            return Ok(());
        }
        if let Some(count) = self.clock.order_needed(queue.ordered_after.load(Ordering::Relaxed)) {
            device.order_after(queue.id, SYNC_QUEUE)?;
            queue.ordered_after.fetch_max(count, Ordering::Relaxed);
        }
        Ok(())
    }

    /// To be called after work was put on a queue.
    pub fn after(&self, queue: &Queue) {
        if queue.is_sync() {
            self.clock.issue();
        }
    }

    /// The sync queue may hold what the host has not waited for.
    pub fn has_sync_work(&self) -> bool {
        self.clock.wait_needed().is_some()
    }

    /// The host waits for everything on a queue.
    pub fn finish(&self, device: &dyn Device, queue: &Queue) -> Result<()> {
        let count = self.clock.wait_needed();
        if queue.is_sync() && count.is_none() {
            return Ok(());
        }
        device.finish(queue.id)?;
        queue.forget_launches();
        queue.forget_arrivals();
        if let (true, Some(count)) = (queue.is_sync(), count) {
            self.clock.finish(count);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::device::cpu::CpuDevice;

    #[test]
    fn a_queue_is_ordered_once_for_each_stretch_of_sync_work() {
        let clock = Clock::default();
        assert_eq!(clock.order_needed(0), None);
        clock.issue();
        clock.issue();
        assert_eq!(clock.order_needed(0), Some(2));
        assert_eq!(clock.order_needed(2), None);
        clock.issue();
        assert_eq!(clock.order_needed(2), Some(3));
    }

    #[test]
    fn what_the_host_waited_for_needs_no_order() {
        let clock = Clock::default();
        clock.issue();
        let count = clock.wait_needed();
        assert_eq!(count, Some(1));
        // Comes while the host waits: not covered by that wait.
        clock.issue();
        clock.finish(1);
        assert_eq!(clock.order_needed(0), Some(2));
        clock.finish(2);
        assert_eq!((clock.order_needed(0), clock.wait_needed()), (None, None));
    }

    #[test]
    fn async_values_have_queues_of_their_own_and_share_beyond_the_limit() {
        let device = CpuDevice::open(&Config::from_environment(&|_| None));
        let queues = Queues::default();
        assert!(queues.existing(3).is_none());
        assert!(queues.get(&device, ASYNC_SYNC).unwrap().is_sync());
        let (one, two) = (queues.get(&device, 1).unwrap(), queues.get(&device, ASYNC_NOVAL).unwrap());
        assert!(one.id != two.id && one.id != SYNC_QUEUE);
        assert_eq!(queues.get(&device, 1).unwrap().id, one.id);
        let ids: std::collections::BTreeSet<u32> =
            (0..1000).map(|value| queues.get(&device, value).unwrap().id.0).collect();
        assert!(ids.len() <= MOST_QUEUES && ids.len() > MOST_QUEUES / 2);
        assert_eq!(queues.all()[0].id, SYNC_QUEUE);
    }

    #[test]
    fn the_last_launches_are_remembered_without_repetition() {
        static SITES: [accl_abi::Site; 10] = [const { crate::location::routine(c"r") }; 10];
        let queue = Queue::new(SYNC_QUEUE, ASYNC_SYNC);
        for site in &SITES {
            queue.launched(SourceLocation(site));
            queue.launched(SourceLocation(site));
        }
        let recent = queue.recent();
        assert_eq!(recent.len(), REMEMBERED);
        assert!(std::ptr::eq(recent[0].0, &SITES[2]) && std::ptr::eq(recent[7].0, &SITES[9]));
    }
}
