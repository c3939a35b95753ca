//! Reading types and declarations.

use super::{Parser, Result};
use crate::text::lex::Tok;
use crate::text::words;
use crate::{ArrayLen, Format, Handle, Layout, Local, LocalKind, Space, Type, TypeKind};

fn is_type_word(tok: &Tok) -> bool {
    matches!(tok, Tok::Word { text, quoted: false } if words::TYPE_WORDS.contains(&text.as_str()))
}

impl Parser {
    /// Does a type stand `ahead` tokens from here?
    pub(super) fn is_type(&self, ahead: usize) -> bool {
        is_type_word(self.peek(ahead))
    }

    /// Does a declaration stand `ahead` tokens from here: a type, perhaps after the local's kind?
    pub(super) fn is_declaration(&self, ahead: usize) -> bool {
        let is_reference = matches!(self.peek(ahead), Tok::Word { text, quoted: false } if text == "ref");
        let ahead = ahead + usize::from(is_reference && !self.is_type(ahead));
        let is_kind = match self.peek(ahead) {
            Tok::Word { text, quoted: false } => words::value(words::LOCAL_KIND, text).is_some(),
            _ => false,
        };
        self.is_type(ahead) || is_kind && self.is_type(ahead + 1)
    }

    pub(super) fn ty(&mut self) -> Result<Handle<Type>> {
        let mut ty = self.base_type()?;
        loop {
            let extents = self.extents()?;
            if !extents.is_empty() {
                ty = self.array(ty, extents);
            }
            let constant = self.eat_word("const");
            let space = self.space();
            if !self.is("*") {
                if constant || space != Space::Generic {
                    return self.expected("`*`");
                }
                return Ok(ty);
            }
            self.advance();
            let restrict = self.eat_word("restrict");
            ty = self.module.types.intern(TypeKind::Pointer { to: ty, constant, restrict, space });
        }
    }

    /// A name may follow that reads like a space: only before `*` is it one.
    fn space(&mut self) -> Space {
        if *self.peek(1) != Tok::Punct("*") {
            return Space::Generic;
        }
        let found = self.word().and_then(|w| words::value(words::SPACE, w));
        if found.is_some() {
            self.advance();
        }
        found.unwrap_or(Space::Generic)
    }

    fn base_type(&mut self) -> Result<Handle<Type>> {
        if !self.is_type(0) {
            return self.expected("a type");
        }
        let word = self.word().unwrap_or_default().to_owned();
        self.advance();
        let kind = match word.as_str() {
            "void" => TypeKind::Void,
            "bool" => TypeKind::Bool,
            "struct" => {
                let name = self.name("a structure's name")?;
                match self.structs.get(&name) {
                    Some(def) => TypeKind::Struct(*def),
                    None => return self.error(format!("no structure is named `{name}`")),
                }
            }
            "compressed" => TypeKind::Compressed { format: self.format()?, of: self.base_type()? },
            "opaque" => TypeKind::Opaque(self.string()?),
            number => number_type(number),
        };
        Ok(self.module.types.intern(kind))
    }

    /// `range 16`, `range 16 aos`
    pub(super) fn format(&mut self) -> Result<Format> {
        let (scheme, bits) = (self.one_of(words::SCHEME, "a scheme")?, self.integer()?);
        let layout = if self.eat_word("aos") { Layout::Aos } else { Layout::Soa };
        Ok(Format { scheme, bits, layout })
    }

    /// `[2][n][]`, outermost first.
    fn extents(&mut self) -> Result<Vec<ArrayLen>> {
        let mut extents = Vec::new();
        while self.eat("[") {
            let literal = matches!(self.tok(), Tok::Number(_)) && *self.peek(1) == Tok::Punct("]");
            let len = if self.is("]") {
                ArrayLen::Unknown
            } else if literal {
                ArrayLen::Const(self.integer()?)
            } else {
                ArrayLen::Expr(self.value()?)
            };
            self.expect("]")?;
            extents.push(len);
        }
        Ok(extents)
    }

    fn array(&mut self, element: Handle<Type>, extents: Vec<ArrayLen>) -> Handle<Type> {
        let wrap = |of, len| self.module.types.intern(TypeKind::Array { of, len });
        extents.into_iter().rev().fold(element, wrap)
    }

    /// `type name[extent]…`
    pub(super) fn declarator(&mut self) -> Result<(String, Handle<Type>)> {
        let element = self.ty()?;
        let name = self.name("a name")?;
        let extents = self.extents()?;
        Ok((name, self.array(element, extents)))
    }

    /// `kind? type name`: makes a local of the body that is being read.
    pub(super) fn local_declaration(&mut self, usual: LocalKind) -> Result<Handle<Local>> {
        let local = self.parsed_local(usual)?;
        if self.scope.names.contains_key(&local.name) {
            let name = &local.name;
            return self.error(format!(
                "the local `{name}` is declared twice; names are unique in a body, and a second declaration \
                 of the same local is `declare {name}`"
            ));
        }
        let name = local.name.clone();
        let handle = self.scope.body.locals.append(local);
        self.scope.names.insert(name, handle);
        Ok(handle)
    }

    /// As [`Parser::local_declaration`], without entering the local anywhere.
    pub(super) fn parsed_local(&mut self, usual: LocalKind) -> Result<Local> {
        let reference = self.word() == Some("ref") && self.is_declaration(1);
        if reference {
            self.advance();
        }
        let said = match self.word().and_then(|w| words::value(words::LOCAL_KIND, w)) {
            Some(kind) if self.is_type(1) => {
                self.advance();
                Some(kind)
            }
            _ => None,
        };
        let (name, ty) = self.declarator()?;
        let usual = if name == "this" { LocalKind::This } else { usual };
        Ok(Local { name, ty, kind: said.unwrap_or(usual), reference, span: self.before() })
    }

    pub(super) fn local(&mut self) -> Result<Handle<Local>> {
        let before = self.at;
        let name = self.name("a local")?;
        match self.scope.names.get(&name) {
            Some(local) => Ok(*local),
            None => {
                self.at = before;
                self.error(format!("no local is named `{name}` here"))
            }
        }
    }
}

/// `i32`, `u8`, `f64`
pub(super) fn number_type(word: &str) -> TypeKind {
    let bits = word[1..].parse().unwrap_or(32);
    match &word[..1] {
        "f" => TypeKind::Float { bits },
        letter => TypeKind::Int { bits, signed: letter == "i" },
    }
}
