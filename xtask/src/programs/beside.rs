//! Ours and their twins run in turn, a process each; medians are compared.
//!
//! A twin that prints the time of its kernels is compared with the time of our kernels, which `ACCL_TIME` prints. The
//! twin's clock runs from its first launch to the end of its last kernel, so what its launches cost is in it. Ours by
//! the program's own clock, transfers and allocations included, is of other runs, without `ACCL_TIME`.

use super::build::Case;
use super::time::Clock;
use super::twins::{Sized, Twin};
use crate::bench::results::{OURS, Outcome, Results, Row, Time, median};
use crate::bench::{Built, machine, others};
use crate::options::Options;
use crate::run;
use anyhow::{Result, bail};
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const RUNS: usize = 3;
/// Of one process.
const LIMIT: Duration = Duration::from_secs(20);

/// Prints the table of each device, and writes all that was measured to the file of results after each row.
pub fn run(base: &Path, cases: &[Case], devices: &[&str], options: &Options) -> Result<()> {
    let start = Instant::now();
    let is_over = || options.limit.is_some_and(|limit| start.elapsed() > Duration::from_secs(limit));
    let file = options.results.clone().unwrap_or_else(|| base.join("results.json"));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results = Results { machine: machine(threads), ..Results::default() };
    for device in devices {
        let compared = compared(cases, device, options);
        for one in compared.iter().take_while(|_| !is_over()) {
            let rows = rows(base, one, device);
            rows.iter().for_each(|row| println!("{} {}: {}", row.program, row.args, summary(row)));
            results.programs.entry((*device).to_owned()).or_default().extend(rows);
            std::fs::write(&file, serde_json::to_string_pretty(&results)? + "\n")?;
        }
        if let Some(rows) = results.programs.get(*device) {
            println!("\n{device}, {threads} threads; medians of {RUNS} runs; × is the peer's time over ours");
            print(rows, &compared, cases, device);
        }
    }
    if !results.programs.is_empty() {
        println!("written: {}", file.display());
    } else if cases.iter().all(|case| case.time.is_none()) {
        bail!(
            "nothing to time: no program has a twin for {} at the sizes that are wanted",
            devices.join(" or ")
        );
    }
    Ok(())
}

/// How the peers were built, a table for each collection, and all that is to be known of single programs.
fn print(rows: &[Row], compared: &[Compared<'_>], cases: &[Case], device: &str) {
    let twins = compared.iter().flat_map(|one| &one.twins);
    let peers: BTreeMap<&str, &Twin> = twins.map(|twin| (twin.peer.as_str(), *twin)).collect();
    peers.values().for_each(|twin| println!("{}: {}", twin.title, twin.how()));
    let titles: Vec<_> = peers.values().map(|twin| (twin.peer.clone(), twin.title.clone())).collect();
    for rows in others::collections(rows).values() {
        println!("\n{}", others::table(rows, &titles).markdown());
    }
    let missing = cases.iter().flat_map(|case| &case.missing).filter(|(on, _)| on == device);
    let notes = [others::notes(rows), mended(compared)].concat();
    notes.iter().chain(missing.map(|(_, line)| line)).for_each(|line| println!("{line}"));
    let is_missing = |one: &&Compared<'_>| {
        let of = |row: &Row| row.args == one.sized.name && row.program.starts_with(one.program);
        !rows.iter().any(of)
    };
    match compared.iter().filter(is_missing).count() {
        0 => {}
        missing => println!("not measured in the time there was: {missing} of {}", compared.len()),
    }
}

/// A program at a size, and its twins for a device.
struct Compared<'c> {
    program: &'c str,
    clock: &'c Clock,
    sized: &'c Sized,
    twins: Vec<&'c Twin>,
}

/// What is compared on a device: all programs at the first size, then all at the next.
fn compared<'c>(cases: &'c [Case], device: &str, options: &Options) -> Vec<Compared<'c>> {
    let mut found = vec![];
    for (case, beside) in cases.iter().filter_map(|case| Some((case, case.beside.as_ref()?))) {
        let sizes = beside.sizes.iter().enumerate();
        for (at, sized) in sizes.filter(|(_, s)| options.size.as_ref().is_none_or(|name| *name == s.name)) {
            let twins: Vec<&Twin> = sized.twins.iter().filter(|twin| twin.device == device).collect();
            found.push((at, Compared { program: &case.name, clock: &beside.clock, sized, twins }));
        }
    }
    found.retain(|(_, one)| !one.twins.is_empty());
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, one)| one).collect()
}

/// What was corrected in twins, once each.
fn mended(compared: &[Compared<'_>]) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for one in compared {
        let mends = one.twins.iter().flat_map(|twin| twin.mends.iter().map(move |mend| (twin, mend)));
        for (twin, mend) in mends {
            let line = format!("{}, {}: mended: {}", one.program, twin.peer, mend.why);
            lines.extend((!lines.contains(&line)).then_some(line));
        }
    }
    lines
}

fn summary(row: &Row) -> String {
    let one = |(name, outcome): (&String, &Outcome)| match outcome.kernel_ms.or(outcome.app_ms) {
        Some(ms) if outcome.passed() => format!("{name} {ms:.3} ms"),
        _ => format!("{name} {}", outcome.check),
    };
    row.results.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Something to run: ours, with or without the times of its kernels, or a twin.
struct Candidate<'a> {
    name: &'a str,
    time: Time,
    executable: Result<PathBuf, String>,
    args: &'a [String],
    env: BTreeMap<String, String>,
    /// By the name of what was timed, which is empty where a program times one thing.
    seconds: BTreeMap<String, Vec<f64>>,
    /// What the cost model expects of the kernels, in seconds.
    predicted: Option<f64>,
}

/// A row for each thing that the program times.
fn rows(base: &Path, one: &Compared<'_>, device: &str) -> Vec<Row> {
    let sized = one.sized;
    let mut candidates: Vec<Candidate<'_>> = one.twins.iter().map(|twin| theirs(base, sized, twin)).collect();
    let kernels = candidates.iter().any(|candidate| candidate.time == Time::Kernel);
    candidates.extend(kernels.then(|| ours(base, sized, device, Time::Kernel)));
    candidates.push(ours(base, sized, device, Time::App));
    for _ in 0..RUNS {
        candidates.iter_mut().for_each(|candidate| candidate.run(one.clock));
    }
    let mut timed: Vec<&String> = candidates.iter().flat_map(|candidate| candidate.seconds.keys()).collect();
    timed.sort();
    timed.dedup();
    let none = String::new();
    if timed.is_empty() {
        timed.push(&none);
    }
    timed.into_iter().map(|what| row(one, &candidates, what)).collect()
}

fn row(one: &Compared<'_>, candidates: &[Candidate<'_>], what: &str) -> Row {
    let mut results: BTreeMap<String, Outcome> = BTreeMap::new();
    for twin in &one.twins {
        results.insert(twin.peer.clone(), Outcome { note: twin.note.clone(), ..Outcome::default() });
    }
    for candidate in candidates {
        candidate.add_to(what, results.entry(candidate.name.to_owned()).or_default());
    }
    let separator = if what.is_empty() { "" } else { "/" };
    Row {
        program: format!("{}{separator}{what}", one.program),
        args: one.sized.name.clone(),
        size: one.sized.values.clone(),
        results,
        ..Row::default()
    }
}

fn ours<'a>(base: &Path, sized: &'a Sized, device: &str, time: Time) -> Candidate<'a> {
    let mut env = BTreeMap::from([("ACC_DEVICE_TYPE".to_owned(), device.to_owned())]);
    env.insert("ACCL_CACHE_DIR".to_owned(), base.join("cache").display().to_string());
    if time == Time::Kernel {
        env.insert("ACCL_TIME".to_owned(), "1".to_owned());
    }
    let executable = Ok(base.join(&sized.ours));
    Candidate {
        name: OURS,
        time,
        executable,
        args: &sized.args,
        env,
        seconds: BTreeMap::new(),
        predicted: None,
    }
}

/// Built now where it was to be built on the machine that measures.
fn theirs<'a>(base: &Path, sized: &'a Sized, twin: &'a Twin) -> Candidate<'a> {
    let executable = base.join(&twin.executable);
    let mut env = twin.env.clone();
    if !twin.carries.is_empty() {
        env.insert("LD_LIBRARY_PATH".to_owned(), base.join("lib").join(&twin.peer).display().to_string());
    }
    let built = match twin.built {
        Built::There if !executable.is_file() => twin.build(base),
        _ => Ok(()),
    };
    Candidate {
        name: &twin.peer,
        time: twin.time,
        executable: built.map(|()| executable).map_err(|e| format!("does not compile: {e:#}")),
        args: &sized.args,
        env,
        seconds: BTreeMap::new(),
        predicted: None,
    }
}

impl Candidate<'_> {
    /// Once more; not again after a failure.
    fn run(&mut self, clock: &Clock) {
        let Ok(executable) = self.executable.clone() else { return };
        match self.once(&executable, clock) {
            Ok(times) => times
                .into_iter()
                .for_each(|(what, seconds)| self.seconds.entry(what).or_default().push(seconds)),
            Err(why) => self.executable = Err(why),
        }
    }

    fn once(&mut self, executable: &Path, clock: &Clock) -> Result<Vec<(String, f64)>, String> {
        let mut command = Command::new(executable);
        command.args(self.args);
        ["ACCL_TIME", "ACCL_NOTIFY", "ACCL_CPU_MEMORY"].iter().for_each(|name| {
            command.env_remove(name);
        });
        let result = run::capture(command.envs(&self.env), LIMIT).map_err(|e| format!("{e:#}"))?;
        if result.code != 0 {
            let first = result.stderr.lines().chain(result.stdout.lines()).next().unwrap_or_default();
            return Err(format!("exit status {}: {first}", result.code));
        }
        let text = result.text();
        if self.name == OURS && self.time == Time::Kernel {
            self.predicted = predicted(&text);
        }
        let times = match self.name == OURS && self.time == Time::Kernel {
            true => kernels(&text).map(|seconds| (String::new(), seconds)).into_iter().collect(),
            false => clock.times(&text),
        };
        if times.is_empty() { Err("it printed no time".to_owned()) } else { Ok(times) }
    }

    fn add_to(&self, what: &str, outcome: &mut Outcome) {
        let seconds = self.seconds.get(what).cloned().unwrap_or_default();
        let ms = median(seconds.into_iter()).map(|seconds| seconds * 1e3);
        outcome.predicted_ms = self.predicted.map(|seconds| seconds * 1e3).or(outcome.predicted_ms);
        *(if self.time == Time::Kernel { &mut outcome.kernel_ms } else { &mut outcome.app_ms }) = ms;
        match &self.executable {
            Err(why) => outcome.check.clone_from(why),
            Ok(_) if ms.is_none() => outcome.check = "it printed no such time".to_owned(),
            Ok(_) if outcome.check.is_empty() => outcome.check = "PASS".to_owned(),
            Ok(_) => {}
        }
    }
}

/// The sum over all kernels of the table that `ACCL_TIME` prints; a kernel's variants stand below it, further in.
fn kernels(text: &str) -> Option<f64> {
    let regex = Regex::new(r"^    kernel .* count +\d+  total +([0-9.]+)  mean ").ok()?;
    let total = |line| regex.captures(line)?.get(1)?.as_str().parse::<f64>().ok();
    let totals: Vec<f64> = text.lines().filter_map(total).collect();
    (!totals.is_empty()).then(|| totals.iter().sum::<f64>() * 1e-3)
}

/// What the cost model expects of all kernels together, from the same table.
fn predicted(text: &str) -> Option<f64> {
    let regex = Regex::new(r"^    kernel .* count +(\d+)  total .*  predicted +([0-9.]+)$").ok()?;
    let number = |found: &regex_lite::Captures<'_>, at| found.get(at)?.as_str().parse::<f64>().ok();
    let of = |line| regex.captures(line).and_then(|found| Some(number(&found, 1)? * number(&found, 2)?));
    let all: Vec<f64> = text.lines().filter_map(of).collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() * 1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_summed_and_their_variants_are_not() {
        let text = "0.5\n\nAccelerator times (ms) on NVIDIA\na.c:3: f\n\
            \x20   kernel   parallel                 count       2  total      3.000  mean    1.5000  min    1.0000  max    2.0000\n\
            \x20     variant plain                   count       1  total      1.000  mean    1.0000  min    1.0000  max    1.0000\n\
            \x20   upload   A                        count       1  total      9.000  mean    9.0000  min    9.0000  max    9.0000  8 bytes\n\
            a.c:9: f\n\
            \x20   kernel   kernels total            count       1  total      0.500  mean    0.5000  min    0.5000  max    0.5000  variant x  predicted 0.2500\n";
        assert_eq!(predicted(text), Some(0.00025));
        assert_eq!(kernels(text), Some(0.0035));
        assert_eq!(kernels("0.5\n"), None);
    }
}
