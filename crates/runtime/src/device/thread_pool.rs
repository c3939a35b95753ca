//! A pool of threads: it runs the kernels of the cpu device, and large copies for CUDA.
//!
//! One job at a time: `run` hands a function to every thread, takes part as thread 0, and returns
//! when all are done. Threads wait for the next job by spinning for a moment, since kernels tend
//! to follow each other closely, and then sleep on a futex. The caller does the same for the end
//! of the job. Threads start at the first job that has work for them.
//!
//! Invariants: `Shared::job` is written only by the holder of `busy`, while no thread runs a job
//! (`remaining` is 0), and read only between the change of `generation` and the thread's decrement
//! of `remaining`. A job's borrow of the caller's stack ends before `run` returns.

use crate::clock;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::{Duration, Instant};

/// How long an idle thread spins before it sleeps, and how often it looks at the clock.
const SPIN: Duration = Duration::from_micros(20);
/// How long threads spin whose next job comes when a device has taken the results of this one.
const LONG_SPIN: Duration = Duration::from_micros(150);
const LOOKS: u32 = 64;
/// Bits of `generation` for the number of threads.
const PARTS: u32 = 12;

type Job = *const (dyn Fn(usize) + Sync);

#[repr(align(128))]
struct Line<T>(T);

struct Shared {
    /// The job's number, and below it in `PARTS` bits how many threads take part. One word, so
    /// that a thread late for a job it has no part in cannot mistake the next one for it.
    generation: Line<AtomicU32>,
    sleepers: Line<AtomicUsize>,
    /// Threads that have not finished the job; the futex that the caller sleeps on.
    remaining: Line<AtomicU32>,
    job: UnsafeCell<Option<Job>>,
}

// SAFETY: `job` is the only member that is not Sync by itself; see the module's invariants.
unsafe impl Sync for Shared {}
// SAFETY: a job is a pointer to a Sync function, valid while the job runs.
unsafe impl Send for Shared {}

pub struct ThreadPool {
    shared: Arc<Shared>,
    threads: usize,
    started: Once,
    busy: Mutex<()>,
    /// How long its threads spin.
    spin: Duration,
}

impl ThreadPool {
    pub fn new(threads: usize) -> ThreadPool {
        ThreadPool::spinning(threads, SPIN)
    }

    /// A pool for the parts of a transfer, one after the other.
    pub fn for_transfers(threads: usize) -> ThreadPool {
        ThreadPool::spinning(threads, LONG_SPIN)
    }

    fn spinning(threads: usize, spin: Duration) -> ThreadPool {
        ThreadPool {
            spin,
            shared: Arc::new(Shared {
                generation: Line(AtomicU32::new(0)),
                sleepers: Line(AtomicUsize::new(0)),
                remaining: Line(AtomicU32::new(0)),
                job: UnsafeCell::new(None),
            }),
            threads: threads.clamp(1, (1 << PARTS) - 1),
            started: Once::new(),
            busy: Mutex::new(()),
        }
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `job(t)` for each `t < parts` (at most `threads`), each on a thread of its own.
    pub fn run(&self, parts: usize, job: &(dyn Fn(usize) + Sync)) {
        let parts = parts.min(self.threads);
        if parts <= 1 {
            return job(0);
        }
        // A job that panicked ended the process, so a poisoned lock guards nothing broken.
        let _busy = self.busy.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.started.call_once(|| self.start());
        let shared = &*self.shared;
        // SAFETY: only the lifetime changes; the threads are done with it before this returns.
        let erased =
            unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(job) };
        // SAFETY: `busy` is held and `remaining` is 0: no other thread touches `job` now.
        unsafe { *shared.job.get() = Some(std::ptr::from_ref(erased)) };
        shared.remaining.0.store(parts as u32 - 1, Ordering::Relaxed);
        let number = (shared.generation.0.load(Ordering::Relaxed) >> PARTS).wrapping_add(1);
        shared.generation.0.store(number << PARTS | parts as u32, Ordering::SeqCst);
        if shared.sleepers.0.load(Ordering::SeqCst) > 0 {
            futex_wake(&shared.generation.0);
        }
        job(0);
        wait_until(&shared.remaining.0, |left| left == 0, SPIN, None);
    }

    fn start(&self) {
        for number in 1..self.threads {
            let (shared, spin) = (self.shared.clone(), self.spin);
            let thread = std::thread::Builder::new().name(format!("accl-{number}"));
            thread
                .spawn(move || {
                    crate::processors::use_all();
                    clock::inside(|| work(&shared, number, spin));
                })
                .expect("a thread can be started");
        }
    }
}

/// The life of thread `number`; it ends with the process.
fn work(shared: &Shared, number: usize, spin: Duration) {
    let mut seen = 0;
    loop {
        seen = wait_until(&shared.generation.0, |now| now != seen, spin, Some(&shared.sleepers.0));
        if number >= (seen & ((1 << PARTS) - 1)) as usize {
            continue;
        }
        // SAFETY: this thread takes part in the job of this generation and has not yet counted
        // itself out, so `job` is set and is not written.
        if let Some(job) = unsafe { *shared.job.get() } {
            // SAFETY: `run` keeps the job alive until `remaining` is 0.
            unsafe { (*job)(number) };
        }
        if shared.remaining.0.fetch_sub(1, Ordering::AcqRel) == 1 {
            futex_wake(&shared.remaining.0);
        }
    }
}

/// Waits until `done(value)`: spins, then sleeps; returns the value.
fn wait_until(
    value: &AtomicU32,
    done: impl Fn(u32) -> bool,
    spin: Duration,
    sleepers: Option<&AtomicUsize>,
) -> u32 {
    let started = Instant::now();
    loop {
        for _ in 0..LOOKS {
            let now = value.load(Ordering::Acquire);
            if done(now) {
                return now;
            }
            std::hint::spin_loop();
        }
        if started.elapsed() > spin {
            break;
        }
    }
    if let Some(sleepers) = sleepers {
        sleepers.fetch_add(1, Ordering::SeqCst);
    }
    let last = loop {
        let now = value.load(Ordering::SeqCst);
        if done(now) {
            break now;
        }
        futex_wait(value, now);
    };
    if let Some(sleepers) = sleepers {
        sleepers.fetch_sub(1, Ordering::SeqCst);
    }
    last
}

/// Sleeps while `value` is `expected`; may wake early.
fn futex_wait(value: &AtomicU32, expected: u32) {
    // SAFETY: a private futex on a live word, without a timeout.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            value.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            expected,
            std::ptr::null::<libc::timespec>(),
        );
    }
}

fn futex_wake(value: &AtomicU32) {
    // SAFETY: a private futex on a live word.
    unsafe {
        libc::syscall(libc::SYS_futex, value.as_ptr(), libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, i32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_runs_once() {
        let pool = ThreadPool::new(4);
        for parts in [1, 2, 3, 4, 9] {
            let counts: Vec<AtomicUsize> = (0..4).map(|_| AtomicUsize::new(0)).collect();
            for _ in 0..200 {
                pool.run(parts, &|part| {
                    counts[part].fetch_add(1, Ordering::Relaxed);
                });
            }
            for (part, count) in counts.iter().enumerate() {
                let expected = if part < parts { 200 } else { 0 };
                assert_eq!(count.load(Ordering::Relaxed), expected, "part {part} of {parts}");
            }
        }
    }

    #[test]
    fn callers_take_turns() {
        let pool = ThreadPool::new(3);
        let total = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        pool.run(3, &|_| {
                            total.fetch_add(1, Ordering::Relaxed);
                        });
                    }
                });
            }
        });
        assert_eq!(total.load(Ordering::Relaxed), 900);
    }
}
