//! Names of the program's that begin as those do which the compiler puts into its text.
//!
//! All names that the compiler puts in begin with `accl_`. A variable of that name in the program would hide ours, or ours would hide
//! it. So the program's have a mark before them while they are in the compiler; the host's text gets them back, and there the
//! compiler's own make way where both are the same (`accl_host`).

use crate::clang::tokens::{Token, Tokens};
use accl_ir::{OF_PROGRAM, OURS};

/// The text with its names marked.
pub fn marked(buffer: String) -> String {
    if !buffer.contains(OURS) {
        return buffer;
    }
    let (mut text, mut done) = (String::new(), 0);
    let mut tokens = Tokens::new(&buffer);
    while let Some((token, range)) = tokens.next_with_range() {
        text.push_str(&buffer[done..range.start]);
        done = range.end;
        let word = &buffer[range];
        match token {
            Token::Word(_) => text.push_str(&one(word)),
            Token::Pragma(_) => text.push_str(&in_line(word)),
            Token::Text | Token::Mark(..) => text.push_str(word),
        }
    }
    text + &buffer[done..]
}

fn one(word: &str) -> String {
    if word.starts_with(OURS) { format!("{OF_PROGRAM}{word}") } else { word.to_owned() }
}

/// Directives are lines with words of their own; lines that give places have none.
fn in_line(line: &str) -> String {
    if !line.trim_start_matches(['#', ' ']).starts_with("pragma") {
        return line.to_owned();
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let pieces = line.split_inclusive(|c| !is_part(c));
    pieces.map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_begin_like_ours() {
        let text = "# 1 \"accl_a.c\"\nint accl_if, my_accl_if; const char *s = \"accl_x\";\n\
                    #pragma acc data copy(accl_if,accl_vars) if(accl_if)\n{ f(accl_vars); }\n";
        let expected = "# 1 \"accl_a.c\"\nint program_s_accl_if, my_accl_if; const char *s = \"accl_x\";\n\
                    #pragma acc data copy(program_s_accl_if,program_s_accl_vars) if(program_s_accl_if)\n\
                    { f(program_s_accl_vars); }\n";
        assert_eq!(marked(text.to_owned()), expected);
        assert_eq!(marked(expected.to_owned()), expected);
    }
}
