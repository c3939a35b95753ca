//! The runtime that compiled programs are linked to.
//!
//! A program calls in through C entry points: those of `accl_abi.h`, emitted by the compiler
//! (`entry::construct`), and the OpenACC routines of `openacc.h`, written by the user
//! (`entry::routine*`). Each entry does three things: it finds the device of the calling thread
//! (`state`), brings data to where it is needed (`data`, over the present table in `present`),
//! and puts work on a queue of the device (`launch`, `queues`). What a device can do is the trait
//! [`device::Device`]; there are three of them, with the same file names each:
//! `device/{cpu,opencl,cuda}/{mod,memory,queue,module,launch}.rs`.
//!
//! When the host sees an effect. A construct without `async` is put on the *sync queue* of the
//! device and returns at once. The host can see device data only through a copyout, an update, a
//! reduction's result, a device address or a wait, and each of these finishes the queue first. A
//! construct on another queue is ordered after what the sync queue holds at that time, because for
//! the user that work is already done. See `queues`.
//!
//! Invariants. No panic and no Rust error crosses the C boundary: an error of the user or of the
//! device is reported (`error::fatal`) and ends the program with status 1. No lock that other
//! threads need is held while a device is waited for. Nothing here depends on the compiler;
//! only `accl_abi` is shared with it.
#![allow(
    unsafe_code,
    reason = "the C boundary, device drivers and threads over borrowed jobs; each use has its argument"
)]

pub mod config;
pub mod device;
pub mod error;

mod areas;
mod cache;
mod compress;
mod data;
mod entry;
mod instance;
mod launch;
mod log;
mod pool;
mod present;
mod private;
mod profile;
mod queues;
mod reduction;
mod rows;
mod site;
mod state;
mod trace;
mod update;
