//! Words of OpenMP 5.1 and 5.2 that have an older spelling, in directives that the host's compiler reads.

use super::words::{Cursor, Word, closing, text_of};
use super::{EditedText, rest};
use std::ops::Range;

/// Whether a directive may have such words. Constructs for devices are read by the front end alone.
pub fn concerns(directive: &str) -> bool {
    const WORDS: [&str; 5] = ["doacross", "inoutset", "step", "destroy", "nowait"];
    let for_devices = ["target", "teams", "distribute", "declare"].iter().any(|w| directive.starts_with(w));
    let host = !for_devices || directive.starts_with("declare simd");
    host && WORDS.iter().any(|word| directive.contains(word))
        && (!directive.contains("nowait") || directive.starts_with("taskwait"))
}

pub fn older(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let written = rest(&text.buffer[line.clone()]).to_owned();
    let words = Cursor::new(&written).words;
    let mut out = String::new();
    let mut at = 0;
    while at < words.len() {
        let follows = |text: &str| words.get(at + 1).is_some_and(|w| w.text == text);
        let (spelled, next) = match words[at].text {
            "doacross" if follows("(") => doacross(&written, &words, at)?,
            "linear" if follows("(") => linear(&written, &words, at)?,
            // It waits for more than it has to.
            "inoutset" => ("inout".to_owned(), at + 1),
            "nowait" if words[0].text == "taskwait" => (String::new(), at + 1),
            "destroy" if follows("(") => {
                let close = closing(&words, at + 1).ok_or("a bracket is not closed")?;
                ("destroy".to_owned(), close + 1)
            }
            other => (other.to_owned(), at + 1),
        };
        if !out.is_empty() && words[at].range.start > words[at - 1].range.end {
            out.push(' ');
        }
        out.push_str(&spelled);
        at = next;
    }
    text.replace(line, &format!("#pragma omp {out}"));
    Ok(())
}

/// `doacross(sink: i - 1)` was `depend(sink: i - 1)`, `doacross(source:)` was `depend(source)`.
fn doacross(written: &str, words: &[Word<'_>], at: usize) -> Result<(String, usize), String> {
    let close = closing(words, at + 1).ok_or("a bracket is not closed")?;
    let argument = text_of(written, words, at + 2..close);
    if argument.starts_with("source") {
        return Ok(("depend(source)".to_owned(), close + 1));
    }
    match argument.contains("omp_cur_iteration") {
        true => {
            Err("`omp_cur_iteration` with an offset is not implemented yet: name the loop's variables".into())
        }
        false => Ok((format!("depend({argument})"), close + 1)),
    }
}

/// `linear(x: val, step(2))` was `linear(val(x): 2)`.
fn linear(written: &str, words: &[Word<'_>], at: usize) -> Result<(String, usize), String> {
    let close = closing(words, at + 1).ok_or("a bracket is not closed")?;
    let inside = at + 2..close;
    let same = (text_of(written, words, at..close + 1).to_owned(), close + 1);
    let colon = inside.clone().find(|i| words[*i].text == ":");
    let Some(colon) =
        colon.filter(|c| (*c..close).any(|i| matches!(words[i].text, "step" | "val" | "ref" | "uval")))
    else {
        return Ok(same);
    };
    let list = text_of(written, words, inside.start..colon);
    let (mut kind, mut step) = (None, "1".to_owned());
    let mut i = colon + 1;
    while i < close {
        match words[i].text {
            word @ ("val" | "ref" | "uval") => kind = Some(word),
            "step" => {
                let end = closing(words, i + 1).ok_or("a bracket is not closed")?;
                step = text_of(written, words, i + 2..end).to_owned();
                i = end;
            }
            _ => {}
        }
        i += 1;
    }
    // Outside of `declare simd` only values can be linear, and the modifier is not allowed with a loop's.
    let list = match kind {
        Some(kind) if words[0].text == "declare" => format!("{kind}({list})"),
        _ => list.to_owned(),
    };
    Ok((format!("linear({list}: {step})"), close + 1))
}
