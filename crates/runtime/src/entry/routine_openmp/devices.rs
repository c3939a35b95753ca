//! Device numbers, and the routines about them (OpenMP 5.2 section 18.7).
//!
//! The devices are those of the thread's device type, numbered from 0 as acc_get_num_devices counts them. The host, called
//! the initial device, has the number after the last.

use super::super::routine::here;
use crate::config::{TargetOffload, config};
use crate::default_device::{self, DefaultDevice};
use crate::device::Kind;
use crate::error::{codes, fatal_coded, fatal_plain_coded, guard};
use crate::location::SourceLocation;
use crate::log;
use crate::state::{self, DeviceState};
use accl_abi::OMP_DEFAULT_DEVICE;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};

/// omp_initial_device and omp_invalid_device.
const INITIAL: c_int = -1;
const INVALID: c_int = -4;

/// Why a number is no device's, and what would be one.
struct NoDevice {
    reason: String,
    help: String,
}

/// The kind of device that numbers count.
fn kind() -> Kind {
    match default_device::chosen() {
        Some(DefaultDevice::Device(kind, _)) => kind,
        Some(DefaultDevice::Host) => state::current_kind(),
        // The thread's device may be what another task chose.
        None => state::initial().0,
    }
}

/// A file of the program has `requires unified_shared_memory`.
static REQUIRES_SHARED_MEMORY: AtomicBool = AtomicBool::new(false);

/// By constructors, before `main`.
#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_requires_shared_memory() {
    REQUIRES_SHARED_MEMORY.store(true, Ordering::Relaxed);
}

/// Whether devices of a kind do what the program requires of them (OpenMP 5.2 §8.2); if not they are none for it, and the
/// host runs its constructs.
fn fulfils_requirements(kind: Kind) -> bool {
    if !REQUIRES_SHARED_MEMORY.load(Ordering::Relaxed) || kind == Kind::Cpu && !config().cpu_separate {
        return true;
    }
    let message = format!(
        "the program requires unified_shared_memory, and the {} device has a memory of its own: the host runs its target \
         constructs\n  help: ACC_DEVICE_TYPE=host takes the cpu as the device, which shares the host's memory",
        kind.name()
    );
    if config().target_offload == TargetOffload::Mandatory {
        fatal_plain_coded(codes::SHARED_MEMORY, &message);
    }
    static TOLD: Once = Once::new();
    TOLD.call_once(|| log::warning(&format!("{message} [{}]", codes::SHARED_MEMORY)));
    false
}

fn count(kind: Kind) -> usize {
    match config().target_offload {
        TargetOffload::Disabled => 0,
        _ if !fulfils_requirements(kind) => 0,
        TargetOffload::Default | TargetOffload::Mandatory => {
            state::devices(kind).as_ref().map_or(0, |found| found.len())
        }
    }
}

/// The device of a number.
fn numbered(number: c_int) -> Result<DefaultDevice, NoDevice> {
    let kind = kind();
    let count = count(kind);
    match usize::try_from(number) {
        Ok(number) if number < count => Ok(DefaultDevice::Device(kind, number)),
        Ok(number) if number == count => Ok(DefaultDevice::Host),
        Err(_) if number == INITIAL => Ok(DefaultDevice::Host),
        _ => Err(no_device(number, kind, count)),
    }
}

fn no_device(number: c_int, kind: Kind, count: usize) -> NoDevice {
    let name = if number == INVALID { " (omp_invalid_device)" } else { "" };
    let devices = match count {
        0 if config().target_offload == TargetOffload::Disabled => {
            "there is none but the host, number 0, since OMP_TARGET_OFFLOAD is disabled".to_owned()
        }
        0 => "there is none but the host, number 0: no other has what the program requires".to_owned(),
        1 => format!("there is one {} device, number 0; the host has number 1", kind.name()),
        n => {
            format!("there are {n} {} devices, numbers 0 to {}; the host has number {n}", kind.name(), n - 1)
        }
    };
    NoDevice {
        reason: format!("{number}{name} is the number of no device"),
        help: format!("help: {devices}"),
    }
}

/// What constructs and routines without a number mean.
fn default() -> Result<DefaultDevice, NoDevice> {
    if config().target_offload == TargetOffload::Disabled {
        return Ok(DefaultDevice::Host);
    }
    match default_device::chosen() {
        Some(DefaultDevice::Device(kind, _)) if !fulfils_requirements(kind) => Ok(DefaultDevice::Host),
        Some(chosen) => Ok(chosen),
        None => first_default(),
    }
}

/// What a program begins with, found out once.
fn first_default() -> Result<DefaultDevice, NoDevice> {
    static FOUND: OnceLock<DefaultDevice> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(*found);
    }
    let number = c_int::try_from(state::initial().1).unwrap_or(c_int::MAX);
    let found = numbered(number).map_err(|error| {
        let asked = "which OMP_DEFAULT_DEVICE or ACC_DEVICE_NUM asks for";
        NoDevice { reason: format!("{}, {asked}", error.reason), ..error }
    })?;
    Ok(*FOUND.get_or_init(|| found))
}

/// A device in use, or the host.
#[derive(Clone, Copy)]
pub enum Endpoint {
    Host,
    Device(&'static DeviceState),
}

fn find(location: SourceLocation, number: c_int) -> Result<Endpoint, NoDevice> {
    Ok(match numbered(number)? {
        DefaultDevice::Host => Endpoint::Host,
        DefaultDevice::Device(kind, number) => {
            require_device(kind);
            Endpoint::Device(state::start(location, kind, number))
        }
    })
}

/// What a device number given to a routine stands for. A number of no device ends the program.
pub fn place(location: SourceLocation, number: c_int) -> Endpoint {
    find(location, number).unwrap_or_else(|error| error.end(location))
}

/// The same for a routine whose result says that it failed.
pub fn place_or_warn(location: SourceLocation, number: c_int) -> Option<Endpoint> {
    find(location, number)
        .inspect_err(|error| match number {
            INVALID => error.end(location),
            _ => warn(location, &format!("{}\n  {}", error.reason, error.help)),
        })
        .ok()
}

/// Tells why a routine failed.
pub fn warn(location: SourceLocation, reason: &str) {
    log::warning(&format!("{} failed: {reason}", location.function()));
}

impl NoDevice {
    fn end(&self, location: SourceLocation) -> ! {
        fatal_coded(codes::NO_DEVICE, location, 0, &self.reason, std::slice::from_ref(&self.help))
    }
}

/// Ends the program where offloading is mandatory and the cpu would stand in for the device that is missing.
fn require_device(kind: Kind) {
    let mandatory = config().target_offload == TargetOffload::Mandatory;
    if mandatory && kind == Kind::Cpu && config().device_type.is_none() && state::best().0 == Kind::Cpu {
        fatal_plain_coded(
            codes::NO_DEVICE,
            "OMP_TARGET_OFFLOAD is mandatory, but this machine has no device that can be used except its cpu\n  help: \
             run `accl devices` to see why; ACC_DEVICE_TYPE=host asks for the cpu as the device",
        );
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_offloads(number: c_int) -> c_int {
    guard(|| {
        let device = if number == OMP_DEFAULT_DEVICE { default() } else { numbered(number) };
        let device = device.unwrap_or_else(|NoDevice { reason, help }| {
            let message = format!("the device of an OpenMP construct: {reason}\n  {help}");
            fatal_plain_coded(codes::NO_DEVICE, &message)
        });
        match device {
            DefaultDevice::Host => 0,
            DefaultDevice::Device(kind, number) => {
                require_device(kind);
                if !state::is_current(kind, number) {
                    state::make_current(here!(c"an OpenMP construct"), kind, number);
                }
                1
            }
        }
    })
}

/// The thread's current device, for the end of a data region that begins on it.
#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_device_here() -> c_int {
    guard(|| {
        let info = state::current(here!(c"an OpenMP construct")).device.info();
        default_device::encode(DefaultDevice::Device(info.kind, info.number))
    })
}

/// The end of a data region: the device on which it began is the thread's current one again.
#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_return_to(device: c_int) {
    guard(|| {
        if let Some(DefaultDevice::Device(kind, number)) = default_device::decode(device)
            && !state::is_current(kind, number)
        {
            state::make_current(here!(c"an OpenMP construct"), kind, number);
        }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_this_device() -> *mut c_int {
    thread_local! {
        static NUMBER: Cell<c_int> = const { Cell::new(0) };
    }
    guard(|| {
        let number = state::current(here!(c"an OpenMP construct")).device.info().number;
        NUMBER.with(|of_thread| {
            of_thread.set(number as c_int);
            of_thread.as_ptr()
        })
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_devices() -> *mut c_int {
    thread_local! {
        static COUNT: Cell<c_int> = const { Cell::new(0) };
    }
    COUNT.with(|of_thread| {
        of_thread.set(omp_get_num_devices());
        of_thread.as_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_num_devices() -> c_int {
    guard(|| count(kind()) as c_int)
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_initial_device() -> c_int {
    omp_get_num_devices()
}

/// Only ever called on the host: kernels have it replaced by the compiler.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_device_num() -> c_int {
    omp_get_initial_device()
}

/// As omp_get_device_num.
#[unsafe(no_mangle)]
pub extern "C" fn omp_is_initial_device() -> c_int {
    1
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_default_device() -> c_int {
    guard(|| match default() {
        Ok(DefaultDevice::Host) => count(kind()) as c_int,
        Ok(DefaultDevice::Device(_, number)) => number as c_int,
        Err(error) => error.end(here!(c"omp_get_default_device")),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_set_default_device(number: c_int) {
    guard(|| {
        let location = here!(c"omp_set_default_device");
        match numbered(number) {
            Ok(DefaultDevice::Host) => default_device::choose(DefaultDevice::Host),
            Ok(DefaultDevice::Device(kind, number)) => {
                state::set_current(location, kind, number);
            }
            Err(error) => error.end(location),
        }
    });
}
