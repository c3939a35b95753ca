//! Streams, and what each still has to bring to host memory.
//!
//! A download or a reduction's result arrives in pinned memory; `finish` copies it to where the
//! user wants it. That is the only place where it is done, so effects on host memory appear at
//! waits and at no other time.
//!
//! Invariants: `arrivals` is emptied under `finishing`, so that of two threads that wait for the
//! same queue neither returns before everything is in place; buffers of `scratch` belong to one
//! queue, and are used by one launch after the other.

use super::api::{self, Api, Handle};
use super::launch::Scratch;
use super::staging::Block;
use super::{CudaDevice, QueueId, Rectangle};
use crate::device::queue_list::QueueList;
use crate::error::Result;
use std::ffi::c_uint;
use std::sync::Mutex;

/// Something on its way to host memory.
pub enum Arrival {
    Block {
        block: Block,
        to: *mut u8,
        shape: Rectangle,
    },
    /// A reduction's result in a slot of `scratch`.
    Result {
        slot: *mut u8,
        to: *mut u8,
        bytes: usize,
    },
}

// SAFETY: the memory is the queue's or the user's until the arrival is handled, once.
unsafe impl Send for Arrival {}

pub struct Queue {
    pub stream: Handle,
    /// Recorded to order other queues after this one.
    event: Handle,
    finishing: Mutex<()>,
    arrivals: Mutex<Vec<Arrival>>,
    pub scratch: Mutex<Scratch>,
}

// SAFETY: streams and events may be used from any thread with the context current.
unsafe impl Send for Queue {}
// SAFETY: as above.
unsafe impl Sync for Queue {}

pub struct Queues {
    list: QueueList<Queue>,
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
        let queues = Queues { list: QueueList::default() };
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
        self.list.add(Queue {
            stream,
            event,
            finishing: Mutex::default(),
            arrivals: Mutex::default(),
            scratch: Mutex::default(),
        })
    }

    pub fn get(&self, queue: QueueId) -> Result<&Queue> {
        self.list.get(queue)
    }

    pub fn order(&self, api: &Api, later: QueueId, earlier: QueueId) -> Result<()> {
        let (later, earlier) = (self.get(later)?, self.get(earlier)?);
        // The wait is for the record just made, or for a later one of another thread.
        // SAFETY: live streams and event.
        unsafe {
            api.check((api.cuEventRecord)(earlier.event, earlier.stream), "cuEventRecord")?;
            api.check((api.cuStreamWaitEvent)(later.stream, earlier.event, 0), "cuStreamWaitEvent")
        }
    }
}

impl Queue {
    fn arrivals(&self) -> std::sync::MutexGuard<'_, Vec<Arrival>> {
        self.arrivals.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Remembers something that is on the stream, for `finish`.
    pub fn expect(&self, arrival: Arrival) {
        self.arrivals().push(arrival);
    }

    /// The slot of a result that is on its way to this variable.
    pub fn expected_result(&self, variable: *mut u8) -> Option<*mut u8> {
        self.arrivals().iter().rev().find_map(|arrival| match arrival {
            Arrival::Result { slot, to, .. } if *to == variable => Some(*slot),
            _ => None,
        })
    }

    /// Waits for the stream only.
    pub fn wait(&self, device: &CudaDevice) -> Result<()> {
        // SAFETY: a live stream.
        device.api.check(unsafe { (device.api.cuStreamSynchronize)(self.stream) }, "cuStreamSynchronize")
    }

    pub fn finish(&self, device: &CudaDevice) -> Result<()> {
        let _finishing = self.finishing.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // What comes onto the stream while this thread waits is for the next `finish`.
        let mut arrived = std::mem::take(&mut *self.arrivals());
        self.wait(device)?;
        for arrival in arrived.drain(..) {
            self.bring(device, arrival);
        }
        // The list's memory is used again where nothing came meanwhile.
        let mut arrivals = self.arrivals();
        if arrivals.is_empty() {
            *arrivals = arrived;
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
