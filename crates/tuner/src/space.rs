//! What can be chosen for a kernel.
//!
//! A [`ScheduleCandidate`] is a schedule that the compiler has made and found right. Its steps are read as values of parameters, so
//! that strategies know which candidates are near each other. Not every combination of values is a candidate.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The value of a parameter whose step a schedule does not have.
pub const OFF: &str = "off";

/// Something that can be chosen, with its values in the order in which candidates have them.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningParameter {
    pub name: String,
    pub values: Vec<String>,
}

/// What the cost model says of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Estimate {
    /// Threads of a block.
    pub threads: u32,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared: u64,
    /// Accesses to memory of an iteration, by instructions of their own.
    pub accesses: f64,
    /// The part of a multiprocessor's threads that run at once.
    pub occupancy: f64,
    /// Bytes that a multiprocessor waits for at the same time.
    pub bytes_under_way: f64,
    /// Seconds of an iteration: only comparisons between candidates of one kernel mean something.
    pub seconds: f64,
    /// The values of the model's terms, which its constants weigh.
    pub terms: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScheduleCandidate {
    /// The text of the schedule.
    pub schedule: String,
    /// What profiles call a launch that took it.
    pub variant: String,
    /// What a launch must hold to take it.
    pub needs: Vec<String>,
    /// The value of each parameter of the kernel.
    pub choice: Vec<usize>,
    pub estimate: Estimate,
}

/// A candidate as the compiler lists it: its steps by their names, the rest as in [`ScheduleCandidate`].
#[derive(Clone, Debug)]
pub struct Listed {
    pub schedule: String,
    pub variant: String,
    pub needs: Vec<String>,
    /// (parameter, value)
    pub steps: Vec<(String, String)>,
    pub estimate: Estimate,
}

/// A kernel and its candidates.
#[derive(Clone, Debug)]
pub struct TunableKernel {
    /// `function:line` of the directive that a file of schedules names.
    pub id: String,
    /// Its name among the kernels of its file, of which several may be launched from one place.
    pub symbol: String,
    /// Where profiles count its launches.
    pub launched: Place,
    pub parameters: Vec<TuningParameter>,
    pub candidates: Vec<ScheduleCandidate>,
    /// What launches usually try first.
    pub usual: String,
}

/// A place in the program from which kernels are launched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub function: String,
    pub line: u32,
    /// One of the kernels that are launched there, by its name among those of its file; none: all of them.
    pub kernel: Option<String>,
}

impl TunableKernel {
    pub fn new(
        id: String,
        symbol: String,
        launched: Place,
        usual: String,
        listed: Vec<Listed>,
    ) -> TunableKernel {
        let parameters = parameters(&listed);
        let candidates = listed.into_iter().map(|one| one.among(&parameters)).collect();
        TunableKernel { id, symbol, launched, parameters, candidates, usual }
    }

    /// In how many parameters two candidates differ.
    pub fn distance(&self, a: usize, b: usize) -> usize {
        let (a, b) = (&self.candidates[a].choice, &self.candidates[b].choice);
        a.iter().zip(b).filter(|(a, b)| a != b).count()
    }

    /// Those that differ from it in one parameter, or in two where there is none of these.
    pub fn neighbours(&self, of: usize) -> Vec<usize> {
        let all = |most: usize| -> Vec<usize> {
            (0..self.candidates.len())
                .filter(|other| (1..=most).contains(&self.distance(of, *other)))
                .collect()
        };
        let near = all(1);
        if near.is_empty() { all(2) } else { near }
    }

    /// The candidate whose values are nearest to these.
    pub fn nearest(&self, choice: &[usize]) -> usize {
        let distance = |candidate: &ScheduleCandidate| -> (usize, usize) {
            let pairs = || candidate.choice.iter().zip(choice);
            (pairs().filter(|(a, b)| a != b).count(), pairs().map(|(a, b)| a.abs_diff(*b)).sum())
        };
        (0..self.candidates.len()).min_by_key(|at| distance(&self.candidates[*at])).unwrap_or(0)
    }

    /// The values of a candidate, by the names of their parameters.
    pub fn values(&self, candidate: usize) -> BTreeMap<&str, &str> {
        let choice = &self.candidates[candidate].choice;
        self.parameters.iter().zip(choice).map(|(p, at)| (p.name.as_str(), p.values[*at].as_str())).collect()
    }

    /// The configurations that all values together would make, right or not.
    pub fn combinations(&self) -> u64 {
        self.parameters.iter().map(|p| p.values.len() as u64).product()
    }

    /// The same kernel with some of its candidates.
    pub fn with(&self, kept: &[usize]) -> TunableKernel {
        let candidates = kept.iter().map(|at| self.candidates[*at].clone()).collect();
        TunableKernel { candidates, ..self.clone() }
    }
}

/// Each name that a step has, with the values that occur.
fn parameters(listed: &[Listed]) -> Vec<TuningParameter> {
    let mut found: Vec<TuningParameter> = vec![];
    for (name, value) in listed.iter().flat_map(|one| &one.steps) {
        let at = found.iter().position(|p| p.name == *name).unwrap_or_else(|| {
            found.push(TuningParameter { name: name.clone(), values: vec![] });
            found.len() - 1
        });
        if !found[at].values.contains(value) {
            found[at].values.push(value.clone());
        }
    }
    for parameter in &mut found {
        let everywhere = listed.iter().all(|one| one.steps.iter().any(|(name, _)| *name == parameter.name));
        if !everywhere {
            parameter.values.insert(0, OFF.to_owned());
        }
    }
    found.retain(|parameter| parameter.values.len() > 1);
    found
}

impl Listed {
    fn among(self, parameters: &[TuningParameter]) -> ScheduleCandidate {
        let value = |parameter: &TuningParameter| {
            let own = self.steps.iter().find(|(name, _)| *name == parameter.name);
            let text = own.map_or(OFF, |(_, value)| value);
            parameter.values.iter().position(|value| value == text).unwrap_or(0)
        };
        let choice = parameters.iter().map(value).collect();
        let Listed { schedule, variant, needs, estimate, .. } = self;
        ScheduleCandidate { schedule, variant, needs, choice, estimate }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A kernel whose candidates are these schedules; each word is a step.
    pub fn kernel(schedules: &[&str]) -> TunableKernel {
        let listed = schedules.iter().map(|schedule| {
            let step = |word: &str| {
                let (name, value) = word.split_once('=').unwrap_or((word, "on"));
                (name.to_owned(), value.to_owned())
            };
            Listed {
                schedule: (*schedule).to_owned(),
                variant: "plain".into(),
                needs: vec![],
                steps: schedule.split_whitespace().map(step).collect(),
                estimate: Estimate::default(),
            }
        });
        let place = Place { function: "f".into(), line: 1, kernel: None };
        TunableKernel::new("f:1".into(), "f_1".into(), place, schedules[0].into(), listed.collect())
    }

    #[test]
    fn steps_become_parameters() {
        let kernel = kernel(&["grid=x block=64", "grid=x block=128", "grid=x block=64 restrict"]);
        // What all have in common is no choice.
        let names: Vec<&str> = kernel.parameters.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["block", "restrict"]);
        assert_eq!(kernel.parameters[1].values, [OFF, "on"]);
        assert_eq!(kernel.values(2)["restrict"], "on");
        assert_eq!((kernel.combinations(), kernel.candidates.len()), (4, 3));
    }

    #[test]
    fn near_candidates_differ_in_one_value() {
        let kernel = kernel(&["block=64", "block=128", "block=128 restrict"]);
        assert_eq!(kernel.neighbours(0), [1]);
        assert_eq!(kernel.neighbours(1), [0, 2]);
        assert_eq!(kernel.nearest(&[1, 1]), 2);
    }
}
