//! `#pragma accl schedule(...)`: the extension that gives a loop's kernel its schedule.
//!
//! The line stands before an OpenACC directive of a loop, and belongs to it. The preprocessor leaves it alone, since names in
//! a schedule are those of steps and of the program's loops. The host crate takes the line away.

use crate::pragmas::Pragma;
use accl_directives::DirectiveKind;
use accl_ir::GivenSchedule;
use accl_source::codes::directives as codes;
use accl_source::{Diagnostic, Span};

/// Gives each directive the schedule on the line before it. What is wrong with schedules is returned.
pub fn attach(
    buffer: &str,
    lines: Vec<(Span, Result<GivenSchedule, Diagnostic>)>,
    pragmas: &mut [Pragma],
) -> Vec<Diagnostic> {
    let mut attach = |(span, schedule)| {
        let schedule = schedule?;
        governed(buffer, span, pragmas)?.schedule = Some(schedule);
        Ok(())
    };
    lines.into_iter().filter_map(|line| attach(line).err()).collect()
}

/// `schedule(...)`, which stands at `span`.
pub fn parse(text: &str, span: Span) -> Result<GivenSchedule, Diagnostic> {
    let malformed = |at: usize, what: &str| {
        let at = span.start + at as u32;
        Diagnostic::error(codes::BAD_SCHEDULE_TEXT, "this is no schedule")
            .label(Span::new(span.file, at, at + 1), what.to_owned())
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
