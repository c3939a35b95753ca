//! Kernel level by replay: one run of the program measures many candidates of each kernel.
//!
//! The program is built with the candidates as variants of its kernels, named `c0`, `c1`, … in the order of a file, and the runtime
//! repeats the first launch of each kernel with all of them (`ACCL_REPLAY`). Candidates whose loops are spread over the launch in
//! another way are variants of another executable ([`groups`]). A program that ends in a variant is started again, and goes on
//! behind it.
//!
//! Invariant: what is told of a candidate was measured, or is a failure of its own; a kernel that cannot be replayed has a reason.

use crate::compare::difference;
use crate::journal::Journal;
use crate::program::{CandidateBuild, Failure};
use crate::search::{End, KernelFindings, Progress, Settings, TuningSearch, median};
use crate::space::TunableKernel;
use crate::strategy::Engine;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Candidates of a kernel in one executable.
const BATCH: usize = 64;

/// Candidates that are variants of one executable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateGroup {
    /// (kernel, its step `grid`), where that is not the usual one.
    pub grids: Vec<(usize, String)>,
    /// (kernel, candidate)
    pub candidates: Vec<(usize, usize)>,
}

impl CandidateGroup {
    pub fn build(&self, kernels: &[TunableKernel]) -> CandidateBuild {
        let grid = |(kernel, grid): &(usize, String)| format!("{} {grid}\n", kernels[*kernel].id);
        let line = |(kernel, candidate): &(usize, usize)| {
            format!("{} {}\n", kernels[*kernel].id, kernels[*kernel].candidates[*candidate].schedule)
        };
        CandidateBuild {
            schedules: self.grids.iter().map(grid).collect(),
            candidates: self.candidates.iter().map(line).collect(),
        }
    }
}

/// The step `grid(...)` of a schedule's text.
pub fn grid(schedule: &str) -> &str {
    let Some(start) = schedule.find("grid(") else { return "" };
    let end = schedule[start..].find(')').map_or(schedule.len(), |at| start + at + 1);
    &schedule[start..end]
}

/// As few executables as the grids need: each kernel has one grid in each.
pub fn groups(kernels: &[TunableKernel], wanted: &[(usize, usize)]) -> Vec<CandidateGroup> {
    let mut groups: Vec<CandidateGroup> = vec![];
    for (at, kernel) in kernels.iter().enumerate() {
        let mut own: Vec<(&str, Vec<usize>)> = vec![];
        for (_, candidate) in wanted.iter().filter(|(kernel, _)| *kernel == at) {
            let grid = grid(&kernel.candidates[*candidate].schedule);
            match own.iter_mut().find(|(other, _)| *other == grid) {
                Some((_, all)) => all.push(*candidate),
                None => own.push((grid, vec![*candidate])),
            }
        }
        // The usual grid comes first, since it may be that there is no other group.
        own.sort_by_key(|(of, _)| *of != grid(&kernel.usual));
        for (number, (of, all)) in own.into_iter().enumerate() {
            if groups.len() <= number {
                groups.push(CandidateGroup::default());
            }
            groups[number].candidates.extend(all.into_iter().map(|candidate| (at, candidate)));
            if of != grid(&kernel.usual) && !of.is_empty() {
                groups[number].grids.push((at, of.to_owned()));
            }
        }
    }
    groups
}

/// A line of the file of `ACCL_REPLAY`.
#[derive(Deserialize)]
struct Line {
    kernel: String,
    class: u32,
    #[serde(default)]
    variant: Option<String>,
    state: String,
    #[serde(default)]
    usual: bool,
    #[serde(default)]
    code: String,
    #[serde(default)]
    device: String,
    #[serde(default)]
    why: String,
    #[serde(default)]
    detail: String,
    #[serde(default)]
    seconds: Vec<f64>,
}

/// What a program's replay told of the launches of one kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayedKernel {
    /// Why a launch was not replayed.
    pub refused: Option<String>,
    /// Of each size class and variant.
    pub variants: BTreeMap<(u32, String), Result<Vec<f64>, Failure>>,
    /// Of each size class, the variant that launches usually take, and its time.
    pub usual: BTreeMap<u32, (String, f64)>,
    /// Of the kernels' text, and of the device: what wisdom is for.
    pub identity: Option<(String, String)>,
    /// The program ended, or was ended, in a variant.
    pub open: bool,
}

impl ReplayedKernel {
    /// Takes variants away that were running when the program was ended.
    fn forget_open(&mut self) {
        self.variants.retain(|_, result| !matches!(result, Err(Failure::Crash(_))));
        self.open = false;
    }
}

/// Reads the file: what there is of each kernel, by its name. A last line that is cut off is not read.
pub fn parse(text: &str) -> BTreeMap<String, ReplayedKernel> {
    let mut all: BTreeMap<String, ReplayedKernel> = BTreeMap::new();
    for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
        let kernel = all.entry(line.kernel).or_default();
        let Some(variant) = line.variant else {
            kernel.refused = Some(line.detail);
            continue;
        };
        let key = (line.class, variant.clone());
        let result = match line.state.as_str() {
            "begun" => Err(Failure::Crash("the program ended in it".to_owned())),
            "times" => {
                if line.usual {
                    kernel.usual.insert(line.class, (variant, median(&line.seconds)));
                }
                kernel.identity = Some((line.code, line.device));
                Ok(line.seconds)
            }
            "failed" | "ended" => {
                let failure = Failure::of_word(&line.why, &line.detail);
                Err(failure.unwrap_or(Failure::Crash(line.detail)))
            }
            // It came to no times yet.
            _ => {
                kernel.variants.remove(&key);
                continue;
            }
        };
        kernel.variants.insert(key, result);
    }
    let ended = |result: &Result<Vec<f64>, Failure>| matches!(result, Err(Failure::Crash(_)));
    all.values_mut().for_each(|kernel| kernel.open = kernel.variants.values().any(ended));
    all
}

/// How the journal calls a kernel that was replayed at a size.
fn journal_name(kernel: &TunableKernel, class: u32) -> String {
    format!("{}@{class}", kernel.id)
}

/// What replay came to.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// Of each kernel, why it has to be measured by running the program.
    pub refused: Vec<Option<String>>,
    /// Of each kernel, (candidate, size class) and the times.
    pub by_class: Vec<BTreeMap<(usize, u32), Vec<f64>>>,
}

/// The search by replay as it goes on.
struct ReplaySearch<'a> {
    search: &'a TuningSearch<'a>,
    engines: &'a mut [Engine],
    journal: &'a mut Journal,
    found: &'a mut [KernelFindings],
    outcome: Replayed,
    usual: Vec<f64>,
}

impl TuningSearch<'_> {
    /// Measures candidates by replay until the strategies have enough.
    pub fn replay(
        &self,
        engines: &mut [Engine],
        journal: &mut Journal,
        found: &mut [KernelFindings],
        progress: &mut dyn FnMut(&Progress),
    ) -> (Replayed, End) {
        let count = self.kernels.len();
        let outcome = Replayed { refused: vec![None; count], by_class: vec![BTreeMap::new(); count] };
        let usual = vec![f64::INFINITY; count];
        let mut course = ReplaySearch { search: self, engines, journal, found, outcome, usual };
        let end = course.rounds(progress);
        (course.outcome, end)
    }
}

impl ReplaySearch<'_> {
    fn rounds(&mut self, progress: &mut dyn FnMut(&Progress)) -> End {
        loop {
            let wanted = self.wanted();
            if wanted.is_empty() {
                return End::Done;
            }
            for group in groups(self.search.kernels, &wanted) {
                if let Some(end) = self.search.end() {
                    return end;
                }
                self.measure(group);
                progress(&self.progress());
            }
        }
    }

    /// The next candidates of each kernel; those that the journal knows are told at once.
    fn wanted(&mut self) -> Vec<(usize, usize)> {
        let mut wanted = vec![];
        for (at, kernel) in self.search.kernels.iter().enumerate() {
            if self.outcome.refused[at].is_some() {
                continue;
            }
            let mut count = 0;
            while count < BATCH
                && let Some(candidate) = self.engines[at].next(kernel)
            {
                match self.known(at, candidate) {
                    Some(result) => self.note(at, candidate, result, true),
                    None => {
                        wanted.push((at, candidate));
                        count += 1;
                    }
                }
            }
        }
        wanted
    }

    /// What the journal knows of a candidate, at the largest size.
    fn known(&mut self, at: usize, candidate: usize) -> Option<Result<Vec<f64>, Failure>> {
        let kernel = &self.search.kernels[at];
        let schedule = &kernel.candidates[candidate].schedule;
        let mut largest = None;
        for class in 0..64 {
            let Some(entry) = self.journal.find(&journal_name(kernel, class), schedule) else { continue };
            let result = entry.result();
            if let Ok(times) = &result {
                self.outcome.by_class[at].insert((candidate, class), times.clone());
            }
            largest = Some(result);
        }
        largest
    }

    /// Runs an executable with a group's candidates, again for those that it could not have together.
    fn measure(&mut self, mut group: CandidateGroup) {
        while !group.candidates.is_empty() && self.search.end().is_none() {
            let before = group.candidates.len();
            let told = self.search.replay_group(&group);
            let told = match told {
                Ok(told) => told,
                Err(why) => {
                    for (kernel, _) in &group.candidates {
                        self.outcome.refused[*kernel].get_or_insert_with(|| why.to_string());
                    }
                    return;
                }
            };
            let stopped = self.search.end().is_some();
            let mut left = vec![];
            for (number, (kernel, candidate)) in group.candidates.iter().enumerate() {
                let of = told.get(&self.search.kernels[*kernel].symbol);
                if let Some(why) = of.and_then(|of| of.refused.clone()) {
                    self.outcome.refused[*kernel] = Some(why);
                    continue;
                }
                let Some(of) = of else {
                    if stopped {
                        continue;
                    }
                    self.outcome.refused[*kernel] = Some("it was not launched".to_owned());
                    continue;
                };
                if let Some((_, (_, seconds))) = of.usual.last_key_value() {
                    self.usual[*kernel] = self.usual[*kernel].min(*seconds);
                }
                if !self.take(*kernel, *candidate, of, &format!("c{number}")) {
                    left.push((*kernel, *candidate));
                }
            }
            left.retain(|(kernel, _)| self.outcome.refused[*kernel].is_none());
            if stopped {
                return;
            }
            if left.len() == before {
                let why = Failure::NotTaken("it cannot be a variant beside others".to_owned());
                for (kernel, candidate) in left {
                    let name = journal_name(&self.search.kernels[kernel], 0);
                    self.add(kernel, candidate, &name, &Err(why.clone()));
                    self.note(kernel, candidate, Err(why.clone()), false);
                }
                return;
            }
            group.candidates = left;
        }
    }

    /// Takes over what was found of a candidate, at all sizes. False: nothing was.
    fn take(&mut self, kernel: usize, candidate: usize, of: &ReplayedKernel, name: &str) -> bool {
        let own: Vec<(u32, Result<Vec<f64>, Failure>)> = of
            .variants
            .iter()
            .filter(|((_, variant), _)| variant == name)
            .map(|((class, _), result)| (*class, result.clone()))
            .collect();
        let Some((_, largest)) = own.last().cloned() else { return false };
        for (class, result) in &own {
            if let Ok(times) = result {
                self.outcome.by_class[kernel].insert((candidate, *class), times.clone());
            }
            self.add(kernel, candidate, &journal_name(&self.search.kernels[kernel], *class), result);
        }
        // What is wrong at one size is not used at any.
        let failure = own.into_iter().find_map(|(_, result)| match result {
            Err(why @ (Failure::Wrong(_) | Failure::Crash(_))) => Some(why),
            _ => None,
        });
        self.note(kernel, candidate, failure.map_or(largest, Err), false);
        true
    }

    fn add(&mut self, kernel: usize, candidate: usize, name: &str, result: &Result<Vec<f64>, Failure>) {
        let schedule = &self.search.kernels[kernel].candidates[candidate].schedule;
        self.journal.add(name, schedule, result);
    }

    fn note(&mut self, kernel: usize, candidate: usize, result: Result<Vec<f64>, Failure>, known: bool) {
        self.found[kernel].note(&mut self.engines[kernel], candidate, result, known);
    }

    fn progress(&self) -> Progress {
        let times = self
            .usual
            .iter()
            .enumerate()
            .filter(|(_, usual)| usual.is_finite())
            .map(|(at, usual)| (*usual, self.found[at].best_seconds(&self.engines[at]).min(*usual)));
        Progress::of(self.found, times)
    }
}

impl TuningSearch<'_> {
    /// Builds and runs an executable with candidates; again and behind the variant that it ended in, as long as it ends in one.
    fn replay_group(&self, group: &CandidateGroup) -> Result<BTreeMap<String, ReplayedKernel>, Failure> {
        let Settings { tolerance, ignored, .. } = self.settings;
        let executable = self.program.build_candidates(&group.build(self.kernels))?;
        let mut outcome = Err(Failure::Crash("the program ended in each of its variants".to_owned()));
        for _ in 0..=group.candidates.len() {
            let over = || self.end().is_some();
            let (run, text) = self.program.replay(&executable, self.limit(), *tolerance, &over)?;
            let mut told = parse(&text);
            if over() {
                // What was running is no failure of its own.
                told.values_mut().for_each(ReplayedKernel::forget_open);
                outcome = Ok(told);
                break;
            }
            outcome = match run {
                Ok(run) => match difference(&self.reference.run.output, &run.output, *tolerance, ignored) {
                    None => Ok(told),
                    Some(what) => Err(Failure::Wrong(what)),
                },
                Err(_) if told.values().any(|kernel| kernel.open) => Err(Failure::Crash(String::new())),
                Err(why) => return Err(why),
            };
            if !matches!(&outcome, Err(Failure::Crash(_))) {
                break;
            }
        }
        self.program.discard(&executable);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::kernel;

    #[test]
    fn a_group_has_one_grid_of_each_kernel() {
        let all = ["grid(j:x) block=64", "grid(i:x) block=64", "grid(j:x) block=128"];
        let kernels = [kernel(&all), kernel(&["block=1", "block=2"])];
        let groups = groups(&kernels, &[(0, 0), (0, 1), (0, 2), (1, 1)]);
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[0].candidates, [(0, 0), (0, 2), (1, 1)]);
        assert!(groups[0].grids.is_empty());
        assert_eq!(groups[1].grids, [(0, "grid(i:x)".to_owned())]);
        let build = groups[1].build(&kernels);
        assert_eq!(build.schedules, "f:1 grid(i:x)\n");
        assert_eq!(build.candidates, "f:1 grid(i:x) block=64\n");
    }

    #[test]
    fn the_file_says_what_became_of_each_variant() {
        let head = r#"{"kernel": "f_1", "function": "f", "line": 1, "class": 10, "trips": [1024], "#;
        let text = [
            r#""variant": "c0", "state": "begun"}"#,
            r#""variant": "c0", "state": "checked"}"#,
            r#""variant": "c1", "state": "begun"}"#,
            r#""variant": "c1", "state": "failed", "why": "correctness", "detail": "byte 3"}"#,
            r#""variant": "c0", "state": "times", "usual": true, "seconds": [2.0, 1.0, 3.0]}"#,
            r#""variant": "c2", "state": "begun"}"#,
            r#""variant": "c3", "sta"#,
        ];
        let text: Vec<String> = text.iter().map(|line| format!("{head}{line}")).collect();
        // Another kernel of the same line has times of its own.
        let other = r#"{"kernel": "f_1_2", "function": "f", "line": 1, "class": 10, "trips": [1024], "variant": "c9", "state": "times", "usual": true, "seconds": [7.0]}"#;
        let all = parse(&format!("{other}\n{}", text.join("\n")));
        assert_eq!(all["f_1_2"].usual[&10].1, 7.0);
        let of = &all["f_1"];
        let result = |name: &str| of.variants.get(&(10, name.to_owned())).cloned();
        assert_eq!(result("c0"), Some(Ok(vec![2.0, 1.0, 3.0])));
        assert_eq!(result("c1"), Some(Err(Failure::Wrong("byte 3".into()))));
        assert!(matches!(result("c2"), Some(Err(Failure::Crash(_)))) && of.open);
        assert_eq!((of.usual[&10].1, result("c3")), (2.0, None));
    }
}
