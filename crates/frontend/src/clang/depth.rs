//! How deep the syntax tree of a text is, estimated from its tokens.
//!
//! Brackets nest, and so do the operators of an expression and conditionals after one another. So each open
//! bracket counts, with the operators and keywords since the statement, or the element of a list, began in it.

use super::tokens::Token;

#[derive(Default)]
pub struct Depth {
    /// At least the number of levels at any position so far, casts excepted.
    pub deepest: u32,
    /// A brace has occurred.
    pub braces: bool,
    open: Vec<Nesting>,
    bottom: Nesting,
    /// The sum over all levels.
    sum: u32,
    last: u8,
}

#[derive(Clone, Copy, Default)]
struct Nesting {
    chain: u32,
    /// Braces of an initialiser: a comma separates elements.
    list: bool,
    /// A statement has ended; an `else` goes on with it.
    ended: bool,
}

impl Depth {
    fn level(&mut self) -> &mut Nesting {
        self.open.last_mut().unwrap_or(&mut self.bottom)
    }

    fn restart(&mut self) {
        let level = self.level();
        level.ended = false;
        let chain = std::mem::take(&mut level.chain);
        self.sum -= chain;
    }

    fn add(&mut self) {
        self.level().chain += 1;
        self.sum += 1;
        self.deepest = self.deepest.max(self.sum);
    }

    pub fn take(&mut self, token: Token<'_>) {
        if self.level().ended {
            match token {
                Token::Word("else") => self.level().ended = false,
                _ => self.restart(),
            }
        }
        match token {
            Token::Mark(b"(" | b"[" | b"{", _) => self.enter(token),
            Token::Mark(b")" | b"]" | b"}", _) => self.leave(token),
            Token::Mark(b";", _) => self.level().ended = true,
            Token::Mark(b",", _) if self.level().list => self.restart(),
            Token::Mark(b"::", _) => {}
            Token::Mark(..) => self.add(),
            Token::Word("if" | "for" | "while" | "do" | "switch" | "case" | "default" | "try") => self.add(),
            Token::Word(_) | Token::Text | Token::Pragma(_) => {}
        }
        self.last = match token {
            Token::Mark(mark, _) => mark[0],
            Token::Word("return") => b'=',
            Token::Word(_) | Token::Text => 0,
            Token::Pragma(_) => self.last,
        };
    }

    fn enter(&mut self, token: Token<'_>) {
        let brace = matches!(token, Token::Mark(b"{", _));
        self.braces |= brace;
        let inside = self.open.last().is_some_and(|level| level.list);
        let list = brace && (matches!(self.last, b'=' | b',' | b'(') || self.last == b'{' && inside);
        self.open.push(Nesting { list, ..Nesting::default() });
        self.sum += 1;
        self.deepest = self.deepest.max(self.sum);
    }

    fn leave(&mut self, token: Token<'_>) {
        let Some(level) = self.open.pop() else { return };
        self.sum -= level.chain + 1;
        match token {
            Token::Mark(b"}", _) if !level.list => self.level().ended = true,
            // It may have been a cast.
            Token::Mark(b")", _) => self.add(),
            _ => {}
        }
    }
}
