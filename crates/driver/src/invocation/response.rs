//! Response files: `@file` is replaced by the words in the file.
//!
//! The rules are GCC's ("Overall Options"): words are separated by white space; single and double
//! quotes group; a backslash takes the next character literally; files may name further files; an
//! `@name` that cannot be read stands for itself.

use std::path::Path;

const MAX_DEPTH: usize = 32;

pub fn expand(words: Vec<String>) -> Vec<String> {
    expand_within(words, 0)
}

fn expand_within(words: Vec<String>, depth: usize) -> Vec<String> {
    let mut all = vec![];
    for word in words {
        let text = match word.strip_prefix('@') {
            Some(file) if depth < MAX_DEPTH => std::fs::read_to_string(file).ok(),
            _ => None,
        };
        match text {
            Some(text) => all.extend(expand_within(split(&text), depth + 1)),
            None => all.push(word),
        }
    }
    all
}

fn split(text: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(chars.next()),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Writes words so that [`expand`] and every host compiler reads them back.
pub fn write_response_file(path: &Path, words: &[String]) -> std::io::Result<()> {
    let mut text = String::new();
    for word in words {
        text.push('"');
        for c in word.chars() {
            if matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        text.push_str("\"\n");
    }
    std::fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_group_and_backslashes_escape() {
        assert_eq!(split("-DA='x y' \"b c\"\n\\'q ''"), ["-DA=x y", "b c", "'q", ""]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("words");
        let words = ["-DS=\"a b\"".to_owned(), "c\\d".to_owned(), String::new()];
        write_response_file(&file, &words).unwrap();
        assert_eq!(expand(vec![format!("@{}", file.display())]), words);
    }

    #[test]
    fn an_unreadable_file_stands_for_itself() {
        assert_eq!(expand(vec!["@no/such/file".into()]), ["@no/such/file"]);
    }
}
