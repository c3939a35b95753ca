//! Hill climbing: to the best neighbour as long as it is better, then from a random candidate.

use super::{KnownTimes, Strategy};
use fastrand::Rng;

#[derive(Default)]
pub struct HillClimbing {
    at: Option<usize>,
}

impl Strategy for HillClimbing {
    fn batch(&mut self, known: &KnownTimes<'_>, rng: &mut Rng) -> Vec<usize> {
        let Some(mut at) = self.at else {
            self.at = Some(known.start());
            return vec![known.start()];
        };
        loop {
            let neighbours = known.kernel.neighbours(at);
            let new: Vec<usize> = neighbours.iter().copied().filter(|n| known.is_new(*n)).collect();
            if !new.is_empty() {
                self.at = Some(at);
                return new;
            }
            match known.best_of(neighbours) {
                Some(better) if known.of(better) < known.of(at) => at = better,
                _ => break,
            }
        }
        self.at = known.random_new(rng);
        self.at.into_iter().collect()
    }
}
