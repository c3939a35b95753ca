//! The type of a `declare mapper` (OpenMP 5.2 §5.8.8) may be written in any way that the language has, such as `grid::Field<double, 2>`. A
//! `typedef` before the directive gives it a name, by which the compiler finds it:
//!
//! ```text
//! typedef Field<double> accl_mapped_120;
//! #pragma omp declare mapper(deep: accl_mapped_120 f) map(f.p[0:f.n])
//! ```

use super::words::Cursor;
use super::{EditedText, rest};
use std::ops::Range;

pub fn concerns(rest: &str) -> bool {
    let mut words = rest.split(|c: char| c.is_whitespace() || c == '(');
    words.next() == Some("declare") && words.find(|w| !w.is_empty()) == Some("mapper")
}

/// Mistakes are left to the directive's own parser.
pub fn name_type(text: &mut EditedText<'_>, line: Range<usize>) {
    let written = text.buffer[line.clone()].to_owned();
    let from = written.len() - rest(&written).len();
    let Some(ty) = type_of(rest(&written)) else { return };
    let ty = from + ty.start..from + ty.end;
    let name = format!("accl_mapped_{}", line.start);
    let declared = format!("typedef {} {name} __attribute__((unused));", &written[ty.clone()]);
    let directive = format!("{}{name} {}", &written[..ty.start], written[ty.end..].trim_start());
    text.replace(line.clone(), &directive);
    text.replace(line.start..line.start, &format!("{declared}\n"));
}

/// Where the type of `declare mapper(name: type variable)` stands.
fn type_of(written: &str) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(written);
    if !(cursor.eat("declare") && cursor.eat("mapper")) {
        return None;
    }
    let mut inside = cursor.parenthesized()?;
    if cursor.words.get(inside.start + 1)?.text == ":" {
        inside.start += 2;
    }
    let (_variable, of) = cursor.words[inside].split_last()?;
    Some(of.first()?.range.start..of.last()?.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(written: &str) -> Option<&str> {
        type_of(written).map(|range| &written[range])
    }

    #[test]
    fn types_as_they_are_written() {
        assert_eq!(found("declare mapper(deep: A<int, 2> a) map(a)"), Some("A<int, 2>"));
        assert_eq!(found("declare mapper ( n::A a) map(a)"), Some("n::A"));
        assert_eq!(found("declare mapper(struct A a) map(a)"), Some("struct A"));
        assert_eq!(found("declare mapper(default : A a) map(a)"), Some("A"));
    }
}
