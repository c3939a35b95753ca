//! Recorded spaces: kernels whose candidates were all measured once, so that strategies and the cost model are compared offline and
//! deterministically.
//!
//! They are read from T4 files, such as `bench/tune.py` and `accl tune --t4` write. A result may say what the model saw in its
//! candidate (`model`), which is not the format's own.

use crate::space::{Estimate, Listed, OFF, Place, TunableKernel};
use crate::strategy::{Engine, named};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A kernel with the time of each candidate, infinite where it failed.
#[derive(Clone, Debug)]
pub struct RecordedSpace {
    pub kernel: TunableKernel,
    pub seconds: Vec<f64>,
    pub device: String,
    /// What launches took without tuning.
    pub usual: Option<f64>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    metadata: Metadata,
    results: Vec<Measured>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    device: String,
    program: String,
    kernel: String,
    usual: String,
    usual_ms: Option<f64>,
}

#[derive(Deserialize)]
struct Measured {
    configuration: BTreeMap<String, String>,
    #[serde(default)]
    schedule: String,
    #[serde(default)]
    model: Estimate,
    invalidity: String,
    measurements: Vec<Measurement>,
}

#[derive(Deserialize)]
struct Measurement {
    name: String,
    value: serde_json::Value,
}

impl RecordedSpace {
    /// Reads a T4 file.
    pub fn parse(text: &str) -> Result<RecordedSpace, serde_json::Error> {
        let File { metadata, results } = serde_json::from_str(text)?;
        let seconds = results.iter().map(Measured::seconds).collect();
        let listed = results.into_iter().map(|one| Listed {
            schedule: one.schedule,
            variant: String::new(),
            needs: vec![],
            steps: one.configuration.into_iter().filter(|(_, value)| value != OFF).collect(),
            estimate: one.model,
        });
        let id = format!("{} {}", metadata.program, metadata.kernel);
        let place = Place { function: metadata.program, line: 0, kernel: None };
        let kernel = TunableKernel::new(id, String::new(), place, metadata.usual, listed.collect());
        Ok(RecordedSpace {
            kernel,
            seconds,
            device: metadata.device,
            usual: metadata.usual_ms.map(|milliseconds| milliseconds * 1e-3),
        })
    }

    /// What launches take without tuning, whatever variant and block they choose; where that was not recorded, the usual candidate.
    pub fn of_usual(&self) -> Option<f64> {
        let at = self.kernel.candidates.iter().position(|candidate| candidate.schedule == self.kernel.usual);
        self.usual.or_else(|| at.map(|at| self.seconds[at]).filter(|seconds| seconds.is_finite()))
    }

    pub fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The candidates in the order in which a strategy measures them; `None` for a strategy that there is not.
    pub fn course(&self, strategy: &str, seed: u64) -> Option<Vec<usize>> {
        let strategy = named(strategy, self.seconds.len())?;
        let mut engine = Engine::new(strategy, &self.kernel, seed, usize::MAX);
        let mut order = vec![];
        while let Some(at) = engine.next(&self.kernel) {
            order.push(at);
            engine.tell(at, self.seconds[at]);
        }
        Some(order)
    }

    /// Measurements until one reaches this part of the best, in the mean over seeds. A course that ends before counts as all.
    pub fn evaluations(&self, strategy: &str, part: f64, seeds: u64) -> Option<f64> {
        let limit = self.best() / part;
        let mut sum = 0;
        for seed in 1..=seeds {
            let order = self.course(strategy, seed)?;
            let reached = order.iter().position(|at| self.seconds[*at] <= limit);
            sum += reached.map_or(self.seconds.len(), |at| at + 1);
        }
        Some(sum as f64 / seeds as f64)
    }

    /// Spearman's rank correlation of a prediction with the measurements that did not fail.
    pub fn rank_correlation(&self, predicted: &dyn Fn(&Estimate) -> f64) -> f64 {
        let right: Vec<usize> = (0..self.seconds.len()).filter(|at| self.seconds[*at].is_finite()).collect();
        let measured: Vec<f64> = right.iter().map(|at| self.seconds[*at]).collect();
        let of_model: Vec<f64> =
            right.iter().map(|at| predicted(&self.kernel.candidates[*at].estimate)).collect();
        correlation(&ranks(&of_model), &ranks(&measured))
    }

    /// How many times the best one's time the candidate takes that a prediction puts first.
    pub fn loss(&self, predicted: &dyn Fn(&Estimate) -> f64) -> f64 {
        let right = (0..self.seconds.len()).filter(|at| self.seconds[*at].is_finite());
        let estimate = |at: &usize| predicted(&self.kernel.candidates[*at].estimate);
        let first = right.min_by(|a, b| estimate(a).total_cmp(&estimate(b)));
        first.map_or(f64::NAN, |at| self.seconds[at] / self.best())
    }
}

impl Measured {
    fn seconds(&self) -> f64 {
        let time = self.measurements.iter().find(|m| m.name == "time").and_then(|m| m.value.as_f64());
        time.filter(|_| self.invalidity == "correct")
            .map_or(f64::INFINITY, |milliseconds| milliseconds * 1e-3)
    }
}

/// The rank of each value; equal ones share their mean.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut begin = 0;
    while begin < order.len() {
        let equal = |at: &&usize| values[**at] == values[order[begin]];
        let count = order[begin..].iter().take_while(equal).count();
        let mean = begin as f64 + (count as f64 - 1.0) / 2.0;
        order[begin..begin + count].iter().for_each(|at| ranks[*at] = mean);
        begin += count;
    }
    ranks
}

/// Pearson's; 0 where one side is the same everywhere.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let covariance: f64 = a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum();
    let spread = |all: &[f64], mean: f64| all.iter().map(|x| (x - mean).powi(2)).sum::<f64>().sqrt();
    let spreads = spread(a, mean_a) * spread(b, mean_b);
    if spreads > 0.0 { covariance / spreads } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: &str = r#"{"schema_version": "1.0.0", "metadata": {"device": "gpu", "program": "p", "kernel": "f:1",
        "usual": "block(64)", "usual_ms": 4.0}, "results": [
        {"configuration": {"block": "64", "restrict": "off"}, "schedule": "block(64)", "invalidity": "correct",
         "model": {"seconds": 3.0}, "measurements": [{"name": "time", "value": 4.0, "unit": "ms"}]},
        {"configuration": {"block": "128", "restrict": "off"}, "schedule": "block(128)", "invalidity": "correct",
         "model": {"seconds": 1.0}, "measurements": [{"name": "time", "value": 2.0, "unit": "ms"}]},
        {"configuration": {"block": "256", "restrict": "on"}, "schedule": "block(256) restrict", "invalidity": "runtime",
         "model": {"seconds": 2.0}, "measurements": []}]}"#;

    #[test]
    fn a_file_becomes_a_space_again() {
        let space = RecordedSpace::parse(SPACE).unwrap();
        assert_eq!(space.kernel.id, "p f:1");
        assert_eq!(space.kernel.values(2)["restrict"], "on");
        assert_eq!((space.best(), space.seconds[2]), (0.002, f64::INFINITY));
        assert_eq!(space.course("exhaustive", 1).unwrap(), [0, 1, 2]);
        assert_eq!(space.evaluations("exhaustive", 0.95, 3), Some(2.0));
        assert_eq!(space.evaluations("guess", 0.95, 3), None);
        assert!(RecordedSpace::parse("{").is_err());
    }

    #[test]
    fn ranks_are_compared() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [1.5, 0.0, 1.5]);
        let space = RecordedSpace::parse(SPACE).unwrap();
        assert!((space.rank_correlation(&|estimate| estimate.seconds) - 1.0).abs() < 1e-12);
        assert!((space.rank_correlation(&|estimate| -estimate.seconds) + 1.0).abs() < 1e-12);
        assert_eq!(space.rank_correlation(&|_| 1.0), 0.0);
        assert_eq!((space.loss(&|e| e.seconds), space.loss(&|e| -e.seconds)), (1.0, 2.0));
    }
}
