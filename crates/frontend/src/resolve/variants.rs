//! `declare variant` (OpenMP 5.2 §7.5): functions that are called in place of others where a selector holds.
//!
//! In code for the host the host's compiler chooses, as far as it knows what is asked; in code for devices the lowering of
//! calls does, by the table made here. What `begin declare variant` encloses gets names of its own.

use super::selector::{Selector, World};
use super::words::{Cursor, Word, closing, split, text_of, words};
use super::{EditedText, first_words, rest};
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Variant {
    pub base: String,
    pub variant: String,
    pub selector: Selector,
    /// The arguments that become addresses on the device (`adjust_args(need_device_ptr: …)`).
    pub device_pointers: Vec<usize>,
    /// The interop objects that `dispatch` makes for the last arguments (`append_args`): whether each is to synchronise,
    /// and what it prefers to be.
    pub appended: Vec<(bool, String)>,
}

/// What a directive says, without the function that it is for.
struct Clauses {
    variant: String,
    selector: Selector,
    selector_text: String,
    /// Names of parameters.
    device_pointers: Vec<String>,
    appended: Vec<(bool, String)>,
    /// Nothing that the host's compiler does not read.
    is_old: bool,
}

impl Clauses {
    fn has_extension(&self) -> bool {
        self.selector.traits.iter().any(|t| t.name == "extension")
    }
}

fn clauses(directive: &str) -> Result<Clauses, String> {
    let mut cursor = Cursor::new(directive);
    while cursor.eat("begin") || cursor.eat("declare") || cursor.eat("variant") {}
    let mut found = Clauses {
        variant: String::new(),
        selector: Selector::default(),
        selector_text: String::new(),
        device_pointers: vec![],
        appended: vec![],
        is_old: true,
    };
    if let Some(name) = cursor.parenthesized() {
        found.variant = text_of(directive, &cursor.words, name).to_owned();
    }
    while let Some(name) = cursor.take() {
        if name == "," {
            continue;
        }
        let inside = cursor.parenthesized().ok_or_else(|| format!("expected the argument of `{name}`"))?;
        match name {
            "match" => {
                found.selector_text = text_of(directive, &cursor.words, inside.clone()).to_owned();
                found.selector = Selector::parse(directive, &cursor, inside)?;
            }
            "adjust_args" => {
                found.is_old = false;
                let [kind, colon, ..] = &cursor.words[inside.clone()] else {
                    return Err("expected `need_device_ptr:` or `nothing:` in `adjust_args`".into());
                };
                match (kind.text, colon.text) {
                    ("nothing", ":") => {}
                    ("need_device_ptr", ":") => {
                        let list = split(&cursor.words, inside.start + 2..inside.end, ",");
                        let names = list.into_iter().map(|one| text_of(directive, &cursor.words, one));
                        found.device_pointers.extend(names.map(str::to_owned));
                    }
                    (other, _) => return Err(format!("`{other}` of `adjust_args` is not implemented yet")),
                }
            }
            "append_args" => {
                found.is_old = false;
                for object in split(&cursor.words, inside, ",") {
                    let [name, open, .., _] = &cursor.words[object.clone()] else {
                        return Err("expected `interop(…)` in `append_args`".into());
                    };
                    if (name.text, open.text) != ("interop", "(") {
                        return Err("expected `interop(…)` in `append_args`".into());
                    }
                    let kinds = object.start + 2..object.end - 1;
                    found.appended.push(super::interop::kinds(directive, &cursor.words, kinds)?);
                }
            }
            other => return Err(format!("`{other}` is no clause of `omp declare variant`")),
        }
    }
    let new =
        |t: &super::selector::Trait| t.set == "target_device" || t.set == "construct" && t.name == "dispatch";
    found.is_old &= !found.selector.traits.iter().any(new);
    if found.has_extension() {
        if found.selector.traits.iter().any(|t| t.set == "construct") {
            return Err("`construct` beside an extension of an implementation is not implemented yet".into());
        }
        // Not each host's compiler knows these.
        let holds = i32::from(found.selector.matches(&World::default())?.is_some());
        found.selector_text = format!("user = {{condition({holds})}}");
    }
    Ok(found)
}

/// The name of the function that is declared behind a place, and the tokens of its parameters.
fn declared_behind<'a>(buffer: &'a str, at: usize) -> Option<(&'a str, Vec<String>)> {
    const MOST: usize = 4096;
    let words: Vec<Word<'a>> = words(buffer, at).filter(|w| !w.line).take(MOST).collect();
    let (at, open, close) = declarator(&words, 0)?;
    let parameters = split(&words, open + 1..close, ",");
    Some((words[at].text, parameters.into_iter().map(|one| parameter(&words[one])).collect()))
}

/// Where the next name of a function stands, and the parentheses behind it.
fn declarator(words: &[Word<'_>], from: usize) -> Option<(usize, usize, usize)> {
    const OTHERS: [&str; 9] = [
        "__attribute__",
        "__attribute",
        "__declspec",
        "alignas",
        "_Alignas",
        "decltype",
        "__typeof__",
        "noexcept",
        "explicit",
    ];
    let mut at = from;
    while at + 1 < words.len() {
        if words[at + 1].text == "(" {
            let close = closing(words, at + 1)?;
            let is_name = words[at].text.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if is_name && !OTHERS.contains(&words[at].text) {
                return Some((at, at + 1, close));
            }
            at = close;
        }
        at += 1;
    }
    None
}

/// The name of a parameter: the last word that is no part of an array's bounds.
fn parameter(words: &[Word<'_>]) -> String {
    let end = words.iter().position(|w| w.text == "[").unwrap_or(words.len());
    let is_name = |w: &&Word<'_>| w.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    words[..end].iter().rev().find(is_name).map_or(String::new(), |w| w.text.to_owned())
}

/// All of a file. Mistakes are told when the directive is settled.
pub fn all(buffer: &str, lines: &[Range<usize>]) -> Vec<Variant> {
    let mut found = vec![];
    for line in lines {
        let written = &buffer[line.clone()];
        match first_words(written)[..] {
            ["declare", "variant", ..] => {
                let (Ok(said), Some((base, parameters))) =
                    (clauses(rest(written)), declared_behind(buffer, line.end))
                else {
                    continue;
                };
                let place = |name: &String| parameters.iter().position(|p| p == name);
                found.push(Variant {
                    base: base.to_owned(),
                    variant: said.variant,
                    selector: said.selector,
                    device_pointers: said.device_pointers.iter().filter_map(place).collect(),
                    appended: said.appended,
                });
            }
            ["begin", "declare", "variant", ..] => {
                let (Ok(said), Some(end)) = (clauses(rest(written)), end_of(buffer, line)) else { continue };
                let words: Vec<Word<'_>> = words(&buffer[..end.start], line.end).collect();
                found.extend(definitions(&words).into_iter().map(|(_, at, _)| Variant {
                    base: words[at].text.to_owned(),
                    variant: own_name(buffer, line, words[at].text),
                    selector: said.selector.clone(),
                    device_pointers: vec![],
                    appended: vec![],
                }));
            }
            _ => {}
        }
    }
    found
}

/// `declare variant`: a host's compiler that does not read it must not see it.
pub fn declared(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let written = text.buffer[line.clone()].to_owned();
    let said = clauses(rest(&written))?;
    let (_, parameters) =
        declared_behind(&text.buffer, line.end).ok_or("no function is declared behind the directive")?;
    if let Some(name) = said.device_pointers.iter().find(|name| !parameters.contains(name)) {
        return Err(format!("`{name}` is no parameter of the function"));
    }
    said.selector.matches(&World::default())?;
    if !said.is_old {
        text.replace(line, "");
    } else if said.has_extension() {
        let (variant, selector) = (&said.variant, &said.selector_text);
        text.replace(line, &format!("#pragma omp declare variant({variant}) match({selector})"));
    }
    Ok(())
}

/// The definitions in a part of the text: where each begins, its name, and the end of its parameters.
fn definitions(words: &[Word<'_>]) -> Vec<(usize, usize, usize)> {
    let mut found = vec![];
    let mut at = 0;
    while at < words.len() {
        if words[at].line {
            at += 1;
            continue;
        }
        let Some((name, _, close)) = declarator(words, at) else { break };
        let body = (close + 1..words.len()).find(|i| matches!(words[*i].text, "{" | ";"));
        let Some(body) = body else { break };
        let end = match words[body].text {
            "{" => {
                found.push((at, name, close));
                closing(words, body)
            }
            _ => Some(body),
        };
        let Some(end) = end else { break };
        at = end + 1;
    }
    found
}

fn end_of(buffer: &str, line: &Range<usize>) -> Option<Range<usize>> {
    super::pragma_lines(&buffer[line.end..])
        .into_iter()
        .map(|r| r.start + line.end..r.end + line.end)
        .find(|r| matches!(first_words(&buffer[r.clone()])[..], ["end", "declare", "variant", ..]))
}

/// The name that a function gets which `begin declare variant` encloses.
fn own_name(buffer: &str, line: &Range<usize>, name: &str) -> String {
    let number = super::pragma_lines(&buffer[..line.start]).len();
    format!("{name}__accl_variant_{number}")
}

/// `begin declare variant` … `end declare variant`
pub fn begin(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let said = clauses(rest(&text.buffer[line.clone()]))?;
    let end = end_of(&text.buffer, &line).ok_or("`begin declare variant` has no `end declare variant`")?;
    let inside = &text.buffer[..end.start];
    let words: Vec<Word<'_>> = words(inside, line.end).collect();
    let mut behind = String::new();
    let mut edits = vec![];
    for (start, name, close) in definitions(&words) {
        let own = own_name(inside, &line, words[name].text);
        if said.is_old {
            let head = text_of(inside, &words, start..close + 1);
            behind.push_str(&format!(
                "#pragma omp declare variant({own}) match({})\n{head};\n",
                said.selector_text
            ));
        }
        edits.push((words[name].range.clone(), own));
    }
    if !is_possible(&said.selector, text)? {
        let lines = inside[line.end..].matches('\n').count();
        text.replace(line.start..end.end, &"\n".repeat(lines));
        return Ok(());
    }
    text.replace(end, behind.trim_end());
    for (range, own) in edits.into_iter().rev() {
        text.buffer.replace_range(range, &own);
    }
    text.buffer.replace_range(line.clone(), "");
    Ok(())
}

/// Whether any place of the program can fit, as far as machines are concerned.
fn is_possible(selector: &Selector, text: &EditedText<'_>) -> Result<bool, String> {
    let traits = selector.traits.iter().filter(|t| t.set != "construct" && t.set != "user").cloned();
    let machine = Selector { traits: traits.collect() };
    let world = text.world(0);
    let host = machine.matches(&World { on_device: false, ..world.clone() })?;
    Ok(host.is_some() || machine.matches(&World { on_device: true, ..world })?.is_some())
}

/// The best variant of a function at a place, and what must hold for it.
pub fn best<'v>(
    variants: impl IntoIterator<Item = &'v Variant>,
    base: &str,
    world: &World,
) -> Result<Option<(&'v Variant, Vec<String>)>, String> {
    let mut best: Option<(u64, &Variant, Vec<String>)> = None;
    for variant in variants.into_iter().filter(|v| v.base == base) {
        if let Some(found) = variant.selector.matches(world)?
            && best.as_ref().is_none_or(|(score, ..)| found.score > *score)
        {
            best = Some((found.score, variant, found.conditions));
        }
    }
    Ok(best.map(|(_, variant, conditions)| (variant, conditions)))
}
