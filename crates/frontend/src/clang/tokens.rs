//! The words and marks of a preprocessed text, as far as counting brackets needs them.

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// An identifier or keyword.
    Word(&'a str),
    /// A literal of whatever kind.
    Text,
    /// Brackets, operators, separators, with their place.
    Mark(&'a [u8], usize),
    /// A line that starts with `#`.
    Pragma(&'a str),
}

pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// Nothing but blanks stands before `at` in its line.
    line_start: bool,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0, line_start: true }
    }

    /// The next token, and where it stands.
    pub fn next_with_range(&mut self) -> Option<(Token<'a>, std::ops::Range<usize>)> {
        self.skip();
        let start = self.at;
        let token = self.next()?;
        Some((token, start..self.at))
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Blanks and, where the user had them kept, comments.
    fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'\n', _) => {
                    self.line_start = true;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r' | b'\\' | 0x0b | 0x0c, _) => self.at += 1,
                (b'/', b'/') => self.at += to(&bytes[self.at..], b"\n"),
                (b'/', b'*') => {
                    self.at += 2;
                    self.at += to(&bytes[self.at..], b"*/") + 2;
                }
                _ => break,
            }
        }
        self.at = self.at.min(bytes.len());
    }

    /// A literal whose opening quote is at `at`.
    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.text.len() && self.byte(0) != quote && self.byte(0) != b'\n' {
            self.at += if self.byte(0) == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(self.text.len());
    }

    /// `R"x( … )x"`, the quote at `at`.
    fn raw(&mut self) {
        let bytes = &self.text.as_bytes()[self.at + 1..];
        let length = to(bytes, b"(");
        let end = [b")", &bytes[..length], b"\""].concat();
        self.at = (self.at + 1 + to(bytes, &end) + end.len()).min(self.text.len());
    }

    fn word(&mut self) -> &'a str {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().take_while(|b| is_letter(**b) || b.is_ascii_digit()).count();
        self.at += length;
        &self.text[self.at - length..self.at]
    }

    fn number(&mut self) {
        loop {
            match self.byte(0) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.byte(1), b'+' | b'-') => self.at += 2,
                b'\'' if self.byte(1).is_ascii_alphanumeric() => self.at += 2,
                b'.' => self.at += 1,
                byte if is_letter(byte) || byte.is_ascii_digit() => self.at += 1,
                _ => break,
            }
        }
    }

    fn mark(&mut self) -> Token<'a> {
        let start = self.at;
        let length = match (self.byte(0), self.byte(1)) {
            (b'<', b'=') if self.byte(2) == b'>' => 3,
            (b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^', b'=') => 2,
            (b'-', b'>') | (b':', b':') => 2,
            (first @ (b'&' | b'|' | b'+' | b'-'), second) if first == second => 2,
            // Shifts stay two marks: they may be brackets of templates.
            _ => 1,
        };
        self.at += length;
        Token::Mark(&self.text.as_bytes()[start..self.at], start)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip();
        if self.at >= self.text.len() {
            return None;
        }
        let first = std::mem::take(&mut self.line_start);
        Some(match self.byte(0) {
            b'#' if first => {
                let start = self.at;
                self.at += to(&self.text.as_bytes()[start..], b"\n");
                Token::Pragma(&self.text[start..self.at])
            }
            quote @ (b'"' | b'\'') => {
                self.quoted(quote);
                Token::Text
            }
            b'0'..=b'9' => {
                self.number();
                Token::Text
            }
            byte if is_letter(byte) => {
                let word = self.word();
                match self.byte(0) {
                    b'"' if matches!(word, "R" | "u8R" | "uR" | "UR" | "LR") => {
                        self.raw();
                        Token::Text
                    }
                    quote @ (b'"' | b'\'') if matches!(word, "u8" | "u" | "U" | "L") => {
                        self.quoted(quote);
                        Token::Text
                    }
                    _ => Token::Word(word),
                }
            }
            _ => self.mark(),
        })
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// The length of what stands before `mark`, or of everything.
fn to(bytes: &[u8], mark: &[u8]) -> usize {
    let Some(first) = mark.first() else { return 0 };
    let mut from = 0;
    while let Some(found) = bytes[from..].iter().position(|b| b == first) {
        if bytes[from + found..].starts_with(mark) {
            return from + found;
        }
        from += found + 1;
    }
    bytes.len()
}
