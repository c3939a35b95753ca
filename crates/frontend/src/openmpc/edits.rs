//! Changes of a text, made all at once.

use std::ops::Range;

/// The text that takes the place of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    pub range: Range<usize>,
    pub text: String,
}

impl TextEdit {
    pub fn insert(at: u32, text: String) -> TextEdit {
        TextEdit { range: at as usize..at as usize, text }
    }

    pub fn replace(range: Range<u32>, text: String) -> TextEdit {
        TextEdit { range: range.start as usize..range.end as usize, text }
    }
}

/// A part of the buffer with the edits in it made; edits do not overlap.
pub fn apply(buffer: &str, part: Range<usize>, edits: &[TextEdit]) -> String {
    let inside = |e: &&TextEdit| part.start <= e.range.start && e.range.end <= part.end;
    let mut edits: Vec<&TextEdit> = edits.iter().filter(inside).collect();
    // What stands at one place keeps its order.
    edits.sort_by_key(|e| (e.range.start, e.range.end));
    let mut result = String::with_capacity(part.len() * 2);
    let mut from = part.start;
    for edit in edits {
        result.push_str(&buffer[from..edit.range.start]);
        result.push_str(&edit.text);
        from = edit.range.end;
    }
    result.push_str(&buffer[from..part.end]);
    result
}
