//! The directives of OpenMP in a buffer, as they are written.

use crate::pragmas::Pragma;
use accl_directives::Section;
use accl_directives::omp::ast::{Leaf, OmpClause, OmpClauseKind, OmpDirective, OmpName};
use accl_directives::omp::{self};
use accl_source::{Diagnostic, FileId, Span};

pub struct OmpLine {
    /// From `#` to the line's end.
    pub span: Span,
    pub directive: OmpDirective,
    pub mistakes: Vec<Diagnostic>,
}

/// The directives, and the names in `threadprivate` ones with their places.
pub fn find(buffer: &str, file: FileId) -> (Vec<OmpLine>, Vec<(String, u32)>) {
    let (mut lines, mut threadprivate) = (vec![], vec![]);
    let mut offset = 0;
    for text in buffer.split_inclusive('\n') {
        let start = offset + (text.len() - text.trim_start().len());
        offset += text.len();
        let written = text.trim();
        let Some(rest) = written.strip_prefix("#pragma").map(str::trim_start) else { continue };
        let Some(rest) = rest.strip_prefix("omp").filter(|r| r.starts_with(char::is_whitespace)) else {
            continue;
        };
        if let Some(names) = omp::threadprivate(rest) {
            threadprivate.extend(names.into_iter().map(|name| (name, start as u32)));
            continue;
        }
        let at = start + written.len() - rest.len();
        let (directive, mistakes) = omp::written(rest, file, at as u32);
        let span = Span::new(file, start as u32, (start + written.len()) as u32);
        lines.extend(directive.map(|directive| OmpLine { span, directive, mistakes }));
    }
    (lines, threadprivate)
}

impl OmpLine {
    /// The constructs of a combined directive, outermost first.
    pub fn leaves(&self) -> &[Leaf] {
        match &self.directive.name {
            OmpName::Constructs(leaves) => leaves,
            _ => &[],
        }
    }

    pub fn has(&self, leaf: Leaf) -> bool {
        self.leaves().contains(&leaf)
    }

    /// A loop that the threads of a region share.
    pub fn shares_loop(&self) -> bool {
        self.has(Leaf::For) || self.leaves() == [Leaf::Loop] || self.leaves() == [Leaf::Parallel, Leaf::Loop]
    }

    /// It is for devices already.
    pub fn is_for_devices(&self) -> bool {
        self.directive.name.is_for_devices() || self.has(Leaf::Teams) || self.has(Leaf::Distribute)
    }

    /// As the rest of the front end has directives, to find the statement that it governs.
    pub fn pragma(&self) -> Pragma {
        Pragma {
            span: self.span,
            directive: omp::normal_form(&self.directive),
            schedule: None,
            mistakes: vec![],
            name: None,
        }
    }

    pub fn names(&self, wanted: fn(&OmpClauseKind) -> Option<&[Section]>) -> Vec<&str> {
        let lists = self.directive.clauses.iter().filter_map(|c: &OmpClause| wanted(&c.kind));
        lists.flatten().filter_map(Section::as_variable).collect()
    }

    /// The directive's words, without its clauses.
    pub fn words<'b>(&self, buffer: &'b str) -> &'b str {
        let name = self.directive.name_span;
        &buffer[name.start as usize..name.end as usize]
    }
}

pub fn privates(kind: &OmpClauseKind) -> Option<&[Section]> {
    match kind {
        OmpClauseKind::Private(list) => Some(list),
        _ => None,
    }
}

pub fn firstprivates(kind: &OmpClauseKind) -> Option<&[Section]> {
    match kind {
        OmpClauseKind::Firstprivate(list) => Some(list),
        _ => None,
    }
}

pub fn lasts(kind: &OmpClauseKind) -> Option<&[Section]> {
    match kind {
        OmpClauseKind::Lastprivate(list) => Some(list),
        _ => None,
    }
}

pub fn reductions(kind: &OmpClauseKind) -> Option<&[Section]> {
    match kind {
        OmpClauseKind::Reduction { sections, .. } => Some(sections),
        _ => None,
    }
}

pub fn shared(kind: &OmpClauseKind) -> Option<&[Section]> {
    match kind {
        OmpClauseKind::Shared(list) => Some(list),
        _ => None,
    }
}

/// Variables of which a clause of a loop makes copies.
pub fn copies(kind: &OmpClauseKind) -> Option<&[Section]> {
    match kind {
        OmpClauseKind::Private(list)
        | OmpClauseKind::Firstprivate(list)
        | OmpClauseKind::Lastprivate(list)
        | OmpClauseKind::Reduction { sections: list, .. } => Some(list),
        _ => None,
    }
}
