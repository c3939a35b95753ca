//! One launch on the cpu: the iterations are dealt out evenly, in order, one stretch a thread.
//!
//! Stretches begin at multiples of [`GRAIN`] where there are enough iterations, so that vectorised
//! loops have one remainder, at the end. Each thread has its own partial result of each reduction,
//! on a cache line of its own; they are combined in the threads' order, so that a result depends
//! on the number of threads but not on their timing, nor on who ran which stretch.

use crate::device::short::Short;
use crate::device::thread_pool::ThreadPool;
use crate::device::{Argument, Function, Launch, ReductionTarget};
use crate::reduction;
use accl_abi::{CpuEntry, Kernel, kernel_flags, slice};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Iterations that a stretch is a multiple of.
const GRAIN: i64 = 16;
/// Threads for gangs that wait for each other. What more gangs there are begin when these end, as on other devices.
const MOST_SIDE_BY_SIDE: i64 = 1024;
/// Bytes between two threads' partial results: two cache lines, which processors fetch together.
const LINE: usize = 128;

/// A pointer that threads of the pool may share.
#[derive(Clone, Copy)]
struct Shared<T>(*mut T);
// SAFETY: what is behind it is read only, or belongs to one thread each.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn get(&self) -> *mut T {
        self.0
    }
}

/// Runs a kernel and returns when it is done.
///
/// # Safety
/// As for `Device::launch`.
pub unsafe fn run(pool: &ThreadPool, function: &Function, launch: &Launch) {
    let kernel = launch.kernel;
    // SAFETY: `module::function` made `raw` of an entry.
    let entry = unsafe { std::mem::transmute::<usize, CpuEntry>(function.raw) };
    // SAFETY: the kernel's table.
    let reductions = unsafe { slice(kernel.reductions, kernel.n_reductions) };
    let (total, grain) = extent(pool, kernel, &launch.trips, launch.gangs);
    let waits = kernel.flags & kernel_flags::WAITS != 0;
    let (parts, grain) = match waits {
        true => (total.clamp(1, MOST_SIDE_BY_SIDE) as usize, 1),
        false => (parts(pool, total, launch.gangs), grain),
    };
    let stretch = stretch(total, parts as i64, grain);

    let arguments = launch.arguments;
    let count = arguments.len();
    let mut common = Short::new(count, std::ptr::null_mut::<c_void>());
    for (slot, parameter) in common.items().iter_mut().zip(launch.parameters()) {
        *slot = parameter;
    }
    let common = Shared(common.items().as_mut_ptr());

    let inner: i64 = launch.trips.iter().take((kernel.n_dims as usize).saturating_sub(1)).product();
    let work = |part: usize| {
        let (begin, end) = bounds(part, stretch, total);
        (end - begin).max(0).saturating_mul(inner) as u64
    };
    let deal = Deal { pool, parts, waits, cost: &function.cost };
    if reductions.is_empty() {
        return deal.run(&work, &|part| {
            let (begin, end) = bounds(part, stretch, total);
            if begin < end {
                // SAFETY: the entry and its arguments are the compiler's; the caller vouches.
                unsafe { entry(begin, end, total, common.get()) };
            }
        });
    }
    let mut partials = vec![0u128; parts * reductions.len() * LINE / 16];
    let cells = Shared(partials.as_mut_ptr().cast::<u8>());
    let partial = |part: usize, r: usize| {
        // SAFETY: within `partials`, one line for each part and reduction.
        unsafe { cells.get().add((part * reductions.len() + r) * LINE).cast::<c_void>() }
    };
    deal.run(&work, &|part| {
        let (begin, end) = bounds(part, stretch, total);
        let mut own = Short::new(count, std::ptr::null_mut::<c_void>());
        let mut pointers = Short::new(count, std::ptr::null_mut::<c_void>());
        for (r, reduction) in reductions.iter().enumerate() {
            // SAFETY: this thread's line.
            unsafe { reduction::set_identity(*reduction, partial(part, r)) };
        }
        for (i, argument) in arguments.iter().enumerate() {
            own.items()[i] = match *argument {
                Argument::Reduction(r) => {
                    pointers.items()[i] = partial(part, r as usize);
                    (&raw mut pointers.items()[i]).cast()
                }
                // SAFETY: `i` is within the list.
                _ => unsafe { *common.get().add(i) },
            };
        }
        if begin < end {
            // SAFETY: as above.
            unsafe { entry(begin, end, total, own.items().as_ptr()) };
        }
    });
    for (r, (reduction, target)) in reductions.iter().zip(launch.targets).enumerate() {
        let into = match *target {
            ReductionTarget::Host(address) => address,
            ReductionTarget::Device(address) => address as *mut c_void,
        };
        for part in 0..parts {
            // SAFETY: `into` is the reduction's variable, by the caller's promise.
            unsafe { reduction::combine(*reduction, into, partial(part, r)) };
        }
    }
}

/// The parts of a launch, and who runs them. Waking the pool costs microseconds, so a launch that is
/// expected to take less runs on the calling thread alone, part after part, with the same results.
/// What an iteration costs is known from the launch before; where the expectation turns out wrong,
/// the pool takes over.
struct Deal<'a> {
    pool: &'a ThreadPool,
    parts: usize,
    /// One part may wait for another one.
    waits: bool,
    /// 1/1024 nanoseconds for an iteration; 0 where not known.
    cost: &'a AtomicU64,
}

/// Launches expected to be shorter than this run on the calling thread.
const ALONE: Duration = Duration::from_micros(6);

impl Deal<'_> {
    fn run(&self, work: &(dyn Fn(usize) -> u64 + Sync), job: &(dyn Fn(usize) + Sync)) {
        if self.waits {
            return side_by_side(self.parts, job);
        }
        let mut first = 0;
        if self.parts > 1 && self.is_short(work) {
            let started = Instant::now();
            while first < self.parts && (first == 0 || started.elapsed() < 4 * ALONE) {
                job(first);
                first += 1;
            }
            self.learn(started.elapsed(), (0..first).map(work).sum());
            if first == self.parts {
                return;
            }
        }
        self.pool.run(self.parts - first, &|part| {
            if part > 0 || self.parts == 1 {
                return job(first + part);
            }
            let started = Instant::now();
            job(first);
            self.learn(started.elapsed(), work(first));
        });
    }

    fn is_short(&self, work: &(dyn Fn(usize) -> u64 + Sync)) -> bool {
        let cost = self.cost.load(Ordering::Relaxed);
        let all: u64 = (0..self.parts).map(work).sum();
        cost > 0 && u128::from(cost) * u128::from(all) < ALONE.as_nanos() * 1024
    }

    fn learn(&self, took: Duration, work: u64) {
        let cost = took.as_nanos() as u64 * 1024 / work.max(1);
        self.cost.store(cost.max(1), Ordering::Relaxed);
    }
}

/// Each part has a thread of its own, however many processors there are.
fn side_by_side(parts: usize, job: &(dyn Fn(usize) + Sync)) {
    std::thread::scope(|scope| {
        for part in 1..parts {
            scope.spawn(move || job(part));
        }
        job(0);
    });
}

/// How much there is to deal out, and what stretches are a multiple of.
pub fn extent(pool: &ThreadPool, kernel: &Kernel, trips: &[i64; 3], gangs: i64) -> (i64, i64) {
    if kernel.flags & kernel_flags::SERIAL != 0 {
        return (1, 1);
    }
    if kernel.flags & kernel_flags::GANGS != 0 || kernel.n_dims == 0 {
        return (if gangs > 0 { gangs } else { pool.threads() as i64 }, 1);
    }
    // An inner dimension is whole in every stretch, so only a single one needs round borders.
    let outer = (kernel.n_dims as usize).clamp(1, 3) - 1;
    (trips[outer], if outer == 0 { GRAIN } else { 1 })
}

/// Threads that take part, no more than the gangs that were asked for.
pub fn parts(pool: &ThreadPool, total: i64, gangs: i64) -> usize {
    let most = if gangs > 0 { gangs } else { i64::MAX };
    (pool.threads() as i64).min(total).min(most).max(1) as usize
}

/// Iterations of each thread but the last ones.
fn stretch(total: i64, parts: i64, grain: i64) -> i64 {
    let each = total.div_euclid(parts) + i64::from(total % parts != 0);
    if each >= 4 * grain { (each + grain - 1) / grain * grain } else { each }
}

fn bounds(part: usize, stretch: i64, total: i64) -> (i64, i64) {
    let begin = (part as i64).saturating_mul(stretch).min(total);
    (begin, begin.saturating_add(stretch).min(total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_launches_run_alone_and_long_ones_do_not() {
        let (pool, cost) = (ThreadPool::new(3), AtomicU64::new(0));
        let deal = Deal { pool: &pool, parts: 3, waits: false, cost: &cost };
        let me = std::thread::current().id();
        let run = |nap: Duration| {
            let elsewhere = std::sync::atomic::AtomicUsize::new(0);
            deal.run(&|_| 10, &|_| {
                std::thread::sleep(nap);
                elsewhere.fetch_add(usize::from(std::thread::current().id() != me), Ordering::Relaxed);
            });
            elsewhere.into_inner()
        };
        assert_eq!(run(Duration::ZERO), 2, "nothing is known yet");
        // On a busy machine this thread may lose its core for longer than a launch is thought to take.
        let alone = (0..1000).any(|_| {
            cost.store(1, Ordering::Relaxed);
            run(Duration::ZERO) == 0
        });
        assert!(alone, "known to be short");
        cost.store(1, Ordering::Relaxed);
        assert_eq!(run(Duration::from_millis(2)), 1, "one part shows that it is not");
        assert_eq!(run(Duration::from_millis(2)), 2, "known to be long");
    }

    proptest! {
        #[test]
        fn stretches_cover_everything_once(total in 1i64..100_000, threads in 1i64..200) {
            let parts = threads.min(total);
            let stretch = stretch(total, parts, GRAIN);
            let mut next = 0;
            for part in 0..parts as usize {
                let (begin, end) = bounds(part, stretch, total);
                prop_assert!(begin == next || begin == end);
                next = next.max(end);
            }
            prop_assert_eq!(next, total);
        }
    }
}
