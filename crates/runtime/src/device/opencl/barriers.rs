//! Kernels with barriers apart from those without.
//!
//! PoCL (3.1) optimises a kernel before it divides it at its barriers, and gives wrong results where one stands in a loop. So its
//! optimiser is switched off for these, and the others get a program of their own, which it may optimise.

use std::collections::BTreeSet;

/// Whether the kernel of this name has barriers, and the source with only those kernels that are like it in that.
pub fn like(source: &str, symbol: &str) -> (bool, String) {
    let all = definitions(source);
    let mut waiting: BTreeSet<&str> = BTreeSet::new();
    loop {
        let known = waiting.len();
        let waits = |text: &str| text.contains("barrier(") || waiting.iter().any(|name| calls(text, name));
        let more: Vec<&str> = all.iter().filter(|text| waits(text)).filter_map(|text| name(text)).collect();
        waiting.extend(more);
        if waiting.len() == known {
            break;
        }
    }
    let waits = waiting.contains(symbol);
    let kept =
        |text: &&&str| !is_kernel(text) || name(text).is_some_and(|name| waiting.contains(name) == waits);
    (waits, all.iter().filter(kept).copied().collect())
}

/// The text in pieces, each of which ends with the definition of a function or a type.
fn definitions(source: &str) -> Vec<&str> {
    let (mut all, mut start, mut end) = (vec![], 0, 0);
    for line in source.split_inclusive('\n') {
        end += line.len();
        if line.starts_with('}') {
            all.push(&source[start..end]);
            start = end;
        }
    }
    all.push(&source[start..]);
    all
}

fn is_kernel(text: &str) -> bool {
    header(text).is_some_and(|header| header.contains("__kernel "))
}

/// Of a function: all up to its body.
fn header(text: &str) -> Option<&str> {
    text.split_once("\n{").map(|(header, _)| header)
}

/// The function's name stands before its parameters, behind attributes.
fn name(text: &str) -> Option<&str> {
    let header = header(text)?;
    let names = header.match_indices('(').map(|(at, _)| {
        let start = header[..at].rfind(|c: char| !is_word(c)).map_or(0, |before| before + 1);
        &header[start..at]
    });
    names.filter(|name| !name.is_empty() && *name != "__attribute__").find(|name| !is_attribute(header, name))
}

/// Attributes have arguments, too: `__attribute__((reqd_work_group_size(8, 1, 1)))`.
fn is_attribute(header: &str, name: &str) -> bool {
    header.contains(&format!("__attribute__(({name}("))
}

fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name)
        .any(|(at, _)| text[at + name.len()..].starts_with('(') && !text[..at].ends_with(is_word))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#define N 3\n\
        static __attribute__((always_inline)) float sum(float value)\n{\n    barrier(CLK_LOCAL_MEM_FENCE);\n    return value;\n}\n\
        \n/* a */\n__kernel void a(__global float *x)\n{\n    x[0] = 1;\n}\n\
        \n/* b */\n__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void b(__global float *x)\n{\n    x[0] = sum(x[1]);\n}\n";

    #[test]
    fn kernels_with_barriers_are_apart() {
        let (waits, text) = like(SOURCE, "a");
        assert!(
            !waits && text.contains("void a(") && !text.contains("void b(") && text.contains("#define N 3")
        );
        let (waits, text) = like(SOURCE, "b");
        assert!(
            waits && !text.contains("void a(") && text.contains("void b(") && text.contains("float sum(")
        );
    }
}
