//! Tokens of the text form.

use super::ParseError;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tok {
    /// A word or a name; names in backquotes are never keywords.
    Word {
        text: String,
        quoted: bool,
    },
    /// Digits with their suffix: `5`, `5i64`, `1.5e3f32`.
    Number(String),
    Str(String),
    /// `$threadIdx.x`
    Builtin(String),
    /// `#7`
    Index(usize),
    Punct(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub tok: Tok,
    pub line: u32,
    pub col: u32,
    /// Bytes of the text.
    pub start: u32,
    pub end: u32,
}

/// Longest first.
const PUNCT: &[&str] = &[
    "<<=", ">>=", "&&=", "||=", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "<", ">", "=", "!", "~", "&", "|", "^", "?", ":", ";",
    ",", ".", "(", ")", "[", "]", "{", "}", "@",
];

struct Lexer<'s> {
    rest: &'s str,
    line: u32,
    col: u32,
}

pub(crate) fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1, col: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let (line, col) = (lexer.line, lexer.col);
        let offset = |rest: &str| (text.len() - rest.len()) as u32;
        let start = offset(lexer.rest);
        let tok = lexer.token()?;
        let last = tok == Tok::End;
        tokens.push(Token { tok, line, col, start, end: offset(lexer.rest) });
        if last {
            return Ok(tokens);
        }
    }
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'s> Lexer<'s> {
    fn take(&mut self, bytes: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.line += 1;
                self.col = 1;
            } else {
                self.col += 1;
            }
        }
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'s str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    fn error<T>(&self, message: &str) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, col: self.col, message: message.to_owned() })
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Tok, ParseError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Tok::End) };
        match first {
            '"' => self.string(),
            '`' => self.quoted_name(),
            '$' => {
                self.take(1);
                let text = self.take_while(|c| is_word_char(c) || c == '.');
                Ok(Tok::Builtin(format!("${text}")))
            }
            '#' => {
                self.take(1);
                let digits = self.take_while(|c| c.is_ascii_digit());
                digits.parse().map(Tok::Index).or_else(|_| self.error("expected a number after `#`"))
            }
            c if c.is_ascii_digit() => Ok(Tok::Number(self.number())),
            c if is_word_char(c) => Ok(Tok::Word { text: self.word(), quoted: false }),
            _ => self.punct(),
        }
    }

    fn punct(&mut self) -> Result<Tok, ParseError> {
        match PUNCT.iter().find(|p| self.rest.starts_with(**p)) {
            Some(p) => {
                self.take(p.len());
                Ok(Tok::Punct(p))
            }
            None => self.error("unexpected character"),
        }
    }

    /// A name, with `::` between the parts of a C++ name and perhaps `#7` at the end.
    fn word(&mut self) -> String {
        let mut text = self.take_while(is_word_char).to_owned();
        while self.rest.starts_with("::")
            && self.rest[2..].starts_with(|c| is_word_char(c) && !c.is_ascii_digit())
        {
            text += self.take(2);
            text += self.take_while(is_word_char);
        }
        if self.rest.starts_with('#') {
            text += self.take(1);
            text += self.take_while(|c| c.is_ascii_digit());
        }
        text
    }

    fn number(&mut self) -> String {
        let mut text = self.take_while(|c| c.is_ascii_digit()).to_owned();
        let digit_at = |rest: &str, at: usize| rest[at..].starts_with(|c: char| c.is_ascii_digit());
        if self.rest.starts_with('.') && digit_at(self.rest, 1) {
            text += self.take(1);
            text += self.take_while(|c| c.is_ascii_digit());
        }
        if self.rest.starts_with(['e', 'E']) {
            let sign = usize::from(self.rest[1..].starts_with(['+', '-']));
            if digit_at(self.rest, 1 + sign) {
                text += self.take(1 + sign);
                text += self.take_while(|c| c.is_ascii_digit());
            }
        }
        text + self.take_while(is_word_char)
    }

    fn quoted_name(&mut self) -> Result<Tok, ParseError> {
        self.take(1);
        let text = self.take_while(|c| c != '`' && c != '\n').to_owned();
        if !self.rest.starts_with('`') {
            return self.error("a name in backquotes does not end");
        }
        self.take(1);
        Ok(Tok::Word { text, quoted: true })
    }

    fn string(&mut self) -> Result<Tok, ParseError> {
        self.take(1);
        let mut text = String::new();
        loop {
            text += self.take_while(|c| !matches!(c, '"' | '\\' | '\n'));
            match self.rest.chars().next() {
                Some('"') => {
                    self.take(1);
                    return Ok(Tok::Str(text));
                }
                Some('\\') => {
                    self.take(1);
                    text.push(self.escape()?);
                }
                _ => return self.error("a string does not end on its line"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let c = match self.rest.chars().next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(c @ ('"' | '\\')) => c,
            _ => return self.error("unknown escape in a string"),
        };
        self.take(1);
        Ok(c)
    }
}
