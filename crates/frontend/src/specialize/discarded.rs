//! What `if constexpr` discards in an instance of a template: in a function that is no template it would have to be right.

use crate::ast::{ExprKind, Stmt, StmtKind};
use crate::lower::walk;
use accl_source::Span;

/// Takes discarded statements out of the body's text, which starts at `start` in the buffer. Lines stay where they are.
pub fn remove(text: &mut String, start: usize, body: &Stmt) {
    let mut ranges = vec![];
    find(text, start, body, &mut ranges);
    for (from, to) in ranges {
        let blank: String = text[from..to].split_inclusive('\n').map(blank_line).collect();
        text.replace_range(from..to, &format!("{{{}}}", &blank[1..blank.len() - 1]));
    }
}

/// The places of discarded statements.
pub fn parts(buffer: &str, body: &Stmt) -> Vec<Span> {
    let (start, mut ranges) = (body.span.start as usize, vec![]);
    let Some(text) = buffer.get(start..body.span.end as usize) else { return vec![] };
    find(text, start, body, &mut ranges);
    let part = |(from, to): &(usize, usize)| Span {
        start: (start + from) as u32,
        end: (start + to) as u32,
        ..body.span
    };
    ranges.iter().map(part).collect()
}

/// Line markers stay.
fn blank_line(line: &str) -> String {
    match line.starts_with("# ") {
        true => line.to_owned(),
        false => line.bytes().map(|c| if c == b'\n' { '\n' } else { ' ' }).collect(),
    }
}

fn find(text: &str, start: usize, stmt: &Stmt, ranges: &mut Vec<(usize, usize)>) {
    if let StmtKind::If { cond, then, otherwise, .. } = &stmt.kind
        && let ExprKind::Int(value) = &cond.kind
        && !then.span.is_nowhere()
    {
        let at = (then.span.start as usize).saturating_sub(start);
        let then_is_gone = matches!(then.kind, StmtKind::Null);
        if let Some(end) = text.get(at..).and_then(statement).map(|length| at + length) {
            if *value == 0 && then_is_gone {
                ranges.push((at, end));
            }
            if *value != 0
                && otherwise.is_none()
                && let Some(behind) = behind_else(&text[end..])
                && let Some(length) = statement(&text[end + behind..])
            {
                let space = text[end + behind..].len() - text[end + behind..].trim_start().len();
                ranges.push((end + behind + space, end + behind + length));
            }
        }
    }
    walk::children(stmt).into_iter().for_each(|s| find(text, start, s, ranges));
    // An empty statement is right everywhere.
    ranges.retain(|(from, to)| to - from > 1);
}

/// How long the text is up to the end of the statement that it begins with.
fn statement(text: &str) -> Option<usize> {
    let from = text.len() - text.trim_start().len();
    let rest = &text[from..];
    let after = |length: usize| Some(from + length + statement(&rest[length..])?);
    match word(rest) {
        _ if rest.starts_with('#') => after(rest.find('\n')?),
        "if" => {
            let end = after(closing(rest, ')')?)?;
            match behind_else(&text[end..]) {
                Some(behind) => Some(end + behind + statement(&text[end + behind..])?),
                None => Some(end),
            }
        }
        "for" | "while" | "switch" => after(closing(rest, ')')?),
        "do" => {
            let end = after("do".len())?;
            Some(end + closing(&text[end..], ';')?)
        }
        _ => Some(from + closing(rest, if rest.starts_with('{') { '}' } else { ';' })?),
    }
}

fn word(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())]
}

/// How long the text is up to behind the `else` that it begins with.
fn behind_else(text: &str) -> Option<usize> {
    let rest = text.trim_start();
    (word(rest) == "else").then_some(text.len() - rest.len() + "else".len())
}

/// How long the text is up to the first such character that is in no bracket that opens in it.
fn closing(text: &str, last: char) -> Option<usize> {
    let mut depth = 0;
    super::place::unquoted(text).find_map(|(at, c)| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        (depth == 0 && c == last).then_some(at + 1)
    })
}
