//! Building, lints and the crates' own tests.
//!
//! One profile throughout (`dev`, whose own crates are lightly optimised): the machine that runs this is
//! fresh and small, and every further profile builds the dependencies again.

use super::{Check, Report};
use crate::run;
use std::process::Stdio;
use std::time::Instant;

/// False where nothing further makes sense.
pub fn build(report: &mut Report) -> bool {
    let mut good = true;
    let check = std::sync::atomic::AtomicBool::new(true);
    report.section(
        "build",
        vec![Check::new("cargo build --workspace", || {
            run::show(&mut run::cargo(&["build", "--quiet", "--workspace"])).map_err(|error| {
                check.store(false, std::sync::atomic::Ordering::Relaxed);
                format!("{error:#}")
            })
        })],
    );
    good &= check.into_inner();
    good
}

pub fn lint(report: &mut Report) {
    let cargo = |words: &'static [&'static str]| {
        Check::new(format!("cargo {}", words.join(" ")), move || {
            let output = run::cargo(words).stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
            if output.status.success() {
                Ok(())
            } else {
                Err(String::from_utf8_lossy(&output.stderr).into_owned())
            }
        })
    };
    report.section(
        "lint",
        vec![
            cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
            cargo(&["fmt", "--all", "--check"]),
        ],
    );
}

/// Counts what `cargo test` says of each test binary.
pub fn unit_tests(report: &mut Report) {
    let start = Instant::now();
    let output = run::cargo(&["test", "--workspace", "--no-fail-fast"]).stdin(Stdio::null()).output();
    let text = match output {
        Ok(output) => format!(
            "{}{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
            if output.status.success() { "" } else { "\nexit: failure\n" }
        ),
        Err(error) => format!("{error}\nexit: failure\n"),
    };
    let count = count(&text);
    if !count.failed.is_empty() {
        println!("{}", of_failures(&text));
    }
    report.add("unit", count.passed, count.failed, start.elapsed());
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    passed: usize,
    failed: Vec<String>,
}

fn count(text: &str) -> Count {
    let mut count = Count::default();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("test result: ") {
            let passed = rest.split_whitespace().find_map(|w| w.parse::<usize>().ok());
            count.passed += passed.unwrap_or(0);
        } else if let Some(name) = line.strip_prefix("test ").and_then(|l| l.strip_suffix(" ... FAILED")) {
            count.failed.push(format!("unit: {name}"));
        }
    }
    if count.failed.is_empty() && text.ends_with("exit: failure\n") {
        count.failed.push("unit: cargo test".to_owned());
    }
    count
}

/// The part of cargo's output that tells why.
fn of_failures(text: &str) -> String {
    let boring = |line: &str| {
        line.ends_with(" ... ok")
            || line.starts_with("test result: ok")
            || line.starts_with("running ")
            || line.is_empty()
    };
    let lines: Vec<&str> = text.lines().filter(|line| !boring(line)).collect();
    lines[lines.len().saturating_sub(200)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_binaries_add_up() {
        let text = "test a ... ok\ntest result: ok. 3 passed; 0 failed; 1 ignored\n\
                    test b::c ... FAILED\ntest result: FAILED. 4 passed; 1 failed\n\nexit: failure\n";
        assert_eq!(count(text), Count { passed: 7, failed: vec!["unit: b::c".into()] });
        assert_eq!(count("error\nexit: failure\n").failed.len(), 1);
    }
}
