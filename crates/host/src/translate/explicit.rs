//! Changes of the preprocessed text, made in the text as the user wrote it.

use super::source::Original;
use accl_source::{FileId, LineMap, Span};
use std::ops::Range;

/// The user's file, and the preprocessed text that came of it.
pub struct Written<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pub buffer: &'a str,
    pub lines: &'a LineMap,
}

/// A place of the buffer that the user's text does not have: a macro makes it, or a header holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFound(pub usize);

/// The user's text with the changes: ranges of the buffer, with what takes their place.
pub fn apply(written: &Written<'_>, changes: &[(Range<usize>, String)]) -> Result<String, NotFound> {
    let original = Original::new(written.file, written.text, written.lines);
    let mut edits = changes
        .iter()
        .map(|(range, text)| edit(written, &original, range, text).ok_or(NotFound(range.start)))
        .collect::<Result<Vec<_>, _>>()?;
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut result, mut at) = (String::with_capacity(written.text.len() * 2), 0);
    for ((range, text), (place, _)) in edits.iter().zip(changes) {
        if range.start < at {
            return Err(NotFound(place.start));
        }
        result += &written.text[at..range.start];
        result += text;
        at = range.end;
    }
    Ok(result + &written.text[at..])
}

fn edit(
    written: &Written<'_>,
    original: &Original<'_>,
    range: &Range<usize>,
    text: &str,
) -> Option<(Range<usize>, String)> {
    let Written { buffer, .. } = written;
    let text: String = text.split_inclusive('\n').filter(|line| !is_marker(line)).collect();
    let line_start = buffer[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let is_directive = buffer[line_start..].trim_start().starts_with("#pragma");
    let place = match is_directive {
        true => in_directive(written, original, range, line_start, text.trim().is_empty())?,
        false => {
            let start = original.token_offset(buffer, range.start)?;
            let end = if range.is_empty() { start } else { original.token_offset(buffer, range.end)? };
            // What is replaced has to be what stands there.
            let words = |text: &str| text.split_whitespace().collect::<String>();
            if words(written.text.get(start..end)?) != words(&buffer[range.clone()]) {
                return None;
            }
            start..end
        }
    };
    Some((place.clone(), laid_out(written.text, original.indent(place.start), &place, &text)))
}

/// A change of a directive's line.
fn in_directive(
    written: &Written<'_>,
    original: &Original<'_>,
    range: &Range<usize>,
    line_start: usize,
    is_taken_away: bool,
) -> Option<Range<usize>> {
    let buffer = written.buffer;
    let line_end = buffer[range.start..].find('\n').map_or(buffer.len(), |at| range.start + at);
    let at = line_start as u32;
    let lines = original.directive(Span::new(FileId(0), at, at + 1)).ok()?;
    let text = &written.text[lines.clone()];
    let first = lines.start + text.len() - text.trim_start().len();
    let end = lines.start + text.trim_end().len();
    let is_at_start = buffer[line_start..range.start].trim().is_empty();
    let is_to_end = buffer[range.end..line_end.max(range.end)].trim().is_empty();
    // A comment behind the clauses stays there.
    let comment = ["//", "/*"].iter().filter_map(|c| written.text[first..end].find(c)).min();
    let end = comment.map_or(end, |at| first + written.text[first..first + at].trim_end().len());
    match (range.is_empty(), is_at_start, is_to_end) {
        (true, true, _) => Some(first..first),
        (true, false, true) => Some(end..end),
        (false, true, true) if range.end <= line_end && is_taken_away => Some(lines),
        (false, true, true) if range.end <= line_end => Some(first..end),
        _ => None,
    }
}

/// `# 12 "file.c"`
fn is_marker(line: &str) -> bool {
    line.strip_prefix("# ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The text with directives on lines of their own, indented as the line around.
fn laid_out(text: &str, indent: &str, place: &Range<usize>, new: &str) -> String {
    let before = text[..place.start].rsplit('\n').next().unwrap_or("");
    let after = text[place.end..].split('\n').next().unwrap_or("");
    let is_line = |line: &str| line.starts_with("#pragma");
    let mut lines = new.split('\n');
    let first = lines.next().unwrap_or("");
    let mut result = match is_line(first) && !before.trim().is_empty() {
        true => format!("\n{indent}{first}"),
        false => first.to_owned(),
    };
    let mut last = first;
    for line in lines {
        result.truncate(result.trim_end_matches(' ').len());
        // Lines that are indented know by how much.
        let own = line.starts_with([' ', '\t']) && !line.trim().is_empty();
        result +=
            &format!("\n{}{}", if own { "" } else { indent }, if own { line } else { line.trim_start() });
        last = line.trim_start();
    }
    // The comment of the directive that is replaced.
    let keeps_comment = !place.is_empty() && ["//", "/*"].iter().any(|c| after.trim_start().starts_with(c));
    if is_line(last) && !after.trim().is_empty() && !keeps_comment {
        result += &format!("\n{indent}");
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, buffer: &str, changes: &[(Range<usize>, &str)]) -> Result<String, NotFound> {
        let lines = LineMap::from_preprocessed("a.c", buffer);
        let changes: Vec<_> =
            changes.iter().map(|(range, text)| (range.clone(), (*text).to_owned())).collect();
        apply(&Written { file: "a.c", text, buffer, lines: &lines }, &changes)
    }

    #[test]
    fn clauses_stand_before_the_comment_and_directives_on_lines_of_their_own() {
        let text = "{\n  #pragma omp for // all\n\tfor (i = 0; i < N; i++) a[i] = 0; /* done */ b();\n}\n";
        let buffer = "# 1 \"a.c\"\n{\n  #pragma omp for\n        for (i = 0; i < 8; i++) a[i] = 0; b();\n}\n";
        let end = buffer.find("for\n").unwrap() + 3;
        let start = buffer.find("#pragma").unwrap();
        let after = buffer.find(" b()").unwrap();
        let made = applied(
            text,
            buffer,
            &[
                (start..start, "#pragma omp target data\n"),
                (end..end, " nowait"),
                (after..after, "\n#pragma omp barrier"),
            ],
        );
        assert_eq!(
            made.unwrap(),
            "{\n  #pragma omp target data\n  #pragma omp for nowait // all\n\tfor (i = 0; i < N; i++) a[i] = 0;\n\t#pragma omp barrier\n\t /* done */ b();\n}\n"
        );
    }

    #[test]
    fn what_a_macro_makes_is_not_found() {
        let buffer = "# 1 \"a.c\"\nx = (1 + 2) * y;\n";
        let at = buffer.find("1 + 2").unwrap();
        assert_eq!(applied("x = SUM * y;\n", buffer, &[(at..at + 1, "3")]), Err(NotFound(at)));
        let end = buffer.find(';').unwrap();
        assert_eq!(applied("x = SUM * y;\n", buffer, &[(end..end, "+1")]).unwrap(), "x = SUM * y+1;\n");
    }
}
