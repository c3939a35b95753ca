//! Classes of the standard library that device code has, in words of ours: `std::span`, `std::optional`, `std::bitset`.
//!
//! What the library's own headers say is not read, and would be much to read. So clang is shown, in the place of what stands in the
//! header, a plain class with the same members and the same layout, which is then read as if the program had defined it. Nothing
//! else changes its place. Host code is compiled with the library's own.
//!
//! Clang may reject such a text, where a program uses more of a class than this one has: then it is shown the header as it is.

use super::tokens::{Token, Tokens};
use accl_source::LineMap;
use std::collections::BTreeSet;
use std::ops::Range;

/// A class template of GNU's library.
struct Template {
    name: &'static str,
    /// The parameters of its definition, as the library has them, and as ours.
    params: [&'static str; 2],
    /// What becomes of its first declaration, with which the dump has the class's instances.
    first: Option<&'static str>,
    /// Of all else that its text names, what device code must know.
    beside: &'static [&'static str],
    text: &'static str,
}

const TEMPLATES: [Template; 3] = [
    Template {
        name: "span",
        params: ["typename _Type, size_t _Extent = dynamic_extent", "class _Type, size_t _Extent"],
        first: Some("template<class T,size_t E=-1ul>class span;"),
        beside: &["inline constexpr size_t dynamic_extent"],
        text: include_str!("classes/span.h"),
    },
    Template {
        name: "optional",
        params: ["typename _Tp"; 2],
        first: Some("template<class T>class optional;"),
        beside: &["struct nullopt_t", "inline constexpr nullopt_t nullopt"],
        text: include_str!("classes/optional.h"),
    },
    Template {
        name: "bitset",
        params: ["size_t _Nb"; 2],
        first: None,
        beside: &[],
        text: include_str!("classes/bitset.h"),
    },
];

/// The type is one of these classes, or what they name: others may name it before it is declared.
pub fn declare(classes: &[Shown], name: &str) -> bool {
    let Some(name) = name.strip_prefix("std::") else { return false };
    let template = name.split('<').next().unwrap_or(name);
    classes.iter().any(|shown| shown.name == template)
}

/// A declaration in a system header that is read.
#[derive(Clone, Debug)]
pub struct Shown {
    name: &'static str,
    /// The class that it belongs to.
    of: &'static str,
    place: Range<usize>,
    /// What stands there instead.
    text: Option<String>,
}

impl Shown {
    pub fn contains(&self, offset: u32) -> bool {
        self.place.contains(&(offset as usize))
    }

    /// The line in which clang sees all of it.
    pub fn line<'l>(&self, lines: &'l LineMap) -> (&'l str, u32) {
        let start = lines.locate(self.place.start as u32);
        (start.file, start.line)
    }
}

/// Of these classes those in which Clang finds nothing wrong; `None`: the errors are elsewhere, or in all.
pub fn accepted(classes: &[Shown], lines: &LineMap, errors: &BTreeSet<(&str, u32)>) -> Option<Vec<Shown>> {
    let wrong: BTreeSet<&str> =
        classes.iter().filter(|shown| errors.contains(&shown.line(lines))).map(|shown| shown.of).collect();
    let rest: Vec<Shown> = classes.iter().filter(|shown| !wrong.contains(shown.of)).cloned().collect();
    (!wrong.is_empty() && !rest.is_empty()).then_some(rest)
}

/// The declarations of such classes, where the program names them.
pub fn used(buffer: &str, lines: &LineMap) -> Vec<Shown> {
    // Lines that tell of files have their names.
    let is_text = |at: usize| !buffer[..at].rsplit('\n').next().is_some_and(|line| line.starts_with('#'));
    let is_named = |name: &str| words(buffer, name).any(|at| !lines.is_system(at as u32) && is_text(at));
    let mut found = vec![];
    for template in TEMPLATES.iter().filter(|t| is_named(t.name)) {
        let Some(class) = template.declarations(buffer, lines) else { continue };
        found.extend(class);
        found.extend(template.beside.iter().filter_map(|start| {
            let at = words(buffer, start).find(|at| lines.is_system(*at as u32))?;
            let name = start.rsplit(' ').next()?;
            Some(Shown {
                name,
                of: template.name,
                place: at..at + end_of_declaration(&buffer[at..])?,
                text: None,
            })
        }));
    }
    found
}

impl Template {
    /// The first declaration and the definition.
    fn declarations(&self, buffer: &str, lines: &LineMap) -> Option<Vec<Shown>> {
        let Template { name, params: [theirs, ours], first, .. } = self;
        let class = format!("class {name}");
        let same = |text: &str| text.split_whitespace().eq(theirs.split_whitespace());
        let mut found = vec![];
        for at in words(buffer, &class).filter(|at| lines.is_system(*at as u32)) {
            let start = buffer[..at].rfind("template")?;
            let end = at + end_of_declaration(&buffer[at..])?;
            let head = buffer[start..at].strip_prefix("template").map(str::trim)?;
            let Some(params) = head.strip_prefix('<').and_then(|head| head.strip_suffix('>')) else {
                continue;
            };
            let is_definition = buffer[..end].ends_with('}');
            let text = match first {
                _ if is_definition && same(params) => format!("template <{ours}> {class} {}", self.text),
                Some(first) if !is_definition && found.is_empty() => (*first).into(),
                _ => continue,
            };
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            found.push(Shown { name, of: name, place: start..end, text: Some(text) });
            if is_definition {
                return Some(found);
            }
        }
        None
    }
}

/// The text with these classes, and every position behind them as before. Lines of the header have other numbers then, of which nobody
/// takes notice.
pub fn shown(text: &str, classes: &[Shown]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, text) in classes.iter().filter_map(|c| Some((c.place.clone(), c.text.as_ref()?))) {
        let place = bytes.get_mut(place)?;
        place.fill(b' ');
        place.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// Where a text stands that begins and ends with words.
fn words<'t>(buffer: &'t str, text: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    buffer.match_indices(text).map(|(at, _)| at).filter(move |at| {
        !buffer[..*at].ends_with(is_letter) && !buffer[at + text.len()..].starts_with(is_letter)
    })
}

/// How far a declaration goes: to the bracket that closes its body, or else to its semicolon.
fn end_of_declaration(text: &str) -> Option<usize> {
    let mut depth = 0;
    for token in Tokens::new(text) {
        match token {
            Token::Mark(b"{", _) => depth += 1,
            Token::Mark(b"}", at) => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            Token::Mark(b";", at) if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_stay() {
        let header = format!(
            "# 1 \"/usr/include/c++/12/bitset\" 1 3\nnamespace std {{\ntemplate<size_t _Nb> class bitset_of;\n\
             template<size_t _Nb>\n  class bitset\n  : private B<_Nb>\n  {{\n{} }};\n}}\n",
            "int a() { return 1; }\n".repeat(1000)
        );
        let used_in = |user: &str| {
            let buffer = format!("{header}# 2 \"main.cpp\" 2\n{user}\n");
            let lines = LineMap::from_preprocessed("main.cpp", &buffer);
            let classes = used(&buffer, &lines);
            (shown(&buffer, &classes).unwrap(), buffer, classes.len())
        };
        let (text, buffer, count) = used_in("std::bitset<3> b;");
        assert_eq!((count, text.len()), (1, buffer.len()));
        assert!(text.contains("class reference") && !text.contains("a()"));
        let (text, buffer, count) = used_in("int my_bitset;");
        assert!(count == 0 && text == buffer);
    }
}
