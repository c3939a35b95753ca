//! Reading ahead: what the host is about to read comes home while it still reads what came before.
//!
//! A program that reads an object page after page, and has had large pieces already, gets the rest by a thread of the runtime's,
//! piece by piece, as file systems do it. The thread ends when a kernel uses the object, when anybody else wants it, or
//! when all of it is at home: a launch waits for one piece at most.

use super::device_copy;
use super::objects::HostObject;
use crate::error::guard_host;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// There is one thread.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);
/// The program ends.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Begins to read ahead of the last page that was brought, unless another object is read so.
pub fn begin(object: &Arc<HostObject>) {
    if IS_RUNNING.swap(true, Ordering::SeqCst) {
        return;
    }
    let object = object.clone();
    let read = move || {
        guard_host(|| {
            let mut goes_on = true;
            while goes_on && !IS_OVER.load(Ordering::SeqCst) {
                goes_on = device_copy::read_ahead(&object);
            }
        });
        IS_RUNNING.store(false, Ordering::SeqCst);
    };
    if std::thread::Builder::new().name("accl-ahead".into()).spawn(read).is_err() {
        IS_RUNNING.store(false, Ordering::SeqCst);
    }
}

/// Waits for the piece that is under way, and begins no other: the device's library is about to end.
pub fn end() {
    IS_OVER.store(true, Ordering::SeqCst);
    while IS_RUNNING.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
}
