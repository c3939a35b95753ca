//! How the command fails: three ways, each with its own words.

use crate::invocation::UsageError;

pub const FAILED: u8 = 1;
pub const USAGE: u8 = 2;

/// The message was printed already; only the exit code is left to give.
#[derive(Debug, thiserror::Error)]
#[error("")]
pub struct Said(pub u8);

/// Prints the error, unless it was, and gives the exit code.
pub fn report(error: &anyhow::Error) -> u8 {
    if let Some(Said(code)) = error.downcast_ref::<Said>() {
        return *code;
    }
    eprintln!("accl: error: {error:#}");
    if error.downcast_ref::<UsageError>().is_some() {
        eprintln!("accl: 'accl help' lists the commands, 'accl help cc' the options");
        return USAGE;
    }
    FAILED
}

/// A panic is never the user's fault.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message =
            payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = message.unwrap_or("no message");
        let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        eprintln!("accl: internal error: this is a bug in accl, not in your program");
        eprintln!("accl: {message}{place}");
        eprintln!("accl: please report it, with the output of `accl --version`, this command line and the");
        eprintln!(
            "accl: preprocessed source (the same command line with -E); a backtrace helps: RUST_BACKTRACE=1"
        );
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            eprintln!("{}", std::backtrace::Backtrace::force_capture());
        }
    }));
}
