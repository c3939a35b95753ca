//! Diagnostics and remarks for tools: one JSON object each.
//!
//! The shape is part of the interface: fields are added, never renamed.

use crate::{Diagnostic, Files, Remark, Span};
use serde::Serialize;

#[derive(Serialize)]
struct JsonPlace {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: String,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    places: Vec<JsonPlace>,
    notes: &'a [String],
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonRemark<'a> {
    id: &'static str,
    kind: &'static str,
    function: &'a str,
    place: Option<JsonPlace>,
    message: &'a str,
    help: Option<&'a str>,
    related: Vec<JsonPlace>,
    nested: bool,
}

/// One object per line.
pub fn diagnostics_lines(files: &Files, diagnostics: &[Diagnostic]) -> String {
    lines(diagnostics.iter().map(|d| diagnostic(files, d)))
}

/// One array.
pub fn diagnostics_array(files: &Files, diagnostics: &[Diagnostic]) -> String {
    array(diagnostics.iter().map(|d| diagnostic(files, d)))
}

/// One object per line, in the order of [`super::minfo::sorted`].
pub fn remarks_lines(files: &Files, remarks: &[Remark]) -> String {
    lines(super::minfo::sorted(files, remarks).into_iter().map(|r| remark(files, r)))
}

/// One array, in the order of [`super::minfo::sorted`].
pub fn remarks_array(files: &Files, remarks: &[Remark]) -> String {
    array(super::minfo::sorted(files, remarks).into_iter().map(|r| remark(files, r)))
}

fn diagnostic<'a>(files: &Files, d: &'a Diagnostic) -> JsonDiagnostic<'a> {
    JsonDiagnostic {
        severity: d.severity.name(),
        code: d.code,
        message: &d.message,
        places: places(files, &d.labels),
        notes: &d.notes,
        help: d.help.as_deref(),
    }
}

fn remark<'a>(files: &Files, r: &'a Remark) -> JsonRemark<'a> {
    JsonRemark {
        id: r.id,
        kind: r.kind.name(),
        function: &r.function,
        place: place(files, r.span, ""),
        message: &r.message,
        help: r.help.as_deref(),
        related: places(files, &r.related),
        nested: r.nested,
    }
}

fn places(files: &Files, labels: &[(Span, String)]) -> Vec<JsonPlace> {
    labels.iter().filter_map(|(span, label)| place(files, *span, label)).collect()
}

fn place(files: &Files, span: Span, label: &str) -> Option<JsonPlace> {
    let p = files.place(span)?;
    Some(JsonPlace {
        file: p.file,
        line: p.line,
        column: p.column,
        end_line: p.end_line,
        end_column: p.end_column,
        label: label.to_owned(),
    })
}

fn lines(items: impl Iterator<Item = impl Serialize>) -> String {
    items.map(|item| to_json(&item) + "\n").collect()
}

fn array(items: impl Iterator<Item = impl Serialize>) -> String {
    let items: Vec<String> = items.map(|item| to_json(&item)).collect();
    match items.is_empty() {
        true => "[]\n".to_owned(),
        false => format!("[\n  {}\n]\n", items.join(",\n  ")),
    }
}

fn to_json(item: &impl Serialize) -> String {
    serde_json::to_string(item).expect("strings and numbers always serialise")
}
