//! `accl translate --to cuda|opencl|c|openmp|openacc|openmpc file.c -o DIR`: the program in another language, as a starting point for
//! further work.
//!
//! For `jacobi.c` it writes `jacobi.c` with calls in place of directives, the kernels' file and header, the
//! helper for device memory and a Makefile: see [`accl_host::translate`].

use crate::cc::{self, Compilation, Reading, Session};
use crate::cli::{Language, Translate};
use crate::failure::{FAILED, Said};
use crate::invocation::{Class, Front};
use crate::output;
use accl_codegen::{CodegenError, EmitOptions, Style};
use accl_frontend::DataWords;
use accl_host::translate::{self, Build, File, PortLanguage};
use accl_source::{Diagnostic, codes, render};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

pub fn run(arguments: Translate) -> Result<u8> {
    if arguments.passes.is_some() && arguments.to != Language::Ir {
        bail!("--passes is for --to ir");
    }
    let target = match arguments.to {
        Language::Ir => return super::ir::run(arguments),
        Language::Cuda => PortLanguage::Cuda,
        Language::Opencl => PortLanguage::OpenCl,
        Language::C => PortLanguage::C,
        Language::Openmp => {
            return super::explicit::run(Session::new(Front::C, arguments.words)?, DataWords::OpenMp);
        }
        Language::Openmpc => return super::openmpc::run(arguments.words),
        Language::Openacc => {
            return super::explicit::run(Session::new(Front::C, arguments.words)?, DataWords::OpenAcc);
        }
    };
    let mut session = Session::new(Front::C, arguments.words)?;
    let (dir, units) = folder_and_units(&mut session)?;
    let mut build = build_of(&session, &units[0], &dir)?;
    let mut files = vec![];
    for unit in &units {
        files.extend(files_of(&session, unit, target, &mut build)?);
    }
    files.extend(translate::shared_files(target));
    files.push(translate::makefile(target, &build));
    write(&dir, &units, &files)
}

/// The compiler's -o would name one file; here it names the folder. There is at least one unit.
pub fn folder_and_units(session: &mut Session) -> Result<(PathBuf, Vec<Compilation>)> {
    let dir = session.invocation.output.take().unwrap_or_else(|| ".".into());
    let units = cc::plan(session)?;
    if units.is_empty() {
        bail!("no input files");
    }
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot create '{}'", dir.display()))?;
    Ok((dir, units))
}

/// The user's own files are never written over.
pub fn write(dir: &Path, units: &[Compilation], files: &[File]) -> Result<u8> {
    for file in files {
        let path = dir.join(&file.name);
        let same = |u: &Compilation| matches!((u.path.canonicalize(), path.canonicalize()), (Ok(source), Ok(target)) if source == target);
        if units.iter().any(same) {
            bail!("'{}' is the program's own source; give another folder with -o", path.display());
        }
    }
    for file in files {
        output::write(&dir.join(&file.name), file.text.as_bytes())?;
    }
    Ok(0)
}

fn build_of(session: &Session, first: &Compilation, dir: &Path) -> Result<Build> {
    let source_dir = first.path.parent().unwrap_or(Path::new(""));
    let mut flags = vec![];
    let words = session.invocation.options(|class| matches!(class, Class::Compile | Class::Preprocess));
    for word in words {
        flags.push(match word.strip_prefix("-I").filter(|d| !d.is_empty()) {
            Some(include) => format!("-I{}", relative(Path::new(include), dir)?),
            None => word,
        });
    }
    Ok(Build {
        program: cc::stem(&first.path),
        source_dir: relative(source_dir, dir)?,
        flags,
        libraries: session.invocation.options(|class| class == Class::Link),
        sources: vec![],
        asks_version: false,
    })
}

/// `path` as seen from `dir`.
fn relative(path: &Path, dir: &Path) -> Result<String> {
    let here = |p: &Path| if p == Path::new("") { PathBuf::from(".") } else { p.to_owned() };
    let (Ok(path), Ok(dir)) = (here(path).canonicalize(), here(dir).canonicalize()) else {
        return Ok(path.display().to_string());
    };
    let common = path.components().zip(dir.components()).take_while(|(a, b)| a == b).count();
    let up = dir.components().skip(common).map(|_| PathBuf::from(".."));
    let result: PathBuf =
        up.chain(path.components().skip(common).map(|c| PathBuf::from(c.as_os_str()))).collect();
    Ok(here(&result).display().to_string())
}

fn files_of(
    session: &Session,
    unit: &Compilation,
    target: PortLanguage,
    build: &mut Build,
) -> Result<Vec<File>> {
    let stem = cc::stem(&unit.path);
    let cplusplus = unit.language.is_cxx();
    let text =
        std::fs::read(&unit.source).with_context(|| format!("cannot read '{}'", unit.path.display()))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    build.asks_version |= text.contains("_OPENACC");
    let host = format!("{stem}.{}", if cplusplus { "cpp" } else { "c" });
    let mut source = match cc::read(session, unit, Some(device_of(target)))? {
        Reading::Directives(source) => source,
        Reading::Plain | Reading::PlainWithExports(_) => {
            build.sources.push(translate::Source { stem, file: host.clone(), has_kernels: false });
            return Ok(vec![File { name: host, text }]);
        }
        Reading::Rejected(why) => {
            eprint!("{why}");
            return Err(Said(FAILED).into());
        }
    };
    if source.unit.is_settled && session.invocation.acc.openmpc {
        anyhow::bail!(
            "{}: with -fopenmpc the constructs are not in the program's own text; `accl translate --to openmp` with the same \
             options writes it with them, and that can be translated without -fopenmpc",
            unit.path.display()
        );
    }
    if source.unit.is_settled {
        anyhow::bail!(
            "{}: a program cannot be translated whose directives of OpenMP choose others, or are newer than the host's \
             compiler (metadirective, declare variant, dispatch, interop); `accl cc` compiles it",
            unit.path.display()
        );
    }
    let mut diagnostics = std::mem::take(&mut source.unit.diagnostics);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let options = accl_transforms::Options {
            coarsen: false,
            windows: false,
            cache: false,
            column_major: false,
            noalias: false,
            partition_freely: false,
            index64: false,
            device: session.invocation.acc.device_model(),
            schedules: &session.invocation.acc.schedules,
            wrapping: cc::signed_integers_wrap(session),
            files: Some(&source.files),
            ..Default::default()
        };
        accl_transforms::pipeline::run(&mut source.unit.module, &options, &mut diagnostics, &mut vec![]);
    }
    let mut files = vec![];
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let module = translate::prepare(&source.unit.module, target);
        let made = kernels(&module, &source.unit.line_map, target).and_then(|kernels| {
            let file = unit.path.display().to_string();
            translate::port(&translate::Input {
                module: &module,
                buffer: &source.unit.buffer,
                lines: &source.unit.line_map,
                file: &file,
                text: &text,
                stem: &stem,
                cplusplus,
                target,
                kernels: &kernels,
            })
        });
        match made {
            Ok(made) => files = made,
            Err(refused) => diagnostics.push(*refused),
        }
    }
    eprint!("{}", render::text::render(&source.files, &diagnostics, &cc::render_options()));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Said(FAILED).into());
    }
    let has_kernels = files.len() > 2;
    build.sources.push(translate::Source { stem, file: host, has_kernels });
    Ok(files)
}

fn device_of(target: PortLanguage) -> accl_frontend::DeviceKind {
    match target {
        PortLanguage::Cuda => accl_frontend::DeviceKind::Cuda,
        PortLanguage::OpenCl => accl_frontend::DeviceKind::OpenCl,
        PortLanguage::C => accl_frontend::DeviceKind::Cpu,
    }
}

fn kernels(
    module: &accl_ir::Module,
    lines: &accl_source::LineMap,
    target: PortLanguage,
) -> Result<String, translate::Refused> {
    let options = EmitOptions { style: Style::Translate, lines: Some(lines), ..EmitOptions::default() };
    let text = match target {
        PortLanguage::Cuda => accl_codegen::cuda::emit(module, &options),
        PortLanguage::OpenCl => accl_codegen::opencl::emit(module, &options),
        PortLanguage::C => accl_codegen::cpu::emit(module, &options),
    };
    text.map_err(|error| {
        let (what, span) = match error {
            CodegenError::Unsupported { what, span } => (what, span),
            CodegenError::Internal(what) => (format!("internal error: {what}"), accl_source::Span::NOWHERE),
        };
        let message = format!("no port is written of this program: {what}");
        Box::new(Diagnostic::error(codes::host::NOT_PORTABLE, message).at(span))
    })
}
