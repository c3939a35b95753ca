//! Reads the types Clang prints ("double (*)[n]", "const float *restrict", "ns::Vec<double, 3> &").
//!
//! The dump gives types as text only. Names are resolved through what was declared before: typedefs
//! (Clang takes sugar off the outermost type alone, so `size_t *` arrives as such), enumerations and
//! records. A name that cannot be resolved makes an opaque type, which only kernels mind.

use super::json::TypeText;
use super::library::{LibraryTypes, arguments};
use crate::ast::{DeclId, Len, Qual, Ty};
use crate::specialize::with_words;
use std::collections::HashMap;
use std::rc::Rc;

/// Named types declared so far, and types already read.
///
/// A name means what was declared last in the enclosing scopes, never what it usually means, since a program may
/// call its own type `bool` or `half`.
#[derive(Default)]
pub struct TypeReader {
    named: HashMap<String, Qual>,
    /// After `struct`, `union` and `enum`: in C these names are separate from all others.
    tags: HashMap<String, Qual>,
    /// By the last component of the name, where that is unique.
    short: HashMap<String, Option<Qual>>,
    cache: HashMap<String, Qual>,
    /// What clang writes for names of types and constants that functions declare, where these are arguments of templates: in
    /// `Vec<T, N> *` it leaves them as the program has them.
    spelled: HashMap<String, String>,
    /// The enumerators that clang writes as `(E)1` where templates deduced them.
    enumerators: HashMap<String, String>,
    /// A template has a parameter `auto`, so that `V<3>` and `V<3UL>` may be two classes.
    pub has_values_of_any_type: bool,
    /// The same for those outside of functions; none where they differ.
    spelled_outside: HashMap<String, Option<String>>,
    /// What the names of the open scopes meant outside of these.
    hidden: Vec<Hidden>,
    /// How many scopes of functions are open.
    depth: u32,
    /// All types by the last component of their names, wherever they were declared; none where they differ.
    pub all: HashMap<String, Option<Qual>>,
    pub library: LibraryTypes,
    /// What is read of the standard library's declarations.
    pub read_of_library: Vec<super::classes::Shown>,
    /// Templates of aliases by the last component of their names, with their parameters and what stands behind `=`; none where they differ.
    aliases: HashMap<String, Option<(Vec<String>, String)>>,
    /// The full names of class templates by their own; none where they differ.
    templates: HashMap<String, Option<String>>,
    /// Classes that instances of templates name before they are declared: an instance stands where its template does. Each has
    /// an id, which the declaration takes.
    awaited: HashMap<String, DeclId>,
    /// How many such ids were given out.
    given: u64,
    /// The types of expressions that the innermost open scope declares variables by: the same text may mean another elsewhere.
    typeofs: HashMap<String, Qual>,
}

/// A name's meaning before a declaration in a function.
enum Hidden {
    Named(String, Option<Qual>),
    Tag(String, Option<Qual>),
    Short(String, Option<Option<Qual>>),
    Spelled(String, Option<String>),
}

/// What is left of the text.
struct Cursor<'a> {
    text: &'a str,
}

/// Clang's own ids are addresses, which are smaller.
const AWAITED: u64 = 1 << 63;

impl TypeReader {
    pub fn declare(&mut self, name: &str, ty: Qual) {
        let short = last_component(name).to_owned();
        merge(&mut self.all, &short, &ty);
        let before = self.short.get(&short).cloned();
        merge(&mut self.short, &short, &ty);
        let outside = self.named.insert(name.to_owned(), ty);
        if self.depth > 0 {
            self.hidden.push(Hidden::Short(short, before));
            self.hidden.push(Hidden::Named(name.to_owned(), outside));
        }
        self.cache.clear();
    }

    /// What clang writes for a name as the argument of a template.
    pub fn declare_spelling(&mut self, name: &str, text: &str) {
        let text = self.respelled(text).unwrap_or_else(|| text.to_owned());
        if self.depth == 0 {
            let known = self.spelled_outside.entry(name.to_owned()).or_insert_with(|| Some(text.clone()));
            known.take_if(|known| *known != text);
        } else {
            let outside = self.spelled.insert(name.to_owned(), text);
            self.hidden.push(Hidden::Spelled(name.to_owned(), outside));
            self.cache.clear();
        }
    }

    /// What clang writes for a name as the argument of a template.
    fn spelling(&self, name: &str) -> Option<&str> {
        let is_ambiguous = || matches!(self.short.get(name), Some(None));
        let outside = || self.spelled_outside.get(name).filter(|_| !is_ambiguous())?.as_deref();
        self.spelled.get(name).map(String::as_str).or_else(outside)
    }

    /// The value of a constant.
    pub fn constant(&self, name: &str) -> Option<i128> {
        match self.spelling(name)? {
            "true" => Some(1),
            "false" => Some(0),
            text => text.parse().ok(),
        }
    }

    /// An enumerator of the type, which has the value.
    pub fn declare_enumerator(&mut self, of: &str, value: i128, name: &str) {
        self.enumerators.entry(format!("({of}){value}")).or_insert_with(|| name.to_owned());
    }

    /// A template's name with what its arguments are as clang writes them, and with values as the names of classes have
    /// them: those that were deduced have their types, as in `V<3UL, (E)1U>`. `None`: it has no others.
    fn respelled(&self, name: &str) -> Option<String> {
        let start = name.find('<')?;
        let (mut text, mut rest) = (name[..start].to_owned(), &name[start..]);
        while !rest.is_empty() {
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first)];
            rest = &rest[word.len()..];
            if word.starts_with(|c: char| c.is_ascii_digit()) && !self.has_values_of_any_type {
                text += &word[..word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len())];
                let cast =
                    text.rfind(['<', ' ']).map(|before| before + 1).filter(|at| text[*at..].starts_with('('));
                if let Some((at, name)) = cast.and_then(|at| Some((at, self.enumerators.get(&text[at..])?))) {
                    text.replace_range(at.., name);
                }
                continue;
            }
            text += self.spelling(word).unwrap_or(word);
        }
        (text != name).then_some(text)
    }

    /// A structure, union or enumeration. `plain`: its name alone denotes it, too, as in C++.
    pub fn declare_tag(&mut self, name: &str, ty: Qual, plain: bool) {
        if plain {
            self.declare(name, ty.clone());
        }
        let outside = self.tags.insert(name.to_owned(), ty);
        if self.depth > 0 {
            self.hidden.push(Hidden::Tag(name.to_owned(), outside));
        }
        self.cache.clear();
    }

    /// From here on, names in types that were read may mean something else.
    pub(super) fn forget_read(&mut self) {
        self.cache.clear();
    }

    pub fn declare_template(&mut self, name: &str, qualified: &str) {
        let full = self.templates.entry(name.to_owned()).or_insert_with(|| Some(qualified.to_owned()));
        full.take_if(|full| full != qualified);
    }

    /// An instance's name with the namespaces of its template, which Clang leaves out where the program does.
    fn full_name(&self, name: &str) -> Option<String> {
        let last = last_component(name);
        let start = last.find('<')?;
        let full = self.templates.get(&last[..start])?.as_ref()?;
        Some(format!("{full}{}", &last[start..]))
    }

    /// The id of a class that was named before; only for those outside of functions, whose names are unique.
    pub fn declares_awaited(&mut self, name: &str) -> Option<DeclId> {
        if self.depth > 0 { None } else { self.awaited.remove(name) }
    }

    /// The classes that were named, and not declared until now.
    pub fn awaited(&mut self) -> impl Iterator<Item = (DeclId, String)> {
        std::mem::take(&mut self.awaited).into_iter().map(|(name, id)| (id, name))
    }

    /// Clang writes the type of a variable that is declared by an expression's type in full, but not that of pointers to it.
    pub fn note_typeof(&mut self, ty: &TypeText<'_>) {
        if let Some(of) =
            ty.qual_type.strip_prefix("typeof").and_then(|rest| rest.trim_start().strip_prefix('('))
            && let Some(of) = of.strip_suffix(')')
            && !ty.desugared_qual_type.is_empty()
        {
            let meant = self.read(&ty.desugared_qual_type);
            self.typeofs.insert(of.to_owned(), meant);
            self.cache.clear();
        }
    }

    fn forget_typeofs(&mut self) {
        if !self.typeofs.is_empty() {
            self.typeofs.clear();
            self.cache.clear();
        }
    }

    /// What no declaration before this place tells may be a class that comes later.
    fn unknown(&mut self, name: String) -> Qual {
        let is_plain = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && (!name.starts_with("std::") || super::classes::declare(&self.read_of_library, &name))
            && !name.split('<').next().unwrap_or_default().contains([' ', '(']);
        if !is_plain && !name.starts_with("(anonymous namespace)::") {
            return Qual::new(Ty::Opaque(name.into()));
        }
        let name = self.full_name(&name).unwrap_or(name);
        let given = &mut self.given;
        let id = *self.awaited.entry(name).or_insert_with(|| {
            *given += 1;
            DeclId(AWAITED + *given)
        });
        Qual::new(Ty::Record(id))
    }

    /// Of integers that are not negative.
    pub fn bits_without_sign(&self, name: &str) -> Option<u8> {
        let builtin = || builtin(name).map(Qual::new);
        match *self.named.get(name).cloned().or_else(builtin)?.ty {
            Ty::Int { bits, signed: false } => Some(bits),
            _ => None,
        }
    }

    pub fn knows(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// A scope of a function begins. What is declared from here on is forgotten at its end.
    pub fn enter(&mut self) -> usize {
        self.forget_typeofs();
        self.depth += 1;
        self.hidden.len()
    }

    /// The scope ends that began when `enter` gave this.
    pub fn leave(&mut self, mark: usize) {
        self.forget_typeofs();
        self.depth = self.depth.saturating_sub(1);
        if self.hidden.len() > mark {
            self.cache.clear();
        }
        while self.hidden.len() > mark {
            match self.hidden.pop() {
                Some(Hidden::Named(name, outside)) => restore(&mut self.named, name, outside),
                Some(Hidden::Tag(name, outside)) => restore(&mut self.tags, name, outside),
                Some(Hidden::Short(name, outside)) => restore(&mut self.short, name, outside),
                Some(Hidden::Spelled(name, outside)) => restore(&mut self.spelled, name, outside),
                None => {}
            }
        }
    }

    pub fn read(&mut self, text: &str) -> Qual {
        if let Some(known) = self.cache.get(text) {
            return known.clone();
        }
        let mut cursor = Cursor { text };
        let base = self.specifiers(&mut cursor);
        let ty = self.declarator(&mut cursor, base);
        self.cache.insert(text.to_owned(), ty.clone());
        ty
    }

    /// The result type of a function type's text.
    pub fn result(&mut self, text: &str) -> Qual {
        if let Some((_, trailing)) = text.rsplit_once(" -> ").filter(|_| text.starts_with("auto ")) {
            return self.read(trailing);
        }
        let mut cursor = Cursor { text };
        let base = self.specifiers(&mut cursor);
        self.pointers(&mut cursor, base)
    }

    /// `const unsigned long`, `struct P`, `ns::V<int>`.
    fn specifiers(&mut self, cursor: &mut Cursor<'_>) -> Qual {
        let text = cursor.text;
        let mut words: Vec<&str> = Vec::new();
        let (mut constant, mut tagged) = (false, false);
        while let Some(word) = cursor.word() {
            match word {
                // In C the name that follows may be a keyword of C++.
                "struct" | "enum" | "union" if words.is_empty() && !tagged => {
                    tagged = true;
                    words.extend(cursor.word());
                }
                "const" => constant = true,
                "volatile" => {}
                "typeof" => {
                    let of = cursor.bracketed('(', ')').unwrap_or_default();
                    let ty = match self.typeofs.get(of) {
                        Some(known) => known.clone(),
                        None => Qual::new(Ty::Opaque(format!("typeof ({of})").as_str().into())),
                    };
                    return Qual { constant: ty.constant | constant, ..ty };
                }
                // What is done to atomic objects becomes calls.
                "_Atomic" => {
                    let ty = match cursor.bracketed('(', ')') {
                        Some(of) => self.read(of),
                        None => self.unknown(word.into()),
                    };
                    return Qual { constant: ty.constant | constant, ..ty };
                }
                "__attribute__" => {
                    let vector = cursor.bracketed('(', ')').unwrap_or_default();
                    // In front of its elements' type, or as shifts have their second operand.
                    let of = match &words[..] {
                        [] => self.specifiers(cursor),
                        words => self.named_type(words, tagged),
                    };
                    let constant = of.constant | constant;
                    let vector = self.vector(vector, Qual { constant: false, ..of });
                    let vector = vector.unwrap_or_else(|| Qual::new(Ty::Opaque(text.into())));
                    return Qual { constant, ..vector };
                }
                "class" | "typename" if !tagged && !self.named.contains_key(word) => {}
                _ => words.push(word),
            }
        }
        let tag = words.last().filter(|_| tagged).and_then(|name| self.tags.get(*name)).cloned();
        let mut ty = match tag {
            Some(tag) => tag,
            None => self.named_type(&words, tagged),
        };
        ty.constant |= constant;
        ty
    }

    fn named_type(&mut self, words: &[&str], tagged: bool) -> Qual {
        let name = words.join(" ");
        let plain = name.as_str();
        if let Some(known) = self.named.get(plain) {
            return known.clone();
        }
        if let Some(builtin) = builtin(&name) {
            return Qual::new(builtin);
        }
        if let Some(meant) = self.aliased(plain) {
            return meant;
        }
        // A member of a class of the library is not another class's of that name.
        if let Some(known) = self.library_type(plain) {
            return known;
        }
        let unqualified = plain.strip_prefix("std::").unwrap_or(plain);
        if let Some(known) = self.named.get(unqualified) {
            return known.clone();
        }
        if let Some(at) = location_of_unnamed(plain).and_then(|key| self.named.get(key)) {
            return at.clone();
        }
        let is_library = plain.contains('<')
            && ["std::", "__gnu_cxx::"].iter().any(|n| plain.starts_with(n))
            && !super::classes::declare(&self.read_of_library, plain);
        match self.short.get(last_component(plain)) {
            Some(Some(known)) if !is_library => known.clone(),
            _ if self.tags.contains_key(plain) => self.tags[plain].clone(),
            _ if is_library || tagged => Qual::new(Ty::Opaque(name.into())),
            _ => {
                let name = self.respelled(&name).unwrap_or(name);
                let known = self.named.get(&name).cloned();
                let known = known.or_else(|| self.short.get(last_component(&name)).cloned().flatten());
                known.unwrap_or_else(|| self.unknown(name))
            }
        }
    }

    /// `template <class T> using Pair = Both<T, T>;`
    pub fn declare_alias(&mut self, name: &str, params: Vec<String>, ty: &str) {
        let alias = Some((params, ty.to_owned()));
        match self.aliases.get_mut(name) {
            Some(known) if *known != alias => *known = None,
            Some(_) => {}
            None => _ = self.aliases.insert(name.to_owned(), alias),
        }
    }

    /// What an instance of such a template stands for: Clang leaves it as the program has it where it is no whole type.
    fn aliased(&mut self, name: &str) -> Option<Qual> {
        let (template, rest) = last_component(name).split_once('<')?;
        let (params, ty) = self.aliases.get(template)?.clone()?;
        let (arguments, after) = arguments(rest)?;
        if arguments.len() != params.len() || !after.is_empty() {
            return None;
        }
        let params = params.iter().map(String::as_str);
        let meant = with_words(&ty, &params.zip(arguments.into_iter().map(str::to_owned)).collect());
        Some(self.read(&meant)).filter(|ty| !matches!(*ty.ty, Ty::Opaque(_)))
    }

    /// The stars, references and their qualifiers in front of a declarator.
    fn pointers(&mut self, cursor: &mut Cursor<'_>, mut ty: Qual) -> Qual {
        loop {
            if cursor.eat("&&") || cursor.eat("&") {
                ty = Qual::new(Ty::Reference(ty));
            } else if cursor.eat("*") {
                let (mut restrict, mut constant) = (false, false);
                while let Some(word) = cursor.word() {
                    restrict |= word.contains("restrict");
                    constant |= word == "const";
                }
                ty = Qual { ty: Rc::new(Ty::Pointer { to: ty, restrict }), constant };
            } else {
                return ty;
            }
        }
    }

    fn declarator(&mut self, cursor: &mut Cursor<'_>, base: Qual) -> Qual {
        let base = self.pointers(cursor, base);
        let group = cursor.group_of_declarator();
        let ty = match &*base.ty {
            // As Clang prints `auto &` and `T &` for arrays: nothing is an array of references.
            Ty::Reference(of) if group.is_none() => Qual::new(Ty::Reference(suffixes(cursor, of.clone()))),
            _ => suffixes(cursor, base),
        };
        match group {
            Some(inner) => self.declarator(&mut Cursor { text: inner }, ty),
            None => ty,
        }
    }
}

fn merge(types: &mut HashMap<String, Option<Qual>>, name: &str, ty: &Qual) {
    match types.get_mut(name) {
        Some(slot) if slot.as_ref().is_some_and(|t| t != ty) => *slot = None,
        Some(_) => {}
        None => {
            types.insert(name.to_owned(), Some(ty.clone()));
        }
    }
}

fn restore<T>(types: &mut HashMap<String, T>, name: String, outside: Option<T>) {
    match outside {
        Some(ty) => types.insert(name, ty),
        None => types.remove(&name),
    };
}

/// `[3][n]` and `(int)`.
fn suffixes(cursor: &mut Cursor<'_>, base: Qual) -> Qual {
    if let Some(inner) = cursor.bracketed('[', ']') {
        let of = suffixes(cursor, base);
        let constant = of.constant;
        return Qual { ty: Rc::new(Ty::Array { of, len: array_len(inner) }), constant };
    }
    if cursor.bracketed('(', ')').is_some() {
        cursor.text = "";
        return Qual::new(Ty::Function);
    }
    base
}

fn array_len(text: &str) -> Len {
    // A parameter's outermost extent may have qualifiers of the pointer that it becomes.
    const QUALIFIERS: [&str; 6] = ["static", "const", "volatile", "restrict", "__restrict", "__restrict__"];
    let mut text = text.trim();
    let qualified = |text: &'_ str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        QUALIFIERS.contains(&&text[..end]).then_some(end)
    };
    while let Some(end) = qualified(text) {
        text = text[end..].trim_start();
    }
    match text.parse() {
        // GNU's way to write a flexible array.
        Ok(0) => Len::Unknown,
        Ok(n) => Len::Const(n),
        Err(_) if text.is_empty() || text == "*" => Len::Unknown,
        Err(_) => Len::Text(text.into()),
    }
}

/// A type that the language itself has.
pub fn builtin_type(name: &str) -> Option<Qual> {
    builtin(name).map(Qual::new)
}

fn builtin(name: &str) -> Option<Ty> {
    let int = |bits, signed| Some(Ty::Int { bits, signed });
    match name {
        "void" => Some(Ty::Void),
        "bool" | "_Bool" => Some(Ty::Bool),
        "char" | "signed char" => int(8, true),
        "unsigned char" | "char8_t" => int(8, false),
        "short" => int(16, true),
        "unsigned short" | "char16_t" => int(16, false),
        "int" | "signed" | "signed int" | "wchar_t" => int(32, true),
        "unsigned int" | "unsigned" | "char32_t" => int(32, false),
        "long" | "long int" | "long long" | "long long int" => int(64, true),
        "unsigned long" | "unsigned long int" | "unsigned long long" => int(64, false),
        "float" => Some(Ty::Float { bits: 32 }),
        "double" => Some(Ty::Float { bits: 64 }),
        "std::nullptr_t" | "nullptr_t" => Some(Ty::Pointer { to: Qual::new(Ty::Void), restrict: false }),
        _ => None,
    }
}

/// "file.c:3:9" of "(unnamed struct at file.c:3:9)", whichever of Clang's spellings.
fn location_of_unnamed(name: &str) -> Option<&str> {
    let start = name.rfind(" at ")?;
    name[start + 4..].strip_suffix(')')
}

/// "V" of "ns::V"; template arguments stay.
fn last_component(name: &str) -> &str {
    let (mut depth, mut start) = (0, 0);
    for (at, c) in name.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ':' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    &name[start..]
}

impl<'a> Cursor<'a> {
    fn skip_blanks(&mut self) {
        self.text = self.text.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip_blanks();
        match self.text.strip_prefix(token) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    /// A possibly qualified name with its template arguments. Clang's "(unnamed struct at …)",
    /// "(anonymous namespace)" and "(lambda at …)" are part of names.
    fn word(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let bytes = self.text.as_bytes();
        let (mut at, mut depth) = (0, 0);
        while at < bytes.len() {
            let rest = &self.text[at..];
            let named_group = ["(unnamed", "(anonymous", "(lambda"].iter().any(|p| rest.starts_with(p));
            match bytes[at] {
                b'(' if named_group && depth == 0 => at += rest.find(')').unwrap_or(rest.len() - 1),
                b'<' => depth += 1,
                b'>' => depth -= 1,
                c if depth > 0 || c.is_ascii_alphanumeric() || c == b'_' || c == b':' || c >= 0x80 => {}
                _ => break,
            }
            at += 1;
        }
        let (word, rest) = self.text.split_at(at);
        self.text = rest;
        (!word.is_empty()).then_some(word)
    }

    /// The inside of `(*)`, `(&)`, `(* restrict)`, and of `(x[n])` without its name; a parenthesis with anything else holds parameters.
    fn group_of_declarator(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let inner = self.text.strip_prefix('(')?.trim_start();
        inner.starts_with(['*', '&', '(', '[']).then(|| self.bracketed('(', ')'))?
    }

    fn bracketed(&mut self, open: char, close: char) -> Option<&'a str> {
        self.skip_blanks();
        self.text.strip_prefix(open)?;
        let mut depth = 0;
        for (at, c) in self.text.char_indices() {
            depth += i32::from(c == open) - i32::from(c == close);
            if depth == 0 {
                let inner = &self.text[1..at];
                self.text = &self.text[at + 1..];
                return Some(inner);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::DeclId;

    fn check(text: &str, expected: &str) {
        let mut reader = TypeReader::default();
        reader.declare("size_t", Qual::new(Ty::Int { bits: 64, signed: false }));
        reader.declare_tag("ns::V<int, 3>", Qual::new(Ty::Record(DeclId(7))), true);
        reader.declare_tag("a.c:3:9", Qual::new(Ty::Record(DeclId(8))), true);
        reader.declare_tag("half", Qual::new(Ty::Record(DeclId(9))), false);
        reader.declare("half", Qual::new(Ty::Float { bits: 64 }));
        reader.declare("wchar_t", Qual::new(Ty::Int { bits: 8, signed: true }));
        let mark = reader.enter();
        reader.declare("half", Qual::new(Ty::Bool));
        reader.leave(mark);
        assert_eq!(show(&reader.read(text)), expected, "{text}");
    }

    fn show(q: &Qual) -> String {
        let c = if q.constant { "const " } else { "" };
        match &*q.ty {
            Ty::Void => format!("{c}void"),
            Ty::Bool => format!("{c}bool"),
            Ty::Int { bits, signed } => format!("{c}{}{bits}", if *signed { 'i' } else { 'u' }),
            Ty::Float { bits } => format!("{c}f{bits}"),
            Ty::Pointer { to, restrict } => {
                format!("{c}{}*({})", if *restrict { "restrict" } else { "" }, show(to))
            }
            Ty::Reference(to) => format!("&({})", show(to)),
            Ty::Array { of, len } => format!("{len:?}({})", show(of)),
            Ty::Record(id) => format!("{c}record{}", id.0),
            Ty::Function => "function".into(),
            Ty::Opaque(name) => format!("{c}opaque {name}"),
        }
    }

    #[test]
    fn plain_types() {
        check("unsigned long", "u64");
        check("const float *restrict", "restrict*(const f32)");
        check("double *const", "const *(f64)");
        check("size_t *", "*(u64)");
        check("std::size_t", "u64");
        check(
            "std::vector<double, std::allocator<double>> &",
            "&(opaque std::vector<double, std::allocator<double>>)",
        );
    }

    #[test]
    fn declarators() {
        check("double (*)[n]", "*(Text(\"n\")(f64))");
        check("int[3][4]", "Const(3)(Const(4)(i32))");
        check("double[]", "Unknown(f64)");
        check("double [static n]", "Text(\"n\")(f64)");
        check("double [const restrict static 8][3]", "Const(8)(Const(3)(f64))");
        check("double [restrict]", "Unknown(f64)");
        check("float (*)(float)", "*(function)");
        check("double (&)[3]", "&(Const(3)(f64))");
        check("const double &[3][4]", "&(Const(3)(Const(4)(const f64)))");
        check("int *&[5]", "&(Const(5)(*(i32)))");
        check("int (double, int (*)(int))", "function");
        check("double (*restrict)[n + 1]", "restrict*(Text(\"n + 1\")(f64))");
    }

    #[test]
    fn names_mean_what_the_program_declares() {
        check("struct half *", "*(record9)");
        check("half[2]", "Const(2)(f64)");
        check("wchar_t *", "*(i8)");
        check("const __attribute__((__vector_size__(4 * sizeof(float)))) float *", "*(const record1)");
        check("union nothing", "opaque nothing");
    }

    #[test]
    fn records() {
        check("const ns::V<int, 3> &", "&(const record7)");
        check("V<int, 3>", "record7");
        check("struct (unnamed struct at a.c:3:9)", "record8");
        check("struct Q::(anonymous at a.c:3:9) *", "*(record8)");
    }
}
