//! The user's text being edited.

use super::launch::Launch;
use super::source::Original;
use super::{Input, PortLanguage, Refused, constructs, refuse, spelling, standalone};
use crate::edits::Edits;
use accl_ir::{Block, Function, Stmt};
use accl_source::Span;
use std::collections::BTreeSet;
use std::ops::Range;

pub struct Editor<'a> {
    pub input: &'a Input<'a>,
    pub original: Original<'a>,
    edits: Edits,
    /// Where edited directives start.
    directives: BTreeSet<usize>,
    /// Ranges whose text is gone.
    replaced: Vec<Range<usize>>,
    /// In the order of the text.
    pub launches: Vec<Launch>,
}

impl<'a> Editor<'a> {
    pub fn new(input: &'a Input<'a>) -> Editor<'a> {
        Editor {
            input,
            original: Original::new(input.file, input.text, input.lines),
            edits: Edits::default(),
            directives: BTreeSet::new(),
            replaced: Vec::new(),
            launches: Vec::new(),
        }
    }

    /// The whole text with its directives replaced.
    pub fn edited(&mut self) -> Result<String, Refused> {
        let module = self.input.module;
        for (_, function) in module.functions.iter() {
            if let (Some(body), true) = (&function.body, function.has_regions) {
                self.block(function, &body.block)?;
            }
        }
        for directive in &module.declares {
            standalone::file_scope(self, directive)?;
        }
        self.drop_other_directives()?;
        self.include_header();
        self.drop_include_of_runtime();
        let edits = std::mem::take(&mut self.edits);
        edits.apply(self.input.text).map_err(|error| refuse(error.to_string(), Span::NOWHERE))
    }

    pub fn block(&mut self, function: &Function, block: &Block) -> Result<(), Refused> {
        for node in block {
            match &node.kind {
                Stmt::Region(region) => constructs::edit(self, function, region)?,
                Stmt::Directive(directive) => standalone::edit(self, directive)?,
                kind => {
                    for inner in kind.blocks() {
                        self.block(function, inner)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The lines of a directive that is about to be edited.
    pub fn directive(&mut self, span: Span) -> Result<Range<usize>, Refused> {
        let range = self.original.directive(span)?;
        if !self.directives.insert(range.start) {
            return Err(refuse("the directive stands in a template, one text for several functions", span));
        }
        Ok(range)
    }

    pub fn replace(&mut self, range: &Range<usize>, text: String) {
        self.edits.replace(range.start as u32, range.end as u32, text);
        self.replaced.push(range.clone());
    }

    pub fn insert(&mut self, at: usize, text: String) {
        self.edits.insert(at as u32, text);
    }

    /// Indented lines with ends of line; empty where there are none.
    pub fn lines(&self, indent: &str, lines: &[String]) -> String {
        lines.iter().flat_map(|l| l.lines()).map(|l| format!("{indent}{l}\n")).collect()
    }

    /// The directive as a comment, so that readers of the port see what it replaced.
    pub fn remark(&self, directive: &Range<usize>) -> String {
        let text = self.input.text[directive.clone()].replace('\\', " ");
        let words = text.trim_start_matches(['#', ' ', '\t']);
        spelling::comment(words.strip_prefix("pragma").unwrap_or(words))
    }

    /// Directives that only guide the compiler: loop, routine, atomic, cache. They have had their effect.
    fn drop_other_directives(&mut self) -> Result<(), Refused> {
        let mut at = 0;
        for line in self.input.buffer.split_inclusive('\n') {
            let start = at + (line.len() - line.trim_start().len());
            at += line.len();
            let words: Vec<&str> = line.split_whitespace().take(3).collect();
            let ["#pragma", "acc", name] = words[..] else { continue };
            let place = self.input.lines.locate(start as u32);
            let range = self.original.pragma_at(place.line).filter(|_| place.file == self.input.file);
            let gone = |r: &Range<usize>| {
                self.directives.contains(&r.start)
                    || self.replaced.iter().any(|w| w.start <= r.start && r.end <= w.end)
            };
            match range {
                Some(range) if gone(&range) => {}
                Some(range) if guides_alone(name) => {
                    self.directives.insert(range.start);
                    self.replace(&range, String::new());
                }
                _ if guides_alone(name) || self.is_replaced_line(place.file, place.line) => {}
                _ => {
                    let span = Span::new(accl_source::FileId(0), start as u32, at as u32);
                    let span = self.span_like(span);
                    return Err(refuse(
                        "the compiler did not meet this directive in the program's code",
                        span,
                    ));
                }
            }
        }
        Ok(())
    }

    fn is_replaced_line(&self, file: &str, line: u32) -> bool {
        let inside = |r: &Range<usize>| {
            self.original.line_of(r.start) <= line && line <= self.original.line_of(r.end.saturating_sub(1))
        };
        file == self.input.file && self.replaced.iter().any(inside)
    }

    fn span_like(&self, span: Span) -> Span {
        let known = self.input.module.kernels.iter().next().map(|(_, k)| k.site.directive_span.file);
        Span { file: known.unwrap_or(span.file), ..span }
    }

    /// The kernels' header, after the user's own.
    fn include_header(&mut self) {
        if self.input.target == PortLanguage::C && self.launches.is_empty() {
            return;
        }
        let limit = self.replaced.iter().map(|r| r.start).min().unwrap_or(0);
        let at = self.original.place_of_include(limit);
        self.insert(at, format!("#include \"{}_kernels.h\"\n", self.input.stem));
    }

    /// A port uses nothing of it: see `check`.
    fn drop_include_of_runtime(&mut self) {
        let mut at = 0;
        for line in self.input.text.split_inclusive('\n') {
            let words = line.replace([' ', '\t', '\r', '\n'], "");
            if words.starts_with("#include<openacc.h>") || words.starts_with("#include\"openacc.h\"") {
                self.edits.replace(at as u32, (at + line.len()) as u32, String::new());
            }
            at += line.len();
        }
    }
}

fn guides_alone(directive: &str) -> bool {
    let name: String = directive.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    matches!(name.as_str(), "loop" | "routine" | "atomic" | "cache")
}
