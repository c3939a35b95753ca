//! The front end: a C or C++ source file becomes an [`ir::Module`](accl_ir::Module).
//!
//! The way of the data, each step a module:
//!
//! 1. `preprocess`: one buffer, macros expanded, inside directives too;
//! 2. `pragmas`: the directives in the buffer, parsed by `accl-directives`;
//! 3. `clang`: the buffer's syntax tree, converted to our own `ast`;
//!    (templates that hold regions get explicit specialisations, `specialize`, and are read again);
//! 4. `bind`: each directive finds its statement or declaration;
//! 5. `lower`: functions with directives, and those their regions call, become IR.
//!
//! A file without directives stops after step 2. User mistakes are diagnostics in [`TranslationUnit`]; an [`Error`]
//! means that there is nothing to look at: no Clang, or a program Clang rejects.
//!
//! # What it makes of the host compiler and of C++
//!
//! Where gcc is the host compiler it preprocesses too, and compiles the edited buffer itself. Clang still reads
//! it (`clang::foreign`): words of gcc's get names of the same length that clang has, and what clang does not
//! like in system headers does not matter. If it cannot read the user's own text so, clang preprocesses and
//! compiles it.
//!
//! Templates that hold regions are written out before lowering, each instantiation a function of its own
//! (`specialize`; local classes that it has to name move before their functions first, `local_classes`); those that are
//! given lambdas, whose types have no names, where they are called (`given`). Where a construct calls through a pointer, the host
//! chooses between constructs that call functions by their names (`function_pointers`). A
//! lambda's object never exists on the device: a call of one becomes its body (`lower::lambda`), so analysis
//! sees through it. `memset` and its like are loops from here on.
//!
//! Declarations in namespaces of system headers are never read, so what device code has of the C++ library is
//! known by name: `std::complex`, `array`, `pair` and `tuple` become structures with the library's layout
//! (`clang::library`), and calls of their functions arithmetic and accesses (`lower::library`,
//! `lower::complex`, which C's `_Complex` shares). `std::span`, `optional` and `bitset` are read as classes of our own, which clang
//! is shown in their places (`clang::classes`). Where the host needs a part of such an object whose name the
//! library keeps to itself, it takes what lies at its place (`ir::Field::named`).
//!
//! A value is evaluated where it is used. What C++ evaluates in between and may change it makes the front end
//! keep it in a temporary (`lower::order`, the order of C++17); what is done with an object that a condition
//! chooses becomes a choice between two statements or values (`lower::choice`), since the two may lie in
//! memories that no one pointer of OpenCL's reaches.
//!
//! The front end has its own streaming reader of the syntax tree, because it skips system headers unread, which
//! `clang-ast` cannot do. Clang is shown system headers without the bodies of their functions (`clang::outline`),
//! which halves its time.
//!
//! A dump is indented, so its size grows with the square of a tree's depth: what is deeper than 4,000 levels is
//! refused (ACCL0240), unless it is a function that can be left out.

mod ast;
mod bind;
mod bit_fields;
mod clang;
mod closures;
mod explicit_data;
mod function_pointers;
mod function_values;
mod given;
mod library;
mod local_classes;
mod lower;
mod openmp_words;
mod openmpc;
mod own_names;
mod parsed;
mod pragmas;
mod preprocess;
mod resolve;
mod schedules;
mod specialize;

pub use accl_directives::DeviceKind;
pub use clang::BRACKET_DEPTH;
pub use explicit_data::{ConstructData, DataWords, Map, UnknownSection, readable_section};
pub use lower::{Exports, Externals, Undefined};
pub use openmpc::{OnCpu as RegionsOnCpu, Pieces, Port, RegionLines as TranslatedRegion, TextEdit};
pub use openmpc::{Settings as OpenMpcSettings, SharedLoop, UserDirective, Wishes};

use accl_ir::Module;
use accl_source::{Diagnostic, FileId, LineMap, Remark, Span, codes};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The clang to run; else `ACCL_CLANG`, else the first on PATH.
    pub clang: Option<PathBuf>,
    /// The user's options for the preprocessor and the language: `-I`, `-D`, `-U`, `-include`, `-std=`, …
    pub args: Vec<String>,
    /// `None`: by the file's extension.
    pub language: Option<Language>,
    /// Searched after the user's; our `openacc.h` is there.
    pub include_dirs: Vec<PathBuf>,
    /// The name spans give to the buffer.
    pub file_id: Option<FileId>,
    /// The gcc that will compile the host program, and so preprocesses it. Where clang cannot read what it makes,
    /// clang preprocesses, and has to compile it too.
    pub gcc: Option<Gcc>,
    /// The program is for this kind of device alone: clauses for others are left out.
    pub only_device: Option<DeviceKind>,
    /// OpenMP's device constructs are translated.
    pub openmp: bool,
    /// OpenACC is asked for by name, so that its directives are followed next to OpenMP's, too.
    pub openacc: bool,
    /// Where in the buffer the directives of compute constructs end that the host runs, since they cannot be translated.
    pub on_host: Vec<u32>,
    /// What constructs use without data clauses is brought to the device while the program runs (`-gpu=autodata`).
    pub auto_data: bool,
    /// The loops of OpenMP's parallel regions run on the device, but for regions that later stages refused.
    pub openmpc: Option<RegionsOnCpu>,
    /// What users ask of OpenMPC's loops.
    pub openmpc_settings: OpenMpcSettings,
    /// OpenMPC's result is to be read by people and other compilers.
    pub port: Option<Port>,
    /// The file has been preprocessed before: nothing is read from it.
    pub preprocessed: Option<Preprocessed>,
    /// The functions of other units that device code may call.
    pub externals: Externals,
}

impl Options {
    /// The user's own text is written with changes: it has no names but its own.
    fn writes_text(&self) -> bool {
        self.only_device.is_some() || self.port.is_some()
    }
}

/// A text as it came from the preprocessor.
#[derive(Clone, Debug, Default)]
pub struct Preprocessed {
    pub text: std::sync::Arc<str>,
    /// It is gcc's output, and gcc must compile what is made of it.
    pub by_gcc: bool,
}

/// A gcc, with the options for preprocessing.
#[derive(Clone, Debug)]
pub struct Gcc {
    pub program: PathBuf,
    pub args: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    C,
    Cxx,
}

impl Language {
    pub fn of(path: &Path) -> Language {
        match path.extension().and_then(|e| e.to_str()) {
            Some("c" | "i" | "h") | None => Language::C,
            Some(_) => Language::Cxx,
        }
    }
    /// As in the option `-x`.
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "c++",
        }
    }
    pub fn preprocessed_name(self) -> &'static str {
        match self {
            Language::C => "cpp-output",
            Language::Cxx => "c++-cpp-output",
        }
    }
}

/// What became of one file.
#[derive(Debug)]
pub struct TranslationUnit {
    /// The preprocessed text, to which all spans refer.
    pub buffer: String,
    pub line_map: LineMap,
    pub module: Module,
    pub diagnostics: Vec<Diagnostic>,
    /// For errors, by their numbers, the directives of the compute constructs that they concern.
    pub concerned: BTreeMap<usize, BTreeSet<Span>>,
    /// False: nothing was lowered, the module is empty.
    pub has_directives: bool,
    /// The buffer is gcc's output, and gcc must compile it.
    pub by_gcc: bool,
    /// The buffer names private members outside of their classes: whoever compiles it ignores access.
    pub ignores_access: bool,
    /// Directives were settled in the buffer, so that it says more than the user's text.
    pub is_settled: bool,
    /// Only the buffer is a program: the user's own text defines functions twice, for OpenMP to choose from, or has types that Clang
    /// takes for different ones.
    pub needs_buffer: bool,
    /// Decisions of the front end.
    pub remarks: Vec<Remark>,
    /// Parallel regions whose loops became constructs, by their lines.
    pub translated: Vec<TranslatedRegion>,
    /// The loops that threads of parallel regions share, with OpenMPC.
    pub shared_loops: Vec<SharedLoop>,
    /// The changes of the text that was read which OpenMPC made, where nothing else was changed.
    pub changes: Option<Vec<TextEdit>>,
    /// What was read.
    pub preprocessed: Preprocessed,
    /// Functions that device code calls, and that this file only declares.
    pub undefined: Vec<Undefined>,
    /// What the unit offers to the device code of others.
    pub exports: Exports,
    /// Variables of threads that other units can name, and that this one has as scratch memory at most.
    pub scratch: BTreeSet<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "no clang found: accl reads C and C++ through clang 14 or later; install it (for example \
         `apt install clang` or `dnf install clang`) or name one in ACCL_CLANG"
    )]
    NoClang,
    #[error("cannot run {program}: {error}")]
    Run { program: String, error: String },
    /// The user's own errors, as Clang words them; to be shown as they are.
    #[error("{0}")]
    Clang(String),
    #[error("cannot read clang's syntax tree: {0}; please report this as an error of accl")]
    Dump(String),
    /// The process was ended by a signal.
    #[error(
        "clang, reading the program, ended with {0}: the text is too deeply nested for it, or it has a bug"
    )]
    Crashed(String),
    #[error("too deeply nested")]
    TooDeep(Span),
    #[error("cannot write a temporary file: {0}")]
    Temporary(#[from] std::io::Error),
}

/// Reads a file.
pub fn parse(path: &Path, options: &Options) -> Result<TranslationUnit, Error> {
    let language = options.language.unwrap_or_else(|| Language::of(path));
    let clang = clang::Clang { program: clang::find(options.clang.as_deref())?, language };
    if let Some(Preprocessed { text, by_gcc }) = &options.preprocessed {
        return unit(&clang, path, options, text.to_string(), *by_gcc);
    }
    if let Some(gcc) = &options.gcc {
        let buffer = preprocess::by_gcc(&clang, gcc, path)?;
        match unit(&clang, path, options, buffer, true) {
            Err(Error::Clang(messages)) => {
                tracing::debug!(%messages, "clang does not accept what gcc has preprocessed");
            }
            other => return other,
        }
    }
    let buffer = preprocess::run(&clang, path, options)?;
    unit(&clang, path, options, buffer, false)
}

/// The changes of a unit's buffer that write data directives and clauses for constructs that have none.
pub fn explicit_data(
    path: &Path,
    options: &Options,
    unit: &TranslationUnit,
    constructs: &[ConstructData],
    words: DataWords,
) -> Result<Result<Vec<TextEdit>, UnknownSection>, Error> {
    let language = options.language.unwrap_or_else(|| Language::of(path));
    let clang = clang::Clang { program: clang::find(options.clang.as_deref())?, language };
    let read = Reading { clang: &clang, name: path.display().to_string(), options, by_gcc: unit.by_gcc };
    let text = PreparedBuffer { ignores_access: unit.ignores_access, ..read.scan(unit.buffer.clone()) };
    let program = read.program(&text)?;
    let whole = options.port.is_some_and(|port| port.is_whole_program);
    Ok(explicit_data::explicit_data(&text.buffer, &text.line_map, &program, constructs, words, whole))
}

fn unit(
    clang: &clang::Clang,
    path: &Path,
    options: &Options,
    buffer: String,
    by_gcc: bool,
) -> Result<TranslationUnit, Error> {
    let read = Reading { clang, name: path.display().to_string(), options, by_gcc };
    let preprocessed = Preprocessed { text: buffer.as_str().into(), by_gcc };
    let cplusplus = clang.language == Language::Cxx;
    let buffer = if options.writes_text() { buffer } else { own_names::marked(buffer) };
    let (buffer, retyped) = resolve::extents::settled(buffer, cplusplus, !options.writes_text());
    let resolved = match options.openmp {
        true => resolve::resolve(buffer, &read.name, read.file(), cplusplus, options.openmpc.is_some()),
        false => resolve::Resolved::unchanged(buffer),
    };
    let (buffer, translated) = read.translated_regions(resolved.buffer)?;
    let mut text = read.scan(buffer);
    text.diagnostics.extend(resolved.diagnostics);
    text.diagnostics.extend(translated.diagnostics.iter().cloned());
    let translated_buffer = translated.buffer.is_some();
    let only_openmpc = (!resolved.changed).then(|| text.buffer.clone());
    if !resolved.changed
        && !translated.has_remarks()
        && text.pragmas.is_empty()
        && !text.diagnostics.iter().any(Diagnostic::is_error)
    {
        let exports = read.exports_of_plain(&text);
        let module = Module { file: read.name, ..Module::default() };
        let PreparedBuffer { buffer, line_map, diagnostics, .. } = text;
        return Ok(TranslationUnit {
            buffer,
            line_map,
            module,
            diagnostics,
            concerned: BTreeMap::new(),
            has_directives: false,
            by_gcc,
            ignores_access: false,
            needs_buffer: retyped,
            is_settled: false,
            remarks: vec![],
            translated: vec![],
            shared_loops: vec![],
            changes: Some(vec![]),
            preprocessed,
            undefined: vec![],
            exports,
            scratch: BTreeSet::new(),
        });
    }
    let mut module = Module { file: read.name.clone(), cplusplus, ..Module::default() };
    let program = match read.program(&text) {
        Err(Error::TooDeep(place)) => {
            let remarks = translated.remarks(&text.buffer, &text.line_map, read.file());
            let PreparedBuffer { buffer, line_map, mut diagnostics, .. } = text;
            diagnostics.push(too_deep(place));
            return Ok(TranslationUnit {
                buffer,
                line_map,
                module,
                diagnostics,
                concerned: BTreeMap::new(),
                has_directives: true,
                by_gcc,
                ignores_access: false,
                needs_buffer: resolved.has_enclosed_variants || retyped,
                is_settled: resolved.changed || translated_buffer,
                remarks,
                translated: translated.regions,
                shared_loops: translated.loops,
                changes: None,
                preprocessed,
                undefined: vec![],
                exports: Exports::default(),
                scratch: BTreeSet::new(),
            });
        }
        other => other?,
    };
    let (text, program) = read.specialized(text, program)?;
    let (text, program, chosen) = read.with_chosen_functions(text, program)?;
    // Only now: specialisations have moved what lies behind them.
    let remarks = translated.remarks(&text.buffer, &text.line_map, read.file());
    let changes = (only_openmpc.as_ref() == Some(&text.buffer)).then_some(translated.edits);
    let source = lower::Source {
        buffer: &text.buffer,
        variants: &resolved.variants,
        only_device: options.only_device,
        on_host: &options.on_host,
        chosen: &chosen,
        auto_data: options.auto_data,
        externals: &options.externals,
        exports_all: options.openmpc.is_some(),
    };
    let mut diagnostics = text.diagnostics;
    let all_openmp = options.openmp && openmp_words::are_all(&text.buffer);
    let report = lower::run(program, text.pragmas, source, &mut module);
    let lower::Report { diagnostics: found, concerned, undefined, exports, names_private } = report;
    let before = diagnostics.len();
    let concerned = concerned.into_iter().map(|(number, constructs)| (before + number, constructs)).collect();
    diagnostics.extend(found);
    if all_openmp {
        openmp_words::translate(&mut diagnostics);
    }
    Ok(TranslationUnit {
        buffer: text.buffer,
        line_map: text.line_map,
        module,
        diagnostics,
        concerned,
        has_directives: true,
        by_gcc,
        ignores_access: text.ignores_access || names_private,
        needs_buffer: resolved.has_enclosed_variants || retyped,
        is_settled: resolved.changed || translated_buffer,
        remarks,
        translated: translated.regions,
        shared_loops: translated.loops,
        changes,
        preprocessed,
        undefined,
        exports,
        scratch: translated.scratch,
    })
}

/// Understood by clang and gcc.
pub const IGNORE_ACCESS: &str = "-fno-access-control";

/// Specialisations first, then templates that are called with lambdas, then those to which these pass them on, or names for
/// lambdas.
const ROUNDS: usize = 8;

fn too_deep(place: Span) -> Diagnostic {
    let most = clang::DEEPEST;
    let message = format!("statements or expressions are nested more than {most} deep in this declaration");
    Diagnostic::error(codes::frontend::TOO_DEEP, message)
        .at(place)
        .with_help("functions without directives that no compute region calls may be as deep as the C compiler takes them")
}

/// Parallel regions stay with the host's threads where Clang rejects what the host compiler may accept.
fn not_read(messages: &str, text: &PreparedBuffer, file: FileId) -> Diagnostic {
    let lines = &text.line_map;
    let mut starts = (0..).map_while(|line| lines.line_start(line));
    let error = clang::first_error(messages, &text.buffer, lines);
    let place = error.and_then(|(path, line, _)| {
        starts.find(|start| {
            let here = lines.locate(*start);
            (here.file, here.line) == (path, line) && !text.buffer[*start as usize..].starts_with('#')
        })
    });
    let why = error.map_or(String::new(), |(.., why)| format!(": {why}"));
    let message =
        format!("clang does not accept this text, so no parallel region of the file goes to the device{why}");
    let warning = Diagnostic::warning(codes::frontend::NOT_READ, message);
    match place {
        Some(at) => {
            let end = text.buffer[at as usize..].find('\n').map_or(at + 1, |n| at + n as u32);
            warning.label(Span::new(file, at, end), "clang's first error")
        }
        None => warning,
    }
}

/// A buffer and what is found in it without Clang.
struct PreparedBuffer {
    buffer: String,
    line_map: LineMap,
    pragmas: Vec<pragmas::Pragma>,
    diagnostics: Vec<Diagnostic>,
    ignores_access: bool,
}

struct Reading<'a> {
    clang: &'a clang::Clang,
    name: String,
    options: &'a Options,
    by_gcc: bool,
}

impl Reading<'_> {
    fn file(&self) -> FileId {
        self.options.file_id.unwrap_or(FileId(0))
    }

    fn scan(&self, buffer: String) -> PreparedBuffer {
        let line_map = LineMap::from_preprocessed(&self.name, &buffer);
        let asked = pragmas::Asked { openmp: self.options.openmp, openacc: self.options.openacc };
        let (pragmas, diagnostics) = pragmas::find(&buffer, self.file(), asked);
        PreparedBuffer { buffer, line_map, pragmas, diagnostics, ignores_access: false }
    }

    fn program(&self, text: &PreparedBuffer) -> Result<ast::Program, Error> {
        let mut args = self.options.args.clone();
        args.extend(text.ignores_access.then(|| IGNORE_ACCESS.to_owned()));
        let source = parsed::Source {
            clang: self.clang.program.clone(),
            language: self.clang.language,
            args,
            file: self.file(),
            by_gcc: self.by_gcc,
            buffer: text.buffer.clone(),
        };
        parsed::program(source, |source| {
            let by_gcc = source.by_gcc;
            let mut program =
                self.clang.parse(&source.buffer, &source.args, source.file, &text.line_map, by_gcc)?;
            bit_fields::spell_out(&mut program);
            Ok(program)
        })
    }

    /// With `openmpc`, parallel regions of other files may call any function.
    fn exports_of_plain(&self, text: &PreparedBuffer) -> Exports {
        if self.options.openmpc.is_none() {
            return Exports::default();
        }
        let Ok(program) = self.program(text) else { return Exports::default() };
        let source = lower::Source {
            buffer: &text.buffer,
            variants: &[],
            only_device: self.options.only_device,
            on_host: &[],
            chosen: &[],
            auto_data: self.options.auto_data,
            externals: &self.options.externals,
            exports_all: true,
        };
        lower::exports_of_plain(&program, source)
    }

    /// The buffer in which constructs for devices stand for the loops of parallel regions. One that Clang rejects stays as it is:
    /// whoever reads it next says why.
    fn translated_regions(&self, buffer: String) -> Result<(String, openmpc::Translated), Error> {
        let Some(on_cpu) = self.options.openmpc.as_ref().filter(|_| openmpc::concerns(&buffer, self.file()))
        else {
            return Ok((buffer, openmpc::Translated::default()));
        };
        let mut text = self.scan(buffer);
        let mut program = match self.program(&text) {
            Err(Error::Clang(messages)) => {
                let diagnostics = vec![not_read(&messages, &text, self.file())];
                return Ok((text.buffer, openmpc::Translated::refused(diagnostics)));
            }
            Err(Error::TooDeep(_)) => return Ok((text.buffer, openmpc::Translated::default())),
            other => other?,
        };
        let mut fused = openmpc::fuse(&self.cpu_program(&text), &program);
        if let Some(joined) = &mut fused {
            let changed = self.scan(std::mem::take(&mut joined.buffer));
            match self.program(&changed) {
                Ok(read) => (text, program) = (changed, read),
                Err(error) => {
                    tracing::debug!(%error, "joined loops were not accepted");
                    fused = None;
                }
            }
        }
        let mut translated = openmpc::translate(&self.cpu_program(&text), program, on_cpu);
        if let Some(fused) = fused {
            translated.joined(fused);
            translated.buffer.get_or_insert(text.buffer.clone());
        }
        Ok((translated.buffer.clone().unwrap_or(text.buffer), translated))
    }

    fn cpu_program<'t>(&'t self, text: &'t PreparedBuffer) -> openmpc::CpuProgram<'t> {
        openmpc::CpuProgram {
            buffer: &text.buffer,
            lines: &text.line_map,
            file: self.file(),
            cplusplus: self.clang.language == Language::Cxx,
            pointers: match (self.options.port, self.options.auto_data) {
                (Some(_), _) => openmpc::Pointers::Named,
                (None, true) => openmpc::Pointers::Followed,
                (None, false) => openmpc::Pointers::None,
            },
            port: self.options.port,
            settings: &self.options.openmpc_settings,
        }
    }

    /// With specialisations for templates that hold regions, and the bodies of those that are given lambdas
    /// where they are called, which may name private members there. Where Clang does not accept them the text stays as it was, and
    /// lowering refuses the regions.
    fn specialized(
        &self,
        mut text: PreparedBuffer,
        mut program: ast::Program,
    ) -> Result<(PreparedBuffer, ast::Program), Error> {
        let is_cplusplus = self.clang.language == Language::Cxx;
        let ways = [
            (library::constants::written_out as library::WrittenOut, is_cplusplus),
            (library::algorithms::written_out, is_cplusplus),
            (library::iterators::written_out, is_cplusplus),
            (library::c_functions::written_out, true),
            (library::literals::written_out, true),
        ];
        for (written_out, _) in ways.iter().filter(|(_, applies)| *applies && !self.options.writes_text()) {
            if let Some(buffer) = written_out(&text.buffer, &program, &text.pragmas)
                && let Some(found) = self.accepted(buffer, text.ignores_access)?
            {
                (text, program) = found;
            }
        }
        for _ in 0..ROUNDS {
            let PreparedBuffer { buffer, pragmas, line_map, .. } = &text;
            let Some(buffer) = local_classes::expand(buffer, &program, pragmas, line_map) else { break };
            match self.accepted(buffer, text.ignores_access)? {
                Some(found) => (text, program) = found,
                None => break,
            }
        }
        let mut refused = BTreeSet::new();
        for _ in 0..ROUNDS {
            let PreparedBuffer { buffer, pragmas, line_map, .. } = &text;
            let given = given::Given::new(buffer, &program, pragmas, line_map);
            let by_clauses = self.options.openmpc.is_none() && !self.options.auto_data;
            let ways: [&dyn Fn() -> Option<String>; 2] =
                [&|| given.expand(), &|| closures::expand(buffer, &program, pragmas, line_map, by_clauses)];
            let mut wanted = specialize::wanted(buffer, &program, pragmas, line_map, &given);
            wanted.retain(|s| !refused.contains(&s.header));
            let mut accepted = self.specialisations(&text, wanted.iter().collect(), &mut refused)?;
            for way in ways {
                if accepted.is_some() {
                    break;
                }
                let Some(buffer) = way() else { continue };
                accepted = self.accepted(buffer, text.ignores_access)?;
            }
            match accepted {
                Some(found) => (text, program) = found,
                None => break,
            }
        }
        Ok((text, program))
    }

    /// The program with constructs that call functions by their names where they call through pointers.
    fn with_chosen_functions(
        &self,
        text: PreparedBuffer,
        program: ast::Program,
    ) -> Result<(PreparedBuffer, ast::Program, Vec<function_pointers::Chosen>), Error> {
        if self.options.writes_text() {
            return Ok((text, program, vec![]));
        }
        let (mut text, mut program, mut chosen) = (text, program, vec![]);
        let PreparedBuffer { buffer, pragmas, line_map, .. } = &text;
        if let Some((buffer, found)) = function_pointers::expand(buffer, &program, pragmas, line_map)
            && let Some(accepted) = self.accepted(buffer, text.ignores_access)?
        {
            ((text, program), chosen) = (accepted, found);
        }
        let PreparedBuffer { buffer, pragmas, line_map, .. } = &text;
        if let Some((buffer, moved)) = function_values::expand(buffer, &program, pragmas, line_map, &chosen)
            && let Some(accepted) = self.accepted(buffer, text.ignores_access)?
        {
            ((text, program), chosen) = (accepted, moved);
        }
        Ok((text, program, chosen))
    }

    /// The buffer with as many of these specialisations as Clang takes; the others are `refused`.
    fn specialisations(
        &self,
        text: &PreparedBuffer,
        wanted: Vec<&specialize::Specialisation<'_>>,
        refused: &mut BTreeSet<String>,
    ) -> Result<Option<(PreparedBuffer, ast::Program)>, Error> {
        let (mut best, mut taken) = (None, vec![]);
        let mut groups = vec![wanted];
        while let Some(mut group) = groups.pop().filter(|group| !group.is_empty()) {
            let tried: Vec<_> = taken.iter().chain(&group).copied().collect();
            let buffer = specialize::inserted(&text.buffer, &text.line_map, &tried);
            if let Some(accepted) = self.accepted(buffer, text.ignores_access)? {
                (best, taken) = (Some(accepted), tried);
            } else if group.len() > 1 {
                // One of them is at fault, and the others need not suffer for it.
                let others = group.split_off(group.len() / 2);
                groups.extend([others, group]);
            } else {
                refused.extend(group.iter().map(|s| s.header.clone()));
            }
        }
        Ok(best)
    }

    /// What is expanded so, if Clang takes it.
    fn accepted(
        &self,
        buffer: String,
        ignores_access: bool,
    ) -> Result<Option<(PreparedBuffer, ast::Program)>, Error> {
        let mut expanded = PreparedBuffer { ignores_access, ..self.scan(buffer) };
        let mut read = self.program(&expanded);
        if matches!(read, Err(Error::Clang(_))) && !expanded.ignores_access {
            expanded.ignores_access = true;
            read = self.program(&expanded);
        }
        match read {
            Ok(read) => Ok(Some((expanded, read))),
            Err(error @ (Error::Clang(_) | Error::TooDeep(_))) => {
                tracing::debug!(%error, "specialisations were not accepted");
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }
}
