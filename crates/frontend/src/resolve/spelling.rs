//! Words of OpenMP 5.1 and 5.2 that have an older spelling, in directives that the host's compiler reads.

use super::words::{Cursor, Word, closing, text_of};
use super::{EditedText, rest};
use std::ops::Range;

/// Whether a directive may have such words. Constructs for devices are read by the front end alone, which knows them but for
/// those of `linear`.
pub fn concerns(directive: &str) -> bool {
    const WORDS: [&str; 5] = ["doacross", "inoutset", "step", "destroy", "nowait"];
    let for_devices = ["target", "teams", "distribute", "declare"].iter().any(|w| directive.starts_with(w));
    let host = !for_devices || directive.starts_with("declare simd");
    let is_linear = |word| directive.contains("linear") && directive.contains(word);
    ["step", "val", "uval", "ref"].into_iter().any(is_linear)
        || host
            && WORDS.iter().any(|word| directive.contains(word))
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
            "doacross" if follows("(") => doacross(text, line.start, &written, &words, at)?,
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
fn doacross(
    text: &EditedText<'_>,
    place: usize,
    written: &str,
    words: &[Word<'_>],
    at: usize,
) -> Result<(String, usize), String> {
    let close = closing(words, at + 1).ok_or("a bracket is not closed")?;
    let argument = text_of(written, words, at + 2..close);
    if argument.starts_with("source") {
        return Ok(("depend(source)".to_owned(), close + 1));
    }
    let argument = match argument.split_once("omp_cur_iteration") {
        Some((sink, offset)) => format!("{sink}{}", iteration_before(&text.buffer[..place], offset)?),
        None => argument.to_owned(),
    };
    Ok((format!("depend({argument})"), close + 1))
}

/// `omp_cur_iteration - 1` in terms of the variable of the one loop that the last `ordered(1)` before it is for.
fn iteration_before(before: &str, offset: &str) -> Result<String, String> {
    let unnamed = || "`omp_cur_iteration` is implemented for one loop `for (i = a; i < b; i += c)`: name the loops' variables";
    if offset.replace(' ', "") != "-1" {
        return Err("expected `omp_cur_iteration - 1`".into());
    }
    let lines = super::pragma_lines(before);
    let construct = lines.iter().rev().find(|line| before[(*line).clone()].contains("ordered("));
    let construct = construct.ok_or_else(unnamed)?;
    if !before[construct.clone()].replace(' ', "").contains("ordered(1)") {
        return Err(unnamed().into());
    }
    let tokens: Vec<Word<'_>> = super::words::words(before, construct.end).filter(|w| !w.line).collect();
    let open = tokens.iter().position(|w| w.text == "(").ok_or_else(unnamed)?;
    let close = closing(&tokens, open).ok_or_else(unnamed)?;
    let [first, _, last] = &super::words::split(&tokens, open + 1..close, ";")[..] else {
        return Err(unnamed().into());
    };
    let assigned = first.clone().find(|at| tokens[*at].text == "=").ok_or_else(unnamed)?;
    let variable = tokens[assigned - 1].text;
    let step: Vec<&str> = tokens[last.clone()].iter().map(|w| w.text).filter(|w| *w != variable).collect();
    match step[..] {
        ["++"] => Ok(format!("{variable} - 1")),
        ["--"] => Ok(format!("{variable} + 1")),
        ["+=", c] => Ok(format!("{variable} - {c}")),
        ["-=", c] => Ok(format!("{variable} + {c}")),
        _ => Err(unnamed().into()),
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
