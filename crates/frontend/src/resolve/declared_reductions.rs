//! `declare reduction` (OpenMP 5.2 §5.5.11) in programs with code for devices. The host's compiler keeps the directive; behind it
//! stand functions that do what it says, for each of its types one that combines two values and one that makes the first:
//! devices call these.
//!
//! A directive inside a function or a class has none: then one thread runs what uses it.

use super::words::{Cursor, Word, split, text_of, words};
use super::{EditedText, rest};
use std::ops::Range;

/// The beginning of the name of a function that combines values of a declared reduction.
pub fn combining(identifier: &str) -> String {
    format!("accl_combine_{}_", plain(identifier))
}

/// The function that makes the first value, of the one that combines two.
pub fn starting(combining: &str) -> String {
    combining.replacen("combine", "start", 1)
}

/// An operator as a word.
fn plain(identifier: &str) -> String {
    let last = identifier.rsplit("::").next().unwrap_or(identifier).trim();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    last.chars().map(|c| if is_word(c) { c.to_string() } else { format!("{:x}", u32::from(c)) }).collect()
}

pub fn concerns(rest: &str) -> bool {
    let mut words = rest.split(|c: char| c.is_whitespace() || c == '(');
    words.next() == Some("declare") && words.find(|w| !w.is_empty()) == Some("reduction")
}

/// Mistakes are left to the host's compiler.
pub fn define(text: &mut EditedText<'_>, line: Range<usize>) {
    if !is_outside(&text.buffer, line.start) {
        return;
    }
    let zero = if text.cplusplus { "{}" } else { "{0}" };
    if let Some(functions) = functions(rest(&text.buffer[line.clone()]), line.start, zero) {
        text.replace(line.end..line.end, &format!("\n{functions}"));
    }
}

/// The place is in no function and no class.
fn is_outside(buffer: &str, at: usize) -> bool {
    let before: Vec<Word<'_>> = words(buffer, 0).take_while(|w| w.range.start < at).collect();
    let mut open: Vec<bool> = vec![];
    for (number, word) in before.iter().enumerate() {
        match word.text {
            "{" => {
                let previous = |back: usize| number.checked_sub(back).map_or("", |n| before[n].text);
                let is_scope = [previous(1), previous(2)].contains(&"namespace")
                    || previous(2) == "extern" && previous(1).starts_with('"');
                open.push(is_scope);
            }
            "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.into_iter().all(|is_scope| is_scope)
}

/// `declare reduction(identifier : types : combiner) [initializer(…)]`
fn functions(written: &str, place: usize, zero: &str) -> Option<String> {
    let mut cursor = Cursor::new(written);
    if !(cursor.eat("declare") && cursor.eat("reduction")) {
        return None;
    }
    let inside = cursor.parenthesized()?;
    let start = match cursor.eat("initializer") {
        true => Some(cursor.parenthesized()?),
        false => None,
    };
    let parts = split(&cursor.words, inside, ":");
    // A conditional operator in the combiner has a colon, too.
    let [identifier, types, combiner, ..] = &parts[..] else { return None };
    let combiner = combiner.start..parts.last()?.end;
    let text = |range: Range<usize>| text_of(written, &cursor.words, range);
    let named = |range: Range<usize>| -> String {
        let mut text = String::new();
        let mut end = cursor.words[range.clone()].first().map_or(0, |word| word.range.start);
        for word in &cursor.words[range] {
            text += &written[end..word.range.start];
            text += match word.text {
                "omp_out" => "(*accl_out)",
                "omp_in" => "(*accl_in)",
                "omp_priv" => "(*accl_priv)",
                other => other,
            };
            end = word.range.end;
        }
        text
    };
    // `omp_priv = …`, `omp_priv(…)`, or a call with its address.
    let first = match start {
        Some(range) if cursor.words[range.start].text == "omp_priv" => {
            let value = named(range.start + 1..range.end);
            format!("__typeof__(*accl_priv) accl_first {value}; *accl_priv = accl_first;")
        }
        Some(range) => format!("{};", named(range)),
        None => format!("__typeof__(*accl_priv) accl_first = {zero}; *accl_priv = accl_first;"),
    };
    let uses_original = cursor.words.iter().any(|word| word.text == "omp_orig");
    let combined = named(combiner);
    let mut all = String::new();
    for (number, ty) in types_of(&cursor.words, types.clone()).into_iter().enumerate() {
        let combine = format!("{}{place}_{number}", combining(text(identifier.clone())));
        let (start, ty) = (starting(&combine), text(ty));
        let head = "static __attribute__((unused)) void";
        all += &format!("{head} {combine}({ty} *accl_out, {ty} *accl_in) {{ {combined}; }} ");
        let original = if uses_original { format!(", {ty} omp_orig") } else { String::new() };
        all += &format!("{head} {start}({ty} *accl_priv{original}) {{ {first} }} ");
    }
    Some(all)
}

/// Between commas that stand in no template's arguments.
fn types_of(words: &[Word<'_>], range: Range<usize>) -> Vec<Range<usize>> {
    let (mut types, mut start, mut depth) = (vec![], range.start, 0);
    for at in range.clone() {
        match words[at].text {
            "<" | "(" => depth += 1,
            ">" | ")" => depth -= 1,
            ">>" => depth -= 2,
            "," if depth == 0 => {
                types.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    types.push(start..range.end);
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_two_functions() {
        let made =
            functions("declare reduction(+ : A, B<int, 2> : omp_out = omp_in.x ? omp_in : omp_out)", 7, "{}")
                .unwrap();
        let head = "static __attribute__((unused)) void";
        let first = "__typeof__(*accl_priv) accl_first = {}; *accl_priv = accl_first;";
        let of = |ty: &str, n: u32| {
            format!(
                "{head} accl_combine_2b_7_{n}({ty} *accl_out, {ty} *accl_in) {{ (*accl_out) = (*accl_in).x ? (*accl_in) : \
                 (*accl_out); }} {head} accl_start_2b_7_{n}({ty} *accl_priv) {{ {first} }} "
            )
        };
        assert_eq!(made, of("A", 0) + &of("B<int, 2>", 1));
    }

    #[test]
    fn values_may_be_made_by_calls() {
        let made =
            functions("declare reduction(m:T:add(&omp_out,&omp_in)) initializer(init(&omp_priv))", 0, "{}")
                .unwrap();
        assert!(made.ends_with("(T *accl_priv) { init(&(*accl_priv)); } "), "{made}");
    }

    #[test]
    fn classes_and_functions_have_none() {
        let text = "namespace a { extern \"C\" { X } struct B { Y }; } void f() { Z }";
        let at = |word: &str| is_outside(text, text.find(word).unwrap());
        assert_eq!([at("X"), at("Y"), at("Z")], [true, false, false]);
    }
}
