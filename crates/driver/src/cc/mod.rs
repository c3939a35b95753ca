//! `accl cc` and `accl c++`, used in place of a C or C++ compiler.
//!
//! 1. Read the command line. Where nothing is to be compiled (`-v`, `-E`, `--version`), become the host
//!    compiler.
//! 2. Compile the sources, each on its own and in parallel: see [`unit`]. A source without directives
//!    goes to the host compiler as it is; if none has any, the whole command line does.
//! 3. Link, with the runtime after the user's libraries: see [`link`].

mod assembly;
mod clocks;
mod compile;
mod depend;
mod fallback;
mod host_memory;
mod images;
mod link;
mod options;
mod port;
pub mod recorded;
mod unit;
mod whole_program;

use crate::failure::{FAILED, Said};
use crate::host_compiler::HostCompiler;
use crate::installation;
use crate::invocation::{self, Front, Invocation, Item, Language, Mode, UsageError};
use crate::output::Scratch;
use anyhow::Result;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use unit::Built;

/// The version of OpenACC the compiler implements, as `_OPENACC` says it.
const OPENACC_VERSION: &str = "-D_OPENACC=202211";

/// What every step of one command uses.
pub struct Session {
    pub invocation: Invocation,
    pub host: HostCompiler,
    pub scratch: Scratch,
    /// `-isystem …`, `-D_OPENACC=…`: what directives add to the arguments of the host compiler.
    pub extra: Vec<String>,
    /// The folder of `openacc.h`.
    pub include_dir: Option<PathBuf>,
    /// The clang that compiles rewritten sources: they were preprocessed by clang, with its headers.
    pub clang: HostCompiler,
    /// The command line.
    pub words: Vec<String>,
}

impl Session {
    pub fn new(front: Front, words: Vec<String>) -> Result<Session> {
        let words = invocation::expand(words);
        let mut invocation = invocation::parse(front, words.clone())?;
        invocation.name_standard();
        let host = HostCompiler::find(&invocation)?;
        let scratch = Scratch::new(invocation.acc.keep.as_deref())?;
        let clang = host.clang();
        let mut session =
            Session { invocation, host, scratch, extra: vec![], include_dir: None, clang, words };
        if session.invocation.sources().next().is_some() {
            for note in &session.invocation.acc.notes {
                eprintln!("accl: note: {note}");
            }
            let include = installation::include_dir(session.scratch.path())?;
            // Clang calls these unused where nothing is preprocessed.
            if session.invocation.sources().any(|(_, language)| !language.is_preprocessed()) {
                session.extra = vec!["-isystem".to_owned(), include.display().to_string()];
                // Without directives a program may still call the routines of openacc.h.
                session.extra.extend(session.invocation.acc.enabled.then(|| OPENACC_VERSION.to_owned()));
            }
            session.include_dir = Some(include);
        }
        Ok(session)
    }

    /// Whether this unit alone becomes a program: other objects could call its functions and name its variables.
    pub fn makes_program_of(&self, unit: &Compilation) -> bool {
        let joins = self.invocation.items.iter().any(|item| matches!(item, Item::Object(_)));
        let library = self.invocation.has_option(|o| o == "-shared");
        self.invocation.mode == Mode::Link && !joins && !library && self.is_one_file(unit)
    }

    /// Whether the file is the whole program, as far as the command tells.
    pub fn is_one_file(&self, unit: &Compilation) -> bool {
        let text = std::fs::read(&unit.source).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        self.invocation.sources().count() == 1 && words.any(|word| word == "main")
    }

    /// The compiler for a language: `c++` compiles everything as C++, `cc` follows the file.
    pub fn front_for(&self, language: &Language) -> Front {
        if language.is_cxx() { Front::Cxx } else { self.invocation.front }
    }
}

pub use compile::{Reading, Source, printer, read, render_options, show_messages, transform_options};
pub use fallback::compile_with_fallback;
pub use options::signed_integers_wrap;
pub use port::{Ported, added_directives, ported};
pub use unit::Compilation;

pub fn run(front: Front, words: Vec<String>) -> Result<u8> {
    let session = Session::new(front, recorded::take_part(front, words))?;
    let invocation = &session.invocation;
    for word in invocation.options(|_| true) {
        if word == "--version" {
            return version(&session);
        }
    }
    if invocation.mode == Mode::Inform || invocation.verbose && !invocation.has_inputs() {
        return inform(session);
    }
    if !invocation.has_inputs() {
        return Err(crate::failure::NoInput.into());
    }
    if !invocation.acc.enabled || invocation.sources().next().is_none() {
        return pass_through(session);
    }
    compile_and_link(session)
}

/// The host compiler's lines come first, since configure and CMake look there.
fn version(session: &Session) -> Result<u8> {
    let front = session.invocation.front;
    let output = session.host.run(front, session.invocation.host_words(), session.scratch.path())?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    println!("accl {} (OpenACC), in front of {}", env!("CARGO_PKG_VERSION"), session.host.program(front));
    Ok(exit_code(output.status))
}

/// Preprocessing and questions. The header's folder must live as long as the host compiler runs, so
/// this waits for it where a source is involved.
fn inform(session: Session) -> Result<u8> {
    let words = with_extra(&session, session.invocation.host_words());
    if session.extra.is_empty() {
        return become_host_compiler(session, words);
    }
    run_attached(&session, words)
}

/// The host compiler does all the work, and the runtime is available for objects that need it.
fn pass_through(session: Session) -> Result<u8> {
    if session.invocation.mode == Mode::Link && session.invocation.acc.enabled {
        let mut messages = vec![];
        let replaced = whole_program::complete(&session, &[], &mut messages)?;
        show(&messages);
        if !replaced.is_empty() {
            return link::link_files(&session, &[], &replaced);
        }
    }
    by_host_compiler(session)
}

fn by_host_compiler(session: Session) -> Result<u8> {
    let words = link::with_runtime(&session, with_extra(&session, session.invocation.host_words()));
    let uses_scratch = words.iter().any(|w| Path::new(w).starts_with(session.scratch.path()));
    if session.extra.is_empty() && !uses_scratch {
        return become_host_compiler(session, words);
    }
    run_attached(&session, words)
}

/// No code of this process runs afterwards, so its temporary files are removed first.
fn become_host_compiler(session: Session, words: Vec<String>) -> Result<u8> {
    let Session { invocation, host, scratch, .. } = session;
    drop(scratch);
    Err(host.replace_process(invocation.front, words))
}

/// The options that accl adds come first, so that `-x c -` and inputs keep their positions.
fn with_extra(session: &Session, words: Vec<String>) -> Vec<String> {
    session.extra.iter().cloned().chain(words).collect()
}

/// Runs the host compiler with the standard streams of this process.
fn run_attached(session: &Session, words: Vec<String>) -> Result<u8> {
    let status = session.host.status(session.invocation.front, words, session.scratch.path())?;
    if !status.success() {
        link::explain_missing_runtime(session);
    }
    Ok(exit_code(status))
}

fn exit_code(status: std::process::ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, Some(signal)) => 128 + signal as u8,
        (None, None) => FAILED,
    }
}

fn compile_and_link(session: Session) -> Result<u8> {
    let units = plan(&session)?;
    let read: Vec<Result<Reading>> = units.par_iter().map(|unit| read(&session, unit, None)).collect();
    let read = read.into_iter().collect::<Result<Vec<Reading>>>()?;
    let plain = read.iter().all(|r| matches!(r, Reading::Plain));
    if plain && units.iter().all(|u| u.path != Path::new("-")) && !whole_program::is_needed(&session) {
        return by_host_compiler(session);
    }
    let built: Vec<Result<Built>> =
        units.par_iter().zip(read).map(|(unit, read)| unit::build(&session, unit, read)).collect();
    let mut files = vec![];
    let mut failed = None;
    for built in built {
        match built {
            Ok(built) => {
                show(&built.messages);
                match built.outcome {
                    Ok(output) => files.push(output),
                    Err(Said(code)) => failed = failed.max(Some(code)),
                }
            }
            Err(error) => failed = failed.max(Some(crate::failure::report(&error))),
        }
    }
    if let Some(code) = failed {
        return Ok(code);
    }
    let mut objects = vec![];
    for file in files {
        for beside in file.beside {
            beside.commit()?;
        }
        objects.push(file.object);
    }
    if session.invocation.mode == Mode::Link {
        return link::link(&session, &objects);
    }
    for object in objects {
        object.commit()?;
    }
    Ok(0)
}

pub fn show(messages: &[u8]) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), messages);
}

/// One unit for each source, with the path of its result.
pub fn plan(session: &Session) -> Result<Vec<Compilation>> {
    let invocation = &session.invocation;
    let count = invocation.sources().count();
    if invocation.mode != Mode::Link && invocation.output.is_some() && count > 1 {
        return Err(UsageError("cannot specify '-o' with '-c' or '-S' and several files".to_owned()).into());
    }
    let mut units = vec![];
    for (index, (path, language)) in invocation.sources().enumerate() {
        let dir = session.scratch.unit(index)?;
        let output = match (invocation.mode, &invocation.output) {
            (Mode::Link, _) => dir.join(format!("{}.{index}.o", stem(path))),
            (_, Some(file)) => file.clone(),
            (Mode::Assembly, None) => PathBuf::from(format!("{}.s", stem(path))),
            (_, None) => PathBuf::from(format!("{}.o", stem(path))),
        };
        units.push(Compilation::new(path, language.clone(), dir, output)?);
    }
    Ok(units)
}

/// The name of a source without folder and suffix.
pub fn stem(path: &Path) -> String {
    if path == Path::new("-") {
        return "stdin".to_owned();
    }
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether `item` is a source the driver compiles itself.
fn is_unit(item: &Item) -> bool {
    matches!(item, Item::Source { language, .. } if language.may_hold_directives())
}
