//! Where a specialisation can stand: behind its template and whatever its arguments name, before any use.

use crate::ast::Instance;

pub struct InsertionPoint {
    pub at: usize,
    /// How many of the namespaces around the template end before.
    pub closed: usize,
}

impl InsertionPoint {
    pub fn of(buffer: &str, instance: &Instance, body_end: usize) -> InsertionPoint {
        let mut place = InsertionPoint { at: behind_template(buffer, instance, body_end), closed: 0 };
        for arg in super::all_arguments(instance) {
            for name in names(arg) {
                place.pass_definition(buffer, name);
            }
        }
        place
    }

    /// Moves behind the class or enumeration of that name, if it is defined further down.
    fn pass_definition(&mut self, buffer: &str, name: &str) {
        let rest = &buffer[self.at..];
        let Some((found, open)) = definition(rest, name) else { return };
        // The namespaces that end, and those that begin, before it; then those that it stands in.
        let (mut depth, mut least, mut of_class) = (0, 0, 0);
        let mut defined = false;
        for (offset, c) in unquoted(rest) {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if offset < found {
                (least, of_class) = (least.min(depth), depth);
                continue;
            }
            defined |= offset > open && depth == of_class && c == ';';
            if defined && depth == least && (c == ';' || c == '}') {
                self.at += offset + 1;
                self.closed += usize::try_from(-least).unwrap_or_default();
                return;
            }
        }
    }
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
    use super::InsertionPoint;
    use crate::ast::Instance;

    /// What stands before the specialisation, and how many namespaces have ended.
    fn placed<'t>(text: &'t str, arg: &str) -> (&'t str, usize) {
        let template = text.find("t();").map_or(0, |at| at + 4);
        let instance = Instance { args: vec![arg.to_owned()], ..Instance::default() };
        let place = InsertionPoint::of(text, &instance, template);
        (&text[template..place.at], place.closed)
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
            (" namespace n { struct A {}; g(); }", 0)
        );
        assert_eq!(
            placed("t(); } namespace n { struct A {}; } f();", "n::A"),
            (" } namespace n { struct A {}; }", 1)
        );
    }
}
