//! `-S` for a file with directives: several assembly texts become one file.
//!
//! The host program, the tables and the kernels of the cpu device are compiled to assembly separately, like their
//! objects, and written one after the other. An assembly file has one scope, so names that are local to one of them
//! (temporary labels and static functions) are made unique first.

use std::collections::BTreeSet;

/// All parts as one file; the first keeps its names.
pub fn joined(parts: &[String]) -> String {
    let mut all = String::new();
    for (number, part) in parts.iter().enumerate() {
        match number {
            0 => all.push_str(part),
            _ => all.push_str(&with_own_names(part, &format!("accl{number}"))),
        }
        if !all.ends_with('\n') {
            all.push('\n');
        }
    }
    all
}

/// Every symbol that the part defines and does not export is called `name.suffix`.
fn with_own_names(part: &str, suffix: &str) -> String {
    let local = local_symbols(part);
    let mut out = String::with_capacity(part.len() + part.len() / 8);
    for line in part.split_inclusive('\n') {
        rename(line, &local, suffix, &mut out);
    }
    out
}

fn local_symbols(part: &str) -> BTreeSet<&str> {
    let mut defined = BTreeSet::new();
    let mut exported = BTreeSet::new();
    for line in part.lines().map(str::trim) {
        let mut words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
        match (words.next(), words.next()) {
            (Some(".globl" | ".global" | ".weak"), Some(name)) => exported.insert(name),
            (Some(".local" | ".comm" | ".lcomm" | ".set"), Some(name)) => defined.insert(name),
            _ => false,
        };
        let name = &line[..line.bytes().take_while(|b| is_name(*b)).count()];
        let is_number = name.bytes().all(|b| b.is_ascii_digit());
        if !is_number && line[name.len()..].starts_with(':') {
            defined.insert(name);
        }
    }
    &defined - &exported
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$') || byte >= 0x80
}

/// Copies a line, with the names outside of strings renamed; a comment has none.
fn rename(line: &str, local: &BTreeSet<&str>, suffix: &str, out: &mut String) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if bytes[at] == b'"' {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(bytes.len());
            out.push_str(&line[start..at]);
        } else if is_name(bytes[at]) {
            at += bytes[at..].iter().take_while(|b| is_name(**b)).count();
            let name = &line[start..at];
            out.push_str(name);
            if local.contains(name) {
                out.push('.');
                out.push_str(suffix);
            }
        } else {
            at += 1;
            out.push_str(&line[start..at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_local_to_a_part_gets_a_name_of_its_own() {
        let host = "square:\n\tret\n.LBB0_1:\n".to_owned();
        let kernels =
            "\t.globl\tmain_3\nmain_3:\n\tcallq\tsquare@PLT\n\tjmp\t.LBB0_1 # .LBB0_1\nsquare:\n\tret\n\
                       .LBB0_1:\n\t.quad\t.LBB0_1-square\n\t.ascii\t\"square \\\" .LBB0_1\"\n1:\n\tjmp 1b"
                .to_owned();
        let text = joined(&[host.clone(), kernels]);
        assert!(text.starts_with(&host));
        let expected = "\t.globl\tmain_3\nmain_3:\n\tcallq\tsquare.accl1@PLT\n\tjmp\t.LBB0_1.accl1 # .LBB0_1.accl1\n\
                        square.accl1:\n\tret\n.LBB0_1.accl1:\n\t.quad\t.LBB0_1.accl1-square.accl1\n\
                        \t.ascii\t\"square \\\" .LBB0_1\"\n1:\n\tjmp 1b\n";
        assert_eq!(&text[host.len()..], expected);
    }
}
