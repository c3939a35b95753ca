//! The source file with each remark beneath the line it is about (`accl explain`).

use super::Options;
use super::minfo::{line_prefix, paint, sorted};
use crate::{Files, Remark};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Renders every file that has remarks, in full. Where a file cannot be read, only its remarks are
/// shown.
pub fn render(files: &Files, remarks: &[Remark], options: &Options) -> String {
    let mut by_file: BTreeMap<&str, BTreeMap<u32, Vec<&Remark>>> = BTreeMap::new();
    for remark in sorted(files, remarks) {
        let lines = by_file.entry(files.file_name(remark.span)).or_default();
        lines.entry(files.line(remark.span)).or_default().push(remark);
    }
    let mut out = String::new();
    for (file, lines) in by_file {
        write_file(&mut out, files, file, &lines, options);
    }
    out
}

fn write_file(
    out: &mut String,
    files: &Files,
    file: &str,
    lines: &BTreeMap<u32, Vec<&Remark>>,
    options: &Options,
) {
    if !file.is_empty() {
        let _ = writeln!(out, "{}", paint(options, "1", &format!("{file}:")));
    }
    let text = files.original(file).unwrap_or_default();
    let mut shown = 0;
    write_remarks(out, files, lines.get(&0), options);
    for (number, line) in (1u32..).zip(text.lines()) {
        let gutter = paint(options, "2", &format!("{number:>5} |"));
        let _ = writeln!(out, "{}", format!("{gutter} {line}").trim_end());
        write_remarks(out, files, lines.get(&number), options);
        shown = number;
    }
    for (number, remarks) in lines.range(shown + 1..) {
        let _ = writeln!(out, "{}", paint(options, "2", &format!("{number:>5} |")));
        write_remarks(out, files, Some(remarks), options);
    }
}

fn write_remarks(out: &mut String, files: &Files, remarks: Option<&Vec<&Remark>>, options: &Options) {
    for remark in remarks.into_iter().flatten() {
        let (mark, color) = if remark.kind.is_missed() { ("!", "33") } else { ("=", "32") };
        let indent = if remark.nested { "    " } else { "" };
        let id = if options.ids { format!(" [{}]", remark.id) } else { String::new() };
        let message = paint(options, color, &format!("{mark} {}", remark.message));
        let _ = writeln!(out, "      {indent}{message}{}", paint(options, "2", &id));
        for (span, text) in &remark.related {
            let _ = writeln!(out, "        {indent}{}{text}", line_prefix(files, remark, *span));
        }
        if let Some(help) = &remark.help {
            let _ = writeln!(out, "        {indent}{} {help}", paint(options, "36", "help:"));
        }
    }
}
