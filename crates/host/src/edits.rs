//! Replacements of parts of a buffer, applied from its start to its end.

use crate::{HostError, Result};
use accl_ir::HOST_DIRECTIVE;

struct Edit {
    start: usize,
    end: usize,
    text: String,
}

#[derive(Default)]
pub struct Edits {
    edits: Vec<Edit>,
}

impl Edits {
    /// Puts `text` in place of the bytes `start..end`. Insertions at one position keep the order in which they were
    /// made.
    pub fn replace(&mut self, start: u32, end: u32, text: String) {
        self.edits.push(Edit { start: start as usize, end: end as usize, text });
    }

    pub fn insert(&mut self, at: u32, text: String) {
        self.replace(at, at, text);
    }

    pub fn apply(mut self, buffer: &str) -> Result<String> {
        // An insertion at a position where something is replaced comes before the replacement.
        self.edits.sort_by_key(|e| (e.start, e.end));
        let mut out = String::with_capacity(buffer.len() * 2);
        let mut at = 0;
        for edit in &self.edits {
            let (Some(kept), true) = (buffer.get(at..edit.start), edit.end >= edit.start) else {
                return Err(HostError::Internal(format!(
                    "edits overlap at byte {} of the buffer",
                    edit.start
                )));
            };
            out.push_str(kept);
            out.push_str(&edit.text);
            at = edit.end;
        }
        out.push_str(buffer.get(at..).unwrap_or(""));
        Ok(out)
    }
}

/// The text with lines of directives emptied: compilers warn about those they do not know. Of OpenMP's these are the ones for
/// devices, which are translated wherever the host's compiler would read them. A `distribute` that is still there stands in a
/// function, which teams of the host may call.
pub fn without_pragmas(text: &str) -> String {
    let is_ours = |line: &str| {
        let separate = |c: char| !c.is_alphanumeric() && c != '_' && c != '#';
        let words: Vec<&str> = line.split(separate).filter(|w| !w.is_empty()).take(5).collect();
        matches!(
            words.as_slice(),
            ["#pragma", "acc" | "accl", ..]
                | ["#pragma", "omp", "acc" | "target" | "teams" | "requires", ..]
                | ["#pragma", "omp", "declare", "target", ..]
                | ["#pragma", "omp", "begin" | "end", "declare", "target"]
        )
    };
    without_lines(text, is_ours)
}

/// The text with these lines emptied.
fn without_lines(text: &str, emptied: impl Fn(&str) -> bool) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| if emptied(line) { "" } else { line }).collect();
    lines.join("\n")
}

/// The host's version of a construct for a device: one thread runs it, so that no directive is left without the one it belongs to.
pub fn host_version(text: &str) -> String {
    let is_openmp = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some("#pragma") && words.next() == Some("omp")
    };
    without_lines(&without_pragmas(text), is_openmp)
}

/// The text with the directives that the front end marked as the host's.
pub fn with_host_directives(text: String) -> String {
    let marked = format!("#pragma omp {HOST_DIRECTIVE} ");
    if text.contains(&marked) { text.replace(&marked, "#pragma omp ") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_keep_their_order() {
        let mut edits = Edits::default();
        edits.insert(3, "[".into());
        edits.replace(1, 2, "B".into());
        edits.insert(3, "]".into());
        assert_eq!(edits.apply("abcd").unwrap(), "aBc[]d");
    }

    #[test]
    fn an_insertion_stands_before_what_is_replaced_there() {
        let mut edits = Edits::default();
        edits.replace(1, 3, "X".into());
        edits.insert(1, "[".into());
        assert_eq!(edits.apply("abcd").unwrap(), "a[Xd");
    }

    #[test]
    fn overlapping_edits_are_our_mistake() {
        let mut edits = Edits::default();
        edits.replace(0, 3, String::new());
        edits.replace(1, 2, String::new());
        assert!(edits.apply("abcd").is_err());
    }

    #[test]
    fn directives_become_empty_lines() {
        assert_eq!(
            without_pragmas(
                "a\n #pragma acc loop\n#pragma accl schedule(block(64))\n#pragma once\n#pragma omp acc data\nb"
            ),
            "a\n\n\n#pragma once\n\nb"
        );
        assert_eq!(
            without_pragmas(
                "#pragma omp target map(to: a)\n#pragma omp end declare target\n#pragma omp parallel for\nb"
            ),
            "\n\n#pragma omp parallel for\nb"
        );
    }
}
