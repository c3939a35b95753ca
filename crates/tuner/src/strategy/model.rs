//! Model first: candidates in the cost model's order, until it expects no gain; then the neighbours of the best.
//!
//! The model's seconds mean something only in relation to each other. What was measured gives the factor between them and real
//! seconds, and how far it scatters; a candidate is worth a measurement as long as its prediction, at the lucky end of that, is
//! faster than the best by more than [`NOISE`].

use super::{KnownTimes, Strategy};
use fastrand::Rng;

/// Gains below this part are not told from noise.
const NOISE: f64 = 0.01;
/// Measured before the model is believed, and at a time afterwards.
const FIRST: usize = 8;
const NEXT: usize = 4;

#[derive(Default)]
pub struct ModelFirst {
    started: bool,
}

impl Strategy for ModelFirst {
    fn batch(&mut self, known: &KnownTimes<'_>, _: &mut Rng) -> Vec<usize> {
        let predicted = |at: &usize| known.kernel.candidates[*at].estimate.seconds;
        let mut order: Vec<usize> = (0..known.len()).filter(|at| known.is_new(*at)).collect();
        order.sort_by(|a, b| predicted(a).total_cmp(&predicted(b)));
        if !std::mem::replace(&mut self.started, true) {
            let start = known.start();
            return std::iter::once(start).chain(order.into_iter().take(FIRST)).collect();
        }
        let Some(best) = known.best() else {
            // Nothing worked yet.
            return order.into_iter().take(NEXT).collect();
        };
        let neighbours: Vec<usize> =
            known.kernel.neighbours(best).into_iter().filter(|at| known.is_new(*at)).collect();
        if !neighbours.is_empty() {
            return neighbours;
        }
        let luck = factor_at_best(known);
        let worth = |at: &usize| luck * predicted(at) < (1.0 - NOISE) * known.of(best);
        order.into_iter().filter(worth).take(NEXT).collect()
    }
}

/// Measured by predicted seconds, at the lucky end: the mean less half a standard deviation, of the logarithms.
fn factor_at_best(known: &KnownTimes<'_>) -> f64 {
    let ratio = |at: usize| known.of(at) / known.kernel.candidates[at].estimate.seconds;
    let logs: Vec<f64> = (0..known.len()).map(|at| ratio(at).ln()).filter(|log| log.is_finite()).collect();
    let count = logs.len().max(1) as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / count;
    (mean - variance.sqrt() / 2.0).exp()
}
