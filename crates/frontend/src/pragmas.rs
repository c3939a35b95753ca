//! The directives of a buffer.
//!
//! A directive is a line that starts with `#pragma acc` or `#pragma omp`: the preprocessor has put those of `_Pragma` on
//! lines of their own, joined continued lines, and taken comments out. A file in which nothing of OpenMP concerns devices
//! has none of OpenMP's directives here.

use crate::schedules;
use accl_directives::omp::{self, OmpPragma};
use accl_directives::{Directive, DirectiveKind, Sentinel};
use accl_ir::GivenSchedule;
use accl_source::codes::{directives as codes, frontend::OPENMP_TARGET};
use accl_source::{Diagnostic, FileId, Span};
use std::ops::Range;

/// A directive that could be read.
#[derive(Clone, Debug)]
pub struct Pragma {
    /// The line, from `#` to its end.
    pub span: Span,
    pub directive: Directive,
    /// The schedule that stands before it.
    pub schedule: Option<GivenSchedule>,
    /// Mistakes that matter only if the directive turns out to be device code's.
    pub mistakes: Vec<Diagnostic>,
    /// The directive's name in the words of its language, where that is OpenMP.
    pub name: Option<String>,
}

impl Pragma {
    fn new(span: Span, directive: Directive) -> Pragma {
        Pragma { span, directive, schedule: None, mistakes: vec![], name: None }
    }
}

/// The languages that the command line asks for.
#[derive(Clone, Copy)]
pub struct Asked {
    pub openmp: bool,
    /// By name; otherwise OpenACC's directives are followed where they do not say again what OpenMP's say.
    pub openacc: bool,
}

/// All directives in the order of the text, and what is wrong with them. A directive with errors is left out.
pub fn find(buffer: &str, file: FileId, asked: Asked) -> (Vec<Pragma>, Vec<Diagnostic>) {
    let mut pragmas = Vec::new();
    let mut diagnostics = Vec::new();
    let mut offloading = Vec::new();
    let mut schedules = Vec::new();
    let mut offset = 0;
    for line in buffer.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len()) as u32;
        offset += line.len() as u32;
        let text = line.trim();
        if !text.starts_with("#pragma") {
            continue;
        }
        let Some(parsed) = accl_directives::parse_pragma(text, file, start) else { continue };
        let span = Span::new(file, start, start + text.len() as u32);
        if let Some(Directive { kind: DirectiveKind::Other { sentinel, text }, name_span, .. }) =
            &parsed.directive
        {
            match sentinel {
                Sentinel::Omp if asked.openmp => {
                    openmp_line(text, span, *name_span, &mut pragmas, &mut diagnostics)
                }
                Sentinel::Omp if is_for_devices(text) => offloading.push(*name_span),
                Sentinel::Accl => schedules.push((span, schedules::parse(text, *name_span))),
                _ => {}
            }
            continue;
        }
        let failed = parsed.has_errors();
        // A directive that another compiler defines is mentioned once.
        let again = |d: &Diagnostic, known: &[Diagnostic]| {
            d.code == codes::FOREIGN && known.iter().any(|k| k.code == d.code && k.message == d.message)
        };
        for diagnostic in parsed.diagnostics {
            if !again(&diagnostic, &diagnostics) {
                diagnostics.push(diagnostic);
            }
        }
        pragmas.extend(parsed.directive.filter(|_| !failed).map(|directive| Pragma::new(span, directive)));
    }
    if !pragmas.iter().any(|p| p.directive.origin == Sentinel::Omp && p.directive.is_for_devices()) {
        pragmas.retain(|p| p.directive.origin != Sentinel::Omp);
    }
    if asked.openmp && !asked.openacc {
        leave_to_openmp(buffer, &mut pragmas);
    }
    diagnostics.extend(schedules::attach(buffer, schedules, &mut pragmas));
    diagnostics.extend(offloading.first().map(|first| not_offloaded(*first, offloading.len())));
    (pragmas, diagnostics)
}

/// Takes away OpenACC's directives that stand next to one of OpenMP's: the program has both for the same statement, to be compiled
/// with one of them.
fn leave_to_openmp(buffer: &str, pragmas: &mut Vec<Pragma>) {
    let mut others = vec![];
    let mut at = 0;
    for line in buffer.split_inclusive('\n') {
        let place = at..at + line.len();
        at = place.end;
        if let Some(role) = line.trim_start().strip_prefix("#pragma omp").and_then(role) {
            others.push((place, role));
        }
    }
    let is_beside = |a: &Range<usize>, b: &Range<usize>| {
        let text = buffer.get(a.end.min(b.end)..a.start.max(b.start)).unwrap_or_default();
        text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#'))
    };
    pragmas.retain(|p| {
        let place = p.span.start as usize..p.span.end as usize;
        let text = buffer.get(place.clone()).and_then(|line| line.trim_start().strip_prefix("#pragma acc"));
        let Some(own) = text.and_then(role) else { return true };
        !others.iter().any(|(other, role)| *role == own && is_beside(&place, other))
    });
}

/// What a directive does with the statement behind it.
#[derive(PartialEq, Eq)]
enum Role {
    Governs,
    StandsAlone,
}

/// That of directives which both languages have, by what follows the sentinel.
fn role(directive: &str) -> Option<Role> {
    let words = directive.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    match words.take(2).collect::<Vec<_>>()[..] {
        ["target", "enter" | "exit" | "update"] | ["enter" | "exit" | "update", ..] => {
            Some(Role::StandsAlone)
        }
        [
            "target" | "teams" | "distribute" | "parallel" | "for" | "loop" | "simd" | "taskloop" | "atomic"
            | "kernels" | "serial" | "data" | "host_data",
            ..,
        ] => Some(Role::Governs),
        _ => None,
    }
}

/// A line of OpenMP's; `text` is what follows the sentinel, at `at`.
fn openmp_line(
    text: &str,
    span: Span,
    at: Span,
    pragmas: &mut Vec<Pragma>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let named = |directive: Directive| {
        let of = directive.name_span;
        let words = text.get((of.start - at.start) as usize..(of.end - at.start) as usize);
        Pragma { name: words.map(str::to_owned), ..Pragma::new(span, directive) }
    };
    match omp::read(text, span.file, at.start) {
        OmpPragma::Device(parsed) => {
            diagnostics.extend(parsed.diagnostics);
            pragmas.extend(parsed.directive.map(named));
        }
        OmpPragma::Threads(directives, mistakes) => {
            let first = pragmas.len();
            pragmas.extend(directives.into_iter().map(named));
            pragmas[first].mistakes = mistakes;
        }
        OmpPragma::Host => {}
    }
}

/// An OpenMP construct that puts code or data on a device; all others are left to the host compiler.
fn is_for_devices(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(3).collect();
    matches!(
        words[..],
        ["target" | "teams" | "distribute", ..] | ["declare", "target", ..] | ["begin", "declare", "target"]
    )
}

fn not_offloaded(first: Span, count: usize) -> Diagnostic {
    let message = "OpenMP's device constructs are not offloaded: what they govern runs on the host";
    let label = match count {
        1 => "the only one of this file".to_owned(),
        count => format!("the first of {count} in this file"),
    };
    Diagnostic::warning(OPENMP_TARGET, message)
        .label(first, label)
        .with_note("OpenMP is not asked for, so the compiler reads OpenACC alone")
        .with_help("compile with `-fopenmp`")
}
