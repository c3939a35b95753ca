//! The parser of OpenMP's directives. Lists, sections and expressions are those of OpenACC's clauses.

use super::ast::{Leaf, Map, MapKind, OmpClause, OmpClauseKind, OmpDirective, OmpName};
use super::errors;
use super::table::{self, CONSTRUCTS, DIRECTIVES, MEMORY_ORDERS, On};
use crate::ast::{
    AtomicKind, Defaultmap, IteratorVariable, MapBehavior, Mapper, ReductionOp, Section, StaticSchedule,
    VariableCategory,
};
use crate::parse::{Parsed, Parser};
use crate::token::TokenKind;
use accl_source::{Diagnostic, FileId, Span};

type Kind = OmpClauseKind;
pub type ReadArgument = fn(&mut Parser<'_>) -> Parsed<Kind>;

/// What stands after a clause's name.
#[derive(Clone, Copy)]
pub enum Read {
    /// Nothing.
    Word(fn() -> Kind),
    /// Parentheses, whose content this reads.
    Argument(ReadArgument),
    /// The same, or nothing: then it reads an empty window.
    Optional(ReadArgument),
}

/// `None`: a directive for the host, or, with a diagnostic, one that begins with `target` and is none.
pub fn directive(text: &str, file: FileId, offset: u32) -> (Option<OmpDirective>, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, file, offset);
    parser.strides = true;
    let directive = parser.omp_directive();
    (directive, parser.diagnostics)
}

impl<'a> Parser<'a> {
    fn omp_directive(&mut self) -> Option<OmpDirective> {
        let first = self.peek()?.span;
        let (mut name, on) = self.omp_name()?;
        let name_span = self.since(first);
        if let OmpName::DeclareMapper(mapper) = &mut name {
            **mapper = self.omp_mapper()?;
        }
        match &name {
            OmpName::Atomic(_) => return Some(self.omp_atomic(name_span)),
            // The list of a `flush` makes no difference.
            OmpName::Barrier
            | OmpName::Flush
            | OmpName::Nothing
            | OmpName::Taskwait
            | OmpName::Separator(_) => self.pos = self.limit,
            // Its name; only one thread of a team runs any of them at a time.
            OmpName::Constructs(leaves) if leaves == &[Leaf::Critical] && self.at("(") => {
                self.pos = self.closing(self.pos).map_or(self.limit, |close| close + 1);
            }
            _ => {}
        }
        let mut clauses = self.omp_list(&name);
        clauses.extend(self.omp_clauses(name_span, &on));
        Some(OmpDirective { name, span: first.to(self.end), name_span, clauses })
    }

    fn omp_name(&mut self) -> Option<(OmpName, Vec<On>)> {
        let words: Vec<&str> = self.tokens[self.pos..self.limit]
            .iter()
            .take(3)
            .take_while(|t| t.kind == TokenKind::Ident)
            .map(|t| t.text)
            .collect();
        let fits = |spec: &&table::OmpDirectiveSpec| words.starts_with(spec.words);
        if let Some(spec) = DIRECTIVES.iter().find(fits) {
            self.pos += spec.words.len();
            return Some(((spec.name)(), vec![spec.on]));
        }
        // A dependence between iterations, which stands between statements (OpenMP 5.2 §15.10.1).
        if let ["ordered", "depend" | "doacross", ..] = words[..] {
            self.pos = self.limit;
            return Some((OmpName::Separator("ordered"), vec![On::Other]));
        }
        let mut leaves: Vec<Leaf> = vec![];
        while let Some(token) = self.peek().filter(|t| t.kind == TokenKind::Ident)
            && let Some((word, leaf, ..)) = CONSTRUCTS.iter().find(|(word, ..)| *word == token.text)
        {
            // Behind a loop it is a clause.
            if *leaf == Leaf::Ordered && !leaves.is_empty() {
                break;
            }
            if let Some(last) = leaves.last()
                && !may_follow(*last, *leaf)
            {
                if !leaves.contains(&Leaf::Target) {
                    return None;
                }
                let error = errors::bad_combination(last.name(), word, token.span);
                self.report(error);
                return None;
            }
            leaves.push(*leaf);
            self.pos += 1;
        }
        let on = leaves.iter().map(|leaf| On::Construct(*leaf)).collect();
        (!leaves.is_empty()).then_some((OmpName::Constructs(leaves), on))
    }

    /// `atomic [read | write | update | capture | compare] [clauses]`, in any order.
    fn omp_atomic(&mut self, name_span: Span) -> OmpDirective {
        let mut kind = AtomicKind::Update;
        while let Some(token) = self.peek() {
            self.pos += 1;
            match token.text {
                "read" => kind = AtomicKind::Read,
                "write" => kind = AtomicKind::Write,
                "capture" => kind = AtomicKind::Capture,
                // The statement says what is compared.
                "," | "update" | "compare" => {}
                "hint" | "fail" => {
                    self.pos = self.closing(self.pos).map_or(self.limit, |close| close + 1);
                }
                other if MEMORY_ORDERS.contains(&other) => {}
                other => {
                    let error = errors::unknown_clause(other, token.span, "atomic", &[On::Atomic]);
                    self.report(error);
                }
            }
        }
        OmpDirective { name: OmpName::Atomic(kind), span: name_span.to(self.end), name_span, clauses: vec![] }
    }

    /// `([name :] type variable)`.
    fn omp_mapper(&mut self) -> Option<Mapper> {
        let read = |p: &mut Parser<'a>| {
            let named = p.peek_at(1).is_some_and(|t| t.is(":"));
            let name = if named { p.eat_ident().map(|t| t.text) } else { None };
            p.eat(":");
            let words = &p.tokens[p.pos..p.limit];
            let Some((variable, of)) =
                words.split_last().filter(|(last, of)| last.kind == TokenKind::Ident && !of.is_empty())
            else {
                let here = p.here();
                return p.fail(errors::expected("a type and the name of a variable of it", here));
            };
            let of: Vec<&str> = of.iter().map(|t| t.text).collect();
            let mapper = Mapper {
                name: name.filter(|name| *name != "default").map(str::to_owned),
                of: of.join(" ").replace(" :: ", "::"),
                variable: variable.text.to_owned(),
                maps: vec![],
            };
            p.pos = p.limit;
            Ok(mapper)
        };
        if !self.at("(") {
            let error = errors::expected("`(`", self.here());
            self.report(error);
            return None;
        }
        self.parenthesized("declare mapper", read).ok()
    }

    /// `mapper(name)`, where what the name is declared in may stand before it.
    fn omp_mapper_name(&mut self) -> Parsed<Option<String>> {
        self.pos += 1;
        let name = self.parenthesized("mapper", |p| {
            loop {
                p.eat("::");
                match p.eat_ident() {
                    Some(_) if p.at("::") => {}
                    Some(name) => return Ok(name.text.to_owned()),
                    None => {
                        let here = p.here();
                        return p.fail(errors::expected("the name of a mapper", here));
                    }
                }
            }
        })?;
        Ok(Some(name).filter(|name| name != "default"))
    }

    /// `iterator([type] i = begin : end [: step], …)`
    fn omp_iterators(&mut self) -> Parsed<Vec<IteratorVariable>> {
        self.pos += 1;
        self.parenthesized("iterator", |p| p.comma_list("iterator", Parser::omp_iterator))
    }

    fn omp_iterator(&mut self) -> Parsed<IteratorVariable> {
        // What stands before the name is its type.
        while self.peek().is_some_and(|t| t.kind == TokenKind::Ident || t.is("*"))
            && !self.peek_at(1).is_some_and(|t| t.is("="))
        {
            self.pos += 1;
        }
        let here = self.here();
        let Some(name) = self.eat_ident().map(|t| t.text.to_owned()) else {
            return self.fail(errors::expected("the name of an iterator", here));
        };
        if !self.eat("=") {
            let here = self.here();
            return self.fail(errors::expected("`=`", here));
        }
        let begin = self.expr()?;
        if !self.eat(":") {
            let here = self.here();
            return self.fail(errors::expected("`:`", here));
        }
        let end = self.expr()?;
        let step = if self.eat(":") { Some(self.expr()?) } else { None };
        Ok(IteratorVariable { name, begin, end, step })
    }

    /// `declare target (list)`.
    fn omp_list(&mut self, name: &OmpName) -> Vec<OmpClause> {
        let OmpName::DeclareTarget { begin: false } = name else { return vec![] };
        if !self.at("(") {
            return vec![];
        }
        let span = self.here();
        let list = self.parenthesized("declare target", |p| p.sections("declare target", false));
        let clause = |list| OmpClause { name: "enter", kind: Kind::Enter(list), span, name_span: span };
        list.map(clause).into_iter().collect()
    }

    fn omp_clauses(&mut self, name: Span, on: &[On]) -> Vec<OmpClause> {
        let mut clauses = vec![];
        while !self.at_end() {
            if self.eat(",") {
                continue;
            }
            let here = self.here();
            let Some(word) = self.eat_ident() else {
                let error = errors::expected("a clause", here);
                self.report(error);
                self.pos = self.limit;
                break;
            };
            match self.omp_clause(word.text, word.span, name, on) {
                Ok((name, kind)) => {
                    let span = self.since(word.span);
                    clauses.push(OmpClause { name, kind, span, name_span: word.span });
                }
                Err(_) if self.at("(") => {
                    self.pos = self.closing(self.pos).map_or(self.limit, |close| close + 1);
                }
                Err(_) => {}
            }
        }
        clauses
    }

    fn omp_clause(&mut self, word: &str, span: Span, name: Span, on: &[On]) -> Parsed<(&'static str, Kind)> {
        let directive = self.words_of(name);
        if let Some((_, leaf, ..)) = CONSTRUCTS.iter().find(|(construct, ..)| *construct == word)
            && table::lookup(word, on).is_none()
            && let Some(On::Construct(last)) = on.last()
        {
            self.pos = self.limit;
            return self.fail(errors::bad_combination(last.name(), leaf.name(), span));
        }
        let Some(spec) = table::lookup(word, on) else {
            if errors::is_nearly_a_directive(word, on) {
                self.pos = self.limit;
            }
            return self.fail(errors::unknown_clause(word, span, &directive, on));
        };
        if !spec.accepted_on(on) {
            return self.fail(errors::not_allowed(word, span, &directive));
        }
        let kind = match spec.read {
            Read::Word(make) if !self.at("(") => Ok(make()),
            Read::Word(make) => {
                // `nowait(condition)` and its like, of OpenMP 6.
                self.pos = self.closing(self.pos).map_or(self.limit, |close| close + 1);
                Ok(make())
            }
            Read::Argument(read) | Read::Optional(read) if self.at("(") => self.parenthesized(word, read),
            Read::Optional(read) => {
                let limit = std::mem::replace(&mut self.limit, self.pos);
                let result = read(self);
                self.limit = limit;
                result
            }
            Read::Argument(_) => self.fail(errors::expected(&format!("the argument of `{word}`"), span)),
        };
        Ok((spec.name, kind?))
    }

    fn words_of(&self, name: Span) -> String {
        let inside = self.tokens.iter().filter(|t| name.contains(t.span));
        inside.map(|t| t.text).collect::<Vec<_>>().join(" ")
    }

    /// `word :` or `word , … :`, where the word is one of these.
    fn omp_modifier(&mut self, words: &[&str]) -> Option<&'a str> {
        let token = self.peek().filter(|t| words.contains(&t.text))?;
        self.peek_at(1).filter(|t| t.is(":") || t.is(","))?;
        self.pos += 2;
        Some(token.text)
    }

    /// A colon outside of all brackets: what stands before it is no list.
    fn omp_colon_ahead(&self) -> bool {
        let mut depth = 0;
        self.tokens[self.pos..self.limit].iter().any(|token| {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            depth == 0 && token.is(":")
        })
    }

    fn omp_skip(&mut self) {
        self.pos = self.limit;
    }
}

/// OpenMP 5.2 §17.3, as far as these constructs are concerned.
fn may_follow(before: Leaf, after: Leaf) -> bool {
    match before {
        Leaf::Target => matches!(after, Leaf::Teams | Leaf::Parallel | Leaf::Simd | Leaf::Loop),
        Leaf::Teams => matches!(after, Leaf::Distribute | Leaf::Loop),
        Leaf::Distribute => matches!(after, Leaf::Parallel | Leaf::Simd),
        Leaf::Parallel => matches!(after, Leaf::For | Leaf::Loop | Leaf::Sections | Leaf::Masked),
        Leaf::For | Leaf::Taskloop => after == Leaf::Simd,
        Leaf::Masked => after == Leaf::Taskloop,
        _ => false,
    }
}

pub fn no_effect(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.omp_skip();
    Ok(Kind::NoEffect)
}

pub fn list(p: &mut Parser<'_>, owner: &str, make: fn(Vec<Section>) -> Kind) -> Parsed<Kind> {
    p.sections(owner, false).map(make)
}

/// `[name:] expression`
pub fn condition(p: &mut Parser<'_>) -> Parsed<Kind> {
    let begin = p.pos;
    let mut words = vec![];
    while let Some(word) = p.eat_ident() {
        words.push(word.text);
        if p.at(":") && !p.peek_at(1).is_some_and(|t| t.is(":")) {
            p.pos += 1;
            return Ok(Kind::If(Some(words.join(" ")), p.expr()?));
        }
    }
    p.pos = begin;
    Ok(Kind::If(None, p.expr()?))
}

/// `[device_num:] expression`
pub fn device(p: &mut Parser<'_>) -> Parsed<Kind> {
    if p.omp_modifier(&["ancestor"]).is_some() {
        p.omp_skip();
        return Ok(Kind::Ancestor);
    }
    p.omp_modifier(&["device_num"]);
    p.expr().map(Kind::Device)
}

pub fn depend(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.omp_skip();
    Ok(Kind::Depend)
}

/// `[lower:] upper`
pub fn num_teams(p: &mut Parser<'_>) -> Parsed<Kind> {
    let first = p.expr()?;
    match p.eat(":") {
        true => Ok(Kind::NumTeams { lower: Some(first), upper: p.expr()? }),
        false => Ok(Kind::NumTeams { lower: None, upper: first }),
    }
}

pub fn thread_limit(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.expr().map(Kind::ThreadLimit)
}

pub fn num_threads(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.expr().map(Kind::NumThreads)
}

pub fn collapse(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.expr().map(Kind::Collapse)
}

pub fn ordered(p: &mut Parser<'_>) -> Parsed<Kind> {
    let count = if p.at_end() { None } else { Some(p.expr()?) };
    Ok(Kind::Ordered(count))
}

/// `[modifiers:] kind [, chunk]`
pub fn schedule(p: &mut Parser<'_>, teams: bool) -> Parsed<Kind> {
    const MODIFIERS: [&str; 3] = ["monotonic", "nonmonotonic", "simd"];
    const KINDS: [&str; 5] = ["static", "dynamic", "guided", "auto", "runtime"];
    while p.omp_modifier(&MODIFIERS).is_some() {}
    let here = p.here();
    let Some(kind) = p.eat_ident().filter(|t| KINDS.contains(&t.text)) else {
        return p.fail(errors::bad_word("kind of schedule", here, &KINDS));
    };
    let chunk = if p.eat(",") { Some(p.expr()?) } else { None };
    Ok(match kind.text {
        "static" => Kind::Schedule(StaticSchedule { teams, chunk }),
        _ => Kind::NoEffect,
    })
}

pub fn filter(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.expr().map(Kind::Filter)
}

pub fn sizes(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.comma_list("sizes", Parser::expr).map(Kind::Sizes)
}

pub fn lastprivate(p: &mut Parser<'_>) -> Parsed<Kind> {
    if p.omp_modifier(&["conditional"]).is_some() {
        let what = "`lastprivate(conditional: …)`";
        return Ok(Kind::ReductionInOrder { what, sections: p.sections("lastprivate", false)? });
    }
    list(p, "lastprivate", Kind::Lastprivate)
}

/// `list [: step]`, or as before OpenMP 5.2 `val(list) [: step]`.
pub fn linear(p: &mut Parser<'_>) -> Parsed<Kind> {
    let is_modifier = p.peek().is_some_and(|t| ["val", "ref", "uval"].contains(&t.text));
    let sections = match is_modifier && p.peek_at(1).is_some_and(|next| next.is("(")) {
        true => {
            p.pos += 1;
            p.parenthesized("linear", |p| p.sections("linear", false))?
        }
        false => p.sections("linear", false)?,
    };
    let step = if p.eat(":") { Some(p.expr()?) } else { None };
    Ok(Kind::Linear(sections, step))
}

pub fn default(p: &mut Parser<'_>) -> Parsed<Kind> {
    const WORDS: [&str; 4] = ["none", "shared", "firstprivate", "private"];
    let here = p.here();
    match p.eat_ident().filter(|t| WORDS.contains(&t.text)) {
        Some(word) => Ok(Kind::Default(word.text.to_owned())),
        None => p.fail(errors::bad_word("kind of default", here, &WORDS)),
    }
}

/// `behavior [: category]`
pub fn defaultmap(p: &mut Parser<'_>) -> Parsed<Kind> {
    let here = p.here();
    let named = |word: &str| MapBehavior::ALL.into_iter().find(|b| b.name() == word);
    let Some(behavior) = p.eat_ident().and_then(|t| named(t.text)) else {
        let words = MapBehavior::ALL.map(MapBehavior::name);
        return p.fail(errors::bad_word("behavior of defaultmap", here, &words));
    };
    if !p.eat(":") {
        return Ok(Kind::Defaultmap(Defaultmap { behavior, category: None }));
    }
    let here = p.here();
    let word = p.eat_ident().map_or("", |t| t.text);
    let category = VariableCategory::ALL.into_iter().find(|c| c.name() == word);
    if category.is_none() && word != "all" {
        return p.fail(errors::bad_word(
            "category of variables",
            here,
            &["scalar", "aggregate", "pointer", "all"],
        ));
    }
    Ok(Kind::Defaultmap(Defaultmap { behavior, category }))
}

/// `[modifier,] operator : list`
pub fn reduction(p: &mut Parser<'_>) -> Parsed<Kind> {
    let has_modifier = p.peek_at(1).is_some_and(|t| t.is(","));
    let modifier = if has_modifier { p.omp_modifier(&["default", "inscan", "task"]) } else { None };
    let here = p.here();
    let Some(token) = p.peek() else { return p.fail(errors::expected("an operator", here)) };
    // A difference is combined as a sum.
    let symbol = if token.text == "-" { "+" } else { token.text };
    let op = ReductionOp::ALL.into_iter().find(|op| op.symbol() == symbol);
    let colon = p.peek_at(1).is_some_and(|t| t.is(":"));
    let Some(op) = op.filter(|_| colon) else {
        // A name may be qualified, in C++.
        if token.kind == TokenKind::Ident && p.omp_colon_ahead() {
            let mut name = String::new();
            while !p.eat(":") {
                name.push_str(p.peek().map_or("", |t| t.text));
                p.pos += 1;
            }
            let sections = p.sections("reduction", false)?;
            return Ok(match modifier {
                Some("inscan") => Kind::ReductionInOrder { what: "a scan", sections },
                _ => Kind::DeclaredReduction { name, sections },
            });
        }
        let symbols: Vec<&str> = ReductionOp::ALL.into_iter().map(ReductionOp::symbol).collect();
        return p.fail(errors::bad_word("operator of a reduction", here, &symbols));
    };
    p.pos += 2;
    let sections = p.sections("reduction", false)?;
    Ok(match modifier {
        Some("inscan") => Kind::ReductionInOrder { what: "a scan", sections },
        _ => Kind::Reduction { op, sections },
    })
}

/// `[modifiers] [kind:] list`
pub fn map(p: &mut Parser<'_>) -> Parsed<Kind> {
    let mut map = Map {
        kind: MapKind::ToFrom,
        always: false,
        present: false,
        mapper: None,
        iterators: vec![],
        sections: vec![],
    };
    let mut kind = None;
    while let Some(token) = p.peek().filter(|t| t.kind == TokenKind::Ident) {
        let after = p.peek_at(1);
        let ends = after.is_some_and(|t| t.is(":"));
        match token.text {
            "always" | "close" | "present"
                if ends || after.is_some_and(|t| t.is(",") || t.kind == TokenKind::Ident) =>
            {
                map.always |= token.text == "always";
                map.present |= token.text == "present";
            }
            "mapper" if after.is_some_and(|t| t.is("(")) => {
                map.mapper = p.omp_mapper_name()?;
                p.pos -= 1;
            }
            "iterator" if after.is_some_and(|t| t.is("(")) => {
                map.iterators = p.omp_iterators()?;
                p.pos -= 1;
            }
            word if ends && MapKind::from_name(word).is_some() => kind = MapKind::from_name(word),
            word if ends || p.omp_colon_ahead() => {
                return p.fail(errors::unknown_map_type(word, token.span));
            }
            _ => break,
        }
        p.pos += 1;
        if p.eat(":") {
            break;
        }
        p.eat(",");
    }
    // `(OpenMP 5.2 §5.8.3)`: on `target exit data` it is `from`, on `target enter data` `to`; see `normal`.
    map.kind = kind.unwrap_or(MapKind::ToFrom);
    map.sections = p.sections("map", false)?;
    Ok(Kind::Map(map))
}

/// `[present:] list` of `target update`
pub fn motion(p: &mut Parser<'_>, to_device: bool) -> Parsed<Kind> {
    let (mut present, mut mapper, mut iterators) = (false, None, vec![]);
    while let Some(token) = p.peek().filter(|t| t.kind == TokenKind::Ident) {
        let after = p.peek_at(1);
        match token.text {
            "present" if after.is_some_and(|t| t.is(":") || t.is(",")) && p.omp_colon_ahead() => {
                present = true;
                p.pos += 1;
            }
            "mapper" if after.is_some_and(|t| t.is("(")) => mapper = p.omp_mapper_name()?,
            "iterator" if after.is_some_and(|t| t.is("(")) => iterators = p.omp_iterators()?,
            _ => break,
        }
        if p.eat(":") {
            break;
        }
        p.eat(",");
    }
    let sections = p.sections("to", false)?;
    Ok(Kind::Motion { to_device, present, mapper, iterators, sections })
}
