//! Numbers of teams and threads that a function computes (`num_teams(f(n))`): a variable before the construct has the value, which
//! device code is then given like that of any other. So it is with a `teams` that is all that its `target` holds.

use super::words::{Cursor, Word, split, text_of};
use super::{EditedText, rest};
use std::ops::Range;

const SIZES: [&str; 3] = ["num_teams", "thread_limit", "num_threads"];

/// A construct whose clauses are evaluated before it, in that line of the text.
pub fn concerns(buffer: &str, line: &Range<usize>) -> bool {
    let has_calls = |directive: &str| {
        SIZES.iter().any(|clause| directive.contains(clause)) && !computed(directive).is_empty()
    };
    let directive = rest(&buffer[line.clone()]);
    let construct = directive.strip_prefix("target").map(str::trim_start);
    let is_construct = construct
        .is_some_and(|d| !["data", "enter", "exit", "update"].iter().any(|other| d.starts_with(other)));
    let in_teams = || teams_in(buffer, line).is_some_and(|teams| has_calls(rest(&buffer[teams])));
    is_construct && (has_calls(directive) || in_teams())
}

/// The line of a `teams` directive with which the statement behind the line begins.
fn teams_in(buffer: &str, line: &Range<usize>) -> Option<Range<usize>> {
    let mut at = line.end;
    for text in buffer[line.end..].split_inclusive('\n') {
        let word = text.trim();
        let is_marker = word.starts_with("# ") || word.starts_with("#line");
        if !(word.is_empty() || word == "{" || is_marker) {
            let start = at + (text.len() - text.trim_start().len());
            let is_teams = word.starts_with("#pragma omp") && rest(word).starts_with("teams");
            return is_teams.then(|| start..start + word.len());
        }
        at += text.len();
    }
    None
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
    let (mut declarations, mut number) = (String::new(), 0);
    let mut take = |directive: &mut String| {
        for place in computed(directive) {
            let name = format!("accl_size_{}_{number}", line.start);
            declarations.push_str(&format!(" const int {name} = {};", &directive[place.clone()]));
            directive.replace_range(place, &name);
            number += 1;
        }
    };
    if let Some(teams) = teams_in(&text.buffer, &line) {
        let mut directive = rest(&text.buffer[teams.clone()]).to_owned();
        take(&mut directive);
        text.replace(teams, &format!("#pragma omp {directive}"));
    }
    let mut directive = rest(&text.buffer[line.clone()]).to_owned();
    take(&mut directive);
    let statement = text.statement(&line)?;
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
        let concerned = |text: &str| concerns(text, &(0..text.find('\n').unwrap_or(text.len())));
        assert!(!concerned("#pragma omp target data map(a) if(num_threads(2))"));
        assert!(concerned("#pragma omp target map(a)\n# 3 \"a.c\"\n  {\n#pragma omp teams num_teams(f())\n"));
        assert!(!concerned("#pragma omp target map(a)\na = 1;\n#pragma omp teams num_teams(f())\n"));
    }
}
