//! Strategies: which candidate of a kernel is measured next.
//!
//! A [`Strategy`] proposes a batch, waits until all of it is measured, and proposes the next one; an empty batch ends it. Batches
//! let the compiler work ahead. What was measured already is never measured again ([`Engine`]).
//!
//! | name | what it does |
//! |---|---|
//! | `exhaustive` | all, in their order |
//! | `random` | all, in random order |
//! | `hill` | from the usual schedule to the best of its neighbours, and so on; then from a random one |
//! | `annealing` | from one to a random neighbour, also to a slower one, less and less often |
//! | `genetic` | generations of twelve, whose parameters are mixed |
//! | `evolution` | differential evolution over the positions of parameters' values |
//! | `bayes` | a Gaussian process over the parameters' values; next what it expects to improve the most |
//! | `model` | in the cost model's order, until it expects no gain; then the neighbours of the best |
//! | `auto` | as `bayes`, beginning with what the model puts first; half of the candidates at least, and all where they are few |

mod annealing;
mod bayes;
mod evolution;
mod exhaustive;
mod external;
mod genetic;
mod hill;
mod model;

pub use external::External;

use crate::space::TunableKernel;
use fastrand::Rng;
use std::collections::VecDeque;

/// How many candidates `auto` measures all of.
const FEW: usize = 16;

/// Batches without a new candidate after which a strategy is taken to be at its end.
const IDLE: usize = 64;

pub trait Strategy: Send {
    /// Candidates to measure. All of the last batch are known.
    fn batch(&mut self, known: &KnownTimes<'_>, rng: &mut Rng) -> Vec<usize>;
}

/// What was measured of a kernel.
pub struct KnownTimes<'a> {
    pub kernel: &'a TunableKernel,
    /// Of each candidate; infinite where it failed.
    pub seconds: &'a [Option<f64>],
    /// So many are measured in one run of the program.
    pub at_once: usize,
}

impl KnownTimes<'_> {
    /// Infinite where it is not known, or failed.
    pub fn of(&self, candidate: usize) -> f64 {
        self.seconds[candidate].unwrap_or(f64::INFINITY)
    }

    pub fn is_new(&self, candidate: usize) -> bool {
        self.seconds[candidate].is_none()
    }

    pub fn len(&self) -> usize {
        self.seconds.len()
    }

    pub fn measured(&self) -> usize {
        self.seconds.iter().flatten().count()
    }

    pub fn is_empty(&self) -> bool {
        self.seconds.is_empty()
    }

    /// The fastest of these.
    pub fn best_of(&self, all: impl IntoIterator<Item = usize>) -> Option<usize> {
        let finite = all.into_iter().filter(|at| self.of(*at).is_finite());
        finite.min_by(|a, b| self.of(*a).total_cmp(&self.of(*b)))
    }

    pub fn best(&self) -> Option<usize> {
        self.best_of(0..self.len())
    }

    /// The candidate to begin with: the one that launches usually take, or the first.
    pub fn start(&self) -> usize {
        self.kernel.candidates.iter().position(|c| c.schedule == self.kernel.usual).unwrap_or(0)
    }

    /// Some at random, and the one to begin with.
    pub fn generation(&self, size: usize, rng: &mut Rng) -> Vec<usize> {
        let mut all = rng.choose_multiple(0..self.len(), size);
        all.push(self.start());
        all
    }

    /// One that was not measured.
    pub fn random_new(&self, rng: &mut Rng) -> Option<usize> {
        let new: Vec<usize> = (0..self.len()).filter(|at| self.is_new(*at)).collect();
        rng.choice(new)
    }
}

/// The strategies by name.
pub const NAMES: &[&str] =
    &["auto", "exhaustive", "random", "hill", "annealing", "genetic", "evolution", "bayes", "model"];

/// The strategy of a name, for a kernel with so many candidates.
pub fn named(name: &str, candidates: usize) -> Option<Box<dyn Strategy>> {
    Some(match name {
        "auto" => Box::new(bayes::Bayes::of_at_least(FEW.max(candidates / 2)).with_model()),
        "model" => Box::new(model::ModelFirst::default()),
        "exhaustive" => Box::new(exhaustive::Exhaustive),
        "random" => Box::new(exhaustive::RandomOrder),
        "hill" => Box::new(hill::HillClimbing::default()),
        "annealing" => Box::new(annealing::Annealing::default()),
        "genetic" => Box::new(genetic::Genetic::default()),
        "evolution" => Box::new(evolution::Evolution::default()),
        "bayes" => Box::new(bayes::Bayes::of_at_least(FEW)),
        _ => return None,
    })
}

/// A strategy at work on one kernel.
pub struct Engine {
    strategy: Box<dyn Strategy>,
    rng: Rng,
    queue: VecDeque<usize>,
    /// Handed out, not measured yet.
    outstanding: usize,
    pub seconds: Vec<Option<f64>>,
    /// Measurements that may still be asked for.
    left: usize,
    /// So many are measured in one run of the program.
    pub at_once: usize,
}

impl Engine {
    pub fn new(strategy: Box<dyn Strategy>, kernel: &TunableKernel, seed: u64, most: usize) -> Engine {
        Engine {
            strategy,
            rng: Rng::with_seed(seed),
            queue: VecDeque::new(),
            outstanding: 0,
            seconds: vec![None; kernel.candidates.len()],
            left: most,
            at_once: 1,
        }
    }

    /// The candidate to measure next; none where the results of others are waited for, or there is no other.
    pub fn next(&mut self, kernel: &TunableKernel) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        for _ in 0..IDLE {
            if let Some(candidate) = self.queue.pop_front() {
                if self.seconds[candidate].is_some() {
                    continue;
                }
                self.outstanding += 1;
                self.left -= 1;
                return Some(candidate);
            }
            if self.outstanding > 0 {
                return None;
            }
            let known = KnownTimes { kernel, seconds: &self.seconds, at_once: self.at_once };
            let mut batch = self.strategy.batch(&known, &mut self.rng);
            if batch.is_empty() {
                return None;
            }
            batch.retain(|at| self.seconds[*at].is_none());
            let mut seen = std::collections::BTreeSet::new();
            batch.retain(|at| seen.insert(*at));
            self.queue.extend(batch);
        }
        None
    }

    /// The result of a candidate that [`Engine::next`] gave; infinite where it failed.
    pub fn tell(&mut self, candidate: usize, seconds: f64) {
        self.outstanding -= 1;
        self.seconds[candidate] = Some(seconds);
    }
}

#[cfg(test)]
mod tests;
