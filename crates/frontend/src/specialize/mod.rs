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
//! What `if constexpr` discards in an instance is left out of it. A class that a partial specialisation made, or a template with
//! packs, is named with all its arguments. What a body says of packs is written out for each of their arguments (`packs`).
//!
//! Clang, which reads the result, decides whether it is right.

pub mod discarded;
pub mod packs;
mod place;

use crate::ast::{
    DeclId, ExprKind, Function, FunctionKind, Instance, NamedClass, Program, Stmt, TemplateParam,
};
use crate::bind::{self, is_inside};
use crate::clang::UNKNOWN_ARGUMENT;
use crate::function_pointers;
use crate::given::Given;
use crate::lower::{edits_host, walk};
use crate::pragmas::Pragma;
use accl_source::LineMap;
use place::{InsertionPoint, Object};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Other files may count on an instance that this one makes (`template class C<int>;`), so that it is kept without a use.
const KEPT: &str = "inline __attribute__((used))";
/// The same of constructors and destructors. Of these clang keeps only the form for base classes where they are `inline` and
/// `used`.
const KEPT_LIFETIME: &str = "__attribute__((weak))";

/// The arguments of the function and of its class's name.
pub fn all_arguments(instance: &Instance) -> impl Iterator<Item = &String> {
    instance.args.iter().chain(instance.class.iter().flat_map(|class| &class.args))
}

pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == word)
}

/// The specialisations to be written.
pub fn wanted<'p>(
    buffer: &str,
    program: &'p Program,
    pragmas: &[Pragma],
    lines: &LineMap,
    given: &Given<'_>,
) -> Vec<Specialisation<'p>> {
    let mut found: Vec<Specialisation<'_>> = vec![];
    // A local class is specialised with the function that declares it.
    let of_local_classes = bind::of_local_classes(program, pragmas);
    for function in &program.functions {
        let (Some(instance), Some(body)) = (&function.instance, &function.body) else { continue };
        let holds_region = pragmas.iter().any(|p| is_inside(body.span, p.span) && edits_host(p));
        // A lambda's type has no name: `given` writes those out where they are called.
        let nameless = |text: &str| text.contains(crate::given::LAMBDA);
        if all_arguments(instance).any(|a| nameless(a) || a == UNKNOWN_ARGUMENT)
            || function.params.iter().any(|p| nameless(&p.type_text))
        {
            continue;
        }
        if of_local_classes.contains(&body.span) {
            continue;
        }
        if !(holds_region || given.calls_region(function))
            || all_arguments(instance).next().is_none()
            || instance.args.len() != instance.params.len()
        {
            continue;
        }
        let start = body.span.start as usize;
        let mut objects = objects(program, instance);
        objects.extend(pointed_to(program, function, instance));
        let place = InsertionPoint::of(buffer, instance, body.span.end as usize, &objects);
        let Some(header) = header(buffer, program, function, instance, &place) else { continue };
        let Some(members) = member_initialisers(buffer, function, instance, start) else { continue };
        let mut text = buffer[start..body.span.end as usize].to_owned();
        discarded::remove(&mut text, start, body);
        let names_unknown = |class: &NamedClass| class.unknown.iter().any(|name| has_word(&text, name));
        if instance.class.as_ref().is_some_and(names_unknown) {
            continue;
        }
        let Some(text) = packs::Packs::of(function, instance).expanded(&text[1..]) else { continue };
        let text = with_objects(&text, instance, program);
        let text = format!("{members}\n{}{{ {} {text}", marker(lines, start), names(instance));
        found.push(Specialisation { function: function.id, body, place, header, text });
    }
    found
}

/// The buffer with these inserted.
pub fn inserted(buffer: &str, lines: &LineMap, found: &[&Specialisation<'_>]) -> String {
    let after = placed(buffer, found);
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
    result
}

/// One that is to be written.
pub struct Specialisation<'p> {
    function: DeclId,
    body: &'p Stmt,
    /// Behind its template.
    place: InsertionPoint,
    pub header: String,
    text: String,
}

/// What is inserted at each place. A specialisation has to be declared before it is used: each is declared behind its template, and
/// defined there behind the declarations of all, or, where it calls others whose templates stand further down, behind theirs.
fn placed(buffer: &str, found: &[&Specialisation<'_>]) -> BTreeMap<usize, String> {
    let places: HashMap<DeclId, usize> = found.iter().map(|s| (s.function, s.place.at)).collect();
    let mut result: BTreeMap<usize, String> = BTreeMap::new();
    for Specialisation { place, header, .. } in found {
        *result.entry(place.at).or_default() += &place.written(&format!("\n{header};"));
    }
    for Specialisation { body, place, header, text, .. } in found {
        let called = walk::called(body).into_iter().filter_map(|id| places.get(&id).copied());
        let behind = called.filter(|at| *at > place.at && same_scope(&buffer[place.at..*at])).max();
        *result.entry(behind.unwrap_or(place.at)).or_default() +=
            &place.written(&format!("\n{header}{text}"));
    }
    result
}

/// The text ends in the scope in which it begins.
fn same_scope(text: &str) -> bool {
    let mut depth = 0;
    place::unquoted(text).all(|(_, c)| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth >= 0
    }) && depth == 0
}

/// `# 12 "file.cpp"` for what follows at `offset`.
pub fn marker(lines: &LineMap, offset: usize) -> String {
    let place = lines.locate(offset as u32);
    let file = place.file.replace('\\', "\\\\").replace('"', "\\\"");
    format!("# {} \"{file}\"\n", place.line)
}

/// The template's parameters, declared as names in the body.
fn names(instance: &Instance) -> String {
    let given = instance.params.iter().zip(&instance.args).filter(|(param, arg)| !is_object(param, arg));
    given.map(|(param, arg)| declared(param, arg)).collect()
}

/// The argument is a variable or a function, or its address.
fn is_object(param: &TemplateParam, arg: &str) -> bool {
    !param.is_pack
        && param.value_type.as_ref().is_some_and(|ty| arg.starts_with('&') || ty.contains(['*', '&']))
}

/// Where the variables and functions among the arguments are declared first.
fn objects(program: &Program, instance: &Instance) -> Vec<Object> {
    let given = instance.params.iter().zip(&instance.args).filter(|(param, arg)| is_object(param, arg));
    let declared = given.filter_map(|(_, arg)| {
        let name = arg.trim_start_matches('&');
        let functions = program.functions.iter().map(|f| (&*f.name, f.span, true));
        let variables = program.globals.iter().map(|v| (&*v.name, v.span, false));
        let found =
            functions.chain(variables).filter(|(known, span, _)| *known == name && !span.is_nowhere());
        let (_, span, is_function) = found.min_by_key(|(_, span, _)| span.start)?;
        Some(Object { name: span.start as usize, is_function })
    });
    declared.collect()
}

/// The functions that a pointer among the arguments of a call may lead to, where they are declared before the first call.
fn pointed_to(program: &Program, function: &Function, instance: &Instance) -> Vec<Object> {
    let signature = |ty: &str| {
        let (result, params) = ty.split_once("(*)").or_else(|| ty.split_once("(&)"))?;
        Some(format!("{result}{params}"))
    };
    let types = instance.args.iter().map(String::as_str).chain(function.params.iter().map(|p| &*p.type_text));
    let signatures: Vec<String> = types.filter_map(signature).collect();
    if signatures.is_empty() {
        return vec![];
    }
    let mut first = u32::MAX;
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        walk::exprs(body, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind
                && walk::callee(callee) == Some(function.id)
            {
                first = first.min(e.span.start);
            }
        });
    }
    let addressed = function_pointers::addressed(program);
    let found = program.functions.iter().filter(|f| {
        addressed.contains(&f.id) && signatures.contains(&f.signature.to_string()) && f.span.start < first
    });
    found.map(|f| Object { name: f.span.start as usize, is_function: true }).collect()
}

/// The body with what parameters stand for that are variables and functions: device code calls no pointer, and clauses take the names of
/// arrays.
fn with_objects(body: &str, instance: &Instance, program: &Program) -> String {
    let given = instance.params.iter().zip(&instance.args).filter(|(param, arg)| is_object(param, arg));
    let written = |arg: &str| match arg.strip_prefix('&') {
        Some(name) if program.functions.iter().any(|f| f.name == *name) => visible(name),
        Some(name) => format!("(&{})", visible(name)),
        None => visible(arg),
    };
    with_words(body, &given.map(|(p, arg)| (&*p.name, written(arg))).collect())
}

/// A function of which the text stands in the buffer, and in no class.
pub fn is_outside_classes(function: &Function) -> bool {
    matches!(function.kind, FunctionKind::Free) && !function.definition.is_nowhere()
}

/// The buffer with texts in the place of ranges; of those that lie in one another the outer one. `None` if there is nothing to do.
pub fn with_outer_edits(buffer: &str, edits: BTreeMap<(usize, usize), String>) -> Option<String> {
    let mut result = String::with_capacity(buffer.len() * 2);
    let mut from = 0;
    for ((start, end), text) in edits {
        if start >= from {
            result.push_str(&buffer[from..start]);
            result.push_str(&text);
            from = end;
        }
    }
    result.push_str(&buffer[from..]);
    (from > 0).then_some(result)
}

/// The text with other words; not for members.
pub fn with_words(body: &str, words: &HashMap<&str, String>) -> String {
    if words.is_empty() {
        return body.to_owned();
    }
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let (mut text, mut rest) = (String::with_capacity(body.len()), body);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_letter(c) != is_letter(first)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let is_member = [".", "->", "::"].iter().any(|before| text.trim_end().ends_with(before));
        text += words.get(word).filter(|_| !is_member).map_or(word, String::as_str);
        rest = behind;
    }
    text
}

/// A template's parameter with its argument as a declaration.
pub fn declared(param: &TemplateParam, arg: &str) -> String {
    if param.is_pack {
        return packs::declared(param, arg);
    }
    if param.name.is_empty() {
        return String::new();
    }
    let (name, arg) = (&param.name, visible(arg));
    match &param.value_type {
        None => format!("using {name} __attribute__((unused)) = {arg};"),
        Some(ty) if has_word(ty, "auto") => format!("constexpr auto {name} __attribute__((unused)) = {arg};"),
        Some(ty) => format!("constexpr auto {name} __attribute__((unused)) = static_cast<{ty}>({arg});"),
    }
}

/// The argument as a template's argument list takes it: an enumeration's value is not written as a number.
fn argument(instance: &Instance, param: &TemplateParam, arg: &str) -> String {
    let depends = |ty: &str| ty == "auto" || instance.params.iter().any(|p| has_word(ty, &p.name));
    match &param.value_type {
        Some(ty) if arg.parse::<i128>().is_ok() && !depends(ty) => format!("static_cast<{ty}>({arg})"),
        _ => visible(arg),
    }
}

/// The function's name with the arguments of its classes and its own, and how many templates that names.
fn name_with_arguments(
    program: &Program,
    function: &Function,
    instance: &Instance,
    place: &InsertionPoint,
) -> Option<(String, usize)> {
    let simple = function.name.rsplit("::").next()?;
    let args: Vec<String> = instance
        .params
        .iter()
        .zip(&instance.args)
        .map(|(param, arg)| argument(instance, param, arg))
        .collect();
    let (of_class, own) = args.split_at(args.len() - instance.own);
    let listed = |args: &[String]| {
        let written: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.is_empty()).collect();
        if args.is_empty() { String::new() } else { format!("<{}>", written.join(", ")) }
    };
    let is_named = instance.class.is_some();
    let class = match &function.kind {
        FunctionKind::Free if place.closed == 0 => String::new(),
        FunctionKind::Free => match visible(&function.name).rsplit_once("::") {
            Some((scope, _)) => format!("{scope}::"),
            None => return None,
        },
        FunctionKind::Method { record, .. } | FunctionKind::Constructor { record, .. } => {
            let record = program.records.iter().find(|r| r.id == *record)?;
            let full = visible(&record.name);
            let from = if place.closed == 0 { class_start(program, &full) } else { 0 };
            match is_named {
                true => format!("{}::", &full[from..]),
                false => {
                    let mut rest = of_class;
                    let split = instance.of_classes.iter().map(|count| {
                        let (args, others) = rest.split_at(*count);
                        rest = others;
                        listed(args)
                    });
                    format!("{}::", with_arguments(&full[from..], &split.collect::<Vec<_>>())?)
                }
            }
        }
    };
    let templates = usize::from(is_named) + instance.of_classes.len() + usize::from(!own.is_empty());
    // A constructor's arguments follow from its parameters, and so do those of a pack that others follow.
    let pack = instance.params[of_class.len()..].iter().position(|param| param.is_pack);
    let own = match pack.filter(|at| at + 1 < own.len()) {
        _ if matches!(function.kind, FunctionKind::Constructor { .. }) => String::new(),
        Some(at) => listed(&own[..at]),
        None => listed(own),
    };
    Some((format!("{class}{simple}{own}"), templates))
}

/// Where the outermost class begins in a class's name, behind the namespaces.
pub fn class_start(program: &Program, full: &str) -> usize {
    let mut from = 0;
    for (at, _) in full.match_indices("::") {
        let open = full[..at].matches('<').count() > full[..at].matches('>').count();
        if open {
            continue;
        }
        if program.records.iter().any(|r| visible(&r.name) == full[..at]) {
            break;
        }
        from = at + 2;
    }
    from
}

/// `C<double>::In<2>` with other arguments for its templates: those named last, where an explicit specialisation is around them.
fn with_arguments(class: &str, args: &[String]) -> Option<String> {
    let (mut depth, mut open) = (0, 0);
    let mut lists = vec![];
    for (at, c) in class.char_indices() {
        match c {
            '<' if depth == 0 => (depth, open) = (1, at),
            '<' => depth += 1,
            '>' => {
                depth -= 1;
                lists.extend((depth == 0).then_some(open..at + 1));
            }
            _ => {}
        }
    }
    let mut result = class.to_owned();
    let first = lists.len().checked_sub(args.len())?;
    for (list, args) in lists.drain(first..).zip(args).rev() {
        result.replace_range(list, args);
    }
    Some(result)
}

/// `template <> inline auto f<int>(int n, int *a) -> void`, after aliases for parameters whose declarators do not
/// end in their name.
fn header(
    buffer: &str,
    program: &Program,
    function: &Function,
    instance: &Instance,
    place: &InsertionPoint,
) -> Option<String> {
    let simple = function.name.rsplit("::").next()?;
    let (name, templates) = name_with_arguments(program, function, instance, place)?;
    let templates = "template <> ".repeat(templates);
    let mut aliases = String::new();
    let mut params = Vec::new();
    let names = packs::Packs::of(function, instance).params;
    for (param, name) in function.params.iter().zip(names) {
        let text = with_scopes(&visible(&param.type_text), instance);
        if text.contains(['(', '[']) {
            // Each instantiation has types of its own.
            let number = program.functions.iter().position(|f| f.id == function.id).unwrap_or_default();
            let alias = format!("accl_type_of_{name}_{}_{number}", param.span.start);
            let _ = write!(aliases, "using {alias} = {text}; ");
            params.push(format!("{alias} {name}"));
        } else {
            params.push(format!("{text} {name}"));
        }
    }
    if matches!(function.kind, FunctionKind::Constructor { .. }) {
        return Some(format!("{aliases}{templates}{KEPT_LIFETIME} {name}({})", params.join(", ")));
    }
    if simple.starts_with('~') {
        return Some(format!("{templates}{KEPT_LIFETIME} {name}()"));
    }
    let (result, qualifiers) = result_and_qualifiers(&function.signature)?;
    let result = match is_deduced(buffer, function) {
        true => String::new(),
        false => format!(" -> {}", with_scopes(&visible(result), instance)),
    };
    Some(format!("{aliases}{templates}{KEPT} auto {name}({}){qualifiers}{result}", params.join(", ")))
}

/// The template says `auto` for the type of its result, and its body what that is. A specialisation has to say so, too.
fn is_deduced(buffer: &str, function: &Function) -> bool {
    let (Some(body), false) = (&function.body, function.definition.is_nowhere()) else { return false };
    let Some(head) = buffer.get(function.definition.start as usize..body.span.start as usize) else {
        return false;
    };
    let mut before = head.split(|c: char| c.is_whitespace()).filter(|word| !word.is_empty());
    let said = before.find(|word| !["static", "inline", "constexpr", "[[nodiscard]]"].contains(word));
    said == Some("auto") && !has_trailing_result(head)
}

/// `-> T` behind the parameters.
fn has_trailing_result(head: &str) -> bool {
    let mut depth = 0;
    head.char_indices().any(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && head[at..].starts_with("->")
    })
}

/// The type with the scopes that Clang leaves out of the arguments of a template that is named with its own: it prints
/// `std::vector<V>` as `std::vector<pair<Kind, int>>` where `V` stands for `std::pair<lib::Kind, int>`.
pub fn with_scopes(ty: &str, instance: &Instance) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let args: Vec<String> = all_arguments(instance).map(|arg| visible(arg)).collect();
    let named = args.iter().flat_map(|arg| arg.split(|c| !is_name(c)));
    let qualified = named.filter_map(|name| Some((name.rsplit_once("::")?.1, name.to_owned())));
    with_words(ty, &qualified.collect())
}

/// What a constructor has between its parameters and its body, where the template's parameters have no names.
fn member_initialisers(
    buffer: &str,
    function: &Function,
    instance: &Instance,
    body: usize,
) -> Option<String> {
    if !matches!(function.kind, FunctionKind::Constructor { .. }) {
        return Some(String::new());
    }
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
    let expanded = packs::Packs::of(function, instance).expanded(rest)?;
    rest = &expanded;
    let named: Vec<(String, bool, String)> = instance
        .params
        .iter()
        .zip(&instance.args)
        .flat_map(|(param, arg)| packs::names_and_arguments(param, arg))
        .collect();
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| is_letter(c) != is_letter(first)).unwrap_or(rest.len());
        let word = &rest[..length];
        match named.iter().find(|(name, ..)| name == word) {
            Some((_, true, arg)) => members.push_str(&format!("({arg})")),
            Some((_, false, arg)) => members.push_str(&visible(arg)),
            None => members.push_str(word),
        }
        rest = &rest[length..];
    }
    Some(if members.is_empty() { members } else { format!(" {members}") })
}

/// Types of unnamed namespaces are named without these. Clang prints `T &` as `int &[4]` where `T` stands for an array.
pub fn visible(ty: &str) -> String {
    ty.replace("(anonymous namespace)::", "").replace("&&[", "(&&)[").replace("&[", "(&)[")
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
