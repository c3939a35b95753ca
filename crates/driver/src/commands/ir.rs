//! `accl translate --to ir file.c -o DIR`: the intermediate form of a program, as text.
//!
//! All passes run on it, or those of `--passes`, or none with `--passes=none`. The input may be such a text itself
//! (`file.ir`), so each pass can be run alone.

use crate::cc::{self, Reading, Session, Source};
use crate::cli::Translate;
use crate::failure::{FAILED, Said};
use crate::invocation::{Front, UsageError};
use crate::output;
use accl_ir::Module;
use accl_source::{Diagnostic, Files, render};
use accl_transforms::context::Context;
use accl_transforms::pass::Pass;
use accl_transforms::pipeline;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};

pub fn run(arguments: Translate) -> Result<u8> {
    let passes = chosen(arguments.passes.as_deref())?;
    let (texts, words): (Vec<_>, Vec<_>) = arguments.words.into_iter().partition(|w| w.ends_with(".ir"));
    let mut session = Session::new(Front::C, words)?;
    let to = session.invocation.output.take().unwrap_or_else(|| ".".into());
    let units = cc::plan(&session)?;
    if units.is_empty() && texts.is_empty() {
        bail!("no input files");
    }
    let write = |input| write(&session, &passes, input, &to);
    for unit in &units {
        match cc::read(&session, unit, None)? {
            Reading::Directives(source) => {
                let Source { files, unit: read } = *source;
                let (module, said) = (read.module, read.diagnostics);
                write(Input { path: &unit.path, module, files, is_ir: false, said })?;
            }
            Reading::Plain | Reading::PlainWithExports(_) => {
                bail!("'{}' has no directives", unit.path.display())
            }
            Reading::Rejected(why) => {
                eprint!("{why}");
                return Err(Said(FAILED).into());
            }
        }
    }
    for path in texts.iter().map(Path::new) {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        let module = Module::from_text(&text).with_context(|| format!("in '{}'", path.display()))?;
        let mut files = Files::new();
        files.add(path.display().to_string(), text);
        write(Input { path, module, files, is_ir: true, said: vec![] })?;
    }
    Ok(0)
}

/// The module on which passes run.
struct Input<'a> {
    path: &'a Path,
    module: Module,
    /// The text to which the module's spans refer.
    files: Files,
    /// That text is in the intermediate form and is no host program.
    is_ir: bool,
    said: Vec<Diagnostic>,
}

/// The passes of a list of names; all without one.
fn chosen(list: Option<&str>) -> Result<Vec<Pass>> {
    let Some(list) = list else { return Ok(pipeline::PASSES.to_vec()) };
    list.split(',').filter(|name| !matches!(*name, "" | "none")).map(named).collect()
}

fn named(name: &str) -> Result<Pass> {
    pipeline::pass(name).copied().ok_or_else(|| unknown_pass("--passes", name).into())
}

pub fn unknown_pass(option: &str, name: &str) -> UsageError {
    let names: Vec<&str> = pipeline::PASSES.iter().map(|p| p.name).collect();
    UsageError(format!("{option}: no pass is named '{name}'; there are {}", names.join(", ")))
}

fn write(session: &Session, passes: &[Pass], input: Input<'_>, to: &Path) -> Result<()> {
    let Input { path, mut module, files, is_ir, said: mut diagnostics } = input;
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let options = cc::transform_options(session, (!is_ir).then_some(&files));
        let mut remarks = vec![];
        let mut cx = Context::new(&options, &mut diagnostics, &mut remarks);
        pipeline::run_passes(passes, &mut module, &mut cx, &mut cc::printer(session));
    }
    eprint!("{}", render::text::render(&files, &diagnostics, &cc::render_options()));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Said(FAILED).into());
    }
    if to == Path::new("-") {
        print!("{}", module.to_text());
        return Ok(());
    }
    std::fs::create_dir_all(to).with_context(|| format!("cannot create '{}'", to.display()))?;
    let file: PathBuf = to.join(format!("{}.ir", cc::stem(path)));
    if file.canonicalize().ok().is_some_and(|file| path.canonicalize().ok() == Some(file)) {
        bail!("'{}' is the input itself; give another folder with -o", file.display());
    }
    output::write(&file, module.to_text().as_bytes())?;
    Ok(())
}
