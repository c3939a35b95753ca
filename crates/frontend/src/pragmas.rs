//! The directives of a buffer.
//!
//! A directive is a line that starts with `#pragma acc`: the preprocessor has put those of `_Pragma` on
//! lines of their own, joined continued lines, and taken comments out.

use accl_directives::{Directive, DirectiveKind, Sentinel};
use accl_source::codes::directives as codes;
use accl_source::{Diagnostic, FileId, Span};

/// A directive that could be read.
#[derive(Clone, Debug)]
pub struct Pragma {
    /// The line, from `#` to its end.
    pub span: Span,
    pub directive: Directive,
}

/// All directives in the order of the text, and what is wrong with them. A directive with errors is left out.
pub fn find(buffer: &str, file: FileId) -> (Vec<Pragma>, Vec<Diagnostic>) {
    let mut pragmas = Vec::new();
    let mut diagnostics = Vec::new();
    let mut offset = 0;
    for line in buffer.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len()) as u32;
        offset += line.len() as u32;
        let text = line.trim();
        if !text.starts_with("#pragma") {
            continue;
        }
        let Some(parsed) = accl_directives::parse_pragma(text, file, start) else { continue };
        let foreign = |d: &Directive| {
            matches!(d.kind, DirectiveKind::Other { sentinel: Sentinel::Omp | Sentinel::Cuda, .. })
        };
        if parsed.directive.as_ref().is_some_and(foreign) {
            continue;
        }
        let failed = parsed.has_errors();
        // What other compilers define is mentioned once.
        let again = |d: &Diagnostic, known: &[Diagnostic]| {
            d.code == codes::FOREIGN && known.iter().any(|k| k.code == d.code && k.message == d.message)
        };
        for diagnostic in parsed.diagnostics {
            if !again(&diagnostic, &diagnostics) {
                diagnostics.push(diagnostic);
            }
        }
        let span = Span::new(file, start, start + text.len() as u32);
        pragmas.extend(parsed.directive.filter(|_| !failed).map(|directive| Pragma { span, directive }));
    }
    (pragmas, diagnostics)
}
