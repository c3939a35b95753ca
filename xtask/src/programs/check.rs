//! Runs one program on one device and compares it with its serial run.

use super::build::Case;
use super::compare;
use super::manifest::Compare;
use crate::run::{self, Captured};
use crate::test::{Check, Report, device_environment, notify_counts};
use regex_lite::Regex;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(900);

pub fn section(base: &Path, cases: &[Case], device: &str, report: &mut Report) {
    let checks = cases.iter().map(|case| Check::new(&case.name, move || check(base, case, device)));
    report.section(&format!("programs: {device}"), checks.collect());
}

fn check(base: &Path, case: &Case, device: &str) -> Result<(), String> {
    let mut ours = Command::new(base.join(&case.check.ours));
    device_environment(&mut ours, device);
    ours.env("ACCL_NOTIFY", "1").args(&case.check.args);
    let ours = capture(ours)?;
    launched(case, &ours)?;
    right_by_itself(case, &ours)?;
    if case.compare == Compare::Nothing || case.shows_nothing.is_some() {
        return Ok(());
    }
    let mut serial = Command::new(base.join(&case.check.serial));
    serial.args(&case.check.args);
    let serial = capture(serial)?;
    let of = |result: &Captured| match case.compare {
        Compare::Stderr => without_notes(&result.stderr),
        Compare::Stdout | Compare::Nothing => result.stdout.clone(),
    };
    compare::texts(&of(&ours), &of(&serial), case.relative, case.absolute)
}

fn capture(mut command: Command) -> Result<Captured, String> {
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    match result.code {
        0 => Ok(result),
        code => Err(format!("exit status {code}\n{}", without_notes(&result.text()))),
    }
}

/// A program that ran on the host alone proves nothing.
fn launched(case: &Case, result: &Captured) -> Result<(), String> {
    match (notify_counts(&result.stderr, "launches"), case.launches) {
        (0, _) => Err("it launched no kernel".to_owned()),
        (seen, Some(wanted)) if seen != wanted => Err(format!("{seen} launches, {wanted} expected")),
        _ => Ok(()),
    }
}

fn right_by_itself(case: &Case, result: &Captured) -> Result<(), String> {
    let Some(pattern) = &case.says_wrong else { return Ok(()) };
    let regex = Regex::new(pattern).map_err(|e| e.to_string())?;
    let text = result.text();
    let wrong: Vec<&str> = text.lines().filter(|line| regex.is_match(line)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn without_notes(text: &str) -> String {
    // What follows our own messages is indented, and the first may stand behind a line that the program did not end.
    let own = |line: &&str| !["launch ", "  "].iter().any(|start| line.starts_with(start));
    let before = |line: &'_ str| line.split("accl: ").next().unwrap_or_default().to_owned();
    text.lines().filter(own).map(before).collect::<Vec<_>>().join("\n")
}
