//! What C programs say of an array in `host_data` that a pointer, which shadows it, would mean otherwise: `sizeof a` and `&a`.

use super::{compute_regions, is_array, is_name};
use crate::Result;
use crate::translate::tokens::tokens;
use crate::unit::HostSource;
use accl_ir::{Block, Region, RegionKind, Stmt};
use accl_source::Span;
use std::ops::Range;

pub fn replace(unit: &mut HostSource, region: &Region) -> Result<()> {
    let items = region.clauses.data.iter().enumerate();
    let arrays: Vec<(usize, String)> = items
        .filter(|(_, item)| is_name(&item.base) && is_array(unit, item))
        .map(|(at, item)| (at, item.base.clone()))
        .collect();
    if arrays.is_empty() {
        return Ok(());
    }
    let text = unit.text(region.body_span)?.to_owned();
    let mut others = vec![];
    compute_regions(&region.body, &mut others);
    for (at, name) in arrays {
        let mut hidden = others.clone();
        shadowed(&region.body, &name, &mut hidden);
        for (range, word) in found(&text, &name) {
            let start = region.body_span.start + range.start as u32;
            let span = Span { start, end: region.body_span.start + range.end as u32, ..region.body_span };
            if hidden.iter().any(|other| other.contains(span)) {
                continue;
            }
            let replacement = match word {
                Of::Size => format!("sizeof(accl_array_{at})"),
                Of::Address => format!("((accl_array_{at} *){name})"),
            };
            unit.edits.replace(span.start, span.end, replacement);
        }
    }
    Ok(())
}

/// The constructs in a block that shadow the name themselves.
fn shadowed(block: &Block, name: &str, hidden: &mut Vec<Span>) {
    for node in block {
        if let Stmt::Region(region) = &node.kind
            && region.kind == RegionKind::HostData
            && region.clauses.data.iter().any(|item| item.base == name)
        {
            hidden.push(region.body_span);
        }
        node.kind.blocks().into_iter().for_each(|inner| shadowed(inner, name, hidden));
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    Size,
    Address,
}

/// Where `sizeof name`, `sizeof(name)` and `&name` stand.
fn found(text: &str, name: &str) -> Vec<(Range<usize>, Of)> {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.start..token.end]);
    let touches = |at: usize| tokens.get(at).zip(tokens.get(at + 1)).is_some_and(|(a, b)| a.end == b.start);
    let is_element = |next: usize| {
        matches!(word(next), "[" | ".") || word(next) == "-" && word(next + 1) == ">" && touches(next)
    };
    let mut found = vec![];
    for at in 0..tokens.len() {
        let is_and = at > 0 && word(at - 1) == "&" && touches(at - 1);
        let (end, of) = match (word(at), word(at + 1), word(at + 2), word(at + 3)) {
            ("sizeof", "(", named, ")") if named == name => (at + 3, Of::Size),
            ("sizeof", named, ..) if named == name && !is_element(at + 2) => (at + 1, Of::Size),
            ("&", named, ..) if named == name && !is_and && !is_element(at + 2) => (at + 1, Of::Address),
            _ => continue,
        };
        found.push((tokens[at].start..tokens[end].end, of));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_addresses_of_the_array() {
        let text = "f(sizeof a, sizeof ( a ), &a, sizeof a[0], &a[1], x && a, \"sizeof a\", sizeof ab);\n# 3 \"&a\"\n";
        let words: Vec<&str> = found(text, "a").into_iter().map(|(range, _)| &text[range]).collect();
        assert_eq!(words, ["sizeof a", "sizeof ( a )", "&a"]);
    }
}
