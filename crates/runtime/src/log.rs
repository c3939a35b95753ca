//! The run-time log of `ACCL_NOTIFY`, in the words of nvc's `NVCOMPILER_ACC_NOTIFY`.
//!
//! One event, one line, written at once, so that lines of several threads do not mix. The formats
//! are relied on by users' scripts; add members at the end only.

use crate::config::{config, notify};
use crate::device::Launch;
use crate::location::{Name, SourceLocation};
use crate::queues::Queue;
use crate::state::{DeviceState, thread_number};

/// Something that the user should know of, though the program goes on.
pub fn warning(text: &str) {
    if config().warnings {
        eprintln!("accl: warning: {text}");
    }
}

/// The same, for what has a page: `accl help ACCL0811`.
pub fn warning_coded(code: &str, text: &str) {
    if config().warnings {
        eprintln!("accl: warning[{code}]: {text}");
    }
}

/// True where events of this kind are wanted.
pub fn wants(bit: u32) -> bool {
    config().notify & bit != 0
}

/// `file=… function=… line=… device=… threadid=…`
pub fn whereabouts(state: &DeviceState, location: SourceLocation, line: i32) -> String {
    format!(
        "file={} function={} line={} device={} threadid={}",
        location.file(),
        location.function(),
        if line > 0 { line } else { location.0.line },
        state.device.info().number,
        thread_number()
    )
}

/// ` queue=…` for queues other than the sync queue.
pub fn on(queue: &Queue) -> String {
    if queue.is_sync() { String::new() } else { format!(" queue={}", queue.value) }
}

/// `8x16`, without trailing ones.
fn extents(extents: [u32; 3]) -> String {
    match extents {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x}x{y}"),
        [x, y, z] => format!("{x}x{y}x{z}"),
    }
}

/// `variant`: which of a kernel's.
pub fn launch(
    state: &DeviceState,
    location: SourceLocation,
    queue: &Queue,
    launch: &Launch,
    variant: Option<&str>,
) {
    let [block_x, block_y, block_z] = launch.block;
    eprintln!(
        "launch {} kernel  {} queue={} num_gangs={} num_workers={} vector_length={} grid={} block={}{}",
        state.device.info().kind.name(),
        whereabouts(state, location, 0),
        queue.value,
        launch.grid.iter().map(|extent| u64::from(*extent)).product::<u64>(),
        block_y * block_z,
        block_x,
        extents(launch.grid),
        extents(launch.block),
        variant.map_or(String::new(), |variant| format!(" variant={variant}")),
    );
}

/// A launch of `class` goes by what tuning has found for size class `nearest`.
pub fn wisdom(state: &DeviceState, location: SourceLocation, variant: &str, nearest: u32, class: u32) {
    eprintln!(
        "wisdom  {} variant={variant} class={nearest} launch_class={class}",
        whereabouts(state, location, 0)
    );
}

/// The host runs a construct that could not be translated.
pub fn on_host(state: &DeviceState, location: SourceLocation) {
    eprintln!("run construct on host  {}", whereabouts(state, location, 0));
}

/// `direction` is "upload", "download", or "decode" of what is on the device already.
pub fn transfer(
    direction: &str,
    state: &DeviceState,
    location: SourceLocation,
    line: i32,
    queue: &Queue,
    name: Name,
    bytes: usize,
) {
    if wants(notify::TRANSFER) {
        eprintln!(
            "{direction} {} data  {}{} variable={name} bytes={bytes}",
            state.device.info().kind.name(),
            whereabouts(state, location, line),
            on(queue),
        );
    }
}

/// `action` is "create", "alloc", "delete", "free", "attach" or "detach".
pub fn allocation(
    action: &str,
    state: &DeviceState,
    location: SourceLocation,
    line: i32,
    name: Name,
    bytes: usize,
    device: u64,
) {
    if wants(notify::ALLOCATION) {
        eprintln!(
            "{action} {} data  {} variable={name} bytes={bytes} address={device:#x}",
            state.device.info().kind.name(),
            whereabouts(state, location, line),
        );
    }
}

/// `action` is "enter" or "leave".
pub fn region(action: &str, state: &DeviceState, location: SourceLocation) {
    if wants(notify::REGION) {
        eprintln!("{action} {} region  {}", location.directive(), whereabouts(state, location, 0));
    }
}

pub fn wait(state: &DeviceState, location: SourceLocation, queue: &Queue) {
    if wants(notify::WAIT) {
        eprintln!("wait  {} queue={}", whereabouts(state, location, 0), queue.value);
    }
}
