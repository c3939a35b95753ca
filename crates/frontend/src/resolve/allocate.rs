//! `allocate(a, b) align(n) allocator(omp_default_mem_alloc)` in code for the host (OpenMP 5.2 §6.5), which not every compiler of
//! the host reads: the declarations of the variables, which stand before it, get the attribute that compilers know. The memory
//! spaces of the predefined allocators are all one on the host, where the variables lie anyway. Allocators of the program's own
//! are left to its compiler.

use super::words::{Cursor, closing, split, text_of, words};
use super::{EditedText, pragma_lines, rest};
use std::ops::Range;

/// The text without these directives. The attributes stand before directives that others settle, so this comes first.
pub fn settled(buffer: String, name: &str) -> String {
    let lines = pragma_lines(&buffer);
    let concerned: Vec<&Range<usize>> =
        lines.iter().filter(|line| rest(&buffer[(*line).clone()]).starts_with("allocate")).collect();
    if concerned.is_empty() {
        return buffer;
    }
    let text = EditedText::new(&buffer, name, &lines);
    let mut edits: Vec<(Range<usize>, String)> = vec![];
    for line in concerned {
        if !text.world(line.start).on_device
            && let Some(attributes) = attributes(&buffer, line)
        {
            edits.extend(attributes);
            edits.push((line.clone(), String::new()));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut settled = buffer.clone();
    for (range, by) in edits.into_iter().rev() {
        settled.replace_range(range, &by);
    }
    settled
}

/// What is to be written where; `None` leaves the directive to the host's compiler.
fn attributes(buffer: &str, line: &Range<usize>) -> Option<Vec<(Range<usize>, String)>> {
    let written = rest(&buffer[line.clone()]);
    let tokens = Cursor::new(written).words;
    let list_end = closing(&tokens, 1)?;
    let mut alignment = None;
    let mut at = list_end + 1;
    while let Some(clause) = tokens.get(at) {
        if clause.text == "," {
            at += 1;
            continue;
        }
        let end = closing(&tokens, at + 1)?;
        let argument = text_of(written, &tokens, at + 2..end);
        match clause.text {
            "align" => alignment = Some(argument),
            "allocator" if argument.starts_with("omp_") && argument.ends_with("_mem_alloc") => {}
            _ => return None,
        }
        at = end + 1;
    }
    let Some(alignment) = alignment else { return Some(vec![]) };
    let declared = split(&tokens, 2..list_end, ",").into_iter().map(|item| {
        let name = tokens[item.start].text;
        let place = words(&buffer[..line.start], 0).filter(|w| !w.line && w.text == name).last()?;
        let start = place.range.start;
        Some((start..start, format!("__attribute__((aligned({alignment}))) ")))
    });
    declared.collect()
}
