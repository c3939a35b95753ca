//! What was found, in words.

use super::errors::TuneError;
use accl_tuner::prune::{self, DeviceLimits};
use accl_tuner::search::{End, KernelFindings, MeasuredCandidate, Objective, UntunedProgram, median, noise};
use accl_tuner::space::TunableKernel;
use accl_tuner::{level, t4};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub struct TuningReport<'a> {
    pub kernels: &'a [TunableKernel],
    pub pruned: &'a [PruningReport],
    pub found: &'a [KernelFindings],
    pub reference: &'a UntunedProgram,
    pub limits: &'a DeviceLimits,
    /// Options of accl cc that made the program faster.
    pub options: &'a [&'static str],
    /// Of each kernel that was measured by runs of the program, why it could not be replayed; empty where nobody asked for that.
    pub by_runs: &'a [Option<String>],
    pub details: bool,
    pub objective: Objective,
}

/// Schedules with wrong results that are told.
const SHOWN: usize = 3;

/// What was not measured of a kernel.
pub struct PruningReport {
    /// All values of all parameters with each other.
    pub combinations: u64,
    /// The schedules that are right.
    pub schedules: usize,
    /// (schedule, reason)
    pub gone: Vec<(String, String)>,
}

impl PruningReport {
    /// `allowed`: the kernel without what the setup file excludes.
    pub fn new(kernel: &TunableKernel, allowed: &TunableKernel, pruned: prune::Pruned) -> PruningReport {
        let text = |at: usize| allowed.candidates[at].schedule.clone();
        PruningReport {
            combinations: kernel.combinations(),
            schedules: kernel.candidates.len(),
            gone: pruned.gone.into_iter().map(|(at, why)| (text(at), why)).collect(),
        }
    }
}

impl TuningReport<'_> {
    /// The file of schedules, with what each has brought.
    pub fn schedules(&self) -> String {
        let device = &self.reference.run.device;
        let mut text = format!("# Found by accl tune on {} ({}).\n", device.name, device.kind);
        self.options.iter().for_each(|option| text += &format!("{option}\n"));
        for (kernel, found) in self.kernels.iter().zip(self.found) {
            let Some(best) = found.best else { continue };
            let (before, after) = (median(&found.before), median(&found.after));
            let _ = writeln!(
                text,
                "# {:.4} {} instead of {:.4}",
                after * 1e3,
                self.objective.unit(),
                before * 1e3
            );
            text += &level::lines_of(&kernel.id, &kernel.candidates[best].schedule);
        }
        text
    }

    pub fn text(&self, output: &Path, schedules: Option<&Path>, results: &Path, end: End) -> String {
        let device = &self.reference.run.device;
        let mut text = format!("Kernels on {} ({}):\n", device.name, device.kind);
        for (at, kernel) in self.kernels.iter().enumerate() {
            self.kernel(kernel, self.pruned.get(at), &self.found[at], &mut text);
            if let Some(Some(why)) = self.by_runs.get(at)
                && !why.is_empty()
            {
                let _ = writeln!(text, "    measured by running the program, not by replay: {why}");
            }
        }
        for (schedule, why) in self.pruned.iter().flat_map(|pruned| &pruned.gone).filter(|_| self.details) {
            let _ = writeln!(text, "  not measured: {schedule}: {why}");
        }
        let sum = |times: fn(&KernelFindings) -> &Vec<f64>| -> f64 {
            self.found.iter().filter(|f| f.best.is_some()).map(|f| median(times(f))).sum()
        };
        match end {
            End::Done => {}
            End::Budget => text += "The time was over: the same command goes on.\n",
            End::Stopped => text += "Stopped: the same command goes on.\n",
        }
        let _ = match schedules {
            Some(file) => writeln!(
                text,
                "{}: what was tuned takes {:.4} {} instead of {:.4}{}; accl cc -gpu={}:{} builds it again",
                output.display(),
                sum(|f| &f.after) * 1e3,
                self.objective.unit(),
                sum(|f| &f.before) * 1e3,
                self.options.iter().map(|option| format!(", with {option}")).collect::<String>(),
                if self.options.is_empty() { "schedule" } else { "config" },
                file.display(),
            ),
            None if self.found.iter().all(|found| found.measured.is_empty()) => {
                writeln!(
                    text,
                    "{}: nothing was measured, so it is as the compiler makes it",
                    output.display()
                )
            }
            None => writeln!(
                text,
                "{}: nothing faster was found than what the compiler chooses",
                output.display()
            ),
        };
        let _ = writeln!(text, "Measurements are kept in {}", results.display());
        text
    }

    fn kernel(
        &self,
        kernel: &TunableKernel,
        pruned: Option<&PruningReport>,
        found: &KernelFindings,
        text: &mut String,
    ) {
        let failed: Vec<_> = found.measured.iter().filter(|m| m.result.is_err()).collect();
        let known = found.measured.iter().filter(|m| m.known).count();
        let right = pruned.filter(|_| kernel.id != level::PROGRAM);
        let right = right.map_or(String::new(), |pruned| {
            format!("{} of {} combinations are right, ", pruned.schedules, pruned.combinations)
        });
        let (may, measured) = (kernel.candidates.len(), found.measured.len());
        let _ = write!(text, "  {}: {right}{may} may be the best, {measured} measured", kernel.id);
        let known = if known > 0 { format!(" ({known} before)") } else { String::new() };
        let failures = if failed.is_empty() { String::new() } else { format!(", {} failed", failed.len()) };
        let none = if may == 0 { ": the setup file and the device allow none of them" } else { "" };
        let _ = writeln!(text, "{known}{failures}{none}");
        // That an output was wrong is told in any case; the first ones stand for the others.
        let is_wrong =
            |m: &&MeasuredCandidate| m.result.as_ref().is_err_and(|why| why.word() == "correctness");
        let wrong = failed.iter().copied().filter(is_wrong).count();
        let shown: Vec<&MeasuredCandidate> = match self.details {
            true => failed,
            false => failed.into_iter().filter(is_wrong).take(SHOWN).collect(),
        };
        for measured in &shown {
            if let Err(why) = &measured.result {
                let _ = writeln!(
                    text,
                    "    thrown away: {}: {why}",
                    kernel.candidates[measured.candidate].schedule
                );
            }
        }
        if wrong > SHOWN && !self.details {
            let _ = writeln!(
                text,
                "    and {} more whose results differ (--details); --tolerance allows small differences of numbers",
                wrong - SHOWN
            );
        }
        let Some(best) = found.best else {
            let _ = writeln!(text, "    stays {}", line(&kernel.usual));
            return;
        };
        let (before, after) = (median(&found.before), median(&found.after));
        let _ = writeln!(
            text,
            "    was {:>10.4} {}  {}",
            before * 1e3,
            self.objective.unit(),
            line(&kernel.usual)
        );
        let _ = writeln!(
            text,
            "    now {:>10.4} {}  {}",
            after * 1e3,
            self.objective.unit(),
            line(&kernel.candidates[best].schedule)
        );
        let spread = 100.0 * noise(&found.before).max(noise(&found.after));
        let _ = writeln!(
            text,
            "    {:.2} times as fast (runs differ by {spread:.1}%){}",
            before / after,
            self.why(kernel, best)
        );
    }

    /// What the cost model sees in the winner.
    fn why(&self, kernel: &TunableKernel, best: usize) -> String {
        let Some(usual) = kernel.candidates.iter().find(|c| c.schedule == kernel.usual) else {
            return String::new();
        };
        let (was, now) = (&usual.estimate, &kernel.candidates[best].estimate);
        let mut all = vec![];
        if was.threads != now.threads {
            all.push(format!("{} threads a block instead of {}", now.threads, was.threads));
        }
        if was.accesses != now.accesses {
            all.push(format!("{:.2} accesses an iteration instead of {:.2}", now.accesses, was.accesses));
        }
        if was.bytes_under_way != now.bytes_under_way {
            all.push(format!(
                "{:.0} bytes under way instead of {:.0} ({} needs {:.0})",
                now.bytes_under_way, was.bytes_under_way, self.limits.device, self.limits.bytes_under_way
            ));
        }
        if was.shared != now.shared {
            all.push(format!("{} bytes of shared memory instead of {}", now.shared, was.shared));
        }
        if all.is_empty() { String::new() } else { format!(": {}", all.join(", ")) }
    }
}

/// The schedules of several kernels in one line.
fn line(schedule: &str) -> String {
    schedule.replace('\n', "; ")
}

/// Writes a file of results and one of the space for each kernel.
pub fn write_t4(
    dir: &Path,
    kernels: &[TunableKernel],
    found: &[KernelFindings],
    words: &[String],
    objective: Objective,
) -> Result<(), TuneError> {
    let cannot = |path: &Path, why| TuneError::Write(path.to_owned(), why);
    std::fs::create_dir_all(dir).map_err(|why| cannot(dir, why))?;
    for (kernel, found) in kernels.iter().zip(found) {
        let write = |suffix: &str, value: serde_json::Value| {
            let path: PathBuf = dir.join(format!("{}.{suffix}.json", file_name(&kernel.id)));
            std::fs::write(&path, format!("{value:#}\n")).map_err(|why| cannot(&path, why))
        };
        write("t4", t4::results(kernel, &found.measured, objective))?;
        write("t1", t4::space(kernel, &words.join(" ")))?;
    }
    Ok(())
}

/// A name without signs that mean something in paths.
pub fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}
