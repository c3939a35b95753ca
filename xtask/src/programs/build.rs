//! Each program compiled by accl, and by the host's C compiler with its directives ignored.

use super::manifest::{Collection, Compare, Mend, Program, Timing};
use super::time::Clock;
use super::twins::{self, Beside};
use crate::bench::built;
use crate::options::Options;
use crate::paths;
use crate::test::{Check, Report};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that is built, and what is expected of it. Executables lie below the folder of all of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    /// "collection/program"
    pub name: String,
    pub compare: Compare,
    pub relative: f64,
    pub absolute: f64,
    pub says_wrong: Option<String>,
    pub launches: Option<usize>,
    pub mends: Vec<Mend>,
    pub shows_nothing: Option<String>,
    pub check: Pair,
    /// Beside its serial run; nothing where it has twins.
    pub time: Option<Timed>,
    pub beside: Option<Beside>,
    /// On which device it is compared with no twin, and why.
    pub missing: Vec<(String, String)>,
}

impl Case {
    /// All that were built, below the folder of all of them.
    pub fn executables(&self) -> Vec<String> {
        let pairs = std::iter::once(&self.check).chain(self.time.iter().map(|timed| &timed.pair));
        let mut all: Vec<String> = pairs.flat_map(|pair| [pair.ours.clone(), pair.serial.clone()]).collect();
        all.extend(self.beside.iter().flat_map(Beside::executables));
        all
    }
}

/// The same program twice, and the words to run it with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair {
    pub ours: String,
    pub serial: String,
    pub args: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Timed {
    pub pair: Pair,
    pub clock: Clock,
}

/// Builds everything that is wanted into `base`; what does not compile is a failure in the report.
pub fn all(collections: &[Collection], options: &Options, base: &Path, report: &mut Report) -> Vec<Case> {
    let mut cases = vec![];
    for collection in collections {
        let named = |p: &&Program| options.wants_program(&format!("{}/{}", collection.name, p.name()));
        let programs: Vec<&Program> = collection.programs.iter().filter(named).collect();
        let peers = twins::peers(collection, options).into_iter().map(|peer| {
            let programs = &programs;
            let run = move || twins::sources(collection, peer, programs, base).map_err(|e| format!("{e:#}"));
            Check::new(peer.name.clone(), run)
        });
        report.section(&format!("{}: twins", collection.name), peers.collect());
        let compile = programs.iter().map(|program| {
            let run = move || Build { collection, program, base, options }.all();
            Check::new(format!("{}/{}", collection.name, program.name()), run)
        });
        report.section(&format!("{}: compile", collection.name), compile.collect());
        let runnable = programs.into_iter().filter(|p| !p.compile_only);
        cases.extend(runnable.filter_map(|program| Build { collection, program, base, options }.case()));
    }
    cases
}

pub struct Build<'a> {
    pub collection: &'a Collection,
    pub program: &'a Program,
    pub base: &'a Path,
    pub options: &'a Options,
}

impl Build<'_> {
    pub fn executable(&self, what: &str) -> String {
        format!("{}/{}.{what}", self.collection.name, self.program.name())
    }

    /// What there is to run; nothing where it did not compile.
    fn case(&self) -> Option<Case> {
        let (collection, program) = (self.collection, self.program);
        let pair = |what: &str, args: &[String]| {
            let (ours, serial) =
                (self.executable(&format!("{what}.accl")), self.executable(&format!("{what}.serial")));
            let there = self.base.join(&ours).is_file() && self.base.join(&serial).is_file();
            there.then(|| Pair { ours, serial, args: args.to_vec() })
        };
        Some(Case {
            name: format!("{}/{}", collection.name, program.name()),
            compare: collection.compare,
            relative: collection.relative,
            absolute: collection.absolute,
            says_wrong: collection.says_wrong.clone(),
            launches: program.launches,
            mends: program.mends.clone(),
            shows_nothing: program.shows_nothing.clone(),
            check: pair("check", &collection.check.args)?,
            time: collection
                .time
                .as_ref()
                .and_then(|time| Some(Timed { pair: pair("time", &time.args)?, clock: Clock::of(time) })),
            beside: self.timing().and_then(|time| twins::beside(self, time)),
            missing: twins::missing(collection, program),
        })
    }

    fn all(&self) -> Result<(), String> {
        let flags = self.program.check_flags.as_ref().unwrap_or(&self.collection.check.flags);
        self.both("check", flags)?;
        match self.timing() {
            Some(time) if twins::peers(self.collection, self.options).is_empty() => {
                self.both("time", &time.flags)
            }
            Some(time) => twins::build(self, time),
            None => Ok(()),
        }
    }

    /// How it is timed, where that is wanted.
    fn timing(&self) -> Option<&Timing> {
        let timed = self.options.is_measured() && !self.program.compile_only;
        self.collection.time.as_ref().filter(|_| timed)
    }

    /// Ours alone.
    pub fn ours(&self, flags: &[String], executable: &str) -> Result<(), String> {
        let dir = self.sources().map_err(|e| format!("{e:#}"))?;
        self.compile(self.accl(), &dir, flags, executable)
    }

    fn both(&self, what: &str, flags: &[String]) -> Result<(), String> {
        self.ours(flags, &self.executable(&format!("{what}.accl")))?;
        if self.program.compile_only {
            return Ok(());
        }
        let dir = self.sources().map_err(|e| format!("{e:#}"))?;
        let mut serial = Command::new("gcc");
        serial.arg("-w").args(&self.collection.serial_flags);
        self.compile(serial, &dir, flags, &self.executable(&format!("{what}.serial")))
    }

    fn accl(&self) -> Command {
        let bin = paths::target(self.options.profile());
        let mut command = Command::new(bin.join("accl"));
        command.env("ACCL_RUNTIME_DIR", &bin).env_remove("ACCL_HOST_COMPILER").arg("cc");
        command.args(&self.collection.accl_flags).args(&self.program.accl_flags);
        command
    }

    fn compile(
        &self,
        mut command: Command,
        dir: &Path,
        flags: &[String],
        executable: &str,
    ) -> Result<(), String> {
        let (collection, program) = (self.collection, self.program);
        let output = self.base.join(executable);
        std::fs::create_dir_all(output.parent().unwrap_or(self.base)).map_err(|e| e.to_string())?;
        let words = collection.flags.iter().chain(flags).chain(&program.flags).chain(&collection.sources);
        command.args(words.map(|word| program.fill(word))).arg("-o").arg(&output).current_dir(dir);
        if program.compile_only {
            command.arg("-c");
        }
        command.args(collection.libraries.iter().map(|l| format!("-l{l}")));
        built(&mut command).map_err(|e| format!("{e:#}"))
    }

    /// The collection's folder; of a program with mistakes a copy without them.
    fn sources(&self) -> Result<PathBuf> {
        let from = &self.collection.dir;
        if self.program.mends.is_empty() {
            return Ok(from.clone());
        }
        let to = self.base.join(self.executable("mended"));
        copy(from, &to, &from.join(&self.program.path))?;
        mend(&to.join(&self.program.path), &self.program.mends)?;
        Ok(to)
    }
}

/// Corrects the sources in a folder. A mistake that is not there is one of the manifest.
pub fn mend<'m>(dir: &Path, mends: impl IntoIterator<Item = &'m Mend> + Clone) -> Result<()> {
    let mut missed: Vec<&Mend> = mends.clone().into_iter().collect();
    for file in paths::files_in(dir, &["c", "cpp", "h", "cu", "cuh"]) {
        let mut text = std::fs::read_to_string(&file)?;
        for mend in mends.clone() {
            missed.retain(|m| !std::ptr::eq(*m, mend) || !text.contains(&m.from));
            text = text.replace(&mend.from, &mend.to);
        }
        std::fs::write(&file, text)?;
    }
    match missed.first() {
        Some(mend) => bail!("{} has no text `{}`, which the manifest mends", dir.display(), mend.from),
        None => Ok(()),
    }
}

/// Copies headers and sources, of programs only those in the folder `program` and those that are shared.
pub fn copy(from: &Path, to: &Path, program: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)?.flatten() {
        let path = entry.path();
        let copied = to.join(entry.file_name());
        if path.is_dir() {
            copy(&path, &copied, program)?;
        } else if from == program || !program.starts_with(from) {
            std::fs::copy(&path, &copied)?;
        }
    }
    Ok(())
}
