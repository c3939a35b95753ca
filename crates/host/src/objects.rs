//! Arrays with static storage, with `-gpu=autodata`: they get pages of their own, and the runtime is told of them.
//!
//! A pointer that a construct follows may point into any of them. Larger ones are defined in sections that the driver's link
//! keeps apart from everything else, page by page; where it does not, the runtime copies what shares a page.

use crate::lexer;
use crate::unit::HostSource;
use accl_ir::{Global, TypeKind};

/// Arrays of so many bytes get pages of their own.
const LARGE: u64 = 16 << 10;

/// Edits for the definitions; gives the text that tells of the arrays when the program starts.
pub fn rewrite(unit: &mut HostSource) -> String {
    let module = unit.module;
    let mut rows = vec![];
    for (_, global) in module.globals.iter() {
        let is_array = matches!(module.types.kind(global.ty), TypeKind::Array { .. });
        let Some(bytes) = module.types.size_of(global.ty).filter(|_| is_array) else { continue };
        let Some(place) = ArrayDeclarator::of(unit, global) else { continue };
        // In C++ functions around it may be in several files, and their parts in sections of their own.
        let is_movable = place.at_file_scope || !unit.options.cplusplus;
        if bytes >= LARGE
            && is_movable
            && let Some((at, section)) = place.definition(unit.buffer, global)
        {
            unit.edits.insert(at, format!(" __attribute__((aligned(4096), section(\"{section}\")))"));
        }
        if place.at_file_scope && !global.name.contains("::") {
            rows.push(format!("{{(const void *){0}, sizeof {0}}}", global.name));
        }
    }
    told(&rows)
}

fn told(rows: &[String]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n# 1 \"accl_abi.h\" 3\nstatic const accl_object accl_objects[] = {{\n    {},\n}};\n\
         __attribute__((constructor)) static void accl_tell_objects(void) {{ accl_note_objects(accl_objects, {}); }}\n",
        rows.join(",\n    "),
        rows.len()
    )
}

/// Where an array is declared.
struct ArrayDeclarator<'a> {
    at_file_scope: bool,
    /// The declaration up to the name.
    before: &'a str,
    /// Where the declarator ends.
    end: usize,
}

impl<'a> ArrayDeclarator<'a> {
    /// `None` where it is not found, or each thread has an array of its own.
    fn of(unit: &HostSource<'a>, global: &Global) -> Option<ArrayDeclarator<'a>> {
        let (text, span) = (unit.buffer, global.span);
        let start = span.start as usize;
        let name = global.name.rsplit("::").next()?;
        if span.is_nowhere() || !text.get(start..)?.starts_with(name) {
            return None;
        }
        let before = text[..start].rfind([';', '{', '}']).map_or(0, |at| at + 1);
        let before = &text[before..start];
        let mut end = lexer::skip_blank(text, start + name.len());
        while text[end..].starts_with('[') {
            end = lexer::skip_blank(text, lexer::matching(text, end)?);
        }
        let at_file_scope =
            lexer::open_braces(text, start).into_iter().all(|brace| holds_declarations(&text[..brace]));
        let of_threads = ["thread_local", "_Thread_local", "__thread"];
        let of_threads = of_threads.iter().any(|word| has_word(before, word)) || is_threadprivate(text, name);
        (!of_threads).then_some(ArrayDeclarator { at_file_scope, before, end })
    }

    /// Where attributes of its definition stand, and the section for it.
    fn definition(&self, text: &str, global: &Global) -> Option<(u32, &'static str)> {
        let own = ["extern", "typedef", "section", "inline", "template", "constexpr"];
        if global.constant || own.iter().any(|word| has_word(self.before, word)) {
            return None;
        }
        let section = match text.get(self.end..)?.chars().next()? {
            ';' | ',' => ".bss.accl_objects",
            '=' if is_zero(&text[self.end + 1..]) => ".bss.accl_objects",
            '=' => ".data.accl_objects",
            _ => return None,
        };
        Some((self.end as u32, section))
    }
}

fn is_threadprivate(text: &str, name: &str) -> bool {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix("#pragma omp"));
    lines.filter_map(|line| line.trim_start().strip_prefix("threadprivate")).any(|list| has_word(list, name))
}

/// The brace after this text is that of `extern "C"` or of a namespace.
fn holds_declarations(before: &str) -> bool {
    let before = before.trim_end();
    let last = before.rfind([';', '{', '}', ')']).map_or(before, |at| &before[at + 1..]);
    before.ends_with("\"C\"") || before.ends_with("\"C++\"") || has_word(last, "namespace")
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|w| w == word)
}

/// The initialiser has zeros only, so that the array takes no room in the program's file.
fn is_zero(text: &str) -> bool {
    let end = text.find([';', 'x', '(', '"']).unwrap_or(text.len());
    text[..end].trim().chars().all(|c| c.is_whitespace() || "{}0.,fF".contains(c))
        && text[end..].starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initialisers_of_zeros_take_no_room() {
        assert!(is_zero(" {0};") && is_zero(" { 0.0f, {0., 0} };"));
        assert!(!is_zero(" {1};") && !is_zero(" {0x1};") && !is_zero(" \"0\";") && !is_zero(" f(0);"));
    }

    #[test]
    fn braces_around_declarations_at_file_scope() {
        let at_file_scope = |text: &str| {
            let end = text.find("u[").unwrap();
            lexer::open_braces(text, end).into_iter().all(|brace| holds_declarations(&text[..brace]))
        };
        assert!(at_file_scope("int f() { return '{'; } double u[9];"));
        assert!(at_file_scope("extern \"C\" { namespace a { /* { */ double u[9]; } }"));
        assert!(at_file_scope("# 1 \"{\"\nnamespace a::b { double u[9]; }"));
        assert!(!at_file_scope("int f() { static double u[9]; }"));
        assert!(!at_file_scope("namespace a { struct s { static double u[9]; }; }"));
    }
}
