//! Options that are not proven to leave results as they are, where the user approves them: each is tried with what was found, and
//! kept where the program is faster and prints the same.

use super::executable::Executable;
use super::extract::approved;
use accl_tuner::program::{Failure, ProgramRun, TunedProgram};
use accl_tuner::search::{KernelFindings, TuningSearch, is_faster};
use accl_tuner::setup::Setup;
use std::path::Path;

pub fn try_all(
    search: &TuningSearch<'_>,
    program: &Executable,
    found: &[KernelFindings],
    setup: &Setup,
) -> Result<(), Failure> {
    let schedules = search.chosen(found);
    for (name, option, _) in approved(setup) {
        let without = program.build(&schedules)?;
        let options = program.options();
        program.set_options(options.iter().copied().chain([*option]).collect());
        let is_better = program.build(&schedules).and_then(|with| is_better(search, &without, &with));
        if let Err(why) = &is_better {
            eprintln!("accl: note: {name} is left out: {why}");
        }
        if !is_better.unwrap_or(false) {
            program.set_options(options);
        }
    }
    Ok(())
}

fn is_better(search: &TuningSearch<'_>, without: &Path, with: &Path) -> Result<bool, Failure> {
    let total = |run: &ProgramRun| {
        let whole = run.kernels.iter().filter(|(place, _)| place.kernel.is_none());
        whole.map(|(_, launches)| launches.seconds).sum()
    };
    let mut times = KernelFindings::default();
    for (before, after) in search.side_by_side(without, with, &mut |_| {})? {
        times.before.push(total(&before));
        times.after.push(total(&after));
    }
    Ok(is_faster(&times))
}
