//! Just enough of C's lexical grammar to find where a statement ends: comments, strings, brackets.

/// Offset after the statement that starts at or after `start` (its `;` or `}` included).
pub fn statement_end(text: &str, start: usize) -> Option<usize> {
    let first = skip_blank(text, start);
    let rest = text.get(first..)?;
    if rest.starts_with('{') {
        return matching(text, first);
    }
    match word(rest) {
        "for" | "while" | "switch" => statement_end(text, matching(text, next_paren(text, first)?)?),
        "if" => if_end(text, first),
        "do" => {
            let body = statement_end(text, first + 2)?;
            semicolon(text, body)
        }
        "else" => statement_end(text, first + 4),
        name => match macro_header(text, first, name) {
            Some(body) => statement_end(text, body),
            None => semicolon(text, first),
        },
    }
}

/// The start of the statement after a macro that stands for a loop's header: `FOR(i, n) { … }`. No other call is
/// followed by a brace or a keyword of control.
fn macro_header(text: &str, first: usize, name: &str) -> Option<usize> {
    let open = skip_blank(text, first + name.len());
    if name.is_empty() || name == "return" || !text.get(open..)?.starts_with('(') {
        return None;
    }
    let body = skip_blank(text, matching(text, open)?);
    let rest = text.get(body..)?;
    let begins = rest.starts_with('{') || rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins.then_some(body)
}

fn if_end(text: &str, first: usize) -> Option<usize> {
    let then = statement_end(text, matching(text, next_paren(text, first)?)?)?;
    let after = skip_blank(text, then);
    if word(text.get(after..)?) == "else" { statement_end(text, after + 4) } else { Some(then) }
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn next_paren(text: &str, from: usize) -> Option<usize> {
    text.get(from..)?.find('(').map(|at| from + at)
}

/// After blanks, comments and preprocessor lines.
pub fn skip_blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let line_start = text[..at].rsplit('\n').next().is_none_or(|l| l.trim().is_empty());
        if rest.starts_with(char::is_whitespace) {
            at += rest.chars().next().map_or(1, char::len_utf8);
        } else if rest.starts_with("//") || (line_start && rest.starts_with('#')) {
            at = line_end(text, at);
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else {
            return at;
        }
    }
}

/// The end of the line at `at`, lines continued by a backslash included.
pub fn line_end(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        end += text[end..].find('\n').unwrap_or(text.len() - end);
        if end >= text.len() || !text[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        end += 1;
    }
}

/// After the bracket that matches the one at `open`.
pub fn matching(text: &str, open: usize) -> Option<usize> {
    scan(text, open, |depth, _| depth == 0)
}

/// After the next semicolon outside brackets.
fn semicolon(text: &str, from: usize) -> Option<usize> {
    scan(text, from, |depth, c| depth == 0 && c == b';')
}

/// Goes over tokens from `from`; returns the position after the first one at which `done` is true of the depth and
/// the character.
fn scan(text: &str, from: usize, done: impl Fn(i32, u8) -> bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (from, 0);
    while at < bytes.len() {
        let next = skip_blank(text, at);
        if next > at {
            at = next;
            continue;
        }
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at = string_end(bytes, at, quote);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        let is_bracket_or_end = matches!(bytes[at], b')' | b']' | b'}' | b';');
        at += 1;
        if is_bracket_or_end && done(depth, bytes[at - 1]) {
            return Some(at);
        }
        while at < bytes.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    None
}

/// Where the braces are that are open at `end`.
pub fn open_braces(text: &str, end: usize) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut open) = (0, vec![]);
    while at < end {
        match bytes[at] {
            b'/' | b'#' => {
                at = skip_blank(text, at).max(at + 1);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at = string_end(bytes, at, quote);
                continue;
            }
            b'{' => open.push(at),
            b'}' => _ = open.pop(),
            _ => {}
        }
        at += 1;
    }
    open
}

pub fn string_end(bytes: &[u8], open: usize, quote: u8) -> usize {
    let mut at = open + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> &str {
        &text[..statement_end(text, 0).unwrap_or(text.len())]
    }

    #[test]
    fn statements_end_where_they_should() {
        assert_eq!(first("a = f(1, \";\"); b;"), "a = f(1, \";\");");
        assert_eq!(
            first("for (i = 0; i < n; i++) /* ; */ a[i] = ';'; b;"),
            "for (i = 0; i < n; i++) /* ; */ a[i] = ';';"
        );
        assert_eq!(first("{ a; { b; } } c;"), "{ a; { b; } }");
        assert_eq!(first("if (a) b; else if (c) { d; } else e; f;"), "if (a) b; else if (c) { d; } else e;");
        assert_eq!(first("do { a; } while (b); c;"), "do { a; } while (b);");
        assert_eq!(
            first("\n#pragma acc loop\nfor (;;)\n  for (;;)\n    x = (struct s){1};\ny;"),
            "\n#pragma acc loop\nfor (;;)\n  for (;;)\n    x = (struct s){1};"
        );
    }

    #[test]
    fn an_unfinished_statement_has_no_end() {
        assert_eq!(statement_end("a = (b;", 0), None);
        assert_eq!(statement_end("{ a; ", 0), None);
    }
}
