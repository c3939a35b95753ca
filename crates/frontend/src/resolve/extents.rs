//! Extents that declarations read from memory, as in `float (*u)[v->size[1]]`. C evaluates them once, where the array is
//! declared, so a constant before the declaration has the value: kernels are given it like that of any other variable, and
//! what the program stores in `v->size` later changes nothing.
//!
//! In C++ a cast that repeats the type of such a pointer becomes one to that very type: gcc takes the two for one type, Clang
//! does not.

use super::words::{Word, closing, text_of, words};
use std::ops::Range;

const PREFIX: &str = "accl_extent_";

/// The text with names for such extents where `named` asks for them, and whether casts were changed. Every line keeps its
/// number.
pub fn settled(buffer: String, cplusplus: bool, named: bool) -> (String, bool) {
    if !["#pragma acc", "#pragma omp"].iter().any(|words| buffer.contains(words)) {
        return (buffer, false);
    }
    let all: Vec<Word<'_>> = words(&buffer, 0).collect();
    let (mut edits, mut retyped) = (vec![], false);
    for (start, bracket) in first_brackets(&all) {
        let Some(array) = declared(&all, start, bracket) else { continue };
        if cplusplus && let Some(edit) = array.repeated_type(&all) {
            edits.push(edit);
            retyped = true;
        }
        if named {
            edits.extend(array.constants(&buffer, &all));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut settled = buffer.clone();
    for (range, by) in edits.into_iter().rev() {
        let lines = buffer[range.clone()].matches('\n').count();
        settled.replace_range(range, &(by + &"\n".repeat(lines)));
    }
    (settled, retyped)
}

/// What the user wrote for an extent that has a name now.
pub fn written<'t>(buffer: &'t str, extent: &str) -> Option<&'t str> {
    let declaration = format!("const long {} = ", Some(extent).filter(|e| e.starts_with(PREFIX))?);
    let start = buffer.find(&declaration)? + declaration.len();
    buffer[start..].split(';').next()
}

/// Each statement of functions in which a bracket `[` stands outside of all others: where it starts, and its first such bracket.
fn first_brackets(all: &[Word<'_>]) -> Vec<(usize, usize)> {
    struct Braces {
        are_code: bool,
        parentheses: usize,
    }
    let mut found = vec![];
    let mut around = vec![Braces { are_code: false, parentheses: 0 }];
    // None: what stands here may follow a directive, or its brackets have been seen.
    let mut start = None;
    let mut before = "";
    for (at, word) in all.iter().enumerate() {
        let Some(inner) = around.last_mut() else { return found };
        match word.text {
            line if word.line => {
                start = match start {
                    Some(first) if first == at && !line.starts_with("#pragma") => Some(at + 1),
                    Some(first) if first == at => None,
                    other => other,
                };
                continue;
            }
            "{" => {
                let are_code = inner.are_code || [")", "const", "noexcept", "override"].contains(&before);
                around.push(Braces { are_code, parentheses: 0 });
                start = Some(at + 1);
            }
            "}" => {
                around.pop();
                start = Some(at + 1);
            }
            ";" if inner.parentheses == 0 => start = Some(at + 1),
            "(" => inner.parentheses += 1,
            ")" => inner.parentheses = inner.parentheses.saturating_sub(1),
            "[" if inner.parentheses == 0 => {
                if let Some(first) = start.take().filter(|_| inner.are_code) {
                    found.push((first, at));
                }
            }
            _ => {}
        }
        before = word.text;
    }
    found
}

/// A variable `T (*name)[extent]…` or `T name[extent]…`, by the places of its tokens.
struct Declared {
    start: usize,
    /// The name of a pointer.
    pointer: Option<usize>,
    extents: Vec<Range<usize>>,
    end: usize,
}

fn declared(all: &[Word<'_>], start: usize, bracket: usize) -> Option<Declared> {
    let before = &all[start..bracket];
    let (types, pointer) = match before {
        [.., name] if is_name(name.text) => (&before[..before.len() - 1], None),
        _ => {
            let open = before.iter().position(|w| w.text == "(")?;
            let [_, star, qualifiers @ .., name, close] = &before[open..] else { return None };
            let is_pointer = star.text == "*"
                && close.text == ")"
                && is_name(name.text)
                && qualifiers.iter().all(|w| is_name(w.text));
            if !is_pointer {
                return None;
            }
            (&before[..open], Some(bracket - 2))
        }
    };
    // A statement that is no declaration but looks like one keeps its meaning, too, where a constant may stand before it.
    const OTHERS: [&str; 11] =
        ["return", "else", "do", "goto", "case", "throw", "delete", "new", "static", "extern", "constexpr"];
    let of_type = |w: &Word<'_>| {
        (is_name(w.text) || ["*", "::", "<", ">", ","].contains(&w.text)) && !OTHERS.contains(&w.text)
    };
    // `[[` begins an attribute.
    let is_attribute = all.get(bracket + 1).is_some_and(|w| w.text == "[");
    if types.is_empty() || is_attribute || !types.iter().all(of_type) {
        return None;
    }
    let (extents, end) = brackets(all, bracket)?;
    Some(Declared { start, pointer, extents, end })
}

/// What stands in a row of brackets, and the place behind them.
fn brackets(all: &[Word<'_>], mut at: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let mut extents = vec![];
    while all.get(at)?.text == "[" {
        let close = closing(all, at)?;
        extents.push(at + 1..close);
        at = close + 1;
    }
    Some((extents, at))
}

impl Declared {
    /// Constants for the extents that memory has.
    fn constants(&self, buffer: &str, all: &[Word<'_>]) -> Vec<(Range<usize>, String)> {
        let mut edits = vec![];
        let mut constants = String::new();
        for extent in self.extents.iter().filter(|extent| reads_memory(&all[(*extent).clone()])) {
            let place = all[extent.start].range.start..all[extent.end - 1].range.end;
            let name = format!("{PREFIX}{}", place.start);
            let value = text_of(buffer, all, extent.clone()).split_whitespace().collect::<Vec<_>>().join(" ");
            constants += &format!("const long {name} = {value}; ");
            edits.push((place, name));
        }
        let start = all[self.start].range.start;
        if !edits.is_empty() {
            edits.push((start..start, constants));
        }
        edits
    }

    /// `= (T (*)[extent]…)` behind a pointer with these extents.
    fn repeated_type(&self, all: &[Word<'_>]) -> Option<(Range<usize>, String)> {
        let name = all[self.pointer?].text;
        let mut at = self.end;
        while all.get(at)?.text == "__attribute__" {
            at = closing(all, at + 1)? + 1;
        }
        let (equals, open) = (all.get(at)?, all.get(at + 1)?);
        if (equals.text, open.text) != ("=", "(") {
            return None;
        }
        let close = closing(all, at + 1)?;
        let bracket = at + 2 + all[at + 2..close].iter().position(|w| w.text == "[")?;
        let (extents, end) = brackets(all, bracket)?;
        let same = |(a, b): (&Range<usize>, &Range<usize>)| {
            all[a.clone()].iter().map(|w| w.text).eq(all[b.clone()].iter().map(|w| w.text))
        };
        let repeated = end == close
            && extents.len() == self.extents.len()
            && extents.iter().zip(&self.extents).all(same)
            && extents.iter().any(|e| all[e.clone()].iter().any(|w| is_name(w.text)));
        repeated.then(|| (all[at + 2].range.start..all[close - 1].range.end, format!("decltype({name})")))
    }
}

/// Whether an extent is arithmetic on variables, some of which are elements or members. Functions are not called twice.
fn reads_memory(extent: &[Word<'_>]) -> bool {
    let is_operator = |text: &str| ["+", "-", "*", "/", "%", "(", ")", "[", "]", "->", "."].contains(&text);
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let calls = extent.windows(2).any(|pair| is_name(pair[0].text) && pair[1].text == "(");
    extent.iter().all(|w| is_name(w.text) && w.text != "sizeof" || is_number(w.text) || is_operator(w.text))
        && extent.iter().any(|w| ["->", ".", "["].contains(&w.text))
        && !calls
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(body: &str, cplusplus: bool) -> String {
        let text = format!("void f(struct s *v)\n{{ {body}\n#pragma acc wait\n}}");
        let (settled, _) = settled(text, cplusplus, true);
        settled["void f(struct s *v)\n{ ".len()..].split('\n').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn extents_get_names() {
        assert_eq!(
            inside("float (*restrict u)[v->n[1]][4] = (float (*)[v->n[1]][4]) v->data;", false),
            "const long accl_extent_42 = v->n[1]; float (*restrict u)[accl_extent_42][4] = \
             (float (*)[v->n[1]][4]) v->data;"
        );
        assert_eq!(
            inside("k(); struct t a[v->n + 1];", false),
            "k(); const long accl_extent_38 = v->n + 1; struct t a[accl_extent_38];"
        );
        for other in [
            "a[v->n] = 3;",
            "return (*p)[v->n];",
            "float a[n][m];",
            "float a[sizeof v->n];",
            "float a[f(v->n)];",
            "template<typename T> [[deprecated]] struct t;",
            "unused x [[unused]];",
        ] {
            assert_eq!(inside(other, false), other);
        }
    }

    #[test]
    fn types_are_not_repeated() {
        assert_eq!(
            inside("T (*__restrict u)[n][m] __attribute__((aligned(64))) = (T (*)[n][m]) p;", true),
            "T (*__restrict u)[n][m] __attribute__((aligned(64))) = (decltype(u)) p;"
        );
        let constant = "T (*u)[4] = (T (*)[4]) p;";
        assert_eq!(inside(constant, true), constant);
    }
}
