//! Tuning a program as a whole, as paper 002 does by default: all kernels have the same values, where they can.
//!
//! The program is taken for one kernel whose candidates are configurations of all kernels, and whose time is that of the whole
//! process.

use crate::space::{Estimate, Listed, Place, ScheduleCandidate, TunableKernel};

/// What schedules for all kernels are kept under.
pub const PROGRAM: &str = "program";

/// The whole process, where a launch's place is asked for.
pub fn everywhere() -> Place {
    Place { function: "*".to_owned(), line: 0, kernel: None }
}

/// One kernel that stands for all. Its candidates are those of each kernel, with the ones of the others that share most values.
pub fn joined(kernels: &[TunableKernel]) -> TunableKernel {
    let mut listed: Vec<Listed> = vec![];
    for (at, kernel) in kernels.iter().enumerate() {
        for candidate in 0..kernel.candidates.len() {
            let chosen = |(other, of): (usize, &TunableKernel)| match other == at {
                true => candidate,
                false => alike(kernel, candidate, of),
            };
            let all: Vec<usize> = kernels.iter().enumerate().map(chosen).collect();
            let one = configuration(kernels, &all);
            if !listed.iter().any(|other| other.schedule == one.schedule) {
                listed.push(one);
            }
        }
    }
    let usual: Vec<(&str, &str)> = kernels.iter().map(|k| (k.id.as_str(), k.usual.as_str())).collect();
    TunableKernel::new(PROGRAM.to_owned(), String::new(), everywhere(), lines(&usual), listed)
}

/// The candidate of another kernel that shares the most values, of these the one that is usual, or the first.
fn alike(kernel: &TunableKernel, candidate: usize, other: &TunableKernel) -> usize {
    let values = kernel.values(candidate);
    let score = |at: &usize| {
        let shared = other.values(*at).into_iter().filter(|(name, value)| values.get(name) == Some(value));
        (shared.count(), other.candidates[*at].schedule == other.usual)
    };
    (0..other.candidates.len()).rev().max_by_key(score).unwrap_or(0)
}

fn configuration(kernels: &[TunableKernel], chosen: &[usize]) -> Listed {
    let of = || kernels.iter().zip(chosen).map(|(kernel, at)| (kernel, &kernel.candidates[*at]));
    let pairs: Vec<(&str, &str)> =
        of().map(|(k, c): (_, &ScheduleCandidate)| (k.id.as_str(), c.schedule.as_str())).collect();
    let steps = kernels.iter().zip(chosen).flat_map(|(kernel, at)| {
        let own = |(name, value): (&str, &str)| (format!("{}.{name}", kernel.id), value.to_owned());
        kernel.values(*at).into_iter().map(own).collect::<Vec<_>>()
    });
    let seconds = of().map(|(_, candidate)| candidate.estimate.seconds).sum();
    Listed {
        schedule: lines(&pairs),
        variant: String::new(),
        needs: vec![],
        steps: steps.collect(),
        estimate: Estimate { seconds, ..Estimate::default() },
    }
}

/// As a file of schedules has them.
fn lines(pairs: &[(&str, &str)]) -> String {
    let lines: Vec<String> = pairs.iter().map(|(id, schedule)| format!("{id} {schedule}")).collect();
    lines.join("\n")
}

/// The lines of a file of schedules for a candidate of the kernel with this name.
pub fn lines_of(id: &str, schedule: &str) -> String {
    if id == PROGRAM { format!("{schedule}\n") } else { format!("{id} {schedule}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::kernel;

    #[test]
    fn kernels_share_values_where_they_can() {
        let mut second = kernel(&["block=256", "block=128"]);
        second.id = "g:2".into();
        let all = joined(&[kernel(&["block=64", "block=128", "block=256"]), second]);
        let texts: Vec<&str> = all.candidates.iter().map(|c| c.schedule.as_str()).collect();
        // No block of 64 in the second kernel: its usual one.
        assert_eq!(
            texts,
            ["f:1 block=64\ng:2 block=256", "f:1 block=128\ng:2 block=128", "f:1 block=256\ng:2 block=256"]
        );
        assert_eq!(all.usual, "f:1 block=64\ng:2 block=256");
        assert_eq!(all.launched, everywhere());
    }
}
