//! From a source with directives to the texts that are compiled, in one function.

use super::fallback::Constructs;
use super::unit::Compilation;
use super::{Session, options, whole_program};
use crate::failure::CannotRead;
use crate::host_compiler::Family;
use crate::invocation::{Acc, RemarkFilter, RemarkFormat, Target};
use accl_abi::kernel_flags;
use accl_codegen::{CodegenError, EmitOptions, Emitted, Style};
use accl_frontend as frontend;
use accl_ir::{Handle, Kernel};
use accl_source::{Diagnostic, FileId, Files, Remark, RemarkKind, Span, codes, render};
use accl_transforms::context::Context;
use accl_transforms::map::space::KernelSpace;
use accl_transforms::pass::Pass;
use accl_transforms::pipeline;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// A source the front end has read.
pub struct Source {
    pub files: Files,
    pub unit: frontend::TranslationUnit,
}

impl Source {
    /// The name of the unit within a program.
    pub fn id(&self) -> String {
        accl_host::unit_id(&self.unit.module.file, &self.unit.buffer)
    }
}

/// The result of reading a source.
pub enum Reading {
    /// The source has no directives.
    Plain,
    /// It has none, but functions for the device code of other units.
    PlainWithExports(Box<Source>),
    Directives(Box<Source>),
    /// Clang rejects the program, with these messages.
    Rejected(String),
}

/// The device sources of a module; `None` where that target is off or cannot hold the program.
#[derive(Default)]
pub struct DeviceSources {
    pub cuda: Option<String>,
    pub opencl: Option<String>,
    /// C: the kernels of the cpu device.
    pub cpu: Option<String>,
    /// Kernels that CUDA or OpenCL cannot express, with the flag of the kernel's table that says which.
    pub left_out: Vec<(Handle<Kernel>, u32)>,
}

/// A module after the pipeline, with the messages about it.
pub struct Compiled {
    pub source: Box<Source>,
    pub diagnostics: Vec<Diagnostic>,
    /// For errors, by their numbers, the directives of the compute constructs that they concern.
    pub concerned: BTreeMap<usize, BTreeSet<Span>>,
    pub remarks: Vec<Remark>,
    /// The schedules that each kernel can have, for `accl tune`.
    pub spaces: Vec<KernelSpace>,
    pub device: DeviceSources,
    /// The kernels that count in 64 bits.
    pub index64: Option<DeviceSources>,
    /// What waits for the link.
    pub deferred: Deferred,
}

/// Constructs that the host runs unless other files that are linked have what they call.
#[derive(Default)]
pub struct Deferred {
    /// Functions that are not defined in the unit.
    pub undefined: Vec<frontend::Undefined>,
    /// What is said where they are not found.
    pub diagnostics: Vec<Diagnostic>,
    pub remarks: Vec<Remark>,
    /// The texts of these constructs.
    pub constructs: Vec<Span>,
}

impl Compiled {
    pub fn files(&self) -> &Files {
        &self.source.files
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// What is said about other texts has been said.
    pub fn keep_messages_of(&mut self, texts: &[Span]) {
        // Decisions about parallel regions for a CPU's threads are told anew.
        if texts.is_empty() {
            return self.diagnostics.retain(Diagnostic::is_error);
        }
        let inside = |span: &Span| texts.iter().any(|text| text.contains(*span));
        self.diagnostics.retain(|d| d.is_error() || d.labels.iter().any(|(span, _)| inside(span)));
        self.remarks.retain(|remark| inside(&remark.span));
    }

    pub fn remarks_json(&self) -> String {
        render::json::remarks_array(self.files(), &self.remarks)
    }
}

/// Reads a source: up to the directives, and where there are any, to the IR. `only_device`: the only kind of device
/// that the program is for, if it is not for all.
pub fn read(
    session: &Session,
    unit: &Compilation,
    only_device: Option<frontend::DeviceKind>,
) -> Result<Reading> {
    read_with(session, unit, only_device, ForHost::default())
}

/// As [`read`], with constructs that the host runs, by where their directives end.
pub fn read_with_host_constructs(session: &Session, unit: &Compilation, host: ForHost) -> Result<Reading> {
    read_with(session, unit, None, host)
}

/// What could not be translated.
#[derive(Default)]
pub struct ForHost {
    /// Compute constructs, by where their directives end in the buffer.
    pub constructs: Vec<u32>,
    /// Parallel regions, with the reasons.
    pub regions: frontend::RegionsOnCpu,
}

/// The same for a program that is to be written with all its data directives.
pub fn read_for_port(
    session: &Session,
    unit: &Compilation,
    regions: frontend::RegionsOnCpu,
    port: frontend::Port,
) -> Result<Reading> {
    let host = ForHost { regions, ..ForHost::default() };
    let options = frontend::Options {
        auto_data: false,
        port: Some(port),
        ..front_end_options(session, unit, None, host)
    };
    read_by(unit, &options)
}

fn read_with(
    session: &Session,
    unit: &Compilation,
    only_device: Option<frontend::DeviceKind>,
    host: ForHost,
) -> Result<Reading> {
    read_by(unit, &front_end_options(session, unit, only_device, host))
}

pub fn front_end_options(
    session: &Session,
    unit: &Compilation,
    only_device: Option<frontend::DeviceKind>,
    host: ForHost,
) -> frontend::Options {
    frontend::Options {
        clang: front_end_clang(session),
        args: front_end_words(session, unit),
        language: Some(if unit.language.is_cxx() { frontend::Language::Cxx } else { frontend::Language::C }),
        include_dirs: session.include_dir.iter().cloned().collect(),
        file_id: Some(FileId(0)),
        gcc: gcc(session, unit),
        only_device,
        openmp: options::translates_openmp(session),
        openacc: session.invocation.acc.named,
        on_host: host.constructs,
        auto_data: session.invocation.acc.auto_data,
        openmpc: session.invocation.acc.openmpc.then_some(host.regions),
        preprocessed: unit.at_link.as_ref().map(|link| link.text.clone()),
        externals: unit.at_link.as_ref().map(|link| link.externals()).unwrap_or_default(),
        port: None,
        openmpc_settings: frontend::OpenMpcSettings {
            is_whole_program: session.makes_program_of(unit),
            scratch_elsewhere: unit.at_link.as_ref().map(|l| l.others.scratch.clone()).unwrap_or_default(),
            ..session.invocation.acc.openmpc_settings.clone()
        },
    }
}

fn read_by(unit: &Compilation, options: &frontend::Options) -> Result<Reading> {
    if unit.at_link.is_none() && unit.path != Path::new("-") && !unit.source.is_file() {
        let path = unit.path.display().to_string();
        if let Err(error) = std::fs::File::open(&unit.source) {
            return Err(anyhow::Error::from(error).context(CannotRead(path)));
        }
        return Err(anyhow::anyhow!("it is no file").context(CannotRead(path)));
    }
    match frontend::parse(&unit.source, options) {
        Ok(read) => {
            let mut files = Files::new();
            files.add_preprocessed(unit.path.display().to_string(), read.buffer.as_str());
            if !read.has_directives {
                eprint!("{}", render::text::render(&files, &read.diagnostics, &render_options()));
                return Ok(match read.exports.module.functions.is_empty() {
                    true => Reading::Plain,
                    false => Reading::PlainWithExports(Box::new(Source { files, unit: read })),
                });
            }
            let mut source = Box::new(Source { files, unit: read });
            if let Some(link) = &unit.at_link {
                accl_ir::link::link(&mut source.unit.module, &link.others.units, &link.others.available);
            }
            Ok(Reading::Directives(source))
        }
        Err(frontend::Error::Clang(message)) => Ok(Reading::Rejected(message)),
        Err(crash @ frontend::Error::Crashed(_)) => Ok(Reading::Rejected(format!("accl: error: {crash}\n"))),
        Err(frontend::Error::NoClang | frontend::Error::Run { .. }) if !mentions_directives(&unit.source) => {
            Ok(Reading::Plain)
        }
        Err(error) => Err(error.into()),
    }
}

/// The clang that is the host compiler, unless the user names another for the front end.
fn front_end_clang(session: &Session) -> Option<PathBuf> {
    let named = std::env::var_os("ACCL_CLANG").is_some_and(|c| !c.is_empty());
    (!named && session.host.family == Family::Clang).then(|| PathBuf::from(&session.host.c))
}

/// The gcc that compiles the host program.
fn gcc(session: &Session, unit: &Compilation) -> Option<frontend::Gcc> {
    let front = session.front_for(&unit.language);
    (session.host.family == Family::Gcc).then(|| frontend::Gcc {
        program: session.host.program(front).into(),
        args: unit.source_options(session),
    })
}

fn front_end_words(session: &Session, unit: &Compilation) -> Vec<String> {
    unit.extra.iter().cloned().chain(options::for_front_end(session)).collect()
}

/// Without a clang, a file that cannot hold directives is still compiled.
fn mentions_directives(file: &Path) -> bool {
    std::fs::read(file).is_ok_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.lines().any(|l| l.contains("pragma") && l.contains("acc") || l.contains("_Pragma"))
    })
}

/// Runs the pipeline and the code generators. Errors of the program are among the diagnostics.
pub fn compile(session: &Session, mut source: Box<Source>, style: Style) -> Result<Compiled> {
    let mut diagnostics = std::mem::take(&mut source.unit.diagnostics);
    let mut remarks = std::mem::take(&mut source.unit.remarks);
    let concerned = std::mem::take(&mut source.unit.concerned);
    let mut spaces = vec![];
    let constructs = Constructs::of(&source.unit.module, &source.unit.buffer);
    let read = diagnostics.len();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let Source { files, unit } = &mut *source;
        let mut wanted = transform_options(session, Some(files));
        // A port keeps the user's text, which has no place for a launch in the middle of a statement.
        wanted.partition_kernels = style == Style::Embedded;
        wanted.index64 = style == Style::Embedded;
        let mut cx = Context::new(&wanted, &mut diagnostics, &mut remarks);
        pipeline::run_passes(pipeline::PASSES, &mut unit.module, &mut cx, &mut printer(session));
        spaces = cx.spaces;
    }
    let device = DeviceSources::default();
    let mut compiled = Compiled {
        source,
        diagnostics,
        concerned,
        remarks,
        spaces,
        device,
        index64: None,
        deferred: Deferred::default(),
    };
    if !compiled.has_errors() {
        let Compiled { source, diagnostics, device: made, .. } = &mut compiled;
        *made = emit(session, source, style, false, diagnostics)?;
        if source.unit.module.kernels.iter().any(|(_, k)| k.index64_of.is_some()) {
            // What the target cannot express has been reported.
            compiled.index64 = Some(emit(session, source, style, true, &mut vec![])?);
        }
    }
    for (number, error) in compiled.diagnostics.iter().enumerate().skip(read).filter(|(_, d)| d.is_error()) {
        compiled.concerned.insert(number, constructs.concerned(error));
    }
    Ok(compiled)
}

/// Prints the module after the passes that `--print-after` names.
pub fn printer(session: &Session) -> impl FnMut(&Pass, &accl_ir::Module) + use<> {
    let wanted = session.invocation.acc.print_after.clone();
    move |pass, module| {
        if wanted.iter().any(|name| name == pass.name || name == "all") {
            eprint!("// after {}: {}\n{}", pass.name, pass.promise, module.to_text());
        }
    }
}

pub fn transform_options<'a>(session: &'a Session, files: Option<&'a Files>) -> accl_transforms::Options<'a> {
    let acc = &session.invocation.acc;
    accl_transforms::Options {
        gpu: acc.targets.contains(&Target::Cuda) || acc.targets.contains(&Target::OpenCl),
        cpu: acc.targets.contains(&Target::Cpu),
        coarsen: acc.coarsen,
        windows: acc.auto_fcw,
        auto_data: acc.auto_data,
        column_major: acc.column_major,
        noalias: acc.noalias,
        device: acc.device_model(),
        schedules: &acc.schedules,
        candidates: &acc.candidates,
        list_steps: acc.list_steps,
        list_spaces: acc.list_spaces,
        check: acc.check,
        fast_math: acc.device_math,
        wrapping: options::signed_integers_wrap(session),
        files,
        ..Default::default()
    }
}

type Emitter = fn(&accl_ir::Module, &EmitOptions<'_>) -> Result<Emitted, CodegenError>;

/// A program, or a construct, that one device cannot run still runs on the others, so this is a warning.
fn emit(
    session: &Session,
    source: &Source,
    style: Style,
    index64: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<DeviceSources> {
    let acc = &session.invocation.acc;
    let debug = session.invocation.has_option(|o| o.starts_with("-g") && o != "-g0");
    let unit_id = source.id();
    let lines = Some(&source.unit.line_map);
    let module = &source.unit.module;
    let kernels: Vec<_> =
        module.kernels.iter().filter(|(_, k)| k.index64_of.is_some() == index64).map(|(h, _)| h).collect();
    let on_cpu = |kernel: &Handle<Kernel>| !index64 && module.kernels[*kernel].cpu.is_some();
    let options = |line_markers| EmitOptions { style, lines, line_markers, index64, unit_id: &unit_id };
    let one = |target: Target, name: &str, emitter: Emitter, line_markers: bool| -> Result<Text> {
        let wanted = acc.targets.contains(&target);
        if !wanted || !kernels.iter().any(|kernel| target != Target::Cpu || on_cpu(kernel)) {
            return Ok(Text::default());
        }
        let emitted = match emitter(module, &options(line_markers)) {
            Ok(emitted) => compilable(target, emitted, module, &kernels),
            Err(error) => {
                bail!("internal error: this is a bug in accl, not in your program: {name}: {error}")
            }
        };
        let refused = &emitted.refused;
        // The program calls its CPU kernels by name, so a port needs all of them.
        let all = target == Target::Cpu || style == Style::Translate;
        let none = !refused.is_empty() && (all || refused.len() == kernels.len());
        let told = left_out(module, target, name, refused, none);
        let refused = refused.iter().map(|(kernel, _)| *kernel).collect();
        Ok(Text { text: (!none).then_some(emitted.text), told, refused })
    };
    let (cuda, (opencl, cpu)) = rayon::join(
        || one(Target::Cuda, "CUDA", accl_codegen::cuda::emit_possible, acc.line_info),
        || {
            rayon::join(
                || one(Target::OpenCl, "OpenCL", accl_codegen::opencl::emit_possible, false),
                || one(Target::Cpu, "CPU", accl_codegen::cpu::emit_possible, debug),
            )
        },
    );
    let mut left_out = vec![];
    let mut text = |text: Text, flag: u32| {
        diagnostics.extend(text.told);
        left_out.extend(text.refused.into_iter().map(|kernel| (kernel, flag)));
        text.text
    };
    Ok(DeviceSources {
        cuda: text(cuda?, kernel_flags::NO_CUDA),
        opencl: text(opencl?, kernel_flags::NO_OPENCL),
        // What the cpu cannot run is an error.
        cpu: text(cpu?, 0),
        left_out,
    })
}

/// The source for one device.
#[derive(Default)]
struct Text {
    /// `None` where there is none.
    text: Option<String>,
    /// The messages about it.
    told: Vec<Diagnostic>,
    /// The kernels that are not in it.
    refused: Vec<Handle<Kernel>>,
}

/// The limit of OpenCL compilers: they are built on clang, which limits the nesting of brackets, and no option
/// changes that.
const OPENCL_BRACKETS: usize = 256;

/// The messages about kernels that a language cannot express, each reason once.
fn left_out(
    module: &accl_ir::Module,
    target: Target,
    name: &str,
    refused: &[(Handle<Kernel>, CodegenError)],
    none: bool,
) -> Vec<Diagnostic> {
    let mut told: Vec<Diagnostic> = vec![];
    for (at, (kernel, error)) in refused.iter().enumerate() {
        let CodegenError::Unsupported { what, span } = error else { continue };
        if refused[..at].iter().any(|(_, earlier)| earlier == error) {
            continue;
        }
        let code = codes::codegen::NOT_IN_THIS_LANGUAGE;
        let of = if none { "this file" } else { "this construct" };
        let message = format!("no {name} code is made of {of}: {what}");
        let diagnostic = match target {
            Target::Cpu => Diagnostic::error(code, message),
            Target::Cuda | Target::OpenCl => Diagnostic::warning(code, message),
        };
        let construct = module.kernels[*kernel].site.directive_span;
        let diagnostic = match target {
            Target::Cpu => diagnostic,
            Target::Cuda | Target::OpenCl => {
                diagnostic.with_note(format!("the cpu runs it where the device is one of {name}"))
            }
        };
        told.push(match none || construct.is_nowhere() || *span == construct {
            true => diagnostic.at(*span),
            false => diagnostic.label(*span, "here").label(construct, "in a kernel of this construct"),
        });
    }
    told
}

/// A program that the device's compiler would refuse at its first run is refused now.
fn compilable(
    target: Target,
    emitted: Emitted,
    module: &accl_ir::Module,
    kernels: &[Handle<Kernel>],
) -> Emitted {
    if target != Target::OpenCl || deepest_bracket(&emitted.text) < OPENCL_BRACKETS {
        return emitted;
    }
    let what =
        format!("brackets would be nested {OPENCL_BRACKETS} deep or more, which OpenCL compilers refuse");
    let span = kernels.first().map_or(Span::NOWHERE, |k| module.kernels[*k].site.directive_span);
    let error = CodegenError::Unsupported { what, span };
    let refused = kernels.iter().map(|kernel| (*kernel, error.clone())).collect();
    Emitted { refused, ..emitted }
}

/// The kind of bracket with the deepest nesting.
fn deepest_bracket(text: &str) -> usize {
    let deepest = |open: char, close: char| {
        let mut depth = 0usize;
        let mut deepest = 0;
        for c in text.chars() {
            match c {
                c if c == open => depth += 1,
                c if c == close => depth = depth.saturating_sub(1),
                _ => continue,
            }
            deepest = deepest.max(depth);
        }
        deepest
    };
    deepest('(', ')').max(deepest('{', '}')).max(deepest('[', ']'))
}

/// The preprocessed source with calls of the runtime in place of its constructs.
pub fn rewritten(
    session: &Session,
    compiled: &Compiled,
    cplusplus: bool,
    host_threads: bool,
) -> Result<String> {
    let unit = &compiled.source.unit;
    let unit_id = compiled.source.id();
    let options = accl_host::HostOptions {
        unit_id: &unit_id,
        cplusplus,
        exact_lines: true,
        check: session.invocation.acc.check,
        host_threads,
        auto_data: session.invocation.acc.auto_data,
        addresses: &addresses(&unit.exports, &unit_id),
        left_out: &compiled.device.left_out,
    };
    let text = accl_host::rewrite(&unit.module, &unit.buffer, &unit.line_map, &options);
    text.map_err(|error| anyhow::anyhow!("{error}"))
}

/// Those of the variables that functions for other units use.
fn addresses(exports: &frontend::Exports, unit_id: &str) -> Vec<accl_host::Address> {
    let globals = exports.module.globals.iter().map(|(_, global)| global).enumerate();
    let named = globals.filter(|(at, _)| exports.nameable.contains(at));
    let address = |(at, global): (usize, &accl_ir::Global)| accl_host::Address {
        symbol: whole_program::address_symbol(unit_id, at),
        of: global.link_name.clone().unwrap_or_else(|| global.name.clone()),
        linked: global.link_name.is_some(),
    };
    named.map(address).collect()
}

/// Diagnostics (of those only errors with `-w`), and remarks in the forms asked for.
pub fn show_messages(session: &Session, compiled: &Compiled, messages: &mut Vec<u8>) {
    show(session, compiled.files(), &compiled.diagnostics, &compiled.remarks, messages);
}

/// As [`show_messages`], for these alone.
pub fn show(
    session: &Session,
    files: &Files,
    diagnostics: &[Diagnostic],
    remarks: &[Remark],
    messages: &mut Vec<u8>,
) {
    let acc = &session.invocation.acc;
    let options = render_options();
    let quiet = session.invocation.has_option(|o| o == "-w");
    let shown: Vec<Diagnostic> = diagnostics.iter().filter(|d| d.is_error() || !quiet).cloned().collect();
    let mut text = render::text::render(files, &shown, &options);
    match acc.remarks {
        Some(RemarkFormat::Json) => text += &render::json::remarks_lines(files, remarks),
        Some(RemarkFormat::Sarif) => {
            let version = env!("CARGO_PKG_VERSION");
            text += &render::sarif::render(files, diagnostics, remarks, version);
        }
        Some(RemarkFormat::Text) => text += &render::minfo::render(files, remarks, &options),
        None if acc.minfo => text += &render::minfo::render(files, remarks, &options),
        None => {}
    }
    text += &as_clang_prints(acc, files, remarks);
    let text = text.replace(accl_ir::OF_PROGRAM, "");
    messages.extend(text.into_bytes());
}

pub fn render_options() -> render::Options {
    let stderr = std::io::stderr();
    let color = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let width = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(120);
    render::Options { color, width, ..render::Options::default() }
}

/// `-Rpass=openacc`: "file.c:12:1: remark: Generating NVIDIA GPU code [-Rpass=openacc]".
fn as_clang_prints(acc: &Acc, files: &Files, remarks: &[Remark]) -> String {
    let mut text = String::new();
    for remark in render::minfo::sorted(files, remarks) {
        let (filter, option) = match remark.kind {
            RemarkKind::NotParallelized | RemarkKind::Missed => (RemarkFilter::Missed, "-Rpass-missed"),
            RemarkKind::Note | RemarkKind::DataMovement => (RemarkFilter::Analysis, "-Rpass-analysis"),
            RemarkKind::Generated
            | RemarkKind::Parallelized
            | RemarkKind::Reduction
            | RemarkKind::Transform => (RemarkFilter::Passed, "-Rpass"),
        };
        if !acc.remark_filters.contains(&filter) {
            continue;
        }
        let place = files.locate(remark.span).map(|l| format!("{l}: ")).unwrap_or_default();
        text += &format!("{place}remark: {} [{option}=openacc]\n", remark.message);
    }
    text
}
