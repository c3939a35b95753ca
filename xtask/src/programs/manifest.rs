//! `tests/programs/NAME.toml`: how the programs of a collection are built, run, checked and timed.
//!
//! In sources and flags `{name}` stands for a program's name and `{path}` for its folder.
//!
//! A collection may name *peers*: other compilers, with folders that hold the same programs written for them. Such a
//! version of a program is its *twin*. Programs with twins are timed beside them, all at the same sizes.

use crate::bench::Built;
use crate::bench::results::Time;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// Where the collection lies; not in the file.
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    pub root: PathBuf,
    /// Its `folder` in there.
    #[serde(skip)]
    pub dir: PathBuf,
    /// Below the collection's folder: where compilers and programs run.
    #[serde(default)]
    pub folder: String,
    pub sources: Vec<String>,
    #[serde(default)]
    pub flags: Vec<String>,
    /// Further flags for accl alone.
    #[serde(default)]
    pub accl_flags: Vec<String>,
    /// Further flags for the serial program alone.
    #[serde(default)]
    pub serial_flags: Vec<String>,
    #[serde(default)]
    pub libraries: Vec<String>,
    /// What must be the same as in the serial run.
    #[serde(default)]
    pub compare: Compare,
    /// Numbers may differ by this part of the larger one …
    #[serde(default)]
    pub relative: f64,
    /// … or by this much.
    #[serde(default)]
    pub absolute: f64,
    /// A line of the output that says that the program itself found its result wrong; a regular expression.
    pub says_wrong: Option<String>,
    pub check: Run,
    /// None: the program is not timed.
    pub time: Option<Timing>,
    #[serde(default, rename = "peer")]
    pub peers: Vec<Peer>,
    #[serde(rename = "program")]
    pub programs: Vec<Program>,
}

/// What a run and its serial run must have in common, besides the exit status 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Compare {
    #[default]
    Nothing,
    Stdout,
    Stderr,
}

/// Flags to compile with and words to run with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    #[serde(default)]
    pub flags: Vec<String>,
    #[serde(default)]
    pub args: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    #[serde(default)]
    pub flags: Vec<String>,
    #[serde(default)]
    pub args: Vec<String>,
    /// A regular expression with a group `time` and, where a run times several things, a group `name`.
    pub line: String,
    /// Seconds in the unit of `time`.
    pub unit: f64,
    /// Where the collection has peers: the names of the sizes, in the order in which they are measured.
    #[serde(default)]
    pub sizes: Vec<String>,
}

/// Another compiler, and the programs as others wrote them for it. Its programs get the flags of the size, too.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    pub name: String,
    pub title: String,
    /// Where ours run when they are compared with it.
    pub device: String,
    /// Where its programs lie and its compiler runs, below the collection's folder.
    pub folder: String,
    pub compiler: String,
    /// On which machine, where programs are packed for another.
    pub built: Built,
    /// A program has a twin where the first of these is.
    pub sources: Vec<String>,
    #[serde(default)]
    pub flags: Vec<String>,
    #[serde(default)]
    pub libraries: Vec<String>,
    /// Shared libraries that travel with its programs, and that these alone use.
    #[serde(default)]
    pub carries: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What the time that its programs print is of, so that it is compared with the same of ours.
    pub time: Time,
    /// In the files of each of its programs.
    #[serde(default)]
    pub mends: Vec<Mend>,
}

/// What is special about a program's twin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    /// Stands for `{name}` where its files are called otherwise.
    pub name: Option<String>,
    #[serde(default)]
    pub mends: Vec<Mend>,
    /// Why its time is shown but not counted: it does not do the work that ours does.
    pub note: Option<String>,
    /// Why there is none although its file is there.
    pub missing: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    pub name: Option<String>,
    /// The folder of its sources, below `folder`.
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub flags: Vec<String>,
    /// Further flags for accl alone.
    #[serde(default)]
    pub accl_flags: Vec<String>,
    /// Replaces the collection's flags for checking.
    pub check_flags: Option<Vec<String>>,
    /// Kernel launches of the checked run; at least one where it is not known.
    pub launches: Option<usize>,
    /// It must only compile: it has no `main`.
    #[serde(default)]
    pub compile_only: bool,
    /// What is wrong in the source, so that no compiler's result could be compared. All else is as it was.
    #[serde(default)]
    pub mends: Vec<Mend>,
    /// Why the serial run's output proves nothing; launches and exit status are checked nevertheless.
    pub shows_nothing: Option<String>,
    /// The macros that make a size, by its name: the same for the program and its twins.
    #[serde(default)]
    pub sizes: BTreeMap<String, String>,
    /// By the peer's name.
    #[serde(default)]
    pub twins: BTreeMap<String, Special>,
}

/// A text in the program's own files that is replaced, wherever it stands.
#[derive(Clone, Debug, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Mend {
    pub from: String,
    pub to: String,
    pub why: String,
}

impl Program {
    pub fn name(&self) -> String {
        let last = Path::new(&self.path).file_name().map(|n| n.to_string_lossy().into_owned());
        self.name.clone().or(last).unwrap_or_default()
    }

    /// A word of the manifest with its placeholders filled.
    pub fn fill(&self, word: &str) -> String {
        word.replace("{name}", &self.name()).replace("{path}", &self.path)
    }
}

pub fn read(file: &Path, dir: &Path) -> Result<Collection> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut collection: Collection = toml::from_str(&text).with_context(|| file.display().to_string())?;
    collection.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    collection.root = dir.to_owned();
    collection.dir = dir.join(&collection.folder);
    Ok(collection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;

    #[test]
    fn sizes_and_twins_are_of_those_that_the_collection_names() {
        let known = crate::bench::peer_names().unwrap();
        for file in paths::files_in(&paths::root().join("tests/programs"), &["toml"]) {
            let collection = read(&file, Path::new("")).unwrap();
            let sizes = collection.time.map_or(vec![], |time| time.sizes);
            let peers: Vec<&String> = collection.peers.iter().map(|peer| &peer.name).collect();
            // The page of results has their titles from there.
            assert!(peers.iter().all(|name| known.contains(name)), "{peers:?}");
            for program in &collection.programs {
                let name = program.name();
                assert!(program.sizes.keys().all(|size| sizes.contains(size)), "sizes of {name}");
                assert!(program.twins.keys().all(|twin| peers.contains(&twin)), "twins of {name}");
            }
        }
    }
}
