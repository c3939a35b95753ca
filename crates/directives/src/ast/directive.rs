//! A directive: its kind, with what belongs to the kind alone, and its clauses.
//!
//! There is one normal form: `parallel loop` is `Compute { construct: Parallel, loop_: true }`, so code that looks
//! for compute constructs or for loops finds the combined ones too.

use super::clause::Clause;
use super::clause::MapKind;
use super::clause::WaitArgs;
use super::expr::{CExpr, Ident};
use super::section::{Lvalue, Section};
use accl_source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    pub kind: DirectiveKind,
    /// Everything after the sentinel.
    pub span: Span,
    /// The words of the directive's name.
    pub name_span: Span,
    /// In the order written; `device_type` is folded into the clauses after it.
    pub clauses: Vec<Clause>,
    /// The language it is written in. Messages name things by it; what it means is in the other fields.
    pub origin: Sentinel,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DirectiveKind {
    /// §2.5, and combined with a loop §2.11.
    Compute {
        construct: Construct,
        loop_: bool,
    },
    /// §2.6.5
    Data,
    /// §2.6.6
    EnterData,
    ExitData,
    /// §2.8
    HostData,
    /// §2.9
    Loop,
    /// §2.10
    Cache {
        readonly: bool,
        sections: Vec<Section>,
    },
    /// §2.12
    Atomic(AtomicKind),
    /// §2.13
    Declare,
    /// §2.14.1
    Init,
    Shutdown,
    Set,
    /// §2.14.4
    Update,
    /// §2.15.1; the name when it is not the next function.
    Routine(Option<Ident>),
    /// §2.16.3
    Wait(Option<WaitArgs>),
    /// Extension: fetch, communicate, write back.
    Fcw(Vec<FcwGroup>),
    /// Extension.
    FcwBarrier,
    /// OpenMP's `teams`, the only statement of a `target` construct, whose clauses it adds.
    Teams {
        loop_: bool,
    },
    /// What OpenMP says about the threads of a team.
    Threads(ThreadsKind),
    /// OpenMP 5.2 §7.8; `begin`, or no list: up to `end declare target`.
    DeclareTarget {
        begin: bool,
    },
    EndDeclareTarget,
    /// OpenMP 5.2 §5.8.8
    DeclareMapper(Box<Mapper>),
    /// A directive of another sentinel, which is not parsed here yet.
    Other {
        sentinel: Sentinel,
        text: String,
    },
}

/// How variables of a type are mapped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapper {
    /// `None`: the default one.
    pub name: Option<String>,
    /// The type as it is written.
    pub of: String,
    /// What the clauses call the variable.
    pub variable: String,
    /// Map type, the name of another mapper, and what is mapped.
    pub maps: Vec<(MapKind, Option<String>, Vec<Section>)>,
}

/// Constructs of a team's threads that are no loops (OpenMP 5.2 chapters 10, 11 and 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThreadsKind {
    Parallel,
    TargetParallel,
    Sections,
    Section,
    Single,
    Masked,
    Critical,
    Ordered,
    Scope,
    /// `task`, `taskgroup`: its thread runs the block at once.
    Task,
    Barrier,
    Flush,
    /// It governs nothing, and says nothing that results depend on.
    NoEffect,
    /// The same, on a loop: `unroll`, `tile`.
    NoEffectOnLoop,
}

impl ThreadsKind {
    pub fn name(self) -> &'static str {
        match self {
            ThreadsKind::Parallel => "parallel",
            ThreadsKind::TargetParallel => "target parallel",
            ThreadsKind::Sections => "sections",
            ThreadsKind::Section => "section",
            ThreadsKind::Single => "single",
            ThreadsKind::Masked => "masked",
            ThreadsKind::Critical => "critical",
            ThreadsKind::Ordered => "ordered",
            ThreadsKind::Scope => "scope",
            ThreadsKind::Task => "task",
            ThreadsKind::Barrier => "barrier",
            ThreadsKind::Flush => "flush",
            ThreadsKind::NoEffect => "nothing",
            ThreadsKind::NoEffectOnLoop => "unroll",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sentinel {
    Acc,
    /// Acclimate's own: schedules.
    Accl,
    Omp,
    Cuda,
}

impl Sentinel {
    pub const ALL: [Sentinel; 4] = [Sentinel::Acc, Sentinel::Accl, Sentinel::Omp, Sentinel::Cuda];

    pub fn name(self) -> &'static str {
        match self {
            Sentinel::Acc => "acc",
            Sentinel::Accl => "accl",
            Sentinel::Omp => "omp",
            Sentinel::Cuda => "cuda",
        }
    }

    pub fn from_name(name: &str) -> Option<Sentinel> {
        Sentinel::ALL.into_iter().find(|s| s.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Construct {
    Parallel,
    Kernels,
    Serial,
    /// OpenMP's `target` without `teams`: one thread, and those of the `parallel` constructs inside.
    Target,
}

impl Construct {
    pub fn name(self) -> &'static str {
        match self {
            Construct::Parallel => "parallel",
            Construct::Kernels => "kernels",
            Construct::Serial => "serial",
            Construct::Target => "target",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicKind {
    Read,
    Write,
    Update,
    Capture,
}

impl AtomicKind {
    pub const ALL: [AtomicKind; 4] =
        [AtomicKind::Read, AtomicKind::Write, AtomicKind::Update, AtomicKind::Capture];

    pub fn name(self) -> &'static str {
        match self {
            AtomicKind::Read => "read",
            AtomicKind::Write => "write",
            AtomicKind::Update => "update",
            AtomicKind::Capture => "capture",
        }
    }
}

/// `TYPE(array[...], ...)`.
#[derive(Clone, Debug, PartialEq)]
pub struct FcwGroup {
    pub kind: FcwKind,
    pub windows: Vec<FcwWindow>,
    pub span: Span,
}

/// Elements `pivot - before ..= pivot + after`, in each dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct FcwWindow {
    pub array: Lvalue,
    pub dims: Vec<FcwDim>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FcwDim {
    pub pivot: CExpr,
    pub before: CExpr,
    pub after: CExpr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FcwKind {
    FetchOnly,
    ChannelOnly,
    FetchChannel,
    ChannelWb,
    FetchChannelWb,
    FetchWb,
    WbOnly,
}

impl FcwKind {
    pub const ALL: [FcwKind; 7] = [
        FcwKind::FetchOnly,
        FcwKind::ChannelOnly,
        FcwKind::FetchChannel,
        FcwKind::ChannelWb,
        FcwKind::FetchChannelWb,
        FcwKind::FetchWb,
        FcwKind::WbOnly,
    ];

    pub fn name(self) -> &'static str {
        match self {
            FcwKind::FetchOnly => "FETCH_ONLY",
            FcwKind::ChannelOnly => "CHANNEL_ONLY",
            FcwKind::FetchChannel => "FETCH_CHANNEL",
            FcwKind::ChannelWb => "CHANNEL_WB",
            FcwKind::FetchChannelWb => "FETCH_CHANNEL_WB",
            FcwKind::FetchWb => "FETCH_WB",
            FcwKind::WbOnly => "WB_ONLY",
        }
    }

    pub fn fetches(self) -> bool {
        !matches!(self, FcwKind::ChannelOnly | FcwKind::ChannelWb | FcwKind::WbOnly)
    }

    pub fn channels(self) -> bool {
        matches!(
            self,
            FcwKind::ChannelOnly | FcwKind::FetchChannel | FcwKind::ChannelWb | FcwKind::FetchChannelWb
        )
    }

    pub fn writes_back(self) -> bool {
        !matches!(self, FcwKind::FetchOnly | FcwKind::ChannelOnly | FcwKind::FetchChannel)
    }
}
