//! Lines with indentation, and `#line` markers where the user's line is not the next one anyway.

use accl_source::{LineMap, Span};

const INDENT: &str = "    ";
/// Lines of text are broken after this column where the writer can.
pub const WIDTH: usize = 100;

#[derive(Default)]
pub struct Writer<'a> {
    text: String,
    depth: usize,
    markers: Option<&'a LineMap>,
    /// The user's file, and the line number that the compiler would assume for the next line of text.
    presumed: Option<(&'a str, u32)>,
}

impl<'a> Writer<'a> {
    /// `markers`: write `#line` by this map.
    pub fn new(markers: Option<&'a LineMap>) -> Writer<'a> {
        Writer { markers, ..Writer::default() }
    }

    pub fn finish(self) -> String {
        self.text
    }

    /// One or more lines, each indented.
    pub fn line(&mut self, text: &str) {
        for line in text.lines() {
            if !line.is_empty() {
                self.text.extend(std::iter::repeat_n(INDENT, self.depth));
            }
            self.text.push_str(line);
            self.newline();
        }
    }

    /// A preprocessor line: not indented.
    pub fn flush_left(&mut self, text: &str) {
        self.text.push_str(text);
        self.newline();
    }

    fn newline(&mut self) {
        self.text.push('\n');
        if let Some((_, line)) = &mut self.presumed {
            *line += 1;
        }
    }

    pub fn indent(&mut self) {
        self.depth += 1;
    }

    pub fn dedent(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The text that follows comes from `span`.
    pub fn mark(&mut self, span: Span) {
        let Some(map) = self.markers else { return };
        if span.is_nowhere() {
            return;
        }
        let at = map.locate(span.start);
        if self.presumed != Some((at.file, at.line)) {
            let file = at.file.replace('\\', "\\\\").replace('"', "\\\"");
            let shown = match self.presumed {
                Some((known, _)) if known == at.file => format!("#line {}", at.line),
                _ => format!("#line {} \"{file}\"", at.line),
            };
            self.flush_left(&shown);
            self.presumed = Some((at.file, at.line));
        }
    }
}

/// `head(a, b, c)tail`, the list broken at [`WIDTH`] and aligned after the parenthesis.
pub fn wrapped_list(head: &str, items: &[String], tail: &str) -> String {
    let column = head.len() + 1;
    let mut text = format!("{head}(");
    let mut width = column;
    for (i, item) in items.iter().enumerate() {
        let last = i + 1 == items.len();
        let needed = item.len() + if last { tail.len() + 1 } else { 1 };
        if i > 0 {
            if width + 1 + needed > WIDTH {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', column));
                width = column;
            } else {
                text.push(' ');
                width += 1;
            }
        }
        text.push_str(item);
        width += item.len() + 1;
        if !last {
            text.push(',');
        }
    }
    text + ")" + tail
}
