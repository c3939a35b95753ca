//! Replay: a launch of the running program is repeated with every variant of its kernel, to find the fastest (`ACCL_REPLAY`).
//!
//! Where a kernel is launched for the first time, or for the first time in a size class, everything that it may write is copied
//! on the device ([`arrays`]). Each variant then runs on what was there before, its result is compared with that of the variant
//! that needs nothing and of the one that is usual, and it is timed by the device's own clock: in rounds, so that what changes meanwhile changes all, and a
//! variant that is clearly slower drops out. In the end everything is as it was, and the program goes on.
//!
//! What was measured is written to the file at once ([`record`]); a program that is started again with the same file leaves out what
//! is there, and what it was running when it ended.
//!
//! Invariant: the program computes what it would without replay. A launch whose effects are not known is not replayed, which the
//! file says.

mod arrays;
mod record;

use super::plan::{LaunchPlan, plan_of, variant_name};
use super::prepare::Prepared;
use super::size_class;
use crate::call::CallContext;
use crate::config::config;
use crate::device::{Kind, Launch};
use crate::error::Result;
use accl_abi::{Kernel, LaunchInfo, Module, kernel_flags, needs, slice};
use arrays::{Contents, SavedArrays};
use record::{Record, ReplayedLaunch};
use std::time::{Duration, Instant};

/// Timed runs of a variant.
const LEAST: usize = 3;
const MOST: usize = 15;
/// Rounds begin no later than this after the first.
const LONG: Duration = Duration::from_secs(3);
/// A variant whose best run takes so many times the best one's median is clearly slower: after one run, and after some.
const FAR: f64 = 2.0;
const SLOWER: f64 = 1.1;

/// Replays a launch, unless one like it was. `usual`: the plan that it has without tuning.
///
/// # Safety
/// As for [`launch`](super::launch); what was planned holds, and nothing was started since.
#[cold]
pub(super) unsafe fn all_variants(
    call: &CallContext,
    info: &LaunchInfo,
    prepared: &Prepared,
    usual: &LaunchPlan,
) {
    // SAFETY: a constant table of the program.
    let kernel: &'static Kernel = unsafe { &*info.kernel };
    let mut record = record::record();
    let class = size_class(&info.trips[..kernel.n_dims as usize]);
    if !record.begin(kernel, class) {
        return;
    }
    let mut of = ReplayedLaunch::new(call, info, kernel, class);
    if record.is_done(&of) {
        return;
    }
    call.state.finish_all(call.location);
    if let Some(why) = obstacle(call, kernel, prepared) {
        return record.refused(&of, why);
    }
    // SAFETY: the caller's promise; the device is idle.
    let arrays = match unsafe { SavedArrays::save(call, info, prepared) } {
        Ok(arrays) => arrays,
        Err(why) => return record.refused(&of, &why),
    };
    of.bytes = arrays.bytes();
    let mut replay = Replay { call, info, prepared, kernel, arrays, runs: vec![] };
    // SAFETY: the caller's promise.
    let outcome = unsafe { replay.run(&mut record, &of, usual) };
    if let Err(error) = outcome.and_then(|()| replay.arrays.restore()) {
        call.state.fail(call.location, Some(call.queue), "a kernel that is replayed", &error);
    }
}

/// What keeps a launch from being repeated.
fn obstacle(call: &CallContext, kernel: &Kernel, prepared: &Prepared) -> Option<&'static str> {
    if call.state.device.info().kind == Kind::Cpu || call.state.shared() {
        return Some("the device has one version of each kernel, or works on the host's memory");
    }
    if kernel.flags & kernel_flags::FALLBACK != 0 {
        return Some("its arrays overlap");
    }
    if kernel.flags & kernel_flags::PRINTS != 0 {
        return Some("it prints");
    }
    if kernel.flags & kernel_flags::STOPS != 0 {
        return Some("it may end the program");
    }
    prepared.any_encoded.then_some("its arrays are compressed")
}

/// A variant with what it came to.
struct VariantRuns {
    plan: LaunchPlan,
    seconds: Vec<f64>,
    /// It takes part in the rounds.
    runs: bool,
}

impl VariantRuns {
    fn least(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::INFINITY)
    }
}

struct Replay<'a> {
    call: &'a CallContext,
    info: &'a LaunchInfo,
    prepared: &'a Prepared,
    kernel: &'static Kernel,
    arrays: SavedArrays<'a>,
    runs: Vec<VariantRuns>,
}

impl Replay<'_> {
    /// # Safety
    /// As for [`all_variants`].
    unsafe fn run(&mut self, record: &mut Record, of: &ReplayedLaunch, usual: &LaunchPlan) -> Result<()> {
        let tolerance = config().replay_tolerance;
        let plain = self.kernel.n_variants.saturating_sub(1);
        // SAFETY: the caller's promise, here and below.
        let Ok(plan) = (unsafe { plan_of(self.call, self.info, self.prepared, plain) }) else {
            record.refused(of, "its plain variant cannot run");
            return Ok(());
        };
        // What launches compute without tuning is right, too: sums in another order, say.
        let mut wanted = vec![];
        for plan in [plan, *usual].iter().take(if usual.variant == plain { 1 } else { 2 }) {
            unsafe { self.once(plan)? };
            let contents = self.arrays.contents()?;
            unsafe { self.once(plan)? };
            if let Some(what) = self.arrays.difference(&contents, tolerance)? {
                record.refused(of, &format!("two runs of it give different results: {what}"));
                return Ok(());
            }
            wanted.push(contents);
        }
        for position in self.variants(usual) {
            let name = variant_name(self.kernel, position);
            if let Some(why) = record.failure(of, &name) {
                record.failed(of, &name, "runtime", &why);
                continue;
            }
            record.begun(of, &name);
            let plan = match unsafe { plan_of(self.call, self.info, self.prepared, position) } {
                Ok(plan) => plan,
                Err(why) => {
                    record.failed(of, &name, "constraints", &why);
                    continue;
                }
            };
            // Its code is loaded, and the device warm.
            unsafe { self.once(&plan)? };
            match self.difference(&wanted, tolerance)? {
                Some(what) => record.failed(of, &name, "correctness", &what),
                None => {
                    record.checked(of, &name);
                    self.runs.push(VariantRuns { plan, seconds: vec![], runs: true });
                }
            }
        }
        unsafe { self.rounds()? };
        for run in &self.runs {
            let (name, is_usual) =
                (variant_name(self.kernel, run.plan.variant), run.plan.variant == usual.variant);
            record.times(of, &name, is_usual, &run.seconds);
        }
        Ok(())
    }

    /// Where what is there now differs from each of these.
    fn difference(&self, wanted: &[Contents], tolerance: f64) -> Result<Option<String>> {
        let mut first = None;
        for contents in wanted {
            match self.arrays.difference(contents, tolerance)? {
                None => return Ok(None),
                Some(what) => _ = first.get_or_insert(what),
            }
        }
        Ok(first)
    }

    /// Those that are measured: what the launch takes by itself first, the plain one, and all candidates.
    fn variants(&self, usual: &LaunchPlan) -> Vec<u32> {
        // SAFETY: a constant table of the program.
        let all = unsafe { slice(self.kernel.variants, self.kernel.n_variants) };
        let is_candidate = |at: &u32| all[*at as usize].needs & needs::NAMED != 0;
        let mut wanted = vec![usual.variant];
        wanted.extend((0..self.kernel.n_variants).filter(is_candidate));
        let plain = self.kernel.n_variants - 1;
        if plain != usual.variant {
            wanted.push(plain);
        }
        wanted
    }

    /// # Safety
    /// As for [`all_variants`].
    unsafe fn rounds(&mut self) -> Result<()> {
        // The device has waited for the last variant's comparison: what runs first, the usual one, would seem slow.
        if let Some(first) = self.runs.first().map(|run| run.plan) {
            // SAFETY: the caller's promise.
            unsafe { self.once(&first)? };
        }
        let started = Instant::now();
        for round in 1..=MOST {
            let mut best = f64::INFINITY;
            for at in 0..self.runs.len() {
                if !self.runs[at].runs {
                    continue;
                }
                let plan = self.runs[at].plan;
                // SAFETY: the caller's promise.
                let seconds = unsafe { self.once(&plan)? };
                self.runs[at].seconds.push(seconds);
                best = best.min(self.runs[at].median());
            }
            let factor = if round < LEAST { FAR } else { SLOWER };
            self.runs.iter_mut().for_each(|run| run.runs &= run.least() <= factor * best);
            let left = self.runs.iter().filter(|run| run.runs).count();
            if round >= LEAST && (left <= 1 || started.elapsed() > LONG) {
                break;
            }
        }
        Ok(())
    }

    /// Runs a plan on what was there before, and waits. Seconds by the device's clock.
    ///
    /// # Safety
    /// As for [`all_variants`].
    unsafe fn once(&self, plan: &LaunchPlan) -> Result<f64> {
        self.arrays.restore()?;
        // SAFETY: constant tables of the program.
        let (kernel, module): (&'static Kernel, &'static Module) =
            unsafe { (&*self.info.kernel, &*self.info.module) };
        let launch = Launch {
            module,
            kernel,
            arguments: &self.prepared.given.arguments,
            // SAFETY: one address for each argument.
            values: unsafe { slice(self.info.values, kernel.n_args) },
            targets: &self.prepared.given.targets,
            trips: self.info.trips,
            gangs: self.info.num_gangs,
            grid: plan.grid,
            block: plan.block,
            shared_bytes: plan.shared_bytes,
        };
        let (device, queue) = (&*self.call.state.device, self.call.queue.id);
        device.rest(queue)?;
        let from = device.mark(queue)?;
        // SAFETY: the arguments are those of the launch that is replayed.
        unsafe { device.launch(queue, plan.function, &launch)? };
        let to = device.mark(queue)?;
        device.finish(queue)?;
        device.elapsed(from, to)
    }
}
