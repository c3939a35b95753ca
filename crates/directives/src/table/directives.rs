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
    /// What stands between the name and the clauses, as users read it.
    pub takes: &'static str,
    /// One sentence for users.
    pub doc: &'static str,
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
    ($words:expr, $name:ident, $kind:expr, $requires:expr, $spec:literal, $doc:literal) => {
        DirectiveSpec {
            words: &$words,
            name: DirectiveName::$name,
            head: |_| Ok($kind),
            requires: $requires,
            spec: $spec,
            takes: "",
            doc: $doc,
        }
    };
}

macro_rules! with_head {
    ($words:expr, $name:ident, $head:expr, $takes:literal, $spec:literal, $doc:literal) => {
        DirectiveSpec {
            words: &$words,
            name: DirectiveName::$name,
            head: $head,
            requires: &[],
            spec: $spec,
            takes: $takes,
            doc: $doc,
        }
    };
}

const fn compute(construct: Construct, loop_: bool) -> DirectiveKind {
    DirectiveKind::Compute { construct, loop_ }
}

pub static DIRECTIVES: &[DirectiveSpec] = &[
    plain!(
        ["parallel"],
        Parallel,
        compute(Construct::Parallel, false),
        &[],
        "OpenACC 3.3 §2.5.1",
        "Gangs run the block, each all of it; its loops are divided among them."
    ),
    plain!(
        ["serial"],
        Serial,
        compute(Construct::Serial, false),
        &[],
        "OpenACC 3.3 §2.5.2",
        "One thread of the device runs the block."
    ),
    plain!(
        ["kernels"],
        Kernels,
        compute(Construct::Kernels, false),
        &[],
        "OpenACC 3.3 §2.5.3",
        "The compiler finds what in the block can run in parallel; each parallel nest of loops is a launch."
    ),
    plain!(
        ["parallel", "loop"],
        ParallelLoop,
        compute(Construct::Parallel, true),
        &[],
        "OpenACC 3.3 §2.11",
        "`parallel` around one loop."
    ),
    plain!(
        ["serial", "loop"],
        SerialLoop,
        compute(Construct::Serial, true),
        &[],
        "OpenACC 3.3 §2.11",
        "`serial` around one loop."
    ),
    plain!(
        ["kernels", "loop"],
        KernelsLoop,
        compute(Construct::Kernels, true),
        &[],
        "OpenACC 3.3 §2.11",
        "`kernels` around one loop."
    ),
    plain!(
        ["data"],
        Data,
        DirectiveKind::Data,
        DATA,
        "OpenACC 3.3 §2.6.5",
        "Data stays on the device for the time of the block."
    ),
    plain!(
        ["enter", "data"],
        EnterData,
        DirectiveKind::EnterData,
        &["copyin", "create", "attach"],
        "OpenACC 3.3 §2.6.6",
        "Data is put on the device, until `exit data`."
    ),
    plain!(
        ["exit", "data"],
        ExitData,
        DirectiveKind::ExitData,
        &["copyout", "delete", "detach"],
        "OpenACC 3.3 §2.6.6",
        "What `enter data` put there is taken back."
    ),
    plain!(
        ["host_data"],
        HostData,
        DirectiveKind::HostData,
        &["use_device"],
        "OpenACC 3.3 §2.8",
        "In the block, names mean addresses on the device."
    ),
    plain!(
        ["loop"],
        Loop,
        DirectiveKind::Loop,
        &[],
        "OpenACC 3.3 §2.9",
        "How the iterations of a loop in a compute construct are divided."
    ),
    with_head!(
        ["cache"],
        Cache,
        head::cache,
        "([readonly:] list)",
        "OpenACC 3.3 §2.10",
        "What each iteration uses of an array is kept close; here in shared memory."
    ),
    with_head!(
        ["atomic"],
        Atomic,
        head::atomic,
        "[read | write | update | capture]",
        "OpenACC 3.3 §2.12",
        "One access to a variable that no other thread comes between."
    ),
    plain!(
        ["declare"],
        Declare,
        DirectiveKind::Declare,
        &["copy", "copyin", "copyout", "create", "present", "deviceptr", "device_resident", "link"],
        "OpenACC 3.3 §2.13",
        "Data is on the device for as long as the variable lives."
    ),
    plain!(["init"], Init, DirectiveKind::Init, &[], "OpenACC 3.3 §2.14.1", "The device is started."),
    plain!(
        ["shutdown"],
        Shutdown,
        DirectiveKind::Shutdown,
        &[],
        "OpenACC 3.3 §2.14.2",
        "The device is given back."
    ),
    plain!(
        ["set"],
        Set,
        DirectiveKind::Set,
        &["default_async", "device_num", "device_type"],
        "OpenACC 3.3 §2.14.3",
        "The device, or the queue, that is taken where nothing else is said."
    ),
    plain!(
        ["update"],
        Update,
        DirectiveKind::Update,
        &["self", "device"],
        "OpenACC 3.3 §2.14.4",
        "Data on the device and the host's are made equal, in one direction."
    ),
    with_head!(
        ["routine"],
        Routine,
        head::routine,
        "[(name)]",
        "OpenACC 3.3 §2.15.1",
        "The function can be called from device code, at the level of parallelism named."
    ),
    with_head!(
        ["wait"],
        Wait,
        head::wait,
        "[(expr, …)]",
        "OpenACC 3.3 §2.16.3",
        "The host waits for these queues, or another queue does."
    ),
    with_head!(
        ["fcw"],
        Fcw,
        head::fcw,
        "TYPE(array[pivot:before:after] …) …",
        "extension: fetch, communicate, write back",
        "Windows of arrays are fetched to shared memory, and written back (docs/guide-fcw.md)."
    ),
    plain!(
        ["fcw_barrier"],
        FcwBarrier,
        DirectiveKind::FcwBarrier,
        &[],
        "extension: fcw",
        "All iterations of a block have reached this place before one goes on."
    ),
];

/// The word of an atomic, `update` when there is none.
pub(crate) fn atomic_kind(word: &str) -> Option<AtomicKind> {
    AtomicKind::ALL.into_iter().find(|kind| kind.name() == word)
}
