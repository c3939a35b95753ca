//! Reads the text form back.
//!
//! Names are collected first (structures, functions, kernels), then globals, structures and function
//! headers are read, then bodies, then kernels, whose launch expressions belong to their host function.
//! So the order of items in the text is free.

mod clause;
mod expr;
mod kernel;
mod stmt;
mod types;

use super::lex::{Tok, Token, lex};
use super::{print, words};
use crate::{Body, ConstValue, Field, Function, Global, Handle, Kernel, Local, Module, Named, StructDef};
use accl_source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Where and why a text is not IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: u32,
    /// Both count from 1.
    pub col: u32,
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

impl Module {
    /// Reads the text form (its grammar is on [`text`](crate::text)).
    ///
    /// ```
    /// # use accl_ir::*;
    /// let text = "fn f(i32 n) -> i32 {\n    return n + 1;\n}\n";
    /// assert_eq!(Module::from_text(text).unwrap().to_text(), text);
    /// let error = Module::from_text("fn f() -> i32 { return n; }").unwrap_err();
    /// assert_eq!(error.to_string(), "1:24: no local is named `n` here");
    /// ```
    pub fn from_text(text: &str) -> Result<Module> {
        let mut parser = Parser { tokens: lex(text)?, ..Parser::default() };
        parser.collect_names();
        parser.items()?;
        parser.bodies()?;
        parser.kernels()?;
        Ok(parser.finish())
    }
}

/// The locals of one body by name.
#[derive(Default)]
struct Scope {
    body: Body,
    names: BTreeMap<String, Handle<Local>>,
}

#[derive(Default)]
struct Parser {
    tokens: Vec<Token>,
    at: usize,
    module: Module,
    structs: BTreeMap<String, Handle<StructDef>>,
    globals: BTreeMap<String, Handle<Global>>,
    functions: BTreeMap<String, Handle<Function>>,
    kernel_names: BTreeMap<String, Handle<Kernel>>,
    /// Symbols of the functions read so far.
    defined: BTreeSet<String>,
    /// One per function, taken while its body or its kernels are read.
    scopes: Vec<Scope>,
    /// Function, and where its body stands in the tokens.
    pending_bodies: Vec<(Handle<Function>, usize)>,
    pending_kernels: Vec<usize>,
    /// What is being read.
    scope: Scope,
}

/// Tokens.
impl Parser {
    fn tok(&self) -> &Tok {
        &self.tokens[self.at].tok
    }

    fn peek(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].tok
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// The place of the token that is read next.
    fn here(&self) -> Span {
        let token = &self.tokens[self.at];
        Span::new(FileId(0), token.start, token.end)
    }

    /// The place of the token that was read last.
    fn before(&self) -> Span {
        let token = &self.tokens[self.at.saturating_sub(1)];
        Span::new(FileId(0), token.start, token.end)
    }

    /// The place from the beginning of `first` to the end of what has been read.
    fn since(&self, first: Span) -> Span {
        Span { end: self.tokens[self.at.saturating_sub(1)].end.max(first.end), ..first }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let token = &self.tokens[self.at];
        Err(ParseError { line: token.line, col: token.col, message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        self.error(format!("expected {what}, found {}", describe(self.tok())))
    }

    fn is(&self, punct: &str) -> bool {
        matches!(self.tok(), Tok::Punct(p) if *p == punct)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punct: &str) -> Result<()> {
        if self.eat(punct) { Ok(()) } else { self.expected(&format!("`{punct}`")) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.tok(), Tok::Word { text, quoted: false } if text == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// The text of an unquoted word.
    fn word(&self) -> Option<&str> {
        match self.tok() {
            Tok::Word { text, quoted: false } => Some(text),
            _ => None,
        }
    }

    fn name(&mut self, what: &str) -> Result<String> {
        match self.tok() {
            Tok::Word { text, quoted } if *quoted || words::is_plain_name(text) => {
                let text = text.clone();
                self.advance();
                Ok(text)
            }
            Tok::Word { text, .. } => {
                self.error(format!("`{text}` is a word of the text form; as a name, write it in backquotes"))
            }
            _ => self.expected(what),
        }
    }

    fn string(&mut self) -> Result<String> {
        match self.tok() {
            Tok::Str(text) => {
                let text = text.clone();
                self.advance();
                Ok(text)
            }
            _ => self.expected("a string"),
        }
    }

    /// A plain number, perhaps negative.
    fn integer<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let sign = if self.is("-") && matches!(self.peek(1), Tok::Number(_)) { "-" } else { "" };
        if !sign.is_empty() {
            self.advance();
        }
        let Tok::Number(text) = self.tok() else { return self.expected("a number") };
        let value = format!("{sign}{text}").parse::<i128>().ok().and_then(|v| T::try_from(v).ok());
        match value {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.error("this number does not fit here"),
        }
    }

    /// One of the words of `table`, words or punctuation.
    fn one_of<T: Copy>(&mut self, table: &'static [(T, &'static str)], what: &str) -> Result<T> {
        let found = match self.tok() {
            Tok::Word { text, quoted: false } => words::value(table, text),
            Tok::Punct(p) => words::value(table, p),
            _ => None,
        };
        match found {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => {
                let all: Vec<&str> = table.iter().map(|(_, w)| *w).filter(|w| !w.is_empty()).collect();
                self.expected(&format!("{what} ({})", all.join(" ")))
            }
        }
    }

    /// `item, item, …` up to `close`, which is taken.
    fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Steps over `{ … }`.
    fn skip_braces(&mut self) -> Result<()> {
        self.expect("{")?;
        let mut depth = 1;
        while depth > 0 {
            match self.tok() {
                Tok::Punct("{") => depth += 1,
                Tok::Punct("}") => depth -= 1,
                Tok::End => return self.expected("`}`"),
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }
}

fn describe(tok: &Tok) -> String {
    match tok {
        Tok::Word { text, quoted: false } | Tok::Number(text) | Tok::Builtin(text) => format!("`{text}`"),
        Tok::Word { text, quoted: true } => format!("the name `{text}`"),
        Tok::Str(text) => words::quoted(text),
        Tok::Index(n) => format!("`#{n}`"),
        Tok::Punct(p) => format!("`{p}`"),
        Tok::End => "the end of the text".to_owned(),
    }
}

/// Items.
impl Parser {
    /// Gives a handle to each structure, function and kernel, so that they can be named before they stand.
    fn collect_names(&mut self) {
        let mut depth = 0;
        for at in 0..self.tokens.len() {
            match &self.tokens[at].tok {
                Tok::Punct("{") => depth += 1,
                Tok::Punct("}") => depth -= 1,
                Tok::Word { text, quoted: false } if depth == 0 => {
                    let keyword = text.clone();
                    self.collect_name(&keyword, at);
                }
                _ => {}
            }
        }
    }

    fn collect_name(&mut self, keyword: &str, at: usize) {
        let token = |i: usize| self.tokens.get(i).map_or(&Tok::End, |t| &t.tok);
        let Tok::Word { text: name, .. } = token(at + 1).clone() else { return };
        let begins_item =
            at == 0 || matches!(token(at - 1), Tok::Punct("}" | ";") | Tok::Str(_) | Tok::Number(_));
        match keyword {
            "struct" if begins_item && *token(at + 2) == Tok::Punct("{") => {
                let def = StructDef { name: name.clone(), fields: Vec::new(), size: 0, align: 1 };
                self.structs.insert(name, self.module.types.structs.append(def));
            }
            "fn" if begins_item => {
                let function = Function {
                    name: name.clone(),
                    symbol: name.clone(),
                    params: Vec::new(),
                    result: self.module.types.void(),
                    body: None,
                    routine: None,
                    has_regions: false,
                    link_name: None,
                    span: self.before(),
                };
                self.functions.insert(name, self.module.functions.append(function));
            }
            "kernel" if begins_item => {
                let next = Handle::from_index(self.kernel_names.len());
                self.kernel_names.insert(name, next);
            }
            _ => {}
        }
    }

    fn items(&mut self) -> Result<()> {
        self.scopes.resize_with(self.module.functions.len(), Scope::default);
        loop {
            match self.word() {
                Some("file") => {
                    self.advance();
                    self.module.file = self.string()?;
                }
                Some("struct") => self.structure()?,
                Some("global") => self.global()?,
                Some("fn") => self.function()?,
                Some("kernel") => {
                    self.pending_kernels.push(self.at);
                    while !self.is("{") && *self.tok() != Tok::End {
                        self.advance();
                    }
                    self.skip_braces()?;
                }
                _ if *self.tok() == Tok::End => return Ok(()),
                _ => return self.expected("`file`, `struct`, `global`, `fn` or `kernel`"),
            }
        }
    }

    fn structure(&mut self) -> Result<()> {
        self.advance();
        let name = self.name("the structure's name")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.eat("}") {
            let (name, ty) = self.declarator()?;
            self.expect("@")?;
            let offset = self.integer()?;
            let named = match () {
                () if self.eat_word("unnamed") => Named::Nowhere,
                () if self.eat_word("protected") => Named::InDerived,
                () if self.eat_word("private") => Named::InClass,
                () => Named::Everywhere,
            };
            let reference = self.eat_word("ref");
            fields.push(Field { name, ty, offset, named, reference });
            self.expect(";")?;
        }
        self.expect_word("size")?;
        let size = self.integer()?;
        self.expect_word("align")?;
        let align = self.integer()?;
        let def = StructDef { name: name.clone(), fields, size, align };
        match self.structs.get(&name) {
            Some(handle) => self.module.types.structs[*handle] = def,
            None => return self.error("a structure is defined inside another item"),
        }
        Ok(())
    }

    fn global(&mut self) -> Result<()> {
        self.advance();
        let constant = self.eat_word("const");
        let (name, ty) = self.declarator()?;
        let reference = self.eat_word("ref");
        let value = if self.eat("=") { Some(self.constant()?) } else { None };
        let link_name = self.link_name()?;
        self.expect(";")?;
        if self.globals.contains_key(&name) {
            return self.error(format!("the global `{name}` stands twice"));
        }
        let (name, span, foreign) = (name, self.before(), None);
        let global = Global { name: name.clone(), ty, span, reference, constant, value, link_name, foreign };
        self.globals.insert(name, self.module.globals.append(global));
        Ok(())
    }

    fn link_name(&mut self) -> Result<Option<String>> {
        if self.eat_word("link_name") { self.string().map(Some) } else { Ok(None) }
    }

    fn constant(&mut self) -> Result<ConstValue> {
        let e = self.value()?;
        match self.scope.body.exprs[e].kind {
            crate::ExprKind::Int(v) => Ok(ConstValue::Int(v)),
            crate::ExprKind::Float(v) => Ok(ConstValue::Float(v)),
            _ => self.error("a global's value is a number"),
        }
    }

    /// A function's header; its body waits until every header is known.
    fn function(&mut self) -> Result<()> {
        self.advance();
        let symbol = self.name("the function's symbol")?;
        let Some(handle) = self.functions.get(&symbol).copied() else {
            return self.error("expected a function at the top level");
        };
        if !self.defined.insert(symbol.clone()) {
            return self.error(format!("the function `{symbol}` stands twice"));
        }
        let name = if matches!(self.tok(), Tok::Str(_)) { self.string()? } else { symbol.clone() };
        self.scope = Scope::default();
        self.expect("(")?;
        let params = self.list(")", Self::function_param)?;
        self.expect("->")?;
        let result = self.ty()?;
        let routine =
            if self.eat_word("routine") { Some(self.one_of(words::LEVEL, "a level")?) } else { None };
        let link_name = self.link_name()?;
        let f = &mut self.module.functions[handle];
        (f.name, f.params, f.result, f.routine, f.link_name) = (name, params, result, routine, link_name);
        self.scopes[handle.index()] = std::mem::take(&mut self.scope);
        if self.eat(";") {
            return Ok(());
        }
        self.pending_bodies.push((handle, self.at));
        if !self.eat_word("regions") {
            self.eat_word("no_regions");
        }
        self.skip_braces()
    }

    /// `#7`: a parameter of a function without a body.
    fn function_param(&mut self) -> Result<Handle<Local>> {
        if let Tok::Index(n) = self.tok() {
            let local = Handle::from_index(*n);
            self.advance();
            return Ok(local);
        }
        let local = self.local_declaration(crate::LocalKind::Param)?;
        if self.eat_word("elements") {
            self.expect("(")?;
            let extent = self.value()?;
            self.expect(")")?;
            self.scope.body.extents.insert(local, extent);
        }
        Ok(local)
    }

    fn bodies(&mut self) -> Result<()> {
        for (handle, at) in std::mem::take(&mut self.pending_bodies) {
            self.at = at;
            self.scope = std::mem::take(&mut self.scopes[handle.index()]);
            let said = match self.word() {
                Some("regions") => Some(true),
                Some("no_regions") => Some(false),
                _ => None,
            };
            if said.is_some() {
                self.advance();
            }
            let block = self.block()?;
            let f = &mut self.module.functions[handle];
            f.has_regions = said.unwrap_or_else(|| print::has_directives(&block));
            // Marks that there is a body; `finish` moves it in.
            f.body = Some(Body::default());
            self.scope.body.block = block;
            self.scopes[handle.index()] = std::mem::take(&mut self.scope);
        }
        Ok(())
    }

    fn kernels(&mut self) -> Result<()> {
        for at in std::mem::take(&mut self.pending_kernels) {
            self.at = at;
            let kernel = self.kernel()?;
            self.module.kernels.append(kernel);
        }
        Ok(())
    }

    fn finish(mut self) -> Module {
        for ((_, f), scope) in self.module.functions.iter_mut().zip(self.scopes) {
            if f.body.is_some() {
                f.body = Some(scope.body);
            }
        }
        self.module
    }
}
