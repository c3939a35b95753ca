//! The parser: a window over the tokens of one line.
//!
//! A clause is parsed with the window set to what is between its parentheses. So an error inside cannot affect
//! anything outside, and the next clause starts after the closing parenthesis. A function that fails has reported
//! why and returns [`Failed`]; its callers do not report it again.

mod clause;
pub(crate) mod custom;
mod expr;
pub(crate) mod head;
mod section;

use crate::ast::*;
use crate::table::{CLAUSES, DIRECTIVES, DirectiveSpec, lookup_directive};
use crate::token::{Token, TokenKind, tokenize};
use crate::{ParsedDirective, check, errors};
use accl_source::{Diagnostic, FileId, Span};

/// The reason stands in the diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

pub type Parsed<T> = Result<T, Failed>;

pub struct Parser<'a> {
    pub(crate) tokens: Vec<Token<'a>>,
    pub(crate) pos: usize,
    /// Tokens from here on are outside of the window.
    pub(crate) limit: usize,
    /// The empty span after the text.
    pub(crate) end: Span,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What is left of the budget that limits the depth of expression trees.
    budget: expr::Budget,
    /// Sections may have strides, in this language.
    pub(crate) strides: bool,
}

/// Parses an `acc` directive.
pub(crate) fn directive(text: &str, file: FileId, offset: u32) -> ParsedDirective {
    let mut parser = Parser::new(text, file, offset);
    let directive = parser.directive();
    if let Some(directive) = &directive {
        check::check(directive, &mut parser.diagnostics);
    }
    ParsedDirective { directive, diagnostics: parser.diagnostics }
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, file: FileId, offset: u32) -> Parser<'a> {
        let tokens = tokenize(text, file, offset);
        let end = offset.saturating_add(text.trim_end().len() as u32);
        let limit = tokens.len();
        let end = Span::new(file, end, end);
        Parser {
            tokens,
            pos: 0,
            limit,
            end,
            diagnostics: vec![],
            budget: expr::Budget::default(),
            strides: false,
        }
    }

    fn directive(&mut self) -> Option<Directive> {
        let Some(first) = self.peek() else {
            self.report(errors::missing_directive(self.end));
            return None;
        };
        let Some(spec) = self.directive_spec() else {
            let diagnostic = errors::unknown_directive(first, self.peek_at(1));
            self.report(diagnostic);
            return None;
        };
        let last = self.tokens[self.pos + spec.words.len() - 1];
        self.pos += spec.words.len();
        let name_span = first.span.to(last.span);
        let kind = (spec.head)(self);
        let before = self.diagnostics.len();
        let clauses = self.clauses(spec.name);
        let whole = before == self.diagnostics.len();
        let directive = Directive {
            kind: kind.ok()?,
            span: first.span.to(self.end),
            name_span,
            clauses,
            origin: Sentinel::Acc,
        };
        if whole {
            check::required(&directive, spec, &mut self.diagnostics);
        }
        Some(directive)
    }

    fn directive_spec(&self) -> Option<&'static DirectiveSpec> {
        let most = DIRECTIVES.iter().map(|d| d.words.len()).max().unwrap_or(1);
        let ahead = &self.tokens[self.pos..self.limit];
        let words: Vec<&str> =
            ahead.iter().take(most).take_while(|t| t.kind == TokenKind::Ident).map(|t| t.text).collect();
        lookup_directive(&words)
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Failed)
    }

    pub(crate) fn peek(&self) -> Option<Token<'a>> {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens[..self.limit].get(self.pos + ahead).copied()
    }

    pub(crate) fn at_end(&self) -> bool {
        self.pos >= self.limit
    }

    pub(crate) fn at(&self, punct: &str) -> bool {
        self.peek().is_some_and(|t| t.is(punct))
    }

    pub(crate) fn eat(&mut self, punct: &str) -> bool {
        let found = self.at(punct);
        self.pos += usize::from(found);
        found
    }

    pub(crate) fn eat_ident(&mut self) -> Option<Token<'a>> {
        let token = self.peek().filter(|t| t.kind == TokenKind::Ident)?;
        self.pos += 1;
        Some(token)
    }

    /// `word` and the colon after it.
    fn eat_keyword(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == TokenKind::Ident && t.text == word)
            && self.peek_at(1).is_some_and(|t| t.is(":"));
        self.pos += if found { 2 } else { 0 };
        found
    }

    /// The next token, or the empty span where the window ends.
    pub(crate) fn here(&self) -> Span {
        self.tokens.get(self.pos).map_or(self.end, |t| if self.at_end() { t.span.at_start() } else { t.span })
    }

    /// From the start of an earlier token to the end of the last one eaten.
    pub(crate) fn since(&self, start: Span) -> Span {
        match self.pos.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(last) if last.span.end >= start.start => Span { end: last.span.end, ..start },
            _ => start.at_start(),
        }
    }

    /// The index of the bracket that closes the one at `open`, inside the window. It also closes
    /// brackets of other kinds left open inside; a closing one without its opening one is passed over.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        const PAIRS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];
        let mut wanted: Vec<&str> = Vec::new();
        for (index, token) in self.tokens[..self.limit].iter().enumerate().skip(open) {
            if let Some((_, close)) = PAIRS.iter().find(|(open, _)| token.is(open)) {
                wanted.push(close);
            } else if let Some(depth) = wanted.iter().rposition(|close| token.is(close)) {
                wanted.truncate(depth);
            }
            if wanted.is_empty() {
                return Some(index);
            }
        }
        None
    }

    /// With the cursor at `(`, runs `inside` with the window set to the parentheses' content and leaves
    /// the cursor after them, whatever happened. Text that `inside` leaves over is reported.
    pub(crate) fn parenthesized<T>(
        &mut self,
        owner: &str,
        inside: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let open = self.pos;
        let Some(close) = self.closing(open) else {
            self.pos = self.limit;
            let inside = &self.tokens[open + 1..self.limit];
            let next = inside.windows(3).find(|w| is_argument_end(w[0]) && is_clause_start(w[1], w[2]));
            let error = errors::missing_close(owner, self.tokens[open].span, self.end, next.map(|w| w[1]));
            return self.fail(error);
        };
        let outer = std::mem::replace(&mut self.limit, close);
        self.pos = open + 1;
        let mut result = inside(self);
        if let (Ok(_), Some(extra)) = (&result, self.peek()) {
            let error = errors::left_over(owner, extra);
            result = self.fail(error);
        }
        self.pos = close + 1;
        self.limit = outer;
        result
    }

    /// `item, item, ...` up to the end of the window; at least one.
    pub(crate) fn comma_list<T>(
        &mut self,
        owner: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        loop {
            if self.at_end() || self.at(",") {
                let error = errors::empty_entry(owner, self.here(), items.is_empty() && self.at_end());
                return self.fail(error);
            }
            items.push(item(self)?);
            if !self.eat(",") {
                return Ok(items);
            }
        }
    }
}

/// An operand ends here, so that a name after it begins something new.
fn is_argument_end(token: Token<'_>) -> bool {
    token.is("]") || token.is(")") || !matches!(token.kind, TokenKind::Punct)
}

fn is_clause_start(name: Token<'_>, open: Token<'_>) -> bool {
    open.is("(") && CLAUSES.iter().any(|c| c.is_named(name.text))
}
