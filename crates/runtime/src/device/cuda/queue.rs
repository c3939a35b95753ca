//! Streams, and what each still has to bring to host memory ([`Arrivals`]).
//!
//! `finish` is the only place where it is brought, so effects on host memory appear at waits and at no other time.
//!
//! Invariants: arrivals are taken and brought under `bringing`, so that of two threads that wait for the same queue, or for
//! one that follows it, neither returns before everything is in place; buffers of `scratch` belong to one queue, and are
//! used by one launch after the other.

use super::api::{self, Api, Handle};
use super::arrivals::{Arrival, Arrivals};
use super::launch::Scratch;
use super::{CudaDevice, QueueId};
use crate::device::queue_list::QueueList;
use crate::error::Result;
use smallvec::SmallVec;
use std::ffi::c_uint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

pub struct Queue {
    pub stream: Handle,
    /// Recorded to order other queues after this one.
    event: Handle,
    arrivals: Mutex<Arrivals<Arrival>>,
    pub scratch: Mutex<Scratch>,
}

// SAFETY: streams and events may be used from any thread with the context current.
unsafe impl Send for Queue {}
// SAFETY: as above.
unsafe impl Sync for Queue {}

pub struct Queues {
    list: QueueList<Queue>,
    /// Arrivals of all queues so far.
    arrivals: AtomicU64,
    bringing: Mutex<()>,
}

/// An event. `flags` is 0 for one that measures time.
pub fn event(api: &Api, flags: c_uint) -> Result<Handle> {
    let mut event = std::ptr::null_mut();
    // SAFETY: room for the handle.
    api.check(unsafe { (api.cuEventCreate)(&raw mut event, flags) }, "cuEventCreate")?;
    Ok(event)
}

impl Queues {
    /// With the sync queue.
    pub fn new(api: &Api) -> Result<Queues> {
        let queues =
            Queues { list: QueueList::default(), arrivals: AtomicU64::new(0), bringing: Mutex::default() };
        queues.create(api)?;
        Ok(queues)
    }

    pub fn create(&self, api: &Api) -> Result<QueueId> {
        let mut stream = std::ptr::null_mut();
        // Flags 0: in order with the legacy default stream, where libraries work.
        // SAFETY: room for the handle.
        api.check(unsafe { (api.cuStreamCreate)(&raw mut stream, 0) }, "cuStreamCreate")?;
        self.adopt(api, stream)
    }

    pub fn adopt(&self, api: &Api, stream: Handle) -> Result<QueueId> {
        let event = event(api, api::EVENT_NO_TIMING)?;
        self.list.add(Queue { stream, event, arrivals: Mutex::default(), scratch: Mutex::default() })
    }

    pub fn get(&self, queue: QueueId) -> Result<&Queue> {
        self.list.get(queue)
    }

    pub fn order(&self, api: &Api, later: QueueId, earlier: QueueId) -> Result<()> {
        if later == earlier {
            return Ok(());
        }
        let (id, later, earlier) = (earlier, self.get(later)?, self.get(earlier)?);
        // What has a smaller number is on the stream.
        let before = self.arrivals.load(Ordering::Acquire);
        let following = earlier.arrivals().with_own(id, before);
        // The wait is for the record just made, or for a later one of another thread.
        // SAFETY: live streams and event.
        unsafe {
            api.check((api.cuEventRecord)(earlier.event, earlier.stream), "cuEventRecord")?;
            api.check((api.cuStreamWaitEvent)(later.stream, earlier.event, 0), "cuStreamWaitEvent")?;
        }
        if !following.is_empty() {
            later.arrivals().follow(following);
        }
        Ok(())
    }
}

impl Queue {
    fn arrivals(&self) -> MutexGuard<'_, Arrivals<Arrival>> {
        self.arrivals.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Remembers something that is on the stream, for `finish`.
    pub fn expect(&self, device: &CudaDevice, arrival: Arrival) {
        let mut arrivals = self.arrivals();
        let number = device.queues.arrivals.fetch_add(1, Ordering::AcqRel);
        arrivals.push(number, arrival);
    }

    /// The slot of a result that is on its way to this variable.
    pub fn expected_result(&self, variable: *mut u8) -> Option<*mut u8> {
        self.arrivals().own().rev().find_map(|arrival| match arrival {
            Arrival::Result { slot, to, .. } if *to == variable => Some(*slot),
            _ => None,
        })
    }

    /// To be called before these bytes of host memory are written other than by an arrival: an earlier one that a wait
    /// would bring later comes first.
    pub fn bring_earlier(&self, device: &CudaDevice, to: *const u8, bytes: usize) -> Result<()> {
        let (begin, end) = (to as usize, to as usize + bytes);
        let writes = |queue: &Queue| {
            let there = |range: std::ops::Range<usize>| range.start < end && begin < range.end;
            queue.arrivals().own().any(|arrival| there(arrival.range()))
        };
        let mut found = writes(self);
        for id in self.arrivals().following().into_keys() {
            found |= writes(device.queues.get(id)?);
        }
        if found { self.finish(device) } else { Ok(()) }
    }

    /// Waits for the stream only.
    pub fn wait(&self, device: &CudaDevice) -> Result<()> {
        // SAFETY: a live stream.
        device.api.check(unsafe { (device.api.cuStreamSynchronize)(self.stream) }, "cuStreamSynchronize")
    }

    pub fn finish(&self, device: &CudaDevice) -> Result<()> {
        let queues = &device.queues;
        // What comes onto the stream while this thread waits is for the next `finish`.
        let (before, following) = (queues.arrivals.load(Ordering::Acquire), self.arrivals().following());
        self.wait(device)?;
        let _bringing = queues.bringing.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut arrived: SmallVec<[(u64, &Queue, Arrival); 4]> = SmallVec::new();
        arrived.extend(self.arrivals().take(before).map(|(number, arrival)| (number, self, arrival)));
        if !following.is_empty() {
            for (id, before) in &following {
                let queue = queues.get(*id)?;
                arrived
                    .extend(queue.arrivals().take(*before).map(|(number, arrival)| (number, queue, arrival)));
            }
            arrived.sort_by_key(|(number, ..)| *number);
            self.arrivals().forget(&following);
        }
        for (_, queue, arrival) in arrived {
            queue.bring(device, arrival);
        }
        Ok(())
    }

    fn bring(&self, device: &CudaDevice, arrival: Arrival) {
        match arrival {
            Arrival::Result { slot, to, bytes } => {
                // SAFETY: the kernel that wrote the slot is done; the user's variable is there.
                unsafe { std::ptr::copy_nonoverlapping(slot, to, bytes) };
                self.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).give_slot(slot);
            }
            Arrival::Block { block, to, shape } => {
                for row in 0..shape.rows {
                    // SAFETY: the transfer is done; the block has all rows, packed.
                    unsafe {
                        let source = block.address.add(row * shape.width);
                        device.staging.copy(to.add(row * shape.pitch), source, shape.width);
                    }
                }
                device.staging.give_block(block);
            }
        }
    }

    pub fn finished(&self, device: &CudaDevice) -> Result<bool> {
        // SAFETY: a live stream.
        let code = unsafe { (device.api.cuStreamQuery)(self.stream) };
        if code == api::NOT_READY {
            return Ok(false);
        }
        device.api.check(code, "cuStreamQuery")?;
        self.finish(device)?;
        Ok(true)
    }
}
