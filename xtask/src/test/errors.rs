//! Wrong inputs: each program of `tests/errors` must be refused with exactly the words of the `.stderr`
//! beside it. `cargo xtask bless --only errors` writes those anew.

use super::conformance::device_environment;
use super::{Check, Context, Header, Report};
use crate::{paths, run};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

pub fn run(context: &Context, report: &mut Report) -> Result<()> {
    let work = paths::work_dir("errors")?;
    let folder = paths::root().join("tests/errors");
    let files = paths::files_in(&folder, &["c", "cpp"]);
    let wanted = files.into_iter().filter(|f| context.options.wants_program(&paths::stem(f)));
    let checks = wanted.map(|file| {
        let work = work.join(paths::stem(&file));
        Check::new(paths::stem(&file), move || check(context, &file, &work))
    });
    let orphans = Check::new("each .stderr has its program", move || orphans(&folder));
    report.section("errors", checks.chain([orphans]).collect());
    Ok(())
}

fn orphans(folder: &Path) -> Result<(), String> {
    let programs = paths::files_in(folder, &["c", "cpp"]);
    let has_none = |f: &PathBuf| !programs.iter().any(|p| paths::stem(p) == paths::stem(f));
    let left: Vec<PathBuf> = paths::files_in(folder, &["stderr"]).into_iter().filter(has_none).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("no program belongs to {left:?}")) }
}

fn check(context: &Context, file: &Path, work: &Path) -> Result<(), String> {
    std::fs::create_dir_all(work).map_err(|e| e.to_string())?;
    let header = Header::read(file);
    let result = run_command(context, file, work, &header)?;
    let folder = format!("{}/", file.parent().unwrap_or(Path::new(".")).display());
    let mut seen = without_addresses(&result.stderr.replace(&folder, ""));
    if let Some(part) = header.get("lines") {
        seen = seen.lines().filter(|l| l.contains(part)).map(|l| format!("{l}\n")).collect();
    }
    let expected_file = file.with_extension("stderr");
    let mut wrong = vec![];
    let expected_exit = header.get("expect-exit").unwrap_or("1");
    let fits = expected_exit == result.code.to_string() || expected_exit == "nonzero" && result.code != 0;
    if !fits {
        wrong.push(format!("expected exit status {expected_exit}, seen {}", result.code));
    }
    if !header.has("run") {
        wrong.extend(left_behind(work));
    }
    if context.bless && wrong.is_empty() {
        return std::fs::write(expected_file, seen).map_err(|e| e.to_string());
    }
    let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
    if expected != seen {
        wrong.push(difference(&expected, &seen));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn run_command(
    context: &Context,
    file: &Path,
    work: &Path,
    header: &Header,
) -> Result<run::Captured, String> {
    let capture =
        |command: &mut Command| run::capture(command.current_dir(work), LIMIT).map_err(|e| format!("{e:#}"));
    let environment = header.pairs("env");
    if header.has("run") {
        let front = if file.extension().is_some_and(|e| e == "c") { "cc" } else { "c++" };
        let mut compile = context.accl();
        compile.args([front, "-g"]).arg(file).args(["-o", "program"]);
        let compiled = capture(&mut compile)?;
        if compiled.code != 0 {
            return Err(format!("it does not compile\n{}", compiled.text()));
        }
        let mut program = Command::new(work.join("program"));
        device_environment(&mut program, "cpu");
        return capture(program.env_remove("ACCL_NOTIFY").envs(environment));
    }
    let front = if file.extension().is_some_and(|e| e == "c") { "cc" } else { "c++" };
    let openmp = if paths::stem(file).starts_with("omp_") { "-fopenmp " } else { "" };
    let default = format!("accl {front} {openmp}-c $FILE -o out.o");
    let line = header.get("command").unwrap_or(&default);
    let words = line.split_whitespace().skip(1).map(|w| w.replace("$FILE", &file.display().to_string()));
    capture(context.accl().args(words).env_remove("COLUMNS").envs(environment))
}

/// Addresses differ from run to run.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut shown = parts.next().unwrap_or("").to_owned();
    for part in parts {
        shown += "0x…";
        shown += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    shown
}

/// Outputs of a command that failed.
fn left_behind(work: &Path) -> Option<String> {
    let files: Vec<PathBuf> = std::fs::read_dir(work).ok()?.flatten().map(|e| e.path()).collect();
    (!files.is_empty()).then(|| format!("files were left behind: {files:?}"))
}

/// The lines that differ, old ones marked `-`, new ones `+`.
fn difference(expected: &str, seen: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), seen.lines().collect());
    let same_front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_front;
    let same_back = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let removed = old[same_front..old.len() - same_back].iter().map(|l| format!("- {l}"));
    let added = new[same_front..new.len() - same_back].iter().map(|l| format!("+ {l}"));
    let mut lines = vec![format!("standard error differs from line {}:", same_front + 1)];
    lines.extend(removed.chain(added));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_show_only_what_changed() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\nc\n"), "standard error differs from line 2:\n- b\n+ x");
        assert_eq!(difference("", "a\n"), "standard error differs from line 1:\n+ a");
        assert_eq!(without_addresses("host=0x7fff bytes, 0x1."), "host=0x… bytes, 0x….");
    }
}
