//! The run-time log of `ACCL_NOTIFY`, in the words of nvc's `NVCOMPILER_ACC_NOTIFY`.
//!
//! One event, one line, written at once, so that lines of several threads do not mix. The formats
//! are relied on by users' scripts; add members at the end only.

use crate::compress::report::Conversion;
use crate::config::{config, notify};
use crate::data::Task;
use crate::device::Launch;
use crate::queues::Queue;
use crate::site::{Name, Place};
use crate::state::{DeviceState, thread_number};

/// Something that the user should know of, though the program goes on.
pub fn warning(text: &str) {
    if config().warnings {
        eprintln!("accl: warning: {text}");
    }
}

/// True where events of this kind are wanted.
pub fn wants(bit: u32) -> bool {
    config().notify & bit != 0
}

/// `file=… function=… line=… device=… threadid=…`
fn whereabouts(state: &DeviceState, place: Place, line: i32) -> String {
    format!(
        "file={} function={} line={} device={} threadid={}",
        place.file(),
        place.function(),
        if line > 0 { line } else { place.0.line },
        state.device.info().number,
        thread_number()
    )
}

/// ` queue=…` for queues other than the sync queue.
fn on(queue: &Queue) -> String {
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
pub fn launch(state: &DeviceState, place: Place, queue: &Queue, launch: &Launch, variant: Option<&str>) {
    let [block_x, block_y, block_z] = launch.block;
    eprintln!(
        "launch {} kernel  {} queue={} num_gangs={} num_workers={} vector_length={} grid={} block={}{}",
        state.device.info().kind.name(),
        whereabouts(state, place, 0),
        queue.value,
        launch.grid.iter().map(|extent| u64::from(*extent)).product::<u64>(),
        block_y * block_z,
        block_x,
        extents(launch.grid),
        extents(launch.block),
        variant.map_or(String::new(), |variant| format!(" variant={variant}")),
    );
}

/// `direction` is "upload", "download", or "decode" of what is on the device already.
pub fn transfer(
    direction: &str,
    state: &DeviceState,
    place: Place,
    line: i32,
    queue: &Queue,
    name: Name,
    bytes: usize,
) {
    if wants(notify::TRANSFER) {
        eprintln!(
            "{direction} {} data  {}{} variable={name} bytes={bytes}",
            state.device.info().kind.name(),
            whereabouts(state, place, line),
            on(queue),
        );
    }
}

/// An array was compressed or decompressed on its way. `milliseconds` are what the host waited, `codec_milliseconds`
/// those of its encoding or decoding.
pub fn compression(task: &Task, line: i32, name: Name, done: &Conversion) {
    if wants(notify::TRANSFER) {
        let Some(stored) = done.sections.first().map(|s| s.stored) else { return };
        let errors = done.errors.map_or(String::new(), |errors| {
            format!(" max_error={:.3e} rms_error={:.3e}", errors.most, errors.root_mean_square())
        });
        eprintln!(
            "{} {} data  {}{} variable={name} bytes={} bits={} of={} clamped={} milliseconds={:.3} saved={} way={} \
             codec_milliseconds={:.3}{errors}",
            if done.encoded { "compress" } else { "decompress" },
            task.state.device.info().kind.name(),
            whereabouts(task.state, task.place, line),
            on(task.queue),
            done.host_bytes(),
            stored.bits,
            8 * stored.elem_size(),
            done.clamped,
            done.whole.as_secs_f64() * 1e3,
            done.saved(),
            done.way.name(),
            done.codec.as_secs_f64() * 1e3,
        );
    }
}

/// `action` is "create", "alloc", "delete", "free", "attach" or "detach".
pub fn allocation(
    action: &str,
    state: &DeviceState,
    place: Place,
    line: i32,
    name: Name,
    bytes: usize,
    device: u64,
) {
    if wants(notify::ALLOCATION) {
        eprintln!(
            "{action} {} data  {} variable={name} bytes={bytes} address={device:#x}",
            state.device.info().kind.name(),
            whereabouts(state, place, line),
        );
    }
}

/// `action` is "enter" or "leave".
pub fn region(action: &str, state: &DeviceState, place: Place) {
    if wants(notify::REGION) {
        eprintln!("{action} {} region  {}", place.directive(), whereabouts(state, place, 0));
    }
}

pub fn wait(state: &DeviceState, place: Place, queue: &Queue) {
    if wants(notify::WAIT) {
        eprintln!("wait  {} queue={}", whereabouts(state, place, 0), queue.value);
    }
}
