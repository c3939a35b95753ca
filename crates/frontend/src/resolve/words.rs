//! The tokens of a part of the text, with their places, and how far statements go.

use crate::clang::tokens::{Token, Tokens};
use std::ops::Range;

/// One token, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    pub text: &'a str,
    pub range: Range<usize>,
    /// A line that starts with `#`.
    pub line: bool,
}

/// The tokens from byte `from` of a text; their places are those in the whole text.
pub fn words(text: &str, from: usize) -> Words<'_> {
    Words { tokens: Tokens::new(&text[from..]), text, from }
}

pub struct Words<'a> {
    tokens: Tokens<'a>,
    text: &'a str,
    from: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let (token, range) = self.tokens.next_with_range()?;
        let range = range.start + self.from..range.end + self.from;
        let line = matches!(token, Token::Pragma(_));
        Some(Word { text: &self.text[range.clone()], range, line })
    }
}

/// Reads tokens one after the other.
pub struct Cursor<'a> {
    pub words: Vec<Word<'a>>,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { words: words(text, 0).collect(), at: 0 }
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).map(|w| w.text)
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        self.at += usize::from(found);
        found
    }

    pub fn take(&mut self) -> Option<&'a str> {
        self.at += 1;
        self.words.get(self.at - 1).map(|w| w.text)
    }

    /// The place of the bracket that closes the one at `open`.
    pub fn closing(&self, open: usize) -> Option<usize> {
        closing(&self.words, open)
    }

    /// The tokens of a parenthesis that begins here, without its brackets.
    pub fn parenthesized(&mut self) -> Option<Range<usize>> {
        if self.peek() != Some("(") {
            return None;
        }
        let close = self.closing(self.at)?;
        let inside = self.at + 1..close;
        self.at = close + 1;
        Some(inside)
    }
}

pub fn closing(words: &[Word<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The ranges of tokens between separators that stand outside of all brackets.
pub fn split(words: &[Word<'_>], range: Range<usize>, separator: &str) -> Vec<Range<usize>> {
    let mut parts = vec![];
    let (mut depth, mut start) = (0, range.start);
    for at in range.clone() {
        match words[at].text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            text if text == separator && depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < range.end {
        parts.push(start..range.end);
    }
    parts
}

/// The text that a range of tokens covers.
pub fn text_of<'a>(text: &'a str, words: &[Word<'_>], range: Range<usize>) -> &'a str {
    match range.is_empty() {
        true => "",
        false => &text[words[range.start].range.start..words[range.end - 1].range.end],
    }
}

/// The place behind the statement that begins with this token; lines that start with `#` before it belong to it.
pub fn statement_end(words: &[Word<'_>], at: usize) -> Option<usize> {
    let word = words.get(at)?;
    if word.line {
        return statement_end(words, at + 1);
    }
    let headed = |at: usize| statement_end(words, closing(words, at)? + 1);
    match word.text {
        "{" => closing(words, at).map(|close| close + 1),
        "for" | "while" | "switch" => headed(at + 1),
        "if" => {
            let open = if words.get(at + 1)?.text == "constexpr" { at + 2 } else { at + 1 };
            let end = headed(open)?;
            match words.get(end).is_some_and(|w| w.text == "else") {
                true => statement_end(words, end + 1),
                false => Some(end),
            }
        }
        "do" => expression_end(words, statement_end(words, at + 1)?),
        "try" => {
            let mut end = closing(words, at + 1)? + 1;
            while words.get(end).is_some_and(|w| w.text == "catch") {
                end = headed(end + 1)?;
            }
            Some(end)
        }
        _ => expression_end(words, at),
    }
}

/// The place behind the next semicolon outside of brackets.
fn expression_end(words: &[Word<'_>], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(at) {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 0 => return Some(at + 1),
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_where_they_end() {
        let end = |text: &str| {
            let words: Vec<Word<'_>> = words(text, 0).collect();
            statement_end(&words, 0).map(|end| text[words[end - 1].range.end..].trim().to_owned())
        };
        for text in [
            "{ a; { b; } } rest",
            "for (int i = 0; i < n; i++) a[i] = f({1, 2}); rest",
            "if (a) b; else if (c) { d; } else e; rest",
            "#pragma omp parallel\n# 3 \"x.c\"\nwhile (x) { y; } rest",
            "do x; while (y); rest",
            "x = ({ a; b; }); rest",
            "try { a; } catch (...) { b; } rest",
        ] {
            assert_eq!(end(text).as_deref(), Some("rest"), "{text}");
        }
        assert_eq!(end("a + b }"), None);
    }
}
