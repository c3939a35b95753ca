//! Strategies compared offline, on a recorded space.

use super::*;
use crate::space::{Estimate, Listed, Place};

/// Blocks, factors and a flag, as a memory-bound loop has them: times in microseconds by a formula with two valleys, and some
/// combinations that fail.
fn recorded() -> (TunableKernel, Vec<f64>) {
    let mut listed = vec![];
    let mut times = vec![];
    for block in [32u32, 64, 128, 256, 512, 1024] {
        for factor in [1u32, 2, 4, 8, 16] {
            for restrict in [false, true] {
                let bytes = f64::from(factor.min(8)) * 4096.0 * f64::from(block.min(256)) / 256.0;
                let memory = (20000.0 / bytes).max(1.0);
                let spills = if factor * block > 4096 { 1.7 } else { 1.0 };
                let uneven = 1.0 + 0.02 * f64::from((block / 32 + factor) % 3);
                let time = 100.0 * memory * spills * uneven * if restrict { 0.95 } else { 1.0 };
                let fails = block == 1024 && factor == 16;
                times.push(if fails { f64::INFINITY } else { time });
                let mut steps = vec![("block".to_owned(), block.to_string())];
                steps.push(("vectorize".to_owned(), factor.to_string()));
                steps.extend(restrict.then(|| ("restrict".to_owned(), "on".to_owned())));
                listed.push(Listed {
                    schedule: format!("block({block}) vectorize({factor}) {restrict}"),
                    variant: "wide".into(),
                    needs: vec![],
                    steps,
                    estimate: Estimate { seconds: memory, ..Estimate::default() },
                });
            }
        }
    }
    let usual = "block(256) vectorize(4) false".to_owned();
    let place = Place { function: "f".into(), line: 1, kernel: None };
    (TunableKernel::new("f:1".into(), "f_1".into(), place, usual, listed), times)
}

/// The candidates in the order in which a strategy measures them.
fn course(name: &str, seed: u64) -> Vec<usize> {
    let (kernel, times) = recorded();
    let strategy = named(name, kernel.candidates.len()).unwrap();
    let mut engine = Engine::new(strategy, &kernel, seed, usize::MAX);
    let mut order = vec![];
    while let Some(at) = engine.next(&kernel) {
        order.push(at);
        engine.tell(at, times[at]);
    }
    order
}

/// Measurements until one is within 5% of the best; the mean of several seeds.
fn evaluations(name: &str) -> f64 {
    let (_, times) = recorded();
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    let of = |seed| {
        let order = course(name, seed);
        let found = order.iter().position(|at| times[*at] <= best / 0.95);
        found.map_or(times.len() as f64, |at| at as f64 + 1.0)
    };
    (0..20).map(of).sum::<f64>() / 20.0
}

#[test]
fn nothing_is_measured_twice_and_the_seed_decides() {
    for name in NAMES {
        let order = course(name, 7);
        let mut once = order.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), order.len(), "{name}");
        assert_eq!(order, course(name, 7), "{name}");
    }
    assert_ne!(course("random", 1), course("random", 2));
}

#[test]
fn exhaustive_strategies_measure_all() {
    for name in ["exhaustive", "random", "hill"] {
        assert_eq!(course(name, 1).len(), 60, "{name}");
    }
}

#[test]
fn the_default_needs_fewer_measurements_than_chance() {
    let (random, default) = (evaluations("random"), evaluations("auto"));
    assert!(default < random, "auto {default}, random {random}");
    for name in ["hill", "annealing", "genetic", "evolution", "bayes", "model"] {
        assert!(evaluations(name) < 60.0, "{name}: {}", evaluations(name));
    }
    assert!(course("auto", 1).len() < 40);
}

#[test]
fn a_process_learns_from_what_was_measured() {
    let (random, bayes) = (evaluations("random"), evaluations("bayes"));
    assert!(bayes < random, "bayes {bayes}, random {random}");
    assert!(course("bayes", 1).len() < 60);
}

#[test]
fn a_budget_ends_a_search() {
    let (kernel, times) = recorded();
    let mut engine = Engine::new(named("random", 60).unwrap(), &kernel, 1, 5);
    let mut count = 0;
    while let Some(at) = engine.next(&kernel) {
        engine.tell(at, times[at]);
        count += 1;
    }
    assert_eq!(count, 5);
}
