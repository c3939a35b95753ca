//! Reading ahead: what the host is about to read comes home while it still reads what came before.
//!
//! A program that reads an object page after page, and has had large pieces already, gets what follows by a thread of the runtime's,
//! piece by piece, as file systems do it. The thread lets others have the object between two pieces, and stops when a
//! kernel uses it, or when it is far ahead of the last access that was noticed: a launch waits for one piece at most.

use super::device_copy;
use super::objects::HostObject;
use crate::error::guard_host;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the thread is to do.
struct State {
    is_started: bool,
    /// The object to be read ahead, until the thread has seen to it.
    object: Option<Arc<HostObject>>,
    /// The program ends.
    is_over: bool,
}

static STATE: Mutex<State> = Mutex::new(State { is_started: false, object: None, is_over: false });
static CHANGED: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to read ahead of the last page that was brought, unless another object is read so.
pub fn begin(object: &Arc<HostObject>) {
    let mut state = state();
    if state.object.is_some() || state.is_over {
        return;
    }
    if !state.is_started {
        let thread = std::thread::Builder::new().name("accl-ahead".into());
        state.is_started = thread.spawn(|| guard_host(run)).is_ok();
    }
    state.object = Some(object.clone()).filter(|_| state.is_started);
    CHANGED.notify_all();
}

/// The life of the thread; it ends with the process.
fn run() {
    loop {
        let idle = |state: &mut State| state.object.is_none();
        let waited = CHANGED.wait_while(state(), idle).unwrap_or_else(PoisonError::into_inner);
        let Some(object) = waited.object.clone() else { continue };
        drop(waited);
        while !state().is_over && device_copy::read_ahead(&object) {
            while object.is_awaited() {
                std::thread::yield_now();
            }
        }
        state().object = None;
        CHANGED.notify_all();
    }
}

/// Waits for the piece that is under way, and begins no other: the device's library is about to end.
pub fn end() {
    let mut state = state();
    state.is_over = true;
    drop(CHANGED.wait_while(state, |state| state.object.is_some()));
}
