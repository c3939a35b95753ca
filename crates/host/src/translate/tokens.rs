//! The tokens of a C or C++ text: what precedes a position, and which variables a text changes.
//!
//! Comments, preprocessor lines and blanks are no tokens. Operators are single characters.

use crate::lexer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Number,
    /// A string or a character.
    Text,
    Mark(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = lexer::skip_blank(text, at);
        let Some(&first) = bytes.get(start) else { break };
        let (kind, end) = match first {
            b'"' | b'\'' => (Kind::Text, lexer::string_end(bytes, start, first).min(bytes.len())),
            _ if is_word(first) => {
                let length = bytes[start..].iter().take_while(|b| is_word(**b)).count();
                let kind = if first.is_ascii_digit() { Kind::Number } else { Kind::Word };
                (kind, start + length)
            }
            _ => (Kind::Mark(first), start + 1),
        };
        found.push(Token { start, end, kind });
        at = end;
    }
    found
}

/// Bytes past ASCII are letters.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The words of an expression that may name variables.
pub fn names(text: &str) -> Vec<&str> {
    tokens(text).iter().filter(|t| t.kind == Kind::Word).map(|t| &text[t.start..t.end]).collect()
}

/// A fragment of the program that is asked what it may do to variables. Macros are expanded in it.
pub struct CodeFragment<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// A call may take its arguments by reference.
    cplusplus: bool,
}

impl<'a> CodeFragment<'a> {
    pub fn new(text: &'a str, cplusplus: bool) -> CodeFragment<'a> {
        CodeFragment { text, tokens: tokens(text), cplusplus }
    }

    fn mark(&self, at: usize) -> Option<u8> {
        match self.tokens.get(at)?.kind {
            Kind::Mark(mark) => Some(mark),
            Kind::Word | Kind::Number | Kind::Text => None,
        }
    }

    fn word(&self, at: usize) -> Option<&'a str> {
        let token = self.tokens.get(at).filter(|t| t.kind == Kind::Word)?;
        Some(&self.text[token.start..token.end])
    }

    /// The fragment calls a function, or has something that looks like a call.
    pub fn calls(&self) -> bool {
        const NO_CALLS: [&str; 7] = ["if", "for", "while", "switch", "return", "sizeof", "defined"];
        (0..self.tokens.len()).any(|at| {
            self.word(at).is_some_and(|w| !NO_CALLS.contains(&w)) && self.mark(at + 1) == Some(b'(')
        })
    }

    pub fn has_word(&self, word: &str) -> bool {
        (0..self.tokens.len()).any(|at| self.word(at) == Some(word))
    }

    /// The variable may have another value afterwards, as far as this fragment alone shows.
    pub fn changes(&self, name: &str) -> bool {
        (0..self.tokens.len()).any(|at| self.word(at) == Some(name) && self.is_changed_at(at))
    }

    fn is_changed_at(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|b| self.mark(b));
        let twice_before = at.checked_sub(2).and_then(|b| self.mark(b));
        let (next, second, third) = (self.mark(at + 1), self.mark(at + 2), self.mark(at + 3));
        let assigned = match (next, second) {
            (Some(b'='), Some(b'=')) => false,
            (Some(b'='), _) => true,
            (Some(b'+'), Some(b'+')) | (Some(b'-'), Some(b'-')) => true,
            (Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^'), Some(b'=')) => true,
            (Some(b'<'), Some(b'<')) | (Some(b'>'), Some(b'>')) => third == Some(b'='),
            _ => false,
        };
        let stepped = matches!((twice_before, before), (Some(b'+'), Some(b'+')) | (Some(b'-'), Some(b'-')));
        let given =
            self.cplusplus && matches!(before, Some(b'(' | b',')) && matches!(next, Some(b')' | b','));
        assigned || stepped || before == Some(b'&') || given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, cplusplus: bool) -> bool {
        CodeFragment::new(text, cplusplus).changes("a")
    }

    #[test]
    fn assignments_in_all_their_forms_are_changes() {
        for text in
            ["a = 1;", "b; a += 2;", "a<<=1;", "a++;", "--a;", "f(&a);", "for (a = 0;;);", "int a = 1;"]
        {
            assert!(changed(text, false), "{text}");
        }
        for text in
            ["a == 1;", "b = a;", "a[0] = 1;", "a->x = 2;", "f(a);", "// a = 1\n\"a = 1\";", "ba = 1;"]
        {
            assert!(!changed(text, false), "{text}");
        }
        assert!(changed("swap(a, b);", true));
    }

    #[test]
    fn calls_are_told_from_keywords() {
        assert!(CodeFragment::new("x = f (y);", false).calls());
        assert!(!CodeFragment::new("if (x) while (y) return (z);", false).calls());
    }
}
