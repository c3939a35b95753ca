//! Differential evolution over the positions of parameters' values.

use super::{KnownTimes, Strategy};
use fastrand::Rng;

const SIZE: usize = 12;
const WEIGHT: f64 = 0.8;
const CROSSOVER: f64 = 0.9;
/// Generations without a new candidate after which it ends.
const PATIENCE: usize = 8;

#[derive(Default)]
pub struct Evolution {
    population: Vec<usize>,
    trials: Vec<usize>,
    idle: usize,
}

impl Strategy for Evolution {
    fn batch(&mut self, known: &KnownTimes<'_>, rng: &mut Rng) -> Vec<usize> {
        if self.population.is_empty() {
            self.population = known.generation(SIZE, rng);
            return self.population.clone();
        }
        while self.idle < PATIENCE {
            for (own, trial) in self.population.iter_mut().zip(std::mem::take(&mut self.trials)) {
                if known.of(trial) < known.of(*own) {
                    *own = trial;
                }
            }
            self.trials = (0..self.population.len()).map(|at| self.trial(known, at, rng)).collect();
            if self.trials.iter().any(|at| known.is_new(*at)) {
                self.idle = 0;
                return self.trials.clone();
            }
            self.idle += 1;
        }
        vec![]
    }
}

impl Evolution {
    fn trial(&self, known: &KnownTimes<'_>, at: usize, rng: &mut Rng) -> usize {
        let candidates = &known.kernel.candidates;
        let mut any = || &candidates[self.population[rng.usize(..self.population.len())]].choice;
        let (a, b, c) = (any(), any(), any());
        let mut choice = candidates[self.population[at]].choice.clone();
        for (place, value) in choice.iter_mut().enumerate() {
            if rng.f64() < CROSSOVER {
                let last = known.kernel.parameters[place].values.len() as f64 - 1.0;
                let moved = a[place] as f64 + WEIGHT * (b[place] as f64 - c[place] as f64);
                *value = moved.round().clamp(0.0, last) as usize;
            }
        }
        known.kernel.nearest(&choice)
    }
}
