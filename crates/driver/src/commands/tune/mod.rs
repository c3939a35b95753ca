//! `accl tune program.c -O3 -o program -- ARGUMENTS`: builds the program with the fastest schedules found by measuring.
//!
//! 1. Which schedules the kernels can have is asked of the compiler ([`spaces`]).
//! 2. The program is built and run as it is ([`executable`]): its output is what every other run must give.
//! 3. The search measures candidates (`accl_tuner::search`), each in a process of its own.
//! 4. What is faster goes into a file that `-gpu=schedule:FILE` reads, and the program is built with it ([`report`]).

mod arguments;
mod build;
mod errors;
mod executable;
mod extract;
mod pack;
mod report;
mod settings;
mod spaces;
mod train;
mod wisdom;

pub use arguments::Tune;
pub use errors::TuneError;

use crate::cc::Session;
use crate::invocation::{Front, Mode, UsageError};
use accl_tuner::compare::difference;
use accl_tuner::journal::Journal;
use accl_tuner::program::{MeasuredDevice, TunedProgram};
use accl_tuner::prune::DeviceLimits;
use accl_tuner::replay::Replayed;
use accl_tuner::search::{End, KernelFindings, Progress, Settings, TuningSearch, UntunedProgram};
use accl_tuner::setup::Setup;
use accl_tuner::space::TunableKernel;
use accl_tuner::strategy::{self, Engine};
use accl_tuner::{html, level};
use anyhow::Result;
use arguments::TuningLevel;
use build::UserBuild;
use executable::{Executable, Way};
use spaces::Tunable;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// `given`: what the program is run with, behind `--`.
pub fn run(arguments: &Tune, given: Vec<String>) -> Result<u8> {
    if !strategy::NAMES.contains(&arguments.strategy.as_str()) {
        let names = strategy::NAMES.join(", ");
        let text = format!(
            "unknown strategy '{}': there are {names}; --engine COMMAND lets another program choose",
            arguments.strategy
        );
        return Err(UsageError(text).into());
    }
    let started = Instant::now();
    let setup = extract::setup(arguments)?;
    let Subject { program, space, session, output } = subject(arguments, given)?;
    let beside = |suffix: &str| PathBuf::from(format!("{}.{suffix}", output.display()));
    if arguments.extract.is_some() || arguments.generate.is_some() {
        return extract::run(
            arguments,
            &setup,
            &space,
            &spaces::limits(&session, &MeasuredDevice::default()),
        );
    }
    if let Some(dir) = &arguments.pack {
        let limits = spaces::limits(&session, &MeasuredDevice::default());
        let kernels: Vec<TunableKernel> = space.iter().map(|t| t.pruned(&setup, &limits).0).collect();
        return pack::run(dir, &output, &program, &kernels);
    }
    let results = arguments.results.clone().unwrap_or_else(|| beside("tune.jsonl"));
    let end = arguments.budget.map(|budget| started + budget);
    let mut settings = settings(arguments, end);
    if program.user_build().is_some() {
        // It has one folder, in which nothing is built while something runs.
        settings.builders = 0;
    }
    let reference = reference(&program, &settings)?;
    if reference.run.energy.is_some() && reference.run.device.kind != "CUDA" {
        let device = &reference.run.device;
        eprintln!(
            "accl: note: the energy is that of an NVIDIA device; the kernels ran on {} ({})",
            device.name, device.kind
        );
    }
    let mut journal = Journal::open(&results, &program.key(&reference)?).map_err(TuneError::from)?;
    let limits = spaces::limits(&session, &reference.run.device);
    let (kernels, pruned) = kernels_of(arguments, &space, &setup, &limits, &reference)?;
    let stop = stop_on_interrupt()?;
    let trained = match &arguments.train {
        Some(input) => {
            let halfway = end.map(|end| end - end.saturating_duration_since(Instant::now()) / 2);
            let results = beside("train.jsonl");
            Some((input, train::schedules(arguments, input, halfway, &session, &space, &results, &stop)?))
        }
        None => None,
    };
    settings.keep_time_to_compare(reference.run.seconds);
    let search = TuningSearch {
        program: &program,
        kernels: &kernels,
        settings: &settings,
        reference: &reference,
        stop: &stop,
    };
    let (mut found, replayed, end) = measure(&search, &mut journal, arguments)?;
    if let Some(why) = journal.trouble() {
        eprintln!("accl: warning: {why}: what was measured since is used, but not kept");
    }
    if arguments.wisdom {
        print!("{}", wisdom::keep(&search, &program, &replayed, &output)?);
        println!("Measurements are kept in {}", results.display());
        return Ok(0);
    }
    confirm(&search, &mut found);
    settings::try_all(&search, &program, &found, &setup).map_err(|why| TuneError::Failed(why.to_string()))?;
    let schedules = arguments.schedules.clone().unwrap_or_else(|| beside("schedules"));
    let report = report::TuningReport {
        kernels: &kernels,
        pruned: &pruned,
        found: &found,
        reference: &reference,
        limits: &limits,
        options: &program.options(),
        by_runs: &replayed.refused,
        objective: arguments.objective(),
        details: arguments.details,
    };
    let any = found.iter().any(|found| found.best.is_some()) || !report.options.is_empty();
    if any {
        std::fs::write(&schedules, report.schedules())
            .map_err(|why| TuneError::Write(schedules.clone(), why))?;
    }
    if let Some(dir) = &arguments.t4 {
        report::write_t4(dir, &kernels, &found, &arguments.words, arguments.objective())?;
    }
    if let Some(file) = &arguments.html {
        let title = format!("{} on {}", output.display(), reference.run.device.name);
        let page = html::page(&title, &kernels, &found, arguments.objective());
        std::fs::write(file, page).map_err(|why| TuneError::Write(file.clone(), why))?;
    }
    let built = program.build_final(&output, any.then_some(schedules.as_path()))?;
    if let Err(why) = verify(&search, &built) {
        program.set_options(vec![]);
        program.build_final(&output, None)?;
        return Err(why.into());
    }
    print!("{}", report.text(&output, any.then_some(schedules.as_path()), &results, end));
    if let Some((input, trained)) = &trained {
        print!("{}", train::compared(&search, &program, input, trained, &built)?);
    }
    Ok(0)
}

/// The kernels that the program launches, with the candidates that may be the best, and why others are not.
fn kernels_of(
    arguments: &Tune,
    space: &[Tunable],
    setup: &Setup,
    limits: &DeviceLimits,
    reference: &UntunedProgram,
) -> Result<(Vec<TunableKernel>, Vec<report::PruningReport>), TuneError> {
    let launched = |tunable: &&Tunable| reference.run.kernels.contains_key(&tunable.kernel.launched);
    let (mut kernels, pruned): (Vec<TunableKernel>, Vec<report::PruningReport>) =
        space.iter().filter(launched).map(|tunable| tunable.pruned(setup, limits)).unzip();
    if kernels.is_empty() {
        return Err(TuneError::NoLaunches);
    }
    if arguments.level() == TuningLevel::Program {
        kernels = vec![level::joined(&kernels)];
    }
    Ok((kernels, pruned))
}

/// What is tuned.
struct Subject {
    program: Executable,
    space: Vec<Tunable>,
    session: Session,
    /// The executable that is wanted, after which files are named.
    output: PathBuf,
}

fn subject(arguments: &Tune, given: Vec<String>) -> Result<Subject> {
    let (program, mut sessions) = match arguments.words.is_empty() {
        false => {
            let session = session(&arguments.words)?;
            let way = Way::sources(&session, arguments, given);
            (Executable::new(way, arguments)?, vec![(std::env::current_dir()?, session)])
        }
        true if given.is_empty() => {
            return Err(UsageError(
                "name sources, or a command that builds the program and runs it, behind `--`".to_owned(),
            )
            .into());
        }
        true if arguments.wisdom || arguments.pack.is_some() || arguments.train.is_some() => {
            return Err(UsageError(
                "--wisdom, --pack and --train are for programs whose sources are named".to_owned(),
            )
            .into());
        }
        true => {
            let program = Executable::new(Way::Build(UserBuild::new(given)), arguments)?;
            let first = program.build(&[]).map_err(|why| TuneError::Failed(why.to_string()))?;
            let sessions = build::sessions(&first)?;
            (program, sessions)
        }
    };
    let space = spaces::of_program(&mut sessions)?;
    if space.is_empty() {
        return Err(TuneError::NoKernels.into());
    }
    let (_, session) = sessions.swap_remove(0);
    let named = match program.user_build() {
        Some(build) => build.name(),
        None => session.invocation.output.clone(),
    };
    Ok(Subject { program, space, session, output: named.unwrap_or_else(|| "a.out".into()) })
}

/// As `accl cc`, or `accl c++` where a source is C++.
fn session(words: &[String]) -> Result<Session> {
    let mut session = Session::new(Front::C, words.to_vec())?;
    if session.invocation.sources().any(|(_, language)| language.is_cxx()) {
        session = Session::new(Front::Cxx, words.to_vec())?;
    }
    if session.invocation.mode != Mode::Link {
        return Err(UsageError("a whole program is tuned: without -c, -S and -E".to_owned()).into());
    }
    session.invocation.acc.list_spaces = true;
    Ok(session)
}

/// `end`: when the budget is used up.
fn settings(arguments: &Tune, end: Option<Instant>) -> Settings {
    Settings {
        repeats: arguments.repeats,
        tolerance: arguments.tolerance,
        ignored: arguments.ignore.clone(),
        end,
        deadline: end,
        builders: arguments.jobs.max(1),
        limit: 10.0,
    }
}

/// The program as it is. It is run twice: device code is compiled in the first run, and what it prints must be the same.
fn reference(program: &Executable, settings: &Settings) -> Result<UntunedProgram, TuneError> {
    let failed = |why: accl_tuner::program::Failure| TuneError::Failed(why.to_string());
    let executable = program.build(&[]).map_err(failed)?;
    let limit = Duration::from_secs(3600);
    let first = program.run(&executable, limit).map_err(failed)?;
    let run = program.run(&executable, limit).map_err(failed)?;
    if let Some(what) = difference(&first.output, &run.output, settings.tolerance, &settings.ignored) {
        return Err(TuneError::Differs(what));
    }
    if run.kernels.is_empty() {
        return Err(TuneError::NoLaunches);
    }
    if run.device.kind == "CPU" {
        return Err(TuneError::OnCpu);
    }
    Ok(UntunedProgram { executable, run })
}

/// Measures the kernels: by replay where they can be, else by running the program with each candidate. Also says which could not be
/// replayed, and why.
fn measure(
    search: &TuningSearch<'_>,
    journal: &mut Journal,
    arguments: &Tune,
) -> Result<(Vec<KernelFindings>, Replayed, End), TuneError> {
    let deadline = search.settings.deadline;
    let mut progress = |progress: &Progress| show(progress, deadline);
    let count = search.kernels.len();
    let mut found = vec![KernelFindings::default(); count];
    let mut outcome = Replayed { refused: vec![Some(String::new()); count], by_class: vec![] };
    if arguments.level() == TuningLevel::Kernel && !arguments.no_replay {
        let mut engines = engines(search.kernels, arguments, BY_REPLAY)?;
        let (replayed, end) = search.replay(&mut engines, journal, &mut found, &mut progress);
        outcome = replayed;
        if end != End::Done {
            clear_progress();
            return Ok((found, outcome, end));
        }
    }
    let left: Vec<usize> = (0..count).filter(|at| outcome.refused[*at].is_some()).collect();
    let kernels: Vec<TunableKernel> = left.iter().map(|at| search.kernels[*at].clone()).collect();
    let mut end = End::Done;
    if !kernels.is_empty() {
        let others = TuningSearch { kernels: &kernels, ..*search };
        let (measured, how) = others.run(&mut engines(&kernels, arguments, 0)?, journal, &mut progress);
        left.iter().zip(measured).for_each(|(at, of)| found[*at] = of);
        end = how;
    }
    clear_progress();
    Ok((found, outcome, end))
}

/// Candidates that `auto` measures all of where one run of the program measures them.
const BY_REPLAY: usize = 64;

/// `all`: so many candidates of a kernel one run measures; up to so many are all measured where the user names no strategy.
fn engines(kernels: &[TunableKernel], arguments: &Tune, all: usize) -> Result<Vec<Engine>, TuneError> {
    let most = arguments.evaluations.unwrap_or(usize::MAX);
    let engine = |kernel: &TunableKernel| {
        let strategy = match &arguments.engine {
            Some(command) => executable::external(command)?,
            None if arguments.strategy == "auto" && kernel.candidates.len() <= all => {
                strategy::named("exhaustive", kernel.candidates.len())
                    .ok_or_else(|| TuneError::Failed("no strategy 'exhaustive'".to_owned()))?
            }
            None => strategy::named(&arguments.strategy, kernel.candidates.len())
                .ok_or_else(|| TuneError::Failed(format!("no strategy '{}'", arguments.strategy)))?,
        };
        let mut engine = Engine::new(strategy, kernel, arguments.seed, most);
        engine.at_once = (all / 4).max(1);
        Ok(engine)
    };
    kernels.iter().map(engine).collect()
}

/// The program that was built gives the same output.
fn verify(search: &TuningSearch<'_>, output: &std::path::Path) -> Result<(), TuneError> {
    search.checked(output).map(|_| ()).map_err(|why| TuneError::Tuned(why.to_string()))
}

/// The first Ctrl-C ends the search, and what was found is used; the second ends the process.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGINT, 130, stop.clone())?;
    signal_hook::flag::register(signal_hook::consts::SIGINT, stop.clone())?;
    Ok(stop)
}

/// What was found, beside the program as it was.
fn confirm(search: &TuningSearch<'_>, found: &mut [KernelFindings]) {
    let pairs = search.settings.pairs();
    search.confirm(found, &mut |done| {
        write_over(&format!("compared with the program as it was: {done} of {pairs} times"));
    });
    clear_progress();
}

fn show(progress: &Progress, deadline: Option<Instant>) {
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()).as_secs());
    let left = left.map(|seconds| format!(", {seconds} s left")).unwrap_or_default();
    let best = 1.0 / progress.best.max(1e-9);
    write_over(&format!("{} measured, best {best:.2} times as fast{left}", progress.measured));
}

/// A line in the place of the one before, on a terminal.
fn write_over(text: &str) {
    let mut error = std::io::stderr();
    if error.is_terminal() {
        let _ = write!(error, "\r\x1b[K{text}");
    }
}

fn clear_progress() {
    write_over("");
}
