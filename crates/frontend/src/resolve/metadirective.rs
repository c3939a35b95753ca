//! `metadirective` (OpenMP 5.2 §7.4): one of several directives, by the place where it stands and by conditions.

use super::selector::{Match, Selector};
use super::words::{Cursor, text_of};
use super::{EditedText, first_words, host_teams, rest};
use accl_ir::HOST_DIRECTIVE;
use std::ops::Range;

/// A directive that may be taken.
struct Candidate {
    conditions: Vec<String>,
    score: u64,
    /// The words of the directive; none: nothing.
    directive: String,
}

/// The candidates in the order in which they are asked; the last has no condition.
fn candidates(text: &EditedText<'_>, line: &Range<usize>) -> Result<Vec<Candidate>, String> {
    let written = rest(&text.buffer[line.clone()]);
    let mut cursor = Cursor::new(written);
    cursor.eat("begin");
    cursor.eat("metadirective");
    let world = text.world(line.start);
    let mut found = vec![];
    let mut otherwise = String::new();
    while let Some(name) = cursor.take() {
        if name == "," {
            continue;
        }
        let inside = cursor.parenthesized().ok_or_else(|| format!("expected the argument of `{name}`"))?;
        match name {
            "when" => {
                let colon = colon(&cursor, &inside).ok_or("expected `:` behind the selector of `when`")?;
                let selector = Selector::parse(written, &cursor, inside.start..colon)?;
                if let Some(Match { score, conditions }) = selector.matches(&world)? {
                    let directive = text_of(written, &cursor.words, colon + 1..inside.end).to_owned();
                    found.push(Candidate { conditions, score, directive });
                }
            }
            "otherwise" | "default" => otherwise = text_of(written, &cursor.words, inside).to_owned(),
            other => return Err(format!("`{other}` is no clause of `omp metadirective`")),
        }
    }
    // Of candidates that fit alike the first one is taken.
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    let certain = found.iter().position(|candidate| candidate.conditions.is_empty());
    found.truncate(certain.map_or(found.len(), |at| at + 1));
    if certain.is_none() {
        found.push(Candidate { conditions: vec![], score: 0, directive: otherwise });
    }
    for candidate in &mut found {
        if candidate.directive.trim() == "nothing" {
            candidate.directive.clear();
        }
        if !world.on_device && host_teams::concerns(&candidate.directive) {
            candidate.directive = format!("{HOST_DIRECTIVE} {}", candidate.directive);
        }
    }
    // A `teams` construct must be all that its `target` construct holds.
    if world.on_device && found.len() > 1 && found.iter().any(|c| host_teams::concerns(&c.directive)) {
        return Err("a choice of teams that is made while device code runs is not implemented yet".into());
    }
    Ok(found)
}

/// Conditions about other devices call the runtime.
fn declare_routines(text: &mut EditedText<'_>, candidates: &[Candidate]) {
    if candidates.iter().flat_map(|c| &c.conditions).any(|condition| condition.contains("accl_omp_")) {
        text.needs_prototypes();
    }
}

/// The colon outside of brackets.
fn colon(cursor: &Cursor<'_>, range: &Range<usize>) -> Option<usize> {
    let mut depth = 0;
    range.clone().find(|at| {
        match cursor.words[*at].text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0 && cursor.words[*at].text == ":"
    })
}

fn pragma(directive: &str) -> String {
    if directive.is_empty() { String::new() } else { format!("#pragma omp {directive}") }
}

/// Directives that stand alone: no statement belongs to them.
fn stands_alone(directive: &str) -> bool {
    matches!(
        first_words(&pragma(directive))[..],
        [
            "barrier"
                | "taskwait"
                | "taskyield"
                | "flush"
                | "error"
                | "cancel"
                | "cancellation"
                | "interop"
                | "depobj",
            ..
        ] | ["target", "update" | "enter" | "exit", ..]
    )
}

pub fn standing(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let found = candidates(text, &line)?;
    declare_routines(text, &found);
    if let [only] = &found[..] {
        let pragma = pragma(&only.directive);
        text.replace(line, &pragma);
        return Ok(());
    }
    if found.iter().all(|candidate| candidate.directive.is_empty() || stands_alone(&candidate.directive)) {
        let choice = chosen(&found, |candidate| format!("{}\n;", pragma(&candidate.directive)));
        text.replace(line, &choice);
        return Ok(());
    }
    let statement = text.statement(&line)?;
    let body = text.buffer[statement.clone()].to_owned();
    let marker = text.marker(statement.start);
    let choice = chosen(&found, |candidate| format!("{}\n{marker}{body}", pragma(&candidate.directive)));
    text.replace(line.start..statement.end, &choice);
    Ok(())
}

/// `if` for the conditions of each.
fn chosen(candidates: &[Candidate], body: impl Fn(&Candidate) -> String) -> String {
    let mut out = String::from("{ ");
    for candidate in candidates {
        if !candidate.conditions.is_empty() {
            out.push_str(&format!("if (({})) ", candidate.conditions.join(") && (")));
        }
        out.push_str(&format!("{{\n{}\n}} ", body(candidate)));
        if !candidate.conditions.is_empty() {
            out.push_str("else ");
        }
    }
    out + "}"
}

/// `begin metadirective` … `end metadirective`
pub fn begin(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let found = candidates(text, &line)?;
    declare_routines(text, &found);
    let end = end_of(text, &line).ok_or("`begin metadirective` has no `end metadirective`")?;
    let body = text.buffer[line.end..end.start].to_owned();
    let marker = text.marker(line.end);
    let one = |candidate: &Candidate| match is_loop(&candidate.directive) || candidate.directive.is_empty() {
        true => format!("{}\n{marker}{body}", pragma(&candidate.directive)),
        false => format!("{}\n{{\n{marker}{body}}}", pragma(&candidate.directive)),
    };
    let all = match &found[..] {
        [only] => one(only),
        several => chosen(several, one),
    };
    text.replace(line.start..end.end, &all);
    Ok(())
}

/// A loop cannot stand in braces behind its directive.
fn is_loop(directive: &str) -> bool {
    let separate = |c: char| !c.is_alphanumeric() && c != '_';
    let mut words = directive.split(separate).filter(|w| !w.is_empty());
    const CONSTRUCTS: [&str; 7] =
        [HOST_DIRECTIVE, "target", "teams", "distribute", "parallel", "masked", "master"];
    let last = words.find(|word| !CONSTRUCTS.contains(word)).unwrap_or("");
    let ends_with_distribute = directive.trim_end().ends_with("distribute");
    matches!(last, "for" | "simd" | "loop" | "taskloop" | "tile" | "unroll")
        || directive.contains("distribute") && (ends_with_distribute || !directive.contains("parallel"))
}

fn end_of(text: &EditedText<'_>, line: &Range<usize>) -> Option<Range<usize>> {
    let mut depth = 1;
    let mut at = line.end;
    for one in text.buffer[line.end..].split_inclusive('\n') {
        let written = one.trim();
        if written.starts_with("#pragma omp") {
            match first_words(written)[..] {
                ["begin", "metadirective", ..] => depth += 1,
                ["end", "metadirective", ..] => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let start = at + (one.len() - one.trim_start().len());
                return Some(start..start + written.len());
            }
        }
        at += one.len();
    }
    None
}
