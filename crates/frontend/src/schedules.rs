//! `#pragma accl schedule(...)`: the extension that gives a loop's kernel its schedule.
//!
//! The line stands before an OpenACC directive of a loop, and belongs to it. The preprocessor leaves it alone, since names in
//! a schedule are those of steps and of the program's loops. The host crate takes the line away.

use crate::pragmas::Pragma;
use accl_directives::DirectiveKind;
use accl_ir::GivenSchedule;
use accl_source::codes::directives as codes;
use accl_source::{Diagnostic, FileId, Span};

/// Gives each directive the schedule before it. What is wrong with schedules is returned.
pub fn attach(buffer: &str, file: FileId, pragmas: &mut [Pragma]) -> Vec<Diagnostic> {
    let mut diagnostics = vec![];
    let mut offset = 0;
    for line in buffer.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len()) as u32;
        offset += line.len() as u32;
        let Some(text) = after_sentinel(line.trim()) else { continue };
        let span = Span::new(file, start, start + line.trim().len() as u32);
        let text_start = span.end - text.len() as u32;
        let found = parse(text, file, text_start).and_then(|schedule| {
            let pragma = governed(buffer, span, pragmas)?;
            pragma.schedule = Some(schedule);
            Ok(())
        });
        diagnostics.extend(found.err());
    }
    diagnostics
}

/// What follows `#pragma accl`.
fn after_sentinel(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start().strip_prefix("accl")?;
    (!rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')).then_some(rest.trim())
}

/// `schedule(...)`
fn parse(text: &str, file: FileId, start: u32) -> Result<GivenSchedule, Diagnostic> {
    let malformed = |at: usize, what: &str| {
        let at = start + at as u32;
        Diagnostic::error(codes::BAD_SCHEDULE_TEXT, "this is no schedule")
            .label(Span::new(file, at, at + 1), what.to_owned())
            .with_help("a schedule is a list of steps: `#pragma accl schedule(block(128) vectorize(4))`")
    };
    let inner = text.strip_prefix("schedule").map(str::trim_start).and_then(|rest| rest.strip_prefix('('));
    let Some(inner) = inner else { return Err(malformed(0, "`schedule(` is expected")) };
    let Some(steps) = inner.strip_suffix(')') else {
        return Err(malformed(text.len().saturating_sub(1), "`)` is expected after this"));
    };
    let first = text.len() - inner.len();
    let schedule = steps
        .parse()
        .map_err(|why: accl_ir::schedule::NotASchedule| malformed(first + why.at, &why.to_string()))?;
    let span = Span::new(file, start, start + text.len() as u32);
    Ok(GivenSchedule { schedule, span, origin: None })
}

/// The directive that follows, which must be one of a loop.
fn governed<'p>(buffer: &str, span: Span, pragmas: &'p mut [Pragma]) -> Result<&'p mut Pragma, Diagnostic> {
    let next = pragmas.iter_mut().find(|pragma| pragma.span.start >= span.end);
    // The preprocessor puts line markers (`# 12 "a.c"`) between the directives of a macro.
    let is_marker = |line: &str| {
        line.strip_prefix('#').is_some_and(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    };
    let follows = |pragma: &Pragma| {
        let between = &buffer[span.end as usize..pragma.span.start as usize];
        between.lines().all(|line| line.trim().is_empty() || is_marker(line))
    };
    let is_loop = |pragma: &Pragma| {
        matches!(pragma.directive.kind, DirectiveKind::Loop | DirectiveKind::Compute { loop_: true, .. })
    };
    match next {
        Some(pragma) if follows(pragma) && is_loop(pragma) && pragma.schedule.is_none() => Ok(pragma),
        _ => Err(Diagnostic::error(
            codes::BAD_SCHEDULE_TEXT,
            "a schedule stands before the directive of a loop",
        )
        .label(span, "one such directive must follow this line")
        .with_help("write it before `#pragma acc parallel loop`, `kernels loop` or `loop`, once")),
    }
}
