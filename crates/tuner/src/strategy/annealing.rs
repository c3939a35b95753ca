//! Simulated annealing: from one candidate to a random neighbour, also to a slower one, less and less often.

use super::{KnownTimes, Strategy};
use fastrand::Rng;

/// A candidate that is slower by this part is taken with probability 1/e at the beginning.
const HOT: f64 = 0.5;
const COLD: f64 = 0.005;
const COOLING: f64 = 0.95;
/// Moves between known candidates that are made for one that is new.
const MOVES: usize = 1000;

#[derive(Default)]
pub struct Annealing {
    at: Option<usize>,
    proposed: Option<usize>,
    temperature: f64,
}

impl Strategy for Annealing {
    fn batch(&mut self, known: &KnownTimes<'_>, rng: &mut Rng) -> Vec<usize> {
        let Some(mut at) = self.at else {
            (self.at, self.temperature) = (Some(known.start()), HOT);
            return vec![known.start()];
        };
        for _ in 0..MOVES {
            if let Some(to) = self.proposed.take() {
                let worse = known.of(to) / known.of(at) - 1.0;
                // Where both failed, the quotient is no number, and any way out is good.
                if worse <= 0.0 || worse.is_nan() || rng.f64() < (-worse / self.temperature).exp() {
                    at = to;
                }
                self.temperature *= COOLING;
                if self.temperature < COLD {
                    return vec![];
                }
            }
            self.at = Some(at);
            self.proposed = rng.choice(known.kernel.neighbours(at));
            match self.proposed {
                None => return vec![],
                Some(to) if known.is_new(to) => return vec![to],
                Some(_) => {}
            }
        }
        vec![]
    }
}
