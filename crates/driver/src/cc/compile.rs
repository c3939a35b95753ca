//! From a source with directives to the texts that are compiled: the way of the data, in one function.

use super::Session;
use super::unit::Unit;
use crate::invocation::{Acc, RemarkFilter, RemarkFormat};
use accl_source::{Diagnostic, Files, Remark, RemarkKind, render};
use anyhow::Result;
use std::io::IsTerminal;

/// A source the front end has read.
pub struct Source {
    pub files: Files,
    pub diagnostics: Vec<Diagnostic>,
}

impl Source {
    pub fn has_directives(&self) -> bool {
        false
    }
}

/// Everything that comes of a source with directives.
pub struct Compiled {
    pub files: Files,
    pub diagnostics: Vec<Diagnostic>,
    pub remarks: Vec<Remark>,
    /// The preprocessed source with calls in place of regions.
    pub host: String,
    /// The kernels for the CPU, in C; empty where that target is off.
    pub kernels: String,
    /// The device sources and images as C data.
    pub tables: String,
}

impl Compiled {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    pub fn remarks_json(&self) -> String {
        render::json::remarks_array(&self.files, &self.remarks)
    }
}

pub fn parse(_session: &Session, _unit: &Unit) -> Result<Source> {
    Ok(Source { files: Files::new(), diagnostics: vec![] })
}

pub fn compile(_session: &Session, _unit: &Unit, source: Source) -> Result<Compiled> {
    Ok(Compiled {
        files: source.files,
        diagnostics: source.diagnostics,
        remarks: vec![],
        host: String::new(),
        kernels: String::new(),
        tables: String::new(),
    })
}

/// Diagnostics always, remarks in the forms asked for.
pub fn show_messages(session: &Session, compiled: &Compiled, messages: &mut Vec<u8>) {
    let acc = &session.invocation.acc;
    let options = render_options();
    let mut text = render::text::render(&compiled.files, &compiled.diagnostics, &options);
    match acc.remarks {
        Some(RemarkFormat::Json) => text += &render::json::remarks_lines(&compiled.files, &compiled.remarks),
        Some(RemarkFormat::Sarif) => {
            let version = env!("CARGO_PKG_VERSION");
            text +=
                &render::sarif::render(&compiled.files, &compiled.diagnostics, &compiled.remarks, version);
        }
        Some(RemarkFormat::Text) => {
            text += &render::minfo::render(&compiled.files, &compiled.remarks, &options)
        }
        None if acc.minfo => text += &render::minfo::render(&compiled.files, &compiled.remarks, &options),
        None => {}
    }
    text += &as_clang_prints(acc, compiled);
    messages.extend(text.into_bytes());
}

pub fn render_options() -> render::Options {
    let stderr = std::io::stderr();
    let color = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let width = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(120);
    render::Options { color, width, ..render::Options::default() }
}

/// `-Rpass=openacc`: "file.c:12:1: remark: Generating NVIDIA GPU code [-Rpass=openacc]".
fn as_clang_prints(acc: &Acc, compiled: &Compiled) -> String {
    let mut text = String::new();
    for remark in render::minfo::sorted(&compiled.files, &compiled.remarks) {
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
        let place = compiled.files.locate(remark.span).map(|l| format!("{l}: ")).unwrap_or_default();
        text += &format!("{place}remark: {} [{option}=openacc]\n", remark.message);
    }
    text
}
