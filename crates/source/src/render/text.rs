//! Diagnostics for people: the source line, the marked place, and what to do about it.

use super::Options;
use crate::{Diagnostic, Files, Severity, SourceLocation};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};

/// Renders the diagnostics in the order given, each followed by an empty line.
pub fn render(files: &Files, diagnostics: &[Diagnostic], options: &Options) -> String {
    diagnostics.iter().map(|d| render_one(files, d, options) + "\n").collect()
}

/// Renders one diagnostic; the text ends in a newline.
pub fn render_one(files: &Files, diagnostic: &Diagnostic, options: &Options) -> String {
    let renderer = if options.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(options.width);
    renderer.render(&[group(files, diagnostic)]) + "\n"
}

fn group<'a>(files: &'a Files, diagnostic: &'a Diagnostic) -> Group<'a> {
    let title = level(diagnostic.severity).primary_title(&diagnostic.message).id(diagnostic.code);
    let notes = diagnostic.notes.iter().map(|note| Element::from(Level::NOTE.message(note)));
    let help = diagnostic.help.iter().map(|help| Element::from(Level::HELP.message(help)));
    title.elements(snippets(files, diagnostic)).elements(notes).elements(help)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// One snippet per file, so that a label and what it refers to are seen in the order of the source; lines
/// in between are left out.
fn snippets<'a>(files: &Files, diagnostic: &'a Diagnostic) -> Vec<Element<'a>> {
    let mut groups: Vec<Vec<Mark<'a>>> = Vec::new();
    for (index, (span, label)) in diagnostic.labels.iter().enumerate() {
        let Some(place) = files.place(*span) else {
            continue;
        };
        let mark = Mark::new(files, place, label, index == 0);
        match groups.iter_mut().find(|g| g[0].shares_text_with(&mark)) {
            Some(group) => group.push(mark),
            None => groups.push(vec![mark]),
        }
    }
    groups.into_iter().map(|group| Element::from(snippet(files, group))).collect()
}

/// A label with its place.
struct Mark<'a> {
    place: SourceLocation,
    label: &'a str,
    primary: bool,
    /// Where `place.text` starts in the user's file; `None` where the file does not hold it (any more).
    offset: Option<usize>,
}

impl<'a> Mark<'a> {
    fn new(files: &Files, place: SourceLocation, label: &'a str, primary: bool) -> Mark<'a> {
        let offset = files.original(&place.file).and_then(|text| {
            let line = place.text_line.checked_sub(1)? as usize;
            let start = text.split_inclusive('\n').take(line).map(str::len).sum();
            text.get(start..)?.starts_with(&place.text).then_some(start)
        });
        Mark { place, label, primary, offset }
    }

    fn shares_text_with(&self, other: &Mark<'_>) -> bool {
        let (a, b) = (&self.place, &other.place);
        a.file == b.file && (a.text_line == b.text_line || self.offset.is_some() && other.offset.is_some())
    }

    fn end(&self) -> Option<usize> {
        Some(self.offset? + self.place.text.len())
    }
}

fn snippet<'a>(files: &Files, marks: Vec<Mark<'a>>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let path = marks[0].place.file.clone();
    let line = marks.iter().map(|m| m.place.text_line).min().unwrap_or(1);
    let start = marks.iter().filter_map(|m| m.offset).min();
    let end = marks.iter().filter_map(Mark::end).max();
    let original = files.original(&path);
    let several =
        start.zip(end).zip(original).and_then(|((a, b), text)| Some((a, text.get(a..b)?.to_owned())));
    let (start, text) = several.unwrap_or_else(|| (0, marks[0].place.text.clone()));
    let annotations: Vec<_> = marks
        .into_iter()
        .map(|mark| {
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let marked = visible(&mark.place);
            let at = mark.offset.map_or(0, |offset| offset - start);
            let annotation = kind.span(at + marked.start..at + marked.end);
            if mark.label.is_empty() { annotation } else { annotation.label(mark.label) }
        })
        .collect();
    Snippet::source(text).line_start(line as usize).path(path).annotations(annotations)
}

/// An empty range marks the character after it, or a place after the end.
fn visible(place: &SourceLocation) -> std::ops::Range<usize> {
    if !place.range.is_empty() {
        return place.range.clone();
    }
    let start = place.range.start;
    let next = place.text[start..].chars().next().map_or(0, char::len_utf8);
    start..start + next
}
