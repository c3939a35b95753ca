//! The ways in which the command fails, each with its own message.

use crate::commands::tune::TuneError;
use crate::invocation::UsageError;
use accl_source::codes::driver as codes;

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
    let code = code_of(error).map(|code| format!("[{code}]")).unwrap_or_default();
    eprintln!("accl: error{code}: {}", without_numbers(&format!("{error:#}")));
    if let Some(help) = help_of(error) {
        eprintln!("accl: help: {help}");
    }
    if error.downcast_ref::<UsageError>().is_some() {
        eprintln!("accl: 'accl help' lists the commands, 'accl help cc' the options");
        return USAGE;
    }
    FAILED
}

/// A source that cannot be read; `{:#}` says why.
#[derive(Debug, thiserror::Error)]
#[error("cannot read '{0}'")]
pub struct CannotRead(pub String);

/// Nothing on the command line to compile or link; gcc's words, and its exit code.
#[derive(Debug, thiserror::Error)]
#[error("no input files")]
pub struct NoInput;

/// The page of the message, for `accl help`.
fn code_of(error: &anyhow::Error) -> Option<&'static str> {
    if error.downcast_ref::<CannotRead>().is_some() {
        return Some(codes::CANNOT_READ);
    }
    if let Some(error) = error.downcast_ref::<TuneError>() {
        return Some(error.code());
    }
    match error.downcast_ref::<accl_frontend::Error>()? {
        accl_frontend::Error::NoClang | accl_frontend::Error::Run { .. } => Some(codes::NO_CLANG),
        accl_frontend::Error::Dump(_) => Some(codes::INTERNAL),
        accl_frontend::Error::Crashed(_) => Some(codes::HOST_COMPILER_FAILED),
        accl_frontend::Error::TooDeep(_) => Some(accl_source::codes::frontend::TOO_DEEP),
        accl_frontend::Error::Clang(_) | accl_frontend::Error::Temporary(_) => None,
    }
}

fn help_of(error: &anyhow::Error) -> Option<String> {
    if error.downcast_ref::<NoInput>().is_some() {
        return Some("name a source, as in `accl cc -O2 program.c -o program`".to_owned());
    }
    if let Some(error) = error.downcast_ref::<TuneError>() {
        return Some(error.help());
    }
    match error.downcast_ref::<accl_frontend::Error>()? {
        accl_frontend::Error::Run { program, .. }
            if std::env::var("ACCL_CLANG").is_ok_and(|named| named == *program) =>
        {
            Some(
                "the variable ACCL_CLANG names it; correct it, or unset it to use the clang on PATH"
                    .to_owned(),
            )
        }
        _ => None,
    }
}

/// "No such file or directory (os error 2)" without its number.
fn without_numbers(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once(" (os error ") {
        out += before;
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out + rest
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
