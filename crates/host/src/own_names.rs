//! Gives the program's names back that were marked since they begin as ours do (`frontend::own_names`).
//!
//! Where the program has a name that we have put in, too, ours gets another one. Those of the runtime's interface cannot.

use crate::{HostError, Result, lexer};
use accl_ir::{OF_PROGRAM, OURS};
use std::collections::BTreeSet;

/// Functions of the runtime that the interface's header does not declare, by what their names begin with, and names that several objects
/// share.
const SHARED: [&str; 13] = [
    "accl_omp_",
    "accl_module_",
    "accl_address_",
    "accl_count_rows",
    "accl_device_is_newer",
    "accl_free_rows",
    "accl_host_",
    "accl_is_known",
    "accl_is_on_stack",
    "accl_is_small",
    "accl_make_rows",
    "accl_rows_are_known",
    "accl_seconds",
];

/// The text with all names as they are compiled.
pub fn restored(text: String) -> Result<String> {
    let mark = format!("{OF_PROGRAM}{OURS}");
    if !text.contains(&mark) {
        return Ok(text);
    }
    let names: Vec<&str> = identifiers(&text).collect();
    let of_program: BTreeSet<&str> = names
        .iter()
        .filter_map(|name| name.strip_prefix(OF_PROGRAM))
        .filter(|n| n.starts_with(OURS))
        .collect();
    let ours: BTreeSet<&str> = names.into_iter().filter(|name| name.starts_with(OURS)).collect();
    let of_interface: BTreeSet<&str> = identifiers(accl_abi::HEADER).collect();
    let is_shared =
        |name: &str| of_interface.contains(name) || SHARED.iter().any(|start| name.starts_with(start));
    if let Some(name) = of_program.intersection(&ours).find(|name| is_shared(name)) {
        let what = format!("`{name}` is a name of accl's runtime: the program needs another one for it");
        return Err(HostError::Unsupported { what, span: accl_source::Span::NOWHERE });
    }
    let mut result = String::new();
    let mut done = 0;
    for name in identifiers(&text) {
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        if name.starts_with(OURS) && of_program.contains(name) {
            let mut other = format!("{name}_of_accl");
            while of_program.contains(&*other) || ours.contains(&*other) {
                other.push('_');
            }
            result.push_str(&text[done..start]);
            result.push_str(&other);
            done = start + name.len();
        }
    }
    result.push_str(&text[done..]);
    Ok(result.replace(&mark, OURS))
}

/// Those of a text, without what stands in literals.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let c = text[at..].chars().next()?;
            if c.is_ascii_alphanumeric() || c == '_' {
                let rest = &text[at..];
                let length =
                    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                at += length;
                // A quote in a number separates digits.
                at += usize::from(c.is_ascii_digit() && text[at..].starts_with('\''));
                return Some(&rest[..length]);
            }
            at = match c {
                '"' | '\'' => lexer::string_end(text.as_bytes(), at, c as u8).min(text.len()),
                _ => at + c.len_utf8(),
            };
        }
    })
}
