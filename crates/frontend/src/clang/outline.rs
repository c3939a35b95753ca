//! The buffer without the bodies of functions that nothing needs to read.
//!
//! Nearly all of a C++ file is system headers, and nearly all of these is function bodies. Of these nothing is
//! needed except that clang accepts the rest. Emptied, they cost clang no time to understand and to print, and this
//! reader no time to skip. The user's own functions keep their bodies, with one exception: a body without
//! directives that is so deep that its syntax tree, printed with indentation, could not be read in any reasonable
//! time.
//!
//! This is no parser of C++. A brace is taken to open a body only where what precedes it can be nothing else.
//! Whatever is in doubt stays, and so do bodies on which the meaning of other declarations depends: those of
//! `constexpr` functions, and of functions whose result type is deduced. Every position stays the same.
//!
//! What makes an instance of the user's template may stand in a body of a system header alone: `std::make_unique` calls a
//! constructor, `std::vector` a destructor, `std::for_each` what it is given. Such a body is that of a template. So where a
//! template of the user's holds a directive, bodies of templates stay in system headers.

use super::depth::Depth;
use super::tokens::{Token, Tokens};
use crate::ast::Program;
use accl_source::LineMap;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// Estimated levels of a tree above which a body without directives is left out. With casts between them they are
/// fewer than the reader takes (`stream::DEEPEST`).
const DEEP: u32 = 1000;

/// What clang is shown, as it may accept it, the best first. The rest of the buffer tells clang no more than bodies of templates do.
pub fn of<'b>(buffer: &'b str, lines: &LineMap) -> Vec<Cow<'b, str>> {
    let Scanner { found, directives_in_templates, .. } = scan(buffer);
    let least = emptied(buffer, lines, &found, false).map(Cow::Owned);
    let best = match directives_in_templates.into_iter().any(|at| !lines.is_system(at as u32)) {
        true => emptied(buffer, lines, &found, true).map_or(Cow::Borrowed(buffer), Cow::Owned),
        false => return least.into_iter().chain([Cow::Borrowed(buffer)]).collect(),
    };
    [best].into_iter().chain(least).collect()
}

/// `None` if there is nothing to leave out.
fn emptied(buffer: &str, lines: &LineMap, found: &[Body], keeps_templates: bool) -> Option<String> {
    let mut bytes = buffer.as_bytes().to_vec();
    let mut blank = |range: Range<usize>| {
        bytes[range].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    };
    let mut semicolons = vec![];
    let mut any = false;
    for Body { inside, function, of_template, read, has_directives, depth } in found.iter().cloned() {
        let system = lines.is_system(inside.start as u32);
        if system && function && !read && !(keeps_templates && of_template) {
            blank(inside);
        } else if depth > DEEP && !has_directives {
            // A declaration: the empty body must not be taken for what the function does.
            semicolons.extend(function.then_some(inside.start - 1));
            blank(if function { inside.start - 1..inside.end + 1 } else { inside });
        } else {
            continue;
        }
        any = true;
    }
    semicolons.into_iter().for_each(|at| bytes[at] = b';');
    any.then(|| String::from_utf8(bytes).ok()).flatten()
}

/// The text without the bodies of the user's functions in which Clang found errors.
pub struct Accepted {
    /// Such functions are only declared in it.
    pub text: String,
    /// What they name otherwise than as members.
    names: BTreeSet<String>,
}

impl Accepted {
    /// The functions use neither variables nor functions of the program: all that concerns these is to be read elsewhere.
    pub fn shows_all_uses(&self, program: &Program) -> bool {
        let variables = program.globals.iter().map(|v| v.name.as_str());
        let functions = program.functions.iter().filter(|f| f.body.is_some()).map(|f| f.name.as_str());
        !variables.chain(functions).any(|name| self.names.contains(name.rsplit("::").next().unwrap_or(name)))
    }
}

/// `shown`: the buffer as Clang has read it; `errors`: by file and line. Bodies with directives stay.
pub fn without_errors(
    shown: &str,
    buffer: &str,
    lines: &LineMap,
    errors: &BTreeSet<(&str, u32)>,
) -> Option<Accepted> {
    let mut accepted = Accepted { text: shown.to_owned(), names: BTreeSet::new() };
    for Body { inside, .. } in scan(buffer).found.into_iter().filter(|b| b.function && !b.has_directives) {
        let (first, last) = (lines.locate(inside.start as u32 - 1), lines.locate(inside.end as u32));
        let mut inside_errors = errors.range((first.file, first.line)..=(first.file, last.line));
        if lines.is_system(inside.start as u32) || first.file != last.file || inside_errors.next().is_none() {
            continue;
        }
        accepted.names.extend(names(&buffer[inside.clone()]));
        let blank: String = buffer[inside.start - 1..inside.end + 1]
            .bytes()
            .enumerate()
            .map(|(at, b)| {
                if at == 0 {
                    ';'
                } else if b == b'\n' {
                    '\n'
                } else {
                    ' '
                }
            })
            .collect();
        accepted.text.replace_range(inside.start - 1..inside.end + 1, &blank);
    }
    (accepted.text != shown).then_some(accepted)
}

/// The words of a text that are no members of something.
fn names(text: &str) -> BTreeSet<String> {
    let (mut found, mut member) = (BTreeSet::new(), false);
    for token in Tokens::new(text) {
        if let Token::Word(word) = token
            && !member
        {
            found.insert(word.to_owned());
        }
        member = matches!(token, Token::Mark(b"." | b"->", _));
    }
    found
}

/// What may be blanked: the inside of a function's braces, or a deep initialiser.
#[derive(Clone)]
struct Body {
    inside: Range<usize>,
    function: bool,
    of_template: bool,
    /// A class outside of namespaces contains it: such classes are read in system headers, too.
    read: bool,
    has_directives: bool,
    /// At least the number of levels of its tree, casts excepted.
    depth: u32,
}

fn scan(buffer: &str) -> Scanner {
    let mut scanner = Scanner::default();
    for token in Tokens::new(buffer) {
        scanner.take(token);
    }
    scanner
}

/// What stands before a brace, from the start of the declaration.
#[derive(Clone, Copy, Default)]
struct Head {
    /// Parentheses and brackets that are open.
    nested: u32,
    /// Angle brackets of `template <…>` that are open.
    angles: u32,
    template: bool,
    /// After `template <…>`, or with a parameter whose type is `auto`.
    of_template: bool,
    namespace: bool,
    linkage: bool,
    class: bool,
    enumeration: bool,
    /// Parentheses that may hold parameters were closed.
    parameters: bool,
    operator: bool,
    assigned: Option<usize>,
    arrow: bool,
    /// Its type is deduced from the body.
    deduced: bool,
    /// Its value may be part of types.
    constant: bool,
    /// For other reasons the body must stay.
    fixed: bool,
    words: u32,
    last: Last,
    /// A brace was closed that need not have ended the declaration.
    after_brace: bool,
}

/// The token before.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    /// `)`
    Close,
    /// `const`, `noexcept`, `override`, … , `&` and `&&`
    Qualifier,
    /// `alignas`, `decltype`, …: parentheses after it hold no parameters.
    Attribute,
    Decltype,
    Extern,
    Access,
    Word,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Namespace,
    Linkage,
    Class,
    ClassTemplate,
}

#[derive(Clone, Copy)]
enum Scope {
    /// Namespaces, classes: declarations stand in them.
    Declarations(Kind),
    /// Braces that are not looked into; the head goes on after them.
    Opaque(Head),
    Body {
        start: usize,
        of_template: bool,
    },
}

#[derive(Default)]
struct Scanner {
    found: Vec<Body>,
    /// Where braces with directives of templates end.
    directives_in_templates: Vec<usize>,
    scopes: Vec<Scope>,
    head: Head,
    /// Braces open inside of a body or opaque braces.
    braces: u32,
    depth: Depth,
    has_directives: bool,
}

impl Scanner {
    fn take(&mut self, token: Token<'_>) {
        if let Token::Pragma(text) = token {
            self.has_directives |= text.contains("acc") || text.contains("omp");
            return;
        }
        match self.scopes.last() {
            Some(Scope::Body { .. } | Scope::Opaque(_)) => self.inside(token),
            Some(Scope::Declarations(_)) | None => self.declaration(token),
        }
    }

    /// In braces that are not looked into.
    fn inside(&mut self, token: Token<'_>) {
        self.depth.take(token);
        match token {
            Token::Mark(b"{", _) => self.braces += 1,
            Token::Mark(b"}", at) if self.braces == 0 => self.leave(at),
            Token::Mark(b"}", _) => self.braces -= 1,
            _ => {}
        }
    }

    fn leave(&mut self, at: usize) {
        match self.scopes.pop() {
            Some(Scope::Body { start, of_template }) => {
                let (depth, has_directives) = (self.depth.deepest, self.has_directives);
                let read = self.is_read();
                let of_template = of_template || self.is_in_template();
                self.found.push(Body {
                    inside: start..at,
                    function: true,
                    of_template,
                    read,
                    has_directives,
                    depth,
                });
                self.directives_in_templates.extend((of_template && has_directives).then_some(at));
                self.head = Head::default();
            }
            Some(Scope::Opaque(head)) => {
                let of_template = head.of_template || self.is_in_template();
                self.directives_in_templates.extend((of_template && self.has_directives).then_some(at));
                self.head = Head { after_brace: head.nested == 0, last: Last::Other, ..head };
            }
            Some(Scope::Declarations(_)) | None => self.head = Head::default(),
        }
    }

    fn stands_in(&self, wanted: Kind) -> bool {
        self.scopes.iter().any(|s| matches!(s, Scope::Declarations(kind) if *kind == wanted))
    }

    fn is_read(&self) -> bool {
        (self.stands_in(Kind::Class) || self.is_in_template()) && !self.stands_in(Kind::Namespace)
    }

    fn is_in_template(&self) -> bool {
        self.stands_in(Kind::ClassTemplate)
    }

    fn enter(&mut self, scope: Scope) {
        self.scopes.push(scope);
        self.braces = 0;
        if !matches!(scope, Scope::Opaque(head) if head.assigned.is_some()) {
            self.depth = Depth::default();
            self.has_directives = false;
        }
        self.head = Head::default();
    }

    fn declaration(&mut self, token: Token<'_>) {
        if self.head.after_brace {
            let goes_on = matches!(token, Token::Mark(mark, _) if mark != b"~" && mark != b"[");
            self.head = if goes_on { Head { after_brace: false, ..self.head } } else { Head::default() };
        }
        if self.head.assigned.is_some() {
            self.depth.take(token);
        }
        if self.head.angles > 0 {
            return self.head.in_template_parameters(token);
        }
        match token {
            Token::Mark(b"{", at) => {
                let scope = self.head.scope(at + 1);
                self.enter(scope);
            }
            Token::Mark(b"}", at) => self.leave(at),
            Token::Mark(b";", at) if self.head.nested == 0 => {
                self.initialised(at);
                self.head = Head::default();
            }
            Token::Mark(mark, at) => {
                if mark == b"=" && self.head.nested == 0 && self.head.assigned.is_none() {
                    self.depth = Depth::default();
                }
                self.head.mark(mark, at);
            }
            Token::Word(word) => self.head.word(word),
            Token::Text => self.head.text(),
            Token::Pragma(_) => {}
        }
    }

    /// At the end of a declaration: its value may be blanked where nothing depends on it.
    fn initialised(&mut self, at: usize) {
        let Head { assigned, deduced, constant, fixed, .. } = self.head;
        if let Some(start) = assigned
            && !(deduced || constant || fixed)
            && self.depth.deepest > DEEP
            && !self.depth.braces
        {
            let depth = self.depth.deepest;
            let read = self.is_read();
            self.found.push(Body {
                inside: start..at,
                function: false,
                of_template: false,
                read,
                has_directives: false,
                depth,
            });
        }
    }
}

impl Head {
    /// What the brace opens.
    fn scope(&self, start: usize) -> Scope {
        if self.nested == 0 && (self.namespace || self.linkage) {
            return Scope::Declarations(if self.namespace { Kind::Namespace } else { Kind::Linkage });
        }
        let is_function = self.parameters && matches!(self.last, Last::Close | Last::Qualifier);
        if self.nested == 0 && self.class && !self.enumeration && !is_function {
            let kind = if self.of_template { Kind::ClassTemplate } else { Kind::Class };
            return Scope::Declarations(kind);
        }
        let ends_declarator = match self.last {
            Last::Close | Last::Qualifier => true,
            Last::Word => self.arrow,
            Last::Nothing | Last::Attribute | Last::Decltype | Last::Extern | Last::Access | Last::Other => {
                false
            }
        };
        let can_stay_out = !(self.fixed || self.deduced || self.class || self.enumeration);
        let is_value = self.assigned.is_some() && !self.operator;
        if self.nested == 0 && self.parameters && ends_declarator && can_stay_out && !is_value {
            return Scope::Body { start, of_template: self.of_template };
        }
        Scope::Opaque(*self)
    }

    fn in_template_parameters(&mut self, token: Token<'_>) {
        match token {
            Token::Mark(b"<", _) if self.nested == 0 => self.angles += 1,
            Token::Mark(b">", _) if self.nested == 0 => self.angles -= 1,
            Token::Mark(b"(" | b"[" | b"{", _) => self.nested += 1,
            Token::Mark(b")" | b"]" | b"}", _) => self.nested = self.nested.saturating_sub(1),
            _ => {}
        }
        if self.angles == 0 {
            self.last = Last::Nothing;
        }
    }

    fn mark(&mut self, mark: &[u8], at: usize) {
        let last = self.last;
        self.last = Last::Other;
        self.linkage = false;
        match mark {
            b"<" if self.template && last == Last::Nothing && self.nested == 0 => {
                self.angles = 1;
                self.template = false;
                self.of_template = true;
            }
            b"(" | b"[" => {
                let is_attribute = matches!(last, Last::Attribute | Last::Decltype);
                self.parameters |= mark == b"(" && self.nested == 0 && !is_attribute;
                self.nested += 1;
                if last == Last::Decltype {
                    self.last = Last::Decltype;
                }
            }
            b")" | b"]" => {
                self.nested = self.nested.saturating_sub(1);
                self.last = if mark == b")" { Last::Close } else { Last::Other };
            }
            b"=" if self.nested == 0 && self.assigned.is_none() => self.assigned = Some(at),
            b"->" if self.nested == 0 => {
                self.arrow = true;
                self.deduced = false;
            }
            b"&" | b"&&" => self.last = Last::Qualifier,
            b"*" | b">" => self.last = Last::Word,
            b":" if last == Last::Access && self.words == 1 => *self = Head::default(),
            _ => {}
        }
    }

    fn word(&mut self, word: &str) {
        let last = self.last;
        self.words += 1;
        self.linkage = false;
        self.last = match word {
            "const" | "noexcept" | "override" | "final" | "volatile" => Last::Qualifier,
            "alignas" | "__attribute__" | "__attribute" | "__declspec" | "typeof" | "__typeof__"
            | "__typeof" | "explicit" => Last::Attribute,
            "decltype" => Last::Decltype,
            "extern" => Last::Extern,
            "public" | "private" | "protected" => Last::Access,
            "template" => Last::Nothing,
            _ => Last::Word,
        };
        if word == "auto" && (self.nested == 0 || last == Last::Decltype) {
            self.deduced = true;
        }
        self.of_template |= word == "auto" && self.nested > 0;
        self.constant |= word == "const" && self.nested == 0 && !self.parameters;
        match word {
            "constexpr" | "consteval" | "__constexpr" | "requires" | "concept" | "catch" | "try" | "asm"
            | "__asm__" => self.fixed = true,
            _ if self.nested > 0 => {}
            "template" => self.template = true,
            "namespace" => self.namespace = true,
            "class" | "struct" | "union" => self.class = true,
            "enum" => self.enumeration = true,
            "operator" => self.operator = true,
            _ => {}
        }
    }

    fn text(&mut self) {
        self.linkage = self.last == Last::Extern;
        self.last = Last::Other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left, each body as `{}`.
    fn outline(user: &str) -> String {
        let buffer = format!("# 1 \"system.h\" 1 3\n{user}\n# 2 \"main.cpp\" 2\nint f() {{ return 1; }}\n");
        let lines = LineMap::from_preprocessed("main.cpp", &buffer);
        let text = of(&buffer, &lines).swap_remove(0);
        assert_eq!(text.len(), buffer.len());
        assert!(text.ends_with("int f() { return 1; }\n"), "{text}");
        let (_, text) = text.split_once('\n').unwrap();
        let (text, _) = text.split_once("\n#").unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn left(text: &str, expected: &str) {
        assert_eq!(outline(text), expected);
    }

    #[test]
    fn bodies_are_emptied() {
        left("inline int f(int a) { return a; } int g;", "inline int f(int a) { } int g;");
        left(
            "namespace a { extern \"C\" { int f(void) { if (1) { } } } }",
            "namespace a { extern \"C\" { int f(void) { } } }",
        );
        left("extern \"C\" int f() { { } } int g() { \"}\"; '}'; }", "extern \"C\" int f() { } int g() { }");
        left(
            "namespace a { template <class T = int> class A : B<(1 < 2)> { public: A() : x(1) { f(); } int g() const { 1; } }; }",
            "namespace a { template <class T = int> class A : B<(1 < 2)> { public: A() : x(1) { } int g() const { } }; }",
        );
        left(
            "namespace a { struct A { A &operator=(const A &) { 1; } auto f() -> int { 2; } int x{3}; int y = 4; void g() { 5; } }; }",
            "namespace a { struct A { A &operator=(const A &) { } auto f() -> int { } int x{3}; int y = 4; void g() { } }; }",
        );
        left("const char *f() { R\"x(})x\"; 1'000; }", "const char *f() { }");
    }

    #[test]
    fn what_others_depend_on_stays() {
        for text in [
            "constexpr int f() { return 1; }",
            "auto f() { return 1; }",
            "decltype(auto) f() { return 1; }",
            "auto f() -> decltype(auto) { return 1; }",
            "enum E { a = 1, b };",
            "int a[] = { 1, 2 };",
            "auto f = [](int a) { return a; };",
            "struct A { int x{f(3)}; A() : x{3} { g(); } };",
            "template <class T> concept C = requires(T t) { t.f(); };",
            "struct S *f(int a) { return g; }",
            "struct A { int f() { return 1; } };",
            "struct __attribute__((packed)) S { int a; };",
        ] {
            left(text, text);
        }
    }

    #[test]
    fn templates_stay_where_the_users_hold_directives() {
        let system = "namespace a { template <class T> void f(T t) { t.g(); } void g() { h(); }\n\
                      template <class T> struct S { void h(T t) { t.g(); } }; }";
        let left = |user: &str| {
            let buffer = format!("# 1 \"system.h\" 1 3\n{system}\n# 2 \"main.cpp\" 2\n{user}\n");
            let texts = of(&buffer, &LineMap::from_preprocessed("main.cpp", &buffer));
            assert!(texts.iter().all(|text| text.ends_with(&format!("{user}\n"))));
            texts
                .iter()
                .map(|text| (text.matches("t.g()").count(), text.matches("h();").count()))
                .collect::<Vec<_>>()
        };
        let body = "{\n#pragma acc parallel\n{ } }";
        for held in [
            format!("template <class T> void k(T *a) {body}"),
            format!("template <class T> struct B {{ void k() {body} }};"),
            format!("template <class T> constexpr auto k(T *a) {body}"),
            format!("struct B {{ void k(const auto &a) {body} }};"),
        ] {
            assert_eq!(left(&held), [(2, 0), (0, 0)], "{held}");
        }
        for other in [
            format!("void k(int *a) {body} template <class T> void l(T *a) {{ k(a); }}"),
            format!("template <class T> struct A {{ }}; struct B {{ void k() {body} }};"),
        ] {
            assert_eq!(left(&other), [(0, 0), (2, 1)], "{other}");
        }
    }

    #[test]
    fn bodies_with_errors_are_left_out() {
        let text = "int g;\nint f(int x) {\n g = y.z;\n}\nint h() { return\n#pragma omp parallel\n; }\n";
        let lines = LineMap::from_preprocessed("a.c", text);
        let without = |line| without_errors(text, text, &lines, &BTreeSet::from([("a.c", line)]));
        let accepted = without(3).unwrap();
        assert!(accepted.text.starts_with("int g;\nint f(int x) ;\n") && accepted.text.len() == text.len());
        assert_eq!(accepted.names, BTreeSet::from(["g".to_owned(), "y".to_owned()]));
        // A body with directives, and an error outside of bodies.
        assert!(without(5).is_none() && without(1).is_none());
    }

    #[test]
    fn deep_text_of_the_user_is_left_out() {
        let sum = |terms: usize| vec!["x"; terms].join(" + ");
        let of = |text: &str| {
            let lines = LineMap::from_preprocessed("a.c", text);
            of(text, &lines).into_iter().map(Cow::into_owned).find(|shown| shown != text)
        };
        let body = format!("int f(int x) {{ return {}; }}\n", sum(2000));
        assert!(of(&body).is_some_and(|text| text.starts_with("int f(int x) ;   ") && !text.contains('}')));
        assert!(of(&format!("int x, y = {};\n", sum(2000))).is_some_and(|t| t.starts_with("int x, y   ")));
        assert!(of(&format!("int f(int x) {{ return {}; }}\n", sum(400))).is_none());
        assert!(of(&format!("const int y = {};\n", sum(2000))).is_none());
        let region = format!("int f(int x) {{\n#pragma acc parallel\n x = {}; }}\n", sum(2000));
        assert!(of(&region).is_none());
        let wide =
            format!("int f(int x) {{ int a[] = {{{}}}; {} }}", "1, ".repeat(9000), "x = -x;".repeat(9000));
        assert!(of(&wide).is_none());
    }
}
