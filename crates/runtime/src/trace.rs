//! The timeline of `ACCL_TRACE`: a JSON file of trace events that Perfetto and chrome://tracing open.
//!
//! Events are collected in memory and written at exit. A device is a process of the timeline, a
//! queue a thread of it. Times are those of the device, moved to the host's clock by the moment at
//! which the device's first mark was seen.

use crate::config::config;
use crate::device::DeviceInfo;
use crate::location::SourceLocation;
use crate::log;
use crate::profile::Work;
use std::fmt::Write as _;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

static EVENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Device (kind and number) and its first moment in seconds.
static BEGINNINGS: Mutex<Vec<(String, f64)>> = Mutex::new(Vec::new());

fn since_start() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn device_name(info: &DeviceInfo) -> String {
    format!("{} device {}: {}", info.kind.name(), info.number, info.name)
}

/// A JSON string.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if u32::from(c) < 0x20 => _ = write!(quoted, "\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

pub fn device_began(info: &DeviceInfo) {
    if config().trace.is_none() {
        return;
    }
    let mut beginnings = BEGINNINGS.lock().unwrap();
    beginnings.push((device_name(info), since_start()));
    let process = beginnings.len();
    let name = quote(&device_name(info));
    let event = format!(r#"{{"ph":"M","pid":{process},"name":"process_name","args":{{"name":{name}}}}}"#);
    EVENTS.lock().unwrap().push(event);
}

#[expect(clippy::too_many_arguments, reason = "one call, and every one is a member of the event")]
pub fn operation(
    info: &DeviceInfo,
    queue: i64,
    work: Work,
    location: SourceLocation,
    line: i32,
    name: &str,
    variant: Option<&str>,
    bytes: usize,
    since: f64,
    seconds: f64,
) {
    let beginnings = BEGINNINGS.lock().unwrap();
    let wanted = device_name(info);
    let Some(process) = beginnings.iter().position(|(name, _)| *name == wanted) else {
        return;
    };
    let start = beginnings[process].1 + since;
    let label = match work {
        Work::Kernel | Work::Host => format!("{}:{line} {name}", location.file()),
        Work::Upload | Work::Download => format!("{} {name}", work.name()),
    };
    let event = format!(
        r#"{{"ph":"X","pid":{},"tid":{},"ts":{:.3},"dur":{:.3},"cat":"{}","name":{},"args":{{"file":{},"line":{line},"function":{},"bytes":{bytes}{}}}}}"#,
        process + 1,
        queue,
        start * 1e6,
        seconds * 1e6,
        work.name(),
        quote(&label),
        quote(&location.file()),
        quote(&location.function()),
        variant.map_or(String::new(), |variant| format!(r#","variant":{}"#, quote(variant))),
    );
    EVENTS.lock().unwrap().push(event);
}

/// Writes the file.
pub fn write() {
    let Some(path) = &config().trace else { return };
    let events = EVENTS.lock().unwrap();
    let text = format!("{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{}\n]}}\n", events.join(",\n"));
    if let Err(error) = std::fs::write(path, text) {
        log::warning(&format!("the timeline could not be written to {}: {error}", path.display()));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_quoted() {
        assert_eq!(super::quote("a\"b\\\n"), r#""a\"b\\\u000a""#);
    }
}
