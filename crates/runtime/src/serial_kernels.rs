//! Serial kernels that nobody asked for: how long they run.
//!
//! Where the compiler finds no parallelism in a loop, or arrays of a launch overlap, one thread of the device runs the loop. The
//! kernel's table then says what is in the way (`accl_kernel.obstacle`). Such kernels are measured, and those that take long
//! in all are told at exit, once each.
//!
//! Invariant: other kernels pay one comparison a launch; of many launches of a serial kernel some are measured.

use crate::config::config;
use crate::error::codes;
use crate::location::SourceLocation;
use crate::log;
use accl_abi::{Kernel, kernel_flags, text};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

/// What a serial kernel may take without a word.
const SECONDS: f64 = 0.01;
/// So many launches of a kernel are measured one by one, then one of `EVERY`.
const EACH: u64 = 256;
const EVERY: u64 = 16;

/// The serial kernels of a device, by the addresses of their tables.
#[derive(Default)]
pub struct SerialKernels(Mutex<BTreeMap<usize, Measured>>);

struct Measured {
    kernel: &'static Kernel,
    launches: u64,
    measured: u64,
    seconds: f64,
}

impl Measured {
    /// Of all launches, if those that were not measured took as long as the others.
    fn total(&self) -> f64 {
        self.seconds * self.launches as f64 / self.measured.max(1) as f64
    }
}

/// The kernel runs in one thread, and nobody asked for that.
pub fn is_serial(kernel: &Kernel) -> bool {
    !kernel.obstacle.is_null()
}

/// What prevents the loops of a serial kernel from running in parallel.
pub fn obstacle(kernel: &Kernel) -> Option<String> {
    // SAFETY: a constant of the program.
    is_serial(kernel).then(|| unsafe { text(kernel.obstacle) }.into_owned())
}

impl SerialKernels {
    fn all(&self) -> MutexGuard<'_, BTreeMap<usize, Measured>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Counts a launch. True where it is to be measured.
    #[inline]
    pub fn counts(&self, kernel: &'static Kernel) -> bool {
        is_serial(kernel) && config().warnings && self.counted(kernel)
    }

    #[cold]
    fn counted(&self, kernel: &'static Kernel) -> bool {
        let mut all = self.all();
        let new = Measured { kernel, launches: 0, measured: 0, seconds: 0.0 };
        let known = all.entry(std::ptr::from_ref(kernel) as usize).or_insert(new);
        known.launches += 1;
        known.launches <= EACH || known.launches.is_multiple_of(EVERY)
    }

    /// Notes how long a launch took.
    pub fn add(&self, kernel: &'static Kernel, seconds: f64) {
        if let Some(known) = self.all().get_mut(&(std::ptr::from_ref(kernel) as usize)) {
            known.measured += 1;
            known.seconds += seconds;
        }
    }

    /// Tells the kernels that took long, those that took longest first.
    pub fn warn(&self) {
        let all = self.all();
        let mut long: Vec<&Measured> = all.values().filter(|known| known.total() >= SECONDS).collect();
        long.sort_by(|a, b| b.total().total_cmp(&a.total()));
        for known in long {
            // SAFETY: a constant table of the program.
            let location = unsafe { SourceLocation::new(known.kernel.site) };
            let serial = known.kernel.flags & kernel_flags::SERIAL != 0;
            // A fallback keeps the loops parallel that need no test of overlap.
            let how = match known.kernel.n_dims {
                _ if serial => "in one thread",
                0 => "in one gang",
                _ => "with loops in order that could be parallel",
            };
            let launches = if known.launches == 1 { "launch" } else { "launches" };
            log::warning_coded(
                codes::SERIAL_KERNEL,
                &format!(
                    "a kernel ran {how}, for {:.1} ms in {} {launches}\n  {}\n  {}\n  \
                     help: `accl explain` says more of its loops; ACCL_WARNINGS=0 turns this off",
                    known.total() * 1e3,
                    known.launches,
                    location.describe(0),
                    obstacle(known.kernel).unwrap_or_default(),
                ),
            );
        }
    }
}
