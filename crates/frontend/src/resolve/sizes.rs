//! Numbers of teams and threads that a function computes (`num_teams(f(n))`): a variable before the construct has the value, which
//! device code is then given like that of any other.

use super::words::{Cursor, Word, split, text_of};
use super::{EditedText, rest};
use std::ops::Range;

const SIZES: [&str; 3] = ["num_teams", "thread_limit", "num_threads"];

/// A construct whose clauses are evaluated before it.
pub fn concerns(directive: &str) -> bool {
    let construct = directive.strip_prefix("target").map(str::trim_start);
    let is_construct = construct
        .is_some_and(|d| !["data", "enter", "exit", "update"].iter().any(|other| d.starts_with(other)));
    is_construct && SIZES.iter().any(|clause| directive.contains(clause)) && !computed(directive).is_empty()
}

/// The places of the expressions in which functions are called, last ones first.
fn computed(directive: &str) -> Vec<Range<usize>> {
    let mut cursor = Cursor::new(directive);
    let mut found = vec![];
    while let Some(word) = cursor.take() {
        let Some(inside) = cursor.parenthesized() else { continue };
        if SIZES.contains(&word) {
            // `lower : upper`, unless the colon may be a conditional expression's.
            let conditional = cursor.words[inside.clone()].iter().any(|w| w.text == "?");
            let parts = if conditional { vec![inside] } else { split(&cursor.words, inside, ":") };
            for size in parts {
                if calls(&cursor.words[size.clone()]) {
                    let start = cursor.words[size.start].range.start;
                    found.push(start..start + text_of(directive, &cursor.words, size).len());
                }
            }
        }
    }
    found.reverse();
    found
}

fn calls(words: &[Word<'_>]) -> bool {
    let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    words.windows(2).any(|pair| pair[1].text == "(" && is_name(pair[0].text) && pair[0].text != "sizeof")
}

pub fn computed_before(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let mut directive = rest(&text.buffer[line.clone()]).to_owned();
    let statement = text.statement(&line)?;
    let mut declarations = String::new();
    for (number, place) in computed(&directive).into_iter().enumerate() {
        let name = format!("accl_size_{}_{number}", line.start);
        declarations.push_str(&format!(" const int {name} = {};", &directive[place.clone()]));
        directive.replace_range(place, &name);
    }
    text.buffer.insert(statement.end, '}');
    text.replace(
        line.clone(),
        &format!("{{{declarations}\n{}\n#pragma omp {directive}", text.marker(line.start)),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_computed() {
        let found = |directive: &str| -> Vec<String> {
            computed(directive).into_iter().map(|place| directive[place].to_owned()).collect()
        };
        assert_eq!(found("target teams num_teams(f(n)) thread_limit(64)"), ["f(n)"]);
        assert_eq!(
            found("target teams num_teams(2:a::g(m)) thread_limit(c ? h() : 4)"),
            ["c ? h() : 4", "a::g(m)"]
        );
        assert!(
            found("target teams num_teams((n + 3) / 4) num_threads(sizeof(x)) map(to: a[f(n)])").is_empty()
        );
        assert!(!concerns("target data map(a) if(num_threads(2))"));
    }
}
