//! One call into the runtime: where it comes from, on which device and on which queue it works.
//!
//! Everything that a directive or a routine does gets the context of its call. It names the source location for messages,
//! puts work on the queue in the order that the user may rely on, and looks data up in the device's present table.

use crate::device::QueueId;
use crate::error::{Result, fatal};
use crate::location::SourceLocation;
use crate::log;
use crate::present::{Mapping, Presence, PresentTable};
use crate::profile::{Label, Work};
use crate::profiling::{self, About, Data, Event};
use crate::queues::{ASYNC_SYNC, Queue};
use crate::state::{DeviceState, current};
use crate::target_info;
use std::sync::MutexGuard;

/// One call into the runtime: where from, on which device, on which queue.
pub struct CallContext {
    pub state: &'static DeviceState,
    pub location: SourceLocation,
    pub queue: &'static Queue,
}

impl CallContext {
    #[inline]
    pub fn new(location: SourceLocation, async_value: i64) -> CallContext {
        let state = current(location);
        CallContext { state, location, queue: state.queue(location, async_value) }
    }

    /// A synchronous call for a device that need not be the thread's.
    pub fn on(state: &'static DeviceState, location: SourceLocation) -> CallContext {
        CallContext { state, location, queue: state.queue(location, ASYNC_SYNC) }
    }

    /// Puts work on the queue, in order with the sync queue.
    #[inline]
    pub fn put(&self, doing: &str, work: impl FnOnce(QueueId) -> Result<()>) {
        let (state, queue) = (self.state, self.queue);
        let result = state.queues.before(&*state.device, queue).and_then(|()| work(queue.id));
        state.queues.after(queue);
        if let Err(error) = result {
            state.fail(self.location, Some(queue), doing, &error);
        }
    }

    /// Puts a transfer on the queue, which is told, logged and measured. Of data with gaps, `data` has the first place.
    pub fn transfer(&self, work: Work, line: i32, data: Data, operation: impl FnOnce(QueueId) -> Result<()>) {
        let Data { name, bytes, .. } = data;
        let event = if work == Work::Upload { Event::Upload } else { Event::Download };
        target_info::copied(self, event == Event::Upload, data);
        let _event = profiling::transfer(event, || About::of(self), || data);
        log::transfer(work.name(), self.state, self.location, line, self.queue, name, bytes);
        let queue = self.queue.value;
        let label = Label {
            work,
            location: self.location,
            line,
            name,
            variant: None,
            kernel: None,
            bytes,
            predicted: 0.0,
            queue,
        };
        self.put("a transfer", |queue| {
            self.state.profile.timed(&*self.state.device, queue, label, || operation(queue))
        });
    }

    /// Waits for the queue if this call is synchronous.
    pub fn finish_if_sync(&self) {
        if self.queue.is_sync() {
            self.state.finish(self.location, self.queue);
        }
    }

    pub fn fatal(&self, line: i32, message: &str, notes: &[String]) -> ! {
        fatal(self.location, line, message, notes)
    }

    /// The device's address of what is present at a host address, for the program's use.
    pub fn on_device(&self, host: usize, bytes: usize) -> Option<u64> {
        let (mut table, Presence::Inside(start)) = self.find(host, bytes) else { return None };
        let mapping = table.get_mut(start)?;
        mapping.given = true;
        Some(mapping.translate(host))
    }

    /// Looks a stretch up; waits where another thread is still making it.
    pub fn find(&self, host: usize, bytes: usize) -> (MutexGuard<'static, PresentTable>, Presence) {
        let mut table = self.state.table();
        loop {
            let found = table.find(host, bytes);
            let busy = match found {
                Presence::Inside(start) => table.get(start).is_some_and(|mapping| mapping.busy),
                Presence::Absent | Presence::Partial(_) => false,
            };
            if !busy {
                return (table, found);
            }
            table = self.state.ready.wait(table).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// Looks up one of several stretches in a row: the table is locked once for all of them, unless one has to be
    /// waited for.
    pub fn find_in(&self, locked: &mut LockedTable, host: usize, bytes: usize) -> Presence {
        let table = locked.get_or_insert_with(|| self.state.table());
        let found = table.find(host, bytes);
        match found {
            Presence::Inside(start) if table.get(start).is_some_and(|mapping| mapping.busy) => {
                drop(locked.take());
                let (table, found) = self.find(host, bytes);
                *locked = Some(table);
                found
            }
            Presence::Inside(_) | Presence::Absent | Presence::Partial(_) => found,
        }
    }

    /// The mapping around a stretch, if there is one; waits where another thread is still making it.
    #[inline]
    pub fn mapping<'t>(
        &self,
        locked: &'t mut LockedTable,
        host: usize,
        bytes: usize,
    ) -> Option<&'t mut Mapping> {
        let table = locked.get_or_insert_with(|| self.state.table());
        match table.at_hand(host, bytes) {
            Some(slot) => locked.as_mut()?.in_slot(slot),
            None => self.mapping_found(locked, host, bytes),
        }
    }

    #[inline(never)]
    fn mapping_found<'t>(
        &self,
        locked: &'t mut LockedTable,
        host: usize,
        bytes: usize,
    ) -> Option<&'t mut Mapping> {
        let Presence::Inside(start) = self.find_in(locked, host, bytes) else { return None };
        locked.as_mut()?.get_mut(start)
    }

    /// Lets the call's queue wait for what is on another one now.
    pub fn order_after(&self, other: QueueId) {
        if let Err(error) = self.state.device.order_after(self.queue.id, other) {
            self.state.fail(self.location, Some(self.queue), "ordering queues", &error);
        }
    }
}

/// The present table once it is locked; `None` until somebody looks something up.
pub type LockedTable = Option<MutexGuard<'static, PresentTable>>;
