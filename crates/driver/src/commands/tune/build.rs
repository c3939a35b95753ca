//! A program that the user's own command builds and runs: `accl tune -- make run`.
//!
//! The command is run with `ACCL_TUNE`, which the compilers that it starts go by ([`crate::cc::recorded`]): they say what they compile,
//! and take the options of the configuration that is to be built. To build another one, what they made is removed, and the command
//! is run again; so make, ninja or a script do what they always do. What was linked is kept with its configuration, and put back
//! where that is to run again.
//!
//! The folder is the user's: what the command leaves there at the end is the program that was found to be the fastest.

use super::errors::TuneError;
use crate::cc::recorded::{self, RecordedCommand};
use crate::cc::{Session, stem};
use crate::invocation::{Front, Mode};
use accl_tuner::program::Failure;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The first build, of which nothing is known yet.
const FIRST: Duration = Duration::from_secs(3600);

/// Where it is kept what a command has built, in the folder in which it was run: the command, and what compilers said.
const KNOWN: &str = ".accl-tune.jsonl";

pub struct UserBuild {
    command: Vec<String>,
    tree: Mutex<Tree>,
}

/// The user's folder.
#[derive(Default)]
struct Tree {
    /// The configuration that it was built with last.
    current: PathBuf,
    /// What accl made in it, and of that what was linked.
    outputs: Vec<PathBuf>,
    linked: Vec<PathBuf>,
    limit: Option<Duration>,
}

impl UserBuild {
    /// What the same command built before, and would find up to date, is built again.
    pub fn new(command: Vec<String>) -> UserBuild {
        let mut tree = Tree::default();
        let known = std::fs::read_to_string(KNOWN).unwrap_or_default();
        let (first, rest) = known.split_once('\n').unwrap_or_default();
        if serde_json::from_str::<Vec<String>>(first).is_ok_and(|of| of == command) {
            tree.learn(&recorded::parse(rest));
        }
        UserBuild { command, tree: Mutex::new(tree) }
    }

    /// The user's command for the configuration in a folder.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.command[0]);
        command
            .args(&self.command[1..])
            .env(recorded::VARIABLE, folder)
            .process_group(0)
            .stdin(Stdio::null());
        let given = [("CC", std::env::var("CC"), "cc"), ("CXX", std::env::var("CXX"), "c++")];
        for (variable, value, word) in given {
            let own = value.is_ok_and(|value| value.contains("accl"));
            if let (false, Ok(accl)) = (own, std::env::current_exe()) {
                let words: OsString = format!("{} {word}", accl.display()).into();
                command.env(variable, words);
            }
        }
        command
    }

    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Builds the program with these options of accl.
    pub fn make(&self, folder: &Path, options: &[String]) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|why| why.to_string())?;
        let lines: String = options.iter().map(|option| format!("{option}\n")).collect();
        std::fs::write(folder.join(recorded::OPTIONS), lines).map_err(|why| why.to_string())?;
        self.made(&mut self.tree(), folder)
    }

    fn made(&self, tree: &mut Tree, folder: &Path) -> Result<(), String> {
        tree.outputs.iter().for_each(|output| _ = std::fs::remove_file(output));
        tree.current = PathBuf::new();
        let log = folder.join("log");
        let file = File::create(&log).map_err(|why| why.to_string())?;
        let again = file.try_clone().map_err(|why| why.to_string())?;
        let mut command = self.command(folder);
        command.stdout(file).stderr(again);
        let started = Instant::now();
        let status = super::executable::finish(command, tree.limit.unwrap_or(FIRST), None);
        let said = || last_lines(&std::fs::read_to_string(&log).unwrap_or_default());
        let ended = status.map_err(|why| format!("'{}': {why}\n{}", self.command.join(" "), said()))?;
        let commands = recorded::read(folder).map_err(|why| why.to_string())?;
        tree.learn(&commands);
        if tree.limit.is_none() && !tree.outputs.is_empty() {
            self.remember(&commands).map_err(|why| format!("'{KNOWN}': {why}"))?;
        }
        let missing = tree.outputs.iter().any(|output| !output.exists());
        // What was built and fails when it runs is another matter, which its own runs will show.
        if !ended.success() && (missing || tree.limit.is_none()) {
            return Err(format!("'{}' failed:\n{}", self.command.join(" "), said()));
        }
        // A test of the build's own is not made again.
        tree.outputs.retain(|output| output.exists());
        tree.linked.retain(|output| output.exists());
        tree.limit.get_or_insert(10 * started.elapsed() + Duration::from_secs(60));
        for (at, linked) in tree.linked.iter().enumerate() {
            std::fs::copy(linked, folder.join(at.to_string())).map_err(|why| why.to_string())?;
        }
        tree.current = folder.to_owned();
        Ok(())
    }

    fn remember(&self, commands: &[RecordedCommand]) -> std::io::Result<()> {
        let lines = commands.iter().map(serde_json::to_string).collect::<Result<Vec<String>, _>>()?;
        std::fs::write(KNOWN, format!("{}\n{}\n", serde_json::to_string(&self.command)?, lines.join("\n")))
    }

    /// Sees that the user's folder has the program of a configuration. Where it had another one, the command is run once, so that it
    /// does what it does after a change.
    pub fn switch_to(&self, folder: &Path, limit: Duration) -> Result<(), Failure> {
        let mut tree = self.tree();
        if tree.current == folder {
            return Ok(());
        }
        if tree.linked.is_empty() {
            return self.made(&mut tree, folder).map_err(Failure::Compile);
        }
        for (at, linked) in tree.linked.iter().enumerate() {
            put(&folder.join(at.to_string()), linked).map_err(|why| Failure::Compile(why.to_string()))?;
        }
        tree.current = folder.to_owned();
        let mut command = self.command(folder);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        super::executable::finish(command, limit + FIRST.min(limit), None).map(|_| ())
    }

    /// The files by which two builds are told from each other.
    pub fn results(&self, folder: &Path) -> Vec<PathBuf> {
        let tree = self.tree();
        match tree.linked.is_empty() {
            true => tree.outputs.clone(),
            false => (0..tree.linked.len()).map(|at| folder.join(at.to_string())).collect(),
        }
    }

    /// The name of what was linked first.
    pub fn name(&self) -> Option<PathBuf> {
        self.tree().linked.first().and_then(|path| path.file_name()).map(PathBuf::from)
    }

    pub fn words(&self) -> &[String] {
        &self.command
    }
}

impl Tree {
    /// Takes over what the compilers of a build have said.
    fn learn(&mut self, commands: &[RecordedCommand]) {
        for command in commands {
            let Ok(invocation) = crate::invocation::parse(front(command), command.words.clone()) else {
                continue;
            };
            let named = |name: &Path| command.dir.join(name);
            let outputs: Vec<PathBuf> = match (invocation.mode, &invocation.output) {
                (_, Some(output)) => vec![named(output)],
                (Mode::Link, None) => vec![named(Path::new("a.out"))],
                (mode, None) => {
                    let suffix = if mode == Mode::Assembly { "s" } else { "o" };
                    invocation
                        .sources()
                        .map(|(path, _)| named(Path::new(&format!("{}.{suffix}", stem(path)))))
                        .collect()
                }
            };
            // What is there no longer was made for a test of the build's own.
            for output in outputs.into_iter().filter(|output| output.is_file()) {
                if invocation.mode == Mode::Link && !self.linked.contains(&output) {
                    self.linked.push(output.clone());
                }
                if !self.outputs.contains(&output) {
                    self.outputs.push(output);
                }
            }
        }
    }
}

fn front(command: &RecordedCommand) -> Front {
    if command.cxx { Front::Cxx } else { Front::C }
}

/// What the compilers of a build were asked for, with the folders that they were started in. Each source is there once, even where it is
/// compiled twice.
pub fn sessions(folder: &Path) -> Result<Vec<(PathBuf, Session)>> {
    let mut known: Vec<PathBuf> = vec![];
    let mut all = vec![];
    for command in recorded::read(folder).context("cannot read what the build compiled")? {
        let mut session = Session::new(front(&command), command.words.clone())?;
        let sources: Vec<PathBuf> =
            session.invocation.sources().map(|(path, _)| command.dir.join(path)).collect();
        // What a build compiles for a test of its own is gone by now.
        let there = command.dir.is_dir() && sources.iter().all(|path| path.is_file());
        if sources.is_empty() || !there || sources.iter().any(|source| known.contains(source)) {
            continue;
        }
        known.extend(sources);
        session.invocation.acc.list_spaces = true;
        all.push((command.dir, session));
    }
    if all.is_empty() {
        return Err(TuneError::NotCompiled.into());
    }
    Ok(all)
}

/// A copy in the place of a file that may be running.
fn put(from: &Path, to: &Path) -> std::io::Result<()> {
    let name = format!(".{}.new", to.file_name().unwrap_or_default().display());
    let new = to.with_file_name(name);
    std::fs::copy(from, &new)?;
    std::fs::rename(&new, to)
}

fn last_lines(text: &str) -> String {
    const LINES: usize = 8;
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(LINES)..].join("\n")
}
