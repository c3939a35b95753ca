//! Variables and array sections (OpenACC 3.3 §2.7.1).

use super::{Parsed, Parser};
use crate::ast::*;
use crate::errors;
use crate::token::{Token, TokenKind};
use accl_source::Span;

impl<'a> Parser<'a> {
    /// `ranges`: whether `[start:length:min:max]` may stand here, for compressed arrays.
    pub(crate) fn sections(&mut self, owner: &str, ranges: bool) -> Parsed<Vec<Section>> {
        /// Those that threads have copies of, or share: `this->a` is the member's name there. What is reduced may be any part.
        const OF_VARIABLES: [&str; 5] = ["private", "firstprivate", "lastprivate", "linear", "shared"];
        let sections = self.comma_list(owner, |p| p.section(ranges))?;
        Ok(match OF_VARIABLES.contains(&owner) {
            true => sections.into_iter().map(Section::of_this).collect(),
            false => sections,
        })
    }

    fn section(&mut self, ranges: bool) -> Parsed<Section> {
        let start = self.here();
        let mut stars = if self.strides { self.stars_before_parenthesis() } else { vec![] };
        let (Section { mut base, mut dims, shape, span: _ }, mut offset) = match self.strides && self.at("(")
        {
            true => self.parenthesised(ranges)?,
            false => (Section { base: self.lvalue()?, dims: vec![], shape: vec![], span: start }, None),
        };
        while self.at("[") && offset.is_none() || self.at(".") || self.at("->") {
            if self.at("[") {
                dims.push(self.dim(ranges)?);
            } else {
                let mut step = self.member()?;
                if let Some(offset) = offset.take()
                    && let PathStep::Member { arrow, .. } = &mut step
                {
                    *arrow = false;
                    dims.push(index(offset, self.since(start)));
                }
                self.indices_into_path(&mut base, &mut dims)?;
                base.path.push(step);
                base.span = self.since(start);
            }
        }
        if let Some(offset) = offset {
            if stars.pop().is_none() {
                let error = errors::bad_variable(self.since(start), "an object at this address");
                return self.fail(error);
            }
            dims.push(index(offset, self.since(start)));
        }
        dims.extend(stars.into_iter().map(first));
        if let Some(inner) = dims.iter().rev().skip(1).find(|dim| dim.range.is_some()) {
            let error = errors::range_not_last(inner.span);
            return self.fail(error);
        }
        Ok(Section { base, dims, shape, span: self.since(start) })
    }

    /// OpenMP's `(p)`, `(*p)`, which is `p[0]`, `(q, p)` and `(([n][m])p)`, before brackets and members; and the `n` of `(p + n)`.
    fn parenthesised(&mut self, ranges: bool) -> Parsed<(Section, Option<CExpr>)> {
        self.pos += 1;
        let shape = match self.at("(") && self.peek_at(1).is_some_and(|next| next.is("[")) {
            true => self.shape()?,
            false => vec![],
        };
        let (mut stars, mut section) = self.starred(ranges)?;
        while self.eat(",") {
            (stars, section) = self.starred(ranges)?;
        }
        let Section { base, mut dims, shape: inner, span } = section;
        dims.extend(stars.into_iter().map(first));
        // What is taken away is a sum that begins with a sign.
        let offset = if self.eat("+") || self.at("-") { Some(self.expr()?) } else { None };
        let found = self.here();
        if !self.eat(")") {
            return self.fail(errors::bad_variable(found, "`)`"));
        }
        let shape = if shape.is_empty() { inner } else { shape };
        Ok((Section { base, dims, shape, span }, offset))
    }

    /// Stars before a parenthesis are the section's own.
    fn starred(&mut self, ranges: bool) -> Parsed<(Vec<Span>, Section)> {
        let start = self.pos;
        let mut stars = self.stars();
        if self.at("(") {
            self.pos = start;
            stars.clear();
        }
        Ok((stars, self.section(ranges)?))
    }

    fn stars(&mut self) -> Vec<Span> {
        let mut stars = Vec::new();
        while self.at("*") {
            stars.push(self.here());
            self.pos += 1;
        }
        stars
    }

    /// Those of OpenMP's `*(p->q)`, which is `p->q[0]`.
    fn stars_before_parenthesis(&mut self) -> Vec<Span> {
        let start = self.pos;
        let stars = self.stars();
        if self.at("(") {
            return stars;
        }
        self.pos = start;
        vec![]
    }

    /// `([n][m])`
    fn shape(&mut self) -> Parsed<Vec<CExpr>> {
        self.pos += 1;
        let mut extents = vec![];
        while self.at("[") {
            let dim = self.dim(false)?;
            match (dim.lower, dim.is_index) {
                (Some(extent), true) => extents.push(extent),
                _ => return self.fail(errors::bad_section(dim.span, 2, false)),
            }
        }
        let found = self.here();
        if !self.eat(")") {
            return self.fail(errors::bad_variable(found, "`)`"));
        }
        Ok(extents)
    }

    /// Brackets before a member are plain indices.
    fn indices_into_path(&mut self, base: &mut Lvalue, dims: &mut Vec<SectionDim>) -> Parsed<()> {
        for dim in dims.drain(..) {
            match (dim.lower, dim.is_index) {
                (Some(index), true) => base.path.push(PathStep::Index(index)),
                _ => {
                    return self.fail(errors::section_before_member(dim.span));
                }
            }
        }
        Ok(())
    }

    /// A variable and its members, up to the first bracket.
    pub(super) fn lvalue(&mut self) -> Parsed<Lvalue> {
        let start = self.here();
        let mut derefs = 0;
        while self.eat("*") {
            derefs += 1;
        }
        let found = self.here();
        let Some(root) = self.qualified_ident() else {
            return self.fail(errors::bad_variable(found, "a variable"));
        };
        let mut path = Vec::new();
        while self.at(".") || self.at("->") {
            path.push(self.member()?);
        }
        Ok(Lvalue { derefs, root, path, span: self.since(start) })
    }

    /// `.name` or `->name`
    fn member(&mut self) -> Parsed<PathStep> {
        let arrow = self.at("->");
        self.pos += 1;
        // `s.template a` in a template.
        let is_word = |t: Token<'_>| t.kind == TokenKind::Ident;
        if self.peek().is_some_and(|t| t.text == "template") && self.peek_at(1).is_some_and(is_word) {
            self.pos += 1;
        }
        let found = self.here();
        match self.eat_ident() {
            Some(name) => {
                let name = Ident { name: name.text.to_owned(), span: name.span };
                Ok(PathStep::Member { arrow, name })
            }
            None => self.fail(errors::bad_variable(found, "the name of a member")),
        }
    }

    /// `name`, `ns::name`, `::name`, `Template<T>::name`
    pub(super) fn qualified_ident(&mut self) -> Option<Ident> {
        let start = self.here();
        let mark = self.pos;
        let mut name = String::new();
        if self.eat("::") {
            name.push_str("::");
        }
        loop {
            let Some(word) = self.eat_ident() else {
                self.pos = mark;
                return None;
            };
            name.push_str(word.text);
            if let Some(close) = self.template_arguments(self.pos)
                && let Some(next) = self.tokens[..self.limit].get(close + 1)
                && (next.is("::") || next.is("(") && self.lists_types(self.pos + 1, close))
            {
                name.push_str(&self.text_through(close));
            }
            let more =
                self.at("::") && self.peek_at(1).is_some_and(|t| t.kind == crate::token::TokenKind::Ident);
            if !more {
                return Some(Ident { name, span: self.since(start) });
            }
            self.eat("::");
            name.push_str("::");
        }
    }

    /// Where the brackets that open at `at` close, if such stand there.
    pub(super) fn template_arguments(&self, at: usize) -> Option<usize> {
        let mut depth = 0i32;
        for (index, t) in self.tokens[..self.limit].iter().enumerate().skip(at) {
            depth += [("<", 1), (">", -1), (">>", -2)].iter().find(|(p, _)| t.is(p)).map_or(0, |(_, by)| *by);
            if depth <= 0 {
                return (index > at).then_some(index);
            }
        }
        None
    }

    /// What stands between brackets may be the arguments of a function template: names and numbers.
    fn lists_types(&self, from: usize, to: usize) -> bool {
        use crate::token::TokenKind::{Ident, Int};
        let mut inside = self.tokens[from..to].iter();
        from < to
            && inside
                .all(|t| matches!(t.kind, Ident | Int) || ["::", ",", "*", "<", ">"].iter().any(|p| t.is(p)))
    }

    /// The text of the tokens up to this one, behind which the cursor is then.
    pub(super) fn text_through(&mut self, last: usize) -> String {
        let mut text = String::new();
        for token in &self.tokens[self.pos..=last] {
            let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let apart = word(text.chars().last()) && (word(token.text.chars().next()) || token.is("*"));
            text.push_str(if apart { " " } else { "" });
            text.push_str(token.text);
        }
        self.pos = last + 1;
        text
    }

    fn dim(&mut self, ranges: bool) -> Parsed<SectionDim> {
        let start = self.here();
        let mut parts = self.colon_parts(ranges)?.into_iter();
        let span = self.since(start);
        match (parts.len(), parts.next().flatten(), parts.next().flatten(), parts.next(), parts.next()) {
            (1, Some(lower), None, None, None) => Ok(index(lower, span)),
            (2, lower, length, None, None) => {
                Ok(SectionDim { lower, length, is_index: false, stride: None, range: None, span })
            }
            (3, lower, length, Some(stride), None) if self.strides => {
                Ok(SectionDim { lower, length, is_index: false, stride, range: None, span })
            }
            (4, lower, length, Some(Some(min)), Some(Some(max))) if ranges => {
                Ok(SectionDim { lower, length, is_index: false, stride: None, range: Some((min, max)), span })
            }
            (count, ..) => self.fail(errors::bad_section(span, count, ranges)),
        }
    }

    /// `[part : part : ...]`, where a part may be empty; `::` counts as two colons.
    pub(super) fn colon_parts(&mut self, ranges: bool) -> Parsed<Vec<Option<CExpr>>> {
        let open = self.here();
        self.eat("[");
        let outer = std::mem::replace(&mut self.budget.ranges, ranges);
        let parts = self.parts_until_bracket();
        self.budget.ranges = outer;
        let parts = parts?;
        if !self.eat("]") {
            let error = errors::missing_bracket(open, self.here());
            return self.fail(error);
        }
        Ok(parts)
    }

    fn parts_until_bracket(&mut self) -> Parsed<Vec<Option<CExpr>>> {
        let mut parts = Vec::new();
        loop {
            let empty = self.at(":") || self.at("]") || (self.at("::") && self.double_colon_splits());
            parts.push(if empty { None } else { Some(self.expr()?) });
            if self.eat("::") {
                parts.push(None);
            } else if !self.eat(":") {
                return Ok(parts);
            }
        }
    }

    /// Before an expression `::name` may be C++'s global scope, except where ranges are written.
    fn double_colon_splits(&self) -> bool {
        self.budget.ranges || !self.peek_at(1).is_some_and(|t| t.kind == crate::token::TokenKind::Ident)
    }
}

/// `[0]`
fn first(span: Span) -> SectionDim {
    index(CExpr { kind: CExprKind::Int { value: Some(0), text: "0".into() }, span }, span)
}

fn index(lower: CExpr, span: Span) -> SectionDim {
    SectionDim { lower: Some(lower), length: None, is_index: true, stride: None, range: None, span }
}
