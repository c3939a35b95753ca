//! Copies from one device's memory to another's, for `acc_memcpy_d2d` and `omp_target_memcpy`.
//!
//! Where a device reaches the other's memory itself, the copy is work of a queue; else the bytes go through the host's memory.
//!
//! The copy is on a queue of one of both devices, in order with what is there. Of the other device what synchronous
//! constructs have put on its sync queue is done before; a synchronous copy is done when it returns.

use crate::call::CallContext;
use crate::error::Result;
use crate::queues::ASYNC_SYNC;
use crate::state::DeviceState;

/// So that copies through the host need little of its memory.
const PIECE: usize = 64 << 20;

/// A place in a device's memory.
#[derive(Clone, Copy)]
pub struct Place {
    pub state: &'static DeviceState,
    pub address: u64,
}

impl Place {
    fn is_on(self, state: &DeviceState) -> bool {
        std::ptr::eq(self.state, state)
    }
}

/// Copies bytes between two different devices, one of which is the call's.
pub fn copy(call: &CallContext, to: Place, from: Place, bytes: usize) {
    let other = if to.is_on(call.state) { from.state } else { to.state };
    other.finish(call.location, other.queue(call.location, ASYNC_SYNC));
    let mut done = false;
    call.put("a copy between devices", |queue| {
        let (target, source) = ((&*to.state.device, to.address), (&*from.state.device, from.address));
        // SAFETY: the user's device addresses.
        done = unsafe { call.state.device.copy_between(queue, target, source, bytes)? };
        Ok(())
    });
    if !done {
        for begin in (0..bytes).step_by(PIECE) {
            let at = |place: Place| Place { address: place.address + begin as u64, ..place };
            through_host(call, at(to), at(from), PIECE.min(bytes - begin));
        }
    }
    call.finish_if_sync();
}

/// The side that is the call's device uses the call's queue, the other one its sync queue.
fn through_host(call: &CallContext, to: Place, from: Place, bytes: usize) {
    let mut between = vec![0u8; bytes];
    let put = |place: Place, work: &mut dyn FnMut(&DeviceState, crate::device::QueueId) -> Result<()>| {
        let synchronous = CallContext::on(place.state, call.location);
        let call = if place.is_on(call.state) { call } else { &synchronous };
        call.put("a copy between devices", |queue| work(place.state, queue));
        call.queue
    };
    let queue = put(from, &mut |state, queue| {
        // SAFETY: the user's device address; the queue is finished before the bytes are read.
        unsafe { state.device.download(queue, from.address, between.as_mut_ptr(), bytes) }
    });
    from.state.finish(call.location, queue);
    let queue = put(to, &mut |state, queue| {
        // SAFETY: the user's device address; the bytes have been read when this returns.
        unsafe { state.device.upload(queue, to.address, between.as_ptr(), bytes) }
    });
    if !to.is_on(call.state) {
        to.state.finish(call.location, queue);
    }
}
