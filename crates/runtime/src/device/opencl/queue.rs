//! In-order command queues, and what each keeps alive until it is finished.
//!
//! Invariants: memory in `kept` is not freed before the commands that read it are done; buffers of
//! `scratch` belong to one queue and are used by one launch after the other.

use super::api::{self, Api, Handle, check};
use super::launch::Scratch;
use super::{Mark, QueueId};
use crate::device::queue_list::QueueList;
use crate::error::{DeviceError, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kept memory beyond this is worth a wait.
const KEPT_MOST: usize = 64 << 20;

pub struct Queue {
    pub handle: Handle,
    /// Commands put on the queue so far.
    commands: AtomicU64,
    /// How many of them the host has waited for.
    waited: AtomicU64,
    /// A marker, and the count of commands that come before it.
    probe: Mutex<Option<(usize, u64)>>,
    kept: Mutex<(usize, Vec<Box<[u8]>>)>,
    pub scratch: Mutex<Scratch>,
}

// SAFETY: command queues may be used from any thread.
unsafe impl Send for Queue {}
// SAFETY: as above.
unsafe impl Sync for Queue {}

pub struct Queues {
    list: QueueList<Queue>,
    pub profiling: bool,
}

impl Queues {
    pub fn new(api: &Api, context: Handle, device: Handle, profiling: bool) -> Result<Queues> {
        let queues = Queues { list: QueueList::default(), profiling };
        queues.create(api, context, device)?;
        Ok(queues)
    }

    pub fn create(&self, api: &Api, context: Handle, device: Handle) -> Result<QueueId> {
        let properties = if self.profiling { api::QUEUE_PROFILING } else { 0 };
        let mut code = 0;
        // SAFETY: a device of the context.
        let handle = unsafe { (api.clCreateCommandQueue)(context, device, properties, &raw mut code) };
        check(code, "clCreateCommandQueue")?;
        self.list.add(Queue {
            handle,
            commands: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            probe: Mutex::new(None),
            kept: Mutex::default(),
            scratch: Mutex::default(),
        })
    }

    pub fn get(&self, queue: QueueId) -> Result<&Queue> {
        self.list.get(queue)
    }

    pub fn order(&self, api: &Api, later: QueueId, earlier: QueueId) -> Result<()> {
        let (later, earlier) = (self.get(later)?, self.get(earlier)?);
        let event = earlier.marker(api)?;
        // SAFETY: the event was just made; commands on another queue need it flushed.
        unsafe {
            check((api.clFlush)(earlier.handle), "clFlush")?;
            later.busy();
            let code =
                (api.clEnqueueBarrierWithWaitList)(later.handle, 1, &raw const event, std::ptr::null_mut());
            (api.clReleaseEvent)(event);
            check(code, "clEnqueueBarrierWithWaitList")
        }
    }
}

impl Queue {
    /// To be called before each command.
    pub fn busy(&self) {
        self.commands.fetch_add(1, Ordering::Release);
    }

    /// An event after everything on the queue.
    pub fn marker(&self, api: &Api) -> Result<Handle> {
        let mut event = std::ptr::null_mut();
        // SAFETY: no wait list; the event is ours to release.
        let code =
            unsafe { (api.clEnqueueMarkerWithWaitList)(self.handle, 0, std::ptr::null(), &raw mut event) };
        check(code, "clEnqueueMarkerWithWaitList")?;
        Ok(event)
    }

    /// Keeps memory until the queue is finished. The command that reads it is on the queue already:
    /// a `finish` of another thread drops all that is kept when it begins.
    pub fn keep(&self, api: &Api, copy: Box<[u8]>) -> Result<()> {
        let mut kept = self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.0 += copy.len();
        kept.1.push(copy);
        let much = kept.0 > KEPT_MOST;
        drop(kept);
        if much { self.finish(api) } else { Ok(()) }
    }

    pub fn finish(&self, api: &Api) -> Result<()> {
        // What other threads put on the queue meanwhile stays kept.
        let commands = self.commands.load(Ordering::Acquire);
        let kept = std::mem::take(&mut *self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        let scratch = || self.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let awaited = scratch().take_awaited();
        // SAFETY: a live queue.
        let result = check(unsafe { (api.clFinish)(self.handle) }, "clFinish");
        drop(kept);
        if !awaited.is_empty() {
            scratch().give_back(awaited);
        }
        self.waited.fetch_max(commands, Ordering::Release);
        result
    }

    /// True where everything put on the queue by now is done. The marker is kept between calls:
    /// one made anew by each call would itself be what is not done yet.
    pub fn finished(&self, api: &Api) -> Result<bool> {
        let mut probe = self.probe.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let commands = self.commands.load(Ordering::Acquire);
        if self.waited.load(Ordering::Acquire) >= commands {
            return Ok(true);
        }
        let event = match *probe {
            Some((event, before)) if before == commands => event as Handle,
            _ => {
                let event = self.marker(api)?;
                // SAFETY: a live queue, and the old marker, which only this function knows.
                unsafe {
                    check((api.clFlush)(self.handle), "clFlush")?;
                    if let Some((old, _)) = probe.take() {
                        (api.clReleaseEvent)(old as Handle);
                    }
                }
                *probe = Some((event as usize, commands));
                event
            }
        };
        let mut status = 0i32;
        // SAFETY: a live event, and room for its status.
        let code = unsafe {
            (api.clGetEventInfo)(
                event,
                api::EVENT_EXECUTION_STATUS,
                4,
                (&raw mut status).cast(),
                std::ptr::null_mut(),
            )
        };
        check(code, "clGetEventInfo")?;
        if status < 0 {
            check(status, "a command")?
        }
        Ok(status == 0)
    }
}

/// Nanoseconds on the device's clock.
pub fn time(api: &Api, mark: Mark) -> Result<f64> {
    let Mark::Event(event) = mark else { return Err(DeviceError::new("a mark of another device")) };
    let mut time = 0u64;
    // SAFETY: a live event, and room for the time.
    let code = unsafe {
        (api.clGetEventProfilingInfo)(
            event as Handle,
            api::PROFILING_END,
            8,
            (&raw mut time).cast(),
            std::ptr::null_mut(),
        )
    };
    check(code, "clGetEventProfilingInfo")?;
    Ok(time as f64)
}
