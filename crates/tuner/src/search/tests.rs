//! A search on a program that exists as a table alone.

use super::*;
use crate::program::Launches;
use crate::space::tests::kernel;
use crate::strategy;
use std::path::Path;

/// Seconds by the schedule's text; some give other results or do not end.
struct TableProgram {
    built: Mutex<Vec<PathBuf>>,
}

impl TunedProgram for TableProgram {
    fn build(&self, schedules: &[(String, String)]) -> Result<PathBuf, Failure> {
        let names: Vec<&str> = schedules.iter().map(|(_, schedule)| schedule.as_str()).collect();
        if names.contains(&"block=3") {
            return Err(Failure::Compile("no".into()));
        }
        let path = PathBuf::from(names.join("+"));
        self.built.lock().unwrap().push(path.clone());
        Ok(path)
    }

    fn run(&self, executable: &Path, _: Duration) -> Result<ProgramRun, Failure> {
        let text = executable.display().to_string();
        if text.contains("block=5") {
            return Err(Failure::Timeout);
        }
        let output = if text.contains("block=4") { "sum 2\n" } else { "sum 1\n" };
        let seconds = if text.contains("block=2") || text.contains("block=4") { 0.5 } else { 1.0 };
        let launches = Launches { count: 1, seconds, ..Launches::default() };
        let place = Place { function: "f".into(), line: 1, kernel: None };
        Ok(ProgramRun {
            seconds: 1.0,
            output: output.into(),
            kernels: [(place, launches)].into(),
            ..ProgramRun::default()
        })
    }

    fn discard(&self, executable: &Path) {
        self.built.lock().unwrap().retain(|path| path != executable);
    }
}

fn tuned(schedules: &[&str], journal: &Path) -> (Vec<KernelFindings>, End, usize) {
    tuned_until(None, schedules, journal)
}

fn tuned_until(
    end: Option<Instant>,
    schedules: &[&str],
    journal: &Path,
) -> (Vec<KernelFindings>, End, usize) {
    let program = TableProgram { built: Mutex::default() };
    let kernels = [kernel(schedules)];
    let settings = Settings {
        repeats: 3,
        tolerance: 0.0,
        ignored: vec![],
        end,
        deadline: None,
        builders: 2,
        limit: 10.0,
    };
    let executable = PathBuf::from("plain");
    let run = program.run(&executable, Duration::ZERO).unwrap();
    let reference = UntunedProgram { executable, run };
    let stop = AtomicBool::new(false);
    let search = TuningSearch {
        program: &program,
        kernels: &kernels,
        settings: &settings,
        reference: &reference,
        stop: &stop,
    };
    let strategy = strategy::named("exhaustive", kernels[0].candidates.len()).unwrap();
    let mut engines = [Engine::new(strategy, &kernels[0], 1, usize::MAX)];
    let mut journal = Journal::open(journal, "k").unwrap();
    let (mut found, end) = search.run(&mut engines, &mut journal, &mut |_| {});
    search.confirm(&mut found, &mut |_| {});
    let left = program.built.lock().unwrap().len();
    (found, end, left)
}

#[test]
fn the_best_right_candidate_is_kept_and_the_wrong_ones_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let journal = dir.path().join("j");
    let all = ["block=1", "block=2", "block=3", "block=4", "block=5"];
    let (found, end, left) = tuned(&all, &journal);
    assert_eq!((found[0].best, end), (Some(1), End::Done));
    assert_eq!((found[0].before.len(), left), (5, 0));
    let failure = |at: usize| found[0].measured[at].result.clone().unwrap_err();
    assert_eq!(failure(2), Failure::Compile("no".into()));
    assert_eq!(failure(3), Failure::Wrong("line 1 is `sum 2` instead of `sum 1`".into()));
    assert_eq!(failure(4), Failure::Timeout);
    assert_eq!((median(&found[0].before), median(&found[0].after)), (1.0, 0.5));

    // The same search goes on with what is known.
    let (found, _, _) = tuned(&all, &journal);
    assert!(found[0].measured.iter().all(|measured| measured.known));
    assert_eq!(found[0].best, Some(1));
}

#[test]
fn what_is_no_faster_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let (found, _, left) = tuned(&["block=1", "block=6"], &dir.path().join("j"));
    assert_eq!((found[0].best, left), (None, 0));
}

#[test]
fn the_budget_has_time_for_the_comparison_at_the_end() {
    let end = Instant::now() + Duration::from_secs(1000);
    let ignored = vec![];
    let mut settings = Settings {
        repeats: 3,
        tolerance: 0.0,
        ignored,
        end: Some(end),
        deadline: Some(end),
        builders: 2,
        limit: 10.0,
    };
    // Five pairs, a run that does not count, and one of what is built at the end.
    settings.keep_time_to_compare(2.0);
    assert_eq!(settings.deadline, Some(end - Duration::from_secs(24)));
    // Half of the time is for measuring, however long a run takes.
    settings.keep_time_to_compare(1e6);
    let kept = end - settings.deadline.unwrap();
    assert!(kept > Duration::from_secs(490) && kept <= Duration::from_secs(500), "{kept:?}");

    // When the budget is used up, three pairs are compared.
    let dir = tempfile::tempdir().unwrap();
    let (found, ..) = tuned_until(Some(Instant::now()), &["block=2"], &dir.path().join("j"));
    assert_eq!((found[0].best, found[0].before.len()), (Some(0), 3));
}

#[test]
fn medians_and_what_is_faster() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&[4.0, 1.0]), 2.5);
    assert_eq!(median(&[]), f64::INFINITY);
    let found = |before: &[f64], after: &[f64]| KernelFindings {
        before: before.into(),
        after: after.into(),
        ..KernelFindings::default()
    };
    assert!(is_faster(&found(&[1.0, 1.0, 1.0], &[0.9, 0.9, 0.9])));
    // The runs differ by more than the gain.
    assert!(!is_faster(&found(&[1.0, 1.4, 0.7], &[0.9, 0.9, 0.9])));
}
