//! The user's own text: where a directive stands in it, and which statement it governs.
//!
//! The compiler knows both in the preprocessed buffer. The line map carries lines over, but not columns. So the
//! statement's end is looked for in the original by a lexer of its own, and must be on the line that the buffer
//! gives.

use super::tokens::{Kind, Token, tokens};
use super::{Refused, refuse};
use crate::lexer;
use accl_source::{LineMap, Span};
use std::ops::Range;

/// The main source file.
pub struct Original<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pub lines: &'a LineMap,
    starts: Vec<usize>,
    tokens: Vec<Token>,
}

impl<'a> Original<'a> {
    pub fn new(file: &'a str, text: &'a str, lines: &'a LineMap) -> Original<'a> {
        let after = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(after).collect();
        Original { file, text, lines, starts, tokens: tokens(text) }
    }

    /// Counts from 1.
    pub fn line_of(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    fn start_of(&self, line: u32) -> Option<usize> {
        self.starts.get(line.checked_sub(1)? as usize).copied()
    }

    /// The directive's line with those that continue it, ends of line included.
    pub fn directive(&self, span: Span) -> Result<Range<usize>, Refused> {
        let place = self.lines.locate(span.start);
        if place.file != self.file {
            let what = format!("the directive stands in {}, not in {}", place.file, self.file);
            return Err(refuse(what, span));
        }
        let range = self.pragma_at(place.line);
        range.ok_or_else(|| refuse("a macro makes the directive with _Pragma", span))
    }

    /// The lines of the pragma that stands on line `line` or, continued, around it.
    pub fn pragma_at(&self, line: u32) -> Option<Range<usize>> {
        let continued = |l: u32| {
            let text = &self.text[self.start_of(l)?..self.start_of(l + 1).unwrap_or(self.text.len())];
            Some(text.trim_end().ends_with('\\'))
        };
        let mut first = line;
        while first > 1 && continued(first - 1)? {
            first -= 1;
        }
        let start = self.start_of(first)?;
        let words = self.text[start..].trim_start().strip_prefix('#')?.trim_start();
        words.strip_prefix("pragma")?;
        let end = lexer::line_end(self.text, start);
        Some(start..(end + 1).min(self.text.len()))
    }

    /// The statement after a directive, which the buffer has at `body`. That may begin with further directives.
    pub fn statement(&self, directive: &Range<usize>, body: Span) -> Result<Range<usize>, Refused> {
        let start = lexer::skip_blank(self.text, directive.end);
        let end = lexer::statement_end(self.text, start).unwrap_or(0);
        let first = self.lines.locate(body.start);
        let last = self.lines.locate(body.end.saturating_sub(1));
        let found = end > start
            && first.file == self.file
            && last.file == self.file
            && (self.line_of(directive.end)..=self.line_of(start)).contains(&first.line)
            && self.line_of(end - 1) == last.line;
        if found {
            return Ok(start..end);
        }
        Err(refuse("the statement is not found in the text as written: a macro or an #if makes it", body))
    }

    /// The statements that the buffer has at `body`, without a directive of their own.
    pub fn statements(&self, buffer: &str, body: Span) -> Result<Range<usize>, Refused> {
        let missing =
            || refuse("statements are not found in the text as written: a macro or an #if makes them", body);
        let start = self.offset(buffer, body.start).ok_or_else(missing)?;
        let (mut end, mut at) = (start, body.start as usize);
        while at < body.end as usize {
            at =
                lexer::statement_end(buffer, at).filter(|to| *to <= body.end as usize).ok_or_else(missing)?;
            end = lexer::statement_end(self.text, end).ok_or_else(missing)?;
        }
        let last = self.lines.locate(body.end.saturating_sub(1));
        let found = end > start && last.file == self.file && self.line_of(end - 1) == last.line;
        if found { Ok(start..end) } else { Err(missing()) }
    }

    /// The position in the original of what stands at `at` in the buffer, if no macro stands before it on the line.
    fn offset(&self, buffer: &str, at: u32) -> Option<usize> {
        let place = self.lines.locate(at);
        let line = self.start_of(place.line).filter(|_| place.file == self.file)?;
        let before = buffer.get(..at as usize)?.rsplit('\n').next()?;
        match before.trim().is_empty() {
            true => Some(lexer::skip_blank(self.text, line)).filter(|at| self.line_of(*at) == place.line),
            false => self.text[line..].starts_with(before).then_some(line + before.len()),
        }
    }

    /// The position in the original of what stands at `at` in the buffer: as many tokens from the beginning of its line, or from
    /// its end, as the original has, where these are the same.
    pub fn token_offset(&self, buffer: &str, at: usize) -> Option<usize> {
        let place = self.lines.locate(at as u32);
        let first = self.start_of(place.line).filter(|_| place.file == self.file)?;
        let last = self.start_of(place.line + 1).unwrap_or(self.text.len());
        let from = self.tokens.partition_point(|t| t.start < first);
        let to = self.tokens.partition_point(|t| t.start < last);
        let here = &self.tokens[from..to];
        let (start, end) = (buffer[..at].rfind('\n').map_or(0, |at| at + 1), buffer[at..].find('\n'));
        let line_end = end.map_or(buffer.len(), |end| at + end);
        let (before, after) = (tokens(&buffer[start..at]), tokens(&buffer[at..line_end]));
        let same = |ours: &[Token], theirs: &[Token], offset: usize| {
            let texts = |t: &Token| &self.text[t.start..t.end];
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(a, b)| *texts(a) == buffer[offset + b.start..offset + b.end])
        };
        let from_left =
            here.get(..before.len()).filter(|ours| same(ours, &before, start)).map(|_| before.len());
        let skipped = here.len().checked_sub(after.len());
        let from_right = skipped.filter(|skipped| same(&here[*skipped..], &after, at));
        let number = from_left.or(from_right)?;
        let follows = buffer[..at].ends_with(|c: char| !c.is_whitespace());
        match follows && number > 0 {
            true => Some(here[number - 1].end),
            false => Some(here.get(number).map_or(last.saturating_sub(1), |t| t.start)),
        }
    }

    /// The blanks at the start of the line.
    pub fn indent(&self, offset: usize) -> &'a str {
        let start = self.start_of(self.line_of(offset)).unwrap_or(0);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Whether only one statement may stand at `offset`: after `if (…)`, `else`, a label.
    pub fn takes_one_statement(&self, offset: usize) -> bool {
        let after = self.tokens.partition_point(|t| t.end <= offset);
        let Some(before) = after.checked_sub(1).map(|at| self.tokens[at]) else { return false };
        !matches!(before.kind, Kind::Mark(b'{' | b'}' | b';'))
    }

    /// The end of the block that holds `offset`: its closing brace.
    pub fn end_of_block(&self, offset: usize) -> Option<usize> {
        let mut depth = 0;
        for token in self.tokens.iter().filter(|t| t.start >= offset) {
            match token.kind {
                Kind::Mark(b'{') => depth += 1,
                Kind::Mark(b'}') if depth == 0 => return Some(token.start),
                Kind::Mark(b'}') => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The position at which a line with an `#include` may be inserted: after the last `#include` before `limit`
    /// that stands in no block and under no condition, otherwise before the first token.
    pub fn place_of_include(&self, limit: usize) -> usize {
        let (mut conditions, mut at, mut place) = (0, 0, None);
        let starts: Vec<usize> = self.starts.iter().copied().filter(|start| *start <= limit).collect();
        for start in starts {
            let Some(directive) = self.text[start..].trim_start().strip_prefix('#').filter(|_| start >= at)
            else {
                continue;
            };
            at = lexer::line_end(self.text, start);
            match directive.trim_start() {
                d if d.starts_with("if") => conditions += 1,
                d if d.starts_with("endif") => conditions -= 1,
                d if d.starts_with("include") && conditions == 0 && !self.is_in_block(start) => {
                    place = Some((at + 1).min(self.text.len()));
                }
                _ => {}
            }
        }
        place.unwrap_or_else(|| {
            let first = self.tokens.first().map_or(0, |t| t.start);
            let line = self.start_of(self.line_of(first.min(limit))).unwrap_or(0);
            line.min(self.first_directive_line().unwrap_or(line))
        })
    }

    /// Nothing may come between a condition and what it governs.
    fn first_directive_line(&self) -> Option<usize> {
        self.starts
            .iter()
            .copied()
            .find(|start| self.text[*start..].trim_start_matches([' ', '\t']).starts_with('#'))
    }

    fn is_in_block(&self, offset: usize) -> bool {
        let before = self.tokens.iter().take_while(|t| t.start < offset);
        let depth = before.fold(0, |depth, t| match t.kind {
            Kind::Mark(b'{') => depth + 1,
            Kind::Mark(b'}') => depth - 1,
            _ => depth,
        });
        depth > 0
    }

    /// Preprocessor lines in a range that a replacement of the range would lose or divide: conditions that do not
    /// end in it, and definitions.
    pub fn is_divided(&self, range: &Range<usize>) -> bool {
        let (mut open, mut divided, mut at) = (0, false, range.start);
        for line in self.text[range.clone()].split_inclusive('\n') {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or("");
            at += line.len();
            if directive.starts_with("if") {
                open += 1;
            } else if directive.starts_with("endif") {
                open -= 1;
            }
            divided |= open < 0 || ["define", "undef", "include"].iter().any(|d| directive.starts_with(d));
            divided |= open == 0 && directive.starts_with("el");
        }
        debug_assert!(at >= range.end);
        divided || open != 0
    }

    /// Pragmas of OpenACC and OpenMP between two places, each with its lines.
    pub fn pragmas_between(&self, from: usize, to: usize) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for line in self.line_of(from)..=self.line_of(to) {
            let Some(range) = self.pragma_at(line).filter(|r| r.start >= from && r.end <= to) else {
                continue;
            };
            let words: Vec<&str> = self.text[range.clone()]
                .trim_start_matches(['#', ' ', '\t'])
                .split_whitespace()
                .take(2)
                .collect();
            let ours = matches!(words.as_slice(), ["pragma", "acc" | "omp"]);
            if ours && found.last() != Some(&range) {
                found.push(range);
            }
        }
        found
    }
}
