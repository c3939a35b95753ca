//! The table of source texts, and spans into them.
//!
//! The compiler usually holds one text per translation unit: the preprocessed buffer. A [`Span`] is a
//! range of bytes in it, small enough to be stored in every node. What the user sees (his own file,
//! line and column) is computed from the span only when a message is rendered.
//!
//! Invariant: a `FileId` handed out by a table is valid for as long as that table lives; texts are
//! never changed.

use crate::line_map::{LineMap, Location};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Names a text in [`Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

impl Default for FileId {
    fn default() -> Self {
        Span::NOWHERE.file
    }
}

/// The half-open byte range `start..end` of a text. The default is [`Span::NOWHERE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Default for Span {
    fn default() -> Self {
        Span::NOWHERE
    }
}

impl Span {
    /// Code that the compiler made up itself has this span; a message about it shows no source.
    pub const NOWHERE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };

    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    pub fn is_nowhere(&self) -> bool {
        self.file == Span::NOWHERE.file
    }

    pub fn len(&self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest span that covers both. Nowhere adds nothing; of two files the first wins.
    pub fn to(self, other: Span) -> Span {
        if self.is_nowhere() {
            return other;
        }
        if other.file != self.file {
            return self;
        }
        Span::new(self.file, self.start.min(other.start), self.end.max(other.end))
    }

    pub fn contains(&self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The empty span at the start.
    pub fn at_start(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// The empty span after the end.
    pub fn at_end(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// A text with its line map.
#[derive(Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: Arc<str>,
    pub lines: LineMap,
}

/// All texts of one compilation.
#[derive(Debug, Default)]
pub struct Files {
    files: Vec<SourceFile>,
    /// Users' files read from disk for rendering, `None` where unreadable.
    originals: Mutex<BTreeMap<String, Option<Arc<str>>>>,
}

impl Files {
    pub fn new() -> Files {
        Files::default()
    }

    /// Adds a text whose positions are the user's own.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let (name, text) = (name.into(), text.into());
        let lines = LineMap::plain(&name, &text);
        self.set_original(name.clone(), text.clone());
        self.push(SourceFile { name, text, lines })
    }

    /// Adds a preprocessed buffer, whose `# 12 "file.c"` markers say where its lines come from.
    pub fn add_preprocessed(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let (name, text) = (name.into(), text.into());
        let lines = LineMap::from_preprocessed(&name, &text);
        self.push(SourceFile { name, text, lines })
    }

    fn push(&mut self, file: SourceFile) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(file);
        id
    }

    /// `None` for the file of [`Span::NOWHERE`].
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The text under a span; empty when the span is nowhere or out of range.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// The user's file, line and column of the span's start. Columns are those of the buffer; see
    /// [`Files::place`] for the ones in the user's own text.
    pub fn locate(&self, span: Span) -> Option<Location<'_>> {
        self.get(span.file).map(|f| f.lines.locate(span.start))
    }

    /// The first occurrence of a word inside a span; the whole span if there is none.
    pub fn word_in(&self, span: Span, word: &str) -> Span {
        let text = self.get(span.file).and_then(|f| f.text.get(span.start as usize..span.end as usize));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let found = text.and_then(|text| {
            text.match_indices(word)
                .map(|(at, _)| at)
                .find(|&at| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
        });
        found.map_or(span, |at| {
            let start = span.start + at as u32;
            Span { start, end: start + word.len() as u32, ..span }
        })
    }

    /// The user's line of the span's start, 0 when nowhere.
    pub fn line(&self, span: Span) -> u32 {
        self.locate(span).map_or(0, |l| l.line)
    }

    /// The user's file of the span's start, empty when nowhere.
    pub fn file_name(&self, span: Span) -> &str {
        self.locate(span).map_or("", |l| l.file)
    }

    /// A file as the user wrote it: given by [`Files::set_original`], else read from disk, once.
    pub fn original(&self, path: &str) -> Option<Arc<str>> {
        let mut cache = self.originals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        cache.entry(path.to_owned()).or_insert_with(|| read(path)).clone()
    }

    /// Sets the content of the user's file `path`, so that it is not read from disk (stdin, tests).
    pub fn set_original(&mut self, path: impl Into<String>, text: impl Into<Arc<str>>) {
        let cache = self.originals.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        cache.insert(path.into(), Some(text.into()));
    }

    /// Line `line` (from 1) of the user's file, without its end of line.
    pub fn original_line(&self, path: &str, line: u32) -> Option<String> {
        let text = self.original(path)?;
        text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
    }
}

fn read(path: &str) -> Option<Arc<str>> {
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into())
}
