//! `--train ARGUMENTS`: what is found with a training input, run with the arguments that count, beside what is found with these.
//!
//! Paper 002 calls the first ProfT, tuning by profiles, and the second UAT, tuning with the user's help: what the setup file approves
//! is tried for the second alone. How far they are apart says whether the best schedules depend on the input.

use super::errors::TuneError;
use super::executable::{Executable, Way};
use super::{Tune, confirm, kernels_of, measure, reference, settings};
use super::{spaces, spaces::Tunable};
use crate::cc::Session;
use accl_tuner::journal::Journal;
use accl_tuner::program::{ProgramRun, TunedProgram};
use accl_tuner::search::{Objective, TuningSearch, median, seconds};
use accl_tuner::setup::Setup;
use anyhow::Result;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Schedules by kernel.
type Schedules = Vec<(String, String)>;

/// The schedules that are found with the training input. `results`: where measurements are kept. `end`: when the time for it is over.
pub fn schedules(
    arguments: &Tune,
    input: &str,
    end: Option<Instant>,
    session: &Session,
    space: &[Tunable],
    results: &Path,
    stop: &AtomicBool,
) -> Result<Schedules> {
    let words = input.split_whitespace().map(str::to_owned).collect();
    let program = Executable::new(Way::sources(session, arguments, words), arguments)?;
    let mut settings = settings(arguments, end);
    let reference = reference(&program, &settings)?;
    settings.keep_time_to_compare(reference.run.seconds);
    let mut journal = Journal::open(results, &program.key(&reference)?).map_err(TuneError::from)?;
    // What needs the user's word is not tried.
    let limits = spaces::limits(session, &reference.run.device);
    let (kernels, _) = kernels_of(arguments, space, &Setup::default(), &limits, &reference)?;
    let search = TuningSearch {
        program: &program,
        kernels: &kernels,
        settings: &settings,
        reference: &reference,
        stop,
    };
    let (mut found, ..) = measure(&search, &mut journal, arguments)?;
    confirm(&search, &mut found);
    Ok(search.chosen(&found))
}

/// Both beside each other and beside the program as it was, with the arguments that count. `tuned`: the program that was built.
pub fn compared(
    search: &TuningSearch<'_>,
    program: &Executable,
    input: &str,
    trained: &Schedules,
    tuned: &Path,
) -> Result<String, TuneError> {
    let failed = |why: accl_tuner::program::Failure| TuneError::Failed(why.to_string());
    let options = program.options();
    program.set_options(vec![]);
    let with_training = program.build(trained);
    program.set_options(options);
    let with_training = with_training.map_err(failed)?;
    let executables = [search.reference.executable.as_path(), with_training.as_path(), tuned];
    let mut times = [vec![], vec![], vec![]];
    // Device code is compiled in the first round, which does not count.
    for round in (0..).take_while(|round| *round == 0 || search.compares_further(round - 1)) {
        for (executable, times) in executables.iter().zip(&mut times) {
            let run = match search.checked(executable) {
                Ok(run) => run,
                Err(why) if *executable == with_training => {
                    return Ok(format!(
                        "Tuned with `{input}` (ProfT) the program fails with these arguments: {why}\n"
                    ));
                }
                Err(why) => return Err(failed(why)),
            };
            times.extend((round > 0).then(|| total(search, &run)));
        }
    }
    let [was, profiled, assisted] = times.map(|times| median(&times) * 1e3);
    let unit = if search.reference.run.energy.is_some() { Objective::Energy } else { Objective::Time }.unit();
    Ok(format!(
        "With these arguments the program as it was takes {was:.4} {unit},\n  tuned with `{input}` (ProfT) {profiled:.4} {unit}, {:.2} times \
         as fast,\n  tuned with them (UAT) {assisted:.4} {unit}, {:.2} times as fast:\n  the training input costs {:.1}%\n",
        was / profiled,
        was / assisted,
        100.0 * (profiled / assisted - 1.0)
    ))
}

/// Of all kernels that are tuned, or of the whole run.
fn total(search: &TuningSearch<'_>, run: &ProgramRun) -> f64 {
    let mut places: Vec<_> = search.kernels.iter().map(|kernel| &kernel.launched).collect();
    places.sort();
    places.dedup();
    places.into_iter().filter_map(|place| seconds(run, place)).sum()
}
