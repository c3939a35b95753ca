//! What `if constexpr` discards in an instance of a template: in a function that is no template it would have to be right.

use crate::ast::{ExprKind, Stmt, StmtKind};
use crate::lower::walk;

/// Takes discarded statements out of the body's text, which starts at `start` in the buffer. Lines stay where they are.
pub fn remove(text: &mut String, start: usize, body: &Stmt) {
    let mut ranges = vec![];
    find(text, start, body, &mut ranges);
    for (from, to) in ranges {
        let blank: String = text[from..to].split_inclusive('\n').map(blank_line).collect();
        text.replace_range(from..to, &format!("{{{}}}", &blank[1..blank.len() - 1]));
    }
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
        let end = text.get(at..).and_then(braces);
        if let Some(length) = end {
            if *value == 0 && then_is_gone {
                ranges.push((at, at + length));
            }
            let rest = &text[at + length..];
            let behind = rest.trim_start();
            if *value != 0 && otherwise.is_none() && behind.starts_with("else") {
                let skipped = rest.len() - behind.len() + "else".len();
                let last = chain(&rest[skipped..]);
                let open = rest[skipped..].len() - rest[skipped..].trim_start().len() + skipped;
                if let Some(last) = last {
                    ranges.push((at + length + open, at + length + skipped + last));
                }
            }
        }
    }
    walk::children(stmt).into_iter().for_each(|s| find(text, start, s, ranges));
}

/// How long a text in braces is that the text begins with.
fn braces(text: &str) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let mut depth = 0;
    super::place::unquoted(text).find_map(|(at, c)| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        (depth == 0).then_some(at + 1)
    })
}

/// Where what follows an `else` ends: a block, or further conditions with blocks.
fn chain(text: &str) -> Option<usize> {
    let open = text.find('{')?;
    let head = text[..open].trim();
    let mut end = open + braces(&text[open..])?;
    if head.is_empty() {
        return Some(end);
    }
    if !head.starts_with("if") || head.contains(';') {
        return None;
    }
    let behind = text[end..].trim_start();
    if let Some(rest) = behind.strip_prefix("else") {
        end = text.len() - rest.len() + chain(rest)?;
    }
    Some(end)
}
