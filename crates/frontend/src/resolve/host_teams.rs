//! `teams` and `distribute` in code for the host, in a file that has constructs for devices, too. They are the host's compiler's,
//! so they get a word that tells them from those in target constructs; the host crate takes it away again.

use super::{EditedText, rest};
use accl_ir::HOST_DIRECTIVE;
use std::ops::Range;

pub fn concerns(directive: &str) -> bool {
    directive.starts_with("teams") || directive.starts_with("distribute")
}

pub fn mark(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let world = text.world(line.start);
    let directive = rest(&text.buffer[line.clone()]).to_owned();
    let in_teams = directive.starts_with("teams") || world.constructs.iter().any(|name| name == "teams");
    if !world.on_device && in_teams {
        text.replace(line, &format!("#pragma omp {HOST_DIRECTIVE} {directive}"));
    }
    Ok(())
}
