//! Reads the dump one top-level declaration at a time.
//!
//! The dump of a C++ file is hundreds of megabytes, nearly all of it system headers. Clang prints it
//! indented, one field a line, and a line break inside a string is always escaped; so the extent of a
//! top-level declaration is found by its indentation without parsing JSON, and what is not wanted is
//! passed over at the speed of a memory scan.
//!
//! `extern "C" { … }` and, on request, namespaces are opened: their members come one by one, too.

use super::json::Node;
use memchr::{memchr, memmem};
use serde::Deserialize;
use std::io::{self, BufRead};

/// Levels of a tree that are read. Each is indented further, so the size of the dump grows with the square of them: with
/// these it is a gigabyte.
pub const DEEPEST: usize = 4000;

/// By how much a child is indented: it is an object in an array.
const INDENT: usize = 4;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The declaration at this place has more than [`DEEPEST`] levels.
    #[error("a declaration is too deep")]
    TooDeep(Option<u32>),
}

/// What stands at the start of a declaration.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    pub kind: &'a str,
    /// Offset in the buffer; none for what Clang declares itself.
    pub offset: Option<u32>,
    /// It stands in a namespace that was opened.
    pub in_namespace: bool,
}

/// What to do with a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Read,
    Skip,
    /// Ask again for each of its members.
    Open,
    /// The same of a namespace.
    OpenNamespace,
    /// Read nothing more.
    Stop,
}

/// Calls `take` with each declaration that `choose` wants read.
pub fn declarations<R: BufRead>(
    mut input: R,
    mut choose: impl FnMut(Head<'_>) -> Choice,
    mut take: impl FnMut(Node<'_>),
) -> Result<(), Error> {
    let mut line = Vec::new();
    let mut chunk = Vec::new();
    let mut indents = vec![(4, false)];
    while read_line(&mut input, &mut line)? {
        let (indent, in_namespace) = *indents.last().unwrap_or(&(4, false));
        if indents.len() > 1 && indent_of(&line) < indent - 2 {
            indents.pop();
            continue;
        }
        if indent_of(&line) != indent || line.get(indent) != Some(&b'{') {
            continue;
        }
        chunk.clear();
        chunk.extend_from_slice(&line);
        if is_complete(&line, indent) {
            continue;
        }
        let complete = read_head(&mut input, &mut line, &mut chunk, indent)?;
        let head = Head { in_namespace, ..head(&chunk, indent + 2) };
        match choose(head) {
            Choice::Read => {
                let offset = head.offset;
                let most = indent + DEEPEST * INDENT;
                let mut deep = false;
                if !complete {
                    read_rest(&mut input, &mut line, indent, |l| {
                        // Of a deep tree nearly everything is indentation.
                        chunk.extend_from_slice(l.trim_ascii_start());
                        deep = l.len() > most && indent_of(l) > most;
                        !deep
                    })?;
                }
                if deep {
                    return Err(Error::TooDeep(offset));
                }
                let text = chunk.trim_ascii_end();
                take(node(text.strip_suffix(b",").unwrap_or(text))?);
            }
            Choice::Skip if complete => {}
            Choice::Skip => skip_rest(&mut input, indent)?,
            Choice::Stop => break,
            Choice::Open | Choice::OpenNamespace if complete => {}
            Choice::Open => indents.push((indent + 4, in_namespace)),
            Choice::OpenNamespace => indents.push((indent + 4, true)),
        }
    }
    Ok(())
}

fn read_line<R: BufRead>(input: &mut R, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    loop {
        let text = input.fill_buf()?;
        let end = memchr(b'\n', text).map(|at| at + 1);
        let length = end.unwrap_or(text.len());
        line.extend_from_slice(&text[..length]);
        input.consume(length);
        if end.is_some() || length == 0 {
            return Ok(!line.is_empty());
        }
    }
}

fn indent_of(line: &[u8]) -> usize {
    line.iter().take_while(|b| **b == b' ').count()
}

/// `{}` or the last line of a declaration.
fn is_complete(line: &[u8], indent: usize) -> bool {
    line.trim_ascii_end().trim_ascii_end().ends_with(b"}") && line.get(indent) == Some(&b'{')
        || line.trim_ascii_end().ends_with(b"},") && line.get(indent) == Some(&b'{')
}

fn ends_declaration(line: &[u8], indent: usize) -> bool {
    line.get(indent) == Some(&b'}') && indent_of(line) == indent
}

/// How deep it may be is known by now.
fn node(text: &[u8]) -> Result<Node<'_>, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let node = Node::deserialize(&mut reader)?;
    reader.end()?;
    Ok(node)
}

/// Reads up to the source range, after which nothing is needed to choose. True if the declaration ended.
fn read_head<R: BufRead>(
    input: &mut R,
    line: &mut Vec<u8>,
    chunk: &mut Vec<u8>,
    indent: usize,
) -> io::Result<bool> {
    while read_line(input, line)? {
        chunk.extend_from_slice(line);
        if ends_declaration(line, indent) {
            return Ok(true);
        }
        if line[indent_of(line)..].starts_with(b"\"range\":") && indent_of(line) == indent + 2 {
            break;
        }
    }
    Ok(false)
}

fn read_rest<R: BufRead>(
    input: &mut R,
    line: &mut Vec<u8>,
    indent: usize,
    mut keep: impl FnMut(&[u8]) -> bool,
) -> io::Result<()> {
    while read_line(input, line)? {
        if !keep(line) || ends_declaration(line, indent) {
            break;
        }
    }
    Ok(())
}

/// Passes over the rest of a declaration, of which a line has been read.
fn skip_rest<R: BufRead>(input: &mut R, indent: usize) -> io::Result<()> {
    let last_line = [b"\n", " ".repeat(indent).as_bytes(), b"}"].concat();
    let finder = memmem::Finder::new(&last_line);
    let most = last_line.len() - 1;
    // The end of what has been passed over, where the last line may have begun.
    let mut before = b"\n".to_vec();
    loop {
        let text = input.fill_buf()?;
        if text.is_empty() {
            return Ok(());
        }
        let passed = before.len();
        before.extend_from_slice(&text[..text.len().min(most)]);
        let at_seam = finder.find(&before).map(|at| at + last_line.len() - passed);
        if let Some(end) = at_seam.or_else(|| Some(finder.find(text)? + last_line.len())) {
            input.consume(end);
            input.skip_until(b'\n')?;
            return Ok(());
        }
        if text.len() > most {
            before.clear();
            before.extend_from_slice(&text[text.len() - most..]);
        }
        before.drain(..before.len().saturating_sub(most));
        let length = text.len();
        input.consume(length);
    }
}

fn head(chunk: &[u8], indent: usize) -> Head<'_> {
    let mut head = Head { kind: "", offset: None, in_namespace: false };
    for line in chunk.split(|b| *b == b'\n') {
        let text = std::str::from_utf8(line).unwrap_or("").trim().trim_end_matches(',');
        if let Some(kind) = text.strip_prefix("\"kind\": \"").filter(|_| indent_of(line) == indent) {
            head.kind = kind.trim_end_matches('"');
        } else if let Some(offset) = text.strip_prefix("\"offset\": ").filter(|_| head.offset.is_none()) {
            head.offset = offset.parse().ok();
        }
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    /// A dump without an end.
    struct Endless;

    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            const DECLARATION: &[u8] =
                b"    {\n      \"kind\": \"VarDecl\",\n      \"range\": {\n      }\n    },\n";
            let count = DECLARATION.len().min(into.len());
            into[..count].copy_from_slice(&DECLARATION[..count]);
            Ok(count)
        }
    }

    #[test]
    fn what_is_read_does_not_depend_on_the_buffer() {
        let declaration = |kind: &str, inner: &str| {
            let range = "      \"range\": {\n      }";
            format!("    {{\n      \"kind\": \"{kind}\",\n{range}{inner}\n    }}")
        };
        let inner =
            ",\n      \"inner\": [\n        {\n          \"kind\": \"IntegerLiteral\"\n        }\n      ]";
        let all =
            [declaration("VarDecl", ""), declaration("FunctionDecl", inner), declaration("EnumDecl", inner)];
        let dump = format!("{{\n  \"inner\": [\n{}\n  ]\n}}\n", all.join(",\n"));
        for capacity in 1..dump.len() {
            for skipped in ["VarDecl", "FunctionDecl", "EnumDecl"] {
                let mut seen = vec![];
                let choose = |head: Head<'_>| {
                    seen.push(head.kind.to_owned());
                    if head.kind == skipped { Choice::Skip } else { Choice::Read }
                };
                let mut taken = 0;
                let input = BufReader::with_capacity(capacity, dump.as_bytes());
                declarations(input, choose, |_| taken += 1).unwrap();
                assert_eq!(
                    (&seen[..], taken),
                    (&["VarDecl", "FunctionDecl", "EnumDecl"].map(str::to_owned)[..], 2)
                );
            }
        }
    }

    #[test]
    fn reading_stops_where_nothing_more_is_wanted() {
        let mut seen = 0;
        let choose = |_: Head<'_>| {
            seen += 1;
            if seen == 3 { Choice::Stop } else { Choice::Skip }
        };
        let mut taken = 0;
        declarations(BufReader::new(Endless), choose, |_| taken += 1).unwrap();
        assert_eq!((seen, taken), (3, 0));
    }
}
