//! Building the programs and their peers here, and timing them here.
//!
//! Runs are interleaved, A B A B, so that other load on the machine affects all alike; the median over the runs
//! counts. An executable whose check fails once is not run again, and has no time.

use super::manifest::Manifest;
use super::ours::{self, Accl};
use super::peers::{self, Peer, first_line};
use super::results::{Line, OURS, Outcome, Row};
use crate::{paths, run};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const LIMIT: Duration = Duration::from_secs(180);
/// After this time no further round of a size is begun.
const SIZE_LIMIT: Duration = Duration::from_secs(60);

/// Something to run: ours or a peer's.
struct Candidate {
    name: String,
    executable: Result<PathBuf, String>,
    environment: Vec<(String, String)>,
    limit: Duration,
    rounds: usize,
}

/// All sizes of all programs on a device of this machine.
///
/// `each` receives the rows after each one, so that results survive an interruption.
pub fn all(
    accl: &Accl,
    benches: &[Manifest],
    device: &str,
    threads: usize,
    each: &dyn Fn(&[Row]) -> Result<()>,
) -> Result<Vec<Row>> {
    let peers = peers::working(device)?;
    let dir = paths::work_dir("bench-large")?;
    let mut rows = vec![];
    for bench in benches {
        let mut candidates = vec![ours(accl, bench, device, threads, dir.join(&bench.name))];
        for peer in &peers {
            candidates.extend(theirs(
                peer,
                bench,
                threads,
                dir.join(format!("{}.{}", bench.name, peer.name)),
            ));
        }
        for args in bench.sizes(device) {
            rows.push(row(bench, &args, &candidates));
            let row = &rows[rows.len() - 1];
            println!("{} {}: {}", bench.name, row.size, summary(row));
            each(&rows)?;
        }
    }
    Ok(rows)
}

fn ours(accl: &Accl, bench: &Manifest, device: &str, threads: usize, executable: PathBuf) -> Candidate {
    let built = accl.build(bench, &[], &executable);
    Candidate {
        name: OURS.to_owned(),
        executable: built.map(|()| executable).map_err(|e| format!("does not compile: {e:#}")),
        environment: ours::environment(device, threads),
        limit: LIMIT,
        rounds: ROUNDS,
    }
}

/// None where the benchmark has no version for this peer.
fn theirs(peer: &Peer, bench: &Manifest, threads: usize, executable: PathBuf) -> Option<Candidate> {
    let built = match peer.build(bench, &peer.flags, &executable) {
        Ok(false) => return None,
        Ok(true) => Ok(executable),
        Err(error) => Err(format!("does not compile: {error:#}")),
    };
    Some(Candidate {
        name: peer.name.clone(),
        executable: built,
        environment: peer.environment(threads),
        limit: peer.limit_s.map_or(LIMIT, Duration::from_secs),
        rounds: peer.runs.unwrap_or(ROUNDS).min(ROUNDS),
    })
}

fn row(bench: &Manifest, args: &str, candidates: &[Candidate]) -> Row {
    let mut row = Row {
        program: bench.name.clone(),
        args: args.to_owned(),
        size: args.to_owned(),
        bytes: bench.bytes(args),
        flops: bench.flops(args),
        ..Row::default()
    };
    let start = Instant::now();
    for round in 0..ROUNDS {
        if start.elapsed() > SIZE_LIMIT {
            break;
        }
        for candidate in candidates.iter().filter(|c| round < c.rounds) {
            if row.results.get(&candidate.name).is_some_and(|o| !o.passed()) {
                continue;
            }
            match once(bench, args, candidate) {
                Ok(line) => {
                    row.results.entry(candidate.name.clone()).or_default().add(&line);
                    row.size = line.size;
                }
                Err(why) => {
                    row.results.insert(candidate.name.clone(), Outcome::failed(why));
                }
            }
        }
    }
    row
}

fn once(bench: &Manifest, args: &str, candidate: &Candidate) -> Result<Line, String> {
    let mut command = Command::new(candidate.executable.as_ref()?);
    command.args(args.split_whitespace()).current_dir(bench.dir());
    command.envs(candidate.environment.iter().map(|(n, v)| (n, v)));
    let result = run::capture(&mut command, candidate.limit)
        .map_err(|_| format!("stopped after {} s", candidate.limit.as_secs()))?;
    match Line::find(&result.stdout) {
        Some(line) if line.passed && result.code == 0 => Ok(line),
        Some(line) => Err(format!("check failed, error {:.1e}", line.error)),
        None => Err(format!("exit status {}: {}", result.code, first_line(&result.stderr))),
    }
}

fn summary(row: &Row) -> String {
    let each = row.results.iter().map(|(name, outcome)| match outcome.kernel_ms {
        Some(ms) if outcome.passed() => format!("{name} {ms:.3} ms"),
        _ => format!("{name} {}", outcome.check),
    });
    each.collect::<Vec<_>>().join(", ")
}
