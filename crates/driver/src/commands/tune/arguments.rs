//! The options of `accl tune`.

use accl_tuner::search::Objective;
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args, Debug)]
#[command(
    disable_help_flag = true,
    after_help = "accl tune jacobi.c -O3 -o jacobi -- 4096 20    runs jacobi with 4096 and 20 to measure, and builds jacobi with the schedules that are fastest for these arguments\naccl tune --budget 10m -- make run               builds and runs it by a command of your own"
)]
pub struct Tune {
    /// How candidates are chosen: auto, exhaustive, random, hill, annealing, genetic, evolution, bayes, model
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub strategy: String,
    /// Another program chooses instead, by lines of JSON (docs/guide-tuning.md)
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// Whether each kernel has its own schedule, by its own time, or all together, by the whole program's
    #[arg(long, value_enum, default_value_t = TuningLevel::Kernel)]
    pub level: TuningLevel,
    /// Measure each candidate in a run of its own, not many in one run that repeats launches
    #[arg(long)]
    pub no_replay: bool,
    /// A file with parameters to exclude, to approve, and their ranges
    #[arg(long, value_name = "FILE")]
    pub setup: Option<PathBuf>,
    /// Measure nothing: write the parameters that apply to the program to a file, and why; where its name ends with .json, all schedules
    #[arg(long, value_name = "FILE")]
    pub extract: Option<PathBuf>,
    /// Measure nothing: write a file for each configuration to a folder, for -gpu=config:FILE
    #[arg(long, value_name = "DIR")]
    pub generate: Option<PathBuf>,
    /// Measure nothing: write executables with all candidates to a folder, to be measured on another machine (bench/tune.py)
    #[arg(long, value_name = "DIR")]
    pub pack: Option<PathBuf>,
    /// Write a page of HTML with what was measured
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write what was measured in the forms T4 and T1, for other tuners' tools
    #[arg(long, value_name = "DIR")]
    pub t4: Option<PathBuf>,
    /// What is to be small: the time, or the energy that the device takes in a run of the program, by NVML (implies --level program)
    #[arg(long, value_enum, default_value_t = MeasuredObjective::Time)]
    pub objective: MeasuredObjective,
    /// Tune with these arguments, too, and compare: how well does what is found with them do with those behind `--`
    #[arg(long, value_name = "ARGUMENTS")]
    pub train: Option<String>,
    /// The time for all of it, the comparison at the end among it (90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,
    /// Measure no more candidates of each kernel
    #[arg(long, value_name = "N")]
    pub evaluations: Option<usize>,
    /// The same seed gives the same search, where times are the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Runs of each candidate
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub repeats: usize,
    /// Numbers in the output may differ by this part of them
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub tolerance: f64,
    /// Lines of the output with this text are not compared
    #[arg(long, value_name = "TEXT")]
    pub ignore: Vec<String>,
    /// A file that the program writes, to compare, too
    #[arg(long, value_name = "FILE")]
    pub compare: Vec<PathBuf>,
    /// Candidates that are compiled beside a measurement
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Where measurements are kept, to go on later (OUTPUT.tune.jsonl)
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Where the schedules go (OUTPUT.schedules)
    #[arg(long, value_name = "FILE")]
    pub schedules: Option<PathBuf>,
    /// Keep what is the fastest at each problem size in OUTPUT.wisdom, which launches go by, instead of one schedule for all sizes
    #[arg(long, conflicts_with = "apply")]
    pub wisdom: bool,
    /// Write the choices to a file of schedules and build with it: what happens where --wisdom is not given
    #[arg(long)]
    pub apply: bool,
    /// Tell what was left out and what failed, and why
    #[arg(long)]
    pub details: bool,
    /// Print help
    #[arg(long, action = clap::ArgAction::HelpLong)]
    pub help: Option<bool>,
    /// Source files, and options as for accl cc; without them the command behind `--` builds the program and runs it
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

impl Tune {
    /// Energy is counted for whole runs alone.
    pub fn level(&self) -> TuningLevel {
        match self.objective() {
            Objective::Energy => TuningLevel::Program,
            Objective::Time => self.level,
        }
    }

    pub fn objective(&self) -> Objective {
        match self.objective {
            MeasuredObjective::Time => Objective::Time,
            MeasuredObjective::Energy => Objective::Energy,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TuningLevel {
    Kernel,
    Program,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MeasuredObjective {
    Time,
    Energy,
}

/// `90s`, `10m`, `2h`, or seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let unit = |c: char| match c {
        's' => Some(1.0),
        'm' => Some(60.0),
        'h' => Some(3600.0),
        _ => None,
    };
    let seconds = text.chars().last().and_then(unit);
    let number = if seconds.is_some() { &text[..text.len() - 1] } else { text };
    let number: f64 = number.parse().map_err(|_| "a time is expected, as in 90s, 10m or 2h".to_owned())?;
    Duration::try_from_secs_f64(number * seconds.unwrap_or(1.0)).map_err(|why| why.to_string())
}
