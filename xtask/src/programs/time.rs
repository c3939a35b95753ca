//! How long programs take by their own clock, on each device and serially: the medians of three runs.

use super::build::{Case, Timed};
use super::manifest::Timing;
use crate::run;
use crate::test::device_environment;
use regex_lite::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const RUNS: usize = 3;
const LIMIT: Duration = Duration::from_secs(60);

/// How a program says on its output how long it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clock {
    /// A regular expression with a group `time` and perhaps a group `name`.
    line: String,
    /// Seconds in the unit of `time`.
    unit: f64,
}

impl Clock {
    pub fn of(time: &Timing) -> Clock {
        Clock { line: time.line.clone(), unit: time.unit }
    }

    /// All times of an output in seconds, with their names.
    pub fn times(&self, text: &str) -> Vec<(String, f64)> {
        let Ok(regex) = Regex::new(&self.line) else { return vec![] };
        let of = |line| {
            let found = regex.captures(line)?;
            let name = found.name("name").map_or(String::new(), |m| m.as_str().to_owned());
            Some((name, found.name("time")?.as_str().parse::<f64>().ok()? * self.unit))
        };
        text.lines().filter_map(of).collect()
    }
}

/// Prints seconds, as a table in Markdown, of the programs that are compared with their serial runs.
pub fn table(base: &Path, cases: &[Case], devices: &[&str]) {
    if cases.iter().all(|case| case.time.is_none()) {
        return;
    }
    println!("| program | serial s | {} |", devices.join(" s | ") + " s");
    println!("|---|{}", "---|".repeat(devices.len() + 1));
    for (case, timed) in cases.iter().filter_map(|c| Some((c, c.time.as_ref()?))) {
        let serial = seconds(base, timed, None);
        let each: Vec<_> = devices.iter().map(|device| seconds(base, timed, Some(device))).collect();
        let mut names: Vec<&String> = serial.keys().chain(each.iter().flat_map(BTreeMap::keys)).collect();
        names.sort();
        names.dedup();
        for name in names {
            let cell = |times: &BTreeMap<String, f64>| {
                times.get(name).map_or("–".to_owned(), |seconds| format!("{seconds:.6}"))
            };
            let cells: Vec<String> = std::iter::once(&serial).chain(&each).map(cell).collect();
            println!("| {} {name} | {} |", case.name, cells.join(" | "));
        }
    }
}

/// By the name of what was timed; nothing where the program failed or took too long.
fn seconds(base: &Path, timed: &Timed, device: Option<&str>) -> BTreeMap<String, f64> {
    let mut runs: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for _ in 0..RUNS {
        let mut command =
            Command::new(base.join(if device.is_some() { &timed.pair.ours } else { &timed.pair.serial }));
        command.args(&timed.pair.args);
        if let Some(device) = device {
            device_environment(&mut command, device);
            for test_only in ["ACCL_NOTIFY", "ACCL_CPU_MEMORY", "ACCL_DEVICE_CHOICE"] {
                command.env_remove(test_only);
            }
        }
        let Ok(result) = run::capture(&mut command, LIMIT) else { break };
        if result.code != 0 {
            break;
        }
        for (name, time) in timed.clock.times(&result.text()) {
            runs.entry(name).or_default().push(time);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    runs.into_iter().map(|(name, times)| (name, median(times))).collect()
}
