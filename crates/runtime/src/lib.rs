//! The runtime that compiled programs are linked to.
//!
//! A program calls in through C entry points: those of `accl_abi.h`, emitted by the compiler
//! (`entry::construct`), and the routines of `openacc.h` and `omp.h`, written by the user
//! (`entry::routine*`). Each entry does three things: it finds the device and the queue of its call
//! (`call`, `state`), brings data to where it is needed (`data`, over the present table in `present`),
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
//! # The rooms
//!
//! From the top down; a room uses those below it.
//!
//! | room | what is in it |
//! |---|---|
//! | `entry` | the C functions that programs call |
//! | `launch` | the way of a launch: look up, prepare, plan, start, settle |
//! | `data`, `rows`, `update`, `private` | data clauses and directives; arrays of pointers; private sections |
//! | `on_host` | constructs that the host runs in a device's place |
//! | `residency` | arrays without data clauses: what is stale is known by the protection of the host's pages |
//! | `storage` | how the device stores an array, plain or encoded: the one interface that the rooms above and the present table ask |
//! | `compress` | encoded arrays: codec, transfers, decoded copies and their coherence, built-in kernels |
//! | `call`, `transfer`, `allocations`, `functions`, `not_present` | the context of a call, bytes on their way, memory that routines give out, compiled kernels, errors of absent data |
//! | `present`, `queues`, `pool`, `state`, `default_device` | what is known of a device in use, and which one a thread uses |
//! | `profile`, `trace`, `log`, `error`, `config`, `location`, `variable` | what every room needs |
//! | `device` | the three devices |
//!
//! `storage` is where plain and compressed arrays part: it answers for plain ones by itself, and nothing but `storage`
//! (and the entry points of strips, `entry::strips`) calls `compress`, which itself calls none of the rooms above `storage`.
//!
//! # One launch
//!
//! The five steps are described in `launch`. Each host thread keeps the *launch plans* (addresses of the arrays, variant,
//! block, grid) of its last few launches of a kernel in its *launch cache* (`launch::look_up`). A launch with the same arrays, or
//! with sections that only moved inside of theirs, the same trip counts, clauses and queue takes its plan from there, brings its
//! values and goes to the device. For this the present tables and what is known of decoded copies have one number, `generation`,
//! which every change that a launch could be planned otherwise by makes another one; reference counts and contents do not
//! matter to it.
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
//! # Arrays of pointers
//!
//! A section that goes through pointers (`a[0:n][0:m]` of `float **a`) is one `accl_var` with the flag
//! `ACCL_DEEP`, whose `dims` say where the stretch that each pointer leads to is. `rows` finds the rows by the host's
//! pointers, makes a mapping of each, new ones in one block of device memory, attaches the pointers and moves
//! all of it in one transfer (`rows::transfer` gathers and scatters). A kernel that loads pointers from device memory
//! (*indirect pointers*) gets only those versions that do not take its arguments for all memory that it uses (`map::alias`),
//! and implicit data that it loads pointers in must be present: what would be sent are addresses of the host.
//!
//! # Compressed arrays
//!
//! An `accl_var` carries an `accl_format`. The mapping that a compressed clause makes keeps it with the parameters of its codec
//! (`compress::StoredFormat`), transfers encode and decode (by the host's cores, or by the device with built-in kernels where
//! `compress::offload` finds that faster), and a launch compares it with what the kernel was compiled for.
//!
//! Kernels have versions that take *decoded copies* of their arrays (`compress::decoded_copy`). The runtime makes copies at
//! once of arrays that are read many times, and otherwise where the device's cache would hold the launch's arrays plain.
//! Kernels write copies too, so that a copy may be *dirty*, newer than the encoded form. `compress::coherence` knows which of the
//! two is the array: nobody uses the encoded form but through it, and it encodes a dirty copy first. Launches that use the
//! encoded form inside the cache nevertheless are warned of (`compress::performance_warnings`).
//!
//! A block array that a kernel did not write by whole groups was written as a decoded copy, which
//! `compress::block::written` encodes after it.
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

mod allocations;
mod between_devices;
mod cache;
mod call;
mod clock;
mod compress;
mod data;
mod default_device;
mod dynamic_tiles;
mod entry;
mod functions;
mod generation;
mod instance;
mod launch;
mod location;
mod log;
mod not_present;
mod ompt;
mod on_host;
mod pool;
mod present;
mod private;
mod processors;
mod profile;
mod profile_json;
mod profiling;
mod queues;
mod reduction;
mod residency;
mod row_lengths;
mod rows;
mod serial_kernels;
mod state;
mod storage;
mod target_info;
mod trace;
mod transfer;
mod update;
mod variable;
mod variant_rules;
mod wisdom;

pub use entry::OPENMP_ROUTINES;
