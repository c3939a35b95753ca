//! Without measuring: the setup file read, the parameters of a program (`--extract`), its configurations (`--generate`), and how many
//! there are before and after pruning, as table 9 of paper 002 has them.

use super::arguments::{Tune, TuningLevel};
use super::errors::TuneError;
use super::report::file_name;
use super::spaces::Tunable;
use accl_directives::closest;
use accl_directives::openmpc;
use accl_transforms::map::cost::TERMS;
use accl_transforms::map::steps::STEPS;
use accl_tuner::level;
use accl_tuner::prune::DeviceLimits;
use accl_tuner::setup::{self, Setup};
use accl_tuner::space::{ScheduleCandidate, TunableKernel};
use accl_tuner::t4;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// What is not proven to leave results as they are: (name, option of accl cc, what it does).
pub const UNPROVEN: &[(&str, &str, &str)] =
    &[("fastmath", "-gpu=fastmath", "the device's faster functions and divisions, which are less accurate")];

/// The setup file; an empty one where none is named.
pub fn setup(arguments: &Tune) -> Result<Setup, TuneError> {
    let Some(path) = &arguments.setup else { return Ok(Setup::default()) };
    let wrong =
        |why: String, meant: Option<&str>| TuneError::Setup(path.clone(), why, meant.map(str::to_owned));
    let text = std::fs::read_to_string(path).map_err(|why| wrong(why.to_string(), None))?;
    let steps = || STEPS.iter().map(|kind| kind.name).chain(UNPROVEN.iter().map(|(name, ..)| *name));
    let known: Vec<&str> = steps().collect();
    let setup = setup::parse(&text, &known).map_err(|why| match &why {
        setup::SetupError::Unknown { name, .. } => {
            let all = steps().chain(openmpc::NAMES.iter().map(|row| row.name));
            wrong(why.to_string(), closest(name, all))
        }
        _ => wrong(why.to_string(), None),
    })?;
    setup.notes.iter().for_each(|note| eprintln!("accl: note: {note}"));
    Ok(setup)
}

pub fn run(arguments: &Tune, setup: &Setup, space: &[Tunable], limits: &DeviceLimits) -> Result<u8> {
    let cannot = |path: &Path, why| TuneError::Write(path.to_owned(), why);
    let kernels: Vec<TunableKernel> = space.iter().map(|tunable| tunable.pruned(setup, limits).0).collect();
    if let Some(path) = &arguments.extract {
        let text = match path.extension().is_some_and(|suffix| suffix == "json") {
            true => format!("{:#}\n", schedules(&kernels)),
            false => parameters(space, setup, limits),
        };
        std::fs::write(path, text).map_err(|why| cannot(path, why))?;
    }
    if let Some(dir) = &arguments.generate {
        let options: Vec<&str> = approved(setup).map(|(_, option, _)| *option).collect();
        let all = match arguments.level {
            TuningLevel::Kernel => kernels.clone(),
            TuningLevel::Program => vec![level::joined(&kernels)],
        };
        std::fs::create_dir_all(dir).map_err(|why| cannot(dir, why))?;
        for kernel in &all {
            generate(dir, kernel, &options).map_err(|why| cannot(dir, why))?;
        }
    }
    print!("{}", reduction(space, &kernels));
    Ok(0)
}

/// For programs: every schedule of each kernel with what the cost model sees in it.
fn schedules(kernels: &[TunableKernel]) -> Value {
    let candidate =
        |one: &ScheduleCandidate| json!({"schedule": one.schedule, "model": t4::model(&one.estimate)});
    let kernel = |kernel: &TunableKernel| {
        let all: Vec<Value> = kernel.candidates.iter().map(candidate).collect();
        json!({"kernel": kernel.id, "usual": kernel.usual, "candidates": all})
    };
    let weighed = |(name, constant): &(&str, f64)| json!({"name": name, "constant": constant});
    json!({
        "version": 1,
        "terms": TERMS.iter().map(weighed).collect::<Vec<Value>>(),
        "kernels": kernels.iter().map(kernel).collect::<Vec<Value>>(),
    })
}

pub fn approved(setup: &Setup) -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str)> {
    UNPROVEN.iter().filter(|(name, ..)| setup.approved.iter().any(|own| own == name))
}

/// Every parameter of every kernel, with its values and what it does, and why others do not apply.
fn parameters(space: &[Tunable], setup: &Setup, limits: &DeviceLimits) -> String {
    let mut text =
        format!("# Tuning parameters, for {}. `accl tune --setup FILE` chooses among them.\n", limits.device);
    for tunable in space {
        let (kept, pruned) = tunable.pruned(setup, limits);
        let kernel = &tunable.kernel;
        let _ = writeln!(
            text,
            "\n{}  ({} schedules, {} to measure)",
            kernel.id,
            pruned.schedules,
            kept.candidates.len()
        );
        if tunable.cut {
            text +=
                "  # more combinations than are tried: ranges in the setup file reach none of the others\n";
        }
        for parameter in &kernel.parameters {
            let _ = writeln!(text, "  {} = {}", parameter.name, parameter.values.join(" | "));
        }
        for step in &tunable.steps {
            let _ = match &step.values {
                Ok(values) if values.is_empty() => Ok(()),
                Ok(_) => writeln!(text, "  # {}: applies: {}", step.usage, step.summary),
                Err(why) => writeln!(text, "  # {}: does not: {why}", step.usage),
            };
        }
    }
    text += "\nneeds your word (`approve NAME` in the setup file)\n";
    for (name, option, what) in UNPROVEN {
        let _ = writeln!(text, "  {name}  ({option}): {what}");
    }
    text
}

/// A file for each configuration: `main_12.0003.config`.
fn generate(dir: &Path, kernel: &TunableKernel, options: &[&str]) -> std::io::Result<()> {
    for (at, candidate) in kernel.candidates.iter().enumerate() {
        let count = kernel.candidates.len();
        let mut text = format!("# {}: configuration {} of {count}\n", kernel.id, at + 1);
        options.iter().for_each(|option| text += &format!("{option}\n"));
        text += &level::lines_of(&kernel.id, &candidate.schedule);
        std::fs::write(dir.join(format!("{}.{:04}.config", file_name(&kernel.id), at + 1)), text)?;
    }
    Ok(())
}

/// Configurations before and after pruning.
fn reduction(space: &[Tunable], kept: &[TunableKernel]) -> String {
    let mut text =
        format!("{:<32} {:>14} {:>14} {:>14}\n", "configurations", "all", "after pruning", "reduction (%)");
    for (tunable, kept) in space.iter().zip(kept) {
        let (before, after) = (tunable.unpruned(), kept.candidates.len());
        let percent = 100.0 * (1.0 - after as f64 / before);
        let _ = writeln!(text, "{:<32} {before:>14.0} {after:>14} {percent:>14.4}", tunable.kernel.id);
    }
    // All kernels have the same values: there are as many as those of the kernel with the most.
    let before = space.iter().map(Tunable::unpruned).fold(1.0, f64::max);
    let after = level::joined(kept).candidates.len();
    let percent = 100.0 * (1.0 - after as f64 / before);
    let _ = writeln!(text, "{:<32} {before:>14.0} {after:>14} {percent:>14.4}", "program (--level program)");
    text
}
