//! All candidates, in their order or in a random one.

use super::{KnownTimes, Strategy};
use fastrand::Rng;

pub struct Exhaustive;

impl Strategy for Exhaustive {
    fn batch(&mut self, known: &KnownTimes<'_>, _: &mut Rng) -> Vec<usize> {
        (0..known.len()).filter(|at| known.is_new(*at)).collect()
    }
}

pub struct RandomOrder;

impl Strategy for RandomOrder {
    fn batch(&mut self, known: &KnownTimes<'_>, rng: &mut Rng) -> Vec<usize> {
        let mut all = Exhaustive.batch(known, rng);
        rng.shuffle(&mut all);
        all
    }
}
