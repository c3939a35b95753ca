//! Strategies, and the cost model, on recorded spaces: `cargo xtask tune-spaces`, `cargo xtask model`.
//!
//! Arguments: `strategies` or `model`, then T4 files.

use accl_tuner::recorded::RecordedSpace;
use accl_tuner::space::Estimate;
use accl_tuner::strategy::NAMES;

const SEEDS: u64 = 20;
/// Of the best.
const PART: f64 = 0.95;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((what, files)) = words.split_first() else {
        eprintln!("spaces strategies|model FILE…");
        std::process::exit(2);
    };
    let mut spaces = vec![];
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|why| why.to_string());
        match text.and_then(|text| RecordedSpace::parse(&text).map_err(|why| why.to_string())) {
            // A space with one candidate shows nothing.
            Ok(space) if space.seconds.iter().filter(|s| s.is_finite()).count() > 1 => spaces.push(space),
            Ok(_) => {}
            Err(why) => {
                eprintln!("{file}: {why}");
                std::process::exit(1);
            }
        }
    }
    match what.as_str() {
        "model" => model(&spaces),
        _ => strategies(&spaces),
    }
}

/// Measurements until a strategy is within 5% of the best.
fn strategies(spaces: &[RecordedSpace]) {
    print!("{:<28} {:>10} {:>8} {:>7}", "measurements to reach 95%", "candidates", "usual", "best");
    NAMES.iter().for_each(|name| print!(" {name:>10}"));
    println!();
    let mut sums = vec![0.0f64; NAMES.len()];
    for space in spaces {
        let usual = space.usual.map_or("-".to_owned(), |usual| format!("{:.2}x", usual / space.best()));
        let (count, best) = (space.seconds.len(), space.best() * 1e3);
        print!("{:<28} {count:>10} {usual:>8} {best:>7.3}", space.kernel.id);
        for (name, sum) in NAMES.iter().zip(&mut sums) {
            let evaluations = space.evaluations(name, PART, SEEDS).unwrap_or(f64::NAN);
            *sum += evaluations.ln();
            print!(" {evaluations:>10.1}");
        }
        println!();
    }
    print!("{:<55}", "geometric mean");
    sums.iter().for_each(|sum| print!(" {:>10.1}", (sum / spaces.len().max(1) as f64).exp()));
    println!();
    let ratios: Vec<f64> = spaces.iter().filter_map(|s| Some((s.usual? / s.best()).ln())).collect();
    if !ratios.is_empty() {
        let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
        println!("the usual schedule takes {mean:.3} times the best one's time, in the geometric mean");
    }
}

/// The constants of the model: what a byte that is not under way costs, and what more registers or larger blocks do.
#[derive(Clone, Copy, Debug)]
struct Constants {
    /// Exponent of the part of the bytes under way that memory needs, where that is less than 1.
    latency: f64,
    /// Exponent of the occupancy.
    occupancy: f64,
    /// For each register of a thread.
    registers: f64,
    /// For each doubling of the threads of a block beyond 128.
    block: f64,
}

impl Constants {
    /// The model as it is in the compiler: bytes and bytes under way alone.
    const NOW: Constants = Constants { latency: 1.0, occupancy: 0.0, registers: 0.0, block: 0.0 };

    fn seconds(self, estimate: &Estimate, needed: f64) -> f64 {
        let busy = (estimate.bytes_under_way / needed).clamp(1e-3, 1.0);
        let blocks = (f64::from(estimate.threads.max(1)) / 128.0).log2().abs();
        estimate.accesses.max(1e-9)
            * busy.powf(-self.latency)
            * estimate.occupancy.max(0.01).powf(-self.occupancy)
            * (self.registers * f64::from(estimate.registers) + self.block * blocks).exp()
    }
}

/// Bytes under way that keep a multiprocessor's part of the memory busy, on the devices that were measured.
const NEEDED: f64 = 21_818.0;

/// Fits the constants by steps in one after the other, and shows what they do to the ranks.
fn model(spaces: &[RecordedSpace]) {
    let mean = |constants: Constants| {
        let of = |space: &RecordedSpace| space.rank_correlation(&|e| constants.seconds(e, NEEDED));
        spaces.iter().map(of).sum::<f64>() / spaces.len().max(1) as f64
    };
    let mut best = Constants::NOW;
    for _ in 0..4 {
        let fields: [fn(&mut Constants) -> &mut f64; 4] =
            [|c| &mut c.latency, |c| &mut c.occupancy, |c| &mut c.registers, |c| &mut c.block];
        for (field, unit) in fields.into_iter().zip([0.25, 0.1, 0.002, 0.02]) {
            for step in -8..=8 {
                let mut trial = best;
                *field(&mut trial) += f64::from(step) * unit;
                if mean(trial) > mean(best) + 1e-9 {
                    best = trial;
                }
            }
        }
    }
    println!(
        "{:<28} {:>10} {:>12} {:>10} {:>12}",
        "rank correlation", "now", "loss of 1st", "fitted", "loss of 1st"
    );
    for space in spaces {
        let row = |constants: Constants| {
            let predicted = move |estimate: &Estimate| constants.seconds(estimate, NEEDED);
            (space.rank_correlation(&predicted), space.loss(&predicted))
        };
        let ((now, loss), (fitted, fitted_loss)) = (row(Constants::NOW), row(best));
        println!("{:<28} {now:>10.3} {loss:>11.2}x {fitted:>10.3} {fitted_loss:>11.2}x", space.kernel.id);
    }
    println!("{:<28} {:>10.3} {:>23.3}", "mean", mean(Constants::NOW), mean(best));
    println!("constants now    {:?}", Constants::NOW);
    println!("constants fitted {best:?}");
}
