//! Each program compiled by accl, and by the host's C compiler with its directives ignored.

use super::manifest::{Collection, Compare, Mend, Program};
use crate::bench::built;
use crate::options::Options;
use crate::paths;
use crate::test::{Check, Report};
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
    pub time: Option<Timed>,
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
    pub line: String,
    pub unit: f64,
}

/// Builds everything that is wanted into `base`; what does not compile is a failure in the report.
pub fn all(collections: &[Collection], options: &Options, base: &Path, report: &mut Report) -> Vec<Case> {
    let mut cases = vec![];
    for collection in collections {
        let named = |p: &&Program| options.wants_program(&format!("{}/{}", collection.name, p.name()));
        let programs: Vec<&Program> = collection.programs.iter().filter(named).collect();
        let timed = options.is_measured();
        let profile = options.profile();
        let compile = programs.iter().map(|program| {
            let run = move || Build { collection, program, base, profile }.all(timed);
            Check::new(format!("{}/{}", collection.name, program.name()), run)
        });
        report.section(&format!("{}: compile", collection.name), compile.collect());
        let runnable = programs.into_iter().filter(|p| !p.compile_only);
        cases.extend(runnable.filter_map(|program| Build { collection, program, base, profile }.case()));
    }
    cases
}

struct Build<'a> {
    collection: &'a Collection,
    program: &'a Program,
    base: &'a Path,
    /// Cargo's, of the compiler.
    profile: &'static str,
}

impl Build<'_> {
    fn executable(&self, what: &str) -> String {
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
            time: collection.time.as_ref().and_then(|time| {
                Some(Timed { pair: pair("time", &time.args)?, line: time.line.clone(), unit: time.unit })
            }),
        })
    }

    fn all(&self, timed: bool) -> Result<(), String> {
        let flags = self.program.check_flags.as_ref().unwrap_or(&self.collection.check.flags);
        self.both("check", flags)?;
        match &self.collection.time {
            Some(time) if timed && !self.program.compile_only => self.both("time", &time.flags),
            _ => Ok(()),
        }
    }

    fn both(&self, what: &str, flags: &[String]) -> Result<(), String> {
        let dir = self.sources().map_err(|e| e.to_string())?;
        self.compile(self.accl(), &dir, flags, &self.executable(&format!("{what}.accl")))?;
        if self.program.compile_only {
            return Ok(());
        }
        let mut serial = Command::new("gcc");
        serial.arg("-w").args(&self.collection.serial_flags);
        self.compile(serial, &dir, flags, &self.executable(&format!("{what}.serial")))
    }

    fn accl(&self) -> Command {
        let bin = paths::target(self.profile);
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
    fn sources(&self) -> std::io::Result<PathBuf> {
        let from = &self.collection.dir;
        if self.program.mends.is_empty() {
            return Ok(from.clone());
        }
        let to = self.base.join(self.executable("mended"));
        copy(from, &to, &from.join(&self.program.path))?;
        for file in paths::files_in(&to.join(&self.program.path), &["c", "cpp", "h"]) {
            let text = std::fs::read_to_string(&file)?;
            let mended = self.program.mends.iter().fold(text, |text, m| text.replace(&m.from, &m.to));
            std::fs::write(&file, mended)?;
        }
        Ok(to)
    }
}

/// Copies headers and sources, of programs only those in the folder `program` and those that are shared.
fn copy(from: &Path, to: &Path, program: &Path) -> std::io::Result<()> {
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
