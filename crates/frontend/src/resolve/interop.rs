//! `interop` (OpenMP 5.2 §14.1): calls of the runtime.

use super::words::{Cursor, Word, split, text_of};
use super::{EditedText, rest};
use std::ops::Range;

pub fn calls(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    if text.world(line.start).on_device {
        return Err("`interop` cannot stand in code for devices".into());
    }
    let written = rest(&text.buffer[line.clone()]).to_owned();
    let mut cursor = Cursor::new(&written);
    cursor.eat("interop");
    let mut device = "accl_omp_default_device()".to_owned();
    let mut actions: Vec<(&str, String, bool, String)> = vec![];
    let mut waits = String::new();
    while let Some(name) = cursor.take() {
        if matches!(name, "," | "nowait") {
            continue;
        }
        let inside = cursor.parenthesized().ok_or_else(|| format!("expected the argument of `{name}`"))?;
        let argument = text_of(&written, &cursor.words, inside.clone()).to_owned();
        match name {
            "device" => device = argument,
            "depend" => waits.push_str(&format!("#pragma omp taskwait depend({argument})\n")),
            "use" | "destroy" => actions.push((name, argument, false, String::new())),
            "init" => {
                let colon = (inside.clone()).rev().find(|at| cursor.words[*at].text == ":");
                let colon = colon.ok_or("expected `targetsync:` or `target:` in `init`")?;
                let variable = text_of(&written, &cursor.words, colon + 1..inside.end).to_owned();
                let (syncs, preferred) = kinds(&written, &cursor.words, inside.start..colon)?;
                actions.push((name, variable, syncs, preferred));
            }
            other => return Err(format!("`{other}` is no clause of `omp interop`")),
        }
    }
    let calls = actions.into_iter().map(|(action, variable, syncs, preferred)| match action {
        "init" => {
            format!("accl_omp_interop_init(&({variable}), {}, {device}, \"{preferred}\");", i32::from(syncs))
        }
        action => format!("accl_omp_interop_{action}(&({variable}));"),
    });
    let calls: Vec<String> = calls.collect();
    text.needs_prototypes();
    let statement = format!("{waits}{{ {} }}", calls.join(" "));
    text.replace(line, &statement);
    Ok(())
}

/// What stands before the variable in `init`, and in `interop(…)` of `append_args`: whether the object is to synchronise, and
/// what it prefers to be.
pub fn kinds(text: &str, words: &[Word<'_>], range: Range<usize>) -> Result<(bool, String), String> {
    let (mut syncs, mut preferred) = (false, String::new());
    for part in split(words, range, ",") {
        match words[part.start].text {
            "targetsync" => syncs = true,
            "target" => {}
            "prefer_type" => preferred = text_of(text, words, part).replace(['"', '\\'], " "),
            other => return Err(format!("`{other}` is no type of interop object")),
        }
    }
    Ok((syncs, preferred))
}
