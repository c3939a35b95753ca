//! Diagnostics in OpenMP's words, for files whose directives are OpenMP's alone.
//!
//! Both languages have one lowering, whose messages are written in OpenACC's words.

use accl_source::Diagnostic;

/// OpenACC's words, and what a user of OpenMP writes.
const WORDS: [(&str, &str); 9] = [
    ("see OpenACC 3.3 §2.12", "see OpenMP 5.2 §15.8.4"),
    ("it has no stride,", "a stride is not implemented yet,"),
    ("a compute region", "a target region"),
    ("compute regions", "target regions"),
    ("compute construct", "target construct"),
    ("loop directive needs", "loop construct needs"),
    (
        "bring the loop into this form, or add `seq`: then its iterations run in order",
        "bring the loop into this form, or remove the directive",
    ),
    ("run the loop in order: `loop seq`", "remove the directive: then the loop runs in order"),
    ("`#pragma acc atomic`", "`#pragma omp atomic`"),
];

/// Whether the text has no directives of OpenACC.
pub fn are_all(buffer: &str) -> bool {
    !buffer.lines().any(|line| line.trim_start().starts_with("#pragma acc"))
}

pub fn translate(diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        let labels = diagnostic.labels.iter_mut().map(|(_, text)| text);
        let texts = labels.chain(&mut diagnostic.notes).chain(&mut diagnostic.help);
        texts.chain([&mut diagnostic.message]).for_each(in_words);
    }
}

fn in_words(text: &mut String) {
    for (acc, omp) in WORDS {
        if text.contains(acc) {
            *text = text.replace(acc, omp);
        }
    }
    // The other language's specification says nothing to the reader.
    while let Some(start) = text.find(" (OpenACC 3.3 §")
        && let Some(length) = text[start..].find(')')
    {
        text.replace_range(start..=start + length, "");
    }
}
