//! Finds where a span stands in the text that the user wrote.
//!
//! The preprocessor joins continued directives into one line, removes extra white space and expands macros, so a
//! column of the buffer is not a column of the user's file. The span's text is therefore looked for in the user's
//! own (logical) line, blanks ignored. Where it is not found, because a macro wrote it, the location is the whole
//! line.

use crate::{Files, Span};

/// The user's file and line, and the source text to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    pub file: String,
    /// Line and column (in bytes, both from 1) at which the marked range starts.
    pub line: u32,
    pub column: u32,
    /// The same for its end (exclusive).
    pub end_line: u32,
    pub end_column: u32,
    /// One logical line: a directive with all its continuation lines.
    pub text: String,
    /// The user's line at which `text` starts.
    pub text_line: u32,
    /// The marked bytes of `text`.
    pub range: std::ops::Range<usize>,
}

impl Files {
    /// `None` when the span is nowhere.
    pub fn place(&self, span: Span) -> Option<SourceLocation> {
        let source = self.get(span.file)?;
        let location = source.lines.locate(span.start);
        let buffer = buffer_line(source, span);
        let (text, text_line) = self
            .original(location.file)
            .and_then(|original| logical_line(&original, location.line))
            .unwrap_or_else(|| (buffer.text.to_owned(), location.line));
        let range = if text == buffer.text {
            buffer.range
        } else {
            find_ignoring_blanks(&text, &buffer.text[buffer.range.clone()], occurrence(&buffer))
                .unwrap_or_else(|| trimmed(&text))
        };
        Some(SourceLocation::new(location.file.to_owned(), text, text_line, range))
    }
}

impl SourceLocation {
    fn new(file: String, text: String, text_line: u32, range: std::ops::Range<usize>) -> SourceLocation {
        let (line, column) = line_and_column(&text, range.start);
        let (end_line, end_column) = line_and_column(&text, range.end);
        let (line, end_line) = (text_line + line, text_line + end_line);
        SourceLocation { file, line, column, end_line, end_column, text, text_line, range }
    }
}

/// The line of the buffer in which a span starts; the span is cut off at its end.
struct BufferLine<'a> {
    text: &'a str,
    range: std::ops::Range<usize>,
}

fn buffer_line(source: &crate::SourceFile, span: Span) -> BufferLine<'_> {
    let line = source.lines.buffer_line(span.start);
    let start = source.lines.line_start(line).unwrap_or(0) as usize;
    let text = source.text.get(start..).and_then(|rest| rest.split('\n').next()).unwrap_or("");
    let clip = |offset: u32| floor_char_boundary(text, (offset as usize).saturating_sub(start));
    let from = clip(span.start);
    BufferLine { text, range: from..clip(span.end).max(from) }
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// How often the marked text occurs in the buffer line before the mark.
fn occurrence(buffer: &BufferLine<'_>) -> usize {
    let needle = &buffer.text[buffer.range.clone()];
    let mut from = 0;
    let mut count = 0;
    while let Some(found) = find_from(buffer.text, needle, from) {
        if found.start >= buffer.range.start {
            break;
        }
        count += 1;
        from = found.end;
    }
    count
}

/// Line `line` of the text with the lines it continues or is continued by.
fn logical_line(text: &str, line: u32) -> Option<(String, u32)> {
    let lines: Vec<&str> = text.split('\n').collect();
    let at = line.checked_sub(1)? as usize;
    let continued = |i: usize| lines[i].trim_end().ends_with('\\');
    lines.get(at)?;
    let first = (0..at).rev().take_while(|&i| continued(i)).last().unwrap_or(at);
    let mut last = at;
    while last + 1 < lines.len() && continued(last) {
        last += 1;
    }
    Some((lines[first..=last].join("\n").trim_end_matches('\r').to_owned(), first as u32 + 1))
}

/// The `nth` (from 0) occurrence of `needle`, else the first.
fn find_ignoring_blanks(text: &str, needle: &str, nth: usize) -> Option<std::ops::Range<usize>> {
    let first = find_from(text, needle, 0)?;
    let mut found = first.clone();
    for _ in 0..nth {
        match find_from(text, needle, found.end) {
            Some(next) => found = next,
            None => return Some(first),
        }
    }
    Some(found)
}

fn find_from(text: &str, needle: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let needle: Vec<char> = needle.chars().filter(|c| !is_blank(*c)).collect();
    let whole_word =
        needle.first().is_some_and(|c| is_word(*c)) && needle.last().is_some_and(|c| is_word(*c));
    let hay: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !is_blank(*c)).collect();
    if needle.is_empty() {
        return None;
    }
    hay.windows(needle.len())
        .filter(|w| w[0].0 >= from && w.iter().zip(&needle).all(|((_, c), n)| c == n))
        .map(|w| w[0].0..w[w.len() - 1].0 + w[w.len() - 1].1.len_utf8())
        .find(|r| !whole_word || is_bounded(text, r))
}

fn is_bounded(text: &str, range: &std::ops::Range<usize>) -> bool {
    !text[..range.start].ends_with(is_word) && !text[range.end..].starts_with(is_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\\'
}

fn trimmed(text: &str) -> std::ops::Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..text.trim_end().len().max(start)
}

/// Line from 0, column from 1.
fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() as u32, (offset - start) as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of `word` of the buffer in the original, as `line:column 'marked'`.
    fn check(original: &str, buffer_line: &str, word: &str, expected: &str) {
        let mut files = Files::new();
        files.set_original("t.c", original);
        let buffer = format!("# 1 \"t.c\"\n{buffer_line}\n");
        let start = buffer.find(word).unwrap() as u32;
        let file = files.add_preprocessed("t.i", buffer);
        let place = files.place(Span::new(file, start, start + word.len() as u32)).unwrap();
        let marked = &place.text[place.range.clone()];
        assert_eq!(format!("{}:{} '{marked}'", place.line, place.column), expected);
    }

    #[test]
    fn an_unchanged_line_keeps_its_columns() {
        check("  x = y;", "  x = y;", "y", "1:7 'y'");
    }

    #[test]
    fn squeezed_blanks_and_continuations_are_found_again() {
        let original = "#pragma acc parallel loop \\\n    copyin( a[0 : n] )";
        check(original, "#pragma omp acc parallel loop copyin( a[0:n])", "a[0:n]", "2:13 'a[0 : n]'");
    }

    #[test]
    fn the_same_occurrence_is_taken() {
        check("#pragma  acc loop gang(na) na  a", "#pragma acc loop gang(na) na a", "a)", "1:25 'a)'");
        check(
            "#pragma acc  data copy(a) create(a)",
            "#pragma acc data copy(a) create(a)",
            "create(a)",
            "1:27 'create(a)'",
        );
    }

    #[test]
    fn text_from_a_macro_marks_the_whole_line() {
        check(
            " #pragma acc loop vector(N)",
            " #pragma acc loop vector(128)",
            "128",
            "1:2 '#pragma acc loop vector(N)'",
        );
    }
}
