//! Bytes between host and device, as they are.
//!
//! Transfers are put on the queue of their call. Devices take the values of host memory when an upload is put on a queue, and
//! have written it when the queue was waited for; so an upload from memory that some queue has still to write waits for that
//! queue first.

use crate::call::CallContext;
use crate::location::Name;
use crate::profile::Work;
use crate::profiling::Data;
use crate::queues::{Origin, Queue};
use crate::residency::touch;

/// The host waits for queues that have still to write this memory, which the program may have ordered before the upload by
/// `wait(1) async(2)`.
pub fn await_arrivals(call: &CallContext, host: usize, bytes: usize) {
    touch(host, bytes, false);
    finish_where(call, |queue| queue.expects(host, bytes));
}

/// The host waits for the asynchronous queues of which this holds.
pub fn finish_where(call: &CallContext, holds: impl Fn(&Queue) -> bool) {
    for queue in call.state.queues.all() {
        if !queue.is_sync() && holds(queue) {
            call.state.finish(call.location, queue);
        }
    }
}

/// A download to these bytes was put on the call's queue.
pub fn expect(call: &CallContext, host: usize, bytes: usize) {
    if !call.queue.is_sync() {
        call.queue.expect(host, bytes, Origin::Download);
    }
}

/// Copies from host to device.
pub fn send(call: &CallContext, name: Name, line: i32, host: usize, device: u64, bytes: usize) {
    touch(host, bytes, false);
    send_current(call, name, line, host, device, bytes);
}

/// As [`send`], of host memory that is known to be current.
pub fn send_current(call: &CallContext, name: Name, line: i32, host: usize, device: u64, bytes: usize) {
    finish_where(call, |queue| queue.expects(host, bytes));
    call.transfer(Work::Upload, line, Data { name, bytes, host, device }, |queue| {
        // SAFETY: the section is the user's, and present (or just made) on the device.
        unsafe { call.state.device.upload(queue, device, host as *const u8, bytes) }
    });
}

/// Copies from device to host.
pub fn receive(call: &CallContext, name: Name, line: i32, host: usize, device: u64, bytes: usize) {
    touch(host, bytes, true);
    receive_current(call, name, line, host, device, bytes);
}

/// As [`receive`], to host memory that is known to be the host's to write.
pub fn receive_current(call: &CallContext, name: Name, line: i32, host: usize, device: u64, bytes: usize) {
    call.transfer(Work::Download, line, Data { name, bytes, host, device }, |queue| {
        // SAFETY: as in `send`; the user keeps the memory until the queue is waited for.
        unsafe { call.state.device.download(queue, device, host as *mut u8, bytes) }
    });
    expect(call, host, bytes);
}

/// Writes a pointer in device memory; does nothing where memory is shared.
pub fn write_pointer(call: &CallContext, slot: u64, value: u64) {
    if call.state.shared() {
        return;
    }
    if let Err(error) = call.state.device.prepare_for_pointers() {
        call.state.fail(call.location, None, "attaching a pointer", &error);
    }
    call.put("attaching a pointer", |queue| {
        // SAFETY: the slot lies in a present section; the value is read before this returns.
        unsafe { call.state.device.upload(queue, slot, (&raw const value).cast(), size_of::<u64>()) }
    });
}
