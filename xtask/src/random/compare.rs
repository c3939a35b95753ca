//! A program compiled twice and run: by the host's C compiler, which ignores directives, and by `accl`, for every device.
//!
//! Numbers agree within one part in 100,000, since reductions add in another order; everything else agrees as text. Neither
//! compiler joins products and sums, and both let signed integers wrap.

use super::{Kind, Language};
use crate::paths;
use crate::run::{self, Captured};
use crate::test::{Context, by_nvrtc, device_environment};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const COMPILE_LIMIT: Duration = Duration::from_secs(120);
const RUN_LIMIT: Duration = Duration::from_secs(100);
const TOLERANCE: f64 = 1e-5;
pub const BOTH: &[&str] = &["-w", "-fwrapv", "-ffp-contract=off"];

impl Language {
    fn file(self) -> String {
        format!("program{}", self.suffix())
    }

    pub fn suffix(self) -> &'static str {
        match self {
            Language::C => ".c",
            Language::Cxx => ".cpp",
        }
    }

    /// The host's compiler, which ignores directives.
    pub fn compiler(self) -> anyhow::Result<&'static str> {
        let known = match self {
            Language::C => ["gcc", "clang", "cc"],
            Language::Cxx => ["g++", "clang++", "c++"],
        };
        let found = known.into_iter().find(|c| run::has(c));
        found.ok_or_else(|| anyhow::anyhow!("none of {} is installed", known.join(", ")))
    }

    pub fn command(self) -> &'static str {
        match self {
            Language::C => "cc",
            Language::Cxx => "c++",
        }
    }
}

/// `Err` says what differs, or why nothing could be compared. In that case, and always with `--save`, the program
/// stays in `dir`.
pub fn check(context: &Context, kind: &Kind, seed: u64, dir: &Path, devices: &[&str]) -> Result<(), String> {
    let (language, file) = (kind.language, kind.language.file());
    fs::create_dir_all(dir)
        .and_then(|()| fs::write(dir.join(&file), (kind.program)(seed)))
        .map_err(|e| e.to_string())?;
    let compiler = language.compiler().map_err(|e| e.to_string())?;
    let words = [BOTH, &[file.as_str(), "-lm"]].concat();
    let mut reference = Command::new(compiler);
    succeed(reference.args(["-O0", "-o", "reference"]).args(&words).current_dir(dir), COMPILE_LIMIT)?;
    let expected = succeed(Command::new(dir.join("reference")).current_dir(dir), RUN_LIMIT)?.stdout;
    let mut accl = context.accl();
    let targets = if devices.contains(&"cuda") { "-acc=cuda" } else { "-acc=cpu,opencl" };
    succeed(
        accl.args([language.command(), "-O2", targets, "--keep", "kept", "-o", "program"])
            .args(kind.options())
            .args(&words)
            .current_dir(dir),
        COMPILE_LIMIT,
    )?;
    let mut wrong = vec![];
    for device in devices {
        if *device == "cuda" && !run::has("nvidia-smi") {
            // Without a GPU its source is compiled at least; machines that have one run what is packed.
            wrong.extend(by_nvrtc(context, &paths::files_in(&dir.join("kept"), &["cu"])).err());
            continue;
        }
        match on_device(dir, device) {
            Ok(seen) => wrong.extend(differences(&expected, &seen.stdout).map(|d| format!("{device}: {d}"))),
            Err(why) => wrong.push(format!("{device}: {why}")),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    if context.options.save { Ok(()) } else { fs::remove_dir_all(dir).map_err(|e| e.to_string()) }
}

fn succeed(command: &mut Command, limit: Duration) -> Result<Captured, String> {
    let result = run::capture(command, limit).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 {
        return Ok(result);
    }
    Err(format!("{:?}: exit status {}\n{}", command.get_program(), result.code, result.stderr))
}

fn on_device(dir: &Path, device: &str) -> Result<Captured, String> {
    let mut command = Command::new(dir.join("program"));
    command.current_dir(dir);
    device_environment(&mut command, device);
    command.env("ACCL_OPENCL_OPTIONS", "-cl-opt-disable").env_remove("ACCL_NOTIFY");
    let first = succeed(&mut command, RUN_LIMIT);
    // PoCL's own threads now and then crash on a loaded machine: that is tried again, once.
    if device == "opencl" && first.is_err() { succeed(&mut command, RUN_LIMIT) } else { first }
}

/// The first line of each function, which a line begins with, that differs.
fn differences<'a>(expected: &'a str, seen: &'a str) -> impl Iterator<Item = String> + 'a {
    let mut told: Vec<&str> = vec![];
    let lengths = (expected.lines().count(), seen.lines().count());
    let length = (lengths.0 != lengths.1).then(|| format!("{} lines instead of {}", lengths.1, lengths.0));
    let lines = expected.lines().zip(seen.lines()).filter(|(a, b)| !agree(a, b));
    let first = lines.filter(move |(a, _)| {
        let function = a.split(' ').next().unwrap_or_default();
        let new = !told.contains(&function);
        told.push(function);
        new
    });
    length.into_iter().chain(first.map(|(a, b)| format!("expected {a}\n    seen {b}")))
}

fn agree(expected: &str, seen: &str) -> bool {
    let words = |line: &str| line.split(' ').count();
    expected == seen
        || words(expected) == words(seen)
            && expected.split(' ').zip(seen.split(' ')).all(|(a, b)| alike(a, b))
}

fn alike(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        _ if a == b => true,
        (Ok(a), Ok(b)) => {
            a.is_nan() && b.is_nan() || (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).min(f64::MAX)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_may_round_but_nothing_else_differs() {
        assert!(agree("f0 3 1.000001 -nan", "f0 3 1 nan"));
        for (a, b) in
            [("f0 1.1", "f0 1"), ("f0 1", "f1 1"), ("f0 inf", "f0 1e300"), ("f0 1", "f0 nan"), ("f0 1", "f0")]
        {
            assert!(!agree(a, b), "{a} | {b}");
        }
    }

    #[test]
    fn each_function_is_told_once() {
        let seen: Vec<String> = differences("f0 1\nf0 2\nf1 3\n", "f0 2\nf0 3\nf1 4\n").collect();
        assert_eq!(seen, ["expected f0 1\n    seen f0 2", "expected f1 3\n    seen f1 4"]);
        assert_eq!(differences("f0 1\n", "f0 1\nf0 1\n").count(), 1);
    }
}
