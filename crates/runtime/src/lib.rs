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
//!
//! # One launch
//!
//! What a launch decides (addresses of its arrays, variant, block, grid) each host thread keeps for the last
//! few launches of a kernel (`launch::memo`). A launch with the same arrays, or with sections that only moved
//! inside of theirs, the same trip counts, clauses and queue takes it from there, brings its values and goes to
//! the device. The present table and the plain copies of compressed arrays have a generation for this,
//! `present::changed`, which every change that a launch could decide otherwise by makes another one; counts and
//! contents do not matter to it.
//!
//! Kernels for CUDA first wait for the one before them by themselves (`griddepcontrol.wait`, from sm_90), so
//! they are put on the stream as programmatic dependent launches: 0.6 µs less for the driver and 1.2 µs less
//! between two kernels (H100).
//!
//! A reduction over the launch is finished inside the kernel: each block stores its partial result, the last to
//! arrive combines them in block order, so results do not depend on scheduling. On the cpu device each thread
//! has its own partial and the runtime combines them in thread order.
//!
//! A kernel that prints or may end the program (`ACCL_KERNEL_PRINTS`, `_STOPS`) is waited for at its launch.
//!
//! On CUDA a download or a result arrives in pinned memory and is brought to the user's when the host waits.
//! Arrivals are numbered over all queues, and a queue remembers whose it follows (`cuda::arrivals`): after
//! `wait(1) async(2)` a wait for queue 2 brings queue 1's too, in the program's order. An upload, or a sum's
//! first value, that reads host memory which a queue has still to write waits for it.
//!
//! # Data behind pointers
//!
//! A section that goes through pointers (`a[0:n][0:m]` of `float **a`) is one `accl_var` with the flag
//! `ACCL_DEEP`, whose `dims` say where the stretch behind each pointer is. `rows` finds the rows by the host's
//! pointers, makes a mapping of each, new ones in one block of device memory, attaches the pointers and moves
//! all of it in one transfer (`rows::transfer` gathers and scatters). A kernel that follows pointers in memory
//! gets only those versions that do not take its arguments for all that it reaches (`map::alias`), and implicit
//! data that it follows pointers in must be present: what it would send are addresses of the host.
//!
//! # Compressed arrays
//!
//! An `accl_var` carries an `accl_format`; the present table keeps it with the keys, encodes and decodes
//! transfers (`compress`; by the host's cores, or by kernels of its own where `offload` finds that faster), and
//! a launch compares it with what the kernel was compiled for. Kernels with compressed arrays have variants
//! that need `decoded`: the runtime then keeps plain copies (`compress::copies`), at once of arrays that are
//! read many times, else where the device's cache would hold the launch's arrays plain.
//!
//! Kernels write such copies too, so that a copy may be ahead of the held form. `compress::settle` knows which
//! of the two is the array: nobody gets at the held form but through it, and it encodes the copy first.
//! Launches that use arrays as they are held inside the cache nevertheless are warned of (`compress::advice`).
//!
//! A block array that a kernel did not write by whole groups was written as a plain copy, which
//! `compress::block::plain` encodes after it.
//!
//! # Libraries
//!
//! CUDA, NVRTC and OpenCL are bound through libloading: cudarc and cl3 bind one version of a library and panic
//! where it is older.
#![allow(
    unsafe_code,
    reason = "the C boundary, device drivers and threads over borrowed jobs; each use has its argument"
)]

pub mod config;
pub mod device;
pub mod error;

mod areas;
mod cache;
mod clock;
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
