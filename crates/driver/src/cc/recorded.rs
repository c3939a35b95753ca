//! `ACCL_TUNE=DIR`: what `accl tune -- make run` asks of the compilers that a build starts.
//!
//! Each adds its command line to `DIR/commands.jsonl`, and compiles with the options that are in `DIR/options`, one a line. So a build
//! is tuned whatever starts its compilers: make, ninja, a script.

use crate::invocation::{self, Front, Mode};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

pub const VARIABLE: &str = "ACCL_TUNE";
pub const COMMANDS: &str = "commands.jsonl";
pub const OPTIONS: &str = "options";

/// A command line of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedCommand {
    /// Where it was started.
    pub dir: PathBuf,
    pub cxx: bool,
    pub words: Vec<String>,
}

/// The words with what the tuner adds. One that compiles or links something is recorded.
pub fn take_part(front: Front, words: Vec<String>) -> Vec<String> {
    let Some(folder) = std::env::var_os("ACCL_TUNE").filter(|value| !value.is_empty()).map(PathBuf::from)
    else {
        return words;
    };
    let words = invocation::expand(words);
    let compiles = invocation::parse(front, words.clone())
        .is_ok_and(|parsed| parsed.has_inputs() && parsed.mode != Mode::Inform);
    if !compiles {
        return words;
    }
    if let Err(why) = record(&folder, front, &words) {
        eprintln!(
            "accl: warning: {VARIABLE}: '{}': {why}: accl tune does not see this command",
            folder.display()
        );
        return words;
    }
    let options = std::fs::read_to_string(folder.join(OPTIONS)).unwrap_or_default();
    options.lines().map(str::to_owned).chain(words).collect()
}

/// A line is written at once, since compilers may run side by side.
fn record(folder: &Path, front: Front, words: &[String]) -> std::io::Result<()> {
    let command =
        RecordedCommand { dir: std::env::current_dir()?, cxx: front == Front::Cxx, words: words.to_vec() };
    let line = serde_json::to_string(&command)? + "\n";
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(folder.join(COMMANDS))?;
    file.write_all(line.as_bytes())
}

pub fn parse(text: &str) -> Vec<RecordedCommand> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The command lines in a folder.
pub fn read(folder: &Path) -> std::io::Result<Vec<RecordedCommand>> {
    match std::fs::read_to_string(folder.join(COMMANDS)) {
        Ok(text) => Ok(parse(&text)),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(vec![]),
        Err(why) => Err(why),
    }
}
