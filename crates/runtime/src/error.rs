//! Reporting of errors that end the program.
//!
//! OpenACC leaves the effect of errors to the implementation, and generated code has no way to
//! handle them: the program is told what happened, where in its source, and what would mend it,
//! and ends with status 1. All of that goes through [`fatal`]; nothing else exits.
//!
//! Invariant: the exit handler of the runtime does nothing after a fatal error (`has_failed`): the
//! device may be unusable, and waiting for it could hang.

use crate::location::SourceLocation;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a device reports when it cannot do what it was asked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// Why, in the device's words.
    Failed(String),
    /// A kernel wants the program to end.
    Stopped,
    /// A kernel called `exit` with this status.
    Exit(i32),
}

impl DeviceError {
    pub fn new(message: impl Into<String>) -> DeviceError {
        DeviceError::Failed(message.into())
    }
}

impl std::fmt::Display for DeviceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DeviceError::Failed(message) => message,
            DeviceError::Stopped => "a kernel called abort(), or an assertion in it failed",
            DeviceError::Exit(_) => "a kernel called exit()",
        })
    }
}

impl std::error::Error for DeviceError {}

pub type Result<T> = std::result::Result<T, DeviceError>;

static FAILED: AtomicBool = AtomicBool::new(false);
static FAILED_THREAD: AtomicUsize = AtomicUsize::new(0);

/// True once a fatal error was reported.
pub fn has_failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}

/// Mistakes that have a page: `accl help ACCL0801`. The driver tests that each of them has.
pub mod codes {
    pub const NOT_PRESENT: &str = "ACCL0801";
    pub const PARTLY_PRESENT: &str = "ACCL0802";
    pub const NO_DEVICE: &str = "ACCL0803";
    pub const BAD_VARIABLE: &str = "ACCL0804";
    pub const NO_MEMORY: &str = "ACCL0805";
    pub const OTHER_FORMAT: &str = "ACCL0806";
    pub const BAD_RANGE: &str = "ACCL0807";
    pub const COMPRESSED_INDIRECT: &str = "ACCL0810";
    pub const NO_NUMBER: &str = "ACCL0809";
    pub const COMPRESSED_ADDRESS: &str = "ACCL0808";
    pub const SERIAL_KERNEL: &str = "ACCL0811";
    pub const ON_HOST: &str = "ACCL0812";
    pub const APART: &str = "ACCL0813";
    pub const SHARED_MEMORY: &str = "ACCL0820";
    pub const ALL: &[&str] = &[
        NOT_PRESENT,
        PARTLY_PRESENT,
        NO_DEVICE,
        BAD_VARIABLE,
        NO_MEMORY,
        OTHER_FORMAT,
        BAD_RANGE,
        COMPRESSED_INDIRECT,
        NO_NUMBER,
        COMPRESSED_ADDRESS,
        SERIAL_KERNEL,
        ON_HOST,
        APART,
        SHARED_MEMORY,
    ];
}

/// Reports an error at a location of the user's program and ends it. `notes` are lines such as
/// `nearest mapping: …` and `help: …`.
pub(crate) fn fatal(location: SourceLocation, line: i32, message: &str, notes: &[String]) -> ! {
    end(&at_place("", location, line, message, notes))
}

/// As [`fatal`], for what has a page.
pub(crate) fn fatal_coded(
    code: &str,
    location: SourceLocation,
    line: i32,
    message: &str,
    notes: &[String],
) -> ! {
    end(&at_place(&format!("[{code}]"), location, line, message, notes))
}

/// As [`fatal`], where a kernel wants the program to end.
pub(crate) fn stopped(location: SourceLocation) -> ! {
    abort(at_place("", location, 0, &DeviceError::Stopped.to_string(), &[]).trim_end())
}

fn at_place(code: &str, location: SourceLocation, line: i32, message: &str, notes: &[String]) -> String {
    let mut text = format!("accl: error{code}: {message}\n  {}\n", location.describe(line));
    for note in notes {
        text += &format!("  {note}\n");
    }
    text
}

/// Reports an error that has no location in the user's program and ends it.
pub fn fatal_plain(message: &str) -> ! {
    end(&format!("accl: error: {message}\n"))
}

/// As [`fatal_plain`], for what has a page.
pub fn fatal_plain_coded(code: &str, message: &str) -> ! {
    end(&format!("accl: error[{code}]: {message}\n"))
}

fn end(text: &str) -> ! {
    // Another thread may fail while this one is in the exit handlers; it must not start them again.
    // SAFETY: has no preconditions.
    let me = unsafe { libc::pthread_self() } as usize;
    if FAILED.swap(true, Ordering::SeqCst) {
        if FAILED_THREAD.load(Ordering::SeqCst) == me {
            eprint!("{text}");
            // SAFETY: ends the process at once.
            unsafe { libc::_exit(1) }
        }
        loop {
            std::thread::park();
        }
    }
    FAILED_THREAD.store(me, Ordering::SeqCst);
    eprint!("{text}");
    std::process::exit(1)
}

/// Ends the program as `abort` does, after the message: for a kernel that calls it. Others that do so meanwhile wait.
pub fn abort(message: &str) -> ! {
    only_once();
    // What the program printed before tells why it ends.
    // SAFETY: all of its streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    eprintln!("{message}");
    std::process::abort()
}

/// Ends the program as `exit` does, likewise. The device is not waited for.
pub fn exit(status: i32) -> ! {
    only_once();
    std::process::exit(status)
}

fn only_once() {
    if FAILED.swap(true, Ordering::SeqCst) {
        loop {
            std::thread::park();
        }
    }
}

/// As [`fatal_plain`], without exit handlers: those of a forked process are its parent's.
pub fn end_now(message: &str) -> ! {
    eprintln!("accl: error: {message}");
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(1) }
}

/// Runs the body of a C entry point that may use a device.
pub(crate) fn guard<T>(body: impl FnOnce() -> T) -> T {
    crate::instance::refuse_forked();
    guard_host(body)
}

/// Runs the body of a C entry point; a panic is a bug of the runtime and is reported as one.
pub(crate) fn guard_host<T>(body: impl FnOnce() -> T) -> T {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| crate::clock::inside(body))) {
        Ok(value) => value,
        Err(_) => {
            FAILED.store(true, Ordering::SeqCst);
            eprintln!("accl: internal error: the message above is a bug in accl, please report it");
            std::process::abort()
        }
    }
}
