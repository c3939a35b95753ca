//! Local classes that are arguments of templates with regions: they move before their function, so that a specialisation
//! (`specialize`) can name them.
//!
//! ```text
//! int main() { struct Twice { int operator()(int x) const { return 2 * x; } }; apply(n, a, Twice{}); }
//!
//! namespace { struct accl_local_13_Twice { … }; }
//! int main() { using Twice = accl_local_13_Twice; apply(n, a, Twice{}); }
//! ```
//!
//! Not done: those of methods that are defined in their class, and of templates. Clang, which reads the result, decides whether it is
//! right: a class that names other things of its function stays where it is.

use crate::ast::{Function, LocalClass, Program};
use crate::bind::is_inside;
use crate::lower::edits_host;
use crate::pragmas::Pragma;
use crate::specialize::{all_arguments, has_word, is_outside_classes, marker, with_outer_edits, with_words};
use accl_source::LineMap;
use std::collections::{BTreeMap, HashMap};

/// The buffer with such classes before their functions; `None` if there are none.
pub fn expand(buffer: &str, program: &Program, pragmas: &[Pragma], lines: &LineMap) -> Option<String> {
    let is_wanted = |class: &&LocalClass| {
        program.functions.iter().any(|f| {
            let (Some(instance), Some(body)) = (&f.instance, &f.body) else { return false };
            all_arguments(instance).any(|argument| has_word(argument, &class.name))
                && pragmas.iter().any(|p| is_inside(body.span, p.span) && edits_host(p))
        })
    };
    let mut edits: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for class in program.local_classes.iter().filter(is_wanted) {
        let holds = |f: &&Function| {
            f.instance.is_none() && is_outside_classes(f) && is_inside(f.definition, class.span)
        };
        let Some(function) = program.functions.iter().find(holds) else { continue };
        let (start, end) = (class.span.start as usize, class.span.end as usize);
        let Some(text) = buffer.get(start..end).filter(|_| !class.span.is_nowhere()) else { continue };
        let (before, name) = (function.definition.start as usize, &class.name);
        let own = format!("accl_local_{start}_{name}");
        let text = with_words(text, &HashMap::from([(name.as_str(), own.clone())]));
        *edits.entry((before, before)).or_default() +=
            &format!("\nnamespace {{\n{}{text}; }}\n{}", marker(lines, start), marker(lines, before));
        // Objects may be declared with the class.
        let objects = !buffer[end..].trim_start().starts_with(';');
        let declared = if objects { format!("; {name}") } else { String::new() };
        edits.insert((start, end), format!("using {name} = {own}{declared}\n{}", marker(lines, end)));
    }
    // A class in one that moves waits for the next round.
    with_outer_edits(buffer, edits)
}
