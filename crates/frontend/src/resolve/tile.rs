//! `tile` (OpenMP 5.2 §9.1): the nest becomes loops over tiles around loops over the iterations of a tile.
//!
//! ```text
//! #pragma omp tile sizes(4, 8)              for (t = 0; t < tiles of n; t++)
//! for (int i = 0; i < n; i++)      becomes    for (u = 0; u < tiles of m; u++)
//!   for (int j = 0; j < m; j++)                 for (int i = 4 * t; i < smaller of 4 * t + 4 and n; i++)
//!     body                                        for (int j = 8 * u; j < smaller of 8 * u + 8 and m; j++)
//!                                                   body
//! ```
//!
//! So a directive before it governs the loops over tiles, as the standard says. Where it joins more loops than these, they must be a
//! box: loops within tiles have the tile's size, and the body a condition, which whole tiles always meet. A third loop is the body's.
//!
//! ```text
//! #pragma omp for collapse(3)               for (t = 0; t < tiles of n; t++)
//! #pragma omp tile sizes(4)         becomes   for (w = 0; w < 4; w++)
//! for (int i = 0; i < n; i++)                   for (int j = 0; j < m; j++)
//!   for (int j = 0; j < m; j++)                   if (4 * t + w < n) { int i = 4 * t + w; body }
//!     body
//! ```

use super::words::{Cursor, Word, closing, split, statement_end, text_of, words};
use super::{EditedText, rest};
use std::ops::Range;

/// One loop of the nest, as it is written.
pub struct Loop {
    /// The type of the variable, as its declaration begins with it; empty where it is declared before.
    pub ty: String,
    pub declared: bool,
    pub variable: String,
    pub lower: String,
    /// `<`, `<=`, `>`, `>=`, as the variable stands on the left.
    compare: &'static str,
    bound: String,
    pub step: String,
}

pub fn split_nest(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let sizes = sizes(rest(&text.buffer[line.clone()]))?;
    let statement = text.statement(&line)?;
    let all: Vec<Word<'_>> = words(&text.buffer, line.end)
        .take_while(|w| w.range.start < statement.end)
        .filter(|w| !w.line)
        .collect();
    let around = directive_before(&text.buffer[..line.start]).map(str::to_owned);
    let around = Cursor::new(around.as_deref().unwrap_or(""));
    let joined = joined_loops(&around)?;
    let inner = joined.saturating_sub(2 * sizes.len());
    let (mut loops, mut opened, mut at, mut headers) = (vec![], 0, 0, String::new());
    for number in 0..sizes.len() + inner {
        while number > 0 && all.get(at).is_some_and(|w| w.text == "{") {
            let close = closing(&all, at).ok_or("a bracket is not closed")?;
            if statement_end(&all, at + 1) != Some(close) {
                return Err("the loops of a `tile` construct have nothing between them".into());
            }
            (opened, at) = (opened + 1, at + 1);
        }
        if all.get(at).is_none_or(|w| w.text != "for") {
            return Err(match number < sizes.len() {
                true => format!("`tile` has {} sizes, and fewer loops follow it", sizes.len()),
                false => format!("{joined} loops are joined, and fewer follow"),
            });
        }
        let close = closing(&all, at + 1).ok_or("a bracket is not closed")?;
        if number < sizes.len() {
            loops.push(header(&text.buffer, &all, at + 2..close)?);
        } else if let Some(word) =
            all[at + 2..close].iter().find(|w| loops.iter().any(|l| l.variable == w.text))
        {
            return Err(format!("loops that are joined with those over `{}` do not depend on it", word.text));
        } else {
            headers.push_str(text_of(&text.buffer, &all, at..close + 1));
            headers.push(' ');
        }
        at = close + 1;
    }
    let body = all.get(at).ok_or("no statement follows the loops")?.range.start;
    let mut nest = String::new();
    for (l, size) in loops.iter().zip(&sizes) {
        nest.push_str(&l.over_tiles(size));
    }
    let in_box = joined.saturating_sub(sizes.len()).min(sizes.len());
    for (l, size) in loops.iter().zip(&sizes).take(in_box) {
        nest.push_str(&l.over_places(size));
    }
    nest.push_str(&headers);
    // Variables that are declared before the loops are not those of the joined loops.
    let is_last = |l: &&Loop| {
        let mut words = around.words.iter().skip_while(|w| !matches!(w.text, "lastprivate" | "linear"));
        !l.declared && words.any(|w| w.text == l.variable)
    };
    if let Some(l) = loops.iter().take(in_box).find(is_last) {
        return Err(format!(
            "the last value of `{}`, which a joined loop within tiles counts, is not kept",
            l.variable
        ));
    }
    for (l, size) in loops.iter().zip(&sizes).take(in_box) {
        nest.push_str(&l.at_place(size));
    }
    for (l, size) in loops.iter().zip(&sizes).skip(in_box) {
        nest.push_str(&l.within_tile(size));
    }
    nest.push_str(&"{".repeat(opened));
    if in_box > 0 {
        let end = statement_end(&all, at).ok_or("no statement follows the loops")?;
        let end = all[end - 1].range.end;
        text.replace(end..end, &"}".repeat(in_box));
    }
    text.replace(line.start..body, &(nest + "\n"));
    Ok(())
}

/// The directive that stands last in the text, and nothing behind it.
fn directive_before(text: &str) -> Option<&str> {
    let mut lines = text.lines().rev().map(str::trim);
    let last = lines.find(|line| !line.is_empty() && !line.starts_with("# "))?;
    last.starts_with("#pragma omp").then(|| rest(last))
}

/// How many loops a directive governs.
fn joined_loops(directive: &Cursor<'_>) -> Result<usize, String> {
    let mut most = 1;
    for (at, word) in directive.words.iter().enumerate() {
        if directive.words.get(at + 1).is_none_or(|w| w.text != "(") {
            continue;
        }
        let close = directive.closing(at + 1).ok_or("a bracket is not closed")?;
        let arguments = at + 2..close;
        most = most.max(match word.text {
            "sizes" => split(&directive.words, arguments, ",").len(),
            "collapse" | "ordered" => match &directive.words[arguments] {
                [number] => number.text.parse().ok(),
                _ => None,
            }
            .ok_or_else(|| format!("`{}` before `tile` needs a number", word.text))?,
            _ => 1,
        });
    }
    Ok(most)
}

fn sizes(directive: &str) -> Result<Vec<String>, String> {
    let cursor = Cursor::new(directive);
    let named = cursor.words.iter().position(|w| w.text == "sizes");
    let open = named.ok_or("`tile` needs a `sizes` clause")? + 1;
    let close = cursor.closing(open).ok_or("a bracket is not closed")?;
    let sizes = split(&cursor.words, open + 1..close, ",");
    Ok(sizes.into_iter().map(|size| text_of(directive, &cursor.words, size).to_owned()).collect())
}

/// The parts of `init; condition; increment`.
pub fn header(buffer: &str, all: &[Word<'_>], range: Range<usize>) -> Result<Loop, String> {
    let form = "`tile` needs loops like `for (i = a; i < b; i += c)`";
    let [init, condition, increment] = &split(all, range, ";")[..] else { return Err(form.into()) };
    let part = |range: Range<usize>| text_of(buffer, all, range).to_owned();
    let assigned = init.clone().find(|i| all[*i].text == "=").filter(|i| *i > init.start).ok_or(form)?;
    let variable = all[assigned - 1].text;
    let declared = assigned - 1 > init.start;
    let ty = match declared {
        true => part(init.start..assigned - 1),
        false => String::new(),
    };
    let lower = part(assigned + 1..init.end);
    let step = step(buffer, all, increment.clone(), variable).ok_or(form)?;
    let relation = relation(all, condition.clone(), variable).ok_or(form)?;
    let (written, left) = (all[relation].text, all[condition.start].text == variable);
    let bound = if left { relation + 1..condition.end } else { condition.start..relation };
    let compare = match (written, left) {
        ("<", true) | (">", false) => "<",
        ("<=", true) | (">=", false) => "<=",
        (">", true) | ("<", false) => ">",
        (">=", true) | ("<=", false) => ">=",
        ("!=", _) if step.1 => ">",
        _ => "<",
    };
    if compare.starts_with('>') != step.1 {
        return Err(form.into());
    }
    let (variable, bound, step) = (variable.to_owned(), part(bound), step.0);
    Ok(Loop { ty, declared, variable, lower, compare, bound, step })
}

/// How far the variable goes each time, and whether it falls.
fn step(buffer: &str, all: &[Word<'_>], range: Range<usize>, variable: &str) -> Option<(String, bool)> {
    let texts: Vec<&str> = all[range.clone()].iter().map(|w| w.text).collect();
    let from = |skipped: usize| text_of(buffer, all, range.start + skipped..range.end).to_owned();
    let is = |word: &str| word == variable;
    match texts[..] {
        ["++", v] | [v, "++"] if is(v) => Some(("1".into(), false)),
        ["--", v] | [v, "--"] if is(v) => Some(("1".into(), true)),
        [v, "+=", ..] if is(v) => Some((from(2), false)),
        [v, "-=", ..] if is(v) => Some((from(2), true)),
        [v, "=", w, "+", ..] if is(v) && is(w) => Some((from(4), false)),
        [v, "=", w, "-", ..] if is(v) && is(w) => Some((from(4), true)),
        [v, "=", .., "+", w] if is(v) && is(w) => {
            Some((text_of(buffer, all, range.start + 2..range.end - 2).to_owned(), false))
        }
        _ => None,
    }
}

/// The place of the comparison whose one side is the variable alone.
fn relation(all: &[Word<'_>], range: Range<usize>, variable: &str) -> Option<usize> {
    let is_relation = |at: usize| matches!(all[at].text, "<" | "<=" | ">" | ">=" | "!=");
    let (first, last) = (range.start, range.end.checked_sub(1)?);
    if all[first].text == variable && is_relation(first + 1) {
        return Some(first + 1);
    }
    (all[last].text == variable && last > first && is_relation(last - 1)).then(|| last - 1)
}

impl Loop {
    fn tile(&self) -> String {
        format!("accl_tile_{}", self.variable)
    }

    /// What one tile adds to the variable.
    fn length(&self, size: &str) -> String {
        match self.step.as_str() {
            "1" => format!("({size})"),
            step => format!("(({size}) * ({step}))"),
        }
    }

    pub fn sign(&self) -> char {
        if self.compare.starts_with('<') { '+' } else { '-' }
    }

    /// How far one end is from the other.
    fn distance(&self, from: &str, to: &str) -> String {
        match self.sign() {
            '+' => format!("{to} - {from}"),
            _ => format!("{from} - {to}"),
        }
    }

    /// How many iterations there are, where the variable is an iterator that is an object.
    pub fn steps(&self) -> String {
        let Loop { lower, compare, bound, step, .. } = self;
        let distance = self.distance(&format!("({lower})"), &format!("({bound})"));
        let distance = match compare.ends_with('=') {
            true => format!("((long)({distance}) + 1)"),
            false => format!("(long)({distance})"),
        };
        match step.as_str() {
            "1" => distance,
            step => format!("({distance} + ({step}) - 1) / ({step})"),
        }
    }

    /// How many tiles of this size the iterations make.
    pub fn count(&self, size: &str) -> String {
        let Loop { lower, compare, bound, .. } = self;
        let length = self.length(size);
        let last = if compare.ends_with('=') { "" } else { " - 1" };
        let distance = self.distance(&format!("({lower})"), &format!("({bound})"));
        format!("(({lower}) {compare} ({bound}) ? ({distance}{last}) / {length} + 1 : 0)")
    }

    /// It counts tiles: a variable without a sign would fall below 0.
    fn over_tiles(&self, size: &str) -> String {
        let (tile, count) = (self.tile(), self.count(size));
        format!("for (long long {tile} = 0; {tile} < {count}; {tile}++) ")
    }

    /// It counts the places of a tile's iterations.
    fn over_places(&self, size: &str) -> String {
        let place = self.place();
        format!("for (long long {place} = 0; {place} < ({size}); {place}++) ")
    }

    fn place(&self) -> String {
        format!("accl_place_{}", self.variable)
    }

    /// The place has an iteration, whose value the variable gets, in a bracket that stays open.
    fn at_place(&self, size: &str) -> String {
        let Loop { ty, declared, variable, lower, step, .. } = self;
        let number = format!("({} * ({size}) + {})", self.tile(), self.place());
        // Joined loops have their variables for themselves.
        let ty = if *declared { ty.clone() } else { format!("__typeof__({variable})") };
        let (count, sign) = (self.count("1"), self.sign());
        format!("if ({number} < {count}) {{ {ty} {variable} = ({lower}) {sign} {number} * ({step}); ")
    }

    fn within_tile(&self, size: &str) -> String {
        let Loop { ty, declared, variable, lower, compare, bound, step } = self;
        let (length, sign) = (self.length(size), self.sign());
        let first = format!("(({lower}) {sign} {} * {length})", self.tile());
        // Differences do not overflow where sums would.
        let left = self.distance(&first, &format!("({bound})"));
        let (more, last) = match compare.ends_with('=') {
            true => (">=", format!("{first} {sign} ({length} - ({step}))")),
            false => (">", format!("{first} {sign} {length}")),
        };
        let ty = if *declared { format!("{ty} ") } else { String::new() };
        format!(
            "for ({ty}{variable} = {first}; {variable} {compare} ({left} {more} {length} ? {last} : ({bound})); {variable} {sign}= {step}) "
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::resolve::resolve;

    fn split(nest: &str) -> String {
        let text = format!("#pragma omp tile {nest}");
        let resolved = resolve(text, "x.c", accl_source::FileId(0), false, false);
        assert!(resolved.diagnostics.is_empty(), "{:?}", resolved.diagnostics);
        let lines = resolved.buffer.lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_nest_becomes_tiles() {
        assert_eq!(
            split("sizes(4)\nfor (int i = 0; i < n; i++) f(i);"),
            "for (long long accl_tile_i = 0; accl_tile_i < ((0) < (n) ? ((n) - (0) - 1) / (4) + 1 : 0); accl_tile_i++) \
             for (int i = ((0) + accl_tile_i * (4)); \
             i < ((n) - ((0) + accl_tile_i * (4)) > (4) ? ((0) + accl_tile_i * (4)) + (4) : (n)); i += 1) f(i);"
        );
    }

    #[test]
    fn joined_loops_are_a_box() {
        let text = "#pragma omp for collapse(3)\n#pragma omp tile sizes(4)\n\
                    for (int i = 0; i < n; i += 2)\nfor (int j = 0; j < m; j++) f(i, j);\n";
        let resolved = resolve(text.into(), "x.c", accl_source::FileId(0), false, false);
        assert!(resolved.diagnostics.is_empty(), "{:?}", resolved.diagnostics);
        assert!(
            resolved.buffer.contains(
                "for (long long accl_place_i = 0; accl_place_i < (4); accl_place_i++) for (int j = 0; j < m; j++) \
                 if ((accl_tile_i * (4) + accl_place_i) < ((0) < (n) ? ((n) - (0) - 1) / ((1) * (2)) + 1 : 0)) \
                 { int i = (0) + (accl_tile_i * (4) + accl_place_i) * (2);"
            ) && resolved.buffer.contains("f(i, j);}"),
            "{}",
            resolved.buffer
        );
        for other in ["for (int j = 0; j < i; j++) f(i, j);", "f(i);"] {
            let text = format!(
                "#pragma omp for collapse(3)\n#pragma omp tile sizes(4)\nfor (int i = 0; i < n; i++)\n{other}\n"
            );
            assert!(!resolve(text, "x.c", accl_source::FileId(0), false, false).diagnostics.is_empty());
        }
    }

    #[test]
    fn falling_loops_and_braces() {
        let nest =
            split("sizes(2, 3)\nfor (i = 9; 0 <= i; --i) { for (j = 0; j != m; j += 2) { f(i, j); } }");
        assert!(nest.contains("accl_tile_i < ((9) >= (0) ? ((9) - (0)) / (2) + 1 : 0)"), "{nest}");
        assert!(nest.contains("for (i = ((9) - accl_tile_i * (2)); i >= "), "{nest}");
        assert!(nest.contains("j += 2)"), "{nest}");
        assert!(nest.ends_with("{ { f(i, j); } }"), "{nest}");
    }
}
