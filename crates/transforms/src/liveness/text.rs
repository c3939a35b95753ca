//! What the text of host code says about its variables, word by word.

use accl_source::without_line_markers;
use std::collections::BTreeSet;

/// The `i` of `for (i = 0; …` and of `i = 0;`, where its previous value is not read.
pub fn set_first(text: &str) -> Option<&str> {
    let start = match text.strip_prefix("for").map(str::trim_start) {
        Some(header) => header.strip_prefix('(')?.trim_start(),
        None => text,
    };
    let name = &start[..start.find(|c: char| !is_letter(c))?];
    let value = start[name.len()..].trim_start().strip_prefix('=').filter(|value| !value.starts_with('='))?;
    let value = &value[..value.find(';').unwrap_or(value.len())];
    (!name.is_empty() && !words(value).contains(name)).then_some(name)
}

/// The names in a text, and each whose address may be taken with its `&`.
pub fn words(text: &str) -> BTreeSet<String> {
    let text = without_line_markers(text);
    let mut found = BTreeSet::new();
    let mut after = "";
    for word in text.split_inclusive(|c: char| !is_letter(c)) {
        let name = word.trim_end_matches(|c: char| !is_letter(c));
        if !name.is_empty() {
            found.insert(name.to_owned());
            if after.trim_end().ends_with('&') {
                found.insert(format!("&{name}"));
            }
            after = "";
        }
        let tail = &word[name.len()..];
        if !tail.trim().is_empty() {
            after = tail;
        }
    }
    found
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The variables of `for (i = …; …; …) statement` that the text names nowhere else: their previous values do not
/// matter.
pub fn own_loop_variables(text: &str) -> BTreeSet<String> {
    let mut loops: Vec<(&str, std::ops::Range<usize>)> = vec![];
    for (at, _) in text.match_indices("for") {
        let whole_word = !text[..at].ends_with(is_letter);
        if let (true, Some(name), Some(end)) = (whole_word, set_first(&text[at..]), loop_end(text, at)) {
            loops.push((name, at..end));
        }
    }
    let inside = |name: &str, at: usize| loops.iter().any(|(n, range)| *n == name && range.contains(&at));
    let everywhere = |name: &str| {
        text.match_indices(name).all(|(at, _)| {
            let part = text[..at].ends_with(is_letter) || text[at + name.len()..].starts_with(is_letter);
            part || inside(name, at)
        })
    };
    loops.iter().map(|(name, _)| *name).filter(|name| everywhere(name)).map(str::to_owned).collect()
}

/// The position after the statement of the `for` at `at`; `None` where that is not in braces, a further loop or an
/// expression.
fn loop_end(text: &str, at: usize) -> Option<usize> {
    let open = at + text[at..].find('(')?;
    let after = closing(text, open)?;
    let body = after + (text[after..].len() - text[after..].trim_start().len());
    let rest = &text[body..];
    let keyword = |word: &str| rest.starts_with(word) && !rest[word.len()..].starts_with(is_letter);
    if rest.starts_with('{') {
        closing(text, body)
    } else if keyword("for") {
        loop_end(text, body)
    } else if ["if", "while", "do", "switch"].into_iter().any(keyword) {
        None
    } else {
        rest.find(';').map(|end| body + end + 1)
    }
}

/// The position after the bracket that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, open);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{own_loop_variables, set_first, words};

    #[test]
    fn words_and_addresses() {
        let found: Vec<String> = words("f(&x, n->y) + a_1;").into_iter().collect();
        assert_eq!(found, ["&x", "a_1", "f", "n", "x", "y"]);
    }

    #[test]
    fn text_that_sets_a_variable_first() {
        let found = [
            "for (i = 0; i < n; i++) a[i] = i;",
            "i = n;",
            "for (i = i + 1; ;)",
            "i == n;",
            "if (i = n) f();",
        ];
        assert_eq!(found.map(set_first), [Some("i"), Some("i"), None, None, None]);
    }

    #[test]
    fn variables_of_loops_alone() {
        let own = |text| own_loop_variables(text).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(
            own("for (r = 0; r < 4; r++) { for (i = 0; i < n; i++) for (j = i; j < n; j++) a[i] = \"}i\"; }"),
            "i j r"
        );
        assert_eq!(own("for (r = 0; r < 4; r++) { for (i = 0; i < n; i++) a[i] = 0; b = i; }"), "r");
        assert_eq!(own("if (c) for (i = 0; i < n; i++) f(i); else g(ii);"), "i");
        assert_eq!(own("for (i = 0; i < n; i++) if (a[i]) break;"), "");
    }
}
