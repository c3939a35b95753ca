//! Strategies, and the cost model, on recorded spaces: `cargo xtask tune-spaces`, `cargo xtask model`.
//!
//! Arguments: `strategies` or `model`, the folder with what the compiler says of each program, then T4 files.

use accl_tuner::recorded::{RecordedSpace, correlation, ranks};
use accl_tuner::space::Estimate;
use accl_tuner::strategy::NAMES;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const SEEDS: u64 = 20;
/// Of the best.
const PART: f64 = 0.95;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((what, files)) = words.split_first() else {
        eprintln!("spaces strategies|model FOLDER FILE…");
        std::process::exit(2);
    };
    let Some((models, files)) = files.split_first() else { return };
    let mut spaces = vec![];
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|why| why.to_string());
        match text.and_then(|text| RecordedSpace::parse(&text).map_err(|why| why.to_string())) {
            // A space with one candidate shows nothing.
            Ok(mut space) if space.seconds.iter().filter(|s| s.is_finite()).count() > 1 => {
                let terms = estimated(&mut space, models).unwrap_or_default();
                spaces.push((space, terms));
            }
            Ok(_) => {}
            Err(why) => {
                eprintln!("{file}: {why}");
                std::process::exit(1);
            }
        }
    }
    match what.as_str() {
        "model" => model(spaces),
        _ => {
            let spaces: Vec<RecordedSpace> = spaces.into_iter().map(|(space, _)| space).collect();
            strategies(&spaces, &of_kernel_tuner(files));
        }
    }
}

/// What each strategy of Kernel Tuner needs for a space, by the space's name: what `bench/simulate_tuner.py` has left beside the files.
type Others = BTreeMap<String, BTreeMap<String, f64>>;

fn of_kernel_tuner(files: &[String]) -> Others {
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| Path::new(file).parent()).collect();
    let read = |folder: &Path| {
        let text = std::fs::read_to_string(folder.join("kernel_tuner.json")).ok()?;
        serde_json::from_str::<Others>(&text).ok()
    };
    folders.into_iter().filter_map(read).flatten().collect()
}

/// Measurements until a strategy is within 5% of the best.
fn strategies(spaces: &[RecordedSpace], others: &Others) {
    let of_others: BTreeSet<&str> = others.values().flat_map(|row| row.keys().map(String::as_str)).collect();
    print!("{:<28} {:>10} {:>8} {:>7}", "measurements to reach 95%", "candidates", "usual", "best");
    NAMES.iter().for_each(|name| print!(" {name:>10}"));
    of_others.iter().for_each(|name| print!(" {name:>19}"));
    println!();
    let mut sums = vec![0.0f64; NAMES.len()];
    let mut sums_of_others = vec![0.0f64; of_others.len()];
    for space in spaces {
        let usual = space.of_usual().map_or("-".to_owned(), |usual| format!("{:.2}x", usual / space.best()));
        let (count, best) = (space.seconds.len(), space.best() * 1e3);
        print!("{:<28} {count:>10} {usual:>8} {best:>7.3}", space.kernel.id);
        for (name, sum) in NAMES.iter().zip(&mut sums) {
            let evaluations = space.evaluations(name, PART, SEEDS).unwrap_or(f64::NAN);
            *sum += evaluations.ln();
            print!(" {evaluations:>10.1}");
        }
        for (name, sum) in of_others.iter().zip(&mut sums_of_others) {
            let of_space = others.get(&space.kernel.id).and_then(|row| row.get(*name));
            let evaluations = of_space.copied().unwrap_or(f64::NAN);
            *sum += evaluations.ln();
            print!(" {evaluations:>19.1}");
        }
        println!();
    }
    print!("{:<55}", "geometric mean");
    let mean = |sum: &f64| (sum / spaces.len().max(1) as f64).exp();
    sums.iter().for_each(|sum| print!(" {:>10.1}", mean(sum)));
    sums_of_others.iter().for_each(|sum| print!(" {:>19.1}", mean(sum)));
    println!();
    let ratios: Vec<f64> = spaces.iter().filter_map(|s| Some((s.of_usual()? / s.best()).ln())).collect();
    if !ratios.is_empty() {
        let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
        println!("the usual schedule takes {mean:.3} times the best one's time, in the geometric mean");
    }
}

/// What the compiler's cost model says today of the schedules of a program (`accl tune --extract FILE.json`).
#[derive(Deserialize)]
struct ModelFile {
    terms: Vec<Term>,
    kernels: Vec<ModelOfKernel>,
}

#[derive(Clone, Deserialize)]
struct Term {
    name: String,
    constant: f64,
}

#[derive(Deserialize)]
struct ModelOfKernel {
    kernel: String,
    candidates: Vec<ModelOfCandidate>,
}

#[derive(Deserialize)]
struct ModelOfCandidate {
    schedule: String,
    model: Estimate,
}

/// Spaces of fewer candidates have no order to speak of.
const FEWEST: usize = 5;
/// What times differ by that are of the same launch: `grid_stride(N)` starts one wave of blocks whatever the number, and nine of ten of
/// the recorded times of such schedules lie within so much of their middle.
const NOISE: f64 = 0.02;

/// A space whose candidates have the estimates of today.
struct Modelled {
    space: RecordedSpace,
    /// The ranks of the measured times, those where what differs by noise counts as equal, and the terms of the candidates that they
    /// are of.
    measured: Vec<f64>,
    apart: Vec<f64>,
    terms: Vec<Vec<f64>>,
}

/// Gives the candidates of a space the estimates of today, where `models` has a file `PROGRAM.json`. The terms of the model.
fn estimated(space: &mut RecordedSpace, models: &str) -> Option<Vec<Term>> {
    let program = &space.kernel.launched.function;
    let text = std::fs::read_to_string(format!("{models}/{program}.json")).ok()?;
    let file = serde_json::from_str::<ModelFile>(&text).ok()?;
    let id = space.kernel.id.strip_prefix(&format!("{program} ")).unwrap_or_default();
    let own = file.kernels.into_iter().find(|kernel| kernel.kernel == id)?;
    for candidate in &mut space.kernel.candidates {
        let now = own.candidates.iter().find(|one| one.schedule == candidate.schedule);
        candidate.estimate = now.map(|one| one.model.clone()).unwrap_or_default();
    }
    Some(file.terms)
}

fn modelled(spaces: Vec<(RecordedSpace, Vec<Term>)>) -> (Vec<Term>, Vec<Modelled>) {
    let (mut terms, mut all) = (vec![], vec![]);
    for (space, terms_here) in spaces {
        // One that the compiler no longer has says nothing.
        let known = |at: &usize| {
            !space.kernel.candidates[*at].estimate.terms.is_empty() && space.seconds[*at].is_finite()
        };
        let kept: Vec<usize> = (0..space.seconds.len()).filter(known).collect();
        if kept.len() < FEWEST {
            continue;
        }
        let times: Vec<f64> = kept.iter().map(|at| space.seconds[*at]).collect();
        let terms_of = kept.iter().map(|at| space.kernel.candidates[*at].estimate.terms.clone()).collect();
        terms = terms_here;
        all.push(Modelled { measured: ranks(&times), apart: ranks(&apart(&times)), terms: terms_of, space });
    }
    (terms, all)
}

/// Times of which those that differ from a shorter one by no more than noise are that one.
fn apart(times: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    let (mut equal, mut shortest) = (times.to_vec(), 0.0);
    for at in order {
        if times[at] > shortest * (1.0 + NOISE) {
            shortest = times[at];
        }
        equal[at] = shortest;
    }
    equal
}

fn weighed(constants: &[f64], terms: &[f64]) -> f64 {
    constants.iter().zip(terms).map(|(constant, term)| constant * term).sum()
}

impl Modelled {
    fn correlation(&self, constants: &[f64]) -> f64 {
        self.correlation_with(&self.measured, constants)
    }

    fn correlation_with(&self, measured: &[f64], constants: &[f64]) -> f64 {
        // What is the same but for rounding is the same.
        let of = |terms: &Vec<f64>| (weighed(constants, terms) * 1e9).round();
        correlation(&ranks(&self.terms.iter().map(of).collect::<Vec<f64>>()), measured)
    }

    fn loss(&self, constants: &[f64]) -> f64 {
        self.space.loss(&|estimate: &Estimate| match estimate.terms.is_empty() {
            true => f64::INFINITY,
            false => weighed(constants, &estimate.terms),
        })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = values.collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

/// The constants with which ranks fit best, from some on: one after the other, by factors, as long as that helps.
fn fitted(from: &[f64], spaces: &[&Modelled]) -> Vec<f64> {
    const FACTORS: [f64; 8] = [0.0, 0.5, 0.7, 0.85, 1.15, 1.4, 2.0, 4.0];
    const GAIN: f64 = 1e-4;
    let score = |constants: &[f64]| mean(spaces.iter().map(|space| space.correlation(constants)));
    let (mut best, mut reached) = (from.to_vec(), score(from));
    for _ in 0..6 {
        let before = reached;
        for at in 0..best.len() {
            for factor in FACTORS {
                let mut trial = best.clone();
                trial[at] = if best[at] > 0.0 { best[at] * factor } else { 0.05 * factor };
                let with = score(&trial);
                if with > reached + GAIN {
                    (best, reached) = (trial, with);
                }
            }
        }
        if reached - before < 10.0 * GAIN {
            break;
        }
    }
    best
}

/// The model beside the measurements: with the compiler's constants, with constants fitted to all spaces, and with those fitted to the
/// spaces of the other programs, which tells what the model knows of a program that it has not seen.
fn model(spaces: Vec<(RecordedSpace, Vec<Term>)>) {
    let (terms, spaces) = modelled(spaces);
    let now: Vec<f64> = terms.iter().map(|term| term.constant).collect();
    let even = vec![0.2; now.len()];
    let all: Vec<&Modelled> = spaces.iter().collect();
    let best = fitted(&now, &all);
    let mut without: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for program in spaces.iter().map(|space| space.space.kernel.launched.function.as_str()) {
        let others = || all.iter().copied().filter(|other| other.space.kernel.launched.function != program);
        without.entry(program).or_insert_with(|| fitted(&even, &others().collect::<Vec<_>>()));
    }
    println!(
        "{:<28} {:>10} {:>7} {:>7} {:>7} {:>9}   {:>24}",
        "", "candidates", "now", "apart", "fitted", "held out", "times the best: 1st, usual"
    );
    let mut rows = vec![];
    for space in &spaces {
        let held_out = &without[space.space.kernel.launched.function.as_str()];
        let apart = space.correlation_with(&space.apart, &now);
        let row = [space.correlation(&now), apart, space.correlation(&best), space.correlation(held_out)];
        let usual = space.space.of_usual().map_or(f64::NAN, |usual| usual / space.space.best());
        let first = space.loss(&now);
        let [a, b, c, d] = row;
        println!(
            "{:<28} {:>10} {a:>7.3} {b:>7.3} {c:>7.3} {d:>9.3}   {first:>15.3} {usual:>8.3}",
            space.space.kernel.id,
            space.measured.len()
        );
        rows.push((row, first, usual));
    }
    let of = |place: usize| mean(rows.iter().map(|(row, ..)| row[place]));
    let first = mean(rows.iter().map(|(_, first, _)| first.ln())).exp();
    let usual = mean(rows.iter().map(|(.., usual)| usual.ln()).filter(|log| log.is_finite())).exp();
    println!(
        "{:<28} {:>10} {:>7.3} {:>7.3} {:>7.3} {:>9.3}   {first:>15.3} {usual:>8.3}",
        "mean; geometric",
        rows.len(),
        of(0),
        of(1),
        of(2),
        of(3)
    );
    println!("\n{:<20} {:>8} {:>8}", "constants", "now", "fitted");
    for (at, term) in terms.iter().enumerate() {
        println!("{:<20} {:>8.3} {:>8.3}", term.name, now[at], best[at]);
    }
}
