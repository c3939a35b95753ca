//! `in_reduction` of a target construct (OpenMP 5.2 §5.5.11): the construct takes part in the reduction of a task group of the host's.
//!
//! A task of the host's that is run at once has the copy of the variable, and the construct maps that.

use super::words::{Cursor, split, text_of};
use super::{EditedText, rest};
use std::ops::Range;

pub fn concerns(directive: &str) -> bool {
    directive.starts_with("target") && directive.contains("in_reduction")
}

pub fn as_task(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let written = rest(&text.buffer[line.clone()]).to_owned();
    let mut cursor = Cursor::new(&written);
    let (mut of_task, mut of_target) = (String::new(), String::new());
    // The items, each with its variable, and what clauses map.
    let (mut items, mut mapped): (Vec<(String, String)>, Vec<String>) = (vec![], vec![]);
    while let Some(word) = cursor.take() {
        let first = cursor.at - 1;
        let inside = cursor.parenthesized();
        let clause = text_of(&written, &cursor.words, first..cursor.at);
        match (word, inside) {
            ("in_reduction", Some(inside)) => {
                let colon = inside.clone().find(|at| cursor.words[*at].text == ":");
                let colon = colon.ok_or("expected `in_reduction(operator: list)`")?;
                for item in split(&cursor.words, colon + 1..inside.end, ",") {
                    let variable = cursor.words[item.start].text.to_owned();
                    items.push((variable, text_of(&written, &cursor.words, item).to_owned()));
                }
                of_task.push_str(&format!(" {clause}"));
            }
            ("depend", Some(_)) => of_task.push_str(&format!(" {clause}")),
            (",", _) => {}
            ("map", Some(inside)) => {
                mapped.extend(cursor.words[inside].iter().map(|word| word.text.to_owned()));
                of_target.push_str(&format!(" {clause}"));
            }
            _ => of_target.push_str(&format!(" {clause}")),
        }
    }
    items.retain(|(variable, _)| !mapped.contains(variable));
    let maps: String = items.iter().map(|(_, item)| format!(" map(tofrom: {item})")).collect();
    let task = format!("#pragma omp task if(0) default(shared){of_task}");
    text.replace(line, &format!("{task}\n#pragma omp{of_target}{maps}"));
    Ok(())
}
