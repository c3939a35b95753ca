//! Times of kernels and transfers: the table of `ACCL_TIME` and the timeline of `ACCL_TRACE`.
//!
//! When either is wanted, every operation is put between two marks on its queue. Marks are read
//! when the operation has certainly passed: after a wait of the host, or at exit. Totals are kept
//! by source line, because that is what a user can change.
//!
//! Serial kernels are measured in the same way, whether the profile is wanted or not ([`SerialKernels`]).
//!
//! Invariant: nothing else here costs anything but one test when neither is wanted.

use crate::config::config;
use crate::device::{Device, Mark, QueueId};
use crate::error::Result;
use crate::launch::kernel_name;
use crate::location::{Name, SourceLocation};
use crate::serial_kernels::{SerialKernels, is_serial, obstacle};
use crate::state::DeviceState;
use crate::trace;
use accl_abi::Kernel;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// What an operation was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Work {
    Kernel,
    Upload,
    Download,
    /// A construct that the host ran.
    Host,
}

impl Work {
    pub fn name(self) -> &'static str {
        match self {
            Work::Kernel => "kernel",
            Work::Upload => "upload",
            Work::Download => "download",
            Work::Host => "host",
        }
    }
}

/// An operation between its marks, not read yet.
struct Pending {
    work: Work,
    location: SourceLocation,
    line: i32,
    name: String,
    variant: Option<String>,
    kernel: Option<&'static Kernel>,
    bytes: usize,
    predicted: f64,
    queue: i64,
    from: Mark,
    to: Mark,
}

/// Sum of the operations of one kind at one line.
#[derive(Clone, Debug, Default)]
pub struct Total {
    pub count: u64,
    pub seconds: f64,
    pub least: f64,
    pub most: f64,
    pub bytes: u64,
    /// What the cost model expects of all of them; 0 where it knows nothing.
    pub predicted: f64,
}

impl Total {
    fn add(&mut self, seconds: f64, bytes: usize, predicted: f64) {
        self.least = if self.count == 0 { seconds } else { self.least.min(seconds) };
        self.most = self.most.max(seconds);
        self.count += 1;
        self.seconds += seconds;
        self.bytes += bytes as u64;
        self.predicted += predicted;
    }

    /// A line of the table.
    fn row(&self, what: &str, end: &str) -> String {
        let [sum, mean, least, most] =
            [self.seconds, self.seconds / self.count as f64, self.least, self.most].map(|s| s * 1e3);
        format!(
            "    {what} count {:>7}  total {sum:>10.3}  mean {mean:>9.4}  min {least:>9.4}  max {most:>9.4}{end}\n",
            self.count,
        )
    }

    /// What the cost model expects of one of them, in milliseconds.
    fn prediction(&self) -> String {
        match self.predicted > 0.0 {
            true => format!("  predicted {:.4}", self.predicted * 1e3 / self.count as f64),
            false => String::new(),
        }
    }

    /// How fast a transfer was.
    fn rate(&self) -> String {
        if self.seconds <= 0.0 {
            return String::new();
        }
        format!("  {} bytes  {:.2} GB/s", self.bytes, self.bytes as f64 / self.seconds * 1e-9)
    }
}

/// The operations of one kind at one line: all together, those of a kernel with several variants by variant, and launches by kernel.
#[derive(Default)]
pub struct Totals {
    pub all: Total,
    pub by_variant: BTreeMap<String, Total>,
    pub by_kernel: BTreeMap<String, Totals>,
    /// Why the kernel runs in one thread.
    obstacle: Option<String>,
}

/// File, line, function, kind, variable or directive.
pub type RowKey = (String, i32, String, Work, String);

#[derive(Default)]
pub struct Profile {
    start: Mutex<Option<Mark>>,
    pending: Mutex<Vec<Pending>>,
    totals: Mutex<BTreeMap<RowKey, Totals>>,
    pub serial: SerialKernels,
}

/// True where operations are to be marked.
pub fn wanted() -> bool {
    config().time || config().trace.is_some()
}

/// Describes an operation for the profile.
pub struct Label {
    pub work: Work,
    pub location: SourceLocation,
    pub line: i32,
    pub name: Name,
    /// The kernel's that was launched, where it has several.
    pub variant: Option<String>,
    /// What was launched, of a program's kernels.
    pub kernel: Option<&'static Kernel>,
    pub bytes: usize,
    /// The seconds that the cost model expects; 0 where it knows nothing.
    pub predicted: f64,
    pub queue: i64,
}

impl Profile {
    /// Runs `operation`, between marks where they are wanted.
    pub fn timed(
        &self,
        device: &dyn Device,
        queue: QueueId,
        label: Label,
        operation: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        match wanted() {
            true => self.begin(device)?,
            false if !label.kernel.is_some_and(is_serial) => return operation(),
            false => {}
        }
        let from = device.mark(queue)?;
        operation()?;
        let to = device.mark(queue)?;
        let line = if label.line > 0 { label.line } else { label.location.0.line };
        self.pending.lock().unwrap().push(Pending {
            work: label.work,
            location: label.location,
            line,
            name: label.name.to_string(),
            variant: label.variant,
            kernel: label.kernel,
            bytes: label.bytes,
            predicted: label.predicted,
            queue: label.queue,
            from,
            to,
        });
        Ok(())
    }

    /// Sets the moment that the timeline counts from.
    fn begin(&self, device: &dyn Device) -> Result<()> {
        let mut start = self.start.lock().unwrap();
        if start.is_none() {
            *start = Some(device.mark(crate::device::SYNC_QUEUE)?);
            device.finish(crate::device::SYNC_QUEUE)?;
            trace::device_began(device.info());
        }
        Ok(())
    }

    /// Reads the marks of a queue that was just finished.
    pub fn collect(&self, state: &DeviceState, queue: i64) {
        let passed: Vec<Pending> = {
            let mut pending = self.pending.lock().unwrap();
            let (passed, rest) =
                std::mem::take(&mut *pending).into_iter().partition(|one| one.queue == queue);
            *pending = rest;
            passed
        };
        let start = *self.start.lock().unwrap();
        for one in passed {
            let Ok(seconds) = state.device.elapsed(one.from, one.to) else {
                // Put on the queue by another thread after the wait; the next one reads it.
                self.pending.lock().unwrap().push(one);
                continue;
            };
            if let Some(start) = start.filter(|_| config().trace.is_some()) {
                let since = state.device.elapsed(start, one.from).unwrap_or(0.0);
                trace::operation(
                    state.device.info(),
                    one.queue,
                    one.work,
                    one.location,
                    one.line,
                    &one.name,
                    one.variant.as_deref(),
                    one.bytes,
                    since,
                    seconds,
                );
            }
            state.device.forget(one.from);
            state.device.forget(one.to);
            if let Some(kernel) = one.kernel.filter(|kernel| is_serial(kernel)) {
                self.serial.add(kernel, seconds);
            }
            if !wanted() {
                continue;
            }
            let key = (
                one.location.file().into_owned(),
                one.line,
                one.location.function().into_owned(),
                one.work,
                one.name,
            );
            let mut totals = self.totals.lock().unwrap();
            let totals = totals.entry(key).or_default();
            totals.obstacle = totals.obstacle.take().or_else(|| one.kernel.and_then(obstacle));
            let add = |totals: &mut Totals| {
                totals.all.add(seconds, one.bytes, one.predicted);
                if let Some(variant) = &one.variant {
                    let of_variant = totals.by_variant.entry(variant.clone()).or_default();
                    of_variant.add(seconds, one.bytes, one.predicted);
                }
            };
            add(totals);
            if let Some(kernel) = one.kernel {
                add(totals.by_kernel.entry(kernel_name(kernel)).or_default());
            }
        }
    }

    /// Counts a construct that the host ran.
    pub fn ran_on_host(&self, location: SourceLocation, seconds: f64) {
        if wanted() {
            let (file, function) = (location.file().into_owned(), location.function().into_owned());
            let key = (file, location.0.line, function, Work::Host, location.directive().into_owned());
            self.totals.lock().unwrap().entry(key).or_default().all.add(seconds, 0, 0.0);
        }
    }

    /// Calls `f` with the totals of each line and kind.
    pub fn for_each_row(&self, mut f: impl FnMut(&RowKey, &Totals)) {
        self.totals.lock().unwrap().iter().for_each(|(key, totals)| f(key, totals));
    }

    /// The table, empty where nothing was measured.
    pub fn table(&self, device: &str) -> String {
        let totals = self.totals.lock().unwrap();
        if totals.is_empty() {
            return String::new();
        }
        let mut text = format!("\nAccelerator times (ms) on {device}\n");
        let mut last = None;
        for ((file, line, function, work, name), Totals { all, by_variant, obstacle, .. }) in totals.iter() {
            if last != Some((file, line)) {
                text += &format!("{file}:{line}: {function}\n");
                last = Some((file, line));
            }
            let only = by_variant.iter().find(|(_, total)| total.count == all.count);
            let end = match only {
                _ if matches!(work, Work::Upload | Work::Download) => all.rate(),
                Some((variant, _)) => format!("  variant {variant}{}", all.prediction()),
                None => all.prediction(),
            };
            text += &all.row(&format!("{:<8} {name:<24}", work.name()), &end);
            for (variant, total) in by_variant.iter().filter(|_| only.is_none()) {
                text += &total.row(&format!("  variant {variant:<23}"), &total.prediction());
            }
            if let Some(obstacle) = obstacle {
                text += &format!("      not parallel: {obstacle}\n");
            }
        }
        text
    }
}
