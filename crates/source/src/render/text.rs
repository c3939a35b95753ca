//! Diagnostics for people: the source line, the marked place, and what to do about it.

use super::Options;
use crate::{Diagnostic, Files, Place, Severity};
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

/// One snippet per logical line; labels on the same line share it.
fn snippets<'a>(files: &Files, diagnostic: &'a Diagnostic) -> Vec<Element<'a>> {
    let mut groups: Vec<Vec<(Place, &'a str, bool)>> = Vec::new();
    for (index, (span, label)) in diagnostic.labels.iter().enumerate() {
        let Some(place) = files.place(*span) else {
            continue;
        };
        let same = |g: &&mut Vec<(Place, &str, bool)>| {
            g[0].0.file == place.file && g[0].0.text_line == place.text_line
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push((place, label, index == 0)),
            None => groups.push(vec![(place, label, index == 0)]),
        }
    }
    groups.into_iter().map(|group| Element::from(snippet(group))).collect()
}

fn snippet(labels: Vec<(Place, &str, bool)>) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let first = &labels[0].0;
    let (text, line, path) = (first.text.clone(), first.text_line, first.file.clone());
    let annotations: Vec<_> = labels
        .into_iter()
        .map(|(place, label, primary)| {
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(visible(&place));
            if label.is_empty() { annotation } else { annotation.label(label) }
        })
        .collect();
    Snippet::source(text).line_start(line as usize).path(path).annotations(annotations)
}

/// An empty range marks the character behind it, or a place behind the end.
fn visible(place: &Place) -> std::ops::Range<usize> {
    if !place.range.is_empty() {
        return place.range.clone();
    }
    let start = place.range.start;
    let next = place.text[start..].chars().next().map_or(0, char::len_utf8);
    start..start + next
}
