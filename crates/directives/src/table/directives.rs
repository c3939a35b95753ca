//! The directive table.

use super::DirectiveName;
use crate::ast::{AtomicKind, Construct, DirectiveKind};
use crate::parse::{Parsed, Parser, head};

/// A row of the directive table.
pub struct DirectiveSpec {
    /// The words of its name.
    pub words: &'static [&'static str],
    pub name: DirectiveName,
    /// Reads what stands between the name and the clauses, and makes the node.
    pub head: fn(&mut Parser<'_>) -> Parsed<DirectiveKind>,
    /// At least one of these clauses must be there, unless empty.
    pub requires: &'static [&'static str],
    pub spec: &'static str,
}

impl DirectiveSpec {
    /// The name as written, with single blanks.
    pub fn spelling(&self) -> String {
        self.words.join(" ")
    }
}

/// The row whose words begin with the most of `words`.
pub fn lookup_directive(words: &[&str]) -> Option<&'static DirectiveSpec> {
    DIRECTIVES.iter().filter(|d| words.starts_with(d.words)).max_by_key(|d| d.words.len())
}

const DATA: &[&str] =
    &["copy", "copyin", "copyout", "create", "no_create", "present", "deviceptr", "attach", "default"];

macro_rules! plain {
    ($words:expr, $name:ident, $kind:expr, $requires:expr, $spec:literal) => {
        DirectiveSpec {
            words: &$words,
            name: DirectiveName::$name,
            head: |_| Ok($kind),
            requires: $requires,
            spec: $spec,
        }
    };
}

macro_rules! with_head {
    ($words:expr, $name:ident, $head:expr, $spec:literal) => {
        DirectiveSpec { words: &$words, name: DirectiveName::$name, head: $head, requires: &[], spec: $spec }
    };
}

const fn compute(construct: Construct, loop_: bool) -> DirectiveKind {
    DirectiveKind::Compute { construct, loop_ }
}

pub static DIRECTIVES: &[DirectiveSpec] = &[
    plain!(["parallel"], Parallel, compute(Construct::Parallel, false), &[], "OpenACC 3.3 §2.5.1"),
    plain!(["serial"], Serial, compute(Construct::Serial, false), &[], "OpenACC 3.3 §2.5.2"),
    plain!(["kernels"], Kernels, compute(Construct::Kernels, false), &[], "OpenACC 3.3 §2.5.3"),
    plain!(["parallel", "loop"], ParallelLoop, compute(Construct::Parallel, true), &[], "OpenACC 3.3 §2.11"),
    plain!(["serial", "loop"], SerialLoop, compute(Construct::Serial, true), &[], "OpenACC 3.3 §2.11"),
    plain!(["kernels", "loop"], KernelsLoop, compute(Construct::Kernels, true), &[], "OpenACC 3.3 §2.11"),
    plain!(["data"], Data, DirectiveKind::Data, DATA, "OpenACC 3.3 §2.6.5"),
    plain!(
        ["enter", "data"],
        EnterData,
        DirectiveKind::EnterData,
        &["copyin", "create", "attach"],
        "OpenACC 3.3 §2.6.6"
    ),
    plain!(
        ["exit", "data"],
        ExitData,
        DirectiveKind::ExitData,
        &["copyout", "delete", "detach"],
        "OpenACC 3.3 §2.6.6"
    ),
    plain!(["host_data"], HostData, DirectiveKind::HostData, &["use_device"], "OpenACC 3.3 §2.8"),
    plain!(["loop"], Loop, DirectiveKind::Loop, &[], "OpenACC 3.3 §2.9"),
    with_head!(["cache"], Cache, head::cache, "OpenACC 3.3 §2.10"),
    with_head!(["atomic"], Atomic, head::atomic, "OpenACC 3.3 §2.12"),
    plain!(
        ["declare"],
        Declare,
        DirectiveKind::Declare,
        &["copy", "copyin", "copyout", "create", "present", "deviceptr", "device_resident", "link"],
        "OpenACC 3.3 §2.13"
    ),
    plain!(["init"], Init, DirectiveKind::Init, &[], "OpenACC 3.3 §2.14.1"),
    plain!(["shutdown"], Shutdown, DirectiveKind::Shutdown, &[], "OpenACC 3.3 §2.14.2"),
    plain!(
        ["set"],
        Set,
        DirectiveKind::Set,
        &["default_async", "device_num", "device_type"],
        "OpenACC 3.3 §2.14.3"
    ),
    plain!(["update"], Update, DirectiveKind::Update, &["self", "device"], "OpenACC 3.3 §2.14.4"),
    with_head!(["routine"], Routine, head::routine, "OpenACC 3.3 §2.15.1"),
    with_head!(["wait"], Wait, head::wait, "OpenACC 3.3 §2.16.3"),
    with_head!(["fcw"], Fcw, head::fcw, "extension: fetch, communicate, write back"),
    plain!(["fcw_barrier"], FcwBarrier, DirectiveKind::FcwBarrier, &[], "extension: fcw"),
];

/// The word of an atomic, `update` when there is none.
pub(crate) fn atomic_kind(word: &str) -> Option<AtomicKind> {
    AtomicKind::ALL.into_iter().find(|kind| kind.name() == word)
}
