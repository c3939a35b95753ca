//! A pool of threads: it runs the kernels of the cpu device, and large copies for CUDA.
//!
//! One job at a time: `run` hands a function to every thread, takes part as thread 0, and returns
//! when all are done. Threads wait for the next job by spinning for a moment, since kernels tend
//! to follow each other closely, and then sleep on a futex. The caller does the same for the end
//! of the job. Who spins gives its processor away at each look at the clock. Where another took it for
//! long there are more threads than processors: for a while threads spin next to not at all then. A
//! thread that is woken wakes two more, so that the caller begins with its own part. Threads start at
//! the first job that has work for them.
//!
//! Invariants: `Shared::job` is written only by the holder of `busy`, while no thread runs a job
//! (`remaining` is 0), and read only between the change of `generation` and the thread's decrement
//! of `remaining`. A job's borrow of the caller's stack ends before `run` returns.

use crate::clock;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::{Duration, Instant};

/// How long an idle thread spins before it sleeps, and how often it looks at the clock. To wake all threads of a
/// machine takes some hundred microseconds: threads that sleep before the last one has been woken never stop.
const SPIN: Duration = Duration::from_micros(500);
const LOOKS: u32 = 64;
/// A thread that had given its processor away for longer than this was not alone on it.
const TAKEN: Duration = Duration::from_micros(20);
/// How long that is heeded, and how long threads spin meanwhile: what takes a processor may keep it for milliseconds,
/// but who sleeps and is woken gets it back at once.
const CROWDED: Duration = Duration::from_millis(200);
const SHORT_SPIN: Duration = Duration::from_micros(20);
/// How many sleeping threads a thread wakes.
const WAKES: i32 = 2;
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
    /// Until when processors count as crowded, in nanoseconds after `since`.
    crowded: Line<AtomicU64>,
    since: Instant,
    job: UnsafeCell<Option<Job>>,
}

// SAFETY: `job` is the only member that is not Sync by itself; see the module's invariants.
unsafe impl Sync for Shared {}
// SAFETY: a job is a pointer to a Sync function, valid while the job runs.
unsafe impl Send for Shared {}

impl Shared {
    /// Spins until `done(value)` and returns the value; nothing where that takes too long.
    fn spin_until(&self, value: &AtomicU32, done: impl Fn(u32) -> bool) -> Option<u32> {
        let started = Instant::now();
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        let crowded = nanoseconds(started - self.since) < self.crowded.0.load(Ordering::Relaxed);
        let spin = if crowded { SHORT_SPIN } else { SPIN };
        loop {
            for _ in 0..LOOKS {
                let now = value.load(Ordering::Acquire);
                if done(now) {
                    return Some(now);
                }
                std::hint::spin_loop();
            }
            let given = Instant::now();
            if given - started > spin {
                return None;
            }
            if !crowded {
                std::thread::yield_now();
                if given.elapsed() > TAKEN {
                    let until = nanoseconds(self.since.elapsed() + CROWDED);
                    self.crowded.0.store(until, Ordering::Relaxed);
                    return None;
                }
            }
        }
    }
}

pub struct ThreadPool {
    shared: Arc<Shared>,
    threads: usize,
    started: Once,
    busy: Mutex<()>,
}

impl ThreadPool {
    pub fn new(threads: usize) -> ThreadPool {
        ThreadPool {
            shared: Arc::new(Shared {
                generation: Line(AtomicU32::new(0)),
                sleepers: Line(AtomicUsize::new(0)),
                remaining: Line(AtomicU32::new(0)),
                crowded: Line(AtomicU64::new(0)),
                since: Instant::now(),
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
            futex_wake(&shared.generation.0, WAKES);
        }
        job(0);
        if shared.spin_until(&shared.remaining.0, |left| left == 0).is_none() {
            // What was to wake a thread of this job may have met one that waits for the next already.
            futex_wake(&shared.generation.0, i32::MAX);
            sleep_until(&shared.remaining.0, |left| left == 0);
        }
    }

    fn start(&self) {
        for number in 1..self.threads {
            let shared = self.shared.clone();
            let thread = std::thread::Builder::new().name(format!("accl-{number}"));
            thread
                .spawn(move || {
                    crate::processors::use_all();
                    clock::inside(|| work(&shared, number));
                })
                .expect("a thread can be started");
        }
    }
}

/// The life of thread `number`; it ends with the process.
fn work(shared: &Shared, number: usize) {
    let mut seen = 0;
    loop {
        let next = |now| now != seen;
        seen = shared.spin_until(&shared.generation.0, next).unwrap_or_else(|| {
            shared.sleepers.0.fetch_add(1, Ordering::SeqCst);
            let now = sleep_until(&shared.generation.0, next);
            if shared.sleepers.0.fetch_sub(1, Ordering::SeqCst) > 1 {
                futex_wake(&shared.generation.0, WAKES);
            }
            now
        });
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
            futex_wake(&shared.remaining.0, 1);
        }
    }
}

/// Sleeps until `done(value)`; returns the value.
fn sleep_until(value: &AtomicU32, done: impl Fn(u32) -> bool) -> u32 {
    loop {
        let now = value.load(Ordering::SeqCst);
        if done(now) {
            return now;
        }
        futex_wait(value, now);
    }
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

/// Wakes up to `count` of those who sleep there.
fn futex_wake(value: &AtomicU32, count: i32) {
    // SAFETY: a private futex on a live word.
    unsafe {
        libc::syscall(libc::SYS_futex, value.as_ptr(), libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, count);
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
