//! Devices in use, and what each host thread has set: its device and its default queue.
//!
//! OpenACC 3.3 section 2.3: the current device type, its number and the default queue are internal
//! control variables of each host thread. A thread begins with what the environment asks for, or
//! the best device found: CUDA, then an OpenCL GPU, then the cpu. Devices are started at their
//! first use and live until the process ends, so references to them are `'static`.
//!
//! Invariants: the lock on the list of devices is held while a device starts (no device can be
//! started twice) but never while one works; at exit, all queues are finished before the tables
//! are printed, and nothing is done after a fatal error.

use crate::allocations::Allocations;
use crate::config::config;
use crate::default_device::{self, DefaultDevice};
use crate::device::{self, Device, DeviceInfo, Kind, QueueId};
use crate::error::{DeviceError, codes, exit, fatal, fatal_coded, fatal_plain_coded, has_failed, stopped};
use crate::functions::Functions;
use crate::location::SourceLocation;
use crate::pool::Pool;
use crate::present::{Mapping, PresentTable};
use crate::profile::Profile;
use crate::profiling::{self, About, Data, Event, Moment};
use crate::queues::{ASYNC_DEFAULT, ASYNC_NOVAL, ASYNC_SYNC, Queue, Queues};
use crate::row_lengths::RowLengths;
use crate::storage::Statistics;
use crate::{instance, log, profile_json, trace};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};

/// A device in use and everything the runtime knows of it.
pub struct DeviceState {
    pub device: Box<dyn Device>,
    table: Mutex<PresentTable>,
    /// Signalled when a mapping stops being busy.
    pub ready: Condvar,
    pub pool: Pool,
    pub queues: Queues,
    pub functions: Functions,
    pub profile: Profile,
    /// What is known of the conversions of encoded arrays.
    pub storage: Statistics,
    pub row_lengths: RowLengths,
    pub allocations: Allocations,
    /// The program mapped memory that is not the host's own, so that arrays must be looked up where memory is shared, too.
    maps_memory: AtomicBool,
    /// A queue that takes turns with another one, so that one part of a download is on its way while the host works
    /// on the one before.
    second_queue: Mutex<Option<QueueId>>,
}

impl DeviceState {
    pub fn new(device: Box<dyn Device>) -> DeviceState {
        DeviceState {
            device,
            table: Mutex::default(),
            ready: Condvar::new(),
            pool: Pool::default(),
            queues: Queues::default(),
            functions: Functions::default(),
            profile: Profile::default(),
            storage: Statistics::default(),
            row_lengths: RowLengths::default(),
            allocations: Allocations::default(),
            maps_memory: AtomicBool::new(false),
            second_queue: Mutex::default(),
        }
    }

    /// The second queue, ordered after what is on `first` now; `first` itself where the device gives no other.
    pub fn second_queue(&self, first: QueueId) -> QueueId {
        let mut second = self.second_queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let found = match *second {
            Some(queue) => Some(queue),
            None => self.device.new_queue().ok(),
        };
        *second = found;
        match found {
            Some(queue) if self.device.order_after(queue, first).is_ok() => queue,
            _ => first,
        }
    }

    pub fn shared(&self) -> bool {
        self.device.shares_host_memory()
    }

    /// True where every array that is present and stored plain is the host's.
    #[inline]
    pub fn uses_host_memory(&self) -> bool {
        self.shared() && !self.maps_memory.load(Ordering::Relaxed)
    }

    /// Puts a mapping of the program's own memory into the table.
    pub fn map_memory(&self, table: &mut PresentTable, mut mapping: Mapping) {
        mapping.mapped_by_user = true;
        if !mapping.is_host_memory() {
            self.maps_memory.store(true, Ordering::Relaxed);
        }
        table.insert(mapping);
    }

    pub fn table(&self) -> MutexGuard<'_, PresentTable> {
        self.table.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The queue an async value stands for, for the calling thread.
    #[inline]
    pub fn queue(&self, location: SourceLocation, value: i64) -> &'static Queue {
        let value = resolve_async(location, value);
        match self.queues.at_hand(value) {
            Some(queue) => queue,
            None => self.queue_found(location, value),
        }
    }

    #[inline(never)]
    fn queue_found(&self, location: SourceLocation, value: i64) -> &'static Queue {
        self.queues
            .get(&*self.device, value)
            .unwrap_or_else(|error| self.fail(location, None, "making a queue", &error))
    }

    /// Waits for a queue; its effects on host memory are there afterwards.
    pub fn finish(&self, location: SourceLocation, queue: &Queue) {
        if let Err(error) = self.try_finish(queue) {
            self.fail(location, Some(queue), "waiting for the device", &error);
        }
    }

    /// As `finish`, where the caller answers for an error.
    pub fn try_finish(&self, queue: &Queue) -> Result<(), DeviceError> {
        self.queues.finish(&*self.device, queue)?;
        self.profile.collect(self, queue.value);
        Ok(())
    }

    pub fn finish_all(&self, location: SourceLocation) {
        for queue in self.queues.all() {
            log::wait(self, location, queue);
            let _event = profiling::span(Event::Wait, || About::new(self, location, queue.value));
            self.finish(location, queue);
        }
    }

    /// Reports an error of the device. What the queue ran lately is named, since a kernel's fault
    /// shows only at the next wait.
    pub fn fail(
        &self,
        location: SourceLocation,
        queue: Option<&Queue>,
        doing: &str,
        error: &DeviceError,
    ) -> ! {
        match error {
            DeviceError::Stopped => stopped(location),
            DeviceError::Exit(status) => exit(*status),
            DeviceError::Failed(_) => {}
        }
        let info = self.device.info();
        let recent = queue.map(Queue::recent).unwrap_or_default();
        let mut notes = Vec::new();
        if !recent.is_empty() {
            notes.push("kernels launched since the last wait, one of which may be the cause:".to_owned());
            notes.extend(recent.iter().map(|location| format!("  {}", location.describe(0))));
            if !config().blocking {
                notes.push(
                    "help: set ACCL_LAUNCH_BLOCKING=1 to have the error reported at its kernel".to_owned(),
                );
            }
        }
        let message =
            format!("{doing} failed on {} device {} ({}): {error}", info.kind.name(), info.number, info.name);
        fatal(location, 0, &message, &notes)
    }
}

/// The queue's number for a value as generated code or the user gives it.
#[inline]
pub fn resolve_async(location: SourceLocation, value: i64) -> i64 {
    match value {
        ASYNC_SYNC => ASYNC_SYNC,
        ASYNC_NOVAL | ASYNC_DEFAULT => DEFAULT_ASYNC.get(),
        value if value >= 0 => value,
        value => no_async_value(location, value),
    }
}

#[cold]
fn no_async_value(location: SourceLocation, value: i64) -> ! {
    fatal(location, 0, &format!("{value} is no async value"), &[])
}

thread_local! {
    static CURRENT: Cell<Option<&'static DeviceState>> = const { Cell::new(None) };
    static DEFAULT_ASYNC: Cell<i64> = const { Cell::new(ASYNC_NOVAL) };
}

/// A small number for the calling thread, from 1.
pub fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    thread_local!(static NUMBER: u32 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

pub fn default_async() -> i64 {
    DEFAULT_ASYNC.get()
}

pub fn set_default_async(value: i64) {
    DEFAULT_ASYNC.set(if value == ASYNC_DEFAULT { ASYNC_NOVAL } else { value });
}

/// The calling thread's device, started if it is not in use yet.
#[inline]
pub fn current(location: SourceLocation) -> &'static DeviceState {
    CURRENT.get().unwrap_or_else(|| first_current(location))
}

#[cold]
fn first_current(location: SourceLocation) -> &'static DeviceState {
    let (kind, number) = initial();
    let state = start(location, kind, number);
    CURRENT.set(Some(state));
    state
}

/// The calling thread's device if it has one in use.
pub fn current_if_any() -> Option<&'static DeviceState> {
    CURRENT.get()
}

/// True where this is the calling thread's device in use.
pub fn is_current(kind: Kind, number: usize) -> bool {
    current_if_any().is_some_and(|state| {
        let info = state.device.info();
        info.kind == kind && info.number == number
    })
}

/// The kind of the calling thread's device, or of the one that it would begin with.
pub fn current_kind() -> Kind {
    current_if_any().map_or_else(|| initial().0, |state| state.device.info().kind)
}

/// The device of a number, of the current kind.
pub fn numbered(location: SourceLocation, device_num: i32) -> &'static DeviceState {
    let current = current(location);
    let info = current.device.info();
    match usize::try_from(device_num) {
        Ok(number) if number != info.number => start(location, info.kind, number),
        _ => current,
    }
}

/// Makes a device the calling thread's, for OpenMP too.
pub fn set_current(location: SourceLocation, kind: Kind, number: usize) -> &'static DeviceState {
    let state = make_current(location, kind, number);
    default_device::choose(DefaultDevice::Device(kind, number));
    state
}

/// The same for one construct of OpenMP: its default device stays.
pub fn make_current(location: SourceLocation, kind: Kind, number: usize) -> &'static DeviceState {
    let state = start(location, kind, number);
    CURRENT.set(Some(state));
    state
}

/// The devices of a kind, looked for once.
pub fn devices(kind: Kind) -> &'static Result<Vec<DeviceInfo>, DeviceError> {
    static FOUND: [OnceLock<Result<Vec<DeviceInfo>, DeviceError>>; 3] = [const { OnceLock::new() }; 3];
    let slot = match kind {
        Kind::Cuda => 0,
        Kind::OpenCl => 1,
        Kind::Cpu => 2,
    };
    FOUND[slot].get_or_init(|| device::probe(kind))
}

/// The kind and number a thread begins with.
pub fn initial() -> (Kind, usize) {
    let number = config().device_num;
    if let Some((kind, word)) = &config().device_type {
        if let Err(reason) = devices(*kind) {
            let message = format!(
                "ACC_DEVICE_TYPE={word} asks for {} device, but there is none: {reason}\n  \
                 help: run `accl devices` to see what this machine has",
                if *kind == Kind::OpenCl { "an OpenCL" } else { "a CUDA" }
            );
            fatal_plain_coded(codes::NO_DEVICE, &message);
        }
        return (*kind, number.unwrap_or(0));
    }
    let (kind, best) = best();
    (kind, number.unwrap_or(best))
}

/// The best device of this machine.
pub fn best() -> (Kind, usize) {
    if devices(Kind::Cuda).is_ok() {
        return (Kind::Cuda, 0);
    }
    let opencl = device::opencl::may_have_accelerator().then(|| devices(Kind::OpenCl).as_ref().ok());
    match opencl.flatten().and_then(|found| found.iter().position(|info| info.is_accelerator)) {
        Some(number) => (Kind::OpenCl, number),
        None => {
            warn_of_broken_driver();
            (Kind::Cpu, 0)
        }
    }
}

/// A program that could have run on a GPU says once why it does not.
fn warn_of_broken_driver() {
    static ONCE: OnceLock<()> = OnceLock::new();
    if let Err(reason) = devices(Kind::Cuda)
        && device::cuda::is_installed()
    {
        ONCE.get_or_init(|| {
            log::warning(&format!("running on the cpu, since CUDA cannot be used: {reason}"));
        });
    }
}

static STARTED: Mutex<BTreeMap<(Kind, usize), &'static DeviceState>> = Mutex::new(BTreeMap::new());

/// All devices in use.
pub fn started() -> Vec<&'static DeviceState> {
    STARTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).values().copied().collect()
}

/// A device, started if it is not in use yet.
pub fn start(location: SourceLocation, kind: Kind, number: usize) -> &'static DeviceState {
    let mut started = STARTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(state) = started.get(&(kind, number)) {
        return state;
    }
    crate::entry::load_profiling_libraries();
    let about = || About { location, kind, number, state: None, async_: ASYNC_SYNC, implicit: true };
    let _event = profiling::span(Event::DeviceInit, about);
    static CLAIMED: OnceLock<()> = OnceLock::new();
    CLAIMED.get_or_init(instance::claim);
    let found = devices(kind).as_ref().unwrap_or_else(|reason| {
        let message = format!("there is no {} device: {reason}", kind.name());
        fatal_coded(codes::NO_DEVICE, location, 0, &message, &[])
    });
    let Some(info) = found.get(number) else {
        let message =
            format!("there is no {} device number {number}; this machine has {}", kind.name(), found.len());
        let help = match found.len() {
            1 => "help: numbers begin at 0: leave ACC_DEVICE_NUM unset, or set it to 0".to_owned(),
            n => format!("help: numbers begin at 0: set ACC_DEVICE_NUM to at most {}", n.saturating_sub(1)),
        };
        fatal_coded(codes::NO_DEVICE, location, 0, &message, &[help])
    };
    let device = device::open(info).unwrap_or_else(|error| {
        fatal(
            location,
            0,
            &format!("{} device {number} ({}) could not be started: {error}", kind.name(), info.name),
            &[],
        )
    });
    if config().verbose {
        eprintln!("accl: using {} device {number}: {}", kind.name(), info.name);
    }
    let state: &'static DeviceState = Box::leak(Box::new(DeviceState::new(device)));
    started.insert((kind, number), state);
    // For each device, because the next library's handlers may come later.
    finish_before_later_handlers();
    crate::data::enter_all_declared(state);
    state
}

/// Has the queues finished at the program's end before what is registered by now is run: handlers of the device's
/// library above all, after which it must not be used. To be called again where it may have registered more.
pub fn finish_before_later_handlers() {
    // SAFETY: a function of the right type that lives as long as the process.
    unsafe { libc::atexit(at_exit) };
}

extern "C" fn at_exit() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if has_failed() || instance::is_forked() || DONE.swap(true, Ordering::SeqCst) {
        return;
    }
    crate::error::guard(|| {
        crate::residency::end_reading_ahead();
        if let Some(state) = current_if_any() {
            let about = || About::new(state, crate::entry::at_exit_place(), ASYNC_SYNC);
            let nothing =
                || Data { name: crate::location::Name(std::ptr::null()), bytes: 0, host: 0, device: 0 };
            profiling::moment(Moment::RuntimeShutdown, about, nothing);
        }
        let location = crate::entry::at_exit_place();
        let states = started();
        for state in &states {
            for queue in state.queues.all() {
                state.finish(location, queue);
            }
        }
        if let Some(file) = config().time_file_here() {
            profile_json::write(&file, &states);
        } else if config().time {
            for state in &states {
                let info = state.device.info();
                let device = format!("{} device {} ({})", info.kind.name(), info.number, info.name);
                eprint!("{}{}", state.profile.table(&device), state.storage.table(&device));
            }
        }
        states.iter().for_each(|state| state.profile.serial.warn());
        trace::write();
        crate::variant_rules::report_unused();
    });
}
