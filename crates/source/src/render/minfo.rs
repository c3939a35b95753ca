//! Remarks in the layout of nvc's `-Minfo=accel`.
//!
//! ```text
//! forward:
//!     122, Generating implicit copyin(x[:m]) [if not already present]
//!     412, Generating NVIDIA GPU code
//!         412, #pragma acc loop gang, vector(128) /* blockIdx.x threadIdx.x */
//!              Generating implicit reduction(+:sum)
//! ```
//!
//! As in nvc's output, a line number stands only once for several consecutive remarks.

use super::Options;
use crate::{Files, Remark};
use std::fmt::Write;

/// Remarks in the order in which they are shown: functions by file and first line; inside, by line,
/// then as emitted; nested ones stay under theirs.
pub fn sorted<'a>(files: &Files, remarks: &'a [Remark]) -> Vec<&'a Remark> {
    functions(files, remarks).into_iter().flat_map(|f| f.blocks.into_iter().flatten()).collect()
}

/// Renders all remarks; empty if there are none.
pub fn render(files: &Files, remarks: &[Remark], options: &Options) -> String {
    let mut out = String::new();
    for function in functions(files, remarks) {
        let _ = writeln!(out, "{}:", paint(options, "1", function.name));
        let mut last = (false, 0);
        for remark in function.blocks.iter().flatten() {
            let here = (remark.nested, files.line(remark.span));
            write_remark(&mut out, files, remark, here != last, options);
            last = here;
        }
    }
    out
}

/// A remark that is not nested, with the nested ones after it.
type Block<'a> = Vec<&'a Remark>;

struct Function<'f, 'a> {
    file: &'f str,
    name: &'a str,
    blocks: Vec<Block<'a>>,
}

fn functions<'f, 'a>(files: &'f Files, remarks: &'a [Remark]) -> Vec<Function<'f, 'a>> {
    let mut functions: Vec<Function<'f, 'a>> = Vec::new();
    for remark in remarks {
        let file = files.file_name(remark.span);
        let known = functions.iter().position(|f| f.name == remark.function && f.file == file);
        let index = known.unwrap_or_else(|| {
            functions.push(Function { file, name: &remark.function, blocks: vec![] });
            functions.len() - 1
        });
        let blocks = &mut functions[index].blocks;
        match blocks.last_mut() {
            Some(block) if remark.nested => block.push(remark),
            _ => blocks.push(vec![remark]),
        }
    }
    for function in &mut functions {
        function.blocks.iter_mut().for_each(|block| block[1..].sort_by_key(|r| files.line(r.span)));
        function.blocks.sort_by_key(|block| files.line(block[0].span));
    }
    let first_line = |f: &Function<'_, '_>| f.blocks.iter().flatten().map(|r| files.line(r.span)).min();
    functions.sort_by_key(|f| (f.file, first_line(f), f.name));
    functions
}

fn write_remark(out: &mut String, files: &Files, remark: &Remark, numbered: bool, options: &Options) {
    let indent = if remark.nested { "    " } else { "" };
    let number = match files.line(remark.span) {
        line if numbered && line > 0 => format!("{line:>7}, "),
        _ => " ".repeat(9),
    };
    let color = if remark.kind.is_missed() { "33" } else { "0" };
    let id = if options.ids { format!(" [{}]", remark.id) } else { String::new() };
    let message = paint(options, color, &remark.message);
    let _ = writeln!(out, "{indent}{number}{message}{}", paint(options, "2", &id));
    for (span, text) in &remark.related {
        let _ = writeln!(out, "{indent}             {}{text}", line_prefix(files, remark, *span));
    }
    if let Some(help) = &remark.help {
        let _ = writeln!(out, "{indent}             {} {help}", paint(options, "36", "help:"));
    }
}

/// "line 12: ", or "other.c:12: " for another file.
pub(super) fn line_prefix(files: &Files, remark: &Remark, span: crate::Span) -> String {
    match files.locate(span) {
        Some(at) if at.file == files.file_name(remark.span) => format!("line {}: ", at.line),
        Some(at) => format!("{}:{}: ", at.file, at.line),
        None => String::new(),
    }
}

pub(super) fn paint(options: &Options, code: &str, text: &str) -> String {
    if options.color && code != "0" && !text.is_empty() {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}
