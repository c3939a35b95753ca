//! The file of `ACCL_REPLAY`: a line of JSON for each thing that happened, written at once.
//!
//! ```text
//! {"kernel": "smooth_12", "function": "smooth", "line": 12, "class": 20, "trips": [1024, 1024, 0], "variant": "c3", "state": "begun"}
//! {…, "state": "checked"}     its result is right
//! {…, "state": "failed", "why": "correctness", "detail": "byte 8 of an array of 400"}
//! {…, "state": "times", "usual": true, "seconds": [1.2e-5, 1.1e-5]}
//! {"kernel": "smooth_12", "function": "smooth", "line": 12, "class": 20, "trips": […], "state": "refused", "detail": "it prints"}
//! ```
//!
//! A variant that began and came to nothing was running when the program ended. It is not run again.

use crate::call::CallContext;
use crate::config::config;
use crate::launch::kernel_name;
use crate::log;
use crate::trace::quote;
use crate::wisdom::code_of;
use accl_abi::{Kernel, LaunchInfo};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, MutexGuard, OnceLock};

/// Size classes of a kernel that are replayed, beside those that are larger than all before.
const CLASSES: usize = 4;

/// The launch that lines are about.
pub struct ReplayedLaunch {
    /// What all of its lines begin with.
    head: String,
    /// Bytes that are saved and put back.
    pub bytes: usize,
    /// Of the device and of its kernels' text: what wisdom is for.
    device: String,
    code: u64,
}

impl ReplayedLaunch {
    pub fn new(call: &CallContext, info: &LaunchInfo, kernel: &'static Kernel, class: u32) -> ReplayedLaunch {
        let trips: Vec<i64> = info.trips.iter().take(kernel.n_dims as usize).copied().collect();
        let name = quote(&kernel_name(kernel));
        let (function, line) = (quote(&call.location.function()), call.location.0.line);
        let head = format!(
            "{{\"kernel\": {name}, \"function\": {function}, \"line\": {line}, \"class\": {class}, \"trips\": {trips:?}, "
        );
        let device = call.state.device.info();
        // SAFETY: a constant table of the program.
        let code = code_of(unsafe { &*info.module }, device.kind);
        ReplayedLaunch { head, bytes: 0, device: device.name.clone(), code }
    }
}

pub struct Record {
    file: Option<File>,
    /// Kernels and size classes of this run.
    launches: BTreeSet<(usize, u32)>,
    /// Lines of earlier runs, and of this one.
    lines: Vec<String>,
}

/// The one of this process.
pub fn record() -> MutexGuard<'static, Record> {
    static RECORD: OnceLock<Mutex<Record>> = OnceLock::new();
    let record = RECORD.get_or_init(|| Mutex::new(Record::open()));
    record.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Record {
    fn open() -> Record {
        let path = config().replay.clone().unwrap_or_default();
        let lines = std::fs::read_to_string(&path).unwrap_or_default();
        let file = OpenOptions::new().create(true).append(true).open(&path);
        if let Err(why) = &file {
            log::warning(&format!(
                "kernels are not replayed, since '{}' cannot be written: {why}",
                path.display()
            ));
        }
        let lines = lines.lines().map(str::to_owned).collect();
        Record { file: file.ok(), launches: BTreeSet::new(), lines }
    }

    /// True for the first launch of a kernel in a size class.
    pub fn begin(&mut self, kernel: &Kernel, class: u32) -> bool {
        let kernel = std::ptr::from_ref(kernel) as usize;
        let mut classes = self.launches.iter().filter(|(other, _)| *other == kernel).map(|(_, class)| *class);
        let is_wanted = classes.clone().count() < CLASSES || classes.all(|earlier| earlier < class);
        self.file.is_some() && is_wanted && self.launches.insert((kernel, class))
    }

    /// Why a variant is not run: it was running when an earlier run ended.
    pub fn failure(&self, of: &ReplayedLaunch, variant: &str) -> Option<String> {
        let state = |state: &str| {
            let line = format!("{}\"variant\": {}, \"state\": \"{state}\"", of.head, quote(variant));
            self.lines.iter().filter(|own| own.starts_with(&line)).count()
        };
        let came_to = state("checked") + state("failed");
        (state("begun") > came_to || state("ended") > 0).then(|| "the program ended in it".to_owned())
    }

    /// An earlier run came to its times, or it is not replayed.
    pub fn is_done(&self, of: &ReplayedLaunch) -> bool {
        let ends =
            |line: &&String| line.contains("\"state\": \"times\"") || line.contains("\"state\": \"refused\"");
        self.lines.iter().filter(ends).any(|line| line.starts_with(&of.head))
    }

    pub fn begun(&mut self, of: &ReplayedLaunch, variant: &str) {
        self.variant(of, variant, "\"state\": \"begun\"");
    }

    pub fn checked(&mut self, of: &ReplayedLaunch, variant: &str) {
        self.variant(of, variant, "\"state\": \"checked\"");
    }

    pub fn failed(&mut self, of: &ReplayedLaunch, variant: &str, why: &str, detail: &str) {
        let state = if why == "runtime" { "ended" } else { "failed" };
        let (why, detail) = (quote(why), quote(detail));
        self.variant(of, variant, &format!("\"state\": \"{state}\", \"why\": {why}, \"detail\": {detail}"));
    }

    pub fn times(&mut self, of: &ReplayedLaunch, variant: &str, usual: bool, seconds: &[f64]) {
        let seconds: Vec<String> = seconds.iter().map(|s| format!("{s:e}")).collect();
        let (seconds, bytes, device, code) = (seconds.join(", "), of.bytes, quote(&of.device), of.code);
        self.variant(
            of,
            variant,
            &format!(
                "\"state\": \"times\", \"usual\": {usual}, \"saved_bytes\": {bytes}, \"device\": {device}, \"code\": \"{code:016x}\", \"seconds\": [{seconds}]"
            ),
        );
    }

    /// The launch is not replayed.
    pub fn refused(&mut self, of: &ReplayedLaunch, why: &str) {
        self.line(format!("{}\"state\": \"refused\", \"detail\": {}}}", of.head, quote(why)));
    }

    fn variant(&mut self, of: &ReplayedLaunch, variant: &str, rest: &str) {
        self.line(format!("{}\"variant\": {}, {rest}}}", of.head, quote(variant)));
    }

    fn line(&mut self, line: String) {
        let written = self.file.as_mut().map(|file| file.write_all(format!("{line}\n").as_bytes()));
        if let Some(Err(why)) = written {
            log::warning(&format!(
                "kernels are no longer replayed, since their times cannot be written: {why}"
            ));
            self.file = None;
        }
        self.lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_that_began_and_came_to_nothing_is_not_run_again() {
        let of =
            ReplayedLaunch { head: "{\"line\": 1, ".to_owned(), bytes: 0, device: String::new(), code: 0 };
        let mut record = Record { file: None, launches: BTreeSet::new(), lines: vec![] };
        record.begun(&of, "c1");
        record.checked(&of, "c1");
        record.begun(&of, "c2");
        assert!(record.failure(&of, "c1").is_none() && record.failure(&of, "c2").is_some());
        record.failed(&of, "c2", "runtime", "");
        assert!(record.failure(&of, "c2").is_some() && record.failure(&of, "c3").is_none());
    }

    #[test]
    fn launches_that_grow_are_replayed_to_the_largest() {
        let file = File::options().write(true).open("/dev/null").ok();
        let mut record = Record { file, launches: BTreeSet::new(), lines: vec![] };
        // SAFETY: a table of zeros is one of a kernel without anything.
        let kernel: Kernel = unsafe { std::mem::zeroed() };
        let begun: Vec<u32> =
            [1, 2, 3, 4, 9, 5, 6, 9, 12].into_iter().filter(|class| record.begin(&kernel, *class)).collect();
        assert_eq!(begun, [1, 2, 3, 4, 9, 12]);
    }

    #[test]
    fn sizes_are_counted_in_powers_of_two() {
        use crate::launch::size_class;
        assert_eq!([size_class(&[1000]), size_class(&[32, 32]), size_class(&[])], [9, 10, 0]);
    }
}
