//! `error` in code for devices (OpenMP 5.2 §8.5). The host's compiler sees to those in code for the host.

use super::words::{Cursor, text_of};
use super::{EditedText, rest};
use std::ops::Range;

pub fn print(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    if !text.world(line.start).on_device {
        return Ok(());
    }
    let written = rest(&text.buffer[line.clone()]).to_owned();
    let mut cursor = Cursor::new(&written);
    cursor.eat("error");
    let (mut at_execution, mut fatal, mut message) = (false, true, None);
    while let Some(name) = cursor.take() {
        if name == "," {
            continue;
        }
        let inside = cursor.parenthesized().ok_or_else(|| format!("expected the argument of `{name}`"))?;
        let argument = text_of(&written, &cursor.words, inside);
        match (name, argument) {
            ("at", "execution") => at_execution = true,
            ("at", "compilation") => at_execution = false,
            ("severity", "warning") => fatal = false,
            ("severity", "fatal") => fatal = true,
            ("message", text) => message = Some(text.to_owned()),
            (name, _) => return Err(format!("this is no argument of `{name}` of `omp error`")),
        }
    }
    if message.as_ref().is_some_and(|text| !text.starts_with('"')) {
        return Err("a message of device code that is no string literal is not implemented yet".into());
    }
    if !at_execution {
        let said = message.as_deref().unwrap_or("\"\"").trim_matches('"').to_owned();
        if fatal {
            return Err(format!("the program asks for an error here: {said}"));
        }
        text.replace(line, "");
        return Ok(());
    }
    let said = message.map_or(String::new(), |text| format!(": \" {text} \""));
    let end = if fatal { " __builtin_abort();" } else { "" };
    let kind = if fatal { "fatal error" } else { "warning" };
    text.replace(line, &format!("{{ __builtin_printf(\"OpenMP {kind}{said}\\n\");{end} }}"));
    Ok(())
}
