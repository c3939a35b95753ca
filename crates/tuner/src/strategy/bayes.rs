//! Bayesian: a Gaussian process over the values of the parameters, and next those candidates of which it expects the largest
//! improvement.
//!
//! What is predicted is the logarithm of a time. Its mean is a line through what the cost model says, fitted to what was measured; what
//! is left is a process whose covariance falls off with the values in which two candidates differ. The length of that fall is the one,
//! of a few, under which the measurements are the likeliest. Candidates that failed count as the slowest that did not.
//!
//! Rasmussen and Williams, Gaussian Processes for Machine Learning, algorithm 2.1; Jones et al. 1998 for the expected improvement.

use super::{KnownTimes, Strategy};
use fastrand::Rng;

/// Measured before there is a process: the usual one, and so many at random.
const FIRST: usize = 4;
/// Of these, by the cost model where it is asked.
const MODELLED: usize = 1;
/// Measured before what is expected is asked again, or as many as can be measured together.
const NEXT: usize = 2;
/// Expected improvements below this part of the time are not told from noise.
const NOISE: f64 = 0.005;
const LENGTHS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];
/// Variance of a measurement, as a part of the process's own.
const NUGGET: f64 = 0.02;

#[derive(Default)]
pub struct Bayes {
    started: bool,
    /// So many are measured, whatever is expected.
    least: usize,
    /// Of the first ones some are those that the cost model puts first.
    by_model: usize,
}

impl Bayes {
    pub fn of_at_least(least: usize) -> Bayes {
        Bayes { least, ..Bayes::default() }
    }

    pub fn with_model(self) -> Bayes {
        Bayes { by_model: MODELLED, ..self }
    }
}

impl Strategy for Bayes {
    fn batch(&mut self, known: &KnownTimes<'_>, rng: &mut Rng) -> Vec<usize> {
        if !std::mem::replace(&mut self.started, true) {
            let mut order: Vec<usize> = (0..known.len()).collect();
            order.sort_by(|a, b| predicted(known, *a).total_cmp(&predicted(known, *b)));
            let others = rng.choose_multiple(0..known.len(), FIRST - self.by_model);
            let modelled = order.into_iter().take(self.by_model);
            return std::iter::once(known.start()).chain(modelled).chain(others).collect();
        }
        let Some(process) = Process::of(known) else {
            // Nothing worked yet.
            return known.random_new(rng).into_iter().collect();
        };
        let new = (0..known.len()).filter(|at| known.is_new(*at));
        let mut expected: Vec<(f64, usize)> = new.map(|at| (process.improvement(known, at), at)).collect();
        expected.sort_by(|a, b| b.0.total_cmp(&a.0));
        let enough = known.measured() >= self.least;
        let worth = |(gain, _): &&(f64, usize)| !enough || *gain > NOISE;
        expected.iter().filter(worth).take(NEXT.max(known.at_once)).map(|(_, at)| *at).collect()
    }
}

/// What the measurements say of the others.
struct Process {
    measured: Vec<usize>,
    length: f64,
    /// The mean is `line[0] + line[1] * ln(predicted)`.
    line: [f64; 2],
    /// Of the process around its mean.
    variance: f64,
    /// The lower triangle of the covariances' Cholesky factor, and the weights of the measurements.
    factor: Vec<Vec<f64>>,
    weights: Vec<f64>,
    /// The logarithm of the best time.
    best: f64,
}

impl Process {
    fn of(known: &KnownTimes<'_>) -> Option<Process> {
        let measured: Vec<usize> = (0..known.len()).filter(|at| !known.is_new(*at)).collect();
        let best = known.of(known.best()?).ln();
        let slowest = measured.iter().map(|at| known.of(*at)).filter(|s| s.is_finite()).fold(0.0, f64::max);
        let logs: Vec<f64> = measured.iter().map(|at| known.of(*at).min(slowest).ln()).collect();
        let model: Vec<f64> = measured.iter().map(|at| predicted(known, *at)).collect();
        let line = line(&model, &logs);
        let rest: Vec<f64> = logs.iter().zip(&model).map(|(y, x)| y - line[0] - line[1] * x).collect();
        let variance = (rest.iter().map(|r| r * r).sum::<f64>() / rest.len() as f64).max(1e-6);
        let fitted = LENGTHS.iter().filter_map(|length| {
            let factor = cholesky(known, &measured, *length)?;
            let half = forward(&factor, &rest);
            let logs: f64 = factor.iter().enumerate().map(|(at, row)| row[at].ln()).sum();
            let likelihood = -half.iter().map(|h| h * h).sum::<f64>() / (2.0 * variance) - logs;
            let weights = backward(&factor, half);
            Some((likelihood, *length, factor, weights))
        });
        let (_, length, factor, weights) = fitted.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Process { measured, length, line, variance, factor, weights, best })
    }

    /// The expected improvement on the best, as a part of its time.
    fn improvement(&self, known: &KnownTimes<'_>, at: usize) -> f64 {
        let near: Vec<f64> = self.measured.iter().map(|m| covariance(known, at, *m, self.length)).collect();
        let own: f64 = near.iter().zip(&self.weights).map(|(k, w)| k * w).sum();
        let mean = self.line[0] + self.line[1] * predicted(known, at) + own;
        let half = forward(&self.factor, &near);
        let left = 1.0 - half.iter().map(|h| h * h).sum::<f64>();
        let deviation = (self.variance * left.max(1e-9)).sqrt();
        let z = (self.best - mean) / deviation;
        let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
        deviation * (z * distribution(z) + density)
    }
}

/// The normal distribution, to 2e-4.
fn distribution(z: f64) -> f64 {
    1.0 / (1.0 + (-0.07056 * z.powi(3) - 1.5976 * z).exp())
}

/// The logarithm of what the cost model says; 0 where it says nothing.
fn predicted(known: &KnownTimes<'_>, at: usize) -> f64 {
    let seconds = known.kernel.candidates[at].estimate.seconds;
    if seconds > 0.0 { seconds.ln() } else { 0.0 }
}

/// Least squares; a slope from 0 on, since more than predicted is never taken for less.
fn line(x: &[f64], y: &[f64]) -> [f64; 2] {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let spread: f64 = x.iter().map(|x| (x - mean_x).powi(2)).sum();
    let both: f64 = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    // As if one more measurement said that the model is right.
    let slope = ((both + 0.01) / (spread + 0.01)).clamp(0.0, 1.5);
    [mean_y - slope * mean_x, slope]
}

/// A value that differs counts half, and the other half by how far it is from the other in the parameter's list.
fn covariance(known: &KnownTimes<'_>, a: usize, b: usize, length: f64) -> f64 {
    let candidates = &known.kernel.candidates;
    let pairs = candidates[a].choice.iter().zip(&candidates[b].choice).zip(&known.kernel.parameters);
    let distance = |((a, b), parameter): ((&usize, &usize), &crate::space::TuningParameter)| match a == b {
        true => 0.0,
        false => 0.5 + 0.5 * a.abs_diff(*b) as f64 / (parameter.values.len() - 1) as f64,
    };
    (-pairs.map(distance).sum::<f64>() / length).exp()
}

fn cholesky(known: &KnownTimes<'_>, all: &[usize], length: f64) -> Option<Vec<Vec<f64>>> {
    let mut rows: Vec<Vec<f64>> = vec![];
    for (at, a) in all.iter().enumerate() {
        let mut row: Vec<f64> = vec![];
        for (column, b) in all[..=at].iter().enumerate() {
            let other = if column == at { &row } else { &rows[column] };
            let sum: f64 = row.iter().zip(other).map(|(x, y)| x * y).sum();
            let own = covariance(known, *a, *b, length) + if column == at { NUGGET } else { 0.0 } - sum;
            row.push(if column == at { (own > 0.0).then(|| own.sqrt())? } else { own / other[column] });
        }
        rows.push(row);
    }
    Some(rows)
}

/// The solution of `factor * x = y`.
fn forward(factor: &[Vec<f64>], y: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = vec![];
    for (row, y) in factor.iter().zip(y) {
        let sum: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
        x.push((y - sum) / row[x.len()]);
    }
    x
}

/// The solution of `transposed factor * x = y`.
fn backward(factor: &[Vec<f64>], mut y: Vec<f64>) -> Vec<f64> {
    for at in (0..y.len()).rev() {
        let later: f64 = (at + 1..y.len()).map(|row| factor[row][at] * y[row]).sum();
        y[at] = (y[at] - later) / factor[at][at];
    }
    y
}
