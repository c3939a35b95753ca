//! The conformance suite: each program compiled once, then run on every device.
//!
//! The programs check their own results; this checks, by `ACCL_NOTIFY`, that what should run on the
//! device did, and that nothing more than needed was copied.

use super::header::Expectation;
use super::{Check, Context, DEVICES, Header, Report};
use crate::{paths, run};
use anyhow::Result;
use regex_lite::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const COMPILE_LIMIT: Duration = Duration::from_secs(120);
const RUN_LIMIT: Duration = Duration::from_secs(100);

/// A program of the suite.
#[derive(Clone, Debug)]
pub struct Program {
    pub source: PathBuf,
    pub name: String,
    pub header: Header,
}

impl Program {
    /// All programs of `tests/conformance`, sorted; those of its folders have the folder's name before theirs.
    pub fn all() -> Vec<Program> {
        let dir = paths::root().join("tests/conformance");
        let in_folder = |dir: &Path, before: &str| -> Vec<Program> {
            let files = paths::files_in(dir, &["c", "cpp", "cc"]).into_iter();
            let program = |f: PathBuf| Program {
                name: format!("{before}{}", paths::stem(&f)),
                header: Header::read(&f),
                source: f,
            };
            files.map(program).collect()
        };
        let mut all = in_folder(&dir, "");
        all.extend(in_folder(&dir.join("omp"), "omp_"));
        all.extend(in_folder(&dir.join("openmpc"), "openmpc_"));
        all
    }

    fn is_openmp(&self) -> bool {
        self.name.starts_with("omp_")
    }

    fn is_openmpc(&self) -> bool {
        self.name.starts_with("openmpc_")
    }

    pub fn is_cxx(&self) -> bool {
        self.source.extension().is_some_and(|e| e != "c")
    }

    /// `// devices: cpu cuda` names the devices that can run it; without it all can.
    pub fn is_for(&self, device: &str) -> bool {
        !self.header.has("devices") || self.header.words("devices").iter().any(|d| d == device)
    }

    /// Gold links in half of the usual linker's time, but has no scripts that extend its own, as layouts of data need them.
    fn suits_gold(&self) -> bool {
        let has_layout = |flag: &String| flag.starts_with("-mcmodel") || flag == "-gpu=autodata";
        !self.is_openmpc() && !self.header.words("flags").iter().any(has_layout)
    }

    /// The words for `accl` that compile it into `executable`.
    pub fn compile_words(&self, executable: &Path, keep: Option<&Path>) -> Vec<String> {
        // On the cpu device windows are tested; benchmarks run without.
        let command = if self.is_cxx() { "c++" } else { "cc" };
        let mut words = [command, "-O1", "--check"].map(str::to_owned).to_vec();
        words.extend(self.is_openmp().then(|| "-fopenmp".to_owned()));
        words.extend(self.is_openmpc().then(|| "-fopenmpc".to_owned()));
        words.extend(self.header.words("flags"));
        words.extend(self.header.has("expect-remark").then(|| "-Minfo=accel".to_owned()));
        words.extend(keep.iter().flat_map(|dir| ["--keep".to_owned(), dir.display().to_string()]));
        words.push(self.source.display().to_string());
        words.extend(
            self.header.words("sources").iter().map(|s| self.source.with_file_name(s).display().to_string()),
        );
        words.extend(["-o".to_owned(), executable.display().to_string(), "-lm".to_owned()]);
        words
    }
}

pub fn run(context: &Context, report: &mut Report) -> Result<()> {
    let dir = paths::work_dir("conformance")?;
    let programs: Vec<Program> =
        Program::all().into_iter().filter(|p| context.options.wants_program(&p.name)).collect();
    let compile = programs.iter().map(|program| {
        let dir = dir.join(&program.name);
        Check::new(&program.name, move || compile(context, program, &dir))
    });
    report.section("conformance: compile", compile.collect());
    for device in DEVICES.iter().filter(|d| context.options.wants_device(d)) {
        let compiled = programs.iter().filter(|p| executable(&dir, p).is_file() && p.is_for(device));
        let checks = compiled.map(|program| {
            let executable = executable(&dir, program);
            Check::new(&program.name, move || check(program, &executable, device))
        });
        report.section(&format!("conformance: {device}"), checks.collect());
    }
    Ok(())
}

fn executable(dir: &Path, program: &Program) -> PathBuf {
    dir.join(&program.name).join("program")
}

fn compile(context: &Context, program: &Program, dir: &Path) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|e| e.to_string())?;
    let mut words = program.compile_words(&dir.join("program"), Some(dir));
    words.extend((context.has_gold && program.suits_gold()).then(|| "-fuse-ld=gold".to_owned()));
    let result = run::capture(context.accl().args(words), COMPILE_LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code != 0 {
        return Err(result.text());
    }
    let missing = unmatched(&program.header, "expect-remark", &result.stderr);
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n")) }
}

/// Patterns of the header's `key` that no line of the text matches.
fn unmatched(header: &Header, key: &str, text: &str) -> Vec<String> {
    let check = |pattern: &str| match Regex::new(pattern) {
        Ok(regex) if text.lines().any(|line| regex.is_match(line)) => None,
        Ok(_) => Some(format!("{key}: no line of standard error matches: {pattern}")),
        Err(error) => Some(format!("{key}: {error}")),
    };
    header.all(key).filter_map(check).collect()
}

/// Sets what every test run has: separate memory, all notes, a fixed number of threads.
pub fn device_environment(command: &mut Command, device: &str) {
    command
        .env("ACC_DEVICE_TYPE", device)
        .env("ACCL_CPU_MEMORY", "separate")
        .env("ACCL_NOTIFY", "3")
        .env("ACCL_DEVICE_CHOICE", "never")
        .env("POCL_CACHE_DIR", paths::target("xtask").join("pocl"))
        .env("ACCL_CACHE_DIR", paths::target("xtask").join("cache"))
        .env_remove("ACC_DEVICE_NUM");
}

fn check(program: &Program, executable: &Path, device: &str) -> Result<(), String> {
    // What stays with the host's threads has to be right with one of them, and with several.
    let threads: &[Option<&str>] = if program.is_openmpc() { &[Some("1"), Some("4")] } else { &[None] };
    threads.iter().try_for_each(|threads| check_with(program, executable, device, *threads))
}

fn check_with(
    program: &Program,
    executable: &Path,
    device: &str,
    threads: Option<&str>,
) -> Result<(), String> {
    let mut command = Command::new(executable);
    command.args(program.header.words("args"));
    command.current_dir(executable.parent().unwrap_or(Path::new(".")));
    device_environment(&mut command, device);
    command.envs(threads.map(|number| ("OMP_NUM_THREADS", number)));
    // PoCL takes ten times as long to optimise a kernel as to make it; benchmarks run optimised.
    command.env("ACCL_OPENCL_OPTIONS", "-cl-opt-disable").envs(program.header.pairs("env"));
    let mut result = run::capture(&mut command, RUN_LIMIT).map_err(|e| format!("{e:#}"))?;
    // PoCL's own threads now and then crash on a loaded machine (exit code 139): only that is tried again, once.
    if device == "opencl" && result.code == 139 {
        result = run::capture(&mut command, RUN_LIMIT).map_err(|e| format!("{e:#}"))?;
    }
    let wrong = judge(program, &result);
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n{}", wrong.join("\n"), without_notes(&result.text())))
}

/// What disagrees with the header of the program.
fn judge(program: &Program, result: &run::Captured) -> Vec<String> {
    let header = &program.header;
    let mut wrong = vec![];
    let expected = header.get("expect-exit").unwrap_or("0");
    let fits = match expected {
        "nonzero" => result.code != 0,
        number => number.parse() == Ok(result.code),
    };
    if !fits {
        wrong.push(format!("expected exit status {expected}, seen {}", result.code));
    }
    if expected == "0" && result.code == 0 && !result.stdout.lines().any(|l| l == "PASS") {
        wrong.push("it did not print PASS".to_owned());
    }
    for expectations in header.all("expect").map(Expectation::parse_all) {
        match expectations {
            Ok(all) => wrong.extend(all.iter().filter_map(|expectation| {
                let seen = notify_counts(&result.stderr, &expectation.what);
                expectation.check(seen).err()
            })),
            Err(why) => wrong.push(why),
        }
    }
    wrong.extend(unmatched(header, "expect-stderr", &result.stderr));
    wrong
}

/// Counts the notes on standard error: "launches" are the lines that begin with "launch ", and "fallbacks" those launches that
/// took the version of their kernel for arrays that overlap.
pub fn notify_counts(stderr: &str, what: &str) -> usize {
    let (start, end) = match what {
        "launches" => ("launch ", ""),
        "fallbacks" => ("launch ", " variant=fallback"),
        "uploads" => ("upload ", ""),
        "downloads" => ("download ", ""),
        other => (other, ""),
    };
    stderr.lines().filter(|line| line.starts_with(start) && line.ends_with(end)).count()
}

/// Thousands of identical notes hide the message.
fn without_notes(text: &str) -> String {
    let mut shown = 0;
    let lines = text.lines().filter(|line| {
        let note = ["launch ", "upload ", "download "].iter().any(|s| line.starts_with(s));
        shown += usize::from(note);
        !note || shown <= 12
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::Program;

    #[test]
    fn each_number_is_given_once() {
        let names: Vec<String> = Program::all().into_iter().map(|p| p.name).collect();
        for pair in names.windows(2) {
            // `omp_002_levels` is number 002 of its folder.
            let number = |name: &str| {
                let folder = ["omp_", "openmpc_"].into_iter().find(|folder| name.starts_with(folder));
                let (folder, name) = name.split_at(folder.map_or(0, str::len));
                format!("{folder}{}", name.split('_').next().unwrap_or_default())
            };
            assert_ne!(number(&pair[0]), number(&pair[1]), "{} and {}", pair[0], pair[1]);
        }
    }
}
