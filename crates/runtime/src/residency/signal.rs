//! The program's accesses to protected pages, and its own handlers of the signal that tells of them.
//!
//! The handler is installed with the first device copy. Signals that are none of its affairs go to the handler that the program
//! has, or installs later: `sigaction` and `signal` are linked through wrappers, so that ours stays the first.

use super::{device_copy, objects, recent};
use crate::error::guard_host;
use crate::instance;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, Once, PoisonError};

type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// The program's handler, once ours is installed.
static PREVIOUS: Mutex<Option<libc::sigaction>> = Mutex::new(None);

pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: a handler of the right type; an action of zeros is the usual one.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as Handler as usize;
            // Nested: a device's library may touch what is protected while it brings something else.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_RESTART;
            let mut previous: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut previous);
            *PREVIOUS.lock().unwrap_or_else(PoisonError::into_inner) = Some(previous);
        }
    });
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system's, for this signal; errno is the thread's.
    let (address, errno) = unsafe { ((*info).si_addr() as usize, *libc::__errno_location()) };
    let ours = !instance::is_forked() && guard_host(|| resolve(address, is_write(context)));
    if !ours {
        pass_on(signal, info, context);
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
}

fn resolve(address: usize, writes: Option<bool>) -> bool {
    let object = objects::tracked_within(address..address + 1).pop();
    if object.is_some_and(|object| device_copy::access(&object, address, writes)) {
        return true;
    }
    // Another thread may have been here first: it brought the page, made it writable, or took the object off the device. So the
    // access is tried again, unless it was already, and no page has changed since.
    let in_vain = (address, recent::epoch());
    LAST_IN_VAIN.replace(in_vain) != in_vain
}

thread_local! {
    /// The address of the thread's last fault where residency had nothing to do, and the epoch.
    static LAST_IN_VAIN: Cell<(usize, u64)> = const { Cell::new((0, 0)) };
}

/// Whether the access was a write, where the processor says so.
#[cfg(target_arch = "x86_64")]
fn is_write(context: *mut c_void) -> Option<bool> {
    // SAFETY: the context of a signal.
    let registers = unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    Some(registers[libc::REG_ERR as usize] & 2 != 0)
}

#[cfg(not(target_arch = "x86_64"))]
fn is_write(_: *mut c_void) -> Option<bool> {
    None
}

/// The program's own handler has the signal.
fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let previous = *PREVIOUS.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(previous) = previous else { return };
    if previous.sa_sigaction == libc::SIG_DFL || previous.sa_sigaction == libc::SIG_IGN {
        // The access is repeated, and ends the program.
        // SAFETY: the usual action.
        crate::clock::inside(|| unsafe {
            libc::signal(signal, libc::SIG_DFL);
        });
        return;
    }
    // SAFETY: a handler that the program gave, of the type that its flags say.
    unsafe {
        if previous.sa_flags & libc::SA_SIGINFO != 0 {
            std::mem::transmute::<usize, Handler>(previous.sa_sigaction)(signal, info, context);
        } else {
            std::mem::transmute::<usize, extern "C" fn(c_int)>(previous.sa_sigaction)(signal);
        }
    }
}

/// The program asks for its handler of SIGSEGV, or gives one. 0 where this is not the runtime's affair (yet).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_host_handler(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    if signal != libc::SIGSEGV || crate::clock::is_inside() {
        return 0;
    }
    let mut previous = PREVIOUS.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(known) = &mut *previous else { return 0 };
    // SAFETY: null, or the program's.
    unsafe {
        let given = new.as_ref().copied();
        if let Some(old) = old.as_mut() {
            *old = *known;
        }
        if let Some(new) = given {
            *known = new;
        }
    }
    1
}
