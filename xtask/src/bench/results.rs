//! The results of measurements: the form of `results.json`, which `bench/device.py` writes too.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Our programs' key in [`Row::results`]; the others are names of peers.
pub const OURS: &str = "accl";

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Results {
    /// What is known of the machine: "gpu", "driver", "cpu", "threads".
    #[serde(default)]
    pub machine: BTreeMap<String, String>,
    /// By device.
    #[serde(default)]
    pub bench: BTreeMap<String, Vec<Row>>,
    /// The points of the papers' figures, on the first device measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Row>,
    /// By device: programs that others wrote, beside their twins; a program is called "collection/program".
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, Vec<Row>>,
    /// The rest, which only the report reads.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

impl Results {
    /// Adds the results of a later measurement on the same machine.
    pub fn merge(&mut self, later: Results) {
        self.machine.extend(later.machine);
        for (device, rows) in later.bench {
            merge_rows(self.bench.entry(device).or_default(), rows);
        }
        for (device, rows) in later.programs {
            merge_rows(self.programs.entry(device).or_default(), rows);
        }
        merge_rows(&mut self.figures, later.figures);
        for (key, value) in later.more {
            merge(self.more.entry(key).or_default(), value);
        }
    }
}

/// Later rows replace those of the same program and arguments.
fn merge_rows(known: &mut Vec<Row>, rows: Vec<Row>) {
    known.retain(|k| rows.iter().all(|r| (&r.program, &r.args) != (&k.program, &k.args)));
    known.extend(rows);
    known.sort_by(|a, b| (&a.program, a.args.len(), &a.args).cmp(&(&b.program, b.args.len(), &b.args)));
}

/// Objects member by member, everything else replaced.
fn merge(known: &mut Value, later: Value) {
    match (known, later) {
        (Value::Object(known), Value::Object(later)) => {
            for (key, value) in later {
                merge(known.entry(key).or_insert(Value::Null), value);
            }
        }
        (known, later) => *known = later,
    }
}

/// One program at one size.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Row {
    pub program: String,
    pub args: String,
    /// As the program names it.
    #[serde(default)]
    pub size: String,
    /// Of one repetition, by the manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flops: Option<f64>,
    pub results: BTreeMap<String, Outcome>,
}

/// One executable at one size: medians over its runs, or why there are none.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Outcome {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// What the cost model expected of the kernels whose time `kernel_ms` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_ms: Option<f64>,
    /// The part of `app_ms` that is transfers with compression, where these were timed separately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer_ms: Option<f64>,
    /// "PASS", or what went wrong.
    pub check: String,
    /// Why its time is no measure of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the program measured besides times, as lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<BTreeMap<String, String>>,
    /// Kernel and application time of each run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<(f64, f64)>,
}

/// Which time is compared.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Time {
    #[default]
    #[serde(rename = "kernel")]
    Kernel,
    #[serde(rename = "application")]
    App,
}

impl Outcome {
    pub fn failed(why: impl Into<String>) -> Outcome {
        Outcome { check: why.into(), ..Outcome::default() }
    }

    pub fn passed(&self) -> bool {
        self.check == "PASS"
    }

    pub fn time(&self, time: Time) -> Option<f64> {
        match time {
            Time::Kernel => self.kernel_ms,
            Time::App => self.app_ms,
        }
        .filter(|_| self.passed())
    }

    /// Adds a run that passed.
    pub fn add(&mut self, line: &Line) {
        self.check = "PASS".to_owned();
        self.runs.push((line.kernel_ms, line.app_ms));
        self.kernel_ms = median(self.runs.iter().map(|r| r.0));
        self.app_ms = median(self.runs.iter().map(|r| r.1));
        self.error = Some(self.error.map_or(line.error, |e| e.max(line.error)));
        self.measured.clone_from(&line.measured);
    }
}

impl Row {
    pub fn ours(&self) -> Option<&Outcome> {
        self.results.get(OURS)
    }

    /// The peer's time as a multiple of ours.
    pub fn ratio(&self, peer: &str, time: Time) -> Option<f64> {
        Some(self.results.get(peer)?.time(time)? / self.ours()?.time(time)?)
    }
}

/// The line `RESULT name=… size=… kernel_ms=…` of a program.
/// Lines `MEASURED`, whose fields tabs divide, stand before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    pub size: String,
    pub kernel_ms: f64,
    pub app_ms: f64,
    pub error: f64,
    pub passed: bool,
    pub measured: Vec<BTreeMap<String, String>>,
}

impl Line {
    pub fn find(stdout: &str) -> Option<Line> {
        let line = stdout.lines().find_map(|l| l.strip_prefix("RESULT "))?;
        let field = |name: &str| {
            line.split_whitespace()
                .find_map(|word| word.strip_prefix(name)?.strip_prefix('=').map(str::to_owned))
        };
        let number = |name: &str| field(name)?.parse().ok();
        Some(Line {
            size: field("size")?,
            kernel_ms: number("kernel_ms")?,
            app_ms: number("app_ms")?,
            error: number("error")?,
            passed: field("check")? == "PASS",
            measured: stdout.lines().filter_map(measured).collect(),
        })
    }
}

fn measured(line: &str) -> Option<BTreeMap<String, String>> {
    let fields = line.strip_prefix("MEASURED\t")?.split('\t').filter_map(|word| word.split_once('='));
    Some(fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

pub fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    let count = logarithms.len() as f64;
    (count > 0.0).then(|| (logarithms.iter().sum::<f64>() / count).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_line_is_read() {
        let text = "hello\nMEASURED\twhat=a b\tmax=2\nRESULT name=nn size=7x8 kernel_ms=0.5 app_ms=2 error=1e-3 check=PASS tolerance=1\n";
        let line = Line::find(text).unwrap();
        assert_eq!((line.size.as_str(), line.kernel_ms, line.error, line.passed), ("7x8", 0.5, 1e-3, true));
        assert_eq!(line.measured[0]["what"], "a b");
        assert_eq!(Line::find("RESULT name=nn"), None);
    }

    #[test]
    fn means() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([4.0, 1.0].into_iter()), Some(2.5));
        assert_eq!(geometric_mean([1.0, 4.0].into_iter()), Some(2.0));
        assert_eq!(geometric_mean([].into_iter()), None);
    }
}
