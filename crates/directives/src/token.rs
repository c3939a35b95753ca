//! C tokens of one directive line.
//!
//! Comments, and the backslash of a joined line, are blanks. Invariants: every byte of the text is in a
//! token or a blank; token spans are in order, do not overlap, and lie inside the text; nothing is an
//! error here, odd characters become [`TokenKind::Unknown`].

use accl_source::{FileId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Ident,
    Int,
    Float,
    /// With quotes, and the prefix if there is one.
    Str,
    Char,
    Punct,
    /// A character that C does not have, or a literal that does not end.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub span: Span,
}

impl Token<'_> {
    /// Whether it is this operator or bracket.
    pub fn is(&self, punct: &str) -> bool {
        self.kind == TokenKind::Punct && self.text == punct
    }
}

/// Longest first.
const PUNCTUATION: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "::", "##", "(", ")", "[", "]", "{", "}", ",", ":", ";", "?", ".", "+",
    "-", "*", "/", "%", "&", "|", "^", "~", "!", "=", "<", ">", "#",
];

/// Cuts `text`, which starts at `offset` of `file`, into tokens.
pub fn tokenize(text: &str, file: FileId, offset: u32) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += blanks(&text[at..]);
        if at == text.len() {
            return tokens;
        }
        let (kind, len) = token(&text[at..]);
        let place = |i: usize| offset.saturating_add(i as u32);
        let span = Span::new(file, place(at), place(at + len));
        tokens.push(Token { kind, text: &text[at..at + len], span });
        at += len;
    }
}

/// The length of blanks, comments and joined lines at the start.
fn blanks(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        at += if rest.starts_with(char::is_whitespace) {
            rest.len() - rest.trim_start().len()
        } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
            1
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            return at;
        };
    }
}

/// Kind and length of the token at the start of a text that is not empty.
fn token(text: &str) -> (TokenKind, usize) {
    let first = text.chars().next().unwrap_or(' ');
    let second = text[first.len_utf8()..].chars().next().unwrap_or(' ');
    if first.is_ascii_digit() || (first == '.' && second.is_ascii_digit()) {
        return number(text);
    }
    let word = text.len() - text.trim_start_matches(is_word).len();
    let prefix = matches!(&text[..word], "" | "L" | "u" | "U" | "u8").then(|| text[word..].chars().next());
    match prefix {
        Some(Some('"')) => quoted(text, word, '"', TokenKind::Str),
        Some(Some('\'')) => quoted(text, word, '\'', TokenKind::Char),
        _ if word > 0 => (TokenKind::Ident, word),
        _ => match PUNCTUATION.iter().find(|p| text.starts_with(**p)) {
            Some(punct) => (TokenKind::Punct, punct.len()),
            None => (TokenKind::Unknown, first.len_utf8()),
        },
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A preprocessing number (C17 §6.4.8), told apart by its content.
fn number(text: &str) -> (TokenKind, usize) {
    let mut len = 0;
    let mut last = ' ';
    for c in text.chars() {
        let sign = matches!(c, '+' | '-')
            && (matches!(last, 'p' | 'P') || (matches!(last, 'e' | 'E') && !is_hex(text)));
        if !(is_word(c) || c == '.' || c == '\'' || sign) {
            break;
        }
        len += c.len_utf8();
        last = c;
    }
    let body = &text[..len];
    let exponent: &[char] = if is_hex(text) { &['p', 'P'] } else { &['e', 'E', 'f', 'F'] };
    let kind = if body.contains('.') || body.contains(exponent) { TokenKind::Float } else { TokenKind::Int };
    (kind, len)
}

fn is_hex(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

fn quoted(text: &str, prefix: usize, quote: char, kind: TokenKind) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at <= prefix) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return (kind, at + 1),
            _ => {}
        }
    }
    (TokenKind::Unknown, text.len())
}

/// The value of an integer literal: `Err` if it is malformed, `None` if it does not fit.
pub fn int_value(text: &str) -> Result<Option<u64>, ()> {
    let digits: String = text.chars().filter(|c| *c != '\'').collect();
    let lower = digits.to_ascii_lowercase();
    let (radix, body) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    let end = body.find(|c: char| !c.is_digit(radix)).unwrap_or(body.len());
    let (number, suffix) = body.split_at(end);
    let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu", "z", "uz", "zu"];
    if !known.contains(&suffix) || (number.is_empty() && radix != 8) {
        return Err(());
    }
    Ok(if number.is_empty() { Some(0) } else { u64::from_str_radix(number, radix).ok() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let tokens = tokenize(text, FileId(0), 0);
        let shown: Vec<String> = tokens.iter().map(|t| format!("{:?}'{}'", t.kind, t.text)).collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn numbers() {
        check(
            "1 0x1fUL 1.5e-3f 1e5 0x1p-3 .5 1'000",
            "Int'1' Int'0x1fUL' Float'1.5e-3f' Float'1e5' Float'0x1p-3' Float'.5' Int'1'000'",
        );
        check("0xe+1", "Int'0xe' Punct'+' Int'1'");
    }

    #[test]
    fn literals_with_prefixes_and_escapes() {
        check(r#""a\"b" 'c' L"w" u8 "x"#, r#"Str'"a\"b"' Char''c'' Str'L"w"' Ident'u8' Unknown'"x'"#);
    }

    #[test]
    fn comments_and_joined_lines_are_blanks() {
        check("a/*x*/b \\\n c // d", "Ident'a' Ident'b' Ident'c'");
        check("a\\b /*", "Ident'a' Unknown'\\' Ident'b'");
    }

    #[test]
    fn operators_take_the_longest_match() {
        check(
            "a->b<<=c::d&&&e",
            "Ident'a' Punct'->' Ident'b' Punct'<<=' Ident'c' Punct'::' Ident'd' Punct'&&' Punct'&' Ident'e'",
        );
    }

    #[test]
    fn values_of_integers() {
        assert_eq!(int_value("0x1FuL"), Ok(Some(31)));
        assert_eq!(int_value("017"), Ok(Some(15)));
        assert_eq!(int_value("0"), Ok(Some(0)));
        assert_eq!(int_value("0u"), Ok(Some(0)));
        assert_eq!(int_value("99999999999999999999"), Ok(None));
        assert_eq!(int_value("12abc"), Err(()));
        assert_eq!(int_value("0x"), Err(()));
        assert_eq!(int_value("089"), Err(()));
    }
}
