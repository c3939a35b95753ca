//! Clauses: looked up in the table, read by its grammar.

use super::{Failed, Parsed, Parser, custom};
use crate::ast::*;
use crate::errors;
use crate::table::{Args, ClauseSpec, DirectiveName, lookup_clause};
use crate::token::Token;
use accl_source::Span;

impl<'a> Parser<'a> {
    /// Clauses up to the end of the line, with or without commas between them.
    pub(super) fn clauses(&mut self, directive: DirectiveName) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut device_types: Vec<DeviceType> = Vec::new();
        while !self.at_end() {
            if self.eat(",") && !self.at(",") && !self.at_end() {
                continue;
            }
            let Some(name) = self.eat_ident() else {
                self.stray();
                continue;
            };
            if self.foreign_dimension(name) {
                continue;
            }
            let Ok(clause) = self.clause(name, directive, &device_types) else { continue };
            match clause.kind {
                ClauseKind::DeviceType(types) if scopes_device_types(directive) => {
                    self.unknown_device_types(&types, clause.span);
                    device_types = types;
                }
                _ if !device_types.is_empty() && !may_follow_device_type(&clause.kind) => {
                    self.report(errors::behind_device_type(&clause));
                }
                _ => {
                    self.check_once(&clause, &clauses);
                    clauses.push(clause);
                }
            }
        }
        clauses
    }

    /// Clauses for devices that are not supported are left out (OpenACC 3.3 §2.4).
    fn unknown_device_types(&mut self, types: &[DeviceType], span: Span) {
        let unknown =
            |t: &&DeviceType| **t != DeviceType::Any && !DeviceKind::ALL.iter().any(|d| d.is_named_by(t));
        for device_type in types.iter().filter(unknown) {
            self.report(errors::unknown_device_type(device_type, span));
        }
    }

    /// Reports and skips text that is no clause; a bracket with all its content.
    fn stray(&mut self) {
        let Some(token) = self.peek() else {
            let error = errors::trailing_comma(self.tokens[self.pos - 1].span);
            return self.report(error);
        };
        self.report(errors::stray(token));
        self.pos = self.closing(self.pos).filter(|_| is_open(token)).unwrap_or(self.pos) + 1;
    }

    /// `num_gangs[1](n)`, `gang[0]`: CAPS's compiler names the dimension of the launch for a level in this way.
    fn foreign_dimension(&mut self, name: Token<'a>) -> bool {
        const LEVELS: [&str; 6] = ["gang", "worker", "vector", "num_gangs", "num_workers", "vector_length"];
        if !LEVELS.contains(&name.text) || !self.at("[") {
            return false;
        }
        let Some(close) = self.closing(self.pos) else { return false };
        self.pos = close + 1;
        self.skip_argument();
        self.report(errors::foreign_dimension(name));
        true
    }

    fn clause(
        &mut self,
        name: Token<'a>,
        directive: DirectiveName,
        device_types: &[DeviceType],
    ) -> Parsed<Clause> {
        let Some(spec) = lookup_clause(name.text, directive) else {
            self.skip_argument();
            return self.fail(errors::unknown_clause(name, directive));
        };
        if !spec.accepted_on(directive) {
            self.skip_argument();
            return self.fail(errors::not_allowed(name, directive));
        }
        let kind = self.argument(spec, name)?;
        let span = self.since(name.span);
        Ok(Clause { kind, span, name_span: name.span, spec, device_types: device_types.to_vec() })
    }

    fn skip_argument(&mut self) {
        if self.at("(") {
            self.pos = self.closing(self.pos).map_or(self.limit, |close| close + 1);
        }
    }

    fn argument(&mut self, spec: &'static ClauseSpec, name: Token<'a>) -> Parsed<ClauseKind> {
        let owner = name.text;
        if !self.at("(") {
            return match spec.args {
                Args::None(make) | Args::OptCustom(make, ..) => Ok(make()),
                Args::OptExpr(make) | Args::OptKeyed(_, make) => Ok(make(None)),
                Args::Expr(_)
                | Args::Exprs(..)
                | Args::Vars(_)
                | Args::Data(_)
                | Args::Compressed(_)
                | Args::Custom(..) => self.fail(errors::missing_argument(name, spec)),
            };
        }
        if let Args::None(_) = spec.args {
            let open = self.here();
            self.skip_argument();
            let error = errors::unexpected_argument(name, self.since(open));
            return self.fail(error);
        }
        self.parenthesized(owner, |p| p.inside(spec, owner))
    }

    /// The argument, without its parentheses.
    fn inside(&mut self, spec: &'static ClauseSpec, owner: &str) -> Parsed<ClauseKind> {
        if self.at_end() {
            let error = errors::empty_argument(owner, spec, self.here());
            return self.fail(error);
        }
        match spec.args {
            Args::None(_) => Err(Failed),
            Args::Expr(make) => self.expr().map(make),
            Args::OptExpr(make) => Ok(make(Some(self.expr()?))),
            Args::OptKeyed(word, make) => {
                self.eat_keyword(word);
                Ok(make(Some(self.expr()?)))
            }
            Args::Exprs(most, make) => self.exprs(owner, most).map(make),
            Args::Vars(make) => self.sections(owner, false).map(make),
            Args::Data(kind) => self.data(owner, kind),
            Args::Compressed(kind) => self.compressed(owner, kind),
            Args::Custom(_, parse) | Args::OptCustom(_, _, parse) => parse(self),
        }
    }

    fn exprs(&mut self, owner: &str, most: usize) -> Parsed<Vec<CExpr>> {
        let list = self.comma_list(owner, Self::expr)?;
        match list.get(most) {
            Some(extra) => self.fail(errors::too_many(owner, most, extra.span)),
            None => Ok(list),
        }
    }

    fn data(&mut self, owner: &str, kind: DataKind) -> Parsed<ClauseKind> {
        let mut modifiers = Vec::new();
        if self.modifiers_ahead() {
            modifiers = self.modifier_list(|p, word| p.data_modifier(word, owner, kind))?;
            modifiers.sort();
            modifiers.dedup();
        }
        let sections = self.sections(owner, false)?;
        Ok(ClauseKind::Data(DataClause { kind, modifiers, compressed: None, sections }))
    }

    fn data_modifier(&mut self, word: Token<'a>, owner: &str, kind: DataKind) -> Parsed<DataModifier> {
        let valid = || DataModifier::ALL.into_iter().filter(|m| m.applies_to(kind));
        match valid().find(|m| m.name() == word.text) {
            Some(modifier) => Ok(modifier),
            None => self.fail(errors::bad_modifier(word, owner, valid().map(DataModifier::name))),
        }
    }

    fn compressed(&mut self, owner: &str, kind: DataKind) -> Parsed<ClauseKind> {
        let (compression, sections) = self.compression(owner, true)?;
        let compressed = Some(compression);
        Ok(ClauseKind::Data(DataClause { kind, modifiers: vec![], compressed, sections }))
    }

    /// Modifiers and a list. `ranges`: whether sections may end in `min:max`.
    pub(super) fn compression(
        &mut self,
        owner: &str,
        ranges: bool,
    ) -> Parsed<(CompressionArgs, Vec<Section>)> {
        let mut compression = CompressionArgs::default();
        let called = self.peek_at(1).is_some_and(|t| t.is("("));
        let word = self.peek().filter(|t| custom::COMPRESSION_MODIFIERS.contains(&t.text));
        if self.modifiers_ahead() || (called && word.is_some()) {
            self.modifier_list(|p, word| p.compression_modifier(word, owner, &mut compression))?;
        }
        Ok((compression, self.sections(owner, ranges)?))
    }

    /// Whether `word, word(...), ... :` comes next.
    fn modifiers_ahead(&self) -> bool {
        let mut at = self.pos;
        let token = |at: usize| self.tokens[..self.limit].get(at);
        loop {
            if token(at).is_none_or(|t| t.kind != crate::token::TokenKind::Ident) {
                return false;
            }
            at += 1;
            if token(at).is_some_and(|t| t.is("(")) {
                let Some(close) = self.closing(at) else { return false };
                at = close + 1;
            }
            match token(at) {
                Some(t) if t.is(":") => return true,
                Some(t) if t.is(",") => at += 1,
                _ => return false,
            }
        }
    }

    /// The list that [`Self::modifiers_ahead`] saw, and its colon.
    fn modifier_list<T>(&mut self, mut one: impl FnMut(&mut Self, Token<'a>) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut found = Vec::new();
        while let Some(word) = self.eat_ident() {
            found.push(one(self, word)?);
            if !self.eat(",") {
                break;
            }
        }
        if self.eat(":") {
            return Ok(found);
        }
        let error = errors::stray_in_modifiers(self.here());
        self.fail(error)
    }

    fn check_once(&mut self, clause: &Clause, before: &[Clause]) {
        let same = |c: &&Clause| c.spec == clause.spec && c.device_types == clause.device_types;
        if let Some(first) = before.iter().filter(|_| clause.spec.once).find(same) {
            self.report(errors::duplicate(clause, first));
        }
    }
}

/// On these, `device_type` limits no clauses but says which device is meant (OpenACC 3.3 §2.14).
fn scopes_device_types(directive: DirectiveName) -> bool {
    !matches!(directive, DirectiveName::Init | DirectiveName::Shutdown | DirectiveName::Set)
}

/// Clauses that may differ between devices (OpenACC 3.3 §2.5.4, §2.9, §2.15.1); clauses for data are not among
/// them.
fn may_follow_device_type(clause: &ClauseKind) -> bool {
    match clause {
        ClauseKind::Async(_)
        | ClauseKind::Wait(_)
        | ClauseKind::NumGangs(_)
        | ClauseKind::NumWorkers(_)
        | ClauseKind::VectorLength(_)
        | ClauseKind::DeviceType(_)
        | ClauseKind::Gang(_)
        | ClauseKind::Worker(_)
        | ClauseKind::Vector(_)
        | ClauseKind::Seq
        | ClauseKind::Auto
        | ClauseKind::Independent
        | ClauseKind::Collapse(_)
        | ClauseKind::Tile(_)
        | ClauseKind::Bind(_) => true,
        ClauseKind::If(_)
        | ClauseKind::IfPresent
        | ClauseKind::SelfCondition(_)
        | ClauseKind::Default(_)
        | ClauseKind::DeviceNum(_)
        | ClauseKind::DefaultAsync(_)
        | ClauseKind::Private(_)
        | ClauseKind::Firstprivate(_)
        | ClauseKind::Reduction(_)
        | ClauseKind::Data(_)
        | ClauseKind::Mapped(_)
        | ClauseKind::Finalize
        | ClauseKind::UseDevice(_)
        | ClauseKind::UpdateSelf(_)
        | ClauseKind::UpdateDevice(_)
        | ClauseKind::Nohost
        | ClauseKind::Lastprivate(_)
        | ClauseKind::ParallelIf(_)
        | ClauseKind::Shared(_)
        | ClauseKind::Defaultmap(_)
        | ClauseKind::Depend
        | ClauseKind::Ancestor
        | ClauseKind::Schedule(_)
        | ClauseKind::Linear(..)
        | ClauseKind::ReductionInOrder(..)
        | ClauseKind::DeclaredReduction(..)
        | ClauseKind::Filter(_)
        | ClauseKind::Copyprivate(_)
        | ClauseKind::DefaultCopies { .. }
        | ClauseKind::Compression(..) => false,
    }
}

fn is_open(token: Token<'_>) -> bool {
    ["(", "[", "{"].iter().any(|b| token.is(b))
}
