//! Decisions of the compiler, as data.
//!
//! Every decision is a remark: which loop went to which level and why not better, what is copied and
//! why, which transform ran or what blocked it. The wording follows nvc's `-Minfo=accel`, because
//! people grep it; the `id` has a page in [`crate::codes`].

use crate::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemarkKind {
    /// Device code was made: "Generating NVIDIA GPU code", and the schedule lines beneath it.
    Generated,
    Parallelized,
    NotParallelized,
    Reduction,
    DataMovement,
    /// A transform ran.
    Transform,
    /// A transform did not run, with the reason.
    Missed,
    Note,
}

impl RemarkKind {
    pub fn name(self) -> &'static str {
        match self {
            RemarkKind::Generated => "generated",
            RemarkKind::Parallelized => "parallelized",
            RemarkKind::NotParallelized => "not-parallelized",
            RemarkKind::Reduction => "reduction",
            RemarkKind::DataMovement => "data-movement",
            RemarkKind::Transform => "transform",
            RemarkKind::Missed => "missed",
            RemarkKind::Note => "note",
        }
    }

    /// Whether the remark reports something that the user may want to change.
    pub fn is_missed(self) -> bool {
        matches!(self, RemarkKind::NotParallelized | RemarkKind::Missed)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// One of the constants in [`crate::codes`], e.g. "ACCL-R0001".
    pub id: &'static str,
    pub kind: RemarkKind,
    /// The function as the user names it.
    pub function: String,
    pub span: Span,
    /// The message, in nvc's wording.
    pub message: String,
    /// A change of the program that would change the decision.
    pub help: Option<String>,
    /// Other locations that took part, e.g. the conflicting reference.
    pub related: Vec<(Span, String)>,
    /// Belongs under the last remark of the same function that is not nested.
    pub nested: bool,
}

impl Remark {
    pub fn new(
        id: &'static str,
        kind: RemarkKind,
        function: impl Into<String>,
        span: Span,
        message: impl Into<String>,
    ) -> Remark {
        Remark {
            id,
            kind,
            function: function.into(),
            span,
            message: message.into(),
            help: None,
            related: vec![],
            nested: false,
        }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Remark {
        self.help = Some(help.into());
        self
    }

    pub fn with_related(mut self, span: Span, text: impl Into<String>) -> Remark {
        self.related.push((span, text.into()));
        self
    }

    pub fn nested(mut self) -> Remark {
        self.nested = true;
        self
    }
}
