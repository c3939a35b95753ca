//! Writes explicit specialisations for templates that contain regions.
//!
//! The host crate replaces a region by text, but a template has one text for all its instantiations, each of which
//! needs kernels of its own. So each instantiation is written as a specialisation after its template:
//!
//! ```text
//! template <> inline auto scale<float, 2>(int n, float *a) -> void { using T = float; constexpr auto N = …; … }
//! ```
//!
//! Its body is the template's, and line markers give it the template's lines. The result is an ordinary function;
//! the template itself is no longer instantiated with these arguments.
//!
//! Not done: parameter packs, and members of templates in templates.
//! Clang, which reads the result, decides whether it is right.

use crate::ast::{Function, FunctionKind, Instance, Program};
use crate::bind::is_inside;
use crate::given::Given;
use crate::lower::edits_host;
use crate::pragmas::Pragma;
use accl_source::LineMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Other files may count on an instance that this one makes (`template class C<int>;`), so that it is kept without a use.
const SPECIALISED: &str = "template <> inline __attribute__((used))";
/// The same of constructors and destructors. Of these clang keeps only the form for base classes where they are `inline` and
/// `used`.
const SPECIALISED_LIFETIME: &str = "template <> __attribute__((weak))";

/// The buffer with the specialisations inserted; `None` if there is nothing to do.
pub fn expand(
    buffer: &str,
    program: &Program,
    pragmas: &[Pragma],
    lines: &LineMap,
    given: &Given<'_>,
) -> Option<String> {
    let mut after: BTreeMap<usize, String> = BTreeMap::new();
    for function in &program.functions {
        let (Some(instance), Some(body)) = (&function.instance, &function.body) else { continue };
        let holds_region = pragmas.iter().any(|p| is_inside(body.span, p.span) && edits_host(p));
        // A lambda's type has no name: `given` writes those out where they are called.
        let nameless = |text: &str| text.contains(crate::given::LAMBDA);
        if instance.args.iter().any(|a| nameless(a)) || function.params.iter().any(|p| nameless(&p.type_text))
        {
            continue;
        }
        if !(holds_region || given.calls_region(function))
            || instance.args.is_empty()
            || instance.args.len() != instance.params.len()
        {
            continue;
        }
        let start = body.span.start as usize;
        let Some(header) = header(program, function, instance, buffer, start) else { continue };
        let text = &buffer[start..body.span.end as usize];
        let at = behind_template(buffer, instance, body.span.end as usize);
        let at = instance.args.iter().fold(at, |at, arg| behind_type(buffer, arg, at));
        let into = after.entry(at).or_default();
        // Writing to a string does not fail.
        let _ = write!(into, "\n{header}\n{}{{ {} {}", marker(lines, start), names(instance), &text[1..]);
    }
    if after.is_empty() {
        return None;
    }
    let mut result = String::with_capacity(buffer.len() * 2);
    let mut from = 0;
    for (at, text) in after {
        result.push_str(&buffer[from..at]);
        result.push_str(&text);
        result.push('\n');
        result.push_str(&marker(lines, at));
        from = at;
    }
    result.push_str(&buffer[from..]);
    Some(result)
}

/// `# 12 "file.cpp"` for what follows at `offset`.
pub fn marker(lines: &LineMap, offset: usize) -> String {
    let place = lines.locate(offset as u32);
    let file = place.file.replace('\\', "\\\\").replace('"', "\\\"");
    format!("# {} \"{file}\"\n", place.line)
}

/// After the template, and after a member defined outside its class.
fn behind_template(buffer: &str, instance: &Instance, body_end: usize) -> usize {
    let end = body_end.max(instance.span.end as usize);
    let rest = &buffer[end..];
    let blanks = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with(';') { end + blanks + 1 } else { end }
}

/// Behind the class that an argument names, where it is defined after this place and beside the template.
fn behind_type(buffer: &str, arg: &str, at: usize) -> usize {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let name = arg.trim_end_matches([' ', '*', '&']);
    let name = name.strip_prefix("const ").unwrap_or(name);
    if name.is_empty() || !name.chars().all(is_letter) {
        return at;
    }
    let rest = &buffer[at..];
    let defined = rest.match_indices(name).find_map(|(found, _)| {
        let before = rest[..found].trim_end();
        let behind = &rest[found + name.len()..];
        let is_class = ["struct", "class"].iter().any(|word| before.ends_with(word));
        let open = behind.find(['{', ';', '(', ')', '='])?;
        let defines = is_class && !behind.starts_with(is_letter) && behind[open..].starts_with('{');
        (defines && depth(&rest[..found]) == 0).then_some(found + name.len() + open)
    });
    let Some(open) = defined else { return at };
    let mut level = 0;
    for (offset, c) in unquoted(&rest[open..]) {
        level += i32::from(c == '{') - i32::from(c == '}');
        if level == 0 && c == ';' {
            return at + open + offset + 1;
        }
    }
    at
}

/// How many braces are open at the end of the text.
fn depth(text: &str) -> i32 {
    unquoted(text).map(|(_, c)| i32::from(c == '{') - i32::from(c == '}')).sum()
}

/// The characters that lie outside of literals. `1'000` is none.
fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
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

/// The template's parameters, declared as names in the body.
fn names(instance: &Instance) -> String {
    let mut text = String::new();
    for (param, arg) in instance.params.iter().zip(&instance.args) {
        let _ = match &param.value_type {
            None => write!(text, "using {} __attribute__((unused)) = {arg};", param.name),
            Some(ty) => write!(
                text,
                "constexpr auto {} __attribute__((unused)) = static_cast<{ty}>({arg});",
                param.name
            ),
        };
    }
    text
}

/// `template <> inline auto f<int>(int n, int *a) -> void`, after aliases for parameters whose declarators do not
/// end in their name.
fn header(
    program: &Program,
    function: &Function,
    instance: &Instance,
    buffer: &str,
    body_start: usize,
) -> Option<String> {
    let args = instance.args.join(", ");
    let simple = function.name.rsplit("::").next()?;
    let name = match &function.kind {
        FunctionKind::Free => format!("{simple}<{args}>"),
        FunctionKind::Method { record, .. } | FunctionKind::Constructor { record, .. } => {
            let record = program.records.iter().find(|r| r.id == *record)?;
            let class = record.name.split('<').next()?.rsplit("::").next()?;
            format!("{class}<{args}>::{simple}")
        }
    };
    let mut aliases = String::new();
    let mut params = Vec::new();
    for param in &function.params {
        let text = visible(&param.type_text);
        if text.contains(['(', '[']) {
            // Each instantiation has types of its own.
            let number = program.functions.iter().position(|f| f.id == function.id).unwrap_or_default();
            let alias = format!("accl_type_of_{}_{}_{number}", param.name, param.span.start);
            let _ = write!(aliases, "using {alias} = {text}; ");
            params.push(format!("{alias} {}", param.name));
        } else {
            params.push(format!("{text} {}", param.name));
        }
    }
    if matches!(function.kind, FunctionKind::Constructor { .. }) {
        let members = member_initialisers(buffer, function, instance, body_start)?;
        return Some(format!("{aliases}{SPECIALISED_LIFETIME} {name}({}){members}", params.join(", ")));
    }
    if simple.starts_with('~') {
        return Some(format!("{SPECIALISED_LIFETIME} {name}()"));
    }
    let (result, qualifiers) = result_and_qualifiers(&function.signature)?;
    Some(format!(
        "{aliases}{SPECIALISED} auto {name}({}){qualifiers} -> {}",
        params.join(", "),
        visible(result)
    ))
}

/// What a constructor has between its parameters and its body, where the template's parameters have no names.
fn member_initialisers(
    buffer: &str,
    function: &Function,
    instance: &Instance,
    body: usize,
) -> Option<String> {
    // The name's place is in the class, also where the definition is outside of it.
    let from = function.span.end.max(function.definition.start) as usize;
    let text = buffer.get(from..body).filter(|_| !function.span.is_nowhere())?;
    let mut depth = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (c == ')' && depth == 0).then_some(at + 1)
    })?;
    let mut members = String::new();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text[end..].trim_start();
    // A line marker cannot stand in the middle of a line.
    if rest.lines().any(|line| line.trim_start().starts_with('#')) {
        return None;
    }
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| is_letter(c) != is_letter(first)).unwrap_or(rest.len());
        let word = &rest[..length];
        match instance.params.iter().position(|p| p.name == word) {
            Some(n) if instance.params[n].value_type.is_some() => {
                members.push_str(&format!("({})", instance.args[n]))
            }
            Some(n) => members.push_str(&instance.args[n]),
            None => members.push_str(word),
        }
        rest = &rest[length..];
    }
    Some(if members.is_empty() { members } else { format!(" {members}") })
}

/// Types of unnamed namespaces are named without these.
pub fn visible(ty: &str) -> String {
    ty.replace("(anonymous namespace)::", "")
}

/// "void" and " const" of "void (int) const".
pub fn result_and_qualifiers(signature: &str) -> Option<(&str, &str)> {
    if let Some((head, result)) = signature.rsplit_once(" -> ").filter(|_| signature.starts_with("auto ")) {
        return Some((result, &head[head.rfind(')')? + 1..]));
    }
    let open = signature.find('(')?;
    // A function that returns a pointer to an array or function would need a declarator.
    let inner = signature[open + 1..].trim_start();
    if inner.starts_with(['*', '&']) {
        return None;
    }
    Some((signature[..open].trim_end(), &signature[signature.rfind(')')? + 1..]))
}
