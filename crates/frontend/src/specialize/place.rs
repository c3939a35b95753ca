//! Where a specialisation can stand: behind its template and whatever its arguments name, before any use.

use crate::ast::Instance;

pub struct InsertionPoint {
    pub at: usize,
    /// How many of the namespaces around the template end before.
    pub closed: usize,
    /// How the namespaces begin that are open there and do not stand around the template, outermost first.
    open: Vec<String>,
}

/// A variable or a function.
pub struct Object {
    /// Where its name stands.
    pub name: usize,
    pub is_function: bool,
}

impl InsertionPoint {
    /// `objects`: where the variables and functions among the arguments are declared.
    pub fn of(buffer: &str, instance: &Instance, body_end: usize, objects: &[Object]) -> InsertionPoint {
        let at = behind_template(buffer, instance, body_end);
        let mut place = InsertionPoint { at, closed: 0, open: vec![] };
        for arg in super::all_arguments(instance) {
            for name in names(arg) {
                place.pass_definition(buffer, name);
            }
        }
        for object in objects {
            if let Some(found) = object.name.checked_sub(place.at) {
                let ends = |at, c| at > found && (c == ';' || object.is_function && c == '}');
                place.pass(&buffer[place.at..], found, ends);
            }
        }
        place
    }

    /// Moves behind the class or enumeration of that name, if it is defined further down.
    fn pass_definition(&mut self, buffer: &str, name: &str) {
        let rest = &buffer[self.at..];
        let Some((found, open)) = definition(rest, name) else { return };
        self.pass(rest, found, |offset, c| offset > open && c == ';');
    }

    /// Moves behind the declaration in which `found` lies, which may stand in namespaces. `ends`: the declaration does so at a place of
    /// the depth of its beginning, with this character.
    fn pass(&mut self, rest: &str, found: usize, ends: impl Fn(usize, char) -> bool) {
        let mut open = self.open.clone();
        let (mut closed, mut of_declaration) = (self.closed, 0);
        let (mut declared, mut in_class, mut begin) = (false, false, 0);
        for (offset, c) in unquoted(rest) {
            match c {
                '{' => open.push(without_markers(&rest[begin..offset])),
                '}' if open.pop().is_none() => closed += 1,
                _ => {}
            }
            if matches!(c, '{' | '}' | ';') {
                begin = offset + 1;
            }
            if offset < found {
                of_declaration = open.len();
                in_class = open.iter().any(|text| !is_namespace(text));
                continue;
            }
            declared |= open.len() == of_declaration && ends(offset, c);
            // A class ends with a semicolon.
            let ends = c == ';' || c == '}' && !in_class;
            if declared && ends && open.iter().all(|text| is_namespace(text)) {
                *self = InsertionPoint { at: self.at + offset + 1, closed, open };
                return;
            }
        }
    }

    /// The text as it can be inserted there.
    pub fn written(&self, text: &str) -> String {
        let begin: String = self.open.iter().map(|text| format!("\n{text} {{")).collect();
        format!("{}{text}{begin}", "}".repeat(self.open.len()))
    }
}

/// In one line.
fn without_markers(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.collect::<Vec<_>>().join(" ")
}

/// What stands before this brace begins a namespace, or gives declarations a linkage.
fn is_namespace(before: &str) -> bool {
    let is_linkage = before.starts_with("extern") && before.ends_with('"');
    is_linkage || before.trim_start_matches("inline ").starts_with("namespace")
}

/// After the template, and after a member defined outside its class.
fn behind_template(buffer: &str, instance: &Instance, body_end: usize) -> usize {
    let end = body_end.max(instance.span.end as usize);
    let rest = &buffer[end..];
    let blanks = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with(';') { end + blanks + 1 } else { end }
}

/// The names in a template's argument.
fn names(arg: &str) -> impl Iterator<Item = &str> {
    let words = arg.split(|c: char| !is_letter(c));
    words.filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()) && *word != "const")
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the name of a class or enumeration stands where that is defined, and its opening brace.
fn definition(text: &str, name: &str) -> Option<(usize, usize)> {
    text.match_indices(name).find_map(|(found, _)| {
        let before = text[..found].trim_end();
        let behind = &text[found + name.len()..];
        let is_class = ["struct", "class", "union", "enum"]
            .iter()
            .any(|word| before.strip_suffix(word).is_some_and(|front| !front.ends_with(is_letter)));
        let open = behind.find(['{', ';', '(', ')', '='])?;
        let defines = is_class && !behind.starts_with(is_letter) && behind[open..].starts_with('{');
        defines.then_some((found, found + name.len() + open))
    })
}

/// The characters that lie outside of literals. `1'000` is none.
pub fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut escaped, mut before) = (None, false, ' ');
    text.char_indices().filter(move |(_, c)| {
        let separates = *c == '\'' && before.is_ascii_hexdigit();
        before = *c;
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if *c == '\\' => escaped = true,
            Some(open) if *c == open => {
                quote = None;
                return false;
            }
            Some(_) => {}
            None if matches!(c, '"' | '\'') && !separates => quote = Some(*c),
            None => return true,
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::{InsertionPoint, Object};
    use crate::ast::Instance;

    /// What stands before the specialisation, and how many namespaces have ended.
    fn placed<'t>(text: &'t str, arg: &str) -> (&'t str, usize) {
        let template = text.find("t();").map_or(0, |at| at + 4);
        let instance = Instance { args: vec![arg.to_owned()], ..Instance::default() };
        let place = InsertionPoint::of(text, &instance, template, &[]);
        (&text[template..place.at], place.closed)
    }

    #[test]
    fn behind_objects() {
        let behind = |text: &str, name: &str, is_function| {
            let object = Object { name: text.find(name).unwrap_or_default(), is_function };
            let place = InsertionPoint::of(text, &Instance::default(), 4, &[object]);
            (text[4..place.at].to_owned(), place.closed)
        };
        assert_eq!(behind("t();int a[2] = {1, 2}; f();", "a[", false), ("int a[2] = {1, 2};".into(), 0));
        assert_eq!(
            behind("t(); } namespace n { int a{1}; } f();", "a{", false),
            (" } namespace n { int a{1};".into(), 1)
        );
        assert_eq!(
            behind("t(); double a(double x) { return x; } f();", "a(", true),
            (" double a(double x) { return x; }".into(), 0)
        );
        assert_eq!(behind("t(); double a(double); f();", "a(", true), (" double a(double);".into(), 0));
    }

    #[test]
    fn behind_what_the_arguments_name() {
        assert_eq!(placed("t(); struct A { int i; }; f();", "A *"), (" struct A { int i; };", 0));
        assert_eq!(
            placed("t(); struct B; enum class A : int { X, Y }; f();", "A"),
            (" struct B; enum class A : int { X, Y };", 0)
        );
        assert_eq!(
            placed("t(); template <class T> struct A { T t; }; f();", "A<double>"),
            (" template <class T> struct A { T t; };", 0)
        );
        assert_eq!(placed("struct A {}; t(); f();", "A"), ("", 0));
        assert_eq!(placed("t(); } struct A {}; f();", "const A"), (" } struct A {};", 1));
        assert_eq!(
            placed("t(); namespace n { struct A {}; g(); } f();", "n::A"),
            (" namespace n { struct A {};", 0)
        );
        assert_eq!(
            placed("t(); } namespace n { struct A {}; } f();", "n::A"),
            (" } namespace n { struct A {};", 1)
        );
        assert_eq!(
            placed("t(); struct B { struct A {}; }; f();", "B::A"),
            (" struct B { struct A {}; };", 0)
        );
    }

    #[test]
    fn in_namespaces() {
        let text = "t(); }\n# 7 \"a.h\" 2\nnamespace n { inline\nnamespace m { struct A {}; f(); } }";
        let instance = Instance { args: vec!["n::m::A".to_owned()], ..Instance::default() };
        let place = InsertionPoint::of(text, &instance, 4, &[]);
        assert_eq!(place.written("\nx;"), "}}\nx;\nnamespace n {\ninline namespace m {");
        assert_eq!(place.closed, 1);
    }
}
