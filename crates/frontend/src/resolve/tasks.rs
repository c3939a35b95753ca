//! What tasks of the host's need that the host's compiler or its library may not know: `omp_in_explicit_task` (OpenMP 5.2
//! §18.5.3) and dependences on `omp_all_memory` (§15.9.5).
//!
//! In a program that asks for it, each task tells the runtime when it begins and ends. A task that depends on all memory is run at
//! once, when its siblings are done: then it is in the order that it asks for, and so are those after it.

use super::words::{Cursor, Word, closing, statement_end, text_of, words};
use super::{EditedText, rest};
use std::ops::Range;

const ALL_MEMORY: &str = "omp_all_memory";

pub fn concerns(directive: &str, buffer_asks: bool) -> bool {
    let is_task = directive.starts_with("task") && !directive.starts_with("taskgroup");
    let taskloop = directive.contains("taskloop");
    directive.contains(ALL_MEMORY) && directive.starts_with("task")
        || buffer_asks
            && (taskloop
                || is_task && !directive.starts_with("taskwait") && !directive.starts_with("taskyield"))
}

/// Whether the text calls `omp_in_explicit_task`.
pub fn asks(buffer: &str) -> bool {
    buffer.match_indices("omp_in_explicit_task").any(|(at, name)| {
        // Behind its declaration's type it is not a call.
        !buffer[..at].trim_end().ends_with("int") && buffer[at + name.len()..].trim_start().starts_with('(')
    })
}

pub fn settle(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let on_device = text.world(line.start).on_device;
    let written = rest(&text.buffer[line.clone()]).to_owned();
    let waits = written.starts_with("taskwait");
    if !on_device && !waits && asks(&text.buffer) {
        tell(text, &line, written.contains("taskloop"))?;
    }
    if !written.contains(ALL_MEMORY) {
        return Ok(());
    }
    let without = without_all_memory(&written)?;
    if waits {
        text.replace(line, &format!("#pragma omp {without}"));
        return Ok(());
    }
    let statement = text.statement(&line)?;
    text.buffer.insert(statement.end, '}');
    text.replace(line, &format!("{{\n#pragma omp taskwait\n#pragma omp {without} if(0)"));
    Ok(())
}

/// The directive without the dependences that name all memory.
fn without_all_memory(written: &str) -> Result<String, String> {
    let mut cursor = Cursor::new(written);
    let mut out = String::new();
    while cursor.take().is_some() {
        let first = cursor.at - 1;
        let named = cursor.words[first].text;
        let inside = cursor.parenthesized();
        let clause = text_of(written, &cursor.words, first..cursor.at);
        if named == "depend" && inside.is_some_and(|i| cursor.words[i].iter().any(|w| w.text == ALL_MEMORY)) {
            continue;
        }
        if named == "if" {
            return Err("`omp_all_memory` is not implemented for a task with an `if` clause".into());
        }
        out.push_str(clause);
        out.push(' ');
    }
    Ok(out.trim_end().to_owned())
}

/// The runtime is told around the task's statement, or around the body of the loop.
fn tell(text: &mut EditedText<'_>, line: &Range<usize>, of_loop: bool) -> Result<(), String> {
    let statement = text.statement(line)?;
    let body = match of_loop {
        false => line.end..statement.end,
        true => {
            let all: Vec<Word<'_>> = words(&text.buffer, line.end)
                .take_while(|w| w.range.start < statement.end)
                .filter(|w| !w.line)
                .collect();
            let close = closing(&all, 1).filter(|_| all[0].text == "for").ok_or("no loop follows")?;
            let end = statement_end(&all, close + 1).ok_or("no statement follows the loop")?;
            all[close].range.end..all[end - 1].range.end
        }
    };
    let has_line = text.buffer[body.clone()].trim_start().starts_with('#');
    let newline = if has_line || !of_loop { "\n" } else { " " };
    let marker = text.marker(line.end + 1);
    text.buffer.insert_str(body.end, " accl_omp_task_ends(); }");
    let begin = format!("{newline}{{ accl_omp_task_begins(omp_get_level());");
    let begin = if newline == "\n" { format!("{begin}\n{marker}") } else { begin };
    text.buffer.insert_str(body.start, &begin);
    text.needs_prototypes();
    Ok(())
}
