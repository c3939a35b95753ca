//! Counts results and reports them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// One thing to check. `Err` holds what went wrong, in lines for the terminal.
pub struct Check<'a> {
    pub name: String,
    pub run: Box<dyn Fn() -> Result<(), String> + Send + Sync + 'a>,
}

impl<'a> Check<'a> {
    pub fn new(
        name: impl Into<String>,
        run: impl Fn() -> Result<(), String> + Send + Sync + 'a,
    ) -> Check<'a> {
        Check { name: name.into(), run: Box::new(run) }
    }
}

pub struct Report {
    passed: usize,
    failed: Vec<String>,
    start: Instant,
    /// Section by section: name, passed, failed, time.
    sections: Vec<(String, usize, usize, Duration)>,
}

/// Longer explanations are cut in the middle.
const MAX_LINES: usize = 40;
/// Checks that take longer are named, so many in a section.
const SLOW: Duration = Duration::from_secs(5);
const SHOWN: usize = 12;

impl Report {
    pub fn new() -> Report {
        Report { passed: 0, failed: vec![], start: Instant::now(), sections: vec![] }
    }

    /// Runs the checks on all cores, in order of their names as far as that goes.
    pub fn section(&mut self, title: &str, checks: Vec<Check<'_>>) {
        let start = Instant::now();
        let next = AtomicUsize::new(0);
        let failures: Mutex<Vec<(usize, String)>> = Mutex::new(vec![]);
        let times: Mutex<Vec<(Duration, &str)>> = Mutex::new(vec![]);
        let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8);
        std::thread::scope(|scope| {
            for _ in 0..threads.min(checks.len()) {
                scope.spawn(|| {
                    while let Some(check) = checks.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let start = Instant::now();
                        let result = (check.run)();
                        times.lock().unwrap_or_else(|e| e.into_inner()).push((start.elapsed(), &check.name));
                        if let Err(why) = result {
                            println!("FAIL {title}: {}\n{}", check.name, indented(&why));
                            let mut failures = failures.lock().unwrap_or_else(|e| e.into_inner());
                            let index = checks.iter().position(|c| c.name == check.name).unwrap_or(0);
                            failures.push((index, format!("{title}: {}", check.name)));
                        }
                    }
                });
            }
        });
        let mut failures = failures.into_inner().unwrap_or_else(|e| e.into_inner());
        failures.sort();
        let failed = failures.len();
        self.failed.extend(failures.into_iter().map(|(_, name)| name));
        self.count(title, checks.len() - failed, failed, start.elapsed());
        let mut times = times.into_inner().unwrap_or_else(|e| e.into_inner());
        times.sort_by(|a, b| b.cmp(a));
        let slow = times.iter().take_while(|(time, _)| *time >= SLOW).take(SHOWN);
        let slow: Vec<_> = slow.map(|(time, name)| format!("{name} {:.0} s", time.as_secs_f64())).collect();
        if !slow.is_empty() {
            println!("    slowest: {}", slow.join(", "));
        }
    }

    /// Adds the results that another program counted. Its failures are listed under its name.
    pub fn add(&mut self, title: &str, passed: usize, failed: Vec<String>, time: Duration) {
        let count = failed.len();
        self.failed.extend(failed);
        self.count(title, passed, count, time);
    }

    fn count(&mut self, title: &str, passed: usize, failed: usize, time: Duration) {
        self.passed += passed;
        println!("{title}: {passed} passed, {failed} failed in {:.1} s", time.as_secs_f64());
        self.sections.push((title.to_owned(), passed, failed, time));
    }

    /// Prints the summary and the last line; true if nothing failed.
    pub fn finish(self) -> bool {
        println!();
        for (title, passed, failed, time) in &self.sections {
            println!("{title:<28} {passed:>5} passed {failed:>4} failed {:>7.1} s", time.as_secs_f64());
        }
        println!("{:<28} {:>32.1} s", "all", self.start.elapsed().as_secs_f64());
        for name in &self.failed {
            println!("failed: {name}");
        }
        println!("{} passed, {} failed", self.passed, self.failed.len());
        self.failed.is_empty()
    }
}

fn indented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let shown: Vec<String> = if lines.len() > MAX_LINES {
        let half = MAX_LINES / 2;
        let cut = format!("    … {} lines …", lines.len() - 2 * half);
        let part = |lines: &[&str]| lines.iter().map(|l| format!("    {l}")).collect::<Vec<_>>();
        [part(&lines[..half]), vec![cut], part(&lines[lines.len() - half..])].concat()
    } else {
        lines.iter().map(|l| format!("    {l}")).collect()
    };
    shown.join("\n")
}
