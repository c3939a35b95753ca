//! Clang: finding it, running it, reading its syntax tree. No other module knows it.
//!
//! It runs twice. `-E` gives the preprocessed buffer; `-ast-dump=json` of that same buffer gives the tree, whose
//! offsets are therefore offsets in the buffer. Neither run sees `-fopenacc` or `-fopenmp`: they would make the
//! dump ten times as large and add nothing, since it contains no clauses.
//!
//! The crate `clang-ast` is not used: its node type reads every child it meets, while this reader saves time by
//! skipping whole declarations of system headers unread (see `stream`).

mod atomics;
mod classes;
mod constructors;
mod decls;
mod depth;
mod exprs;
mod foreign;
mod json;
mod lambdas;
mod library;
mod outline;
mod stmts;
mod stream;
mod templates;
pub(crate) mod tokens;
mod types;

pub(crate) use decls::instances::UNKNOWN_ARGUMENT;
pub(crate) use library::element_of;
pub(crate) use stmts::{accl_ir_wrap as wrap, fold};
pub(crate) use stream::DEEPEST;
pub(crate) use types::builtin_type;

use crate::ast::Program;
use crate::{Error, Language};
use accl_source::{FileId, LineMap, Span};
use classes::Shown;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use stream::{Choice, Head};

/// The program to run, and its arguments besides the source.
#[derive(Clone, Debug)]
pub struct Clang {
    pub program: PathBuf,
    pub language: Language,
}

const NAMES: [&str; 7] = ["clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"];

/// The clang asked for, else `ACCL_CLANG`, else the first on PATH.
pub fn find(asked: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(path) = asked {
        return Ok(path.to_owned());
    }
    if let Some(path) = std::env::var_os("ACCL_CLANG").filter(|p| !p.is_empty()) {
        return Ok(path.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = NAMES
        .iter()
        .find_map(|name| std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file()));
    found.ok_or(Error::NoClang)
}

/// Clang's own limit is 256. Deeper nesting is limited only by the stack, which the driver makes large.
pub const BRACKET_DEPTH: &str = "-fbracket-depth=1000000";

impl Clang {
    /// Runs the preprocessor. Returns its output, and what it wrote to standard error.
    pub fn preprocess(&self, file: &Path, args: &[String], overlay: Option<&Path>) -> Result<String, Error> {
        let mut command = Command::new(&self.program);
        // Warnings about the user's text come from the host compiler, which reads that text itself.
        command.arg("-E").args(args).args(["-Qunused-arguments", "-w", "-Wno-everything"]);
        if let Some(overlay) = overlay {
            command.arg("-ivfsoverlay").arg(overlay);
        }
        command.arg("-x").arg(self.language.name()).arg(file).stdin(Stdio::null());
        let output = command.output().map_err(|e| self.not_run(e))?;
        if !output.status.success() {
            return Err(Error::Clang(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        Ok(text(output.stdout))
    }

    /// The program in the buffer. `foreign`: gcc's system headers are in it.
    pub fn parse(
        &self,
        buffer: &str,
        args: &[String],
        file: FileId,
        lines: &LineMap,
        is_foreign: bool,
    ) -> Result<Program, Error> {
        let known = match self.language {
            Language::Cxx => classes::used(buffer, lines),
            Language::C => vec![],
        };
        let parse = |shown: &str, read: &[Shown]| {
            self.parse_shown(shown, read, buffer, args, file, lines, is_foreign)
        };
        let mut wanted = Some(known);
        while let Some(known) = wanted.take().filter(|known| !known.is_empty()) {
            for shown in outline::of(buffer, lines) {
                let Some(shown) = classes::shown(&shown, &known) else { break };
                match parse(&shown, &known) {
                    Err(Error::Clang(messages)) => {
                        tracing::debug!(%messages, "with classes of the library");
                        wanted =
                            wanted.or_else(|| classes::accepted(&known, lines, &foreign::places(&messages)));
                    }
                    other => return other,
                }
            }
        }
        let parse = |shown: &str| parse(shown, &[]);
        let mut messages = String::new();
        for shown in outline::of(buffer, lines) {
            match parse(&shown) {
                Err(Error::Clang(rejected)) => messages = rejected,
                other => return other,
            }
            // What only gcc understands may stand in functions that no construct needs.
            if is_foreign
                && let errors = foreign::places(&messages)
                && let Some(accepted) = outline::without_errors(&shown, buffer, lines, &errors)
                && let Ok(program) = parse(&accepted.text)
                && accepted.shows_all_uses(&program)
            {
                return Ok(program);
            }
        }
        Err(Error::Clang(messages))
    }

    /// `shown`: the text that clang reads, with every position as in the buffer. `read`: what is read of namespaces in system headers.
    #[expect(clippy::too_many_arguments, reason = "they belong to one text")]
    fn parse_shown(
        &self,
        shown: &str,
        read: &[Shown],
        buffer: &str,
        args: &[String],
        file: FileId,
        lines: &LineMap,
        is_foreign: bool,
    ) -> Result<Program, Error> {
        let shown = if is_foreign { foreign::as_clang_has_it(shown) } else { shown.into() };
        let limit: &[&str] = if is_foreign { &["-ferror-limit=0"] } else { &[] };
        let mut child = Command::new(&self.program)
            .arg(BRACKET_DEPTH)
            .args(args.iter().filter(|arg| !arg.starts_with("-fopenmp")))
            .args(["-fsyntax-only", "-Wno-everything", "-Qunused-arguments", "-Xclang", "-ast-dump=json"])
            .args(limit)
            .args(["-x", self.language.preprocessed_name(), "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| self.not_run(e))?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut converter = decls::Converter::new(file, buffer, lines, read, self.language == Language::Cxx);
        let system = if is_foreign { foreign::system_headers(buffer, lines) } else { BTreeSet::new() };
        let ours: BTreeSet<(&str, u32)> = read.iter().map(|shown| shown.line(lines)).collect();
        // Clang has said all that is wrong before it prints the tree of a rejected program, which nobody needs.
        let is_rejected = AtomicBool::new(false);
        let (read, messages) = std::thread::scope(|scope| {
            // Clang may stop reading early; its messages say why.
            scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(shown.as_bytes())));
            let (system, is_rejected) = (&system, &is_rejected);
            let is_ours =
                |line: &str| foreign::place(line).is_some_and(|at| ours.iter().any(|our| *our == at));
            let messages = scope.spawn(move || {
                read_lines(stderr, |line| {
                    let is_known = |line: &str| foreign::is_in(line, system) && !is_ours(line);
                    let rejects = foreign::is_error(line) && !is_known(line);
                    is_rejected.fetch_or(rejects, Ordering::Relaxed);
                })
            });
            let choose = |head: Head<'_>| match is_rejected.load(Ordering::Relaxed) {
                true => Choice::Stop,
                false => choose(head, lines, read),
            };
            // The pipe is closed where reading stops, which ends clang.
            let read = stdout.map(|pipe| {
                let input = BufReader::with_capacity(1 << 18, pipe);
                let take = |node: json::Node<'_>| match node.loc.offset() {
                    Some(at) if read.iter().any(|shown| shown.contains(at)) => converter.library_decl(&node),
                    _ => converter.decl(&node),
                };
                stream::declarations(input, choose, take)
            });
            (read, messages.join().unwrap_or_default())
        });
        let status = child.wait().map_err(|e| self.not_run(e))?;
        if let Some(Err(stream::Error::TooDeep(offset))) = read {
            return Err(Error::TooDeep(Span::new(file, offset.unwrap_or(0), offset.unwrap_or(0) + 1)));
        }
        if is_rejected.into_inner() {
            return Err(Error::Clang(messages));
        }
        let forgiven = || is_foreign && foreign::only_in_system_headers(&messages, &system);
        // Clang's driver reports a crash of the compiler proper as a shell does.
        if status.signal().is_some() || status.code().is_some_and(|code| code >= 128) {
            return Err(Error::Crashed(status.to_string()));
        }
        if !status.success() && !forgiven() {
            return Err(Error::Clang(messages));
        }
        read.transpose().map_err(|e| Error::Dump(e.to_string()))?;
        Ok(converter.finish())
    }

    fn not_run(&self, error: std::io::Error) -> Error {
        Error::Run { program: self.program.display().to_string(), error: error.to_string() }
    }
}

/// The first error in the user's text that the messages tell of: file, line and what is wrong.
pub fn first_error<'a>(messages: &'a str, buffer: &str, lines: &LineMap) -> Option<(&'a str, u32, &'a str)> {
    let system = foreign::system_headers(buffer, lines);
    let error = messages.lines().find(|line| foreign::is_error(line) && !foreign::is_in(line, &system))?;
    let (path, line) = foreign::place(error)?;
    Some((path, line, error.split_once(" error: ")?.1))
}

/// A compiler's output.
pub fn text(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => escaped(error.as_bytes()),
    }
}

/// Bytes that are not UTF-8 stand in literals, since comments are gone; as octal escapes they mean the same.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 64);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|b| text.push_str(&format!("\\{b:03o}")));
    }
    text
}

/// All that comes from the pipe, of which `look` sees each line when it is there.
fn read_lines(pipe: Option<impl Read>, mut look: impl FnMut(&str)) -> String {
    let mut text = String::new();
    let Some(mut pipe) = pipe.map(BufReader::new) else { return text };
    let mut line = vec![];
    while matches!(pipe.read_until(b'\n', &mut line), Ok(1..)) {
        let read = String::from_utf8_lossy(&line);
        look(&read);
        text.push_str(&read);
        line.clear();
    }
    text
}

/// All of the user's files; of system headers the types, from which the user's types are made, and what is to be `read` of their
/// namespaces.
fn choose(head: Head<'_>, lines: &LineMap, read: &[Shown]) -> Choice {
    let Some(offset) = head.offset else { return Choice::Skip };
    if !lines.is_system(offset) || read.iter().any(|shown| shown.contains(offset)) {
        return Choice::Read;
    }
    match head.kind {
        "NamespaceDecl" if !read.is_empty() => Choice::OpenNamespace,
        "LinkageSpecDecl" => Choice::Open,
        _ if head.in_namespace => Choice::Skip,
        "TypedefDecl" | "TypeAliasDecl" | "RecordDecl" | "CXXRecordDecl" | "EnumDecl" => Choice::Read,
        _ => Choice::Skip,
    }
}
