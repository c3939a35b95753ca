//! The declarations of `accl_abi.h`, for a text that is already preprocessed: without directives, macros, and
//! typedefs of the C library. The data model is LP64's.

/// Types of <stdint.h> and <stddef.h>, and what they are here.
const WORDS: &[(&str, &str)] = &[
    ("int32_t", "int"),
    ("uint32_t", "unsigned"),
    ("int64_t", "long"),
    ("uint64_t", "unsigned long"),
    ("size_t", "unsigned long"),
];

/// Structures and prototypes, one a line where they are short.
pub fn declarations(cplusplus: bool) -> String {
    let code = without_directives(&without_comments(accl_abi::HEADER));
    let mut text = String::new();
    for declaration in split(&code) {
        if !declaration.starts_with("enum ") {
            text.push_str(&replace_words(&declaration));
            text.push('\n');
        }
    }
    if cplusplus { format!("extern \"C\" {{\n{text}}}\n") } else { text }
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        out.push_str(&rest[..start]);
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    out + rest
}

/// Drops preprocessor lines, and the text between `#ifdef __cplusplus` and its `#endif`.
fn without_directives(text: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in text.lines() {
        match line.trim() {
            "#ifdef __cplusplus" => skipping = true,
            "#endif" => skipping = false,
            line if line.starts_with('#') || skipping => {}
            line => {
                out.push_str(line);
                out.push(' ');
            }
        }
    }
    out
}

/// Declarations at file scope, each with its semicolon and single spaces.
fn split(code: &str) -> Vec<String> {
    let (mut found, mut current, mut depth) = (Vec::new(), String::new(), 0);
    for c in code.chars() {
        current.push(c);
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                found.push(current.split_whitespace().collect::<Vec<_>>().join(" "));
                current.clear();
            }
            _ => {}
        }
    }
    found
}

fn replace_words(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(WORDS.iter().find(|(from, _)| *from == word).map_or(&word, |(_, to)| to));
        word.clear();
        if c != '\0' {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_preprocessor_is_left() {
        let text = declarations(false);
        assert!(!text.contains('#') && !text.contains("_t ") && !text.contains("enum"), "{text}");
        assert!(text.contains("int accl_launch(const accl_launch_info *);"), "{text}");
        assert!(declarations(true).starts_with("extern \"C\" {"));
    }
}
