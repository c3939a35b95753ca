//! From a byte offset in a buffer to the presumed file, line and column.
//!
//! A preprocessed buffer carries line markers, `# 12 "file.c" 2`, each of which says that the *next*
//! line is line 12 of `file.c`. Between markers lines count up by one. The flags are those of GCC's
//! manual ("Preprocessor Output"): 1 enters a file, 2 returns to it, 3 marks a system header.
//!
//! Invariant: `line_starts` begins with 0 and grows; `segments` is sorted by `buffer_line` and its
//! first entry covers line 0, so every offset has a location.

/// A location as the user knows it; line and column count from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location<'a> {
    pub file: &'a str,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    /// The first buffer line (from 0) this segment covers.
    buffer_line: u32,
    /// The presumed line (from 1) of `buffer_line`.
    line: u32,
    /// Index in `LineMap::names`.
    name: u32,
    system: bool,
}

/// The line structure of one buffer.
#[derive(Clone, Debug)]
pub struct LineMap {
    line_starts: Vec<u32>,
    segments: Vec<Segment>,
    names: Vec<String>,
}

impl LineMap {
    /// A text without markers: each line is its own.
    pub fn plain(name: &str, text: &str) -> LineMap {
        LineMap {
            line_starts: line_starts(text),
            segments: vec![Segment { buffer_line: 0, line: 1, name: 0, system: false }],
            names: vec![name.to_owned()],
        }
    }

    /// A buffer as the preprocessor writes it.
    pub fn from_preprocessed(name: &str, buffer: &str) -> LineMap {
        let mut map = LineMap::plain(name, buffer);
        // Whether the file of each index is a system header: the first marker of a name decides, since gcc also marks what a
        // system header's macro makes in the user's file as a system header's.
        let mut system = vec![false];
        for (index, text) in buffer.split('\n').enumerate() {
            if let Some(marker) = parse_marker(text) {
                let name = map.intern(marker.file);
                let name = name.unwrap_or_else(|| map.segments[map.segments.len() - 1].name);
                if name as usize == system.len() {
                    system.push(marker.system);
                }
                map.segments.push(Segment {
                    buffer_line: index as u32 + 1,
                    line: marker.line,
                    name,
                    system: marker.system && system[name as usize],
                });
            }
        }
        map
    }

    fn intern(&mut self, file: Option<String>) -> Option<u32> {
        let file = file?;
        let known = self.names.iter().position(|n| *n == file);
        Some(known.unwrap_or_else(|| {
            self.names.push(file);
            self.names.len() - 1
        }) as u32)
    }

    /// The user's location of the byte at `offset`; offsets past the end are at the end.
    pub fn locate(&self, offset: u32) -> Location<'_> {
        let buffer_line = self.buffer_line(offset);
        let segment = self.segment(buffer_line);
        Location {
            file: &self.names[segment.name as usize],
            line: segment.line + (buffer_line - segment.buffer_line),
            column: offset - self.line_starts[buffer_line as usize] + 1,
        }
    }

    /// Whether the byte at `offset` comes from a system header.
    pub fn is_system(&self, offset: u32) -> bool {
        self.segment(self.buffer_line(offset)).system
    }

    /// The line of the buffer itself (from 0) that holds `offset`.
    pub fn buffer_line(&self, offset: u32) -> u32 {
        (self.line_starts.partition_point(|&start| start <= offset) - 1) as u32
    }

    /// The offset at which a line of the buffer (from 0) starts.
    pub fn line_start(&self, buffer_line: u32) -> Option<u32> {
        self.line_starts.get(buffer_line as usize).copied()
    }

    /// The names of all files the buffer is made of, in order of first appearance.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    fn segment(&self, buffer_line: u32) -> &Segment {
        let after = self.segments.partition_point(|s| s.buffer_line <= buffer_line);
        &self.segments[after - 1]
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let behind_newlines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1);
    std::iter::once(0).chain(behind_newlines).collect()
}

/// A part of a preprocessed buffer without its line markers, whose words are those of file names.
pub fn without_line_markers(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| parse_marker(line).is_none()).collect()
}

struct Marker {
    line: u32,
    file: Option<String>,
    system: bool,
}

/// Reads `# 12 "file.c" 2 3` or `#line 12 "file.c"`.
fn parse_marker(text: &str) -> Option<Marker> {
    let rest = text.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let line = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim();
    let Some(quoted) = rest.strip_prefix('"') else {
        return rest.is_empty().then_some(Marker { line, file: None, system: false });
    };
    let (file, flags) = unquote(quoted)?;
    Some(Marker { line, file: Some(file), system: flags.split_whitespace().any(|f| f == "3") })
}

/// The name up to the closing quote, its escapes undone, and what follows.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((name, &text[at + 1..])),
            '\\' => name.push(chars.next()?.1),
            c => name.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFER: &str =
        "# 1 \"a.c\"\n# 1 \"/usr/x.h\" 1 3\nint x;\n# 5 \"a.c\" 2\nfive\nsix\n#line 40\nforty\n";

    fn at(word: &str) -> String {
        let offset = BUFFER.find(word).unwrap() as u32;
        LineMap::from_preprocessed("buffer", BUFFER).locate(offset).to_string()
    }

    #[test]
    fn line_markers_are_no_code() {
        let text = "f(\n# 16 \"/tmp/b/a.c\" 3 4\n stderr\n# 16 \"/tmp/b/a.c\"\n , x);";
        assert_eq!(without_line_markers(text), "f(\n stderr\n , x);");
    }

    #[test]
    fn markers_rename_the_lines_behind_them() {
        assert_eq!(at("int x"), "/usr/x.h:1:1");
        assert_eq!(at("five"), "a.c:5:1");
        assert_eq!(at("ix\n"), "a.c:6:2");
        assert_eq!(at("forty"), "a.c:40:1");
    }

    #[test]
    fn flag_3_is_a_system_header() {
        let map = LineMap::from_preprocessed("buffer", BUFFER);
        assert!(map.is_system(BUFFER.find("int x").unwrap() as u32));
        assert!(!map.is_system(BUFFER.find("five").unwrap() as u32));
    }

    #[test]
    fn escapes_in_names_are_undone() {
        let map = LineMap::from_preprocessed("b", "# 3 \"a\\\"b\\\\c.c\"\nx");
        assert_eq!(map.locate(17).file, "a\"b\\c.c");
    }

    #[test]
    fn other_directives_and_offsets_past_the_end_are_harmless() {
        let map = LineMap::from_preprocessed("b", "#pragma acc loop\n# 99999999999 \"x\"\n# 7 x\n");
        assert_eq!(map.locate(1000).line, 4);
        assert_eq!(map.locate(0).to_string(), "b:1:1");
    }
}
