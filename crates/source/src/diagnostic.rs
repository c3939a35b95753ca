//! Mistakes in the user's program, as data.
//!
//! A good diagnostic answers four questions: what (`message`), where (`labels`), why (`notes`) and what
//! to do (`help`). Its `code` has a page in [`crate::codes`].

use crate::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// One of the constants in [`crate::codes`], e.g. "ACCL0101".
    pub code: &'static str,
    pub message: String,
    /// The first is the primary one; the text may be empty.
    pub labels: Vec<(Span, String)>,
    pub notes: Vec<String>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity, code, message: message.into(), labels: vec![], notes: vec![], help: None }
    }

    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    pub fn note(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, code, message)
    }

    /// Marks a range without text.
    pub fn at(self, span: Span) -> Diagnostic {
        self.label(span, "")
    }

    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    pub fn with_note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The primary span; nowhere if there is none.
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::NOWHERE, |(span, _)| *span)
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
