//! `accl`, the command.
//!
//! [`cli`] says which commands there are, [`cc`] stands in for a C or C++ compiler, [`commands`] holds
//! the others. Every crate below returns data; only this one prints and exits.
//!
//! Exit codes: 0 done, 1 the program (or the machine) is at fault and a message says how, 2 the
//! command line is. A panic is a bug of ours and says so.
//!
//! The passes recurse on stacks of a gigabyte of address space ([`stack`]), and the compilers that are run get
//! as much.
#![forbid(unsafe_code)]

mod cc;
mod cli;
mod commands;
mod environment;
mod failure;
mod host_compiler;
mod installation;
mod invocation;
mod output;
mod stack;

use std::process::ExitCode;

/// The compiler runs in a thread with a deep stack. glibc grows the memory of such a thread by 4 KiB at a time,
/// which takes 160,000 system calls for a thousand statements. Huge pages are not used: clearing them costs more
/// than they save.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    failure::install_panic_hook();
    start_log();
    let words: Vec<String> = std::env::args_os().map(|w| w.to_string_lossy().into_owned()).collect();
    let run = || match std::panic::catch_unwind(|| cli::run(words)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => failure::report(&error),
        Err(_) => failure::FAILED,
    };
    ExitCode::from(stack::on_deep_stack(run))
}

/// `ACCL_LOG=debug`, in the syntax of tracing's EnvFilter.
fn start_log() {
    if let Ok(filter) = std::env::var("ACCL_LOG") {
        let filter = tracing_subscriber::EnvFilter::builder().parse_lossy(filter);
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).without_time().init();
    }
}
