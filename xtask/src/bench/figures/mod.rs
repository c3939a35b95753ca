//! The papers' figures, measured again: `bench/figures/*.toml`, one file a figure.
//!
//! A figure has lines. A line is a program (`of = "matmul -gpu=noautofcw"`: a program of `bench/`, and flags for
//! the compiler) at several sizes; with `by = "cuda"` it is the program's hand-written peer. A line shows its time,
//! how many times as fast it is as another program at the same size (`over`), or the share of the application's
//! time that the kernels take.
//!
//! | here | what |
//! |---|---|
//! | this | the files; which programs are to run at which sizes |
//! | [`draw`] | a figure as SVG |
//! | [`numbers`] | a figure as a table |

mod draw;
mod numbers;

use super::manifest::{Args, Manifest};
use super::results::{OURS, Row, Time};
use crate::paths;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

pub use draw::draw;
pub use numbers::numbers;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// "001-6.05", from the file's name.
    #[serde(skip)]
    pub name: String,
    /// "001, figure 6.5"
    pub figure: String,
    pub title: String,
    /// What the paper shows.
    pub paper: String,
    /// The number that the paper gives, if it is comparable.
    pub value: Option<f64>,
    /// Why our result differs from it, or agrees.
    pub finding: Option<String>,
    pub shows: Shows,
    #[serde(default)]
    pub time: Time,
    /// The parameter along x, of the first line's program.
    pub x: Option<String>,
    /// Command lines.
    #[serde(default)]
    pub points: Vec<String>,
    /// The program to which gains are relative, where a line does not say it.
    pub over: Option<String>,
    /// Breakdowns show the hand-written peers too.
    #[serde(default)]
    pub cuda: bool,
    #[serde(rename = "line")]
    pub lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Shows {
    /// Milliseconds.
    Time,
    /// The time of `over` by this one's.
    Gain,
    /// Kernels, and the rest of the application's time.
    Breakdown,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub name: String,
    pub of: String,
    by: Option<String>,
    over: Option<String>,
    points: Option<Vec<String>>,
}

/// The measured part of what a figure shows: lines, or bars.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Shown {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Series>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bars: Vec<Bar>,
}

/// A line's name and its values; none where something was not measured.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, Option<f64>)>,
}

/// One application: milliseconds in kernels, in transfers with compression where that is known, and in all.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Bar {
    pub name: String,
    pub kernel: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfers: Option<f64>,
    pub all: f64,
}

impl Bar {
    /// Allocation, launches, and transfers where they are not known separately.
    pub fn rest(&self) -> f64 {
        (self.all - self.kernel - self.transfers.unwrap_or(0.0)).max(0.0)
    }
}

/// All figures, in the order of their files.
pub fn all() -> Result<Vec<Figure>> {
    paths::files_in(&paths::root().join("bench/figures"), &["toml"]).iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> Result<Figure> {
    let text = std::fs::read_to_string(file)?;
    let mut figure: Figure = toml::from_str(&text).with_context(|| file.display().to_string())?;
    figure.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(figure)
}

/// What a figure needs of a program at a size, besides the times of accl's program.
#[derive(Clone, Copy, Default)]
pub struct Wanted {
    /// Those of the hand-written peer.
    pub cuda: bool,
    /// The time of the transfers by themselves.
    pub transfers: bool,
}

/// Each program's key and command line that the figures need.
pub fn points(figures: &[Figure]) -> BTreeMap<(String, String), Wanted> {
    let mut found: BTreeMap<(String, String), Wanted> = BTreeMap::new();
    for figure in figures {
        for line in &figure.lines {
            let programs = [Some(&line.of), figure.base(line)];
            for program in programs.into_iter().flatten() {
                for args in figure.points(line) {
                    let wanted = found.entry((key(program), args.clone())).or_default();
                    wanted.cuda |= figure.cuda || line.by.as_deref() == Some("cuda") && program == &line.of;
                    wanted.transfers |= figure.shows == Shows::Breakdown;
                }
            }
        }
    }
    found
}

/// Programs with flags of their own, as benchmarks that are not timed by themselves; those of `all`.
pub fn variants(figures: &[Figure], all: &[Manifest]) -> Vec<Manifest> {
    let lines = figures.iter().flat_map(|f| f.lines.iter().flat_map(|l| [Some(&l.of), f.base(l)]));
    let mut wanted: Vec<&String> = lines.flatten().filter(|of| of.contains(' ')).collect();
    wanted.sort();
    wanted.dedup();
    wanted.into_iter().filter_map(|of| variant(of, all)).collect()
}

fn variant(of: &str, all: &[Manifest]) -> Option<Manifest> {
    let mut words = of.split(' ');
    let name = words.next()?;
    let base = all.iter().find(|m| m.name == name)?;
    let mut manifest = base.clone();
    manifest.name = key(of);
    manifest.flags.extend(words.map(str::to_owned));
    manifest.cuda = None;
    manifest.launches_small = None;
    manifest.args_large = Args::default();
    manifest.args_cpu = Args::default();
    Some(manifest)
}

/// The name of a program with its flags, fit for a file.
fn key(of: &str) -> String {
    of.replace(' ', "_")
}

impl Figure {
    fn base<'f>(&'f self, line: &'f Line) -> Option<&'f String> {
        line.over.as_ref().or(self.over.as_ref())
    }

    fn points<'f>(&'f self, line: &'f Line) -> &'f [String] {
        line.points.as_ref().unwrap_or(&self.points)
    }

    /// What it shows of the rows that were measured; nothing where no point was.
    pub fn shown(&self, rows: &[Row], all: &[Manifest]) -> Option<Shown> {
        if self.shows == Shows::Breakdown {
            let bars = self.bars(rows, all);
            return (!bars.is_empty()).then_some(Shown { lines: vec![], bars });
        }
        let lines = self.series(rows, all);
        let any = lines.iter().any(|line| line.points.iter().any(|point| point.1.is_some()));
        any.then_some(Shown { lines, bars: vec![] })
    }

    fn series(&self, results: &[Row], all: &[Manifest]) -> Vec<Series> {
        let of = |line: &Line| Series {
            name: line.name.clone(),
            points: self
                .points(line)
                .iter()
                .filter_map(|args| Some((self.abscissa(line, args, all)?, self.value(results, line, args))))
                .collect(),
        };
        self.lines.iter().map(of).collect()
    }

    fn value(&self, results: &[Row], line: &Line, args: &str) -> Option<f64> {
        let time = |of: &str, by: &str| row(results, of, args)?.results.get(by)?.time(self.time);
        let own = time(&line.of, line.by.as_deref().unwrap_or(OURS))?;
        match self.shows {
            Shows::Gain => Some(time(self.base(line)?, OURS)? / own),
            Shows::Time | Shows::Breakdown => Some(own),
        }
    }

    fn abscissa(&self, line: &Line, args: &str, all: &[Manifest]) -> Option<f64> {
        let program = line.of.split(' ').next()?;
        let parameters = &all.iter().find(|m| m.name == program)?.parameters;
        let at = parameters.iter().position(|p| Some(p) == self.x.as_ref())?;
        args.split_whitespace().nth(at)?.parse().ok()
    }

    /// The applications of a breakdown that were measured.
    fn bars(&self, results: &[Row], all: &[Manifest]) -> Vec<Bar> {
        let peers: &[&str] = if self.cuda { &[OURS, "cuda"] } else { &[OURS] };
        let mut bars = vec![];
        for line in &self.lines {
            for args in self.points(line) {
                bars.extend(peers.iter().filter_map(|peer| self.bar(results, line, args, peer, all)));
            }
        }
        bars
    }

    fn bar(&self, results: &[Row], line: &Line, args: &str, peer: &str, all: &[Manifest]) -> Option<Bar> {
        let outcome = row(results, &line.of, args)?.results.get(peer)?;
        let size = self.abscissa(line, args, all).map_or(String::new(), |x| format!(" {x}"));
        let by = if peer == OURS { "" } else { ", CUDA by hand" };
        Some(Bar {
            name: format!("{}{size}{by}", line.name),
            kernel: outcome.time(Time::Kernel)?,
            transfers: outcome.transfer_ms,
            all: outcome.time(Time::App)?,
        })
    }
}

fn row<'r>(results: &'r [Row], of: &str, args: &str) -> Option<&'r Row> {
    results.iter().find(|r| r.program == key(of) && r.args == args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_about_programs_that_there_are() {
        let all = crate::bench::manifest::all().unwrap();
        for figure in super::all().unwrap() {
            for line in &figure.lines {
                let programs = [Some(&line.of), figure.base(line)];
                for of in programs.into_iter().flatten() {
                    let name = of.split(' ').next();
                    assert!(all.iter().any(|m| Some(m.name.as_str()) == name), "{}: no {of}", figure.name);
                }
                for args in figure.points(line) {
                    let known = figure.x.is_none() || figure.abscissa(line, args, &all).is_some();
                    assert!(known, "{}: {} has no {:?} in '{args}'", figure.name, line.of, figure.x);
                }
                let is_gain = figure.shows == Shows::Gain;
                assert!(!is_gain || figure.base(line).is_some(), "{}: a gain over what?", figure.name);
            }
        }
    }
}
