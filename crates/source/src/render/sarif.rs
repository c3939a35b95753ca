//! Diagnostics and remarks as SARIF 2.1.0, for code review and editors.
//!
//! Every code that occurs gets a rule with its documentation; remarks are results of level "note" and
//! kind "informational".

use crate::{Diagnostic, Files, Remark, Severity, Span, codes};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The whole log, pretty printed.
pub fn render(files: &Files, diagnostics: &[Diagnostic], remarks: &[Remark], version: &str) -> String {
    let remarks = super::minfo::sorted(files, remarks);
    let used: BTreeSet<&str> =
        diagnostics.iter().map(|d| d.code).chain(remarks.iter().map(|r| r.id)).collect();
    let results: Vec<Value> = (diagnostics.iter().map(|d| diagnostic(files, d)))
        .chain(remarks.into_iter().map(|r| remark(files, r)))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "accl", "version": version, "rules": rules(&used) } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rules(used: &BTreeSet<&str>) -> Vec<Value> {
    let rule = |code: &&str| match codes::lookup(code) {
        Some(doc) => json!({
            "id": code,
            "shortDescription": { "text": doc.title },
            "fullDescription": { "text": doc.doc },
        }),
        None => json!({ "id": code }),
    };
    used.iter().map(rule).collect()
}

fn diagnostic(files: &Files, d: &Diagnostic) -> Value {
    let level = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut text = d.message.clone();
    for extra in
        d.notes.iter().map(|n| format!("note: {n}")).chain(d.help.iter().map(|h| format!("help: {h}")))
    {
        text = format!("{text}\n{extra}");
    }
    json!({
        "ruleId": d.code,
        "level": level,
        "message": { "text": text },
        "locations": locations(files, d.labels.get(..1).unwrap_or(&[])),
        "relatedLocations": locations(files, d.labels.get(1..).unwrap_or(&[])),
    })
}

fn remark(files: &Files, r: &Remark) -> Value {
    let help = r.help.as_ref().map_or(String::new(), |h| format!("\nhelp: {h}"));
    json!({
        "ruleId": r.id,
        "level": "none",
        "kind": "informational",
        "message": { "text": format!("{}: {}{help}", r.function, r.message) },
        "locations": locations(files, &[(r.span, String::new())]),
        "relatedLocations": locations(files, &r.related),
    })
}

fn locations(files: &Files, labels: &[(Span, String)]) -> Vec<Value> {
    labels.iter().filter_map(|(span, label)| location(files, *span, label)).collect()
}

fn location(files: &Files, span: Span, label: &str) -> Option<Value> {
    let place = files.place(span)?;
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.file) },
            "region": {
                "startLine": place.line,
                "startColumn": column(&place.text, place.range.start),
                "endLine": place.end_line,
                "endColumn": column(&place.text, place.range.end),
            },
        },
    });
    if !label.is_empty() {
        location["message"] = json!({ "text": label });
    }
    Some(location)
}

/// The column of a byte, counted in characters from 1.
fn column(text: &str, offset: usize) -> usize {
    let before = &text[..offset];
    before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1
}

/// A path as a URI reference: absolute ones get the file scheme, odd bytes are escaped.
fn uri(path: &str) -> String {
    let escaped: String = path
        .bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' | b'+' => {
                (b as char).to_string()
            }
            b => format!("%{b:02X}"),
        })
        .collect();
    if path.starts_with('/') { format!("file://{escaped}") } else { escaped }
}
