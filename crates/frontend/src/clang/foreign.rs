//! Lets clang read what gcc has preprocessed.
//!
//! Where gcc compiles the host program, its own headers must be in the text. They use types and built-in functions
//! of gcc's that clang does not know. The types are replaced by names of the same length that clang knows, so that
//! positions do not change. A function that clang cannot read does not matter, as long as it can read the user's
//! own text.

use accl_source::LineMap;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Names that gcc knows and clang does not, and what clang reads in their place.
const WORDS: &[(&str, &str)] = &[
    ("_Float32", "float   "),
    ("_Float64", "double  "),
    ("_Float32x", "double   "),
    ("_Float64x", "double   "),
    ("_Float128", "double   "),
    ("_Float16", "__fp16  "),
    ("integer_sequence<_Tp, __integer_pack(_Num)...>", "__make_integer_seq<integer_sequence,_Tp,_Num> "),
];

/// What pairs, threads and `bind` take the elements of tuples by, as gcc's library defines it for gcc, and where that begins.
const INDICES: (&str, &str) =
    ("struct _Build_index_tuple", "using __type = _Index_tuple<__integer_pack(_Num)...>;");
/// The same, as the library defines it for clang.
const INDICES_OF_CLANG: &str = "struct _Build_index_tuple{template<class T,T...I>using X=_Index_tuple<I...>;\
                                using __type=__make_integer_seq<X,size_t,_Num>;";

/// The buffer as clang can read it; every position is unchanged.
pub fn as_clang_has_it(buffer: &str) -> Cow<'_, str> {
    if !WORDS.iter().any(|(word, _)| buffer.contains(word)) {
        return buffer.into();
    }
    let mut text = buffer.to_owned();
    if let Some(end) = text.find(INDICES.1).map(|at| at + INDICES.1.len())
        && let Some(start) = text[..end].rfind(INDICES.0)
        && INDICES_OF_CLANG.len() <= end - start
    {
        text.replace_range(start..end, &format!("{INDICES_OF_CLANG:<0$}", end - start));
    }
    // Longer words first: one is the start of another.
    let mut words = WORDS.to_vec();
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    for (word, other) in words {
        debug_assert_eq!(word.len(), other.len());
        text = with_word(&text, word, other);
    }
    text.into()
}

fn with_word(text: &str, word: &str, other: &str) -> String {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !before.ends_with(is_letter) && !after.starts_with(is_letter);
        out.push_str(before);
        out.push_str(if whole { other } else { word });
        rest = after;
    }
    out + rest
}

/// The system headers that the buffer is made of.
pub fn system_headers<'a>(buffer: &str, lines: &'a LineMap) -> BTreeSet<&'a str> {
    let mut system = BTreeSet::new();
    let mut at = 0;
    for line in buffer.split_inclusive('\n') {
        at += line.len();
        if line.starts_with("# ") && at < buffer.len() && lines.is_system(at as u32) {
            system.insert(lines.locate(at as u32).file);
        }
    }
    system
}

/// Whether clang complains about nothing that the user wrote.
pub fn only_in_system_headers(messages: &str, system: &BTreeSet<&str>) -> bool {
    let mut errors = messages.lines().filter(|line| is_error(line)).peekable();
    errors.peek().is_some() && errors.all(|line| is_in(line, system))
}

/// A line of clang's messages that begins an error.
pub fn is_error(line: &str) -> bool {
    line.contains(" error: ")
}

/// Where an error is: file and line.
pub fn place(error: &str) -> Option<(&str, u32)> {
    let mut parts = error.split(':');
    Some((parts.next()?, parts.next()?.parse().ok()?))
}

/// The same of all errors.
pub fn places(messages: &str) -> BTreeSet<(&str, u32)> {
    messages.lines().filter(|line| is_error(line)).filter_map(place).collect()
}

/// Whether the error is in one of these files.
pub fn is_in(error: &str, files: &BTreeSet<&str>) -> bool {
    error.split(':').next().is_some_and(|file| files.contains(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_length() {
        assert!(WORDS.iter().all(|(word, other)| word.len() == other.len()));
        assert_eq!(
            as_clang_has_it("_Float32x a; _Float32 b; my_Float32"),
            "double    a; float    b; my_Float32"
        );
    }

    #[test]
    fn the_indices_of_tuples_keep_their_length() {
        let (head, value) = INDICES;
        let text = format!(
            "_Float32 a; {head}\n {{\n# 154 \"/usr/include/c++/12/bits/utility.h\" 3\n {value}\n }};"
        );
        let shown = as_clang_has_it(&text);
        assert_eq!(shown.len(), text.len());
        assert!(shown.contains(INDICES_OF_CLANG) && shown.ends_with(" \n };"), "{shown}");
    }
}
