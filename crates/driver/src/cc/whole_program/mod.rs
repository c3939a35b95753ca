//! Device code of several files.
//!
//! A unit is compiled by itself. Where its constructs call functions that it does not define, the object's own code runs them on
//! the host, and the object carries what it takes to compile the unit again (`record`); a unit whose directives mark functions
//! for devices carries their IR. When `accl` links, the units of the program meet: those with such calls are compiled again,
//! with the bodies of the functions (`accl_ir::link`), and take the places of their first objects. So routines of other files are
//! inlined, use global variables and share their caller's threads as those of the same file do, on every device, and nothing
//! is resolved while the program runs.
//!
//! A linker that knows nothing of this gives a right program, in which these constructs run on the host. Functions of shared
//! libraries are no part of the program.

mod inputs;
pub mod record;

use super::Session;
use super::unit::{self, Compilation};
use crate::invocation::{Front, Language, Mode};
use accl_frontend::{Externals, Preprocessed};
use accl_ir::{Module, calls, link};
use accl_source::{FileId, Span};
use anyhow::{Context, Result};
use inputs::UnitFile;
use rayon::prelude::*;
use record::{Deferred, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The constant with the address of a unit's variable.
pub fn address_symbol(unit_id: &str, variable: usize) -> String {
    format!("accl_address_{unit_id}_{variable}")
}

/// For a unit that is compiled again.
pub struct AtLink {
    pub text: Preprocessed,
    pub others: Arc<Program>,
}

impl AtLink {
    pub fn externals(&self) -> Externals {
        Externals::Named(self.others.available.clone())
    }
}

/// What the units of a program have for the device code of others.
#[derive(Default)]
pub struct Program {
    pub units: Vec<link::Unit>,
    /// The functions that can be called: all that they call in turn is there.
    pub available: BTreeSet<String>,
    /// Variables of threads that all units have as scratch memory at most.
    pub scratch: BTreeSet<String>,
}

/// Files that take the place of those that the command names.
#[derive(Default)]
pub struct Replaced {
    files: BTreeMap<PathBuf, PathBuf>,
    /// What is said about members of archives, which may be left out of the program, by their units' ids.
    about_members: Vec<(String, Vec<u8>)>,
}

impl Replaced {
    /// The link is as the user wrote it, and nothing is said behind it.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.about_members.is_empty()
    }

    /// What is to be said about the program, which is there unless the link failed.
    pub fn messages(&self, session: &Session, program: Option<&Path>) -> Vec<u8> {
        let stripped = session.invocation.has_option(|o| o == "-s" || o.starts_with("-Wl,-s"));
        let bytes = program.filter(|_| !stripped).and_then(|path| std::fs::read(path).ok());
        let holds = |id: &str| {
            let symbol = format!("accl_module_{id}");
            bytes.as_ref().is_none_or(|bytes| memmem(bytes, symbol.as_bytes()))
        };
        self.about_members.iter().filter(|(id, _)| holds(id)).flat_map(|(_, text)| text.clone()).collect()
    }

    pub fn path(&self, path: &Path) -> PathBuf {
        self.files.get(path).cloned().unwrap_or_else(|| path.to_owned())
    }

    /// The words of an option of the linker.
    pub fn option(&self, session: &Session, words: &[String]) -> Vec<String> {
        let archive = || inputs::library(&session.invocation, words);
        match (!self.files.is_empty()).then(archive).flatten().and_then(|archive| self.files.get(&archive)) {
            Some(path) => vec![path.display().to_string()],
            None => words.to_vec(),
        }
    }
}

/// Whether units among the command's objects and archives may have to be compiled again.
pub fn is_needed(session: &Session) -> bool {
    let files = inputs::files(&session.invocation, &[]);
    let waits = |file: &PathBuf| inputs::units(file).iter().any(|unit| unit.record.deferred.is_some());
    session.invocation.mode == Mode::Link && files.par_iter().any(waits)
}

/// Compiles the units again that call functions of others. `compiled` are the objects of the command's own sources.
pub fn complete(session: &Session, compiled: &[PathBuf], messages: &mut Vec<u8>) -> Result<Replaced> {
    let files = inputs::files(&session.invocation, compiled);
    let units: Vec<UnitFile> = files.par_iter().flat_map_iter(|file| inputs::units(file)).collect();
    if units.iter().all(|unit| unit.record.deferred.is_none()) {
        return Ok(Replaced::default());
    }
    let names = Names::of(session, compiled);
    let mut program = program(units.iter().map(|unit| &unit.record));
    program.scratch = inputs::scratch(&files, &units);
    let program = Arc::new(program);
    let rebuilt: Vec<Result<Rebuilt>> = units
        .par_iter()
        .enumerate()
        .filter_map(|(number, unit)| {
            let deferred = unit.record.deferred.as_ref()?;
            Some(rebuild(session, number, unit, deferred, &program))
        })
        .collect();
    let rebuilt = rebuilt.into_iter().collect::<Result<Vec<Rebuilt>>>()?;
    let waiting: Vec<&UnitFile> = units.iter().filter(|unit| unit.record.deferred.is_some()).collect();
    let mut objects: BTreeMap<&Path, Vec<(&UnitFile, PathBuf)>> = BTreeMap::new();
    let mut refused = false;
    let mut replaced = Replaced::default();
    for (unit, rebuilt) in waiting.into_iter().zip(rebuilt) {
        let mut text = rebuilt.messages;
        if let Some(deferred) = &unit.record.deferred {
            // Regions for a CPU's threads may stay with these without a word.
            let asked = !deferred.constructs.is_empty();
            let mut said =
                if asked { explain(&files, &names, &units, deferred, &program) } else { String::new() };
            if asked && !unit.is_replaceable() {
                said.push_str(&not_replaceable(&names, unit));
            }
            refused |= deferred.warnings_are_errors && !said.is_empty();
            text.extend(said.into_bytes());
        }
        match unit.member {
            Some(_) if !text.is_empty() => replaced.about_members.push((unit.record.id.clone(), text)),
            _ => messages.extend(text),
        }
        if let Some(object) = rebuilt.object {
            objects.entry(&unit.file).or_default().push((unit, object));
        }
    }
    if refused {
        messages.extend(b"accl: error: constructs run on the host, and -Werror makes that an error\n");
        super::show(messages);
        return Err(crate::failure::Said(crate::failure::FAILED).into());
    }
    for (at, (file, objects)) in objects.into_iter().enumerate() {
        let new = match &objects[..] {
            [(UnitFile { member: None, .. }, object)] => object.clone(),
            _ => archive(session, at, file, &objects)?,
        };
        replaced.files.insert(file.to_owned(), new);
    }
    Ok(replaced)
}

fn memmem(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// A unit's new object, if it has one.
struct Rebuilt {
    object: Option<PathBuf>,
    messages: Vec<u8>,
}

fn rebuild(
    session: &Session,
    number: usize,
    file: &UnitFile,
    deferred: &Deferred,
    program: &Arc<Program>,
) -> Result<Rebuilt> {
    let as_it_is = || Ok(Rebuilt { object: None, messages: deferred.messages.clone().into_bytes() });
    let finds = deferred.calls.iter().any(|call| program.available.contains(&call.link_name))
        || !file.record.scratch.is_disjoint(&program.scratch);
    if !file.is_replaceable() || !finds {
        return as_it_is();
    }
    let front = if deferred.cplusplus { Front::Cxx } else { Front::C };
    let mut own = Session::new(front, deferred.words.clone())?;
    own.invocation.mode = Mode::Object;
    let Some(language) = Language::of_option(&deferred.language) else { return as_it_is() };
    let dir = own.scratch.unit(number)?;
    let name = match &file.member {
        Some(member) => member.name.clone(),
        None => format!("{}.o", super::stem(Path::new(&deferred.path))),
    };
    let folder = session.scratch.path().join(format!("whole_program.{number}"));
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create '{}'", folder.display()))?;
    let mut unit = Compilation::new(Path::new(&deferred.path), language, dir, folder.join(name))?;
    let text = Preprocessed { text: deferred.text.as_str().into(), by_gcc: deferred.by_gcc };
    unit.at_link = Some(AtLink { text, others: program.clone() });
    let span = |(start, end): &(u32, u32)| Span::new(FileId(0), *start, *end);
    let constructs: Vec<Span> = deferred.constructs.iter().map(span).collect();
    let mut messages = vec![];
    match unit::rebuild(&own, &unit, &constructs, &mut messages).inspect_err(|_| super::show(&messages))? {
        true => Ok(Rebuilt { object: Some(unit.output.clone()), messages }),
        false if deferred.warnings_are_errors => Err(said(&messages)),
        false => {
            tracing::debug!(unit = deferred.path, messages = %String::from_utf8_lossy(&messages), "stays as it is");
            as_it_is()
        }
    }
}

fn said(messages: &[u8]) -> anyhow::Error {
    super::show(messages);
    crate::failure::Said(crate::failure::FAILED).into()
}

/// A copy of the archive with new objects in place of some members.
fn archive(session: &Session, at: usize, file: &Path, objects: &[(&UnitFile, PathBuf)]) -> Result<PathBuf> {
    let folder = session.scratch.path().join(format!("archive.{at}"));
    std::fs::create_dir_all(&folder)?;
    let copy = folder.join(file.file_name().unwrap_or_default());
    std::fs::copy(file, &copy).with_context(|| format!("cannot copy '{}'", file.display()))?;
    let mut command = Command::new("ar");
    command.arg("rs").arg(&copy).args(objects.iter().map(|(_, object)| object));
    let output = command.output().context("cannot run 'ar'")?;
    if !output.status.success() {
        anyhow::bail!(
            "'ar' cannot change a copy of '{}'\n{}",
            file.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(copy)
}

/// The program of these units.
fn program<'r>(records: impl Iterator<Item = &'r Record>) -> Program {
    let mut units = vec![];
    for exports in records.filter_map(|record| record.exports.as_ref()) {
        if let Ok(module) = Module::from_text(&exports.module) {
            let (addresses, declared) = (exports.addresses.clone(), exports.declared.clone());
            units.push(link::Unit { module, addresses, declared });
        }
    }
    let available = available(&units);
    Program { units, available, scratch: BTreeSet::new() }
}

/// The functions of which everything that they call is there, too.
fn available(units: &[link::Unit]) -> BTreeSet<String> {
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for unit in units {
        for (_, function) in unit.module.functions.iter() {
            let (Some(name), Some(body)) = (&function.link_name, &function.body) else { continue };
            let reached = calls::reached(&unit.module, body, &body.block).into_iter();
            let undefined = reached.map(|f| &unit.module.functions[f]).filter(|f| f.body.is_none());
            let names = undefined.filter_map(|f| f.link_name.clone()).collect();
            needs.entry(name.clone()).or_insert(names);
        }
    }
    loop {
        let known: BTreeSet<String> = needs.keys().cloned().collect();
        needs.retain(|_, names| names.is_subset(&known));
        if needs.len() == known.len() {
            return known;
        }
    }
}

/// Why the constructs of a unit stay as they are.
fn not_replaceable(names: &Names, unit: &UnitFile) -> String {
    let file = names.shown(&unit.file);
    let why = match unit.joined {
        true => {
            format!("{file} was joined from several objects by another linker: use `accl cc -r` for that")
        }
        false => format!("{file} is a thin archive, or several of its members have this name"),
    };
    let path = unit.record.deferred.as_ref().map_or("", |deferred| &deferred.path);
    format!(
        "accl: note: the constructs of '{path}' that call functions of other files run on the host: {why}\n"
    )
}

/// Why calls do not find a function for devices: what would change that stands in the file that defines it.
fn explain(
    files: &[PathBuf],
    names: &Names,
    units: &[UnitFile],
    deferred: &Deferred,
    program: &Program,
) -> String {
    let mut text = String::new();
    let mut told = BTreeSet::new();
    for call in deferred.calls.iter().filter(|call| !program.available.contains(&call.link_name)) {
        if !told.insert(&call.link_name) {
            continue;
        }
        let refused = units.iter().find_map(|unit| {
            let refused = &unit.record.exports.as_ref()?.refused;
            refused.iter().find(|(name, _)| *name == call.link_name).map(|(_, reason)| (unit, reason))
        });
        let missing = missing(&call.link_name, program);
        let why = match (refused, missing, inputs::defining(files, &call.link_name)) {
            (Some((unit, reason)), ..) => {
                format!("{} has no version of it for devices: {reason}", names.shown(&unit.file))
            }
            (_, Some(needed), _) => format!("it calls `{needed}`, of which no file has a version for devices"),
            (_, _, Some(file)) if inputs::is_shared(file) => {
                format!("{} is a shared library, into which device code cannot call", names.shown(file))
            }
            (_, _, Some(file)) => format!("{} defines it for the host alone", names.shown(file)),
            (_, _, None) => {
                "no object and no archive of this command defines it, and device code cannot call into shared libraries"
                    .to_owned()
            }
        };
        text.push_str(&format!(
            "accl: note: {}: `{}` is called for a device; {why}\n",
            call.place, call.name
        ));
    }
    text
}

/// What a function that is there calls, and is not.
fn missing(link_name: &str, program: &Program) -> Option<String> {
    let module = program.units.iter().map(|unit| &unit.module);
    let (module, function) = module.filter_map(|m| Some((m, link::defined(m, link_name)?))).next()?;
    let body = module.functions[function].body.as_ref()?;
    let reached = calls::reached(module, body, &body.block).into_iter().map(|f| &module.functions[f]);
    let mut undefined = reached.filter(|f| f.body.is_none());
    let lacks = |f: &&accl_ir::Function| f.link_name.as_ref().is_some_and(|n| !program.available.contains(n));
    undefined.find(lacks).map(|f| f.name.clone())
}

/// What the user calls the files: objects of this command by their sources.
struct Names(BTreeMap<PathBuf, PathBuf>);

impl Names {
    fn of(session: &Session, compiled: &[PathBuf]) -> Names {
        let sources = session.invocation.sources().map(|(path, _)| path.to_owned());
        Names(compiled.iter().cloned().zip(sources).collect())
    }

    fn shown(&self, file: &Path) -> String {
        format!("'{}'", self.0.get(file).map_or(file, PathBuf::as_path).display())
    }
}
