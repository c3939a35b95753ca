//! One source file, from the command line's name to the object the user asked for.
//!
//! A file with directives is compiled in three steps. The host compiler checks the user's own source and gives its
//! warnings and errors, in its own words, about the text the user wrote. [`compile`] makes the rewritten host
//! source, the kernels for the CPU and the tables with the device sources. Each of these is compiled quietly, since
//! a mistake in them is the compiler's, and `ld -r` makes one object of them.

use super::compile::{self, Compiled, Reading, Source};
use super::fallback::compile_with_fallback;
use super::whole_program::{AtLink, record};
use super::{Session, assembly, depend, exit_code, images, options, stem};
use crate::failure::{FAILED, Said};
use crate::host_compiler::{Family, HostCompiler};
use crate::invocation::{Front, Language, Mode};
use crate::output::PendingFile;
use accl_ir::{RegionKind, Stmt, visit};
use accl_source::{Diagnostic, Span, codes};
use anyhow::{Context, Result};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

pub struct Compilation {
    /// As on the command line; "-" is standard input.
    pub path: PathBuf,
    /// The file that holds it: `path`, or a copy of standard input.
    pub source: PathBuf,
    /// Options it needs beside the user's.
    pub extra: Vec<String>,
    pub language: Language,
    /// Where its intermediate files go.
    pub dir: PathBuf,
    /// The object (or assembly) wanted.
    pub output: PathBuf,
    /// The unit was compiled before: it is compiled again for a program whose other units are known.
    pub at_link: Option<AtLink>,
}

/// The result for a unit, and the messages on the way.
pub struct Built {
    pub messages: Vec<u8>,
    pub outcome: Result<Files, Said>,
}

/// Finished, under temporary names.
pub struct Files {
    pub object: PendingFile,
    /// Dependencies, optimisation record.
    pub beside: Vec<PendingFile>,
}

impl Compilation {
    /// Standard input is read to the end and kept, since it is read more than once.
    pub fn new(path: &Path, language: Language, dir: PathBuf, output: PathBuf) -> Result<Compilation> {
        let mut unit = Compilation {
            path: path.to_owned(),
            source: path.to_owned(),
            extra: vec![],
            language,
            dir,
            output,
            at_link: None,
        };
        if path == Path::new("-") {
            let mut text = "#line 1 \"<stdin>\"\n".to_owned();
            std::io::Read::read_to_string(&mut std::io::stdin(), &mut text)
                .context("cannot read standard input")?;
            unit.source = unit.file(if unit.language.is_cxx() { "cpp" } else { "c" });
            std::fs::write(&unit.source, text)?;
            unit.extra = vec!["-iquote".to_owned(), ".".to_owned()];
        }
        Ok(unit)
    }

    /// The options for a step that reads the user's own source.
    pub fn source_options(&self, session: &Session) -> Vec<String> {
        let mut words = session.extra.clone();
        words.extend(self.extra.iter().cloned());
        words.extend(options::for_source(&session.invocation));
        words
    }

    fn file(&self, suffix: &str) -> PathBuf {
        self.dir.join(format!("{}.{suffix}", stem(&self.path)))
    }
}

pub fn build(session: &Session, unit: &Compilation, reading: Reading) -> Result<Built> {
    let mut messages = vec![];
    let outcome = match reading {
        Reading::Plain => build_plain(session, unit, &mut messages),
        Reading::PlainWithExports(source) => build_with_exports(session, unit, &source, &mut messages),
        Reading::Directives(source) => build_with_directives(session, unit, source, &mut messages),
        Reading::Rejected(why) => rejected(session, unit, &why, &mut messages),
    };
    let outcome = match outcome {
        Ok(files) => Ok(files),
        Err(error) => Err(error.downcast::<Said>()?),
    };
    Ok(Built { messages, outcome })
}

/// The host compiler reports what is wrong with the program; where it finds nothing, clang's messages are shown.
fn rejected(session: &Session, unit: &Compilation, why: &str, messages: &mut Vec<u8>) -> Result<Files> {
    let front = session.front_for(&unit.language);
    check(session.host.run(front, check_words(session, unit), &unit.dir)?, messages)?;
    messages.extend(why.bytes());
    messages
        .extend("accl: note: accl reads programs through clang, which does not accept this one\n".bytes());
    Err(Said(FAILED).into())
}

fn build_plain(session: &Session, unit: &Compilation, messages: &mut Vec<u8>) -> Result<Files> {
    let object = PendingFile::create(&unit.output)?;
    let mut words = unit.source_options(session);
    words.extend(stage(session));
    words.extend(["-o".to_owned(), object.path().display().to_string()]);
    words.extend(unit.language.option().map(|l| format!("-x{l}")));
    words.push(unit.source.display().to_string());
    let output = session.host.run(session.front_for(&unit.language), words, &unit.dir)?;
    check(output, messages)?;
    let beside = depend::write(session, unit)?.into_iter().collect();
    Ok(Files { object, beside })
}

/// The object of a source without directives, and its record.
fn build_with_exports(
    session: &Session,
    unit: &Compilation,
    source: &Source,
    messages: &mut Vec<u8>,
) -> Result<Files> {
    let files = build_plain(session, unit, messages)?;
    // Nothing can be joined to what the linker compiles.
    let late = session.invocation.has_option(|o| o.starts_with("-flto"));
    if late || session.invocation.mode == Mode::Assembly {
        return Ok(files);
    }
    let tables = unit.file("record.c");
    write(&tables, &record::of_exports(source)?)?;
    let words = options::for_tables(session);
    let (compiler, front, language) = (&session.host, Front::C, Language::C);
    let made = tables.with_extension("o");
    Step { compiler, front, words, language, file: tables }.run(unit, &made)?;
    let plain = unit.file("plain.o");
    std::fs::copy(files.object.path(), &plain)?;
    merge(session, unit, &[plain, made], files.object.path())?;
    Ok(files)
}

fn build_with_directives(
    session: &Session,
    unit: &Compilation,
    source: Box<Source>,
    messages: &mut Vec<u8>,
) -> Result<Files> {
    let front = session.front_for(&unit.language);
    let words = match source.unit.needs_buffer {
        true => check_words_of_buffer(session, unit, &source.unit.buffer)?,
        false => check_words(session, unit),
    };
    // The first of the two stays on this thread, which knows what it has parsed.
    let (compiled, checked) = rayon::join(
        || compile_with_fallback(session, unit, source),
        || session.host.run(front, words, &unit.dir),
    );
    check(checked?, messages)?;
    let compiled = compiled?;
    compile::show_messages(session, &compiled, messages);
    if compiled.has_errors() {
        return Err(Said(FAILED).into());
    }
    let object = PendingFile::create(&unit.output)?;
    make_object(session, unit, &compiled, object.path(), messages)?;
    let mut beside: Vec<PendingFile> = depend::write(session, unit)?.into_iter().collect();
    if session.invocation.acc.record {
        let record = PendingFile::create(&unit.output.with_extension("accl.json"))?;
        std::fs::write(record.path(), compiled.remarks_json())?;
        beside.push(record);
    }
    Ok(Files { object, beside })
}

/// The host compiler's check of the user's own text.
fn check_words(session: &Session, unit: &Compilation) -> Vec<String> {
    let mut words = unit.source_options(session);
    if options::translates_openmp(session) {
        // Constructs for devices may be newer than the host compiler; it sees the others in the text that it compiles.
        words.retain(|w| !w.starts_with("-fopenmp"));
        words.push("-D_OPENMP=201511".to_owned());
    }
    if session.host.family == Family::Clang {
        words.insert(0, accl_frontend::BRACKET_DEPTH.to_owned());
    }
    // Clang complains that options for the assembler are unused.
    words.retain(|w| !w.starts_with("-Wa,"));
    words.extend(["-Wno-unknown-pragmas".to_owned(), "-fsyntax-only".to_owned()]);
    words.extend(unit.language.option().map(|l| format!("-x{l}")));
    words.push(unit.source.display().to_string());
    words
}

/// The same for the text that the front end made of it.
fn check_words_of_buffer(session: &Session, unit: &Compilation, buffer: &str) -> Result<Vec<String>> {
    let language = unit.language.preprocessed();
    let file = unit.file(if language.is_cxx() { "check.ii" } else { "check.i" });
    write(&file, buffer)?;
    let mut words = options::for_gcc(session);
    words.retain(|w| !w.starts_with("-fopenmp") && !w.starts_with("-Wa,"));
    words.push("-fsyntax-only".to_owned());
    words.extend(language.option().map(|l| format!("-x{l}")));
    words.push(file.display().to_string());
    Ok(words)
}

fn stage(session: &Session) -> Option<String> {
    match session.invocation.mode {
        Mode::Assembly => Some("-S".to_owned()),
        Mode::Object | Mode::Link | Mode::Inform => Some("-c".to_owned()),
    }
}

/// Prints what the compiler said; fails where it failed.
fn check(output: Output, messages: &mut Vec<u8>) -> Result<()> {
    messages.extend(output.stdout);
    messages.extend(output.stderr);
    if output.status.success() { Ok(()) } else { Err(Said(exit_code(output.status)).into()) }
}

/// Compiles the three generated sources and merges them.
fn make_object(
    session: &Session,
    unit: &Compilation,
    compiled: &Compiled,
    object: &Path,
    messages: &mut Vec<u8>,
) -> Result<()> {
    let language = unit.language.preprocessed();
    let host = unit.file(if language.is_cxx() { "host.ii" } else { "host.i" });
    // Compilers take the program's name for debuggers from the first line.
    let first = format!("# 1 \"{}\"\n", unit.path.display().to_string().replace(['\\', '"'], "_"));
    let is_cxx = language.is_cxx();
    let write_host = |threads: bool| {
        let text = compile::rewritten(session, compiled, is_cxx, threads)?;
        write(&host, &format!("{first}{text}"))
    };
    write_host(true)?;
    let front = session.front_for(&unit.language);
    let by_gcc = compiled.source.unit.by_gcc;
    let host_compiler = if by_gcc { &session.host } else { &session.clang };
    let mut words = if by_gcc { options::for_gcc(session) } else { options::for_host(session) };
    words.extend(compiled.source.unit.ignores_access.then(|| accl_frontend::IGNORE_ACCESS.to_owned()));
    words.push("-c".to_owned());
    let tables = unit.file("device.c");
    write(&tables, &device_data(session, unit, compiled, messages)?)?;
    let compiler = &session.host;
    let c = |words, file| Step { compiler, front: Front::C, words, language: Language::C, file };
    let mut steps = vec![
        Step { compiler: host_compiler, front, words, language, file: host.clone() },
        c(options::for_tables(session), tables),
    ];
    if let Some(text) = &compiled.device.cpu {
        let kernels = unit.file("kernels.c");
        write(&kernels, text)?;
        steps.push(c(options::for_kernels(session, &compiled.source.unit.module), kernels));
    }
    let assembly = session.invocation.mode == Mode::Assembly;
    if assembly {
        steps.iter_mut().for_each(Step::stop_at_assembly);
    }
    let suffix = if assembly { "s" } else { "o" };
    let made: Vec<PathBuf> = steps.iter().map(|step| step.file.with_extension(suffix)).collect();
    let refused = OnceLock::new();
    let has_threads = compiled.source.unit.module.host_copies.values().any(|copies| copies.threads.is_some());
    let done = steps.par_iter().zip(&made).try_for_each(|(step, made)| match step.run(unit, made) {
        // No compiler takes all that is right in OpenMP.
        Err(reason) if has_threads && step.file == host => {
            write_host(false)?;
            step.run(unit, made)?;
            refused.get_or_init(|| reason.to_string());
            Ok(())
        }
        done => done,
    });
    if let Some(reason) = refused.get()
        && may_run_on_host(compiled)
    {
        let message = "the host's compiler refuses the file's constructs with threads of the host";
        let said = reason.lines().find(|line| line.contains(": error: ")).unwrap_or_default();
        let warning = Diagnostic::warning(codes::frontend::IN_ORDER, message)
            .with_note("where the host runs such a construct, one thread does")
            .with_note(said.to_owned());
        compile::show(session, compiled.files(), &[warning], &[], messages);
    }
    if done.is_err() && options::translates_openmp(session) {
        // The check of the user's own text did not see OpenMP's constructs that the host runs. gcc finds what stands where it may
        // not only when it compiles.
        let mut words = check_words(session, unit);
        words.retain(|w| w != "-fsyntax-only");
        words.extend(["-fopenmp", "-S", "-o", "/dev/null"].map(str::to_owned));
        check(session.host.run(front, words, &unit.dir)?, messages)?;
    }
    done?;
    if assembly {
        let read = |file: &PathBuf| std::fs::read_to_string(file);
        let parts = made.iter().map(read).collect::<std::io::Result<Vec<_>>>()?;
        return write(object, &assembly::joined(&parts));
    }
    merge(session, unit, &made, object)
}

/// A construct is the host's, or a condition may make it so.
fn may_run_on_host(compiled: &Compiled) -> bool {
    let mut found = false;
    for (_, function) in compiled.source.unit.module.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Region(r) = &node.kind {
                let condition = r.clauses.if_.as_ref().map_or("", |c| &*c.text);
                found |=
                    r.kind == RegionKind::OnHost || condition.contains(" && (") || condition.contains(" ? ");
            }
        });
    }
    found
}

/// The object of a unit that is compiled again when its program is linked; none where that fails.
pub fn rebuild(
    session: &Session,
    unit: &Compilation,
    deferred: &[Span],
    messages: &mut Vec<u8>,
) -> Result<bool> {
    let Reading::Directives(source) = compile::read(session, unit, None)? else { return Ok(false) };
    let mut compiled = compile_with_fallback(session, unit, source)?;
    compiled.keep_messages_of(deferred);
    compile::show_messages(session, &compiled, messages);
    if compiled.diagnostics.iter().any(|d| d.code == codes::driver::INTERNAL) {
        return Err(Said(FAILED).into());
    }
    if compiled.has_errors() {
        return Ok(false);
    }
    make_object(session, unit, &compiled, &unit.output, messages)?;
    Ok(true)
}

fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write '{}'", file.display()))
}

/// The C file with the device sources and binaries. The sources are files too, for nvcc and for `--keep`.
fn device_data(
    session: &Session,
    unit: &Compilation,
    compiled: &Compiled,
    messages: &mut Vec<u8>,
) -> Result<String> {
    let device = &compiled.device;
    let mut made = vec![];
    if let Some(text) = &device.cuda {
        let file = unit.file("cu");
        write(&file, text)?;
        made = images::make(session, &file, messages)?;
    }
    if let Some(text) = &device.opencl {
        write(&unit.file("cl"), text)?;
    }
    let bytes = made.iter().map(|image| std::fs::read(&image.path)).collect::<std::io::Result<Vec<_>>>()?;
    let images: Vec<accl_host::DeviceImage<'_>> = made
        .iter()
        .zip(&bytes)
        .map(|(image, bytes)| accl_host::DeviceImage { arch: &image.arch, bytes })
        .collect();
    let index64 = compiled.index64.as_ref();
    for (text, suffix) in index64.iter().flat_map(|s| [(&s.cuda, "index64.cu"), (&s.opencl, "index64.cl")]) {
        text.iter().try_for_each(|text| write(&unit.file(suffix), text))?;
    }
    let data =
        accl_host::DeviceData { sources: sources(device), images: &images, index64: index64.map(sources) };
    let module = &compiled.source.unit.module;
    let tables = accl_host::device_data_c(&module.file, &compiled.source.id(), &data);
    Ok(tables + &record::assembly(session, unit, compiled)?)
}

fn sources(device: &compile::DeviceSources) -> accl_host::Sources<'_> {
    accl_host::Sources { cuda: device.cuda.as_deref(), opencl: device.opencl.as_deref() }
}

/// One run of a compiler over a generated text.
struct Step<'a> {
    compiler: &'a HostCompiler,
    front: Front,
    words: Vec<String>,
    language: Language,
    file: PathBuf,
}

impl Step<'_> {
    /// Only the host program has lines of the user's for debuggers: the file numbers in it are the file's own.
    fn stop_at_assembly(&mut self) {
        let host = self.language.is_preprocessed();
        self.words.retain(|w| w != "-c" && (host || !w.starts_with("-g")));
        self.words.push("-S".to_owned());
    }

    /// A mistake in such a text is the compiler's.
    fn run(&self, unit: &Compilation, object: &Path) -> Result<()> {
        let mut words = self.words.clone();
        words.extend(["-o".to_owned(), object.display().to_string()]);
        words.extend(self.language.option().map(|l| format!("-x{l}")));
        words.push(self.file.display().to_string());
        let output = self.compiler.run(self.front, words, &unit.dir)?;
        if output.status.success() {
            return Ok(());
        }
        anyhow::bail!(
            "internal error: the host compiler refuses what accl made of '{}': this is a bug in accl, not in \
             your program; please report it with the files that --keep DIR leaves\n{}",
            unit.path.display(),
            String::from_utf8_lossy(&output.stderr).trim_end()
        )
    }
}

fn merge(session: &Session, unit: &Compilation, objects: &[PathBuf], merged: &Path) -> Result<()> {
    let mut words = options::for_merging(session);
    words.extend(["-o".to_owned(), merged.display().to_string()]);
    words.extend(objects.iter().map(|o| o.display().to_string()));
    let output = session.host.run(Front::C, words, &unit.dir)?;
    if output.status.success() {
        return Ok(());
    }
    anyhow::bail!(
        "cannot merge the objects of '{}'\n{}",
        unit.path.display(),
        String::from_utf8_lossy(&output.stderr).trim_end()
    )
}
