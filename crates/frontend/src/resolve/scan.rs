//! Scans of target constructs (OpenMP 5.2 §5.6): the iterations are divided among threads of the whole device.
//!
//! ```text
//! #pragma omp target parallel for reduction(inscan, +: s)     for each chunk: start s, its iterations' input, parts[chunk] = s
//! for (…) { input                                     becomes   for each chunk: parts[chunk] and s change places, s = s + part
//! #pragma omp scan inclusive(s)                               for each chunk: s = parts[chunk], its iterations
//!           rest }
//! ```
//!
//! These are three constructs in a `target data` construct, which has what the scan's own maps. As the input runs twice, it may change
//! nothing but the variables of the scan and its own. Where that does not show, and with clauses that three constructs
//! could not share, the construct stays as it is, and one thread of the device runs it.

use super::tile::{self, Loop};
use super::words::{Cursor, Word, split, statement_end, text_of, words};
use super::{EditedText, rest};
use std::ops::Range;

/// Parts that the iterations are divided into, whose values one thread adds up.
const CHUNKS: u32 = 4096;

pub fn concerns(directive: &str) -> bool {
    directive.starts_with("target") && directive.contains("inscan")
}

pub fn divide(text: &mut EditedText<'_>, line: Range<usize>) {
    let written = rest(&text.buffer[line.clone()]).to_owned();
    let divided = Clauses::of(&written).and_then(|clauses| constructs(text, &line, &clauses));
    if let Some((end, constructs)) = divided {
        text.replace(line.start..end, &constructs);
    }
}

/// What the directive says.
#[derive(Default)]
struct Clauses {
    operator: String,
    variables: Vec<String>,
    /// Those of the construct around.
    maps: String,
    /// Those of each construct.
    each: String,
}

impl Clauses {
    /// `None`: one of them is not for three constructs.
    fn of(directive: &str) -> Option<Clauses> {
        let mut found = Clauses::default();
        let mut cursor = Cursor::new(directive);
        while let Some(word) = cursor.take() {
            let first = cursor.at - 1;
            let inside = cursor.parenthesized();
            let clause = text_of(directive, &cursor.words, first..cursor.at);
            match (word, inside) {
                ("target" | "teams" | "distribute" | "parallel" | "for" | "simd" | "loop" | ",", None) => {}
                ("num_teams" | "thread_limit" | "num_threads" | "schedule" | "dist_schedule", _) => {}
                ("simdlen" | "safelen" | "order" | "proc_bind", _) => {}
                ("map", _) => found.maps.push_str(&format!(" {clause}")),
                ("private" | "firstprivate" | "shared" | "is_device_ptr" | "has_device_addr", _) => {
                    found.each.push_str(&format!(" {clause}"));
                }
                ("reduction", Some(inside)) if found.variables.is_empty() => {
                    let colon = inside.clone().find(|at| cursor.words[*at].text == ":")?;
                    let named: Vec<&str> = cursor.words[inside.start..colon].iter().map(|w| w.text).collect();
                    let ["inscan", ",", operator] = named[..] else { return None };
                    found.operator = operator.to_owned();
                    found.variables = names(&cursor.words, colon + 1..inside.end)?;
                }
                _ => return None,
            }
        }
        (start_of(&found.operator, "").is_some() && !found.variables.is_empty()).then_some(found)
    }
}

/// The names of a list of variables alone.
fn names(all: &[Word<'_>], list: Range<usize>) -> Option<Vec<String>> {
    let parts = split(all, list, ",").into_iter();
    parts.map(|part| (part.len() == 1).then(|| all[part.start].text.to_owned())).collect()
}

/// What a chunk's own value starts with.
fn start_of(operator: &str, variable: &str) -> Option<String> {
    match operator {
        "+" | "-" | "^" | "|" | "||" => Some("0".into()),
        "*" => Some("1".into()),
        // To have the variable's first value in it more than once changes nothing.
        "&" | "&&" | "min" | "max" => Some(variable.to_owned()),
        _ => None,
    }
}

fn combined(operator: &str, left: &str, right: &str) -> String {
    match operator {
        "min" => format!("{left} < {right} ? {left} : {right}"),
        "max" => format!("{left} > {right} ? {left} : {right}"),
        "-" => format!("{left} + {right}"),
        _ => format!("{left} {operator} {right}"),
    }
}

/// The constructs that stand in the place of the one on this line, and where that one ends.
fn constructs(text: &EditedText<'_>, line: &Range<usize>, clauses: &Clauses) -> Option<(usize, String)> {
    let end = text.statement(line).ok()?.end;
    let all: Vec<Word<'_>> = words(&text.buffer, line.end).take_while(|w| w.range.start < end).collect();
    // What is no directive says only where the lines come from.
    let is_directive =
        |w: &Word<'_>| w.line && w.text.trim_start_matches('#').trim_start().starts_with("pragma");
    let directives: Vec<usize> = (0..all.len()).filter(|at| is_directive(&all[*at])).collect();
    let [scan] = directives[..] else { return None };
    let at = all.iter().position(|w| !w.line)?;
    let close = super::words::closing(&all, at + 1).filter(|_| all[at].text == "for")?;
    let header: Vec<Word<'_>> = all[at + 2..close].iter().filter(|w| !w.line).cloned().collect();
    let counting = tile::header(&text.buffer, &header, 0..header.len()).ok()?;
    let open = close + 1;
    let is_block = all.get(open)?.text == "{" && statement_end(&all, open) == Some(all.len());
    let depth = all.get(open..scan)?.iter().fold(0, |depth, w| match w.text {
        "{" => depth + 1,
        "}" => depth - 1,
        _ => depth,
    });
    let (inclusive, listed) = scanned(all[scan].text)?;
    if !is_block || depth != 1 || listed != clauses.variables {
        return None;
    }
    let (first, second) = (open + 1..scan, scan + 1..all.len() - 1);
    let (input, other) = if inclusive { (&first, &second) } else { (&second, &first) };
    let uses_numbers = all.iter().any(|w| w.text.starts_with("omp_get_"));
    let hides_names = !inclusive && declares(&all[other.clone()]);
    if uses_numbers || hides_names || !changes_only(&all[input.clone()], &clauses.variables) {
        return None;
    }
    let piece = |part: &Range<usize>| match part.is_empty() {
        true => String::new(),
        false => {
            let start = all[part.start].range.start;
            format!("\n{}\n{}\n", text.marker(start), text_of(&text.buffer, &all, part.clone()))
        }
    };
    let writer = Writer { clauses, counting, marker: text.marker(line.start), place: line.start };
    let whole = format!("{}{}", piece(&first), piece(&second));
    Some((end, writer.written(&piece(input), &whole)))
}

/// Whether the `scan` directive is inclusive, and its variables.
fn scanned(directive: &str) -> Option<(bool, Vec<String>)> {
    let mut cursor = Cursor::new(rest(directive));
    if !cursor.eat("scan") {
        return None;
    }
    let inclusive = match cursor.take()? {
        "inclusive" => true,
        "exclusive" => false,
        _ => return None,
    };
    let list = cursor.parenthesized()?;
    Some((inclusive, names(&cursor.words, list)?))
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Two names in a row, as in `int x`.
fn declares(part: &[Word<'_>]) -> bool {
    part.windows(2).any(|pair| is_name(pair[0].text) && (is_name(pair[1].text) || pair[1].text == "*"))
}

/// Statements that change these variables and their own, and call nothing that could do more.
fn changes_only(part: &[Word<'_>], variables: &[String]) -> bool {
    const CALLED: [&str; 20] = [
        "if", "for", "while", "sizeof", "fabs", "fabsf", "sqrt", "sqrtf", "abs", "fmin", "fmax", "fminf",
        "fmaxf", "exp", "log", "sin", "cos", "pow", "int", "double",
    ];
    const NEVER: [&str; 8] = ["continue", "goto", "return", "asm", "__asm__", "new", "delete", "throw"];
    let words: Vec<&str> = part.iter().filter(|w| !w.line).map(|w| w.text).collect();
    let at = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or(";");
    let mut own: Vec<&str> = variables.iter().map(String::as_str).collect();
    for (i, word) in words.iter().enumerate() {
        let (before, earlier) = (at(i.checked_sub(1)), at(i.checked_sub(2)));
        let (next, later) = (at(Some(i + 1)), at(Some(i + 2)));
        let is_compared = ["==", "<=", ">=", "!="].contains(word);
        let right = match *word {
            "=" if is_name(before) && is_name(earlier) && !["else", "do"].contains(&earlier) => {
                own.push(before);
                true
            }
            "++" | "--" if is_name(next) => own.contains(&next) && ![".", "->", "["].contains(&later),
            _ if word.ends_with('=') && !is_compared || ["++", "--"].contains(word) => {
                own.contains(&before) && [";", "{", "}", ")", "(", ",", "else"].contains(&earlier)
            }
            "(" => !is_name(before) || CALLED.contains(&before),
            _ => !NEVER.contains(word),
        };
        if !right {
            return false;
        }
    }
    true
}

struct Writer<'a> {
    clauses: &'a Clauses,
    counting: Loop,
    /// Gives what follows the number of the directive's line.
    marker: String,
    /// Makes names that the program does not have.
    place: usize,
}

impl Writer<'_> {
    fn parts(&self, variable: &str) -> String {
        format!("accl_scan_{variable}_{}", self.place)
    }

    /// The text with something for each variable.
    fn all(&self, one: impl Fn(&str, &str) -> String) -> String {
        self.clauses.variables.iter().map(|variable| one(variable, &self.parts(variable))).collect()
    }

    fn list(&self) -> String {
        let parts: Vec<String> = self.clauses.variables.iter().map(|v| self.parts(v)).collect();
        parts.join(", ")
    }

    fn written(&self, input: &str, whole: &str) -> String {
        let (operator, Clauses { maps, each, .. }) = (&self.clauses.operator, self.clauses);
        let (marker, list, variables) = (&self.marker, self.list(), self.clauses.variables.join(", "));
        let parts =
            self.all(|v, parts| format!("typedef __typeof__({v}) {parts}_t; {parts}_t {parts}[{CHUNKS}]; "));
        let start = self.all(|v, parts| {
            let start = start_of(operator, v).unwrap_or_default();
            format!("{parts}_t {parts}_0 = {start}; ")
        });
        let own = self.all(|v, parts| format!("{parts}_t {v} = {parts}_0; "));
        let keep = self.all(|v, parts| format!("{parts}[accl_chunk] = {v}; "));
        let take = self.all(|_, parts| format!("{parts}_t {parts}_0 = {parts}[accl_chunk]; "));
        let add = self.all(|v, parts| {
            let sum = combined(operator, v, &format!("{parts}_0"));
            format!("{parts}[accl_chunk] = {v}; {v} = {sum}; ")
        });
        let spread = format!("#pragma omp target teams distribute parallel for map(tofrom: {list}){each}");
        let chunks = format!("for (long long accl_chunk = 0; accl_chunk < {CHUNKS}; accl_chunk++)");
        let (first, second) = (self.iterations(input), self.iterations(whole));
        format!(
            "{{ {parts}\n{marker}\n#pragma omp target data map(alloc: {list}){maps}\n{marker}\n{{\n\
             {marker}\n{spread} map(to: {variables})\n{marker}\n{chunks} {{ {start}{{ {own}{first}{keep}}} }}\n\
             {marker}\n#pragma omp target map(tofrom: {list}, {variables})\n{marker}\n{chunks} {{ {take}{add}}}\n\
             {marker}\n{spread}\n{marker}\n{chunks} {{ {take}{own}{second}}}\n}} }}"
        )
    }

    /// A chunk's iterations.
    fn iterations(&self, body: &str) -> String {
        let l = &self.counting;
        let (count, marker) = (l.count("1"), &self.marker);
        let ty = if l.declared { l.ty.clone() } else { format!("__typeof__({})", l.variable) };
        format!(
            "const long long accl_count = {count}, accl_length = (accl_count + {}) / {CHUNKS}; \
             for (long long accl_k = accl_chunk * accl_length; \
             accl_k < accl_count && accl_k < (accl_chunk + 1) * accl_length; accl_k++) \
             {{ {ty} {} = ({}) {} accl_k * ({}); {{ {body} }} }}\n{marker}\n",
            CHUNKS - 1,
            l.variable,
            l.lower,
            l.sign(),
            l.step,
        )
    }
}

#[cfg(test)]
mod tests {
    fn is_divided(construct: &str) -> bool {
        let text = format!("#pragma omp target {construct}");
        let resolved = crate::resolve::resolve(text, "x.c", accl_source::FileId(0), false, false);
        resolved.buffer.contains("accl_chunk")
    }

    #[test]
    fn what_is_divided() {
        let scan = |input: &str| {
            is_divided(&format!(
                "parallel for reduction(inscan, +: s)\nfor (int i = 0; i < n; i++) {{ {input}\n\
                 #pragma omp scan inclusive(s)\nb[i] = s; }}"
            ))
        };
        for input in ["s += a[i];", "if (a[i] > 0) s++;", "int x = a[i]; x *= 2; s = s + fabs(x);"] {
            assert!(scan(input), "{input}");
        }
        for input in ["s += a[i]++;", "a[i] = 3; s += a[i];", "s += f(i);", "*s = 2;", "x = 2; s += x;"] {
            assert!(!scan(input), "{input}");
        }
        let exclusive = |first: &str, clauses: &str| {
            is_divided(&format!(
                "teams distribute parallel for reduction(inscan, max: s, t){clauses}\nfor (i = n; i > 0; i--)\n{{ {first}\n\
                 #pragma omp scan exclusive(s, t)\ns = s > i ? s : i; t = s; }}"
            ))
        };
        assert!(exclusive("b[i] = s;", " map(to: a) private(x)"));
        assert!(!exclusive("int x = s;", ""));
        assert!(!exclusive("b[i] = s;", " nowait"));
    }
}
