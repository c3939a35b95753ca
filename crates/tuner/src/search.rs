//! The search: rounds in which every kernel tries a candidate, until the strategies have enough.
//!
//! A run of the program gives a time for each of its kernels, so all kernels are tuned at once: a round has a candidate for
//! each. Where a round fails, its candidates are tried one by one. While one round is measured, the next ones are built.
//!
//! What was found is measured again at the end, beside the program as it was, and is kept only where it is faster by more than
//! the runs differ among themselves.

use crate::compare::difference;
use crate::journal::Journal;
use crate::level::everywhere;
use crate::program::{Failure, ProgramRun, TunedProgram};
use crate::space::{Place, TunableKernel};
use crate::strategy::Engine;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// What is to be small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    #[default]
    Time,
    /// Joules of a run of the program stand where seconds would.
    Energy,
}

impl Objective {
    pub fn name(self) -> &'static str {
        match self {
            Objective::Time => "time",
            Objective::Energy => "energy",
        }
    }

    /// Of a thousandth of what is measured.
    pub fn unit(self) -> &'static str {
        match self {
            Objective::Time => "ms",
            Objective::Energy => "mJ",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// Runs of each candidate that count.
    pub repeats: usize,
    pub tolerance: f64,
    /// Words whose lines of output are not compared.
    pub ignored: Vec<String>,
    /// When the whole budget is used up.
    pub end: Option<Instant>,
    /// When no more candidates are measured: some time of the budget is kept for the comparison at the end.
    pub deadline: Option<Instant>,
    /// Builds that go on beside a measurement.
    pub builders: usize,
    /// A run may take so many times as long as the program as it was, and five seconds.
    pub limit: f64,
}

/// Of runs of two executables, where there is no time for more.
const LEAST_PAIRS: usize = 3;

impl Settings {
    /// Runs of the program as it was, and as many with what was found, that are compared at the end.
    pub fn pairs(&self) -> usize {
        self.repeats.max(5)
    }

    /// Keeps time for the comparison at the end, at most half of what is left. `seconds`: of a run of the program.
    pub fn keep_time_to_compare(&mut self, seconds: f64) {
        // The first run does not count, and what was built at the end is run once.
        let wanted = Duration::from_secs_f64(seconds * (2 * self.pairs() + 2) as f64);
        self.deadline =
            self.end.map(|end| end - wanted.min(end.saturating_duration_since(Instant::now()) / 2));
    }
}

/// The program as it is without schedules.
#[derive(Clone, Debug)]
pub struct UntunedProgram {
    pub executable: PathBuf,
    pub run: ProgramRun,
}

/// What a kernel's candidate came to.
#[derive(Clone, Debug)]
pub struct MeasuredCandidate {
    pub candidate: usize,
    pub result: Result<Vec<f64>, Failure>,
    /// It was in the journal.
    pub known: bool,
}

/// What was found for a kernel.
#[derive(Clone, Debug, Default)]
pub struct KernelFindings {
    pub measured: Vec<MeasuredCandidate>,
    /// The fastest candidate, where it is kept.
    pub best: Option<usize>,
    /// Seconds of the kernel in each of the last runs, as it was and with the best.
    pub before: Vec<f64>,
    pub after: Vec<f64>,
}

impl KernelFindings {
    /// Takes over what a candidate came to, and tells the strategy.
    pub(crate) fn note(
        &mut self,
        engine: &mut Engine,
        candidate: usize,
        result: Result<Vec<f64>, Failure>,
        known: bool,
    ) {
        let seconds = result.as_ref().map_or(f64::INFINITY, |times| median(times));
        engine.tell(candidate, seconds);
        if seconds < self.best_seconds(engine) {
            self.best = Some(candidate);
        }
        self.measured.push(MeasuredCandidate { candidate, result, known });
    }

    /// Infinite where nothing was measured.
    pub(crate) fn best_seconds(&self, engine: &Engine) -> f64 {
        self.best.and_then(|best| engine.seconds[best]).unwrap_or(f64::INFINITY)
    }
}

/// How far a search is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub measured: usize,
    /// Of the kernels' times together, the part that the best ones found take.
    pub best: f64,
}

impl Progress {
    /// `times`: of each kernel, the seconds that it took as it was, and with the best that was found.
    pub(crate) fn of(found: &[KernelFindings], times: impl Iterator<Item = (f64, f64)>) -> Progress {
        let (usual, best) = times.fold((0.0, 0.0), |(usual, best), (was, is)| (usual + was, best + is));
        Progress {
            measured: found.iter().map(|found| found.measured.len()).sum(),
            best: if usual > 0.0 { best / usual } else { 1.0 },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The strategies have no more candidates.
    Done,
    /// The time is over.
    Budget,
    /// The user wants no more.
    Stopped,
}

pub struct TuningSearch<'a> {
    pub program: &'a dyn TunedProgram,
    pub kernels: &'a [TunableKernel],
    pub settings: &'a Settings,
    pub reference: &'a UntunedProgram,
    pub stop: &'a AtomicBool,
}

/// A candidate for each of some kernels: (kernel, candidate).
type Round = Vec<(usize, usize)>;

impl TuningSearch<'_> {
    /// Measures until the end. `engines`: one for each kernel.
    pub fn run(
        &self,
        engines: &mut [Engine],
        journal: &mut Journal,
        progress: &mut dyn FnMut(&Progress),
    ) -> (Vec<KernelFindings>, End) {
        let found = vec![KernelFindings::default(); self.kernels.len()];
        let mut course = Course { search: self, engines, journal, found, again: VecDeque::new() };
        let (orders, queue) = mpsc::channel::<(u64, Round)>();
        let queue = &Mutex::new(queue);
        let (ready, built) = mpsc::channel();
        let end = std::thread::scope(|scope| {
            for _ in 0..self.settings.builders.max(1) {
                let ready = ready.clone();
                scope.spawn(move || {
                    loop {
                        let order = queue.lock().map(|queue| queue.recv());
                        let Ok(Ok((number, round))) = order else { return };
                        let made = self.program.build(&self.schedules(&round));
                        if ready.send((number, made)).is_err() {
                            return;
                        }
                    }
                });
            }
            course.rounds(orders, &built, progress)
        });
        (course.found, end)
    }

    fn schedules(&self, round: &Round) -> Vec<(String, String)> {
        let of = |(kernel, candidate): &(usize, usize)| {
            let kernel = &self.kernels[*kernel];
            (kernel.id.clone(), kernel.candidates[*candidate].schedule.clone())
        };
        round.iter().map(of).collect()
    }

    /// The schedules of the winners, by kernel.
    pub fn chosen(&self, found: &[KernelFindings]) -> Vec<(String, String)> {
        let round: Round = found.iter().enumerate().filter_map(|(k, f)| Some((k, f.best?))).collect();
        self.schedules(&round)
    }

    /// Why no more candidates are to be measured.
    pub(crate) fn end(&self) -> Option<End> {
        self.over(self.settings.deadline)
    }

    /// So many runs of what is compared are not enough: a few are where the budget is used up, or the user wants no more.
    pub fn compares_further(&self, done: usize) -> bool {
        done < self.settings.pairs() && (done < LEAST_PAIRS || self.over(self.settings.end).is_none())
    }

    fn over(&self, limit: Option<Instant>) -> Option<End> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(End::Stopped);
        }
        limit.filter(|limit| Instant::now() >= *limit).map(|_| End::Budget)
    }

    pub(crate) fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.settings.limit * self.reference.run.seconds + 5.0)
    }

    /// A run whose output is that of the program as it was.
    pub fn checked(&self, executable: &std::path::Path) -> Result<ProgramRun, Failure> {
        let run = self.program.run(executable, self.limit())?;
        let Settings { tolerance, ignored, .. } = self.settings;
        match difference(&self.reference.run.output, &run.output, *tolerance, ignored) {
            Some(what) => Err(Failure::Wrong(what)),
            None => Ok(run),
        }
    }

    /// Seconds of each of the round's kernels, in as many runs as are wanted. The first run does not count: device code is
    /// compiled in it.
    fn measure(
        &self,
        round: &Round,
        executable: &std::path::Path,
        best: &[f64],
    ) -> Result<Vec<Vec<f64>>, Failure> {
        let warm = self.checked(executable)?;
        for (kernel, candidate) in round {
            self.is_taken(*kernel, *candidate, &warm)?;
        }
        let mut times = vec![vec![]; round.len()];
        for _ in 0..self.settings.repeats.max(1) {
            let run = self.checked(executable)?;
            for ((kernel, _), times) in round.iter().zip(&mut times) {
                times.extend(seconds(&run, &self.kernels[*kernel].launched));
            }
            // What is clearly slower need not be known exactly.
            let slower =
                |((kernel, _), times): (&(usize, usize), &Vec<f64>)| median(times) > 1.5 * best[*kernel];
            if round.iter().zip(&times).all(slower) || self.end().is_some() {
                break;
            }
        }
        Ok(times)
    }

    /// Launches took the candidate's variant, at least some.
    fn is_taken(&self, kernel: usize, candidate: usize, run: &ProgramRun) -> Result<(), Failure> {
        let (kernel, candidate) = (&self.kernels[kernel], &self.kernels[kernel].candidates[candidate]);
        if kernel.launched == everywhere() {
            return Ok(());
        }
        let Some(launches) = run.kernels.get(&kernel.launched) else {
            return Err(Failure::NotTaken("no launch was counted".into()));
        };
        if launches.variants.is_empty() || launches.variants.contains_key(&candidate.variant) {
            return Ok(());
        }
        let others: Vec<&str> = launches.variants.keys().map(String::as_str).collect();
        let needs = if candidate.needs.is_empty() {
            "".into()
        } else {
            format!("; it needs {}", candidate.needs.join(", "))
        };
        Err(Failure::NotTaken(format!("{}{needs}", others.join(", "))))
    }

    /// Measures the winners beside the program as it was, and keeps those that are faster. They print the same together.
    /// `progress` is told of each pair of runs.
    pub fn confirm(&self, found: &mut [KernelFindings], progress: &mut dyn FnMut(usize)) {
        loop {
            let round: Round = found.iter().enumerate().filter_map(|(k, f)| Some((k, f.best?))).collect();
            if round.is_empty() {
                return;
            }
            let measured = self.program.build(&self.schedules(&round)).and_then(|executable| {
                let pairs = self.side_by_side(&self.reference.executable, &executable, progress);
                self.program.discard(&executable);
                pairs
            });
            let Ok(pairs) = measured else {
                self.wrong_ones(&round).into_iter().for_each(|kernel| found[kernel].best = None);
                continue;
            };
            for (kernel, _) in round {
                let place = &self.kernels[kernel].launched;
                let found = &mut found[kernel];
                found.before = pairs.iter().filter_map(|(before, _)| seconds(before, place)).collect();
                found.after = pairs.iter().filter_map(|(_, after)| seconds(after, place)).collect();
                if !is_faster(found) {
                    found.best = None;
                }
            }
            return;
        }
    }

    /// Runs of two executables in turn, after one of the second that does not count. Three pairs are enough where the time is over.
    pub fn side_by_side(
        &self,
        before: &std::path::Path,
        after: &std::path::Path,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Vec<(ProgramRun, ProgramRun)>, Failure> {
        self.checked(after)?;
        let mut pairs = vec![];
        while self.compares_further(pairs.len()) {
            progress(pairs.len());
            pairs.push((self.checked(before)?, self.checked(after)?));
        }
        Ok(pairs)
    }

    /// The kernels whose candidates fail alone; the last one where they only fail together.
    fn wrong_ones(&self, round: &Round) -> Vec<usize> {
        let fails = |one: &&(usize, usize)| {
            let built = self.program.build(&self.schedules(&vec![**one]));
            built.and_then(|executable| {
                let run = self.checked(&executable);
                self.program.discard(&executable);
                run
            })
        };
        let wrong: Vec<usize> = round.iter().filter(|one| fails(one).is_err()).map(|(k, _)| *k).collect();
        match round.last() {
            Some((last, _)) if wrong.is_empty() => vec![*last],
            _ => wrong,
        }
    }
}

/// The search as it goes on.
struct Course<'a> {
    search: &'a TuningSearch<'a>,
    engines: &'a mut [Engine],
    journal: &'a mut Journal,
    found: Vec<KernelFindings>,
    /// Candidates of rounds that failed, one by one.
    again: VecDeque<Round>,
}

type BuiltRound = (u64, Result<PathBuf, Failure>);

impl Course<'_> {
    fn rounds(
        &mut self,
        orders: mpsc::Sender<(u64, Round)>,
        built: &mpsc::Receiver<BuiltRound>,
        progress: &mut dyn FnMut(&Progress),
    ) -> End {
        let mut waiting: VecDeque<(u64, Round)> = VecDeque::new();
        let mut ready: BTreeMap<u64, Result<PathBuf, Failure>> = BTreeMap::new();
        let mut next = 0;
        let end = loop {
            if let Some(end) = self.search.end() {
                break end;
            }
            while waiting.len() <= self.search.settings.builders {
                let Some(round) = self.again.pop_front().or_else(|| self.next_round()) else { break };
                // The builders live as long as this sender.
                let _ = orders.send((next, round.clone()));
                waiting.push_back((next, round));
                next += 1;
            }
            let Some((number, round)) = waiting.pop_front() else { break End::Done };
            while !ready.contains_key(&number) {
                let Ok((number, made)) = built.recv() else { break };
                ready.insert(number, made);
            }
            let made = ready.remove(&number).unwrap_or(Err(Failure::Compile("no builder is left".into())));
            self.try_round(&round, made);
            progress(&self.progress());
        };
        drop(orders);
        // What was built ahead is not needed.
        let unused = waiting.iter().filter_map(|(number, _)| match ready.remove(number) {
            Some(made) => made.ok(),
            None => built.recv().ok().and_then(|(_, made)| made.ok()),
        });
        unused.for_each(|executable| self.search.program.discard(&executable));
        end
    }

    /// A candidate for each kernel whose strategy has one. Of kernels that profiles do not tell apart one is in a round.
    fn next_round(&mut self) -> Option<Round> {
        let mut round: Round = vec![];
        for (at, kernel) in self.search.kernels.iter().enumerate() {
            if round.iter().any(|(other, _)| self.search.kernels[*other].launched == kernel.launched) {
                continue;
            }
            while let Some(candidate) = self.engines[at].next(kernel) {
                let known = self.journal.find(&kernel.id, &kernel.candidates[candidate].schedule);
                let Some(result) = known.map(|entry| entry.result()) else {
                    round.push((at, candidate));
                    break;
                };
                self.note(at, candidate, result, true);
            }
        }
        (!round.is_empty()).then_some(round)
    }

    fn try_round(&mut self, round: &Round, made: Result<PathBuf, Failure>) {
        let best: Vec<f64> = (0..self.found.len()).map(|kernel| self.best(kernel)).collect();
        let times = made.and_then(|executable| {
            let times = self.search.measure(round, &executable, &best);
            self.search.program.discard(&executable);
            times
        });
        if times.is_err() && round.len() > 1 {
            self.again.extend(round.iter().map(|one| vec![*one]));
            return;
        }
        for (place, (kernel, candidate)) in round.iter().enumerate() {
            let result = times.as_ref().map(|times| times[place].clone()).map_err(Failure::clone);
            let of = &self.search.kernels[*kernel];
            self.journal.add(&of.id, &of.candidates[*candidate].schedule, &result);
            self.note(*kernel, *candidate, result, false);
        }
    }

    fn note(&mut self, kernel: usize, candidate: usize, result: Result<Vec<f64>, Failure>, known: bool) {
        self.found[kernel].note(&mut self.engines[kernel], candidate, result, known);
    }

    fn usual(&self, kernel: usize) -> Option<f64> {
        seconds(&self.search.reference.run, &self.search.kernels[kernel].launched)
    }

    fn best(&self, kernel: usize) -> f64 {
        let best = self.found[kernel].best_seconds(&self.engines[kernel]);
        best.min(self.usual(kernel).unwrap_or(f64::INFINITY))
    }

    fn progress(&self) -> Progress {
        let times = (0..self.found.len()).filter_map(|kernel| Some((self.usual(kernel)?, self.best(kernel))));
        Progress::of(&self.found, times)
    }
}

/// Of the kernels launched there, in a run, or of the whole process, for which energy may stand.
pub fn seconds(run: &ProgramRun, place: &Place) -> Option<f64> {
    if *place == everywhere() {
        return Some(run.energy.unwrap_or(run.seconds));
    }
    run.kernels.get(place).map(|launches| launches.seconds)
}

pub fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::INFINITY,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// The median's usual deviation: that of the median of the deviations, as a part of it.
pub fn noise(times: &[f64]) -> f64 {
    let middle = median(times);
    let deviations: Vec<f64> = times.iter().map(|time| (time - middle).abs()).collect();
    median(&deviations) / middle
}

/// By more than one in a hundred, and more than the runs differ.
pub fn is_faster(found: &KernelFindings) -> bool {
    let margin = 0.01f64.max(noise(&found.before)).max(noise(&found.after));
    median(&found.after) < (1.0 - margin) * median(&found.before)
}

#[cfg(test)]
mod tests;
