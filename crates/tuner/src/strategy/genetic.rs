//! A genetic algorithm: generations whose parameters are mixed and now and then changed.

use super::{KnownTimes, Strategy};
use fastrand::Rng;

const SIZE: usize = 12;
/// The best that go on unchanged.
const ELITE: usize = 2;
const MUTATION: f64 = 0.1;
/// Generations without a new candidate after which it ends.
const PATIENCE: usize = 8;

#[derive(Default)]
pub struct Genetic {
    population: Vec<usize>,
    idle: usize,
}

impl Strategy for Genetic {
    fn batch(&mut self, known: &KnownTimes<'_>, rng: &mut Rng) -> Vec<usize> {
        if self.population.is_empty() {
            self.population = known.generation(SIZE, rng);
            return self.population.clone();
        }
        while self.idle < PATIENCE {
            self.population.sort_by(|a, b| known.of(*a).total_cmp(&known.of(*b)));
            let mut next: Vec<usize> = self.population.iter().copied().take(ELITE).collect();
            while next.len() < SIZE {
                let (a, b) = (self.parent(rng), self.parent(rng));
                next.push(child(known, a, b, rng));
            }
            self.population = next;
            if self.population.iter().any(|at| known.is_new(*at)) {
                self.idle = 0;
                return self.population.clone();
            }
            self.idle += 1;
        }
        vec![]
    }
}

impl Genetic {
    /// The better of two; the population is sorted.
    fn parent(&self, rng: &mut Rng) -> usize {
        let place = rng.usize(..self.population.len()).min(rng.usize(..self.population.len()));
        self.population[place]
    }
}

fn child(known: &KnownTimes<'_>, a: usize, b: usize, rng: &mut Rng) -> usize {
    let candidates = &known.kernel.candidates;
    let pairs = candidates[a].choice.iter().zip(&candidates[b].choice);
    let mut choice: Vec<usize> = pairs.map(|(a, b)| if rng.bool() { *a } else { *b }).collect();
    for (value, parameter) in choice.iter_mut().zip(&known.kernel.parameters) {
        if rng.f64() < MUTATION {
            *value = rng.usize(..parameter.values.len());
        }
    }
    known.kernel.nearest(&choice)
}
