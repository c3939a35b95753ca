//! `dispatch` in code for the host (OpenMP 5.2 §7.6): the call becomes one of the variant that fits.

use super::variants::{Variant, best};
use super::words::{Cursor, Word, closing, split, text_of, words};
use super::{EditedText, rest};
use std::ops::Range;

#[derive(Default)]
struct Clauses {
    device: Option<String>,
    /// What must not hold for a variant to be called.
    unless: Vec<String>,
    device_pointers: Vec<String>,
    waits: String,
}

fn clauses(directive: &str) -> Result<Clauses, String> {
    let mut cursor = Cursor::new(directive);
    cursor.eat("dispatch");
    let mut found = Clauses::default();
    while let Some(name) = cursor.take() {
        // The call is over when the construct is, which `nowait` allows.
        if matches!(name, "," | "nowait") {
            continue;
        }
        let inside = cursor.parenthesized().ok_or_else(|| format!("expected the argument of `{name}`"))?;
        let argument = text_of(directive, &cursor.words, inside.clone());
        match name {
            "device" => found.device = Some(argument.to_owned()),
            "novariants" | "nocontext" => found.unless.push(argument.to_owned()),
            "is_device_ptr" | "has_device_addr" => {
                let list = split(&cursor.words, inside, ",").into_iter();
                let names = list.map(|one| text_of(directive, &cursor.words, one).to_owned());
                found.device_pointers.extend(names);
            }
            "depend" => found.waits.push_str(&format!("#pragma omp taskwait depend({argument})\n")),
            other => return Err(format!("`{other}` of `omp dispatch` is not implemented yet")),
        }
    }
    Ok(found)
}

pub fn call(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let mut world = text.world(line.start);
    if world.on_device {
        return Ok(());
    }
    world.constructs.push("dispatch".to_owned());
    let said = clauses(rest(&text.buffer[line.clone()]))?;
    let statement = text.statement(&line)?;
    let plain = text.buffer[statement.clone()].to_owned();
    let tokens: Vec<Word<'_>> = words(&plain, 0).filter(|w| !w.line).collect();
    let callee = (0..tokens.len()).find(|at| tokens.get(at + 1).is_some_and(|next| next.text == "("));
    let callee = callee.ok_or("expected a call behind `dispatch`")?;
    let mut all = match best(&text.variants, tokens[callee].text, &world)? {
        None => plain.clone(),
        Some((variant, mut conditions)) => {
            conditions.extend(said.unless.iter().map(|condition| format!("!({condition})")));
            let called = of_variant(&plain, &tokens, callee, variant, &said)?;
            match conditions.is_empty() {
                true => called,
                false => format!("if (({})) {{{called}}} else {{{plain}}}", conditions.join(") && (")),
            }
        }
    };
    if let Some(device) = said.device {
        all = format!(
            "int accl_before = accl_omp_default_device(); accl_omp_set_default_device({device}); {all} \
             accl_omp_set_default_device(accl_before);"
        );
    }
    text.needs_prototypes();
    text.replace(line.start..statement.end, &format!("{}{{ {all} }}\n", said.waits));
    Ok(())
}

/// The statement with the variant called, and addresses on the device passed where it wants them.
fn of_variant(
    statement: &str,
    tokens: &[Word<'_>],
    callee: usize,
    variant: &Variant,
    said: &Clauses,
) -> Result<String, String> {
    let close = closing(tokens, callee + 1).ok_or("a bracket is not closed")?;
    let arguments = split(tokens, callee + 2..close, ",").into_iter().enumerate();
    let arguments = arguments.map(|(number, range)| {
        let argument = text_of(statement, tokens, range);
        let given = said.device_pointers.iter().any(|name| name == argument);
        match variant.device_pointers.contains(&number) && !given {
            true => format!("(__typeof__(({argument}) + 0))accl_omp_device_pointer({argument})"),
            false => argument.to_owned(),
        }
    });
    let mut arguments: Vec<String> = arguments.collect();
    let (mut made, mut destroyed) = (String::new(), String::new());
    for (number, (syncs, preferred)) in variant.appended.iter().enumerate() {
        let object = format!("accl_interop_{number}");
        let device = said.device.as_deref().unwrap_or("accl_omp_default_device()");
        made.push_str(&format!(
            "void *{object} = 0; accl_omp_interop_init(&{object}, {}, {device}, \"{preferred}\"); ",
            i32::from(*syncs)
        ));
        destroyed.push_str(&format!(" accl_omp_interop_destroy(&{object});"));
        arguments.push(format!("(omp_interop_t){object}"));
    }
    let before = &statement[..tokens[callee].range.start];
    let behind = &statement[tokens[close].range.start..];
    let called = format!("{before}{}({}{behind}", variant.variant, arguments.join(", "));
    Ok(format!("{made}{called}{destroyed}"))
}
